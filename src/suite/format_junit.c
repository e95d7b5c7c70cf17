/* The format junit: XML with one testsuite, one testcase per result. The head has the counts, so it comes last. */
#include "suite/report.h"

/* Adds an attribute, on one line: XML turns a line end in an attribute into a blank. */
static void add_attribute(struct text *out, const char *name, const char *value) {
  struct text line = {.arena = out->arena};
  text_visible(&line, value);
  text_printf(out, " %s=\"", name);
  text_markup(out, text_str(&line));
  text_char(out, '"');
}

static void add_element(struct text *out, const char *name, const char *content) {
  text_printf(out, " <%s>", name);
  text_markup(out, content);
  text_printf(out, "</%s>\n", name);
}

static void add_problem(const struct record *record, struct text *out) {
  const char *name = record->result == RESULT_FAIL ? "failure" : "error";
  struct text why = {.arena = out->arena};
  record_why(record, &why);
  text_printf(out, " <%s", name);
  add_attribute(out, "message", text_str(&why));
  add_attribute(out, "type", result_name(record->result));
  if (record->error) {
    text_char(out, '>');
    text_markup(out, record->error);
    text_printf(out, "</%s>\n", name);
  } else {
    text_add(out, "/>\n");
  }
}

static void junit_add(struct report *report, const struct record *record, struct text *out) {
  (void)report;
  struct arena *arena = out->arena;
  const char *test = record->test ? record->test : record->file;
  text_add(out, "<testcase");
  add_attribute(out, "name", record->model ? arena_printf(arena, "%s under %s", test, record->model) : test);
  add_attribute(out, "classname", record->file ? record->file : "");
  text_printf(out, " time=\"%.3f\"", record->ms / 1000.0);
  if (record->result == RESULT_PASS && !record->remarks) {
    text_add(out, "/>\n");
    return;
  }
  text_add(out, ">\n");
  if (!record_is_right(record)) {
    add_problem(record, out);
  } else {
    struct text why = {.arena = arena};
    if (record->result == RESULT_PASS) record_why(record, &why);
    else text_printf(&why, "new: found %s, nothing is expected", record_found(record));
    if (record->result == RESULT_NEW) record_add_remarks(record, &why);
    add_element(out, "system-out", text_str(&why));
  }
  text_add(out, "</testcase>\n");
}

static void add_counts(const struct report *report, struct text *out) {
  uint64_t errors = report->counts[RESULT_UNKNOWN] + report->counts[RESULT_ERROR];
  text_printf(out, " tests=\"%llu\" failures=\"%llu\" errors=\"%llu\" time=\"%.3f\"", (unsigned long long)report->total,
              (unsigned long long)report->counts[RESULT_FAIL], (unsigned long long)errors, report->ms / 1000.0);
}

static void junit_end(struct report *report, const struct report_end *end, struct text *out) {
  text_add(out, "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites");
  add_counts(report, out);
  text_add(out, ">\n <testsuite name=\"ptxlit\"");
  add_counts(report, out);
  text_add(out, " skipped=\"0\">\n");
  text_add(out, text_str(&report->below));
  if (end->why) add_element(out, "system-err", end->why);
  text_add(out, "</testsuite>\n</testsuites>\n");
}

const struct report_format format_junit = {.add = junit_add, .end = junit_end, .head_last = true};
