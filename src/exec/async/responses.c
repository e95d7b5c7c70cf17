/* Responses of clusterlaunchcontrol.try_cancel (PTX ISA 9.4, 9.7.15.18): 16 opaque bytes, which say that a CTA is
 * canceled, or that none is. A response is one of two constants that no test writes, chosen by a TERM_GO, so that all
 * threads that load it agree. The verdict on a test that uses more of it than query_cancel.is_canceled is unknown. */
#include "exec/walk.h"

enum { RESPONSE_BITS = 128 };

static term_id response_that(struct terms *terms, bool canceled) {
  return term_const(terms, response_value(canceled), RESPONSE_BITS);
}

static term_id open_choice(struct walk *w) {
  term_id open = term_leaf(w->terms, TERM_GO, w->s->go_threads.len, 1);
  VEC_PUSH(w->s->arena, &w->s->go_threads, NO_THREAD);
  return open;
}

/* ---- Clusters that are canceled ---- */

/* The other cluster of a grid of kernels that has two; NO_THREAD: all clusters run, since no request of the test may
 * cancel any (kernel/run.c refuses larger grids). */
static uint32_t other_cluster(const struct program *p, const struct thread *own) {
  uint32_t other = NO_THREAD;
  bool requests = false;
  for (uint32_t t = 0; t < p->thread_count && own->of_kernel; t++) {
    const struct thread *thread = &p->threads[t];
    if (thread->grid != own->grid || thread->gpu_id != own->gpu_id) continue;
    if (thread->cluster_id != own->cluster_id) other = thread->cluster_id;
    for (uint32_t i = 0; i < thread->instr_count; i++)
      requests |= thread->instrs[i].kind == INSTR_ASYNC && thread->instrs[i].async->action == ASYNC_CANCEL;
  }
  return requests ? other : NO_THREAD;
}

term_id walk_runs(struct walk *w, uint32_t thread) {
  const struct program *p = w->s->program;
  const struct thread *own = &p->threads[thread];
  if (other_cluster(p, own) == NO_THREAD) return TERM_TRUE;
  if (!w->s->requests.runs) {
    w->s->requests.runs = ARENA_ARRAY(w->s->arena, term_id, p->thread_count);
    for (uint32_t i = 0; i < p->thread_count; i++) w->s->requests.runs[i] = TERM_TRUE;
  }
  if (w->s->requests.runs[own->cluster_id] == TERM_TRUE) w->s->requests.runs[own->cluster_id] = open_choice(w);
  return w->s->requests.runs[own->cluster_id];
}

/* A cluster runs unless exactly one request of the other one cancels it (9.7.15.18). */
void walk_cancellations(struct walk *w) {
  struct skeleton *s = w->s;
  for (uint32_t t = 0; t < s->program->thread_count && s->requests.runs; t++) {
    uint32_t other = other_cluster(s->program, &s->program->threads[t]);
    term_id runs = s->requests.runs[s->program->threads[t].cluster_id], canceled = TERM_FALSE;
    if (runs == TERM_TRUE) continue;
    VEC_EACH (c, &s->requests.cancellations) {
      if (c->cluster != other) continue;
      term_id twice = term_and(w->terms, canceled, c->when);
      VEC_PUSH(s->arena, &s->assumed, term_not(w->terms, twice));
      canceled = term_or(w->terms, canceled, c->when);
    }
    term_id either = term_eq(w->terms, runs, term_not(w->terms, canceled));
    VEC_PUSH(s->arena, &s->assumed, either);
  }
}

term_id walk_response(struct walk *w) {
  term_id yes = response_that(w->terms, true), no = response_that(w->terms, false), open = open_choice(w);
  struct cancellation own = {walk_own(w)->cluster_id, term_and(w->terms, w->base.exec, open)};
  VEC_PUSH(w->s->arena, &w->s->requests.cancellations, own);
  w->s->requests.any = true;
  return term_ite(w->terms, open, yes, no);
}

term_id walk_query(struct walk *w, term_id response) {
  struct terms *t = w->terms;
  term_id yes = term_eq(t, response, response_that(t, true));
  term_id no = term_eq(t, response, response_that(t, false));
  term_id neither = term_not(t, term_or(t, yes, no));
  walk_hazard(w, term_and(t, w->base.exec, neither), REASON_RESPONSE_QUERY);
  if (w->instr->alu == ALU_IS_CANCELED) return yes;
  walk_hazard(w, term_and(t, w->base.exec, no), REASON_RESPONSE_FAILED);
  return term_resize(t, response, 32, false); /* any number: it must not be needed */
}

/* ---- Uses that are refused ---- */

static bool is_written(const struct event *e) {
  return e->kind == EVENT_WRITE && e->spawned && e->operation->async->action == ASYNC_CANCEL;
}

