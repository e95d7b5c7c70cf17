/* The skeleton of a program, common to all its executions: its events, their symbolic values and fixed relations.
 *
 * The events are those of docs/semantics.md P5, P6: for each thread in program order the reads, writes and fences of
 * its instructions, then one initial write for each cell of memory; a vector access gives one event an element, an atom
 * or red a read and a write. The choices that differ between executions (the events that happen, the targets of
 * computed addresses, rf, co, sc) are made in exec/execution.h.
 *
 * Memory is cut into chunks, the largest byte ranges that no access splits, so that mixed-size accesses are exact: a
 * read takes each chunk from one write. A cell is a maximal run of chunks joined by accesses; it has one initial write.
 * Without mixed sizes each cell is one chunk.
 *
 * The normal skeleton has only executions in which every thread ends. Most spin loops become straight-line code: an
 * iteration without effect would only repeat itself, so it counts as one of the ways in which its thread fails to end.
 * In the precise skeleton, threads may also spin, reach the bound, wait at a barrier for ever, or starve. For
 * termination a thread may also stop at a back edge, a lasso: it repeats its events since the head of some earlier
 * iteration for ever. The repeated events of all such threads together come after all others, read no overwritten
 * values, and leave memory and registers unchanged. A third skeleton (skeleton_with_spins) keeps iterations without
 * effect, because their accesses may be undefined or race. */
#pragma once

#include "base/techniques.h"
#include "cat/model.h"
#include "ptx/uses.h"

enum event_kind {
  EVENT_READ,
  EVENT_WRITE,
  EVENT_FENCE,
  EVENT_PROXY_FENCE,
  EVENT_ARRIVE,
  EVENT_WAIT,
  EVENT_SIGNAL, /* changes the state of an mbarrier object, by `use` */
  EVENT_TEST,   /* tests a phase of an mbarrier object */
  EVENT_ISSUE,  /* the issue of an asynchronous operation; accesses no memory */
  EVENT_GRID,   /* griddepcontrol; launch and sync of a host */
  EVENT_GROUP,  /* commits a group of asynchronous operations or waits for groups */
  EVENT_EXIT,   /* the end of a thread; once all threads of its CTA have ended, its shared memory no longer exists
                   (K9) */
};

/* NO_PARTNER: no event. AMBIGUOUS_PARTNER: the arrival depends on the path. */
enum { NO_PARTNER = UINT32_MAX, AMBIGUOUS_PARTNER = UINT32_MAX - 1, NO_OBJECT = UINT32_MAX };

/* One byte range that an event may access. `guard` (width 1): it accesses this one; TERM_TRUE for a fixed address. */
struct place {
  uint32_t vaddr, phys;
  uint32_t chunk_begin, chunk_end; /* the chunks covered */
  term_id guard;
};

/* The effect of an event on an mbarrier object (docs/async.md, MB2-MB6). */
enum use_kind {
  USE_INIT,
  USE_INVAL,
  USE_SIGNAL,
  USE_RAISE, /* cp.async.mbarrier.arrive without .noinc, when issued: one more arrival is pending */
  USE_TEST,
};

struct mbarrier_use {
  enum use_kind kind;
  uint32_t object;   /* index into skeleton.mbarriers */
  int32_t arrivals;  /* signals: taken from the pending count; init: the count */
  int32_t dropped;   /* signals: taken from the count of later phases */
  int32_t bytes;     /* signals: added to the transaction count */
  bool no_complete;  /* signals: completing the phase is undefined */
  bool at_will;      /* tests: may return false in any state */
  bool waits;        /* tests: mbarrier.wait: if it is false, the thread waits for ever */
  bool parity;       /* tests */
  uint32_t phase;    /* tests: the parity, or the arrival whose state is tested */
  term_id attempted; /* tests, width 1: the thread reaches it */
};

/* An asynchronous operation: its issue event, and after it the events that it spawns, outside program order. */
struct operation {
  const struct async *async;
  uint32_t issue, end; /* spawned events are those between */
  uint32_t map;        /* the read of the tensor map that it goes through; 0: none */
  uint32_t sum, shape; /* tcgen05.mma: the place of D; its rows and columns */
  /* A wgmma is one operation of its four warps. The first of its threads has its accesses; the others have only an
   * issue event, and `first`. */
  const struct operation *first; /* NULL: it has its own accesses */
  const struct operation *next;  /* the same operation as another thread issues it; NULL: no further one */
  bool flies;                    /* other accesses to its bytes before it is complete are undefined (A10) */
};

