/* Boolean gates over the solver: constants fold, equal gates are shared, and only the half of a definition that is
 * needed becomes clauses.
 *
 * A gate literal g stands for a formula. NEED_IF asks for "formula implies g" (enough if g occurs under a negation, as
 * in an axiom that forbids it), NEED_ONLY_IF for "g implies formula" (enough if g is asserted). A literal may be used
 * only in a requested direction, and its operands must have been requested in the same direction. */
#pragma once

#include "base/hash.h"
#include "base/vec.h"
#include "sat/sat.h"

enum { NEED_IF = 1, NEED_ONLY_IF = 2, NEED_BOTH = 3 };

/* The need of x if `need` is that of not x. */
static inline unsigned need_flip(unsigned need) { return (need & 1) << 1 | (need & 2) >> 1; }

enum gate_kind { GATE_AND, GATE_OR_OF_ANDS, GATE_XOR, GATE_ITE };

struct gate {
  enum gate_kind kind;
  uint8_t emitted; /* the NEED_ halves that are clauses already */
  lit out;
  uint32_t first, count; /* operands in gates.operands */
};

struct gates {
  struct arena *arena;
  struct sat *sat;
  VEC(struct gate) list;
  VEC(lit) operands;
  struct hash_index index; /* of the list */
  VEC(lit) scratch;
};

void gates_init(struct gates *gates, struct arena *arena, struct sat *sat);
lit gates_and(struct gates *gates, const lit *lits, size_t count, unsigned need);
lit gates_or(struct gates *gates, const lit *lits, size_t count, unsigned need);
lit gates_and2(struct gates *gates, lit a, lit b, unsigned need);
lit gates_or2(struct gates *gates, lit a, lit b, unsigned need);
/* The or of three-way ands. If only "formula implies g" is needed, each and is a clause without a gate. */
struct three {
  lit lits[3];
};
lit gates_or_of_ands(struct gates *gates, const struct three *ands, size_t count, unsigned need);
/* gates_xor and gates_ite always define both halves. */
lit gates_xor(struct gates *gates, lit a, lit b);
lit gates_ite(struct gates *gates, lit condition, lit yes, lit no);
