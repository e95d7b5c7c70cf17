/* Searches with the brute-force engine. */
#include "search/search.h"

static void take_outcomes(struct search *q, struct oracle *oracle) {
  outcome_set_sort(&oracle->outcomes);
  VEC_VALUES (o, &oracle->outcomes.list) {
    if (q->program->filter && !cond_holds(q->program, q->program->filter, o.values)) continue;
    o.satisfies = cond_holds(q->program, q->program->condition, o.values);
    if (!q->options->count_executions) {
      o.executions = 1;
      result_count(q->result, o.satisfies);
    }
    outcomes_add(q->arena, q->program, &q->result->outcomes, o);
  }
  if (q->options->count_executions) {
    q->result->positive = oracle->positive;
    q->result->negative = oracle->negative;
  }
}

void search_raise_by_oracle(struct search *q, const struct oracle *oracle, enum cat_role role) {
  for (uint32_t i = 0; i < q->model->axioms.len && q->result->verdict != VERDICT_UNDEFINED; i++)
    if (oracle->is_raised[i] && search_asks(q, &q->model->axioms.data[i], role)) search_raise(q, i, oracle->raised[i]);
}

static struct wrong_at hazard_place(const struct hazard *hazard) {
  return (struct wrong_at){hazard->span, hazard->thread, hazard->instr};
}

bool search_oracle_fault(struct search *q, const struct oracle *oracle) {
  bool some = oracle->trap || oracle->hazard || oracle->misuse, collects = search_collects(q);
  if (oracle->hazard) search_undefined(q, oracle->hazard->reason, hazard_place(oracle->hazard));
  if (oracle->trap && (collects || !oracle->hazard))
    search_undefined(q, oracle->trap->reason, hazard_place(oracle->trap));
  if (oracle->misuse && (collects || !(oracle->hazard || oracle->trap)))
    search_misuse(q, oracle->misuse, (struct wrong_at){oracle->misuse_places[0], NO_THREAD, 0},
                  (struct wrong_at){oracle->misuse_places[1], NO_THREAD, 0});
  if (oracle->open && (collects || !some)) search_give_up(q, oracle->open->reason, oracle->open->span);
  return (some && !collects) || oracle->open;
}

bool search_oracle_stopped(struct search *q, const struct oracle *oracle) {
  if (oracle->out_of_time) search_out_of_time(q);
  else if (oracle->paths_cut) search_give_up(q, reason_get(REASON_LONG_PATH), q->program->span);
  else if (oracle->refusal) search_give_up(q, oracle->refusal, oracle->refusal_place);
  else if (oracle->circular) search_give_up(q, reason_get(REASON_THIN_AIR_ENUMERATE), q->program->span);
  else return false;
  return true;
}

void search_enumerate(struct search *q) {
  const struct free_values *free = &q->skeleton->free;
  if (free->stored) {
    search_give_up(q, free->opaque->why, free->opaque->place);
    return;
  }
  struct oracle oracle;
  struct oracle_options options = {.count_executions = q->options->count_executions,
                                   .flags = q->options->races,
                                   .deadline = q->deadline,
                                   .most_choices = q->options->work};
  oracle_run(q->arena, q->model, q->skeleton, &options, &oracle);
  q->result->stats.candidates = oracle.candidates;
  bool cut = search_oracle_stopped(q, &oracle);
  if (cut && !search_collects(q)) return;
  if (search_oracle_fault(q, &oracle)) return;
  search_raise_by_oracle(q, &oracle, CAT_UNDEFINED);
  if (q->result->verdict == VERDICT_UNDEFINED) return;
  search_raise_by_oracle(q, &oracle, CAT_FLAG);
  if (cut) return;
  take_outcomes(q, &oracle);
  q->result->complete = true;
  q->result->vacuous = !oracle.reached && oracle.reached_known;
  q->result->vacuous_known = oracle.reached || oracle.reached_known;
}
