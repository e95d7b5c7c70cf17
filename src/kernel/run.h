/* Runs threads of kernels on constants (docs/semantics.md K14): the launch, parameters, special registers, addresses,
 * bytes of memory that can have only one value, and exchanges of such values between lanes. Each thread becomes a graph
 * of blocks of instructions in which values replace known registers, with only those branches that depend on memory.
 *
 * A block begins at the target of a jump, with some registers known; a thread that reaches the target again with the
 * same known values has closed a loop. A loop that constants end is unrolled. In a loop that only memory ends,
 * registers that differ between two iterations are widened: they become unknown (K12). Private to src/kernel. */
#pragma once

#include "exec/walk.h"
#include "kernel/expand.h"
#include "kernel/memory.h"
#include "ptx/matrix.h"

enum { MOST_WRITTEN_OUT = 65536, NO_BLOCK = UINT32_MAX, WARP_LANES = 32 };

/* For each term: its only leaf, and its value for the most recently tried value of the leaf. */
struct learned {
  term_id leaf, now;
  uint32_t round;
  uint32_t few;      /* of a leaf: 1 more than the index in `few` of its possible values; 0: any */
  term_id condition; /* for an unknown result of vote.all or .any: this lane's condition; 0: another term */
  bool all;
};

struct learning {
  struct terms *terms;
  uint32_t round;
  VEC(struct learned) list;
  VEC(struct few) few;
};

enum { GIVEN = 1, LOOSE };

/* The instructions of an entry, common to all threads. */
struct body {
  const struct program *program; /* of one thread */
  const struct thread *thread;
  struct skeleton *skeleton; /* the terms of all threads' registers */
  struct learning learning;  /* learned about these terms */
  uint32_t *group_end;       /* by instruction: the end of those lowered from the same source instruction */
  bool *leader;              /* by instruction: a jump leads here */
  struct bitset deciding;    /* registers whose values may decide branches or go to where others see them (kinds.c) */
  struct bitset wanted;      /* registers whose values something may need (needless.c); others have none */
  bool *matters;             /* by instruction: so may something values in memory that it accesses */
  struct bitset accesses;    /* by instruction and class of memory: threads have accessed bytes there so far */
  bool *reached;             /* by instruction: a thread has come there in this round */
  bool *needless;            /* by instruction, the first of its group: threads pass the group by (needless.c) */
  struct bitset *live;       /* by instruction: registers that may matter when it starts */
  struct bitset none;        /* no reads */
  struct cycle_list loops;   /* of the instructions */
  struct bitset read;        /* registers whose values may depend on memory */
  bool *waits;               /* by loop: only a value from memory ends it */
  uint32_t *discards; /* by instruction, a load: twice the number of the selp that alone takes its value, and 1 if
                         as the second operand; such a selp: 1 more than its first load; 0: neither */
  uint8_t *loose;     /* by instruction, an exchange: GIVEN: constants gave results, in any round; LOOSE: but a
                         lane came there alone, so that none is known */
  struct uneven {
    uint32_t least;         /* 1 more than the least number */
    uint64_t counts;        /* counts.h: all numbers, and those that loops add */
  } * uneven;               /* by instruction: paths come together there that have passed different numbers of
                               barriers; zeros: none do */
  struct bitset ends;       /* the instructions from which some way leads to the end without a barrier of the CTA */
  bool *works;              /* by loop: it has operations on mbarrier objects other than tests */
  uint32_t *limit;          /* by loop: a thread stays while numbers from memory are below; 0: no such condition */
  struct name_map slots;    /* registers by name */
  struct outline *outlines; /* by instruction, the first of its group */
  struct terms constants;   /* the values of remnants */
  uint32_t *fragments;      /* by register: the first one of those that products of wgmma have as a fragment of A or
                               an accumulator together with it; NO_REG: no product has it */
  bool multiplies;          /* some product of wgmma has such registers */
};

/* The bytes of a matrix, by offset from its start; all lie in the first `end` bytes. */
struct matrix_bytes {
  struct matrix matrix;
  uint32_t end;
  struct bitset has;
};

/* An atomic of a thread that adds a constant to bytes of a region, or a load, which adds 0. */
struct draw {
  struct region *region;
  uint32_t at, bytes;
  uint32_t number; /* of all draws */
  uint64_t added;
  uint64_t limit;              /* after which it begins again from 0 (atomicInc) */
  uint32_t instr;
  bool again;                  /* the instruction is in a loop: others of its executions read other numbers */
  bool stale;                  /* the loop has been widened since */
  const struct access *access; /* a load: this one, in draws.c; NULL: of several blocks */
  const struct tested *tested; /* in place of bytes: 1 if the condition holds, else 0 */
};

