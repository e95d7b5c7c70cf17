/* Finds verdicts of drafts by trying all their executions. */
#include "generate/generate.h"

#include "rel/eval.h"

enum { EVENTS = 32, NO_SITE = 255 };

/* A set of events, one bit each. */
typedef uint32_t events;

/* An event of an execution. */
struct draft_site {
  uint8_t kind; /* enum event_kind */
  uint8_t thread, location, sem, scope, proxy;
  bool is_init, is_rmw, is_red;
  bool depends;              /* for the write of an atomic: it depends on its read */
  uint8_t value;             /* the value written or read, or DRAFT_FREE */
  uint8_t round;             /* for a barrier: its index in the thread */
  events on[DRAFT_ADDR + 1]; /* by kind of dependency: the reads on which the event depends */
};

/* The events of a draft, thread by thread, then the initial write of each location. */
struct drafted {
  struct draft draft; /* the draft's places, and the final values of locations */
  struct draft_site sites[EVENTS];
  uint32_t n, threads_end;
};

#define EACH_EVENT(e, set)                                                                                             \
  for (events left_##e = (set), e; left_##e && (e = (events)__builtin_ctz(left_##e), true); left_##e &= left_##e - 1)

VEC_NAMED(axioms, uint32_t);

struct quick {
  const struct model *model; /* narrowed: without the sets and relations that are empty in every draft */
  struct eval *eval;
  struct axioms fixed, open; /* axioms that do not depend on coherence and the order of fence.sc; those that do */
  bool orders_fences;        /* the model has an order of fence.sc */
  /* The draft */
  struct drafted program;
  struct builtins in[EVENTS];                 /* by event: the predefined sets that contain it */
  uint8_t source[EVENTS];                     /* for a read: the write that it reads from */
  events reach[DRAFT_THREADS][SCOPE_SYS + 1]; /* the events of the threads in this scope of a thread, itself included */
  events at[DRAFT_LOCATIONS], aliased;        /* accesses to a location; accesses through an alias */
  events all, threads, reads, fences;         /* threads: all but initial writes; fences: those that have an order */
  events co[EVENTS], sc[EVENTS];
};

static bool is_access(const struct draft_site *s) { return s->kind == EVENT_READ || s->kind == EVENT_WRITE; }
static bool is_at_barrier(const struct draft_site *s) { return s->kind == EVENT_ARRIVE || s->kind == EVENT_WAIT; }

/* ---- Predefined sets ---- */

/* The predefined sets that contain the event; an access through an alias counts as generic. */
static struct builtins sets_of(const struct draft_site *s) {
  const struct barrier barrier = {.kind = BARRIER_CTA};
  bool aliased = is_access(s) && s->proxy == PROXY_ALIAS;
  const struct event e = {.kind = (enum event_kind)s->kind,
                          .thread = s->is_init ? NO_THREAD : s->thread,
                          .sem = (enum sem)s->sem,
                          .scope = (enum scope)s->scope,
                          .proxy = aliased ? PROXY_GENERIC : (enum proxy)s->proxy,
                          .is_rmw = s->is_rmw,
                          .is_red = s->is_red,
                          .meeting.barrier = is_at_barrier(s) ? &barrier : NULL};
  struct builtins in = {0};
  for (int set = 0; set < CAT_SET_COUNT; set++)
    if (event_is_in(&e, (enum cat_builtin)set)) builtins_add(&in, (enum cat_builtin)set);
  return in;
}

/* ---- The draft ---- */

/* The semantics of the read or the write of an instruction: the read does not release, and the write does not
 * acquire. */
static uint8_t half_sem(const struct draft_event *e, enum sem own, enum sem other) {
  if (!draft_is_update(e)) return e->sem;
  return (uint8_t)(e->sem == SEM_ACQ_REL ? own : e->sem == other ? SEM_RELAXED : e->sem);
}

/* The events of an instruction, one or two: the read and the write of an update, the arrival and the wait of a barrier.
 * Returns their number; 0: an unsupported instruction. Thread, round and dependencies stay 0. */
static uint32_t sites_from(const struct draft_event *e, struct draft_site out[2]) {
  bool updates = draft_is_update(e), meets = e->kind == DRAFT_BARRIER;
  struct draft_site site = {.kind = e->kind == DRAFT_FENCE ? EVENT_FENCE : EVENT_PROXY_FENCE,
                            .location = e->location,
                            .sem = e->sem,
                            .scope = meets ? SCOPE_NONE : e->scope,
                            .proxy = e->proxy,
                            .is_rmw = updates};
  if (e->kind == DRAFT_CLUSTER_BARRIER || draft_is_async(e)) return 0;
  out[0] = out[1] = site;
  if (meets) out[0].kind = EVENT_ARRIVE, out[1].kind = EVENT_WAIT;
  if (e->kind == DRAFT_READ || updates) {
    out[0].kind = EVENT_READ;
    out[0].is_red = e->kind == DRAFT_RED;
    out[0].value = out[0].is_red ? DRAFT_FREE : e->reads;
    out[0].sem = half_sem(e, SEM_ACQUIRE, SEM_RELEASE);
  }
  struct draft_site *write = &out[updates];
  if (draft_writes(e)) {
    write->kind = EVENT_WRITE;
    write->depends = e->kind == DRAFT_CAS || e->kind == DRAFT_RED;
    write->value = e->writes;
    write->sem = half_sem(e, SEM_RELEASE, SEM_ACQUIRE);
  }
  return meets || updates ? 2 : 1;
}

/* False if the draft is not supported here: too many events, a value that depends on a read with a free value, or
 * threads of a CTA with different numbers of barriers. */
static bool lay_out(const struct draft *d, struct drafted *p) {
  uint32_t rounds[DRAFT_THREADS] = {0};
  p->draft = *d;
  p->n = 0;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    events latest = 0; /* the last read that gave a register a value */
    bool free = false;
    ARRAY_EACH (e, d->threads[t].events, d->threads[t].count) {
      struct draft_site sites[2];
      uint32_t count = sites_from(e, sites), first = p->n;
      if (!count || p->n + count + d->location_count > EVENTS) return false;
      if ((e->dep != DRAFT_NO_DEP && free) || (e->kind == DRAFT_CAS && e->reads == DRAFT_FREE)) return false;
      if (draft_reads(e)) free = e->reads == DRAFT_FREE;
      for (uint32_t k = 0; k < count; k++) {
        sites[k].round = (uint8_t)rounds[t];
        sites[k].on[e->dep] |= latest;
        if (sites[k].depends) sites[k].on[DRAFT_DATA] |= (events)1 << first;
        sites[k].thread = (uint8_t)t;
        p->sites[p->n++] = sites[k];
      }
      if (draft_gives(e)) latest = (events)1 << first;
      rounds[t] += e->kind == DRAFT_BARRIER;
    }
  }
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t u = 0; u < t; u++)
      if (d->threads[t].cta == d->threads[u].cta && rounds[t] != rounds[u]) return false;
  p->threads_end = p->n;
  for (uint32_t l = 0; l < d->location_count; l++)
    p->sites[p->n++] =
        (struct draft_site){.kind = EVENT_WRITE, .thread = NO_SITE, .location = (uint8_t)l, .is_init = true};
  return true;
}

