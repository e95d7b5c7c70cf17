/* The state of one lowering, shared by the files of src/ptx that lower tests: place.c (columns), locations.c (init
 * block), registers.c, operands.c, access.c (memory instructions), arith.c, fences.c, control.c (jumps), barriers.c,
 * multimem.c, conditions.c and lower.c, which calls the rest. Private to src/ptx. Every function that returns bool
 * returns false after reporting an error. */
#pragma once

#include "ptx/boxes.h"
#include "ptx/isa.h"
#include "ptx/lower.h"
#include "ptx/names.h"
#include "ptx/matrix.h"

/* A name of the init block. */
struct symbol {
  const char *name;
  struct span span;                 /* its declaration */
  const struct litmus_entry *entry; /* NULL: declared implicitly */
  uint32_t target;                  /* the symbol of which it is an alias; NO_NAME: it is a location itself */
  bool own_view;                    /* a location or a generic alias, which has its own virtual addresses */
  enum space space;
  struct type type;
  uint32_t count;     /* elements */
  uint32_t items;     /* its length as declared: a float4 is one item of 4 elements */
  uint32_t instances; /* 1, the number of CTAs (.shared), or the number of threads (.local, .param) */
  uint32_t *views;    /* index of the view of each instance; NULL until laid out */
  bool tensormap;     /* a tensor map; its entry's values are its possible targets */
  bool mbarrier;      /* an mbarrier object, with its initial count; 0: not initialised */
  uint32_t expected;
  enum host_memory memory; /* as written */
  bool multimem;           /* a multimem address, which has replicas and no views */
  uint32_t *replicas;      /* index of the view of each replica */
  uint32_t replica_count;
};

struct cta {
  uint32_t gpu, grid, number, cluster_id;
  bool cluster_named;
  uint32_t cluster;
  struct span span;
};

/* Facts about a register in addition to struct reg. */
struct reg_use {
  bool written, read;
  bool typed;  /* the type was declared in the init block */
  bool number; /* written as something other than a predicate */
  bool bare;   /* an operand names it without %, so no location can have this name */
  bool faulty; /* it is used as a predicate, which it cannot be; reported */
};

struct label {
  const char *name;
  struct span span;
  uint32_t at; /* the index of the instruction after the label */
};

/* A place where a register is read as a predicate, or as a number. */
struct predicate_use {
  uint32_t reg;
  struct span span;
};

struct lower_thread {
  struct name_map names; /* of registers */
  VEC(struct reg) regs;
  VEC(struct reg_use) states;
  struct name_map label_names;
  VEC(struct label) labels;
  VEC(struct predicate_use) predicates;
  VEC(struct predicate_use) numbers; /* read as numbers */
  VEC(struct instr) code;
};

struct lowering {
  bool stating; /* the condition is lowered: a state to explain has a text of its own */
  struct arena *arena;
  struct intern *names;
  struct diags *diags;
  const struct litmus_test *test;
  const struct lower_options *options;
  struct program *program;
  struct lower_thread *threads;
  struct name_map thread_numbers; /* by interned "P<number>" */
  VEC(struct cta) ctas;           /* by cta_id */
  struct name_map symbol_names;
  VEC(struct symbol) symbols;
  VEC(struct object) objects;
  VEC(struct view) views;
  uint64_t phys, vaddr;   /* next free */
  bool too_large;         /* reported: no more locations fit */
  uint32_t errors_before; /* of this lowering */
  bool warps_named;       /* some thread is placed in a warp */
  bool tensor_memory;     /* each CTA has its lanes and columns */
};

/* True for the text of a module, which an assembler has accepted. */
static inline bool lower_of_module(const struct lowering *l, struct span span) {
  return span.source != l->test->source;
}

