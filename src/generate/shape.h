/* All programs with given numbers of events per thread, and their outcomes, as the solutions of a formula. The choices
 * of instructions, locations, dependencies, places, values of reads and final values are literals, and so are the
 * predefined sets and relations of a model. The programs are those of generate_all, up to isomorphism; some have
 * isomorphic copies. Private to src/generate.
 */
#pragma once

#include "generate/generate.h"
#include "term/gates.h"

struct program_shape {
  struct arena *arena;
  struct sat *sat;
  struct gates gates;
  const struct generate_ask *ask;
  struct draft sizes; /* the number of events of each thread */

  /* Slots represent the instructions, thread by thread */
  uint32_t slots, locations;
  uint8_t thread[DRAFT_EVENTS];
  VEC(struct draft_event) forms;              /* the instructions without location and dependency */
  lit *what[DRAFT_EVENTS];                    /* by form: exactly one literal holds */
  lit at[DRAFT_EVENTS][DRAFT_LOCATIONS];      /* for an access: exactly one holds */
  lit dep[DRAFT_EVENTS][DRAFT_ADDR + 1];      /* exactly one */
  lit source[DRAFT_EVENTS][DRAFT_EVENTS + 1]; /* for a read: the slot of the write; the last entry: the initial value */
  lit last[DRAFT_EVENTS];                     /* for a write: it is the final write to its location */
  lit near[DRAFT_THREADS][DRAFT_THREADS][SCOPE_SYS + 1];
  lit round[DRAFT_EVENTS + 1][DRAFT_LENGTH + 1]; /* for a slot: the number of barriers before it in its thread */

  /* Sites represent the events of the slots, one or two per slot, and the initial writes */
  uint32_t halves, n;
};

/* True if a formula can express the request: no asynchronous operations, no barriers of clusters. */
bool shape_can(const struct generate_ask *ask);

/* Adds the choices, without the rules of shape_leave_out. */
void shape_init(struct program_shape *shape, struct arena *arena, struct sat *sat, const struct generate_ask *ask,
                const struct draft *sizes);
/* Leaves out the programs that generate_all leaves out, and most isomorphic ones (shape_rules.c). */
void shape_leave_out(struct program_shape *shape);

/* The literals for membership in a set and in a relation; LIT_FALSE for relations that executions choose. */
lit shape_in(struct program_shape *shape, enum cat_builtin set, uint32_t site);
lit shape_related(struct program_shape *shape, enum cat_builtin relation, uint32_t a, uint32_t b);

/* Turns the current solution into a draft. */
void shape_draft(const struct program_shape *shape, struct draft *out);

/* ---- For src/generate/shape*.c, and files that choose executions */

typedef bool shape_test(const struct draft_event *e);
/* The literal for "the instruction in the slot passes the test". */
lit shape_is(struct program_shape *shape, uint32_t slot, shape_test *test);
lit shape_same_location(struct program_shape *shape, uint32_t a, uint32_t b);
/* The literal for "the site's event exists". */
lit shape_present(struct program_shape *shape, uint32_t site);
uint32_t shape_read_site(const struct program_shape *shape, uint32_t slot);
uint32_t shape_write_site(const struct program_shape *shape, uint32_t slot);
void shape_exactly_one(struct program_shape *shape, lit when, const lit *lits, uint32_t count);

static inline lit shape_and(struct program_shape *s, lit a, lit b) { return gates_and2(&s->gates, a, b, NEED_BOTH); }
