#include "cat/elaborate.h"

/* Limits on the size of a model with all functions applied. A function that applies another twice doubles the work at
 * each level. */
enum { STEP_LIMIT = 8 * 1000 * 1000, NODE_LIMIT = 200 * 1000, RECURSION_LIMIT = 2 * CAT_DEPTH_LIMIT };

static struct cat_value elaborate(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast);

static const struct cat_value error_value = {.kind = CAT_VALUE_ERROR, .node = CAT_NO_NODE};

static struct cat_value node_value(struct elaborator *e, cat_node node) {
  if (node == CAT_NO_NODE) return error_value;
  bool is_set = e->build.model->nodes.data[node].is_set;
  return (struct cat_value){.kind = is_set ? CAT_VALUE_SET : CAT_VALUE_RELATION, .node = node};
}

static bool is_error(struct cat_value v) { return v.kind == CAT_VALUE_ERROR; }
static bool is_function(struct cat_value v) {
  return v.kind == CAT_VALUE_FUNCTION || v.kind == CAT_VALUE_DOMAIN || v.kind == CAT_VALUE_RANGE;
}
static bool is_free(struct cat_value v) { return v.kind == CAT_VALUE_ZERO || v.kind == CAT_VALUE_ALL; }

/* ---- limits ---- */

/* More errors than this end the reading of a model. */
enum { ERROR_LIMIT = 100 };

static bool PRINTF_LIKE(3, 4) stop(struct elaborator *e, enum diag_code code, const char *format, ...) {
  va_list args;
  va_start(args, format);
  if (!e->stopped) diag_report_list(e->diags, code, e->statement, format, args);
  va_end(args);
  e->stopped = true;
  return false;
}

/* Operands have smaller indices than their node, so one forward pass suffices. False if some node is too deep. */
static bool measure_nodes(struct elaborator *e) {
  const struct model *model = e->build.model;
  for (cat_node n = e->depths.len; n < model->nodes.len; n++) {
    const struct cat_expr *x = &model->nodes.data[n];
    uint32_t a = x->a == CAT_NO_NODE ? 0 : e->depths.data[x->a], b = x->b == CAT_NO_NODE ? 0 : e->depths.data[x->b];
    uint32_t depth = 1 + (a > b ? a : b);
    VEC_PUSH(e->build.arena, &e->depths, depth);
    if (depth > MODEL_DEPTH_LIMIT) return false;
  }
  return true;
}

static bool step(struct elaborator *e, uint64_t steps) {
  e->steps += steps;
  if (e->stopped) return false;
  if (e->diags->errors >= ERROR_LIMIT) { /* an error in the body of a function is reported at each application */
    e->stopped = true;
    return false;
  }
  if (e->steps > STEP_LIMIT || e->build.model->nodes.len > NODE_LIMIT)
    return stop(e, DIAG_CAT_TOO_LARGE,
                "with all functions applied, this model has more than %d operators, or takes more than %d steps" HINT
                "define intermediate results with let",
                NODE_LIMIT, STEP_LIMIT);
  if (!measure_nodes(e))
    return stop(e, DIAG_TOO_DEEP, "operators are nested more than %d deep once definitions are expanded",
                MODEL_DEPTH_LIMIT);
  return true;
}

/* ---- names ---- */

static const struct cat_scope *find(struct elaborator *e, const struct cat_scope *scope, const char *name) {
  uint64_t steps = 0;
  while (scope && (!scope->name || !base_same(scope->name, name))) {
    scope = scope->next;
    steps++;
  }
  return step(e, steps) ? scope : NULL;
}

enum { CANDIDATES = 2000 };

/* Names of one letter are similar to every short name, so they are not suggested and get no suggestion. */
static const char *nearest_name(struct elaborator *e, const struct cat_scope *scope, const char *name) {
  const char **candidates = ARENA_ARRAY(e->build.arena, const char *, CANDIDATES);
  size_t count = 0;
  if (!name[1]) return NULL;
  for (unsigned i = 0; i < CAT_BUILTIN_COUNT; i++) {
    const char *builtin = builtin_name((enum cat_builtin)i);
    if (builtin[1]) candidates[count++] = builtin;
  }
  candidates[count++] = "domain";
  candidates[count++] = "range";
  for (; scope && count < CANDIDATES; scope = scope->next)
    if (scope->name && scope->name[0] && scope->name[1]) candidates[count++] = scope->name;
  return nearest_word(name, candidates, count);
}

