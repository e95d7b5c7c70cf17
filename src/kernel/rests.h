/* The part of a verdict on a kernel that the launch decides. Private to src/kernel. */
#pragma once

#include "kernel/launch.h"

/* Registers of a thread that runs carry marks of the locations that their values come from, in the place of reads. */
enum { REST_MARKS = 64 };

/* The marks of a value that was loaded from bytes of a region, and is known or one of few: of the region, and those of
 * what was stored there. */
struct bitset rests_mark(const struct runner *runner, const struct region *region, uint32_t at, uint32_t bytes);
void rests_store(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, struct bitset marks);
/* A value with these marks decides a branch, a guard or an address. */
void rests_decide(const struct runner *runner, struct bitset marks);
/* The same of a load that is left and matters, if nobody writes the bytes. */
void rests_load(const struct runner *runner, const struct remnant *left);
/* Writes down what the lines Assumes say. */
void rests_tell(struct launching *launch);
