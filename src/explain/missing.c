/* Which steps of a path the model does not turn into order, and why.
 *
 * For models that define causality as PTX does, the conditions of chapter 8 are checked one by one on the execution: is
 * the write observed (8.9.2), does a release pattern end in it, does an acquire pattern begin with the read (8.8), are
 * the ends of the patterns morally strong (8.7), are there fence.sc around a step from a read to a write (8.9.3), are
 * the proxies and addresses of the two ends bridged (8.9.5). For other models: what the axiom that comes nearest to
 * forbidding the cycle lacks (lacking.c).
 */
#include <string.h>

#include "explain/lacking.h"
#include "explain/trail.h"
#include "explain/words.h"

/* ---- Release and acquire ---- */

struct ends {
  VEC(uint32_t) list;
};

static bool is_fence(const struct event *e, enum sem one) {
  return e->kind == EVENT_FENCE && (e->sem == one || e->sem == SEM_ACQ_REL || e->sem == SEM_SC);
}

/* The operations that begin a release pattern which ends in write w and covers `entry`. */
static void find_releases(struct trail *t, uint32_t w, uint32_t entry, struct ends *out) {
  struct arena *arena = t->story->arena;
  if (execution_event(t->x, w)->sem == SEM_RELEASE) VEC_PUSH(arena, &out->list, w);
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++) {
    const struct event *e = execution_event(t->x, f);
    if (!trail_in_po(t, f, w) || !(f == entry || trail_in_po(t, entry, f))) continue;
    bool write = e->kind == EVENT_WRITE && e->sem == SEM_RELEASE && bitmat_has(t->x->same_range, f, w);
    if (write || is_fence(e, SEM_RELEASE)) VEC_PUSH(arena, &out->list, f);
  }
}

static void find_acquires(struct trail *t, uint32_t r, uint32_t exit, struct ends *out) {
  struct arena *arena = t->story->arena;
  if (execution_event(t->x, r)->is_red) return;
  if (execution_event(t->x, r)->sem == SEM_ACQUIRE) VEC_PUSH(arena, &out->list, r);
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++) {
    const struct event *e = execution_event(t->x, f);
    if (!trail_in_po(t, r, f) || !(f == exit || trail_in_po(t, f, exit))) continue;
    bool read = e->kind == EVENT_READ && e->sem == SEM_ACQUIRE && !e->is_red && bitmat_has(t->x->same_range, f, r);
    if (read || is_fence(e, SEM_ACQUIRE)) VEC_PUSH(arena, &out->list, f);
  }
}

/* A fence or access of the thread that would serve if it stood elsewhere or went elsewhere; NO_EVENT: none. */
static uint32_t near_miss(struct trail *t, uint32_t event, enum sem sem) {
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++) {
    const struct event *e = execution_event(t->x, f);
    if (f == event || e->thread != execution_event(t->x, event)->thread || !bitset_has(t->x->exec, f)) continue;
    if (is_fence(e, sem) || (event_is_memory(e) && e->sem == sem)) return f;
  }
  return NO_EVENT;
}

static const char *scope_for(const struct trail *t, uint32_t a, uint32_t b) {
  return scope_word(
      words_common_scope(t->x->skeleton->program, execution_event(t->x, a)->thread, execution_event(t->x, b)->thread));
}

static const char *elsewhere(struct trail *t, uint32_t near, bool release) {
  if (near == NO_EVENT) return "";
  const struct event *e = execution_event(t->x, near);
  if (e->kind == EVENT_FENCE) return arena_printf(t->story->arena, "; %s stands elsewhere", trail_quote(t, near));
  const char *what = release ? "releases, but writes" : "acquires, but reads";
  return arena_printf(t->story->arena, "; %s %s another location", trail_quote(t, near), what);
}

/* True if the other half of an atomic releases, or acquires, which is to stay. */
static bool other_half(const struct trail *t, uint32_t event) {
  const struct event *e = execution_event(t->x, event);
  if (!e->is_rmw || e->partner == NO_EVENT) return false;
  enum sem sem = execution_event(t->x, e->partner)->sem;
  return sem == SEM_RELEASE || sem == SEM_ACQUIRE || sem == SEM_ACQ_REL;
}

