#include "search/solver.h"

void solver_out_of_time(struct sat_search *g) { search_out_of_time(g->q); }

static void assume_axioms(struct sat_search *g) {
  for (uint32_t i = 0; i < g->q->model->axioms.len; i++)
    if (g->q->model->axioms.data[i].role == CAT_AXIOM) sat_assume(g->sat, g->encoder.assumptions[i]);
}

enum sat_answer solver_allowed(struct sat_search *g, lit wanted) {
  if (g->encoder.refusal) return SAT_UNKNOWN; /* clauses are missing */
  assume_axioms(g);
  sat_assume(g->sat, wanted);
  return sat_solve(g->sat);
}

void solver_claim(struct sat_search *g, const char *what) {
  if (!g->q->options->certify) return;
  struct text dimacs;
  text_init(&dimacs, g->q->arena);
  sat_refuted(g->sat, &dimacs);
  VEC_PUSH(g->q->arena, &g->q->result->claims, ((struct claim){what, text_str(&dimacs), dimacs.len}));
}

static void require_axioms(struct sat_search *g) {
  for (uint32_t i = 0; i < g->q->model->axioms.len; i++) {
    const struct cat_axiom *axiom = &g->q->model->axioms.data[i];
    if (axiom->role == CAT_AXIOM && !eval_axiom(g->eval, i))
      BUG("%s: a witness of the solver violates axiom %s", g->q->program->name, axiom->name);
  }
}

static void require_finals(struct sat_search *g) {
  const struct skeleton *s = g->skeleton;
  for (uint32_t c = 0; c < s->chunk_count; c++) {
    if (g->last[c] == NO_EVENT) continue;
    struct bitset maximal = bitset_new(g->q->arena, s->n);
    execution_maximal(g->witness, c, maximal);
    if (!bitset_has(maximal, g->last[c])) BUG("%s: chunk %u ends with an overwritten write", g->q->program->name, c);
  }
  /* In a precise skeleton a read that does not happen has no value: what hangs on it says nothing. */
  for (uint32_t i = 0; i < s->program->observed_count && !s->precise; i++)
    if (execution_final(g->witness, i, g->last) != encoder_final(&g->encoder, i))
      BUG("%s: the final value of %s is not what the solver says", g->q->program->name,
          s->program->observables[i].name);
}

bool solver_recheck(struct sat_search *g) {
  encoder_witness(&g->encoder, g->witness, g->last);
  enum run_status status = execution_run(g->witness);
  if (status == RUN_CIRCULAR) {
    search_give_up(g->q, reason_get(REASON_THIN_AIR), g->q->program->span);
    return false;
  }
  if (status != RUN_OK) BUG("%s: a witness of the solver is no execution", g->q->program->name);
  execution_relate(g->witness);
  eval_execution(g->eval, g->witness, PART_ALL);
  require_axioms(g);
  require_finals(g);
  g->q->result->stats.witnesses++;
  for (uint32_t i = 0; i < g->q->program->observed_count; i++) g->values[i] = execution_final(g->witness, i, g->last);
  return true;
}

bool solver_open(struct sat_search *g, struct search *q, const struct skeleton *skeleton) {
  *g = (struct sat_search){.q = q, .skeleton = skeleton, .sat = sat_new(q->arena)};
  if (q->options->certify) sat_keep_clauses(g->sat, q->arena);
  g->slots = slots_build(q->arena, skeleton);
  encoder_init(&g->encoder, q->arena, g->sat, q->model, skeleton, &g->slots, q->deadline);
  if (g->encoder.refusal) {
    solver_close(g);
    return false;
  }
  g->witness = execution_new(q->arena, skeleton, &g->slots);
  g->eval = eval_new(q->arena, q->model, skeleton);
  g->last = ARENA_ARRAY(q->arena, uint32_t, skeleton->chunk_count);
  g->values = ARENA_ARRAY(q->arena, value_t, q->program->observed_count);
  g->filter = q->program->filter ? encoder_condition(&g->encoder, q->program->filter) : LIT_TRUE;
  g->condition = encoder_condition(&g->encoder, q->program->condition);
  return true;
}

void solver_close(struct sat_search *g) {
  struct stats *stats = &g->q->result->stats;
  if (g->encoder.refusal) search_give_up(g->q, g->encoder.refusal, g->q->program->span);
  stats->variables += sat_variables(g->sat);
  stats->clauses += sat_clauses(g->sat);
  stats->solves += sat_solves(g->sat);
  sat_release(g->sat);
}
