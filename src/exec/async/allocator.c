/* Allocates columns of tensor memory if the order of warps determines the columns that each gets (9.7.18.7;
 * docs/async.md AG4): several warps of a CTA allocate, or an allocation waits for another to be freed. A word of the
 * CTA that no test names has a bit for each 32 columns: tcgen05.alloc and .dealloc change it atomically and relaxed,
 * and an allocation spins on it until there is room, as a loop would. So the allocated columns are an ordinary value.
 * Each allocation's operations access columns of its own beyond those of the hardware, so that no address depends on
 * the order of warps: no allocation may read cells that another one left, and an address outside of one's own columns
 * is refused. */
#include "exec/async/tensor.h"

enum { UNIT = 32, UNITS = TENSOR_COLUMNS / UNIT, RELINQUISHED = 1 << UNITS, WORD = 32 };

/* ---- The CTAs that need the word ---- */

/* True if another warp of the CTA has such an instruction. */
static bool other_warp(const struct walk *w, enum async_action action) {
  const struct program *program = w->s->program;
  ARRAY_EACH (other, program->threads, program->thread_count)
    if (other->cta_id == walk_own(w)->cta_id && other->warp_id != walk_own(w)->warp_id)
      for (uint32_t i = 0; i < other->instr_count; i++)
        if (other->instrs[i].kind == INSTR_ASYNC && other->instrs[i].async->action == action) return true;
  return false;
}

bool allocator_decides(struct walk *w, bool full, bool before) {
  struct tensor_plan *plan = w->s->premises.tensor;
  uint64_t own = (uint64_t)1 << walk_own(w)->cta_id % 64;
  bool needs = full || other_warp(w, ASYNC_TENSOR_ALLOC) || other_warp(w, ASYNC_TENSOR_RELINQUISH) ||
               (before && other_warp(w, ASYNC_TENSOR_FREE));
  plan->grew |= needs && !(plan->shared & own);
  if (needs) plan->shared |= own;
  return (plan->shared & own) != 0;
}

bool allocator_rules(const struct walk *w) { return w->s->premises.tensor->shared >> walk_own(w)->cta_id % 64 & 1; }

/* ---- Allocations, by warp ---- */

/* Finds an allocation by warp and number: the k-th allocation of each lane is the same one, of the warp. */
static const struct given_columns *find_given(const struct found *found, const struct given_columns *as) {
  return VEC_FIND(g, &found->given, g->warp == as->warp && g->number == as->number);
}

/* The number of allocations of a thread so far: those of its warp, since all its lanes execute them. */
static uint32_t count_given(const struct walk *w) {
  return COUNT(EACH_EVENT_OF (e, event, w->s),
               event->columns && !event->columns->frees && event->thread == w->base.thread);
}

/* The first of an allocation's own columns; 0: there are too many allocations before it. */
static uint32_t give(struct walk *w, uint32_t count) {
  struct tensor_plan *plan = w->s->premises.tensor;
  struct given_columns as = {walk_own(w)->cta_id, walk_own(w)->warp_id, count_given(w), TENSOR_COLUMNS, count};
  const struct given_columns *known = find_given(&plan->next, &as);
  if (!known) known = w->facts ? find_given(&plan->now, &as) : NULL;
  if (known) return known->begin;
  for (uint32_t i = 0; i < plan->next.given.len; i++)
    as.begin += plan->next.given.data[i].cta == as.cta ? TENSOR_APART : 0;
  if (as.begin + TENSOR_APART > TENSOR_WIDTH) return 0;
  if (!w->facts) VEC_PUSH(plan->arena, &plan->next.given, as);
  return as.begin;
}

bool allocator_owns(const struct walk *w, uint32_t cta, const struct rectangle *cells) {
  const struct tensor_plan *plan = w->s->premises.tensor;
  const struct found *found[] = {&plan->now, &plan->next};
  for (uint32_t i = 0; i < 2 * (plan->now.given.len + plan->next.given.len); i++) {
    const struct found *of = found[i % 2];
    if (i / 2 >= of->given.len) continue;
    const struct given_columns *g = &of->given.data[i / 2];
    if (g->cta == cta && cells->column >= g->begin && cells->column + cells->columns <= g->begin + g->count)
      return true;
  }
  return false;
}

