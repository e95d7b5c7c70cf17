#include "lab.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/kernel.h"
#include "litmus/litmus.h"
#include "ptx/lower.h"
#include "search/search.h"

/* --- reading */

/* Where included files are looked for, and where they go. */
struct library {
  struct arena *arena;
  const char *dir;
};

static const struct source *open_included(void *state, const char *name) {
  const struct library *library = state;
  struct source *source = ARENA_NEW(library->arena, struct source);
  const char *path = arena_printf(library->arena, "%s/%s", library->dir, name);
  return source_read(library->arena, path, false, source) == SOURCE_OK ? source : NULL;
}

static struct model *read_model(const struct lab *lab, struct arena *arena, const struct source *source,
                                const char *readings, struct text *why) {
  struct library library = {arena, lab->model_dir};
  struct diags diags;
  diags_init(&diags, arena);
  struct model *model = model_read(arena, &diags, source, readings, open_included, &library);
  if (!model) diags_render(&diags, why, false);
  return model;
}

const struct model *lab_read_model(const struct lab *lab, struct arena *arena, const struct source *source,
                                   struct text *why) {
  return read_model(lab, arena, source, NULL, why);
}

/* "ptx", or with readings "ptx+G26=complete+H1=no-relay". */
static const struct model *read_named_model(struct lab *lab, const char *name, struct text *why) {
  struct library library = {&lab->arena, lab->model_dir};
  const char *readings = strchr(name, '+');
  int length = (int)strcspn(name, "+");
  const struct source *source = open_included(&library, arena_printf(&lab->arena, "%.*s.cat", length, name));
  if (!source) { /* a model for tests only */
    struct library tests = {&lab->arena, "tests/diff"};
    source = open_included(&tests, arena_printf(&lab->arena, "%.*s.cat", length, name));
  }
  if (!source) {
    text_printf(why, "%s/%.*s.cat cannot be read\n", lab->model_dir, length, name);
    return NULL;
  }
  struct model *model = read_model(lab, &lab->arena, source, readings ? readings + 1 : NULL, why);
  if (model) model->name = name;
  return model;
}

bool lab_open(struct lab *lab, const char *model_dir, const char *names, double timeout, struct text *why) {
  *lab = (struct lab){.model_dir = model_dir, .timeout = timeout};
  arena_init(&lab->arena, NULL);
  for (const char *at = names; *at;) {
    size_t length = strcspn(at, ",");
    const struct model *model = read_named_model(lab, arena_strndup(&lab->arena, at, length), why);
    if (!model) return false;
    VEC_PUSH(&lab->arena, &lab->models, model);
    at += length + (at[length] == ',');
  }
  return true;
}

void lab_close(struct lab *lab) { arena_release(&lab->arena); }

const struct program *lab_read(struct arena *arena, const char *name, const char *text, size_t length, bool all_state,
                               struct text *why) {
  struct source *source = ARENA_NEW(arena, struct source);
  *source = source_from_text(name, text, length);
  struct intern names;
  intern_init(&names, arena);
  struct diags diags;
  diags_init(&diags, arena);
  struct litmus_test *test = litmus_parse(arena, &names, &diags, source);
  struct lower_options options = {.all_state = all_state};
  static const struct input_bounds nowhere = {0};
  const struct kernel_options kernels = {.bounds = &nowhere};
  bool right = test && kernel_expand(arena, &names, &diags, test, &kernels);
  const struct program *program = right ? lower(arena, &names, &diags, test, &options) : NULL;
  if (!program) diags_render(&diags, why, false);
  return program;
}

struct filled_rows lab_read_file(struct arena *arena, const char *path) {
  struct filled_rows rows = {0};
  struct source *source = ARENA_NEW(arena, struct source);
  struct diags diags;
  diags_init(&diags, arena);
  if (source_read(arena, path, false, source) == SOURCE_OK) table_read(arena, &diags, source, TABLE_OF_LITMUS, &rows);
  return rows;
}

