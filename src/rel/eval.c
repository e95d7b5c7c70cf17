#include "rel/eval.h"

struct eval {
  struct arena *arena;
  const struct model *model;
  const struct skeleton *skeleton;
  const struct execution *execution;
  bool all_happen; /* in the execution all events do */
  uint32_t n;
  struct value {
    struct bitset set;
    struct bitmat rel;
    bool done;
    unsigned parts;           /* what it depends on */
    unsigned falling;         /* the parts that may make it smaller when they grow */
    uint32_t uses;            /* by nodes and axioms */
  } * values;                 /* by node */
  struct bitset *group_nodes; /* for each `let rec` group, the nodes that depend on its variables */
  struct bitmat scratch, nothing;
  VEC(struct bitmat) spare;
  uint32_t ticks;
};

static const struct cat_expr *expr(const struct eval *e, cat_node node) { return &e->model->nodes.data[node]; }

static unsigned builtin_parts(const struct eval *e, enum cat_builtin builtin) {
  const struct skeleton *s = e->skeleton;
  unsigned shape = bitset_count(s->always) != s->n ? PART_SHAPE : 0;
#define CHOICE(parts) ((parts) | PART_SHAPE)
#define PHASES (s->open_phases ? PART_SHAPE : shape)
#define PLACES (s->fixed_places ? shape : PART_SHAPE)
#define GROUPS (s->open_groups ? PART_SHAPE : shape)
#define OBJECTS (s->mbarriers.len ? PART_SHAPE : shape)
#define REL_OPEN(id, name, member, depends, traits, meaning)                                                           \
  if (builtin == CAT_REL_##id) return depends;
#include "cat/builtin.def"
#undef CHOICE
#undef PHASES
#undef PLACES
#undef GROUPS
#undef OBJECTS
  return shape;
}

static unsigned falling_parts(const struct eval *e, const struct cat_expr *x, unsigned parts) {
  unsigned falling = x->op == CAT_COMPL ? parts : 0;
  if (x->a != CAT_NO_NODE) falling |= e->values[x->a].falling;
  if (x->b != CAT_NO_NODE) falling |= x->op == CAT_DIFF ? e->values[x->b].parts : e->values[x->b].falling;
  if (x->op == CAT_REC) falling |= e->values[x->body].falling;
  return falling;
}

/* Dependencies flow from operands, which come first, and from the body of a recursive variable to the variable, until
 * nothing changes. */
static void find_parts(struct eval *e) {
  bool some_left = bitset_count(e->skeleton->always) != e->n, again = true;
  while (again) {
    again = false;
    for (cat_node i = 0; i < e->model->nodes.len; i++) {
      const struct cat_expr *x = expr(e, i);
      unsigned parts = x->op == CAT_BUILTIN ? builtin_parts(e, x->builtin) : 0;
      const cat_node operands[] = {x->a, x->b, x->op == CAT_REC ? x->body : CAT_NO_NODE};
      for (size_t k = 0; k < ARRAY_LEN(operands); k++)
        if (operands[k] != CAT_NO_NODE) parts |= e->values[operands[k]].parts;
      if (x->op == CAT_COMPL && some_left) parts |= PART_SHAPE;
      unsigned falling = falling_parts(e, x, parts);
      bool changed = parts != e->values[i].parts || falling != e->values[i].falling;
      again |= changed && e->model->group_count;
      e->values[i].parts = parts;
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

/* For each group, which nodes use its variables: these are computed again in each round of its fixpoint. */
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
        /* A variable of a later group may be defined by ours: then it changes with us too. */
        if (x->op == CAT_REC && x->body != CAT_NO_NODE && bitset_has(nodes, x->body) && x->group > g) uses = true;
        if (uses && x->op != CAT_BUILTIN) bitset_add(nodes, i);
      }
    }
  }
}

struct eval *eval_new(struct arena *arena, const struct model *model, const struct skeleton *skeleton) {
  struct eval *e = ARENA_NEW(arena, struct eval);
  *e = (struct eval){.arena = arena, .model = model, .skeleton = skeleton, .n = skeleton->n};
  e->values = ARENA_ARRAY(arena, struct value, model->nodes.len);
  e->scratch = bitmat_new(arena, e->n);
  e->nothing = bitmat_new(arena, e->n);
  find_parts(e);
  find_groups(e);
  count_uses(e);
  return e;
}

void eval_execution(struct eval *e, const struct execution *execution, unsigned changed) {
  e->execution = execution;
  e->all_happen = bitset_count(execution->exec) == e->n;
  for (cat_node i = 0; i < e->model->nodes.len; i++)
    if (e->values[i].parts & changed) e->values[i].done = false;
}

