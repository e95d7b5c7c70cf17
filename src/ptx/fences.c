#include "ptx/lowering.h"

/* 9.7.15.4 "membar, fence"; facts about the proxy fences in 8.6 and 8.9.5. */

/* The space of a fence for the async proxy, which is the space of the objects that it covers. */
static bool fence_space(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, SPACE);
  if (!word) return true;
  unsigned value = VALUE(in, SPACE);
  in->out->space = (enum space)(value & SPACE_MASK);
  in->out->own_cta = value & SPACE_OWN_CTA;
  bool plain = in->out->space == SPACE_SHARED && !(value & (SPACE_OWN_CTA | SPACE_ANY_CTA));
  if (VALUE(in, PROXY_KIND) == PROXY_ASYNC && !plain && (in->row->spaces >> in->out->space & 1)) return true;
  struct diagnostic *d =
      diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "this proxy fence does not take '%s'", word->text);
  if (plain && VALUE(in, PROXY_KIND) == PROXY_ASYNC)
    diag_hint(l->diags, d, "write '.shared::cta' or '.shared::cluster'");
  return false;
}

/* From the generic proxy to another, in two halves: a release in the thread of the first access, an acquire in the
 * thread that issues the second. */
static bool one_way_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *kind = HAS(in, PROXY_KIND);
  const struct litmus_word *restricted = HAS(in, RESTRICT);
  bool releases = sem && VALUE(in, SEM) == SEM_RELEASE;
  bool acquires = sem && VALUE(in, SEM) == SEM_ACQUIRE;
  in->out->proxy = (enum proxy)(VALUE(in, PROXY_KIND) & PROXY_MASK);
  in->out->one_way = releases ? ONE_WAY_RELEASE : ONE_WAY_ACQUIRE;
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  bool async = in->out->proxy == PROXY_ASYNC;
  if (async && releases && restricted && VALUE(in, RESTRICT) == ONE_WAY_RELEASE_READS)
    in->out->one_way = ONE_WAY_RELEASE_READS;
  bool matches = async ? restricted && VALUE(in, RESTRICT) == in->out->one_way : !restricted;
  bool scoped = HAS(in, SCOPE) && (!async || in->out->scope == SCOPE_CLUSTER);
  if (!releases && !acquires) matches = false;
  if (!matches || !scoped || HAS(in, SPACE))
    return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, kind->span,
                       "these qualifiers do not make a fence between these proxies" HINT "%s",
                       async ? "'.release.sync_restrict::shared::cta.cluster' or "
                               "'.acquire.sync_restrict::shared::cluster.cluster'"
                             : "'.release' or '.acquire', and a scope");
  if (async || releases) return lower_operand_count(l, in, 0, 0);
  uint32_t view;
  const struct symbol *symbol;
  if (!lower_operand_count(l, in, 2, 2) ||
      !lower_address(l, in, lower_operand_at(in, 0), &in->out->addr, &symbol, &view))
    return false;
  const struct litmus_operand *size = lower_operand_at(in, 1);
  if (size->kind == LITMUS_NUMBER && size->u.number.value == MAP_BYTES && !size->u.number.negative) return true;
  return diag_refuse(l->diags, DIAG_VALUE_RANGE, size->span, "a tensor map has %d bytes", MAP_BYTES);
}

/* fence.mbarrier_init.release.cluster */
static bool init_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *word = HAS(in, RESTRICT);
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->one_way = ONE_WAY_INIT;
  in->out->scope = SCOPE_CLUSTER;
  bool right =
      sem && VALUE(in, SEM) == SEM_RELEASE && HAS(in, SCOPE) && VALUE(in, SCOPE) == SCOPE_CLUSTER && !HAS(in, SPACE);
  if (right) return lower_operand_count(l, in, 0, 0);
  return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, word->span,
                     "'%s' is a release at cluster scope" HINT "write fence.mbarrier_init.release.cluster", word->text);
}

