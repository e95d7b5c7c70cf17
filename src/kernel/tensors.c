/* Matrix instructions and copies through tensor maps (docs/semantics.md K6), whose maps and coordinates are in
 * registers: finds the bytes that they access, and replaces maps and coordinates by a name and numbers. kernel/body.c,
 * which knows neither, does not model these instructions. */

#include "kernel/columns.h"
#include "ptx/boxes.h"
#include "ptx/isa.h"

bool tiled_multiplies(const struct instr *in) { return in->tiled == TILED_PRODUCT && !matrix_is_tensor(in->ast); }

static bool register_value(const struct runner *r, const struct litmus_ref *ref, uint64_t *value) {
  uint32_t reg = ref->percent ? body_register(&r->run->body, ref->name) : (uint32_t)NO_REG;
  if (reg == NO_REG || !term_is_const(r->walk->terms, r->path.regs[reg].value)) return false;
  *value = (uint64_t)term_get(r->walk->terms, r->path.regs[reg].value)->constant;
  return true;
}

static bool address_in(const struct runner *r, const struct litmus_operand *operand, uint64_t *address) {
  const struct litmus_ref *ref = operand->kind == LITMUS_TENSOR ? &operand->u.tensor.ref : &operand->u.ref;
  bool place = operand->kind == LITMUS_TENSOR || operand->kind == LITMUS_BRACKET;
  if (!place || !register_value(r, ref, address)) return false;
  *address += (uint64_t)ref->offset;
  return true;
}

static const struct litmus_entry *map_named(const struct expansion *x, const char *name) {
  return LIST_FIND(entry, x->parse.test->entries, entry->map && entry->ref.name == name);
}

static const struct litmus_entry *map_at(struct runner *r, const struct litmus_operand *operand, uint64_t *address) {
  uint32_t at;
  *address = 0;
  if (!address_in(r, operand, address)) return NULL;
  const struct region *region = run_find(r, *address, &at);
  const struct litmus_entry *map = region ? maps_content(r, *address) : NULL;
  if (!map && region && region->map && at == 0 && !memory_byte(region, 0)->writer)
    map = map_named(r->run->x, region->name);
  bool declared = region && (region->space == SPACE_PARAM || (region->map && map && map->ref.name == region->name));
  if (declared) *address = 0;
  return map;
}

static uint32_t copy_bytes(const struct litmus_map *map, const struct litmus_instr *ast) {
  uint64_t bytes = box_wrong_map(map, UINT32_MAX) ? 0 : box_bytes(map, box_mode_of(ast));
  return (uint32_t)bytes;
}

static bool operand_value(const struct runner *r, const struct litmus_operand *operand, uint64_t *value) {
  bool number = operand && operand->kind == LITMUS_NUMBER && !operand->u.number.negative;
  if (number) *value = (uint64_t)operand->u.number.value;
  return number || (operand && operand->kind == LITMUS_NAME && register_value(r, &operand->u.ref, value));
}

/* The box of a copy of tiles. False: its coordinates are unknown, or it is another copy. */
static bool box_of(const struct runner *r, const struct litmus_map *map, const struct litmus_instr *ast,
                   const struct litmus_operand *operand, struct tensor_box *out) {
  uint32_t rank = 0;
  *out = (struct tensor_box){.map = map, .mode = BOX_TILE};
  LIST_EACH (item, operand->u.tensor.items) {
    uint64_t value;
    if (rank == MOST_DIMENSIONS || !operand_value(r, item, &value)) return false;
    out->from[rank++] = (int32_t)(uint32_t)value;
  }
  return box_mode_of(ast) == BOX_TILE && !box_wrong_map(map, UINT32_MAX) && rank == map->of[MAP_DIMS].count;
}

/* The rows of a box in the location of a map. False: it is unknown, or its rows are no elements of 16 bytes. */
static bool rows_of(struct runner *r, const struct litmus_entry *map, const struct litmus_instr *ast,
                    const struct litmus_operand *operand, struct byte_runs *out) {
  const struct litmus_value *to = map->values;
  struct tensor_box box;
  if (!to || to->next || !to->is_address || to->ref.offset || !box_of(r, map->map, ast, operand, &box)) return false;
  const struct region *region = memory_named(r->run->memory, to->ref.name);
  *out = box_rows(r->run->memory->work, &box);
  for (uint32_t i = 0; i < out->count; i++) {
    const struct byte_run *row = &out->list[i];
    bool inside = region && row->at + (uint64_t)row->bytes <= region->size;
    if (!inside || (region->base + row->at) % 16 || row->bytes % 16) return false;
  }
  return true;
}

