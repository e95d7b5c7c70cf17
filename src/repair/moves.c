/* Repairs that move an instruction: an arrival, past the access that it should have ordered; a barrier, out of a
 * branch that some lanes take, or before a wait for threads that it keeps waiting. Each is proved on the changed module
 * (module.c). */
#include "repair/proposals.h"

static void try_edit(struct search_fix *f, struct edit edit) {
  struct proposal c = {0};
  VEC_PUSH(f->arena, &c.edits, edit);
  proposals_try_one(f, &c);
}

/* ---- Past an access */

/* Moves the arrival nearest before the access to after it. */
static void move_past(struct search_fix *f, uint32_t thread, uint32_t instr) {
  if (thread == NO_THREAD || instr >= f->input->program->threads[thread].instr_count) return;
  const struct instr *instrs = f->input->program->threads[thread].instrs;
  uint32_t k = instr;
  while (k && !(instrs[k - 1].kind == INSTR_MBARRIER && edits_can_move(&instrs[k - 1]))) k--;
  if (k) try_edit(f, (struct edit){.kind = EDIT_MOVE, .thread = thread, .instr = k - 1, .target = instr});
}

/* ---- Barriers */

/* The barriers that follow one another from here: an arrival and its wait are one statement. */
static uint32_t statement_length(const struct thread *t, uint32_t n) {
  const struct instr *i = &t->instrs[n];
  bool more = i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CLUSTER && i->barrier->action == BARRIER_ARRIVE;
  bool wait = more && n + 1 < t->instr_count && t->instrs[n + 1].kind == INSTR_BARRIER &&
              t->instrs[n + 1].barrier->action == BARRIER_WAIT;
  return wait ? 2 : 1;
}

/* Moves a barrier that only some lanes execute past instructions near it. */
static void move_out(struct search_fix *f, uint32_t thread, uint32_t instr) {
  enum { NEAR = 4 };
  const struct thread *t = &f->input->program->threads[thread];
  if (instr && statement_length(t, instr - 1) == 2) instr--;
  uint32_t length = statement_length(t, instr);
  for (uint32_t k = 0; k < NEAR && instr + length + k < t->instr_count && !f->out->ways.len; k++) {
    struct proposal c = {0};
    for (uint32_t i = length; i-- > 0;) /* each goes right behind the same instruction: the last one first */
      VEC_PUSH(f->arena, &c.edits,
               (struct edit){.kind = EDIT_MOVE, .thread = thread, .instr = instr + i, .target = instr + length + k});
    proposals_try_one(f, &c);
  }
}

static bool is_barrier(const struct instr *i, enum barrier_kind kind) {
  return i->kind == INSTR_BARRIER && i->barrier->kind == kind && i->barrier->count.kind == OPERAND_NONE &&
         i->barrier->action != BARRIER_RED;
}

/* The line of the kernel's own file at which the instruction is. */
static const struct kernel_line *line_of(const struct search_fix *f, const struct thread *t, uint32_t n) {
  const struct source_origin *o = source_origin(t->instrs[n].span.source, t->instrs[n].span.begin);
  VEC_EACH (line, f->input->lines) {
    if (!o || !line->own) continue;
    const char *file = o->near.file ? o->near.file : o->file;
    if (strcmp(file, line->file) == 0 && (o->near.file ? o->near.line : o->line) == line->line) return line;
  }
  return NULL;
}

/* Moves the barrier at `from` to before the statement of the wait. */
static void move_before(struct search_fix *f, uint32_t thread, uint32_t wait, uint32_t from) {
  const struct thread *t = &f->input->program->threads[thread];
  const struct kernel_line *line = line_of(f, t, wait);
  if (!line) return;
  struct proposal c = statements_barrier(t->instrs[from].barrier->kind, line);
  for (uint32_t i = 0; i < statement_length(t, from); i++)
    proposals_extend(f, &c, (struct edit){.kind = EDIT_DROP, .thread = thread, .instr = from + i});
  proposals_try_one(f, &c);
}

