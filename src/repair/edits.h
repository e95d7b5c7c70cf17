/* Finds and applies changes of a test: strengthen or weaken one access, fence or barrier; add, move or drop a fence or
 * a barrier. Private to src/repair.
 *
 * A site is a place that can be changed: an instruction, a gap between two instructions, or a gap in each of several
 * threads. Its variants are the possible changes, weakest first (for weakening: the weakest result first); at most one
 * variant of a site is applied. Moves and new barriers have one variant each, because no place is stronger than
 * another. In columns of the same code an edit is made in each column; for an instruction of a kernel, in all threads
 * and iterations of loops.
 *
 * ptx/isa.def has the qualifiers that an instruction takes. Accesses through proxies, of constants and of memory
 * private to a thread are weak in PTX and cannot be strengthened; proxy fences order them.
 */
#pragma once

#include "litmus/litmus.h"
#include "ptx/program.h"

enum edit_kind {
  EDIT_STRENGTH,     /* other semantics or scope: sem, scope */
  EDIT_WORD,         /* another qualifier: from, to */
  EDIT_NUMBER,       /* another number as an operand: operand, number; `to`: one more operand and qualifier */
  EDIT_COUNT,        /* another count of an mbarrier object in the init block: entry, number */
  EDIT_ADD,          /* another instruction after this one: `added` */
  EDIT_ADD_BARRIER,  /* a barrier in several threads: `added` in each */
  EDIT_WIDEN,        /* vector accesses as one access of all elements */
  EDIT_MOVE,         /* moves a fence or barrier after another instruction */
  EDIT_DROP,         /* drops a fence */
  EDIT_DROP_BARRIER, /* drops a barrier in all its threads */
  EDIT_UNGUARD,      /* of a module: lets all threads execute it, also those that a condition keeps from it */
};

/* EDIT_WORD, `from`: of bar, which is barrier.aligned, the barrier without it. */
#define EDIT_ALIGNED ".aligned"

/* EDIT_NUMBER, `operand`: the last one. */
enum { EDIT_LAST = UINT32_MAX };

/* Instead of the instruction before a gap: the gap before the first instruction of the thread. */
enum { EDIT_AT_START = UINT32_MAX };

struct edit_place {
  uint32_t thread, instr;
};

struct edit {
  enum edit_kind kind;
  uint32_t thread, instr; /* the instruction changed, moved or dropped; for an addition, the instruction before the gap,
                             or EDIT_AT_START; EDIT_COUNT: NO_THREAD, and the index of the entry of the init block */
  const struct edit_place *others; /* the other places of the same change */
  uint32_t other_count;
  uint32_t target; /* EDIT_MOVE: the new place is after this instruction, or EDIT_AT_START; at the same distance in
                    * other places */
  enum sem sem;    /* EDIT_STRENGTH, and EDIT_ADD of a memory fence; else SEM_WEAK */
  enum scope scope;
  bool ahead;                /* EDIT_ADD: before the instruction, at the target of jumps to it */
  bool late;                 /* EDIT_ADD: after other additions in the same gap; meaningless alone */
  bool apart;                /* EDIT_ADD: possibly harmful, so not part of "all changes together" */
  const char *added;         /* "fence.acq_rel.gpu", "barrier.cluster.arrive; barrier.cluster.wait" */
  uint32_t operand;          /* EDIT_NUMBER: the operand's index, from 0 */
  const char *from, *to;     /* EDIT_WORD: ".arrive", ".sync"; from == NULL: adds `to`; to == NULL: removes `from` */
  enum barrier_kind barrier; /* EDIT_ADD_BARRIER */
  uint32_t number;           /* EDIT_NUMBER, EDIT_COUNT: the new number */
  unsigned cost;             /* the increase in strength, for ranking */
};

static inline uint32_t edit_places(const struct edit *edit) { return 1 + edit->other_count; }
static inline struct edit_place edit_place(const struct edit *edit, uint32_t i) {
  return i ? edit->others[i - 1] : (struct edit_place){edit->thread, edit->instr};
}

/* True if the edit is a separate change in each place; else it is one change of code that threads share. */
static inline bool edit_is_joint(const struct edit *edit) {
  return edit->kind == EDIT_ADD_BARRIER || edit->kind == EDIT_WIDEN || edit->kind == EDIT_DROP_BARRIER;
}

