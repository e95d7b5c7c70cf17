#include "oracle/oracle.h"

#include "oracle/paths.h"
#include "rel/eval.h"

/* Two events that an execution may order. */
struct open_pair {
  uint32_t a, b;
};

enum way { NO_WAY, ONE_WAY, OTHER_WAY };

/* Pairs to orient, and the current orientation of each. */
struct orientation {
  VEC(struct open_pair) pairs;
  VEC(enum way) ways;
};

/* A coherence order found valid, kept while the minimal orders for one rf and sc are sought. */
struct kept_execution {
  struct bitmat co;
  VEC(value_t *) states;
};

/* The search is a nest of choices: the sources of all reads, then coherence, then the order of the fences. After each
 * level, the axioms that depend on no later choice are evaluated, so that most candidates are rejected early. */
struct enumeration {
  struct arena *arena, *scratch;
  const struct model *model;
  const struct skeleton *s;
  const uint32_t *const
      *origins; /* by thread: for each instruction of the path, its index in the program; NULL: the same */
  const struct sequence_turns *turns; /* of the path; NULL: those of the skeleton */
  const struct oracle_options *options;
  struct oracle *out;
  struct slots slots;
  struct execution *x;
  struct eval *eval;
  struct orientation writes, fences;
  uint32_t *next_source, *learned; /* for choose_sources */
  VEC(struct kept_execution) kept;
  enum oracle_hang hang; /* the kind that is being shown */
  uint64_t choices;      /* so far; the clock is read at every 256th */
  bool judging;          /* false while only reachability without axioms matters */
};

static bool stopped(struct enumeration *q) {
  const uint64_t most = q->options->most_choices;
  if ((q->choices++ & 255) == 0 && base_is_late(q->options->deadline)) q->out->out_of_time = true;
  if (most && q->choices > most) q->out->out_of_time = true;
  return q->out->out_of_time;
}

/* True if all axioms hold that depend only on `known` parts and on at least one `fresh` part, or on no part at all. */
static bool axioms_hold(struct enumeration *q, unsigned known, unsigned fresh) {
  for (uint32_t i = 0; i < q->model->axioms.len; i++) {
    unsigned parts = eval_axiom_parts(q->eval, i);
    bool due = (parts & ~known) == 0 && ((parts & fresh) != 0 || (parts == 0 && (fresh & PART_RF)));
    if (q->model->axioms.data[i].role == CAT_AXIOM && due && !eval_axiom(q->eval, i)) return false;
  }
  return true;
}

/* ---- A complete candidate ---- */

static bool satisfies(const struct enumeration *q, const value_t *values) {
  const struct program *p = q->s->program;
  return (!p->filter || cond_holds(p, p->filter, values)) && cond_holds(p, p->condition, values);
}

static void add_state(void *context, const value_t *values) {
  struct enumeration *q = context;
  bool added;
  outcome_set_add(&q->out->outcomes, values, &added);
}

static void note_reached(void *context, const value_t *values) {
  struct enumeration *q = context;
  if (satisfies(q, values)) q->out->reached = true;
}

static void keep_state(void *context, const value_t *values) {
  struct enumeration *q = context;
  struct kept_execution *kept = &q->kept.data[q->kept.len - 1];
  uint32_t width = q->s->program->observed_count;
  value_t *copy = ARENA_ARRAY(q->arena, value_t, width);
  for (uint32_t i = 0; i < width; i++) copy[i] = values[i];
  VEC_PUSH(q->arena, &kept->states, copy);
}

static void visit_states(struct enumeration *q, visit_state *visit) {
  states_visit(q->scratch, q->x, visit, q);
  arena_release(q->scratch);
}

/* Records the flags that hold and the undefined_unless clauses that fail, with the pairs that show it. */
static void note_raised(struct enumeration *q) {
  for (uint32_t i = 0; i < q->model->axioms.len; i++) {
    const struct cat_axiom *axiom = &q->model->axioms.data[i];
    if (axiom->role == CAT_AXIOM || (axiom->role == CAT_FLAG && !q->options->flags)) continue;
    if (eval_axiom(q->eval, i) != (axiom->role == CAT_FLAG)) continue;
    q->out->is_raised[i] = true;
    if (axiom->test != CAT_IS_EMPTY || q->model->nodes.data[axiom->node].is_set) continue;
    raised_add(q->arena, &q->out->raised[i], q->s, eval_relation(q->eval, axiom->node), q->origins);
  }
}

