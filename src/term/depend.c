#include "term/depend.h"

#include "base/rng.h"
#include "term/word.h"

/* A read, and terms that mention it. The tables are by term, filled in for `parts`. */
struct doubt {
  const struct terms *terms;
  struct arena *arena;
  term_id leaf;
  term_id *open; /* the terms to which the read is not known to make a difference */
  uint32_t count;
  term_id size;       /* of tables: more than any of these terms */
  VEC(term_id) parts; /* their subterms, themselves included: operands come before the terms that use them */
  const bool *varies; /* it mentions the read */
  value_t *lucky;     /* the values of leaves with which a term last differed, for this read or another */
};

static bool is_free(const struct term *t) { return term_op_is_leaf(t->op) && t->op != TERM_CONST; }

static bool is_read(const struct term *t) {
  return t->op == TERM_READ || t->op == TERM_REDUCE || t->op == TERM_LANE || t->op == TERM_PASS ||
         t->op == TERM_PENDING;
}

static term_id size_for(const term_id *list, uint32_t count) {
  term_id size = 0;
  for (uint32_t k = 0; k < count; k++)
    if (list[k] >= size) size = list[k] + 1;
  return size;
}

static void find_parts(struct doubt *d) {
  bool *mentioned = ARENA_ARRAY(d->arena, bool, d->size);
  for (uint32_t k = 0; k < d->count; k++) mentioned[d->open[k]] = true;
  term_close(d->terms, mentioned, d->size);
  for (term_id id = 0; id < d->size; id++)
    if (mentioned[id]) VEC_PUSH(d->arena, &d->parts, id);
}

/* Finds the terms below `size` that mention the leaf. */
static void find_varying(const struct terms *terms, term_id leaf, bool *varies, term_id size) {
  for (term_id id = 0; id < size; id++) {
    term_id operands[3];
    unsigned count = term_operands(terms, id, operands);
    varies[id] = id == leaf;
    for (unsigned i = 0; i < count; i++) varies[id] |= varies[operands[i]];
  }
}

/* ---- Trying values ---- */

struct trial {
  const struct doubt *d;
  VEC(value_t) pool; /* values that are worth trying: comparisons change at the constants that terms mention */
  struct rng rng;
  value_t *one, *other; /* the values of the parts, with two values of the leaf */
};

