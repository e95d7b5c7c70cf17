/* Control flow: each thread is walked once along its unrolled steps. At a branch, each path carries the condition under
 * which it is taken; at a join, registers become choices (ite terms). */
#include "exec/walk.h"

#include "exec/counts.h"
#include "exec/pieces.h"
#include "term/depend.h"

/* The thread being walked. */
struct thread_walk {
  struct walk *w;
  const struct thread *thread;
  struct unrolled *unrolled;
  struct path **pending; /* by step: the paths that jump there; one more for the end of the thread */
  struct bitset *live;   /* by instruction; only with loops */
  struct counts *counts; /* by loop */
  struct start { /* by step to which a branch goes back: the path and the number of events when it was reached */
    struct path *path;
    uint32_t events;
    const struct counts *counted; /* these registers are free values; NULL: none is */
  } * starts;
};

bool walk_refuse(struct walk *w, enum reason_id why, struct span place) {
  return skeleton_refuse(w->s, reason_get(why), place);
}

static struct path *copy_path(struct walk *w, const struct path *from, uint32_t regs) {
  struct path *path = ARENA_COPY(w->s->arena, from);
  path->regs = ARENA_ARRAY(w->s->arena, struct reg_state, regs);
  for (uint32_t r = 0; r < regs; r++) path->regs[r] = from->regs[r];
  path->control = bitset_copy(w->s->arena, from->control);
  return path;
}

static bool same_reads(struct bitset a, struct bitset b) { return bitset_subset(a, b) && bitset_subset(b, a); }

enum { WIDEST_REGISTER = 64 }; /* except .b128, to which nothing is extended */

struct reg_state walk_choose(struct walk *w, term_id taken, const struct reg_state *yes, const struct reg_state *no) {
  unsigned a = term_get(w->terms, yes->value)->width, b = term_get(w->terms, no->value)->width;
  unsigned width = a > b ? a : b;
  /* No later extension, by sign or by zeros, would be right for both. */
  if (yes->is_signed != no->is_signed && width < WIDEST_REGISTER) width = WIDEST_REGISTER;
  term_id value = term_ite(w->terms, taken, term_resize(w->terms, yes->value, width, yes->is_signed),
                           term_resize(w->terms, no->value, width, no->is_signed));
  struct bitset reads = bitset_copy(w->s->arena, yes->reads);
  bitset_or(reads, no->reads);
  return (struct reg_state){value, yes->is_signed && no->is_signed, reads};
}

/* Merges a register: its value on `other` if that path is taken, else its own. */
static void merge_reg(struct walk *w, struct reg_state *reg, const struct reg_state *other, term_id taken) {
  if (reg->value == other->value && reg->is_signed == other->is_signed && same_reads(reg->reads, other->reads)) return;
  *reg = walk_choose(w, taken, other, reg);
}

/* Joins `other` into `path`. */
static void merge(struct thread_walk *t, struct path *path, const struct path *other) {
  for (uint32_t r = 0; r < t->thread->reg_count; r++) merge_reg(t->w, &path->regs[r], &other->regs[r], other->guard);
  bitset_or(path->control, other->control);
  if (t->w->s->options.notes_uses) VEC_PUSH(t->w->s->arena, &t->w->s->joins, other->guard);
  if (path->cluster_arrival != other->cluster_arrival) path->cluster_arrival = AMBIGUOUS_PARTNER;
  path->parted |= other->parted || path->way != other->way;
  path->guard = term_or(t->w->terms, path->guard, other->guard);
  path->reach = term_or(t->w->terms, path->reach, other->reach);
}

static void jump(struct thread_walk *t, uint32_t step, term_id guard, term_id reach) {
  if (guard == TERM_FALSE) return;
  uint32_t slot = step == STEP_END ? t->unrolled->steps.len : step;
  REQUIRE(slot <= t->unrolled->steps.len);
  struct path *path = copy_path(t->w, t->w->path, t->thread->reg_count);
  path->guard = guard;
  path->reach = reach;
  if (t->pending[slot]) merge(t, t->pending[slot], path);
  else t->pending[slot] = path;
}

/* ---- Executions that are left out ---- */

/* Simplifies `guard` under the assumption that `never` is false: the branch to the path that was left out is
 * decided. */
static term_id given(struct terms *terms, term_id guard, term_id never) {
  const struct term g = *term_get(terms, guard), n = *term_get(terms, never);
  if (g.op == TERM_OR) return term_or(terms, given(terms, g.a, never), given(terms, g.b, never));
  if (term_not(terms, never) == guard) return TERM_TRUE;
  if (g.op == TERM_AND && n.op == TERM_AND && g.a == n.a && term_not(terms, n.b) == g.b) return g.a;
  return guard;
}

