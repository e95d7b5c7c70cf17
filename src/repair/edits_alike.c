/* Merges edits at places that are the same place in the code: in columns of the same code, as from one kernel's text;
 * for a kernel, in all copies of an instruction, in all threads and iterations of loops. */

#include "repair/edits.h"

/* ---- Same code ---- */

static bool same_words(const struct litmus_words *a, const struct litmus_words *b) {
  const struct litmus_word *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next)
    if (strcmp(x->text, y->text) != 0) return false;
  return !x && !y;
}

static bool same_instr(const struct litmus_instr *a, const struct litmus_instr *b) {
  if (!a || !b || strcmp(a->opcode.text, b->opcode.text) != 0) return false;
  if (!a->guard != !b->guard || a->guard_negated != b->guard_negated) return false;
  return same_words(&a->qualifiers, &b->qualifiers);
}

/* True if two threads have the same instructions, perhaps on other locations. */
static bool same_code(const struct litmus_test *test, const struct program *program, uint32_t a, uint32_t b) {
  const struct thread *t = &program->threads[a], *u = &program->threads[b];
  if (t->instr_count != u->instr_count) return false;
  for (uint32_t i = 0; i < t->instr_count; i++) {
    const struct instr *x = &t->instrs[i], *y = &u->instrs[i];
    if (x->kind != y->kind || x->sem != y->sem || x->scope != y->scope || x->proxy != y->proxy) return false;
    if (x->kind == INSTR_BRANCH && x->target != y->target) return false;
    if (!same_instr(edits_written(test, program, a, i), edits_written(test, program, b, i))) return false;
  }
  return t->instr_count > 0;
}

/* For each thread, the first thread with the same code; NULL if no two have the same code. */
static uint32_t *find_leaders(struct arena *arena, const struct litmus_test *test, const struct program *program) {
  uint32_t *leaders = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  bool any = false;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    uint32_t leader = 0;
    while (leader < t && !(leaders[leader] == leader && same_code(test, program, leader, t))) leader++;
    leaders[t] = leader;
    any = any || leader != t;
  }
  return any ? leaders : NULL;
}

/* ---- Same place ---- */

struct merging {
  struct edit_finder f;
  const uint32_t *leaders; /* NULL: a kernel, whose lines identify places */
};

static const struct instr *instr_at(const struct program *program, struct edit_place place) {
  return &program->threads[place.thread].instrs[place.instr];
}

/* The number of earlier instructions of the same statement. */
static uint32_t part_of(const struct program *program, struct edit_place place) {
  uint32_t part = 0;
  while (part < place.instr &&
         program->threads[place.thread].instrs[place.instr - part - 1].ast == instr_at(program, place)->ast)
    part++;
  return part;
}

static bool same_place(const struct merging *m, struct edit_place a, struct edit_place b) {
  if (m->leaders) return m->leaders[a.thread] == m->leaders[b.thread] && a.instr == b.instr;
  if (a.instr == EDIT_AT_START || b.instr == EDIT_AT_START) return false;
  struct span x = instr_at(m->f.program, a)->span, y = instr_at(m->f.program, b)->span;
  return x.source && x.source == y.source && x.begin == y.begin && part_of(m->f.program, a) == part_of(m->f.program, b);
}

/* Finds all places that are the same in the code as the edit's, and moves the edit to the first of them. */
static void find_places(struct merging *m, struct edit *edit) {
  struct edit_place given = {edit->thread, edit->instr};
  VEC(struct edit_place) places = {0};
  for (uint32_t t = 0; t < m->f.program->thread_count; t++)
    for (uint32_t k = 0; k <= m->f.program->threads[t].instr_count; k++) {
      struct edit_place place = {t, k ? k - 1 : EDIT_AT_START};
      if (same_place(m, given, place)) VEC_PUSH(m->f.arena, &places, place);
    }
  if (!places.len) return;
  edit->thread = places.data[0].thread;
  edit->instr = places.data[0].instr;
  edit->others = places.data + 1;
  edit->other_count = places.len - 1;
}

/* ---- Merged sites ---- */

static bool same_site(const struct edit *a, const struct edit *b) {
  return a->kind == b->kind && a->thread == b->thread && a->instr == b->instr && a->target == b->target &&
         a->late == b->late && a->ahead == b->ahead && a->operand == b->operand && edits_add_same(a, b);
}

static bool same_variant(const struct edit *a, const struct edit *b) {
  return a->sem == b->sem && a->scope == b->scope && a->number == b->number && base_alike(a->to, b->to) &&
         base_alike(a->added, b->added);
}

