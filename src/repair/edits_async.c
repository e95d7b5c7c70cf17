/* Finds edits for asynchronous operations: added waits, commits and fences; other numbers of bytes, groups and phases
 * (docs/async.md). */

#include "repair/edits.h"

enum { COST_WAIT = 26, COST_COMMIT = 25, COST_NUMBER = 12 };

/* Adds an instruction that only orders and cannot wait for ever. */
static void add_order(struct edit_finder *f, uint32_t t, uint32_t n, const char *added, unsigned cost) {
  edits_add(f, (struct edit){.kind = EDIT_ADD, .thread = t, .instr = n, .added = added, .cost = cost});
}

static void add_instr(struct edit_finder *f, uint32_t t, uint32_t n, const char *added, unsigned cost) {
  struct edit edit = {.kind = EDIT_ADD, .thread = t, .instr = n, .added = added, .apart = true};
  edit.cost = cost;
  edits_add(f, edit);
}

/* ---- Waits, commits, fences ---- */

static const struct {
  const char *commit, *wait;
} lists[GROUP_LISTS] = {
    [GROUP_COPY] = {"cp.async.commit_group", "cp.async.wait_all"},
    [GROUP_BULK] = {"cp.async.bulk.commit_group", "cp.async.bulk.wait_group 0"},
    [GROUP_MMA] = {"wgmma.commit_group.sync.aligned", "wgmma.wait_group.sync.aligned 0"},
};

static bool is_on(const struct instr *i, enum group_list list) {
  return (i->kind == INSTR_ASYNC && i->async->list == list) || (i->kind == INSTR_GROUP && i->group->list == list);
}

/* Adds sites after an instruction that adds an operation to a list, and after a commit. */
static void list_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  for (enum group_list list = GROUP_NONE + 1; list < GROUP_LISTS; list++) {
    if (!is_on(i, list) || !lists[list].commit) continue;
    if (i->kind == INSTR_ASYNC) add_instr(f, t, n, lists[list].commit, COST_COMMIT);
    add_instr(f, t, n, lists[list].wait, COST_WAIT);
  }
}

static const struct litmus_operand *last_bracket(const struct litmus_instr *written) {
  const struct litmus_operand *found = NULL;
  LIST_EACH (o, written ? written->operands : NULL)
    if (o->kind == LITMUS_BRACKET) found = o;
  return found;
}

/* Adds waits for a phase of an object that a copy of the thread's CTA signals. */
static void phase_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct program *program = f->program;
  EDITS_EACH (u, k, program) {
    const struct instr *i = &program->threads[u].instrs[k];
    bool near = program->threads[u].cta_id == program->threads[t].cta_id;
    if (i->kind != INSTR_ASYNC || i->async->action == ASYNC_MMA || !i->async->has_object || !near) continue;
    const struct litmus_operand *object = last_bracket(edits_written(f->test, program, u, k));
    if (!object || strchr(object->u.ref.name, ':')) continue;
    for (unsigned parity = 0; parity < 2; parity++) {
      struct text added = {.arena = f->arena};
      text_add(&added, "mbarrier.wait.parity.shared::cta.b64 ");
      litmus_print_operand(object, &added);
      text_printf(&added, ", %u", parity);
      add_instr(f, t, n, text_str(&added), COST_WAIT + parity);
    }
  }
}

static bool is_dependent(const struct program *program, uint32_t t) {
  return SOME_BELOW(k, program->launch_count,
                    !program->launches[k].follows && program->launches[k].grid == program->threads[t].grid);
}

static void fence_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct thread *thread = &f->program->threads[t];
  const struct instr *i = &thread->instrs[n];
  if (i->kind == INSTR_MBARRIER && i->mbarrier->action == MBARRIER_INIT)
    add_instr(f, t, n, "fence.mbarrier_init.release.cluster", COST_COMMIT);
  if (!n && i->kind == INSTR_ASYNC && i->async->action == ASYNC_MMA)
    add_instr(f, t, EDIT_AT_START, "wgmma.fence.sync.aligned", COST_COMMIT);
  const struct instr *next = n + 1 < thread->instr_count ? &thread->instrs[n + 1] : NULL;
  if (next && next->kind == INSTR_ASYNC && next->async->action == ASYNC_MMA)
    add_instr(f, t, n, "wgmma.fence.sync.aligned", COST_COMMIT);
}

