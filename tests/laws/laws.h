/* Laws between models, and between a test and a changed one: docs/models.md states them. */
#ifndef PTXLIT_TESTS_LAWS_H
#define PTXLIT_TESTS_LAWS_H

#include "../diff/lab.h"

enum { PTX, PTX_75, PTX_60, SC, TSO, COHERENCE, MODELS };

/* The first models of a lab that looks at laws: those of the enumeration. */
#define LAWS_MODELS "ptx,ptx-7.5,ptx-6.0,sc,tso,coherence"

/* How a law fared. */
struct row {
  const char *law;
  bool equality;      /* the two sides must be the same */
  const char *strict; /* the first test on which an inclusion was strict; NULL: none */
  uint64_t compared, strict_count, broken;
};

struct bench {
  struct lab lab;
  struct arena arena;
  VEC(struct row) rows;
  uint64_t
      work; /* of the solver for one check, so that no result depends on the machine; 0: as much as the time allows */
  uint64_t tests, open;
  const char *only; /* while shrinking: the law that must stay broken */
  bool shrinking, broke;
};

struct subject {
  struct bench *bench;
  struct arena *arena;
  const struct program *program;
  uint32_t unroll;
  uint64_t choice;            /* which of the changes to try, where `all` is not set */
  bool all;                   /* try all changes */
  struct result base[MODELS]; /* of the program itself; those with no program yet are found by laws_try */
};

/* Tries the laws on a program; prints those that are broken, and counts all in the bench. */
void laws_try(struct subject *s);

/* The row of a law, which is made if need be. */
struct row *laws_row(struct bench *b, const char *law, bool equality);

#endif
