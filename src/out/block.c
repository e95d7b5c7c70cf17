/* Herd's block of a result (docs/semantics.md T3).
 *
 * Each line was checked against herd's log readers (herdtools7, tools/lexLog_tools.mll):
 * - after the states comes one of Ok, No, Undef or ??, and the rest of that line is skipped, so a reason may follow;
 * - between Witnesses and Condition, lines that start with "Flag " are skipped;
 * - after Observation, lines "Key NAME text" and "Key=text" are skipped: ours are those of add_own_lines. */
#include "out/build_json.h"

/* "Verdict NAME ", and more. */
static void add_line(struct text *out, const char *key, const struct result *r, const char *format, ...)
    PRINTF_LIKE(4, 5);

static void add_line(struct text *out, const char *key, const struct result *r, const char *format, ...) {
  va_list arguments;
  text_printf(out, "%s %s ", key, r->program->name);
  va_start(arguments, format);
  text_printf_list(out, format, arguments);
  va_end(arguments);
}

static void add_states(const struct result *r, struct text *out) {
  out_pass_list(r, out);
  for (uint32_t i = 0; i < r->outcomes.len && r->complete; i++) {
    state_print(r->program, outcomes_at(&r->outcomes, i).values, " ", ";", false, out);
    text_char(out, '\n');
    text_pass(out);
  }
  out_pass_list(r, out);
}

static void add_reason(const struct result *r, struct text *out) {
  out_reason(r, out);
  text_char(out, '\n');
}

static void add_validation(const struct result *r, struct text *out) {
  bool undefined = r->verdict == VERDICT_UNDEFINED, decided = !undefined && r->verdict != VERDICT_UNKNOWN;
  text_add(out, undefined ? "Undefined: " : !decided ? "?? Unknown: " : r->holds ? "Ok\n" : "No\n");
  if (!decided) add_reason(r, out);
}

/* `role`: also the thread of a kernel. */
static void add_access(const struct program *program, uint32_t thread, uint32_t instr, bool role, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "an initial write");
    return;
  }
  const struct thread *t = &program->threads[thread];
  const struct span span = t->instrs[instr].span;
  text_printf(out, "P%u '", t->number);
  out_instr(program, thread, instr, out);
  text_char(out, '\'');
  if (!span.source) return;
  text_add(out, " (");
  span_tell_line(span, out);
  out_turn(program, thread, instr, out);
  if (role && t->of_kernel && !t->host) {
    text_printf(out, ", thread %u of block %u", t->special.tid, t->special.cta);
    if (t->represents) text_printf(out, " and %u more", t->represents);
  }
  text_char(out, ')');
}

/* Adds two accesses, or only one if they are the same. */
static void add_pair(const struct program *program, const struct raised_pair *pair, struct text *out) {
  add_access(program, pair->thread_a, pair->instr_a, false, out);
  if (pair->thread_a == pair->thread_b && pair->instr_a == pair->instr_b) return;
  text_add(out, " and ");
  add_access(program, pair->thread_b, pair->instr_b, false, out);
}

/* Flags that could not be decided within their share of the work limit, each with its first undecided pair. */
static void add_open(const struct result *r, struct text *out) {
  if (r->flags_reason) text_printf(out, "Flags unknown: %s\n", r->flags_reason);
  VEC_EACH (open, &r->open_flags) {
    text_printf(out, "Flags unknown: %s", open->name);
    if (open->pair_count > 1) text_printf(out, " for %u pairs of accesses, such as ", open->pair_count);
    if (open->pair_count == 1) text_add(out, " for ");
    if (open->pair_count) add_pair(r->program, open->pairs, out);
    text_add(out, "; deciding this would take longer than the verdict did: run with --races to decide it\n");
  }
}

