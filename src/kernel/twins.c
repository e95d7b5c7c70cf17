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

/* The earlier visit of the threads to this branch with the same values in registers that matter; or NULL. */
static const struct follow_visit *visit_of(struct follow *f) {
  uint64_t state = hash_mix(f->path.at, f->path.active);
  EACH (reg, f->body->live[f->path.at]) {
    if (!follow_wants(f, reg)) continue;
    const bool unknown = follow_reg(f, reg)->unknown;
    state = hash_mix(state, unknown);
    EACH_LANE (f) {
      const value_t bits = unknown ? 0 : follow_bits(f, reg);
      state = hash_mix(hash_mix(state, (uint64_t)bits), (uint64_t)(bits >> 64));
    }
  }
  VEC_EACH (visit, &f->visits)
    if (visit->state == state) return visit;
  if (f->visits.len == MOST_STATES) f->failed = true;
  VEC_PUSH(f->arena, &f->visits, ((struct follow_visit){state, f->path.active}));
  return NULL;
}

/* Mixes the number of the visit among those of the present lane: what the thread does from there on. */
static void mix_visit(struct follow *f, const struct follow_visit *visit) {
  uint64_t number = 0;
  for (const struct follow_visit *v = f->visits.data; v < visit; v++) number += v->active >> f->lane & 1;
  follow_mix(f, number << 8 | MARK_SEEN);
}

static struct follow_path new_path(struct follow *f) {
  const uint32_t regs = f->body->thread->reg_count + 1;
  if (f->spare.len) return f->spare.data[--f->spare.len];
  return (struct follow_path){.regs = ARENA_ARRAY(f->arena, struct follow_reg, regs),
                              .lanes = ARENA_ARRAY(f->arena, value_t, regs * LANES)};
}

/* Lanes follow a way later. */
static void put_off(struct follow *f, uint32_t at, uint32_t active) {
  struct follow_path way = new_path(f);
  const struct follow_path *now = &f->path;
  way.at = at, way.steps = now->steps, way.active = active, way.certain = now->certain;
  for (uint32_t i = 0; i <= f->body->thread->reg_count; i++) {
    way.regs[i] = now->regs[i];
    if (now->regs[i].varies) memcpy(&way.lanes[i * LANES], &now->lanes[i * LANES], LANES * sizeof *way.lanes);
  }
  VEC_PUSH(f->arena, &f->ways, way);
}

void follow_agree(struct follow *f, uint32_t index) {
  const struct instr *in = &f->body->thread->instrs[index];
  uint32_t set = 0;
  if (!in->guard.present || !follow_reg(f, in->guard.reg)->varies) return;
  EACH_LANE (f) set |= (uint32_t)(follow_bits(f, in->guard.reg) & 1) << f->lane;
  if (set == 0 || set == f->path.active) return;
  put_off(f, index, f->path.active & ~set);
  f->path.active = set;
}

/* The instruction after a branch; the end if the path ends. */
static uint32_t jump(struct follow *f) {
  const uint32_t at = f->path.at, end = f->body->thread->instr_count;
  const struct instr *in = &f->body->thread->instrs[at];
  const uint32_t target = in->kind == INSTR_EXIT ? end : in->target;
  follow_agree(f, at);
  switch (guard_of(f, in)) {
    case HOLDS: return target;
    case HOLDS_NOT: return at + 1;
    case HOLDS_PERHAPS: break;
  }
  f->path.certain = false;
  EACH_LANE (f) follow_mix(f, (uint64_t)at << 8 | MARK_PERHAPS);
  const struct follow_visit *visit = visit_of(f);
  if (visit) {
    EACH_LANE (f) mix_visit(f, visit);
    return end;
  }
  put_off(f, target, f->path.active);
  return at + 1;
}

static void follow_path(struct follow *f) {
  const struct body *b = f->body;
  uint32_t *at = &f->path.at;
  while (*at < b->thread->instr_count && !f->failed && !f->again) {
    const struct instr *in = &b->thread->instrs[*at];
    const uint32_t end = b->group_end[*at];
    if (b->needless[*at]) {
      *at = end;
      continue;
    }
    f->work += (uint32_t)__builtin_popcount(f->path.active);
    if (++f->path.steps > MOST_WRITTEN_OUT) f->failed = true;
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) {
      *at = jump(f);
      continue;
    }
    for (uint32_t i = *at; i < end; i++) follow_execute(f, i);
    bool traps = in->kind == INSTR_TRAP && guard_of(f, in) == HOLDS;
    *at = traps ? b->thread->instr_count : end;
  }
  EACH_LANE (f) follow_mix(f, MARK_END);
}

