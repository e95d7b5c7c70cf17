/* ldmatrix and stmatrix as operations of a warp (docs/semantics.md K5): the first column of a warp that reaches one
 * also makes the accesses of lanes without a column. */
#include "kernel/columns.h"

bool rows_first_of_warp(const struct runner *r) {
  return !SOME(EACH_MATE (other, run_warp_mates(r)), other->column && other->tid < r->tid);
}

/* The lanes that have no column. */
static uint32_t lanes_represented(const struct runner *r, const struct warp_rows *rows) {
  uint32_t lanes = rows->lanes;
  EACH_MATE (other, run_warp_mates(r))
    if (other->column) lanes &= ~(1u << other->tid % WARP_LANES);
  return lanes;
}

static struct litmus_operand *places_of(const struct remnant *remnant) {
  struct litmus_operand *places = remnant->instr->operands;
  while (places && places->kind != LITMUS_TENSOR) places = places->next;
  return places;
}

/* Moves the touches of an instruction to the end, so that further ones are adjacent to them. */
static void move_touches(struct arena *arena, struct runner *r, struct remnant *remnant) {
  uint32_t from = remnant->touch;
  remnant->touch = r->touches.len;
  for (uint32_t i = 0; i < remnant->touches; i++) {
    struct touch touch = r->touches.data[from + i];
    VEC_PUSH(arena, &r->touches, touch);
  }
}

/* The location that has all places of the instruction. */
static void join_places(const struct runner *r, const struct remnant *remnant) {
  uint32_t at = UINT32_MAX, end = 0;
  EACH_TOUCH (touch, r, remnant) {
    if (touch->pointer) continue;
    if (touch->at < at) at = touch->at;
    if (touch->at + touch->bytes > end) end = touch->at + touch->bytes;
  }
  EACH_TOUCH (touch, r, remnant)
    if (touch->joins) touch->at = at, touch->bytes = end - at;
}

static void add_lane(struct launching *l, struct runner *r, struct remnant *remnant, uint32_t lane) {
  uint64_t own[MOST_PARTS], parts[MOST_PARTS], base, least;
  const struct warp_rows *rows = remnant->rows;
  struct litmus_operand *places = places_of(remnant), **end = &places->u.tensor.items;
  uint32_t count = tiled_parts(rows, lane, parts, &least), at;
  tiled_parts(rows, r->tid % WARP_LANES, own, &base);
  while (*end) end = &(*end)->next;
  for (uint32_t i = 0; i < count; i++) {
    struct region *region = run_find(r, parts[i], &at);
    bool below = parts[i] < base;
    if (!region || region != r->touches.data[remnant->touch].region || at + rows->access.bytes > region->size) continue;
    *end = litmus_number_of(&l->x->parse, below ? base - parts[i] : parts[i] - base, places->span);
    (*end)->u.number.negative = below;
    end = &(*end)->next;
    VEC_PUSH(l->memory.arena, &r->touches,
             ((struct touch){.region = region, .at = at, .bytes = rows->access.bytes, .writes = !rows->access.loads}));
    remnant->touches++;
  }
}

void rows_widen(struct launching *l) {
  if (l->x->parse.test->condition) return;
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) {
      if (!remnant->rows || !remnant->instr || !remnant->idle || remnant->touches != remnant->rows->access.parts + 1)
        continue;
      if (!rows_first_of_warp(r) || !places_of(remnant)) continue;
      move_touches(l->memory.arena, r, remnant);
      uint32_t lanes = lanes_represented(r, remnant->rows);
      for (uint32_t lane = 0; lane < WARP_LANES; lane++)
        if (lanes >> lane & 1) add_lane(l, r, remnant, lane);
      join_places(r, remnant);
    }
}

void rows_narrow(const struct runner *r, struct remnant *remnant, const struct bitset *kept) {
  if (!remnant->rows || remnant->touches <= remnant->rows->access.parts + 1) return;
  struct litmus_operand **item = &places_of(remnant)->u.tensor.items;
  uint32_t parts = remnant->rows->access.parts, number = 0;
  EACH_TOUCH (touch, r, remnant) {
    if (touch->pointer) continue;
    bool keeps = number++ < parts;
    for (uint32_t k = touch->at; k < touch_end(touch) && !keeps; k++)
      keeps = bitset_has(kept[touch->region->number], k);
    if (keeps) item = &(*item)->next;
    else *item = (*item)->next;
  }
}
