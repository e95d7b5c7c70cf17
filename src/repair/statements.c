/* Statements added where control enters a line of the source, or at instructions of a module without lines. */
#include "explain/words.h"
#include "repair/proposals.h"

enum statement_use {
  USE_WARP,     /* the finding may be of two lanes of a warp */
  USE_BLOCK,    /* of two threads of a block */
  USE_CLUSTER,  /* of two blocks of a cluster */
  USE_GRID,     /* of two blocks */
  USE_GPUS,     /* of two GPUs, or a host */
  USE_GRIDS,    /* of two grids */
  USE_ASYNC,    /* the launch has operations by the async proxy */
  USE_FRAGMENT, /* an access to registers of wgmma */
  USE_COPY,     /* cp.async */
  USE_BULK,     /* cp.async.bulk with groups */
  USE_MMA,      /* wgmma */
  USE_TENSOR,   /* tensor memory */
};

/* Statements to add, in PTX and in the words of CUDA C++: what orders first, then waits, then both. */
static const struct statement {
  const char *ptx, *source;
  enum statement_use needs;
  bool orders; /* it only adds order, and makes nobody wait */
} statements[] = {
    {"bar.warp.sync 0xffffffff", "__syncwarp()", USE_WARP, false},
    {"bar.sync 0", "__syncthreads()", USE_BLOCK, false},
    {"barrier.cluster.arrive; barrier.cluster.wait", "cooperative_groups::this_cluster().sync()", USE_CLUSTER, false},
    {"griddepcontrol.wait", "cudaGridDependencySynchronize()", USE_GRIDS, false},
    {"fence.acq_rel.gpu", "__threadfence()", USE_GRID, true},
    {"fence.acq_rel.sys", "__threadfence_system()", USE_GPUS, true},
    {"fence.proxy.async", "cuda::ptx::fence_proxy_async()", USE_ASYNC, true},
    {"wgmma.fence.sync.aligned", "wgmma.fence.sync.aligned (inline PTX)", USE_FRAGMENT, true},
    {"wgmma.wait_group.sync.aligned 0", "wgmma.wait_group.sync.aligned 0 (inline PTX)", USE_MMA, true},
    {"cp.async.wait_all", "__pipeline_wait_prior(0)", USE_COPY, true},
    {"cp.async.bulk.wait_group.read 0", "cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>())", USE_BULK,
     true},
    {"cp.async.bulk.wait_group.read 0; bar.sync 0",
     "cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>()); __syncthreads()", USE_BULK, false},
    {"cp.async.bulk.wait_group 0", "cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>())", USE_BULK, true},
    {"tcgen05.wait::ld.sync.aligned", "cuda::ptx::tcgen05_wait_ld()", USE_TENSOR, false},
    {"tcgen05.wait::st.sync.aligned", "cuda::ptx::tcgen05_wait_st()", USE_TENSOR, false},
    {"fence.proxy.async; bar.sync 0", "cuda::ptx::fence_proxy_async(); __syncthreads()", USE_ASYNC, false},
    {"cp.async.wait_all; bar.sync 0", "__pipeline_wait_prior(0); __syncthreads()", USE_COPY, false},
    {"tcgen05.wait::ld.sync.aligned; bar.sync 0", "cuda::ptx::tcgen05_wait_ld(); __syncthreads()", USE_TENSOR, false},
};

static bool is_for(const struct async *a, enum statement_use needs) {
  switch (needs) {
    case USE_ASYNC: return a->list != GROUP_COPY && !a->tensor;
    case USE_COPY: return a->list == GROUP_COPY;
    case USE_BULK: return a->list == GROUP_BULK;
    case USE_MMA: return a->list == GROUP_MMA;
    case USE_TENSOR: return a->tensor != 0;
    case USE_WARP:
    case USE_BLOCK:
    case USE_CLUSTER:
    case USE_GRID:
    case USE_GPUS:
    case USE_FRAGMENT:
    case USE_GRIDS: break;
  }
  BUG("%d is no need of asynchronous operations", (int)needs);
}

static bool any_async(const struct program *program, enum statement_use needs) {
  EDITS_EACH (t, n, program) {
    const struct instr *i = &program->threads[t].instrs[n];
    if (i->kind == INSTR_ASYNC && is_for(i->async, needs)) return true;
  }
  return false;
}

static bool has_clusters(const struct program *program) {
  return SOME(for (uint32_t t = 1; t < program->thread_count; t++), words_common_scope(program, 0, t) == SCOPE_CLUSTER);
}

