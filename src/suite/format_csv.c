/* The format csv: one line per result (RFC 4180, with plain line ends). */

#include "suite/report.h"

/* Adds a quoted field. A spreadsheet would run text that starts like a formula, but not after an apostrophe. Text that
 * already starts with one gets another, so that removing one gives the original. */
static void add_quoted(const char *text, struct text *out) {
  struct text line = {.arena = out->arena};
  if (text_is_formula(text)) text_char(&line, '\'');
  text_visible(&line, text);
  bool quoted = strpbrk(text_str(&line), ",\"") != NULL;
  if (quoted) text_char(out, '"');
  for (const char *c = text_str(&line); *c; c++) {
    if (*c == '"') text_char(out, '"');
    text_char(out, *c);
  }
  if (quoted) text_char(out, '"');
}

static void add_field(const char *text, struct text *out) {
  if (text) add_quoted(text, out);
  text_char(out, ',');
}

static void csv_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report, (void)run;
  text_add(out, "test,file,line,model,verdict,observation,holds,positive,negative,expected,result,reason,ms,remarks\n");
}

static void add_count(const json_t *json, const char *key, struct text *out) {
  const json_t *count = json_object_get(json, key);
  if (json_is_integer(count)) text_printf(out, "%lld", (long long)json_integer_value(count));
  text_char(out, ',');
}

static void csv_add(struct report *report, const struct record *record, struct text *out) {
  (void)report;
  const json_t *holds = json_object_get(record->json, "holds");
  struct text why = {.arena = out->arena};
  if (record->result == RESULT_ERROR) record_why(record, &why);
  add_field(record->test, out);
  add_field(record->file, out);
  text_printf(out, "%lld,", record->line);
  add_field(record->model, out);
  add_field(record->verdict, out);
  add_field(record->observation, out);
  add_field(json_is_true(holds) ? "1" : json_is_false(holds) ? "0" : "", out);
  add_count(record->json, "positive", out);
  add_count(record->json, "negative", out);
  add_field(record->expected, out);
  add_field(result_name(record->result), out);
  add_field(why.len ? text_str(&why) : record->reason, out);
  text_printf(out, "%.3f,", record->ms);
  text_init(&why, out->arena);
  record_add_remarks(record, &why);
  add_quoted(record->remarks ? text_str(&why) + strlen("; ") : "", out);
  text_char(out, '\n');
}

const struct report_format format_csv = {.begin = csv_begin, .add = csv_add};
