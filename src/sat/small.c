/* Conflict-driven clause learning as it is in the textbooks (Marques-Silva, Lynce, Malik: "Conflict-Driven Clause
 * Learning SAT Solvers", Handbook of Satisfiability): two watched literals, learning at the first unique implication
 * point, the values of before tried first. Variables are decided in their order, and nothing is ever thrown away: both
 * would be wrong for what is large. */
#include "sat/small.h"

/* A literal as it is kept: twice its variable, and one more where that is to be false. */
typedef uint32_t code;

/* Clauses stand one behind another in `store`, at offsets above 0: this header, then the literals. The first two are
 * watched, and each leads to the next clause in which the same literal is. */
enum { CLAUSE_SIZE, CLAUSE_LEARNED, CLAUSE_NEXT, CLAUSE_CODES = CLAUSE_NEXT + 2 };

enum { WORK_OF_A_CONFLICT = 10 };

struct small_literal {
  int value;         /* 1: true, -1: false, 0: open */
  uint32_t watchers; /* the first clause that watches it; 0: none */
};

struct small_variable {
  uint32_t level;  /* of the decision that its value follows from; 0: none */
  uint32_t reason; /* the clause that it follows from; 0: none */
  bool was_true;   /* when it last had one */
  bool is_marked;  /* while a clause is learned */
};

struct small {
  struct arena *arena;
  VEC(uint32_t) store;
  VEC(struct small_literal) literals;   /* by code, from 2 on */
  VEC(struct small_variable) variables; /* from 1 on */
  VEC(code) trail;                      /* what is true, in the order in which it became so */
  VEC(uint32_t) levels;                 /* by level less 1: where it begins in the trail */
  VEC(code) learned;
  VEC(lit) assumed;    /* in the last solve: the first levels */
  VEC(lit) shown;      /* the clause that small_next_clause came to last */
  uint32_t propagated; /* so much of the trail */
  uint32_t first_open; /* no variable before it is open */
  bool is_refuted;
  uint64_t work, conflicts;
};

static code code_of(lit a) { return a < 0 ? 2 * (code)-a + 1 : 2 * (code)a; }

static lit lit_of(code c) { return c & 1 ? -(lit)(c / 2) : (lit)(c / 2); }

static code opposite(code c) { return c ^ 1; }

static struct small_variable *variable_of(const struct small *s, code c) { return &s->variables.data[c / 2]; }

static int value_of(const struct small *s, code c) { return s->literals.data[c].value; }

static uint32_t size_of(const struct small *s, uint32_t clause) { return s->store.data[clause + CLAUSE_SIZE]; }

static code *codes_of(const struct small *s, uint32_t clause) { return &s->store.data[clause + CLAUSE_CODES]; }

static uint32_t level_now(const struct small *s) { return s->levels.len; }

static void swap_codes(code *codes, uint32_t i, uint32_t k) {
  code c = codes[i];
  codes[i] = codes[k];
  codes[k] = c;
}

struct small *small_new(struct arena *arena) {
  struct small *s = ARENA_NEW(arena, struct small);
  *s = (struct small){.arena = arena, .first_open = 1};
  VEC_PUSH(arena, &s->store, 0);
  small_variable(s); /* there is no variable 0 */
  return s;
}

void small_variable(struct small *s) {
  VEC_PUSH(s->arena, &s->variables, ((struct small_variable){0}));
  VEC_PUSH(s->arena, &s->literals, ((struct small_literal){0}));
  VEC_PUSH(s->arena, &s->literals, ((struct small_literal){0}));
}

bool small_value(const struct small *s, lit a) { return value_of(s, code_of(a)) > 0; }

uint64_t small_work(const struct small *s) { return s->work; }

uint64_t small_conflicts(const struct small *s) { return s->conflicts; }

/* ---- The trail ---- */

static void assign(struct small *s, code c, uint32_t reason) {
  struct small_variable *v = variable_of(s, c);
  s->literals.data[c].value = 1;
  s->literals.data[opposite(c)].value = -1;
  v->level = level_now(s);
  v->reason = reason;
  VEC_PUSH(s->arena, &s->trail, c);
}

