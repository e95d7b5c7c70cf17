/* Removes dead computations in kernels and in threads with loops: arithmetic, modelled or not, whose result reaches no
 * access, branch, barrier or condition. Most arithmetic of a kernel is dead, and floating-point. Also removes branches
 * whose two paths join again without an effect, such as the branches that decide how long a waiting loop sleeps, so
 * that its iterations are equal. */
#include "base/bits.h"
#include "ptx/lowering.h"

struct needs {
  struct lowering *l;
  const struct thread *thread;
  struct bitset regs;
  struct bitset branches; /* by instruction: the branches that matter */
  struct bitset results;  /* registers that an asynchronous operation reads or writes until a wait */
  bool changed;
};

static void need(struct needs *n, uint32_t reg) {
  if (reg == NO_REG || bitset_has(n->regs, reg)) return;
  bitset_add(n->regs, reg);
  n->changed = true;
}

struct source_list {
  uint32_t *regs, count;
};

static void add_source(struct source_list *list, const struct operand *operand) {
  if (operand->kind != OPERAND_REG) return;
  REQUIRE(list->count < MAX_SOURCES);
  list->regs[list->count++] = operand->reg;
}

static void add_sources(struct source_list *list, const struct operand *const *operands, size_t count) {
  for (size_t i = 0; i < count; i++) add_source(list, operands[i]);
}

static void add_tensor(struct source_list *list, const struct tensor *t) {
  add_sources(list, (const struct operand *[]){&t->shape, &t->adds, &t->count, &t->metadata.base, &t->scales[0].base,
                                         &t->scales[1].base},
              6);
  for (uint32_t i = MAX_VECTOR; i < t->value_count; i++) add_source(list, &t->values[i]);
}

uint32_t instr_sources(const struct instr *in, uint32_t sources[MAX_SOURCES]) {
  struct source_list list = {sources, 0};
  const struct mbarrier *m = in->mbarrier;
  const struct async *a = in->async;
  const struct barrier *b = in->barrier;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) add_source(&list, &in->src[i]);
  add_source(&list, &in->addr.base);
  if (in->guard.present && in->guard.reg != NO_REG) list.regs[list.count++] = in->guard.reg;
  if (m) add_sources(&list, (const struct operand *[]){&m->object.base, &m->count, &m->bytes, &m->phase}, 4);
  if (a)
    add_sources(&list,
                (const struct operand *[]){&a->to.base, &a->from.base, &a->other.base, &a->object.base, &a->bytes,
                                           &a->filled, &a->ignored, &a->ctas},
                8);
  if (a && a->tensor) add_tensor(&list, a->tensor);
  if (in->group) add_source(&list, &in->group->left);
  if (b) add_sources(&list, (const struct operand *[]){&b->id, &b->count, &b->predicate}, 3);
  return list.count;
}

static void need_sources(struct needs *n, const struct instr *in) {
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t i = 0; i < count; i++) need(n, sources[i]);
}

static bool is_pure(const struct instr *in) {
  return in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
}

static struct bitset results_of(const struct needs *n) {
  struct bitset results = bitset_new(n->l->arena, n->thread->reg_count);
  ARRAY_EACH (in, n->thread->instrs, n->thread->instr_count) {
    bool multiplies = in->kind == INSTR_ASYNC && in->async->action == ASYNC_MMA;
    for (uint32_t k = 0; k < instr_result_count(in) && (multiplies || instr_loads_tensor(in)); k++)
      if (instr_result(in, k) != NO_REG) bitset_add(results, instr_result(in, k));
    for (uint32_t k = 0; multiplies && k < in->async->fragments; k++) bitset_add(results, in->async->fragment[k]);
  }
  return results;
}

/* The register of `results` that arithmetic accesses: not allowed before the wait, even in dead arithmetic (AG3,
 * AG4). */
static uint32_t result_used(const struct needs *n, const struct instr *in) {
  uint32_t sources[MAX_SOURCES], count = in->kind == INSTR_ALU ? instr_sources(in, sources) : 0;
  for (uint32_t k = 0; in->kind == INSTR_ALU && k < instr_result_count(in); k++)
    if (instr_result(in, k) != NO_REG && bitset_has(n->results, instr_result(in, k))) return instr_result(in, k);
  for (uint32_t i = 0; i < count; i++)
    if (bitset_has(n->results, sources[i])) return sources[i];
  return NO_REG;
}