/* True if an access may touch bytes that may hold a response. */
static bool meets_response(const struct skeleton *s, uint32_t phys, uint32_t size) {
  EACH_EVENT_OF (i, e, s)
    for (uint32_t k = 0; k < e->place_count && is_written(e); k++)
      if (e->places[k].phys < phys + size && phys < e->places[k].phys + e->size) return true;
  return false;
}

static bool reads_response(const struct skeleton *s, const struct event *read) {
  return SOME_BELOW(i, read->place_count, meets_response(s, read->places[i].phys, read->size));
}

/* By term. bytes: its value needs bytes of a response; uses: an operation on them does, other than one that only moves
 * them. */
struct demand {
  bool bytes, uses;
};

/* True if each bit of the term is a bit of an operand, or 0: so compilers put a response together from halves. */
static bool moves(const struct skeleton *s, const struct term *t) {
  if (t->op == TERM_SHL || t->op == TERM_SHR) return term_is_const(&s->terms, t->b);
  if (t->op == TERM_AND) return term_is_const(&s->terms, t->a) || term_is_const(&s->terms, t->b);
  return t->op == TERM_ZEXT || t->op == TERM_OR;
}

/* True if the term is the comparison that a query makes. Its constant may be either operand. */
static bool asks(const struct skeleton *s, const struct term *t, term_id *response) {
  if (t->op != TERM_EQ) return false;
  const struct term *a = term_get(&s->terms, t->a), *b = term_get(&s->terms, t->b);
  const struct term *mark = a->op == TERM_CONST ? a : b;
  *response = mark == a ? t->b : t->a;
  return mark->op == TERM_CONST && mark->width == RESPONSE_BITS &&
         (mark->constant == response_value(true) || mark->constant == response_value(false));
}

static struct demand demand_of(const struct skeleton *s, const struct demand *needs, term_id id) {
  const struct term *t = term_get(&s->terms, id);
  term_id operands[3], response;
  struct demand own = {0};
  unsigned count = term_operands(&s->terms, id, operands);
  if (t->op == TERM_READ) own.bytes = reads_response(s, skeleton_event(s, t->event));
  if (asks(s, t, &response)) return (struct demand){needs[response].uses, needs[response].uses};
  for (unsigned i = 0; i < count; i++) own.bytes |= needs[operands[i]].bytes, own.uses |= needs[operands[i]].uses;
  if (t->op == TERM_ITE) own.uses |= needs[t->a].bytes;
  else if (!moves(s, t)) own.uses = count && own.bytes;
  return own;
}

static bool event_needs(const struct demand *needs, const struct event *e) {
  const term_id terms[] = {e->exec, e->reach, e->address, e->value, e->meeting.id, e->meeting.count, e->meeting.live};
  return SOME_BELOW(i, ARRAY_LEN(terms), needs[terms[i]].bytes && !(e->kind == EVENT_READ && terms[i] == e->value));
}

/* True if a thread has made requests since an event: a loop of requests ends once no CTA remains to be canceled, at an
 * unknown time. */
static bool requests_since(const struct skeleton *s, uint32_t thread, uint32_t first) {
  return SOME(for (uint32_t e = first; e < s->events.len; e++),
              skeleton_event(s, e)->thread == thread && is_written(skeleton_event(s, e)));
}

static bool ending_needs(const struct skeleton *s, const struct demand *needs, const struct ending *ending) {
  return SOME(ARRAY_EACH (lap, ending->laps, ending->lap_count),
              needs[lap->same].bytes || requests_since(s, ending->thread, lap->first_event)) ||
         needs[ending->when].bytes;
}

static bool final_needs(const struct skeleton *s, const struct demand *needs, const struct final *final) {
  if (final->is_term) return needs[final->value].bytes;
  return SOME(for (uint32_t c = final->chunk_begin; c < final->chunk_end; c++),
              meets_response(s, s->chunks[c].phys, s->chunks[c].size));
}

void skeleton_refuse_responses(struct skeleton *s) {
  if (!s->requests.any) return;
  const struct reason *why = reason_get(REASON_RESPONSE);
  struct demand *needs = ARENA_ARRAY(s->arena, struct demand, s->terms.list.len);
  for (term_id id = 0; id < s->terms.list.len; id++) needs[id] = demand_of(s, needs, id);
  EACH_EVENT_OF (i, e, s)
    if (e->thread != NO_THREAD && e->exec != TERM_FALSE && event_needs(needs, e))
      skeleton_refuse(s, why, event_instr(s, i)->span);
  for (uint32_t i = 0; i < s->hazards.len; i++)
    if (needs[s->hazards.data[i].when].bytes) skeleton_refuse(s, why, s->hazards.data[i].span);
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (ending_needs(s, needs, &s->ends.data[i])) skeleton_refuse(s, why, s->ends.data[i].span);
  for (uint32_t i = 0; i < s->program->observed_count; i++)
    if (final_needs(s, needs, &s->finals[i])) skeleton_refuse(s, why, s->program->span);
}
