/* A thread walked with symbolic values. Private to src/exec: walk.c does control flow, operate.c the instructions,
 * arith.c and integers.c the arithmetic of integers, floats.c that of floating-point numbers. */
#ifndef PTXLIT_WALK_H
#define PTXLIT_WALK_H

#include "exec/build.h"

/* What a register holds: a value, how it is extended when read at a larger width, and the reads it came from. */
struct reg_state {
  term_id value;
  bool is_signed;
  struct bitset reads;
};

/* A point that the thread reaches when `guard` holds, given that the execution is not left out; `reach` is the same of
 * all executions: dependencies are decided on it. */
struct path {
  term_id guard, reach;
  struct reg_state *regs;
  struct bitset control;    /* the reads that earlier branches depended on */
  uint32_t cluster_arrival; /* the latest arrive event on the cluster barrier, NO_REG if none */
};

/* What a walk finds out about the loops of a thread (all by loop): whether something else than constants decides when
 * it is left, how many copies are reached, and whether one more would be. */
struct loop_facts {
  bool *open, *more;
  uint32_t *used;
};

struct walk {
  struct skeleton *s;
  struct terms *terms;
  struct dependencies *dependencies;
  uint32_t limit; /* bound on event numbers, for the sets of reads */
  struct path *path;
  /* The instruction being walked. */
  const struct instr *instr;
  struct event base;         /* what all its events share */
  term_id predicate;         /* its guard, @p; TERM_TRUE without one */
  struct bitset guard_reads; /* the reads that the guard depends on */
  struct loop_facts *facts;  /* NULL: not asked for */
};

enum { ALU_OPERANDS = 4 };

/* arith.c: what the present instruction makes of its operands; for atomics the first is the old value. Of packed
 * operands a half. */
term_id walk_arithmetic(struct walk *walk, const term_id *operands);

/* integers.c: the same, for what no single operator does. And a + b or a - b, clamped where the instruction says so. */
term_id walk_integer(struct walk *walk, const term_id *operands);
term_id walk_sum(struct walk *walk, enum term_op op, term_id a, term_id b);

/* floats.c: the same on floating-point operands; setp and selp included where their type is one. What PTX leaves open
 * becomes an open hazard. */
term_id walk_float(struct walk *walk, term_id a, term_id b);
/* The reduction of the values of a multimem address's replicas: any order, any precision, or else open. */
term_id walk_float_reduction(struct walk *walk, const term_id *values, uint32_t count);

/* operate.c: the events and register writes of the instruction, of any kind but branches and exits. */
void walk_operate(struct walk *walk);

/* operate.c: the value of a register at a width. */
term_id walk_read_reg(struct walk *walk, uint32_t reg, unsigned width);

/* walk.c: a register that is as in `yes` where `taken` holds, else as in `no`. */
struct reg_state walk_choose(struct walk *walk, term_id taken, const struct reg_state *yes, const struct reg_state *no);

/* walk.c: the skeleton cannot be built; says why. */
void walk_refuse(struct walk *walk, enum reason_id why, struct span place);

#endif
