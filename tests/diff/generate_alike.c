/* Random tests with threads that are alike, or nearly so. Threads can change places (exec/alike.c) only if many
 * properties agree; in a good part of the tests the odd threads differ in one of them. A chain of atomics orders the
 * threads (encode/symmetry.c); some threads do not write it, or not always, or write another one too. Conditions are
 * about memory, about registers of all threads alike, or about one thread's.
 */
#include "gen.h"

enum { SLOT_COUNT = SLOT_X, SLOT_OTHER = SLOT_Y };

/* What the odd threads have otherwise. */
enum blemish { NONE, CONSTANT, SCOPE, SEMANTICS, LOCATION, NAME, REGISTER, PLACE, MORE, OPCODE, PREDICATE, BLEMISHES };

/* Brute force tries every order of the writes. */
void size_alike(struct gen *g) {
  g->sketch->thread_count = 2 + WEIGHTED(g, 6, 13, 1);
  g->sketch->alike = true;
}

void declare_alike(struct gen *g) {
  put_init(g, chance(g, 85) ? "$%d=0" : "$%d=1", SLOT_COUNT);
  put_init(g, "$%d=0", SLOT_OTHER);
  put_init(g, "$%d @ generic aliases $%d", SLOT_ALIAS, SLOT_COUNT);
  g->locations = 2;
}

static void place_alike(struct gen *g, enum blemish blemish) {
  bool apart = chance(g, 60);
  for (uint32_t t = 0; t < g->sketch->thread_count; t++) {
    struct sketch_thread *thread = &g->sketch->threads[t];
    thread->gpu = 0;
    thread->cta = apart ? t : blemish == PLACE && t % 2;
    if (apart && blemish == PLACE && t % 2) thread->gpu = 1;
    thread->cluster = thread->gpu ? 8 + thread->cta : apart ? thread->cta : 0;
  }
}

static void add_counting(struct gen *g, enum blemish odd, const char *guard) {
  const char *semantics = PICK(g, "relaxed", "relaxed", "acq_rel", "release"), *reach = PICK(g, "gpu", "gpu", "sys");
  uint32_t constant = odd == CONSTANT ? 2 : 1, name = odd == NAME ? SLOT_ALIAS : SLOT_COUNT, reg = new_reg(g);
  if (odd == SEMANTICS) semantics = "acquire";
  if (odd == SCOPE) reach = "cta";
  g->guard = guard;
  switch ((uint32_t)WEIGHTED(g, 6, 4, 3, 2, 2, 2) + (odd == OPCODE)) {
    case 0: put(g, "atom.%s.%s.add.u32 r%u, [$%u], %u", semantics, reach, reg, name, constant); break;
    case 1: put(g, "atom.%s.%s.exch.b32 r%u, [$%u], %u", semantics, reach, reg, name, constant); break;
    case 2: put(g, "atom.%s.%s.cas.b32 r%u, [$%u], 0, %u", semantics, reach, reg, name, constant); break;
    case 3: put(g, "atom.%s.%s.add.u32 r%u, [$%u], r9", semantics, reach, reg, name); break;
    case 4: put(g, "atom.%s.%s.inc.u32 r%u, [$%u], %u", semantics, reach, reg, name, constant); break;
    default: put(g, "st.relaxed.%s [$%u], %u", reach, name, constant); put(g, "mov.u32 r%u, %u", reg, constant);
  }
  g->guard = NULL;
}

