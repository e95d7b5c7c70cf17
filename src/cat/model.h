/* A consistency model, as a graph of operators over sets and relations with axioms on top.
 *
 * Nodes are hash-consed: equal expressions are one node, and a node's operands have smaller indices than the node
 * itself; only the body of a CAT_REC may have a larger index. Storage belongs to the arena the model was built in; a
 * model is immutable once built and can be used for any number of tests.
 *
 * Sugar is gone: r* is r+ | id, r? is r | id, po-loc and the like are defined in models/stdlib.cat, functions are
 * applied, `let rec` gives CAT_REC nodes.
 */
#pragma once

#include "base/hash.h"
#include "diag/diag.h"

enum cat_builtin {
#define SET(id, name, meaning) CAT_SET_##id,
#include "cat/builtin.def"
  CAT_SET_COUNT,
  CAT_REL_FIRST = CAT_SET_COUNT - 1,
#define REL(id, name, needs, bounds, traits, meaning) CAT_REL_##id,
#define REL_OPEN(id, name, needs, bounds, member, depends, traits, meaning) CAT_REL_##id,
#include "cat/builtin.def"
  CAT_BUILTIN_COUNT,
};

/* A set of predefined sets and relations, one bit each. */
struct builtins {
  uint64_t words[(CAT_BUILTIN_COUNT + 63) / 64];
};

static inline void builtins_add(struct builtins *set, enum cat_builtin builtin) {
  set->words[builtin / 64] |= (uint64_t)1 << builtin % 64;
}
static inline bool builtins_have(const struct builtins *set, enum cat_builtin builtin) {
  return set->words[builtin / 64] >> builtin % 64 & 1;
}

/* Properties that a predefined relation has in every execution. */
enum cat_trait {
  CAT_SYMMETRIC = 1,
  CAT_TRANSITIVE = 2, /* also for rf, fr and rmw: two steps never compose, because source and target differ in kind */
  CAT_TRAVELS = 4,    /* explanations of a cycle show it as a step; other relations are only conditions on a step */
};

enum cat_op {
#define OPERATOR(id, name, shape, operands, kinds, falls, through) CAT_##id,
#include "cat/operators.def"
};

/* The kinds of an operator's operands and of its result. */
enum cat_kinds {
  CAT_SAME,   /* all of the same kind */
  CAT_PAIRS,  /* relations give a relation */
  CAT_SPREAD, /* sets give a relation */
  CAT_ENDS,   /* a relation gives a set */
};

struct cat_operator {
  const char *name;
  const char *shape; /* the syntax with operands A and B: "A | B" */
  unsigned operands;
  enum cat_kinds kinds;
  unsigned falls; /* the operand (1 or 2) in which the operator is antitone; 0: none */
  bool through;   /* a pair of the result can depend on a third event */
};

const struct cat_operator *cat_operator(enum cat_op op);

/* The operators whose pairs do not represent a path of steps. */
#define CAT_NO_PATH                                                                                                    \
  case CAT_EMPTY:                                                                                                      \
  case CAT_COMPL:                                                                                                      \
  case CAT_IDENTITY:                                                                                                   \
  case CAT_DOMAIN:                                                                                                     \
  case CAT_RANGE

typedef uint32_t cat_node; /* index into model.nodes */

/* The limit on nested operators, with definitions and functions expanded: walks over nodes are recursive, and the stack
 * of a thread must suffice. */
enum { MODEL_DEPTH_LIMIT = 1000 };

enum { CAT_NO_NODE = UINT32_MAX };

struct cat_expr {
  enum cat_op op;
  bool is_set;
  enum cat_builtin builtin; /* CAT_BUILTIN */
  cat_node a, b;            /* operands; CAT_NO_NODE if the operator has none */
  cat_node body;            /* CAT_REC */
  uint32_t group;           /* CAT_REC: the number of its `let rec ... and ...`, counting from 0 in the order of the
                               file. A body uses only variables of its own and of smaller groups. */
  const char *name;         /* the name of the definition that first made this node, or NULL */
};

enum cat_test { CAT_ACYCLIC, CAT_IRREFLEXIVE, CAT_IS_EMPTY };

