#include "rel/eval.h"

#include "rel/operate.h"

struct value {
  struct extent is;
  unsigned falling; /* the parts whose growth may make it smaller */
  uint32_t uses;    /* by nodes and axioms */
};

struct eval {
  struct arena *arena;
  const struct model *model;
  struct eval_source source;
  const struct execution *execution; /* if the source is a skeleton */
  struct bitset exec;                /* the events that happen */
  bool all_happen, others;           /* all_happen: all events happen. others: executions may differ in their events */
  uint32_t n;
  struct value *values;       /* by node */
  unsigned *parts;            /* by node: its dependencies */
  struct bitset done;         /* the nodes whose values are known */
  struct bitset by_part[4];   /* by the number of its bit: the nodes that depend on the part */
  struct bitset *group_nodes; /* for each `let rec` group, the nodes that depend on its variables */
  struct bitmat scratch, nothing;
  VEC(struct bitmat) spare;
  uint32_t ticks;
};

static const struct cat_expr *expr(const struct eval *e, cat_node node) { return &e->model->nodes.data[node]; }

/* ---- A model evaluated on a skeleton ---- */

static unsigned parts_of_builtin(const void *skeleton, enum cat_builtin builtin) {
  const struct skeleton *s = skeleton;
  unsigned shape = bitset_count(s->always) != s->n ? PART_SHAPE : 0;
#define CHOICE(parts) ((parts) | PART_SHAPE)
#define PHASES (s->open_phases ? PART_SHAPE : shape)
#define PLACES (s->fixed_places ? shape : PART_SHAPE)
#define GROUPS (s->open_groups ? PART_SHAPE : shape)
#define OBJECTS (s->mbarriers.len ? PART_SHAPE : shape)
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning)                                            \
  if (builtin == CAT_REL_##id) return depends;
#include "cat/builtin.def"
  return shape;
}

/* Keeps only pairs of events that happen. */
static void restrict_to_exec(const struct eval *e, struct bitmat m) {
  for (uint32_t i = 0; i < e->n && !e->all_happen; i++) {
    struct bitset row = bitmat_row_set(m, i);
    if (bitset_has(e->exec, i)) bitset_and(row, e->exec);
    else bitset_clear(row);
  }
}

static void fill(const struct eval *e, enum cat_builtin builtin, struct extent out) {
  if (!e->execution) {
    e->source.fill(e->source.state, builtin, out.set, out.rel);
  } else if (builtin_is_set(builtin)) {
    bitset_set(out.set, e->execution->skeleton->sets[builtin]);
    bitset_and(out.set, e->exec);
  } else {
    bitmat_set(out.rel, execution_relation(e->execution, builtin));
    restrict_to_exec(e, out.rel);
  }
}

/* ---- The model ---- */

/* True for predefined sets, and unions and differences of them: an event that happens is in such a set or not, whatever
 * else happens. */
static bool is_fixed_set(const struct eval *e, cat_node node) {
  const struct cat_expr *x = expr(e, node);
  if (!x->is_set || x->op == CAT_BUILTIN) return x->is_set;
  return (x->op == CAT_UNION || x->op == CAT_DIFF || x->op == CAT_INTER) && is_fixed_set(e, x->a) &&
         is_fixed_set(e, x->b);
}

static unsigned falling_parts(const struct eval *e, const struct cat_expr *x, unsigned parts) {
  if (x->op == CAT_DIFF && is_fixed_set(e, x->a) && is_fixed_set(e, x->b)) return 0;
  unsigned falling = cat_operator(x->op)->falls == 1 ? parts : 0;
  if (x->a != CAT_NO_NODE) falling |= e->values[x->a].falling;
  if (x->b != CAT_NO_NODE) falling |= cat_operator(x->op)->falls == 2 ? e->parts[x->b] : e->values[x->b].falling;
  if (x->op == CAT_REC) falling |= e->values[x->body].falling;
  return falling;
}

/* Dependencies flow from operands, which come first, and from the body of a recursive variable to the variable, until
 * nothing changes. */
