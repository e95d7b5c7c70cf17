/* What a kernel computes for nothing that a test can see: arithmetic whose result reaches no access, branch, barrier or
 * condition is left out, known or not. A kernel has much of it, and of floating-point numbers most. */
#include "base/bits.h"
#include "ptx/lowering.h"

struct needs {
  struct lowering *l;
  const struct thread *thread;
  struct bitset regs;
  bool changed;
};

static void need(struct needs *n, uint32_t reg) {
  if (reg == NO_REG || bitset_has(n->regs, reg)) return;
  bitset_add(n->regs, reg);
  n->changed = true;
}

static void need_operand(struct needs *n, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) need(n, operand->reg);
}

static void need_mbarrier(struct needs *n, const struct mbarrier *m) {
  need_operand(n, &m->object.base);
  need_operand(n, &m->count);
  need_operand(n, &m->bytes);
  need_operand(n, &m->phase);
}

static void need_async(struct needs *n, const struct async *a) {
  const struct operand *operands[] = {&a->to.base, &a->from.base, &a->other.base, &a->object.base, &a->bytes,
                                      &a->filled,  &a->ignored,   &a->ctas};
  for (size_t i = 0; i < ARRAY_LEN(operands); i++) need_operand(n, operands[i]);
}

static void need_sources(struct needs *n, const struct instr *in) {
  for (uint32_t i = 0; i < MAX_VECTOR; i++) need_operand(n, &in->src[i]);
  need_operand(n, &in->addr.base);
  if (in->guard.present) need(n, in->guard.reg);
  if (in->mbarrier) need_mbarrier(n, in->mbarrier);
  if (in->async) need_async(n, in->async);
  if (in->group) need_operand(n, &in->group->left);
  if (!in->barrier) return;
  need_operand(n, &in->barrier->id);
  need_operand(n, &in->barrier->count);
  need_operand(n, &in->barrier->predicate);
}

static bool is_pure(const struct instr *in) {
  return in->kind == INSTR_ALU || (in->kind == INSTR_UNSUPPORTED && in->pure);
}

static bool is_needed(const struct needs *n, const struct instr *in) {
  if (!is_pure(in)) return true;
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG && bitset_has(n->regs, in->dst[i])) return true;
  return false;
}

static void drop(struct lowering *l, uint32_t index) {
  struct thread *thread = &l->program->threads[index];
  struct needs n = {.l = l, .thread = thread, .regs = bitset_new(l->arena, thread->reg_count), .changed = true};
  for (uint32_t i = 0; i < l->program->observed_count; i++) {
    const struct observable *o = &l->program->observables[i];
    if (o->is_reg && o->thread == index) need(&n, o->reg);
  }
  while (n.changed) {
    n.changed = false;
    for (uint32_t i = thread->instr_count; i-- > 0;)
      if (is_needed(&n, &thread->instrs[i])) need_sources(&n, &thread->instrs[i]);
  }
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (!is_needed(&n, &thread->instrs[i]))
      thread->instrs[i] =
          (struct instr){.kind = INSTR_NOTHING, .span = thread->instrs[i].span, .ast = thread->instrs[i].ast};
}

void lower_drop_unneeded(struct lowering *l) {
  for (uint32_t t = 0; t < l->program->thread_count; t++) drop(l, t);
}

/* The registers of an instruction that is not modelled, so that it can be told whether anything needs it. */
static void add_registers(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, bool result,
                          uint32_t *dst, uint32_t *src) {
  for (; operand; operand = operand->next, result = false) {
    bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
    if (items) add_registers(l, in, operand->u.items, result, dst, src);
    if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_NEGATED) continue;
    uint32_t reg = lower_find_reg(l, in->thread, operand->u.ref.name);
    if (reg == NO_REG) continue;
    if (result && *dst < MAX_VECTOR) in->out->dst[(*dst)++] = reg;
    else if (*src < MAX_VECTOR) in->out->src[(*src)++] = lower_register(reg, operand->span);
    else in->out->pure = false;
  }
}

void lower_note_pure(struct lowering *l, struct lower_instr *in) {
  uint32_t dst = 0, src = 0;
  switch (in->row->form) {
    case FORM_ALU:
    case FORM_TWO_TYPES:
    case FORM_MUL:
    case FORM_MOV:
    case FORM_CVTA:
    case FORM_MAPA:
    case FORM_SETP:
    case FORM_SELP:
    case FORM_LATER_VALUE: break;
    default: return;
  }
  in->out->pure = !in->q.found[QUALIFIER_CARRY];
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    in->out->dst[i] = NO_REG;
    in->out->src[i] = (struct operand){0};
  }
  add_registers(l, in, in->ast->operands, true, &dst, &src);
}
