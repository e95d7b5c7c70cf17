/* Repairs of a kernel that its author would make: what orders already at another scope, other counts, a barrier less,
 * and statements added where control enters a line of the source. Each is proved on the changed module (module.c). */
#include "diag/source.h"
#include "explain/words.h"
#include "repair/fix_search.h"

/* ---- Words of what orders already */

/* The strongest semantics of a strong access that orders by itself. */
static enum sem strongest(const struct instr *i) {
  bool reads = i->kind == INSTR_LOAD, writes = i->kind == INSTR_STORE || i->kind == INSTR_RED;
  return i->kind == INSTR_FENCE ? i->sem : reads ? SEM_ACQUIRE : writes ? SEM_RELEASE : SEM_ACQ_REL;
}

/* The same fence, or the same strong access as a release or an acquire, at the scope of the finding. */
static bool widened(const struct search_fix *f, uint32_t t, uint32_t n, enum scope scope, struct edit *out) {
  const struct instr *i = &f->input->program->threads[t].instrs[n];
  bool access = instr_is_access(i) && i->sem != SEM_WEAK && i->proxy == PROXY_GENERIC;
  enum scope widest = i->scope > scope ? i->scope : scope;
  *out = (struct edit){.kind = EDIT_STRENGTH, .thread = t, .instr = n, .sem = strongest(i), .scope = widest};
  bool changes = i->scope < widest || i->sem == SEM_RELAXED;
  return (i->kind == INSTR_FENCE || access) && changes;
}

bool fix_is_listed(const struct search_fix *f, const struct edit *list, uint32_t count, const struct edit *edit) {
  const struct thread *threads = f->input->program->threads;
  struct span span = threads[edit->thread].instrs[edit->instr].span;
  for (uint32_t i = 0; i < count; i++) {
    struct span other = threads[list[i].thread].instrs[list[i].instr].span;
    if (other.source == span.source && other.begin == span.begin) return true;
  }
  return false;
}

/* Adds the edits as a repair if they are one: all of them, or one alone. */
bool fix_add_if_proved(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct fix_way way = {.verdict = VERDICT_SAFE};
  if (fix_out_of_time(f) || !fix_proves(f, edits, count)) return false;
  for (uint32_t i = 0; i < count; i++) fix_add_changes(f, &way, &edits[i]);
  VEC_PUSH(f->arena, &f->out->ways, way);
  return true;
}

void fix_try_each_and_all(struct search_fix *f, const struct edit *edits, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) fix_add_if_proved(f, &edits[i], 1);
  if (count > 1 && !f->out->ways.len && fix_add_if_proved(f, edits, count)) f->out->ways.data[0].size = count;
}

static void widen_scopes(struct search_fix *f, enum scope scope) {
  VEC(struct edit) list = {0};
  struct edit edit;
  EDITS_EACH (t, n, f->input->program)
    if (widened(f, t, n, scope, &edit) && !fix_is_listed(f, list.data, list.len, &edit))
      VEC_PUSH(f->arena, &list, edit);
  VEC_EACH (one, &list)
    if (!f->out->ways.len) fix_add_if_proved(f, one, 1);
}

/* The weak access of a race with a strong one, strong too: it counts only if the result is sequential. */
static void make_strong(struct search_fix *f) {
  const struct safety_finding *first = f->out->result->findings.len ? &f->out->result->findings.data[0] : NULL;
  if (!first || first->kind != SAFETY_RACE || !first->pairs || first->a.strong == first->b.strong) return;
  uint32_t t = first->a.strong ? first->thread_b : first->thread_a;
  struct edit edit = {.kind = EDIT_STRENGTH, .thread = t, .sem = SEM_RELAXED};
  edit.instr = first->a.strong ? first->instr_b : first->instr_a;
  edit.scope = words_common_scope(f->input->program, first->far_a, first->far_b);
  const struct instr *i = &f->input->program->threads[t].instrs[edit.instr];
  if (instr_is_access(i) && i->proxy == PROXY_GENERIC) fix_add_if_proved(f, &edit, 1);
}

