#include "result/result.h"

static const char *const verdict_names[] = {"allowed", "forbidden", "undefined",  "unknown",
                                            "safe",    "unsafe",    "sequential", "weak"};
static const char *const observation_names[] = {"None", "Never", "Sometimes", "Always"};
static const char *const quantifier_names[] = {"exists", "~exists", "forall", "safe", "in-turns"};

const char *termination_name(enum termination termination) {
  static const char *const names[] = {NULL, "always", "not always", "unknown"};
  return names[termination];
}

const char *verdict_name(enum verdict verdict) {
  REQUIRE(verdict < ARRAY_LEN(verdict_names));
  return verdict_names[verdict];
}

const char *observation_name(enum observation observation) {
  REQUIRE(observation < ARRAY_LEN(observation_names));
  return observation_names[observation];
}

const char *safety_name(enum safety_kind kind) {
  static const char *const names[] = {"undefined", "hang", "trap", "race", "uninitialised", "unwaited"};
  REQUIRE(kind < ARRAY_LEN(names));
  return names[kind];
}

const char *quantifier_name(enum litmus_quantifier quantifier) {
  REQUIRE(quantifier < ARRAY_LEN(quantifier_names));
  return quantifier_names[quantifier];
}

void state_print(const struct program *program, const value_t *values, const char *between, const char *end, bool told,
                 struct text *out) {
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    text_printf(out, "%s%s=", i ? between : "", o->name);
    if (told) value_tell(program, o->type, values[i], out);
    else type_print(o->type, values[i], out);
    text_add(out, end);
  }
}

const struct cond *cond_and(struct arena *arena, const struct cond *cond, uint32_t observable, enum compare compare,
                            value_t value) {
  struct cond *one = ARENA_NEW(arena, struct cond), *both = ARENA_NEW(arena, struct cond);
  *one = (struct cond){.kind = COND_COMPARE,
                       .compare = compare,
                       .a.observable = observable,
                       .b = {.is_constant = true, .constant = value}};
  *both = (struct cond){.kind = COND_AND, .left = cond, .right = one};
  return both;
}

static bool is_signed(const struct program *program, const struct cond_term *term) {
  return program->observables[term->observable].type.kind == TYPE_SIGNED;
}

static unsigned term_width(const struct program *program, const struct cond_term *term) {
  return program->observables[term->observable].type.width;
}

/* How two terms are compared: modulo `width`, as two's complement or as unsigned numbers. A constant takes the type of
 * the other side; of two observables, the wider one determines the type, and two of one width compare as signed if both
 * are signed. */
struct difference {
  unsigned width;
  bool is_signed;
};

static struct difference comparison_of(const struct program *program, const struct cond *cond) {
  const struct cond_term *a = &cond->a, *b = &cond->b;
  if (a->is_constant && b->is_constant) return (struct difference){128, true};
  if (a->is_constant) return (struct difference){term_width(program, b), is_signed(program, b)};
  if (b->is_constant) return (struct difference){term_width(program, a), is_signed(program, a)};
  unsigned wa = term_width(program, a), wb = term_width(program, b);
  if (wa > wb) return (struct difference){wa, is_signed(program, a)};
  if (wa < wb) return (struct difference){wb, is_signed(program, b)};
  return (struct difference){wa, is_signed(program, a) && is_signed(program, b)};
}

/* The term's value at the comparison's width. A narrower signed observable is sign-extended first. */
static value_t term_value(const struct program *program, const struct cond_term *term, const value_t *values,
                          struct difference how) {
  if (term->is_constant) return term->constant & value_mask(how.width);
  value_t value = values[term->observable] & value_mask(term_width(program, term));
  if (is_signed(program, term)) value = value_sext(value, term_width(program, term));
  return value & value_mask(how.width);
}

static bool compare_holds(const struct program *program, const struct cond *cond, const value_t *values) {
  struct difference how = comparison_of(program, cond);
  value_t a = term_value(program, &cond->a, values, how), b = term_value(program, &cond->b, values, how);
  if (how.is_signed) { /* moving the sign bit makes unsigned order the signed one */
    value_t sign = (value_t)1 << (how.width - 1);
    a ^= sign;
    b ^= sign;
  }
  switch (cond->compare) {
    case COMPARE_EQ: return a == b;
    case COMPARE_NE: return a != b;
    case COMPARE_LT: return a < b;
    case COMPARE_LE: return a <= b;
    case COMPARE_GT: return a > b;
    case COMPARE_GE: return a >= b;
  }
  BUG("no comparison %d", (int)cond->compare);
}

/* Recursion is bounded by the nesting that the parser accepts. */
bool cond_holds(const struct program *program, const struct cond *cond, const value_t *values) {
  switch (cond->kind) {
    case COND_TRUE: return true;
    case COND_AND: return cond_holds(program, cond->left, values) && cond_holds(program, cond->right, values);
    case COND_OR: return cond_holds(program, cond->left, values) || cond_holds(program, cond->right, values);
    case COND_NOT: return !cond_holds(program, cond->left, values);
    case COND_COMPARE: return compare_holds(program, cond, values);
  }
  BUG("no condition %d", (int)cond->kind);
}

static bool same_outcomes(const struct result *a, const struct result *b) {
  if (a->outcomes.len != b->outcomes.len) return false;
  for (uint32_t i = 0; i < a->outcomes.len; i++) { /* both lists are sorted */
    struct outcome x = outcomes_at(&a->outcomes, i), y = outcomes_at(&b->outcomes, i);
    if (outcome_order(a->program, x.values, y.values) != 0) return false;
  }
  return true;
}

uint64_t stats_conflicts(const struct stats *stats) {
  return stats->work > stats->clauses ? stats->work - stats->clauses : 0;
}

const char *result_difference(const struct result *a, const struct result *b) {
  REQUIRE(a->program == b->program && a->model == b->model);
  if (a->verdict != b->verdict) return "the verdict";
  if (a->observation != b->observation) return "the observation";
  if (a->holds != b->holds) return "the truth of the condition";
  if (a->vacuous_known && b->vacuous_known && a->vacuous != b->vacuous) return "vacuity";
  if (a->deadlock.found != b->deadlock.found) return "deadlock";
  if (a->bounded != b->bounded) return "reaching the bound of loops";
  bool settled = a->termination != TERMINATION_UNKNOWN && b->termination != TERMINATION_UNKNOWN;
  if (settled && a->termination != b->termination) return "termination";
  if (!a->complete || !b->complete) return NULL;
  if (a->positive != b->positive || a->negative != b->negative) return "the counts";
  return same_outcomes(a, b) ? NULL : "the outcomes";
}

static const struct {
  const char *name, *gap, *text;
} assumptions[] = {
#define ASSUMES(id, name, gap, text) [ASSUMES_##id] = {name, gap, text},
#include "result/assumes.def"
#undef ASSUMES
};

const char *assumption_name(enum assumption_id id) { return assumptions[id].name; }
const char *assumption_gap(enum assumption_id id) { return assumptions[id].gap; }

void assumption_print(const struct assumption *assumption, struct text *out) {
  text_add(out, assumptions[assumption->id].text);
  if (assumption->detail) text_printf(out, ": %s", assumption->detail);
}

/* The counts decide only if no outcomes were listed: counted executions count on one side only, though their outcomes
 * may be on both. */
bool result_has(const struct result *r, bool satisfying) {
  return r->outcomes.some[satisfying] || (!r->outcomes.len && (satisfying ? r->positive : r->negative) > 0);
}
