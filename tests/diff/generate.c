/* Makes random tests. Sizes are bounded so that brute force over rf, co and sc stays fast. */
#include "gen.h"

#include <string.h>

#include <stdio.h>

/* The classic shapes: W, R and U (an atomic) of the locations a, b, c in each thread. Strength, scope, placement and
 * fences are random. */
static const char *const shapes[] = {
    "Wa Wb|Rb Ra",       "Wa Rb|Wb Ra",       "Ra Wb|Rb Wa",       "Wa Wb|Wb Wa",       "Wa Wb|Wb Ra",
    "Wa Wb|Rb Wa",       "Wa|Ra Ra",          "Wa Wa|Ra Ra",       "Wa|Wa|Ra Ra",       "Wa|Ra Wb|Rb Ra",
    "Wa|Ra Rb|Wb Ra",    "Wa Wb|Rb Wc|Rc Ra", "Wa Wb|Rb Wc|Rc Wa", "Wa|Wb|Ra Rb|Rb Ra", "Wa Wb|Ub|Rb Ra",
    "Wa Ub|Ub Ra",       "Ua Rb|Ub Ra",       "Ua|Ua Ra",          "Wa|Ua|Ra Ra",       "Wa Wb|Ub Wb|Rb Ra",
    "Wa Rb|Wb Rc|Wc Ra", "Ra Wb|Rb Wc|Rc Wa", "Wa Wb|Wb Wc|Rc Ra", "Wa Rb|Ub Wc|Rc Ra",
    "Wa Wa|Wa Ra",       "Wa|Ra Wa|Ra Ra",    "Wa Ra|Wa Ra|Ra Ra", "Wa Ua|Wa Ra|Ra",
};

#define PICK_FROM(g, table) ((table)[below((g), ARRAY_LEN(table))])

uint32_t below(struct gen *g, uint32_t bound) { return rng_below(&g->rng, bound); }
bool chance(struct gen *g, uint32_t percent) { return below(g, 100) < percent; }

uint32_t weighted(struct gen *g, const uint32_t *weights, uint32_t count) {
  uint32_t sum = 0;
  for (uint32_t i = 0; i < count; i++) sum += weights[i];
  uint32_t at = below(g, sum);
  for (uint32_t i = 0; i < count; i++) {
    if (at < weights[i]) return i;
    at -= weights[i];
  }
  BUG("weights changed under us");
}

const char *pick(struct gen *g, const char *const *words, uint32_t count) { return words[below(g, count)]; }

void put(struct gen *g, const char *format, ...) {
  char line[160], guarded[192];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  if (g->guard)
    snprintf(guarded, sizeof guarded, "%s %s", g->guard, line);
  else
    snprintf(guarded, sizeof guarded, "%s", line);
  struct sketch_thread *thread = &g->sketch->threads[g->thread];
  REQUIRE(thread->count < SKETCH_INSTRS);
  thread->instrs[thread->count++] = arena_strdup(g->arena, guarded);
}

void put_init(struct gen *g, const char *format, ...) {
  char line[160];
  va_list args;
  va_start(args, format);
  vsnprintf(line, sizeof line, format, args);
  va_end(args);
  REQUIRE(g->sketch->init_count < SKETCH_INITS);
  g->sketch->inits[g->sketch->init_count++] = arena_strdup(g->arena, line);
}

bool has_room(const struct gen *g) { return g->sketch->threads[g->thread].count + 5 < SKETCH_INSTRS; }

uint32_t new_reg(struct gen *g) { return g->regs[g->thread]++; }
uint32_t new_temp(struct gen *g) { return g->next_temp++; }

const char *scope(struct gen *g) {
  static const char *const scopes[] = {"cta", "cluster", "gpu", "sys"};
  return scopes[g->sketch->clusters ? WEIGHTED(g, 3, 3, 3, 1) : WEIGHTED(g, 4, 1, 5, 2)];
}

/* A place to access: its address as text, its type and its state space. */
struct target {
  const char *address, *type, *space;
};

