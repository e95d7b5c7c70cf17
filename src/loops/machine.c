/* Machines of the threads and one memory cell, for loops of any number of iterations.
 *
 * If the axioms put the accesses to each location into one order that respects program order (in_order.c), then an
 * execution, restricted to one location, is a run of a machine with the threads and this one cell; every other location
 * returns any value that it may hold at some time. Values that no machine returns to a thread are then removed from the
 * other machines, up to a fixpoint. Threads compute with values (exec/concrete.c). If the states are finitely many,
 * every outcome of an execution is an outcome of each machine; and if in some execution given threads run for ever,
 * fairly, each machine has such a run. Treating each location separately is sound under weak models, but loses the
 * order of accesses to two locations. A model with one order of all accesses, such as sc, has one machine with all
 * cells. */
#include "loops/machine.h"

enum {
  MOST_MACHINE_THREADS = 32, /* sets of them are masks */
  MOST_STATES = 50000,       /* the limit for one machine */
  MOST_MOVES = 400000,
  MOST_VALUES = 64, /* the limit for one location */
  MOST_REFINEMENTS = 7,
  MOST_MOVES_AGAIN = 100000 /* the limit for all machines */
};

static uint32_t value_index(struct machines *x, uint32_t place, value_t value) {
  struct held *held = &x->held.data[place];
  for (uint32_t i = 0; i < held->list.len; i++)
    if (held->list.data[i] == value) return i;
  if (held->list.len == MOST_VALUES) x->lost = true;
  VEC_PUSH(x->q->arena, &held->list, value);
  x->grew = true;
  return held->list.len - 1;
}

/* Gives newly found places an initial value. */
static void know_places(struct machines *x) {
  while (x->held.len < x->concrete.places.len) {
    const struct bytes *bytes = &x->concrete.places.data[x->held.len];
    VEC_PUSH(x->q->arena, &x->held, (struct held){{0}});
    value_index(x, x->held.len - 1, skeleton_init_value(x->q->skeleton, bytes->phys, bytes->size));
  }
  x->lost |= x->concrete.lost;
}

static uint32_t intern(struct machines *x, struct location_machine *m, const uint32_t *cells) {
  uint64_t hash = m->width;
  for (uint32_t i = 0; i < m->width; i++) hash = hash_mix(hash, cells[i]);
  HASH_EACH (i, &m->index, (uint32_t)hash)
    if (memcmp(machine_state(m, i), cells, m->width * sizeof *cells) == 0) return i;
  for (uint32_t i = 0; i < m->width; i++) VEC_PUSH(x->q->arena, &m->cells, cells[i]);
  hash_add(x->q->arena, &m->index, (uint32_t)hash, m->count);
  if (m->count == MOST_STATES) x->lost = true;
  return m->count++;
}

static bool is_cell_of(const struct location_machine *m, uint32_t place) {
  return m->place == EVERY_PLACE || m->place == place;
}

/* The index of a place's cell in a state. */
static uint32_t cell_at(const struct machines *x, const struct location_machine *m, uint32_t place) {
  return x->q->program->thread_count + (m->place == EVERY_PLACE ? place : 0);
}

uint32_t machine_held(const struct machines *x, const struct location_machine *m, uint32_t state, uint32_t place) {
  return machine_state(m, state)[cell_at(x, m, place)];
}

static uint64_t *returns_of(struct machines *x, struct returns *by_thread, uint32_t thread, uint32_t state) {
  while (by_thread[thread].len <= state) VEC_PUSH(x->q->arena, &by_thread[thread], 0);
  return &by_thread[thread].data[state];
}

/* Performs the thread's next access, which returns this value. */
static void step(struct machines *x, struct location_machine *m, uint32_t from, uint32_t thread, value_t returned) {
  uint32_t *cells = ARENA_ARRAY(x->q->arena, uint32_t, m->width);
  memcpy(cells, machine_state(m, from), m->width * sizeof *cells);
  const uint32_t place = concrete_state(&x->concrete, thread, cells[thread])->place;
  struct reaction reaction = concrete_react(&x->concrete, thread, cells[thread], returned);
  know_places(x);
  cells[thread] = reaction.next;
  if (reaction.writes && is_cell_of(m, place)) cells[cell_at(x, m, place)] = value_index(x, place, reaction.written);
  uint32_t to = intern(x, m, cells);
  if (m->moves.len == MOST_MOVES) x->lost = true;
  VEC_PUSH(x->q->arena, &m->moves, (struct move){from, to, thread});
}

