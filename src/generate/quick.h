/* The verdict of a model on a draft, without solver and skeleton: a draft has few executions, because its outcome gives
 * the value of each read. Only coherence and the order of fence.sc are open; the model is evaluated on each choice
 * (rel/eval.h). Much faster than `check`; a test compares the two. For src/generate and src/map. */
#pragma once

#include "cat/model.h"
#include "generate/draft.h"
#include "result/result.h"

enum { QUICK_EVENTS = 32 };

/* A set of events, one bit each. */
typedef uint32_t quick_set;

/* An event of an execution. */
struct quick_site {
  uint8_t kind; /* enum event_kind */
  uint8_t thread, location, sem, scope, proxy;
  bool is_init, is_rmw, is_red;
  bool depends;                 /* for the write of an atomic: it depends on its read */
  uint8_t value;                /* the value written or read, or DRAFT_FREE */
  uint8_t round;                /* for a barrier: its index in the thread */
  quick_set on[DRAFT_ADDR + 1]; /* by kind of dependency: the reads on which the event depends */
};

/* The events of an instruction, one or two: the read and the write of an update, the arrival and the wait of a barrier.
 * Returns their number; 0: an unsupported instruction. Thread, round and dependencies stay 0. */
uint32_t quick_sites(const struct draft_event *e, struct quick_site out[2]);
/* True if an event is in a predefined set. */
bool quick_has(const struct quick_site *site, enum cat_builtin set);
/* True if executions choose the relation. */
static inline bool quick_chooses(enum cat_builtin builtin) {
  return builtin == CAT_REL_RF || builtin == CAT_REL_CO || builtin == CAT_REL_FR || builtin == CAT_REL_SC_ORDER;
}

/* The predefined relations that are empty in every draft. */
#define QUICK_LACKS                                                                                                    \
  case CAT_REL_PARTIAL:                                                                                                \
  case CAT_REL_LXSX:                                                                                                   \
  case CAT_REL_BAR_RELAXED:                                                                                            \
  case CAT_REL_ISSUE:                                                                                                  \
  case CAT_REL_SPAWN:                                                                                                  \
  case CAT_REL_COMP:                                                                                                   \
  case CAT_REL_INNER:                                                                                                  \
  case CAT_REL_SAMEOP:                                                                                                 \
  case CAT_REL_WAITED:                                                                                                 \
  case CAT_REL_PIPELINE:                                                                                               \
  case CAT_REL_COVERS:                                                                                                 \
  case CAT_REL_SPANS:                                                                                                  \
  case CAT_REL_NAMES:                                                                                                  \
  case CAT_REL_COLUMNS:                                                                                                \
  case CAT_REL_PEER:                                                                                                   \
  case CAT_REL_FREED:                                                                                                  \
  case CAT_REL_TOGETHER:                                                                                               \
  case CAT_REL_LENDS:                                                                                                  \
  case CAT_REL_KEEPS:                                                                                                  \
  case CAT_REL_ENDED:                                                                                                  \
  case CAT_REL_LAUNCH:                                                                                                 \
  case CAT_REL_DEPENDENT:                                                                                              \
  case CAT_REL_SOBJ:                                                                                                   \
  case CAT_REL_MO:                                                                                                     \
  case CAT_REL_PHASE:                                                                                                  \
  case CAT_REL_NEXT_PHASE:                                                                                             \
  case CAT_REL_EXCHANGE:                                                                                               \
  case CAT_REL_GATHERS

struct quick;

/* NULL if the model has an unsupported feature: recursion, readings about programs, or clauses (undefined_unless) about
 * events of drafts. */
struct quick *quick_new(struct arena *arena, const struct model *model);

/* The part of the model that concerns drafts. */
const struct model *quick_model(const struct quick *quick);

/* VERDICT_UNKNOWN for a draft with an unsupported feature. */
enum verdict quick_verdict(struct quick *quick, const struct draft *draft);

/* After VERDICT_ALLOWED, an execution: rows of coherence and of the order of fence.sc, and the source of each read. */
struct quick_execution {
  const quick_set *co, *sc;
  const uint8_t *source;
};
struct quick_execution quick_execution(const struct quick *quick);
