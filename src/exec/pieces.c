/* Divides locations into pieces: sets of elements that their first element can represent. An element needs a piece of
 * its own if only some accesses touch it, if its initial value differs from its neighbours', or if a copy moves data
 * between it and such an element. An access whose address the text does not show may touch any single element, and then
 * every element is a piece. */
#include "exec/pieces.h"

enum { MOST_STRETCHES = 1 << 17, RESPONSE_BYTES = 16 };

/* One side of an operation on many bytes, in physical memory. */
struct op_side {
  const struct async *async;
  VEC(struct byte_run) runs;     /* `at`: the physical address */
  uint32_t number, object, size; /* number: which side of the operation it is; size: bytes of an element */
};

/* Bytes that are accessed or observed one element at a time. */
struct single {
  uint32_t begin, end;
};

struct piece_finding {
  struct arena *arena;
  const struct program *program;
  struct pieces_of_memory *out;
  VEC(struct op_side) sides;
  VEC(struct single) singles;
  VEC(uint32_t) cuts;
  bool all; /* every element is a piece */
  bool open_global, open_shared; /* every element of global (shared) memory is a piece */
};

/* ---- Accesses */

static const struct view *view_at(const struct program *program, uint64_t vaddr) {
  return ARRAY_FIND(view, program->views, program->view_count,
                    vaddr >= view->vaddr && vaddr < (uint64_t)view->vaddr + program->objects[view->object].size);
}

static bool locate(struct piece_finding *f, const struct address *address, uint64_t *vaddr, const struct view **view) {
  *vaddr = (uint64_t)address->base.imm + (uint64_t)address->offset;
  *view = address->base.kind == OPERAND_IMM ? view_at(f->program, *vaddr) : NULL;
  if (address->base.kind != OPERAND_IMM) f->all = true;
  return *view != NULL;
}

static bool is_map(const struct piece_finding *f, value_t value) {
  const struct view *view = value >> 32 ? NULL : view_at(f->program, (uint64_t)value);
  return view && f->program->objects[view->object].is_tensormap;
}

static bool thread_has_map(const struct piece_finding *f, const struct thread *thread) {
  for (uint32_t r = 0; r < thread->reg_count; r++)
    if (thread->regs[r].init && is_map(f, thread->regs[r].init)) return true;
  for (uint32_t i = 0; i < thread->instr_count; i++)
    ARRAY_EACH (operand, thread->instrs[i].src, MAX_VECTOR)
      if (operand->kind == OPERAND_IMM && is_map(f, operand->imm)) return true;
  return false;
}

/* True if a register or memory may hold the address of a tensor map: accesses through it may change where it points. */
static bool holds_map(const struct piece_finding *f) {
  const struct program *p = f->program;
  for (uint32_t t = 0; t < p->thread_count; t++)
    if (thread_has_map(f, &p->threads[t])) return true;
  for (uint32_t i = 0; i < p->object_count; i++)
    for (uint32_t k = 0; k < p->objects[i].count; k++)
      if (p->objects[i].init[k] && is_map(f, p->objects[i].init[k])) return true;
  return false;
}

/* Notes an access at an address in a register: it may touch each element of the locations of its state space. */
static void add_open(struct piece_finding *f, enum space space) {
  bool *open = space == SPACE_GLOBAL ? &f->open_global : space == SPACE_SHARED ? &f->open_shared : &f->all;
  if (*open || f->all) return;
  *open = true;
  f->all = f->all || holds_map(f);
  ARRAY_EACH (o, f->program->objects, f->program->object_count) {
    if ((o->space == SPACE_SHARED) != (space == SPACE_SHARED)) continue;
    VEC_PUSH(f->arena, &f->singles, (struct single){o->phys, o->phys + o->size});
  }
}

static void add_single(struct piece_finding *f, const struct address *address, uint32_t bytes) {
  const struct view *view;
  uint64_t vaddr;
  if (!locate(f, address, &vaddr, &view)) return;
  const struct object *object = &f->program->objects[view->object];
  uint32_t begin = object->phys + (uint32_t)(vaddr - view->vaddr), end = object->phys + object->size;
  if (object->is_tensormap) f->all = true; /* its target changes */
  VEC_PUSH(f->arena, &f->singles, (struct single){begin, begin + bytes < end ? begin + bytes : end});
}

