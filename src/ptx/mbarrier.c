#include "ptx/lowering.h"

/* mbarrier objects: `mbarrier b=1;` in the init block, and the instructions on them (9.7.15.16; docs/async.md). */

static struct mbarrier *mbarrier_of(const struct lower_instr *in) { return in->out->mbarrier; }

/* Declarations */

bool lower_is_mbarrier(const struct litmus_entry *entry) {
  const struct litmus_word *word = entry->types.first;
  return word && strcmp(word->text, "mbarrier") == 0;
}

static bool count_in_range(struct lowering *l, value_t count, struct span span) {
  if (count >= 1 && count <= MBARRIER_COUNT_LIMIT) return true;
  return diag_refuse(l->diags, DIAG_VALUE_RANGE, span, "the count of an mbarrier object is 1 to %d",
                     MBARRIER_COUNT_LIMIT);
}

bool lower_check_mbarrier(struct lowering *l, const struct litmus_entry *entry, uint32_t *expected) {
  const struct litmus_value *value = entry->values;
  bool plain = !entry->types.first->next && !entry->qualifiers.first && !entry->is_array && !entry->alias_of &&
               !entry->braces && !(value && value->is_address);
  value_t count;
  if (plain && !value) return true;
  if (plain) {
    if (!lower_number(l, &value->number, 32, &count) || !count_in_range(l, count, value->span)) return false;
    *expected = (uint32_t)count;
    return true;
  }
  return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                     "an mbarrier object is declared with its count and nothing else" HINT
                     "such as mbarrier %s=1; or mbarrier %s; and mbarrier.init in a thread",
                     entry->ref.name, entry->ref.name);
}

/* Operands */

bool lower_mbarrier_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                            struct address *out) {
  struct target target;
  if (!lower_address(l, in, operand, out, &target)) return false;
  if (!target.symbol || target.symbol->mbarrier) return true;
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                     "'%s' is not an mbarrier object" HINT "declare one in the init block: mbarrier %s=1;",
                     target.symbol->name, target.symbol->name);
}

/* `.shared::cta` and `.shared` reach the thread's own CTA only. */
static bool check_space(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand) {
  const struct litmus_word *word = HAS(in, SPACE);
  const struct address *address = &mbarrier_of(in)->object;
  mbarrier_of(in)->own = word && !(VALUE(in, SPACE) & SPACE_ANY_CTA);
  if (!word || VALUE(in, SPACE) & SPACE_ANY_CTA || address->base.kind != OPERAND_IMM) return true;
  for (uint32_t i = 0; i < l->views.len; i++) {
    const struct object *object = &l->objects.data[l->views.data[i].object];
    if (l->views.data[i].vaddr != address->base.imm || object->owner == l->program->threads[in->thread].cta_id)
      continue;
    return diag_refuse(l->diags, DIAG_OTHER_CTA, operand->span,
                       "'%s' reaches only the thread's own CTA" HINT "write '.shared::cluster'", word->text);
  }
  return true;
}

static bool lower_object(struct lowering *l, struct lower_instr *in, unsigned index) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  return lower_mbarrier_address(l, in, operand, &mbarrier_of(in)->object) && check_space(l, in, operand);
}

/* Arrivals and tests */

static bool is_arrival(enum mbarrier_action action) { return action == MBARRIER_ARRIVE || action == MBARRIER_DROP; }
static bool is_test(enum mbarrier_action action) {
  return action == MBARRIER_TEST || action == MBARRIER_TRY || action == MBARRIER_WAIT;
}

static bool is_remote(const struct lower_instr *in) { return HAS(in, SPACE) && (VALUE(in, SPACE) & SPACE_ANY_CTA); }

static bool lower_arrival(struct lowering *l, struct lower_instr *in) {
  struct mbarrier *mbarrier = mbarrier_of(in);
  bool expects = HAS(in, EXPECT);
  const struct litmus_operand *extra = lower_operand_at(in, 2);
  mbarrier->no_complete = HAS(in, NO_COMPLETE);
  mbarrier->count = lower_constant(1, in->ast->span);
  if (!lower_operand_count(l, in, expects || mbarrier->no_complete ? 3 : 2, 3)) return false;
  if (!lower_dst(l, in, lower_operand_at(in, 0), isa_type(PTX_B64), true, &in->out->dst[0]) || !lower_object(l, in, 1))
    return false;
  if (is_remote(in) && in->out->dst[0] != NO_REG)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, lower_operand_at(in, 0)->span,
                       "an arrival at '.shared::cluster' gives no state: write '_'");
  return !extra || lower_src(l, in, extra, isa_type(PTX_U32), expects ? &mbarrier->bytes : &mbarrier->count);
}

