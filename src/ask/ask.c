#include "ask/ask.h"

struct skeleton *ask_skeleton(struct arena *arena, const struct program *program, const struct model *model,
                              const struct shape *shape, enum ask_kind kind) {
  const struct skeleton_options options = {.shape = shape_under(*shape, model),
                                           .precise = kind == ASK_PRECISE,
                                           .lassos = kind == ASK_PRECISE,
                                           .notes_uses = kind == ASK_IN_TURNS};
  struct skeleton *skeleton = skeleton_build(arena, program, &options);
  skeleton_refuse_model(skeleton, model);
  bool spins = kind == ASK_SPINNING && !skeleton->refusal;
  return spins ? skeleton_with_spins(skeleton, UINT32_MAX) : skeleton;
}

struct ask ask_new(struct arena *arena, const struct program *program, const struct model *model,
                   const struct shape *shape, enum ask_kind kind, double deadline) {
  return (struct ask){.arena = arena,
                      .model = model,
                      .skeleton = ask_skeleton(arena, program, model, shape, kind),
                      .deadline = deadline,
                      .keeps_witnesses = true};
}

bool ask_open(struct ask *ask) {
  const struct skeleton *s = ask->skeleton;
  ask->program = s->program;
  ask->refusal = s->refusal;
  ask->refusal_place = s->refusal ? s->refusal_place : s->program->span;
  if (s->refusal) return false;
  ask->sat = sat_new(ask->arena, ask->any_witness);
  sat_limit_clauses(ask->sat, ask->most_clauses);
  if (ask->keeps_clauses) sat_keep_clauses(ask->sat, ask->arena);
  ask->slots = ARENA_NEW(ask->arena, struct slots);
  *ask->slots = slots_build(ask->arena, s);
  encoder_init(&ask->encoder, ask->arena, ask->sat, ask->model, s, ask->slots, ask->all_axioms, ask->deadline);
  ask->refusal = ask->encoder.refusal;
  if (ask->refusal) return false;
  ask->eval = eval_new(ask->arena, ask->model, s);
  ask->maximal = bitset_new(ask->arena, s->n);
  return true;
}

void ask_close(struct ask *ask) {
  sat_release(ask->sat);
  ask->sat = NULL;
}

/* ---- Questions ---- */

lit ask_condition(struct ask *ask) { return encoder_condition(&ask->encoder, ask->program->condition); }

lit ask_filter(struct ask *ask) {
  return ask->program->filter ? encoder_condition(&ask->encoder, ask->program->filter) : LIT_TRUE;
}

lit ask_goal(struct ask *ask, const struct cond *predicate, bool negated) {
  lit goal = encoder_condition(&ask->encoder, predicate);
  return gates_and2(&ask->encoder.gates, negated ? -goal : goal, ask_filter(ask), NEED_BOTH);
}

bool ask_may_drop(const struct ask *ask, const bool *dropped) { return encoder_may_drop(&ask->encoder, dropped); }

enum sat_answer ask_solve(struct ask *ask, lit goal, lit also, const bool *dropped) {
  if (ask->encoder.refusal) return SAT_UNKNOWN;
  REQUIRE(ask_may_drop(ask, dropped));
  for (uint32_t i = 0; i < ask->model->axioms.len; i++)
    if (ask->model->axioms.data[i].role == CAT_AXIOM && !(dropped && dropped[i]))
      sat_assume(ask->sat, ask->encoder.assumptions[i]);
  encoder_assume_chains(&ask->encoder, dropped);
  sat_assume(ask->sat, goal);
  if (also != LIT_TRUE) sat_assume(ask->sat, also);
  return sat_solve(ask->sat);
}

enum sat_answer ask_find(struct ask *ask, lit goal, lit also, const bool *dropped) {
  enum sat_answer answer = ask_solve(ask, goal, also, dropped);
  if (answer == SAT_YES) ask_read(ask, dropped);
  return answer;
}

const bool *ask_all_axioms(const struct ask *ask) {
  bool *all = ARENA_ARRAY(ask->arena, bool, ask->model->axioms.len);
  for (uint32_t i = 0; i < ask->model->axioms.len; i++) all[i] = true;
  return all;
}

static lit pair_literal(struct encoder *e, cat_node relation, uint32_t a, uint32_t b) {
  lit pair = encoder_pair(e, relation, a, b, NEED_ONLY_IF);
  return gates_and(&e->gates, (lit[]){pair, e->exec[a], e->exec[b]}, 3, NEED_ONLY_IF);
}

lit ask_pair(struct ask *ask, cat_node relation, uint32_t a, uint32_t b) {
  lit holds = pair_literal(&ask->encoder, relation, a, b);
  encoder_define_pairs(&ask->encoder);
  return holds;
}

