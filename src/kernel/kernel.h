/* Tests whose bodies are kernels (docs/semantics.md T6): each thread of the launch runs the kernel, with calls inlined
 * and parameters filled in, and becomes a column. */
#pragma once

#include "base/techniques.h"
#include "kernel/module.h"

/* A line of a kernel's source, the file without directories. */
struct kernel_line {
  const char *file;
  uint32_t line;
  bool own; /* the file has the kernel itself */
};

VEC_NAMED(kernel_lines, struct kernel_line);

/* A place between instructions of a module. */
struct kernel_place {
  struct span at;
  bool ahead; /* before the instruction, not after it */
  bool on;    /* the instruction itself */
  bool turn;  /* between two copies of the line */
};

VEC_NAMED(kernel_places, struct kernel_place);

/* A change of a kernel's body, made before any thread runs it. */
enum kernel_edit_kind {
  KERNEL_CHANGE,  /* another instruction in place of the one at `at` */
  KERNEL_BEFORE,  /* more instructions before it, at the target of jumps to it */
  KERNEL_AFTER,   /* more instructions after it */
  KERNEL_MOVE,    /* moves it to after the one at `to` */
  KERNEL_AT_LINE, /* more instructions wherever control enters `line`; the copies are one instruction */
  KERNEL_UNGUARD, /* removes the conditional jump over the one at `at`, or moves it behind what does no harm */
};

struct kernel_edit {
  enum kernel_edit_kind kind;
  struct span at, to; /* instructions of the module */
  struct kernel_line line;
  struct kernel_places *places; /* out: where control enters it, or the jump; NULL: not asked */
  struct litmus_instr **instrs; /* without registers */
  uint32_t count;
  /* KERNEL_CHANGE: the changed instruction; NULL: none is left */
  struct litmus_instr *(*change)(struct arena *arena, const void *changer, const struct litmus_instr *from);
  const void *changer;
  bool *made; /* out: the edit was made in some kernel */
};

/* Modules that were read, to be read only once. */
struct loaded_module {
  const char *path;
  struct module *module; /* NULL: not a module */
};

VEC_NAMED(kernel_modules, struct loaded_module);

/* The stage of a launch that is being read, should the arena jump. */
struct kernel_progress {
  uint32_t round, ended, threads; /* round: 0: none runs yet, but CTAs are compared (twins.c); ended: CTA by CTA in this
                                   * round; threads: of all launches, in a round of those that run; 0: none is known */
  uint32_t blocks;                /* of these threads */
  double used;                    /* of the limit, where the others certainly pass it; 0: it has been reached */
};

/* How kernels are read and compiled. */
struct kernel_options {
  const char *compiler;              /* nvcc, clang or a path to one; NULL: nvcc where CUDA is, or a clang */
  const char *flags;                 /* further flags, besides those of the test, one per line; NULL: none */
  const char *keep;                  /* the directory for the compiler's output, or NULL */
  const struct input_bounds *bounds; /* of files that tests name */
  const char *forbidden;             /* why no compiler may run, or NULL: it may */
  struct without without;            /* techniques that are switched off */
  unsigned unroll;                   /* the most unrolled iterations of a loop with mbarrier operations */
  unsigned grid_at_most;             /* blocks of a larger grid that take part, its first and last ones; 0: all */
  bool prefix;                       /* only what comes before some conflict becomes a test (prefix.c) */
  struct kernel_modules *modules;    /* read before, and those read now; NULL: none. Its memory is that of the arena */
  const struct kernel_edit *edits;   /* of every kernel of the test */
  uint32_t edit_count;
  struct kernel_lines *lines;       /* out: the lines of the kernels that edits can be made at; NULL: not asked */
  const char **doing;               /* out: the step to name in a message, should the arena jump */
  struct kernel_progress *progress; /* out; or NULL */
  const struct reason *refused;     /* the reason for which no launch is executed; NULL: each is */
};

/* Gives a test its columns, and its init block the module variables that the columns name; a test with columns stays as
 * it is. Reads the modules, whose names are relative to the file of the test. False after an error has been
 * reported, or if there is no such prefix. */
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
