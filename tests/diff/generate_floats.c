/* Random tests of floating-point, packed and vector atomics, of arithmetic on what they read, and of multimem
 * reductions of such types. Each test has one type. */
#include "gen.h"

struct float_type {
  const char *element;      /* of the location */
  const char *type, *noftz; /* of the operation, as `.vec.type` */
  const char *memory;       /* a plain access to one element */
  unsigned format;          /* index of its constants */
  unsigned elements;        /* of one operation */
  unsigned registers;       /* operands of one operation */
  bool least;               /* min and max too */
  bool multimem;
};

static const struct float_type float_types[] = {
    {"f32", ".f32", "", "b32", 0, 1, 1, false, true},
    {"f32", ".f32", ".noftz", "b32", 0, 1, 1, false, false},
    {"f64", ".f64", "", "b64", 1, 1, 1, false, true},
    {"f16", ".f16", ".noftz", "b16", 2, 1, 1, false, false},
    {"bf16", ".bf16", ".noftz", "b16", 3, 1, 1, false, false},
    {"f16", ".f16x2", ".noftz", "b16", 2, 2, 1, false, true},
    {"bf16", ".bf16x2", ".noftz", "b16", 3, 2, 1, false, true},
    {"f32", ".v2.f32", "", "b32", 0, 2, 2, false, true},
    {"f16", ".v2.f16", ".noftz", "b16", 2, 2, 2, true, true},
    {"bf16", ".v2.bf16", ".noftz", "b16", 3, 2, 2, true, true},
};

/* 1, 2, 0.5, -1, 1.5, a large number, one that is lost beside 1, the least subnormal; rarely the infinities. */
static const char *const constants[][10] = {
    {"0x3f800000", "0x40000000", "0x3f000000", "0xbf800000", "0x3fc00000", "0x7f7fffff", "0x33000000", "0f00000001",
     "0x7f800000", "0xff800000"},
    {"0x3ff0000000000000", "0x4000000000000000", "0x3fe0000000000000", "0xbff0000000000000", "0x3ff8000000000000",
     "0x7fefffffffffffff", "0x3c90000000000000", "0d0000000000000001", "0x7ff0000000000000", "0xfff0000000000000"},
    {"0x3c00", "0x4000", "0x3800", "0xbc00", "0x3e00", "0x7bff", "0x0c00", "0f33800000", "0x7c00", "0xfc00"},
    {"0x3f80", "0x4000", "0x3f00", "0xbf80", "0x3fc0", "0x7f7f", "0x3700", "0f00010000", "0x7f80", "0xff80"},
};

/* The same as plain bits, of which a packed operand takes two. */
static const char *const halves[][10] = {
    {"3c00", "4000", "3800", "bc00", "3e00", "7bff", "0c00", "0001", "7c00", "fc00"},
    {"3f80", "4000", "3f00", "bf80", "3fc0", "7f7f", "3700", "0001", "7f80", "ff80"},
};

static uint32_t which(struct gen *g) { return WEIGHTED(g, 30, 15, 10, 15, 10, 3, 5, 4, 1, 1); }
static bool packed(const struct float_type *t) { return t->elements > t->registers; }

static const char *constant(struct gen *g, const struct float_type *t) {
  if (!packed(t)) return constants[t->format][which(g)];
  const char *high = halves[t->format - 2][which(g)];
  return arena_printf(g->arena, "0x%s%s", high, halves[t->format - 2][which(g)]);
}

/* For an instruction on plain bits. */
static const char *bits(struct gen *g, const struct float_type *t) {
  uint32_t at = which(g);
  return t->format < 2 ? constants[t->format][at] : arena_printf(g->arena, "0x%s", halves[t->format - 2][at]);
}

static const char *operand(struct gen *g, const struct float_type *t) {
  uint32_t known = g->regs[g->thread];
  if (known && chance(g, 25)) return arena_printf(g->arena, "r%u", below(g, known));
  return constant(g, t);
}

