/* tcgen05 (9.7.18; docs/async.md AG4): accesses to lanes and columns of tensor memory, and to locations that tests
 * declare there. */
#include "exec/async/tensor.h"

/* ---- Addresses ---- */

static struct left_address *slot_at(const struct found *found, value_t vaddr) {
  return VEC_FIND(e, &found->slots, e->vaddr == vaddr);
}

/* The address that the previous walk found at this place, else the one that this walk found. */
static const struct left_address *find_slot(const struct walk *w, uint32_t event) {
  const struct term *address = term_get(w->terms, skeleton_event(w->s, event)->address);
  if (address->op != TERM_CONST) return NULL;
  const struct left_address *slot = slot_at(&w->s->premises.tensor->now, address->constant);
  return slot ? slot : slot_at(&w->s->premises.tensor->next, address->constant);
}

void tensor_slot(struct walk *w, uint32_t vaddr, uint32_t address) {
  struct tensor_plan *plan = w->s->premises.tensor;
  struct left_address *slot = slot_at(&plan->next, vaddr);
  if (slot && !w->facts) slot->many |= slot->address != address;
  if (!slot && !w->facts) VEC_PUSH(plan->arena, &plan->next.slots, (struct left_address){vaddr, address, false});
}

/* Checks an address that lies `behind` columns after the start of an allocation. Which columns that allocation has
 * depends on the order of the warps. */
static bool expect_given(struct walk *w, term_id where, uint32_t behind) {
  allocator_expect(w, where);
  if (behind < TENSOR_COLUMNS) return true;
  return behind < TENSOR_WIDTH ? walk_hazard(w, w->base.exec, REASON_TENSOR_RANGE)
                               : walk_refuse(w, REASON_TENSOR_OUTSIDE, w->instr->span);
}

/* The value of an address if each read from which it is computed returns an address that an allocation wrote. If a read
 * returns another value, the result is open (REASON_OPEN). */
bool tensor_address(struct walk *w, const struct address *address, uint32_t *out) {
  term_id where = term_resize(w->terms, walk_address(w, address, 0), 32, false), known = where;
  uint32_t given = 0;
  bool *made_of = ARENA_ARRAY(w->s->arena, bool, where + 1);
  made_of[where] = true;
  term_close(w->terms, made_of, where + 1);
  for (term_id id = 0; id <= where; id++) {
    const struct term t = *term_get(w->terms, id);
    const struct left_address *slot = made_of[id] && t.op == TERM_READ ? find_slot(w, t.event) : NULL;
    if (slot && !slot->many) known = term_substitute(w->terms, known, id, term_const(w->terms, slot->address, t.width));
    if (slot && slot->address >= TENSOR_COLUMNS) given = slot->address;
  }
  const struct term *value = term_get(w->terms, known);
  *out = (uint32_t)value->constant;
  if (value->op != TERM_CONST) {
    if (!w->facts) w->s->premises.tensor->open = true, w->s->premises.tensor->open_at = w->instr->span;
    return false;
  }
  if (given) return expect_given(w, where, (*out & 0xffff) - given);
  term_id other = term_not(w->terms, term_eq(w->terms, where, known));
  walk_hazard(w, term_and(w->terms, w->base.exec, other), REASON_TENSOR_OTHER);
  return true;
}

/* ---- Operands ---- */

/* The operand of an operation in each of its CTAs: a location, or cells. */
struct tensor_matrix {
  bool cells;
  struct range range;
  struct rectangle list[RECTANGLES];
  uint32_t count, lane, column; /* cells: lane and column are those of the address */
};

static bool find_matrix(struct walk *w, const struct address *address, bool cells, const struct byte_runs *runs,
                        struct tensor_matrix *out) {
  uint32_t where;
  *out = (struct tensor_matrix){.cells = cells};
  if (cells) {
    if (!tensor_address(w, address, &where)) return false;
    out->lane = where >> 16;
    out->column = where & 0xffff;
    return true;
  }
  return operation_matrix(w, address, runs, &out->range);
}

