/* How threads fail to end, in precise skeletons. */
#include "encode/parts.h"

lit encoder_ending(const struct encoder *e, uint32_t index) {
  return e->words[e->skeleton->ends.data[index].when].bits[0];
}

void encoder_spin_on_newest(struct encoder *e) {
  const struct skeleton *s = e->skeleton;
  for (uint32_t i = 0; i < s->ends.len; i++) {
    const struct ending *ending = &s->ends.data[i];
    for (uint32_t r = ending->first_event; ending->kind == ENDING_SPIN && r < ending->end_event; r++) {
      if (skeleton_event(s, r)->kind == EVENT_TEST)
        sat_clause3(e->sat, -encoder_ending(e, i), -e->exec[r], encode_test_fails_at_last(e, r));
      struct bitset later = bitmat_row_set(s->may[CAT_REL_FR], r);
      EACH (w, later)
        sat_clause(
            e->sat,
            (lit[]){-encoder_ending(e, i), -e->exec[r], -e->exec[w], -encode_builtin(e, CAT_REL_FR, r, w, NEED_IF)}, 4);
    }
  }
}
