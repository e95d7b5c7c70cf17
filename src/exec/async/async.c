/* Asynchronous operations (docs/async.md A1-A7): the events of each operation, outside program order, and their
 * relations to the instructions that issue it and wait for it. Addresses and sizes must be known once loops are
 * unrolled, except for the source of cp.async (find_computed). */
#include "exec/async/operation.h"
#include "exec/pieces.h"

/* Operations on more pieces than PIECE_LIMIT (if the pieces are not known, on more elements than ELEMENT_LIMIT) are
 * refused, because each piece needs an access at the source and one at the destination. */
enum { PIECE_LIMIT = 256, ELEMENT_LIMIT = 16, BULK_UNIT = 16, COPY_LIMIT = 16, RESPONSE_SIZE = 16, MAP_PART = 16 };

/* ---- Places ---- */

static struct range range_at(struct walk *w, const struct view *view, uint32_t vaddr, uint32_t bytes) {
  return (struct range){.view = view, .vaddr = vaddr, .bytes = bytes, .base = term_const(w->terms, vaddr, 64)};
}

static uint32_t range_phys(const struct walk *w, const struct range *range) {
  return skeleton_object(w->s, range->view)->phys + range->vaddr - range->view->vaddr;
}

static uint32_t run_count(const struct range *range) { return range->runs ? range->runs->count : 1; }

static struct byte_run run_of(const struct range *range, uint32_t i) {
  return range->runs ? range->runs->list[i] : (struct byte_run){0, 0, range->bytes};
}

/* `bytes` bytes at an address; false after a refusal or hazard. */
static bool find_range(struct walk *w, const struct address *address, uint32_t bytes, struct range *out) {
  const struct term *where = term_get(w->terms, walk_address(w, address, 0));
  if (where->op != TERM_CONST) return walk_refuse(w, REASON_ASYNC_ADDRESS, w->instr->span);
  *out = range_at(w, skeleton_view(w->s, where->constant), (uint32_t)where->constant, bytes);
  if (out->view && skeleton_object(w->s, out->view)->is_mbarrier) out->view = NULL;
  if (out->view && out->vaddr + bytes <= out->view->vaddr + skeleton_object(w->s, out->view)->size) return true;
  const struct event *own = &w->base;
  const struct reason *why = skeleton_outside(w->s, REASON_ASYNC_RANGE, (uint64_t)where->constant, bytes, own->thread);
  return skeleton_hazard(w->s, own->exec, why, own->thread, own->instr);
}

static uint32_t smallest_element(const struct program *program) {
  uint32_t size = COPY_LIMIT;
  ARRAY_EACH (object, program->objects, program->object_count)
    if (object->space != SPACE_SHARED && type_bytes(object->type) < size) size = type_bytes(object->type);
  return size;
}

/* The source of cp.async at an address that is computed from a loaded value: bytes in no location yet, read in elements
 * of the smallest size that a location in global memory has. These reads may return bytes of several writes where one
 * read of a larger element (A2) could not. That needs a race of the copy, so the answer to `safe` is the same. */
static bool find_computed(struct walk *w, const struct address *address, uint32_t bytes, struct range *out) {
  *out = (struct range){.bytes = bytes, .base = walk_address(w, address, 0)};
  if (term_is_const(w->terms, out->base) || w->instr->async->action != ASYNC_COPY) return false;
  if (!program_asks_safety(w->s->program)) return false;
  term_id over = term_and(w->terms, out->base, term_const(w->terms, bytes - 1, 64));
  term_id aligned = term_eq(w->terms, over, term_const(w->terms, 0, 64));
  walk_hazard(w, term_and(w->terms, w->base.exec, term_not(w->terms, aligned)), REASON_ASYNC_MISALIGNED);
  return true;
}

bool operation_range_in(struct walk *w, const struct range *range, uint32_t cta, struct range *out) {
  const struct skeleton *s = w->s;
  const struct object *mine = skeleton_object(s, range->view);
  for (uint32_t i = 0; i < s->program->view_count; i++) {
    const struct object *other = skeleton_object(s, &s->program->views[i]);
    if (!object_same_location(other, mine) || other->owner != cta) continue;
    uint32_t offset = range->vaddr - range->view->vaddr;
    *out = range_at(w, &s->program->views[i], s->program->views[i].vaddr + offset, range->bytes);
    out->runs = range->runs;
    return true;
  }
  return false;
}

