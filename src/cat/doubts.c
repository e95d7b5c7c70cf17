#include "cat/elaborate.h"

/* A model can repeat one mistake in thousands of places, and warnings must not crowd out errors. */
enum { DOUBT_LIMIT = 20 };

static bool is_enough(const struct elaborator *e) { return e->diags->warnings >= DOUBT_LIMIT; }

static bool is_predefined(const char *name) {
  return builtin_find(name) != CAT_BUILTIN_COUNT || strcmp(name, "domain") == 0 || strcmp(name, "range") == 0;
}

/* The definition of the same file that a new definition of this name hides, or NULL. */
static const struct cat_scope *hidden_by(const struct cat_scope *scope, const struct cat_binding *b) {
  while (scope && (!scope->name || !base_same(scope->name, b->name))) scope = scope->next;
  return scope && scope->span.source == b->span.source ? scope : NULL;
}

static void doubt_predefined(struct elaborator *e, const struct cat_binding *b) {
  diag_report(e->diags, DIAG_CAT_REDEFINED, b->span,
              "'%s' is predefined; from here on this definition hides it" HINT "use another name to tell them apart",
              b->name);
}

static void doubt_again(struct elaborator *e, const struct cat_binding *b, const struct cat_scope *first) {
  struct diagnostic *d = diag_report(e->diags, DIAG_CAT_REDEFINED, b->span,
                                     "'%s' is defined again, and the new definition does not use the old one", b->name);
  diag_beside(d, first->span, "first defined here");
}

const struct cat_scope *doubts_bind(struct elaborator *e, const struct cat_scope *before,
                                    const struct cat_binding *bindings, bool rec) {
  uint32_t count = LIST_LENGTH(bindings);
  const struct cat_scope **hidden = ARENA_ARRAY(e->build.arena, const struct cat_scope *, count);
  bool *was_used = ARENA_ARRAY(e->build.arena, bool, count);
  uint32_t i = 0, errors = e->diags->errors;
  for (const struct cat_binding *b = bindings; b; b = b->next, i++) {
    hidden[i] = hidden_by(before, b);
    if (!hidden[i]) continue;
    was_used[i] = *hidden[i]->used;
    *hidden[i]->used = false;
  }
  const struct cat_scope *after = elaborate_bindings(e, before, bindings, rec);
  i = 0;
  for (const struct cat_binding *b = bindings; b; b = b->next, i++) {
    bool doubt = e->diags->errors == errors && !is_enough(e);
    if (doubt && !hidden[i] && is_predefined(b->name)) doubt_predefined(e, b);
    if (!hidden[i]) continue;
    if (doubt && !*hidden[i]->used && !b->is_function) doubt_again(e, b, hidden[i]);
    *hidden[i]->used |= was_used[i];
  }
  return after;
}

/* ---- The end ---- */

/* A scope lists definitions innermost first; the warnings are in text order. */
static void doubt_unused(struct elaborator *e, const struct cat_scope *scope, const struct source *file) {
  VEC(const struct cat_scope *) unused = {0};
  for (; scope; scope = scope->next)
    if (scope->span.source == file && !*scope->used && scope->name[0] != '_') VEC_PUSH(e->build.arena, &unused, scope);
  for (uint32_t i = unused.len; i-- > 0 && !is_enough(e);)
    diag_report(e->diags, DIAG_CAT_UNUSED, unused.data[i]->span, "nothing uses '%s'", unused.data[i]->name);
}

static bool speaks_of_reads(const struct model *model, cat_node node, bool *seen) {
  if (node == CAT_NO_NODE || seen[node]) return false;
  const struct cat_expr *x = &model->nodes.data[node];
  seen[node] = true;
  if (x->op == CAT_BUILTIN) return x->builtin == CAT_REL_RF || x->builtin == CAT_REL_FR;
  bool body = x->op == CAT_REC && speaks_of_reads(model, x->body, seen);
  return body || speaks_of_reads(model, x->a, seen) || speaks_of_reads(model, x->b, seen);
}

void doubts_end(struct elaborator *e, const struct source *file) {
  const struct model *model = e->build.model;
  bool *seen = ARENA_ARRAY(e->build.arena, bool, model->nodes.len), any = false, speaks = false;
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    if (model->axioms.data[i].role != CAT_AXIOM) continue;
    any = true;
    speaks |= speaks_of_reads(model, model->axioms.data[i].node, seen);
  }
  if (speaks) {
    doubt_unused(e, e->globals, file);
    return;
  }
  diag_report(e->diags, DIAG_CAT_SAYS_NOTHING, (struct span){file, 0, 0},
              "%s" HINT "if models only include this file, name one of those models; --list-models lists them",
              any ? "no axiom of this model mentions rf or fr, so a read may return any value"
                  : "this model has no axiom, so a read may return any value");
}
