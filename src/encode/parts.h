/* Functions that the files of the encoder call in each other. Users of the encoder include encode.h. */
#pragma once

#include "encode/encode.h"

static inline const struct event *encode_event(const struct encoder *encoder, uint32_t event) {
  return skeleton_event(encoder->skeleton, event);
}

/* A literal: the event `through` happens, given that a and b do. */
static inline lit encode_happens(const struct encoder *encoder, uint32_t a, uint32_t through, uint32_t b) {
  struct bitmat implies = encoder->skeleton->implies;
  return bitmat_has(implies, a, through) || bitmat_has(implies, b, through) ? LIT_TRUE : encoder->exec[through];
}

void encode_program(struct encoder *encoder);  /* program.c */
void encode_barriers(struct encoder *encoder); /* barrier.c; after the values */
/* Notes undefined behaviour if the literal holds, with the events concerned. */
void encode_misuse(struct encoder *encoder, lit when, enum reason_id why, uint32_t a, uint32_t b);
/* A literal: both arrivals are in one phase of one barrier, given that both happen. */
lit encode_share(struct encoder *encoder, uint32_t arrival_a, uint32_t arrival_b, unsigned need);
/* phase-order, given that both happen. */
lit encode_phase_order(struct encoder *encoder, uint32_t a, uint32_t b, unsigned need);

/* A word whose value is in both sets (`also` NULL: any value); bits that are the same in all values are constants. */
struct word encode_free_word(struct encoder *encoder, const struct value_set *set, const struct value_set *also,
                             unsigned width);
/* Adds clauses. encode_equate: under the conditions, the two words are equal. encode_same_bits: if `when` holds, the
 * two writes write the same to the chunk. encode_at_most_one: at most one of the literals holds. */
void encode_equate(struct encoder *encoder, const lit conditions[3], struct word a, struct word b);
void encode_same_bits(struct encoder *encoder, lit when, uint32_t chunk, uint32_t write_a, uint32_t write_b);
void encode_at_most_one(struct encoder *encoder, const lit *lits, uint32_t count);

/* A literal: the event happens and accesses the chunk. */
lit encode_covers(struct encoder *encoder, uint32_t event, uint32_t chunk);

/* The literal of "a is before b in coherence" of two writes of threads. */
static inline lit *encode_order(const struct encoder *encoder, uint32_t a, uint32_t b) {
  return &encoder->order[(size_t)encoder->writer_index[a] * encoder->writer_count + encoder->writer_index[b]];
}

/* whole.c: no access is torn (after rf and coherence); no final state is torn (after final memory). */
void encode_whole_reads(struct encoder *encoder);
void encode_whole_ends(struct encoder *encoder);

/* mbarrier.c, after the values. Literals for pairs of mo, phase and next-phase, and for "the test fails for ever";
 * encode_read_turns reads the order of the steps in a solution. */
void encode_mbarriers(struct encoder *encoder);
lit encode_mo(struct encoder *encoder, uint32_t a, uint32_t b, unsigned need);
lit encode_phase(struct encoder *encoder, uint32_t signal, uint32_t test, unsigned need);
lit encode_next_phase(struct encoder *encoder, uint32_t a, uint32_t b, unsigned need);
lit encode_test_fails_at_last(struct encoder *encoder, uint32_t test);
void encode_read_turns(const struct encoder *encoder, uint32_t *turn);

/* sums.c. Amounts that count if their literals hold, and a fixed one that always counts. */
struct sum {
  VEC(lit) lits;
  VEC(uint32_t) amounts;
  uint32_t fixed;
};

enum { SUM_WIDTH = 32 };

/* Two sums, in units of the greatest common divisor of their amounts; small sums in unary. */
struct balance {
  struct word gain, loss;
};

void encode_sum_add(struct encoder *e, struct sum *sum, lit holds, uint32_t amount);
/* The sum as a word, in units of which all amounts must be multiples; two such words added. */
struct word encode_sum_up(struct encoder *e, const struct sum *sum, uint32_t unit);
struct word encode_sum_plus(struct encoder *e, struct word a, struct word b);
/* Two sums as words to compare; a literal for their equality. Both first cancel amounts common to the sums. */
struct balance encode_weigh(struct encoder *e, struct sum *gain, struct sum *loss);
lit encode_sums_equal(struct encoder *e, struct sum *gain, struct sum *loss);

