/* Follows the threads of a kernel on the constants that they begin with, before any thread runs: which CTAs do the same
 * (twins.c). Values of memory that some thread writes are unknown here, so that both ways of a branch on them are
 * followed. Threads of one number in several clusters are followed together, as lanes, until a branch or a guard parts
 * them: what has one value in all of them is computed once. Private to src/kernel. */
#pragma once

#include "kernel/launch.h"

enum {
  MOST_STATES = 256,    /* of a thread at branches on unknown values */
  MOST_TRIES = 16,      /* times that all threads are followed */
  MOST_TERMS = 4096,    /* of a formula */
  MOST_UNITS = 1 << 26, /* of a location */
  WORD = 4,             /* bytes whose owner is found together */
  FEWEST = 2,           /* clusters of a grid that is worth it */
  LANES = 32,           /* clusters that are followed together */
  ASYNC_WIDTH = 16,     /* an element of a reduction in bulk counts as so many bytes: its width is no atomic's */
};
#define MOST_WORK ((uint64_t)1 << 34) /* instructions of all threads */

/* A register: its value, with the sign of the instruction's type extended to 128 bits. */
struct follow_reg {
  value_t bits;    /* of all lanes, unless it varies: follow_path.lanes */
  uint32_t thread; /* that has set it; of another one it has the value 0 */
  bool unknown, varies;
  const struct region *region; /* unknown: the only location to which a constant in the sum points; or NULL */
};

/* The value of a term: at[0], or if it varies by lane at[lane]. */
struct follow_value {
  const value_t *at;
  bool varies;
};

/* The registers of an instruction, without its guard; and of arithmetic the results as terms over those that it reads:
 * their numbers are the events of leaves. */
struct follow_formula {
  bool gives;                                            /* some result is wanted */
  uint32_t reads, writes, end;                           /* among `registers` */
  enum { FORMULA_NEW, FORMULA_TERMS, FORMULA_SLOW } how; /* FORMULA_SLOW: only of constants */
  uint32_t first, count;                                 /* among `terms` */
  struct {
    uint32_t term;
    bool is_signed;
  } results[MAX_VECTOR];
};

/* Marks in the hash of a cluster. */
enum { MARK_OUTSIDE = 1, MARK_OPEN, MARK_PERHAPS, MARK_SEEN, MARK_END };

enum { OWNER_NONE, OWNER_MANY = UINT32_MAX };

/* The accesses of clusters to a location. A CTA without a cluster counts as one. */
struct footprint {
  uint32_t unit;             /* bytes of which one cluster is the owner */
  uint32_t *owner;           /* by unit: 1 more than the cluster that writes there; OWNER_MANY: atomics of several do */
  uint8_t *width;            /* by unit: of the atomics, if nothing else writes there; else 0 */
  uint32_t count;            /* of these arrays */
  bool reads, writes, plain; /* some thread does; plain: with more than atomics that meet */
  bool reads_any;            /* at an unknown place */
  bool any;                  /* atomics do at unknown places */
  uint8_t widths;            /* of all atomics that meet: a power of two each */
  bool used;                 /* a value decides something that is known if nothing writes the location, */
  bool varies;               /* which something does */
  bool absolute;             /* places count from the begin of the location, since atomics of several clusters meet */
  uint64_t first[LANES];     /* by lane: the first place that its cluster accesses, */
  uint32_t of[LANES];        /* if this is 1 more than the number of the cluster */
};

/* A visit of lanes to a branch on an unknown value: a hash of the values in registers that matter. */
struct follow_visit {
  uint64_t state;
  uint32_t active;
};

/* A way that lanes follow, or will. */
struct follow_path {
  uint32_t at, steps;
  uint32_t active; /* the lanes */
  bool certain;    /* no branch on an unknown value so far */
  struct follow_reg *regs;
  value_t *lanes; /* by register and lane */
};

struct follow {
  struct launching *launch;
  struct kernel_run *run;
  const struct body *body;
  struct arena *arena;
  struct runner *runner; /* executes arithmetic on constants */
  struct follow_formula *formulas;
  VEC(uint32_t) registers;
  VEC(struct term) terms;
  struct follow_value *values; /* of the terms of one formula, */
  value_t *space;              /* which are here, by term and lane, unless they are elsewhere */
  struct footprint *footprints;
  uint32_t lane;           /* the present one */
  uint32_t first, cluster; /* the numbers of the clusters of lane 0 and of the present lane */
  uint32_t rank, size;     /* of the CTA in its cluster; the CTAs of one */
  uint32_t stamp;
  uint64_t hashes[LANES]; /* by lane: of all that the cluster has done so far */
  uint64_t work;          /* instructions so far, of all CTAs */
  struct follow_path path;
  VEC(struct follow_path) ways;  /* to be followed */
  VEC(struct follow_path) spare; /* that were followed */
  VEC(struct follow_visit) visits;
  bool shares; /* atomics of several clusters meet */
  bool owners; /* the owners are final: reads are compared with them */
  bool again;  /* an assumption was wrong: all threads are followed again */
  bool failed; /* nothing is left out */
};

/* Makes a lane the present one. */
static inline void follow_turn_to(struct follow *f, uint32_t lane) {
  struct runner *r = f->runner;
  f->lane = lane;
  f->cluster = f->first + lane;
  r->cluster_first = f->cluster * f->size;
  r->cta = r->block = r->cluster_first + f->rank;
}

/* `EACH_LANE (f) statement`: for each lane on this path, as the present one. */
#define EACH_LANE(f)                                                                                                   \
  for (uint32_t left = (f)->path.active; left && (follow_turn_to(f, (uint32_t)__builtin_ctz(left)), true);             \
       left &= left - 1)