/* The operand with the number of threads of a barrier of the block. */
static bool counted(const struct search_fix *f, uint32_t t, uint32_t n, struct edit *out) {
  const struct thread *thread = &f->input->program->threads[t];
  const struct instr *i = &thread->instrs[n];
  *out = (struct edit){.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = 1, .number = thread->special.ntid};
  return i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CTA && i->barrier->action != BARRIER_RED &&
         i->barrier->count.kind != OPERAND_NONE;
}

/* Lets barriers with a count count all threads of the block. */
static void count_all(struct search_fix *f) {
  VEC(struct edit) list = {0};
  struct edit edit;
  EDITS_EACH (t, n, f->input->program)
    if (counted(f, t, n, &edit) && !fix_is_listed(f, list.data, list.len, &edit)) VEC_PUSH(f->arena, &list, edit);
  if (list.len) fix_try_each_and_all(f, list.data, list.len);
}

/* Lets threads that only arrive at a barrier wait there too. */
static void wait_at_arrivals(struct search_fix *f) {
  VEC(struct edit) list = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &f->input->program->threads[t].instrs[n];
    const struct edit edit = {.kind = EDIT_WORD, .thread = t, .instr = n, .from = ".arrive", .to = ".sync"};
    bool arrives = i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CTA && i->barrier->action == BARRIER_ARRIVE;
    if (arrives && !fix_is_listed(f, list.data, list.len, &edit)) VEC_PUSH(f->arena, &list, edit);
  }
  if (list.len && !f->out->ways.len) fix_try_each_and_all(f, list.data, list.len);
}

/* Removes one barrier: one that only some warps pass lets them pass all later ones out of step. */
static void drop_barriers(struct search_fix *f) {
  VEC(struct edit) list = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &f->input->program->threads[t].instrs[n];
    const struct edit edit = {.kind = EDIT_DROP, .thread = t, .instr = n};
    bool barrier = i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CTA && i->barrier->action == BARRIER_SYNC;
    if (barrier && !fix_is_listed(f, list.data, list.len, &edit)) VEC_PUSH(f->arena, &list, edit);
  }
  VEC_EACH (edit, &list) fix_add_if_proved(f, edit, 1);
}

/* ---- Statements */

enum statement_use {
  USE_WARP,    /* the finding may be of two lanes of a warp */
  USE_BLOCK,   /* of two threads of a block */
  USE_CLUSTER, /* of two blocks of a cluster */
  USE_GRID,    /* of two blocks */
  USE_ASYNC,   /* the launch has operations by the async proxy */
  USE_COPY,    /* cp.async */
  USE_BULK,    /* cp.async.bulk with groups */
  USE_MMA,     /* wgmma */
  USE_TENSOR,  /* tensor memory */
  USE_GRIDS,   /* of two grids */
};

/* Statements to add, in PTX and in the words of CUDA C++: what orders first, then waits, then both. */
static const struct statement {
  const char *ptx, *source;
  enum statement_use needs;
} statements[] = {
    {"bar.warp.sync 0xffffffff", "__syncwarp()", USE_WARP},
    {"bar.sync 0", "__syncthreads()", USE_BLOCK},
    {"barrier.cluster.arrive; barrier.cluster.wait", "cooperative_groups::this_cluster().sync()", USE_CLUSTER},
    {"griddepcontrol.wait", "cudaGridDependencySynchronize()", USE_GRIDS},
    {"fence.acq_rel.gpu", "__threadfence()", USE_GRID},
    {"fence.proxy.async", "cuda::ptx::fence_proxy_async()", USE_ASYNC},
    {"wgmma.wait_group.sync.aligned 0", "wgmma.wait_group.sync.aligned 0 (inline PTX)", USE_MMA},
    {"cp.async.wait_all", "__pipeline_wait_prior(0)", USE_COPY},
    {"cp.async.bulk.wait_group.read 0", "cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>())", USE_BULK},
    {"cp.async.bulk.wait_group.read 0; bar.sync 0",
     "cuda::ptx::cp_async_bulk_wait_group_read(cuda::ptx::n32_t<0>()); __syncthreads()", USE_BULK},
    {"cp.async.bulk.wait_group 0", "cuda::ptx::cp_async_bulk_wait_group(cuda::ptx::n32_t<0>())", USE_BULK},
    {"tcgen05.wait::ld.sync.aligned", "cuda::ptx::tcgen05_wait_ld()", USE_TENSOR},
    {"tcgen05.wait::st.sync.aligned", "cuda::ptx::tcgen05_wait_st()", USE_TENSOR},
    {"fence.proxy.async; bar.sync 0", "cuda::ptx::fence_proxy_async(); __syncthreads()", USE_ASYNC},
    {"cp.async.wait_all; bar.sync 0", "__pipeline_wait_prior(0); __syncthreads()", USE_COPY},
    {"tcgen05.wait::ld.sync.aligned; bar.sync 0", "cuda::ptx::tcgen05_wait_ld(); __syncthreads()", USE_TENSOR},
};

