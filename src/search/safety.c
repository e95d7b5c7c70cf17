/* Judges if a test is safe (docs/semantics.md K4), by the findings of the other questions. */

#include "ask/ask.h"
#include "search/search.h"

void search_ask_safety(struct check_options *options) {
  options->advice = options->races;
  options->verdict_only = options->races = options->termination = true;
  options->in_passing = options->count_executions = false;
  options->progress = PROGRESS_FAIR;
}

/* True for the flags of a model that mean an error in the program; other flags are advice. */
static bool kind_of(const char *clause, enum safety_kind *kind) {
  static const struct {
    const char *begin;
    enum safety_kind kind;
  } kinds[] = {{"Data-Race", SAFETY_RACE},          {"Mixed-Size-Race", SAFETY_RACE},
               {"Grid-Not-Waited", SAFETY_RACE},    {"Uninitialised-Read", SAFETY_UNINITIALISED},
               {"Shared-Memory", SAFETY_UNDEFINED}, {"Unwaited-At-End", SAFETY_UNWAITED}};
  for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
    if (!base_begins(clause, kinds[i].begin)) continue;
    *kind = kinds[i].kind;
    return true;
  }
  return false;
}

static bool has(const struct result *r, enum safety_kind kind) {
  return SOME_BELOW(i, r->findings.len, r->findings.data[i].kind == kind);
}

static void add(struct arena *arena, struct result *r, struct safety_finding finding) {
  if (!has(r, finding.kind)) VEC_PUSH(arena, &r->findings, finding);
}

static enum safety_kind kind_for(const struct reason *reason) {
  return reason->id == REASON_TRAP ? SAFETY_TRAP : SAFETY_UNDEFINED;
}

bool search_knows(const struct search *q, const struct reason *reason) {
  return search_collects(q) && reason->kind != REASON_OPEN && has(q->result, kind_for(reason));
}

/* The pairs that the model's clauses raise are kept with them. */
void search_find(struct search *q, const struct reason *reason, struct wrong_at a, struct wrong_at b) {
  struct safety_finding finding = {.kind = kind_for(reason),
                                   .clause = reason->name,
                                   .thread_a = a.thread,
                                   .instr_a = a.instr,
                                   .thread_b = b.thread,
                                   .instr_b = b.instr,
                                   .place = a.span};
  if (reason->id == REASON_MODEL_CLAUSE) return;
  finding.reason = reason_with(q->kept, reason->id, reason->text);
  finding.text = finding.reason->text;
  add(q->kept, q->result, finding);
}

static bool is_wrong(const struct raised *raised) {
  enum safety_kind kind;
  return raised->role == CAT_UNDEFINED || kind_of(raised->name, &kind);
}

bool search_has_finding(const struct result *r) {
  bool some = r->findings.len || r->deadlock.found || r->hang.found;
  for (uint32_t i = 0; i < r->raised.len && !some; i++) some = is_wrong(&r->raised.data[i]);
  return some;
}

bool search_is_enough(const struct search *q) {
  return q->options->any_finding && search_collects(q) && search_has_finding(q->result);
}

bool search_is_unsafe(const struct search *q) {
  const struct result *r = q->result;
  bool some = r->findings.len > 0 || SOME_BELOW(i, r->raised.len, r->raised.data[i].role == CAT_UNDEFINED);
  return search_collects(q) && some;
}

static void add_hang(struct arena *arena, struct result *r, const struct hang *hang) {
  struct safety_finding finding = {.kind = SAFETY_HANG, .clause = "", .thread_a = NO_THREAD, .thread_b = NO_THREAD};
  if (!hang->found) return;
  if (hang->waiting.len) {
    finding.thread_a = hang->waiting.data[0].thread;
    finding.instr_a = hang->waiting.data[0].instr;
    finding.text = hang->waiting.data[0].state;
  }
  add(arena, r, finding);
}

bool search_is_finding(const char *flag) {
  enum safety_kind kind;
  return kind_of(flag, &kind);
}

bool search_is_race(const char *clause) {
  enum safety_kind kind;
  return kind_of(clause, &kind) && kind == SAFETY_RACE;
}

bool search_asks(const struct search *q, const struct cat_axiom *axiom, enum cat_role role) {
  enum safety_kind kind;
  if (axiom->role != role) return false;
  if (q->in_prefixes) return kind_of(axiom->name, &kind) && (kind == SAFETY_RACE || kind == SAFETY_UNINITIALISED);
  return role != CAT_FLAG || !search_collects(q) || q->options->advice || search_is_finding(axiom->name);
}

/* True if a clause about pairs of events raises some in every execution: `pairs`. */
static bool is_surely_raised(const struct graph *graph, const struct cat_axiom *axiom, struct bitmat pairs) {
  const struct skeleton *s = graph->skeleton;
  enum safety_kind kind;
  bitmat_clear(pairs);
  if (axiom->role != CAT_FLAG || !kind_of(axiom->name, &kind) || kind == SAFETY_UNWAITED) return false;
  if (!ask_raised_by_pairs(graph->model, axiom)) return false;
  EACH (a, s->always) {
    struct bitset row = bitmat_row_set(pairs, a);
    bitset_or(row, bitmat_row_set(graph->bounds.data[axiom->node].must, a));
    bitset_and(row, s->always);
  }
  return !bitmat_empty(pairs);
}

