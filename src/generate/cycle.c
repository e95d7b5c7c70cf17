/* Makes the test of a cycle written in the words of diy (Alglave and others, "Litmus: running tests against hardware",
 * TACAS 2011), extended by PTX's semantics, scopes and proxies.
 *
 *   Pod.. Pos..            program order to another location, or to the same: .. is two of R, W (and U: atom.exch)
 *   Dpd.dRW Dpc.dRW        with a dependency: of the value written, or of the write's guard
 *   fence.sc.gpu.d..      program order over a fence; also fence.proxy.surface.s.., bar.sync.d.., waits for
 *                          asynchronous operations, and several of them, with + between
 *   Mbe.d..                an arrival at the mbarrier object, which the next thread waits for; Mbe.relaxed.d..;
 *                          fences joined by + before Mbe precede the arrival, those after it follow the wait
 *   Rfe Fre Coe            communication with another thread: reads from, from-read, coherence order
 *   Rfe.cta Rfe.sys        the other thread in the same CTA, or in another GPU; by default in another CTA of the GPU
 *   acquire.gpu surface    between two edges: the semantics and scope, or the proxy, of the event between them; or
 *                          its asynchronous operation: cp.async, cp.async.bulk
 *
 * Events are weak by default. The last edge leads back to the first event, and is a communication.
 */

#include "generate/generate.h"

enum { MOST_BETWEEN = 4 };

struct edge {
  const char *word;
  bool communicates, same_location;
  bool crosses;             /* leads to the next thread: communicates, or both synchronize at the mbarrier object */
  enum draft_kind from, to; /* READ may also mean an update, if the adjacent edge asks for an update */
  enum scope scope;         /* for a communication, the scope that both threads share; SCOPE_NONE: not given */
  enum draft_dep dep;
  struct draft_event between[MOST_BETWEEN]; /* fences, barriers, waits */
  uint32_t between_count, left;             /* `left`: if the edge crosses, those in its first thread */
};

struct cycle_in_words {
  struct arena *arena;
  struct diags *diags;
  struct edge edges[DRAFT_EVENTS];
  struct draft_event events[DRAFT_EVENTS]; /* edges[i] starts at events[i] */
  bool known[DRAFT_EVENTS];                /* the kind of the event is known */
  enum draft_kind async[DRAFT_EVENTS];     /* DRAFT_COPY, DRAFT_BULK_LOAD for any bulk copy; DRAFT_READ: neither */
  bool is_async;                           /* the cycle has asynchronous operations, so all threads are in one CTA */
  uint32_t count, segments;
};

static bool complain(struct cycle_in_words *c, const char *word, const char *why) {
  return diag_refuse(
      c->diags, DIAG_GENERATE_WORD, (struct span){0},
      "'%s': %s" HINT "a cycle is like 'PodWW Rfe PodRR Fre'; man ptxlit lists all edges under GENERATING", word, why);
}

/* ---- Words ---- */

static bool read_sem(const char **at, uint8_t *sem) { return word_sem(at, sem) && *sem != SEM_WEAK; }

static bool read_letter(const char **at, enum draft_kind *kind) {
  if (word_starts(at, "R")) *kind = DRAFT_READ;
  else if (word_starts(at, "W")) *kind = DRAFT_WRITE;
  else if (word_starts(at, "U")) *kind = DRAFT_UPDATE;
  else return false;
  return true;
}

/* Reads "dWR": same or different location, and the kinds of both ends. */
static bool read_ends(const char *at, struct edge *edge) {
  edge->same_location = word_starts(&at, "s");
  return (edge->same_location || word_starts(&at, "d")) && read_letter(&at, &edge->from) &&
         read_letter(&at, &edge->to) && !*at;
}

static bool read_communication(const char *at, struct edge *edge) {
  uint8_t scope = SCOPE_NONE;
  if (word_starts(&at, "Rfe")) edge->from = DRAFT_WRITE, edge->to = DRAFT_READ;
  else if (word_starts(&at, "Fre")) edge->from = DRAFT_READ, edge->to = DRAFT_WRITE;
  else if (word_starts(&at, "Coe")) edge->from = edge->to = DRAFT_WRITE;
  else return false;
  edge->communicates = edge->crosses = edge->same_location = true;
  bool right = !*at || (word_scope(&at, &scope) && !*at);
  edge->scope = (enum scope)scope;
  return right;
}

/* Reads "mbarrier.arrive.relaxed.cluster", in which the semantics and the scope may be missing. */
static bool read_mbarrier(const char *at, struct draft_event *e) {
  enum sem full = SEM_ACQUIRE;
  e->kind = DRAFT_WAIT;
  if (word_starts(&at, "mbarrier.arrive")) e->kind = DRAFT_ARRIVE, full = SEM_RELEASE;
  else if (!word_starts(&at, "mbarrier.wait")) return false;
  e->sem = (uint8_t)full;
  e->scope = SCOPE_CTA;
  if (*at == '.') at++;
  if (*at && !read_sem(&at, &e->sem)) return false;
  if (*at && !word_scope(&at, &e->scope)) return false;
  return !*at && (e->sem == full || e->sem == SEM_RELAXED);
}

