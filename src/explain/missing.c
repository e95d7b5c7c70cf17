/* Finds the steps of a path that the model does not order, and the reasons.
 *
 * For models that define causality as PTX does, the conditions of chapter 8 are checked one by one on the execution: is
 * the write observed (8.9.2), does a release pattern end in it, does an acquire pattern begin with the read (8.8), are
 * the ends of the patterns morally strong (8.7), are there fence.sc instructions around a step from a read to a write
 * (8.9.3), do proxy fences bridge the proxies and addresses of the two ends (8.9.5). For other models: the pairs that
 * the axiom nearest to forbidding the cycle lacks (lacking.c). */

#include "explain/story.h"
#include "explain/words.h"

/* ---- Release and acquire ---- */

VEC_NAMED(ends, uint32_t);

static bool is_fence(const struct event *e, enum sem one) {
  return e->kind == EVENT_FENCE && (e->sem == one || e->sem == SEM_ACQ_REL || e->sem == SEM_SC);
}

/* The operations that begin a release pattern which ends in write `access` and covers `border`; with SEM_ACQUIRE, those
 * that end an acquire pattern which begins with that read. */
static void find_ends(struct trail *t, uint32_t access, uint32_t border, enum sem sem, struct ends *out) {
  struct arena *arena = t->story->arena;
  bool release = sem == SEM_RELEASE;
  if (!release && execution_event(t->x, access)->is_red) return;
  if (execution_event(t->x, access)->sem == sem) VEC_PUSH(arena, out, access);
  EACH_THREAD_EVENT (f, e, t->x->skeleton) {
    bool near = release ? story_in_po(t->x, f, access) : story_in_po(t->x, access, f);
    bool covers = f == border || (release ? story_in_po(t->x, border, f) : story_in_po(t->x, f, border));
    bool pattern = e->kind == (release ? EVENT_WRITE : EVENT_READ) && e->sem == sem && (release || !e->is_red) &&
                   bitmat_has(t->x->same_range, f, access);
    if (near && covers && (pattern || is_fence(e, sem))) VEC_PUSH(arena, out, f);
  }
}

/* A fence or access of the thread that would serve at another position or for another location: "; 'fence.sc.sys'
 * is not between the two"; or "". */
static const char *elsewhere(struct trail *t, uint32_t event, enum sem sem) {
  const char *what = sem == SEM_RELEASE ? "releases, but writes" : "acquires, but reads";
  EACH_THREAD_EVENT (f, e, t->x->skeleton) {
    if (f == event || !trail_same_thread(t, f, event) || !bitset_has(t->x->exec, f)) continue;
    if (e->kind == EVENT_FENCE && is_fence(e, sem))
      return arena_printf(t->story->arena, "; %s is not between the two", trail_quote(t, f));
    if (event_is_memory(e) && e->sem == sem)
      return arena_printf(t->story->arena, "; %s %s another location", trail_quote(t, f), what);
  }
  return "";
}

/* True if the other half of the atomic releases or acquires, which a cure must keep. */
static bool other_half(const struct trail *t, uint32_t event) {
  const struct event *e = execution_event(t->x, event);
  if (!e->is_rmw || e->partner == NO_EVENT) return false;
  enum sem sem = execution_event(t->x, e->partner)->sem;
  return sem == SEM_RELEASE || sem == SEM_ACQUIRE || sem == SEM_ACQ_REL;
}

/* Reports that nothing on this side of `border` makes the write w a release, or the read r an acquire. An atomic keeps
 * its opcode and the semantics of its other half; beside a fence the access must be strong itself. */
