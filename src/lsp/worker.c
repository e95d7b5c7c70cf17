/* The worker: checks a document, and writes messages, verdicts, findings and fixes. */

#include "base/told.h"
#include "lsp/lsp.h"

enum mark_severity { MARK_ERROR = 1, MARK_WARNING, MARK_INFORMATION }; /* the numbers of the protocol */

struct notes {
  struct ptxlit *session;
  const struct lsp_document *document;
  bool utf8;
  json_t *diagnostics, *lenses, *actions;
};

static json_t *range(const struct notes *r, size_t line, size_t column, size_t end_line, size_t end_column) {
  const char *text = r->document->text;
  return json_pack("{s:o,s:o}", "start", lsp_position(text, line, column, r->utf8), "end",
                   lsp_position(text, end_line, end_column, r->utf8));
}

/* The range from a position to the end of the instruction or cell. */
static json_t *range_from(const struct notes *r, size_t line, size_t column) {
  const char *at = lsp_line(r->document->text, line);
  size_t width = strcspn(at, "\n"), begin = column && column <= width ? column - 1 : 0;
  return range(r, line, begin + 1, line, begin + 1 + lsp_cell(at + begin));
}

static void add(struct notes *r, json_t *where, enum mark_severity severity, const char *code, const char *text) {
  json_array_append_new(r->diagnostics, json_pack("{s:o,s:i,s:s,s:s*,s:s}", "range", where, "severity", (int)severity,
                                                  "source", "ptxlit", "code", code, "message", text));
}

static bool is_document(const struct notes *r, const char *file) {
  return !file || strcmp(file, r->document->path) == 0;
}

/* Adds a message. A message about another file, such as an included model, is placed at the start of the document and
 * names the file. */
static void add_message(struct notes *r, const struct ptxlit_message *m) {
  bool here = is_document(r, m->file), placed = here && m->line;
  char *text = NULL;
  size_t size = 0;
  FILE *to = open_memstream(&text, &size);
  if (!to) return;
  if (!here) fprintf(to, "%s:%u:%u: ", m->file, m->line, m->column);
  fprintf(to, "%s", m->text);
  if (m->hint) fprintf(to, "\n%s", m->hint);
  if (fclose(to) != 0) return;
  json_t *where = !placed ? range_from(r, 1, 1)
                  : m->end_line == m->line && m->end_column <= m->column
                      ? range_from(r, m->line, m->column)
                      : range(r, m->line, m->column, m->end_line, m->end_column);
  add(r, where, m->warning ? MARK_WARNING : MARK_ERROR, m->code, text);
  free(text);
}

static void add_messages(struct notes *r) {
  const struct ptxlit_message *list;
  size_t count = ptxlit_message_list(r->session, &list);
  for (size_t i = 0; i < count; i++) add_message(r, &list[i]);
}

