/* A lane: bytes from one process to another, in memory that they share.
 *
 * What was put into it stays there when the process that put it dies, to the last byte, so that nothing computed is
 * lost; and putting something costs no system call, so that neither side waits for the other. One process puts, one
 * takes.
 */
#ifndef PTXLIT_SUITE_LANE_H
#define PTXLIT_SUITE_LANE_H

#include <stdatomic.h>

#include "base/base.h"

enum { LANE_SIZE = 1 << 18 };

struct lane {
  _Atomic uint64_t put, taken; /* bytes since the start; put - taken <= LANE_SIZE */
  char data[LANE_SIZE];        /* byte number i is at i modulo its size */
};

/* Memory shared with the processes that will be forked, zeroed; NULL, with errno, when there is none. */
void *shared_memory(size_t size);
void shared_release(void *memory, size_t size);

/* Puts all bytes, waiting while the lane is full. A byte is written to `wake` when it fills up: the other side should
 * look. */
void lane_put(struct lane *lane, int wake, const void *bytes, size_t length);
/* How many bytes can be taken. */
size_t lane_ready(const struct lane *lane);
/* Takes `length` bytes, of those that are ready. */
void lane_take(struct lane *lane, void *bytes, size_t length);

#endif
