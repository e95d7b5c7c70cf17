/* Reports the fences and waits that a path lacks at its ends: for proxies, aliases (8.9.5) and tensor memory. */
#include "explain/story.h"
#include "explain/words.h"

/* The event at which base causality must begin: the first one, or, if that is an observed write, the read that observes
 * it (8.9.5). */
static uint32_t base_start(const struct trail *t) {
  const char *why;
  uint32_t step = 0;
  if (t->count < 2 || trail_same_thread(t, t->steps[0].from, t->steps[0].to)) return t->steps[0].from;
  while (trail_through_atomic(t, step)) step += 2;
  bool observed = trail_is(t, step, "rf");
  for (uint32_t i = 0; observed && i <= step; i += 2)
    observed = words_morally_strong(t->story->arena, t->x, t->steps[i].from, t->steps[i].to, &why);
  return observed ? t->steps[step].to : t->steps[0].from;
}

/* True if the fence is on the trail: between two of its events in program order. */
static bool is_passed(const struct trail *t, uint32_t fence) {
  return SOME(for (uint32_t i = 0; i + 1 < t->count; i++),
              story_in_po(t->x, t->steps[i].from, fence) && story_in_po(t->x, fence, t->steps[i].to));
}

/* True if a proxy fence serves the access at `end` of the trail: it is in the access's CTA, and on a path of base
 * causality from the first access to the last, or will be as soon as the trail lacks nothing else. Otherwise `why` has
 * the reason. */
static bool serves(struct trail *t, uint32_t fence, uint32_t end, const char **why) {
  struct arena *arena = t->story->arena;
  uint32_t first = base_start(t), last = t->steps[t->count - 1].from;
  const struct event *e = execution_event(t->x, fence);
  const char *place = words_place(arena, t->x->skeleton->program, e->thread, e->instr);
  struct bitmat path = trail_base(t);
  bool here = e->proxy == PROXY_ALIAS || bitmat_has(t->x->skeleton->must[CAT_REL_SCTA], fence, end);
  bool passed = !path.n || (t->story->out->missing.len && is_passed(t, fence));
  bool from = passed || bitmat_has(path, first, fence), to = passed || bitmat_has(path, fence, last);
  *why = !here   ? arena_printf(arena, "; that of %s is in another cta", place)
         : !from ? arena_printf(arena, "; nothing orders %s before that of %s", trail_quote(t, first), place)
         : !to   ? arena_printf(arena, "; nothing orders that of %s before %s", place, trail_quote(t, last))
                 : NULL;
  return !*why;
}

static bool fences_proxy(struct trail *t, uint32_t end, enum proxy proxy, const char **why) {
  const char *first = "";
  EACH_THREAD_EVENT (f, e, t->x->skeleton) {
    if (e->kind != EVENT_PROXY_FENCE || e->proxy != proxy || !bitset_has(t->x->exec, f)) continue;
    if (serves(t, f, end, why)) return true;
    if (!*first) first = *why;
  }
  *why = first;
  return false;
}

/* The place for a fence at one end of the trail: "between 'ld.acquire.gpu r0, f' and it". */
static const char *room_at(struct trail *t, uint32_t end, bool is_first) {
  uint32_t other = is_first ? trail_exit(t, 0) : trail_entry(t, t->count - 1);
  bool itself = execution_event(t->x, other)->step == execution_event(t->x, end)->step;
  if (t->count < 2 || itself || !trail_same_thread(t, other, end)) return is_first ? "after it" : "before it";
  return arena_printf(t->story->arena, is_first ? "between it and %s" : "between %s and it", trail_quote(t, other));
}

/* The place of a proxy fence relative to the alias fence, if the path needs both. */
static const char *beside_alias(const struct trail *t, bool is_first) {
  if (bitmat_has(t->x->vloc, t->steps[0].from, t->steps[t->count - 1].from)) return "";
  return is_first ? ", before fence.proxy.alias" : ", after fence.proxy.alias";
}