static struct ending ending_here(const struct walk *w, enum ending_kind kind, term_id when) {
  return (struct ending){.kind = kind,
                         .when = when,
                         .wait = NO_PARTNER,
                         .thread = w->base.thread,
                         .instr = w->base.instr,
                         .end_event = w->s->events.len,
                         .span = w->instr->span};
}

static void end_here(struct thread_walk *t, enum ending_kind kind, term_id when, const struct step *step) {
  struct walk *w = t->w;
  if (when == TERM_FALSE) return;
  struct ending ending = ending_here(w, kind, when);
  if (kind == ENDING_SPIN) ending.first_event = t->starts[step->again].events;
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  if (w->s->options.precise) return;
  for (uint32_t i = 0; i <= t->unrolled->steps.len; i++)
    if (t->pending[i]) t->pending[i]->guard = given(w->terms, t->pending[i]->guard, when);
  w->path->guard = given(w->terms, w->path->guard, when);
}

/* ---- Steps that all kinds of iterations share ---- */

/* The condition that the registers that matter at the head of the loop have the values that they had there. `relevant`:
 * only registers in it. */
static term_id same_registers(struct thread_walk *t, const struct start *start, const struct relevant *relevant) {
  struct walk *w = t->w;
  term_id same = TERM_TRUE;
  struct bitset live = t->live[w->instr->target];
  EACH (r, live) {
    if (start->counted && bitset_has(start->counted->regs, r)) continue;
    if (relevant && !relevant_reg(relevant, w->base.thread, r)) continue;
    const struct reg_state *before = &start->path->regs[r], *after = &w->path->regs[r];
    term_id a = term_resize(w->terms, before->value, 128, before->is_signed);
    term_id b = term_resize(w->terms, after->value, 128, after->is_signed);
    same = term_and(w->terms, same, term_eq(w->terms, a, b));
  }
  return walk_open_free(w, same);
}

/* Makes a TERM_GO: a point at which the thread may stop or, for NO_THREAD, a free choice. */
static term_id new_point(struct walk *w, uint32_t thread) {
  term_id go = term_leaf(w->terms, TERM_GO, w->s->go_threads.len, 1);
  VEC_PUSH(w->s->arena, &w->s->go_threads, thread);
  return go;
}

/* ---- Iterations between the first and the last one (struct further) ---- */

/* The number of iterations between for the loop of the step; 0: the loop is unrolled as usual. */
static uint32_t iterations_between(const struct thread_walk *t, const struct step *step) {
  const struct further *further = t->w->s->options.further;
  if (!further || step->loop == NO_LOOP) return 0;
  return further->between[t->thread - t->w->s->program->threads][t->unrolled->loops.data[step->loop].end - 1];
}

/* Adds a path that skips this iteration and goes to the next one. */
static void may_skip(struct thread_walk *t, uint32_t head) {
  struct walk *w = t->w;
  const struct step *first = &t->unrolled->steps.data[head];
  uint32_t next = head + 1;
  term_id done = new_point(w, NO_THREAD), skipped = term_not(w->terms, done);
  while (t->unrolled->steps.data[next].copy == first->copy) next++;
  jump(t, next, term_and(w->terms, w->path->guard, skipped), term_and(w->terms, w->path->reach, skipped));
  w->path->guard = term_and(w->terms, w->path->guard, done);
  w->path->reach = term_and(w->terms, w->path->reach, done);
}

/* In such an iteration, a forward branch stays in the loop. */
static void jump_between(struct thread_walk *t, const struct step *step, term_id taken, term_id reach) {
  const struct step *to = step->target == STEP_END ? NULL : &t->unrolled->steps.data[step->target];
  bool stays = t->w->instr->kind == INSTR_BRANCH && to && to->loop == step->loop && to->copy == step->copy;
  if (stays) jump(t, step->target, taken, reach);
  else end_here(t, ENDING_BOUND, taken, step);
}

/* ---- Counts of iterations ---- */

/* At the start of a copy of a loop, registers that count iterations become free values, except in the first copy if
 * they may end the loop. */
static const struct counts *begin_counting(struct thread_walk *t, const struct step *step) {
  struct walk *w = t->w;
  if (step->loop == NO_LOOP || w->s->options.further || step->instr != t->unrolled->loops.data[step->loop].begin)
    return NULL;
  const struct counts *counts = &t->counts[step->loop];
  if (bitset_empty(counts->regs) || (counts->leave && !step->copy)) return NULL;
  EACH (r, counts->regs)
    if (bitset_has(t->live[step->instr], r))
      w->path->regs[r] = (struct reg_state){walk_free(w, t->thread->regs[r].type.width, NULL), false, walk_no_reads(w)};
  return counts;
}

/* ---- Loops ---- */

