/* Instructions that only compute values which no address, branch, barrier or exchange needs, through registers or
 * memory: threads pass them by if the test asks for no value (docs/semantics.md K3, K14). Flow-insensitive; memory is
 * two classes of bytes, those of shared memory and all others. */
#include "flow/slice.h"
#include "kernel/launch.h"
#include "ptx/lower.h"
#include "ptx/uses.h"

/* The items of the slice: two classes of memory, then the registers of each kernel. */
enum { CLASS_SHARED, CLASS_OTHER, CLASSES };

struct wanting {
  struct arena *arena;
  struct flow_slice slice;
  const struct body *body; /* of the present kernel, */
  uint32_t regs;           /* and the item of its first register */
};

static struct slice_items classes_of(const struct instr *in) {
  if (in->space == SPACE_GENERIC) return (struct slice_items){0, CLASSES};
  return (struct slice_items){in->space == SPACE_SHARED ? CLASS_SHARED : CLASS_OTHER, 1};
}

/* It accesses no memory and exchanges no values that constants may decide: lanes only meet at mma. */
static bool is_pure(const struct instr *in) {
  bool pure = in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
  return pure && !lower_is_texture(in) && run_meeting(in) == MEETING_NONE && tiled_kind(in) == TILED_NONE;
}

/* Nor does it meet other threads. */
static bool computes(const struct instr *in) { return is_pure(in) && !aligned_of(in->ast); }

/* The registers that an instruction reads, or with `writes` those that it writes. One that is not modelled reads all
 * that it names, and is taken to write those of its first operand. */
static struct bitset regs_of(const struct wanting *w, const struct instr *in, bool writes) {
  struct bitset out = bitset_new(w->arena, w->body->thread->reg_count + 1);
  const struct instr_regs regs = writes ? instr_writes(in) : instr_reads(in);
  for (uint32_t i = 0; i < regs.count; i++) bitset_add(out, regs.list[i]);
  if (in->kind != INSTR_UNSUPPORTED || !in->ast->operands) return out;
  struct litmus_operand first = *in->ast->operands;
  if (writes) first.next = NULL;
  body_add_named(w->body, &first, out);
  return out;
}

static void want(struct wanting *w, uint32_t reg) { slice_want(&w->slice, w->regs + reg, 1); }

static void want_all(struct wanting *w, const struct instr *in) {
  const struct bitset read = regs_of(w, in, false);
  EACH (reg, read) want(w, reg);
}

static void if_any(struct wanting *w, struct bitset regs) {
  EACH (reg, regs) slice_if(&w->slice, w->regs + reg, 1);
}

static void then_all(struct wanting *w, struct bitset regs) {
  EACH (reg, regs) slice_then(&w->slice, w->regs + reg, 1);
}

/* The sources other than the first few, which are the values that a store writes or that a lane brings to an exchange:
 * they follow from the rule that has been begun. */
static void then_values(struct wanting *w, const struct instr *in, uint32_t values) {
  struct instr bare = *in;
  for (uint32_t i = 0; i < values; i++) {
    if (in->src[i].kind == OPERAND_REG) slice_then(&w->slice, w->regs + in->src[i].reg, 1);
    bare.src[i] = (struct operand){0};
  }
  want_all(w, &bare);
}

/* Such instructions move bytes from one class to the other. */
static bool moves(const struct instr *in) {
  return in->kind == INSTR_ASYNC || in->kind == INSTR_MULTIMEM || in->kind == INSTR_ATOM ||
         tiled_kind(in) != TILED_NONE;
}

/* ldmatrix and stmatrix: registers and shared memory have the same values; the address is in brackets. */
static void add_rows_rules(struct wanting *w, const struct instr *in, bool loads) {
  for (const struct litmus_operand *o = in->ast->operands; o; o = o->next) {
    struct bitset named = bitset_new(w->arena, w->body->thread->reg_count + 1);
    struct litmus_operand alone = *o;
    alone.next = NULL;
    body_add_named(w->body, &alone, named);
    slice_rule(&w->slice);
    if (o->kind == LITMUS_BRACKET || o->kind == LITMUS_TENSOR) {
      EACH (reg, named) want(w, reg);
    } else if (loads) {
      if_any(w, named);
      slice_then(&w->slice, CLASS_SHARED, 1);
    } else {
      slice_if(&w->slice, CLASS_SHARED, 1);
      then_all(w, named);
    }
  }
}

