/* Leaves out settled accesses (docs/semantics.md K16), if a question about safety needs no values. A weak access whose
 * value does not matter is settled if barriers order each access of another thread that conflicts with it before it or
 * after it in every execution, and surely something has written what it reads. It is no part of a finding, its value is
 * in no other one, and a weak access orders nothing. A relaxed one is settled also with those that it is morally strong
 * with, if it orders nothing either (relaxed.c). Nor does an access count for which one of another thread of its kind
 * stands (kinds.c). */
#include "kernel/columns.h"

/* True if some pair with the access shows a conflict. */
static bool is_shown(const struct launching *l, const struct runner *r, const struct touch *touch) {
  return touch->meets && (!l->regular[r->number] || touch->witness);
}

static bool is_product(const struct runner *r, const struct remnant *remnant) {
  return remnant->begin < remnant->end && r->run->body.thread->instrs[remnant->end - 1].tiled == TILED_PRODUCT;
}

static bool is_settled(const struct launching *l, const struct runner *r, const struct remnant *remnant) {
  if (is_product(r, remnant)) return false; /* its registers remain (AG3) */
  EACH_TOUCH (touch, r, remnant) {
    if (is_shown(l, r, touch)) return false;
    if (touch->region->space == SPACE_SHARED && touch->region->owner != r->cta) return false; /* of a living CTA (K9) */
    for (uint32_t k = touch->at; k < reach_end(touch) && touch->writes; k++)
      if (memory_byte(touch->region, k)->exact)
        return false; /* a read that stays may be one of what nothing has written */
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

/* True of an access that orders nothing and whose values do not matter. */
static bool is_idle(const struct runner *r, const struct remnant *remnant) {
  return remnant->idle || (remnant->blind && relaxed_have(r->run, remnant->end));
}

/* By instruction: true if some iteration of it is not settled. Then all stay, so that a finding tells iterations and
 * stages of rings as the kernel has them. */
static bool *find_staying(const struct launching *l, struct runner *r) {
  bool *stays = ARENA_ARRAY(l->memory.arena, bool, r->run->body.thread->instr_count + 1);
  EACH_REMNANT (remnant, r)
    if (remnant->instr && !(is_idle(r, remnant) && is_settled(l, r, remnant))) stays[remnant->end] = true;
  return stays;
}

/* Groups of cp.async and waits for them mean nothing once the thread has no cp.async. Those of the first such thread
 * stay: a model that has no copies cannot judge the kernel. */
static void drop_groups(struct runner *r, const struct runner **first) {
  EACH_REMNANT (remnant, r) {
    const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
    if (in && in->kind == INSTR_ASYNC) return;
  }
  EACH_REMNANT (remnant, r) {
    const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
    if (!in || in->kind != INSTR_GROUP || in->group->list != GROUP_COPY) continue;
    if (!*first) *first = r;
    if (r != *first) remnant->instr = NULL;
  }
}

/* ---- products: the matrices that they read */

static bool is_matrix(const struct litmus_operand *operand) { return operand && operand->kind == LITMUS_TENSOR; }

/* The operand of the n-th matrix in memory, as a place in the list; another one: there are fewer. */
static struct litmus_operand **matrix_at(struct litmus_instr *instr, uint32_t n) {
  struct litmus_operand **end = &instr->operands->next;
  for (uint32_t i = 0; i < 2 && *end && !(is_matrix(*end) && n-- == 0); i++) end = &(*end)->next;
  return end;
}

/* A product is one operation of its warpgroup: a matrix that one of its threads needs, all in the CTA have. By
 * instruction, twice: true if a matrix stays, in all iterations. A product has a touch for each matrix in memory, in
 * order. */
static bool *find_matrices(const struct launching *l, uint32_t cta) {
  const struct body *body = &l->ctas.data[cta].run->body;
  bool *stays = ARENA_ARRAY(l->memory.arena, bool, 2 * (body->thread->instr_count + 1));
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) {
      if (r->cta != cta || !remnant->instr || !is_product(r, remnant)) continue;
      bool *own = &stays[2 * remnant->end], matched = remnant->idle && remnant->touches <= 2;
      for (uint32_t n = 0; n <= remnant->touches && n <= 2 && matched; n++)
        matched = is_matrix(*matrix_at(remnant->instr, n)) == (n < remnant->touches);
      for (uint32_t n = 0; n < 2; n++) {
        const struct touch *touch = n < remnant->touches ? &r->touches.data[remnant->touch + n] : NULL;
        bool shown = touch && (!touch->only || touch->region->owner != r->cta || is_shown(l, r, touch));
        own[n] = own[n] || !matched || shown;
      }
    }
  return stays;
}

/* `_` in place of matrices. A product without any stays: it accesses registers. */
static void drop_matrix(struct launching *l, struct runner *r, struct remnant *remnant, const bool stays[2]) {
  for (uint32_t n = remnant->touches; n-- > 0;) {
    if (stays[n]) continue;
    struct litmus_operand **end = matrix_at(remnant->instr, n), *next = (*end)->next;
    *end = litmus_register_of(&l->x->parse, "_", (*end)->span);
    (*end)->u.ref.percent = false;
    (*end)->next = next;
    r->touches.data[remnant->touch + n].pointer = true;
  }
  if (!stays[0] && !stays[1]) remnant->touches = 0;
}

static void drop_matrices(struct launching *l) {
  const bool **stays = ARENA_ARRAY(l->memory.arena, const bool *, l->ctas.len);
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) {
      if (!remnant->instr || !is_product(r, remnant)) continue;
      if (!stays[r->cta]) stays[r->cta] = find_matrices(l, r->cta);
      drop_matrix(l, r, remnant, &stays[r->cta][2 * remnant->end]);
    }
}

/* ---- accesses that stay, because their values or their order matter */

/* Marks those for whose races others stand; not weak ones without values, of which alike.c drops some for others. */
static void mark(const struct launching *l, struct runner *r, struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  bool shown = false;
  if (!in || !instr_is_access(in) || remnant->idle || !remnant->touches || remnant->strays) return;
  EACH_TOUCH (touch, r, remnant) shown = shown || touch->open || is_shown(l, r, touch);
  remnant->instr->stood_for = !shown;
}

static bool is_on(const struct launching *l) {
  return !l->x->parse.test->condition && l->conflicts && does(l->x, TECHNIQUE_SETTLED);
}

bool settled_has(const struct launching *l, const struct runner *r, const struct remnant *remnant) {
  return is_on(l) && is_settled(l, r, remnant);
}

void settled_drop(struct launching *l) {
  if (!is_on(l)) return;
  const struct runner *first = NULL;
  EACH_COLUMN (r, l) {
    const bool *stays = find_staying(l, r);
    EACH_REMNANT (remnant, r)
      if (remnant->instr && is_idle(r, remnant) && !stays[remnant->end]) drop(r, remnant);
    drop_groups(r, &first);
  }
  drop_matrices(l);
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r)
      if (remnant->instr) mark(l, r, remnant);
}
