/* Groups of asynchronous operations in one execution: each thread's lists, in the order of its instructions (AG1). */
#include "exec/execution.h"

/* Follows a list of one thread: the group of each access on it, counted from 0; the next commit takes the accesses that
 * have no group. */
static void follow_list(struct execution *x, uint32_t thread, enum group_list list, uint32_t *group_of) {
  const struct skeleton *s = x->skeleton;
  uint32_t closed = 0;
  for (uint32_t e = 0; e < s->first_init; e++) {
    const struct group *group = skeleton_group(s, e);
    if (skeleton_event(s, e)->thread != thread || !bitset_has(x->exec, e)) continue;
    group_of[e] = closed;
    if (!group || group->list != list) continue;
    closed += group->commits;
    for (uint32_t a = 0; a < s->first_init && group->waits; a++) {
      uint32_t issue = skeleton_may_wait_for(s, a, e) ? skeleton_issue_in(s, a, thread) : NO_PARTNER;
      bool waits = issue != NO_PARTNER && bitset_has(x->exec, a) && bitset_has(x->exec, issue);
      uint32_t left = group->commits ? 0 : skeleton_event(s, e)->left;
      if (waits && group_of[issue] < closed && closed - group_of[issue] > left) bitmat_add(x->waited, a, e);
    }
  }
}

void execution_relate_groups(struct execution *x) {
  const struct skeleton *s = x->skeleton;
  if (!s->open_groups) return;
  const struct arena_mark mark = arena_mark(s->arena);
  uint32_t *group_of = ARENA_ARRAY(s->arena, uint32_t, s->first_init);
  bitmat_clear(x->waited);
  for (uint32_t t = 0; t < s->program->thread_count; t++)
    for (enum group_list list = GROUP_COPY; list < GROUP_LISTS; list++) follow_list(x, t, list, group_of);
  arena_rewind(s->arena, mark);
}