static void undo(struct small *s, uint32_t kept) {
  for (uint32_t i = kept; i < s->trail.len; i++) {
    code c = s->trail.data[i];
    s->literals.data[c].value = s->literals.data[opposite(c)].value = 0;
    variable_of(s, c)->was_true = !(c & 1);
    if (c / 2 < s->first_open) s->first_open = c / 2;
  }
  s->trail.len = s->propagated = kept;
}

static void go_back(struct small *s, uint32_t level) {
  if (level_now(s) <= level) return;
  undo(s, s->levels.data[level]);
  s->levels.len = level;
}

static void decide(struct small *s, code c) {
  VEC_PUSH(s->arena, &s->levels, s->trail.len);
  if (c) assign(s, c, 0);
}

/* ---- Clauses ---- */

static void watch(struct small *s, uint32_t clause, uint32_t side) {
  uint32_t *first = &s->literals.data[codes_of(s, clause)[side]].watchers;
  s->store.data[clause + CLAUSE_NEXT + side] = *first;
  *first = clause;
}

/* A clause of so many literals, none of them there yet. */
static uint32_t store(struct small *s, size_t count, bool learned) {
  uint32_t clause = s->store.len;
  REQUIRE(count < INT32_MAX / 2 && clause < INT32_MAX / 2);
  while (s->store.cap - clause < CLAUSE_CODES + count)
    s->store.data = vec_grow(s->arena, s->store.data, s->store.cap, &s->store.cap, sizeof *s->store.data);
  s->store.len += CLAUSE_CODES + (uint32_t)count;
  uint32_t *head = &s->store.data[clause];
  head[CLAUSE_SIZE] = (uint32_t)count;
  head[CLAUSE_LEARNED] = learned;
  head[CLAUSE_NEXT] = head[CLAUSE_NEXT + 1] = 0;
  return clause;
}

bool small_next_clause(struct small *s, uint32_t *at, const lit **lits, size_t *count) {
  uint32_t clause = *at ? *at : 1;
  while (clause < s->store.len && s->store.data[clause + CLAUSE_LEARNED]) clause += CLAUSE_CODES + size_of(s, clause);
  if (clause >= s->store.len) return false;
  s->shown.len = 0;
  for (uint32_t i = 0; i < size_of(s, clause); i++) VEC_PUSH(s->arena, &s->shown, lit_of(codes_of(s, clause)[i]));
  *lits = s->shown.data;
  *count = s->shown.len;
  *at = clause + CLAUSE_CODES + size_of(s, clause);
  return true;
}

/* Where a literal stands in a clause: what is not false in front, then what became so last. */
static uint32_t rank_of(const struct small *s, code c) {
  return value_of(s, c) < 0 ? variable_of(s, c)->level : UINT32_MAX;
}

/* Brings a literal of the highest rank to this place, from it or behind it: the rank. 0 where there is none. */
static uint32_t bring_forward(const struct small *s, code *codes, uint32_t size, uint32_t place) {
  uint32_t best = place, rank = place < size ? rank_of(s, codes[place]) : 0;
  for (uint32_t i = place + 1; i < size && rank < UINT32_MAX; i++)
    if (rank_of(s, codes[i]) > rank) best = i, rank = rank_of(s, codes[i]);
  if (best != place) swap_codes(codes, place, best);
  return rank;
}

/* Decisions are kept as far as the clause is no conflict under them. Where all but its first literal are false that one
 * follows, and at the level of the last of the others. */
void small_clause(struct small *s, const lit *lits, size_t count) {
  uint32_t clause = store(s, count, false), size = (uint32_t)count;
  code *codes = codes_of(s, clause);
  for (uint32_t i = 0; i < size; i++) codes[i] = code_of(lits[i]);
  uint32_t rank = bring_forward(s, codes, size, 0), second = bring_forward(s, codes, size, 1);
  if (rank == second && rank && rank < UINT32_MAX) go_back(s, rank - 1); /* then two are open */
  if (second < rank) go_back(s, second);
  if (second) watch(s, clause, 0), watch(s, clause, 1);
  if (second < rank && value_of(s, codes[0]) == 0) assign(s, codes[0], clause);
  if (!rank) s->is_refuted = true;
}

/* ---- Propagation ---- */

