/* Checks mappings from CUDA C++ to PTX: searches for compiled tests with an outcome that the source forbids.
 *
 * A table gives, for each operation and memory order, the instructions to which it may be compiled: one or several
 * alternatives. The search covers every test of C++ up to a number of events, compiled by every mix of alternatives; a
 * counterexample is a test whose outcome C++ forbids while PTX allows it in the compiled test.
 *
 * Minimal tests without races suffice: with weaker orders or scopes or fewer instructions, C++ allows the outcome, or
 * the compiled test is not weaker. If PTX is monotonic (tests/laws), any counterexample can be reduced to one of these.
 * Source: docs/mapping.md. */
#pragma once

#include "generate/draft.h"
#include "search/check.h"

enum { MAP_SEQUENCE = 6, MAP_KINDS = DRAFT_BARRIER + 1, MAP_SEMS = SEM_SC + 1 };

/* An instruction of an alternative. bar.sync is DRAFT_BARRIER; DRAFT_CLUSTER_BARRIER is an arrival (release or relaxed)
 * or a wait (acquire). */
struct map_instr {
  enum draft_kind kind;
  enum sem sem;
  enum scope scope; /* SCOPE_NONE: the operation's scope; system scope for plain accesses, the block for barriers */
  bool loops;       /* an atom.cas after a load: repeated until it finds the value that was read last */
};

struct map_alternative {
  struct map_instr instrs[MAP_SEQUENCE];
  uint32_t count;
  const char *text; /* as written, except for blanks: "fence.sc.S; ld.acquire.S" */
  struct span span;
  bool bytes; /* the line Width=8: the locations are bytes of one word, and loops work on the word */
};

struct map_row {
  VEC(struct map_alternative) alternatives;
  struct span span;
};

struct map_rule; /* map/rules.h */

struct map_table {
  const char *name, *title, *origin; /* origin: from the line Source= */
  VEC(struct map_rule *) rules;      /* instead of rows */
  bool bytes;                        /* the line Width=8 */
  struct map_row rows[MAP_KINDS][MAP_SEMS];
  uint8_t below[MAP_KINDS][MAP_SEMS]; /* a mask of the orders that are no stronger, both in C++ and in their PTX */
};

/* The operations for which a table may have a row. */
#define MAP_EACH_ROW(kind, sem)                                                                                        \
  for (uint32_t kind = 0; kind < MAP_KINDS; kind++)                                                                    \
    for (uint32_t sem = 0; sem < MAP_SEMS; sem++)

/* Fills in `below`. */
void map_compare_rows(struct map_table *table);

/* Reads a table; NULL, and messages in `diags`, if it is wrong. `name` is for reports. */
struct map_table *map_read(struct arena *arena, struct diags *diags, const struct source *source, const char *name);

/* An operation as tables name it: "update seq_cst", "barrier". */
const char *map_operation(struct arena *arena, enum draft_kind kind, enum sem sem);
/* The operations that a list such as "update seq_cst,load" names. A kind without an order means all its orders,
 * "atomic" all operations but plain accesses and barriers, NULL all. False, and a message, if a word is invalid. */
bool map_read_operations(struct arena *arena, struct diags *diags, const char *list, uint32_t operations[MAP_KINDS]);
/* The numbers of a list such as "3,2,1", the largest first; NULL: none. False, and a message, if it is wrong. */
bool map_read_shape(struct diags *diags, const char *list, uint8_t shape[DRAFT_THREADS]);

/* The mixtures of scopes, and of plain and atomic accesses, that tests may have. */
enum map_mixed {
  MAP_MIXED_NONE,     /* each location has one scope or only plain accesses; all seq_cst operations share one scope */
  MAP_MIXED_OBJECTS,  /* each location has one scope or only plain accesses, as with cuda::atomic and int */
  MAP_MIXED_ACCESSES, /* each access is plain or has its own scope, as with cuda::atomic_ref */
};

/* A request for tests. */
struct map_ask {
  const struct map_table *table;               /* gives the orders, and their comparison */
  uint32_t events, threads, locations, length; /* upper limits; length: events of one thread */
  uint8_t shape[DRAFT_THREADS];   /* if not 0: only tests with these numbers of events per thread, the largest first */
  uint32_t scopes, placements;    /* masks over enum scope */
  uint32_t operations[MAP_KINDS]; /* masks over enum sem: the table's operations that tests may have */
  enum map_mixed mixed;
  bool old_sequences;             /* release sequences of C++17 */
  const struct model *cuda, *ptx; /* the C++ model that confirms a counterexample, and the model of PTX */
  const struct check_options *options;
};

