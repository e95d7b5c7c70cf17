/* CaDiCaL through its C interface: the calls that version 1.5.3 and all later ones have. The only file that includes
 * ccadical.h. */
#include <ccadical.h>
#include <stdlib.h>
#include <time.h>

#include "sat/sat.h"

struct sat {
  CCaDiCaL *solver;
  uint64_t variables, clauses, solves;
  double deadline;
  bool keep;
  struct text kept;
};

static int out_of_time(void *state) {
  const struct sat *sat = state;
  return sat->deadline > 0 && sat_now() > sat->deadline;
}

struct sat *sat_new(void) {
  struct sat *sat = calloc(1, sizeof *sat);
  CCaDiCaL *solver = sat ? ccadical_init() : NULL;
  if (!solver) {
    free(sat);
    return NULL;
  }
  sat->solver = solver;
  /* From 3.0 on bounded variable addition would want every variable declared first; older versions ignore the name. */
  ccadical_set_option(solver, "factor", 0);
  ccadical_set_option(solver, "quiet", 1);
  sat_clause1(sat, sat_variable(sat));
  return sat;
}

void sat_release(struct sat *sat) {
  if (!sat) return;
  ccadical_release(sat->solver);
  free(sat);
}

void sat_keep_clauses(struct sat *sat, struct arena *arena) {
  text_init(&sat->kept, arena);
  sat->keep = true;
  text_add(&sat->kept, "1 0\n");
}

void sat_dimacs(const struct sat *sat, struct text *out) {
  text_printf(out, "p cnf %llu %llu\n", (unsigned long long)sat->variables, (unsigned long long)sat->clauses);
  text_add(out, text_str(&sat->kept));
}

lit sat_variable(struct sat *sat) { return (lit)++sat->variables; }

void sat_clause(struct sat *sat, const lit *lits, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (lits[i] == LIT_TRUE) return;
  for (size_t i = 0; i < count; i++)
    if (lits[i] != LIT_FALSE) {
      ccadical_add(sat->solver, lits[i]);
      if (sat->keep) text_printf(&sat->kept, "%d ", lits[i]);
    }
  ccadical_add(sat->solver, 0);
  if (sat->keep) text_add(&sat->kept, "0\n");
  sat->clauses++;
}

void sat_clause1(struct sat *sat, lit a) {
  /* The clause that fixes LIT_TRUE itself must not be dropped as satisfied. */
  if (a == LIT_TRUE && sat->clauses == 0) {
    ccadical_add(sat->solver, a);
    ccadical_add(sat->solver, 0);
    sat->clauses++;
    return;
  }
  sat_clause(sat, &a, 1);
}

void sat_clause2(struct sat *sat, lit a, lit b) { sat_clause(sat, (lit[]){a, b}, 2); }

void sat_clause3(struct sat *sat, lit a, lit b, lit c) { sat_clause(sat, (lit[]){a, b, c}, 3); }

void sat_assume(struct sat *sat, lit a) { ccadical_assume(sat->solver, a); }

enum sat_answer sat_solve(struct sat *sat) {
  sat->solves++;
  if (out_of_time(sat)) return SAT_UNKNOWN;
  int answer = ccadical_solve(sat->solver);
  return answer == 10 ? SAT_YES : answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

void sat_deadline(struct sat *sat, double when) {
  sat->deadline = when;
  if (when > 0) ccadical_set_terminate(sat->solver, sat, out_of_time);
}

double sat_now(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

bool sat_value(struct sat *sat, lit a) {
  int value = ccadical_val(sat->solver, a < 0 ? -a : a);
  return (value > 0) == (a > 0);
}

bool sat_failed(struct sat *sat, lit assumption) { return ccadical_failed(sat->solver, assumption) != 0; }

uint64_t sat_variables(const struct sat *sat) { return sat->variables; }
uint64_t sat_clauses(const struct sat *sat) { return sat->clauses; }
uint64_t sat_solves(const struct sat *sat) { return sat->solves; }

const char *sat_signature(void) { return ccadical_signature(); }
