/* Free values: values that nothing in the model decides, so that they may be any. They are those of clocks (PTX
 * ISA 9.4, chapter 10: %clock, %clock64, %globaltimer and their halves), and results that are not modelled (K3): of
 * rounded functions, of textures, and what a kernel's threads without columns write or bring to an exchange.
 *
 * A free value is tracked up to a comparison, whose result is a free choice: one TERM_GO for each comparison, so that
 * both engines try both. What is not modelled has some value in each real execution, the same one at each use of a
 * register, and the choices include it: if no execution has a finding, no real one has. The opposite does not hold, and
 * findings of such a test are no findings (search_doubt).
 *
 * If an access, a barrier or an outcome depends on a clock in another way, the verdict is unknown. What is not modelled
 * may also be written to memory: the solver then chooses its bits; brute force does not answer. */
#include "exec/walk.h"

enum { NO_VALUE = UINT32_MAX };

/* The free value from which a term is computed, if possible one that is not modelled; NULL: none. Operands come before
 * the terms that use them. */
static const struct free_value *free_in(struct skeleton *s, term_id id) {
  struct free_values *free = &s->free;
  for (term_id next = free->terms.len; next <= id; next++) {
    const struct term *t = term_get(&s->terms, next);
    term_id operands[3];
    unsigned count = term_operands(&s->terms, next, operands);
    uint32_t made = t->op == TERM_FREE ? t->event + 1 : 0;
    for (unsigned i = 0; i < count; i++) {
      uint32_t other = free->terms.data[operands[i]];
      if (other && (!made || free->list.data[other - 1].why)) made = other;
    }
    VEC_PUSH(s->arena, &free->terms, made);
  }
  return free->terms.data[id] ? &free->list.data[free->terms.data[id] - 1] : NULL;
}

static term_id open_choice(struct walk *w, term_id comparison) {
  struct skeleton *s = w->s;
  for (uint32_t i = 0; i < s->free.tests.len; i++)
    if (s->free.tests.data[i].comparison == comparison) return s->free.tests.data[i].open;
  term_id open = term_leaf(w->terms, TERM_GO, s->go_threads.len, 1);
  VEC_PUSH(s->arena, &s->go_threads, NO_THREAD);
  const bool clock = !free_in(s, comparison)->why;
  VEC_PUSH(s->arena, &s->free.tests, ((struct free_test){.comparison = comparison, .open = open, .clock = clock}));
  return open;
}

term_id walk_free(struct walk *w, unsigned width, const struct reason *why) {
  struct free_values *free = &w->s->free;
  term_id leaf = term_leaf(w->terms, TERM_FREE, free->list.len, width);
  VEC_PUSH(w->s->arena, &free->list, ((struct free_value){why, w->instr->span}));
  return width == 1 ? open_choice(w, leaf) : leaf;
}

/* The innermost condition of free values inside a term, such as a comparison or a bit; 0 if there is none. */
static term_id find_comparison(struct skeleton *s, term_id id) {
  const struct term *t = term_get(&s->terms, id);
  term_id operands[3], found = 0;
  unsigned count = term_operands(&s->terms, id, operands);
  for (unsigned i = 0; i < count && !found; i++)
    if (free_in(s, operands[i])) found = find_comparison(s, operands[i]);
  return found || t->width > 1 || !count ? found : id;
}

term_id walk_open_free(struct walk *w, term_id id) {
  while (w->s->free.list.len && free_in(w->s, id)) {
    term_id comparison = find_comparison(w->s, id);
    if (!comparison) return id;
    id = term_substitute(w->terms, id, comparison, open_choice(w, comparison));
  }
  return id;
}

const struct reason *walk_float_of_free(struct walk *w) {
  if (!w->s->free.list.len || !walk_floats_unknown(w)) return NULL;
  EACH_READ (reg, w->instr) {
    const struct free_value *value = free_in(w->s, w->path->regs[reg].value);
    if (value && value->why) return value->why;
  }
  return NULL;
}

void walk_free_results(struct walk *w, const struct reason *why) {
  const struct instr *in = w->instr;
  struct bitset reads = walk_no_reads(w);
  EACH_READ (reg, in) {
    walk_read_reg(w, reg, walk_own(w)->regs[reg].type.width);
    bitset_or(reads, w->path->regs[reg].reads);
  }
  for (uint32_t i = 0; i < instr_result_count(in); i++) {
    uint32_t reg = instr_result(in, i);
    if (reg == NO_REG) continue;
    struct bitset own = in->kind == INSTR_BARRIER ? w->path->regs[reg].reads : reads;
    walk_write_reg(w, reg, walk_free(w, walk_own(w)->regs[reg].type.width, why), false, own);
  }
}

/* The result of a clock's comparison that a condition (which can hold) needs to hold; NO_VALUE: either. */
static term_id needed_for(struct walk *w, const struct free_test *test, term_id condition) {
  if (term_substitute(w->terms, condition, test->open, TERM_TRUE) == TERM_FALSE) return TERM_FALSE;
  return term_substitute(w->terms, condition, test->open, TERM_FALSE) == TERM_FALSE ? TERM_TRUE : NO_VALUE;
}

static void note_time_out(struct skeleton *s, struct span place) {
  uint32_t line = source_position(place.source, place.begin).line;
  VEC_VALUES (other, &s->time_outs)
    if (other.source == place.source && source_position(other.source, other.begin).line == line) return;
  VEC_PUSH(s->arena, &s->time_outs, place);
}

