/* Random tests of tensor memory alone: columns allocated, then a few steps, each a product, a copy, a shift, a store or
 * a load by some thread, with the synchronization that hands the columns from one step to the next, then columns freed.
 * Each part of a hand-over is missing now and then, or not the right one.
 */
#include "gen.h"

enum { NAME_A = 5, NAME_B = 6, NAME_SLOT = 7, NAME_MORE = 8 };

enum layout { ONE_WARP, TWO_WARPS, PAIR }; /* PAIR: two CTAs of a cluster, with .cta_group::2 */

/* What a step leaves to be waited for. */
enum pending { PENDING_NOTHING, PENDING_COMMIT, PENDING_STORE, PENDING_LOAD };

struct steps {
  struct gen *g;
  enum layout layout;
  uint32_t group;              /* 1, or 2 of a pair */
  uint32_t objects;            /* mbarrier objects so far: b0, b1, ... */
  uint32_t meetings;           /* barriers so far, all of them different */
  uint32_t loads[2];           /* results so far of each thread: r0, r1, ... */
  uint32_t lanes[2];           /* the first one that each thread reaches, in an address */
  enum pending pending;
  uint32_t by;                 /* whose step that is */
};

#define PICK_FROM(g, table) ((table)[below((g), ARRAY_LEN(table))])

static const uint32_t columns[] = {0, 0, 0, 1, 31, 32, 48};

static bool kept(struct gen *g) { return chance(g, 93); }

static void put_kept(struct gen *g, uint32_t thread, const char *instr) {
  g->thread = thread;
  if (kept(g)) put(g, "%s", instr);
}

/* --- steps */

static const char *shared_matrix(struct gen *g) { return arena_printf(g->arena, "[$%d]", NAME_A); }

static void put_product(struct steps *s) {
  struct gen *g = s->g;
  const char *shape = s->layout == PAIR ? PICK(g, "0x10080010", "0x10080010", "0x08080010")
                                        : PICK(g, "0x08080010", "0x08080010", "0x08080010", "0x04080010");
  const char *to = PICK(g, "", "", "", "+32"), *adds = PICK(g, "0", "1");
  const char *scales = ".kind::mxf8f6f4.block_scale.scale_vec::1X";
  switch (WEIGHTED(g, 9, 1, 1)) {
    case 0: {
      const char *kind = PICK(g, "f16", "f16", "f16", "tf32");
      put(g, "tcgen05.mma.cta_group::%u.kind::%s [r9%s], %s, [$%d], %s, %s", s->group, kind, to,
          chance(g, 80) ? shared_matrix(g) : "[r9+48]", NAME_B, shape, adds);
      break;
    }
    case 1:
      put(g, "tcgen05.mma.cta_group::%u%s [r9], %s, [$%d], %s, [r9+32], [r9+36], %s", s->group, scales,
          shared_matrix(g), NAME_B, shape, adds);
      break;
    default:
      if (s->layout != PAIR)
        put(g, "tcgen05.mma.ws.cta_group::1.kind::f16 [r9%s], %s, [$%d], 0x08080010, %s", to, shared_matrix(g), NAME_B,
            adds);
  }
  s->pending = PENDING_COMMIT;
}

static void put_copy(struct steps *s) {
  struct gen *g = s->g;
  const char *shape = PICK(g, "128x256b", "128x128b", "32x128b.warpx4", "64x128b.warpx2::02_13");
  put(g, "tcgen05.cp.cta_group::%u.%s [r9%s], [$%d]", s->group, shape, PICK(g, "", "+32", "+36", "+48"), NAME_A);
  s->pending = PENDING_COMMIT;
}

/* An address of the columns that the thread has, of its lanes. */
static const char *cells(const struct steps *s, uint32_t column) {
  uint32_t offset = s->lanes[s->by] + column;
  return offset ? arena_printf(s->g->arena, "[r9+0x%x]", offset) : "[r9]";
}

static void put_store(struct steps *s) {
  struct gen *g = s->g;
  const char *a = PICK(g, "4", "5"), *b = PICK(g, "4", "7"), *to = cells(s, PICK_FROM(g, columns));
  switch (WEIGHTED(g, 8, 1, 2)) {
    case 0:
      put(g, "tcgen05.st.sync.aligned.%s.b32 %s, {%s, %s}", PICK(g, "32x32b.x2", "16x64b.x2", "16x128b.x1"), to, a, b);
      break;
    case 1: put(g, "tcgen05.st.sync.aligned.32x32b.x1.unpack::16b.b32 %s, {0x70005}", to); break;
    default: put(g, "tcgen05.st.sync.aligned.16x32bx2.x1.b32 %s, %s, {%s}", to, PICK(g, "1", "2", "31"), a);
  }
  s->pending = PENDING_STORE;
}