/* A scope may matter only in some threads, so a merged site has the variants of all threads, from weak to strong. */
static void add_merged(struct merging *m, struct edit edit) {
  struct site *site = NULL;
  find_places(m, &edit);
  for (uint32_t i = 0; i < m->f.out->list.len && !site; i++)
    if (same_site(&m->f.out->list.data[i].variants.data[0], &edit)) site = &m->f.out->list.data[i];
  if (!site) {
    VEC_PUSH(m->f.arena, &m->f.out->list, (struct site){0});
    site = &m->f.out->list.data[m->f.out->list.len - 1];
  }
  for (uint32_t i = 0; i < site->variants.len; i++)
    if (same_variant(&site->variants.data[i], &edit)) return;
  sites_add_variant(m->f.arena, site, edit);
}

/* Adds a barrier before or after the instruction. The check of the result shows if all threads reach it. */
static void add_barrier(struct merging *m, uint32_t thread, uint32_t instr, const char *added, unsigned cost) {
  const struct instr *in = &m->f.program->threads[thread].instrs[instr];
  struct edit edit = {.kind = EDIT_ADD, .thread = thread, .instr = instr, .added = added, .cost = cost};
  if (!instr_is_access(in) && in->kind != INSTR_ASYNC && in->kind != INSTR_GROUP && in->kind != INSTR_MBARRIER) return;
  edit.apart = true;
  add_merged(m, edit);
  edit.ahead = true;
  edit.cost++;
  add_merged(m, edit);
}

bool edits_can_move(const struct instr *in) {
  bool arrives = in->kind == INSTR_MBARRIER && in->mbarrier->action == MBARRIER_ARRIVE;
  bool fence = in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE;
  bool barrier = in->kind == INSTR_BARRIER && in->barrier->kind != BARRIER_LANES;
  return in->dst[0] == NO_REG && (arrives || fence || barrier || in->kind == INSTR_GROUP);
}

/* True if a move goes over the same distance, and to the same line, in all its places. */
static bool lead_alike(const struct merging *m, const struct edit *edit) {
  for (uint32_t i = 0; i < edit->other_count; i++) {
    struct edit_place to = {edit->others[i].thread, edit->others[i].instr + (edit->target - edit->instr)};
    if (to.instr >= m->f.program->threads[to.thread].instr_count) return false;
    if (!same_place(m, (struct edit_place){edit->thread, edit->target}, to)) return false;
  }
  return true;
}

/* Adds moves after a nearby instruction, not past a branch. */
static void add_moves(struct merging *m, uint32_t thread, uint32_t instr) {
  enum { NEAR = 8, COST = 20 };
  const struct thread *t = &m->f.program->threads[thread];
  struct edit edit = {.kind = EDIT_MOVE, .thread = thread, .instr = instr, .cost = COST};
  if (!edits_can_move(&t->instrs[instr])) return;
  find_places(m, &edit);
  if (edit.thread != thread || edit.instr != instr) return;
  for (int step = -1; step <= 1; step += 2)
    for (uint32_t k = 1, at = instr + (uint32_t)step; k <= NEAR && at < t->instr_count; k++, at += (uint32_t)step) {
      if (t->instrs[at].kind == INSTR_BRANCH) break;
      edit.target = step > 0 ? at : at - 1;
      if (edit.target < t->instr_count && lead_alike(m, &edit)) edits_add(&m->f, edit);
    }
}

/* True if the edit is not merged with others: it lists its places itself, is in no thread, or, in a kernel, is a move
 * or at the start of a thread. */
static bool stands_alone(const struct merging *m, const struct edit *edit) {
  if (edit_is_joint(edit) || edit->kind == EDIT_COUNT) return true;
  return !m->leaders && (edit->kind == EDIT_MOVE || edit->instr == EDIT_AT_START);
}

bool edits_alike(struct arena *arena, const struct litmus_test *test, const struct program *program,
                 const struct sites *from, struct sites *out) {
  bool kernel = program->threads[0].of_kernel;
  struct merging m = {{arena, test, program, out}, kernel ? NULL : find_leaders(arena, test, program)};
  *out = (struct sites){.cut = from->cut && !kernel};
  if (!kernel && !m.leaders) return false;
  VEC_EACH (site, &from->list) {
    bool alone = stands_alone(&m, &site->variants.data[0]);
    if (alone && (!kernel || site->variants.data[0].kind == EDIT_DROP_BARRIER)) VEC_PUSH(arena, &out->list, *site);
    for (uint32_t k = 0; k < site->variants.len && !alone; k++) add_merged(&m, site->variants.data[k]);
  }
  return true;
}

void edits_of_module(struct arena *arena, const struct litmus_test *test, const struct program *program,
                     struct sites *out) {
  enum { WARP_COST = 50, BLOCK_COST = 60 };
  struct merging m = {{arena, test, program, out}, NULL};
  EDITS_EACH (t, n, program) {
    add_barrier(&m, t, n, "bar.warp.sync 0xffffffff", WARP_COST); /* __syncwarp() */
    add_barrier(&m, t, n, "bar.sync 0", BLOCK_COST);              /* __syncthreads() */
    add_moves(&m, t, n);
  }
}
