/* CaDiCaL through its C interface: uses only the calls that version 1.5.3 and all later versions have. The only file
 * that includes ccadical.h. CaDiCaL starts at the first solve that constants do not decide, because starting it takes
 * longer than most tests.
 *
 * CaDiCaL is C++, and throws when an allocation fails. An exception must not reach C code, so every call that may
 * allocate goes through guard_run.
 */
#include <ccadical.h>
#include <limits.h>

#include "base/vec.h"
#include "sat/guard.h"
#include "sat/sat.h"

/* CaDiCaL's interface does not count conflicts, and its callback for learnt clauses cannot report exhausted memory. So
 * calls of the terminator, one at each decision and conflict, are counted: STEPS_A_CONFLICT of them count as a
 * conflict. */
enum { STEPS_A_CONFLICT = 4, STEPS_A_LOOK = 16 };

enum { MOST_WAITING = 1 << 14 };

struct sat_variable {
  uint64_t seen; /* the number of the latest clause that contains the variable, plus 1 if it is negated there */
  lit name;      /* the solver's name for it; 0: none */
  bool occurs;   /* the variable is in some clause */
};

struct sat {
  struct arena *arena;
  bool renames; /* the solver gets only variables that occur in clauses, under their `name` */
  bool refuted; /* an empty clause was added */
  lit last_name;
  VEC(struct sat_variable) known; /* by variable */
  VEC(lit) clause;                /* buffer for one clause */
  VEC(lit) waiting;               /* clauses for the solver, each followed by a 0 */
  uint64_t looked_at;             /* the number of the latest clause: even */
  VEC(lit) assumptions;           /* for the next solve */
  int effort;                     /* for the next solve, in conflicts; 0: no limit */
  uint64_t steps;                 /* calls of the terminator: STEPS_A_CONFLICT count as a conflict */
  uint64_t last_work;             /* the work at which the budget ends; 0: no budget */
  CCaDiCaL *solver;               /* NULL: released, or not needed yet */
  int answer;                     /* the answer of the last solve */
  lit newest;                     /* the largest variable that the solver has seen */
  bool torn;                      /* it threw while growing its tables for variables: even its destructor would fail */
  uint64_t variables, clauses, solves, most_clauses;
  uint64_t counted; /* clauses and work that the arena knows of */
  double deadline;
  bool keep, solved;
  struct text kept, assumed; /* assumed: in the last solve, or since it */
  uint64_t assumed_count;
};

static int out_of_time(void *state) {
  const struct sat *sat = state;
  return base_is_late(sat->deadline);
}

static int is_to_stop(void *state) {
  struct sat *sat = state;
  return ++sat->steps % STEPS_A_LOOK == 0 && out_of_time(sat);
}

static void guarded(struct sat *sat, void (*work)(void *state), void *state) {
  if (!guard_run(work, state)) arena_out_of_memory(sat->arena);
}

static void init(void *state) {
  struct sat *sat = state;
  sat->solver = ccadical_init();
  /* From 3.0 on, bounded variable addition needs every variable declared first; older versions ignore this option. */
  ccadical_set_option(sat->solver, "factor", 0);
  ccadical_set_option(sat->solver, "quiet", 1);
  /* Otherwise it times each solve with a system call; the times are not used. */
  ccadical_set_option(sat->solver, "profile", 0);
  ccadical_set_option(sat->solver, "realtime", 1);
  ccadical_set_option(sat->solver, "terminateint", 1);
}

static void release(void *state) { sat_release(state); }

static void open_solver(struct sat *sat) {
  arena_own(sat->arena, release, sat);
  guarded(sat, init, sat);
  ccadical_set_terminate(sat->solver, sat, is_to_stop);
}

struct sat *sat_new(struct arena *arena, bool renames) {
  struct sat *sat = ARENA_NEW(arena, struct sat);
  sat->arena = arena;
  sat->renames = renames;
  VEC_PUSH(arena, &sat->known, ((struct sat_variable){0})); /* variable 0 does not exist */
  sat_clause1(sat, sat_variable(sat));
  return sat;
}

/* Leaks a torn solver, because destroying it would crash the process. */
void sat_release(struct sat *sat) {
  if (!sat || !sat->solver) return;
  if (!sat->torn) ccadical_release(sat->solver);
  sat->solver = NULL;
}

void sat_keep_clauses(struct sat *sat, struct arena *arena) {
  text_init(&sat->kept, arena);
  text_init(&sat->assumed, arena);
  sat->keep = true;
  text_add(&sat->kept, "1 0\n");
}

void sat_dimacs(const struct sat *sat, struct text *out) {
  text_printf(out, "p cnf %llu %llu\n", (unsigned long long)sat->variables, (unsigned long long)sat->clauses);
  text_add(out, text_str(&sat->kept));
}

void sat_refuted(const struct sat *sat, struct text *out) {
  text_printf(out, "p cnf %llu %llu\n", (unsigned long long)sat->variables,
              (unsigned long long)(sat->clauses + sat->assumed_count));
  text_add_slice(out, text_str(&sat->kept), sat->kept.len);
  text_add_slice(out, text_str(&sat->assumed), sat->assumed.len);
}