static bool is_of_tensors(const struct instr *i) { return i->kind == INSTR_ASYNC && i->async->tensor; }

/* Adds the waits and the fence that 9.7.18.6 requires after an instruction of tensor memory, and the one before. */
static void tensor_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct thread *thread = &f->program->threads[t];
  const struct instr *i = &thread->instrs[n];
  if (instr_loads_tensor(i)) add_order(f, t, n, "tcgen05.wait::ld.sync.aligned", COST_WAIT);
  if (i->kind == INSTR_ASYNC && i->async->action == ASYNC_TENSOR_STORE)
    add_order(f, t, n, "tcgen05.wait::st.sync.aligned", COST_WAIT);
  if (is_of_tensors(i) || instr_waits_tensor(i)) add_order(f, t, n, "tcgen05.fence::before_thread_sync", COST_COMMIT);
  if (n + 1 < thread->instr_count && is_of_tensors(&thread->instrs[n + 1]))
    add_order(f, t, n, "tcgen05.fence::after_thread_sync", COST_COMMIT);
}

/* ---- Numbers ---- */

/* `dot`: the qualifier for a new operand; else NULL. */
static void number_site(struct edit_finder *f, uint32_t t, uint32_t n, uint32_t operand, uint64_t number,
                        const char *dot) {
  struct edit edit = {.kind = EDIT_NUMBER, .thread = t, .instr = n, .operand = operand, .to = dot, .cost = COST_NUMBER};
  edit.number = (uint32_t)number;
  edits_add(f, edit);
}

/* The bytes of the copies that signal this object: the thread's own between instruction n and its next arrival at the
 * object, and all copies of other threads. */
static uint64_t bytes_of(const struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct address *object = &f->program->threads[t].instrs[n].mbarrier->object;
  const struct thread *thread = &f->program->threads[t];
  uint64_t bytes = 0;
  for (uint32_t k = n + 1; k < thread->instr_count; k++) {
    const struct instr *i = &thread->instrs[k];
    bool arrives = i->kind == INSTR_MBARRIER && i->mbarrier->action == MBARRIER_ARRIVE;
    if (arrives && i->mbarrier->object.base.imm == object->base.imm) break;
    if (i->kind != INSTR_ASYNC || !i->async->has_object || i->async->object.base.imm != object->base.imm) continue;
    if (i->async->bytes.kind == OPERAND_IMM) bytes += (uint64_t)i->async->bytes.imm;
  }
  return bytes;
}

static uint32_t operand_count(const struct litmus_instr *written) {
  return LIST_LENGTH(written ? written->operands : NULL);
}

static bool waits_at(const struct instr *i, const struct address *object) {
  return i->kind == INSTR_MBARRIER && i->mbarrier->action >= MBARRIER_TEST &&
         i->mbarrier->object.base.imm == object->base.imm;
}

/* Adds the other parity, where the thread then waits for the phase after those that it has waited for. Otherwise that
 * phase has completed: to wait for nothing is no repair. */
static void parity_site(struct edit_finder *f, uint32_t t, uint32_t n, uint32_t last) {
  const struct instr *instrs = f->program->threads[t].instrs, *i = &instrs[n];
  uint32_t before = 0;
  if (!i->mbarrier->parity || i->mbarrier->phase.kind != OPERAND_IMM) return;
  for (uint32_t k = 0; k < n; k++) {
    if (instrs[k].ast == i->ast && instrs[k].span.begin == i->span.begin) return; /* another turn: one change is both */
    before += waits_at(&instrs[k], &i->mbarrier->object);
  }
  uint64_t other = i->mbarrier->phase.imm ? 0 : 1;
  if (other == (before & 1)) number_site(f, t, n, last, other, NULL);
}

/* Adds other counts of an object: small ones. */
static void count_sites(struct edit_finder *f, uint32_t t, uint32_t n, uint32_t last) {
  enum { FEW = 4 };
  for (uint64_t count = 1; count <= FEW; count++)
    if (count != (uint64_t)f->program->threads[t].instrs[n].mbarrier->count.imm)
      number_site(f, t, n, last, count, NULL);
}