static void note_hazard(struct enumeration *q, const struct hazard *hazard) {
  const struct hazard **first = hazard->reason->kind == REASON_OPEN ? &q->out->open
                                : hazard->reason->id == REASON_TRAP ? &q->out->trap
                                                                    : &q->out->hazard;
  if (*first) return;
  struct hazard *own = ARENA_COPY(q->arena, hazard);
  if (q->origins) own->instr = q->origins[own->thread][own->instr];
  *first = own;
}

/* Records the hazards of the execution. True if there are any. */
static bool note_hazards(struct enumeration *q) {
  bool any = false;
  for (uint32_t i = 0; i < q->s->hazards.len; i++)
    if (q->x->terms[q->s->hazards.data[i].when]) note_hazard(q, &q->s->hazards.data[i]), any = true;
  return any;
}

/* True if the thread of a precise candidate halts; with `halted` false, if it fails to end in another way. */
static bool ends_by(const struct enumeration *q, uint32_t thread, bool halted) {
  return SOME(VEC_EACH (e, &q->s->ends),
              e->thread == thread && (e->kind == ENDING_HALTED) == halted && q->x->terms[e->when]);
}

/* True if the scheduler may never run the halting threads again. */
static bool may_halt(const struct enumeration *q, bool some_spin) {
  const struct program *p = q->s->program;
  for (uint32_t t = 0; t < p->thread_count; t++) {
    if (!ends_by(q, t, true)) continue;
    bool lower_unfinished = false;
    for (uint32_t u = 0; u < p->thread_count; u++) {
      bool lower = p->threads[u].number < p->threads[t].number, halted = ends_by(q, u, true);
      if (lower && (halted || ends_by(q, u, false))) lower_unfinished = true;
      if (q->options->begun_below_go_on && u != t && !lower && !halted) return false;
    }
    if (!some_spin || (q->options->lowest_goes_on && !lower_unfinished)) return false;
  }
  return true;
}

/* Shows the execution with the first final state that it may have. */
static void show_first(void *context, const value_t *values) {
  struct enumeration *q = context;
  if (!q->out->hangs[q->hang]) q->options->show(q->options->state, q->hang, q->x, values);
  q->out->hangs[q->hang] = true;
}

static void note_hang(struct enumeration *q, enum oracle_hang kind) {
  q->hang = kind;
  if (!q->out->hangs[kind] && q->options->show) visit_states(q, show_first);
  q->out->hangs[kind] = true;
}

static bool goes_on(struct enumeration *q) {
  bool on = lasso_goes_on(q->scratch, q->x);
  arena_release(q->scratch);
  return on;
}

static void note_endings(struct enumeration *q) {
  const struct ending *bound = NULL;
  bool kinds[ENDING_LASSO + 1] = {false};
  VEC_EACH (ending, &q->s->ends) {
    if (!q->x->terms[ending->when]) continue;
    kinds[ending->kind] = true;
    if (ending->kind == ENDING_BOUND) bound = ending;
  }
  if (bound) {
    if (!q->out->bound && !kinds[ENDING_LASSO]) q->out->bound = bound;
    return;
  }
  bool repeats = kinds[ENDING_SPIN] || kinds[ENDING_LASSO], stuck = kinds[ENDING_BLOCKED] || repeats;
  if (!stuck || (q->out->hangs[ORACLE_DEADLOCK] && q->out->hangs[ORACLE_HANG]) || !goes_on(q)) return;
  if (kinds[ENDING_BLOCKED] && !kinds[ENDING_HALTED]) note_hang(q, ORACLE_DEADLOCK);
  if (may_halt(q, repeats)) note_hang(q, ORACLE_HANG);
}

/* Records the first cycle of accesses that no interleaving has. */
static void note_cycle(struct enumeration *q) {
  struct sequence_cycle cycle;
  bool found = !q->out->cycle.len && sequence_find(q->scratch, q->x, q->turns, &cycle);
  for (uint32_t i = 0; found && i < cycle.len; i++) {
    const struct event *e = skeleton_event(q->s, cycle.data[i].event);
    uint32_t instr = q->origins ? q->origins[e->thread][e->instr] : e->instr;
    VEC_PUSH(q->arena, &q->out->cycle, ((struct sequence_place){e->thread, instr, cycle.data[i].link}));
  }
  arena_release(q->scratch);
}

