/* The pairs that an axiom lacks to forbid a cycle: the cheapest way to match the cycle with the axiom. */
#include "explain/lacking.h"

enum { IMPOSSIBLE = 10000, MOST_STEPS = 24, MOST_DEPTH = 12 };

struct cover {
  struct story *story;
  const struct cycle_step *steps;
  uint32_t count;
  uint32_t *memo; /* by node, first step and number of steps; UINT32_MAX: not known */
};

static uint32_t event_at(const struct cover *c, uint32_t step) { return c->steps[step % c->count].from; }

static const struct cat_expr *expr_of(const struct cover *c, cat_node node) {
  return &c->story->ask->model->nodes.data[node];
}

static bool holds(const struct cover *c, cat_node node, uint32_t i, uint32_t len) {
  return bitmat_has(eval_relation(c->story->ask->eval, node), event_at(c, i), event_at(c, i + len));
}

static uint32_t cost(struct cover *c, cat_node node, uint32_t i, uint32_t len);

static uint32_t sum(uint32_t a, uint32_t b) { return a + b < IMPOSSIBLE ? a + b : IMPOSSIBLE; }

/* The first of two operands covers `*split` steps. */
static uint32_t cost_seq(struct cover *c, const struct cat_expr *x, uint32_t i, uint32_t len, uint32_t *split) {
  uint32_t best = IMPOSSIBLE;
  for (uint32_t k = 0; k <= len; k++) {
    uint32_t now = sum(cost(c, x->a, i, k), cost(c, x->b, i + k, len - k));
    if (now < best) best = now, *split = k;
  }
  return best;
}

/* Of a closure, the first piece covers `*split` steps. */
static uint32_t cost_plus(struct cover *c, cat_node node, cat_node of, uint32_t i, uint32_t len, uint32_t *split) {
  uint32_t best = cost(c, of, i, len);
  *split = len;
  for (uint32_t k = 1; k < len; k++) {
    uint32_t now = sum(cost(c, of, i, k), cost(c, node, i + k, len - k));
    if (now < best) best = now, *split = k;
  }
  return best;
}

/* True if a step of its kind could be in a relation, if only strength, scope, place or fences were others: program
 * order can be in `po & loc`, and reads-from cannot. */
static bool is_plausible(const struct cover *c, cat_node node, uint32_t u, uint32_t v, unsigned depth) {
  const struct cat_expr *x = expr_of(c, node);
  if (depth > MOST_DEPTH) return false;
  switch (x->op) {
    case CAT_BUILTIN:
      if (x->builtin == CAT_REL_LOC || x->builtin == CAT_REL_VLOC || x->builtin == CAT_REL_SAME_RANGE) return true;
      if (x->builtin == CAT_REL_INCL || x->builtin == CAT_REL_SR) return true;
      return bitmat_has(eval_relation(c->story->ask->eval, node), u, v);
    case CAT_UNION: return is_plausible(c, x->a, u, v, depth + 1) || is_plausible(c, x->b, u, v, depth + 1);
    case CAT_INTER: return is_plausible(c, x->a, u, v, depth + 1) && is_plausible(c, x->b, u, v, depth + 1);
    case CAT_SEQ: /* beside a set; or from one event of a thread by another to a third */
      if (expr_of(c, x->a)->op == CAT_IDENTITY) return is_plausible(c, x->b, u, v, depth + 1);
      if (expr_of(c, x->b)->op == CAT_IDENTITY) return is_plausible(c, x->a, u, v, depth + 1);
      return is_plausible(c, x->a, u, v, depth + 1) && is_plausible(c, x->b, u, v, depth + 1);
    case CAT_INVERSE: return is_plausible(c, x->a, v, u, depth + 1);
    case CAT_DIFF:
    case CAT_PLUS: return is_plausible(c, x->a, u, v, depth + 1);
    case CAT_REC: return is_plausible(c, x->body, u, v, depth + 1);
    case CAT_PRODUCT: return true;
    CAT_NO_PATH: return false;
  }
  BUG("operator %d", (int)x->op);
}

/* True if a step is to be reported as lacking from this node: then its parts are no longer asked. */
static bool is_leaf(const struct cat_expr *x, uint32_t len) { return len == 1 && x->op != CAT_PLUS; }

static uint32_t cost_of(struct cover *c, cat_node node, uint32_t i, uint32_t len) {
  const struct cat_expr *x = expr_of(c, node);
  uint32_t split, a, b;
  if (holds(c, node, i, len)) return 0;
  if (is_leaf(x, len)) return is_plausible(c, node, event_at(c, i), event_at(c, i + 1), 0) ? 1 : IMPOSSIBLE;
  switch (x->op) {
    case CAT_UNION: a = cost(c, x->a, i, len), b = cost(c, x->b, i, len); return a < b ? a : b;
    case CAT_INTER: return sum(cost(c, x->a, i, len), cost(c, x->b, i, len));
    case CAT_DIFF: return holds(c, x->b, i, len) ? IMPOSSIBLE : cost(c, x->a, i, len);
    case CAT_SEQ: return cost_seq(c, x, i, len, &split);
    case CAT_PLUS: return len ? cost_plus(c, node, x->a, i, len, &split) : IMPOSSIBLE;
    case CAT_REC: return cost(c, x->body, i, len);
    case CAT_BUILTIN:
    case CAT_INVERSE:
    case CAT_PRODUCT:
    CAT_NO_PATH: return IMPOSSIBLE;
  }
  BUG("operator %d", (int)x->op);
}

