/* Merges paths of a thread that do the same from some point on: the first iteration of a loop with later ones, and the
 * code after a branch that makes no difference. */
#include "kernel/columns.h"

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

static uint64_t hash_block(struct launching *l, const struct block *b) {
  struct text text = {.arena = l->memory.arena};
  for (uint32_t k = 0; k < b->code.len; k++) litmus_print_instr(b->code.data[k].instr, &text);
  uint64_t hash = hash_bytes(text_str(&text), text.len);
  if (!b->guard) return hash;
  return hash_mix(hash_mix(hash, hash_bytes(b->guard->text, strlen(b->guard->text))), b->negated);
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
static void refine(struct launching *l, const struct runner *r, const bool *here, uint64_t *classes) {
  uint32_t count = r->blocks.len, before = 0;
  uint64_t *own = ARENA_ARRAY(l->memory.arena, uint64_t, count), *next = ARENA_ARRAY(l->memory.arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++)
    if (here[i]) classes[i] = hash_block(l, &r->blocks.data[i]), own[i] = hash_mix(1, classes[i]);
  for (;;) {
    uint32_t now = count_classes(l, classes, here, count);
    if (now == before) return;
    before = now;
    for (uint32_t i = 0; i < count; i++) {
      const struct block *b = &r->blocks.data[i];
      uint64_t taken = b->guard ? class_of(classes, b->next[1]) : 0;
      next[i] = hash_mix(hash_mix(own[i], class_of(classes, b->next[0])), taken);
    }
    memcpy(classes, next, count * sizeof *classes);
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
    if (b->guard && b->next[0] == b->next[1]) b->guard = NULL, b->next[1] = NO_BLOCK;
}

static void merge(struct launching *l, struct runner *r) {
  struct arena *arena = l->memory.arena;
  struct block_order order = {0};
  split(l, r);
  if (!columns_order(r, &order)) return;
  bool *here = ARENA_ARRAY(arena, bool, r->blocks.len);
  uint64_t *classes = ARENA_ARRAY(arena, uint64_t, r->blocks.len);
  for (uint32_t i = 0; i < order.blocks.len; i++) here[order.blocks.data[i]] = true;
  refine(l, r, here, classes);
  redirect(r, here, classes, arena);
}

void merge_ways(struct launching *l) {
  EACH_COLUMN (r, l)
    merge(l, r);
}
