/* May and must bounds of every node, from the bounds of the predefined relations upwards.
 *
 * Both concern executions in which both events of a pair happen. `must` of a composition uses only middle events that
 * happen whenever one of its ends does. Recursive variables start from empty: for `may` this gives the least fixpoint
 * over all possible pairs; for `must` it is sound, because every step is monotone. */
#include "rel/graph.h"
#include "rel/operate.h"

static struct bounds new_bounds(const struct graph *g, bool is_set) {
  struct bounds b = {0};
  if (is_set) {
    b.may_set = bitset_new(g->arena, g->skeleton->n);
    b.must_set = bitset_new(g->arena, g->skeleton->n);
  } else {
    b.may = bitmat_new(g->arena, g->skeleton->n);
    b.must = bitmat_new(g->arena, g->skeleton->n);
  }
  return b;
}

static struct extent extent_of(const struct bounds *b, bool may) {
  return may ? (struct extent){b->may_set, b->may} : (struct extent){b->must_set, b->must};
}

/* Adds each event that has a must pair with an event that happens whenever it does. */
static void sure_domain(const struct graph *g, struct bitmat must, struct bitset out) {
  for (uint32_t i = 0; i < must.n; i++)
    if (bitset_meets(bitmat_row_set(must, i), bitmat_row_set(g->skeleton->implies, i))) bitset_add(out, i);
}

static void sure_range(const struct graph *g, struct bitmat must, struct bitset out) {
  struct bitset sure = bitset_new(g->arena, must.n);
  for (uint32_t i = 0; i < must.n; i++) {
    bitset_set(sure, bitmat_row_set(must, i));
    bitset_and(sure, bitmat_row_set(g->skeleton->implied, i));
    bitset_or(out, sure);
  }
}

/* Adds to the row of x the events to which y leads: all if x implies that y happens, else those that imply it. */
static void add_through(const struct skeleton *s, struct bitmat out, uint32_t x, uint32_t y, struct bitset from_y) {
  struct bitset row = bitmat_row_set(out, x), implied = bitmat_row_set(s->implied, y);
  bool sure = bitmat_has(s->implies, x, y);
  for (uint32_t i = 0; i < bitset_words(row.n); i++)
    row.words[i] |= sure ? from_y.words[i] : from_y.words[i] & implied.words[i];
}

/* out = the pairs of a ; b that hold in every execution in which their ends happen, if those of a and b do: the middle
 * event happens whenever one of the ends does. `out` is neither operand. */
static void compose_sure(const struct skeleton *s, struct bitmat out, struct bitmat a, struct bitmat b) {
  bitmat_clear(out);
  for (uint32_t x = 0; x < a.n; x++) {
    struct bitset row = bitmat_row_set(a, x);
    EACH (y, row) add_through(s, out, x, y, bitmat_row_set(b, y));
  }
}

/* Computes the closure in one pass, which may miss some pairs. */
static void close_sure(const struct skeleton *s, struct bitmat m) {
  for (uint32_t y = 0; y < m.n; y++)
    for (uint32_t x = 0; x < m.n; x++)
      if (bitmat_has(m, x, y)) add_through(s, m, x, y, bitmat_row_set(m, y));
}

/* Computes `may` and `must` of a node, each from the same bound of an operand, or from the opposite one if the operator
 * falls in that operand (cat_operator.falls). For compositions and closures, `must` has more pairs than the operator
 * alone gives, because it uses third events that are sure to happen. */
static void compute(struct graph *g, const struct cat_expr *x, struct bounds *out) {
  const struct bounds none = {0};
  const struct bounds *a = x->a == CAT_NO_NODE ? &none : &g->bounds.data[x->a];
  const struct bounds *b = x->b == CAT_NO_NODE ? &none : &g->bounds.data[x->b];
  const bool falls_a = cat_operator(x->op)->falls == 1, falls_b = cat_operator(x->op)->falls == 2;
  const struct extent most_a = extent_of(a, !falls_a), most_b = extent_of(b, !falls_b);
  const struct extent least_a = extent_of(a, falls_a), least_b = extent_of(b, falls_b);
  struct extent most = extent_of(out, true), least = extent_of(out, false);
  arena_poll(g->arena);
  if (x->op == CAT_BUILTIN) {
    bitset_set(out->may_set, g->skeleton->sets[x->builtin]);
    bitset_set(out->must_set, g->skeleton->sets[x->builtin]);
    return;
  }
  operate(x, &most, &most_a, &most_b);
  if (!cat_operator(x->op)->through) operate(x, &least, &least_a, &least_b);
  if (x->op == CAT_SEQ && a->must.words != g->empty.words && b->must.words != g->empty.words)
    compose_sure(g->skeleton, out->must, a->must, b->must);
  if (x->op == CAT_PLUS) bitmat_set(out->must, a->must), close_sure(g->skeleton, out->must);
  if (x->op == CAT_DOMAIN) sure_domain(g, a->must, out->must_set);
  if (x->op == CAT_RANGE) sure_range(g, a->must, out->must_set);
}

