/* The format log: herd's, with the same blocks that `ptxlit FILE` prints. */
#include "base/block.h"
#include "suite/report.h"

static void add_states(struct report *report, const struct record *record, struct text *out) {
  const json_t *outcomes = json_object_get(record->json, "outcomes"), *outcome;
  bool complete = json_is_integer(json_object_get(record->json, "positive"));
  size_t i;
  block_begin(record->json, record->stored.size ? record->stored.count : complete ? json_array_size(outcomes) : 0, out);
  report_outcomes(report, out);
  json_array_foreach(outcomes, i, outcome) {
    if (!complete) break;
    block_state(record->json, json_object_get(outcome, "state"), out);
    text_char(out, '\n');
  }
}

static void log_add(struct report *report, const struct record *record, struct text *out) {
  if (record->error) return; /* there is no test, and a log contains only tests */
  add_states(report, record, out);
  block_end(record->json, out);
  text_tame(out);
}

const struct report_format format_log = {.add = log_add, .outcomes = OUTCOMES_LINES};
