/* Undefined behaviour, and results that PTX leaves open: asks if an execution has such a fault (ask_fault), first about
 * all at once, then about each. */
#include "search/solver.h"

static struct wrong_at event_place(const struct sat_search *g, uint32_t event) {
  const struct event *e = skeleton_event(g->ask.skeleton, event);
  return (struct wrong_at){event_instr(g->ask.skeleton, event)->span, e->thread, e->instr};
}

static void report_fault(struct sat_search *g, const struct fault *fault) {
  const struct wrong_at at = {fault->place, fault->thread, fault->instr};
  if (fault->arrivals[1] != NO_EVENT) search_misuse(g->q, fault->reason, at, event_place(g, fault->arrivals[1]));
  else if (fault->reason->kind == REASON_OPEN) search_give_up(g->q, fault->reason, fault->place);
  else search_undefined(g->q, fault->reason, at);
}

/* Asks for all faults of one kind at once: usually there is none. A limited effort (sat_effort) may leave it open. */
static enum sat_answer any_fault(struct sat_search *g, bool open, int effort) {
  VEC(lit) some = {0};
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) {
    struct fault fault = ask_fault(&g->ask, i);
    if ((fault.reason->kind == REASON_OPEN) != open) continue;
    if (fault.sure) return SAT_YES;
    VEC_PUSH(g->q->arena, &some, fault.when);
  }
  if (some.len < 2) return some.len ? SAT_YES : SAT_NO;
  lit any = gates_or(&g->ask.encoder.gates, some.data, some.len, NEED_BOTH);
  if (!effort) return solver_allowed(g, any);
  sat_effort(g->ask.sat, effort);
  return ask_solve(&g->ask, any, LIT_TRUE, NULL);
}

/* Evaluates again the execution that the solver found: it must have a fault, perhaps another one, because a faulty
 * access returns any value. There is no evaluation if values depend on themselves, or if misused arrivals make the
 * phases inconsistent. */
static void require_fault(struct sat_search *g) {
  if (ask_read(&g->ask, NULL) == RUN_OK && !ask_found_faulty(&g->ask))
    BUG("%s: a faulty execution of the solver has no fault on evaluation", g->q->program->name);
}

/* Excludes executions with the fault, in which nothing else counts. */
static void exclude(struct sat_search *g, lit when) {
  lit none = -when;
  sat_clause(g->ask.sat, &none, 1);
}

/* Asks if a fault happens, with a limited effort; 0: no limit. */
static enum sat_answer ask_fault_alone(struct sat_search *g, const struct fault *fault, int effort) {
  if (fault->sure) return SAT_YES; /* a fault of every execution needs no execution that ends */
  if (!effort) return solver_allowed(g, fault->when);
  sat_effort(g->ask.sat, effort);
  return ask_solve(&g->ask, fault->when, LIT_TRUE, NULL);
}

/* True if the search goes on after such a fault, to findings of other kinds. A fault of every execution leaves none for
 * them. */
static bool leaves_others(const struct sat_search *g, const struct fault *fault) {
  return search_collects(g->q) && fault->reason->kind != REASON_OPEN && !fault->sure;
}

/* The consequence of an answer about one fault. True if the search ends. */
static bool conclude(struct sat_search *g, const struct fault *fault, enum sat_answer answer) {
  if (answer == SAT_YES && !fault->sure) require_fault(g);
  if (answer == SAT_YES) report_fault(g, fault);
  if (search_is_enough(g->q)) return true;
  if (answer == SAT_NO) solver_claim(g, "no undefined behaviour");
  if (answer == SAT_YES && leaves_others(g, fault)) exclude(g, fault->when);
  else if (answer != SAT_NO) return true;
  return false;
}

/* Reports a fault that every execution has, whatever values are that are not modelled: nothing else counts. False: none
 * is known. */
static bool report_sure(struct sat_search *g) {
  for (uint32_t i = 0; i < ask_fault_count(&g->ask) && !g->q->fault_is_sure; i++) {
    const struct fault fault = ask_fault(&g->ask, i);
    if (!fault.sure || fault.reason->kind == REASON_OPEN) continue;
    g->q->result->findings.len = g->q->result->raised.len = 0;
    report_fault(g, &fault);
    g->q->fault_is_sure = true;
  }
  return g->q->fault_is_sure;
}

/* A round of questions about the open faults. After a finding they have a limited effort, and one finding of each kind
 * is enough: executions with further faults of the kind are excluded without a question. True if the search ends. */
static bool ask_faults(struct sat_search *g, bool *open, int effort) {
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) {
    struct fault fault = ask_fault(&g->ask, i);
    bool known = search_knows(g->q, fault.reason) && !fault.sure, unsafe = search_is_unsafe(g->q);
    if (!open[i] || (effort && fault.reason->kind == REASON_OPEN)) continue;
    if (known) exclude(g, fault.when);
    enum sat_answer answer = known ? SAT_NO : ask_fault_alone(g, &fault, unsafe ? (int)EFFORT_EACH : effort);
    if (answer == SAT_UNKNOWN && (unsafe || effort)) continue;
    open[i] = false;
    if (conclude(g, &fault, answer)) return true;
  }
  return false;
}

/* There are many faults, and usually none is possible. */
bool search_hazards_are_hard(struct sat_search *g) {
  return !g->q->options->certify && any_fault(g, false, EFFORT_FEW) == SAT_UNKNOWN;
}

/* Searches for faults that are easy to find before faults that are hard to exclude. */
bool search_hazards(struct sat_search *g) {
  if (report_sure(g)) return true;
  enum sat_answer closed = any_fault(g, false, 0), others = closed == SAT_NO ? any_fault(g, true, 0) : SAT_YES;
  if (closed == SAT_NO && others == SAT_NO) {
    if (ask_fault_count(&g->ask)) solver_claim(g, "no undefined behaviour");
    return false;
  }
  bool *open = ARENA_ARRAY(g->q->arena, bool, ask_fault_count(&g->ask));
  for (uint32_t i = 0; i < ask_fault_count(&g->ask); i++) open[i] = true;
  bool quick = search_collects(g->q) && !g->q->options->certify;
  return (quick && ask_faults(g, open, EFFORT_EACH)) || ask_faults(g, open, 0);
}
