/* When a gap of the document (gaps.def) bears on an explanation: a look at the steps, rules and events that it tells.
 */
#include <string.h>

#include "explain/look.h"
#include "explain/words.h"

/* ---- Fences ---- */

static bool is_fence(const struct event *e, enum sem one, enum sem other) {
  return e->kind == EVENT_FENCE && (e->sem == one || e->sem == other);
}

static bool ends_in_sc(const struct look *l, uint32_t a, uint32_t b) {
  return is_fence(event_of(l, a), SEM_SC, SEM_SC) || is_fence(event_of(l, b), SEM_SC, SEM_SC);
}

static bool ends_in_half(const struct look *l, uint32_t a, uint32_t b) {
  return is_fence(event_of(l, a), SEM_ACQUIRE, SEM_RELEASE) || is_fence(event_of(l, b), SEM_ACQUIRE, SEM_RELEASE);
}

static bool ends_in_fence(const struct look *l, uint32_t a, uint32_t b) {
  return event_of(l, a)->kind == EVENT_FENCE || event_of(l, b)->kind == EVENT_FENCE;
}

static bool scopes_differ(const struct look *l, uint32_t a, uint32_t b) {
  return event_of(l, a)->scope != event_of(l, b)->scope;
}

static bool fence_sc_in_pattern(const struct look *l) { return some_rule(l, "-pattern", ends_in_sc); }
static bool half_fence_in_pattern(const struct look *l) { return some_rule(l, "-pattern", ends_in_half); }
static bool fence_ends(const struct look *l) {
  return some_rule(l, "-pattern", ends_in_fence) || some_step(l, "sc", NULL);
}
static bool fence_sc_scopes(const struct look *l) {
  return some_step(l, "sc", scopes_differ) || some_missing(l, "the two fence.sc are not ordered");
}

/* ---- Barriers ---- */

static bool of_warp(const struct look *l, uint32_t a, uint32_t b) {
  (void)b;
  return event_of(l, a)->barrier->kind == BARRIER_WARP;
}

static bool has_count(const struct look *l, uint32_t a, uint32_t b) {
  (void)b;
  return event_of(l, a)->barrier->kind == BARRIER_CTA && event_of(l, a)->barrier->count.kind != OPERAND_NONE;
}

static bool barrier_step(const struct look *l) { return some_step(l, "bar", NULL); }
static bool warp_barrier_step(const struct look *l) { return some_step(l, "bar", of_warp); }
static bool exchanges(const struct look *l, uint32_t a, uint32_t b) {
  (void)b;
  return event_of(l, a)->kind == EVENT_ARRIVE && event_of(l, a)->barrier->kind == BARRIER_LANES;
}

/* A wait of a warp that is told, and a lane of its mask that does not come to it. */
static bool is_let_through(const struct look *l, uint32_t event, const struct event *e) {
  if (e->kind != EVENT_WAIT || e->barrier->kind != BARRIER_WARP || l->x->phase[e->partner] == NO_PHASE) return false;
  uint32_t came = 0;
  const struct barrier_group *group = &l->skeleton->groups.data[e->group];
  (void)event;
  for (uint32_t i = 0; i < group->arrivals.len; i++)
    came += l->x->phase[group->arrivals.data[i]] == l->x->phase[e->partner];
  return came < group->members;
}

static bool exchange_step(const struct look *l) { return some_step(l, "phase-order", exchanges); }
static bool ended_lane(const struct look *l) { return some_event(l, is_let_through); }
static bool relaxed_arrival(const struct look *l) { return some_step(l, "bar-relaxed", NULL); }
static bool counted_barrier(const struct look *l) {
  return some_step(l, "bar", has_count) || some_step(l, "phase-order", NULL);
}

/* ---- Proxies, addresses, scopes ---- */

static bool is_proxied(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return event_is_memory(e) && e->proxy != PROXY_GENERIC && e->proxy != PROXY_ASYNC && e->proxy != PROXY_TENSORMAP &&
         e->proxy != PROXY_TMEM;
}

static bool is_aliased(const struct look *l, uint32_t event, const struct event *e) {
  (void)e;
  for (uint32_t i = 0; i < l->out->events.len; i++)
    if (bitmat_has(l->x->loc, event, told_at(l, i)) && !bitmat_has(l->x->vloc, event, told_at(l, i))) return true;
  return false;
}

static bool is_aliased_and_proxied(const struct look *l, uint32_t event, const struct event *e) {
  return is_proxied(l, event, e) && is_aliased(l, event, e);
}

static bool is_scope_cut(const struct look *l, uint32_t event, const struct event *e) {
  const struct program *program = l->skeleton->program;
  if (e->thread == NO_THREAD || e->scope != SCOPE_CLUSTER) return false;
  const char *text = words_instr(l->story->arena, program, e->thread, e->instr);
  if (event_instr(l->skeleton, event)->space == SPACE_SHARED && (strstr(text, ".gpu") || strstr(text, ".sys")))
    return true;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    bool together = program->threads[t].cluster_id == program->threads[e->thread].cluster_id;
    if (together && program->threads[t].cta_id != program->threads[e->thread].cta_id) return false;
  }
  return true;
}

