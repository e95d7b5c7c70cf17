/* mbarrier objects before any execution: the steps of each instruction on each object (docs/async.md, MB1-MB8), and the
 * bounds of the order of these steps. Addresses, counts and parities must be known once loops are unrolled. */
#include "exec/walk.h"

/* More operations on one object than this are refused: the order of n steps takes n squared variables. */
enum { USE_LIMIT = 256 };

/* ---- Operations ---- */

/* The state that an arrival returns is opaque: a constant that names the arrival. */
static const value_t state_mark = (value_t)0x6d62617272 << 24; /* the lowest bits: the number of the arrival */

enum { STATE_BITS = 24, NO_ARRIVAL = UINT32_MAX };

/* True for a state of an mbarrier object, which no test can contain as a constant. */
static bool is_state(value_t value) { return value >> STATE_BITS == state_mark >> STATE_BITS; }

term_id walk_opaque(struct walk *w, uint32_t reg, unsigned width) {
  term_id value = walk_read_reg(w, reg, width);
  const struct term *t = term_get(w->terms, value);
  bool opaque = width == 64 && t->op == TERM_CONST && is_state(t->constant);
  return opaque ? term_const(w->terms, state_mark, width) : value;
}

static bool find_object(const struct skeleton *s, value_t address, uint32_t *index) {
  for (uint32_t i = 0; i < s->program->view_count; i++) {
    *index = s->program->views[i].object;
    if (s->program->views[i].vaddr == address && s->program->objects[*index].is_mbarrier) return true;
  }
  return false;
}

uint32_t walk_mbarrier_number(struct walk *w, uint32_t object) {
  for (uint32_t i = 0; i < w->s->mbarriers.len; i++)
    if (w->s->mbarriers.data[i].object == object) return i;
  VEC_PUSH(w->s->arena, &w->s->mbarriers, (struct mbarrier_object){.object = object});
  return w->s->mbarriers.len - 1;
}

uint32_t walk_mbarrier_object(struct walk *w, const struct address *address) {
  const struct term *where = term_get(w->terms, walk_address(w, address, 0));
  uint32_t index = 0;
  bool is_one = walk_models(w, where->op == TERM_CONST, REASON_MBARRIER_ADDRESS) &&
                walk_needs(w, find_object(w->s, where->constant, &index), REASON_NO_MBARRIER);
  return is_one ? walk_mbarrier_number(w, index) : (uint32_t)NO_OBJECT;
}

uint32_t walk_mbarrier_home(const struct walk *w, uint32_t object) {
  return w->s->program->objects[w->s->mbarriers.data[object].object].owner;
}

bool walk_known(struct walk *w, const struct operand *operand, unsigned width, enum reason_id why, uint32_t *out) {
  const struct term *term = term_get(w->terms, walk_operand(w, operand, width));
  if (term->op != TERM_CONST) walk_refuse(w, why, w->instr->span);
  *out = (uint32_t)term->constant;
  return term->op == TERM_CONST;
}

int32_t walk_counted(struct walk *w, uint32_t count, bool each) {
  uint64_t all = (uint64_t)count * (each ? walk_own(w)->represents + 1ull : 1);
  return walk_needs(w, all <= MBARRIER_COUNT_LIMIT, REASON_MBARRIER_RANGE) ? (int32_t)all : 0;
}

static bool known_count(struct walk *w, const struct operand *operand, bool each, int32_t *out) {
  uint32_t count;
  if (operand->kind == OPERAND_NONE) return true;
  if (!walk_known(w, operand, 32, REASON_MBARRIER_COUNT, &count)) return false;
  *out = walk_counted(w, count, each);
  return true;
}

/* The arrival that returned a state, or NO_ARRIVAL. */
static uint32_t arrival_of(const struct walk *w, value_t state) {
  value_t event = state ^ state_mark;
  bool arrival = event < w->s->events.len && skeleton_event(w->s, (uint32_t)event)->kind == EVENT_SIGNAL;
  return arrival ? (uint32_t)event : NO_ARRIVAL;
}