/* Columns of a CTA's tensor memory that tcgen05.alloc gives or tcgen05.dealloc takes back. */
struct columns {
  uint32_t cta, begin, count;
  bool frees, paired; /* paired: .cta_group::2 */
  uint32_t peer;      /* the other CTA of the pair; NO_THREAD: none */
  uint32_t partner;   /* for an allocation the event that frees it, and vice versa; NO_PARTNER: none in its thread */
  term_id kept;       /* for an allocation, width 1: its thread ends and has not freed it */
};

/* Facts about tensor memory that a walk of the threads finds, for the next walk. */
struct tensor_plan;

/* The part of an arrival or a wait: the barrier where its threads meet. */
struct barrier_part {
  const struct barrier *barrier;
  term_id id, count; /* arrivals; width 32; a count of 0 means all threads of the group */
  term_id live;      /* arrivals; width 1: threads that have ended are not expected (B2) */
  uint32_t group;    /* index into skeleton.groups */
  uint32_t lanes;    /* waits of BARRIER_LANES: the lanes from whose values the result is computed */
};

/* The part of an access that an asynchronous operation spawns. */
struct spawn {
  uint32_t site;   /* a thread of the CTA to which it belongs by A5, without the readings G45 and G54; also that of a
                      signal of completion */
  bool in_cells;   /* to lanes and columns of tensor memory */
  bool in_own_cta; /* to shared memory of the CTA that issued it */
  bool is_source;  /* a read of the source, not of a destination */
};

struct event {
  enum event_kind kind;
  uint32_t thread; /* index; NO_THREAD for an initial write */
  uint32_t instr;  /* index into the thread's instructions */
  uint32_t step;   /* increases with each executed instruction: iterations of a loop share `instr`, not the step */
  uint32_t element;
  enum sem sem;     /* of this event: the read of atom.acq_rel acquires, its write releases */
  enum scope scope; /* SCOPE_NONE exactly when weak */
  enum proxy proxy;
  enum one_way one_way; /* proxy fences */
  bool is_rmw, is_red, is_volatile, is_mmio;
  enum host_isa host;   /* of its thread */
  uint8_t marks;        /* of a host's access: HOST_A, HOST_Q, HOST_L */
  bool is_mapped;       /* an initial write of mapped memory over pcie */
  bool is_multimem;     /* to a replica */
  bool is_unused;       /* the read of an atom: its result goes to _ */
  bool waits_for_reads; /* EVENT_GROUP: .read */
  bool spawned;         /* by an asynchronous operation: not in program order */
  bool is_unset;        /* an initial write of memory that is given no value */
  bool may_lack;        /* an arrival of an iteration that all threads of the barrier leave out, or none does */
  bool is_awaited;      /* a test that its thread waits for, or an arrival that some wait needs */
  bool is_open;         /* a step of an mbarrier object that is not initialised at the start */
  bool in_allocator;    /* to the word with the allocated columns */
  bool is_torn;         /* each byte may be read or written separately (M10; G37) */
  uint32_t home;    /* a thread of the CTA to which the event belongs for scopes: `thread`, except for accesses of the
                       async proxy to shared memory and for signals of completion (A5) */
  uint32_t partner; /* is_rmw: the other event of the pair; a wait: its arrival; an arrival: its wait, or NO_PARTNER */
  term_id exec;     /* width 1: the event happens; TERM_TRUE: always */
  term_id reach;    /* the same, also in executions in which a thread does not end: if a loop before the event spins on
                       a read, the event depends on the read */
  term_id address;  /* width 64; memory events of a thread */
  term_id value;    /* of a write, or the TERM_READ of a read; 8 * size bits. Of an arrival: its predicate, width 1; for
                       BARRIER_LANES: the lane's value, with an additional top bit that is 1 */
  struct barrier_part meeting;       /* arrivals and waits */
  struct spawn spawn;                /* spawned, or a signal of completion */
  const struct operation *operation; /* issue events and spawned ones, else NULL */
  uint32_t left;                     /* EVENT_GROUP that waits: the number of groups that may stay pending */
  const struct mbarrier_use *use;    /* steps of an mbarrier object, else NULL. The value of a test is its result */
  struct columns *columns;           /* the write of tcgen05.alloc, and tcgen05.dealloc; else NULL */
  uint32_t phase_low, phase_high;    /* arrivals: the phases it may be in, given that it happens; steps of mbarrier
                                        objects: given that the step has a turn */
  uint32_t size;                     /* bytes; 0 for fences */
  struct place *places;
  uint32_t place_count;
};

