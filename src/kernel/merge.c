/* Merges paths of a thread that do the same from some point on: the first iteration of a loop with later ones, the
 * code after a branch that makes no difference, and the first test of a loop with the test at its end, which the
 * compiler writes the other way round. */
#include "kernel/columns.h"

struct joining {
  struct launching *launch;
  struct runner *runner;
  const uint32_t *uses; /* by register: how often instructions of the body name it */
  bool *here;           /* by block: it can be reached */
  bool *swapped;        /* by block: its code is hashed for the opposite condition */
  uint64_t *classes;    /* by block */
};

/* A block for each instruction. */
static void split(struct launching *l, struct runner *r) {
  uint32_t count = r->blocks.len;
  for (uint32_t i = 0; i < count; i++) {
    struct block whole = r->blocks.data[i];
    uint32_t at = i, kept = 0;
    for (uint32_t k = 0; k < whole.code.len; k++)
      if (whole.code.data[k].instr) whole.code.data[kept++] = whole.code.data[k];
    whole.code.len = kept;
    r->blocks.data[i].code.len = kept;
    for (uint32_t k = 1; k < kept; k++) {
      struct block rest = whole, *first;
      rest.code.data = whole.code.data + k;
      rest.code.len = rest.code.cap = kept - k;
      VEC_PUSH(l->memory.arena, &r->blocks, rest);
      first = &r->blocks.data[at];
      first->code.len = 1;
      first->guard = NULL;
      first->next[0] = r->blocks.len - 1;
      first->next[1] = NO_BLOCK;
      at = r->blocks.len - 1;
    }
  }
}

static uint32_t *count_uses(struct arena *arena, const struct runner *r) {
  const struct thread *thread = r->run->body.thread;
  uint32_t *uses = ARENA_ARRAY(arena, uint32_t, thread->reg_count);
  ARRAY_EACH (in, thread->instrs, thread->instr_count) {
    EACH_READ (reg, in) uses[reg]++;
    EACH_WRITTEN (reg, in) uses[reg]++;
  }
  return uses;
}

/* True if one instruction writes the register, one reads it, and no condition names it. */
static bool is_passed_on(const struct joining *m, uint32_t reg) {
  return reg != NO_REG && m->uses[reg] == 2 && !(m->runner->run->observed && m->runner->run->observed[reg]);
}

/* The integer comparison that is a block's only instruction, if only the block's branch uses its result; else NULL. */
static const struct instr *find_test(const struct joining *m, const struct block *b) {
  const struct remnant *remnant = b->code.len == 1 ? &b->code.data[0] : NULL;
  if (!b->guard || !remnant || remnant->end != remnant->begin + 1 || remnant->instr->guard || remnant->instr->refused)
    return NULL;
  const struct thread *thread = m->runner->run->body.thread;
  const struct instr *in = &thread->instrs[remnant->begin];
  bool compares = in->kind == INSTR_ALU && in->alu == ALU_SETP && !type_is_float(in->type) && in->dst[1] == NO_REG;
  bool only = instr_result(in, 0) == thread->instrs[b->split].guard.reg;
  return compares && only && is_passed_on(m, instr_result(in, 0)) ? in : NULL;
}

static uint64_t hash_text(const struct text *text) { return hash_bytes(text_str(text), text->len); }

/* `a < b` with a jump and `a >= b` with the opposite jump have one hash, and so have two names of their result. */
static uint64_t hash_test(const struct joining *m, uint32_t block, const struct instr *in) {
  static const enum compare plain[] = {[COMPARE_EQ] = COMPARE_EQ, [COMPARE_NE] = COMPARE_EQ, [COMPARE_LT] = COMPARE_LT,
                                       [COMPARE_GE] = COMPARE_LT, [COMPARE_LE] = COMPARE_LE, [COMPARE_GT] = COMPARE_LE};
  const struct block *b = &m->runner->blocks.data[block];
  struct text text = {.arena = m->launch->memory.arena};
  text_printf(&text, "test %u %u %u", plain[in->arith.compare], in->type.kind, in->type.width);
  LIST_EACH (o, b->code.data[0].instr->operands->next) {
    text_char(&text, ' ');
    litmus_print_operand(o, &text);
  }
  m->swapped[block] = b->negated != (in->arith.compare != plain[in->arith.compare]);
  return hash_text(&text);
}

