/* The pairs of instructions that a clause of the model raised. */
#pragma once

#include "result/result.h"

/* Adds pairs of events. The elements of a vector and the halves of an atomic are one instruction; each pair is kept
 * once, the smaller thread first. `origins`, by thread, gives the instruction of the program for each of the skeleton's
 * own; NULL if the two are the same. */
void raised_add(struct arena *arena, struct raised *raised, const struct skeleton *skeleton, struct bitmat pairs,
                const uint32_t *const *origins);

/* Adds the pairs of another record of the same clause. */
void raised_join(struct arena *arena, struct raised *raised, const struct raised *more);

/* -1, 0 or 1: the order of two pairs in the text. */
int raised_order(const void *a, const void *b);

/* Puts the pairs into the order of the text. */
void raised_sort(struct raised *raised);

/* ---- groups.c: the pairs of a clause as findings: those at the same two places of the source are one */
/* Adds a finding for each two places to the result, the most direct first: the two accesses in iterations that are
 * close together, then those of which a thread makes one itself, then those that are close in the text. */
void groups_add(struct arena *arena, struct result *result, const struct raised *raised, enum safety_kind kind);
