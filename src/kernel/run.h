/* Runs threads of kernels on constants (docs/semantics.md K14): the launch, parameters, special registers, addresses,
 * bytes of memory that can have only one value, and exchanges of such values between lanes. Each thread is left as
 * blocks of instructions, with values in place of known registers, and the branches that memory decides.
 *
 * A block begins at the target of a jump, with some registers known; a thread that reaches the target again with the
 * same known values goes round a loop. A loop that constants end is written out. In a loop that only memory ends,
 * registers that differ between two iterations become unknown (K12). Private to src/kernel. */
#pragma once

#include "base/bits.h"
#include "exec/walk.h"
#include "kernel/expand.h"
#include "kernel/memory.h"
#include "ptx/matrix.h"

enum { MOST_WRITTEN_OUT = 65536, NO_BLOCK = UINT32_MAX, WARP_LANES = 32 };

/* A loop: the instructions on the paths from one back to it. */
struct cycle_of {
  uint32_t begin; /* the only one reached from outside */
  struct bitset has;
};

/* By term: its only leaf, and its value for the leaf's value last tried. */
struct learned {
  term_id leaf, now;
  uint32_t round;
  uint32_t few;    /* of a leaf: the values that it may have, among those of `few`, and 1; 0: any */
  term_id brought; /* unknown result of vote.all or .any: this lane's condition; 0: it is none */
  bool all;
};

struct learning {
  struct terms *terms;
  uint32_t round;
  VEC(struct learned) list;
  VEC(struct few) few;
};

/* The instructions of an entry, common to all threads. */
struct body {
  const struct program *program; /* of one thread */
  const struct thread *thread;
  struct skeleton *skeleton;  /* the terms of all threads' registers */
  struct learning learning;   /* of these */
  uint32_t *group_end;        /* by instruction: where those of the same instruction of the text end */
  bool *leader;               /* by instruction: a jump leads here */
  struct bitset *live;        /* by instruction: registers that may matter when it starts */
  struct bitset none;         /* no reads */
  VEC(struct cycle_of) loops; /* `begin` differs */
  struct bitset read;         /* registers that memory may decide */
  bool *waits;                /* by loop: memory alone ends it */
  bool *works;                /* by loop: it has operations on mbarrier objects other than tests */
  struct name_map slots;      /* registers by name */
};

/* The bytes of a matrix, by offset from its start; `end` bytes hold all of them. */
struct matrix_bytes {
  struct matrix matrix;
  uint32_t end;
  struct bitset has;
};

/* An access by a remaining instruction: `operand` will name the bytes. */
struct touch {
  struct litmus_operand *operand; /* that names it; NULL: none does */
  struct region *region;
  uint32_t at, bytes;
  uint64_t address;               /* pointer */
  bool mbarrier, writes, pointer; /* pointer: only its address is taken */
  bool joins;                     /* pointer: but the bytes are one location's */
  bool open;                      /* no bytes: it may be any of the region's, at an address that is not known */
  const struct matrix_bytes *only; /* of the bytes these; NULL: all */
};

/* One past the last byte whose value it accesses. */
static inline uint32_t touch_end(const struct touch *touch) {
  uint32_t end = touch->at + touch->bytes;
  return touch->pointer ? touch->at : end < touch->region->size ? end : touch->region->size;
}

static inline bool touch_has(const struct touch *touch, uint32_t at) {
  return !touch->only || bitset_has(touch->only->has, at - touch->at);
}

/* ldmatrix or stmatrix reached by all lanes of a warp: the addresses of rows that they give. */
struct warp_rows {
  struct row_access access;
  uint64_t addresses[WARP_LANES];
  uint32_t lanes, known; /* those that come; those whose address is known */
};

/* An instruction that is left. */
struct remnant {
  struct litmus_instr *instr;
  uint32_t begin, end; /* instructions of the body */
  bool met;            /* all lanes of an exchange came */
  bool folded;         /* all that it writes to registers is known */
  bool idle;           /* a weak access: nothing needs the values that it reads or writes */
  bool blind;          /* an atomic: nothing needs the values that it reads and writes */
  bool quiet;          /* it does nothing but compute */
  uint32_t meets;      /* of an exchange of nothing: the lanes that meet; else 0 */
  uint32_t wanted;     /* of an exchange: the lanes whose values decide its result */
  const struct warp_rows *rows; /* NULL: it is no ldmatrix or stmatrix */
  uint32_t touch, touches;
};

