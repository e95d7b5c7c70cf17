/* Changes of a kernel's module: the whole launch is run and checked again with them, which proves a repair. */
#include "repair/fix_search.h"

/* ---- Trials */

/* The launch with these changes. */
static const struct program *remade(struct search_fix *f, const struct kernel_edit *edits, uint32_t count,
                                    enum fix_question question) {
  const uint64_t before = arena_counted(f->arena);
  for (uint32_t e = 0; e < count; e++)
    if (edits[e].places) *edits[e].places = (struct kernel_places){0};
  const struct program *program =
      f->input->remake(f->proving ? f->input->asked : f->input->remaker, f->scratch, edits, count, question);
  fix_read(f, before);
  return program;
}

/* The answer if the changed launch, which is safe, shows only what interleavings of its threads do (K18). */
static enum sequential in_turns(struct search_fix *f, const struct kernel_edit *edits, uint32_t count,
                                const struct result *result) {
  enum { TIMES_AS_HARD = 5 };
  struct result turns;
  if (!search_lacks_turns(result)) return result->sequential;
  const struct program *program = remade(f, edits, count, FIX_IN_TURNS);
  struct check_options options = fix_quick(f, false);
  options.work = TIMES_AS_HARD * f->patience < TURNS_WORK ? TIMES_AS_HARD * f->patience : TURNS_WORK;
  if (!program) return SEQUENTIAL_UNKNOWN;
  fix_run(f, program, options, &turns);
  return turns.sequential;
}

static struct span place_of(const struct program *program, uint32_t thread, uint32_t instr) {
  const struct thread *t = thread == NO_THREAD ? NULL : &program->threads[thread];
  return t && instr < t->instr_count ? t->instrs[instr].span : (struct span){0};
}

/* "race of line 43, gemm.cu:5 and line 50, gemm.cu:7" */
const char *module_finding(struct arena *arena, const struct result *result) {
  const struct safety_finding *first = &result->findings.data[0];
  const struct span a = place_of(result->program, first->thread_a, first->instr_a),
                    b = place_of(result->program, first->thread_b, first->instr_b);
  struct text out = {.arena = arena};
  text_add(&out, safety_name(first->kind));
  if (a.source) text_add(&out, " of "), span_tell_near(a, &out);
  if (b.source && b.begin == a.begin) text_add(&out, " with itself in another thread");
  else if (b.source) text_add(&out, " and "), span_tell_near(b, &out);
  return text_str(&out);
}

/* The verdict of the launch with these changes of its module. `relaxes`: some make weak accesses strong, so that the
 * result counts only if it is sequential: to relax a race away is no repair. */
struct fix_trial module_try(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, bool relaxes) {
  struct fix_trial judged = {0};
  const struct program *program = remade(f, edits, count, FIX_VERDICT);
  if (!program) return judged;
  struct check_options options = fix_quick(f, f->out->goal == FIX_RACES);
  struct result result;
  options.only_safe = fix_keeps_safe(f->out->goal);
  options.sequence = relaxes;
  fix_run(f, program, options, &result);
  judged = fix_judge(&result);
  fix_note_cut(f, &judged);
  f->out->tried++;
  judged.turns = SEQUENTIAL_YES;
  if (judged.decided && !judged.bad && relaxes) judged.turns = in_turns(f, edits, count, &result);
  const struct result *from = f->out->result;
  if (judged.bad && result.findings.len) {
    judged.finding = module_finding(f->arena, &result);
    judged.another = f->out->goal == FIX_SAFE && from->findings.len &&
                     !groups_same_finding(&result, &result.findings.data[0], from, &from->findings.data[0]);
  }
  if (judged.reason) judged.reason = arena_strdup(f->arena, judged.reason);
  return judged;
}

