/* Generates litmus tests: all tests of a size, random tests, and the minimal tests of a model.
 *
 * A test is a program and the outcome that its condition asks about. Tests ask only about outcomes that no interleaving
 * of the threads gives, because all shipped models allow the others. No two generated tests are isomorphic, that is,
 * equal up to the order of threads and the names of locations, values, CTAs, clusters and GPUs.
 *
 * Tests with irrelevant parts are left out: locations that are accessed once or never written, groups of threads
 * without a common location, fences before the first access or barrier of a thread or after the last, two memory fences
 * in a row, a scope that reaches no more threads than a narrower one.
 */
#pragma once

#include "generate/draft.h"
#include "ptx/lower.h"
#include "search/check.h"

/* An instruction that tests may have. */
struct generate_item {
  uint8_t kind, proxy;
  uint32_t sems; /* a mask of the semantics that it may have */
};

/* A request for tests. Masks are over enum scope and enum draft_dep. */
struct generate_ask {
  VEC(struct generate_item) menu;
  uint32_t events, threads, locations; /* upper limits, from 1 to DRAFT_EVENTS, _THREADS, _LOCATIONS */
  uint32_t scopes;                     /* the scopes of instructions */
  bool wide;                           /* also scopes that reach no more threads than a narrower one */
  uint32_t placements;                 /* the narrowest scopes that pairs of threads may have in common */
  uint32_t dependencies;
  uint32_t part, parts; /* generate_all, generate_minimal: only every parts-th test, from the part-th on; 0: all */
};

/* Translates the user's words into a request: `instructions` such as "ld,st.release,fence,bar.sync", `proxies` such as
 * "surface,alias", `scopes` and `placements` such as "cta,gpu", `dependencies` such as "data,ctrl" (NULL: none). False,
 * and a message in `diags`, if a word is wrong. */
struct generate_words {
  const char *instructions, *proxies, *scopes, *placements, *dependencies;
};
bool generate_read(struct arena *arena, struct diags *diags, const struct generate_words *words,
                   struct generate_ask *ask);

/* All tests with up to ask->events events, tests with fewer events first. */
void generate_all(const struct generate_ask *ask, draft_visitor *visit, void *state);

/* `count` different random tests, or fewer if there are fewer; the same seed gives the same tests. */
void generate_random(struct arena *arena, const struct generate_ask *ask, uint64_t seed, uint64_t count,
                     draft_visitor *visit, void *state);

/* The minimal tests: the model forbids each, but allows it with any one instruction or scope weakened, and with any one
 * dependency, instruction, barrier or proxy fence removed; a read whose write is removed may read anything (Lustig and
 * others, ASPLOS 2017, whose reads then read the initial value). For a model that is not monotonic this may miss
 * some. */
void generate_minimal(struct arena *arena, const struct generate_ask *ask, const struct model *model,
                      const struct check_options *options, draft_visitor *visit, void *state);

/* A smallest test that one of the models forbids and the other allows; false if there is none up to ask->events events.
 * `*equal` is the number of events up to which there is none, during the search too. `minimal`: both models are
 * monotonic, so that every such test can be weakened to a minimal test of one model that the other still allows, and
 * only these are searched. */
bool generate_distinguish(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                          const struct model *b, bool minimal, const struct check_options *options, struct draft *out,
                          uint32_t *equal);

/* Groups tests that differ only in scopes and places: one text per group, with a table if the group has several tests.
 * `expect`, which may be NULL, is as for draft_print. */
struct draft_tables;
typedef bool table_visitor(void *state, const char *name, const char *text);
struct draft_tables *tables_new(struct arena *arena);
void tables_add(struct draft_tables *tables, const struct draft *draft, const char *expect);
void tables_hand_over(const struct draft_tables *tables, table_visitor *visit, void *state); /* false: no more */

/* ---- For src/generate and src/map */

/* True, and advances over the word, if the text begins with it: ".gpu" of a scope, "relaxed", "alias". */
bool word_starts(const char **at, const char *with);
bool word_scope(const char **at, uint8_t *scope);
bool word_sem(const char **at, uint8_t *sem);

/* Decides outcomes under a model: by quick.c if that supports the model and the draft, else as `check` does. */
struct generate_judge {
  struct arena *arena;
  const struct model *model;
  const struct check_options *options;
  struct quick *quick; /* or NULL */
};
struct generate_judge judge_new(struct arena *arena, const struct model *model, const struct check_options *options);
enum verdict judge_draft(const struct generate_judge *judge, const struct draft *draft);
/* The verdict of `check` on a draft. */
enum verdict judge_slowly(const struct generate_judge *judge, const struct draft *draft);
/* The same on a test in text, in any language. */
enum verdict judge_text(const struct generate_judge *judge, const char *text);

/* Parses a test in text; the text must live as long as the program. */
const struct program *generate_program(struct arena *arena, const char *text);

/* True if semantics a is weaker than b or equal to b. */
static inline bool generate_sem_at_most(enum sem a, enum sem b) {
  return a <= b && !(a == SEM_ACQUIRE && b == SEM_RELEASE);
}

/* The same for the semantics and scopes of two instructions. */
static inline bool generate_weaker(const struct draft_event *a, const struct draft_event *b) {
  return generate_sem_at_most((enum sem)a->sem, (enum sem)b->sem) && a->scope <= b->scope;
}

/* All tests of generate_all, but with each instruction only in its strongest forms. */
void generate_strongest(const struct generate_ask *ask, draft_visitor *visit, void *state);

/* True if no part of the program is irrelevant, for any places of the threads; with `strongest`, true also if this can
 * hold for a weaker form. */
bool generate_is_sensible(const struct draft *draft, bool strongest);
bool generate_places_matter(const struct draft *draft, uint32_t scopes);

/* The verdict of a model on a draft, without solver and skeleton: a draft has few executions, because its outcome gives
 * the value of each read. Only coherence and the order of fence.sc are open; the model is evaluated on each choice
 * (rel/eval.h). Much faster than `check`; a test compares the two. For src/generate and src/map. */

struct quick;

/* NULL if the model has an unsupported feature: recursion, readings about programs, or clauses (undefined_unless) about
 * events of drafts. */
struct quick *quick_new(struct arena *arena, const struct model *model);

/* VERDICT_UNKNOWN for a draft with an unsupported feature. */
enum verdict quick_verdict(struct quick *quick, const struct draft *draft);