static uint32_t cost(struct cover *c, cat_node node, uint32_t i, uint32_t len) {
  uint32_t *known = &c->memo[(node * c->count + i % c->count) * (c->count + 1) + len];
  if (*known != UINT32_MAX) return *known;
  *known = IMPOSSIBLE; /* while it is being found: a recursive definition must not justify itself */
  *known = cost_of(c, node, i, len);
  return *known;
}

/* The steps that the cheapest reading lacks. */
static void collect(struct cover *c, cat_node node, uint32_t i, uint32_t len, struct lacking *out) {
  const struct cat_expr *x = expr_of(c, node);
  uint32_t split = 0;
  if (holds(c, node, i, len)) return;
  if (is_leaf(x, len)) {
    struct lacking_step step = {event_at(c, i), event_at(c, i + len), node};
    VEC_PUSH(c->story->arena, &out->steps, step);
    return;
  }
  switch (x->op) {
    case CAT_UNION: collect(c, cost(c, x->a, i, len) <= cost(c, x->b, i, len) ? x->a : x->b, i, len, out); break;
    case CAT_INTER:
      collect(c, x->a, i, len, out);
      collect(c, x->b, i, len, out);
      break;
    case CAT_SEQ:
      cost_seq(c, x, i, len, &split);
      collect(c, x->a, i, split, out);
      collect(c, x->b, i + split, len - split, out);
      break;
    case CAT_PLUS:
      cost_plus(c, node, x->a, i, len, &split);
      collect(c, x->a, i, split, out);
      if (split < len) collect(c, node, i + split, len - split, out);
      break;
    case CAT_DIFF: collect(c, x->a, i, len, out); break;
    case CAT_REC: collect(c, x->body, i, len, out); break;
    case CAT_BUILTIN:
    case CAT_INVERSE:
    case CAT_PRODUCT:
    CAT_NO_PATH: BUG("a step that cannot be covered");
  }
}

/* ---- Axioms ---- */

/* `acyclic r`: pieces of the cycle, each in r, from some step on all round. */
static uint32_t cost_pieces(struct cover *c, cat_node node, uint32_t i, uint32_t len, struct lacking *out) {
  uint32_t *best = ARENA_ARRAY(c->story->arena, uint32_t, len + 1),
           *piece = ARENA_ARRAY(c->story->arena, uint32_t, len + 1);
  for (uint32_t left = 1; left <= len; left++) {
    best[left] = IMPOSSIBLE;
    for (uint32_t k = 1; k <= left; k++) {
      uint32_t now = sum(cost(c, node, i + len - left, k), best[left - k]);
      if (now < best[left]) best[left] = now, piece[left] = k;
    }
  }
  for (uint32_t left = len; out && left && best[len] < IMPOSSIBLE; left -= piece[left])
    collect(c, node, i + len - left, piece[left], out);
  return best[len];
}

static uint32_t cost_axiom(struct cover *c, const struct cat_axiom *axiom, uint32_t i, struct lacking *out) {
  const struct cat_expr *x = expr_of(c, axiom->node);
  uint32_t now = IMPOSSIBLE;
  if (axiom->test == CAT_ACYCLIC) return cost_pieces(c, axiom->node, i, c->count, out);
  if (axiom->test == CAT_IRREFLEXIVE) {
    now = cost(c, axiom->node, i, c->count);
    if (out) collect(c, axiom->node, i, c->count, out);
  } else if (x->op == CAT_DIFF && !x->is_set && c->count > 1) {
    uint32_t last = (i + c->count - 1) % c->count; /* the step that the rest would have to lead against */
    bool against = bitmat_has(eval_relation(c->story->ask->eval, x->b), event_at(c, last), event_at(c, i));
    if (against) now = cost(c, x->a, i, c->count - 1);
    if (out) collect(c, x->a, i, c->count - 1, out);
  }
  return now;
}

bool lacking_find(struct story *s, const struct cycle_step *steps, uint32_t count, struct lacking *out) {
  const struct model *model = s->ask->model;
  struct cover c = {s, steps, count, NULL};
  uint32_t best = IMPOSSIBLE, start = 0;
  if (!count || count > MOST_STEPS) return false;
  size_t size = (size_t)model->nodes.len * count * (count + 1);
  c.memo = ARENA_ARRAY(s->arena, uint32_t, size);
  memset(c.memo, 0xff, size * sizeof *c.memo);
  for (uint32_t a = 0; a < model->axioms.len; a++) {
    const struct cat_axiom *axiom = &model->axioms.data[a];
    if (axiom->role != CAT_AXIOM || axiom->negated || model->nodes.data[axiom->node].is_set) continue;
    for (uint32_t i = 0; i < count; i++) {
      uint32_t now = cost_axiom(&c, axiom, i, NULL);
      if (now && now <= best && (now < best || a != out->axiom)) best = now, out->axiom = a, start = i;
    }
  }
  out->steps.len = 0;
  if (best >= IMPOSSIBLE) return false;
  cost_axiom(&c, &model->axioms.data[out->axiom], start, out);
  return true;
}
