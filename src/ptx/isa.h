/* The instruction table (isa.def) as data, and the check of an instruction's dots against it.
 *
 * The dots after an opcode are a set: any order is accepted, at most one of each class, and only classes that the
 * opcode takes. Source: PTX ISA 9.4, chapter 9.7; docs/semantics.md T1.
 */
#ifndef PTXLIT_ISA_H
#define PTXLIT_ISA_H

#include "diag/diag.h"
#include "litmus/ast.h"
#include "ptx/alu.h"

enum qualifier_class {
  QUALIFIER_SEM,
  QUALIFIER_VOLATILE,
  QUALIFIER_MMIO,
  QUALIFIER_SCOPE,
  QUALIFIER_LEVEL, /* of membar */
  QUALIFIER_SPACE,
  QUALIFIER_CACHE_LOAD,
  QUALIFIER_CACHE_STORE,
  QUALIFIER_L1_EVICT,
  QUALIFIER_L2_EVICT,
  QUALIFIER_CACHE_HINT,
  QUALIFIER_PREFETCH,
  QUALIFIER_VECTOR,
  QUALIFIER_TYPE,        /* the value is an enum ptx_type */
  QUALIFIER_SOURCE_TYPE, /* the second type of cvt, set and the like, likewise */
  QUALIFIER_OP,          /* the value is an enum ptx_op */
  QUALIFIER_COMPARE,
  QUALIFIER_HALF,    /* mul.lo, .hi, .wide */
  QUALIFIER_COMBINE, /* setp.lt.and */
  QUALIFIER_CARRY,
  QUALIFIER_DIRECTION, /* shf.l, shf.r: an enum alu_op */
  QUALIFIER_ALU_MODE,  /* an enum alu_mode */
  QUALIFIER_PROXY,
  QUALIFIER_PROXY_KIND,
  QUALIFIER_RESTRICT,
  QUALIFIER_READ_ONLY,
  QUALIFIER_ASYNC,
  QUALIFIER_UNIFIED,
  QUALIFIER_NOFTZ,
  QUALIFIER_FTZ,
  QUALIFIER_SAT,
  QUALIFIER_RELU,
  QUALIFIER_NAN,
  QUALIFIER_XORSIGN,
  QUALIFIER_ABS,
  QUALIFIER_ACC, /* the value is an enum ptx_type */
  QUALIFIER_ROUNDING,
  QUALIFIER_TO,
  QUALIFIER_UNIFORM, /* bra.uni */
  QUALIFIER_CTA,     /* whose barrier: .cta, .warp, .cluster */
  QUALIFIER_WARP,
  QUALIFIER_CLUSTER,
  QUALIFIER_ACTION,    /* an enum barrier_action */
  QUALIFIER_REDUCTION, /* an enum barrier_reduction */
  QUALIFIER_ALIGNED,
  QUALIFIER_EXCHANGE, /* an enum exchange */
  QUALIFIER_MULTIMEM, /* an enum multimem_action, or MULTIMEM_OTHER */
  QUALIFIER_MBARRIER, /* an enum mbarrier_action */
  QUALIFIER_EXPECT,
  QUALIFIER_NO_COMPLETE,
  QUALIFIER_PARITY,
  QUALIFIER_VARIANT, /* in PTX, but not modelled */
  QUALIFIER_CHECK,   /* mbarrier.check_layout: the same */
  QUALIFIER_PLAIN,   /* says what holds anyway */
  QUALIFIER_BULK,
  QUALIFIER_TENSOR,
  QUALIFIER_DIMENSIONS,
  QUALIFIER_SOURCE,     /* the second state space of a copy */
  QUALIFIER_COMPLETION, /* an enum completion */
  QUALIFIER_MULTICAST,
  QUALIFIER_PAIR,  /* .cta_group::2: the CTA beside the own one too */
  QUALIFIER_GROUP, /* an enum group_action */
  QUALIFIER_READ,
  QUALIFIER_OBJECT, /* cp.async.mbarrier.arrive */
  QUALIFIER_NOINC,
  QUALIFIER_CANCEL,    /* an enum cancel_action */
  QUALIFIER_QUERY,     /* an enum alu_op */
  QUALIFIER_EVERY_CTA, /* .multicast::cluster::all */
  QUALIFIER_MMA,       /* an enum mma_action */
  QUALIFIER_TCGEN05,   /* an enum tensor_action */
  QUALIFIER_SHAPE,     /* of tensor memory: an enum tensor_shape */
  QUALIFIER_KIND,      /* of the elements of matrices: how many scales of a row, if any */
  QUALIFIER_SCALED,
  QUALIFIER_SCALES, /* how many of a row */
  QUALIFIER_SPARSE,
  QUALIFIER_WEIGHTS,
  QUALIFIER_COLLECTOR, /* a hint */
  QUALIFIER_SHIFTED,   /* .ashift: A by a row */
  QUALIFIER_HALVES,    /* .pack::16b, .unpack::16b: an enum tensor_action */
  QUALIFIER_FORMAT,    /* elements grow as they are copied */
  QUALIFIER_EXPANDED,
  QUALIFIER_WARPS,     /* to the tensor memory of which warps a copy goes */
  QUALIFIER_REPEAT,
  QUALIFIER_REDUCED, /* tcgen05.ld.red */
  QUALIFIER_REDUCE,
  QUALIFIER_MODE,
  QUALIFIER_MAP,   /* an enum map_action */
  QUALIFIER_FIELD, /* of a tensor map */
  QUALIFIER_GRID,  /* an enum instr_kind */
  QUALIFIER_FETCH, /* .prefetch: without effect */
  QUALIFIER_FETCH_LEVEL,
  QUALIFIER_CLASSES
};

