/* Litmus generated tests: all of a size, random ones, those of a cycle, and the minimal ones of a model.
 *
 * A test is a program and the outcome that its condition asks about. Only outcomes that no interleaving of the threads
 * gives are asked about: every model here allows the others. No two tests that are generated are isomorphic: alike but
 * for the order of threads and the names of locations, values, CTAs, clusters and GPUs.
 *
 * Left out is what cannot matter: locations that are accessed once or never written, tests that fall into parts without
 * a common location, fences before the first access or barrier of a thread or behind the last, two memory fences in a
 * row, a scope that reaches no more threads than a narrower one.
 */
#pragma once

#include "cat/model.h"
#include "generate/draft.h"
#include "generate/quick.h"
#include "ptx/lower.h"
#include "search/check.h"

/* An instruction that tests may have. */
struct generate_item {
  uint8_t kind, proxy;
  uint32_t sems; /* a mask of those that it may have */
};

/* Which tests. Masks are over enum scope and enum draft_dep. */
struct generate_ask {
  VEC(struct generate_item) menu;
  uint32_t events, threads, locations; /* at most so many; from 1, up to DRAFT_EVENTS, _THREADS, _LOCATIONS */
  uint32_t scopes;                     /* of instructions */
  bool wide;                           /* also scopes that reach no more threads than a narrower one */
  uint32_t placements;                 /* the narrowest scopes that pairs of threads may have in common */
  uint32_t dependencies;
  uint32_t part, parts; /* of generate_all and generate_minimal only every parts-th, the part-th first; 0: all */
};

/* The request that the words of a user stand for: `instructions` such as "ld,st.release,fence,bar.sync", `proxies` such
 * as "surface,alias", `scopes` and `placements` such as "cta,gpu", `dependencies` such as "data,ctrl" (NULL: none).
 * False, and a message in `diags`, when a word is none of these. */
struct generate_words {
  const char *instructions, *proxies, *scopes, *placements, *dependencies;
};
bool generate_read(struct arena *arena, struct diags *diags, const struct generate_words *words,
                   struct generate_ask *ask);

/* All tests with up to ask->events events, those with fewer first. */
void generate_all(const struct generate_ask *ask, draft_visitor *visit, void *state);

/* `count` different tests at random, or fewer where there are not so many: the same for the same seed. */
void generate_random(struct arena *arena, const struct generate_ask *ask, uint64_t seed, uint64_t count,
                     draft_visitor *visit, void *state);

/* The test of a cycle in diy's words, extended: cycle.c says how. False, and a message, when it is none. */
bool generate_cycle(struct arena *arena, struct diags *diags, const char *words, struct draft *out);

/* The tests that the model forbids, while it allows what comes of any one weaker instruction or scope, of any
 * dependency less, and of any instruction, barrier or proxy fence left out; a read whose write is left out may read
 * anything (Lustig and others, ASPLOS 2017, whose reads then read the initial value). A model under which something
 * stronger allows more than something weaker may have more of them. */
void generate_minimal(struct arena *arena, const struct generate_ask *ask, const struct model *model,
                      const struct check_options *options, draft_visitor *visit, void *state);

/* A smallest test that one of the models forbids and the other allows, as the solution of a formula; false when there
 * is none up to ask->events events. `*equal` is raised on the way: there is none up to so many. Only where it can be.
 */
bool generate_can_solve(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                        const struct model *b);
bool generate_solve(struct arena *arena, const struct generate_ask *ask, const struct model *a, const struct model *b,
                    const struct check_options *options, struct draft *out, uint32_t *equal);

/* The same among generated tests; false when there is none. It is looked for among the minimal tests of each:
 * where both models are monotonic, weakening what tells them apart until it is minimal keeps it forbidden by the one
 * and allowed by the other. */
bool generate_distinguish(struct arena *arena, const struct generate_ask *ask, const struct model *a,
                          const struct model *b, const struct check_options *options, struct draft *out);

