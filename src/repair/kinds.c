/* The kinds of changes of a launch, in the order in which they are tried: stronger words of what orders already, who
 * meets where (counts and masks of those that come, barriers that the lanes of a warp execute apart), moves, statements
 * (statements.c), then other words and numbers at every instruction. */
#include "explain/explain.h"
#include "explain/words.h"
#include "ptx/isa.h"
#include "repair/proposals.h"

enum { WARP = 32 }; /* lanes */

static const struct thread *threads_of(const struct search_fix *f) { return f->input->program->threads; }

static const struct safety_finding *first_of(const struct search_fix *f) {
  const struct result *r = f->out->result;
  return r->findings.len ? &r->findings.data[0] : NULL;
}

struct between fix_between(const struct search_fix *f) {
  const struct safety_finding *first = first_of(f);
  if (!first || first->thread_a == NO_THREAD || first->thread_b == NO_THREAD) return (struct between){0};
  if (first->thread_a == first->thread_b) return (struct between){0};
  uint32_t a = first->pairs ? first->far_a : first->thread_a, b = first->pairs ? first->far_b : first->thread_b;
  const struct program *program = f->out->result->program;
  bool of_warp = program->threads[a].warp_id == program->threads[b].warp_id;
  return (struct between){true, of_warp, words_common_scope(program, a, b)};
}

/* ---- Findings that a kind is for */

static bool is_far(const struct search_fix *f) {
  const struct between b = fix_between(f);
  return b.known && b.scope > SCOPE_CTA;
}

static bool is_near(const struct search_fix *f) {
  const struct between b = fix_between(f);
  return !b.known || b.scope == SCOPE_CTA;
}

static bool is_of_warps(const struct search_fix *f) {
  const struct between b = fix_between(f);
  return b.known && b.scope == SCOPE_CTA && !b.of_warp;
}

/* A weak access races with a strong one, or a store with itself in another thread. */
static bool is_half_strong(const struct search_fix *f) {
  const struct safety_finding *first = first_of(f);
  if (!fix_between(f).known || first->kind != SAFETY_RACE || !first->pairs) return false;
  return first->a.strong != first->b.strong || cure_is_one_store(f->input->program, first);
}

static bool is_hang(const struct search_fix *f) { return first_of(f) && first_of(f)->kind == SAFETY_HANG; }

static bool is_parted(const struct search_fix *f) {
  const struct safety_finding *first = first_of(f);
  return first && first->reason && first->reason->id == REASON_DIVERGENT_BARRIER;
}

static bool is_any(const struct search_fix *f) { return first_of(f); }

/* ---- Stronger words */

/* The strongest semantics of a strong access that orders by itself. */
static enum sem strongest(const struct instr *i) {
  bool reads = i->kind == INSTR_LOAD, writes = i->kind == INSTR_STORE || i->kind == INSTR_RED;
  return i->kind == INSTR_FENCE ? i->sem : reads ? SEM_ACQUIRE : writes ? SEM_RELEASE : SEM_ACQ_REL;
}

/* The same fence, or the same strong access as a release or an acquire, at the scope of the finding. */
static bool widen(const struct search_fix *f, const struct instr *i, struct edit *out) {
  bool access = instr_is_access(i) && i->sem != SEM_WEAK && i->proxy == PROXY_GENERIC;
  enum scope scope = fix_between(f).scope, widest = i->scope > scope ? i->scope : scope;
  out->kind = EDIT_STRENGTH;
  out->sem = strongest(i);
  out->scope = widest;
  return (i->kind == INSTR_FENCE || access) && (i->scope < widest || i->sem == SEM_RELAXED);
}

/* The weak access of such a race, strong too: it counts only if the result is sequential. */
static bool strengthen(const struct search_fix *f, const struct instr *i, struct edit *out) {
  const struct safety_finding *first = first_of(f);
  uint32_t thread = first->a.strong ? first->thread_b : first->thread_a;
  const struct instr *weak = &threads_of(f)[thread].instrs[first->a.strong ? first->instr_b : first->instr_a];
  out->kind = EDIT_STRENGTH;
  out->sem = SEM_RELAXED;
  out->scope = fix_between(f).scope;
  return instr_is_access(i) && i->proxy == PROXY_GENERIC && proposals_one_line(weak, i);
}