/* place.c. Sets program.threads with their places, and ctas. */
bool lower_placement(struct lowering *l);
/* After the instructions: warns if warps or clusters matter and no thread is placed in one. */
void lower_doubt_placement(struct lowering *l);
/* The index of the thread with this number, or NO_THREAD. */
uint32_t lower_find_thread(const struct lowering *l, uint32_t number);
/* Reports an unknown thread. */
void lower_unknown_thread(struct lowering *l, uint32_t number, struct span span);

/* locations.c */
bool lower_declarations(struct lowering *l);
/* The symbol with this name, or NULL. */
const struct symbol *lower_find_symbol(const struct lowering *l, const char *name);
/* The same, but an unknown name is reported, or declared if the options allow it. */
const struct symbol *lower_symbol(struct lowering *l, const char *name, struct span span);
/* The view that `ref` names for a thread (NO_THREAD: in the condition or the init block): resolves its owner. */
bool lower_view(struct lowering *l, const struct symbol *symbol, const struct litmus_ref *ref, uint32_t thread,
                uint32_t *view);
/* Byte offset of ref's index and offset within the location. */
int64_t lower_ref_offset(const struct symbol *symbol, const struct litmus_ref *ref);
/* The address that `ref` names, as a value. */
bool lower_ref_address(struct lowering *l, const struct litmus_ref *ref, uint32_t thread, value_t *address);

/* Adds a view of an object; false if it does not fit. */
bool lower_add_view(struct lowering *l, const char *name, uint32_t object, struct span span, uint32_t *view);

/* Adds lanes and columns of tensor memory for each CTA, once; false if they do not fit. */
bool lower_tensor_memory(struct lowering *l, struct span span);

/* registers.c */
/* The register with this name, which is added if it is new. */
uint32_t lower_reg(struct lowering *l, uint32_t thread, const char *name, struct span span);
/* The register with this name; NO_REG if the thread does not mention it. */
uint32_t lower_find_reg(const struct lowering *l, uint32_t thread, const char *name);
void lower_write_reg(struct lowering *l, uint32_t thread, uint32_t reg, struct type type);
void lower_read_reg(struct lowering *l, uint32_t thread, uint32_t reg);
bool lower_reg_init(struct lowering *l, const struct litmus_entry *entry);
/* Gives the threads their final registers, and reports registers that are never written. */
void lower_finish_regs(struct lowering *l);
/* True if an undeclared name can only be a register: r0, %x, rd1, p2. */
bool lower_looks_like_reg(const struct litmus_ref *ref);

/* operands.c */
struct lower_instr {
  uint32_t thread;
  const struct isa_row *row;
  const struct litmus_instr *ast;
  struct isa_qualifiers q;
  struct instr *out;
  unsigned count; /* operands */
  bool pure;      /* if it is not modelled, it only writes the registers of its first operand */
};

/* HAS: the qualifier of a class, or NULL. The next two: its value; true if the qualifier has this value. */
#define HAS(in, kind) ((in)->q.found[QUALIFIER_##kind])
#define VALUE(in, kind) ((in)->q.value[QUALIFIER_##kind])
#define IS(in, kind, of) (HAS(in, kind) && VALUE(in, kind) == (of))

/* The functions that lower the forms of isa.def, each in the file of the form's name, or as that file's head says. */
#define PTX_FORM(id, lower, pure) bool lower(struct lowering *l, struct lower_instr *in);
#include "ptx/isa.def"

/* The number as a value of `width` bits; reports VALUE_RANGE. */
bool lower_number(struct lowering *l, const struct litmus_number *number, unsigned width, value_t *out);
/* The number as a value of a type: also converts floating-point literals, and refuses them in other types. */
bool lower_value(struct lowering *l, const struct litmus_number *number, struct type type, value_t *out);
/* Reports a missing qualifier ("this 'X' needs WHAT"), and returns false. The next function reports a qualifier of a
 * class that is not allowed here: false if there is one, else true. */
