/* The state of the generator, for its parts: the test being made, and its random choices. Internal to tests/diff. */
#ifndef PTXLIT_TESTS_GEN_H
#define PTXLIT_TESTS_GEN_H

#include <stdarg.h>

#include "generate.h"

/* Location slots; see usual_names. */
enum {
  SLOT_X,
  SLOT_Y,
  SLOT_Z,
  SLOT_ARRAY,
  SLOT_ALIAS,
  SLOT_SURFACE,
  SLOT_TEXTURE,
  SLOT_CONSTANT,
  SLOT_SHARED,
  SLOT_WIDE
};

/* What a test is mainly about. */
enum theme {
  THEME_PLAIN,
  THEME_PROXY,
  THEME_DEPENDENCY,
  THEME_MIXED,
  THEME_RMW,
  THEME_FENCE,
  THEME_SHAPE,
  THEME_BARRIER, /* here and below, threads are filled by generate_barriers.c and generate_control.c */
  THEME_CONTROL,
  THEME_MULTIMEM,
  THEME_FLOATS, /* generate_floats.c, locations and condition included */
  THEME_TABLE, /* any instruction of the table; generate_table.c */
  THEME_ASYNC, /* generate_async.c, all of it */
  THEME_FENCED, /* a shape with a fence in each place, some under a predicate */
  THEME_LOCKS, /* generate_locks.c */
  THEME_ALIKE, /* generate_alike.c; half of what would be of locks */
  THEME_TENSOR, /* generate_tensor.c, all of it; some of what would be asynchronous */
  THEME_HOSTS /* generate_hosts.c, all of it */
};

struct gen {
  struct rng rng;
  struct arena *arena;
  struct sketch *sketch;
  enum theme theme;
  uint32_t locations;            /* how many of x, y, z there are */
  uint32_t budget;               /* memory events left */
  uint32_t writes, sc_fences;    /* left */
  uint32_t arrivals;             /* left; brute force tries every phase for each */
  uint32_t thread;               /* now */
  uint32_t regs[SKETCH_THREADS]; /* results so far: r0, r1, ... */
  uint32_t next_temp;            /* r30, r31, ... and p30, p31, ... */
  uint32_t next_label;           /* L0, L1, ... */
  bool has_shared, open_phases;
  bool has_alias; /* THEME_LOCKS: of the lock */
  bool whole; /* THEME_MIXED: the wide location is accessed whole, except by the reads of thread 0 */
  uint32_t unit;     /* THEME_TABLE: bytes of an access, or twice that when mixed */
  bool mixed;
  uint32_t predicates[SKETCH_THREADS]; /* THEME_TABLE: the number of the latest one, 0 for none */
  uint32_t aim;      /* the location to access; NO_AIM: any */
  const char *guard; /* the predicate before each instruction, such as "@p30"; NULL: none */
};

enum { NO_AIM = UINT32_MAX };

uint32_t below(struct gen *g, uint32_t bound);
bool chance(struct gen *g, uint32_t percent);

/* An index with these weights. */
uint32_t weighted(struct gen *g, const uint32_t *weights, uint32_t count);
#define WEIGHTED(g, ...) weighted((g), (const uint32_t[]){__VA_ARGS__}, ARRAY_LEN(((const uint32_t[]){__VA_ARGS__})))

const char *pick(struct gen *g, const char *const *words, uint32_t count);
#define PICK(g, ...)                                                                                                   \
  pick((g), (const char *const[]){__VA_ARGS__}, ARRAY_LEN(((const char *const[]){__VA_ARGS__})))

/* Adds an instruction to the current thread, or a declaration. Under another name for the linker: base/json.h has a
 * `put` too. */
#define put gen_put
void put(struct gen *g, const char *format, ...) PRINTF_LIKE(2, 3);
void put_init(struct gen *g, const char *format, ...) PRINTF_LIKE(2, 3);

/* Room for an instruction and the few that prepare its operands. */
bool has_room(const struct gen *g);

uint32_t new_reg(struct gen *g);  /* a result */
uint32_t new_temp(struct gen *g); /* a number for a register that is no result */
const char *scope(struct gen *g);
const char *plain_location(struct gen *g); /* x, y or z, marked */

/* Instructions; each takes its memory events from the budget. */
void add_access(struct gen *g);
void add_load(struct gen *g);
void add_store(struct gen *g);
void add_atomic(struct gen *g);
void add_fence(struct gen *g);
void add_condition(struct gen *g); /* and a filter */
void add_between(struct gen *g); /* sometimes a fence */

/* Whole tests of one theme: place the threads, then fill them. */
void place_for_barriers(struct gen *g);
void fill_barriers(struct gen *g);
void add_barrier(struct gen *g); /* any, anywhere */
void fill_control(struct gen *g);
void declare_multimem(struct gen *g);
void fill_multimem(struct gen *g);
void fill_floats(struct gen *g);
void fill_async(struct gen *g);
void fill_tensor(struct gen *g); /* all of it */
void fill_hosts(struct gen *g); /* all of it */
void size_locks(struct gen *g);
void declare_locks(struct gen *g);
void fill_locks(struct gen *g); /* and the condition */
void size_alike(struct gen *g);
void declare_alike(struct gen *g);
void fill_alike(struct gen *g); /* and the condition */
void declare_table(struct gen *g);
void fill_table(struct gen *g);
/* True if the test so far is valid with this condition, and modelled. */
bool can_be_read(struct gen *g, const char *condition);

#endif
