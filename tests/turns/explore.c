/* All states that turns lead to, and the strongly connected components of the graph that they make: an execution that
 * does not end stays in one for ever, and every thread that its scheduler keeps going takes turns in it. */
#include <stdlib.h>
#include <string.h>

#include "turns.h"

enum { VALUE_BITS = 2, PLACE_BITS = 3, MOST_STATES = 20000, SLOTS = 1 << 16 };
enum {
  REGISTERS_AT = LOCATIONS * VALUE_BITS,
  PLACES_AT = REGISTERS_AT + MOST_THREADS * MOST_STEPS * VALUE_BITS,
  BEGUN_AT = PLACES_AT + MOST_THREADS * PLACE_BITS
};
_Static_assert(BEGUN_AT + MOST_THREADS <= 64 && MOST_STEPS < 1 << PLACE_BITS && VALUES <= 1 << VALUE_BITS, "a state");

static uint8_t field(state s, unsigned at, unsigned bits) { return (uint8_t)(s >> at & ((1u << bits) - 1)); }

static state with_field(state s, unsigned at, unsigned bits, uint8_t value) {
  state mask = (((state)1 << bits) - 1) << at;
  return (s & ~mask) | (state)value << at;
}

static unsigned register_at(unsigned thread, unsigned step) {
  return REGISTERS_AT + (thread * MOST_STEPS + step) * VALUE_BITS;
}

uint8_t location_of(state s, unsigned location) { return field(s, location * VALUE_BITS, VALUE_BITS); }
uint8_t register_of(state s, unsigned thread, unsigned step) { return field(s, register_at(thread, step), VALUE_BITS); }

static unsigned place_of(state s, unsigned thread) { return field(s, PLACES_AT + thread * PLACE_BITS, PLACE_BITS); }
static bool has_begun(state s, unsigned thread) { return field(s, BEGUN_AT + thread, 1); }
static bool has_ended(const struct program *p, state s, unsigned thread) {
  return place_of(s, thread) == p->steps[thread];
}

static bool meets(const struct step *step) { return step->operation == BARRIER || step->operation == VOTE; }

static bool is_at_barrier(const struct program *p, state s, unsigned thread) {
  return !has_ended(p, s, thread) && meets(&p->step[thread][place_of(s, thread)]);
}

/* The thread has performed its instruction: it branches, or goes on. */
static state leave(const struct program *p, state s, unsigned thread) {
  unsigned place = place_of(s, thread);
  const struct step *step = &p->step[thread][place];
  bool taken = step->branches && (register_of(s, thread, step->tested) == step->with) == step->when_equal;
  s = with_field(s, PLACES_AT + thread * PLACE_BITS, PLACE_BITS, taken ? step->target : (uint8_t)(place + 1));
  return with_field(s, BEGUN_AT + thread, 1, 1);
}

static bool all_agree(const struct program *p, state s) {
  bool all = true;
  for (unsigned t = 0; t < p->threads; t++) {
    if (has_ended(p, s, t)) continue;
    const struct step *step = &p->step[t][place_of(s, t)];
    all &= register_of(s, t, step->asked) == step->compared;
  }
  return all;
}

static bool all_have_come(const struct program *p, state s) {
  for (unsigned t = 0; t < p->threads; t++)
    if (!has_ended(p, s, t) && !is_at_barrier(p, s, t)) return false;
  return true;
}

/* All have come to the barrier, and leave it: a turn of any of them. A vote may lead back to the same state. */
static state meet(const struct program *p, state s) {
  state after = s;
  for (unsigned t = 0; t < p->threads; t++) {
    if (has_ended(p, s, t)) continue;
    unsigned place = place_of(s, t);
    if (p->step[t][place].operation == VOTE)
      after = with_field(after, register_at(t, place), VALUE_BITS, all_agree(p, s));
    after = leave(p, after, t);
  }
  return after;
}

static state turn(const struct program *p, state s, unsigned thread) {
  unsigned place = place_of(s, thread);
  const struct step *step = &p->step[thread][place];
  if (meets(step)) return meet(p, s);
  uint8_t held = location_of(s, step->location);
  uint8_t written = step->written.is_register ? register_of(s, thread, step->written.value) : step->written.value;
  if (step->operation == INCREMENT) written = (uint8_t)((held + 1) % VALUES);
  bool writes = step->operation != LOAD && (step->operation != COMPARE_AND_SWAP || held == step->compared);
  if (writes) s = with_field(s, step->location * VALUE_BITS, VALUE_BITS, written);
  if (step->operation != STORE) s = with_field(s, register_at(thread, place), VALUE_BITS, held);
  return leave(p, s, thread);
}

struct node {
  state state;
  uint32_t next[MOST_THREADS]; /* by a turn of each thread; NONE where it has ended or waits */
  uint32_t found, low;         /* Tarjan's numbers; found 0: not yet */
  bool open;                   /* its component is not complete */
};

