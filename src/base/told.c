#include "base/told.h"

/* ---- Places */

/* The place in the source of an access, or in the text that is checked. */
static const json_t *place_of(const json_t *access) {
  const json_t *at = json_object_get(access, "at");
  return at ? at : access;
}

static bool is_asynchronous(const json_t *access) { return json_is_true(json_object_get(access, "asynchronous")); }

/* The access that a finding begins with: one that a thread makes itself, the later one in the source, a read. */
static size_t first_access(const json_t *places) {
  const json_t *a = json_array_get(places, 0), *b = json_array_get(places, 1);
  if (!b || !json_is_integer(json_object_get(b, "thread"))) return 0;
  if (!json_is_integer(json_object_get(a, "thread"))) return 1;
  if (is_asynchronous(a) != is_asynchronous(b)) return is_asynchronous(a);
  long long line_a = member_number(place_of(a), "line"), line_b = member_number(place_of(b), "line");
  if (line_a != line_b) return line_b > line_a;
  return member_is(a, "access", "write") && member_is(b, "access", "read");
}

const json_t *told_place(const json_t *finding, const json_t **access) {
  const json_t *places = json_object_get(finding, "places");
  *access = json_array_get(places, first_access(places));
  if (*access) return place_of(*access);
  const json_t *at = json_object_get(finding, "at");
  return at ? at : member_number(finding, "line") ? finding : NULL;
}

/* Adds "gemm.cu:21:5"; a place without a file is in that of the test. */
static void add_place(const json_t *result, const json_t *place, bool column, struct text *out) {
  const char *own = member_text(place, "file"), *file = *own ? own : member_text(result, "file");
  text_visible(out, *file ? file : "line ");
  text_printf(out, "%s%lld", *file ? ":" : "", member_number(place, "line"));
  if (column && member_number(place, "column")) text_printf(out, ":%lld", member_number(place, "column"));
}

/* ---- Words */

static void add_thread_alone(const json_t *access, struct text *out) {
  if (json_is_true(json_object_get(access, "host"))) {
    text_add(out, "the host");
    return;
  }
  if (!json_object_get(access, "tid")) {
    text_printf(out, "P%lld", member_number(access, "thread"));
    return;
  }
  text_printf(out, "thread %lld of block %lld", member_number(access, "tid"), member_number(access, "block"));
  if (json_object_get(access, "grid")) text_printf(out, " of grid %lld", member_number(access, "grid"));
  if (json_object_get(access, "gpu")) text_printf(out, " on gpu %lld", member_number(access, "gpu"));
}

static void add_thread(const json_t *access, struct text *out) {
  long long more = member_number(access, "stands-for");
  add_thread_alone(access, out);
  if (more && json_object_get(access, "tid")) text_printf(out, " (and %lld more like it)", more);
}

/* A location of shared memory without its CTA, which the thread names: "cta0:tile[3]". */
static const char *own_name(const char *location) {
  const char *colon = strchr(location, ':');
  return colon && base_begins(location, "cta") ? colon + 1 : location;
}

static void add_turn(const json_t *access, struct text *out) {
  if (member_number(access, "turn")) text_printf(out, ", iteration %lld", member_number(access, "turn"));
  if (member_number(access, "turns")) text_printf(out, " of %lld", member_number(access, "turns"));
  if (member_number(access, "stages"))
    text_printf(out, ", stage %lld of %lld", member_number(access, "stage"), member_number(access, "stages"));
}

static void add_access(const json_t *access, struct text *out) {
  if (!json_is_integer(json_object_get(access, "thread"))) {
    text_add(out, "the initial value");
    return;
  }
  const char *location = own_name(member_text(access, "location"));
  if (*member_text(access, "access")) {
    text_printf(out, "%s%s", is_asynchronous(access) ? "asynchronous " : "", member_text(access, "access"));
    if (*location) text_add(out, " of "), text_visible(out, location);
  } else {
    text_char(out, '\'');
    text_visible(out, member_text(access, "text"));
    text_char(out, '\'');
  }
  text_add(out, " by ");
  add_thread(access, out);
  add_turn(access, out);
}