/* A value: base + scale * n, with a number n that an atomic or a load read, in natural numbers if n is at most `most`.
 * Where branches lead to it, n then is at most `limit`. */
struct drawn {
  const struct draw *from;
  uint64_t base, scale, most, limit;
  bool past;      /* not the latest execution may have read it */
  bool begins;    /* or the value is `first`, with which a loop begins */
  uint64_t first;
};

/* A condition: n is from `least` to `most`; or it is not. */
struct tested {
  struct drawn of; /* `base` and `scale` do not count */
  uint64_t least, most;
  bool outside;
};

/* An operand of a column that is the address of a byte of a region, and will name its location. */
struct naming {
  struct litmus_operand *operand;
  struct region *region;
  uint32_t at;
  uint64_t address;
};

/* An access by a remaining instruction. */
struct touch {
  struct region *region;
  uint32_t at, bytes;
  uint64_t address;                /* open: the hash of the address, as if all leaves were equal */
  bool mbarrier, writes, pointer;  /* pointer: only its address is taken */
  bool joins;                      /* pointer: the bytes must be in one location */
  bool open;                       /* the address is unknown: any bytes of the region */
  bool somewhere;                  /* a copy through a map: some of these bytes, which coordinates tell */
  bool meets;                      /* not all accesses that conflict with it are settled */
  bool discarded;                  /* a read whose value the thread does not use (discards.c) */
  bool witness;                    /* a pair with it shows the conflicts of all of the same kinds (conflicts.h) */
  struct draw *draw;               /* of such an atomic, or a load whose value is unknown */
  const struct drawn *drawn;       /* open: the address, if it is so (draws.c checks the counter); else the value that a
                                      store writes, if it is so */
  bool inside;                     /* drawn: aligned, in the region whatever n is, and settled with all others */
  uint32_t unit;                   /* open: the bytes that it accesses; 0: unknown */
  uint32_t modulus, residue;       /* open: what is known of the address */
  uint32_t end;                    /* open: of the bytes from `at` on that it may reach; 0: all of the region */
  const struct matrix_bytes *only; /* only these of the bytes; NULL: all */
};

/* One past the last byte whose value the touch accesses. */
static inline uint32_t touch_end(const struct touch *touch) {
  uint32_t end = touch->at + touch->bytes;
  return touch->pointer ? touch->at : end < touch->region->size ? end : touch->region->size;
}

/* One past the last byte that an access may have. */
static inline uint32_t reach_end(const struct touch *touch) {
  return !touch->open ? touch_end(touch) : touch->end ? touch->end : touch->region->size;
}

static inline bool touch_has(const struct touch *touch, uint32_t at) {
  return !touch->only || bitset_has(touch->only->has, at - touch->at);
}

/* ldmatrix or stmatrix reached by all lanes of a warp: the addresses of rows that they give. */
struct warp_rows {
  struct row_access access;
  uint64_t addresses[WARP_LANES];
  uint32_t lanes, known; /* that reach the instruction; whose address is known */
};

/* The predicate that a thread brings to bar.red. */
enum brings { BRINGS_ANY, BRINGS_FALSE, BRINGS_TRUE };

/* The barriers of a CTA, by number (9.7.15.1). */
enum { CTA_BARRIERS = 16 };

/* The registers of which a remnant needs the values: those that its text names, its guard, and what it may leave as it
 * is. Threads share its text until they become columns. */
struct outline {
  bool found;
  uint32_t *regs, count;
  struct litmus_instr *texts[2]; /* [1]: with its guard */
};

/* The tensor map of a copy: a declared one, or the one at an address, which copies the declared one. */
struct map_used {
  const struct litmus_entry *map;
  uint64_t address; /* 0: it is the declared one */
};