/* The condition that an iteration has had an effect that a later one can see: a write, a barrier, or a changed register
 * that is still to be read. An iteration without effect is redundant: removing it from an execution removes only reads.
 * A thread that entered the loop elsewhere than at the branch's target does not repeat an iteration. */
static term_id iteration_effect(struct thread_walk *t, const struct step *step, term_id taken) {
  struct walk *w = t->w;
  const struct start *start = &t->starts[step->again];
  const struct iteration iteration = {start->events, start->path->guard, taken};
  term_id effect = step->entered ? TERM_FALSE : term_not(w->terms, start->path->guard);
  term_id same = same_registers(t, start, NULL);
  if (effect == TERM_FALSE && same == TERM_TRUE && walk_repeats_together(w, &iteration)) return TERM_FALSE;
  for (uint32_t e = start->events; e < w->s->events.len; e++) {
    const struct event *event = skeleton_event(w->s, e);
    bool lasting = event->use && (event->use->kind != USE_TEST || event->use->waits);
    if (event->kind == EVENT_WRITE) effect = term_or(w->terms, effect, walk_write_effect(w, e));
    if (event->kind == EVENT_ARRIVE || event->kind == EVENT_WAIT || lasting || event->kind == EVENT_ISSUE ||
        event->kind == EVENT_GROUP)
      effect = term_or(w->terms, effect, event->exec);
  }
  return term_or(w->terms, effect, term_not(w->terms, same));
}

/* Adds a lasso: the thread repeats for ever the events since the head of this copy of the loop, or of an earlier one.
 * Returns the condition that it continues instead. */
static term_id may_go_round(struct thread_walk *t, const struct step *step, term_id useful) {
  struct walk *w = t->w;
  if (!w->s->options.lassos || useful == TERM_FALSE) return useful;
  term_id go = new_point(w, w->base.thread);
  struct ending ending = ending_here(w, ENDING_LASSO, term_and(w->terms, useful, term_not(w->terms, go)));
  ending.laps = ARENA_ARRAY(w->s->arena, struct lap, step->copy + 1u);
  for (uint32_t i = step->again + 1u, copy = step->copy + 1u; i-- > 0 && copy > 0;) {
    const struct step *head = &t->unrolled->steps.data[i];
    if (head->instr != w->instr->target || head->loop != step->loop) continue;
    if (head->copy >= copy) break; /* a copy from an earlier execution of the loop */
    copy = head->copy;
    const struct start *start = &t->starts[i];
    if (!start->path) break;
    term_id same = same_registers(t, start, w->s->relevant);
    if (!step->entered) same = term_and(w->terms, same, start->path->guard);
    ending.laps[ending.lap_count++] = (struct lap){start->events, same};
  }
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  return term_and(w->terms, useful, go);
}

/* The limit on conflicts for the proof that no repeated iteration has an effect: then a loop around a failed cas needs
 * no second copy. */
enum { PRUNE_EFFORT = 1000 };

/* True if the present iteration has a write that is left out, or sets a register that is still to be read and whose
 * value is not known here, because it may come from a read that is left out. */
static bool may_omit_effect(const struct thread_walk *t, const struct step *step) {
  const struct walk *w = t->w;
  const struct relevant *lean = w->s->lean;
  const uint32_t thread = w->base.thread;
  for (uint32_t i = step->again; lean && i <= w->base.step; i++) {
    const uint32_t at = t->unrolled->steps.data[i].instr;
    const struct instr *in = &t->thread->instrs[at];
    if (in->kind != INSTR_LOAD && relevant_is_idle(w->s->program, lean, thread, at)) return true;
    EACH_WRITTEN (reg, in)
      if (bitset_has(t->live[w->instr->target], reg) && !relevant_reg(lean, thread, reg)) return true;
  }
  return false;
}

/* A back edge: if the iteration had an effect, the next one follows; else the thread spins, which adds no outcome of an
 * execution that ends. With keeps_spins, the thread continues in both cases while there is another copy. With struct
 * further, no copy follows the last one. */
