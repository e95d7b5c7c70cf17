/* Mutants of a model: each axiom left out in turn, each disjunct, each `?` (a disjunct with the identity); of readings,
 * those that are taken.
 *
 *   mutants MODEL.cat         one line for each mutant: number, line in the file, what was done
 *   mutants MODEL.cat N       the text of mutant N
 *
 * Exit status: 0; 2 when the file cannot be read or there is no such mutant.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "cat/ast.h"

/* Replace a span by a text. */
struct mutant {
  struct span span;
  const char *text;
  const char *what;
};

struct list {
  struct arena *arena;
  const struct source *source;
  const char *where; /* the name defined, or the axiom, that is being visited */
  VEC(struct mutant) mutants;
  const struct cat_file *file;
  VEC(const struct cat_binding *) used; /* by axioms and flags, with the readings taken */
};

static const char *text_of(const struct list *l, struct span span) {
  return arena_strndup(l->arena, l->source->text + span.begin, span.end - span.begin);
}

static const char *in_one_line(const struct list *l, struct span span) {
  char *text = arena_strndup(l->arena, l->source->text + span.begin, span.end - span.begin);
  char *out = text;
  for (const char *c = text; *c; c++) {
    bool blank = *c == ' ' || *c == '\n' || *c == '\t';
    if (!blank) *out++ = *c;
    else if (out > text && out[-1] != ' ') *out++ = ' ';
  }
  *out = '\0';
  return text;
}

/* Descriptions of mutants are unique, so that a remark about one cannot be mistaken for one about another. */
static void add(struct list *l, struct span span, const char *text, const char *done) {
  const char *what = arena_printf(l->arena, "%s: %s", l->where, done);
  for (uint32_t i = 0; i < l->mutants.len; i++)
    if (strcmp(l->mutants.data[i].what, what) == 0) what = arena_printf(l->arena, "%s, again", what);
  VEC_PUSH(l->arena, &l->mutants, ((struct mutant){span, text, what}));
}

static void keep(struct list *l, const struct cat_ast *whole, const struct cat_ast *kept,
                 const struct cat_ast *dropped) {
  add(l, whole->span, arena_printf(l->arena, "(%s)", text_of(l, kept->span)),
      arena_printf(l->arena, "without disjunct `%s`", in_one_line(l, dropped->span)));
}

/* What stands there with the readings taken: another one is not chosen, and does not count. */
static const struct cat_ast *taken(const struct cat_ast *ast) {
  while (ast && ast->kind == CAT_AST_IF) ast = ast->right;
  return ast;
}

static const struct cat_binding *find_binding(const struct list *l, const char *name) {
  for (const struct cat_statement *s = l->file->statements; s; s = s->next)
    for (const struct cat_binding *b = s->bindings; b; b = b->next)
      if (strcmp(b->name, name) == 0) return b;
  return NULL;
}

static bool is_nothing(const struct list *l, const struct cat_ast *ast) {
  ast = taken(ast);
  bool both = ast->kind == CAT_AST_SEQ || ast->kind == CAT_AST_INTER || ast->kind == CAT_AST_PRODUCT;
  if (ast->kind == CAT_AST_UNION) return is_nothing(l, ast->left) && is_nothing(l, ast->right);
  if (both) return is_nothing(l, ast->left) || is_nothing(l, ast->right);
  if (ast->kind == CAT_AST_DIFF) return is_nothing(l, ast->left);
  const struct cat_binding *named = ast->kind == CAT_AST_NAME ? find_binding(l, ast->name) : NULL;
  return named ? is_nothing(l, named->body) : ast->kind == CAT_AST_ZERO;
}

static bool is_used(const struct list *l, const struct cat_binding *binding) {
  for (uint32_t i = 0; i < l->used.len; i++)
    if (l->used.data[i] == binding) return true;
  return false;
}

