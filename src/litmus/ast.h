/* The syntax tree of a litmus test: the result of parsing, before names are looked up.
 *
 * Lists are linked through `next` in text order. Names are interned, so they compare with ==. Numbers are magnitudes
 * with a sign. Everything lives in the arena given to litmus_parse, and spans point into its source.
 *
 * Source: docs/semantics.md T1.
 */
#pragma once

#include "diag/source.h"

struct reason;

/* Items linked through `next`, in their order. */
#define LIST_OF(name, item)                                                                                            \
  struct name {                                                                                                        \
    struct item *first, *last;                                                                                         \
  }

/* A name, a qualifier (with its dot) or a type word. */
struct litmus_word {
  const char *text;
  struct span span;
  struct litmus_word *next;
};

LIST_OF(litmus_words, litmus_word);

/* True if this is among the words: a dot of an instruction, or a word of a declaration, such as ".shared". */
static inline bool litmus_has_word(const struct litmus_words *words, const char *text) {
  return SOME(for (const struct litmus_word *word = words->first; word; word = word->next),
              strcmp(word->text, text) == 0);
}

/* The notation of a number: an integer in any base; the bits of an f32 or f64 (0f3F800000, 0d...); or a decimal such
 * as 1.5, which is an f64. */
enum litmus_number_kind { LITMUS_INTEGER, LITMUS_F32, LITMUS_F64 };

struct litmus_number {
  value_t value; /* magnitude, below 2^128; for LITMUS_F32 and LITMUS_F64 the bits */
  bool negative;
  enum litmus_number_kind kind;
  bool decimal;     /* 1.5 */
  const char *text; /* as written, without the sign; NULL for integers, except bit patterns such as 0x00000001, and
                       WARP_SZ, PTX's name for 32 (4.5.2) */
  struct span span;
};

/* The owner of a name, before the colon: none, `P0:` or `0:`, `cta1:` or `gpu0.cta1:`, `P(0,1):`. */
enum litmus_owner {
  LITMUS_OWNER_NONE,
  LITMUS_OWNER_THREAD,
  LITMUS_OWNER_CTA,
  LITMUS_OWNER_PLACE, /* P(0,1): a thread of a kernel, by block and thread; kernel_expand makes it a THREAD */
};

struct litmus_ref {
  enum litmus_owner owner;
  uint32_t thread;   /* LITMUS_OWNER_THREAD: the number after P; LITMUS_OWNER_PLACE: the number in block `cta` */
  uint32_t gpu, cta; /* LITMUS_OWNER_CTA */
  bool has_gpu;
  bool percent;     /* written %name: it must be a register */
  const char *name; /* without the % */
  bool has_index;   /* name[index] */
  uint32_t index;
  int64_t offset; /* name+offset, in bytes */
  struct span span, owner_span;
};

enum litmus_operand_kind {
  LITMUS_NUMBER,   /* 1, -1, 0x10 */
  LITMUS_NAME,     /* r1, x, x+4, a[1], _ */
  LITMUS_BRACKET,  /* [x], [r1+4], [cta1:z] */
  LITMUS_ABSOLUTE, /* [4096] */
  LITMUS_VECTOR,   /* {r0,_} */
  LITMUS_NEGATED,  /* !p */
  LITMUS_SPECIAL,  /* %tid.x */
  LITMUS_PAIR,     /* r|p: a result and a second result, a predicate */
  LITMUS_LIST,     /* (r0,r1): the results or arguments of a call */
  LITMUS_TENSOR,   /* [tm, {0,0}] */
};

struct litmus_operand {
  enum litmus_operand_kind kind;
  struct span span;
  struct litmus_operand *next;
  union {
    struct litmus_number number;  /* LITMUS_NUMBER, LITMUS_ABSOLUTE */
    struct litmus_ref ref;        /* LITMUS_NAME, LITMUS_BRACKET, LITMUS_NEGATED */
    struct litmus_operand *items; /* LITMUS_VECTOR, LITMUS_PAIR, LITMUS_LIST */
    struct litmus_words words;    /* LITMUS_SPECIAL: the register and its dots */
    struct {
      struct litmus_ref ref;
      struct litmus_operand *items;
    } tensor; /* LITMUS_TENSOR: the map and the coordinates */
  } u;
  struct litmus_operand *more; /* LITMUS_BRACKET: the operands after the address, as in [t, {r0,r1}]; LITMUS_TENSOR: the
                                  map whose content is at the address */
  struct litmus_words suffix;  /* qualifiers after a bracket: [x].unified */
};

