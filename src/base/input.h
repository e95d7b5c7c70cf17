/* Files opened for reading within a time limit: who writes to a pipe, or types, may never be done. */
#ifndef PTXLIT_INPUT_H
#define PTXLIT_INPUT_H

#include <stdio.h>

#include "base/arena.h"

/* The file at a path, or with "-" standard input. Reading what comes from a pipe, a terminal or another device fails
 * with ETIMEDOUT once the deadline (base_deadline) has passed. NULL with errno when it cannot be opened. The caller
 * closes it. */
FILE *input_open(const char *path, double deadline);

/* All of the file at a path, as input_open has it, with a NUL after it, in the arena. NULL when it cannot be read:
 * errno says why, EFBIG that there are more than `most` bytes, at least 64 KB. */
char *input_read(struct arena *arena, const char *path, double deadline, size_t most, size_t *length);

#endif
