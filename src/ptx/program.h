/* A checked litmus test: the interface between reading the text and reasoning about it, with all that the memory model
 * needs.
 *
 * Everything here is resolved: names are indices, defaults are filled in, scopes, types and addresses are explicit,
 * every access is inside its object and aligned, as far as the text shows that. A test with an error has no program.
 * All storage belongs to the arena the program was lowered into; spans point into the test's source.
 *
 * Source: docs/semantics.md P1-P11; PTX ISA 9.4, chapter 8. */
#pragma once

#include "litmus/ast.h"
#include "ptx/reason.h"
#include "term/float.h"

enum scope {
  SCOPE_NONE,
#define PTX_SCOPE(id, word, cuda, set, meaning) SCOPE_##id,
#include "ptx/words.def"
};

enum space {
  SPACE_GENERIC,
#define PTX_SPACE(id, word) SPACE_##id,
#include "ptx/words.def"
};

/* The path of an access to memory (8.6). PROXY_ALIAS occurs only on a proxy fence: fence.proxy.alias. Only asynchronous
 * operations use the last three. */
enum proxy {
  PROXY_GENERIC,
#define PTX_PROXY(id, word, load, store, set, meaning) PROXY_##id,
#include "ptx/words.def"
  PROXY_ALIAS,
  PROXY_ASYNC,
  PROXY_TENSORMAP,
  PROXY_TMEM, /* to tensor memory, which has no other proxy */
};

/* The memory semantics of an access or fence (8.5). Only SEM_WEAK is not strong; fences are never weak.
 */
enum sem {
#define PTX_SEM(id, word) SEM_##id,
#include "ptx/words.def"
};

enum type_kind { TYPE_BITS, TYPE_UNSIGNED, TYPE_SIGNED, TYPE_FLOAT, TYPE_BFLOAT, TYPE_PRED };

/* A scalar type. width in bits: 1 (predicates), 8, 16, 32, 64 or 128. */
struct type {
  enum type_kind kind;
  uint8_t width;
};

static inline bool type_is_float(struct type type) { return type.kind == TYPE_FLOAT || type.kind == TYPE_BFLOAT; }

/* The format of a floating-point type. */
static inline enum float_format type_format(struct type type) {
  if (type.kind == TYPE_BFLOAT) return FLOAT_BF16;
  return type.width == 16 ? FLOAT_F16 : type.width == 32 ? FLOAT_F32 : FLOAT_F64;
}

/* Variants of shf, bmsk and szext; of bfind; of prmt. */
enum alu_mode {
  MODE_NONE,
  MODE_CLAMP,
  MODE_WRAP,
  MODE_SHIFTAMT,
  MODE_F4E,
  MODE_B4E,
  MODE_RC8,
  MODE_ECL,
  MODE_ECR,
  MODE_RC16,
};

/* The result of setp if a floating-point operand is a NaN (9.7.6): false, also for .ne; true (.equ, .ltu); or setp only
 * tests for NaNs (.num, .nan). */
enum unordered { UNORDERED_FALSE, UNORDERED_TRUE, UNORDERED_NUM, UNORDERED_NAN };

/* When floating-point arithmetic flushes subnormal numbers to zero: never; always (.ftz, and atom.add.f32 without
 * .noftz on global memory); or, for such an atom at a generic address, only in global memory. */
enum flush { FLUSH_NEVER, FLUSH_ALWAYS, FLUSH_IN_GLOBAL };

/* The rounding of a floating-point operation: an enum float_rounding, with ROUND_WHOLE to an integer (.rni and the
 * like); or ROUND_OTHERWISE, which is not modelled. */
enum { ROUND_DIRECTION = 3, ROUND_WHOLE = 4, ROUND_OTHERWISE = 8 };

enum { NO_REG = UINT32_MAX, NO_THREAD = UINT32_MAX, MAX_VECTOR = 8 };

enum operand_kind { OPERAND_NONE, OPERAND_REG, OPERAND_IMM, OPERAND_CLOCK };

