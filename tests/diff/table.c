#include "table.h"

static const char *const opcodes[] = {
#define PTX_ISA(opcode, form, detail, classes, types, later_types, sems, spaces, section, title) opcode,
#include "ptx/isa.def"
#undef PTX_ISA
};

static const struct table_word words[] = {
#define PTX_QUALIFIER(spelling, kind, value) {spelling, QUALIFIER_##kind, (unsigned)(value)},
#include "ptx/isa.def"
#undef PTX_QUALIFIER
#define PTX_TYPE(id, spelling, kind, width, packed) {spelling, QUALIFIER_TYPE, PTX_##id},
#include "ptx/isa.def"
#undef PTX_TYPE
};

uint32_t table_opcode_count(void) { return ARRAY_LEN(opcodes); }

const struct isa_row *table_row(uint32_t at) {
  REQUIRE(at < ARRAY_LEN(opcodes));
  return isa_find(opcodes[at]);
}

uint32_t table_word_count(void) { return ARRAY_LEN(words); }

const struct table_word *table_word(uint32_t at) {
  REQUIRE(at < ARRAY_LEN(words));
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