/* The bytes of an element: of the declared type, or of the operation's own. */
static uint32_t take_unit(struct piece_finding *f, uint32_t object, const struct instr *in) {
  bool own = in->async->reduces || in->async->whole;
  uint32_t size = type_bytes(own ? in->type : f->program->objects[object].type);
  if (size > f->out->units[object]) f->out->units[object] = size;
  return size;
}

/* The bytes of the location in one of its instances. */
static void add_instance(struct piece_finding *f, const struct instr *in, uint32_t object, uint32_t offset,
                         const struct byte_runs *runs, uint32_t number) {
  const struct object *of = &f->program->objects[object];
  struct op_side side = {.async = in->async, .number = number, .object = object};
  struct byte_run whole = {0, 0, (uint32_t)in->async->bytes.imm};
  uint32_t count = runs->list ? runs->count : 1;
  for (uint32_t i = 0; i < count; i++) {
    struct byte_run run = runs->list ? runs->list[i] : whole;
    if (run.at >= of->size - offset) continue;
    if (run.bytes > of->size - offset - run.at) run.bytes = of->size - offset - run.at;
    run.at += of->phys + offset;
    VEC_PUSH(f->arena, &side.runs, run);
  }
  side.size = take_unit(f, object, in);
  VEC_PUSH(f->arena, &f->sides, side);
}

/* The same bytes in the shared memory of every CTA: a copy to several CTAs writes them all, and a product of two CTAs
 * reads them all. */
static void add_side(struct piece_finding *f, const struct instr *in, const struct address *address, bool map,
                     const struct byte_runs *runs, uint32_t number) {
  const struct view *view;
  uint64_t vaddr;
  if (!locate(f, address, &vaddr, &view)) return;
  if (map) {
    vaddr = (uint64_t)f->program->objects[view->object].init[0];
    view = view_at(f->program, vaddr);
  }
  if (!view) return;
  uint32_t offset = (uint32_t)(vaddr - view->vaddr);
  const struct object *mine = &f->program->objects[view->object];
  bool several = number && in->async->ctas.kind != OPERAND_NONE;
  if (in->async->tensor) several = in->async->tensor->paired;
  for (uint32_t i = 0; i < f->program->object_count; i++) {
    const struct object *other = &f->program->objects[i];
    bool there = several && object_same_location(other, mine);
    if (i == view->object || there) add_instance(f, in, i, offset, runs, number);
  }
}

static void add_async(struct piece_finding *f, const struct instr *in) {
  const struct async *a = in->async;
  bool known = a->bytes.kind == OPERAND_IMM;
  switch (a->action) {
    case ASYNC_BULK:
      f->all = f->all || !known;
      add_side(f, in, &a->from, a->from_map, &a->from_runs, 0);
      if (!a->replicas) add_side(f, in, &a->to, a->to_map, &a->to_runs, 1);
      f->all = f->all || a->replicas;
      if (a->map.base.kind != OPERAND_NONE) add_single(f, &a->map, MAP_BYTES);
      return;
    case ASYNC_COPY:
      f->all = f->all || !known;
      if (a->filled.kind == OPERAND_IMM && !a->filled.imm) /* it reads nothing, wherever its source is */;
      else if (a->from.base.kind == OPERAND_REG) add_open(f, SPACE_GLOBAL);
      else add_single(f, &a->from, (uint32_t)a->bytes.imm);
      add_single(f, &a->to, (uint32_t)a->bytes.imm);
      return;
    case ASYNC_STORE:
      if (!a->replicas) add_single(f, &a->to, type_bytes(in->type) * in->elements);
      f->all = f->all || a->replicas;
      return;
    case ASYNC_CANCEL:
      add_single(f, &a->to, RESPONSE_BYTES);
      f->all = f->all || a->ctas.kind != OPERAND_NONE;
      return;
    case ASYNC_MMA:
    case ASYNC_TENSOR_MMA:
    case ASYNC_TENSOR_COPY:
    case ASYNC_TENSOR_SHIFT:
    case ASYNC_TENSOR_LOAD:
    case ASYNC_TENSOR_STORE: {
      const bool cells[] = {a->tensor && a->tensor->from_cells, a->tensor && a->tensor->to_cells, false};
      const struct address *ends[] = {&a->from, &a->to, &a->other};
      const struct byte_runs *runs[] = {&a->from_runs, &a->to_runs, &a->other_runs};
      for (uint32_t i = 0; i < ARRAY_LEN(ends); i++) {
        if (ends[i]->base.kind == OPERAND_NONE || cells[i]) continue;
        if (runs[i]->list) add_side(f, in, ends[i], false, runs[i], 0);
        else add_single(f, ends[i], RESPONSE_BYTES);
      }
      return;
    }
    case ASYNC_TENSOR_ALLOC: add_single(f, &a->to, TENSOR_CELL); return;
    case ASYNC_ARRIVE:
    case ASYNC_TENSOR_FREE:
    case ASYNC_TENSOR_RELINQUISH:
    case ASYNC_TENSOR_COMMIT: return;
  }
}

