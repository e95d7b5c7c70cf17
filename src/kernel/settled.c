/* Leaves out settled accesses (docs/semantics.md K16), if a question about safety needs no values. A weak access whose
 * value does not matter is settled if barriers order each access of another thread that conflicts with it before it or
 * after it in every execution, and surely something has written what it reads. It is no part of a finding, its value is
 * in no other one, and a weak access orders nothing. Nor does an access count for which one of another thread of its
 * kind stands (kind_of in groups.c). */
#include "kernel/columns.h"

/* True if some pair with the access shows a conflict. */
static bool is_shown(const struct launching *l, const struct runner *r, const struct touch *touch) {
  bool regular = l->kinds[r->number] != l->groups[r->number];
  return touch->meets && (!regular || touch->witness);
}

static bool is_product(const struct runner *r, const struct remnant *remnant) {
  return remnant->begin < remnant->end &&
         tiled_kind(&r->run->body.thread->instrs[remnant->end - 1]) == TILED_PRODUCT;
}

static bool is_settled(const struct launching *l, const struct runner *r, const struct remnant *remnant) {
  if (is_product(r, remnant)) return false; /* its registers remain (AG3) */
  EACH_TOUCH (touch, r, remnant) {
    if (is_shown(l, r, touch)) return false;
    if (touch->region->space == SPACE_SHARED && touch->region->owner != r->cta) return false; /* of a living CTA (K9) */
    for (uint32_t k = touch->at; k < touch_end(touch) && touch->writes; k++)
      if (touch->region->exact[k]) return false; /* a read that stays may be one of what nothing has written */
  }
  return remnant->touches && !remnant->strays;
}

/* The register of a product that a store has as its value; NO_REG: none. */
static uint32_t value_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = &r->run->body.thread->instrs[remnant->end - 1];
  const struct litmus_operand *value = in->kind == INSTR_STORE ? remnant->instr->operands->next : NULL;
  if (value && value->kind == LITMUS_VECTOR) value = value->u.items;
  for (; value; value = value->next)
    if (value->kind == LITMUS_NAME && value->u.ref.percent) return body_register(&r->run->body, value->u.ref.name);
  return NO_REG;
}

/* A use of a register of a product remains (AG3). */
static void drop(struct runner *r, struct remnant *remnant) {
  uint32_t reg = value_of(r, remnant);
  struct span span = remnant->instr->span;
  alike_leave_out(r, remnant);
  if (reg != NO_REG) remnant->instr = remnant_use(r, reg, span), remnant->quiet = true, remnant->idle = false;
}

/* By instruction: true if some iteration of it is not settled. Then all stay, so that a finding tells iterations and
 * stages of rings as the kernel has them. */
static bool *find_staying(const struct launching *l, struct runner *r) {
  bool *stays = ARENA_ARRAY(l->memory.arena, bool, r->run->body.thread->instr_count + 1);
  EACH_REMNANT (remnant, r)
    if (remnant->instr && !(remnant->idle && is_settled(l, r, remnant))) stays[remnant->end] = true;
  return stays;
}

/* ---- products: the matrices that they read */

/* The place of a matrix, which its operand names; NULL: none. */
static struct touch *place_of(const struct runner *r, const struct remnant *remnant, uint32_t matrix) {
  const struct litmus_operand *operand = remnant->instr->operands->next;
  if (matrix) operand = operand->next;
  EACH_TOUCH (touch, r, remnant)
    if (touch->operand == operand && operand->kind == LITMUS_TENSOR) return touch;
  return NULL;
}

static bool is_at(const struct touch *touch, const struct touch *place) {
  return place && touch->region == place->region && touch->at == place->at;
}

/* A product is one operation of its warpgroup: a matrix that one of its threads needs, all have. By instruction, twice:
 * true if a matrix stays, in all iterations. */
static bool *find_matrices(const struct launching *l, const struct kernel_run *run) {
  bool *stays = ARENA_ARRAY(l->memory.arena, bool, 2 * (run->body.thread->instr_count + 1));
  VEC_VALUES (r, &run->runners)
    EACH_REMNANT (remnant, r) {
      bool *own = &stays[2 * remnant->end];
      if (!r->column || !remnant->instr || !is_product(r, remnant)) continue;
      EACH_TOUCH (touch, r, remnant) {
        bool needed = !remnant->idle || is_shown(l, r, touch) || touch->region->owner != r->cta;
        bool first = is_at(touch, place_of(r, remnant, 0)), second = is_at(touch, place_of(r, remnant, 1));
        own[0] = own[0] || (needed && (first || !second));
        own[1] = own[1] || (needed && (second || !first));
      }
    }
  return stays;
}

/* `_` in place of a matrix. */
static void drop_matrix(struct launching *l, struct runner *r, struct remnant *remnant, uint32_t matrix) {
  struct touch *place = place_of(r, remnant, matrix);
  struct litmus_operand *operand = place ? place->operand : NULL, *next = operand ? operand->next : NULL;
  if (!place || is_at(place, place_of(r, remnant, !matrix))) return;
  EACH_TOUCH (touch, r, remnant)
    if (is_at(touch, place)) touch->operand = NULL, touch->pointer = true;
  *operand = *litmus_register_of(&l->x->parse, "_", operand->span);
  operand->next = next;
}

static void drop_matrices(struct launching *l, struct kernel_run *run) {
  const bool *stays = find_matrices(l, run);
  VEC_VALUES (r, &run->runners)
    EACH_REMNANT (remnant, r) {
      if (!r->column || !remnant->instr || !is_product(r, remnant)) continue;
      for (uint32_t matrix = 0; matrix < 2; matrix++)
        if (!stays[2 * remnant->end + matrix]) drop_matrix(l, r, remnant, matrix);
    }
}

void settled_drop(struct launching *l) {
  if (l->x->parse.test->condition || !l->conflicts) return;
  EACH_COLUMN (r, l) {
    const bool *stays = find_staying(l, r);
    EACH_REMNANT (remnant, r)
      if (remnant->instr && remnant->idle && !stays[remnant->end]) drop(r, remnant);
  }
  VEC_VALUES (run, &l->runs) drop_matrices(l, run);
}
