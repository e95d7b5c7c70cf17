#include "ptx/isa.h"

#define C(class_) ((qualifier_set)1 << QUALIFIER_##class_)
#define T(type_) (1u << PTX_##type_)
#define S(sem_) (1u << SEM_##sem_)
#define P(space_) (1u << SPACE_##space_)

#define HINTS (C(L1_EVICT) | C(L2_EVICT) | C(CACHE_HINT))
#define ACCESS (C(SEM) | C(VOLATILE) | C(MMIO) | C(SCOPE) | C(SPACE) | HINTS | C(VECTOR) | C(TYPE))
#define PROXY_ACCESS (C(SEM) | C(VECTOR) | C(TYPE))
#define ATOMIC (C(SEM) | C(SCOPE) | C(SPACE) | C(OP) | C(VECTOR) | C(TYPE) | C(CACHE_HINT) | C(NOFTZ))
#define ARITHMETIC (C(TYPE) | C(FTZ) | C(SAT) | C(ROUNDING))
#define MINIMUM (C(TYPE) | C(FTZ) | C(NAN) | C(XORSIGN) | C(ABS))

#define UNSIGNED_TYPES (T(U16) | T(U32) | T(U64))
#define SIGNED_TYPES (T(S16) | T(S32) | T(S64))
#define PACKED_TYPES (T(U16X2) | T(S16X2))
#define INTEGERS (UNSIGNED_TYPES | SIGNED_TYPES | PACKED_TYPES)
#define FLOATING_TYPES (T(F16) | T(BF16) | T(F32) | T(F64) | T(F16X2) | T(BF16X2) | T(F32X2))
#define HALVES (T(F16) | T(BF16) | T(F16X2) | T(BF16X2))
#define BYTE_FLOATS (T(E5M2) | T(E5M2X2) | T(E5M2X4) | T(E4M3) | T(E4M3X2) | T(E4M3X4))
#define MULTIMEM_INTEGERS (T(B32) | T(B64) | T(U32) | T(U64) | T(S32) | T(S64))
#define MULTIMEM_FLOATS (HALVES | T(F32) | T(F64))
#define SCALARS_16_TO_64 (T(B16) | T(B32) | T(B64) | UNSIGNED_TYPES | SIGNED_TYPES)
#define MEMORY_TYPES (SCALARS_16_TO_64 | T(B8) | T(B128) | T(U8) | T(S8) | T(F32) | T(F64))
#define MOVE_TYPES (SCALARS_16_TO_64 | T(PRED) | T(B128) | T(F32) | T(F64))
#define CONVERTED_TYPES (T(U8) | T(S8) | UNSIGNED_TYPES | SIGNED_TYPES)
#define CARRY_TYPES (T(U32) | T(S32) | T(U64) | T(S64))
#define LOGIC_TYPES (T(PRED) | T(B16) | T(B32) | T(B64))
#define ATOMIC_TYPES (T(B16) | T(B32) | T(B64) | T(B128) | T(U32) | T(U64) | T(S32) | T(S64) | HALVES | T(F32) | T(F64))

static const struct {
  const char *spelling;
  struct type type;
  unsigned lanes;
} types[] = {
#define PTX_TYPE(id, spelling, kind, width, lanes) {spelling, {kind, width}, lanes},
#include "ptx/isa.def"
#undef PTX_TYPE
};

/* A class, or a qualifier of the preceding class. */
static const struct {
  bool is_class;
  unsigned value; /* for a class: an enum qualifier_class */
  const char *spellings[12];
} qualifiers[] = {
#define PTX_CLASS(id) {true, QUALIFIER_##id, {NULL}},
#define Q(value, ...) {false, (unsigned)(value), {__VA_ARGS__}},
#include "ptx/isa.def"
#define PTX_TYPE(id, spelling, kind, width, lanes) {false, PTX_##id, {spelling}},
#include "ptx/isa.def"
#undef PTX_TYPE
};

static const struct isa_op ops[PTX_OPS] = {
#define PTX_OP(op, alu, sources, types, vector_types, in_red) [op] = {alu, sources, types, vector_types, in_red},
#include "ptx/isa.def"
#undef PTX_OP
};

static const struct alu_row alu_rows[] = {
#define PTX_ALU(op, result, operands, word, floats) [ALU_##op] = {result, operands, word, floats},
#include "ptx/alu.def"
};

