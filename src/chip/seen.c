#include "chip/seen.h"

#include <jansson.h>

struct reading {
  struct arena *arena;
  struct diags *diags;
  struct sightings *seen;
  struct span line;
  const json_t *object;
  struct json_slot *slot;
};

/* Owns jansson's value until the arena is released or the next line is read. */
struct json_slot {
  json_t *value;
};

static void release(void *object) {
  struct json_slot *slot = object;
  json_decref(slot->value);
  slot->value = NULL;
}

static bool wrong(struct reading *r, const char *what) {
  return diag_refuse(r->diags, DIAG_WRONG_RESULTS, r->line, "%s", what);
}

/* A text member, copied to the arena; NULL if it is not a text. */
static const char *text_of(struct reading *r, const char *key) {
  const char *text = json_string_value(json_object_get(r->object, key));
  return text ? arena_strdup(r->arena, text) : NULL;
}

static bool number_of(const json_t *object, const char *key, uint64_t *number) {
  const json_t *value = json_object_get(object, key);
  if (!json_is_integer(value) || json_integer_value(value) < 0) return false;
  *number = (uint64_t)json_integer_value(value);
  return true;
}

const struct seen_test *seen_find(const struct sightings *seen, const char *hash) {
  return VEC_FIND(e, &seen->tests, strcmp(e->hash, hash) == 0);
}

static struct seen_outcome *find_outcome(const struct seen_test *test, const char *state) {
  return VEC_FIND(e, &test->outcomes, strcmp(e->state, state) == 0);
}

