/* What of the instruction table generated tests have. */
#ifndef PTXLIT_TESTS_COVERAGE_H
#define PTXLIT_TESTS_COVERAGE_H

#include "ptx/program.h"
#include "table.h"

struct coverage {
  uint64_t tests, instrs, guarded;
  uint64_t *opcodes; /* for each opcode of the table: tests that have it */
  uint64_t *words;   /* for each opcode and word: instructions */
};

void coverage_init(struct coverage *coverage, struct arena *arena);

/* Adds the instructions of a test, given as its text; those that no verdict can depend on are left out. */
void coverage_add(struct coverage *coverage, const char *text);

/* Prints a line for each opcode; false when some opcode was in no test. */
bool coverage_print(const struct coverage *coverage);

#endif