VEC_NAMED(site, struct edit);

struct sites {
  VEC(struct site) list;
  bool cut; /* the list of places for a barrier is incomplete */
};

/* Each instruction n of each thread t. `break` goes on with the next thread. */
#define EDITS_EACH(t, n, program)                                                                                      \
  for (uint32_t t = 0; t < (program)->thread_count; t++)                                                               \
    for (uint32_t n = 0; n < (program)->threads[t].instr_count; n++)

/* A search for edits in one test. */
struct edit_finder {
  struct arena *arena;
  const struct litmus_test *test;
  const struct program *program;
  struct sites *out;
};

/* Adds a variant, sorted from weak to strong. The next two: add a site if it has variants; add a site with one edit. */
void sites_add_variant(struct arena *arena, struct site *site, struct edit edit);
void sites_add(struct edit_finder *f, const struct site *site);
void edits_add(struct edit_finder *f, struct edit edit);

/* The sites at which a test can be strengthened, or weakened. */
void edits_stronger(struct arena *arena, const struct litmus_test *test, const struct program *program,
                    struct sites *out);
void edits_weaker(struct arena *arena, const struct litmus_test *test, const struct program *program,
                  struct sites *out);

/* The same sites, but merged for columns of the same code (the same instructions with any operands). A merged site is
 * in the first of its threads. False if no two columns have the same code. For a kernel, the copies of an instruction
 * of the module are one site, and sites that add barriers are omitted. */
bool edits_alike(struct arena *arena, const struct litmus_test *test, const struct program *program,
                 const struct sites *from, struct sites *out);

/* True if the edits cannot be combined, for example because both touch one instruction. Does not check that a late edit
 * has another edit in its gap. */
bool edits_clash(const struct edit *a, const struct edit *b);

/* True if edit a makes the test no stronger than b; both must be of one site, or new barriers of the same threads. */
bool edits_no_stronger(const struct program *program, const struct edit *a, const struct edit *b);

/* The number of changes as which the edit counts. */
uint32_t edits_weight(const struct edit *edit);

/* True for what orders or waits, and has no result: others may need a result on the way. */
bool edits_can_move(const struct instr *in);

/* True if two edits of a gap add the same instruction, with any strength and operands. */
bool edits_add_same(const struct edit *a, const struct edit *b);

/* The test with these edits, of which no two clash. NULL if an instruction has no own text. */
const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *test,
                                      const struct program *program, const struct edit *edits, uint32_t count);

/* The instructions of a text, as in the thread's column. */
struct litmus_instr **edits_read(struct arena *arena, struct intern *names, const char *text, uint32_t *count);

/* For an EDIT_STRENGTH, EDIT_WORD or EDIT_NUMBER: the instruction after it. */
struct litmus_instr *edits_changed(struct arena *arena, struct intern *names, const struct litmus_instr *from,
                                   const struct edit *edit);

/* The instruction at one of its places after the edit: "st.release.gpu flag, 1"; for an addition or a move, the
 * instruction added or moved. */
const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit, struct edit_place place);

/* For edits.c: the vector accesses that can become one wider access; accesses to one address change together. */
void edits_wider(struct edit_finder *f);

/* One wider access with the instructions that pack or unpack its value, in order: "mov.b64 ...; st.b64 ...". */
const char *edits_wide_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                            struct edit_place place);

/* For edits.c: the edits of asynchronous operations at an instruction and, with `gap`, after it. */
void edits_async(struct edit_finder *f, uint32_t t, uint32_t n, bool gap);

/* For edits.c: other counts of the mbarrier objects that the init block declares. */
void edits_counts(struct edit_finder *f);

/* The entry of the init block that an EDIT_COUNT changes. */
struct litmus_entry *edits_entry(const struct litmus_test *test, const struct edit *edit);

struct spot {
  struct litmus_row *row; /* NULL: before the first row */
  struct litmus_cell *cell;
};

/* The cell of an instruction: several instructions may be lowered from one cell, and share its span. */
bool edits_find(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n,
                struct spot *spot);

/* The instruction as written, or NULL. */
const struct litmus_instr *edits_written(const struct litmus_test *test, const struct program *program, uint32_t thread,
                                         uint32_t instr);