/* The address of a location is an immediate: the virtual address of its view. A clock has any value. */
struct operand {
  enum operand_kind kind;
  uint32_t reg; /* index into the thread's registers */
  value_t imm;
  struct span span;
};

/* base + offset, a virtual address; offset in bytes. Arithmetic modulo 2^64. */
struct address {
  struct operand base;
  int64_t offset;
};

enum instr_kind {
#define PTX_INSTR(id, walk, events, numbers) INSTR_##id,
#include "ptx/instr.def"
};

/* The kinds of barriers, by the threads that take part (docs/semantics.md, Barriers). */
enum barrier_kind {
  BARRIER_CTA,     /* resource (cta, id): bar, barrier, __syncthreads* */
  BARRIER_WARP,    /* resource (warp, mask): bar.warp.sync, __syncwarp */
  BARRIER_CLUSTER, /* resource (cluster): barrier.cluster */
  BARRIER_LANES,   /* resource (warp, mask, instruction): shfl, vote, match, redux. They order nothing (G7) */
  BARRIER_PAIR,    /* resource (pair of CTAs): tcgen05.alloc, dealloc and relinquish, by id */
  BARRIER_PRODUCT, /* resource (warpgroup): wgmma.wait_group, because a product begins when all warps have arrived */
};

/* Exchanges between the lanes of a warp (9.7.10 "shfl.sync", 9.7.15 "vote.sync", "match.sync", "redux.sync"). */
enum exchange {
  EXCHANGE_ALL, /* vote */
  EXCHANGE_ANY,
  EXCHANGE_UNI,
  EXCHANGE_BALLOT,
  EXCHANGE_MATCH_ANY, /* match */
  EXCHANGE_MATCH_ALL,
  EXCHANGE_UP, /* shfl */
  EXCHANGE_DOWN,
  EXCHANGE_BFLY,
  EXCHANGE_IDX,
  EXCHANGE_REDUX, /* the operation is the instruction's */
};

/* SYNC and RED arrive and wait; ARRIVE only arrives; WAIT (cluster only) waits for the phase of the latest arrival. */
enum barrier_action { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_WAIT, BARRIER_RED };

enum barrier_reduction { REDUCE_POPC, REDUCE_AND, REDUCE_OR };

/* Operands of a barrier instruction. red: dst[0] gets the reduction over the participants' predicates. */
struct barrier {
  enum barrier_kind kind;
  enum barrier_action action;
  enum barrier_reduction reduction; /* BARRIER_RED */
  enum exchange exchange;           /* BARRIER_LANES: src[0] is the lane's value, src[1] and src[2] are b and c of shfl;
                                       dst[0] is the result, dst[1] a second result, a predicate, or NO_REG */
  struct operand id;                /* CTA: the barrier, 0..15, without the instance that Dat3M writes before it. Warp
                                       and lanes: the mask of lanes */
  struct operand count;             /* CTA: participants in litmus threads, each of which represents its warp (a PTX
                                       count that is a multiple of 32 is divided by 32); OPERAND_NONE: every thread of
                                       the CTA. Cluster and warp: NONE */
  struct operand predicate;         /* red */
  bool negated;                     /* red, vote: the predicate is negated */
  bool relaxed;                     /* cluster arrive: counts as an arrival, but does not synchronize */
  bool aligned;                     /* .aligned or bar.*: all lanes of the warp must execute it (else undefined, G98) */
};

/* The threads that must execute an instruction together (B5). Lanes that have ended are missed by all but barriers. */
enum aligned {
  ALIGNED_NOT,
  ALIGNED_BARRIER, /* the lanes of the warp */
  ALIGNED_WARP,
  ALIGNED_WARPGROUP,
};

/* Instructions on matrices that only kernels model (kernel/tensors.c). */
enum tiled { TILED_NONE, TILED_COPY, TILED_PRODUCT, TILED_ROWS };

