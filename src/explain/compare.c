#include "explain/explain.h"

/* Merges the outcomes of a model into the rows; both are sorted. */
static void merge_outcomes(struct arena *arena, struct comparison *c, uint32_t model) {
  const struct outcomes *found = &c->results[model].outcomes;
  struct comparison merged = {0};
  uint32_t at = 0;
  for (uint32_t i = 0; i < found->len || at < c->rows.len;) {
    struct outcome outcome = i < found->len ? outcomes_at(found, i) : (struct outcome){0};
    int order = i == found->len     ? -1
                : at == c->rows.len ? 1
                                    : outcome_order(c->program, c->rows.data[at].values, outcome.values);
    if (order > 0) {
      outcome = outcome_copy(arena, c->program, outcome);
      struct compare_row row = {outcome.values, outcome.satisfies, ARENA_ARRAY(arena, bool, c->model_count)};
      VEC_PUSH(arena, &merged.rows, row);
    } else {
      VEC_PUSH(arena, &merged.rows, c->rows.data[at++]);
    }
    if (order >= 0) merged.rows.data[merged.rows.len - 1].allowed[model] = true, i++;
  }
  memcpy(&c->rows, &merged.rows, sizeof c->rows);
}

static void check_all(struct arena *arena, const struct model *const *models, const struct check_options *options,
                      struct comparison *c) {
  struct check_options full = *options;
  full.verdict_only = full.races = full.count_executions = false;
  for (uint32_t m = 0; m < c->model_count; m++) {
    struct result *result = &c->results[m];
    check(arena, c->program, models[m], &full, result);
    if (result->complete) merge_outcomes(arena, c, m);
  }
}

/* Of the models with a complete list: the last with the most outcomes, and the first with the fewest. */
static void find_extremes(struct comparison *c) {
  uint32_t weakest = c->model_count, strongest = c->model_count;
  for (uint32_t m = 0; m < c->model_count; m++) {
    if (!c->results[m].complete) continue;
    uint32_t count = c->results[m].outcomes.len;
    if (weakest == c->model_count || count >= c->results[weakest].outcomes.len) weakest = m;
    if (strongest == c->model_count || count < c->results[strongest].outcomes.len) strongest = m;
  }
  c->weakest = weakest == c->model_count ? 0 : weakest;
  c->strongest = weakest == c->model_count ? 0 : strongest;
}

/* ---- Why ---- */

static const char *state_text(struct arena *arena, const struct program *program, const value_t *values,
                              const char *separator) {
  struct text text = {.arena = arena};
  state_print(program, values, separator, "", false, &text);
  return text_str(&text);
}

/* The program with these values of the observables as its condition. */
static const struct program *ask_for(struct arena *arena, const struct program *program, const value_t *values) {
  struct program *asked = ARENA_NEW(arena, struct program);
  static const struct cond always = {.kind = COND_TRUE};
  *asked = *program;
  asked->quantifier = LITMUS_EXISTS;
  asked->condition = &always;
  for (uint32_t i = 0; i < program->observed_count; i++)
    asked->condition = cond_and(arena, asked->condition, i, COMPARE_EQ, values[i]);
  asked->filter = NULL;
  asked->condition_text = arena_printf(arena, "exists (%s)", state_text(arena, program, values, " /\\ "));
  return asked;
}

static void add_why(struct arena *arena, const struct check_options *options, struct comparison *c,
                    const struct compare_row *row) {
  struct compare_why why = {.state = state_text(arena, c->program, row->values, "; ")};
  const struct program *asked = ask_for(arena, c->program, row->values);
  struct result *forbidden = ARENA_NEW(arena, struct result), *allowed = ARENA_NEW(arena, struct result);
  explain(arena, asked, c->results[c->strongest].model, options, forbidden, &why.forbidden);
  explain(arena, asked, c->results[c->weakest].model, options, allowed, &why.allowed);
  explain_gaps(arena, options, base_deadline(options->timeout), &why.forbidden);
  explain_gaps(arena, options, base_deadline(options->timeout), &why.allowed);
  VEC_PUSH(arena, &c->whys, why);
}

static void tell_why(struct arena *arena, const struct check_options *options, struct comparison *c) {
  for (int wanted = 1; wanted >= 0; wanted--)
    VEC_EACH (row, &c->rows) {
      if (row->satisfies != (wanted == 1) || !row->allowed[c->weakest] || row->allowed[c->strongest]) continue;
      c->apart++;
      if (c->whys.len < COMPARE_WHYS) add_why(arena, options, c, row);
    }
}

void compare_models(struct arena *arena, const struct program *program, const struct model *const *models,
                    uint32_t count, const struct check_options *options, struct comparison *out) {
  *out = (struct comparison){.program = program, .model_count = count};
  out->results = ARENA_ARRAY(arena, struct result, count);
  check_all(arena, models, options, out);
  find_extremes(out);
  if (out->weakest != out->strongest) tell_why(arena, options, out);
}
