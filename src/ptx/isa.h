/* The instruction table (isa.def) as data, and the check of an instruction's qualifiers against it.
 *
 * The qualifiers after an opcode are a set: any order is accepted, at most one of each class, and only classes that the
 * opcode takes. Source: PTX ISA 9.4, chapter 9.7; docs/semantics.md T1.
 */
#pragma once

#include "diag/diag.h"
#include "ptx/alu.h"

enum qualifier_class {
#define PTX_CLASS(id) QUALIFIER_##id,
#include "ptx/isa.def"
  QUALIFIER_CLASSES
};

/* A bit mask over enum qualifier_class. */
typedef value_t qualifier_set;

/* Values in addition to those of the enumerations. */
enum {
  SPACE_MASK = 15,
  SPACE_OWN_CTA = 16,
  SPACE_ANY_CTA = 32,
  SPACE_ENTRY = 64, /* parameters of a kernel, which are read-only; parameters of a function, which have no address */
  SPACE_FUNC = 128,
  COMPARE_UNSIGNED = 8,
  COMPARE_MASK = 7,
  PROXY_OTHER = 15,
  PROXY_ONE_WAY = 16,
  PROXY_MASK = 15,
  MULTIMEM_OTHER = 15,
};

/* A comparison only for floating-point numbers; `unordered`: its result for NaNs. */
#define COMPARE_FLOAT(unordered) (16 | (unordered) << 5)

/* The ways in which an asynchronous operation signals completion, and the instructions on groups of operations. */
enum completion { COMPLETION_SIGNAL, COMPLETION_GROUP, COMPLETION_ARRIVE };
enum group_action { GROUP_COMMIT, GROUP_WAIT, GROUP_WAIT_ALL };
enum map_action { MAP_REPLACE, MAP_COPY };
enum map_field { FIELD_ADDRESS, FIELD_DIM, FIELD_STRIDE, FIELD_OTHER };
enum cancel_action { CANCEL_TRY, CANCEL_QUERY };
enum mma_action { MMA_MULTIPLY, MMA_FENCE };
enum tensor_action {
  TENSOR_MULTIPLY,
  TENSOR_COPY,
  TENSOR_LOAD,
  TENSOR_STORE,
  TENSOR_COMMIT,
  TENSOR_BEFORE,
  TENSOR_AFTER,
  TENSOR_WAIT_LD,
  TENSOR_WAIT_ST,
  TENSOR_RELINQUISH,
  TENSOR_ALLOC,
  TENSOR_FREE,
  TENSOR_SHIFT,
};
enum tensor_shape {
  SHAPE_128X256,
  SHAPE_4X256,
  SHAPE_128X128,
  SHAPE_64X128,
  SHAPE_32X128,
  SHAPE_16X64,
  SHAPE_16X128,
  SHAPE_16X256,
  SHAPE_16X32X2,
  SHAPE_32X32,
  SHAPE_DOWN,
};

enum ptx_type {
#define PTX_TYPE(id, spelling, kind, width, lanes) PTX_##id,
#include "ptx/isa.def"
#undef PTX_TYPE
  PTX_TYPES
};

enum ptx_op { OP_ADD, OP_SUB, OP_INC, OP_DEC, OP_MIN, OP_MAX, OP_AND, OP_OR, OP_XOR, OP_EXCH, OP_CAS, PTX_OPS };

enum isa_form {
#define PTX_FORM(id, lower, pure) FORM_##id,
#include "ptx/isa.def"
};

/* One opcode. Sets are bit masks over the named enumeration. */
struct isa_row {
  const char *opcode;
  enum isa_form form;
  unsigned detail;             /* enum alu_op, proxy, scope, compare or barrier_reduction, by form */
  qualifier_set classes;       /* enum qualifier_class */
  uint32_t types;              /* enum ptx_type */
  uint32_t later_types;        /* in PTX, but not modelled */
  uint32_t sems;               /* enum sem */
  uint32_t spaces;             /* enum space */
  const char *section, *title; /* in the PTX ISA; NULL for FORM_LATER */
  enum reason_id later;        /* why it is not modelled; NO_REASON if it is modelled */
};