/* Operations on an mbarrier object (9.7.15.16; docs/async.md MB1-MB7). */
enum mbarrier_action {
  MBARRIER_INIT,
  MBARRIER_INVAL,
  MBARRIER_ARRIVE,
  MBARRIER_DROP, /* arrive_drop */
  MBARRIER_EXPECT,
  MBARRIER_COMPLETE,
  MBARRIER_PENDING, /* pending_count: of a state, for any object */
  MBARRIER_TEST,    /* test_wait */
  MBARRIER_TRY,     /* try_wait: may always be false */
  MBARRIER_WAIT,    /* the loop around try_wait, as one instruction */
};

/* Limits of the counts of an object, in its first layout (9.7.15.16.2). */
enum { MBARRIER_COUNT_LIMIT = (1 << 20) - 1 };

/* Semantics and scope are the instruction's; SEM_WEAK and SCOPE_NONE for init and inval. */
struct mbarrier {
  enum mbarrier_action action;
  struct address object; /* except for pending_count */
  struct operand count;  /* init: of each phase; arrivals: their number; 32 bits */
  struct operand bytes;  /* expect_tx, complete_tx, and arrivals with .expect_tx; OPERAND_NONE: none */
  bool no_complete;      /* .noComplete: an arrival that must not complete the phase */
  bool own;              /* .shared::cta: only objects of the thread's CTA */
  bool parity;           /* tests: `phase` is a parity, else a state that an arrival gave */
  struct operand phase;  /* tests; pending_count: the state */
};

/* One-way fences between two proxies, and the fence for mbarrier.init (9.7.15.4; docs/async.md AC7, AC8, MB13).
 */
enum one_way {
  ONE_WAY_NOT,
  ONE_WAY_RELEASE,
  ONE_WAY_ACQUIRE,
  ONE_WAY_RELEASE_READS,
  ONE_WAY_INIT,
  /* of PROXY_TMEM: tcgen05.fence::before_thread_sync and ::after_thread_sync, tcgen05.wait::ld and ::st (AG4) */
  ONE_WAY_BEFORE,
  ONE_WAY_AFTER,
  ONE_WAY_LOADS,
  ONE_WAY_STORES,
  ONE_WAY_FREES, /* tcgen05.dealloc */
};

enum async_action {
#define PTX_ASYNC(id, accesses, emit, refusal, tensor, collector) ASYNC_##id,
#include "ptx/async.def"
};

/* The columns of async.def without the functions. */
struct async_row {
  const char *refusal; /* NULL: a GPU can run it */
  bool tensor;
  enum async_action collector;
};

const struct async_row *async_row(enum async_action action); /* async.c */

/* Tensor memory, by address: lanes and columns of cells of 32 bits, the lane in the upper half (9.7.18.1). */
enum { TENSOR_LANES = 128, TENSOR_COLUMNS = 512, TENSOR_CELL = 4, TENSOR_HALF = 16 };
/* exec/async/allocator.c: columns beyond those of the hardware, for TENSOR_GIVEN allocations placed by the order of
 * warps. TENSOR_WIDTH: the columns of a CTA's object. */
enum { TENSOR_GIVEN = 8, TENSOR_APART = 2 * TENSOR_COLUMNS };
enum { TENSOR_WIDTH = TENSOR_COLUMNS + TENSOR_GIVEN * TENSOR_APART };

/* The column and row of a register of .ld and .st in lane 0 (9.7.18.2.3). */
enum tensor_fragment { FRAGMENT_32X32, FRAGMENT_16X64, FRAGMENT_16X128, FRAGMENT_16X256 };

