/* Shared by the parsers, each of which includes it before its rules, so that bison's names are its own. PARSE: the
 * parser's state; BASE: the part of the state that is struct litmus_parse. */
#include "litmus/build.h"

/* The stacks have their full size from the start: nothing is allocated, so leaving by longjmp leaks nothing. Deeper
 * nesting is reported, and never crashes. */
#ifndef TOO_DEEP
#define YYINITDEPTH 2000
#define YYMAXDEPTH 2001
#define TOO_DEEP "the text is nested too deeply here" HINT "at most about 1000 brackets may be open at a time"
#endif

#define YYLLOC_DEFAULT(current, rhs, count) ((current) = litmus_rule_span((rhs), (count)))

int yylex(YYSTYPE *value, struct span *span, void *scanner);

/* As NODE of litmus/build.h. */
#define NEW(name, ...) ARENA_MAKE(BASE->arena, struct litmus_##name, __VA_ARGS__)
/* A copy of a reference in the arena. */
#define KEPT(...)                                                                                                      \
  ((struct litmus_ref *)memcpy(ARENA_NEW(BASE->arena, struct litmus_ref), (struct litmus_ref[]){__VA_ARGS__},          \
                               sizeof(struct litmus_ref)))

/* bison itself calls this only when its stack is full. */
static void yyerror(struct span *span, void *scanner, PARSE *parse, const char *message) {
  (void)scanner, (void)message;
  if (!BASE->stopped) litmus_fatal(BASE, DIAG_TOO_DEEP, *span, TOO_DEEP);
}

/* To be used after the rules: `report` gets all tokens of a syntax error by their names in the grammar. */
#define REPORT_SYNTAX(report)                                                                                          \
  static int yyreport_syntax_error(const yypcontext_t *context, void *scanner, PARSE *parse) {                         \
    (void)scanner;                                                                                                     \
    yysymbol_kind_t expected[YYNTOKENS];                                                                               \
    const char *names[YYNTOKENS];                                                                                      \
    int count = yypcontext_expected_tokens(context, expected, YYNTOKENS);                                              \
    for (int i = 0; i < count; i++) names[i] = yysymbol_name(expected[i]);                                             \
    if (!BASE->stopped)                                                                                                \
      report(BASE, *yypcontext_location(context), yysymbol_name(yypcontext_token(context)), names, count);             \
    return 0;                                                                                                          \
  }