/* Notes the writes to the rows of a box. False: they are unknown. */
static bool touch_box(struct runner *r, const struct litmus_entry *map, const struct litmus_instr *ast,
                      const struct litmus_operand *operand) {
  struct byte_runs rows;
  if (!rows_of(r, map, ast, operand, &rows)) return false;
  const struct region *region = memory_named(r->run->memory, map->values->ref.name);
  for (uint32_t i = 0; i < rows.count; i++) run_touch(r, region->base + rows.list[i].at, rows.list[i].bytes, true);
  return true;
}

/* Notes that the location of a map is read or written at some address; of a box that is written, at which. */
static void touch_target(struct runner *r, const struct litmus_entry *map, const struct litmus_instr *ast,
                         const struct litmus_operand *operand, bool writes) {
  if (writes && touch_box(r, map, ast, operand)) return;
  LIST_EACH (v, map->values) {
    const struct region *region = v->is_address ? memory_named(r->run->memory, v->ref.name) : NULL;
    uint32_t before = r->touches.len;
    if (region) run_touch(r, region->base, region->size, writes);
    if (r->touches.len > before) r->touches.data[before].somewhere = true;
  }
}

static const struct litmus_operand *last_bracket(const struct litmus_instr *ast) {
  const struct litmus_operand *last = NULL;
  LIST_EACH (o, ast->operands)
    if (o->kind == LITMUS_BRACKET) last = o;
  return last;
}

/* The CTAs of a multicast: the first number after the mbarrier object, or all if it is unknown. */
static uint32_t mask_after(const struct runner *r, const struct litmus_operand *object) {
  const struct litmus_operand *o = object->next;
  while (o && o->kind != LITMUS_NAME && o->kind != LITMUS_NUMBER) o = o->next;
  if (o && o->kind == LITMUS_NUMBER) return (uint32_t)o->u.number.value;
  uint64_t mask;
  return o && register_value(r, &o->u.ref, &mask) ? (uint32_t)mask : UINT32_MAX;
}

static void touch_copy(struct runner *r, const struct litmus_instr *ast) {
  bool seen = false;
  uint64_t made = 0;
  const struct litmus_entry *map = NULL;
  LIST_EACH (o, ast->operands)
    if (o->kind == LITMUS_TENSOR) map = map_at(r, o, &made);
  r->map = map ? ARENA_MAKE(r->run->memory->kept, struct map_used, .map = map, .address = made) : NULL;
  if (!map) return; /* the check of the column reports it */
  for (uint32_t i = 0; i < MAP_BYTES && made; i += 16) run_touch(r, made + i, 16, false);
  LIST_EACH (o, ast->operands) {
    uint64_t address;
    bool loads = litmus_has_word(&ast->qualifiers, ".mbarrier::complete_tx::bytes");
    if (o->kind == LITMUS_TENSOR) touch_target(r, map, ast, o, !loads);
    if (o->kind != LITMUS_BRACKET || !address_in(r, o, &address)) continue;
    uint32_t bytes = copy_bytes(map->map, ast);
    if (seen) run_touch_object(r, address);
    else run_touch(r, address, bytes, loads);
    if (litmus_has_word(&ast->qualifiers, ".multicast::cluster"))
      run_touch_ctas(r, address, seen ? 0 : bytes, mask_after(r, last_bracket(ast)));
    seen = true;
  }
}

