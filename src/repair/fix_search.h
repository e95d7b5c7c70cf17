/* The state of a search for changes, for fix.c, trial.c and weaken.c. Private to src/repair. */
#pragma once

#include "repair/edits.h"
#include "repair/fix.h"

/* The result of one version of the test. */
struct fix_trial {
  bool decided, bad;     /* bad: the outcome in question can happen */
  enum sequential turns; /* safe: whether it is sequential too, as far as that was asked */
  const char *finding;   /* unsafe, of a changed module: the first finding in words; else NULL */
  enum safety_kind kind; /* unsafe: of the first finding */
  const char *clause;    /* its clause, of the model or the arena of the check; or NULL */
  bool another;          /* it is not the finding that the search is for */
  bool deadlock, vacuous, filter_empty;
  enum verdict verdict;
  uint32_t races, outcomes;
  const struct reason *why; /* why the trial is undecided; NULL: it is decided. Lives in the arena of the check */
  const char *reason;       /* its text */
};

/* A chosen set of edits: sites, and the variant picked at each. */
struct chosen_edit {
  uint32_t sites[FIX_CHANGES], picks[FIX_CHANGES];
  uint32_t count;
  bool bad; /* reaches the goal, but the outcome in question can still happen */
};

/* A version of the test that was checked. */
struct known_trial {
  const char *text;
  struct fix_trial judged;
};

struct search_fix {
  struct arena *arena, *scratch; /* scratch: of one check */
  const struct fix_input *input;
  struct fixes *out;
  struct sites sites;
  bool *usable;  /* by site: some set may need it */
  bool *failed;  /* by site: no variant suffices alone */
  bool possible; /* all sites together suffice, without moves and new barriers */
  VEC(struct chosen_edit) found;
  struct fix_trial as_is; /* the test as it is */
  const char *expected;   /* a clause with a finding in the unchanged test, which may remain after a change; or NULL */
  uint32_t size;          /* of the sets that are being tried; 0: none yet */
  struct fix_way spare;   /* if no small set suffices: all changes except unneeded ones */
  VEC(struct known_trial) known; /* different edits may give the same text */
  struct hash_index index;       /* of `known` */
  double deadline;
  double seconds;     /* the outermost limit of a search for which the user gave no time; 0: the user gave one */
  uint64_t work;      /* of the readings and checks so far, in units that take about a microsecond */
  uint64_t most_work; /* after which no more begins; 0: no limit */
  uint64_t once;      /* to check the test as it is */
  uint64_t patience;  /* the work of the solver on a version (check_options.work); 0: no limit */
  bool cut;           /* the check of a version was left undecided for its work */
  bool proving;       /* the launch asked for is tried, not a smaller run of it */
  const struct result *shown; /* of a launch: the whole result whose first finding out->result has; NULL: none */
  struct repair_steps *steps; /* of a launch (proposals.h) */
};

/* The meaning of a result for the search. */
struct fix_trial fix_judge(const struct result *result);
/* Checks a program under the options of the input, and judges the result. */
struct fix_trial fix_check(struct arena *arena, const struct fix_input *input, const struct program *program);
/* The options for checking a version of the test: the verdict only, with races if they matter. */
struct check_options fix_quick(const struct search_fix *f, bool races);
/* The test with these edits, lowered; NULL if that fails. */
const struct program *fix_lower(struct arena *arena, const struct fix_input *input, const struct edit *edits,
                                uint32_t count, const struct litmus_test **test);
/* Lowers and checks the test with these edits. */
struct fix_trial fix_try(struct search_fix *f, const struct edit *edits, uint32_t count,
                         const struct check_options *options);
/* Notes that a trial was left undecided for its work. */
void fix_note_cut(struct search_fix *f, const struct fix_trial *trial);
/* True if the trial meets the goal of the search; `wider`: by wider accesses. */
bool fix_meets_goal(const struct search_fix *f, const struct fix_trial *trial, bool wider);
/* True if the trial has no fault, such as an endless wait, that the unchanged test does not have. */
bool fix_is_sound(const struct search_fix *f, const struct fix_trial *trial);
/* True if the time is up; records that in the result. */
bool fix_out_of_time(struct search_fix *f);
/* Checks a version of the test in the scratch arena, and counts the work. One that is much harder than the test as it
 * is may be left undecided. fix_read: counts the work of reading a launch; `before`: what arena_counted gave then. */
void fix_run(struct search_fix *f, const struct program *program, struct check_options options, struct result *result);
void fix_read(struct search_fix *f, uint64_t before);
bool fix_of_kernel(const struct search_fix *f);
/* shown.c: a result as check shows it, with its first finding in the program that is changed. False: there is none, or
 * it is not in that program. */
bool fix_take_shown(struct search_fix *f, const struct result *shown, struct result *out);
/* Puts a finding into another program of the same launch. False: its places are not there. */
bool fix_translate(const struct program *from, const struct program *to, struct safety_finding *first);
/* Adds the changes of the text that an edit makes; a barrier counts as a change in each of its threads. */
void fix_add_changes(struct search_fix *f, struct fix_way *way, const struct edit *edit);

/* module.c: the verdict of the launch with changes of its module; `turns`: asks too if it is sequential.
 * module_repairs: true if it meets the goal and, where that was asked, sequential (MODULE_IN_TURNS), and all threads
 * for which a new barrier is pass it equally often (MODULE_MEETS): the run that is searched, and the launch asked for.
 * module_changes: edits as changes of the module, in the scratch arena; false: one does not fit. module_holds: true if
 * they are a repair. fix_of_module: true if all edits are of the module of a launch, and none of a
 * host's column or the init block: these are tried on the module, others on the columns (fix_try). fix_relaxes: true if
 * some make weak accesses strong. */
VEC_NAMED(kernel_edits, struct kernel_edit);

enum module_asks { MODULE_MEETS = 1, MODULE_IN_TURNS = 2 };

/* module_take_cycle: true if the launch is not sequential; gives the result a finding for it.
 * module_look: all findings of the launch with changes, in the arena of the search; false: they do not fit. */
bool module_take_cycle(struct search_fix *f, struct result *out);
bool module_look(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, struct result *out);
const char *module_finding(struct arena *arena, const struct result *result);
struct fix_trial module_try(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, bool turns);
bool module_is_right(const struct search_fix *f, const struct fix_trial *judged);
bool module_repairs(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, unsigned asks,
                    struct fix_trial *judged);
bool module_changes(struct search_fix *f, const struct edit *edits, uint32_t count, struct kernel_edits *out);
bool module_holds(struct search_fix *f, const struct edit *edits, uint32_t count, unsigned asks,
                  struct fix_trial *judged);
bool fix_of_module(const struct search_fix *f, const struct edit *edits, uint32_t count);
bool fix_relaxes(const struct search_fix *f, const struct edit *edits, uint32_t count);

/* kinds.c: single changes of a launch, and several of one kind, that are repairs. */
void proposals_search(struct search_fix *f);

/* needed.c: of each barrier and fence of a launch, whether it is needed. */
void fix_find_needed(struct search_fix *f);

/* weaken.c: the instructions that can be weaker while the verdict stays. */
void fix_search_weaker(struct search_fix *f);
