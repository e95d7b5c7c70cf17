/* Runs other SAT solvers in processes of their own, for second opinions. */
#pragma once

#include "base/base.h"
#include "ptxlit.h"

/* A solver that reads DIMACS on its standard input. */
struct solver {
  const char *name;         /* the name of the command, found on the PATH */
  const char *arguments[4]; /* after the name; ends with NULL */
};

/* The solver of this name; for "" the first one on the PATH. NULL if there is none. */
const struct solver *solver_find(const char *name);

/* The names of all known solvers: "minisat, kissat, ...". Static storage. */
const char *solver_names(void);

/* A solver's answer. `problem`: why there is no answer, in words; else "". */
struct opinion {
  enum ptxlit_answer answer;
  char problem[128];
};

/* Solves clauses in DIMACS form with the solver, for at most `timeout` seconds; 0: no limit. */
void solver_ask(const struct solver *solver, const char *dimacs, size_t size, double timeout, struct opinion *opinion);

/* Solves clauses with CaDiCaL and checks its proof (ptxlit_prove), in a separate process. `*rejected`: the checker
 * found a step that does not follow. */
void solver_prove(const char *dimacs, double timeout, struct opinion *opinion, bool *rejected);