struct litmus_instr {
  struct span span;
  struct litmus_word opcode;
  struct litmus_words qualifiers;
  struct litmus_operand *operands;
  struct litmus_word *guard;    /* @p; NULL: none */
  bool guard_negated;           /* @!p */
  bool call;                    /* operands in parentheses: __syncthreads() */
  bool assigns;                 /* r1 = f(...): the first operand is r1, the others are in the parentheses */
  const struct reason *refused; /* of a kernel: why the instruction cannot be judged, or NULL */
  const struct reason *opaque;  /* of a kernel: why its results may be any, or NULL */
  const char *note;             /* of a kernel: a comment behind the instruction, or NULL */
  bool stood_for;               /* of a kernel: all races of its accesses are like races of others, or settled (K16) */
  bool part;                    /* of a kernel: one of several instructions to which one of the text is lowered */
  bool cuda;                    /* in CUDA C++: the instruction of a statement (cuda.h) */
  bool host;                    /* of a host's thread, whose statements have no scopes */
};

/* Of a test in CUDA C++: the start or the end of a block. The parser turns blocks into jumps. */
enum litmus_block {
  LITMUS_BLOCK_NONE,
  LITMUS_BLOCK_IF,
  LITMUS_BLOCK_WHILE,
  LITMUS_BLOCK_DO,
  LITMUS_BLOCK_ELSE,
  LITMUS_BLOCK_END,
  LITMUS_BLOCK_UNTIL, /* } while (...) */
};

struct litmus_cell {
  struct litmus_word *labels;
  struct litmus_instr *instr; /* NULL: the cell has only labels, or nothing */
  enum litmus_block block;    /* for the parser */
  struct litmus_cell *more;   /* for the parser: the next cell of the same column */
  struct span span;
  struct litmus_cell *next;
};

struct litmus_row {
  struct litmus_cell *cells;
  uint32_t count;
  struct span span;
  struct litmus_row *next;
};

/* One level of a placement: `cta 0`. */
struct litmus_level {
  struct litmus_word key;
  uint32_t number;
  struct litmus_level *others; /* in the parser: the numbers of the other threads of the column */
  struct litmus_level *next;
};

struct litmus_thread {
  struct litmus_word name; /* in the parser, the first name of a list: the threads of the column */
  bool placed;
  struct litmus_level *levels;
  struct span span;
  struct litmus_thread *next;
};

/* `B,T` after `threads`, or `B,T-T`. */
struct litmus_pair {
  uint32_t block, thread, last;
  struct span span;
  struct litmus_pair *next;
};

/* `grid 2`, `block 16 8`. x = 0: not given. */
struct litmus_extent {
  uint32_t x, y, z;
  struct span span;
};

static inline uint32_t litmus_volume(struct litmus_extent extent) { return extent.x * extent.y * extent.z; }

/* A grid of a kernel (docs/semantics.md T6). */
enum { LITMUS_HOST_GPU = 1 << 24 }; /* hosts have numbers of gpus of their own, from here on */

struct litmus_kernel {
  struct litmus_word file; /* without the quotes */
  struct litmus_word entry;
  struct litmus_value *args;
  uint32_t gpu;
  struct litmus_extent grid, block, cluster;
  uint32_t shared;             /* bytes of dynamic shared memory; 0: not given */
  struct litmus_pair *threads; /* NULL: all */
  bool grouped;                /* some threads represent others (K5) */
  bool cooperative;            /* the grid has a workspace for grid barriers (K8) */
  bool host;                   /* a block of a host, with `rows` of one cell, in place of a kernel */
  struct litmus_row *rows;
  struct span span;
  struct litmus_kernel *next;
};

