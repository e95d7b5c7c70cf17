#include "ptx/lowering.h"

/* The levels of a placement, with their words. CTAID is the value of %ctaid if it is not the CTA's number, as in the
 * second grid of a gpu; CLUSTERID likewise. DOMAIN is the memory synchronization domain of the grid. REPRESENTS: the
 * number of other threads that the column of a kernel represents (K5). */
#define EVERY_LEVEL(LEVEL)                                                                                             \
  LEVEL(WARP, "warp")                                                                                                  \
  LEVEL(LANE, "lane")                                                                                                  \
  LEVEL(CTA, "cta")                                                                                                    \
  LEVEL(CLUSTER, "cluster")                                                                                            \
  LEVEL(GRID, "grid")                                                                                                  \
  LEVEL(GPU, "gpu")                                                                                                    \
  LEVEL(TID, "tid")                                                                                                    \
  LEVEL(NTID, "ntid")                                                                                                  \
  LEVEL(NCTAID, "nctaid")                                                                                              \
  LEVEL(CTARANK, "cluster_ctarank")                                                                                    \
  LEVEL(NCTARANK, "cluster_nctarank")                                                                                  \
  LEVEL(CTAID, "ctaid")                                                                                                \
  LEVEL(CLUSTERID, "clusterid")                                                                                        \
  LEVEL(DOMAIN, "domain")                                                                                              \
  LEVEL(REPRESENTS, "represents")                                                                                      \
  LEVEL(HOST, "host")

#define LEVEL_ID(id, word) LEVEL_##id,
#define LEVEL_WORD(id, word) word,
enum level { EVERY_LEVEL(LEVEL_ID) LEVELS };
static const char *const level_names[LEVELS] = {EVERY_LEVEL(LEVEL_WORD)};

enum { WARP_LANES = 32, MOST_TOLD = 8 };

struct placement {
  bool named[LEVELS];
  uint32_t number[LEVELS];
};

static bool read_level(struct lowering *l, const struct litmus_level *level, struct placement *out) {
  for (unsigned i = 0; i < LEVELS; i++) {
    bool cpu = i == LEVEL_HOST && strcmp(level->key.text, "cpu") == 0;
    if (strcmp(level->key.text, level_names[i]) != 0 && !cpu) continue;
    if (out->named[i])
      return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, level->key.span, "'%s' is given twice", level->key.text);
    out->named[i] = true;
    out->number[i] = level->number;
    return true;
  }
  struct text all = {.arena = l->arena};
  for (unsigned i = 0; i < LEVELS; i++)
    text_printf(&all, "%s%s", i == 0 ? "" : i + 1 == LEVELS ? " and " : ", ", level_names[i]);
  return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, level->key.span,
                     "'%s' is not a level of a placement" HINT "the levels are %s", level->key.text, text_str(&all));
}

static bool read_placement(struct lowering *l, const struct litmus_thread *thread, struct placement *out) {
  *out = (struct placement){0};
  if (!thread->placed)
    return diag_refuse(l->diags, DIAG_MISSING_PLACEMENT, thread->span,
                       "thread '%s' has no placement" HINT
                       "write where it runs: %s@cta 0,gpu 0; the verdict depends on it",
                       thread->name.text, thread->name.text);
  LIST_EACH (level, thread->levels)
    if (!read_level(l, level, out)) return false;
  if (out->named[LEVEL_HOST] && thread->levels->next)
    return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, thread->span,
                       "'host' stands alone in a placement" HINT "a thread of the host is in no CTA and on no gpu");
  if (out->named[LEVEL_CTA] || out->named[LEVEL_HOST]) return true;
  return diag_refuse(l->diags, DIAG_MISSING_PLACEMENT, thread->span,
                     "thread '%s' is in no CTA" HINT "add 'cta' and a number to the placement", thread->name.text);
}

/* The number in P<number>. */
static bool read_name(struct lowering *l, const struct litmus_thread *thread, uint32_t *number) {
  const char *text = thread->name.text;
  bool right = text[0] == 'P' && text[1] != '\0' && strlen(text) < 8;
  for (const char *c = text + 1; right && *c; c++) right = *c >= '0' && *c <= '9';
  if (right) {
    *number = (uint32_t)strtoul(text + 1, NULL, 10);
    return true;
  }
  return diag_refuse(l->diags, DIAG_SYNTAX, thread->name.span,
                     "'%s' is not a thread name" HINT "threads are called P0, P1, P2 ...", text);
}

static const char *number_name(const struct lowering *l, uint32_t number) {
  char text[16];
  int length = 0;
  do text[length++] = (char)('0' + number % 10);
  while (number /= 10);
  return intern_slice(l->names, text, (size_t)length);
}