/* --- two engines on one program */

static void add_outcome(struct text *out, const struct program *program, const struct outcome *outcome) {
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    text_printf(out, " %s=", o->name);
    type_print(o->type, outcome->values[i], out);
    text_char(out, ';');
  }
  text_printf(out, "  %s", outcome->satisfies ? "P" : "-");
  if (outcome->executions != 1) text_printf(out, "  x%llu", (unsigned long long)outcome->executions);
}

static bool same_outcome(const struct program *program, const struct outcome *a, const struct outcome *b) {
  for (uint32_t i = 0; i < program->observed_count; i++)
    if (a->values[i] != b->values[i]) return false;
  return a->satisfies == b->satisfies && a->executions == b->executions;
}

static bool has_outcome(const struct result *in, const struct outcome *outcome) {
  for (uint32_t i = 0; i < in->outcomes.len; i++) {
    struct outcome other = outcomes_at(&in->outcomes, i);
    if (same_outcome(in->program, &other, outcome)) return true;
  }
  return false;
}

/* Adds the outcomes of `in` that `other` has not. */
static uint32_t add_missing(struct text *why, const char *who, const struct result *in, const struct result *other) {
  uint32_t missing = 0;
  for (uint32_t i = 0; i < in->outcomes.len; i++) {
    struct outcome outcome = outcomes_at(&in->outcomes, i);
    if (has_outcome(other, &outcome)) continue;
    text_printf(why, "  only %s:", who);
    add_outcome(why, in->program, &outcome);
    text_char(why, '\n');
    missing++;
  }
  return missing;
}

static bool same_pairs(const struct raised *a, const struct raised *b) {
  if (strcmp(a->name, b->name) != 0 || a->pair_count != b->pair_count) return false;
  for (uint32_t p = 0; p < a->pair_count; p++) {
    const struct raised_pair *pa = &a->pairs[p], *pb = &b->pairs[p];
    if (pa->thread_a != pb->thread_a || pa->instr_a != pb->instr_a || pa->thread_b != pb->thread_b ||
        pa->instr_b != pb->instr_b)
      return false;
  }
  return true;
}

/* The next clause that counts, from `at` on. Of a test of safety other flags than its findings are advice, which the
 * SAT engine does not look for in iterations that have no effect. */
static const struct raised *next_raised(const struct result *r, uint32_t *at) {
  while (*at < r->raised.len) {
    const struct raised *raised = &r->raised.data[(*at)++];
    bool advice = raised->role == CAT_FLAG && !search_is_finding(raised->name);
    if (r->program->quantifier != LITMUS_SAFE || !advice) return raised;
  }
  return NULL;
}

static bool same_raised(const struct result *a, const struct result *b) {
  for (uint32_t i = 0, k = 0;;) {
    const struct raised *ra = next_raised(a, &i), *rb = next_raised(b, &k);
    if (!ra || !rb) return ra == rb;
    if (!same_pairs(ra, rb)) return false;
  }
}

static const char *const termination_names[] = {[TERMINATION_NOT_ASKED] = "not asked whether it ends",
                                                [TERMINATION_ALWAYS] = "always ends",
                                                [TERMINATION_MAY_HANG] = "may hang",
                                                [TERMINATION_UNKNOWN] = "not known whether it ends"};

static void add_summary(struct text *why, const char *who, const struct result *r) {
  text_printf(why, "  %s: %s, %s, holds %d, vacuous %d, filter empty %d, complete %d", who, verdict_name(r->verdict),
              observation_name(r->observation), r->holds, r->vacuous, r->filter_empty, r->complete);
  text_printf(why, ", positive %llu, negative %llu", (unsigned long long)r->positive, (unsigned long long)r->negative);
  for (uint32_t i = 0; i < r->raised.len; i++) {
    text_printf(why, ", raised %s", r->raised.data[i].name);
    for (uint32_t p = 0; p < r->raised.data[i].pair_count; p++) {
      const struct raised_pair *pair = &r->raised.data[i].pairs[p];
      text_printf(why, " %d.%d-%d.%d", (int)pair->thread_a, (int)pair->instr_a, (int)pair->thread_b,
                  (int)pair->instr_b);
    }
  }
  if (r->deadlock.found) text_add(why, ", deadlock");
  if (r->bounded) text_add(why, ", bounded");
  if (r->termination) text_printf(why, ", %s", termination_names[r->termination]);
  if (r->reason) text_printf(why, ", because %s", r->reason->text);
  text_char(why, '\n');
}

