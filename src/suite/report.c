#include "suite/report.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* ---- tables: a row for each test, a column for each model */

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
static void add_markdown(const char *text, struct text *out) {
  for (; *text; text++) {
    if (strchr("|\\`*_<>[]", *text)) text_char(out, '\\');
    text_char(out, *text);
  }
}

static void add_row(const struct report *report, struct text *out) {
  bool markdown = report->output.format == SUITE_MARKDOWN;
  text_add(out, markdown ? "| " : "");
  if (report->model_count > 1) text_printf(out, markdown ? "%s | " : "%s ", mark(report));
  for (size_t i = 0; i < report->model_count; i++) text_printf(out, markdown ? "%s | " : "%-10s ", cell(report, i));
  if (markdown) {
    add_markdown(report->row.test, out);
    text_add(out, " | ");
    add_markdown(report->row.file, out);
    text_printf(out, " | %s |\n", result_name(report->row.worst));
  } else {
    text_printf(out, "%s\n", report->row.test);
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
  for (size_t i = 0; i < report->model_count; i++) text_printf(out, markdown ? "%s | " : "%-10s ", report->models[i]);
  text_add(out, markdown ? "test | file | result |\n|" : "test\n");
  for (size_t i = report->model_count > 1 ? 0 : 1; i < report->model_count + 4 && markdown; i++) text_add(out, "---|");
  if (markdown) text_char(out, '\n');
}

static void table_add(struct report *report, const struct record *record, struct text *out) {
  if (report->output.format == SUITE_MARKDOWN || report->model_count > 1) row_add(report, record, out);
}

static void table_end(struct report *report, const struct report_end *end, struct text *out) {
  (void)end;
  row_flush(report, out);
  if (report->output.format == SUITE_TEXT && report->model_count > 1) {
    text_char(out, '\n');
  }
}

static const struct report_format format_table = {table_begin, table_add, table_end};

/* ---- JSON Lines */

void report_json_line(const json_t *json, struct text *out) {
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
  report_json_line(line, out);
  json_decref(line);
}

static void json_add(struct report *report, const struct record *record, struct text *out) {
  (void)report;
  report_json_line(record->json, out);
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
  report_json_line(line, out);
  json_decref(line);
}

const struct report_format format_json = {json_begin, json_add, json_end};

/* ---- the whole */

static const struct report_format *format_of(const struct report *report) {
  switch (report->output.format) {
    case SUITE_TEXT:
    case SUITE_MARKDOWN: return &format_table;
    case SUITE_LOG: return &format_log;
    case SUITE_JSON: return &format_json;
    case SUITE_JUNIT: return &format_junit;
    case SUITE_TAP: return &format_tap;
    case SUITE_CSV: return &format_csv;
  }
  BUG("no format %d", (int)report->output.format);
}

static const char *output_name(const struct report *report) {
  return report->file == stdout ? "standard output" : report->output.path;
}

static bool wrote(struct report *report, const struct text *text) {
  errno = 0;
  if (text->len) fwrite(text->data, 1, text->len, report->file);
  return fflush(report->file) == 0 && !ferror(report->file);
}

/* Nothing that was computed is lost: when the output takes no more, the rest goes to standard output. */
static void write_text(struct report *report, const struct text *text) {
  if (report->broken || wrote(report, text)) return;
  bool gone = errno == EPIPE, other = report->file != stdout;
  if (!gone) {
    fprintf(stderr, "ptxlit: error: cannot write to %s: %s%s\n", output_name(report), strerror(errno),
            other ? "\n    the rest follows on standard output" : "");
    report->status = ptxlit_worse(report->status, PTXLIT_BAD_INPUT);
  }
  report->broken = !other;
  clearerr(report->file); /* it has been said */
  if (!other) return;
  fclose(report->file);
  report->file = stdout;
  report->broken = !wrote(report, text);
}

bool report_open(struct report *report, struct suite_output output, const json_t *run, const char *const *models,
                 size_t model_count) {
  *report = (struct report){.output = output, .file = stdout, .models = models, .model_count = model_count};
  arena_init(&report->arena, NULL);
  arena_init(&report->row_arena, NULL);
  text_init(&report->failures, &report->arena);
  if (output.path) {
    report->file = fopen(output.path, "w");
    if (!report->file) {
      fprintf(stderr, "ptxlit: error: cannot write '%s': %s\n", output.path, strerror(errno));
      arena_release(&report->arena);
      return false;
    }
  }
  const struct report_format *format = format_of(report);
  struct text text;
  text_init(&text, &report->arena);
  if (format->begin) format->begin(report, run, &text);
  write_text(report, &text);
  return true;
}

static void note_failure(struct report *report, const struct record *record) {
  static const char *const words[] = {[RESULT_FAIL] = "FAIL", [RESULT_UNKNOWN] = "UNKNOWN", [RESULT_ERROR] = "ERROR"};
  if (record->result == RESULT_PASS || record->result == RESULT_NEW) return;
  text_printf(&report->failures, "%-7s ", words[record->result]);
  record_place(record, &report->failures);
  if (record->test) text_printf(&report->failures, ": %s", record->test);
  if (record->model) text_printf(&report->failures, " under %s", record->model);
  text_add(&report->failures, ": ");
  record_why(record, &report->failures);
  text_char(&report->failures, '\n');
}

void report_add(struct report *report, const struct record *record) {
  const struct report_format *format = format_of(report);
  struct arena scratch;
  struct text text;
  arena_init(&scratch, NULL);
  text_init(&text, &scratch);
  report->counts[record->result]++;
  report->total++;
  report->ms += record->ms;
  bool crashed = record->error && record->verdict; /* a file whose worker died: unknown, not wrong */
  report->status = ptxlit_worse(report->status, crashed ? PTXLIT_NO_VERDICT : result_status(record->result));
  note_failure(report, record);
  format->add(report, record, &text);
  write_text(report, &text);
  arena_release(&scratch);
}

static void add_summary(const struct report *report, const struct report_end *end, struct text *out) {
  const char *separator = "";
  text_printf(out, "%llu result%s", (unsigned long long)report->total, report->total == 1 ? "" : "s");
  if (report->model_count > 1) text_printf(out, " under %zu models", report->model_count);
  text_add(out, report->total ? ": " : "");
  for (size_t i = 0; i < RESULT_COUNT; i++) {
    if (!report->counts[i]) continue;
    text_printf(out, "%s%llu %s", separator, (unsigned long long)report->counts[i],
                result_summary((enum suite_result)i));
    separator = ", ";
  }
  if (end->not_run)
    text_printf(out, "; %llu file%s not run%s%s", (unsigned long long)end->not_run, end->not_run == 1 ? "" : "s",
                end->why ? ": " : "", end->why ? end->why : "");
  text_printf(out, " (%.1f s)\n", end->seconds);
  text_add(out, text_str(&report->failures));
}

enum ptxlit_status report_close(struct report *report, const struct report_end *end) {
  const struct report_format *format = format_of(report);
  struct text text;
  text_init(&text, &report->arena);
  if (format->end) format->end(report, end, &text);
  bool together = report->output.format == SUITE_TEXT && report->file == stdout;
  if (together) add_summary(report, end, &text);
  write_text(report, &text);
  bool own = report->file != stdout;
  if (own && fclose(report->file) != 0) {
    fprintf(stderr, "ptxlit: error: cannot write to '%s': %s\n", report->output.path, strerror(errno));
    report->status = ptxlit_worse(report->status, PTXLIT_BAD_INPUT);
  }
  if (!together || report->broken) { /* the report is for machines, or is lost */
    struct text summary;
    text_init(&summary, &report->arena);
    add_summary(report, end, &summary);
    FILE *to = report->output.path && !report->broken && own ? stdout : stderr;
    fputs(text_str(&summary), to);
    fflush(to);
  }
  if (end->not_run) report->status = ptxlit_worse(report->status, PTXLIT_NO_VERDICT);
  arena_release(&report->row_arena);
  arena_release(&report->arena);
  return report->status;
}