static struct target mixed_target(struct gen *g, bool read) {
  if (g->whole) {
    bool half = read && g->thread == 0 && chance(g, 60);
    const char *address = arena_printf(g->arena, "$%d+%u", SLOT_WIDE, half ? 4 * below(g, 2) : 0);
    return (struct target){address, half ? "u32" : "u64", ""};
  }
  switch (WEIGHTED(g, 4, 4, 3, 2)) {
  case 0: return (struct target){arena_printf(g->arena, "$%d+%u", SLOT_ARRAY, 4 * below(g, 2)), "u32", ""};
  case 1: return (struct target){arena_printf(g->arena, "$%d+%u", SLOT_WIDE, 4 * below(g, 2)), "u32", ""};
  case 2: return (struct target){arena_printf(g->arena, "$%d", SLOT_WIDE), "u64", ""};
  default: return (struct target){arena_printf(g->arena, "$%d+%u", SLOT_X, 2 * below(g, 2)), "u16", ""};
  }
}

const char *plain_location(struct gen *g) {
  return arena_printf(g->arena, "$%u", g->aim == NO_AIM ? below(g, g->locations) : g->aim);
}

static struct target target(struct gen *g, bool read) {
  if (g->theme == THEME_MIXED && chance(g, 60)) return mixed_target(g, read);
  if (g->has_shared && chance(g, 40))
    return (struct target){arena_printf(g->arena, "$%d", SLOT_SHARED), "u32", ".shared"};
  if (g->theme == THEME_PROXY && chance(g, 25))
    return (struct target){arena_printf(g->arena, "$%d", SLOT_ALIAS), "u32", ""};
  const char *space = chance(g, 30) ? ".global" : "";
  return (struct target){plain_location(g), "u32", space};
}

/* --- values that depend on what was read */

/* A register with a value made from register `from`; the instructions are added. */
static uint32_t derived(struct gen *g, uint32_t from) {
  uint32_t to = new_temp(g);
  switch (WEIGHTED(g, 4, 3, 3, 2, 2, 2, 2)) {
  case 0: put(g, "add.u32 r%u, r%u, %u", to, from, 1 + below(g, 2)); break;
  case 1: put(g, "xor.b32 r%u, r%u, r%u", to, from, from); break;
  case 2: put(g, "and.b32 r%u, r%u, %u", to, from, 1 + below(g, 3)); break;
  case 3:
    put(g, "%s r%u, r%u, 1", PICK(g, "or.b32", "shl.b32", "shr.u32", "min.u32", "max.s32", "sub.u32"), to, from);
    break;
  case 4: put(g, "%s r%u, r%u", PICK(g, "mov.u32", "not.b32", "popc.b32"), to, from); break;
  case 5: put(g, "mul.lo.u32 r%u, r%u, %u", to, from, 2 + below(g, 2)); break;
  default:
    if (chance(g, 20)) {
      uint32_t clock = new_temp(g);
      put(g, "mov.u32 r%u, %%clock", clock);
      put(g, "setp.%s.u32 p%u, r%u, r%u", PICK(g, "eq", "lt", "ge"), to, clock, from);
    } else {
      put(g, "setp.%s.u32 p%u, r%u, 1", PICK(g, "eq", "ne", "lt", "ge"), to, from);
    }
    put(g, "selp.u32 r%u, %u, %u, p%u", to, 1 + below(g, 2), 2 + below(g, 2), to);
  }
  return to;
}

/* Something to store: mostly a small constant. */
static const char *value(struct gen *g) {
  uint32_t known = g->regs[g->thread];
  if (known && chance(g, g->theme == THEME_DEPENDENCY ? 60 : 12)) {
    uint32_t from = below(g, known);
    return arena_printf(g->arena, "r%u", chance(g, 50) ? from : derived(g, from));
  }
  return arena_printf(g->arena, "%u", 1 + below(g, 3));
}

