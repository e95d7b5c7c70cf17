/* Drops weak accesses that are like another one (docs/semantics.md K2, K4), if a question about safety needs no values.
 * Weak accesses of one kind that are adjacent in a thread differ only in their bytes. If no other access separates two
 * such bytes, both are safe or neither is, since weak accesses to one do not constrain the other: one byte represents
 * all, and an access to represented bytes only is dropped. */
#include "kernel/columns.h"

enum { WIDEST = 16 }; /* bytes of an access to memory that are one element */

struct side_by_side {
  struct launching *launch;
  uint64_t **colours;  /* by region and byte: of the accesses to it */
  struct bitset *kept; /* by region: the bytes that represent others */
};

static struct arena *arena_of(const struct side_by_side *s) { return s->launch->memory.arena; }

/* ---- the colour of an access: equal for adjacent accesses of one kind */

static uint64_t kind_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = &r->run->body.thread->instrs[remnant->end - 1];
  uint64_t kind = hash_mix(in->kind, in->tiled);
  struct row_access rows;
  if (rows_read(in->ast, &rows)) return hash_mix(hash_mix(kind, rows.loads), rows.transposed);
  const struct litmus_operand *operand = in->kind == INSTR_ASYNC ? remnant->instr->operands->next->next : NULL;
  for (; operand; operand = operand->next)
    if (operand->kind == LITMUS_NUMBER) kind = hash_mix(kind, (uint64_t)operand->u.number.value);
  return kind;
}

/* The hash of the registers of a product, or that a store uses, for which no other registers can be substituted. */
static uint64_t registers_of(const struct remnant *remnant, const struct instr *in) {
  uint64_t out = 0;
  const struct litmus_operand *operand = remnant->instr->operands;
  if (in->tiled != TILED_PRODUCT && operand) operand = operand->next;
  for (uint32_t i = 0; operand && i < 2; i++, operand = operand->next) {
    const struct litmus_operand *item = operand->kind == LITMUS_VECTOR ? operand->u.items : operand;
    for (; item && item->kind == LITMUS_NAME; item = operand->kind == LITMUS_VECTOR ? item->next : NULL)
      if (item->u.ref.percent) out = hash_mix(out, (uint64_t)(uintptr_t)item->u.ref.name);
  }
  return out;
}

static uint64_t colour_of(const struct touch *touch, uint64_t number) {
  uint32_t size = touch->bytes && touch->bytes < WIDEST ? touch->bytes : (uint32_t)WIDEST; /* of more: by whatever */
  return hash_mix(hash_mix(hash_mix(number, size), touch->writes), touch->at % size);
}

static void colour(struct side_by_side *s, const struct runner *r, const struct remnant *remnant, uint64_t number) {
  number = hash_mix(number, registers_of(remnant, &r->run->body.thread->instrs[remnant->end - 1]));
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch); k++)
      if (touch_has(touch, k))
        s->colours[touch->region->number][k] += hash_mix(colour_of(touch, number), remnant->idle);
}

/* A run of accesses of one kind in a block has one number; every other instruction with an effect has its own. */
static void colour_block(struct side_by_side *s, const struct runner *r, const struct block *block, uint64_t *number) {
  uint64_t kind = 0;
  VEC_EACH (remnant, &block->code) {
    if (!remnant->instr || remnant->quiet) continue;
    uint64_t own = remnant->idle ? kind_of(r, remnant) : 0;
    if (!remnant->idle || own != kind) ++*number;
    kind = own;
    colour(s, r, remnant, *number);
  }
  ++*number;
}

/* ---- the bytes that represent others */

struct coloured {
  uint64_t colour;
  uint32_t region;
  bool represented;
};

static void choose_bytes(struct side_by_side *s) {
  const struct memory *m = &s->launch->memory;
  struct hash_index index = {0};
  VEC(struct coloured) list = {0};
  for (uint32_t i = 0; i < m->regions.len; i++) {
    const struct region *region = m->regions.data[i];
    for (uint32_t k = 0; k < region->size; k++) {
      struct coloured own = {s->colours[i][k], i, memory_byte(region, k)->represented};
      uint64_t hash = hash_mix(hash_mix(own.colour, i), own.represented);
      bool represented = !own.colour;
      HASH_EACH (n, &index, hash) {
        const struct coloured *other = &list.data[n];
        if (other->colour == own.colour && other->region == i && other->represented == own.represented)
          represented = true;
        if (represented) break;
      }
      if (represented && !region->whole && !memory_byte(region, k)->exact) continue;
      bitset_add(s->kept[i], k);
      if (represented) continue; /* equal entries would be found one behind the other */
      HASH_PUSH(arena_of(s), &index, hash, &list, own);
    }
  }
}

static bool is_kept(const struct side_by_side *s, const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch); k++)
      if (touch_has(touch, k) && bitset_has(s->kept[touch->region->number], k)) return true;
  return remnant->touches == 0;
}

void alike_leave_out(const struct runner *r, struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < reach_end(touch) && touch->writes; k++)
      if (touch->open || touch_has(touch, k)) memory_own(touch->region, k)->represented = true;
  remnant->instr = NULL;
}

void alike_drop(struct launching *l) {
  struct memory *m = &l->memory;
  struct side_by_side s = {.launch = l};
  if (l->x->parse.test->condition) return;
  s.colours = ARENA_ARRAY(m->arena, uint64_t *, m->regions.len);
  s.kept = ARENA_ARRAY(m->arena, struct bitset, m->regions.len);
  for (uint32_t i = 0; i < m->regions.len; i++) {
    s.colours[i] = ARENA_ARRAY(m->arena, uint64_t, m->regions.data[i]->size);
    s.kept[i] = bitset_new(m->arena, m->regions.data[i]->size);
  }
  uint64_t number = 0;
  EACH_COLUMN (r, l)
    for (uint32_t b = 0; b < r->blocks.len; b++) colour_block(&s, r, &r->blocks.data[b], &number);
  choose_bytes(&s);
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r)
      if (remnant->instr && remnant->idle) {
        if (!is_kept(&s, r, remnant)) alike_leave_out(r, remnant);
        else rows_narrow(r, remnant, s.kept);
      }
}
