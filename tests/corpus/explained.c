/* Explanations of the states of a test. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "corpus.h"
#include "out/explain.h"

enum { MOST_OUTCOMES = 16, MOST_OTHERS = 8, STATE_SIZE = 4000 };

static const char *member(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

/* A value as an outcome of a floating-point variable shows it, which any variable takes. */
static void value_text(const json_t *value, char out[48]) {
  json_int_t number = json_integer_value(value);
  if (json_is_string(value)) snprintf(out, 48, "%s", json_string_value(value));
  else snprintf(out, 48, number < 0 ? "%lld" : "0x%08llx", number);
}

/* "0:r0=0x00000001; x=0x00000002" of an outcome's object, with the value of `changed` (NULL: of none) in place of its
 * own. */
static void state_text(const json_t *state, const char *changed, const json_t *value, char *out) {
  const char *name;
  json_t *own;
  size_t length = 0;
  json_object_foreach((json_t *)state, name, own) {
    const json_t *v = changed && strcmp(name, changed) == 0 ? value : own;
    char shown[48];
    value_text(v, shown);
    int added = snprintf(out + length, STATE_SIZE - length, "%s%s=%s", length ? "; " : "", name, shown);
    length += (size_t)added;
    if (added < 0 || length >= STATE_SIZE) abort();
  }
}

/* An explanation in both of its forms. */
struct explained {
  const char *text;
  json_t *json; /* NULL: there is no explanation */
  bool refused; /* the state is no state of the test */
};

static struct explained explained(const struct lesson *l, const char *state) {
  struct ptxlit *s = l->session;
  struct explained e = {0};
  struct text text = {.arena = &s->input}, json = {.arena = &s->input};
  session_begin_work(s, "explaining", 0, l->model, 0);
  if (setjmp(s->oom)) abort();
  const struct explanation *explanation = session_explain(s, 0, l->model, state);
  if (!explanation) return (struct explained){.refused = true};
  out_explanation(explanation, &text);
  out_explanation_json(explanation, &json);
  e.text = text_tame(&text);
  e.json = json_loads(text_tame(&json), 0, NULL);
  return e;
}

static bool is_outcome(const json_t *result, const char *state) {
  const json_t *outcome;
  size_t i;
  char text[STATE_SIZE];
  json_array_foreach(json_object_get(result, "outcomes"), i, outcome) {
    state_text(json_object_get(outcome, "state"), NULL, NULL, text);
    if (strcmp(text, state) == 0) return true;
  }
  return false;
}

/* What is wrong with an explanation, or NULL. */
static const char *fault(const json_t *told, bool outcome) {
  const char *verdict = member(told, "verdict");
  bool allowed = strcmp(verdict, "allowed") == 0, forbidden = strcmp(verdict, "forbidden") == 0;
  if (!outcome && strcmp(verdict, "unknown") == 0) return NULL; /* past the bound of a loop */
  if (!allowed && !forbidden && strcmp(verdict, "unreachable") != 0) return "no verdict";
  if (allowed != outcome) return outcome ? "an outcome, but not explained as one" : "no outcome, but explained as one";
  if (*member(told, "incomplete")) return "something is left out";
  if (allowed && json_is_false(json_object_get(told, "interleaving")) &&
      !json_array_size(json_object_get(told, "steps")))
    return "no interleaving, and no cycle";
  if (forbidden && !json_array_size(json_object_get(told, "axioms"))) return "no axiom";
  return NULL;
}

static void explain_one(const struct lesson *l, const char *state, bool outcome) {
  struct explained e = explained(l, state);
  if (e.refused && !outcome) { /* no value of the variable's type */
    l->told->beyond_type++;
    return;
  }
  const char *story = e.text ? strstr(e.text, "\n\n") : NULL;
  const char *wrong = story && story[2] && e.json ? fault(e.json, outcome) : "no text";
  l->told->tally.passed += !wrong;
  l->told->tally.failed += wrong != NULL;
  if (wrong)
    printf("FAIL %s under %s, '%s': %s\n%s", l->file, ptxlit_model_name(l->session, l->model), state, wrong,
           ptxlit_messages(l->session, false));
  json_decref(e.json);
}

/* States next to an outcome: one of its values is that of another outcome, or 77. */
static unsigned explain_others(const struct lesson *l, const json_t *result, size_t index, unsigned left) {
  const json_t *outcomes = json_object_get(result, "outcomes");
  const json_t *state = json_object_get(json_array_get(outcomes, index), "state");
  const json_t *other = json_object_get(json_array_get(outcomes, (index + 1) % json_array_size(outcomes)), "state");
  json_t *unseen = json_integer(77), *own;
  const char *name;
  char text[STATE_SIZE];
  json_object_foreach((json_t *)state, name, own) {
    const json_t *values[] = {json_object_get(other, name), unseen};
    for (size_t v = 0; v < 2 && left; v++) {
      state_text(state, name, values[v], text);
      if (is_outcome(result, text) || !json_is_integer(own)) continue;
      explain_one(l, text, false);
      left--;
    }
  }
  json_decref(unseen);
  return left;
}

/* A line that begins with "filter". */
static bool has_filter(const char *path) {
  FILE *file = fopen(path, "r");
  char line[4096];
  bool found = false;
  while (file && !found && fgets(line, sizeof line, file)) found = strncmp(line, "filter", 6) == 0;
  if (file) fclose(file);
  return found;
}

