/* Adds columns for the threads whose writes columns read (docs/semantics.md K5). Members of a group write by the same
 * instructions: if one access, or adjacent accesses, read such writes of several members, one member in the reader's
 * warp and one outside it are enough. */
#include "base/hash.h"
#include "kernel/columns.h"
#include "ptx/isa.h"

/* A write of a byte that columns read: the writer, and the index of its access. */
struct byte_write {
  uint32_t runner, part, next; /* next: of the same byte, and 1; 0: none */
};

/* Adjacent accesses of a thread. */
struct stand {
  uint32_t number; /* in the order of its blocks: the same for members of a group */
  uint32_t touch, touches;
};

struct writers {
  struct launching *launch;
  struct kernel_run *run;
  const uint64_t *groups; /* by runner */
  struct bitset *read;    /* by region: bytes that columns read */
  uint32_t **heads;       /* by region and byte: its first write, and 1 */
  VEC(struct byte_write) writes;
  struct hash_index index;
  VEC(uint64_t) met; /* writes of a column, by reader */
};

static struct arena *arena_of(const struct writers *w) { return w->launch->memory.arena; }

static bool is_read(const struct touch *touch) { return !touch->writes && !touch->mbarrier; }
static bool is_written(const struct touch *touch) { return touch->writes && !touch->mbarrier; }

/* True if the instructions before and after it in a thread count as adjacent. */
static bool passes(const struct instr *in) {
  bool pure = in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
  return pure || in->kind == INSTR_LOAD || in->kind == INSTR_STORE || tiled_kind(in) == TILED_ROWS;
}

/* True if a block leads to the next one in order and is its only predecessor, as for iterations of an unrolled loop. */
static bool leads_on(const struct runner *r, const struct block_order *order, uint32_t i) {
  if (i + 1 == order->blocks.len) return false;
  const struct block *b = &r->blocks.data[order->blocks.data[i]];
  return !b->guard && b->next[0] == order->blocks.data[i + 1] && r->blocks.data[b->next[0]].entries == 1;
}

static void each_part(const struct writers *w, uint32_t index,
                      void (*each)(struct writers *w, uint32_t index, const struct stand *part)) {
  struct runner *r = w->run->runners.data[index];
  struct block_order order = {0};
  uint32_t number = 0;
  columns_order(r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    VEC_EACH (left, &b->code) {
      bool other = left->begin != left->end && !passes(&r->run->body.thread->instrs[left->end - 1]);
      number += other;
      struct stand part = {number, left->touch, left->touches};
      each((struct writers *)w, index, &part);
      number += other;
    }
    number += !leads_on(r, &order, i);
  }
}

static void mark_read(struct writers *w, uint32_t index, const struct stand *part) {
  EACH_TOUCH (touch, w->run->runners.data[index], part)
    for (uint32_t k = touch->at; k < touch_end(touch) && is_read(touch); k++)
      if (touch_has(touch, k)) bitset_add(w->read[touch->region->number], k);
}

static void list_writes(struct writers *w, uint32_t index, const struct stand *part) {
  EACH_TOUCH (touch, w->run->runners.data[index], part) {
    uint32_t region = touch->region->number;
    for (uint32_t k = touch->at; k < touch_end(touch) && is_written(touch); k++) {
      if (!bitset_has(w->read[region], k)) continue;
      VEC_PUSH(arena_of(w), &w->writes, (struct byte_write){index, part->number, w->heads[region][k]});
      w->heads[region][k] = w->writes.len;
    }
  }
}

/* True if some column already has this write for the reader. */
static bool is_met(struct writers *w, uint64_t key) {
  HASH_EACH (n, &w->index, key)
    if (w->met.data[n] == key) return true;
  return false;
}

static void meet(struct writers *w, uint64_t key) {
  if (is_met(w, key)) return;
  VEC_PUSH(arena_of(w), &w->met, key);
  hash_add(arena_of(w), &w->index, key, w->met.len - 1);
}

static uint64_t key_of(const struct writers *w, uint32_t reader, const struct stand *part,
                       const struct byte_write *write) {
  const struct runner *from = w->run->runners.data[write->runner], *to = w->run->runners.data[reader];
  bool near = from->block == to->block && from->tid / WARP_LANES == to->tid / WARP_LANES;
  uint64_t key = hash_mix(hash_mix(hash_mix(reader, part->number), w->groups[write->runner]), write->part);
  return hash_mix(hash_mix(key, near), write->runner == reader);
}

/* For one access of a column: the columns that write its bytes, or the threads that must become columns. */
static void look_at(struct writers *w, uint32_t index, const struct stand *part, bool adds) {
  EACH_TOUCH (touch, w->run->runners.data[index], part)
    for (uint32_t k = touch->at; k < touch_end(touch) && is_read(touch); k++)
      for (uint32_t n = touch_has(touch, k) ? w->heads[touch->region->number][k] : 0, next; n; n = next) {
        const struct byte_write *write = &w->writes.data[n - 1];
        next = write->next;
        struct runner *writer = w->run->runners.data[write->runner];
        uint64_t key = key_of(w, index, part, write);
        if (!writer->column && (!adds || is_met(w, key))) continue;
        writer->column = true;
        meet(w, key);
      }
}

static void note_met(struct writers *w, uint32_t index, const struct stand *part) { look_at(w, index, part, false); }
static void add_unmet(struct writers *w, uint32_t index, const struct stand *part) { look_at(w, index, part, true); }

static uint32_t count_columns(const struct kernel_run *run) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < run->runners.len; i++) count += run->runners.data[i]->column;
  return count;
}

void writers_add(struct launching *l, struct kernel_run *run, const uint64_t *groups) {
  struct arena *arena = l->memory.arena;
  uint32_t regions = l->memory.regions.len, count = run->runners.len;
  struct writers w = {.launch = l, .run = run, .groups = groups};
  bool *first = ARENA_ARRAY(arena, bool, count);
  w.read = ARENA_ARRAY(arena, struct bitset, regions);
  w.heads = ARENA_ARRAY(arena, uint32_t *, regions);
  for (uint32_t i = 0; i < regions; i++) {
    w.read[i] = bitset_new(arena, l->memory.regions.data[i]->size);
    w.heads[i] = ARENA_ARRAY(arena, uint32_t, l->memory.regions.data[i]->size);
  }
  for (uint32_t i = 0; i < count; i++) first[i] = run->runners.data[i]->column;
  for (uint32_t i = 0; i < count; i++)
    if (first[i]) each_part(&w, i, mark_read);
  for (uint32_t i = count; i-- > 0;) each_part(&w, i, list_writes);
  for (uint32_t i = 0; i < count; i++)
    if (first[i]) each_part(&w, i, note_met);
  for (uint32_t i = 0; i < count && count_columns(run) < MOST_COLUMNS; i++)
    if (first[i]) each_part(&w, i, add_unmet);
}
