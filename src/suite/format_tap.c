/* The format tap: TAP version 14. */
#include "suite/report.h"

static void add_description(const char *name, struct text *out) {
  struct text text = {.arena = out->arena};
  text_visible(&text, name);
  for (const char *c = text_str(&text); *c; c++) text_printf(out, *c == '#' || *c == '\\' ? "\\%c" : "%c", *c);
}

static void add_quoted(const char *key, const char *text, struct text *out) {
  text_printf(out, "  %s: \"", key);
  for (size_t length; *text; text += length) { /* escapes of YAML */
    uint32_t character = text_character(text, &length);
    if (*text == '"' || *text == '\\') text_printf(out, "\\%c", *text);
    else if (length > 1 && text_is_hidden(character)) text_printf(out, "\\U%08x", (unsigned)character);
    else if (text_is_hidden(character) || (text[0] == '#' && text[1] == '#'))
      text_printf(out, "\\x%02x", (unsigned)(unsigned char)*text);
    else text_add_slice(out, text, length);
  }
  text_add(out, "\"\n");
}

static void tap_begin(struct report *report, const json_t *run, struct text *out) {
  (void)report, (void)run;
  text_add(out, "TAP version 14\n");
}

static void tap_add(struct report *report, const struct record *record, struct text *out) {
  text_printf(out, "%s %llu - ", record_is_right(record) ? "ok" : "not ok", (unsigned long long)report->total);
  add_description(record->test ? record->test : record->file, out);
  if (record->model) text_add(out, " under ");
  if (record->model) add_description(record->model, out);
  text_char(out, '\n');
  if (record->result == RESULT_PASS && !record->remarks) return;
  struct text why = {.arena = out->arena}, place = {.arena = out->arena};
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

const struct report_format format_tap = {.begin = tap_begin, .add = tap_add, .end = tap_end};
