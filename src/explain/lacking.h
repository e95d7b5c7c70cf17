/* The gaps of a cycle that an axiom of any model lets pass: the steps that its relations do not have, and changes of
 * the test that would put them in. Nothing here knows the meaning of a relation; all is read off the model's graph.
 * Private to src/explain. */
#pragma once

#include "explain/story.h"

/* A step of the cycle that a relation of an axiom would have to contain for the axiom to forbid the cycle. */
struct lacking_step {
  uint32_t from, to; /* events */
  cat_node node;
};

struct lacking {
  uint32_t axiom;
  VEC(struct lacking_step) steps; /* as few as can be */
};

/* Of the axioms, one that the fewest further pairs would make forbid the cycle: `acyclic r` when its steps are covered
 * by r, `irreflexive r` when r leads once round, `empty r \ s` when r leads from one end of a step of s to the other,
 * against it. Stretches that a relation already has are covered by it. False when no axiom is of such a form. */
bool lacking_find(struct story *story, const struct cycle_step *cycle, uint32_t count, struct lacking *out);

/* The changes that would put (u, v) into the relation: "'ld x' in ACQ; or an event in F & SC between the two (fenced)".
 * NULL when no change of strength or scope and no fence in between would do it, or none was found. */
const char *needs_find(const struct story *story, cat_node node, uint32_t u, uint32_t v);

/* A node as its model might write it, by names where there are any; "..." where that is long. */
const char *needs_render(struct arena *arena, const struct model *model, cat_node node);

/* The definition of a named node: "(po | sw)+"; "" where that is long. */
const char *needs_define(struct arena *arena, const struct model *model, cat_node node);