/* A thread waits for others, not at a barrier, before it comes to the barrier at which they wait. */
static void break_circle(struct search_fix *f, const struct waiting *w, enum barrier_kind kind) {
  const struct thread *t = &f->input->program->threads[w->thread];
  if (t->instrs[w->instr].kind == INSTR_BARRIER) return;
  for (uint32_t n = w->instr + 1; n < t->instr_count && !f->out->ways.len; n++)
    if (is_barrier(&t->instrs[n], kind)) {
      move_before(f, w->thread, w->instr, n);
      return;
    }
}

static void break_circles(struct search_fix *f) {
  static const enum barrier_kind kinds[] = {BARRIER_CLUSTER, BARRIER_CTA, BARRIER_WARP};
  const struct program *program = f->input->program;
  for (size_t k = 0; k < ARRAY_LEN(kinds); k++) {
    bool waits = SOME(VEC_EACH (w, &f->out->result->hang.waiting),
                      is_barrier(&program->threads[w->thread].instrs[w->instr], kinds[k]));
    VEC_EACH (w, &f->out->result->hang.waiting)
      if (waits && !f->out->ways.len) break_circle(f, w, kinds[k]);
  }
}

/* True if it waits at a barrier for whole warps. */
static bool at_barrier(const struct search_fix *f, const struct waiting *w) {
  const struct instr *i = &f->input->program->threads[w->thread].instrs[w->instr];
  return i->kind == INSTR_BARRIER && i->barrier->aligned;
}

static bool at_exchange(const struct search_fix *f, const struct waiting *w) {
  const struct instr *i = &f->input->program->threads[w->thread].instrs[w->instr];
  return i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_LANES;
}

/* Adds moves of what orders to behind nearby instructions of the thread, not past a branch. */
static void list_near(struct search_fix *f, uint32_t thread, struct proposals *out) {
  enum { NEAR = 8 };
  const struct thread *t = thread == NO_THREAD ? NULL : &f->input->program->threads[thread];
  for (uint32_t n = 0; t && n < t->instr_count; n++)
    for (int step = -1; step <= 1 && edits_can_move(&t->instrs[n]); step += 2)
      for (uint32_t k = 1, at = n + (uint32_t)step; k <= NEAR && at < t->instr_count; k++, at += (uint32_t)step) {
        struct edit edit = {.kind = EDIT_MOVE, .thread = thread, .instr = n, .target = step > 0 ? at : at - 1};
        if (t->instrs[at].kind == INSTR_BRANCH) break;
        if (edit.target < t->instr_count) proposals_add(f, out, edit);
      }
}

void proposals_try_near(struct search_fix *f) {
  const struct result *r = f->out->result;
  struct proposals all = {0};
  if (!r->findings.len) return;
  list_near(f, r->findings.data[0].thread_a, &all);
  list_near(f, r->findings.data[0].thread_b, &all);
  proposals_try_each(f, &all);
}

/* Lets all threads execute an instruction that a condition keeps from some. */
static void unguard(struct search_fix *f, uint32_t thread, uint32_t instr) {
  if (thread != NO_THREAD) try_edit(f, (struct edit){.kind = EDIT_UNGUARD, .thread = thread, .instr = instr});
}

void proposals_try_moves(struct search_fix *f) {
  const struct result *r = f->out->result;
  if (!r->findings.len) return;
  const struct safety_finding *first = &r->findings.data[0];
  bool parted = first->reason && first->reason->id == REASON_DIVERGENT_BARRIER, hang = first->kind == SAFETY_HANG;
  bool apart = parted || (first->reason && first->reason->id == REASON_DIVERGENT_MATRIX);
  if (hang) break_circles(f);
  VEC_EACH (w, &r->hang.waiting)
    if (hang && !f->out->ways.len && at_barrier(f, w)) move_out(f, w->thread, w->instr);
  if (parted && first->thread_a != NO_THREAD && !f->out->ways.len) move_out(f, first->thread_a, first->instr_a);
  if (apart && !f->out->ways.len) unguard(f, first->thread_a, first->instr_a);
  VEC_EACH (w, &r->hang.waiting)
    if (hang && !f->out->ways.len && (at_barrier(f, w) || at_exchange(f, w))) unguard(f, w->thread, w->instr);
  if (hang || apart || f->out->ways.len) return;
  move_past(f, first->thread_a, first->instr_a);
  if (!f->out->ways.len) move_past(f, first->thread_b, first->instr_b);
}