static bool same_judgement(const struct result *a, const struct result *b) {
  return a->verdict == b->verdict && a->observation == b->observation && a->holds == b->holds &&
         (a->vacuous == b->vacuous || !a->vacuous_known || !b->vacuous_known) && a->filter_empty == b->filter_empty;
}

static bool same_reason(const struct result *a, const struct result *b) {
  return a->reason && b->reason && a->reason->id == b->reason->id && strcmp(a->reason->text, b->reason->text) == 0;
}

/* Not known for another reason than the bound of loops: a limit of one engine. */
static bool termination_open(const struct result *r) { return r->termination == TERMINATION_UNKNOWN && !r->bounded; }

/* The solver knows that all executions end, while brute force only knows their part within the bound: still_ends. */
static bool ends_past_bound(const struct result *sat, const struct result *brute) {
  return sat->termination == TERMINATION_ALWAYS && brute->termination == TERMINATION_UNKNOWN && brute->bounded;
}

static bool same_endings(const struct result *sat, const struct result *brute) {
  bool same = sat->termination == brute->termination && sat->hang.found == brute->hang.found;
  return sat->deadlock.found == brute->deadlock.found && sat->bounded == brute->bounded &&
         (same || termination_open(sat) || termination_open(brute) || ends_past_bound(sat, brute));
}

static bool late(const struct lab *lab, const struct result *a) {
  return lab->timeout > 0 && a->stats.ms > 1000 * lab->timeout;
}

static bool ran_out(const struct lab *lab, const struct result *a) {
  return late(lab, a) || (a->reason && a->reason->id == REASON_TIME_LIMIT);
}

/* unknown because of a limit, which the engines need not share; what is not modelled, and the bound of loops, is
 * unknown to both. */
static bool at_limit(const struct lab *lab, const struct result *a) {
  bool by_bound = a->bounded && a->place.source == a->bound_place.source && a->place.begin == a->bound_place.begin;
  return (a->verdict == VERDICT_UNKNOWN && !by_bound) || late(lab, a);
}

static enum agreement unanswered(const struct lab *lab, const struct result *a, const struct result *b) {
  return ran_out(lab, a) || ran_out(lab, b) ? LATE : NO_ANSWER;
}

/* If one engine is at a limit: they agree if both are, for the same reason, other than lack of time. */
static enum agreement same_limit(const struct lab *lab, const struct result *a, const struct result *b) {
  bool same = a->verdict == b->verdict && a->reason && b->reason && a->reason->id == b->reason->id;
  return same && a->reason->id != REASON_TIME_LIMIT && !late(lab, a) && !late(lab, b) ? AGREE : unanswered(lab, a, b);
}

static bool same_outcomes(const struct result *a, const struct result *b) {
  bool same = a->outcomes.len == b->outcomes.len;
  for (uint32_t i = 0; same && i < a->outcomes.len; i++) { /* both lists are sorted */
    struct outcome x = outcomes_at(&a->outcomes, i), y = outcomes_at(&b->outcomes, i);
    same = same_outcome(a->program, &x, &y);
  }
  return same;
}

/* Brute force does not know the effect of more iterations: if the solver does, the outcomes within the bound agree. */
static bool settled_by_one(const struct lab *lab, const struct result *sat, const struct result *brute) {
  if (!sat->bound_settled || !brute->bounded || late(lab, brute)) return false;
  return brute->reason && brute->reason->id == REASON_BOUND && same_outcomes(sat, brute);
}

