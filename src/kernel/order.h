/* The order that barriers give to the accesses of threads in every execution that ends. Private to src/kernel. */
#pragma once

#include "kernel/columns.h"
#include "kernel/counts.h"

/* The resources: the barriers of a CTA by number, those of a warp, a cluster and a grid. */
enum { ORDER_WARP = CTA_BARRIERS, ORDER_CLUSTER, ORDER_GRID, ORDERS };

/* The barriers around a place of a thread, by resource. */
struct passed {
  uint16_t least[ORDERS], most[ORDERS]; /* the uses before it on the ways there; `most` UINT16_MAX: any number */
  uint16_t first[ORDERS];               /* `most` on the ways there that have not been there before */
  uint16_t known[ORDERS];               /* phases 1 to this are complete there, on every way */
  uint64_t counts[ORDERS];              /* the uses before it, if all of them arrive and wait; else any */
  uint32_t after;                       /* bits: every way from there to the end arrives once more */
  bool always;                          /* every way from the beginning to the end has the place */
};

/* The barriers of all threads. */
struct ordering;
struct ordering *order_find(struct launching *launch);

/* True if the place of `a` comes before that of `b` in base causality, whatever happens: after its place, `a` arrives
 * at a phase that is complete before the place of `b`. The end of a thread arrives nowhere (G42). The k-th use of a
 * resource by a thread is in phase k, because each phase takes all users that have not ended. */
bool order_before(const struct ordering *ordering, const struct runner *a, const struct passed *at_a,
                  const struct runner *b, const struct passed *at_b);
/* The same of the first time that `a` is at its place, which `always` has. */
bool order_first_before(const struct ordering *ordering, const struct runner *a, const struct passed *at_a,
                        const struct runner *b, const struct passed *at_b);
/* True if one of the places comes before the other, but which of them may differ from execution to execution: the
 * threads are never between the same two barriers there, as on two sides of a barrier in a loop. */
bool order_apart(const struct ordering *ordering, const struct runner *a, const struct passed *at_a,
                 const struct runner *b, const struct passed *at_b);
/* The same, by barriers of the CTA alone, for all pairs of threads of one CTA of the run with these places. */
bool order_before_in_ctas(const struct ordering *ordering, const struct kernel_run *run, const struct passed *at_a,
                          const struct passed *at_b);
bool order_apart_in_ctas(const struct ordering *ordering, const struct kernel_run *run, const struct passed *at_a,
                         const struct passed *at_b);

/* The barriers 0 that a place has passed, and 1, where it is before each place with a greater such number of a thread
 * of its CTA, and after each with a smaller one: order_before_in_ctas. 0: not so. */
uint32_t order_epoch(const struct ordering *ordering, const struct kernel_run *run, const struct passed *at);

/* True if each use of barrier 0 takes all threads of its CTA that have not ended. */
bool order_takes_all(const struct ordering *ordering, const struct kernel_run *run);

/* The places of a thread, block by block. order_enter: the place at the start of the i-th block in order. order_next:
 * moves over a remnant. */
struct order_walk {
  struct runner *runner;
  struct block_order order;
  struct passed *entry; /* by place of a block in the order */
  uint32_t *leaves;     /* by place of a block: `after` at its end */
  uint32_t *suffix;     /* by remnant of the present block: the arrivals from it on */
  bool loops;           /* some jump leads backward */
  struct passed now;    /* without `after` */
};
void order_begin(struct arena *arena, struct runner *runner, struct order_walk *out);
void order_enter(struct arena *arena, struct order_walk *walk, uint32_t block);
void order_next(struct order_walk *walk, const struct block *block, uint32_t index);