static void miss_end(struct trail *t, uint32_t w, uint32_t r, uint32_t border, enum sem sem) {
  struct arena *arena = t->story->arena;
  bool release = sem == SEM_RELEASE;
  uint32_t access = release ? w : r;
  const struct event *e = execution_event(t->x, access);
  const char *word = release ? "release" : "acquire", *op = release ? "st" : "ld", *at = trail_quote(t, border);
  if (e->host == HOST_X86) return; /* each load acquires, each store releases */
  if (!release && e->is_red) {
    trail_lacks(t, w, r, "<b> is a red, which never begins an acquire pattern (8.8, 8.11.1)",
                other_half(t, r) ? "make it an atom with .acq_rel<scope>" : "make it an atom with .acquire<scope>");
    return;
  }
  const char *text =
      arena_printf(arena, "%s does not %s, and no %s fence comes between %s and %s%s", trail_quote(t, access), word,
                   word, release ? at : "it", release ? "it" : at, elsewhere(t, access, sem));
  const char *cure = !e->is_rmw              ? arena_printf(arena, "make it %s.%s<scope>", op, word)
                     : other_half(t, access) ? "give it .acq_rel<scope>"
                                             : arena_printf(arena, "give it .%s<scope> (or .acq_rel)", word);
  const char *strong = e->sem == SEM_WEAK ? arena_printf(arena, "make it %s.relaxed<scope> and ", op) : "";
  const char *side = release ? "before" : "after", *fence = "fence.acq_rel<scope>";
  if (e->host) {
    fence = arena_printf(arena, "atomic_thread_fence(%s)", word);
    strong = "";
    cure = e->is_rmw ? arena_printf(arena, "give it the order %s", word)
                     : arena_printf(arena, release ? "make it a store(..., %s)" : "make it a load(%s)", word);
  }
  trail_lacks(t, w, r, text, arena_printf(arena, "%s, or %sput %s %s it", cure, strong, fence, side));
}

/* True if some release end and some acquire end are morally strong; otherwise `why` has the reason for the first
 * two. */
static bool ends_agree(struct trail *t, const struct ends *releases, const struct ends *acquires, const char **why) {
  const char *first = NULL;
  for (uint32_t i = 0; i < releases->len; i++)
    for (uint32_t j = 0; j < acquires->len; j++) {
      if (words_morally_strong(t->story->arena, t->x, releases->data[i], acquires->data[j], why)) return true;
      if (!first) first = *why;
    }
  *why = first;
  return false;
}

/* A cure for two accesses that differ in address or proxy: in one thread, fences; between threads, the same address and
 * proxy, because nothing else makes them morally strong. */
static const char *bridge(struct trail *t, uint32_t w, uint32_t r) {
  const struct event *e = execution_event(t->x, w), *f = execution_event(t->x, r);
  bool other_address = !bitmat_has(t->x->vloc, w, r);
  if (!trail_same_thread(t, w, r) || (other_address && (e->proxy != PROXY_GENERIC || f->proxy != PROXY_GENERIC)))
    return other_address ? "access it through one address" : NULL;
  if (other_address) return "put fence.proxy.alias between them";
  if (e->proxy == f->proxy || (e->proxy != PROXY_GENERIC && f->proxy != PROXY_GENERIC)) return NULL;
  enum proxy proxy = e->proxy != PROXY_GENERIC ? e->proxy : f->proxy;
  if (!program_fences_proxy(t->x->skeleton->program, proxy)) return words_other_proxy(proxy);
  return arena_printf(t->story->arena, "put fence.proxy.%s between them", proxy_word(proxy));
}

/* True if a is strong, and its scope does not reach b. */
static bool leaves_out(const struct trail *t, uint32_t a, uint32_t b) {
  return execution_event(t->x, a)->sem != SEM_WEAK && !bitmat_has(t->x->skeleton->must[CAT_REL_INCL], a, b);
}