/* True if one more barrier may cure the first finding: none ends a wait for ever, or brings lanes together. */
static bool waits_too_little(const struct search_fix *f) {
  const struct result *r = f->out->result;
  if (!r->findings.len) return false;
  const struct safety_finding *first = &r->findings.data[0];
  bool parted =
      first->reason && (first->reason->id == REASON_DIVERGENT_BARRIER || first->reason->id == REASON_DIVERGENT_MATRIX);
  return first->kind != SAFETY_HANG && first->kind != SAFETY_TRAP && !parted;
}

static bool begins_with(const struct search_fix *f, const char *clause) {
  const struct result *r = f->out->result;
  return r->findings.len && r->findings.data[0].clause && base_begins(r->findings.data[0].clause, clause);
}

/* True if the finding is of an operation that has not ended: a wait ends it, and no fence does. */
static bool is_in_flight(const struct search_fix *f) { return begins_with(f, "In-Flight"); }

static bool of_grids(const struct search_fix *f) {
  const struct safety_finding *first = &f->out->result->findings.data[0];
  const struct thread *threads = f->out->result->program->threads;
  return threads[first->thread_a].grid != threads[first->thread_b].grid;
}

static bool suits(const struct search_fix *f, const struct statement *s) {
  const struct between between = fix_between(f);
  if (!waits_too_little(f) && s->needs <= USE_GRIDS) return false;
  switch (s->needs) {
    case USE_WARP: return !between.known || between.of_warp;
    case USE_BLOCK: return !between.known || between.scope == SCOPE_CTA;
    case USE_CLUSTER: return between.known ? between.scope == SCOPE_CLUSTER : has_clusters(f->input->program);
    case USE_GRID:
      return !is_in_flight(f) && (!between.known || (between.scope > SCOPE_CTA && between.scope < SCOPE_SYS));
    case USE_GPUS: return !is_in_flight(f) && between.known && between.scope == SCOPE_SYS;
    case USE_ASYNC: return !is_in_flight(f) && any_async(f->input->program, s->needs);
    case USE_COPY:
    case USE_BULK:
    case USE_MMA:
    case USE_TENSOR: return any_async(f->input->program, s->needs);
    case USE_FRAGMENT: return begins_with(f, "mma-");
    case USE_GRIDS: return between.known && of_grids(f);
  }
  BUG("no need %d", (int)s->needs);
}

/* ---- Lines, those near the finding first */

VEC_NAMED(near_lines, struct kernel_line);

static bool is_at(const struct source_origin *o, const struct kernel_line *line) {
  if (!o) return false;
  bool outer = o->outer && o->outer_line == line->line && strcmp(o->outer, line->file) == 0;
  return outer || (o->line == line->line && strcmp(o->file, line->file) == 0);
}

static const struct source_origin *origin_of(const struct thread *t, uint32_t n) {
  struct span span = n < t->instr_count ? t->instrs[n].span : (struct span){0};
  return span.source ? source_origin(span.source, span.begin) : NULL;
}

static uint32_t index_of(const struct search_fix *f, uint32_t thread, uint32_t instr) {
  const struct kernel_line *lines = f->input->lines->data;
  if (thread == NO_THREAD) return 0;
  for (uint32_t i = 0; i < f->input->lines->len; i++)
    if (is_at(origin_of(&f->out->result->program->threads[thread], instr), &lines[i])) return i;
  return 0;
}

/* The number of times that a thread enters the line. */
static uint32_t entries(const struct search_fix *f, uint32_t thread, const struct kernel_line *line) {
  const struct thread *t = &f->input->program->threads[thread == NO_THREAD ? 0 : thread];
  uint32_t count = 0;
  bool inside = false;
  for (uint32_t n = 0; n < t->instr_count; n++) {
    bool at = is_at(origin_of(t, n), line);
    count += at && !inside;
    inside = at;
  }
  return count;
}

static uint32_t apart(uint32_t a, uint32_t b) { return a < b ? b - a : a - b; }

struct ranked_line {
  uint32_t rank;
  const struct kernel_line *line;
};

static bool is_nearer(const struct ranked_line *a, const struct ranked_line *b) { return a->rank < b->rank; }

/* Orders lines by their distance from the places of the finding. Those of inner loops come later: a launch that waits
 * there in each turn takes long. */