/* An instruction that remains. */
struct remnant {
  struct litmus_instr *instr; /* NULL: it has been left out */
  uint32_t value;             /* 1 more than the first of its values among `values` of the thread; 0: a move or a use */
  uint32_t begin, end;        /* instructions of the body */
  enum brings brings;         /* of bar.red */
  uint32_t meets;             /* of an exchange without values: the lanes that take part; else 0 */
  uint32_t wanted;            /* of an exchange: the lanes whose values decide its result */
  const struct warp_rows *rows; /* NULL: not ldmatrix or stmatrix */
  const struct map_used *map;   /* of a copy through a tensor map; NULL: another instruction, or an unknown map */
  uint32_t touch, touches;
  bool draft;    /* `instr` is shared, until the thread becomes a column (remnant_write) */
  bool complete; /* all lanes of an exchange reached it */
  bool folded;   /* all its register results are known */
  bool idle;     /* a weak access: the values that it reads or writes are not needed */
  bool blind;    /* another access: no value of its bytes is needed */
  bool quiet;    /* it only computes */
  bool is_use;   /* an access to a register of a product (AG3), as a move */
  bool strays;   /* some access of it is outside of all regions, or misaligned */
};

/* The past of a path, as far as it decides values of memory. */
struct so_far {
  uint64_t counts;           /* counts.h: the number of barriers of the whole CTA that it has passed; */
  uint32_t barriers;         /* those among its instructions, */
  uint32_t epoch;            /* and as one number, */
  bool uneven;               /* or it may have passed more */
  uint32_t columns;          /* of tensor memory that the thread has allocated: a bit for each 32 */
  bool canceled;             /* a clusterlaunchcontrol request of the CTA has canceled the other cluster */
  const struct wrote *wrote; /* the last write to memory that has a history; NULL: none */
};

struct block {
  uint32_t at;     /* instruction */
  uint32_t *known; /* by register that is live there: its constant and sign, or OPEN */
  VEC(struct remnant) code;
  uint32_t next[2]; /* next[1] if it branches and the predicate holds; NO_BLOCK: the end, or none */
  uint64_t settled; /* run_settled of the condition */
  bool guard, negated, closed, replaced; /* guard: it ends with the branch `split` */
  uint32_t parent, entries;
  uint32_t split;              /* the instruction that is its branch */
  const struct tested *tested; /* it begins a direction of a branch that has this condition; or NULL */
  uint32_t ways[2];            /* `next` of a branch as it was at first: where its directions begin */
  struct so_far so_far;        /* of the path that entered it first */
};

/* The state of a thread between two instructions. */
struct progress_point {
  uint32_t at, block;
  struct reg_state *regs;
  uint32_t *last;  /* by loop: the block of its latest iteration, or NO_BLOCK */
  bool *decided;   /* by loop: in this iteration, a constant condition kept the thread in it */
  uint32_t *turns; /* by loop in which a thread waits */
  bool *polled;    /* by loop: in this iteration, a value from memory could have ended it */
  struct so_far so_far;
  bool arrives;  /* at the start of a block that does not exist yet */
  uint32_t from; /* the previous instruction */
};

/* A thread in execution. */
struct runner {
  struct kernel_run *run;
  const struct runner *before; /* the thread that runs before it, or NULL: it often leaves as much, and vectors that
                                  grow cost three times the memory */
  /* number: of the thread in the test; block: in its kernel; tid: in its block; cta: of its CTA in the test */
  uint32_t number, block, tid, cta;
  uint32_t cluster_first, cluster_size; /* the CTAs of its cluster, in the test */
  struct walk *walk;                    /* while it runs; then the one of all that have ended */
  struct path path;
  VEC(struct block) blocks;
  VEC(struct form {
    struct drawn drawn;
    const struct region *base; /* the value is an address of it, and the form what is added; or NULL */
    uint32_t from;             /* run_source */
  })
  forms;        /* of values that blocks begin with */
  VEC(struct draw *) draws;
  bool widened; /* some block is replaced */
  VEC(struct touch) touches;
  VEC(struct naming) names;           /* of a column */
  VEC(uint32_t) values;               /* of the registers of remnants: a constant and its sign, or VALUE_OPEN */
  VEC(struct progress_point) pending; /* to go on with */
  VEC(struct progress_point) waiting; /* at an exchange, or for memory */
  VEC(uint32_t) forced;               /* exchanges that it passed without the others, by instruction */
  uint32_t latest, until;       /* the current instruction's first in `touches`, and the end; 0: it has the last */
  uint32_t written;             /* instructions so far */
  uint32_t stopped;             /* 1 more than the instruction at which ptxlit gave up; else 0 */
  const struct reason *why;     /* stopped: why; NULL: it had more than MOST_WRITTEN_OUT instructions */
  bool strays;                  /* the present instruction: as in remnant */
  const value_t *sum;           /* the addend of the present atomic; NULL: none */
  struct so_far so_far;         /* of the progress_point that is executed */
  bool has_ended;               /* some path has, other than by a trap */
  bool ended;                   /* the instruction just done ends the thread */
  bool column;                  /* it has a column in the test; another column represents the other threads (K5) */
  bool leads;                   /* it is the first one of its warp */
  uint32_t represents;          /* the number of other threads that it represents */
  const struct warp_rows *rows; /* at ldmatrix and stmatrix */
  const struct map_used *map;   /* at a copy: as in remnant */
  uint32_t wanted;              /* at an exchange: as in remnant */
  bool lacks;                   /* at an exchange: a lane of its mask has ended */
  enum brings brings;           /* as in remnant */
};

