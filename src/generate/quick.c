/* Verdicts of drafts by trying all their executions. */
#include "generate/quick.h"

#include <string.h>

#include "base/vec.h"

enum { EVENTS = QUICK_EVENTS, NO_SITE = 255 };

typedef uint32_t events;

#define EACH_EVENT(e, set)                                                                                             \
  for (events left_##e = (set), e; left_##e && (e = (events)__builtin_ctz(left_##e), true); left_##e &= left_##e - 1)

/* A set is row 0 alone. */
struct pairs {
  events row[EVENTS];
};

/* What is computed before an axiom is looked at, from those before it on: its nodes that are the same whatever the
 * coherence and the order of fence.sc, and those that are not. */
struct quick_step {
  const struct cat_axiom *axiom;
  VEC(cat_node) fixed, open;
};

struct quick {
  const struct model *model;
  struct pairs *values; /* by node */
  bool *empty, *used;   /* by node: in every draft; in what is not */
  bool *open;           /* by node */
  cat_node *same;       /* by node: that which it equals in drafts */
  VEC(struct quick_step) steps;
  /* The draft */
  const struct draft *draft;
  struct quick_site sites[EVENTS];
  uint32_t n, threads_end; /* initial writes come last */
  events all;
  uint8_t source[EVENTS];                     /* of a read */
  events reach[DRAFT_THREADS][SCOPE_SYS + 1]; /* the events of the threads that are that near to one, itself included */
  events at[DRAFT_LOCATIONS], aliased;        /* accesses to a location; those through an alias */
  events reads, inits;
  struct pairs co, sc;
  events fences;
};

static const struct cat_expr *expr(const struct quick *q, cat_node node) { return &q->model->nodes.data[node]; }

/* ---- The model ---- */

/* Of what drafts have none. */
static bool is_absent(enum cat_builtin builtin) {
  switch (builtin) {
    case CAT_SET_EVERY:
    case CAT_SET_READ:
    case CAT_SET_WRITE:
    case CAT_SET_MEM:
    case CAT_SET_FENCE:
    case CAT_SET_INIT:
    case CAT_SET_WEAK:
    case CAT_SET_RLX:
    case CAT_SET_ACQ:
    case CAT_SET_REL:
    case CAT_SET_ACQ_REL:
    case CAT_SET_SC:
    case CAT_SET_RED:
    case CAT_SET_ATOM:
    case CAT_SET_ARRIVE:
    case CAT_SET_WAIT:
    case CAT_SET_GENERIC:
    case CAT_SET_ALIAS:
#define PTX_SCOPE(id, word, cuda, set, meaning) case CAT_SET_SCOPE_##id:
#include "ptx/words.def"
#define PTX_PROXY(id, word, load, store, set, meaning) case CAT_SET_##id:
#include "ptx/words.def"
    case CAT_REL_ID:
    case CAT_REL_PO:
    case CAT_REL_LOC:
    case CAT_REL_VLOC:
    case CAT_REL_SAME_RANGE:
    case CAT_REL_INT:
    case CAT_REL_EXT:
    case CAT_REL_RMW:
    case CAT_REL_ADDR:
    case CAT_REL_DATA:
    case CAT_REL_CTRL:
    case CAT_REL_INCL:
    case CAT_REL_SR:
    case CAT_REL_SCTA:
    case CAT_REL_SCLUSTER:
    case CAT_REL_SGPU:
    case CAT_REL_RF:
    case CAT_REL_CO:
    case CAT_REL_FR:
    case CAT_REL_SC_ORDER:
    case CAT_REL_BAR:
    case CAT_REL_PHASE_ORDER:
    case CAT_REL_HOME: return false;
    default: return true;
  }
}

static bool is_empty(const bool *empty, const struct cat_expr *x) {
  bool a = x->a != CAT_NO_NODE && empty[x->a], b = x->b != CAT_NO_NODE && empty[x->b];
  switch (x->op) {
    case CAT_BUILTIN: return is_absent(x->builtin);
    case CAT_EMPTY: return true;
    case CAT_UNION: return a && b;
    case CAT_INTER:
    case CAT_SEQ:
    case CAT_PRODUCT: return a || b;
    case CAT_COMPL: return false;
    default: return a;
  }
}

static bool is_open(const struct quick *q, const struct cat_expr *x) {
  if (x->op == CAT_BUILTIN)
    return x->builtin == CAT_REL_CO || x->builtin == CAT_REL_FR || x->builtin == CAT_REL_SC_ORDER;
  return (x->a != CAT_NO_NODE && q->open[x->a]) || (x->b != CAT_NO_NODE && q->open[x->b]);
}

/* The operand that a union with nothing equals, or a difference from nothing. */
static cat_node same_as(const struct quick *q, const bool *empty, cat_node node) {
  const struct cat_expr *x = expr(q, node);
  if ((x->op == CAT_UNION || x->op == CAT_DIFF) && empty[x->b]) return q->same[x->a];
  if (x->op == CAT_UNION && empty[x->a]) return q->same[x->b];
  return node;
}

/* Adds to a step what its axiom needs beyond what is `known`, operands first. */
static void add_nodes(struct quick *q, struct arena *arena, const bool *empty, bool *known, cat_node node,
                      struct quick_step *step) {
  if (node == CAT_NO_NODE || empty[node] || known[q->same[node]]) return;
  node = q->same[node];
  known[node] = true;
  add_nodes(q, arena, empty, known, expr(q, node)->a, step);
  add_nodes(q, arena, empty, known, expr(q, node)->b, step);
  if (q->open[node]) VEC_PUSH(arena, &step->open, node);
  else VEC_PUSH(arena, &step->fixed, node);
}

/* The axioms one after another, that first which takes the least to look at. */
static void plan(struct quick *q, struct arena *arena, const bool *empty) {
  const struct model *model = q->model;
  bool *known = q->used = ARENA_ARRAY(arena, bool, model->nodes.len),
       *trial = ARENA_ARRAY(arena, bool, model->nodes.len);
  bool *done = ARENA_ARRAY(arena, bool, model->axioms.len);
  for (;;) {
    struct quick_step best = {0};
    uint32_t chosen = 0;
    for (uint32_t i = 0; i < model->axioms.len; i++) {
      struct quick_step step = {.axiom = &model->axioms.data[i]};
      if (done[i] || step.axiom->role != CAT_AXIOM) continue;
      memcpy(trial, known, model->nodes.len * sizeof *trial);
      add_nodes(q, arena, empty, trial, step.axiom->node, &step);
      if (best.axiom && best.fixed.len + best.open.len <= step.fixed.len + step.open.len) continue;
      best = step;
      chosen = i;
    }
    if (!best.axiom) return;
    done[chosen] = true;
    add_nodes(q, arena, empty, known, best.axiom->node, &(struct quick_step){0});
    VEC_PUSH(arena, &q->steps, best);
  }
}

static bool reads_programs(const struct model *model) {
  for (int i = 0; i < READING_COUNT; i++)
    if (model->reads[i]) return true;
  return model->language == ABOUT_CUDA;
}

struct quick *quick_new(struct arena *arena, const struct model *model) {
  uint32_t count = model->nodes.len;
  struct quick *q = ARENA_NEW(arena, struct quick);
  *q = (struct quick){.model = model};
  bool *empty = q->empty = ARENA_ARRAY(arena, bool, count);
  if (model->group_count || reads_programs(model)) return NULL;
  q->open = ARENA_ARRAY(arena, bool, count);
  q->values = ARENA_ARRAY(arena, struct pairs, count);
  q->same = ARENA_ARRAY(arena, cat_node, count);
  for (cat_node i = 0; i < count; i++) {
    empty[i] = is_empty(empty, expr(q, i));
    q->open[i] = !empty[i] && is_open(q, expr(q, i));
    q->same[i] = same_as(q, empty, i);
  }
  for (uint32_t i = 0; i < model->axioms.len; i++) {
    const struct cat_axiom *axiom = &model->axioms.data[i];
    if (axiom->role == CAT_UNDEFINED && (axiom->test != CAT_IS_EMPTY || axiom->negated || !empty[axiom->node]))
      return NULL;
  }
  plan(q, arena, empty);
  return q;
}

bool quick_lacks(const struct quick *quick, cat_node node) {
  return quick->empty[node] || !quick->used[quick->same[node]];
}

/* ---- The draft ---- */

static bool is_access(const struct quick_site *s) { return s->kind == DRAFT_READ || s->kind == DRAFT_WRITE; }

static void add_site(struct quick *q, struct quick_site site) { q->sites[q->n++] = site; }

static bool is_update(const struct draft_event *e) {
  return e->kind == DRAFT_UPDATE || e->kind == DRAFT_CAS || e->kind == DRAFT_RED;
}

/* The semantics of the half that does not release, or not acquire. */
static uint8_t half_sem(const struct draft_event *e, enum sem own, enum sem other) {
  if (!is_update(e)) return e->sem;
  return (uint8_t)(e->sem == SEM_ACQ_REL ? own : e->sem == other ? SEM_RELAXED : e->sem);
}

uint32_t quick_sites(const struct draft_event *e, struct quick_site out[2]) {
  struct quick_site site = {.kind = e->kind,
                            .location = e->location,
                            .sem = e->sem,
                            .scope = e->scope,
                            .proxy = e->proxy,
                            .dep = e->dep,
                            .is_rmw = is_update(e)};
  if (e->kind == DRAFT_CLUSTER_BARRIER || draft_is_async(e)) return 0;
  out[0] = out[1] = site;
  if (e->kind == DRAFT_BARRIER) out[1].is_wait = true;
  if (e->kind == DRAFT_READ || is_update(e)) {
    out[0].kind = DRAFT_READ;
    out[0].is_red = e->kind == DRAFT_RED;
    out[0].value = out[0].is_red ? DRAFT_FREE : e->reads;
    out[0].sem = half_sem(e, SEM_ACQUIRE, SEM_RELEASE);
  }
  struct quick_site *write = is_update(e) ? &out[1] : &out[0];
  if (draft_writes(e)) {
    write->kind = DRAFT_WRITE;
    write->depends = e->kind == DRAFT_CAS || e->kind == DRAFT_RED;
    write->value = e->writes;
    write->sem = half_sem(e, SEM_RELEASE, SEM_ACQUIRE);
  }
  return e->kind == DRAFT_BARRIER || is_update(e) ? 2 : 1;
}

/* False where the draft is not done here: a value that depends on a read that may return anything, or threads of a CTA
 * with different numbers of barriers. */
static bool lay_out(struct quick *q, const struct draft *d) {
  uint32_t rounds[DRAFT_THREADS] = {0};
  q->draft = d;
  q->n = 0;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    bool free = false;
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      struct quick_site sites[2];
      uint32_t count = quick_sites(e, sites);
      if (!count) return false;
      if ((e->dep != DRAFT_NO_DEP && free) || (e->kind == DRAFT_CAS && e->reads == DRAFT_FREE)) return false;
      if (draft_reads(e)) free = e->reads == DRAFT_FREE;
      for (uint32_t k = 0; k < count; k++) {
        sites[k].thread = (uint8_t)t;
        sites[k].round = (uint8_t)rounds[t];
        add_site(q, sites[k]);
      }
      rounds[t] += e->kind == DRAFT_BARRIER;
    }
  }
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t u = 0; u < t; u++)
      if (d->threads[t].cta == d->threads[u].cta && rounds[t] != rounds[u]) return false;
  q->threads_end = q->n;
  for (uint32_t l = 0; l < d->location_count; l++)
    add_site(q, (struct quick_site){.kind = DRAFT_WRITE, .thread = NO_SITE, .location = (uint8_t)l, .is_init = true});
  q->all = q->n == EVENTS ? UINT32_MAX : ((events)1 << q->n) - 1;
  return true;
}

