/* Nodes for rows, their instructions, and the parts of a test. */
#include "litmus/build.h"

struct litmus_cell *litmus_cell_new(struct litmus_parse *parse, struct litmus_words labels, struct litmus_instr *instr,
                                    struct span span) {
  struct litmus_cell *cell = ARENA_NEW(parse->arena, struct litmus_cell);
  cell->labels = labels.first;
  cell->instr = instr;
  cell->span = span;
  return cell;
}

struct litmus_instr *litmus_instr_new(struct litmus_parse *parse, struct litmus_word *opcode,
                                      struct litmus_words qualifiers, struct litmus_operand *operands) {
  struct litmus_instr *instr = ARENA_NEW(parse->arena, struct litmus_instr);
  instr->opcode = *opcode;
  instr->qualifiers = qualifiers;
  instr->operands = operands;
  instr->call = operands && operands->kind == LITMUS_LIST && !operands->next;
  if (instr->call) instr->operands = operands->u.items;
  return instr;
}

void litmus_instr_assign(struct litmus_parse *parse, struct litmus_instr *instr, const struct litmus_word *result) {
  struct litmus_operand *operand = litmus_operand_new(parse, LITMUS_NAME, result->span);
  operand->u.ref = litmus_ref_plain(parse, result);
  operand->next = instr->operands;
  instr->operands = operand;
  instr->call = instr->assigns = true;
}

struct litmus_row *litmus_row_new(struct litmus_parse *parse, struct litmus_cell *cells, uint32_t count,
                                  struct span span) {
  if (count == 1 && !cells->labels && !cells->instr) return NULL;
  struct litmus_row *row = ARENA_NEW(parse->arena, struct litmus_row);
  row->cells = cells;
  row->count = count;
  row->span = span;
  parse->test->row_count++;
  return row;
}

void litmus_set_condition(struct litmus_parse *parse, enum litmus_quantifier quantifier, struct litmus_cond *cond,
                          struct span span) {
  parse->test->quantifier = quantifier;
  parse->test->condition = cond;
  parse->test->condition_span = span;
}

void litmus_set_parts(struct litmus_parse *parse, struct litmus_word *docs, struct litmus_term *locations,
                      struct litmus_cond *filter) {
  parse->test->docs = docs;
  parse->test->locations = locations;
  parse->test->filter = filter;
}

/* ---- columns */

struct litmus_thread *litmus_thread_new(struct litmus_parse *parse, struct litmus_words names,
                                        struct litmus_level *levels, bool placed, struct span span) {
  struct litmus_thread *thread = ARENA_NEW(parse->arena, struct litmus_thread);
  *thread = (struct litmus_thread){.name = *names.first, .placed = placed, .levels = levels, .span = span};
  return thread;
}

struct litmus_level *litmus_level_new(struct litmus_parse *parse, const struct litmus_word *key,
                                      struct litmus_number number) {
  struct litmus_level *level = ARENA_NEW(parse->arena, struct litmus_level);
  level->key = *key;
  level->number = litmus_small(parse, number, 1000000, "the number of a level");
  return level;
}

static uint32_t count_names(const struct litmus_thread *column) {
  uint32_t count = 0;
  for (const struct litmus_word *name = &column->name; name; name = name->next) count++;
  return count;
}

/* The levels of the thread that is `index`-th in its column: one number is for all, else each has its own. */
static struct litmus_level *levels_of(struct litmus_parse *parse, const struct litmus_thread *column, uint32_t index,
                                      uint32_t names) {
  struct litmus_level *first = NULL, **end = &first;
  for (const struct litmus_level *level = column->levels; level; level = level->next) {
    const struct litmus_level *own = level, *other = level->others;
    uint32_t numbers = 1;
    for (uint32_t i = 1; other; other = other->others, i++, numbers++)
      if (i == index) own = other;
    if (index == 0 && numbers > 1 && numbers != names)
      litmus_error(parse, DIAG_WRONG_PLACEMENT, level->key.span, "%u numbers of a %s for %u thread%s", numbers,
                   level->key.text, names, names == 1 ? "" : "s");
    struct litmus_level *copy = ARENA_NEW(parse->arena, struct litmus_level);
    *copy = (struct litmus_level){.key = level->key, .number = own->number};
    *end = copy;
    end = &copy->next;
  }
  return first;
}

/* Each thread that heads a column, by itself. */
static struct litmus_thread *spread_threads(struct litmus_parse *parse, const struct litmus_thread *columns) {
  struct litmus_thread *first = NULL, **end = &first;
  for (; columns; columns = columns->next) {
    uint32_t index = 0, names = count_names(columns);
    for (const struct litmus_word *name = &columns->name; name; name = name->next, index++) {
      struct litmus_thread *thread = ARENA_NEW(parse->arena, struct litmus_thread);
      *thread = (struct litmus_thread){.name = *name, .placed = columns->placed, .span = columns->span};
      thread->name.next = NULL;
      thread->levels = levels_of(parse, columns, index, names);
      *end = thread;
      end = &thread->next;
    }
  }
  return first;
}

/* The cells of a row, each for every thread of its column. */
static void spread_row(struct litmus_parse *parse, const struct litmus_thread *columns, struct litmus_row *row) {
  struct litmus_cell *first = NULL, **end = &first;
  row->count = 0;
  for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next) {
    uint32_t copies = columns ? count_names(columns) : 1;
    for (uint32_t i = 0; i < copies; i++) {
      struct litmus_cell *copy = ARENA_NEW(parse->arena, struct litmus_cell);
      *copy = *cell;
      copy->next = NULL;
      *end = copy;
      end = &copy->next;
      row->count++;
    }
    if (columns) columns = columns->next;
  }
  row->cells = first;
}

void litmus_set_columns(struct litmus_parse *parse, struct litmus_thread *threads, struct litmus_row *rows) {
  bool several = false;
  for (const struct litmus_thread *t = threads; t; t = t->next) {
    several |= t->name.next != NULL;
    for (const struct litmus_level *level = t->levels; level; level = level->next) several |= level->others != NULL;
  }
  for (struct litmus_row *row = rows; row && several; row = row->next) spread_row(parse, threads, row);
  parse->test->threads = several ? spread_threads(parse, threads) : threads;
  for (const struct litmus_thread *t = parse->test->threads; t; t = t->next) parse->test->thread_count++;
  parse->test->rows = rows;
}
