/* True if a test is safe (docs/semantics.md K4): made of what the other questions find. */
#include <string.h>

#include "search/search.h"

void search_ask_safety(struct check_options *options) {
  options->verdict_only = options->races = options->termination = true;
  options->in_passing = options->count_executions = false;
  options->progress = PROGRESS_FAIR;
}

static void add(struct arena *arena, struct result *r, struct safety_finding finding) {
  for (uint32_t i = 0; i < r->findings.len; i++)
    if (r->findings.data[i].kind == finding.kind) return;
  VEC_PUSH(arena, &r->findings, finding);
}

static void add_hang(struct arena *arena, struct result *r, const struct hang *hang) {
  struct safety_finding finding = {.kind = SAFETY_HANG, .clause = "", .thread_a = NO_THREAD, .thread_b = NO_THREAD};
  if (!hang->found) return;
  if (hang->waiting.len) {
    finding.thread_a = hang->waiting.data[0].thread;
    finding.instr_a = hang->waiting.data[0].instr;
    finding.text = hang->waiting.data[0].state;
  }
  add(arena, r, finding);
}

/* The flags of a model that say that a program is wrong; others are advice. */
static bool kind_of(const char *clause, enum safety_kind *kind) {
  static const struct {
    const char *begin;
    enum safety_kind kind;
  } kinds[] = {{"Data-Race", SAFETY_RACE},
               {"Mixed-Size-Race", SAFETY_RACE},
               {"Grid-Not-Waited", SAFETY_RACE},
               {"Uninitialised-Read", SAFETY_UNINITIALISED},
               {"Shared-Memory", SAFETY_UNDEFINED},
               {"Unwaited-Copy", SAFETY_UNWAITED}};
  for (size_t i = 0; i < ARRAY_LEN(kinds); i++) {
    if (strncmp(clause, kinds[i].begin, strlen(kinds[i].begin)) != 0) continue;
    *kind = kinds[i].kind;
    return true;
  }
  return false;
}

bool search_is_finding(const char *flag) {
  enum safety_kind kind;
  return kind_of(flag, &kind);
}

static void add_raised(struct arena *arena, struct result *r, const struct raised *raised) {
  struct safety_finding finding = {.kind = SAFETY_UNDEFINED, .clause = raised->name, .place = r->place};
  finding.thread_a = finding.thread_b = NO_THREAD;
  if (!kind_of(raised->name, &finding.kind) && raised->role != CAT_UNDEFINED) return;
  if (raised->pair_count) {
    finding.thread_a = raised->pairs->thread_a, finding.instr_a = raised->pairs->instr_a;
    finding.thread_b = raised->pairs->thread_b, finding.instr_b = raised->pairs->instr_b;
  }
  add(arena, r, finding);
}

static void leave_unknown(struct result *r) {
  r->verdict = VERDICT_UNKNOWN;
  if (r->reason) return;
  r->reason = reason_get(REASON_BOUND);
  r->place = r->bound_place;
}

/* A finding stands whatever else is not known. */
void search_judge_safety(struct arena *arena, struct result *r) {
  bool undefined = r->verdict == VERDICT_UNDEFINED, unknown = r->verdict == VERDICT_UNKNOWN;
  r->observation = OBSERVATION_NONE;
  r->complete = r->vacuous = false;
  for (uint32_t i = 0; i < r->raised.len; i++) add_raised(arena, r, &r->raised.data[i]);
  if (undefined && r->reason->id != REASON_MODEL_CLAUSE) {
    struct safety_finding finding = {.kind = SAFETY_UNDEFINED, .clause = r->reason->name, .text = r->reason->text};
    finding.thread_a = finding.thread_b = NO_THREAD;
    finding.place = r->place;
    if (r->reason->id == REASON_TRAP) finding.kind = SAFETY_TRAP;
    add(arena, r, finding);
  }
  add_hang(arena, r, &r->deadlock);
  add_hang(arena, r, &r->hang);
  r->holds = !r->findings.len && !unknown && r->termination == TERMINATION_ALWAYS && !r->bounded;
  if (r->findings.len) r->verdict = VERDICT_UNSAFE;
  else if (r->holds) r->verdict = VERDICT_SAFE;
  else leave_unknown(r);
  if (r->verdict == VERDICT_SAFE && r->program->zeros)
    VEC_PUSH(arena, &r->assumes, ((struct assumption){ASSUMES_ZEROS, r->program->zeros}));
}
