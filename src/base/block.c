#include "base/block.h"

void block_turn(const json_t *access, struct text *out) {
  if (member_number(access, "turn"))
    text_printf(out, ", iteration %lld of %lld", member_number(access, "turn"), member_number(access, "turns"));
  if (member_number(access, "stages"))
    text_printf(out, ", stage %lld of %lld", member_number(access, "stage"), member_number(access, "stages"));
}

/* "Verdict NAME ", and more. */
static void add_line(struct text *out, const char *key, const json_t *result, const char *format, ...)
    PRINTF_LIKE(4, 5);

static void add_line(struct text *out, const char *key, const json_t *result, const char *format, ...) {
  va_list arguments;
  text_printf(out, "%s %s ", key, member_text(result, "test"));
  va_start(arguments, format);
  text_printf_list(out, format, arguments);
  va_end(arguments);
}

/* Maps a word of the JSON to the word in the block; other words are printed unchanged. */
struct said {
  const char *word, *text;
};

static const char *say(const struct said *list, size_t count, const char *word) {
  for (size_t i = 0; i < count; i++)
    if (strcmp(list[i].word, word) == 0) return list[i].text;
  return word;
}

void block_begin(const json_t *result, uint64_t states, struct text *out) {
  static const struct said kinds[] = {{"exists", "Allowed"},
                                      {"~exists", "Forbidden"},
                                      {"forall", "Required"},
                                      {"safe", "Safety"},
                                      {"in-turns", "Turns"}};
  add_line(out, "Test", result, "%s\nStates %llu\n", say(kinds, ARRAY_LEN(kinds), member_text(result, "quantifier")),
           (unsigned long long)states);
}

/* ---- States */

/* In the JSON, a number too large for 64 signed bits is a string of digits. */
static void add_value(const json_t *value, json_int_t width, struct text *out) {
  const char *digits = json_string_value(value);
  unsigned long long bits = digits ? strtoull(digits, NULL, 10) : (unsigned long long)json_integer_value(value);
  if (width > 0 && width <= 64) text_printf(out, "0x%0*llx", (int)(width / 4), bits);
  else if (digits) text_add(out, digits);
  else text_printf(out, "%lld", (long long)json_integer_value(value));
}

void block_state(const json_t *result, const json_t *state, struct text *out) {
  const json_t *widths = json_object_get(result, "bits");
  const char *name, *separator = "";
  json_t *value;
  json_object_foreach((json_t *)(uintptr_t)state, name, value) {
    text_printf(out, "%s%s=", separator, name);
    add_value(value, json_integer_value(json_object_get(widths, name)), out);
    text_char(out, ';');
    separator = " ";
  }
}

/* ---- The verdict */

static void add_reason(const json_t *result, struct text *out) {
  const json_t *reason = json_object_get(result, "reason");
  if (*member_text(reason, "file"))
    text_printf(out, "%s:%lld:%lld: ", member_text(reason, "file"), member_number(reason, "line"),
                member_number(reason, "column"));
  text_printf(out, "%s\n", member_text(reason, "text"));
}

static void add_validation(const json_t *result, struct text *out) {
  static const struct said words[] = {{"undefined", "Undefined: "}, {"unknown", "?? Unknown: "}};
  const char *verdict = member_text(result, "verdict"), *word = say(words, ARRAY_LEN(words), verdict);
  bool decided = word == verdict;
  text_add(out, !decided ? word : member_holds(result, "holds") ? "Ok\n" : "No\n");
  if (!decided) add_reason(result, out);
}

/* Adds the line, and the line of the source from which a module was compiled. */
static void add_line_of(const json_t *place, struct text *out) {
  const json_t *source = json_object_get(place, "source");
  text_printf(out, "line %lld", member_number(place, "line"));
  if (!source) return;
  text_add(out, ", ");
  text_visible(out, member_text(source, "file"));
  text_printf(out, ":%lld", member_number(source, "line"));
  if (!*member_text(source, "into")) return;
  text_add(out, " in ");
  text_visible(out, member_text(source, "into"));
  text_printf(out, ":%lld", member_number(source, "into-line"));
}