/* The operands of a tcgen05 instruction in addition to the addresses of struct async. */
struct tensor {
  bool to_cells, from_cells; /* `to` or `from` is a lane and a column; else a location, which has one element */
  bool paired;               /* .cta_group::2: also in the other CTA of the pair */
  uint32_t lanes, columns;   /* .ld, .st, .cp, .shift: the number accessed */
  enum tensor_fragment fragment;
  bool halves; /* .pack::16b, .unpack::16b: a register has two columns */
  bool split;  /* .16x32bx2: lanes 16 to 31 of the warp have the columns at the address plus `second` */
  uint32_t second;
  bool reduces, magnitude; /* .ld.red: the last result is the reduction; `magnitude`: of absolute values */
  const char *kind;        /* .mma: the word, interned */
  bool weights;            /* .mma.ws */
  struct operand shape;    /* .mma: the instruction descriptor; OPERAND_NONE: one element */
  struct operand adds;     /* .mma: the predicate under which D is also read; OPERAND_NONE: never */
  bool sparse;
  struct address metadata;  /* .mma.sp */
  struct address scales[2]; /* .mma.block_scale */
  uint32_t scale_vector;    /* the number of scales per row; 0: none */
  struct operand count;     /* .alloc, .dealloc: columns */
  uint32_t *results;        /* .ld: registers, also those in dst */
  struct operand *values;   /* .st: operands, also those in src */
  uint32_t result_count, value_count;
};

/* The lists of a thread's operations that commits close as groups. */
enum group_list { GROUP_NONE, GROUP_COPY, GROUP_BULK, GROUP_MMA, GROUP_LISTS };

enum { MAP_BYTES = 128 }; /* the size of every tensor map in PTX */

/* A run of bytes that are adjacent in memory and in an operation's data: at offset `at` from the address, and at
 * `position` in the data. No list: all bytes from the address on. */
struct byte_run {
  uint32_t at, position, bytes;
};

struct byte_runs {
  struct byte_run *list;
  uint32_t count;
};

/* The values that st.async and red.async write are src[i]; the operation and the type of a reduction are the
 * instruction's. */
struct async {
  enum async_action action;
  enum group_list list;    /* the list to which it is added; GROUP_NONE: it completes by a signal, or unobserved */
  struct address to, from; /* from: copies */
  struct address other;    /* ASYNC_TENSOR_MMA */
  bool from_map, to_map;   /* the address is a tensor map's, and its target is accessed */
  struct address map;      /* the bytes of the map, which are also read; OPERAND_NONE: the map is not a location */
  struct byte_runs from_runs, to_runs, other_runs; /* the bytes accessed at the addresses */
  struct operand bytes;                            /* copies: the number written */
  struct operand filled;  /* cp.async: the number read, the other bytes are zeros; OPERAND_NONE: all */
  struct operand ignored; /* cp.async: a predicate; if it holds, nothing is read; OPERAND_NONE: never */
  struct operand ctas;    /* the destination CTAs in the cluster, one bit each; OPERAND_NONE: the addressed CTA */
  uint32_t *replicas;     /* for a multimem address, in place of `to`: the address in each replica; else NULL */
  uint32_t replica_count;
  bool has_object; /* completion is a signal on an mbarrier object */
  struct address object;
  bool counted;                /* ASYNC_ARRIVE: .noinc, the object counts this arrival already */
  bool reduces;                /* the destination is combined with the source */
  bool whole;                  /* elements have 16 bytes, for any declaration of the location */
  bool paired;                 /* the object may be in the other CTA of the destination's pair (.cta_group::2) */
  const struct tensor *tensor; /* of tcgen05; else NULL */
  uint32_t fragment[MAX_VECTOR], fragments; /* ASYNC_MMA: the registers that hold A */
  bool shaped;                              /* ASYNC_MMA: one operation of all threads of a warpgroup */
};

/* Closes the operations of a list as a group, or waits until at most `left` of the newest groups are pending. */
struct group {
  enum group_list list;
  bool waits;
  bool commits;        /* .wait_all does both */
  struct operand left; /* waits: the number of groups that may stay pending */
  bool fences;         /* wgmma.fence, which does neither: orders earlier instructions before later operations */
  bool reads_only;     /* waits: for the reads of sources only (.read) */
};

/* An access through a multimem address (8.2.3, docs/semantics.md P9): one scalar access per replica. */
enum multimem_action { MULTIMEM_LOAD_REDUCE, MULTIMEM_STORE, MULTIMEM_RED };

struct multimem {
  enum multimem_action action;
  uint32_t *vaddrs; /* the operand's address in each replica */
  uint32_t count;   /* replicas */
  bool wide;        /* .acc::f32: summed up in f32 */
};