/* "make it st.release.gpu"; an atomic keeps its opcode and the semantics of its other half. */
static const char *make_semantics(struct trail *t, uint32_t event, const char *op, const char *sem, const char *scope) {
  struct arena *arena = t->story->arena;
  if (!execution_event(t->x, event)->is_rmw) return arena_printf(arena, "make it %s.%s%s", op, sem, scope);
  if (other_half(t, event)) return arena_printf(arena, "give it .acq_rel%s", scope);
  return arena_printf(arena, "give it .%s%s (or .acq_rel)", sem, scope);
}

/* The second condition for a fence beside the access: the access must be strong itself. */
static const char *strong_with(struct trail *t, uint32_t event, const char *op, const char *scope) {
  if (execution_event(t->x, event)->sem != SEM_WEAK) return "";
  return arena_printf(t->story->arena, "make it %s.relaxed%s and ", op, scope);
}

static void miss_release(struct trail *t, uint32_t w, uint32_t r, uint32_t entry) {
  struct arena *arena = t->story->arena;
  const char *scope = scope_for(t, w, r);
  const char *text =
      arena_printf(arena, "%s does not release, and no release fence stands between %s and it%s", trail_quote(t, w),
                   trail_quote(t, entry), elsewhere(t, near_miss(t, w, SEM_RELEASE), true));
  const char *cure = make_semantics(t, w, "st", "release", scope);
  trail_lacks(
      t, w, r, text,
      arena_printf(arena, "%s, or %sput fence.acq_rel%s before it", cure, strong_with(t, w, "st", scope), scope));
}

static void miss_acquire(struct trail *t, uint32_t w, uint32_t r, uint32_t exit) {
  struct arena *arena = t->story->arena;
  const char *scope = scope_for(t, w, r);
  if (execution_event(t->x, r)->is_red) {
    trail_lacks(
        t, w, r,
        arena_printf(arena, "%s is a red, which never begins an acquire pattern (8.8, 8.11.1)", trail_quote(t, r)),
        arena_printf(arena, "make it an atom with .%s%s", other_half(t, r) ? "acq_rel" : "acquire", scope));
    return;
  }
  const char *text =
      arena_printf(arena, "%s does not acquire, and no acquire fence stands between it and %s%s", trail_quote(t, r),
                   trail_quote(t, exit), elsewhere(t, near_miss(t, r, SEM_ACQUIRE), false));
  const char *cure = make_semantics(t, r, "ld", "acquire", scope);
  trail_lacks(
      t, w, r, text,
      arena_printf(arena, "%s, or %sput fence.acq_rel%s after it", cure, strong_with(t, r, "ld", scope), scope));
}

/* True if some release end and some acquire end are morally strong; else why the first two are not. */
static bool ends_agree(struct trail *t, const struct ends *releases, const struct ends *acquires, const char **why) {
  const char *first = NULL;
  for (uint32_t i = 0; i < releases->list.len; i++)
    for (uint32_t j = 0; j < acquires->list.len; j++) {
      if (words_morally_strong(t->story->arena, t->x, releases->list.data[i], acquires->list.data[j], why)) return true;
      if (!first) first = *why;
    }
  *why = first;
  return false;
}

/* What bridges two accesses of one thread that differ in address or proxy; between threads nothing makes them morally
 * strong but one address and one proxy. */
static const char *bridge(struct trail *t, uint32_t w, uint32_t r) {
  const struct event *e = execution_event(t->x, w), *f = execution_event(t->x, r);
  bool other_address = !bitmat_has(t->x->vloc, w, r);
  if (!trail_same_thread(t, w, r) || (other_address && (e->proxy != PROXY_GENERIC || f->proxy != PROXY_GENERIC)))
    return other_address ? "access it through one address" : NULL;
  if (other_address) return "put fence.proxy.alias between them";
  if (e->proxy == f->proxy || (e->proxy != PROXY_GENERIC && f->proxy != PROXY_GENERIC)) return NULL;
  return arena_printf(t->story->arena, "put fence.proxy.%s between them",
                      proxy_word(e->proxy != PROXY_GENERIC ? e->proxy : f->proxy));
}

