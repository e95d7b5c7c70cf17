/* Finds the instructions that branches and addresses depend on, through registers and locations, in any order. */
#include "exec/skeleton.h"
#include "ptx/alu.h"

struct growing {
  const struct skeleton *s;
  struct relevant *found;
  bool events; /* also instructions that determine which events there are */
  bool cells;  /* values in tensor memory are relevant */
  bool grew;
};

static void add(struct growing *r, struct bitset set, uint32_t member) {
  if (bitset_has(set, member)) return;
  bitset_add(set, member);
  r->grew = true;
}

/* The only location at an address; NULL: any. */
static const struct view *view_at(const struct growing *r, const struct address *address) {
  if (address->base.kind != OPERAND_IMM) return NULL;
  return skeleton_view(r->s, address->base.imm + (uint64_t)address->offset);
}

static const struct view *only_view(const struct growing *r, const struct instr *in) {
  return in->addr.base.kind == OPERAND_REG ? NULL : view_at(r, &in->addr);
}

/* Adds an object with its instances in other CTAs: copies may go to several. */
static void add_objects(struct growing *r, const struct view *view) {
  const struct object *objects = r->s->program->objects;
  for (uint32_t o = 0; o < r->s->program->object_count; o++)
    if (!view || object_same_location(&objects[o], &objects[view->object])) add(r, r->found->objects, o);
}

static bool may_be_relevant(const struct growing *r, const struct view *view) {
  return view ? bitset_has(r->found->objects, view->object) : !bitset_empty(r->found->objects);
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

/* The places to which an asynchronous operation writes values that others may use. */
enum written {
  WRITES_NOTHING,
  WRITES_AT_KNOWN, /* at `to`, to global memory through a tensor map there, or to a register */
  WRITES_TO_CELLS, /* in tensor memory, from which only loads bring values back; also such a load */
  WRITES_ANYWHERE,
};

static enum written written_by(const struct instr *in) {
  const struct async *a = in->async;
  if (a->replicas) return WRITES_ANYWHERE;
  switch (a->action) {
    case ASYNC_COPY:
    case ASYNC_BULK:
    case ASYNC_STORE:
    case ASYNC_ARRIVE:
    case ASYNC_MMA: return WRITES_AT_KNOWN;
    case ASYNC_CANCEL: return WRITES_ANYWHERE;
    case ASYNC_TENSOR_MMA:
    case ASYNC_TENSOR_COPY:
    case ASYNC_TENSOR_STORE: return a->tensor->to_cells ? WRITES_TO_CELLS : WRITES_ANYWHERE;
    case ASYNC_TENSOR_SHIFT:
    case ASYNC_TENSOR_LOAD: return a->tensor->from_cells ? WRITES_TO_CELLS : WRITES_ANYWHERE;
    case ASYNC_TENSOR_COMMIT:
    case ASYNC_TENSOR_ALLOC: /* an address that only the allocations decide */
    case ASYNC_TENSOR_FREE:
    case ASYNC_TENSOR_RELINQUISH: return WRITES_NOTHING;
  }
  BUG("asynchronous operation %d", (int)a->action);
}

static bool writes(const struct instr *in, enum written where) {
  return in->kind == INSTR_ASYNC && written_by(in) == where;
}

static bool has_known_data(const struct instr *in) { return writes(in, WRITES_AT_KNOWN); }

/* mbarrier objects are not locations. */
static bool has_no_data(const struct instr *in) {
  return in->kind == INSTR_MBARRIER || in->kind == INSTR_GROUP || in->kind == INSTR_TRAP || writes(in, WRITES_NOTHING);
}

static bool is_global_relevant(const struct growing *r) {
  for (uint32_t o = 0; o < r->s->program->object_count; o++)
    if (r->s->program->objects[o].space == SPACE_GLOBAL && bitset_has(r->found->objects, o)) return true;
  return false;
}

/* A value written at `to`, through the map there, or to a register, matters. */
static bool has_relevant_data(const struct growing *r, uint32_t thread, const struct instr *in) {
  if (in->async->action == ASYNC_ARRIVE) return false;
  if (in->async->action == ASYNC_MMA) return gives(r, thread, in);
  if (in->async->to_map) return is_global_relevant(r);
  return may_be_relevant(r, view_at(r, &in->async->to));
}

static void add_source_data(struct growing *r, uint32_t thread, const struct instr *in) {
  if (!has_relevant_data(r, thread, in) || in->async->action == ASYNC_STORE) return;
  add_objects(r, in->async->from_map ? NULL : view_at(r, &in->async->from));
  if (in->async->action == ASYNC_MMA) add_objects(r, view_at(r, &in->async->to));
}

/* If values in tensor memory matter, those of any location may. */
static void add_cells(struct growing *r, uint32_t thread, const struct instr *in) {
  bool brings = in->async->action == ASYNC_TENSOR_LOAD && gives(r, thread, in);
  r->grew |= brings && !r->cells;
  r->cells |= brings;
  if (r->cells) add_objects(r, NULL);
}

/* Instructions of other kinds may access any location. */
static bool is_relevant(struct growing *r, uint32_t thread, const struct instr *in) {
  if (in->kind == INSTR_ALU) return gives(r, thread, in);
  if (is_control(in)) return true;
  if (is_nothing(in)) return false;
  if (has_known_data(in)) add_source_data(r, thread, in);
  if (writes(in, WRITES_TO_CELLS)) add_cells(r, thread, in);
  if (has_known_data(in) || has_no_data(in) || writes(in, WRITES_TO_CELLS)) return true;
  bool reads = (in->kind == INSTR_LOAD || in->kind == INSTR_ATOM) && gives(r, thread, in);
  const struct view *view = instr_is_access(in) ? only_view(r, in) : NULL;
  bool may_fail = r->events && in->kind == INSTR_ATOM && in->alu == ALU_CAS; /* if it fails, it is not a write */
  if (view && !reads && !may_fail && !bitset_has(r->found->objects, view->object)) return false;
  add_objects(r, view);
  return true;
}

/* True if no relevant instruction depends on the memory that the instruction accesses. */
static bool is_idle(const struct growing *r, uint32_t thread, uint32_t index) {
  const struct instr *in = &r->s->program->threads[thread].instrs[index];
  if (has_known_data(in)) return !has_relevant_data(r, thread, in);
  if (writes(in, WRITES_TO_CELLS)) return !r->cells;
  return instr_is_access(in) && !bitset_has(r->found->instrs[thread], index);
}

static void find_idle(struct growing *r) {
  const struct program *p = r->s->program;
  for (uint32_t t = 0; t < p->thread_count; t++)
    for (uint32_t i = 0; i < p->threads[t].instr_count; i++)
      if (is_idle(r, t, i)) bitset_add(r->found->idle[t], i);
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
  found->idle = ARENA_ARRAY(s->arena, struct bitset, p->thread_count);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    found->regs[t] = bitset_new(s->arena, p->threads[t].reg_count);
    found->instrs[t] = bitset_new(s->arena, p->threads[t].instr_count);
    found->idle[t] = bitset_new(s->arena, p->threads[t].instr_count);
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
  find_idle(&r);
  return found;
}

bool skeleton_may_change(const struct skeleton *s, uint32_t chunk) {
  const uint32_t phys = s->chunks[chunk].phys;
  for (uint32_t o = 0; s->relevant && o < s->program->object_count; o++) {
    const struct object *object = &s->program->objects[o];
    bool here = object->phys <= phys && phys < object->phys + object->size;
    if (here && bitset_has(s->relevant->objects, o)) return false;
  }
  return s->relevant != NULL;
}
