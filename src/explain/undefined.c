/* Explains why a program is undefined, or its verdict unknown: the instructions, the rule or limit, an execution that
 * reaches it, and the changes that would help. */

#include "explain/races.h"
#include "explain/story.h"
#include "explain/words.h"
#include "ptx/matrix.h"

/* ---- Instructions by their place ---- */

static bool same_place(struct span a, struct span b) { return a.source == b.source && a.begin == b.begin; }

/* Counts instructions of the source: `beq` is one, though it is lowered to two. */
static uint32_t add_instr(struct arena *arena, struct explanation *out, uint32_t thread, uint32_t instr,
                          const char *what) {
  struct explain_event told = {.event = NO_EVENT, .thread = thread, .instr = instr, .what = what};
  const struct instr *instrs = out->result->program->threads[thread].instrs;
  for (uint32_t i = 0; i < out->events.len; i++) {
    const struct explain_event *e = &out->events.data[i];
    if (e->thread == thread && same_place(instrs[e->instr].span, instrs[instr].span)) return i;
  }
  VEC_PUSH(arena, &out->events, told);
  return out->events.len - 1;
}

/* The instructions that begin at the place of the reason. */
static void add_placed(struct teller *h) {
  const struct program *program = h->out->result->program;
  struct span place = h->out->result->place;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++)
      if (place.source && same_place(program->threads[t].instrs[i].span, place)) add_instr(h->arena, h->out, t, i, "");
}

static uint32_t add_event(struct teller *h, const struct ask *p, uint32_t event) {
  const struct event *e = skeleton_event(p->skeleton, event);
  const char *effect = p->status == RUN_INVALID ? "" : words_effect(h->arena, p->execution, event);
  return add_instr(h->arena, h->out, e->thread, e->instr, effect);
}

/* ---- Races ---- */

struct explain_clause clause_rule(const struct cat_clause *clause) {
  return (struct explain_clause){clause->section, clause->title, clause->rule};
}

static void add_pair(struct teller *h, const struct race *race, const char *text, const char *cure) {
  const char *accesses = *race->location ? arena_printf(h->arena, "accesses %s", race->location) : "";
  struct explain_missing missing = {.text = text, .cure = cure};
  missing.from = add_instr(h->arena, h->out, race->pair.thread_a, race->pair.instr_a, accesses);
  missing.to = add_instr(h->arena, h->out, race->pair.thread_b, race->pair.instr_b, accesses);
  VEC_PUSH(h->arena, &h->out->missing, missing);
  if (!h->out->history) h->out->history = race->history;
}

static void add_rule(struct teller *h, const struct cat_clause *clause) {
  if (!clause || h->out->advice) return;
  h->out->clause = clause_rule(clause);
  h->out->advice = clause->cure;
  if (clause->gap) gaps_add(h->arena, clause->gap, h->out);
}

/* Adds a pair of accesses that breaks a rule about pairs. */
static void add_broken(struct teller *h, const struct race *race, const struct cat_clause *clause) {
  add_pair(h, race, clause->missing, NULL);
  add_rule(h, clause);
}

/* races_find covers executions that end. If only an execution that hangs breaks a clause, the result gives the
 * instructions. */
static void tell_raised(struct teller *h) {
  const struct result *r = h->out->result;
  VEC_EACH (raised, &r->raised) {
    const struct cat_clause *clause = raised->role == CAT_UNDEFINED ? cat_clause(raised->name) : NULL;
    for (uint32_t k = 0; clause && k < raised->pair_count; k++) {
      const struct raised_pair *pair = &raised->pairs[k];
      if (pair->thread_a == NO_THREAD || pair->thread_b == NO_THREAD) continue;
      add_broken(h, &(struct race){.pair = *pair, .location = ""}, clause);
    }
  }
}

/* Adds a race with the path that should order the accesses. */
static void add_race(struct teller *h, const struct race *race) {
  const char *order = race->missing.len ? race->missing.data[0].text : "nothing leads from one to the other";
  bool twice = race->not_strong && strstr(order, race->not_strong);
  const char *weak = race->not_strong && !twice ? arena_printf(h->arena, "%s; ", race->not_strong) : "";
  add_pair(h, race, arena_printf(h->arena, "%s%s", weak, order), race->missing.len ? race->missing.data[0].cure : NULL);
}

static void tell_races(struct teller *h) {
  struct explanation *out = h->out;
  struct races races;
  struct check_options options = h->options;
  const struct cat_clause *of_race = NULL;
  options.timeout = base_left(h->deadline);
  races_find(h->arena, out->result->program, out->result->model, &options, &races);
  VEC_EACH (race, &races.list) {
    if (!race->undefined) continue;
    const struct cat_clause *clause = cat_clause(race->clause);
    if (clause && !clause->race) {
      add_broken(h, race, clause);
      continue;
    }
    add_race(h, race);
    if (!of_race) of_race = clause;
  }
  if (races.incomplete) out->incomplete = races.incomplete;
  if (!out->missing.len) tell_raised(h);
  if (out->missing.len) add_rule(h, of_race);
}

/* ---- Undefined or unknown ---- */