/* A part of physical memory that no access splits. */
struct chunk {
  uint32_t phys, size; /* bytes */
  uint32_t cell;
};

/* The source of an observable's final value: a term (registers, and memory that nothing accesses), or memory. */
struct final {
  bool is_term;
  term_id value;                   /* is_term: of the observable's width */
  uint32_t chunk_begin, chunk_end; /* else: the chunks that make up the element, lowest byte first */
};

/* Possible undefined behaviour; or, for REASON_OPEN, a result that PTX leaves open, so that the outcome is unknown. */
struct hazard {
  term_id when; /* width 1 */
  const struct reason *reason;
  struct span span;
  uint32_t thread, instr; /* into the program */
};

/* An instruction that lanes execute together, in a thread; by thread in the order of their execution. */
struct aligned_step {
  uint32_t thread, instr;
  term_id exec;
};

/* A way in which a thread may fail to end. */
enum ending_kind {
  ENDING_SPIN,    /* the thread would repeat an iteration without effect */
  ENDING_BOUND,   /* more iterations than were unrolled */
  ENDING_HALTED,  /* the scheduler starves the thread; only with options.halting */
  ENDING_BLOCKED, /* a wait whose phase never completes; only in a precise skeleton */
  ENDING_LASSO,   /* the thread repeats its events since the start of a lap for ever; only with options.lassos */
};

/* A place where the events that a thread repeats for ever may begin. */
struct lap {
  uint32_t first_event;
  term_id same; /* width 1: the registers that matter at the head of the loop have the same values as at the start of
                   the lap */
};

struct ending {
  enum ending_kind kind;
  term_id when;                    /* width 1 */
  uint32_t wait;                   /* ENDING_BLOCKED: the wait event */
  uint32_t thread, instr;          /* the branch back, or the barrier */
  uint32_t first_event, end_event; /* ENDING_SPIN: the events of the iteration */
  struct span span;                /* the branch back, or the barrier */
  struct lap *laps;                /* ENDING_LASSO: one lap for each iteration so far, the last one first */
  uint32_t lap_count;
};

/* A value that matters in itself, wherever else it goes: the predicate of a branch or another instruction, an operand
 * of cas, or a register at the end of its thread (K18). */
struct decider {
  uint32_t thread, step;
  term_id when, value; /* when: width 1 */
};

/* An iteration of a loop that may be followed by another one: the steps of its thread from `first` to `last`. */
struct loop_turn {
  uint32_t thread, first, last;
  term_id again;  /* width 1: another iteration follows */
  term_id effect; /* width 1: it changes memory, or takes part in a barrier or an asynchronous operation */
};

static inline bool loop_turn_has(const struct loop_turn *turn, uint32_t thread, uint32_t step) {
  return turn && turn->thread == thread && turn->first <= step && step <= turn->last;
}

/* The threads that meet at a barrier, and their possible arrivals (docs/semantics.md B2, B6, B7). */
struct barrier_group {
  enum barrier_kind kind;
  uint32_t owner;           /* cta_id, warp_id or cluster_id */
  uint32_t mask;            /* warp, lanes */
  const struct instr *like; /* lanes: one of the instructions, which all exchange in the same way */
  uint32_t members;         /* threads of the test in the group */
  uint32_t units;           /* the members, where lanes that arrive as one count as one: the unit of barrier
                               counts, and the default count */
  uint32_t *threads;        /* these threads */
  uint32_t phases;          /* one more than the largest phase of an arrival */
  VEC(uint32_t) arrivals;   /* events, by thread, in program order */
};

