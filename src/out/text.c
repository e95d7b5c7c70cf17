/* herd's block. What its log readers (herdtools7, tools/lexLog_tools.mll) accept was checked line by line:
 *
 * - after the states comes one of Ok, No, Undef or ??, and the rest of that line is skipped, so a reason may follow;
 * - between Witnesses and Condition, lines that start with "Flag " are skipped;
 * - after Observation, lines "Key NAME text" and "Key=text" are skipped: ours are those of add_own_lines.
 */
#include "out/out.h"

static void add_state(const struct program *program, struct outcome outcome, struct text *out) {
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    text_printf(out, "%s%s=", i ? " " : "", o->name);
    type_print(o->type, outcome.values[i], out);
    text_char(out, ';');
  }
  text_char(out, '\n');
}

static void add_validation(const struct result *result, struct text *out) {
  switch (result->verdict) {
    case VERDICT_ALLOWED:
    case VERDICT_FORBIDDEN: text_add(out, result->holds ? "Ok" : "No"); break;
    case VERDICT_UNDEFINED: text_add(out, "Undefined: "); break;
    case VERDICT_UNKNOWN: text_add(out, "?? Unknown: "); break;
    case VERDICT_SAFE: text_add(out, "Ok"); break;
    case VERDICT_UNSAFE: text_add(out, "No\n"); return;
  }
  if (result->reason) out_reason(result, out);
  text_char(out, '\n');
}

static void add_access(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "an initial write");
    return;
  }
  struct span span = program->threads[thread].instrs[instr].span;
  text_printf(out, "P%u '", program->threads[thread].number);
  out_instr(program, thread, instr, out);
  text_char(out, '\'');
  if (!span.source) return;
  text_add(out, " (");
  span_tell_line(span, out);
  out_turn(program, thread, instr, out);
  text_char(out, ')');
}

static void add_pair(const struct result *result, const struct raised_pair *pair, struct text *out) {
  add_access(result->program, pair->thread_a, pair->instr_a, out);
  bool same = pair->thread_a == pair->thread_b && pair->instr_a == pair->instr_b;
  if (!same) text_add(out, " and ");
  if (!same) add_access(result->program, pair->thread_b, pair->instr_b, out);
}

static void add_pairs(const struct result *result, const struct raised *raised, struct text *out) {
  for (uint32_t j = 0; j < raised->pair_count; j++) {
    text_printf(out, "Flag %s: ", raised->name);
    add_pair(result, &raised->pairs[j], out);
    text_char(out, '\n');
  }
}

/* A flag that was not decided within its share of the work, and the first pair that is left. */
static void add_open(const struct result *result, const struct raised *open, struct text *out) {
  text_printf(out, "Flags unknown: %s", open->name);
  if (open->pair_count > 1) text_printf(out, " of %u pairs of accesses, the first", open->pair_count);
  if (open->pair_count) text_add(out, " of ");
  if (open->pair_count) add_pair(result, open->pairs, out);
  text_add(out, ": that takes longer than the verdict; --races asks all the same\n");
}

/* What the model raised: a line a pair, or for flags that are only counted a line each. */
static void add_flags(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  if (result->flags_reason) text_printf(out, "Flags unknown: %s\n", result->flags_reason);
  for (uint32_t i = 0; i < result->open_flags.len; i++) add_open(result, &result->open_flags.data[i], out);
  for (uint32_t i = 0; i < result->raised.len; i++) {
    const struct raised *raised = &result->raised.data[i];
    uint32_t count = raised->pair_count;
    if (!count) text_printf(out, "Flag %s\n", raised->name);
    else if (finding->flags_counted && raised->role == CAT_FLAG)
      text_printf(out, "Flag %s: %u pair%s of accesses\n", raised->name, count, count > 1 ? "s" : "");
    else add_pairs(result, raised, out);
  }
}

static const char *observation_word(const struct result *result) {
  if (result->verdict == VERDICT_UNDEFINED) return "Undefined";
  if (result->verdict == VERDICT_UNKNOWN) return "Unknown";
  if (result->verdict == VERDICT_SAFE) return "Safe";
  if (result->verdict == VERDICT_UNSAFE) return "Unsafe";
  /* herd says Never when there is no execution at all */
  return observation_name(result->observation == OBSERVATION_NONE ? OBSERVATION_NEVER : result->observation);
}

/* Who waits in an execution that hangs, and what it ends with; brute force finds that there is one, and tells of none.
 */
static void add_hang(const struct result *result, const struct hang *hang, struct text *out) {
  static const char *const doings[] = {" waits for ever", " spins for ever", " repeats for ever",
                                       " is never scheduled"};
  const struct program *program = result->program;
  text_add(out, hang->waiting.len ? ": " : "");
  for (uint32_t i = 0; i < hang->waiting.len; i++) {
    const struct waiting *w = &hang->waiting.data[i];
    text_printf(out, "%s", i ? ", " : "");
    add_access(program, w->thread, w->instr, out);
    text_add(out, doings[w->kind]);
    if (w->state) text_printf(out, " (%s)", w->state);
  }
  if (hang->values && program->observed_count) text_add(out, "; then");
  for (uint32_t i = 0; i < program->observed_count && hang->values; i++) {
    const struct observable *o = &program->observables[i];
    text_printf(out, " %s=", o->name);
    type_print(o->type, hang->values[i], out);
    text_char(out, ';');
  }
  text_char(out, '\n');
}

