/* Finds changes that order two racing accesses. */
#include "explain/races.h"
#include "explain/words.h"

static bool in_po(const struct execution *x, uint32_t a, uint32_t b) {
  return bitmat_has(x->skeleton->must[CAT_REL_PO], a, b) && bitset_has(x->exec, a) && bitset_has(x->exec, b);
}

/* True if the write may be meant to hand over what comes before it to what comes after the read: another write before
 * it has the location of an access behind the read, or the other way about. */
static bool hands_over(const struct execution *x, uint32_t write, uint32_t read) {
  const struct event *events = x->skeleton->events.data;
  for (uint32_t e = 0; e < x->skeleton->first_init; e++) {
    if (!in_po(x, e, write) || !event_is_memory(&events[e])) continue;
    for (uint32_t f = 0; f < x->skeleton->first_init; f++) {
      bool writes = events[e].kind == EVENT_WRITE || events[f].kind == EVENT_WRITE;
      if (in_po(x, read, f) && event_is_memory(&events[f]) && writes && bitmat_has(x->loc, e, f)) return true;
    }
  }
  return false;
}

static const char *meet(struct arena *arena, const struct program *program, uint32_t a, uint32_t b) {
  enum scope scope = words_common_scope(program, a, b);
  if (scope == SCOPE_CTA) return "let the threads meet between the two, as at bar.sync 0";
  if (scope == SCOPE_CLUSTER) return "let the CTAs meet between the two: barrier.cluster.arrive and .wait";
  return arena_printf(arena,
                      "after the one set a flag with st.release%s, and before the other wait for it with "
                      "ld.acquire%s in a loop",
                      scope_word(scope), scope_word(scope));
}

const char *races_order(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b,
                        const struct race *race) {
  const struct event *e = &x->skeleton->events.data[a], *f = &x->skeleton->events.data[b];
  const struct program *program = x->skeleton->program;
  if (e->proxy != PROXY_GENERIC || f->proxy != PROXY_GENERIC || !bitmat_has(x->vloc, a, b)) return NULL;
  bool flag = e->kind != f->kind && hands_over(x, e->kind == EVENT_WRITE ? a : b, e->kind == EVENT_WRITE ? b : a);
  if (flag && !race->mixed && (!race->direct || (e->sem != SEM_WEAK && f->sem != SEM_WEAK))) return NULL;
  if (flag && !race->mixed) {
    const char *scope = scope_word(words_common_scope(program, e->thread, f->thread));
    return arena_printf(arena,
                        "make the write release and the read acquire, at %s: accesses before the write then precede "
                        "accesses after the read",
                        scope);
  }
  if (!race->missing.len || race->direct) {
    const char *order = meet(arena, program, e->thread, f->thread);
    return race->mixed ? arena_printf(arena, "%s; or make both strong, and access the same bytes", order) : order;
  }
  return race->apart
             ? "reach the later one only where that path was taken: behind a loop, or a branch on a loaded value"
             : NULL;
}
