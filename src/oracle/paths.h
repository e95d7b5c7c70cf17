/* Control flow by interpretation: the paths that a thread can take, each as straight code.
 *
 * The encoder unrolls loops and guards the code after a branch; this file follows one decision after another, like a
 * machine that gets the direction of each branch as input. The two share nothing, so that comparing the engines checks
 * the unrolling. */
#pragma once

#include "exec/skeleton.h"

/* One path through a thread. Branches and exits stay in it as instructions without effect, because later events depend
 * on them; `decided` gives the assumed direction of each. */
struct thread_path {
  struct instr *instrs;
  uint32_t *origins; /* for each instruction, its index in the thread */
  enum decision *decided;
  uint32_t count;
};

struct thread_paths {
  VEC(struct thread_path) list;
  bool cut; /* a path exceeded the limit: the list is incomplete */
};

/* All paths through a thread on which each loop repeats fewer times in a row than `bounds`, by its last instruction.
 * Backward branches to one instruction make one loop, and so do branches whose loops overlap without nesting. */
void paths_find(struct arena *arena, const struct thread *thread, const uint32_t *bounds, struct thread_paths *out);

/* True if a thread of the program branches at all. */
bool paths_may_branch(const struct program *program);