/* A CTA of the operation: 0, the thread's own; 1, with .cta_group::2, its peer, or NO_THREAD if it has none. */
static uint32_t cta_of(const struct walk *w, uint32_t which) {
  const struct thread *thread = walk_own(w);
  return which ? skeleton_cta_ranked(w->s->program, w->base.thread, thread->cta ^ 1) : thread->cta_id;
}

uint32_t tensor_peer(const struct walk *w) { return cta_of(w, 1); }

static uint32_t cta_count(const struct walk *w) { return w->instr->async->tensor->paired ? 2 : 1; }

/* Notes cells that the operation accesses in the same way. A run is a sequence of loads without another operation in
 * between; every other operation is a run of its own. A thread that is walked alone (w->facts) notes nothing. */
static void note_use(struct walk *w, struct rectangle cells) {
  struct tensor_plan *plan = w->s->premises.tensor;
  bool loads = w->instr->async->action == ASYNC_TENSOR_LOAD;
  struct use use = {.cells = cells, .run = loads ? plan->run : plan->run++, .exec = w->base.exec};
  for (uint32_t i = 0; i < cta_count(w) && !w->facts; i++) {
    use.cta = cta_of(w, i);
    VEC_PUSH(plan->arena, &plan->next.uses, use);
  }
  if (!loads) plan->loads = plan->next.uses.len;
}

void tensor_columns(struct walk *w, uint32_t begin, uint32_t count) {
  note_use(w, (struct rectangle){0, TENSOR_LANES, begin, count});
}

static bool add_cells(struct walk *w, struct tensor_matrix *m, struct rectangle r) {
  bool given = r.column >= TENSOR_COLUMNS;
  if (r.lane + r.lanes > TENSOR_LANES || (!given && r.column + r.columns > TENSOR_COLUMNS))
    return walk_hazard(w, w->base.exec, REASON_TENSOR_RANGE);
  if (given && !allocator_owns(w, cta_of(w, 0), &r)) return walk_refuse(w, REASON_TENSOR_OUTSIDE, w->instr->span);
  note_use(w, r);
  m->list[m->count++] = r;
  return true;
}

/* Adds lanes and columns, relative to the address. */
static bool add_rectangle(struct walk *w, struct tensor_matrix *m, uint32_t lane, uint32_t lanes, uint32_t columns) {
  return add_cells(w, m, (struct rectangle){m->lane + lane, lanes, m->column, columns});
}

/* Adds the cells of a matrix of `rows` rows (9.7.18.10.5): 64 rows in one CTA take sixteen lanes of each warp; .ws, and
 * 128 rows in two CTAs, take all lanes, and fewer columns. */
static bool add_rows(struct walk *w, struct tensor_matrix *m, uint32_t rows, uint32_t columns) {
  const struct tensor *t = w->instr->async->tensor;
  if (t->paired) rows /= 2;
  if (!m->cells) return true;
  if (rows < TENSOR_LANES && (t->paired || t->weights))
    return add_rectangle(w, m, 0, TENSOR_LANES, columns * rows / TENSOR_LANES);
  if (rows >= TENSOR_LANES) return add_rectangle(w, m, 0, TENSOR_LANES, columns);
  return EVERY_BELOW(i, RECTANGLES, add_rectangle(w, m, i * 2 * TENSOR_HALF, TENSOR_HALF, columns));
}

/* ---- Accesses ---- */

static const struct view *cells_of(const struct walk *w, uint32_t cta) {
  for (uint32_t i = 0; i < w->s->program->view_count; i++) {
    const struct object *object = skeleton_object(w->s, &w->s->program->views[i]);
    if (object->is_cells && object->owner == cta) return &w->s->program->views[i];
  }
  BUG("CTA %u has no tensor memory", cta);
}

static void add_piece(struct walk *w, enum event_kind kind, const struct range *range, struct tile piece,
                      struct tiles *out) {
  piece.event = operation_access(w, kind, range, 0, range->bytes);
  struct event *e = &w->s->events.data[piece.event];
  e->spawn.is_source = kind == EVENT_READ;
  e->spawn.in_cells = skeleton_object(w->s, range->view)->is_cells;
  if (skeleton_object(w->s, range->view)->space == SPACE_SHARED) e->proxy = PROXY_ASYNC;
  piece.value = e->value;
  VEC_PUSH(w->s->arena, out, piece);
}

