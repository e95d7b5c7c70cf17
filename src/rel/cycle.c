#include "rel/cycle.h"

/* Costs: base edges first, then unfoldings of recursive variables, so that each unfolding makes progress. */
typedef uint32_t cost;

enum { UNFOLD = 1, EDGE = 1 << 12 };
static const cost never = UINT32_MAX / 2;

struct cycles {
  struct arena *arena;
  const struct model *model;
  uint32_t n;
  struct eval *eval;
  bool *travels; /* by node: it is a path from event to event */
  bool *neutral; /* by node: it is contained in id */
  cost **costs;  /* by node: the cost of each pair, n * n; NULL: not computed yet */
  bool *done;    /* by node, for this execution */
};

static const struct cat_expr *expr(const struct cycles *c, cat_node node) { return &c->model->nodes.data[node]; }

static cost *at(const struct cycles *c, cat_node node, uint32_t a, uint32_t b) {
  return &c->costs[node][(size_t)a * c->n + b];
}

/* ---- Which relations are paths ---- */

/* True if the operand may be a step of a path: a path, an identity, or a product of sets, as from initial values. */
static bool goes_along(const struct cycles *c, cat_node node) {
  return c->travels[node] || c->neutral[node] || expr(c, node)->op == CAT_PRODUCT;
}

/* Operands come first, but the body of a recursive variable comes later: the variable is assumed to be a path, as all
 * are in practice; this only determines which operand of an intersection is explained. */
static void classify(struct cycles *c, cat_node node) {
  const struct cat_expr *x = expr(c, node);
  bool *travels = c->travels, *neutral = c->neutral;
  if (x->is_set) return;
  switch (x->op) {
    case CAT_BUILTIN:
      travels[node] = builtin_has(x->builtin, CAT_TRAVELS);
      neutral[node] = x->builtin == CAT_REL_ID;
      return;
    case CAT_EMPTY:
    case CAT_IDENTITY: neutral[node] = true; return;
    case CAT_UNION:
      neutral[node] = neutral[x->a] && neutral[x->b];
      travels[node] = goes_along(c, x->a) && goes_along(c, x->b) && (travels[x->a] || travels[x->b]);
      return;
    case CAT_INTER:
      travels[node] = travels[x->a] || travels[x->b];
      neutral[node] = !travels[node] && (neutral[x->a] || neutral[x->b]);
      return;
    case CAT_SEQ:
      travels[node] = travels[x->a] || travels[x->b];
      neutral[node] = neutral[x->a] && neutral[x->b];
      return;
    case CAT_DIFF:
    case CAT_INVERSE:
    case CAT_PLUS:
      travels[node] = travels[x->a];
      neutral[node] = neutral[x->a];
      return;
    case CAT_REC: travels[node] = true; return;
    case CAT_COMPL:
    case CAT_PRODUCT:
    case CAT_DOMAIN:
    case CAT_RANGE: return;
  }
}

struct cycles *cycle_new(struct arena *arena, const struct model *model, uint32_t n) {
  REQUIRE(n <= CYCLE_MAX_EVENTS);
  struct cycles *c = ARENA_MAKE(arena, struct cycles, .arena = arena, .model = model, .n = n);
  uint32_t nodes = model->nodes.len;
  c->travels = ARENA_ARRAY(arena, bool, nodes);
  c->neutral = ARENA_ARRAY(arena, bool, nodes);
  c->costs = ARENA_ARRAY(arena, cost *, nodes);
  c->done = ARENA_ARRAY(arena, bool, nodes);
  for (cat_node i = 0; i < nodes; i++) classify(c, i);
  return c;
}

void cycle_execution(struct cycles *c, struct eval *eval) {
  c->eval = eval;
  for (cat_node i = 0; i < c->model->nodes.len; i++) c->done[i] = false;
}

/* ---- Costs ---- */

