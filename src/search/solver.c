#include "search/solver.h"

/* Once there is a finding, clauses are limited; the limit is then the reason. */
static void refuse(struct sat_search *g, const struct reason *reason, struct span place) {
  if (g->aside) return;
  if (search_collects(g->q) && g->ask.sat && sat_is_full(g->ask.sat)) search_out_of_time(g->q);
  else search_give_up(g->q, reason, place);
}

static bool open_with(struct sat_search *g, const struct skeleton *skeleton, const struct model *model,
                      uint64_t most_clauses) {
  struct search *q = g->q;
  g->ask = (struct ask){.arena = q->arena,
                        .model = model,
                        .all_axioms = !g->aside,
                        .skeleton = skeleton,
                        .deadline = q->deadline,
                        .most_clauses = most_clauses,
                        /* executions that do not end are shown, and those of a certificate counted */
                        .any_witness = !skeleton->options.precise && !q->options->certify,
                        .keeps_clauses = q->options->certify};
  if (!ask_open(&g->ask)) {
    refuse(g, g->ask.refusal, g->ask.refusal_place);
    solver_close(g);
    return false;
  }
  if (q->options->lemmas) ask_prove_lemmas(&g->ask);
  uint64_t work = q->deeper->now ? DEEPER_WORK : q->options->work;
  if (!work && search_is_unsafe(q)) work = MORE_WORK + q->result->stats.clauses / CLAUSES_A_CONFLICT;
  sat_budget(g->ask.sat, work);
  g->filter = ask_filter(&g->ask);
  g->condition = ask_condition(&g->ask);
  return true;
}

uint64_t solver_clauses_of_work(const struct search *q) {
  uint64_t all = MORE_CLAUSES + q->options->work * CLAUSES_OF_WORK;
  uint64_t used = q->options->any_finding ? q->result->stats.clauses : 0;
  return all > used + LEAST_CLAUSES ? all - used : LEAST_CLAUSES;
}

bool solver_open(struct sat_search *g, struct search *q, const struct skeleton *skeleton) {
  uint64_t beside = search_is_unsafe(q) || q->sure_stands ? MORE_CLAUSES + 2 * q->result->stats.clauses
                    : q->options->work                    ? solver_clauses_of_work(q)
                                                          : 0;
  return solver_open_small(g, q, skeleton, q->deeper->now ? DEEPER_CLAUSES : beside);
}

bool solver_open_small(struct sat_search *g, struct search *q, const struct skeleton *skeleton, uint64_t most_clauses) {
  *g = (struct sat_search){.q = q};
  return open_with(g, skeleton, model_narrow(q->arena, q->model, &skeleton->absent), most_clauses);
}

/* The model with these axioms as flags, which exclude no execution; an empty model if these are all axioms. */
static const struct model *model_flagging(struct arena *arena, const struct model *model, const bool *dropped) {
  struct model *rest = ARENA_NEW(arena, struct model);
  bool any = false;
  *rest = *model;
  rest->axioms.data = ARENA_ARRAY(arena, struct cat_axiom, model->axioms.len);
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    rest->axioms.data[i] = model->axioms.data[i];
    if (dropped[i] && rest->axioms.data[i].role == CAT_AXIOM) rest->axioms.data[i].role = CAT_FLAG;
    any = any || rest->axioms.data[i].role == CAT_AXIOM;
  }
  if (!any) rest->axioms.len = rest->nodes.len = 0;
  return rest;
}

struct sat_search *solver_without(struct sat_search *g, const bool *dropped, struct sat_search *other) {
  if (ask_may_drop(&g->ask, dropped)) return g;
  *other = (struct sat_search){.q = g->q, .aside = true};
  return open_with(other, g->ask.skeleton, model_flagging(g->q->arena, g->ask.model, dropped), 0) ? other : NULL;
}

void solver_close(struct sat_search *g) {
  struct stats *stats = &g->q->result->stats;
  if (g->ask.encoder.refusal) refuse(g, g->ask.encoder.refusal, g->q->program->span);
  if (g->ask.sat) {
    stats->variables += sat_variables(g->ask.sat);
    stats->clauses += sat_clauses(g->ask.sat);
    stats->solves += sat_solves(g->ask.sat);
  }
  ask_close(&g->ask);
}

enum sat_answer solver_allowed(struct sat_search *g, lit wanted) {
  enum sat_answer answer = ask_solve(&g->ask, wanted, LIT_TRUE, NULL);
  if (answer == SAT_UNKNOWN) search_out_of_time(g->q);
  return answer;
}

enum sat_answer solver_decide(struct sat_search *g, lit goal, lit also, const bool *dropped) {
  if (!g->sorted) g->sorted = ask_sort_threads(&g->ask, false, NULL);
  if (g->sorted != LIT_TRUE) sat_assume(g->ask.sat, g->sorted);
  return ask_solve(&g->ask, goal, also, dropped);
}

void solver_claim(struct sat_search *g, const char *what) {
  if (!g->q->options->certify) return;
  struct text dimacs = {.arena = g->q->arena};
  sat_refuted(g->ask.sat, &dimacs);
  VEC_PUSH(g->q->arena, &g->q->result->claims, ((struct claim){what, text_str(&dimacs), dimacs.len}));
}

bool solver_recheck(struct sat_search *g) {
  switch (ask_read(&g->ask, NULL)) {
    case RUN_OK: g->q->result->stats.witnesses++; return true;
    case RUN_CIRCULAR: break;
    case RUN_INVALID: BUG("%s: a witness of the solver is not an execution", g->q->program->name);
  }
  search_give_up(g->q, reason_get(REASON_THIN_AIR), g->q->program->span);
  return false;
}
