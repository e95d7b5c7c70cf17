/* Makes and checks one version of a test, and describes it as changes of the text. */

#include "explain/words.h"
#include "repair/fix_search.h"

/* ---- Checking one version ---- */

struct fix_trial fix_judge(const struct result *r) {
  bool safety = r->verdict == VERDICT_SAFE || r->verdict == VERDICT_UNSAFE;
  struct fix_trial j = {.decided = safety || r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN};
  bool forall = r->program->quantifier == LITMUS_FORALL;
  j.bad = safety ? r->verdict == VERDICT_UNSAFE : forall ? r->negative > 0 : r->positive > 0;
  j.deadlock = r->deadlock.found;
  j.vacuous = r->vacuous_known && r->vacuous && !forall;
  j.filter_empty = r->filter_empty;
  j.verdict = r->verdict;
  if (r->findings.len) j.kind = r->findings.data[0].kind, j.clause = r->findings.data[0].clause;
  j.outcomes = r->outcomes.len;
  j.why = r->reason;
  j.reason = r->reason ? r->reason->text : NULL;
  for (uint32_t i = 0; i < r->raised.len; i++)
    j.races += r->raised.data[i].pair_count ? r->raised.data[i].pair_count : 1;
  return j;
}

uint64_t fix_work(const struct stats *stats) {
  enum { CLAUSES = 2, PAIRS = 4, WORK_OF_A_CONFLICT = 5, CLAUSES_OF_A_CONFLICT = 40000 }; /* as measured */
  const uint64_t of_a_conflict = WORK_OF_A_CONFLICT + stats->clauses / CLAUSES_OF_A_CONFLICT;
  return stats->clauses / CLAUSES + (uint64_t)stats->events * stats->events / PAIRS +
         of_a_conflict * stats_conflicts(stats);
}

struct fix_trial fix_check(struct arena *arena, const struct fix_input *input, const struct program *program) {
  struct check_options options = *input->options;
  struct result result = {0};
  options.verdict_only = true;
  check(arena, program, input->model, &options, &result);
  return fix_judge(&result);
}

struct check_options fix_quick(const struct search_fix *f, bool races) {
  return (struct check_options){.verdict_only = true,
                                .any_finding = true,
                                .expected = f->expected,
                                .races = races,
                                .shape = f->input->options->shape,
                                .timeout = base_left(f->deadline)};
}

/* ---- Work ---- */

void fix_read(struct search_fix *f, uint64_t before) {
  enum { WORK_OF_A_READING = 1000 }; /* and a unit for each instruction that a thread executes */
  f->work += WORK_OF_A_READING + arena_counted(f->arena) - before;
}

void fix_run(struct search_fix *f, const struct program *program, struct check_options options, struct result *result) {
  enum { PATIENCE_OF_A_PROOF = 10 };
  if (!options.work) options.work = f->patience * (f->proving ? PATIENCE_OF_A_PROOF : 1);
  check(f->scratch, program, f->input->model, &options, result);
  f->work += fix_work(&result->stats);
}

const struct program *fix_lower(struct arena *arena, const struct fix_input *input, const struct edit *edits,
                                uint32_t count, const struct litmus_test **test) {
  struct diags diags;
  diags_init(&diags, arena);
  *test = edits_apply(arena, input->names, input->test, input->program, edits, count);
  return *test ? lower(arena, input->names, &diags, *test, input->lowering) : NULL;
}

/* The text by which a trial is known. */
static const char *text_of(struct arena *arena, const struct litmus_test *test, const struct check_options *options) {
  struct text text = {.arena = arena};
  text_printf(&text, "%d %d ", options->verdict_only, options->races);
  litmus_print(test, &text);
  return text_str(&text);
}

void fix_note_cut(struct search_fix *f, const struct fix_trial *judged) {
  bool late = judged->why && judged->why->id == REASON_TIME_LIMIT;
  f->cut = f->cut || (late && !base_is_late(f->deadline));
}

