#include "ptx/lowering.h"

/* Multimem addresses and the instructions on them (8.2.3; docs/semantics.md P9). `multimem m = {x, y};` in the init
 * block declares an address whose replicas are the locations x and y. Each replica has its own virtual address, like an
 * alias of the location. */

enum { REPLICA_LIMIT = 256 };

static bool wrong_replica(struct lowering *l, const struct litmus_value *value, const char *why) {
  return diag_refuse(l->diags, DIAG_WRONG_MULTIMEM, value->span, "%s", why);
}

static bool same_shape(const struct symbol *a, const struct symbol *b) {
  return a->type.kind == b->type.kind && a->type.width == b->type.width && a->count == b->count;
}

/* The location that a value names as a replica. `first`: another replica, which it must be like; NULL: none. */
static const struct symbol *find_replica(struct lowering *l, const struct litmus_value *value,
                                         const struct symbol *first) {
  const struct litmus_ref *ref = &value->ref;
  const struct symbol *symbol = NULL;
  if (!value->is_address || ref->owner != LITMUS_OWNER_NONE || ref->has_index || ref->offset)
    wrong_replica(l, value, "a replica is a declared location");
  else if (!(symbol = lower_symbol(l, ref->name, ref->span))) return NULL;
  else if (symbol->multimem || symbol->target != NO_NAME || symbol->space != SPACE_GLOBAL)
    wrong_replica(l, value, "a replica is a location in global memory, and no alias of one");
  else if (first && !same_shape(first, symbol))
    wrong_replica(l, value, "the replicas of a multimem address have one type and one size");
  else return symbol;
  return NULL;
}

static bool lay_out_replicas(struct lowering *l, uint32_t index) {
  const struct litmus_entry *entry = l->symbols.data[index].entry;
  const struct symbol *first = NULL;
  uint32_t count = LIST_LENGTH(entry->values);
  if (count > REPLICA_LIMIT)
    return diag_refuse(l->diags, DIAG_TOO_LARGE, entry->span, "'%s' has more than %d replicas", entry->ref.name,
                       REPLICA_LIMIT);
  uint32_t *objects = ARENA_ARRAY(l->arena, uint32_t, count), *replicas = ARENA_ARRAY(l->arena, uint32_t, count);
  count = 0;
  for (const struct litmus_value *value = entry->values; value; value = value->next, count++) {
    const struct symbol *replica = find_replica(l, value, first);
    if (!replica || !replica->views) return false;
    objects[count] = l->views.data[replica->views[0]].object;
    for (uint32_t i = 0; i < count; i++)
      if (objects[i] == objects[count]) return wrong_replica(l, value, "this replica is named twice");
    if (!first) first = replica;
    const char *name = arena_printf(l->arena, "%s@%s", entry->ref.name, replica->name);
    if (!lower_add_view(l, name, objects[count], entry->span, &replicas[count])) return false;
  }
  struct symbol *symbol = &l->symbols.data[index];
  symbol->space = SPACE_GLOBAL;
  symbol->type = l->objects.data[objects[0]].type;
  symbol->count = l->objects.data[objects[0]].count;
  symbol->replicas = replicas;
  symbol->replica_count = count;
  return true;
}

bool lower_is_multimem(const struct litmus_entry *entry) {
  const struct litmus_word *word = entry->types.first;
  return word && strcmp(word->text, "multimem") == 0;
}

bool lower_check_multimem(struct lowering *l, const struct litmus_entry *entry) {
  if (!entry->types.first->next && !entry->qualifiers.first && !entry->is_array && entry->braces && !entry->alias_of)
    return true;
  return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                     "a multimem address is declared with its replicas and nothing else" HINT
                     "such as multimem %s={x,y};",
                     entry->ref.name);
}

bool lower_replicas(struct lowering *l) {
  bool right = true;
  uint32_t count = l->symbols.len; /* implicit locations may follow */
  for (uint32_t i = 0; i < count; i++)
    if (l->symbols.data[i].multimem && !lay_out_replicas(l, i)) right = false;
  return right;
}

/* Instructions */

static bool check_sem(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, SEM);
  uint32_t sems = isa_multimem_sems(in->out->multimem->action);
  if (!word || sems >> VALUE(in, SEM) & 1) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SEMANTICS, word->span, "'multimem%s' cannot be '%s'" HINT "it takes %s",
                     HAS(in, MULTIMEM)->text, word->text, isa_sem_words(l->arena, sems));
}