static void find_parts(struct eval *e) {
  for (bool again = true; again;) {
    again = false;
    for (cat_node i = 0; i < e->model->nodes.len; i++) {
      const struct cat_expr *x = expr(e, i);
      unsigned parts = x->op == CAT_BUILTIN ? e->source.parts(e->source.state, x->builtin) : 0;
      const cat_node operands[] = {x->a, x->b, x->op == CAT_REC ? x->body : CAT_NO_NODE};
      for (size_t k = 0; k < ARRAY_LEN(operands); k++)
        if (operands[k] != CAT_NO_NODE) parts |= e->parts[operands[k]];
      if (x->op == CAT_COMPL && e->others) parts |= PART_SHAPE;
      unsigned falling = falling_parts(e, x, parts);
      bool changed = parts != e->parts[i] || falling != e->values[i].falling;
      again |= changed && e->model->group_count;
      e->parts[i] = parts;
      e->values[i].falling = falling;
    }
  }
}

static void count_uses(struct eval *e) {
  for (cat_node i = 0; i < e->model->nodes.len; i++) {
    const struct cat_expr *x = expr(e, i);
    if (x->a != CAT_NO_NODE) e->values[x->a].uses++;
    if (x->b != CAT_NO_NODE) e->values[x->b].uses++;
    if (x->op == CAT_REC && x->body != CAT_NO_NODE) e->values[x->body].uses++;
  }
  for (uint32_t i = 0; i < e->model->axioms.len; i++) e->values[e->model->axioms.data[i].node].uses++;
}

/* For each group, the nodes that use its variables: they are computed again in each round of its fixpoint. */
static void find_groups(struct eval *e) {
  uint32_t count = e->model->nodes.len;
  e->group_nodes = ARENA_ARRAY(e->arena, struct bitset, e->model->group_count);
  for (uint32_t g = 0; g < e->model->group_count; g++) {
    struct bitset nodes = e->group_nodes[g] = bitset_new(e->arena, count);
    for (cat_node i = 0; i < count; i++)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == g) bitset_add(nodes, i);
    for (uint32_t before = 0; before != bitset_count(nodes);) {
      before = bitset_count(nodes);
      for (cat_node i = 0; i < count; i++) {
        const struct cat_expr *x = expr(e, i);
        bool uses =
            (x->a != CAT_NO_NODE && bitset_has(nodes, x->a)) || (x->b != CAT_NO_NODE && bitset_has(nodes, x->b));
        /* A node of this group may define a variable of a later group: then that variable changes with the group. */
        if (x->op == CAT_REC && x->body != CAT_NO_NODE && bitset_has(nodes, x->body) && x->group > g) uses = true;
        if (uses && x->op != CAT_BUILTIN) bitset_add(nodes, i);
      }
    }
  }
}

static struct eval *make(struct arena *arena, const struct model *model, const struct eval_source *source,
                         bool others) {
  struct eval *e = ARENA_MAKE(arena, struct eval, .arena = arena, .model = model, .source = *source, .n = source->most,
                              .others = others);
  e->values = ARENA_ARRAY(arena, struct value, model->nodes.len);
  e->parts = ARENA_ARRAY(arena, unsigned, model->nodes.len);
  e->done = bitset_new(arena, model->nodes.len);
  e->scratch = bitmat_new(arena, e->n);
  e->nothing = bitmat_new(arena, e->n);
  find_parts(e);
  for (unsigned part = 0; part < ARRAY_LEN(e->by_part); part++) {
    e->by_part[part] = bitset_new(arena, model->nodes.len);
    for (cat_node i = 0; i < model->nodes.len; i++)
      if (e->parts[i] >> part & 1) bitset_add(e->by_part[part], i);
  }
  find_groups(e);
  count_uses(e);
  return e;
}

struct eval *eval_new(struct arena *arena, const struct model *model, const struct skeleton *skeleton) {
  const struct eval_source source = {.state = skeleton, .most = skeleton->n, .parts = parts_of_builtin};
  return make(arena, model, &source, bitset_count(skeleton->always) != skeleton->n);
}

