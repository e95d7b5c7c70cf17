/* The differential tester on one test: reads it, runs both engines, compares all of their answers. */
#ifndef PTXLIT_TESTS_LAB_H
#define PTXLIT_TESTS_LAB_H

#include "generate.h"
#include "litmus/table.h"
#include "search/check.h"

struct lab {
  struct arena arena; /* of the models */
  const char *model_dir;
  VEC(const struct model *) models;
  double timeout;   /* seconds for one check by one engine; 0: any */
  uint64_t choices; /* of brute force, for one check; 0: as many as the time allows */
};

/* Loads the models with these names, separated by commas, each with readings behind a + if so; false and a message in
 * `why` if one cannot be read. */
bool lab_open(struct lab *lab, const char *model_dir, const char *names, double timeout, struct text *why);
void lab_close(struct lab *lab);

/* A model from a text, which must outlive it; NULL and the messages in `why` when it has errors. */
const struct model *lab_read_model(const struct lab *lab, struct arena *arena, const struct source *source,
                                   struct text *why);

/* The program of a test; NULL and the messages in `why` when it has errors. `text` must outlive the program. With
 * `all_state` everything is observed, else only the condition's registers and locations. */
const struct program *lab_read(struct arena *arena, const char *name, const char *text, size_t length, bool all_state,
                               struct text *why);

/* The tests of a file as texts: one, or one for each row of its table; none where it cannot be read. */
struct filled_rows lab_read_file(struct arena *arena, const char *path);

enum agreement {
  AGREE,
  DISAGREE,  /* `why` says in what, with both answers */
  NO_ANSWER, /* one engine or both reached a limit of memory or number */
  LATE,      /* or of time, which says something about the machine, or of choices */
};

/* Compares the engines on all outcomes (with executions: their numbers too), verdict, observation, vacuity and flags,
 * deadlock and reaching the bound (with termination: if every fair execution ends); and, with `verdicts`, a run of the
 * SAT engine that lists no outcomes. */
struct lab_plan {
  bool executions, verdicts, termination;
  bool lemmas; /* the SAT engine looks for lemmas first (encode/lemmas.c) */
  enum progress progress;
  uint32_t unroll; /* iterations of each loop; 0: the default */
  struct result *sat; /* where to leave what the SAT engine says, if it was asked; or NULL */
};
enum agreement lab_compare(const struct lab *lab, struct arena *arena, const struct program *program,
                           const struct model *model, struct lab_plan plan, struct text *why);

/* Compares a test with the same test written by another view: the outcomes must be the same ones. */
enum agreement lab_compare_views(const struct lab *lab, struct arena *arena, const struct program *program,
                                 const struct program *other, const struct sketch_view *view,
                                 const struct model *model, uint32_t unroll, struct text *why);

/* Compares `unroll` iterations of each loop with two more: no outcome may be lost, and none gained where the bound was
 * not reached. */
enum agreement lab_compare_bounds(const struct lab *lab, struct arena *arena, const struct program *program,
                                  const struct model *model, uint32_t unroll, struct text *why);

#endif