static void branch_back(struct thread_walk *t, const struct step *step, term_id taken, term_id reach) {
  struct terms *terms = t->w->terms;
  if (iterations_between(t, step) &&
      (!step->entered || same_registers(t, &t->starts[step->again], t->w->s->options.further->matters) != TERM_TRUE))
    walk_refuse(t->w, REASON_BOUND, t->w->instr->span);
  if (iterations_between(t, step) && step->copy > 0) {
    if (step->target == STEP_BOUND) end_here(t, ENDING_BOUND, taken, step);
    else jump(t, step->target, taken, reach);
    return;
  }
  bool kept = t->w->s->options.keeps_spins && step->target != STEP_BOUND;
  term_id effect = kept ? TERM_TRUE : iteration_effect(t, step, taken);
  term_id useful = term_and(terms, taken, effect);
  if (!kept && term_never_holds(terms, useful, PRUNE_EFFORT)) useful = effect = TERM_FALSE;
  if (t->w->facts && step->target == STEP_BOUND && useful != TERM_FALSE) t->w->facts->more[step->loop] = true;
  term_id on = may_go_round(t, step, useful);
  walk_turn(t->w, &(struct iteration){t->starts[step->again].events, TERM_TRUE, on}, step->again);
  if (step->target == STEP_BOUND) end_here(t, ENDING_BOUND, on, step);
  else jump(t, step->target, on, term_and(terms, reach, effect));
  term_id spins = term_and(terms, taken, term_not(terms, effect));
  const struct counts *counted = t->starts[step->again].counted;
  struct skeleton *s = t->w->s;
  s->omits_effects |= spins != TERM_FALSE && may_omit_effect(t, step);
  if (counted && counted->leave && s->options.precise) VEC_PUSH(s->arena, &s->assumed, term_not(terms, spins));
  else end_here(t, ENDING_SPIN, spins, step);
}

/* ---- Steps ---- */

void walk_begin(struct walk *w, uint32_t thread, uint32_t index, uint32_t step) {
  const struct instr *in = w->instr = &w->s->program->threads[thread].instrs[index];
  w->predicate = TERM_TRUE;
  w->guard_reads = w->none;
  if (in->guard.present) {
    w->guard_reads = walk_no_reads(w);
    term_id p = walk_read_reg(w, in->guard.reg, 1);
    w->predicate = walk_in_time(w, in->guard.negated ? term_not(w->terms, p) : p);
    bitset_or(w->guard_reads, w->path->regs[in->guard.reg].reads);
  }
  w->base = (struct event){.thread = thread,
                           .home = thread,
                           .instr = index,
                           .step = step,
                           .sem = in->sem,
                           .scope = in->scope,
                           .proxy = in->proxy,
                           .host = w->s->program->threads[thread].host,
                           .marks = in->marks,
                           .is_volatile = in->is_volatile,
                           .is_mmio = in->is_mmio,
                           .is_multimem = in->kind == INSTR_MULTIMEM,
                           .waits_for_reads = in->kind == INSTR_GROUP && in->group->reads_only,
                           .meeting.barrier = in->barrier};
  w->base.is_red = in->kind == INSTR_RED || (in->kind == INSTR_MULTIMEM && in->multimem->action == MULTIMEM_RED);
  w->base.exec = term_and(w->terms, w->path->guard, w->predicate);
  w->base.reach = term_and(w->terms, w->path->reach, w->predicate);
  if (in->kind != INSTR_ALU) walk_decides(w, w->path->guard, w->predicate);
}

/* Marks a loop as open if a branch with an unknown predicate may leave it: then constants alone do not end it. */
static void note_exit(struct thread_walk *t, const struct step *step) {
  const struct instr *in = t->w->instr;
  uint32_t target = in->kind == INSTR_EXIT ? t->thread->instr_count : in->target;
  if (term_is_const(t->w->terms, t->w->predicate)) return;
  for (uint32_t l = 0; l < t->unrolled->loops.len; l++) {
    const struct loop *loop = &t->unrolled->loops.data[l];
    if (!loop_has(loop, step->instr)) continue;
    if (!loop_has(loop, target) || (step->back && l == step->loop)) t->w->facts->open[l] = true;
  }
}

/* Notes the direction of a branch with a predicate. Among threads with the same code, the directions identify the
 * path. */
static void note_way(struct walk *w) {
  if (!w->instr->guard.present) return;
  if (!term_is_const(w->terms, w->predicate)) w->path->parted = true;
  w->path->way = (w->path->way ^ (1u + (w->predicate == TERM_TRUE))) * 0x9e3779b97f4a7c15u;
}

/* True if only tests of mbarrier objects in the iteration determine its repetition: the loop is a wait, which passes on
 * no dependency (P10, MB7). A test is awaited if the iteration is repeated whenever the test is false. */
static bool polls(struct thread_walk *t, const struct step *step, term_id taken) {
  struct walk *w = t->w;
  const struct start *start = &t->starts[step->again];
  bool tests = SOME(for (uint32_t e = start->events; e < w->s->events.len; e++),
                    skeleton_event(w->s, e)->kind == EVENT_TEST);
  if (!start->path || !tests) return false;
  struct bitset asked = bitset_new(w->s->arena, w->limit);
  term_mentions(w->terms, w->predicate, asked);
  bool alone = !bitset_empty(asked);
  EACH (e, asked) {
    struct event *test = &w->s->events.data[e];
    bool here = e >= start->events && test->kind == EVENT_TEST;
    alone = alone && here;
    if (here && term_substitute(w->terms, taken, test->value, TERM_FALSE) == start->path->guard)
      test->is_awaited = true;
  }
  return alone;
}

