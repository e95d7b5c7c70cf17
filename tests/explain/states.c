/* Explains every outcome of the given tests, and states that are none, under the given models; and the state of each
 * test's condition, under these and more models.
 *
 *   states A,B C,D FILE...        run in the root of the tree
 *
 * A,B are models for everything, C,D only for conditions. The explanation of a condition must be complete, without
 * messages other than that of an assumed placement, and must take at most MOST_WORK and WORK_AN_EVENT.
 *
 * Explanations must agree with the outcomes: a state is explained as allowed exactly if it is listed as an outcome;
 * with an interleaving or a cycle if it is allowed, an axiom if it is forbidden. The states that are no outcomes have
 * values of some outcomes, or new ones; they are left out if the test has a filter, which a state given by name need
 * not pass. The last line counts states. */
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/session.h"

enum { MOST_OUTCOMES = 16, MOST_OTHERS = 8, STATE_SIZE = 4000 };

struct tally {
  unsigned passed, failed;
  uint64_t most_work;   /* of one explanation */
  size_t states_models; /* those under which states are explained: the first ones */
  unsigned beyond_type, without_outcomes; /* skipped: by reason */
};

struct lesson {
  bool filtered; /* the test has a filter */
  struct ptxlit *session;
  const char *file;
  size_t test, model;
  const json_t *result; /* of the check, as JSON */
  struct tally *tally;
};

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

