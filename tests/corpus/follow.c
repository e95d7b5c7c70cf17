/* Follows explanations: the steps of each cycle, and the order of each interleaving. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"

static const char *text_of(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

static long number_of(const json_t *object, const char *key) {
  return (long)json_integer_value(json_object_get(object, key));
}

static bool is_null(const json_t *object, const char *key) { return json_is_null(json_object_get(object, key)); }

/* "reads flag=1" to location and value; false without a plain value. */
static bool split(const char *effect, char *verb, char *place, char *value) {
  return sscanf(effect, "%15s %63[^=]=%31s", verb, place, value) == 3 && !strchr(place, '(');
}

static const char *follow_reads_from(const json_t *from, const json_t *to) {
  char verb[16], place[64], value[32], other_verb[16], other_place[64], other_value[32];
  if (!split(text_of(from, "effect"), verb, place, value)) return NULL;
  if (!split(text_of(to, "effect"), other_verb, other_place, other_value)) return NULL;
  if (strcmp(verb, "writes") != 0 || strcmp(other_verb, "reads") != 0) return "rf is not from a write to a read";
  bool same = strcmp(place, other_place) == 0 && !strchr(place, '[');
  return same && strcmp(value, other_value) != 0 ? "rf changes the value" : NULL;
}

static const char *follow_step(const json_t *events, const json_t *step, bool mixed) {
  const json_t *from = json_array_get(events, (size_t)number_of(step, "from"));
  const json_t *to = json_array_get(events, (size_t)number_of(step, "to"));
  const char *relation = text_of(step, "relation");
  if (!from || !to) return "a step has no event";
  if (strcmp(relation, "po") == 0 && number_of(from, "thread") != number_of(to, "thread"))
    return "po leaves its thread";
  if (strcmp(relation, "rf") == 0 && !mixed) return follow_reads_from(from, to);
  if (strcmp(relation, "fr") != 0) return NULL;
  bool right = strncmp(text_of(from, "effect"), "reads", 5) == 0 && strncmp(text_of(to, "effect"), "writes", 6) == 0;
  return right ? NULL : "fr is not from a read to a write";
}

/* Each step begins where the one before ends, and the last one ends where the first begins, or the explanation names
 * the missing step. */
static const char *follow_cycle(const json_t *x) {
  const json_t *events = json_object_get(x, "events"), *steps = json_object_get(x, "steps");
  size_t count = json_array_size(steps);
  for (size_t i = 0; i < count; i++) {
    const json_t *step = json_array_get(steps, i);
    const char *wrong = follow_step(events, step, strstr(text_of(x, "file"), "mixed-size") != NULL);
    if (wrong) return wrong;
    if (i && number_of(json_array_get(steps, i - 1), "to") != number_of(step, "from")) return "a cycle has a gap";
  }
  if (!count || !is_null(x, "closing")) return NULL;
  long first = number_of(json_array_get(steps, 0), "from"), last = number_of(json_array_get(steps, count - 1), "to");
  bool split_atomic = strcmp(text_of(x, "verdict"), "allowed") == 0 && count == 2;
  return split_atomic || first == last ? NULL : "a cycle does not end where it begins";
}

struct memory {
  char place[64], value[32];
};

/* Plain memory: a read returns the last value written; a place that was not written yet has some fixed value. */
static const char *follow_interleaving(const json_t *x) {
  struct memory memory[64];
  size_t known = 0;
  const json_t *events = json_object_get(x, "events");
  for (size_t i = 0; i < json_array_size(events); i++) {
    char verb[16], place[64], value[32];
    size_t at = 0;
    if (!split(text_of(json_array_get(events, i), "effect"), verb, place, value)) return NULL; /* of aliases */
    while (at < known && strcmp(memory[at].place, place) != 0) at++;
    if (at == known && known < 64) {
      memcpy(memory[known].place, place, sizeof place);
      memcpy(memory[known++].value, value, sizeof value);
    } else if (strcmp(verb, "writes") == 0) {
      memcpy(memory[at].value, value, sizeof value);
    } else if (strcmp(memory[at].value, value) != 0 && /* as bits where one of the two is of floats */
               (uint32_t)strtoll(memory[at].value, NULL, 0) != (uint32_t)strtoll(value, NULL, 0)) {
      return "an interleaving reads what was not written last";
    }
  }
  return NULL;
}

static const char *follow_allowed(const json_t *x, struct told *told) {
  bool interleaved = json_is_true(json_object_get(x, "interleaving"));
  bool steps = json_array_size(json_object_get(x, "steps")) > 0;
  told->allowed++;
  told->interleaved += interleaved;
  if (interleaved == steps) return "not either an interleaving or a cycle";
  if (!interleaved) return json_array_size(json_object_get(x, "missing")) ? NULL : "no word of what is missing";
  bool plain = !strstr(text_of(x, "file"), "mixed-size") && !strstr(text_of(x, "file"), "vectors");
  return plain ? follow_interleaving(x) : NULL;
}

static const char *follow_forbidden(const json_t *x, struct told *told) {
  told->forbidden++;
  if (!json_array_size(json_object_get(x, "axioms")) || is_null(x, "violates")) return "no axiom";
  return json_array_size(json_object_get(x, "steps")) ? NULL : "no steps";
}

const char *follow(const json_t *x, struct told *told) {
  const char *verdict = text_of(x, "verdict"), *wrong = NULL;
  if (strcmp(verdict, "forbidden") == 0) wrong = follow_forbidden(x, told);
  if (strcmp(verdict, "allowed") == 0) wrong = follow_allowed(x, told);
  return wrong ? wrong : follow_cycle(x);
}
