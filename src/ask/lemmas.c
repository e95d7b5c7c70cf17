/* Proves lemmas about chains of atomics (encode/lemmas.c), one after another. */
#include "ask/ask.h"

/* A doubt is a condition under which the lemma would fail (encode/lemmas.c). If the solver needs more conflicts than
 * this to rule it out, the doubt counts as possible; most doubts need only a few. */
enum { CONFLICTS_A_DOUBT = 1000 };

static enum sat_answer doubt_all(struct ask *ask, const struct lits *doubts) {
  for (uint32_t i = 0; i < doubts->len; i++) {
    if (doubts->data[i] == LIT_FALSE) continue;
    sat_effort(ask->sat, CONFLICTS_A_DOUBT);
    enum sat_answer answer = ask_solve(ask, doubts->data[i], LIT_TRUE, NULL);
    if (answer != SAT_NO) return answer;
  }
  return SAT_NO;
}

void ask_prove_lemmas(struct ask *ask) {
  struct lemma lemma;
  while (!ask->keeps_clauses && technique_on(ask->skeleton->options.shape.without, TECHNIQUE_LEMMAS) &&
         encoder_next_lemma(&ask->encoder, &lemma)) {
    enum sat_answer answer = doubt_all(ask, &lemma.doubts);
    while (answer != SAT_NO && encoder_weaken(&ask->encoder, &lemma, answer == SAT_YES))
      answer = doubt_all(ask, &lemma.doubts);
    if (answer == SAT_NO) encoder_conclude(&ask->encoder, &lemma);
  }
}