/* The same among all tests, whatever the models: for those that may allow less of something weaker. */
bool generate_compare(struct arena *arena, const struct generate_ask *ask, const struct model *a, const struct model *b,
                      const struct check_options *options, struct draft *out);

/* A test as a draft; false where it is none: other instructions, computed values or addresses, jumps, other conditions
 * than values that reads return and locations end with. */
bool generate_recognise(const struct program *program, struct draft *out);

/* Drafts that are known: whether one that is isomorphic is among them, scopes being as narrow as reaches the same
 * threads. */
void generate_know(struct arena *arena, struct draft_set *known, const struct draft *draft);
bool generate_is_known(const struct draft_set *known, const struct draft *draft);

/* Tests put together that differ in scopes and places alone: one text for each kind, with a table where there are
 * several. `expect`, which may be NULL, is as for draft_print. */
struct draft_tables;
typedef bool table_visitor(void *state, const char *name, const char *text);
struct draft_tables *tables_new(struct arena *arena);
void tables_add(struct draft_tables *tables, const struct draft *draft, const char *expect);
void tables_hand_over(const struct draft_tables *tables, table_visitor *visit, void *state); /* false: no more */

/* ---- For src/generate and src/map */

/* Words that a text begins with: past one, if it is there. ".gpu" of a scope, "relaxed", "alias". */
bool word_starts(const char **at, const char *with);
bool word_scope(const char **at, uint8_t *scope);
bool word_sem(const char **at, uint8_t *sem);
bool word_proxy(const char **at, uint8_t *proxy);

/* Judges outcomes under a model: in a quick way where it can, else as `check` does. */
struct generate_judge {
  struct arena *arena;
  const struct model *model;
  const struct check_options *options;
  struct quick *quick; /* or NULL */
};
struct generate_judge judge_new(struct arena *arena, const struct model *model, const struct check_options *options);
enum verdict judge_draft(const struct generate_judge *judge, const struct draft *draft);
/* The verdict of `check`; and of a test made as text, in any language. */
enum verdict judge_slowly(const struct generate_judge *judge, const struct draft *draft);
enum verdict judge_text(const struct generate_judge *judge, const char *text);

/* A test that was made as text; the text must live as long. */
const struct program *generate_program(struct arena *arena, const char *text);

/* The parts of an instruction that can be weaker. */
struct strength {
  enum sem sem;
  enum scope scope;
};
enum { STRENGTHS = 32 };
/* All that the event can have, none after a stronger one: how many. */
uint32_t generate_strengths(const struct generate_ask *ask, const struct draft *draft, uint32_t thread,
                            const struct draft_event *event, struct strength *list);
bool strength_at_most(struct strength a, struct strength b);
/* Makes one event after another as weak as possible while `still` accepts the draft. */
void generate_weaken(const struct generate_ask *ask, struct draft *draft, draft_visitor *still, void *state);

/* True if semantics a are weaker than b or equal to it. */
static inline bool generate_sem_at_most(enum sem a, enum sem b) {
  return a <= b && !(a == SEM_ACQUIRE && b == SEM_RELEASE);
}

/* The same of the semantics and scopes of two instructions. */
static inline bool generate_weaker(const struct draft_event *a, const struct draft_event *b) {
  return generate_sem_at_most((enum sem)a->sem, (enum sem)b->sem) && a->scope <= b->scope;
}

/* All tests as generate_all has them, but each instruction only in its strongest forms. */
void generate_strongest(const struct generate_ask *ask, draft_visitor *visit, void *state);

/* True if nothing in the program is of the kind that is left out, wherever the threads are, or, of a strongest form, in
 * what is weaker than it; and where they are. With scopes == 0 any scope will do. */
bool generate_is_sensible(const struct draft *draft, bool strongest);
bool generate_places_matter(const struct draft *draft, uint32_t scopes);