/* ---- Threads that meet */

static bool is_barrier(const struct instr *i, enum barrier_action action) {
  return i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CTA && i->barrier->action == action;
}

static bool set_number(struct edit *out, uint32_t operand, uint32_t number) {
  out->kind = EDIT_NUMBER;
  out->operand = operand;
  out->number = number;
  return true;
}

/* Lets a barrier with a count count all threads of the block. */
static bool count_all(const struct search_fix *f, const struct instr *i, struct edit *out) {
  bool counts =
      (is_barrier(i, BARRIER_SYNC) || is_barrier(i, BARRIER_ARRIVE)) && i->barrier->count.kind != OPERAND_NONE;
  return counts && set_number(out, 1, threads_of(f)[out->thread].special.ntid);
}

/* Lets threads that only arrive at a barrier wait there too. */
static bool wait_there(const struct search_fix *f, const struct instr *i, struct edit *out) {
  (void)f;
  out->kind = EDIT_WORD;
  out->from = ".arrive";
  out->to = ".sync";
  return is_barrier(i, BARRIER_ARRIVE);
}

/* A barrier that only some warps pass lets them pass all later ones out of step. */
static bool drop(const struct search_fix *f, const struct instr *i, struct edit *out) {
  (void)f;
  out->kind = EDIT_DROP;
  return is_barrier(i, BARRIER_SYNC);
}

/* Lets the lanes of a warp execute a barrier apart: without .aligned, each arrives for itself (9.7.15.1, 9.7.15.3). */
static bool part(const struct search_fix *f, const struct instr *i, struct edit *out) {
  (void)f;
  out->kind = EDIT_WORD;
  out->from = EDIT_ALIGNED;
  return i->kind == INSTR_BARRIER && i->barrier->aligned;
}

/* Leaves one group fewer pending. */
static bool wait_more(const struct search_fix *f, const struct instr *i, struct edit *out) {
  (void)f;
  bool leaves = i->kind == INSTR_GROUP && i->group->waits && i->group->left.kind == OPERAND_IMM && i->group->left.imm;
  return leaves && set_number(out, 0, (uint32_t)i->group->left.imm - 1);
}

/* Waits until the writes are there too, not only until the source was read. */
static bool wait_for_writes(const struct search_fix *f, const struct instr *i, struct edit *out) {
  (void)f;
  out->kind = EDIT_WORD;
  out->from = ".read";
  return i->kind == INSTR_GROUP && i->group->reads_only;
}

static bool executes(const struct thread *t, struct span span) {
  return SOME(ARRAY_EACH (i, t->instrs, t->instr_count), i->span.source == span.source && i->span.begin == span.begin);
}

/* The threads of the block that execute the instruction. */
static uint32_t comers(const struct search_fix *f, uint32_t thread, const struct instr *i) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < f->input->program->thread_count; t++) {
    const struct thread *other = &threads_of(f)[t];
    if (other->cta_id == threads_of(f)[thread].cta_id && executes(other, i->span)) count += 1 + other->represents;
  }
  return count;
}

/* Lets barriers count whole warps. */
static bool count_warps(const struct search_fix *f, const struct instr *i, struct edit *out) {
  bool refused = i->ast && i->ast->refused && i->ast->refused->id == REASON_BARRIER_COUNT;
  return refused && set_number(out, 1, (comers(f, out->thread, i) + WARP - 1) / WARP * WARP);
}

/* Lets barriers for which threads wait in vain expect those that come. */
static bool count_comers(const struct search_fix *f, const struct instr *i, struct edit *out) {
  if (!is_barrier(i, BARRIER_SYNC)) return false;
  uint32_t count = comers(f, out->thread, i);
  return count % WARP == 0 && count < threads_of(f)[out->thread].special.ntid && set_number(out, 1, count);
}

/* True for instructions whose last operand is the mask of the lanes that take part. */
static bool has_mask(const struct instr *i) {
  return i->form == FORM_EXCHANGE || i->form == FORM_ELECT ||
         (i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_WARP);
}