uint32_t lower_find_thread(const struct lowering *l, uint32_t number) {
  uint32_t index = name_map_get(&l->thread_numbers, number_name(l, number));
  return index == NO_NAME ? NO_THREAD : index;
}

void lower_unknown_thread(struct lowering *l, uint32_t number, struct span span) {
  struct diagnostic *d = diag_report(l->diags, DIAG_UNKNOWN_THREAD, span, "the test has no thread %u", number);
  struct text list = {.arena = l->arena};
  uint32_t count = l->program->thread_count;
  for (uint32_t i = 0; i < count && i < MOST_TOLD; i++)
    text_printf(&list, "%sP%u", i ? ", " : "", l->program->threads[i].number);
  diag_hint(l->diags, d, "it has %s%s", text_str(&list), count > MOST_TOLD ? ", ..." : "");
}

/* The number of the CTA, which is added if it is new. A CTA without a named cluster is its own cluster (G27). */
static bool enter_cta(struct lowering *l, const struct placement *at, struct span span, uint32_t *id) {
  uint32_t gpu = at->number[LEVEL_GPU], grid = at->number[LEVEL_GRID], number = at->number[LEVEL_CTA],
           cluster = at->number[LEVEL_CLUSTER];
  for (*id = 0; *id < l->ctas.len; ++*id)
    if (l->ctas.data[*id].gpu == gpu && l->ctas.data[*id].grid == grid && l->ctas.data[*id].number == number) break;
  if (*id == l->ctas.len)
    VEC_PUSH(l->arena, &l->ctas, (struct cta){.gpu = gpu, .grid = grid, .number = number, .span = span});
  struct cta *cta = &l->ctas.data[*id];
  if (!at->named[LEVEL_CLUSTER]) return true;
  if (cta->cluster_named && cta->cluster != cluster) {
    struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_PLACEMENT, span,
                                       "cta %u of gpu %u is in cluster %u here and in cluster %u elsewhere", number,
                                       gpu, cluster, cta->cluster);
    diag_beside(d, cta->span, "placed here");
    return diag_hint(l->diags, d, "a CTA is in one cluster: number the CTAs of a gpu without repetition");
  }
  cta->cluster_named = true;
  cta->cluster = cluster;
  return true;
}

/* CTAs share a cluster if they are on one gpu and name the same cluster. */
static void number_clusters(struct lowering *l) {
  uint32_t next = 0;
  for (uint32_t i = 0; i < l->ctas.len; i++) {
    struct cta *cta = &l->ctas.data[i];
    cta->cluster_id = UINT32_MAX;
    for (uint32_t j = 0; j < i && cta->cluster_named; j++) {
      const struct cta *other = &l->ctas.data[j];
      if (other->cluster_named && other->gpu == cta->gpu && other->grid == cta->grid && other->cluster == cta->cluster)
        cta->cluster_id = other->cluster_id;
    }
    if (cta->cluster_id == UINT32_MAX) cta->cluster_id = next++;
  }
}

static bool same_warp(const struct lowering *l, const struct placement *places, uint32_t a, uint32_t b) {
  const struct thread *threads = l->program->threads;
  return places[a].named[LEVEL_WARP] && places[b].named[LEVEL_WARP] && threads[a].cta_id == threads[b].cta_id &&
         threads[a].warp == threads[b].warp;
}

static bool two_threads(struct lowering *l, const struct thread *thread, const struct thread *other) {
  return diag_beside(diag_report(l->diags, DIAG_WRONG_PLACEMENT, thread->span, "lane %u of warp %u has two threads",
                                 thread->lane, thread->warp),
                     other->span, "the other one");
}

/* Warps: named warps are shared within their CTA; a thread without a named warp is its own warp (P1). A thread of a
 * named warp that names no lane gets the first free lane. */
static bool enter_warp(struct lowering *l, const struct placement *places, uint32_t index, uint32_t *next) {
  struct thread *threads = l->program->threads, *thread = &threads[index];
  uint32_t used = 0;
  thread->warp_id = UINT32_MAX;
  for (uint32_t i = 0; i < l->program->thread_count; i++) {
    if (i == index || !same_warp(l, places, i, index)) continue;
    if (i < index) thread->warp_id = threads[i].warp_id;
    if (i >= index && !places[i].named[LEVEL_LANE]) continue;
    used |= 1u << threads[i].lane;
    if (i < index && places[index].named[LEVEL_LANE] && threads[i].lane == thread->lane)
      return two_threads(l, thread, &threads[i]);
  }
  if (thread->warp_id == UINT32_MAX) thread->warp_id = (*next)++;
  if (places[index].named[LEVEL_LANE]) return true;
  for (thread->lane = 0; thread->lane < WARP_LANES && used >> thread->lane & 1; thread->lane++) continue;
  if (thread->lane < WARP_LANES) return true;
  return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, thread->span, "warp %u has more than %d threads", thread->warp,
                     WARP_LANES);
}

