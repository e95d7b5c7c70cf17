/* Finds the verdict of PTX on a compiled test. Private to src/map. */
#pragma once

#include "generate/generate.h"
#include "map/map.h"

struct map_judged {
  struct draft compiled;
  enum verdict verdict;
};
struct map_judge {
  struct generate_judge ptx;
  VEC(struct map_judged) known; /* results for the current test, under any table */
};
/* To be called before another test: earlier results live in an arena that the caller may rewind. */
static inline void map_judge_anew(struct map_judge *judge) {
  judge->known.data = NULL;
  judge->known.len = judge->known.cap = 0;
}
enum verdict map_verdict(struct map_judge *judge, const struct draft *draft, const map_choice choice);
/* The compiled test if PTX allows its outcome, or promises nothing for it; else NULL. */
const char *map_broken(struct map_judge *judge, const struct draft *draft, const map_choice choice,
                       enum verdict *verdict);