/* The bare use of such a register, which replaces a dead instruction. */
static struct instr use_alone(const struct needs *n, const struct instr *in) {
  uint32_t reg = result_used(n, in);
  struct instr out = lower_blank(reg == NO_REG ? INSTR_NOTHING : INSTR_ALU, in->ast);
  if (reg == NO_REG) return out;
  out.alu = ALU_MOV;
  out.type = n->thread->regs[reg].type;
  out.guard = in->guard;
  out.src[0] = (struct operand){.kind = OPERAND_REG, .reg = reg};
  return out;
}

static bool is_needed(const struct needs *n, uint32_t index) {
  const struct instr *in = &n->thread->instrs[index];
  if (in->kind == INSTR_BRANCH) return bitset_has(n->branches, index);
  if (!is_pure(in)) return in->kind != INSTR_NOTHING || in->aligned;
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG && bitset_has(n->regs, in->dst[i])) return true;
  return false;
}

/* ---- Branches */

/* Registers whose values are not from arithmetic alone, such as loaded values. */
static struct bitset impure_regs(const struct needs *n) {
  struct bitset impure = bitset_new(n->l->arena, n->thread->reg_count);
  for (bool changed = true; changed;) {
    changed = false;
    ARRAY_EACH (in, n->thread->instrs, n->thread->instr_count) {
      uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
      bool from_impure = !is_pure(in);
      for (uint32_t k = 0; k < count; k++) from_impure |= bitset_has(impure, sources[k]);
      for (uint32_t k = 0; k < instr_result_count(in) && from_impure; k++) {
        uint32_t reg = instr_result(in, k);
        if (reg == NO_REG || bitset_has(impure, reg)) continue;
        bitset_add(impure, reg);
        changed = true;
      }
    }
  }
  return impure;
}

/* The branches that always matter: those whose predicate comes from a read, because syntactic dependencies lead from
 * the read to all that follows (G34); and all branches if activemask asks for the lanes that run together. */
static struct bitset branches_kept(const struct needs *n) {
  struct bitset kept = bitset_new(n->l->arena, n->thread->instr_count), impure = impure_regs(n);
  bool asks_who = false;
  for (uint32_t i = 0; i < n->thread->instr_count; i++)
    asks_who |= n->thread->instrs[i].kind == INSTR_ALU && n->thread->instrs[i].alu == ALU_ACTIVEMASK;
  for (uint32_t i = 0; i < n->thread->instr_count; i++) {
    const struct instr *in = &n->thread->instrs[i];
    bool may_go = in->guard.present && !bitset_has(impure, in->guard.reg);
    if (in->kind == INSTR_BRANCH && (asks_who || !may_go)) bitset_add(kept, i);
  }
  return kept;
}

enum { NOT_YET = UINT32_MAX };

/* The first instruction that matters on every path from this one; NOT_YET: unknown, or perhaps none. */
static uint32_t first_from(const struct needs *n, const uint32_t *first, uint32_t index) {
  const struct instr *in = &n->thread->instrs[index];
  if (in->kind != INSTR_BRANCH) return is_needed(n, index) ? index : first[index + 1];
  if (!in->guard.present) return first[in->target];
  if (is_needed(n, index)) return index;
  return first[in->target] == first[index + 1] ? first[index + 1] : NOT_YET;
}

static void find_first(const struct needs *n, uint32_t *first) {
  uint32_t count = n->thread->instr_count;
  for (uint32_t i = 0; i <= count; i++) first[i] = i < count ? (uint32_t)NOT_YET : count;
  for (bool found = true; found;) {
    found = false;
    for (uint32_t i = count; i-- > 0;) {
      uint32_t before = first[i];
      if (before == NOT_YET) first[i] = first_from(n, first, i);
      found |= first[i] != before;
    }
  }
}

