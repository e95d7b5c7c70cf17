/* Finds the pairs of events that an axiom's relation would need in addition to forbid a cycle: those missing from the
 * cheapest match of the cycle with the relation. */
#include "explain/story.h"

enum { IMPOSSIBLE = 10000, MOST_STEPS = 24, MOST_DEPTH = 12, MOST_RENDERED = 80 };

/* A match of some steps of the cycle with a relation that lacks `cost` pairs: one pair (`step`), or the pairs of two
 * consecutive parts. */
struct cover {
  uint32_t cost;
  const struct cover *first, *second;
  struct lacking_step step;
};

static const struct cover nothing_lacks, impossible = {.cost = IMPOSSIBLE};

struct covering {
  struct story *story;
  const struct cycle_step *steps;
  uint32_t count;
  const struct cover **memo; /* by node, first step and number of steps; NULL: not computed yet */
};

static uint32_t event_at(const struct covering *c, uint32_t step) { return c->steps[step % c->count].from; }

static const struct cat_expr *expr_of(const struct covering *c, cat_node node) {
  return &c->story->ask->model->nodes.data[node];
}

static bool holds(const struct covering *c, cat_node node, uint32_t i, uint32_t len) {
  return bitmat_has(eval_relation(c->story->ask->eval, node), event_at(c, i), event_at(c, i + len));
}

static const struct cover *cover(struct covering *c, cat_node node, uint32_t i, uint32_t len);

/* The two parts joined, if they are cheaper than the best match so far. */
static const struct cover *join(struct covering *c, const struct cover *best, const struct cover *first,
                                const struct cover *second) {
  if (first->cost + second->cost >= best->cost) return best;
  if (!first->cost || !second->cost) return first->cost ? first : second;
  struct cover *both = ARENA_NEW(c->story->arena, struct cover);
  *both = (struct cover){.cost = first->cost + second->cost, .first = first, .second = second};
  return both;
}

static const struct cover *lack(struct covering *c, cat_node node, uint32_t i) {
  struct cover *one = ARENA_NEW(c->story->arena, struct cover);
  *one = (struct cover){.cost = 1, .step = {event_at(c, i), event_at(c, i + 1), node}};
  return one;
}

/* True if a step of this kind could be in the relation after a change of strength, scope, location or fence: program
 * order can be in `po & loc`, reads-from cannot. */
static bool is_plausible(const struct covering *c, cat_node node, uint32_t u, uint32_t v, unsigned depth) {
  const struct cat_expr *x = expr_of(c, node);
  if (depth > MOST_DEPTH) return false;
  switch (x->op) {
    case CAT_BUILTIN:
      if (x->builtin == CAT_REL_LOC || x->builtin == CAT_REL_VLOC || x->builtin == CAT_REL_SAME_RANGE) return true;
      if (x->builtin == CAT_REL_INCL || x->builtin == CAT_REL_SR) return true;
      return bitmat_has(eval_relation(c->story->ask->eval, node), u, v);
    case CAT_UNION: return is_plausible(c, x->a, u, v, depth + 1) || is_plausible(c, x->b, u, v, depth + 1);
    case CAT_INTER: return is_plausible(c, x->a, u, v, depth + 1) && is_plausible(c, x->b, u, v, depth + 1);
    case CAT_SEQ: /* with a set; or over a third event of the same thread */
      if (expr_of(c, x->a)->op == CAT_IDENTITY) return is_plausible(c, x->b, u, v, depth + 1);
      if (expr_of(c, x->b)->op == CAT_IDENTITY) return is_plausible(c, x->a, u, v, depth + 1);
      return is_plausible(c, x->a, u, v, depth + 1) && is_plausible(c, x->b, u, v, depth + 1);
    case CAT_INVERSE: return is_plausible(c, x->a, v, u, depth + 1);
    case CAT_DIFF:
    case CAT_PLUS: return is_plausible(c, x->a, u, v, depth + 1);
    case CAT_REC: return is_plausible(c, x->body, u, v, depth + 1);
    case CAT_PRODUCT:
      return true;
    CAT_NO_PATH:
      return false;
  }
  BUG("operator %d", (int)x->op);
}

static const struct cover *find_cover(struct covering *c, cat_node node, uint32_t i, uint32_t len) {
  const struct cat_expr *x = expr_of(c, node);
  const struct cover *best = &impossible, *other;
  if (holds(c, node, i, len)) return &nothing_lacks;
  if (len == 1 && x->op != CAT_PLUS) /* the step itself is reported, and not its parts */
    return is_plausible(c, node, event_at(c, i), event_at(c, i + 1), 0) ? lack(c, node, i) : &impossible;
  switch (x->op) {
    case CAT_UNION:
      best = cover(c, x->a, i, len), other = cover(c, x->b, i, len);
      return other->cost < best->cost ? other : best;
    case CAT_INTER: return join(c, &impossible, cover(c, x->a, i, len), cover(c, x->b, i, len));
    case CAT_DIFF: return holds(c, x->b, i, len) ? &impossible : cover(c, x->a, i, len);
    case CAT_SEQ:
      for (uint32_t k = 0; k <= len; k++) best = join(c, best, cover(c, x->a, i, k), cover(c, x->b, i + k, len - k));
      return best;
    case CAT_PLUS:
      if (len) best = cover(c, x->a, i, len);
      for (uint32_t k = 1; k < len; k++) best = join(c, best, cover(c, x->a, i, k), cover(c, node, i + k, len - k));
      return best;
    case CAT_REC: return cover(c, x->body, i, len);
    case CAT_BUILTIN:
    case CAT_INVERSE:
    case CAT_PRODUCT:
    CAT_NO_PATH:
      return &impossible;
  }
  BUG("operator %d", (int)x->op);
}

