/* Builds the operator graph: shorthands over model_node, and helpers of the front end. */
#pragma once

#include "cat/ast.h"

struct builder {
  struct arena *arena;
  struct model *model;
};

cat_node build_builtin(struct builder b, enum cat_builtin builtin);
cat_node build_empty(struct builder b, bool is_set);
/* One or two operands; `y` is CAT_NO_NODE if there is one. The operands determine if the result is a set. */
cat_node build_op(struct builder b, enum cat_op op, cat_node x, cat_node y);
/* Every pair of events. */
cat_node build_all_pairs(struct builder b);

/* A new variable of `let rec`, without its body. */
cat_node build_rec(struct builder b, bool is_set, uint32_t group, const char *name);
/* recursion.c: for the only relation of a `let rec`, with its body: an equal node without recursion if the definition
 * is a closure; else the variable. */
cat_node build_recursion(struct builder b, cat_node var);

/* The simplest r with acyclic(r) exactly when acyclic(node). */
cat_node build_acyclic_operand(struct builder b, cat_node node);

/* Drops nodes that no axiom and no `show` reaches, and renumbers nodes and groups in the same order. */
void build_compact(struct builder b);

/* Allocates the cache of model_narrow, once the model is built. */
void build_cache(struct builder b);