static uint32_t cta_rank(const struct skeleton *s, uint32_t cta) {
  return s->program->threads[skeleton_thread_in(s, cta)].cta;
}

term_id walk_cta_address(struct walk *w, const term_id *v) {
  const struct term *where = term_get(w->terms, v[0]), *rank = term_get(w->terms, v[1]);
  unsigned width = w->instr->type.width;
  bool maps = w->instr->alu == ALU_MAPA;
  struct range range, there;
  bool known = where->op == TERM_CONST && (!maps || rank->op == TERM_CONST);
  if (!walk_models(w, known, REASON_OTHER_CTA)) return term_const(w->terms, 0, width);
  range = range_at(w, skeleton_view(w->s, where->constant), (uint32_t)where->constant, 1);
  bool shared = range.view && skeleton_object(w->s, range.view)->space == SPACE_SHARED;
  if (shared && !maps) return term_const(w->terms, cta_rank(w->s, skeleton_object(w->s, range.view)->owner), 32);
  uint32_t cta = skeleton_cta_ranked(w->s->program, w->base.thread, (uint32_t)rank->constant);
  bool found = shared && cta != NO_THREAD && operation_range_in(w, &range, cta, &there);
  return term_const(w->terms, walk_needs(w, found, REASON_CTA_ADDRESS) ? there.vaddr : 0, width);
}

/* ---- Elements ---- */

/* An element that represents its piece: its first byte in the operation, its size, its value, and the read that gave
 * it. */
struct piece {
  uint32_t at, size, event;
  term_id value;
};

struct pieces {
  const struct range *from; /* NULL: all bytes are in the list */
  VEC(struct piece) list;
};

/* The size of an element: that of the declared type; for a reduction or a relaxed copy, of the operation's type. */
static uint32_t element_size(const struct walk *w, const struct range *range) {
  bool own = w->instr->async->reduces || w->instr->async->whole;
  return type_bytes(own ? w->instr->type : skeleton_object(w->s, range->view)->type);
}

struct element {
  uint32_t at, position; /* from the range's address; in the operation */
};

VEC_NAMED(elements, struct element);

/* Lists the elements of a range that represent their pieces. */
static void list_elements(struct walk *w, const struct range *range, struct elements *out) {
  const struct object *object = skeleton_object(w->s, range->view);
  uint32_t size = element_size(w, range), phys = range_phys(w, range);
  if (walk_leaves_out(w)) return;
  for (uint32_t i = 0; i < run_count(range); i++) {
    struct byte_run run = run_of(range, i);
    bool whole = run.bytes % size == 0 && (phys + run.at - object->phys) % size == 0;
    if (!walk_models(w, whole, REASON_ASYNC_PARTS)) return;
    for (uint32_t k = 0; k < run.bytes; k += size)
      if (pieces_first(w->s->pieces, range->view->object, phys + run.at + k) == phys + run.at + k)
        VEC_PUSH(w->s->arena, out, (struct element){run.at + k, run.position + k});
  }
  bool known = pieces_count(w->s->pieces, w->instr->async) != UINT32_MAX;
  if (out->len <= (known ? (uint32_t)PIECE_LIMIT : (uint32_t)ELEMENT_LIMIT)) return;
  walk_refuse(w, REASON_ASYNC_ELEMENTS, w->instr->span);
  out->len = 0;
}

/* Finds the position of the byte that represents the byte at `position`, and the number of bytes from there to the end
 * of the element. False: the byte is not read. */
static bool stands_at(const struct walk *w, const struct range *range, uint32_t position, uint32_t *out,
                      uint32_t *bytes) {
  uint32_t phys = range_phys(w, range), size = element_size(w, range), place = UINT32_MAX;
  for (uint32_t i = 0; i < run_count(range); i++) {
    struct byte_run run = run_of(range, i);
    if (run.position <= position && position < run.position + run.bytes)
      place = phys + run.at + position - run.position;
  }
  if (place == UINT32_MAX) return false;
  *bytes = size - (place - skeleton_object(w->s, range->view)->phys) % size;
  place = pieces_first(w->s->pieces, range->view->object, place);
  for (uint32_t i = 0; i < run_count(range); i++) {
    struct byte_run run = run_of(range, i);
    if (phys + run.at <= place && place < phys + run.at + run.bytes) *out = run.position + place - phys - run.at;
  }
  return true;
}