/* A value in the init block: a number, or the address of a location. */
struct litmus_value {
  struct litmus_value *fields; /* the members of a structure argument, which has only these and `span`; else NULL */
  struct litmus_word *type;    /* of a field: ".u64"; NULL without a type, and for other values */
  bool is_address;
  union {
    struct litmus_number number;
    struct litmus_ref ref; /* is_address */
  };
  value_t mask; /* in a module, 0xFF00(x): the bits of the address that the value is, moved to the lowest; else 0 */
  struct span span;
  struct litmus_value *next;
};

/* `{x, .b16, dims 192 128, box 64 64, strides 512}`: the innermost dimension first (K6). Strides are in bytes, from the
 * second dimension on. Instead of `box`, a map for copies in mode im2col has the corners of a box, channels and pixels.
 * Steps are traversal strides. */
enum { MOST_DIMENSIONS = 5 };
#define LITMUS_MAP_LISTS(ROW)                                                                                          \
  ROW(DIMS, "dims") ROW(BOX, "box") ROW(STRIDES, "strides") ROW(LOWER, "lower") ROW(UPPER, "upper")                    \
  ROW(CHANNELS, "channels") ROW(PIXELS, "pixels") ROW(STEPS, "steps")
enum litmus_map_list {
#define ROW(id, word) MAP_##id,
  LITMUS_MAP_LISTS(ROW)
#undef ROW
      MAP_LISTS
};
struct litmus_map {
  struct litmus_word type;
  struct map_sizes {
    uint32_t count;
    int64_t list[MOST_DIMENSIONS];
  } of[MAP_LISTS];
};
const char *litmus_map_word(enum litmus_map_list list);

/* The address of a location (K8): `x at 0x700000000`, `y at x+0x100000000`. */
struct litmus_at {
  const char *base; /* NULL: none */
  uint64_t offset;
};

/* The order of two grids: `grid 1 after grid 0`. */
struct litmus_launch {
  uint32_t grid, other;
  struct litmus_word how; /* after, follows */
  bool wrong;             /* other words are in the place of `grid` */
};

/* The initial bytes of a location in shared memory of a CTA, written by threads without a column (K5). */
struct litmus_given {
  uint32_t gpu, cta, begin, end;
  struct litmus_given *next;
};

/* `.shared .u32 z = 1`, `int a[4] = {1,2}`, `P0:r1 = x`, `y @ generic aliases x`. */
struct litmus_entry {
  struct litmus_words qualifiers; /* .shared, .u32 */
  struct litmus_words types;      /* int, unsigned */
  struct litmus_ref ref;          /* without index and offset */
  const char *scope;              /* ".gpu" for a cuda::atomic of CUDA C++; NULL for other objects */
  bool is_array, has_count;       /* a[], a[4] */
  uint32_t count;
  struct litmus_value *values;    /* NULL: none given */
  bool braces;                    /* the values are in braces */
  uint32_t place;                 /* in the shared memory of a kernel: its first byte */
  const char *whole;              /* of a kernel: the variable of which this is a part, at `part`; NULL: none */
  uint32_t part;
  bool unset;                     /* memory that is uninitialized when the kernel begins */
  struct litmus_given *given;     /* the bytes of such memory that are initialized */
  bool zeroed;                    /* a variable of a module that PTX sets to 0 by default */
  struct litmus_word *alias_kind; /* generic, surface ...; NULL if omitted */
  struct litmus_word *alias_of;   /* NULL: no alias */
  struct litmus_map *map;         /* for a tensor map with coordinates, whose only value is its location; else NULL */
  struct litmus_at *at;           /* the address of a location, for an entry that gives nothing else; else NULL */
  struct litmus_launch *launch;   /* `grid 1 after grid 0`; then nothing else is set. NULL: a declaration */
  struct span span;
  struct litmus_entry *next;
};

enum litmus_cond_kind { LITMUS_AND, LITMUS_OR, LITMUS_NOT, LITMUS_COMPARE };

enum compare { COMPARE_EQ, COMPARE_NE, COMPARE_LT, COMPARE_LE, COMPARE_GT, COMPARE_GE };