/* The flags that the model raised: one line per pair, or one line per flag if pairs are only counted. */
static void add_flags(const struct finding *finding, struct text *out) {
  VEC_EACH (raised, &finding->result->raised) {
    uint32_t count = raised->pair_count;
    if (!count) text_printf(out, "Flag %s\n", raised->name);
    if (count && finding->flags_counted && raised->role != CAT_UNDEFINED) {
      text_printf(out, "Flag %s: %u pair%s of accesses\n", raised->name, count, count > 1 ? "s" : "");
      continue;
    }
    for (uint32_t i = 0; i < count; i++) {
      text_printf(out, "Flag %s: ", raised->name);
      add_pair(finding->result->program, &raised->pairs[i], out);
      text_char(out, '\n');
    }
  }
}

/* `Unsafe NAME race: P0 'st.u32 [x], 1' (line 3) and P1 ...; Data-Race-8.7.1`: one line per kind of finding. */
static void add_findings(const struct result *r, struct text *out) {
  VEC_EACH (f, &r->findings) {
    struct found_access places[2];
    uint32_t count = out_places(r->program, f, places);
    add_line(out, "Unsafe", r, "%s", safety_name(f->kind));
    for (uint32_t i = 0; i < count && (!i || !out_same_access(&places[0], &places[1])); i++) {
      text_add(out, i ? " and " : ": ");
      add_access(r->program, places[i].thread, places[i].instr, true, out);
    }
    if (!count && f->place.source) text_add(out, ": ");
    if (!count) span_tell_line(f->place, out);
    if (*f->clause) text_printf(out, "; %s", f->clause);
    if (f->text) text_printf(out, ": %s", f->text);
    text_char(out, '\n');
  }
}

/* `Sequential NAME no: P0 'st.volatile [x], 1' (line 3) -po-> ... -fr-> the first again`: the cycle that no
 * interleaving has (K18). */
static void add_sequential(const struct result *r, struct text *out) {
  if (r->sequential_reason) add_line(out, "Sequential", r, "unknown: %s\n", r->sequential_reason->text);
  if (r->sequential == SEQUENTIAL_UNKNOWN) return;
  add_line(out, "Sequential", r, "%s", r->sequential == SEQUENTIAL_YES ? "yes\n" : "no: ");
  if (r->sequential == SEQUENTIAL_YES) return;
  VEC_EACH (place, &r->cycle) {
    add_access(r->turns_program ? r->turns_program : r->program, place->thread, place->instr, true, out);
    text_printf(out, " -%s-> ", sequence_link_name(place->link));
  }
  text_add(out, "the first again\n");
}

/* herd says Never when there is no execution at all. */
static const char *observation(const struct result *r) {
  static const char *const words[] = {
      [VERDICT_UNDEFINED] = "Undefined", [VERDICT_UNKNOWN] = "Unknown",       [VERDICT_SAFE] = "Safe",
      [VERDICT_UNSAFE] = "Unsafe",       [VERDICT_SEQUENTIAL] = "Sequential", [VERDICT_WEAK] = "Weak"};
  if (words[r->verdict]) return words[r->verdict];
  return r->observation == OBSERVATION_NONE ? "Never" : observation_name(r->observation);
}

/* ---- Threads that do not end */

/* The threads that wait in an execution that hangs, and its final state; brute force only finds that one exists. */
static void add_hang(const struct result *r, const struct hang *hang, struct text *out) {
  static const char *const doings[] = {[WAITING_AT_BARRIER] = "waits for ever",
                                       [WAITING_SPINS] = "spins for ever",
                                       [WAITING_REPEATS] = "repeats for ever",
                                       [WAITING_HALTED] = "is never scheduled"};
  VEC_EACH (w, &hang->waiting) {
    text_add(out, w == hang->waiting.data ? ": " : ", ");
    add_access(r->program, w->thread, w->instr, true, out);
    text_printf(out, " %s", doings[w->kind]);
    if (w->state) text_printf(out, " (%s)", w->state);
  }
  if (hang->values && r->program->observed_count) {
    text_add(out, "; the state is then ");
    state_print(r->program, hang->values, " ", ";", false, out);
  }
  text_char(out, '\n');
}

