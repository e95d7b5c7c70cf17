/* Merges tests that differ only in scopes and places into one test with placeholders, and a table of the values. */
#include <ctype.h>

#include "generate/generate.h"

VEC_NAMED(alike, struct draft_text);

struct draft_tables {
  struct arena *arena;
  struct draft_set shapes;
  VEC(struct alike) list; /* by shape */
};

struct draft_tables *tables_new(struct arena *arena) {
  struct draft_tables *tables = ARENA_NEW(arena, struct draft_tables);
  tables->arena = arena;
  return tables;
}

static struct alike *alike_of(struct draft_tables *tables, const struct draft_key *key) {
  bool added;
  uint32_t number = draft_set_add(tables->arena, &tables->shapes, key, &added);
  if (added) VEC_PUSH(tables->arena, &tables->list, (struct alike){0});
  return &tables->list.data[number];
}

void tables_add(struct draft_tables *tables, const struct draft *draft, const char *expect) {
  struct draft_key key;
  struct draft ordered;
  draft_shape(draft, &key, &ordered);
  const char *name = draft_name(tables->arena, &ordered), *kept = expect ? arena_strdup(tables->arena, expect) : NULL;
  VEC_PUSH(tables->arena, alike_of(tables, &key), draft_text_of(tables->arena, &ordered, name, kept));
}

/* ---- Folding: each difference of texts of one form becomes a column of the table ---- */

struct fold {
  struct arena *arena;
  uint32_t rows;
  VEC(const char **) columns; /* the cells of each column, one per row */
};

/* The column with these cells, which is added if it is new. */
static uint32_t column_of(struct fold *fold, const char **cells) {
  for (uint32_t c = 0; c < fold->columns.len; c++) {
    uint32_t same = FIND_BELOW(n, fold->rows, strcmp(cells[n], fold->columns.data[c][n]) != 0);
    if (same == fold->rows) return c;
  }
  VEC_PUSH(fold->arena, &fold->columns, cells);
  return fold->columns.len - 1;
}

/* The next word, or the next character that is not part of a word. */
static const char *take_token(struct fold *fold, const char **at) {
  size_t length = 0;
  while (isalnum((unsigned char)(*at)[length])) length++;
  if (!length && **at) length = 1;
  const char *token = arena_strndup(fold->arena, *at, length);
  *at += length;
  return token;
}

/* Merges the texts, one per row, into one. */
static const char *fold_texts(struct fold *fold, const char **at) {
  struct text out = {.arena = fold->arena};
  while (*at[0]) {
    const char **tokens = ARENA_ARRAY(fold->arena, const char *, fold->rows);
    bool same = true;
    for (uint32_t r = 0; r < fold->rows; r++) {
      tokens[r] = take_token(fold, &at[r]);
      same = same && strcmp(tokens[r], tokens[0]) == 0;
    }
    if (same) text_add(&out, tokens[0]);
    else text_printf(&out, "$%u", column_of(fold, tokens));
  }
  return text_str(&out);
}

static const char *fold_member(struct fold *fold, const struct alike *alike, size_t member) {
  const char **texts = ARENA_ARRAY(fold->arena, const char *, fold->rows);
  for (uint32_t r = 0; r < fold->rows; r++) texts[r] = *(const char *const *)((const char *)&alike->data[r] + member);
  return fold_texts(fold, texts);
}

static const char *fold_cell(struct fold *fold, const struct alike *alike, uint32_t thread, uint32_t cell) {
  const char **texts = ARENA_ARRAY(fold->arena, const char *, fold->rows);
  for (uint32_t r = 0; r < fold->rows; r++) texts[r] = alike->data[r].columns.cells[thread].data[cell];
  return fold_texts(fold, texts);
}

static struct draft_text fold_tests(struct fold *fold, const struct alike *alike) {
  const struct draft_text *first = &alike->data[0];
  struct draft_text to = {.threads = first->threads, .columns.arena = fold->arena};
  to.name = fold_member(fold, alike, offsetof(struct draft_text, name));
  to.expect = first->expect ? fold_member(fold, alike, offsetof(struct draft_text, expect)) : NULL;
  to.locations = fold_member(fold, alike, offsetof(struct draft_text, locations));
  for (uint32_t t = 0; t < first->threads; t++)
    for (uint32_t i = 0; i < first->columns.cells[t].len; i++)
      VEC_PUSH(fold->arena, &to.columns.cells[t], fold_cell(fold, alike, t, i));
  to.condition = fold_member(fold, alike, offsetof(struct draft_text, condition));
  return to;
}

static void print_rows(const struct fold *fold, struct text *out) {
  text_add(out, "$$\n");
  for (uint32_t r = 0; r < fold->rows; r++)
    for (uint32_t c = 0; c < fold->columns.len; c++)
      text_printf(out, "%s%s", fold->columns.data[c][r], c + 1 < fold->columns.len ? " | " : "\n");
}

/* The name without the parts that differ: for "Wx.release.$0+$1+Rx.acquire.$0=1" it is "Wx.release+Rx.acquire=1". */
static const char *common_name(struct arena *arena, const char *name) {
  struct text out = {.arena = arena};
  while (*name) {
    size_t skipped = name[1] == '$' ? 2 + strspn(name + 2, "0123456789") : 0;
    if (skipped && *name == '+') text_char(&out, '+'), skipped++;
    if (!skipped) text_char(&out, *name);
    name += skipped ? skipped : 1;
  }
  return text_str(&out);
}

void tables_hand_over(const struct draft_tables *tables, table_visitor *visit, void *state) {
  VEC_EACH (alike, &tables->list) {
    struct fold fold = {.arena = tables->arena, .rows = alike->len};
    struct text out = {.arena = tables->arena};
    const struct draft_text folded = fold_tests(&fold, alike);
    draft_text_print(&folded, &out);
    if (fold.columns.len) print_rows(&fold, &out);
    if (!visit(state, common_name(tables->arena, folded.name), text_str(&out))) return;
  }
}