/* Finds the phase that a test names. */
static bool known_phase(struct walk *w, struct mbarrier_use *use) {
  const struct mbarrier *mbarrier = w->instr->mbarrier;
  const struct term *term = term_get(w->terms, walk_operand(w, &mbarrier->phase, mbarrier->parity ? 32 : 64));
  use->parity = mbarrier->parity;
  if (term->op != TERM_CONST)
    return walk_refuse(w, mbarrier->parity ? REASON_PARITY_READ : REASON_STATE_MERGED, w->instr->span);
  use->phase = mbarrier->parity ? (uint32_t)term->constant & 1 : arrival_of(w, term->constant);
  if (mbarrier->parity && term->constant > 1) walk_hazard(w, w->base.exec, REASON_MBARRIER_PARITY);
  if (mbarrier->parity) return true;
  bool arrival = use->phase != NO_ARRIVAL && skeleton_event(w->s, use->phase)->use->object == use->object;
  return walk_needs(w, arrival, REASON_MBARRIER_STATE);
}

/* pending_count: no event; the count that the arrival found. */
static void walk_pending(struct walk *w) {
  const struct term *state = term_get(w->terms, walk_operand(w, &w->instr->mbarrier->phase, 64));
  if (!walk_models(w, state->op == TERM_CONST, REASON_STATE_MERGED)) return;
  uint32_t arrival = arrival_of(w, state->constant);
  bool pending = arrival != NO_ARRIVAL && skeleton_event(w->s, arrival)->use->no_complete;
  if (!walk_needs(w, pending, REASON_MBARRIER_PENDING)) return;
  struct bitset reads = walk_no_reads(w);
  bitset_add(reads, arrival);
  walk_write_reg(w, w->instr->dst[0], term_leaf(w->terms, TERM_PENDING, arrival, 32), false, reads);
}

static struct event signal_event(const struct walk *w, enum event_kind kind, const struct mbarrier_use *use) {
  struct event event = w->base;
  event.kind = kind;
  event.use = use;
  event.value = TERM_TRUE;
  return event;
}

/* A wait passes when its phase is complete; if threads need not end, it may also block, and then also has its event
 * (MB12). */
static void add_wait(struct walk *w, struct mbarrier_use *use) {
  uint32_t number = w->s->events.len;
  struct event test = signal_event(w, EVENT_TEST, use);
  use->waits = test.is_awaited = true;
  if (w->s->options.precise) {
    test.value = term_leaf(w->terms, TERM_PASS, number, 1);
    walk_passes(w, use->attempted, number);
  }
  bitset_add(w->path->control, walk_add_event(w, test));
}

static void walk_test(struct walk *w, struct mbarrier_use *use) {
  const struct mbarrier *mbarrier = w->instr->mbarrier;
  use->kind = USE_TEST;
  use->attempted = w->base.exec;
  use->at_will = mbarrier->action == MBARRIER_TRY;
  if (!known_phase(w, use)) return;
  if (mbarrier->action == MBARRIER_WAIT) {
    add_wait(w, use);
    return;
  }
  if (w->s->premises.fails && bitset_has(w->s->premises.fails[w->base.thread], w->base.instr)) {
    walk_write_reg(w, w->instr->dst[0], TERM_FALSE, false, walk_no_reads(w));
    return;
  }
  struct event test = signal_event(w, EVENT_TEST, use);
  test.value = term_leaf(w->terms, TERM_PASS, w->s->events.len, 1);
  uint32_t number = walk_add_event(w, test);
  struct bitset reads = walk_no_reads(w);
  bitset_add(reads, number);
  walk_write_reg(w, w->instr->dst[0], skeleton_event(w->s, number)->value, false, reads);
}

