/* Registers of wgmma.mma_async (docs/async.md, AG3): nothing but products may access the accumulator, or a fragment of
 * A, from the issue of the product until a wait covers it; behind another access a product needs a wgmma.fence. */
#include "exec/walk.h"

void walk_fragments(struct walk *w, uint32_t thread) {
  const struct thread *own = &w->s->program->threads[thread];
  struct fragments *f = &w->fragments;
  *f = (struct fragments){.regs = bitset_new(w->s->arena, own->reg_count)};
  ARRAY_EACH (in, own->instrs, own->instr_count) {
    if (in->kind != INSTR_ASYNC || in->async->action != ASYNC_MMA) continue;
    f->any = true;
    bitset_add(f->regs, in->dst[0]);
    for (uint32_t i = 0; i < in->async->fragments; i++) bitset_add(f->regs, in->async->fragment[i]);
  }
}

/* The condition that no wait with enough commits between has waited for an operation so far. */
static term_id unwaited(struct walk *w, uint32_t issue) {
  struct terms *terms = w->terms;
  term_id waited = TERM_FALSE, count = term_const(terms, 0, 32);
  for (uint32_t e = issue + 1; e < w->s->events.len; e++) {
    const struct group *group = skeleton_group(w->s, e);
    const struct event *event = skeleton_event(w->s, e);
    if (!group || group->list != GROUP_MMA) continue;
    if (group->commits) count = term_binary(terms, TERM_ADD, count, term_resize(terms, event->exec, 32, false));
    if (!group->waits) continue;
    term_id enough = term_binary(terms, TERM_ULT, term_const(terms, event->left, 32), count);
    waited = term_or(terms, waited, term_and(terms, event->exec, enough));
  }
  return term_not(terms, waited);
}

/* Undefined if a wait has covered no product that has the register. `sums`: the accumulator; NULL: no product accesses
 * it. */
static void access_held(struct walk *w, uint32_t reg, term_id when, const bool *sums) {
  struct fragments *f = &w->fragments;
  uint32_t kept = 0;
  VEC_VALUES (held, &f->held) {
    bool asked = held.reg == reg && !(sums && *sums == held.sums);
    term_id open = asked ? unwaited(w, held.issue) : TERM_TRUE;
    if (open == TERM_FALSE) continue; /* nor will it be held later */
    f->held.data[kept++] = held;
    if (!asked) continue;
    term_id both = term_and(w->terms, when, skeleton_event(w->s, held.issue)->exec);
    walk_hazard(w, term_and(w->terms, both, open), REASON_MMA_RESULT);
  }
  f->held.len = kept;
}

void walk_access(struct walk *w, uint32_t reg, term_id when) {
  struct fragments *f = &w->fragments;
  if (!f->any || !bitset_has(f->regs, reg)) return;
  access_held(w, reg, when, NULL);
  VEC_PUSH(w->s->arena, &f->accessed, ((struct accessed_register){reg, when}));
}

static void access_by_product(struct walk *w, uint32_t reg, uint32_t issue, bool sums) {
  struct fragments *f = &w->fragments;
  VEC_EACH (accessed, &f->accessed)
    if (accessed->reg == reg)
      walk_hazard(w, term_and(w->terms, w->base.exec, accessed->unfenced), REASON_MMA_ACCESS);
  access_held(w, reg, w->base.exec, &sums);
  VEC_PUSH(w->s->arena, &f->held, ((struct held_register){reg, issue, sums}));
}

void walk_access_product(struct walk *w, uint32_t issue) {
  const struct async *a = w->instr->async;
  access_by_product(w, w->instr->dst[0], issue, true);
  for (uint32_t i = 0; i < a->fragments; i++) access_by_product(w, a->fragment[i], issue, false);
}

void walk_fence_registers(struct walk *w) {
  struct fragments *f = &w->fragments;
  term_id fence = w->base.exec, other = term_not(w->terms, fence);
  uint32_t kept = 0;
  VEC_VALUES (accessed, &f->accessed) {
    if (skeleton_forces(w->s, accessed.unfenced, fence)) continue;
    accessed.unfenced = term_and(w->terms, accessed.unfenced, other);
    f->accessed.data[kept++] = accessed;
  }
  f->accessed.len = kept;
}
