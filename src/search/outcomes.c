/* The outcomes of a test, one by one.
 *
 * The first ones are each excluded by a clause before the next is asked for. With many such clauses that gets slow, and
 * takes memory; so those that are left are found by walking the tree of their bits: a literal of the final state is
 * assumed one way and then the other, and each answer gives one more outcome or cuts a branch off.
 */
#include "search/solver.h"

enum { MOST_EXCLUDED = 512 };

struct outcome_list {
  struct sat_search *g;
  struct outcome_set set;
  VEC(lit) bits; /* of the final state, those that are not constant */
  VEC(lit) path; /* the first of them, as assumed */
  bool over;     /* a limit was reached */
  bool lost;     /* ... and what was found does not count */
};

static void count(struct result *r, bool satisfies) { *(satisfies ? &r->positive : &r->negative) += 1; }

static void give_up_many(struct search *q, uint64_t count) {
  const char *text = arena_printf(q->arena, "more than %u outcomes", (unsigned)count);
  search_give_up(q, reason_with(q->arena, REASON_MANY_OUTCOMES, text), q->program->span);
}

/* The list that follows shows as much; this says it of the test's own clauses. */
static void certify_predicate(struct sat_search *g) {
  if (!g->q->options->certify) return;
  lit both = gates_and2(&g->ask.encoder.gates, g->condition, g->filter, NEED_BOTH);
  if (ask_solve(&g->ask, both, LIT_TRUE, NULL) == SAT_NO) solver_claim(g, "no execution satisfies the predicate");
}

/* Asks for one more, below the path, and adds it. False where there is none, or it is over. */
static bool next(struct outcome_list *l) {
  struct sat_search *g = l->g;
  struct search *q = g->q;
  for (uint32_t i = 0; i < l->path.len; i++) sat_assume(g->ask.sat, l->path.data[i]);
  enum sat_answer answer = solver_allowed(g, g->filter);
  l->over = answer == SAT_UNKNOWN;
  if (answer != SAT_YES) return false;
  l->over = l->lost = !solver_recheck(g);
  if (l->over) return false;
  if (q->options->max_outcomes && l->set.list.len >= q->options->max_outcomes) {
    give_up_many(q, l->set.list.len);
    l->over = true;
    return false;
  }
  bool added, satisfies = cond_holds(q->program, q->program->condition, g->ask.finals);
  if (satisfies != sat_value(g->ask.sat, g->condition))
    BUG("%s: the condition is judged differently", q->program->name);
  struct outcome *outcome = outcome_set_add(&l->set, g->ask.finals, &added);
  if (!added) BUG("%s: an outcome came twice", q->program->name);
  outcome->satisfies = satisfies;
  outcome->executions = 1;
  count(q->result, satisfies);
  return true;
}

/* The outcome just found, bit by bit. */
static void read_bits(const struct outcome_list *l, bool *out) {
  for (uint32_t i = 0; i < l->bits.len; i++) out[i] = sat_value(l->g->ask.sat, l->bits.data[i]);
}

static void list_bits(struct outcome_list *l) {
  struct search *q = l->g->q;
  const struct encoder *e = &l->g->ask.encoder;
  for (uint32_t i = 0; i < q->program->observed_count; i++)
    for (unsigned k = e->finals[i].width; k-- > 0;) {
      lit bit = e->finals[i].bits[k];
      if (bit != LIT_TRUE && bit != LIT_FALSE) VEC_PUSH(q->arena, &l->bits, bit);
    }
}

/* All outcomes that are not excluded yet: from each one found down to its last bit, and back to the last bit whose
 * other value (of the depths in `open`) leads to one more. */
static void walk(struct outcome_list *l) {
  struct arena *arena = l->g->q->arena;
  uint32_t n = l->bits.len;
  bool *bits = ARENA_ARRAY(arena, bool, n + 1u);
  VEC(uint32_t) open = {0};
  if (!next(l)) return;
  read_bits(l, bits);
  for (uint32_t d = 0;; d++) {
    for (; d < n; d++) { /* down to the outcome */
      VEC_PUSH(arena, &l->path, bits[d] ? l->bits.data[d] : -l->bits.data[d]);
      VEC_PUSH(arena, &open, d);
    }
    for (bool more = false; !more;) { /* back to where there is another */
      if (!open.len) return;
      d = open.data[--open.len];
      l->path.len = d + 1;
      l->path.data[d] = -l->path.data[d];
      more = next(l);
      if (l->over) return;
    }
    read_bits(l, bits);
  }
}

void search_outcomes(struct sat_search *g) {
  struct search *q = g->q;
  struct outcome_list l = {.g = g};
  bool more = true;
  outcome_set_init(&l.set, q->arena, q->program->observed_count);
  certify_predicate(g);
  while (more && (q->options->certify || l.set.list.len < MOST_EXCLUDED)) {
    more = next(&l);
    if (more) ask_exclude_state(&g->ask, g->ask.finals, LIT_TRUE);
  }
  if (!more && !l.over) solver_claim(g, l.set.list.len ? "no other outcome" : "no outcome");
  if (more) {
    list_bits(&l);
    walk(&l);
  }
  if (l.lost) return;
  outcome_set_sort(&l.set);
  for (uint32_t i = 0; i < l.set.list.len; i++) VEC_PUSH(q->arena, &q->result->outcomes, l.set.list.data[i]);
  q->result->complete = q->result->verdict != VERDICT_UNKNOWN;
}