/* True if a is strong, and its scope does not reach b. */
static bool leaves_out(const struct trail *t, uint32_t a, uint32_t b) {
  return execution_event(t->x, a)->sem != SEM_WEAK && !bitmat_has(t->x->skeleton->must[CAT_REL_INCL], a, b);
}

/* One of the two is weak, or both are. */
static const char *make_strong(struct trail *t, uint32_t w, uint32_t r) {
  struct arena *arena = t->story->arena;
  const char *scope = scope_for(t, w, r);
  bool first = execution_event(t->x, w)->sem == SEM_WEAK, second = execution_event(t->x, r)->sem == SEM_WEAK;
  uint32_t weak = first ? w : r, strong = first ? r : w;
  const char *text = arena_printf(arena, "make %s strong: .relaxed%s at least",
                                  first && second ? "both" : trail_quote(t, weak), scope);
  if (!leaves_out(t, strong, weak)) return text;
  return arena_printf(arena, "%s, and the scope of %s %s or wider", text, trail_quote(t, strong), scope);
}

static const char *strengthen(struct trail *t, uint32_t w, uint32_t r) {
  const char *scope = scope_for(t, w, r);
  const struct event *e = execution_event(t->x, w), *f = execution_event(t->x, r);
  if (bitmat_has(t->x->partial, w, r))
    return e->proxy == PROXY_GENERIC && f->proxy == PROXY_GENERIC ? "make both strong, and access the same bytes"
                                                                  : NULL;
  if (e->proxy != f->proxy || !bitmat_has(t->x->vloc, w, r)) return bridge(t, w, r);
  if (e->proxy != PROXY_GENERIC) return NULL;
  if (e->sem == SEM_WEAK || f->sem == SEM_WEAK) return make_strong(t, w, r);
  return arena_printf(t->story->arena, "the scope%s must be %s or wider",
                      leaves_out(t, w, r) && leaves_out(t, r, w) ? " of both" : "", scope);
}

static bool from_atomic(const struct trail *t, uint32_t step) {
  return step >= 2 && execution_event(t->x, t->steps[step].from)->is_rmw &&
         execution_event(t->x, t->steps[step].from)->partner == t->steps[step - 1].from &&
         strcmp(t->steps[step - 2].relation, "rf") == 0;
}

/* The write that the observation which step i continues begins with. */
static uint32_t chain_start(const struct trail *t, uint32_t step) {
  while (from_atomic(t, step)) step -= 2;
  return step;
}

const char *story_strengthen(struct story *s, uint32_t a, uint32_t b) {
  struct trail t = {.story = s, .x = s->ask->execution};
  return strengthen(&t, a, b);
}

/* True if an access is as strong as it must be, or the cure of a missing release or acquire will make it so. */
static bool cured_with(const struct trail *t, uint32_t event, uint32_t other, const struct ends *ends) {
  bool fits = execution_event(t->x, event)->sem != SEM_WEAK && !leaves_out(t, event, other);
  return fits || (!ends->list.len && !execution_event(t->x, event)->is_red);
}

static bool is_plain(const struct trail *t, uint32_t w, uint32_t r) {
  return execution_event(t->x, w)->proxy == PROXY_GENERIC && execution_event(t->x, r)->proxy == PROXY_GENERIC &&
         bitmat_has(t->x->same_range, w, r) && bitmat_has(t->x->vloc, w, r);
}