static void fill_pool(struct trial *t) {
  struct arena *arena = t->d->arena;
  VEC_PUSH(arena, &t->pool, 0);
  VEC_PUSH(arena, &t->pool, ~(value_t)0);
  for (uint32_t k = 0; k < t->d->parts.len; k++) {
    const struct term *term = term_get(t->d->terms, t->d->parts.data[k]);
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

static value_t first_value(struct trial *t, term_id id, bool lucky) {
  const struct term *term = term_get(t->d->terms, id);
  if (!is_free(term)) return evaluate(t->d->terms, id, t->one);
  return lucky && rng_below(&t->rng, 8) ? t->d->lucky[id] : any_value(t, term->width);
}

/* Closes the terms whose values differ in this trial. True if there were any. */
static bool try_once(struct trial *t, struct doubt *d, bool lucky) {
  VEC_VALUES (id, &d->parts) {
    const struct term *term = term_get(d->terms, id);
    t->one[id] = first_value(t, id, lucky);
    t->other[id] = id == d->leaf    ? any_value(t, term->width)
                   : !d->varies[id] ? t->one[id]
                                    : evaluate(d->terms, id, t->other);
  }
  uint32_t before = d->count;
  d->count = 0;
  for (uint32_t k = 0; k < before; k++)
    if (t->one[d->open[k]] == t->other[d->open[k]]) d->open[d->count++] = d->open[k];
  if (d->count == before) return false;
  for (uint32_t k = 0; k < d->parts.len; k++) d->lucky[d->parts.data[k]] = t->one[d->parts.data[k]];
  return true;
}

/* Every second trial reuses most values of the last success, because values that decide one read often decide the
 * next. */
static void try_values(struct doubt *d) {
  enum { ROUNDS = 32 }; /* the most trials in a row without success */
  struct trial trial = {.d = d};
  trial.one = ARENA_ARRAY(d->arena, value_t, d->size);
  trial.other = ARENA_ARRAY(d->arena, value_t, d->size);
  fill_pool(&trial);
  for (unsigned vain = 0; vain < ROUNDS && d->count; vain++)
    if (try_once(&trial, d, vain % 2 == 0)) vain = 0;
}

/* ---- Two copies ---- */

static struct word free_word(struct gates *gates, unsigned width) {
  struct word word = {ARENA_ARRAY(gates->arena, lit, width), width};
  for (unsigned i = 0; i < width; i++) word.bits[i] = sat_variable(gates->sat);
  return word;
}

static struct word part_word(const struct terms *terms, struct gates *gates, term_id id, const struct word *words) {
  const struct term *term = term_get(terms, id);
  if (is_free(term)) return free_word(gates, term->width);
  term_id operands[3];
  struct word of[3] = {{NULL, 0}, {NULL, 0}, {NULL, 0}};
  unsigned count = term_operands(terms, id, operands);
  for (unsigned i = 0; i < count; i++) of[i] = words[operands[i]];
  return word_apply(gates, term, of[0], of[1], of[2]);
}

/* A literal for each open term, which implies that the copies differ. */
static lit *encode(const struct doubt *d, struct sat *sat, struct word *one) {
  struct gates gates;
  gates_init(&gates, d->arena, sat);
  struct word *other = ARENA_ARRAY(d->arena, struct word, d->size);
  VEC_VALUES (id, &d->parts) {
    one[id] = part_word(d->terms, &gates, id, one);
    other[id] = d->varies[id] ? part_word(d->terms, &gates, id, other) : one[id];
  }
  lit *differs = ARENA_ARRAY(d->arena, lit, d->count);
  for (uint32_t k = 0; k < d->count; k++) differs[k] = -word_equal(&gates, one[d->open[k]], other[d->open[k]]);
  return differs;
}

static void remember(const struct doubt *d, struct sat *sat, const struct word *one) {
  VEC_VALUES (id, &d->parts) {
    if (!is_free(term_get(d->terms, id))) continue;
    value_t value = 0;
    for (unsigned i = 0; i < one[id].width; i++) value |= (value_t)sat_value(sat, one[id].bits[i]) << i;
    d->lucky[id] = value;
  }
}

/* Closes the terms that differ in some solution, until there is no solution: with SAT_NO no other term differs. */
static enum sat_answer solve(struct doubt *d, int effort) {
  struct sat *sat = sat_new(d->arena, true);
  struct word *one = ARENA_ARRAY(d->arena, struct word, d->size);
  lit *differs = encode(d, sat, one);
  enum sat_answer answer = SAT_NO;
  while (d->count) {
    sat_clause(sat, differs, d->count);
    sat_effort(sat, effort);
    if ((answer = sat_solve(sat)) != SAT_YES) return answer;
    remember(d, sat, one);
    uint32_t before = d->count;
    d->count = 0;
    for (uint32_t k = 0; k < before; k++) {
      if (sat_value(sat, differs[k])) continue;
      d->open[d->count] = d->open[k];
      differs[d->count++] = differs[k];
    }
  }
  return answer;
}

/* Removes from `open` the terms to which the read makes a difference, or for which this is too hard to decide
 * (*undecided). */
static void settle(struct doubt *d, int effort, bool *undecided) {
  find_parts(d);
  try_values(d);
  if (!d->count) return;
  if (solve(d, effort) != SAT_UNKNOWN) return;
  if (d->count == 1) {
    *undecided = true;
    d->count = 0;
  }
  uint32_t each = d->count; /* all together are too hard: each alone */
  d->count = 0;
  for (uint32_t k = 0; k < each; k++) {
    struct doubt alone = {d->terms, d->arena, d->leaf, &d->open[k], 1, d->size, {0}, d->varies, d->lucky};
    settle(&alone, effort, undecided);
    if (alone.count) d->open[d->count++] = d->open[k];
  }
}

/* ---- Without the leaves that make no difference ---- */

/* True if the term is a leaf, or built from one by injective steps, as most terms are. */
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

/* Leaves in `d->open` those of the list to which the leaf makes no difference. */
static void ask_about(struct doubt *d, const term_id *list, uint32_t count, int effort, bool *undecided) {
  struct arena_mark mark = arena_mark(d->arena);
  bool *varies = ARENA_ARRAY(d->arena, bool, d->size);
  find_varying(d->terms, d->leaf, varies, d->size);
  d->varies = varies;
  for (uint32_t k = 0; k < count; k++)
    if (varies[list[k]] && !is_one_to_one(d->terms, list[k])) d->open[d->count++] = list[k];
  if (d->count) settle(d, effort, undecided);
  arena_rewind(d->arena, mark);
}

void term_reduce(struct terms *terms, term_id *list, uint32_t count, int effort, bool *undecided) {
  struct arena *arena = terms->arena;
  term_id size = size_for(list, count);
  term_id *now = ARENA_ARRAY(arena, term_id, count), *open = ARENA_ARRAY(arena, term_id, count);
  value_t *lucky = ARENA_ARRAY(arena, value_t, size);
  bool *mentioned = ARENA_ARRAY(arena, bool, size);
  for (uint32_t k = 0; k < count; k++) now[k] = list[k], mentioned[list[k]] |= !is_one_to_one(terms, list[k]);
  term_close(terms, mentioned, size);
  for (term_id leaf = 0; leaf < size; leaf++) {
    if (!mentioned[leaf] || !is_read(term_get(terms, leaf))) continue;
    struct doubt d = {terms, arena, leaf, open, 0, size, {0}, NULL, lucky};
    ask_about(&d, list, count, effort, undecided);
    term_id nothing = term_const(terms, 0, term_get(terms, leaf)->width);
    for (uint32_t k = 0, i = 0; i < d.count; k++)
      if (list[k] == open[i]) now[k] = term_substitute(terms, now[k], leaf, nothing), i++;
  }
  if (count) memcpy(list, now, count * sizeof *list);
}

/* True if the term is a constant, or its operands are all conditions. */
static bool is_connective(const struct terms *terms, term_id id) {
  term_id operands[3];
  unsigned count = term_operands(terms, id, operands);
  return (count > 0 || term_is_const(terms, id)) && EVERY_BELOW(i, count, term_get(terms, operands[i])->width == 1);
}

/* True if a condition, of the parts `has`, holds when each unrelated part has the value that helps its first user. Most
 * conditions that can hold do so, and need no solver. */
static bool holds_easily(const struct terms *terms, const bool *has, term_id condition) {
  bool *value = ARENA_ARRAY(terms->arena, bool, condition + 1);
  bool *wanted = ARENA_ARRAY(terms->arena, bool, condition + 1);
  bool *used = ARENA_ARRAY(terms->arena, bool, condition + 1);
  term_id of[3];
  wanted[condition] = true;
  for (term_id id = condition; id > 0; id--) {
    unsigned count = has[id] && is_connective(terms, id) ? term_operands(terms, id, of) : 0;
    for (unsigned i = 0; i < count; i++) {
      if (!used[of[i]]) wanted[of[i]] = wanted[id] != (term_get(terms, id)->op == TERM_NOT);
      used[of[i]] = true;
    }
  }
  for (term_id id = 0; id <= condition; id++) {
    if (!has[id]) continue;
    const struct term *term = term_get(terms, id);
    unsigned count = is_connective(terms, id) ? term_operands(terms, id, of) : 0;
    for (unsigned i = count; i < 3; i++) of[i] = 0;
    if (count) value[id] = term_apply(term, value[of[0]], 1, value[of[1]], value[of[2]]) != 0;
    else value[id] = term->op == TERM_CONST ? term->constant != 0 : wanted[id];
  }
  return value[condition];
}

/* Conditions on numbers, such as a comparison, count as unrelated. */
bool term_never_holds(struct terms *terms, term_id condition, int effort) {
  struct arena_mark mark = arena_mark(terms->arena);
  bool *has = ARENA_ARRAY(terms->arena, bool, condition + 1);
  has[condition] = true;
  for (term_id id = condition; id > 0; id--) {
    term_id operands[3];
    unsigned count = has[id] && is_connective(terms, id) ? term_operands(terms, id, operands) : 0;
    for (unsigned i = 0; i < count; i++) has[operands[i]] = true;
  }
  if (holds_easily(terms, has, condition)) {
    arena_rewind(terms->arena, mark);
    return false;
  }
  struct word *words = ARENA_ARRAY(terms->arena, struct word, condition + 1);
  struct sat *sat = sat_new(terms->arena, true);
  struct gates gates;
  gates_init(&gates, terms->arena, sat);
  for (term_id id = 0; id <= condition; id++)
    if (has[id]) words[id] = is_connective(terms, id) ? part_word(terms, &gates, id, words) : free_word(&gates, 1);
  sat_clause1(sat, words[condition].bits[0]);
  sat_effort(sat, effort);
  bool never = sat_solve(sat) == SAT_NO;
  arena_rewind(terms->arena, mark);
  return never;
}

void term_mentions(const struct terms *terms, term_id term, struct bitset events) {
  struct arena_mark mark = arena_mark(terms->arena);
  bool *cone = ARENA_ARRAY(terms->arena, bool, term + 1);
  cone[term] = true;
  term_close(terms, cone, term + 1);
  for (term_id id = 0; id <= term; id++)
    if (cone[id] && is_read(term_get(terms, id))) bitset_add(events, term_get(terms, id)->event);
  arena_rewind(terms->arena, mark);
}
