/* Answers requests for hover and completion from the text at the cursor. */

#include "lsp/lsp.h"

static enum ptxlit_language language_of(const struct lsp_document *document) {
  return document->kind == LSP_CAT ? PTXLIT_LANGUAGE_CAT : PTXLIT_LANGUAGE_PTX;
}

static bool is_word(char c, bool dots) {
  bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
  return letter || c == '_' || c == '-' || (dots && (c == '.' || c == ':'));
}

/* The start of the word that contains `at` or ends there. */
static const char *word_begin(const char *text, const char *at, bool dots) {
  while (at > text && is_word(at[-1], dots)) at--;
  return at;
}

json_t *lsp_hover(const struct lsp_document *document, json_t *position, bool utf8) {
  bool dots = document->kind != LSP_CAT;
  const char *at = lsp_place(document->text, position, utf8), *begin = word_begin(document->text, at, dots);
  while (is_word(*at, dots)) at++;
  char *word = strndup(begin, (size_t)(at - begin));
  struct ptxlit *session = word && *word ? ptxlit_new() : NULL;
  const char *text = session ? ptxlit_describe(session, language_of(document), word) : NULL;
  json_t *answer = text ? json_pack("{s:{s:s,s:s}}", "contents", "kind", "plaintext", "value", text) : json_null();
  ptxlit_free(session);
  free(word);
  return answer;
}

static void offer(json_t *items, const char *word, size_t length, json_t *range) {
  json_array_append_new(items, json_pack("{s:s%,s:i,s:{s:O,s:s%}}", "label", word, length, "kind", 14, "textEdit",
                                         "range", range, "newText", word, length));
}

static json_t *range_to(const struct lsp_document *document, const char *begin, json_t *position, bool utf8) {
  size_t line = (size_t)json_integer_value(json_object_get(position, "line")) + 1;
  size_t column = (size_t)(begin - lsp_line(document->text, line)) + 1;
  return json_pack("{s:o,s:O}", "start", lsp_position(document->text, line, column, utf8), "end", position);
}

static void complete_words(const struct lsp_document *document, const char *start, json_t *range, json_t *items) {
  struct ptxlit *session = ptxlit_new();
  const char *words = session ? ptxlit_complete(session, language_of(document), start) : NULL;
  for (size_t length; words && *words; words += length + 1) {
    length = strcspn(words, "\n");
    offer(items, words, length, range);
  }
  ptxlit_free(session);
}

static void complete_options(const struct lsp_host *host, const char *start, json_t *range, json_t *items) {
  for (const char *const *option = host->options; *option; option++) {
    char word[64];
    int length = snprintf(word, sizeof word, "--%s", *option);
    if (base_begins(word, start)) offer(items, word, (size_t)length, range);
  }
}

/* After "--": options of the command line, as in comments of tests. After a dot of an instruction: its qualifiers.
 * Otherwise: opcodes, or the names that a model may use. */
json_t *lsp_completion(const struct lsp_host *host, const struct lsp_document *document, json_t *position, bool utf8) {
  json_t *items = json_array();
  const char *at = lsp_place(document->text, position, utf8);
  const char *begin = word_begin(document->text, at, document->kind != LSP_CAT);
  char *start = strndup(begin, (size_t)(at - begin));
  if (!start) return items;
  const char *dot = strrchr(start, '.');
  json_t *range = range_to(document, dot ? begin + (dot - start) : begin, position, utf8);
  if (base_begins(start, "--")) {
    complete_options(host, start, range, items);
  } else if (document->kind != LSP_MAP) {
    complete_words(document, start, range, items);
  }
  json_decref(range);
  free(start);
  return items;
}
