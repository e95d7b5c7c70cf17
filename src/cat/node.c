/* Hash-consed nodes with the simplifications that hold in every execution. */

#include "cat/build.h"

static struct cat_expr *node_at(const struct model *model, cat_node node) { return &model->nodes.data[node]; }

static bool has_op(const struct model *model, cat_node node, enum cat_op op) { return node_at(model, node)->op == op; }

bool model_is_builtin(const struct model *model, cat_node node, enum cat_builtin builtin) {
  return has_op(model, node, CAT_BUILTIN) && node_at(model, node)->builtin == builtin;
}

cat_node model_builtin(const struct model *model, enum cat_builtin builtin) {
  for (cat_node i = 0; i < model->nodes.len; i++)
    if (model_is_builtin(model, i, builtin)) return i;
  return CAT_NO_NODE;
}

bool model_is_all(const struct model *model, cat_node node) {
  const struct cat_expr *e = node_at(model, node);
  if (e->op != CAT_PRODUCT) return model_is_builtin(model, node, CAT_SET_EVERY);
  return model_is_builtin(model, e->a, CAT_SET_EVERY) && model_is_builtin(model, e->b, CAT_SET_EVERY);
}

static bool is_identity(const struct model *model, cat_node node) { return model_is_builtin(model, node, CAT_REL_ID); }

/* ---- the table ---- */

static uint64_t hash_expr(const struct cat_expr *e) {
  uint64_t h = hash_mix((uint64_t)e->op << 1 | (e->is_set ? 1u : 0u), (uint64_t)e->builtin);
  return hash_mix(h, (uint64_t)e->a << 32 | e->b);
}

static bool same_expr(const struct cat_expr *x, const struct cat_expr *y) {
  return x->op == y->op && x->is_set == y->is_set && x->builtin == y->builtin && x->a == y->a && x->b == y->b;
}

static cat_node intern_node(struct arena *arena, struct model *model, const struct cat_expr *expr) {
  uint64_t hash = hash_expr(expr);
  HASH_EACH (i, &model->index, hash)
    if (same_expr(node_at(model, i), expr)) return i;
  return HASH_PUSH(arena, &model->index, hash, &model->nodes, *expr);
}

/* ---- shorthands ---- */

static bool result_is_set(const struct model *model, enum cat_op op, cat_node x) {
  enum cat_kinds kinds = cat_operator(op)->kinds;
  return kinds == CAT_ENDS || (kinds == CAT_SAME && node_at(model, x)->is_set);
}

static struct cat_expr new_node(enum cat_op op, bool is_set, cat_node x, cat_node y) {
  return (struct cat_expr){.op = op, .is_set = is_set, .a = x, .b = y, .body = CAT_NO_NODE};
}

cat_node build_builtin(struct builder b, enum cat_builtin builtin) {
  struct cat_expr e = new_node(CAT_BUILTIN, builtin_is_set(builtin), CAT_NO_NODE, CAT_NO_NODE);
  e.builtin = builtin;
  return model_node(b.arena, b.model, e);
}

cat_node build_empty(struct builder b, bool is_set) {
  return model_node(b.arena, b.model, new_node(CAT_EMPTY, is_set, CAT_NO_NODE, CAT_NO_NODE));
}

cat_node build_op(struct builder b, enum cat_op op, cat_node x, cat_node y) {
  return model_node(b.arena, b.model, new_node(op, result_is_set(b.model, op, x), x, y));
}

cat_node build_all_pairs(struct builder b) {
  cat_node every = build_builtin(b, CAT_SET_EVERY);
  return build_op(b, CAT_PRODUCT, every, every);
}

cat_node build_rec(struct builder b, bool is_set, uint32_t group, const char *name) {
  struct cat_expr e = new_node(CAT_REC, is_set, CAT_NO_NODE, CAT_NO_NODE);
  e.group = group;
  e.name = name;
  VEC_PUSH(b.arena, &b.model->nodes, e);
  return b.model->nodes.len - 1;
}

cat_node build_acyclic_operand(struct builder b, cat_node node) {
  cat_node plus = build_op(b, CAT_PLUS, node, CAT_NO_NODE);
  return has_op(b.model, plus, CAT_PLUS) ? node_at(b.model, plus)->a : plus;
}

/* ---- simplification: each returns CAT_NO_NODE when no law applies ---- */

/* True if `child` is an operand of the union or intersection `node`. */
static bool has_operand(const struct model *model, cat_node node, enum cat_op op, cat_node child) {
  const struct cat_expr *e = node_at(model, node);
  return e->op == op && (e->a == child || e->b == child);
}

