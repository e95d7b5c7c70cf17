/* A path and the report of the order that its steps lack, for missing.c and missing_ends.c. Private to src/explain. */
#pragma once

#include "explain/story.h"

struct trail {
  struct story *story;
  const struct execution *x;
  const struct cycle_step *steps; /* the last one closes the cycle */
  uint32_t count;
};

bool trail_same_thread(const struct trail *t, uint32_t a, uint32_t b);
const char *trail_quote(const struct trail *t, uint32_t event);
/* The trail's first event in the thread in which a step begins, and its last event in the thread in which the step
 * ends. */
uint32_t trail_entry(const struct trail *t, uint32_t step);
uint32_t trail_exit(const struct trail *t, uint32_t step);
/* True if the step leads through the halves of one atomic: a write observed through it needs no pattern there. */
bool trail_through_atomic(const struct trail *t, uint32_t step);
/* The name of a step's relation; the narrowest scope that has the threads of two events; "P1". */
bool trail_is(const struct trail *t, uint32_t step, const char *relation);
const char *trail_scope(const struct trail *t, uint32_t a, uint32_t b);
const char *trail_thread(const struct trail *t, uint32_t event);
/* Base causality (8.9.5) in the execution; without rows if the model does not define it. */
struct bitmat trail_base(const struct trail *t);
/* Reports the order that is missing between two events, and a cure (NULL: none). In both texts <a> and <b> are the
 * events, <A> and <B> their threads, and <scope> is the narrowest scope of both. */
void trail_lacks(struct trail *t, uint32_t from, uint32_t to, const char *text, const char *cure);

/* missing.c: a change that makes two accesses morally strong; NULL if no strength or scope would do it. */
const char *trail_strengthen(struct trail *t, uint32_t a, uint32_t b);

/* missing_ends.c: true if both ends are in tensor memory. The next function: reports the missing order of two ends that
 * differ in proxy or address, or are in tensor memory. */
bool trail_of_tensors(const struct trail *t);
void trail_ends(struct trail *t);
