#include "ptx/lowering.h"

/* 9.7.15.4 "membar, fence"; facts about the proxy fences in 8.6 and 8.9.5. */

/* Between proxies in two halves, a release in the thread of the first access and an acquire in the thread that issues
 * the second; or of one of these for shared memory: fence.mbarrier_init.release.cluster and the like. */
static bool one_way_fence(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = (enum proxy)(VALUE(in, PROXY_KIND) & PROXY_MASK);
  in->out->one_way = VALUE(in, SEM) == SEM_RELEASE ? ONE_WAY_RELEASE : ONE_WAY_ACQUIRE;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  if (HAS(in, RESTRICT)) in->out->one_way = (enum one_way)VALUE(in, RESTRICT);
  if (HAS(in, RESTRICT) || in->out->one_way == ONE_WAY_RELEASE) return lower_operand_count(l, in, 0, 0);
  if (!lower_operand_count(l, in, 2, 2) || !lower_address(l, in, lower_operand_at(in, 0), &in->out->addr, NULL))
    return false;
  const struct litmus_operand *size = lower_operand_at(in, 1);
  if (size->kind == LITMUS_NUMBER && size->u.number.value == MAP_BYTES && !size->u.number.negative) return true;
  return diag_refuse(l->diags, DIAG_VALUE_RANGE, size->span, "a tensor map has %d bytes", MAP_BYTES);
}

static bool proxy_fence(struct lowering *l, struct lower_instr *in) {
  if (VALUE(in, PROXY_KIND) == PROXY_OTHER) return lower_unsupported(l, in, REASON_PROXY_FENCE);
  if (HAS(in, SEM) && HAS(in, SCOPE)) return lower_unsupported(l, in, REASON_ONE_WAY_FENCE);
  if (HAS(in, SEM) || HAS(in, SCOPE))
    return lower_missing(l, in, "semantics with a scope, or neither", "such as '.acquire.sys'");
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = (enum proxy)VALUE(in, PROXY_KIND);
  in->out->space = (enum space)(VALUE(in, SPACE) & SPACE_MASK);
  in->out->own_cta = VALUE(in, SPACE) & SPACE_OWN_CTA;
  return lower_operand_count(l, in, 0, 0);
}

static bool memory_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM);
  in->out->kind = INSTR_FENCE;
  in->out->sem = sem ? (enum sem)VALUE(in, SEM) : SEM_ACQ_REL;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  if (sem && !(in->row->sems >> in->out->sem & 1)) {
    return diag_refuse(l->diags, DIAG_WRONG_SEMANTICS, sem->span, "a fence cannot be '%s'" HINT "it takes %s",
                       sem->text, isa_sem_words(l->arena, in->row->sems));
  }
  if (HAS(in, SCOPE)) return true;
  return diag_refuse(l->diags, DIAG_MISSING_SCOPE, sem ? sem->span : in->ast->opcode.span,
                     "a fence needs a scope" HINT "add %s", isa_class_words(l->arena, QUALIFIER_SCOPE));
}

static bool membar(struct lower_instr *in) {
  in->out->kind = INSTR_FENCE;
  in->out->sem = SEM_SC;
  in->out->scope = (enum scope)(in->row->form == FORM_MEMBAR ? VALUE(in, LEVEL) : in->row->detail);
  return true;
}

bool lower_fence(struct lowering *l, struct lower_instr *in) {
  if (HAS(in, RESTRICT) || VALUE(in, PROXY_KIND) & PROXY_ONE_WAY) return one_way_fence(l, in);
  if (HAS(in, PROXY)) return proxy_fence(l, in);
  if (!lower_operand_count(l, in, 0, 0)) return false;
  return in->row->form == FORM_FENCE ? memory_fence(l, in) : membar(in);
}