/* Lets exchanges name the lanes of the thread's warp from the first to the last column that comes. */
static bool name_lanes(const struct search_fix *f, const struct instr *i, struct edit *out) {
  uint32_t first = WARP, last = 0;
  for (uint32_t t = 0; has_mask(i) && t < f->input->program->thread_count; t++) {
    const struct thread *other = &threads_of(f)[t];
    if (other->warp_id != threads_of(f)[out->thread].warp_id || !executes(other, i->span)) continue;
    if (other->lane < first) first = other->lane;
    if (other->lane > last) last = other->lane;
  }
  if (first == WARP || last - first + 1 == WARP) return false;
  return set_number(out, EDIT_LAST, ((UINT32_C(1) << (last - first + 1)) - 1) << first);
}

/* ---- Counts of mbarrier objects */

static bool begins_objects(const struct instr *i) {
  return i->kind == INSTR_MBARRIER && i->mbarrier->action == MBARRIER_INIT && i->mbarrier->count.kind == OPERAND_IMM &&
         i->mbarrier->object.base.kind == OPERAND_IMM;
}

static const struct object *object_at(const struct program *program, const struct address *a) {
  uint64_t address = (uint64_t)a->base.imm + (uint64_t)a->offset;
  ARRAY_EACH (view, program->views, program->view_count) {
    const struct object *object = &program->objects[view->object];
    if (address >= view->vaddr && address - view->vaddr < object->size) return object;
  }
  return NULL;
}

/* True if both begin parts of one variable of the source with the same count: one statement of the source. */
static bool of_one_array(const struct search_fix *f, const struct instr *a, const struct instr *b) {
  const struct object *one = object_at(f->input->program, &a->mbarrier->object),
                      *other = object_at(f->input->program, &b->mbarrier->object);
  if (a->mbarrier->count.imm != b->mbarrier->count.imm) return false;
  return one && other && (one == other || (one->whole && base_alike(one->whole, other->whole)));
}

/* Adds another count for the objects of an array, whose first one this is. */
static void add_count(struct search_fix *f, struct proposals *all, const struct instr *first, uint64_t count) {
  struct proposal c = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    struct edit edit = {.thread = t, .instr = n};
    if (!begins_objects(i) || !of_one_array(f, first, i)) continue;
    if (i->span.begin < first->span.begin) return;
    set_number(&edit, 1, (uint32_t)count);
    proposals_extend(f, &c, edit);
  }
  VEC_PUSH(f->arena, all, c);
}

/* True for the first of all threads and iterations that executes the instruction. */
static bool is_first(const struct search_fix *f, uint32_t thread, uint32_t instr) {
  struct span span = threads_of(f)[thread].instrs[instr].span;
  EDITS_EACH (t, n, f->input->program)
    if (threads_of(f)[t].instrs[n].span.begin == span.begin) return t == thread && n == instr;
  return false;
}

/* Other counts for all objects of an array: small ones, and those of warps and threads. */
static void list_counts(struct search_fix *f, struct proposals *all) {
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    const uint64_t threads = threads_of(f)[t].special.ntid;
    const uint64_t counts[] = {1, 2, 3, 4, threads / WARP, threads / WARP + 1, threads, threads + 1};
    for (size_t k = 0; k < ARRAY_LEN(counts) && begins_objects(i) && is_first(f, t, n); k++) {
      bool again =
          !counts[k] || counts[k] == (uint64_t)i->mbarrier->count.imm || SOME_BELOW(j, k, counts[j] == counts[k]);
      if (!again) add_count(f, all, i, counts[k]);
    }
  }
}

/* Tries the counts once more, with an arrival that all threads execute, also those that a condition keeps from it. */
static void try_counts_of_all(struct search_fix *f, const struct proposals *counts) {
  struct proposals arrivals = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    struct edit edit = {.kind = EDIT_UNGUARD, .thread = t, .instr = n};
    if (i->kind == INSTR_MBARRIER && i->mbarrier->action == MBARRIER_ARRIVE) proposals_add(f, &arrivals, edit);
  }
  VEC_EACH (arrival, &arrivals)
    VEC_EACH (count, counts) {
      struct proposal both = {0};
      VEC_EACH (edit, &arrival->edits) proposals_extend(f, &both, *edit);
      VEC_EACH (edit, &count->edits) proposals_extend(f, &both, *edit);
      if (!f->out->ways.len) proposals_try_one(f, &both);
    }
}

/* ---- Other words and numbers, at every instruction */

