/* Which parts of a model the tests depend on: each axiom, and each side of each union, is left out in turn. */
#include "ask/ask.h"
#include "generate/generate.h"
#include "rel/graph.h"

struct covered_part {
  struct model model; /* without it */
  struct generate_judge judge;
  const char *what;
  cat_node node;  /* the axiom's, or the side of the union */
  bool lacking;   /* no test that is generated can have it */
  uint64_t tests; /* that have another verdict without it */
  const char *first;
};

struct survey {
  struct arena *arena, *work; /* what is on `work` is given back after each test */
  const struct model *model;
  struct generate_judge judge;
  bool async;
  struct check_options options;
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
                                .node = s->model->axioms.data[i].node,
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
  struct covered_part part = {.model = *model, .node = gone, .lacking = is_lacking(s, node) || is_lacking(s, gone)};
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

static struct generate_judge new_judge(struct survey *s, const struct model *model) {
  struct generate_judge judge = judge_new(s->arena, model, &s->options);
  judge.arena = s->work;
  return judge;
}

struct survey *coverage_new(struct arena *arena, struct arena *work, const struct model *model, bool async,
                            const struct check_options *options) {
  struct survey *s = ARENA_NEW(arena, struct survey);
  *s = (struct survey){.arena = arena, .work = work, .model = model, .async = async};
  s->options = *options;
  s->judge = new_judge(s, model);
  add_axiom_parts(s);
  add_union_parts(s);
  for (uint32_t i = 0; i < s->parts.len; i++)
    if (!s->parts.data[i].lacking) s->parts.data[i].judge = new_judge(s, &s->parts.data[i].model);
  return s;
}

/* That a test has another verdict without the part. */
static void count_hit(struct survey *s, struct covered_part *part, const char *name) {
  if (!part->tests++) part->first = arena_strdup(s->arena, name);
}

static void add_draft(struct survey *s, const struct draft *draft, const char *name) {
  enum verdict verdict = judge_draft(&s->judge, draft);
  s->tests++;
  for (uint32_t i = 0; i < s->parts.len; i++) {
    struct covered_part *part = &s->parts.data[i];
    arena_poll(s->work);
    if (!part->lacking && judge_draft(&part->judge, draft) != verdict) count_hit(s, part, name);
  }
}

bool coverage_add(void *survey, const struct draft *draft) {
  struct survey *s = survey;
  struct arena_mark mark = arena_mark(s->work);
  add_draft(s, draft, draft_name(s->work, draft));
  arena_rewind(s->work, mark);
  return true;
}

static enum verdict verdict_of(struct survey *s, const struct program *program, const struct model *model) {
  struct arena_mark mark = arena_mark(s->work);
  struct check_options options = s->options;
  struct result result = {0};
  options.verdict_only = true;
  check(s->work, program, model, &options, &result);
  arena_rewind(s->work, mark);
  return result.verdict;
}

/* Whether the node can be anything but empty in the test: what is, makes no difference. */
static bool may_be(const struct graph *graph, cat_node node) {
  const struct bounds *b = &graph->bounds.data[node];
  return graph_expr(graph, node)->is_set ? !bitset_empty(b->may_set) : !bitmat_empty(b->may);
}

void coverage_add_test(struct survey *s, const struct program *program) {
  struct arena_mark mark = arena_mark(s->work);
  struct graph graph;
  struct draft draft;
  if (s->judge.quick && generate_recognise(program, &draft)) {
    add_draft(s, &draft, program->name);
    return;
  }
  const struct skeleton *skeleton = ask_skeleton(s->work, program, s->model, &s->options.shape, ASK_ENDING);
  s->tests++;
  if (!skeleton->refusal) graph_init(&graph, s->work, s->model, skeleton);
  enum verdict verdict = skeleton->refusal ? VERDICT_UNKNOWN : verdict_of(s, program, s->model);
  for (uint32_t i = 0; i < s->parts.len && verdict != VERDICT_UNKNOWN; i++) {
    struct covered_part *part = &s->parts.data[i];
    if (may_be(&graph, part->node) && verdict_of(s, program, &part->model) != verdict)
      count_hit(s, part, program->name);
  }
  arena_rewind(s->work, mark);
}

void coverage_print(const struct survey *s, struct text *out) {
  uint32_t hit = 0, lacking = 0;
  for (uint32_t i = 0; i < s->parts.len; i++) {
    const struct covered_part *part = &s->parts.data[i];
    hit += part->tests > 0;
    lacking += part->lacking;
    if (part->lacking) text_printf(out, "       -  %s\n", part->what);
    else if (!part->tests) text_printf(out, "       0  %s\n", part->what);
    else text_printf(out, "%8llu  %s  [%s]\n", (unsigned long long)part->tests, part->what, part->first);
  }
  text_printf(out, "%llu tests depend on %u of the %u axioms and disjuncts of %s", (unsigned long long)s->tests, hit,
              s->parts.len - lacking, s->model->name);
  if (lacking) text_printf(out, " that generated tests can have; %u (-) are about others", lacking);
  text_add(out, "\n");
}
