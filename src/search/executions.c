/* Counts executions (O7): enumerates them with minimal coherence orders, and all final states that each gives. */
#include "search/solver.h"

/* The true literals of rf, sc and barrier phases (`fixed`), and of co (`order`), if not true in all executions. */
struct choice {
  struct lits fixed, order;
};

static void add_if_true(struct sat_search *g, struct lits *out, lit choice) {
  bool open = choice != LIT_FALSE && choice != LIT_TRUE;
  if (open && sat_value(g->ask.sat, choice)) VEC_PUSH(g->q->arena, out, choice);
}

static void read_choice(struct sat_search *g, struct choice *choice) {
  const struct encoder *e = &g->ask.encoder;
  const struct skeleton *s = g->ask.skeleton;
  choice->fixed.len = choice->order.len = 0;
  ask_choice(&g->ask, &choice->fixed);
  for (uint32_t a = 0; a < s->first_init && s->open_phases; a++) {
    const struct event *event = skeleton_event(s, a);
    for (uint32_t k = 0; event->kind == EVENT_ARRIVE && k < s->groups.data[event->meeting.group].phases; k++)
      add_if_true(g, &choice->fixed, e->phase[a][k]);
  }
  for (size_t i = 0; i < (size_t)e->writer_count * e->writer_count; i++) add_if_true(g, &choice->order, e->order[i]);
}

/* Makes the coherence order of the current solution minimal under the axioms: asks for a solution with the same rf and
 * sc and a strictly smaller order, until there is none. */
static enum sat_answer minimise(struct sat_search *g, struct choice *choice) {
  const struct encoder *e = &g->ask.encoder;
  while (choice->order.len) {
    lit on = sat_variable(g->ask.sat);
    const struct lits *order = &choice->order, *fixed = &choice->fixed;
    VEC(lit) fewer = {0};
    for (uint32_t i = 0; i < order->len; i++) VEC_PUSH(g->q->arena, &fewer, -order->data[i]);
    VEC_PUSH(g->q->arena, &fewer, -on);
    sat_clause(g->ask.sat, fewer.data, fewer.len);
    for (size_t i = 0; i < (size_t)e->writer_count * e->writer_count; i++) {
      bool kept = e->order[i] == LIT_FALSE || e->order[i] == LIT_TRUE;
      for (uint32_t k = 0; k < order->len && !kept; k++) kept = order->data[k] == e->order[i];
      if (!kept) sat_assume(g->ask.sat, -e->order[i]);
    }
    for (uint32_t i = 0; i < fixed->len; i++) sat_assume(g->ask.sat, fixed->data[i]);
    enum sat_answer answer = solver_allowed(g, on);
    if (answer != SAT_YES) return answer;
    if (!solver_recheck(g)) return SAT_UNKNOWN;
    read_choice(g, choice);
  }
  return SAT_NO;
}

static void block_choice(struct sat_search *g, const struct choice *choice) {
  const struct lits *parts[] = {&choice->fixed, &choice->order};
  VEC(lit) clause = {0};
  for (size_t p = 0; p < ARRAY_LEN(parts); p++)
    for (uint32_t i = 0; i < parts[p]->len; i++) VEC_PUSH(g->q->arena, &clause, -parts[p]->data[i]);
  sat_clause(g->ask.sat, clause.data, clause.len);
}

struct tally {
  struct search *q;
  struct outcome_set *all, own; /* own: of the execution being counted */
  bool positive, negative;
};

static void tally_state(void *context, const value_t *values) {
  struct tally *t = context;
  bool added;
  outcome_set_add(&t->own, values, &added);
  if (!added || (t->q->program->filter && !cond_holds(t->q->program, t->q->program->filter, values))) return;
  struct outcome *outcome = outcome_set_add(t->all, values, &added);
  outcome->executions++;
  outcome->satisfies = cond_holds(t->q->program, t->q->program->condition, values);
  if (outcome->satisfies) t->positive = true;
  else t->negative = true;
}

/* The witness holds a minimal order: all final states that this execution gives. */
static void tally_execution(struct sat_search *g, struct outcome_set *all, struct arena *scratch) {
  struct tally t = {.q = g->q, .all = all};
  outcome_set_init(&t.own, scratch, g->q->program->observed_count);
  states_visit(scratch, g->ask.execution, tally_state, &t);
  arena_release(scratch);
  if (t.positive || t.negative)
    result_count(g->q->result, states_count_positive(g->q->program, t.positive, t.negative));
}

void search_executions(struct sat_search *g) {
  struct search *q = g->q;
  struct outcome_set all;
  struct choice choice = {0};
  struct arena *scratch = arena_scratch(q->arena);
  outcome_set_init(&all, q->arena, q->program->observed_count);
  encoder_order_all_fences(&g->ask.encoder);
  for (uint64_t found = 0;; found++) {
    enum sat_answer answer = solver_allowed(g, LIT_TRUE);
    if (answer == SAT_YES) {
      if (!solver_recheck(g)) return;
      read_choice(g, &choice);
      if (minimise(g, &choice) == SAT_UNKNOWN) answer = SAT_UNKNOWN;
    }
    if (answer == SAT_UNKNOWN) return;
    if (answer == SAT_NO) solver_claim(g, "no other execution");
    if (answer == SAT_NO) break;
    if (search_is_full(q, found, "executions")) return;
    tally_execution(g, &all, scratch);
    block_choice(g, &choice);
  }
  outcome_set_sort(&all);
  for (uint32_t i = 0; i < all.list.len; i++)
    outcomes_add(q->arena, q->program, &q->result->outcomes, all.list.data[i]);
  q->result->complete = true;
}