/* The threads of a finding, for several pairs those that are the furthest apart; `known`: there are two. */
struct between {
  bool known, of_warp;
  enum scope scope;
};

static struct between of_finding(const struct search_fix *f) {
  const struct result *r = f->out->result;
  const struct safety_finding *first = r->findings.len ? &r->findings.data[0] : NULL;
  if (!first || first->thread_a == NO_THREAD || first->thread_b == NO_THREAD) return (struct between){0};
  if (first->thread_a == first->thread_b) return (struct between){0};
  uint32_t a = first->pairs ? first->far_a : first->thread_a, b = first->pairs ? first->far_b : first->thread_b;
  const struct thread *threads = r->program->threads;
  return (struct between){true, threads[a].warp_id == threads[b].warp_id, words_common_scope(r->program, a, b)};
}

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
  for (uint32_t t = 1; t < program->thread_count; t++)
    if (words_common_scope(program, 0, t) == SCOPE_CLUSTER) return true;
  return false;
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

/* True if the finding is of an operation that has not ended: a wait ends it, and no fence does. */
static bool is_in_flight(const struct search_fix *f) {
  const struct result *r = f->out->result;
  return r->findings.len && r->findings.data[0].clause && base_begins(r->findings.data[0].clause, "In-Flight");
}

static bool of_grids(const struct search_fix *f) {
  const struct safety_finding *first = &f->out->result->findings.data[0];
  const struct thread *threads = f->out->result->program->threads;
  return threads[first->thread_a].grid != threads[first->thread_b].grid;
}

static bool suits(const struct search_fix *f, const struct statement *s) {
  const struct between between = of_finding(f);
  if (!waits_too_little(f) && (s->needs <= USE_GRID || s->needs == USE_GRIDS)) return false;
  switch (s->needs) {
    case USE_WARP: return !between.known || between.of_warp;
    case USE_BLOCK: return !between.known || between.scope == SCOPE_CTA;
    case USE_CLUSTER: return between.known ? between.scope == SCOPE_CLUSTER : has_clusters(f->input->program);
    case USE_GRID: return !is_in_flight(f) && (!between.known || between.scope > SCOPE_CTA);
    case USE_ASYNC: return !is_in_flight(f) && any_async(f->input->program, s->needs);
    case USE_COPY:
    case USE_BULK:
    case USE_MMA:
    case USE_TENSOR: return any_async(f->input->program, s->needs);
    case USE_GRIDS: return between.known && of_grids(f);
  }
  BUG("no need %d", (int)s->needs);
}

/* ---- Lines, those near the finding first */

