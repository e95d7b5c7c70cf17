/* Explains an allowed state: by an interleaving of the threads, or by a cycle that sequential consistency would
 * forbid. */

#include "cat/build.h"
#include "explain/story.h"
#include "explain/words.h"

/* Interleavings as a model: acyclic po | rf | co | fr | phase-order | sc and the relations that order asynchronous
 * operations in time; a total order of the writes to each location; no write between the halves of an atomic. */
static const struct model *interleaving_model(struct arena *arena) {
  static const enum cat_builtin steps[] = {CAT_REL_RF,       CAT_REL_CO,    CAT_REL_FR,    CAT_REL_PHASE_ORDER,
                                           CAT_REL_SC_ORDER, CAT_REL_ISSUE, CAT_REL_INNER, CAT_REL_COMP,
                                           CAT_REL_WAITED,   CAT_REL_PHASE, CAT_REL_MO,    CAT_REL_ENDED};
  struct model *m = ARENA_NEW(arena, struct model);
  struct builder b = {arena, m};
  *m = (struct model){.name = "interleaving", .language = ABOUT_BOTH};
  cat_node co = build_builtin(b, CAT_REL_CO), fr = build_builtin(b, CAT_REL_FR), all = build_builtin(b, CAT_REL_PO);
  for (size_t i = 0; i < ARRAY_LEN(steps); i++) all = build_op(b, CAT_UNION, all, build_builtin(b, steps[i]));
  cat_node w = build_builtin(b, CAT_SET_WRITE), same = build_builtin(b, CAT_REL_LOC);
  cat_node pairs = build_op(b, CAT_INTER, build_op(b, CAT_PRODUCT, w, w), same);
  pairs = build_op(b, CAT_DIFF, pairs, build_builtin(b, CAT_REL_ID));
  cat_node ordered = build_op(b, CAT_UNION, co, build_op(b, CAT_INVERSE, co, CAT_NO_NODE));
  pairs = build_op(b, CAT_DIFF, pairs, ordered);
  cat_node between = build_op(b, CAT_INTER, build_builtin(b, CAT_REL_RMW), build_op(b, CAT_SEQ, fr, co));
  const struct cat_axiom axioms[] = {{.test = CAT_ACYCLIC, .node = all, .name = "interleaving"},
                                     {.test = CAT_IS_EMPTY, .node = pairs, .name = "total"},
                                     {.test = CAT_IS_EMPTY, .node = between, .name = "atomic"}};
  for (size_t i = 0; i < ARRAY_LEN(axioms); i++) VEC_PUSH(arena, &m->axioms, axioms[i]);
  return m;
}

static void tell_interleaving(struct story *s, struct bitmat order) {
  const struct execution *x = s->ask->execution;
  uint32_t count;
  const uint32_t *list = history_interleave(s->arena, x, order, &count);
  if (!list) BUG("an interleaving with a cycle");
  for (uint32_t i = 0; i < count; i++)
    if (event_is_memory(execution_event(x, list[i]))) story_event(s, list[i]);
  s->out->interleaved = true;
}

static bool model_allows(struct story *s, const struct execution *x) {
  struct eval *eval = eval_new(s->arena, s->ask->model, s->ask->skeleton);
  eval_execution(eval, x, PART_ALL);
  return !SOME_BELOW(i, s->ask->model->axioms.len,
                     s->ask->model->axioms.data[i].role == CAT_AXIOM && !eval_axiom(eval, i));
}

/* Reports an interleaving that satisfies the predicate, if the model allows one. */
static bool try_interleaving(struct story *s, const struct cond *predicate, bool negated) {
  struct ask *kept = s->ask, simple = {.arena = s->arena,
                                       .model = interleaving_model(s->arena),
                                       .skeleton = kept->skeleton,
                                       .keeps_witnesses = true};
  bool told = ask_open(&simple) &&
              ask_find(&simple, ask_goal(&simple, predicate, negated), LIT_TRUE, NULL) == SAT_YES &&
              model_allows(s, simple.execution);
  if (told) {
    s->ask = &simple;
    s->out->execution = simple.execution;
    tell_interleaving(s, eval_relation(simple.eval, simple.model->axioms.data[0].node));
    struct ask_found found = ask_found(&simple);
    ask_return(kept, &found);
    s->ask = kept;
  }
  ask_close(&simple);
  return told;
}

/* ---- Cycles ---- */

