/* Files opened for reading within a time limit: who writes to a pipe, or types, may never be done. */
#ifndef PTXLIT_INPUT_H
#define PTXLIT_INPUT_H

#include <stdio.h>

#include "base/base.h"

/* The file at a path, or with "-" standard input. Reading what comes from a pipe, a terminal or another device fails
 * with ETIMEDOUT once the deadline (base_deadline) has passed. NULL with errno when it cannot be opened. The caller
 * closes it. */
FILE *input_open(const char *path, double deadline);

#endif
