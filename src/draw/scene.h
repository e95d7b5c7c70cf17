/* The drawing of an execution as data: threads as columns, instructions as nodes, relations as edges between them.
 * Plain data, the same for a drawing and for one in text.
 *
 * A node is an instruction as written, with what it read and wrote; the two halves of an atom are one node, as are the
 * elements of a vector access, and the arrival and wait of a barrier. Instructions that touch no memory are not drawn.
 * Initial writes have no node: a read from one shows "(initial)". All storage belongs to the arena the scene was built
 * in.
 */
#pragma once

#include "draw/pick.h"

/* The size of the largest picture; the scene names the threads and instructions that it leaves out. */
enum { SCENE_MAX_COLUMNS = 16, SCENE_MAX_ROWS = 40, NO_NODE = UINT32_MAX };

/* gpu and cta always have boxes; clusters only if one has two CTAs, warps only if one has two threads. */
enum scene_level { SCENE_GPU, SCENE_CLUSTER, SCENE_CTA, SCENE_WARP, SCENE_LEVELS };

/* The condition for drawing a relation: styles.def. */
enum scene_drawn { DRAWN_ALWAYS, DRAWN_USED, DRAWN_MBAR, DRAWN_ASKED, DRAWN_SPARE };

struct scene_style {
  const char *name;
  enum scene_drawn when;
  const char *light, *dark, *line, *arrow;
  const char *meaning; /* the text in the legend; NULL in a spare row */
};

struct scene_node {
  uint32_t column, row;
  const char *text;   /* as in the test, on one line */
  const char *effect; /* "reads 1 (initial)"; "" for none */
  const char *letter; /* "a", unique in the scene */
  bool gap;           /* instructions that are left out: "... 3 other accesses"; no letter */
  bool on_cycle;      /* on the cycle, or one of the instructions that make the test undefined */
  bool stuck;         /* the thread does not pass this node, as `effect` says */
  uint32_t step;      /* the step, from 1, at which the node takes effect; 0: unknown */
  bool early;         /* the node takes effect before an earlier instruction of its thread */
  uint32_t issue;     /* for an access or a signal of an asynchronous operation: the issuing node; else NO_NODE */
};

struct scene_edge {
  uint32_t from, to; /* nodes; different */
  const char *name;  /* of the relation */
  const struct scene_style *style;
  bool on_cycle;
  bool both; /* the relation holds in both directions */
};

/* A column: a thread; or, next to a thread, the accesses and signals of its asynchronous operations; or, next to the
 * threads of a CTA, the accesses of all threads to its tensor memory. */
struct scene_column {
  uint32_t thread; /* index; for a column of tensor memory, some thread of the CTA */
  bool spawned;    /* not a thread: each node is in the row of its instruction or below */
  bool tensor;     /* a spawned column for tensor memory */
  uint32_t rows;
  uint32_t *at; /* the node of each row; NO_NODE: none */
};

struct scene {
  const struct program *program;
  VEC(struct scene_column) columns; /* threads of one scope are adjacent */
  VEC(struct scene_node) nodes;     /* column by column */
  VEC(struct scene_edge) edges;
  const char *title;    /* "MP under ptx" */
  const char *caption;  /* "an allowed execution", or the axiom that it breaks */
  const char *outcome;  /* "1:r0=1; 1:r1=0;" */
  const char *cycle;    /* the violated axiom and a path that shows it, by letter; for an allowed execution, the cycle
                           of program order and communication; NULL: none */
  const char *missing;  /* for an allowed execution with such a cycle, the first step that the model does not order;
                           NULL: none */
  const char *left_out; /* the parts that did not fit or, if `focused`, that a finding is not about; NULL: none */
  bool focused;
  const char **objects; /* one row per mbarrier object: its phases, with the operations in each phase */
  uint32_t object_count;
  uint32_t steps; /* the number of steps (parts.h); 0: none */
  uint32_t step;  /* a frame shows the steps up to this one; 0: all */
  bool allowed, satisfies;
  bool level[SCENE_LEVELS]; /* the levels of the scope tree that are shown */
};

/* The relations to draw, by name: a name that the model defines, or a predefined one. */
struct scene_choice {
  const char *const *names;
  uint32_t count;
};

enum scene_name { SCENE_RELATION, SCENE_SET, SCENE_UNKNOWN };

/* The kind of thing that a name denotes in a model. */
enum scene_name scene_name(const struct model *model, const char *name);
/* The names of all relations. */
void scene_names(struct arena *arena, const struct model *model, const char *const **names, size_t *count);

/* A scene of a picked execution. With `choice` NULL, draws po, rf, co and fr, and sync, sc and bar if the model has
 * them. The steps of a violation are always drawn. */
struct scene *scene_build(struct arena *arena, const struct pick *pick, const struct scene_choice *choice);

/* The scene after a step from 1 to scene->steps. It shares its parts with `whole`. */
struct scene *steps_frame(struct arena *arena, const struct scene *whole, uint32_t step);

/* The number of a thread's scope at a level in the test's text. */
uint32_t scene_scope_number(const struct thread *thread, enum scene_level level);
const char *scene_scope_label(struct arena *arena, enum scene_level level, uint32_t number); /* "gpu 0", "host" */
/* True if an event is an access to tensor memory. */
bool scene_in_tensor(const struct event *event);
/* The thread to which descriptions in words assign a node. */
uint32_t scene_thread(const struct scene *scene, const struct scene_node *node);
/* True if two columns are in one scope; tensor memory is in no warp. */
bool scene_same_scope(const struct scene *scene, uint32_t a, uint32_t b, enum scene_level level);
/* The heading of a column: "P0", "P0 async", "tensor memory". */
const char *scene_head(struct arena *arena, const struct scene *scene, uint32_t column);
/* True if a thread's scope at a level is worth naming: a cluster of one CTA and a warp of one thread are not. */
bool scene_scope_shown(const struct scene *scene, const struct thread *thread, enum scene_level level);

/* Adds the scene as text for a terminal: a column for each thread, then the arrows, one per line. No line is longer
 * than `width` columns (0: no limit), unless a single instruction is longer. */
void scene_text(const struct scene *scene, uint32_t width, struct text *out);

/* All rows of styles.def. A relation without its own row gets a spare row; no two relations of a scene share one if
 * there are enough. */
const struct scene_style *scene_styles(size_t *count);
