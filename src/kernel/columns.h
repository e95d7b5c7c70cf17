/* Makes a litmus test of the threads that ran on constants: its columns, locations and places. Private to src/kernel.
 */
#pragma once

#include "kernel/launch.h"

/* groups.c, groups_find: the group and the kind of each thread. groups_choose: the threads that become columns (K5). */
void groups_find(struct launching *launch);
void groups_choose(struct launching *launch);
/* groups_full: true if a kernel has MOST_COLUMNS columns, and MORE_COLUMNS besides those of each group.
 * groups_add_column: makes a thread of a group a column, unless that is so. groups_update then adds the threads that
 * columns need (conflicts.h), and counts the threads that each column represents. */
enum { MOST_COLUMNS = 64, MORE_COLUMNS = 8 };
bool groups_full(const struct kernel_run *run);
bool groups_add_column(const struct kernel_run *run, struct runner *runner);
void groups_make_column(struct runner *runner);
/* By runner: its group. */
uint64_t *groups_of(struct launching *launch, const struct kernel_run *run);
void groups_update(struct launching *launch);
/* kinds.c: the kinds of threads that have groups; a hash of the place of a touch, the same in each cluster. */
void kinds_find(struct launching *launch);
uint64_t kinds_place(const struct runner *runner, const struct touch *touch);
/* rendezvous.c: restricts exchanges between lanes to columns, if no other lane's value is needed; adds those at which
 * lanes only wait for one another, before operations of a warp. rendezvous_are_timed: true if the order in time that
 * they give matters: only asynchronous operations need it (G88). */
void rendezvous_narrow(struct launching *launch);
bool rendezvous_are_timed(const struct launching *launch);

/* together.c: adds columns, and marks before aligned instructions, where lanes may not come together (B5). */
void together_look(struct launching *launch);
/* counted.c: barriers with a count of threads. counted_operands: the operands with the number of a barrier and its
 * count, or the mask of a barrier of a warp; each NULL if there is none. False: there is no count. counted_add_columns:
 * adds columns where different warps may meet; counted_set: gives the columns their counts. */
bool counted_operands(const struct remnant *remnant, struct litmus_operand **id, struct litmus_operand **count);
void counted_add_columns(struct launching *launch);
void counted_set(struct launching *launch);

/* tensors.c, tensors_written: by region, true if some thread writes it. tensor_settle: if a copy whose values do not
 * matter reads a tensor that no thread writes, its box makes no difference for safety: a box with unknown coordinates
 * reads zeros outside of the tensor. */
bool *tensors_written(const struct launching *launch);
void tensor_settle(const struct launching *launch, struct litmus_instr *instr, const bool *written);

/* objects.c: the locations that the columns access, as entries of the init block, and their names in the columns. */
void objects_name(struct launching *launch);

/* write_columns.c: the blocks that a thread can reach, in the order of the text: a backward jump is a loop. False: some
 * block is unknown. */
struct block_order {
  VEC(uint32_t) blocks;
  uint32_t *place; /* by block: its index in the order, or NO_BLOCK */
};
bool columns_order(struct runner *runner, struct block_order *out);

/* write_columns.c: for a launch that cannot be followed, a test of one instruction, which gives the reason. `place`: in
 * place of that instruction's; or NULL. */
void columns_refuse(struct launching *launch, struct runner *runner, const struct reason *why,
                    const struct span *place);
/* write_columns.c: the threads and rows of the test. */
void columns_build(struct launching *launch);

/* merge.c: paths of a thread that do the same from some point on become one. */
void merge_ways(struct launching *launch);

/* prefix.c: cuts the threads where a part of the launch ends. False: it has no such part. */
bool prefix_cut(struct launching *launch);

/* column_needs.c: leaves out instructions that no access, branch or condition needs, and the values of writes that no
 * thread reads. A thread becomes a column if its value decides the result of an exchange that columns need. */
void needs_drop(struct launching *launch);

/* rows.c: the first column of a warp also loads or stores the rows of lanes without a column; rows_narrow drops
 * accesses to bytes that others represent. */
bool rows_first_of_warp(const struct runner *runner);
void rows_widen(struct launching *launch);
void rows_narrow(const struct runner *runner, struct remnant *remnant, const struct bitset *kept);

/* settled.c: leaves out accesses that are settled (K16), if the test asks for no value. */
void settled_drop(struct launching *launch);
bool settled_has(const struct launching *launch, const struct runner *runner, const struct remnant *remnant);

/* followers.c: leaves out columns of which nothing is left, if the test asks for no value (K16). */
void followers_drop(struct launching *launch);
/* True if both ways of a branch come to one station next: a barrier, a product, a fence, another branch or the end. */
bool followers_join(const struct runner *runner, const struct block *block);
/* True of an instruction that neither counts for others nor waits for them. waits: rendezvous_are_timed. */
bool followers_pass_by(const struct runner *runner, const struct remnant *remnant, bool waits);

/* queues.c: leaves out loops of which nothing is left but that they draw numbers, if the test asks for no value. */
void queues_drop(struct launching *launch);

/* relaxed.c, relaxed_find: looks for relaxed accesses that order nothing. relaxed_have: true of those of an
 * instruction, by the end of their remnants, where their values do not matter. relaxed_commute: they commute, too. */
void relaxed_find(struct launching *launch);
bool relaxed_have(const struct kernel_run *run, size_t end);
bool relaxed_commute(const struct kernel_run *run, size_t end);

/* grid_barriers.c, grid_barriers_find: notes the barriers at which meetings of a whole grid begin and end. The other
 * one: leaves out CTAs of which nothing else is left, if the test asks for no value. */
enum { GRID_ARRIVES = 1, GRID_WAITS = 2, GRID_COUNTS = 4 };
void grid_barriers_find(struct launching *launch);
void grid_barriers_drop(struct launching *launch);

/* alike.c: keeps one of several weak accesses that differ only in their bytes, if the test asks for no value. */
void alike_drop(struct launching *launch);
/* alike.c: leaves out an access. The bytes that it writes count as given: another access that stays may read them. */
void alike_leave_out(const struct runner *runner, struct remnant *remnant);
