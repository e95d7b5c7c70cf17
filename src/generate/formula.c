/* Translates a model into clauses, by evaluating it over matrices of literals. */
#include "generate/formula.h"

/* A relation is a matrix by rows, a set is one row; NULL: empty. */
struct formula {
  struct program_shape *shape;
  const struct model *model;
  const struct shape_execution *execution;
  bool *open;     /* by node: the node depends on the choices of an execution */
  bool *known[2]; /* indexed by direction (0: NEED_IF, 1: the others) and node: the value is computed */
  lit **values[2];
  VEC(lit) violated;
};

static const struct cat_expr *expr(const struct formula *f, cat_node node) { return &f->model->nodes.data[node]; }

struct formula *formula_new(struct program_shape *shape, const struct model *model) {
  struct arena *arena = shape->arena;
  uint32_t count = model->nodes.len;
  struct formula *f = ARENA_NEW(arena, struct formula);
  *f = (struct formula){.shape = shape, .model = model, .open = ARENA_ARRAY(arena, bool, count)};
  for (cat_node i = 0; i < count; i++) {
    const struct cat_expr *x = expr(f, i);
    f->open[i] = x->op == CAT_BUILTIN
                     ? quick_chooses(x->builtin)
                     : (x->a != CAT_NO_NODE && f->open[x->a]) || (x->b != CAT_NO_NODE && f->open[x->b]);
  }
  for (uint32_t half = 0; half < 2; half++) {
    f->known[half] = ARENA_ARRAY(arena, bool, count);
    f->values[half] = ARENA_ARRAY(arena, lit *, count);
  }
  return f;
}

/* ---- Operators ---- */

static lit *new_matrix(struct formula *f, uint32_t rows) {
  uint32_t size = rows * f->shape->n;
  lit *m = ARENA_ARRAY(f->shape->arena, lit, size);
  for (uint32_t i = 0; i < size; i++) m[i] = LIT_FALSE;
  return m;
}

static lit *compose(struct formula *f, const lit *a, const lit *b, unsigned need) {
  uint32_t n = f->shape->n, count;
  struct gates *g = &f->shape->gates;
  lit *out = new_matrix(f, n), lits[QUICK_EVENTS];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++) {
      count = 0;
      for (uint32_t m = 0; m < n; m++)
        if (a[i * n + m] != LIT_FALSE && b[m * n + k] != LIT_FALSE)
          lits[count++] = gates_and2(g, a[i * n + m], b[m * n + k], need);
      if (count) out[i * n + k] = gates_or(g, lits, count, need);
    }
  return out;
}

/* The exact transitive closure, by Warshall's algorithm. */
static lit *close_exactly(struct formula *f, const lit *a, unsigned need) {
  uint32_t n = f->shape->n;
  struct gates *g = &f->shape->gates;
  lit *out = new_matrix(f, n);
  memcpy(out, a, n * n * sizeof *out);
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      for (uint32_t j = 0; j < n && out[i * n + k] != LIT_FALSE; j++)
        if (out[k * n + j] != LIT_FALSE && i != k && j != k)
          out[i * n + j] = gates_or2(g, out[i * n + j], gates_and2(g, out[i * n + k], out[k * n + j], need), need);
  return out;
}

/* A transitive relation that contains this one, with fewer variables; enough if extra pairs only cause violations. */
static lit *close_above(struct formula *f, const lit *a) {
  uint32_t n = f->shape->n, may[QUICK_EVENTS] = {0};
  struct sat *sat = f->shape->sat;
  lit *out = new_matrix(f, n);
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) may[i] |= (uint32_t)(a[i * n + j] != LIT_FALSE) << j;
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      if (may[i] >> k & 1) may[i] |= may[k];
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t j = 0; j < n; j++) {
      if (!(may[i] >> j & 1)) continue;
      out[i * n + j] = sat_variable(sat);
      sat_clause2(sat, -a[i * n + j], out[i * n + j]);
    }
  for (uint32_t i = 0; i < n; i++)
    for (uint32_t k = 0; k < n; k++)
      for (uint32_t j = 0; j < n; j++)
        if (may[i] >> k & 1 && a[k * n + j] != LIT_FALSE)
          sat_clause3(sat, -out[i * n + k], -a[k * n + j], out[i * n + j]);
  return out;
}

static lit *close(struct formula *f, const lit *a, unsigned need) {
  return need == NEED_IF ? close_above(f, a) : close_exactly(f, a, need);
}

static lit *project(struct formula *f, const lit *a, bool range, unsigned need) {
  uint32_t n = f->shape->n;
  lit *out = new_matrix(f, 1), lits[QUICK_EVENTS];
  for (uint32_t i = 0; i < n; i++) {
    for (uint32_t k = 0; k < n; k++) lits[k] = range ? a[k * n + i] : a[i * n + k];
    out[i] = gates_or(&f->shape->gates, lits, n, need);
  }
  return out;
}

/* ---- Predefined ---- */

static lit universe(struct formula *f, bool is_set, uint32_t at) {
  struct program_shape *s = f->shape;
  lit a = shape_present(s, at % s->n);
  return is_set ? a : shape_and(s, a, shape_present(s, at / s->n));
}

static lit *from_reads(struct formula *f, unsigned need) {
  uint32_t n = f->shape->n;
  lit *back = new_matrix(f, n);
  for (uint32_t i = 0; i < n * n; i++) back[i % n * n + i / n] = f->execution->rf[i];
  return compose(f, back, f->execution->co, need);
}

