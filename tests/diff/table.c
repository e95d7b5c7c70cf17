#include "table.h"

static const char *const opcodes[] = {
#define PTX_ISA(opcode, form, detail, classes, types, later_types, sems, spaces, section, title) opcode,
#include "ptx/isa.def"
#undef PTX_ISA
};

uint32_t table_opcode_count(void) { return ARRAY_LEN(opcodes); }

const struct isa_row *table_row(uint32_t at) {
  REQUIRE(at < ARRAY_LEN(opcodes));
  return isa_find(opcodes[at]);
}

/* Filled when first asked for. */
static struct table_word words[1024];

uint32_t table_word_count(void) {
  static uint32_t count;
  for (struct isa_word word = {0}; (word.spelling || !count) && isa_next_word(&word);) {
    REQUIRE(count < ARRAY_LEN(words));
    words[count++] = (struct table_word){word.spelling, word.kind, word.value};
  }
  return count;
}

const struct table_word *table_word(uint32_t at) {
  REQUIRE(at < table_word_count());
  return &words[at];
}

bool table_takes(const struct isa_row *row, const struct table_word *word) {
  if (!(row->classes >> word->kind & 1)) return false;
  switch (word->kind) {
  case QUALIFIER_TYPE: return row->types >> word->value & 1;
  case QUALIFIER_SEM: return !row->sems || row->sems >> word->value & 1;
  case QUALIFIER_SPACE: return row->spaces >> (word->value & SPACE_MASK) & 1;
  case QUALIFIER_OP: return row->form != FORM_RED || isa_op((enum ptx_op)word->value)->in_red;
  case QUALIFIER_PROXY_KIND: return word->value != PROXY_OTHER;
  case QUALIFIER_MULTIMEM: return word->value != MULTIMEM_OTHER;
  case QUALIFIER_ASYNC: /* these are not modelled on any */
  case QUALIFIER_RESTRICT:
  case QUALIFIER_READ_ONLY: return false;
  default: return true;
  }
}
