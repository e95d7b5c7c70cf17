/* Loops with iterations past the bound.
 *
 * The search covers parts of executions with more iterations (struct further): for each loop that may reach the bound,
 * the first iteration, the last one, and those between them that write a final value or one that a read of the part
 * returns. The iterations between have no read events: a read there may return any value that it returns in some
 * execution. These values come from a fixed point, or from the machines of machine.c. A value that no event, branch or
 * observation depends on is 0 there, without dependencies, which no axiom can notice.
 *
 * An execution reduced to such a part keeps the writes that its reads return. Each relation among the remaining events
 * is as before, or smaller if it came from a removed read (rmw, dependencies). If omissions violate no axiom
 * (model_survives_omissions), the part is therefore allowed if the whole is, and it ends as the whole does. So each
 * outcome of an execution is an outcome of a part. The converse does not hold: if a part has a new outcome, the verdict
 * is unknown. It is also unknown if an iteration changes a register that a later one reads, if loops are nested or
 * contain barriers, or if something could be undefined.
 *
 * Cutting an iteration out entirely is unsound: a read from it would then read from before it, and No-Thin-Air or
 * synchronization may gain a path, for example past an atomic that wrote back the value that it read. */
#include "loops/machine.h"
#include "search/solver.h"

enum {
  MOST_BETWEEN = 32,  /* between the first and the last one, of all loops */
  MOST_WRITES = 48, /* to one chunk: coherence takes the cube of that */
  MOST_OUTCOMES = 4096,
  MOST_ROUNDS = 8, /* in which reads gain values */
  EFFORT = 200000  /* conflicts for each question */
};

/* The loops of a test that may reach the bound. */
struct loops {
  struct search *q;
  struct loop_range {
    uint32_t thread, begin, end; /* instructions [begin, end) */
  } * list;
  uint32_t count;
  struct further further;
  enum { NOT_ASKED, UNKNOWN, KNOWN } values; /* the values of reads, from machines */
  struct machines machines;
};

/* The loop to which a back edge belongs. False if loops nest, or if the loop has another entry. */
static bool find_range(const struct loop_list *all, struct loop_range *r) {
  const struct loop *own = &all->data[loops_common(all, r->begin, r->end - 1)];
  VEC_EACH (other, all)
    if (other != own && other->begin < own->end && own->begin < other->end) return false;
  *r = (struct loop_range){r->thread, own->begin, own->end};
  return !own->irregular;
}

static bool add_loop(struct loops *l, const struct ending *ending) {
  const struct thread *thread = &l->q->program->threads[ending->thread];
  const struct flow flow = thread_flow(l->q->arena, thread);
  const struct loop_list all = flow_loops(l->q->arena, &flow);
  uint32_t at = 0;
  while (at < flow.count && (flow.next[at][1] > at || thread->instrs[at].span.begin != ending->span.begin)) at++;
  if (at == flow.count) return false; /* iterations that src/kernel has unrolled */
  struct loop_range range = {.thread = ending->thread, .begin = thread->instrs[at].target, .end = at + 1};
  if (!find_range(&all, &range)) return false;
  for (uint32_t i = 0; i < l->count; i++)
    if (l->list[i].thread == range.thread && l->list[i].begin == range.begin) return true;
  l->list[l->count++] = range;
  return true;
}

static bool find_loops(struct loops *l) {
  const struct skeleton *s = l->q->skeleton;
  l->list = ARENA_ARRAY(l->q->arena, struct loop_range, s->ends.len);
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (s->ends.data[i].kind == ENDING_BOUND && s->ends.data[i].when != TERM_FALSE && !add_loop(l, &s->ends.data[i]))
      return false;
  return l->count > 0;
}

/* ---- The values of reads ---- */

static bool add_value(struct loops *l, struct value_set *set, value_t value) {
  for (uint32_t k = 0; k < set->count; k++)
    if (set->values[k] == value) return false;
  value_t *more = ARENA_ARRAY(l->q->arena, value_t, set->count + 1u);
  for (uint32_t k = 0; k < set->count; k++) more[k] = set->values[k];
  more[set->count] = value;
  *set = (struct value_set){.values = more, .count = set->count + 1u};
  return true;
}