/* The event at the first place. */
static void add_message(const json_t *finding, const json_t *access, struct text *out) {
  const char *text = member_text(finding, "text");
  if (member_is(finding, "kind", "hang")) {
    if (access) add_thread(access, out);
    text_add(out, access ? " waits for ever" : "a thread waits for ever");
  } else if (access) {
    add_access(access, out);
    if (member_number(finding, "pairs")) return;
  }
  if (*text && (access || member_is(finding, "kind", "hang"))) text_add(out, ": ");
  text_visible(out, text);
}

static void add_pairs(const json_t *finding, struct text *out) {
  if (member_number(finding, "pairs") > 1) text_printf(out, " (%lld pairs)", member_number(finding, "pairs"));
}

/* The access that a finding of two begins with none of; NULL: there is only one. */
static const json_t *other_access(const json_t *finding, const json_t *first) {
  const json_t *places = json_object_get(finding, "places"), *a = json_array_get(places, 0),
               *b = json_array_get(places, 1);
  if (!b || json_equal(a, b)) return NULL;
  return first == a ? b : a;
}

/* Adds both, on one line. */
static void add_line(const json_t *finding, const json_t *access, struct text *out) {
  const json_t *other = other_access(finding, access);
  add_message(finding, access, out);
  if (other) text_add(out, ", with ");
  if (other && member_number(place_of(other), "line")) add_place(NULL, place_of(other), false, out);
  else if (other) add_access(other, out);
  add_pairs(finding, out);
}

void told_finding(const json_t *finding, struct text *out) {
  const json_t *access;
  told_place(finding, &access);
  text_printf(out, "%s: ", member_text(finding, "kind"));
  add_line(finding, access, out);
  if (*member_text(finding, "cure")) text_add(out, "; "), text_visible(out, member_text(finding, "cure"));
}

/* ---- Lines */

struct told {
  const json_t *result;
  struct told_style style;
  struct text *out;
};

enum ink { INK_BOLD, INK_BAD, INK_GOOD, INK_NOTE, INK_OFF };

static void ink(const struct told *t, enum ink ink) {
  static const char *const codes[] = {"\033[1m", "\033[1;31m", "\033[1;32m", "\033[1;36m", "\033[0m"};
  if (t->style.colour) text_add(t->out, codes[ink]);
}

static void add_word(const struct told *t, enum ink colour, const char *word) {
  ink(t, colour);
  text_add(t->out, word);
  ink(t, INK_OFF);
  text_add(t->out, ": ");
}

static void begin_line(const struct told *t, const json_t *place, enum ink colour, const char *word) {
  ink(t, INK_BOLD);
  if (place && member_number(place, "line")) {
    add_place(t->result, place, true, t->out);
    text_add(t->out, ": ");
  }
  ink(t, INK_OFF);
  add_word(t, colour, word);
}

/* Adds the line of the source, and a caret below the column. */
static void add_quote(const struct told *t, const json_t *place) {
  const char *quote = member_text(place, "quote");
  long long column = member_number(place, "column");
  size_t blank = strspn(quote, " \t");
  if (!quote[blank]) return;
  text_printf(t->out, "%6lld | ", member_number(place, "line"));
  struct text line = {.arena = t->out->arena};
  for (const char *c = quote; *c; c++) text_char(&line, *c == '\t' ? ' ' : *c);
  text_visible(t->out, text_str(&line));
  text_char(t->out, '\n');
  if (column < 1 || (size_t)column > strlen(quote)) return;
  text_printf(t->out, "       | %*s", (int)column - 1, "");
  ink(t, INK_NOTE);
  text_char(t->out, '^');
  ink(t, INK_OFF);
  text_char(t->out, '\n');
}

/* The instruction of PTX, where the place is that of the source. */
static void add_instruction(const struct told *t, const json_t *access) {
  const json_t *at = json_object_get(access, "at");
  bool shown = at && json_is_true(json_object_get(at, "compiled"));
  if (!t->style.verbose || shown || !*member_text(access, "text")) return;
  text_printf(t->out, "       | P%lld, line %lld of PTX: ", member_number(access, "thread"),
              member_number(access, "line"));
  text_visible(t->out, member_text(access, "text"));
  text_char(t->out, '\n');
}

