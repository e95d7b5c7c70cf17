/* What a model says of a draft, without solver and skeleton: a draft has few executions, for its outcome says what each
 * read returns. What is left open is coherence and the order of fence.sc; each choice is evaluated on sets of events
 * that are words of bits. Some hundred times faster than `check`, with which a test compares it. Private to
 * src/generate.
 */
#ifndef PTXLIT_QUICK_H
#define PTXLIT_QUICK_H

#include "cat/model.h"
#include "generate/draft.h"
#include "result/result.h"

struct quick;

enum { QUICK_EVENTS = 32 };

/* An event of an execution. */
struct quick_site {
  uint8_t kind; /* as of a draft; DRAFT_READ and DRAFT_WRITE for the halves of an update */
  uint8_t thread, location, sem, scope, proxy, dep;
  bool is_init, is_rmw, is_wait, is_red;
  bool depends;  /* the write of an atomic: on its read */
  uint8_t value; /* written, or read; DRAFT_FREE */
  uint8_t round; /* of a barrier */
};

/* The events of an instruction, which are one or two: of an update its read and its write, of a barrier the arrival and
 * the wait. 0: an instruction that is not done here. Its thread and round are left 0. */
uint32_t quick_sites(const struct draft_event *e, struct quick_site out[2]);
/* Whether such an event is in a predefined set. */
bool quick_has(const struct quick_site *site, enum cat_builtin set);

/* NULL where the model has something that is not done here: recursion, readings about programs, or clauses about what
 * drafts have. */
struct quick *quick_new(struct arena *arena, const struct model *model);

/* Whether the node of the model is empty whatever the draft, or in nothing that is not: it is about asynchronous
 * operations and the like. */
bool quick_lacks(const struct quick *quick, cat_node node);

/* VERDICT_UNKNOWN where the draft has something that is not done here. */
enum verdict quick_verdict(struct quick *quick, const struct draft *draft);

/* After VERDICT_ALLOWED, an execution: rows of coherence and of the order of fence.sc, and the source of each read. Its
 * events are those of the threads, first to last, and the initial write of each location. */
struct quick_execution {
  const uint32_t *co, *sc;
  const uint8_t *source;
};
struct quick_execution quick_execution(const struct quick *quick);

#endif