/* The best place for a fence of the async proxy is after the earlier access, in a thread that shares a CTA with the
 * later one (G55). If the earlier access only reads, other means have sufficed on a GPU (hardware.md). */
static const char *async_cure(struct trail *t, uint32_t first, uint32_t last) {
  const struct event *e = execution_event(t->x, first), *f = execution_event(t->x, last);
  bool near = bitmat_has(t->x->skeleton->must[CAT_REL_SCTA], first, last) && !trail_same_thread(t, first, last);
  if (f->proxy != PROXY_ASYNC || e->spawned || !near) return NULL;
  const char *seen = "; if only the value is used, a barrier of the CTA or a memory fence was enough on a GPU, but "
                     "this is not guaranteed";
  return arena_printf(t->story->arena, "put fence.proxy.async after %s%s", trail_quote(t, first),
                      e->kind == EVENT_READ && f->kind == EVENT_WRITE ? seen : "");
}

/* Reports the proxy fence that an end of the trail lacks; false if it lacks none. */
static bool lacks_end(struct trail *t, uint32_t end, bool is_first) {
  struct arena *arena = t->story->arena;
  enum proxy proxy = execution_event(t->x, end)->proxy;
  const char *why;
  bool completed = is_first && (proxy == PROXY_ASYNC || proxy == PROXY_TENSORMAP); /* it has a fence of its own (G53) */
  if (proxy == PROXY_GENERIC || completed || fences_proxy(t, end, proxy, &why)) return false;
  if (!program_fences_proxy(t->x->skeleton->program, proxy)) {
    why = arena_printf(arena, "<a> goes through the %s proxy, of which PTX has no fence (8.9.5)", proxy_word(proxy));
    trail_lacks(t, end, end, why, words_other_proxy(proxy));
    return true;
  }
  const char *name = proxy_word(proxy), *early = is_first ? NULL : async_cure(t, base_start(t), end);
  trail_lacks(t, end, end,
              arena_printf(arena, "<a> goes through the %s proxy, and no fence.proxy.%s on the path is %s it (8.9.5)%s",
                           name, name, is_first ? "after" : "before", why),
              early ? early
                    : arena_printf(arena, "put fence.proxy.%s %s%s", name, room_at(t, end, is_first),
                                   beside_alias(t, is_first)));
  return true;
}

/* The place for an alias fence: between the proxy fences of the two ends. */
static const char *alias_room(struct trail *t, uint32_t first, uint32_t last) {
  struct arena *arena = t->story->arena;
  enum proxy a = execution_event(t->x, first)->proxy, b = execution_event(t->x, last)->proxy;
  const char *after =
      a == PROXY_GENERIC || a == PROXY_ASYNC ? "" : arena_printf(arena, ", after fence.proxy.%s", proxy_word(a));
  const char *before = b == PROXY_GENERIC ? "" : arena_printf(arena, ", before fence.proxy.%s", proxy_word(b));
  return arena_printf(arena, "put fence.proxy.alias between them%s%s", after, before);
}

/* ---- Tensor memory ---- */

/* The last wait on the trail, after which only program order leads to the end. */
static uint32_t last_wait(const struct trail *t) {
  uint32_t step = t->count - 1;
  while (step && (trail_is(t, step - 1, "po") || trail_is(t, step - 1, "issue"))) step--;
  return t->steps[step].from;
}

/* True if a fence of this kind is on the trail: after its first operation and before the trail leaves that thread, or
 * after the last wait and before its last operation. */
static bool tensor_fence(const struct trail *t, uint32_t access, enum one_way which, bool after) {
  uint32_t issue = execution_event(t->x, access)->operation->issue;
  uint32_t border = after ? trail_exit(t, 0) : last_wait(t);
  EACH_THREAD_EVENT (f, e, t->x->skeleton) {
    bool is = e->kind == EVENT_PROXY_FENCE && e->proxy == PROXY_TMEM && e->one_way == which;
    bool beyond = after ? story_in_po(t->x, border, f) : story_in_po(t->x, f, border);
    if (is && !beyond && (after ? story_in_po(t->x, issue, f) : story_in_po(t->x, f, issue))) return true;
  }
  return false;
}