static void walk_jump(struct thread_walk *t, const struct step *step) {
  struct walk *w = t->w;
  if (w->facts) note_exit(t, step);
  term_id taken = w->base.exec, reach = w->base.reach, other = term_not(w->terms, w->predicate);
  term_id not_taken = term_and(w->terms, w->path->guard, other);
  bitset_or(w->path->control, w->guard_reads);
  note_way(w);
  enum decision decision =
      w->s->options.decisions ? w->s->options.decisions[w->base.thread][step->instr] : DECISION_NONE;
  if (decision != DECISION_NONE) /* if the branch is reached, it takes the assumed direction */
    VEC_PUSH(w->s->arena, &w->s->assumed, term_not(w->terms, decision == DECISION_TAKEN ? not_taken : taken));
  w->path->guard = not_taken;
  term_id past = term_and(w->terms, w->path->reach, other);
  if (!step->back || !polls(t, step, taken)) w->path->reach = past;
  if (step->back) branch_back(t, step, taken, reach);
  else if (w->between) jump_between(t, step, taken, reach);
  else jump(t, w->instr->kind == INSTR_EXIT ? STEP_END : step->target, taken, reach);
}

/* Joins the path that falls through to a step with those that jump there. */
static void arrive_at(struct thread_walk *t, uint32_t step) {
  struct path *jumped = t->pending[step];
  if (!jumped) return;
  if (t->w->path->guard == TERM_FALSE) t->w->path = jumped;
  else merge(t, t->w->path, jumped);
  t->pending[step] = NULL;
}

/* Adds a point at which the scheduler may starve the thread. */
static void may_halt(struct walk *w, uint32_t thread, uint32_t instr, bool first) {
  if (w->s->options.halting == HALT_NEVER || (w->s->options.halting == HALT_AT_START && !first)) return;
  term_id go = new_point(w, thread);
  term_id halts = term_and(w->terms, w->path->guard, term_not(w->terms, go));
  struct ending ending = {
      .kind = ENDING_HALTED, .when = halts, .wait = NO_PARTNER, .thread = thread, .instr = instr};
  ending.span = w->s->program->threads[thread].instrs[instr].span;
  VEC_PUSH(w->s->arena, &w->s->ends, ending);
  w->path->guard = term_and(w->terms, w->path->guard, go);
  w->path->reach = term_and(w->terms, w->path->reach, go);
}

static bool waits_next(const struct thread_walk *t, uint32_t step) {
  const struct step *steps = t->unrolled->steps.data;
  for (uint32_t i = step; i < t->unrolled->steps.len; i++) {
    const struct instr *in = &t->thread->instrs[steps[i].instr];
    bool waits = instr_waits_tensor(in);
    if (in->guard.present || steps[i].next != i + 1 || !(waits || instr_loads_tensor(in))) return false;
    if (waits) return true;
  }
  return false;
}

/* Notes that the thread reaches a copy of a loop. */
static void note_copy(struct thread_walk *t, uint32_t thread, const struct step *step) {
  struct walk *w = t->w;
  if (step->loop == NO_LOOP) return;
  uint32_t *count =
      w->facts ? &w->facts->used[step->loop] : &w->s->reached[thread][t->unrolled->loops.data[step->loop].end - 1];
  if (*count <= step->copy) *count = step->copy + 1;
}

static void refuse_long(const struct thread_walk *t, uint32_t thread) {
  struct walk *w = t->w;
  const struct program *p = w->s->program;
  const char *text = arena_printf(w->s->arena, "the test has more than %d events, the limit, and P%u has not ended yet",
                                  SKELETON_MAX_EVENTS, p->threads[thread].number);
  skeleton_refuse(w->s, reason_of_size(w->s->arena, REASON_MANY_EVENTS, text, p, (double)thread / p->thread_count),
                  w->instr->span);
}

/* True if the thread would go on here after the last iteration of a loop that src/kernel has unrolled, or that a test
 * leaves out behind a brkpt. */
static bool is_cut(const struct instr *in) { return in->unsupported && in->unsupported->id == REASON_BOUND; }

static void leave_at(struct thread_walk *t, const struct step *step) {
  struct walk *w = t->w;
  struct path *path = w->path;
  term_id other = term_not(w->terms, w->predicate);
  end_here(t, ENDING_BOUND, w->base.exec, step);
  path->guard = term_and(w->terms, path->guard, other);
  path->reach = term_and(w->terms, path->reach, other);
}