/* An event of a thread, in any skeleton of the program with the same copies of loops. */
struct event_point {
  enum event_kind kind;
  uint32_t thread, step, element;
};

/* A read that in every relevant execution takes its value from one write, which happens whenever the read does. */
struct sure_source {
  struct event_point read, write;
};

VEC_NAMED(sure_sources, struct sure_source);

/* The read of a word that tells its CTA a value, and the thread's own write to it; or NO_PARTNER. */
struct heard {
  uint32_t read, store;
};

/* An iteration that threads repeat together while the common result of a vote or bar.red equals `value` (with `until`:
 * differs from it), or while `asked` holds for the value of a word. */
struct together {
  uint32_t first_event, end_event;
  uint32_t wait; /* of the vote or bar.red, or before the read */
  value_t value;
  bool until;
  struct heard told;
  term_id asked;
  bool alone; /* only its own thread may access the word outside of such iterations */
};

/* An mbarrier object and all that may happen to it. */
struct mbarrier_object {
  uint32_t object;    /* index into program.objects */
  VEC(uint32_t) uses; /* events, in the order of the skeleton */
  uint32_t phases;    /* an upper bound: one more than the number of phases of one life that can be completed */
  uint32_t lives;     /* an upper bound; a life goes from an mbarrier.init to the first one after an .inval */
  uint32_t span;      /* even, and more than `phases`: life n has the phases from n * span on */
};

/* A finite set of possible values of a term; top: nothing is known. */
struct value_set {
  bool top;
  uint32_t count;
  value_t *values; /* sorted, distinct */
};

/* The places where the scheduler may stop a thread for ever. */
enum halting {
  HALT_NEVER,
  HALT_AT_START, /* before its first instruction */
  HALT_ANYWHERE, /* before any instruction */
};

enum { SKELETON_UNROLL = 4 };

/* The user's choices about the executions of a test. The session passes them whole to each skeleton, so that every
 * engine and verb has the same executions. */
struct shape {
  uint32_t unroll; /* the number of iterations of each loop; 0: the default of 4. Loops that constants end may have
                      more */
  bool late;       /* threads without columns write nothing before columns read it (litmus_test.late) */
  bool async_race; /* an access to bytes of a copy in flight is a data race and not undefined (A10, AO1) */
  struct without without; /* techniques that are switched off */
  bool skips_silent;      /* the model ignores silent updates, atomics that write back the value that they read
                             (silent_updates.c) */
  const bool *reads;      /* the readings about programs that the model chooses, by enum program_reading; NULL: none */
};

/* The shape with the model's readings of programs, for executions under that model. NULL: no model is meant. */
struct shape shape_under(struct shape shape, const struct model *model);

static inline bool shape_reads(const struct shape *shape, enum program_reading reading) {
  return shape->reads && shape->reads[reading];
}

/* Executions in which loops have any number of iterations, over-approximated (skeleton_options.further): each such loop
 * has its first iteration, its last one, and some of those between, whose writes others may read. An iteration between
 * has no read events; each of its reads returns any of its possible values. An axiom that survives omissions
 * (model_survives_omissions) holds for this part of an execution if it holds for the whole. */
struct further {
  uint32_t **between; /* by thread, and there by the last instruction of each loop: the iterations between the first and
                       the last one; 0: the loop is unrolled as usual */
  struct value_set **reads; /* by thread, and there by instruction * MAX_VECTOR + element: its possible values */
  /* Made with MATTERS_TO_EVENTS and MATTERS_OBSERVED. Written values that do not matter become 0 without dependencies:
   * only values that do not matter either depend on them. NULL: everything matters. */
  const struct relevant *matters;
};

/* The direction assumed of a branch. */
enum decision { DECISION_NONE, DECISION_TAKEN, DECISION_NOT_TAKEN };

