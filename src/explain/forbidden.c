/* Explains a forbidden state: the smallest set of axioms that forbids it, and the execution that violates least. */

#include "explain/story.h"
#include "explain/words.h"

/* ---- The smallest set of axioms ---- */

struct core {
  struct story *story;
  VEC(uint32_t) all;        /* the axioms of the model that matter */
  bool *in;                 /* by axiom: in the core */
  uint32_t size, undecided; /* undecided: sets for which the search ran out of time */
  bool out_of_time;
};

enum { EFFORT = 2000 /* conflicts: most sets that forbid a state need few */, MOST_UNDECIDED = 4 };

/* As ask_find, with a limit in conflicts instead of time, so that every run finds the same. */
static enum sat_answer find_easily(struct core *core, lit also, const bool *dropped) {
  struct ask *p = core->story->ask;
  sat_effort(p->sat, EFFORT);
  enum sat_answer answer = ask_find(p, core->story->goal, also, dropped);
  if (answer == SAT_UNKNOWN && base_is_late(p->deadline)) core->out_of_time = true;
  return answer;
}

/* True if the axioms marked in `kept` alone forbid the goal. */
static bool suffice(struct core *core, const bool *kept) {
  struct ask *p = core->story->ask;
  bool *dropped = ARENA_ARRAY(core->story->arena, bool, p->model->axioms.len);
  for (uint32_t i = 0; i < p->model->axioms.len; i++) dropped[i] = !kept[i];
  enum sat_answer answer = find_easily(core, LIT_TRUE, dropped);
  if (answer == SAT_UNKNOWN) core->undecided++;
  return answer == SAT_NO;
}

/* Tries all sets with `left` more axioms, with numbers from `from` on. */
static bool try_sets(struct core *core, uint32_t from, uint32_t left) {
  if (!left) return suffice(core, core->in);
  for (uint32_t i = from; i + left <= core->all.len && !core->out_of_time && core->undecided < MOST_UNDECIDED; i++) {
    core->in[core->all.data[i]] = true;
    if (try_sets(core, i + 1, left - 1)) return true;
    core->in[core->all.data[i]] = false;
  }
  return false;
}

/* Removes one axiom after another while the rest suffices. */
static void shrink(struct core *core) {
  for (uint32_t i = 0; i < core->all.len; i++) core->in[core->all.data[i]] = true;
  for (uint32_t i = 0; i < core->all.len && !core->out_of_time; i++) {
    core->in[core->all.data[i]] = false;
    if (!suffice(core, core->in)) core->in[core->all.data[i]] = true;
  }
}

enum { SMALL_SETS = 3 };

/* True if an axiom constrains some execution of this test. */
static bool matters(const struct ask *p, uint32_t axiom) {
  lit holds = p->encoder.assumptions[axiom];
  return p->model->axioms.data[axiom].role == CAT_AXIOM && holds != LIT_TRUE && sat_occurs(p->sat, holds);
}

static void find_core(struct core *core) {
  const struct model *model = core->story->ask->model;
  bool found = false;
  core->in = ARENA_ARRAY(core->story->arena, bool, model->axioms.len);
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (matters(core->story->ask, i)) VEC_PUSH(core->story->arena, &core->all, i);
  for (uint32_t size = 1; size <= SMALL_SETS && size <= core->all.len && !found; size++)
    found = try_sets(core, 0, size);
  if (!found) shrink(core);
  core->story->out->minimal = !core->undecided;
  core->story->out->minimum = found && !core->undecided;
  for (uint32_t i = 0; i < core->all.len; i++) core->size += core->in[core->all.data[i]];
}

/* ---- The candidate that violates least ---- */

struct candidate {
  struct ask_found found;
  struct violation violation;
  bool *dropped;
  bool made_up;   /* a read takes its value from a later write of its thread, or the execution is incoherent */
  uint32_t score; /* less is better: SCORE_* below, and the length of the cycle */
};

enum {
  SCORE_PLAIN = 1 << 28, /* the violation cannot be decomposed: it explains nothing */
  SCORE_DROPPED = 1 << 24,
  SCORE_MADE_UP = 1 << 20, /* a read takes its value from a later write of its thread */
  SCORE_INCOHERENT = 1 << 19,
  SCORE_VIOLATED = 1 << 16,
  SCORE_OTHER = 1 << 12, /* the axiom violated is not in the core */
  CANDIDATES = 6,
  MOST_CANDIDATES = 30 /* while the best candidate is made up */
};