/* The operand of an intersection that is decomposed. */
static cat_node main_operand(const struct cycles *c, const struct cat_expr *x) {
  if (c->neutral[x->a]) return x->a;
  if (c->neutral[x->b]) return x->b;
  if (c->travels[x->a] == c->travels[x->b])
    return expr(c, x->b)->op == CAT_SEQ || expr(c, x->b)->op == CAT_PLUS ? x->b : x->a;
  return c->travels[x->a] ? x->a : x->b;
}

/* The operand or body in which a derivation continues, if there is only one; else CAT_NO_NODE. */
static cat_node one_part(const struct cycles *c, const struct cat_expr *x) {
  if (x->op == CAT_REC) return x->body;
  if (x->op == CAT_INTER) return main_operand(c, x);
  return x->op == CAT_DIFF || x->op == CAT_INVERSE ? x->a : CAT_NO_NODE;
}

/* True if derivations end at this node. */
static bool is_leaf(const struct cycles *c, cat_node node) {
  const struct cat_expr *x = expr(c, node);
  cat_node part = one_part(c, x);
  if (x->op == CAT_UNION || x->op == CAT_SEQ || x->op == CAT_PLUS || x->op == CAT_REC) return false;
  return part == CAT_NO_NODE || (!c->travels[part] && !c->neutral[part]);
}

static void fill_leaf(struct cycles *c, cat_node node, struct bitmat value) {
  for (uint32_t a = 0; a < c->n; a++) {
    struct bitset row = bitmat_row_set(value, a);
    EACH (b, row) *at(c, node, a, b) = a == b ? 0 : EDGE;
  }
}

static void improve(cost *now, cost offer) {
  if (offer < *now) *now = offer;
}

static void fill_sequence(struct cycles *c, cat_node node, const struct cat_expr *x) {
  struct bitmat first = eval_relation(c->eval, x->a), second = eval_relation(c->eval, x->b);
  for (uint32_t a = 0; a < c->n; a++) {
    struct bitset middle = bitmat_row_set(first, a);
    EACH (m, middle) {
      struct bitset last = bitmat_row_set(second, m);
      EACH (b, last) improve(at(c, node, a, b), *at(c, x->a, a, m) + *at(c, x->b, m, b));
    }
  }
}

static void close_costs(struct cycles *c, cost *costs) {
  for (uint32_t m = 0; m < c->n; m++)
    for (uint32_t a = 0; a < c->n; a++) {
      cost first = costs[(size_t)a * c->n + m];
      if (first >= never) continue;
      for (uint32_t b = 0; b < c->n; b++) improve(&costs[(size_t)a * c->n + b], first + costs[(size_t)m * c->n + b]);
    }
}

/* Lowers the costs of the node's pairs to those of an operand, plus `extra`. The operand's costs are known. */
static void take_costs(struct cycles *c, cat_node node, cat_node operand, bool transposed, cost extra) {
  struct bitmat value = eval_relation(c->eval, node);
  for (uint32_t a = 0; a < c->n; a++) {
    struct bitset row = bitmat_row_set(value, a);
    EACH (b, row) improve(at(c, node, a, b), (transposed ? *at(c, operand, b, a) : *at(c, operand, a, b)) + extra);
  }
}

static void compute(struct cycles *c, cat_node node) {
  const struct cat_expr *x = expr(c, node);
  cat_node part = one_part(c, x);
  if (is_leaf(c, node)) fill_leaf(c, node, eval_relation(c->eval, node));
  else if (x->op == CAT_SEQ) fill_sequence(c, node, x);
  else take_costs(c, node, part == CAT_NO_NODE ? x->a : part, x->op == CAT_INVERSE, x->op == CAT_REC ? UNFOLD : 0);
  if (x->op == CAT_UNION) take_costs(c, node, x->b, false, 0);
  if (x->op == CAT_PLUS) close_costs(c, c->costs[node]);
}

static cost total(const struct cycles *c, cat_node node) {
  cost sum = 0;
  for (size_t i = 0; i < (size_t)c->n * c->n; i++)
    if (c->costs[node][i] < never) sum += c->costs[node][i] + 1;
  return sum;
}

