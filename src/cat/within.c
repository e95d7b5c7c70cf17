/* Decides whether one model is stronger than another, from the form of the two models' axioms. */
#include "cat/model.h"

enum within_answer { NOT_ASKED, YES, NO };

struct forms {
  const struct model *models[2];
  uint8_t *known[2]; /* indexed by side, node of that side's model, and node of the other model */
};

static bool within(struct forms *f, int side, cat_node a, cat_node b);

static const struct cat_expr *expr(const struct forms *f, int side, cat_node node) {
  return &f->models[side]->nodes.data[node];
}

/* For two expressions with the same operator: true if comparing the operands pair by pair shows the inclusion. An
 * operand in which the operator is antitone is compared the other way round. */
static bool operands_within(struct forms *f, int side, const struct cat_expr *x, const struct cat_expr *y) {
  const struct cat_operator *op = cat_operator(x->op);
  if (!op->operands) return x->op == CAT_BUILTIN && x->builtin == y->builtin;
  bool first = op->falls == 1 ? within(f, !side, y->a, x->a) : within(f, side, x->a, y->a);
  if (!first || op->operands == 1) return first;
  return op->falls == 2 ? within(f, !side, y->b, x->b) : within(f, side, x->b, y->b);
}

/* True if the rules that hold in every execution show that a is a subset of b. */
static bool show(struct forms *f, int side, cat_node a, cat_node b) {
  const struct cat_expr *x = expr(f, side, a), *y = expr(f, !side, b);
  if (x->op == CAT_EMPTY || model_is_all(f->models[!side], b)) return true;
  if (x->op == CAT_UNION) return within(f, side, x->a, b) && within(f, side, x->b, b);
  if (y->op == CAT_INTER) return within(f, side, a, y->a) && within(f, side, a, y->b);
  if (x->op == y->op && operands_within(f, side, x, y)) return true;
  if (y->op == CAT_UNION && (within(f, side, a, y->a) || within(f, side, a, y->b))) return true;
  if (y->op == CAT_PLUS && within(f, side, a, y->a)) return true;
  if (y->op == CAT_PLUS && x->op == CAT_PLUS && within(f, side, x->a, b)) return true;
  if (y->op == CAT_PLUS && x->op == CAT_SEQ && within(f, side, x->a, b) && within(f, side, x->b, b)) return true;
  if (x->op == CAT_INTER && (within(f, side, x->a, b) || within(f, side, x->b, b))) return true;
  if (x->op == CAT_DIFF && within(f, side, x->a, b)) return true;
  if (x->op == CAT_REC) return within(f, side, x->body, y->op == CAT_REC ? y->body : b);
  return y->op == CAT_REC && within(f, side, a, y->body);
}

static void forget(struct forms *f) {
  size_t pairs = (size_t)f->models[0]->nodes.len * f->models[1]->nodes.len;
  for (int side = 0; side < 2; side++)
    for (size_t i = 0; i < pairs; i++)
      if (f->known[side][i] == YES) f->known[side][i] = NOT_ASKED;
}

/* A question that recurs in its own proof goes through a recursive definition. It is then assumed, because the least
 * solution is reached step by step; if the rest of the proof fails, every conclusion from the assumption is dropped. */
static bool within(struct forms *f, int side, cat_node a, cat_node b) {
  uint8_t *known = &f->known[side][(size_t)a * f->models[!side]->nodes.len + b];
  if (*known != NOT_ASKED) return *known == YES;
  *known = YES;
  bool shown = expr(f, side, a)->is_set == expr(f, !side, b)->is_set && show(f, side, a, b);
  if (!shown && (expr(f, side, a)->op == CAT_REC || expr(f, !side, b)->op == CAT_REC)) forget(f);
  *known = shown ? YES : NO;
  return shown;
}

/* True if an axiom of one side follows from an axiom of the other side; more pairs make an axiom stricter. */
static bool follows(struct forms *f, int side, const struct cat_axiom *axiom) {
  const struct model *others = f->models[!side];
  VEC_EACH (other, &others->axioms) {
    bool acyclic = !axiom->negated && axiom->test == CAT_IRREFLEXIVE && other->test == CAT_ACYCLIC;
    if (other->role != axiom->role || other->negated != axiom->negated) continue;
    if (other->test != axiom->test && !acyclic) continue;
    if (axiom->negated ? within(f, !side, other->node, axiom->node) : within(f, side, axiom->node, other->node))
      return true;
  }
  return false;
}

static bool all_follow(struct forms *f, int side, enum cat_role role) {
  const struct model *model = f->models[side];
  return !SOME_BELOW(i, model->axioms.len,
                     model->axioms.data[i].role == role && !follows(f, side, &model->axioms.data[i]));
}

bool model_is_stronger(struct arena *arena, const struct model *model, const struct model *other) {
  struct arena_mark mark = arena_mark(arena);
  struct forms f = {.models = {other, model}};
  size_t pairs = (size_t)model->nodes.len * other->nodes.len;
  for (int side = 0; side < 2; side++) f.known[side] = ARENA_ARRAY(arena, uint8_t, pairs);
  bool stronger = all_follow(&f, 0, CAT_AXIOM) && all_follow(&f, 1, CAT_UNDEFINED);
  arena_rewind(arena, mark);
  return stronger;
}