/* Ranks cycles by how well they show the intent of the test's author, best first. */
enum cycle_rank {
  RANK_PATH,  /* a path of steps that could order, closed by one step from-read or coherence */
  RANK_MEANT, /* the same, also along reads-from that a wider scope or a strong end would make an observation */
  RANK_OBSERVED, /* several steps to later writes */
  RANK_ANY,      /* also along reads-from between racy accesses, which is not an observation */
};

struct ranked_cycle {
  VEC(struct cycle_step) steps;
  enum cycle_rank rank;
};

static bool is_better(const struct ranked_cycle *a, const struct ranked_cycle *b) {
  if (!b->steps.len) return true;
  return a->rank != b->rank ? a->rank < b->rank : a->steps.len < b->steps.len;
}

/* The shortest cycle through an event. */
static bool walk_back(struct story *s, struct bitmat order, uint32_t start, struct ranked_cycle *out) {
  uint32_t *path = ARENA_ARRAY(s->arena, uint32_t, order.n + 1);
  uint32_t length = bitmat_path(s->arena, order, start, start, path);
  *out = (struct ranked_cycle){.rank = out->rank};
  for (uint32_t i = 0; i < length; i++)
    VEC_PUSH(s->arena, &out->steps,
             (struct cycle_step){history_step(s->ask->execution, path[i], path[i + 1]), path[i], path[i + 1]});
  return length > 0;
}

/* Removes the reads-from edges between threads that are not observations (8.9.2): programmers do not rely on racy
 * accesses for order. With `meant`, keeps edges with one strong end, which was probably meant to order. */
static void drop_unobserved(struct story *s, struct bitmat order, bool meant) {
  const struct execution *x = s->ask->execution;
  const char *why;
  for (uint32_t w = 0; w < x->skeleton->first_init; w++) {
    struct bitset row = bitmat_row_set(x->rf, w);
    EACH (r, row) {
      const struct event *e = execution_event(x, w), *f = execution_event(x, r);
      if (e->thread == f->thread || (meant && (event_is_strong(e) || event_is_strong(f)))) continue;
      if (!words_morally_strong(s->arena, x, w, r, &why)) bitmat_del(order, w, r);
    }
  }
}

static bool shortest_cycle_in(struct story *s, struct bitmat order, struct ranked_cycle *out) {
  struct ranked_cycle now = {.rank = out->rank};
  out->steps.len = 0;
  for (uint32_t e = 0; e < s->ask->skeleton->first_init; e++)
    if (walk_back(s, order, e, &now) && is_better(&now, out)) *out = now;
  return out->steps.len > 0;
}

enum { MOST_EVENTS = 200 };

/* The shortest cycle with a single step from-read or coherence. Its other steps are program order, observation and
 * barriers, which programmers use for order. */
static bool shortest_path(struct story *s, struct bitmat order, struct ranked_cycle *out) {
  const struct execution *x = s->ask->execution;
  struct bitmat path = bitmat_copy(s->arena, order);
  out->steps.len = 0;
  if (x->skeleton->n > MOST_EVENTS) return false;
  for (uint32_t a = 0; a < path.n; a++)
    for (uint32_t b = 0; b < path.n; b++)
      if ((bitmat_has(x->fr, a, b) || bitmat_has(x->co, a, b)) && !bitmat_has(x->skeleton->must[CAT_REL_PO], a, b))
        bitmat_del(path, a, b);
  for (uint32_t a = 0; a < x->skeleton->first_init; a++)
    for (uint32_t b = 0; b < x->skeleton->first_init; b++) {
      if (!bitmat_has(order, a, b) || bitmat_has(path, a, b)) continue;
      bitmat_add(path, a, b);
      struct ranked_cycle now = {.rank = out->rank};
      if (walk_back(s, path, b, &now) && is_better(&now, out)) *out = now;
      bitmat_del(path, a, b);
    }
  return out->steps.len > 0;
}

static bool shortest_cycle(struct story *s, struct ranked_cycle *out) {
  struct bitmat order = history_order(s->arena, s->ask->execution);
  if (story_is_ptx(s->ask->model)) {
    struct bitmat meant = bitmat_copy(s->arena, order), all = order;
    order = bitmat_copy(s->arena, order);
    drop_unobserved(s, order, false);
    drop_unobserved(s, meant, true);
    out->rank = RANK_PATH;
    if (shortest_path(s, order, out)) return true;
    out->rank = RANK_MEANT;
    if (shortest_path(s, meant, out)) return true;
    out->rank = RANK_OBSERVED;
    if (shortest_cycle_in(s, order, out)) return true;
    order = all;
  }
  out->rank = RANK_ANY;
  return shortest_cycle_in(s, order, out);
}

