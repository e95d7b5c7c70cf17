/* The format markdown: a table. */
#include "suite/report.h"

/* Escapes the characters of names that have a meaning in a Markdown table. */
static void add_cell(const char *text, struct text *out) {
  record_add_escaped(out, text, "|\\`*_<>[]");
  text_add(out, " | ");
}

static void write_row(const struct report *report, struct text *out) {
  const struct report_row *row = &report->row;
  text_add(out, "| ");
  if (report->model_count > 1) text_add(out, row->differ ? "* | " : "  | ");
  for (size_t i = 0; i < report->model_count; i++) add_cell(row->cells[i], out);
  add_cell(row->test, out);
  json_t *file = json_text(out->arena, row->file); /* as in JSON: replaces bytes that are not UTF-8 */
  add_cell(json_string_value(file), out);
  json_decref(file);
  text_printf(out, "%s%s |\n", result_name(row->worst), row->remarked ? ", with a remark" : "");
}

static void markdown_begin(struct report *report, const json_t *run, struct text *out) {
  (void)run;
  bool several = report->model_count > 1;
  text_add(out, several ? "|   | " : "| ");
  for (size_t i = 0; i < report->model_count; i++) add_cell(report->models[i], out);
  text_add(out, "test | file | result |\n|");
  for (size_t i = 0; i < report->model_count + 3 + several; i++) text_add(out, "---|");
  text_char(out, '\n');
}

static void markdown_add(struct report *report, const struct record *record, struct text *out) {
  table_add(report, record, write_row, out);
}

static void markdown_end(struct report *report, const struct report_end *end, struct text *out) {
  (void)end;
  table_end(report, write_row, out);
}

const struct report_format format_markdown = {.begin = markdown_begin, .add = markdown_add, .end = markdown_end};
