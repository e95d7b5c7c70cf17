/* Random tests whose threads meet at barriers: mostly in rounds that all threads take part in, with an odd one out now
 * and then (a deadlock, a surplus arrival, undefined behaviour); else barriers anywhere. */
#include "gen.h"

static bool in_one_cta(const struct sketch_thread *a, const struct sketch_thread *b) {
  return a->cta == b->cta && a->gpu == b->gpu;
}

/* Each thread is a warp by itself where none is placed in one. */
static uint32_t warps_of_cta(const struct gen *g, uint32_t thread) {
  const struct sketch_thread *threads = g->sketch->threads;
  uint32_t count = 0;
  for (uint32_t t = 0; t < g->sketch->thread_count; t++) {
    bool again = false;
    for (uint32_t u = 0; u < t && threads[t].has_warp; u++)
      again |= in_one_cta(&threads[u], &threads[t]) && threads[u].warp == threads[t].warp;
    count += in_one_cta(&threads[t], &threads[thread]) && !again;
  }
  return count;
}

void place_for_barriers(struct gen *g) {
  struct sketch *s = g->sketch;
  bool one_cta = chance(g, 75), one_warp = chance(g, 85);
  s->barriers = (enum sketch_barriers)(SKETCH_CTA_BARRIERS + WEIGHTED(g, 6, 2, 2));
  s->exchange = below(g, 10);
  s->clusters = s->barriers == SKETCH_CLUSTER_BARRIERS ? chance(g, 80) : chance(g, 10);
  bool lanes = s->barriers == SKETCH_CTA_BARRIERS && chance(g, 25);
  for (uint32_t t = 0; t < s->thread_count; t++) {
    struct sketch_thread *thread = &s->threads[t];
    if (s->barriers == SKETCH_CLUSTER_BARRIERS) thread->cta = below(g, 3);
    else if (!one_cta) thread->cta = below(g, 2);
    thread->cluster = thread->cta / 2;
    thread->has_warp = s->barriers == SKETCH_WARP_BARRIERS || lanes;
    thread->warp = one_warp && !lanes ? 0 : below(g, 2);
    thread->lane = t;
  }
}

/* --- one barrier; an instruction counts once for each arrival it makes */

/* The exchanges of lanes, alike in a whole test, so that the lanes meet: mostly of values that they have read. */
static void add_exchange(struct gen *g, uint32_t mask) {
  static const char *const plain[] = {"redux.sync.add.u32", "redux.sync.max.s32", "redux.sync.and.b32",
                                      "match.any.sync.b32", "match.all.sync.b32"};
  uint32_t known = g->regs[g->thread], kind = g->sketch->exchange, predicate = new_temp(g);
  const char *value = known && chance(g, 75) ? arena_printf(g->arena, "r%u", below(g, known))
                                             : arena_printf(g->arena, "%u", below(g, 3));
  switch (kind) {
  case 0: put(g, "shfl.sync.idx.b32 r%u, %s, 0, 31, %u", new_reg(g), value, mask); return;
  case 1: put(g, "shfl.sync.idx.b32 r%u, %s, 1, 31, %u", new_reg(g), value, mask); return;
  case 2: put(g, "shfl.sync.up.b32 r%u, %s, 1, 0, %u", new_reg(g), value, mask); return;
  case 3: put(g, "shfl.sync.bfly.b32 r%u, %s, 1, 31, %u", new_reg(g), value, mask); return;
  case 4:
    put(g, "setp.eq.u32 p%u, %s, 1", predicate, value);
    put(g, "vote.sync.ballot.b32 r%u, p%u, %u", new_reg(g), predicate, mask);
    return;
  default: put(g, "%s r%u, %s, %u", plain[kind % ARRAY_LEN(plain)], new_reg(g), value, mask);
  }
}

static void add_warp_barrier(struct gen *g) {
  const struct sketch_thread *own = &g->sketch->threads[g->thread];
  uint32_t mask = 1u << own->lane, members = 0;
  for (uint32_t t = 0; t < g->sketch->thread_count; t++)
    if (g->sketch->threads[t].warp == own->warp && ++members && chance(g, 92)) mask |= 1u << t;
  if (members == 1 && chance(g, 25)) put(g, "activemask.b32 r%u", new_reg(g)); /* of several it is mostly open */
  if (chance(g, g->sketch->exchange ? 60 : 20)) add_exchange(g, mask);
  else put(g, chance(g, 80) ? "bar.warp.sync %u" : "__syncwarp(%u)", mask);
}

static void add_cluster_barrier(struct gen *g) {
  put(g, "barrier.cluster.arrive%s", PICK(g, "", ".release", ".release", ".relaxed"));
  if (chance(g, 30) && g->budget && has_room(g)) add_access(g);
  if (chance(g, 30) && has_room(g)) add_fence(g);
  if (chance(g, 94)) put(g, "barrier.cluster.wait%s", PICK(g, "", ".acquire"));
}