lit ask_new_pair(struct ask *ask, cat_node relation, struct bitmat seen) {
  struct encoder *e = &ask->encoder;
  VEC(lit) some = {0};
  lit on = sat_variable(ask->sat);
  for (uint32_t a = 0; a < seen.n; a++) {
    struct bitset row = bitmat_row_set(e->graph.bounds.data[relation].may, a);
    EACH (b, row) {
      if (bitmat_has(seen, a, b) || encoder_is_late(e)) continue;
      lit holds = pair_literal(e, relation, a, b);
      if (holds != LIT_FALSE) VEC_PUSH(ask->arena, &some, holds);
    }
  }
  VEC_PUSH(ask->arena, &some, -on);
  sat_clause(ask->sat, some.data, some.len);
  encoder_define_pairs(e);
  return on;
}

bool ask_raised_by_pairs(const struct model *model, const struct cat_axiom *clause) {
  return clause->test == CAT_IS_EMPTY && (clause->role == CAT_UNDEFINED) != clause->negated &&
         !model->nodes.data[clause->node].is_set;
}

lit ask_some_ending(struct ask *ask, unsigned kinds) {
  VEC(lit) some = {0};
  lit on = sat_variable(ask->sat);
  VEC_PUSH(ask->arena, &some, -on);
  for (uint32_t i = 0; i < ask->skeleton->ends.len; i++)
    if (kinds & 1u << ask->skeleton->ends.data[i].kind) VEC_PUSH(ask->arena, &some, encoder_ending(&ask->encoder, i));
  sat_clause(ask->sat, some.data, some.len);
  return on;
}

lit ask_hang(struct ask *ask, const struct hang *hang) {
  lit on = sat_variable(ask->sat);
  VEC_EACH (w, &hang->waiting) {
    VEC(lit) some = {0};
    VEC_PUSH(ask->arena, &some, -on);
    for (uint32_t i = 0; i < ask->skeleton->ends.len; i++) {
      const struct ending *ending = &ask->skeleton->ends.data[i];
      bool there = ending->thread == w->thread && ending->instr == w->instr;
      if (there) VEC_PUSH(ask->arena, &some, encoder_ending(&ask->encoder, i));
    }
    sat_clause(ask->sat, some.data, some.len);
  }
  return on;
}

lit ask_no_ending(struct ask *ask, enum ending_kind kind) {
  lit on = sat_variable(ask->sat);
  for (uint32_t i = 0; i < ask->skeleton->ends.len; i++)
    if (ask->skeleton->ends.data[i].kind == kind) sat_clause2(ask->sat, -on, -encoder_ending(&ask->encoder, i));
  return on;
}

lit ask_sort_threads(struct ask *ask, bool in_outcomes, const bool *fixed) {
  return ask->keeps_clauses ? LIT_TRUE : encoder_sort_threads(&ask->encoder, in_outcomes, fixed);
}

/* ---- Faults ---- */

uint32_t ask_fault_count(const struct ask *ask) { return ask->skeleton->hazards.len + ask->encoder.misuse_count; }

static struct fault fault_of_misuse(const struct ask *ask, const struct misuse *misuse) {
  const struct event *first = skeleton_event(ask->skeleton, misuse->a);
  return (struct fault){.reason = misuse->reason,
                        .place = event_instr(ask->skeleton, misuse->a)->span,
                        .thread = first->thread,
                        .instr = first->instr,
                        .arrivals = {misuse->a, misuse->b == misuse->a ? NO_EVENT : misuse->b},
                        .when = misuse->when};
}

static struct fault fault_of_hazard(const struct ask *ask, const struct hazard *hazard) {
  /* not sure if an earlier wait may never end (AG3) */
  const struct skeleton *s = ask->skeleton;
  const bool always = hazard->when == TERM_TRUE;
  const bool sure = always && (!skeleton_may_block(s) || skeleton_never_blocks(s));
  return (struct fault){.reason = hazard->reason,
                        .place = hazard->span,
                        .thread = hazard->thread,
                        .instr = hazard->instr,
                        .arrivals = {NO_EVENT, NO_EVENT},
                        .sure = sure,
                        .when = always ? LIT_TRUE : ask->encoder.words[hazard->when].bits[0]};
}

static bool is_open(const struct hazard *hazard) { return hazard->reason->kind == REASON_OPEN; }

/* Hazards that are undefined behaviour, misuses of barriers, hazards that are open. */
struct fault ask_fault(const struct ask *ask, uint32_t index) {
  const struct skeleton *s = ask->skeleton;
  for (int open = 0; open < 2; open++) {
    for (uint32_t i = 0; i < s->hazards.len; i++)
      if (is_open(&s->hazards.data[i]) == (open == 1) && index-- == 0) return fault_of_hazard(ask, &s->hazards.data[i]);
    if (!open && index < ask->encoder.misuse_count) return fault_of_misuse(ask, &ask->encoder.misuses[index]);
    if (!open) index -= ask->encoder.misuse_count;
  }
  BUG("no such fault");
}