/* Another literal to watch in place of a false one. */
static bool rewatch(struct small *s, uint32_t clause, uint32_t side) {
  code *codes = codes_of(s, clause);
  for (uint32_t i = 2, size = size_of(s, clause); i < size; i++) {
    s->work++;
    if (value_of(s, codes[i]) < 0) continue;
    swap_codes(codes, side, i);
    watch(s, clause, side);
    return true;
  }
  return false;
}

/* What follows from a literal having become false. The clause that is false then, or 0. */
static uint32_t propagate_false(struct small *s, code c) {
  uint32_t *after = &s->literals.data[c].watchers; /* where the clause at hand is linked from */
  for (uint32_t clause = *after; clause; clause = *after) {
    const code *codes = codes_of(s, clause);
    uint32_t side = codes[0] != c;
    uint32_t *link = &s->store.data[clause + CLAUSE_NEXT + side], next = *link;
    code other = codes[1 - side];
    int value = value_of(s, other);
    if (value <= 0 && rewatch(s, clause, side)) {
      *after = next;
      continue;
    }
    after = link;
    if (value < 0) return clause;
    if (value == 0) assign(s, other, clause);
  }
  return 0;
}

static uint32_t propagate(struct small *s) {
  uint32_t conflict = 0;
  while (!conflict && s->propagated < s->trail.len)
    conflict = propagate_false(s, opposite(s->trail.data[s->propagated++]));
  return conflict;
}

/* ---- Learning ---- */

/* Collects the literals of a clause, all false but for `implied`: those of earlier levels into `learned`. How many are
 * of this one. */
static uint32_t resolve(struct small *s, uint32_t clause, code implied) {
  uint32_t here = 0;
  for (uint32_t i = 0, size = size_of(s, clause); i < size; i++) {
    code c = codes_of(s, clause)[i];
    struct small_variable *v = variable_of(s, c);
    if (c == implied || v->is_marked || v->level == 0) continue;
    v->is_marked = true;
    if (v->level == level_now(s)) here++;
    else VEC_PUSH(s->arena, &s->learned, c);
  }
  return here;
}

/* The level to go back to, whose literal becomes the second one; 0 where there is but one. */
static uint32_t second_level(struct small *s) {
  uint32_t level = 0;
  code *codes = s->learned.data;
  for (uint32_t i = 1; i < s->learned.len; i++) {
    if (variable_of(s, codes[i])->level <= level) continue;
    level = variable_of(s, codes[i])->level;
    swap_codes(codes, 1, i);
  }
  return level;
}

static void learn(struct small *s, uint32_t conflict) {
  uint32_t at = s->trail.len, open = 0;
  code implied = 0;
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
  s->learned.data[0] = opposite(implied);
  uint32_t count = s->learned.len;
  for (uint32_t i = 1; i < count; i++) variable_of(s, s->learned.data[i])->is_marked = false;
  go_back(s, second_level(s));
  uint32_t clause = store(s, count, true);
  memcpy(codes_of(s, clause), s->learned.data, count * sizeof(code));
  if (count > 1) watch(s, clause, 0), watch(s, clause, 1);
  assign(s, opposite(implied), clause);
}

/* ---- Solving ---- */

/* Decides one thing more, assumptions first. SAT_YES: nothing is open; SAT_NO: an assumption is false. */
static enum sat_answer extend(struct small *s, const lit *assumptions, size_t count) {
  if (level_now(s) < count) {
    code c = code_of(assumptions[level_now(s)]);
    if (value_of(s, c) < 0) return SAT_NO;
    decide(s, value_of(s, c) > 0 ? 0 : c);
    return SAT_UNKNOWN;
  }
  uint32_t open = s->first_open;
  while (open < s->variables.len && value_of(s, 2 * open)) open++;
  s->first_open = open;
  if (open == s->variables.len) return SAT_YES;
  decide(s, 2 * open + !s->variables.data[open].was_true);
  return SAT_UNKNOWN;
}

/* Keeps the decisions of the last solve as far as the assumptions are the same; those that are assumed no more are
 * decisions like others. */
static void assume(struct small *s, const lit *assumptions, size_t count) {
  uint32_t same = 0;
  while (same < count && same < s->assumed.len && s->assumed.data[same] == assumptions[same]) same++;
  if (same < count) go_back(s, same);
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