/* The form of a barrier of a CTA, shared by all that meet there. */
struct meeting {
  enum { MEET_SYNC, MEET_COUNTED, MEET_CUDA, MEET_RED, MEET_ARRIVE } how;
  uint32_t id, count, arrivers; /* MEET_ARRIVE: a bit for each thread that does not wait */
  const char *reduction;
  bool in_cuda; /* MEET_RED: as __syncthreads_count(p) and the like */
};

static struct meeting random_meeting(struct gen *g, uint32_t id) {
  struct meeting m = {.id = id, .count = warps_of_cta(g, g->thread), .arrivers = below(g, 8)};
  static const uint32_t how[] = {MEET_SYNC, MEET_COUNTED, MEET_CUDA, MEET_RED, MEET_ARRIVE};
  uint32_t at = WEIGHTED(g, 3, 3, 1, 3, 4);
  m.how = how[at];
  m.reduction = PICK(g, "popc", "and", "or");
  m.in_cuda = m.how == MEET_RED && m.id == 0 && chance(g, 25);
  if (m.how == MEET_CUDA) m.id = 0;
  if (chance(g, 8)) m.count = 1 + below(g, 4);
  return m;
}

/* An opcode that is mostly the second where lanes of a warp meet: an aligned barrier is for all of them or none. */
static const char *aligned_or_not(struct gen *g, const char *any, const char *unaligned) {
  return g->sketch->threads[g->thread].has_warp && chance(g, 90) ? unaligned : any;
}

static void add_reduction(struct gen *g, const struct meeting *m) {
  uint32_t known = g->regs[g->thread], predicate = new_temp(g);
  bool popc = m->reduction[0] == 'p', counted = chance(g, 30);
  if (known && chance(g, 70))
    put(g, "setp.%s.u32 p%u, r%u, 1", PICK(g, "eq", "ne"), predicate, below(g, known));
  else
    put(g, "setp.eq.u32 p%u, %u, 1", predicate, below(g, 2));
  const char *count = counted ? arena_printf(g->arena, "%u, ", m->count) : "";
  const char *not = chance(g, 20) ? "!" : "";
  const char *any = PICK(g, "bar.red", "bar.cta.red", "barrier.red.aligned", "barrier.cta.red");
  const char *opcode = aligned_or_not(g, any, "barrier.red");
  if (m->in_cuda) {
    put(g, "r%u = __syncthreads_%s(%sp%u)", new_reg(g), popc ? "count" : m->reduction, not, predicate);
    return;
  }
  if (popc) {
    put(g, "%s.popc.u32 r%u, %u, %s%sp%u", opcode, new_reg(g), m->id, count, not, predicate);
    return;
  }
  uint32_t result = new_temp(g);
  put(g, "%s.%s.pred p%u, %u, %s%sp%u", opcode, m->reduction, result, m->id, count, not, predicate);
  put(g, "selp.u32 r%u, 1, 0, p%u", new_reg(g), result);
}

static void meet(struct gen *g, const struct meeting *m) {
  bool arrives = m->how == MEET_ARRIVE && (m->arrivers >> g->thread & 1);
  uint32_t in_register = new_temp(g);
  const char *any;
  switch (m->how) {
  case MEET_SYNC:
    any = PICK(g, "bar.sync", "barrier.sync", "bar.cta.sync", "barrier.cta.sync.aligned");
    put(g, "%s %u", aligned_or_not(g, any, "barrier.sync"), m->id);
    return;
  case MEET_CUDA: put(g, "__syncthreads()"); return;
  case MEET_RED: add_reduction(g, m); return;
  default: break;
  }
  any = arrives ? PICK(g, "bar.arrive", "barrier.cta.arrive") : PICK(g, "bar.sync", "barrier.sync");
  const char *opcode = aligned_or_not(g, any, arrives ? "barrier.arrive" : "barrier.sync");
  uint32_t unit = chance(g, 15) ? 32 : 1;
  if (chance(g, 92)) {
    put(g, "%s %u, %u", opcode, m->id, m->count * unit);
    return;
  }
  put(g, "mov.u32 r%u, %u", in_register, chance(g, 50) ? m->id : m->count);
  if (chance(g, 50))
    put(g, "%s r%u, %u", opcode, in_register, m->count);
  else
    put(g, "%s %u, r%u", opcode, m->id, in_register);
}

