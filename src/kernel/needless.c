/* Instructions that only compute values which no address, branch, barrier or exchange needs, through registers or
 * memory: threads pass them by if the test asks for no value (docs/semantics.md K3, K14). Flow-insensitive; memory is
 * two classes of bytes, those of shared memory and all others. */
#include "kernel/launch.h"

enum { CLASS_SHARED = 1, CLASS_OTHER = 2, CLASSES = CLASS_SHARED | CLASS_OTHER };

struct wanting {
  const struct body *body;
  struct bitset named;          /* of the present instruction */
  struct bitset regs;           /* whose values something may need */
  const uint32_t *accumulators; /* tiled_accumulators */
  unsigned *loads;              /* of all kernels: the classes of memory from which such a value is loaded */
  bool changed;
};

static void want(struct wanting *w, uint32_t reg) {
  if (reg == NO_REG || bitset_has(w->regs, reg)) return;
  bitset_add(w->regs, reg);
  w->changed = true;
}

static void name_all(const struct wanting *w, const struct litmus_operand *operand) {
  bitset_clear(w->named);
  body_add_named(w->body, operand, w->named);
}

static void want_named(struct wanting *w, const struct litmus_operand *operand) {
  name_all(w, operand);
  EACH (reg, w->named) want(w, reg);
}

static unsigned class_of(const struct instr *in) {
  if (in->space == SPACE_SHARED) return CLASS_SHARED;
  return in->space == SPACE_GENERIC ? CLASSES : CLASS_OTHER;
}

/* It neither accesses memory nor meets other threads. */
static bool only_computes(const struct instr *in) {
  bool pure = in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
  return pure && !aligned_of(in->ast) && run_meeting(in) == MEETING_NONE && tiled_kind(in) == TILED_NONE;
}

/* An instruction that is not modelled is taken to write all registers of its first operand. */
static bool is_result_wanted(const struct wanting *w, const struct instr *in) {
  bool named = in->kind == INSTR_UNSUPPORTED && in->ast->operands;
  if (named) {
    struct litmus_operand first = *in->ast->operands;
    first.next = NULL;
    name_all(w, &first);
    EACH (reg, w->named)
      if (bitset_has(w->regs, reg)) return true;
  }
  for (uint32_t i = 0; i < instr_result_count(in); i++)
    if (instr_result(in, i) != NO_REG && bitset_has(w->regs, instr_result(in, i))) return true;
  return false;
}

static void want_sources(struct wanting *w, const struct instr *in) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t i = 0; i < count; i++) want(w, sources[i]);
}

/* The sources other than the values that a store writes, or that a lane brings to an exchange. */
static void want_places(struct wanting *w, const struct instr *in, uint32_t values) {
  struct instr bare = *in;
  memset(bare.src, 0, values * sizeof *bare.src);
  want_sources(w, &bare);
}

static void look_at(struct wanting *w, const struct instr *in) {
  bool exchange = in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES;
  bool result = is_result_wanted(w, in);
  if (in->guard.present) want(w, in->guard.reg);
  if (only_computes(in)) {
    if (result) want_sources(w, in);
    if (result && in->kind == INSTR_UNSUPPORTED) want_named(w, in->ast->operands);
  } else if (in->kind == INSTR_LOAD) {
    want_sources(w, in);
    bool memory = result && !body_is_param(w->body, in) && in->space != SPACE_PARAM;
    if (memory && class_of(in) & ~*w->loads) *w->loads |= class_of(in), w->changed = true;
  } else if (in->kind == INSTR_STORE && !(class_of(in) & *w->loads)) want_places(w, in, MAX_VECTOR);
  else if (exchange && !result) want_places(w, in, 1);
  else {
    want_sources(w, in);
    if (in->kind == INSTR_UNSUPPORTED) want_named(w, in->ast->operands);
    bool moves =
        in->kind == INSTR_ASYNC || in->kind == INSTR_MULTIMEM || in->kind == INSTR_ATOM || tiled_kind(in) != TILED_NONE;
    if (moves && *w->loads && *w->loads != CLASSES) *w->loads = CLASSES, w->changed = true; /* from class to class */
  }
}

/* Accesses to the registers of products count (AG3, AG4). */
static bool is_of_product(const struct wanting *w, const struct instr *in) {
  if (in->kind == INSTR_UNSUPPORTED) {
    name_all(w, in->ast->operands);
    EACH (reg, w->named)
      if (w->accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) return true;
  }
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t i = 0; i < count; i++)
    if (w->accumulators[sources[i]] != NO_REG || w->body->fragments[sources[i]] != NO_REG) return true;
  for (uint32_t i = 0; i < instr_result_count(in); i++) {
    uint32_t reg = instr_result(in, i);
    if (reg != NO_REG && (w->accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG)) return true;
  }
  return false;
}

static bool is_needless(const struct wanting *w, const struct instr *in) {
  return only_computes(in) && !is_result_wanted(w, in) && !is_of_product(w, in);
}

/* Instructions that are lowered from one of the source are passed by together. */
static void mark(const struct wanting *w, struct body *b) {
  for (uint32_t i = 0, end; i < b->thread->instr_count; i = end) {
    end = b->group_end[i];
    bool all = true;
    for (uint32_t k = i; k < end; k++) all = all && is_needless(w, &b->thread->instrs[k]);
    b->needless[i] = all;
  }
}

void needless_find(struct launching *l) {
  struct arena *arena = l->memory.arena;
  VEC(struct wanting) all = {0};
  bool all_wanted = l->x->parse.test->condition || !does(l->x, TECHNIQUE_NEEDLESS);
  unsigned loads = all_wanted ? CLASSES : 0;
  VEC_VALUES (run, &l->runs) {
    struct body *b = &run->body;
    b->needless = ARENA_ARRAY(arena, bool, b->thread->instr_count + 1);
    b->wanted = bitset_new(arena, b->thread->reg_count + 1);
    struct wanting w = {.body = b, .regs = b->wanted, .loads = &loads};
    w.named = bitset_new(arena, b->thread->reg_count + 1);
    w.accumulators = tiled_accumulators(arena, b);
    if (all_wanted) bitset_fill(w.regs);
    VEC_PUSH(arena, &all, w);
  }
  for (bool changed = true; changed;) {
    changed = false;
    VEC_EACH (w, &all) {
      w->changed = false;
      ARRAY_EACH (in, w->body->thread->instrs, w->body->thread->instr_count) look_at(w, in);
      changed = changed || w->changed;
    }
  }
  for (uint32_t i = 0; i < all.len; i++) mark(&all.data[i], &l->runs.data[i]->body);
}