/* The instruction set of a host. */
enum host_isa { HOST_NONE, HOST_X86, HOST_A64, HOST_ISAS };

/* The home of a location in a test with a host; plain: the test does not say it. */
enum host_memory { MEMORY_PLAIN, MEMORY_MAPPED, MEMORY_MANAGED, MEMORY_DEVICE, MEMORIES };

/* The effects of an instruction of a host (litmus/host.def), a mask. */
enum host_mark {
  HOST_A = 1, /* its read is ldar, or acquires in an update */
  HOST_Q = 2, /* its read is ldapr */
  HOST_L = 4, /* its write is stlr, or releases in an update */
  HOST_ACCESS = HOST_A | HOST_Q | HOST_L,
  HOST_FULL = 8, /* the fence orders all, only after reads, only writes */
  HOST_LD = 16,
  HOST_ST = 32,
  HOST_BEFORE = 64, /* a full fence is before it, after it */
  HOST_AFTER = 128,
  HOST_OTHER = 256, /* of another ISA */
};

/* The direction of a branch that leads to a trap without an effect on other threads on the way; for a trap, its own. */
enum trap_way { TRAP_NOWHERE, TRAP_TAKEN, TRAP_PASSED };

/* Qualifiers of arithmetic; `flush` also of floating-point atomics and reductions. */
struct arith {
  enum compare compare;
  enum alu_mode mode;
  bool sat; /* clamped to the range of the type */
  bool nan; /* min.NaN, max.NaN: a NaN if either operand is a NaN */
  enum flush flush;
  unsigned rounding;
  enum unordered unordered; /* floating-point setp */
};

/* The registers that an unmodelled instruction names, some perhaps twice: those of the first operand, unless it is a
 * place of memory; those in places; the others. */
enum named_part { NAMED_RESULT, NAMED_PLACE, NAMED_VALUE, NAMED_PARTS };
struct named_regs {
  const uint32_t *regs;
  uint32_t begin[NAMED_PARTS + 1]; /* by part; the last one is the end */
};

struct instr {
  enum instr_kind kind;
  struct span span;               /* the instruction as written */
  const struct litmus_instr *ast; /* the same instruction; several may share it */
  uint8_t form;                   /* of its opcode, an enum isa_form: ptx/isa.h */
  unsigned alu;                   /* an enum alu_op: ptx/alu.h */
  struct arith arith;
  struct type type; /* the type of one element; for ALU, of the operands */
  struct type from; /* ALU with two types: the type of the sources, as in isa.def */
  uint8_t elements; /* 1, 2, 4 or 8; packed and vector accesses are separate scalar accesses (8.2.4, 8.2.5) */
  bool packed;      /* two elements per register, the first in the lower half: .f16x2 and the like; atomics and ALU */
  uint32_t dst[MAX_VECTOR];
  struct operand src[MAX_VECTOR];
  struct address addr;
  enum sem sem;
  enum scope scope; /* SCOPE_NONE only for weak accesses, ALU and proxy fences */
  enum proxy proxy;
  enum space space;     /* as written; SPACE_GENERIC if omitted */
  enum one_way one_way; /* INSTR_PROXY_FENCE */
  bool own_cta;         /* fence.proxy.async: the space is .shared::cta */
  bool is_volatile, is_mmio;
  uint8_t marks; /* of a host's access: HOST_A, HOST_Q, HOST_L */
  struct guard {
    bool present, negated;
    uint32_t reg;            /* a predicate register */
  } guard;                   /* `@p` and `@!p`: without effect if it does not hold; allowed on every kind */
  uint32_t target;           /* INSTR_BRANCH: index of an instruction, instr_count for the end of the thread */
  enum trap_way trap;        /* of a branch, or a trap, with a guard */
  struct barrier *barrier;   /* INSTR_BARRIER, else NULL */
  struct mbarrier *mbarrier; /* INSTR_MBARRIER, else NULL; dst[0] gets the state or the predicate, or is NO_REG */
  struct async *async;       /* INSTR_ASYNC, else NULL */
  struct group *group;       /* INSTR_GROUP, else NULL */
  struct multimem *multimem; /* INSTR_MULTIMEM, else NULL; alu, type, sem, scope, src, dst as for the scalar access */
  enum aligned aligned;
  uint32_t ordinal;         /* `aligned`: the number of earlier ones of its form in the text of the thread */
  enum tiled tiled;         /* INSTR_UNSUPPORTED, else TILED_NONE */
  bool pure;                /* INSTR_UNSUPPORTED: it only computes the registers dst from the others that it names */
  struct named_regs *named; /* INSTR_UNSUPPORTED, else NULL */
  const struct reason *unsupported; /* why this instruction cannot be judged; NULL: it can */
  const struct reason *opaque;      /* why its results are not known and may be any (K3); NULL: they are */
};

