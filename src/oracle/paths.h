/* Control flow by interpretation: the paths that a thread can take, each as straight code.
 *
 * The encoder unrolls loops and guards the code after a branch; this file follows one decision after another, like a
 * machine that is told the direction of each branch. The two share nothing, so that comparing the engines checks the
 * unrolling. */
#pragma once

#include "exec/skeleton.h"

/* One way through a thread. Branches and exits stay in it as instructions without effect, since later events depend on
 * them; `decided` has the direction that is assumed of each. */
struct thread_path {
  struct instr *instrs;
  uint32_t *origins; /* for each, the index of the instruction in the thread */
  enum decision *decided;
  uint32_t count;
};

struct thread_paths {
  VEC(struct thread_path) list;
  bool cut; /* a way is longer than is followed: the list is not whole */
};

/* All ways through a thread in which no loop is begun again `bounds` times or more in a row, by its last instruction.
 * Backward branches to one
 * place make one loop, and so do those whose loops overlap without one being inside the other. */
void paths_find(struct arena *arena, const struct thread *thread, const uint32_t *bounds, struct thread_paths *out);

/* True if a thread of the program branches at all. */
bool paths_may_branch(const struct program *program);