static void accept(struct enumeration *q) {
  bool faulty = note_hazards(q) || q->x->misuse;
  if (q->x->misuse && !q->out->misuse) {
    q->out->misuse = q->x->misuse;
    for (int i = 0; i < 2; i++) q->out->misuse_places[i] = event_instr(q->s, q->x->misuse_events[i])->span;
  }
  if (faulty) return; /* nothing else of the execution counts */
  note_raised(q);
  if (q->s->options.precise) {
    note_endings(q);
    return;
  }
  if (q->s->options.notes_uses) note_cycle(q);
  if (q->options->count_executions) {
    VEC_PUSH(q->arena, &q->kept, (struct kept_execution){.co = bitmat_copy(q->arena, q->x->co)});
    visit_states(q, keep_state);
  }
  visit_states(q, add_state);
}

/* ---- Coherence: the innermost choice ---- */

/* True if `order`, oriented pair by pair, is transitive. */
static bool is_order(const struct enumeration *q) {
  struct bitmat m = q->x->order;
  for (uint32_t i = 0; i < 2 * q->writes.pairs.len; i++) {
    struct open_pair p = q->writes.pairs.data[i / 2];
    uint32_t a = i % 2 ? p.b : p.a, b = i % 2 ? p.a : p.b;
    if (bitmat_has(m, a, b) && !bitset_subset(bitmat_row_set(m, b), bitmat_row_set(m, a))) return false;
  }
  return true;
}

static void judge(struct enumeration *q) {
  q->out->candidates++;
  execution_relate(q->x);
  if (!execution_is_whole(q->x)) return;
  if (!q->judging) {
    visit_states(q, note_reached);
    return;
  }
  eval_execution(q->eval, q->x, PART_CO);
  if (axioms_hold(q, PART_ALL, PART_CO)) accept(q);
}

static void add_pair(struct arena *arena, struct orientation *o, uint32_t a, uint32_t b) {
  VEC_PUSH(arena, &o->pairs, ((struct open_pair){a, b}));
  VEC_PUSH(arena, &o->ways, NO_WAY);
}

static void orient(struct bitmat relation, struct open_pair p, enum way way) {
  bitmat_del(relation, p.a, p.b);
  bitmat_del(relation, p.b, p.a);
  if (way == ONE_WAY) bitmat_add(relation, p.a, p.b);
  if (way == OTHER_WAY) bitmat_add(relation, p.b, p.a);
}

/* The first orientation, and the next one, which changes the last pairs first; `first`: the first orientation of a
 * pair. False after the last. Not recursive, because there may be very many pairs. */
static void orient_first(struct orientation *o, struct bitmat relation, enum way first) {
  for (uint32_t i = 0; i < o->pairs.len; i++) orient(relation, o->pairs.data[i], o->ways.data[i] = first);
}

static bool orient_next(struct orientation *o, struct bitmat relation, enum way first) {
  for (uint32_t i = o->pairs.len; i-- > 0;) {
    enum way *way = &o->ways.data[i];
    bool last = *way == OTHER_WAY;
    *way = last ? first : *way + 1;
    orient(relation, o->pairs.data[i], *way);
    if (!last) return true;
  }
  return false;
}

/* Tries for each pair of writes to one cell one order, the other order, and no order. */
static void choose_coherence(struct enumeration *q) {
  orient_first(&q->writes, q->x->order, NO_WAY);
  do {
    if (stopped(q) || (!q->judging && q->out->reached)) return;
    if (is_order(q)) judge(q);
  } while (orient_next(&q->writes, q->x->order, NO_WAY));
}

/* True if no other valid coherence order for the same rf and sc is smaller (O7, M9). Orders that differ only on writes
 * that do not overlap give the same co, and only the first of them counts. */
static bool is_minimal(const struct enumeration *q, uint32_t index) {
  struct bitmat more = q->kept.data[index].co;
  for (uint32_t j = 0; j < q->kept.len; j++) {
    struct bitmat less = q->kept.data[j].co;
    bool equal = bitmat_equal(more, less), contained = !equal;
    for (uint32_t row = 0; row < more.n && contained; row++)
      contained = bitset_subset(bitmat_row_set(less, row), bitmat_row_set(more, row));
    if (contained || (equal && j < index)) return false;
  }
  return true;
}