/* The registers that an instruction writes; some may be NO_REG. */
static inline bool instr_loads_tensor(const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_LOAD;
}

static inline bool instr_waits_tensor(const struct instr *in) {
  return in->kind == INSTR_PROXY_FENCE && in->one_way == ONE_WAY_LOADS;
}

static inline uint32_t instr_result_count(const struct instr *in) {
  bool many = in->async && in->async->tensor && in->async->tensor->result_count > MAX_VECTOR;
  return many ? in->async->tensor->result_count : (uint32_t)MAX_VECTOR;
}

static inline uint32_t instr_result(const struct instr *in, uint32_t index) {
  return index < MAX_VECTOR ? in->dst[index] : in->async->tensor->results[index];
}

/* True for scalar accesses and their vectors, but not for asynchronous operations and accesses to replicas. */
static inline bool instr_is_access(const struct instr *in) {
  return in->kind == INSTR_LOAD || in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED;
}

/* A register. Its type, which determines how its final value is printed and compared, is the type of the last
 * instruction, in text order, that writes it (.u32 if none does). */
struct reg {
  const char *name; /* without the leading % */
  struct type type;
  value_t init;
  bool has_init;
  bool hidden;      /* made while lowering (`beq r1, 0, L` compares into one); not observable */
  struct span span; /* first mention */
};

enum { NOT_PLACED = UINT32_MAX };

/* The values of special registers; NOT_PLACED if the test gives none. Only x dimensions: the others are 0, or 1. */
struct specials {
  uint32_t tid, ntid, cta, nctaid, warp, lane, cluster, ctarank, nctarank;
};

/* A thread with its place. The *_id members are numbers unique over the whole test, so that two threads are in one CTA
 * if and only if their cta_id are equal; the plain numbers are as written. */
struct thread {
  uint32_t number; /* P<number> */
  bool of_kernel;
  enum host_isa host;  /* HOST_NONE: a thread of a device; a host's has a CTA and a gpu of its own, without a meaning */
  uint32_t represents; /* the number of other threads that the column of a kernel represents (K5) */
  uint32_t gpu, grid, cluster, cta, warp, lane;
  uint32_t domain; /* the memory synchronization domain of its grid */
  uint32_t gpu_id, cluster_id, cta_id, warp_id;
  struct specials special;
  struct reg *regs;
  uint32_t reg_count;
  struct instr *instrs;
  uint32_t instr_count;
  uint32_t body; /* the first thread of the same code: of the same column or kernel, or of columns with the same text */
  struct span span;
};

/* Adds "P4" or, for a kernel, "thread 36 of block 1". print.c */
void thread_tell(const struct thread *thread, struct text *out);

/* Storage. Objects lie one after another in a physical byte space; `phys` is the first byte. A .shared object exists
 * once per CTA, a .local or .param one once per thread. */