/* Async-proxy accesses to shared memory belong to the CTA that owns it, all others to the CTA of the issuer (A5). */
static uint32_t home_of(const struct walk *w, const struct range *range) {
  const struct object *object = range->view ? skeleton_object(w->s, range->view) : NULL;
  if (w->instr->proxy == PROXY_GENERIC || object->space != SPACE_SHARED) return w->base.thread;
  return skeleton_thread_in(w->s, object->owner);
}

static bool is_own(const struct walk *w, const struct range *range) {
  const struct object *object = range->view ? skeleton_object(w->s, range->view) : NULL;
  return object && object->space == SPACE_SHARED && !object->is_cells && object->owner == walk_own(w)->cta_id;
}

void operation_inner(struct walk *w, uint32_t from, uint32_t to) {
  VEC_PUSH(w->s->arena, w->dependencies, (struct dependency){CAT_REL_INNER, from, to});
}

uint32_t operation_access(struct walk *w, enum event_kind kind, const struct range *range, uint32_t offset,
                          uint32_t size) {
  struct event access = w->base;
  access.kind = kind;
  access.spawned = true;
  access.operation = w->operation;
  access.spawn.site = home_of(w, range);
  access.spawn.in_own_cta = is_own(w, range);
  access.home = shape_reads(&w->s->options.shape, READING_ISSUER_ACCESSES) ? w->base.thread : access.spawn.site;
  access.element = offset / size;
  access.size = size;
  access.is_torn = access.sem == SEM_WEAK && shape_reads(&w->s->options.shape, READING_TEARS);
  access.address = term_binary(w->terms, TERM_ADD, range->base, term_const(w->terms, offset, 64));
  if (w->operation->map && range->base != term_const(w->terms, range->vaddr, 64))
    operation_inner(w, w->operation->map, w->s->events.len);
  if (kind == EVENT_READ) access.value = term_leaf(w->terms, TERM_READ, w->s->events.len, 8 * size);
  VEC_PUSH(w->s->arena, &w->s->events, access);
  return w->s->events.len - 1;
}

/* Finds a tensor map, which is read through the tensormap proxy, and the range that it points to. The elements are
 * those of the location that the map points to at first. */
static bool find_mapped(struct walk *w, const struct address *address, uint32_t bytes, struct range *map,
                        const struct byte_runs *runs, struct range *out) {
  if (!find_range(w, address, 8, map)) return false;
  uint32_t vaddr = (uint32_t)skeleton_object(w->s, map->view)->init[0];
  *out = range_at(w, skeleton_view(w->s, vaddr), vaddr, bytes);
  if (runs->list) out->runs = runs;
  return true;
}

static uint32_t read_of_map(struct walk *w, const struct range *map, uint32_t at, uint32_t size) {
  uint32_t read = operation_access(w, EVENT_READ, map, at, size);
  struct event *e = &w->s->events.data[read];
  e->spawn.is_source = true;
  e->proxy = PROXY_TENSORMAP;
  e->sem = SEM_WEAK;
  e->scope = SCOPE_NONE;
  e->home = e->spawn.site = w->base.thread;
  return read;
}

static void read_map(struct walk *w, const struct range *map, struct range *through) {
  uint32_t read = read_of_map(w, map, 0, 8);
  w->operation->map = read;
  through->base = skeleton_event(w->s, read)->value;
}

/* A map that the kernel made, in bytes of a location (docs/async.md AC8). */
static bool read_made_map(struct walk *w) {
  const struct address *address = &w->instr->async->map;
  struct range map;
  if (address->base.kind == OPERAND_NONE) return true;
  if (!find_range(w, address, MAP_BYTES, &map)) return false;
  for (uint32_t at = 0; at < MAP_BYTES && !walk_leaves_out(w); at += MAP_PART) read_of_map(w, &map, at, MAP_PART);
  return true;
}

static void read_source(struct walk *w, const struct range *range, uint32_t used, struct pieces *out) {
  struct elements elements = {0};
  uint32_t size = range->view ? element_size(w, range) : smallest_element(w->s->program);
  if (range->view) list_elements(w, range, &elements), out->from = range;
  if (size > range->bytes) size = range->bytes;
  for (uint32_t at = 0; at < range->bytes && !range->view && !walk_leaves_out(w); at += size)
    VEC_PUSH(w->s->arena, &elements, (struct element){at, at});
  VEC_EACH (e, &elements) {
    if (e->position >= used) continue;
    uint32_t event = operation_access(w, EVENT_READ, range, e->at, size);
    w->s->events.data[event].spawn.is_source = true;
    w->s->events.data[event].sem = w->instr->async->reduces ? SEM_WEAK : w->base.sem;
    w->s->events.data[event].scope = w->instr->async->reduces ? SCOPE_NONE : w->base.scope;
    struct piece piece = {e->position, size, event, skeleton_event(w->s, event)->value};
    VEC_PUSH(w->s->arena, &out->list, piece);
  }
}

