/* Shared by the scanner, the grammar and the reader of nvlitmus tests. The AST, and most of its constructors, are those
 * of litmus tests (litmus/build.h). */
#pragma once

#include "litmus/build.h"

enum nv_kind { NV_PERMIT, NV_CHECK, NV_ASSERT };

struct nv_command {
  enum nv_kind kind;
  struct litmus_word name;
  struct litmus_cond *condition;
  struct span span;
  struct nv_command *next;
};

/* `== number` after an instruction. */
struct nv_assumption {
  const struct litmus_operand *target; /* NULL: the instruction defines no register */
  struct litmus_number value;
  struct span span;
  struct nv_assumption *next;
};

struct nv_thread {
  struct litmus_thread *thread;
  uint32_t number; /* t of dD.bB.tT */
  struct litmus_cells instrs;
  struct nv_thread *next;
};

/* The parse of a file without a table, or of one row. */
struct nv_parse {
  struct litmus_parse base;
  bool above_right; /* the part before the commands has no error */
  struct litmus_entries entries;
  struct {
    struct nv_thread *first, *last;
    uint32_t count;
  } threads;
  struct {
    struct nv_command *first, *last;
  } commands;
  struct {
    struct nv_assumption *first, *last;
  } assumptions;
};

/* space: .global; of: the location of which it is an alias, or NULL. Reports contradictory declarations. */
void nv_add_location(struct nv_parse *parse, const struct litmus_word *space, const struct litmus_word *name,
                     struct litmus_word *of, bool physical, struct span span);
/* Adds the thread given by the words d0, .b0 and .t0. */
void nv_add_thread(struct nv_parse *parse, const struct litmus_word *gpu, const struct litmus_word *cta,
                   const struct litmus_word *thread, struct litmus_cells instrs, struct span span);
void nv_add_command(struct nv_parse *parse, enum nv_kind kind, struct litmus_cond *condition,
                    const struct litmus_word *name, struct span span);
void nv_assume(struct nv_parse *parse, const struct litmus_operand *operands, struct litmus_number value,
               struct span span);

/* Scans and parses base.source; defined with the scanner. */
void nvlitmus_scan_and_parse(struct nv_parse *parse);
