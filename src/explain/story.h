/* The parts of an explanation, shared by the files of src/explain that find them. Private to src/explain. */
#ifndef PTXLIT_STORY_H
#define PTXLIT_STORY_H

#include "explain/explain.h"
#include "explain/probe.h"
#include "rel/cycle.h"

struct story {
  struct arena *arena;
  struct probe *probe;
  lit goal;
  struct explanation *out;
};

/* The number of an event in the list; added when it is not there. */
uint32_t story_event(struct story *story, uint32_t event);

/* A step of a named base relation between two events. `because` may be NULL. */
void story_step(struct story *story, const char *relation, uint32_t from, uint32_t to, const char *because);

/* The row of relations.def, or NULL. */
struct relation_text {
  const char *name, *section, *text, *role_from, *role_to;
};
const struct relation_text *story_relation(const char *name);

/* The section in an axiom's name: "8.10.6" of "Causality-8.10.6"; "" when there is none. */
const char *story_section(struct arena *arena, const char *axiom);

/* The comment that ends on the line before `span`, on one line; NULL when there is none. */
const char *story_comment(struct arena *arena, struct span span);

/* The node that a model defines under this name, or CAT_NO_NODE. */
cat_node story_node(const struct model *model, const char *name);

/* forbidden.c: axioms, the candidate and its cycle. allowed.c: the witness and what it lacks. gaps.c: fills in gaps. */
void story_forbidden(struct story *story);
void story_allowed(struct story *story);
void story_gaps(struct story *story);

/* missing.c: for the present execution of the probe and a cycle of program order and communication in it
 * (relations "po", "rf", "co", "fr" between cycle[i] and cycle[i + 1]), which steps the model does not turn into
 * order. */
struct cycle_step {
  const char *relation;
  uint32_t from, to;
};
void story_missing(struct story *story, const struct cycle_step *cycle, uint32_t count);

#endif