static bool executes(const struct ask *p, const struct aligned_step *step) {
  return p->execution->terms[step->exec] != 0;
}

/* A thread's executed step of a number, of those of warpgroups or of all; NULL: it has fewer. */
static const struct aligned_step *step_at(const struct ask *p, uint32_t thread, uint32_t number, bool group) {
  const struct instr *instrs = p->program->threads[thread].instrs;
  VEC_EACH (step, &p->skeleton->aligned) {
    bool counts = step->thread == thread && executes(p, step);
    if (counts && (!group || instrs[step->instr].aligned == ALIGNED_WARPGROUP) && number-- == 0) return step;
  }
  return NULL;
}

/* A lane of the warp, or of the warpgroup, that does not execute the instruction of a step: what it does instead. */
static void tell_lane(struct teller *h, const struct ask *p, const struct aligned_step *at, uint32_t thread) {
  const struct thread *own = &p->program->threads[at->thread], *t = &p->program->threads[thread];
  bool warp = t->warp_id == own->warp_id, group = own->instrs[at->instr].aligned == ALIGNED_WARPGROUP;
  uint32_t number = 0;
  if (thread == at->thread || !(warp || (group && skeleton_in_warpgroup(t, own)))) return;
  while (step_at(p, at->thread, number, !warp) != at) number++;
  const struct aligned_step *other = step_at(p, thread, number, !warp);
  if (other && aligned_same(own, at->instr, t, other->instr)) return;
  const char *who = warp ? "a lane of the same warp" : "of the same warpgroup";
  const char *does = other ? "executes another instruction in its place" : "does not execute it";
  struct explain_missing missing = {.text = arena_printf(h->arena, "P%u, %s, %s", t->number, who, does)};
  missing.from = missing.to = add_instr(h->arena, h->out, at->thread, at->instr, "");
  if (other) missing.to = add_instr(h->arena, h->out, thread, other->instr, "");
  VEC_PUSH(h->arena, &h->out->missing, missing);
}

static void tell_lanes(struct teller *h, const struct ask *p, struct span place) {
  const struct thread *threads = p->program->threads;
  const struct aligned_step *at = NULL;
  VEC_EACH (step, &p->skeleton->aligned)
    if (!at && executes(p, step) && same_place(threads[step->thread].instrs[step->instr].span, place)) at = step;
  for (uint32_t t = 0; t < p->program->thread_count && at; t++) tell_lane(h, p, at, t);
}

/* The event of a hazard that happens in the present execution, or NO_EVENT. */
static uint32_t event_at(const struct ask *p, struct span span, bool barrier) {
  EACH_THREAD_EVENT (e, at, p->skeleton) {
    struct span here = event_instr(p->skeleton, e)->span;
    bool kind = barrier == (at->kind == EVENT_ARRIVE || at->kind == EVENT_WAIT);
    if (here.source == span.source && here.begin == span.begin && kind && bitset_has(p->execution->exec, e)) return e;
  }
  return NO_EVENT;
}

static void tell_hazard(struct teller *h, const struct ask *p, const struct fault *hazard) {
  uint32_t event = event_at(p, hazard->place, true);
  bool barrier = event != NO_EVENT;
  if (!barrier) event = event_at(p, hazard->place, false);
  if (event == NO_EVENT) add_placed(h);
  else add_event(h, p, event);
  bool diverges = hazard->reason->id == REASON_DIVERGENT_BARRIER || hazard->reason->id == REASON_DIVERGENT_MATRIX;
  if (diverges) tell_lanes(h, p, hazard->place);
}

/* If misused arrivals make the phases inconsistent, there is no execution to show. */
static bool try_faults(struct teller *h, struct ask *p) {
  for (uint32_t i = 0; i < ask_fault_count(p); i++) {
    struct fault fault = ask_fault(p, i);
    const struct result *r = h->out->result;
    if (fault.reason->id != r->reason->id || !same_place(fault.place, r->place)) continue;
    if (ask_find(p, fault.when, LIT_TRUE, NULL) != SAT_YES) continue;
    if (fault.arrivals[0] == NO_EVENT) tell_hazard(h, p, &fault);
    for (int k = 0; k < 2 && fault.arrivals[k] != NO_EVENT; k++) add_event(h, p, fault.arrivals[k]);
    if (p->status != RUN_INVALID) h->out->history = history_tell(h->arena, p, NULL);
    return true;
  }
  return false;
}

/* ---- Executions past the bound ---- */

static bool try_bound(struct teller *h, struct ask *p) {
  VEC_EACH (end, &p->skeleton->ends) {
    if (end->kind != ENDING_BOUND || !same_place(end->span, h->out->result->place)) continue;
    if (!p->encoder.words[end->when].width) continue;
    lit here = p->encoder.words[end->when].bits[0];
    if (ask_find(p, here, ask_no_ending(p, ENDING_LASSO), NULL) != SAT_YES) continue;
    h->out->history = history_tell(h->arena, p, NULL);
    return true;
  }
  return false;
}

