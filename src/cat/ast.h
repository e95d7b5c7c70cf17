/* The syntax tree of a cat file: expressions and statements with their places, nothing resolved yet.
 *
 * Storage belongs to the arena the file was parsed into; names are NUL-terminated copies. */
#pragma once

#include "cat/model.h"
#include "litmus/build.h"

enum cat_ast_kind {
  CAT_AST_NAME,
  CAT_AST_ZERO,     /* 0 or {} */
  CAT_AST_ALL,      /* _ */
  CAT_AST_UNION,    /* left | right */
  CAT_AST_ADD,      /* left ++ right */
  CAT_AST_SEQ,      /* left ; right */
  CAT_AST_DIFF,     /* left \ right */
  CAT_AST_INTER,    /* left & right */
  CAT_AST_PRODUCT,  /* left * right */
  CAT_AST_COMPL,    /* ~left */
  CAT_AST_INVERSE,  /* left^-1 */
  CAT_AST_PLUS,     /* left+ */
  CAT_AST_STAR,     /* left* */
  CAT_AST_OPTION,   /* left? */
  CAT_AST_IDENTITY, /* [left] */
  CAT_AST_APPLY,    /* left(args) */
  CAT_AST_LET,      /* let bindings in left */
  CAT_AST_IF,       /* if "name" then left else right: left if this reading is chosen */
  CAT_AST_TRY,      /* try left with right: right if left has an error, such as an undefined name */
};

struct cat_ast {
  enum cat_ast_kind kind;
  uint32_t depth; /* 1 for a leaf */
  struct span span;
  const char *name; /* CAT_AST_NAME, CAT_AST_IF */
  const struct cat_ast *left, *right;
  struct cat_ast_list *args;    /* CAT_AST_APPLY */
  struct cat_binding *bindings; /* CAT_AST_LET */
  bool rec;                     /* CAT_AST_LET: let rec */
};

struct cat_ast_list {
  const struct cat_ast *ast;
  struct cat_ast_list *next;
};

struct cat_param {
  const char *name; /* NULL for `_` */
  struct span span;
  struct cat_param *next;
};

/* `name = body`, or `name(params) = body`. */
struct cat_binding {
  const char *name;
  struct span span; /* the place of the name */
  bool is_function;
  struct cat_param *params;
  const struct cat_ast *body;
  struct cat_binding *next;
};

enum cat_statement_kind {
  CAT_STATEMENT_LET,
  CAT_STATEMENT_TEST,
  CAT_STATEMENT_SHOW,
  CAT_STATEMENT_UNSHOW,
  CAT_STATEMENT_IGNORES_UPDATES,
  CAT_STATEMENT_LANGUAGE,
  CAT_STATEMENT_INCLUDE
};

struct cat_statement {
  enum cat_statement_kind kind;
  struct span span;
  struct cat_binding *bindings; /* LET */
  bool rec;                     /* LET */
  enum cat_role role;           /* TEST */
  enum cat_test test;           /* TEST */
  bool negated;                 /* TEST */
  const struct cat_ast *ast;    /* TEST, SHOW */
  const char *name;             /* TEST, SHOW: after `as`, or NULL; UNSHOW, INCLUDE: the name */
  struct cat_statement *next;
};

struct cat_file {
  const char *title; /* NULL when there is no header */
  const char *word;  /* the header's first bare word, NULL when there is none */
  struct span word_span;
  struct cat_statement *statements;
};

/* Deepest nesting of an expression: its reader is recursive. */
enum { CAT_DEPTH_LIMIT = 500 };

/* The state that scanner and parser share while one file is read. */
struct cat_reader {
  struct litmus_parse base; /* the first member, because the scanner uses it */
  bool too_deep;            /* the error is reported already */
  struct cat_file *file;
};

/* Parses one file. False on a syntax error; diags has at most one per file. */
bool cat_parse_source(struct arena *arena, struct diags *diags, const struct source *source, struct cat_file *file);

/* The scanner half of cat_parse_source, at the end of grammar/cat.l: makes a scanner, runs the parser. */
bool cat_scan_and_parse(struct cat_reader *reader);

/* Constructors for the grammar. They report an expression that is nested too deeply, once. */
struct cat_ast *cat_ast_leaf(struct cat_reader *reader, enum cat_ast_kind kind, struct span span, const char *name);
struct cat_ast *cat_ast_node(struct cat_reader *reader, enum cat_ast_kind kind, struct span span,
                             const struct cat_ast *left, const struct cat_ast *right);
struct cat_ast *cat_ast_apply(struct cat_reader *reader, struct span span, const struct cat_ast *function,
                              struct cat_ast_list *args);
struct cat_ast *cat_ast_let(struct cat_reader *reader, struct span span, struct cat_binding *bindings, bool rec,
                            const struct cat_ast *body);