struct skeleton_options {
  struct shape shape;
  enum halting halting; /* precise skeletons */
  /* Without `precise`, the skeleton has only executions in which every thread ends: `ends` lists the excluded ones, and
   * guards are simplified accordingly. With `precise`, threads may also spin, reach the bound or block. */
  bool precise;
  bool lassos;      /* precise: a thread may stop at a back edge, and repeat the loop for ever */
  bool keeps_spins; /* not precise: iterations without effect are kept, and continue with the next copy. They change no
                       outcome, but their accesses can be undefined or a data race */
  bool lean; /* leaves out accesses on which no branch and no event depends: if model_survives_omissions, the rest has
                at least the executions of the whole, without iterations whose only effect is left out */
  const struct skeleton *spins_of;       /* with keeps_spins: the skeleton without it. Loops get one more copy than that
                                            skeleton reaches: one iteration without effect represents all */
  const enum decision *const *decisions; /* by thread and instruction; NULL: nothing is assumed */
  const struct further *further; /* not precise: loops have any number of iterations; NULL: they do not. Refused if an
                                    iteration changes a register that the next one needs */
  const struct sure_sources *sources; /* these reads return the values of these writes; NULL: none is known */
  bool keep_dependencies; /* keeps all syntactic dependencies, whatever the shape: the caller removes some */
  uint32_t most_events;   /* refused if the unrolled instructions may have more; 0: the tool's limit */
  bool notes_uses; /* fills in `deciders`, `turns`, `joins`: what the question for interleavings needs (sequence.h) */
};

/* A request of a cluster of a kernel, and when it cancels the other cluster of its grid. */
struct cancellation {
  uint32_t cluster;
  term_id when; /* width 1 */
};

/* A value that may be any; `why` it is not known, NULL: it is that of a clock. */
struct free_value {
  const struct reason *why;
  struct span place;
};

/* A comparison of free values, and the leaf that replaces it and has either value. */
struct free_test {
  term_id comparison, open;
  bool clock;   /* not of a value with a reason */
  bool in_time; /* a time-out: with one of the values threads trap (K10), so it never has that value */
};

/* Free values (free.c). */
struct free_values {
  VEC(struct free_value) list;
  VEC(struct free_test) tests;
  VEC(uint32_t)
  terms; /* by term, as far as requested: 1 more than the number of a free value in it, of one with a
            reason if there is any; 0: there is none */
  const struct free_value *opaque; /* one with a reason that may make a difference; NULL: there is none */
  bool stored;                     /* such a value may go through memory */
};

/* Requests to cancel clusters (async/responses.c). */
struct requests {
  bool any;
  VEC(struct cancellation) cancellations;
  term_id *runs; /* by cluster_id, width 1: its threads run, and are not canceled */
};

/* Assumptions by which the walk of the threads leaves out work. A later step that finds one wrong withdraws it, and the
 * threads are walked again without it (skeleton.c). */
struct premises {
  enum { TOGETHER_NOT, TOGETHER_VOTES, TOGETHER_WORDS } together; /* what walk_repeats_together leaves out, all threads
                                                                   * leave out alike (together.c) */
  bool silent;                /* what walk_write_effect leaves out has no effect (silent_updates.c) */
  const struct bitset *fails; /* by thread: instructions whose tests of mbarrier objects fail (tries.c); NULL: none */
  struct tensor_plan *tensor; /* what tensor memory may have (async/tensor.c): it grows from walk to walk */
};

