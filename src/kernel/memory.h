/* The memory of a test of kernels while its threads run on constants (kernel/run.h): by address a byte, and its value
 * if known. Threads compute with these addresses; the test has names instead.
 *
 * A byte is known if its initial value and all values that threads write to it are the same. Rounds find these bytes:
 * in the first, a byte that nothing has written yet has no value, and its readers wait. A byte with two values counts
 * as unknown (open) from the next round on; each round starts from the beginning (docs/semantics.md K14). Source:
 * docs/semantics.md K1, K8. */
#pragma once

#include "ptx/program.h"

/* The first addresses of state spaces. Each CTA sees its own shared memory at the same addresses. Shared memory that is
 * addressed as that of a CTA of the cluster has other addresses. */
#define GLOBAL_BASE ((uint64_t)0x7f << 40)
#define NARROW_BASE ((uint64_t)0x5a << 24)
enum {
  PARAM_BASE = 1 << 22,
  LOCAL_BASE = 1 << 23,
  SHARED_BASE = 1 << 24,
  PEERS_BASE = 1 << 25,
  SHARED_WINDOW = 1 << 18,
  GLOBAL_ALIGNMENT = 4096,
  GLOBAL_GAP = 1 << 24, /* between locations: an address that still lacks an offset is in no other location */
  STEP = 4096,          /* the least bytes by which a region grows */
  PAGE = 256,           /* bytes whose states lie together */
};

enum cell { CELL_BLANK, CELL_KNOWN, CELL_OPEN };
enum { SEVERAL_WRITERS = UINT32_MAX };

/* All possible values, if they are few. */
enum { MOST_FEW = 4 };
struct few {
  uint32_t count, bytes;
  value_t values[MOST_FEW];
};

/* A write to a word of memory that has a history (history.c), or a read. */
struct wrote {
  struct region *region;
  uint32_t at, bytes, epoch, cta, thread, step; /* step: of its thread */
  enum {
    WROTE_VALUE,
    WROTE_SUM,
    WROTE_OTHER,
    WROTE_ASIDE
  } how;                      /* WROTE_ASIDE: program order and barriers do not place
                                 it among the other writes */
  value_t value;              /* WROTE_SUM: the addend */
  const struct wrote *before; /* the previous write on the path of its thread; NULL: none */
  const struct wrote *jump;   /* one far before on this path */
  uint32_t depth;             /* the number of writes on the path, with this one */
  uint32_t next;              /* of the same word, and 1; 0: none */
};

struct history {
  VEC(struct wrote *) list; /* struct byte: the first that begins at each */
  bool begun;
};

/* The state of a byte, as far as it is known. `rests`: the locations without values from which its stored values come,
 * in any round (rests.h). `turns`: shared: counts.h of its writes, in any round but the first. `writer`: not shared or
 * local: 1 more than the CTA whose threads write it at a known address, in any round, or SEVERAL_WRITERS; 0: none. */
struct byte {
  uint64_t rests, turns;
  uint32_t writer;
  uint32_t before, now;        /* in the history of each round: the first write that begins there, and 1 */
  uint16_t epoch;              /* of one that had no value: barriers of the CTA that its writers had passed */
  uint8_t value, initial;      /* of one that is known; at the beginning */
  uint8_t few[MOST_FEW];       /* its initial value and all values written there, in any round, */
  uint8_t few_count : 3;       /* and their number; more than MOST_FEW: not few */
  uint8_t cell : 2, first : 2; /* enum cell; first: at the beginning */
  bool few_used : 1;           /* in this round */
  bool used : 1, open : 1;     /* as known in this round; unknown in all rounds */
  bool passing : 1;            /* open only since the first round had lost an address (memory_lose) */
  bool represented : 1;        /* some thread without a column writes it (K5) */
  bool exact : 1;              /* the columns have all its first writers, so that others count for nothing */
  bool wanted : 1;             /* of all threads, since the value matters */
  bool parted : 1;             /* paths of a thread leave different values, in any round */
  bool turns_used : 1;         /* in this round */
};

/* The barriers of its CTA that a thread passes. A barrier orders the writes of a thread that passes it, and no writes
 * of a thread whose end lets it through (G42). */
struct passage {
  VEC(const struct wrote *) passed; /* by barrier: the last write of the path that passed it first */
  const struct wrote *end;          /* ends: of the path that ended first */
  bool ends;
  uint32_t least, most; /* ends: the numbers of barriers that paths have passed when they end */
};

struct passages {
  VEC(struct passage) list; /* by thread */
};

