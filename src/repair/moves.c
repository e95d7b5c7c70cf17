/* Repairs that move an instruction: an arrival, past the access that it should have ordered; a barrier, out of a
 * branch that some lanes take, or before a wait for threads that it keeps waiting. Each is proved on the changed module
 * (module.c). */
#include "diag/source.h"
#include "repair/fix_search.h"

/* ---- Past an access */

/* Moves the arrival nearest before the access to after it. */
static void move_past(struct search_fix *f, uint32_t thread, uint32_t instr) {
  if (thread == NO_THREAD || instr >= f->input->program->threads[thread].instr_count) return;
  const struct instr *instrs = f->input->program->threads[thread].instrs;
  uint32_t k = instr;
  while (k && !(instrs[k - 1].kind == INSTR_MBARRIER && edits_can_move(&instrs[k - 1]))) k--;
  const struct edit edit = {.kind = EDIT_MOVE, .thread = thread, .instr = k - 1, .target = instr};
  if (k) fix_add_if_proved(f, &edit, 1);
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
    struct edit edits[2];
    for (uint32_t i = 0; i < length; i++) /* each goes right behind the same instruction: the last one first */
      edits[i] = (struct edit){
          .kind = EDIT_MOVE, .thread = thread, .instr = instr + length - 1 - i, .target = instr + length + k};
    if (fix_add_if_proved(f, edits, length)) f->out->ways.data[0].size = 1;
  }
}

static bool is_barrier(const struct instr *i, enum barrier_kind kind) {
  return i->kind == INSTR_BARRIER && i->barrier->kind == kind && i->barrier->count.kind == OPERAND_NONE &&
         i->barrier->action != BARRIER_RED;
}

static struct litmus_instr *dropped(struct arena *, const void *, const struct litmus_instr *) { return NULL; }

/* The line of the kernel's own file at which the instruction is. */
static const struct kernel_line *line_of(const struct search_fix *f, const struct thread *t, uint32_t n) {
  const struct source_origin *o = source_origin(t->instrs[n].span.source, t->instrs[n].span.begin);
  VEC_EACH (line, &f->input->lines->list) {
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
  const uint32_t length = statement_length(t, from);
  struct kernel_edit edits[3];
  struct fix_way way = {.verdict = VERDICT_SAFE, .size = 1};
  if (!line || fix_out_of_time(f)) return;
  struct fix_change change = fix_barrier_at(f, t->instrs[from].barrier->kind, line, &edits[0]);
  for (uint32_t i = 0; i < length; i++)
    edits[1 + i] = (struct kernel_edit){.kind = KERNEL_CHANGE, .at = t->instrs[from + i].span, .change = dropped};
  struct fix_trial judged;
  if (!module_repairs(f, edits, 1 + length, 0, &judged)) return;
  for (uint32_t i = 0; i < length; i++)
    fix_add_changes(f, &way, &(struct edit){.kind = EDIT_DROP, .thread = thread, .instr = from + i});
  VEC_PUSH(f->arena, &way.changes, change);
  way.size = 1;
  VEC_PUSH(f->arena, &f->out->ways, way);
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
    bool waits = false;
    VEC_EACH (w, &f->out->result->hang.waiting)
      waits = waits || is_barrier(&program->threads[w->thread].instrs[w->instr], kinds[k]);
    VEC_EACH (w, &f->out->result->hang.waiting)
      if (waits && !f->out->ways.len) break_circle(f, w, kinds[k]);
  }
}

/* True if it waits at a barrier for whole warps. */
static bool at_barrier(const struct search_fix *f, const struct waiting *w) {
  const struct instr *i = &f->input->program->threads[w->thread].instrs[w->instr];
  return i->kind == INSTR_BARRIER && i->barrier->aligned;
}

void fix_add_moves(struct search_fix *f) {
  const struct result *r = f->out->result;
  if (f->out->goal != FIX_SAFE || !f->input->remake || !r->findings.len) return;
  const struct safety_finding *first = &r->findings.data[0];
  bool parted = first->reason && first->reason->id == REASON_DIVERGENT_BARRIER;
  bool apart = parted || (first->reason && first->reason->id == REASON_DIVERGENT_MATRIX);
  if (first->kind == SAFETY_HANG) break_circles(f);
  VEC_EACH (w, &r->hang.waiting)
    if (first->kind == SAFETY_HANG && !f->out->ways.len && at_barrier(f, w)) move_out(f, w->thread, w->instr);
  if (parted && first->thread_a != NO_THREAD && !f->out->ways.len) move_out(f, first->thread_a, first->instr_a);
  if (apart && first->thread_a != NO_THREAD && !f->out->ways.len) fix_unguard(f, first->thread_a, first->instr_a);
  VEC_EACH (w, &r->hang.waiting)
    if (first->kind == SAFETY_HANG && !f->out->ways.len && at_barrier(f, w)) fix_unguard(f, w->thread, w->instr);
  if (first->kind == SAFETY_HANG || apart || f->out->ways.len) return;
  move_past(f, first->thread_a, first->instr_a);
  if (!f->out->ways.len) move_past(f, first->thread_b, first->instr_b);
}