/* True if two threads are in one warp. */
static inline bool run_same_warp(const struct runner *a, const struct runner *b) {
  return a->run == b->run && a->block == b->block && a->tid / WARP_LANES == b->tid / WARP_LANES;
}

/* EACH_TOUCH: loops over the touches of a remnant, or of another struct with `touch` and `touches`. EACH_REMNANT: loops
 * over the remnants of a thread. */
#define EACH_TOUCH(touch_, runner, of)                                                                                 \
  for (struct touch *touch_ = (of)->touches ? (runner)->touches.data + (of)->touch : NULL,                             \
                    *end_ = touch_ ? touch_ + (of)->touches : NULL;                                                    \
       touch_ != end_; touch_++)
#define EACH_REMNANT(remnant_, runner)                                                                                 \
  for (struct block *block_ = (runner)->blocks.data; block_ != VEC_END(&(runner)->blocks); block_++)                   \
    for (struct remnant *remnant_ = block_->code.data; remnant_ != VEC_END(&block_->code); remnant_++)

/* Some threads of a kernel, which are neighbours among all of it. */
struct mates {
  struct runner **at, **end;
};
/* run.c: the threads of a thread's CTA, or of its warp, with itself. */
struct mates run_cta_mates(const struct runner *runner);
struct mates run_warp_mates(const struct runner *runner);
#define EACH_MATE(mate_, of)                                                                                           \
  for (struct mates mates_ = (of); mates_.at < mates_.end; mates_.at++)                                                \
    for (struct runner *mate_ = *mates_.at; mate_; mate_ = NULL)

/* A register that holds an address when a thread begins. */
struct given {
  const char *name;
  uint64_t value;
  uint32_t reg; /* NO_REG: nothing reads it */
};

struct given_value {
  uint32_t reg;
  uint64_t value;
};

enum { NO_GRID = INT32_MAX };

struct launching;

/* One kernel of the test. */
struct kernel_run {
  struct expansion *x;
  struct launching *launch;
  struct memory *memory;
  const struct litmus_kernel *kernel;
  struct body body;
  uint32_t first_cta, cta_count; /* its CTAs that take part (twins.c), among all of them */
  uint32_t grid;                 /* its number among the kernels, in the order of the text; NO_GRID: a host */
  bool *observed;                /* by register: a condition names it; NULL: none */
  uint32_t shared_bytes, local_bytes, locals; /* locals: threads that have their own memory */
  uint64_t workspace;                         /* of a cooperative launch; 0: another launch */
  uint8_t *grid_uses;                         /* by the end of a remnant (grid_barriers.c); NULL: none is known */
  uint16_t *relaxed;                          /* by the end of a remnant (relaxed.c); NULL: not looked at */
  uint32_t most_columns;                      /* the number at which no more are added (groups.c) */
  uint32_t whole_ids, part_ids; /* CTA barriers at which all threads meet, and others: a bit for each, in any round */
  VEC(struct given) givens;
  uint32_t *specials;         /* registers that have the values of special registers when a thread begins; or NO_REG */
  struct given_value *begins; /* room for all values of a thread */
  VEC(struct matrix_bytes *) matrices; /* that products have */
  VEC(struct runner *) runners;
  uint32_t columns;                 /* how many of them are columns (groups.c) */
  VEC(struct progress_point) spare; /* finished ones, whose arrays are reused */
  struct reg_state *blank;          /* registers without known values, for remnant_write */
  struct walk after;                /* of threads that have ended */
  struct dependencies dependencies; /* none: threads on constants have no events */
};

/* The instruction of the body from which a remnant comes; NULL: none, since it is a move of a constant or a mark. */
static inline const struct instr *remnant_source(const struct runner *runner, const struct remnant *remnant) {
  return remnant->begin == remnant->end ? NULL : &runner->run->body.thread->instrs[remnant->end - 1];
}