enum { NONE = UINT32_MAX };

struct graph {
  const struct program *program;
  struct node nodes[MOST_STATES];
  uint32_t count, found, depth;
  uint32_t slots[SLOTS]; /* number of a node + 1, by its state */
  uint32_t stack[MOST_STATES];
  struct answers *answers;
};

/* The node of a state, made where it is new; NONE when there are too many. */
static uint32_t node_of(struct graph *g, state s) {
  uint32_t slot = (uint32_t)((s * 0x9e3779b97f4a7c15u) >> 48);
  while (g->slots[slot] && g->nodes[g->slots[slot] - 1].state != s) slot = (slot + 1) % SLOTS;
  if (!g->slots[slot]) {
    if (g->count == MOST_STATES) return NONE;
    g->nodes[g->count].state = s;
    g->slots[slot] = ++g->count;
  }
  return g->slots[slot] - 1;
}

static bool expand(struct graph *g) {
  node_of(g, 0);
  for (uint32_t n = 0; n < g->count; n++)
    for (unsigned t = 0; t < g->program->threads; t++) {
      state s = g->nodes[n].state;
      bool stays = has_ended(g->program, s, t) || (is_at_barrier(g->program, s, t) && !all_have_come(g->program, s));
      g->nodes[n].next[t] = stays ? NONE : node_of(g, turn(g->program, s, t));
      if (!stays && g->nodes[n].next[t] == NONE) return false;
    }
  return true;
}

/* True if a scheduler must keep going a thread that has not ended. */
static bool must_go_on(const struct program *p, state s, enum scheduler scheduler, unsigned thread) {
  unsigned lowest = 0, highest_begun = 0;
  bool begun = false;
  while (has_ended(p, s, lowest)) lowest++;
  for (unsigned t = 0; t < p->threads; t++)
    if (has_begun(s, t)) highest_begun = t, begun = true;
  switch (scheduler) {
    case FAIR: return true;
    case HSA: return thread == lowest;
    case OBE: return has_begun(s, thread);
    case LOBE: return begun && thread <= highest_begun;
    case SCHEDULERS: break;
  }
  abort();
}

/* A complete component: the nodes from `first` on the stack on. In all its states the same threads have begun and
 * ended. A thread that waits at the barrier in one of them and never moves waits there in all. */
static void judge_component(struct graph *g, uint32_t first) {
  bool moves[MOST_THREADS] = {false}, any = false;
  for (uint32_t i = first; i < g->depth; i++)
    for (unsigned t = 0; t < g->program->threads; t++) {
      uint32_t next = g->nodes[g->stack[i]].next[t];
      if (next == NONE || !g->nodes[next].open || g->nodes[next].found < g->nodes[g->stack[first]].found) continue;
      moves[t] = any = true;
    }
  if (!any) return;
  state s = g->nodes[g->stack[first]].state;
  for (enum scheduler scheduler = 0; scheduler < SCHEDULERS; scheduler++) {
    bool fair = true;
    for (unsigned t = 0; t < g->program->threads; t++)
      if (!has_ended(g->program, s, t) && !is_at_barrier(g->program, s, t) &&
          must_go_on(g->program, s, scheduler, t) && !moves[t])
        fair = false;
    if (fair) g->answers->hangs[scheduler] = true;
  }
}

static void visit(struct graph *g, uint32_t n) {
  struct node *node = &g->nodes[n];
  uint32_t first = g->depth;
  node->found = node->low = ++g->found;
  node->open = true;
  g->stack[g->depth++] = n;
  for (unsigned t = 0; t < g->program->threads; t++) {
    if (node->next[t] == NONE) continue;
    struct node *next = &g->nodes[node->next[t]];
    if (!next->found) visit(g, node->next[t]);
    if (next->open && next->low < node->low) node->low = next->low;
  }
  if (node->low < node->found) return;
  judge_component(g, first);
  while (g->depth > first) g->nodes[g->stack[--g->depth]].open = false;
}

static bool collect_ends(struct graph *g) {
  state *ends = malloc(g->count * sizeof *ends);
  g->answers->ends = ends;
  for (uint32_t n = 0; ends && n < g->count; n++) {
    bool ended = true;
    for (unsigned t = 0; t < g->program->threads; t++) ended &= has_ended(g->program, g->nodes[n].state, t);
    if (ended) ends[g->answers->count++] = g->nodes[n].state;
  }
  return ends;
}

bool take_turns(const struct program *program, struct answers *answers) {
  struct graph *g = calloc(1, sizeof *g);
  memset(answers, 0, sizeof *answers);
  if (!g) return false;
  g->program = program;
  g->answers = answers;
  bool all = expand(g);
  if (all) visit(g, 0);
  all = all && collect_ends(g);
  free(g);
  return all;
}
