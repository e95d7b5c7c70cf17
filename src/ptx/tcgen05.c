#include "ptx/lowering.h"

/* Operations of the fifth generation's tensor cores on tensor memory, `.tmem .u32 d=0;` in the init block (9.7.18;
 * docs/async.md AG4). As with wgmma, a test's form is of one element: tcgen05.mma.cta_group::1.kind::f16 [d], [a], [b]
 * makes d the product of a and b. */

static bool missing(struct lowering *l, const struct lower_instr *in, const char *what, const char *hint) {
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span, "'tcgen05%s' needs %s" HINT "%s",
                     in->q.found[QUALIFIER_TCGEN05] ? in->q.found[QUALIFIER_TCGEN05]->text : "", what, hint);
}

static bool refuse(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind) {
  const struct litmus_word *word = in->q.found[kind];
  if (!word) return true;
  diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'tcgen05%s' does not take '%s'",
              in->q.found[QUALIFIER_TCGEN05]->text, word->text);
  return false;
}

/* An operand in one of the spaces, a mask over enum space, of the thread's own CTA. */
static const struct symbol *lower_place(struct lowering *l, const struct lower_instr *in, unsigned index,
                                        uint32_t spaces, struct address *out) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  const struct symbol *symbol;
  uint32_t view;
  if (!lower_address(l, in, operand, out, &symbol, &view)) return NULL;
  if (symbol && spaces >> symbol->space & 1) return symbol;
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_SPACE, operand->span, "here stands a location in %s memory",
                                     spaces == 1u << SPACE_SHARED ? "shared" : "tensor");
  diag_hint(l->diags, d, spaces == 1u << SPACE_SHARED ? "such as .shared .u32 a=0;" : "such as .tmem .u32 d=0;");
  return NULL;
}

static struct async *begin(struct lowering *l, struct lower_instr *in, enum async_action action) {
  in->out->kind = INSTR_ASYNC;
  in->out->async = ARENA_NEW(l->arena, struct async);
  in->out->async->action = action;
  in->out->elements = 1;
  in->out->proxy = PROXY_TMEM;
  return in->out->async;
}

static bool lower_multiply(struct lowering *l, struct lower_instr *in) {
  const uint32_t tensor = 1u << SPACE_TMEM, both = tensor | 1u << SPACE_SHARED;
  struct async *async = begin(l, in, ASYNC_TENSOR_MMA);
  if (!lower_operand_count(l, in, 3, 3)) return false;
  const struct symbol *to = lower_place(l, in, 0, tensor, &async->to);
  if (!to || !lower_place(l, in, 1, both, &async->from) || !lower_place(l, in, 2, both, &async->other)) return false;
  in->out->type = to->type;
  return true;
}

static bool lower_copy(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_TENSOR_COPY);
  if (!lower_operand_count(l, in, 2, 2)) return false;
  const struct symbol *to = lower_place(l, in, 0, 1u << SPACE_TMEM, &async->to);
  if (!to || !lower_place(l, in, 1, 1u << SPACE_SHARED, &async->from)) return false;
  in->out->type = to->type;
  return true;
}

static const struct litmus_operand *only_element(const struct litmus_operand *operand) {
  return operand->kind == LITMUS_VECTOR && !operand->u.items->next ? operand->u.items : operand;
}

static bool lower_register_access(struct lowering *l, struct lower_instr *in, bool loads) {
  struct async *async = begin(l, in, loads ? ASYNC_TENSOR_LOAD : ASYNC_TENSOR_STORE);
  if (!lower_operand_count(l, in, 2, 2)) return false;
  const struct symbol *place = lower_place(l, in, loads ? 1 : 0, 1u << SPACE_TMEM, loads ? &async->from : &async->to);
  if (!place) return false;
  in->out->type = place->type;
  const struct litmus_operand *reg = only_element(lower_operand_at(in, loads ? 0 : 1));
  return loads ? lower_dst(l, in, reg, in->out->type, false, &in->out->dst[0])
               : lower_src(l, in, reg, in->out->type, &in->out->src[0]);
}

static bool lower_commit(struct lowering *l, struct lower_instr *in) {
  bool many = in->q.found[QUALIFIER_MULTICAST];
  struct async *async = begin(l, in, ASYNC_TENSOR_COMMIT);
  in->out->proxy = PROXY_GENERIC;
  async->has_object = true;
  if (!in->q.found[QUALIFIER_COMPLETION] || in->q.value[QUALIFIER_COMPLETION] != COMPLETION_ARRIVE)
    return missing(l, in, "'.mbarrier::arrive::one'", "such as tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64");
  return lower_operand_count(l, in, 1 + many, 1 + many) &&
         lower_mbarrier_address(l, in, lower_operand_at(in, 0), &async->object) &&
         (!many || lower_src(l, in, lower_operand_at(in, 1), isa_type(PTX_U32), &async->ctas));
}

static bool lower_order(struct lowering *l, struct lower_instr *in, enum one_way which) {
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = PROXY_TMEM;
  in->out->one_way = which;
  return lower_operand_count(l, in, 0, 0);
}