/* The values that threads begin with. */
static void begin(struct follow *f) {
  struct given_value *given = f->run->begins;
  const uint32_t first = follow_first_lane(f);
  f->stamp++;
  EACH_LANE (f) {
    const uint32_t count = begins_of(f->run, f->runner->cta, f->runner->tid, given);
    for (uint32_t i = 0; i < count; i++) {
      struct follow_reg *k = &f->path.regs[given[i].reg];
      f->path.lanes[given[i].reg * LANES + f->lane] = given[i].value;
      if (f->lane == first) *k = (struct follow_reg){.bits = given[i].value, .thread = f->stamp};
      k->varies = k->varies || given[i].value != k->bits;
    }
  }
}

/* Follows threads of one number in these clusters. */
static void follow_threads(struct follow *f, uint32_t active) {
  f->visits.len = 0;
  f->path.at = f->path.steps = 0;
  f->path.active = active;
  f->path.certain = true;
  begin(f);
  follow_path(f);
  while (f->ways.len && !f->failed && !f->again) {
    VEC_PUSH(f->arena, &f->spare, f->path);
    f->path = f->ways.data[--f->ways.len];
    follow_path(f);
  }
  f->ways.len = 0;
}

/* Follows all threads of some clusters. */
static void follow_clusters(struct follow *f, uint32_t count) {
  const uint32_t threads = litmus_volume(f->run->kernel->block);
  struct runner *r = f->runner;
  memset(f->hashes, 0, sizeof f->hashes);
  for (f->rank = 0; f->rank < f->size; f->rank++)
    for (r->tid = 0; r->tid < threads && !f->failed && !f->again; r->tid++) {
      follow_threads(f, UINT32_MAX >> (LANES - count));
      f->again = f->again || needless_grows(f->launch);
      arena_poll(f->arena);
    }
}

/* Follows all threads. False: CTAs may meet, or something else is not known here. */
static bool follow_all(struct follow *f, uint64_t *hashes) {
  const uint32_t clusters = f->run->cta_count / f->size;
  f->again = false;
  f->work = 0;
  for (uint32_t i = 0; i < f->body->thread->instr_count; i++)
    f->formulas[i].gives = instr_gives(&f->body->thread->instrs[i], f->body->wanted);
  VEC_VALUES (region, &f->launch->memory.regions) memset(f->footprints[region->number].of, 0, sizeof f->footprints->of);
  for (f->first = 0; f->first < clusters && !f->again; f->first += LANES) {
    const uint32_t count = clusters - f->first < LANES ? clusters - f->first : (uint32_t)LANES;
    follow_clusters(f, count);
    memcpy(hashes + f->first, f->hashes, count * sizeof *hashes);
    if (f->launch->progress)
      f->launch->progress->ended = (f->first + count) * f->size * litmus_volume(f->run->kernel->block);
    if (f->failed || f->work / (f->first + count) * clusters > MOST_WORK) return false;
  }
  return true;
}

static bool all_followed(const struct body *body) {
  return !SOME_BELOW(i, body->thread->instr_count, !body->needless[i] && !follow_knows(&body->thread->instrs[i]));
}

/* By cluster: a hash of what it does. NULL: clusters may meet. */
static uint64_t *find_hashes(struct follow *f) {
  uint64_t *hashes = ARENA_ARRAY(f->arena, uint64_t, f->run->cta_count);
  uint32_t tries = 0;
  do {
    footprints_begin(f);
    if (++tries > MOST_TRIES || !all_followed(f->body) || !follow_all(f, hashes)) return NULL;
  } while (f->again);
  bool both;
  if (!footprints_apart(f, &both)) return NULL;
  f->owners = true;
  return both && (!follow_all(f, hashes) || f->again) ? NULL : hashes;
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
    uint32_t same = COUNT(HASH_EACH (n, &index, hashes[c]), hashes[n] == hashes[c]);
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
  const uint32_t instrs = run->body.thread->instr_count;
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
    f.path = new_path(&f);
    f.values = ARENA_ARRAY(arena, struct follow_value, MOST_TERMS);
    f.space = ARENA_ARRAY(arena, value_t, MOST_TERMS * LANES);
    const uint64_t *hashes = find_hashes(&f);
    if (hashes) keep_first(&f, hashes);
    else footprints_begin(&f);
    memset(&run->spare, 0, sizeof run->spare);
  }
  arena_release(arena);
}