/* A thread number within the CTA determines the warp and the lane. */
static bool place_tid(struct lowering *l, const struct litmus_thread *ast, struct placement *place) {
  uint32_t tid = place->number[LEVEL_TID], warp = tid / WARP_LANES, lane = tid % WARP_LANES;
  if (!place->named[LEVEL_TID]) {
    if (!place->named[LEVEL_WARP] || !place->named[LEVEL_LANE]) return true;
    place->number[LEVEL_TID] = place->number[LEVEL_WARP] * WARP_LANES + place->number[LEVEL_LANE];
    place->named[LEVEL_TID] = place->number[LEVEL_LANE] < WARP_LANES;
    return true;
  }
  bool differ = (place->named[LEVEL_WARP] && place->number[LEVEL_WARP] != warp) ||
                (place->named[LEVEL_LANE] && place->number[LEVEL_LANE] != lane);
  bool beyond = place->named[LEVEL_NTID] && place->number[LEVEL_NTID] <= tid;
  place->named[LEVEL_WARP] = place->named[LEVEL_LANE] = true;
  place->number[LEVEL_WARP] = warp;
  place->number[LEVEL_LANE] = lane;
  if (!differ && !beyond) return true;
  if (!differ)
    return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, ast->span, "tid %u is not below ntid %u", tid,
                       place->number[LEVEL_NTID]);
  return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, ast->span,
                     "tid %u is lane %u of warp %u, not the warp or lane given here" HINT
                     "leave out warp and lane, or give tid as 32 * warp + lane",
                     tid, lane, warp);
}

static uint32_t placed(const struct placement *place, enum level level) {
  return place->named[level] ? place->number[level] : NOT_PLACED;
}

/* Sets the values of special registers that the placement gives. */
static void note_specials(struct thread *thread, const struct placement *place) {
  thread->special = (struct specials){.tid = placed(place, LEVEL_TID),
                                      .ntid = placed(place, LEVEL_NTID),
                                      .nctaid = placed(place, LEVEL_NCTAID),
                                      .warp = placed(place, LEVEL_WARP),
                                      .lane = placed(place, LEVEL_LANE),
                                      .cluster = placed(place, LEVEL_CLUSTER),
                                      .ctarank = placed(place, LEVEL_CTARANK),
                                      .nctarank = placed(place, LEVEL_NCTARANK),
                                      .cta = place->number[LEVEL_CTA]};
  if (place->named[LEVEL_CTAID]) thread->special.cta = place->number[LEVEL_CTAID];
  if (place->named[LEVEL_CLUSTERID]) thread->special.cluster = place->number[LEVEL_CLUSTERID];
  if (place->named[LEVEL_CLUSTER]) return; /* otherwise its CTA is its own cluster (P1) */
  thread->special.cluster = thread->special.cta;
  if (!place->named[LEVEL_CTARANK]) thread->special.ctarank = 0;
  if (!place->named[LEVEL_NCTARANK]) thread->special.nctarank = 1;
}

static bool enter_thread(struct lowering *l, const struct litmus_thread *ast, uint32_t index, struct placement *place) {
  struct thread *thread = &l->program->threads[index];
  thread->span = ast->span;
  thread->of_kernel = l->test->kernels != NULL;
  if (!read_name(l, ast, &thread->number)) return false;
  const char *name = number_name(l, thread->number);
  uint32_t other = name_map_get(&l->thread_numbers, name);
  if (other != NO_NAME)
    return diag_beside(
        diag_report(l->diags, DIAG_DUPLICATE_THREAD, ast->name.span, "there are two threads '%s'", ast->name.text),
        l->program->threads[other].span, "the first one");
  name_map_put(l->arena, &l->thread_numbers, name, index);
  if (!read_placement(l, ast, place) || !place_tid(l, ast, place)) return false;
  if (place->named[LEVEL_HOST]) {
    if (!lower_host_key(l, ast->span)) return false;
    thread->host = l->program->host;
    place->number[LEVEL_GPU] = place->number[LEVEL_GRID] = place->number[LEVEL_CTA] = LITMUS_HOST_GPU + index;
  }
  thread->gpu = place->number[LEVEL_GPU];
  thread->grid = place->number[LEVEL_GRID];
  thread->domain = place->number[LEVEL_DOMAIN];
  thread->cluster = place->number[LEVEL_CLUSTER];
  thread->cta = place->number[LEVEL_CTA];
  thread->warp = place->number[LEVEL_WARP];
  thread->lane = place->number[LEVEL_LANE];
  thread->represents = place->number[LEVEL_REPRESENTS];
  note_specials(thread, place);
  if (thread->lane >= WARP_LANES)
    return diag_refuse(l->diags, DIAG_WRONG_PLACEMENT, ast->span,
                       "there is no lane %u in a warp" HINT "the lanes of a warp are numbered 0 to %d", thread->lane,
                       WARP_LANES - 1);
  return enter_cta(l, place, ast->span, &thread->cta_id);
}