struct skeleton {
  const struct program *program;
  struct arena *arena;
  struct skeleton_options options; /* unroll is never 0 */
  struct premises premises;
  /* By thread, and there by the last instruction of each loop: the number of its copies; the number of copies that the
   * thread reaches. */
  uint32_t **copies, **reached;
  bool undecided_dependency;       /* a dependency counts because it was too hard to decide if it is real (P10) */
  const struct relevant *relevant; /* the instructions that determine the paths of threads; only with lassos */
  const struct relevant *lean;     /* the accesses that are idle in it are left out; NULL: none is */
  bool omits_effects; /* lean: an iteration may count as without effect because of what is left out: the whole may reach
                         the bound of its loop although nothing here does */
  VEC(uint32_t)
  go_threads; /* by number of TERM_GO: the thread that may halt or loop for ever at this point; it stops at
                 its first point whose TERM_GO is false. NO_THREAD: a free choice */
  struct free_values free;
  struct requests requests;
  struct terms terms;
  VEC(struct event) events; /* initial writes come last */
  uint32_t n;               /* number of events */
  uint32_t first_init;      /* the events from here on are initial writes */
  struct chunk *chunks;
  uint32_t chunk_count, cell_count;
  struct bitset *readers, *writers; /* for each chunk: the events that may read or write it */
  struct bitset always;             /* events that happen in every execution */
  struct bitset sure;               /* events whose threads reach their ends only after them */
  struct bitmat forces;             /* (a, b): if a happens, so does b, even if no wait passes: their guards alone imply
                                       it */
  struct bitmat implies, implied;   /* implies: (a, b): if a happens, so does b; implied: its inverse. Pairs may be
                                       missing */
  bool fixed_places;                /* every event has one place, at each address that it may have */
  struct final *finals;             /* for each of the program's observed observables */
  VEC(struct hazard) hazards;
  VEC(struct aligned_step) aligned;
  VEC(struct ending) ends;
  VEC(struct decider) deciders; /* of options.notes_uses, with the next two */
  VEC(struct loop_turn) turns;
  VEC(term_id) joins;            /* the conditions by which registers become choices where paths of a thread join */
  VEC(struct together) together; /* iterations left out by the premise of that name */
  VEC(uint32_t) silent;          /* writes in iterations left out by the premise of that name */
  /* Width 1: conditions that hold in the executions of the skeleton: options.decisions, and no timeout. */
  VEC(term_id) assumed;
  VEC(struct span) time_outs; /* the branches to them */
  VEC(struct barrier_group) groups;
  VEC(struct mbarrier_object) mbarriers;
  VEC(struct operation *) operations;
  const struct pieces_of_memory *pieces; /* exec/pieces.h */
  bool open_groups;                      /* the groups that a wait waits for depend on the execution */
  term_id *ended;                        /* by thread, width 1: it ends; TERM_TRUE unless precise */
  term_id *reach_end;                    /* by thread: the path condition at its end */
  bool open_phases;                      /* the phase of some arrival depends on the execution */
  bool *may_end;                         /* by wait and thread: skeleton_may_end_before */
  struct value_set *value_sets;          /* for each term */
  const struct reason *refusal;          /* why the program cannot be judged: not modelled, or too large; else NULL */
  struct span refusal_place;
  /* Predefined sets and relations whose pairs do not depend on the execution, given that both events happen. For the
   * address-dependent ones (loc, vloc, same-range, partial) may and must differ when an address is computed; the
   * relations that are chosen (rf, co, fr, sc) have bounds here too. */
  struct bitset sets[CAT_SET_COUNT];
  struct bitmat may[CAT_BUILTIN_COUNT], must[CAT_BUILTIN_COUNT]; /* from CAT_SET_COUNT on */
  struct builtins absent;                                        /* those of them that are empty in every execution */
};

/* More events than this are refused: relations take events squared bits. */
enum { SKELETON_MAX_EVENTS = 4096 };

/* Builds the skeleton of a program in `arena`. With a refusal, nothing else is set. */
struct skeleton *skeleton_build(struct arena *arena, const struct program *program,
                                const struct skeleton_options *options);

/* silent.c: refuses a test that the model is silent about. Every path to a verdict or an execution calls it. */
void skeleton_refuse_model(struct skeleton *skeleton, const struct model *model);

/* For a skeleton that is not precise: the one that keeps iterations without effect, with at most `copies` copies of
 * each loop. Returns `skeleton` if no loop can spin. With one copy there is no next one, and such iterations are not
 * examined. */
struct skeleton *skeleton_with_spins(struct skeleton *skeleton, uint32_t copies);

/* known.c: the point of an event of a thread. */
struct event_point skeleton_point(const struct skeleton *skeleton, uint32_t event);

/* True if a thread spins until columns of tensor memory are free (async/allocator.c). */
bool skeleton_waits_for_columns(const struct skeleton *skeleton, const struct ending *ending);
/* skeleton_may_end: true if a thread may end in this way. skeleton_has_barriers: true if the program has barriers. */
bool skeleton_may_end(const struct skeleton *skeleton, enum ending_kind kind);
bool skeleton_has_barriers(const struct skeleton *skeleton);
/* unblocked.c: true if the barriers alone show that no thread can wait for ever. Not for a precise skeleton. */
bool skeleton_never_blocks(const struct skeleton *skeleton);
/* True if an event that happens in every execution that ends may be missing from an execution that does not end,
 * because it comes after a wait at a barrier. */