/* True if one of these laws shows that `x` is a subset of `y`. */
static bool is_within(const struct model *model, cat_node x, cat_node y) {
  return x == y || has_op(model, x, CAT_EMPTY) || model_is_all(model, y) || has_operand(model, y, CAT_UNION, x) ||
         has_operand(model, x, CAT_INTER, y);
}

static cat_node simplify_union(struct builder b, cat_node x, cat_node y) {
  if (is_within(b.model, y, x)) return x;
  return is_within(b.model, x, y) ? y : CAT_NO_NODE;
}

/* S * T & id is [S & T]. */
static cat_node diagonal(struct builder b, cat_node product) {
  struct cat_expr e = *node_at(b.model, product);
  return build_op(b, CAT_IDENTITY, build_op(b, CAT_INTER, e.a, e.b), CAT_NO_NODE);
}

static cat_node simplify_inter(struct builder b, cat_node x, cat_node y) {
  if (is_within(b.model, x, y)) return x;
  if (is_within(b.model, y, x)) return y;
  if (has_op(b.model, x, CAT_PRODUCT) && is_identity(b.model, y)) return diagonal(b, x);
  if (has_op(b.model, y, CAT_PRODUCT) && is_identity(b.model, x)) return diagonal(b, y);
  return CAT_NO_NODE;
}

static cat_node simplify_diff(struct builder b, cat_node x, cat_node y) {
  if (has_op(b.model, x, CAT_EMPTY) || has_op(b.model, y, CAT_EMPTY)) return x;
  if (x == y || model_is_all(b.model, y)) return build_empty(b, node_at(b.model, x)->is_set);
  return CAT_NO_NODE;
}

static cat_node simplify_compl(struct builder b, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  if (e.op == CAT_COMPL) return e.a;
  if (e.op == CAT_EMPTY) return e.is_set ? build_builtin(b, CAT_SET_EVERY) : build_all_pairs(b);
  if (model_is_all(b.model, x)) return build_empty(b, e.is_set);
  return CAT_NO_NODE;
}

/* [S] ; [T] as [S & T]; the identities may also be the end of the left operand or the start of the right one. */
static cat_node merge_identities(struct builder b, cat_node x, cat_node y) {
  struct cat_expr ex = *node_at(b.model, x), ey = *node_at(b.model, y);
  if (ex.op == CAT_IDENTITY && ey.op == CAT_IDENTITY)
    return build_op(b, CAT_IDENTITY, build_op(b, CAT_INTER, ex.a, ey.a), CAT_NO_NODE);
  if (ex.op == CAT_SEQ && ey.op == CAT_IDENTITY && has_op(b.model, ex.b, CAT_IDENTITY))
    return build_op(b, CAT_SEQ, ex.a, build_op(b, CAT_SEQ, ex.b, y));
  if (ex.op == CAT_IDENTITY && ey.op == CAT_SEQ && has_op(b.model, ey.a, CAT_IDENTITY))
    return build_op(b, CAT_SEQ, build_op(b, CAT_SEQ, x, ey.a), ey.b);
  return CAT_NO_NODE;
}

static bool is_optional_po(struct builder b, cat_node x) {
  if (!has_op(b.model, x, CAT_UNION)) return false;
  cat_node po = build_builtin(b, CAT_REL_PO);
  return has_operand(b.model, x, CAT_UNION, po) && has_operand(b.model, x, CAT_UNION, build_builtin(b, CAT_REL_ID));
}

/* The r of po? ; r ; po?, in either bracketing. */
static cat_node between_po(struct builder b, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  if (e.op != CAT_SEQ) return CAT_NO_NODE;
  if (is_optional_po(b, e.a) && has_op(b.model, e.b, CAT_SEQ) && is_optional_po(b, node_at(b.model, e.b)->b))
    return node_at(b.model, e.b)->a;
  if (is_optional_po(b, e.b) && has_op(b.model, e.a, CAT_SEQ) && is_optional_po(b, node_at(b.model, e.a)->a))
    return node_at(b.model, e.a)->b;
  return CAT_NO_NODE;
}

/* The r of po? ; (r ; po?)+, which equals (r ; po?)+ with po? in front. */
static cat_node begun_by_po(struct builder b, cat_node x, cat_node y) {
  if (!has_op(b.model, y, CAT_PLUS) || !is_optional_po(b, x)) return CAT_NO_NODE;
  struct cat_expr step = *node_at(b.model, node_at(b.model, y)->a);
  return step.op == CAT_SEQ && is_optional_po(b, step.b) ? step.a : CAT_NO_NODE;
}

/* (po? ; r ; po?)+, the paths over po and r with at least one r, expressed by (po | r)+, for which the encoder has
 * compact encodings (encode/relation.c). For events of different threads the two relations are equal, because po does
 * not leave its thread; for events of one thread, (po | r)+ also has the pairs that need no r, so that part is built
 * separately. */