/* Semantics and scope are given together or not at all; a reduction without them is relaxed at system scope. */
static bool lower_sem(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *scope = HAS(in, SCOPE);
  bool red = in->out->multimem->action == MULTIMEM_RED;
  if (!check_sem(l, in)) return false;
  in->out->sem = sem ? (enum sem)VALUE(in, SEM) : red ? SEM_RELAXED : SEM_WEAK;
  in->out->scope = scope ? (enum scope)VALUE(in, SCOPE) : red ? SCOPE_SYS : SCOPE_NONE;
  if (in->out->sem == SEM_WEAK && scope)
    return diag_refuse(l->diags, DIAG_WEAK_WITH_SCOPE, scope->span,
                       "a weak access has no scope" HINT "write '.relaxed%s' for a strong one", scope->text);
  if (sem && in->out->sem != SEM_WEAK && !scope)
    return diag_refuse(l->diags, DIAG_MISSING_SCOPE, sem->span, "'%s' needs a scope" HINT "add %s", sem->text,
                       isa_class_words(l->arena, QUALIFIER_SCOPE));
  if (!red || !scope || sem) return true;
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, scope->span,
                     "'%s' needs semantics beside it" HINT "add '.relaxed' or '.release'", scope->text);
}

static const struct symbol *no_multimem(struct lowering *l, const struct litmus_operand *operand) {
  bool named = operand->kind == LITMUS_NAME || operand->kind == LITMUS_BRACKET;
  const struct litmus_ref *ref = &operand->u.ref;
  const struct symbol *symbol = named && !ref->percent ? lower_find_symbol(l, ref->name) : NULL;
  struct diagnostic *d = NULL;
  if (!named) d = diag_report(l->diags, DIAG_WRONG_OPERAND, operand->span, "expected a multimem address such as [m]");
  else if (!symbol && lower_looks_like_reg(ref))
    d = diag_report(l->diags, DIAG_WRONG_MULTIMEM, operand->span,
                    "a multimem address in a register is not followed: name it here");
  else if (symbol || lower_symbol(l, ref->name, operand->span))
    d = diag_report(l->diags, DIAG_WRONG_MULTIMEM, operand->span, "'%s' is not a multimem address", ref->name);
  if (symbol) diag_beside(d, symbol->span, "declared here");
  if (d) diag_hint(l->diags, d, "declare one with its replicas in the init block: multimem m={x,y};");
  return NULL;
}

static const struct symbol *find_multimem(struct lowering *l, const struct litmus_operand *operand) {
  const struct litmus_ref *ref = &operand->u.ref;
  if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_BRACKET) return no_multimem(l, operand);
  const struct symbol *symbol = ref->percent || ref->owner ? NULL : lower_find_symbol(l, ref->name);
  return symbol && symbol->multimem ? symbol : no_multimem(l, operand);
}

/* Checks that the access is inside every replica, which all have the same size. */
static bool replica_addresses(struct lowering *l, const struct litmus_operand *operand, const struct symbol *symbol,
                              int64_t size, int64_t unit, uint32_t **vaddrs, uint32_t *count) {
  int64_t offset = lower_ref_offset(symbol, &operand->u.ref), whole = symbol->count * type_bytes(symbol->type);
  if (offset < 0 || offset + size > whole)
    return diag_refuse(l->diags, DIAG_OUT_OF_BOUNDS, operand->span,
                       "an access of %d bytes at offset %lld is outside '%s', which has %d", (int)size,
                       (long long)offset, symbol->name, (int)whole);
  if (offset % unit)
    return diag_refuse(l->diags, DIAG_MISALIGNED, operand->span,
                       "an access of %d bytes must be at a multiple of %d, not at offset %lld", (int)size, (int)unit,
                       (long long)offset);
  l->program->uses_multimem = true;
  *count = symbol->replica_count;
  *vaddrs = ARENA_ARRAY(l->arena, uint32_t, *count);
  for (uint32_t i = 0; i < *count; i++) (*vaddrs)[i] = l->views.data[symbol->replicas[i]].vaddr + (uint32_t)offset;
  return true;
}

bool lower_multimem_address(struct lowering *l, const struct litmus_operand *operand, int64_t size, int64_t unit,
                            uint32_t **vaddrs, uint32_t *count) {
  const struct symbol *symbol = find_multimem(l, operand);
  return symbol && replica_addresses(l, operand, symbol, size, unit, vaddrs, count);
}

/* The types of the operation: floating-point types have 32, 64 or 128 bits in all, and for them red has only .add. */
static bool operation_types(struct lowering *l, const struct lower_instr *in, const struct isa_op *op,
                            uint32_t *types) {
  const struct litmus_word *vector = HAS(in, VECTOR);
  *types = vector ? isa_vector_types(VALUE(in, VECTOR)) : isa_scalar_multimem_types();
  if (op) *types &= vector ? op->vector_types : op->types | op->vector_types;
  for (unsigned i = 0; i < PTX_TYPES && op; i++)
    if (in->out->multimem->action == MULTIMEM_RED && op->alu != ALU_ADD && type_is_float(isa_type((enum ptx_type)i)))
      *types &= ~(1u << i);
  if (*types) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, vector->span,
                     "'multimem%s%s' takes no vector" HINT "only floating-point types come in vectors",
                     HAS(in, MULTIMEM)->text, HAS(in, OP)->text);
}