void operation_read(struct walk *w, const struct range *range) {
  struct pieces pieces = {0};
  read_source(w, range, UINT32_MAX, &pieces);
}

/* Finds the piece with the source byte at `position`, the byte's offset in it, and the number of bytes from there.
 * NULL: zeros. */
static const struct piece *piece_at(const struct walk *w, const struct pieces *pieces, uint32_t position, uint32_t *in,
                                    uint32_t *bytes) {
  uint32_t at = position;
  *bytes = 1;
  if (pieces->from && !stands_at(w, pieces->from, position, &at, bytes)) return NULL;
  VEC_EACH (p, &pieces->list) {
    if (p->at > at || at >= p->at + p->size) continue;
    *in = at - p->at;
    if (!pieces->from) *bytes = p->size - *in;
    return p;
  }
  return NULL;
}

/* The source bytes [at, at + size), as the value of the event that writes them; those from `used` on are zeros. */
static term_id assemble(struct walk *w, const struct pieces *pieces, uint32_t at, uint32_t size, uint32_t used) {
  term_id value = term_const(w->terms, 0, 8 * size);
  uint32_t in, bytes, end = at + size < used ? at + size : used;
  for (uint32_t first = at; first < end; first += bytes) {
    const struct piece *p = piece_at(w, pieces, first, &in, &bytes);
    if (bytes > end - first) bytes = end - first;
    if (!p) continue;
    term_id part = term_binary(w->terms, TERM_SHR, p->value, term_const(w->terms, 8 * in, 32));
    part = term_resize(w->terms, term_resize(w->terms, part, 8 * bytes, false), 8 * size, false);
    part = term_binary(w->terms, TERM_SHL, part, term_const(w->terms, 8 * (first - at), 32));
    value = term_or(w->terms, value, part);
  }
  return value;
}

static void join_pieces(struct walk *w, const struct pieces *pieces, uint32_t at, uint32_t size, uint32_t write) {
  uint32_t in, bytes, last = NO_PARTNER;
  for (uint32_t first = at; first < at + size; first += bytes) {
    const struct piece *p = piece_at(w, pieces, first, &in, &bytes);
    if (!p || p->event == NO_PARTNER || p->event == last) continue;
    operation_inner(w, p->event, write);
    last = p->event;
  }
}

/* Adds the accesses to one element of a reduction's destination. */
static void reduce_element(struct walk *w, const struct range *range, uint32_t offset, uint32_t position, uint32_t size,
                           const struct pieces *pieces) {
  uint32_t read = operation_access(w, EVENT_READ, range, offset, size);
  uint32_t write = operation_access(w, EVENT_WRITE, range, offset, size);
  struct event *r = &w->s->events.data[read], *x = &w->s->events.data[write];
  term_id operand = assemble(w, pieces, position, size, range->bytes);
  r->is_rmw = x->is_rmw = true;
  r->is_red = x->is_red = true;
  r->partner = write;
  x->partner = read;
  r->sem = SEM_RELAXED;
  x->value = walk_arithmetic(w, (term_id[ALU_OPERANDS]){r->value, operand, operand, operand});
  operation_inner(w, read, write);
  join_pieces(w, pieces, position, size, write);
}

static void write_destination(struct walk *w, const struct range *range, const struct pieces *pieces, uint32_t used) {
  struct elements elements = {0};
  uint32_t size = element_size(w, range);
  list_elements(w, range, &elements);
  for (uint32_t i = 0; i < elements.len; i++) {
    uint32_t at = elements.data[i].at, position = elements.data[i].position;
    if (w->instr->async->reduces) {
      reduce_element(w, range, at, position, size, pieces);
      continue;
    }
    term_id value = assemble(w, pieces, position, size, used);
    uint32_t write = operation_access(w, EVENT_WRITE, range, at, size);
    w->s->events.data[write].value = value;
    join_pieces(w, pieces, position, size, write);
  }
}

/* ---- Completion ---- */

