/* Random tests with control flow: predicates, branches, exits, loops of each kind; and tests of multimem. */
#include "gen.h"

static uint32_t new_label(struct gen *g) { return g->next_label++; }
static void put_label(struct gen *g, uint32_t label) { put(g, "L%u:", label); }

/* A result to decide on; read first if there is none. */
static uint32_t some_result(struct gen *g) {
  if (!g->regs[g->thread]) add_load(g);
  return below(g, g->regs[g->thread]);
}

static uint32_t predicate_on(struct gen *g, uint32_t reg) {
  uint32_t predicate = new_temp(g);
  put(g, "setp.%s.u32 p%u, r%u, %u", PICK(g, "eq", "ne", "ge"), predicate, reg, below(g, 3));
  return predicate;
}

static void branch_on(struct gen *g, uint32_t reg, uint32_t label) {
  if (chance(g, 50)) {
    put(g, "%s r%u, %u, L%u", PICK(g, "beq", "bne", "bne", "blt", "ble", "bgt", "bge"), reg, below(g, 3), label);
    return;
  }
  uint32_t predicate = predicate_on(g, reg);
  put(g, "@%sp%u bra L%u", PICK(g, "", "!"), predicate, label);
}

/* An access or, in tests that have them, a barrier. */
static void add_step(struct gen *g) {
  if (g->sketch->barriers != SKETCH_NO_BARRIERS && g->arrivals && chance(g, 40)) {
    add_barrier(g);
    return;
  }
  if (!g->budget || !has_room(g)) return;
  if (chance(g, 20)) add_fence(g);
  add_access(g);
}

static void add_guarded(struct gen *g) {
  uint32_t predicate = predicate_on(g, some_result(g));
  g->guard = arena_printf(g->arena, "@%sp%u", PICK(g, "", "!"), predicate);
  add_step(g);
  if (chance(g, 25) && has_room(g)) add_step(g);
  g->guard = NULL;
}

static void add_if(struct gen *g) {
  uint32_t otherwise = new_label(g), end = new_label(g);
  branch_on(g, some_result(g), otherwise);
  add_step(g);
  bool both = chance(g, 40);
  if (both) put(g, "%s L%u", PICK(g, "bra", "goto", "bra.uni"), end);
  put_label(g, otherwise);
  if (!both) return;
  if (has_room(g)) add_step(g);
  put_label(g, end);
}

static void add_exit(struct gen *g) {
  uint32_t reg = some_result(g);
  if (chance(g, 60)) {
    uint32_t predicate = predicate_on(g, reg);
    put(g, "@%sp%u %s", PICK(g, "", "!"), predicate, PICK(g, "exit", "ret", "ret.uni", "trap"));
    return;
  }
  uint32_t on = new_label(g);
  branch_on(g, reg, on);
  if (chance(g, 40)) add_step(g);
  put(g, "%s", PICK(g, "exit", "ret", "ret.uni"));
  put_label(g, on);
}

/* Waits for a value: a load or a cas, again and again. */
static void add_spin(struct gen *g) {
  uint32_t label = new_label(g);
  put_label(g, label);
  if (g->writes && g->budget > 1 && chance(g, 35)) {
    uint32_t result = new_reg(g);
    put(g, "atom%s.cas.b32 r%u, %s, 0, %u", PICK(g, "", ".acquire.gpu", ".relaxed.cta", ".acq_rel.sys"), result,
        plain_location(g), 1 + below(g, 2));
    put(g, "bne r%u, 0, L%u", result, label);
    g->budget -= 2;
    g->writes--;
    return;
  }
  uint32_t next = g->regs[g->thread];
  add_load(g);
  if (chance(g, 20) && g->budget && has_room(g)) add_fence(g);
  branch_on(g, next, label);
}

/* A wait that mostly ends, with an atomic in each turn on which no branch depends; and the store that ends it. */
static void add_busy_wait(struct gen *g) {
  uint32_t label = new_label(g), flag = below(g, g->locations);
  g->thread = 1;
  put(g, "st.relaxed.sys [$%u], 1", flag);
  g->thread = 0;
  put_label(g, label);
  add_atomic(g);
  put(g, "ld.relaxed.sys r%u, [$%u]", new_reg(g), flag);
  put(g, "beq r%u, 0, L%u", g->regs[0] - 1, label);
  g->budget = below(g, 2);
}

static uint32_t after_loop(uint32_t left, uint32_t was, uint32_t unroll) {
  uint32_t used = (was - left) * (unroll - 1); /* the first copy is counted */
  return used > left ? 0 : left - used;
}

static void add_counted(struct gen *g) {
  uint32_t counter = new_temp(g), label = new_label(g), predicate = new_temp(g);
  uint32_t budget = g->budget, writes = g->writes, arrivals = g->arrivals;
  if (g->writes < 2) g->writes = 0;
  put(g, "mov.u32 r%u, 0", counter);
  put_label(g, label);
  add_step(g);
  if (g->sketch->unroll < 3 && chance(g, 10) && g->budget > 1 && has_room(g)) add_spin(g);
  put(g, "add.u32 r%u, r%u, 1", counter, counter);
  put(g, "setp.lt.u32 p%u, r%u, %u", predicate, counter, 2 + below(g, 2));
  put(g, "@p%u bra L%u", predicate, label);
  uint32_t unroll = g->sketch->unroll;
  g->budget = after_loop(g->budget, budget, unroll);
  g->writes = writes < 2 ? 0 : after_loop(g->writes, writes, unroll);
  g->arrivals = after_loop(g->arrivals, arrivals, unroll);
}