/* Adds the reads of shared memory: of the first element, or of all rows of the layout. */
static void read_rows(struct walk *w, const struct range *range, uint32_t cta, struct tiles *out) {
  uint32_t first = w->s->events.len;
  operation_read(w, range);
  for (uint32_t e = first; e < w->s->events.len; e++) {
    w->s->events.data[e].proxy = PROXY_ASYNC;
    VEC_PUSH(w->s->arena, out, (struct tile){cta, 0, 0, e, w->s->events.data[e].value});
  }
}

static const struct rectangle *rectangle_of(const struct tensor_matrix *m, uint32_t lane, uint32_t column) {
  return ARRAY_FIND(r, m->list, m->count, lane - r->lane < r->lanes && column - r->column < r->columns);
}

static void access_piece(struct walk *w, enum event_kind kind, const struct tensor_matrix *m, struct tile piece,
                         struct tiles *out) {
  const struct tensor_plan *plan = w->s->premises.tensor;
  const struct view *view = cells_of(w, piece.cta);
  uint32_t lane = plan->lane_cuts[piece.number / plan->column_count];
  uint32_t column = plan->column_cuts[piece.number % plan->column_count];
  uint32_t vaddr = view->vaddr + (lane * TENSOR_WIDTH + column) * TENSOR_CELL;
  const term_id base = term_const(w->terms, vaddr, 64);
  struct range range = {.view = view, .vaddr = vaddr, .bytes = TENSOR_CELL, .base = base};
  const struct rectangle *of = rectangle_of(m, lane, column);
  piece.column = column - (of ? of->column : m->column);
  add_piece(w, kind, &range, piece, out);
}

/* Adds accesses to the pieces that represent those in the rectangles. */
static void access_cells(struct walk *w, enum event_kind kind, const struct tensor_matrix *m, uint32_t cta,
                         struct tiles *out) {
  const struct tensor_plan *plan = w->s->premises.tensor;
  uint32_t pieces = plan->lane_count * plan->column_count, before = out->len;
  struct bitset seen = bitset_new(w->s->arena, pieces);
  for (uint32_t p = 0; p < pieces; p++) {
    uint32_t lane = plan->lane_cuts[p / plan->column_count], column = plan->column_cuts[p % plan->column_count];
    uint32_t first = tensor_first(plan, cta, p);
    if (!rectangle_of(m, lane, column) || bitset_has(seen, first)) continue;
    bitset_add(seen, first);
    access_piece(w, kind, m, (struct tile){cta, first, 0, 0, 0}, out);
  }
  if (out->len == before) access_piece(w, kind, m, (struct tile){cta, 0, 0, 0, 0}, out);
}

static void access_matrix(struct walk *w, enum event_kind kind, const struct tensor_matrix *m, struct tiles *out) {
  for (uint32_t i = 0; i < cta_count(w); i++) {
    uint32_t cta = cta_of(w, i);
    struct range range = m->range;
    if (m->cells) access_cells(w, kind, m, cta, out);
    else if (i && !operation_range_in(w, &m->range, cta, &range)) continue;
    else if (range.runs) read_rows(w, &range, cta, out);
    else add_piece(w, kind, &range, (struct tile){cta, 0, 0, 0, 0}, out);
  }
}

/* Finds accesses of earlier loads of the run to all pieces of the rectangles. They can represent the load's own
 * accesses: a wait covers all of them before any other event, or covers none before the run ends. False: a piece has no
 * such access. */