static void add_endings(const struct result *r, struct text *out) {
  static const char *const endings[] = {[TERMINATION_ALWAYS] = "every thread ends",
                                        [TERMINATION_MAY_HANG] = "a thread may never end",
                                        [TERMINATION_UNKNOWN] = "not known if every thread ends"};
  static const char *const runs[][2] = {{"fair", "all threads"},
                                        {"hsa", "the first thread that has not ended"},
                                        {"obe", "the threads that have begun"},
                                        {"lobe", "the threads up to the last that has begun"}};
  if (r->spin_loops)
    add_line(out, "Loops", r, "%u with iterations that change nothing: one iteration represents them all\n",
             r->spin_loops);
  if (r->bounded)
    add_line(out, "Bound", r, "%u iterations reached at %s:%u%s\n", r->bound, r->bound_place.source->name,
             source_position(r->bound_place.source, r->bound_place.begin).line,
             !r->bound_settled ? ""
             : r->complete     ? "; more iterations give no other outcome"
                               : "; more iterations do not change the verdict");
  if (r->deadlock.found) {
    add_line(out, "Deadlock", r, "possible");
    add_hang(r, &r->deadlock, out);
  }
  if (r->termination == TERMINATION_NOT_ASKED) return;
  uint32_t scheduler = 0;
  while (scheduler + 1 < ARRAY_LEN(runs) && strcmp(runs[scheduler][0], r->progress) != 0) scheduler++;
  add_line(out, "Termination", r, "%s (%s: the scheduler runs %s)", endings[r->termination], r->progress,
           runs[scheduler][1]);
  static const struct hang none = {0};
  add_hang(r, r->hang.found ? &r->hang : &none, out);
}

/* ---- The whole */

static void add_own_lines(const struct finding *finding, struct text *out) {
  const struct result *r = finding->result;
  bool decided = r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN;
  bool observed = r->observation != OBSERVATION_NONE;
  add_line(out, "Verdict", r, "%s under %s\n", verdict_name(r->verdict), r->model->name);
  if (decided && !observed) add_line(out, "Filter", r, "no allowed execution passes the filter\n");
  if (r->vacuous) add_line(out, "Vacuous", r, "unreachable even without the axioms\n");
  VEC_EACH (a, &r->assumes) {
    add_line(out, "Assumes", r, "%s", "");
    assumption_print(a, out);
    text_char(out, '\n');
  }
  add_endings(r, out);
  if (finding->expected)
    add_line(out, "Expected", r, "%s%s%s\n", finding->expected, finding->as_expected ? "" : ", but found ",
             finding->as_expected ? ""
             : observed           ? observation_name(r->observation)
                                  : verdict_name(r->verdict));
  if (!finding->certificate) return;
  struct json object = json_begin(out->arena, r->program, r->model->name);
  put_certificate(object, r, finding->certificate);
  told_certificate(object.value, out);
}

/* Outcomes found before a limit are not complete, and depend on the speed of the machine. */
void out_text(const struct finding *finding, struct text *out) {
  const struct result *r = finding->result;
  bool swapped = r->program->quantifier == LITMUS_NOT_EXISTS; /* herd's quirk: here, and not in Observation */
  unsigned long long positive = r->complete ? r->positive : 0, negative = r->complete ? r->negative : 0;
  add_line(out, "Test", r, "%s\nStates %u\n", out_kind(r->program->quantifier), r->complete ? r->outcomes.len : 0);
  add_states(r, out);
  add_validation(r, out);
  text_printf(out, "Witnesses\nPositive: %llu Negative: %llu\n", swapped ? negative : positive,
              swapped ? positive : negative);
  add_open(r, out);
  add_flags(finding, out);
  text_printf(out, "Condition %s\n", r->program->condition_text);
  add_line(out, "Observation", r, "%s %llu %llu\n", observation(r), positive, negative);
  if (program_asks_safety(r->program)) {
    add_findings(r, out);
    if (r->verdict == VERDICT_UNSAFE && r->reason) {
      add_line(out, "Others", r, "unknown: ");
      add_reason(r, out);
    }
    add_sequential(r, out);
  }
  add_own_lines(finding, out);
  add_line(out, "Time", r, "%.2f\n", r->stats.ms / 1000.0);
  if (finding->hash) text_printf(out, "Hash=%s\n", finding->hash);
  text_char(out, '\n');
}