static uint64_t hash_block(const struct joining *m, uint32_t block) {
  const struct block *b = &m->runner->blocks.data[block];
  const struct instr *test = find_test(m, b);
  if (test) return hash_test(m, block, test);
  struct text text = {.arena = m->launch->memory.arena};
  for (uint32_t k = 0; k < b->code.len; k++) {
    const struct litmus_instr *instr = b->code.data[k].instr;
    litmus_print_instr(instr, &text);
    text_printf(&text, " %p %p", (const void *)instr->refused, (const void *)instr->opaque); /* no part of the text */
  }
  uint64_t hash = hash_text(&text);
  if (!b->guard) return hash;
  return hash_mix(hash_mix(hash, m->runner->run->body.thread->instrs[b->split].guard.reg), b->negated);
}

/* The number of classes. */
static uint32_t count_classes(struct launching *l, const uint64_t *classes, const bool *here, uint32_t count) {
  struct hash_index index = {0};
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++) {
    bool known = false;
    if (!here[i]) continue;
    HASH_EACH (k, &index, classes[i]) known = known || classes[k] == classes[i];
    if (known) continue;
    hash_add(l->memory.arena, &index, classes[i], i);
    found++;
  }
  return found;
}

static uint64_t class_of(const uint64_t *classes, uint32_t block) {
  return block == NO_BLOCK ? UINT64_MAX : classes[block];
}

/* Partition refinement: separates blocks by their code, then by their successors, until no more separate. The two
 * successors are hashed separately: a symmetric mix would be the same for A before B and for B before A. */
static void refine(const struct joining *m) {
  struct arena *arena = m->launch->memory.arena;
  const struct runner *r = m->runner;
  uint32_t count = r->blocks.len, before = 0;
  uint64_t *own = ARENA_ARRAY(arena, uint64_t, count), *next = ARENA_ARRAY(arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++)
    if (m->here[i]) m->classes[i] = hash_block(m, i), own[i] = hash_mix(1, m->classes[i]);
  for (;;) {
    uint32_t now = count_classes(m->launch, m->classes, m->here, count);
    if (now == before) return;
    before = now;
    for (uint32_t i = 0; i < count; i++) {
      const struct block *b = &r->blocks.data[i];
      uint64_t other = class_of(m->classes, b->next[m->swapped[i]]);
      uint64_t taken = b->guard ? class_of(m->classes, b->next[!m->swapped[i]]) : 0;
      next[i] = hash_mix(hash_mix(own[i], other), taken);
    }
    memcpy(m->classes, next, count * sizeof *next);
  }
}

static void redirect(struct runner *r, const bool *here, const uint64_t *classes, struct arena *arena) {
  struct hash_index index = {0};
  uint32_t *to = ARENA_ARRAY(arena, uint32_t, r->blocks.len);
  for (uint32_t i = 0; i < r->blocks.len; i++) {
    to[i] = i;
    if (!here[i]) continue;
    HASH_EACH (k, &index, classes[i])
      if (classes[k] == classes[i]) to[i] = k;
    if (to[i] == i) hash_add(arena, &index, classes[i], i);
  }
  for (uint32_t i = 0; i < r->blocks.len; i++)
    for (uint32_t k = 0; k < 2; k++) {
      struct block *b = &r->blocks.data[i];
      if (b->next[k] != NO_BLOCK) b->next[k] = to[b->next[k]];
    }
  VEC_EACH (b, &r->blocks)
    if (b->guard && b->next[0] == b->next[1]) b->guard = false, b->next[1] = NO_BLOCK;
}

static void merge(struct launching *l, struct runner *r) {
  struct arena *arena = l->memory.arena;
  struct block_order order = {0};
  split(l, r);
  if (!columns_order(r, &order)) return;
  struct joining m = {.launch = l, .runner = r, .uses = count_uses(arena, r)};
  m.here = ARENA_ARRAY(arena, bool, r->blocks.len);
  m.swapped = ARENA_ARRAY(arena, bool, r->blocks.len);
  m.classes = ARENA_ARRAY(arena, uint64_t, r->blocks.len);
  for (uint32_t i = 0; i < order.blocks.len; i++) m.here[order.blocks.data[i]] = true;
  refine(&m);
  redirect(r, m.here, m.classes, arena);
}

void merge_ways(struct launching *l) {
  EACH_COLUMN (r, l) merge(l, r);
}
