/* The instructions of a thread as src/flow sees code: where each leads, what it reads and writes. */
#pragma once

#include "flow/flow.h"
#include "flow/slice.h"
#include "ptx/program.h"

/* Lists the registers that an instruction reads, also its guard and addresses; returns their number. */
enum { MAX_SOURCES = MAX_VECTOR + 24 + TENSOR_LANES };
uint32_t instr_sources(const struct instr *instr, uint32_t sources[MAX_SOURCES]);

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

/* From the registers that matter after an instruction to those that matter before it. Arithmetic matters only for its
 * results, so that a count on which only itself depends does not. */
void instr_live_before(const struct instr *instr, struct bitset live);
/* By instruction and for the end, at which those of `at_end` do: the registers whose values may still matter. */
struct bitset *thread_live(struct arena *arena, const struct thread *thread, struct bitset at_end);

/* Add registers to a rule of a slice in which `first` is the item of register 0. */
void slice_if_results(struct slice *slice, const struct instr *instr, uint32_t first);
void slice_then_results(struct slice *slice, const struct instr *instr, uint32_t first);
void slice_if_sources(struct slice *slice, const struct instr *instr, uint32_t first);
void slice_then_sources(struct slice *slice, const struct instr *instr, uint32_t first);
