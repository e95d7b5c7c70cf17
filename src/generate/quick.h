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

/* NULL where the model has something that is not done here: recursion, readings about programs, or clauses about what
 * drafts have. */
struct quick *quick_new(struct arena *arena, const struct model *model);

/* Whether the node of the model is empty whatever the draft, or in nothing that is not: it is about asynchronous
 * operations and the like. */
bool quick_lacks(const struct quick *quick, cat_node node);

/* VERDICT_UNKNOWN where the draft has something that is not done here. */
enum verdict quick_verdict(struct quick *quick, const struct draft *draft);

#endif