static void steps(struct machines *x, struct location_machine *m, uint32_t from, uint32_t thread) {
  const uint32_t *cells = machine_state(m, from);
  const struct thread_state *at = concrete_state(&x->concrete, thread, cells[thread]);
  const uint32_t place = at->place;
  if (at->doing == DOING_END) return;
  if (at->doing == DOING_WRITE) {
    step(x, m, from, thread, 0);
  } else if (is_cell_of(m, place)) {
    const uint32_t held = cells[cell_at(x, m, place)];
    *returns_of(x, x->seen, thread, cells[thread]) |= (uint64_t)1 << held % MOST_VALUES;
    step(x, m, from, thread, x->held.data[place].list.data[held]);
  } else {
    uint64_t possible = x->possible ? *returns_of(x, x->possible, thread, cells[thread]) : UINT64_MAX;
    for (uint32_t i = 0; i < x->held.data[place].list.len && !x->lost; i++)
      if (possible >> i % MOST_VALUES & 1) step(x, m, from, thread, x->held.data[place].list.data[i]);
  }
}

/* The states that a machine reaches if only these threads move. */
struct location_machine machine_run(struct machines *x, uint32_t place, uint32_t movable) {
  uint32_t threads = x->q->program->thread_count;
  struct location_machine m = {.place = place, .width = threads + (place == EVERY_PLACE ? x->held.len : 1)};
  intern(x, &m, ARENA_ARRAY(x->q->arena, uint32_t, m.width)); /* START for each thread, and the initial value */
  for (uint32_t s = 0; s < m.count && !x->lost; s++) {
    for (uint32_t t = 0; t < threads; t++)
      if (movable >> t & 1) steps(x, &m, s, t);
    if (base_is_late(x->q->deadline)) x->lost = true;
  }
  return m;
}

static uint64_t build_all(struct machines *x) {
  uint64_t moves = 0;
  x->list.len = 0;
  x->seen = ARENA_ARRAY(x->q->arena, struct returns, x->q->program->thread_count);
  for (uint32_t p = 0; p < x->held.len && !x->lost; p++) {
    VEC_PUSH(x->q->arena, &x->list, machine_run(x, p, UINT32_MAX));
    moves += x->list.data[p].moves.len;
  }
  return moves;
}

/* True if some access returns fewer values than are currently considered possible. */
static bool returns_less(struct machines *x) {
  for (uint32_t t = 0; t < x->q->program->thread_count; t++)
    for (uint32_t s = 0; s < x->concrete.threads[t].states.len; s++) {
      const struct thread_state *state = concrete_state(&x->concrete, t, s);
      if (state->doing == DOING_END || state->doing == DOING_WRITE) continue;
      uint64_t all = UINT64_MAX >> (MOST_VALUES - x->held.data[state->place].list.len);
      if (x->possible) all = *returns_of(x, x->possible, t, s);
      if (*returns_of(x, x->seen, t, s) != all) return true;
    }
  return false;
}

/* A value that an access never returns in its own machine is removed from the others, until nothing changes or a
 * limit is reached. */
static void refine(struct machines *x, uint64_t moves) {
  uint64_t again = 0;
  for (uint32_t i = 0; i < MOST_REFINEMENTS && !x->lost && returns_less(x); i++) {
    if ((again += moves) > MOST_MOVES_AGAIN) return;
    x->possible = x->seen;
    moves = build_all(x);
  }
}

/* Replaces all machines by one, if the model allows this and the machine is not too large. */
static void join(struct machines *x) {
  if (!machines_interleave(x->q->model)) return;
  struct location_machine all = machine_run(x, EVERY_PLACE, UINT32_MAX);
  if (!x->lost) {
    x->list.len = 0;
    VEC_PUSH(x->q->arena, &x->list, all);
  }
  x->lost = false;
}