/* The list of findings ends at a limit. */
static bool findings_open(const struct result *r) { return r->reason && r->reason->id == REASON_BESIDE_FINDING; }

static enum agreement compare_results(const struct lab *lab, const struct result *sat, const struct result *brute,
                                      struct text *why) {
  if (at_limit(lab, sat) || at_limit(lab, brute)) {
    if (same_reason(sat, brute) && !late(lab, sat)) return AGREE;
    const struct reason *reason = at_limit(lab, sat) ? sat->reason : brute->reason;
    text_printf(why, "  no answer: %s\n", (reason ? reason : reason_get(REASON_TIME_LIMIT))->text);
    return unanswered(lab, sat, brute);
  }
  if (settled_by_one(lab, sat, brute)) return AGREE;
  /* A test about safety has no list of outcomes. */
  bool as_far = findings_open(sat) || findings_open(brute) || same_raised(sat, brute);
  if (sat->program->quantifier == LITMUS_SAFE && same_judgement(sat, brute) && as_far && same_endings(sat, brute))
    return AGREE;
  bool same = same_judgement(sat, brute) && sat->complete == brute->complete && sat->positive == brute->positive &&
              sat->negative == brute->negative && same_raised(sat, brute) && same_endings(sat, brute) &&
              same_outcomes(sat, brute);
  if (same) return AGREE;
  add_summary(why, "sat      ", sat);
  add_summary(why, "enumerate", brute);
  if (add_missing(why, "sat", sat, brute) + add_missing(why, "enumerate", brute, sat) == 0)
    text_add(why, "  (no outcome is missing on either side)\n");
  return DISAGREE;
}

/* Brute force finds nothing that hangs in more iterations either, as far as it gets. */
static bool still_ends(struct arena *arena, const struct program *program, const struct model *model,
                       struct check_options options, struct text *why) {
  struct result more = {0};
  options.shape.unroll = 2 * options.shape.unroll + 1;
  check(arena, program, model, &options, &more);
  if (more.termination != TERMINATION_MAY_HANG) return true;
  text_printf(why, "  sat      : always ends\n  enumerate: may hang, in %u iterations\n", options.shape.unroll);
  return false;
}

/* A difference must last with so many times the choices. */
enum { MORE_CHOICES = 20 };

/* What brute force allocates goes to `aside`. */
static enum agreement compare_engines(const struct lab *lab, struct arena *arena, struct arena *aside,
                                      const struct program *program, const struct model *model, struct lab_plan plan,
                                      struct text *why) {
  struct check_options options = {.engine = ENGINE_ENUMERATE,
                                  .count_executions = plan.executions,
                                  .races = true,
                                  .shape = {.unroll = plan.unroll},
                                  .termination = plan.termination,
                                  .lemmas = plan.lemmas,
                                  .progress = plan.progress,
                                  .timeout = lab->timeout,
                                  .work = lab->choices};
  struct result sat = {0}, brute = {0}, verdict = {0};
  check(aside, program, model, &options, &brute);
  if (ran_out(lab, &brute)) { /* there is nothing to compare */
    text_printf(why, "  no answer: %s\n", brute.reason ? brute.reason->text : "too late");
    return LATE;
  }
  options.engine = ENGINE_SAT;
  options.work = 0;
  check(arena, program, model, &options, &sat);
  if (plan.sat) *plan.sat = sat;
  options.engine = ENGINE_ENUMERATE;
  options.work = lab->choices;
  if (sat.bound) options.shape.unroll = sat.bound; /* which may be more than was asked for */
  if (sat.bound && sat.bound != brute.bound) check(aside, program, model, &options, &brute);
  enum agreement agreement = compare_results(lab, &sat, &brute, why);
  if (agreement == DISAGREE &&
      lab->choices) { /* few choices may find one reason for undefined behaviour before another */
    struct text again = {.arena = arena};
    options.work = MORE_CHOICES * lab->choices;
    check(aside, program, model, &options, &brute);
    agreement = compare_results(lab, &sat, &brute, &again);
    if (agreement != DISAGREE) *why = again;
  }
  if (agreement == AGREE && ends_past_bound(&sat, &brute) && !still_ends(aside, program, model, options, why))
    return DISAGREE;
  if (agreement != AGREE || !plan.verdicts) return agreement;
  options = (struct check_options){
      .engine = ENGINE_SAT, .verdict_only = true, .shape = {.unroll = plan.unroll}, .timeout = lab->timeout};
  check(arena, program, model, &options, &verdict);
  if (at_limit(lab, &sat) || at_limit(lab, &verdict)) /* both of what is not modelled */
    return sat.verdict == verdict.verdict && !late(lab, &sat) && !late(lab, &verdict) ? AGREE
                                                                                      : unanswered(lab, &sat, &verdict);
  bool same_ends = sat.deadlock.found == verdict.deadlock.found && sat.bounded == verdict.bounded;
  if (same_judgement(&sat, &verdict) && same_ends) return AGREE;
  add_summary(why, "all outcomes", &sat);
  add_summary(why, "verdict only", &verdict);
  return DISAGREE;
}

