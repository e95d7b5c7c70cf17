/* Checks rules of a PTX compiler, `LHS -> RHS`: may it replace the left side by the right side in any program?
 *
 * A counterexample is a program with the left side in a thread, and an outcome that the model forbids for it but allows
 * with the right side instead. If the model is monotonic, all other instructions, and parts of the left side, can be
 * weakened or removed while the outcome stays forbidden: the remainder is a minimal test of the model
 * (generate_minimal). So, in each minimal test, all events that may be the remainder of a left side are replaced by the
 * left side. Source: docs/mapping.md.
 */
#pragma once

#include "generate/generate.h"
#include "map/map.h"

enum { RULE_STEPS = 6, RULE_NAMES = 4, RULE_NONE = 255 };

/* An instruction of a side; its names are numbers: locations a to d, registers r1 to r4, values v1 to v4. */
struct map_step {
  enum draft_kind kind; /* read, write, update or fence */
  enum sem sem;
  enum scope scope; /* SCOPE_NONE: a weak access, or S, any scope that programs have */
  uint8_t place, reg, value;
  bool adds_nothing; /* atom.add of 0, which writes the value that it reads */
};

struct map_steps {
  struct map_step steps[RULE_STEPS];
  uint32_t count;
};

/* The register of the right side that gives a register of the left side its value. */
struct map_move {
  uint8_t reg, value; /* the source, a register or a value: RULE_NONE for the other */
};

struct map_rule {
  const char *text;
  struct map_steps left, right;
  struct map_move moves[RULE_NAMES];
  bool one_cta; /* "in cta": the rule is for programs whose threads are all in one CTA */
};

/* Reads a rule; false, and a message, if it is invalid. */
bool map_read_rule(struct arena *arena, struct diags *diags, struct span span, struct map_rule *out);

/* A counterexample: a test that the model forbids, and the same test after the rule, which the model allows. */
struct map_rule_fault {
  bool found;
  uint32_t events; /* of the minimal test */
  struct map_example example;
};

struct map_rules_result {
  struct map_rule_fault *faults; /* for each rule */
  uint64_t tests, compared;
  bool complete;
  double seconds;
};

/* Looks for the first counterexample to each rule of a table among the minimal tests of the request. */
void map_try_rules(struct arena *arena, const struct map_table *table, const struct generate_ask *ask,
                   const struct model *model, const struct check_options *options, double deadline,
                   struct map_rules_result *result);