/* An operation of a test, and its PTX. */
struct map_suspect {
  enum draft_kind kind;
  enum sem sem;
  const struct map_alternative *alternative;
};

/* A test with a forbidden outcome, and the compiled test, which allows it; a report adds the two explanations. */
struct map_example {
  const char *before, *after, *forbidden, *allowed;
};

/* An alternative at fault in a counterexample: its repair alone removes the counterexample. If this holds for several,
 * it is the one for a barrier, or else the one for the strongest order, which promises most. */
struct map_fault {
  struct map_suspect suspect;
  VEC(struct map_suspect) others; /* other alternatives whose repair alone removes it */
  bool together;                  /* no single repair suffices: the suspect and the others must all be repaired */
  bool undefined;                 /* the compiled test is undefined */
  uint32_t events;
  struct draft draft;
  struct map_example example; /* the test, and its PTX */
};

struct map_result {
  VEC(struct map_fault) faults; /* one per alternative at fault */
  uint32_t complete;            /* all tests of up to this many events were searched */
  uint64_t programs;            /* programs of C++ with an outcome */
  uint64_t tests;               /* the minimal ones of these */
  uint64_t compiled;            /* programs of PTX checked */
  uint64_t undecided;           /* the programs of PTX without a verdict */
  uint32_t seen[MAP_KINDS];     /* masks over enum sem: the operations that some test had */
  double seconds;
};

/* Looks for counterexamples until there are no more, or until `deadline` (base_now; 0: none). Drops an alternative at
 * fault, so that the others are judged without it. Several tables, which replace the request's table, share one search
 * for tests; each has its result. */
void map_search(struct arena *arena, const struct map_ask *ask, const struct map_table *const *tables, uint32_t count,
                double deadline, struct map_result *results);

/* The alternative to which each event of a draft is compiled. */
typedef const struct map_alternative *map_choice[DRAFT_THREADS][DRAFT_LENGTH];

/* A draft as a test in CUDA C++. The next function: the draft compiled to a test in PTX. */
const char *map_written(struct arena *arena, const struct draft *draft);
const char *map_compiled(struct arena *arena, const struct draft *draft, const map_choice choice);
/* Compiles a draft to a draft of PTX in which each loop fails `failures` times; false if it is too long, or has so many
 * orders of fence.sc that a solver is faster. */
bool map_compile(const struct draft *draft, const map_choice choice, uint32_t failures, struct draft *out);
bool map_has_loops(const struct draft *draft, const map_choice choice);

/* ---- For src/map ---- */

static inline bool map_has(const struct map_ask *ask, uint32_t kind, uint32_t sem) {
  return ask->table->rows[kind][sem].alternatives.len && ask->operations[kind] >> sem & 1;
}

/* Advances over an opcode and its semantics if the text begins with both, as in "ld.acquire"; else false. */
bool map_take_opcode(const char **at, enum draft_kind *kind, enum sem *sem);
/* True if removing or weakening instructions of `other` gives `weaker`. */
bool map_is_within(const struct map_alternative *weaker, const struct map_alternative *other);

/* The use of a read's value, in its `dep`. Asked: later events of the thread, except barriers, happen only if the read
 * returned its value in the outcome. Compares: an update is a compare_exchange, which writes only if it finds this
 * value, and not an exchange. */
enum { MAP_ASKED = DRAFT_CTRL, MAP_COMPARES = DRAFT_DATA, MAP_ASKED_AND_COMPARES = DRAFT_ADDR };
static inline bool map_is_asked(const struct draft_event *e) {
  return draft_reads(e) && (e->dep == MAP_ASKED || e->dep == MAP_ASKED_AND_COMPARES);
}
static inline bool map_compares(const struct draft_event *e) {
  return e->kind == DRAFT_UPDATE && (e->dep == MAP_COMPARES || e->dep == MAP_ASKED_AND_COMPARES);
}
static inline bool map_has_branches(const struct draft *draft) { return SOME(DRAFT_EACH (e, draft), map_is_asked(e)); }
/* All programs with outcomes up to a size, including exchanges and fences, before orders and scopes are chosen. */
void map_programs(const struct map_ask *ask, uint32_t events, draft_visitor *visit, void *state);

/* The minimal tests of a program: orders and scopes are as weak, and branches and comparisons as few, as possible while
 * C++ forbids the outcome and there is no race. */
void map_weakest(struct arena *arena, const struct map_ask *ask, const struct draft *program, draft_visitor *visit,
                 void *state);