static void walk_signal(struct walk *w, struct mbarrier_use *use) {
  const struct mbarrier *mbarrier = w->instr->mbarrier;
  enum mbarrier_action action = mbarrier->action;
  bool each = action != MBARRIER_INIT;
  if (!known_count(w, &mbarrier->count, each, &use->arrivals) || !known_count(w, &mbarrier->bytes, each, &use->bytes))
    return;
  use->kind = action == MBARRIER_INIT ? USE_INIT : action == MBARRIER_INVAL ? USE_INVAL : USE_SIGNAL;
  if (action == MBARRIER_DROP) use->dropped = use->arrivals;
  if (action == MBARRIER_COMPLETE) use->bytes = -use->bytes;
  use->no_complete = mbarrier->no_complete;
  if ((action == MBARRIER_ARRIVE || action == MBARRIER_DROP || action == MBARRIER_INIT) && use->arrivals == 0)
    walk_hazard(w, w->base.exec, REASON_MBARRIER_ZERO);
  uint32_t number = walk_add_event(w, signal_event(w, EVENT_SIGNAL, use));
  walk_write_reg(w, w->instr->dst[0], term_const(w->terms, state_mark ^ number, 64), false, walk_no_reads(w));
}

void walk_mbarrier(struct walk *w) {
  const struct mbarrier *mbarrier = w->instr->mbarrier;
  enum mbarrier_action action = mbarrier->action;
  struct mbarrier_use *use = ARENA_NEW(w->s->arena, struct mbarrier_use);
  if (action == MBARRIER_PENDING) {
    walk_pending(w);
    return;
  }
  use->object = walk_mbarrier_object(w, &mbarrier->object);
  if (use->object == NO_OBJECT) return;
  bool own = walk_mbarrier_home(w, use->object) == walk_own(w)->cta_id;
  bool test = action == MBARRIER_TEST || action == MBARRIER_TRY || action == MBARRIER_WAIT;
  bool local = test || action == MBARRIER_INIT || action == MBARRIER_INVAL || mbarrier->no_complete;
  if (!walk_needs(w, own || !local, REASON_MBARRIER_OTHER_CTA)) return;
  if (!walk_needs(w, own || !mbarrier->own, REASON_MBARRIER_SPACE)) return;
  if (test) walk_test(w, use);
  else walk_signal(w, use);
}

/* ---- Objects ---- */

static const struct object *declared(const struct skeleton *s, const struct mbarrier_object *object) {
  return &s->program->objects[object->object];
}

static bool initialises(const struct skeleton *s, const struct mbarrier_object *object) {
  return SOME_BELOW(i, object->uses.len, skeleton_event(s, object->uses.data[i])->use->kind == USE_INIT);
}

/* Uses of an object that is never initialised are undefined. Counts the lives: all but the first begin after an end. */
static void count_lives(struct skeleton *s, struct mbarrier_object *object) {
  bool declared_so = declared(s, object)->expected > 0, initialised = declared_so || initialises(s, object);
  uint32_t begins = declared_so, ends = 0;
  VEC_VALUES (event, &object->uses) {
    enum use_kind kind = skeleton_event(s, event)->use->kind;
    const struct event *e = skeleton_event(s, event);
    if (!initialised) skeleton_event_hazard(s, e->exec, REASON_MBARRIER_NEVER, e);
    begins += kind == USE_INIT;
    ends += kind == USE_INVAL;
  }
  object->lives = begins <= ends + 1 ? begins : ends + 1;
  if (!object->lives) object->lives = 1;
}

/* The least count of an initialisation. */
static uint32_t least_expected(const struct skeleton *s, const struct mbarrier_object *object) {
  uint32_t expected = declared(s, object)->expected;
  for (uint32_t i = 0; i < object->uses.len; i++) {
    const struct mbarrier_use *use = skeleton_event(s, object->uses.data[i])->use;
    if (use->kind == USE_INIT && (!expected || (uint32_t)use->arrivals < expected)) expected = (uint32_t)use->arrivals;
  }
  return expected;
}