static void check_reads_from(struct trail *t, uint32_t step) {
  uint32_t w = t->steps[step].from, r = t->steps[step].to;
  const char *why;
  bool observed = words_morally_strong(t->story->arena, t->x, w, r, &why), passed = trail_through_atomic(t, step);
  uint32_t begin = chain_start(t, step), first = t->steps[begin].from;
  uint32_t entry = trail_entry(t, begin), exit = trail_exit(t, step);
  bool itself = entry == first && begin == 0; /* the write itself must be seen: observed, it precedes all after */
  struct ends releases = {0}, acquires = {0};
  find_releases(t, first, entry, &releases);
  find_acquires(t, r, exit, &acquires);
  bool told = !passed && !itself && first == w && is_plain(t, w, r) && cured_with(t, w, r, &releases) &&
              cured_with(t, r, w, &acquires);
  if (!observed && !told)
    trail_lacks(t, w, r, arena_printf(t->story->arena, "the write is read, but not observed (8.9.2): %s", why),
                strengthen(t, w, r));
  if (passed || itself) return;
  if (!releases.list.len) miss_release(t, first, r, entry);
  if (!acquires.list.len) miss_acquire(t, first, r, exit);
  if (!releases.list.len || !acquires.list.len || ends_agree(t, &releases, &acquires, &why)) return;
  if (!observed && releases.list.data[0] == first && acquires.list.data[0] == r) return; /* told, and the cure is one */
  trail_lacks(t, releases.list.data[0], acquires.list.data[0],
              arena_printf(t->story->arena, "the release and the acquire do not synchronize (8.9.4): %s", why),
              arena_printf(t->story->arena, "both scopes must be %s or wider", scope_for(t, first, r)));
}

/* ---- Relaxed arrivals ---- */

/* A relaxed arrival orders only the accesses that fences around it order. */
static void check_relaxed_barrier(struct trail *t, uint32_t step) {
  cat_node base = model_node_named(t->story->ask->model, "base");
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  bool fenced = base != CAT_NO_NODE &&
                bitmat_has(eval_relation(t->story->ask->eval, base), trail_entry(t, step), trail_exit(t, step));
  if (fenced) return;
  trail_lacks(t, a, b,
              arena_printf(t->story->arena, "%s is relaxed: it counts, but orders nothing (8.9.4)", trail_quote(t, a)),
              "leave out .relaxed");
}

/* The phases follow one another in time; only who waits is ordered after who arrived. */
static void check_phases(struct trail *t, uint32_t step) {
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  struct arena *arena = t->story->arena;
  const struct event *first = execution_event(t->x, a);
  if (first->kind == EVENT_ARRIVE && first->barrier->kind == BARRIER_LANES) {
    trail_lacks(t, a, b, arena_printf(arena, "%s passes a value, and orders no memory (8.9.4)", trail_quote(t, a)),
                "put a bar.warp.sync of these lanes beside it");
    return;
  }
  if (execution_event(t->x, b)->kind == EVENT_ARRIVE) {
    trail_lacks(t, a, b,
                arena_printf(arena, "%s comes in a later phase, but waits for nobody there (8.9.4)", trail_quote(t, b)),
                "let both wait in one phase of the barrier, or order them by a release and an acquire");
    return;
  }
  const char *thread = words_thread(arena, t->x->skeleton->program, execution_event(t->x, a)->thread);
  trail_lacks(t, a, b,
              arena_printf(arena, "%s needs %s to have ended, which orders nothing (8.9.4)", trail_quote(t, b), thread),
              arena_printf(arena, "let %s come to the barrier too, or order them by a release and an acquire", thread));
}

/* ---- Phases of mbarrier objects ---- */

static bool is_relaxed(const struct trail *t, uint32_t event) {
  return execution_event(t->x, event)->sem == SEM_RELAXED;
}