/* Keeps only pairs of events that happen. */
static void restrict_to_exec(const struct eval *e, struct bitmat m) {
  struct bitset exec = e->execution->exec;
  for (uint32_t i = 0; i < e->n && !e->all_happen; i++) {
    struct bitset row = bitmat_row_set(m, i);
    if (bitset_has(exec, i)) bitset_and(row, exec);
    else bitset_clear(row);
  }
}

static void complement(const struct eval *e, struct value *out, const struct value *a, bool is_set) {
  if (is_set) {
    bitset_clear(out->set);
    bitset_or(out->set, e->execution->exec);
    bitset_minus(out->set, a->set);
  } else {
    bitmat_fill(out->rel);
    bitmat_minus(out->rel, a->rel);
    restrict_to_exec(e, out->rel);
  }
}

static void boolean_set(enum cat_op op, struct bitset out, struct bitset a, struct bitset b) {
  bitset_clear(out);
  bitset_or(out, a);
  if (op == CAT_UNION) bitset_or(out, b);
  if (op == CAT_INTER) bitset_and(out, b);
  if (op == CAT_DIFF) bitset_minus(out, b);
}

static void boolean_relation(enum cat_op op, struct bitmat out, struct bitmat a, struct bitmat b) {
  if (op == CAT_UNION) bitmat_union(out, a, b);
  else bitmat_set(out, a);
  if (op == CAT_INTER) bitmat_and(out, b);
  if (op == CAT_DIFF) bitmat_minus(out, b);
}

static void product(struct bitmat out, struct bitset a, struct bitset b) {
  bitmat_clear(out);
  EACH (i, a) bitset_or(bitmat_row_set(out, i), b);
}

static void identity(struct bitmat out, struct bitset a) {
  bitmat_clear(out);
  EACH (i, a) bitmat_add(out, i, i);
}

static void domain(struct bitset out, struct bitmat a) {
  bitset_clear(out);
  for (uint32_t i = 0; i < a.n; i++)
    if (!bitset_empty(bitmat_row_set(a, i))) bitset_add(out, i);
}

static void range(struct bitset out, struct bitmat a) {
  bitset_clear(out);
  for (uint32_t i = 0; i < a.n; i++) bitset_or(out, bitmat_row_set(a, i));
}

static void compute_builtin(const struct eval *e, const struct cat_expr *x, struct value *out) {
  if (x->is_set) {
    boolean_set(CAT_INTER, out->set, e->skeleton->sets[x->builtin], e->execution->exec);
  } else {
    bitmat_set(out->rel, execution_relation(e->execution, x->builtin));
    restrict_to_exec(e, out->rel);
  }
}

/* One operator, its operands being done. */
static void compute(struct eval *e, cat_node node) {
  const struct cat_expr *x = expr(e, node);
  struct value *out = &e->values[node];
  const struct value *a = x->a == CAT_NO_NODE ? NULL : &e->values[x->a];
  const struct value *b = x->b == CAT_NO_NODE ? NULL : &e->values[x->b];
  switch (x->op) {
    case CAT_BUILTIN: compute_builtin(e, x, out); break;
    case CAT_EMPTY:
      if (x->is_set) bitset_clear(out->set);
      else bitmat_clear(out->rel);
      break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF:
      if (x->is_set) boolean_set(x->op, out->set, a->set, b->set);
      else boolean_relation(x->op, out->rel, a->rel, b->rel);
      break;
    case CAT_COMPL: complement(e, out, a, x->is_set); break;
    case CAT_SEQ: bitmat_compose(out->rel, a->rel, b->rel); break;
    case CAT_INVERSE: bitmat_inverse(out->rel, a->rel); break;
    case CAT_PLUS:
      bitmat_set(out->rel, a->rel);
      bitmat_closure(out->rel);
      break;
    case CAT_PRODUCT: product(out->rel, a->set, b->set); break;
    case CAT_IDENTITY: identity(out->rel, a->set); break;
    case CAT_DOMAIN: domain(out->set, a->rel); break;
    case CAT_RANGE: range(out->set, a->rel); break;
    case CAT_REC: BUG("a recursive variable is solved by its group");
  }
}

static void update(struct eval *e, cat_node node);

static inline void ensure(struct eval *e, cat_node node) {
  if (!e->values[node].done) update(e, node);
}

/* ---- Room: most relations of a model are empty for a test, and share one matrix ---- */

static bool is_nothing(const struct eval *e, cat_node node) {
  return node != CAT_NO_NODE && e->values[node].rel.words == e->nothing.words;
}

static void make_room(struct eval *e, cat_node node) {
  struct value *v = &e->values[node];
  if (expr(e, node)->is_set) {
    if (!v->set.words) v->set = bitset_new(e->arena, e->n);
  } else if (!v->rel.words || is_nothing(e, node)) {
    v->rel = e->spare.len ? e->spare.data[--e->spare.len] : bitmat_new(e->arena, e->n);
  }
}