static void add_access(struct piece_finding *f, const struct instr *in) {
  bool scalar = in->kind == INSTR_LOAD || in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED;
  if (scalar && in->addr.base.kind == OPERAND_REG) add_open(f, in->space);
  else if (scalar) add_single(f, &in->addr, type_bytes(in->type) * in->elements);
  else if (in->kind == INSTR_ASYNC) add_async(f, in);
  else if (in->kind == INSTR_MULTIMEM) f->all = true;
}

static void add_all(struct piece_finding *f) {
  const struct program *program = f->program;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) add_access(f, &program->threads[t].instrs[i]);
  ARRAY_EACH (o, program->observables, program->observed_count) {
    if (o->is_reg) continue;
    uint32_t size = type_bytes(program->objects[o->object].type), at = program->objects[o->object].phys;
    VEC_PUSH(f->arena, &f->singles, (struct single){at + o->element * size, at + (o->element + 1) * size});
  }
}

/* ---- The cuts in memory */

static int by_value(const void *a, const void *b) {
  uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;
  return x < y ? -1 : x > y;
}

/* The bounds of the element that an address is in. */
static void add_cut(struct piece_finding *f, uint32_t phys) {
  for (uint32_t i = 0; i < f->program->object_count; i++) {
    const struct object *object = &f->program->objects[i];
    if (phys < object->phys || phys > object->phys + object->size) continue;
    uint32_t unit = f->out->units[i], over = (phys - object->phys) % unit;
    VEC_PUSH(f->arena, &f->cuts, phys - over);
    if (over && phys - over + unit < object->phys + object->size) VEC_PUSH(f->arena, &f->cuts, phys - over + unit);
  }
}

static void cut_elements(struct piece_finding *f, uint32_t begin, uint32_t end) {
  for (uint32_t i = 0; i < f->program->object_count; i++) {
    const struct object *object = &f->program->objects[i];
    uint32_t unit = f->out->units[i];
    if (end <= object->phys || begin >= object->phys + object->size) continue;
    for (uint32_t at = object->phys + (begin - object->phys) / unit * unit; at < end + unit; at += unit)
      VEC_PUSH(f->arena, &f->cuts, at);
  }
}

/* Adds a cut at each place at which initial values change. */
static void cut_values(struct piece_finding *f, const struct op_side *side) {
  if (!side->runs.len) return;
  ARRAY_EACH (object, f->program->objects, f->program->object_count) {
    uint32_t size = type_bytes(object->type);
    if (side->runs.data[0].at < object->phys || side->runs.data[0].at >= object->phys + object->size) continue;
    for (uint32_t k = 1; k < object->count; k++)
      if (object->init[k] != object->init[k - 1]) add_cut(f, object->phys + k * size);
  }
}

static void sort_cuts(struct piece_finding *f) {
  uint32_t kept = 0;
  if (f->cuts.len) qsort(f->cuts.data, f->cuts.len, sizeof f->cuts.data[0], by_value);
  for (uint32_t i = 0; i < f->cuts.len; i++)
    if (!kept || f->cuts.data[kept - 1] != f->cuts.data[i]) f->cuts.data[kept++] = f->cuts.data[i];
  f->cuts.len = kept;
}

static uint32_t first_cut(const struct piece_finding *f, uint32_t from, uint32_t count) {
  uint32_t at;
  FIRST_NOT(at, count, f->cuts.data[at] < from);
  return at;
}

static void cut_position(struct piece_finding *f, const struct op_side *side, uint32_t position) {
  VEC_EACH (run, &side->runs)
    if (run->position < position && position < run->position + run->bytes)
      add_cut(f, run->at + position - run->position);
}

