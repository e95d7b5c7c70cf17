/* Random locks: critical sections, and near misses. The lemmas of src/encode about sections (sections.c, lemmas.c) and
 * chains (counting.c) have many conditions; each is sometimes violated here: a lock that is taken whatever its value,
 * released by another thread, twice, not at all or half, by a weak write, by another name, in a scope that does not
 * contain the other thread, or written by a thread outside of the section.
 */
#include "gen.h"

enum { SLOT_LOCK = SLOT_X, SLOT_DATA = SLOT_Y };

/* Brute force tries every order of the writes. */
void size_locks(struct gen *g) {
  g->sketch->thread_count = chance(g, 92) ? 2 : 3;
  g->sketch->unroll = g->sketch->thread_count == 2 && chance(g, 8);
}

void declare_locks(struct gen *g) {
  put_init(g, chance(g, 90) ? "$%d=0" : ".global .u32 $%d=1", SLOT_LOCK);
  put_init(g, "$%d=0", SLOT_DATA);
  g->locations = 2;
  g->has_alias = chance(g, 6);
  if (g->has_alias) put_init(g, "$%d @ generic aliases $%d", SLOT_ALIAS, SLOT_LOCK);
}

/* Mostly wide enough for all. */
static const char *lock_scope(struct gen *g) { return chance(g, 90) ? "gpu" : PICK(g, "cta", "sys", "cluster"); }

static int lock_name(struct gen *g) { return g->has_alias && chance(g, 40) ? SLOT_ALIAS : SLOT_LOCK; }

static const char *atomic(struct gen *g, const char *semantics) {
  return arena_printf(g->arena, "atom.%s.%s", semantics, lock_scope(g));
}

/* Takes the lock into a new register, and says which value shows that it was free. */
static uint32_t take(struct gen *g, uint32_t token, uint32_t *reg) {
  const char *atom = atomic(g, PICK(g, "acquire", "acquire", "acquire", "relaxed", "acq_rel"));
  uint32_t name = (uint32_t)lock_name(g);
  *reg = new_reg(g);
  switch (WEIGHTED(g, 16, 2, 2, 1, 1)) {
    case 0: put(g, "%s.cas.b32 r%u, [$%u], 0, %u", atom, *reg, name, token); return 0;
    case 1: put(g, "%s.cas.b32 r%u, [$%u], %u, %u", atom, *reg, name, token, below(g, 3)); return token;
    case 2: put(g, "%s.exch.b32 r%u, [$%u], %u", atom, *reg, name, token); return 0;
    case 3: put(g, "%s.or.b32 r%u, [$%u], %u", atom, *reg, name, token); return 0;
    default: put(g, "%s.inc.u32 r%u, [$%u], %u", atom, *reg, name, token); return 0;
  }
}

static void give(struct gen *g, uint32_t token) {
  uint32_t name = (uint32_t)lock_name(g);
  const char *atom = atomic(g, PICK(g, "release", "relaxed"));
  switch (WEIGHTED(g, 14, 3, 2, 2, 2, 1, 1)) {
    case 0: put(g, "st.release.%s [$%u], 0", lock_scope(g), name); break;
    case 1: put(g, "st.relaxed.%s [$%u], 0", lock_scope(g), name); break;
    case 2: put(g, "%s.exch.b32 r%u, [$%u], 0", atom, new_temp(g), name); break;
    case 3: put(g, "%s.cas.b32 r%u, [$%u], %u, 0", atom, new_temp(g), name, token); break;
    case 4: put(g, "st.release.%s [$%u], %u", lock_scope(g), name, below(g, 3)); break;
    case 5: put(g, "st.weak [$%u], 0", name); break;
    default: put(g, "st.relaxed.gpu.u16 [$%u], 0", name);
  }
}

/* In the section. */
static void work(struct gen *g, uint32_t token) {
  switch (WEIGHTED(g, 5, 5, 1, 1, 1)) {
    case 0: put(g, "ld.weak r%u, [$%d]", new_reg(g), SLOT_DATA); break;
    case 1: put(g, "st.weak [$%d], %u", SLOT_DATA, token); break;
    case 2: put(g, "atom.relaxed.gpu.add.u32 r%u, [$%d], 1", new_reg(g), SLOT_DATA); break;
    case 3: put(g, "ld.relaxed.gpu r%u, [$%d]", new_reg(g), lock_name(g)); break;
    default: break;
  }
}

/* Where the lock was free; sometimes the predicate of the release is another one. */
static void add_section(struct gen *g) {
  uint32_t token = chance(g, 80) ? 1 : 1 + g->thread, reg, predicate = new_temp(g), other = predicate;
  uint32_t label = g->next_label++;
  bool spins = g->sketch->unroll && chance(g, 70);
  if (spins) put(g, "L%u:", label);
  uint32_t free = take(g, token, &reg);
  if (spins) put(g, "bne r%u, %u, L%u", reg, free, label);
  if (!spins) put(g, "setp.%s.u32 p%u, r%u, %u", chance(g, 95) ? "eq" : "ne", predicate, reg, free);
  const char *guard = spins ? NULL : arena_printf(g->arena, "@p%u", predicate);
  g->guard = guard;
  work(g, token);
  if (chance(g, 8) && g->regs[g->thread] > 1) {
    g->guard = NULL;
    other = new_temp(g);
    put(g, "setp.eq.u32 p%u, r%u, 0", other, g->regs[g->thread] - 1);
    guard = arena_printf(g->arena, "@p%u", other);
  }
  g->guard = chance(g, 95) ? guard : NULL;
  if (chance(g, 94)) give(g, token);
  if (chance(g, 4)) give(g, token);
  g->guard = NULL;
}

/* Somebody who is not in the lock. */
static void meddle(struct gen *g) {
  switch (WEIGHTED(g, 3, 2, 2, 2)) {
    case 0: put(g, "ld.%s.gpu r%u, [$%d]", PICK(g, "relaxed", "acquire"), new_reg(g), SLOT_LOCK); break;
    case 1: put(g, "st.relaxed.%s [$%d], %u", lock_scope(g), lock_name(g), below(g, 2)); break;
    case 2:
      put(g, "%s.cas.b32 r%u, [$%d], %u, %u", atomic(g, "acquire"), new_reg(g), SLOT_LOCK, below(g, 2), below(g, 2));
      break;
    default: put(g, "st.weak [$%d], 7", SLOT_DATA);
  }
}

void fill_locks(struct gen *g) {
  uint32_t threads = g->sketch->thread_count;
  g->sketch->locks = true;
  for (g->thread = 0; g->thread < threads; g->thread++)
    if (g->thread < 2) add_section(g);
    else meddle(g);
  g->thread = below(g, 2);
  if (threads == 2 && chance(g, 10)) meddle(g);
  else if (threads == 2 && chance(g, 3)) add_section(g);
  uint32_t thread = below(g, 2);
  const char *lock = arena_printf(g->arena, "$%d=%u", SLOT_LOCK, below(g, 2));
  const char *both = arena_printf(g->arena, "#%u:r%u=0 /\\ #%u:r0=0", thread, g->regs[thread] - 1, 1 - thread);
  g->sketch->condition = arena_printf(g->arena, "%s (%s)", PICK(g, "exists", "forall", "~exists"),
                                      chance(g, 60) ? both : lock);
}
