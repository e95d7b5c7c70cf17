/* Follows the threads of a kernel on the constants that they begin with, before any thread runs: which CTAs do the same
 * (twins.c). Values of memory that some thread writes are unknown here, so that both ways of a branch on them are
 * followed. Private to src/kernel. */
#pragma once

#include "base/hash.h"
#include "kernel/launch.h"

enum {
  MOST_STATES = 256,     /* of a thread at branches on unknown values */
  MOST_TRIES = 16,       /* times that all threads are followed */
  MOST_TERMS = 4096,     /* of a formula */
  MOST_UNITS = 1 << 26,  /* of a location */
  WORD = 4,              /* bytes whose owner is found together */
  FEWEST = 2,            /* clusters of a grid that is worth it */
  MOST_WORK = INT32_MAX, /* instructions of all threads */
};

/* A register: its value, with the sign of the instruction's type extended to 128 bits. */
struct follow_reg {
  value_t bits;
  uint32_t thread; /* that has set it; of another one it has the value 0 */
  bool unknown;
  const struct region *region; /* unknown: the only location to which a constant in the sum points; or NULL */
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
  uint64_t first;            /* the first place that the present cluster accesses, */
  uint32_t of;               /* if this is 1 more than its number */
};

struct follow_path {
  uint32_t at, steps;
  struct follow_reg *regs;
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
  value_t *values; /* of the terms of one formula */
  struct footprint *footprints;
  struct follow_reg *regs;
  uint32_t cta, thread, stamp;
  uint32_t cluster, size; /* the number of its cluster; the CTAs of one */
  uint64_t hash;          /* of all that the cluster has done so far */
  uint64_t work;          /* instructions so far, of all CTAs */
  VEC(struct follow_path) ways;
  VEC(struct follow_reg *) spare; /* registers of ways that were followed */
  VEC(uint64_t) states;
  bool certain; /* no branch on an unknown value so far */
  bool shares;  /* atomics of several clusters meet */
  bool owners;  /* the owners are final: reads are compared with them */
  bool again;   /* an assumption was wrong: all threads are followed again */
  bool failed;  /* nothing is left out */
};

static inline void follow_mix(struct follow *f, uint64_t part) { f->hash = hash_mix(f->hash, part); }

static inline void follow_mix_wide(struct follow *f, value_t bits) {
  follow_mix(f, (uint64_t)bits);
  follow_mix(f, (uint64_t)(bits >> 64));
}

/* ---- registers */

static inline struct follow_reg *follow_reg(struct follow *f, uint32_t reg) {
  struct follow_reg *k = &f->regs[reg];
  if (k->thread != f->stamp) *k = (struct follow_reg){.thread = f->stamp};
  return k;
}

static inline bool follow_wants(const struct follow *f, uint32_t reg) {
  return reg != NO_REG && bitset_has(f->body->wanted, reg);
}

static inline void set_known(struct follow *f, uint32_t reg, value_t bits) {
  f->regs[reg] = (struct follow_reg){.bits = bits, .thread = f->stamp};
}

static inline void set_unknown(struct follow *f, uint32_t reg, const struct region *region) {
  f->regs[reg] = (struct follow_reg){.thread = f->stamp, .unknown = true, .region = region};
}

static inline value_t extended(value_t bits, unsigned width, bool is_signed) {
  bits &= value_mask(width);
  bool below = is_signed && width < 128 && bits >> (width - 1) & 1;
  return below ? bits | ~value_mask(width) : bits;
}

enum holds { HOLDS_NOT, HOLDS, HOLDS_PERHAPS };

static inline enum holds guard_of(struct follow *f, const struct instr *in) {
  if (!in->guard.present) return HOLDS;
  const struct follow_reg *k = follow_reg(f, in->guard.reg);
  if (k->unknown) return HOLDS_PERHAPS;
  return (bool)(k->bits & 1) != in->guard.negated ? HOLDS : HOLDS_NOT;
}

/* A value that must be equal in twins, or the same place in the cluster. */
static inline void follow_mix_value(struct follow *f, value_t bits) {
  const value_t own = PEERS_BASE + (value_t)f->cluster * f->size * SHARED_WINDOW;
  const bool inside = bits >= own && bits < own + f->size * SHARED_WINDOW;
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
 * executed writes a value; NULL: an unknown one, of an address in `region`. follow_unknown: all its results are
 * unknown. follow_compute: executes arithmetic. */
void follow_registers(struct follow *f, const struct instr *in, struct follow_formula *formula);
void follow_put(struct follow *f, uint32_t reg, enum holds holds, const value_t *bits, const struct region *region);
void follow_unknown(struct follow *f, uint32_t index, enum holds holds);
void follow_compute(struct follow *f, uint32_t index, enum holds holds);
/* follow_values.c: gives the runner the values of the registers that an instruction reads. False: its guard is one. */
bool follow_give(struct follow *f, uint32_t index);
#define EACH_OPERAND(reg, f, formula)                                                                                  \
  ARRAY_EACH (reg, (f)->registers.data + (formula)->reads, (formula)->writes - (formula)->reads)
#define EACH_RESULT(reg, f, formula)                                                                                   \
  ARRAY_EACH (reg, (f)->registers.data + (formula)->writes, (formula)->end - (formula)->writes)

/* follow.c, follow_knows: true of an instruction whose effect is known here. follow_execute: executes it, other than a
 * jump. */
bool follow_knows(const struct instr *in);
void follow_execute(struct follow *f, uint32_t index);
