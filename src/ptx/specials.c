/* Special registers (PTX ISA 9.4, chapter 10): what the placement of a thread says of them. */
#include "ptx/lowering.h"

static uint32_t held(const struct thread *thread, enum special special) {
  const struct specials *s = &thread->special;
  uint32_t bit = s->lane == NOT_PLACED ? 0 : 1u << s->lane;
  switch (special) {
    case SPECIAL_ZERO: return 0;
    case SPECIAL_ONE: return 1;
    case SPECIAL_TID: return s->tid;
    case SPECIAL_NTID: return s->ntid;
    case SPECIAL_CTA: return s->cta;
    case SPECIAL_NCTAID: return s->nctaid;
    case SPECIAL_LANE: return s->lane;
    case SPECIAL_WARP: return s->warp;
    case SPECIAL_CLUSTER: return s->cluster;
    case SPECIAL_NCLUSTER:
      if (s->nctaid == NOT_PLACED || s->nctarank == NOT_PLACED || !s->nctarank) return NOT_PLACED;
      return s->nctaid / s->nctarank;
    case SPECIAL_CTARANK: return s->ctarank;
    case SPECIAL_NCTARANK: return s->nctarank;
    case SPECIAL_MASK_EQ: return bit;
    case SPECIAL_MASK_LT: return bit - 1;
    case SPECIAL_MASK_LE: return bit | (bit - 1);
    case SPECIAL_MASK_GE: return ~(bit - 1);
    case SPECIAL_MASK_GT: return ~(bit - 1) & ~bit;
    default: return NOT_PLACED;
  }
}

static bool of_lane(enum special special) {
  return special == SPECIAL_LANE || (special >= SPECIAL_MASK_EQ && special <= SPECIAL_MASK_GT);
}

/* Which level of the placement would say it. */
static const char *level_for(enum special special) {
  switch (special) {
    case SPECIAL_NTID: return "ntid";
    case SPECIAL_NCTAID:
    case SPECIAL_NCLUSTER: return "nctaid";
    case SPECIAL_WARP: return "tid";
    case SPECIAL_CTARANK: return "cluster_ctarank";
    case SPECIAL_NCTARANK: return "cluster_nctarank";
    default: return "tid";
  }
}

const char *lower_special_name(struct lowering *l, const struct litmus_operand *operand) {
  if (operand->kind == LITMUS_NAME) return operand->u.ref.percent ? operand->u.ref.name : NULL;
  if (operand->kind != LITMUS_SPECIAL) return NULL;
  struct text name;
  text_init(&name, l->arena);
  for (const struct litmus_word *word = operand->u.words.first; word; word = word->next) text_add(&name, word->text);
  const char *text = text_str(&name);
  return text[0] == '%' ? text + 1 : text;
}

bool lower_special(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, struct type type,
                   struct operand *out) {
  const char *name = lower_special_name(l, operand);
  enum special special = isa_special(name);
  const struct thread *thread = &l->program->threads[in->thread];
  *out = (struct operand){.kind = OPERAND_IMM, .span = operand->span};
  if (special == SPECIAL_NONE) {
    diag_report(l->diags, DIAG_WRONG_OPERAND, operand->span, "'%%%s' is no special register of PTX", name);
    return false;
  }
  uint32_t value = held(thread, special);
  bool open = special == SPECIAL_OPEN || special == SPECIAL_NUMBERED;
  if (open || (of_lane(special) ? thread->special.lane == NOT_PLACED : value == NOT_PLACED)) {
    enum reason_id why = open ? REASON_SPECIAL_OPEN : REASON_SPECIAL_NOT_PLACED;
    const char *text = open ? arena_printf(l->arena, "no placement says what %%%s holds", name)
                            : arena_printf(l->arena, "the placement of P%u does not say what %%%s holds: add '%s'",
                                           thread->number, name, level_for(special));
    lower_unsupported_with(in, reason_with(l->arena, why, text));
    return true;
  }
  out->imm = value & value_mask(type.width);
  return true;
}
