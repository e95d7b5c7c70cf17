#include "generate_model.h"

#include "base/rng.h"
#include "base/text.h"
#include "base/vec.h"

enum { NAMES = 4 };

struct modelling {
  struct rng rng;
  struct arena *arena;
  const char *names[NAMES]; /* relations defined so far */
  uint32_t name_count;
};

static bool chance(struct modelling *m, uint32_t percent) { return rng_below(&m->rng, 100) < percent; }

static const char *set(struct modelling *m, unsigned depth);

static const char *leaf(struct modelling *m) {
  static const char *const leaves[] = {
      "po",       "po",       "rf",       "rf",   "co",        "co",        "fr",   "fr",   "sc",   "sc", "loc",
      "rmw",      "addr",     "data",     "ctrl", "incl",      "bar",       "[own]", "po & loc", "rf & ext", "co & ext",
      "fr & ext", "ext & own * own", "int & own * own"};
  uint32_t which = rng_below(&m->rng, (uint32_t)ARRAY_LEN(leaves) + 2 * m->name_count);
  if (which < ARRAY_LEN(leaves)) return arena_printf(m->arena, "(%s)", leaves[which]);
  return m->names[(which - ARRAY_LEN(leaves)) / 2];
}

static const char *relation(struct modelling *m, unsigned depth) {
  static const struct {
    uint32_t weight;
    unsigned operands;
    const char *format;
  } forms[] = {{16, 2, "(%s | %s)"}, {12, 2, "(%s & %s)"}, {8, 2, "(%s \\ %s)"},      {18, 2, "(%s ; %s)"},
               {6, 1, "(%s)^-1"},    {8, 1, "(%s)+"},      {3, 1, "(%s | [own])"}, {2, 1, "((own * own) \\ %s)"}};
  uint32_t roll = rng_below(&m->rng, 100);
  for (size_t i = 0; depth && i < ARRAY_LEN(forms); i++) {
    if (roll >= forms[i].weight) {
      roll -= forms[i].weight;
      continue;
    }
    const char *a = relation(m, depth - 1);
    const char *b = forms[i].operands == 2 ? relation(m, depth - 1) : "";
    struct text out = {.arena = m->arena};
    for (const char *c = forms[i].format; *c; c++) {
      if (*c != '%') text_char(&out, *c);
      else text_add(&out, a), a = b, c++;
    }
    return text_str(&out);
  }
  if (depth && roll < 4) return arena_printf(m->arena, "[%s & own]", set(m, depth - 1));
  if (depth && roll < 6)
    return arena_printf(m->arena, "((%s & own) * (%s & own))", set(m, depth - 1), set(m, depth - 1));
  return leaf(m);
}

static const char *set(struct modelling *m, unsigned depth) {
  static const char *const leaves[] = {"W", "R", "F", "M", "SC", "ACQ", "REL", "RLX", "ATOM", "(F & SC)", "own"};
  uint32_t roll = depth ? rng_below(&m->rng, 100) : 0;
  if (roll < 60) return leaves[rng_below(&m->rng, (uint32_t)ARRAY_LEN(leaves))];
  if (roll >= 93) return arena_printf(m->arena, "range(%s)", relation(m, depth - 1));
  if (roll >= 86) return arena_printf(m->arena, "domain(%s)", relation(m, depth - 1));
  const char *a = set(m, depth - 1), *b = set(m, depth - 1);
  return arena_printf(m->arena, "(%s %s %s)", a, roll < 70 ? "|" : roll < 78 ? "&" : "\\", b);
}

static void define(struct modelling *m, struct text *out) {
  const char *a = relation(m, 1), *b = relation(m, 1);
  if (chance(m, 60)) {
    const char *name = m->name_count ? "second" : "first";
    text_printf(out, "let %s = %s\n", name, relation(m, 2));
    m->names[m->name_count++] = name;
  }
  if (!chance(m, 35)) return;
  switch (rng_below(&m->rng, 3)) {
    case 0: text_printf(out, "let rec again = %s | (again ; %s)\n", a, b); break;
    case 1: text_printf(out, "let rec again = %s | (%s ; again ; again)\n", a, b); break;
    default: text_printf(out, "let rec again = (%s | (again & %s)) ; again\n", a, b); break;
  }
  m->names[m->name_count++] = "again";
}

static void add_axiom(struct modelling *m, struct text *out, unsigned number) {
  const char *wanted = relation(m, 3);
  switch (rng_below(&m->rng, 5)) {
    case 0: text_printf(out, "empty %s & ext & %s as Axiom-%u\n", wanted, relation(m, 1), number); break;
    case 1:
    case 2: text_printf(out, "acyclic %s as Axiom-%u\n", wanted, number); break;
    default: text_printf(out, "irreflexive %s as Axiom-%u\n", wanted, number); break;
  }
}

const char *generate_model(struct arena *arena, uint64_t seed, uint64_t index) {
  struct modelling m = {.rng = {seed * 0x9e3779b97f4a7c15u + index}, .arena = arena};
  struct text out = {.arena = arena};
  text_printf(&out, "\"Random %llu-%llu\"\nlet own = _ \\ IW\n", (unsigned long long)seed, (unsigned long long)index);
  define(&m, &out);
  if (m.name_count == 1) define(&m, &out);
  text_add(&out, "acyclic po & loc | rf | co | fr as Coherent\nacyclic rf | addr | data | ctrl as No-Thin-Air\n");
  for (unsigned i = 0, count = 1 + rng_below(&m.rng, 2); i < count; i++) add_axiom(&m, &out, i);
  for (unsigned i = 0, count = rng_below(&m.rng, 3); i < count; i++)
    text_printf(&out, "flag ~empty %s as flag-%u\n", relation(&m, 3), i);
  if (chance(&m, 10)) text_printf(&out, "undefined_unless empty %s as undefined\n", relation(&m, 2));
  return text_str(&out);
}