struct near_lines {
  VEC(struct kernel_line) list;
};

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
  const struct kernel_line *lines = f->input->lines->list.data;
  if (thread == NO_THREAD) return 0;
  for (uint32_t i = 0; i < f->input->lines->list.len; i++)
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
  for (uint32_t i = 0; i < f->input->lines->list.len; i++) {
    const struct kernel_line *line = &f->input->lines->list.data[i];
    uint32_t near = apart(i, a) < apart(i, b) ? apart(i, a) : apart(i, b);
    if (line->own) VEC_PUSH(f->arena, &ranked, ((struct ranked_line){near + entries(f, thread, line) / FEW, line}));
  }
  VEC_SORT(&ranked, is_nearer);
  VEC_EACH (one, &ranked) VEC_PUSH(f->arena, &out->list, *one->line);
}

/* ---- Ways */

static struct kernel_edit add_at(struct search_fix *f, struct arena *arena, const struct statement *s,
                                 const struct kernel_line *line, struct kernel_places *places) {
  struct kernel_edit edit = {.kind = KERNEL_AT_LINE, .line = *line, .places = places};
  edit.instrs = edits_read(arena, f->input->names, s->ptx, &edit.count);
  return edit;
}

/* The statement as PTX at several places. Copies by the compiler count as one instruction; in PTX itself, lanes of a
 * warp may execute only a barrier without .aligned at different places (9.7.15.1). */
static const char *at_places(struct arena *arena, const char *ptx, const struct kernel_places *places) {
  const char *bar = places->list.len > 1 ? strstr(ptx, "bar.sync") : NULL;
  return bar ? arena_printf(arena, "%.*sbarrier%s", (int)(bar - ptx), ptx, bar + 3) : ptx;
}

/* Lets all threads execute an instruction that a condition keeps from some. */
bool fix_unguard(struct search_fix *f, uint32_t thread, uint32_t instr) {
  struct kernel_places *places = ARENA_NEW(f->arena, struct kernel_places);
  const struct instr *in = &f->input->program->threads[thread].instrs[instr];
  const struct kernel_edit edit = {.kind = KERNEL_UNGUARD, .at = in->span, .places = places};
  struct fix_way way = {.verdict = VERDICT_SAFE, .size = 1};
  if (fix_out_of_time(f)) return false;
  struct fix_trial judged;
  if (!module_repairs(f, &edit, 1, MODULE_MEETS, &judged)) return false;
  struct text source = {.arena = f->arena};
  span_tell_line(in->span, &source);
  text_printf(&source, "  let all threads execute %s", words_instr(f->arena, f->input->program, thread, instr));
  VEC_PUSH(f->arena, &way.changes,
           ((struct fix_change){.kind = FIX_DROP, .source = text_str(&source), .places = places}));
  VEC_PUSH(f->arena, &f->out->ways, way);
  return true;
}

static struct fix_change change_of(struct search_fix *f, const struct statement *s, const struct kernel_line *line) {
  struct kernel_places *places = ARENA_NEW(f->arena, struct kernel_places);
  const struct kernel_edit edit = add_at(f, f->arena, s, line, places);
  f->input->remake(f->input->remaker, f->arena, &edit, 1, FIX_VERDICT);
  return (struct fix_change){.kind = FIX_ADD,
                             .ahead = true,
                             .after = at_places(f->arena, s->ptx, places),
                             .source = arena_printf(f->arena, "%s before %s:%u", s->source, line->file, line->line),
                             .places = places};
}

struct fix_change fix_barrier_at(struct search_fix *f, enum barrier_kind kind, const struct kernel_line *line,
                                 struct kernel_edit *out) {
  const enum statement_use use = kind == BARRIER_WARP ? USE_WARP : kind == BARRIER_CTA ? USE_BLOCK : USE_CLUSTER;
  const struct statement *s = statements;
  while (s->needs != use) s++;
  *out = add_at(f, f->arena, s, line, NULL);
  return change_of(f, s, line);
}

/* Statements at lines; `count` of them. */
struct addition {
  const struct statement *statement;
  const struct kernel_line *line;
};

