/* Leaves out CTAs that do as another one does, before any thread runs (docs/semantics.md K15, K16), if a question about
 * safety needs no values.
 *
 * Each thread of the launch is followed on the constants that it begins with. Values of memory that some thread writes
 * are unknown here, so that both ways of a branch on them are followed. Two CTAs are twins if their threads do the same
 * at the same places: of shared memory, and of each location from the first byte on that the CTA accesses there. A
 * constant that an unknown value is computed from must be equal, or of a value that decides nothing (needless.c). Then
 * exchanging the CTAs maps the executions of one to those of the other.
 *
 * CTAs meet nowhere else: no byte of global memory that one writes is accessed by another one, but by atomics of one
 * width that are morally strong for the whole grid and whose results decide nothing; such a place must be the same in
 * twins, of which two stay. So what is wrong in the launch is wrong without those that are left out. */
#include "kernel/follow.h"

enum { NO_STATE = MOST_STATES };

/* The number of the earlier visit to this branch with the same values in registers that matter; or NO_STATE. */
static uint32_t visit_of(struct follow *f, uint32_t at) {
  uint64_t state = at;
  EACH (reg, f->body->live[at]) {
    if (!follow_wants(f, reg)) continue;
    const struct follow_reg *k = follow_reg(f, reg);
    state = hash_mix(state, k->unknown);
    if (!k->unknown) state = hash_mix(hash_mix(state, (uint64_t)k->bits), (uint64_t)(k->bits >> 64));
  }
  for (uint32_t i = 0; i < f->states.len; i++)
    if (f->states.data[i] == state) return i;
  if (f->states.len == MOST_STATES) f->failed = true;
  VEC_PUSH(f->arena, &f->states, state);
  return NO_STATE;
}

/* Follows a way of a branch later. */
static void put_off(struct follow *f, uint32_t at, uint32_t steps) {
  const uint32_t count = f->body->thread->reg_count + 1;
  struct follow_reg *regs = f->spare.len ? f->spare.data[--f->spare.len] : NULL;
  if (!regs) regs = ARENA_ARRAY(f->arena, struct follow_reg, count);
  memcpy(regs, f->regs, count * sizeof *regs);
  VEC_PUSH(f->arena, &f->ways, ((struct follow_path){at, steps, regs}));
}

/* The instruction after a branch; the end if the path ends. */
static uint32_t jump(struct follow *f, uint32_t at, uint32_t steps) {
  const struct instr *in = &f->body->thread->instrs[at];
  const uint32_t end = f->body->thread->instr_count, target = in->kind == INSTR_EXIT ? end : in->target;
  switch (guard_of(f, in)) {
    case HOLDS: return target;
    case HOLDS_NOT: return at + 1;
    case HOLDS_PERHAPS: break;
  }
  f->certain = false;
  follow_mix(f, (uint64_t)at << 8 | MARK_PERHAPS);
  const uint32_t visit = visit_of(f, at);
  if (visit != NO_STATE) {
    follow_mix(f, (uint64_t)visit << 8 | MARK_SEEN); /* what the thread does from there on */
    return end;
  }
  put_off(f, target, steps);
  return at + 1;
}

static void follow_path(struct follow *f, uint32_t at, uint32_t steps) {
  const struct body *b = f->body;
  while (at < b->thread->instr_count && !f->failed && !f->again) {
    const struct instr *in = &b->thread->instrs[at];
    const uint32_t end = b->group_end[at];
    if (b->needless[at]) {
      at = end;
      continue;
    }
    f->work++;
    if (++steps > MOST_WRITTEN_OUT) f->failed = true;
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) {
      at = jump(f, at, steps);
      continue;
    }
    for (uint32_t i = at; i < end; i++) follow_execute(f, i);
    bool traps = in->kind == INSTR_TRAP && guard_of(f, in) == HOLDS;
    at = traps ? b->thread->instr_count : end;
  }
  follow_mix(f, MARK_END);
}

static void follow_thread(struct follow *f) {
  struct given_value *given = f->run->begins;
  f->stamp++;
  f->certain = true;
  f->states.len = f->ways.len = 0;
  const uint32_t count = begins_of(f->run, f->cta, f->thread, given);
  for (uint32_t i = 0; i < count; i++) set_known(f, given[i].reg, given[i].value);
  follow_path(f, 0, 0);
  while (f->ways.len && !f->failed && !f->again) {
    const struct follow_path way = f->ways.data[--f->ways.len];
    memcpy(f->regs, way.regs, (f->body->thread->reg_count + 1) * sizeof *f->regs);
    VEC_PUSH(f->arena, &f->spare, way.regs);
    follow_path(f, way.at, way.steps);
  }
}