bool tiled_copied(struct runner *r, const struct instr *in, struct tiled_copy *out) {
  const struct litmus_operand *tensor = in->ast->operands;
  uint64_t made;
  while (tensor && tensor->kind != LITMUS_TENSOR) tensor = tensor->next;
  const struct litmus_entry *map = tensor ? map_at(r, tensor, &made) : NULL;
  bool one = map && !made && map->values && !map->values->next && map->values->is_address;
  *out = (struct tiled_copy){.loads = litmus_has_word(&in->ast->qualifiers, ".mbarrier::complete_tx::bytes")};
  out->region = one ? memory_named(r->run->memory, map->values->ref.name) : NULL;
  if (!out->region) return false;
  if (litmus_has_word(&in->ast->qualifiers, ".reduce")) out->reduced = (uint32_t)box_stride(map->map, 0);
  LIST_EACH (o, in->ast->operands)
    if (o->kind == LITMUS_BRACKET && out->places < MOST_PLACES && !address_in(r, o, &out->place[out->places++]))
      return false;
  if (litmus_has_word(&in->ast->qualifiers, ".multicast::cluster"))
    out->place[out->places++] = mask_after(r, last_bracket(in->ast));
  return out->loads || rows_of(r, map, in->ast, tensor, &out->rows);
}

bool *tensors_written(const struct launching *l) {
  bool *written = ARENA_ARRAY(l->memory.arena, bool, l->memory.regions.len);
  EACH_RUNNER (r, l)
    VEC_EACH (touch, &r->touches) written[touch->region->number] |= touch->writes && !touch->pointer;
  return written;
}

/* A box outside of the tensor in every dimension with an unknown coordinate. */
static void move_outside(const struct litmus_map *map, enum box_mode mode, struct litmus_operand *item) {
  for (uint32_t i = 0; item; item = item->next, i++) {
    if (item->kind != LITMUS_NAME) continue;
    int64_t size = map->of[MAP_DIMS].list[box_names_rows(mode) && i ? 1 : i];
    item->kind = LITMUS_NUMBER;
    item->u.number = (struct litmus_number){.value = (value_t)size, .span = item->span};
  }
}

void tensor_settle(const struct launching *l, struct litmus_instr *instr, const bool *written) {
  LIST_EACH (o, instr->operands) {
    const struct litmus_entry *map =
        o->kind == LITMUS_TENSOR ? map_named(l->x, o->more ? o->more->u.ref.name : o->u.tensor.ref.name) : NULL;
    const struct litmus_value *target = map && !box_wrong_map(map->map, UINT32_MAX) ? map->values : NULL;
    const struct region *region = target && target->is_address ? memory_named(&l->memory, target->ref.name) : NULL;
    enum box_mode mode = box_mode_of(instr);
    bool tiles = mode == BOX_TILE || box_names_rows(mode);
    if (region && !written[region->number] && tiles) move_outside(map->map, mode, o->u.tensor.items);
  }
}

/* ---- products */

static const struct litmus_operand *operand_at(const struct litmus_instr *ast, uint32_t index) {
  const struct litmus_operand *operand = ast->operands;
  while (operand && index--) operand = operand->next;
  return operand;
}

/* The layout of a matrix as the instruction's qualifiers and operands give it, besides the descriptor. */
static bool warpgroup_shape(const struct runner *r, const struct litmus_instr *ast, uint32_t index,
                            struct matrix *out) {
  uint64_t transposed = 0;
  uint32_t which;
  *out = matrix_of_warpgroup(ast, index, operand_at(ast, 1)->kind == LITMUS_NAME, &which);
  if (which != UINT32_MAX && !operand_value(r, operand_at(ast, which), &transposed)) return false;
  out->transposed = transposed;
  return true;
}

static bool tensor_shape(const struct runner *r, const struct litmus_instr *ast, uint32_t index, struct matrix *out) {
  uint32_t which = product_descriptor(ast);
  uint64_t descriptor = 0;
  if (which != UINT32_MAX && !operand_value(r, operand_at(ast, which), &descriptor)) return false;
  *out = matrix_of_tensor(ast, index, (uint32_t)descriptor);
  return which != UINT32_MAX || index == 1; /* a copy has one */
}

static bool is_alike(const struct matrix *a, const struct matrix *b) {
  return a->phase == b->phase && a->leading == b->leading && a->stride == b->stride && a->swizzle == b->swizzle &&
         a->atom == b->atom && a->rows == b->rows && a->depth == b->depth && a->element == b->element &&
         a->transposed == b->transposed;
}