static void add_access(const json_t *access, struct text *out) {
  const json_t *thread = json_object_get(access, "thread");
  if (!json_is_integer(thread)) {
    text_add(out, "an initial write");
    return;
  }
  text_printf(out, "P%lld '%s'", (long long)json_integer_value(thread), member_text(access, "text"));
  if (!member_number(access, "line")) return;
  text_add(out, " (");
  add_line_of(access, out);
  block_turn(access, out);
  if (json_object_get(access, "tid")) {
    text_printf(out, ", thread %lld of block %lld", member_number(access, "tid"), member_number(access, "block"));
    if (member_number(access, "stands-for")) text_printf(out, " and %lld more", member_number(access, "stands-for"));
  }
  text_char(out, ')');
}

/* Adds two accesses, or only one if they are the same. */
static void add_pair(const json_t *pair, struct text *out) {
  const json_t *first = json_array_get(pair, 0), *second = json_array_get(pair, 1);
  if (first) add_access(first, out);
  if (!second || json_equal(first, second)) return;
  text_add(out, " and ");
  add_access(second, out);
}

/* Flags that could not be decided within their share of the work limit, each with its first undecided pair. */
static void add_open(const json_t *result, struct text *out) {
  const json_t *open;
  size_t i;
  if (*member_text(result, "flags_reason"))
    text_printf(out, "Flags unknown: %s\n", member_text(result, "flags_reason"));
  json_array_foreach(json_object_get(result, "open_flags"), i, open) {
    long long count = member_number(open, "count");
    text_printf(out, "Flags unknown: %s", member_text(open, "name"));
    if (count > 1) text_printf(out, " for %lld pairs of accesses, such as ", count);
    if (count == 1) text_add(out, " for ");
    if (count) add_pair(json_object_get(open, "first"), out);
    text_add(out, "; deciding this would take longer than the verdict did: run with --races to decide it\n");
  }
}

/* The flags that the model raised: one line per pair, or one line per flag if pairs are only counted. */
static void add_flags(const json_t *result, struct text *out) {
  const json_t *race, *pair;
  size_t i, k;
  json_array_foreach(json_object_get(result, "races"), i, race) {
    const json_t *pairs = json_object_get(race, "pairs");
    const char *name = member_text(race, "name");
    size_t count = json_array_size(pairs);
    if (!count) text_printf(out, "Flag %s\n", name);
    if (count && member_holds(result, "flags_counted") && !member_holds(race, "undefined")) {
      text_printf(out, "Flag %s: %zu pair%s of accesses\n", name, count, count > 1 ? "s" : "");
      continue;
    }
    json_array_foreach(pairs, k, pair) {
      text_printf(out, "Flag %s: ", name);
      add_pair(pair, out);
      text_char(out, '\n');
    }
  }
}

/* `Unsafe NAME race: P0 'st.u32 [x], 1' (line 3) and P1 ...; Data-Race-8.7.1`: one line per kind of finding. */
static void add_findings(const json_t *result, struct text *out) {
  const json_t *finding;
  size_t i;
  json_array_foreach(json_object_get(result, "findings"), i, finding) {
    const json_t *places = json_object_get(finding, "places");
    add_line(out, "Unsafe", result, "%s", member_text(finding, "kind"));
    if (json_array_size(places)) text_add(out, ": ");
    add_pair(places, out);
    bool placed = !json_array_size(places) && member_number(finding, "line");
    if (placed) text_add(out, ": ");
    if (placed) add_line_of(finding, out);
    if (*member_text(finding, "clause")) text_printf(out, "; %s", member_text(finding, "clause"));
    if (*member_text(finding, "text")) text_printf(out, ": %s", member_text(finding, "text"));
    text_char(out, '\n');
  }
}

/* `Sequential NAME no: P0 'st.volatile [x], 1' (line 3) -po-> ... -fr-> the first again`: the cycle that no
 * interleaving has (K18). */