/* Adds the other strengths of an access or fence, of which the strongest is tried first. */
static void add_strengths(struct search_fix *f, struct proposals *all, const struct site *site) {
  struct edit_list forms = {0};
  VEC_EACH (edit, site)
    if (edit->kind == EDIT_STRENGTH) VEC_PUSH(f->arena, &forms, *edit);
  if (!forms.len) return;
  const struct edit strongest_form = forms.data[forms.len - 1];
  struct proposal *c = proposals_add(f, all, strongest_form);
  if (c->forms.len >= forms.len) return; /* a scope may matter in some threads only */
  c->forms = forms;
  VEC_EACH (edit, &c->edits) edit->sem = strongest_form.sem, edit->scope = strongest_form.scope;
}

static void list_sites(struct search_fix *f, struct proposals *strengths, struct proposals *others) {
  struct sites sites;
  edits_stronger(f->arena, f->input->test, f->input->program, &sites);
  VEC_EACH (site, &sites.list) {
    if (!fix_of_module(f, &site->data[0], 1)) continue;
    add_strengths(f, strengths, site);
    VEC_EACH (edit, site)
      if (edit->kind == EDIT_WORD || edit->kind == EDIT_NUMBER) proposals_add(f, others, *edit);
  }
}

/* ---- All */

static const struct kind {
  bool (*suits)(const struct search_fix *f);
  bool (*make)(const struct search_fix *f, const struct instr *i, struct edit *out);
  bool together; /* all of them may be one repair */
} kinds[] =
    {
        {is_far, widen, true},         {is_half_strong, strengthen, false}, {is_near, count_all, true},
        {is_near, wait_there, true},   {is_of_warps, drop, false},          {is_any, count_warps, true},
        {is_hang, count_comers, true},
},
  later[] = {
      {is_parted, part, true}, {is_hang, name_lanes, true}, {is_any, wait_more, true}, {is_any, wait_for_writes, true}};

static void try_kind(struct search_fix *f, const struct kind *kind) {
  struct proposals all = {0};
  if (f->out->ways.len || !kind->suits(f)) return;
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    struct edit edit = {.thread = t, .instr = n};
    if (threads_of(f)[t].of_kernel && kind->make(f, i, &edit)) proposals_add(f, &all, edit);
  }
  if (kind->make == widen) proposals_try_orders(f, &all);
  else proposals_try_each(f, &all);
  if (kind->together && !f->out->ways.len) proposals_try_together(f, &all);
}

/* The single changes that were tried. */
struct singles {
  struct proposals strengths;
  struct statement_lists at_lines, at_instrs;
};

static void try_singles(struct search_fix *f, struct singles *s) {
  struct proposals others = {0}, counts = {0};
  ARRAY_EACH (kind, kinds, ARRAY_LEN(kinds)) try_kind(f, kind);
  if (!f->out->ways.len) proposals_try_moves(f);
  statements_try(f, AT_LINES, false, &s->at_lines);
  ARRAY_EACH (kind, later, ARRAY_LEN(later)) try_kind(f, kind);
  statements_try(f, AT_LINES, true, &s->at_lines);
  statements_try(f, AT_INSTRS, false, &s->at_instrs);
  statements_try(f, AT_INSTRS, true, &s->at_instrs);
  proposals_go_on(f);
  if (f->out->ways.len || fix_out_of_time(f)) return;
  list_sites(f, &s->strengths, &others);
  list_counts(f, &counts);
  proposals_try_orders(f, &s->strengths);
  if (!f->out->ways.len) proposals_try_each(f, &others);
  if (!f->out->ways.len) proposals_try_each(f, &counts);
  if (!f->out->ways.len) proposals_try_near(f);
  if (!f->out->ways.len) try_counts_of_all(f, &counts);
  proposals_go_on(f);
}

void proposals_try_singles(struct search_fix *f) {
  struct singles tried = {0};
  try_singles(f, &tried);
}

/* First single changes of all kinds, then several of one kind. */
void proposals_search(struct search_fix *f) {
  struct singles tried = {0};
  struct repair_steps steps = {0};
  f->steps = &steps;
  try_singles(f, &tried);
  if (!f->out->ways.len) statements_try_several(f, &tried.at_lines);
  if (!f->out->ways.len && !f->input->lines->len) statements_try_several(f, &tried.at_instrs);
  if (!f->out->ways.len) proposals_try_together(f, &tried.strengths);
}