struct eval *eval_from(struct arena *arena, const struct model *model, const struct eval_source *source) {
  struct eval *e = make(arena, model, source, true);
  e->exec = bitset_new(arena, source->most);
  for (cat_node i = 0; i < model->nodes.len; i++) {
    if (expr(e, i)->is_set) e->values[i].is.set = bitset_new(arena, source->most);
    else VEC_PUSH(arena, &e->spare, bitmat_new(arena, source->most));
  }
  return e;
}

static void forget(struct eval *e, unsigned changed) {
  for (unsigned part = 0; part < ARRAY_LEN(e->by_part); part++)
    if (changed >> part & 1) bitset_minus(e->done, e->by_part[part]);
}

void eval_execution(struct eval *e, const struct execution *execution, unsigned changed) {
  e->execution = execution;
  e->exec = execution->exec;
  e->all_happen = bitset_count(execution->exec) == e->n;
  forget(e, changed);
}

/* Sets the number of events, within the matrices allocated: rows keep their length. */
static void resize(struct eval *e, uint32_t n) {
  e->n = e->exec.n = e->scratch.n = e->nothing.n = n;
  for (cat_node i = 0; i < e->model->nodes.len; i++) e->values[i].is.set.n = e->values[i].is.rel.n = n;
  bitset_fill(e->exec);
}

void eval_changed(struct eval *e, uint32_t n, unsigned changed) {
  e->all_happen = true;
  if (e->n != n) resize(e, n);
  forget(e, changed);
}

static bool is_nothing(const struct eval *e, cat_node node) {
  return node != CAT_NO_NODE && e->values[node].is.rel.words == e->nothing.words;
}

static void update(struct eval *e, cat_node node);

static inline void ensure(struct eval *e, cat_node node) {
  if (!bitset_has(e->done, node)) update(e, node);
}

/* Computes one operator, whose operands are known. */
static void compute(struct eval *e, cat_node node) {
  const struct cat_expr *x = expr(e, node);
  struct extent *out = &e->values[node].is;
  if (x->op == CAT_BUILTIN) {
    fill(e, x->builtin, *out);
    return;
  }
  operate(x, out, x->a == CAT_NO_NODE ? NULL : &e->values[x->a].is, x->b == CAT_NO_NODE ? NULL : &e->values[x->b].is);
  if (x->op != CAT_COMPL) return;
  if (x->is_set) bitset_and(out->set, e->exec);
  else restrict_to_exec(e, out->rel);
}

/* ---- Room: most relations of a model are empty for a test, and share one matrix ---- */

static void make_room(struct eval *e, cat_node node) {
  struct extent *v = &e->values[node].is;
  if (expr(e, node)->is_set) {
    if (!v->set.words) v->set = bitset_new(e->arena, e->n);
  } else if (!v->rel.words || is_nothing(e, node)) {
    v->rel = e->spare.len ? e->spare.data[--e->spare.len] : bitmat_new(e->arena, e->n);
    v->rel.n = e->n;
  }
}

static void become_nothing(struct eval *e, cat_node node) {
  struct extent *v = &e->values[node].is;
  if (v->rel.words && !is_nothing(e, node)) VEC_PUSH(e->arena, &e->spare, v->rel);
  v->rel = e->nothing;
}

enum { MANY_EVENTS = 256 /* matrices are large, and freed after their one use */ };

/* Frees the matrix of an operand that only one node uses. It is computed again if needed again. */
static void give_back(struct eval *e, cat_node node) {
  if (node == CAT_NO_NODE || e->values[node].uses != 1 || is_nothing(e, node) || !bitset_has(e->done, node)) return;
  struct value *v = &e->values[node];
  if (expr(e, node)->is_set || expr(e, node)->op == CAT_REC) return;
  VEC_PUSH(e->arena, &e->spare, v->is.rel);
  v->is.rel = (struct bitmat){0};
  bitset_del(e->done, node);
}

static void clear_value(struct eval *e, cat_node node) {
  make_room(e, node);
  if (expr(e, node)->is_set) bitset_clear(e->values[node].is.set);
  else bitmat_clear(e->values[node].is.rel);
}

