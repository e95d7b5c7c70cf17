/* Runs threads with concrete values in their registers, one access to memory after another, for any values that memory
 * may return. Loops are not unrolled: a thread that returns to an instruction with the same values in its live
 * registers is in the same state. Reactions of a state are computed on demand, and kept.
 *
 * Accesses on which no branch depends are left out, because their order does not matter: a loop on a lock ends whatever
 * the lock protects. If the caller requests it, registers that are not observed are left out.
 *
 * Only threads of arithmetic, branches, fences, and loads, stores and atomics of single elements at addresses that do
 * not depend on open values are run. Any other instruction makes the thread `lost`: then nothing follows from its
 * states. */
#pragma once

#include "exec/skeleton.h"

enum doing { DOING_READ, DOING_WRITE, DOING_BOTH, DOING_END };

/* The step after an access that returns a value; after a store, with any value. */
struct reaction {
  value_t returned;
  bool writes;
  value_t written;
  uint32_t next; /* state of the thread */
};

/* Registers that no longer matter have their initial values. */
struct concrete_reg {
  term_id value; /* a constant */
  bool is_signed;
};

/* A thread at an access to memory, or at its end. */
struct thread_state {
  enum doing doing;
  uint32_t instr;
  uint32_t place; /* index into concrete.places */
  struct concrete_reg *regs;
  VEC(struct reaction) reactions; /* computed so far */
};

/* The bytes of an access. */
struct bytes {
  uint32_t phys, size;
};

struct concrete {
  struct arena *arena;
  struct skeleton *trial;          /* a temporary skeleton, for the walk of one instruction */
  struct further values;           /* the values of the present access */
  struct bitset **live;            /* by thread and instruction */
  const struct relevant *relevant; /* the instructions that count; all others are ignored */
  struct concrete_thread {
    VEC(struct thread_state) states;
    struct hash_index index;
  } * threads;
  VEC(struct bytes) places;
  bool lost;
};

enum { START = 0 }; /* the first state of each thread */

void concrete_init(struct concrete *concrete, struct arena *arena, const struct program *program,
                   const struct shape *shape, bool with_observed);

static inline const struct thread_state *concrete_state(const struct concrete *c, uint32_t thread, uint32_t state) {
  return &c->threads[thread].states.data[state];
}

/* The successor of a state whose access returns this value. */
struct reaction concrete_react(struct concrete *concrete, uint32_t thread, uint32_t state, value_t returned);

/* The value of a register in a state, at this width. */
value_t concrete_value(const struct concrete *concrete, uint32_t thread, uint32_t state, uint32_t reg, unsigned width);