static bool other_proxy(const struct look *l) { return some_event(l, is_proxied); }
static bool alias_and_proxy(const struct look *l) { return some_event(l, is_aliased_and_proxied); }
static bool aliased(const struct look *l) { return some_event(l, is_aliased); }
static bool scope_of_space(const struct look *l) { return some_event(l, is_scope_cut); }

/* A wide fence on either side of a write and a read that are not morally strong. */
static bool is_narrow_flag(const struct look *l, uint32_t w, uint32_t r) {
  const char *why;
  struct bitmat po = l->skeleton->must[CAT_REL_PO];
  if (!event_is_strong(event_of(l, w)) || !event_is_strong(event_of(l, r))) return false;
  if (words_morally_strong(l->story->arena, l->x, w, r, &why)) return false;
  for (uint32_t f = 0; f < l->skeleton->first_init; f++)
    for (uint32_t g = 0; g < l->skeleton->first_init; g++) {
      bool fences = event_of(l, f)->kind == EVENT_FENCE && event_of(l, g)->kind == EVENT_FENCE;
      if (!fences || !bitmat_has(po, f, w) || !bitmat_has(po, r, g)) continue;
      if (words_morally_strong(l->story->arena, l->x, f, g, &why)) return true;
    }
  return false;
}

static bool narrow_flag(const struct look *l) {
  return l->out->kind == EXPLAIN_ALLOWED && some_step(l, "rf", is_narrow_flag);
}

/* ---- Causality, coherence ---- */

/* What causality contributes is program order of one thread: all steps but one are. */
static bool program_order_alone(const struct look *l) {
  uint32_t others = 0;
  if (l->out->kind != EXPLAIN_FORBIDDEN || !l->out->violated || !l->out->steps.len) return false;
  if (!strstr(l->out->violated, "Causality") && !strstr(l->out->violated, "Coherence-8.10.1")) return false;
  for (uint32_t i = 0; i < l->out->steps.len; i++) others += strcmp(l->out->steps.data[i].relation, "po") != 0;
  return others <= 1;
}

static bool per_location(const struct look *l) { return some_axiom(l, "SC-per-Location"); }

static bool racy_order(const struct look *l) {
  const struct ask *p = l->story->ask;
  if (l->out->kind != EXPLAIN_ALLOWED) return false;
  for (uint32_t c = 0; p->last && c < l->skeleton->chunk_count; c++) {
    if (p->last[c] == NO_EVENT) continue;
    struct bitset maximal = bitset_new(l->story->arena, l->skeleton->n);
    execution_maximal(l->x, c, maximal);
    if (bitset_count(maximal) > 1) return true;
  }
  return some_missing(l, "unordered in coherence");
}

static bool reads_initial(const struct look *l, uint32_t read, uint32_t write) {
  (void)write;
  for (uint32_t w = l->skeleton->first_init; w < l->skeleton->n; w++)
    if (bitmat_has(l->x->rf, w, read)) return true;
  return false;
}

static bool initial_value(const struct look *l) { return some_step(l, "fr", reads_initial); }

static bool reads_shared_start(const struct look *l, uint32_t event, const struct event *e) {
  const struct program *program = l->skeleton->program;
  if (e->kind != EVENT_READ || !reads_initial(l, event, 0) || l->x->place[event] == NO_PLACE) return false;
  uint32_t at = e->places[l->x->place[event]].phys;
  for (uint32_t i = 0; i < program->object_count; i++) {
    const struct object *o = &program->objects[i];
    if (at >= o->phys && at < o->phys + o->size) return o->space == SPACE_SHARED;
  }
  return false;
}

static bool shared_at_start(const struct look *l) { return some_event(l, reads_shared_start); }

/* ---- Atomics, vectors, other instructions ---- */

static bool is_red(const struct look *l, uint32_t event, const struct event *e) {
  (void)l, (void)event;
  return e->is_red;
}

static bool writes_no_change(const struct look *l, uint32_t event, const struct event *e) {
  if (!e->is_rmw) return false;
  if (e->kind == EVENT_READ) return !bitset_has(l->x->exec, e->partner);
  return e->kind == EVENT_WRITE && l->x->values[event] == l->x->values[e->partner];
}

static bool starts_at_unused_atom(const struct look *l, uint32_t a, uint32_t b) {
  (void)b;
  const struct instr *in = event_instr(l->skeleton, a);
  return in && in->kind == INSTR_ATOM && event_of(l, a)->kind == EVENT_READ && in->dst[0] == NO_REG;
}

static bool is_vector(const struct look *l, uint32_t event, const struct event *e) {
  return e->thread != NO_THREAD && event_is_memory(e) &&
         (event_instr(l->skeleton, event)->elements > 1 || e->size == 16);
}