/* The address of a target, sometimes through a register that depends on an earlier read. */
static const char *address(struct gen *g, const struct target *t) {
  uint32_t known = g->regs[g->thread];
  if (g->theme != THEME_DEPENDENCY || !known || t->space[0] || chance(g, 50))
    return chance(g, 50) || t->address[2] ? arena_printf(g->arena, "[%s]", t->address) : t->address;
  uint32_t base = new_temp(g), offset = new_temp(g), sum = new_temp(g), from = below(g, known);
  if (chance(g, 50))
    put(g, "mov.u64 r%u, %s", base, t->address);
  else
    put_init(g, "#%u:r%u=%s", g->thread, base, t->address);
  if (chance(g, 50)) {
    put(g, "and.b32 r%u, r%u, 0", offset, from);
    put(g, "add.u64 r%u, r%u, r%u", sum, base, offset);
  } else { /* two places, by what was read */
    put(g, "setp.eq.u32 p%u, r%u, %u", offset, from, below(g, 2));
    put(g, "mov.u64 r%u, $%u", offset, below(g, g->locations));
    put(g, "selp.b64 r%u, r%u, r%u, p%u", sum, base, offset, offset);
  }
  return arena_printf(g->arena, "[r%u]", sum);
}

/* The address of x or y as it stands in memory: a load of the pointer, then the place it names. Only addresses are ever
 * stored there, so that the place is always a valid one. */
static const char *pointed(struct gen *g) {
  uint32_t pointer = new_temp(g);
  put(g, "ld.%s.u64 r%u, [$%d]", chance(g, 50) ? "weak" : "acquire.gpu", pointer, SLOT_WIDE);
  g->budget--;
  return arena_printf(g->arena, "[r%u]", pointer);
}

static void add_pointer_store(struct gen *g) {
  uint32_t pointer = new_temp(g);
  put(g, "mov.u64 r%u, $%u", pointer, below(g, g->locations));
  put(g, "st.%s.u64 [$%d], r%u", chance(g, 50) ? "weak" : "release.gpu", SLOT_WIDE, pointer);
  g->budget--;
  g->writes--;
}

/* --- instructions; each says how many memory events it takes */

void add_load(struct gen *g) {
  struct target t = target(g, true);
  bool by_pointer = g->theme == THEME_DEPENDENCY && g->budget > 1 && !t.space[0] && chance(g, 25);
  const char *at = by_pointer ? pointed(g) : address(g, &t);
  const char *how;
  switch (WEIGHTED(g, 5, 5, 4, 1, 1)) {
  case 0: how = PICK(g, "ld", "ld.weak"); break;
  case 1: how = arena_printf(g->arena, "ld.relaxed.%s", scope(g)); break;
  case 2: how = arena_printf(g->arena, "ld.acquire.%s", scope(g)); break;
  case 3: how = "ld.volatile"; break;
  default: how = t.space[0] == '.' && t.space[1] == 's' ? "ld.volatile" : "ld.mmio.relaxed.sys";
  }
  put(g, "%s%s.%s r%u, %s", how, t.space, t.type, new_reg(g), at);
  g->budget--;
}

void add_store(struct gen *g) {
  struct target t = target(g, false);
  bool wide = strcmp(t.type, "u64") == 0; /* with something in both halves */
  const char *what = wide ? arena_printf(g->arena, "0x%u0000000%u", 1 + below(g, 3), 1 + below(g, 3)) : value(g);
  const char *at = address(g, &t);
  const char *how;
  switch (WEIGHTED(g, 5, 5, 4, 1)) {
  case 0: how = PICK(g, "st", "st.weak"); break;
  case 1: how = arena_printf(g->arena, "st.relaxed.%s", scope(g)); break;
  case 2: how = arena_printf(g->arena, "st.release.%s", scope(g)); break;
  default: how = "st.volatile";
  }
  put(g, "%s%s.%s %s, %s", how, t.space, t.type, at, what);
  g->budget--;
  g->writes--;
}

static const char *atom_sem(struct gen *g, bool red) {
  if (chance(g, 10)) return "";
  const char *sem = red ? PICK(g, "relaxed", "release") : PICK(g, "relaxed", "acquire", "release", "acq_rel");
  return arena_printf(g->arena, ".%s.%s", sem, scope(g));
}