/* Counts one execution once per outcome that it gives, and once as positive or negative (O7). */
static void count_execution(struct enumeration *q, const struct kept_execution *kept) {
  const struct program *p = q->s->program;
  struct outcome_set own;
  outcome_set_init(&own, q->arena, p->observed_count);
  bool added, positive = false, negative = false;
  VEC_VALUES (values, &kept->states) {
    outcome_set_add(&own, values, &added);
    if (!added || (p->filter && !cond_holds(p, p->filter, values))) continue;
    outcome_set_add(&q->out->outcomes, values, &added)->executions++;
    if (cond_holds(p, p->condition, values)) positive = true;
    else negative = true;
  }
  if (!positive && !negative) return;
  *(states_count_positive(p, positive, negative) ? &q->out->positive : &q->out->negative) += 1;
}

static void coherence(struct enumeration *q) {
  q->kept.len = 0;
  choose_coherence(q);
  for (uint32_t i = 0; i < q->kept.len; i++)
    if (is_minimal(q, i)) count_execution(q, &q->kept.data[i]);
}

/* ---- Fences ---- */

static bool fences_cyclic(const struct enumeration *q) {
  bool cyclic = q->fences.pairs.len && bitmat_cyclic(q->scratch, q->x->sc);
  arena_release(q->scratch);
  return cyclic;
}

/* Tries both orders of each pair of fence.sc that must be related. */
static void choose_fences(struct enumeration *q) {
  orient_first(&q->fences, q->x->sc, ONE_WAY);
  do {
    if (stopped(q)) return;
    if (fences_cyclic(q)) continue;
    eval_execution(q->eval, q->x, PART_SC);
    if (axioms_hold(q, PART_SHAPE | PART_RF | PART_SC, PART_SC)) coherence(q);
  } while (orient_next(&q->fences, q->x->sc, ONE_WAY));
}

/* ---- Reads ---- */

static uint32_t cell_of(const struct enumeration *q, uint32_t e) {
  if (q->x->place[e] == NO_PLACE) return UINT32_MAX;
  return q->s->chunks[skeleton_event(q->s, e)->places[q->x->place[e]].chunk_begin].cell;
}

/* Lists the pairs of writes that this candidate may order: both happen, in one cell. */
static void list_writes(struct enumeration *q) {
  q->writes.pairs.len = q->writes.ways.len = 0;
  for (uint32_t a = 0; a < q->s->first_init; a++)
    for (uint32_t b = a + 1; b < q->s->first_init; b++) {
      bool writes = skeleton_event(q->s, a)->kind == EVENT_WRITE && skeleton_event(q->s, b)->kind == EVENT_WRITE;
      if (!writes || !bitset_has(q->x->exec, a) || !bitset_has(q->x->exec, b)) continue;
      if (cell_of(q, a) != UINT32_MAX && cell_of(q, a) == cell_of(q, b)) add_pair(q->arena, &q->writes, a, b);
    }
}

/* Values that depend on themselves through rf cannot be computed. If rf alone, without coherence or fence order, on the
 * events that must happen, violates a monotone axiom (such as No-Thin-Air), the axiom excludes every completion of such
 * a candidate. Otherwise nothing is known about it. */
static void judge_circular(struct enumeration *q) {
  struct execution *x = q->x;
  q->out->reached_known = false;
  if (!q->judging) return;
  bitset_or(x->exec, q->s->always);
  bitmat_clear(x->rf);
  bitmat_clear(x->co);
  bitmat_clear(x->fr);
  bitmat_clear(x->sc);
  for (uint32_t i = 0; i < q->slots.count; i++) {
    if (x->source[i] == NO_EVENT) continue;
    bitmat_add(x->rf, x->source[i], q->slots.list[i].read);
    bitset_add(x->exec, x->source[i]);
    bitset_add(x->exec, q->slots.list[i].read);
  }
  execution_relate_barriers(x);
  execution_relate_mbarriers(x);
  execution_relate_groups(x);
  eval_execution(q->eval, x, PART_ALL);
  for (uint32_t i = 0; i < q->model->axioms.len; i++)
    if (q->model->axioms.data[i].role == CAT_AXIOM && eval_axiom_monotone(q->eval, i) && !eval_axiom(q->eval, i))
      return;
  q->out->circular = true;
}