static inline bool encode_does(const struct encoder *e, enum technique technique) {
  return technique_on(e->skeleton->options.shape.without, technique);
}

/* waited_groups.c: a literal for "the wait waits for the group of the access". */
lit encode_waited(struct encoder *encoder, uint32_t access, uint32_t wait);

/* fences.c, before the axioms. encode_fence_order: a literal for the order of two fences; encode_fence_cycles: no cycle
 * among the pairs requested so far; encode_read_fences: the order in a solution. */
void encode_fences(struct encoder *encoder);
lit encode_fence_order(struct encoder *encoder, uint32_t a, uint32_t b);
void encode_fence_cycles(struct encoder *encoder);
void encode_read_fences(const struct encoder *encoder, struct bitmat sc);

/* Literals. encode_builtin (program.c): a pair of a predefined relation that depends on the execution. encode_member
 * (relation.c): an event is in a set. encode_memo_init (relation.c) makes the table of all literals made. encode_test
 * (axiom.c): encoder_test without encoder_define_pairs. */
lit encode_builtin(struct encoder *encoder, enum cat_builtin relation, uint32_t a, uint32_t b, unsigned need);
lit encode_member(struct encoder *encoder, cat_node set, uint32_t event, unsigned need);
void encode_memo_init(struct encoder *encoder);
lit encode_test(struct encoder *encoder, uint32_t axiom, bool holds);

/* relation.c: the first event from `from` on to which `a` may lead by the first node and which may lead to `c` by the
 * second; the number of events if there is none. */
uint32_t encode_between(struct encoder *encoder, cat_node first, uint32_t a, cat_node second, uint32_t c,
                        uint32_t from);
#define ENCODE_BETWEEN(b, encoder, first, a, second, c)                                                                \
  for (uint32_t b = encode_between(encoder, first, a, second, c, 0); b < (encoder)->skeleton->n;                       \
       b = encode_between(encoder, first, a, second, c, b + 1))

/* cycle.c: unless `off`, the edges (m * m literals, row after row; overwritten) have no cycle. */
void encode_no_cycle(struct encoder *encoder, lit *edges, uint32_t m, lit off);

/* counting.c. encode_find_chains, before the program: finds the locations whose writes are chains. encode_chains,
 * before the axioms: positions in coherence. */
void encode_find_chains(struct encoder *encoder);
void encode_chains(struct encoder *encoder);
/* encode_in_fixed_chain: true if the write belongs to a chain in every execution. encode_chain_values: the values that
 * a read of such a chain can return, or NULL. encode_excludes_back: true if an axiom, noted in `needs`, alone rules out
 * that write b is before write a. encode_follow: the value of a term if the leaf has `value` (NULL: any); false if the
 * leaf does not determine it. */
bool encode_in_fixed_chain(const struct encoder *encoder, uint32_t write);
const struct value_set *encode_chain_values(const struct encoder *encoder, uint32_t read);
bool encode_excludes_back(struct encoder *encoder, uint32_t a, uint32_t b, bool *needs);
bool encode_follow(const struct terms *terms, term_id term, term_id leaf, const value_t *value, value_t *out);

/* along.c. encode_along_chains: ties a closure's pair (a, b) to the order of a chain, and to pairs for other atomics of
 * the chain. encode_step_along: the same for the pair of a composition of two relations. */
void encode_along_chains(struct encoder *encoder, cat_node closure, uint32_t a, uint32_t b);
void encode_step_along(struct encoder *encoder, cat_node first, cat_node second, uint32_t a, uint32_t b, lit pair);

/* sections.c: the order of the writes of a chain that exists in every execution; after the events, before coherence. */
void encode_section_order(struct encoder *encoder, struct chain *chain);

/* relation.c: the literal of a closure's pair if there is one, else 0. */
lit encode_known_pair(const struct encoder *encoder, cat_node closure, uint32_t a, uint32_t b);

/* unfold.c: encode_exact: a node that is exactly this closure or recursive variable (CAT_NO_NODE: refused).
 * encode_closure: a node that is exactly the closure of a relation. */
cat_node encode_exact(struct encoder *encoder, cat_node node);
cat_node encode_closure(struct encoder *encoder, cat_node relation);
