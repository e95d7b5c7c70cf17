/* Tests whose bodies are kernels (docs/semantics.md T6): each thread of the launch runs the kernel, with calls inlined
 * and parameters filled in, and becomes a column. */
#pragma once

#include "base/techniques.h"
#include "kernel/module.h"

/* How kernels in CUDA C++ are compiled. */
struct kernel_options {
  const char *compiler; /* nvcc, clang or a path to one; NULL: the first that is on the path */
  const char *flags;    /* further flags, besides those of the test, one per line; NULL: none */
  const char *keep;     /* the directory for the compiler's output, or NULL */
  const struct input_bounds *bounds; /* of files that tests name */
  const char *forbidden; /* why no compiler may run, or NULL: it may */
  struct without without; /* techniques that are switched off */
  unsigned unroll;       /* the most unrolled iterations of a loop with mbarrier operations */
  const char **doing;    /* out: the step to name in a message, should the arena jump */
};

/* Gives a test its columns, and its init block the module variables that the columns name; a test with columns stays as
 * it is. Reads the modules, whose names are relative to the file of the test. False after an error has been
 * reported. */
bool kernel_expand(struct arena *arena, struct intern *names, struct diags *diags, struct litmus_test *test,
                   const struct kernel_options *options);

/* True if the name is that of a module or of a kernel's source, not of a test. */
bool kernel_is_module(const struct source *source);

/* A launch of a kernel to start from. */
struct kernel_proposal {
  const char *line;       /* copy<<<2, 128>>>(float a[256], float b[256], 256) */
  uint32_t threads, idle; /* idle: threads that access no memory */
};

/* A launch of each kernel of a module, which a run has tried. Returns their number; 0, with a message: none. */
uint32_t kernel_propose(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source,
                        const struct kernel_options *options, const struct kernel_proposal **out);

/* Reports that a module is not a test and prints a launch of each kernel to start from; or reports the module's
 * errors. */
void kernel_list(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source,
                 const struct kernel_options *options);
