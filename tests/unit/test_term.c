/* On which reads a term depends (docs/semantics.md P10): each case by hand. */

#include "unit.h"

#include "term/depend.h"
#include "term/float.h"

enum { EFFORT = 20000 };

struct fixture {
  struct terms terms;
  term_id r, s; /* the values of two reads, events 0 and 1 */
};

static int set_up(void **state) {
  static struct fixture fixture;
  open_arena(state);
  terms_init(&fixture.terms, &arena);
  fixture.r = term_leaf(&fixture.terms, TERM_READ, 0, 32);
  fixture.s = term_leaf(&fixture.terms, TERM_READ, 1, 32);
  *state = &fixture;
  return 0;
}

static term_id number(struct fixture *f, value_t value) { return term_const(&f->terms, value, 32); }

static term_id binary(struct fixture *f, enum term_op op, term_id a, term_id b) {
  return term_binary(&f->terms, op, a, b);
}

/* The reads on which the term depends: bit 0 for r, bit 1 for s. */
static unsigned reads_of(struct fixture *f, term_id term) {
  bool undecided = false;
  struct bitset events = bitset_new(&arena, 2);
  term_reduce(&f->terms, &term, 1, EFFORT, &undecided);
  term_mentions(&f->terms, term, events);
  assert_false(undecided);
  return (unsigned)bitset_has(events, 0) | (unsigned)bitset_has(events, 1) << 1;
}

TEST(mention_is_not_enough) {
  struct fixture *f = *state;
  term_id one = number(f, 1), five = number(f, 5);
  assert_int_equal(0, reads_of(f, binary(f, TERM_AND, binary(f, TERM_SHL, f->r, one), one)));
  assert_int_equal(0, reads_of(f, binary(f, TERM_SHR, binary(f, TERM_AND, f->r, one), one)));
  assert_int_equal(0,
                   reads_of(f, binary(f, TERM_SUB, binary(f, TERM_SUB, binary(f, TERM_ADD, f->r, five), f->r), five)));
  term_id either = binary(f, TERM_EQ, binary(f, TERM_AND, f->r, one), number(f, 0));
  term_id round = binary(f, TERM_SUB, binary(f, TERM_ADD, f->s, five), five);
  assert_int_equal(2, reads_of(f, term_ite(&f->terms, either, f->s, round)));
}

TEST(one_value_is_enough) {
  struct fixture *f = *state;
  term_id rare = binary(f, TERM_EQ, binary(f, TERM_MUL, f->r, number(f, 3)), number(f, 0x12345677));
  assert_int_equal(1, reads_of(f, rare));
  assert_int_equal(1, reads_of(f, binary(f, TERM_SHR, f->r, number(f, 31))));
  assert_int_equal(3, reads_of(f, binary(f, TERM_AND, rare, binary(f, TERM_EQ, f->s, number(f, 77)))));
  assert_int_equal(3, reads_of(f, binary(f, TERM_XOR, f->r, f->s)));
}

/* r + s is (r ^ s) + 2 * (r & s): with r ^ s = 0x01010101 few of the 2^64 pairs have the first sum, those with
 * r & s = 0x44444444, and none has the second, for which r & s would have to be 0x44444445. Trying values is no use. */
TEST(the_solver_finds_the_pairs) {
  struct fixture *f = *state;
  term_id sum = binary(f, TERM_ADD, f->r, f->s), mixed = binary(f, TERM_XOR, f->r, f->s);
  term_id base = binary(f, TERM_EQ, mixed, number(f, 0x01010101));
  assert_int_equal(3, reads_of(f, binary(f, TERM_AND, base, binary(f, TERM_EQ, sum, number(f, 0x89898989)))));
  assert_int_equal(0, reads_of(f, binary(f, TERM_AND, base, binary(f, TERM_EQ, sum, number(f, 0x8989898b)))));
}

TEST(substitution_keeps_the_rest) {
  struct fixture *f = *state;
  term_id term = binary(f, TERM_ADD, binary(f, TERM_MUL, f->r, number(f, 3)), f->s);
  assert_int_equal(f->s, term_substitute(&f->terms, term, f->r, number(f, 0)));
  assert_int_equal(binary(f, TERM_ADD, number(f, 6), f->s), term_substitute(&f->terms, term, f->r, number(f, 2)));
  assert_int_equal(term, term_substitute(&f->terms, term, number(f, 99), number(f, 0)));
}

/* No number is less than itself, and a comparison with another depends on both. */
TEST(floats_are_circuits) {
  struct fixture *f = *state;
  const struct float_code less = {.op = FLOAT_LESS, .format = FLOAT_F32};
  assert_int_equal(0, reads_of(f, term_float(&f->terms, less, (term_id[]){f->r, f->r}).bits));
  assert_int_equal(3, reads_of(f, term_float(&f->terms, less, (term_id[]){f->r, f->s}).bits));
}

/* A value is followed through a circuit with many levels, and only if it is determined. */
TEST(values_are_followed_through_circuits) {
  struct fixture *f = *state;
  const struct float_code add = {.op = FLOAT_ADD, .format = FLOAT_F32};
  const struct supposed given[] = {{f->r, 0x3fc00000}, {f->s, 0x3f800000}};
  term_id sum = term_float(&f->terms, add, (term_id[]){f->r, f->s}).bits;
  value_t value;
  assert_true(term_follow(&f->terms, sum, given, 2, &value) && value == 0x40200000);
  assert_false(term_follow(&f->terms, sum, given, 1, &value));
  term_id either = term_ite(&f->terms, binary(f, TERM_EQ, f->s, number(f, 0x3f800000)), f->r, sum);
  assert_true(term_follow(&f->terms, either, given, 2, &value) && value == 0x3fc00000);
  assert_false(term_follow(&f->terms, either, given, 1, &value));
}

int main(void) { return run_each(set_up, close_arena); }