static inline uint32_t follow_first_lane(const struct follow *f) { return (uint32_t)__builtin_ctz(f->path.active); }

static inline uint32_t follow_end_lane(const struct follow *f) { return 32 - (uint32_t)__builtin_clz(f->path.active); }

static inline void follow_mix(struct follow *f, uint64_t part) {
  f->hashes[f->lane] = hash_mix(f->hashes[f->lane], part);
}

static inline void follow_mix_wide(struct follow *f, value_t bits) {
  follow_mix(f, (uint64_t)bits);
  if (bits >> 64) follow_mix(f, (uint64_t)(bits >> 64));
}

/* ---- registers */

static inline struct follow_reg *follow_reg(struct follow *f, uint32_t reg) {
  struct follow_reg *k = &f->path.regs[reg];
  if (k->thread != f->stamp) *k = (struct follow_reg){.thread = f->stamp};
  return k;
}

/* The value of a known register in the present lane. */
static inline value_t follow_bits(struct follow *f, uint32_t reg) {
  const struct follow_reg *k = follow_reg(f, reg);
  return k->varies ? f->path.lanes[reg * LANES + f->lane] : k->bits;
}

static inline bool follow_wants(const struct follow *f, uint32_t reg) {
  return reg != NO_REG && bitset_has(f->body->wanted, reg);
}

static inline value_t extended(value_t bits, unsigned width, bool is_signed) {
  bits &= value_mask(width);
  bool below = is_signed && width < 128 && bits >> (width - 1) & 1;
  return below ? bits | ~value_mask(width) : bits;
}

enum holds { HOLDS_NOT, HOLDS, HOLDS_PERHAPS };

/* Lanes on one path agree. */
static inline enum holds guard_of(struct follow *f, const struct instr *in) {
  if (!in->guard.present) return HOLDS;
  if (follow_reg(f, in->guard.reg)->unknown) return HOLDS_PERHAPS;
  f->lane = follow_first_lane(f);
  return (bool)(follow_bits(f, in->guard.reg) & 1) != in->guard.negated ? HOLDS : HOLDS_NOT;
}

/* A value that must be equal in twins, or the same place in the cluster. */
static inline void follow_mix_value(struct follow *f, value_t bits) {
  const uint64_t own = PEERS_BASE + (uint64_t)f->cluster * f->size * SHARED_WINDOW;
  const bool inside = bits >> 64 == 0 && (uint64_t)bits - own < f->size * SHARED_WINDOW;
  follow_mix_wide(f, inside ? bits - own + PEERS_BASE : bits);
}

/* footprints.c, follow_at: an access to so many bytes at an address. Returns the location or parameter; NULL: shared or
 * local memory, or none. follow_any: one at an unknown place, of this location, NULL: of any but shared or local
 * memory. `width`: of an atomic that is morally strong with all others and whose result decides nothing; else 0. */
struct region *follow_at(struct follow *f, uint64_t address, uint32_t bytes, bool writes, uint8_t width);
void follow_any(struct follow *f, const struct region *region, enum space space, bool writes, uint8_t width);
/* footprints.c, follow_first: the value of bytes of a parameter, of constant memory, or of a location that nothing
 * writes. False: it is unknown. follow_refuse_given: CTAs are no twins if initial values may differ. */
bool follow_first(struct follow *f, const struct region *region, uint64_t address, uint32_t bytes, value_t *out);
void follow_refuse_given(struct follow *f, const struct region *region);
/* footprints.c, footprints_begin: nothing is known of what CTAs do, but what earlier tries found. footprints_apart:
 * true if they meet nowhere, as far as is known; *both: only if reads do not meet writes (follow.owners). */
void footprints_begin(struct follow *f);
bool footprints_apart(struct follow *f, bool *both);

/* follow_values.c, follow_registers: finds the registers of an instruction. follow_put: an instruction that may be
 * executed writes values, one in each lane that knows it, or the `same` in all these. follow_put_unknown: it writes an
 * unknown value, of an address in `region`. follow_unknown: all its results are unknown. follow_compute: executes
 * arithmetic. */
void follow_registers(struct follow *f, const struct instr *in, struct follow_formula *formula);
void follow_put(struct follow *f, uint32_t reg, enum holds holds, const value_t *bits, uint32_t known, bool same);
void follow_put_unknown(struct follow *f, uint32_t reg, enum holds holds, const struct region *region);
void follow_unknown(struct follow *f, uint32_t index, enum holds holds);
void follow_compute(struct follow *f, uint32_t index, enum holds holds);
/* follow_values.c: gives the runner the values that an instruction reads in this lane. False: its guard is one. */
bool follow_give(struct follow *f, uint32_t index);
#define EACH_OPERAND(reg, f, formula)                                                                                  \
  ARRAY_EACH (reg, (f)->registers.data + (formula)->reads, (formula)->writes - (formula)->reads)
#define EACH_RESULT(reg, f, formula)                                                                                   \
  ARRAY_EACH (reg, (f)->registers.data + (formula)->writes, (formula)->end - (formula)->writes)

/* follow.c, follow_knows: true of an instruction whose effect is known here. follow_execute: executes it, other than a
 * jump. */
bool follow_knows(const struct instr *in);
void follow_execute(struct follow *f, uint32_t index);
/* twins.c, follow_agree: if the guard of an instruction holds in some lanes only, the others follow their path later.
 */
void follow_agree(struct follow *f, uint32_t index);
