/* Finds tests on which two models differ, by a solver over programs. Private to src/generate. */
#pragma once

#include "generate/generate.h"

struct guided_count {
  uint32_t solves, counterexamples;
};

/* Finds a test with this many events, among the tests of generate_all, that one model allows and the other forbids. */
bool guided_search(struct arena *arena, const struct generate_ask *ask, uint32_t events,
                   const struct generate_judge *allows, const struct generate_judge *forbids,
                   struct guided_count *count, struct draft *out);
