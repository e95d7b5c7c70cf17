/* Symbolic values: a register or a written value as a function of the values that reads return.
 *
 * Terms are hash-consed and folded: `x xor x` is the constant 0, so that an address computed from a read without really
 * depending on it is still a known address. (Syntactic dependencies are kept apart, by the skeleton.) An operand has a
 * smaller index than the term that uses it.
 */
#pragma once

#include "base/hash.h"
#include "base/vec.h"

typedef uint32_t term_id;

enum term_op {
  TERM_CONST,   /* constant; the leaves come first */
  TERM_READ,    /* the value returned by read event `event` */
  TERM_PASS,    /* wait event `event` passes: its barrier phase completes (width 1) */
  TERM_REDUCE,  /* the result of bar.red at wait event `event` */
  TERM_LANE,    /* the value of lane `constant` in the exchange at wait event `event`; 0: the lane does not arrive */
  TERM_PENDING, /* the number of pending arrivals just before the arrival at event `event` (width 32) */
  TERM_FREE,    /* any value: the one that `event` numbers (exec/free.c) */
  TERM_GO,      /* the scheduler continues a thread at point `event`, at which it may stop it; or a free choice (width
                   1) */
  TERM_ADD,
  TERM_SUB,
  TERM_MUL, /* modulo the width, as ADD and SUB */
  TERM_AND,
  TERM_OR,
  TERM_XOR,
  TERM_NOT,
  TERM_SHL, /* b is the distance; distances past the width give 0 */
  TERM_SHR,
  TERM_SAR, /* arithmetic: distances past the width give the sign */
  TERM_POPC,
  TERM_EQ, /* the comparisons have width 1 */
  TERM_ULT,
  TERM_SLT,
  TERM_ITE,   /* a ? b : c, a of width 1 */
  TERM_ZEXT,  /* a extended with zeros, or cut, to the width */
  TERM_SEXT,  /* a extended with its sign to the width */
};

struct term {
  enum term_op op;
  uint8_t width; /* 1..128 bits */
  term_id a, b, c;
  uint32_t event;
  value_t constant;
};

enum { TERM_FALSE = 0, TERM_TRUE = 1 }; /* the constants 0 and 1 of width 1, in every table */

struct terms {
  struct arena *arena;
  VEC(struct term) list;
  struct hash_index index; /* of the list */
  bool apart;              /* equal terms are not one: for a table of constants, which are folded anyway */
  struct float_results *floats; /* the results of operations on constants (float.c); NULL: none yet */
};

void terms_init(struct terms *terms, struct arena *arena);
/* Forgets all terms but the first ones, of this number. */
void terms_forget(struct terms *terms, uint32_t count);
term_id term_const(struct terms *terms, value_t value, unsigned width);
/* A leaf for a value that the execution determines: TERM_READ, TERM_PASS, TERM_REDUCE, TERM_PENDING or TERM_GO. */
term_id term_leaf(struct terms *terms, enum term_op op, uint32_t event, unsigned width);
term_id term_lane(struct terms *terms, uint32_t event, uint32_t thread, unsigned width);

/* True if a term has no operands. */
static inline bool term_op_is_leaf(enum term_op op) { return op <= TERM_GO; }
static inline bool term_op_is_unary(enum term_op op) {
  return op == TERM_NOT || op == TERM_POPC || op == TERM_ZEXT || op == TERM_SEXT;
}
/* The operands of a term, in order; at most three. Returns their number. */
unsigned term_operands(const struct terms *terms, term_id id, term_id operands[3]);

/* Operands of ADD..XOR, EQ..SLT have equal widths; the result has that width, or 1 for comparisons. */
term_id term_binary(struct terms *terms, enum term_op op, term_id a, term_id b);
static inline term_id term_and(struct terms *terms, term_id a, term_id b) { return term_binary(terms, TERM_AND, a, b); }
static inline term_id term_or(struct terms *terms, term_id a, term_id b) { return term_binary(terms, TERM_OR, a, b); }
static inline term_id term_eq(struct terms *terms, term_id a, term_id b) { return term_binary(terms, TERM_EQ, a, b); }
term_id term_not(struct terms *terms, term_id a);
term_id term_ite(struct terms *terms, term_id condition, term_id yes, term_id no);
/* The operand at another width, longer or shorter. */
term_id term_resize(struct terms *terms, term_id a, unsigned width, bool is_signed);
/* The number of ones, 32 bits wide. */
term_id term_popc(struct terms *terms, term_id a);

/* The value of the term if others have these values; false if a few steps do not determine it. */
struct supposed {
  term_id term;
  value_t value;
};
bool term_follow(const struct terms *terms, term_id id, const struct supposed *given, size_t count, value_t *out);

/* Adds the subterms of its members to a set of terms below `size`: operands have smaller numbers. */
void term_close(const struct terms *terms, bool *set, term_id size);

/* For each term, the term with leaves replaced (`instead`: by term; 0: not replaced), also in the replacements. Terms
 * nested too deeply stay as they are. */
term_id *term_replace(struct terms *terms, const term_id *instead);

/* The term with a leaf replaced by another term of the same width. */
term_id term_substitute(struct terms *terms, term_id term, term_id leaf, term_id value);

static inline const struct term *term_get(const struct terms *terms, term_id id) { return &terms->list.data[id]; }
static inline bool term_is_const(const struct terms *terms, term_id id) {
  return terms->list.data[id].op == TERM_CONST;
}

/* One operator on known operands: the single definition of the meaning of each. */
value_t term_apply(const struct term *term, value_t a, unsigned a_width, value_t b, value_t c);

/* Adds the term as text, such as "(r3 + 1)"; read events are named by their number. */
struct text;
void term_print(const struct terms *terms, term_id id, struct text *out);
