/* Threads that stand for others (docs/semantics.md K5): those of a block with the same instructions left. */
#include "kernel/columns.h"

enum { MOST_COLUMNS = 64 };

struct member {
  struct runner *runner;
  uint64_t hash;
};

/* Of the instructions that are left, and of the ways between them. */
static uint64_t path_of(struct runner *r) {
  struct block_order order = {0};
  columns_order(r, &order);
  uint64_t hash = order.blocks.len;
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    for (uint32_t k = 0; k < b->code.len; k++) hash = hash_mix(hash_mix(hash, b->code.data[k].begin), k);
    for (uint32_t k = 0; k < 2; k++)
      hash = hash_mix(hash, b->next[k] == NO_BLOCK ? UINT64_MAX : order.place[b->next[k]] + (uint64_t)k);
  }
  return hash;
}

static void mark_read(struct runner *r, struct bitset *read, const struct memory *m) {
  for (uint32_t t = 0; t < r->touches.len; t++) {
    const struct touch *touch = &r->touches.data[t];
    if (touch->pointer || touch->writes || touch->mbarrier) continue;
    for (uint32_t i = 0; i < m->regions.len; i++)
      for (uint32_t k = 0; m->regions.data[i] == touch->region && k < touch->bytes; k++)
        if (touch->at + k < touch->region->size) bitset_add(read[i], touch->at + k);
  }
}

static bool writes_read(const struct runner *r, const struct bitset *read, const struct memory *m) {
  for (uint32_t t = 0; t < r->touches.len; t++) {
    const struct touch *touch = &r->touches.data[t];
    if (touch->pointer || !touch->writes || touch->mbarrier) continue;
    for (uint32_t i = 0; i < m->regions.len; i++)
      for (uint32_t k = 0; m->regions.data[i] == touch->region && k < touch->bytes; k++)
        if (touch->at + k < touch->region->size && bitset_has(read[i], touch->at + k)) return true;
  }
  return false;
}

/* One step on: who writes what the columns so far read. */
static void add_writers(struct launching *l, struct kernel_run *run, uint32_t *columns) {
  struct arena *arena = l->memory.arena;
  struct bitset *read = ARENA_ARRAY(arena, struct bitset, l->memory.regions.len);
  for (uint32_t i = 0; i < l->memory.regions.len; i++) read[i] = bitset_new(arena, l->memory.regions.data[i]->size);
  for (uint32_t i = 0; i < run->runners.len; i++)
    if (run->runners.data[i]->column) mark_read(run->runners.data[i], read, &l->memory);
  for (uint32_t i = 0; i < run->runners.len && *columns < MOST_COLUMNS; i++) {
    struct runner *r = run->runners.data[i];
    if (r->column || !writes_read(r, read, &l->memory)) continue;
    r->column = true;
    ++*columns;
  }
}

static void choose(struct launching *l, struct kernel_run *run) {
  uint32_t count = run->runners.len, columns = 0;
  struct member *members = ARENA_ARRAY(l->memory.arena, struct member, count);
  for (uint32_t i = 0; i < count; i++)
    members[i] = (struct member){run->runners.data[i], path_of(run->runners.data[i])};
  for (uint32_t i = 0; i < count; i++) {
    bool first = true, last = true;
    for (uint32_t k = 0; k < count; k++) {
      bool same = members[k].hash == members[i].hash && members[k].runner->block == members[i].runner->block;
      if (same && k < i) first = false;
      if (same && k > i) last = false;
    }
    members[i].runner->column = first || last;
    columns += first || last;
  }
  add_writers(l, run, &columns);
  for (uint32_t i = 0; i < count; i++) {
    struct runner *stands = NULL;
    for (uint32_t k = 0; k < count && !members[i].runner->column; k++)
      if (members[k].hash == members[i].hash && members[k].runner->block == members[i].runner->block &&
          members[k].runner->column)
        stands = members[k].runner;
    if (stands) stands->behind++;
  }
}

void groups_choose(struct launching *l) {
  for (uint32_t k = 0; k < l->runs.len; k++) {
    struct kernel_run *run = l->runs.data[k];
    for (uint32_t i = 0; i < run->runners.len; i++) run->runners.data[i]->column = !run->kernel->grouped;
    if (run->kernel->grouped) choose(l, run);
  }
}