/* ---- Predefined relations ---- */

static void begin(struct quick *q) {
  const struct drafted *p = &q->program;
  q->all = p->n == EVENTS ? UINT32_MAX : ((events)1 << p->n) - 1;
  q->threads = ((events)1 << p->threads_end) - 1;
  memset(q->reach, 0, sizeof q->reach);
  memset(q->at, 0, sizeof q->at);
  q->aliased = q->reads = q->fences = 0;
  for (uint32_t i = 0; i < p->n; i++) {
    const struct draft_site *s = &p->sites[i];
    events bit = (events)1 << i;
    q->in[i] = sets_of(s);
    if (is_access(s)) q->at[s->location] |= bit;
    if (is_access(s) && s->proxy == PROXY_ALIAS) q->aliased |= bit;
    if (s->kind == EVENT_READ) q->reads |= bit;
    if (q->orders_fences && builtins_have(&q->in[i], CAT_SET_SC)) q->fences |= bit;
    for (uint32_t t = 0; t < p->draft.thread_count && !s->is_init; t++) {
      uint32_t nearest = t == s->thread ? SCOPE_NONE : draft_common_scope(&p->draft, t, s->thread);
      for (uint32_t scope = nearest; scope <= SCOPE_SYS; scope++) q->reach[t][scope] |= bit;
    }
  }
  eval_changed(q->eval, p->n, PART_ALL);
}

/* The events with the same address: the name for another proxy has the location's address, an alias has its own
 * address, and an initial write has both. */
static events same_address(const struct quick *q, const struct draft_site *s) {
  if (!is_access(s)) return 0;
  if (s->is_init) return q->at[s->location];
  return q->at[s->location] & (~q->threads | (s->proxy == PROXY_ALIAS ? q->aliased : ~q->aliased));
}

static events near(const struct quick *q, uint32_t a, enum scope scope) {
  const struct draft_site *s = &q->program.sites[a];
  return s->is_init ? 0 : q->reach[s->thread][scope];
}

