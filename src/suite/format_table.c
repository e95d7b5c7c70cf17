/* Tables: a row for each test, a column for each model; for people, and in Markdown. */
#include <string.h>

#include "suite/report.h"

static const char *mark(const struct report *report) {
  const struct report_row *row = &report->row;
  for (size_t i = 1; i < report->model_count; i++)
    if (row->cells[i] && row->cells[0] && strcmp(row->cells[i], row->cells[0]) != 0) return "*";
  return " ";
}

static const char *cell(const struct report *report, size_t model) {
  const char *text = report->row.cells[model];
  return text ? text : "-";
}

/* Names may hold what a Markdown table gives a meaning. */
static void add_markdown(const char *name, struct text *out) {
  struct text text;
  text_init(&text, out->arena);
  record_add_visible(&text, name);
  for (const char *c = text_str(&text); *c; c++) {
    if (strchr("|\\`*_<>[]", *c)) text_char(out, '\\');
    text_char(out, *c);
  }
}

/* Columns are as wide as a result or the name of the model. */
static int width(const struct report *report, size_t model) {
  size_t name = strlen(report->models[model]);
  return name > sizeof "Sometimes" ? (int)name : (int)sizeof "Sometimes";
}

static void add_row(const struct report *report, struct text *out) {
  bool markdown = report->output.format == SUITE_MARKDOWN;
  text_add(out, markdown ? "| " : "");
  if (report->model_count > 1) text_printf(out, markdown ? "%s | " : "%s ", mark(report));
  for (size_t i = 0; i < report->model_count; i++) {
    if (markdown) text_printf(out, "%s | ", cell(report, i));
    else text_printf(out, "%-*s ", width(report, i), cell(report, i));
  }
  if (markdown) {
    add_markdown(report->row.test, out);
    text_add(out, " | ");
    json_t *file = safe_string(report->row.file);
    add_markdown(json_string_value(file), out);
    json_decref(file);
    text_printf(out, " | %s |\n", result_name(report->row.worst));
  } else {
    record_add_visible(out, report->row.test);
    text_char(out, '\n');
  }
}

static void row_flush(struct report *report, struct text *out) {
  if (!report->row.test) return;
  add_row(report, out);
  report->row = (struct report_row){0};
  arena_release(&report->row_arena);
}

static size_t column_of(const struct report *report, const char *model) {
  for (size_t i = 0; i < report->model_count; i++)
    if (strcmp(report->models[i], model) == 0 && (!report->row.cells || !report->row.cells[i])) return i;
  return report->model_count;
}

static int badness(enum suite_result result) {
  static const int order[] = {
      [RESULT_PASS] = 0, [RESULT_NEW] = 1, [RESULT_FAIL] = 2, [RESULT_UNKNOWN] = 3, [RESULT_ERROR] = 4};
  return order[result];
}

static void row_add(struct report *report, const struct record *record, struct text *out) {
  struct report_row *row = &report->row;
  struct arena *arena = &report->row_arena;
  const char *test = record->test ? record->test : record->file, *file = record->file ? record->file : "";
  bool same = row->test && record->model && strcmp(row->test, test) == 0 && strcmp(row->file, file) == 0;
  if (!same || column_of(report, record->model) == report->model_count) row_flush(report, out);
  if (!row->test) {
    row->test = arena_strdup(arena, test);
    row->file = arena_strdup(arena, file);
    row->cells = ARENA_ARRAY(arena, const char *, report->model_count);
    row->worst = record->result;
  }
  size_t column = record->model ? column_of(report, record->model) : 0;
  if (column < report->model_count) row->cells[column] = arena_strdup(arena, record_found(record));
  if (badness(record->result) > badness(row->worst)) row->worst = record->result;
}

static void table_begin(struct report *report, const json_t *run, struct text *out) {
  (void)run;
  bool markdown = report->output.format == SUITE_MARKDOWN;
  if (!markdown && report->model_count < 2) return;
  text_add(out, markdown ? "| " : "");
  if (report->model_count > 1) text_add(out, markdown ? "  | " : "  ");
  for (size_t i = 0; i < report->model_count; i++) {
    if (markdown) add_markdown(report->models[i], out);
    else text_printf(out, "%-*s", width(report, i), report->models[i]);
    text_add(out, markdown ? " | " : " ");
  }
  text_add(out, markdown ? "test | file | result |\n|" : "test\n");
  for (size_t i = report->model_count > 1 ? 0 : 1; i < report->model_count + 4 && markdown; i++) text_add(out, "---|");
  if (markdown) text_char(out, '\n');
}

static void table_place(struct report *report, const struct record *record, struct text *out) {
  if (report->output.format == SUITE_MARKDOWN || report->model_count > 1) row_add(report, record, out);
}

static void table_end(struct report *report, const struct report_end *end, struct text *out) {
  (void)end;
  row_flush(report, out);
  if (report->output.format == SUITE_TEXT && report->model_count > 1) {
    text_char(out, '\n');
  }
}

const struct report_format format_table = {.begin = table_begin, .place = table_place, .end = table_end};