static bool reads_own_later(const struct execution *x) {
  for (uint32_t w = 0; w < x->rf.n; w++) {
    struct bitset readers = bitmat_row_set(x->rf, w);
    EACH (r, readers)
      if (bitmat_has(x->skeleton->must[CAT_REL_PO], r, w)) return true;
  }
  return false;
}

/* True if communication at one location contradicts program order. No machine does this, so such a candidate explains
 * little about a model that orders more. */
static bool is_incoherent(struct arena *arena, const struct execution *x) {
  struct bitmat eco = bitmat_copy(arena, x->rf);
  bitmat_or(eco, x->co);
  bitmat_or(eco, execution_relation(x, CAT_REL_FR));
  bitmat_closure(eco);
  for (uint32_t a = 0; a < x->rf.n; a++) {
    struct bitset before = bitmat_row_set(eco, a);
    EACH (b, before)
      if (bitmat_has(x->skeleton->must[CAT_REL_PO], b, a)) return true;
  }
  return false;
}

/* Finds the shortest violation in the present execution, and its score. */
static void judge(struct core *core, struct cycles *cycles, bool *dropped, struct candidate *out) {
  struct ask *p = core->story->ask;
  uint32_t violated = 0, best = UINT32_MAX, drops = 0;
  cycle_execution(cycles, p->eval);
  for (uint32_t i = 0; i < p->model->axioms.len; i++) {
    struct violation violation;
    if (p->model->axioms.data[i].role != CAT_AXIOM) continue;
    drops += dropped[i];
    if (eval_axiom(p->eval, i)) continue;
    cycle_find(cycles, i, &violation);
    violated++;
    bool plain = !violation.path || !violation.path->parts;
    uint32_t length = violation.length + (plain ? SCORE_PLAIN : 0) + (core->in[i] ? 0 : SCORE_OTHER);
    if (length < best) out->violation = violation, best = length;
  }
  if (!violated) BUG("%s: a candidate violates nothing", p->program->name);
  out->found = ask_found(p);
  out->dropped = dropped;
  out->score = drops * SCORE_DROPPED + violated * SCORE_VIOLATED + best;
  out->made_up = reads_own_later(p->execution);
  if (out->made_up) out->score += SCORE_MADE_UP;
  else if (is_incoherent(core->story->arena, p->execution)) out->score += SCORE_INCOHERENT, out->made_up = true;
}

/* Tries some executions that may violate only the dropped axioms. */
static bool try_dropping(struct core *core, struct cycles *cycles, bool *dropped, struct candidate *best) {
  struct story *s = core->story;
  struct ask *p = s->ask;
  lit on = sat_variable(p->sat);
  bool any = false;
  for (uint32_t i = 0; i < CANDIDATES || (i < MOST_CANDIDATES && best->made_up); i++) {
    struct candidate now;
    if (find_easily(core, on, dropped) != SAT_YES) return any;
    ask_exclude(p, on);
    ask_reduce_order(p, dropped);
    judge(core, cycles, dropped, &now);
    if (!any && best->score == UINT32_MAX) *best = now;
    if (now.score < best->score) *best = now;
    any = true;
  }
  return any;
}

static bool *drop_set(struct core *core, uint32_t a, uint32_t b) {
  bool *dropped = ARENA_ARRAY(core->story->arena, bool, core->story->ask->model->axioms.len);
  dropped[a] = dropped[b] = true;
  return dropped;
}

/* Drops each axiom of the core alone; if no candidate explains anything, each pair; finally all. */
static bool find_candidate(struct core *core, struct cycles *cycles, struct candidate *best) {
  struct story *s = core->story;
  bool any = false;
  best->score = UINT32_MAX;
  VEC_EACH (a, &core->all)
    if (core->in[*a] && try_dropping(core, cycles, drop_set(core, *a, *a), best)) any = true;
  for (uint32_t i = 0; i < core->all.len && best->score >= SCORE_PLAIN; i++)
    for (uint32_t j = 0; j < core->all.len && core->in[core->all.data[i]]; j++)
      if (try_dropping(core, cycles, drop_set(core, core->all.data[i], core->all.data[j]), best)) any = true;
  if (best->score < SCORE_PLAIN) return true;
  bool *all = ARENA_ARRAY(s->arena, bool, s->ask->model->axioms.len);
  for (uint32_t i = 0; i < core->all.len; i++) all[core->all.data[i]] = true;
  return try_dropping(core, cycles, all, best) || any;
}

/* ---- Explaining the violation ---- */

