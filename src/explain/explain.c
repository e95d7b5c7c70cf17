#include "explain/explain.h"

#include "explain/story.h"
#include "explain/words.h"

const char *explain_claim(struct arena *arena, const struct program *program) {
  const char *text = strchr(program->condition_text, '(');
  if (!text) return program->condition_text;
  size_t length = strlen(text + 1);
  const char *inside = arena_strndup(arena, text + 1, length && text[length] == ')' ? length - 1 : length);
  return program->quantifier == LITMUS_FORALL ? arena_printf(arena, "~(%s)", inside) : inside;
}

/* ---- Unreachable ---- */

enum { MOST_VALUES = 6, MOST_OBSERVABLES = 8 };

/* The values that an observable can end with when no axiom holds: "0:r0 is 0 or 1". */
static void add_values(struct story *s, const bool *all, uint32_t observable, struct text *out) {
  const struct observable *o = &s->ask->program->observables[observable];
  static const struct cond always = {.kind = COND_TRUE};
  const struct cond *others = &always;
  uint32_t count = 0;
  text_printf(out, "%s%s can only be ", out->len ? ", " : "", o->name);
  for (;; count++) {
    lit goal = encoder_condition(&s->ask->encoder, others);
    if (ask_find(s->ask, goal, LIT_TRUE, all) != SAT_YES) return;
    if (s->ask->status == RUN_CIRCULAR) break;
    if (count) text_add(out, " or ");
    if (count == MOST_VALUES) text_add(out, "more");
    if (count == MOST_VALUES) return;
    value_t value = execution_final(s->ask->execution, observable, s->ask->last);
    others = cond_and(s->arena, others, observable, COMPARE_NE, value);
    value_tell(s->ask->program, o->type, value, out);
  }
  text_add(out, count ? " or more" : "open");
}

static const char *who_waits(struct story *s) {
  const struct hang *hang = &s->out->result->deadlock;
  struct text text = {.arena = s->arena};
  for (uint32_t i = 0; i < hang->waiting.len; i++) {
    const struct waiting *w = &hang->waiting.data[i];
    text_printf(&text, "%s%s '%s'", i ? " and " : "", words_place(s->arena, s->ask->program, w->thread, w->instr),
                words_instr(s->arena, s->ask->program, w->thread, w->instr));
    if (w->state) text_printf(&text, " (%s)", w->state);
  }
  return text_str(&text);
}

/* True if a thread waits for a phase of an mbarrier object: then it holds up the threads that wait at barriers. */
static bool waits_for_phase(const struct hang *hang) {
  return SOME_BELOW(i, hang->waiting.len, hang->waiting.data[i].at_object);
}

static void tell_unreachable(struct story *s, const bool *all) {
  struct explanation *out = s->out;
  const struct program *program = s->ask->program;
  struct text values;
  out->kind = EXPLAIN_UNREACHABLE;
  if (ask_find(s->ask, LIT_TRUE, LIT_TRUE, all) == SAT_NO) {
    if (!out->result->deadlock.found) {
      out->advice =
          out->result->bounded
              ? "no execution of this test ends: check its loops, and the threads that should end them"
              : "no execution of this test ends at all: check its loops, and the threads that should end them";
      return;
    }
    const struct hang *hang = &out->result->deadlock;
    const char *cure = waits_for_phase(hang)
                           ? "Compare the arrivals and bytes that the phase expects with those it gets, and the parity "
                             "with the phase"
                           : "Make all threads reach the barriers in one order, or give the number of threads at each";
    out->advice = arena_printf(s->arena, "no execution of this test ends at all: %s %s for ever. %s", who_waits(s),
                               hang->waiting.len == 1 ? "waits" : "wait", cure);
    return;
  }
  text_init(&values, s->arena);
  for (uint32_t i = 0; i < program->observed_count && i < MOST_OBSERVABLES; i++) add_values(s, all, i, &values);
  out->advice = arena_printf(s->arena, "under any model and for any values read, %s. Check the values in the condition",
                             text_str(&values));
}

