/* Leaves out settled accesses (docs/semantics.md K16), if a question about safety needs no values. A weak access whose
 * value does not matter is settled if barriers order each access of another thread that conflicts with it before it or
 * after it in every execution, and surely something has written what it reads. It is no part of a finding, its value is
 * in no other one, and a weak access orders nothing. Nor does an access count for which one of another thread of its
 * kind is a witness (kind_of in kinds.c). */
#include "kernel/columns.h"

static bool is_settled(const struct launching *l, const struct runner *r, const struct remnant *remnant) {
  bool regular = l->kinds[r->number] != l->groups[r->number];
  if (tiled_kind(&r->run->body.thread->instrs[remnant->end - 1]) == TILED_PRODUCT)
    return false; /* one of a warpgroup */
  EACH_TOUCH (touch, r, remnant) {
    if (touch->meets && (!regular || touch->witness)) return false;
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

void settled_drop(struct launching *l) {
  if (l->x->parse.test->condition || !l->conflicts) return;
  EACH_COLUMN (r, l) {
    const bool *stays = find_staying(l, r);
    EACH_REMNANT (remnant, r)
      if (remnant->instr && remnant->idle && !stays[remnant->end]) drop(r, remnant);
  }
}