/* ---- Matrices are shared: most relations of a model are empty for a test, or equal another one ---- */

enum { FEW_EVENTS = 64 }; /* for few events, another matrix costs less than the search for an equal one */

/* A matrix equal to `m`: the empty one, another node's, or `m` itself. */
static struct bitmat keep(struct graph *g, struct bitmat m) {
  if (bitmat_empty(m)) return g->empty;
  if (m.n <= FEW_EVENTS) return m;
  uint64_t hash = 0;
  for (size_t i = 0; i < (size_t)m.n * m.stride; i++)
    if (m.words[i]) hash = hash_mix(hash, m.words[i] + i);
  HASH_EACH (i, &g->kept_index, hash)
    if (bitmat_equal(m, g->kept.data[i])) return g->kept.data[i];
  HASH_PUSH(g->arena, &g->kept_index, hash, &g->kept, m);
  return g->kept.data[g->kept.len - 1];
}

/* As `keep`, for a matrix made in `room`, which is an empty matrix again afterwards. */
static struct bitmat keep_made(struct graph *g, struct bitmat *room) {
  struct bitmat kept = keep(g, *room);
  if (kept.words == room->words) *room = bitmat_new(g->arena, room->n);
  else if (kept.words != g->empty.words) bitmat_clear(*room);
  return kept;
}

/* True if an empty operand makes the node empty. */
static bool is_void(const struct graph *g, const struct cat_expr *x) {
  bool a = x->a != CAT_NO_NODE && g->bounds.data[x->a].may.words == g->empty.words;
  bool b = x->b != CAT_NO_NODE && g->bounds.data[x->b].may.words == g->empty.words;
  if (x->op == CAT_BUILTIN) return builtins_have(&g->skeleton->absent, x->builtin);
  return operate_on_nothing(x->op, a, b);
}

/* The bounds of a node that depends on no recursive variable: they are final. */
static struct bounds final_bounds(struct graph *g, const struct cat_expr *x) {
  const struct skeleton *s = g->skeleton;
  struct bounds out = {0};
  if (x->is_set) {
    out = new_bounds(g, true);
    compute(g, x, &out);
    return out;
  }
  if (is_void(g, x)) return (struct bounds){.may = g->empty, .must = g->empty};
  if (x->op == CAT_BUILTIN) {
    out.may = keep(g, s->may[x->builtin]);
    out.must = keep(g, s->must[x->builtin]);
    return out;
  }
  compute(g, x, &g->room);
  out.may = keep_made(g, &g->room.may);
  out.must = keep_made(g, &g->room.must);
  return out;
}

/* ---- Recursion ---- */

/* Recomputes a node that depends on a recursive variable. True if its bounds changed. */
static bool recompute(struct graph *g, cat_node node) {
  const struct cat_expr *x = graph_expr(g, node);
  struct bounds *old = &g->bounds.data[node];
  struct bounds now = x->op == CAT_REC ? g->bounds.data[x->body] : new_bounds(g, x->is_set);
  if (x->op != CAT_REC) compute(g, x, &now);
  bool same = x->is_set ? bitset_subset(now.may_set, old->may_set) && bitset_subset(old->may_set, now.may_set) &&
                              bitset_subset(now.must_set, old->must_set) && bitset_subset(old->must_set, now.must_set)
                        : bitmat_equal(now.may, old->may) && bitmat_equal(now.must, old->must);
  if (same) return false;
  if (x->is_set) {
    bitset_set(old->may_set, now.may_set), bitset_set(old->must_set, now.must_set);
  } else {
    bitmat_set(old->may, now.may), bitmat_set(old->must, now.must);
  }
  return true;
}

/* A node's stage: 0 if it depends on no recursive variable, else one more than the largest group that it depends on.
 * Within a stage no variable is used under a complement, so bounds only grow there. */