static struct cat_value elaborate_name(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  const struct cat_scope *found = find(e, scope, ast->name);
  if (found) *found->used = true;
  if (found) return found->value;
  if (e->stopped) return error_value;
  enum cat_builtin builtin = builtin_find(ast->name);
  if (builtin != CAT_BUILTIN_COUNT) return node_value(e, build_builtin(e->build, builtin));
  if (!strcmp(ast->name, "domain")) return (struct cat_value){.kind = CAT_VALUE_DOMAIN};
  if (!strcmp(ast->name, "range")) return (struct cat_value){.kind = CAT_VALUE_RANGE};
  struct diagnostic *d = diag_report(e->diags, DIAG_CAT_UNKNOWN, ast->span, "'%s' is not defined", ast->name);
  const char *near = nearest_name(e, scope, ast->name);
  if (near) diag_hint(e->diags, d, "did you mean '%s'?", near);
  return error_value;
}

/* ---- types ---- */

/* The text of an expression as written, cut if it is long or spans lines. */
static const char *quoted(struct elaborator *e, struct span span) {
  enum { SHOWN = 40 };
  const char *text = span.source->text + span.begin;
  size_t length = span.end - span.begin, shown = 0;
  while (shown < length && shown < SHOWN && text[shown] != '\n' && text[shown] != '\r') shown++;
  return arena_printf(e->build.arena, "'%.*s%s'", (int)shown, text, shown < length ? "..." : "");
}

static cat_node report_type(struct elaborator *e, struct span span, struct cat_value v, bool want_set) {
  if (is_error(v)) return CAT_NO_NODE;
  const char *text = quoted(e, span), *want = want_set ? "set" : "relation";
  if (is_function(v)) {
    diag_report(e->diags, DIAG_CAT_TYPE, span,
                "%s is a function where a %s is needed" HINT "apply it to arguments in parentheses", text, want);
    return CAT_NO_NODE;
  }
  struct diagnostic *d = diag_report(e->diags, DIAG_CAT_TYPE, span, "%s is a %s where a %s is needed", text,
                                     want_set ? "relation" : "set", want);
  if (want_set) diag_hint(e->diags, d, "domain(r) and range(r) are the sets of a relation r");
  else diag_hint(e->diags, d, "a set S gives the relations [S] and S * S");
  return CAT_NO_NODE;
}

/* A value as a set or relation node; reports a value that is of another type and has no conversion to this one. */
static cat_node typed(struct elaborator *e, struct span span, struct cat_value v, bool want_set) {
  if (v.kind == (want_set ? CAT_VALUE_SET : CAT_VALUE_RELATION)) return v.node;
  if (v.kind == CAT_VALUE_ZERO) return build_empty(e->build, want_set);
  if (v.kind == CAT_VALUE_ALL) return want_set ? build_builtin(e->build, CAT_SET_EVERY) : build_all_pairs(e->build);
  return report_type(e, span, v, want_set);
}

static cat_node elaborate_typed(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast,
                                bool want_set) {
  return typed(e, ast->span, elaborate(e, scope, ast), want_set);
}

cat_node elaborate_relation(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  return elaborate_typed(e, scope, ast, false);
}

cat_node elaborate_any(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  struct cat_value v = elaborate(e, scope, ast);
  return typed(e, ast->span, v, v.kind == CAT_VALUE_SET);
}

/* ---- recursion: monotone uses only ---- */

/* True if the node contains a variable of the open group. Operands have smaller indices than their node, so one forward
 * pass suffices. */
static bool uses_open_rec(struct elaborator *e, cat_node node) {
  if (!e->in_rec) return false;
  const struct model *model = e->build.model;
  for (cat_node n = e->uses_rec.len; n <= node; n++) {
    const struct cat_expr *x = &model->nodes.data[n];
    bool uses = x->op == CAT_REC && x->group == e->group;
    if (x->a != CAT_NO_NODE) uses |= e->uses_rec.data[x->a];
    if (x->b != CAT_NO_NODE) uses |= e->uses_rec.data[x->b];
    VEC_PUSH(e->build.arena, &e->uses_rec, uses);
  }
  return e->uses_rec.data[node];
}