static void judge_sources(struct enumeration *q) {
  q->out->candidates++;
  enum run_status status = execution_finish(q->x);
  if (status == RUN_CIRCULAR) judge_circular(q);
  if (status != RUN_OK) return;
  list_writes(q);
  bitmat_clear(q->x->order);
  execution_relate(q->x);
  if (!q->judging) {
    choose_coherence(q);
    return;
  }
  eval_execution(q->eval, q->x, PART_ALL);
  if (axioms_hold(q, PART_SHAPE | PART_RF, PART_SHAPE | PART_RF)) choose_fences(q);
}

/* Sets the read's next possible source: each write that it may read from, then none if the read need not happen or may
 * read elsewhere. False, leaving no source, after the last. */
static bool next_source(struct enumeration *q, uint32_t at, uint32_t *next) {
  const struct slot *slot = &q->slots.list[at];
  const struct event *read = skeleton_event(q->s, slot->read);
  struct bitset writers = q->s->writers[slot->chunk];
  uint32_t none = writers.n; /* after all writes */
  q->x->source[at] = OPEN_SOURCE;
  while (*next <= none) {
    uint32_t from = bitset_next(writers, *next);
    *next = from + 1;
    if (from == none && read->place_count <= 1 && bitset_has(q->s->always, slot->read)) return false;
    if (!execution_may_take(q->x, at, from == none ? NO_EVENT : from)) continue;
    q->x->source[at] = from == none ? NO_EVENT : from;
    return true;
  }
  return false;
}

/* An explicit stack holds the reads with a chosen source, because there may be very many. The search for another source
 * continues at next[at]; learned[at] is the state of knowledge before that read had a source. */
static void choose_sources(struct enumeration *q) {
  uint32_t *next = q->next_source, *learned = q->learned, at = 0;
  bool down = true;
  for (;;) {
    if (down) {
      if (stopped(q) || (!q->judging && q->out->reached)) break;
      learned[at] = q->x->learned;
      execution_learn(q->x);
      next[at] = 0;
      if (at == q->slots.count) judge_sources(q);
    }
    down = at < q->slots.count && next_source(q, at, &next[at]);
    if (down) {
      at++;
      continue;
    }
    execution_forget(q->x, learned[at]);
    if (at-- == 0) return;
  }
  for (; at > 0; at--) {
    execution_forget(q->x, learned[at - 1]);
    q->x->source[at - 1] = OPEN_SOURCE;
  }
}

/* ---- mbarrier objects ---- */

static void begin_sources(void *context) { choose_sources(context); }
static bool is_stopped(void *context) { return stopped(context); }

/* ---- Barriers ---- */

/* Tries each arrival in each phase, and its absence if it may be absent; in a precise skeleton, tries each wait both
 * passing and blocked. */
static void choose_phases(struct enumeration *q, uint32_t event) {
  if (stopped(q) || (!q->judging && q->out->reached)) return;
  while (event < q->s->first_init && skeleton_event(q->s, event)->kind != EVENT_ARRIVE &&
         (skeleton_event(q->s, event)->kind != EVENT_WAIT || !q->s->options.precise))
    event++;
  if (event == q->s->first_init) {
    turns_choose(q->arena, q->x, begin_sources, is_stopped, q);
    return;
  }
  const struct event *e = skeleton_event(q->s, event);
  if (e->kind == EVENT_WAIT) {
    for (int pass = 0; pass < 2; pass++) {
      q->x->pass[event] = pass;
      choose_phases(q, event + 1);
    }
    return;
  }
  for (uint32_t phase = e->phase_low; phase <= e->phase_high; phase++) {
    q->x->phase[event] = phase;
    choose_phases(q, event + 1);
  }
  q->x->phase[event] = NO_PHASE;
  if (e->exec != TERM_TRUE) choose_phases(q, event + 1);
}

/* ---- The scheduler ---- */

/* Tries both values of the other open choices. */
static void choose_open(struct enumeration *q, uint32_t point) {
  while (point < q->s->go_threads.len && q->s->go_threads.data[point] != NO_THREAD) point++;
  if (stopped(q)) return;
  if (point == q->s->go_threads.len) {
    choose_phases(q, 0);
    return;
  }
  for (int open = 0; open < 2; open++) {
    q->x->go[point] = open;
    choose_open(q, point + 1);
  }
}