enum agreement lab_compare(const struct lab *lab, struct arena *arena, const struct program *program,
                           const struct model *model, struct lab_plan plan, struct text *why) {
  if (program->host) model = model_with_hosts(arena, model);
  struct arena *aside = arena_scratch(arena);
  enum agreement agreement = compare_engines(lab, arena, aside, program, model, plan, why);
  arena_release(aside);
  return agreement;
}

/* --- one test by other words */

/* In the plain view, the number of the thread that has this number in the other. */
static uint32_t plain_number(const struct sketch_view *view, uint32_t number) {
  uint32_t thread = 0;
  while (view->number[thread] != number) thread++;
  return thread;
}

/* The name that an observable of the other view has in the plain one. */
static const char *plain_name(struct arena *arena, const struct program *program, const struct observable *o,
                              const struct sketch_view *view) {
  struct sketch_view plain = sketch_plain_view();
  if (o->is_reg) {
    uint32_t thread = plain_number(view, program->threads[o->thread].number);
    return arena_printf(arena, "%u:%s", thread, program->threads[o->thread].regs[o->reg].name);
  }
  const char *colon = strrchr(o->name, ':'), *name = colon ? colon + 1 : o->name;
  size_t length = strcspn(name, "[");
  const char *owner = arena_printf(arena, "%.*s", (int)(name - o->name), o->name);
  if (colon && *owner >= '0' && *owner <= '9') /* a location of a thread's own */
    owner = arena_printf(arena, "%u:", plain_number(view, (uint32_t)strtoul(owner, NULL, 10)));
  for (int i = 0; i < SKETCH_NAMES; i++)
    if (strlen(view->names[i]) == length && strncmp(view->names[i], name, length) == 0)
      return arena_printf(arena, "%s%s%s", owner, plain.names[i], name + length);
  BUG("'%s' is not a name of the view", o->name);
}

