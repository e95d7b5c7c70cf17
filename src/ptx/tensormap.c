#include "ptx/lowering.h"

/* Tensor maps: `tensormap tm={x,y};` declares a map that points to x and that tensormap.replace can redirect to y. Its
 * value is the address; a copy through it accesses the whole location (9.7.10.28.5; docs/async.md A9). A map with
 * sizes, such as `tensormap tm={x, .b16, dims 256 128, box 64 64};`, treats the location as a tensor, the innermost
 * dimension first, and a copy accesses the box at its coordinates (docs/semantics.md K6). */

bool lower_is_tensormap(const struct litmus_entry *entry) {
  const struct litmus_word *word = entry->types.first;
  return word && strcmp(word->text, "tensormap") == 0;
}

bool lower_check_tensormap(struct lowering *l, const struct litmus_entry *entry) {
  const struct litmus_word *space = entry->qualifiers.first;
  bool plain = !space || (!space->next && strcmp(space->text, ".shared") == 0);
  if (!entry->types.first->next && plain && !entry->is_array && entry->braces && !entry->alias_of) return true;
  return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                     "a tensor map is declared with the locations it may point to, and nothing else" HINT
                     "such as tensormap %s={x}; or tensormap %s={x,y};",
                     entry->ref.name, entry->ref.name);
}

/* The location that a value names, declared like the map's first target. `sized`: the tensor may begin inside it. */
static const struct symbol *target_of(struct lowering *l, const struct litmus_value *value, const struct symbol *first,
                                      bool sized) {
  const struct symbol *symbol = NULL;
  const char *why = "a tensor map points to a declared location";
  bool inside = sized && value->is_address && value->ref.offset >= 0;
  if (value->is_address && value->ref.owner == LITMUS_OWNER_NONE && !value->ref.has_index &&
      (inside || !value->ref.offset)) {
    symbol = lower_symbol(l, value->ref.name, value->ref.span);
    if (!symbol) return NULL;
    bool fits = symbol->space == SPACE_GLOBAL && !symbol->multimem && !symbol->tensormap && symbol->views;
    bool alike = !first || (first->type.width == symbol->type.width && first->type.kind == symbol->type.kind &&
                            first->count == symbol->count);
    if (fits && alike) return symbol;
    why = fits ? "the target of a tensor map has one type and one size" : "a tensor map points to global memory";
  }
  diag_report(l->diags, DIAG_WRONG_DECLARATION, value->span, "%s", why);
  return NULL;
}

bool lower_tensormaps(struct lowering *l) {
  bool right = true;
  for (uint32_t i = 0; i < l->symbols.len; i++) {
    const struct symbol *first = NULL;
    if (!l->symbols.data[i].tensormap) continue;
    LIST_EACH (value, l->symbols.data[i].entry->values) {
      const struct symbol *target = target_of(l, value, first, l->symbols.data[i].entry->map);
      if (!target) return false;
      if (!first) first = target;
    }
    const struct litmus_entry *entry = l->symbols.data[i].entry;
    uint64_t size = first && entry->map ? (uint64_t)first->count * type_bytes(first->type) : 0;
    uint64_t begin = size ? (uint64_t)entry->values->ref.offset : 0;
    size = begin < size ? size - begin : size ? 1 : 0;
    const char *why = size ? box_wrong_map(entry->map, size) : NULL;
    if (why) right = diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span, "%s", why);
  }
  return right;
}

/* ---- Boxes ---- */

/* Reads the numbers in an operand. Returns their count. */
static uint32_t lower_numbers(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *items,
                              int64_t *out) {
  uint32_t count = 0;
  for (const struct litmus_operand *item = items; item; item = item->next, count++) {
    if (count == MOST_DIMENSIONS) continue;
    int64_t value = (int64_t)item->u.number.value;
    bool known = item->kind == LITMUS_NUMBER && item->u.number.value <= INT32_MAX;
    if (!known) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
    else out[count] = item->u.number.negative ? -value : value;
  }
  return count;
}

/* The offsets of im2col, from the second dimension on. After an image of im2col::w there may be a halo, whose place the
 * document shows only in pictures. */
static void lower_offsets(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                          struct tensor_box *box) {
  int64_t numbers[MOST_DIMENSIONS] = {0};
  if (!operand) return;
  uint32_t count = lower_numbers(l, in, operand->u.items, numbers);
  bool line = box_mode_row(box->mode)->kind == BOX_LINES;
  if (line && numbers[0]) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_HALO);
  if (line) box->offsets[1] = numbers[1];
  for (uint32_t i = 0; i < count && i + 1 < MOST_DIMENSIONS && !line; i++) box->offsets[i + 1] = numbers[i];
}

