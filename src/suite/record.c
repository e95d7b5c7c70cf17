#include "suite/record.h"

#include "base/expected.h"

static const struct {
  const char *name, *summary;
  enum ptxlit_status status;
} results[] = {
#define RESULT(id, name, summary, status) {name, summary, status},
    SUITE_RESULTS(RESULT)
#undef RESULT
};

const char *result_name(enum suite_result result) { return results[result].name; }
const char *result_summary(enum suite_result result) { return results[result].summary; }
enum ptxlit_status result_status(enum suite_result result) { return results[result].status; }

/* False if the name is unknown. */
static bool result_from_name(const char *name, enum suite_result *out) {
  for (size_t i = 0; i < RESULT_COUNT; i++) {
    if (strcmp(name, results[i].name) != 0) continue;
    *out = (enum suite_result)i;
    return true;
  }
  return false;
}

void *must_have(void *memory) {
  if (memory) return memory;
  fputs("ptxlit: error: out of memory\n", stderr);
  exit(PTXLIT_NO_VERDICT);
}

struct json record_new(struct arena *arena, const char *test, const char *file) {
  struct json json = json_new(arena);
  PUT(json, J_NUMBER("format", 1), J_TEXT("test", test), J_TEXT("file", file));
  return json;
}

#define UNKNOWN(id, name, text, meaning, cure) static const char name_of_##id[] UNUSED = name;
#include "ptx/reasons.def"

const char *const loss_worker = name_of_LOST_WORKER, *const loss_no_answer = name_of_NO_ANSWER,
                  *const loss_out_of_memory = name_of_OUT_OF_MEMORY;

void record_lose(struct json json, struct loss loss) {
  put_text(json, "verdict", "unknown");
  PUT(put_object(json, "reason"), J_TEXT("id", loss.id), J_TEXT("text", loss.text));
}

struct json record_lost(struct arena *arena, const char *test, const char *file, uint32_t line, const char *model,
                        struct loss loss) {
  struct json json = record_new(arena, test, file);
  PUT(json, J_NUMBER("line", line), J_TEXT("model", model));
  record_lose(json, loss);
  return json;
}

static const char *member(const json_t *object, const char *key) {
  return json_string_value(json_object_get(object, key));
}

static bool is_about(const char *word, enum expected_about about) {
  const struct expected *expectation = expected_find(word);
  return expectation && expectation->about == about;
}

/* True if the verdict decides a condition. */
static bool is_decided(const struct record *record) {
  return record->verdict && (strcmp(record->verdict, "allowed") == 0 || strcmp(record->verdict, "forbidden") == 0);
}

static bool is_verdict(const char *word) {
  return SOME(for (size_t i = 0; word && i < EXPECTED_COUNT; i++),
              expected_rows[i].about == ABOUT_VERDICT && strcmp(word, expected_rows[i].value) == 0);
}

static bool sound(const struct record *record) {
  if (record->error) return record->file != NULL;
  return record->test && record->model && is_verdict(record->verdict);
}

bool record_from_json(json_t *json, struct record *out) {
  const json_t *suite = json_object_get(json, "suite");
  const char *result = member(suite, "result");
  *out = (struct record){
      .json = json,
      .test = member(json, "test"),
      .file = member(json, "file"),
      .model = member(json, "model"),
      .verdict = member(json, "verdict"),
      .observation = member(json, "observation"),
      .error = member(json, "error"),
      .expected = member(json_object_get(json, "expected"), "observation"),
      .reason = member(json_object_get(json, "reason"), "text"),
      .line = json_integer_value(json_object_get(json, "line")),
      .column = json_integer_value(json_object_get(json, "column")),
      .ms = json_number_value(json_object_get(json_object_get(json, "stats"), "ms")),
  };
  if (result) out->judged = result_from_name(result, &out->result);
  out->remarks = (uint32_t)json_array_size(json_object_get(suite, "remarks"));
  if (sound(out)) return true;
  json_decref(json);
  return false;
}

void record_release(struct record *record) {
  json_decref(record->json);
  *record = (struct record){0};
}

const char *record_found(const struct record *record) {
  return record->observation ? record->observation : record->verdict ? record->verdict : "error";
}

bool record_is_launch(const struct record *record) { return json_is_true(json_object_get(record->json, "kernel")); }

void record_qualify(struct record *record, struct arena *arena) {
  struct json json = {arena, record->json, NULL};
  put_text(json, "test", arena_printf(arena, "%s:%s", record->file, record->test));
  record->test = member(record->json, "test");
}

void record_set_duplicate(struct record *record, const char *place, struct arena *arena) {
  struct json suite = {arena, json_object_get(record->json, "suite"), NULL};
  record->result = RESULT_ERROR;
  put_text(suite, "result", result_name(RESULT_ERROR));
  put_text(suite, "duplicate",
           arena_printf(arena, "a second test named '%s'; the first one is at %s", record->test, place));
}

void record_place(const struct record *record, struct text *out) {
  text_add(out, record->file ? record->file : "?");
  if (record->line > 0) text_printf(out, ":%lld", record->line);
  if (record->line > 0 && record->column > 0) text_printf(out, ":%lld", record->column);
}