struct fix_trial fix_try(struct search_fix *f, const struct edit *edits, uint32_t count,
                         const struct check_options *options) {
  struct fix_trial judged = {0};
  struct result result;
  const struct litmus_test *test;
  const struct program *program = fix_lower(f->scratch, f->input, edits, count, &test);
  const char *text = program ? text_of(f->scratch, test, options) : "";
  uint64_t hash = hash_bytes(text, strlen(text));
  bool known = false;
  HASH_EACH (i, &f->index, hash)
    if (!known && strcmp(f->known.data[i].text, text) == 0) judged = f->known.data[i].judged, known = true;
  if (program && !known) {
    fix_run(f, program, *options, &result);
    judged = fix_judge(&result);
    if (judged.reason) judged.reason = arena_strdup(f->arena, judged.reason);
    f->out->tried++;
    fix_note_cut(f, &judged);
    VEC_PUSH(f->arena, &f->known, ((struct known_trial){arena_strdup(f->arena, text), judged}));
    hash_add(f->arena, &f->index, hash, f->known.len - 1);
  }
  arena_release(f->scratch);
  return judged;
}

bool fix_is_sound(const struct search_fix *f, const struct fix_trial *j) {
  return j->decided && j->deadlock <= f->as_is.deadlock && j->filter_empty <= f->as_is.filter_empty;
}

static const char *why_enough(struct search_fix *f) {
  if (f->most_work && f->work > f->most_work)
    return f->seconds > 0
               ? "the work of the search is limited; with --timeout SECONDS it searches as long as you let it"
               : "the search took too much work";
  if (!base_is_late(f->deadline)) return NULL;
  if (f->seconds > 0)
    return arena_printf(f->arena,
                        "%.0f s were over, so that a faster machine may find more; --timeout SECONDS gives it "
                        "more time",
                        f->seconds);
  return f->size ? arena_printf(f->arena, "the time limit was reached among sets of %u change%s", f->size,
                                f->size == 1 ? "" : "s")
                 : "the time limit was reached";
}

bool fix_out_of_time(struct search_fix *f) {
  const char *why = why_enough(f);
  if (why && !f->out->limit) f->out->limit = why;
  return why != NULL;
}

/* ---- Describing the changes ---- */

static void add_change(struct search_fix *f, struct fix_way *way, struct fix_change change) {
  if (change.kind != FIX_ADD) change.before = words_instr(f->arena, f->input->program, change.thread, change.instr);
  VEC_PUSH(f->arena, &way->changes, change);
}

/* Each instruction of the text is a change. The first one of a wider access replaces the old one; the others follow. */
static void add_each(struct search_fix *f, struct fix_way *way, struct fix_change change) {
  for (const char *at = change.after; at; change.kind = FIX_ADD) {
    const char *end = strstr(at, "; ");
    change.after = end ? arena_strndup(f->arena, at, (size_t)(end - at)) : at;
    add_change(f, way, change);
    at = end ? end + 2 : NULL;
  }
}

static void add_declared(struct search_fix *f, struct fix_way *way, const struct edit *edit) {
  const struct litmus_entry *entry = edits_entry(f->input->test, edit);
  struct edit before = *edit;
  before.number = (uint32_t)entry->values->number.value;
  struct fix_change change = {.kind = FIX_DECLARE, .thread = edit->thread, .instr = edit->instr, .span = entry->span};
  change.before = edits_text(f->arena, f->input->test, f->input->program, &before, edit_place(edit, 0));
  change.after = edits_text(f->arena, f->input->test, f->input->program, edit, edit_place(edit, 0));
  VEC_PUSH(f->arena, &way->changes, change);
}

static const char *order_word(enum sem sem) {
  switch (sem) {
    case SEM_WEAK: break;
    case SEM_RELAXED: return "relaxed";
    case SEM_ACQUIRE: return "acquire";
    case SEM_RELEASE: return "release";
    case SEM_ACQ_REL: return "acq_rel";
    case SEM_SC: return "seq_cst";
  }
  BUG("semantics %d have no memory_order", (int)sem);
}

static bool only_relaxes(const struct search_fix *f, const struct edit *edit) {
  const struct thread *t = &f->input->program->threads[edit->thread];
  return edit->kind == EDIT_STRENGTH && edit->sem == SEM_RELAXED && t->instrs[edit->instr].sem == SEM_WEAK;
}

