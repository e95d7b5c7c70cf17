/* The format html: one page with a row for each test, and its result under each model. It needs no other file. */
#include "suite/report.h"

static const char style[] =
    ":root { color-scheme: light dark }\n"
    "body { font: 16px/1.5 system-ui, sans-serif; margin: 1.5rem auto; max-width: 72rem }\n"
    "table { border-collapse: collapse } th, td { border: 1px solid #8885; padding: .25rem .6rem;"
    " text-align: left; overflow-wrap: anywhere }\n"
    ".fail, .unknown, .error { font-weight: 600; color: light-dark(#b00020, #ff7b72) }\n"
    ".differ td { background: #d4a01722 }\n";

/* Like all names in reports, one that a CI runner would take for a command is shown with an escape. */
static void add_cell(const char *text, struct text *out) {
  struct text line = {.arena = out->arena};
  text_visible(&line, text);
  text_weave(out, "<td>", text_str(&line), "</td>", NULL);
}

static void write_row(const struct report *report, struct text *out) {
  const struct report_row *row = &report->row;
  text_add(out, row->differ ? "<tr class=\"differ\">" : "<tr>");
  add_cell(row->test, out);
  for (size_t i = 0; i < report->model_count; i++) add_cell(row->cells[i], out);
  text_printf(out, "<td class=\"%s\">%s%s</td>", result_name(row->worst), result_name(row->worst),
              row->remarked ? ", with a remark" : "");
  json_t *file = json_text(out->arena, row->file); /* as in JSON: replaces bytes that are not UTF-8 */
  add_cell(json_string_value(file), out);
  json_decref(file);
  add_cell(row->why ? row->why : "", out);
  text_add(out, "</tr>\n");
}

static void html_begin(struct report *report, const json_t *run, struct text *out) {
  (void)run;
  text_printf(out,
              "<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" "
              "content=\"width=device-width\"><title>Litmus tests</title><style>\n%s</style></head><body>\n"
              "<h1>Litmus tests</h1>\n<table>\n<tr><th>Test</th>",
              style);
  for (size_t i = 0; i < report->model_count; i++) text_weave(out, "<th>", report->models[i], "</th>", NULL);
  text_add(out, "<th>Result</th><th>File</th><th>Why</th></tr>\n");
}

static void html_add(struct report *report, const struct record *record, struct text *out) {
  table_add(report, record, write_row, out);
}

static void html_end(struct report *report, const struct report_end *end, struct text *out) {
  table_end(report, write_row, out);
  text_printf(out, "</table>\n<p>%llu results", (unsigned long long)report->total);
  for (enum suite_result i = 0; i < RESULT_COUNT; i++)
    if (report->counts[i]) text_printf(out, ", %llu %s", (unsigned long long)report->counts[i], result_name(i));
  text_add(out, ".");
  if (end->why) text_weave(out, " Not all tests were run: ", end->why, ".", NULL);
  text_add(out, "</p>\n</body></html>\n");
}

const struct report_format format_html = {.begin = html_begin, .add = html_add, .end = html_end};
