/* Counters of a polling loop's iterations that serve only to give up waiting, as in ++tries > 1000000 before a trap or
 * before a jump out of the loop (docs/semantics.md K12). A register is a clock from the second iteration on, so that
 * the comparison has either result, if each iteration adds to it, only a comparison with a large number reads it, and
 * nothing after the loop does.
 *
 * This loses no execution. It adds none either: a thread that has polled once in vain and then gives up may have polled
 * any number of times, each poll returning the value of the first one, next to it in program order. If the comparison
 * leads out of the loop, no thread repeats the loop for ever. If it leads only to a trap, it is a timeout (K10), and
 * the register is a clock from the first iteration on, because the trap is assumed not to be reached. */
#include "exec/counts.h"

#include "ptx/alu.h"
#include "ptx/uses.h"

enum { LEAST_TRIES = 64, LARGEST_STEP = 1 << 16, MOST_TRIES = INT32_MAX };

struct finder {
  const struct thread *thread;
  struct loop loop;
  const struct bitset *live;
  struct bitset regs;
};

static bool has_reg(const struct finder *f, const struct operand *operand) {
  return operand->kind == OPERAND_REG && bitset_has(f->regs, operand->reg);
}

static bool is_number(const struct operand *operand) { return operand->kind == OPERAND_IMM; }

/* True if the instruction copies a count, or adds a number to one. */
static bool counts_on(const struct finder *f, const struct instr *in) {
  if (in->kind != INSTR_ALU || in->guard.present || in->packed || type_is_float(in->type)) return false;
  if (in->alu == ALU_MOV) return has_reg(f, &in->src[0]);
  bool adds = is_number(&in->src[1]) && in->src[1].imm > 0 && in->src[1].imm <= LARGEST_STEP;
  return in->alu == ALU_ADD && adds && has_reg(f, &in->src[0]);
}

static bool asks(const struct finder *f, const struct instr *in) {
  bool large = is_number(&in->src[1]) && in->src[1].imm > LEAST_TRIES && in->src[1].imm <= MOST_TRIES;
  return in->kind == INSTR_ALU && in->alu == ALU_SETP && !in->guard.present && has_reg(f, &in->src[0]) && large;
}

static bool uses(const struct instr *in, uint32_t wanted) { return SOME(EACH_READ (reg, in), reg == wanted); }

/* Removes registers that are read or written otherwise than counts are. False: there are none. */
static bool remove_others(const struct finder *f) {
  const uint32_t before = bitset_count(f->regs);
  for (uint32_t i = f->loop.begin; i < f->loop.end; i++) {
    const struct instr *in = &f->thread->instrs[i];
    bool on = counts_on(f, in), asked = asks(f, in) || (on && bitset_has(f->regs, in->dst[0]));
    if (!on)
      EACH_WRITTEN (reg, in) bitset_del(f->regs, reg);
    if (!asked)
      EACH_READ (reg, in) bitset_del(f->regs, reg);
  }
  return bitset_count(f->regs) < before;
}

static bool jumps_out(const struct finder *f, uint32_t i) {
  const struct instr *in = &f->thread->instrs[i];
  return in->kind == INSTR_EXIT || (in->kind == INSTR_BRANCH && !loop_has(&f->loop, in->target));
}

/* True if no count matters after the loop, and every iteration executes the whole loop, except for traps. */
static bool is_plain(const struct finder *f) {
  if (f->loop.irregular || !bitset_meets(f->live[f->loop.begin], f->regs)) return false;
  if (bitset_meets(f->live[f->loop.end], f->regs)) return false;
  for (uint32_t i = f->loop.begin; i < f->loop.end; i++) {
    const struct instr *in = &f->thread->instrs[i];
    if (in->kind != INSTR_BRANCH && in->kind != INSTR_EXIT) continue;
    uint32_t target = in->kind == INSTR_EXIT ? f->thread->instr_count : in->target;
    if (jumps_out(f, i) && bitset_meets(f->live[target], f->regs)) return false;
    if (!jumps_out(f, i) && target != f->loop.begin && in->trap == TRAP_NOWHERE) return false;
  }
  return true;
}

/* True if only branches to traps read the predicate. */
static bool is_time_out(const struct finder *f, uint32_t predicate) {
  for (uint32_t i = f->loop.begin; i < f->loop.end; i++) {
    const struct instr *in = &f->thread->instrs[i];
    if (uses(in, predicate) && (in->kind != INSTR_BRANCH || in->trap == TRAP_NOWHERE)) return false;
  }
  return true;
}

/* True if the predicate, with this value, leads out of the loop. */
static bool leads_out(const struct finder *f, uint32_t predicate, bool value, unsigned depth) {
  for (uint32_t i = f->loop.begin; i < f->loop.end && depth; i++) {
    const struct instr *in = &f->thread->instrs[i];
    if (!uses(in, predicate)) continue;
    bool taken = value != in->guard.negated, whole = !in->guard.present;
    if (in->kind == INSTR_BRANCH && (taken ? jumps_out(f, i) : i + 1 == f->loop.end)) return true;
    bool passes = in->kind == INSTR_ALU && whole && in->alu == (value ? (unsigned)ALU_OR : (unsigned)ALU_AND);
    if (passes && leads_out(f, in->dst[0], value, depth - 1)) return true;
  }
  return false;
}

/* The result of the comparison after enough iterations. */
static bool at_last(const struct instr *in) {
  return in->arith.compare == COMPARE_EQ || in->arith.compare == COMPARE_GT || in->arith.compare == COMPARE_GE;
}

/* True if an iteration only reads, computes and fences, and changes no register that a later one reads, except
 * counts. */
static bool only_looks(const struct finder *f) {
  for (uint32_t i = f->loop.begin; i < f->loop.end; i++) {
    const struct instr *in = &f->thread->instrs[i];
    bool quiet = in->kind == INSTR_LOAD || in->kind == INSTR_ALU || in->kind == INSTR_FENCE ||
                 in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT || in->kind == INSTR_TRAP ||
                 in->kind == INSTR_NOTHING;
    if (!quiet) return false;
    EACH_WRITTEN (reg, in)
      if (bitset_has(f->live[f->loop.begin], reg) && !bitset_has(f->regs, reg)) return false;
  }
  return true;
}

struct counts counts_find(struct arena *arena, const struct thread *thread, const struct loop *loop,
                          const struct bitset *live, bool wanted) {
  struct finder f = {thread, *loop, live, bitset_new(arena, thread->reg_count)};
  const struct counts none = {.regs = bitset_new(arena, thread->reg_count)};
  uint32_t leaving = 0;
  for (uint32_t i = loop->begin; i < loop->end; i++)
    EACH_WRITTEN (reg, &thread->instrs[i]) bitset_add(f.regs, reg);
  while (remove_others(&f)) continue;
  if (!wanted || bitset_empty(f.regs) || !is_plain(&f)) return none;
  for (uint32_t i = loop->begin; i < loop->end; i++) {
    const struct instr *in = &thread->instrs[i];
    if (!asks(&f, in) || is_time_out(&f, in->dst[0])) continue;
    if (leaving++ || !leads_out(&f, in->dst[0], at_last(in), 4) || !only_looks(&f)) return none;
  }
  return (struct counts){f.regs, leaving > 0};
}