struct block {
  uint32_t at;     /* instruction */
  uint32_t *known; /* by register that is live there: its constant and sign, or OPEN */
  VEC(struct remnant) code;
  uint32_t next[2];          /* next[1] where `guard` holds; NO_BLOCK: the end, or none */
  struct litmus_word *guard; /* NULL: there is no branch */
  bool negated, closed, replaced;
  uint32_t parent, entries;
  uint32_t split; /* the instruction that is its branch */
  bool took;      /* a request of the CTA has canceled the other cluster */
};

/* A thread between two instructions. */
struct progress_point {
  uint32_t at, block;
  struct reg_state *regs;
  uint32_t *last;  /* by loop: the block of its latest iteration, or NO_BLOCK */
  bool *decided;   /* by loop: constants kept the thread in it, in this iteration */
  uint32_t *turns; /* by loop in which a thread waits */
  bool *polled;    /* by loop: memory might have let it out, in this iteration */
  uint32_t epoch;  /* the number of barriers of the whole CTA that it has passed */
  uint32_t columns; /* of tensor memory that it has allocated: a bit for each 32 */
  bool took;       /* as in a block */
  bool arrives;    /* at a leader, whose block is not known yet */
  uint32_t from;   /* the instruction it came from */
};

/* A thread that runs. */
struct runner {
  struct kernel_run *run;
  uint32_t number, block, tid, cta;     /* among all threads of the test; in its kernel; in its block; among all CTAs */
  uint32_t cluster_first, cluster_size; /* CTAs of its cluster, among all */
  struct walk walk;
  struct path path;
  VEC(struct block) blocks;
  VEC(struct touch) touches;
  VEC(struct progress_point) pending; /* to go on with */
  VEC(struct progress_point) waiting; /* at an exchange, or for memory */
  uint32_t latest;                    /* of `touches`: the first of the instruction being left */
  uint32_t written, leaves;           /* instructions so far; values that are not known */
  uint32_t stopped;                   /* the instruction at which it was given up, plus 1; else 0 */
  const struct reason *why;           /* stopped: why; NULL: it had more than MOST_WRITTEN_OUT instructions */
  const value_t *sum; /* the addend of the present atomic; NULL: it is none */
  uint32_t epoch, columns; /* of the standing that goes on */
  bool took;          /* as in that */
  bool ended;         /* the instruction just done ends the thread */
  bool column;        /* of the test */
  bool leads;         /* it is the first one of its warp */
  uint32_t behind;    /* the number of other threads it stands for */
  const struct warp_rows *rows; /* at ldmatrix and stmatrix */
  uint32_t wanted;             /* at an exchange: as in its remnant */
};

/* True if two threads are of one warp. */
static inline bool run_same_warp(const struct runner *a, const struct runner *b) {
  return a->run == b->run && a->block == b->block && a->tid / WARP_LANES == b->tid / WARP_LANES;
}

/* Loops over the touches of a remnant, or another struct with `touch` and `touches`; and over the remnants of a thread.
 */
#define EACH_TOUCH(touch_, runner, of)                                                                                 \
  for (struct touch *touch_ = (of)->touches ? (runner)->touches.data + (of)->touch : NULL,                             \
                    *end_ = touch_ ? touch_ + (of)->touches : NULL;                                                    \
       touch_ != end_; touch_++)
#define EACH_LEFT(left_, runner)                                                                                       \
  for (struct block *block_ = (runner)->blocks.data; block_ != VEC_END(&(runner)->blocks); block_++)                   \
    for (struct remnant *left_ = block_->code.data; left_ != VEC_END(&block_->code); left_++)

/* A register that holds an address when a thread begins. */
struct given {
  const char *name;
  uint64_t value;
};