lit sat_variable(struct sat *sat) {
  VEC_PUSH(sat->arena, &sat->known, ((struct sat_variable){0}));
  return (lit)++sat->variables;
}

bool sat_occurs(const struct sat *sat, lit a) { return sat->known.data[abs(a)].occurs; }

/* Copies a clause without duplicate and false literals. False if the clause is always true. */
static bool take_clause(struct sat *sat, const lit *lits, size_t count) {
  uint64_t number = sat->looked_at += 2;
  sat->clause.len = 0;
  if (sat->clause.cap < count) VEC_RESERVE(sat->arena, &sat->clause, (uint32_t)count * 2);
  for (size_t i = 0; i < count; i++) {
    struct sat_variable *variable = &sat->known.data[abs(lits[i])];
    uint64_t now = number + (lits[i] < 0), before = variable->seen;
    if (lits[i] == LIT_FALSE || before == now) continue;
    if (lits[i] == LIT_TRUE || before == (now ^ 1)) return false;
    variable->seen = now;
    sat->clause.data[sat->clause.len++] = lits[i];
  }
  return true;
}

/* Called before a call that may be the first to name a variable, as end_growth is after it. */
static void begin_growth(struct sat *sat, lit literal) {
  lit variable = literal < 0 ? -literal : literal;
  sat->torn = variable > sat->newest;
  if (sat->torn) sat->newest = variable;
}

static void end_growth(struct sat *sat) { sat->torn = false; }

/* Passes the waiting clauses to CaDiCaL. */
static void give(void *state) {
  struct sat *sat = state;
  for (uint32_t i = 0; i < sat->waiting.len; i++) {
    begin_growth(sat, sat->waiting.data[i]);
    ccadical_add(sat->solver, sat->waiting.data[i]);
    end_growth(sat);
  }
  sat->waiting.len = 0;
}

static void keep_clause(struct sat *sat, const lit *lits, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (lits[i] != LIT_FALSE) text_printf(&sat->kept, "%d ", lits[i]);
  text_add(&sat->kept, "0\n");
}

/* The solver's name for the literal. Variables without clauses get none, because many of them would take much of
 * CaDiCaL's memory. */
static lit name_of(struct sat *sat, lit a) {
  lit *name = &sat->known.data[abs(a)].name;
  if (!*name) *name = sat->renames ? ++sat->last_name : abs(a);
  return a < 0 ? -*name : *name;
}

/* Passes the clause of take_clause to the solver. */
static void give_clause(struct sat *sat) {
  VEC_VALUES (a, &sat->clause) {
    sat->known.data[abs(a)].occurs = true;
    VEC_PUSH(sat->arena, &sat->waiting, name_of(sat, a));
  }
  sat->refuted = sat->refuted || !sat->clause.len;
  VEC_PUSH(sat->arena, &sat->waiting, 0);
  if (sat->waiting.len < MOST_WAITING) return;
  if (!sat->solver) open_solver(sat);
  guarded(sat, give, sat);
}

enum { CLAUSES_A_POLL = 4096 };

void sat_clause(struct sat *sat, const lit *lits, size_t count) {
  if (!take_clause(sat, lits, count)) return;
  give_clause(sat);
  if (sat->keep) keep_clause(sat, lits, count);
  if (++sat->clauses % CLAUSES_A_POLL == 0) arena_poll(sat->arena);
}

void sat_clause1(struct sat *sat, lit a) {
  /* The clause that fixes LIT_TRUE itself must not be dropped as satisfied. */
  if (a == LIT_TRUE && sat->clauses == 0) {
    VEC_PUSH(sat->arena, &sat->clause, a);
    give_clause(sat);
    sat->clauses++;
    return;
  }
  sat_clause(sat, &a, 1);
}

void sat_clause2(struct sat *sat, lit a, lit b) { sat_clause(sat, (lit[]){a, b}, 2); }

void sat_clause3(struct sat *sat, lit a, lit b, lit c) { sat_clause(sat, (lit[]){a, b, c}, 3); }

static void keep_assumption(struct sat *sat, lit a) {
  if (sat->solved) sat->assumed.len = 0, sat->assumed_count = 0;
  sat->solved = false;
  text_printf(&sat->assumed, "%d 0\n", a);
  sat->assumed_count++;
}

void sat_assume(struct sat *sat, lit a) {
  if (sat->keep) keep_assumption(sat, a);
  VEC_PUSH(sat->arena, &sat->assumptions, a);
}

/* Passes the clauses and assumptions, and solves. Reads one value, so that CaDiCaL builds the whole solution here and
 * sat_value cannot fail. */
static void solve(void *state) {
  struct sat *sat = state;
  give(sat);
  for (uint32_t i = 0; i < sat->assumptions.len; i++) {
    lit a = name_of(sat, sat->assumptions.data[i]);
    begin_growth(sat, a);
    ccadical_assume(sat->solver, a);
    end_growth(sat);
  }
  sat->answer = ccadical_solve(sat->solver);
  if (sat->answer == 10) ccadical_val(sat->solver, LIT_TRUE);
}