/* What is known about threads that do not end. */
static void add_endings(const struct result *result, struct text *out) {
  const char *name = result->program->name;
  static const char *const answers[] = {"", "always", "not always", "unknown"};
  if (result->spin_loops)
    text_printf(out, "Loops %s %u without effect when repeated: one iteration is enough\n", name, result->spin_loops);
  if (result->bounded) {
    struct position at = source_position(result->bound_place.source, result->bound_place.begin);
    text_printf(out, "Bound %s %u iterations reached at %s:%u%s\n", name, result->bound,
                result->bound_place.source->name, at.line,
                !result->bound_settled ? ""
                : result->complete     ? "; more bring out no other outcome"
                                       : "; more do not change the verdict");
  }
  if (result->deadlock.found) {
    text_printf(out, "Deadlock %s possible", name);
    add_hang(result, &result->deadlock, out);
  }
  if (result->termination == TERMINATION_NOT_ASKED) return;
  text_printf(out, "Termination %s %s %s", name, result->progress, answers[result->termination]);
  if (result->hang.found) add_hang(result, &result->hang, out);
  else text_char(out, '\n');
}

/* Who said what: one line, or with brute force two. */
static void add_certificate(const struct result *result, const struct certificate *c, struct text *out) {
  const char *name = result->program->name;
  unsigned long long claims = result->claims.len, witnesses = result->stats.witnesses;
  text_printf(out, "Certified %s %s", name, c->certified ? "yes" : "no: ");
  text_printf(out, "%s\n", c->certified ? "" : c->problem);
  if (witnesses)
    text_printf(out, "Certified %s %llu execution%s found: evaluated again, every axiom holds\n", name, witnesses,
                witnesses > 1 ? "s" : "");
  if (claims) {
    text_printf(out, "Certified %s ", name);
    out_claims(result, out);
    text_printf(out, ": %s proves %llu of %llu, its proofs checked", c->prover, (unsigned long long)c->proved, claims);
    if (c->solver) text_printf(out, "; %s agrees on %llu of %llu", c->solver, (unsigned long long)c->agreed, claims);
    text_char(out, '\n');
  }
  if (c->candidates)
    text_printf(out, "Certified %s brute force: the same result from %llu candidate executions\n", name,
                (unsigned long long)c->candidates);
}

/* `Unsafe NAME race: P0 'st.u32 [x], 1' (line 3) and P1 ...; Data-Race-8.7.1`: a line for each kind of finding. */
static void add_findings(const struct result *result, struct text *out) {
  for (uint32_t i = 0; i < result->findings.len; i++) {
    const struct safety_finding *f = &result->findings.data[i];
    text_printf(out, "Unsafe %s %s", result->program->name, safety_name(f->kind));
    if (f->thread_a != NO_THREAD || f->thread_b != NO_THREAD) text_add(out, ": ");
    if (f->thread_a != NO_THREAD || f->thread_b != NO_THREAD) add_access(result->program, f->thread_a, f->instr_a, out);
    if (f->thread_b != NO_THREAD && (f->thread_a != f->thread_b || f->instr_a != f->instr_b)) {
      text_add(out, " and ");
      add_access(result->program, f->thread_b, f->instr_b, out);
    }
    if (f->thread_a == NO_THREAD && f->place.source) text_add(out, ": ");
    if (f->thread_a == NO_THREAD) span_tell_line(f->place, out);
    if (*f->clause) text_printf(out, "; %s", f->clause);
    if (f->text) text_printf(out, ": %s", f->text);
    text_char(out, '\n');
  }
}

static void add_own_lines(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  const char *name = result->program->name;
  add_findings(result, out);
  text_printf(out, "Verdict %s %s under %s\n", name, verdict_name(result->verdict), result->model->name);
  if (result->filter_empty) text_printf(out, "Filter %s no allowed execution passes the filter\n", name);
  if (result->vacuous) text_printf(out, "Vacuous %s unreachable even with every axiom dropped\n", name);
  for (uint32_t i = 0; i < result->assumes.len; i++) {
    text_printf(out, "Assumes %s ", name);
    assumption_print(&result->assumes.data[i], out);
    text_char(out, '\n');
  }
  add_endings(result, out);
  if (finding->expected)
    text_printf(out, "Expected %s %s%s\n", name, finding->expected, finding->as_expected ? "" : ", but not found");
  if (finding->certificate) add_certificate(result, finding->certificate, out);
}

void out_text(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  const struct program *program = result->program;
  bool swapped = program->quantifier == QUANTIFIER_NOT_EXISTS; /* herd's quirk: here, and not in Observation */
  /* What was found before a limit is no list of outcomes, and depends on the speed of the machine. */
  uint32_t states = result->complete ? result->outcomes.len : 0;
  unsigned long long positive = result->complete ? result->positive : 0;
  unsigned long long negative = result->complete ? result->negative : 0;
  text_printf(out, "Test %s %s\nStates %u\n", program->name, out_kind(program->quantifier), states);
  out_pass_list(result, out);
  for (uint32_t i = 0; i < states; i++) {
    add_state(program, outcomes_at(&result->outcomes, i), out);
    text_pass(out);
  }
  out_pass_list(result, out);
  add_validation(result, out);
  text_printf(out, "Witnesses\nPositive: %llu Negative: %llu\n", swapped ? negative : positive,
              swapped ? positive : negative);
  add_flags(finding, out);
  text_printf(out, "Condition %s\n", program->condition_text);
  text_printf(out, "Observation %s %s %llu %llu\n", program->name, observation_word(result), positive, negative);
  add_own_lines(finding, out);
  text_printf(out, "Time %s %.2f\nHash=%s\n\n", program->name, result->stats.ms / 1000.0, finding->hash);
}