/* Keeps a branch if its two paths reach different instructions that matter or, with `all`, if one is unknown. */
static bool keep_forks(struct needs *n, const uint32_t *first, bool all) {
  bool kept = false;
  for (uint32_t i = 0; i < n->thread->instr_count; i++) {
    const struct instr *in = &n->thread->instrs[i];
    if (in->kind != INSTR_BRANCH || bitset_has(n->branches, i) || first[i] != NOT_YET) continue;
    if (!all && (first[in->target] == NOT_YET || first[i + 1] == NOT_YET)) continue;
    bitset_add(n->branches, i);
    kept = true;
  }
  return kept;
}

/* First keeps branches with two known paths, which determine paths of others. A path that may not end is unknown. */
static void keep_branches(struct needs *n) {
  struct arena_mark mark = arena_mark(n->l->arena);
  uint32_t *first = ARENA_ARRAY(n->l->arena, uint32_t, n->thread->instr_count + 1);
  find_first(n, first);
  n->changed |= keep_forks(n, first, false) || keep_forks(n, first, true);
  arena_rewind(n->l->arena, mark);
}

static void drop(struct lowering *l, uint32_t index) {
  struct thread *thread = &l->program->threads[index];
  struct needs n = {.l = l, .thread = thread, .regs = bitset_new(l->arena, thread->reg_count), .changed = true};
  n.branches = branches_kept(&n);
  n.results = results_of(&n);
  ARRAY_EACH (o, l->program->observables, l->program->observed_count)
    if (o->is_reg && o->thread == index) need(&n, o->reg);
  while (n.changed) {
    n.changed = false;
    for (uint32_t i = thread->instr_count; i-- > 0;)
      if (is_needed(&n, i)) need_sources(&n, &thread->instrs[i]);
      else if (thread->instrs[i].guard.present && result_used(&n, &thread->instrs[i]) != NO_REG)
        need(&n, thread->instrs[i].guard.reg);
    keep_branches(&n);
  }
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (!is_needed(&n, i))
      thread->instrs[i] = use_alone(&n, &thread->instrs[i]);
}

static bool has_loop(const struct thread *thread) {
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_BRANCH && thread->instrs[i].target <= i) return true;
  return false;
}

void lower_drop_unneeded(struct lowering *l) {
  for (uint32_t t = 0; t < l->program->thread_count; t++)
    if (l->test->kernels || has_loop(&l->program->threads[t])) drop(l, t);
}

/* Sources that do not fit into one instruction go to another instruction of the same kind before `in`, whose result
 * becomes a source of `in`. */
static void spill_sources(struct lowering *l, struct lower_instr *in, uint32_t *src) {
  struct instr some = *in->out;
  uint32_t hidden = lower_hidden_reg(l, in, isa_type(PTX_B32));
  for (uint32_t i = 0; i < MAX_VECTOR; i++) some.dst[i] = i ? (uint32_t)NO_REG : hidden;
  some.pure = true;
  lower_emit(l, in, some);
  for (uint32_t i = 0; i < MAX_VECTOR; i++) in->out->src[i] = (struct operand){0};
  in->out->src[0] = lower_register(hidden, in->ast->span);
  *src = 1;
}

/* Adds the registers of an unmodelled instruction, to decide if it is needed. */
static void add_registers(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, bool result,
                          uint32_t *dst, uint32_t *src) {
  for (; operand; operand = operand->next, result = false) {
    bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
    if (items) add_registers(l, in, operand->u.items, result, dst, src);
    if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_NEGATED) continue;
    uint32_t reg = lower_find_reg(l, in->thread, operand->u.ref.name);
    if (reg == NO_REG) continue;
    if (result && *dst < MAX_VECTOR) in->out->dst[(*dst)++] = reg;
    else if (result) in->out->pure = false;
    if (result) continue;
    if (*src == MAX_VECTOR) spill_sources(l, in, src);
    in->out->src[(*src)++] = lower_register(reg, operand->span);
  }
}

void lower_note_pure(struct lowering *l, struct lower_instr *in) {
  uint32_t dst = 0, src = 0;
  in->out->pure = !HAS(in, CARRY) && in->row->form != FORM_ROWS;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    in->out->dst[i] = NO_REG;
    in->out->src[i] = (struct operand){0};
  }
  bool stores = in->ast->operands && in->ast->operands->kind == LITMUS_BRACKET;
  add_registers(l, in, in->ast->operands, !stores, &dst, &src);
}