struct isa_op {
  enum alu_op alu;
  unsigned sources;
  uint32_t types, vector_types;
  bool in_red;
};

/* The semantics that a multimem instruction takes, by enum multimem_action: a mask over enum sem (9.7.10). */
uint32_t isa_multimem_sems(enum multimem_action action);

/* The qualifiers of an instruction. found[c]: the qualifier of class c; NULL: none. */
struct isa_qualifiers {
  const struct litmus_word *found[QUALIFIER_CLASSES];
  unsigned value[QUALIFIER_CLASSES];
};

/* The row of an opcode; NULL: PTX has no such opcode. */
const struct isa_row *isa_find(const char *opcode);
/* The opcode number `index`; NULL past the last one. */
const struct isa_row *isa_row_at(size_t index);

/* A spelling of a qualifier. isa_next_word replaces {0} by the first spelling of isa.def, and a spelling by the next;
 * false past the last. */
struct isa_word {
  const char *spelling;
  enum qualifier_class kind;
  unsigned value;
  uint32_t row, next;
};
bool isa_next_word(struct isa_word *word);

/* The opcode nearest to `opcode`, or NULL. */
const char *isa_nearest(const char *opcode);
const struct isa_op *isa_op(enum ptx_op op);
/* The types that the second type of cvt, set and the like may be. */
uint32_t isa_source_types(enum alu_op alu);

struct type isa_type(enum ptx_type type);
const char *isa_type_spelling(enum ptx_type type);
bool isa_type_packed(enum ptx_type type);
struct type isa_type_element(enum ptx_type type); /* the type of one lane */
bool isa_type_half(enum ptx_type type);           /* f16, bf16, f16x2 or bf16x2 */
/* The types of which atom, red and multimem take vectors. The next: those that multimem takes without a vector. */
uint32_t isa_vector_types(unsigned elements);
uint32_t isa_scalar_multimem_types(void);
/* ".u32" and the like; PTX_TYPES: not a type. */
enum ptx_type isa_type_named(const char *spelling);
/* The last type among words, else PTX_TYPES. The next function: the bytes of its element, else 1. */
enum ptx_type isa_type_among(const struct litmus_words *words);
uint32_t isa_bytes_among(const struct litmus_words *words);
/* A member of `types` with the kind and width of `type`, or else with its width, but never an integer for a
 * floating-point type or the reverse; PTX_TYPES: none. */
enum ptx_type isa_type_fitting(struct type type, uint32_t types);

/* forms.c: false after an error: PTX does not have this combination of qualifiers of a matrix instruction. */
bool isa_has_form(struct diags *diags, const struct litmus_instr *instr);

/* Sorts the qualifiers of an instruction into their classes; false if an error was reported. */
bool isa_qualify(struct diags *diags, const struct isa_row *row, const struct litmus_instr *instr,
                 struct isa_qualifiers *out);

/* The kind of value that a special register holds; SPECIAL_NONE: no such register. */
enum special {
  SPECIAL_NONE,
#define PTX_SPECIAL(id, value, needed, level, ...) SPECIAL_##id,
#include "ptx/isa.def"
};

/* The kind for a name without %: "tid.x". */
enum special isa_special(const char *name);

/* True if a class of the set has a qualifier with this spelling. */
bool isa_word_in(const char *word, qualifier_set classes);

/* The modelled qualifiers of a class, or the bits of a mask, as words: "'.weak', '.relaxed' or '.acquire'". */
const char *isa_class_words(struct arena *arena, enum qualifier_class kind);
const char *isa_sem_words(struct arena *arena, uint32_t sems);
const char *isa_type_words(struct arena *arena, uint32_t types);
