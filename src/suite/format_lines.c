/* TAP 14, and CSV with a line for each result. */
#include <string.h>

#include "suite/report.h"

/* ---- TAP */

static void add_description(const char *name, struct text *out) {
  struct text text;
  text_init(&text, out->arena);
  record_add_visible(&text, name);
  for (const char *c = text_str(&text); *c; c++) {
    if (*c == '#' || *c == '\\') text_char(out, '\\');
    text_char(out, *c);
  }
}

static void add_quoted(const char *key, const char *text, struct text *out) {
  text_printf(out, "  %s: \"", key);
  for (; *text; text++) {
    if (*text == '"' || *text == '\\') text_printf(out, "\\%c", *text);
    else if ((unsigned char)*text < 0x20) text_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    else text_char(out, *text);
  }
  text_add(out, "\"\n");
}

static void tap_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report;
  (void)run;
  text_add(out, "TAP version 14\n");
}

static void tap_place(struct report *report, const struct record *record, struct text *out) {
  bool right = record->result == RESULT_PASS || record->result == RESULT_NEW;
  text_printf(out, "%s %llu - ", right ? "ok" : "not ok", (unsigned long long)report->total);
}

static void tap_add(const struct report *report, const struct record *record, struct text *out) {
  (void)report;
  add_description(record->test ? record->test : record->file, out);
  if (record->model) text_add(out, " under ");
  if (record->model) add_description(record->model, out);
  text_char(out, '\n');
  if (record->result == RESULT_PASS) return;
  struct text why, place;
  text_init(&why, out->arena);
  text_init(&place, out->arena);
  record_why(record, &why);
  record_place(record, &place);
  text_add(out, "  ---\n");
  add_quoted("message", text_str(&why), out);
  add_quoted("result", result_name(record->result), out);
  add_quoted("at", text_str(&place), out);
  text_add(out, "  ...\n");
}

static void tap_end(struct report *report, const struct report_end *end, struct text *out) {
  if (end->why) {
    text_add(out, "Bail out! ");
    add_description(end->why, out);
    text_char(out, '\n');
  } else {
    text_printf(out, "1..%llu\n", (unsigned long long)report->total);
  }
}

const struct report_format format_tap = {.begin = tap_begin, .add = tap_add, .place = tap_place, .end = tap_end};

/* ---- CSV (RFC 4180, with plain line ends) */

static void add_field(const char *text, struct text *out) {
  if (!text) text = "";
  bool quoted = strpbrk(text, ",\"\r\n") != NULL;
  if (quoted) text_char(out, '"');
  for (; *text; text++) {
    if (*text == '"') text_char(out, '"');
    text_char(out, *text);
  }
  if (quoted) text_char(out, '"');
  text_char(out, ',');
}

static void csv_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report;
  (void)run;
  text_add(out, "test,file,line,model,verdict,observation,holds,positive,negative,expected,result,reason,ms\n");
}

static void add_count(const json_t *json, const char *key, struct text *out) {
  const json_t *count = json_object_get(json, key);
  if (json_is_integer(count)) text_printf(out, "%lld", (long long)json_integer_value(count));
  text_char(out, ',');
}

static void csv_add(const struct report *report, const struct record *record, struct text *out) {
  (void)report;
  const json_t *holds = json_object_get(record->json, "holds");
  struct text why;
  text_init(&why, out->arena);
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
  text_printf(out, "%.3f\n", record->ms);
}

const struct report_format format_csv = {.begin = csv_begin, .add = csv_add};
