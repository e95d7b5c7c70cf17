/* Chooses the threads of kernels that become columns (docs/semantics.md K5). Threads of a block with the same remaining
 * instructions form a group. Its first and its last thread become columns, and more of them if conflicts, values or
 * barriers ask for it; the last column of a group represents the members without a column. */

#include "kernel/conflicts.h"

/* ---- The group of a thread */

/* The hash of the barrier or the mbarrier objects that an instruction uses: the threads of a group count at the same
 * ones. */
static uint64_t hash_counters(struct runner *r, const struct remnant *remnant) {
  uint64_t hash = 0;
  struct litmus_operand *of[2];
  const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
  bool barrier = in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CTA;
  uint32_t named = barrier ? 1 + counted_operands(remnant, &of[0], &of[1]) : 0, number;
  for (uint32_t i = 0; i < named; i++)
    if (remnant_number(r, remnant, of[i], &number)) hash = hash_mix(hash, number);
  EACH_TOUCH (touch, r, remnant)
    if (touch->mbarrier) hash = hash_mix(hash, kinds_place(r, touch));
  return hash;
}

/* Moves of constants are left out: only columns have them. */
static uint64_t hash_code(struct runner *r, const struct block *b, uint64_t hash) {
  VEC_EACH (remnant, &b->code) {
    if (remnant->begin == remnant->end) continue;
    hash = hash_mix(hash_mix(hash, remnant->begin), remnant->strays);
    hash = hash_mix(hash, hash_counters(r, remnant));
    hash = hash_mix(hash, remnant->instr && remnant->instr->guard);
  }
  return hash;
}

/* The hash of a thread's remaining instructions and control flow; *path: of the conditions of branches too. */
static uint64_t hash_path(struct runner *r, uint64_t *path) {
  struct block_order order = {0};
  struct arena *arena = r->run->memory->arena;
  const struct arena_mark mark = arena_mark(arena);
  columns_order(r, &order);
  uint64_t hash = order.blocks.len, ways = 0;
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    uint64_t branch = b->guard ? b->split * (uint64_t)2 + b->negated : UINT64_MAX;
    hash = hash_code(r, b, hash);
    ways = hash_mix(hash_mix(ways, b->settled), branch);
    for (uint32_t k = 0; k < 2; k++)
      hash = hash_mix(hash, b->next[k] == NO_BLOCK ? UINT64_MAX : order.place[b->next[k]] + (uint64_t)k);
  }
  arena_rewind(arena, mark);
  *path = hash_mix(hash, ways);
  return hash_mix(hash, r->cta);
}

uint64_t *groups_of(struct launching *l, const struct kernel_run *run) {
  uint64_t *groups = ARENA_ARRAY(l->memory.arena, uint64_t, run->runners.len), path;
  for (uint32_t i = 0; i < run->runners.len; i++) groups[i] = hash_path(run->runners.data[i], &path);
  return groups;
}

/* Sets the group and the path of each thread. */
static void find_groups(struct launching *l) {
  l->groups = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len);
  l->paths = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len);
  EACH_RUNNER (r, l) l->groups[r->number] = hash_path(r, &l->paths[r->number]);
}

/* ---- The groups of a kernel */

struct thread_group {
  uint64_t hash;
  struct runner *first, *last, *column; /* column: its last one by now, or NULL */
};

struct thread_groups {
  VEC(struct thread_group) list;
  struct hash_index index;
};

static struct thread_group *find_group(struct launching *l, struct thread_groups *groups, uint64_t hash) {
  HASH_EACH (n, &groups->index, hash)
    if (groups->list.data[n].hash == hash) return &groups->list.data[n];
  VEC_PUSH(l->memory.arena, &groups->list, (struct thread_group){.hash = hash});
  hash_add(l->memory.arena, &groups->index, hash, groups->list.len - 1);
  return &groups->list.data[groups->list.len - 1];
}