/* True if a node above this leaf requires the same pair to be morally strong. */
static bool needs_strength(const struct model *model, const struct derivation *d) {
  for (const struct derivation *up = d; up && up->from == d->from && up->to == d->to; up = up->parent)
    LIST_EACH (side, up->sides) {
      const char *name = model_node_name(model, side->node);
      if (side->holds && name && strcmp(name, "morally-strong") == 0) return true;
    }
  return false;
}

static const char *edge_reason(struct story *s, const char *name, const struct base_edge *edge) {
  const struct execution *x = s->ask->execution;
  if (strcmp(name, "fr") == 0) return story_source(s, edge->from, edge->to);
  if (strcmp(name, "rf") == 0 && needs_strength(s->ask->model, edge->leaf))
    return words_why_strong(s->arena, x, edge->from, edge->to);
  return NULL;
}

/* The description of a relation without a name. */
static const char *edge_name(const struct story *s, const struct base_edge *edge) {
  const char *name = model_node_name(s->ask->model, edge->leaf->node);
  return name ? name : lacking_render(s->arena, s->ask->model, edge->leaf->node);
}

static void tell_edge(struct story *s, const struct base_edge *edge) {
  const char *name = edge_name(s, edge);
  const char *because = edge->against ? NULL : edge_reason(s, name, edge);
  if (edge->against) name = arena_printf(s->arena, "%s^-1", name);
  story_step(s, name, edge->from, edge->to, because);
}

/* The step at which the story starts: the one after an fr if there is one, so that the story ends with the read that
 * misses the write at its start; else after a co, else after an rf. */
static uint32_t best_start(const struct story *s, const struct base_path *path) {
  static const char *const last[] = {"fr", "co", "rf"};
  uint32_t start = 0, first = UINT32_MAX;
  for (size_t k = 0; k < ARRAY_LEN(last) && first == UINT32_MAX; k++)
    for (uint32_t i = 0; i < path->len; i++) {
      const char *name = model_node_name(s->ask->model, path->data[i].leaf->node);
      if (name && strcmp(name, last[k]) == 0 && path->data[i].to < first) start = i + 1, first = path->data[i].to;
    }
  return start % path->len;
}

static void tell_path(struct story *s, const struct violation *v) {
  struct base_path path = cycle_flatten(s->arena, v->path);
  uint32_t start = v->from == v->to && path.len ? best_start(s, &path) : 0;
  for (uint32_t i = 0; i < path.len; i++) tell_edge(s, &path.data[(start + i) % path.len]);
  if (!path.len) story_event(s, v->from);
}

/* A violation of an `empty` axiom is not a cycle: finds a step that closes one. */
static void tell_closing(struct story *s, const struct violation *v) {
  const struct model *model = s->ask->model;
  if (v->from == v->to) return;
  const struct execution *x = s->ask->execution;
  uint32_t from = story_event(s, v->from), to = story_event(s, v->to);
  LIST_EACH (side, v->path->sides) {
    const char *name = model_node_name(model, side->node);
    if (!name) name = "the order asked for";
    if (strcmp(name, "rmw") == 0) {
      s->out->closing =
          arena_printf(s->arena, "[%u] and [%u] are the read and the write of one atomic: nothing may come between",
                       from + 1, to + 1);
      return;
    }
    if (side->holds) continue;
    bool is_co = strcmp(name, "co") == 0, is_sc = strcmp(name, "sc") == 0;
    if ((is_co && bitmat_has(x->co, v->to, v->from)) || (is_sc && bitmat_has(x->sc, v->to, v->from))) {
      story_step(s, name, v->to, v->from, is_sc ? NULL : "the order that this state needs");
      return;
    }
    s->out->closing = arena_printf(s->arena, "so [%u] must precede [%u] in %s, but does not", from + 1, to + 1, name);
    return;
  }
}

static bool rule_known(const struct explanation *out, const char *name, uint32_t from, uint32_t to) {
  return SOME(VEC_EACH (rule, &out->rules), strcmp(rule->name, name) == 0 && rule->from == from && rule->to == to);
}

static const char *pattern_reason(struct story *s, const char *name, const struct derivation *d) {
  const struct execution *x = s->ask->execution;
  if (needs_strength(s->ask->model, d)) {
    bool ends = strcmp(name, "sync") == 0;
    return arena_printf(s->arena, "%s%s", ends ? "its ends are " : "", words_why_strong(s->arena, x, d->from, d->to));
  }
  return NULL;
}