enum litmus_term_kind {
  LITMUS_TERM_NUMBER,
  LITMUS_TERM_REF,     /* 0:r1, x, a[1] */
  LITMUS_TERM_CONTENT, /* [x]: always the value in memory */
  LITMUS_TERM_ADDRESS, /* &x: always the address */
};

struct litmus_term {
  enum litmus_term_kind kind;
  union {
    struct litmus_number number; /* LITMUS_TERM_NUMBER */
    struct litmus_ref ref;
  };
  struct span span;
  struct litmus_term *next; /* in a list of locations */
};

/* Conjunctions and disjunctions hold any number of parts, so that a long chain is not a deep tree. The depth is bounded
 * by the parser's stack (YYMAXDEPTH), which makes recursion over it safe. */
struct litmus_cond {
  enum litmus_cond_kind kind;
  bool closed;                           /* in parentheses: parts are not merged into it */
  struct litmus_cond *parts, *last_part; /* LITMUS_AND, LITMUS_OR: at least two; LITMUS_NOT: one */
  uint32_t part_count;
  enum compare compare;
  struct litmus_term *a, *b;
  struct span span;
  struct litmus_cond *next;
};

/* SAFE, IN_TURNS: the questions of K4 and K18, which are no conditions on final states. */
/* More threads cannot be analysed, and the checks of placements compare them in pairs. */
enum { LITMUS_MOST_THREADS = 4096 };

enum litmus_quantifier { LITMUS_EXISTS, LITMUS_NOT_EXISTS, LITMUS_FORALL, LITMUS_SAFE, LITMUS_IN_TURNS };

/* A line `Key=Value` of the head. */
struct litmus_key {
  const char *key, *value;
  struct span span; /* of the whole line, or of the text from which it follows */
  bool stated;      /* not a separate line: `value` follows from another line of the test */
  struct litmus_key *next;
};

/* A region of a kernel's memory, by the addresses that its threads use: "'a'", "the shared memory of the block". */
struct litmus_region {
  const char *name;
  uint64_t base, size; /* bytes */
};

struct litmus_test {
  const struct source *source;
  bool cuda; /* in CUDA C++, not in PTX */
  const char *name;
  struct span name_span;
  struct litmus_word *docs; /* quoted texts, without the quotes */
  struct litmus_key *keys;
  struct litmus_entry *entries;
  struct litmus_kernel *kernels;       /* instead of threads and rows, until kernel_expand makes these */
  bool textures;                       /* of a kernel: some thread reads a texture */
  bool workspace;                      /* of a kernel: it asks for that of a cooperative launch */
  bool strong;                         /* of a kernel: its code has strong accesses, which may be left out (K18) */
  uint32_t whole;                      /* of a kernel: the instructions of the columns before any is left out */
  uint32_t blocks;                     /* of kernels: the CTAs of all grids */
  uint32_t unrolled; /* of a kernel: the iterations after which a loop that is written out is cut; 0: there is none */
  const char *apart;                   /* of a kernel, or NULL: its launch has little to judge, and why */
  bool late; /* of a kernel: its threads wait for one another only by reading memory, so that those without columns may
                run after all columns */
  const char *behind, *zeros;          /* of a kernel, or NULL: columns that represent others; locations whose initial
                                          0 decides a branch */
  const struct reason *lacks;          /* of a kernel: why no finding does not mean that it is safe; or NULL */
  struct span lacks_place;
  bool prefix;                         /* of a kernel: its columns end before its threads do */
  const struct litmus_region *regions; /* of a kernel: its memory */
  uint32_t region_count;
  const char *cut;      /* the blocks of large grids that take part; NULL: all */
  const char *compiler; /* the compiler of a kernel's source, with its options; NULL: none */
  struct litmus_thread *threads;
  uint32_t thread_count;
  struct litmus_row *rows;
  uint32_t row_count;
  struct litmus_term *locations;
  struct litmus_cond *filter; /* NULL: none */
  enum litmus_quantifier quantifier;
  struct litmus_cond *condition; /* NULL: LITMUS_SAFE, LITMUS_IN_TURNS */
  struct span condition_span;    /* from the quantifier to the end */
};
