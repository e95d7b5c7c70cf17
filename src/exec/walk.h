/* A thread walked with symbolic values. Private to src/exec: walk.c does control flow, operate.c the instructions,
 * arith.c and integers.c integer arithmetic, floats.c floating-point arithmetic. */
#pragma once

#include "exec/build.h"
#include "ptx/alu.h"

/* The content of a register: a value, how it is extended when read at a larger width, and the reads from which it
 * comes. */
struct reg_state {
  term_id value;
  bool is_signed;
  struct bitset reads;
};

/* A point that the thread reaches if `guard` holds, in executions that are not left out; `reach` is the same for all
 * executions: dependencies are decided on it. */
struct path {
  term_id guard, reach;
  struct reg_state *regs;
  struct bitset control;    /* the reads that earlier branches depended on */
  uint64_t way;             /* a hash of the directions of known branches: equal for threads on the same path */
  bool parted;              /* the direction of an earlier branch was not known */
  uint32_t cluster_arrival; /* the latest arrive event on the cluster barrier, NO_REG if none */
};

/* Facts that a walk finds about each loop of a thread: `open`: not only constants determine when it ends; `used`: the
 * number of copies that are reached; `more`: one more would be reached. */
struct loop_facts {
  bool *open, *more;
  uint32_t *used;
};

/* An activemask that a thread reaches. */
struct active {
  uint32_t thread, instr;
  struct span place;
  uint64_t way;
  bool parted;
};

/* A result that all lanes share: of a vote or a bar.red. */
struct agreed {
  term_id result;
  uint32_t wait;
};

/* An iteration of a loop: its events are those from `first` on, it happens under `guard`, and another one follows
 * under `taken`. */
struct iteration {
  uint32_t first;
  term_id guard, taken;
};

/* A register that a product of the thread reads (A) or writes (its sum), from its issue event on. */
struct held_register {
  uint32_t reg, issue;
  bool sums;
};

/* An access to a register, with the condition that no wgmma.fence has followed it. */
struct accessed_register {
  uint32_t reg;
  term_id unfenced;
};

/* The registers of the products of the thread being walked (AG3). */
struct fragments {
  struct bitset regs; /* that some product has */
  bool any;
  VEC(struct held_register) held;
  VEC(struct accessed_register) accessed;
};

struct walk {
  struct skeleton *s;
  struct terms *terms;
  struct dependencies *dependencies;
  uint32_t limit; /* bound on event numbers, for the sets of reads */
  struct path *path;
  /* The instruction being walked. */
  const struct instr *instr;
  struct operation *operation; /* the asynchronous operation, from operation_issue on */
  struct event base;           /* the members that all its events share */
  term_id predicate;           /* its guard, @p; TERM_TRUE without one */
  struct bitset guard_reads;   /* the reads that the guard depends on */
  struct bitset none;          /* no reads */
  struct arena *sets;          /* of sets of reads */
  struct loop_facts *facts;    /* NULL: not requested */
  VEC(struct active) actives;
  bool waits_next; /* only tcgen05.ld are between it and a tcgen05.wait::ld */
  VEC(struct agreed) agreed;
  struct fragments fragments;
  bool between; /* it is in an iteration between the first and the last one (struct further), without reads */
};

enum { ALU_OPERANDS = 4 };

/* arith.c: the result of the present instruction for its operands; for atomics the first is the old value. For packed
 * operands, a half. */
term_id walk_arithmetic(struct walk *walk, const term_id *operands);

/* arith.c, integers.c: the same for one operation, on integers. */
#define PTX_ALU(op, result, operands, word, floats) term_id alu_##op(struct walk *w, const term_id *v);
#include "ptx/alu.def"
/* a + b or a - b, clamped if the instruction is .sat. */
term_id walk_sum(struct walk *walk, enum term_op op, term_id a, term_id b);

/* floats.c: the same on floating-point operands. A result that PTX leaves open becomes an open hazard. */
term_id walk_float(struct walk *walk, const term_id *operands);
/* cvt from or to a floating-point type. */
term_id walk_convert(struct walk *walk, term_id value);
/* True if the instruction is floating-point arithmetic, other than a comparison, on a value that is not known. */
bool walk_floats_unknown(const struct walk *walk);
/* The reduction of the values of a multimem address's replicas: any order, any precision, or else open. */
term_id walk_float_reduction(struct walk *walk, const term_id *values, uint32_t count);

/* async/responses.c: walk_runs: the condition that the threads of a cluster run. walk_cancellations: the effect of
 * requests on it, once all threads are walked. */
term_id walk_runs(struct walk *walk, uint32_t thread);
void walk_cancellations(struct walk *walk);
/* async/responses.c: walk_response: the value that clusterlaunchcontrol.try_cancel writes. walk_query: the result of
 * query_cancel on it. */
