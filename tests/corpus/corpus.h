/* The corpus of shipped tests, each of which is read once for all that is to be checked of it. */
#ifndef PTXLIT_TESTS_CORPUS_H
#define PTXLIT_TESTS_CORPUS_H

#include <jansson.h>

#include "api/session.h"

/* What a check counts. `failed` are printed where they are found. */
struct tally {
  unsigned passed, failed;
};

/* Of explanations. */
struct told {
  struct tally tally;
  uint64_t most_work;                     /* of one explanation */
  unsigned beyond_type, without_outcomes; /* states that are left out, by reason */
  unsigned forbidden, allowed, interleaved;
};

/* The first test of a file, under one model. */
struct lesson {
  struct ptxlit *session;
  const char *file;
  size_t model;
  const char *messages; /* those about the file when it was read */
  const struct full_result *full;
  struct told *told;
  bool follows; /* the model's cycles and interleavings can be followed */
};

/* Explains the state of the test's condition. The text must have one verdict, the one of the check, and one story, and
 * take no more than MOST_WORK; each cycle and each interleaving of it must be consistent. */
void explain_condition(const struct lesson *l);

/* Explains each outcome, and states that are none: with values of some outcomes, or new ones. They are left out if the
 * test has a filter, which a state given by name need not pass. A state is explained as allowed exactly if it is an
 * outcome; with an interleaving or a cycle if it is allowed, an axiom if it is forbidden. */
void explain_states(const struct lesson *l);

/* follow.c: what is wrong with the cycle or interleaving of an explanation; NULL: nothing. Counts its kind. */
const char *follow(const json_t *explanation, struct told *told);

#endif
