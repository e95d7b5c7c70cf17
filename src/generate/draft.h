/* The draft of a generated test: a program and the outcome in question, small enough to enumerate. Private to
 * src/generate.
 *
 * A draft is normal if locations, CTAs, clusters and GPUs are numbered in the order of their first use, thread after
 * thread, and the values of each location in the order of its writes. Isomorphic normal drafts differ only in the order
 * of threads; the canonical one has the smallest key.
 */
#pragma once

#include "ptx/program.h"

enum {
  DRAFT_THREADS = 4,
  DRAFT_LENGTH = 8, /* events of a thread */
  DRAFT_EVENTS = 12,
  DRAFT_LOCATIONS = 4,
  DRAFT_FREE = 255, /* a value that the condition does not constrain */
  DRAFT_KEY = 4 * DRAFT_THREADS + 9 * DRAFT_EVENTS + DRAFT_LOCATIONS + 1,
};

enum draft_kind {
  DRAFT_READ,
  DRAFT_WRITE,
  DRAFT_UPDATE,     /* atom.exch */
  DRAFT_CAS,        /* a successful atom.cas: it compares with the value that it reads */
  DRAFT_RED,        /* red.max with the largest value that the test writes; no register receives the value read */
  DRAFT_COPY,       /* cp.async into shared memory: a write */
  DRAFT_BULK_LOAD,  /* cp.async.bulk into shared memory: a write, and an arrival at the mbarrier object */
  DRAFT_BULK_STORE, /* cp.async.bulk out of shared memory: a read; each has its own destination */
  DRAFT_FENCE,
  DRAFT_PROXY_FENCE,     /* `proxy` gives the kind */
  DRAFT_BARRIER,         /* bar.sync 0 of all threads of the CTA */
  DRAFT_CLUSTER_BARRIER, /* barrier.cluster.arrive and .wait of all threads of the cluster */
  DRAFT_ARRIVE,          /* mbarrier.arrive on the test's only object */
  DRAFT_WAIT,            /* mbarrier.wait on it, for all arrivals */
  DRAFT_WAIT_COPIES,     /* cp.async.wait_all */
  DRAFT_WAIT_STORES,     /* cp.async.bulk.wait_group 0, after a commit */
  DRAFT_WAIT_READS,      /* the same with .read */
};

/* Tests with asynchronous operations have one CTA, and their locations are in its shared memory, of 16 bytes each. */

/* The dependency of an event on the last read of its thread before it: by its value, its guard or its address. */
enum draft_dep { DRAFT_NO_DEP, DRAFT_DATA, DRAFT_CTRL, DRAFT_ADDR };

struct draft_event {
  uint8_t kind, sem, scope, proxy, dep;
  uint8_t location; /* of an access; 0 for other events */
  uint8_t writes;   /* the value written: 1, 2, ... in each location; 0 for events that write nothing */
  uint8_t reads;    /* the value read, 0 for the initial one, or DRAFT_FREE; 0 for events that read nothing */
};

struct draft_thread {
  uint8_t count, cta, cluster, gpu;
  struct draft_event events[DRAFT_LENGTH];
};

struct draft {
  uint8_t thread_count, location_count;
  struct draft_thread threads[DRAFT_THREADS];
  uint8_t last[DRAFT_LOCATIONS]; /* the final value of the location, or DRAFT_FREE */
};

/* A key that is the same for isomorphic drafts, and different for others. */
struct draft_key {
  uint8_t bytes[DRAFT_KEY], length;
};

/* A set of keys, numbered from 0 in the order of insertion. */
struct draft_set {
  VEC(struct draft_key) keys;
  struct hash_index index;
};
/* Adds a key if it is new (*added), and returns its number. */
uint32_t draft_set_add(struct arena *arena, struct draft_set *set, const struct draft_key *key, bool *added);

