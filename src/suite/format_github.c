/* The format github: workflow commands of GitHub Actions, one annotation per result that is not right or has a remark,
 * and one for the whole run, so that a report is never empty. A command is one line, "::error
 * file=F,line=L,col=C,title=T::MESSAGE", in which the runner decodes %25, %0D and %0A, and in properties also %3A and
 * %2C. Source: GitHub's documentation, "Workflow commands". */

#include "suite/report.h"

static const char *const in_message = "%", *const in_property = "%:,"; /* the characters to encode */

/* One line of a message or a property. After text_visible it has no line end and nothing that a runner acts on. */
static void add_line(struct text *out, const char *line, const char *encoded) {
  struct text visible = {.arena = out->arena};
  text_visible(&visible, line);
  for (const char *c = text_str(&visible); *c; c++) {
    if (strchr(encoded, *c)) text_printf(out, "%%%02X", (unsigned)*c);
    else text_char(out, *c);
  }
}

static void add_message(struct text *out, const char *message) {
  for (size_t length; *message; message += length) {
    length = strcspn(message, "\n");
    add_line(out, arena_printf(out->arena, "%.*s", (int)length, message), in_message);
    length += message[length] == '\n';
    if (message[length]) text_add(out, "%0A");
  }
}

static void add_place(struct text *out, const char *file, long long line, long long column) {
  if (base_begins(file, "./")) file += 2; /* a path below the root of the repository, as GitHub names it */
  text_add(out, "file=");
  add_line(out, file, in_property);
  if (line > 0) text_printf(out, ",line=%lld", line);
  if (line > 0 && column > 0) text_printf(out, ",col=%lld", column);
}

static void add_title(struct text *out, const struct record *record) {
  text_add(out, ",title=");
  if (record->test) add_line(out, record->test, in_property);
  if (record->model) text_add(out, " under ");
  if (record->model) add_line(out, record->model, in_property);
  text_printf(out, "%s%s", record->test ? "%3A " : "", result_name(record->result));
}

static void add_finding(const struct record *record, const json_t *finding, struct text *out) {
  const json_t *access, *place = told_place(finding, &access);
  const char *file = json_string_value(json_object_get(place, "file"));
  struct text message = {.arena = out->arena};
  told_finding(finding, &message);
  text_add(out, "::error ");
  add_place(out, file ? file : record->file ? record->file : "", json_integer_value(json_object_get(place, "line")),
            json_integer_value(json_object_get(place, "column")));
  add_title(out, record);
  text_add(out, "::");
  add_message(out, text_str(&message));
  text_char(out, '\n');
}

static void github_add(struct report *report, const struct record *record, struct text *out) {
  (void)report;
  struct text why = {.arena = out->arena};
  bool right = record_is_right(record);
  const json_t *findings = json_object_get(record->json, "findings"), *finding;
  size_t i;
  if (right && !record->remarks) return;
  if (record->result == RESULT_FAIL && json_array_size(findings)) {
    json_array_foreach(findings, i, finding) add_finding(record, finding, out);
    return;
  }
  record_why(record, &why);
  text_printf(out, "::%s ", right ? "warning" : "error");
  add_place(out, record->file ? record->file : "", record->line, record->column);
  add_title(out, record);
  text_add(out, "::");
  add_message(out, record->error ? record->error : text_str(&why));
  text_char(out, '\n');
}

static void github_end(struct report *report, const struct report_end *end, struct text *out) {
  uint64_t right = report->counts[RESULT_PASS] + report->counts[RESULT_NEW];
  text_printf(out, "::notice title=ptxlit::%llu of %llu results are right\n", (unsigned long long)right,
              (unsigned long long)report->total);
  if (!end->not_run || end->wanted) return;
  text_printf(out, "::error title=ptxlit::%llu file%s not run%s", (unsigned long long)end->not_run,
              end->not_run == 1 ? "" : "s", end->why ? ": " : "");
  add_message(out, end->why ? end->why : "");
  text_char(out, '\n');
}

const struct report_format format_github = {.add = github_add, .end = github_end};