static const struct isa_row rows[] = {
#define PTX_ISA(opcode, form, detail, classes, types, later_types, sems, spaces, section, title)                       \
  {opcode, form, detail, classes, types, later_types, sems, spaces, section, title, NO_REASON},
#include "ptx/isa.def"
#undef PTX_ISA
#define PTX_LATER(opcode, form, reason) {opcode, form, 0, 0, 0, 0, 0, 0, NULL, NULL, REASON_##reason},
#include "ptx/isa.def"
#undef PTX_LATER
#define PTX_NOTHING(word) {.opcode = word, .form = FORM_NOTHING},
#include "ptx/isa.def"
#undef PTX_NOTHING
};

/* A set of values of qualifiers; the last bit is for all larger ones. */
typedef value_t value_set;
#define ANY (~(value_set)0)
#define V(value) ((value_set)1 << ((value) > 127 ? 127 : (value)))

#define REDUCING (V(OP_ADD) | V(OP_MIN) | V(OP_MAX) | V(OP_AND) | V(OP_OR) | V(OP_XOR))
#define EXCHANGE_VOTES (V(EXCHANGE_ALL) | V(EXCHANGE_ANY) | V(EXCHANGE_UNI) | V(EXCHANGE_BALLOT))
#define MBARRIER_ARRIVALS (V(MBARRIER_ARRIVE) | V(MBARRIER_DROP))
#define MBARRIER_TESTS (V(MBARRIER_TEST) | V(MBARRIER_TRY) | V(MBARRIER_WAIT))
#define SPACE_OF_CLUSTER (V(SPACE_SHARED | SPACE_OWN_CTA) | V(SPACE_SHARED | SPACE_ANY_CTA))
#define PROXY_HALVES (V(PROXY_ASYNC | PROXY_ONE_WAY) | V(PROXY_TENSORMAP | PROXY_ONE_WAY))
#define TENSOR_OF_REGISTERS (V(TENSOR_LOAD) | V(TENSOR_STORE))
#define TENSOR_OF_MEMORY (V(TENSOR_ALLOC) | V(TENSOR_FREE) | V(TENSOR_RELINQUISH))
#define TENSOR_OF_WARP (TENSOR_OF_REGISTERS | TENSOR_OF_MEMORY | V(TENSOR_WAIT_LD) | V(TENSOR_WAIT_ST))
#define TENSOR_OF_GROUP (TENSOR_OF_MEMORY | V(TENSOR_MULTIPLY) | V(TENSOR_COPY) | V(TENSOR_COMMIT) | V(TENSOR_SHIFT))
#define TENSOR_NUMBERS (V(PTX_U32) | V(PTX_S32) | V(PTX_F32))
#define SHAPE_OF_REGISTERS (V(SHAPE_16X64) | V(SHAPE_16X128) | V(SHAPE_16X256) | V(SHAPE_16X32X2) | V(SHAPE_32X32))
#define RESTRICTED                                                                                                     \
  "write '.release.sync_restrict::shared::cta.cluster' or '.acquire.sync_restrict::shared::cluster.cluster'"
#define ONLY_WEAK "only weak accesses take cache operators"
#define ALL_OF_WARP "all threads of a warp execute it together"
#define ALL_OF_GROUP "all threads of a warpgroup execute it together"

static const struct beside {
  const char *opcodes;
  qualifier_set of;
  value_set of_values;
  enum { EXCLUDES, NEEDS } asks;
  qualifier_set others;
  value_set values;
  const char *hint;
} besides[] = {
#define PTX_BESIDE(opcodes, of, of_values, asks, others, values, hint)                                                 \
  {opcodes, of, of_values, asks, others, values, hint},
#include "ptx/isa.def"
#undef PTX_BESIDE
};

static const struct {
  enum special value;
  const char *names[16];
} specials[] = {
#define PTX_SPECIAL(id, value, needed, level, ...) {SPECIAL_##id, {__VA_ARGS__}},
#include "ptx/isa.def"
};

enum special isa_special(const char *name) {
  for (size_t i = 0; i < ARRAY_LEN(specials); i++)
    for (const char *const *known = specials[i].names; *known; known++) {
      size_t length = strlen(*known);
      if (strcmp(*known, name) == 0) return specials[i].value;
      if (specials[i].value != SPECIAL_NUMBERED || strncmp(*known, name, length) != 0) continue;
      if (name[length] >= '0' && name[length] <= '9') return SPECIAL_OPEN;
    }
  return SPECIAL_NONE;
}

