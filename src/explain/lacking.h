/* For a cycle that the axioms of any model permit: the steps that their relations lack. The code does not know the
 * meaning of a relation: it uses only the model's graph. Private to src/explain. */
#pragma once

#include "explain/story.h"

/* A step of the cycle that a relation of an axiom must contain for the axiom to forbid the cycle. */
struct lacking_step {
  uint32_t from, to; /* events */
  cat_node node;
};

struct lacking {
  uint32_t axiom;
  VEC(struct lacking_step) steps; /* as few as possible */
};

/* Finds an axiom that would forbid the cycle with the fewest added pairs: `acyclic r` if r covers the steps,
 * `irreflexive r` if r leads once round, `empty r \ s` if r leads from the end of a step of s round to its beginning.
 * False if no axiom has such a form. */
bool lacking_find(struct story *story, const struct cycle_step *cycle, uint32_t count, struct lacking *out);

/* A node as its model might write it, by name if it has one; "..." if this is long. */
const char *lacking_render(struct arena *arena, const struct model *model, cat_node node);

/* The definition of a named node: "(po | sw)+"; "" if this is long. */
const char *lacking_define(struct arena *arena, const struct model *model, cat_node node);
