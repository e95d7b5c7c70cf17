/* A test as it is generated: few enough bytes to count through, and the outcome that it asks about with it. Private to
 * src/generate.
 *
 * A draft is normal when locations, CTAs, clusters and GPUs are numbered in the order in which they come up, and the
 * values of each location in the order of its writes; threads come first to last. Isomorphic drafts differ in the order
 * of threads alone once they are normal, so that one of them, the canonical one, has the least key.
 */
#pragma once

#include "base/hash.h"
#include "base/text.h"
#include "base/vec.h"
#include "ptx/program.h"

enum {
  DRAFT_THREADS = 4,
  DRAFT_LENGTH = 8, /* events of a thread */
  DRAFT_EVENTS = 12,
  DRAFT_LOCATIONS = 4,
  DRAFT_FREE = 255, /* a value that the condition does not ask about */
  DRAFT_KEY = 4 * DRAFT_THREADS + 9 * DRAFT_EVENTS + DRAFT_LOCATIONS + 1,
};

enum draft_kind {
  DRAFT_READ,
  DRAFT_WRITE,
  DRAFT_UPDATE,     /* atom.exch */
  DRAFT_CAS,        /* atom.cas that succeeds: it compares with the value that it reads */
  DRAFT_RED,        /* red.max of a value above all others written; nobody sees the value that it reads */
  DRAFT_COPY,       /* cp.async into shared memory: a write */
  DRAFT_BULK_LOAD,  /* cp.async.bulk into shared memory: a write, and an arrival at the mbarrier object */
  DRAFT_BULK_STORE, /* cp.async.bulk out of shared memory: a read, into a place of its own */
  DRAFT_FENCE,
  DRAFT_PROXY_FENCE,     /* proxy says which */
  DRAFT_BARRIER,         /* bar.sync 0, met by all threads of the CTA */
  DRAFT_CLUSTER_BARRIER, /* barrier.cluster.arrive and .wait, met by all threads of the cluster */
  DRAFT_ARRIVE,          /* mbarrier.arrive on the one object of a test */
  DRAFT_WAIT,            /* mbarrier.wait there, for all that arrive */
  DRAFT_WAIT_COPIES,     /* cp.async.wait_all */
  DRAFT_WAIT_STORES,     /* cp.async.bulk.wait_group 0, behind a commit */
  DRAFT_WAIT_READS,      /* the same with .read */
};

/* Tests with asynchronous operations have one CTA, and their locations are in its shared memory, of 16 bytes each. */

/* The use of the last read in the same thread by an event: for the value of a write, its condition, or the address of
 * an access. */
enum draft_dep { DRAFT_NO_DEP, DRAFT_DATA, DRAFT_CTRL, DRAFT_ADDR };

struct draft_event {
  uint8_t kind, sem, scope, proxy, dep;
  uint8_t location; /* accesses; 0 for others */
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
  uint8_t last[DRAFT_LOCATIONS]; /* the value that the location ends with, or DRAFT_FREE */
};

/* A key that is the same for isomorphic drafts, and different for others. */
struct draft_key {
  uint8_t bytes[DRAFT_KEY], length;
};

/* Keys, each once, numbered from 0 as they came. */
struct draft_set {
  VEC(struct draft_key) keys;
  struct hash_index index;
};
/* The number of a key; of one that is not there, how many there are. */
uint32_t draft_set_find(const struct draft_set *set, const struct draft_key *key);
/* Its number too, after it was added where it was not there: *added. */
uint32_t draft_set_add(struct arena *arena, struct draft_set *set, const struct draft_key *key, bool *added);

