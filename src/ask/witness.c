/* Reads an execution back from the solver, checks it again, reduces its coherence order, and excludes it. */
#include "ask/ask.h"

/* ---- Reading ---- */

static void make_room(struct ask *ask) {
  if (ask->execution && !ask->keeps_witnesses) return;
  ask->execution = execution_new(ask->arena, ask->skeleton, ask->slots);
  ask->last = ARENA_ARRAY(ask->arena, uint32_t, ask->skeleton->chunk_count);
  ask->finals = ARENA_ARRAY(ask->arena, value_t, ask->program->observed_count);
}

static value_t word_value(const struct ask *ask, struct word word) {
  value_t value = 0;
  for (unsigned i = 0; i < word.width; i++)
    if (sat_value(ask->sat, word.bits[i])) value |= (value_t)1 << i;
  return value;
}

/* Values that depend on themselves cannot be computed from the choices. */
static void take_solver_values(struct ask *ask) {
  const struct skeleton *s = ask->skeleton;
  for (uint32_t e = 0; e < s->n; e++) {
    if (sat_value(ask->sat, ask->encoder.exec[e])) bitset_add(ask->execution->exec, e);
    if (e < s->first_init && event_is_memory(skeleton_event(s, e)))
      ask->execution->values[e] = word_value(ask, ask->encoder.words[skeleton_event(s, e)->value]);
  }
}

static bool is_wanted(const struct ask *ask, uint32_t axiom, const bool *dropped) {
  return ask->model->axioms.data[axiom].role == CAT_AXIOM && !(dropped && dropped[axiom]);
}

static void require_axioms(struct ask *ask, const bool *dropped) {
  for (uint32_t i = 0; i < ask->model->axioms.len; i++)
    if (is_wanted(ask, i, dropped) && !eval_axiom(ask->eval, i))
      BUG("%s: a witness of the solver violates axiom %s", ask->program->name, ask->model->axioms.data[i].name);
}

bool ask_is_faulty(const struct ask *ask) {
  return SOME_BELOW(i, ask_fault_count(ask), sat_value(ask->sat, ask_fault(ask, i).when));
}

/* A read outside all locations returns 0 if an execution allows this, else the solver's value. */
static enum run_status run_choices(struct ask *ask, bool stray) {
  const struct skeleton *s = ask->skeleton;
  for (uint32_t e = 0; e < s->first_init && !s->fixed_places; e++)
    if (skeleton_event(s, e)->kind == EVENT_READ)
      ask->execution->stray[e] = stray ? word_value(ask, ask->encoder.words[skeleton_event(s, e)->value]) : 0;
  return execution_run(ask->execution);
}

/* True if the events are those of the solver, at its places: only of these the witness has an order. */
static bool is_as_solved(const struct ask *ask) {
  const struct execution *x = ask->execution;
  for (uint32_t e = 0; e < ask->skeleton->first_init; e++) {
    if (bitset_has(x->exec, e) != sat_value(ask->sat, ask->encoder.exec[e])) return false;
    for (uint32_t k = 0; bitset_has(x->exec, e) && k < skeleton_event(ask->skeleton, e)->place_count; k++)
      if ((x->place[e] == k) != sat_value(ask->sat, ask->encoder.at[e][k])) return false;
  }
  return true;
}

static void require_finals(struct ask *ask) {
  const struct skeleton *s = ask->skeleton;
  for (uint32_t c = 0; c < s->chunk_count; c++) {
    if (ask->last[c] == NO_EVENT) continue;
    bitset_clear(ask->maximal);
    execution_maximal(ask->execution, c, ask->maximal);
    bool overwritten = !bitset_has(ask->maximal, ask->last[c]);
    if (overwritten) BUG("%s: chunk %u ends with an overwritten write", ask->program->name, c);
  }
  /* In a precise skeleton a read that does not happen has no value: terms over it are not compared. */
  for (uint32_t i = 0; i < s->program->observed_count && !s->options.precise; i++)
    if (ask->finals[i] != encoder_final(&ask->encoder, i) && !ask_is_faulty(ask))
      BUG("%s: %s does not end with the value of the solver", ask->program->name, s->program->observables[i].name);
}

static bool is_misused(const struct ask *ask) {
  return SOME_BELOW(i, ask->encoder.misuse_count, sat_value(ask->sat, ask->encoder.misuses[i].when));
}

bool ask_found_faulty(const struct ask *ask) {
  return is_misused(ask) ||
         SOME_BELOW(i, ask->skeleton->hazards.len, ask->execution->terms[ask->skeleton->hazards.data[i].when]);
}

static void evaluate(struct ask *ask) {
  execution_relate(ask->execution);
  eval_execution(ask->eval, ask->execution, PART_ALL);
}

