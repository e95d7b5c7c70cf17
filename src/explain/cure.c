#include "explain/explain.h"

#include "explain/words.h"

/* A barrier for two threads, or a flag. */
static const char *barrier_for(struct arena *arena, const struct program *program, uint32_t a, uint32_t b) {
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
    case SCOPE_SYS: {
      const enum scope scope = words_common_scope(program, a, b);
      if (kernel)
        return arena_printf(arena,
                            "set a flag with cuda::atomic_ref of thread_scope_%s: memory_order_release after one "
                            "access, and memory_order_acquire in a loop before the other",
                            scope_of_cuda(scope));
      return arena_printf(
          arena,
          "set a flag with st.release%s after one access, and wait for it in a loop with ld.acquire%s before the other",
          scope_word(scope), scope_word(scope));
    }
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

const char *cure_proxies(struct arena *arena, const struct program *program, enum proxy a, enum proxy b,
                         bool one_thread) {
  enum proxy other = a == PROXY_GENERIC ? b : a;
  const char *word = proxy_word(other);
  if (a != PROXY_GENERIC && b != PROXY_GENERIC) return NULL;
  if (!program_fences_proxy(program, other))
    return "load it without .nc, for which no fence makes other writes visible: without __ldg, and not through a "
           "pointer that is const __restrict__";
  if (one_thread)
    return arena_printf(
        arena, "one goes through the generic proxy, the other through the %s proxy: put fence.proxy.%s between them",
        word, word);
  const char *cuda = other == PROXY_ASYNC ? ", in CUDA C++ cuda::ptx::fence_proxy_async()," : "";
  const char *where = other == PROXY_ASYNC ? "after the generic access in its thread, and before" : "between them, and";
  return arena_printf(arena,
                      "one goes through the generic proxy, the other through the %s proxy: put fence.proxy.%s%s %s the "
                      "barrier or the flag that orders them",
                      word, word, cuda, where);
}

static bool writes_flag(const struct instr *i) {
  return (i->kind == INSTR_STORE || i->kind == INSTR_ATOM || i->kind == INSTR_RED) && i->sem != SEM_WEAK;
}

static bool reads_flag(const struct instr *i) {
  return (i->kind == INSTR_LOAD || i->kind == INSTR_ATOM) && i->sem != SEM_WEAK;
}

static bool at_one_place(const struct instr *a, const struct instr *b) {
  const struct address *x = &a->addr, *y = &b->addr;
  bool known = x->base.kind == OPERAND_IMM && y->base.kind == OPERAND_IMM;
  return known && x->base.imm == y->base.imm && x->offset == y->offset;
}

struct known_flag {
  uint32_t writer, write, reader, read;
};

/* NULL: the flag has all that a flag needs, as far as its accesses show. */
static const char *use_of_flag(struct arena *arena, const struct program *program, struct known_flag flag) {
  const struct thread *x = &program->threads[flag.writer], *y = &program->threads[flag.reader];
  const struct instr *write = &x->instrs[flag.write], *read = &y->instrs[flag.read];
  const char *fence = x->gpu_id == y->gpu_id ? "__threadfence()" : "__threadfence_system()";
  bool releases = write->sem == SEM_RELEASE || write->sem >= SEM_ACQ_REL;
  bool acquires = read->sem == SEM_ACQUIRE || read->sem >= SEM_ACQ_REL;
  const enum scope scope = words_common_scope(program, flag.writer, flag.reader);
  bool reaches = write->scope >= scope && read->scope >= scope;
  struct text out = {.arena = arena};
  if (releases && acquires && reaches) return NULL;
  text_add(&out, "let the flag that is there order them: ");
  if (!releases)
    text_printf(&out, "make '%s' a release, or put %s before it", words_instr(arena, program, flag.writer, flag.write),
                fence);
  if (!releases && !acquires) text_add(&out, "; and ");
  if (!acquires)
    text_printf(&out, "make '%s' an acquire, or put %s after it", words_instr(arena, program, flag.reader, flag.read),
                fence);
  if (!reaches)
    text_printf(&out, "%sgive '%s' and '%s' the scope %s (cuda::thread_scope_%s)", releases && acquires ? "" : "; and ",
                words_instr(arena, program, flag.writer, flag.write),
                words_instr(arena, program, flag.reader, flag.read), scope_word(scope), scope_of_cuda(scope));
  return text_str(&out);
}

/* Strong accesses to one location, a write after the first access and a read before the second: a flag that they could
 * order by. */
static const char *flag_between(struct arena *arena, const struct program *program, uint32_t a, uint32_t from,
                                uint32_t b, uint32_t to) {
  const struct thread *x = &program->threads[a], *y = &program->threads[b];
  for (uint32_t w = from + 1; w < x->instr_count; w++)
    for (uint32_t r = to; writes_flag(&x->instrs[w]) && r-- > 0;)
      if (reads_flag(&y->instrs[r]) && at_one_place(&x->instrs[w], &y->instrs[r]))
        return use_of_flag(arena, program, (struct known_flag){a, w, b, r});
  return NULL;
}

static const char *by_known_flag(struct arena *arena, const struct program *program, const struct raised_pair *p) {
  const char *flag = NULL;
  if (words_common_scope(program, p->thread_a, p->thread_b) < SCOPE_GPU) return NULL;
  flag = flag_between(arena, program, p->thread_a, p->instr_a, p->thread_b, p->instr_b);
  return flag ? flag : flag_between(arena, program, p->thread_b, p->instr_b, p->thread_a, p->instr_a);
}

const char *cure_order(struct arena *arena, const struct program *program, const struct raised_pair *p) {
  const char *flag = by_known_flag(arena, program, p);
  return flag ? flag : barrier_for(arena, program, p->thread_a, p->thread_b);
}

bool cure_is_one_store(const struct program *program, const struct safety_finding *f) {
  if (f->kind != SAFETY_RACE || !f->pairs || f->thread_a == NO_THREAD || f->thread_b == NO_THREAD) return false;
  const struct instr *a = &program->threads[f->thread_a].instrs[f->instr_a];
  const struct instr *b = &program->threads[f->thread_b].instrs[f->instr_b];
  uint32_t all;
  return program->threads[f->thread_a].of_kernel && a->kind == INSTR_STORE && b->kind == INSTR_STORE &&
         a->span.source == b->span.source && a->span.begin == b->span.begin &&
         instr_turn(program, f->thread_a, f->instr_a, &all) == instr_turn(program, f->thread_b, f->instr_b, &all);
}

static const char *cure_one_store(struct arena *arena, const struct program *program, const struct safety_finding *f) {
  enum scope scope = words_common_scope(program, f->far_a, f->far_b);
  return arena_printf(arena,
                      "both threads execute this write: let one of them write it (if (%s.x == 0), say), or store it "
                      "with cuda::atomic_ref of thread_scope_%s and memory_order_relaxed (st.relaxed%s)",
                      scope == SCOPE_CTA ? "threadIdx" : "blockIdx", scope_of_cuda(scope), scope_word(scope));
}

static bool is_product(const struct program *program, uint32_t thread, uint32_t instr) {
  const struct instr *in = &program->threads[thread].instrs[instr];
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_MMA;
}

static const char *cure_of_race(struct arena *arena, const struct program *program, const struct safety_finding *f) {
  bool mixed = f->a.proxy != f->b.proxy, far = f->thread_a != f->thread_b;
  if (f->thread_a == NO_THREAD || f->thread_b == NO_THREAD) return NULL;
  if (f->a.spawned || f->b.spawned) {
    bool async = (f->a.spawned && f->a.proxy == PROXY_ASYNC) || (f->b.spawned && f->b.proxy == PROXY_ASYNC);
    if (mixed && (is_product(program, f->thread_a, f->instr_a) || is_product(program, f->thread_b, f->instr_b)))
      return arena_printf(arena,
                          "before the product, put fence.proxy.async after the write, for a copy after the wait for "
                          "it%s; after the product, wgmma.wait_group%s",
                          far ? ", and then a barrier" : "", far ? " and then a barrier" : "");
    return arena_printf(arena,
                        "if the copy comes first, wait for it before the access; if the access comes first, put "
                        "%sbetween it and the copy",
                        mixed && async ? (far ? "fence.proxy.async and then a barrier " : "fence.proxy.async ")
                                       : (far ? "a barrier " : "a wait "));
  }
  if (mixed) return cure_proxies(arena, program, f->a.proxy, f->b.proxy, !far);
  if (!far) return NULL;
  if (program->threads[f->far_a].host || program->threads[f->far_b].host)
    return "order them by a flag: a release store (of scope sys) after one access, and an acquire load in a loop "
           "before the other";
  if (program->threads[f->far_a].grid != program->threads[f->far_b].grid)
    return "let the later grid wait for the earlier one before the access: cudaGridDependencySynchronize() "
           "(griddepcontrol.wait)";
  if (f->a.strong && f->b.strong && f->a.phys == f->b.phys && base_begins(f->clause, "Data-Race"))
    return wider(arena, program, f->far_a, f->far_b);
  const struct raised_pair pair = {
      .thread_a = f->thread_a, .instr_a = f->instr_a, .thread_b = f->thread_b, .instr_b = f->instr_b};
  const char *flag = by_known_flag(arena, program, &pair);
  if (flag) return flag;
  return cure_is_one_store(program, f) ? cure_one_store(arena, program, f)
                                       : barrier_for(arena, program, f->far_a, f->far_b);
}

/* Cooperative groups trap where the launch gives no workspace. */
const char *cure_of_reason(const struct program *program, const struct reason *reason) {
  const struct litmus_test *test = program->test;
  bool alone = test && test->workspace && !SOME(LIST_EACH (kernel, test->kernels), kernel->cooperative);
  return reason->id == REASON_TRAP && alone ? "grid.sync() needs a cooperative launch: add 'cooperative' after it"
                                            : reason->cure;
}

const char *cure_known(struct arena *arena, const struct program *program, const struct safety_finding *f) {
  const struct cat_clause *clause = cat_clause(f->clause);
  if (f->reason) return cure_of_reason(program, f->reason);
  if (clause && !clause->race) return clause->cure;
  return f->kind == SAFETY_RACE && f->pairs ? cure_of_race(arena, program, f) : NULL;
}