static void end_place(const struct told *t, const json_t *place, const json_t *access) {
  text_char(t->out, '\n');
  if (place) add_quote(t, place);
  if (access) add_instruction(t, access);
}

/* Adds a line that belongs to the finding above. */
static void add_point(const struct told *t, const char *head, const char *words) {
  if (!*words) return;
  text_printf(t->out, "  %s: ", head);
  text_visible(t->out, words);
  text_char(t->out, '\n');
}

/* ---- Hangs */

/* The execution that a finding of this kind is about. */
static const json_t *hang_of(const json_t *result) {
  const json_t *deadlock = json_object_get(result, "deadlock");
  return json_is_object(deadlock) ? deadlock : json_object_get(result, "hang");
}

static bool is_at(const json_t *a, const json_t *b) {
  const json_t *x = place_of(a), *y = place_of(b);
  return member_is(x, "file", member_text(y, "file")) && member_number(x, "line") == member_number(y, "line") &&
         json_is_true(json_object_get(a, "cause")) == json_is_true(json_object_get(b, "cause"));
}

/* In a circle of waits: "thread 0 of block 0 and 63 more wait here for thread 32 of block 0 (gemm.cu:13)". */
static void add_in_circle(const struct told *t, const json_t *place, long long threads, bool here) {
  const json_t *other = json_object_get(place, "for"), *at = other ? place_of(other) : NULL;
  long long more = threads - 1;
  add_thread_alone(place, t->out);
  if (more) text_printf(t->out, " and %lld more", more);
  text_printf(t->out, " wait%s %s", more ? "" : "s", here ? "here" : "for ever");
  if (other) text_add(t->out, " for "), add_thread_alone(other, t->out);
  if (at) text_printf(t->out, " (%s:%lld)", member_text(at, "file"), member_number(at, "line"));
  text_char(t->out, '\n');
}

/* The other threads that wait, those at one line together. In a circle, each wait is told with that for which it
 * waits. */
static void add_waiting(const struct told *t) {
  const json_t *waiting = json_object_get(hang_of(t->result), "waiting"), *place, *other;
  size_t i, k;
  bool circle = !json_is_true(json_object_get(json_array_get(waiting, 0), "cause"));
  json_array_foreach(waiting, i, place) {
    long long threads = 1 + member_number(place, "stands-for");
    bool again = false;
    json_array_foreach(waiting, k, other) {
      again = again || (k < i && is_at(place, other));
      threads += k > i && is_at(place, other) ? 1 + member_number(other, "stands-for") : 0;
    }
    if (again || (i == 0 && threads == 1)) continue;
    begin_line(t, place_of(place), INK_NOTE, "note");
    bool cause = json_is_true(json_object_get(place, "cause"));
    if (circle) {
      add_in_circle(t, place, threads, i == 0);
      continue;
    }
    text_printf(t->out, "%lld thread%s wait%s %s%s: ", threads, threads == 1 ? "" : "s", threads == 1 ? "s" : "",
                i == 0 ? "here" : "for ever", cause ? "" : " because of that");
    add_thread(place, t->out);
    if (threads > 1 + member_number(place, "stands-for")) text_add(t->out, " and others");
    text_char(t->out, '\n');
  }
}

/* ---- Findings */

static void add_full(const struct told *t, const json_t *finding) {
  const json_t *access, *place = told_place(finding, &access), *other = other_access(finding, access);
  begin_line(t, place, INK_BAD, member_text(finding, "kind"));
  add_message(finding, access, t->out);
  add_pairs(finding, t->out);
  end_place(t, place, access);
  if (other) {
    begin_line(t, place_of(other), INK_NOTE, "note");
    text_add(t->out, "with this ");
    add_access(other, t->out);
    end_place(t, place_of(other), other);
  }
  if (member_is(finding, "kind", "hang")) add_waiting(t);
  struct text rule = {.arena = t->out->arena};
  if (*member_text(finding, "rule"))
    text_printf(&rule, "%s%s%s%s", member_text(finding, "rule"), *member_text(finding, "section") ? " (" : "",
                member_text(finding, "section"), *member_text(finding, "section") ? ")" : "");
  add_point(t, "rule", text_str(&rule));
  add_point(t, "cure", member_text(finding, "cure"));
}

