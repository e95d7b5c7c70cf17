#include "litmus/table.h"

static struct diags *diags_new(struct arena *arena) {
  struct diags *diags = ARENA_NEW(arena, struct diags);
  diags_init(diags, arena);
  return diags;
}

struct slice {
  uint32_t begin, end; /* in the source */
};

struct table {
  struct arena *arena;
  struct diags *diags;
  const struct source *source;
  enum table_style style;
  struct slice above; /* the test with the placeholders for the rows' cells */
  bool named;
};

static bool blank(char c) { return c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v'; }

static struct slice trimmed(const struct source *source, struct slice slice) {
  while (slice.begin < slice.end && blank(source->text[slice.begin])) slice.begin++;
  while (slice.end > slice.begin && blank(source->text[slice.end - 1])) slice.end--;
  return slice;
}

static struct span span_of(const struct table *table, struct slice slice) {
  return (struct span){table->source, slice.begin, slice.end};
}

/* The line that starts at `begin`, without its newline. */
static struct slice line_at(const struct source *source, uint32_t begin) {
  const char *newline = memchr(source->text + begin, '\n', source->length - begin);
  return (struct slice){begin, newline ? (uint32_t)(newline - source->text) : (uint32_t)source->length};
}

static bool starts_with(const struct source *source, struct slice slice, const char *text) {
  size_t length = strlen(text);
  return slice.end - slice.begin >= length && memcmp(source->text + slice.begin, text, length) == 0;
}

static bool is_mark(const struct source *source, struct slice line) {
  line = trimmed(source, line);
  return line.end - line.begin == 2 && starts_with(source, line, "$$");
}

VEC_NAMED(cells, struct slice);

static void split(const struct table *table, struct slice row, struct cells *cells) {
  const char *text = table->source->text;
  for (uint32_t begin = row.begin;;) {
    const char *bar = memchr(text + begin, '|', row.end - begin);
    uint32_t end = bar ? (uint32_t)(bar - text) : row.end;
    VEC_PUSH(table->arena, cells, trimmed(table->source, (struct slice){begin, end}));
    if (!bar) return;
    begin = end + 1;
  }
}

/* Reports a placeholder without a column; the place is the row, in which the mistake usually is. */
static void no_column(const struct table *table, struct diags *diags, struct slice row, struct slice placeholder,
                      uint32_t columns) {
  struct diagnostic *d = diag_report(
      diags, DIAG_SYNTAX, span_of(table, row), "the row has %u column%s, none of them for '%.*s'", columns,
      columns == 1 ? "" : "s", (int)(placeholder.end - placeholder.begin), table->source->text + placeholder.begin);
  diag_beside(d, span_of(table, placeholder), "used here");
}

static void unused_column(const struct table *table, struct diags *diags, struct slice cell, uint32_t column) {
  diag_report(diags, DIAG_SYNTAX, span_of(table, cell),
              "the test does not use $%u" HINT "$0 is the first column of the row", column);
}

/* The placeholder at `at`, which is a $; `*number`: its number, or UINT32_MAX. */
static struct slice placeholder_at(const struct table *table, uint32_t at, uint32_t *number) {
  const char *text = table->source->text;
  uint32_t end = at + 1, value = 0;
  for (; end < table->above.end && text[end] >= '0' && text[end] <= '9'; end++)
    if (value < 100000) value = value * 10 + (uint32_t)(text[end] - '0');
  *number = end > at + 1 ? value : UINT32_MAX;
  return (struct slice){at, end};
}

/* The cell for the placeholder at `at`, which is a $. NULL: there is none, an error unless it is a $ without a number
 * in a .litmus file, which is a plain $. */
static const struct slice *cell_at(const struct table *table, struct diags *diags, struct slice row,
                                   const struct cells *cells, uint32_t at, uint32_t *end) {
  uint32_t number;
  struct slice placeholder = placeholder_at(table, at, &number);
  *end = placeholder.end;
  if (number < cells->len) return &cells->data[number];
  if (number != UINT32_MAX || table->style == TABLE_OF_TEST) no_column(table, diags, row, placeholder, cells->len);
  return NULL;
}

/* Writes the test with the cells of the row. False if there are too few or too many cells. */
static bool fill(const struct table *table, struct diags *diags, struct slice row, struct text *out) {
  const char *text = table->source->text;
  struct cells cells = {0};
  split(table, row, &cells);
  bool *used = ARENA_ARRAY(table->arena, bool, cells.len), joined = table->style == TABLE_OF_TEST;
  for (uint32_t at = table->above.begin, end; at < table->above.end && !diags->errors; at = end) {
    const struct slice *cell = NULL;
    end = at + 1;
    if (text[at] == '$' && (cell = cell_at(table, diags, row, &cells, at, &end))) {
      text_add_slice(out, text + cell->begin, cell->end - cell->begin);
      used[cell - cells.data] = true;
    } else if (joined && text[at] == '/' && end < table->above.end && text[end] == '/') {
      end = line_at(table->source, at).end + 1;
      text_char(out, ' ');
    } else {
      text_char(out, joined && (text[at] == '\n' || blank(text[at])) ? ' ' : text[at]);
    }
  }
  for (uint32_t i = 0; i < cells.len && !diags->errors; i++)
    if (!used[i]) unused_column(table, diags, cells.data[i], i);
  return !diags->errors;
}

static void add_row(struct table *table, struct slice row, uint32_t line, struct filled_rows *out, uint32_t number) {
  struct text text = {.arena = table->arena};
  struct diags *diags = diags_new(table->diags->arena);
  struct source *source = fill(table, diags, row, &text) ? ARENA_NEW(table->arena, struct source) : NULL;
  if (source) {
    *source = source_from_text(table->source->name, text_str(&text), text.len);
    source->made_of_line = line;
    source->hidden = table->source->hidden;
  }
  VEC_PUSH(table->arena, out, (struct filled_row){source, number, line, table->named, diags});
}

static void read_rows(struct table *table, uint32_t begin, uint32_t line, struct filled_rows *out) {
  const struct source *source = table->source;
  uint32_t number = 0;
  while (begin < source->length) {
    struct slice whole = line_at(source, begin), row = trimmed(source, whole);
    line++;
    begin = whole.end + 1;
    if (row.begin == row.end || starts_with(source, row, "#") || starts_with(source, row, "//")) continue;
    if (is_mark(source, row)) {
      diag_report(table->diags, DIAG_SYNTAX, span_of(table, row), "a test has one table: this is a second '$$'");
      return;
    }
    add_row(table, row, line, out, ++number);
  }
  if (number) return;
  diag_report(table->diags, DIAG_SYNTAX, (struct span){source, (uint32_t)source->length, (uint32_t)source->length},
              "the table has no rows");
}

/* Finds the line `$$`: its start, the start of the next line, and its number; false if there is none. */
static bool find_mark(const struct source *source, uint32_t *begin, uint32_t *next, uint32_t *line) {
  *line = 1;
  for (*begin = 0; *begin < source->length; ++*line) {
    struct slice at = line_at(source, *begin);
    *next = at.end < source->length ? at.end + 1 : at.end;
    if (is_mark(source, at)) return true;
    *begin = at.end + 1;
  }
  return false;
}

bool table_is_in(const struct source *source) {
  uint32_t begin, next, line;
  return find_mark(source, &begin, &next, &line);
}

/* True if the first line has a placeholder. */
static bool is_named(const struct source *source) {
  struct slice first = line_at(source, 0);
  return memchr(source->text, '$', first.end) != NULL;
}

void table_read(struct arena *arena, struct diags *diags, const struct source *source, enum table_style style,
                struct filled_rows *out) {
  struct table table = {arena, diags, source, style, {0, 0}, is_named(source)};
  uint32_t next, line;
  if (find_mark(source, &table.above.end, &next, &line)) read_rows(&table, next, line, out);
  else VEC_PUSH(arena, out, (struct filled_row){source, 0, 0, false, diags_new(diags->arena)});
}