static events included(const struct quick *q, uint32_t a) {
  const struct draft_site *s = &q->program.sites[a];
  return s->scope == SCOPE_NONE ? 0 : near(q, a, (enum scope)s->scope);
}

static bool meet(const struct quick *q, uint32_t a, uint32_t b) {
  return included(q, a) >> b & 1 && included(q, b) >> a & 1;
}

static events dependent(const struct quick *q, uint32_t a, enum draft_dep dep) {
  events set = 0;
  for (uint32_t b = 0; b < q->program.threads_end; b++) set |= (q->program.sites[b].on[dep] >> a & 1) << b;
  return set;
}

/* The events that an arrival precedes: the waits of its round, with `later` also the arrivals of later rounds. */
static events rounds(const struct quick *q, uint32_t a, bool later) {
  const struct draft_site *x = &q->program.sites[a];
  events set = 0;
  if (x->kind != EVENT_ARRIVE) return 0;
  EACH_EVENT(b, near(q, a, SCOPE_CTA)) {
    const struct draft_site *y = &q->program.sites[b];
    bool meets = y->kind == EVENT_WAIT && x->round == y->round;
    if (meets || (later && y->kind == EVENT_ARRIVE && x->round < y->round)) set |= (events)1 << b;
  }
  return set;
}

/* The predefined relations that are empty in every draft. */
#define LACKS                                                                                                          \
  case CAT_REL_PARTIAL:                                                                                                \
  case CAT_REL_LXSX:                                                                                                   \
  case CAT_REL_BAR_RELAXED:                                                                                            \
  case CAT_REL_ISSUE:                                                                                                  \
  case CAT_REL_SPAWN:                                                                                                  \
  case CAT_REL_COMP:                                                                                                   \
  case CAT_REL_INNER:                                                                                                  \
  case CAT_REL_SAMEOP:                                                                                                 \
  case CAT_REL_WAITED:                                                                                                 \
  case CAT_REL_PIPELINE:                                                                                               \
  case CAT_REL_COVERS:                                                                                                 \
  case CAT_REL_SPANS:                                                                                                  \
  case CAT_REL_NAMES:                                                                                                  \
  case CAT_REL_COLUMNS:                                                                                                \
  case CAT_REL_PEER:                                                                                                   \
  case CAT_REL_FREED:                                                                                                  \
  case CAT_REL_TOGETHER:                                                                                               \
  case CAT_REL_LENDS:                                                                                                  \
  case CAT_REL_KEEPS:                                                                                                  \
  case CAT_REL_ENDED:                                                                                                  \
  case CAT_REL_LAUNCH:                                                                                                 \
  case CAT_REL_DEPENDENT:                                                                                              \
  case CAT_REL_API:                                                                                                    \
  case CAT_REL_SOBJ:                                                                                                   \
  case CAT_REL_MO:                                                                                                     \
  case CAT_REL_PHASE:                                                                                                  \
  case CAT_REL_NEXT_PHASE:                                                                                             \
  case CAT_REL_EXCHANGE:                                                                                               \
  case CAT_REL_GATHERS

/* The events to which the relation relates event a. */
static events row_of(const struct quick *q, enum cat_builtin relation, uint32_t a) {
  const struct draft_site *x = &q->program.sites[a];
  events own = (events)1 << a, thread = near(q, a, SCOPE_NONE), set = 0;
  switch (relation) {
    case CAT_REL_ID: return own;
    case CAT_REL_PO: return thread & ~own & ~(own - 1);
    case CAT_REL_LOC: return is_access(x) ? q->at[x->location] : 0;
    case CAT_REL_VLOC:
    case CAT_REL_SAME_RANGE: return same_address(q, x);
    case CAT_REL_INT: return thread | own;
    case CAT_REL_EXT: return q->all & ~(thread | own);
    case CAT_REL_RMW: return x->is_rmw && x->kind == EVENT_READ ? own << 1 : 0;
    case CAT_REL_DATA: return dependent(q, a, DRAFT_DATA);
    case CAT_REL_CTRL: return dependent(q, a, DRAFT_CTRL);
    case CAT_REL_ADDR: return dependent(q, a, DRAFT_ADDR);
    case CAT_REL_INCL: return included(q, a);
    case CAT_REL_SR: EACH_EVENT(b, included(q, a)) set |= (events)meet(q, a, b) << b; return set;
    case CAT_REL_HOME:
    case CAT_REL_SCTA: return near(q, a, SCOPE_CTA);
    case CAT_REL_SCLUSTER: return near(q, a, SCOPE_CLUSTER);
    case CAT_REL_SGPU: return near(q, a, SCOPE_GPU);
    case CAT_REL_SDOMAIN: return near(q, a, SCOPE_SYS);
    case CAT_REL_RF: EACH_EVENT(b, q->reads) set |= (events)(q->source[b] == a) << b; return set;
    case CAT_REL_CO: return q->co[a];
    case CAT_REL_FR: return x->kind == EVENT_READ ? q->co[q->source[a]] : 0;
    case CAT_REL_SC_ORDER: return q->sc[a];
    case CAT_REL_BAR: return rounds(q, a, false);
    case CAT_REL_PHASE_ORDER:
      return rounds(q, a, true);
    LACKS:
      return 0;
#define SET(id, name, meaning) case CAT_SET_##id:
#include "cat/builtin.def"
    case CAT_BUILTIN_COUNT: break;
  }
  BUG("builtin %d is not a relation", (int)relation);
}

