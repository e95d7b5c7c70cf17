/* The arithmetic operations as an enumeration, and the columns of alu.def. program.h does not include it, so a new
 * operation rebuilds only the files that name one. */
#pragma once

#include "ptx/program.h"

enum alu_op {
#define PTX_ALU(op, result, operands, word, floats) ALU_##op,
#include "ptx/alu.def"
};

/* Values instead of an enum float_op. */
enum { ALU_BITS = -1, ALU_OWN = -2 };

struct alu_row {
  char result;
  const char *operands, *word;
  int floats;
};

const struct alu_row *alu_row(unsigned op); /* isa.c */

/* The width of a letter's type, in bits. */
unsigned alu_letter_width(const struct instr *instr, char letter);
