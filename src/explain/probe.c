#include "explain/probe.h"

#include <setjmp.h>

static struct skeleton_options shape_of(const struct check_options *options, bool precise) {
  return (struct skeleton_options){.bound = options->unroll ? options->unroll : CHECK_DEFAULT_UNROLL,
                                   .precise = precise,
                                   .barrier_users = options->barrier_users};
}

struct skeleton *probe_skeleton(struct arena *arena, const struct program *program, const struct check_options *options,
                                bool precise) {
  const struct skeleton_options shape = shape_of(options, precise);
  return skeleton_build(arena, program, &shape);
}

struct skeleton *probe_spinning_skeleton(struct arena *arena, const struct program *program,
                                         const struct check_options *options) {
  const struct skeleton_options shape = shape_of(options, false);
  struct skeleton *skeleton = skeleton_build(arena, program, &shape);
  return skeleton->refusal ? skeleton : skeleton_with_spins(skeleton, &shape);
}

static void release_all(struct probe_keeper *keeper) {
  for (size_t i = 0; i < ARRAY_LEN(keeper->solvers); i++) {
    if (keeper->solvers[i]) sat_release(keeper->solvers[i]);
    keeper->solvers[i] = NULL;
  }
}

void probe_guard(struct arena *arena, probe_work *work, void *context) {
  struct probe_keeper *volatile keeper = ARENA_NEW(arena, struct probe_keeper);
  jmp_buf *volatile outer = arena->oom;
  jmp_buf here;
  *keeper = (struct probe_keeper){.arena = arena};
  if (outer) {
    if (setjmp(here)) {
      release_all(keeper);
      arena->oom = outer;
      longjmp(*outer, 1);
    }
    arena->oom = &here;
  }
  work(keeper, context);
  release_all(keeper);
  arena->oom = outer;
}

bool probe_open(struct probe *p, struct probe_keeper *keeper, const struct model *model,
                const struct skeleton *skeleton, double deadline) {
  REQUIRE(!skeleton->refusal);
  struct arena *arena = keeper->arena;
  size_t at = 0;
  *p = (struct probe){
      .arena = arena, .keeper = keeper, .program = skeleton->program, .model = model, .skeleton = skeleton};
  p->deadline = deadline;
  p->sat = sat_new(arena);
  while (at < ARRAY_LEN(keeper->solvers) && keeper->solvers[at]) at++;
  REQUIRE(at < ARRAY_LEN(keeper->solvers));
  keeper->solvers[at] = p->sat;
  p->slots = slots_build(arena, skeleton);
  encoder_init(&p->encoder, arena, p->sat, model, skeleton, &p->slots, deadline);
  if (p->encoder.refusal) {
    p->refusal = p->encoder.refusal;
    probe_close(p);
    return false;
  }
  p->eval = eval_new(arena, model, skeleton);
  return true;
}

void probe_close(struct probe *p) {
  for (size_t i = 0; i < ARRAY_LEN(p->keeper->solvers); i++) {
    if (p->keeper->solvers[i] != p->sat || !p->sat) continue;
    p->keeper->solvers[i] = NULL;
    sat_release(p->sat);
  }
  p->sat = NULL;
}

lit probe_goal(struct probe *p, const struct cond *predicate, bool negated) {
  lit goal = encoder_condition(&p->encoder, predicate);
  lit filter = p->program->filter ? encoder_condition(&p->encoder, p->program->filter) : LIT_TRUE;
  return gates_and2(&p->encoder.gates, negated ? -goal : goal, filter, NEED_BOTH);
}

/* ---- Reading an execution ---- */

static value_t word_value(struct probe *p, term_id term) {
  struct word word = p->encoder.words[term];
  value_t value = 0;
  for (unsigned i = 0; i < word.width; i++)
    if (sat_value(p->sat, word.bits[i])) value |= (value_t)1 << i;
  return value;
}

/* Values that depend on themselves cannot be computed: the solver's are taken. */
static void take_solver_values(struct probe *p) {
  const struct skeleton *s = p->skeleton;
  for (uint32_t e = 0; e < s->n; e++) {
    if (sat_value(p->sat, p->encoder.exec[e])) bitset_add(p->execution->exec, e);
    if (e < s->first_init && event_is_memory(skeleton_event(s, e)))
      p->execution->values[e] = word_value(p, skeleton_event(s, e)->value);
  }
}

static void evaluate(struct probe *p) {
  execution_relate(p->execution);
  eval_execution(p->eval, p->execution, PART_ALL);
}