static void add_brief(const struct told *t, const json_t *finding) {
  const json_t *access, *place = told_place(finding, &access);
  begin_line(t, place, INK_BAD, member_text(finding, "kind"));
  add_line(finding, access, t->out);
  text_char(t->out, '\n');
}

static bool same_place(const json_t *a, const json_t *b) {
  return a && b && member_is(a, "file", member_text(b, "file")) && member_number(a, "line") == member_number(b, "line");
}

/* True if both findings are about the same two places. */
static bool same_places(const json_t *a, const json_t *b) {
  const json_t *x, *y, *at_x = told_place(a, &x), *at_y = told_place(b, &y);
  const json_t *other_x = other_access(a, x), *other_y = other_access(b, y);
  return same_place(at_x, at_y) && !other_x == !other_y &&
         (!other_x || same_place(place_of(other_x), place_of(other_y)));
}

/* True if a finding before this one has shown its rule or its two places. */
static bool is_told(const json_t *findings, size_t index) {
  const json_t *finding = json_array_get(findings, index);
  for (size_t i = 0; i < index; i++) {
    const json_t *before = json_array_get(findings, i);
    bool same = member_is(before, "kind", member_text(finding, "kind")) &&
                member_is(before, "clause", member_text(finding, "clause"));
    if (same || same_places(before, finding)) return true;
  }
  return false;
}

static void add_findings(const struct told *t) {
  const json_t *findings = json_object_get(t->result, "findings"), *finding;
  size_t i;
  json_array_foreach(findings, i, finding) if (t->style.verbose || !is_told(findings, i)) add_full(t, finding);
  json_array_foreach(findings, i, finding) if (!t->style.verbose && is_told(findings, i)) add_brief(t, finding);
}

/* ---- The verdict */

/* Adds the kinds of the findings, with the number of places of each: "race at 2 places, hang". */
static void add_kinds(const struct told *t) {
  const json_t *findings = json_object_get(t->result, "findings"), *finding, *other;
  size_t i, k;
  const char *between = "";
  json_array_foreach(findings, i, finding) {
    size_t before = 0, all = 0;
    json_array_foreach(findings, k, other) {
      bool same = member_is(other, "kind", member_text(finding, "kind"));
      before += same && k < i;
      all += same;
    }
    if (before) continue;
    text_printf(t->out, "%s%s", between, member_text(finding, "kind"));
    if (all > 1) text_printf(t->out, " at %zu places", all);
    between = ", ";
  }
}

static void add_reason(const struct told *t) {
  const json_t *reason = json_object_get(t->result, "reason");
  if (member_number(reason, "line")) {
    add_place(NULL, reason, true, t->out);
    text_add(t->out, ": ");
  }
  text_visible(t->out, member_text(reason, "text"));
}