/* Of 64 bits, over a location that others access in halves. */
static void add_wide_atomic(struct gen *g) {
  const char *operation = PICK(g, "add.u64", "exch.b64", "max.u64");
  put(g, "atom%s.%s r%u, [$%d], %u", atom_sem(g, false), operation, new_reg(g), SLOT_WIDE, 1 + below(g, 3));
  g->budget -= 2;
  g->writes--;
}

void add_atomic(struct gen *g) {
  struct target t = {plain_location(g), "u32", ""};
  bool red = chance(g, 25);
  static const char *const operations[] = {"add.u32", "exch.b32", "cas.b32", "inc.u32", "max.u32",
                                           "min.s32", "or.b32",   "and.b32", "xor.b32", "dec.u32"};
  uint32_t operation = red ? WEIGHTED(g, 6, 0, 0, 2, 2, 1, 1, 1, 1, 1) : WEIGHTED(g, 5, 4, 5, 2, 1, 1, 1, 1, 1, 1);
  const char *what = operation == 2 ? arena_printf(g->arena, "%u, %u", below(g, 3), 1 + below(g, 3)) : value(g);
  const char *at = address(g, &t);
  if (red)
    put(g, "red%s.%s %s, %s", atom_sem(g, true), operations[operation], at, what);
  else
    put(g, "atom%s.%s r%u, %s, %s", atom_sem(g, false), operations[operation], new_reg(g), at, what);
  g->budget -= 2;
  g->writes--;
}

void add_fence(struct gen *g) {
  bool sc = g->sc_fences && chance(g, 45);
  if (sc) {
    g->sc_fences--;
    if (chance(g, 25))
      put(g, "membar.%s", PICK(g, "cta", "gl", "sys"));
    else
      put(g, "fence.sc.%s", scope(g));
    return;
  }
  put(g, "fence%s.%s", PICK(g, "", ".acq_rel", ".acq_rel", ".acquire", ".release"), scope(g));
}

static void add_proxy_fence(struct gen *g) {
  put(g, "fence.proxy.%s", PICK(g, "alias", "alias", "surface", "texture", "constant"));
}

static void add_proxy_access(struct gen *g) {
  switch (g->writes ? WEIGHTED(g, 3, 2, 1, 3) : WEIGHTED(g, 3, 2, 1)) {
  case 0: put(g, "suld.weak r%u, [$%d]", new_reg(g), SLOT_SURFACE); break;
  case 1: put(g, "tld.weak r%u, [$%d]", new_reg(g), SLOT_TEXTURE); break;
  case 2: put(g, "cold.weak r%u, [$%d]", new_reg(g), SLOT_CONSTANT); break;
  default:
    put(g, "sust.weak [$%d], %s", SLOT_SURFACE, value(g));
    g->writes--;
  }
  g->budget--;
}

static void add_vector(struct gen *g) {
  const char *how = chance(g, 50) ? "weak" : arena_printf(g->arena, "relaxed.%s", scope(g));
  if (g->writes >= 2 && chance(g, 50)) {
    uint32_t a = new_temp(g), b = new_temp(g);
    put(g, "mov.u32 r%u, %u", a, 1 + below(g, 3));
    put(g, "mov.u32 r%u, %u", b, 1 + below(g, 3));
    put(g, "st.%s.v2.u32 [$%d], {r%u, r%u}", how, SLOT_ARRAY, a, b);
    g->writes -= 2;
  } else {
    uint32_t a = new_reg(g), b = new_reg(g);
    put(g, "ld.%s.v2.u32 {r%u, r%u}, [$%d]", how, a, b, SLOT_ARRAY);
  }
  g->budget -= 2;
}

