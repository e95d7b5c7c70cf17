/* JSON Lines: what is run, the results, how the run ended. */
#include <stdlib.h>

#include "suite/report.h"

/* JSON on one line. */
static void add_line(const json_t *json, struct text *out) {
  char *line = json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6));
  if (!line) must_json(NULL);
  text_add(out, line);
  text_char(out, '\n');
  free(line);
}

static void json_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report;
  json_t *line = must_json(json_object());
  member_put(line, "format", json_integer(1));
  member_put(line, "run", json_incref((json_t *)(uintptr_t)run));
  add_line(line, out);
  json_decref(line);
}

static void json_add(const struct report *report, const struct record *record, struct text *out) {
  (void)report;
  add_line(record->json, out);
}

static void json_end(struct report *report, const struct report_end *end, struct text *out) {
  json_t *line = must_json(json_object()), *facts = must_json(json_object()), *counts = must_json(json_object());
  for (size_t i = 0; i < RESULT_COUNT; i++)
    member_put(counts, result_name((enum suite_result)i), json_integer((json_int_t)report->counts[i]));
  member_put(facts, "results", counts);
  member_put(facts, "not_run", json_integer((json_int_t)end->not_run));
  member_put(facts, "why", end->why ? json_string(end->why) : json_null());
  member_put(facts, "ms", json_real((double)(uint64_t)(end->seconds * 1000.0 + 0.5)));
  member_put(line, "format", json_integer(1));
  member_put(line, "end", facts);
  add_line(line, out);
  json_decref(line);
}

const struct report_format format_json = {.begin = json_begin, .add = json_add, .end = json_end};
