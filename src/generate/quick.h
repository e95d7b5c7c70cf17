/* The verdict of a model on a draft, without solver and skeleton: a draft has few executions, because its outcome gives
 * the value of each read. Only coherence and the order of fence.sc are open; the model is evaluated on each choice
 * (rel/eval.h). Much faster than `check`; a test compares the two. For src/generate and src/map. */
#pragma once

#include "cat/model.h"
#include "generate/draft.h"
#include "result/result.h"

struct quick;

/* NULL if the model has an unsupported feature: recursion, readings about programs, or clauses (undefined_unless) about
 * events of drafts. */
struct quick *quick_new(struct arena *arena, const struct model *model);

/* VERDICT_UNKNOWN for a draft with an unsupported feature. */
enum verdict quick_verdict(struct quick *quick, const struct draft *draft);
