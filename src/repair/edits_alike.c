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
    uint32_t leader = FIND_BELOW(n, t, leaders[n] == n && same_code(test, program, n, t));
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
    if (same_site(&m->f.out->list.data[i].data[0], &edit)) site = &m->f.out->list.data[i];
  if (!site) {
    VEC_PUSH(m->f.arena, &m->f.out->list, (struct site){0});
    site = &m->f.out->list.data[m->f.out->list.len - 1];
  }
  for (uint32_t i = 0; i < site->len; i++)
    if (same_variant(&site->data[i], &edit)) return;
  sites_add_variant(m->f.arena, site, edit);
}

bool edits_can_move(const struct instr *in) {
  bool arrives = in->kind == INSTR_MBARRIER && in->mbarrier->action == MBARRIER_ARRIVE;
  bool fence = in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE;
  bool barrier = in->kind == INSTR_BARRIER && in->barrier->kind != BARRIER_LANES;
  return in->dst[0] == NO_REG && (arrives || fence || barrier || in->kind == INSTR_GROUP);
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
    bool alone = stands_alone(&m, &site->data[0]);
    if (alone && (!kernel || site->data[0].kind == EDIT_DROP_BARRIER)) VEC_PUSH(arena, &out->list, *site);
    for (uint32_t k = 0; k < site->len && !alone; k++) add_merged(&m, site->data[k]);
  }
  return true;
}
