/* Instructions that only compute values which no address, branch, barrier or exchange needs, through registers or
 * memory: threads pass them by if the test asks for no value (docs/semantics.md K3, K14). Flow-insensitive; memory is
 * two classes of bytes, those of shared memory and all others. */
#include "kernel/needs.h"

#include "ptx/alu.h"
#include "ptx/isa.h"
#include "ptx/uses.h"

/* The items of the slice: two classes of memory, then the registers of each kernel. */
enum { CLASS_SHARED, CLASS_OTHER, CLASSES };

struct wanting {
  struct value_rules rules; /* of the present kernel */
  struct flow_slice slice;
  const struct body *body;
};

/* Operations on ranges move bytes from one class to the other. Parameters never change. */
static struct slice_items classes_of(const struct wanting *w, const struct instr *in) {
  bool moves =
      in->kind == INSTR_ASYNC || in->kind == INSTR_MULTIMEM || in->tiled == TILED_COPY || in->tiled == TILED_PRODUCT;
  if (body_is_param(w->body, in) || in->space == SPACE_PARAM) return (struct slice_items){0};
  if (in->tiled == TILED_ROWS) return (struct slice_items){CLASS_SHARED, 1};
  if (moves || in->space == SPACE_GENERIC) return (struct slice_items){0, CLASSES};
  return (struct slice_items){in->space == SPACE_SHARED ? CLASS_SHARED : CLASS_OTHER, 1};
}

/* It accesses no memory and exchanges no values that constants may decide: lanes only meet at mma. */
static bool is_pure(const struct instr *in) {
  bool pure = in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
  return pure && in->form != FORM_TEXTURE && run_meeting(in) == MEETING_NONE && in->tiled == TILED_NONE;
}

/* Nor does it meet other threads. */
static bool computes(const struct instr *in) { return is_pure(in) && !aligned_of(in->ast); }

static void want(struct wanting *w, uint32_t reg) { slice_want(&w->slice, w->rules.regs + reg, 1); }

static void want_all(struct wanting *w, const struct instr *in) {
  EACH_READ (reg, in) want(w, reg);
}

/* The value that a lane brings matters with the result; the others decide who takes part. */
static void add_exchange(struct wanting *w, const struct instr *in) {
  struct instr bare = *in;
  bare.src[0] = (struct operand){0};
  want_all(w, &bare);
  slice_rule(&w->slice);
  slice_if_written(&w->slice, in, w->rules.regs);
  if (in->src[0].kind == OPERAND_REG) slice_then(&w->slice, w->rules.regs + in->src[0].reg, 1);
}

static void add_rules(struct wanting *w, const struct instr *in) {
  const struct named_regs *n = in->tiled == TILED_ROWS ? in->named : NULL;
  const struct slice_items classes = classes_of(w, in);
  bool maps = maps_replaces(in) || maps_copies(in); /* the bytes of a tensor map decide accesses */
  if (maps) slice_want(&w->slice, 0, CLASSES), want_all(w, in);
  for (uint32_t i = n ? n->begin[NAMED_PLACE] : 0; n && i < n->begin[NAMED_VALUE]; i++) want(w, n->regs[i]);
  w->rules.results = in;
  w->rules.memory.len = 0;
  if (classes.count) VEC_PUSH(w->slice.arena, &w->rules.memory, classes);
  if (is_exchange(in)) add_exchange(w, in);
  rules_add_part(&w->rules, in);
  rules_add_effect(&w->rules, in);
}

/* Accesses to the registers of products count (AG3, AG4). */
static bool is_of_product(const struct wanting *w, const struct instr *in, const uint32_t *accumulators) {
  EACH_READ (reg, in)
    if (accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) return true;
  EACH_WRITTEN (reg, in)
    if (accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) return true;
  return false;
}

static bool is_needless(const struct wanting *w, const struct instr *in, const uint32_t *accumulators) {
  return !instr_gives(in, w->body->wanted) && computes(in) && !is_of_product(w, in, accumulators);
}

/* Instructions that are lowered from one of the source are passed by together. */
static void mark(struct wanting *w, struct body *b) {
  const uint32_t *accumulators = tiled_accumulators(w->slice.arena, b);
  w->body = b;
  for (uint32_t i = 0; i <= b->thread->reg_count; i++)
    if (slice_has(&w->slice, w->rules.regs + i, 1)) bitset_add(b->wanted, i);
  b->wants_bytes[0] = slice_has(&w->slice, CLASS_SHARED, 1), b->wants_bytes[1] = slice_has(&w->slice, CLASS_OTHER, 1);
  for (uint32_t i = 0, end; i < b->thread->instr_count; i = end) {
    end = b->group_end[i];
    b->needless[i] = true;
    for (uint32_t k = i; k < end; k++)
      b->needless[i] = b->needless[i] && is_needless(w, &b->thread->instrs[k], accumulators);
  }
  w->rules.regs += b->thread->reg_count + 1;
}

void needless_find(struct launching *l, bool all) {
  struct arena *arena = l->memory.arena;
  uint32_t items = CLASSES;
  VEC_VALUES (run, &l->runs) {
    items += run->body.thread->reg_count + 1;
    run->body.needless = ARENA_ARRAY(arena, bool, run->body.thread->instr_count + 1);
    run->body.wanted = bitset_new(arena, run->body.thread->reg_count + 1);
  }
  struct wanting w = {.slice = slice_new(arena, items)};
  w.rules = (struct value_rules){.slice = &w.slice, .regs = CLASSES, .to_run = true, .result_count = 1};
  if (all) slice_want(&w.slice, 0, items);
  VEC_VALUES (run, &l->runs) {
    w.body = &run->body;
    ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count) add_rules(&w, in);
    w.rules.regs += run->body.thread->reg_count + 1;
  }
  slice_close(&w.slice);
  w.rules.regs = CLASSES;
  VEC_VALUES (run, &l->runs) mark(&w, &run->body);
}

bool needless_here(const struct runner *r, uint32_t begin, uint32_t end) {
  bool all = true;
  if (!r->run->body.needless[begin]) return false;
  for (uint32_t i = begin; i < end; i++) {
    const struct instr *in = &r->run->body.thread->instrs[i];
    all = all && in->kind == INSTR_ALU && !in->guard.present && !type_is_float(in->type) && !type_is_float(in->from);
    for (uint32_t k = 0; k < MAX_VECTOR && all; k++)
      all = in->src[k].kind == OPERAND_NONE || in->src[k].kind == OPERAND_IMM ||
            (in->src[k].kind == OPERAND_REG && term_is_const(r->walk->terms, r->path.regs[in->src[k].reg].value));
  }
  return !all;
}

bool needless_load(const struct runner *r, const struct instr *in) { return !instr_gives(in, r->run->body.wanted); }