static void add_verdict(const struct told *t) {
  const char *verdict = member_text(t->result, "verdict");
  bool safe = strcmp(verdict, "safe") == 0, unsafe = strcmp(verdict, "unsafe") == 0;
  ink(t, INK_BOLD);
  text_visible(t->out, member_text(t->result, "test"));
  ink(t, INK_OFF);
  text_add(t->out, ": ");
  ink(t, safe ? INK_GOOD : unsafe ? INK_BAD : INK_NOTE);
  text_add(t->out, verdict);
  ink(t, INK_OFF);
  text_add(t->out, " under ");
  text_visible(t->out, member_text(t->result, "model"));
  text_add(t->out, ": ");
  if (safe) text_add(t->out, "nothing undefined, no hang, no trap and no race");
  else if (unsafe) add_kinds(t);
  else add_reason(t);
  text_char(t->out, '\n');
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
void told_certificate(const json_t *result, struct text *out) {
  const json_t *c = json_object_get(result, "certificate"), *claims = json_object_get(c, "claims");
  const char *test = member_text(result, "test");
  long long witnesses = member_number(c, "witnesses"), candidates = member_number(c, "candidates");
  size_t count = json_array_size(claims);
  if (!json_is_object(c)) return;
  text_printf(out, "Certified %s %s%s\n", test, member_holds(c, "certified") ? "yes" : "no: ",
              member_holds(c, "certified") ? "" : member_text(c, "problem"));
  if (witnesses)
    text_printf(out, "Certified %s %lld execution%s found: evaluated again, every axiom holds\n", test, witnesses,
                witnesses > 1 ? "s" : "");
  if (count) {
    text_printf(out, "Certified %s ", test);
    add_claims(claims, out);
    text_printf(out, ": %s proves %lld of %zu, its proofs checked", member_text(c, "prover"),
                member_number(c, "proved"), count);
    if (*member_text(c, "solver"))
      text_printf(out, "; %s agrees on %lld of %zu", member_text(c, "solver"), member_number(c, "agreed"), count);
    text_char(out, '\n');
  }
  if (candidates)
    text_printf(out, "Certified %s brute force: the same result from %lld candidate executions\n", test, candidates);
}

/* ---- Remarks */

static void note(const struct told *t, const char *words) {
  add_word(t, INK_NOTE, "note");
  text_visible(t->out, words);
  text_char(t->out, '\n');
}

static void add_sequential(const struct told *t) {
  const json_t *reason = json_object_get(t->result, "sequential_reason"), *access;
  size_t i;
  if (json_is_true(json_object_get(t->result, "sequential")))
    note(t, "sequential: every execution is like an interleaving of the threads");
  if (json_is_object(reason))
    note(t, arena_printf(t->out->arena, "not known to be sequential: %s", member_text(reason, "text")));
  if (!json_is_false(json_object_get(t->result, "sequential"))) return;
  note(t, "weak: an execution is like no interleaving of the threads, by this cycle");
  json_array_foreach(json_object_get(t->result, "cycle"), i, access) {
    text_add(t->out, "  ");
    add_place(NULL, place_of(access), true, t->out);
    text_add(t->out, ": ");
    add_access(access, t->out);
    text_printf(t->out, "  -%s->\n", member_text(access, "then"));
    if (json_object_get(access, "at")) add_quote(t, place_of(access));
  }
}

static void add_remarks(const struct told *t) {
  const json_t *item;
  const char *cure = member_text(json_object_get(t->result, "reason"), "cure"); /* "" of a launch that a suite lost */
  size_t i;
  bool unsafe = member_is(t->result, "verdict", "unsafe");
  json_array_foreach(json_object_get(t->result, "notes"), i, item) note(t, json_string_value(item));
  add_sequential(t);
  if (member_is(t->result, "verdict", "unknown") && *cure) {
    add_word(t, INK_NOTE, "hint");
    text_printf(t->out, "%s\n", cure);
  }
  if (unsafe && json_is_object(json_object_get(t->result, "reason"))) {
    add_word(t, INK_NOTE, "note");
    text_add(t->out, "other findings are unknown: ");
    add_reason(t);
    text_char(t->out, '\n');
  }
  json_array_foreach(json_object_get(t->result, "assumes"), i, item) {
    const char *text = member_text(item, "text"),
               *numbers = member_is(item, "id", "behind") ? strstr(text, ": P") : NULL;
    text_add(t->out, "assumes: ");
    text_visible(t->out, numbers && !t->style.verbose ? arena_printf(t->out->arena, "%.*s", (int)(numbers - text), text)
                                                      : text);
    text_char(t->out, '\n');
  }
  told_certificate(t->result, t->out);
}

void told_launch(const json_t *result, struct told_style style, struct text *out) {
  const struct told t = {result, style, out};
  add_verdict(&t);
  add_findings(&t);
  add_remarks(&t);
  text_char(out, '\n');
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

void told_state(const json_t *result, const json_t *state, struct text *out) {
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
