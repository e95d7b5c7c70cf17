/* Random litmus tests, small enough for brute force: the same seed and index give the same test on every machine.
 *
 * A test is kept as a sketch (instructions as text, with marks for names) rather than as one text, so that it can be
 * printed with its threads in another order or its locations renamed, and so that a failing test can be cut down.
 */
#ifndef PTXLIT_TESTS_GENERATE_H
#define PTXLIT_TESTS_GENERATE_H

#include "base/rng.h"
#include "base/text.h"

enum { SKETCH_THREADS = 6, SKETCH_INSTRS = 32, SKETCH_INITS = 24, SKETCH_NAMES = 10 };

/* Which barriers a test has. */
enum sketch_barriers { SKETCH_NO_BARRIERS, SKETCH_CTA_BARRIERS, SKETCH_WARP_BARRIERS, SKETCH_CLUSTER_BARRIERS };

struct sketch_thread {
  uint32_t gpu, cluster, cta, warp, lane, grid, domain;
  bool host;     /* of the host, whose instructions are statements of C++ */
  bool has_warp; /* its placement names warp and lane */
  const char *instrs[SKETCH_INSTRS];
  uint32_t count;
};

/* In every text, `$3` stands for the name of location 3 and `#1` for the number of thread 1. */
struct sketch {
  uint64_t seed;
  uint64_t index;
  bool clusters; /* placements name clusters */
  bool asynchronous; /* it has asynchronous operations */
  bool tensor; /* it is of tensor memory alone */
  const char *head; /* with hosts: the lines of the head; else NULL */
  bool locks;
  bool alike; /* threads that are alike, or nearly */
  enum sketch_barriers barriers;
  uint32_t exchange; /* what lanes exchange, with barriers of warps */
  uint32_t unroll; /* iterations of each loop to look at; 0: the default */
  struct sketch_thread threads[SKETCH_THREADS];
  uint32_t thread_count;
  const char *inits[SKETCH_INITS];
  uint32_t init_count;
  const char *condition; /* with its filter */
};

/* How a sketch is written: the column of each thread, its number, and the locations' names. */
struct sketch_view {
  uint32_t order[SKETCH_THREADS];  /* order[column] = thread */
  uint32_t number[SKETCH_THREADS]; /* of each thread */
  const char *const *names;        /* SKETCH_NAMES of them */
};

/* The test with this seed and index, of all or of those about one thing alone. Texts live in `arena`. */
enum sketch_about { ABOUT_ALL, ABOUT_TENSOR, ABOUT_HOSTS };
struct sketch sketch_random(struct arena *arena, uint64_t seed, uint64_t index, enum sketch_about about);

/* Threads in order, numbered from 0, with the usual names. */
struct sketch_view sketch_plain_view(void);

/* The same test by other words: threads permuted and renumbered, or locations renamed. */
struct sketch_view sketch_permuted_view(struct rng *rng, uint32_t thread_count);
struct sketch_view sketch_renamed_view(void);

/* Adds a thread without instructions: in the CTA of thread 0, or in one of its own where others would wait for it. */
void sketch_add_idle(struct sketch *sketch);

/* The text of the litmus file. */
const char *sketch_print(struct arena *arena, const struct sketch *sketch, const struct sketch_view *view);

#endif