static bool lower_action(struct lowering *l, struct lower_instr *in, enum tensor_action action) {
  switch (action) {
    case TENSOR_MULTIPLY: return lower_multiply(l, in);
    case TENSOR_COPY: return lower_copy(l, in);
    case TENSOR_LOAD: return lower_register_access(l, in, true);
    case TENSOR_STORE: return lower_register_access(l, in, false);
    case TENSOR_COMMIT: return lower_commit(l, in);
    case TENSOR_BEFORE: return lower_order(l, in, ONE_WAY_BEFORE);
    case TENSOR_AFTER: return lower_order(l, in, ONE_WAY_AFTER);
    case TENSOR_WAIT_LD: return lower_order(l, in, ONE_WAY_LOADS);
    case TENSOR_WAIT_ST: return lower_order(l, in, ONE_WAY_STORES);
    case TENSOR_NOTHING: in->out->kind = INSTR_NOTHING; return lower_operand_count(l, in, 0, 0);
    case TENSOR_ALLOC: lower_unsupported(l, in, REASON_TENSOR_ALLOC); return true;
    case TENSOR_SHIFT: lower_unsupported(l, in, REASON_TENSOR_SHIFT); return true;
  }
  BUG("tcgen05 %d", (int)action);
}

static bool warps_together(enum tensor_action action) {
  return action == TENSOR_LOAD || action == TENSOR_STORE || action == TENSOR_WAIT_LD || action == TENSOR_WAIT_ST;
}

static bool of_a_group(enum tensor_action action) {
  return action == TENSOR_MULTIPLY || action == TENSOR_COPY || action == TENSOR_COMMIT || action == TENSOR_ALLOC ||
         action == TENSOR_SHIFT || action == TENSOR_NOTHING;
}

/* A copy of fewer than 128 rows says to which warps' tensor memory it goes, another does not. */
static bool check_warps(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *shape = in->q.found[QUALIFIER_SHAPE], *warps = in->q.found[QUALIFIER_WARPS];
  const char *needs = !shape                                  ? NULL
                      : strcmp(shape->text, ".32x128b") == 0 ? ".warpx4"
                      : strcmp(shape->text, ".64x128b") == 0 ? ".warpx2::"
                                                              : NULL;
  if (!needs) return refuse(l, in, QUALIFIER_WARPS);
  if (!warps) return missing(l, in, "to say which warps get it", "such as '.32x128b.warpx4'");
  return strncmp(warps->text, needs, strlen(needs)) == 0 || refuse(l, in, QUALIFIER_WARPS);
}

/* What an action takes, and what it cannot do without. */
static bool check_dots(struct lowering *l, const struct lower_instr *in, enum tensor_action action) {
  bool together = warps_together(action) || action == TENSOR_ALLOC || action == TENSOR_NOTHING;
  bool loads = action == TENSOR_LOAD || action == TENSOR_STORE;
  unsigned space = in->q.value[QUALIFIER_SPACE];
  if (together && (!in->q.found[QUALIFIER_ACTION] || !in->q.found[QUALIFIER_ALIGNED]))
    return missing(l, in, "'.sync.aligned'", "all threads of a warp execute it together");
  if (!together && (!refuse(l, in, QUALIFIER_ACTION) || !refuse(l, in, QUALIFIER_ALIGNED))) return false;
  if (of_a_group(action) && !in->q.found[QUALIFIER_PLAIN] && !in->q.found[QUALIFIER_PAIR])
    return missing(l, in, "'.cta_group::1'", "it says of how many CTAs the tensor memory is");
  if (loads && (!in->q.found[QUALIFIER_SHAPE] || !in->q.found[QUALIFIER_REPEAT]))
    return missing(l, in, "a shape and a number", "such as '.32x32b.x1'");
  if ((action == TENSOR_COPY || action == TENSOR_SHIFT) && !in->q.found[QUALIFIER_SHAPE])
    return missing(l, in, "a shape", action == TENSOR_COPY ? "such as '.128x256b'" : "'.down'");
  if (!check_warps(l, in)) return false;
  if (action == TENSOR_COMMIT && in->q.found[QUALIFIER_SPACE] && space != (SPACE_SHARED | SPACE_ANY_CTA))
    return refuse(l, in, QUALIFIER_SPACE);
  bool type =
      !in->q.found[QUALIFIER_TYPE] || in->q.value[QUALIFIER_TYPE] == (action == TENSOR_COMMIT ? PTX_B64 : PTX_B32);
  return type || refuse(l, in, QUALIFIER_TYPE);
}

bool lower_tcgen05(struct lowering *l, struct lower_instr *in) {
  enum tensor_action action = (enum tensor_action)in->q.value[QUALIFIER_TCGEN05];
  if (!in->q.found[QUALIFIER_TCGEN05])
    return missing(l, in, "what to do", "such as tcgen05.mma, tcgen05.commit or tcgen05.ld");
  if (!check_dots(l, in, action)) return false;
  bool loads = action == TENSOR_LOAD || action == TENSOR_STORE;
  if (loads && in->q.value[QUALIFIER_SHAPE] * in->q.value[QUALIFIER_REPEAT] != 1) {
    lower_unsupported(l, in, REASON_TENSOR_SHAPE);
    return true;
  }
  if (in->q.found[QUALIFIER_PAIR]) {
    if (action == TENSOR_COMMIT && !lower_commit(l, in)) return false;
    lower_unsupported(l, in, REASON_TENSOR_PAIR);
    return true;
  }
  return lower_action(l, in, action);
}
