/* Decides if axioms put the accesses to a location into one total order: coherence, with each read after the write that
 * it returns.
 *
 * The check is on pairs of instructions, of one thread in each possible order and of two threads, because a model's
 * relations do not depend on the iteration of an access. The skeleton must have at least two iterations of everything
 * that can repeat, or the answer is no. */
#include "rel/refute.h"
#include "loops/machine.h"

enum { MOST_EVENTS = 160 /* at one location: quadratic, and for reads cubic */ };

/* The events of the accesses to one location. */
struct in_order {
  struct machines *x;
  struct graph graph;
  VEC(uint32_t) writes, reads;
};

static const struct event *event_of(const struct in_order *o, uint32_t e) {
  return skeleton_event(o->graph.skeleton, e);
}

static bool excluded(const struct in_order *o, struct fact a, struct fact b) {
  const uint32_t events[] = {a.a, a.b, b.a, b.b};
  const struct fact list[] = {a, b};
  const struct facts facts = {.graph = &o->graph, .events = events, .event_count = 4, .list = list, .count = 2};
  return refute(&facts) != NO_AXIOM;
}

static struct fact holds(enum cat_builtin relation, uint32_t a, uint32_t b) {
  return (struct fact){relation, a, b, true};
}

static struct fact fails(enum cat_builtin relation, uint32_t a, uint32_t b) {
  return (struct fact){relation, a, b, false};
}

/* True if coherence is total on the writes. */
static bool are_ordered(const struct in_order *o) {
  for (uint32_t i = 0; i < o->writes.len; i++)
    for (uint32_t k = 0; k < i; k++) {
      uint32_t a = o->writes.data[i], b = o->writes.data[k];
      if (event_of(o, a)->thread == NO_THREAD || event_of(o, b)->thread == NO_THREAD) continue; /* first of all */
      if (!excluded(o, fails(CAT_REL_CO, a, b), fails(CAT_REL_CO, b, a))) return false;
    }
  return true;
}

/* True if the read cannot return, or come after, a write that follows it in its thread. */
static bool reads_no_later(const struct in_order *o, uint32_t read, uint32_t write) {
  const struct fact itself = holds(CAT_REL_RF, write, read);
  if (!excluded(o, itself, itself)) return false;
  VEC_VALUES (source, &o->writes) {
    if (source == write || event_of(o, source)->thread == NO_THREAD) continue;
    if (!excluded(o, holds(CAT_REL_RF, source, read), holds(CAT_REL_CO, write, source))) return false;
  }
  return true;
}

/* True if the second read does not return an older write than the first. */
static bool reads_no_older(const struct in_order *o, uint32_t first, uint32_t second) {
  VEC_VALUES (source, &o->writes) {
    if (event_of(o, source)->thread == NO_THREAD) continue;
    if (!excluded(o, holds(CAT_REL_RF, source, first), holds(CAT_REL_FR, second, source))) return false;
  }
  return true;
}

/* True if two events of one thread, of which a is earlier, come in this order. */
static bool respects(const struct in_order *o, uint32_t a, uint32_t b) {
  bool reads = event_of(o, a)->kind == EVENT_READ, then_reads = event_of(o, b)->kind == EVENT_READ;
  if (reads) return then_reads ? reads_no_older(o, a, b) : reads_no_later(o, a, b);
  const struct fact back = holds(then_reads ? CAT_REL_FR : CAT_REL_CO, b, a);
  return excluded(o, back, back);
}

/* True if no write comes between the two halves of an atomic. */
static bool is_whole(const struct in_order *o, uint32_t read) {
  uint32_t write = event_of(o, read)->partner;
  if (write == NO_PARTNER || !reads_no_later(o, read, write)) return false;
  VEC_VALUES (other, &o->writes) {
    if (other == write || event_of(o, other)->thread == NO_THREAD) continue;
    if (!excluded(o, holds(CAT_REL_FR, read, other), holds(CAT_REL_CO, other, write))) return false;
  }
  return true;
}

/* ---- Which instructions can follow which ---- */

