#include "ptx/lowering.h"

uint32_t lower_find_reg(const struct lowering *l, uint32_t thread, const char *name) {
  uint32_t reg = name_map_get(&l->threads[thread].names, name);
  return reg == NO_NAME ? NO_REG : reg;
}

uint32_t lower_reg(struct lowering *l, uint32_t thread, const char *name, struct span span) {
  struct lower_thread *of = &l->threads[thread];
  uint32_t reg = name_map_get(&of->names, name);
  if (reg != NO_NAME) return reg;
  name_map_put(l->arena, &of->names, name, of->regs.len);
  VEC_PUSH(l->arena, &of->regs, (struct reg){.name = name, .type = isa_type(PTX_U32), .span = span});
  VEC_PUSH(l->arena, &of->states, (struct reg_use){0});
  return of->regs.len - 1;
}

static bool is_integer(struct type type) { return type.kind != TYPE_PRED && !type_is_float(type); }

/* If several instructions write a register, the last in the text gives its type, but an integer is observed in the
 * widest of their types, because any of them may run last. */
void lower_write_reg(struct lowering *l, uint32_t thread, uint32_t reg, struct type type) {
  struct reg *r = &l->threads[thread].regs.data[reg];
  struct reg_use *state = &l->threads[thread].states.data[reg];
  bool before = (state->written || state->typed) && is_integer(type) && is_integer(r->type);
  if (!before || r->type.width <= type.width) r->type = type;
  else if (type.kind == TYPE_SIGNED) r->type.kind = TYPE_SIGNED;
  state->written = true;
  if (type.kind != TYPE_PRED) state->number = true;
}

uint32_t lower_hidden_reg(struct lowering *l, const struct lower_instr *in, struct type type) {
  struct lower_thread *of = &l->threads[in->thread];
  const char *name = arena_printf(l->arena, "?%u", of->regs.len);
  VEC_PUSH(l->arena, &of->regs, (struct reg){.name = name, .type = type, .hidden = true, .span = in->ast->span});
  VEC_PUSH(l->arena, &of->states, (struct reg_use){.written = true, .read = true});
  return of->regs.len - 1;
}

void lower_read_reg(struct lowering *l, uint32_t thread, uint32_t reg) {
  l->threads[thread].states.data[reg].read = true;
}

bool lower_looks_like_reg(const struct litmus_ref *ref) {
  static const char *const prefixes[] = {"r", "rd", "rs", "rh", "rb", "rq", "p", "f", "fd", "h"};
  if (ref->percent) return true;
  size_t letters = strcspn(ref->name, "0123456789");
  if (ref->name[letters] == '\0' || ref->name[letters + strspn(ref->name + letters, "0123456789")]) return false;
  return SOME_BELOW(i, ARRAY_LEN(prefixes),
                    strlen(prefixes[i]) == letters && strncmp(prefixes[i], ref->name, letters) == 0);
}

static bool init_type(struct lowering *l, const struct litmus_entry *entry, bool *typed, struct type *type) {
  const struct litmus_word *word = entry->qualifiers.first;
  *typed = word != NULL;
  *type = isa_type(PTX_U32);
  if (!word && !entry->types.first) return true;
  enum ptx_type named = word ? isa_type_named(word->text) : PTX_TYPES;
  if (named == PTX_TYPES || word->next || entry->types.first)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                       "a register takes one type such as '.u64' and no state space" HINT
                       "most registers need none: %u:%s=0",
                       entry->ref.thread, entry->ref.name);
  *type = isa_type(named);
  return true;
}

/* The value must fit the register's type, or 64 bits if the instructions determine the type later. */
static bool init_value(struct lowering *l, const struct litmus_entry *entry, uint32_t thread, bool typed,
                       struct type type, value_t *out) {
  const struct litmus_value *value = entry->values;
  if (!value || value->next || entry->braces || entry->is_array || entry->alias_of)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                       "a register takes exactly one value" HINT "for example: %u:%s=0", entry->ref.thread,
                       entry->ref.name);
  if (value->is_address) return lower_ref_address(l, &value->ref, thread, out);
  return typed ? lower_value(l, &value->number, type, out) : lower_number(l, &value->number, 64, out);
}

bool lower_reg_init(struct lowering *l, const struct litmus_entry *entry) {
  struct type type;
  bool typed;
  if (entry->ref.owner != LITMUS_OWNER_THREAD)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->ref.owner_span,
                       "only registers are set for one owner, and only threads own registers" HINT
                       "a shared location is declared once: .shared .u32 %s=0",
                       entry->ref.name);
  uint32_t thread = lower_find_thread(l, entry->ref.thread);
  if (thread == NO_THREAD) {
    lower_unknown_thread(l, entry->ref.thread, entry->ref.owner_span);
    return false;
  }
  uint32_t index = lower_reg(l, thread, entry->ref.name, entry->span);
  struct reg *reg = &l->threads[thread].regs.data[index];
  if (reg->has_init)
    return diag_beside(diag_report(l->diags, DIAG_REDECLARED, entry->span, "register '%u:%s' is set twice",
                                   entry->ref.thread, entry->ref.name),
                       reg->span, "first set here");
  if (!init_type(l, entry, &typed, &type)) return false;
  reg->has_init = true;
  reg->type = type;
  l->threads[thread].states.data[index].typed = typed;
  return init_value(l, entry, thread, typed, type, &reg->init);
}

/* The final type of a register must hold the value from the init block. Without a declared type and without a write,
 * the register gets 64 bits if the value needs them. */
static void settle_init(struct lowering *l, struct reg *reg, const struct reg_use *state) {
  if (!reg->has_init || state->typed) return;
  value_t low = reg->init & value_mask(32);
  bool fits = reg->init == low || value_sext(low, 32) == value_sext(reg->init, 64);
  if (!state->written && fits) reg->init = low;
  if (!state->written && !fits) reg->type = isa_type(PTX_U64);
  if (!state->written || fits || reg->type.width >= 64) return;
  diag_report(l->diags, DIAG_VALUE_RANGE, reg->span,
              "the value does not fit register '%s', which is written as %u bit%s" HINT
              "a register of 64 bits is declared .u64 in the init block",
              reg->name, reg->type.width, reg->type.width == 1 ? "" : "s");
}

void lower_finish_regs(struct lowering *l) {
  for (uint32_t t = 0; t < l->program->thread_count; t++) {
    struct lower_thread *from = &l->threads[t];
    struct thread *thread = &l->program->threads[t];
    for (uint32_t r = 0; r < from->regs.len; r++) {
      struct reg *reg = &from->regs.data[r];
      const struct reg_use *state = &from->states.data[r];
      settle_init(l, reg, state);
      bool right = state->written || reg->has_init || !state->read || state->faulty;
      if (right || thread->of_kernel) continue; /* columns leave out values that do not matter */
      diag_report(l->diags, DIAG_NEVER_WRITTEN, reg->span,
                  "nothing writes register '%s' of P%u: it reads 0" HINT "give it a value in the init block: %u:%s=0;",
                  reg->name, thread->number, thread->number, reg->name);
    }
    thread->regs = from->regs.data;
    thread->reg_count = from->regs.len;
  }
}
