/* All programs of some numbers of events by thread, with their outcomes, as the solutions of a formula: the choice of
 * each instruction, location, dependency, place, of what each read returns and each location ends with are literals,
 * and so are the predefined sets and relations of a model. Its programs are those of generate_all, one or more of each
 * isomorphic. Private to src/generate.
 */
#pragma once

#include "generate/generate.h"
#include "term/gates.h"

struct program_shape {
  struct arena *arena;
  struct sat *sat;
  struct gates gates;
  const struct generate_ask *ask;
  struct draft sizes; /* how many events each thread has */

  /* Slots: the instructions, thread after thread */
  uint32_t slots, locations;
  uint8_t thread[DRAFT_EVENTS];
  VEC(struct draft_event) forms;              /* the instructions without location and dependency */
  lit *what[DRAFT_EVENTS];                    /* by form: exactly one */
  lit at[DRAFT_EVENTS][DRAFT_LOCATIONS];      /* of an access: exactly one */
  lit dep[DRAFT_EVENTS][DRAFT_ADDR + 1];      /* exactly one */
  lit source[DRAFT_EVENTS][DRAFT_EVENTS + 1]; /* of a read: the slot of the write, or the last one: the initial */
  lit last[DRAFT_EVENTS];                     /* of a write: its location ends with it */
  lit near[DRAFT_THREADS][DRAFT_THREADS][SCOPE_SYS + 1];
  lit round[DRAFT_EVENTS + 1][DRAFT_LENGTH + 1]; /* of a slot: so many barriers before it in its thread */

  /* Sites: the events of the slots, one or two for each, and the initial writes */
  uint32_t halves, n;
};

/* True if a formula can express the request: no asynchronous operations, no barriers of clusters. */
bool shape_can(const struct generate_ask *ask);

/* Adds the choices, without the rules of shape_leave_out. */
void shape_init(struct program_shape *shape, struct arena *arena, struct sat *sat, const struct generate_ask *ask,
                const struct draft *sizes);
/* Leaves out the programs that generate_all leaves out, and most isomorphic ones (shape_rules.c). */
void shape_leave_out(struct program_shape *shape);

/* True if a site is in a set, and two in a relation that no execution chooses; LIT_FALSE for those that one does. */
lit shape_in(struct program_shape *shape, enum cat_builtin set, uint32_t site);
lit shape_related(struct program_shape *shape, enum cat_builtin relation, uint32_t a, uint32_t b);

/* A solution as a draft. */
void shape_draft(const struct program_shape *shape, struct draft *out);

/* ---- For src/generate/shape*.c, and whoever chooses executions */

typedef bool shape_test(const struct draft_event *e);
/* True if the slot is such an instruction. */
lit shape_is(struct program_shape *shape, uint32_t slot, shape_test *test);
lit shape_same_location(struct program_shape *shape, uint32_t a, uint32_t b);
/* The event is there; and so are the slot's read and write, where it has them. */
lit shape_present(struct program_shape *shape, uint32_t site);
uint32_t shape_read_site(const struct program_shape *shape, uint32_t slot);
uint32_t shape_write_site(const struct program_shape *shape, uint32_t slot);
void shape_exactly_one(struct program_shape *shape, lit when, const lit *lits, uint32_t count);

static inline lit shape_and(struct program_shape *s, lit a, lit b) { return gates_and2(&s->gates, a, b, NEED_BOTH); }
