#include "ptx/lowering.h"

/* 9.7.15.1 "bar, barrier", 9.7.15.2 "bar.warp.sync", 9.7.15.3 "barrier.cluster"; docs/semantics.md B1-B8. */

enum { BARRIER_NUMBERS = 16, WARP_LANES = 32, ALL_LANES = 0xffffffff };

struct barrier *lower_start_barrier(struct lowering *l, struct lower_instr *in, enum barrier_kind kind,
                                    enum barrier_action action) {
  in->out->kind = INSTR_BARRIER;
  in->out->elements = 1;
  in->out->type = isa_type(PTX_U32);
  in->out->barrier = ARENA_NEW(l->arena, struct barrier);
  in->out->barrier->kind = kind;
  in->out->barrier->action = action;
  return in->out->barrier;
}

/* Operands */

static bool lower_id(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  struct operand *id = &in->out->barrier->id;
  if (!lower_src(l, in, operand, isa_type(PTX_U32), id)) return false;
  if (id->kind != OPERAND_IMM || id->imm < BARRIER_NUMBERS) return true;
  return diag_refuse(l->diags, DIAG_BARRIER_RANGE, operand->span,
                     "there is no barrier %u: a CTA has %d" HINT "they are numbered 0 to %d", (unsigned)id->imm,
                     BARRIER_NUMBERS, BARRIER_NUMBERS - 1);
}

static bool constant_count(struct lowering *l, const struct lower_instr *in, struct operand *count) {
  if (count->imm == 0 && in->out->barrier->action == BARRIER_ARRIVE)
    return diag_refuse(l->diags, DIAG_BARRIER_RANGE, count->span,
                       "an arrival needs the number of participants" HINT
                       "0 means all threads of the CTA only in 'sync' and 'red'");
  if (count->imm > WARP_LANES && count->imm % WARP_LANES)
    return diag_refuse(l->diags, DIAG_BARRIER_RANGE, count->span,
                       "the thread count of a barrier must be a multiple of %d" HINT
                       "a thread of the test represents its warp: write %d for each, or the number of threads",
                       WARP_LANES, WARP_LANES);
  if (count->imm == 0) count->kind = OPERAND_NONE;
  if (count->imm % WARP_LANES == 0) count->imm /= WARP_LANES;
  return true;
}

/* A count in a register is converted to threads of the test like a constant: a multiple of 32 by division. */
static void register_count(struct lowering *l, struct lower_instr *in, struct operand *count) {
  struct type u32 = isa_type(PTX_U32);
  struct operand given = *count;
  struct instr rest = lower_alu(in, ALU_AND, u32), whole = lower_alu(in, ALU_SETP, u32);
  struct instr warps = lower_alu(in, ALU_SHR, u32), choice = lower_alu(in, ALU_SELP, u32);
  rest.src[0] = warps.src[0] = choice.src[1] = given;
  rest.src[1] = lower_constant(WARP_LANES - 1, given.span);
  whole.arith.compare = COMPARE_EQ;
  whole.src[0] = lower_computed(l, in, rest, u32);
  whole.src[1] = lower_constant(0, given.span);
  warps.src[1] = lower_constant(5, given.span);
  choice.src[2] = lower_computed(l, in, whole, isa_type(PTX_PRED));
  choice.src[0] = lower_computed(l, in, warps, u32);
  *count = lower_computed(l, in, choice, u32);
}

static bool lower_count(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  struct operand *count = &in->out->barrier->count;
  if (!lower_src(l, in, operand, isa_type(PTX_U32), count)) return false;
  if (count->kind == OPERAND_IMM && !constant_count(l, in, count)) return false;
  if (count->kind == OPERAND_REG) register_count(l, in, count);
  return true;
}

static bool needs_predicate(struct lowering *l, const struct lower_instr *in, struct span span) {
  return diag_refuse(l->diags, DIAG_WRONG_PREDICATE, span,
                     "a reduction needs a predicate" HINT "for example p0 or !p0 as the last operand of '%s'",
                     in->row->opcode);
}

static bool lower_predicate(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  struct barrier *barrier = in->out->barrier;
  struct litmus_operand name = *operand;
  if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_NEGATED) return needs_predicate(l, in, operand->span);
  barrier->negated = operand->kind == LITMUS_NEGATED;
  name.kind = LITMUS_NAME;
  return lower_src(l, in, &name, isa_type(PTX_PRED), &barrier->predicate);
}

/* bar and barrier */

/* The first operand that is not Dat3M's instance number. */
static unsigned first_operand(const struct lowering *l, const struct lower_instr *in) {
  if (!HAS(in, CTA) || in->out->barrier->action == BARRIER_RED) return 0;
  return lower_has_instance(in->out->barrier->action == BARRIER_SYNC, in->count, l->options) ? 1 : 0;
}

