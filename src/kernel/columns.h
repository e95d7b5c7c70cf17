/* The remaining instructions of the threads, as the columns, locations and places of a test. Private to src/kernel. */
#pragma once

#include "kernel/launch.h"

/* groups.c: which threads become columns (K5). */
void groups_choose(struct launching *launch);
/* Makes a thread of a group a column, unless there are too many. Once some are: who else becomes one because columns
 * read what it writes, and who stands behind whom. */
enum { MOST_COLUMNS = 64 };
bool groups_add_column(const struct kernel_run *run, struct runner *runner);
void groups_stand(struct launching *launch);
/* writers.c: who else does, because a column reads what it writes. `groups`: by runner. */
void writers_add(struct launching *launch, struct kernel_run *run, const uint64_t *groups);
/* groups.c: exchanges between lanes are between those that are columns, where nobody needs more. */
void groups_narrow(struct launching *launch);
/* groups.c: those who stand behind a column count with it, at barriers and mbarrier objects. */
void groups_count(struct launching *launch);

/* objects.c: the locations that the columns access, as entries of the init block, and their names in the columns. */
void objects_name(struct launching *launch);

/* columns.c: the blocks that a thread can get to, in the order in which they are written: a jump backwards is a loop.
 * False: some of it is not known. */
struct block_order {
  VEC(uint32_t) blocks;
  uint32_t *place; /* by block: where in the order, or NO_BLOCK */
};
bool columns_order(struct runner *runner, struct block_order *out);

/* columns.c: of a launch that cannot be followed the one instruction of a thread that is left, which says why. */
void columns_refuse(struct launching *launch, struct runner *runner, const struct reason *why);
/* columns.c: the threads and rows of the test. False after an error. */
bool columns_build(struct launching *launch);

/* merge.c: ways of a thread that do the same from some point on become one. */
void merge_ways(struct launching *launch);

/* polls.c: of polls that stand in a straight line one is left. The accesses have their names. */
void polls_merge(struct launching *launch);

/* needs.c: leaves out what no access, branch or condition needs, and the values of writes that nobody needs. Who brings
 * something to an exchange that decides a result that columns need becomes a column too. */
void needs_drop(struct launching *launch);

/* alike.c: of weak accesses that differ in nothing but their bytes, one stands for all where no value is asked for. */
void alike_drop(struct launching *launch);