void operation_signal(struct walk *w, uint32_t object, uint32_t arrivals, uint32_t bytes) {
  struct mbarrier_use *use =
      ARENA_MAKE(w->s->arena, struct mbarrier_use, .kind = USE_SIGNAL, .object = object,
                 .arrivals = walk_counted(w, arrivals, true), .bytes = -walk_counted(w, bytes, true));
  struct event signal = w->base;
  signal.kind = EVENT_SIGNAL;
  signal.spawned = true;
  signal.operation = w->operation;
  signal.use = use;
  signal.value = TERM_TRUE;
  signal.spawn.site = skeleton_thread_in(w->s, walk_mbarrier_home(w, object));
  signal.home = shape_reads(&w->s->options.shape, READING_ISSUER_SIGNALS) ? w->base.thread : signal.spawn.site;
  signal.sem = SEM_RELEASE;
  signal.scope = SCOPE_CLUSTER;
  signal.proxy = PROXY_GENERIC;
  VEC_PUSH(w->s->arena, &w->s->events, signal);
}

uint32_t operation_object_in(struct walk *w, uint32_t object, uint32_t cta) {
  const struct object *mine = &w->s->program->objects[w->s->mbarriers.data[object].object];
  for (uint32_t i = 0; i < w->s->program->object_count; i++) {
    const struct object *other = &w->s->program->objects[i];
    if (!other->is_mbarrier || !object_same_location(other, mine) || other->owner != cta) continue;
    return walk_mbarrier_number(w, i);
  }
  return NO_OBJECT;
}

/* ---- Operations ---- */

void operation_issue(struct walk *w) {
  struct operation *operation = w->operation = ARENA_NEW(w->s->arena, struct operation);
  const struct async *async = w->instr->async;
  struct event event = w->base;
  const struct operand *addresses[] = {&async->to.base, &async->from.base, &async->object.base};
  *operation = (struct operation){.async = async, .issue = w->s->events.len};
  event.kind = EVENT_ISSUE;
  event.operation = operation;
  event.sem = SEM_WEAK;
  event.scope = SCOPE_NONE;
  event.proxy = PROXY_GENERIC;
  event.value = TERM_TRUE;
  walk_add_event(w, event);
  for (size_t i = 0; i < ARRAY_LEN(addresses); i++) walk_depend_on(w, CAT_REL_ADDR, addresses[i], operation->issue);
  VEC_PUSH(w->s->arena, &w->s->operations, operation);
}

/* The number of bytes that a copy writes, and the number that it reads. */
static bool known_sizes(struct walk *w, uint32_t *bytes, uint32_t *used) {
  const struct async *async = w->instr->async;
  const enum reason_id why = REASON_ASYNC_SIZE;
  uint32_t ignored = 0;
  if (!walk_known(w, &async->bytes, 32, why, bytes)) return false;
  *used = *bytes;
  if (async->filled.kind != OPERAND_NONE && !walk_known(w, &async->filled, 32, why, used)) return false;
  if (async->ignored.kind != OPERAND_NONE && !walk_known(w, &async->ignored, 1, why, &ignored)) return false;
  if (ignored) *used = 0;
  if (*used > *bytes) return walk_hazard(w, w->base.exec, REASON_COPY_FILL);
  bool bulk = async->action == ASYNC_BULK;
  return walk_needs(w, bulk ? *bytes && *bytes % BULK_UNIT == 0 : *bytes == 4 || *bytes == 8 || *bytes == COPY_LIMIT,
                    bulk ? REASON_BULK_SIZE : REASON_COPY_SIZE);
}

/* True if the range begins at a multiple of `unit`, else a hazard. */
static bool is_aligned(struct walk *w, const struct range *range, uint32_t unit) {
  return walk_needs(w, (range->vaddr - range->view->vaddr) % unit == 0, REASON_ASYNC_MISALIGNED);
}

/* Adds the writes of the operation in one CTA, and the signal of its completion there. */
static void complete_in(struct walk *w, const struct range *to, const struct pieces *pieces, uint32_t used,
                        uint32_t object) {
  write_destination(w, to, pieces, used);
  if (object != NO_OBJECT) operation_signal(w, object, 0, to->bytes);
}

