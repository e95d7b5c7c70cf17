#include "suite/report.h"

void table_end(struct report *report, table_row *write, struct text *out) {
  struct report_row *row = &report->row;
  if (!row->test) return;
  for (size_t i = 0; i < report->model_count; i++)
    if (row->cells[i] && row->cells[0] && strcmp(row->cells[i], row->cells[0]) != 0) row->differ = true;
  for (size_t i = 0; i < report->model_count; i++)
    if (!row->cells[i]) row->cells[i] = "-";
  write(report, out);
  *row = (struct report_row){0};
  arena_release(&report->row_arena);
}

static size_t column_of(const struct report *report, const char *model) {
  for (size_t i = 0; model && i < report->model_count; i++)
    if ((report->joined || strcmp(report->models[i], model) == 0) && (!report->row.cells || !report->row.cells[i]))
      return i;
  return model ? report->model_count : 0;
}

static int badness(enum suite_result result) {
  static const int order[] = {
      [RESULT_PASS] = 0, [RESULT_NEW] = 1, [RESULT_FAIL] = 2, [RESULT_UNKNOWN] = 3, [RESULT_ERROR] = 4};
  return order[result];
}

void table_add(struct report *report, const struct record *record, table_row *write, struct text *out) {
  struct report_row *row = &report->row;
  struct arena *arena = &report->row_arena;
  const char *test = record->test ? record->test : record->file, *file = record->file ? record->file : "";
  bool same = row->test && record->model && strcmp(row->test, test) == 0 && strcmp(row->file, file) == 0;
  if (!same || column_of(report, record->model) == report->model_count) table_end(report, write, out);
  if (!row->test) {
    row->test = arena_strdup(arena, test);
    row->file = arena_strdup(arena, file);
    row->cells = ARENA_ARRAY(arena, const char *, report->model_count);
    row->worst = record->result;
  }
  size_t column = column_of(report, record->model);
  if (column < report->model_count) row->cells[column] = arena_strdup(arena, record_found(record));
  if (!row->why && !record_is_right(record)) {
    struct text why = {.arena = arena};
    record_why(record, &why);
    row->why = text_str(&why);
  }
  row->remarked = row->remarked || record->remarks;
  if (badness(record->result) > badness(row->worst)) row->worst = record->result;
}
