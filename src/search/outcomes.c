/* Lists the outcomes of a test.
 *
 * A clause excludes each of the first outcomes before the search for the next. Many such clauses are slow and take
 * memory, so a walk of the tree of bits finds the other outcomes: it assumes a literal of the final state false and
 * then true, and each answer gives one more outcome or cuts a branch off. So these outcomes come sorted, and need not
 * be kept. */
#include "search/solver.h"

/* HARD: the conflicts after which a question counts as hard. */
enum { MOST_EXCLUDED = 512, HARD = 1000 };

/* The place of a bit of the final state. */
struct outcome_bit {
  uint32_t observable;
  unsigned bit;
  lit literal;
};

/* An assumed bit, with the result for its other value. */
struct outcome_side {
  bool open;      /* the other value, 1, is still to be searched */
  value_t *known; /* an outcome there; NULL: unknown yet */
};

struct outcome_search {
  struct sat_search *g;
  struct outcome_set set;         /* the outcomes found by excluding */
  uint32_t merged;                /* the number of these in the result */
  VEC(struct outcome_bit) bits;   /* the bits of the final state that are not constant, the most significant first */
  VEC(lit) path;                  /* the first of the bits, as assumed */
  VEC(struct outcome_side) sides; /* by bit of the path */
  VEC(value_t *) spare;           /* buffers for values */
  lit on;                         /* assumed: the clauses that exclude the outcomes found */
  lit sorted;                     /* assumed: interchangeable threads are sorted (ask_sort_threads) */
  bool hard;                      /* some question was hard: the lemmas (ask.h) exist from then on */
  bool over;                      /* a limit was reached */
  bool lost;                      /* ... and the outcomes found do not count */
};

bool search_is_full(struct search *q, uint64_t found, const char *what) {
  if (!q->options->max_outcomes || found < q->options->max_outcomes) return false;
  const char *text = arena_printf(q->arena, "more %s than --max-outcomes allows (%u)", what, (unsigned)found);
  search_give_up(q, reason_with(q->arena, REASON_MANY_OUTCOMES, text), (struct span){0});
  return true;
}

/* The list of outcomes shows the same later; this certificate is of the test's own clauses. */
static void certify_predicate(struct sat_search *g) {
  if (!g->q->options->certify) return;
  lit both = gates_and2(&g->ask.encoder.gates, g->condition, g->filter, NEED_BOTH);
  if (ask_solve(&g->ask, both, LIT_TRUE, NULL) == SAT_NO) solver_claim(g, "no execution satisfies the predicate");
}

static void assume_path(struct outcome_search *l) {
  for (uint32_t i = 0; i < l->path.len; i++) sat_assume(l->g->ask.sat, l->path.data[i]);
  if (l->on != LIT_TRUE) sat_assume(l->g->ask.sat, l->on);
  if (l->sorted != LIT_TRUE) sat_assume(l->g->ask.sat, l->sorted);
}

/* The hard part is to prove that there is no other outcome: under a lock it takes all orders of the threads, or
 * lemmas. */
static enum sat_answer solve_below(struct outcome_search *l) {
  struct sat_search *g = l->g;
  assume_path(l);
  if (!l->hard && !g->q->options->certify) {
    sat_effort(g->ask.sat, HARD);
    enum sat_answer answer = ask_solve(&g->ask, g->filter, LIT_TRUE, NULL);
    if (answer != SAT_UNKNOWN) return answer;
    l->hard = true;
    if (!base_is_late(g->q->deadline)) ask_prove_lemmas(&g->ask);
    assume_path(l);
  }
  return solver_allowed(g, g->filter);
}

/* Searches for one more outcome below the path: ask.finals. False: there is none, or a limit was reached. */
static bool next(struct outcome_search *l) {
  struct sat_search *g = l->g;
  struct search *q = g->q;
  uint64_t found = q->result->positive + q->result->negative;
  enum sat_answer answer = solve_below(l);
  l->over = answer == SAT_UNKNOWN;
  if (answer != SAT_YES) return false;
  l->over = l->lost = !solver_recheck(g);
  if (l->over) return false;
  l->over = search_is_full(q, found, "outcomes");
  if (l->over) return false;
  bool satisfies = cond_holds(q->program, q->program->condition, g->ask.finals);
  if (satisfies != sat_value(g->ask.sat, g->condition))
    BUG("%s: the condition is judged differently", q->program->name);
  result_count(q->result, satisfies);
  return true;
}

/* ---- In order, into the result ---- */

static void append(struct outcome_search *l, const value_t *values) {
  struct search *q = l->g->q;
  struct outcomes *to = &q->result->outcomes;
  if (to->len && outcome_order(q->program, outcomes_at(to, to->len - 1).values, values) >= 0)
    BUG("%s: an outcome came twice, or too late", q->program->name);
  bool satisfies = cond_holds(q->program, q->program->condition, values);
  outcomes_add(q->arena, q->program, to, (struct outcome){values, satisfies, 1});
}