/* The nodes that a node's derivations pass through. */
static void collect(const struct cycles *c, cat_node node, struct bitset out) {
  if (bitset_has(out, node)) return;
  bitset_add(out, node);
  if (is_leaf(c, node)) return;
  const struct cat_expr *x = expr(c, node);
  cat_node part = one_part(c, x);
  collect(c, part == CAT_NO_NODE ? x->a : part, out);
  if (part == CAT_NO_NODE && x->b != CAT_NO_NODE) collect(c, x->b, out);
}

/* Operands come before their node, so one round in order is enough, except with recursive variables: their costs only
 * fall, and rounds continue until nothing changes. */
static void ensure(struct cycles *c, cat_node root) {
  if (c->done[root]) return;
  struct bitset wanted = bitset_new(c->arena, c->model->nodes.len);
  bool again = true, recursive = false;
  collect(c, root, wanted);
  EACH (i, wanted) {
    if (!c->costs[i]) c->costs[i] = ARENA_ARRAY(c->arena, cost, (size_t)c->n * c->n);
    if (!c->done[i])
      for (size_t k = 0; k < (size_t)c->n * c->n; k++) c->costs[i][k] = never;
    recursive = recursive || expr(c, i)->op == CAT_REC;
  }
  while (again) {
    again = false;
    EACH (i, wanted) {
      if (c->done[i]) continue;
      cost before = recursive ? total(c, i) : 0;
      compute(c, i);
      if (recursive && total(c, i) != before) again = true;
    }
  }
  EACH (i, wanted) c->done[i] = true;
}

/* ---- Derivations ---- */

static struct derivation *derive(struct cycles *c, cat_node node, uint32_t from, uint32_t to);

static void add_part(struct derivation *d, struct derivation *part) {
  struct derivation **last = &d->parts;
  while (*last) last = &(*last)->next;
  *last = part;
  part->parent = d;
}

static void add_side(struct cycles *c, struct derivation *d, cat_node node, bool holds) {
  struct side *side = ARENA_MAKE(c->arena, struct side, node, holds, d->sides);
  d->sides = side;
}

static void derive_sequence(struct cycles *c, struct derivation *d, const struct cat_expr *x) {
  for (uint32_t m = 0; m < c->n; m++) {
    cost first = *at(c, x->a, d->from, m), second = *at(c, x->b, m, d->to);
    if (first >= never || second >= never || first + second != *at(c, d->node, d->from, d->to)) continue;
    add_part(d, derive(c, x->a, d->from, m));
    add_part(d, derive(c, x->b, m, d->to));
    return;
  }
  BUG("no middle event");
}

/* The steps of a path in a closed relation, first to last; each step costs something, so the path ends. */
static void derive_steps(struct cycles *c, cat_node relation, const cost *closed, uint32_t from, uint32_t to,
                         struct derivation *parent, struct derivation **list) {
  while (*at(c, relation, from, to) != closed[(size_t)from * c->n + to]) {
    uint32_t m = 0;
    cost left = closed[(size_t)from * c->n + to];
    while (m < c->n && (m == from || m == to || *at(c, relation, from, m) >= never ||
                        *at(c, relation, from, m) + closed[(size_t)m * c->n + to] != left))
      m++;
    if (m == c->n) BUG("no next event");
    *list = derive(c, relation, from, m);
    (*list)->parent = parent;
    list = &(*list)->next;
    from = m;
  }
  *list = derive(c, relation, from, to);
  (*list)->parent = parent;
}