static void put_load(struct steps *s) {
  struct gen *g = s->g;
  uint32_t r = s->loads[s->by]++;
  const char *from = cells(s, PICK_FROM(g, columns));
  switch (WEIGHTED(g, 12, 5, 2, 2, 1)) {
    case 0: put(g, "tcgen05.ld.sync.aligned.%s.x1.b32 {r%u}, %s", PICK(g, "32x32b", "16x64b"), r, from); break;
    case 1: put(g, "tcgen05.ld.sync.aligned.%s.b32 {r%u, r5}, %s", PICK(g, "32x32b.x2", "16x128b.x1"), r, from); break;
    case 2: put(g, "tcgen05.ld.sync.aligned.16x32bx2.x1.b32 {r%u}, %s, %s", r, from, PICK(g, "1", "31")); break;
    case 3:
      put(g, "tcgen05.ld.red.sync.aligned.32x32b.x2.%s.u32 {r%u, r5}, r6, %s", PICK(g, "min", "max"), r, from);
      break;
    default: put(g, "tcgen05.ld.sync.aligned.32x32b.x1.pack::16b.b32 {r%u}, %s", r, from);
  }
  s->pending = PENDING_LOAD;
}

/* The issuer of a product, a copy and a shift: of a pair mostly the first CTA. */
static void put_step(struct steps *s, uint32_t thread, bool last) {
  struct gen *g = s->g;
  g->thread = s->by = thread;
  switch (last ? WEIGHTED(g, 1, 0, 0, 1, 8) : WEIGHTED(g, 6, 2, 1, 3, 2)) {
    case 0: put_product(s); break;
    case 1: put_copy(s); break;
    case 2:
      put(g, "tcgen05.shift.cta_group::%u.down [r9]", s->group);
      s->pending = PENDING_COMMIT;
      break;
    case 3: put_store(s); break;
    default: put_load(s);
  }
}

/* --- hand-overs */

/* Both threads meet, with random instructions before and after the barrier. */
static void meet(struct steps *s, bool fenced) {
  struct gen *g = s->g;
  uint32_t number = s->meetings++;
  bool relaxed = chance(g, 20);
  for (g->thread = 0; g->thread < g->sketch->thread_count; g->thread++) {
    if (fenced && chance(g, 85)) put(g, "tcgen05.fence::before_thread_sync");
    if (s->layout == PAIR) {
      put(g, relaxed ? "barrier.cluster.arrive.relaxed" : "barrier.cluster.arrive");
      put(g, "barrier.cluster.wait");
    } else if (g->sketch->thread_count > 1) {
      put(g, "bar.sync %u", number);
    }
    if (fenced && chance(g, 85)) put(g, "tcgen05.fence::after_thread_sync");
  }
}

static uint32_t new_object(struct steps *s) {
  put_init(s->g, "mbarrier b%u=1", s->objects);
  return s->objects++;
}

static const char *semantics(struct gen *g, const char *strong) {
  return PICK(g, "", arena_printf(g->arena, ".%s.cluster", strong), ".relaxed.cluster");
}

static void put_wait(struct steps *s, uint32_t thread, uint32_t object) {
  struct gen *g = s->g;
  g->thread = thread;
  if (!chance(g, 95)) return;
  put(g, "mbarrier.wait.parity%s.shared::cta.b64 [b%u], %u", semantics(g, "acquire"), object, chance(g, 3));
}

/* The thread's products are waited for by the next step's thread, of a pair mostly by both. */
static void hand_committed(struct steps *s, uint32_t to) {
  struct gen *g = s->g;
  bool far = s->layout == PAIR;
  if (s->by == to && !far && chance(g, 20)) return; /* pipelined, or not */
  uint32_t object = new_object(s);
  g->thread = s->by;
  if (!kept(g)) return;
  if (far)
    put(g, "tcgen05.commit.cta_group::2.mbarrier::arrive::one.shared::cluster.multicast::cluster.b64 [b%u], %s", object,
        PICK(g, "3", "3", "3", "3", "1", "2"));
  else
    put(g, "tcgen05.commit.cta_group::1.mbarrier::arrive::one.shared::cluster.b64 [b%u]", object);
  for (uint32_t thread = 0; thread < g->sketch->thread_count; thread++) {
    if (thread != to && !far) continue;
    put_wait(s, thread, object);
    put_kept(g, thread, "tcgen05.fence::after_thread_sync");
  }
}