void explain_states(const struct lesson *l) {
  const char *rendered = ptxlit_render(l->session, &l->full->facts, PTXLIT_JSON);
  json_t *result = rendered ? json_loads(rendered, 0, NULL) : NULL;
  const json_t *outcomes = json_object_get(result, "outcomes"), *outcome;
  unsigned left = has_filter(l->file) ? 0 : MOST_OTHERS;
  size_t i;
  char text[STATE_SIZE];
  l->told->tally.failed += !result;
  if (!json_array_size(outcomes)) l->told->without_outcomes++;
  json_array_foreach(outcomes, i, outcome) {
    if (i == MOST_OUTCOMES) break;
    state_text(json_object_get(outcome, "state"), NULL, NULL, text);
    explain_one(l, text, true);
    left = explain_others(l, result, i, left);
  }
  json_decref(result);
}

/* ---- What a test asks about */

/* A line for each verdict, and one for the parts that its explanation must have. */
static const char *const verdicts[] = {
    " cannot occur under any model",
    " is allowed under ",
    " is forbidden under ",
    " is undefined under ",
    " is unknown under ",
    ": unknown under ",
    ": safe under ",
    ": unsafe under ",
};
static const char *const stories[] = {
    "Even without the axioms of the model",
    "This interleaving of the threads reaches it",
    "No interleaving of the threads reaches it",
    "The closest execution violates",
    "To make it defined: ",
    "Meaning: ",
    "No memory access is involved: ",
    "No execution is undefined, waits for ever",
};
/* Of a test that is unsafe each finding tells its own, within its lines. */
static const char finding_story[] = "      in this execution, ";

#define ENTRIES(array) (sizeof(array) / sizeof *(array))

static bool is_verdict(const char *line, size_t length) {
  for (size_t i = 0; i < ENTRIES(verdicts); i++) {
    const char *found = *line == ' ' ? NULL : strstr(line, verdicts[i]);
    if (found && found < line + length) return true;
  }
  return false;
}

static bool is_story(const char *line) {
  for (size_t i = 0; i < ENTRIES(stories); i++)
    if (strncmp(line, stories[i], strlen(stories[i])) == 0) return true;
  return false;
}

/* What is wrong with a whole explanation, or NULL. */
static const char *fault_of_text(const char *text) {
  unsigned said = 0, told = 0, findings = 0;
  for (const char *line = text; *line;) {
    size_t length = strcspn(line, "\n");
    said += is_verdict(line, length);
    told += is_story(line);
    findings += strncmp(line, finding_story, strlen(finding_story)) == 0;
    if (strncmp(line, "Left out: ", 10) == 0) return "something is left out";
    line += length + (line[length] == '\n');
  }
  bool unsafe = strstr(text, ": unsafe under ");
  return said == 1 && told == !unsafe && (findings != 0) == unsafe ? NULL : "not one verdict and one story";
}

static bool only_assumes(const char *messages) {
  for (const char *line = messages; *line;) {
    size_t length = strcspn(line, "\n");
    const char *found = strstr(line, "assumed-placement");
    if (length && strncmp(line, "    ", 4) != 0 && (!found || found > line + length)) return false;
    line += length + (line[length] == '\n');
  }
  return true;
}

/* The clauses, conflicts and solves of one explanation (arena_count), which are the same on every machine: the most for
 * any test, and for one with many events, as kernels have. */
enum { MOST_WORK = 1200000, WORK_AN_EVENT = 30000 };

static uint64_t most_work(const struct lesson *l) {
  const char *line = ptxlit_dump(l->session, 0, l->model, PTXLIT_DUMP_EVENTS);
  uint64_t events = 0;
  for (; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) events += line[0] == 'e';
  return MOST_WORK > WORK_AN_EVENT * events ? MOST_WORK : WORK_AN_EVENT * events;
}

/* NULL if the explanation says what the check said. */
static const char *other_verdict(const struct ptxlit_result *checked, const json_t *told) {
  const char *verdict = member(told, "verdict");
  bool forall = strncmp(member(told, "explains"), "~(", 2) == 0;
  const char *wanted = checked->verdict == PTXLIT_ALLOWED     ? "allowed"
                       : checked->verdict == PTXLIT_UNDEFINED ? "undefined"
                       : checked->verdict == PTXLIT_UNKNOWN   ? "unknown"
                       : checked->verdict != PTXLIT_FORBIDDEN ? verdict /* of safety: explained by its findings */
                       : checked->vacuous                     ? "unreachable"
                                                              : "forbidden";
  bool open = forall && (checked->verdict == PTXLIT_ALLOWED || checked->verdict == PTXLIT_FORBIDDEN);
  return open || strcmp(verdict, wanted) == 0 ? NULL : "the check has another verdict";
}

void explain_condition(const struct lesson *l) {
  struct ptxlit *s = l->session;
  const uint64_t before = s->input.work;
  struct explained e = explained(l, NULL);
  const uint64_t work = s->input.work - before;
  const char *wrong = e.text ? fault_of_text(e.text) : "no text";
  if (!wrong) wrong = e.json ? other_verdict(&l->full->facts, e.json) : "no JSON";
  if (!wrong && l->follows) wrong = follow(e.json, l->told);
  if (!only_assumes(l->messages) || !only_assumes(ptxlit_messages(s, false))) wrong = "there are messages";
  if (!wrong && work > MOST_WORK && work > most_work(l)) wrong = "it takes too much work";
  if (work > l->told->most_work) l->told->most_work = work;
  l->told->tally.passed += !wrong;
  l->told->tally.failed += wrong != NULL;
  if (wrong)
    printf("FAIL the explanation of %s under %s: %s (work %llu)\n", l->file, ptxlit_model_name(s, l->model), wrong,
           (unsigned long long)work);
  json_decref(e.json);
}
