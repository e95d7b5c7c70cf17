/* The format json: JSON Lines for the run, its results, and its end. */

#include "suite/report.h"

static void json_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report;
  struct json line = json_new(out->arena);
  put_number(line, "format", 1);
  put(line, "run", json_incref((json_t *)(uintptr_t)run));
  json_write(line, out);
}

/* Adds a result whose outcomes are stored separately: the part before them, and the part after them. */
static void add_parts(struct report *report, const struct record *record, struct text *out) {
  struct json head = json_new(out->arena), rest = json_new(out->arena);
  const char *key;
  json_t *value;
  bool before = true;
  json_object_foreach(record->json, key, value) {
    before = before && strcmp(key, "outcomes") != 0;
    if (before || strcmp(key, "outcomes") != 0) put(before ? head : rest, key, json_incref(value));
  }
  json_write_head(head, out);
  text_add(out, ",\"outcomes\":[");
  report_outcomes(report, out);
  text_char(out, ']');
  json_write_rest(rest, out);
}

static void json_add(struct report *report, const struct record *record, struct text *out) {
  bool apart = record->outcomes && record->outcomes->pieces.len;
  if (apart && json_object_get(record->json, "outcomes")) add_parts(report, record, out);
  else json_add_line(out->arena, record->json, out);
}

static void json_end(struct report *report, const struct report_end *end, struct text *out) {
  struct json line = json_new(out->arena);
  put_number(line, "format", 1);
  struct json facts = put_object(line, "end"), counts = put_object(facts, "results");
  for (size_t i = 0; i < RESULT_COUNT; i++) put_number(counts, result_name((enum suite_result)i), report->counts[i]);
  put_number(facts, "not_run", end->not_run);
  put_text(facts, "why", end->why);
  put(facts, "ms", json_real((double)(uint64_t)(end->seconds * 1000.0 + 0.5)));
  json_write(line, out);
}

const struct report_format format_json = {.begin = json_begin, .add = json_add, .end = json_end, .outcomes = true};