/* The kind of rendezvous of a warp's lanes at an instruction. */
enum meeting_kind { MEETING_NONE, MEETING_EXCHANGE, MEETING_ELECT, MEETING_ACTIVE, MEETING_ROWS };
enum meeting_kind run_meeting(const struct instr *instr);

/* discards.c: finds the loads of a body; before a thread executes an instruction, those whose value it does not use. */
void discards_find(struct arena *arena, struct body *body);
/* discards.c: the register that decides for such a selp if a thread does not use the value. */
uint32_t discards_decider(const struct body *body, uint32_t selp);
void discards_note(struct runner *runner, const struct progress_point *at);

/* run.c: runs a thread until it has to wait for another one. True if it executed an instruction. */
bool run_go_on(struct runner *runner);
/* Puts a thread before the first instruction, with values in registers. */
void run_begin(struct runner *runner);
/* Leaves of threads that have ended, from `begin` to `end`, what the columns are made of, in as little memory as that
 * takes. False: one has not ended. */
bool run_seal(struct kernel_run *run, uint32_t begin, uint32_t end);
void run_give(struct runner *runner, uint32_t reg, uint64_t value);
/* Lets a thread that waits for memory go on with an unknown value. */
void run_blank(struct runner *runner, struct progress_point *waiting);
/* An unknown value. run_loaded: of these bytes of a region; a variable of shared memory counts as one in both blocks of
 * a launch with two, since each kind of pair of their threads is compared. `state`: of the bytes (history_state), or 0.
 * run_source: the bytes from which a value is loaded, as a number up to MOST_FROM; 0: not known; from SETTLED_FROM on,
 * a state of them: all threads of a CTA that load it have the same value. run_from: a value loaded from there. */
enum { MOST_FROM = 1 << 28, SETTLED_FROM = MOST_FROM / 2, UNNEEDED = UINT32_MAX };
term_id run_unknown(struct runner *runner, unsigned width);
term_id run_loaded(struct runner *runner, struct region *region, uint32_t at, unsigned width, uint64_t state);
/* touch.c: the hash of a value that depends only on such states, or on bytes that nothing writes between the same two
 * barriers (history_turn_read): at the same place, after as many barriers, threads of a CTA have the same value. 0: it
 * depends on more. */
uint64_t run_settled(const struct runner *runner, term_id value);
uint32_t run_source(const struct runner *runner, term_id value);
/* run_draw: notes a draw, of the touches from a number on. run_mark_drawn: the value, just loaded, is this one.
 * run_drawn: finds the form of a value. False: it has another one. */
struct draw *run_draw(struct runner *runner, uint32_t touches, struct draw draw);
bool run_draws_of(const struct draw *a, const struct draw *b); /* from one counter */
void run_mark_drawn(struct runner *runner, term_id value, const struct drawn *drawn);
bool run_drawn(const struct runner *runner, term_id value, struct drawn *out);
/* Notes what a condition that holds tells about a number that was drawn. run_test: the condition, if that is all of it;
 * or NULL. run_chosen: finds a value that such a condition chooses out of two. False: it is another one. */
void run_limit(struct runner *runner, struct reg_state *regs, term_id condition);
const struct tested *run_test(struct runner *runner, term_id condition);
bool run_chosen(struct runner *runner, term_id value, struct drawn *out);
term_id run_from(struct runner *runner, uint32_t from, unsigned width);
/* Lets a waiting thread go on after its instruction, which remains unless it is an activemask with a known result. */
void run_pass(struct runner *runner, struct progress_point *waiting, bool known, const term_id results[2]);
/* execute.c, run_begin_instr: makes an instruction the present one. run_execute: sets the registers that it writes and
 * notes the bytes that it accesses. False: the thread waits for the value of memory. run_forget: gives these registers
 * unknown values. run_write_reg: a result, with the reads that it comes from. run_set: a value, whatever the guard.
 * run_give_up: a value that nothing needs, one leaf for all of a width. */