static uint32_t count_phases(const struct skeleton *s, const struct mbarrier_object *object) {
  uint32_t expected = least_expected(s, object), arrivals = 0, signals = 0;
  bool drops = false;
  for (uint32_t i = 0; i < object->uses.len; i++) {
    const struct mbarrier_use *use = s->events.data[object->uses.data[i]].use;
    if (use->kind != USE_SIGNAL) continue;
    signals++;
    drops |= use->dropped != 0;
    if (use->arrivals > 0) arrivals += (uint32_t)use->arrivals;
  }
  uint32_t complete = drops || !expected ? signals : arrivals / expected;
  return (complete < signals ? complete : signals) + 1;
}

void skeleton_mbarriers(struct skeleton *s) {
  for (uint32_t e = 0; e < s->events.len; e++)
    if (skeleton_event(s, e)->use) {
      struct mbarrier_object *object = &s->mbarriers.data[skeleton_event(s, e)->use->object];
      VEC_PUSH(s->arena, &object->uses, e);
      s->events.data[e].is_open = declared(s, object)->expected == 0;
    }
  VEC_EACH (object, &s->mbarriers) {
    count_lives(s, object);
    object->phases = count_phases(s, object);
    object->span = (object->phases + 2) & ~1u;
    for (uint32_t k = 0; k < object->uses.len; k++)
      s->events.data[object->uses.data[k]].phase_high =
          object->lives == 1 ? object->phases - 1 : object->lives * object->span - 1;
    if (object->uses.len > USE_LIMIT)
      skeleton_refuse(s, reason_get(REASON_MBARRIER_USES), event_instr(s, object->uses.data[USE_LIMIT])->span);
  }
}

/* ---- Bounds ---- */

/* True if the asynchronous arrival y of a later cp.async.mbarrier.arrive may come before arrival x (a reading). */
static bool is_overtaken(const struct skeleton *s, const struct event *x, const struct event *y) {
  bool arrives = !x->spawned && x->use && x->use->kind == USE_SIGNAL;
  return arrives && y->operation->async->action == ASYNC_ARRIVE && shape_reads(&s->options.shape, READING_OVERTAKEN);
}

bool skeleton_step_before(const struct skeleton *s, uint32_t a, uint32_t b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  if (y->spawned && is_overtaken(s, x, y)) return false;
  if (y->spawned) a = x->spawned ? a : a == y->operation->issue ? b : a, b = y->operation->issue;
  return (y->spawned && a == skeleton_event(s, b)->operation->issue) || bitmat_has(s->must[CAT_REL_PO], a, b);
}

/* True if the event is not a test, or a test that can only be true. */
static bool is_sure(const struct event *e) { return e->kind != EVENT_TEST || e->value == TERM_TRUE; }

static void bound_pair(struct skeleton *s, uint32_t a, uint32_t b) {
  const struct event *x = skeleton_event(s, a), *y = skeleton_event(s, b);
  bitmat_add(s->must[CAT_REL_SOBJ], a, b);
  bitmat_add(s->may[CAT_REL_SOBJ], a, b);
  if (a == b || skeleton_step_before(s, b, a)) return;
  bitmat_add(s->may[CAT_REL_MO], a, b);
  if (skeleton_step_before(s, a, b) && is_sure(x) && is_sure(y)) bitmat_add(s->must[CAT_REL_MO], a, b);
  if (x->use->kind == USE_SIGNAL && y->use->kind == USE_TEST) bitmat_add(s->may[CAT_REL_PHASE], a, b);
  if (x->use->kind == USE_SIGNAL && y->use->kind == USE_SIGNAL) bitmat_add(s->may[CAT_REL_NEXT_PHASE], a, b);
}

void bound_SOBJ(struct skeleton *s) {
  VEC_EACH (object, &s->mbarriers)
    for (uint32_t a = 0; a < object->uses.len; a++)
      for (uint32_t b = 0; b < object->uses.len; b++) bound_pair(s, object->uses.data[a], object->uses.data[b]);
}
