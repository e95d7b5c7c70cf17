/* Places the data of a test's kernels in memory and executes all their threads on constants. Private to src/kernel. */
#pragma once

#include "kernel/run.h"

/* A CTA of the test. */
struct launch_cta {
  const struct kernel_run *run;
  uint32_t gpu, number, block; /* number: among those of its GPU */
};

/* A variable of shared memory in the windows of its kernel's CTAs. */
struct shared_variable {
  const struct kernel_run *run;
  const struct module_variable *variable;
  uint32_t at, bytes;
};

struct launching {
  struct expansion *x;
  struct memory memory;
  VEC(struct kernel_run *) runs;
  VEC(struct runner *) runners; /* the threads of all kernels, in order */
  VEC(struct launch_cta) ctas;
  VEC(struct shared_variable) shared;
  VEC(struct launch_variable {
    const struct module_variable *variable;
    const struct module *module;
    struct region *region;
  })
  variables;                   /* of modules, in global and constant memory */
  const struct program *init;  /* the objects of the init block */
  uint64_t *groups;            /* by thread: its group (groups.c); NULL: no kernel has groups */
  uint64_t *kinds;             /* by thread: its kind (kinds.c) */
  bool *regular;               /* by thread: a pair of accesses of such kinds stands for all */
  uint64_t *paths;             /* by thread: a hash of its blocks and of the settled conditions of their branches */
  struct alone *alone;         /* the threads that access a byte (needs.h), once the needs of columns are known */
  struct conflicts *conflicts; /* the accesses of all threads (conflicts.h), once there are groups */
  uint32_t classes;            /* of memory (needless.c) */
  bool noted, all_needed;      /* an access to one more; values that decide nothing count */
  struct kernel_progress *progress; /* out; or NULL */
  const struct reason *refused;     /* the reason for which a launch is not executed, or NULL */
  struct span refused_place;
};

#define EACH_RUNNER(runner_, launch) VEC_VALUES (runner_, &(launch)->runners)
#define EACH_COLUMN(runner_, launch)                                                                                   \
  EACH_RUNNER (runner_, launch)                                                                                        \
    if (runner_->column)

/* The locations of the init block. False after an error. */
bool launch_locations(struct launching *launch);
/* The bytes of an element of a location of the init block; of a vector type those of a vector. */
uint32_t launch_item_bytes(const struct launching *launch, const struct region *region);
/* The bytes of a location that are made even if no thread reaches them. */
uint32_t launch_least_bytes(const struct launching *launch, const struct region *region);
/* One more kernel, with its parameters and variables. */
bool launch_kernel(struct launching *launch, const struct module *module, const struct litmus_kernel *kernel,
                   const struct module_function *entry);
/* One more thread of a host: hosts.c. */
bool launch_host(struct launching *launch, const struct litmus_kernel *host);
/* A statement of a host, of its column: as it was written; a jump, with the comparison that ends the code so far. */
void host_restore(const struct launching *launch, struct litmus_instr *instr);
struct litmus_instr *host_jump(struct launching *launch, struct code *code, struct litmus_instr *jump);
/* Adds the CTAs of a kernel or a host that has its body. */
void launch_add(struct launching *launch, struct kernel_run *run);
/* needless.c, needless_find: body.needless of all kernels; `all`: values that decide nothing count too. True if more is
 * needed than before. needless_grows: finds it again if instructions access more memory. */
bool needless_find(struct launching *launch, bool all);
bool needless_grows(struct launching *launch);
/* begins.c, begins_find: finds the registers that have values when a thread begins. begins_of: these registers and
 * values; returns their number. begins_rank: the rank of a CTA in its cluster. */
void begins_find(const struct launching *launch, struct kernel_run *run);
uint32_t begins_of(const struct kernel_run *run, uint32_t block, uint32_t thread, struct given_value *out);
uint32_t begins_rank(const struct litmus_kernel *kernel, uint32_t block);
/* twins.c: leaves out the CTAs that do as another one does. twins_asked: true if the test lets it look for them. */
bool twins_asked(const struct launching *launch, const struct litmus_kernel *kernel);
void twins_drop(struct launching *launch);
/* Runs all threads that the kernels name. False: the values of memory do not reach a fixed point. */
bool launch_run(struct launching *launch);
/* Frees what the threads of the latest round left. */
void launch_forget(struct memory *memory);
/* Makes these threads without running them. */
void launch_place(struct launching *launch);

/* expand.c: bytes of a member of a structure that is an argument. */
uint32_t launch_field_bytes(const struct litmus_value *field, bool narrow);
