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
  const struct symbol *symbol;
  uint32_t view;
  if (!lower_address(l, in, operand, out, &symbol, &view)) return false;
  if (!symbol || symbol->mbarrier) return true;
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                     "'%s' is not an mbarrier object" HINT "declare one in the init block: mbarrier %s=1;",
                     symbol->name, symbol->name);
}

/* True if the space is shared memory; for init, inval and .noComplete, of the thread's own CTA. */
static bool takes_space(struct lowering *l, const struct lower_instr *in, const struct litmus_word *word) {
  enum mbarrier_action action = mbarrier_of(in)->action;
  bool shared = (VALUE(in, SPACE) & SPACE_MASK) == SPACE_SHARED;
  bool local = action == MBARRIER_INIT || action == MBARRIER_INVAL || mbarrier_of(in)->no_complete;
  if (shared && !(local && VALUE(in, SPACE) & SPACE_ANY_CTA)) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, word->span,
                     "this operation on an mbarrier does not take '%s'" HINT "%s", word->text,
                     local ? "write '.shared::cta'" : "write '.shared::cta' or '.shared::cluster'");
}

/* `.shared::cta` and `.shared` reach the thread's own CTA only. */
static bool check_space(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand) {
  const struct litmus_word *word = HAS(in, SPACE);
  const struct address *address = &mbarrier_of(in)->object;
  if (word && !takes_space(l, in, word)) return false;
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
  if (is_remote(in))
    return diag_refuse(l->diags, DIAG_WRONG_SPACE, HAS(in, SPACE)->span,
                       "an mbarrier object is tested by its own CTA only");
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

static uint32_t sems_of(enum mbarrier_action action) {
  uint32_t relaxed = 1u << SEM_RELAXED;
  if (is_arrival(action)) return relaxed | 1u << SEM_RELEASE;
  if (is_test(action)) return relaxed | 1u << SEM_ACQUIRE;
  return action == MBARRIER_EXPECT || action == MBARRIER_COMPLETE ? relaxed : 0;
}

static bool wrong_sem(struct lowering *l, const struct litmus_word *word, uint32_t sems) {
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_SEMANTICS, word->span,
                                     "this operation on an mbarrier cannot be '%s'", word->text);
  if (sems) diag_hint(l->diags, d, "it takes %s", isa_sem_words(l->arena, sems));
  return false;
}

/* Semantics and scope are given together or not at all; by default, arrivals release and tests acquire at CTA scope. */
static bool lower_order(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *scope = HAS(in, SCOPE);
  enum mbarrier_action action = mbarrier_of(in)->action;
  uint32_t sems = sems_of(action);
  in->out->sem = is_arrival(action) ? SEM_RELEASE : is_test(action) ? SEM_ACQUIRE : sems ? SEM_RELAXED : SEM_WEAK;
  in->out->scope = sems ? SCOPE_CTA : SCOPE_NONE;
  if (!sem && !scope) return true;
  if (sem && !(sems >> VALUE(in, SEM) & 1)) return wrong_sem(l, sem, sems);
  if (!sem || !scope) {
    const struct litmus_word *word = sem ? sem : scope;
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, word->span, "'%s' needs %s" HINT "%s", word->text,
                       sem ? "a scope" : "semantics", sem ? "add '.cta' or '.cluster'" : "such as '.relaxed'");
  }
  in->out->sem = (enum sem)VALUE(in, SEM);
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  bool plain = in->out->sem == SEM_RELEASE && in->out->scope == SCOPE_CTA;
  if (HAS(in, NO_COMPLETE) && !plain)
    return diag_refuse(l->diags, DIAG_WRONG_SEMANTICS, sem->span, "an arrival with '.noComplete' is '.release.cta'");
  if (in->out->scope == SCOPE_CTA || in->out->scope == SCOPE_CLUSTER) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, scope->span,
                     "an mbarrier is shared by a cluster at most: it does not take '%s'" HINT
                     "write '.cta' or '.cluster'",
                     scope->text);
}

/* The whole instruction */

static bool not_taken(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind, bool taken) {
  const struct litmus_word *word = in->q.found[kind];
  if (!word || taken) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "this operation on an mbarrier does not take '%s'",
                     word->text);
}

static bool find_action(struct lowering *l, const struct lower_instr *in, enum mbarrier_action *action) {
  *action = HAS(in, MBARRIER) ? (enum mbarrier_action)VALUE(in, MBARRIER) : MBARRIER_EXPECT;
  if (HAS(in, MBARRIER) || HAS(in, EXPECT)) return true;
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                     "'mbarrier' names no operation" HINT
                     "such as mbarrier.arrive, mbarrier.try_wait.parity or mbarrier.wait.parity");
}

bool lower_is_b64(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, TYPE);
  if (!word || VALUE(in, TYPE) == PTX_B64) return true;
  return diag_refuse(l->diags, DIAG_WRONG_TYPE, word->span, "an mbarrier object is of type '.b64', not '%s'",
                     word->text);
}

bool lower_mbarrier(struct lowering *l, struct lower_instr *in) {
  enum mbarrier_action action;
  if (HAS(in, VARIANT) || HAS(in, CHECK)) return lower_unsupported(l, in, REASON_MBARRIER_VARIANT);
  if (!find_action(l, in, &action) || !lower_is_b64(l, in)) return false;
  in->out->kind = INSTR_MBARRIER;
  in->out->elements = 1;
  in->out->type = isa_type(is_test(action) ? PTX_PRED : PTX_B64);
  in->out->mbarrier = ARENA_NEW(l->arena, struct mbarrier);
  in->out->mbarrier->action = action;
  bool arrives = is_arrival(action);
  if (!not_taken(l, in, QUALIFIER_EXPECT, arrives || action == MBARRIER_EXPECT) ||
      !not_taken(l, in, QUALIFIER_SPACE, action != MBARRIER_PENDING) ||
      !not_taken(l, in, QUALIFIER_NO_COMPLETE, arrives) || !not_taken(l, in, QUALIFIER_PARITY, is_test(action)) ||
      !lower_order(l, in))
    return false;
  if (action == MBARRIER_PENDING) return lower_pending(l, in);
  return arrives ? lower_arrival(l, in) : is_test(action) ? lower_test(l, in) : lower_plain(l, in);
}