static bool wrong_mode(struct lowering *l, const struct lower_instr *in, const struct symbol *map,
                       const struct litmus_operand *operand) {
  static const char *const kinds[] = {[BOX_TILES] = "a map with a box",
                                      [BOX_IMAGES] = "a map with pixels, and with corners of two dimensions less",
                                      [BOX_LINES] = "a map with pixels, and with corners of one dimension"};
  enum box_mode mode = box_mode_of(in->ast);
  const char *takes =
      box_names_rows(mode) ? "a map of two dimensions whose box is one row" : kinds[box_mode_row(mode)->kind];
  return diag_beside(
      diag_report(l->diags, DIAG_WRONG_OPERAND, operand->span, "'%s' takes %s", box_mode_row(mode)->word, takes),
      map->span, "declared here");
}

/* The box at the coordinates of an operand. */
static bool lower_box(struct lowering *l, const struct lower_instr *in, const struct symbol *map,
                      const struct litmus_operand *operand, const struct litmus_operand *offsets,
                      struct byte_runs *runs) {
  struct tensor_box box = {.map = map->entry->map, .mode = box_mode_of(in->ast)};
  uint32_t dimensions = box.map->of[MAP_DIMS].count;
  if (!box_fits(box.map, box.mode)) return wrong_mode(l, in, map, operand);
  if (HAS(in, DIMENSIONS) && VALUE(in, DIMENSIONS) != dimensions)
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, operand->span, "'%s' has %u dimension%s", map->name, dimensions,
                       dimensions == 1 ? "" : "s");
  lower_numbers(l, in, operand->u.tensor.items, box.from);
  lower_offsets(l, in, offsets, &box);
  if (!box_begins_inside(&box)) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_CORNER);
  else *runs = box_rows(l->arena, &box);
  return true;
}

bool lower_box_mode(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *offsets,
                    enum box_way way) {
  enum box_mode mode = box_mode_of(in->ast);
  uint32_t dimensions = VALUE(in, DIMENSIONS), wanted = box_offset_count(mode, dimensions);
  bool rows = box_names_rows(mode);
  if (!(box_mode_row(mode)->ways & way)) return lower_refuse_word(l, in, QUALIFIER_MODE);
  if (dimensions < box_mode_row(mode)->least || (rows && dimensions > 2))
    return lower_missing(l, in, rows ? "'.2d'" : "'.3d' to '.5d'", "the mode decides the number of dimensions");
  if (!wanted) return true;
  bool list = offsets && offsets->kind == LITMUS_VECTOR;
  return (list && LIST_LENGTH(offsets->u.items) == wanted) ||
         diag_refuse(l->diags, DIAG_WRONG_OPERAND, offsets ? offsets->span : in->ast->span,
                     "'%s' takes %u number%s here" HINT "for example: %s", box_mode_row(mode)->word, wanted,
                     wanted == 1 ? "" : "s",
                     wanted == 1   ? "{0}"
                     : wanted == 2 ? "{0, 0}"
                                   : "{0, 0, 0}");
}

static const struct symbol *no_map(struct lowering *l, struct span span) {
  diag_report(l->diags, DIAG_WRONG_OPERAND, span,
              "expected a tensor map" HINT "declare one in the init block: tensormap tm={x};");
  return NULL;
}

/* True if an operand names a declared map. */
static bool names_map(struct lowering *l, const struct litmus_operand *operand) {
  const struct litmus_ref *ref = &operand->u.ref;
  const struct symbol *symbol = ref->percent ? NULL : lower_find_symbol(l, ref->name);
  return symbol && symbol->tensormap;
}

/* In a kernel, a map may be in bytes of any location: in a thread that is run on constants, and in its column. */
static bool in_bytes(struct lowering *l, const struct lower_instr *in, unsigned index) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  bool place = operand && operand->kind == LITMUS_BRACKET;
  return place && (l->options->lenient || l->test->kernels) && !names_map(l, operand);
}

static const struct symbol *find_map(struct lowering *l, const struct litmus_ref *ref, struct span span) {
  const struct symbol *symbol = ref->percent ? NULL : lower_find_symbol(l, ref->name);
  bool plain = ref->owner == LITMUS_OWNER_NONE && !ref->has_index && !ref->offset;
  return symbol && symbol->tensormap && symbol->views && plain ? symbol : no_map(l, span);
}