void run_begin_instr(struct runner *runner, uint32_t index);
bool run_execute(struct runner *runner, const struct instr *instr);
void run_forget(struct runner *runner, const struct instr *instr);
void run_write_reg(struct runner *runner, uint32_t reg, term_id value, bool is_signed, struct bitset reads);
void run_set(struct runner *runner, uint32_t reg, term_id value, bool is_signed);
void run_give_up(struct runner *runner, uint32_t reg);
bool run_is_constant(const struct runner *runner, term_id value);
/* execute.c: true if all operands are constants, and none is of floating point. */
bool run_is_known(const struct runner *runner, const struct instr *instr);
/* execute.c: the value of a 32-bit operand. False: it is unknown. */
bool run_number(struct runner *runner, const struct operand *operand, uint32_t *out);
/* run_address: an address. False: it is unknown. run_find: the region of an address, and the offset in the region. */
bool run_address(struct runner *runner, const struct address *address, uint64_t *out);
struct region *run_find(const struct runner *runner, uint64_t address, uint32_t *at);
/* requests.c, request_send: executes a request. request_writes: true if a request writes a response here.
 * request_answer: the result of a query. request_take: notes if the branch to
 * `way`, and not to `other`, means that the other cluster is canceled: no later request of the path cancels it again,
 * so a loop that the branch to `other` leaves is unrolled. */
void request_send(struct runner *runner, const struct instr *instr);
bool request_writes(const struct memory *memory, const struct region *region, uint32_t at);
term_id request_answer(struct runner *runner, const struct instr *instr);
void request_take(struct runner *runner, const struct progress_point *at, uint32_t other, struct progress_point *way);
/* epochs.c, epochs_flow: a thread's code, which ends at barriers of the whole CTA. epochs_ends: body.ends. epochs_pass:
 * executes a barrier. epochs_end: ends a path. epochs_enter: a path comes to the instruction at the start of a block.
 * epochs_join: one with this past enters a block that another one entered first. */
struct flow epochs_flow(struct arena *arena, const struct thread *thread);
struct bitset epochs_ends(struct arena *arena, const struct thread *thread);
void epochs_pass(struct runner *runner, const struct instr *instr);
void epochs_end(struct runner *runner);
void epochs_enter(struct runner *runner, uint32_t at);
void epochs_join(struct runner *runner, const struct block *block, const struct so_far *other);

/* blocks.c: a new block; `known`: NULL if it only leads to another block. */
uint32_t block_add(struct runner *runner, uint32_t at, uint32_t *known, uint32_t parent);
/* Ends block `from` with a jump to block `to`. */
void block_close(struct runner *runner, uint32_t from, uint32_t to);
/* Ends the paths of a block at the instruction, which is refused; the instruction that stands there instead. */
struct litmus_instr *block_refuse(struct runner *runner, uint32_t from, uint32_t at, const struct reason *why);
/* Enters the target of a jump. False: the thread was here before, with the same known registers. */
bool block_arrive(struct runner *runner, struct progress_point *point);
/* True if no block leads to this one any more, because a loop above was widened. */
bool block_is_obsolete(const struct runner *runner, uint32_t block);

/* learn.c: the number of the set of values that a leaf may have, equal for equal sets; 0: any value. */
uint32_t learn_few(struct learning *learning, const struct few *few);
void learn_leaf(struct learning *learning, term_id leaf, uint32_t few);
uint32_t learnt_few(struct learning *learning, term_id term);
/* The limit of a condition that holds only for numbers below it; 0: another condition, or one with a limit above
 * MOST_COUNTED. */
uint32_t learn_limit(struct learning *learning, term_id condition);
/* Notes that a leaf is the result of vote.all or .any, and `condition` that of this lane. */
void learn_vote(struct learning *learning, term_id leaf, term_id condition, bool all);
/* learn_only_leaf: the only leaf of a term; TERM_FALSE: it has none, or several. learn_replace: replaces it. */
term_id learn_only_leaf(struct learning *learning, term_id term);
void learn_replace(struct learning *learning, struct reg_state *regs, uint32_t count, term_id leaf, term_id value);
/* Sets the registers whose values follow, through its leaf, from a true condition. */
void learn(struct learning *learning, struct reg_state *regs, uint32_t count, term_id condition);

/* exchange.c: releases the lanes of warps, among the threads from `begin` to `end`, that wait for one another; `force`:
 * also a lane whose exchange the others will not reach. True if it released a lane. */
bool run_exchange(struct kernel_run *run, uint32_t begin, uint32_t end, bool force);

/* touch.c: a thread reads bytes at an address, or writes an unknown value to them; or uses an mbarrier object. */
void run_touch(struct runner *r, uint64_t address, uint32_t bytes, bool writes);
void run_touch_object(struct runner *r, uint64_t address);
/* touch.c: a multicast writes the bytes in other CTAs of the cluster, given by their ranks, or with 0 bytes signals the
 * mbarrier object there. execute.c, run_in_cta: an address of shared memory in the CTA of this rank. */
