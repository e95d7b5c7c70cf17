/* Finds the instructions that branches and addresses depend on, over registers and locations, whatever the
 * order of instructions. */
#include "exec/skeleton.h"
#include "ptx/alu.h"

struct growing {
  const struct skeleton *s;
  struct relevant *found;
  bool events; /* also what it depends on which events there are */
  bool grew;
};

static void add(struct growing *r, struct bitset set, uint32_t member) {
  if (bitset_has(set, member)) return;
  bitset_add(set, member);
  r->grew = true;
}

/* The only location that the access touches; NULL: any. */
static const struct view *only_view(const struct growing *r, const struct instr *in) {
  if (in->addr.base.kind == OPERAND_REG) return NULL;
  return skeleton_view(r->s, in->addr.base.imm + (uint64_t)in->addr.offset);
}

static bool gives(const struct growing *r, uint32_t thread, const struct instr *in) {
  for (uint32_t i = 0; i < instr_result_count(in); i++) {
    uint32_t reg = instr_result(in, i);
    if (reg != NO_REG && bitset_has(r->found->regs[thread], reg)) return true;
  }
  return false;
}

static bool is_control(const struct instr *in) {
  return in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT || in->kind == INSTR_BARRIER;
}

static bool is_nothing(const struct instr *in) {
  return in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE || in->kind == INSTR_NOTHING;
}

/* Instructions of other kinds may touch any location. */
static bool is_relevant(struct growing *r, uint32_t thread, const struct instr *in) {
  if (in->kind == INSTR_ALU) return gives(r, thread, in);
  if (is_control(in)) return true;
  if (is_nothing(in)) return false;
  bool reads = (in->kind == INSTR_LOAD || in->kind == INSTR_ATOM) && gives(r, thread, in);
  const struct view *view = instr_is_access(in) ? only_view(r, in) : NULL;
  bool may_fail = r->events && in->kind == INSTR_ATOM && in->alu == ALU_CAS; /* then it is no write */
  if (view && !reads && !may_fail && !bitset_has(r->found->objects, view->object)) return false;
  for (uint32_t o = 0; o < r->s->program->object_count; o++)
    if (!view || o == view->object) add(r, r->found->objects, o);
  return true;
}

static void look_at(struct growing *r, uint32_t thread, uint32_t index) {
  const struct instr *in = &r->s->program->threads[thread].instrs[index];
  uint32_t sources[MAX_SOURCES];
  if (r->events && in->kind != INSTR_ALU && in->guard.present) add(r, r->found->regs[thread], in->guard.reg);
  if (!is_relevant(r, thread, in)) return;
  add(r, r->found->instrs[thread], index);
  for (uint32_t i = instr_sources(in, sources); i-- > 0;) add(r, r->found->regs[thread], sources[i]);
}

struct relevant *skeleton_relevant(const struct skeleton *s, unsigned also) {
  const struct program *p = s->program;
  struct relevant *found = ARENA_NEW(s->arena, struct relevant);
  struct growing r = {.s = s, .found = found, .events = also & MATTERS_TO_EVENTS, .grew = true};
  found->objects = bitset_new(s->arena, p->object_count);
  found->regs = ARENA_ARRAY(s->arena, struct bitset, p->thread_count);
  found->instrs = ARENA_ARRAY(s->arena, struct bitset, p->thread_count);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    found->regs[t] = bitset_new(s->arena, p->threads[t].reg_count);
    found->instrs[t] = bitset_new(s->arena, p->threads[t].instr_count);
  }
  for (uint32_t i = 0; also & MATTERS_OBSERVED && i < p->observed_count; i++) {
    const struct observable *o = &p->observables[i];
    if (o->is_reg) add(&r, found->regs[o->thread], o->reg);
    else add(&r, found->objects, o->object);
  }
  while (r.grew) {
    r.grew = false;
    for (uint32_t t = 0; t < p->thread_count; t++)
      for (uint32_t i = 0; i < p->threads[t].instr_count; i++) look_at(&r, t, i);
  }
  return found;
}

bool skeleton_may_change(const struct skeleton *s, uint32_t chunk) {
  const uint32_t phys = s->chunks[chunk].phys;
  for (uint32_t o = 0; o < s->program->object_count; o++) {
    const struct object *object = &s->program->objects[o];
    bool here = object->phys <= phys && phys < object->phys + object->size;
    if (here && bitset_has(s->relevant->objects, o)) return false;
  }
  return s->relevant != NULL;
}