bool lower_missing(struct lowering *l, const struct lower_instr *in, const char *what, const char *hint);
bool lower_refuse_word(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind);
const struct litmus_operand *lower_operand_at(const struct lower_instr *in, unsigned index);
bool lower_operand_count(struct lowering *l, const struct lower_instr *in, unsigned least, unsigned most);
/* A result register; `_` gives NO_REG if `sink` allows it. */
bool lower_dst(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand, struct type type,
               bool sink, uint32_t *out);
/* A register or a constant of a type. */
bool lower_src(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, struct type type,
               struct operand *out);
/* The written type, if it is in `types` or `later`; else `fallback`, if the instruction takes its width. */
bool lower_type(struct lowering *l, const struct lower_instr *in, struct type fallback, uint32_t types, uint32_t later,
                enum ptx_type *chosen, struct type *out);
/* Makes the instruction INSTR_UNSUPPORTED, keeping an earlier reason. Returns true: this is not an error. */
bool lower_unsupported(struct lowering *l, struct lower_instr *in, enum reason_id why);
void lower_unsupported_with(struct lower_instr *in, const struct reason *why);

/* An instruction of this kind without registers to write. */
struct instr lower_blank(enum instr_kind kind, const struct litmus_instr *ast);
/* Instructions that a written instruction needs before it. They have its span and no predicate, and write registers
 * without a name in the text (lower_hidden_reg). */
struct instr lower_alu(const struct lower_instr *in, enum alu_op alu, struct type type);
void lower_emit(struct lowering *l, const struct lower_instr *in, struct instr instr);
/* The same with the predicate of the written instruction; and with a hidden register as result, which it gives. */
void lower_emit_guarded(struct lowering *l, const struct lower_instr *in, struct instr instr);
struct operand lower_computed(struct lowering *l, const struct lower_instr *in, struct instr instr, struct type type);
struct operand lower_register(uint32_t reg, struct span span);
struct operand lower_constant(value_t value, struct span span);
/* The width of the register that the operand names; 32 if it is unknown yet, or if the operand is not a register. */
unsigned lower_operand_width(const struct lowering *l, const struct lower_instr *in, unsigned index);

/* registers.c: a new register without a name. */
uint32_t lower_hidden_reg(struct lowering *l, const struct lower_instr *in, struct type type);

/* specials.c */
/* The name of a special register, or of another word with %, without the %; NULL: the operand is neither. */
const char *lower_special_name(struct lowering *l, const struct litmus_operand *operand);
/* The value of a special register, a constant; unsupported if the placement does not determine it. */
bool lower_special(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, struct type type,
                   struct operand *out);

/* True if the placement does not give the thread's lane, so that the instruction is not modelled. */
bool lower_lane_open(struct lowering *l, struct lower_instr *in);
/* True if the instruction has .sync, as it must. */
bool lower_needs_sync(struct lowering *l, const struct lower_instr *in);

/* access.c */
/* The thing that an operand names: [x], [x+4], [cta1:z] or [r1]. */
struct target {
  const struct litmus_operand *operand;
  const struct symbol *symbol; /* NULL: through a register */
  uint32_t view;
};
/* The address that it names; NULL: its target does not matter. */
bool lower_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                   struct address *address, struct target *target);
/* The same, in shared memory. */
bool lower_shared_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                          struct address *address, struct target *target);
/* Packed types: makes the type the type of one element, and sets `packed`. The next functions: the operands, which are
 * lists if the instruction has a vector. */
void lower_lanes(struct lower_instr *in, enum ptx_type type);
bool lower_results(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand);
bool lower_values(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand);

/* control.c: labels, predicates and jumps. Labels are added before the instructions are lowered, and placed between
 * them. */
bool lower_add_label(struct lowering *l, uint32_t thread, const struct litmus_word *word);
void lower_place_label(struct lowering *l, uint32_t thread, const struct litmus_word *word);
void lower_use_predicate(struct lowering *l, uint32_t thread, uint32_t reg, struct span span);
void lower_use_number(struct lowering *l, uint32_t thread, uint32_t reg, struct span span);
void lower_guard(struct lowering *l, struct lower_instr *in);
/* Gives the threads their instructions, resolves labels, and checks predicates, loops and waits at clusters. */
void lower_control(struct lowering *l);

