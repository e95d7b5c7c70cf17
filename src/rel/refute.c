#include "rel/refute.h"

static bool may(const struct facts *f, cat_node node, uint32_t a, uint32_t b) {
  return bitmat_has(f->graph->bounds.data[node].may, a, b);
}

static bool must(const struct facts *f, cat_node node, uint32_t a, uint32_t b) {
  return bitmat_has(f->graph->bounds.data[node].must, a, b);
}

static bool is_given(const struct facts *f, enum cat_builtin relation, uint32_t a, uint32_t b, bool holds) {
  return SOME(ARRAY_EACH (fact, f->list, f->count),
              fact->relation == relation && fact->a == a && fact->b == b && fact->holds == holds);
}

static bool surely(const struct facts *f, cat_node node, uint32_t a, uint32_t b);

/* True if the pair is excluded because the relation is irreflexive and transitive, and the facts have the inverse
 * pair. */
static bool leads_back(const struct facts *f, cat_node node, uint32_t a, uint32_t b) {
  enum cat_builtin relation = graph_expr(f->graph, node)->builtin;
  return builtin_has(relation, CAT_TRANSITIVE) && !may(f, node, a, a) && is_given(f, relation, b, a, true);
}

/* True if the relations surely lead from a to b through some event of the facts. */
static bool surely_through(const struct facts *f, cat_node first, cat_node second, uint32_t a, uint32_t b) {
  return SOME_BELOW(i, f->event_count, surely(f, first, a, f->events[i]) && surely(f, second, f->events[i], b));
}

/* True for rf^-1 ; co, which contains fr. */
static bool is_from_reads(const struct facts *f, const struct cat_expr *seq) {
  const struct cat_expr *first = graph_expr(f->graph, seq->a), *second = graph_expr(f->graph, seq->b);
  const struct cat_expr *source = first->op == CAT_INVERSE ? graph_expr(f->graph, first->a) : first;
  return first->op == CAT_INVERSE && source->op == CAT_BUILTIN && source->builtin == CAT_REL_RF &&
         second->op == CAT_BUILTIN && second->builtin == CAT_REL_CO;
}

/* Looks only at the first unfolding of a `let rec`. */
static bool surely_at_once(const struct facts *f, cat_node body, uint32_t a, uint32_t b) {
  struct facts inside = *f;
  inside.recurs = true;
  return !f->recurs && surely(&inside, body, a, b);
}

/* True if every execution with these facts has the pair (`holds` false: none has it). */
static bool is_decided(const struct facts *f, cat_node node, uint32_t a, uint32_t b, bool holds) {
  if (!may(f, node, a, b)) return !holds;
  if (must(f, node, a, b)) return holds;
  const struct cat_expr *x = graph_expr(f->graph, node);
  switch (x->op) {
    case CAT_BUILTIN: return is_given(f, x->builtin, a, b, holds) || (!holds && leads_back(f, node, a, b));
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF: {
      bool one_will_do = (x->op == CAT_UNION) == holds, first = is_decided(f, x->a, a, b, holds);
      return first == one_will_do ? first : is_decided(f, x->b, a, b, holds != (x->op == CAT_DIFF));
    }
    case CAT_COMPL: return is_decided(f, x->a, a, b, !holds);
    case CAT_INVERSE: return is_decided(f, x->a, b, a, holds);
    case CAT_SEQ:
      if (holds && is_from_reads(f, x) && is_given(f, CAT_REL_FR, a, b, true)) return true;
      return holds && surely_through(f, x->a, x->b, a, b);
    case CAT_REC: return holds && surely_at_once(f, x->body, a, b);
    case CAT_PLUS: return holds && (surely(f, x->a, a, b) || surely_through(f, x->a, x->a, a, b));
    case CAT_EMPTY:
    case CAT_PRODUCT:
    case CAT_IDENTITY:
    case CAT_DOMAIN:
    case CAT_RANGE: return false;
  }
  BUG("operator %d", (int)x->op);
}

static bool surely(const struct facts *f, cat_node node, uint32_t a, uint32_t b) {
  return is_decided(f, node, a, b, true);
}

static bool has_cycle(const struct facts *f, cat_node node) {
  for (uint32_t i = 0; i < f->event_count; i++) {
    uint32_t a = f->events[i];
    if (surely(f, node, a, a)) return true;
    for (uint32_t k = 0; k < f->event_count; k++) {
      uint32_t b = f->events[k];
      if (a != b && surely(f, node, a, b) && (surely(f, node, b, a) || surely_through(f, node, node, b, a)))
        return true;
    }
  }
  return false;
}

static bool has_pair(const struct facts *f, cat_node node, bool diagonal) {
  for (uint32_t i = 0; i < f->event_count; i++)
    for (uint32_t k = 0; k < f->event_count; k++)
      if ((!diagonal || i == k) && surely(f, node, f->events[i], f->events[k])) return true;
  return false;
}

static bool violates(const struct facts *f, const struct cat_axiom *axiom) {
  if (axiom->role != CAT_AXIOM || axiom->negated || graph_expr(f->graph, axiom->node)->is_set) return false;
  switch (axiom->test) {
    case CAT_ACYCLIC: return has_cycle(f, axiom->node);
    case CAT_IRREFLEXIVE: return has_pair(f, axiom->node, true);
    case CAT_IS_EMPTY: return has_pair(f, axiom->node, false);
  }
  BUG("axiom test %d", (int)axiom->test);
}

uint32_t refute(const struct facts *f) {
  const struct model *model = f->graph->model;
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (violates(f, &model->axioms.data[i])) return i;
  return NO_AXIOM;
}
