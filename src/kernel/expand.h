/* The state of one expansion of a test of kernels, shared by the files that do it: expand.c (threads, arguments,
 * columns), inline.c (the body of a kernel as one list of instructions), scope.c (looks up names). Private to
 * src/kernel. */
#pragma once

#include "kernel/compile.h"
#include "litmus/build.h"
#include "ptx/names.h"

/* The meaning of a name in a body. */
enum binding_kind {
  BINDING_NONE,
  BINDING_REGISTER,
  BINDING_LABEL,
  BINDING_VARIABLE, /* memory; parameters of the kernel too */
  BINDING_PASSED,   /* a .param variable of a call: registers replace its parts, and their names begin with `name` */
  BINDING_VECTOR,   /* a register with several elements: `name` is that of the first, and x, y, z or w is added */
  BINDING_TARGETS,  /* the list of labels that brx.idx takes, or of functions that a call takes */
  BINDING_FUNCTION,
};

struct binding {
  enum binding_kind kind;
  const char *name; /* in the column: without the % of a register */
  const struct module_variable *variable;
  const struct litmus_word *targets;
  const struct module_function *function;
  uint32_t shadowed; /* index + 1 of the binding of the same name that this one hides; 0: none */
  uint32_t slot;
};

/* Names in nested scopes. */
struct names_in_scope {
  struct arena *arena;
  struct name_map slots; /* by name: the place in `tops` of the index + 1 of the present binding */
  VEC(uint32_t) tops;
  VEC(struct binding) list;
};

void scope_add(struct names_in_scope *scope, const char *name, struct binding binding);
/* NULL: the name is not declared. The result is good until the next scope_add. */
const struct binding *scope_find(const struct names_in_scope *scope, const char *name);
/* Leaves the scopes opened since the list had this length. */
void scope_leave(struct names_in_scope *scope, uint32_t length);

/* A variable or a parameter that a body names, and the register that holds its address plus `offset` when a thread
 * begins. */
struct used_variable {
  const struct module *module;
  const struct module_variable *variable;
  uint64_t address; /* of the variable, set by launch.c */
  const char *name; /* of the register */
  int64_t offset;   /* added to the register's value */
};

struct expansion {
  bool hosts;                /* the test has hosts beside kernels */
  struct litmus_parse parse; /* for the constructors of nodes: arena, names, diags, test */
  const struct kernel_options *options;
  struct kernel_flags flags;
  struct kernel_modules *modules;
  VEC(struct used_variable) variables; /* of the kernel being read */
  VEC(const char *) given;             /* its registers that have a value when a thread begins */
};

/* The techniques that leave out accesses or barriers as if their order did not matter are off for a test that asks for
 * it (K18), or has a host, whose order they do not know. For the first, values that are only stored matter too. Settled
 * accesses may go: their conflicts follow program order and barriers in every execution, so that a cycle through one
 * leads past it too. */
static inline bool does(const struct expansion *x, enum technique technique) {
  bool turns = x->parse.test->quantifier == LITMUS_IN_TURNS, order = turns || x->hosts;
  bool orders = technique == TECHNIQUE_ALIKE || technique == TECHNIQUE_FOLLOWERS || technique == TECHNIQUE_RELAXED;
  if ((order && orders) || (turns && technique == TECHNIQUE_NEEDLESS)) return false;
  return technique_on(x->options->without, technique);
}

/* The cells of a column. */
VEC_NAMED(code, struct litmus_cell);

/* write_columns.c: makes the columns rows of a test; `span`: of cells that a short column lacks. */
void kernel_add_rows(struct expansion *x, struct litmus_test *test, const struct code *const *columns, uint32_t count,
                     struct span span);

/* The places for more instructions: before or after an instruction. */
struct code_mark {
  const struct litmus_instr *at;
  bool ahead, turn; /* turn: between two copies of a line */
};

VEC_NAMED(code_marks, struct code_mark);

/* body.c: a test like the one being read, of one thread and without entries and a condition. */
struct litmus_test *kernel_bare_test(struct expansion *x, struct span span);

/* expand.c: compiles the text of a kernel's source, and replaces it by the module. False after an error. */
bool kernel_make_module(struct expansion *x, struct span span, const char *path, struct source *source);

/* inline.c: the body of a kernel. False after an error. */
bool kernel_inline(struct expansion *x, const struct module *module, const struct module_function *entry,
                   struct code *out);

/* body.c: the name of a register that has a value of 64 bits when a thread begins. */
const char *kernel_give(struct expansion *x, const char *name);

/* The register of a kernel that holds the address of a variable, or of a parameter, plus `offset`: one of those names
 * with a number. No register of a module has such a name (inline.c). */
#define KERNEL_ADDRESS_REGISTER "$at"
#define KERNEL_PARAM_REGISTER "$param"
const char *kernel_use_variable(struct expansion *x, const struct module *module,
                                const struct module_variable *variable, int64_t offset);

/* An array without a length: as long as the launch reaches. `whole`: some access is at an unknown address. */
struct kernel_reach {
  const char *name;
  uint64_t count; /* elements */
  bool whole;
};

/* A run of a launch that only finds out what it reaches (list.c). */
struct kernel_trial {
  const char *path; /* of the module, which has been read */
  struct module *module;
  VEC(struct kernel_reach) arrays;
  uint32_t threads, idle; /* idle: access no memory but parameters */
  bool outside;           /* some access is outside all memory: of a block that is larger than its arrays */
  uint32_t dynamic;       /* bytes of dynamic shared memory that the launch reaches */
};

/* False: the launch is wrong, or too large. */
bool kernel_try(struct expansion *x, struct kernel_trial *trial);