/* lanes.c: the mask of lanes of an instruction that has one */
bool lower_lanes_mask(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand);
struct barrier *lower_start_barrier(struct lowering *l, struct lower_instr *in, enum barrier_kind kind,
                                    enum barrier_action action);

/* async.c: st.async and red.async; copies to a multimem address */
bool lower_async_store(struct lowering *l, struct lower_instr *in);
bool lower_multimem_copy(struct lowering *l, struct lower_instr *in);

/* tensormap.c: true if the entry is `tensormap tm = {x,y}`; the targets of such maps; copies through one. */
bool lower_is_tensormap(const struct litmus_entry *entry);
bool lower_check_tensormap(struct lowering *l, const struct litmus_entry *entry);
bool lower_tensormaps(struct lowering *l);
/* async.c: true if a product of PTX's own shapes gives the places of its matrices; lowers that product. */
bool lower_has_layouts(const struct lower_instr *in);
bool lower_matrices(struct lowering *l, struct lower_instr *in);
/* rows.c: true if ldmatrix or stmatrix gives the places of the thread's parts. */
bool lower_has_rows(const struct lower_instr *in);
/* async.c: a matrix at a place in shared memory, with the layout in its operand; `shape` gives the rest. */
bool lower_layout(struct lowering *l, struct lower_instr *in, uint32_t index, struct matrix shape, struct address *out,
                  struct byte_runs *runs);
/* tensormap.c: the side of a copy that is accessed through a tensor map, in the operand `index`; `offsets`: the operand
 * with the offsets of im2col, or NULL. */
struct mapped {
  struct address *address;
  struct byte_runs *runs;
  uint32_t bytes; /* in shared memory */
  struct type element;
};
bool lower_tensor_address(struct lowering *l, const struct lower_instr *in, unsigned index,
                          const struct litmus_operand *offsets, struct mapped *out);
/* tensormap.c: the mode of a copy, an enum box_mode, checked against its direction, its dimensions and its offsets. */
bool lower_box_mode(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *offsets,
                    enum box_way way);

/* host.c: reads Host= and Link= for a thread of a host, at this place; lowers what only hosts have; turns a lowered
 * statement of a host into the instructions of its ISA, of which the last is `out`. */
bool lower_host_key(struct lowering *l, struct span span);
bool lower_host_call(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out);
void lower_host_launches(struct lowering *l); /* once branches have their targets */
bool lower_host(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out);

/* grids.c: `grid 1 after grid 0` */
bool lower_launches(struct lowering *l);

/* mbarrier.c */
/* True if the entry is `mbarrier b = 1`. */
bool lower_is_mbarrier(const struct litmus_entry *entry);
bool lower_check_mbarrier(struct lowering *l, const struct litmus_entry *entry, uint32_t *expected);
/* An operand that names an mbarrier object. */
bool lower_mbarrier_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                            struct address *out);

/* multimem.c */
bool lower_check_multimem(struct lowering *l, const struct litmus_entry *entry);
/* Gives multimem addresses their replicas, which must have their views. */
bool lower_replicas(struct lowering *l);
/* Checks `size` bytes, at a multiple of `unit`, in every replica of the multimem address that the operand names. */
bool lower_multimem_address(struct lowering *l, const struct litmus_operand *operand, int64_t size, int64_t unit,
                            uint32_t **vaddrs, uint32_t *count);

/* pauses.c: after the conditions, takes branches without effect out of threads with loops. */
void lower_drop_pauses(struct lowering *l);

/* stages.c: notes the rings in the shared memory of kernels. */
void lower_rings(struct lowering *l);

/* conditions.c. Sets program.observables, condition and filter; the last step. */
bool lower_conditions(struct lowering *l);