bool isa_next_word(struct isa_word *word) {
  word->spelling = qualifiers[word->row].spellings[word->next++];
  while (!word->spelling) {
    if (++word->row == ARRAY_LEN(qualifiers)) return false;
    if (qualifiers[word->row].is_class) word->kind = (enum qualifier_class)qualifiers[word->row].value;
    word->value = qualifiers[word->row].value;
    word->spelling = qualifiers[word->row].spellings[0];
    word->next = 1;
  }
  return true;
}

const struct isa_row *isa_find(const char *opcode) {
  return ARRAY_FIND(e, rows, ARRAY_LEN(rows), strcmp(e->opcode, opcode) == 0);
}

const struct isa_row *isa_row_at(size_t index) { return index < ARRAY_LEN(rows) ? &rows[index] : NULL; }

const char *isa_nearest(const char *opcode) {
  const char *names[ARRAY_LEN(rows)];
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) names[i] = rows[i].opcode;
  return nearest_word(opcode, names, ARRAY_LEN(rows));
}

const struct isa_op *isa_op(enum ptx_op op) { return &ops[op]; }

const struct alu_row *alu_row(unsigned op) { return &alu_rows[op]; }

unsigned alu_letter_width(const struct instr *instr, char letter) {
  switch (letter) {
    case 'u':
    case 'i': return 32;
    case 'p': return 1;
    case 'n': return 8;
    case 's': return instr->from.width;
    case 'w': return 2u * instr->type.width;
  }
  return instr->type.width;
}

uint32_t isa_source_types(enum alu_op alu) {
  static const uint32_t sets[] = {
      [ALU_CVT] = CONVERTED_TYPES | FLOATING_TYPES,
      [ALU_SET] = SCALARS_16_TO_64 | (FLOATING_TYPES & ~T(F32X2)),
      [ALU_SLCT] = T(S32) | T(F32),
      [ALU_DP4A] = T(U32) | T(S32),
      [ALU_DP2A_LO] = T(U32) | T(S32),
      [ALU_DP2A_HI] = T(U32) | T(S32),
  };
  return alu < ARRAY_LEN(sets) ? sets[alu] : 0;
}

uint32_t isa_multimem_sems(enum multimem_action action) {
  static const uint32_t sems[] = {
      [MULTIMEM_LOAD_REDUCE] = 1u << SEM_WEAK | 1u << SEM_RELAXED | 1u << SEM_ACQUIRE,
      [MULTIMEM_STORE] = 1u << SEM_WEAK | 1u << SEM_RELAXED | 1u << SEM_RELEASE,
      [MULTIMEM_RED] = 1u << SEM_RELAXED | 1u << SEM_RELEASE,
  };
  return sems[action];
}

struct type isa_type(enum ptx_type type) {
  return types[type].type;
}
const char *isa_type_spelling(enum ptx_type type) { return types[type].spelling; }
bool isa_type_packed(enum ptx_type type) { return types[type].lanes > 1; }

struct type isa_type_element(enum ptx_type type) {
  return (struct type){types[type].type.kind, (uint8_t)(types[type].type.width / types[type].lanes)};
}

uint32_t isa_vector_types(unsigned elements) {
  if (elements > 8) return 0; /* .b1024 is for tensor maps */
  return elements == 8 ? T(F16) | T(BF16) : HALVES | T(F32);
}

uint32_t isa_scalar_multimem_types(void) { return MULTIMEM_INTEGERS | (MULTIMEM_FLOATS & ~(T(F16) | T(BF16))); }

bool isa_type_half(enum ptx_type type) { return (HALVES >> type & 1) != 0; }

enum ptx_type isa_type_named(const char *spelling) {
  for (unsigned i = 0; i < PTX_TYPES; i++)
    if (strcmp(types[i].spelling, spelling) == 0) return (enum ptx_type)i;
  return PTX_TYPES;
}

enum ptx_type isa_type_among(const struct litmus_words *words) {
  enum ptx_type found = PTX_TYPES;
  LIST_EACH (word, words->first)
    if (isa_type_named(word->text) != PTX_TYPES) found = isa_type_named(word->text);
  return found;
}

