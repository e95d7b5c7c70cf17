#include "explain/races.h"

#include "explain/story.h"
#include "explain/words.h"

struct hunt {
  struct arena *arena;
  struct ask *ask;
  struct races *out;
  const struct cat_axiom *axiom;
  struct bitmat seen;                /* pairs of events already reported */
  VEC(struct race) others;           /* counted by some race of the list */
  const struct safety_finding *only; /* the finding to explain; NULL: all pairs */
};

/* ---- The missing order ---- */

/* The kind of path that may be meant to order one access before the other. ROUTE_STRONG: all reads-from edges are
 * between strong accesses, as in a signal between threads. */
enum route { ROUTE_NONE, ROUTE_ANY, ROUTE_STRONG };

static bool is_read_from(const struct execution *x, uint32_t write, uint32_t read, enum route way) {
  const struct event *events = x->skeleton->events.data;
  bool strong = events[write].sem != SEM_WEAK && events[read].sem != SEM_WEAK;
  return bitmat_has(x->rf, write, read) && (strong || way == ROUTE_ANY);
}

/* The shortest path from a to b by program order and reads-from. */
static uint32_t find_way(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b, enum route way,
                         struct cycle_step *steps) {
  struct bitmat order = bitmat_new(arena, x->rf.n);
  uint32_t *path = ARENA_ARRAY(arena, uint32_t, order.n + 1);
  EACH (e, x->exec) {
    struct bitset row = bitmat_row_set(order, e);
    bitset_or(row, bitmat_row_set(x->skeleton->must[CAT_REL_PO], e));
    bitset_and(row, x->exec);
    EACH (f, bitmat_row_set(x->rf, e))
      if (is_read_from(x, e, f, way)) bitset_add(row, f);
  }
  uint32_t length = bitmat_path(arena, order, a, b, path);
  for (uint32_t i = 0; i < length; i++) {
    bool po = bitmat_has(x->skeleton->must[CAT_REL_PO], path[i], path[i + 1]);
    steps[i] = (struct cycle_step){po ? "po" : "rf", path[i], path[i + 1]};
  }
  steps[length] = (struct cycle_step){"race", b, a};
  return length ? length + 1 : 0;
}

/* Finds the missing order on a path of this kind between the two in the present execution; false if there is no
 * path. */
static bool judge_way(struct hunt *h, uint32_t a, uint32_t b, enum route way, struct race *race) {
  struct explanation told = {0};
  struct story story = {.arena = h->arena, .ask = h->ask, .out = &told};
  struct cycle_step *steps = ARENA_ARRAY(h->arena, struct cycle_step, h->ask->skeleton->n + 1);
  const struct execution *x = h->ask->execution;
  uint32_t count = find_way(h->arena, x, a, b, way, steps);
  if (!count) count = find_way(h->arena, x, b, a, way, steps);
  if (!count) return false;
  story_missing(&story, steps, count);
  race->missing.len = 0;
  for (uint32_t i = 0; i < told.missing.len; i++) VEC_PUSH(h->arena, &race->missing, told.missing.data[i]);
  race->direct = told.missing.len == 1 && strcmp(steps[0].relation, "rf") == 0;
  return true;
}

/* Keeps the best path in the present execution if it is better than earlier paths. */
static enum route judge_ways(struct hunt *h, uint32_t a, uint32_t b, enum route before, struct race *race) {
  for (enum route way = ROUTE_STRONG; way > before; way--)
    if (judge_way(h, a, b, way, race)) return way;
  return before;
}

enum { EXECUTIONS = 5 };

/* Searches for an execution with a path from one access to the other, which shows the missing order best. */
static void look_closer(struct hunt *h, uint32_t a, uint32_t b, struct race *race) {
  struct ask *p = h->ask;
  lit on = sat_variable(p->sat), holds = ask_pair(p, h->axiom->node, a, b);
  enum route best = ROUTE_NONE;
  for (uint32_t i = 0; i < EXECUTIONS && !(best == ROUTE_STRONG && race->apart); i++) {
    if (ask_find(p, holds, on, NULL) != SAT_YES) break;
    ask_exclude(p, on);
    if (!race->history) race->history = history_tell(h->arena, p, NULL);
    struct race other = {0};
    enum route way = judge_ways(h, a, b, best, race);
    if (way > best) race->history = history_tell(h->arena, p, NULL);
    else race->apart = race->apart || !judge_way(h, a, b, ROUTE_ANY, &other);
    best = way;
  }
}

