/* Compiling a kernel in CUDA C++ to PTX, with nvcc or clang. Private to src/kernel. */
#pragma once

#include "kernel/kernel.h"

/* Words for a compiler, each one argument. */
VEC_NAMED(kernel_flags, const char *);

struct kernel_compilation {
  struct arena *arena;
  struct diags *diags;
  const struct kernel_options *options;
  const char *path; /* of the source */
  const struct kernel_flags *flags;
  struct span span;    /* the place at which the test names it */
  const char *compiler; /* out: its name or path */
  const char *command;  /* out: the command that was run, without names of files */
};

/* True if the ending of the name is that of a source to compile. */
bool kernel_is_source(const char *path);

/* False, after an error with the reason: no compiler may run. */
bool kernel_may_compile(struct diags *diags, const struct kernel_options *options, const char *path,
                        struct span span);

/* Compiles a regular file. False after an error has been reported. The module has the name of the source. If the
 * compiler runs out of memory or time, the arena jumps. */
bool kernel_compile(struct kernel_compilation *compilation, struct source *module);

/* flags.c: adds the flags of the lines CompilerFlags= of a test, then those of `callers` (kernel_options). False after
 * an error has been reported: a word is not in flags.def, or a path of the test is outside its directory. */
bool kernel_read_flags(struct arena *arena, struct diags *diags, const struct litmus_test *test, const char *callers,
                       struct kernel_flags *out);

/* flags.c: a flag that only nvcc takes, for clang, or the reverse; NULL: none. */
const char *kernel_wrong_flag(const struct kernel_flags *flags, bool clang);

/* flags.c: the directory of a file, absolute and without links; NULL: none. */
const char *kernel_directory(struct arena *arena, const char *file);

/* flags.c: the first character of a path that would make nvcc's shell run a part of the path; NULL: none. */
const char *kernel_unsafe_character(const char *path);

/* messages.c: the message of a compiler that best explains its failure. A line of source is never quoted, and of a
 * message about a file outside the bounds only the place. `absolute`: the source's path as the compiler prints it. */
const char *kernel_first_error(const struct kernel_compilation *compilation, const char *absolute, int status,
                               const char *messages);
/* messages.c: true if the wait status or the messages show that the compiler, or a program that it ran, had no memory.
 */
bool kernel_was_starved(int status, const char *messages);

/* The text that clang includes before the source: CUDA's threads, barriers, atomics and fences. header.c */
const char *kernel_header(size_t *length);