/* A copy carries cuts from one side to the other. */
static void carry_cuts(struct piece_finding *f, const struct op_side *from, const struct op_side *to, uint32_t count) {
  VEC_EACH (run, &from->runs)
    for (uint32_t k = first_cut(f, run->at, count); k < count && f->cuts.data[k] <= run->at + run->bytes; k++)
      cut_position(f, to, run->position + f->cuts.data[k] - run->at);
}

static bool are_ends(const struct op_side *a, const struct op_side *b) {
  return a->async == b->async && a->number != b->number;
}

static void cut_all(struct piece_finding *f) {
  VEC_EACH (side, &f->sides) {
    for (uint32_t k = 0; k < side->runs.len; k++) {
      add_cut(f, side->runs.data[k].at);
      add_cut(f, side->runs.data[k].at + side->runs.data[k].bytes);
    }
    cut_values(f, side);
  }
  for (uint32_t i = 0; i < f->singles.len; i++) cut_elements(f, f->singles.data[i].begin, f->singles.data[i].end);
  sort_cuts(f);
  for (uint32_t before = 0; before < f->cuts.len && f->cuts.len < MOST_STRETCHES;) {
    before = f->cuts.len;
    for (uint32_t i = 0; i < f->sides.len; i++)
      for (uint32_t k = 0; k < f->sides.len; k++)
        if (are_ends(&f->sides.data[i], &f->sides.data[k])) carry_cuts(f, &f->sides.data[i], &f->sides.data[k], before);
    sort_cuts(f);
  }
}

/* ---- which stretches are alike */

/* The number of the first stretch that ends after an address. */
static uint32_t stretch_at(const struct pieces_of_memory *pieces, uint32_t phys) {
  uint32_t at;
  FIRST_NOT(at, pieces->stretches.len, pieces->stretches.data[at].end <= phys);
  return at;
}

uint32_t pieces_first(const struct pieces_of_memory *pieces, uint32_t object, uint32_t phys) {
  uint32_t at = stretch_at(pieces, phys);
  if (at == pieces->stretches.len || pieces->stretches.data[at].begin > phys) return phys;
  const struct piece_stretch *s = &pieces->stretches.data[at];
  return s->first + (phys - s->begin) % pieces->units[object];
}