void add_access(struct gen *g) {
  bool write = g->writes > 0;
  if (g->theme == THEME_DEPENDENCY && write && chance(g, 10)) {
    add_pointer_store(g);
  } else if (g->theme == THEME_MIXED && write && g->budget >= 2 && chance(g, 12)) {
    add_wide_atomic(g);
  } else if (g->theme == THEME_PROXY && chance(g, 45)) {
    add_proxy_access(g);
  } else if (g->theme == THEME_MIXED && g->budget >= 2 && chance(g, 25)) {
    add_vector(g);
  } else if (write && g->budget >= 2 && chance(g, g->theme == THEME_RMW ? 55 : 12)) {
    add_atomic(g);
  } else if (write && chance(g, 48)) {
    add_store(g);
  } else {
    add_load(g);
  }
}

void add_between(struct gen *g) {
  if (g->theme == THEME_PROXY && chance(g, 45)) add_proxy_fence(g);
  if (chance(g, g->theme == THEME_FENCE || g->theme == THEME_SHAPE ? 65 : 30)) add_fence(g);
}

/* --- the whole */

static void place_threads(struct gen *g) {
  struct sketch *s = g->sketch;
  s->clusters = chance(g, 30);
  bool one_gpu = chance(g, 75);
  uint32_t ctas = 1 + below(g, 3);
  for (uint32_t t = 0; t < s->thread_count; t++) {
    struct sketch_thread *thread = &s->threads[t];
    thread->gpu = one_gpu ? 0 : below(g, 2);
    thread->cta = below(g, ctas);
    thread->cluster = thread->cta / 2; /* a CTA is in one cluster */
  }
}

static void declare(struct gen *g) {
  bool shaped = g->theme == THEME_SHAPE || g->theme == THEME_FENCED;
  g->locations = shaped ? 3 : g->theme == THEME_TABLE ? 1 : 1 + WEIGHTED(g, 3, 6, 1);
  for (uint32_t i = 0; i < g->locations; i++) {
    if (chance(g, 85))
      put_init(g, "$%u=0", i);
    else
      put_init(g, ".global .u32 $%u=%u", i, below(g, 3));
  }
  g->has_shared = !shaped && g->theme != THEME_TABLE && chance(g, 8);
  if (g->has_shared) put_init(g, ".shared .u32 $%d=0", SLOT_SHARED);
  if (g->theme == THEME_MIXED) {
    g->whole = chance(g, 40);
    put_init(g, "int $%d[2]={0,0}", SLOT_ARRAY);
    put_init(g, ".u64 $%d=0", SLOT_WIDE);
  }
  if (g->theme == THEME_DEPENDENCY) put_init(g, ".u64 $%d=$%u", SLOT_WIDE, below(g, g->locations));
  if (g->theme == THEME_MULTIMEM) declare_multimem(g);
  if (g->theme == THEME_TABLE) declare_table(g);
  if (g->theme != THEME_PROXY) return;
  put_init(g, "$%d @ generic aliases $%d", SLOT_ALIAS, SLOT_X);
  uint32_t of = chance(g, 25) ? SLOT_ALIAS : below(g, g->locations);
  put_init(g, "$%d @ surface aliases $%u", SLOT_SURFACE, of);
  put_init(g, "$%d @ texture aliases $%u", SLOT_TEXTURE, chance(g, 70) ? of : below(g, g->locations));
  put_init(g, "$%d @ constant aliases $%u", SLOT_CONSTANT, of);
}

static const char *term(struct gen *g) {
  uint32_t t = below(g, g->sketch->thread_count);
  const char *compare = chance(g, 85) ? "=" : PICK(g, "!=", "<", ">=");
  if (g->theme == THEME_MIXED && chance(g, 25))
    return arena_printf(g->arena, "$%d%s0x%u0000000%u", SLOT_WIDE, compare, below(g, 4), below(g, 4));
  if (g->regs[t] && chance(g, 80))
    return arena_printf(g->arena, "#%u:r%u%s%u", t, below(g, g->regs[t]), compare, below(g, 4));
  return arena_printf(g->arena, "$%u%s%u", below(g, g->locations), compare, below(g, 4));
}

static const char *predicate(struct gen *g) {
  const char *text = term(g);
  for (uint32_t more = below(g, 3); more; more--)
    text = arena_printf(g->arena, "%s %s %s", text, chance(g, 80) ? "/\\" : "\\/", term(g));
  return chance(g, 10) ? arena_printf(g->arena, "(~(%s))", text) : arena_printf(g->arena, "(%s)", text);
}

