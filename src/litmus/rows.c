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
