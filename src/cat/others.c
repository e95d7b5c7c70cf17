/* Decides if axioms still hold when events are left out of an execution. */
#include "cat/model.h"

/* The effect of a third event on a pair (or on an event, in a set). */
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

static unsigned survey_node(struct third_events *s, cat_node node);

static unsigned opposite(unsigned mask) { return (mask & ADDS ? REMOVES : 0u) | (mask & REMOVES ? ADDS : 0u); }

/* The changes of an operand as its operator's result shows them: the other way round where that falls. */
static unsigned survey_operand(struct third_events *s, cat_node operand, bool falls) {
  unsigned mask = operand == CAT_NO_NODE ? 0 : survey_node(s, operand);
  return falls ? opposite(mask) : mask;
}

/* Of a recursive variable anything, whatever its body does. */
static unsigned survey_node(struct third_events *s, cat_node node) {
  const struct cat_expr *x = &s->model->nodes.data[node];
  const struct cat_operator *op = cat_operator(x->op);
  if (s->known[node]) return s->known[node] - 1u;
  unsigned mask = survey_operand(s, x->a, op->falls == 1) | survey_operand(s, x->b, op->falls == 2);
  if (x->op == CAT_BUILTIN) mask = survey_builtin(x);
  if (op->through) mask |= x->op == CAT_REC ? ADDS | REMOVES : ADDS;
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
