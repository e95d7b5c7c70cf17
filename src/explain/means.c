/* Finds the changes that would put a pair of events into a relation of a model: a strength, a scope, an event in
 * between. */

#include "base/text.h"
#include "explain/lacking.h"
#include "explain/words.h"

enum { MOST_FACTORS = 16, MOST_DEPTH = 10, MOST_WAYS = 3, MOST_RENDERED = 80 };

static const struct cat_expr *expr_of(const struct ask *p, cat_node node) { return &p->model->nodes.data[node]; }

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

const char *needs_define(struct arena *arena, const struct model *model, cat_node node) {
  struct text text = {.arena = arena};
  render_op(model, model->nodes.data[node].op == CAT_REC ? model->nodes.data[node].body : node, false, &text);
  return text.len <= MOST_RENDERED ? text_str(&text) : "";
}

const char *needs_render(struct arena *arena, const struct model *model, cat_node node) {
  struct text text = {.arena = arena};
  render(model, node, false, &text);
  return text.len <= MOST_RENDERED ? text_str(&text) : "...";
}

/* ---- Sets ---- */

/* True if a change of the instruction's strength or scope can put its event into this set. */
static bool can_enter(const struct ask *p, cat_node set, uint32_t event, unsigned depth) {
  const struct cat_expr *x = expr_of(p, set);
  if (bitset_has(eval_set(p->eval, set), event)) return true;
  if (depth > MOST_DEPTH) return false;
  bool first = x->a != CAT_NO_NODE && expr_of(p, x->a)->is_set && can_enter(p, x->a, event, depth + 1);
  bool second = x->b != CAT_NO_NODE && expr_of(p, x->b)->is_set && can_enter(p, x->b, event, depth + 1);
  const struct event *e = skeleton_event(p->skeleton, event);
  if (x->op == CAT_UNION) return first || second;
  if (x->op == CAT_INTER) return first && second;
  if (x->op == CAT_DIFF) return first && !bitset_has(eval_set(p->eval, x->b), event);
  if (x->op != CAT_BUILTIN || e->thread == NO_THREAD || e->proxy != PROXY_GENERIC) return false;
  bool memory = event_is_memory(e), fence = e->kind == EVENT_FENCE, writes = e->kind == EVENT_WRITE;
  if (x->builtin == CAT_SET_RLX || x->builtin == CAT_SET_ATOM) return memory;
  if (x->builtin == CAT_SET_ACQ) return fence || (memory && !writes && !e->is_red);
  if (x->builtin == CAT_SET_REL) return fence || writes;
  if (x->builtin == CAT_SET_ACQ_REL || x->builtin == CAT_SET_SC) return fence;
#define PTX_SCOPE(id, word, cuda, set, meaning)                                                                        \
  if (x->builtin == CAT_SET_SCOPE_##id) return memory || fence;
#include "ptx/words.def"
  return false;
}

static bool set_needs(const struct story *s, cat_node set, uint32_t event, const char **needs) {
  *needs = "";
  if (bitset_has(eval_set(s->ask->eval, set), event)) return true;
  if (!can_enter(s->ask, set, event, 0)) return false;
  *needs = arena_printf(s->arena, "replace %s by an instruction with an event in %s",
                        words_event(s->arena, s->ask->execution, event), needs_render(s->arena, s->ask->model, set));
  return true;
}

/* ---- Relations ---- */

static const char *both(struct arena *arena, const char *a, const char *b) {
  if (!*a || !*b) return *a ? a : b;
  return arena_printf(arena, "%s, and %s", a, b);
}

static bool pair_needs(const struct story *s, cat_node node, uint32_t u, uint32_t v, unsigned depth,
                       const char **needs);

static uint32_t flatten(const struct ask *p, cat_node node, cat_node *out, uint32_t count) {
  const struct cat_expr *x = expr_of(p, node);
  if (x->op != CAT_SEQ || count + 2 > MOST_FACTORS) {
    out[count++] = node;
    return count;
  }
  count = flatten(p, x->a, out, count);
  return flatten(p, x->b, out, count);
}

static bool is_po(const struct ask *p, cat_node node) {
  return expr_of(p, node)->op == CAT_BUILTIN && expr_of(p, node)->builtin == CAT_REL_PO;
}

/* The factors from first to last - 1 lead from u to v. */
static bool chain_needs(const struct story *s, const cat_node *factors, uint32_t first, uint32_t last, uint32_t u,
                        uint32_t v, unsigned depth, const char **needs) {
  const struct ask *p = s->ask;
  const char *here = "", *rest = "";
  if (first == last) return u == v;
  const struct cat_expr *x = expr_of(p, factors[first]);
  if (x->op == CAT_IDENTITY) {
    if (!set_needs(s, x->a, u, &here)) return false;
    if (!chain_needs(s, factors, first + 1, last, u, v, depth, &rest)) return false;
    *needs = both(s->arena, here, rest);
    return true;
  }
  const struct cat_expr *end = expr_of(p, factors[last - 1]);
  if (end->op == CAT_IDENTITY) {
    if (!set_needs(s, end->a, v, &rest) || !chain_needs(s, factors, first, last - 1, u, v, depth, &here)) return false;
    *needs = both(s->arena, here, rest);
    return true;
  }
  if (first + 1 == last) return pair_needs(s, factors[first], u, v, depth + 1, needs);
  bool fenced = first + 3 == last && is_po(p, factors[first]) && is_po(p, factors[first + 2]) &&
                expr_of(p, factors[first + 1])->op == CAT_IDENTITY;
  if (fenced && bitmat_has(eval_relation(p->eval, factors[first]), u, v)) {
    cat_node set = expr_of(p, factors[first + 1])->a;
    *needs = arena_printf(s->arena, "put an instruction with an event in %s between the two",
                          needs_render(s->arena, p->model, set));
    return true;
  }
  for (uint32_t m = 0; m < p->skeleton->n; m++)
    if (bitmat_has(eval_relation(p->eval, factors[first]), u, m) &&
        chain_needs(s, factors, first + 1, last, m, v, depth + 1, needs))
      return true;
  return false;
}

/* Adds the changes for each operand of a union for which there are any, with the operand's name. */
static uint32_t add_ways(const struct story *s, cat_node node, uint32_t u, uint32_t v, unsigned depth, uint32_t count,
                         struct text *out) {
  const struct cat_expr *x = expr_of(s->ask, node);
  const char *needs = "";
  if (x->op == CAT_UNION && !x->name) {
    count = add_ways(s, x->a, u, v, depth, count, out);
    return add_ways(s, x->b, u, v, depth, count, out);
  }
  if (count >= MOST_WAYS || !pair_needs(s, node, u, v, depth + 1, &needs) || !*needs) return count;
  if (out->len && strstr(text_str(out), needs)) return count;
  text_printf(out, "%s%s", count ? "; or " : "", needs);
  if (x->name) text_printf(out, " (%s)", x->name);
  return count + 1;
}

static bool builtin_needs(const struct story *s, enum cat_builtin builtin, uint32_t u, uint32_t v, const char **needs) {
  const struct execution *x = s->ask->execution;
  uint32_t event[] = {u, v};
  if (builtin != CAT_REL_INCL && builtin != CAT_REL_SR) return false;
  const char *all = "";
  for (int i = 0; i < 2 && (i == 0 || builtin == CAT_REL_SR); i++) {
    uint32_t from = event[i], to = event[!i];
    const struct event *e = execution_event(x, from), *f = execution_event(x, to);
    if (e->thread == NO_THREAD || f->thread == NO_THREAD) return false;
    if (bitmat_has(x->skeleton->must[CAT_REL_INCL], from, to)) continue;
    all = both(s->arena, all,
               arena_printf(s->arena, "make %s strong, with a scope that contains %s", words_event(s->arena, x, from),
                            words_thread(s->arena, s->ask->program, f->thread)));
  }
  *needs = all;
  return true;
}

static bool pair_needs(const struct story *s, cat_node node, uint32_t u, uint32_t v, unsigned depth,
                       const char **needs) {
  const struct ask *p = s->ask;
  const struct cat_expr *x = expr_of(p, node);
  const char *first = "", *second = "";
  cat_node factors[MOST_FACTORS];
  struct text ways = {.arena = s->arena};
  *needs = "";
  if (bitmat_has(eval_relation(p->eval, node), u, v)) return true;
  if (depth > MOST_DEPTH) return false;
  switch (x->op) {
    case CAT_BUILTIN: return builtin_needs(s, x->builtin, u, v, needs);
    case CAT_UNION:
      add_ways(s, x->b, u, v, depth, add_ways(s, x->a, u, v, depth, 0, &ways), &ways);
      *needs = text_str(&ways);
      return ways.len > 0;
    case CAT_INTER:
    case CAT_PRODUCT:
      if (x->op == CAT_INTER ? !pair_needs(s, x->a, u, v, depth + 1, &first) : !set_needs(s, x->a, u, &first))
        return false;
      if (x->op == CAT_INTER ? !pair_needs(s, x->b, u, v, depth + 1, &second) : !set_needs(s, x->b, v, &second))
        return false;
      *needs = both(s->arena, first, second);
      return true;
    case CAT_DIFF:
      return !bitmat_has(eval_relation(p->eval, x->b), u, v) && pair_needs(s, x->a, u, v, depth + 1, needs);
    case CAT_SEQ: return chain_needs(s, factors, 0, flatten(p, node, factors, 0), u, v, depth + 1, needs);
    case CAT_PLUS: return pair_needs(s, x->a, u, v, depth + 1, needs);
    case CAT_INVERSE: return pair_needs(s, x->a, v, u, depth + 1, needs);
    case CAT_REC:
      return pair_needs(s, x->body, u, v, depth + 1, needs);
    CAT_NO_PATH:
      return false;
  }
  BUG("operator %d", (int)x->op);
}

const char *needs_find(const struct story *s, cat_node node, uint32_t u, uint32_t v) {
  const char *needs = "";
  return pair_needs(s, node, u, v, 0, &needs) && *needs ? needs : NULL;
}
