/* Finds the instructions that branches and addresses depend on, through registers and locations, in any order: a slice
 * (flow/slice.h) of registers, instructions, the data of asynchronous operations, objects, and tensor memory. */
#include "exec/skeleton.h"
#include "ptx/alu.h"

struct rules {
  const struct skeleton *skeleton;
  const struct program *program;
  struct relevant *found;
  struct flow_slice *slice; /* of `found` */
  bool events;              /* also instructions that determine which events there are */
};

/* The only location at an address; NULL: any. */
static const struct view *view_at(const struct rules *r, const struct address *address) {
  if (address->base.kind != OPERAND_IMM) return NULL;
  return skeleton_view(r->skeleton, address->base.imm + (uint64_t)address->offset);
}

/* Adds the location, or without one all of them, to a rule: one of them is enough. */
static void if_objects(const struct rules *r, const struct view *view) {
  uint32_t first = r->found->objects;
  if (view) slice_if(r->slice, first + view->object, 1);
  else slice_if(r->slice, first, r->program->object_count);
}

/* Adds an object with its instances in other CTAs: copies may go to several. */
static void then_objects(const struct rules *r, const struct view *view) {
  const struct object *objects = r->program->objects;
  for (uint32_t o = 0; o < r->program->object_count; o++)
    if (!view || object_same_location(&objects[o], &objects[view->object]))
      slice_then(r->slice, r->found->objects + o, 1);
}

static bool is_control(const struct instr *in) {
  return in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT || in->kind == INSTR_BARRIER;
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

/* mbarrier objects are not locations, and launches of grids and waits for their ends bring no values. */
static bool has_no_data(const struct instr *in) {
  const bool grids = in->kind == INSTR_GRID_LAUNCH || in->kind == INSTR_GRID_WAIT || in->kind == INSTR_HOST_LAUNCH ||
                     in->kind == INSTR_HOST_SYNC;
  return grids || in->kind == INSTR_MBARRIER || in->kind == INSTR_GROUP || in->kind == INSTR_TRAP ||
         writes(in, WRITES_NOTHING);
}

/* A value written at `to`, through the map there, or to a register, matters: then so do those at the source. */
static void add_data(const struct rules *r, uint32_t thread, uint32_t index) {
  const struct instr *in = &r->program->threads[thread].instrs[index];
  const uint32_t data = r->found->data[thread] + index;
  const struct async *a = in->async;
  slice_rule(r->slice);
  if (a->action == ASYNC_MMA) slice_if_written(r->slice, in, r->found->regs[thread]);
  else if (a->to_map) {
    for (uint32_t o = 0; o < r->program->object_count; o++)
      if (r->program->objects[o].space == SPACE_GLOBAL) slice_if(r->slice, r->found->objects + o, 1);
  } else if (a->action != ASYNC_ARRIVE) if_objects(r, view_at(r, &a->to));
  slice_then(r->slice, data, 1);
  if (a->action != ASYNC_STORE) then_objects(r, a->from_map ? NULL : view_at(r, &a->from));
  if (a->action == ASYNC_MMA) then_objects(r, view_at(r, &a->to));
}

/* If values in tensor memory matter, those of any location may. */
static void add_cells(const struct rules *r, uint32_t thread, const struct instr *in) {
  slice_rule(r->slice);
  if (in->async->action == ASYNC_TENSOR_LOAD) slice_if_written(r->slice, in, r->found->regs[thread]);
  slice_then(r->slice, r->found->cells, 1);
  slice_rule(r->slice);
  slice_if(r->slice, r->found->cells, 1);
  then_objects(r, NULL);
}

/* When an access, or another instruction that may access any location, is relevant; what else then is. */
static void add_access(const struct rules *r, uint32_t thread, const struct instr *in) {
  bool reads = in->kind == INSTR_LOAD || in->kind == INSTR_ATOM;
  bool may_fail = r->events && in->kind == INSTR_ATOM && in->alu == ALU_CAS; /* if it fails, it is not a write */
  const struct view *view = instr_is_access(in) && in->addr.base.kind != OPERAND_REG ? view_at(r, &in->addr) : NULL;
  if (!view || may_fail) slice_if_always(r->slice);
  if (view) if_objects(r, view);
  if (reads) slice_if_written(r->slice, in, r->found->regs[thread]);
  then_objects(r, view);
}

static void add_instr(const struct rules *r, uint32_t thread, uint32_t index) {
  const struct instr *in = &r->program->threads[thread].instrs[index];
  const uint32_t regs = r->found->regs[thread], item = r->found->instrs[thread] + index;
  bool known = writes(in, WRITES_AT_KNOWN), cells = writes(in, WRITES_TO_CELLS);
  if (r->events && in->kind != INSTR_ALU && in->guard.present) slice_want(r->slice, regs + in->guard.reg, 1);
  if (in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE || in->kind == INSTR_NOTHING) return;
  if (known) add_data(r, thread, index);
  if (cells) add_cells(r, thread, in);
  slice_rule(r->slice);
  if (in->kind == INSTR_ALU) slice_if_written(r->slice, in, regs);
  else if (is_control(in) || known || cells || has_no_data(in)) slice_if_always(r->slice);
  else add_access(r, thread, in);
  slice_then(r->slice, item, 1);
  slice_then_read(r->slice, in, regs);
}

/* Numbers the items. */
static void number(struct arena *arena, const struct program *p, struct relevant *found) {
  uint32_t items = 0;
  found->regs = ARENA_ARRAY(arena, uint32_t, p->thread_count);
  found->instrs = ARENA_ARRAY(arena, uint32_t, p->thread_count);
  found->data = ARENA_ARRAY(arena, uint32_t, p->thread_count);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    found->regs[t] = items;
    found->instrs[t] = found->regs[t] + p->threads[t].reg_count;
    found->data[t] = found->instrs[t] + p->threads[t].instr_count;
    items = found->data[t] + p->threads[t].instr_count;
  }
  found->objects = items;
  found->cells = items + p->object_count;
  found->slice = slice_new(arena, found->cells + 1);
}