/* The address of a map in brackets; a map in shared memory is in the thread's CTA. NULL after an error. */
static const struct symbol *map_address(struct lowering *l, const struct lower_instr *in, unsigned index,
                                        enum space space, struct address *out) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  uint32_t view;
  if (operand->kind != LITMUS_BRACKET) return no_map(l, operand->span);
  const struct symbol *map = find_map(l, &operand->u.ref, operand->span);
  if (!map || !lower_view(l, map, &operand->u.ref, in->thread, &view)) return NULL;
  if (space != SPACE_GENERIC && map->space != space) {
    diag_report(l->diags, DIAG_WRONG_SPACE, operand->span, "'%s' is not in '%s' memory", map->name, space_word(space));
    return NULL;
  }
  *out = (struct address){.base = lower_constant(l->views.data[view].vaddr, operand->span)};
  return map;
}

bool lower_tensor_address(struct lowering *l, const struct lower_instr *in, unsigned index,
                          const struct litmus_operand *offsets, struct mapped *out) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  enum box_mode mode = box_mode_of(in->ast);
  if (operand->kind != LITMUS_TENSOR)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                       "expected a tensor map with coordinates" HINT "for example: [tm, {0}]");
  const struct litmus_operand *content = operand->more;
  const struct litmus_operand place = {.kind = LITMUS_BRACKET, .span = operand->span, .u.ref = operand->u.tensor.ref};
  const struct symbol *map = find_map(l, content ? &content->u.ref : &place.u.ref, operand->span);
  if (!map || (content && !lower_address(l, in, &place, &in->out->async->map, NULL))) return false;
  if (map->space != SPACE_GLOBAL) { /* an unfinished map; copies use the finished one */
    return diag_refuse(l->diags, DIAG_WRONG_SPACE, operand->span, "a copy takes its tensor map from global memory");
  }
  if (content && l->test->condition) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_MADE);
  const struct symbol *target = lower_find_symbol(l, map->entry->values->ref.name);
  const struct litmus_map *sizes = map->entry->map;
  unsigned coordinates = 0, wanted = box_names_rows(mode) ? MOST_DIMENSIONS : VALUE(in, DIMENSIONS);
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, coordinates++)
    if (!sizes && !(item->kind == LITMUS_NUMBER && !item->u.number.value))
      lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
  if (coordinates != wanted)
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, operand->span, "'%s' takes %u coordinate%s, not %u",
                       mode == BOX_TILE ? HAS(in, DIMENSIONS)->text : box_mode_row(mode)->word, wanted,
                       wanted == 1 ? "" : "s", coordinates);
  if (!sizes && mode != BOX_TILE) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
  out->element = sizes ? isa_type(isa_type_named(sizes->type.text)) : target->type;
  out->bytes = sizes ? (uint32_t)box_bytes(sizes, mode) : target->count * type_bytes(target->type);
  if (sizes && !lower_box(l, in, map, operand, offsets, out->runs)) return false;
  out->address->base = lower_constant(l->views.data[map->views[0]].vaddr, operand->span);
  out->address->offset = 0;
  return true;
}

static struct type map_part(void) { return isa_type(PTX_B128); }

/* tensormap.replace of bytes of a location: a weak store to the whole map, which kernel/maps.c tracks. A column cannot
 * know the bytes of such a map (kernel/column_needs.c). */
static bool lower_change(struct lowering *l, struct lower_instr *in) {
  if (!lower_operand_count(l, in, 2, 3) || !lower_address(l, in, lower_operand_at(in, 0), &in->out->addr, NULL))
    return false;
  in->out->kind = INSTR_STORE;
  in->out->type = map_part();
  in->out->elements = MAX_VECTOR;
  for (unsigned i = 0; i < MAX_VECTOR; i++) in->out->src[i] = lower_constant(0, in->ast->span);
  return !l->options->lenient ||
         lower_src(l, in, lower_operand_at(in, in->count - 1), isa_type(PTX_B64), &in->out->src[0]);
}