/* One kernel of the test. */
struct kernel_run {
  struct expansion *x;
  struct memory *memory;
  const struct litmus_kernel *kernel;
  struct body body;
  uint32_t first_cta; /* among all CTAs */
  bool *observed;     /* by register: a condition names it; NULL: none */
  uint32_t shared_bytes, local_bytes;
  uint64_t workspace; /* of a cooperative launch; 0: it is none */
  VEC(struct given) givens;
  VEC(struct matrix_bytes *) matrices; /* that products have */
  VEC(struct runner *) runners;
  VEC(struct progress_point) spare; /* that are over: their arrays are used again */
};

/* The way in which lanes of a warp execute an instruction. */
enum meeting_kind { MEETING_NONE, MEETING_EXCHANGE, MEETING_ELECT, MEETING_ACTIVE, MEETING_ROWS };
enum meeting_kind run_meeting(const struct instr *instr);

/* run.c: runs a thread as far as it gets without the others. True if it did anything. */
bool run_go_on(struct runner *runner);
/* Puts a thread before the first instruction, with values in registers. */
struct runner *run_begin(struct kernel_run *run, uint32_t block, uint32_t tid, uint32_t number);
void run_give(struct runner *runner, const char *name, uint64_t value);
/* The memory that a thread waits for has no value. */
void run_blank(struct runner *runner, struct progress_point *standing);
/* A value that is not known. */
term_id run_unknown(struct runner *runner, unsigned width);
/* A waiting thread goes on after its instruction, which is left over if its results are not known. */
void run_pass(struct runner *runner, struct progress_point *standing, bool known, const term_id results[2]);
/* The region of an address, and where in it. */
struct region *run_find(const struct runner *runner, uint64_t address, uint32_t *at);

/* run.c: a register gets a value. */
void run_set(struct runner *runner, uint32_t reg, term_id value, bool is_signed);

/* requests.c: bytes to which a request writes a response that is open; such bytes are noted; the result of a query. A
 * way of a branch, of which the other one goes to `other`, on which a response says that the other cluster is canceled:
 * no request does so again, so that a loop which the other way leaves is written out. */
bool request_writes(const struct memory *memory, const struct region *region, uint32_t at);
void request_note(struct runner *runner, uint64_t where);
term_id request_answer(struct runner *runner, const struct instr *instr);
void request_take(struct runner *runner, const struct progress_point *at, uint32_t other, struct progress_point *way);
/* blocks.c: a new block; `known`: NULL if it only leads to another block. */
uint32_t block_add(struct runner *runner, uint32_t at, uint32_t *known, uint32_t parent);
/* Block `from` continues as block `to`. */
void block_close(struct runner *runner, uint32_t from, uint32_t to);
/* A thread reaches the target of a jump. False: it was here before, with the same registers known. */
bool block_arrive(struct runner *runner, struct progress_point *point);
/* True if nothing leads to the block any more: a loop above was widened. */
bool block_is_obsolete(const struct runner *runner, uint32_t block);

/* learn.c: the values that a leaf may have, as a number, the same for the same values; 0: any. */
uint32_t learn_few(struct learning *learning, const struct few *few);
void learn_leaf(struct learning *learning, term_id leaf, uint32_t few);
uint32_t learnt_few(struct learning *learning, term_id term);
/* A leaf is the result of vote.all or .any, to which this lane brings the condition `brought`. */
void learn_vote(struct learning *learning, term_id leaf, term_id brought, bool all);
/* The values of registers where a condition holds, as far as its leaf tells. */
void learn(struct learning *learning, struct reg_state *regs, uint32_t count, term_id condition);

/* exchange.c: lets lanes of a warp that wait for one another go on; `force`: even those whose mask is not known. True
 * if some lane goes on. */
bool run_exchange(struct kernel_run *run, bool force);

/* touch.c: a thread reads bytes at an address, or writes an unknown value to them; or uses an mbarrier object. */
void run_touch(struct runner *r, uint64_t address, uint32_t bytes, bool writes);
void run_touch_object(struct runner *r, uint64_t address);
/* touch.c: one location must have all these bytes, of an instruction that touches its elements one by one. */
void run_touch_whole(struct runner *r, uint64_t address, uint32_t bytes);