static void copy_to_many(struct walk *w, const struct range *to, const struct pieces *pieces, uint32_t object) {
  uint32_t mask;
  const struct program *program = w->s->program;
  if (!walk_known(w, &w->instr->async->ctas, 32, REASON_MULTICAST_MASK, &mask)) return;
  for (uint32_t rank = 0; rank < 32; rank++) {
    struct range there;
    uint32_t cta = skeleton_cta_ranked(program, w->base.thread, rank);
    if (!(mask >> rank & 1)) continue;
    bool found = cta != NO_THREAD && operation_range_in(w, to, cta, &there);
    if (!walk_needs(w, found, REASON_MULTICAST_CTA)) return;
    complete_in(w, &there, pieces, there.bytes, operation_object_in(w, object, cta));
  }
}

/* True if a copy to this memory may signal the object: the object is in the memory's CTA, or in the peer CTA of its
 * pair. */
static bool signals_there(const struct walk *w, uint32_t object, const struct range *to) {
  uint32_t owner = skeleton_object(w->s, to->view)->owner, home = walk_mbarrier_home(w, object);
  if (home == owner) return true;
  const struct program *program = w->s->program;
  uint32_t beside = cta_rank(w->s, owner) ^ 1;
  return w->instr->async->paired && skeleton_cta_ranked(program, skeleton_thread_in(w->s, owner), beside) == home;
}

/* Writes the same bytes to every replica of a multimem address. */
static void copy_to_replicas(struct walk *w, const struct pieces *pieces, uint32_t bytes) {
  const struct async *async = w->instr->async;
  for (uint32_t i = 0; i < async->replica_count; i++) {
    struct range to = range_at(w, skeleton_view(w->s, async->replicas[i]), async->replicas[i], bytes);
    write_destination(w, &to, pieces, bytes);
  }
}

/* Finds the source or the destination of a copy; with a mask, only the bytes that the mask selects. */
static bool find_end(struct walk *w, const struct address *address, bool mapped, uint32_t bytes, struct range *map,
                     const struct byte_runs *runs, struct range *out) {
  if (mapped) return find_mapped(w, address, bytes, map, runs, out);
  if (!find_range(w, address, bytes, out)) return false;
  if (runs->list) out->runs = runs;
  return true;
}

/* Finds the destination of a copy; with several replicas, the destination in the first one. */
static bool find_destination(struct walk *w, uint32_t bytes, struct range *map, struct range *to) {
  const struct async *async = w->instr->async;
  if (async->replicas) {
    *to = range_at(w, skeleton_view(w->s, async->replicas[0]), async->replicas[0], bytes);
    return true;
  }
  return find_end(w, &async->to, async->to_map, bytes, map, &async->to_runs, to);
}

static void walk_copy(struct walk *w) {
  const struct async *async = w->instr->async;
  struct range from, to, map;
  struct pieces pieces = {0};
  uint32_t bytes, used, object = NO_OBJECT;
  if (!known_sizes(w, &bytes, &used)) return;
  from = (struct range){0}; /* cp.async that reads no bytes has no source (9.7.10.28.3.1, src-size) */
  if (used && !find_computed(w, &async->from, bytes, &from) &&
      !find_end(w, &async->from, async->from_map, async->action == ASYNC_COPY ? used : bytes, &map, &async->from_runs,
                &from))
    return;
  uint32_t unit = async->action == ASYNC_BULK ? BULK_UNIT : bytes;
  if (!find_destination(w, bytes, &map, &to) || (from.view && !is_aligned(w, &from, unit)) || !is_aligned(w, &to, unit))
    return;
  if (async->has_object && (object = walk_mbarrier_object(w, &async->object)) == NO_OBJECT) return;
  if (!walk_needs(w, object == NO_OBJECT || signals_there(w, object, &to), REASON_COPY_OBJECT)) return;
  operation_issue(w);
  w->operation->flies = !w->s->options.shape.async_race;
  if (!read_made_map(w)) return;
  if (async->from_map || async->to_map) read_map(w, &map, async->from_map ? &from : &to);
  read_source(w, &from, used, &pieces);
  if (async->replicas) copy_to_replicas(w, &pieces, bytes);
  else if (async->ctas.kind != OPERAND_NONE) copy_to_many(w, &to, &pieces, object);
  else complete_in(w, &to, &pieces, used, object);
}

