#include "ptx/lowering.h"

/* Tensor maps: `tensormap tm={x,y};` declares one that points to x and that tensormap.replace can turn to y. Its value
 * is the address; a copy through it is of the whole location (9.7.10.28.5; docs/async.md A9). One with sizes, such as
 * `tensormap tm={x, .b16, dims 256 128, box 64 64};`, takes the location for a tensor, the innermost dimension first,
 * and a copy is of the box at its coordinates (docs/semantics.md K6). */

enum { MOST_IN_BOX = 256, MOST_BOX_BYTES = 1 << 18, BOX_UNIT = 16 };

/* The bytes from one element to the next in a dimension. */
static uint64_t stride_of(const struct litmus_map *map, uint32_t element, uint32_t dimension) {
  uint64_t stride = element;
  if (dimension && map->strided) return map->strides[dimension - 1];
  for (uint32_t i = 0; i < dimension; i++) stride *= map->dims[i];
  return stride;
}

static uint32_t map_element(const struct litmus_map *map) {
  enum ptx_type type = isa_type_named(map->type.text);
  return type == PTX_TYPES ? 0 : type_bytes(isa_type(type));
}

static uint64_t box_bytes(const struct litmus_map *map) {
  uint64_t bytes = map_element(map);
  for (uint32_t i = 0; i < map->rank; i++) bytes *= map->box[i];
  return bytes;
}

/* Why a map has no such sizes; NULL: it has. `size`: bytes of the location. */
static const char *wrong_map(const struct litmus_map *map, uint64_t size) {
  uint32_t element = map_element(map);
  uint64_t last = element;
  if (!element || element > 8) return "a tensor map has elements of a type of 8 to 64 bits, such as .b16";
  if (!map->rank || map->rank != map->boxed) return "dims and box have a size for each dimension";
  if (map->strided && map->strided + 1 != map->rank) return "strides are those of all dimensions but the innermost";
  if (map->box[0] * element % BOX_UNIT) return "the inner size of a box is a multiple of 16 bytes";
  for (uint32_t i = 0; i < map->rank; i++) {
    if (!map->dims[i] || map->dims[i] > size) return "the tensor does not fit in the location";
    if (!map->box[i] || map->box[i] > MOST_IN_BOX) return "a box has 1 to 256 elements in each dimension";
    if (i && stride_of(map, element, i) % BOX_UNIT) return "strides are multiples of 16 bytes";
    if (stride_of(map, element, i) > size) return "the tensor does not fit in the location";
    last += (map->dims[i] - 1) * stride_of(map, element, i);
  }
  if (last > size) return "the tensor does not fit in the location";
  return box_bytes(map) > MOST_BOX_BYTES ? "the box does not fit in shared memory" : NULL;
}

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
    for (const struct litmus_value *value = l->symbols.data[i].entry->values; value; value = value->next) {
      const struct symbol *target = target_of(l, value, first);
      if (!target) return false;
      if (!first) first = target;
    }
    const struct litmus_entry *entry = l->symbols.data[i].entry;
    uint64_t size = first && entry->map ? (uint64_t)first->count * type_bytes(first->type) : 0;
    const char *why = size ? wrong_map(entry->map, size) : NULL;
    if (why) right = diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span, "%s", why);
  }
  return right;
}

/* ---- Boxes ---- */

struct map_box {
  const struct litmus_map *map;
  uint32_t element;
  int64_t from[MOST_DIMENSIONS]; /* coordinates */
};

static void add_run(struct lowering *l, struct byte_runs *runs, uint32_t *capacity, struct byte_run run) {
  struct byte_run *last = runs->count ? &runs->list[runs->count - 1] : NULL;
  if (last && last->at + last->bytes == run.at && last->position + last->bytes == run.position) {
    last->bytes += run.bytes;
    return;
  }
  if (runs->count == *capacity) {
    struct byte_run *more = ARENA_ARRAY(l->arena, struct byte_run, 2 * *capacity);
    memcpy(more, runs->list, runs->count * sizeof *more);
    runs->list = more;
    *capacity *= 2;
  }
  runs->list[runs->count++] = run;
}