/* .acc::f32 sums up half-precision numbers in f32, .acc::f16 8-bit numbers in f16. */
static bool lower_accumulation(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  const struct litmus_word *word = HAS(in, ACC);
  bool fits = VALUE(in, ACC) == PTX_F32 && isa_type_half(type);
  if (!word || in->row->later_types >> type & 1) return true;
  in->out->multimem->wide = true;
  if (fits && in->out->multimem->action == MULTIMEM_LOAD_REDUCE) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span,
                     "this 'multimem%s' does not take '%s'" HINT
                     "'.acc::f32' is for '.ld_reduce' of half-precision types",
                     HAS(in, MULTIMEM)->text, word->text);
}

static bool lower_operation(struct lowering *l, struct lower_instr *in, const struct isa_op *op) {
  bool load = in->out->multimem->action == MULTIMEM_LOAD_REDUCE, red = in->out->multimem->action == MULTIMEM_RED;
  enum ptx_type type;
  uint32_t types, later = red ? 0 : in->row->later_types;
  if (!lower_operand_count(l, in, 2, 2)) return false;
  const struct litmus_operand *address = lower_operand_at(in, load ? 1 : 0);
  bool open = l->options->lenient && address->u.ref.percent; /* in the body of a kernel, on which threads are run */
  const struct symbol *symbol = NULL;
  if (open ? !lower_address(l, in, address, &in->out->addr, NULL) : !(symbol = find_multimem(l, address))) return false;
  if (!operation_types(l, in, op, &types)) return false;
  if (!lower_type(l, in, symbol ? symbol->type : (struct type){0}, types, later, &type, &in->out->type)) return false;
  if (!lower_accumulation(l, in, type)) return false;
  if (later >> type & 1) return lower_unsupported(l, in, REASON_FLOAT_BYTES);
  lower_lanes(in, type);
  in->out->elements = HAS(in, VECTOR) ? (uint8_t)VALUE(in, VECTOR) : 1;
  if (in->out->packed) in->out->elements = (uint8_t)(2 * in->out->elements);
  int64_t size = type_bytes(in->out->type) * in->out->elements;
  if (symbol &&
      !replica_addresses(l, address, symbol, size, size, &in->out->multimem->vaddrs, &in->out->multimem->count))
    return false;
  return load ? lower_results(l, in, lower_operand_at(in, 0)) : lower_values(l, in, lower_operand_at(in, 1));
}

static bool check_space(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, SPACE);
  if (!word || VALUE(in, SPACE) == SPACE_GLOBAL) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, word->span, "a multimem address is in global memory");
}

/* multimem.st.async.release and multimem.red.async.release: act on each replica like st.async and red.async. */
static bool lower_deferred(struct lowering *l, struct lower_instr *in) {
  const struct multimem *multimem = in->out->multimem;
  if (!HAS(in, ASYNC) || in->out->kind == INSTR_UNSUPPORTED) return true;
  if (multimem->action == MULTIMEM_LOAD_REDUCE || in->out->sem != SEM_RELEASE)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, HAS(in, ASYNC)->span,
                       "only stores and reductions with '.release' take '.async'" HINT
                       "such as multimem.st.async.release.gpu.global.u32");
  in->out->async = ARENA_NEW(l->arena, struct async);
  *in->out->async = (struct async){.action = ASYNC_STORE,
                                   .replicas = multimem->vaddrs,
                                   .replica_count = multimem->count,
                                   .reduces = multimem->action == MULTIMEM_RED};
  in->out->kind = INSTR_ASYNC;
  in->out->multimem = NULL;
  return true;
}

bool lower_multimem(struct lowering *l, struct lower_instr *in) {
  const struct isa_op *op = HAS(in, OP) ? isa_op((enum ptx_op)VALUE(in, OP)) : NULL;
  in->out->kind = INSTR_MULTIMEM;
  in->out->elements = 1;
  in->out->multimem = ARENA_NEW(l->arena, struct multimem);
  in->out->multimem->action = (enum multimem_action)VALUE(in, MULTIMEM);
  if (op) in->out->alu = op->alu;
  if (VALUE(in, MULTIMEM) == MULTIMEM_OTHER) return lower_multimem_copy(l, in);
  return lower_sem(l, in) && check_space(l, in) && lower_operation(l, in, op) && lower_deferred(l, in);
}
