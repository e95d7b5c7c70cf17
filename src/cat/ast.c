#include "cat/ast.h"

static uint32_t depth_of(const struct cat_ast *ast) { return ast ? ast->depth : 0; }

/* Sets the depth of a new node. A node past the limit gets a small depth, so that the error is reported once: the file
 * is refused anyway. */
static void set_depth(struct cat_reader *reader, struct cat_ast *ast, uint32_t below) {
  ast->depth = below + 1;
  if (ast->depth <= CAT_DEPTH_LIMIT) return;
  ast->depth = 1;
  if (reader->too_deep) return;
  reader->too_deep = true;
  diag_report(reader->base.diags, DIAG_TOO_DEEP, ast->span, "this expression is nested more than %d deep",
              CAT_DEPTH_LIMIT);
}

struct cat_ast *cat_ast_leaf(struct cat_reader *reader, enum cat_ast_kind kind, struct span span, const char *name) {
  struct cat_ast *ast = ARENA_NEW(reader->base.arena, struct cat_ast);
  ast->kind = kind;
  ast->depth = 1;
  ast->span = span;
  ast->name = name;
  return ast;
}

struct cat_ast *cat_ast_node(struct cat_reader *reader, enum cat_ast_kind kind, struct span span,
                             const struct cat_ast *left, const struct cat_ast *right) {
  struct cat_ast *ast = cat_ast_leaf(reader, kind, span, NULL);
  ast->left = left;
  ast->right = right;
  uint32_t a = depth_of(left), b = depth_of(right);
  set_depth(reader, ast, a > b ? a : b);
  return ast;
}

struct cat_ast *cat_ast_apply(struct cat_reader *reader, struct span span, const struct cat_ast *function,
                              struct cat_ast_list *args) {
  struct cat_ast *ast = cat_ast_leaf(reader, CAT_AST_APPLY, span, NULL);
  ast->left = function;
  ast->args = args;
  uint32_t below = function->depth;
  LIST_EACH (arg, args)
    if (arg->ast->depth > below) below = arg->ast->depth;
  set_depth(reader, ast, below);
  return ast;
}

struct cat_ast *cat_ast_let(struct cat_reader *reader, struct span span, struct cat_binding *bindings, bool rec,
                            const struct cat_ast *body) {
  struct cat_ast *ast = cat_ast_leaf(reader, CAT_AST_LET, span, NULL);
  ast->left = body;
  ast->bindings = bindings;
  ast->rec = rec;
  uint32_t below = body->depth;
  LIST_EACH (b, bindings)
    if (b->body->depth > below) below = b->body->depth;
  set_depth(reader, ast, below);
  return ast;
}

bool cat_parse_source(struct arena *arena, struct diags *diags, const struct source *source, struct cat_file *file) {
  struct cat_reader *reader =
      ARENA_MAKE(arena, struct cat_reader, .base = {.arena = arena, .diags = diags, .source = source}, .file = file);
  return cat_scan_and_parse(reader) && !reader->too_deep;
}