uint32_t isa_bytes_among(const struct litmus_words *words) {
  enum ptx_type type = isa_type_among(words);
  return type == PTX_TYPES ? 1 : type_bytes(isa_type(type));
}

enum ptx_type isa_type_fitting(struct type type, uint32_t set) {
  enum ptx_type of_width = PTX_TYPES;
  for (unsigned i = 0; i < PTX_TYPES; i++) {
    if (!(set >> i & 1) || types[i].type.width != type.width || types[i].lanes > 1) continue;
    if (types[i].type.kind == type.kind) return (enum ptx_type)i;
    /* No instruction silently converts between integers and floating-point numbers. */
    bool differ = type_is_float(types[i].type) || (type_is_float(type) && types[i].type.kind != TYPE_BITS);
    if (differ) continue;
    if (of_width == PTX_TYPES) of_width = (enum ptx_type)i;
  }
  return of_width;
}

static const char *words(struct arena *arena, const char *const *list, unsigned count) {
  struct text out = {.arena = arena};
  for (unsigned i = 0; i < count; i++)
    text_printf(&out, "%s'%s'", i == 0 ? "" : i + 1 == count ? " or " : ", ", list[i]);
  return text_str(&out);
}

static bool has_value(value_set values, unsigned value) { return values >> (value > 127 ? 127 : value) & 1; }

static const char *words_of(struct arena *arena, qualifier_set classes, value_set values) {
  const char *list[64];
  unsigned count = 0;
  for (struct isa_word word = {0}; isa_next_word(&word) && count < ARRAY_LEN(list);) {
    bool later = word.kind == QUALIFIER_PROXY_KIND && word.value == PROXY_OTHER;
    if (classes >> word.kind & 1 && has_value(values, word.value) && !later) list[count++] = word.spelling;
  }
  return words(arena, list, count);
}

const char *isa_class_words(struct arena *arena, enum qualifier_class kind) {
  return words_of(arena, (qualifier_set)1 << kind, ANY);
}

const char *isa_sem_words(struct arena *arena, uint32_t sems) { return words_of(arena, C(SEM), sems); }
const char *isa_type_words(struct arena *arena, uint32_t set) { return words_of(arena, C(TYPE), set); }

/* The qualifier with this spelling, preferably in a class of `classes`; false if no class has it. */
static bool find_qualifier(const char *spelling, qualifier_set classes, struct isa_word *out) {
  bool any = false;
  for (struct isa_word word = {0}; isa_next_word(&word);) {
    if (strcmp(word.spelling, spelling) != 0) continue;
    *out = word;
    any = true;
    if (classes >> word.kind & 1) return true;
  }
  return any;
}

bool isa_word_in(const char *spelling, qualifier_set classes) {
  struct isa_word word;
  return find_qualifier(spelling, classes, &word) && classes >> word.kind & 1;
}

/* Proposes a qualifier that the opcode takes: the nearest, or those of which the word is a beginning. */
static void report_unknown(struct diags *diags, const struct isa_row *row, const struct litmus_word *word) {
  const char *spellings[12 * ARRAY_LEN(qualifiers)], *longer[4];
  size_t count = 0, length = strlen(word->text);
  unsigned begin = 0;
  for (struct isa_word known = {0}; isa_next_word(&known);) {
    if (!(row->classes >> known.kind & 1)) continue;
    spellings[count++] = known.spelling;
    bool begins = length > 2 && begin < ARRAY_LEN(longer) && strncmp(known.spelling, word->text, length) == 0;
    if (begins) longer[begin++] = known.spelling;
  }
  struct diagnostic *d =
      diag_report(diags, DIAG_UNKNOWN_QUALIFIER, word->span, "'%s' is not a PTX qualifier", word->text);
  const char *nearest = diags->list.len < DIAG_LIMIT ? nearest_word(word->text, spellings, count) : NULL;
  if (nearest) longer[0] = nearest, begin = 1;
  if (begin) diag_hint(diags, d, "did you mean %s?", words(diags->arena, longer, begin));
}

