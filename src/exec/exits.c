/* The ends of CTAs: other CTAs of the cluster may access the shared memory of a CTA only until it ends (K9). */
#include "exec/walk.h"

static bool is_of(const struct program *p, value_t address, uint32_t cta) {
  for (uint32_t i = 0; i < p->view_count; i++) {
    const struct object *o = &p->objects[p->views[i].object];
    bool in = address >= p->views[i].vaddr && address < (value_t)p->views[i].vaddr + o->size;
    if (in && o->space == SPACE_SHARED) return o->owner == cta;
  }
  return false;
}

static bool names(const struct program *p, const struct operand *operand, uint32_t cta) {
  return operand->kind == OPERAND_IMM && is_of(p, operand->imm, cta);
}

/* True if an instruction names an address in the CTA's memory or several CTAs of a cluster, or computes addresses in
 * other CTAs. */
static bool reaches(const struct program *p, const struct instr *in, uint32_t cta) {
  const struct async *a = in->async;
  if (in->kind == INSTR_ALU && in->alu == ALU_MAPA) return true;
  if (a && (a->ctas.kind != OPERAND_NONE || a->paired || (a->tensor && a->tensor->paired))) return true;
  if (a && (names(p, &a->to.base, cta) || names(p, &a->from.base, cta) || names(p, &a->object.base, cta))) return true;
  if (in->mbarrier && names(p, &in->mbarrier->object.base, cta)) return true;
  return names(p, &in->addr.base, cta) || SOME_BELOW(i, MAX_VECTOR, names(p, &in->src[i], cta));
}

static bool thread_reaches(const struct program *p, const struct thread *thread, uint32_t cta) {
  return SOME_BELOW(i, thread->reg_count, thread->regs[i].has_init && is_of(p, thread->regs[i].init, cta)) ||
         SOME_BELOW(i, thread->instr_count, reaches(p, &thread->instrs[i], cta));
}

static bool memory_points_to(const struct program *p, uint32_t cta) {
  for (uint32_t i = 0; i < p->object_count; i++)
    for (uint32_t k = 0; k < p->objects[i].count && p->objects[i].init; k++)
      if (is_of(p, p->objects[i].init[k], cta)) return true;
  return false;
}

/* True if the text does not rule out that a thread of another CTA accesses shared memory of the thread's CTA. */
static bool is_lent(const struct program *p, const struct thread *own) {
  bool some = false;
  ARRAY_EACH (other, p->threads, p->thread_count) {
    if (other->cta_id == own->cta_id || other->cluster_id != own->cluster_id) continue;
    if (thread_reaches(p, other, own->cta_id)) return true;
    some = true;
  }
  return some && memory_points_to(p, own->cta_id);
}

bool program_lends(const struct program *program) {
  return SOME_BELOW(t, program->thread_count, is_lent(program, &program->threads[t]));
}

void walk_exit(struct walk *w, uint32_t index, uint32_t step) {
  const struct thread *thread = &w->s->program->threads[index];
  if (!thread->instr_count || !is_lent(w->s->program, thread)) return;
  struct event event = {.kind = EVENT_EXIT, .thread = index, .home = index, .instr = thread->instr_count - 1};
  event.step = step;
  event.exec = event.reach = w->s->options.precise ? w->path->guard : TERM_TRUE;
  VEC_PUSH(w->s->arena, &w->s->events, event);
}

/* A CTA ends when all of its threads have ended. */
void walk_exits(struct walk *w) {
  struct skeleton *s = w->s;
  const struct thread *threads = s->program->threads;
  for (uint32_t c = 0; c < s->program->thread_count && s->options.precise; c++) {
    term_id all = TERM_TRUE;
    for (uint32_t e = 0; e < s->events.len; e++)
      if (s->events.data[e].kind == EVENT_EXIT && threads[s->events.data[e].thread].cta_id == threads[c].cta_id)
        all = term_and(w->terms, all, s->events.data[e].reach);
    for (uint32_t e = 0; e < s->events.len; e++)
      if (s->events.data[e].kind == EVENT_EXIT && s->events.data[e].thread == c) s->events.data[e].exec = all;
  }
  for (uint32_t e = 0; e < s->events.len; e++)
    if (s->events.data[e].kind == EVENT_EXIT) s->events.data[e].reach = s->events.data[e].exec;
}

/* ---- Relations ---- */

/* The CTA in whose shared memory an initial write or a step of an mbarrier object is; NO_THREAD: in none. */
static uint32_t owner_of(const struct skeleton *s, uint32_t number) {
  const struct event *e = skeleton_event(s, number);
  if (e->use) return s->program->objects[s->mbarriers.data[e->use->object].object].owner;
  if (e->thread != NO_THREAD) return NO_THREAD;
  ARRAY_EACH (o, s->program->objects, s->program->object_count)
    if (e->places[0].phys >= o->phys && e->places[0].phys < o->phys + o->size)
      return o->space == SPACE_SHARED && !o->is_cells ? o->owner : NO_THREAD;
  return NO_THREAD;
}

/* keeps: from an initial write of shared memory to the events in program order of threads of its CTA; lends: to the
 * accesses of other CTAs. A step of an mbarrier object counts as its initial write. */
void bound_LENDS(struct skeleton *s) {
  for (uint32_t a = 0; a < s->n; a++) {
    uint32_t owner = owner_of(s, a);
    for (uint32_t b = 0; b < s->first_init && owner != NO_THREAD; b++) {
      const struct event *e = skeleton_event(s, b);
      bool own = s->program->threads[e->thread].cta_id == owner, object = skeleton_event(s, a)->use != NULL;
      if (own && !e->spawned) bitmat_add(s->must[CAT_REL_KEEPS], a, b);
      if (!own && (object ? a == b : event_is_memory(e))) bitmat_add(s->must[CAT_REL_LENDS], a, b);
    }
  }
}