static void add_sequential(const json_t *result, struct text *out) {
  const json_t *sequential = json_object_get(result, "sequential"), *reason, *access;
  size_t i;
  reason = json_object_get(result, "sequential_reason");
  if (json_is_object(reason)) add_line(out, "Sequential", result, "unknown: %s\n", member_text(reason, "text"));
  if (!json_is_boolean(sequential)) return;
  add_line(out, "Sequential", result, "%s", json_is_true(sequential) ? "yes\n" : "no: ");
  if (json_is_true(sequential)) return;
  json_array_foreach(json_object_get(result, "cycle"), i, access) {
    add_access(access, out);
    text_printf(out, " -%s-> ", member_text(access, "then"));
  }
  text_add(out, "the first again\n");
}

/* Adds the reason why other findings may be missing. */
static void add_others(const json_t *result, struct text *out) {
  if (!member_is(result, "verdict", "unsafe") || !json_is_object(json_object_get(result, "reason"))) return;
  add_line(out, "Others", result, "unknown: ");
  add_reason(result, out);
}

/* herd says Never when there is no execution at all. */
static const char *observation(const json_t *result) {
  static const struct said words[] = {{"undefined", "Undefined"}, {"unknown", "Unknown"},       {"safe", "Safe"},
                                      {"unsafe", "Unsafe"},       {"sequential", "Sequential"}, {"weak", "Weak"}};
  const char *verdict = member_text(result, "verdict"), *word = say(words, ARRAY_LEN(words), verdict);
  if (word != verdict) return word;
  return *member_text(result, "observation") ? member_text(result, "observation") : "Never";
}

/* ---- Threads that do not end */

/* The threads that wait in an execution that hangs, and its final state; brute force only finds that one exists. */
static void add_hang(const json_t *result, const json_t *hang, struct text *out) {
  static const struct said doings[] = {{"barrier", "waits for ever"},
                                       {"spin", "spins for ever"},
                                       {"repeat", "repeats for ever"},
                                       {"not scheduled", "is never scheduled"}};
  const json_t *place, *state = json_object_get(hang, "state");
  size_t i;
  json_array_foreach(json_object_get(hang, "waiting"), i, place) {
    text_add(out, i ? ", " : ": ");
    add_access(place, out);
    text_printf(out, " %s", say(doings, ARRAY_LEN(doings), member_text(place, "because")));
    if (*member_text(place, "state")) text_printf(out, " (%s)", member_text(place, "state"));
  }
  if (json_object_size(state)) {
    text_add(out, "; the state is then ");
    block_state(result, state, out);
  }
}

static void add_endings(const json_t *result, struct text *out) {
  static const struct said endings[] = {{"always", "every thread ends"},
                                        {"not always", "a thread may never end"},
                                        {"unknown", "not known if every thread ends"}};
  static const struct said runs[] = {{"fair", "all threads"},
                                     {"hsa", "the first thread that has not ended"},
                                     {"obe", "the threads that have begun"},
                                     {"lobe", "the threads up to the last that has begun"}};
  const json_t *deadlock = json_object_get(result, "deadlock");
  if (member_number(result, "loops"))
    add_line(out, "Loops", result, "%lld with iterations that change nothing: one iteration represents them all\n",
             member_number(result, "loops"));
  if (json_object_get(result, "bound")) {
    bool complete = json_is_integer(json_object_get(result, "positive"));
    add_line(out, "Bound", result, "%lld iterations reached at %s:%lld%s\n", member_number(result, "bound"),
             member_text(result, *member_text(result, "bound_file") ? "bound_file" : "file"),
             member_number(result, "bound_line"),
             !member_holds(result, "bound_settled") ? ""
             : complete                             ? "; more iterations give no other outcome"
                                                    : "; more iterations do not change the verdict");
  }
  if (json_is_object(deadlock)) {
    add_line(out, "Deadlock", result, "possible");
    add_hang(result, deadlock, out);
    text_char(out, '\n');
  }
  if (!json_object_get(result, "termination")) return;
  add_line(out, "Termination", result, "%s (%s: the scheduler runs %s)",
           say(endings, ARRAY_LEN(endings), member_text(result, "termination")), member_text(result, "progress"),
           say(runs, ARRAY_LEN(runs), member_text(result, "progress")));
  add_hang(result, json_object_get(result, "hang"), out);
  text_char(out, '\n');
}

/* ---- Certificates */