static struct thread_groups list_groups(struct launching *l, const struct kernel_run *run) {
  struct thread_groups groups = {0};
  VEC_VALUES (r, &run->runners) {
    struct thread_group *own = find_group(l, &groups, l->groups[r->number]);
    if (!own->first) own->first = r;
    own->last = r;
    if (r->column) own->column = r;
  }
  return groups;
}

/* ---- Columns */

enum { MOST_IN_TURNS = 32 };

static bool is_strong(const struct runner *r) {
  EACH_REMNANT (remnant, r) {
    const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
    bool updates = in && (in->kind == INSTR_ATOM || in->kind == INSTR_RED || in->kind == INSTR_MULTIMEM);
    if (updates || (in && instr_is_access(in) && in->sem != SEM_WEAK)) return true;
  }
  return false;
}

/* True if each thread with strong accesses becomes a column: of a test that asks for their order (K18), unless there
 * are too many. */
static bool has_strong_columns(const struct launching *l) {
  uint32_t count = 0;
  if (l->x->parse.test->quantifier != LITMUS_IN_TURNS) return false;
  EACH_RUNNER (r, l) count += is_strong(r);
  return count <= MOST_IN_TURNS;
}

static void choose_columns(struct launching *l, struct kernel_run *run) {
  const bool all = !run->kernel->grouped || !does(l->x, TECHNIQUE_GROUPS);
  const bool strong = !all && has_strong_columns(l);
  VEC_VALUES (r, &run->runners) r->column = all || (strong && is_strong(r));
  if (!run->kernel->grouped) return;
  struct thread_groups groups = list_groups(l, run);
  VEC_EACH (group, &groups.list) group->first->column = group->last->column = true;
  VEC_VALUES (r, &run->runners) run->columns += r->column;
  run->most_columns = run->columns + MORE_COLUMNS;
  if (run->most_columns < MOST_COLUMNS) run->most_columns = MOST_COLUMNS;
}

/* Adds each thread without a column to the count of the last column of its group. */
static void count_represented(struct launching *l, const struct kernel_run *run) {
  struct thread_groups groups = list_groups(l, run);
  VEC_VALUES (r, &run->runners) r->represents = 0;
  VEC_VALUES (r, &run->runners) {
    struct runner *column = find_group(l, &groups, l->groups[r->number])->column;
    if (!r->column && column) column->represents++;
  }
}

/* Marks the bytes that a thread without a column writes. `whole`: by region: all of its bytes are marked. */
static void mark_written(const struct runner *r, bool *whole) {
  VEC_EACH (one, &r->touches) {
    if (whole[one->region->number]) continue;
    whole[one->region->number] = one->open && one->writes && !one->end;
    for (uint32_t k = one->at; k < reach_end(one) && one->writes && !one->mbarrier; k++)
      memory_own(one->region, k)->represented = true;
  }
}

void groups_find(struct launching *l) {
  if (!SOME(VEC_VALUES (run, &l->runs), run->kernel->grouped)) return;
  find_groups(l);
  kinds_find(l);
}

void groups_choose(struct launching *l) {
  groups_find(l);
  VEC_VALUES (run, &l->runs) choose_columns(l, run);
  groups_update(l);
}

void groups_update(struct launching *l) {
  bool *whole = ARENA_ARRAY(l->memory.arena, bool, l->memory.regions.len);
  VEC_VALUES (region, &l->memory.regions) EACH_BYTE(b, region)
  b->represented = false;
  if (l->groups) conflicts_add(l);
  VEC_VALUES (run, &l->runs)
    if (run->kernel->grouped) count_represented(l, run);
  EACH_RUNNER (r, l) {
    if (r->column) remnant_write(r);
    else mark_written(r, whole);
  }
}

bool groups_full(const struct kernel_run *run) { return run->columns >= run->most_columns; }

void groups_make_column(struct runner *r) {
  if (r->column) return;
  r->column = true;
  r->run->columns++;
  remnant_write(r);
}

bool groups_add_column(const struct kernel_run *run, struct runner *r) {
  if (!run->kernel->grouped || groups_full(run)) return false;
  groups_make_column(r);
  return true;
}