static bool find_read(struct walk *w, const struct tensor_matrix *m, uint32_t cta, struct tiles *out) {
  const struct tensor_plan *plan = w->s->premises.tensor;
  bool like = plan->read_exec == w->base.exec && (w->waits_next || tensor_unwaited(plan));
  if (w->facts || w->between || !like) return false;
  for (uint32_t p = 0; p < plan->lane_count * plan->column_count; p++) {
    uint32_t lane = plan->lane_cuts[p / plan->column_count], column = plan->column_cuts[p % plan->column_count];
    uint32_t first = tensor_first(plan, cta, p), at = 0;
    if (!rectangle_of(m, lane, column)) continue;
    while (at < plan->read.len && plan->read.data[at].number != first) at++;
    if (at == plan->read.len) return false;
    VEC_PUSH(w->s->arena, out, plan->read.data[at]);
  }
  return out->len > 0;
}

/* The access to a piece of a CTA; if there is none, the first access. */
static const struct tile *find_piece(const struct tiles *all, uint32_t cta, uint32_t number) {
  for (uint32_t i = 0; i < all->len; i++)
    if (all->data[i].cta == cta && all->data[i].number == number) return &all->data[i];
  return &all->data[0];
}

/* The access that represents a cell of the thread's own CTA, relative to the address. */
static const struct tile *find_cell(const struct walk *w, const struct tiles *all, const struct tensor_matrix *m,
                                    uint32_t lane, uint32_t column) {
  const struct tensor_plan *plan = w->s->premises.tensor;
  uint32_t row = tensor_cut(plan->lane_cuts, plan->lane_count, m->lane + lane), cta = cta_of(w, 0);
  uint32_t number = row * plan->column_count + tensor_cut(plan->column_cuts, plan->column_count, m->column + column);
  return m->cells ? find_piece(all, cta, tensor_first(plan, cta, number)) : &all->data[0];
}

/* Orders every read of the operation before every write of it. */
static void join(struct walk *w, const struct tiles *reads, const struct tiles *writes) {
  for (uint32_t i = 0; i < reads->len; i++)
    for (uint32_t k = 0; k < writes->len; k++) operation_inner(w, reads->data[i].event, writes->data[k].event);
}

/* The first element of D in a CTA: its own rows of A times the first columns of B, which are in the CTA of even
 * rank. */
static term_id multiply(struct walk *w, const struct tiles *a, const struct tiles *b, uint32_t cta, unsigned width) {
  if (w->instr->async->from_runs.list || w->instr->async->other_runs.list)
    return walk_product_unasked(w), term_const(w->terms, 0, width);
  uint32_t rows = 0, odd = walk_own(w)->cta & 1;
  while (rows + 1 < a->len && a->data[rows].cta != cta) rows++;
  term_id factor = b->data[odd < b->len ? odd : 0].value;
  return term_binary(w->terms, TERM_MUL, term_resize(w->terms, a->data[rows].value, width, false),
                     term_resize(w->terms, factor, width, false));
}

/* All instructions of a kernel have the same .cta_group, and a pair has two CTAs (9.7.18.1). */
bool tensor_group(struct walk *w) {
  const struct program *program = w->s->program;
  const struct thread *own = &program->threads[w->base.thread];
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count && program->threads[t].grid == own->grid; i++) {
      const struct async *other = program->threads[t].instrs[i].async;
      if (!other || !other->tensor) continue;
      bool grouped = other->action != ASYNC_TENSOR_LOAD && other->action != ASYNC_TENSOR_STORE;
      if (grouped && other->tensor->paired != w->instr->async->tensor->paired)
        return !walk_hazard(w, w->base.exec, REASON_TENSOR_GROUPS);
    }
  return walk_needs(w, cta_of(w, cta_count(w) - 1) != NO_THREAD, REASON_TENSOR_PEER);
}

/* ---- Products ---- */

/* Finds the rows and columns of D in the instruction descriptor. */
static bool find_shape(struct walk *w, uint32_t *rows, uint32_t *columns) {
  const struct tensor *t = w->instr->async->tensor;
  uint32_t descriptor;
  *rows = *columns = 0;
  if (t->shape.kind == OPERAND_NONE) return true;
  if (!walk_known(w, &t->shape, 32, REASON_TENSOR_DESCRIPTOR, &descriptor)) return false;
  *columns = (descriptor >> 17 & 63) * 8;
  *rows = (descriptor >> 24 & 31) * 16;
  bool fits = t->paired    ? *rows == 128 || *rows == 256
              : t->weights ? *rows == 32 || *rows == 64 || *rows == 128
                           : *rows == 64 || *rows == 128;
  return walk_needs(w, fits && *columns >= 8 && *columns <= 256, REASON_TENSOR_SHAPE_OF);
}