/* ---- Changes that order the two ---- */

/* True if the write may be a signal to the read that earlier accesses are done: an access before the write and one
 * after the read are to one location, and one of them writes. */
static bool hands_over(const struct execution *x, uint32_t write, uint32_t read) {
  const struct event *events = x->skeleton->events.data;
  for (uint32_t e = 0; e < x->skeleton->first_init; e++) {
    if (!story_in_po(x, e, write) || !event_is_memory(&events[e])) continue;
    for (uint32_t f = 0; f < x->skeleton->first_init; f++) {
      bool writes = events[e].kind == EVENT_WRITE || events[f].kind == EVENT_WRITE;
      if (story_in_po(x, read, f) && event_is_memory(&events[f]) && writes && bitmat_has(x->loc, e, f)) return true;
    }
  }
  return false;
}

/* A change that orders the two events, which race in this execution. */
static const char *order_of(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b,
                            const struct race *race) {
  const struct event *e = &x->skeleton->events.data[a], *f = &x->skeleton->events.data[b];
  const struct program *program = x->skeleton->program;
  if (e->proxy != f->proxy && !race->missing.len)
    return cure_proxies(arena, program, e->proxy, f->proxy, e->thread == f->thread);
  if (e->proxy != PROXY_GENERIC || f->proxy != PROXY_GENERIC || !bitmat_has(x->vloc, a, b)) return NULL;
  bool flag = e->kind != f->kind && hands_over(x, e->kind == EVENT_WRITE ? a : b, e->kind == EVENT_WRITE ? b : a);
  if (flag && !race->mixed && (!race->direct || (e->sem != SEM_WEAK && f->sem != SEM_WEAK))) return NULL;
  if (flag && !race->mixed) {
    const char *scope = scope_word(words_common_scope(program, e->thread, f->thread));
    return arena_printf(arena,
                        "make the write a release and the read an acquire, both at scope %s: accesses before the write "
                        "then precede accesses after the read",
                        scope);
  }
  if (!race->missing.len || race->direct) {
    const char *order = cure_order(arena, program, &race->pair);
    return race->mixed ? arena_printf(arena, "%s; or make both strong, and access the same bytes", order) : order;
  }
  return race->apart ? "make the later access conditional on having seen the other thread's write: put it after a loop "
                       "that waits for the value, or under a branch on the loaded value"
                     : NULL;
}

/* ---- Pairs ---- */

static bool in_text_order(const struct event *a, const struct event *b) {
  return a->thread != b->thread ? a->thread < b->thread : a->instr <= b->instr;
}

static bool same_text(const struct program *program, const struct raised_pair *a, const struct raised_pair *b) {
  const uint32_t threads[] = {a->thread_a, a->thread_b, b->thread_a, b->thread_b};
  const uint32_t instrs[] = {a->instr_a, a->instr_b, b->instr_a, b->instr_b};
  struct span at[4];
  for (size_t i = 0; i < ARRAY_LEN(at); i++) {
    if (threads[i] == NO_THREAD || !program->threads[threads[i]].of_kernel) return false;
    at[i] = program->threads[threads[i]].instrs[instrs[i]].span;
    if (at[i].source != at[0].source) return false;
  }
  return (at[0].begin == at[2].begin && at[1].begin == at[3].begin) ||
         (at[0].begin == at[3].begin && at[1].begin == at[2].begin);
}

static enum scope common_scope(const struct program *program, const struct raised_pair *pair) {
  return pair->thread_a == pair->thread_b ? SCOPE_NONE : words_common_scope(program, pair->thread_a, pair->thread_b);
}

/* True if the pair is listed, or of a kind that is. */
static bool is_known(struct hunt *h, const struct race *race) {
  const struct program *program = h->ask->program;
  VEC_EACH (other, &h->others)
    if (other->mixed == race->mixed && raised_order(&other->pair, &race->pair) == 0) return true;
  VEC_EACH (r, &h->out->list) {
    if (r->mixed != race->mixed) continue;
    if (raised_order(&r->pair, &race->pair) == 0) return true;
    if (strcmp(r->clause, race->clause) != 0 || !same_text(program, &r->pair, &race->pair)) continue;
    if (common_scope(program, &r->pair) != common_scope(program, &race->pair)) continue;
    VEC_PUSH(h->arena, &h->others, *race);
    r->others++;
    return true;
  }
  return false;
}

