#include "chip/seen.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

struct reading {
  struct arena *arena;
  struct diags *diags;
  struct sightings *seen;
  struct span line;
  const json_t *object;
  struct json_slot *slot;
};

/* Holds what jansson made until the arena goes, or the next line comes. */
struct json_slot {
  json_t *value;
};

static void release(void *object) {
  struct json_slot *slot = object;
  json_decref(slot->value);
  slot->value = NULL;
}

static bool wrong(struct reading *r, const char *what) {
  diag_report(r->diags, DIAG_WRONG_RESULTS, r->line, "%s", what);
  return false;
}

/* A member that is a text, in the arena; NULL when it is none. */
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

static bool add_up(struct reading *r, uint64_t *sum, uint64_t more) {
  if (*sum > (uint64_t)INT64_MAX - more) return wrong(r, "the results add up to more than a count can hold");
  *sum += more;
  return true;
}

const struct seen_test *seen_find(const struct sightings *seen, const char *hash) {
  for (uint32_t i = 0; i < seen->tests.len; i++)
    if (strcmp(seen->tests.data[i].hash, hash) == 0) return &seen->tests.data[i];
  return NULL;
}

static struct seen_outcome *find_outcome(const struct seen_test *test, const char *state) {
  for (uint32_t i = 0; i < test->outcomes.len; i++)
    if (strcmp(test->outcomes.data[i].state, state) == 0) return &test->outcomes.data[i];
  return NULL;
}

uint64_t seen_count(const struct seen_test *test, const char *state) {
  const struct seen_outcome *outcome = find_outcome(test, state);
  return outcome ? outcome->count : 0;
}

static struct seen_test *enter_test(struct reading *r, const char *name, const char *hash, const char *text) {
  const struct seen_test *known = seen_find(r->seen, hash);
  if (known) return &r->seen->tests.data[known - r->seen->tests.data];
  VEC_PUSH(r->arena, &r->seen->tests, (struct seen_test){.name = name, .hash = hash, .text = text});
  return &r->seen->tests.data[r->seen->tests.len - 1];
}

static bool same(const char *a, const char *b) { return strcmp(a, b) == 0; }

static bool add_machine(struct reading *r, struct seen_test *test, uint64_t runs, double seconds) {
  struct seen_machine machine = {text_of(r, "device"), text_of(r, "driver"), text_of(r, "compiler"),
                                 text_of(r, "flags"),  runs,                 seconds};
  if (!machine.device || !machine.driver || !machine.compiler || !machine.flags)
    return wrong(r, "a result needs 'device', 'driver', 'compiler' and 'flags'");
  for (uint32_t i = 0; i < test->machines.len; i++) {
    struct seen_machine *known = &test->machines.data[i];
    if (!same(known->device, machine.device) || !same(known->driver, machine.driver) ||
        !same(known->compiler, machine.compiler) || !same(known->flags, machine.flags))
      continue;
    known->seconds += seconds;
    return add_up(r, &known->runs, runs);
  }
  VEC_PUSH(r->arena, &test->machines, machine);
  return true;
}

static bool add_outcomes(struct reading *r, struct seen_test *test, const json_t *outcomes, uint64_t *sum) {
  for (size_t i = 0; i < json_array_size(outcomes); i++) {
    const json_t *object = json_array_get(outcomes, i);
    const char *state = json_string_value(json_object_get(object, "state"));
    uint64_t count;
    if (!state || !number_of(object, "count", &count)) return wrong(r, "an outcome needs 'state' and 'count'");
    struct seen_outcome *known = find_outcome(test, state);
    if (!known) {
      VEC_PUSH(r->arena, &test->outcomes, (struct seen_outcome){arena_strdup(r->arena, state), 0});
      known = &test->outcomes.data[test->outcomes.len - 1];
    }
    if (!add_up(r, &known->count, count) || !add_up(r, sum, count)) return false;
  }
  return true;
}

static bool add_run(struct reading *r, struct seen_test *test) {
  const json_t *outcomes = json_object_get(r->object, "outcomes");
  const char *ended = json_string_value(json_object_get(r->object, "ended"));
  double seconds = json_number_value(json_object_get(r->object, "seconds"));
  uint64_t runs, unfinished, sum = 0;
  if (!number_of(r->object, "runs", &runs) || !number_of(r->object, "unfinished", &unfinished) ||
      !json_is_array(outcomes) || !ended)
    return wrong(r, "a result needs 'runs', 'unfinished', 'ended' and 'outcomes'");
  test->left_out = NULL;
  if (!add_machine(r, test, runs, seconds) || !add_outcomes(r, test, outcomes, &sum)) return false;
  if (!add_up(r, &sum, unfinished)) return false;
  if (sum != runs && strcmp(ended, "done") == 0) return wrong(r, "the outcomes do not add up to the runs");
  if (strcmp(ended, "hang") == 0) test->hangs++;
  else if (strcmp(ended, "fault") == 0) test->faults++;
  else if (strcmp(ended, "done") != 0) return wrong(r, "'ended' is none of done, hang and fault");
  return add_up(r, &test->runs, runs) && add_up(r, &test->unfinished, unfinished);
}

static bool add_result(struct reading *r) {
  const char *name = text_of(r, "test"), *hash = text_of(r, "hash"), *text = text_of(r, "text");
  const char *left_out = text_of(r, "left_out");
  uint64_t format = 0;
  if (!number_of(r->object, "format", &format) || format != 1) return wrong(r, "no result of format 1");
  if (!name || !hash || !text) return wrong(r, "a result needs 'test', 'hash' and 'text'");
  struct seen_test *test = enter_test(r, name, hash, text);
  if (!left_out) return add_run(r, test);
  if (!test->machines.len) test->left_out = left_out;
  return true;
}

static bool read_line(struct reading *r, const char *text, size_t length) {
  json_error_t error;
  release(r->slot);
  r->slot->value = json_loadb(text, length, 0, &error);
  r->object = r->slot->value;
  if (!r->object && json_error_code(&error) == json_error_out_of_memory) arena_out_of_memory(r->arena);
  if (!json_is_object(r->object)) return wrong(r, "the line is no JSON object");
  return add_result(r);
}

static int by_count(const void *a, const void *b) {
  const struct seen_outcome *x = a, *y = b;
  if (x->count != y->count) return x->count > y->count ? -1 : 1;
  return strcmp(x->state, y->state);
}

static void sort_outcomes(struct sightings *seen) {
  for (uint32_t i = 0; i < seen->tests.len; i++) {
    struct seen_test *test = &seen->tests.data[i];
    if (test->outcomes.len > 1) qsort(test->outcomes.data, test->outcomes.len, sizeof *test->outcomes.data, by_count);
  }
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