enum { A_COLUMNS = 8, BESIDE = 3 }; /* the 32 bytes of a row of A, whatever its elements are; scales and metadata */

/* For kinds of 16 bits and more, two bits for each element of a row of A, else four bits for each two (9.7.18.10.9). */
static uint32_t metadata_columns(const struct tensor *t) {
  return strcmp(t->kind, ".kind::f16") == 0 || strcmp(t->kind, ".kind::tf32") == 0 ? 1 : 2;
}

/* Finds the scales of rows and of columns, and the metadata. */
static bool find_beside(struct walk *w, uint32_t rows, uint32_t columns, struct tensor_matrix out[BESIDE]) {
  const struct tensor *t = w->instr->async->tensor;
  if (t->sparse && (!find_matrix(w, &t->metadata, true, NULL, &out[2]) ||
                    !add_rectangle(w, &out[2], 0, TENSOR_LANES, metadata_columns(t))))
    return false;
  for (uint32_t i = 0; i < 2 && t->scale_vector; i++) {
    uint32_t of = i ? columns : rows / (t->paired ? 2 : 1);
    uint32_t wide = (of * t->scale_vector + TENSOR_LANES - 1) / TENSOR_LANES;
    if (!find_matrix(w, &t->scales[i], true, NULL, &out[i]) || !add_rectangle(w, &out[i], 0, TENSOR_LANES, wide))
      return false;
  }
  return true;
}

/* Adds the reads of D, if the product adds to it. */
static void read_sum(struct walk *w, const struct tensor_matrix *d, term_id adds, struct tiles *out) {
  access_matrix(w, EVENT_READ, d, out);
  for (uint32_t i = 0; i < out->len; i++) {
    struct event *e = &w->s->events.data[out->data[i].event];
    e->spawn.is_source = false;
    e->exec = term_and(w->terms, e->exec, adds);
    e->reach = term_and(w->terms, e->reach, adds);
  }
}

/* D = A * B, or D + A * B, of the first elements. */
static void walk_product(struct walk *w) {
  const struct async *async = w->instr->async;
  const struct tensor *t = async->tensor;
  struct tensor_matrix a, b, d, beside[BESIDE] = {{0}};
  struct tiles of_a = {0}, of_b = {0}, others = {0}, before = {0}, after = {0};
  uint32_t rows, columns;
  if (!find_shape(w, &rows, &columns) || !find_matrix(w, &async->from, t->from_cells, &async->from_runs, &a) ||
      !find_matrix(w, &async->other, false, &async->other_runs, &b) ||
      !find_matrix(w, &async->to, t->to_cells, &async->to_runs, &d) ||
      !add_rows(w, &d, rows, columns) || !add_rows(w, &a, rows, A_COLUMNS) || !find_beside(w, rows, columns, beside))
    return;
  unsigned width = t->to_cells ? 8 * TENSOR_CELL : w->instr->type.width;
  term_id adds = t->adds.kind == OPERAND_NONE ? TERM_FALSE : walk_operand(w, &t->adds, 1);
  operation_issue(w);
  w->operation->sum = t->to_cells ? d.lane << 16 | d.column : d.range.vaddr;
  w->operation->shape = rows << 16 | columns;
  access_matrix(w, EVENT_READ, &a, &of_a);
  access_matrix(w, EVENT_READ, &b, &of_b);
  for (uint32_t i = 0; i < BESIDE; i++)
    if (beside[i].count) access_matrix(w, EVENT_READ, &beside[i], &others);
  if (adds != TERM_FALSE) read_sum(w, &d, adds, &before);
  access_matrix(w, EVENT_WRITE, &d, &after);
  for (uint32_t i = 0; i < after.len; i++) {
    term_id product = multiply(w, &of_a, &of_b, after.data[i].cta, width), value = product;
    if (before.len) {
      term_id old = term_resize(w->terms, before.data[i].value, width, false);
      value = term_ite(w->terms, adds, term_binary(w->terms, TERM_ADD, old, product), product);
      operation_inner(w, before.data[i].event, after.data[i].event);
    }
    w->s->events.data[after.data[i].event].value = value;
  }
  join(w, &of_a, &after);
  join(w, &of_b, &after);
  join(w, &others, &after);
}

