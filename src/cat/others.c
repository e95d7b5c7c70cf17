/* Decides if axioms still hold when events are left out of an execution. */
#include "cat/model.h"

static unsigned opposite(unsigned mask) {
  return (mask & THIRD_ADDS ? THIRD_REMOVES : 0u) | (mask & THIRD_REMOVES ? THIRD_ADDS : 0u);
}

/* The changes of the result that follow from changes of an operand: reversed if the operator is antitone in it. */
static unsigned survey_operand(struct third_events *s, cat_node operand, bool falls) {
  unsigned mask = operand == CAT_NO_NODE ? 0 : model_survey(s, operand);
  return falls ? opposite(mask) : mask;
}

unsigned model_survey(struct third_events *s, cat_node node) {
  const struct cat_expr *x = &s->nodes[node];
  const struct cat_operator *op = cat_operator(x->op);
  if (s->known[node]) return s->known[node] - 1u;
  unsigned mask = survey_operand(s, x->a, op->falls == 1) | survey_operand(s, x->b, op->falls == 2);
  if (x->op == CAT_REC) mask = THIRD_ADDS | THIRD_REMOVES; /* for any body */
  else if (s->adds(s->state, x)) mask |= THIRD_ADDS;
  s->known[node] = (unsigned char)(1 + mask);
  return mask;
}

/* True if a pair of the node may need an omitted read: the read of an atomic or of a dependency. */
static bool may_hang_on_others(const void *state, const struct cat_expr *x) {
  (void)state;
  if (x->op != CAT_BUILTIN) return cat_operator(x->op)->through;
  return x->builtin == CAT_REL_ADDR || x->builtin == CAT_REL_DATA || x->builtin == CAT_REL_CTRL ||
         x->builtin == CAT_REL_RMW;
}

bool model_survives_omissions(struct arena *arena, const struct model *model) {
  struct third_events survey = {model->nodes.data, ARENA_ARRAY(arena, unsigned char, model->nodes.len),
                                may_hang_on_others, NULL};
  return !SOME(VEC_EACH (axiom, &model->axioms),
               axiom->role == CAT_AXIOM && (axiom->negated || model_survey(&survey, axiom->node) & THIRD_REMOVES));
}

bool model_includes(const struct model *model, cat_node node, enum cat_builtin builtin) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (x->op == CAT_PLUS) return model_includes(model, x->a, builtin);
  if (x->op == CAT_UNION) return model_includes(model, x->a, builtin) || model_includes(model, x->b, builtin);
  return model_is_builtin(model, node, builtin);
}
