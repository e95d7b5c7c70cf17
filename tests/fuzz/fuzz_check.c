/* The whole pipeline on a test: verdict under ptx, all formats and dumps, explanations, and conversion. */
#include "tests.h"

#include <jansson.h>
#include <string.h>

static void dump_all(struct ptxlit *session) {
  ptxlit_dump(session, 0, 0, PTXLIT_DUMP_EVENTS);
  ptxlit_dump(session, 0, 0, PTXLIT_DUMP_BOUNDS);
  ptxlit_dump(session, 0, 0, PTXLIT_DUMP_CNF);
}

static void render_all(struct ptxlit *session, const struct ptxlit_result *result) {
  for (int format = PTXLIT_TEXT; format <= PTXLIT_SUMMARY; format++) {
    const char *text = ptxlit_render(session, result, (enum ptxlit_format)format);
    if (!text || !*text || text[strlen(text) - 1] != '\n') BUG("format %d has no text", format);
  }
}

/* One of the outcomes, such as "0:r0=0x1; x=0x2"; false when there is none. */
static bool pick_state(struct ptxlit *session, const struct ptxlit_result *result, size_t number, char state[1000]) {
  json_t *root = json_loads(ptxlit_render(session, result, PTXLIT_JSON), 0, NULL), *value;
  const json_t *outcomes = json_object_get(root, "outcomes");
  size_t count = json_array_size(outcomes), length = 0;
  const char *name;
  json_object_foreach(json_object_get(json_array_get(outcomes, count ? number % count : 0), "state"), name, value) {
    const char *big = json_string_value(value), *between = length ? "; " : "";
    json_int_t small = json_integer_value(value);
    int added =
        big ? snprintf(state + length, 1000 - length, "%s%s=%s", between, name, big)
            : snprintf(state + length, 1000 - length, small < 0 ? "%s%s=%lld" : "%s%s=0x%08llx", between, name, small);
    length += (size_t)added;
    if (length >= 1000) break;
  }
  json_decref(root);
  return length > 0 && length < 1000;
}

static void explain(struct ptxlit *session, const char *state, size_t size) {
  const char *text;
  enum ptxlit_status status = ptxlit_explain(session, 0, 0, state, size & 1 ? PTXLIT_JSON : PTXLIT_TEXT, &text);
  if (!text && status == PTXLIT_OK) BUG("no explanation");
  if (!text && !*ptxlit_messages(session, false)) BUG("no explanation, and no message");
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct ptxlit *session; /* reading a model costs more than most inputs; it is never changed */
  const struct ptxlit_result *result;
  char state[1000];
  struct ptxlit_options options = fuzz_options(size);
  if (!session) session = fuzz_session("ptx");
  fuzz_begin();
  if (fuzz_read(session, "fuzz.litmus", data, size, &options)) {
    fuzz_round_trip(session, &options);
    fuzz_kept(0, "reading");
    ptxlit_check(session, 0, 0, &result);
    fuzz_kept(options.timeout, "check");
    if (!result) BUG("%s", ptxlit_messages(session, false));
    render_all(session, result);
    bool answered = result->verdict != PTXLIT_UNKNOWN;
    explain(session, NULL, size);
    fuzz_kept(2 * options.timeout, "explain"); /* once for the check, once for the reasons */
    if (pick_state(session, result, size, state)) explain(session, state, size);
    fuzz_kept(2 * options.timeout, "explain of a state");
    if (answered) dump_all(session); /* they have no limit of their own */
  }
  fuzz_end();
  return 0;
}