/* clusterlaunchcontrol.try_cancel: a response of 16 bytes, the same one in each CTA that it goes to. */
static void walk_cancel(struct walk *w) {
  const struct async *async = w->instr->async;
  const uint32_t bytes = RESPONSE_SIZE, cta = walk_own(w)->cta_id;
  struct range to;
  if (!find_range(w, &async->to, bytes, &to) || !is_aligned(w, &to, bytes)) return;
  uint32_t object = walk_mbarrier_object(w, &async->object);
  if (object == NO_OBJECT) return;
  bool own = skeleton_object(w->s, to.view)->space == SPACE_SHARED && skeleton_object(w->s, to.view)->owner == cta;
  if (!walk_needs(w, own && walk_mbarrier_home(w, object) == cta, REASON_RESPONSE_PLACE)) return;
  operation_issue(w);
  struct pieces pieces = {0};
  VEC_PUSH(w->s->arena, &pieces.list, (struct piece){0, bytes, NO_PARTNER, walk_response(w)});
  if (async->ctas.kind != OPERAND_NONE) copy_to_many(w, &to, &pieces, object);
  else complete_in(w, &to, &pieces, bytes, object);
}

/* st.async and red.async at one place: each element of the instruction's own type. */
static void store_at(struct walk *w, const struct range *to) {
  const struct async *async = w->instr->async;
  uint32_t size = type_bytes(w->instr->type);
  struct pieces pieces = {0};
  for (uint32_t i = 0; i < w->instr->elements; i++)
    VEC_PUSH(w->s->arena, &pieces.list,
             (struct piece){i * size, size, NO_PARTNER, walk_operand(w, &w->instr->src[i], 8 * size)});
  for (uint32_t i = 0; i < w->instr->elements && !walk_leaves_out(w); i++) {
    if (async->reduces) {
      reduce_element(w, to, i * size, i * size, size, &pieces);
    } else {
      uint32_t write = operation_access(w, EVENT_WRITE, to, i * size, size);
      w->s->events.data[write].value = pieces.list.data[i].value;
    }
    walk_depend_on(w, CAT_REL_DATA, &w->instr->src[i], w->s->events.len - 1);
  }
}

static void walk_async_store(struct walk *w) {
  const struct async *async = w->instr->async;
  uint32_t bytes = type_bytes(w->instr->type) * w->instr->elements, object = NO_OBJECT;
  struct range to;
  if (!find_destination(w, bytes, NULL, &to) || !is_aligned(w, &to, bytes)) return;
  if (async->has_object && (object = walk_mbarrier_object(w, &async->object)) == NO_OBJECT) return;
  bool there = object == NO_OBJECT || walk_mbarrier_home(w, object) == skeleton_object(w->s, to.view)->owner;
  if (!walk_needs(w, there, REASON_STORE_OBJECT)) return;
  operation_issue(w);
  if (!async->replicas) store_at(w, &to);
  for (uint32_t i = 0; i < async->replica_count; i++) {
    to = range_at(w, skeleton_view(w->s, async->replicas[i]), async->replicas[i], bytes);
    store_at(w, &to);
  }
  if (object != NO_OBJECT) operation_signal(w, object, 0, bytes);
}

/* cp.async.mbarrier.arrive: an arrival once all earlier cp.async of the thread are complete. Without .noinc, its issue
 * raises the pending count. */
static void walk_async_arrival(struct walk *w) {
  uint32_t object = walk_mbarrier_object(w, &w->instr->async->object);
  if (object == NO_OBJECT) return;
  uint32_t cta = walk_own(w)->cta_id;
  if (!walk_needs(w, walk_mbarrier_home(w, object) == cta, REASON_ARRIVE_OBJECT)) return;
  operation_issue(w);
  if (!w->instr->async->counted) {
    struct mbarrier_use *raise = ARENA_MAKE(w->s->arena, struct mbarrier_use, .kind = USE_RAISE, .object = object,
                                            .arrivals = -walk_counted(w, 1, true));
    w->s->events.data[w->operation->issue].use = raise;
  }
  operation_signal(w, object, 1, 0);
}

bool operation_matrix(struct walk *w, const struct address *address, const struct byte_runs *runs, struct range *out) {
  uint32_t most = 1;
  for (uint32_t i = 0; i < runs->count; i++)
    if (runs->list[i].at + runs->list[i].bytes > most) most = runs->list[i].at + runs->list[i].bytes;
  if (!find_range(w, address, most, out)) return false;
  out->bytes = type_bytes(skeleton_object(w->s, out->view)->type);
  out->runs = runs->list ? runs : NULL;
  return is_aligned(w, out, out->bytes);
}