static void add_rules(struct wanting *w, const struct instr *in) {
  struct slice_items classes = classes_of(in);
  if (in->guard.present) want(w, in->guard.reg);
  if (maps_replaces(in) || maps_copies(in)) { /* the bytes of a tensor map decide accesses */
    slice_want(&w->slice, 0, CLASSES);
    want_all(w, in);
    return;
  }
  struct row_access rows;
  if (tiled_kind(in) == TILED_ROWS && rows_read(in->ast, &rows)) {
    add_rows_rules(w, in, rows.loads);
    return;
  }
  slice_rule(&w->slice);
  if (is_pure(in)) {
    if_any(w, regs_of(w, in, true));
    then_all(w, regs_of(w, in, false));
  } else if (in->kind == INSTR_LOAD) {
    if_any(w, regs_of(w, in, true));
    bool memory = !body_is_param(w->body, in) && in->space != SPACE_PARAM;
    if (memory) slice_then(&w->slice, classes.first, classes.count);
    want_all(w, in);
  } else if (in->kind == INSTR_STORE) {
    slice_if(&w->slice, classes.first, classes.count);
    then_values(w, in, MAX_VECTOR);
  } else if (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES) {
    if_any(w, regs_of(w, in, true));
    then_values(w, in, 1);
  } else {
    if (moves(in)) slice_if(&w->slice, 0, CLASSES);
    if (moves(in)) slice_then(&w->slice, 0, CLASSES);
    want_all(w, in);
  }
}

/* Accesses to the registers of products count (AG3, AG4). */
static bool is_of_product(const struct wanting *w, const struct instr *in, const uint32_t *accumulators) {
  const struct bitset read = regs_of(w, in, false), written = regs_of(w, in, true);
  EACH (reg, read)
    if (accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) return true;
  EACH (reg, written)
    if (accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) return true;
  return false;
}

static bool is_needless(const struct wanting *w, const struct instr *in, const uint32_t *accumulators) {
  const struct bitset written = regs_of(w, in, true);
  EACH (reg, written)
    if (bitset_has(w->body->wanted, reg)) return false;
  return computes(in) && !is_of_product(w, in, accumulators);
}

/* Instructions that are lowered from one of the source are passed by together. */
static void mark(struct wanting *w, struct body *b) {
  const uint32_t *accumulators = tiled_accumulators(w->arena, b);
  w->body = b;
  for (uint32_t i = 0; i <= b->thread->reg_count; i++)
    if (slice_has(&w->slice, w->regs + i, 1)) bitset_add(b->wanted, i);
  for (uint32_t i = 0, end; i < b->thread->instr_count; i = end) {
    end = b->group_end[i];
    b->needless[i] = true;
    for (uint32_t k = i; k < end; k++)
      b->needless[i] = b->needless[i] && is_needless(w, &b->thread->instrs[k], accumulators);
  }
  w->regs += b->thread->reg_count + 1;
}

void needless_find(struct launching *l) {
  struct arena *arena = l->memory.arena;
  uint32_t items = CLASSES;
  VEC_VALUES (run, &l->runs) {
    items += run->body.thread->reg_count + 1;
    run->body.needless = ARENA_ARRAY(arena, bool, run->body.thread->instr_count + 1);
    run->body.wanted = bitset_new(arena, run->body.thread->reg_count + 1);
  }
  struct wanting w = {.arena = arena, .slice = slice_new(arena, items), .regs = CLASSES};
  if (l->x->parse.test->condition || !does(l->x, TECHNIQUE_NEEDLESS)) slice_want(&w.slice, 0, items);
  VEC_VALUES (run, &l->runs) {
    w.body = &run->body;
    ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count) add_rules(&w, in);
    w.regs += run->body.thread->reg_count + 1;
  }
  slice_close(&w.slice);
  w.regs = CLASSES;
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

bool needless_load(const struct runner *r, const struct instr *in) {
  for (uint32_t i = 0; i < in->elements; i++)
    if (in->dst[i] != NO_REG && bitset_has(r->run->body.wanted, in->dst[i])) return false;
  return true;
}
