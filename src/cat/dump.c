#include "cat/model.h"

static const char *test_name(enum cat_test test) {
  return test == CAT_ACYCLIC ? "acyclic" : test == CAT_IRREFLEXIVE ? "irreflexive" : "empty";
}

static const char *role_name(enum cat_role role) {
  return role == CAT_AXIOM ? "axiom" : role == CAT_FLAG ? "flag" : "undefined_unless";
}

static void dump_node(const struct model *model, cat_node node, struct text *out) {
  const struct cat_expr *e = &model->nodes.data[node];
  text_printf(out, "n%-4u %s %s", node, e->is_set ? "set" : "rel", cat_operator(e->op)->name);
  if (e->op == CAT_BUILTIN) text_printf(out, " %s", builtin_name(e->builtin));
  if (e->a != CAT_NO_NODE) text_printf(out, " n%u", e->a);
  if (e->b != CAT_NO_NODE) text_printf(out, " n%u", e->b);
  if (e->op == CAT_REC) text_printf(out, " n%u group %u", e->body, e->group);
  if (e->name) text_printf(out, "  # %s", e->name);
  text_char(out, '\n');
}

void model_dump(const struct model *model, struct text *out) {
  text_printf(out, "model %s", model->name);
  if (model->title) text_printf(out, " \"%s\"", model->title);
  text_char(out, '\n');
  for (cat_node n = 0; n < model->nodes.len; n++) dump_node(model, n, out);
  VEC_EACH (a, &model->axioms)
    text_printf(out, "%s %s: %s%s n%u\n", role_name(a->role), a->name, a->negated ? "~" : "", test_name(a->test),
                a->node);
  if (model->ignores_silent_updates) text_add(out, "ignores_silent_updates\n");
  if (model->language) text_printf(out, "language %scuda\n", model->language == ABOUT_BOTH ? "ptx, " : "");
  for (uint32_t i = 0; i < model->shows.len; i++)
    text_printf(out, "show %s: n%u\n", model->shows.data[i].name, model->shows.data[i].node);
}

const char *model_node_name(const struct model *model, cat_node node) {
  const struct cat_expr *x = &model->nodes.data[node];
  return x->op == CAT_BUILTIN ? builtin_name(x->builtin) : x->name;
}

cat_node model_node_named(const struct model *model, const char *name) {
  for (cat_node i = 0; i < model->nodes.len; i++)
    if (model->nodes.data[i].name && strcmp(model->nodes.data[i].name, name) == 0) return i;
  return CAT_NO_NODE;
}
