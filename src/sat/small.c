/* Conflict-driven clause learning as it is in the textbooks (Marques-Silva, Lynce, Malik: "Conflict-Driven Clause
 * Learning SAT Solvers", Handbook of Satisfiability): two watched literals, learning at the first unique implication
 * point, the values of before tried first. Variables are decided in their order, and nothing is ever thrown away: both
 * would be wrong for what is large. */
#include "sat/small.h"

#include <stdlib.h>

/* Clauses stand one behind another in `store`, at offsets above 0: this header, then the literals. The first two are
 * watched, and each leads to the next clause in which the same literal is. */
enum { CLAUSE_SIZE, CLAUSE_LEARNED, CLAUSE_NEXT, CLAUSE_LITS = CLAUSE_NEXT + 2 };

enum { WORK_OF_A_CONFLICT = 10 };

struct small_variable {
  signed char value;    /* 0: open */
  bool was_true;        /* when it last had one */
  bool is_marked;       /* while a clause is added or learned */
  uint32_t level;       /* of the decision that it follows from; 0: none */
  uint32_t reason;      /* the clause that it follows from; 0: none */
  uint32_t watchers[2]; /* of its two literals: the first clause that watches it; 0: none */
};

struct small {
  struct arena *arena;
  VEC(int32_t) store;
  VEC(struct small_variable) variables; /* from 1 on */
  VEC(lit) trail;                       /* what is true, in the order in which it became so */
  VEC(uint32_t) levels;                 /* by level less 1: where it begins in the trail */
  VEC(lit) learned;
  VEC(lit) assumed; /* in the last solve: the first levels */
  uint32_t propagated; /* so much of the trail */
  lit first_open;      /* no variable before it is open */
  bool is_refuted;
  uint64_t work, conflicts;
};

static struct small_variable *variable_of(const struct small *s, lit a) { return &s->variables.data[abs(a)]; }

static int value_of(const struct small *s, lit a) {
  int value = variable_of(s, a)->value;
  return a < 0 ? -value : value;
}

static uint32_t *watchers_of(const struct small *s, lit a) { return &variable_of(s, a)->watchers[a < 0]; }

static uint32_t size_of(const struct small *s, uint32_t clause) {
  return (uint32_t)s->store.data[clause + CLAUSE_SIZE];
}
static lit *lits_of(const struct small *s, uint32_t clause) { return &s->store.data[clause + CLAUSE_LITS]; }

static uint32_t level_now(const struct small *s) { return s->levels.len; }

struct small *small_new(struct arena *arena) {
  struct small *s = ARENA_NEW(arena, struct small);
  *s = (struct small){.arena = arena, .first_open = 1};
  VEC_PUSH(arena, &s->store, 0);
  VEC_PUSH(arena, &s->variables, ((struct small_variable){.value = 1})); /* there is no variable 0 */
  return s;
}

void small_variable(struct small *s) { VEC_PUSH(s->arena, &s->variables, ((struct small_variable){0})); }

bool small_value(const struct small *s, lit a) { return value_of(s, a) > 0; }

uint64_t small_work(const struct small *s) { return s->work; }

uint64_t small_conflicts(const struct small *s) { return s->conflicts; }

/* ---- The trail ---- */

static void assign(struct small *s, lit a, uint32_t reason) {
  struct small_variable *v = variable_of(s, a);
  v->value = a < 0 ? -1 : 1;
  v->was_true = a > 0;
  v->level = level_now(s);
  v->reason = reason;
  VEC_PUSH(s->arena, &s->trail, a);
}

static void go_back(struct small *s, uint32_t level) {
  if (level_now(s) <= level) return;
  uint32_t kept = s->levels.data[level];
  for (uint32_t i = kept; i < s->trail.len; i++) {
    lit variable = abs(s->trail.data[i]);
    variable_of(s, variable)->value = 0;
    if (variable < s->first_open) s->first_open = variable;
  }
  s->trail.len = s->propagated = kept;
  s->levels.len = level;
}

static void decide(struct small *s, lit a) {
  VEC_PUSH(s->arena, &s->levels, s->trail.len);
  if (a) assign(s, a, 0);
}

/* ---- Clauses ---- */

static void watch(struct small *s, uint32_t clause, uint32_t side) {
  uint32_t *first = watchers_of(s, lits_of(s, clause)[side]);
  s->store.data[clause + CLAUSE_NEXT + side] = (int32_t)*first;
  *first = clause;
}

