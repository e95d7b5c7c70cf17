/* Whether axioms still hold where events are left out of an execution. */
#include "cat/model.h"

/* What a third event, by happening, can do to a pair (or to an event, in a set). */
enum { ADDS = 1, REMOVES = 2 };

struct third_events {
  const struct model *model;
  unsigned char *known; /* by node: 0 not yet, else 1 + the mask */
};

/* An atomic or a dependency may hang on a read that is left out. */
static unsigned survey_builtin(const struct cat_expr *x) {
  bool dependency = x->builtin == CAT_REL_ADDR || x->builtin == CAT_REL_DATA || x->builtin == CAT_REL_CTRL;
  return dependency || x->builtin == CAT_REL_RMW ? ADDS : 0;
}

static unsigned opposite(unsigned mask) { return (mask & ADDS ? REMOVES : 0u) | (mask & REMOVES ? ADDS : 0u); }

static unsigned survey_node(struct third_events *s, cat_node node) {
  const struct cat_expr *x = &s->model->nodes.data[node];
  if (s->known[node]) return s->known[node] - 1u;
  unsigned a = x->a == CAT_NO_NODE ? 0 : survey_node(s, x->a), b = x->b == CAT_NO_NODE ? 0 : survey_node(s, x->b);
  unsigned mask = 0;
  switch (x->op) {
    case CAT_BUILTIN: mask = survey_builtin(x); break;
    case CAT_EMPTY: break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_INVERSE:
    case CAT_PRODUCT:
    case CAT_IDENTITY: mask = a | b; break;
    case CAT_DIFF: mask = a | opposite(b); break;
    case CAT_COMPL: mask = opposite(a); break;
    case CAT_SEQ:
    case CAT_PLUS:
    case CAT_DOMAIN:
    case CAT_RANGE: mask = a | b | ADDS; break;
    case CAT_REC: mask = ADDS | REMOVES; break; /* whatever its body does */
  }
  s->known[node] = (unsigned char)(1 + mask);
  return mask;
}

bool model_survives_omissions(struct arena *arena, const struct model *model) {
  struct third_events survey = {model, ARENA_ARRAY(arena, unsigned char, model->nodes.len)};
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    const struct cat_axiom *axiom = &model->axioms.data[i];
    if (axiom->role == CAT_AXIOM && (axiom->negated || survey_node(&survey, axiom->node) & REMOVES)) return false;
  }
  return true;
}

bool model_includes(const struct model *model, cat_node node, enum cat_builtin builtin) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (x->op == CAT_PLUS) return model_includes(model, x->a, builtin);
  if (x->op == CAT_UNION) return model_includes(model, x->a, builtin) || model_includes(model, x->b, builtin);
  return x->op == CAT_BUILTIN && x->builtin == builtin;
}