/* If the skeleton does not limit a read's values, for example because an atomic passes on the value that it read, takes
 * them from the machines, which know those that decide branches: only these must fit. True if the set grew. */
static bool add_values_of_machines(struct loops *l, const struct event *read, struct value_set *set) {
  if (l->values == NOT_ASKED) {
    const struct looping *looping = search_looping(l->q);
    l->values = looping && machines_build(&l->machines, looping, false) ? KNOWN : UNKNOWN;
  }
  const struct concrete_thread *t = &l->machines.concrete.threads[read->thread];
  bool known = false, gained = false;
  for (uint32_t s = 0; l->values == KNOWN && s < t->states.len; s++) {
    const struct thread_state *state = &t->states.data[s];
    if (state->doing == DOING_END || state->instr != read->instr) continue;
    known = true;
    for (uint32_t i = 0; i < state->reactions.len; i++) gained |= add_value(l, set, state->reactions.data[i].returned);
  }
  set->top = !known;
  return gained || !known;
}

/* Adds to the values of each read those that it may return in this skeleton. True if no value was new. */
static bool settle_values(struct loops *l, const struct skeleton *s) {
  bool settled = true;
  EACH_THREAD_EVENT (e, event, s) {
    if (event->kind != EVENT_READ) continue;
    struct value_set *set = &l->further.reads[event->thread][event->instr * MAX_VECTOR + event->element];
    const struct value_set *now = &s->value_sets[event->value];
    if (now->top && !set->top && add_values_of_machines(l, event, set)) settled = false;
    for (uint32_t i = 0; i < now->count && !now->top && !set->top; i++) settled &= !add_value(l, set, now->values[i]);
  }
  return settled;
}

static bool writes_in(const struct skeleton *s, const struct loop_range *r, uint32_t chunk) {
  EACH (w, s->writers[chunk]) {
    const struct event *event = skeleton_event(s, w);
    if (event->thread == r->thread && event->instr >= r->begin && event->instr < r->end) return true;
  }
  return false;
}

/* The number of iterations of the loop that may be needed: one for each read from the loop, and for each final
 * value. */
static uint32_t between_of(const struct loops *l, const struct skeleton *s, const struct loop_range *r) {
  const struct slots slots = slots_build(l->q->arena, s);
  uint32_t between = COUNT(for (uint32_t i = 0; i < slots.count; i++), writes_in(s, r, slots.list[i].chunk));
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    for (uint32_t c = s->finals[i].chunk_begin; !s->finals[i].is_term && c < s->finals[i].chunk_end; c++)
      between += writes_in(s, r, c);
  return between;
}

/* Sets the number of iterations between the first and the last, by loop. False: there are too many. */
static bool count_between(struct loops *l, const struct skeleton *s) {
  uint32_t all = 0;
  for (uint32_t i = 0; i < l->count; i++) {
    uint32_t between = between_of(l, s, &l->list[i]);
    all += between;
    l->further.between[l->list[i].thread][l->list[i].end - 1] = between ? between : 1;
  }
  return all <= MOST_BETWEEN;
}

/* True if all events are reads, writes, fences and barriers whose use cannot be undefined, and the last iteration of
 * every loop has an end. An iteration between has no barrier (walk_operate), so parts have all barriers. */
static bool has_only_basic_events(const struct skeleton *s) {
  for (uint32_t e = 0; e < s->first_init; e++) {
    switch (skeleton_event(s, e)->kind) {
      case EVENT_READ:
      case EVENT_WRITE:
      case EVENT_FENCE:
      case EVENT_PROXY_FENCE:
      case EVENT_ARRIVE:
      case EVENT_WAIT: break;
      case EVENT_SIGNAL:
      case EVENT_TEST:
      case EVENT_ISSUE:
      case EVENT_GRID:
      case EVENT_EXIT:
      case EVENT_GROUP: return false;
    }
  }
  return !s->hazards.len;
}

static const struct skeleton *build(struct loops *l) {
  const struct skeleton_options options = {.shape = l->q->skeleton->options.shape, .further = &l->further};
  const struct skeleton *s = skeleton_build(l->q->arena, l->q->program, &options);
  return s->refusal || !has_only_basic_events(s) ? NULL : s;
}

