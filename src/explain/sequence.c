/* Explains why a test is not sequential (docs/semantics.md, K18): an execution with a cycle of accesses that no
 * interleaving has, and the steps of the cycle that the model does not order. */

#include "explain/story.h"

/* The writes of the atomics of a cycle: a step from or to one may lead through its other half. */
struct tour {
  struct story *s;
  const struct execution *x;
  struct steps {
    VEC(struct cycle_step) list;
  } *steps;
};

static uint32_t write_of(const struct tour *t, uint32_t node) {
  const struct event *e = execution_event(t->x, node);
  return e->is_rmw && e->kind == EVENT_READ && bitset_has(t->x->exec, e->partner) ? e->partner : node;
}

static void go(struct tour *t, const char *relation, uint32_t from, uint32_t to) {
  VEC_PUSH(t->s->arena, &t->steps->list, ((struct cycle_step){relation, from, to}));
}

/* The write from which a read takes its value, with `before` before it in coherence or equal to it. */
static uint32_t source_of(const struct tour *t, uint32_t before, uint32_t read) {
  if (bitmat_has(t->x->rf, before, read)) return before;
  for (uint32_t w = 0; w < t->x->skeleton->first_init; w++)
    if (bitmat_has(t->x->rf, w, read) && bitmat_has(t->x->co, before, w)) return w;
  return before;
}

/* Adds the step from node a, of which the tour is at event `at`, to node b; returns the event of b. */
static uint32_t step_on(struct tour *t, uint32_t at, enum sequence_link link, uint32_t a, uint32_t b) {
  bool writes = link == SEQUENCE_CO || link == SEQUENCE_RF;
  uint32_t from = writes ? write_of(t, a) : link == SEQUENCE_FR ? a : at, to = b;
  if (from != at) go(t, builtin_name(CAT_REL_PO), at, from);
  switch (link) {
    case SEQUENCE_PO: go(t, builtin_name(CAT_REL_PO), from, to); break;
    case SEQUENCE_WAIT: go(t, history_step(t->x, from, to), from, to); break;
    case SEQUENCE_RF: {
      uint32_t source = source_of(t, from, to);
      if (source != from) go(t, builtin_name(CAT_REL_CO), from, source);
      go(t, builtin_name(CAT_REL_RF), source, to);
      break;
    }
    case SEQUENCE_CO: go(t, builtin_name(CAT_REL_CO), from, to = write_of(t, b)); break;
    case SEQUENCE_FR: go(t, builtin_name(CAT_REL_FR), from, to = write_of(t, b)); break;
  }
  return to;
}

/* Begins at a node that the cycle enters and leaves by the same event, if there is one. */
static void walk_round(struct tour *t, const struct sequence_cycle *cycle) {
  uint32_t count = cycle->len, first = 0;
  for (uint32_t i = 0; i < count; i++)
    if (write_of(t, cycle->data[i].event) == cycle->data[i].event) first = i;
  uint32_t at = cycle->data[first].event, begin = at;
  for (uint32_t i = 0; i < count; i++) {
    const struct sequence_step *step = &cycle->data[(first + i) % count];
    at = step_on(t, at, step->link, step->event, cycle->data[(first + i + 1) % count].event);
  }
  if (at != begin) go(t, builtin_name(CAT_REL_RMW), at, begin);
}

void sequence_tell(struct story *s) {
  struct ask *ask = s->ask;
  struct sequence_cycle cycle;
  lit weak = encoder_out_of_turn(&ask->encoder);
  encoder_define_pairs(&ask->encoder);
  if (ask_find(ask, weak, LIT_TRUE, NULL) != SAT_YES || ask->status != RUN_OK) {
    s->out->incomplete = "no execution that shows it was found in time";
    return;
  }
  if (!sequence_find(s->arena, ask->execution, NULL, &cycle)) BUG("an execution without the cycle that was chosen");
  struct steps steps = {0};
  struct tour tour = {s, ask->execution, &steps};
  walk_round(&tour, &cycle);
  s->out->execution = ask->execution;
  story_cycle(s, steps.list.data, steps.list.len);
}