uint64_t seen_count(const struct seen_test *test, const char *state) {
  const struct seen_outcome *outcome = find_outcome(test, state);
  return outcome ? outcome->count : 0;
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

/* ---- one line, by itself */

static bool read_machine(struct reading *r, struct seen_test *test, double seconds) {
  struct seen_machine machine = {text_of(r, "device"), text_of(r, "driver"), text_of(r, "compiler"),
                                 text_of(r, "flags"),  test->runs,           seconds};
  if (!machine.device || !machine.driver || !machine.compiler || !machine.flags)
    return wrong(r, "a result needs 'device', 'driver', 'compiler' and 'flags'");
  VEC_PUSH(r->arena, &test->machines, machine);
  return true;
}

static void add_outcome(struct arena *arena, struct seen_test *test, const char *state, uint64_t count) {
  struct seen_outcome *known = find_outcome(test, state);
  if (known) known->count += count;
  else VEC_PUSH(arena, &test->outcomes, (struct seen_outcome){arena_strdup(arena, state), count});
}

static bool read_outcomes(struct reading *r, struct seen_test *test, bool complete) {
  const json_t *outcomes = json_object_get(r->object, "outcomes");
  uint64_t left = test->runs;
  if (test->unfinished > left) return wrong(r, "more instances are unfinished than were run");
  left -= test->unfinished;
  for (size_t i = 0; i < json_array_size(outcomes); i++) {
    const json_t *object = json_array_get(outcomes, i);
    const char *state = json_string_value(json_object_get(object, "state"));
    uint64_t count;
    if (!state || !number_of(object, "count", &count)) return wrong(r, "an outcome needs 'state' and 'count'");
    if (count > left) return wrong(r, "the outcomes are more than the runs");
    left -= count;
    add_outcome(r->arena, test, state, count);
  }
  return !left || !complete || wrong(r, "the outcomes do not add up to the runs");
}

static bool read_run(struct reading *r, struct seen_test *test) {
  const char *ended = json_string_value(json_object_get(r->object, "ended"));
  double seconds = json_number_value(json_object_get(r->object, "seconds"));
  if (!number_of(r->object, "runs", &test->runs) || !number_of(r->object, "unfinished", &test->unfinished) || !ended ||
      !json_is_array(json_object_get(r->object, "outcomes")))
    return wrong(r, "a result needs 'runs', 'unfinished', 'ended' and 'outcomes'");
  test->hangs = same(ended, "hang");
  test->faults = same(ended, "fault");
  bool done = same(ended, "done");
  if (!done && !test->hangs && !test->faults) return wrong(r, "'ended' is none of done, hang and fault");
  return read_machine(r, test, seconds) && read_outcomes(r, test, done);
}

static bool read_result(struct reading *r, struct seen_test *test) {
  uint64_t format = 0;
  *test = (struct seen_test){.name = text_of(r, "test"),
                             .hash = text_of(r, "hash"),
                             .text = text_of(r, "text"),
                             .left_out = text_of(r, "left_out")};
  if (!number_of(r->object, "format", &format) || format != 1) return wrong(r, "no result of format 1");
  if (!test->name || !test->hash || !test->text) return wrong(r, "a result needs 'test', 'hash' and 'text'");
  return test->left_out || read_run(r, test);
}

/* ---- adding results up */

static void add_machine(struct arena *arena, struct seen_test *test, const struct seen_machine *machine) {
  VEC_EACH (known, &test->machines) {
    if (!same(known->device, machine->device) || !same(known->driver, machine->driver) ||
        !same(known->compiler, machine->compiler) || !same(known->flags, machine->flags))
      continue;
    known->seconds += machine->seconds;
    known->runs += machine->runs;
    return;
  }
  VEC_PUSH(arena, &test->machines, *machine);
}

static void add_run(struct arena *arena, struct seen_test *test, const struct seen_test *more) {
  test->left_out = NULL;
  test->runs += more->runs;
  test->unfinished += more->unfinished;
  test->hangs += more->hangs;
  test->faults += more->faults;
  add_machine(arena, test, &more->machines.data[0]);
  for (uint32_t i = 0; i < more->outcomes.len; i++)
    add_outcome(arena, test, more->outcomes.data[i].state, more->outcomes.data[i].count);
}

/* Adds a result. No count exceeds the number of runs, so only that sum is checked for overflow. */
static bool add_result(struct reading *r) {
  struct seen_test read;
  if (!read_result(r, &read)) return false;
  const struct seen_test *known = seen_find(r->seen, read.hash);
  if (!known) {
    VEC_PUSH(r->arena, &r->seen->tests, read);
    return true;
  }
  struct seen_test *test = &r->seen->tests.data[known - r->seen->tests.data];
  if (read.left_out) return true;
  if (test->runs > (uint64_t)INT64_MAX - read.runs) return wrong(r, "the results add up to more than a count can hold");
  add_run(r->arena, test, &read);
  return true;
}

/* Parses twice, because jansson may silently omit a character of a text when memory runs out. */
static json_t *parse(struct reading *r, const char *text, size_t length) {
  json_error_t error;
  errno = 0;
  release(r->slot);
  r->slot->value = json_loadb(text, length, 0, &error);
  json_t *again = json_loadb(text, length, 0, NULL);
  bool same = r->slot->value ? json_equal(r->slot->value, again) : !again;
  json_decref(again);
  if (!same || (!r->slot->value && (errno == ENOMEM || !*error.text))) arena_out_of_memory(r->arena);
  return r->slot->value;
}

static bool read_line(struct reading *r, const char *text, size_t length) {
  r->object = parse(r, text, length);
  if (json_is_object(r->object)) return add_result(r);
  return wrong(r, r->line.begin ? "not a JSON object" : "not a JSON object" HINT "'ptxlit run' writes result files");
}

static int by_count(const void *a, const void *b) {
  const struct seen_outcome *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return strcmp(x->state, y->state);
}

static void sort_outcomes(struct sightings *seen) {
  VEC_EACH (test, &seen->tests)
    if (test->outcomes.len > 1) qsort(test->outcomes.data, test->outcomes.len, sizeof *test->outcomes.data, by_count);
}

bool seen_read(struct arena *arena, struct diags *diags, const struct source *source, struct sightings *seen) {
  struct reading r = {.arena = arena, .diags = diags, .seen = seen};
  bool right = true;
  uint32_t before = seen->tests.len;
  r.slot = ARENA_NEW(arena, struct json_slot);
  arena_own(arena, release, r.slot);
  for (uint32_t begin = 0; begin < source->length;) {
    const char *end = memchr(source->text + begin, '\n', source->length - begin);
    uint32_t length = (uint32_t)(end ? end - source->text : (ptrdiff_t)source->length) - begin;
    r.line = (struct span){source, begin, begin + length};
    if (length) right &= read_line(&r, source->text + begin, length);
    begin += length + 1;
  }
  release(r.slot);
  if (right && seen->tests.len == before && !source->length) {
    diag_report(diags, DIAG_EMPTY_INPUT, (struct span){0}, "'%s' has no results", source->name);
    right = false;
  }
  sort_outcomes(seen);
  return right;
}