static bool lower_sync(struct lowering *l, struct lower_instr *in) {
  unsigned first = first_operand(l, in), least = in->out->barrier->action == BARRIER_ARRIVE ? 2 : 1;
  if (!lower_operand_count(l, in, first + least, first + 2)) return false;
  if (!lower_id(l, in, lower_operand_at(in, first))) return false;
  return in->count < first + 2 || lower_count(l, in, lower_operand_at(in, first + 1));
}

static bool reduction_type(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, TYPE);
  enum ptx_type type = in->out->barrier->reduction == REDUCE_POPC ? PTX_U32 : PTX_PRED;
  in->out->type = isa_type(type);
  if (!word || VALUE(in, TYPE) == (unsigned)type) return true;
  return diag_refuse(l->diags, DIAG_WRONG_TYPE, word->span,
                     "this reduction does not give a '%s'" HINT "its type is '%s'", word->text,
                     isa_type_spelling(type));
}

static bool lower_reduce(struct lowering *l, struct lower_instr *in) {
  struct barrier *barrier = in->out->barrier;
  barrier->reduction = (enum barrier_reduction)VALUE(in, REDUCTION);
  if (in->count == 2) return needs_predicate(l, in, in->ast->span);
  if (!reduction_type(l, in) || !lower_operand_count(l, in, 3, 4)) return false;
  return lower_id(l, in, lower_operand_at(in, 1)) && (in->count == 3 || lower_count(l, in, lower_operand_at(in, 2))) &&
         lower_predicate(l, in, lower_operand_at(in, in->count - 1)) &&
         lower_dst(l, in, lower_operand_at(in, 0), in->out->type, false, &in->out->dst[0]);
}

bool lower_barrier(struct lowering *l, struct lower_instr *in) {
  bool warp = HAS(in, WARP), cluster = HAS(in, CLUSTER);
  enum barrier_kind kind = warp ? BARRIER_WARP : cluster ? BARRIER_CLUSTER : BARRIER_CTA;
  struct barrier *barrier = lower_start_barrier(l, in, kind, (enum barrier_action)VALUE(in, ACTION));
  barrier->aligned = HAS(in, ALIGNED) || (!warp && strcmp(in->row->opcode, "bar") == 0);
  if (warp) return lower_operand_count(l, in, 1, 1) && lower_lanes_mask(l, in, lower_operand_at(in, 0));
  barrier->relaxed = IS(in, SEM, SEM_RELAXED);
  if (cluster) return lower_operand_count(l, in, 0, 0);
  return barrier->action == BARRIER_RED ? lower_reduce(l, in) : lower_sync(l, in);
}

/* The spellings of CUDA */

/* The truth value of a number: true if it is not zero. */
static bool truth(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  struct barrier *barrier = in->out->barrier;
  struct litmus_operand plain = *operand;
  if (operand->kind == LITMUS_NUMBER) {
    barrier->predicate = lower_constant(operand->u.number.value != 0, operand->span);
    return true;
  }
  if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_NEGATED) return needs_predicate(l, in, operand->span);
  plain.kind = LITMUS_NAME;
  uint32_t reg = lower_find_reg(l, in->thread, plain.u.ref.name);
  if (reg != NO_REG && l->threads[in->thread].regs.data[reg].type.kind == TYPE_PRED)
    return lower_predicate(l, in, operand);
  bool wide = reg != NO_REG && l->threads[in->thread].regs.data[reg].type.width == 64;
  struct type type = isa_type(wide ? PTX_U64 : PTX_U32);
  struct instr setp = lower_alu(in, ALU_SETP, type);
  setp.arith.compare = COMPARE_NE;
  if (!lower_src(l, in, &plain, type, &setp.src[0])) return false;
  setp.src[1] = lower_constant(0, operand->span);
  barrier->negated = operand->kind == LITMUS_NEGATED;
  barrier->predicate = lower_computed(l, in, setp, isa_type(PTX_PRED));
  return true;
}

bool lower_cuda_barrier(struct lowering *l, struct lower_instr *in) {
  bool reduce = in->row->form == FORM_SYNCTHREADS_REDUCE, warp = in->row->form == FORM_SYNCWARP;
  enum barrier_action action = reduce ? BARRIER_RED : BARRIER_SYNC;
  struct barrier *barrier = lower_start_barrier(l, in, warp ? BARRIER_WARP : BARRIER_CTA, action);
  barrier->aligned = !warp;
  if (warp) {
    barrier->id = lower_constant(ALL_LANES, in->ast->span);
    return lower_operand_count(l, in, 0, 1) && (in->count == 0 || lower_lanes_mask(l, in, lower_operand_at(in, 0)));
  }
  barrier->id = lower_constant(0, in->ast->span);
  if (!reduce) return lower_operand_count(l, in, 0, 0);
  barrier->reduction = (enum barrier_reduction)in->row->detail;
  if (!lower_operand_count(l, in, in->ast->assigns ? 2 : 1, 2)) return false;
  return truth(l, in, lower_operand_at(in, in->count - 1)) &&
         (in->count == 1 || lower_dst(l, in, lower_operand_at(in, 0), in->out->type, true, &in->out->dst[0]));
}
