#include "result/expect.h"

#include <ctype.h>

/* Other control bytes are not separators, because output escapes them and must read back the same. */
static bool is_separator(char c) { return c != '\0' && strchr(" \t\r\n\f\v,", c); }

static uint64_t hash_of(const char *model) { return hash_bytes(model, strlen(model)); }

/* Reads one item. */
static void read_item(struct arena *arena, struct diags *diags, const char *text, struct span span,
                      struct expectations *out) {
  const char *colon = strrchr(text, ':');
  if (!colon || colon == text) {
    diag_report(diags, DIAG_BAD_EXPECTATION, span,
                "'%s' does not say for which model" HINT "write MODEL:RESULT, such as ptx:Never", text);
    return;
  }
  struct expectation item = {arena_strndup(arena, text, (size_t)(colon - text)), colon + 1, span};
  if (!expected_find(item.word)) {
    const char *words[EXPECTED_COUNT];
    for (size_t i = 0; i < EXPECTED_COUNT; i++) words[i] = expected_rows[i].word;
    struct diagnostic *d = diag_report(diags, DIAG_BAD_EXPECTATION, span, "'%s' is not a result", item.word);
    const char *near = nearest_word(item.word, words, EXPECTED_COUNT);
    if (near) diag_hint(diags, d, "did you mean '%s'?", near);
    else diag_hint(diags, d, "results are %s", expected_words);
    return;
  }
  const struct expectation *before = expect_find(out, item.model);
  if (before) {
    struct diagnostic *d =
        diag_report(diags, DIAG_BAD_EXPECTATION, span, "a second expectation for model '%s'", item.model);
    diag_beside(d, before->span, "the first one");
    return;
  }
  HASH_PUSH(arena, &out->by_model, hash_of(item.model), &out->list, item);
}

/* Reads the value from the source, not from the key's copy, so that each item has its place. */
static void read_line(struct arena *arena, struct diags *diags, struct span line, struct expectations *out) {
  const char *text = line.source->text;
  uint32_t at = line.begin;
  while (at < line.end && text[at] != '=') at++;
  at++;
  uint32_t empty = diags->errors + out->list.len;
  while (at < line.end) {
    if (is_separator(text[at])) {
      at++;
      continue;
    }
    uint32_t begin = at;
    while (at < line.end && !is_separator(text[at])) at++;
    const char *item = arena_strndup(arena, text + begin, at - begin);
    read_item(arena, diags, item, (struct span){line.source, begin, at}, out);
  }
  if (diags->errors + out->list.len != empty) return;
  diag_report(diags, DIAG_BAD_EXPECTATION, line,
              "this Expect= line states no result" HINT
              "write MODEL:RESULT after it, such as Expect=ptx:Never, or leave the line out");
}

/* Reads an expectation that another part of the test states. */
static void read_stated(struct arena *arena, struct diags *diags, const struct litmus_key *key,
                        struct expectations *out) {
  for (const char *at = key->value; *at;) {
    size_t length = 0;
    while (at[length] && !is_separator(at[length])) length++;
    if (length) read_item(arena, diags, arena_strndup(arena, at, length), key->span, out);
    at += length;
    at += *at != '\0';
  }
}

/* True if a key seems to be a misspelt Expect; herd's keys and a test's own keys are not. */
static bool is_misspelt(struct arena *arena, const char *key) {
  static const char *const known[] = {"expect"};
  char *lower = arena_strdup(arena, key);
  for (char *at = lower; *at; at++) *at = (char)tolower((unsigned char)*at);
  bool longer = base_begins(lower, known[0]);
  return longer || (strlen(lower) + 1 >= strlen(known[0]) && nearest_word(lower, known, ARRAY_LEN(known)));
}

static void read_key(struct arena *arena, struct diags *diags, const struct litmus_key *key, struct expectations *out) {
  if (strcmp(key->key, "Expect") == 0) {
    key->stated ? read_stated(arena, diags, key, out) : read_line(arena, diags, key->span, out);
  } else if (is_misspelt(arena, key->key)) {
    struct span span = key->span;
    span.end = span.begin + (uint32_t)strlen(key->key);
    diag_report(diags, DIAG_BAD_EXPECTATION, span, "'%s=' states no expectation" HINT "did you mean 'Expect='?",
                key->key);
  }
}

void expect_read(struct arena *arena, struct diags *diags, const struct litmus_test *test, struct expectations *out) {
  *out = (struct expectations){0};
  LIST_EACH (key, test->keys) read_key(arena, diags, key, out);
}

const struct expectation *expect_find(const struct expectations *expectations, const char *model) {
  HASH_EACH(i, &expectations->by_model, hash_of(model))
    if (strcmp(expectations->list.data[i].model, model) == 0) return &expectations->list.data[i];
  return NULL;
}

bool expect_asks_for_ends(const struct expectation *expectation) {
  return expected_find(expectation->word)->about == ABOUT_TERMINATION;
}

const char *expect_found(const struct result *result, enum expected_about about) {
  bool decided = result->verdict == VERDICT_ALLOWED || result->verdict == VERDICT_FORBIDDEN;
  switch (about) {
    case ABOUT_HOLDS: return !decided ? NULL : result->holds ? "true" : "false";
    case ABOUT_OBSERVATION: return decided ? observation_name(result->observation) : NULL;
    case ABOUT_VERDICT: return verdict_name(result->verdict);
    case ABOUT_TERMINATION: return termination_name(result->termination);
  }
  BUG("nothing is about %d", (int)about);
}

bool expect_met(const struct expectation *expectation, const struct result *result) {
  const struct expected *row = expected_find(expectation->word);
  return expected_is_met(row, expect_found(result, row->about));
}