/* Limits the effort to the rest of the budget; false if nothing is left. */
static bool limit_effort(struct sat *sat) {
  uint64_t left = sat_budget_left(sat);
  if (left < INT_MAX && (!sat->effort || (uint64_t)sat->effort > left)) sat->effort = (int)left;
  return left > 0;
}

/* True if constants refute the formula: an empty clause, a false assumption. */
static bool is_refuted(const struct sat *sat) {
  return sat->refuted || SOME_BELOW(i, sat->assumptions.len, sat->assumptions.data[i] == LIT_FALSE);
}

static enum sat_answer ask_cadical(struct sat *sat) {
  uint64_t all = sat->steps + STEPS_A_CONFLICT * (uint64_t)sat->effort;
  if (!sat->solver) open_solver(sat);
  if (sat->effort) ccadical_limit(sat->solver, "conflicts", sat->effort);
  guarded(sat, solve, sat);
  if (!sat->answer && sat->steps < all) sat->steps = all;
  return sat->answer == 10 ? SAT_YES : sat->answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

enum sat_answer sat_solve(struct sat *sat) {
  enum sat_answer answer = SAT_UNKNOWN;
  sat->solves++;
  if (sat->keep && sat->solved) sat->assumed.len = 0, sat->assumed_count = 0; /* the assumptions of an earlier solve */
  sat->solved = true;
  if (!out_of_time(sat) && limit_effort(sat)) answer = is_refuted(sat) ? SAT_NO : ask_cadical(sat);
  sat->assumptions.len = 0;
  sat->effort = 0;
  arena_count(sat->arena, sat->clauses + sat_work(sat) - sat->counted);
  sat->counted = sat->clauses + sat_work(sat);
  return answer;
}

void sat_effort(struct sat *sat, int conflicts) { sat->effort = conflicts; }

uint64_t sat_work(const struct sat *sat) { return sat->solves + sat->steps / STEPS_A_CONFLICT; }

void sat_budget(struct sat *sat, uint64_t work) { sat->last_work = work ? sat_work(sat) + work : 0; }

uint64_t sat_budget_left(const struct sat *sat) {
  uint64_t done = sat_work(sat);
  if (!sat->last_work) return UINT64_MAX;
  return sat->last_work > done ? sat->last_work - done : 0;
}

void sat_deadline(struct sat *sat, double when) { sat->deadline = when; }

/* Adds every clause after the header line. */
static void add_dimacs(CCaDiCaL *solver, const char *dimacs) {
  const char *at = strchr(dimacs, '\n');
  char *end;
  while (at) {
    long literal = strtol(at, &end, 10);
    if (end == at) return;
    ccadical_add(solver, (int)literal);
    at = end;
  }
}

struct proof {
  const char *dimacs;
  struct sat timer;
  int answer;
};

static void prove(void *state) {
  static const char *const checks[] = {"check", "checkproof", "checkwitness"};
  struct proof *proof = state;
  CCaDiCaL *solver = ccadical_init();
  bool checked = true;
  ccadical_set_option(solver, "factor", 0); /* as in init */
  ccadical_set_option(solver, "quiet", 1);
  for (size_t i = 0; i < ARRAY_LEN(checks); i++) {
    ccadical_set_option(solver, checks[i], 1);
    checked = checked && ccadical_get_option(solver, checks[i]) == 1;
  }
  if (proof->timer.deadline > 0) ccadical_set_terminate(solver, &proof->timer, out_of_time);
  if (checked) add_dimacs(solver, proof->dimacs);
  if (checked) proof->answer = ccadical_solve(solver);
  ccadical_release(solver);
}

enum sat_answer sat_prove(const char *dimacs, double deadline) {
  struct proof proof = {.dimacs = dimacs, .timer = {.deadline = deadline}};
  if (!guard_run(prove, &proof)) return SAT_UNKNOWN; /* the solver is leaked, and the process ends soon */
  return proof.answer == 10 ? SAT_YES : proof.answer == 20 ? SAT_NO : SAT_UNKNOWN;
}

bool sat_value(struct sat *sat, lit a) {
  if (a == LIT_TRUE || a == LIT_FALSE) return a == LIT_TRUE;
  if (sat->renames && !sat->known.data[abs(a)].name) return a < 0;
  a = name_of(sat, a);
  int value = ccadical_val(sat->solver, a < 0 ? -a : a);
  return (value > 0) == (a > 0);
}

void sat_limit_clauses(struct sat *sat, uint64_t clauses) { sat->most_clauses = clauses; }
bool sat_is_full(const struct sat *sat) { return sat->most_clauses && sat->clauses > sat->most_clauses; }

uint64_t sat_variables(const struct sat *sat) { return sat->variables; }
uint64_t sat_clauses(const struct sat *sat) { return sat->clauses; }
uint64_t sat_solves(const struct sat *sat) { return sat->solves; }

const char *sat_signature(void) { return ccadical_signature(); }
