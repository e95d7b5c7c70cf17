#include "ptx/lowering.h"

/* Instructions across the lanes of a warp: 9.7.10 "shfl.sync", 9.7.15 "vote.sync", "match.sync", "redux.sync". */

enum { SHFL_OPERANDS = 5, OTHER_OPERANDS = 3 };

bool lower_lanes_mask(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  struct operand *mask = &in->out->barrier->id;
  uint32_t lane = l->program->threads[in->thread].lane;
  if (!lower_src(l, in, operand, isa_type(PTX_B32), mask)) return false;
  if (mask->kind != OPERAND_IMM || (mask->imm >> lane & 1) || l->options->lenient) return true;
  return diag_refuse(l->diags, DIAG_BARRIER_RANGE, operand->span,
                     "the mask does not name lane %u, which executes this" HINT "bit %u of the mask is this lane", lane,
                     lane);
}

/* The kind of exchange, by the opcode and its word. */
static enum exchange exchange_of(const struct lower_instr *in) {
  if (in->row->detail == EXCHANGE_REDUX) return EXCHANGE_REDUX;
  if (in->row->detail != EXCHANGE_MATCH_ANY) return (enum exchange)VALUE(in, EXCHANGE);
  return VALUE(in, EXCHANGE) == EXCHANGE_ANY ? EXCHANGE_MATCH_ANY : EXCHANGE_MATCH_ALL;
}

bool lower_needs_sync(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, ACTION);
  if (word && VALUE(in, ACTION) == BARRIER_SYNC) return true;
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                     "'%s' names the lanes that take part" HINT
                     "add '.sync' and a mask as the last operand; without them it is not for sm_70 and later",
                     in->row->opcode);
}

static bool exchange_type(struct lowering *l, struct lower_instr *in, enum exchange exchange) {
  enum ptx_type type;
  uint32_t types = in->row->types;
  if (exchange == EXCHANGE_BALLOT) types &= ~(1u << PTX_PRED);
  else if (exchange < EXCHANGE_BALLOT) types &= ~(1u << PTX_B32);
  if (exchange == EXCHANGE_REDUX) {
    in->out->alu = isa_op((enum ptx_op)VALUE(in, OP))->alu;
    const bool bits = in->out->alu == ALU_AND || in->out->alu == ALU_OR || in->out->alu == ALU_XOR;
    types &= bits ? 1u << PTX_B32 : ~(1u << PTX_B32);
  }
  struct type usual = isa_type(exchange < EXCHANGE_BALLOT ? PTX_PRED : types >> PTX_U32 & 1 ? PTX_U32 : PTX_B32);
  bool of_floats = VALUE(in, OP) == OP_MIN || VALUE(in, OP) == OP_MAX;
  uint32_t later = of_floats ? in->row->later_types : 0;
  if (!lower_type(l, in, usual, types, later, &type, &in->out->type)) return false;
  if (type < PTX_TYPES && later >> type & 1) lower_unsupported(l, in, REASON_FLOAT_ARITHMETIC);
  return true;
}

/* The results: d, or d|p if the exchange also gives a predicate. */
static bool results(struct lowering *l, struct lower_instr *in, struct type type) {
  const struct litmus_operand *to = lower_operand_at(in, 0);
  enum exchange exchange = in->out->barrier->exchange;
  bool takes = exchange == EXCHANGE_MATCH_ALL || (EXCHANGE_UP <= exchange && exchange <= EXCHANGE_IDX);
  if (to->kind != LITMUS_PAIR) return lower_dst(l, in, to, type, true, &in->out->dst[0]);
  if (!takes) return diag_refuse(l->diags, DIAG_WRONG_OPERAND, to->span, "'%s' has one result here", in->row->opcode);
  return lower_dst(l, in, to->u.items, type, true, &in->out->dst[0]) &&
         lower_dst(l, in, to->u.items->next, isa_type(PTX_PRED), true, &in->out->dst[1]);
}

static bool brought(struct lowering *l, struct lower_instr *in, bool votes) {
  const struct litmus_operand *operand = lower_operand_at(in, 1);
  struct litmus_operand plain = *operand;
  if (!votes) return lower_src(l, in, operand, in->out->type, &in->out->src[0]);
  in->out->barrier->negated = operand->kind == LITMUS_NEGATED;
  if (operand->kind == LITMUS_NEGATED) plain.kind = LITMUS_NAME;
  return lower_src(l, in, &plain, isa_type(PTX_PRED), &in->out->src[0]);
}

bool lower_exchange(struct lowering *l, struct lower_instr *in) {
  const enum exchange exchange = exchange_of(in);
  in->pure = !HAS(in, ACTION) && lower_of_module(l, in->ast->span);
  if (in->pure) return lower_unsupported(l, in, REASON_OLD_EXCHANGE);
  if (!lower_needs_sync(l, in)) return false;
  bool votes = exchange <= EXCHANGE_BALLOT, matches = !votes && exchange < EXCHANGE_UP;
  bool shuffles = EXCHANGE_UP <= exchange && exchange <= EXCHANGE_IDX;
  unsigned count = shuffles ? SHFL_OPERANDS : OTHER_OPERANDS;
  lower_start_barrier(l, in, BARRIER_LANES, BARRIER_RED)->exchange = exchange;
  if (!exchange_type(l, in, exchange) || !lower_operand_count(l, in, count, count)) return false;
  struct type u32 = isa_type(PTX_U32);
  if (!brought(l, in, votes)) return false;
  for (unsigned i = 1; shuffles && i <= 2; i++)
    if (!lower_src(l, in, lower_operand_at(in, i + 1), u32, &in->out->src[i])) return false;
  return lower_lanes_mask(l, in, lower_operand_at(in, count - 1)) &&
         results(l, in, matches ? isa_type(PTX_B32) : in->out->type);
}