static const char *operands(struct gen *g, const struct float_type *t) {
  if (t->registers == 1) return operand(g, t);
  const char *first = operand(g, t);
  return arena_printf(g->arena, "{%s, %s}", first, operand(g, t));
}

static const char *results(struct gen *g, const struct float_type *t) {
  uint32_t first = new_reg(g);
  if (t->registers == 1) return arena_printf(g->arena, "r%u", first);
  return chance(g, 10) ? arena_printf(g->arena, "{_, r%u}", first)
                       : arena_printf(g->arena, "{r%u, r%u}", first, new_reg(g));
}

static const char *order(struct gen *g, bool red) {
  if (chance(g, 15)) return "";
  const char *sem = red ? PICK(g, "relaxed", "release") : PICK(g, "relaxed", "acquire", "release", "acq_rel");
  return arena_printf(g->arena, ".%s.%s", sem, scope(g));
}

static void take(struct gen *g, uint32_t events, uint32_t writes) {
  g->budget = g->budget > events ? g->budget - events : 0;
  g->writes = g->writes > writes ? g->writes - writes : 0;
}

static void add_float_atomic(struct gen *g, const struct float_type *t) {
  const char *operation = t->least ? PICK(g, "add", "min", "max") : "add";
  const char *space = chance(g, 40) ? ".global" : "", *what = operands(g, t);
  uint32_t location = below(g, g->locations);
  if (chance(g, 30))
    put(g, "red%s%s.%s%s%s [$%u], %s", order(g, true), space, operation, t->noftz, t->type, location, what);
  else
    put(g, "atom%s%s.%s%s%s %s, [$%u], %s", order(g, false), space, operation, t->noftz, t->type, results(g, t),
        location, what);
  take(g, 2 * t->elements, t->elements);
}

static void add_float_multimem(struct gen *g, const struct float_type *t) {
  uint32_t replicas = g->locations > 1 ? 2 : 1, events = replicas * t->elements;
  const char *wide = t->format >= 2 && chance(g, 40) ? ".acc::f32" : "";
  bool half = t->format >= 2;
  if (g->writes < events || chance(g, 40)) {
    put(g, "multimem.ld_reduce.%s%s%s%s %s, [mm]", chance(g, 50) ? "weak." : "relaxed.gpu.",
        half ? PICK(g, "add", "min", "max") : "add", wide, t->type, results(g, t));
    take(g, events, 0);
  } else if (chance(g, 50)) {
    put(g, "multimem.st.weak%s [mm], %s", t->type, operands(g, t));
    take(g, events, events);
  } else {
    put(g, "multimem.red.relaxed.gpu.add%s [mm], %s", t->type, operands(g, t));
    take(g, 2 * events, events);
  }
}

static void add_plain(struct gen *g, const struct float_type *t) {
  uint32_t location = below(g, g->locations), at = below(g, t->elements);
  const char *how = chance(g, 40) ? "weak" : arena_printf(g->arena, "relaxed.%s", scope(g));
  if (g->writes && chance(g, 40)) {
    const char *what = bits(g, t);
    put(g, "st.%s.%s [$%u+%u], %s", how, t->memory, location, at * (t->format == 1 ? 8 : t->format ? 2 : 4), what);
    take(g, 1, 1);
  } else if (!packed(t)) {
    put(g, "ld.%s.%s r%u, [$%u+%u]", how, t->memory, new_reg(g), location,
        at * (t->format == 1 ? 8
              : t->format    ? 2
                             : 4));
    take(g, 1, 0);
  }
}

