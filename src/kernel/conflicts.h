/* The accesses of all threads, by byte, from which conflicts.c and sources.c choose columns. Private to src/kernel. */
#pragma once

#include "kernel/order.h"

/* How near two threads are: each row includes the ones before it. */
enum relation {
  RELATION_SELF,
  RELATION_WARP,
  RELATION_CTA,
  RELATION_CLUSTER,
  RELATION_GPU,
  RELATION_SYSTEM,
  RELATIONS,
};
enum relation relation_of(const struct launching *launch, const struct runner *a, const struct runner *b);

/* A fence.proxy.async that covers shared memory, in a thread with one path. */
struct proxy_fence {
  uint32_t place;
  struct passed passed;
};

/* Accesses of threads of one kind (groups.c) that are ordered alike: of one form, with nothing between them that
 * orders. */
struct access_site {
  uint64_t group, number; /* group: the kind of the threads; number: the same for all of them */
  const struct instr *in; /* of the first such access */
  uint64_t kind;
  bool writes, mbarrier, open;
  bool at_once;       /* by the generic proxy, where the thread has it: of no asynchronous operation */
  bool generic, ends; /* by the generic proxy: at once, or of cp.async; ends: where `passed` says */
  bool product;       /* a read of wgmma: by the async proxy, from the last fence before it until the thread waits */
  const struct proxy_fence *before, *after; /* the nearest one before it begins, and after it is over; or NULL */
  bool strong, surely;                      /* surely: it happens whenever its place is reached */
  bool loops;                               /* the thread has loops that memory ends */
  uint32_t epoch;                           /* order_epoch, of one that is at once; or 0 */
  bool meets; /* some access conflicts with one of these, or nothing has surely written what one reads, and that
               * is not settled (K16) */
  struct {
    uint64_t way; /* hash of the direction, and of the barriers before the first time at the branch; 0: there is none,
                   * or this number differs */
    bool always;  /* every way through the thread has the branch */
  } chosen;       /* the site is straight behind a direction of a branch on a settled state, whose other direction does
                   * not lead back */
  struct passed passed; /* `most` and `after` of cp.async and products: where the thread waits for it; `known` of
                         * products: where they begin */
};

struct access {
  uint32_t runner, site;
  uint32_t part;        /* of its thread: adjacent accesses, which sources.c takes together */
  uint32_t block;       /* of its thread */
  uint32_t place, over; /* where it begins in program order, and is over; UINT32_MAX: a thread with branches or
                         * loops, or without a wait */
  uint32_t at, end;
  uint32_t unit;                /* the bytes of an aligned access; 0: it is not aligned, or more than one */
  struct region *region, *base; /* base: the first one of the object */
  struct touch *touch;
};

/* An access to a piece: those to one piece lie together, with what most loops over them need. */
struct listed {
  uint32_t access;
  bool last;                /* to the piece */
  bool writes, sets, takes; /* writes; writes what is no mbarrier object; reads a value, as an atomic does too */
};

/* Two threads whose accesses conflict, for all such threads of their relation. */
struct conflict {
  uint32_t low, high; /* sites */
  enum relation relation;
  uint32_t a, b;       /* threads, */
  uint32_t at_a, at_b; /* and the site of each */
  uint32_t lacks;      /* how many of them are no columns */
};

/* A write, and a product that reads what it left, in kernels without any fence between the proxies: a race whatever
 * happens, which stands for all others like it. */
struct unfenced {
  const struct access *write, *read; /* NULL: none */
  uint32_t lacks;
};

/* The facts that hold for all pairs of accesses of two sites: a bit for each relation. */
struct site_pair {
  uint32_t low, high;
  uint32_t settled; /* barriers settle these pairs, in each CTA */
  uint32_t noted;   /* a noted pair needs no better one */
  uint16_t tries[RELATIONS];
};

/* A thread that is a column because of its accesses of a site. */
struct pair_member {
  uint32_t runner, site;
};

/* A piece, by its first entry in `listed`. */
struct exact_piece {
  struct region *region;
  uint32_t at, head;
};

