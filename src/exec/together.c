/* Loops that threads repeat together (K12): while a vote or a bar.red on values that they read has some result; or
 * while a word of shared memory has one that a thread of the CTA tells the others. All of them get the same value, so
 * they leave the loop in the same iteration; and an iteration that all repeat without any other effect can be left out.
 *
 * A word tells a value if one thread writes it in each iteration, then all threads of the CTA pass a barrier and read
 * it, and they pass another one before it is written again. Each iteration that is repeated then finds in the word what
 * it has written itself: no other write comes between the two barriers (8.9.5: a read after them in causality returns
 * the last write before it, and no later one). The next iteration overwrites the word before anyone else may read it,
 * so nobody misses the write. Whether an iteration that is left out races is asked of other executions
 * (skeleton_with_spins). */
#include "exec/walk.h"

#include "term/depend.h"

void walk_agree(struct walk *w, term_id result, uint32_t wait) {
  VEC_PUSH(w->s->arena, &w->agreed, ((struct agreed){result, wait}));
}

static bool meets(const struct event *e) { return e->kind == EVENT_ARRIVE || e->kind == EVENT_WAIT; }

/* True if a term says that a wait of the iteration lets its thread through, or that it does not block it. */
static bool is_let_through(struct walk *w, const struct iteration *iteration, term_id term) {
  const struct term *t = term_get(w->terms, term);
  if (t->op == TERM_PASS) return t->event >= iteration->first;
  for (uint32_t i = w->s->ends.len; i-- > 0;) {
    const struct ending *ending = &w->s->ends.data[i];
    if (ending->kind != ENDING_BLOCKED || ending->wait < iteration->first) continue;
    if (ending->thread == w->base.thread && term_not(w->terms, ending->when) == term) return true;
  }
  return false;
}

/* The part of a term besides that the iteration happens and its waits let the thread through; `asked` stays whole. */
static term_id rest_of(struct walk *w, const struct iteration *iteration, term_id term, term_id asked) {
  const struct term t = *term_get(w->terms, term);
  if (term == asked) return asked;
  if (term == iteration->guard || term == TERM_TRUE || is_let_through(w, iteration, term)) return TERM_TRUE;
  if (t.op == TERM_AND && t.width == 1)
    return term_and(w->terms, rest_of(w, iteration, t.a, asked), rest_of(w, iteration, t.b, asked));
  return skeleton_forces(w->s, iteration->guard, term) ? TERM_TRUE : term;
}

static bool always_happens(struct walk *w, const struct iteration *iteration, const struct event *e) {
  return rest_of(w, iteration, e->exec, TERM_TRUE) == TERM_TRUE;
}

/* True if a write does not happen in an iteration that is repeated, as that of a cas that fails. */
static bool is_left_undone(struct walk *w, const struct iteration *iteration, uint32_t write,
                           const struct heard *told) {
  enum { EFFORT = 1000 };
  term_id taken = iteration->taken, exec = skeleton_event(w->s, write)->exec;
  if (walk_write_effect(w, write) == TERM_FALSE) return true;
  if (told->store == NO_PARTNER) return false;
  taken = term_substitute(w->terms, taken, skeleton_event(w->s, told->read)->value,
                          skeleton_event(w->s, told->store)->value);
  const struct term asked = *term_get(w->terms, rest_of(w, iteration, taken, TERM_TRUE));
  if (asked.op == TERM_EQ && term_op_is_leaf(term_get(w->terms, asked.a)->op) && term_is_const(w->terms, asked.b))
    exec = term_substitute(w->terms, exec, asked.a, asked.b);
  return term_never_holds(w->terms, term_and(w->terms, taken, exec), EFFORT);
}

/* True if the iteration only reads, tells a word, and waits at barriers that it always reaches. */
static bool only_looks(struct walk *w, const struct iteration *iteration, const struct heard *told) {
  for (uint32_t i = iteration->first; i < w->s->events.len; i++) {
    const struct event *e = skeleton_event(w->s, i);
    bool quiet = e->kind == EVENT_READ || e->kind == EVENT_FENCE || e->kind == EVENT_PROXY_FENCE || i == told->store;
    bool whole = e->kind == EVENT_WAIT || (e->kind == EVENT_ARRIVE && e->partner != NO_PARTNER);
    if (e->kind == EVENT_WRITE && !quiet) quiet = is_left_undone(w, iteration, i, told);
    if (!quiet && !whole) return false;
    if (e->operation || e->use || (meets(e) && e->meeting.barrier->kind == BARRIER_CLUSTER)) return false;
    if (e->kind == EVENT_ARRIVE && !always_happens(w, iteration, e)) return false;
  }
  return true;
}

static void note(struct walk *w, const struct iteration *iteration, struct together together) {
  together.first_event = iteration->first;
  together.end_event = w->s->events.len;
  VEC_PUSH(w->s->arena, &w->s->together, together);
}