static void walk_steps(struct thread_walk *t, uint32_t thread) {
  struct walk *w = t->w;
  for (uint32_t i = 0; i < t->unrolled->steps.len && !w->s->refusal; i++) {
    struct step step = t->unrolled->steps.data[i];
    arrive_at(t, i);
    const struct counts *counted = w->path->guard == TERM_FALSE ? NULL : begin_counting(t, &step);
    if (step.is_again)
      t->starts[i] = (struct start){copy_path(w, w->path, t->thread->reg_count), w->s->events.len, counted};
    if (w->path->guard == TERM_FALSE) continue;
    note_copy(t, thread, &step);
    may_halt(w, thread, step.instr, i == 0);
    w->between = step.copy > 0 && step.copy <= iterations_between(t, &step);
    if (w->between && step.instr == t->unrolled->loops.data[step.loop].begin) may_skip(t, i);
    if (i == 0) walk_grid_start(w, thread, step.instr);
    walk_begin(w, thread, step.instr, i);
    w->waits_next = waits_next(t, i);
    bool fresh = walk_tensor_turn(w);
    if (w->instr->kind == INSTR_BRANCH || w->instr->kind == INSTR_EXIT) walk_jump(t, &step);
    else if (is_cut(w->instr)) leave_at(t, &step);
    else if (w->base.exec != TERM_FALSE && fresh) walk_operate(w);
    if (step.next != i + 1) { /* the end of a loop's copy */
      if (w->between) end_here(t, ENDING_BOUND, w->path->guard, &step);
      else jump(t, step.next, w->path->guard, w->path->reach);
      w->path->guard = w->path->reach = TERM_FALSE;
    }
    if (w->s->events.len > SKELETON_MAX_EVENTS) refuse_long(t, thread);
  }
  arrive_at(t, t->unrolled->steps.len);
}

static struct path *initial_path(struct walk *w, const struct thread *thread) {
  struct path *path = ARENA_NEW(w->s->arena, struct path);
  struct bitset none = bitset_new(w->s->arena, w->limit);
  *path = (struct path){TERM_TRUE, TERM_TRUE, ARENA_ARRAY(w->s->arena, struct reg_state, thread->reg_count),
                        bitset_new(w->s->arena, w->limit), .cluster_arrival = NO_PARTNER};
  for (uint32_t r = 0; r < thread->reg_count; r++) {
    const struct reg *reg = &thread->regs[r];
    unsigned width = reg->type.width < 64 ? 64 : reg->type.width; /* room for an address, whatever the type of the last
                                                                     write */
    path->regs[r] = (struct reg_state){term_const(w->terms, reg->init, width), false, none};
  }
  return path;
}

static void walk_thread(struct walk *w, uint32_t index, struct unrolled *unrolled) {
  const struct thread *thread = &w->s->program->threads[index];
  struct thread_walk t = {.w = w, .thread = thread, .unrolled = unrolled};
  walk_fragments(w, index);
  t.pending = ARENA_ARRAY(w->s->arena, struct path *, (size_t)unrolled->steps.len + 1);
  if (unrolled->loops.len)
    t.live = thread_live(w->s->arena, thread, thread_observed(w->s->arena, w->s->program, index));
  t.counts = ARENA_ARRAY(w->s->arena, struct counts, unrolled->loops.len);
  for (uint32_t l = 0; l < unrolled->loops.len; l++)
    t.counts[l] = counts_find(w->s->arena, thread, &unrolled->loops.data[l], t.live,
                              technique_on(w->s->options.shape.without, TECHNIQUE_COUNTS));
  t.starts = ARENA_ARRAY(w->s->arena, struct start, unrolled->loops.len ? unrolled->steps.len : 0);
  w->path = initial_path(w, thread);
  w->path->guard = w->path->reach = walk_runs(w, index);
  walk_steps(&t, index);
  walk_tensor_end(w, index);
  walk_exit(w, index, unrolled->steps.len);
  walk_decides_at_end(w, index);
  for (uint32_t i = 0; i < w->s->program->observed_count; i++) {
    const struct observable *o = &w->s->program->observables[i];
    if (o->is_reg && o->thread == index)
      w->s->finals[i] = (struct final){.is_term = true, .value = walk_opaque(w, o->reg, o->type.width)};
  }
}

/* ---- All threads ---- */

/* An upper bound: each element, of at least a byte, is read and written in each CTA of a cluster; 16 elements if they
 * are not known. */
static uint32_t events_of_tensor(const struct walk *w, const struct async *a) {
  uint32_t pieces = skeleton_tensor_pieces(w->s->premises.tensor, a->tensor->columns),
           found = pieces_count(w->s->pieces, a);
  if (a->has_object) return 33;
  if (a->action == ASYNC_TENSOR_LOAD || a->action == ASYNC_TENSOR_STORE) return 1 + pieces;
  uint32_t parts = a->action == ASYNC_TENSOR_MMA ? 6 : 2; /* D read and written, A, scales and metadata */
  return 1 + 2 * (parts * pieces + (found == UINT32_MAX ? 2 : found));
}