static lit *predefined(struct formula *f, enum cat_builtin builtin, unsigned need) {
  struct program_shape *s = f->shape;
  if (builtin == CAT_REL_RF) return f->execution->rf;
  if (builtin == CAT_REL_CO) return f->execution->co;
  if (builtin == CAT_REL_SC_ORDER) return f->execution->sc;
  if (builtin == CAT_REL_FR) return from_reads(f, need);
  bool is_set = builtin_is_set(builtin);
  lit *out = new_matrix(f, is_set ? 1 : s->n);
  for (uint32_t a = 0; a < s->n; a++)
    for (uint32_t b = 0; b < (is_set ? 1 : s->n); b++)
      out[is_set ? a : a * s->n + b] = is_set ? shape_in(s, builtin, a) : shape_related(s, builtin, a, b);
  return out;
}

/* ---- Nodes ---- */

static const lit *evaluate(struct formula *f, cat_node node, unsigned need);

/* A Boolean operator on a and b; one of them may be empty. */
static lit *boolean(struct formula *f, const struct cat_expr *x, unsigned need) {
  struct gates *g = &f->shape->gates;
  uint32_t size = f->shape->n * (x->is_set ? 1 : f->shape->n);
  const lit *a = evaluate(f, x->a, x->op == CAT_COMPL ? need_flip(need) : need), *b = NULL;
  if (a || x->op == CAT_UNION)
    b = x->b == CAT_NO_NODE ? NULL : evaluate(f, x->b, x->op == CAT_DIFF ? need_flip(need) : need);
  lit *out = new_matrix(f, x->is_set ? 1 : f->shape->n);
  for (uint32_t i = 0; i < size; i++) {
    lit p = a ? a[i] : LIT_FALSE, q = b ? b[i] : LIT_FALSE;
    out[i] = x->op == CAT_UNION   ? gates_or2(g, p, q, need)
             : x->op == CAT_INTER ? gates_and2(g, p, q, need)
             : x->op == CAT_DIFF  ? gates_and2(g, p, -q, need)
                                  : gates_and2(g, -p, universe(f, x->is_set, i), need);
  }
  return out;
}

static lit *rearrange(struct formula *f, const struct cat_expr *x, const lit *a, const lit *b, unsigned need) {
  uint32_t n = f->shape->n;
  lit *out = new_matrix(f, n);
  for (uint32_t i = 0; i < n; i++) {
    if (x->op == CAT_IDENTITY) out[i * n + i] = a[i];
    for (uint32_t k = 0; k < n && x->op != CAT_IDENTITY; k++)
      out[i * n + k] = x->op == CAT_INVERSE ? a[k * n + i] : gates_and2(&f->shape->gates, a[i], b[k], need);
  }
  return out;
}

static lit *compute(struct formula *f, const struct cat_expr *x, unsigned need) {
  if (x->op == CAT_BUILTIN) return predefined(f, x->builtin, need);
  if (x->op == CAT_UNION || x->op == CAT_INTER || x->op == CAT_DIFF || x->op == CAT_COMPL) return boolean(f, x, need);
  const lit *a = x->a == CAT_NO_NODE ? NULL : evaluate(f, x->a, need);
  const lit *b = x->b == CAT_NO_NODE || !a ? NULL : evaluate(f, x->b, need);
  if (!a || (x->b != CAT_NO_NODE && !b)) return NULL;
  switch (x->op) {
    case CAT_SEQ: return compose(f, a, b, need);
    case CAT_PLUS: return close(f, a, need);
    case CAT_DOMAIN: return project(f, a, false, need);
    case CAT_RANGE: return project(f, a, true, need);
    case CAT_PRODUCT:
    case CAT_INVERSE:
    case CAT_IDENTITY: return rearrange(f, x, a, b, need);
    case CAT_BUILTIN:
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
    case CAT_COMPL:
    case CAT_EMPTY:
    case CAT_REC: break; /* quick_new refuses recursion; the other operators are handled above */
  }
  return NULL;
}

static const lit *evaluate(struct formula *f, cat_node node, unsigned need) {
  const struct cat_expr *x = expr(f, node);
  uint32_t half = need == NEED_IF ? 0 : 1;
  bool some = false;
  if (f->known[half][node]) return f->values[half][node];
  lit *value = compute(f, x, need);
  for (uint32_t i = 0; value && i < f->shape->n * (x->is_set ? 1 : f->shape->n) && !some; i++)
    some = value[i] != LIT_FALSE;
  f->known[half][node] = true;
  return f->values[half][node] = some ? value : NULL;
}

/* ---- Axioms ---- */

static lit violated(struct formula *f, const struct cat_axiom *axiom, unsigned need) {
  uint32_t n = f->shape->n;
  bool is_set = expr(f, axiom->node)->is_set, whole = axiom->test == CAT_IS_EMPTY;
  unsigned own = axiom->negated ? need_flip(need) : need;
  const lit *r = evaluate(f, axiom->node, own);
  lit *lits = new_matrix(f, n);
  if (r && axiom->test == CAT_ACYCLIC) r = close(f, r, own);
  for (uint32_t i = 0; r && i < n * (is_set ? 1 : n); i++)
    if (whole || i / n == i % n) lits[i] = r[i];
  lit some = gates_or(&f->shape->gates, lits, n * n, own);
  return axiom->negated ? -some : some;
}

void formula_violated(struct formula *f, const struct shape_execution *execution, unsigned need, const lit **lits,
                      uint32_t *count) {
  f->execution = execution;
  f->violated.len = 0;
  for (cat_node i = 0; i < f->model->nodes.len; i++)
    if (f->open[i]) f->known[0][i] = f->known[1][i] = false;
  VEC_EACH (axiom, &f->model->axioms)
    if (axiom->role == CAT_AXIOM) VEC_PUSH(f->shape->arena, &f->violated, violated(f, axiom, need));
  *lits = f->violated.data;
  *count = f->violated.len;
}