/* The pairs are raised in every execution that ends. If no thread can spin or reach a bound, the test is unsafe in any
 * case: if no execution ends, threads deadlock at barriers. Otherwise the pairs need a witness. */
void search_find_sure(struct search *q, const struct graph *graph) {
  const struct skeleton *s = graph->skeleton;
  struct bitmat pairs = bitmat_new(q->arena, s->n);
  for (uint32_t i = 0; i < graph->model->axioms.len && !q->sure; i++) {
    if (!is_surely_raised(graph, &graph->model->axioms.data[i], pairs)) continue;
    struct raised *sure = ARENA_NEW(q->kept, struct raised);
    raised_add(q->kept, sure, s, pairs, NULL);
    q->sure_clause = i;
    q->sure_stands = !s->ends.len || q->options->only_safe;
    q->sure = sure;
  }
}

const struct sure_sources *search_look_ahead(struct search *q) {
  const struct skeleton *s = q->skeleton;
  struct bitset reads = sources_wanted(q->arena, s);
  struct graph graph;
  if (bitset_empty(reads) && !q->options->only_safe) return NULL;
  graph_init(&graph, q->arena, model_narrow(q->arena, q->model, &s->absent), s);
  search_find_sure(q, &graph);
  if (q->options->any_finding) search_settle_for_sure(q);
  bool over = search_is_enough(q) || bitset_empty(reads) || !search_does(q, TECHNIQUE_SOURCES);
  return over ? NULL : sources_find(q->arena, &graph, reads);
}

void search_settle_for_sure(struct search *q) {
  if (q->sure && q->sure_stands && !search_has_finding(q->result)) search_raise(q, q->sure_clause, *q->sure);
}

static void add_raised(struct arena *arena, struct result *r, const struct raised *raised) {
  struct safety_finding finding = {.kind = SAFETY_UNDEFINED, .clause = raised->name, .place = r->place};
  finding.thread_a = finding.thread_b = NO_THREAD;
  if (!is_wrong(raised)) return;
  kind_of(raised->name, &finding.kind);
  if (raised->pair_count) groups_add(arena, r, raised, finding.kind);
  else add(arena, r, finding);
}

/* The rank of a raised clause: undefined behaviour first, then the order of the model's clauses. */
static uint32_t rank_of(const struct result *r, const struct raised *raised) {
  uint32_t count = r->model->axioms.len, i = 0;
  while (i < count && strcmp(r->model->axioms.data[i].name, raised->name) != 0) i++;
  return raised->role == CAT_UNDEFINED ? i : count + i;
}

static void sort_raised(struct result *r) {
  for (uint32_t i = 1; i < r->raised.len; i++)
    for (uint32_t k = i; k && rank_of(r, &r->raised.data[k]) < rank_of(r, &r->raised.data[k - 1]); k--) {
      struct raised moved = r->raised.data[k];
      r->raised.data[k] = r->raised.data[k - 1];
      r->raised.data[k - 1] = moved;
    }
}

static void leave_unknown(struct result *r) {
  r->verdict = VERDICT_UNKNOWN;
  if (r->reason) return;
  if (r->program->test->lacks) {
    r->reason = r->program->test->lacks;
    r->place = r->program->test->lacks_place;
    return;
  }
  r->reason = reason_get(REASON_BOUND);
  r->place = r->bound_place;
}

void search_doubt(struct search *q) {
  struct result *r = q->result;
  const struct free_value *opaque = q->skeleton->free.opaque;
  bool sure = q->sure && q->sure_stands;
  if (q->fault_is_sure || (!search_has_finding(r) && r->termination != TERMINATION_MAY_HANG)) return;
  r->findings.len = r->raised.len = 0;
  r->deadlock.found = r->hang.found = false;
  r->termination = TERMINATION_UNKNOWN;
  search_give_up(q, opaque->why, opaque->place);
  if (sure) search_raise(q, q->sure_clause, *q->sure);
}

/* A finding makes the test unsafe, even if other questions are open. */
void search_judge_safety(struct arena *arena, struct result *r) {
  bool unknown = r->verdict == VERDICT_UNKNOWN;
  r->observation = OBSERVATION_NONE;
  r->complete = r->vacuous = false;
  sort_raised(r); /* the order of discovery does not matter */
  for (uint32_t i = 0; i < r->raised.len; i++) add_raised(arena, r, &r->raised.data[i]);
  add_hang(arena, r, &r->deadlock);
  add_hang(arena, r, &r->hang);
  r->holds =
      !r->findings.len && !unknown && r->termination == TERMINATION_ALWAYS && !r->bounded && !r->program->test->lacks;
  if (r->findings.len) r->verdict = VERDICT_UNSAFE;
  else if (r->holds) r->verdict = VERDICT_SAFE;
  else leave_unknown(r);
  if (r->verdict == VERDICT_SAFE && r->program->test->textures)
    VEC_PUSH(arena, &r->assumes, ((struct assumption){ASSUMES_TEXTURES, NULL}));
  if (r->verdict == VERDICT_SAFE && r->program->test->zeros)
    VEC_PUSH(arena, &r->assumes, ((struct assumption){ASSUMES_ZEROS, r->program->test->zeros}));
}