/* The meaning of the test's result:
 *   CAT_AXIOM      an execution is allowed only if it holds
 *   CAT_FLAG       an execution in which the test holds is reported, and stays allowed
 *   CAT_UNDEFINED  `undefined_unless`: where some allowed execution violates it, the program is undefined */
enum cat_role { CAT_AXIOM, CAT_FLAG, CAT_UNDEFINED };

struct cat_axiom {
  enum cat_role role;
  enum cat_test test;
  bool negated; /* `~empty r` */
  cat_node node;
  const char *name; /* the name after `as`; else generated from its place: "axiom-at-line-12" */
  struct span span;
};

/* A named relation or set that `show` asks to be drawn. */
struct cat_show {
  const char *name;
  cat_node node;
};

/* A set of a model's readings, one bit each, in their order. */
typedef value_t reading_set;

enum { MODEL_MOST_READINGS = 128 };

/* The effect of a reading on the set of executions. */
enum cat_effect { CAT_UNKNOWN, CAT_EITHER, CAT_MORE, CAT_FEWER };

/* An alternative reading: one of the model, as in `if "G26=complete" then ... else ...`, or one about programs. */
struct cat_reading {
  const char *name;
  bool chosen;
  enum cat_effect effect; /* CAT_UNKNOWN for readings of the model's text: model_effect computes it */
};

/* The readings about programs, which every model has (cat/readings.def). */
enum program_reading {
#define READING(id, name, effect, meaning) READING_##id,
#include "cat/readings.def"
  READING_COUNT
};

struct model {
  const char *name;  /* the file's base name without .cat: "ptx-7.5"; with readings "ptx+G26=complete" */
  const char *title; /* the header line or string of the file, or NULL */
  VEC(struct cat_expr) nodes;
  VEC(struct cat_axiom) axioms;
  VEC(struct cat_show) shows;
  VEC(struct cat_reading) readings; /* all readings that the model tests, in text order; then those about programs */
  bool reads[READING_COUNT];        /* true: chosen */
  /* An atomic that writes back the value it read, in a polling loop (exec/silent_updates.c), may be left out: no axiom,
   * flag or clause depends on it. A file states this for itself, not for files that include it. */
  bool ignores_silent_updates;
  /* `if "hosts"`, which a test chooses and no user: true if the model has it; true in its variant for tests with
   * hosts. */
  bool asks_hosts, hosts;
  const struct model *without; /* of this variant: the model for other tests; else NULL */
  enum { ABOUT_PTX, ABOUT_CUDA, ABOUT_BOTH } language; /* the language of the tests that it judges */
  uint32_t group_count;
  VEC(const struct source *) sources; /* the file and those that it includes, in the order of reading */
  uint32_t main;                      /* the index of the file in `sources` */

  struct hash_index index;   /* of the nodes except CAT_REC; only model_node uses it */
  struct model_cache *cache; /* for model_narrow and model_choosing; NULL: nothing is cached */
};

/* Opens an included file: returns its text, or NULL if no file has that name. */
typedef const struct source *cat_open(void *state, const char *name);

/* Reads a model. `open` finds included files, also "stdlib.cat", which every model includes first. On an error returns
 * NULL; diags has the message. `readings`: the readings to choose, such as "G20=acquires+G26=complete", or NULL; a
 * reading unknown to the model is an error. Unknown names, missing includes and type errors are errors, never an empty
 * set. */
struct model *model_read(struct arena *arena, struct diags *diags, const struct source *source, const char *readings,
                         cat_open *open, void *state);

/* True if `readings`, a text as for model_read, or NULL, contains the reading `name`. */
bool model_chooses(const char *readings, const char *name);

/* True if the form of the axioms shows that `model` allows no execution that `other` forbids, and makes no program
 * undefined that `other` leaves defined. False if that is not so, or not known. Flags do not count. */
bool model_is_stronger(struct arena *arena, const struct model *model, const struct model *other);

/* The model on tests in which these predefined sets and relations are empty: the same axioms in the same order, over a
 * graph without the empty sets and relations, whose nodes have other numbers and no names; it shows nothing and has no
 * sources. The result is either cached and owned by the model, or allocated in the arena. A copy of a model with other
 * axioms is returned unchanged; model_narrowed narrows any model, in the arena. */