/* Enumerates the stretches that a range of physical memory overlaps. */
#define EACH_STRETCH(s, pieces, from, to)                                                                              \
  for (struct piece_stretch *s = (pieces)->stretches.data + stretch_at((pieces), (from)),                              \
                            *s##_end = (pieces)->stretches.data + (pieces)->stretches.len;                             \
       s < s##_end && s->begin < (to); s++)

static void make_stretches(struct piece_finding *f) {
  for (uint32_t i = 0; i + 1 < f->cuts.len; i++)
    VEC_PUSH(f->arena, &f->out->stretches,
             (struct piece_stretch){.begin = f->cuts.data[i], .end = f->cuts.data[i + 1]});
  for (uint32_t i = 0; i < f->sides.len; i++)
    VEC_EACH (run, &f->sides.data[i].runs)
      EACH_STRETCH(s, f->out, run->at, run->at + run->bytes) {
        bool whole = run->at <= s->begin && s->end <= run->at + run->bytes;
        s->mark += hash_mix(whole ? i + 1 : s->begin, whole ? 1 : 4);
      }
  for (uint32_t i = 0; i < f->singles.len; i++)
    EACH_STRETCH(s, f->out, f->singles.data[i].begin, f->singles.data[i].end) s->mark = hash_mix(s->begin, 2);
  for (uint32_t i = 0; i < f->program->object_count; i++) {
    const struct object *object = &f->program->objects[i];
    EACH_STRETCH(s, f->out, object->phys, object->phys + object->size) {
      uint32_t element = (s->begin - object->phys) / type_bytes(object->type);
      value_t value = element < object->count ? object->init[element] : 0;
      s->mark = hash_mix(hash_mix(hash_mix(s->mark, i), (uint64_t)value), (uint64_t)(value >> 64));
    }
  }
}

static int by_mark(const void *a, const void *b) {
  const struct piece_stretch *x = *(struct piece_stretch *const *)a, *y = *(struct piece_stretch *const *)b;
  if (x->mark != y->mark) return x->mark < y->mark ? -1 : 1;
  return x->begin < y->begin ? -1 : x->begin > y->begin;
}

/* Numbers the pieces, and returns their number. */
static uint32_t number_pieces(struct piece_finding *f, struct piece_stretch **order) {
  uint32_t count = 0;
  for (uint32_t i = 0; i < f->out->stretches.len; i++) order[i] = &f->out->stretches.data[i];
  if (f->out->stretches.len) qsort(order, f->out->stretches.len, sizeof *order, by_mark);
  for (uint32_t i = 0; i < f->out->stretches.len; i++) {
    bool fresh = i == 0 || order[i]->mark != order[i - 1]->mark;
    order[i]->first = fresh ? order[i]->begin : order[i - 1]->first;
    count += fresh;
  }
  return count;
}

/* A hash of the marks of the stretches that one side of a copy has at the positions [begin, end). */
static uint64_t marks_between(struct piece_finding *f, const struct op_side *side, uint32_t begin, uint32_t end) {
  uint64_t sum = 0;
  VEC_EACH (run, &side->runs) {
    uint32_t from = begin > run->position ? begin : run->position, to = run->position + run->bytes;
    if (to > end) to = end;
    if (from >= to) continue;
    EACH_STRETCH(s, f->out, run->at + from - run->position, run->at + to - run->position) sum += hash_mix(s->mark, 3);
  }
  return sum;
}

static void refine(struct piece_finding *f, uint64_t *marks) {
  const struct piece_stretch *all = f->out->stretches.data;
  for (uint32_t i = 0; i < f->out->stretches.len; i++) marks[i] = all[i].mark;
  for (uint32_t i = 0; i < f->sides.len; i++)
    for (uint32_t k = 0; k < f->sides.len; k++) {
      const struct op_side *mine = &f->sides.data[i], *other = &f->sides.data[k];
      if (!are_ends(mine, other)) continue;
      VEC_EACH (run, &mine->runs)
        EACH_STRETCH(s, f->out, run->at, run->at + run->bytes) {
          uint32_t at = s->begin > run->at ? run->position + s->begin - run->at : run->position;
          uint64_t there = marks_between(f, other, at, run->position + s->end - run->at);
          marks[s - all] += hash_mix(hash_mix(i + 1, k + 1), there);
        }
    }
  for (uint32_t i = 0; i < f->out->stretches.len; i++) f->out->stretches.data[i].mark = marks[i];
}

static void count_elements(struct piece_finding *f, const struct op_side *side) {
  uint32_t count = 0, i = 0;
  for (uint32_t k = 0; k < side->runs.len; k++)
    EACH_STRETCH(s, f->out, side->runs.data[k].at, side->runs.data[k].at + side->runs.data[k].bytes)
  count += s->first == s->begin ? f->out->units[side->object] / side->size : 0;
  while (i < f->out->counts.len && f->out->counts.data[i].async != side->async) i++;
  if (i == f->out->counts.len) VEC_PUSH(f->arena, &f->out->counts, (struct piece_count){.async = side->async});
  f->out->counts.data[i].elements += count;
}

uint32_t pieces_count(const struct pieces_of_memory *pieces, const struct async *async) {
  for (uint32_t i = 0; i < pieces->counts.len; i++)
    if (pieces->counts.data[i].async == async) return pieces->counts.data[i].elements;
  return UINT32_MAX;
}

const struct pieces_of_memory *pieces_find(struct arena *arena, const struct program *program,
                                           struct without without) {
  struct piece_finding f = {.arena = arena, .program = program, .out = ARENA_NEW(arena, struct pieces_of_memory)};
  f.out->units = ARENA_ARRAY(arena, uint32_t, program->object_count);
  for (uint32_t i = 0; i < program->object_count; i++) f.out->units[i] = type_bytes(program->objects[i].type);
  add_all(&f);
  if (!f.sides.len || f.all || !technique_on(without, TECHNIQUE_PIECES)) return f.out;
  cut_all(&f);
  if (f.cuts.len >= MOST_STRETCHES) return f.out; /* not all cuts are carried on: every element is a piece */
  make_stretches(&f);
  struct piece_stretch **order = ARENA_ARRAY(arena, struct piece_stretch *, f.out->stretches.len);
  uint64_t *marks = ARENA_ARRAY(arena, uint64_t, f.out->stretches.len);
  for (uint32_t count = 0, now = number_pieces(&f, order); now > count; now = number_pieces(&f, order)) {
    count = now;
    refine(&f, marks);
  }
  for (uint32_t i = 0; i < f.sides.len; i++) count_elements(&f, &f.sides.data[i]);
  return f.out;
}