/* For a single access the words of the clause take the place of a path. */
static void tell_alone(struct hunt *h, struct race *race) {
  const struct cat_clause *clause = cat_clause(race->clause);
  race->missing.len = 0;
  race->apart = race->direct = false;
  if (clause)
    VEC_PUSH(h->arena, &race->missing, (struct explain_missing){.text = clause->missing, .cure = clause->cure});
}

static void add_race(struct hunt *h, uint32_t a, uint32_t b) {
  const struct execution *x = h->ask->execution;
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  if (!in_text_order(e, f)) {
    add_race(h, b, a);
    return;
  }
  const char *section = story_section(h->arena, h->axiom->name), *why = NULL;
  struct race race = {.clause = h->axiom->name,
                      .section = section,
                      .title = words_section_title(section),
                      .undefined = h->axiom->role == CAT_UNDEFINED,
                      .mixed = bitmat_has(x->partial, a, b),
                      .alone = a == b,
                      .pair = {.thread_a = e->thread, .instr_a = e->instr, .thread_b = f->thread, .instr_b = f->instr},
                      .location = words_location(h->arena, x, a)};
  if (is_known(h, &race)) return;
  if (!race.alone && !words_morally_strong(h->arena, x, a, b, &why)) race.not_strong = why;
  bool along = bitmat_has(eval_relation(h->ask->eval, h->axiom->node), a, b);
  struct ask_found found = ask_found(h->ask);
  look_closer(h, along ? a : b, along ? b : a, &race);
  ask_return(h->ask, &found);
  if (race.alone) tell_alone(h, &race);
  else race.order = order_of(h->arena, h->ask->execution, along ? a : b, along ? b : a, &race);
  VEC_PUSH(h->arena, &h->out->list, race);
}

enum { MOST_RACES = 500 };

/* True if a limit was reached; notes it. */
static bool stopped(struct hunt *h) {
  if (h->out->incomplete) return true;
  if (h->out->list.len >= MOST_RACES) h->out->incomplete = "there are more races; the first 500 are listed";
  else if (h->ask->encoder.refusal) h->out->incomplete = h->ask->encoder.refusal->text;
  else if (base_is_late(h->ask->deadline)) h->out->incomplete = "the time limit was reached";
  return h->out->incomplete != NULL;
}

static bool is_at(const struct event *e, uint32_t thread, uint32_t instr) {
  return e->thread == thread && (thread == NO_THREAD || e->instr == instr);
}

bool races_is_of(const struct skeleton *s, const struct safety_finding *f, uint32_t a, uint32_t b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  return (is_at(x, f->thread_a, f->instr_a) && is_at(y, f->thread_b, f->instr_b)) ||
         (is_at(y, f->thread_a, f->instr_a) && is_at(x, f->thread_b, f->instr_b));
}

/* The pairs to skip: with `only`, all except the pairs of its instructions. */
static struct bitmat seen_before(const struct hunt *h) {
  const struct safety_finding *f = h->only;
  struct bitmat seen = bitmat_new(h->arena, h->ask->skeleton->n);
  for (uint32_t a = 0; a < seen.n && f; a++)
    for (uint32_t b = 0; b < seen.n; b++)
      if (!races_is_of(h->ask->skeleton, f, a, b)) bitmat_add(seen, a, b);
  return seen;
}

static void hunt_clause(struct hunt *h) {
  h->seen = seen_before(h);
  for (;;) {
    if (stopped(h) || (h->only && h->out->list.len)) return;
    enum sat_answer answer = ask_find(h->ask, ask_new_pair(h->ask, h->axiom->node, h->seen), LIT_TRUE, NULL);
    if (answer == SAT_UNKNOWN && !h->out->incomplete) h->out->incomplete = "the time limit was reached";
    if (answer != SAT_YES) return;
    struct bitmat now = eval_relation(h->ask->eval, h->axiom->node);
    struct bitmat fresh = bitmat_copy(h->arena, now);
    bitmat_minus(fresh, h->seen);
    if (bitmat_empty(fresh)) BUG("%s: a racing pair is not there on evaluation", h->ask->program->name);
    bitmat_or(h->seen, fresh);
    for (uint32_t a = 0; a < fresh.n; a++) {
      struct bitset row = bitmat_row_set(fresh, a);
      for (uint32_t b = bitset_next(row, 0); b < fresh.n && !stopped(h); b = bitset_next(row, b + 1)) add_race(h, a, b);
    }
  }
}

/* ---- Clauses ---- */