struct object {
  const char *name;     /* as declared, with its owner if it has one: "z", "cta0:z", "P1:l" */
  const char *location; /* the same text for all instances of one declared name; NULL: tensor memory */
  enum space space;
  struct type type;    /* of one element */
  uint32_t count;      /* elements; 1 unless an array; 0 for an mbarrier object, which still has bytes */
  uint32_t items;      /* the declared length, in which a float4 is one */
  value_t *init;       /* count values */
  uint32_t phys, size; /* bytes */
  uint32_t place;      /* of a kernel's shared memory: the offset of the object in it */
  const char *whole;   /* of a kernel: the variable of the source of which this is a part, at `part`; NULL: none */
  uint32_t part;
  uint32_t owner;          /* cta_id for .shared, thread index for .local and .param, else 0 */
  bool implicit;           /* a location that the code names but no entry declares */
  bool unset;              /* in a test of kernels: no value is given, so 0 is taken (T6, G19) */
  bool *given;             /* if unset, by byte: a thread without a column writes it (K5); NULL: none does */
  enum host_memory memory; /* as written */
  bool mapped;             /* host memory whose atomics of devices are not atomic for others: mapped, over pcie */
  bool is_mbarrier;        /* declared as an mbarrier object: opaque */
  bool is_tensormap;       /* declared as a tensor map; its value is the address of its target */
  bool is_cells;           /* lanes and columns of a CTA's tensor memory: without elements or values at first */
  bool is_allocator;       /* the set of allocated columns: a word that only tcgen05.alloc and .dealloc access */
  uint32_t expected; /* is_mbarrier: the count with which it was initialised before all threads; 0: not initialised */
  struct span span;  /* its declaration */
};

/* True if both are instances of one location, in different CTAs. */
static inline bool object_same_location(const struct object *a, const struct object *b) {
  return a->location == b->location && a->space == b->space;
}

/* Adds the name of an element of the object as the source has it: "tile[3]", "cta0:full[1]". print.c */
void object_tell(const struct object *object, uint32_t offset, struct text *out);

/* A virtual address range of an object. Every object has a view under its own name; `y @ generic aliases x` adds
 * another. (`s @ surface aliases x` adds only a name: the same virtual addresses reached by another proxy.) Views never
 * overlap and leave gaps, and no address is below 4096; all fit in 31 bits. Non-array views are aligned to 16 bytes. */
struct view {
  const char *name;
  uint32_t object;  /* index */
  uint32_t vaddr;   /* of the object's first byte */
  enum space space; /* the space of the address: the object's, but .global for an alias of an object in .const */
  struct span span;
};

/* An array in the shared memory of a kernel's CTA whose elements a thread uses cyclically. Stages are `apart` bytes
 * apart; `bytes` of each are known to be used. stages.c */
struct ring {
  uint32_t owner, at, bytes, apart, stages;
};

/* A register or an element of an object, whose final value can be observed. */
struct observable {
  const char *name; /* "0:r0", "x", "a[1]", "cta0:z" */
  bool is_reg;
  uint32_t thread, reg;     /* is_reg: thread is an index */
  uint32_t object, element; /* otherwise */
  struct type type;
};

enum cond_kind { COND_TRUE, COND_AND, COND_OR, COND_NOT, COND_COMPARE };

/* One side of a comparison: an observable, or a constant. The address of a location is a constant. */
struct cond_term {
  bool is_constant;
  uint32_t observable; /* index into program.observables */
  value_t constant;    /* modulo 2^128: negative numbers are sign-extended */
};

/* A state predicate. Comparisons are modulo the width of the observable (of the wider one, if both sides are
 * observables), and signed if its type is signed; two constants compare as 128-bit signed numbers. */
struct cond {
  enum cond_kind kind;
  const struct cond *left, *right; /* COND_NOT uses left only */
  enum compare compare;
  struct cond_term a, b;
};

/* A dependence of a grid on another: programmatic, or by the order in a stream (docs/async.md GR1). */
struct launch {
  uint32_t grid, other;
  bool follows;
};

/* Locations have addresses from FIRST_VADDR to 2^31. OUTSIDE: added in the columns of kernels to an address in this
 * range that is outside every location. */
enum { FIRST_VADDR = 0x1000, OUTSIDE = INT32_MAX - 15 };