static bool read_between(const char *at, struct draft_event *e) {
  *e = (struct draft_event){0};
  if (strcmp(at, "bar.sync") == 0) e->kind = DRAFT_BARRIER;
  else if (strcmp(at, "barrier.cluster") == 0) e->kind = DRAFT_CLUSTER_BARRIER;
  else if (strcmp(at, "cp.async.wait_all") == 0) e->kind = DRAFT_WAIT_COPIES;
  else if (strcmp(at, "cp.async.bulk.wait_group") == 0) e->kind = DRAFT_WAIT_STORES;
  else if (strcmp(at, "cp.async.bulk.wait_group.read") == 0) e->kind = DRAFT_WAIT_READS;
  else if (strcmp(at, "fence.proxy.async") == 0) e->kind = DRAFT_PROXY_FENCE, e->proxy = PROXY_ASYNC;
  else if (word_starts(&at, "fence.proxy.")) {
    e->kind = DRAFT_PROXY_FENCE;
    return word_proxy(&at, &e->proxy) && !*at;
  } else if (word_starts(&at, "fence.")) {
    e->kind = DRAFT_FENCE;
    return read_sem(&at, &e->sem) && e->sem >= SEM_ACQUIRE && word_scope(&at, &e->scope) && !*at;
  } else return read_mbarrier(at, e);
  return true;
}

static bool add_between(struct edge *edge, struct draft_event e) {
  if (edge->between_count == MOST_BETWEEN) return false;
  edge->between[edge->between_count++] = e;
  return true;
}

/* Reads an edge Mbe: an arrival, and the wait in the next thread. */
static bool read_meeting(const char *at, struct edge *edge) {
  bool relaxed = word_starts(&at, "Mbe.relaxed");
  struct draft_event arrive = {.kind = DRAFT_ARRIVE, .sem = SEM_RELEASE, .scope = SCOPE_CTA};
  struct draft_event wait = {.kind = DRAFT_WAIT, .sem = SEM_ACQUIRE, .scope = SCOPE_CTA};
  if ((!relaxed && !word_starts(&at, "Mbe")) || *at || edge->crosses) return false;
  if (relaxed) arrive.sem = wait.sem = SEM_RELAXED;
  edge->crosses = add_between(edge, arrive);
  edge->left = edge->between_count;
  return add_between(edge, wait);
}

/* "fence.proxy.async+bar.sync.dWR". */
static bool read_fenced(struct arena *arena, const char *word, struct edge *edge) {
  const char *ends = strrchr(word, '.');
  if (!ends || !read_ends(ends + 1, edge)) return false;
  for (const char *at = word; at <= ends;) {
    size_t length = strcspn(at, "+");
    if (at + length > ends) length = (size_t)(ends - at);
    const char *part = arena_strndup(arena, at, length);
    struct draft_event e;
    if (!read_meeting(part, edge) && !(read_between(part, &e) && add_between(edge, e))) return false;
    at += length + 1;
  }
  return true;
}

static bool read_edge(struct arena *arena, const char *word, struct edge *edge) {
  const char *at = word;
  *edge = (struct edge){.word = word};
  if (word_starts(&at, "Po")) return read_ends(at, edge);
  if (word_starts(&at, "Dpd.")) edge->dep = DRAFT_DATA;
  else if (word_starts(&at, "Dpc.")) edge->dep = DRAFT_CTRL;
  if (edge->dep) return read_ends(at, edge) && edge->from != DRAFT_WRITE && edge->to == DRAFT_WRITE;
  return read_communication(word, edge) || read_fenced(arena, word, edge);
}

/* "acquire.gpu", "surface" or "cp.async". */
static bool read_strength(const char *word, struct draft_event *e, enum draft_kind *async) {
  const char *at = word;
  if (strcmp(word, "cp.async") == 0) return *async = DRAFT_COPY, true;
  if (strcmp(word, "cp.async.bulk") == 0) return *async = DRAFT_BULK_LOAD, true;
  if (word_proxy(&at, &e->proxy)) return !*at;
  return read_sem(&at, &e->sem) && word_scope(&at, &e->scope) && !*at;
}

/* ---- The cycle as a whole ---- */

static bool set_kind(struct cycle_in_words *c, uint32_t event, enum draft_kind kind, const char *word) {
  struct draft_event *e = &c->events[event];
  if (!c->known[event]) e->kind = (uint8_t)kind;
  else if (e->kind == DRAFT_UPDATE || kind == DRAFT_UPDATE) e->kind = DRAFT_UPDATE;
  else if (e->kind != kind) return complain(c, word, "its ends do not fit the neighbouring edges");
  c->known[event] = true;
  return true;
}

