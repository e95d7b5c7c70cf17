/* The needs of a question about safety in the columns of a launch (docs/semantics.md K4). Private to src/kernel:
 * column_needs.c finds it, drop.c removes the rest. */
#pragma once

#include "kernel/columns.h"

/* Memory that only one thread accesses, or that no thread writes. alone.c */
struct alone {
  uint32_t **threads;    /* by region and byte: 1 more than the number of the only thread that accesses it; SEVERAL also
                            of an asynchronous operation; 0: none does */
  uint32_t **writers;    /* the same of threads that write it at a known address */
  struct bitset *stored; /* by region: the bytes that some thread writes */
  struct bitset *replaced; /* by region: those that some thread writes otherwise than by an atomic */
};

enum { SEVERAL = UINT32_MAX };
/* Sets launch.alone. */
void alone_find(struct launching *launch);
/* True if two threads may access one byte of global or shared memory, and one of them writes it. */
bool alone_finds_conflict(const struct launching *launch);

/* True for an access to global memory that cannot race and reads an initial value or one of its own thread: a weak
 * access to bytes that no other thread accesses, or a non-acquiring load of bytes that no thread writes. */
bool alone_has(const struct alone *alone, const struct runner *runner, const struct instr *instr,
               const struct remnant *remnant);

/* True if no thread writes the bytes that are left otherwise than by an atomic. */
bool alone_are_updated(const struct alone *alone, const struct runner *runner, const struct remnant *remnant);

/* Rules for an instruction in a slice of registers and memory. needless.c has them for a body, before threads are run;
 * column_needs.c for what is left, with bytes in place of classes of memory, so that it needs nothing that the first
 * leaves out. */
struct value_rules {
  struct flow_slice *slice;
  uint32_t regs;               /* the item of register 0 */
  bool to_run;                 /* threads will be run: what is not modelled may use all registers that it names */
  const struct instr *results; /* the instructions, it among them, that are needed together */
  uint32_t result_count;
  VEC(struct slice_items) memory; /* that it accesses */
  bool elsewhere;                 /* it writes other memory, whose values always matter */
};
/* rules_add_part: guards and addresses, which always matter, and computations. rules_add_effect: the values that it
 * reads from memory and writes there. */
void rules_add_part(const struct value_rules *rules, const struct instr *instr);
void rules_add_effect(const struct value_rules *rules, const struct instr *instr);

struct needs;

struct column_needs {
  struct needs *all;
  struct runner *runner;
  uint32_t regs, branches; /* the items of its first register, and of its first block's branch */
  uint32_t exchanges;      /* of the first instruction; the one after the last: all exchanges of the warp */
  struct flow flow;        /* of its blocks */
  struct bitset kept;      /* the blocks whose branch makes a difference */
};

/* A slice (flow/slice.h), whose items are the bytes of all regions and, for each column, its registers, the branches of
 * its blocks, and the exchanges of its warp whose result some lane needs: then every lane computes what it gives. */
struct needs {
  struct launching *launch;
  struct flow_slice slice;
  uint32_t *bytes; /* by region: the item of its first byte */
  VEC(struct column_needs) columns;
};

/* only_computes: true if the instruction has no effect but to compute registers; elect has: it also waits for lanes
 * (G88). The next one is about all instructions that are left together. */
bool only_computes(const struct instr *instr);
bool remnant_only_computes(const struct runner *runner, const struct remnant *remnant);
/* True if some access may have any byte of a region. */
bool remnant_reaches_anywhere(const struct runner *runner, const struct remnant *remnant);

bool is_exchange(const struct instr *instr);
/* True if the instruction itself writes values of registers; ldmatrix, which writes none, may count as well. */
bool is_write(const struct instr *instr);
bool is_plain_weak(const struct instr *instr); /* neither volatile nor mmio, through the generic proxy */
/* True if the atomic may leave memory unwritten, depending on its operands. */
static inline bool may_not_write(const struct instr *instr) { return instr->alu == ALU_CAS; }

/* True if a column needs the register; a result of what is left; a value that it writes; the value that it reads; the
 * results of the exchange in some lane; the move or the mark that it is. */
bool needs_reg(const struct column_needs *column, uint32_t reg);
bool needs_result(const struct column_needs *column, const struct remnant *remnant);
bool needs_written(const struct column_needs *column, const struct remnant *remnant);
bool needs_read(const struct column_needs *column, const struct remnant *remnant);
bool needs_exchange(const struct column_needs *column, const struct remnant *remnant);
bool needs_move(const struct column_needs *column, const struct litmus_instr *move);

/* True if threads without a column write bytes that the instruction reads, so that its value is unknown (K3, K5). */
bool reads_represented(const struct runner *runner, const struct remnant *remnant);
/* Calls a function for each thread without a column that changes the needed result of a bar.red. True if some call
 * returned true. */
bool each_bringing(const struct column_needs *column, const struct remnant *remnant,
                   bool (*each)(const struct kernel_run *, struct runner *));

/* drop.c: removes what a column does not need. `written`: tensors_written. */
void drop_unneeded(const struct column_needs *column, const bool *written);
