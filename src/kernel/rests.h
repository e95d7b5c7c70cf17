/* Records how a verdict on a kernel depends on its launch. Private to src/kernel. */
#pragma once

#include "kernel/launch.h"

/* Registers of a thread in execution carry marks in place of reads: the locations from which their values come. */
enum { REST_MARKS = 64 };

/* The marks of a value loaded from bytes of a region, if known or one of few: the region's mark, and those of values
 * stored there. */
struct bitset rests_mark(const struct runner *runner, const struct region *region, uint32_t at, uint32_t bytes);
/* True if the test asks for orders (K18), and the bytes are of a location without values, to which no thread writes:
 * its zeros are as good as data, and equal writes of it are not the same. */
bool rests_is_data(const struct runner *runner, const struct region *region, uint32_t at, uint32_t bytes);
void rests_store(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, struct bitset marks);
/* Notes that a value with these marks decides a branch, a guard or an address. */
void rests_decide(const struct runner *runner, struct bitset marks);
/* The same for a remaining load whose value matters, if no thread writes its bytes. */
void rests_load(const struct runner *runner, const struct remnant *remnant);
/* Writes the lines Assumes. */
void rests_tell(struct launching *launch);