static inline bool skeleton_may_block(const struct skeleton *s) {
  return !s->options.precise && skeleton_has_barriers(s);
}

static inline const struct event *skeleton_event(const struct skeleton *skeleton, uint32_t event) {
  return &skeleton->events.data[event];
}

/* Enumerates the events `x` of a skeleton with their numbers `e`: EACH_EVENT_OF (e, x, s) statement. They may grow
 * meanwhile. EACH_THREAD_EVENT: those of threads, all but initial writes. */
#define EACH_EVENT_OF(e, x, s) EACH_EVENT_BEFORE (e, x, s, (s)->events.len)
#define EACH_THREAD_EVENT(e, x, s) EACH_EVENT_BEFORE (e, x, s, (s)->first_init)
#define EACH_EVENT_BEFORE(e, x, s, end)                                                                                \
  for (const struct event *x = (s)->events.data, *x##_once = x; x##_once; x##_once = NULL)                             \
    for (uint32_t e = 0; e < (end) && (x = skeleton_event((s), e), true); e++)

/* The initial value of `size` (at most 16) bytes at `phys`, lowest byte first. */
value_t skeleton_init_value(const struct skeleton *skeleton, uint32_t phys, uint32_t size);

/* The bit offset in an event's value (8 * size bits) of the part in `chunk`, if the event is at `place`. */
static inline uint32_t place_bit_offset(const struct skeleton *s, const struct place *place, uint32_t chunk) {
  return 8 * (s->chunks[chunk].phys - place->phys);
}

static inline bool place_covers(const struct place *place, uint32_t chunk) {
  return place->chunk_begin <= chunk && chunk < place->chunk_end;
}

static inline bool event_is_memory(const struct event *e) { return e->kind == EVENT_READ || e->kind == EVENT_WRITE; }
static inline bool event_is_fence(const struct event *e) {
  return e->kind == EVENT_FENCE || e->kind == EVENT_PROXY_FENCE;
}
/* False for the events of barriers, mbarrier objects, grids and asynchronous operations other than accesses. */
static inline bool event_is_basic(const struct event *e) { return event_is_memory(e) || event_is_fence(e); }
/* True for a single access (M10): accesses larger than .b128 consist of several. */
static inline bool event_is_single(const struct event *e) { return e->size <= 16 && !e->is_torn; }
static inline bool event_is_strong(const struct event *e) { return e->sem != SEM_WEAK; }

/* True if an event is in a predefined set. */
bool event_is_in(const struct event *event, enum cat_builtin set);

/* True if loc, vloc, same-range or partial relates two events when they access these places (indices). */
bool skeleton_places_related(const struct skeleton *skeleton, enum cat_builtin relation, uint32_t a, uint32_t place_a,
                             uint32_t b, uint32_t place_b);

/* The relation that an arrival has to the waits of its phase. */
enum cat_builtin skeleton_bar_relation(const struct event *arrival);

/* True if the value of an arrival may go into the result of a wait. */
bool skeleton_flows(const struct skeleton *skeleton, uint32_t arrival, uint32_t wait);

/* True if two arrivals may be at one barrier: by group and number. */
bool skeleton_may_meet(const struct skeleton *skeleton, uint32_t x, uint32_t y);

/* skeleton_may_share: true if two arrivals may be in one phase of one barrier; skeleton_must_share: true if they are,
 * whenever both happen. */
bool skeleton_may_share(const struct skeleton *skeleton, uint32_t x, uint32_t y);
bool skeleton_must_share(const struct skeleton *skeleton, uint32_t x, uint32_t y);
/* True if, whenever y happens, x happens before its thread ends, in the same phase. */
bool skeleton_surely_comes(const struct skeleton *skeleton, uint32_t x, uint32_t y);

/* The object of a view; the view that contains an address, or NULL. */
const struct object *skeleton_object(const struct skeleton *s, const struct view *view);
const struct view *skeleton_view(const struct skeleton *s, value_t address);

/* relevant.c: the instructions that determine the paths of threads and, if requested, the observables and the set of
 * events. */
enum { MATTERS_OBSERVED = 1, MATTERS_TO_EVENTS = 2 };
struct relevant {
  struct flow_slice slice;
  uint32_t *regs, *instrs, *data; /* by thread: the first item of its registers, its instructions, and their data */
  uint32_t objects, cells;        /* the first item of objects; that of tensor memory */
};
struct relevant *skeleton_relevant(const struct skeleton *skeleton, unsigned also);

static inline bool relevant_reg(const struct relevant *found, uint32_t thread, uint32_t reg) {
  return bitset_has(found->slice.items, found->regs[thread] + reg);
}
static inline bool relevant_instr(const struct relevant *found, uint32_t thread, uint32_t instr) {
  return bitset_has(found->slice.items, found->instrs[thread] + instr);
}
/* True of an access, or an asynchronous operation whose accesses make no difference to relevant instructions. */
bool relevant_is_idle(const struct program *program, const struct relevant *found, uint32_t thread, uint32_t instr);

/* True if the value of a chunk makes no difference to the part of a thread that is repeated for ever (lassos). */
bool skeleton_may_change(const struct skeleton *skeleton, uint32_t chunk);

/* alike.c: true if two threads can be exchanged in every execution: with `in_outcomes` the final state does not change;
 * without it, the condition and the filter keep their truth values. False if that is not known. */
bool skeleton_alike(const struct skeleton *skeleton, uint32_t thread_a, uint32_t thread_b, bool in_outcomes);

/* exits.c: true if the text does not rule out that a thread accesses shared memory of another CTA of its cluster. */
bool program_lends(const struct program *program);

/* skeleton_thread_in: a thread of a CTA. skeleton_cta_ranked: the CTA of this rank in the cluster of a thread, or
 * NO_THREAD. */
uint32_t skeleton_thread_in(const struct skeleton *skeleton, uint32_t cta);
uint32_t skeleton_cta_ranked(const struct program *program, uint32_t thread, uint32_t rank);

/* async/commit_groups.c: the group instruction of an event, or NULL. */
const struct group *skeleton_group(const struct skeleton *skeleton, uint32_t event);
/* The event by which a thread issues the operation of an access; NO_PARTNER: it does not. skeleton_may_wait_for: true
 * if a wait waits for an access once enough groups were committed since. */
uint32_t skeleton_issue_in(const struct skeleton *skeleton, uint32_t access, uint32_t thread);
bool skeleton_may_wait_for(const struct skeleton *skeleton, uint32_t access, uint32_t wait);

/* True if one step of an mbarrier object precedes another one in every execution in which both happen. */
bool skeleton_step_before(const struct skeleton *skeleton, uint32_t a, uint32_t b);
/* In barriers.c. skeleton_in_warpgroup: true if both threads are in one warpgroup. skeleton_shares_products: true if,
 * in addition, both have wgmma products of whole tiles, which their warpgroup issues as one. */
bool skeleton_in_warpgroup(const struct thread *a, const struct thread *b);
bool skeleton_shares_products(const struct thread *a, const struct thread *b);
/* True if two threads are lanes of one warp that arrive as one at a barrier (B2). */
bool skeleton_arrive_as_one(const struct skeleton *skeleton, const struct barrier_group *group, uint32_t a, uint32_t b);

/* True if the end of a thread may let a wait pass, in place of an arrival (B2). */
bool skeleton_may_end_before(const struct skeleton *skeleton, uint32_t thread, uint32_t wait);

/* The instruction of an event; NULL for an initial write. */
static inline const struct instr *skeleton_instr(const struct skeleton *s, const struct event *e) {
  return e->thread == NO_THREAD ? NULL : &s->program->threads[e->thread].instrs[e->instr];
}
static inline const struct instr *event_instr(const struct skeleton *s, uint32_t event) {
  return skeleton_instr(s, skeleton_event(s, event));
}

/* Adds one line for each event, then the fixed relations: --dump=events. */
struct text;
void skeleton_dump(const struct skeleton *skeleton, struct text *out);