static bool takes_strength(const struct draft_event *e) {
  bool acquires = e->sem == SEM_ACQUIRE || e->sem == SEM_ACQ_REL,
       releases = e->sem == SEM_RELEASE || e->sem == SEM_ACQ_REL;
  if (e->sem == SEM_SC) return false;
  if (e->kind == DRAFT_UPDATE) return e->sem != SEM_WEAK && (e->proxy == PROXY_GENERIC || e->proxy == PROXY_ALIAS);
  if (e->proxy != PROXY_GENERIC && e->proxy != PROXY_ALIAS && e->sem != SEM_WEAK) return false;
  if (e->kind == DRAFT_WRITE) return !acquires && proxy_store((enum proxy)e->proxy);
  return !releases;
}

static bool check_ends(struct cycle_in_words *c) {
  uint32_t apart = 0;
  for (uint32_t i = 0; i < c->count; i++) {
    const struct edge *e = &c->edges[i];
    if (!set_kind(c, i, e->from, e->word) || !set_kind(c, (i + 1) % c->count, e->to, e->word)) return false;
    apart += !e->same_location;
  }
  for (uint32_t i = 0; i < c->count; i++)
    if (!takes_strength(&c->events[i]))
      return complain(c, c->edges[i].word,
                      "the event at the start of this edge cannot have these semantics or this proxy");
  c->segments = apart ? apart : 1;
  if (apart == 1) return complain(c, "d", "one edge alone cannot lead to another location");
  if (apart > DRAFT_LOCATIONS) return complain(c, "d", "there can be at most four locations");
  return true;
}

/* Finds the events that are asynchronous operations, and refuses edges that tests with such operations cannot have. */
static bool set_operations(struct cycle_in_words *c) {
  for (uint32_t i = 0; i < c->count; i++) {
    struct draft_event *e = &c->events[i];
    for (uint32_t k = 0; k < c->edges[i].between_count; k++)
      c->is_async = c->is_async || draft_is_async(&c->edges[i].between[k]);
    if (!c->async[i]) continue;
    c->is_async = true;
    if (e->kind == DRAFT_UPDATE || (e->kind == DRAFT_READ && c->async[i] == DRAFT_COPY))
      return complain(c, c->edges[i].word, "the event that it starts from cannot be that asynchronous operation");
    if (e->sem != SEM_WEAK || e->proxy != PROXY_GENERIC)
      return complain(c, c->edges[i].word, "in a cycle, an asynchronous operation takes no semantics and no proxy");
    e->kind = (uint8_t)(e->kind == DRAFT_READ ? DRAFT_BULK_STORE : c->async[i]);
  }
  for (uint32_t i = 0; i < c->count && c->is_async; i++) {
    const struct edge *e = &c->edges[i];
    if (c->events[i].proxy != PROXY_GENERIC || e->dep)
      return complain(c, e->word, "tests with asynchronous operations have no dependencies and no other proxies");
    if (e->scope > SCOPE_CTA)
      return complain(c, e->word, "the threads of a test with asynchronous operations are in one CTA");
  }
  return true;
}

static bool read_words(struct cycle_in_words *c, const char *words) {
  static const char blank[] = " \t\n";
  for (const char *at = words + strspn(words, blank); *at; at += strspn(at, blank)) {
    size_t length = strcspn(at, blank);
    const char *word = arena_strndup(c->arena, at, length);
    at += length;
    uint32_t i = c->count;
    if (i < DRAFT_EVENTS && read_edge(c->arena, word, &c->edges[i])) c->count++;
    else if (i == DRAFT_EVENTS) return complain(c, word, "the cycle is too long");
    else if (!read_strength(word, &c->events[i], &c->async[i]))
      return complain(c, word, "no such edge, semantics, proxy or operation");
  }
  if (c->count < 2 || !c->edges[c->count - 1].communicates)
    return complain(c, words, "a cycle has two edges or more, and ends with Rfe, Fre or Coe");
  return check_ends(c) && set_operations(c);
}

/* Numbers the values of each location in coherence order, from the event where the cycle arrives at the location. */
static void set_values(struct cycle_in_words *c, struct draft *d) {
  uint32_t start = 0, location = 0;
  uint8_t value = 0;
  bool apart = c->segments > 1;
  for (uint32_t i = 0; i < c->count; i++) /* the end of an edge of program order, to another location if there is one */
    if (apart ? !c->edges[i].same_location : !c->edges[i].communicates) start = (i + 1) % c->count;
  for (uint32_t k = 0; k < c->count; k++) {
    uint32_t i = (start + k) % c->count;
    struct draft_event *e = &c->events[i];
    e->location = (uint8_t)location;
    if (draft_reads(e)) e->reads = value;
    if (draft_writes(e)) e->writes = ++value;
    d->last[location] = value > 1 ? value : DRAFT_FREE;
    if (!c->edges[i].same_location) location++, value = 0;
  }
  d->location_count = (uint8_t)c->segments;
}

