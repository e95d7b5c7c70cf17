/* The instructions of a thread as src/flow sees code: where each leads, what it reads and writes. */
#pragma once

#include "flow/flow.h"
#include "flow/slice.h"
#include "ptx/program.h"

/* The registers that an instruction reads, also its guard and addresses, some perhaps twice; and those that it writes.
 * One that is not modelled reads all that it names, or if it only computes, all others; it writes those that its first
 * operand names. */
enum { MOST_INSTR_REGS = MAX_VECTOR + 24 + TENSOR_LANES };
struct instr_regs {
  uint32_t count, list[MOST_INSTR_REGS];
  uint32_t named_count; /* and these */
  const uint32_t *named;
};
struct instr_regs instr_reads(const struct instr *instr);
struct instr_regs instr_writes(const struct instr *instr);

/* `EACH_READ (reg, instr) statement` enumerates them. `break` leaves the loop. */
#define EACH_READ(reg, instr) EACH_REG_OF(reg, instr_reads(instr))
#define EACH_WRITTEN(reg, instr) EACH_REG_OF(reg, instr_writes(instr))
#define EACH_REG_OF(reg, of)                                                                                           \
  for (struct instr_regs reg##_of = (of), *reg##_once = &reg##_of; reg##_once; reg##_once = NULL)                      \
    for (uint32_t reg##_i = 0, reg; instr_has_reg(&reg##_of, reg##_i, &reg); reg##_i++)
static inline bool instr_has_reg(const struct instr_regs *regs, uint32_t i, uint32_t *out) {
  if (i >= regs->count + regs->named_count) return false;
  *out = i < regs->count ? regs->list[i] : regs->named[i - regs->count];
  return true;
}

/* True if the instruction has no effect but to write registers that it computes from registers. */
bool instr_only_computes(const struct instr *instr);
/* True if it writes a register of the set. */
bool instr_gives(const struct instr *instr, struct bitset regs);

/* A node for each instruction. Traps and barriers lead on. */
struct flow thread_flow(struct arena *arena, const struct thread *thread);

/* True if the thread has a branch back. */
bool thread_has_loop(const struct thread *thread);

/* The registers that the condition, the filter or `locations` names. */
struct bitset thread_observed(struct arena *arena, const struct program *program, uint32_t index);

/* By instruction and for the end, at which those of `at_end` do: the registers whose values may still matter. */
struct bitset *thread_live(struct arena *arena, const struct thread *thread, struct bitset at_end);

/* The registers whose values may come from results of these instructions, also through others. */
struct bitset thread_results(struct arena *arena, const struct thread *thread, struct bitset instrs);

/* Add registers to a rule of a slice in which `first` is the item of register 0. */
void slice_if_written(struct flow_slice *slice, const struct instr *instr, uint32_t first);
void slice_then_read(struct flow_slice *slice, const struct instr *instr, uint32_t first);