/* The changed instruction in the words of CUDA C++; NULL: the source writes PTX, or says it as PTX does. */
static const char *in_source(struct search_fix *f, const struct edit *edit) {
  const struct instr *i = &f->input->program->threads[edit->thread].instrs[edit->instr];
  const char *what = i->kind == INSTR_FENCE ? "cuda::atomic_thread_fence" : "cuda::atomic_ref";
  if (!f->out->lines) return NULL;
  bool named = edit->sem != SEM_WEAK && edit->scope != SCOPE_CLUSTER && i->kind != INSTR_MBARRIER;
  if (edit->kind == EDIT_STRENGTH && named)
    return arena_printf(f->arena, "in CUDA C++: %s of cuda::thread_scope_%s with cuda::memory_order_%s", what,
                        scope_of_cuda(edit->scope), order_word(edit->sem));
  bool parts = edit->kind == EDIT_WORD && base_alike(edit->from, EDIT_ALIGNED) && i->barrier->kind == BARRIER_CTA;
  return parts ? "__syncthreads() is aligned; write it as asm volatile" : NULL;
}

/* The condition that goes, in the words of the source. */
static void add_unguarded(struct search_fix *f, struct fix_way *way, const struct edit *edit) {
  struct kernel_places *places = ARENA_NEW(f->arena, struct kernel_places);
  struct text source = {.arena = f->arena};
  const struct span at = f->input->program->threads[edit->thread].instrs[edit->instr].span;
  const struct kernel_edit change = {.kind = KERNEL_UNGUARD, .at = at, .places = places};
  f->input->remake(f->input->remaker, f->arena, &change, 1, FIX_VERDICT);
  span_tell_near(at, &source);
  text_printf(&source, "  let all threads execute %s",
              words_instr(f->arena, f->input->program, edit->thread, edit->instr));
  VEC_PUSH(f->arena, &way->changes,
           ((struct fix_change){.kind = FIX_DROP, .source = text_str(&source), .places = places}));
}

void fix_add_changes(struct search_fix *f, struct fix_way *way, const struct edit *edit) {
  static const enum fix_change_kind kinds[] = {
      [EDIT_STRENGTH] = FIX_REPLACE, [EDIT_WORD] = FIX_REPLACE,      [EDIT_ADD] = FIX_ADD,
      [EDIT_ADD_BARRIER] = FIX_ADD,  [EDIT_MOVE] = FIX_MOVE,         [EDIT_DROP] = FIX_DROP,
      [EDIT_WIDEN] = FIX_REPLACE,    [EDIT_DROP_BARRIER] = FIX_DROP, [EDIT_NUMBER] = FIX_REPLACE};
  /* For a kernel, it is one change of the module. */
  bool line = edit->kind != EDIT_COUNT && f->input->program->threads[edit->thread].of_kernel && !edit_is_joint(edit);
  uint32_t places = line ? 1 : edit_places(edit), weight = edits_weight(edit);
  if (edit->kind == EDIT_COUNT) add_declared(f, way, edit);
  if (edit->kind == EDIT_UNGUARD) {
    add_unguarded(f, way, edit);
    return;
  }
  for (uint32_t i = 0; i < places && edit->kind != EDIT_COUNT; i++) {
    struct edit_place place = edit_place(edit, i);
    struct fix_change change = {.kind = kinds[edit->kind],
                                .thread = place.thread,
                                .instr = place.instr,
                                .ahead = edit->ahead,
                                .target = edit->target};
    if (change.kind != FIX_DROP) change.after = edits_text(f->arena, f->input->test, f->input->program, edit, place);
    if (line) change.remark = in_source(f, edit);
    if (line && only_relaxes(f, edit) && f->out->launch)
      change.remark = arena_printf(f->arena, "ends the race, orders nothing%s%s", change.remark ? "; " : "",
                                   change.remark ? change.remark : "");
    if (edit->kind == EDIT_DROP_BARRIER && places > 1) change.remark = "in all its threads at once";
    if (change.kind == FIX_ADD || edit->kind == EDIT_WIDEN) add_each(f, way, change);
    else add_change(f, way, change);
  }
  way->alike = way->alike || (places > 1 && !edit_is_joint(edit));
  way->cost += edit->cost * (edit_is_joint(edit) ? 1 : places);
  way->size += weight < FIX_CHANGES ? weight : FIX_CHANGES;
}
