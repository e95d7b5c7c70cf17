#include "explain/cure.h"

#include "cat/clauses.h"
#include "explain/words.h"

/* A barrier for two threads. */
static const char *barrier_for(const struct program *program, uint32_t a, uint32_t b) {
  const struct thread *x = &program->threads[a], *y = &program->threads[b];
  bool kernel = x->of_kernel && y->of_kernel;
  if (x->warp_id == y->warp_id)
    return kernel ? "put __syncwarp() between the two accesses (bar.warp.sync)"
                  : "put bar.warp.sync between the two accesses";
  switch (words_common_scope(program, a, b)) {
    case SCOPE_CTA:
      return kernel ? "put __syncthreads() between the two accesses (bar.sync 0)"
                    : "put a barrier for both threads between the two accesses, such as bar.sync 0";
    case SCOPE_CLUSTER:
      return kernel ? "put cluster.sync() between the two accesses (barrier.cluster.arrive and .wait)"
                    : "put barrier.cluster.arrive and .wait between the two accesses";
    case SCOPE_GPU:
    case SCOPE_SYS:
      return kernel ? "order them by a flag: cuda::atomic_ref with memory_order_release after one access, and with "
                      "memory_order_acquire in a loop before the other"
                    : "order them by a flag: st.release after one access, and ld.acquire in a loop before the other";
    case SCOPE_NONE: return NULL;
  }
  BUG("no such scope");
}

/* Two strong accesses race because a scope is too narrow. */
static const char *wider(struct arena *arena, const struct program *program, uint32_t a, uint32_t b) {
  enum scope scope = words_common_scope(program, a, b);
  return arena_printf(arena, "make the scopes of both contain the other thread: %s (cuda::thread_scope_%s)",
                      scope_word(scope), scope_of_cuda(scope));
}

static const char *cure_of_race(struct arena *arena, const struct program *program, const struct safety_finding *f) {
  bool mixed = f->a.proxy != f->b.proxy, far = f->thread_a != f->thread_b;
  if (f->thread_a == NO_THREAD || f->thread_b == NO_THREAD) return NULL;
  if (f->a.spawned || f->b.spawned) {
    bool async = (f->a.spawned && f->a.proxy == PROXY_ASYNC) || (f->b.spawned && f->b.proxy == PROXY_ASYNC);
    return arena_printf(arena,
                        "if the copy comes first, wait for it before the access; if the access comes first, put %s"
                        "between it and the copy",
                        mixed && async ? (far ? "fence.proxy.async and then a barrier " : "fence.proxy.async ")
                                       : (far ? "a barrier " : "a wait "));
  }
  if (mixed || !far) return NULL;
  if (program->threads[f->far_a].host || program->threads[f->far_b].host)
    return "order them by a flag: a release store (of scope sys) after one access, and an acquire load in a loop "
           "before the other";
  if (program->threads[f->far_a].grid != program->threads[f->far_b].grid)
    return "let the later grid wait for the earlier one before the access: cudaGridDependencySynchronize() "
           "(griddepcontrol.wait)";
  if (f->a.strong && f->b.strong && f->a.phys == f->b.phys && base_begins(f->clause, "Data-Race"))
    return wider(arena, program, f->far_a, f->far_b);
  return barrier_for(program, f->far_a, f->far_b);
}

const char *cure_known(struct arena *arena, const struct program *program, const struct safety_finding *f) {
  const struct cat_clause *clause = cat_clause(f->clause);
  if (f->reason) return f->reason->cure;
  if (clause && !clause->race) return clause->cure;
  return f->kind == SAFETY_RACE && f->pairs ? cure_of_race(arena, program, f) : NULL;
}