static const char *condition(struct gen *g) {
  const char *filter = chance(g, 8) ? arena_printf(g->arena, "filter %s\n", predicate(g)) : "";
  const char *quantifier = chance(g, 60) ? "exists" : PICK(g, "~exists", "forall");
  return arena_printf(g->arena, "%s%s %s", filter, quantifier, predicate(g));
}

/* A floating-point register is not compared with every number. */
void add_condition(struct gen *g) {
  g->sketch->condition = condition(g);
  for (uint32_t tries = 0; g->theme == THEME_TABLE && !can_be_read(g, g->sketch->condition); tries++)
    g->sketch->condition = tries < 5 ? condition(g) : "exists (0=0)";
}

static void fill_shape(struct gen *g, const char *shape) {
  for (const char *c = shape; *c; c++) {
    if (*c == '|') g->thread++;
    if (*c != 'W' && *c != 'R' && *c != 'U') continue;
    if (g->sketch->threads[g->thread].count) add_between(g);
    g->aim = (uint32_t)(c[1] - 'a');
    if (*c == 'W') add_store(g);
    if (*c == 'R') add_load(g);
    if (*c == 'U') add_atomic(g);
  }
  g->aim = NO_AIM;
}

/* --- shapes that stand or fall with their fences */

static const char *const fenced_shapes[] = {
    "Wa Rb|Wb Ra",       "Wa Wb|Rb Ra",       "Ra Wb|Rb Wa",       "Wa Rb|Wb Rc|Wc Ra",
    "Wa Rb|Wc Ra|Wb Rc", "Wa|Wb|Ra Rb|Rb Ra", "Wa|Ra Rb|Wb Ra",    "Wa Wb|Rb Wc|Rc Ra",
};

/* Fences that depend on another thread: one thread has its fences under a predicate on a location that another one
 * writes last. */
static void fill_fenced(struct gen *g, const char *shape, uint32_t guarded) {
  uint32_t predicate = new_temp(g);
  for (const char *c = shape; *c; c++) {
    if (*c == '|') g->thread++;
    if (*c != 'W' && *c != 'R') continue;
    bool first = !g->sketch->threads[g->thread].count, decides = g->thread == guarded;
    if (first && decides) {
      uint32_t seen = new_reg(g);
      put(g, "ld.relaxed.gpu r%u, [$%d]", seen, SLOT_Z);
      put(g, "setp.%s.u32 p%u, r%u, 0", PICK(g, "eq", "ne"), predicate, seen);
    }
    if (decides) g->guard = arena_printf(g->arena, "@p%u", predicate);
    if (!first && chance(g, 60)) put(g, "fence.sc.gpu");
    else if (!first) add_fence(g);
    g->guard = NULL;
    uint32_t at = (uint32_t)(c[1] - 'a');
    if (*c == 'W') put(g, "st.%s.gpu [$%u], 1", PICK(g, "relaxed", "relaxed", "release"), at);
    else put(g, "ld.%s.gpu r%u, [$%u]", PICK(g, "relaxed", "relaxed", "acquire"), new_reg(g), at);
  }
  if (guarded >= g->sketch->thread_count) return;
  g->thread = (guarded + 1) % g->sketch->thread_count;
  put(g, "st.relaxed.gpu [$%d], 1", SLOT_Z);
}

static void fill_freely(struct gen *g) {
  struct sketch *s = g->sketch;
  for (uint32_t step = 0; g->budget; step++) {
    /* Every thread gets one access, then chance decides. */
    g->thread = step < s->thread_count ? step : below(g, s->thread_count);
    if (!has_room(g)) break;
    if (s->threads[g->thread].count) add_between(g);
    if (has_room(g)) add_access(g);
  }
}

static uint32_t shape_threads(const char *shape) {
  uint32_t count = 1;
  for (; *shape; shape++) count += *shape == '|';
  return count;
}