/* ---- The model ---- */

static unsigned parts_of(const void *state, enum cat_builtin builtin) {
  (void)state;
  if (builtin == CAT_REL_RF) return PART_SHAPE | PART_RF;
  if (builtin == CAT_REL_CO) return PART_SHAPE | PART_CO;
  if (builtin == CAT_REL_FR) return PART_SHAPE | PART_RF | PART_CO;
  return builtin == CAT_REL_SC_ORDER ? PART_SHAPE | PART_SC : PART_SHAPE;
}

static void fill(const void *state, enum cat_builtin builtin, struct bitset set, struct bitmat relation) {
  const struct quick *q = state;
  if (builtin_is_set(builtin)) {
    set.words[0] = 0;
    for (uint32_t a = 0; a < q->program.n; a++) set.words[0] |= (uint64_t)builtins_have(&q->in[a], builtin) << a;
  } else {
    for (uint32_t a = 0; a < q->program.n; a++) relation.words[a] = row_of(q, builtin, a);
  }
}

static bool is_lacking(enum cat_builtin relation) {
  switch ((int)relation) {
  LACKS:
    return true;
  }
  return false;
}

/* Sets and relations that are empty in every draft. */
static struct builtins find_absent(void) {
  const struct draft_site init = {.kind = EVENT_WRITE, .is_init = true};
  struct builtins some = sets_of(&init), absent = {0};
  struct draft_event e = {0};
  for (e.kind = DRAFT_READ; e.kind <= DRAFT_BARRIER; e.kind++)
    for (e.sem = SEM_WEAK; e.sem <= SEM_SC; e.sem++)
      for (e.scope = SCOPE_NONE; e.scope <= SCOPE_SYS; e.scope++)
        for (e.proxy = PROXY_GENERIC; e.proxy <= PROXY_ALIAS; e.proxy++) {
          struct draft_site sites[2];
          if (draft_is_scoped(&e) != (e.scope != SCOPE_NONE)) continue;
          for (uint32_t count = sites_from(&e, sites); count; count--) {
            struct builtins in = sets_of(&sites[count - 1]);
            for (size_t i = 0; i < ARRAY_LEN(in.words); i++) some.words[i] |= in.words[i];
          }
        }
  for (int set = 0; set < CAT_SET_COUNT; set++)
    if (!builtins_have(&some, (enum cat_builtin)set)) builtins_add(&absent, (enum cat_builtin)set);
  for (int relation = CAT_SET_COUNT; relation < CAT_BUILTIN_COUNT; relation++)
    if (is_lacking((enum cat_builtin)relation)) builtins_add(&absent, (enum cat_builtin)relation);
  return absent;
}

static bool reads_programs(const struct model *model) {
  return SOME(for (int i = 0; i < READING_COUNT; i++), model->reads[i]) || model->language == ABOUT_CUDA;
}

/* True if the model makes some executions of drafts undefined. */
static bool has_clauses(const struct model *model) {
  VEC_EACH (axiom, &model->axioms) {
    bool void_one = axiom->test == CAT_IS_EMPTY && !axiom->negated && model->nodes.data[axiom->node].op == CAT_EMPTY;
    if (axiom->role == CAT_UNDEFINED && !void_one) return true;
  }
  return false;
}