bool machines_build(struct machines *x, const struct looping *q, bool with_observed) {
  *x = (struct machines){.q = q};
  bool *given_up = &q->given_up[with_observed];
  if (*given_up || q->program->thread_count > MOST_MACHINE_THREADS) return false;
  concrete_init(&x->concrete, q->arena, q->program, &q->skeleton->options.shape, with_observed);
  uint64_t moves;
  do { /* until no location gets a new value */
    x->grew = false;
    know_places(x);
    moves = build_all(x);
  } while (x->grew && !x->lost);
  refine(x, moves);
  *given_up = x->lost;
  if (x->lost || !machines_fit(x)) return false;
  join(x);
  return true;
}

/* ---- Rounds: states that lead to each other (Tarjan's algorithm) ---- */

struct rounds_search {
  const struct location_machine *m;
  struct bitset states, good;
  uint32_t moving;
  uint32_t *next;           /* by state: the first move that was not visited */
  uint32_t *order, *low;    /* by state: its discovery number, or 0; the earliest state to which it leads back */
  uint32_t *round;          /* by state: the last state found in its strongly connected component, or 0 */
  VEC(uint32_t) open, path; /* found states without a component yet; the path to the current state */
  uint32_t found;
};

static void enter(struct arena *arena, struct rounds_search *r, uint32_t state) {
  r->order[state] = r->low[state] = ++r->found;
  VEC_PUSH(arena, &r->open, state);
  VEC_PUSH(arena, &r->path, state);
}

static bool is_inside(const struct rounds_search *r, const struct move *move) {
  return r->moving >> move->thread & 1 && bitset_has(r->states, move->to);
}

/* The states found since this one are its strongly connected component. They are kept if each thread moves in it. */
static void close_round(struct rounds_search *r, uint32_t state) {
  uint32_t first = r->open.len, moved = 0;
  while (r->open.data[--first] != state) r->round[r->open.data[first]] = state + 1;
  r->round[state] = state + 1;
  for (uint32_t i = first; i < r->open.len; i++) {
    uint32_t from = r->open.data[i];
    for (uint32_t k = r->next[from]; k-- > 0 && r->m->moves.data[k].from == from;) {
      const struct move *move = &r->m->moves.data[k];
      if (is_inside(r, move) && r->round[move->to] == state + 1) moved |= 1u << move->thread;
    }
  }
  for (uint32_t i = first; i < r->open.len && moved == r->moving; i++) bitset_add(r->good, r->open.data[i]);
  r->open.len = first;
}

static void search_rounds(struct arena *arena, struct rounds_search *r, uint32_t start) {
  enter(arena, r, start);
  while (r->path.len) {
    uint32_t state = r->path.data[r->path.len - 1], at = r->next[state];
    if (at < r->m->moves.len && r->m->moves.data[at].from == state) {
      uint32_t to = r->m->moves.data[at].to;
      r->next[state]++;
      if (!is_inside(r, &r->m->moves.data[at])) continue;
      if (!r->order[to]) enter(arena, r, to);
      else if (!r->round[to] && r->order[to] < r->low[state]) r->low[state] = r->order[to];
      continue;
    }
    if (r->low[state] == r->order[state]) close_round(r, state);
    if (!--r->path.len) continue;
    uint32_t before = r->path.data[r->path.len - 1];
    if (r->low[state] < r->low[before]) r->low[before] = r->low[state];
  }
}

void machine_keep_rounds(struct arena *arena, const struct location_machine *m, struct bitset states, uint32_t moving) {
  struct rounds_search r = {.m = m, .states = states, .good = bitset_new(arena, m->count), .moving = moving};
  r.next = ARENA_ARRAY(arena, uint32_t, m->count);
  r.order = ARENA_ARRAY(arena, uint32_t, m->count);
  r.low = ARENA_ARRAY(arena, uint32_t, m->count);
  r.round = ARENA_ARRAY(arena, uint32_t, m->count);
  for (uint32_t i = m->moves.len; i-- > 0;) r.next[m->moves.data[i].from] = i;
  EACH (s, states)
    if (!r.order[s]) search_rounds(arena, &r, s);
  bitset_and(states, r.good);
}