/* True if some execution goes on past the bound; `known`: false if this could not be decided. */
static bool passes_bound(struct ask *p, bool *known) {
  VEC_EACH (end, &p->skeleton->ends) {
    if (end->kind != ENDING_BOUND || !p->encoder.words[end->when].width) continue;
    enum sat_answer answer = ask_find(p, p->encoder.words[end->when].bits[0], LIT_TRUE, NULL);
    if (answer == SAT_UNKNOWN) *known = false;
    if (answer != SAT_NO) return true;
  }
  return false;
}

enum { MOST_TRIED = 64, MOST_EVENTS = 20 };

/* The least of 2, 4, 8 ... times the bound that no execution exceeds; 0 if none that was tried is enough. *tried is the
 * last bound tried. */
static uint32_t enough_iterations(struct teller *h, uint32_t *tried) {
  const struct result *r = h->out->result;
  struct shape shape = h->options.shape;
  for (uint32_t n = 2 * r->bound; n <= MOST_TRIED && !base_is_late(h->deadline); n *= 2) {
    shape.unroll = n;
    struct ask ask = ask_new(h->arena, r->program, r->model, &shape, ASK_PRECISE, h->deadline);
    bool known = ask.skeleton->n <= MOST_EVENTS && ask_open(&ask), passes = known && passes_bound(&ask, &known);
    ask_close(&ask);
    if (!known) return 0;
    *tried = n;
    if (!passes) return n;
  }
  return 0;
}

/* Names the loop, and the number of iterations that would do. */
static const char *bound_advice(struct teller *h) {
  const struct result *r = h->out->result;
  const struct program *program = r->program;
  struct text text = {.arena = h->arena};
  uint32_t first = 0, last = source_position(r->place.source, r->place.begin).line, tried = r->bound;
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      if (in->kind != INSTR_BRANCH || in->target > i || !same_place(in->span, r->place)) continue;
      struct span begin = program->threads[t].instrs[in->target].span;
      first = source_position(begin.source, begin.begin).line;
    }
  if (first && first < last) text_printf(&text, "the loop is in lines %u to %u; ", first, last);
  uint32_t enough = enough_iterations(h, &tried);
  if (enough) text_printf(&text, "--unroll=%u is enough", enough);
  else if (tried > r->bound) text_printf(&text, "--unroll=%u is not enough; ", tried);
  if (!enough) text_add(&text, r->reason->cure);
  return text_str(&text);
}

/* Finds an execution whose end can repeat for ever, which explains more than an execution past the bound. */
static void try_lasso(struct teller *h, struct ask *p) {
  const struct skeleton *s = p->skeleton;
  struct text who = {.arena = h->arena};
  encoder_go_on_for_ever(&p->encoder);
  lit repeats = ask_some_ending(p, 1u << ENDING_LASSO);
  if (ask_find(p, repeats, ask_no_ending(p, ENDING_BOUND), NULL) != SAT_YES) return;
  VEC_EACH (end, &s->ends) {
    if (end->kind != ENDING_LASSO || !p->execution->terms[end->when]) continue;
    uint32_t instr = 0;
    while (!same_place(s->program->threads[end->thread].instrs[instr].span, end->span)) instr++;
    const char *place = words_place(h->arena, s->program, end->thread, instr);
    text_printf(&who, "%s%s", who.len ? " and " : "", place);
  }
  h->out->history = history_tell(h->arena, p, NULL);
  h->out->advice = arena_printf(h->arena,
                                "no bound is enough: %s can repeat its last iterations for ever, because they leave "
                                "memory and registers unchanged",
                                text_str(&who));
}

/* ---- The explanation ---- */

/* Searches the executions that end, then all: undefined behaviour may leave threads waiting, and only executions that
 * do not end reach the bound. */
static void find_execution(struct teller *h) {
  const struct result *r = h->out->result;
  bool found = false, bound = r->reason->id == REASON_BOUND;
  for (int precise = bound ? 1 : 0; precise <= 1 && !found; precise++) {
    enum ask_kind kind = precise ? ASK_PRECISE : ASK_SPINNING;
    struct ask ask = ask_new(h->arena, r->program, r->model, &h->options.shape, kind, h->deadline);
    if (ask_open(&ask)) found = bound ? try_bound(h, &ask) : try_faults(h, &ask);
    if (found && bound) try_lasso(h, &ask);
    ask_close(&ask);
  }
}

void undefined_tell(struct teller *h) {
  struct explanation *out = h->out;
  const struct reason *reason = out->result->reason;
  if (reason->id == REASON_MODEL_CLAUSE) {
    tell_races(h);
    return;
  }
  out->advice = cure_of_reason(out->result->program, reason);
  if (reason->kind == REASON_UNDEFINED)
    out->clause = (struct explain_clause){reason->section, reason->title, reason->meaning};
  else out->meaning = reason->meaning;
  if (reason->kind != REASON_UNDEFINED) add_placed(h);
  if (reason->kind != REASON_UNKNOWN || reason->id == REASON_BOUND) find_execution(h);
  if (!out->events.len) add_placed(h);
  if (reason->id == REASON_BOUND && out->advice == reason->cure) out->advice = bound_advice(h);
}