/* A signal and a test of its phase order what is around them if both do their part and their scopes meet (MB9). */
static void check_phase(struct trail *t, uint32_t step) {
  struct arena *arena = t->story->arena;
  cat_node base = model_node_named(t->story->ask->model, "base");
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  bool ordered = base != CAT_NO_NODE &&
                 bitmat_has(eval_relation(t->story->ask->eval, base), trail_entry(t, step), trail_exit(t, step));
  if (ordered) return;
  bool own = step && strcmp(t->steps[step - 1].relation, "completes") == 0; /* the signal completes the access */
  if (execution_event(t->x, a)->spawned && !own) {
    trail_lacks(t, a, b,
                arena_printf(arena,
                             "the signal of %s releases the accesses of the operation, and nothing that came "
                             "before its issue (8.9.1.1)",
                             trail_quote(t, a)),
                "add to the phase an arrival that releases, behind the accesses that must be seen");
    return;
  }
  if (leaves_out(t, a, b) || leaves_out(t, b, a))
    trail_lacks(t, a, b,
                arena_printf(arena, "%s counts, but its scope and that of %s do not contain each other's thread (8.7)",
                             trail_quote(t, a), trail_quote(t, b)),
                "give both the scope .cluster, with .release and .acquire");
  if (is_relaxed(t, a) && !own)
    trail_lacks(t, a, b,
                arena_printf(arena, "%s is relaxed: it counts, but orders nothing (9.7.15.16)", trail_quote(t, a)),
                "leave out .relaxed, or put a release fence before it");
  if (is_relaxed(t, b))
    trail_lacks(t, a, b, arena_printf(arena, "%s is relaxed: it sees the phase, and nothing more", trail_quote(t, b)),
                "leave out .relaxed, or put an acquire fence after it");
}

/* The one order of the operations on an object is one of time (MB3). */
static void check_mo(struct trail *t, uint32_t step) {
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  cat_node base = model_node_named(t->story->ask->model, "base");
  if (base == CAT_NO_NODE || trail_same_thread(t, a, b)) return;
  if (bitmat_has(eval_relation(t->story->ask->eval, base), trail_entry(t, step), trail_exit(t, step))) return;
  trail_lacks(t, a, b,
              arena_printf(t->story->arena, "%s comes before %s, but only an arrival orders, with a test of its phase",
                           trail_quote(t, a), trail_quote(t, b)),
              "let the one thread arrive, and the other wait for that phase before it goes on");
}

/* ---- Steps that only fence.sc orders ---- */

static uint32_t sc_fence_between(const struct trail *t, uint32_t a, uint32_t b) {
  uint32_t other = NO_EVENT;
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++) {
    const struct event *e = execution_event(t->x, f);
    if (e->kind != EVENT_FENCE || !trail_in_po(t, a, f) || !trail_in_po(t, f, b)) continue;
    if (e->sem == SEM_SC) return f;
    other = f;
  }
  return other;
}

static bool is_sc(const struct trail *t, uint32_t fence) {
  return fence != NO_EVENT && execution_event(t->x, fence)->sem == SEM_SC;
}

/* "P0 has none between 'st x' and 'ld y'"; NULL where there is one. */
static const char *lacks_fence(struct trail *t, uint32_t fence, uint32_t a, uint32_t b) {
  struct arena *arena = t->story->arena;
  const char *thread = words_thread(arena, t->x->skeleton->program, execution_event(t->x, a)->thread);
  if (is_sc(t, fence)) return NULL;
  if (a == b) return arena_printf(arena, "%s has no room for one around %s", thread, trail_quote(t, a));
  if (fence != NO_EVENT)
    return arena_printf(arena, "%s has only %s between %s and %s", thread, trail_quote(t, fence), trail_quote(t, a),
                        trail_quote(t, b));
  return arena_printf(arena, "%s has none between %s and %s", thread, trail_quote(t, a), trail_quote(t, b));
}

/* True if the write that this step leads to is read in a third thread at once: then the two are passed in one. */
static bool is_passed_on(const struct trail *t, uint32_t step) {
  return step + 2 < t->count && strcmp(t->steps[step + 1].relation, "rf") == 0 &&
         !trail_same_thread(t, t->steps[step + 1].to, t->steps[step].from);
}