static uint32_t events_of_async(const struct walk *w, const struct async *a) {
  if (a->tensor) return events_of_tensor(w, a);
  bool few = a->bytes.kind == OPERAND_IMM && a->bytes.imm < 16;
  uint32_t ctas = a->ctas.kind == OPERAND_NONE ? 1 : 32, elements = few ? (uint32_t)a->bytes.imm : 16;
  uint32_t found = pieces_count(w->s->pieces, a);
  if (a->action == ASYNC_ARRIVE) elements = 1;
  return found == UINT32_MAX ? 1 + ctas * 3 * elements : 2 + 2 * found + ctas;
}

static uint32_t events_of(const struct walk *w, const struct instr *in) {
  switch (in->kind) {
#define PTX_INSTR(id, walk, events, numbers) \
  case INSTR_##id: return events;
#include "ptx/instr.def"
  }
  BUG("instruction of kind %d", (int)in->kind);
}

static bool refuse_unsupported(struct walk *w) {
  const struct program *program = w->s->program;
  ARRAY_EACH (t, program->threads, program->thread_count)
    ARRAY_EACH (in, t->instrs, t->instr_count)
      if (in->unsupported && !in->opaque && in->kind != INSTR_TRAP && !is_cut(in))
        skeleton_refuse(w->s, in->unsupported, in->span);
  return w->s->refusal != NULL;
}

static uint64_t most_events(const struct walk *w, const struct thread *thread, const struct unrolled *unrolled) {
  uint64_t count = 0;
  const struct step *steps = unrolled->steps.data;
  for (uint32_t i = 0; i < unrolled->steps.len; i++) count += events_of(w, &thread->instrs[steps[i].instr]);
  return count;
}

/* Finds facts about the loops of a thread by walking it alone on a temporary skeleton. */
static bool probe(const struct walk *w, uint32_t index, struct unrolled *unrolled, struct loop_facts *facts) {
  struct arena *arena = w->s->arena;
  const struct thread *thread = &w->s->program->threads[index];
  const struct skeleton *s = w->s;
  struct skeleton trial = {.program = s->program,
                           .arena = arena,
                           .options = {.shape = s->options.shape},
                           .premises = s->premises,
                           .copies = s->copies,
                           .pieces = s->pieces};
  trial.premises.fails = NULL;
  struct dependencies dependencies = {0};
  uint64_t events = most_events(w, thread, unrolled);
  if (unrolled->too_large || events > SKELETON_MAX_EVENTS) return false;
  terms_init(&trial.terms, arena);
  trial.finals = ARENA_ARRAY(arena, struct final, trial.program->observed_count);
  struct walk walk = {.s = &trial, .terms = &trial.terms, .dependencies = &dependencies, .facts = facts};
  walk_limit(&walk, (uint32_t)events + 1, arena);
  walk_thread(&walk, index, unrolled);
  return !trial.refusal;
}

enum { MOST_OPEN_COPIES = 16, MOST_OPEN_EVENTS = 256 };

/* Doubles the copies of each loop that needs more, until none does; then keeps as many as were reached. `open` false:
 * for loops that only constants end, without limit; true: for other loops, which may also end earlier, up to a
 * limit. */
static void grow(const struct walk *w, uint32_t index, const struct unrolled *out, uint32_t *copies, bool open) {
  struct arena *arena = w->s->arena;
  const struct thread *thread = &w->s->program->threads[index];
  uint32_t loops = out->loops.len, *tried = ARENA_ARRAY(arena, uint32_t, thread->instr_count);
  struct loop_facts facts = {ARENA_ARRAY(arena, bool, loops), ARENA_ARRAY(arena, bool, loops),
                             ARENA_ARRAY(arena, uint32_t, loops)};
  memcpy(tried, copies, thread->instr_count * sizeof *tried);
  struct arena_mark mark = arena_mark(arena);
  bool known = true, grew = false;
  for (bool grows = true; grows && known;) {
    struct unrolled trial;
    unroll(arena, thread, tried, &trial);
    grows = false;
    for (uint32_t l = 0; l < loops; l++) facts.more[l] = false;
    known = (!open || most_events(w, thread, &trial) <= MOST_OPEN_EVENTS) && probe(w, index, &trial, &facts);
    for (uint32_t l = 0; l < loops && known; l++) {
      uint32_t *of = &tried[out->loops.data[l].end - 1];
      if (facts.more[l] && facts.open[l] == open && (!open || *of < MOST_OPEN_COPIES)) *of *= 2, grows = grew = true;
    }
    arena_rewind(arena, mark);
  }
  for (uint32_t l = 0; l < loops && known && grew; l++) {
    uint32_t at = out->loops.data[l].end - 1;
    bool settled = facts.open[l] == open && facts.used[l] && !facts.more[l];
    if (settled && (!open || tried[at] > copies[at])) copies[at] = facts.used[l];
  }
}