/* Adds other numbers for the last operand: expected bytes, a parity, groups that may stay pending. */
static void number_sites(struct edit_finder *f, uint32_t t, uint32_t n) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  uint32_t last = operand_count(edits_written(f->test, f->program, t, n)) - 1;
  if (i->kind == INSTR_GROUP && i->group->waits && i->group->left.kind == OPERAND_IMM)
    for (uint64_t left = (uint64_t)i->group->left.imm; left-- > 0;) number_site(f, t, n, last, left, NULL);
  if (i->kind != INSTR_MBARRIER) return;
  parity_site(f, t, n, last);
  uint64_t bytes = i->mbarrier->action == MBARRIER_ARRIVE ? bytes_of(f, t, n) : 0;
  if (i->mbarrier->action == MBARRIER_INIT && i->mbarrier->count.kind == OPERAND_IMM) count_sites(f, t, n, last);
  if (bytes && i->mbarrier->bytes.kind == OPERAND_NONE && last == 1)
    number_site(f, t, n, last + 1, bytes, ".expect_tx");
  if (i->mbarrier->action != MBARRIER_ARRIVE || i->mbarrier->bytes.kind != OPERAND_IMM) return;
  if (bytes && bytes != (uint64_t)i->mbarrier->bytes.imm) number_site(f, t, n, last, bytes, NULL);
}

/* True if the instruction names the object. */
static bool names_object(const struct litmus_instr *instr, const struct litmus_entry *object) {
  return SOME(LIST_EACH (o, instr ? instr->operands : NULL),
              o->kind == LITMUS_BRACKET && !o->u.ref.percent && strcmp(o->u.ref.name, object->ref.name) == 0);
}

static bool arrives_at(const struct edit_finder *f, uint32_t t, uint32_t n, const struct litmus_entry *object) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  bool arrives =
      i->kind == INSTR_MBARRIER && (i->mbarrier->action == MBARRIER_ARRIVE || i->mbarrier->action == MBARRIER_DROP);
  bool counted = i->kind == INSTR_ASYNC && i->async->action == ASYNC_ARRIVE && i->async->counted;
  return (arrives || counted) && names_object(edits_written(f->test, f->program, t, n), object);
}

static uint64_t arriving_threads(const struct edit_finder *f, const struct litmus_entry *object) {
  uint64_t count = 0;
  EDITS_EACH (t, n, f->program)
    if (arrives_at(f, t, n, object)) {
      count++;
      break;
    }
  return count;
}

/* Counts to try: the number of threads that arrive, one more, one less. */
void edits_counts(struct edit_finder *f) {
  uint32_t index = 0;
  for (const struct litmus_entry *entry = f->test->entries; entry; entry = entry->next, index++) {
    const struct litmus_word *type = entry->types.first;
    if (!type || strcmp(type->text, "mbarrier") != 0 || !entry->values) continue;
    uint64_t count = (uint64_t)entry->values->number.value,
             counts[] = {arriving_threads(f, entry), count - 1, count + 1};
    for (unsigned i = 0; i < 3; i++) {
      bool again = counts[i] == count || (i && counts[i] == counts[0]);
      if (!again && counts[i] && counts[i] <= MBARRIER_COUNT_LIMIT)
        edits_add(f, (struct edit){.kind = EDIT_COUNT,
                                   .thread = NO_THREAD,
                                   .instr = index,
                                   .number = (uint32_t)counts[i],
                                   .cost = COST_NUMBER});
    }
  }
}

void edits_async(struct edit_finder *f, uint32_t t, uint32_t n, bool gap) {
  const struct instr *i = &f->program->threads[t].instrs[n];
  if (i->kind == INSTR_GROUP && i->group->reads_only)
    edits_add(f, (struct edit){.kind = EDIT_WORD, .thread = t, .instr = n, .from = ".read", .cost = COST_NUMBER});
  number_sites(f, t, n);
  fence_sites(f, t, n);
  tensor_sites(f, t, n);
  list_sites(f, t, n);
  if (gap) phase_sites(f, t, n);
  if (!n && is_dependent(f->program, t)) add_instr(f, t, EDIT_AT_START, "griddepcontrol.wait", COST_WAIT);
}