static bool is_outcome(const struct lesson *l, const char *state) {
  const json_t *outcome;
  size_t i;
  char text[STATE_SIZE];
  json_array_foreach(json_object_get(l->result, "outcomes"), i, outcome) {
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
  const char *text = NULL, *wrong = "no text";
  enum ptxlit_status status = ptxlit_explain(l->session, l->test, l->model, state, PTXLIT_TEXT, &text);
  const char *story = text ? strstr(text, "\n\n") : NULL;
  if (status == PTXLIT_BAD_INPUT && !outcome) { /* no value of the variable's type */
    l->tally->beyond_type++;
    return;
  }
  if (story && story[2]) ptxlit_explain(l->session, l->test, l->model, state, PTXLIT_JSON, &text);
  json_t *told = story && text ? json_loads(text, 0, NULL) : NULL;
  if (told) wrong = fault(told, outcome);
  json_decref(told);
  l->tally->passed += !wrong;
  l->tally->failed += wrong != NULL;
  if (wrong)
    printf("%s under %s, '%s': %s\n%s", l->file, ptxlit_model_name(l->session, l->model), state, wrong,
           ptxlit_messages(l->session, false));
}

/* States next to an outcome: one of its values is that of another outcome, or 77. */
static unsigned explain_others(const struct lesson *l, const json_t *outcome, const json_t *other, unsigned left) {
  const json_t *state = json_object_get(outcome, "state");
  json_t *unseen = json_integer(77), *own;
  const char *name;
  char text[STATE_SIZE];
  json_object_foreach((json_t *)state, name, own) {
    const json_t *values[] = {json_object_get(json_object_get(other, "state"), name), unseen};
    for (size_t v = 0; v < 2 && left; v++) {
      state_text(state, name, values[v], text);
      if (is_outcome(l, text) || !json_is_integer(own)) continue;
      explain_one(l, text, false);
      left--;
    }
  }
  json_decref(unseen);
  return left;
}

static void explain_states(const struct lesson *l) {
  const json_t *outcomes = json_object_get(l->result, "outcomes"), *outcome;
  unsigned left = l->filtered ? 0 : MOST_OTHERS;
  size_t i;
  char text[STATE_SIZE];
  if (!json_array_size(outcomes)) l->tally->without_outcomes++;
  json_array_foreach(outcomes, i, outcome) {
    if (i == MOST_OUTCOMES) break;
    state_text(json_object_get(outcome, "state"), NULL, NULL, text);
    explain_one(l, text, true);
    left = explain_others(l, outcome, json_array_get(outcomes, (i + 1) % json_array_size(outcomes)), left);
  }
}

/* ---- What a test asks about */

/* A line for each verdict, and one for the parts that its explanation must have. */
static const char *const verdicts[] = {
    " cannot occur under any model", " is allowed under ", " is forbidden under ", " is undefined under ",
    " is unknown under ", ": safe under ", ": unsafe under ",
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

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_verdict(const char *line, size_t length) {
  for (size_t i = 0; i < COUNT(verdicts); i++) {
    const char *found = *line == ' ' ? NULL : strstr(line, verdicts[i]);
    if (found && found < line + length) return true;
  }
  return false;
}

static bool is_story(const char *line) {
  for (size_t i = 0; i < COUNT(stories); i++)
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
enum { MOST_WORK = 1200000, WORK_AN_EVENT = 15000 };

static uint64_t most_work(struct ptxlit *session, size_t model) {
  const char *line = ptxlit_dump(session, 0, model, PTXLIT_DUMP_EVENTS);
  uint64_t events = 0;
  for (; line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL) events += line[0] == 'e';
  return MOST_WORK > WORK_AN_EVENT * events ? MOST_WORK : WORK_AN_EVENT * events;
}

/* `messages`: those about the test when it was read. */
static void explain_condition(struct ptxlit *session, const char *file, size_t model, const char *messages,
                              struct tally *tally) {
  const char *text = NULL;
  const uint64_t most = most_work(session, model), before = session->input.work;
  enum ptxlit_status status = ptxlit_explain(session, 0, model, NULL, PTXLIT_TEXT, &text);
  const uint64_t work = session->input.work - before;
  const char *wrong = text ? fault_of_text(text) : "no text";
  if (status != PTXLIT_OK && status != PTXLIT_NO_VERDICT) wrong = "not explained";
  if (!only_assumes(messages) || !only_assumes(ptxlit_messages(session, false))) wrong = "there are messages";
  if (!wrong && work > most) wrong = "it takes too much work";
  if (work > tally->most_work) tally->most_work = work;
  tally->passed += !wrong;
  tally->failed += wrong != NULL;
  if (wrong) printf("%s under %s: %s (work %llu of %llu)\n", file, ptxlit_model_name(session, model), wrong,
                    (unsigned long long)work, (unsigned long long)most);
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

static void teach(struct ptxlit *session, const char *file, struct tally *tally) {
  if (ptxlit_read_file(session, file) != PTXLIT_OK) tally->failed++, printf("%s cannot be read\n", file);
  char *messages = strdup(ptxlit_messages(session, false));
  for (size_t m = 0; messages && ptxlit_test_count(session) && m < ptxlit_model_count(session); m++)
    explain_condition(session, file, m, messages, tally);
  free(messages);
  for (size_t t = 0; t < 1 && t < ptxlit_test_count(session); t++) /* of a table: the others tell the same */
    for (size_t m = 0; m < tally->states_models; m++) {
      const struct ptxlit_result *result;
      ptxlit_check(session, t, m, &result);
      const char *text = result ? ptxlit_render(session, result, PTXLIT_JSON) : NULL;
      json_t *parsed = text ? json_loads(text, 0, NULL) : NULL;
      struct lesson lesson = {has_filter(file), session, file, t, m, parsed, tally};
      if (parsed) explain_states(&lesson);
      else tally->failed++;
      json_decref(parsed);
      ptxlit_messages(session, false);
    }
}

static bool use_models(struct ptxlit *session, char *names) {
  for (char *name = strtok(names, ","); name; name = strtok(NULL, ","))
    if (ptxlit_use_model(session, name) != PTXLIT_OK) return fputs(ptxlit_messages(session, false), stderr), false;
  return true;
}

int main(int argc, char **argv) {
  if (argc < 3) return fputs("usage: states A,B C,D FILE...\n", stderr), 2;
  struct tally tally = {0};
  struct ptxlit *session = ptxlit_new();
  ptxlit_add_model_dir(session, "models");
  if (!use_models(session, argv[1])) return 2;
  tally.states_models = ptxlit_model_count(session);
  if (!use_models(session, argv[2])) return 2;
  for (int i = 3; i < argc; i++) teach(session, argv[i], &tally);
  ptxlit_free(session);
  if (tally.beyond_type) printf("SKIPPED %u: a state that the type of its variable rules out\n", tally.beyond_type);
  if (tally.without_outcomes) printf("SKIPPED %u: a test without outcomes\n", tally.without_outcomes);
  printf("The most work of one explanation: %llu\n", (unsigned long long)tally.most_work);
  printf("%u passed, %u failed, %u skipped\n", tally.passed, tally.failed, tally.beyond_type + tally.without_outcomes);
  return tally.failed > 0;
}