static uint32_t *find_stages(const struct graph *g) {
  uint32_t *stages = ARENA_ARRAY(g->arena, uint32_t, g->nodes.len);
  for (cat_node i = 0; i < g->nodes.len; i++) {
    const struct cat_expr *x = graph_expr(g, i);
    if (x->op == CAT_REC) stages[i] = x->group + 1;
    if (x->a != CAT_NO_NODE && stages[x->a] > stages[i]) stages[i] = stages[x->a];
    if (x->b != CAT_NO_NODE && stages[x->b] > stages[i]) stages[i] = stages[x->b];
  }
  return stages;
}

/* Adds the nodes that the wanted ones depend on; with recursion, all. */
static void want_operands(const struct model *model, bool *wanted) {
  for (cat_node i = model->nodes.len; i-- > 0;) {
    const struct cat_expr *x = &model->nodes.data[i];
    wanted[i] |= x->op == CAT_BUILTIN || model->group_count;
    if (wanted[i] && x->a != CAT_NO_NODE) wanted[x->a] = true;
    if (wanted[i] && x->b != CAT_NO_NODE) wanted[x->b] = true;
  }
}

void graph_init(struct graph *g, struct arena *arena, const struct model *model, const struct skeleton *skeleton) {
  graph_init_for(g, arena, model, skeleton, NULL);
}

void graph_init_for(struct graph *g, struct arena *arena, const struct model *model, const struct skeleton *skeleton,
                    bool *wanted) {
  if (wanted) want_operands(model, wanted);
  *g = (struct graph){.arena = arena, .model = model, .skeleton = skeleton};
  g->empty = bitmat_new(arena, skeleton->n);
  g->room = new_bounds(g, false);
  VEC_RESERVE(arena, &g->nodes, model->nodes.len);
  VEC_RESERVE(arena, &g->bounds, model->nodes.len);
  VEC_APPEND(arena, &g->nodes, model->nodes.data, model->nodes.len);
  const uint32_t *stages = find_stages(g);
  for (cat_node i = 0; i < model->nodes.len; i++) { /* operands come first, so one pass is enough */
    const struct cat_expr *x = graph_expr(g, i);
    if (wanted && !wanted[i]) VEC_PUSH(arena, &g->bounds, (struct bounds){0});
    else VEC_PUSH(arena, &g->bounds, stages[i] == 0 ? final_bounds(g, x) : new_bounds(g, x->is_set));
  }
  for (uint32_t stage = 1; stage <= model->group_count; stage++)
    for (bool changed = true; changed;) {
      changed = false;
      for (cat_node i = 0; i < model->nodes.len; i++)
        if (stages[i] == stage) changed |= recompute(g, i);
    }
}

static bool is_hollow(const struct graph *g, const bool *hollow, const struct cat_expr *x, cat_node node) {
  if (x->op == CAT_BUILTIN)
    return x->is_set ? bitset_empty(g->bounds.data[node].may_set) : bitmat_empty(g->bounds.data[node].may);
  return operate_on_nothing(x->op, x->a != CAT_NO_NODE && hollow[x->a], x->b != CAT_NO_NODE && hollow[x->b]);
}

bool *graph_hollow(const struct graph *g) {
  bool *hollow = ARENA_ARRAY(g->arena, bool, g->model->nodes.len);
  for (cat_node i = 0; i < g->model->nodes.len; i++) hollow[i] = is_hollow(g, hollow, graph_expr(g, i), i);
  return hollow;
}

cat_node graph_add(struct graph *g, struct cat_expr x) {
  VEC_PUSH(g->arena, &g->nodes, x);
  VEC_PUSH(g->arena, &g->bounds, final_bounds(g, &x));
  return g->nodes.len - 1;
}

void graph_dump(const struct graph *g, struct text *out) {
  text_add(out, "// pairs that may hold; a pair marked ! holds whenever both events happen\n");
  for (cat_node i = 0; i < g->model->nodes.len; i++) {
    const struct cat_expr *x = graph_expr(g, i);
    const char *name = model_node_name(g->model, i);
    if (!name) continue;
    const struct bounds *b = &g->bounds.data[i];
    text_printf(out, "%s:", name);
    for (uint32_t e = 0; e < g->skeleton->n && x->is_set; e++)
      if (bitset_has(b->may_set, e)) text_printf(out, " e%u%s", e, bitset_has(b->must_set, e) ? "!" : "");
    for (uint32_t e = 0; e < g->skeleton->n && !x->is_set; e++) {
      struct bitset row = bitmat_row_set(b->may, e);
      EACH (f, row) text_printf(out, " e%u-e%u%s", e, f, bitmat_has(b->must, e, f) ? "!" : "");
    }
    text_char(out, '\n');
  }
}