static bool is_multimem(const struct look *l, uint32_t event, const struct event *e) {
  return e->thread != NO_THREAD && event_instr(l->skeleton, event)->kind == INSTR_MULTIMEM;
}

static bool is_split(const struct look *l, uint32_t event, const struct event *e) {
  if (!e->is_rmw || e->kind != EVENT_READ || !bitset_has(l->x->exec, e->partner)) return false;
  for (uint32_t w = 0; w < l->skeleton->first_init; w++)
    if (bitmat_has(l->x->fr, event, w) && bitmat_has(l->x->co, w, e->partner)) return true;
  return false;
}

static bool both_volatile(const struct look *l, uint32_t a, uint32_t b) {
  return event_of(l, a)->is_volatile && event_of(l, b)->is_volatile;
}

static bool begins_by_access(const struct look *l, uint32_t a, uint32_t b) {
  return a != b && event_is_memory(event_of(l, a)) && event_is_memory(event_of(l, b));
}

static bool red_told(const struct look *l) { return some_event(l, is_red); }
static bool atom_without_result(const struct look *l) { return some_rule(l, "acquire-pattern", starts_at_unused_atom); }
static bool writes_or_not(const struct look *l) { return some_event(l, writes_no_change); }
static bool vector_told(const struct look *l) { return some_event(l, is_vector); }
static bool multimem_told(const struct look *l) { return some_event(l, is_multimem); }
static bool split_atomic(const struct look *l) { return l->out->kind == EXPLAIN_ALLOWED && some_event(l, is_split); }
static bool volatile_order(const struct look *l) {
  return l->out->kind == EXPLAIN_ALLOWED && some_step(l, "po", both_volatile);
}
static bool pattern_by_access(const struct look *l) { return some_rule(l, "-pattern", begins_by_access); }
/* Only where the test is undefined: ptx/reasons.def. */
/* Where the verdict rests on another reading: api_readings.c asks. */
static bool by_verdict(const struct look *l) { return !l; }
static bool by_reason(const struct look *l) { return l->out->kind == EXPLAIN_UNDEFINED; }

/* ---- Values ---- */

static bool threads_differ(const struct look *l, uint32_t a, uint32_t b) {
  return event_of(l, a)->thread != event_of(l, b)->thread;
}

static bool dependencies(const struct look *l) { return some_axiom(l, "No-Thin-Air"); }
static bool dependency_across(const struct look *l) {
  return some_step(l, "data", threads_differ);
}

/* A value of more than one byte that a weak access of another thread may meet: torn, it could be others. */
static bool torn_value(const struct look *l) {
  const struct skeleton *s = l->skeleton;
  if (l->out->kind != EXPLAIN_UNREACHABLE) return false;
  for (uint32_t w = 0; w < s->first_init; w++) {
    const struct event *e = skeleton_event(s, w);
    if (e->kind != EVENT_WRITE || e->size < 2 || !term_is_const(&s->terms, e->value)) continue;
    if (term_get(&s->terms, e->value)->constant <= 0xff) continue;
    for (uint32_t r = 0; r < s->first_init; r++)
      if (bitmat_has(s->may[CAT_REL_RF], w, r) && threads_differ(l, w, r) &&
          (!event_is_strong(e) || !event_is_strong(skeleton_event(s, r))))
        return true;
  }
  return false;
}

/* ---- All of them ---- */

static const struct {
  struct explain_gap gap;
  bool (*bears)(const struct look *look);
} rows[] = {
#define GAP(number, test, section, question, decision) {{number, section, question, decision}, test},
#include "explain/gaps.def"
#undef GAP
};

void story_gaps(struct story *s) {
  struct look look = {s, s->out, s->ask->skeleton, s->ask->execution};
  if (!story_is_ptx(s->ask->model)) return;
  for (size_t i = 0; i < ARRAY_LEN(rows); i++)
    if (rows[i].bears(&look)) VEC_PUSH(s->arena, &s->out->gaps, rows[i].gap);
}

const struct explain_gap *explain_all_gaps(struct arena *arena, size_t *count) {
  struct explain_gap *all = ARENA_ARRAY(arena, struct explain_gap, ARRAY_LEN(rows));
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) all[i] = rows[i].gap;
  *count = ARRAY_LEN(rows);
  return all;
}

void gaps_add(struct arena *arena, uint32_t number, struct explanation *out) {
  for (uint32_t i = 0; i < out->gaps.len; i++)
    if (out->gaps.data[i].number == number) return;
  for (size_t k = 0; k < ARRAY_LEN(rows); k++)
    if (rows[k].gap.number == number) VEC_PUSH(arena, &out->gaps, rows[k].gap);
}

void gaps_undefined(struct arena *arena, const struct model *model, struct explanation *out) {
  if (out->kind != EXPLAIN_UNDEFINED || !story_is_ptx(model) || out->gaps.len) return;
  for (size_t i = 0; i < ARRAY_LEN(out->result->reason->gaps); i++) gaps_add(arena, out->result->reason->gaps[i], out);
}
