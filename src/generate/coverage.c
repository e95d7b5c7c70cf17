/* Which parts of a model the tests depend on: each axiom, and each side of each union, is left out in turn. */
#include "generate/generate.h"

struct covered_part {
  struct model model; /* without it */
  struct generate_judge judge;
  const char *what;
  bool lacking;   /* no test that is generated can have it */
  uint64_t tests; /* that have another verdict without it */
};

struct survey {
  struct arena *arena;
  const struct model *model;
  struct generate_judge judge;
  bool async;
  VEC(struct covered_part) parts;
  uint64_t tests;
};

/* ---- What a part is called ---- */

static void add_expression(const struct model *model, cat_node node, uint32_t depth, struct text *out);

static void add_binary(const struct model *model, const struct cat_expr *e, const char *sign, uint32_t depth,
                       struct text *out) {
  text_char(out, '(');
  add_expression(model, e->a, depth, out);
  text_printf(out, " %s ", sign);
  add_expression(model, e->b, depth, out);
  text_char(out, ')');
}

static void add_unary(const struct model *model, const struct cat_expr *e, const char *before, const char *behind,
                      uint32_t depth, struct text *out) {
  text_add(out, before);
  add_expression(model, e->a, depth, out);
  text_add(out, behind);
}

/* As it would be written, down to what has a name; what is deeper than that is left out. */
static void add_expression(const struct model *model, cat_node node, uint32_t depth, struct text *out) {
  enum { DEEPEST = 4 };
  const struct cat_expr *e = &model->nodes.data[node];
  const char *name = model_node_name(model, node);
  if (name || depth == DEEPEST) {
    text_add(out, name ? name : "...");
    return;
  }
  switch (e->op) {
    case CAT_BUILTIN:
    case CAT_REC: text_add(out, "..."); break;
    case CAT_EMPTY: text_add(out, "0"); break;
    case CAT_UNION: add_binary(model, e, "|", depth + 1, out); break;
    case CAT_INTER: add_binary(model, e, "&", depth + 1, out); break;
    case CAT_DIFF: add_binary(model, e, "\\", depth + 1, out); break;
    case CAT_SEQ: add_binary(model, e, ";", depth + 1, out); break;
    case CAT_PRODUCT: add_binary(model, e, "*", depth + 1, out); break;
    case CAT_COMPL: add_unary(model, e, "~", "", depth + 1, out); break;
    case CAT_INVERSE: add_unary(model, e, "", "^-1", depth + 1, out); break;
    case CAT_PLUS: add_unary(model, e, "", "+", depth + 1, out); break;
    case CAT_IDENTITY: add_unary(model, e, "[", "]", depth + 1, out); break;
    case CAT_DOMAIN: add_unary(model, e, "domain(", ")", depth + 1, out); break;
    case CAT_RANGE: add_unary(model, e, "range(", ")", depth + 1, out); break;
  }
}

/* The definition that the node stands in, or the axiom. */
static const char *owner(const struct model *model, cat_node node) {
  for (cat_node n = node; n < model->nodes.len; n++) {
    const struct cat_expr *e = &model->nodes.data[n];
    if (n != node && e->a != node && e->b != node) continue;
    if (e->name) return e->name;
    if (n != node) return owner(model, n);
  }
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (model->axioms.data[i].node == node) return model->axioms.data[i].name;
  return "the model";
}

/* ---- The parts ---- */

static bool is_lacking(const struct survey *s, cat_node node) {
  return !s->async && s->judge.quick && quick_lacks(s->judge.quick, node);
}

static void add_axiom_parts(struct survey *s) {
  for (uint32_t i = 0; i < s->model->axioms.len; i++) {
    struct covered_part part = {.model = *s->model,
                                .lacking = is_lacking(s, s->model->axioms.data[i].node),
                                .what = arena_printf(s->arena, "axiom %s", s->model->axioms.data[i].name)};
    if (s->model->axioms.data[i].role != CAT_AXIOM) continue;
    part.model.axioms.data = NULL;
    part.model.axioms.len = part.model.axioms.cap = 0;
    for (uint32_t k = 0; k < s->model->axioms.len; k++)
      if (k != i) VEC_PUSH(s->arena, &part.model.axioms, s->model->axioms.data[k]);
    VEC_PUSH(s->arena, &s->parts, part);
  }
}

/* A side that is a union without a name has its own sides told. */
static void add_side(struct survey *s, cat_node node, cat_node kept, cat_node gone) {
  const struct model *model = s->model;
  if (model->nodes.data[gone].op == CAT_UNION && !model->nodes.data[gone].name) return;
  struct covered_part part = {.model = *model, .lacking = is_lacking(s, node) || is_lacking(s, gone)};
  struct text what = {.arena = s->arena};
  part.model.nodes.data = ARENA_ARRAY(s->arena, struct cat_expr, model->nodes.len);
  memcpy(part.model.nodes.data, model->nodes.data, model->nodes.len * sizeof model->nodes.data[0]);
  part.model.nodes.data[node].a = part.model.nodes.data[node].b = kept;
  text_printf(&what, "%s: ", owner(model, node));
  add_expression(model, gone, 0, &what);
  part.what = text_str(&what);
  VEC_PUSH(s->arena, &s->parts, part);
}

static void add_union_parts(struct survey *s) {
  for (cat_node n = 0; n < s->model->nodes.len; n++) {
    const struct cat_expr *e = &s->model->nodes.data[n];
    if (e->op != CAT_UNION) continue;
    add_side(s, n, e->b, e->a);
    add_side(s, n, e->a, e->b);
  }
}

/* ---- The tests ---- */

struct survey *coverage_new(struct arena *arena, const struct model *model, bool async,
                            const struct check_options *options) {
  struct survey *s = ARENA_NEW(arena, struct survey);
  *s = (struct survey){.arena = arena, .model = model, .async = async, .judge = judge_new(arena, model, options)};
  add_axiom_parts(s);
  add_union_parts(s);
  for (uint32_t i = 0; i < s->parts.len; i++)
    if (!s->parts.data[i].lacking) s->parts.data[i].judge = judge_new(arena, &s->parts.data[i].model, options);
  return s;
}

bool coverage_add(void *survey, const struct draft *draft) {
  struct survey *s = survey;
  enum verdict verdict = judge_draft(&s->judge, draft);
  s->tests++;
  for (uint32_t i = 0; i < s->parts.len; i++) {
    arena_poll(s->arena);
    if (s->parts.data[i].lacking) continue;
    s->parts.data[i].tests += judge_draft(&s->parts.data[i].judge, draft) != verdict;
  }
  return true;
}

void coverage_print(const struct survey *s, struct text *out) {
  uint32_t hit = 0, lacking = 0;
  for (uint32_t i = 0; i < s->parts.len; i++) {
    const struct covered_part *part = &s->parts.data[i];
    hit += part->tests > 0;
    lacking += part->lacking;
    if (part->lacking) text_printf(out, "       -  %s\n", part->what);
    else text_printf(out, "%8llu  %s\n", (unsigned long long)part->tests, part->what);
  }
  text_printf(out, "%llu tests depend on %u of the %u axioms and disjuncts of %s", (unsigned long long)s->tests, hit,
              s->parts.len - lacking, s->model->name);
  if (lacking) text_printf(out, " that generated tests can have; %u (-) are about others", lacking);
  text_add(out, "\n");
}