static const char *overtaken_text(struct trail *t, uint32_t step) {
  struct arena *arena = t->story->arena;
  const struct program *program = t->x->skeleton->program;
  bool fr = strcmp(t->steps[step].relation, "fr") == 0;
  if (!is_passed_on(t, step))
    return fr ? "that a read came before a write orders nothing" : "coherence of two writes orders nothing else";
  uint32_t a = t->steps[step].from, b = t->steps[step + 1].to;
  return arena_printf(arena, "that %s %s before %s, which %s sees, orders nothing",
                      words_thread(arena, program, execution_event(t->x, a)->thread), fr ? "reads" : "writes",
                      trail_quote(t, t->steps[step].to),
                      words_thread(arena, program, execution_event(t->x, b)->thread));
}

static void check_overtaken(struct trail *t, uint32_t step) {
  struct arena *arena = t->story->arena;
  const struct program *program = t->x->skeleton->program;
  uint32_t far = is_passed_on(t, step) ? step + 1 : step;
  uint32_t a = t->steps[step].from, b = t->steps[far].to, entry = trail_entry(t, step), exit = trail_exit(t, far);
  uint32_t before = sc_fence_between(t, entry, a), after = sc_fence_between(t, b, exit);
  const char *first = lacks_fence(t, before, entry, a), *second = lacks_fence(t, after, b, exit), *why;
  const char *where = arena_printf(arena, "%s and %s", words_thread(arena, program, execution_event(t->x, a)->thread),
                                   words_thread(arena, program, execution_event(t->x, b)->thread));
  if (first || second) {
    trail_lacks(t, a, b,
                arena_printf(arena, "%s; only fence.sc in %s would (8.9.3): %s%s%s", overtaken_text(t, step), where,
                             first ? first : "", first && second ? ", " : "", second ? second : ""),
                arena_printf(arena, "put fence.sc%s in %s", scope_for(t, a, b),
                             first && second
                                 ? where
                                 : words_thread(arena, program, execution_event(t->x, first ? a : b)->thread)));
    return;
  }
  if (!words_morally_strong(arena, t->x, before, after, &why))
    trail_lacks(t, a, b, arena_printf(arena, "the two fence.sc are not ordered (8.9.3): %s", why),
                arena_printf(arena, "both scopes must be %s or wider", scope_for(t, a, b)));
  if (far == step) return;
  uint32_t w = t->steps[far].from;
  if (!words_morally_strong(arena, t->x, w, b, &why))
    trail_lacks(t, w, b, arena_printf(arena, "the write is read, but not observed (8.9.2): %s", why),
                strengthen(t, w, b));
}

/* ---- Writes that the model leaves unordered ---- */

static uint32_t source_of(const struct trail *t, uint32_t read, uint32_t write) {
  for (uint32_t w = 0; w < t->x->skeleton->n; w++)
    if (bitmat_has(t->x->rf, w, read) && bitmat_has(t->x->co, w, write)) return w;
  return NO_EVENT;
}

/* A step of the cycle that exists only because some order of racing writes was assumed. */
static void check_assumed(struct trail *t, uint32_t step) {
  const struct cycle_step *s = &t->steps[step];
  struct arena *arena = t->story->arena;
  bool fr = strcmp(s->relation, "fr") == 0, co = strcmp(s->relation, "co") == 0;
  if (!t->story->completed || !(fr || co)) return;
  if (bitmat_has(fr ? t->story->real_fr : t->story->real_co, s->from, s->to)) return;
  uint32_t first = fr ? source_of(t, s->from, s->to) : s->from;
  const char *why = "";
  if (first == NO_EVENT || words_morally_strong(arena, t->x, first, s->to, &why)) return;
  trail_lacks(t, s->from, s->to,
              arena_printf(arena,
                           "%s and %s of %s race and are unordered in coherence (8.9.6), so that either may be taken "
                           "for the later one: %s",
                           trail_quote(t, first), trail_quote(t, s->to),
                           words_thread(arena, t->x->skeleton->program, execution_event(t->x, s->to)->thread), why),
              strengthen(t, first, s->to));
}

