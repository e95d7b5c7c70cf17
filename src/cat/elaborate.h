/* Turns the expressions of a cat file into nodes: names, types, functions, recursion. */
#pragma once

#include "cat/build.h"

enum cat_value_kind {
  CAT_VALUE_ERROR, /* reported already: no further message */
  CAT_VALUE_SET,
  CAT_VALUE_RELATION,
  CAT_VALUE_ZERO,     /* 0: a set or a relation, depending on the context */
  CAT_VALUE_ALL,      /* _: likewise */
  CAT_VALUE_FUNCTION, /* a closure, with the definitions in scope */
  CAT_VALUE_DOMAIN,   /* the built-in functions */
  CAT_VALUE_RANGE,
};

struct cat_scope;

struct cat_value {
  enum cat_value_kind kind;
  cat_node node;                      /* SET, RELATION */
  const struct cat_binding *function; /* FUNCTION */
  const struct cat_scope *scope;      /* FUNCTION: the scope of its body */
};

/* Definitions, innermost first. Immutable: a later definition of a name is put in front. */
struct cat_scope {
  const char *name;
  struct cat_value value;
  struct span span; /* the place of the name in its definition */
  bool *used;       /* true if a later definition uses it */
  const struct cat_scope *next;
};

struct elaborator {
  struct builder build;
  struct diags *diags;
  const struct cat_scope *globals;
  const char *chosen;    /* as for model_read */
  struct span statement; /* the current statement, at which limits are reported */
  uint64_t steps;        /* done so far */
  uint32_t depth;        /* the depth of the current expression, including applied functions */
  bool stopped;          /* a limit was reached and reported */
  bool in_rec;           /* inside the bodies of `let rec` */
  uint32_t group;        /* in_rec: its number */
  VEC(uint32_t) depths;  /* for each node: the depth of its nested operators */
  VEC(bool) uses_rec;    /* for each node: true if it contains a variable of the open group */
};

/* The node of an expression as a relation, or as a set or relation; CAT_NO_NODE if it has an error. */
cat_node elaborate_relation(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast);
cat_node elaborate_any(struct elaborator *e, const struct cat_scope *scope, const struct cat_ast *ast);

/* The scope after `let bindings` (`let rec bindings`). */
const struct cat_scope *elaborate_bindings(struct elaborator *e, const struct cat_scope *scope,
                                           const struct cat_binding *bindings, bool rec);

/* ---- doubts.c: warnings about definitions that are most likely mistakes */
/* Like elaborate_bindings, but warns about definitions that hide a predefined name, or an earlier definition of the
 * file without using it. `before`: the scope of the statement. */
const struct cat_scope *doubts_bind(struct elaborator *e, const struct cat_scope *before,
                                    const struct cat_binding *bindings, bool rec);

/* For the end of the whole model: warns about unused definitions of the file, except names that begin with '_', and
 * about a model that restricts no read. */
void doubts_end(struct elaborator *e, const struct source *file);