/* Follows all threads. False: CTAs may meet, or something else is not known here. */
static bool follow_all(struct follow *f, uint64_t *hashes) {
  const uint32_t threads = litmus_volume(f->run->kernel->block);
  struct runner *r = f->runner;
  f->again = false;
  f->work = 0;
  VEC_VALUES (region, &f->launch->memory.regions) f->footprints[region->number].of = 0;
  for (f->cta = 0; f->cta < f->run->cta_count && !f->again; f->cta++) {
    f->cluster = f->cta / f->size;
    if (f->cta % f->size == 0) f->hash = 0;
    r->cta = r->block = f->cta, r->cluster_first = f->cluster * f->size, r->cluster_size = f->size;
    for (f->thread = 0; f->thread < threads && !f->failed && !f->again; f->thread++) {
      r->tid = f->thread;
      follow_thread(f);
    }
    hashes[f->cluster] = f->hash;
    arena_poll(f->arena);
    if (f->failed || f->work / (f->cta + 1) * f->run->cta_count > MOST_WORK) return false;
  }
  return true;
}

/* By cluster: a hash of what it does. NULL: clusters may meet. */
static uint64_t *find_hashes(struct follow *f) {
  uint64_t *hashes = ARENA_ARRAY(f->arena, uint64_t, f->run->cta_count);
  uint32_t tries = 0;
  do {
    footprints_begin(f);
    if (++tries > MOST_TRIES || !follow_all(f, hashes)) return NULL;
  } while (f->again);
  bool both;
  if (!footprints_apart(f, &both)) return NULL;
  f->owners = true;
  return both && (!follow_all(f, hashes) || f->again) ? NULL : hashes;
}

static bool all_followed(const struct body *body) {
  for (uint32_t i = 0; i < body->thread->instr_count; i++)
    if (!body->needless[i] && !follow_knows(&body->thread->instrs[i])) return false;
  return true;
}

bool twins_asked(const struct launching *l, const struct litmus_kernel *k) {
  const struct litmus_test *test = l->x->parse.test;
  const bool asks = test->quantifier == LITMUS_SAFE || test->quantifier == LITMUS_IN_TURNS;
  const uint32_t size = k->cluster.x ? litmus_volume(k->cluster) : 1;
  return asks && !test->condition && !test->kernels->next && !k->host && k->grouped && !k->threads &&
         litmus_volume(k->grid) / size >= FEWEST && does(l->x, TECHNIQUE_TWINS);
}

/* Keeps the first clusters of those that do the same: one, or two where atomics of several meet. Then the order of all
 * counts for K18, so that its question is not asked of the columns. */
static void keep_first(struct follow *f, const uint64_t *hashes) {
  struct launching *l = f->launch;
  struct kernel_run *run = f->run;
  struct hash_index index = {0};
  const uint32_t most = f->shares ? 2 : 1;
  uint32_t kept = 0;
  if (f->shares && l->x->parse.test->quantifier == LITMUS_IN_TURNS) return;
  for (uint32_t c = 0; c < run->cta_count / f->size; c++) {
    uint32_t same = 0;
    HASH_EACH (n, &index, hashes[c]) same += hashes[n] == hashes[c];
    if (same == most) continue;
    hash_add(f->arena, &index, hashes[c], c);
    for (uint32_t i = 0; i < f->size; i++)
      l->ctas.data[run->first_cta + kept++] = l->ctas.data[run->first_cta + c * f->size + i];
  }
  if (f->shares && kept < run->cta_count) l->x->parse.test->whole = (uint32_t)f->work;
  l->ctas.len = run->first_cta + kept;
  run->cta_count = kept;
}

void twins_drop(struct launching *l) {
  if (l->runs.len != 1 || !twins_asked(l, l->runs.data[0]->kernel)) return;
  needless_find(l, !technique_on(l->x->options->without, TECHNIQUE_NEEDLESS));
  struct kernel_run *run = l->runs.data[0];
  const uint32_t instrs = run->body.thread->instr_count, regs = run->body.thread->reg_count + 1;
  struct arena *arena = arena_scratch(l->memory.arena);
  struct follow f = {.launch = l, .run = run, .body = &run->body, .arena = arena};
  if (all_followed(f.body)) {
    l->memory.work = arena;
    body_forget(&run->body, arena);
    f.size = run->kernel->cluster.x ? litmus_volume(run->kernel->cluster) : 1;
    f.runner = ARENA_MAKE(arena, struct runner, .run = run, .cluster_size = f.size);
    memory_begin(&l->memory);
    l->memory.round = 0;
    run_begin(f.runner);
    f.formulas = ARENA_ARRAY(arena, struct follow_formula, instrs);
    for (uint32_t i = 0; i < instrs; i++) follow_registers(&f, &run->body.thread->instrs[i], &f.formulas[i]);
    f.footprints = ARENA_ARRAY(arena, struct footprint, l->memory.regions.len);
    f.regs = ARENA_ARRAY(arena, struct follow_reg, regs);
    f.values = ARENA_ARRAY(arena, value_t, MOST_TERMS);
    const uint64_t *hashes = find_hashes(&f);
    if (hashes) keep_first(&f, hashes);
    else footprints_begin(&f);
    memset(&run->spare, 0, sizeof run->spare);
  }
  arena_release(arena);
}