static bool check_monotone(struct elaborator *e, cat_node node, struct span span, const char *where) {
  if (!uses_open_rec(e, node)) return true;
  return diag_refuse(e->diags, DIAG_CAT_NOT_MONOTONE, span,
                     "%s is part of the definition being made, so it may not stand %s" HINT
                     "a recursive definition may use its own names only where more pairs in them give more pairs",
                     quoted(e, span), where);
}

/* ---- operators ---- */

static const char *op_text(enum cat_ast_kind kind) {
  return kind == CAT_AST_UNION ? "|" : kind == CAT_AST_INTER ? "&" : "\\";
}

/* Two operands that must be of one type: sets or relations. */
static struct cat_value elaborate_boolean(struct elaborator *e, const struct cat_scope *scope,
                                          const struct cat_ast *ast, enum cat_op op) {
  struct cat_value a = elaborate(e, scope, ast->left), b = elaborate(e, scope, ast->right);
  if (is_error(a) || is_error(b)) return error_value;
  if (a.kind == CAT_VALUE_ZERO && b.kind == CAT_VALUE_ZERO) return a;
  if ((a.kind == CAT_VALUE_SET && b.kind == CAT_VALUE_RELATION) ||
      (a.kind == CAT_VALUE_RELATION && b.kind == CAT_VALUE_SET)) {
    const struct cat_ast *set = a.kind == CAT_VALUE_SET ? ast->left : ast->right;
    const struct cat_ast *relation = set == ast->left ? ast->right : ast->left;
    struct diagnostic *d =
        diag_report(e->diags, DIAG_CAT_TYPE, set->span, "'%s' joins a set and a relation: %s is a set",
                    op_text(ast->kind), quoted(e, set->span));
    diag_beside(d, relation->span, "this is a relation");
    diag_hint(e->diags, d, "a set S gives the relations [S] and S * S");
    return error_value;
  }
  bool want_set = a.kind == CAT_VALUE_SET || b.kind == CAT_VALUE_SET || (is_free(a) && is_free(b));
  cat_node x = typed(e, ast->left->span, a, want_set), y = typed(e, ast->right->span, b, want_set);
  if (x == CAT_NO_NODE || y == CAT_NO_NODE) return error_value;
  if (op == CAT_DIFF && !check_monotone(e, y, ast->right->span, "to the right of '\\'")) return error_value;
  return node_value(e, build_op(e->build, op, x, y));
}

static struct cat_value elaborate_pair(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast,
                                       enum cat_op op, bool of_sets) {
  cat_node x = elaborate_typed(e, scope, ast->left, of_sets), y = elaborate_typed(e, scope, ast->right, of_sets);
  if (x == CAT_NO_NODE || y == CAT_NO_NODE) return error_value;
  return node_value(e, build_op(e->build, op, x, y));
}

static struct cat_value elaborate_unary(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast,
                                        enum cat_op op, bool of_set) {
  cat_node x = elaborate_typed(e, scope, ast->left, of_set);
  return x == CAT_NO_NODE ? error_value : node_value(e, build_op(e->build, op, x, CAT_NO_NODE));
}

static struct cat_value elaborate_complement(struct elaborator *e, const struct cat_scope *scope,
                                             const struct cat_ast *ast) {
  struct cat_value v = elaborate(e, scope, ast->left);
  if (is_error(v)) return v;
  if (v.kind == CAT_VALUE_ZERO) return (struct cat_value){.kind = CAT_VALUE_ALL};
  if (v.kind == CAT_VALUE_ALL) return (struct cat_value){.kind = CAT_VALUE_ZERO};
  cat_node x = typed(e, ast->left->span, v, v.kind == CAT_VALUE_SET);
  if (x == CAT_NO_NODE || !check_monotone(e, x, ast->left->span, "under '~'")) return error_value;
  return node_value(e, build_op(e->build, CAT_COMPL, x, CAT_NO_NODE));
}

/* r* and r?: with the identity on every event. */
static struct cat_value elaborate_reflexive(struct elaborator *e, const struct cat_scope *scope,
                                            const struct cat_ast *ast) {
  cat_node x = elaborate_typed(e, scope, ast->left, false);
  if (x == CAT_NO_NODE) return error_value;
  if (ast->kind == CAT_AST_STAR) x = build_op(e->build, CAT_PLUS, x, CAT_NO_NODE);
  return node_value(e, build_op(e->build, CAT_UNION, x, build_builtin(e->build, CAT_REL_ID)));
}