static uint32_t store(struct small *s, const lit *lits, size_t count, bool learned) {
  uint32_t clause = s->store.len;
  REQUIRE(count < INT32_MAX / 2 && clause < INT32_MAX / 2);
  const int32_t head[CLAUSE_LITS] = {[CLAUSE_SIZE] = (int32_t)count, [CLAUSE_LEARNED] = learned};
  VEC_APPEND(s->arena, &s->store, head, CLAUSE_LITS);
  VEC_APPEND(s->arena, &s->store, lits, count);
  return clause;
}

bool small_next_clause(const struct small *s, uint32_t *at, const lit **lits, size_t *count) {
  uint32_t clause = *at ? *at : 1;
  while (clause < s->store.len && s->store.data[clause + CLAUSE_LEARNED]) clause += CLAUSE_LITS + size_of(s, clause);
  if (clause >= s->store.len) return false;
  *lits = lits_of(s, clause);
  *count = size_of(s, clause);
  *at = clause + CLAUSE_LITS + size_of(s, clause);
  return true;
}

/* Without what stands there twice. */
static void drop_repeated(struct small *s, uint32_t clause) {
  lit *lits = lits_of(s, clause);
  uint32_t kept = 0;
  for (uint32_t i = 0; i < size_of(s, clause); i++) {
    struct small_variable *v = variable_of(s, lits[i]);
    bool repeated = false;
    for (uint32_t k = 0; v->is_marked && k < kept && !repeated; k++) repeated = lits[k] == lits[i];
    v->is_marked = true;
    if (!repeated) lits[kept++] = lits[i];
  }
  for (uint32_t i = 0; i < kept; i++) variable_of(s, lits[i])->is_marked = false;
  s->store.data[clause + CLAUSE_SIZE] = (int32_t)kept;
  s->store.len = clause + CLAUSE_LITS + kept;
}

/* Where a literal stands in a clause: what is not false in front, then what became so last. */
static uint32_t rank_of(const struct small *s, lit a) {
  return value_of(s, a) < 0 ? variable_of(s, a)->level : UINT32_MAX;
}

/* The two literals of the highest ranks come first. */
static void bring_forward(struct small *s, uint32_t clause) {
  lit *lits = lits_of(s, clause);
  uint32_t size = size_of(s, clause);
  for (uint32_t front = 0; front < 2 && front < size; front++) {
    uint32_t best = front, rank = rank_of(s, lits[front]);
    for (uint32_t i = front + 1; i < size && rank < UINT32_MAX; i++)
      if (rank_of(s, lits[i]) > rank) best = i, rank = rank_of(s, lits[i]);
    lit swap = lits[front];
    lits[front] = lits[best];
    lits[best] = swap;
  }
}

/* Decisions are kept as far as the clause is no conflict under them. Where all but its first literal are false that one
 * follows, and at the level of the last of the others. */
void small_clause(struct small *s, const lit *lits, size_t count) {
  uint32_t clause = store(s, lits, count, false);
  drop_repeated(s, clause);
  bring_forward(s, clause);
  uint32_t size = size_of(s, clause);
  uint32_t rank = size > 0 ? rank_of(s, lits_of(s, clause)[0]) : 0;
  uint32_t second = size > 1 ? rank_of(s, lits_of(s, clause)[1]) : 0;
  if (rank == second && rank && rank < UINT32_MAX) go_back(s, rank - 1); /* then two are open */
  if (second < rank) go_back(s, second);
  if (second) watch(s, clause, 0), watch(s, clause, 1);
  if (second < rank && value_of(s, lits_of(s, clause)[0]) == 0) assign(s, lits_of(s, clause)[0], clause);
  if (!rank) s->is_refuted = true;
}

/* ---- Propagation ---- */

/* Another literal to watch in place of a false one. */
static bool rewatch(struct small *s, uint32_t clause, uint32_t side) {
  lit *lits = lits_of(s, clause);
  for (uint32_t i = 2; i < size_of(s, clause); i++) {
    s->work++;
    if (value_of(s, lits[i]) < 0) continue;
    lit swap = lits[side];
    lits[side] = lits[i];
    lits[i] = swap;
    watch(s, clause, side);
    return true;
  }
  return false;
}

/* What follows from a literal having become false. The clause that is false then, or 0. */
static uint32_t propagate_false(struct small *s, lit a) {
  int32_t *after = NULL; /* where the clause at hand is linked from; NULL: from the list's head */
  for (uint32_t clause = *watchers_of(s, a), next; clause; clause = next) {
    lit *lits = lits_of(s, clause);
    uint32_t side = lits[0] == a ? 0 : 1;
    int32_t *link = &s->store.data[clause + CLAUSE_NEXT + side];
    lit other = lits[1 - side];
    next = (uint32_t)*link;
    if (value_of(s, other) <= 0 && rewatch(s, clause, side)) {
      if (after) *after = (int32_t)next;
      else *watchers_of(s, a) = next;
      continue;
    }
    after = link;
    if (value_of(s, other) < 0) return clause;
    if (value_of(s, other) == 0) assign(s, other, clause);
  }
  return 0;
}

