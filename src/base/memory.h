/* Finds the size of the machine's memory, and the part that this process may use. All in bytes. */
#pragma once

#include "base/base.h"

/* The memory of the machine, or on Linux the smallest limit of a control group (version 1 or 2) of this process, if
 * that is less. 0: unknown. `root` is put before the paths of the system's files: "" except in tests. */
uint64_t memory_of_machine(const char *root);

/* The limit of this process's address space (RLIMIT_AS); 0: none. */
uint64_t memory_limit(void);

/* Lowers that limit to `bytes`; a lower one, of the user's shell say, stays. */
bool memory_limit_to(uint64_t bytes);

/* The address space that this process uses; 0: unknown. */
uint64_t memory_taken(void);