/* The cure if one or both of the two are weak. */
static const char *make_strong(struct trail *t, uint32_t w, uint32_t r) {
  struct arena *arena = t->story->arena;
  const char *scope = trail_scope(t, w, r);
  bool first = execution_event(t->x, w)->sem == SEM_WEAK, second = execution_event(t->x, r)->sem == SEM_WEAK;
  uint32_t weak = first ? w : r, strong = first ? r : w;
  const char *text = arena_printf(arena, "make %s strong: .relaxed%s at least",
                                  first && second ? "both accesses" : trail_quote(t, weak), scope);
  if (!leaves_out(t, strong, weak)) return text;
  return arena_printf(arena, "%s, and the scope of %s %s or wider", text, trail_quote(t, strong), scope);
}

const char *trail_strengthen(struct trail *t, uint32_t w, uint32_t r) {
  const char *scope = trail_scope(t, w, r);
  const struct event *e = execution_event(t->x, w), *f = execution_event(t->x, r);
  if (bitmat_has(t->x->partial, w, r))
    return e->proxy == PROXY_GENERIC && f->proxy == PROXY_GENERIC
               ? "make both accesses strong, and access the same bytes"
               : NULL;
  if (e->proxy != f->proxy || !bitmat_has(t->x->vloc, w, r)) return bridge(t, w, r);
  if (e->proxy != PROXY_GENERIC) return NULL;
  if (e->sem == SEM_WEAK || f->sem == SEM_WEAK) return make_strong(t, w, r);
  return arena_printf(t->story->arena, "the scope%s must be %s or wider",
                      leaves_out(t, w, r) && leaves_out(t, r, w) ? " of both" : "", scope);
}

static bool from_atomic(const struct trail *t, uint32_t step) {
  return step >= 2 && execution_event(t->x, t->steps[step].from)->is_rmw &&
         execution_event(t->x, t->steps[step].from)->partner == t->steps[step - 1].from && trail_is(t, step - 2, "rf");
}

/* The first step of the observation that `step` continues through atomics: it begins with the observed write. */
static uint32_t chain_start(const struct trail *t, uint32_t step) {
  while (from_atomic(t, step)) step -= 2;
  return step;
}

static void lacks_observation(struct trail *t, uint32_t w, uint32_t r, const char *why) {
  static const char text[] = "<b> reads from <a>, but observes it only if they are morally strong (8.9.2): %s";
  trail_lacks(t, w, r, arena_printf(t->story->arena, text, why), trail_strengthen(t, w, r));
}

/* True if an access is as strong as it must be, or the cure of a missing release or acquire will make it so. */
static bool cured_with(const struct trail *t, uint32_t event, uint32_t other, const struct ends *ends) {
  bool fits = execution_event(t->x, event)->sem != SEM_WEAK && !leaves_out(t, event, other);
  return fits || (!ends->len && !execution_event(t->x, event)->is_red);
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
  bool itself = entry == first && begin == 0; /* the path starts at the write itself: observation alone orders it */
  struct ends releases = {0}, acquires = {0};
  find_ends(t, first, entry, SEM_RELEASE, &releases);
  find_ends(t, r, exit, SEM_ACQUIRE, &acquires);
  bool told = !passed && !itself && first == w && is_plain(t, w, r) && cured_with(t, w, r, &releases) &&
              cured_with(t, r, w, &acquires);
  if (!observed && !told) lacks_observation(t, w, r, why);
  if (passed || itself) return;
  if (!releases.len) miss_end(t, first, r, entry, SEM_RELEASE);
  if (!acquires.len) miss_end(t, first, r, exit, SEM_ACQUIRE);
  if (!releases.len || !acquires.len || ends_agree(t, &releases, &acquires, &why)) return;
  if (!observed && releases.data[0] == first && acquires.data[0] == r) return; /* reported, with one cure */
  trail_lacks(t, releases.data[0], acquires.data[0],
              arena_printf(t->story->arena, "the release and the acquire do not synchronize (8.9.4): %s", why),
              "both scopes must be <scope> or wider");
}

/* ---- Barriers, and phases of mbarrier objects ---- */

/* True if base causality leads from the event at which the trail enters the thread of the step's first event to the
 * event at which it leaves the thread of the step's last event. */
