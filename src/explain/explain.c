#include "explain/explain.h"

#include <string.h>

#include "explain/races.h"
#include "explain/story.h"

/* The condition without its quantifier and outer parentheses. */
static const char *claim_of(struct arena *arena, const struct program *program) {
  const char *text = strchr(program->condition_text, '(');
  if (!text) return program->condition_text;
  size_t length = strlen(text + 1);
  const char *inside = arena_strndup(arena, text + 1, length && text[length] == ')' ? length - 1 : length);
  return program->quantifier == QUANTIFIER_FORALL ? arena_printf(arena, "~(%s)", inside) : inside;
}

static bool is_reached(const struct result *result, bool negated) {
  return (negated ? result->negative : result->positive) > 0;
}

static void advise_unknown(struct explanation *out) {
  if (out->result->reason && strstr(out->result->reason, "time limit"))
    out->advice = "give it more time with --timeout, or make the test smaller";
  else if (out->result->bounded) out->advice = "look at more iterations with --unroll";
  else if (out->result->reason && strstr(out->result->reason, "outcomes"))
    out->advice = "allow more with --max-outcomes";
  else out->advice = "leave out what is not modelled, or state the test without it";
}

static void tell_unreachable(struct explanation *out) {
  out->kind = EXPLAIN_UNREACHABLE;
  out->advice = "no choice of reads-from and coherence gives these values, so the model has no part in it: check the "
                "values that the condition asks for";
}

static uint32_t add_access(struct arena *arena, struct explanation *out, uint32_t thread, uint32_t instr,
                           const char *location) {
  struct explain_event told = {
      .event = UINT32_MAX, .thread = thread, .instr = instr, .what = arena_printf(arena, "accesses %s", location)};
  for (uint32_t i = 0; i < out->events.len; i++)
    if (out->events.data[i].thread == thread && out->events.data[i].instr == instr) return i;
  VEC_PUSH(arena, &out->events, told);
  return out->events.len - 1;
}

/* The accesses whose race leaves the program without a meaning. */
static void tell_undefined(struct arena *arena, const struct check_options *options, struct explanation *out) {
  struct races races;
  if (!out->result->raised.len) return;
  races_find(arena, out->result->program, out->result->model, options, &races);
  for (uint32_t i = 0; i < races.list.len; i++) {
    const struct race *race = &races.list.data[i];
    if (!race->undefined) continue;
    const char *order = race->missing.len ? race->missing.data[0].text : "nothing leads from one to the other";
    const char *weak = race->not_strong ? arena_printf(arena, "%s; ", race->not_strong) : "";
    struct explain_missing missing = {.text = arena_printf(arena, "%s%s", weak, order),
                                      .cure = race->missing.len ? race->missing.data[0].cure : NULL};
    missing.from = add_access(arena, out, race->thread_a, race->instr_a, race->location);
    missing.to = add_access(arena, out, race->thread_b, race->instr_b, race->location);
    VEC_PUSH(arena, &out->missing, missing);
  }
}

/* Verdict known: allowed or forbidden. */
static void tell(struct story *s, bool negated) {
  struct explanation *out = s->out;
  const struct cond *predicate = s->probe->program->condition;
  s->goal = probe_goal(s->probe, predicate, negated);
  if (out->kind == EXPLAIN_ALLOWED) {
    story_allowed(s, predicate, negated);
  } else {
    bool *all = ARENA_ARRAY(s->arena, bool, s->probe->model->axioms.len);
    for (uint32_t i = 0; i < s->probe->model->axioms.len; i++) all[i] = true;
    enum sat_answer answer = probe_solve(s->probe, s->goal, all);
    if (answer == SAT_NO) tell_unreachable(out);
    else story_forbidden(s);
  }
  if (out->kind != EXPLAIN_UNREACHABLE && out->execution) story_gaps(s);
}

struct job {
  const struct program *program;
  const struct model *model;
  const struct check_options *options;
  struct explanation *out;
};

static void tell_verdict(struct probe_keeper *keeper, void *context) {
  const struct job *job = context;
  struct skeleton *skeleton = probe_skeleton(keeper->arena, job->program, job->options);
  struct probe probe;
  struct story story = {.arena = keeper->arena, .probe = &probe, .out = job->out};
  double deadline = job->options->timeout > 0 ? sat_now() + job->options->timeout : 0;
  if (skeleton->refusal || !probe_open(&probe, keeper, job->model, skeleton, deadline)) {
    job->out->incomplete = "the model cannot be encoded";
    return;
  }
  tell(&story, job->program->quantifier == QUANTIFIER_FORALL);
  probe_close(&probe);
}

void explain(struct arena *arena, const struct program *program, const struct model *model,
             const struct check_options *options, struct result *result, struct explanation *out) {
  struct check_options verdict = {.verdict_only = true,
                                  .timeout = options->timeout,
                                  .unroll = options->unroll,
                                  .barrier_users = options->barrier_users};
  bool negated = program->quantifier == QUANTIFIER_FORALL;
  check(arena, program, model, &verdict, result);
  *out = (struct explanation){.result = result, .claim = claim_of(arena, program)};
  if (result->verdict == VERDICT_UNDEFINED || result->verdict == VERDICT_UNKNOWN) {
    out->kind = result->verdict == VERDICT_UNDEFINED ? EXPLAIN_UNDEFINED : EXPLAIN_UNKNOWN;
    if (out->kind == EXPLAIN_UNKNOWN) advise_unknown(out);
    if (out->kind == EXPLAIN_UNDEFINED) tell_undefined(arena, options, out);
    return;
  }
  out->kind = is_reached(result, negated) ? EXPLAIN_ALLOWED : EXPLAIN_FORBIDDEN;
  struct job job = {program, model, options, out};
  probe_guard(arena, tell_verdict, &job);
}