/* True for a clause about pairs. The clauses that make a program undefined come first: they name a race that both kinds
 * raise. */
static bool is_about_pairs(const struct model *model, const struct cat_axiom *axiom, enum cat_role role) {
  return axiom->role == role && ask_raised_by_pairs(model, axiom);
}

static int rank_of(const struct race *race) { return race->alone ? 2 : race->mixed; }

/* Sorts by place in the text, not in the order of discovery, within each kind. */
static bool comes_before(const struct race *a, const struct race *b) {
  return rank_of(a) != rank_of(b) ? rank_of(a) < rank_of(b) : raised_order(&a->pair, &b->pair) < 0;
}

static void hunt_all(struct hunt *h) {
  static const enum cat_role roles[] = {CAT_UNDEFINED, CAT_FLAG};
  const struct model *model = h->ask->model;
  for (size_t k = 0; k < ARRAY_LEN(roles); k++)
    for (uint32_t i = 0; i < model->axioms.len && !h->out->incomplete; i++) {
      h->axiom = &model->axioms.data[i];
      if (is_about_pairs(model, h->axiom, roles[k])) hunt_clause(h);
    }
}

/* Checks the program; `later`: the reason why the list of races may be incomplete. False: no search for races is
 * possible. */
static bool judge(struct arena *arena, const struct check_options *options, struct races *out, const char **later) {
  const struct check_options verdict = {
      .verdict_only = true, .past_bound = true, .timeout = options->timeout, .shape = options->shape};
  struct result *r = ARENA_NEW(arena, struct result);
  out->result = r;
  check(arena, out->program, out->model, &verdict, r);
  bool unknown = r->verdict == VERDICT_UNKNOWN, bound = r->bounded && (!unknown || r->reason->id == REASON_BOUND);
  struct position at = bound ? source_position(r->bound_place.source, r->bound_place.begin) : (struct position){0};
  if (bound && (unknown || out->asked))
    *later = arena_printf(arena, "iterations beyond the bound of %u, at line %u, were not checked", r->bound, at.line);
  else if (unknown) *later = r->reason->text, out->place = r->place;
  return out->asked && !(unknown && (r->reason->id == REASON_OTHER_LANGUAGE || r->reason->id == REASON_MODEL_SILENT));
}

void races_find(struct arena *arena, const struct program *program, const struct model *model,
                const struct check_options *options, struct races *out) {
  *out = (struct races){.program = program, .model = model};
  VEC_EACH (a, &model->axioms)
    out->asked = out->asked || is_about_pairs(model, a, CAT_FLAG) || is_about_pairs(model, a, CAT_UNDEFINED);
  const double deadline = base_deadline(options->timeout);
  const char *later = NULL;
  struct shape shape = options->shape;
  bool hunts = judge(arena, options, out, &later);
  if (out->result->bound) shape.unroll = out->result->bound;
  if (hunts) {
    struct ask ask = ask_new(arena, program, model, &shape, ASK_SPINNING, deadline);
    struct hunt hunt = {.arena = arena, .ask = &ask, .out = out};
    if (ask_open(&ask)) hunt_all(&hunt);
    else out->incomplete = ask.refusal->text, out->place = ask.skeleton->refusal_place;
    ask_close(&ask);
  }
  if (!out->incomplete) out->incomplete = later;
  VEC_SORT(&out->list, comes_before);
}

bool races_tell(struct arena *arena, const struct program *program, const struct model *model,
                const struct check_options *options, const struct safety_finding *finding, struct race *out) {
  struct races all = {.program = program, .model = model};
  const double deadline = base_deadline(options->timeout);
  for (int precise = 0; precise <= 1 && !all.list.len; precise++) {
    enum ask_kind kind = precise ? ASK_PRECISE : ASK_SPINNING;
    struct ask ask = ask_new(arena, program, model, &options->shape, kind, deadline);
    struct hunt hunt = {.arena = arena, .ask = &ask, .out = &all, .only = finding};
    for (uint32_t i = 0; i < model->axioms.len && !hunt.axiom; i++)
      if (strcmp(model->axioms.data[i].name, finding->clause) == 0) hunt.axiom = &model->axioms.data[i];
    if (hunt.axiom && ask_raised_by_pairs(model, hunt.axiom) && ask_open(&ask)) hunt_clause(&hunt);
    ask_close(&ask);
  }
  if (all.list.len) *out = all.list.data[0];
  return all.list.len > 0;
}