/* Lets each thread run on at all its points, or halt at one of them. */
static void choose_going(struct enumeration *q, uint32_t thread) {
  if (stopped(q)) return;
  if (thread == q->s->program->thread_count) {
    choose_open(q, 0);
    return;
  }
  for (uint32_t point = 0; point < q->s->go_threads.len; point++)
    if (q->s->go_threads.data[point] == thread) q->x->go[point] = true;
  choose_going(q, thread + 1);
  for (uint32_t point = 0; point < q->s->go_threads.len; point++) {
    if (q->s->go_threads.data[point] != thread) continue;
    q->x->go[point] = false;
    choose_going(q, thread + 1);
    q->x->go[point] = true;
  }
}

/* ---- Ways through the threads ---- */

/* Tries all candidates over one skeleton. */
static void search_skeleton(struct enumeration *q, const struct skeleton *skeleton) {
  q->s = skeleton;
  q->slots = slots_build(q->arena, skeleton);
  q->x = execution_new(q->arena, skeleton, &q->slots);
  for (uint32_t i = 0; i < q->slots.count; i++) q->x->source[i] = OPEN_SOURCE;
  q->next_source = ARENA_ARRAY(q->arena, uint32_t, q->slots.count + 1);
  q->learned = ARENA_ARRAY(q->arena, uint32_t, q->slots.count + 1);
  q->eval = eval_new(q->arena, q->model, skeleton);
  q->fences.pairs.len = q->fences.ways.len = 0;
  for (uint32_t a = 0; a < skeleton->n; a++)
    for (uint32_t b = a + 1; b < skeleton->n; b++)
      if (bitmat_has(skeleton->may[CAT_REL_SC_ORDER], a, b)) add_pair(q->arena, &q->fences, a, b);
  choose_going(q, 0);
}

/* A choice of one path for each thread so far. */
struct branching {
  struct program program; /* the program with the threads' instructions replaced */
  const uint32_t **origins;
  const enum decision **decided;
  const uint32_t **steps;           /* paths.h */
  const struct thread_paths *paths; /* by thread */
};

/* Counts a skeleton as the choices among events that take as long as to build it. */
static void count_skeleton(struct enumeration *q, const struct program *program) {
  enum { CHOICES_AN_INSTR = 250 };
  for (uint32_t t = 0; t < program->thread_count; t++)
    q->choices += (uint64_t)CHOICES_AN_INSTR * program->threads[t].instr_count;
}

/* True if constants alone contradict the decisions of a path through a thread. */
static bool is_impossible(struct enumeration *q, const struct skeleton *whole, const struct branching *c,
                          uint32_t thread, const struct thread_path *path) {
  struct program alone = c->program;
  struct skeleton_options options = {.shape = whole->options.shape, .keep_dependencies = true};
  alone.threads = ARENA_ARRAY(q->arena, struct thread, alone.thread_count);
  const enum decision **decided = ARENA_ARRAY(q->arena, const enum decision *, alone.thread_count);
  for (uint32_t t = 0; t < alone.thread_count; t++) {
    alone.threads[t] = whole->program->threads[t];
    alone.threads[t].instr_count = 0;
  }
  alone.threads[thread].instrs = path->instrs;
  alone.threads[thread].instr_count = path->count;
  decided[thread] = path->decided;
  options.decisions = decided;
  options.shape.unroll = 1;
  count_skeleton(q, &alone);
  const struct skeleton *skeleton = skeleton_build(q->arena, &alone, &options);
  return SOME_BELOW(i, skeleton->assumed.len, skeleton->assumed.data[i] == TERM_FALSE);
}

static void drop_impossible(struct enumeration *q, const struct skeleton *whole, const struct branching *c,
                            uint32_t thread, struct thread_paths *paths) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < paths->list.len && !stopped(q); i++)
    if (!is_impossible(q, whole, c, thread, &paths->list.data[i])) paths->list.data[kept++] = paths->list.data[i];
  paths->list.len = kept;
}

/* The iterations on the paths after which a loop goes round again. */
static const struct sequence_turns *turns_of(struct enumeration *q, const struct skeleton *whole,
                                             const struct branching *c) {
  struct sequence_turns *turns = ARENA_NEW(q->arena, struct sequence_turns);
  for (uint32_t t = 0; t < c->program.thread_count; t++)
    for (uint32_t i = 0; i < c->program.threads[t].instr_count; i++) {
      const struct instr *in = &whole->program->threads[t].instrs[c->origins[t][i]];
      bool back = in->kind == INSTR_BRANCH && in->target <= c->origins[t][i] && c->decided[t][i] == DECISION_TAKEN;
      uint32_t first = i;
      while (back && first && c->origins[t][first] != in->target) first--;
      if (back) VEC_PUSH(q->arena, turns, ((struct loop_turn){.thread = t, .first = first, .last = i}));
    }
  return turns;
}