/* Takes over the value of a variable's body. True if it grew. */
static bool update_variable(struct eval *e, cat_node variable) {
  struct extent *v = &e->values[variable].is;
  const struct extent *body = &e->values[expr(e, variable)->body].is;
  if (expr(e, variable)->is_set) {
    if (bitset_subset(body->set, v->set)) return false;
    bitset_or(v->set, body->set);
    return true;
  }
  bitmat_set(e->scratch, v->rel);
  bitmat_or(e->scratch, body->rel);
  bool grew = !bitmat_equal(e->scratch, v->rel);
  bitmat_set(v->rel, e->scratch);
  return grew;
}

/* The least fixpoint of a group: from empty, in rounds. */
static void solve_group(struct eval *e, uint32_t group) {
  struct bitset nodes = e->group_nodes[group];
  EACH (i, nodes) {
    bitset_del(e->done, i);
    if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group) clear_value(e, i);
  }
  for (bool grew = true; grew;) {
    grew = false;
    bitset_minus(e->done, nodes);
    EACH (i, nodes)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group) bitset_add(e->done, i);
    EACH (i, nodes)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group) ensure(e, expr(e, i)->body);
    EACH (i, nodes)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group && update_variable(e, i)) grew = true;
  }
}

/* The recursion is as deep as the model's expressions. */
static void update(struct eval *e, cat_node node) {
  const struct cat_expr *x = expr(e, node);
  if (x->op == CAT_REC) {
    solve_group(e, x->group);
    return;
  }
  if (x->a != CAT_NO_NODE) ensure(e, x->a);
  bool decided = !x->is_set && is_nothing(e, x->a) && operate_on_nothing(x->op, true, false);
  if (x->b != CAT_NO_NODE && !decided) ensure(e, x->b);
  if (bitset_has(e->done, node)) return; /* solving an operand's group has computed it */
  if (e->n > MANY_EVENTS || (e->ticks++ & 63) == 0) arena_poll(e->arena);
  bool is_empty = decided || (!x->is_set && operate_on_nothing(x->op, is_nothing(e, x->a), is_nothing(e, x->b)));
  if (!is_empty) {
    make_room(e, node);
    compute(e, node);
    is_empty = !x->is_set && bitmat_empty(e->values[node].is.rel);
  }
  if (is_empty) become_nothing(e, node);
  bitset_add(e->done, node);
  if (e->n <= MANY_EVENTS) return;
  give_back(e, x->a);
  give_back(e, x->b);
}

unsigned eval_axiom_parts(const struct eval *e, uint32_t axiom) { return e->parts[e->model->axioms.data[axiom].node]; }

bool eval_axiom_monotone(const struct eval *e, uint32_t axiom) {
  const struct cat_axiom *ax = &e->model->axioms.data[axiom];
  return !ax->negated && e->values[ax->node].falling == 0;
}

static bool is_irreflexive(struct bitmat m) { return !SOME_BELOW(i, m.n, bitmat_has(m, i, i)); }

static bool is_acyclic(struct eval *e, struct bitmat m) {
  bitmat_set(e->scratch, m);
  bitmat_closure(e->scratch);
  return is_irreflexive(e->scratch);
}

bool eval_axiom(struct eval *e, uint32_t axiom) {
  const struct cat_axiom *ax = &e->model->axioms.data[axiom];
  ensure(e, ax->node);
  const struct extent *v = &e->values[ax->node].is;
  bool holds = false;
  switch (ax->test) {
    case CAT_ACYCLIC: holds = is_acyclic(e, v->rel); break;
    case CAT_IRREFLEXIVE: holds = is_irreflexive(v->rel); break;
    case CAT_IS_EMPTY: holds = expr(e, ax->node)->is_set ? bitset_empty(v->set) : bitmat_empty(v->rel); break;
  }
  return holds != ax->negated;
}

struct bitmat eval_relation(struct eval *e, cat_node node) {
  REQUIRE(!expr(e, node)->is_set);
  ensure(e, node);
  e->values[node].uses++; /* the caller keeps it */
  return e->values[node].is.rel;
}

struct bitset eval_set(struct eval *e, cat_node node) {
  REQUIRE(expr(e, node)->is_set);
  ensure(e, node);
  return e->values[node].is.set;
}