struct conflicts {
  struct launching *launch;
  const struct ordering *ordering;
  VEC(struct access_site) sites;
  struct hash_index site_index;
  VEC(struct access) accesses, strays;
  struct listed *listed;
  uint32_t **heads; /* by region and byte: the first access to the piece that begins there, and 1. A piece is a stretch
                     * that accesses have as a whole or not at all. NULL: nobody writes the region */
  uint32_t **next;  /* by region and byte where a piece begins: where the next one does */
  bool fenced;      /* some thread has a fence between proxies */
  struct unfenced unfenced;
  VEC(struct conflict) pairs;
  struct hash_index pair_index;
  VEC(struct site_pair) site_pairs;
  struct hash_index site_pair_index;
  VEC(struct pair_member) witnesses;
  struct hash_index witness_index;
  VEC(struct exact_piece) exact; /* of shared memory, whose bytes count as written only if some column writes them */
};

/* Loops over the accesses to a piece, from its first entry in `listed` (`a##_at`). */
#define EACH_AT(a, c, head)                                                                                            \
  for (const struct listed *a##_at = (head) ? &(c)->listed[(head)-1] : NULL; a##_at;                                   \
       a##_at = a##_at->last ? NULL : a##_at + 1)                                                                      \
    for (const struct access *a = &(c)->accesses.data[a##_at->access]; a; a = NULL)

static inline struct runner *conflict_thread(const struct conflicts *conflicts, const struct access *access) {
  return conflicts->launch->runners.data[access->runner];
}

/* accesses.c */
struct conflicts *conflicts_index(struct launching *launch);
/* conflicts.c, conflicts_compare: `pairs` alone. conflicts_add: adds columns (docs/semantics.md T9). */
const struct conflicts *conflicts_compare(struct launching *launch);
void conflicts_add(struct launching *launch);
/* conflicts.c, conflict_is_before: true if `a`, of another thread or through barriers, precedes `b` in base causality,
 * whatever happens, with the fence between proxies that it needs (AC4, AC6). conflict_is_own_before: by program order
 * in a thread with one path. */
bool conflict_is_before(const struct conflicts *conflicts, const struct access *a, const struct access *b);
bool conflict_is_own_before(const struct conflicts *conflicts, const struct access *a, const struct access *b);
/* conflicts.c: true if these are a write and a read as in `struct unfenced`. */
bool conflict_lacks_fence(const struct conflicts *conflicts, const struct access *write, const struct access *read);
/* accesses.c: true of an access that reads a value, as an atomic does too. */
bool conflict_takes(const struct conflicts *conflicts, const struct access *access);
/* conflicts.c: true if two accesses, one of them at an unknown address, may have a byte in common. */
bool conflict_may_meet(const struct access *a, const struct access *b);
/* draws.c: conflict_find_draws: keeps `drawn` of the touches whose counter gives each number once, and finds those
 * inside. conflict_draws_apart: true if accesses of two threads have no byte in common, as what they drew differs.
 * conflict_draws_alike: true if they are so to all accesses from other numbers. */
void conflict_find_draws(struct conflicts *conflicts);
/* draws.c: how many atomics draw from the counter of this one, each a number of its own up to *last, if nothing else
 * reads it. 0: this is not so. */
uint64_t conflict_numbers(const struct conflicts *conflicts, const struct draw *draw, uint64_t *last);
bool conflict_draws_apart(const struct access *a, const struct access *b);
bool conflict_draws_alike(const struct access *a, const struct access *b);
/* conflicts.c: makes the thread of an access a column. False: there are too many; the test lacks it. */
bool conflict_add_column(struct conflicts *conflicts, const struct access *access, uint32_t other_site);
/* sources.c: the threads that write what columns read; threads that read what perhaps nothing has written. Then, for
 * all columns by now, the threads that write the exact pieces that they read. */
void sources_add_writers(struct conflicts *conflicts);
void sources_find_unwritten(struct conflicts *conflicts);
void sources_complete(struct conflicts *conflicts);
