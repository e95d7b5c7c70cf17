/* JSON Lines: what is run, the results, how the run ended. */
#include <string.h>

#include "suite/report.h"

static void json_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report;
  struct json line = json_new(out->arena);
  put_number(line, "format", 1);
  put(line, "run", json_incref((json_t *)(uintptr_t)run));
  json_write(line, out);
}

static void json_add(const struct report *report, const struct record *record, struct text *out) {
  (void)report;
  if (!record->line_found) {
    json_add_line(out->arena, record->json, out);
    return;
  }
  struct text suite = {.arena = out->arena};
  json_add_line(out->arena, json_object_get(record->json, "suite"), &suite);
  text_add_slice(out, record->line_found, strlen(record->line_found) - strlen("}\n"));
  text_printf(out, ",\"suite\":%.*s}\n", (int)(suite.len - 1), suite.data);
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

const struct report_format format_json = {
    .begin = json_begin, .add = json_add, .end = json_end, .outcomes = OUTCOMES_JSON};
