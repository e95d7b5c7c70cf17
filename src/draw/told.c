/* Draws the execution that an explanation tells, so that the picture and the words show the same one. */
#include "draw/told.h"

static uint32_t find_violations(const struct pick *pick, bool *violated) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < pick->model->axioms.len; i++) {
    violated[i] = pick->model->axioms.data[i].role == CAT_AXIOM && !eval_axiom(pick->eval, i);
    count += violated[i];
  }
  return count;
}

bool told_pick(struct arena *arena, const struct explanation *told, pick_visit *visit, void *context) {
  bool decided = told->kind == EXPLAIN_ALLOWED || told->kind == EXPLAIN_FORBIDDEN;
  if (!decided || !told->execution || !told->finals || told->completed) return false;
  const struct model *model = told->result->model;
  bool *violated = ARENA_ARRAY(arena, bool, model->axioms.len);
  struct pick pick = {.skeleton = told->execution->skeleton,
                      .model = model,
                      .execution = told->execution,
                      .eval = eval_new(arena, model, told->execution->skeleton),
                      .finals = told->finals,
                      .satisfies = true,
                      .violated = violated,
                      .clause = NO_CLAUSE,
                      .misuse_events = {NO_EVENT, NO_EVENT},
                      .told = told};
  eval_execution(pick.eval, told->execution, PART_ALL);
  pick.violated_count = find_violations(&pick, violated);
  visit(context, &pick);
  return true;
}