/* ---- Copies ---- */

/* Copies shared memory to lanes and columns; .shift copies lanes and columns to others. */
static void walk_transfer(struct walk *w) {
  const struct async *async = w->instr->async;
  const struct tensor *t = async->tensor;
  struct tensor_matrix from, to;
  struct tiles reads = {0}, writes = {0};
  if (!find_matrix(w, &async->from, t->from_cells, &async->from_runs, &from) ||
      !find_matrix(w, &async->to, t->to_cells, &async->to_runs, &to) ||
      (from.cells && !add_rectangle(w, &from, 0, t->lanes, t->columns)) ||
      (to.cells && !add_rectangle(w, &to, 0, t->lanes, t->columns)))
    return;
  operation_issue(w);
  access_matrix(w, EVENT_READ, &from, &reads);
  access_matrix(w, EVENT_WRITE, &to, &writes);
  for (uint32_t i = 0; i < writes.len; i++) {
    const struct tile *p = &writes.data[i], *of = find_piece(&reads, p->cta, from.cells ? p->number : 0);
    unsigned width = 8 * w->s->events.data[p->event].size;
    w->s->events.data[p->event].value = term_resize(w->terms, of->value, width, false);
  }
  join(w, &reads, &writes);
}

/* ---- Registers ---- */

/* The row and column of a register of lane 0, in a list that begins at 0, 0. */
static void cell_of_register(enum tensor_fragment fragment, uint32_t reg, uint32_t *row, uint32_t *column) {
  *row = 0;
  *column = reg;
  if (fragment == FRAGMENT_16X64) *column = 2 * reg;
  if (fragment == FRAGMENT_16X128) *row = 8 * (reg % 2), *column = 4 * (reg / 2);
  if (fragment == FRAGMENT_16X256) *row = 8 * (reg / 2 % 2), *column = reg % 2 + 8 * (reg / 4);
}

/* The register, in any lane, with the first cell of a piece. */
static uint32_t register_of(enum tensor_fragment fragment, uint32_t column) {
  switch (fragment) {
    case FRAGMENT_32X32: return column;
    case FRAGMENT_16X64: return column / 2;
    case FRAGMENT_16X128: return 2 * (column / 4);
    case FRAGMENT_16X256: return 4 * (column / 8) + column % 2;
  }
  BUG("fragment %d", (int)fragment);
}

enum { QUARTER = TENSOR_LANES / 4 };

/* The lane of an address whose upper bits of the lane are 0 is one of the warp's own quarter (G96). */
static uint32_t own_lane(const struct walk *w, uint32_t lane) {
  uint32_t warp = walk_own(w)->special.warp;
  return warp == NOT_PLACED || lane / QUARTER ? lane : lane + warp % 4 * QUARTER;
}

/* A warp can access only its quarter of the lanes (9.7.18.2.3). */
static bool check_lanes(struct walk *w, uint32_t lane, uint32_t lanes) {
  uint32_t warp = walk_own(w)->special.warp;
  bool own_quarter = warp == NOT_PLACED || lane / QUARTER == warp % 4;
  bool fits = lane % TENSOR_HALF == 0 && lane % QUARTER + lanes <= QUARTER;
  return walk_needs(w, fits && own_quarter, REASON_TENSOR_LANES);
}

