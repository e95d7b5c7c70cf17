/* Files opened for reading within a time limit: who writes to a pipe, or types, may never be done. */
#ifndef PTXLIT_INPUT_H
#define PTXLIT_INPUT_H

#include <stdio.h>

#include "base/arena.h"

/* The file at a path, or with "-" standard input. Reading what comes from a pipe, a terminal or another device fails
 * with ETIMEDOUT once the deadline (base_deadline) has passed. NULL with errno when it cannot be opened. The caller
 * closes it. */
FILE *input_open(const char *path, double deadline);

/* The rest of a file, with a NUL after it, in the arena. NULL when it cannot be read: errno says why, EFBIG that there
 * are more than `most` bytes. */
char *input_read(struct arena *arena, FILE *file, size_t most, size_t *length);

#endif