void run_touch_ctas(struct runner *r, uint64_t address, uint32_t bytes, uint32_t mask);
uint64_t run_in_cta(const struct runner *r, uint64_t address, uint64_t rank);
/* touch.c: one location must have all these bytes: the instruction touches its elements one by one. False: it does not,
 * or they are misaligned. */
bool run_touch_whole(struct runner *r, uint64_t address, uint32_t bytes);

/* touch.c: bytes at an unknown address of this state space; SPACE_GENERIC: of any. An address with an unknown offset is
 * assumed to stay in its location; if it does not, the check of the columns reports it. `id`: the address; TERM_FALSE:
 * any. `bytes`: of the access; 0: unknown. */
void run_touch_anywhere(struct runner *r, term_id id, enum space space, uint32_t bytes, bool writes);
/* touch.c: the only region to which a constant in a sum points; NULL: none, or several do. */
struct region *run_base(const struct runner *r, term_id id);

/* touch.c: run_get reads bytes in one location; run_state: their history_state; run_put writes bytes, with `value`
 * NULL an unknown value. */
enum cell run_get(struct runner *r, uint64_t address, uint32_t bytes, value_t *value);
uint64_t run_state(struct runner *r, uint64_t address, uint32_t bytes);
void run_put(struct runner *r, uint64_t address, uint32_t bytes, const value_t *value);

/* maps.c: writes a declared map to bytes of memory. */
void maps_set(const struct expansion *x, const struct memory *memory, struct region *region, uint32_t at,
              const char *name);
/* maps.c, maps_content: the declared map whose bytes are at an address; NULL: none, or unknown. maps_blank: true if the
 * bytes have no value yet. */
const struct litmus_entry *maps_content(struct runner *runner, uint64_t address);
bool maps_blank(struct runner *runner, uint64_t address);
/* maps.c, maps_replaces: true for tensormap.replace. maps_copies: true for tensormap.cp_fenceproxy. maps_change: their
 * effect on a map. False: it has no effect but that of a store. */
bool maps_replaces(const struct instr *instr);
bool maps_copies(const struct instr *instr);
bool maps_change(struct runner *runner, const struct instr *instr, uint64_t address);

/* tensors.c, tiled_multiplies: true for wgmma.mma_async. tiled_touch: the accesses of an instruction. */
bool tiled_multiplies(const struct instr *instr);
void tiled_touch(struct runner *runner, const struct instr *instr);
/* tiled_copied: a copy through a declared map, as far as constants tell it. False: they do not. */
enum { MOST_PLACES = 3 };
struct tiled_copy {
  struct region *region; /* of the tensor */
  bool loads;            /* from the tensor, at any place */
  struct byte_runs rows; /* otherwise: the bytes of the tensor */
  uint32_t reduced;      /* the bytes of an element that is reduced, relaxed at the scope of the GPU; or 0 */
  uint64_t place[MOST_PLACES + 1];
  uint32_t places; /* addresses of shared memory, and the mask of a multicast */
};
bool tiled_copied(struct runner *runner, const struct instr *instr, struct tiled_copy *out);
/* tiled_map: the address of the map of a copy. False: it has none, or an unknown one. tiled_waits: true if the map has
 * no value yet. */
bool tiled_map(const struct runner *runner, const struct instr *instr, uint64_t *address);
bool tiled_waits(struct runner *runner, const struct instr *instr);
/* tensors.c: the address that a lane gives to ldmatrix or stmatrix. False: unknown. */
bool tiled_row(const struct runner *runner, const struct instr *instr, uint64_t *address);
/* tensors.c: the addresses of a lane's parts of rows, and the least one. 0: they are unknown. */
uint32_t tiled_parts(const struct warp_rows *rows, uint32_t lane, uint64_t out[MOST_PARTS], uint64_t *least);
/* tensors.c: replaces a matrix descriptor by a place in shared memory and a layout. False: the operand is not a
 * descriptor, or is unknown. */
bool tiled_describe(struct runner *runner, const struct instr *instr, uint32_t index, struct litmus_operand *operand,
                    uint64_t *address);
/* fragments.c: body.fragments. run_access_fragments: leaves a use of each such register that executed instructions
 * access. */
uint32_t *tiled_fragments(struct arena *arena, const struct body *body);
void run_access_fragments(struct runner *r, uint32_t block, uint32_t begin, uint32_t end);

/* tensors.c: tiled_join: notes the first register of a vector for all of its registers; true if that is new for some.
 * tiled_accumulators: by register, the first register of the accumulator from which its value is computed; NO_REG:
 * none. */
