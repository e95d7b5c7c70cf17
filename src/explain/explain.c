#include "explain/explain.h"

#include <string.h>

#include "explain/story.h"
#include "explain/undefined.h"

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

static void tell_unreachable(struct explanation *out) {
  out->kind = EXPLAIN_UNREACHABLE;
  out->advice = "no choice of reads-from and coherence gives these values, so the model has no part in it: check the "
                "values that the condition asks for";
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
  if (out->kind == EXPLAIN_UNREACHABLE || !out->execution) return;
  if (!out->interleaved) out->history = history_tell(s->arena, s->probe, s->completed ? &s->real_co : NULL);
  story_gaps(s);
}

struct job {
  const struct program *program;
  const struct model *model;
  const struct check_options *options;
  double deadline;
  struct explanation *out;
};

static void tell_verdict(struct probe_keeper *keeper, void *context) {
  const struct job *job = context;
  struct skeleton *skeleton = probe_skeleton(keeper->arena, job->program, job->options, false);
  struct probe probe;
  struct story story = {.arena = keeper->arena, .probe = &probe, .out = job->out};
  if (skeleton->refusal || !probe_open(&probe, keeper, job->model, skeleton, job->deadline)) {
    job->out->incomplete = skeleton->refusal ? skeleton->refusal : probe.refusal;
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
  double deadline = options->timeout > 0 ? sat_now() + options->timeout : 0;
  check(arena, program, model, &verdict, result);
  *out = (struct explanation){.result = result, .claim = claim_of(arena, program)};
  if (result->verdict == VERDICT_UNDEFINED || result->verdict == VERDICT_UNKNOWN) {
    out->kind = result->verdict == VERDICT_UNDEFINED ? EXPLAIN_UNDEFINED : EXPLAIN_UNKNOWN;
    undefined_tell(arena, options, deadline, out);
    return;
  }
  out->kind = is_reached(result, negated) ? EXPLAIN_ALLOWED : EXPLAIN_FORBIDDEN;
  struct job job = {program, model, options, deadline, out};
  probe_guard(arena, tell_verdict, &job);
}