struct region {
  uint32_t number;  /* among all regions; of a view: that of the first one of its object */
  const char *name; /* in the test; of shared memory as a whole NULL */
  enum space space;
  uint64_t base;
  uint32_t size;   /* bytes; of a region that grows: so far */
  uint32_t most;   /* the bytes to which a region grows as threads reach them; 0: it does not grow */
  uint32_t reach;  /* the end of the bytes that threads access at known addresses */
  uint64_t beyond; /* the end of accesses that begin or end past the region and that threads make for certain; or 0 */
  uint32_t owner;  /* shared: the number of the CTA among all of the test; local: that of the thread */
  uint32_t object; /* 1 more than that of the init block of which it is a view; 0: none */
  bool view;       /* there are other views of it, which have the same number and bytes */
  const struct litmus_map *map;
  const struct litmus_value *replicas; /* of a multimem address: the names of other regions; it has no values itself */
  struct arena *arena;
  uint32_t page;              /* the bytes of each page: PAGE, or of a smaller region all of them */
  struct byte **pages;        /* those in which nothing differs from byte to byte are all one: */
  struct byte *alike;         /* the bytes that no thread has changed, of which most of a large array are */
  struct history before, now; /* of the round before this one, and of this one */
  bool followed;              /* global: it has a history, since kernels make tensor maps there, or read words that
                               * no other CTA writes */
  bool whole;                 /* some access to it is at an unknown address */
  bool lost;                  /* some write is: no byte is known from then on */
  bool given;                 /* the test or the language gives its initial values, all nonzero ones */
  bool decides;               /* values that are 0 by default decide a branch, a guard or an address */
};

/* The place to which a request writes its response. */
struct response_place {
  const struct region *region;
  uint32_t at;
};

/* A warp that allocates tensor memory of its CTA, or frees some. */
struct column_use {
  uint32_t cta, warp;
  bool frees;
};

/* Hashes of where values are loaded from. */
struct numbered_sources {
  VEC(uint64_t) list;
  struct hash_index index;
};

struct memory {
  struct arena *arena;
  struct arena *kept;        /* of the threads of this round, as they are left */
  struct arena *work;        /* of threads that have not ended */
  VEC(struct arena *) works; /* in this round */
  VEC(struct region *) regions;
  VEC(struct region *) by_base;         /* in the order of their addresses: all but local ones, */
  VEC(struct region *) locals;          /* which are here by thread; NULL: it has none */
  VEC(struct column_use) column_uses;   /* in any round */
  VEC(struct response_place) responses; /* of requests that another cluster may be canceled by; in any round */
  struct passages before, now;          /* of the round before this one, and of this one */
  uint32_t round;
  uint32_t sample, sample_ctas; /* the first threads and CTAs, whose writes to shared memory in the round before stand
                                 * for those of all others; 0: all threads were run then */
  bool sampling;                /* only these are run in this round */
  struct numbered_sources states, places; /* from which values were loaded, in any round: run_source numbers them */
  VEC(struct origin {
    uint32_t from;             /* run_source */
    uint64_t turn;             /* of run_settled; 0: none */
    uint32_t barriers;         /* those that the path had passed at the load */
    const struct drawn *drawn; /* run.h; NULL: another value */
  })
  unknowns;       /* values of this round, as leaves of terms: for each, the bytes that it was loaded from */
  uint64_t next;  /* free address of global memory */
  uint32_t draws; /* how many were noted (run.h) */
  bool narrow;    /* addresses have 32 bits */
  bool outside;   /* some thread accesses bytes outside all locations for certain */
  bool fixed;     /* all threads have run: no region grows any more */
  bool textures;  /* some thread reads a texture */
  bool anew;      /* one more region has a history, or more is needed: rounds begin again */
  bool again;     /* a value that was taken for known is not */
  bool asked;     /* a thread asked in this round what the writes before have remnant (history.c) */
  bool by_turns;  /* loops with operations on mbarrier objects are unrolled: otherwise the address of an object is lost,
                   * for example in a ring whose iterations end only by a value from memory */
  bool cautious;  /* memory without a value is taken to be 0 (G19): only threads that pass a barrier after the writer
                   * know the written value; otherwise a later round finds an early read */
};

struct region *memory_add(struct memory *memory, const char *name, enum space space, uint64_t base, uint32_t size);
/* Makes a region another view of the bytes of a first one; neither grows. */
void memory_join(struct region *first, struct region *view);
/* The local memory of a thread. */
void memory_add_local(struct memory *memory, uint32_t thread, uint32_t size);
/* A location of zeros with up to `most` bytes, of which only those cost that threads reach, and those before them. */
struct region *memory_add_large(struct memory *memory, const char *name, uint64_t base, uint32_t most);
/* The most bytes of such a location. */
uint32_t memory_largest(const struct memory *memory);
/* The bytes that a region has or may grow to. memory_at: the region that has the byte, or may grow to it; NULL: none,
 * or a local one. */