/* Verdict known: allowed or forbidden. */
static void tell(struct story *s, bool negated) {
  struct explanation *out = s->out;
  const struct cond *predicate = s->ask->program->condition;
  s->goal = ask_goal(s->ask, predicate, negated);
  if (out->kind == EXPLAIN_ALLOWED) {
    story_allowed(s, predicate, negated);
  } else {
    const bool *all = ask_all_axioms(s->ask);
    enum sat_answer answer = ask_find(s->ask, s->goal, LIT_TRUE, all);
    if (answer == SAT_NO) tell_unreachable(s, all);
    else story_forbidden(s);
  }
  if (out->kind != EXPLAIN_UNREACHABLE && !out->execution) return;
  if (out->kind != EXPLAIN_UNREACHABLE && !out->interleaved)
    out->history = history_tell(s->arena, s->ask, s->completed ? &s->real_co : NULL);
}

/* Seconds past the deadline. */
#define EXPLAIN_GRACE 0.5

static void tell_verdict(void *context) {
  const struct teller *t = context;
  const struct result *r = t->out->result;
  struct shape shape = t->options.shape;
  shape.unroll = r->bound; /* the verdict may have used iterations past the bound */
  bool turns = program_asks_safety(r->program);
  if (turns && r->sequential != SEQUENTIAL_NO) return;
  struct ask ask = ask_new(t->arena, r->program, r->model, &shape, turns ? ASK_IN_TURNS : ASK_ENDING, t->deadline);
  struct story story = {.arena = t->arena, .ask = &ask, .out = t->out};
  if (!ask_open(&ask)) t->out->incomplete = ask.refusal->text;
  else if (turns) sequence_tell(&story);
  else tell(&story, r->program->quantifier == LITMUS_FORALL);
  if (t->out->execution && t->out->execution == ask.execution) t->out->finals = ask.finals;
  t->out->completed = story.completed;
  ask_close(&ask);
}

/* Work that polls the clock stops at the deadline with partial results. Other work is aborted shortly after it, and
 * then the explanation has only the verdict. */
static void tell_in_time(struct teller *t) {
  const struct explanation before = *t->out;
  double end = t->deadline > 0 ? t->deadline + EXPLAIN_GRACE : 0;
  switch (arena_within(t->arena, end, tell_verdict, t)) {
    case ARENA_DONE: return;
    case ARENA_STARVED: arena_out_of_memory(t->arena);
    case ARENA_LATE: break;
  }
  *t->out = before;
  t->out->incomplete = "the time limit was reached";
}

void explain(struct arena *arena, const struct program *program, const struct model *model,
             const struct check_options *options, struct result *result, struct explanation *out) {
  struct check_options verdict = {.verdict_only = true,
                                  .sequence = true,
                                  .timeout = options->timeout,
                                  .shape = options->shape,
                                  .again = options->again,
                                  .reader = options->reader};
  struct teller t = {arena, *options, base_deadline(options->timeout), out};
  check(arena, program, model, &verdict, result);
  bool reached = (result->program->quantifier == LITMUS_FORALL ? result->negative : result->positive) > 0;
  *out = (struct explanation){.result = result, .claim = explain_claim(arena, result->program)};
  switch (result->verdict) {
    case VERDICT_ALLOWED:
    case VERDICT_FORBIDDEN:
      out->kind = reached ? EXPLAIN_ALLOWED : EXPLAIN_FORBIDDEN;
      tell_in_time(&t);
      break;
    case VERDICT_UNDEFINED:
    case VERDICT_UNKNOWN:
      out->kind = result->verdict == VERDICT_UNKNOWN ? EXPLAIN_UNKNOWN : EXPLAIN_UNDEFINED;
      undefined_tell(&t);
      break;
    case VERDICT_SAFE:
    case VERDICT_UNSAFE:
      out->kind = result->verdict == VERDICT_SAFE ? EXPLAIN_SAFE : EXPLAIN_UNSAFE;
      safety_tell(&t);
      tell_in_time(&t);
      break;
    case VERDICT_SEQUENTIAL:
    case VERDICT_WEAK:
      out->kind = result->verdict == VERDICT_WEAK ? EXPLAIN_WEAK : EXPLAIN_SEQUENTIAL;
      tell_in_time(&t);
      break;
  }
}