static void choose_paths(struct enumeration *q, const struct skeleton *whole, struct branching *c, uint32_t thread) {
  if (stopped(q)) return;
  if (thread == c->program.thread_count) {
    struct skeleton_options options = {.shape = whole->options.shape,
                                       .decisions = c->decided,
                                       .keep_dependencies = true,
                                       .notes_uses = whole->options.notes_uses};
    options.shape.unroll = 1;
    count_skeleton(q, &c->program);
    struct skeleton *skeleton = skeleton_build(q->arena, &c->program, &options);
    q->origins = c->origins;
    q->turns = turns_of(q, whole, c);
    if (skeleton->refusal) {
      q->out->refusal = skeleton->refusal;
      q->out->refusal_place = skeleton->refusal_place;
      return;
    }
    depend_restrict(skeleton, whole, c->steps);
    search_skeleton(q, skeleton);
    return;
  }
  VEC_EACH (path, &c->paths[thread].list) {
    c->program.threads[thread].instrs = path->instrs;
    c->program.threads[thread].instr_count = path->count;
    c->origins[thread] = path->origins;
    c->decided[thread] = path->decided;
    c->steps[thread] = depend_steps(q->arena, &whole->program->threads[thread], whole->copies[thread], path);
    choose_paths(q, whole, c, thread + 1);
  }
}

/* Tries each combination of paths through the threads, as a program without control flow. */
static void search_paths(struct enumeration *q, const struct skeleton *whole) {
  const struct program *program = whole->program;
  uint32_t count = program->thread_count;
  struct thread_paths *paths = ARENA_ARRAY(q->arena, struct thread_paths, count);
  struct branching *c = ARENA_NEW(q->arena, struct branching); /* skeletons keep pointing to its program */
  *c = (struct branching){.program = *program, .paths = paths};
  c->program.threads = ARENA_ARRAY(q->arena, struct thread, count);
  c->origins = ARENA_ARRAY(q->arena, const uint32_t *, count);
  c->decided = ARENA_ARRAY(q->arena, const enum decision *, count);
  c->steps = ARENA_ARRAY(q->arena, const uint32_t *, count);
  for (uint32_t t = 0; t < count; t++) {
    c->program.threads[t] = program->threads[t];
    paths_find(q->arena, &program->threads[t], whole->copies[t], &paths[t]);
    q->out->paths_cut |= paths[t].cut;
    if (!paths[t].cut) drop_impossible(q, whole, c, t, &paths[t]);
  }
  if (q->out->paths_cut) return;
  choose_paths(q, whole, c, 0);
}

static void search_all(struct enumeration *q, const struct skeleton *skeleton) {
  for (uint32_t i = 0; i < skeleton->hazards.len; i++)
    if (skeleton->hazards.data[i].when == TERM_TRUE && !skeleton_may_block(skeleton))
      note_hazard(q, &skeleton->hazards.data[i]);
  if (!skeleton->options.precise && paths_may_branch(skeleton->program)) search_paths(q, skeleton);
  else search_skeleton(q, skeleton);
}

void oracle_run(struct arena *arena, const struct model *model, const struct skeleton *skeleton,
                const struct oracle_options *options, struct oracle *oracle) {
  struct enumeration q = {
      .arena = arena, .model = model, .s = skeleton, .options = options, .out = oracle, .judging = true};
  q.scratch = arena_scratch(arena);
  *oracle = (struct oracle){.reached_known = true};
  outcome_set_init(&oracle->outcomes, arena, skeleton->program->observed_count);
  oracle->raised = ARENA_ARRAY(arena, struct raised, model->axioms.len);
  oracle->is_raised = ARENA_ARRAY(arena, bool, model->axioms.len);
  search_all(&q, skeleton);
  for (uint32_t i = 0; i < oracle->outcomes.list.len; i++)
    if (satisfies(&q, oracle->outcomes.list.data[i].values)) oracle->reached = true;
  q.judging = false;
  if (!oracle->reached && !skeleton->options.precise) search_all(&q, skeleton);
}
