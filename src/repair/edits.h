/* Finds and applies changes of a test: strengthen or weaken one access, fence or barrier; add, move or drop a fence or
 * a barrier. Private to src/repair.
 *
 * A site is a place that can be changed: an instruction, a gap between two, or a gap in each of several threads. Its
 * variants are the changes possible there, from the slightest to the strongest (for weakening: from the weakest result
 * to the slightest change); at most one variant of a site is applied. Moves and new barriers have one variant each: no
 * place is stronger than another. In columns of the same code an edit is made in each of them; for an instruction of a
 * kernel, in all threads and iterations of loops.
 *
 * ptx/isa.def has the qualifiers that an instruction takes. Accesses through proxies, of constants and of memory
 * private to a thread are weak in PTX and cannot be strengthened; proxy fences order them.
 */
#pragma once

#include "base/intern.h"
#include "litmus/litmus.h"
#include "ptx/program.h"

enum edit_kind {
  EDIT_STRENGTH,     /* other semantics or scope: sem, scope */
  EDIT_WORD,         /* one dot for another: from, to */
  EDIT_NUMBER,       /* another number as an operand: operand, number; with `to`: one more operand, and that dot */
  EDIT_COUNT,        /* another count of an mbarrier object in the init block: entry, number */
  EDIT_ADD,          /* another instruction after this one: `added` */
  EDIT_ADD_BARRIER,  /* a barrier in several threads: `added` in each */
  EDIT_WIDEN,        /* vector accesses as one access of all elements */
  EDIT_MOVE,         /* a fence or barrier to after another instruction */
  EDIT_DROP,         /* a fence */
  EDIT_DROP_BARRIER, /* a barrier in all threads that meet at it */
};

/* In place of the instruction before a gap: the gap before the first instruction of the thread. */
enum { EDIT_AT_START = UINT32_MAX };

struct edit_place {
  uint32_t thread, instr;
};

struct edit {
  enum edit_kind kind;
  uint32_t thread, instr; /* the instruction changed, moved or dropped; of an addition the one before the gap, or
                             EDIT_AT_START; EDIT_COUNT: NO_THREAD, and the index of the entry of the init block */
  const struct edit_place *others; /* the other places of the same change */
  uint32_t other_count;
  uint32_t target; /* EDIT_MOVE: to after this instruction, or EDIT_AT_START; the same distance in other places */
  enum sem sem;    /* EDIT_STRENGTH, and EDIT_ADD of a memory fence; else SEM_WEAK */
  enum scope scope;
  bool ahead; /* EDIT_ADD: before the instruction, where jumps to it lead */
  bool late;  /* EDIT_ADD: behind other additions in the same gap; means nothing alone */
  bool apart; /* EDIT_ADD: it may do harm, and is not among "all changes together" */
  const char *added;         /* "fence.acq_rel.gpu", "barrier.cluster.arrive; barrier.cluster.wait" */
  uint32_t operand;          /* EDIT_NUMBER: EDIT_NUMBER: its index, from 0 */
  const char *from, *to;     /* EDIT_WORD: ".arrive", ".sync"; from == NULL: `to` is added; to == NULL: `from` goes */
  enum barrier_kind barrier; /* EDIT_ADD_BARRIER */
  uint32_t number;           /* EDIT_NUMBER, EDIT_COUNT: the new one */
  unsigned cost;             /* how much stronger it makes the test; for ranking */
};

static inline uint32_t edit_places(const struct edit *edit) { return 1 + edit->other_count; }
static inline struct edit_place edit_place(const struct edit *edit, uint32_t i) {
  return i ? edit->others[i - 1] : (struct edit_place){edit->thread, edit->instr};
}

/* True if the edit is a change of its own in each place; else it is one change of code that threads share. */
static inline bool edit_is_joint(const struct edit *edit) {
  return edit->kind == EDIT_ADD_BARRIER || edit->kind == EDIT_WIDEN || edit->kind == EDIT_DROP_BARRIER;
}

struct site {
  VEC(struct edit) variants;
};

struct sites {
  VEC(struct site) list;
  bool cut; /* more places for a barrier exist than are listed */
};

/* A search for edits in one test. */
struct edit_finder {
  struct arena *arena;
  const struct litmus_test *test;
  const struct program *program;
  struct sites *out;
};

/* Adds a variant, sorted from slight to strong; adds a site if it has variants; adds a site with one edit. */
void sites_add_variant(struct arena *arena, struct site *site, struct edit edit);
void sites_add(struct edit_finder *f, const struct site *site);
void edits_add(struct edit_finder *f, struct edit edit);

/* The sites at which a test can be strengthened, or weakened. */
void edits_stronger(struct arena *arena, const struct litmus_test *test, const struct program *program,
                    struct sites *out);
void edits_weaker(struct arena *arena, const struct litmus_test *test, const struct program *program,
                  struct sites *out);

/* The same sites, but merged for columns of the same code, with the same instructions and any operands. A merged site
 * is in the first of these threads. False if no two columns have the same code. For a kernel, the copies of an
 * instruction of the module are one site, and sites that add barriers are left out. */
bool edits_alike(struct arena *arena, const struct litmus_test *test, const struct program *program,
                 const struct sites *from, struct sites *out);

/* Adds the new barriers of a CTA and the short moves that are tried in a kernel. */
void edits_of_module(struct arena *arena, const struct litmus_test *test, const struct program *program,
                     struct sites *out);

/* True if the edits cannot be made together, as when both touch one instruction. A late one also needs another one in
 * its gap, which is not checked here. */
bool edits_clash(const struct edit *a, const struct edit *b);

/* For two edits of one site, or two new barriers of the same threads: true if a makes the test no stronger than b. */
bool edits_no_stronger(const struct program *program, const struct edit *a, const struct edit *b);

/* The number of changes that the edit counts as. */
uint32_t edits_weight(const struct edit *edit);

/* True if two edits of a gap add the same instruction, with any strength and operands. */
bool edits_add_same(const struct edit *a, const struct edit *b);

/* The test with these edits, none of which clash. NULL if an instruction has no text of its own. */
const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *test,
                                      const struct program *program, const struct edit *edits, uint32_t count);

/* The instruction at one of its places after the edit: "st.release.gpu flag, 1"; of an addition or a move the
 * instruction added or moved. */
const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit, struct edit_place place);

/* For edits.c: the vector accesses that can be one wider access; those of one address change together. */
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
  struct litmus_row *row; /* NULL: before the first one */
  struct litmus_cell *cell;
};

/* The cell of an instruction: one cell may be lowered to several instructions, which share its span. */
bool edits_find(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n,
                struct spot *spot);

/* The instruction as written, or NULL. */
const struct litmus_instr *edits_written(const struct litmus_test *test, const struct program *program, uint32_t thread,
                                         uint32_t instr);
