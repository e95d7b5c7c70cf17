/* Writes messages for syntax errors in litmus tests. Tokens are identified by their names in the grammar. */

#include "litmus/build.h"

#define LETTERS "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"

/* True for tokens that continue an operand or occur in few places: they would hide the likely alternatives. */
static bool rarely_meant(const char *name) { return strlen(name) == 3 && strchr("+-[:&", name[1]); }

static bool among(const char *name, const char **expected, int count) {
  return SOME(for (int i = 0; i < count; i++), strcmp(expected[i], name) == 0);
}

/* Keeps the alternatives worth naming; returns their number. After an operand, `|` and `(` would change its kind. */
static int likely(const char **expected, int count) {
  int kept = 0;
  bool operand = among("a qualifier", expected, count);
  for (int i = 0; i < count; i++) {
    bool longer = strcmp(expected[i], "'|' between two results") == 0 || (operand && strcmp(expected[i], "'('") == 0);
    if (!rarely_meant(expected[i]) && !longer) expected[kept++] = expected[i];
  }
  return kept ? kept : count;
}

/* Reports one of two premature ends in plainer words than a list of tokens; false for other errors. */
static bool report_end(struct litmus_parse *parse, struct span span, const char *found, const char **expected,
                       int count) {
  struct span open = litmus_open(parse);
  bool end = strcmp(found, "the end of the file") == 0;
  if (end && open.source) litmus_error(parse, DIAG_UNCLOSED, open, "this bracket is never closed");
  else if (end && among("'exists'", expected, count))
    litmus_error(parse, DIAG_SYNTAX, span,
                 "the file ends without a condition" HINT
                 "for example: exists (0:r0=1 /\\ x=2), or 'safe' to ask if a kernel is safe");
  else if (strcmp(found, "a number") == 0 && parse->open[0] && count == 1 && among("'aliases'", expected, count))
    litmus_fatal(parse, DIAG_UNCLOSED, open,
                 "this block is not closed before the threads begin" HINT "a '}' is missing");
  else return false;
  return true;
}

/* The first word of the line that has the error, or that the file ends with. */
static struct span first_word(const struct litmus_parse *parse, uint32_t at) {
  const char *text = parse->source->text;
  while (at && strchr(" \t\r\n", text[at])) at--;
  while (at && text[at - 1] != '\n') at--;
  at += (uint32_t)strspn(text + at, " \t~");
  return (struct span){parse->source, at, at + (uint32_t)strspn(text + at, LETTERS)};
}

/* Reports a misspelt keyword at the end of a test, and `safe` with a condition. */
static bool report_keyword(struct litmus_parse *parse, struct span span, const char *found) {
  static const char *const words[] = {"exists", "forall", "safe", "in-turns", "filter", "locations"};
  if (parse->state || parse->open[0] || (!parse->test->threads && !parse->test->kernels)) return false;
  struct span word = first_word(parse, span.begin);
  const char *text = arena_strndup(parse->arena, parse->source->text + word.begin, word.end - word.begin);
  const char *near = *text ? nearest_word(text, words, ARRAY_LEN(words)) : NULL;
  if (!near) return false;
  bool right = strcmp(near, text) == 0, safe = strcmp(near, "safe") == 0 && span.begin > word.end;
  if (!right)
    litmus_error(parse, DIAG_SYNTAX, word, "'%s' does not begin a condition" HINT "did you mean '%s'?", text, near);
  else if (strcmp(found, "'safe'") == 0 || (safe && strcmp(found, "the end of the file") != 0))
    litmus_error(parse, DIAG_SYNTAX, span,
                 "'safe' is not combined with a condition" HINT
                 "write 'safe' alone, or a condition such as exists (0:r0=1 /\\ x=2)");
  else return false;
  return true;
}

/* True after the `) {` of an if or while in the same cell. */
static bool is_behind_block(const struct litmus_parse *parse, struct span span) {
  const char *text = span.source->text;
  uint32_t at = span.begin;
  for (const char *before = "{)"; *before; before++) {
    while (at > 0 && (text[at - 1] == ' ' || text[at - 1] == '\t')) at--;
    if (at == 0 || text[--at] != *before) return false;
  }
  return parse->test->cuda;
}

void litmus_report_syntax(struct litmus_parse *parse, struct span span, const char *found, const char **expected,
                          int count) {
  if (parse->stopped || report_keyword(parse, span, found) || report_end(parse, span, found, expected, count)) return;
  bool end = strcmp(found, "the end of the file") == 0;
  struct span typed = span_typed(span);
  bool inserted = parse->source->typed && typed.begin == typed.end; /* by ptxlit, between the arguments of a launch */
  const char *early = inserted       ? "something is missing here"
                      : !end         ? NULL
                      : parse->state ? "the state must not end here"
                                     : "the file ends here";
  count = likely(expected, count);
  for (int i = 0; i < count && parse->state; i++) {
    if (strcmp(expected[i], "the end of the file") != 0) continue;
    expected[i] = expected[count - 1];
    expected[count - 1] = "the end of the state";
  }
  struct diagnostic *d = litmus_unexpected(parse, span, early, expected, count);
  if (parse->open[0] && !parse->open[1] && !parse->open[2] && count > LITMUS_SHOWN_ALTERNATIVES)
    diag_hint(parse->diags, d, "for example: %s",
              parse->source->typed ? "float A[64] or int n={3}, with a comma before the next one"
                                   : "x=0; or .u64 a[2]={1,2}; or P0:r1=x; or y aliases x;");
  else if (is_behind_block(parse, span))
    diag_hint(parse->diags, d, "'{' ends a cell: write the statements of the block in the next rows, then '}'");
  litmus_note_open(parse, d);
}