bool tiled_join(const struct body *body, const struct litmus_operand *vector, uint32_t *first);
uint32_t *tiled_accumulators(struct arena *arena, const struct body *body);

/* remnant.c: true if all results of some instructions of the body are known; `computes`: they have no other effect.
 * `touches`: the number of touches before them. */
bool remnant_is_folded(const struct runner *runner, uint32_t begin, uint32_t end, uint32_t touches, bool *computes);
enum { VALUE_OPEN = UINT32_MAX }; /* no value, among those of a thread */
/* remnant.c, remnant_add: adds an instruction to the block, with values for known registers. remnant_use: a use of a
 * register. remnant_move: adds a move of a constant to a register. remnant_refused: an instruction of which nothing is
 * known but the reason, in place of one of the body. */
struct remnant *remnant_add(struct runner *runner, uint32_t block, uint32_t begin, uint32_t end, bool folded);
struct litmus_operand *remnant_sink(struct litmus_parse *parse, struct span span); /* `_` in place of a register */
struct litmus_instr *remnant_use(struct runner *runner, uint32_t reg, struct span span);
/* remnant_any: what is left has any result (K3); if the test asks for more than `safe`, or the instruction has other
 * effects than those of a load, an atomic or an exchange, it is refused. */
void remnant_any(const struct runner *runner, struct remnant *remnant, const struct reason *why);
struct litmus_instr *remnant_refused(const struct runner *runner, uint32_t at, const struct reason *why);
void remnant_move(struct runner *runner, uint32_t block, uint32_t reg, struct reg_state value, struct span span);
/* remnant_write: gives the remnants of a thread, which becomes a column, their own texts. remnant_has_value: true if a
 * remnant has a value for the register. remnant_number: the number of 32 bits in an operand of its text. False: it is
 * unknown. remnant_numbers: a hash extended by the numbers of a remnant. */
void remnant_write(struct runner *runner);
bool remnant_has_value(const struct runner *runner, const struct remnant *remnant, uint32_t reg);
bool remnant_number(const struct runner *runner, const struct remnant *remnant, const struct litmus_operand *operand,
                    uint32_t *out);
uint64_t remnant_numbers(const struct runner *runner, const struct remnant *remnant, uint64_t hash);

/* needless.c: true if a thread passes by a group of instructions: nothing needs their results, and constants do not
 * give them at once (what is told of an execution then has them). */
bool needless_here(const struct runner *runner, uint32_t begin, uint32_t end);
/* needless.c, needless_note: notes an access to bytes at an address, 0: to any; `region` may be NULL in shared and
 * local memory. needless_note_any: to any bytes of a region; NULL: of a state space. */
void needless_note(struct kernel_run *run, const struct instr *instr, const struct region *region, uint64_t address,
                   uint32_t bytes);
void needless_note_any(struct kernel_run *run, const struct instr *instr, const struct region *region,
                       enum space space);
/* body.c: true for a load of a parameter. */
bool body_is_param(const struct body *body, const struct instr *instr);
/* body.c: the last instruction before `at` that writes a register, unless threads may come in between from elsewhere:
 * NO_REG then. */
uint32_t body_writer(const struct body *body, uint32_t reg, uint32_t at);
/* body.c */
bool body_of_code(struct expansion *x, const struct code *code, const struct litmus_kernel *kernel, struct body *out);
bool body_build(struct expansion *x, const struct module *module, const struct litmus_kernel *kernel,
                const struct module_function *entry, struct body *out);
uint32_t body_register(const struct body *body, const char *name);
/* body_forget: forgets the values of a round; those of the next one are in the arena. body_forget_terms: forgets the
 * terms from this number on, when the threads that have them are sealed. */
void body_forget(struct body *body, struct arena *arena);
void body_forget_terms(struct body *body, uint32_t from);

/* edit.c: the lines of the source that edits can be made at. kernel_find_entries: where control enters a line. False:
 * not where an instruction fits. kernel_find_guard: the conditional jump over an instruction, if there is one to
 * remove. kernel_edit_code: makes the changes that the options ask for, `marks` by change. */
void kernel_note_lines(struct expansion *x, const struct module *module, const struct body *body);
bool kernel_find_entries(struct arena *arena, const struct module *module, const struct body *body,
                         const struct kernel_line *line, struct code_marks *out);
void kernel_find_guard(struct arena *arena, const struct body *body, struct span at, struct code_marks *out);
void kernel_edit_code(struct expansion *x, const struct code_marks *marks, struct code *code);