static uint8_t *level(struct draft_thread *t, enum scope scope) {
  return scope == SCOPE_CTA ? &t->cta : scope == SCOPE_CLUSTER ? &t->cluster : &t->gpu;
}

/* Gives two threads the same number at a scope that they share. */
static void join(struct draft *d, uint32_t a, uint32_t b, enum scope scope) {
  for (enum scope s = scope; s <= SCOPE_GPU; s++) {
    uint8_t from = *level(&d->threads[b], s), to = *level(&d->threads[a], s);
    for (uint32_t t = 0; t < d->thread_count; t++)
      if (*level(&d->threads[t], s) == from) *level(&d->threads[t], s) = to;
  }
}

static enum scope shared_scope(const struct cycle_in_words *c, const struct edge *e) {
  return c->is_async ? SCOPE_CTA : e->scope == SCOPE_NONE ? SCOPE_GPU : e->scope;
}

/* Places the threads by the scopes of the edges: the i-th edge that crosses threads leads from thread i to the next. */
static bool set_places(struct cycle_in_words *c, struct draft *d) {
  for (uint8_t t = 0; t < d->thread_count; t++) d->threads[t].cta = d->threads[t].cluster = d->threads[t].gpu = t;
  for (uint32_t i = 0, t = 0; i < c->count; i++)
    if (c->edges[i].crosses) {
      if (i + 1 < c->count || c->edges[i].scope) join(d, t, (t + 1) % d->thread_count, shared_scope(c, &c->edges[i]));
      t++;
    }
  for (uint32_t i = 0, t = 0; i < c->count; i++)
    if (c->edges[i].crosses) {
      uint32_t to = (t + 1) % d->thread_count;
      if ((i + 1 < c->count || c->edges[i].scope) && draft_common_scope(d, t, to) != shared_scope(c, &c->edges[i]))
        return complain(c, c->edges[i].word, "the other edges place its threads in a narrower common scope");
      t++;
    }
  return true;
}

static bool add_event(struct cycle_in_words *c, struct draft *d, const struct draft_event *e) {
  struct draft_thread *t = &d->threads[d->thread_count - 1];
  if (draft_size(d) == DRAFT_EVENTS || t->count == DRAFT_LENGTH)
    return complain(c, c->edges[0].word, "the cycle is too long");
  t->events[t->count++] = *e;
  return true;
}

static bool add_thread(struct cycle_in_words *c, struct draft *d, const char *word) {
  if (d->thread_count == DRAFT_THREADS) return complain(c, word, "there can be at most four threads");
  d->thread_count++;
  return true;
}

static bool set_threads(struct cycle_in_words *c, struct draft *d) {
  d->thread_count = 1;
  for (uint32_t i = 0; i < c->count; i++) {
    const struct edge *e = &c->edges[i];
    if (i) c->events[i].dep = (uint8_t)c->edges[i - 1].dep;
    if (!add_event(c, d, &c->events[i])) return false;
    uint32_t arrival = e->crosses && c->events[i].kind == DRAFT_BULK_LOAD ? e->left - 1 : MOST_BETWEEN; /* its own */
    for (uint32_t k = 0; k < e->between_count; k++) {
      if (e->crosses && k == e->left && !add_thread(c, d, e->word)) return false;
      if (k != arrival && !add_event(c, d, &e->between[k])) return false;
    }
    if (e->communicates && i + 1 < c->count && !add_thread(c, d, e->word)) return false;
  }
  return d->thread_count > 1 || complain(c, c->edges[0].word, "a cycle has at least two threads");
}

bool generate_cycle(struct arena *arena, struct diags *diags, const char *words, struct draft *out) {
  struct cycle_in_words c = {.arena = arena, .diags = diags};
  *out = (struct draft){0};
  if (!read_words(&c, words)) return false;
  set_values(&c, out);
  if (!set_threads(&c, out) || !set_places(&c, out)) return false;
  draft_normalise(out);
  bool waits = false;
  DRAFT_EACH (e, out) waits = waits || e->kind == DRAFT_WAIT;
  if (waits && !draft_arrivals(out))
    return complain(&c, words, "a thread waits for the mbarrier object, but no event arrives at it");
  if (c.is_async && !draft_can_end(out)) return complain(&c, words, "some thread waits for an event that never comes");
  return generate_places_matter(out, 0) || complain(&c, "barrier", "some thread of the scope has no such barrier");
}
