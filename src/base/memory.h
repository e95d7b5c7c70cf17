/* The size of the machine's memory, and the share of it that this process may have. All in bytes. */
#pragma once

#include "base/base.h"

/* The memory of the machine, or on Linux the smallest limit of a control group (version 1 or 2) that this process is
 * in, where that is less. 0: the system does not tell. `root` stands before the paths of the system's files: "" but
 * for tests. */
uint64_t memory_of_machine(const char *root);

/* The limit of this process's address space (RLIMIT_AS); 0: none. */
uint64_t memory_limit(void);

/* How much address space this process has taken; 0 where the system does not say. */
uint64_t memory_taken(void);