/* tensormap.replace.tile.global_address [tm], y: a weak store to the whole map. */
static bool lower_replace(struct lowering *l, struct lower_instr *in) {
  if (HAS(in, FIELD) && in_bytes(l, in, 0)) return lower_change(l, in);
  if (!HAS(in, FIELD) || VALUE(in, FIELD) != FIELD_ADDRESS) return lower_unsupported(l, in, REASON_TENSOR_FIELD);
  if (!HAS(in, MODE) || box_mode_of(in->ast) != BOX_TILE)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                       "'tensormap.replace' needs '.tile'" HINT "write tensormap.replace.tile.global_address");
  if (HAS(in, TYPE) && VALUE(in, TYPE) != PTX_B64)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, HAS(in, TYPE)->span, "an address is of type '.b64', not '%s'",
                       HAS(in, TYPE)->text);
  if (!lower_operand_count(l, in, 2, 2)) return false;
  const struct litmus_operand *to = lower_operand_at(in, 1);
  enum space space = (enum space)(VALUE(in, SPACE) & SPACE_MASK);
  const struct symbol *map = map_address(l, in, 0, HAS(in, SPACE) ? space : SPACE_GENERIC, &in->out->addr);
  if (!map) return false;
  in->out->kind = INSTR_STORE;
  in->out->type = isa_type(PTX_B64);
  in->out->elements = 1;
  for (const struct litmus_value *value = map->entry->values; value && to->kind == LITMUS_NAME; value = value->next) {
    const struct symbol *target = lower_find_symbol(l, value->ref.name);
    if (strcmp(value->ref.name, to->u.ref.name) != 0 || to->u.ref.owner != LITMUS_OWNER_NONE) continue;
    in->out->src[0] = lower_constant(l->views.data[target->views[0]].vaddr, to->span);
    return true;
  }
  return diag_beside(diag_report(l->diags, DIAG_WRONG_OPERAND, to->span,
                                 "a tensor map is turned to a location that its declaration names"),
                     map->span, "declared here");
}

/* One of the instructions into which cp_fenceproxy is split. */
static struct instr part(const struct lower_instr *in, enum instr_kind kind) {
  struct instr instr = lower_alu(in, ALU_MOV, isa_type(PTX_B64));
  instr.kind = kind;
  instr.elements = 1;
  return instr;
}

static bool bytes_at(struct lowering *l, const struct lower_instr *in, unsigned index, struct instr *part) {
  part->type = map_part();
  part->elements = MAX_VECTOR;
  return lower_address(l, in, lower_operand_at(in, index), &part->addr, NULL);
}

/* tensormap.cp_fenceproxy: a generic copy of the map from shared memory, then a release fence to the proxy of tensor
 * maps (9.7.15.17). The whole warp of a thread executes it together. */
static bool lower_fenced_copy(struct lowering *l, struct lower_instr *in) {
  struct instr load = part(in, INSTR_LOAD), store = part(in, INSTR_STORE);
  const struct litmus_operand *size = lower_operand_at(in, 2);
  bool right = IS(in, SPACE, SPACE_GLOBAL) && HAS(in, SOURCE) && VALUE(in, SOURCE) == (SPACE_SHARED | SPACE_OWN_CTA) &&
               HAS(in, PROXY_KIND) && VALUE(in, PROXY_KIND) == (PROXY_TENSORMAP | PROXY_ONE_WAY) && HAS(in, SEM) &&
               VALUE(in, SEM) == SEM_RELEASE && HAS(in, SCOPE) && HAS(in, ACTION) && HAS(in, ALIGNED);
  if (!right)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                       "'tensormap.cp_fenceproxy' needs its spaces, proxies, release and scope" HINT
                       "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned");
  if (!lower_operand_count(l, in, 3, 3)) return false;
  bool bytes = in_bytes(l, in, 0) && in_bytes(l, in, 1);
  if (!(bytes ? bytes_at(l, in, 0, &store) && bytes_at(l, in, 1, &load)
              : map_address(l, in, 0, SPACE_GLOBAL, &store.addr) && map_address(l, in, 1, SPACE_SHARED, &load.addr)))
    return false;
  if (size->kind != LITMUS_NUMBER || size->u.number.value != MAP_BYTES)
    return diag_refuse(l->diags, DIAG_VALUE_RANGE, size->span, "a tensor map has %d bytes", MAP_BYTES);
  for (unsigned i = 0; i < load.elements; i++) {
    load.dst[i] = lower_hidden_reg(l, in, load.type);
    store.src[i] = lower_register(load.dst[i], in->ast->span);
  }
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = PROXY_TENSORMAP;
  in->out->one_way = ONE_WAY_RELEASE;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  lower_emit_guarded(l, in, load);
  lower_emit_guarded(l, in, store);
  return true;
}

bool lower_tensormap(struct lowering *l, struct lower_instr *in) {
  return VALUE(in, MAP) == MAP_REPLACE ? lower_replace(l, in) : lower_fenced_copy(l, in);
}