/* The skeleton of these parts, or NULL. While reads still gain values, one iteration between the first and the last is
 * enough. */
static const struct skeleton *parts(struct loops *l) {
  struct search *q = l->q;
  const struct program *p = q->program;
  l->further.matters = skeleton_relevant(q->skeleton, MATTERS_OBSERVED | MATTERS_TO_EVENTS);
  l->further.between = ARENA_ARRAY(q->arena, uint32_t *, p->thread_count);
  l->further.reads = ARENA_ARRAY(q->arena, struct value_set *, p->thread_count);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    l->further.between[t] = ARENA_ARRAY(q->arena, uint32_t, p->threads[t].instr_count);
    l->further.reads[t] = ARENA_ARRAY(q->arena, struct value_set, p->threads[t].instr_count * MAX_VECTOR);
  }
  for (uint32_t i = 0; i < l->count; i++) l->further.between[l->list[i].thread][l->list[i].end - 1] = 1;
  settle_values(l, q->skeleton);
  const struct skeleton *s = build(l);
  for (uint32_t i = 0; s && !settle_values(l, s); i++) s = i < MOST_ROUNDS ? build(l) : NULL;
  if (!s || !count_between(l, s)) return NULL;
  s = build(l);
  bool small = s && settle_values(l, s) && !SOME_BELOW(c, s->chunk_count, bitset_count(s->writers[c]) > MOST_WRITES);
  return small ? s : NULL;
}

static bool is_excluded(struct sat_search *g, lit goal) {
  sat_effort(g->ask.sat, EFFORT);
  return ask_solve(&g->ask, g->filter, goal, NULL) == SAT_NO;
}

/* True if no part has a new outcome. */
static bool no_other_outcome(struct sat_search *g) {
  const struct result *r = g->q->result;
  if (!r->complete || r->outcomes.len > MOST_OUTCOMES) return false;
  lit others = sat_variable(g->ask.sat);
  for (uint32_t i = 0; i < r->outcomes.len; i++)
    ask_exclude_state(&g->ask, outcomes_at(&r->outcomes, i).values, others);
  return is_excluded(g, others);
}

/* True if no part changes the observation. */
static bool same_observation(struct sat_search *g) {
  enum observation now = g->q->result->observation;
  if (now == OBSERVATION_NONE) return is_excluded(g, LIT_TRUE);
  return is_excluded(g, now == OBSERVATION_ALWAYS ? -g->condition : g->condition);
}

static bool ask_parts(struct search *q, const struct skeleton *s) {
  struct sat_search g;
  if (!solver_open(&g, q, s)) return false;
  bool defined = loops_are_defined(&g.ask.encoder.graph), all = defined && no_other_outcome(&g);
  bool same = all || (defined && same_observation(&g));
  if (same) solver_claim(&g, all ? "more iterations: no other outcome" : "more iterations: no other observation");
  if (!all) q->result->complete = false;
  solver_close(&g);
  return same;
}

bool search_further(struct search *q) {
  struct loops l = {.q = q};
  bool basic = has_only_basic_events(q->skeleton);
  bool applies = search_does(q, TECHNIQUE_FURTHER) && q->options->engine == ENGINE_SAT &&
                 !q->options->count_executions && basic && q->skeleton->options.shape.unroll > 1 &&
                 model_survives_omissions(q->arena, q->model) && find_loops(&l);
  const struct skeleton *s = applies ? parts(&l) : NULL;
  return s && ask_parts(q, s);
}

const struct looping *search_looping(struct search *q) {
  const struct check_options *options = q->options;
  if (options->engine != ENGINE_SAT || options->certify || options->count_executions) return NULL;
  if (!search_does(q, TECHNIQUE_MACHINES)) return NULL;
  struct looping *looping = ARENA_NEW(q->arena, struct looping);
  *looping = (struct looping){.arena = q->arena,
                              .program = q->program,
                              .model = q->model,
                              .skeleton = q->skeleton,
                              .progress = options->progress,
                              .deadline = q->deadline,
                              .given_up = q->deeper->no_machines};
  return looping;
}
