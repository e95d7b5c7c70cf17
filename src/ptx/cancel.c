#include "ptx/lowering.h"

/* Lowers requests to cancel the launch of CTAs, and queries of their responses (9.7.15.18; docs/async.md A3, A9). */

/* ---- clusterlaunchcontrol.try_cancel ---- */

/* The CTAs of the thread's cluster, one bit each. */
static uint32_t cluster_mask(const struct lowering *l, uint32_t thread) {
  const struct thread *threads = l->program->threads;
  uint32_t mask = 0;
  for (uint32_t t = 0; t < l->program->thread_count; t++)
    if (threads[t].cluster_id == threads[thread].cluster_id && threads[t].cta < 32) mask |= 1u << threads[t].cta;
  return mask;
}

static bool lower_request(struct lowering *l, struct lower_instr *in) {
  if (!lower_operand_count(l, in, 2, 2)) return false;
  struct async *async = in->out->async = ARENA_NEW(l->arena, struct async);
  *async = (struct async){.action = ASYNC_CANCEL, .has_object = true, .whole = true};
  in->out->kind = INSTR_ASYNC;
  in->out->elements = 1;
  in->out->type = isa_type(PTX_B128);
  in->out->proxy = PROXY_ASYNC;
  if (HAS(in, EVERY_CTA)) async->ctas = lower_constant(cluster_mask(l, in->thread), HAS(in, EVERY_CTA)->span);
  return lower_shared_address(l, in, lower_operand_at(in, 0), &async->to, NULL) &&
         lower_mbarrier_address(l, in, lower_operand_at(in, 1), &async->object);
}

/* ---- clusterlaunchcontrol.query_cancel ---- */

static bool has_types(const struct lower_instr *in, enum ptx_type result) {
  return HAS(in, TYPE) && VALUE(in, TYPE) == result && HAS(in, SOURCE_TYPE) && VALUE(in, SOURCE_TYPE) == PTX_B128;
}

/* {x, y, z, _}: one instruction per register, without the last register that is written. */
static bool lower_indices(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *list = lower_operand_at(in, 0), *last = NULL;
  unsigned count = 0;
  if (list->kind == LITMUS_VECTOR)
    for (const struct litmus_operand *item = list->u.items; item; item = item->next, count++) last = item;
  if (count != 4)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, list->span, "'.v4' fills four registers" HINT "{r0, r1, r2, _}");
  LIST_EACH (item, list->u.items) {
    struct instr one = *in->out;
    if (!lower_dst(l, in, item, isa_type(PTX_U32), true, &one.dst[0])) return false;
    if (item == last) *in->out = one;
    else if (one.dst[0] != NO_REG) lower_emit_guarded(l, in, one);
  }
  return true;
}

static bool lower_query(struct lowering *l, struct lower_instr *in) {
  enum alu_op alu = (enum alu_op)VALUE(in, QUERY);
  const struct litmus_word *query = HAS(in, QUERY);
  bool asks_whether = alu == ALU_IS_CANCELED, all = strcmp(query->text, ".get_first_ctaid") == 0;
  bool four = IS(in, VECTOR, 4);
  if ((!all || !four) && !lower_refuse_word(l, in, QUALIFIER_VECTOR)) return false;
  if (all && !four) return lower_missing(l, in, "'.v4'", "or one dimension: '.get_first_ctaid::x'");
  if (!has_types(in, asks_whether ? PTX_PRED : PTX_B32))
    return lower_missing(l, in, asks_whether ? "the types '.pred.b128'" : "the types '.b32.b128'",
                         "first that of the result, then that of the response");
  if (!lower_operand_count(l, in, 2, 2)) return false;
  *in->out = lower_alu(in, alu, isa_type(PTX_B128));
  if (!lower_src(l, in, lower_operand_at(in, 1), in->out->type, &in->out->src[0])) return false;
  if (all) return lower_indices(l, in);
  return lower_dst(l, in, lower_operand_at(in, 0), isa_type(asks_whether ? PTX_PRED : PTX_U32), false,
                   &in->out->dst[0]);
}

bool lower_cancel(struct lowering *l, struct lower_instr *in) {
  return VALUE(in, CANCEL) == CANCEL_TRY ? lower_request(l, in) : lower_query(l, in);
}