static bool is_ordered(const struct trail *t, uint32_t step) {
  struct bitmat base = trail_base(t);
  return base.n && bitmat_has(base, trail_entry(t, step), trail_exit(t, step));
}

/* Phases follow each other in time, but a phase orders only the threads that wait for it after the threads that
 * arrived. */
static void check_phases(struct trail *t, uint32_t a, uint32_t b) {
  const struct event *first = execution_event(t->x, a);
  if (first->kind == EVENT_ARRIVE && first->meeting.barrier->kind == BARRIER_LANES)
    trail_lacks(t, a, b, "<a> passes a value, but orders no accesses to memory (8.9.4)",
                "put a bar.warp.sync of these lanes beside it");
  else if (execution_event(t->x, b)->kind == EVENT_ARRIVE)
    trail_lacks(t, a, b, "<b> arrives in a later phase, but waits for no thread there (8.9.4)",
                "let both wait in one phase of the barrier, or order them by a release and an acquire");
  else
    trail_lacks(t, a, b, "<b> continues only after the end of <A>, but that orders nothing (8.9.4)",
                "make <A> arrive at the barrier too, or order them by a release and an acquire");
}

static bool is_relaxed(const struct trail *t, uint32_t event) {
  return execution_event(t->x, event)->sem == SEM_RELAXED;
}

/* A signal and a test of its phase order the accesses around them if both have the semantics and their scopes include
 * each other's thread (MB9). */
static void check_phase(struct trail *t, uint32_t step) {
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  bool own = step && trail_is(t, step - 1, "completes"); /* the signal completes the access */
  if (execution_event(t->x, a)->spawned && !own) {
    trail_lacks(
        t, a, b,
        "the signal of <a> releases the accesses of the operation, and nothing that came before its issue (8.9.1.1)",
        "after the accesses that must be seen, add a releasing arrival to the phase");
    return;
  }
  if (trail_of_tensors(t)) return; /* a signal and its test order accesses of tensor memory even if relaxed (AG4) */
  if (leaves_out(t, a, b) || leaves_out(t, b, a))
    trail_lacks(t, a, b, "<a> counts, but its scope and that of <b> do not contain each other's thread (8.7)",
                "give both the scope .cluster, with .release and .acquire");
  if (is_relaxed(t, a) && !own)
    trail_lacks(t, a, b, "<a> is relaxed: it counts, but orders nothing (9.7.15.16)",
                "leave out .relaxed, or put a release fence before it");
  if (is_relaxed(t, b))
    trail_lacks(t, a, b, "<b> is relaxed: it detects the phase, but orders nothing",
                "leave out .relaxed, or put an acquire fence after it");
}

/* ---- Steps that only a fence.sc orders ---- */

static uint32_t sc_fence_between(const struct trail *t, uint32_t a, uint32_t b) {
  uint32_t other = NO_EVENT;
  EACH_THREAD_EVENT (f, e, t->x->skeleton) {
    if (e->kind != EVENT_FENCE || !story_in_po(t->x, a, f) || !story_in_po(t->x, f, b)) continue;
    if (e->sem == SEM_SC) return f;
    other = f;
  }
  return other;
}

/* "P0 has none between 'st x' and 'ld y'"; NULL if there is one. */
static const char *lacks_fence(struct trail *t, uint32_t fence, uint32_t a, uint32_t b) {
  struct arena *arena = t->story->arena;
  const char *thread = trail_thread(t, a);
  if (fence != NO_EVENT && execution_event(t->x, fence)->sem == SEM_SC) return NULL;
  if (a == b) return arena_printf(arena, "in %s no fence can go around %s", thread, trail_quote(t, a));
  const char *has = fence == NO_EVENT ? "none" : arena_printf(arena, "only %s", trail_quote(t, fence));
  return arena_printf(arena, "%s has %s between %s and %s", thread, has, trail_quote(t, a), trail_quote(t, b));
}