/* The rows of a box, one after another in shared memory, without those outside the tensor. */
static struct byte_runs rows_of(struct lowering *l, const struct map_box *box) {
  const struct litmus_map *map = box->map;
  uint32_t capacity = 8, row_bytes = (uint32_t)map->box[0] * box->element, at[MOST_DIMENSIONS] = {0};
  struct byte_runs runs = {.list = ARENA_ARRAY(l->arena, struct byte_run, capacity)};
  int64_t begin = box->from[0], end = begin + (int64_t)map->box[0];
  int64_t first = begin < 0 ? 0 : begin, last = end > (int64_t)map->dims[0] ? (int64_t)map->dims[0] : end;
  for (uint32_t row = 0; row < box_bytes(map) / row_bytes; row++) {
    bool inside = first < last;
    uint64_t offset = (uint64_t)first * box->element;
    for (uint32_t i = 1; i < map->rank && inside; i++) {
      int64_t coordinate = box->from[i] + at[i];
      inside = coordinate >= 0 && coordinate < (int64_t)map->dims[i];
      offset += (uint64_t)coordinate * stride_of(map, box->element, i);
    }
    uint32_t position = row * row_bytes + (uint32_t)(first - begin) * box->element;
    if (inside)
      add_run(l, &runs, &capacity,
              (struct byte_run){(uint32_t)offset, position, (uint32_t)(last - first) * box->element});
    for (uint32_t i = 1; i < map->rank && ++at[i] == map->box[i]; i++) at[i] = 0;
  }
  return runs;
}

/* The box at the coordinates of an operand. */
static bool lower_box(struct lowering *l, const struct lower_instr *in, const struct symbol *map,
                      const struct litmus_operand *operand, struct byte_runs *runs) {
  struct map_box box = {.map = map->entry->map, .element = map_element(map->entry->map)};
  uint32_t count = 0;
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, count++) {
    if (count == box.map->rank) break;
    int64_t value = (int64_t)item->u.number.value;
    bool known = item->kind == LITMUS_NUMBER && item->u.number.value <= INT32_MAX;
    if (!known) lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
    else box.from[count] = item->u.number.negative ? -value : value;
  }
  if (count != box.map->rank)
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, operand->span, "'%s' has %u dimension%s", map->name, box.map->rank,
                       box.map->rank == 1 ? "" : "s");
  *runs = rows_of(l, &box);
  return true;
}

static const struct symbol *no_map(struct lowering *l, struct span span) {
  diag_report(l->diags, DIAG_WRONG_OPERAND, span,
              "here stands a tensor map" HINT "the init block declares one: tensormap tm={x};");
  return NULL;
}

static const struct symbol *find_map(struct lowering *l, const struct litmus_ref *ref, struct span span) {
  const struct symbol *symbol = ref->percent ? NULL : lower_find_symbol(l, ref->name);
  bool plain = ref->owner == LITMUS_OWNER_NONE && !ref->has_index && !ref->offset;
  return symbol && symbol->tensormap && symbol->views && plain ? symbol : no_map(l, span);
}

/* The address of a map in brackets; one in shared memory is that of the thread's CTA. NULL after an error. */
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

bool lower_tensor_address(struct lowering *l, const struct lower_instr *in, unsigned index, struct address *out,
                          uint32_t *bytes, struct type *element, struct byte_runs *runs) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  if (operand->kind != LITMUS_TENSOR)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                       "here stands a tensor map with coordinates" HINT "such as [tm, {0}]");
  const struct symbol *map = find_map(l, &operand->u.tensor.ref, operand->span);
  if (!map) return false;
  if (map->space != SPACE_GLOBAL) { /* one being put together; copies take it from where it is copied to */
    return diag_refuse(l->diags, DIAG_WRONG_SPACE, operand->span, "a copy takes its tensor map from global memory");
  }
  const struct symbol *target = lower_find_symbol(l, map->entry->values->ref.name);
  unsigned coordinates = 0;
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, coordinates++) {
    if (map->entry->map || (item->kind == LITMUS_NUMBER && !item->u.number.value)) continue;
    lower_unsupported(l, (struct lower_instr *)in, REASON_TENSOR_BOX);
  }
  if (HAS(in, DIMENSIONS) && coordinates != VALUE(in, DIMENSIONS))
    return diag_refuse(l->diags, DIAG_OPERAND_COUNT, operand->span, "'%s' takes %u coordinate%s, not %u",
                       HAS(in, DIMENSIONS)->text, VALUE(in, DIMENSIONS), VALUE(in, DIMENSIONS) == 1 ? "" : "s",
                       coordinates);
  const struct litmus_map *sizes = map->entry->map;
  *element = sizes ? isa_type(isa_type_named(sizes->type.text)) : target->type;
  *bytes = sizes ? (uint32_t)box_bytes(sizes) : target->count * type_bytes(target->type);
  if (sizes && !lower_box(l, in, map, operand, runs)) return false;
  out->base = lower_constant(l->views.data[map->views[0]].vaddr, operand->span);
  out->offset = 0;
  return true;
}