static bool no_placement_at_all(struct lowering *l) {
  LIST_EACH (thread, l->test->threads)
    if (thread->placed) return false;
  diag_report(l->diags, DIAG_MISSING_PLACEMENT, l->test->threads->span,
              "no thread of this test has a placement" HINT
              "write where each runs, such as P0@cta 0,gpu 0 | P1@cta 1,gpu 0: the verdict depends on it");
  return true;
}

/* A grid is launched in one domain. */
static bool check_domain(struct lowering *l, uint32_t index) {
  const struct thread *thread = &l->program->threads[index];
  ARRAY_EACH (other, l->program->threads, index)
    if (other->gpu == thread->gpu && other->grid == thread->grid && other->domain != thread->domain)
      return diag_beside(diag_report(l->diags, DIAG_WRONG_PLACEMENT, thread->span,
                                     "grid %u is in domain %u here and in domain %u elsewhere", thread->grid,
                                     thread->domain, other->domain),
                         other->span, "placed here");
  return true;
}

bool lower_placement(struct lowering *l) {
  struct program *program = l->program;
  uint32_t count = l->test->thread_count, before = l->diags->errors, index = 0, warps = 0, gpus = 0;
  if (count > LITMUS_MOST_THREADS)
    return diag_refuse(l->diags, DIAG_TOO_LARGE, l->test->threads->span,
                       "the test has %u threads; at most %d are accepted", count, LITMUS_MOST_THREADS);
  if (no_placement_at_all(l)) return false;
  program->thread_count = count;
  program->threads = ARENA_ARRAY(l->arena, struct thread, count);
  l->threads = ARENA_ARRAY(l->arena, struct lower_thread, count);
  struct placement *places = ARENA_ARRAY(l->arena, struct placement, count);
  for (const struct litmus_thread *t = l->test->threads; t; t = t->next, index++)
    enter_thread(l, t, index, &places[index]);
  for (uint32_t i = 0; i < count && l->diags->errors == before; i++) check_domain(l, i);
  if (l->diags->errors > before) return false;
  number_clusters(l);
  for (uint32_t i = 0; i < count; i++) {
    struct thread *thread = &program->threads[i];
    thread->cluster_id = l->ctas.data[thread->cta_id].cluster_id;
    thread->cluster = l->ctas.data[thread->cta_id].cluster;
    l->warps_named |= places[i].named[LEVEL_WARP];
    thread->gpu_id = UINT32_MAX;
    for (uint32_t j = 0; j < i; j++)
      if (program->threads[j].gpu == thread->gpu) thread->gpu_id = program->threads[j].gpu_id;
    if (thread->gpu_id == UINT32_MAX) thread->gpu_id = gpus++;
    enter_warp(l, places, i, &warps);
  }
  return l->diags->errors == before;
}

/* ---- Assumptions ---- */

static bool needs_warps(const struct instr *in) {
  return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_WARP;
}

static bool needs_clusters(const struct instr *in) {
  return in->scope == SCOPE_CLUSTER || (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CLUSTER);
}

static const struct instr *find_instr(const struct program *program, bool (*is_wanted)(const struct instr *)) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (is_wanted(&program->threads[t].instrs[i])) return &program->threads[t].instrs[i];
  return NULL;
}

static bool names_cluster(const struct lowering *l) {
  return SOME_BELOW(i, l->ctas.len, l->ctas.data[i].cluster_named);
}

static void doubt(struct lowering *l, const struct instr *in, const char *taken, const char *example) {
  diag_report(l->diags, DIAG_ASSUMED_PLACEMENT, in->span, "%s" HINT "name the one they share, such as %s", taken,
              example);
}

void lower_doubt_placement(struct lowering *l) {
  const struct instr *in = l->warps_named || l->program->thread_count < 2 ? NULL : find_instr(l->program, needs_warps);
  if (in) doubt(l, in, "no thread is placed in a warp, so each thread counts as its own warp", "P0@cta 0,warp 0,gpu 0");
  bool launch = l->program->threads[0].of_kernel; /* it tells its clusters */
  in = launch || names_cluster(l) || l->ctas.len < 2 ? NULL : find_instr(l->program, needs_clusters);
  if (in)
    doubt(l, in, "no CTA is placed in a cluster, so each CTA counts as its own cluster", "P0@cta 0,cluster 0,gpu 0");
}