term_id walk_response(struct walk *walk);
term_id walk_query(struct walk *walk, term_id response);

/* space.c: isspacep. */
term_id walk_space(struct walk *walk, term_id address);

/* free.c: walk_free: any value, for a reason; NULL: that of a clock. walk_open_free: a term with its conditions of free
 * values left open. walk_free_results: any results of the present instruction, for a reason. walk_float_of_free: why
 * they may be any, of floating-point arithmetic whose terms would be too many. */
term_id walk_free(struct walk *walk, unsigned width, const struct reason *why);
term_id walk_open_free(struct walk *walk, term_id term);
void walk_free_results(struct walk *walk, const struct reason *why);
const struct reason *walk_float_of_free(struct walk *walk);
/* free.c: the guard of the instruction in executions without timeouts: if a clock alone decides that a thread goes
 * straight to a trap (K10), it does not. So a wait with a timeout is like a wait without one. */
term_id walk_in_time(struct walk *walk, term_id predicate);

/* operate.c: the events and register writes of the instruction, of any kind but branches and exits. */
void walk_operate(struct walk *walk);

/* async/async.c, async/commit_groups.c: asynchronous operations, and groups of them. */
void walk_async(struct walk *walk);
/* async/async.c: mapa and getctarank: an address in another CTA of the cluster, and the rank of an address's CTA. */
term_id walk_cta_address(struct walk *walk, const term_id *operands);
void walk_group(struct walk *walk);
/* async/tensor_columns.c: walk_tensor_end notes the columns that a thread has allocated and not freed at its end;
 * walk_tensor_ends is called once all threads are walked. */
/* walk_tensor_turn, before each instruction: continues or ends a run of loads of tensor memory. False: a wait for loads
 * that already had one. */
bool walk_tensor_turn(struct walk *walk);
void walk_tensor_end(struct walk *walk, uint32_t thread);
void walk_tensor_ends(struct walk *walk);
/* exits.c: the end of a thread, after `steps` steps; walk_exits, once all threads are walked. */
void walk_exit(struct walk *walk, uint32_t thread, uint32_t steps);
void walk_exits(struct walk *walk);
/* async/grids.c: griddepcontrol; and the start of a thread whose grid follows another, before its first instruction. */
void walk_grid(struct walk *walk);
void walk_grid_start(struct walk *walk, uint32_t thread, uint32_t first);
/* async/commit_groups.c: under a condition, an instruction uses a register whose value comes from these reads. */
void walk_use_result(struct walk *walk, struct bitset reads, term_id when);
/* async/fragments.c: walk_fragments begins a thread; walk_access: under a condition, an instruction accesses a
 * register, which a product may have; walk_access_product: the product of this issue event accesses its registers;
 * walk_fence_registers: a wgmma.fence. */
void walk_fragments(struct walk *walk, uint32_t thread);
void walk_access(struct walk *walk, uint32_t reg, term_id when);
void walk_access_product(struct walk *walk, uint32_t issue);
void walk_fence_registers(struct walk *walk);

/* lanes.c: shfl, vote, match and redux: the values that the lanes of the mask bring, and results for a lane. */
enum { EXCHANGE_LANES = 32 };
struct exchanged {
  uint32_t mask;
  term_id values[EXCHANGE_LANES], comes[EXCHANGE_LANES]; /* comes: true if the lane brings its value, else that is 0 */
  term_id second, away; /* the second result; of shfl: the lane from which the value would come does not come */
  uint32_t from;        /* the lanes whose values decide the result */
};
/* The first result of the present instruction for the lane; sets the other members. */
term_id walk_exchanged(struct walk *walk, struct exchanged *exchanged, uint32_t lane);
/* The value that the thread brings, and its width. */
term_id walk_brought(struct walk *walk, unsigned *width);
/* Adds the events of such an instruction. */
void walk_exchange(struct walk *walk);
/* lanes.c: activemask: the lanes of the warp that the test has. If they took different paths before, or may have, the
 * set that runs together is open: walk_active_together refuses this once all threads are walked. */
term_id walk_active(struct walk *walk);
void walk_active_together(struct walk *walk);

/* together.c: walk_agree: notes a result that all threads of this wait's exchange or barrier share.
 * walk_repeats_together: true if an iteration is repeated if and only if such a result has some value, and has no other
 * effect that a later one can see. */
void walk_agree(struct walk *walk, term_id result, uint32_t wait);
bool walk_repeats_together(struct walk *walk, const struct iteration *iteration);

/* silent_updates.c: the condition that a write of an iteration has an effect: it happens, with another value than its
 * atomic read. */
term_id walk_write_effect(struct walk *walk, uint32_t write);