/* The bytes of a matrix; all threads that multiply matrices of this layout share them. NULL: they are unknown. */
static const struct matrix_bytes *bytes_of(struct runner *r, const struct matrix *matrix) {
  struct arena *arena = r->run->memory->arena;
  struct byte_runs runs;
  VEC_VALUES (known, &r->run->matrices)
    if (is_alike(&known->matrix, matrix)) return known;
  if (!matrix_runs(arena, matrix, &runs)) return NULL;
  struct matrix_bytes *out = ARENA_NEW(arena, struct matrix_bytes);
  out->matrix = *matrix;
  for (uint32_t k = 0; k < runs.count; k++)
    if (runs.list[k].at + runs.list[k].bytes > out->end) out->end = runs.list[k].at + runs.list[k].bytes;
  out->has = bitset_new(arena, out->end);
  for (uint32_t k = 0; k < runs.count; k++)
    for (uint32_t n = 0; n < runs.list[k].bytes; n++) bitset_add(out->has, runs.list[k].at + n);
  VEC_PUSH(arena, &r->run->matrices, out);
  return out;
}

/* The matrix that the descriptor in an operand describes, and its bytes. */
static const struct matrix_bytes *matrix_of(struct runner *r, const struct litmus_instr *ast, uint32_t index,
                                            struct matrix *out) {
  const struct litmus_operand *operand = operand_at(ast, index);
  uint64_t descriptor;
  bool tensor = matrix_is_tensor(ast);
  if (!operand || operand->kind != LITMUS_NAME || !register_value(r, &operand->u.ref, &descriptor) ||
      !(tensor ? tensor_shape(r, ast, index, out) : warpgroup_shape(r, ast, index, out)) ||
      (tensor && !matrix_decode_tensor(descriptor, out)))
    return NULL;
  if (!tensor) matrix_decode(descriptor, out);
  out->start += SHARED_BASE;
  return bytes_of(r, out);
}

static void touch_product(struct runner *r, const struct litmus_instr *ast) {
  for (uint32_t i = 1; i <= 2; i++) {
    struct matrix matrix;
    const struct matrix_bytes *bytes = matrix_of(r, ast, i, &matrix);
    if (!bytes) continue;
    uint32_t before = r->touches.len;
    run_touch(r, matrix.start, bytes->end, false);
    if (r->touches.len > before) r->touches.data[before].only = bytes;
  }
}

/* ---- rows of matrices */

bool tiled_row(const struct runner *r, const struct instr *in, uint64_t *address) {
  struct row_access access;
  const struct litmus_operand *operand = rows_read(in->ast, &access) ? operand_at(in->ast, access.loads) : NULL;
  return operand && address_in(r, operand, address) && *address % 16 == 0;
}

uint32_t tiled_parts(const struct warp_rows *rows, uint32_t lane, uint64_t out[MOST_PARTS], uint64_t *least) {
  *least = UINT64_MAX;
  for (uint32_t part = 0; part < rows->access.parts; part++) {
    uint32_t at, from = rows_lane(&rows->access, lane, part, &at);
    if (!(rows->known >> from & 1)) return 0;
    out[part] = rows->addresses[from] + at;
    if (out[part] < *least) *least = out[part];
  }
  return rows->access.parts;
}

static uint32_t own_parts(const struct runner *r, uint64_t out[MOST_PARTS], uint64_t *least) {
  return r->rows ? tiled_parts(r->rows, r->tid % WARP_LANES, out, least) : 0;
}

/* Notes the accesses to the parts, and that all are in one location. */
static void touch_rows(struct runner *r) {
  uint64_t parts[MOST_PARTS], least;
  uint32_t most = 0, count = own_parts(r, parts, &least);
  if (!count) return;
  for (uint32_t i = 0; i < count; i++) {
    uint32_t end = (uint32_t)(parts[i] - least) + r->rows->access.bytes;
    run_touch(r, parts[i], r->rows->access.bytes, !r->rows->access.loads);
    if (end > most) most = end;
  }
  run_touch_whole(r, least, most);
}

static void put_items(struct runner *r, struct litmus_operand *operand, const uint64_t *items, uint32_t count) {
  struct litmus_operand **end = &operand->u.tensor.items;
  operand->kind = LITMUS_TENSOR;
  for (uint32_t i = 0; i < count; i++, end = &(*end)->next)
    *end = litmus_number_of(&r->run->x->parse, items[i], operand->span);
}