static inline uint32_t memory_room(const struct region *region) {
  return region->size > region->most ? region->size : region->most;
}
struct region *memory_at(const struct memory *memory, uint64_t address);
/* The region with the byte, for a thread of this CTA and number; NULL: none. */
struct region *memory_find(struct memory *memory, uint64_t address, uint32_t cta, uint32_t thread);
/* True if the region has the bytes; it may grow to them. */
bool memory_holds(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes);
/* Notes an access to bytes that are not in one region, in the location before them. */
void memory_note_beyond(struct memory *memory, uint64_t address, uint32_t bytes);
/* The region of a location; NULL: none. */
struct region *memory_named(const struct memory *memory, const char *name);
static inline const struct byte *memory_byte(const struct region *region, uint32_t at) {
  return &region->pages[at / PAGE][at % PAGE];
}
/* The byte, to be changed apart from those that were like it. */
struct byte *memory_own(struct region *region, uint32_t at);
/* The pages of a region, and at the end what all other bytes are like; NULL: one of these. */
static inline uint32_t memory_pages(const struct region *region) { return (region->size + PAGE - 1) / PAGE; }
static inline struct byte *memory_page(const struct region *region, uint32_t number) {
  if (number == memory_pages(region)) return region->alike;
  return region->pages[number] == region->alike ? NULL : region->pages[number];
}
/* Changes every byte of a region. */
#define EACH_BYTE(b, region)                                                                                           \
  for (uint32_t b##_page = 0; b##_page <= memory_pages(region); b##_page++)                                            \
    for (struct byte *b##_first = memory_page(region, b##_page), *b = b##_first; b && b < b##_first + (region)->page;  \
         b++)

/* All initial values are 0. */
void memory_clear(struct region *region);
/* The initial value of bytes. */
void memory_set(struct region *region, uint32_t at, value_t value, uint32_t bytes);
/* A new round: memory found to be open stays open. */
void memory_begin(struct memory *memory);
/* After a round: true if it found the values that it assumed. */
bool memory_settled(const struct memory *memory);

/* A thread that has passed `epoch` barriers of its CTA reads, or writes, bytes. The write of a thread that passes no
 * later barrier has the epoch NO_EPOCH. */
enum { NO_EPOCH = UINT16_MAX };
enum cell memory_read(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, uint32_t epoch,
                      value_t *value);
/* A byte may have any value, in all rounds. */
void memory_open(struct region *region, uint32_t at);
/* The values that open bytes may have. False: they are not few. */
bool memory_few(struct region *region, uint32_t at, uint32_t bytes, struct few *out);
void memory_write(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, uint32_t epoch,
                  const value_t *value);
/* Handles a write to an unknown address of the region: no byte of it is known for the rest of this round. */
void memory_lose(struct memory *memory, struct region *region);

/* Handles a lost address of an mbarrier object: another round unrolls loops. */
void memory_by_turns(struct memory *memory);

/* Lets the next round assume of shared memory what these first threads and CTAs have settled. */
void memory_copy_sample(struct memory *memory, uint32_t threads, uint32_t ctas);

/* Follows the writes to a region of global memory from now on: it has a history. */
void memory_follow(struct memory *memory, struct region *region);

/* Notes that a warp allocates or frees. True if another one of the CTA allocates, or with `freed` frees: then the order
 * of warps decides about columns. */
bool memory_shares_columns(struct memory *memory, struct column_use own, bool freed);

/* history.c, history_has: true if the region has a history. history_begin: begins a round. history_settled: true if the
 * writes of the round are those that it assumed. */
bool history_has(const struct region *region);
/* Lets a region of global memory have a history for this read, if only threads of its CTA write these bytes. */
void history_want(struct memory *memory, const struct wrote *read);
void history_begin(struct region *region);
/* The region whose writes of the round before its readers assume (memory.sample). */
const struct region *history_model(const struct memory *memory, const struct region *region);
bool history_settled(const struct memory *memory, const struct region *region);
/* Records a write. Returns the last write of the path of its thread, `wrote.before` if the region has no history. */
const struct wrote *history_note(struct memory *memory, struct wrote wrote);
/* A path of a thread, given by its last write, passes a barrier of the CTA after `epoch` others, or ends. */
void history_pass(struct memory *memory, uint32_t thread, uint32_t epoch, const struct wrote *last);
void history_end(struct memory *memory, uint32_t thread, uint32_t epoch, const struct wrote *last);
/* True if a thread may end without another barrier once it has passed `epoch` of them. */
bool history_may_end(const struct memory *memory, uint32_t thread, uint32_t epoch);
/* history_turn_write: a write after so many barriers (counts.h). history_turn_read: true if all writes to these bytes
 * are after other numbers of barriers than a read: what it finds depends on the number alone. */
void history_turn_write(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, uint64_t counts);
bool history_turn_read(struct memory *memory, struct region *region, uint32_t at, uint32_t bytes, uint64_t counts);
/* history_turn: begins a round. history_kept: true if the ends of threads are those that the round assumed. */
void history_turn(struct memory *memory);
bool history_kept(const struct memory *memory);
/* Handles a write to an unknown address of the region. */
void history_lose(struct memory *memory, struct region *region);
/* The one value that barriers and program order leave a read. */
bool history_recall(struct memory *memory, const struct wrote *read, value_t *value);
/* The state of its bytes that barriers and program order leave a read, as a hash: all threads of the CTA that read
 * this state find the same value. 0: they leave several, or none was written. */
uint64_t history_state(struct memory *memory, const struct wrote *read);
/* Two paths of a thread, given by their last writes, come together. `uneven`: they passed different numbers of
 * barriers. */
void history_join(struct memory *memory, const struct wrote *a, const struct wrote *b, bool uneven);