struct quick *quick_new(struct arena *arena, const struct model *model) {
  const struct builtins absent = find_absent();
  struct quick *q = ARENA_NEW(arena, struct quick);
  const struct eval_source source = {.state = q, .most = EVENTS, .parts = parts_of, .fill = fill};
  if (model->group_count || reads_programs(model)) return NULL;
  q->model = model_narrowed(arena, model, &absent);
  if (has_clauses(q->model)) return NULL;
  q->eval = eval_from(arena, q->model, &source);
  q->orders_fences = model_builtin(q->model, CAT_REL_SC_ORDER) != CAT_NO_NODE;
  for (uint32_t i = 0; i < q->model->axioms.len; i++) {
    bool open = eval_axiom_parts(q->eval, i) & (PART_CO | PART_SC);
    if (q->model->axioms.data[i].role == CAT_AXIOM) VEC_PUSH(arena, open ? &q->open : &q->fixed, i);
  }
  return q;
}

/* ---- Choices ---- */

static bool all_hold(struct quick *q, const struct axioms *axioms) {
  return EVERY_BELOW(i, axioms->len, eval_axiom(q->eval, axioms->data[i]));
}

/* Tries the orders of fence.sc: pairs whose scopes contain each other's thread, and pairs within a thread. */
static bool try_fences(struct quick *q, events placed) {
  if (placed == q->fences) {
    eval_changed(q->eval, q->program.n, PART_CO | PART_SC);
    return all_hold(q, &q->open);
  }
  EACH_EVENT(next, q->fences & ~placed) {
    EACH_EVENT(before, placed)
    if (near(q, next, SCOPE_NONE) >> before & 1 || meet(q, before, next)) q->sc[before] |= (events)1 << next;
    if (try_fences(q, placed | (events)1 << next)) return true;
    EACH_EVENT(before, placed) q->sc[before] &= ~((events)1 << next);
  }
  return false;
}

/* The writes to a location without the initial write. */
static events writes_to(const struct quick *q, uint32_t location) {
  events set = 0;
  for (uint32_t i = 0; i < q->program.threads_end; i++)
    set |= (events)(q->program.sites[i].kind == EVENT_WRITE && q->program.sites[i].location == location) << i;
  return set;
}

static bool try_location(struct quick *q, uint32_t location);

/* Places one write after another in a partial order: after a set of placed writes that is closed under predecessors,
 * and before a set that is closed under successors. */
static bool place_write(struct quick *q, uint32_t location, events all, events done) {
  if (done == all) return try_location(q, location + 1);
  events left = all & ~done, next = left & -left;
  uint32_t w = (uint32_t)__builtin_ctz(left), last = q->program.draft.last[location];
  events saved[EVENTS];
  memcpy(saved, q->co, sizeof saved);
  for (events below = done;; below = (below - 1) & done) {
    for (events above = done & ~below;; above = (above - 1) & (done & ~below)) {
      bool right = EVERY(EACH_EVENT (a, above), (q->co[a] & ~above & done) == 0) &&
                   EVERY(EACH_EVENT (b, done), !(q->co[b] & below) || below >> b & 1);
      EACH_EVENT(b, below) right = right && (above & ~q->co[b]) == 0;
      if (last != DRAFT_FREE && above && q->program.sites[w].value == last) right = false;
      EACH_EVENT(b, below) if (last != DRAFT_FREE && q->program.sites[b].value == last) right = false;
      if (right) {
        EACH_EVENT(b, below) q->co[b] |= next;
        q->co[w] = above;
        if (place_write(q, location, all, done | next)) return true;
        memcpy(q->co, saved, sizeof saved);
      }
      if (!above) break;
    }
    if (!below) break;
  }
  return false;
}

static bool try_location(struct quick *q, uint32_t location) {
  if (location == q->program.draft.location_count) return try_fences(q, 0);
  events all = writes_to(q, location);
  q->co[q->program.threads_end + location] = all;
  return place_write(q, location, all, 0);
}

/* Tries the writes that each read may read from: the write of its value in the outcome, or any if it is free. */
static bool try_sources(struct quick *q, uint32_t from) {
  while (from < q->program.threads_end && q->program.sites[from].kind != EVENT_READ) from++;
  if (from == q->program.threads_end) {
    eval_changed(q->eval, q->program.n, PART_RF);
    if (!all_hold(q, &q->fixed)) return false;
    memset(q->co, 0, sizeof q->co);
    memset(q->sc, 0, sizeof q->sc);
    return try_location(q, 0);
  }
  const struct draft_site *read = &q->program.sites[from];
  for (uint32_t w = 0; w < q->program.n; w++) {
    const struct draft_site *write = &q->program.sites[w];
    if (write->kind != EVENT_WRITE || write->location != read->location) continue;
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
  if (!lay_out(&asked, &q->program)) return VERDICT_UNKNOWN;
  begin(q);
  return try_sources(q, 0) ? VERDICT_ALLOWED : VERDICT_FORBIDDEN;
}
