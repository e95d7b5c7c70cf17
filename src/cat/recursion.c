/* Rewrites recursive definitions of closures as closures: r = a | r ; b ; r becomes a ; (b ; a)*. The bounds and the
 * encoder have compact forms for closures; a fixpoint is unfolded step by step. */
#include "cat/build.h"

enum { MOST_ALTERNATIVES = 100 };

/* The definition r = base | r ; after | before ; r | r ; between ; r. An absent part is CAT_NO_NODE. */
struct recursion {
  struct builder b;
  cat_node var, base, before, after, between;
  unsigned visits;
  VEC(bool) mentions; /* by node, counted from the variable: the node mentions the variable */
};

static const struct cat_expr *expr(const struct recursion *r, cat_node node) { return &r->b.model->nodes.data[node]; }

/* Operands have smaller indices than their node, so one forward pass suffices. */
static bool mentions(struct recursion *r, cat_node node) {
  if (node < r->var) return false;
  for (cat_node n = r->var + r->mentions.len; n <= node; n++) {
    const struct cat_expr *x = expr(r, n);
    bool inside = n == r->var;
    inside |= x->a != CAT_NO_NODE && x->a >= r->var && r->mentions.data[x->a - r->var];
    inside |= x->b != CAT_NO_NODE && x->b >= r->var && r->mentions.data[x->b - r->var];
    VEC_PUSH(r->b.arena, &r->mentions, inside);
  }
  return r->mentions.data[node - r->var];
}

static void add(struct recursion *r, cat_node *to, cat_node node) {
  *to = *to == CAT_NO_NODE ? node : build_op(r->b, CAT_UNION, *to, node);
}

static cat_node seq(const struct recursion *r, cat_node a, cat_node b) {
  return a == CAT_NO_NODE ? b : build_op(r->b, CAT_SEQ, a, b);
}

/* Removes the variable from the start or the end of a sequence. In the result, CAT_NO_NODE is the empty sequence. */
static cat_node without_first(const struct recursion *r, cat_node node, bool *found) {
  struct cat_expr x = *expr(r, node);
  if (node == r->var) *found = true;
  if (node == r->var || x.op != CAT_SEQ) return node == r->var ? CAT_NO_NODE : node;
  cat_node rest = without_first(r, x.a, found);
  return *found ? seq(r, rest, x.b) : node;
}

static cat_node without_last(const struct recursion *r, cat_node node, bool *found) {
  struct cat_expr x = *expr(r, node);
  if (node == r->var) *found = true;
  if (node == r->var || x.op != CAT_SEQ) return node == r->var ? CAT_NO_NODE : node;
  cat_node rest = without_last(r, x.b, found);
  if (!*found) return node;
  return rest == CAT_NO_NODE ? x.a : build_op(r->b, CAT_SEQ, x.a, rest);
}

/* Classifies one alternative. False if it uses the variable in another way. */
static bool sort_alternative(struct recursion *r, cat_node node) {
  bool first = false, last = false;
  if (!mentions(r, node)) {
    add(r, &r->base, node);
    return true;
  }
  cat_node rest = without_first(r, node, &first);
  if (first && rest == CAT_NO_NODE) return true; /* r itself */
  rest = without_last(r, rest, &last);
  if (rest == CAT_NO_NODE) rest = build_builtin(r->b, CAT_REL_ID); /* r ; r */
  if ((!first && !last) || mentions(r, rest)) return false;
  add(r, first && last ? &r->between : first ? &r->after : &r->before, rest);
  return true;
}

static bool sort_alternatives(struct recursion *r, cat_node body) {
  struct cat_expr x = *expr(r, body);
  if (r->visits++ == MOST_ALTERNATIVES) return false;
  if (x.op != CAT_UNION) return sort_alternative(r, body);
  return sort_alternatives(r, x.a) && sort_alternatives(r, x.b);
}

/* node*, or the identity for CAT_NO_NODE. */
static cat_node star(const struct recursion *r, cat_node node) {
  cat_node id = build_builtin(r->b, CAT_REL_ID);
  return node == CAT_NO_NODE ? id : build_op(r->b, CAT_UNION, build_op(r->b, CAT_PLUS, node, CAT_NO_NODE), id);
}

cat_node build_recursion(struct builder b, cat_node var) {
  struct recursion r = {
      .b = b, .var = var, .base = CAT_NO_NODE, .before = CAT_NO_NODE, .after = CAT_NO_NODE, .between = CAT_NO_NODE};
  if (!sort_alternatives(&r, expr(&r, var)->body)) return var;
  if (r.base == CAT_NO_NODE) return build_empty(b, false);
  bool again = r.between == CAT_NO_NODE && (r.before == CAT_NO_NODE) != (r.after == CAT_NO_NODE);
  if (again && (r.before == r.base || r.after == r.base)) return build_op(b, CAT_PLUS, r.base, CAT_NO_NODE);
  cat_node step = seq(&r, star(&r, r.before), seq(&r, r.base, star(&r, r.after)));
  if (r.between == CAT_NO_NODE) return step;
  if (r.between == build_builtin(b, CAT_REL_ID)) return build_op(b, CAT_PLUS, step, CAT_NO_NODE);
  return seq(&r, step, star(&r, seq(&r, r.between, step)));
}