/* A bit mask over enum qualifier_class. */
typedef value_t qualifier_set;

/* Beside the enum a value belongs to. */
enum {
  SPACE_MASK = 15,
  SPACE_OWN_CTA = 16,
  SPACE_ANY_CTA = 32,
  SPACE_ENTRY = 64, /* parameters of a kernel, which nothing writes; of a function, which no address reaches */
  SPACE_FUNC = 128,
  COMPARE_UNSIGNED = 8,
  COMPARE_MASK = 7,
  PROXY_OTHER = 15,
  PROXY_ONE_WAY = 16,
  PROXY_MASK = 15,
  MULTIMEM_OTHER = 15,
};

/* A comparison of floating-point numbers only; what it makes of NaNs is an enum unordered. */
#define COMPARE_FLOAT(unordered) (16 | (unordered) << 5)

/* How an asynchronous operation says that it is complete, and what is done with groups of them. */
enum completion { COMPLETION_SIGNAL, COMPLETION_GROUP, COMPLETION_ARRIVE };
enum group_action { GROUP_COMMIT, GROUP_WAIT, GROUP_WAIT_ALL };
enum map_action { MAP_REPLACE, MAP_COPY };
enum map_field { FIELD_ADDRESS, FIELD_OTHER };
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

/* One opcode. Sets are bit masks over the enum named. */
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
  enum reason_id later;        /* why it is not modelled; NO_REASON when it is */
};

struct isa_op {
  enum alu_op alu;
  unsigned sources;
  uint32_t types, vector_types;
  bool in_red;
};

/* The semantics that a multimem instruction takes, by enum multimem_action: a mask over enum sem (9.7.10). */
uint32_t isa_multimem_sems(enum multimem_action action);

/* The qualifiers of an instruction. found[c] is the one of class c, NULL when there is none. */
struct isa_qualifiers {
  const struct litmus_word *found[QUALIFIER_CLASSES];
  unsigned value[QUALIFIER_CLASSES];
};

/* NULL: PTX has no such opcode. */
const struct isa_row *isa_find(const char *opcode);
/* The opcodes, and the spellings of the qualifiers of a class, one after the other; NULL past the last one. */
const struct isa_row *isa_row_at(size_t index);
const char *isa_spelling_at(enum qualifier_class kind, size_t index);
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
/* The types of which atom, red and multimem take vectors, and those that multimem takes without one. */
uint32_t isa_vector_types(unsigned elements);
uint32_t isa_scalar_multimem_types(void);
/* ".u32" and the like; PTX_TYPES when it is no type. */
enum ptx_type isa_type_named(const char *spelling);
/* A member of `types` with the kind and width of `type`, or else one of its width, but no integer for a floating-point
 * type nor the other way round; PTX_TYPES when there is none. */
enum ptx_type isa_type_fitting(struct type type, uint32_t types);

/* Sorts the dots of an instruction into their classes; false when something was reported. */
bool isa_qualify(struct diags *diags, const struct isa_row *row, const struct litmus_instr *instr,
                 struct isa_qualifiers *out);

/* The kind of value that a special register holds. */
enum special {
  SPECIAL_NONE, /* there is no such register */
#define PTX_HELD(id, value, needed, level) SPECIAL_##id,
#include "ptx/isa.def"
  SPECIAL_OPEN,      /* no placement says */
  SPECIAL_PARAMETER, /* the address of a kernel's parameter */
  SPECIAL_CLOCK,     /* any value, each time */
  SPECIAL_NUMBERED,  /* the same, and a number follows the name: %pm0 */
};

/* By the name without %: "tid.x". */
enum special isa_special(const char *name);

/* True if a class of the set has a qualifier spelled so. */
bool isa_word_in(const char *word, qualifier_set classes);

/* The qualifiers of a class, or the bits of a mask, as words: "'.weak', '.relaxed' or '.acquire'". What is not modelled
 * is left out. */
void isa_class_words(enum qualifier_class kind, struct text *out);
void isa_sem_words(uint32_t sems, struct text *out);
void isa_type_words(uint32_t types, struct text *out);

#endif
