/* Clocks (PTX ISA 9.4, chapter 10: %clock, %clock64, %globaltimer and their halves). Each read of a clock returns any
 * value. Values computed from it are tracked up to a comparison, whose result is a free choice: one TERM_GO for each
 * comparison. If an access, a barrier or an outcome depends on a clock in another way, the verdict is unknown. */
#include "exec/walk.h"

enum { NO_VALUE = UINT32_MAX };

term_id walk_clock(struct walk *w, unsigned width) {
  return term_leaf(w->terms, TERM_CLOCK, w->s->clocks.reads++, width);
}

/* True if a term is computed from a clock. Operands come before the terms that use them. */
static bool has_clock(struct skeleton *s, term_id id) {
  for (term_id next = s->clocks.terms.len; next <= id; next++) {
    const struct term *t = term_get(&s->terms, next);
    term_id operands[3];
    unsigned count = term_operands(&s->terms, next, operands);
    bool made = t->op == TERM_CLOCK;
    for (unsigned i = 0; i < count; i++) made |= s->clocks.terms.data[operands[i]];
    VEC_PUSH(s->arena, &s->clocks.terms, made);
  }
  return s->clocks.terms.data[id];
}

/* A comparison of values computed from clocks, inside a term; 0 if there is none. */
static term_id find_comparison(struct skeleton *s, term_id id) {
  const struct term *t = term_get(&s->terms, id);
  term_id operands[3], found = 0;
  unsigned count = term_operands(&s->terms, id, operands);
  bool compares = t->op == TERM_EQ || t->op == TERM_ULT || t->op == TERM_SLT;
  for (unsigned i = 0; i < count && !found; i++)
    if (has_clock(s, operands[i])) found = find_comparison(s, operands[i]);
  return found || !compares ? found : id;
}

static term_id opened(struct walk *w, term_id comparison) {
  struct skeleton *s = w->s;
  for (uint32_t i = 0; i < s->clocks.tests.len; i++)
    if (s->clocks.tests.data[i].comparison == comparison) return s->clocks.tests.data[i].open;
  term_id open = term_leaf(w->terms, TERM_GO, s->go_threads.len, 1);
  VEC_PUSH(s->arena, &s->go_threads, NO_THREAD);
  VEC_PUSH(s->arena, &s->clocks.tests, ((struct clock_test){.comparison = comparison, .open = open}));
  return open;
}

term_id walk_open_clocks(struct walk *w, term_id id) {
  while (w->s->clocks.reads && has_clock(w->s, id)) {
    term_id comparison = find_comparison(w->s, id);
    if (!comparison) return id;
    id = term_substitute(w->terms, id, comparison, opened(w, comparison));
  }
  return id;
}

/* The result of a clock's comparison that a condition (which can hold) needs to hold; NO_VALUE: either. */
static term_id needed_for(struct walk *w, const struct clock_test *test, term_id condition) {
  if (term_substitute(w->terms, condition, test->open, TERM_TRUE) == TERM_FALSE) return TERM_FALSE;
  return term_substitute(w->terms, condition, test->open, TERM_FALSE) == TERM_FALSE ? TERM_TRUE : NO_VALUE;
}

static void note_time_out(struct skeleton *s, struct span place) {
  uint32_t line = source_position(place.source, place.begin).line;
  for (uint32_t i = 0; i < s->time_outs.len; i++) {
    struct span other = s->time_outs.data[i];
    if (other.source == place.source && source_position(other.source, other.begin).line == line) return;
  }
  VEC_PUSH(s->arena, &s->time_outs, place);
}

term_id walk_in_time(struct walk *w, term_id predicate) {
  struct skeleton *s = w->s;
  term_id late = w->instr->trap == TRAP_PASSED ? term_not(w->terms, predicate) : predicate;
  if (w->instr->trap == TRAP_NOWHERE || late == TERM_FALSE) return predicate;
  for (uint32_t i = 0; i < s->clocks.tests.len; i++) {
    term_id needed = needed_for(w, &s->clocks.tests.data[i], late);
    if (needed == NO_VALUE) continue;
    s->clocks.tests.data[i].in_time = true;
    note_time_out(s, w->instr->span);
    term_id comes = term_and(w->terms, w->path->guard, late);
    VEC_PUSH(s->arena, &s->assumed, term_not(w->terms, comes));
    return term_substitute(w->terms, predicate, s->clocks.tests.data[i].open, term_not(w->terms, needed));
  }
  return predicate;
}

static bool event_has_clock(struct skeleton *s, const struct event *e) {
  const term_id terms[] = {e->exec, e->reach, e->address, e->value, e->meeting.id, e->meeting.count, e->meeting.live};
  for (size_t i = 0; i < ARRAY_LEN(terms); i++)
    if (has_clock(s, terms[i])) return true;
  return false;
}

void skeleton_refuse_clocks(struct skeleton *s) {
  if (!s->clocks.reads) return;
  const struct reason *why = reason_get(REASON_CLOCK);
  for (uint32_t i = 0; i < s->events.len; i++)
    if (event_has_clock(s, skeleton_event(s, i))) skeleton_refuse(s, why, event_instr(s, i)->span);
  for (uint32_t i = 0; i < s->hazards.len; i++)
    if (has_clock(s, s->hazards.data[i].when)) skeleton_refuse(s, why, s->hazards.data[i].span);
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (has_clock(s, s->ends.data[i].when)) skeleton_refuse(s, why, s->ends.data[i].span);
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (s->finals[i].is_term && has_clock(s, s->finals[i].value)) skeleton_refuse(s, why, s->program->span);
}