/* True if all allocations of the CTA fit at once. */
static bool fits_always(const struct walk *w) {
  const struct found *found = &w->s->premises.tensor->now;
  uint32_t sum = COUNT(for (uint32_t i = 0; i < found->given.len; i++),
                       found->given.data[i].cta == walk_own(w)->cta_id ? found->given.data[i].count : 0);
  return sum && sum <= TENSOR_COLUMNS;
}

/* ---- The word ---- */

static term_id word(struct walk *w, uint32_t value) { return term_const(w->terms, value, WORD); }

/* `element` distinguishes the accesses of an instruction: the poll, the update, and the store of the address. */
static struct event word_access(const struct walk *w, enum event_kind kind, bool updates) {
  struct event event = w->base;
  event.kind = kind;
  event.element = updates;
  event.is_rmw = updates;
  event.proxy = PROXY_GENERIC;
  event.sem = SEM_RELAXED;
  event.scope = SCOPE_CTA;
  event.size = WORD / 8;
  event.in_allocator = true;
  for (uint32_t i = 0; i < w->s->program->view_count; i++) {
    const struct object *object = skeleton_object(w->s, &w->s->program->views[i]);
    if (object->is_allocator && object->owner == walk_own(w)->cta_id)
      event.address = term_const(w->terms, w->s->program->views[i].vaddr, 64);
  }
  return event;
}

static uint32_t read_word(struct walk *w, bool updates) {
  struct event event = word_access(w, EVENT_READ, updates);
  event.partner = updates ? w->s->events.len + 1 : NO_PARTNER;
  event.value = term_leaf(w->terms, TERM_READ, w->s->events.len, WORD);
  return walk_add_event(w, event);
}

/* Adds the write of the atomic whose read was just added. */
static void write_word(struct walk *w, term_id value, struct bitset reads) {
  struct event event = word_access(w, EVENT_WRITE, true);
  event.partner = w->s->events.len - 1;
  event.value = value;
  bitset_add(reads, event.partner);
  walk_depend(w, CAT_REL_DATA, reads, walk_add_event(w, event));
}

static term_id is_relinquished(struct walk *w, term_id taken) {
  term_id bit = term_and(w->terms, taken, word(w, RELINQUISHED));
  return term_not(w->terms, term_eq(w->terms, bit, word(w, 0)));
}

/* The lowest position with `columns` free columns. *fits: there is one, or no warp may allocate any more. */
static term_id lowest(struct walk *w, term_id taken, uint32_t columns, term_id *fits) {
  struct terms *t = w->terms;
  uint32_t units = columns / UNIT;
  term_id begin = word(w, 0);
  *fits = is_relinquished(w, taken);
  for (uint32_t at = UNITS - units + 1; at-- > 0;) {
    term_id there = term_and(t, taken, word(w, ((1u << units) - 1) << at));
    term_id none = term_eq(t, there, word(w, 0));
    begin = term_ite(t, none, word(w, at * UNIT), begin);
    *fits = term_or(t, *fits, none);
  }
  return begin;
}

static term_id bits_at(struct walk *w, term_id begin, uint32_t columns) {
  term_id by = term_binary(w->terms, TERM_SHR, begin, word(w, 5));
  return term_binary(w->terms, TERM_SHL, word(w, (1u << columns / UNIT) - 1), by);
}

/* Adds the ending in which the thread spins because the word that it reads shows too few free columns. */
static void spin(struct walk *w, uint32_t columns) {
  struct skeleton *s = w->s;
  uint32_t read = read_word(w, false);
  term_id fits;
  lowest(w, skeleton_event(s, read)->value, columns, &fits);
  term_id spins = term_and(w->terms, w->base.exec, term_not(w->terms, fits));
  struct ending ending = {.kind = ENDING_SPIN,
                          .when = spins,
                          .wait = NO_PARTNER,
                          .thread = w->base.thread,
                          .instr = w->base.instr,
                          .first_event = read,
                          .end_event = read + 1,
                          .span = w->instr->span};
  VEC_PUSH(s->arena, &s->ends, ending);
  w->path->reach = term_and(w->terms, w->path->reach, fits);
  w->base.reach = term_and(w->terms, w->base.reach, fits);
  if (!s->options.precise) return;
  w->path->guard = term_and(w->terms, w->path->guard, fits);
  w->base.exec = term_and(w->terms, w->base.exec, fits);
}

