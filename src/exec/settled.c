/* Finds accesses that need no event, because every execution treats them alike. A read of memory that no event may
 * write has its initial value. An instruction that is never executed, whatever values the reads return, such as the
 * second copy of a loop that runs once, is left out. */
#include "exec/build.h"

static bool may_write(const struct skeleton *s, uint32_t phys, uint32_t size) {
  EACH_EVENT_OF (i, e, s) {
    if (e->kind != EVENT_WRITE) continue;
    for (uint32_t k = 0; k < e->place_count; k++)
      if (e->places[k].phys < phys + size && phys < e->places[k].phys + e->size) return true;
  }
  return false;
}

/* True if the event is a load of its thread, by any proxy, that no pattern of synchronization can contain. */
static bool is_weak_load(const struct skeleton *s, const struct event *e) {
  const struct instr *in = &s->program->threads[e->thread].instrs[e->instr];
  return e->kind == EVENT_READ && in->kind == INSTR_LOAD && e->sem == SEM_WEAK && !e->is_volatile && !e->is_mmio;
}

/* Shared memory of another CTA may not have begun, or may have ended (K9): the access keeps its event. */
static bool is_remote(const struct skeleton *s, const struct event *e, const struct object *object) {
  return object->space == SPACE_SHARED && object->owner != s->program->threads[e->thread].cta_id;
}

static bool settles(const struct skeleton *s, const struct skeleton *known, const struct event *read, value_t *value) {
  const struct term *address = term_get(&s->terms, read->address);
  if (!is_weak_load(s, read) || address->op != TERM_CONST || skeleton_misuse(s, read, address->constant)) return false;
  const struct view *view = skeleton_view(s, address->constant);
  const struct object *object = skeleton_object(s, view);
  uint32_t phys = object->phys + (uint32_t)(address->constant - view->vaddr);
  if (object->unset || is_remote(s, read, object) || may_write(known, phys, read->size)) return false;
  *value = skeleton_init_value(s, phys, read->size);
  return true;
}

bool skeleton_settles(const struct skeleton *s, const struct event *read, value_t *value) {
  return s->unsettled && settles(s, s->unsettled, read, value);
}

bool skeleton_may_settle(const struct skeleton *s) {
  value_t value;
  for (uint32_t i = 0; i < s->events.len; i++)
    if (skeleton_event(s, i)->exec == TERM_FALSE || settles(s, s, skeleton_event(s, i), &value)) return true;
  return false;
}

void skeleton_find_never(struct skeleton *s) {
  uint32_t threads = s->program->thread_count, steps = 0;
  const struct skeleton *all = s->unsettled;
  for (uint32_t i = 0; i < all->events.len; i++)
    if (skeleton_event(all, i)->step >= steps) steps = skeleton_event(all, i)->step + 1;
  s->never = ARENA_ARRAY(s->arena, struct bitset, threads);
  for (uint32_t t = 0; t < threads; t++) s->never[t] = bitset_new(s->arena, steps);
  for (uint32_t i = 0; i < all->events.len; i++)
    if (skeleton_event(all, i)->exec == TERM_FALSE)
      bitset_add(s->never[skeleton_event(all, i)->thread], skeleton_event(all, i)->step);
  for (uint32_t i = 0; i < all->events.len; i++)
    if (skeleton_event(all, i)->exec != TERM_FALSE)
      bitset_del(s->never[skeleton_event(all, i)->thread], skeleton_event(all, i)->step);
}
