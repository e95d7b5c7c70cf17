/* Compiling a kernel in CUDA C++ to PTX, with nvcc or clang. Private to src/kernel. */
#ifndef PTXLIT_KERNEL_COMPILE_H
#define PTXLIT_KERNEL_COMPILE_H

#include "diag/diag.h"
#include "kernel/kernel.h"

struct kernel_compilation {
  struct arena *arena;
  struct diags *diags;
  const struct kernel_options *options;
  const char *path;    /* of the source */
  const char *flags;   /* more for the compiler, or NULL */
  struct span span;    /* where the test names it */
  const char *command; /* out: what was run, without names of files */
};

/* Whether the ending of the name says that it is to be compiled. */
bool kernel_is_source(const char *path);

/* False after an error has been reported. The module has the name of the source. */
bool kernel_compile(struct kernel_compilation *compilation, struct source *module);

/* The text that clang includes before the source: what CUDA has for threads, barriers, atomics and fences. header.c */
const char *kernel_header(size_t *length);

#endif
