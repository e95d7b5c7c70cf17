/* A look at the steps, rules and events that an explanation tells, for gaps.c and gaps_async.c. Private to src/explain.
 * Events are those of the skeleton; what is told of them has numbers of its own. */
#ifndef PTXLIT_LOOK_H
#define PTXLIT_LOOK_H

#include <string.h>

#include "explain/story.h"

struct look {
  const struct story *story;
  const struct explanation *out;
  const struct skeleton *skeleton;
  const struct execution *x;
};

/* ---- Looking ---- */

static inline uint32_t told_at(const struct look *l, uint32_t number) { return l->out->events.data[number].event; }

static inline const struct event *event_at(const struct look *l, uint32_t number) {
  return skeleton_event(l->skeleton, told_at(l, number));
}

typedef bool test_event(const struct look *look, uint32_t event, const struct event *e);

static inline bool some_event(const struct look *l, test_event *test) {
  for (uint32_t i = 0; i < l->out->events.len; i++)
    if (test(l, told_at(l, i), event_at(l, i))) return true;
  return false;
}

typedef bool test_pair(const struct look *look, uint32_t from, uint32_t to);

/* A step of this relation, between events (not numbers) that pass. */
static inline bool some_step(const struct look *l, const char *relation, test_pair *test) {
  for (uint32_t i = 0; i < l->out->steps.len; i++) {
    const struct explain_step *step = &l->out->steps.data[i];
    if (strcmp(step->relation, relation) != 0) continue;
    if (!test || test(l, told_at(l, step->from), told_at(l, step->to))) return true;
  }
  return false;
}

static inline bool some_rule(const struct look *l, const char *name, test_pair *test) {
  for (uint32_t i = 0; i < l->out->rules.len; i++) {
    const struct explain_rule *rule = &l->out->rules.data[i];
    if (strstr(rule->name, name) && test(l, told_at(l, rule->from), told_at(l, rule->to))) return true;
  }
  return false;
}

static inline bool some_axiom(const struct look *l, const char *start) {
  for (uint32_t i = 0; i < l->out->axioms.len; i++)
    if (strncmp(l->out->axioms.data[i].name, start, strlen(start)) == 0) return true;
  return false;
}

static inline bool some_missing(const struct look *l, const char *part) {
  for (uint32_t i = 0; i < l->out->missing.len; i++)
    if (strstr(l->out->missing.data[i].text, part)) return true;
  return false;
}

static inline const struct event *event_of(const struct look *l, uint32_t event) {
  return skeleton_event(l->skeleton, event);
}

/* gaps_async.c: what gaps.def names for asynchronous operations. */
#define LOOK(name) bool name(const struct look *look);
LOOK(remote_signal)
LOOK(phase_told) LOOK(copy_signal) LOOK(relaxed_test) LOOK(expect_completes) LOOK(fresh_parity) LOOK(phase_unseen)
    LOOK(read_waited) LOOK(async_twice) LOOK(proxy_fence) LOOK(named_by_cluster) LOOK(write_after_read)
        LOOK(copy_to_copy) LOOK(copied_generic) LOOK(async_store) LOOK(not_carried) LOOK(mma_fence) LOOK(mma_again)
            LOOK(strong_proxies) LOOK(two_atomics) LOOK(multicast_told) LOOK(pieces_told) LOOK(map_fence)
                LOOK(grid_proxy) LOOK(grids_beyond) LOOK(grids_unordered) LOOK(never_waited) LOOK(tensor_operand)
                    LOOK(tensor_commit) LOOK(gave_up) LOOK(inner_step) LOOK(writes_race) LOOK(one_way)
#undef LOOK

#endif