/* All events, thread after thread. A break leaves the thread alone. */
#define DRAFT_EACH(e, draft)                                                                                           \
  for (uint32_t e##_thread = 0; e##_thread < (draft)->thread_count; e##_thread++)                                      \
    for (__typeof__(&(draft)->threads->events[0]) e = (draft)->threads[e##_thread].events,                             \
                                                  e##_end = e + (draft)->threads[e##_thread].count;                    \
         e < e##_end; e++)

static inline bool draft_accesses(const struct draft_event *e) { return e->kind < DRAFT_FENCE; }
static inline bool draft_is_fence(const struct draft_event *e) {
  return e->kind == DRAFT_FENCE || e->kind == DRAFT_PROXY_FENCE;
}
/* And writes, in one. Where it is not an exchange, its write depends on its read. */
static inline bool draft_is_update(const struct draft_event *e) {
  return e->kind == DRAFT_UPDATE || e->kind == DRAFT_CAS || e->kind == DRAFT_RED;
}
static inline bool draft_depends(const struct draft_event *e) { return e->kind == DRAFT_CAS || e->kind == DRAFT_RED; }
static inline bool draft_is_red(const struct draft_event *e) { return e->kind == DRAFT_RED; }
static inline bool draft_is_bar(const struct draft_event *e) { return e->kind == DRAFT_BARRIER; }
static inline bool draft_is_aliased(const struct draft_event *e) {
  return draft_accesses(e) && e->proxy == PROXY_ALIAS;
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
/* True if it reaches its location by the generic name, in another way than those that may take either name. */
static inline bool draft_keeps_names(const struct draft_event *e) {
  return draft_accesses(e) && e->proxy != PROXY_GENERIC && e->proxy != PROXY_ALIAS;
}
/* True if it counts at the mbarrier object. */
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

/* Called with each draft of a kind; memory that the call allocates may be given back after it. False: no more. */
typedef bool draft_visitor(void *state, const struct draft *draft);

uint32_t draft_size(const struct draft *draft); /* events in all threads */
bool draft_has_async(const struct draft *draft);
uint32_t draft_arrivals(const struct draft *draft);
/* The writes of a location. */
uint32_t draft_write_count(const struct draft *draft, uint32_t location);
/* True if the outcome fixes the value of some read, or the final value of a location written twice. */
bool draft_asks(const struct draft *draft);
/* The narrowest scope that has both threads. */
enum scope draft_common_scope(const struct draft *draft, uint32_t a, uint32_t b);
/* True if both threads meet at barriers of this kind. */
bool draft_meet(const struct draft *draft, uint32_t a, uint32_t b, enum draft_kind barrier);
/* True if a scope reaches a thread from this one that the next narrower one of the set does not. */
bool draft_scope_counts(const struct draft *draft, uint32_t thread, enum scope scope, uint32_t scopes);

/* True if the first of the two names of a location with an alias is always the generic one, unless an event that keeps
 * its names reaches it. */
bool draft_aliases_are_normal(const struct draft *draft);
/* Makes every scope, which are all of the set, as narrow as reaches the same threads. */
void draft_narrow(struct draft *draft, uint32_t scopes);

/* Numbers values, locations and places in the order of the threads as they are. */
void draft_normalise(struct draft *draft);
/* The least key of all orders of the threads. */
void draft_least_key(const struct draft *draft, struct draft_key *key);
/* A draft without scopes and places: the least key of it, and the draft with its threads in that order. */
void draft_shape(const struct draft *draft, struct draft_key *key, struct draft *ordered);
/* True if the draft, which must be normal, is the canonical one. In two steps, of which the first is for the program,
 * whatever its outcome: it notes the other orders of the threads that have the same program. */
bool draft_is_canonical(const struct draft *draft);
struct draft_orders {
  uint32_t count;
  uint8_t list[24][DRAFT_THREADS];
};
bool draft_program_is_canonical(const struct draft *draft, struct draft_orders *alike);
bool draft_outcome_is_canonical(const struct draft *draft, const struct draft_orders *alike);

/* True if no threads have nothing to do with the others: all are joined by locations in common. */
bool draft_in_one_piece(const struct draft *draft);
/* True if what the thread has in common with each one before it is among these scopes. */
bool draft_fits(const struct draft *draft, uint32_t thread, uint32_t placements);

/* ---- Counting through (each.c). What is visited is the draft itself, changed; false when a visitor wants no more. */

/* All ways to share events out to the threads, at most `most` to each, the longest first. */
bool draft_each_size(struct draft *draft, uint32_t threads, uint32_t events, uint32_t most, draft_visitor *visit,
                     void *state);
/* Gives each write the next value of its location. */
void draft_number_values(struct draft *draft);
/* All places of the threads, numbered as they come, such that the narrowest scopes that two share are of this mask. */
bool draft_each_place(struct draft *draft, uint32_t placements, draft_visitor *visit, void *state);
/* All outcomes of a program whose values are numbered: the value that each read returns, from any write but its own,
 * and the last value of each location written twice. */
bool draft_each_outcome(struct draft *draft, draft_visitor *visit, void *state);

/* True if some interleaving of the threads has the outcome. Then every model here allows it. */
bool draft_interleaves(const struct draft *draft);

/* True if some interleaving comes to an end, whatever it reads. */
bool draft_can_end(const struct draft *draft);

/* Takes the event out, and every barrier that would meet with it, or waits that nothing would arrive for; a value of
 * the outcome that nothing writes any more becomes free. Threads and locations without any access go. */
void draft_remove(struct draft *draft, uint32_t thread, uint32_t event);

/* Columns of a test on their way to text: the cells of each thread, the first with its place. */
struct draft_columns {
  struct arena *arena;
  VEC(const char *) cells[DRAFT_THREADS];
  uint32_t reads[DRAFT_THREADS]; /* registers so far */
};
#define CELL(c, thread, ...) VEC_PUSH((c)->arena, &(c)->cells[thread], arena_printf((c)->arena, __VA_ARGS__))
void draft_print_rows(const struct draft_columns *columns, uint32_t threads, struct text *out);
void draft_print_condition(const struct draft *draft, struct text *out);
char draft_location(uint32_t location);

/* The name of the test: its instructions in short. */
const char *draft_name(struct arena *arena, const struct draft *draft);
/* A test in pieces; `expect` may be NULL. */
struct draft_text {
  const char *name, *expect, *locations, *condition;
  struct draft_columns columns;
  uint32_t threads;
};
struct draft_text draft_text_of(struct arena *arena, const struct draft *draft, const char *name, const char *expect);
void draft_text_print(const struct draft_text *from, struct text *out);
/* Adds the test in the litmus format; `expect` is a line of the head, or NULL. */
void draft_print(const struct draft *draft, const char *name, const char *expect, struct text *out);
