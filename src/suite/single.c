/* Reports of check, in a format of a suite. */
#include "suite/judge.h"

struct suite_report {
  struct report report;
  double begin;
};

struct suite_report *suite_report_open(const char *format) {
  struct suite_report *out = must_have(calloc(1, sizeof *out));
  out->begin = base_now();
  if (report_open(&out->report, (struct suite_output){.format = suite_format(format)}, NULL)) return out;
  free(out);
  return NULL;
}

void suite_report_add(struct suite_report *to, const char *json) {
  struct record record;
  struct arena arena;
  if (!record_from_json(must_have(json_loads(json, 0, NULL)), &record)) BUG("not a result: %s", json);
  arena_init(&arena, NULL);
  judge_alone(&record, &arena);
  report_add(&to->report, &record);
  record_release(&record);
  arena_release(&arena);
}

void suite_report_close(struct suite_report *report) {
  struct report_end end = {.seconds = base_now() - report->begin};
  report_close(&report->report, &end);
  free(report);
}
