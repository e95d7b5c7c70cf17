/* Decides if only a dependency forbids the predicate of a test (docs/semantics.md P10, O4): NVIDIA's document does not
 * say which dependencies count (G34). */

#include "rel/cycle.h"
#include "search/solver.h"

static bool is_dependency(const struct cat_expr *x) {
  return x->op == CAT_BUILTIN &&
         (x->builtin == CAT_REL_ADDR || x->builtin == CAT_REL_DATA || x->builtin == CAT_REL_CTRL);
}

static bool mentions_dependency(const struct model *model, cat_node node, bool *seen) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (seen[node]) return false;
  seen[node] = true;
  return is_dependency(x) || (x->a != CAT_NO_NODE && mentions_dependency(model, x->a, seen)) ||
         (x->b != CAT_NO_NODE && mentions_dependency(model, x->b, seen)) ||
         (x->op == CAT_REC && mentions_dependency(model, x->body, seen));
}

/* True if a dependency is itself a step of the relation, and does not only select the pairs that are. */
static bool is_step(const struct model *model, cat_node node, bool *seen) {
  const struct cat_expr *x = &model->nodes.data[node];
  if (seen[node]) return false;
  seen[node] = true;
  switch (x->op) {
    case CAT_BUILTIN: return is_dependency(x);
    case CAT_UNION:
    case CAT_SEQ: return is_step(model, x->a, seen) || is_step(model, x->b, seen);
    case CAT_DIFF:
    case CAT_INVERSE:
    case CAT_PLUS: return is_step(model, x->a, seen);
    case CAT_REC: return is_step(model, x->body, seen);
    case CAT_INTER:
    case CAT_PRODUCT:
    CAT_NO_PATH: return false;
  }
  return false;
}

typedef bool speaks_of(const struct model *model, cat_node node, bool *seen);

/* By axiom: it mentions dependencies; NULL if none does. */
static const bool *dependency_axioms(struct arena *arena, const struct model *model, speaks_of *speaks) {
  bool *axioms = ARENA_ARRAY(arena, bool, model->axioms.len), any = false;
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    const struct cat_axiom *axiom = &model->axioms.data[i];
    bool *seen = ARENA_ARRAY(arena, bool, model->nodes.len);
    axioms[i] = axiom->role == CAT_AXIOM && speaks(model, axiom->node, seen);
    any |= axioms[i];
  }
  return any ? axioms : NULL;
}

static bool has_dependencies(const struct skeleton *s) {
  return !bitmat_empty(s->may[CAT_REL_ADDR]) || !bitmat_empty(s->may[CAT_REL_DATA]) ||
         !bitmat_empty(s->may[CAT_REL_CTRL]);
}

/* True if some execution, perhaps not an allowed one, may violate one of the axioms. */
static bool may_fail(const struct sat_search *g, const bool *axioms) {
  for (uint32_t i = 0; i < g->ask.model->axioms.len; i++) {
    const struct cat_axiom *axiom = &g->ask.model->axioms.data[i];
    if (!axioms[i]) continue;
    if (axiom->test != CAT_ACYCLIC) return true;
    if (bitmat_cyclic(g->q->arena, g->ask.encoder.graph.bounds.data[axiom->node].may)) return true;
  }
  return false;
}

static void add_instr(const struct skeleton *s, uint32_t event, struct text *out) {
  const struct instr *instr = event_instr(s, event);
  text_printf(out, "P%u '", s->program->threads[skeleton_event(s, event)->thread].number);
  instr_print(instr, out);
  text_char(out, '\'');
  if (!instr->span.source) return; /* the candidates of `fix` have no text */
  text_add(out, " (");
  span_tell_line(instr->span, out);
  text_char(out, ')');
}

/* The first dependency on the cycle by which the axiom fails. */
static const char *name_dependency(const struct sat_search *g, struct cycles *cycles, uint32_t axiom) {
  const struct model *model = g->ask.model;
  struct violation violation;
  cycle_find(cycles, axiom, &violation);
  if (!violation.is_pair) return NULL;
  struct base_path path = cycle_flatten(g->q->arena, violation.path);
  VEC_EACH (edge, &path) {
    if (!is_dependency(&model->nodes.data[edge->leaf->node])) continue;
    struct text text = {.arena = g->q->arena};
    add_instr(g->ask.skeleton, edge->against ? edge->from : edge->to, &text);
    text_add(&text, " depends on ");
    add_instr(g->ask.skeleton, edge->against ? edge->to : edge->from, &text);
    text_printf(&text, ", under %s", model->axioms.data[axiom].name);
    return text_str(&text);
  }
  return NULL;
}

/* A dependency on a cycle of the execution found, after SAT_YES with the axioms `dropped`. The axioms `alone`, dropped
 * in an earlier question (NULL: none), explain nothing more. */
static const char *find_dependency(struct sat_search *g, const bool *dropped, const bool *alone) {
  if (g->ask.skeleton->n > CYCLE_MAX_EVENTS) return NULL;
  if (ask_read(&g->ask, dropped) == RUN_INVALID) return NULL;
  struct cycles *cycles = cycle_new(g->q->arena, g->ask.model, g->ask.skeleton->n);
  cycle_execution(cycles, g->ask.eval);
  for (uint32_t i = 0; i < g->ask.model->axioms.len; i++) {
    bool asked = dropped[i] && !(alone && alone[i]);
    const char *found = asked && !eval_axiom(g->ask.eval, i) ? name_dependency(g, cycles, i) : NULL;
    if (found) return found;
  }
  return NULL;
}

/* True if the condition (or its negation) is possible without these axioms; *found names the dependency, or is NULL. */
static bool rests_on(struct sat_search *g, bool negated, const bool *dropped, const bool *alone, const char **found) {
  struct sat_search other, *h = solver_without(g, dropped, &other);
  lit goal = !h ? LIT_TRUE : negated ? -h->condition : h->condition;
  bool rests = h && solver_decide(h, h->filter, goal, dropped) == SAT_YES;
  *found = rests ? find_dependency(h, dropped, alone) : NULL;
  if (h == &other) solver_close(h);
  return rests;
}

/* An axiom that uses dependencies only to select other pairs also forbids much without them: its cycle must contain a
 * dependency. The axioms of the whole model are asked for: those of the test may have lost the dependencies that it
 * lacks, and rest on those within an asynchronous operation or on the end of a thread. */
static bool rests_on_dependency(struct sat_search *g, bool negated, const char **found) {
  const struct model *model = g->q->model;
  const bool *steps = dependency_axioms(g->q->arena, model, is_step);
  if (steps && may_fail(g, steps) && rests_on(g, negated, steps, NULL, found)) return true;
  if (!has_dependencies(g->ask.skeleton)) return false;
  const bool *all = dependency_axioms(g->q->arena, model, mentions_dependency);
  bool more = all && (!steps || memcmp(all, steps, model->axioms.len * sizeof *all) != 0);
  return more && rests_on(g, negated, all, steps, found) && *found;
}

void search_dependence(struct sat_search *g) {
  struct search *q = g->q;
  bool all = q->program->quantifier == LITMUS_FORALL; /* a forall fails by a negative outcome */
  if ((all ? q->result->negative : q->result->positive) > 0) return;
  struct assumption rests = {ASSUMES_DEPENDENCY, NULL};
  if (!rests_on_dependency(g, all, &rests.detail)) return;
  VEC_PUSH(q->arena, &q->result->assumes, rests);
  if (g->ask.skeleton->undecided_dependency)
    VEC_PUSH(q->arena, &q->result->assumes, ((struct assumption){ASSUMES_DEPENDENCY_EFFORT, NULL}));
}