/* By instruction of a thread: the instructions that are reachable from it, itself only if it can repeat. */
static struct bitmat following(const struct in_order *o, uint32_t thread) {
  const struct concrete_thread *t = &o->x->concrete.threads[thread];
  struct bitmat next = bitmat_new(o->graph.arena, o->x->q->program->threads[thread].instr_count + 1);
  for (uint32_t s = 0; s < t->states.len; s++)
    for (uint32_t i = 0; i < t->states.data[s].reactions.len; i++)
      bitmat_add(next, t->states.data[s].instr, t->states.data[t->states.data[s].reactions.data[i].next].instr);
  bitmat_closure(next);
  return next;
}

/* The first or the last event of this kind of an instruction; NO_EVENT: none. */
static uint32_t event_at(const struct in_order *o, bool last, enum event_kind kind, uint32_t thread, uint32_t instr) {
  uint32_t found = NO_EVENT;
  for (uint32_t e = 0; e < o->graph.skeleton->first_init; e++) {
    const struct event *event = event_of(o, e);
    bool here = event->kind == kind && event->thread == thread && event->instr == instr;
    if (here && (last || found == NO_EVENT)) found = e;
  }
  return found;
}

/* True if the accesses of two instructions, of which the second is later, come in this order. */
static bool follows_in_order(const struct in_order *o, uint32_t thread, uint32_t a, uint32_t b) {
  static const enum event_kind kinds[] = {EVENT_READ, EVENT_WRITE};
  for (unsigned i = 0; i < 2; i++)
    for (unsigned k = 0; k < 2; k++) {
      uint32_t first = event_at(o, false, kinds[i], thread, a), second = event_at(o, true, kinds[k], thread, b);
      if (first == NO_EVENT || second == NO_EVENT) continue;
      if (first >= second || !respects(o, first, second)) return false;
    }
  return true;
}

static bool is_access_at(const struct in_order *o, uint32_t thread, uint32_t instr, uint32_t place) {
  const struct concrete_thread *t = &o->x->concrete.threads[thread];
  return SOME_BELOW(s, t->states.len,
                    t->states.data[s].instr == instr && t->states.data[s].doing != DOING_END &&
                        t->states.data[s].place == place);
}

static bool has_events(const struct in_order *o, uint32_t thread, uint32_t instr) {
  return event_at(o, false, EVENT_READ, thread, instr) != NO_EVENT ||
         event_at(o, false, EVENT_WRITE, thread, instr) != NO_EVENT;
}

static bool thread_in_order(const struct in_order *o, uint32_t thread, uint32_t place) {
  struct bitmat next = following(o, thread);
  uint32_t count = o->x->q->program->threads[thread].instr_count;
  for (uint32_t a = 0; a < count; a++) {
    if (!is_access_at(o, thread, a, place)) continue;
    if (!has_events(o, thread, a)) return false;
    for (uint32_t b = 0; b < count; b++)
      if (bitmat_has(next, a, b) && is_access_at(o, thread, b, place) && !follows_in_order(o, thread, a, b))
        return false;
  }
  return true;
}

/* ---- All accesses to a place ---- */

static bool is_here(const struct event *e, const struct bytes *bytes) {
  return (e->kind == EVENT_READ || e->kind == EVENT_WRITE) && e->place_count == 1 && e->places[0].phys == bytes->phys &&
         e->size == bytes->size;
}

static bool place_in_order(struct in_order *o, uint32_t place) {
  const struct skeleton *s = o->graph.skeleton;
  const struct bytes *bytes = &o->x->concrete.places.data[place];
  o->writes.len = o->reads.len = 0;
  for (uint32_t e = 0; e < s->n; e++) {
    const struct event *event = event_of(o, e);
    if (!is_here(event, bytes)) continue;
    if (event->kind == EVENT_READ) VEC_PUSH(o->graph.arena, &o->reads, e);
    else VEC_PUSH(o->graph.arena, &o->writes, e);
  }
  if (o->writes.len + o->reads.len > MOST_EVENTS || !are_ordered(o)) return false;
  return !SOME_BELOW(i, o->reads.len, event_of(o, o->reads.data[i])->is_rmw && !is_whole(o, o->reads.data[i])) &&
         EVERY_BELOW(t, s->program->thread_count, thread_in_order(o, t, place));
}

