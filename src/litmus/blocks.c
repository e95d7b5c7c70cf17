/* Turns blocks of CUDA C++ into labels and jumps, by rewriting the columns that have blocks. */

#include "litmus/cuda.h"

/* An open block, with the labels of its end and of its start. */
struct open_block {
  enum litmus_block kind;
  struct litmus_word *end, *again;
  struct span span;
};

enum { BLOCK_DEPTH = 20 };

/* A rewritten column: each cell has at most one instruction, and labels before it. */
struct column {
  struct litmus_parse *parse;
  struct open_block open[BLOCK_DEPTH];
  uint32_t depth, labels;
  struct litmus_words waiting; /* labels for the next cell */
  struct litmus_cells cells;
};

static struct litmus_word *new_label(struct column *c, struct span span) {
  return litmus_word_of(c->parse, arena_printf(c->parse->arena, "L_%u", ++c->labels), span);
}

static void emit(struct column *c, struct litmus_instr *instr, struct span span) {
  struct litmus_cell *cell = litmus_cuda_cell(c->parse, instr, span);
  cell->labels = c->waiting.first;
  c->waiting = (struct litmus_words){0};
  LIST_ADD(c->cells, cell);
  c->cells.count++;
}

static void emit_jump(struct column *c, struct litmus_instr *jump, const struct litmus_word *label, struct span span) {
  emit(c, litmus_cuda_jump(c->parse, jump, label, span), span);
}

static void place(struct column *c, struct litmus_word *label) {
  struct litmus_parse *parse = c->parse;
  c->waiting = litmus_words_add(c->waiting, NODE(word, .text = label->text, .span = label->span));
}

static void open_block(struct column *c, const struct litmus_cell *cell) {
  if (c->depth == BLOCK_DEPTH) {
    litmus_fatal(c->parse, DIAG_TOO_DEEP, cell->span, "blocks are nested too deeply here");
    return;
  }
  struct open_block *block = &c->open[c->depth++];
  *block = (struct open_block){.kind = cell->block, .span = cell->span};
  if (cell->block != LITMUS_BLOCK_IF) place(c, block->again = new_label(c, cell->span));
  if (cell->block != LITMUS_BLOCK_DO) emit_jump(c, cell->instr, block->end = new_label(c, cell->span), cell->span);
}

static void close_block(struct column *c, const struct litmus_cell *cell) {
  struct open_block *block = c->depth ? &c->open[--c->depth] : NULL;
  bool until = cell->block == LITMUS_BLOCK_UNTIL;
  if (!block || until != (block->kind == LITMUS_BLOCK_DO) ||
      (cell->block == LITMUS_BLOCK_ELSE && block->kind != LITMUS_BLOCK_IF)) {
    litmus_error(c->parse, DIAG_SYNTAX, cell->span,
                 "this closes no block of its thread" HINT
                 "blocks are if (r0 == 1) { ... } else { ... }, while (r0 == 0) { ... } and "
                 "do { ... } while (r0 == 0)");
    return;
  }
  if (until) {
    emit_jump(c, cell->instr, block->again, cell->span);
  } else if (cell->block == LITMUS_BLOCK_ELSE) {
    struct litmus_word *end = new_label(c, cell->span);
    emit_jump(c, NULL, end, cell->span);
    place(c, block->end);
    *block = (struct open_block){.kind = LITMUS_BLOCK_ELSE, .end = end, .span = cell->span};
    c->depth++;
  } else {
    if (block->again) emit_jump(c, NULL, block->again, cell->span);
    place(c, block->end);
  }
}

static void write_out(struct column *c, const struct litmus_cell *cell) {
  LIST_EACH (label, cell->labels) place(c, &(struct litmus_word){label->text, label->span, NULL});
  for (; cell && !c->parse->stopped; cell = cell->more) switch (cell->block) {
      case LITMUS_BLOCK_NONE:
        if (cell->instr) emit(c, cell->instr, cell->span);
        break;
      case LITMUS_BLOCK_IF:
      case LITMUS_BLOCK_WHILE:
      case LITMUS_BLOCK_DO: open_block(c, cell); break;
      case LITMUS_BLOCK_ELSE:
      case LITMUS_BLOCK_END:
      case LITMUS_BLOCK_UNTIL: close_block(c, cell); break;
    }
}

static struct litmus_cells write_column(struct litmus_parse *parse, uint32_t number) {
  struct column c = {.parse = parse};
  struct span span = parse->test->name_span;
  LIST_EACH (row, parse->test->rows) {
    const struct litmus_cell *cell = row->cells;
    for (uint32_t i = 0; i < number && cell; i++) cell = cell->next;
    if (!cell) continue;
    span = cell->span;
    write_out(&c, cell);
  }
  if (c.depth && !parse->errors)
    litmus_error(parse, DIAG_UNCLOSED, c.open[c.depth - 1].span, "this block is never closed in its thread");
  if (c.waiting.first) emit(&c, NULL, span);
  return c.cells;
}

static bool has_blocks(const struct litmus_test *test) {
  return SOME(LIST_EACH (row, test->rows) LIST_EACH (cell, row->cells), cell->block != LITMUS_BLOCK_NONE || cell->more);
}

void litmus_cuda_unblock(struct litmus_parse *parse) {
  struct litmus_test *test = parse->test;
  if (parse->errors || SOME(LIST_EACH (row, test->rows), row->count != test->thread_count) || !has_blocks(test)) return;
  struct litmus_cells *columns = ARENA_ARRAY(parse->arena, struct litmus_cells, test->thread_count);
  for (uint32_t t = 0; t < test->thread_count; t++) columns[t] = write_column(parse, t);
  litmus_set_columns(parse, columns, test->thread_count);
}
