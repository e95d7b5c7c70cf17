/* The CUDA C++ dialect of litmus tests: statements become instructions of the same shape as PTX's, marked with
 * litmus_instr.cuda, so that all code for PTX tests works on them. Statements without a counterpart in PTX become new
 * instructions: a seq_cst access is `.sc`, and fetch_sub is `.sub`.
 *
 * Source: C++20 [atomics.types.generic], [atomics.fences]; libcu++'s cuda::atomic, whose scope is part of the type
 * there, but an argument here; docs/cuda-tests.md. */
#pragma once

#include "litmus/build.h"

/* `r0 == 1` between the parentheses of if and while. */
struct litmus_branch {
  enum compare compare;
  struct litmus_operand *a, *b;
};

/* `cuda::atomic_ref<int, cuda::thread_scope_device>(x)`, or cuda::atomic and a declared object; the default is system
 * scope. */
struct litmus_reference {
  const struct litmus_word *name;
  struct litmus_words type;
  const struct litmus_word *scope;
  const struct litmus_ref *object;
};

/* Removes the namespaces std and cuda from a name such as `cuda::std::memory_order_acquire`, and gives the enumerators
 * of `std::memory_order::acquire` their old spelling. Reports unknown names. */
struct litmus_word *litmus_cuda_qualified(struct litmus_parse *parse, const char *text, struct span span);

/* Declares a cuda::atomic: its accesses have its scope, and `x = 1` and `r0 = x` are seq_cst. */
struct litmus_entry *litmus_cuda_atomic(struct litmus_parse *parse, struct litmus_words qualifiers,
                                        const struct litmus_reference *declared, struct span span);

/* An argument that is a name: a register, or a word such as `acquire`. */
struct litmus_operand *litmus_cuda_name(struct litmus_parse *parse, const struct litmus_ref *ref);

/* `to = a`, or `to = a op b` with op one of + - &. */
struct litmus_cell *litmus_cuda_assign(struct litmus_parse *parse, const struct litmus_ref *to,
                                       struct litmus_operand *a, char op, struct litmus_operand *b, struct span span);

/* `to = object.function(arguments)`; `to` and `object` may be NULL. */
struct litmus_cell *litmus_cuda_call(struct litmus_parse *parse, const struct litmus_ref *to,
                                     const struct litmus_ref *object, struct litmus_word *function,
                                     struct litmus_operand *arguments, struct span span);

/* The same on an object accessed through a reference whose type has a scope. */
struct litmus_cell *litmus_cuda_refer(struct litmus_parse *parse, const struct litmus_ref *to,
                                      const struct litmus_reference *reference, struct litmus_word *function,
                                      struct litmus_operand *arguments, struct span span);

/* `goto label` or, with a branch, `if (branch) goto label`. */
struct litmus_cell *litmus_cuda_goto(struct litmus_parse *parse, const struct litmus_branch *branch,
                                     const struct litmus_word *label, struct span span);
/* `if (branch) statement` */
struct litmus_cell *litmus_cuda_if(struct litmus_parse *parse, const struct litmus_branch *branch,
                                   struct litmus_cell *statement, struct span span);
/* A statement that opens or closes a block of several cells; `branch` for kinds that have one. */
struct litmus_cell *litmus_cuda_block(struct litmus_parse *parse, enum litmus_block block,
                                      const struct litmus_branch *branch, struct span span);

/* Marks the statements of a cell as a host's. The next function: `launch 0`, `sync 0`. */
struct litmus_cell *litmus_host_cell(struct litmus_cell *cell);
struct litmus_cell *litmus_host_grid(struct litmus_parse *parse, struct litmus_word *verb, struct litmus_number grid,
                                     struct span span);

/* After the rows: blocks become jumps, and levels of placements have PTX's words. */
void litmus_cuda_finish(struct litmus_parse *parse);

/* blocks.c: turns blocks into jumps. Its helpers: one makes a cell, one gives a jump (NULL: a new jump) its label. */
void litmus_cuda_unblock(struct litmus_parse *parse);
struct litmus_cell *litmus_cuda_cell(struct litmus_parse *parse, struct litmus_instr *instr, struct span span);
struct litmus_instr *litmus_cuda_jump(struct litmus_parse *parse, struct litmus_instr *jump,
                                      const struct litmus_word *label, struct span span);

/* Prints an instruction of this dialect. */
void litmus_cuda_print(const struct litmus_instr *instr, struct text *out);
/* Adds the type of a cuda::atomic, and a blank. */
void litmus_cuda_print_type(const struct litmus_entry *entry, struct text *out);
/* C++'s word for the key of a level. */
const char *litmus_cuda_level(const char *key);