static bool additions_do(struct search_fix *f, const struct addition *list, uint32_t count, struct fix_trial *judged) {
  struct kernel_edit *edits = ARENA_ARRAY(f->scratch, struct kernel_edit, count);
  for (uint32_t i = 0; i < count; i++) edits[i] = add_at(f, f->scratch, list[i].statement, list[i].line, NULL);
  return module_repairs(f, edits, count, MODULE_MEETS, judged);
}

static void add_additions(struct search_fix *f, const struct addition *list, uint32_t count) {
  struct fix_way way = {.verdict = VERDICT_SAFE, .size = count, .cost = (unsigned)(list->statement - statements)};
  for (uint32_t i = 0; i < count; i++) VEC_PUSH(f->arena, &way.changes, change_of(f, list[i].statement, list[i].line));
  VEC_PUSH(f->arena, &f->out->ways, way);
}

/* Tries a statement at each line, until it was a repair at two; at one, if that took long. */
static void try_statement(struct search_fix *f, const struct statement *s, const struct near_lines *lines) {
  enum { ENOUGH = 2, LONG = 1000000 };
  uint32_t found = 0;
  struct fix_trial judged;
  VEC_EACH (line, &lines->list) {
    const struct addition one = {s, line};
    if (found == ENOUGH || (found && f->work > LONG) || fix_out_of_time(f)) return;
    if (!additions_do(f, &one, 1, &judged)) continue;
    add_additions(f, &one, 1);
    found++;
  }
}

/* Adds a statement at all lines where it makes nobody wait for ever, and leaves out those without need. */
static void try_everywhere(struct search_fix *f, const struct statement *s, const struct near_lines *lines) {
  VEC(struct addition) all = {0};
  struct fix_trial judged;
  VEC_EACH (line, &lines->list) VEC_PUSH(f->arena, &all, ((struct addition){s, line}));
  VEC_KEEP(one, &all, !additions_do(f, one, 1, &judged) && judged.decided && judged.kind == f->as_is.kind);
  if (!all.len || fix_out_of_time(f) || !additions_do(f, all.data, all.len, &judged)) return;
  for (uint32_t i = 0; i < all.len && !fix_out_of_time(f);) {
    const struct addition left_out = all.data[i];
    for (uint32_t k = i; k + 1 < all.len; k++) all.data[k] = all.data[k + 1];
    all.len--;
    if (all.len && additions_do(f, all.data, all.len, &judged)) continue;
    all.len++;
    for (uint32_t k = all.len - 1; k > i; k--) all.data[k] = all.data[k - 1];
    all.data[i++] = left_out;
  }
  add_additions(f, all.data, all.len);
  f->out->only_minimal = true;
}

void fix_add_statements(struct search_fix *f, bool everywhere) {
  struct near_lines lines = {0};
  if (f->out->goal != FIX_SAFE || !f->input->remake) return;
  const struct between between = of_finding(f);
  if (!everywhere && between.known && between.scope > SCOPE_CTA) widen_scopes(f, between.scope);
  if (!everywhere && between.known && !f->out->ways.len) make_strong(f);
  if (!everywhere && !f->out->ways.len && (!between.known || between.scope == SCOPE_CTA)) {
    count_all(f);
    wait_at_arrivals(f);
  }
  if (!everywhere && !f->out->ways.len && between.known && between.scope == SCOPE_CTA && !between.of_warp)
    drop_barriers(f);
  if (!everywhere && !f->out->ways.len) fix_add_meetings(f);
  if (!everywhere && !f->out->ways.len) fix_add_moves(f);
  find_lines(f, &lines);
  /* Where a check takes long, a barrier of the block comes before one of the warp, which does less. */
  enum { MUCH = 1000000 };
  bool swapped = f->once > MUCH;
  for (size_t k = 0; k < ARRAY_LEN(statements) && !f->out->ways.len && !fix_out_of_time(f); k++) {
    const struct statement *s = &statements[swapped && k < 2 ? 1 - k : k];
    if (!suits(f, s)) continue;
    if (everywhere) try_everywhere(f, s, &lines);
    else try_statement(f, s, &lines);
  }
  if (!everywhere && !f->out->ways.len) fix_add_counts(f);
}
