/* Splits a column of several threads into one column per thread. */
#include "litmus/build.h"

struct litmus_thread *litmus_thread_new(struct litmus_parse *parse, struct litmus_words names,
                                        struct litmus_level *levels, bool placed, struct span span) {
  return NODE(thread, .name = *names.first, .placed = placed, .levels = levels, .span = span);
}

struct litmus_level *litmus_level_of(struct litmus_parse *parse, const struct litmus_word *key, uint32_t number) {
  return NODE(level, .key = *key, .number = number);
}

void litmus_scan_column(struct litmus_parse *parse, char mark) {
  bool next = mark == '|' || mark == ';';
  parse->after_at = mark == '@';
  if (parse->section == 0 || !next) return;
  if (mark == ';') parse->section = 2;
  parse->column = mark == ';' ? 0 : parse->column + 1;
  parse->cell_begins = parse->section == 2;
  parse->in_host = parse->cell_begins && parse->column < parse->hosts.len && parse->hosts.data[parse->column];
  parse->in_host |= parse->block > 0;
  parse->brace_ends = parse->do_ends = false;
}

void litmus_scan_block(struct litmus_parse *parse) {
  parse->section = 2;
  parse->block = parse->open[0] + 1;
  parse->in_host = parse->cell_begins = parse->has_hosts = true;
  parse->brace_ends = parse->do_ends = false;
}

void litmus_scan_brace(struct litmus_parse *parse, char bracket) {
  bool opens = bracket == '{';
  if (!parse->block || (!opens && bracket != '}')) return;
  if (parse->open[0] < parse->block) {
    parse->block = 0;
    parse->in_host = parse->cell_begins = false;
    parse->section = 1;
    return;
  }
  parse->brace_ends = !opens;
  parse->do_ends = !opens && parse->dos & 1;
  parse->dos = opens ? parse->dos << 1 | parse->after_do : parse->dos >> 1;
  parse->cell_begins = true;
}

bool litmus_goes_on(const struct litmus_parse *parse, const char *word) {
  return parse->block && ((parse->do_ends && strcmp(word, "while") == 0) ||
                          (parse->brace_ends && strcmp(word, "else") == 0));
}

bool litmus_scan_host(struct litmus_parse *parse, const char *word) {
  bool host = parse->section == 1 && parse->after_at && !parse->test->cuda &&
              (strcmp(word, "host") == 0 || strcmp(word, "cpu") == 0);
  parse->after_at = false;
  while (host && parse->hosts.len <= parse->column) VEC_PUSH(parse->arena, &parse->hosts, false);
  if (host) parse->hosts.data[parse->column] = true;
  parse->has_hosts |= host;
  return host;
}

struct litmus_level *litmus_level_new(struct litmus_parse *parse, const struct litmus_word *key,
                                      struct litmus_number number) {
  return NODE(level, .key = *key, .number = litmus_small(parse, number, 1000000, "the number of a level"));
}

static uint32_t count_names(const struct litmus_thread *column) { return LIST_LENGTH(&column->name); }

/* The levels of the `index`-th thread of a column: a single number is for all threads, else each thread has its own. */
static struct litmus_level *levels_of(struct litmus_parse *parse, const struct litmus_thread *column, uint32_t index,
                                      uint32_t names) {
  struct litmus_level *first = NULL, **end = &first;
  LIST_EACH (level, column->levels) {
    const struct litmus_level *own = level, *other = level->others;
    uint32_t numbers = 1;
    for (uint32_t i = 1; other; other = other->others, i++, numbers++)
      if (i == index) own = other;
    if (index == 0 && numbers > 1 && numbers != names)
      litmus_error(parse, DIAG_WRONG_PLACEMENT, level->key.span, "'%s' has %u numbers for %u thread%s" HINT
                   "give one number for all threads of the column, or one for each",
                   level->key.text, numbers, names, names == 1 ? "" : "s");
    *end = NODE(level, .key = level->key, .number = own->number);
    end = &(*end)->next;
  }
  return first;
}

/* Gives each thread in a column's heading its own entry. */
static struct litmus_thread *spread_threads(struct litmus_parse *parse, const struct litmus_thread *columns) {
  struct litmus_thread *first = NULL, **end = &first;
  for (; columns; columns = columns->next) {
    uint32_t index = 0, names = count_names(columns);
    for (const struct litmus_word *name = &columns->name; name; name = name->next, index++) {
      *end = NODE(thread, .name = *name, .placed = columns->placed, .span = columns->span);
      (*end)->name.next = NULL;
      (*end)->levels = levels_of(parse, columns, index, names);
      end = &(*end)->next;
    }
  }
  return first;
}

/* Repeats the cells of a row for every thread of their columns. */
static void spread_row(struct litmus_parse *parse, const struct litmus_thread *columns, struct litmus_row *row) {
  struct litmus_cell *first = NULL, **end = &first;
  row->count = 0;
  LIST_EACH (cell, row->cells) {
    uint32_t copies = columns ? count_names(columns) : 1;
    for (uint32_t i = 0; i < copies; i++) {
      struct litmus_cell *copy = ARENA_COPY(parse->arena, cell);
      copy->next = NULL;
      *end = copy;
      end = &copy->next;
      row->count++;
    }
    if (columns) columns = columns->next;
  }
  row->cells = first;
}

void litmus_spread_columns(struct litmus_parse *parse) {
  struct litmus_test *test = parse->test;
  bool several = false;
  LIST_EACH (t, test->threads) {
    several |= t->name.next != NULL;
    LIST_EACH (level, t->levels) several |= level->others != NULL;
  }
  if (!several) return;
  LIST_EACH (row, test->rows) spread_row(parse, test->threads, row);
  test->threads = spread_threads(parse, test->threads);
  test->thread_count = LIST_LENGTH(test->threads);
}

void litmus_set_columns(struct litmus_parse *parse, struct litmus_cells *columns, uint32_t count) {
  struct litmus_rows rows = {0};
  uint32_t height = 0;
  for (uint32_t t = 0; t < count; t++)
    if (columns[t].count > height) height = columns[t].count;
  for (uint32_t i = 0; i < height; i++) {
    struct litmus_cells cells = {.count = count};
    for (uint32_t t = 0; t < count; t++) {
      struct litmus_cell *cell = columns[t].first;
      if (cell) columns[t].first = cell->next;
      else cell = NODE(cell, .span = columns[t].last ? columns[t].last->span : parse->test->name_span);
      cell->next = NULL;
      LIST_ADD(cells, cell);
    }
    LIST_ADD(rows, NODE(row, .cells = cells.first, .count = count, .span = cells.first->span));
  }
  parse->test->rows = rows.first;
  parse->test->row_count = height;
}