/* ---- functions ---- */

static bool check_count(struct elaborator *e, const struct cat_ast *ast, uint32_t want,
                        const struct cat_binding *function) {
  uint32_t have = LIST_LENGTH(ast->args);
  if (have == want) return true;
  struct diagnostic *d = diag_report(e->diags, DIAG_CAT_ARGUMENTS, ast->span, "%s takes %u argument%s, not %u",
                                     quoted(e, ast->left->span), want, want == 1 ? "" : "s", have);
  if (function) {
    diag_beside(d, function->span, "defined here");
  }
  return false;
}

static const struct cat_scope *bind(struct elaborator *e, const struct cat_scope *scope, const char *name,
                                    struct span span, struct cat_value value) {
  struct cat_scope *s = ARENA_NEW(e->build.arena, struct cat_scope);
  s->name = name;
  s->span = span;
  s->value = value;
  s->used = ARENA_NEW(e->build.arena, bool);
  s->next = scope;
  return s;
}

static struct cat_value apply_function(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast,
                                       struct cat_value f) {
  if (!check_count(e, ast, LIST_LENGTH(f.function->params), f.function)) return error_value;
  const struct cat_scope *inner = f.scope;
  const struct cat_ast_list *arg = ast->args;
  bool ok = true;
  for (const struct cat_param *p = f.function->params; p; p = p->next, arg = arg->next) {
    struct cat_value v = elaborate(e, scope, arg->ast);
    ok &= !is_error(v);
    inner = bind(e, inner, p->name, p->span, v);
  }
  return ok ? elaborate(e, inner, f.function->body) : error_value;
}

static struct cat_value elaborate_apply(struct elaborator *e, const struct cat_scope *scope,
                                        const struct cat_ast *ast) {
  struct cat_value f = elaborate(e, scope, ast->left);
  if (is_error(f)) return f;
  if (f.kind == CAT_VALUE_FUNCTION) return apply_function(e, scope, ast, f);
  if (!is_function(f)) {
    diag_report(e->diags, DIAG_CAT_TYPE, ast->left->span,
                "%s is a %s, not a function" HINT "an operator such as ';' or '&' may be missing after it",
                quoted(e, ast->left->span), f.kind == CAT_VALUE_SET ? "set" : "relation");
    return error_value;
  }
  if (!check_count(e, ast, 1, NULL)) return error_value;
  cat_node x = elaborate_typed(e, scope, ast->args->ast, false);
  if (x == CAT_NO_NODE) return error_value;
  enum cat_op op = f.kind == CAT_VALUE_DOMAIN ? CAT_DOMAIN : CAT_RANGE;
  return node_value(e, build_op(e->build, op, x, CAT_NO_NODE));
}

/* ---- let ---- */

/* The first definition of a node names it in dumps and explanations. */
static void name_node(struct elaborator *e, struct cat_value v, const char *name) {
  if (v.kind != CAT_VALUE_SET && v.kind != CAT_VALUE_RELATION) return;
  struct cat_expr *x = &e->build.model->nodes.data[v.node];
  if (x->op != CAT_BUILTIN && !x->name) x->name = name;
}

static bool check_distinct(struct elaborator *e, const struct cat_binding *bindings) {
  LIST_EACH (b, bindings)
    for (const struct cat_binding *a = bindings; a != b; a = a->next) {
      if (!step(e, 1)) return false;
      if (strcmp(a->name, b->name)) continue;
      return diag_beside(
          diag_report(e->diags, DIAG_CAT_DUPLICATE, b->span, "'%s' is defined twice in one 'let'", b->name), a->span,
          "first defined here");
    }
  return true;
}

static bool check_params(struct elaborator *e, const struct cat_binding *b) {
  LIST_EACH (p, b->params)
    for (const struct cat_param *q = b->params; q != p; q = q->next) {
      if (!step(e, 1)) return false;
      if (!p->name || !q->name || strcmp(p->name, q->name)) continue;
      return diag_beside(
          diag_report(e->diags, DIAG_CAT_DUPLICATE, p->span, "'%s' names two parameters of one function", p->name),
          q->span, "first named here");
    }
  return true;
}