static bool lower_test(struct lowering *l, struct lower_instr *in) {
  struct mbarrier *mbarrier = mbarrier_of(in);
  unsigned first = mbarrier->action == MBARRIER_WAIT ? 0 : 1;
  mbarrier->parity = HAS(in, PARITY);
  if (!lower_operand_count(l, in, first + 2, first + (mbarrier->action == MBARRIER_TRY ? 3 : 2))) return false;
  if (first && !lower_dst(l, in, lower_operand_at(in, 0), isa_type(PTX_PRED), false, &in->out->dst[0])) return false;
  const struct litmus_operand *phase = lower_operand_at(in, first + 1);
  if (!lower_object(l, in, first) ||
      !lower_src(l, in, phase, isa_type(mbarrier->parity ? PTX_U32 : PTX_B64), &mbarrier->phase))
    return false;
  if (!mbarrier->parity || mbarrier->phase.kind != OPERAND_IMM || mbarrier->phase.imm <= 1) return true;
  return diag_refuse(l->diags, DIAG_VALUE_RANGE, phase->span, "a parity is 0 or 1");
}

static bool lower_plain(struct lowering *l, struct lower_instr *in) {
  struct mbarrier *mbarrier = mbarrier_of(in);
  unsigned count = mbarrier->action == MBARRIER_INVAL ? 1 : 2;
  if (!lower_operand_count(l, in, count, count) || !lower_object(l, in, 0)) return false;
  if (count == 1) return true;
  const struct litmus_operand *operand = lower_operand_at(in, 1);
  struct operand *out = mbarrier->action == MBARRIER_INIT ? &mbarrier->count : &mbarrier->bytes;
  if (!lower_src(l, in, operand, isa_type(PTX_U32), out)) return false;
  return mbarrier->action != MBARRIER_INIT || out->kind != OPERAND_IMM || count_in_range(l, out->imm, operand->span);
}

/* Lowers pending_count: the number of arrivals that were pending before the arrival that gave the state. */
static bool lower_pending(struct lowering *l, struct lower_instr *in) {
  in->out->type = isa_type(PTX_U32);
  return lower_operand_count(l, in, 2, 2) &&
         lower_dst(l, in, lower_operand_at(in, 0), in->out->type, false, &in->out->dst[0]) &&
         lower_src(l, in, lower_operand_at(in, 1), isa_type(PTX_B64), &mbarrier_of(in)->phase);
}

/* Semantics and scope */

/* Semantics and scope are given together or not at all; by default, arrivals release and tests acquire at CTA scope. */
static void take_order(struct lower_instr *in, enum mbarrier_action action) {
  const bool relaxes = action == MBARRIER_EXPECT || action == MBARRIER_COMPLETE;
  in->out->sem = is_arrival(action) ? SEM_RELEASE : is_test(action) ? SEM_ACQUIRE : relaxes ? SEM_RELAXED : SEM_WEAK;
  in->out->scope = in->out->sem == SEM_WEAK ? SCOPE_NONE : SCOPE_CTA;
  if (!HAS(in, SEM)) return;
  in->out->sem = (enum sem)VALUE(in, SEM);
  in->out->scope = (enum scope)VALUE(in, SCOPE);
}

bool lower_mbarrier(struct lowering *l, struct lower_instr *in) {
  enum mbarrier_action action = HAS(in, MBARRIER) ? (enum mbarrier_action)VALUE(in, MBARRIER) : MBARRIER_EXPECT;
  if (HAS(in, VARIANT) || HAS(in, CHECK)) return lower_unsupported(l, in, REASON_MBARRIER_VARIANT);
  in->out->kind = INSTR_MBARRIER;
  in->out->elements = 1;
  in->out->type = isa_type(is_test(action) ? PTX_PRED : PTX_B64);
  in->out->mbarrier = ARENA_NEW(l->arena, struct mbarrier);
  in->out->mbarrier->action = action;
  take_order(in, action);
  if (action == MBARRIER_PENDING) return lower_pending(l, in);
  return is_arrival(action) ? lower_arrival(l, in) : is_test(action) ? lower_test(l, in) : lower_plain(l, in);
}