/* True if the iteration is repeated if and only if a result has the value, or if and only if it has not. */
static bool follows_value(struct walk *w, const struct iteration *iteration, const struct agreed *agreed,
                          value_t value) {
  unsigned width = term_get(w->terms, agreed->result)->width;
  term_id equal = term_eq(w->terms, agreed->result, term_const(w->terms, value, width));
  if (width == 1) equal = value ? agreed->result : term_not(w->terms, agreed->result);
  term_id other = term_not(w->terms, equal);
  bool until = width > 1 && rest_of(w, iteration, iteration->taken, other) == other;
  if (!until && rest_of(w, iteration, iteration->taken, equal) != equal) return false;
  note(w, iteration,
       (struct together){.wait = agreed->wait, .value = value, .until = until, .told = {NO_PARTNER, NO_PARTNER}});
  return true;
}

/* ---- Words that tell a value ---- */

/* An arrival or a wait at a barrier of all threads of the CTA. */
static bool is_of_cta(const struct event *e) {
  return meets(e) && e->partner != NO_PARTNER && e->meeting.barrier->kind == BARRIER_CTA &&
         e->meeting.barrier->count.kind == OPERAND_NONE;
}

static bool is_plain(const struct event *e) {
  return !e->is_rmw && !e->spawned && e->proxy == PROXY_GENERIC && e->scope == SCOPE_NONE;
}

/* Finds the thread's own write before a read, and the wait between them, or before the read of what another thread
 * writes; without a wait the word is the thread's own. False: the read hears nothing. */
static bool hears(struct walk *w, const struct iteration *iteration, struct together *out) {
  const struct event *read = skeleton_event(w->s, out->told.read);
  if (read->kind != EVENT_READ || !is_plain(read) || !always_happens(w, iteration, read)) return false;
  out->wait = NO_PARTNER;
  for (uint32_t i = iteration->first; i < out->told.read; i++) {
    const struct event *e = skeleton_event(w->s, i);
    bool tells = e->kind == EVENT_WRITE && is_plain(e) && e->address == read->address && e->size == read->size;
    if (tells && always_happens(w, iteration, e)) out->told.store = i, out->wait = NO_PARTNER;
    if (e->kind == EVENT_WAIT) out->wait = is_of_cta(e) ? i : (uint32_t)NO_PARTNER;
  }
  return out->wait != NO_PARTNER || out->told.store != NO_PARTNER;
}

/* True if all threads pass a barrier between the read and the next write of an iteration; `alone`: other threads may
 * not access the word before the first one, since all of it comes after that write. */
static bool is_apart(const struct walk *w, const struct iteration *iteration, struct together *out) {
  bool tells = out->told.store != NO_PARTNER, apart = !tells || out->wait == NO_PARTNER;
  out->alone = tells;
  for (uint32_t i = iteration->first; i < w->s->events.len && out->wait != NO_PARTNER; i++) {
    const struct event *e = skeleton_event(w->s, i);
    if (e->kind != EVENT_WAIT || !is_of_cta(e) || (i >= out->told.store && i <= out->told.read)) continue;
    apart = true;
    if (i < out->told.store) out->alone = false;
  }
  return apart;
}

static bool follows_word(struct walk *w, const struct iteration *iteration, uint32_t read) {
  struct together together = {.told = {read, NO_PARTNER}};
  if (!hears(w, iteration, &together) || !is_apart(w, iteration, &together)) return false;
  together.asked = rest_of(w, iteration, iteration->taken, TERM_TRUE);
  if (!only_looks(w, iteration, &together.told)) return false;
  note(w, iteration, together);
  return true;
}

bool walk_repeats_together(struct walk *w, const struct iteration *iteration) {
  if (!w->s->premises.together) return false;
  for (uint32_t i = w->agreed.len; i-- > 0 && w->agreed.data[i].wait >= iteration->first;) {
    const struct agreed *agreed = &w->agreed.data[i];
    uint32_t arrival = skeleton_event(w->s, agreed->wait)->partner;
    value_t named = term_get(w->terms, skeleton_event(w->s, arrival)->meeting.id)->constant;
    bool wide = term_get(w->terms, agreed->result)->width > 1;
    if (!only_looks(w, iteration, &(struct heard){NO_PARTNER, NO_PARTNER})) return false;
    if (follows_value(w, iteration, agreed, 0) || follows_value(w, iteration, agreed, wide ? named : 1)) return true;
  }
  for (uint32_t i = w->s->events.len; i-- > iteration->first && w->s->premises.together == TOGETHER_WORDS;)
    if (follows_word(w, iteration, i)) return true;
  return false;
}

/* ---- All threads ---- */

static const struct together *of_event(const struct skeleton *s, uint32_t event) {
  return VEC_FIND(e, &s->together, e->first_event <= event && event < e->end_event);
}

/* True if both read one word, and repeat for the same values of it. */
static bool hear_alike(struct skeleton *s, const struct together *a, const struct together *b) {
  const struct event *x = skeleton_event(s, a->told.read), *y = skeleton_event(s, b->told.read);
  bool one = x->place_count == 1 && y->place_count == 1 && x->places->phys == y->places->phys && x->size == y->size;
  return one && term_substitute(&s->terms, b->asked, y->value, x->value) == a->asked;
}