/* touch.c: bytes at an unknown address of this state space; SPACE_GENERIC: of any. An unknown offset from a location
 * stays in it: the columns report one that does not. `id`: the address; TERM_FALSE: any. */
void run_touch_anywhere(struct runner *r, term_id id, enum space space, bool writes);

/* touch.c: bytes that a thread reads at an address, if they are in one location; writes, NULL: an unknown value. */
enum cell run_get(struct runner *r, uint64_t address, uint32_t bytes, value_t *value);
void run_put(struct runner *r, uint64_t address, uint32_t bytes, const value_t *value);

/* maps.c: bytes of memory become a declared map. */
void maps_set(const struct expansion *x, const struct memory *memory, struct region *region, uint32_t at,
              const char *name);
/* maps.c: the declared map that the bytes at an address are; NULL: none, or they are not known. True if they have no
 * value yet. */
const struct litmus_entry *maps_content(struct runner *runner, uint64_t address);
bool maps_blank(struct runner *runner, uint64_t address);
/* maps.c: true of tensormap.replace, and of tensormap.cp_fenceproxy; their effect on a map. False: it stores the value
 * loaded. */
bool maps_replaces(const struct instr *instr);
bool maps_copies(const struct instr *instr);
bool maps_change(struct runner *runner, const struct instr *instr, uint64_t address);

/* tensors.c: instructions on matrices, which the body does not model; and the accesses of one. */
enum tiled_kind { TILED_NONE, TILED_COPY, TILED_PRODUCT, TILED_ROWS };
enum tiled_kind tiled_kind(const struct instr *instr);
void tiled_touch(struct runner *runner, const struct instr *instr);
/* The address of the map that a copy goes through. False: it is none, or not known. True if that has no value yet. */
bool tiled_map(const struct runner *runner, const struct instr *instr, uint64_t *address);
bool tiled_waits(struct runner *runner, const struct instr *instr);
/* tensors.c: the tensor map that an operand leads to, or NULL, and in *address where it is, 0 where it is no location;
 * that which an operand of a remnant names; bytes that a copy through it takes. */
const struct litmus_entry *tensor_map_at(struct runner *runner, const struct litmus_operand *operand,
                                         uint64_t *address);
const struct litmus_entry *tensor_map_of(const struct expansion *x, const struct litmus_operand *operand);
uint32_t tensor_copy_bytes(const struct litmus_map *map, const struct litmus_instr *ast);
/* tensors.c: the address that a lane gives to ldmatrix or stmatrix. False: it is not known. */
bool tiled_row(const struct runner *runner, const struct instr *instr, uint64_t *address);
/* tensors.c: the addresses of the parts that a lane has of rows, and the least one. 0: they are not known. */
uint32_t tiled_parts(const struct warp_rows *rows, uint32_t lane, uint64_t out[MOST_PARTS], uint64_t *least);
/* tensors.c: a place in shared memory and a layout in the place of a descriptor. False: it is none, or not known. */
bool tiled_describe(struct runner *runner, const struct instr *instr, uint32_t index, struct litmus_operand *operand,
                    uint64_t *address);
/* tensors.c: by register, the first register of the accumulator that its value comes from; NO_REG: it comes from none.
 */
uint32_t *tiled_accumulators(struct arena *arena, const struct body *body);

/* remnant.c: true if all that instructions of the body write to registers is known; `computes`: they do nothing else.
 * `touches`: how many there were before them. */
bool remnant_is_folded(const struct runner *runner, uint32_t begin, uint32_t end, uint32_t touches, bool *computes);
/* remnant.c: an instruction with values in place of registers, added to the block; a use of a register; a constant in
 * one, added to the block. */
struct remnant *remnant_add(struct runner *runner, uint32_t block, uint32_t begin, uint32_t end, bool folded);
struct litmus_instr *remnant_use(struct runner *runner, uint32_t reg, struct span span);
void remnant_move(struct runner *runner, uint32_t block, uint32_t reg, term_id value, struct span span);

/* body.c */
bool body_build(struct expansion *x, const struct module *module, const struct litmus_kernel *kernel,
                const struct module_function *entry, struct body *out);
uint32_t body_register(const struct body *body, const char *name);