/* True if the next step is a read, in a third thread, of the write at the end of this step: the two count as one. */
static bool is_passed_on(const struct trail *t, uint32_t step) {
  return step + 2 < t->count && trail_is(t, step + 1, "rf") &&
         !trail_same_thread(t, t->steps[step + 1].to, t->steps[step].from);
}

static const char *overtaken_text(struct trail *t, uint32_t step) {
  bool fr = trail_is(t, step, "fr");
  if (!is_passed_on(t, step))
    return fr ? "from-read (a read before a write) orders nothing"
              : "coherence order of two writes orders no other accesses";
  return arena_printf(t->story->arena, "<A> %s before %s, which <B> sees, but this orders nothing",
                      fr ? "reads" : "writes", trail_quote(t, t->steps[step].to));
}

static void check_overtaken(struct trail *t, uint32_t step) {
  struct arena *arena = t->story->arena;
  uint32_t far = is_passed_on(t, step) ? step + 1 : step;
  uint32_t a = t->steps[step].from, b = t->steps[far].to, entry = trail_entry(t, step), exit = trail_exit(t, far);
  uint32_t before = sc_fence_between(t, entry, a), after = sc_fence_between(t, b, exit);
  const char *first = lacks_fence(t, before, entry, a), *second = lacks_fence(t, after, b, exit), *why;
  if (first || second) {
    trail_lacks(t, a, b,
                arena_printf(arena, "%s; only fence.sc in <A> and <B> would (8.9.3): %s%s%s", overtaken_text(t, step),
                             first ? first : "", first && second ? ", " : "", second ? second : ""),
                first && second ? "put fence.sc<scope> in <A> and <B>"
                : first         ? "put fence.sc<scope> in <A>"
                                : "put fence.sc<scope> in <B>");
    return;
  }
  if (!words_morally_strong(arena, t->x, before, after, &why))
    trail_lacks(t, a, b, arena_printf(arena, "the two fence.sc instructions are not ordered (8.9.3): %s", why),
                "both scopes must be <scope> or wider");
  if (far != step && !words_morally_strong(arena, t->x, t->steps[far].from, b, &why))
    lacks_observation(t, t->steps[far].from, b, why);
}

/* ---- Writes that the model leaves unordered ---- */

static uint32_t source_of(const struct trail *t, uint32_t read, uint32_t write) {
  for (uint32_t w = 0; w < t->x->skeleton->n; w++)
    if (bitmat_has(t->x->rf, w, read) && bitmat_has(t->x->co, w, write)) return w;
  return NO_EVENT;
}

/* Reports a step of the cycle that exists only in an assumed order of racing writes. */
static void check_assumed(struct trail *t, uint32_t step) {
  const struct cycle_step *s = &t->steps[step];
  bool fr = trail_is(t, step, "fr"), co = trail_is(t, step, "co");
  if (!t->story->completed || !(fr || co)) return;
  if (bitmat_has(fr ? t->story->real_fr : t->story->real_co, s->from, s->to)) return;
  uint32_t first = fr ? source_of(t, s->from, s->to) : s->from;
  const char *why = "";
  if (first == NO_EVENT || words_morally_strong(t->story->arena, t->x, first, s->to, &why)) return;
  trail_lacks(
      t, s->from, s->to,
      arena_printf(
          t->story->arena,
          "%s and <b> of <B> race and are unordered in coherence (8.9.6), so either may count as the later write: %s",
          trail_quote(t, first), why),
      trail_strengthen(t, first, s->to));
}

/* Only a fence orders the reads of a wgmma after earlier instructions of its thread (G62). */
static void check_issue(struct trail *t, uint32_t step) {
  uint32_t access = t->steps[step].to;
  if (!step || execution_event(t->x, access)->operation->async->action != ASYNC_MMA) return;
  uint32_t before = t->steps[step - 1].from;
  for (uint32_t f = 0; f < t->x->skeleton->first_init; f++)
    if (bitmat_has(t->x->skeleton->must[CAT_REL_SPAWN], f, access) && (f == before || story_in_po(t->x, before, f)))
      return;
  trail_lacks(t, before, access, "wgmma follows <a> only with a fence between (9.7.17)",
              "put wgmma.fence.sync.aligned or fence.proxy.async there");
}