static const struct cat_scope *bind_plain(struct elaborator *e, const struct cat_scope *scope,
                                          const struct cat_binding *bindings) {
  const struct cat_scope *inner = scope;
  LIST_EACH (b, bindings) {
    struct cat_value v = error_value;
    if (!b->is_function) {
      v = elaborate(e, scope, b->body);
      name_node(e, v, b->name);
    } else if (check_params(e, b)) {
      v = (struct cat_value){.kind = CAT_VALUE_FUNCTION, .function = b, .scope = scope};
    }
    inner = bind(e, inner, b->name, b->span, v);
  }
  return inner;
}

/* One attempt at `let rec`: bit i of `sets` is 1 if the i-th variable is a set. Fills `vars`; false on an error. */
static bool try_rec(struct elaborator *e, const struct cat_scope **scope, const struct cat_binding *bindings,
                    uint32_t sets, cat_node *vars) {
  uint32_t errors = e->diags->errors, i = 0;
  e->uses_rec.len = 0;
  for (const struct cat_binding *b = bindings; b; b = b->next, i++) {
    vars[i] = build_rec(e->build, i < 32 && (sets >> i & 1), e->group, b->name);
    *scope = bind(e, *scope, b->name, b->span, node_value(e, vars[i]));
  }
  i = 0;
  for (const struct cat_binding *b = bindings; b; b = b->next, i++) {
    bool is_set = e->build.model->nodes.data[vars[i]].is_set;
    cat_node body = elaborate_typed(e, *scope, b->body, is_set);
    e->build.model->nodes.data[vars[i]].body = body;
  }
  return e->diags->errors == errors && !e->stopped;
}

/* Replaces a definition that is a closure by the closure. */
static const struct cat_scope *bind_closure(struct elaborator *e, const struct cat_scope *inner,
                                            const struct cat_binding *binding, cat_node var) {
  if (e->build.model->nodes.data[var].is_set) return inner;
  cat_node closed = build_recursion(e->build, var);
  if (closed == var) return inner;
  name_node(e, node_value(e, closed), binding->name);
  return bind(e, inner->next, binding->name, binding->span, node_value(e, closed));
}

static bool check_rec(struct elaborator *e, const struct cat_binding *bindings) {
  if (!check_distinct(e, bindings)) return false;
  LIST_EACH (b, bindings)
    if (b->is_function)
      return diag_refuse(e->diags, DIAG_CAT_UNSUPPORTED, b->span, "a recursive function is not supported in a model");
  if (!e->in_rec) return true;
  return diag_refuse(e->diags, DIAG_CAT_UNSUPPORTED, bindings->span,
                     "'let rec' inside a 'let rec' is not supported in a model");
}

/* The text does not give the types of the variables: tries relations first, then, for up to four variables, every
 * mixture of sets and relations; if none fits, keeps the errors of the first attempt. */
static const struct cat_scope *bind_rec(struct elaborator *e, const struct cat_scope *scope,
                                        const struct cat_binding *bindings) {
  uint32_t count = LIST_LENGTH(bindings);
  const struct cat_scope *inner = scope;
  if (!check_rec(e, bindings)) {
    LIST_EACH (b, bindings) inner = bind(e, inner, b->name, b->span, error_value);
    return inner;
  }
  cat_node *vars = ARENA_ARRAY(e->build.arena, cat_node, count);
  uint32_t attempts = count <= 4 ? 1u << count : 1;
  struct diags before = *e->diags, first = before;
  bool ok = false;
  e->in_rec = true;
  e->group = e->build.model->group_count++;
  for (uint32_t sets = 0; sets < attempts && !ok && !e->stopped; sets++) {
    *e->diags = before;
    inner = scope;
    ok = try_rec(e, &inner, bindings, sets, vars);
    if (sets == 0) first = *e->diags;
  }
  if (!ok && !e->stopped) *e->diags = first;
  e->in_rec = false;
  for (const struct cat_scope *s = inner; s != scope; s = s->next) *s->used = false; /* its own uses do not count */
  if (ok) return count == 1 ? bind_closure(e, inner, bindings, vars[0]) : inner;
  inner = scope;
  LIST_EACH (b, bindings) inner = bind(e, inner, b->name, b->span, error_value);
  return inner;
}

const struct cat_scope *elaborate_bindings(struct elaborator *e, const struct cat_scope *scope,
                                           const struct cat_binding *bindings, bool rec) {
  if (rec) return bind_rec(e, scope, bindings);
  check_distinct(e, bindings);
  return bind_plain(e, scope, bindings);
}