/* Labels and branches in no structure: loops that overlap, have several entries and exits. */
static void add_tangle(struct gen *g) {
  uint32_t first = g->next_label, count = 2 + below(g, 2);
  g->next_label += count + 1;
  uint32_t writes = g->writes;
  g->writes = 0;
  for (uint32_t i = 0; i < count; i++) {
    put_label(g, first + i);
    if (g->budget) add_load(g);
    if (has_room(g)) branch_on(g, some_result(g), first + below(g, count + 1));
  }
  put_label(g, first + count);
  g->writes = writes;
  g->budget = g->budget > 2 ? g->budget - 2 : 0;
}

static bool has_room_for_block(const struct gen *g) {
  return g->sketch->threads[g->thread].count + 14 < SKETCH_INSTRS;
}

static void add_block(struct gen *g) {
  bool tangled = g->sketch->unroll <= 2 && g->budget >= 3;
  switch (WEIGHTED(g, 5, 4, 4, 2, 4, 2, tangled ? 3 : 0)) {
  case 0: add_step(g); break;
  case 1: add_guarded(g); break;
  case 2: add_if(g); break;
  case 3: add_exit(g); break;
  case 4: add_spin(g); break;
  case 5: add_counted(g); break;
  default: add_tangle(g);
  }
}

void fill_control(struct gen *g) {
  g->arrivals = g->sketch->barriers == SKETCH_NO_BARRIERS ? 0 : 3;
  if (!g->arrivals && g->sketch->unroll < 3 && chance(g, 20)) add_busy_wait(g);
  for (uint32_t step = 0; g->budget && step < 12; step++) {
    g->thread = step < g->sketch->thread_count ? step : below(g, g->sketch->thread_count);
    if (!has_room_for_block(g)) break;
    if (g->sketch->threads[g->thread].count && chance(g, 25)) add_fence(g);
    /* Something must be written early, or nothing is to be seen. */
    if (step == 0 && chance(g, 70)) add_store(g);
    else add_block(g);
  }
}

/* --- multimem */

void declare_multimem(struct gen *g) {
  g->unit = chance(g, 25) ? 8 : 4;
  if (g->unit == 4) {
    put_init(g, "multimem mm={%s}", g->locations > 1 ? "$0,$1" : "$0");
    return;
  }
  put_init(g, ".u64 $%d=0", SLOT_WIDE);
  if (g->locations > 1) put_init(g, ".u64 $%d=0", SLOT_ARRAY);
  put_init(g, g->locations > 1 ? "multimem mm={$%d,$%d}" : "multimem mm={$%d}", SLOT_WIDE, SLOT_ARRAY);
}

static const char *multimem_operation(struct gen *g) {
  static const char *const small[] = {"add.u32", "add.u32", "add.s32", "min.u32", "min.s32",
                                      "max.u32", "max.s32", "and.b32", "or.b32",  "xor.b32"};
  static const char *const large[] = {"add.u64", "min.u64", "max.u64", "min.s64", "max.s64",
                                      "and.b64", "or.b64",  "xor.b64"};
  return g->unit == 4 ? pick(g, small, ARRAY_LEN(small)) : pick(g, large, ARRAY_LEN(large));
}

static void add_multimem(struct gen *g) {
  uint32_t replicas = g->locations > 1 ? 2 : 1;
  const char *type;
  switch (g->writes >= replicas ? WEIGHTED(g, 3, 3, 2) : 0) {
  case 0:
    put(g, "multimem.ld_reduce.%s.global.%s r%u, [mm]",
        chance(g, 40) ? "weak" : arena_printf(g->arena, "%s.%s", PICK(g, "acquire", "relaxed"), scope(g)),
        multimem_operation(g), new_reg(g));
    g->budget = g->budget > replicas ? g->budget - replicas : 0;
    return;
  case 1:
    type = g->unit == 4 ? PICK(g, "u32", "s32", "b32", "f32") : PICK(g, "u64", "s64", "b64", "f64");
    put(g, "multimem.st.%s.global.%s [mm], %u%s",
        chance(g, 40) ? "weak" : arena_printf(g->arena, "%s.%s", PICK(g, "release", "relaxed"), scope(g)), type,
        1 + below(g, 3), type[0] == 'f' ? ".0" : "");
    break;
  default:
    put(g, "multimem.red.%s.%s.global.%s [mm], %u", PICK(g, "relaxed", "release"), scope(g), multimem_operation(g),
        1 + below(g, 2));
    g->budget = g->budget > replicas ? g->budget - replicas : 0;
  }
  g->writes -= replicas;
  g->budget = g->budget > replicas ? g->budget - replicas : 0;
}

void fill_multimem(struct gen *g) {
  for (uint32_t step = 0; g->budget; step++) {
    g->thread = step < g->sketch->thread_count ? step : below(g, g->sketch->thread_count);
    if (!has_room(g)) break;
    if (g->sketch->threads[g->thread].count) add_between(g);
    if (chance(g, 55)) add_multimem(g);
    else add_access(g);
  }
}