static bool add_half(struct walk *w, struct tensor_matrix *m, uint32_t behind) {
  const struct tensor *t = w->instr->async->tensor;
  uint32_t where = (m->lane << 16 | m->column) + behind;
  return check_lanes(w, where >> 16, t->lanes) &&
         add_cells(w, m, (struct rectangle){where >> 16, t->lanes, where & 0xffff, t->columns});
}

static bool overlap(const struct rectangle *a, const struct rectangle *b) {
  return a->lane < b->lane + b->lanes && b->lane < a->lane + a->lanes && a->column < b->column + b->columns &&
         b->column < a->column + a->columns;
}

/* PTX does not specify the value of a cell to which both halves store. */
static bool find_registers(struct walk *w, const struct address *address, bool cells, struct tensor_matrix *out) {
  const struct tensor *t = w->instr->async->tensor;
  if (!find_matrix(w, address, cells, &w->instr->async->from_runs, out)) return false;
  if (!cells) return true;
  out->lane = own_lane(w, out->lane);
  if (!add_half(w, out, 0) || (t->split && !add_half(w, out, t->second))) return false;
  if (!t->split || !t->value_count || !overlap(&out->list[0], &out->list[1])) return true;
  return walk_refuse(w, REASON_TENSOR_SHAPE, w->instr->span);
}

/* The operand that a store writes to a column. */
static const struct operand *stored_in(const struct tensor *t, uint32_t column) {
  return &t->values[register_of(t->fragment, column / (t->halves ? 2 : 1))];
}

static bool same_operand(const struct operand *a, const struct operand *b) {
  return a->kind == b->kind && a->reg == b->reg && a->imm == b->imm;
}

/* Notes the columns of a store, by runs of columns that get the same operand. */
static void note_stored(struct walk *w, const struct tensor_matrix *to) {
  const struct tensor *t = w->instr->async->tensor;
  for (uint32_t i = 0; i < to->count; i++)
    for (uint32_t from = 0, end; from < t->columns; from = end) {
      end = from + 1;
      while (end < t->columns && !t->halves && same_operand(stored_in(t, from), stored_in(t, end))) end++;
      note_use(w, (struct rectangle){to->list[i].lane, t->lanes, to->list[i].column + from, end - from});
    }
}

static term_id half(struct walk *w, term_id value, bool high) {
  term_id cut = term_resize(w->terms, term_resize(w->terms, value, 16, false), 32, false);
  return high ? term_binary(w->terms, TERM_SHL, cut, term_const(w->terms, 16, 32)) : cut;
}

static void read_cells(struct walk *w, const struct tensor_matrix *from, struct tiles *out) {
  struct tensor_plan *plan = w->s->premises.tensor;
  operation_issue(w);
  access_matrix(w, EVENT_READ, from, out);
  if (w->facts || !from->cells) return;
  if (plan->read_exec != w->base.exec) plan->read = (struct tiles){0};
  plan->read_exec = w->base.exec;
  plan->unwaited++;
  for (uint32_t i = 0; i < out->len; i++) VEC_PUSH(w->s->arena, &plan->read, out->data[i]);
}

static struct bitset add_read(struct bitset reads, const struct tile *p) {
  bitset_add(reads, p->event);
  return reads;
}

/* Writes the least or greatest of a thread's columns to a register. */
static void reduce(struct walk *w, const struct tiles *reads, const struct tensor_matrix *from, uint32_t result) {
  const struct tensor *t = w->instr->async->tensor;
  const struct tile *before = NULL;
  struct bitset from_reads = walk_no_reads(w);
  term_id reduced = TERM_FALSE, sign = term_const(w->terms, 0x7fffffff, 32);
  for (uint32_t i = 0; i < t->columns; i++) {
    const struct tile *p = find_cell(w, reads, from, 0, i);
    if (p == before) continue;
    term_id value = t->magnitude ? term_and(w->terms, p->value, sign) : p->value;
    reduced = before ? walk_arithmetic(w, (term_id[ALU_OPERANDS]){reduced, value, value, value}) : value;
    from_reads = add_read(from_reads, p);
    before = p;
  }
  walk_write_reg(w, result, reduced, w->instr->type.kind == TYPE_SIGNED, from_reads);
}