const struct model *model_narrow(struct arena *arena, const struct model *model, const struct builtins *absent);
const struct model *model_narrowed(struct arena *arena, const struct model *model, const struct builtins *absent);

/* Reads the model again from its sources, with these readings chosen in addition to those it has: the same axioms over
 * a new graph, without names, as model_narrow gives. The model must have at most MODEL_MOST_READINGS readings. The
 * result belongs to the model, which model_read made; `arena` is for temporary data. */
const struct model *model_choosing(struct arena *arena, const struct model *model, reading_set set);

/* The variant of the model for tests with hosts, where `if "hosts"` holds; the model itself if it has no such. */
const struct model *model_with_hosts(struct arena *arena, const struct model *model);

/* Reads a model as model_read does, for tests with hosts. */
struct model *model_read_hosts(struct arena *arena, struct diags *diags, const struct source *source,
                               const char *readings, cat_open *open, void *state);

/* The effect of one reading, chosen alone; CAT_EITHER also if the form of the axioms does not show the effect. */
enum cat_effect model_effect(struct arena *arena, const struct model *model, uint32_t reading);

/* The node for an expression, simplified and hash-consed; for building and for tests. */
cat_node model_node(struct arena *arena, struct model *model, struct cat_expr expr);

bool model_is_builtin(const struct model *model, cat_node node, enum cat_builtin builtin);

/* The node of a predefined set or relation, or CAT_NO_NODE: the model does not mention it. */
cat_node model_builtin(const struct model *model, enum cat_builtin builtin);

/* True if the node is the set of all events, or the relation of all pairs. */
bool model_is_all(const struct model *model, cat_node node);

/* True if a relation contains a predefined one as an operand of a union, as in `rf | dep`. */
bool model_includes(const struct model *model, cat_node node, enum cat_builtin builtin);

/* True if every allowed execution of reads, writes and fences stays allowed after events are left out of it; a write
 * may be left out only if no remaining read returns it. Neither the omission nor the loss of atomics and dependencies
 * from, to or over the omitted events may violate an axiom. */
bool model_survives_omissions(struct arena *arena, const struct model *model);

/* The effect of a third event on the pairs of a node (or the members of a set), as a mask: it may add some, remove
 * some, or both. `adds`: true if the operator of the node can itself add pairs. */
enum { THIRD_ADDS = 1, THIRD_REMOVES = 2 };
struct third_events {
  const struct cat_expr *nodes;
  unsigned char *known; /* 0: not computed yet; else 1 + the mask */
  bool (*adds)(const void *state, const struct cat_expr *node);
  const void *state;
};
unsigned model_survey(struct third_events *survey, cat_node node);

/* A node's name, as a predefined relation or in the model, or NULL. */
const char *model_node_name(const struct model *model, cat_node node);
/* The node that the model defines under a name, or CAT_NO_NODE. */
cat_node model_node_named(const struct model *model, const char *name);

/* Adds the operator graph and the axioms as text, one node per line, as --dump=model prints them. */
void model_dump(const struct model *model, struct text *out);

const char *builtin_name(enum cat_builtin builtin);
const char *builtin_meaning(enum cat_builtin builtin);
bool builtin_has(enum cat_builtin builtin, enum cat_trait trait); /* false for a set */
bool builtin_is_set(enum cat_builtin builtin);
/* CAT_BUILTIN_COUNT if the name is unknown. */
enum cat_builtin builtin_find(const char *name);

/* ---- clauses.c: the clauses of shipped models that make a program undefined or unsafe, in words (clauses.def) */
struct cat_clause {
  const char *name, *section, *title, *rule;
  const char *missing; /* the order that is missing between the two instructions */
  const char *cure;
  uint32_t gap; /* the gap of the document that this reading settles (explain/gaps.def); 0: none */
  bool race;    /* of two accesses, whose paths the explanation shows */
};

/* NULL: no shipped model has a clause of this name. */
const struct cat_clause *cat_clause(const char *name);