/* ---- PTX ---- */

/* A relaxed arrival orders only the accesses that fences around it order; the total order of the operations on an
 * mbarrier object orders them only in time (MB3). */
static void check_step(struct trail *t, uint32_t step) {
  uint32_t a = t->steps[step].from, b = t->steps[step].to;
  bool passed_on = step && trail_is(t, step, "rf") && is_passed_on(t, step - 1) &&
                   (trail_is(t, step - 1, "fr") || trail_is(t, step - 1, "co")) &&
                   !trail_same_thread(t, t->steps[step - 1].from, a); /* reported with the step before */
  if (trail_is(t, step, "issue")) check_issue(t, step);
  if (trail_same_thread(t, a, b) || trail_is(t, step, "bar") || trail_is(t, step, "ended") || passed_on) return;
  if (trail_is(t, step, "phase")) {
    if (!is_ordered(t, step)) check_phase(t, step);
  } else if (trail_is(t, step, "mo")) {
    if (trail_base(t).n && !is_ordered(t, step))
      trail_lacks(t, a, b,
                  "<a> comes before <b>, but only an arrival together with a test of its phase orders accesses",
                  "make the first thread arrive, and make the other one wait for that phase");
  } else if (trail_is(t, step, "bar-relaxed")) {
    if (!is_ordered(t, step) && !trail_of_tensors(t))
      trail_lacks(t, a, b, "<a> is relaxed: it counts, but orders nothing (8.9.4)", "leave out .relaxed");
  } else if (trail_is(t, step, "phase-order")) {
    check_phases(t, a, b);
  } else if (trail_is(t, step, "rf")) {
    check_reads_from(t, step);
  } else {
    check_overtaken(t, step);
  }
}

/* ---- Other models ---- */

/* "program order", "rf": the step of the cycle from one event to the other. */
static const char *step_name(const struct trail *t, uint32_t from, uint32_t to) {
  for (uint32_t i = 0; i < t->count; i++)
    if (t->steps[i].from == from && t->steps[i].to == to)
      return trail_is(t, i, "po") ? "program order" : t->steps[i].relation;
  return "a step";
}

/* Any model: reports the pairs that the axiom nearest to forbidding the cycle lacks. `fix` finds the cures. */
static void check_any_model(struct trail *t) {
  struct arena *arena = t->story->arena;
  const struct model *model = t->story->ask->model;
  struct lacking lacking = {0};
  if (!lacking_find(t->story, t->steps, t->count, &lacking)) return;
  VEC_EACH (step, &lacking.steps)
    trail_lacks(t, step->from, step->to,
                arena_printf(arena, "%s of %s would forbid this cycle if %s from <a> to <b> were in %s",
                             model->axioms.data[lacking.axiom].name, model->name, step_name(t, step->from, step->to),
                             lacking_render(arena, model, step->node)),
                NULL);
}

void story_missing(struct story *s, const struct cycle_step *cycle, uint32_t count) {
  struct trail t = {.story = s, .x = s->ask->execution, .steps = cycle, .count = count};
  if (!story_is_ptx(s->ask->model)) {
    check_any_model(&t);
    return;
  }
  uint32_t before = s->out->missing.len;
  for (uint32_t i = 0; i + 1 < count; i++) check_step(&t, i);
  /* mending the steps above orders the writes at the ends of the path, but not a racing write that follows an fr */
  for (uint32_t i = 0; i < count; i++)
    if (s->out->missing.len == before || trail_is(&t, i, "fr")) check_assumed(&t, i);
  trail_ends(&t);
}