/* Loops over all events, thread by thread. A `break` leaves only the loop over the current thread. */
#define DRAFT_EACH(e, draft)                                                                                           \
  for (uint32_t e##_thread = 0; e##_thread < (draft)->thread_count; e##_thread++)                                      \
    for (__typeof__(&(draft)->threads->events[0]) e = (draft)->threads[e##_thread].events,                             \
                                                  e##_end = e + (draft)->threads[e##_thread].count;                    \
         e < e##_end; e++)

static inline bool draft_accesses(const struct draft_event *e) { return e->kind < DRAFT_FENCE; }
static inline bool draft_is_fence(const struct draft_event *e) {
  return e->kind == DRAFT_FENCE || e->kind == DRAFT_PROXY_FENCE;
}
/* True if the event is an atomic, which reads and writes. Except for an exchange, its write depends on its read. */
static inline bool draft_is_update(const struct draft_event *e) {
  return e->kind == DRAFT_UPDATE || e->kind == DRAFT_CAS || e->kind == DRAFT_RED;
}
/* True if a register receives the value that the event reads. */
static inline bool draft_gives(const struct draft_event *e) {
  return e->kind == DRAFT_READ || e->kind == DRAFT_UPDATE || e->kind == DRAFT_CAS;
}
/* True if the test can ask for the value that the event reads. */
static inline bool draft_reads(const struct draft_event *e) { return draft_gives(e) || e->kind == DRAFT_BULK_STORE; }
static inline bool draft_writes(const struct draft_event *e) {
  return draft_accesses(e) && e->kind != DRAFT_READ && e->kind != DRAFT_BULK_STORE;
}
static inline bool draft_is_async(const struct draft_event *e) {
  return (e->kind >= DRAFT_COPY && e->kind <= DRAFT_BULK_STORE) || e->kind >= DRAFT_ARRIVE ||
         (e->kind == DRAFT_PROXY_FENCE && e->proxy == PROXY_ASYNC);
}
/* True if the event arrives at the mbarrier object. */
static inline bool draft_arrives(const struct draft_event *e) {
  return e->kind == DRAFT_ARRIVE || e->kind == DRAFT_BULK_LOAD;
}
static inline bool draft_is_scoped(const struct draft_event *e) {
  return e->kind == DRAFT_FENCE || e->kind == DRAFT_ARRIVE || e->kind == DRAFT_WAIT ||
         (draft_accesses(e) && e->sem != SEM_WEAK);
}
static inline bool draft_is_barrier(const struct draft_event *e) {
  return e->kind == DRAFT_BARRIER || e->kind == DRAFT_CLUSTER_BARRIER;
}
/* True if the event can have the dependency. */
static inline bool draft_can_depend(const struct draft_event *e, enum draft_dep dep) {
  if (dep == DRAFT_ADDR) return e->kind == DRAFT_READ || e->kind == DRAFT_WRITE;
  return dep == DRAFT_NO_DEP || e->kind == DRAFT_WRITE;
}

/* Called with each draft of an enumeration; memory allocated in the call may be freed after the call. False: stop. */
typedef bool draft_visitor(void *state, const struct draft *draft);

uint32_t draft_size(const struct draft *draft); /* the number of events in all threads */
bool draft_has_async(const struct draft *draft);
uint32_t draft_arrivals(const struct draft *draft);
/* The number of writes to a location. */
uint32_t draft_write_count(const struct draft *draft, uint32_t location);
/* True if the outcome gives the value of some read, or the final value of a location that is written twice. */
bool draft_asks(const struct draft *draft);
/* The narrowest scope that contains both threads. */
enum scope draft_common_scope(const struct draft *draft, uint32_t a, uint32_t b);
/* The number of barriers of a kind among the first `end` events of a thread. */
uint32_t draft_barriers(const struct draft_thread *thread, uint32_t end, enum draft_kind kind);
/* True if both threads take part in barriers of this kind. */
bool draft_meet(const struct draft *draft, uint32_t a, uint32_t b, enum draft_kind barrier);
/* True if this scope, from this thread, reaches a thread that the next narrower scope of the set does not reach. */
bool draft_scope_counts(const struct draft *draft, uint32_t thread, enum scope scope, uint32_t scopes);

/* True if for each location with an alias the generic name is used first, or some access requires the generic name. */
bool draft_aliases_are_normal(const struct draft *draft);
/* Replaces each scope by the narrowest of the set that reaches the same threads. All scopes must be in the set. */
void draft_narrow(struct draft *draft, uint32_t scopes);

/* Makes the draft normal for the current order of its threads. */
void draft_normalise(struct draft *draft);
/* The smallest key over all orders of the threads. */
void draft_least_key(const struct draft *draft, struct draft_key *key);
/* The smallest key of the draft without scopes and places, and the draft with its threads in the order of that key. */
void draft_shape(const struct draft *draft, struct draft_key *key, struct draft *ordered);
/* True if the draft, which must be normal, is canonical. The check has two steps: the first, for the program alone,
 * records the other orders of threads that give the same program. */
bool draft_is_canonical(const struct draft *draft);
struct draft_orders {
  uint32_t count;
  uint8_t list[24][DRAFT_THREADS];
};
bool draft_program_is_canonical(const struct draft *draft, struct draft_orders *alike);
bool draft_outcome_is_canonical(const struct draft *draft, const struct draft_orders *alike);

/* True if common locations connect all threads. */
bool draft_in_one_piece(const struct draft *draft);
/* True if `placements` contains the narrowest scope that the thread shares with each earlier thread. */
bool draft_fits(const struct draft *draft, uint32_t thread, uint32_t placements);

/* ---- Enumeration (each.c). The visitor gets the draft itself, modified; false if the visitor stopped it. */

/* All distributions of events over the threads, at most `most` per thread, the longest thread first. */
bool draft_each_size(struct draft *draft, uint32_t threads, uint32_t events, uint32_t most, draft_visitor *visit,
                     void *state);
/* Gives each write the next value of its location. */
void draft_number_values(struct draft *draft);
/* All places of the threads, numbered in the order of use, such that the narrowest common scope of any two threads is
 * in `placements`. */
bool draft_each_place(struct draft *draft, uint32_t placements, draft_visitor *visit, void *state);
/* All outcomes of a program whose values are numbered: the value that each read returns, from any write but its own,
 * and the final value of each location that is written twice. */
bool draft_each_outcome(struct draft *draft, draft_visitor *visit, void *state);

/* True if some interleaving of the threads has the outcome. Then every model here allows the outcome. */
bool draft_interleaves(const struct draft *draft);

/* True if some interleaving ends, for any values read. */
bool draft_can_end(const struct draft *draft);

/* Removes the event, the other events of its barrier, and waits without a remaining arrival; a value of the outcome
 * without a remaining write becomes free. Threads and locations without accesses are removed. */
void draft_remove(struct draft *draft, uint32_t thread, uint32_t event);

/* The columns of a test that is being printed: the cells of each thread, the first of which has the thread's place. */
struct draft_columns {
  struct arena *arena;
  VEC(const char *) cells[DRAFT_THREADS];
  uint32_t reads[DRAFT_THREADS]; /* the number of registers so far */
};
#define CELL(c, thread, ...) VEC_PUSH((c)->arena, &(c)->cells[thread], arena_printf((c)->arena, __VA_ARGS__))
void draft_print_rows(const struct draft_columns *columns, uint32_t threads, struct text *out);
void draft_print_condition(const struct draft *draft, struct text *out);
char draft_location(uint32_t location);

/* The name of the test, made of abbreviated instructions. */
const char *draft_name(struct arena *arena, const struct draft *draft);
/* The parts of a test's text; `expect` may be NULL. */
struct draft_text {
  const char *name, *expect, *locations, *condition;
  struct draft_columns columns;
  uint32_t threads;
};
struct draft_text draft_text_of(struct arena *arena, const struct draft *draft, const char *name, const char *expect);
void draft_text_print(const struct draft_text *from, struct text *out);
/* Adds the test in the litmus format; `expect` is a line of the head, or NULL. */
void draft_print(const struct draft *draft, const char *name, const char *expect, struct text *out);