/* ---- Predefined sets and relations ---- */

bool quick_has(const struct quick_site *s, enum cat_builtin set) {
  bool access = is_access(s), fence = s->kind == DRAFT_FENCE, proxy = s->kind == DRAFT_PROXY_FENCE;
#define PTX_SCOPE(id, word, cuda, name, meaning)                                                                       \
  if (set == CAT_SET_SCOPE_##id) return s->scope == SCOPE_##id;
#include "ptx/words.def"
#define PTX_PROXY(id, word, load, store, name, meaning)                                                                \
  if (set == CAT_SET_##id) return (access || proxy) && s->proxy == PROXY_##id;
#include "ptx/words.def"
  switch (set) {
    case CAT_SET_EVERY: return true;
    case CAT_SET_READ: return s->kind == DRAFT_READ;
    case CAT_SET_WRITE: return s->kind == DRAFT_WRITE;
    case CAT_SET_MEM: return access;
    case CAT_SET_FENCE: return fence || proxy;
    case CAT_SET_INIT: return s->is_init;
    case CAT_SET_WEAK: return access && s->sem == SEM_WEAK;
    case CAT_SET_RLX: return access && s->sem == SEM_RELAXED;
    case CAT_SET_ACQ: return s->sem == SEM_ACQUIRE;
    case CAT_SET_REL: return s->sem == SEM_RELEASE;
    case CAT_SET_ACQ_REL: return fence && s->sem == SEM_ACQ_REL;
    case CAT_SET_SC: return fence && s->sem == SEM_SC;
    case CAT_SET_ATOM: return s->is_rmw;
    case CAT_SET_RED: return s->is_red;
    case CAT_SET_ARRIVE: return s->kind == DRAFT_BARRIER && !s->is_wait;
    case CAT_SET_WAIT: return s->kind == DRAFT_BARRIER && s->is_wait;
    case CAT_SET_GENERIC: return fence || (access && (s->proxy == PROXY_GENERIC || s->proxy == PROXY_ALIAS));
    case CAT_SET_ALIAS: return proxy && s->proxy == PROXY_ALIAS;
    default: return false;
  }
}

static void fill_masks(struct quick *q) {
  const struct draft *d = q->draft;
  memset(q->reach, 0, sizeof q->reach);
  memset(q->at, 0, sizeof q->at);
  q->aliased = q->reads = q->inits = 0;
  for (uint32_t i = 0; i < q->n; i++) {
    const struct quick_site *s = &q->sites[i];
    events bit = (events)1 << i;
    if (is_access(s)) q->at[s->location] |= bit;
    if (is_access(s) && s->proxy == PROXY_ALIAS) q->aliased |= bit;
    if (s->kind == DRAFT_READ) q->reads |= bit;
    if (s->is_init) q->inits |= bit;
    for (uint32_t t = 0; t < d->thread_count && !s->is_init; t++) {
      uint32_t nearest = t == s->thread ? SCOPE_NONE : draft_common_scope(d, t, s->thread);
      for (uint32_t scope = nearest; scope <= SCOPE_SYS; scope++) q->reach[t][scope] |= bit;
    }
  }
}

/* A name for another proxy has the address of the location; an alias has its own, and an initial write has each. */
static events same_address(const struct quick *q, uint32_t a) {
  const struct quick_site *s = &q->sites[a];
  if (!is_access(s)) return 0;
  if (s->is_init) return q->at[s->location];
  return q->at[s->location] & (q->inits | (s->proxy == PROXY_ALIAS ? q->aliased : ~q->aliased));
}

static events near(const struct quick *q, uint32_t a, enum scope scope) {
  return q->sites[a].is_init ? 0 : q->reach[q->sites[a].thread][scope];
}

static events included(const struct quick *q, uint32_t a) {
  return q->sites[a].scope == SCOPE_NONE ? 0 : near(q, a, (enum scope)q->sites[a].scope);
}

static bool includes(const struct quick *q, uint32_t a, uint32_t b) { return included(q, a) >> b & 1; }

/* What depends on a read: events up to the next read of its thread that gives a register something, that included. */
static events dependent(const struct quick *q, uint32_t a, enum draft_dep dep) {
  events set = 0;
  if (q->sites[a].kind != DRAFT_READ) return 0;
  if (dep == DRAFT_DATA && q->sites[a].is_rmw && q->sites[a + 1].depends) set |= (events)1 << (a + 1);
  if (q->sites[a].is_red) return set;
  for (uint32_t b = a + 1; b < q->threads_end && q->sites[b].thread == q->sites[a].thread; b++) {
    if (q->sites[b].dep == dep) set |= (events)1 << b;
    if (q->sites[b].kind == DRAFT_READ && !q->sites[b].is_red) break;
  }
  return set;
}

/* From an arrival: to the waits of its round, and to the arrivals of later ones. */
static events rounds(const struct quick *q, uint32_t a, bool later) {
  const struct quick_site *x = &q->sites[a];
  events set = 0;
  if (x->kind != DRAFT_BARRIER || x->is_wait) return 0;
  for (uint32_t b = 0; b < q->threads_end; b++) {
    const struct quick_site *y = &q->sites[b];
    if (y->kind != DRAFT_BARRIER || !(near(q, a, SCOPE_CTA) >> b & 1)) continue;
    if (y->is_wait ? x->round == y->round : later && x->round < y->round) set |= (events)1 << b;
  }
  return set;
}

/* The events that event a is related to. */
static events row_of(const struct quick *q, enum cat_builtin relation, uint32_t a) {
  const struct quick_site *x = &q->sites[a];
  events own = (events)1 << a, thread = near(q, a, SCOPE_NONE), set = 0;
  switch (relation) {
    case CAT_REL_ID: return own;
    case CAT_REL_PO: return thread & ~own & ~(own - 1);
    case CAT_REL_LOC: return is_access(x) ? q->at[x->location] : 0;
    case CAT_REL_VLOC:
    case CAT_REL_SAME_RANGE: return same_address(q, a);
    case CAT_REL_INT: return thread | own;
    case CAT_REL_EXT: return q->all & ~(thread | own);
    case CAT_REL_RMW: return x->is_rmw && x->kind == DRAFT_READ ? own << 1 : 0;
    case CAT_REL_DATA: return dependent(q, a, DRAFT_DATA);
    case CAT_REL_CTRL: return dependent(q, a, DRAFT_CTRL);
    case CAT_REL_ADDR: return dependent(q, a, DRAFT_ADDR);
    case CAT_REL_INCL: return included(q, a);
    case CAT_REL_SR: EACH_EVENT(b, included(q, a)) set |= (events)includes(q, b, a) << b; return set;
    case CAT_REL_HOME:
    case CAT_REL_SCTA: return near(q, a, SCOPE_CTA);
    case CAT_REL_SCLUSTER: return near(q, a, SCOPE_CLUSTER);
    case CAT_REL_SGPU: return near(q, a, SCOPE_GPU);
    case CAT_REL_RF: EACH_EVENT(b, q->reads) set |= (events)(q->source[b] == a) << b; return set;
    case CAT_REL_BAR: return rounds(q, a, false);
    case CAT_REL_PHASE_ORDER: return rounds(q, a, true);
    default: return 0;
  }
}

static void fill_builtin(struct quick *q, enum cat_builtin builtin, struct pairs *out) {
  if (builtin == CAT_REL_CO) {
    *out = q->co;
  } else if (builtin == CAT_REL_SC_ORDER) {
    *out = q->sc;
  } else if (builtin == CAT_REL_FR) {
    for (uint32_t a = 0; a < q->n; a++) out->row[a] = q->sites[a].kind == DRAFT_READ ? q->co.row[q->source[a]] : 0;
  } else if (builtin_is_set(builtin)) {
    out->row[0] = 0;
    for (uint32_t a = 0; a < q->n; a++) out->row[0] |= (events)quick_has(&q->sites[a], builtin) << a;
  } else {
    for (uint32_t a = 0; a < q->n; a++) out->row[a] = row_of(q, builtin, a);
  }
}

/* ---- Operators ---- */

static void close(struct pairs *r, uint32_t n) {
  for (uint32_t k = 0; k < n; k++)
    for (uint32_t i = 0; i < n; i++)
      if (r->row[i] >> k & 1) r->row[i] |= r->row[k];
}

static void boolean(enum cat_op op, const struct pairs *a, const struct pairs *b, uint32_t rows, struct pairs *out) {
  for (uint32_t i = 0; i < rows; i++)
    out->row[i] = op == CAT_UNION   ? a->row[i] | b->row[i]
                  : op == CAT_INTER ? a->row[i] & b->row[i]
                                    : a->row[i] & ~b->row[i];
}

static void compose(const struct pairs *a, const struct pairs *b, uint32_t n, struct pairs *out) {
  for (uint32_t i = 0; i < n; i++) {
    events row = 0;
    EACH_EVENT(k, a->row[i]) row |= b->row[k];
    out->row[i] = row;
  }
}

static void project(const struct pairs *a, uint32_t n, bool range, struct pairs *out) {
  events set = 0;
  for (uint32_t i = 0; i < n; i++) set |= range ? a->row[i] : (events)(a->row[i] != 0) << i;
  out->row[0] = set;
}

static void compute(struct quick *q, cat_node node) {
  const struct cat_expr *x = expr(q, node);
  struct pairs *out = &q->values[node];
  const struct pairs *a = x->a == CAT_NO_NODE ? NULL : &q->values[q->same[x->a]];
  const struct pairs *b = x->b == CAT_NO_NODE ? NULL : &q->values[q->same[x->b]];
  uint32_t n = q->n, rows = x->is_set ? 1 : n;
  switch (x->op) {
    case CAT_BUILTIN: fill_builtin(q, x->builtin, out); break;
    case CAT_UNION:
    case CAT_INTER:
    case CAT_DIFF: boolean(x->op, a, b, rows, out); break;
    case CAT_COMPL:
      for (uint32_t i = 0; i < rows; i++) out->row[i] = q->all & ~a->row[i];
      break;
    case CAT_SEQ: compose(a, b, n, out); break;
    case CAT_PRODUCT:
      for (uint32_t i = 0; i < n; i++) out->row[i] = a->row[0] >> i & 1 ? b->row[0] : 0;
      break;
    case CAT_INVERSE:
      memset(out->row, 0, n * sizeof out->row[0]);
      for (uint32_t i = 0; i < n; i++) EACH_EVENT(k, a->row[i]) out->row[k] |= (events)1 << i;
      break;
    case CAT_PLUS:
      memcpy(out->row, a->row, n * sizeof out->row[0]);
      close(out, n);
      break;
    case CAT_IDENTITY:
      for (uint32_t i = 0; i < n; i++) out->row[i] = a->row[0] & (events)1 << i;
      break;
    case CAT_DOMAIN: project(a, n, false, out); break;
    case CAT_RANGE: project(a, n, true, out); break;
    case CAT_EMPTY:
    case CAT_REC: break; /* never needed */
  }
}

static bool is_acyclic(const struct quick *q, const struct pairs *r, bool closed) {
  struct pairs copy;
  if (!closed) {
    memcpy(copy.row, r->row, q->n * sizeof copy.row[0]);
    close(&copy, q->n);
    r = &copy;
  }
  for (uint32_t i = 0; i < q->n; i++)
    if (r->row[i] >> i & 1) return false;
  return true;
}

static bool holds(const struct quick *q, const struct cat_axiom *axiom) {
  const struct pairs *r = &q->values[q->same[axiom->node]];
  events any = 0;
  switch (axiom->test) {
    case CAT_ACYCLIC: return is_acyclic(q, r, false) != axiom->negated;
    case CAT_IRREFLEXIVE: return is_acyclic(q, r, true) != axiom->negated;
    case CAT_IS_EMPTY: break;
  }
  for (uint32_t i = 0; i < (expr(q, axiom->node)->is_set ? 1 : q->n); i++) any |= r->row[i];
  return (any == 0) != axiom->negated;
}

/* Axioms that are about nothing open are looked at once. */
static bool all_hold(struct quick *q, bool open) {
  for (uint32_t i = 0; i < q->steps.len; i++) {
    const struct quick_step *step = &q->steps.data[i];
    for (uint32_t k = 0; k < (open ? step->open.len : step->fixed.len); k++)
      compute(q, open ? step->open.data[k] : step->fixed.data[k]);
    if (q->open[step->axiom->node] == open && !holds(q, step->axiom)) return false;
  }
  return true;
}

/* ---- Choices ---- */

/* The order of fence.sc: pairs whose scopes contain each other's thread, and pairs of one thread. */
static bool try_fences(struct quick *q, events placed) {
  if (placed == q->fences) return all_hold(q, true);
  EACH_EVENT(next, q->fences & ~placed) {
    for (uint32_t a = 0; a < q->threads_end; a++) q->sc.row[a] &= ~((events)1 << next);
    EACH_EVENT(before, placed) {
      bool one_thread = q->sites[before].thread == q->sites[next].thread;
      if (one_thread || (includes(q, before, next) && includes(q, next, before)))
        q->sc.row[before] |= (events)1 << next;
    }
    if (try_fences(q, placed | (events)1 << next)) return true;
    EACH_EVENT(before, placed) q->sc.row[before] &= ~((events)1 << next);
  }
  return false;
}

/* The writes of threads to a location. */
static events writes_to(const struct quick *q, uint32_t location) {
  events set = 0;
  for (uint32_t i = 0; i < q->threads_end; i++)
    set |= (events)(q->sites[i].kind == DRAFT_WRITE && q->sites[i].location == location) << i;
  return set;
}

static bool try_location(struct quick *q, uint32_t location);

/* Places one write after another in a partial order: below a set of earlier ones that has with each what is below it,
 * and above one that has what is above. */
static bool place_write(struct quick *q, uint32_t location, events all, events done) {
  if (done == all) return try_location(q, location + 1);
  events left = all & ~done, next = left & -left;
  uint32_t w = (uint32_t)__builtin_ctz(left), last = q->draft->last[location];
  struct pairs saved = q->co;
  for (events below = done;; below = (below - 1) & done) {
    for (events above = done & ~below;; above = (above - 1) & (done & ~below)) {
      bool right = true;
      EACH_EVENT(a, above) right = right && (q->co.row[a] & ~above & done) == 0;
      EACH_EVENT(b, done) right = right && (!(q->co.row[b] & below) || below >> b & 1);
      EACH_EVENT(b, below) right = right && (above & ~q->co.row[b]) == 0;
      if (last != DRAFT_FREE && above && q->sites[w].value == last) right = false;
      EACH_EVENT(b, below) if (last != DRAFT_FREE && q->sites[b].value == last) right = false;
      if (right) {
        EACH_EVENT(b, below) q->co.row[b] |= next;
        q->co.row[w] = above;
        if (place_write(q, location, all, done | next)) return true;
        q->co = saved;
      }
      if (!above) break;
    }
    if (!below) break;
  }
  return false;
}

static bool try_location(struct quick *q, uint32_t location) {
  if (location == q->draft->location_count) return try_fences(q, 0);
  events all = writes_to(q, location);
  q->co.row[q->threads_end + location] = all;
  return place_write(q, location, all, 0);
}

/* What a read takes: the write of the value that it is asked for, or any. */
static bool try_sources(struct quick *q, uint32_t from) {
  while (from < q->threads_end && q->sites[from].kind != DRAFT_READ) from++;
  if (from == q->threads_end) {
    if (!all_hold(q, false)) return false;
    memset(&q->co, 0, sizeof q->co);
    memset(&q->sc, 0, sizeof q->sc);
    return try_location(q, 0);
  }
  const struct quick_site *read = &q->sites[from];
  for (uint32_t w = 0; w < q->n; w++) {
    const struct quick_site *write = &q->sites[w];
    if (write->kind != DRAFT_WRITE || write->location != read->location) continue;
    if (read->value != DRAFT_FREE && read->value != write->value) continue;
    q->source[from] = (uint8_t)w;
    if (try_sources(q, from + 1)) return true;
  }
  return false;
}

enum verdict quick_verdict(struct quick *q, const struct draft *draft) {
  struct draft asked = *draft;
  for (uint32_t l = 0; l < asked.location_count; l++)
    if (draft_write_count(&asked, l) < 2) asked.last[l] = DRAFT_FREE;
  if (!lay_out(q, &asked)) return VERDICT_UNKNOWN;
  fill_masks(q);
  q->fences = 0;
  for (uint32_t i = 0; i < q->threads_end; i++) q->fences |= (events)quick_has(&q->sites[i], CAT_SET_SC) << i;
  return try_sources(q, 0) ? VERDICT_ALLOWED : VERDICT_FORBIDDEN;
}

struct quick_execution quick_execution(const struct quick *q) {
  return (struct quick_execution){q->co.row, q->sc.row, q->source};
}