static void place(struct gen *g) {
  bool meets = g->theme == THEME_BARRIER || (g->theme == THEME_CONTROL && chance(g, 20));
  if (meets)
    place_for_barriers(g);
  else
    place_threads(g);
}

static void fill(struct gen *g, const char *shape) {
  switch (g->theme) {
  case THEME_SHAPE: fill_shape(g, shape); break;
  case THEME_FENCED: fill_fenced(g, shape, chance(g, 70) ? below(g, g->sketch->thread_count) : SKETCH_THREADS); break;
  case THEME_BARRIER: fill_barriers(g); break;
  case THEME_CONTROL: fill_control(g); break;
  case THEME_MULTIMEM: fill_multimem(g); break;
  case THEME_FLOATS: fill_floats(g); break;
  case THEME_TABLE: fill_table(g); break;
  case THEME_LOCKS: fill_locks(g); break;
  case THEME_ALIKE: fill_alike(g); break;
  default: fill_freely(g);
  }
}

/* Memory events, few where a test takes other choices too. */
static uint32_t random_budget(struct gen *g) {
  switch (g->theme) {
  case THEME_SHAPE: return 12;
  case THEME_TABLE: return 5 + WEIGHTED(g, 2, 3, 2, 0, 1);
  case THEME_BARRIER: return 2 + WEIGHTED(g, 1, 2, 4, 2);
  case THEME_CONTROL: return 3 + WEIGHTED(g, 2, 4, 3);
  default: return 3 + WEIGHTED(g, 1, 2, 4, 3, 1);
  }
}

struct sketch sketch_random(struct arena *arena, uint64_t seed, uint64_t index, enum sketch_about about) {
  struct sketch sketch = {.seed = seed, .index = index};
  struct gen g = {.rng = {seed * 0x2545f4914f6cdd1du + index}, .arena = arena, .sketch = &sketch, .next_temp = 30,
                  .writes = 5, .sc_fences = 4, .aim = NO_AIM};
  rng_next(&g.rng);
  g.theme = (enum theme)WEIGHTED(&g, 5, 4, 2, 2, 3, 4, 8, 10, 12, 1, 3, 8, 10, 5, 2);
  if (g.theme == THEME_LOCKS && chance(&g, 50)) g.theme = THEME_ALIKE;
  bool fenced = g.theme == THEME_FENCED;
  const char *shape = fenced ? PICK_FROM(&g, fenced_shapes) : PICK_FROM(&g, shapes);
  bool synchronizes = g.theme == THEME_BARRIER || g.theme == THEME_CONTROL;
  bool shaped = g.theme == THEME_SHAPE || fenced;
  sketch.thread_count = shaped ? shape_threads(shape) : 2 + WEIGHTED(&g, 6, 4, synchronizes ? 0 : 1);
  if (g.theme == THEME_CONTROL) sketch.unroll = 1 + WEIGHTED(&g, 2, 5, 3);
  g.budget = random_budget(&g);
  if (synchronizes) g.writes = 3, g.sc_fences = 2;
  if (about == ABOUT_HOSTS) {
    g.theme = THEME_HOSTS;
    fill_hosts(&g);
    return sketch;
  }
  if (about == ABOUT_TENSOR || (g.theme == THEME_ASYNC && chance(&g, 15))) g.theme = THEME_TENSOR;
  if (g.theme == THEME_ASYNC || g.theme == THEME_TENSOR) {
    (g.theme == THEME_ASYNC ? fill_async : fill_tensor)(&g);
    return sketch;
  }
  if (g.theme == THEME_LOCKS) size_locks(&g);
  if (g.theme == THEME_ALIKE) size_alike(&g);
  place(&g);
  bool whole = g.theme == THEME_FLOATS || g.theme == THEME_LOCKS || g.theme == THEME_ALIKE;
  if (g.theme == THEME_LOCKS) declare_locks(&g);
  else if (g.theme == THEME_ALIKE) declare_alike(&g);
  else if (!whole) declare(&g);
  fill(&g, shape);
  if (!whole) add_condition(&g);
  return sketch;
}