static void refuse_unfenced(struct walk *w) {
  term_id fenced = TERM_FALSE;
  for (uint32_t e = 0; e < w->s->events.len; e++) {
    const struct group *group = skeleton_group(w->s, e);
    if (group && group->fences && skeleton_event(w->s, e)->thread == w->base.thread)
      fenced = term_or(w->terms, fenced, skeleton_event(w->s, e)->exec);
  }
  walk_hazard(w, term_and(w->terms, w->base.exec, term_not(w->terms, fenced)), REASON_MMA_FENCE);
}

static bool is_same_text(struct span a, struct span b) {
  uint32_t length = a.end - a.begin;
  return a.source && b.source && length == b.end - b.begin &&
         memcmp(a.source->text + a.begin, b.source->text + b.begin, length) == 0;
}

/* The n-th operation that an earlier thread of the warpgroup issued by the same instruction; NULL: none. */
static struct operation *find_first(const struct walk *w, uint32_t n) {
  const struct skeleton *s = w->s;
  uint32_t thread = NO_THREAD;
  VEC_VALUES (o, &s->operations) {
    const struct event *issue = skeleton_event(s, o->issue);
    if (o->async->action != ASYNC_MMA || o->first || issue->thread == w->base.thread) continue;
    if (!skeleton_in_warpgroup(&s->program->threads[issue->thread], &s->program->threads[w->base.thread])) continue;
    if (thread == NO_THREAD) thread = issue->thread;
    if (issue->thread != thread || n--) continue;
    return is_same_text(event_instr(s, o->issue)->span, w->instr->span) ? o : NULL;
  }
  return NULL;
}

/* True if another thread of the warpgroup has already issued the same operation. */
static bool join_first(struct walk *w) {
  uint32_t earlier = 0;
  for (uint32_t i = 0; i + 1 < w->s->operations.len; i++) {
    const struct operation *o = w->s->operations.data[i];
    earlier += o->async->action == ASYNC_MMA && skeleton_event(w->s, o->issue)->thread == w->base.thread;
  }
  struct operation *first = w->instr->async->shaped ? find_first(w, earlier) : NULL;
  if (!first) return false;
  w->operation->first = first;
  w->operation->next = first->next;
  first->next = w->operation;
  return true;
}

bool walk_product_unasked(struct walk *w) {
  bool unasked = walk_own(w)->of_kernel || program_asks_safety(w->s->program);
  return unasked || walk_refuse(w, REASON_PRODUCT_VALUE, w->instr->span);
}

/* wgmma.mma_async: reads up to two matrices, and writes their product to a register, which may be used only after a
 * wait. For whole matrices the register represents all registers that the operation writes; its value is unknown. */
static void walk_mma(struct walk *w) {
  const struct async *a = w->instr->async;
  const struct address *addresses[] = {&a->from, &a->to};
  const struct byte_runs *runs[] = {&a->from_runs, &a->to_runs};
  struct bitset reads = walk_no_reads(w);
  struct range ranges[2];
  term_id product = term_const(w->terms, !a->shaped, w->instr->type.width);
  if (a->shaped && !walk_product_unasked(w)) return;
  for (unsigned i = 0; i < 2; i++)
    if (addresses[i]->base.kind != OPERAND_NONE && !operation_matrix(w, addresses[i], runs[i], &ranges[i])) return;
  refuse_unfenced(w);
  operation_issue(w);
  walk_access_product(w, w->operation->issue);
  bool joins = join_first(w);
  if (joins) bitset_add(reads, w->operation->issue);
  for (unsigned i = 0; i < 2 && !joins; i++) {
    struct pieces pieces = {0};
    if (addresses[i]->base.kind == OPERAND_NONE) continue;
    read_source(w, &ranges[i], UINT32_MAX, &pieces);
    for (uint32_t k = 0; k < pieces.list.len; k++) bitset_add(reads, pieces.list.data[k].event);
    if (!a->shaped && pieces.list.len)
      product = term_binary(w->terms, TERM_MUL, product,
                            term_resize(w->terms, pieces.list.data[0].value, w->instr->type.width, false));
  }
  walk_write_reg(w, w->instr->dst[0], product, false, reads);
}

void walk_async(struct walk *w) {
  static void (*const operations[])(struct walk *) = {
#define PTX_ASYNC(id, accesses, emit, refusal, tensor, collector) accesses,
#include "ptx/async.def"
  };
  uint32_t before = w->s->operations.len;
  operations[w->instr->async->action](w);
  if (w->s->operations.len > before) w->s->operations.data[before]->end = w->s->events.len;
}
