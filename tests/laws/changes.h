/* Changes to a program that must not add outcomes: an instruction made stronger, a thread brought nearer to another. */
#ifndef PTXLIT_TESTS_CHANGES_H
#define PTXLIT_TESTS_CHANGES_H

#include "base/text.h"
#include "ptx/program.h"

/* The program with one instruction stronger: a wider scope, or a stronger semantics. `number` counts the ways to do so
 * from 0; NULL when there are no more. The change is described in `what`. The rest is shared with `program`. */
const struct program *change_strengthen(struct arena *arena, const struct program *program, uint32_t number,
                                        struct text *what);

/* The program with a thread in the CTA of thread 0 that was further from it, and nearer to no other. `number` counts
 * such threads. NULL when there are no more, or when the place of a thread means more than scopes do: barriers, and
 * memory that a CTA or thread owns. */
const struct program *change_bring_nearer(struct arena *arena, const struct program *program, uint32_t number,
                                          struct text *what);

/* True if every access is generic and every location has one address, so that a model without proxies and aliases
 * should agree. */
bool change_is_plain(const struct program *program);

#endif