/* The named relations of a derivation, inner ones first. */
static void tell_rules(struct story *s, const struct derivation *d) {
  const struct model *model = s->ask->model;
  LIST_EACH (part, d->parts) tell_rules(s, part);
  const char *name = model->nodes.data[d->node].name;
  if (!name || !d->parts) return;
  const struct relation_text *row = story_relation(name);
  bool fits = story_fits(model, row);
  if (row && !*row->text && (fits || !*row->section)) return;
  bool ours = row && *row->text && (fits || !*row->section); /* the text describes the shipped definition */
  uint32_t from = story_event(s, d->from), to = story_event(s, d->to);
  if (rule_known(s->out, name, from, to)) return;
  struct explain_rule rule = {.name = name,
                              .section = fits ? row->section : "",
                              .text = ours ? row->text : lacking_define(s->arena, model, d->node),
                              .because = pattern_reason(s, name, d),
                              .from = from,
                              .to = to};
  VEC_PUSH(s->arena, &s->out->rules, rule);
}

static void tell_axioms(struct core *core, const struct candidate *candidate) {
  struct story *s = core->story;
  for (uint32_t i = 0; i < core->all.len; i++) {
    const struct cat_axiom *axiom = &s->ask->model->axioms.data[core->all.data[i]];
    if (!core->in[core->all.data[i]]) continue;
    const char *section = story_section(s->arena, axiom->name);
    struct explain_axiom told = {axiom->name, section, words_section_title(section),
                                 story_comment(s->arena, axiom->span),
                                 candidate && candidate->violation.axiom == core->all.data[i]};
    VEC_PUSH(s->arena, &s->out->axioms, told);
  }
}

/* ---- The contribution of each instruction ---- */

static void add_role(struct story *s, uint32_t number, const char *text) {
  const struct explain_event *e = &s->out->events.data[number];
  if (!*text || e->thread == NO_THREAD) return;
  VEC_EACH (role, &s->out->roles)
    if (role->thread == e->thread && role->instr == e->instr && strcmp(role->text, text) == 0) return;
  VEC_PUSH(s->arena, &s->out->roles, (struct explain_role){e->thread, e->instr, text});
}

static bool role_before(const struct explain_role *a, const struct explain_role *b) {
  return a->thread != b->thread ? a->thread < b->thread : a->instr < b->instr;
}

static bool has_role(const struct story *s, uint32_t number) {
  const struct explain_event *e = &s->out->events.data[number];
  return SOME(VEC_EACH (role, &s->out->roles), role->thread == e->thread && role->instr == e->instr);
}

/* The order that an event of a host keeps, in the words of its ISA; "" for another event. */
static const char *host_role(const struct event *e) {
  bool arm = e->host == HOST_A64, fence = e->kind == EVENT_FENCE;
  if (fence && e->host && e->sem == SEM_SC)
    return arm ? "is dmb ish: keeps all before it ahead of all after it"
               : "is mfence: keeps stores ahead of later loads";
  if (fence && arm && e->sem == SEM_ACQUIRE) return "is dmb ishld: keeps the loads before it ahead of all after it";
  if (fence && arm) return "is dmb ishst: keeps the stores before it ahead of the stores after it";
  if (e->kind == EVENT_WRITE && e->marks & HOST_L) return "is stlr: keeps what comes before it ahead of it";
  if (e->kind == EVENT_READ && e->marks & HOST_Q) return "is ldapr: keeps what comes after it behind it";
  return e->kind == EVENT_READ && e->marks & HOST_A ? "is ldar: keeps what comes after it behind it" : "";
}

static void tell_host_roles(struct story *s) {
  for (uint32_t i = 0; i < s->out->events.len; i++) {
    const struct explain_event *e = &s->out->events.data[i];
    if (e->event != NO_EVENT) add_role(s, i, host_role(execution_event(s->ask->execution, e->event)));
  }
}

/* The roles of instructions that no rule names. */
static void tell_other_roles(struct story *s) {
  struct explanation *out = s->out;
  VEC_EACH (step, &out->steps) {
    if (strcmp(step->relation, "rf") != 0) continue;
    if (!has_role(s, step->from)) add_role(s, step->from, "writes the value that is read");
    if (!has_role(s, step->to)) add_role(s, step->to, "reads the new value");
  }
  for (uint32_t i = 0; i < out->events.len; i++)
    if (!has_role(s, i)) add_role(s, i, "by its place in program order");
}

