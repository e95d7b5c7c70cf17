/* Random models, which use the operators of the cat language as no sensible one does. The same seed and index give the
 * same model everywhere. */
#ifndef PTXLIT_TESTS_GENERATE_MODEL_H
#define PTXLIT_TESTS_GENERATE_MODEL_H

#include "base/arena.h"

/* The text of a model, in the arena. It has coherence in each location and no values out of thin air, so that
 * executions can be evaluated; besides them axioms and flags at random. Two initial writes are never related: brute
 * force, which takes each way of a branch by itself, has only those of the locations that the way touches. */
const char *generate_model(struct arena *arena, uint64_t seed, uint64_t index);

#endif