static bool describe_rows(struct runner *r, const struct instr *in, uint32_t index, struct litmus_operand *operand,
                          uint64_t *address) {
  struct row_access access;
  uint64_t items[MOST_PARTS];
  uint32_t count = own_parts(r, items, address);
  if (!rows_read(in->ast, &access) || index != access.loads || !count) return false;
  for (uint32_t i = 0; i < count; i++) items[i] -= *address;
  put_items(r, operand, items, count);
  return true;
}

bool tiled_describe(struct runner *r, const struct instr *in, uint32_t index, struct litmus_operand *operand,
                    uint64_t *address) {
  struct matrix m;
  if (in->tiled == TILED_ROWS) return describe_rows(r, in, index, operand, address);
  if (in->tiled != TILED_PRODUCT || index < 1 || index > 2 || !matrix_of(r, in->ast, index, &m)) return false;
  const uint64_t items[] = {m.leading, m.stride, m.swizzle, m.phase, m.atom};
  put_items(r, operand, items, m.atom == MATRIX_ATOM ? 4 : 5);
  *address = m.start;
  return true;
}

bool tiled_map(const struct runner *r, const struct instr *in, uint64_t *address) {
  for (const struct litmus_operand *o = in->ast->operands; o && in->tiled == TILED_COPY; o = o->next)
    if (o->kind == LITMUS_TENSOR) return address_in(r, o, address);
  return false;
}

bool tiled_waits(struct runner *r, const struct instr *in) {
  uint64_t address;
  return tiled_map(r, in, &address) && maps_blank(r, address);
}

void tiled_touch(struct runner *r, const struct instr *in) {
  switch (in->tiled) {
    case TILED_NONE: return;
    case TILED_COPY: touch_copy(r, in->ast); return;
    case TILED_PRODUCT: touch_product(r, in->ast); return;
    case TILED_ROWS: touch_rows(r); return;
  }
}

/* ---- accumulators */

/* A product that writes some registers of an accumulator writes all of them: the first register represents all. */
bool tiled_join(const struct body *body, const struct litmus_operand *vector, uint32_t *holder) {
  uint32_t first = NO_REG;
  bool changed = false;
  LIST_EACH (item, vector->u.items) {
    uint32_t reg = body_register(body, item->u.ref.name), of = reg == NO_REG ? reg : holder[reg];
    if (reg != NO_REG && of == NO_REG) of = reg;
    if (of < first) first = of;
  }
  LIST_EACH (item, vector->u.items) {
    uint32_t reg = body_register(body, item->u.ref.name);
    if (reg == NO_REG || holder[reg] == first) continue;
    holder[reg] = first;
    changed = true;
  }
  return changed;
}

/* The result of arithmetic on an accumulator counts as the same accumulator. */
static bool join_result(const struct instr *in, uint32_t *holder) {
  bool changed = false;
  if (!instr_only_computes(in)) return false;
  EACH_READ (from, in)
    EACH_WRITTEN (to, in) {
      if (holder[to] != NO_REG || holder[from] == NO_REG) continue;
      holder[to] = holder[from];
      changed = true;
    }
  return changed;
}

/* The registers that tcgen05.ld loads to. */
static void add_loaded(const struct body *body, uint32_t *holder) {
  ARRAY_EACH (in, body->thread->instrs, body->thread->instr_count)
    if (instr_loads_tensor(in))
      EACH_WRITTEN (reg, in) holder[reg] = reg;
}

uint32_t *tiled_accumulators(struct arena *arena, const struct body *body) {
  uint32_t *holder = ARENA_ARRAY(arena, uint32_t, body->thread->reg_count + 1);
  for (uint32_t i = 0; i <= body->thread->reg_count; i++) holder[i] = NO_REG;
  for (bool changed = true; changed;) {
    changed = false;
    ARRAY_EACH (in, body->thread->instrs, body->thread->instr_count) {
      bool product = in->tiled == TILED_PRODUCT && in->ast->operands->kind == LITMUS_VECTOR;
      changed = (product ? tiled_join(body, in->ast->operands, holder) : join_result(in, holder)) || changed;
    }
  }
  add_loaded(body, holder);
  return holder;
}
