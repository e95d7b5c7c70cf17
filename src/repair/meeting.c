/* Repairs of who meets where: counts and masks that fit the threads that come, barriers that the lanes of a warp may
 * execute apart, and counts of mbarrier objects. Each is proved on the changed module (module.c). */
#include "ptx/isa.h"
#include "repair/fix_search.h"

enum { WARP = 32 }; /* lanes */

static const struct thread *threads_of(const struct search_fix *f) { return f->input->program->threads; }

static const struct instr *at(const struct search_fix *f, const struct edit *edit) {
  return &threads_of(f)[edit->thread].instrs[edit->instr];
}

struct edit_list {
  VEC(struct edit) list;
};

/* Adds an edit of an instruction that the list lacks, in the order of the module. */
static void add(struct search_fix *f, struct edit_list *out, struct edit edit) {
  if (fix_is_listed(f, out->list.data, out->list.len, &edit)) return;
  VEC_PUSH(f->arena, &out->list, edit);
  for (uint32_t k = out->list.len; --k && at(f, &edit)->span.begin < at(f, &out->list.data[k - 1])->span.begin;) {
    out->list.data[k] = out->list.data[k - 1];
    out->list.data[k - 1] = edit;
  }
}

static void try_each_and_all(struct search_fix *f, const struct edit_list *edits) {
  if (edits->list.len) fix_try_each_and_all(f, edits->list.data, edits->list.len);
}

/* ---- Lanes apart */

/* Lets the lanes of a warp execute barriers apart: without .aligned, each arrives for itself (9.7.15.1, 9.7.15.3). */
static void part_lanes(struct search_fix *f) {
  struct edit_list all = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    if (i->kind == INSTR_BARRIER && i->barrier->aligned)
      add(f, &all, (struct edit){.kind = EDIT_WORD, .thread = t, .instr = n, .from = EDIT_ALIGNED});
  }
  try_each_and_all(f, &all);
}

/* ---- Counts of barriers */

static bool executes(const struct thread *t, struct span span) {
  ARRAY_EACH (i, t->instrs, t->instr_count)
    if (i->span.source == span.source && i->span.begin == span.begin) return true;
  return false;
}

/* The threads of the block that execute the instruction. */
static uint32_t comers(const struct search_fix *f, const struct edit *edit) {
  uint32_t count = 0;
  for (uint32_t t = 0; t < f->input->program->thread_count; t++) {
    const struct thread *other = &threads_of(f)[t];
    if (other->cta_id == threads_of(f)[edit->thread].cta_id && executes(other, at(f, edit)->span))
      count += 1 + other->represents;
  }
  return count;
}

/* Lets barriers for which threads wait in vain expect those that come. */
static void expect_comers(struct search_fix *f) {
  struct edit_list all = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    struct edit edit = {.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = 1};
    if (i->kind != INSTR_BARRIER || i->barrier->kind != BARRIER_CTA || i->barrier->action != BARRIER_SYNC) continue;
    edit.number = comers(f, &edit);
    if (edit.number % WARP == 0 && edit.number < threads_of(f)[t].special.ntid) add(f, &all, edit);
  }
  try_each_and_all(f, &all);
}

/* Lets barriers count whole warps. */
static void count_warps(struct search_fix *f) {
  struct edit_list all = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct litmus_instr *ast = threads_of(f)[t].instrs[n].ast;
    struct edit edit = {.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = 1};
    if (!ast || !ast->refused || ast->refused->id != REASON_BARRIER_COUNT) continue;
    edit.number = (comers(f, &edit) + WARP - 1) / WARP * WARP;
    add(f, &all, edit);
  }
  try_each_and_all(f, &all);
}

/* ---- Masks of exchanges */

/* True for instructions whose last operand is the mask of the lanes that take part. */
static bool has_mask(const struct instr *i) {
  const struct isa_row *row = i->ast ? isa_find(i->ast->opcode.text) : NULL;
  bool exchanges = row && (row->form == FORM_EXCHANGE || row->form == FORM_ELECT);
  return exchanges || (i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_WARP);
}

/* The lanes of the thread's warp from the first to the last column that executes the instruction. */
static uint32_t lanes_that_come(const struct search_fix *f, uint32_t thread, struct span span) {
  uint32_t first = WARP, last = 0;
  for (uint32_t t = 0; t < f->input->program->thread_count; t++) {
    const struct thread *other = &threads_of(f)[t];
    if (other->warp_id != threads_of(f)[thread].warp_id || !executes(other, span)) continue;
    if (other->lane < first) first = other->lane;
    if (other->lane > last) last = other->lane;
  }
  return last - first + 1 == WARP ? UINT32_MAX : ((UINT32_C(1) << (last - first + 1)) - 1) << first;
}