/* fence.release.sync_restrict::shared::cta.cluster and fence.acquire.sync_restrict::shared::cluster.cluster */
static bool restricted_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *word = HAS(in, RESTRICT);
  bool releases = sem && VALUE(in, SEM) == SEM_RELEASE;
  bool acquires = sem && VALUE(in, SEM) == SEM_ACQUIRE;
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->one_way = releases ? ONE_WAY_RELEASE : ONE_WAY_ACQUIRE;
  in->out->scope = SCOPE_CLUSTER;
  bool right = (releases || acquires) && VALUE(in, RESTRICT) == in->out->one_way && IS(in, SCOPE, SCOPE_CLUSTER) &&
               !HAS(in, SPACE);
  if (right) return lower_operand_count(l, in, 0, 0);
  return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, word->span,
                     "'%s' cannot be combined with these semantics and scope" HINT
                     "write fence.release.sync_restrict::shared::cta.cluster or "
                     "fence.acquire.sync_restrict::shared::cluster.cluster",
                     word->text);
}

static bool membar_proxy(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *kind = HAS(in, PROXY_KIND);
  if (in->row->form != FORM_MEMBAR || VALUE(in, PROXY_KIND) == PROXY_ALIAS) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, kind->span, "'membar.proxy' does not take '%s'", kind->text);
}

static bool proxy_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *proxy = HAS(in, PROXY), *kind = HAS(in, PROXY_KIND);
  if (!kind)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, proxy->span,
                       "a proxy fence needs the kind of proxy" HINT "add %s",
                       isa_class_words(l->arena, QUALIFIER_PROXY_KIND));
  if (!proxy)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, kind->span, "'%s' needs '.proxy'" HINT "write %s.proxy%s",
                       kind->text, in->row->opcode, kind->text);
  if (!membar_proxy(l, in)) return false;
  if (VALUE(in, PROXY_KIND) & PROXY_ONE_WAY) return one_way_fence(l, in);
  if (VALUE(in, PROXY_KIND) == PROXY_OTHER) return lower_unsupported(l, in, REASON_PROXY_FENCE);
  if (HAS(in, RESTRICT))
    return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, HAS(in, RESTRICT)->span, "'.proxy%s' does not take '%s'",
                       kind->text, HAS(in, RESTRICT)->text);
  if (HAS(in, SEM) || HAS(in, SCOPE)) {
    bool half = VALUE(in, SEM) == SEM_ACQUIRE || VALUE(in, SEM) == SEM_RELEASE;
    if (VALUE(in, PROXY_KIND) == PROXY_ALIAS && half && VALUE(in, SCOPE) == SCOPE_SYS)
      return lower_unsupported(l, in, REASON_ONE_WAY_FENCE);
    const struct litmus_word *word = in->q.found[HAS(in, SEM) ? QUALIFIER_SEM : QUALIFIER_SCOPE];
    return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, word->span, "a proxy fence does not take '%s'", word->text);
  }
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = (enum proxy)VALUE(in, PROXY_KIND);
  return fence_space(l, in);
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

static bool membar(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_FENCE;
  in->out->sem = SEM_SC;
  in->out->scope = (enum scope)VALUE(in, LEVEL);
  if (HAS(in, LEVEL)) return true;
  return diag_refuse(l->diags, DIAG_MISSING_SCOPE, in->ast->opcode.span, "'membar' needs a level" HINT "add %s",
                     isa_class_words(l->arena, QUALIFIER_LEVEL));
}

static bool exclude_level(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *level = HAS(in, LEVEL);
  if (!level) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_CONFLICT, level->span, "a proxy fence does not take '%s'", level->text);
}

bool lower_fence(struct lowering *l, struct lower_instr *in) {
  bool proxy = HAS(in, PROXY) || HAS(in, PROXY_KIND);
  bool init = IS(in, RESTRICT, ONE_WAY_INIT);
  if (in->row->form == FORM_FENCE && init && !proxy) return init_fence(l, in);
  if (in->row->form == FORM_FENCE && HAS(in, RESTRICT) && !proxy) return restricted_fence(l, in);
  if (proxy) {
    if (!exclude_level(l, in) || !proxy_fence(l, in)) return false;
    return in->out->kind == INSTR_UNSUPPORTED || in->out->one_way || lower_operand_count(l, in, 0, 0);
  }
  if (!lower_operand_count(l, in, 0, 0)) return false;
  if (in->row->form == FORM_FIXED_FENCE) {
    in->out->kind = INSTR_FENCE;
    in->out->sem = SEM_SC;
    in->out->scope = (enum scope)in->row->detail;
    return true;
  }
  const struct litmus_word *space = HAS(in, SPACE);
  if (space)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, space->span, "a memory fence does not take '%s'",
                       space->text);
  return in->row->form == FORM_MEMBAR ? membar(l, in) : memory_fence(l, in);
}