/* Adds the first message without its place, which the record already has. */
void record_first_error(const char *messages, struct text *out) {
  const char *at = strstr(messages, "error: ");
  at = at ? at + 7 : messages;
  text_add_slice(out, at, strcspn(at, "\n"));
}

void record_remark(struct record *record, struct json suite) {
  const json_t *json = record->json, *warnings = json_object_get(json, "warnings");
  bool decided = is_decided(record);
  bool hangs = is_about(record->expected, ABOUT_TERMINATION);
  struct json remarks = {suite.arena, json_array(), NULL};
  if (decided && !record->observation) put_text(remarks, NULL, "no allowed execution passes the filter");
  else if (json_is_true(json_object_get(json, "vacuous")))
    put_text(remarks, NULL, "vacuous: unreachable even without the axioms");
  if (json_is_object(json_object_get(json, "deadlock")) && !hangs) put_text(remarks, NULL, "deadlock possible");
  for (size_t i = 0; i < json_array_size(warnings); i++) {
    const char *text = member(json_array_get(warnings, i), "text");
    if (text) put_text(remarks, NULL, arena_printf(suite.arena, "warning: %s", text));
  }
  record->remarks = (uint32_t)json_array_size(remarks.value);
  if (record->remarks) put(suite, "remarks", remarks.value);
  else json_decref(remarks.value);
}

void record_add_remarks(const struct record *record, struct text *out) {
  const json_t *remarks = json_object_get(json_object_get(record->json, "suite"), "remarks");
  for (size_t i = 0; i < json_array_size(remarks); i++) {
    const char *text = json_string_value(json_array_get(remarks, i));
    if (text) text_printf(out, "; %s", text);
  }
}

const char *record_uncertified(const struct record *record) {
  const json_t *certificate = json_object_get(record->json, "certificate");
  return json_is_false(json_object_get(certificate, "certified")) ? member(certificate, "problem") : NULL;
}

bool record_is_right(const struct record *record) {
  return record->result == RESULT_PASS || record->result == RESULT_NEW;
}

/* "; race: read of x by thread 0 of block 0 at gemm.cu:21:5, with gemm.cu:17; put ...; 3 more findings" */
static void add_first_finding(const struct record *record, struct text *out) {
  const json_t *findings = json_object_get(record->json, "findings"), *access;
  size_t count = json_array_size(findings);
  if (!count) return;
  const json_t *first = json_array_get(findings, 0), *place = told_place(first, &access);
  const char *file = member(place, "file");
  text_add(out, "; ");
  if (file) text_printf(out, "%s:", file);
  if (json_is_integer(json_object_get(place, "line")))
    text_printf(out, "%s%lld: ", file ? "" : "line ", (long long)json_integer_value(json_object_get(place, "line")));
  told_finding(first, out);
  if (count > 1) text_printf(out, "; %zu more finding%s", count - 1, count == 2 ? "" : "s");
}

static void add_found(const struct record *record, struct text *out) {
  const json_t *holds = json_object_get(record->json, "holds");
  const char *ends = member(record->json, "termination");
  if (is_about(record->expected, ABOUT_TERMINATION))
    text_printf(out, "found termination: %s", ends ? ends : "not checked, use --check termination");
  else if (is_about(record->expected, ABOUT_HOLDS) && json_is_boolean(holds))
    text_printf(out, "found %s (%s)", json_is_true(holds) ? "holds" : "fails",
                record->observation ? record->observation : "nothing passes the filter");
  else text_printf(out, "found %s", is_about(record->expected, ABOUT_VERDICT) ? record->verdict : record_found(record));
  if (record->reason) text_printf(out, ": %s", record->reason);
  add_first_finding(record, out);
}

void record_why(const struct record *record, struct text *out) {
  const char *duplicate = member(json_object_get(record->json, "suite"), "duplicate");
  if (record->error) {
    record_first_error(record->error, out);
    return;
  }
  if (duplicate) {
    text_add(out, duplicate);
    return;
  }
  bool met = record->expected && wanted_met(record->expected, record);
  if (record->expected && !met) text_printf(out, "expected %s, ", record->expected);
  else if (!record->expected && record->result == RESULT_FAIL) text_add(out, "nothing is expected, ");
  add_found(record, out);
  if (record_uncertified(record)) text_printf(out, "; not certified: %s", record_uncertified(record));
  record_add_remarks(record, out);
}

bool wanted_met(const char *word, const struct record *record) {
  const struct expected *expectation = expected_find(word);
  const json_t *holds = json_object_get(record->json, "holds");
  const char *value = NULL;
  if (record->error || !expectation) return false;
  switch (expectation->about) {
    case ABOUT_HOLDS: value = json_is_true(holds) ? "true" : json_is_false(holds) ? "false" : NULL; break;
    case ABOUT_OBSERVATION: value = record->observation; break;
    case ABOUT_VERDICT: value = record->verdict; break;
    case ABOUT_TERMINATION: value = member(record->json, "termination"); break;
  }
  return expected_is_met(expectation, value);
}
