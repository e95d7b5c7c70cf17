/* Groups of asynchronous operations: a wait waits for an access if enough groups were committed since (AG1). */
#include "encode/parts.h"

lit encode_waited(struct encoder *e, uint32_t access, uint32_t wait) {
  const struct skeleton *s = e->skeleton;
  const struct group *waits = skeleton_group(s, wait);
  VEC(lit) commits = {0};
  for (uint32_t c = skeleton_issue_in(s, access, encode_event(e, wait)->thread) + 1; c < wait; c++) {
    const struct group *group = skeleton_group(s, c);
    if (group && group->commits && group->list == waits->list) VEC_PUSH(e->arena, &commits, e->exec[c]);
  }
  struct word count = word_count(&e->gates, commits.data, commits.len, 32);
  return word_less(&e->gates, word_const(e->arena, encode_event(e, wait)->left, 32), count, false);
}