static uint32_t propagate(struct small *s) {
  uint32_t conflict = 0;
  while (!conflict && s->propagated < s->trail.len) conflict = propagate_false(s, -s->trail.data[s->propagated++]);
  return conflict;
}

/* ---- Learning ---- */

/* Collects the literals of a clause, all false but for `implied`: those of earlier levels into `learned`. How many are
 * of this one. */
static uint32_t resolve(struct small *s, uint32_t clause, lit implied) {
  uint32_t here = 0;
  for (uint32_t i = 0; i < size_of(s, clause); i++) {
    lit a = lits_of(s, clause)[i];
    struct small_variable *v = variable_of(s, a);
    if (a == implied || v->is_marked || v->level == 0) continue;
    v->is_marked = true;
    if (v->level == level_now(s)) here++;
    else VEC_PUSH(s->arena, &s->learned, a);
  }
  return here;
}

/* The level to go back to, whose literal becomes the second one; 0 where there is but one. */
static uint32_t second_level(struct small *s) {
  uint32_t level = 0;
  lit *lits = s->learned.data;
  for (uint32_t i = 1; i < s->learned.len; i++) {
    if (variable_of(s, lits[i])->level <= level) continue;
    lit swap = lits[1];
    level = variable_of(s, lits[i])->level;
    lits[1] = lits[i];
    lits[i] = swap;
  }
  return level;
}

static void learn(struct small *s, uint32_t conflict) {
  uint32_t at = s->trail.len, open = 0;
  lit implied = 0;
  s->learned.len = 0;
  VEC_PUSH(s->arena, &s->learned, 0);
  for (uint32_t clause = conflict;; clause = variable_of(s, implied)->reason) {
    open += resolve(s, clause, implied);
    while (!variable_of(s, s->trail.data[--at])->is_marked) {
    }
    implied = s->trail.data[at];
    variable_of(s, implied)->is_marked = false;
    if (--open == 0) break;
  }
  s->learned.data[0] = -implied;
  for (uint32_t i = 1; i < s->learned.len; i++) variable_of(s, s->learned.data[i])->is_marked = false;
  go_back(s, second_level(s));
  uint32_t clause = store(s, s->learned.data, s->learned.len, true);
  if (s->learned.len > 1) watch(s, clause, 0), watch(s, clause, 1);
  assign(s, -implied, s->learned.len > 1 ? clause : 0);
}

/* ---- Solving ---- */

/* Decides one thing more, assumptions first. SAT_YES: nothing is open; SAT_NO: an assumption is false. */
static enum sat_answer extend(struct small *s, const lit *assumptions, size_t count) {
  if (level_now(s) < count) {
    lit a = assumptions[level_now(s)];
    if (value_of(s, a) < 0) return SAT_NO;
    decide(s, value_of(s, a) > 0 ? 0 : a);
    return SAT_UNKNOWN;
  }
  while ((uint32_t)s->first_open < s->variables.len && variable_of(s, s->first_open)->value) s->first_open++;
  if ((uint32_t)s->first_open == s->variables.len) return SAT_YES;
  decide(s, variable_of(s, s->first_open)->was_true ? s->first_open : -s->first_open);
  return SAT_UNKNOWN;
}

/* Keeps the decisions of the last solve as far as the assumptions are the same. */
static void assume(struct small *s, const lit *assumptions, size_t count) {
  uint32_t same = 0;
  while (same < count && same < s->assumed.len && s->assumed.data[same] == assumptions[same]) same++;
  if (same < count || same < s->assumed.len) go_back(s, same);
  s->assumed.len = same;
  VEC_APPEND(s->arena, &s->assumed, assumptions + same, count - same);
}

enum sat_answer small_solve(struct small *s, const lit *assumptions, size_t count, uint64_t conflicts, uint64_t work) {
  assume(s, assumptions, count);
  for (uint64_t left = conflicts; !s->is_refuted;) {
    uint32_t conflict = propagate(s);
    if (conflict && level_now(s) == 0) s->is_refuted = true;
    if (s->is_refuted) break;
    if (conflict) {
      s->work += WORK_OF_A_CONFLICT;
      s->conflicts++;
      if (left-- == 0 || s->work > work) {
        go_back(s, 0);
        return SAT_UNKNOWN;
      }
      learn(s, conflict);
      continue;
    }
    enum sat_answer answer = extend(s, assumptions, count);
    if (answer != SAT_UNKNOWN) return answer;
  }
  return SAT_NO;
}
