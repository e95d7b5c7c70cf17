#include "term/depend.h"

#include "base/rng.h"
#include "term/word.h"

enum depends { DEPENDS_NO, DEPENDS_YES, DEPENDS_UNDECIDED };

/* What a term is made of, itself included: operands come before the terms that use them. Tables below are by term, and
 * filled in for these. */
struct cone {
  const struct terms *terms;
  struct arena *arena;
  term_id top;
  VEC(term_id) parts;
};

static bool is_free(const struct term *t) { return term_op_is_leaf(t->op) && t->op != TERM_CONST; }

static bool is_read(const struct term *t) {
  return t->op == TERM_READ || t->op == TERM_REDUCE || t->op == TERM_LANE || t->op == TERM_PASS ||
         t->op == TERM_PENDING;
}

static struct cone find_cone(const struct terms *terms, term_id top) {
  struct cone cone = {terms, terms->arena, top, {0}};
  bool *mentioned = ARENA_ARRAY(terms->arena, bool, top + 1);
  term_cone(terms, top, mentioned);
  for (term_id id = 0; id <= top; id++)
    if (mentioned[id]) VEC_PUSH(terms->arena, &cone.parts, id);
  return cone;
}

/* The parts that are made of the leaf. */
static bool *find_varying(const struct cone *cone, term_id leaf) {
  bool *varies = ARENA_ARRAY(cone->arena, bool, cone->top + 1);
  for (uint32_t k = 0; k < cone->parts.len; k++) {
    term_id id = cone->parts.data[k], operands[3];
    unsigned count = term_operands(cone->terms, id, operands);
    varies[id] = id == leaf;
    for (unsigned i = 0; i < count; i++) varies[id] |= varies[operands[i]];
  }
  return varies;
}

/* ---- Trying values ---- */

struct trial {
  const struct cone *cone;
  const bool *varies;
  VEC(value_t) pool; /* values that are worth trying: comparisons change at the constants that a term mentions */
  struct rng rng;
  value_t *one, *other; /* the values of the parts, with two values of the leaf */
};

static void fill_pool(struct trial *t) {
  struct arena *arena = t->cone->arena;
  VEC_PUSH(arena, &t->pool, 0);
  VEC_PUSH(arena, &t->pool, ~(value_t)0);
  for (uint32_t k = 0; k < t->cone->parts.len; k++) {
    const struct term *term = term_get(t->cone->terms, t->cone->parts.data[k]);
    if (term->op != TERM_CONST) continue;
    for (value_t around = 0; around < 3; around++) VEC_PUSH(arena, &t->pool, term->constant + around - 1);
  }
}

static value_t any_value(struct trial *t, unsigned width) {
  value_t value = (value_t)rng_next(&t->rng) << 64 | rng_next(&t->rng);
  if (rng_below(&t->rng, 4)) value = t->pool.data[rng_below(&t->rng, t->pool.len)];
  return value & value_mask(width);
}

static value_t evaluate(const struct terms *terms, term_id id, const value_t *values) {
  term_id operands[3];
  value_t of[3] = {0, 0, 0};
  unsigned count = term_operands(terms, id, operands);
  for (unsigned i = 0; i < count; i++) of[i] = values[operands[i]];
  unsigned width = count ? term_get(terms, operands[0])->width : 0;
  return term_apply(term_get(terms, id), of[0], width, of[1], of[2]);
}

static bool differs(struct trial *t, term_id leaf) {
  for (uint32_t k = 0; k < t->cone->parts.len; k++) {
    term_id id = t->cone->parts.data[k];
    const struct term *term = term_get(t->cone->terms, id);
    t->one[id] = is_free(term) ? any_value(t, term->width) : evaluate(t->cone->terms, id, t->one);
    t->other[id] = id == leaf       ? any_value(t, term->width)
                   : !t->varies[id] ? t->one[id]
                                    : evaluate(t->cone->terms, id, t->other);
  }
  return t->one[t->cone->top] != t->other[t->cone->top];
}

static bool found_difference(const struct cone *cone, term_id leaf, const bool *varies) {
  enum { ROUNDS = 32 };
  struct trial trial = {.cone = cone, .varies = varies};
  trial.one = ARENA_ARRAY(cone->arena, value_t, cone->top + 1);
  trial.other = ARENA_ARRAY(cone->arena, value_t, cone->top + 1);
  fill_pool(&trial);
  for (unsigned round = 0; round < ROUNDS; round++)
    if (differs(&trial, leaf)) return true;
  return false;
}

/* ---- Two copies ---- */