static void walk_load(struct walk *w) {
  const struct tensor *t = w->instr->async->tensor;
  struct tiles reads = {0};
  struct tensor_matrix from;
  if (!find_registers(w, &w->instr->async->from, t->from_cells, &from)) return;
  if (!from.cells || !find_read(w, &from, cta_of(w, 0), &reads)) read_cells(w, &from, &reads);
  if (t->reduces) reduce(w, &reads, &from, t->results[t->result_count - 1]);
  for (uint32_t i = 0; i < t->result_count - t->reduces; i++) {
    uint32_t row, column;
    cell_of_register(t->fragment, i, &row, &column);
    const struct tile *p = find_cell(w, &reads, &from, row, column * (t->halves ? 2 : 1));
    const struct tile *next = t->halves ? find_cell(w, &reads, &from, row, 2 * column + 1) : NULL;
    struct bitset from_reads = add_read(walk_no_reads(w), p);
    if (next) from_reads = add_read(from_reads, next);
    term_id value = p->value;
    if (next) value = term_or(w->terms, half(w, value, false), half(w, next->value, true));
    walk_write_reg(w, t->results[i], value, w->instr->type.kind == TYPE_SIGNED, from_reads);
  }
}

static void walk_store(struct walk *w) {
  const struct tensor *t = w->instr->async->tensor;
  struct tiles writes = {0};
  struct tensor_matrix to;
  if (!find_registers(w, &w->instr->async->to, t->to_cells, &to)) return;
  note_stored(w, &to);
  operation_issue(w);
  access_matrix(w, EVENT_WRITE, &to, &writes);
  VEC_EACH (p, &writes) {
    const struct operand *from = stored_in(t, to.cells ? p->column % t->columns : 0);
    term_id value = walk_operand(w, from, w->instr->type.width);
    if (t->halves) {
      term_id shift = term_const(w->terms, p->column % 2 ? 16 : 0, 32);
      value = half(w, term_binary(w->terms, TERM_SHR, value, shift), false);
    }
    w->s->events.data[p->event].value = value;
    walk_depend_on(w, CAT_REL_DATA, from, p->event);
  }
}

/* The results of a load whose reads are left out: no branch depends on them. */
static void load_nothing(struct walk *w) {
  const struct tensor *t = w->instr->async->tensor;
  for (uint32_t i = 0; i < t->result_count; i++)
    walk_write_reg(w, t->results[i], term_const(w->terms, 0, w->instr->type.width), false, walk_no_reads(w));
}

void walk_tensor(struct walk *w) {
  enum async_action action = w->instr->async->action;
  if (walk_leaves_out(w)) load_nothing(w);
  else if (action == ASYNC_TENSOR_LOAD) walk_load(w);
  else if (action == ASYNC_TENSOR_STORE) walk_store(w);
  else if (tensor_group(w) && action == ASYNC_TENSOR_MMA) walk_product(w);
  else if (action != ASYNC_TENSOR_MMA) walk_transfer(w);
}

/* An arrival at the object, or at the object of each CTA of a mask, once the thread's earlier operations are
 * complete. */
void walk_tensor_commit(struct walk *w) {
  uint32_t mask = 0, object = walk_mbarrier_object(w, &w->instr->async->object);
  bool many = w->instr->async->ctas.kind != OPERAND_NONE;
  if (object == NO_OBJECT || !tensor_group(w)) return;
  if (many && !walk_known(w, &w->instr->async->ctas, 32, REASON_MULTICAST_MASK, &mask)) return;
  operation_issue(w);
  if (!many) operation_signal(w, object, 1, 0);
  for (uint32_t rank = 0; rank < 32; rank++) {
    if (!(mask >> rank & 1)) continue;
    uint32_t cta = skeleton_cta_ranked(w->s->program, w->base.thread, rank);
    if (cta == NO_THREAD) walk_hazard(w, w->base.exec, REASON_MULTICAST_CTA);
    else operation_signal(w, operation_object_in(w, object, cta), 1, 0);
  }
}