static struct derivation *derive(struct cycles *c, cat_node node, uint32_t from, uint32_t to) {
  const struct cat_expr *x = expr(c, node);
  struct derivation *d = ARENA_MAKE(c->arena, struct derivation, .node = node, .from = from, .to = to);
  cost wanted = *at(c, node, from, to);
  if (wanted >= never) BUG("event %u is not related to event %u", from, to);
  if (x->op == CAT_IDENTITY) add_side(c, d, x->a, true);
  if (is_leaf(c, node)) return d;
  cat_node part = one_part(c, x);
  d->backwards = x->op == CAT_INVERSE;
  if (x->op == CAT_SEQ) derive_sequence(c, d, x);
  else if (x->op == CAT_PLUS) derive_steps(c, x->a, c->costs[node], from, to, d, &d->parts);
  else if (x->op == CAT_UNION) add_part(d, derive(c, *at(c, x->a, from, to) == wanted ? x->a : x->b, from, to));
  else add_part(d, d->backwards ? derive(c, part, to, from) : derive(c, part, from, to));
  if (x->op == CAT_INTER) add_side(c, d, part == x->a ? x->b : x->a, true);
  if (x->op == CAT_DIFF) add_side(c, d, x->b, false);
  return d;
}

/* ---- Violations ---- */

static void shortest_self(struct cycles *c, const cost *costs, struct violation *out, cost *best) {
  *best = never;
  for (uint32_t a = 0; a < c->n; a++)
    if (costs[(size_t)a * c->n + a] < *best) {
      *best = costs[(size_t)a * c->n + a];
      out->from = out->to = a;
    }
}

static void find_cycle(struct cycles *c, cat_node node, struct violation *out, cost *best) {
  size_t size = (size_t)c->n * c->n;
  cost *closed = ARENA_ARRAY(c->arena, cost, size);
  for (size_t i = 0; i < size; i++) closed[i] = c->costs[node][i];
  close_costs(c, closed);
  shortest_self(c, closed, out, best);
  if (*best < never) derive_steps(c, node, closed, out->from, out->from, NULL, &out->path);
}

static void find_pair(struct cycles *c, cat_node node, struct violation *out, cost *best) {
  *best = never;
  for (uint32_t a = 0; a < c->n; a++)
    for (uint32_t b = 0; b < c->n; b++)
      if (*at(c, node, a, b) < *best) {
        *best = *at(c, node, a, b);
        out->from = a;
        out->to = b;
      }
}

static uint32_t first_member(struct cycles *c, cat_node node) {
  struct bitset set = eval_set(c->eval, node);
  return bitset_next(set, 0);
}

void cycle_find(struct cycles *c, uint32_t axiom, struct violation *out) {
  const struct cat_axiom *ax = &c->model->axioms.data[axiom];
  *out = (struct violation){.axiom = axiom};
  if (ax->negated) return;
  if (expr(c, ax->node)->is_set) {
    out->from = out->to = first_member(c, ax->node);
    return;
  }
  cost best = never;
  ensure(c, ax->node);
  if (ax->test == CAT_ACYCLIC) find_cycle(c, ax->node, out, &best);
  else if (ax->test == CAT_IRREFLEXIVE) shortest_self(c, c->costs[ax->node], out, &best);
  else find_pair(c, ax->node, out, &best);
  if (best >= never) BUG("axiom %s does not fail", ax->name);
  if (ax->test != CAT_ACYCLIC) out->path = derive(c, ax->node, out->from, out->to);
  out->is_pair = true;
  out->length = best / EDGE;
}

/* ---- Flattening ---- */

static void flatten(struct arena *arena, const struct derivation *d, bool against, struct base_path *out) {
  if (!d->parts) {
    if (d->from == d->to) return;
    struct base_edge edge = {d, against ? d->to : d->from, against ? d->from : d->to, against};
    VEC_PUSH(arena, out, edge);
    return;
  }
  bool inner = against != d->backwards;
  if (!inner) {
    LIST_EACH (part, d->parts) flatten(arena, part, false, out);
    return;
  }
  VEC(const struct derivation *) parts = {0};
  LIST_EACH (part, d->parts) VEC_PUSH(arena, &parts, part);
  while (parts.len) flatten(arena, parts.data[--parts.len], true, out);
}

struct base_path cycle_flatten(struct arena *arena, const struct derivation *path) {
  struct base_path out = {0};
  for (; path; path = path->next) flatten(arena, path, false, &out);
  return out;
}
