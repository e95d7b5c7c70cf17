/* Compares the outcomes that GPUs showed of a test with those that a model allows. */
#ifndef PTXLIT_CHIP_JUDGE_H
#define PTXLIT_CHIP_JUDGE_H

#include "chip/seen.h"
#include "search/check.h"

enum judgement {
  JUDGED_ALLOWED,   /* among the outcomes that the model allows */
  JUDGED_FORBIDDEN, /* not among them */
  JUDGED_UNDEFINED, /* the test is undefined: the model promises nothing */
  JUDGED_OPEN,      /* the model's outcomes are not all known */
  JUDGED_STRANGE,   /* no state of this test */
};

struct judged_outcome {
  enum judgement judgement;
  bool satisfies; /* the condition's predicate, and the filter, hold in it */
};

struct judged {
  const struct seen_test *seen;
  const struct result *result;     /* of the test without its filter, under the model */
  struct judged_outcome *outcomes; /* of each outcome seen, in its order */
  uint64_t forbidden;              /* how often outcomes that are forbidden were seen, strange ones included */
  uint64_t met;                    /* how often the condition's predicate was */
  uint32_t never_count;            /* allowed outcomes that never were */
  uint32_t open;                   /* outcomes that are open */
  enum judgement hangs, faults;    /* if there were any */
};

/* Judges; `result` must be of the program without its filter. All storage is the arena's. */
void judge_seen(struct arena *arena, const struct program *program, const struct result *result,
                const struct seen_test *seen, struct judged *judged);

/* True if the model forbids something that was seen. */
bool judged_contradicts(const struct judged *judged);

/* The values of the observed observables in a state of the same test, which may have more and in another order. False
 * when it lacks one. */
bool judge_read_state(const struct program *program, const char *state, value_t *values);

/* How often outcomes were seen that pass the filter and satisfy (`satisfies` false: violate) the condition's predicate.
 * False where the results do not tell, since they lack a value. */
bool judge_met(struct arena *arena, const struct program *program, const struct seen_test *seen, bool satisfies,
               uint64_t *count);

/* "seen 3 times in 2.5e+09 runs on NVIDIA H200", "never seen in ...". */
const char *judge_phrase(struct arena *arena, const struct seen_test *seen, uint64_t count);

#endif