static cat_node paths_with(struct builder b, cat_node r) {
  cat_node po = build_builtin(b, CAT_REL_PO), id = build_builtin(b, CAT_REL_ID), within = build_builtin(b, CAT_REL_INT);
  cat_node paths = build_op(b, CAT_PLUS, build_op(b, CAT_UNION, po, r), CAT_NO_NODE);
  cat_node first = build_op(b, CAT_SEQ, build_op(b, CAT_UNION, po, id), r);
  cat_node after = build_op(b, CAT_SEQ, first, build_op(b, CAT_UNION, paths, id));
  return build_op(b, CAT_UNION, build_op(b, CAT_DIFF, paths, within), build_op(b, CAT_INTER, after, within));
}

static cat_node simplify_seq(struct builder b, cat_node x, cat_node y) {
  if (has_op(b.model, x, CAT_EMPTY) || is_identity(b.model, y)) return x;
  if (has_op(b.model, y, CAT_EMPTY) || is_identity(b.model, x)) return y;
  cat_node over = begun_by_po(b, x, y);
  return over != CAT_NO_NODE ? paths_with(b, over) : merge_identities(b, x, y);
}

static cat_node simplify_inverse(struct builder b, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  if (e.op == CAT_INVERSE) return e.a;
  if (e.op == CAT_EMPTY || e.op == CAT_IDENTITY) return x;
  if (e.op == CAT_BUILTIN) return builtin_has(e.builtin, CAT_SYMMETRIC) ? x : CAT_NO_NODE;
  return e.op == CAT_PRODUCT ? build_op(b, CAT_PRODUCT, e.b, e.a) : CAT_NO_NODE;
}

/* Inside a closure, a closure among the operands of a union adds nothing: (r+ | s)+ is (r | s)+. */
static cat_node strip_plus(struct builder b, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  if (e.op == CAT_PLUS) return e.a;
  if (e.op != CAT_UNION) return x;
  cat_node left = has_op(b.model, e.a, CAT_PLUS) ? node_at(b.model, e.a)->a : e.a;
  cat_node right = has_op(b.model, e.b, CAT_PLUS) ? node_at(b.model, e.b)->a : e.b;
  return left == e.a && right == e.b ? x : build_op(b, CAT_UNION, left, right);
}

static cat_node simplify_plus(struct builder b, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  cat_node over = between_po(b, x);
  if (over != CAT_NO_NODE) return paths_with(b, over);
  if (e.op == CAT_PLUS || e.op == CAT_EMPTY || e.op == CAT_IDENTITY || model_is_all(b.model, x)) return x;
  if (e.op == CAT_BUILTIN) return builtin_has(e.builtin, CAT_TRANSITIVE) ? x : CAT_NO_NODE;
  if (has_operand(b.model, x, CAT_UNION, build_builtin(b, CAT_REL_ID))) {
    cat_node rest = is_identity(b.model, e.a) ? e.b : e.a;
    return build_op(b, CAT_UNION, build_op(b, CAT_PLUS, rest, CAT_NO_NODE), build_builtin(b, CAT_REL_ID));
  }
  cat_node stripped = strip_plus(b, x);
  return stripped == x ? CAT_NO_NODE : build_op(b, CAT_PLUS, stripped, CAT_NO_NODE);
}

static cat_node simplify_ends(struct builder b, enum cat_op op, cat_node x) {
  struct cat_expr e = *node_at(b.model, x);
  if (e.op == CAT_EMPTY) return build_empty(b, true);
  if (e.op == CAT_IDENTITY) return e.a;
  if (is_identity(b.model, x)) return build_builtin(b, CAT_SET_EVERY);
  if (e.op == CAT_INVERSE) return build_op(b, op == CAT_DOMAIN ? CAT_RANGE : CAT_DOMAIN, e.a, CAT_NO_NODE);
  return CAT_NO_NODE;
}

