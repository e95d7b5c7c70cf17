/* The instruction table (ptx/isa.def) as the generator and its coverage see it: opcodes, and the dots each may have. */
#ifndef PTXLIT_TESTS_TABLE_H
#define PTXLIT_TESTS_TABLE_H

#include "ptx/isa.h"

struct table_word {
  const char *spelling; /* ".acquire" */
  enum qualifier_class kind;
  unsigned value; /* as in isa.def */
};

uint32_t table_opcode_count(void);
/* The row of a modelled opcode; `at` must be below the count. */
const struct isa_row *table_row(uint32_t at);

uint32_t table_word_count(void);
const struct table_word *table_word(uint32_t at);

/* True if, by the table, PTX has this word on this opcode, and it is modelled there; with some other words it may still
 * be wrong. */
bool table_takes(const struct isa_row *row, const struct table_word *word);

#endif
