/* The format text, for humans: a table if there are several models, and the summary. */

#include "suite/report.h"

/* Columns are as wide as a result or the name of the model. */
static int width(const struct report *report, size_t model) {
  size_t name = strlen(report->models[model]);
  return name > sizeof "Sometimes" ? (int)name : (int)sizeof "Sometimes";
}

static void write_row(const struct report *report, struct text *out) {
  text_add(out, report->row.differ ? "* " : "  ");
  for (size_t i = 0; i < report->model_count; i++) text_printf(out, "%-*s ", width(report, i), report->row.cells[i]);
  text_visible(out, report->row.test);
  text_char(out, '\n');
}

static void text_begin(struct report *report, const json_t *run, struct text *out) {
  (void)run;
  if (report->model_count < 2) return;
  text_add(out, "  ");
  for (size_t i = 0; i < report->model_count; i++) text_printf(out, "%-*s ", width(report, i), report->models[i]);
  text_add(out, "test\n");
}

static void text_row(struct report *report, const struct record *record, struct text *out) {
  if (report->model_count > 1) table_add(report, record, write_row, out);
}

static void text_end(struct report *report, const struct report_end *end, struct text *out) {
  (void)end;
  table_end(report, write_row, out);
  if (report->model_count > 1) text_char(out, '\n');
}

const struct report_format format_text = {.begin = text_begin, .add = text_row, .end = text_end, .has_summary = true};