static void use(struct list *l, const struct cat_ast *ast) {
  ast = taken(ast);
  if (!ast) return;
  const struct cat_binding *named = ast->kind == CAT_AST_NAME ? find_binding(l, ast->name) : NULL;
  if (named && !is_used(l, named)) {
    VEC_PUSH(l->arena, &l->used, named);
    use(l, named->body);
  }
  use(l, ast->left);
  use(l, ast->right);
  for (const struct cat_ast_list *arg = ast->args; arg; arg = arg->next) use(l, arg->ast);
  for (const struct cat_binding *b = ast->bindings; b; b = b->next) use(l, b->body);
}

/* Recursion is bounded by CAT_DEPTH_LIMIT. */
static void visit(struct list *l, const struct cat_ast *ast) {
  ast = taken(ast);
  if (!ast) return;
  if (ast->kind == CAT_AST_UNION) {
    if (!is_nothing(l, ast->right)) keep(l, ast, ast->left, ast->right);
    if (ast->left->kind != CAT_AST_UNION && !is_nothing(l, ast->left)) keep(l, ast, ast->right, ast->left);
  }
  if (ast->kind == CAT_AST_OPTION) {
    const char *whole = in_one_line(l, ast->span);
    add(l, ast->span, arena_printf(l->arena, "(%s)", text_of(l, ast->left->span)),
        arena_printf(l->arena, "`%s` never the identity", whole));
    add(l, ast->span, "id", arena_printf(l->arena, "`%s` only the identity", whole));
  }
  visit(l, ast->left);
  visit(l, ast->right);
  for (const struct cat_ast_list *arg = ast->args; arg; arg = arg->next) visit(l, arg->ast);
  for (const struct cat_binding *b = ast->bindings; b; b = b->next) visit(l, b->body);
}

static void find(struct list *l, const struct cat_file *file) {
  l->file = file;
  for (const struct cat_statement *s = file->statements; s; s = s->next)
    if (s->kind == CAT_STATEMENT_TEST) use(l, s->ast);
  for (const struct cat_statement *s = file->statements; s; s = s->next) {
    bool axiom = s->kind == CAT_STATEMENT_TEST;
    if (axiom) {
      l->where = s->name ? s->name : in_one_line(l, s->span);
      add(l, s->span, "", "left out");
      visit(l, s->ast);
    }
    for (const struct cat_binding *b = s->bindings; b; b = b->next) {
      if (!is_used(l, b)) continue;
      l->where = b->name;
      visit(l, b->body);
    }
  }
}

static void print_list(const struct list *l) {
  for (uint32_t i = 0; i < l->mutants.len; i++)
    printf("%u\t%u\t%s\n", i, source_position(l->source, l->mutants.data[i].span.begin).line, l->mutants.data[i].what);
}

static int print_mutant(const struct list *l, unsigned long number) {
  if (number >= l->mutants.len) return 2;
  const struct mutant *m = &l->mutants.data[number];
  printf("%.*s%s%s", (int)m->span.begin, l->source->text, m->text, l->source->text + m->span.end);
  return 0;
}

int main(int argc, char **argv) {
  if (argc < 2 || argc > 3) {
    fputs("usage: mutants MODEL.cat [N]\n", stderr);
    return 2;
  }
  struct arena arena;
  arena_init(&arena, NULL);
  struct source source;
  struct diags diags;
  struct cat_file file;
  diags_init(&diags, &arena);
  bool right =
      source_read(&arena, argv[1], false, &source) == SOURCE_OK && cat_parse_source(&arena, &diags, &source, &file);
  int status = right ? 0 : 2;
  struct list list = {.arena = &arena, .source = &source};
  if (right) find(&list, &file);
  if (right && argc == 2) print_list(&list);
  if (right && argc == 3) status = print_mutant(&list, strtoul(argv[2], NULL, 10));
  if (!right) fprintf(stderr, "mutants: %s cannot be read\n", argv[1]);
  arena_release(&arena);
  return status;
}