/* What a wgmma reads is ordered after earlier instructions of its thread by a fence after them alone (G62). */
static void check_issue(struct trail *t, uint32_t step) {
  uint32_t access = t->steps[step].to;
  if (!step || execution_event(t->x, access)->operation->async->action != ASYNC_MMA) return;
  uint32_t before = t->steps[step - 1].from;
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++)
    if (bitmat_has(t->x->skeleton->must[CAT_REL_SPAWN], f, access) && (f == before || trail_in_po(t, before, f)))
      return;
  trail_lacks(
      t, before, access,
      arena_printf(t->story->arena, "wgmma follows %s only with a fence between (9.7.17)", trail_quote(t, before)),
      "put wgmma.fence.sync.aligned or fence.proxy.async there");
}

/* ---- PTX ---- */

static void check_step(struct trail *t, uint32_t step) {
  const struct cycle_step *s = &t->steps[step];
  if (strcmp(s->relation, "issue") == 0) check_issue(t, step);
  if (trail_same_thread(t, s->from, s->to) || strcmp(s->relation, "bar") == 0) return;
  if (strcmp(s->relation, "phase") == 0) check_phase(t, step);
  if (strcmp(s->relation, "mo") == 0) check_mo(t, step);
  if (strcmp(s->relation, "phase") == 0 || strcmp(s->relation, "mo") == 0 || strcmp(s->relation, "ended") == 0) return;
  bool passed_on = step && strcmp(s->relation, "rf") == 0 && is_passed_on(t, step - 1) &&
                   (strcmp(t->steps[step - 1].relation, "fr") == 0 || strcmp(t->steps[step - 1].relation, "co") == 0) &&
                   !trail_same_thread(t, t->steps[step - 1].from, s->from);
  if (passed_on) return; /* told with the step before */
  if (strcmp(s->relation, "bar-relaxed") == 0) check_relaxed_barrier(t, step);
  else if (strcmp(s->relation, "phase-order") == 0) check_phases(t, step);
  else if (strcmp(s->relation, "rf") == 0) check_reads_from(t, step);
  else check_overtaken(t, step);
}

/* ---- Other models ---- */

/* "program order", "rf": the step of the cycle from one event to the other. */
static const char *step_name(const struct trail *t, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->steps[i].from != from || t->steps[i].to != to) continue;
    return strcmp(t->steps[i].relation, "po") == 0 ? "program order" : t->steps[i].relation;
  }
  return "the way";
}

/* Any model: the pairs that the axiom lacks that comes nearest to forbidding the cycle. */
static void check_any_model(struct trail *t) {
  struct arena *arena = t->story->arena;
  const struct model *model = t->story->ask->model;
  struct needs_question question = {arena, t->story->ask};
  struct lacking lacking = {0};
  if (!lacking_find(t->story, t->steps, t->count, &lacking)) return;
  for (uint32_t i = 0; i < lacking.steps.len; i++) {
    struct lacking_step step = lacking.steps.data[i];
    trail_lacks(t, step.from, step.to,
                arena_printf(arena, "%s of %s does not keep %s from %s to %s: it is not in %s",
                             model->axioms.data[lacking.axiom].name, model->name, step_name(t, step.from, step.to),
                             trail_quote(t, step.from), trail_quote(t, step.to), needs_render(arena, model, step.node)),
                needs_find(&question, step.node, step.from, step.to));
  }
}

void story_missing(struct story *s, const struct cycle_step *cycle, uint32_t count) {
  struct trail t = {.story = s, .x = s->ask->execution, .steps = cycle, .count = count};
  if (!story_is_ptx(s->ask->model)) {
    check_any_model(&t);
    return;
  }
  uint32_t before = s->out->missing.len;
  for (uint32_t i = 0; i + 1 < count; i++) check_step(&t, i);
  /* two writes that a path leads between are ordered when the path is; what a read takes for the later one is not */
  for (uint32_t i = 0; i < count; i++)
    if (s->out->missing.len == before || strcmp(cycle[i].relation, "fr") == 0) check_assumed(&t, i);
  trail_ends(&t);
}