/* Unrolls each loop as often as requested, or as constants determine. Open loops get no more copies than requested if
 * that is less than the default. */
static void unroll_thread(struct walk *w, uint32_t index, struct unrolled *out) {
  struct arena *arena = w->s->arena;
  const struct thread *thread = &w->s->program->threads[index];
  uint32_t *copies = w->s->copies[index] = ARENA_ARRAY(arena, uint32_t, thread->instr_count);
  for (uint32_t i = 0; i < thread->instr_count; i++) copies[i] = w->s->options.shape.unroll;
  unroll(arena, thread, copies, out);
  if (!out->loops.len) return;
  grow(w, index, out, copies, false);
  if (w->s->options.shape.unroll >= SKELETON_UNROLL) grow(w, index, out, copies, true);
  for (uint32_t i = 0; i < thread->instr_count && w->s->options.spins_of; i++)
    if (copies[i] > w->s->options.spins_of->reached[index][i])
      copies[i] = w->s->options.spins_of->reached[index][i] + 1;
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (w->s->options.further && w->s->options.further->between[index][i])
      copies[i] = w->s->options.further->between[index][i] + 2;
  unroll(arena, thread, copies, out);
}

static void refuse_events(struct walk *w, uint64_t count, uint64_t limit, uint32_t thread, uint64_t own) {
  const struct program *program = w->s->program;
  const char *text = arena_printf(w->s->arena, "the test may have %llu events, %llu of them in P%u; the limit is %llu",
                                  (unsigned long long)count, (unsigned long long)own, program->threads[thread].number,
                                  (unsigned long long)limit);
  const struct reason *reason =
      reason_of_size(w->s->arena, REASON_MANY_EVENTS, text, program, (double)limit / (double)count);
  skeleton_refuse(w->s, reason, program->threads[thread].span);
}

/* Bounds the number of events before any set of reads is made. This also counts copies that are unreachable because the
 * thread would spin. */
static bool unroll_all(struct walk *w, struct unrolled *unrolled) {
  const struct program *program = w->s->program;
  uint64_t count = 0, most = 0, limit = w->s->options.most_events ? w->s->options.most_events : 8 * SKELETON_MAX_EVENTS;
  uint32_t largest = 0;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    unroll_thread(w, t, &unrolled[t]);
    if (unrolled[t].too_large) walk_refuse(w, REASON_LARGE_LOOPS, program->threads[t].span);
    uint64_t own = most_events(w, &program->threads[t], &unrolled[t]);
    if (own > most) most = own, largest = t;
    count += own;
  }
  if (count > limit && !w->s->refusal) refuse_events(w, count, limit, largest, most);
  walk_limit(w, (uint32_t)count + program->thread_count, w->s->arena); /* with the ends of threads */
  return !w->s->refusal;
}

/* Threads in the order of the test, except that those of a grid follow those of the grids before it, which have lower
 * numbers, and hosts come last: their ends must be known (async/grids.c). */
static const uint32_t *by_grids(struct skeleton *s) {
  const struct program *p = s->program;
  uint32_t *order = ARENA_ARRAY(s->arena, uint32_t, p->thread_count);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    uint32_t at = t;
    for (; (p->launch_count || p->host) && at && p->threads[order[at - 1]].grid > p->threads[t].grid; at--)
      order[at] = order[at - 1];
    order[at] = t;
  }
  return order;
}

void skeleton_walk(struct skeleton *s, struct dependencies *dependencies) {
  struct walk w = {.s = s, .terms = &s->terms, .dependencies = dependencies};
  struct unrolled *unrolled = ARENA_ARRAY(s->arena, struct unrolled, s->program->thread_count);
  s->copies = ARENA_ARRAY(s->arena, uint32_t *, s->program->thread_count);
  s->reached = ARENA_ARRAY(s->arena, uint32_t *, s->program->thread_count);
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    s->reached[t] = ARENA_ARRAY(s->arena, uint32_t, s->program->threads[t].instr_count);
  if (refuse_unsupported(&w) || !unroll_all(&w, unrolled)) return;
  s->finals = ARENA_ARRAY(s->arena, struct final, s->program->observed_count);
  const uint32_t *order = by_grids(s);
  s->reach_end = ARENA_ARRAY(s->arena, term_id, s->program->thread_count);
  for (uint32_t i = 0; i < s->program->thread_count && !s->refusal; i++) {
    walk_thread(&w, order[i], &unrolled[order[i]]);
    s->reach_end[order[i]] = w.path->guard;
  }
  if (!s->refusal) walk_cancellations(&w);
  if (!s->refusal) walk_active_together(&w);
  if (!s->refusal) walk_tensor_ends(&w);
  if (!s->refusal) walk_exits(&w);
}