static void find_lines(struct search_fix *f, struct near_lines *out) {
  enum { FEW = 4 };
  const struct result *r = f->out->result;
  const struct safety_finding *first = r->findings.len ? &r->findings.data[0] : NULL;
  uint32_t thread = first ? first->thread_a : NO_THREAD, a = first ? index_of(f, thread, first->instr_a) : 0;
  uint32_t b = first ? index_of(f, first->thread_b, first->instr_b) : 0;
  VEC(struct ranked_line) ranked = {0};
  for (uint32_t i = 0; i < f->input->lines->len; i++) {
    const struct kernel_line *line = &f->input->lines->data[i];
    uint32_t near = apart(i, a) < apart(i, b) ? apart(i, a) : apart(i, b);
    if (line->own) VEC_PUSH(f->arena, &ranked, ((struct ranked_line){near + entries(f, thread, line) / FEW, line}));
  }
  VEC_SORT(&ranked, is_nearer);
  VEC_EACH (one, &ranked) VEC_PUSH(f->arena, out, *one->line);
}

/* ---- All */

struct proposal statements_barrier(enum barrier_kind kind, const struct kernel_line *line) {
  const enum statement_use use = kind == BARRIER_WARP ? USE_WARP : kind == BARRIER_CTA ? USE_BLOCK : USE_CLUSTER;
  const struct statement *s = statements;
  while (s->needs != use) s++;
  return (struct proposal){.added = s->ptx, .source = s->source, .line = line};
}

/* Adds the statement behind and before an instruction. */
static void add_at(struct search_fix *f, const struct statement *s, uint32_t thread, uint32_t instr,
                   struct proposals *out) {
  if (thread == NO_THREAD || instr >= f->input->program->threads[thread].instr_count) return;
  struct edit edit = {.kind = EDIT_ADD, .thread = thread, .instr = instr, .added = s->ptx};
  proposals_add(f, out, edit);
  edit.ahead = true;
  proposals_add(f, out, edit);
}

static bool takes_part(const struct instr *i) {
  return instr_is_access(i) || i->kind == INSTR_ASYNC || i->kind == INSTR_GROUP || i->kind == INSTR_MBARRIER;
}

/* The statement before the lines near the finding. */
static void list_lines(struct search_fix *f, const struct statement *s, const struct near_lines *lines,
                       struct proposals *out) {
  VEC_EACH (line, lines)
    VEC_PUSH(f->arena, out, ((struct proposal){.added = s->ptx, .source = s->source, .line = line}));
}

/* The statement at the instructions of the finding, as two accesses may be on one line; without lines, at each
 * instruction that accesses or waits. */
static void list_instrs(struct search_fix *f, const struct statement *s, const struct near_lines *lines,
                        struct proposals *out) {
  const struct result *r = f->out->result;
  const struct safety_finding *first = r->findings.len ? &r->findings.data[0] : NULL;
  if (first) add_at(f, s, first->thread_a, first->instr_a, out);
  if (first) add_at(f, s, first->thread_b, first->instr_b, out);
  EDITS_EACH (t, n, f->input->program)
    if (!lines->len && takes_part(&f->input->program->threads[t].instrs[n])) add_at(f, s, t, n, out);
}

void statements_try(struct search_fix *f, enum statement_places places, bool waits, struct statement_lists *tried) {
  enum { MUCH = 1000000 };
  /* A barrier of the block comes before one of the warp, which does less, if a check takes long. */
  bool swapped = f->once > MUCH;
  struct near_lines lines = {0};
  find_lines(f, &lines);
  for (size_t k = 0; k < ARRAY_LEN(statements) && !f->out->ways.len && !fix_out_of_time(f); k++) {
    const struct statement *s = &statements[swapped && k < 2 ? 1 - k : k];
    struct proposals all = {0};
    if ((s->needs >= USE_COPY) != waits || !suits(f, s)) continue;
    (places == AT_LINES ? list_lines : list_instrs)(f, s, &lines, &all);
    if (s->orders) proposals_try_orders(f, &all);
    else proposals_try_each(f, &all);
    VEC_PUSH(f->arena, tried, all);
  }
}

/* Those that make nobody wait for ever. */
void statements_try_several(struct search_fix *f, struct statement_lists *tried) {
  VEC_EACH (all, tried) {
    VEC_KEEP(c, all, c->judged.decided && c->judged.kind == f->as_is.kind);
    if (!f->out->ways.len) proposals_try_together(f, all);
  }
}