/* Beside the atomics; from `reg`, the result of the first one, it may depend. */
static void add_aside(struct gen *g, enum blemish odd, uint32_t reg) {
  uint32_t name = odd == LOCATION ? SLOT_COUNT : SLOT_OTHER, temp = new_temp(g);
  const char *compare = chance(g, 50) == (odd == PREDICATE) ? "ne" : "eq";
  switch (WEIGHTED(g, 4, 3, 3, 3, 2, g->sketch->thread_count == 2 ? 0 : 2)) {
    case 0: break;
    case 1: put(g, "ld.%s.gpu r%u, [$%u]", PICK(g, "relaxed", "acquire"), new_reg(g), name); break;
    case 2: put(g, "st.relaxed.gpu [$%u], r%u", name, reg); break;
    case 3:
      put(g, "setp.%s.u32 p%u, r%u, 0", compare, temp, reg);
      put(g, "@p%u st.weak [$%u], 1", temp, name);
      break;
    case 4: put(g, "st.weak [$%u], r9", name); break;
    default:
      put(g, "setp.%s.u32 p%u, r%u, 0", compare, temp, reg);
      add_counting(g, odd, arena_printf(g->arena, "@p%u", temp));
  }
}

/* The same for all that have the same choices before them. */
static void fill_one(struct gen *g, enum blemish odd) {
  bool few = g->sketch->thread_count == 2, first = few && chance(g, 25);
  if (first) put(g, "ld.relaxed.gpu r%u, [$%d]", new_reg(g), SLOT_COUNT);
  add_counting(g, odd, NULL);
  if (g->sketch->thread_count < 4) add_aside(g, odd, g->regs[g->thread] - 1);
  if (few && !first) add_counting(g, odd, NULL);
  if (odd == MORE) put(g, "ld.relaxed.gpu r%u, [$%d]", new_reg(g), SLOT_OTHER);
}

/* Of every thread that has the register, joined by `word`. */
static const char *of_all(struct gen *g, const char *word, uint32_t reg, uint32_t value) {
  const char *all = "";
  for (uint32_t t = 0; t < g->sketch->thread_count; t++)
    all = arena_printf(g->arena, "%s%s#%u:r%u=%u", all, t ? word : "", t, reg, value);
  return all;
}

static const char *predicate(struct gen *g) {
  uint32_t threads = g->sketch->thread_count, a = below(g, threads), b = (a + 1) % threads, reg = 0;
  switch (WEIGHTED(g, 5, 2, 3, 2, 2, 2, 1)) {
    case 0: return arena_printf(g->arena, "$%d=%u", SLOT_COUNT, below(g, 4));
    case 1: return arena_printf(g->arena, "$%d=1 /\\ $%d=%u", SLOT_COUNT, SLOT_OTHER, below(g, 2));
    case 2: return of_all(g, " /\\ ", reg, below(g, 2));
    case 3: return of_all(g, " \\/ ", reg, 1 + below(g, 2));
    case 4: return arena_printf(g->arena, "#%u:r0=0", a);
    case 5: return arena_printf(g->arena, "#%u:r0=#%u:r0 \\/ $%d=2", a, b, SLOT_COUNT);
    default:
      return arena_printf(g->arena, "(#%u:r0=0 /\\ #%u:r0=1) \\/ (#%u:r0=%u /\\ #%u:r0=0)", a, b, b, below(g, 2), a);
  }
}

void fill_alike(struct gen *g) {
  enum blemish blemish = chance(g, 45) ? NONE : (enum blemish)(1 + below(g, BLEMISHES - 1));
  place_alike(g, blemish);
  struct rng choices = g->rng;
  for (g->thread = 0; g->thread < g->sketch->thread_count; g->thread++) {
    bool odd = g->thread % 2 && blemish != NONE;
    g->rng = choices;
    g->next_temp = 30;
    fill_one(g, odd ? blemish : NONE);
    put_init(g, "#%u:r9=%u", g->thread, odd && blemish == REGISTER ? 2 : 1);
  }
  const char *where = chance(g, 15) ? arena_printf(g->arena, "locations [#%u:r0;]\n", below(g, 2)) : "";
  const char *filter = chance(g, 15) ? arena_printf(g->arena, "filter (%s)\n", predicate(g)) : "";
  g->sketch->condition =
      arena_printf(g->arena, "%s%s%s (%s)", where, filter, PICK(g, "exists", "forall", "~exists"), predicate(g));
}