/* operate.c: the value of a register at a width; of an operand (none: 0); of an address. */
term_id walk_read_reg(struct walk *walk, uint32_t reg, unsigned width);
term_id walk_operand(struct walk *walk, const struct operand *operand, unsigned width);
term_id walk_address(struct walk *walk, const struct address *address, uint32_t more);

/* The thread being walked. */
static inline const struct thread *walk_own(const struct walk *w) { return &w->s->program->threads[w->base.thread]; }

/* True if the accesses of the instruction are left out (skeleton_options.lean). */
static inline bool walk_leaves_out(const struct walk *w) {
  return w->s->lean && relevant_is_idle(w->s->program, w->s->lean, w->base.thread, w->base.instr);
}

/* operate.c, walk_limit: bounds the numbers of reads, whose sets are in the arena. */
void walk_limit(struct walk *walk, uint32_t limit, struct arena *arena);
/* operate.c: writes a register, with the reads that its value comes from; an empty set of reads; adds an operand's
 * reads to a set; adds an event, with the dependencies of its existence; adds a dependency. */
void walk_write_reg(struct walk *walk, uint32_t reg, term_id value, bool is_signed, struct bitset reads);
struct bitset walk_no_reads(struct walk *walk);
void walk_add_reads(struct walk *walk, struct bitset reads, const struct operand *operand);
uint32_t walk_add_event(struct walk *walk, struct event event);
void walk_depend(struct walk *walk, enum cat_builtin kind, struct bitset reads, uint32_t to);
void walk_depend_on(struct walk *walk, enum cat_builtin kind, const struct operand *operand, uint32_t to);
/* The condition that event `number`, a wait that is tried under `tried`, passes; if it does not, the path ends
 * there. */
term_id walk_passes(struct walk *walk, term_id tried, uint32_t number);
/* A wait for the phase of an arrival; returns its event. */
uint32_t walk_add_arrival(struct walk *walk, const struct barrier *barrier);
uint32_t walk_add_wait(struct walk *walk, uint32_t arrival);
/* Adds undefined behaviour under `when`, at the present instruction; returns false. */
bool walk_hazard(struct walk *walk, term_id when, enum reason_id why);

/* mbarrier.c: an operation on an mbarrier object; the object that an address names, or NO_OBJECT after a refusal or
 * hazard; walk_mbarrier_home: the CTA that owns it. */
void walk_mbarrier(struct walk *walk);
uint32_t walk_mbarrier_object(struct walk *walk, const struct address *address);
uint32_t walk_mbarrier_number(struct walk *walk, uint32_t object); /* of an object of the program */
uint32_t walk_mbarrier_home(const struct walk *walk, uint32_t object);
/* async/async.c: refuses a product of whole matrices, whose value is not known, if a condition may need it. Kernels
 * leave out the instructions that need it (K3). */
bool walk_product_unasked(struct walk *walk);

/* walk_opaque: the final value of a register; all states of an mbarrier object look alike. walk_known: the value of an
 * operand that must be known. walk_counted: arrivals or bytes that count at an mbarrier object; `each`: once for the
 * thread and once for each that it represents, whose steps happen with its own (K5). */
term_id walk_opaque(struct walk *walk, uint32_t reg, unsigned width);
bool walk_known(struct walk *walk, const struct operand *operand, unsigned width, enum reason_id why, uint32_t *out);
int32_t walk_counted(struct walk *walk, uint32_t count, bool each);

/* walk.c: a register with the content `yes` if `taken` holds, else `no`. */
struct reg_state walk_choose(struct walk *walk, term_id taken, const struct reg_state *yes, const struct reg_state *no);

/* deciders.c, with skeleton_options.notes_uses. walk_decides: a value matters in itself if `when` holds.
 * walk_decides_at_end: so do the observed registers of the thread at its end. walk_turn: the present iteration, from
 * step `first` on. */
void walk_decides(struct walk *walk, term_id when, term_id value);
void walk_decides_at_end(struct walk *walk, uint32_t thread);
void walk_turn(struct walk *walk, const struct iteration *iteration, uint32_t first);

/* walk.c: begins the instruction of this step of the thread. */
void walk_begin(struct walk *walk, uint32_t thread, uint32_t index, uint32_t step);

/* walk.c: refuses to build the skeleton, with the reason; returns false. */
bool walk_refuse(struct walk *walk, enum reason_id why, struct span place);

/* True if it holds; else the present instruction is undefined, or not modelled. */
static inline bool walk_needs(struct walk *w, bool holds, enum reason_id why) {
  return holds || walk_hazard(w, w->base.exec, why);
}
static inline bool walk_models(struct walk *w, bool holds, enum reason_id why) {
  return holds || walk_refuse(w, why, w->instr->span);
}
