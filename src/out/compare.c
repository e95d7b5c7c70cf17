#include "out/build_json.h"
#include "out/explain.h"

/* ---- Text ---- */

static const char *value_text(struct arena *arena, const struct observable *o, value_t value) {
  struct text text = {.arena = arena};
  type_print(o->type, value, &text);
  return text_str(&text);
}

static void add_cell(struct text *out, const char *word, size_t width) { text_printf(out, "  %-*s", (int)width, word); }

static size_t *state_widths(struct arena *arena, const struct comparison *x) {
  size_t *widths = ARENA_ARRAY(arena, size_t, x->program->observed_count + 1);
  for (uint32_t i = 0; i < x->program->observed_count; i++) {
    const struct observable *o = &x->program->observables[i];
    widths[i] = strlen(o->name);
    for (uint32_t r = 0; r < x->rows.len; r++) {
      size_t length = strlen(value_text(arena, o, x->rows.data[r].values[i]));
      if (length > widths[i]) widths[i] = length;
    }
  }
  return widths;
}

static size_t model_width(const struct result *result) {
  size_t length = strlen(result->model->name);
  return length > 3 ? length : 3;
}

static void trim(struct text *out) {
  while (out->len && out->data[out->len - 1] == ' ') out->data[--out->len] = '\0';
}

static void add_table(const struct comparison *x, struct text *out) {
  const struct program *program = x->program;
  const size_t *widths = state_widths(out->arena, x);
  for (uint32_t i = 0; i < program->observed_count; i++) add_cell(out, program->observables[i].name, widths[i]);
  text_add(out, "   ");
  for (uint32_t m = 0; m < x->model_count; m++) add_cell(out, x->results[m].model->name, model_width(&x->results[m]));
  trim(out);
  text_char(out, '\n');
  VEC_EACH (row, &x->rows) {
    for (uint32_t i = 0; i < program->observed_count; i++)
      add_cell(out, value_text(out->arena, &program->observables[i], row->values[i]), widths[i]);
    text_add(out, row->satisfies ? "  *" : "   ");
    for (uint32_t m = 0; m < x->model_count; m++)
      add_cell(out, !x->results[m].complete ? "?" : row->allowed[m] ? "yes" : "-", model_width(&x->results[m]));
    trim(out);
    text_char(out, '\n');
  }
}

static void add_totals(const struct comparison *x, struct text *out) {
  ARRAY_EACH (result, x->results, x->model_count) {
    text_printf(out, "Model %s: ", result->model->name);
    if (result->reason) {
      text_printf(out, "%s: ", verdict_name(result->verdict));
      out_reason(result, out);
      text_char(out, '\n');
    } else {
      text_printf(out, "%u outcome%s, %s\n", result->outcomes.len, result->outcomes.len == 1 ? "" : "s",
                  verdict_name(result->verdict));
    }
  }
}

void out_comparison(const struct comparison *x, struct text *out) {
  text_printf(out, "Test %s: outcomes by model; * satisfies %s\n\n", x->program->name, x->program->condition_text);
  add_table(x, out);
  text_char(out, '\n');
  add_totals(x, out);
  uint32_t complete = COUNT(for (uint32_t m = 0; m < x->model_count; m++), x->results[m].complete);
  if (!x->whys.len && complete > 1)
    text_printf(out, "All models%s allow the same outcomes.\n",
                complete < x->model_count ? " that have an answer" : "");
  for (uint32_t i = 0; i < x->whys.len; i++) {
    text_printf(out, "\nModel %s allows %s, which %s forbids", x->results[x->weakest].model->name,
                x->whys.data[i].state, x->results[x->strongest].model->name);
    if (x->apart > 1) text_printf(out, " (one of %u such outcomes)", x->apart);
    text_add(out, ".\n\n");
    out_explanation(&x->whys.data[i].forbidden, out);
    out_explanation(&x->whys.data[i].allowed, out);
  }
  if (!x->whys.len) text_char(out, '\n');
}

/* ---- JSON ---- */

static void put_row(struct json rows, const struct comparison *x, const struct compare_row *row) {
  struct json object = put_object(rows, NULL), state = put_object(object, "state");
  for (uint32_t i = 0; i < x->program->observed_count; i++)
    put_value(state, &x->program->observables[i], row->values[i]);
  put_bool(object, "satisfies", row->satisfies);
  struct json allowed = put_object(object, "allowed");
  for (uint32_t m = 0; m < x->model_count; m++)
    put(allowed, x->results[m].model->name, x->results[m].complete ? json_boolean(row->allowed[m]) : json_null());
}

/* Adds an outcome on which the two models differ, with the members of ptxlit explain for both. */
static void put_why(struct json to, const struct comparison *x, const struct compare_why *why) {
  struct json object = put_object(to, "why");
  put_text(object, "state", why->state);
  struct json forbidden = put_object(object, "forbidden"), allowed = put_object(object, "allowed");
  put_text(forbidden, "model", x->results[x->strongest].model->name);
  put_explanation(forbidden, &why->forbidden);
  put_text(allowed, "model", x->results[x->weakest].model->name);
  put_explanation(allowed, &why->allowed);
}

void out_comparison_json(const struct comparison *x, struct text *out) {
  struct json object = json_begin(out->arena, x->program, NULL);
  put_text(object, "condition", x->program->condition_text);
  struct json verdicts = put_object(object, "verdicts");
  for (uint32_t m = 0; m < x->model_count; m++)
    put_text(verdicts, x->results[m].model->name, verdict_name(x->results[m].verdict));
  struct json rows = put_array(object, "outcomes");
  for (uint32_t r = 0; r < x->rows.len; r++) put_row(rows, x, &x->rows.data[r]);
  bool differ = x->whys.len > 0;
  PUT(object, J_TEXT("weakest", differ ? x->results[x->weakest].model->name : NULL),
      J_TEXT("strongest", differ ? x->results[x->strongest].model->name : NULL), J_NUMBER("apart", x->apart));
  if (differ) put_why(object, x, &x->whys.data[0]);
  else put_null(object, "why");
  json_write(object, out);
}