/* Something made of a result, for the next operand. */
static void add_arithmetic(struct gen *g, const struct float_type *t) {
  static const char *const scalar[] = {"f32", "f64", "f16", "bf16"};
  if (!g->regs[g->thread]) return;
  const char *type = packed(t) ? t->type + 1 : scalar[t->format];
  uint32_t from = below(g, g->regs[g->thread]), predicate = new_temp(g);
  const char *what = constant(g, t);
  switch (WEIGHTED(g, 4, 2, 1, packed(t) ? 0 : 3, packed(t) || t->format ? 0 : 1)) {
    case 0:
      put(g, "%s.%s r%u, r%u, %s", PICK(g, "add", "sub", "min", "max", "mul"), type, new_reg(g), from, what);
      break;
    case 1:
      if (!packed(t) && chance(g, 20)) put(g, "fma.rn.%s r%u, r%u, %s, r%u", type, new_reg(g), from, what, from);
      else put(g, "%s.%s r%u, r%u", PICK(g, "neg", "abs"), type, new_reg(g), from);
      break;
    case 2:
      if (t->format == 1) put(g, "mov.b64 {r%u, r%u}, r%u", new_temp(g), new_temp(g), from);
      if (t->format == 0) put(g, "mov.b64 r%u, {r%u, r%u}", new_temp(g), from, from);
      break;
    case 3:
      put(g, "setp.%s.%s p%u, r%u, %s", PICK(g, "lt", "geu", "eq", "neu", "num", "gt", "leu", "ne"), type, predicate,
          from, what);
      put(g, "selp.b%s r%u, r%u, %s, p%u",
          t->format == 1   ? "64"
          : t->format == 0 ? "32"
                           : "16",
          new_reg(g), from, bits(g, t), predicate);
      break;
    default: put(g, "%s.ftz.f32 r%u, r%u, %s", PICK(g, "add", "mul", "max"), new_reg(g), from, constants[0][which(g)]);
  }
}

static void declare_floats(struct gen *g, const struct float_type *t) {
  for (uint32_t i = 0; i < g->locations; i++) {
    const char *first = constants[t->format][which(g)];
    if (t->elements == 1) put_init(g, ".%s $%u=%s", t->element, i, first);
    else put_init(g, ".%s $%u[2]={%s,%s}", t->element, i, first, constants[t->format][which(g)]);
  }
  if (t->multimem) put_init(g, "multimem mm={%s}", g->locations > 1 ? "$0,$1" : "$0");
}

static void add_float_condition(struct gen *g, const struct float_type *t) {
  uint32_t thread = below(g, g->sketch->thread_count);
  const char *what = packed(t) ? constant(g, t) : constants[t->format][below(g, 5)], *term;
  if (g->regs[thread] && chance(g, 70))
    term = arena_printf(g->arena, "#%u:r%u=%s", thread, below(g, g->regs[thread]), what);
  else term = arena_printf(g->arena, "$0%s=%s", t->elements > 1 ? "[0]" : "", constants[t->format][below(g, 5)]);
  const char *all = t->elements > 1 ? "locations [$0[0]; $0[1];]\n" : "locations [$0;]\n";
  g->sketch->condition = arena_printf(g->arena, "%s%s (%s)", all, PICK(g, "exists", "forall", "~exists"), term);
}

void fill_floats(struct gen *g) {
  const struct float_type *t = &float_types[below(g, ARRAY_LEN(float_types))];
  g->locations = 1 + below(g, 2);
  declare_floats(g, t);
  g->budget = t->elements > 1 ? 8 : 7;
  for (uint32_t step = 0; g->budget; step++) {
    g->thread = step < g->sketch->thread_count ? step : below(g, g->sketch->thread_count);
    if (!has_room(g)) break;
    if (chance(g, 15)) add_fence(g);
    if (chance(g, 30)) add_arithmetic(g, t);
    if (!has_room(g)) break;
    if (t->multimem && g->budget >= 2 && chance(g, 20)) add_float_multimem(g, t);
    else if (g->writes >= t->elements && chance(g, 65)) add_float_atomic(g, t);
    else add_plain(g, t);
  }
  add_float_condition(g, t);
}