term_id walk_in_time(struct walk *w, term_id predicate) {
  struct skeleton *s = w->s;
  term_id late = w->instr->trap == TRAP_PASSED ? term_not(w->terms, predicate) : predicate;
  if (w->instr->trap == TRAP_NOWHERE || late == TERM_FALSE) return predicate;
  for (uint32_t i = 0; i < s->free.tests.len; i++) {
    term_id needed = needed_for(w, &s->free.tests.data[i], late);
    if (needed == NO_VALUE || !s->free.tests.data[i].clock) continue;
    s->free.tests.data[i].in_time = true;
    note_time_out(s, w->instr->span);
    term_id comes = term_and(w->terms, w->path->guard, late);
    VEC_PUSH(s->arena, &s->assumed, term_not(w->terms, comes));
    return term_substitute(w->terms, predicate, s->free.tests.data[i].open, term_not(w->terms, needed));
  }
  return predicate;
}

/* ---- Uses that are refused */

static void refuse_use(struct skeleton *s, const struct free_value *used, struct span span) {
  if (used) skeleton_refuse(s, used->why ? used->why : reason_get(REASON_CLOCK), used->why ? used->place : span);
}

/* A value that is not modelled may be written, and brought to an exchange or a bar.red. */
static void refuse_event(struct skeleton *s, const struct event *e, struct span span) {
  const term_id terms[] = {e->exec, e->reach, e->address, e->meeting.id, e->meeting.count, e->meeting.live};
  const struct free_value *value = free_in(s, e->value);
  for (size_t i = 0; i < ARRAY_LEN(terms); i++) refuse_use(s, free_in(s, terms[i]), span);
  if (!value) return;
  if (!value->why || (e->kind != EVENT_WRITE && e->kind != EVENT_ARRIVE)) refuse_use(s, value, span);
  s->free.opaque = value;
  s->free.stored = true;
}

void skeleton_refuse_free(struct skeleton *s) {
  if (!s->free.list.len) return;
  for (uint32_t i = 0; i < s->events.len; i++) refuse_event(s, skeleton_event(s, i), event_instr(s, i)->span);
  for (uint32_t i = 0; i < s->hazards.len; i++)
    refuse_use(s, free_in(s, s->hazards.data[i].when), s->hazards.data[i].span);
  for (uint32_t i = 0; i < s->ends.len; i++) refuse_use(s, free_in(s, s->ends.data[i].when), s->ends.data[i].span);
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (s->finals[i].is_term) refuse_use(s, free_in(s, s->finals[i].value), s->program->span);
  VEC_EACH (test, &s->free.tests)
    if (!test->clock) s->free.opaque = free_in(s, test->comparison);
}

/* ---- Ways that threads without columns may go
 *
 * A column represents threads that execute the same instructions (K5): they arrive with it at barriers, and issue with
 * it. Where a value that is not modelled decides that, through memory too, each of them may go another way. */

struct ways {
  struct skeleton *s;
  bool *terms, *reads; /* by term, and by event: such a value may decide it */
};

static bool parts_group(const struct ways *p, const struct term *t) {
  if (t->op != TERM_LANE && t->op != TERM_REDUCE) return false;
  return SOME(VEC_VALUES (arrival, &p->s->groups.data[skeleton_event(p->s, t->event)->meeting.group].arrivals),
              p->terms[skeleton_event(p->s, arrival)->value]);
}

static void part_terms(struct ways *p) {
  for (term_id id = 0; id < p->s->terms.list.len; id++) {
    const struct term *t = term_get(&p->s->terms, id);
    term_id operands[3];
    for (unsigned i = 0, count = term_operands(&p->s->terms, id, operands); i < count; i++)
      p->terms[id] = p->terms[id] || p->terms[operands[i]];
    p->terms[id] = p->terms[id] || (t->op == TERM_READ && p->reads[t->event]) || parts_group(p, t) ||
                   (t->op == TERM_FREE && p->s->free.list.data[t->event].why);
  }
}

/* True if there are more reads. */
static bool part_reads(struct ways *p) {
  bool any = false;
  EACH_EVENT_OF (w, write, p->s) {
    if (write->kind != EVENT_WRITE) continue;
    if (!p->terms[write->value] && !p->terms[write->exec] && !p->terms[write->address]) continue;
    EACH_EVENT_OF (r, read, p->s) {
      if (read->kind != EVENT_READ || p->reads[r] || !places_may_meet(read, write)) continue;
      p->reads[r] = any = true;
    }
  }
  return any;
}

void skeleton_refuse_parted(struct skeleton *s) {
  struct ways p = {s, ARENA_ARRAY(s->arena, bool, s->terms.list.len), ARENA_ARRAY(s->arena, bool, s->events.len)};
  if (!s->free.opaque || !s->program->test->behind) return;
  VEC_EACH (test, &s->free.tests) p.terms[test->open] = !test->clock;
  do part_terms(&p);
  while (part_reads(&p));
  EACH_EVENT_OF (n, e, s) {
    const struct barrier_part *m = &e->meeting;
    bool parted = p.terms[e->exec] || p.terms[m->id] || p.terms[m->count] || p.terms[m->live];
    if (parted && !event_is_basic(e)) skeleton_refuse(s, s->free.opaque->why, s->free.opaque->place);
  }
}