bool allocator_take(struct walk *w, uint32_t columns, bool first, struct allocation *out) {
  if (w->instr->async->tensor->paired) return walk_refuse(w, REASON_TENSOR_WARPS, w->instr->span);
  out->begin = give(w, columns);
  out->reads = walk_no_reads(w);
  out->address = word(w, 0);
  if (!out->begin) return walk_refuse(w, REASON_TENSOR_FULL, w->instr->span);
  if (!first) return true;
  if (!fits_always(w)) spin(w, columns);
  uint32_t read = read_word(w, true);
  term_id old = skeleton_event(w->s, read)->value, fits;
  out->address = lowest(w, old, columns, &fits);
  write_word(w, term_or(w->terms, old, bits_at(w, out->address, columns)), walk_no_reads(w));
  bitset_add(out->reads, read);
  /* if too few columns are free since the poll, the thread reads the word again: another execution has that */
  if (!fits_always(w)) VEC_PUSH(w->s->arena, &w->s->assumed, term_or(w->terms, term_not(w->terms, w->base.exec), fits));
  walk_hazard(w, term_and(w->terms, w->base.exec, is_relinquished(w, old)), REASON_TENSOR_RELINQUISHED);
  return true;
}

void allocator_free(struct walk *w, uint32_t columns) {
  const struct operand *from = &w->instr->async->from.base;
  struct bitset reads = walk_no_reads(w);
  term_id bits = bits_at(w, walk_operand(w, from, WORD), columns);
  walk_add_reads(w, reads, from);
  term_id old = skeleton_event(w->s, read_word(w, true))->value;
  write_word(w, term_and(w->terms, old, term_not(w->terms, bits)), reads);
}

void allocator_relinquish(struct walk *w) {
  term_id old = skeleton_event(w->s, read_word(w, true))->value;
  write_word(w, term_or(w->terms, old, word(w, RELINQUISHED)), walk_no_reads(w));
}

/* ---- Addresses ---- */

void allocator_expect(struct walk *w, term_id where) {
  struct awaited_address as = {where, w->base.exec, w->base.thread, w->base.instr};
  if (!w->facts) VEC_PUSH(w->s->arena, &w->s->premises.tensor->expected, as);
}

/* The value that an allocation wrote to a place as its address; 0: none did. */
static term_id left_at(const struct skeleton *s, term_id place) {
  EACH_EVENT_OF (e, event, s)
    if (event->columns && event->kind == EVENT_WRITE && event->address == place) return event->value;
  return TERM_FALSE;
}

void allocator_check(struct walk *w) {
  struct skeleton *s = w->s;
  VEC_EACH (as, &s->premises.tensor->expected) {
    bool *made_of = ARENA_ARRAY(s->arena, bool, as->where + 1);
    term_id real = as->where;
    made_of[as->where] = true;
    term_close(w->terms, made_of, as->where + 1);
    for (term_id id = 0; id <= as->where; id++) {
      const struct term t = *term_get(w->terms, id);
      term_id left = made_of[id] && t.op == TERM_READ ? left_at(s, skeleton_event(s, t.event)->address) : TERM_FALSE;
      if (left) real = term_substitute(w->terms, real, id, term_resize(w->terms, left, t.width, false));
    }
    term_id other = term_not(w->terms, term_eq(w->terms, as->where, real));
    skeleton_hazard(s, term_and(w->terms, as->exec, other), reason_get(REASON_TENSOR_OTHER), as->thread, as->instr);
  }
}

bool skeleton_waits_for_columns(const struct skeleton *s, const struct ending *ending) {
  return ending->kind == ENDING_SPIN && ending->first_event < ending->end_event &&
         skeleton_event(s, ending->first_event)->in_allocator;
}