static const struct cover *cover(struct covering *c, cat_node node, uint32_t i, uint32_t len) {
  const struct cover **known = &c->memo[(node * c->count + i % c->count) * (c->count + 1) + len];
  if (*known) return *known;
  *known = &impossible; /* during the search: a recursive definition must not justify itself */
  *known = find_cover(c, node, i, len);
  return *known;
}

/* ---- Axioms ---- */

/* `acyclic r`: the cycle, from some step on, as consecutive pieces in r. */
static const struct cover *cover_all_round(struct covering *c, cat_node node, uint32_t i) {
  const struct cover **best = ARENA_ARRAY(c->story->arena, const struct cover *, c->count + 1);
  best[0] = &nothing_lacks;
  for (uint32_t left = 1; left <= c->count; left++) {
    best[left] = &impossible;
    for (uint32_t k = 1; k <= left; k++)
      best[left] = join(c, best[left], cover(c, node, i + c->count - left, k), best[left - k]);
  }
  return best[c->count];
}

static const struct cover *cover_axiom(struct covering *c, const struct cat_axiom *axiom, uint32_t i) {
  const struct cat_expr *x = expr_of(c, axiom->node);
  if (axiom->test == CAT_ACYCLIC) return cover_all_round(c, axiom->node, i);
  if (axiom->test == CAT_IRREFLEXIVE) return cover(c, axiom->node, i, c->count);
  if (x->op != CAT_DIFF || x->is_set || c->count < 2) return &impossible;
  uint32_t last = i + c->count - 1; /* the step that the rest would have to oppose */
  bool against = holds(c, x->b, last, 1) && !holds(c, x->b, i, c->count - 1);
  return against ? cover(c, x->a, i, c->count - 1) : &impossible;
}

static void list_steps(struct arena *arena, const struct cover *cover, struct lacking *out) {
  if (!cover->first) {
    VEC_PUSH(arena, &out->steps, cover->step);
    return;
  }
  list_steps(arena, cover->first, out);
  list_steps(arena, cover->second, out);
}

bool lacking_find(struct story *s, const struct cycle_step *steps, uint32_t count, struct lacking *out) {
  const struct model *model = s->ask->model;
  struct covering c = {s, steps, count, NULL};
  const struct cover *best = &impossible;
  if (!count || count > MOST_STEPS) return false;
  c.memo = ARENA_ARRAY(s->arena, const struct cover *, (size_t)model->nodes.len *count *(count + 1));
  for (uint32_t a = 0; a < model->axioms.len; a++) {
    const struct cat_axiom *axiom = &model->axioms.data[a];
    if (axiom->role != CAT_AXIOM || axiom->negated || model->nodes.data[axiom->node].is_set) continue;
    for (uint32_t i = 0; i < count; i++) {
      const struct cover *now = cover_axiom(&c, axiom, i);
      if (now->cost && now->cost <= best->cost && (now->cost < best->cost || a != out->axiom))
        best = now, out->axiom = a;
    }
  }
  out->steps.len = 0;
  if (best->cost < IMPOSSIBLE) list_steps(s->arena, best, out);
  return best->cost < IMPOSSIBLE;
}

/* ---- Rendering a node ---- */

static void render(const struct model *model, cat_node node, bool inside, struct text *out);

/* Renders a node without its name. An operand with the same associative operator needs no brackets. */
static void render_op(const struct model *model, cat_node node, bool inside, struct text *out) {
  const struct cat_expr *x = &model->nodes.data[node];
  const char *shape = cat_operator(x->op)->shape;
  bool two = x->b != CAT_NO_NODE, closed = strchr("])", shape[strlen(shape) - 1]) != NULL;
  text_add(out, two && inside ? "(" : "");
  for (; *shape; shape++) {
    cat_node operand = *shape == 'A' ? x->a : x->b;
    bool is_operand = *shape == 'A' || *shape == 'B';
    bool brackets = two ? model->nodes.data[operand].op != x->op || x->op == CAT_DIFF : !closed;
    if (is_operand) render(model, operand, brackets, out);
    else text_char(out, *shape);
  }
  text_add(out, two && inside ? ")" : "");
}

static void render(const struct model *model, cat_node node, bool inside, struct text *out) {
  const char *name = model_node_name(model, node);
  if (name) text_add(out, name);
  else render_op(model, node, inside, out);
}

const char *lacking_define(struct arena *arena, const struct model *model, cat_node node) {
  struct text text = {.arena = arena};
  render_op(model, model->nodes.data[node].op == CAT_REC ? model->nodes.data[node].body : node, false, &text);
  return text.len <= MOST_RENDERED ? text_str(&text) : "";
}

const char *lacking_render(struct arena *arena, const struct model *model, cat_node node) {
  struct text text = {.arena = arena};
  render(model, node, false, &text);
  return text.len <= MOST_RENDERED ? text_str(&text) : "...";
}