struct relevant *skeleton_relevant(const struct skeleton *s, unsigned also) {
  const struct program *p = s->program;
  struct relevant *found = ARENA_NEW(s->arena, struct relevant);
  const struct rules r = {s, p, found, &found->slice, also & MATTERS_TO_EVENTS};
  number(s->arena, p, found);
  for (uint32_t i = 0; also & MATTERS_OBSERVED && i < p->observed_count; i++) {
    const struct observable *o = &p->observables[i];
    uint32_t item = o->is_reg ? found->regs[o->thread] + o->reg : found->objects + o->object;
    slice_want(r.slice, item, 1);
  }
  for (uint32_t t = 0; t < p->thread_count; t++)
    for (uint32_t i = 0; i < p->threads[t].instr_count; i++) add_instr(&r, t, i);
  slice_close(r.slice);
  return found;
}

bool relevant_is_idle(const struct program *p, const struct relevant *found, uint32_t thread, uint32_t index) {
  const struct instr *in = &p->threads[thread].instrs[index];
  if (writes(in, WRITES_AT_KNOWN)) return !bitset_has(found->slice.items, found->data[thread] + index);
  if (writes(in, WRITES_TO_CELLS)) return !bitset_has(found->slice.items, found->cells);
  return instr_is_access(in) && !relevant_instr(found, thread, index);
}

bool skeleton_may_change(const struct skeleton *s, uint32_t chunk) {
  const uint32_t phys = s->chunks[chunk].phys;
  for (uint32_t o = 0; s->relevant && o < s->program->object_count; o++) {
    const struct object *object = &s->program->objects[o];
    bool here = object->phys <= phys && phys < object->phys + object->size;
    if (here && bitset_has(s->relevant->slice.items, s->relevant->objects + o)) return false;
  }
  return s->relevant != NULL;
}
