/* Conclusions from the machines of a test's locations, for any number of iterations of its loops: that every execution
 * ends, or that no execution has a new outcome.
 *
 * Executions that do not end are assumed to be memory-fair: only finitely many events precede each event (Lahav and
 * others, PLDI 2021, "Making Weak Memory Models Fair"). search/ends.c makes the same assumption about spinning. */
#include "loops/machine.h"
#include "result/states.h"

enum {
  MOST_THREADS = 6,       /* every partition into threads that end, stop and go on is tried */
  MOST_LOOP_STATES = 512, /* the limit per thread; the work is quadratic */
  MOST_PARTINGS = 100000,
  MOST_OUTCOMES = 4096,
  MOST_WORK = 10000000 /* states visited while combining several machines */
};

/* ---- Termination ---- */

/* Masks of the threads that go on, and of those that have stopped; all others have ended. */
struct parting {
  uint32_t going, stopped;
  struct bitset *where; /* by thread that goes on or has stopped: the states in which it does, or has */
};

/* By thread: strongly connected sets of states. */
VEC_NAMED(rounds, struct bitset);

static bool may_stop(const struct looping *q, const struct parting *p, uint32_t thread) {
  const struct program *program = q->program;
  bool lower = false, higher = true;
  for (uint32_t u = 0; u < program->thread_count; u++) {
    bool is_higher = program->threads[u].number > program->threads[thread].number;
    if (u != thread && !is_higher) lower |= (p->going | p->stopped) >> u & 1;
    if (is_higher) higher &= p->stopped >> u & 1;
  }
  switch (q->progress) {
    case PROGRESS_FAIR: return false;
    case PROGRESS_HSA: return lower;
    case PROGRESS_OBE: return true;
    case PROGRESS_LOBE: return higher;
  }
  BUG("progress %d", (int)q->progress);
}

static bool is_allowed(const struct looping *q, const struct parting *p) {
  if (!p->going || p->going & p->stopped) return false;
  return !SOME_BELOW(t, q->program->thread_count, p->stopped >> t & 1 && !may_stop(q, p, t));
}

/* Reduces `where` of threads that have not ended to their states in `states`. True if some set shrank. */
static bool keep_where(struct machines *x, const struct location_machine *m, struct bitset states, struct parting *p) {
  bool less = false;
  for (uint32_t t = 0; t < x->q->program->thread_count; t++) {
    if (!((p->going | p->stopped) >> t & 1)) continue;
    struct bitset seen = bitset_new(x->q->arena, x->concrete.threads[t].states.len);
    EACH (s, states) bitset_add(seen, machine_state(m, s)[t]);
    if (bitset_subset(p->where[t], seen)) continue;
    bitset_and(p->where[t], seen);
    less = true;
  }
  return less;
}

/* True if the machine has a run, from its initial state, with this parting. Reduces `where` of each thread to its
 * states in such runs. */
static bool can_part(struct machines *x, uint32_t machine, struct parting *p, bool *less) {
  struct arena *arena = x->q->arena;
  uint32_t threads = x->q->program->thread_count;
  bool before_start = x->q->progress != PROGRESS_HSA;
  struct location_machine m = x->list.data[machine];
  if (p->stopped && before_start) m = machine_run(x, m.place, ~p->stopped);
  struct bitset states = bitset_new(arena, m.count);
  for (uint32_t s = 0; s < m.count; s++) {
    bool fits = true;
    for (uint32_t t = 0; t < threads && fits; t++) {
      uint32_t at = machine_state(&m, s)[t];
      if ((p->going | p->stopped) >> t & 1) fits = bitset_has(p->where[t], at);
      else fits = concrete_state(&x->concrete, t, at)->doing == DOING_END;
    }
    if (fits) bitset_add(states, s);
  }
  machine_keep_rounds(arena, &m, states, p->going);
  *less |= keep_where(x, &m, states, p);
  return !bitset_empty(states);
}

/* True if all machines have such a run, with the same states for each thread that has not ended. */
static bool can_all_part(struct machines *x, struct parting *p) {
  for (bool less = true; less;) {
    less = false;
    for (uint32_t m = 0; m < x->list.len; m++)
      if (!can_part(x, m, p, &less)) return false;
  }
  return true;
}

static struct bitset not_at_end(const struct machines *x, uint32_t thread) {
  struct bitset states = bitset_new(x->q->arena, x->concrete.threads[thread].states.len);
  for (uint32_t s = 0; s < states.n; s++)
    if (concrete_state(&x->concrete, thread, s)->doing != DOING_END) bitset_add(states, s);
  return states;
}

/* True if all machines can part in this way for some choice of a connected set for each thread that goes on. */
static bool can_part_somehow(struct machines *x, struct parting *p, const struct rounds *rounds, struct bitset *where,
                             uint32_t thread, uint32_t *tried) {
  if (thread == x->q->program->thread_count) {
    uint32_t threads = x->q->program->thread_count;
    p->where = ARENA_ARRAY(x->q->arena, struct bitset, threads);
    for (uint32_t t = 0; t < threads; t++) {
      if (p->going >> t & 1) p->where[t] = bitset_copy(x->q->arena, where[t]);
      if (p->stopped >> t & 1) p->where[t] = not_at_end(x, t);
    }
    return ++*tried >= MOST_PARTINGS || can_all_part(x, p) || x->lost;
  }
  if (!(p->going >> thread & 1)) return can_part_somehow(x, p, rounds, where, thread + 1, tried);
  for (uint32_t i = 0; i < rounds[thread].len; i++) {
    where[thread] = rounds[thread].data[i];
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
    if (bitset_has(round, s) && bitset_next(round, 0) == s) VEC_PUSH(x->q->arena, rounds, round);
  }
  return true;
}

