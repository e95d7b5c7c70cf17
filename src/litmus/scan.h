/* Shared by the scanners of tests and modules: included behind their rules, where flex's names stand for those of the
 * one scanner.
 *
 * flex calls the first three; a block carries its size so that realloc knows how much to copy. */
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

void yyfree(void *block, yyscan_t scanner) {
  (void)block;
  (void)scanner;
}

/* The only fatal condition left is a token or input longer than flex can hold, which SOURCE_LIMIT excludes. */
static void fatal_hook(const char *message, void *scanner) {
  (void)scanner;
  (void)yy_fatal_error;
  BUG("a scanner: %s", message);
}

static void scan_source(struct litmus_parse *parse, yyscan_t *scanner) {
  if (yylex_init_extra(parse, scanner) != 0) BUG("a scanner cannot start");
  yy_scan_bytes(parse->source->text, (int)parse->source->length, *scanner);
}