static void hand_accessed(struct steps *s, uint32_t to) {
  struct gen *g = s->g;
  bool loads = (s->pending == PENDING_LOAD) != chance(g, 4);
  put_kept(g, s->by, loads ? "tcgen05.wait::ld.sync.aligned" : "tcgen05.wait::st.sync.aligned");
  if (s->by == to) return;
  if (chance(g, 35)) {
    meet(s, true);
    return;
  }
  uint32_t object = new_object(s);
  put_kept(g, s->by, "tcgen05.fence::before_thread_sync");
  if (s->layout == PAIR)
    put(g, "mbarrier.arrive%s.shared::cluster.b64 _, [cta%u:b%u]", semantics(g, "release"), to, object);
  else
    put(g, "mbarrier.arrive%s.shared::cta.b64 _, [b%u]", semantics(g, "release"), object);
  put_wait(s, to, object);
  put_kept(g, to, "tcgen05.fence::after_thread_sync");
}

static void hand_over(struct steps *s, uint32_t to) {
  switch (s->pending) {
    case PENDING_NOTHING: return;
    case PENDING_COMMIT: hand_committed(s, to); return;
    case PENDING_STORE:
    case PENDING_LOAD: hand_accessed(s, to); return;
  }
}

/* --- the whole */

static void allocate(struct steps *s) {
  struct gen *g = s->g;
  bool both = s->layout == PAIR;
  for (g->thread = 0; g->thread <= both; g->thread++)
    put(g, "tcgen05.alloc.cta_group::%u.sync.aligned.shared::cta.b32 [$%d], 64", s->group, NAME_SLOT);
  g->thread = 0;
  if (!both && chance(g, 8)) put(g, "tcgen05.relinquish_alloc_permit.cta_group::1.sync.aligned");
  if (!both && chance(g, 8)) {
    put_init(g, ".shared .u32 $%d=0", NAME_MORE);
    put(g, "tcgen05.alloc.cta_group::1.sync.aligned.shared::cta.b32 [$%d], 32", NAME_MORE);
    put(g, "ld.shared.u32 r8, [$%d]", NAME_MORE);
    if (kept(g)) put(g, "tcgen05.dealloc.cta_group::1.sync.aligned.b32 r8, 32");
  }
  if (s->layout != ONE_WARP && kept(g)) meet(s, chance(g, 70));
  for (g->thread = 0; g->thread < g->sketch->thread_count; g->thread++) put(g, "ld.shared.u32 r9, [$%d]", NAME_SLOT);
}

static void free_columns(struct steps *s) {
  struct gen *g = s->g;
  if (s->layout != ONE_WARP && kept(g)) meet(s, chance(g, 70));
  for (g->thread = 0; g->thread <= (s->layout == PAIR); g->thread++)
    if (kept(g)) put(g, "tcgen05.dealloc.cta_group::%u.sync.aligned.b32 r9, %s", s->group, chance(g, 97) ? "64" : "32");
}

static void place_layout(struct steps *s) {
  struct sketch *sketch = s->g->sketch;
  bool warps = s->layout == TWO_WARPS && chance(s->g, 30);
  sketch->thread_count = s->layout == ONE_WARP ? 1 : 2;
  sketch->clusters = sketch->asynchronous = sketch->tensor = true;
  sketch->barriers = s->layout == PAIR        ? SKETCH_CLUSTER_BARRIERS
                     : s->layout == TWO_WARPS ? SKETCH_CTA_BARRIERS
                                              : SKETCH_NO_BARRIERS;
  for (uint32_t i = 0; i < sketch->thread_count; i++) {
    sketch->threads[i] =
        (struct sketch_thread){.cta = s->layout == PAIR ? i : 0, .has_warp = warps, .warp = warps ? i : 0};
    s->lanes[i] = i && warps && chance(s->g, 90) ? 0x200000 : 0;
    put_init(s->g, "#%u:r9=0", i);
  }
}

void fill_tensor(struct gen *g) {
  struct steps s = {.g = g, .layout = (enum layout)WEIGHTED(g, 3, 5, 2)};
  s.group = s.layout == PAIR ? 2 : 1;
  put_init(g, ".shared .u32 $%d=2", NAME_A);
  put_init(g, ".shared .u32 $%d=3", NAME_B);
  put_init(g, ".shared .u32 $%d=0", NAME_SLOT);
  place_layout(&s);
  allocate(&s);
  /* Brute force takes its time over each hand-over between threads. */
  uint32_t steps = 2 + (s.layout == ONE_WARP ? below(g, 3) : chance(g, s.layout == PAIR ? 20 : 40)), thread = 0;
  for (uint32_t i = 0; i < steps; i++) {
    put_step(&s, thread, i + 1 == steps);
    if (i + 1 < steps && g->sketch->thread_count > 1 && chance(g, 60)) thread = !thread;
    else if (i + 1 == steps) thread = 0; /* who frees */
    hand_over(&s, thread);
  }
  free_columns(&s);
  uint32_t observed = g->sketch->thread_count > 1 && s.loads[1] ? 1 : 0;
  g->sketch->condition = arena_printf(g->arena, "exists (#%u:%s=%s)", observed, s.loads[observed] ? "r0" : "r9",
                                      PICK(g, "0", "5", "6"));
}