static void tell_roles(struct story *s) {
  struct explanation *out = s->out;
  VEC_EACH (step, &out->steps) {
    if (strcmp(step->relation, "fr") == 0) {
      add_role(s, step->from, "reads the old value");
      add_role(s, step->to, "writes the value that is missed");
    }
    const struct relation_text *row = story_relation(step->relation);
    if (!row) continue;
    add_role(s, step->from, row->role_from);
    add_role(s, step->to, row->role_to);
  }
  VEC_EACH (rule, &out->rules) {
    const struct relation_text *row = story_relation(rule->name);
    if (!row || (*row->section && !story_fits(s->ask->model, row))) continue;
    bool pattern = rule->from == rule->to && strstr(row->name, "-pattern") != NULL;
    if (pattern) add_role(s, rule->from, arena_printf(s->arena, "is %s by itself", row->text));
    else add_role(s, rule->from, row->role_from), add_role(s, rule->to, row->role_to);
  }
  tell_host_roles(s);
  tell_other_roles(s);
  VEC_SORT(&out->roles, role_before);
}

/* ---- The other order of two fences ---- */

/* "P0 line 3 -po-> P0 line 4 -sc-> ..." */
static const char *path_text(struct story *s, const struct violation *v) {
  const struct execution *x = s->ask->execution;
  struct base_path path = cycle_flatten(s->arena, v->path);
  uint32_t start = v->from == v->to && path.len ? best_start(s, &path) : 0;
  struct text text = {.arena = s->arena};
  for (uint32_t i = 0; i < path.len; i++) {
    const struct base_edge *edge = &path.data[(start + i) % path.len];
    const struct event *e = execution_event(x, edge->from), *f = execution_event(x, edge->to);
    if (!i) text_add(&text, words_place(s->arena, s->ask->program, e->thread, e->instr));
    text_printf(&text, " -%s%s-> %s", edge_name(s, edge), edge->against ? "^-1" : "",
                words_place(s->arena, s->ask->program, f->thread, f->instr));
  }
  return text_str(&text);
}

/* Fence-SC order is a choice of the candidate: explains why the opposite order is forbidden too. The solver's execution
 * is then another one; the caller returns to its own. */
static const char *other_order(struct core *core, struct cycles *cycles, bool *dropped, uint32_t from, uint32_t to) {
  struct story *s = core->story;
  struct encoder *e = &s->ask->encoder;
  lit other = e->fence_order[(size_t)e->fence_index[to] * e->fence_count + e->fence_index[from]];
  struct candidate now;
  if (other == LIT_FALSE || find_easily(core, other, dropped) != SAT_YES) return NULL;
  ask_reduce_order(s->ask, dropped);
  judge(core, cycles, dropped, &now);
  if (!now.violation.path) return NULL;
  return arena_printf(s->arena, "with the opposite order, %s fails too, by %s",
                      s->ask->model->axioms.data[now.violation.axiom].name, path_text(s, &now.violation));
}

static void tell_other_orders(struct core *core, struct cycles *cycles, const struct candidate *best) {
  struct explanation *out = core->story->out;
  uint32_t count = 0;
  for (uint32_t i = 0; i < out->steps.len && !base_is_late(core->story->ask->deadline); i++) {
    struct explain_step *step = &out->steps.data[i];
    if (strcmp(step->relation, "sc") != 0 || ++count > CANDIDATES) continue;
    step->because =
        other_order(core, cycles, best->dropped, out->events.data[step->from].event, out->events.data[step->to].event);
  }
  if (count) ask_return(core->story->ask, &best->found);
}

/* ---- The whole ---- */

void story_forbidden(struct story *s) {
  struct core core = {.story = s};
  struct candidate best = {0};
  find_core(&core);
  if (core.out_of_time) {
    s->out->incomplete = "the time limit was reached";
    return;
  }
  bool small = s->ask->skeleton->n <= CYCLE_MAX_EVENTS;
  struct cycles *cycles = small ? cycle_new(s->arena, s->ask->model, s->ask->skeleton->n) : NULL;
  if (!small || !find_candidate(&core, cycles, &best)) {
    tell_axioms(&core, NULL);
    s->out->incomplete = !small             ? "the test has too many events to search for a cycle"
                         : core.out_of_time ? "the time limit was reached"
                                            : "the execution that comes closest is too hard to find";
    return;
  }
  tell_axioms(&core, &best);
  ask_return(s->ask, &best.found);
  s->out->execution = best.found.execution;
  s->out->violated = s->ask->model->axioms.data[best.violation.axiom].name;
  if (!best.violation.path) {
    story_event(s, best.violation.from);
    return;
  }
  tell_path(s, &best.violation);
  if (best.violation.from != best.violation.to) tell_closing(s, &best.violation);
  LIST_EACH (d, best.violation.path) tell_rules(s, d);
  tell_other_orders(&core, cycles, &best);
  tell_roles(s);
}
