#pragma once

#include "exec/unroll.h"

/* Registers that count the iterations of a loop. */
struct counts {
  struct bitset regs; /* none: empty */
  bool leave;         /* one of them ends the loop, so that it is not repeated for ever */
};

/* `live`: from thread_live. */
struct counts counts_find(struct arena *arena, const struct thread *thread, const struct loop *loop,
                          const struct bitset *live, bool wanted);