/* Adds the texts of the claims, each once, in the order of the claims: "no other outcome, no deadlock". */
static void add_claims(const json_t *claims, struct text *out) {
  const json_t *claim;
  size_t i;
  json_array_foreach(claims, i, claim) {
    bool again = false;
    for (size_t k = 0; k < i && !again; k++) again = json_equal(json_array_get(claims, k), claim);
    if (!again) text_printf(out, "%s%s", i ? ", " : "", json_string_value(claim));
  }
}

/* Adds one line, or two if brute force ran. */
void block_certificate(const json_t *result, struct text *out) {
  const json_t *c = json_object_get(result, "certificate"), *claims = json_object_get(c, "claims");
  long long witnesses = member_number(c, "witnesses");
  size_t count = json_array_size(claims);
  if (!json_is_object(c)) return;
  add_line(out, "Certified", result, "%s%s\n", member_holds(c, "certified") ? "yes" : "no: ",
           member_holds(c, "certified") ? "" : member_text(c, "problem"));
  if (witnesses)
    add_line(out, "Certified", result, "%lld execution%s found: evaluated again, every axiom holds\n", witnesses,
             witnesses > 1 ? "s" : "");
  if (count) {
    add_line(out, "Certified", result, "%s", "");
    add_claims(claims, out);
    text_printf(out, ": %s proves %lld of %zu, its proofs checked", member_text(c, "prover"),
                member_number(c, "proved"), count);
    if (*member_text(c, "solver"))
      text_printf(out, "; %s agrees on %lld of %zu", member_text(c, "solver"), member_number(c, "agreed"), count);
    text_char(out, '\n');
  }
  if (!member_number(c, "candidates")) return;
  add_line(out, "Certified", result, "brute force: the same result from %lld candidate executions\n",
           member_number(c, "candidates"));
}

/* ---- The whole */

static void add_own_lines(const json_t *result, struct text *out) {
  const json_t *expected = json_object_get(result, "expected"), *item;
  bool decided = member_is(result, "verdict", "allowed") || member_is(result, "verdict", "forbidden");
  const char *found =
      *member_text(result, "observation") ? member_text(result, "observation") : member_text(result, "verdict");
  size_t i;
  add_line(out, "Verdict", result, "%s under %s\n", member_text(result, "verdict"), member_text(result, "model"));
  if (decided && !*member_text(result, "observation"))
    add_line(out, "Filter", result, "no allowed execution passes the filter\n");
  if (member_holds(result, "vacuous")) add_line(out, "Vacuous", result, "unreachable even without the axioms\n");
  json_array_foreach(json_object_get(result, "assumes"), i, item)
      add_line(out, "Assumes", result, "%s\n", member_text(item, "text"));
  json_array_foreach(json_object_get(result, "warnings"), i, item)
      add_line(out, "Warning", result, "%s\n", member_text(item, "text"));
  add_endings(result, out);
  if (json_is_object(expected))
    add_line(out, "Expected", result, "%s%s%s\n", member_text(expected, "observation"),
             member_holds(expected, "met") ? "" : ", but found ", member_holds(expected, "met") ? "" : found);
  block_certificate(result, out);
}

void block_end(const json_t *result, struct text *out) {
  long long positive = member_number(result, "positive"), negative = member_number(result, "negative");
  bool swapped = member_is(result, "quantifier", "~exists"); /* herd's quirk: here, and not in Observation */
  double ms = json_number_value(json_object_get(json_object_get(result, "stats"), "ms"));
  add_validation(result, out);
  text_printf(out, "Witnesses\nPositive: %lld Negative: %lld\n", swapped ? negative : positive,
              swapped ? positive : negative);
  add_open(result, out);
  add_flags(result, out);
  text_printf(out, "Condition %s\n", member_text(result, "condition"));
  add_line(out, "Observation", result, "%s %lld %lld\n", observation(result), positive, negative);
  add_findings(result, out);
  add_others(result, out);
  add_sequential(result, out);
  add_own_lines(result, out);
  add_line(out, "Time", result, "%.2f\n", ms / 1000.0);
  if (*member_text(result, "hash")) text_printf(out, "Hash=%s\n", member_text(result, "hash"));
  text_char(out, '\n');
}