void probe_return(struct probe *p, const struct probe_found *found) {
  p->execution = found->execution;
  p->last = found->last;
  p->circular = found->circular;
  eval_execution(p->eval, p->execution, PART_ALL);
}

struct probe_found probe_found(const struct probe *p) {
  return (struct probe_found){p->execution, p->last, p->circular};
}

static void read_execution(struct probe *p) {
  p->execution = execution_new(p->arena, p->skeleton, &p->slots);
  p->last = ARENA_ARRAY(p->arena, uint32_t, p->skeleton->chunk_count);
  encoder_witness(&p->encoder, p->execution, p->last);
  enum run_status status = execution_run(p->execution);
  if (status == RUN_INVALID) BUG("%s: a solution is no execution", p->program->name);
  p->circular = status == RUN_CIRCULAR;
  if (p->circular) take_solver_values(p);
  evaluate(p);
}

static bool is_wanted(const struct probe *p, uint32_t axiom, const bool *dropped) {
  return p->model->axioms.data[axiom].role == CAT_AXIOM && !(dropped && dropped[axiom]);
}

enum sat_answer probe_solve_if(struct probe *p, lit goal, lit on, const bool *dropped) {
  for (uint32_t i = 0; i < p->model->axioms.len; i++)
    if (is_wanted(p, i, dropped)) sat_assume(p->sat, p->encoder.assumptions[i]);
  sat_assume(p->sat, goal);
  sat_assume(p->sat, on);
  enum sat_answer answer = sat_solve(p->sat);
  if (answer == SAT_YES) read_execution(p);
  return answer;
}

enum sat_answer probe_solve(struct probe *p, lit goal, const bool *dropped) {
  return probe_solve_if(p, goal, LIT_TRUE, dropped);
}

void probe_exclude(struct probe *p, lit on) {
  struct encoder *e = &p->encoder;
  struct bitset fences = p->skeleton->sets[CAT_SET_SC];
  VEC(lit) clause = {0};
  for (uint32_t i = 0; i < p->slots.count; i++)
    for (uint32_t w = 0; w < e->writer_count; w++)
      if (e->source[i][w] && sat_value(p->sat, e->source[i][w])) VEC_PUSH(p->arena, &clause, -e->source[i][w]);
  EACH (a, fences)
    EACH (b, fences) {
      if (!bitmat_has(p->skeleton->may[CAT_REL_SC_ORDER], a, b)) continue;
      lit order = encoder_fence_choice(e, a, b);
      if (order && sat_value(p->sat, order)) VEC_PUSH(p->arena, &clause, -order);
    }
  VEC_PUSH(p->arena, &clause, -on);
  sat_clause(p->sat, clause.data, clause.len);
}

/* ---- Coherence as small as may be ---- */

enum { REDUCED_WRITES = 24 };

bool probe_is_late(const struct probe *p) { return base_is_late(p->deadline); }

static bool still_fits(struct probe *p, const bool *dropped) {
  execution_relate(p->execution);
  eval_execution(p->eval, p->execution, PART_CO | PART_SHAPE);
  for (uint32_t c = 0; c < p->skeleton->chunk_count; c++) {
    if (p->last[c] == NO_EVENT) continue;
    struct bitset maximal = bitset_new(p->arena, p->skeleton->n);
    execution_maximal(p->execution, c, maximal);
    if (!bitset_has(maximal, p->last[c])) return false;
  }
  for (uint32_t i = 0; i < p->model->axioms.len; i++)
    if (is_wanted(p, i, dropped) && !eval_axiom(p->eval, i)) return false;
  return true;
}

/* Taking the pair out leaves a transitive order. */
static bool is_covering(struct bitmat order, uint32_t a, uint32_t b) {
  for (uint32_t m = 0; m < order.n; m++)
    if (bitmat_has(order, a, m) && bitmat_has(order, m, b)) return false;
  return true;
}

void probe_reduce_order(struct probe *p, const bool *dropped) {
  struct bitmat order = p->execution->order;
  if (bitset_count(p->skeleton->sets[CAT_SET_WRITE]) > REDUCED_WRITES) return;
  for (bool again = true; again && !probe_is_late(p);) {
    again = false;
    for (uint32_t a = 0; a < order.n && !probe_is_late(p); a++)
      for (uint32_t b = 0; b < order.n; b++) {
        if (!bitmat_has(order, a, b) || !is_covering(order, a, b)) continue;
        bitmat_del(order, a, b);
        if (still_fits(p, dropped)) again = true;
        else bitmat_add(order, a, b);
      }
  }
  evaluate(p);
}