/* tensormap.replace.tile.global_address [tm], y: a weak store to all of the map. */
static bool lower_replace(struct lowering *l, struct lower_instr *in) {
  if (!HAS(in, FIELD) || VALUE(in, FIELD) != FIELD_ADDRESS) return lower_unsupported(l, in, REASON_TENSOR_FIELD);
  if (!HAS(in, MODE))
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

/* One of the instructions that cp_fenceproxy is made of. */
static struct instr part(const struct lower_instr *in, enum instr_kind kind) {
  struct instr instr = lower_alu(in, ALU_MOV, isa_type(PTX_B64));
  instr.kind = kind;
  instr.elements = 1;
  return instr;
}

static bool lower_part(struct lowering *l, const struct lower_instr *in, struct instr part) {
  struct lower_instr own = *in;
  own.out = &part;
  if (in->ast->guard) lower_guard(l, &own);
  lower_emit(l, in, part);
  return true;
}

/* tensormap.cp_fenceproxy: a generic copy of the map from shared memory, then a release fence to the proxy of tensor
 * maps (9.7.15.17). The warp of a test's thread executes it together. */
static bool lower_fenced_copy(struct lowering *l, struct lower_instr *in) {
  struct instr load = part(in, INSTR_LOAD), store = part(in, INSTR_STORE);
  const struct litmus_operand *size = lower_operand_at(in, 2);
  bool right = IS(in, SPACE, SPACE_GLOBAL) && HAS(in, SOURCE) && VALUE(in, SOURCE) == (SPACE_SHARED | SPACE_OWN_CTA) &&
               HAS(in, PROXY_KIND) && VALUE(in, PROXY_KIND) == (PROXY_TENSORMAP | PROXY_ONE_WAY) && HAS(in, SEM) &&
               VALUE(in, SEM) == SEM_RELEASE && HAS(in, SCOPE) && HAS(in, ACTION) && HAS(in, ALIGNED);
  if (!right)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                       "'tensormap.cp_fenceproxy' says its spaces, proxies, release and scope" HINT
                       "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned");
  if (!lower_operand_count(l, in, 3, 3) || !map_address(l, in, 0, SPACE_GLOBAL, &store.addr) ||
      !map_address(l, in, 1, SPACE_SHARED, &load.addr))
    return false;
  if (size->kind != LITMUS_NUMBER || size->u.number.value != MAP_BYTES)
    return diag_refuse(l->diags, DIAG_VALUE_RANGE, size->span, "a tensor map has %d bytes", MAP_BYTES);
  load.dst[0] = lower_hidden_reg(l, in, load.type);
  store.src[0] = lower_register(load.dst[0], in->ast->span);
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = PROXY_TENSORMAP;
  in->out->one_way = ONE_WAY_RELEASE;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  return lower_part(l, in, load) && lower_part(l, in, store);
}

bool lower_tensormap(struct lowering *l, struct lower_instr *in) {
  if (IS(in, MAP, MAP_REPLACE)) return lower_replace(l, in);
  if (HAS(in, MAP)) return lower_fenced_copy(l, in);
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span,
                     "'tensormap' names no operation" HINT
                     "such as tensormap.replace.tile.global_address or tensormap.cp_fenceproxy");
}