static const char *string(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static size_t number(const json_t *object, const char *key) {
  return (size_t)json_integer_value(json_object_get(object, key));
}

/* Adds the reason for an undefined or unknown verdict, at its place. */
static void add_reason(struct notes *r, json_t *result, bool undefined) {
  json_t *reason = json_object_get(result, "reason");
  const char *text = string(reason, "text"), *file = string(reason, "file");
  bool placed = file && is_document(r, file);
  if (!text) return;
  add(r, range_from(r, placed ? number(reason, "line") : 1, placed ? number(reason, "column") : 1),
      undefined ? MARK_WARNING : MARK_INFORMATION, string(reason, "id"), text);
}

/* Adds the findings of an unsafe test. */
static void add_findings(struct notes *r, json_t *result) {
  size_t i;
  json_t *finding;
  json_array_foreach(json_object_get(result, "findings"), i, finding) {
    const json_t *access, *place = told_place(finding, &access);
    struct arena arena;
    struct text text = {.arena = &arena};
    arena_init(&arena, NULL);
    told_finding(finding, &text);
    const char *file = string(place, "file");
    bool placed = place && number(place, "line") && is_document(r, file);
    add(r, range_from(r, placed ? number(place, "line") : 1, placed ? number(place, "column") : 1), MARK_WARNING,
        string(finding, "kind"), text_str(&text));
    arena_release(&arena);
  }
}

/* Adds the first line of a text as a lens above the test. */
static void add_lens(struct notes *r, size_t test, const char *text) {
  json_t *where = range_from(r, ptxlit_test_line(r->session, test), 1);
  json_array_append_new(r->lenses, json_pack("{s:o,s:{s:s%,s:s}}", "range", where, "command", "title", text,
                                             strcspn(text, "\n"), "command", ""));
}

static void check_one(struct notes *r, size_t test, size_t model) {
  const struct ptxlit_result *result;
  ptxlit_check(r->session, test, model, &result);
  add_messages(r);
  if (!result) return;
  const char *text = ptxlit_render(r->session, result, PTXLIT_SUMMARY);
  if (text) add_lens(r, test, text);
  text = ptxlit_render(r->session, result, PTXLIT_JSON);
  json_t *facts = text ? json_loads(text, 0, NULL) : NULL;
  add_reason(r, facts, result->verdict == PTXLIT_UNDEFINED);
  add_findings(r, facts);
  json_decref(facts);
}

static void add_action(struct notes *r, json_t *way, const char *verdict) {
  json_t *edits = lsp_edits(r->document->text, way, r->utf8);
  char *changes = edits ? lsp_edits_title(way) : NULL, title[1000];
  if (changes) {
    snprintf(title, sizeof title, "%s makes it %s", changes, verdict ? verdict : "right");
    json_array_append_new(r->actions, json_pack("{s:s,s:s,s:{s:{s:O}}}", "title", title, "kind", "quickfix", "edit",
                                                "changes", r->document->uri, edits));
  }
  free(changes);
  json_decref(edits);
}

/* Finds the fixes for the first model. */
static void find_actions(struct notes *r, size_t test) {
  const struct ptxlit_fix_options options = {.ways = 5};
  const char *text;
  ptxlit_fix(r->session, test, 0, &options, PTXLIT_JSON, &text);
  json_t *fixes = text ? json_loads(text, 0, NULL) : NULL, *way;
  size_t i;
  json_array_foreach(json_object_get(fixes, "ways"), i, way) {
    add_action(r, way, json_string_value(json_array_get(json_object_get(fixes, "verdicts"), i)));
  }
  json_decref(fixes);
}

static void tell(FILE *out, json_t *line) {
  json_dumpf(line, out, JSON_COMPACT);
  fputc('\n', out);
  fflush(out);
  json_decref(line);
}

static void check_tests(struct notes *r) {
  const struct lsp_document *document = r->document;
  size_t tests = 0;
  if (ptxlit_read_text(r->session, document->path, document->text, strlen(document->text)) != PTXLIT_BAD_INPUT)
    tests = ptxlit_test_count(r->session);
  add_messages(r);
  for (size_t test = 0; test < tests; test++)
    for (size_t model = 0; model < ptxlit_model_count(r->session); model++) check_one(r, test, model);
}

/* True if the file has this text: a compiler reads the file. */
static bool is_saved(const struct lsp_document *document) {
  size_t length = strlen(document->text), got = 0;
  FILE *file = fopen(document->path, "r");
  char *text = file ? malloc(length + 2) : NULL;
  if (text) got = fread(text, 1, length + 1, file);
  bool same = text && got == length && memcmp(text, document->text, length) == 0;
  free(text);
  if (file) fclose(file);
  return same;
}

/* Reads a model or a mapping, which needs no check. */
static void read_other(struct notes *r) {
  const struct lsp_document *document = r->document;
  const char *text;
  char *path = document->path;
  struct ptxlit_map_options options = ptxlit_map_defaults();
  options.events = 1;
  ptxlit_hold_file(r->session, path, document->text, strlen(document->text));
  if (document->kind == LSP_CAT) ptxlit_use_model(r->session, path);
  else ptxlit_map(r->session, &path, 1, &options, PTXLIT_TEXT, &text);
  add_messages(r);
}

void lsp_check(const struct lsp_host *host, const struct lsp_document *document, bool utf8, FILE *out) {
  bool cuda = document->kind == LSP_CUDA, tests = cuda || document->kind == LSP_LITMUS;
  bool noted = cuda && host->compiles && ptxlit_notes_launches(document->path, document->text);
  if (noted && !is_saved(document)) return; /* what was said of the saved text stays */
  struct notes r = {.session = host->open(host->context, tests),
                    .document = document,
                    .utf8 = utf8,
                    .diagnostics = json_array(),
                    .lenses = json_array(),
                    .actions = json_array()};
  if (!r.session) return;
  if (noted || document->kind == LSP_LITMUS) check_tests(&r);
  else if (!cuda) read_other(&r);
  tell(out, json_pack("{s:o,s:o}", "diagnostics", r.diagnostics, "lenses", r.lenses));
  if (document->kind == LSP_LITMUS && ptxlit_test_count(r.session) == 1 && ptxlit_model_count(r.session))
    find_actions(&r, 0);
  tell(out, json_pack("{s:o}", "actions", r.actions));
}
