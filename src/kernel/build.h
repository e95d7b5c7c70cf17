/* The state of one parse of a PTX module, shared by its scanner and its grammar. Private to the reader. */
#pragma once

#include "kernel/module.h"
#include "litmus/build.h"

struct kernel_parse {
  struct litmus_parse base;
  struct module *module;
  bool in_head; /* scanner: between .func or .entry and what ends its declaration, which may be the next one */
};

/* The operands of .loc: `1 12 5` or `2 36 1, function_name f, inlined_at 1 12 5`; and .file: `1 "k.cu"`. */
void kernel_note_place(struct kernel_parse *parse, const char *text);
void kernel_note_file(struct kernel_parse *parse, const char *text);

struct module_item *kernel_item(struct kernel_parse *parse, enum module_item_kind kind, struct span span);

struct module_attributes kernel_attribute(struct kernel_parse *parse, struct module_attributes attributes,
                                          const struct litmus_word *name, struct module_numbers numbers);

/* Scans and parses base.source; defined with the scanner. */
void kernel_scan_and_parse(struct kernel_parse *parse);