static void order_writes(struct execution *x, uint32_t a, uint32_t b) {
  bool writes = execution_event(x, a)->kind == EVENT_WRITE && execution_event(x, b)->kind == EVENT_WRITE;
  if (!writes || a == b || !bitset_has(x->exec, a) || !bitset_has(x->exec, b)) return;
  if (!bitmat_has(x->loc, a, b) || bitmat_has(x->order, a, b) || bitmat_has(x->order, b, a)) return;
  bitmat_add(x->order, a, b);
  bitmat_closure(x->order);
}

/* True if the state gives the value of a chunk, and so determines the last write to it. */
static bool is_named(const struct story *s, uint32_t chunk) {
  const struct skeleton *k = s->ask->skeleton;
  return SOME_BELOW(i, k->program->observed_count,
                    !k->finals[i].is_term && chunk >= k->finals[i].chunk_begin && chunk < k->finals[i].chunk_end);
}

/* Orders the writes that the model leaves unordered, so that every difference from an interleaving shows as a cycle.
 * The source of a named final value is last; other writes keep the order that the execution's relations give them, if
 * any. The story keeps the model's own order in real_co and real_fr. */
static void complete_order(struct story *s) {
  struct execution *x = s->ask->execution;
  struct bitmat before = history_order(s->arena, x);
  bitmat_closure(before);
  s->real_co = bitmat_copy(s->arena, x->co);
  s->real_fr = bitmat_copy(s->arena, x->fr);
  s->completed = true;
  for (uint32_t c = 0; c < x->skeleton->chunk_count; c++) {
    uint32_t last = is_named(s, c) ? s->ask->last[c] : NO_EVENT;
    for (uint32_t a = 0; last < x->skeleton->first_init && a < x->skeleton->first_init; a++) order_writes(x, a, last);
  }
  for (uint32_t a = 0; a < x->skeleton->first_init; a++)
    for (uint32_t b = a + 1; b < x->skeleton->first_init; b++) {
      if (bitmat_has(before, b, a)) order_writes(x, b, a);
      else order_writes(x, a, b);
    }
  execution_relate(x);
}

/* Rotates the cycle so that it ends with step `last`. */
static void rotate(struct arena *arena, const struct ranked_cycle *c, uint32_t last, struct ranked_cycle *out) {
  out->steps.len = 0;
  for (uint32_t i = 1; i <= c->steps.len; i++) VEC_PUSH(arena, &out->steps, c->steps.data[(last + i) % c->steps.len]);
}

/* ---- Telling ---- */

static const char *reason_of(struct story *s, const struct cycle_step *step) {
  bool fr = strcmp(step->relation, "fr") == 0, co = strcmp(step->relation, "co") == 0;
  if (s->completed && (fr || co) && !bitmat_has(fr ? s->real_fr : s->real_co, step->from, step->to))
    return "the model does not order the two writes; this cycle assumes this order";
  return fr ? story_source(s, step->from, step->to) : NULL;
}

static void tell_steps(struct story *s, const struct ranked_cycle *c) {
  VEC_EACH (step, &c->steps) story_step(s, step->relation, step->from, step->to, reason_of(s, step));
}

/* The number of missing links in an explanation of this rotation of the cycle. Restores the output. */
static uint32_t count_missing(struct story *s, const struct ranked_cycle *c) {
  struct explanation kept = *s->out;
  story_missing(s, c->steps.data, c->steps.len);
  uint32_t count = s->out->missing.len - kept.missing.len;
  *s->out = kept;
  return count;
}

/* Chooses the step that closes the cycle: an fr, else a co, else an rf. Among several, prefers the fewest missing links
 * (at least one), then the story that begins with the first event in the text. */