/* `try a with b`: b if a has an error. */
static struct cat_value elaborate_try(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  struct diags before = *e->diags;
  struct cat_value v = elaborate(e, scope, ast->left);
  if (!is_error(v) || e->stopped) return v;
  *e->diags = before;
  return elaborate(e, scope, ast->right);
}

static bool has_reading(struct elaborator *e, const char *name) {
  const struct model *model = e->build.model;
  for (uint32_t i = 0; i < model->readings.len; i++)
    if (strcmp(model->readings.data[i].name, name) == 0) return model->readings.data[i].chosen;
  VEC_PUSH(e->build.arena, &e->build.model->readings,
           (struct cat_reading){name, model_chooses(e->chosen, name), CAT_UNKNOWN});
  return e->build.model->readings.data[e->build.model->readings.len - 1].chosen;
}

/* Without hosts nothing of the branch for them is made, so that the model is as if it had none. */
static struct cat_value elaborate_hosts(struct elaborator *e, const struct cat_scope *scope,
                                        const struct cat_ast *ast) {
  e->build.model->asks_hosts = true;
  return elaborate(e, scope, e->build.model->hosts ? ast->left : ast->right);
}

/* Also checks the branches that are not chosen. */
static struct cat_value elaborate_if(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  if (strcmp(ast->name, "hosts") == 0) return elaborate_hosts(e, scope, ast);
  bool chosen = has_reading(e, ast->name);
  struct cat_value v = elaborate(e, scope, ast->left), other = elaborate(e, scope, ast->right);
  if (is_error(v) || is_error(other)) return error_value;
  return chosen ? v : other;
}

static struct cat_value elaborate_add(struct elaborator *e, const struct cat_ast *ast) {
  diag_report(e->diags, DIAG_CAT_UNSUPPORTED, ast->span,
              "'++' (adding an element) is not supported in a model" HINT "the union of two sets is written '|'");
  return error_value;
}

static struct cat_value elaborate_kind(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  switch (ast->kind) {
    case CAT_AST_NAME: return elaborate_name(e, scope, ast);
    case CAT_AST_ZERO: return (struct cat_value){.kind = CAT_VALUE_ZERO};
    case CAT_AST_ALL: return (struct cat_value){.kind = CAT_VALUE_ALL};
    case CAT_AST_UNION: return elaborate_boolean(e, scope, ast, CAT_UNION);
    case CAT_AST_ADD: return elaborate_add(e, ast);
    case CAT_AST_SEQ: return elaborate_pair(e, scope, ast, CAT_SEQ, false);
    case CAT_AST_DIFF: return elaborate_boolean(e, scope, ast, CAT_DIFF);
    case CAT_AST_INTER: return elaborate_boolean(e, scope, ast, CAT_INTER);
    case CAT_AST_PRODUCT: return elaborate_pair(e, scope, ast, CAT_PRODUCT, true);
    case CAT_AST_COMPL: return elaborate_complement(e, scope, ast);
    case CAT_AST_INVERSE: return elaborate_unary(e, scope, ast, CAT_INVERSE, false);
    case CAT_AST_PLUS: return elaborate_unary(e, scope, ast, CAT_PLUS, false);
    case CAT_AST_STAR:
    case CAT_AST_OPTION: return elaborate_reflexive(e, scope, ast);
    case CAT_AST_IDENTITY: return elaborate_unary(e, scope, ast, CAT_IDENTITY, true);
    case CAT_AST_APPLY: return elaborate_apply(e, scope, ast);
    case CAT_AST_LET: return elaborate(e, elaborate_bindings(e, scope, ast->bindings, ast->rec), ast->left);
    case CAT_AST_IF: return elaborate_if(e, scope, ast);
    case CAT_AST_TRY: return elaborate_try(e, scope, ast);
  }
  BUG("no such expression: %d", (int)ast->kind);
}

static struct cat_value elaborate(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast) {
  if (!step(e, 1)) return error_value;
  if (e->depth >= RECURSION_LIMIT) {
    stop(e, DIAG_TOO_DEEP, "functions are applied within functions too deeply");
    return error_value;
  }
  e->depth++;
  struct cat_value v = elaborate_kind(e, scope, ast);
  e->depth--;
  return v;
}