/* Lets exchanges name the lanes that come, if these are the same in all warps. */
static void name_lanes(struct search_fix *f) {
  struct edit_list all = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    if (!has_mask(i)) continue;
    uint32_t mask = lanes_that_come(f, t, i->span);
    if (mask != UINT32_MAX)
      add(f, &all, (struct edit){.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = EDIT_LAST, .number = mask});
  }
  try_each_and_all(f, &all);
}

/* ---- Counts of mbarrier objects */

static bool begins_objects(const struct instr *i) {
  return i->kind == INSTR_MBARRIER && i->mbarrier->action == MBARRIER_INIT && i->mbarrier->count.kind == OPERAND_IMM &&
         i->mbarrier->object.base.kind == OPERAND_IMM;
}

static const struct object *object_at(const struct program *program, uint64_t address) {
  for (uint32_t v = 0; v < program->view_count; v++) {
    const struct view *view = &program->views[v];
    const struct object *object = &program->objects[view->object];
    if (address >= view->vaddr && address - view->vaddr < object->size) return object;
  }
  return NULL;
}

/* True if the objects are parts of one variable of the source. */
static bool of_one_array(const struct search_fix *f, const struct instr *a, const struct instr *b) {
  const struct address *x = &a->mbarrier->object, *y = &b->mbarrier->object;
  const struct object *one = object_at(f->input->program, (uint64_t)x->base.imm + (uint64_t)x->offset);
  const struct object *other = object_at(f->input->program, (uint64_t)y->base.imm + (uint64_t)y->offset);
  return one && other && (one == other || (one->whole && base_alike(one->whole, other->whole)));
}

/* Adds the other inits of the array that have the same count: one statement of the source. */
static void add_array(struct search_fix *f, struct edit_list *out, const struct instr *first) {
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    if (!begins_objects(i) || i->mbarrier->count.imm != first->mbarrier->count.imm) continue;
    if (of_one_array(f, first, i))
      add(f, out, (struct edit){.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = 1});
  }
}

/* Tries other counts for all objects of an array: small ones, and those of warps and threads. */
static void try_counts(struct search_fix *f, struct edit_list *inits, const struct instr *first, uint32_t threads) {
  const uint64_t counts[] = {1, 2, 3, 4, threads / WARP, threads / WARP + 1, threads, threads + 1};
  uint64_t before = (uint64_t)first->mbarrier->count.imm;
  for (size_t k = 0; k < ARRAY_LEN(counts) && !f->out->ways.len; k++) {
    bool again = counts[k] == before || !counts[k];
    for (size_t j = 0; j < k; j++) again = again || counts[j] == counts[k];
    VEC_EACH (edit, &inits->list) edit->number = (uint32_t)counts[k];
    if (!again && fix_add_if_proved(f, inits->list.data, inits->list.len)) f->out->ways.data[0].size = 1;
  }
}

static void count_arrivals(struct search_fix *f) {
  struct edit_list seen = {0};
  EDITS_EACH (t, n, f->input->program) {
    const struct instr *i = &threads_of(f)[t].instrs[n];
    const struct edit edit = {.thread = t, .instr = n};
    struct edit_list array = {0};
    if (!begins_objects(i) || f->out->ways.len || fix_is_listed(f, seen.list.data, seen.list.len, &edit)) continue;
    add_array(f, &array, i);
    VEC_EACH (one, &array.list) VEC_PUSH(f->arena, &seen.list, *one);
    try_counts(f, &array, i, threads_of(f)[t].special.ntid);
  }
}

/* ---- All */

void fix_add_meetings(struct search_fix *f) {
  const struct result *r = f->out->result;
  const struct safety_finding *first = r->findings.len ? &r->findings.data[0] : NULL;
  if (!first) return;
  if (first->reason && first->reason->id == REASON_DIVERGENT_BARRIER) part_lanes(f);
  count_warps(f);
  if (first->kind != SAFETY_HANG) return;
  expect_comers(f);
  if (!f->out->ways.len) name_lanes(f);
}

void fix_add_counts(struct search_fix *f) {
  if (f->out->goal == FIX_SAFE && f->input->remake) count_arrivals(f);
}