static int compare_texts(const void *a, const void *b) {
  return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_texts(const char **texts, uint32_t count) {
  if (count) qsort(texts, count, sizeof *texts, compare_texts);
}

static const char *outcome_text(struct arena *arena, const struct program *program, const struct outcome *outcome,
                                const struct sketch_view *view) {
  uint32_t count = program->observed_count;
  const char **parts = ARENA_ARRAY(arena, const char *, count);
  for (uint32_t i = 0; i < count; i++) {
    const struct observable *o = &program->observables[i];
    struct text part = {.arena = arena};
    text_printf(&part, "%s=", plain_name(arena, program, o, view));
    text_value(&part, outcome->values[i], o->type.width, o->type.kind == TYPE_SIGNED);
    parts[i] = text_str(&part);
  }
  sort_texts(parts, count);
  struct text all = {.arena = arena};
  for (uint32_t i = 0; i < count; i++) text_printf(&all, " %s;", parts[i]);
  text_add(&all, outcome->satisfies ? "  P" : "  -");
  return text_str(&all);
}

static const char **outcome_texts(struct arena *arena, const struct result *result, const struct sketch_view *view) {
  const char **texts = ARENA_ARRAY(arena, const char *, result->outcomes.len);
  for (uint32_t i = 0; i < result->outcomes.len; i++) {
    struct outcome outcome = outcomes_at(&result->outcomes, i);
    texts[i] = outcome_text(arena, result->program, &outcome, view);
  }
  sort_texts(texts, result->outcomes.len);
  return texts;
}

enum agreement lab_compare_views(const struct lab *lab, struct arena *arena, const struct program *program,
                                 const struct program *other, const struct sketch_view *view, const struct model *model,
                                 uint32_t unroll, struct text *why) {
  if (program->host) model = model_with_hosts(arena, model);
  struct check_options options = {.engine = ENGINE_SAT, .shape = {.unroll = unroll}, .timeout = lab->timeout};
  struct result a = {0}, b = {0};
  check(arena, program, model, &options, &a);
  check(arena, other, model, &options, &b);
  if (at_limit(lab, &a) || at_limit(lab, &b)) return same_limit(lab, &a, &b);
  struct sketch_view plain = sketch_plain_view();
  const char **texts_a = outcome_texts(arena, &a, &plain), **texts_b = outcome_texts(arena, &b, view);
  bool same = same_judgement(&a, &b) && same_endings(&a, &b) && a.outcomes.len == b.outcomes.len;
  for (uint32_t i = 0; same && i < a.outcomes.len; i++) same = strcmp(texts_a[i], texts_b[i]) == 0;
  if (same) return AGREE;
  add_summary(why, "as generated ", &a);
  for (uint32_t i = 0; i < a.outcomes.len; i++) text_printf(why, "    %s\n", texts_a[i]);
  add_summary(why, "by other words", &b);
  for (uint32_t i = 0; i < b.outcomes.len; i++) text_printf(why, "    %s\n", texts_b[i]);
  return DISAGREE;
}

/* --- more iterations */

enum agreement lab_compare_bounds(const struct lab *lab, struct arena *arena, const struct program *program,
                                  const struct model *model, uint32_t unroll, struct text *why) {
  if (program->host) model = model_with_hosts(arena, model);
  struct check_options options = {
      .engine = ENGINE_SAT, .shape = {.unroll = unroll}, .termination = true, .timeout = lab->timeout};
  struct result few = {0}, more = {0};
  check(arena, program, model, &options, &few);
  options.shape.unroll = unroll + 2;
  check(arena, program, model, &options, &more);
  more.vacuous_known = false; /* vacuity is judged among the executions within the bound */
  if (at_limit(lab, &few) || at_limit(lab, &more)) return same_limit(lab, &few, &more);
  if (few.verdict == VERDICT_UNDEFINED || more.verdict == VERDICT_UNDEFINED)
    return few.bounded || more.verdict == few.verdict ? AGREE : DISAGREE;
  /* New outcomes of more iterations must have been expected. */
  uint32_t lost = add_missing(why, "few", &few, &more);
  uint32_t gained = few.bounded && !(few.bound_settled && few.complete) ? 0 : add_missing(why, "more", &more, &few);
  bool same = few.bound_settled ? few.observation == more.observation || (!more.bound_settled && more.bounded)
              : few.bounded     ? !few.deadlock.found || more.deadlock.found
                                : same_judgement(&few, &more) && same_endings(&few, &more);
  if (!lost && !gained && same) return AGREE;
  add_summary(why, "few ", &few);
  add_summary(why, "more", &more);
  return DISAGREE;
}