struct program {
  bool cuda; /* in CUDA C++: accesses may be seq_cst; such programs have other models than programs in PTX */
  const char *name;
  const struct source *source;
  struct span span;               /* the test's name */
  const struct litmus_test *test; /* as it was written; of a kernel, also what its threads without columns did */
  struct thread *threads;
  uint32_t thread_count;
  struct object *objects;
  uint32_t object_count;
  struct view *views;
  uint32_t view_count;
  struct launch *launches;
  uint32_t launch_count;
  enum host_isa host; /* of the threads of the host; HOST_NONE: there are none */
  bool pcie;          /* the link between host and device; else c2c */

  /* The registers and elements named in the condition, the filter or `locations`, in the order in which a state is
   * printed: registers by thread and name, then locations. */
  struct observable *observables;
  uint32_t observed_count;

  enum litmus_quantifier quantifier;
  const struct cond *condition; /* the constant true if the test asks for safety */
  const struct ring *rings;
  uint32_t ring_count;
  bool uses_multimem;         /* the verdict rests on the assumption of P9 (G32) */
  const struct cond *filter;  /* NULL: none */
  const char *condition_text; /* canonical: "exists (0:r0=0 /\ 1:r1=0)" */
};

/* The words of instructions: ".gpu", "" for SCOPE_NONE; ".shared", "generic" for SPACE_GENERIC; ".acq_rel". A proxy as
 * in fence.proxy: "surface", "alias", or "generic". print.c */
const char *scope_word(enum scope scope);
const char *space_word(enum space space);
const char *sem_word(enum sem sem);
const char *proxy_word(enum proxy proxy);

/* True if the language of the program has a fence of this proxy. Those of PTX_PROXY have one in columns only, in
 * Dat3M's spelling: a module is PTX (9.7.13.4). */
static inline bool program_fences_proxy(const struct program *program, enum proxy proxy) {
  return proxy >= PROXY_ALIAS || !program->threads[0].of_kernel;
}

/* A scope as in thread_scope_block: "block"; not for SCOPE_NONE. The next functions: the opcodes of plain loads and
 * stores through a proxy, "suld"; NULL: none. print.c */
const char *scope_of_cuda(enum scope scope);
const char *proxy_load(enum proxy proxy);
const char *proxy_store(enum proxy proxy);

/* The two values that try_cancel writes, each of which represents all responses with the same .is_canceled. No test can
 * write them. */
static inline value_t response_value(bool canceled) {
  return canceled ? (value_t)0x63616e63656c6564 << 64 | 0x43414e43454c4544
                  : (value_t)0x72656d61696e696e << 64 | 0x52454d41494e494e;
}

/* Adds a value in the notation of its type: floating-point values as bits, 0x3f800000. The next function also adds the
 * number, 0x3f800000 (1.0), the target of a 64-bit pointer, &x, and the meaning of a response. print.c */
void type_print(struct type type, value_t value, struct text *out);
void value_tell(const struct program *program, struct type type, value_t value, struct text *out);

/* Adds the instruction as in the test, including comments, on one line: each run of blanks becomes one. print.c */
void instr_print(const struct instr *instr, struct text *out);

/* The number of stages of the ring in shared memory of which an instruction of a kernel accesses one stage, and that
 * stage, from 0. 0: there is none, or it is unknown. stages.c */
uint32_t instr_stage(const struct program *program, uint32_t thread, uint32_t instr, uint32_t *stage);

/* The iteration, from 1, of an instruction that a loop of a kernel repeats in the thread, and the number of iterations;
 * 0: not repeated. */
uint32_t instr_turn(const struct program *program, uint32_t thread, uint32_t instr, uint32_t *all);

/* True if the test asks if the program is safe, perhaps as a first step (K4, K18). */
static inline bool program_asks_safety(const struct program *program) {
  return program->quantifier == LITMUS_SAFE || program->quantifier == LITMUS_IN_TURNS;
}

/* Size of one element in bytes. */
static inline uint32_t type_bytes(struct type type) { return type.width < 8 ? 1 : type.width / 8u; }