static void become_nothing(struct eval *e, cat_node node) {
  struct value *v = &e->values[node];
  if (v->rel.words && !is_nothing(e, node)) VEC_PUSH(e->arena, &e->spare, v->rel);
  v->rel = e->nothing;
}

enum { MANY_EVENTS = 256 /* matrices are large, and not kept for whoever might ask again */ };

/* Gives the matrix of an operand back that one node alone has asked for. Whoever asks again has it computed again. */
static void give_back(struct eval *e, cat_node node) {
  if (node == CAT_NO_NODE || e->values[node].uses != 1 || is_nothing(e, node)) return;
  struct value *v = &e->values[node];
  if (expr(e, node)->is_set || expr(e, node)->op == CAT_REC) return;
  VEC_PUSH(e->arena, &e->spare, v->rel);
  v->rel = (struct bitmat){0};
  v->done = false;
}

/* Whether a relation is empty because an operand is. */
static bool is_void(const struct eval *e, const struct cat_expr *x) {
  switch (x->op) {
    case CAT_UNION: return is_nothing(e, x->a) && is_nothing(e, x->b);
    case CAT_INTER:
    case CAT_SEQ: return is_nothing(e, x->a) || is_nothing(e, x->b);
    case CAT_DIFF:
    case CAT_INVERSE:
    case CAT_PLUS: return is_nothing(e, x->a);
    default: return false;
  }
}

static void clear_value(struct eval *e, cat_node node) {
  make_room(e, node);
  if (expr(e, node)->is_set) bitset_clear(e->values[node].set);
  else bitmat_clear(e->values[node].rel);
}

/* Takes over the value of a variable's body. Whether it grew. */
static bool update_variable(struct eval *e, cat_node variable) {
  struct value *v = &e->values[variable];
  const struct value *body = &e->values[expr(e, variable)->body];
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
    e->values[i].done = false;
    if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group) clear_value(e, i);
  }
  for (bool grew = true; grew;) {
    grew = false;
    EACH (i, nodes) e->values[i].done = expr(e, i)->op == CAT_REC && expr(e, i)->group == group;
    EACH (i, nodes)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group) ensure(e, expr(e, i)->body);
    EACH (i, nodes)
      if (expr(e, i)->op == CAT_REC && expr(e, i)->group == group && update_variable(e, i)) grew = true;
  }
}

/* Recursion is as deep as the model's expressions. */
static void update(struct eval *e, cat_node node) {
  const struct cat_expr *x = expr(e, node);
  if (x->op == CAT_REC) {
    solve_group(e, x->group);
    return;
  }
  if (x->a != CAT_NO_NODE) ensure(e, x->a);
  if (x->b != CAT_NO_NODE) ensure(e, x->b);
  if (e->values[node].done) return; /* solving an operand's group has computed it */
  if (e->n > MANY_EVENTS || (e->ticks++ & 63) == 0) arena_poll(e->arena);
  bool is_empty = !x->is_set && is_void(e, x);
  if (!is_empty) {
    make_room(e, node);
    compute(e, node);
    is_empty = !x->is_set && bitmat_empty(e->values[node].rel);
  }
  if (is_empty) become_nothing(e, node);
  e->values[node].done = true;
  if (e->n <= MANY_EVENTS) return;
  give_back(e, x->a);
  give_back(e, x->b);
}

unsigned eval_axiom_parts(const struct eval *e, uint32_t axiom) {
  return e->values[e->model->axioms.data[axiom].node].parts;
}

bool eval_axiom_monotone(const struct eval *e, uint32_t axiom) {
  const struct cat_axiom *ax = &e->model->axioms.data[axiom];
  return !ax->negated && e->values[ax->node].falling == 0;
}

static bool is_irreflexive(struct bitmat m) {
  for (uint32_t i = 0; i < m.n; i++)
    if (bitmat_has(m, i, i)) return false;
  return true;
}

static bool is_acyclic(struct eval *e, struct bitmat m) {
  bitmat_set(e->scratch, m);
  bitmat_closure(e->scratch);
  return is_irreflexive(e->scratch);
}

bool eval_axiom(struct eval *e, uint32_t axiom) {
  const struct cat_axiom *ax = &e->model->axioms.data[axiom];
  ensure(e, ax->node);
  const struct value *v = &e->values[ax->node];
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
  e->values[node].uses++; /* it stays with whoever asks */
  return e->values[node].rel;
}

struct bitset eval_set(struct eval *e, cat_node node) {
  REQUIRE(expr(e, node)->is_set);
  ensure(e, node);
  return e->values[node].set;
}
