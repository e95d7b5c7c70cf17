/* Explains why a test is not safe (docs/semantics.md K4): each finding, with an execution that has it. */
#include "explain/races.h"
#include "explain/story.h"

/* An execution in which these threads wait at a barrier for ever, spin, or loop with writes. */
static const struct explain_history *tell_hang(struct teller *t, const struct hang *hang) {
  const struct result *r = t->out->result;
  const struct explain_history *history = NULL;
  struct ask ask = ask_new(t->arena, r->program, r->model, &t->options.shape, ASK_PRECISE, t->deadline);
  if (ask_open(&ask)) {
    encoder_go_on_for_ever(&ask.encoder);
    lit at_place = ask_hang(&ask, hang);
    if (ask_find(&ask, ask_no_ending(&ask, ENDING_BOUND), at_place, NULL) == SAT_YES)
      history = history_tell(t->arena, &ask, NULL);
  }
  ask_close(&ask);
  return history;
}

/* Explains a finding by a rule that is not a clause of the model: undefined programs, and programs that reach a
 * trap. */
static void tell_reason(struct teller *t, struct safety_story *story) {
  struct result *result = ARENA_NEW(t->arena, struct result);
  *result = *t->out->result;
  result->verdict = VERDICT_UNDEFINED;
  result->reason = story->finding->reason;
  result->place = story->finding->place;
  struct explanation told = {.result = result};
  undefined_tell(&(struct teller){t->arena, t->options, t->deadline, &told});
  story->clause = told.clause;
  story->cure = told.advice;
  story->history = told.history;
  if (told.missing.len) story->missing = told.missing.data[0].text;
}

static void tell_pair(struct teller *t, struct safety_story *story) {
  const struct result *r = t->out->result;
  const struct cat_clause *clause = cat_clause(story->finding->clause);
  struct race *race = ARENA_NEW(t->arena, struct race);
  t->options.timeout = base_left(t->deadline);
  if (races_tell(t->arena, r->program, r->model, &t->options, story->finding, race)) {
    story->race = race;
    story->history = race->history;
  }
  if (!clause || clause->race) return;
  story->clause = clause_rule(clause);
  story->missing = clause->missing;
  story->cure = clause->cure;
  if (clause->gap) gaps_add(t->arena, clause->gap, t->out);
}

static const struct hang *hang_of(const struct result *r) { return r->deadlock.found ? &r->deadlock : &r->hang; }

/* True if a finding of the same clause was explained. */
static bool is_explained(const struct explanation *x, const struct safety_finding *f) {
  return SOME(VEC_EACH (story, &x->stories),
              f->pairs && story->finding->kind == f->kind && strcmp(story->finding->clause, f->clause) == 0);
}

void safety_tell(struct teller *t) {
  const struct result *r = t->out->result;
  if (r->bound) t->options.shape.unroll = r->bound;
  VEC_EACH (f, &r->findings) {
    struct safety_story story = {.finding = f};
    bool again = is_explained(t->out, f);
    if (f->kind == SAFETY_HANG) story.hang = hang_of(r), story.history = tell_hang(t, story.hang);
    else if (f->reason) tell_reason(t, &story);
    else if (!again && (f->thread_a != NO_THREAD || f->thread_b != NO_THREAD)) tell_pair(t, &story);
    VEC_PUSH(t->arena, &t->out->stories, story);
  }
}