static struct word free_word(struct gates *gates, unsigned width) {
  struct word word = {ARENA_ARRAY(gates->arena, lit, width), width};
  for (unsigned i = 0; i < width; i++) word.bits[i] = sat_variable(gates->sat);
  return word;
}

static struct word part_word(const struct terms *terms, struct gates *gates, term_id id, const struct word *words) {
  const struct term *term = term_get(terms, id);
  if (is_free(term) || term->op == TERM_FLOAT) return free_word(gates, term->width);
  term_id operands[3];
  struct word of[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  unsigned count = term_operands(terms, id, operands);
  for (unsigned i = 0; i < count; i++) of[i] = words[operands[i]];
  return word_apply(gates, term, of[0], of[1], of[2]);
}

static enum depends solve(const struct cone *cone, const bool *varies, int effort) {
  struct gates gates;
  struct sat *sat = sat_new(cone->arena, true);
  gates_init(&gates, cone->arena, sat);
  struct word *one = ARENA_ARRAY(cone->arena, struct word, cone->top + 1);
  struct word *other = ARENA_ARRAY(cone->arena, struct word, cone->top + 1);
  for (uint32_t k = 0; k < cone->parts.len; k++) {
    term_id id = cone->parts.data[k];
    if (varies[id] && term_get(cone->terms, id)->op == TERM_FLOAT) return DEPENDS_UNDECIDED;
    one[id] = part_word(cone->terms, &gates, id, one);
    other[id] = varies[id] ? part_word(cone->terms, &gates, id, other) : one[id];
  }
  sat_clause1(sat, -word_equal(&gates, one[cone->top], other[cone->top]));
  sat_effort(sat, effort);
  switch (sat_solve(sat)) {
    case SAT_YES: return DEPENDS_YES;
    case SAT_NO: return DEPENDS_NO;
    case SAT_UNKNOWN: break;
  }
  return DEPENDS_UNDECIDED;
}

static enum depends part_depends(const struct cone *cone, term_id leaf, int effort) {
  struct arena_mark mark = arena_mark(cone->arena);
  const bool *varies = find_varying(cone, leaf);
  enum depends answer = found_difference(cone, leaf, varies) ? DEPENDS_YES : solve(cone, varies, effort);
  arena_rewind(cone->arena, mark);
  return answer;
}

/* ---- Without the leaves that make no difference ---- */

/* Whether the term is a leaf, or made of one by steps that lose nothing: most are. */
static bool is_one_to_one(const struct terms *terms, term_id id) {
  for (;;) {
    struct term t = *term_get(terms, id);
    bool widens = (t.op == TERM_ZEXT || t.op == TERM_SEXT) && term_get(terms, t.a)->width <= t.width;
    bool shifts = t.op == TERM_ADD || t.op == TERM_SUB || t.op == TERM_XOR || t.op == TERM_EQ;
    if (term_op_is_leaf(t.op)) return true;
    if (widens || t.op == TERM_NOT || (shifts && term_is_const(terms, t.b))) id = t.a;
    else if (shifts && term_is_const(terms, t.a)) id = t.b;
    else return false;
  }
}

/* A leaf that makes no difference. */
static bool find_false_leaf(const struct cone *cone, int effort, term_id *leaf, bool *undecided) {
  for (uint32_t k = 0; k < cone->parts.len; k++) {
    *leaf = cone->parts.data[k];
    if (*leaf == cone->top || !is_read(term_get(cone->terms, *leaf))) continue;
    enum depends depends = part_depends(cone, *leaf, effort);
    if (depends == DEPENDS_NO) return true;
    *undecided |= depends == DEPENDS_UNDECIDED;
  }
  return false;
}

term_id term_reduce(struct terms *terms, term_id term, int effort, bool *undecided) {
  while (!is_one_to_one(terms, term)) {
    struct arena_mark mark = arena_mark(terms->arena);
    struct cone cone = find_cone(terms, term);
    term_id leaf;
    bool found = find_false_leaf(&cone, effort, &leaf, undecided);
    arena_rewind(terms->arena, mark);
    if (!found) return term;
    term = term_substitute(terms, term, leaf, term_const(terms, 0, term_get(terms, leaf)->width));
  }
  return term;
}

void term_mentions(const struct terms *terms, term_id term, struct bitset events) {
  struct arena_mark mark = arena_mark(terms->arena);
  struct cone cone = find_cone(terms, term);
  for (uint32_t k = 0; k < cone.parts.len; k++) {
    const struct term *part = term_get(terms, cone.parts.data[k]);
    if (is_read(part)) bitset_add(events, part->event);
  }
  arena_rewind(terms->arena, mark);
}