/* Appends the outcomes found by excluding that come before these values; NULL: all. */
static void append_excluded(struct outcome_search *l, const value_t *values) {
  for (; l->merged < l->set.list.len; l->merged++) {
    const value_t *next = l->set.list.data[l->merged].values;
    if (values && outcome_order(l->g->q->program, next, values) > 0) return;
    append(l, next);
  }
}

/* ---- By clauses ---- */

static bool list_excluding(struct outcome_search *l) {
  bool more = true, added;
  while (more && (l->g->q->options->certify || l->set.list.len < MOST_EXCLUDED)) {
    more = next(l);
    if (!more) break;
    outcome_set_add(&l->set, l->g->ask.finals, &added);
    if (!added) BUG("%s: an outcome came twice", l->g->q->program->name);
    ask_exclude_state(&l->g->ask, l->g->ask.finals, l->on);
  }
  outcome_set_sort(&l->set);
  return more;
}

/* ---- By the tree of bits ---- */

static void list_bits(struct outcome_search *l) {
  struct search *q = l->g->q;
  const struct encoder *e = &l->g->ask.encoder;
  for (uint32_t i = 0; i < q->program->observed_count; i++)
    for (unsigned k = e->lengths[i]; k-- > 0;) {
      lit bit = e->finals[i].bits[k];
      if (bit != LIT_TRUE && bit != LIT_FALSE) VEC_PUSH(q->arena, &l->bits, ((struct outcome_bit){i, k, bit}));
    }
}

/* The outcome that was found last, to be given back to `spare`. */
static value_t *keep_found(struct outcome_search *l) {
  struct search *q = l->g->q;
  uint32_t count = q->program->observed_count;
  value_t *values = l->spare.len ? l->spare.data[--l->spare.len] : ARENA_ARRAY(q->arena, value_t, count);
  for (uint32_t i = 0; i < count; i++) values[i] = l->g->ask.finals[i];
  return values;
}

static void take_side(struct outcome_search *l, uint32_t depth, bool one) {
  lit literal = l->bits.data[depth].literal;
  l->path.len = l->sides.len = depth;
  VEC_PUSH(l->g->q->arena, &l->path, one ? literal : -literal);
  VEC_PUSH(l->g->q->arena, &l->sides, ((struct outcome_side){.open = !one}));
}

/* From an outcome below the path down to the first one there. */
static value_t *descend(struct outcome_search *l, value_t *from) {
  for (uint32_t d = l->path.len; d < l->bits.len; d++) {
    const struct outcome_bit *bit = &l->bits.data[d];
    take_side(l, d, false);
    if (!(from[bit->observable] >> bit->bit & 1)) continue;
    if (!l->over && next(l)) {
      l->sides.data[d].known = from;
      from = keep_found(l);
    } else {
      take_side(l, d, true);
    }
  }
  return from;
}

/* The next outcome after the path, in order; NULL: there is none. */
static value_t *go_back(struct outcome_search *l) {
  while (l->path.len) {
    uint32_t d = l->path.len - 1;
    struct outcome_side was = l->sides.data[d];
    if (was.open) take_side(l, d, true);
    if (was.known) return was.known;
    if (was.open && !l->over && next(l)) return keep_found(l);
    l->path.len = l->sides.len = d;
  }
  return NULL;
}

/* Appends all outcomes that are not excluded; at a limit, those found so far. */
static void walk(struct outcome_search *l) {
  value_t *values = next(l) ? keep_found(l) : NULL;
  while (values) {
    values = descend(l, values);
    append_excluded(l, values);
    append(l, values);
    VEC_PUSH(l->g->q->arena, &l->spare, values);
    values = go_back(l);
  }
}

void search_outcomes(struct sat_search *g) {
  struct search *q = g->q;
  struct outcome_search l = {.g = g,
                             .on = q->options->in_passing ? sat_variable(g->ask.sat) : LIT_TRUE,
                             .sorted = ask_sort_threads(&g->ask, true, NULL)};
  outcome_set_init(&l.set, q->arena, q->program->observed_count);
  certify_predicate(g);
  bool more = list_excluding(&l);
  if (!more && !l.over) solver_claim(g, l.set.list.len ? "no other outcome" : "no outcome");
  if (more) {
    list_bits(&l);
    walk(&l);
  }
  if (l.lost) {
    q->result->outcomes = (struct outcomes){0};
    return;
  }
  append_excluded(&l, NULL);
  q->result->complete = q->result->verdict != VERDICT_UNKNOWN;
}
