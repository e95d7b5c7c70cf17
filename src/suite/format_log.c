/* herd's log, from a result in JSON: the same blocks that `ptxlit FILE` prints (src/out/text.c). */
#include <string.h>

#include "suite/report.h"

static const char *member(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static const char *kind(const char *quantifier) {
  if (strcmp(quantifier, "forall") == 0) return "Required";
  return strcmp(quantifier, "~exists") == 0 ? "Forbidden" : "Allowed";
}

static long long count_of(const json_t *json, const char *key) {
  return json_integer_value(json_object_get(json, key));
}

static void add_states(struct report *report, const struct record *record, struct text *out) {
  const json_t *json = record->json, *outcomes = json_object_get(json, "outcomes");
  bool complete = json_is_integer(json_object_get(json, "positive"));
  size_t count = complete ? json_array_size(outcomes) : 0;
  text_printf(out, "States %llu\n", (unsigned long long)(record->stored.size ? record->stored.count : count));
  report_outcomes(report, out);
  for (size_t i = 0; i < count; i++) {
    record_state(json, json_object_get(json_array_get(outcomes, i), "state"), out);
    text_char(out, '\n');
  }
}

static void add_reason(const json_t *json, struct text *out) {
  const json_t *reason = json_object_get(json, "reason");
  if (!json_is_object(reason)) return;
  if (*member(reason, "file"))
    text_printf(out, "%s:%lld:%lld: ", member(reason, "file"), count_of(reason, "line"), count_of(reason, "column"));
  text_add(out, member(reason, "text"));
}

static void add_validation(const struct record *record, struct text *out) {
  if (strcmp(record->verdict, "undefined") == 0) text_add(out, "Undefined: ");
  else if (strcmp(record->verdict, "unknown") == 0) text_add(out, "?? Unknown: ");
  else text_add(out, json_is_true(json_object_get(record->json, "holds")) ? "Ok" : "No");
  add_reason(record->json, out);
  text_char(out, '\n');
}

static void add_access(const json_t *access, struct text *out) {
  const json_t *thread = json_object_get(access, "thread");
  if (!json_is_integer(thread)) {
    text_add(out, "an initial write");
    return;
  }
  text_printf(out, "P%lld '%s'", (long long)json_integer_value(thread), member(access, "text"));
  if (count_of(access, "line")) text_printf(out, " (line %lld)", count_of(access, "line"));
}

static void add_flags(const json_t *json, struct text *out) {
  const json_t *races = json_object_get(json, "races");
  for (size_t i = 0; i < json_array_size(races); i++) {
    const json_t *race = json_array_get(races, i), *pairs = json_object_get(race, "pairs");
    if (!json_array_size(pairs)) text_printf(out, "Flag %s\n", member(race, "name"));
    for (size_t j = 0; j < json_array_size(pairs); j++) {
      const json_t *pair = json_array_get(pairs, j), *first = json_array_get(pair, 0),
                   *second = json_array_get(pair, 1);
      text_printf(out, "Flag %s: ", member(race, "name"));
      add_access(first, out);
      if (!json_equal(first, second)) text_add(out, " and ");
      if (!json_equal(first, second)) add_access(second, out);
      text_char(out, '\n');
    }
  }
}

static const char *observation(const struct record *record) {
  if (strcmp(record->verdict, "undefined") == 0) return "Undefined";
  if (strcmp(record->verdict, "unknown") == 0) return "Unknown";
  if (strcmp(record->verdict, "safe") == 0) return "Safe";
  if (strcmp(record->verdict, "unsafe") == 0) return "Unsafe";
  return record->observation ? record->observation : "Never";
}

/* Who waits or spins, and the values then. */
static void add_hang(const json_t *json, const json_t *hang, struct text *out) {
  static const char *const doings[][2] = {
      {"barrier", "waits for ever"},
      {"spin", "spins for ever"},
      {"repeat", "repeats for ever"},
      {"not scheduled", "is never scheduled"}};
  const json_t *waiting = json_object_get(hang, "waiting"), *state = json_object_get(hang, "state");
  for (size_t i = 0; i < json_array_size(waiting); i++) {
    const json_t *place = json_array_get(waiting, i);
    text_add(out, i ? ", " : "");
    add_access(place, out);
    for (size_t j = 0; j < ARRAY_LEN(doings); j++)
      if (strcmp(member(place, "because"), doings[j][0]) == 0) text_printf(out, " %s", doings[j][1]);
    if (json_object_get(place, "state")) text_printf(out, " (%s)", member(place, "state"));
  }
  if (json_object_size(state)) {
    text_add(out, "; then ");
    record_state(json, state, out);
  }
  text_char(out, '\n');
}

static void add_endings(const struct record *record, struct text *out) {
  const json_t *json = record->json;
  const json_t *deadlock = json_object_get(json, "deadlock"), *hang = json_object_get(json, "hang");
  long long loops = count_of(json, "loops");
  if (loops)
    text_printf(out, "Loops %s %lld without effect when repeated: one iteration is enough\n", record->test, loops);
  if (json_object_get(json, "bound"))
    text_printf(out, "Bound %s %lld iterations reached at %s:%lld%s\n", record->test, count_of(json, "bound"),
                record->file, count_of(json, "bound_line"),
                !json_is_true(json_object_get(json, "bound_settled")) ? ""
                : json_is_integer(json_object_get(json, "positive")) ? "; more bring out no other outcome"
                                                                     : "; more do not change the verdict");
  if (json_is_object(deadlock)) {
    text_printf(out, "Deadlock %s possible: ", record->test);
    add_hang(json, deadlock, out);
  }
  if (!json_object_get(json, "termination")) return;
  text_printf(out, "Termination %s %s %s", record->test, member(json, "progress"), member(json, "termination"));
  text_add(out, json_is_object(hang) ? ": " : "\n");
  if (json_is_object(hang)) add_hang(json, hang, out);
}

static void add_warnings(const struct record *record, struct text *out) {
  const json_t *warnings = json_object_get(record->json, "warnings");
  for (size_t i = 0; i < json_array_size(warnings); i++)
    text_printf(out, "Warning %s %s\n", record->test, member(json_array_get(warnings, i), "text"));
}

static void add_certificate(const struct record *record, struct text *out) {
  const char *problem = record_uncertified(record);
  if (!json_is_object(json_object_get(record->json, "certificate"))) return;
  text_printf(out, "Certified %s %s%s\n", record->test, problem ? "no: " : "yes", problem ? problem : "");
}

static void add_own_lines(const struct record *record, struct text *out) {
  const json_t *json = record->json;
  bool decided = strcmp(record->verdict, "allowed") == 0 || strcmp(record->verdict, "forbidden") == 0;
  text_printf(out, "Verdict %s %s under %s\n", record->test, record->verdict, record->model);
  if (decided && !record->observation)
    text_printf(out, "Filter %s no allowed execution passes the filter\n", record->test);
  if (json_is_true(json_object_get(json, "vacuous")))
    text_printf(out, "Vacuous %s unreachable even with every axiom dropped\n", record->test);
  size_t at;
  const json_t *assumption;
  json_array_foreach(json_object_get(json, "assumes"), at, assumption)
      text_printf(out, "Assumes %s %s\n", record->test, member(assumption, "text"));
  add_warnings(record, out);
  add_endings(record, out);
  if (record->expected)
    text_printf(out, "Expected %s %s%s\n", record->test, record->expected,
                wanted_met(record->expected, record) ? "" : ", but not found");
  add_certificate(record, out);
}

static void log_add(struct report *report, const struct record *record, struct text *out) {
  const json_t *json = record->json;
  if (record->error) return; /* there is no test, and a log has no place for anything else */
  const char *quantifier = member(json, "quantifier");
  long long positive = count_of(json, "positive"), negative = count_of(json, "negative");
  bool swapped = strcmp(quantifier, "~exists") == 0; /* herd's quirk: here, and not in Observation */
  text_printf(out, "Test %s %s\n", record->test, kind(quantifier));
  add_states(report, record, out);
  add_validation(record, out);
  text_printf(out, "Witnesses\nPositive: %lld Negative: %lld\n", swapped ? negative : positive,
              swapped ? positive : negative);
  add_flags(json, out);
  text_printf(out, "Condition %s\n", member(json, "condition"));
  text_printf(out, "Observation %s %s %lld %lld\n", record->test, observation(record), positive, negative);
  add_own_lines(record, out);
  text_printf(out, "Time %s %.2f\n", record->test, record->ms / 1000.0);
  if (*member(json, "hash")) text_printf(out, "Hash=%s\n", member(json, "hash"));
  text_char(out, '\n');
  text_tame(out);
}

const struct report_format format_log = {.add = log_add, .outcomes = OUTCOMES_LINES};
