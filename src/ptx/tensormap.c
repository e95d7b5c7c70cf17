#include "ptx/lowering.h"

/* Tensor maps: `tensormap tm={x,y};` declares one that points to x and that tensormap.replace can turn to y. Its value
 * is the address; a copy through it is of the whole location (9.7.10.28.5; docs/async.md A9). */

bool lower_is_tensormap(const struct litmus_entry *entry) {
  const struct litmus_word *word = entry->types.first;
  return word && strcmp(word->text, "tensormap") == 0;
}

bool lower_check_tensormap(struct lowering *l, const struct litmus_entry *entry) {
  if (!entry->types.first->next && !entry->qualifiers.first && !entry->is_array && entry->braces && !entry->alias_of)
    return true;
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                                     "a tensor map is declared with the locations it may point to, and nothing else");
  diag_hint(l->diags, d, "such as tensormap %s={x}; or tensormap %s={x,y};", entry->ref.name, entry->ref.name);
  return false;
}

/* The location that a value names, which is like the first one that the map may point to. */
static const struct symbol *target_of(struct lowering *l, const struct litmus_value *value,
                                      const struct symbol *first) {
  const struct symbol *symbol = NULL;
  const char *why = "a tensor map points to a declared location";
  if (value->is_address && value->ref.owner == LITMUS_OWNER_NONE && !value->ref.has_index && !value->ref.offset) {
    symbol = lower_symbol(l, value->ref.name, value->ref.span);
    if (!symbol) return NULL;
    bool fits = symbol->space == SPACE_GLOBAL && !symbol->multimem && !symbol->tensormap && symbol->views;
    bool alike = !first || (first->type.width == symbol->type.width && first->type.kind == symbol->type.kind &&
                            first->count == symbol->count);
    if (fits && alike) return symbol;
    why = fits ? "what a tensor map may point to has one type and one size" : "a tensor map points to global memory";
  }
  diag_report(l->diags, DIAG_WRONG_DECLARATION, value->span, "%s", why);
  return NULL;
}

bool lower_tensormaps(struct lowering *l) {
  for (uint32_t i = 0; i < l->symbols.len; i++) {
    const struct symbol *first = NULL;
    if (!l->symbols.data[i].tensormap) continue;
    for (const struct litmus_value *value = l->symbols.data[i].entry->values; value; value = value->next) {
      const struct symbol *target = target_of(l, value, first);
      if (!target) return false;
      if (!first) first = target;
    }
  }
  return true;
}

static const struct symbol *no_map(struct lowering *l, struct span span) {
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_OPERAND, span, "here stands a tensor map");
  diag_hint(l->diags, d, "the init block declares one: tensormap tm={x};");
  return NULL;
}

static const struct symbol *find_map(struct lowering *l, const struct litmus_ref *ref, struct span span) {
  const struct symbol *symbol = ref->percent ? NULL : lower_find_symbol(l, ref->name);
  bool plain = ref->owner == LITMUS_OWNER_NONE && !ref->has_index && !ref->offset;
  return symbol && symbol->tensormap && symbol->views && plain ? symbol : no_map(l, span);
}

bool lower_tensor_address(struct lowering *l, const struct lower_instr *in, unsigned index, struct address *out,
                          uint32_t *bytes) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  if (operand->kind != LITMUS_TENSOR) {
    struct diagnostic *d =
        diag_report(l->diags, DIAG_WRONG_OPERAND, operand->span, "here stands a tensor map with coordinates");
    diag_hint(l->diags, d, "such as [tm, {0}]");
    return false;
  }
  const struct symbol *map = find_map(l, &operand->u.tensor.ref, operand->span);
  if (!map) return false;
  const struct symbol *target = lower_find_symbol(l, map->entry->values->ref.name);
  unsigned coordinates = 0;
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, coordinates++) {
    if (item->kind == LITMUS_NUMBER && !item->u.number.value) continue;
    lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
  }
  if (in->q.found[QUALIFIER_DIMENSIONS] && coordinates != in->q.value[QUALIFIER_DIMENSIONS]) {
    diag_report(l->diags, DIAG_OPERAND_COUNT, operand->span, "'%s' takes %u coordinate%s, not %u",
                in->q.found[QUALIFIER_DIMENSIONS]->text, in->q.value[QUALIFIER_DIMENSIONS],
                in->q.value[QUALIFIER_DIMENSIONS] == 1 ? "" : "s", coordinates);
    return false;
  }
  *bytes = target->count * type_bytes(target->type);
  out->base = lower_constant(l->views.data[map->views[0]].vaddr, operand->span);
  out->offset = 0;
  return true;
}

/* tensormap.replace.tile.global_address [tm], y */
static bool lower_replace(struct lowering *l, struct lower_instr *in) {
  if (!in->q.found[QUALIFIER_FIELD]) {
    lower_unsupported(l, in, REASON_TENSOR_FIELD);
    return true;
  }
  if (!lower_operand_count(l, in, 2, 2)) return false;
  const struct litmus_operand *operand = lower_operand_at(in, 0), *to = lower_operand_at(in, 1);
  if (operand->kind != LITMUS_BRACKET) return no_map(l, operand->span) != NULL;
  const struct symbol *map = find_map(l, &operand->u.ref, operand->span);
  if (!map) return false;
  in->out->kind = INSTR_STORE;
  in->out->type = isa_type(PTX_B64);
  in->out->elements = 1;
  for (unsigned i = 0; i < MAX_VECTOR; i++) in->out->dst[i] = NO_REG;
  in->out->addr.base = lower_constant(l->views.data[map->views[0]].vaddr, operand->span);
  for (const struct litmus_value *value = map->entry->values; value && to->kind == LITMUS_NAME; value = value->next) {
    const struct symbol *target = lower_find_symbol(l, value->ref.name);
    if (strcmp(value->ref.name, to->u.ref.name) != 0 || to->u.ref.owner != LITMUS_OWNER_NONE) continue;
    in->out->src[0] = lower_constant(l->views.data[target->views[0]].vaddr, to->span);
    return true;
  }
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_OPERAND, to->span,
                                     "a tensor map is turned to a location that its declaration names");
  d->other = map->span;
  d->other_message = "declared here";
  return false;
}

bool lower_tensormap(struct lowering *l, struct lower_instr *in) {
  if (in->q.found[QUALIFIER_MAP] && in->q.value[QUALIFIER_MAP] == MAP_REPLACE) return lower_replace(l, in);
  lower_unsupported(l, in, REASON_TENSOR_COPY);
  return true;
}