/* A safe launch has no finding: the search begins from two accesses of the cycle, of different threads. */
bool module_take_cycle(struct search_fix *f, struct result *out) {
  struct check_options options = fix_quick(f, false);
  struct result turns = {0};
  options.work = TURNS_WORK;
  const struct program *program = remade(f, NULL, 0, FIX_IN_TURNS);
  if (program) fix_run(f, program, options, &turns);
  const struct sequence_place *places = turns.cycle.data;
  for (uint32_t i = 0; turns.sequential == SEQUENTIAL_NO && i + 1 < turns.cycle.len; i++) {
    const struct sequence_place *a = &places[i], *b = &places[i + 1];
    struct safety_finding first = {SAFETY_RACE, .thread_a = a->thread, .instr_a = a->instr, .thread_b = b->thread};
    first.instr_b = b->instr;
    if (a->thread == b->thread || !fix_translate(turns.program, out->program, &first)) continue;
    VEC_PUSH(f->arena, &out->findings, first);
    return true;
  }
  return false;
}

bool module_look(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, struct result *out) {
  const uint64_t before = arena_counted(f->arena);
  const struct program *program = f->input->remake(f->input->remaker, f->arena, edits, count, FIX_VERDICT);
  fix_read(f, before);
  struct check_options options = fix_quick(f, true);
  options.any_finding = false;
  options.expected = NULL;
  options.work = f->patience;
  if (program) check(f->arena, program, f->input->model, &options, out);
  f->out->tried++;
  if (program) f->work += fix_work(&out->stats);
  return program != NULL;
}

bool module_is_right(const struct search_fix *f, const struct fix_trial *judged) {
  return fix_meets_goal(f, judged, false) && judged->turns == SEQUENTIAL_YES;
}

static uint32_t times_passed(const struct thread *t, const struct litmus_instr *added) {
  return COUNT(ARRAY_EACH (i, t->instrs, t->instr_count),
               i->kind == INSTR_BARRIER && i->span.source == added->span.source && i->span.begin == added->span.begin);
}

static bool meet_elsewhere(const struct thread *a, const struct thread *b, const struct litmus_instr *added) {
  return strncmp(added->opcode.text, "bar", 3) != 0 || a->cta_id != b->cta_id ||
         (litmus_has_word(&added->qualifiers, ".warp") && a->warp_id != b->warp_id);
}

static bool meets_others(const struct thread *t) {
  return SOME(ARRAY_EACH (i, t->instrs, t->instr_count), i->kind == INSTR_BARRIER && i->barrier->kind == BARRIER_CTA);
}

/* True if both threads pass the barrier equally often, or one ends without any barrier of the block, which counts for
 * all that the others pass (9.7.15.1). A barrier that moves has to stay for all. */
static bool pass_alike(const struct thread *a, const struct thread *b, const struct litmus_instr *added, bool moves) {
  uint32_t one = times_passed(a, added), other = times_passed(b, added);
  if (moves) return one == other;
  return one == other || (!one && !meets_others(a)) || (!other && !meets_others(b));
}

/* True if all threads that a new barrier is for pass it equally often: in the branch of a few it would pair with
 * another barrier of the rest, which hides the mistake. */
static bool module_meets(struct search_fix *f, const struct kernel_edit *edits, uint32_t count) {
  bool barrier = false;
  for (uint32_t e = 0; e < count; e++)
    for (uint32_t k = 0; k < edits[e].count; k++) barrier |= strncmp(edits[e].instrs[k]->opcode.text, "bar", 3) == 0;
  if (!barrier) return true;
  const struct program *program = remade(f, edits, count, FIX_WHOLE);
  bool even = program != NULL;
  for (uint32_t e = 0; e < count; e++)
    for (uint32_t k = 0; k < edits[e].count && even; k++)
      for (uint32_t t = 1; t < program->thread_count; t++) {
        const struct litmus_instr *added = edits[e].instrs[k];
        const struct thread *a = &program->threads[t - 1], *b = &program->threads[t];
        even = even && (meet_elsewhere(a, b, added) || pass_alike(a, b, added, edits[e].kind == KERNEL_MOVE));
      }
  return even;
}

/* The look at all columns comes before the check, because a launch in which some wait for ever is harder to check;
 * after it if the check is dear, or the reading that both need. */
static bool is_repair(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, unsigned asks,
                      struct fix_trial *judged) {
  enum { MUCH = 1000000, LONG_READING = 250000 };
  bool slow = f->once > MUCH || f->input->read_work > LONG_READING, meets = asks & MODULE_MEETS;
  *judged = (struct fix_trial){0};
  if (meets && !slow && !module_meets(f, edits, count)) return false;
  *judged = module_try(f, edits, count, asks & MODULE_IN_TURNS);
  return module_is_right(f, judged) && (!meets || !slow || module_meets(f, edits, count));
}