void add_barrier(struct gen *g) {
  struct meeting m;
  if (!g->arrivals) return;
  g->arrivals--;
  switch (g->sketch->barriers) {
  case SKETCH_WARP_BARRIERS: add_warp_barrier(g); return;
  case SKETCH_CLUSTER_BARRIERS: add_cluster_barrier(g); return;
  default:
    m = random_meeting(g, below(g, 2));
    meet(g, &m);
  }
}

/* --- whole tests */

static void add_some_accesses(struct gen *g) {
  for (uint32_t more = WEIGHTED(g, 2, 5, 2); more && g->budget && has_room(g); more--) {
    add_between(g);
    if (has_room(g)) add_access(g);
  }
}

/* Depending on a value read, a thread ends before the others, skips a barrier, or takes another one in its place. */
static void add_way_out(struct gen *g) {
  uint32_t known = g->regs[g->thread], predicate = new_temp(g);
  if (!known) return;
  put(g, "setp.eq.u32 p%u, r%u, 1", predicate, below(g, known));
  bool skips = g->sketch->barriers == SKETCH_CTA_BARRIERS && chance(g, 40);
  if (skips) put(g, "@p%u %s 3", predicate, aligned_or_not(g, "bar.sync", "barrier.sync"));
  if (skips && chance(g, 20)) put(g, "@!p%u %s 3", predicate, aligned_or_not(g, "bar.sync", "barrier.sync"));
  else put(g, "@p%u exit", predicate);
}

/* One round: each thread makes some accesses, then meets the others. */
static void add_round(struct gen *g, uint32_t round) {
  struct sketch *s = g->sketch;
  uint32_t id = chance(g, 40) ? round : 0;
  g->thread = below(g, s->thread_count);
  struct meeting m = random_meeting(g, id);
  bool odd = chance(g, 12);
  /* Where phases are open, few arrivals may share a resource. */
  g->open_phases |= m.how == MEET_ARRIVE || m.how == MEET_COUNTED || odd;
  if (g->open_phases) m.id = round;
  if (g->open_phases && m.how == MEET_CUDA) m.how = MEET_SYNC;
  m.in_cuda &= m.id == 0;
  uint32_t odd_one = below(g, s->thread_count);
  for (uint32_t t = 0; t < s->thread_count; t++) {
    g->thread = t;
    add_some_accesses(g);
    if (has_room(g) && chance(g, 8)) add_way_out(g);
    if (!has_room(g) || (odd && t == odd_one && chance(g, 50))) continue;
    if (s->barriers != SKETCH_CTA_BARRIERS || (odd && t == odd_one))
      g->arrivals++, add_barrier(g);
    else
      meet(g, &m);
  }
}

static void fill_rounds(struct gen *g) {
  uint32_t rounds = 1 + WEIGHTED(g, 6, 4);
  for (uint32_t round = 0; round < rounds; round++) add_round(g, round);
  for (uint32_t t = 0; t < g->sketch->thread_count; t++) {
    g->thread = t;
    add_some_accesses(g);
  }
}

/* Flags decide the order of arrivals: releases and acquires between arrivals at one barrier, most of which do not wait,
 * so that phases are open where causality does not fix them. */
static void fill_flags(struct gen *g) {
  uint32_t count = 2 + chance(g, 20), arrivals = 5;
  const char *opcode;
  bool waits;
  for (uint32_t step = 0; step < 10; step++) {
    g->thread = step % g->sketch->thread_count;
    if (!has_room(g) || !g->budget) return;
    switch (arrivals ? WEIGHTED(g, 4, 3, 3) : 1 + WEIGHTED(g, 1, 1)) {
    case 0:
      waits = chance(g, 33);
      opcode = aligned_or_not(g, waits ? "bar.sync" : "bar.arrive", waits ? "barrier.sync" : "barrier.arrive");
      put(g, "%s 1, %u", opcode, 32 * count);
      arrivals--;
      continue;
    case 1:
      put(g, "ld.%s r%u, %s", PICK(g, "acquire.cta", "acquire.cta", "relaxed.cta"), new_reg(g), plain_location(g));
      break;
    default: put(g, "st.%s %s, 1", PICK(g, "release.cta", "release.cta", "weak"), plain_location(g));
    }
    g->budget--;
  }
}

void fill_barriers(struct gen *g) {
  if (g->sketch->barriers == SKETCH_CTA_BARRIERS && chance(g, 20)) {
    fill_flags(g);
    return;
  }
  if (chance(g, 65)) {
    fill_rounds(g);
    return;
  }
  g->arrivals = 3 + chance(g, 30);
  for (uint32_t step = 0; g->budget || g->arrivals; step++) {
    g->thread = step < g->sketch->thread_count ? step : below(g, g->sketch->thread_count);
    if (!has_room(g)) break;
    if (g->arrivals && (!g->budget || chance(g, 50)))
      add_barrier(g);
    else
      add_access(g);
  }
}
