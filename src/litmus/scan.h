/* Shared by the scanners, each of which includes it before its rules and after bison's header, so that flex's names are
 * its own. */
#include "litmus/build.h"

#define TOKEN(kind) return TOKEN_##kind
#define YY_USER_ACTION                                                                                                 \
  *yylloc = litmus_scan_token(yyextra, (uint32_t)yyleng);                                                              \
  if (yyextra->stopped) return SCAN_END;
/* The only remaining fatal condition is a token or input too long for flex, which SOURCE_LIMIT excludes. */
#define YY_FATAL_ERROR(message) BUG("a scanner: %s", message)

struct litmus_parse *yyget_extra(yyscan_t scanner);
int yylex_init_extra(struct litmus_parse *parse, yyscan_t *scanner);

/* flex calls these three; a block carries its size so that realloc knows how much to copy. */
union block {
  size_t size;
  max_align_t align;
};

void *yyalloc(yy_size_t size, yyscan_t scanner) {
  union block *block = arena_alloc(yyget_extra(scanner)->arena, sizeof(union block) + size);
  block->size = size;
  return block + 1;
}

void *yyrealloc(void *old, yy_size_t size, yyscan_t scanner) {
  void *larger = yyalloc(size, scanner);
  if (old) {
    size_t before = ((union block *)old)[-1].size;
    memcpy(larger, old, before < size ? before : size);
  }
  return larger;
}

void yyfree(void *block, yyscan_t scanner) { (void)block, (void)scanner; }

static yyscan_t scanner_of(struct litmus_parse *parse) {
  yyscan_t scanner;
  if (yylex_init_extra(parse, &scanner) != 0) BUG("a scanner cannot start");
  yy_scan_bytes(parse->source->text, (int)parse->source->length, scanner);
  return scanner;
}