static bool has_all_of(const struct model *model, cat_node node, enum cat_builtin set) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (x->op == CAT_UNION) return has_all_of(model, x->a, set) || has_all_of(model, x->b, set);
  return model_is_builtin(model, node, set) || model_is_builtin(model, node, CAT_SET_MEM) || model_is_all(model, node);
}

/* True if a condition on pairs holds for every pair of a read and a write. */
static bool lets_through(const struct model *model, cat_node node) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (x->op == CAT_UNION) return lets_through(model, x->a) || lets_through(model, x->b);
  return x->op == CAT_PRODUCT && has_all_of(model, x->a, CAT_SET_READ) && has_all_of(model, x->b, CAT_SET_WRITE);
}

enum portion { READS_TO_WRITES, BETWEEN_THREADS };

/* True if a union shows that a relation has this part of a predefined one: of po or of rf. */
static bool includes_part(const struct model *model, cat_node node, enum cat_builtin builtin, enum portion part) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (x->op == CAT_PLUS) return includes_part(model, x->a, builtin, part);
  if (x->op == CAT_UNION) return includes_part(model, x->a, builtin, part) || includes_part(model, x->b, builtin, part);
  if (x->op != CAT_INTER) return model_is_builtin(model, node, builtin);
  cat_node limit = model_is_builtin(model, x->a, builtin) ? x->b : x->a;
  if (!model_is_builtin(model, x->a, builtin) && !model_is_builtin(model, x->b, builtin)) return false;
  return part == READS_TO_WRITES ? lets_through(model, limit) : model_is_builtin(model, limit, CAT_REL_EXT);
}

/* True if some axiom excludes cycles of reads-from and dependencies, so that no value depends on itself. An axiom that
 * omits reads-from within a thread, which goes forward in program order (respects), must include program order from
 * reads to writes. */
static bool has_grounds(const struct model *model) {
  static const enum cat_builtin kinds[] = {CAT_REL_ADDR, CAT_REL_DATA, CAT_REL_CTRL};
  VEC_EACH (axiom, &model->axioms) {
    if (axiom->role != CAT_AXIOM || axiom->negated || axiom->test != CAT_ACYCLIC) continue;
    bool po = includes_part(model, axiom->node, CAT_REL_PO, READS_TO_WRITES), dependencies = true;
    for (unsigned k = 0; k < ARRAY_LEN(kinds); k++) dependencies &= model_includes(model, axiom->node, kinds[k]);
    if (po && includes_part(model, axiom->node, CAT_REL_RF, BETWEEN_THREADS)) return true;
    if (dependencies && model_includes(model, axiom->node, CAT_REL_RF)) return true;
  }
  return false;
}

bool machines_interleave(const struct model *model) {
  static const enum cat_builtin kinds[] = {CAT_REL_PO, CAT_REL_RF, CAT_REL_CO, CAT_REL_FR};
  VEC_EACH (axiom, &model->axioms) {
    bool all = axiom->role == CAT_AXIOM && !axiom->negated && axiom->test == CAT_ACYCLIC &&
               EVERY_BELOW(k, ARRAY_LEN(kinds), model_includes(model, axiom->node, kinds[k]));
    if (all) return true;
  }
  return false;
}

bool loops_are_defined(const struct graph *graph) {
  const bool *hollow = graph_hollow(graph);
  return !SOME_BELOW(i, graph->model->axioms.len,
                     graph->model->axioms.data[i].role == CAT_UNDEFINED && !hollow[graph->model->axioms.data[i].node]);
}

bool machines_fit(struct machines *x) {
  const struct looping *q = x->q;
  if (!has_grounds(q->model)) return false;
  const struct skeleton_options options = {.shape = q->skeleton->options.shape, .keeps_spins = true};
  struct skeleton *s = skeleton_build(q->arena, q->program, &options);
  if (s->refusal) return false;
  struct in_order o = {.x = x};
  graph_init(&o.graph, q->arena, q->model, s);
  return loops_are_defined(&o.graph) && EVERY_BELOW(p, x->held.len, place_in_order(&o, p));
}
