#include "ptx/lowering.h"

/* 9.7.15.4 "membar, fence"; facts about the proxy fences in 8.6 and 8.9.5. */

static bool proxy_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *proxy = in->q.found[QUALIFIER_PROXY], *kind = in->q.found[QUALIFIER_PROXY_KIND];
  if (!kind) {
    struct diagnostic *d =
        diag_report(l->diags, DIAG_MISSING_QUALIFIER, proxy->span, "a proxy fence needs the kind of proxy");
    lower_hint_class(l, d, QUALIFIER_PROXY_KIND);
    return false;
  }
  if (!proxy) {
    struct diagnostic *d = diag_report(l->diags, DIAG_MISSING_QUALIFIER, kind->span, "'%s' needs '.proxy'", kind->text);
    diag_hint(l->diags, d, "write %s.proxy%s", in->row->opcode, kind->text);
    return false;
  }
  if (in->q.value[QUALIFIER_PROXY_KIND] == PROXY_OTHER || in->q.found[QUALIFIER_RESTRICT]) {
    lower_unsupported(l, in, REASON_PROXY_FENCE);
    return true;
  }
  if (in->q.found[QUALIFIER_SEM] || in->q.found[QUALIFIER_SCOPE]) {
    if (in->q.value[QUALIFIER_PROXY_KIND] == PROXY_ALIAS) {
      lower_unsupported(l, in, REASON_ONE_WAY_FENCE);
      return true;
    }
    const struct litmus_word *word = in->q.found[in->q.found[QUALIFIER_SEM] ? QUALIFIER_SEM : QUALIFIER_SCOPE];
    diag_report(l->diags, DIAG_QUALIFIER_CONFLICT, word->span, "a proxy fence does not take '%s'", word->text);
    return false;
  }
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = (enum proxy)in->q.value[QUALIFIER_PROXY_KIND];
  return true;
}

static bool memory_fence(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = in->q.found[QUALIFIER_SEM];
  in->out->kind = INSTR_FENCE;
  in->out->sem = sem ? (enum sem)in->q.value[QUALIFIER_SEM] : SEM_ACQ_REL;
  in->out->scope = (enum scope)in->q.value[QUALIFIER_SCOPE];
  if (sem && !(in->row->sems >> in->out->sem & 1)) {
    struct text words;
    text_init(&words, l->arena);
    isa_sem_words(in->row->sems, &words);
    struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_SEMANTICS, sem->span, "a fence cannot be '%s'", sem->text);
    diag_hint(l->diags, d, "it takes %s", text_str(&words));
    return false;
  }
  if (in->q.found[QUALIFIER_SCOPE]) return true;
  struct diagnostic *d =
      diag_report(l->diags, DIAG_MISSING_SCOPE, sem ? sem->span : in->ast->opcode.span, "a fence needs a scope");
  lower_hint_class(l, d, QUALIFIER_SCOPE);
  return false;
}

static bool membar(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_FENCE;
  in->out->sem = SEM_SC;
  in->out->scope = (enum scope)in->q.value[QUALIFIER_LEVEL];
  if (in->q.found[QUALIFIER_LEVEL]) return true;
  struct diagnostic *d = diag_report(l->diags, DIAG_MISSING_SCOPE, in->ast->opcode.span, "'membar' needs a level");
  lower_hint_class(l, d, QUALIFIER_LEVEL);
  return false;
}

static bool exclude_level(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *level = in->q.found[QUALIFIER_LEVEL];
  if (!level) return true;
  diag_report(l->diags, DIAG_QUALIFIER_CONFLICT, level->span, "a proxy fence does not take '%s'", level->text);
  return false;
}

bool lower_fence(struct lowering *l, struct lower_instr *in) {
  bool proxy = in->q.found[QUALIFIER_PROXY] || in->q.found[QUALIFIER_PROXY_KIND];
  if (in->row->form == FORM_FENCE && in->q.found[QUALIFIER_RESTRICT] && !proxy) {
    lower_unsupported(l, in, REASON_RESTRICTED_FENCE);
    return true;
  }
  if (proxy) {
    if (!exclude_level(l, in) || !proxy_fence(l, in)) return false;
    return in->out->kind == INSTR_UNSUPPORTED || lower_operand_count(l, in, 0, 0);
  }
  if (!lower_operand_count(l, in, 0, 0)) return false;
  if (in->row->form == FORM_FIXED_FENCE) {
    in->out->kind = INSTR_FENCE;
    in->out->sem = SEM_SC;
    in->out->scope = (enum scope)in->row->detail;
    return true;
  }
  const struct litmus_word *space = in->q.found[QUALIFIER_SPACE];
  if (space) {
    diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, space->span, "a memory fence does not take '%s'", space->text);
    return false;
  }
  return in->row->form == FORM_MEMBAR ? membar(l, in) : memory_fence(l, in);
}
