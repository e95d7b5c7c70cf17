/* What the machines of a test's locations show of it, however often its loops go round: that no execution goes on for
 * ever, or that none has an outcome that was not found.
 *
 * An execution that does not end is taken to be fair to memory: only finitely many events come before any one (Lahav
 * and others, PLDI 2021, "Making Weak Memory Models Fair"). Spinning is judged under the same assumption (ends.c). */
#include "search/machine.h"

enum {
  MOST_THREADS = 6,     /* all ways are tried to part them into those that end, stop and go on */
  MOST_LOOP_STATES = 512, /* of a thread: quadratic */
  MOST_PARTINGS = 100000
};

/* ---- Termination ---- */

/* Threads as masks. Those that do not go on and have not stopped have ended. */
struct parting {
  uint32_t going, stopped;
  const struct bitset *where; /* by thread that goes on: the states among which it does */
};

/* By thread: sets of states that lead to each other. */
struct rounds {
  VEC(struct bitset) list;
};

static bool may_stop(const struct search *q, const struct parting *p, uint32_t thread) {
  const struct program *program = q->program;
  bool lower = false, higher = true;
  for (uint32_t u = 0; u < program->thread_count; u++) {
    bool is_higher = program->threads[u].number > program->threads[thread].number;
    if (u != thread && !is_higher) lower |= (p->going | p->stopped) >> u & 1;
    if (is_higher) higher &= p->stopped >> u & 1;
  }
  switch (q->options->progress) {
    case PROGRESS_FAIR: return false;
    case PROGRESS_HSA: return lower;
    case PROGRESS_OBE: return true;
    case PROGRESS_LOBE: return higher;
  }
  BUG("progress %d", (int)q->options->progress);
}

static bool is_allowed(const struct search *q, const struct parting *p) {
  if (!p->going || p->going & p->stopped) return false;
  for (uint32_t t = 0; t < q->program->thread_count; t++)
    if (p->stopped >> t & 1 && !may_stop(q, p, t)) return false;
  return true;
}

/* Takes out of `states` those from which no path inside leads to a step of this thread. Whether any was. */
static bool keep_leading_to(struct arena *arena, const struct machine *m, struct bitset states, uint32_t going,
                            uint32_t thread) {
  struct bitset leading = bitset_new(arena, m->count);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = m->moves.len; i-- > 0;) {
      const struct move *move = &m->moves.data[i];
      bool inside = bitset_has(states, move->from) && bitset_has(states, move->to) && going >> move->thread & 1;
      if (!inside || bitset_has(leading, move->from)) continue;
      if (move->thread != thread && !bitset_has(leading, move->to)) continue;
      bitset_add(leading, move->from);
      changed = true;
    }
  }
  if (bitset_subset(states, leading)) return false;
  bitset_and(states, leading);
  return true;
}

/* Whether the machine has a run, from its start, in which the threads part like that. */
static bool can_part(struct machines *x, uint32_t place, const struct parting *p) {
  struct arena *arena = x->q->arena;
  uint32_t threads = x->q->program->thread_count;
  bool before_start = x->q->options->progress != PROGRESS_HSA;
  struct machine m = x->list.data[place];
  if (p->stopped && before_start) m = machine_run(x, place, ~p->stopped);
  struct bitset states = bitset_new(arena, m.count);
  for (uint32_t s = 0; s < m.count; s++) {
    bool fits = true;
    for (uint32_t t = 0; t < threads && fits; t++) {
      uint32_t at = machine_state(&m, s)[t];
      if (p->going >> t & 1) fits = bitset_has(p->where[t], at);
      else fits = p->stopped >> t & 1 || concrete_state(&x->concrete, t, at)->doing == DOING_END;
    }
    if (fits) bitset_add(states, s);
  }
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t t = 0; t < threads; t++)
      if (p->going >> t & 1) changed |= keep_leading_to(arena, &m, states, p->going, t);
  }
  return !bitset_empty(states);
}

/* Whether all machines can, with each thread that goes on in one of its rounds. */
static bool can_part_somehow(struct machines *x, struct parting *p, const struct rounds *rounds, struct bitset *where,
                             uint32_t thread, uint32_t *tried) {
  if (thread == x->q->program->thread_count) {
    bool possible = ++*tried < MOST_PARTINGS;
    p->where = where;
    for (uint32_t place = 0; place < x->list.len && possible; place++) possible = can_part(x, place, p);
    return possible || x->lost || *tried == MOST_PARTINGS;
  }
  if (!(p->going >> thread & 1)) return can_part_somehow(x, p, rounds, where, thread + 1, tried);
  for (uint32_t i = 0; i < rounds[thread].list.len; i++) {
    where[thread] = rounds[thread].list.data[i];
    if (can_part_somehow(x, p, rounds, where, thread + 1, tried)) return true;
  }
  return false;
}

static bool find_rounds(const struct machines *x, uint32_t thread, struct rounds *rounds) {
  const struct concrete_thread *t = &x->concrete.threads[thread];
  if (t->states.len > MOST_LOOP_STATES) return false;
  struct bitmat leads = bitmat_new(x->q->arena, t->states.len), back = bitmat_new(x->q->arena, t->states.len);
  for (uint32_t s = 0; s < t->states.len; s++)
    for (uint32_t i = 0; i < t->states.data[s].reactions.len; i++)
      bitmat_add(leads, s, t->states.data[s].reactions.data[i].next);
  bitmat_closure(leads);
  bitmat_inverse(back, leads);
  for (uint32_t s = 0; s < t->states.len; s++) {
    struct bitset round = bitset_copy(x->q->arena, bitmat_row_set(leads, s));
    bitset_and(round, bitmat_row_set(back, s));
    if (bitset_has(round, s) && bitset_next(round, 0) == s) VEC_PUSH(x->q->arena, &rounds->list, round);
  }
  return true;
}

bool search_all_end(struct search *q) {
  struct machines x;
  uint32_t threads = q->program->thread_count, tried = 0;
  if (q->options->engine != ENGINE_SAT || q->options->certify || threads > MOST_THREADS) return false;
  if (!machines_build(&x, q) || !machines_fit(&x)) return false;
  struct rounds *rounds = ARENA_ARRAY(q->arena, struct rounds, threads);
  struct bitset *where = ARENA_ARRAY(q->arena, struct bitset, threads);
  for (uint32_t t = 0; t < threads; t++)
    if (!find_rounds(&x, t, &rounds[t])) return false;
  for (uint32_t going = 1; going < 1u << threads; going++)
    for (uint32_t stopped = 0; stopped < 1u << threads; stopped++) {
      struct parting p = {.going = going, .stopped = stopped};
      if (is_allowed(q, &p) && can_part_somehow(&x, &p, rounds, where, 0, &tried)) return false;
    }
  return true;
}
