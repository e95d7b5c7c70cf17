#include <string.h>

#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

/* ---- Text ---- */

static const char *value_text(struct arena *arena, const struct observable *o, value_t value) {
  struct text text;
  text_init(&text, arena);
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
  for (uint32_t r = 0; r < x->rows.len; r++) {
    const struct compare_row *row = &x->rows.data[r];
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
  for (uint32_t m = 0; m < x->model_count; m++) {
    const struct result *result = &x->results[m];
    text_printf(out, "%s: ", result->model->name);
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
  text_printf(out, "%s: outcomes by model; * satisfies %s\n\n", x->program->name, x->program->condition_text);
  add_table(x, out);
  text_char(out, '\n');
  add_totals(x, out);
  uint32_t complete = 0;
  for (uint32_t m = 0; m < x->model_count; m++) complete += x->results[m].complete;
  if (!x->whys.len && complete == x->model_count) text_add(out, "No two of them differ.\n");
  else if (!x->whys.len && complete > 1) text_add(out, "No two of those that have an answer differ.\n");
  for (uint32_t i = 0; i < x->whys.len; i++) {
    text_printf(out, "\n%s allows %s, which %s forbids", x->results[x->weakest].model->name, x->whys.data[i].state,
                x->results[x->strongest].model->name);
    if (x->apart > 1) text_printf(out, " (one of %u such outcomes)", x->apart);
    text_add(out, ".\n\n");
    out_explanation(&x->whys.data[i].forbidden, out);
    out_explanation(&x->whys.data[i].allowed, out);
  }
  if (!x->whys.len) text_char(out, '\n');
}

/* ---- JSON ---- */

static json_t *state(struct json_build *b, const struct program *program, const value_t *values) {
  json_t *object = json_object();
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    value_t value = values[i] & value_mask(o->type.width);
    if (o->type.kind == TYPE_SIGNED) value = value_sext(value, o->type.width);
    if (value <= INT64_MAX || value >= ~(value_t)INT64_MAX)
      json_put(b, object, o->name, json_integer((json_int_t)value));
    else json_put_text(b, object, o->name, value_text(b->arena, o, values[i]));
  }
  return object;
}

static json_t *row_object(struct json_build *b, const struct comparison *x, const struct compare_row *row) {
  json_t *object = json_object(), *allowed = json_object();
  json_put(b, object, "state", state(b, x->program, row->values));
  json_put_bool(b, object, "satisfies", row->satisfies);
  for (uint32_t m = 0; m < x->model_count; m++)
    json_put(b, allowed, x->results[m].model->name,
             x->results[m].complete ? json_boolean(row->allowed[m]) : json_null());
  json_put(b, object, "allowed", allowed);
  return object;
}

/* One outcome that tells the two apart, under both: with the members of ptxlit explain. */
static json_t *why_object(struct json_build *b, const struct comparison *x, const struct compare_why *why) {
  json_t *object = json_object(), *forbidden = json_object(), *allowed = json_object();
  json_put_text(b, object, "state", why->state);
  json_put_text(b, forbidden, "model", x->results[x->strongest].model->name);
  json_explanation(b, forbidden, &why->forbidden);
  json_put(b, object, "forbidden", forbidden);
  json_put_text(b, allowed, "model", x->results[x->weakest].model->name);
  json_explanation(b, allowed, &why->allowed);
  json_put(b, object, "allowed", allowed);
  return object;
}

void out_comparison_json(const struct comparison *x, struct text *out) {
  struct json_build b = {.arena = out->arena};
  json_t *object = json_begin(&b, x->program, NULL), *rows = json_array(), *verdicts = json_object();
  json_put_text(&b, object, "condition", x->program->condition_text);
  for (uint32_t m = 0; m < x->model_count; m++)
    json_put_text(&b, verdicts, x->results[m].model->name, verdict_name(x->results[m].verdict));
  json_put(&b, object, "verdicts", verdicts);
  for (uint32_t r = 0; r < x->rows.len; r++) json_push(&b, rows, row_object(&b, x, &x->rows.data[r]));
  json_put(&b, object, "outcomes", rows);
  bool differ = x->whys.len > 0;
  json_put_text(&b, object, "weakest", differ ? x->results[x->weakest].model->name : NULL);
  json_put_text(&b, object, "strongest", differ ? x->results[x->strongest].model->name : NULL);
  json_put_number(&b, object, "apart", x->apart);
  json_put(&b, object, "why", differ ? why_object(&b, x, &x->whys.data[0]) : json_null());
  json_finish(&b, object, out);
}