static cat_node simplify(struct builder b, const struct cat_expr *e) {
  switch (e->op) {
    case CAT_UNION: return simplify_union(b, e->a, e->b);
    case CAT_INTER: return simplify_inter(b, e->a, e->b);
    case CAT_DIFF: return simplify_diff(b, e->a, e->b);
    case CAT_COMPL: return simplify_compl(b, e->a);
    case CAT_SEQ: return simplify_seq(b, e->a, e->b);
    case CAT_INVERSE: return simplify_inverse(b, e->a);
    case CAT_PLUS: return simplify_plus(b, e->a);
    case CAT_PRODUCT:
      return has_op(b.model, e->a, CAT_EMPTY) || has_op(b.model, e->b, CAT_EMPTY) ? build_empty(b, false) : CAT_NO_NODE;
    case CAT_IDENTITY:
      if (has_op(b.model, e->a, CAT_EMPTY)) return build_empty(b, false);
      return model_is_all(b.model, e->a) ? build_builtin(b, CAT_REL_ID) : CAT_NO_NODE;
    case CAT_DOMAIN:
    case CAT_RANGE: return simplify_ends(b, e->op, e->a);
    case CAT_BUILTIN:
    case CAT_EMPTY:
    case CAT_REC: return CAT_NO_NODE;
  }
  BUG("operator %d", (int)e->op);
}

static void require_types(const struct model *model, const struct cat_expr *e) {
  const struct cat_operator *op = cat_operator(e->op);
  const cat_node operands[] = {e->a, e->b};
  for (unsigned i = 0; i < ARRAY_LEN(operands); i++) {
    REQUIRE(i < op->operands ? operands[i] < model->nodes.len : operands[i] == CAT_NO_NODE);
    if (i < op->operands)
      REQUIRE(node_at(model, operands[i])->is_set == (op->kinds == CAT_SAME ? e->is_set : op->kinds == CAT_SPREAD));
  }
}

cat_node model_node(struct arena *arena, struct model *model, struct cat_expr expr) {
  struct builder b = {arena, model};
  require_types(model, &expr);
  REQUIRE(expr.op != CAT_REC);
  if ((expr.op == CAT_UNION || expr.op == CAT_INTER) && expr.a > expr.b) {
    cat_node swap = expr.a;
    expr.a = expr.b;
    expr.b = swap;
  }
  if (expr.op != CAT_BUILTIN) expr.builtin = 0;
  cat_node simpler = simplify(b, &expr);
  return simpler != CAT_NO_NODE ? simpler : intern_node(arena, model, &expr);
}

/* ---- compaction ---- */

static void mark(struct builder b, cat_node root, bool *seen, cat_node *stack) {
  uint32_t top = 0;
  if (seen[root]) return;
  seen[root] = true;
  stack[top++] = root;
  while (top) {
    const struct cat_expr *e = node_at(b.model, stack[--top]);
    const cat_node next[] = {e->a, e->b, e->body};
    for (int i = 0; i < 3; i++) {
      if (next[i] == CAT_NO_NODE || seen[next[i]]) continue;
      seen[next[i]] = true;
      stack[top++] = next[i];
    }
  }
}

static cat_node renamed(const cat_node *to, cat_node node) { return node == CAT_NO_NODE ? CAT_NO_NODE : to[node]; }

void build_compact(struct builder b) {
  struct model *m = b.model;
  uint32_t count = m->nodes.len, kept = 0;
  bool *seen = ARENA_ARRAY(b.arena, bool, count + 1);
  cat_node *stack = ARENA_ARRAY(b.arena, cat_node, count + 1), *to = ARENA_ARRAY(b.arena, cat_node, count + 1);
  uint32_t *groups = ARENA_ARRAY(b.arena, uint32_t, m->group_count + 1);
  for (uint32_t i = 0; i < m->axioms.len; i++) mark(b, m->axioms.data[i].node, seen, stack);
  for (uint32_t i = 0; i < m->shows.len; i++) mark(b, m->shows.data[i].node, seen, stack);
  for (cat_node n = 0; n < count; n++) {
    if (!seen[n]) continue;
    to[n] = kept++;
    if (has_op(m, n, CAT_REC)) groups[node_at(m, n)->group] = 1;
  }
  uint32_t group_count = 0;
  for (uint32_t g = 0; g < m->group_count; g++) groups[g] = groups[g] ? group_count++ : 0;
  for (cat_node n = 0; n < count; n++) {
    if (!seen[n]) continue;
    struct cat_expr e = *node_at(m, n);
    e.a = renamed(to, e.a);
    e.b = renamed(to, e.b);
    e.body = renamed(to, e.body);
    if (e.op == CAT_REC) e.group = groups[e.group];
    m->nodes.data[to[n]] = e;
  }
  m->nodes.len = kept;
  m->group_count = group_count;
  for (uint32_t i = 0; i < m->axioms.len; i++) m->axioms.data[i].node = to[m->axioms.data[i].node];
  for (uint32_t i = 0; i < m->shows.len; i++) m->shows.data[i].node = to[m->shows.data[i].node];
  m->index = (struct hash_index){0};
  for (cat_node n = 0; n < m->nodes.len; n++)
    if (!has_op(m, n, CAT_REC)) hash_add(b.arena, &m->index, hash_expr(node_at(m, n)), n);
}