/* The missing wait for the operation of an access; NULL if there is a wait. */
static const char *tensor_end(const struct trail *t, uint32_t access) {
  enum async_action action = execution_event(t->x, access)->operation->async->action;
  struct bitset signals = bitmat_row_set(t->x->skeleton->must[CAT_REL_COMP], access);
  if (action == ASYNC_TENSOR_LOAD) return tensor_fence(t, access, ONE_WAY_LOADS, true) ? NULL : "tcgen05.wait::ld";
  if (action == ASYNC_TENSOR_STORE) return tensor_fence(t, access, ONE_WAY_STORES, true) ? NULL : "tcgen05.wait::st";
  return bitset_next(signals, 0) < t->x->skeleton->n ? NULL : "tcgen05.commit to an mbarrier object, and a wait for it";
}

static void lacks_tensor(struct trail *t, uint32_t at, const char *what, const char *where) {
  struct arena *arena = t->story->arena;
  trail_lacks(t, at, at, arena_printf(arena, "<a> is asynchronous, and no %s is %s it (9.7.18.6)", what, where),
              arena_printf(arena, "put %s %s it", what, where));
}

/* Two accesses of tensor memory: only its own fences and waits order them (AG4). */
static void check_tensor(struct trail *t, uint32_t first, uint32_t last) {
  bool far = !trail_same_thread(t, first, last);
  const char *end = tensor_end(t, first);
  enum async_action action = execution_event(t->x, first)->operation->async->action;
  bool committed = async_row(action)->collector == ASYNC_TENSOR_COMMIT;
  if (end) lacks_tensor(t, first, end, "after");
  else if (far && !committed && action != ASYNC_TENSOR_LOAD && !tensor_fence(t, first, ONE_WAY_BEFORE, true))
    lacks_tensor(t, first, "tcgen05.fence::before_thread_sync", "after");
  if ((far || committed) && !tensor_fence(t, last, ONE_WAY_AFTER, false))
    lacks_tensor(t, last, "tcgen05.fence::after_thread_sync", "before");
}

bool trail_of_tensors(const struct trail *t) {
  return execution_event(t->x, base_start(t))->proxy == PROXY_TMEM &&
         execution_event(t->x, t->steps[t->count - 1].from)->proxy == PROXY_TMEM;
}

void trail_ends(struct trail *t) {
  struct arena *arena = t->story->arena;
  uint32_t first = base_start(t), last = t->steps[t->count - 1].from;
  const struct event *e = execution_event(t->x, first), *f = execution_event(t->x, last);
  bool one_address = bitmat_has(t->x->vloc, first, last);
  bool one_cta = bitmat_has(t->x->skeleton->must[CAT_REL_SCTA], first, last);
  const char *why;
  if (trail_of_tensors(t)) {
    check_tensor(t, first, last);
    return;
  }
  if (one_address && e->proxy == f->proxy && (e->proxy == PROXY_GENERIC || one_cta)) return;
  bool lacks = lacks_end(t, first, true);
  lacks |= lacks_end(t, last, false);
  if (!one_address && !fences_proxy(t, first, PROXY_ALIAS, &why))
    trail_lacks(t, first, last,
                arena_printf(arena,
                             "<a> and <b> use different addresses of one location, and no fence.proxy.alias on the "
                             "path is between them (8.9.5)%s",
                             why),
                alias_room(t, first, last));
  else if (!lacks && !t->story->out->missing.len && e->spawned && one_address)
    trail_lacks(t, first, last, "<a> is asynchronous, and nothing on the path waits until it is done (9.7.10.28.1)",
                "wait for it: for the phase of its mbarrier, or for its group");
  else if (!lacks && !t->story->out->missing.len)
    trail_lacks(t, first, last,
                "wrong order of proxy fences (8.9.5): first the fence of the first access's proxy, then the alias "
                "fence, then the fence of the second's",
                "put them in this order");
}