static void tell_cycle(struct story *s, const struct ranked_cycle *c) {
  static const char *const closing[] = {"fr", "co", "rf"};
  struct ranked_cycle now = {0}, best = {0};
  uint32_t best_score = UINT32_MAX;
  for (size_t k = 0; k < ARRAY_LEN(closing) && best_score == UINT32_MAX; k++)
    for (uint32_t i = 0; i < c->steps.len; i++) {
      if (strcmp(c->steps.data[i].relation, closing[k]) != 0) continue;
      rotate(s->arena, c, i, &now);
      uint32_t count = count_missing(s, &now);
      uint32_t score = (count ? count : 1000) * SKELETON_MAX_EVENTS + now.steps.data[0].from;
      if (score >= best_score) continue;
      best_score = score;
      rotate(s->arena, c, i, &best);
    }
  if (!best.steps.len) rotate(s->arena, c, c->steps.len - 1, &best);
  tell_steps(s, &best);
  story_missing(s, best.steps.data, best.steps.len);
}

void story_cycle(struct story *s, const struct cycle_step *steps, uint32_t count) {
  struct ranked_cycle cycle = {0};
  for (uint32_t i = 0; i < count; i++) VEC_PUSH(s->arena, &cycle.steps, steps[i]);
  tell_cycle(s, &cycle);
}

static void miss_atomicity(struct story *s, uint32_t r, uint32_t w) {
  struct trail t = {.story = s, .x = s->ask->execution};
  const char *why = NULL;
  words_morally_strong(s->arena, t.x, r, w, &why);
  trail_lacks(&t, r, w,
              arena_printf(s->arena,
                           "the write comes between the halves of the atomic; atomicity (8.10.3) covers only morally "
                           "strong pairs%s%s",
                           why ? ": " : "", why ? why : ""),
              why ? trail_strengthen(&t, r, w) : NULL);
}

/* Without a cycle, the execution differs from an interleaving by a write between the halves of an atomic. */
static bool tell_split_atomic(struct story *s) {
  const struct execution *x = s->ask->execution;
  const struct skeleton *k = x->skeleton;
  EACH_THREAD_EVENT (r, e, k) {
    if (!e->is_rmw || e->kind != EVENT_READ || !bitset_has(x->exec, e->partner)) continue;
    for (uint32_t w = 0; w < k->first_init; w++) {
      if (!bitmat_has(x->fr, r, w) || !bitmat_has(x->co, w, e->partner)) continue;
      tell_steps(s, &(struct ranked_cycle){
                        .steps = {.data = (struct cycle_step[]){{"fr", r, w}, {"co", w, e->partner}}, .len = 2}});
      s->out->closing = arena_printf(s->arena, "[%u] and [%u] are the read and the write of one atomic",
                                     story_event(s, r) + 1, story_event(s, e->partner) + 1);
      if (story_is_ptx(s->ask->model)) miss_atomicity(s, r, w);
      return true;
    }
  }
  return false;
}

enum { WITNESSES = 6 };

/* The execution with the shortest cycle among a few. */
static bool choose_witness(struct story *s, struct ranked_cycle *best) {
  struct ask *p = s->ask;
  lit on = sat_variable(p->sat);
  struct ask_found found = {0};
  for (uint32_t i = 0; i < WITNESSES; i++) {
    struct ranked_cycle now = {0};
    if (ask_find(p, s->goal, on, NULL) != SAT_YES) break;
    ask_exclude(p, on);
    ask_reduce_order(p, NULL);
    struct story try = *s;
    try.completed = false;
    bool cycle = shortest_cycle(s, &now);
    if (!cycle) complete_order(&try), cycle = shortest_cycle(s, &now);
    if (found.execution && (!cycle || !is_better(&now, best))) continue;
    found = ask_found(p);
    *best = now;
    s->completed = try.completed, s->real_co = try.real_co, s->real_fr = try.real_fr;
  }
  if (!found.execution) return false;
  ask_return(p, &found);
  s->out->execution = p->execution;
  return true;
}

void story_allowed(struct story *s, const struct cond *predicate, bool negated) {
  struct ranked_cycle cycle = {0};
  if (try_interleaving(s, predicate, negated)) return;
  if (!choose_witness(s, &cycle)) {
    s->out->incomplete = "the time limit was reached";
    return;
  }
  if (cycle.steps.len && cycle.rank == RANK_ANY && !s->completed) complete_order(s);
  bool meant = cycle.steps.len && cycle.rank != RANK_ANY;
  if (!meant && tell_split_atomic(s)) return;
  if (cycle.steps.len) tell_cycle(s, &cycle);
  else tell_interleaving(s, history_order(s->arena, s->ask->execution)); /* the model forbids the simplest */
}