bool module_repairs(struct search_fix *f, const struct kernel_edit *edits, uint32_t count, unsigned asks,
                    struct fix_trial *judged) {
  bool right = is_repair(f, edits, count, asks, judged);
  struct fix_trial proof;
  f->proving = f->input->asked != NULL;
  if (right && f->proving) right = is_repair(f, edits, count, asks, &proof);
  f->proving = false;
  return right;
}

/* ---- Edits of the columns as changes of the module */

struct changer {
  struct intern *names;
  const struct edit *edit;
  struct litmus_instr *moved;
};

static struct litmus_instr *change(struct arena *arena, const void *changer, const struct litmus_instr *from) {
  const struct changer *c = changer;
  if (c->edit->kind == EDIT_DROP || c->edit->kind == EDIT_DROP_BARRIER) return NULL;
  return edits_changed(arena, c->names, from, c->edit);
}

/* False: the edit is not one of the module, as at the start of a thread. */
static bool as_change(struct search_fix *f, const struct edit *edit, struct kernel_edit *out) {
  if (edit->instr == EDIT_AT_START) return false;
  const struct thread *t = &f->input->program->threads[edit->thread];
  struct changer *changer = ARENA_NEW(f->scratch, struct changer);
  *changer = (struct changer){f->input->names, edit, (struct litmus_instr *)t->instrs[edit->instr].ast};
  *out = (struct kernel_edit){.at = t->instrs[edit->instr].span, .change = change, .changer = changer};
  switch (edit->kind) {
    case EDIT_STRENGTH:
    case EDIT_WORD:
    case EDIT_NUMBER:
    case EDIT_DROP:
    case EDIT_DROP_BARRIER: out->kind = KERNEL_CHANGE; return true;
    case EDIT_ADD:
      out->kind = edit->ahead ? KERNEL_BEFORE : KERNEL_AFTER;
      out->instrs = edits_read(f->scratch, f->input->names, edit->added, &out->count);
      return true;
    case EDIT_MOVE:
      if (edit->target == EDIT_AT_START) return false;
      out->kind = KERNEL_MOVE;
      out->instrs = &changer->moved; /* for module_meets */
      out->count = 1;
      out->to = t->instrs[edit->target].span;
      return true;
    case EDIT_UNGUARD: out->kind = KERNEL_UNGUARD; return true;
    case EDIT_COUNT:
    case EDIT_ADD_BARRIER:
    case EDIT_WIDEN: return false;
  }
  BUG("no kind %d of edits", (int)edit->kind);
}

static bool makes_strong(const struct search_fix *f, const struct edit *edit) {
  return edit->kind == EDIT_STRENGTH && f->input->program->threads[edit->thread].instrs[edit->instr].sem == SEM_WEAK;
}

bool fix_of_module(const struct search_fix *f, const struct edit *edits, uint32_t count) {
  if (!f->input->remake) return false;
  for (uint32_t i = 0; i < count; i++) {
    const struct thread *t = edits[i].thread == NO_THREAD ? NULL : &f->input->program->threads[edits[i].thread];
    if (!t || !t->of_kernel || t->host) return false;
  }
  return true;
}

bool fix_relaxes(const struct search_fix *f, const struct edit *edits, uint32_t count) {
  bool relaxes = SOME_BELOW(i, count, makes_strong(f, &edits[i]));
  return relaxes && fix_of_module(f, edits, count);
}

bool module_changes(struct search_fix *f, const struct edit *edits, uint32_t count, struct kernel_edits *out) {
  struct kernel_edit one;
  for (uint32_t i = 0; i < count; i++) {
    if (!as_change(f, &edits[i], &one)) return false;
    VEC_PUSH(f->scratch, out, one);
  }
  return true;
}

bool module_holds(struct search_fix *f, const struct edit *edits, uint32_t count, unsigned asks,
                  struct fix_trial *judged) {
  struct kernel_edits changes = {0};
  *judged = (struct fix_trial){0};
  bool right = module_changes(f, edits, count, &changes) &&
               module_repairs(f, changes.data, changes.len, MODULE_MEETS | asks, judged);
  arena_release(f->scratch);
  return right;
}