enum run_status ask_read(struct ask *ask, const bool *dropped) {
  make_room(ask);
  encoder_witness(&ask->encoder, ask->execution, ask->last);
  ask->status = run_choices(ask, false);
  bool other = ask->status == RUN_INVALID || (ask->status == RUN_OK && !is_as_solved(ask));
  if (other && ask_is_faulty(ask)) ask->status = run_choices(ask, true);
  if (ask->status == RUN_INVALID && !is_misused(ask)) BUG("%s: a solution is not an execution", ask->program->name);
  if (ask->status == RUN_INVALID) return ask->status;
  if (ask->status == RUN_CIRCULAR) take_solver_values(ask);
  evaluate(ask);
  if (!execution_is_whole(ask->execution)) BUG("%s: a witness of the solver has a torn read", ask->program->name);
  for (uint32_t i = 0; i < ask->program->observed_count; i++)
    ask->finals[i] =
        ask->status == RUN_CIRCULAR ? encoder_final(&ask->encoder, i) : execution_final(ask->execution, i, ask->last);
  if (ask->status == RUN_OK && !execution_is_whole(ask->execution)) BUG("%s: a torn read", ask->program->name);
  if (ask->status == RUN_OK) require_axioms(ask, dropped), require_finals(ask);
  return ask->status;
}

struct ask_found ask_found(const struct ask *ask) {
  REQUIRE(ask->keeps_witnesses);
  return (struct ask_found){ask->execution, ask->status, ask->last, ask->finals};
}

void ask_return(struct ask *ask, const struct ask_found *found) {
  ask->execution = found->execution;
  ask->status = found->status;
  ask->last = found->last;
  ask->finals = found->finals;
  eval_execution(ask->eval, ask->execution, PART_ALL);
}

/* ---- Making coherence as small as possible ---- */

enum { MOST_PAIRS = 276 }; /* of 24 totally ordered writes; the removal of each may cost an evaluation per pair */

/* With fewer pairs more writes can be last, so the final state stays possible and needs no check. */
static bool still_fits(struct ask *ask, const bool *dropped) {
  execution_relate(ask->execution);
  if (!execution_is_whole(ask->execution)) return false;
  eval_execution(ask->eval, ask->execution, PART_CO);
  return !SOME_BELOW(i, ask->model->axioms.len, is_wanted(ask, i, dropped) && !eval_axiom(ask->eval, i));
}

void ask_reduce_order(struct ask *ask, const bool *dropped) {
  struct bitmat order = ask->execution->order;
  if (bitmat_count(order) > MOST_PAIRS) return;
  for (bool again = true; again && !base_is_late(ask->deadline);) {
    again = false;
    for (uint32_t a = 0; a < order.n && !base_is_late(ask->deadline); a++)
      for (uint32_t b = 0; b < order.n; b++) {
        if (!bitmat_has(order, a, b) || !bitmat_covers(order, a, b)) continue;
        bitmat_del(order, a, b);
        if (still_fits(ask, dropped)) again = true;
        else bitmat_add(order, a, b);
      }
  }
  evaluate(ask);
}

/* ---- Telling solutions apart ---- */

void ask_choice(const struct ask *ask, struct lits *out) {
  const struct encoder *e = &ask->encoder;
  const struct skeleton *s = ask->skeleton;
  struct bitset fences = s->sets[CAT_SET_SC];
  for (uint32_t i = 0; i < ask->slots->count; i++)
    for (uint32_t w = 0; w < e->writer_count; w++)
      if (e->source[i][w] && sat_value(ask->sat, e->source[i][w])) VEC_PUSH(ask->arena, out, e->source[i][w]);
  EACH (a, fences) {
    struct bitset row = bitmat_row_set(s->may[CAT_REL_SC_ORDER], a);
    EACH (b, row) {
      lit order = encoder_fence_choice(e, a, b);
      if (order && sat_value(ask->sat, order)) VEC_PUSH(ask->arena, out, order);
    }
  }
}

void ask_exclude(struct ask *ask, lit on) {
  struct lits chosen = {0};
  ask_choice(ask, &chosen);
  for (uint32_t i = 0; i < chosen.len; i++) chosen.data[i] = -chosen.data[i];
  VEC_PUSH(ask->arena, &chosen, -on);
  sat_clause(ask->sat, chosen.data, chosen.len);
}

void ask_exclude_state(struct ask *ask, const value_t *values, lit on) {
  VEC(lit) clause = {0};
  if (on != LIT_TRUE) VEC_PUSH(ask->arena, &clause, -on);
  for (uint32_t i = 0; i < ask->program->observed_count; i++) {
    value_t value = values[i];
    unsigned length = ask->encoder.lengths[i];
    if (length < ask->encoder.finals[i].width && value >> length) return;
    for (unsigned k = 0; k < length; k++, value >>= 1) {
      lit bit = ask->encoder.finals[i].bits[k], other = value & 1 ? -bit : bit;
      if (other == LIT_TRUE) return;
      if (other != LIT_FALSE) VEC_PUSH(ask->arena, &clause, other);
    }
  }
  sat_clause(ask->sat, clause.data, clause.len);
}