static void report_not_taken(struct diags *diags, const struct isa_row *row, const struct litmus_word *word) {
  struct diagnostic *d =
      diag_report(diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'%s' does not take '%s'", row->opcode, word->text);
  if (row->form == FORM_MEMBAR && strcmp(word->text, ".gpu") == 0) diag_hint(diags, d, "membar spells it '.gl'");
  if (row->form == FORM_BARRIER && strcmp(word->text, ".cluster") == 0) diag_hint(diags, d, "write barrier.cluster");
  if (row->form == FORM_BARRIER && strcmp(word->text, ".warp") == 0) diag_hint(diags, d, "write bar.warp.sync");
  if (strcmp(word->text, ".gl") == 0) diag_hint(diags, d, "'.gl' belongs to membar; elsewhere it is '.gpu'");
}

static void report_twice(struct diags *diags, const struct litmus_word *word, const struct litmus_word *first) {
  bool same = strcmp(first->text, word->text) == 0;
  struct diagnostic *d = same ? diag_report(diags, DIAG_QUALIFIER_TWICE, word->span, "'%s' is here twice", word->text)
                              : diag_report(diags, DIAG_QUALIFIER_TWICE, word->span,
                                            "'%s' cannot be combined with '%s'", word->text, first->text);
  diag_beside(d, first->span, "the first one");
}

/* The first qualifier of these classes with one of the values; NULL: none. */
static const struct litmus_word *word_among(const struct isa_qualifiers *q, qualifier_set classes, value_set values) {
  unsigned kind = FIND_BELOW(i, QUALIFIER_CLASSES, classes >> i & 1 && q->found[i] && has_value(values, q->value[i]));
  return kind < QUALIFIER_CLASSES ? q->found[kind] : NULL;
}

static bool names_opcode(const char *opcodes, const char *opcode) {
  size_t length = strlen(opcode);
  while (strcspn(opcodes, " ") != length || !base_begins(opcodes, opcode)) {
    opcodes += strcspn(opcodes, " ");
    if (!*opcodes++) return false;
  }
  return true;
}

static void check_besides(struct diags *diags, const struct isa_row *row, const struct isa_qualifiers *q,
                          const struct litmus_instr *instr) {
  ARRAY_EACH (b, besides, ARRAY_LEN(besides)) {
    if (!names_opcode(b->opcodes, row->opcode)) continue;
    const struct litmus_word *of = word_among(q, b->of, b->of_values), *other = word_among(q, b->others, b->values);
    if ((b->of && !of) || (other != NULL) == (b->asks == NEEDS)) continue;
    const char *dot = of ? of->text : "", *needs = words_of(diags->arena, b->others, b->values);
    const struct litmus_word *wrong = other ? other : word_among(q, b->others, ANY);
    struct diagnostic *d = wrong ? diag_report(diags, DIAG_QUALIFIER_NOT_TAKEN, wrong->span,
                                               "'%s%s' does not take '%s'", row->opcode, dot, wrong->text)
                                 : diag_report(diags, DIAG_MISSING_QUALIFIER, of ? of->span : instr->opcode.span,
                                               "'%s%s' needs %s", row->opcode, dot, needs);
    if (b->hint) diag_hint(diags, d, "%s", b->hint);
    else if (wrong && !other) diag_hint(diags, d, "it takes %s", needs);
    return;
  }
}

bool isa_qualify(struct diags *diags, const struct isa_row *row, const struct litmus_instr *instr,
                 struct isa_qualifiers *out) {
  uint32_t before = diags->errors;
  *out = (struct isa_qualifiers){0};
  LIST_EACH (word, instr->qualifiers.first) {
    bool source = out->found[QUALIFIER_SPACE] && row->classes & C(SOURCE);
    struct isa_word qualifier;
    bool known = find_qualifier(word->text, row->classes & ~(source ? C(SPACE) : C(SOURCE)), &qualifier);
    bool second = known && qualifier.kind == QUALIFIER_TYPE && out->found[QUALIFIER_TYPE] &&
                  row->classes & C(SOURCE_TYPE) && !out->found[QUALIFIER_SOURCE_TYPE];
    if (second) {
      out->found[QUALIFIER_SOURCE_TYPE] = word;
      out->value[QUALIFIER_SOURCE_TYPE] = qualifier.value;
    } else if (!known) {
      report_unknown(diags, row, word);
    } else if (!(row->classes >> qualifier.kind & 1)) {
      report_not_taken(diags, row, word);
    } else if (out->found[qualifier.kind]) {
      report_twice(diags, word, out->found[qualifier.kind]);
    } else {
      out->found[qualifier.kind] = word;
      out->value[qualifier.kind] = qualifier.value;
    }
  }
  if (diags->errors == before) check_besides(diags, row, out, instr);
  return diags->errors == before;
}
