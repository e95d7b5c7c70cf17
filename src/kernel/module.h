/* A PTX module as parsed: its variables and functions, before any name is looked up. Instructions have the AST of
 * litmus tests.
 *
 * Everything lives in the arena given to module_parse; spans point into its source. Source: PTX ISA 9.4, chapters 4, 5,
 * 7 and 11. */
#pragma once

#include "litmus/litmus.h"

/* A declaration: of a variable, a parameter, or registers. */
struct module_variable {
  struct litmus_words words; /* .visible, .shared, .align, .u32: all dots before the name */
  uint32_t align;            /* bytes; 0: not given */
  struct litmus_word name;   /* "" for a parameter without one */
  bool has_range;            /* %r<5>: registers %r0 to %r4 */
  uint32_t range;
  bool is_array, has_count;
  uint64_t count;              /* elements, all dimensions; 0 if the first dimension is omitted */
  struct litmus_value *values; /* NULL: none given */
  struct span span;
  struct module_variable *next;
};

LIST_OF(module_variables, module_variable);

enum module_item_kind {
  MODULE_INSTR,
  MODULE_LABEL,
  MODULE_VARIABLE, /* a variable or registers */
  MODULE_TARGETS,  /* .branchtargets, .calltargets: the labels or functions that the preceding label lists */
  MODULE_OPEN,     /* { and }: a scope of names */
  MODULE_CLOSE,
};

struct module_item {
  enum module_item_kind kind;
  struct litmus_instr *instr;
  struct litmus_word *label; /* MODULE_LABEL; MODULE_TARGETS: a list */
  struct module_variable *variable;
  struct span span;
  struct module_item *next;
};

LIST_OF(module_items, module_item);

/* `64, 2`: `product` is that of the numbers, 0 without any. */
struct module_numbers {
  uint64_t product;
  uint32_t count, first[3];
};

/* .maxntid 64, 2 */
struct module_attribute {
  struct litmus_word name;
  struct module_numbers numbers;
  struct module_attribute *next;
};

LIST_OF(module_attributes, module_attribute);

struct module_function {
  struct litmus_word name;
  bool is_entry, has_body;
  struct module_variable *results, *params;
  struct module_attributes attributes; /* .maxntid, .noreturn and so on */
  struct module_item *items;
  struct span span;
  struct module_function *next;
};

LIST_OF(module_functions, module_function);

/* `.loc` and `.file`: the file and line of the code from a byte on, and the file and line into which it was inlined. */
struct module_place {
  uint32_t offset, file, line, column, outer_file, outer_line; /* outer_line 0: it was not */
};

struct module_file {
  uint32_t number;
  const char *name;
};

struct module {
  const struct source *source;
  bool narrow; /* addresses have 32 bits: `.address_size 32`, or none in a text for versions before the directive */
  VEC(struct module_place) places;
  VEC(struct module_file) files;
  struct module_variables variables;
  struct module_functions functions;
};

/* Reads a module. NULL: the text is not a module; the reason is in `diags`. Linear in the length of the text. */
struct module *module_parse(struct arena *arena, struct intern *names, struct diags *diags,
                            const struct source *source);

/* The place of the source from which the text at this offset was made; the place into which that was inlined, which
 * compilers note just before. NULL: none is noted. The name of a file, without directories. */
const struct module_place *module_place_of(const struct module *module, uint32_t offset);
const struct module_place *module_outer_place(const struct module *module, const struct module_place *place);
const char *module_file_named(const struct module *module, uint32_t number);

/* Makes messages about the module name the lines of its sources. `compiled`: also the lines of the CUDA source, named
 * in `source`, from which it was just compiled. */
void module_name_lines(struct arena *arena, const struct module *module, bool compiled, struct source *source);

/* The function with this name and a body, or else the only function with this source name, such as k, ns::k or
 * k<32, float>; NULL: none. `many`: several functions have the source name. */
const struct module_function *module_find(struct intern *names, const struct module *module, const char *name,
                                          bool *many);

/* The shortest name that module_find finds the function by. */
const char *module_full_name(struct intern *names, const struct module *module, const struct module_function *function);

/* The number that is the address of a function, equal for its declarations. */
uint64_t module_address(const struct module *module, const struct module_function *function);

/* True if some initial value or some mov is the address of a function. */
bool module_takes(const struct module *module, const struct module_function *function);

/* Bytes of a variable or of an element of an array, a vector as a whole. */
uint32_t module_element_bytes(const struct module_variable *variable);
/* Bytes of a variable, at most UINT32_MAX. */
uint32_t module_bytes(const struct module_variable *variable);

/* The last name in a mangled name, "k" in _Z1kPi; an unmangled name as it is. Interned. */
const char *module_source_name(struct intern *names, const char *name);