static bool are_alike(struct skeleton *s, const struct together *a, const struct together *b) {
  if (a == b || a->wait == NO_PARTNER || b->wait == NO_PARTNER) return a == b;
  uint32_t x = skeleton_event(s, a->wait)->partner, y = skeleton_event(s, b->wait)->partner;
  bool words = a->told.read != NO_PARTNER;
  if (words != (b->told.read != NO_PARTNER) || !skeleton_must_share(s, x, y)) return false;
  return words ? hear_alike(s, a, b) : a->value == b->value && a->until == b->until;
}

/* True if all threads with which an arrival may share a phase repeat such an iteration; for a word, if all threads of
 * the CTA arrive there in one. */
static bool meets_alike(struct skeleton *s, const struct together *together, uint32_t arrival) {
  const struct barrier_group *group = &s->groups.data[skeleton_event(s, arrival)->meeting.group];
  const bool word = together->told.read != NO_PARTNER;
  uint32_t threads = 1;
  VEC_VALUES (other, &group->arrivals) {
    if (other == arrival || !skeleton_may_share(s, arrival, other)) continue;
    const struct together *its = of_event(s, other);
    if (!its || !are_alike(s, together, its) || (word && !skeleton_must_share(s, arrival, other))) return false;
    threads++;
  }
  return !word || threads == group->members;
}

static bool may_have(const struct event *e, const struct event *read) {
  return SOME_BELOW(k, e->place_count,
                    e->places[k].phys < read->places->phys + read->size &&
                        read->places->phys < e->places[k].phys + e->size);
}

/* The number of threads that the word is for. */
static uint32_t hearers_of(const struct skeleton *s, const struct together *together) {
  if (together->wait == NO_PARTNER) return 1;
  uint32_t arrival = skeleton_event(s, together->wait)->partner;
  return s->groups.data[skeleton_event(s, arrival)->meeting.group].members;
}

/* True if a thread has surely passed a barrier of the CTA after its read of the word, when it comes to a later event;
 * then all threads have read the word. */
static bool is_behind(const struct skeleton *s, const struct together *its, uint32_t event) {
  for (uint32_t i = its->told.read; i < event; i++) {
    const struct event *e = skeleton_event(s, i);
    if (e->kind == EVENT_WAIT && is_of_cta(e) && skeleton_forces(s, skeleton_event(s, event)->exec, e->exec))
      return true;
  }
  return its->wait == NO_PARTNER;
}

/* True if an access to the word outside of such an iteration neither sees its writes nor is seen by its reads. */
static bool is_outside(struct skeleton *s, const struct together *teller, uint32_t event) {
  const struct event *e = skeleton_event(s, event);
  if (e->spawned || (teller->alone && e->thread != skeleton_event(s, teller->told.read)->thread)) return false;
  for (uint32_t i = 0; i < s->together.len; i++) {
    const struct together *its = &s->together.data[i];
    if (skeleton_event(s, its->first_event)->thread != e->thread || !are_alike(s, teller, its)) continue;
    return event < its->first_event || e->kind == EVENT_READ || is_behind(s, its, event);
  }
  return false;
}

/* True if one thread writes the word in such an iteration of all threads of its CTA, and no write of another one may be
 * read in its place. */
static bool tells_all(struct skeleton *s, const struct together *together) {
  const struct event *read = skeleton_event(s, together->told.read);
  const struct together *teller = NULL;
  uint32_t hearers = 0, tellers = 0;
  for (uint32_t i = 0; i < s->together.len; i++) {
    const struct together *other = &s->together.data[i];
    if (other->told.read == NO_PARTNER || !are_alike(s, together, other)) continue;
    hearers++;
    if (other->told.store != NO_PARTNER) teller = other, tellers++;
  }
  if (tellers != 1 || hearers != hearers_of(s, together)) return false;
  EACH_EVENT_OF (i, e, s) {
    const struct together *its = of_event(s, i);
    if (i == teller->told.store || !may_have(e, read)) continue;
    bool inside = its && its->told.read != NO_PARTNER && are_alike(s, together, its);
    if (inside ? i != its->told.read : !is_outside(s, teller, i)) return false;
  }
  return true;
}

bool skeleton_leaves_alike(const struct skeleton *s, const struct event *arrival) {
  bool inside = false;
  if (!s->options.spins_of) return false;
  EACH_EVENT_OF (i, e, s->options.spins_of) {
    if (e->kind != EVENT_ARRIVE || e->thread != arrival->thread || e->instr != arrival->instr) continue;
    if (!of_event(s->options.spins_of, i)) return false;
    inside = true;
  }
  return inside;
}

bool skeleton_repeats_alike(struct skeleton *s) {
  for (uint32_t i = 0; i < s->together.len; i++) {
    if (s->together.data[i].told.read != NO_PARTNER && !tells_all(s, &s->together.data[i])) return false;
    for (uint32_t e = s->together.data[i].first_event; e < s->together.data[i].end_event; e++)
      if (skeleton_event(s, e)->kind == EVENT_ARRIVE && !meets_alike(s, &s->together.data[i], e)) return false;
  }
  return true;
}