bool loops_all_end(const struct looping *q) {
  struct machines x;
  uint32_t threads = q->program->thread_count, tried = 0;
  if (threads > MOST_THREADS || !machines_build(&x, q, false)) return false;
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

/* ---- Outcomes ---- */

/* Final states that every machine has: the end of each thread, and the last value of each location. */
struct final_states {
  struct machines *x;
  value_t *values; /* of the observed observables, while they are filled in */
  uint32_t *held;  /* by place: an index */
  struct outcome_set found;
  uint64_t work;
  enum observation observation; /* of the outcomes so far */
  bool all, same, known;        /* no other outcome; no other observation; every observable belongs to some place */
};

static void see(struct final_states *n) {
  const struct looping *q = n->x->q;
  enum observation now = n->observation;
  bool added;
  if (q->program->filter && !cond_holds(q->program, q->program->filter, n->values)) return;
  outcome_set_add(&n->found, n->values, &added);
  if (added) n->all = false;
  bool positive = cond_holds(q->program, q->program->condition, n->values);
  if (now == OBSERVATION_NONE || positive != (now == OBSERVATION_ALWAYS)) n->same = false;
}

static value_t final_value(struct final_states *n, const struct observable *o, const uint32_t *threads) {
  const struct program *program = n->x->q->program;
  if (o->is_reg) return concrete_value(&n->x->concrete, o->thread, threads[o->thread], o->reg, o->type.width);
  const struct object *object = &program->objects[o->object];
  uint32_t size = type_bytes(o->type), phys = object->phys + o->element * size;
  for (uint32_t p = 0; p < n->x->concrete.places.len; p++) {
    const struct bytes *bytes = &n->x->concrete.places.data[p];
    if (bytes->phys == phys && bytes->size == size) return n->x->held.data[p].list.data[n->held[p]];
    if (bytes->phys < phys + size && phys < bytes->phys + bytes->size) n->known = false;
  }
  return skeleton_init_value(n->x->q->skeleton, phys, size);
}

/* Combines the final states of the machines from `place` on, with these states of the threads, after a choice for each
 * earlier machine. */
static void combine(struct final_states *n, const uint32_t *threads, uint32_t place) {
  const struct program *program = n->x->q->program;
  if (n->found.list.len > 2 * MOST_OUTCOMES || n->work > MOST_WORK || base_is_late(n->x->q->deadline)) n->known = false;
  if (!n->known) return;
  if (place == n->x->list.len) {
    for (uint32_t i = 0; i < program->observed_count; i++)
      n->values[i] = final_value(n, &program->observables[i], threads);
    see(n);
    return;
  }
  const struct location_machine *m = &n->x->list.data[place];
  n->work += m->count;
  for (uint32_t s = 0; s < m->count; s++) {
    const uint32_t *state = machine_state(m, s);
    if (memcmp(state, threads, program->thread_count * sizeof *threads) != 0) continue;
    n->held[place] = machine_held(n->x, m, s, place);
    combine(n, threads, place + 1);
  }
}

static bool has_ended(const struct machines *x, const uint32_t *threads) {
  return EVERY_BELOW(t, x->q->program->thread_count, concrete_state(&x->concrete, t, threads[t])->doing == DOING_END);
}

static void find_ends(struct final_states *n) {
  const struct location_machine *m = &n->x->list.data[0];
  uint32_t cells = m->place == EVERY_PLACE ? n->x->held.len : 1;
  for (uint32_t s = 0; s < m->count; s++) {
    if (!has_ended(n->x, machine_state(m, s))) continue;
    for (uint32_t p = 0; p < cells; p++) n->held[p] = machine_held(n->x, m, s, p);
    combine(n, machine_state(m, s), 1);
  }
}

bool loops_all_outcomes(const struct looping *q, struct result *r) {
  struct machines x;
  if (!machines_build(&x, q, true) || !x.list.len) return false;
  struct final_states n = {.x = &x, .observation = r->observation, .same = true, .known = true};
  n.all = r->complete && r->outcomes.len <= MOST_OUTCOMES;
  n.values = ARENA_ARRAY(q->arena, value_t, q->program->observed_count + 1u);
  n.held = ARENA_ARRAY(q->arena, uint32_t, x.held.len);
  outcome_set_init(&n.found, q->arena, q->program->observed_count);
  bool added;
  for (uint32_t i = 0; n.all && i < r->outcomes.len; i++)
    outcome_set_add(&n.found, outcomes_at(&r->outcomes, i).values, &added);
  find_ends(&n);
  bool some = result_has(r, true) || result_has(r, false); /* an explanation needs an outcome to show */
  if (!n.known || (!n.all && (!n.same || !some))) return false;
  if (!n.all) r->complete = false;
  return true;
}
