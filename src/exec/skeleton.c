#include "exec/skeleton.h"

#include "exec/build.h"
#include "exec/pieces.h"

/* ---- Undefined behaviour, and tests that are refused ---- */

bool skeleton_hazard(struct skeleton *s, term_id when, const struct reason *why, uint32_t thread, uint32_t instr) {
  struct span span = s->program->threads[thread].instrs[instr].span;
  if (when != TERM_FALSE) VEC_PUSH(s->arena, &s->hazards, (struct hazard){when, why, span, thread, instr});
  return false;
}

bool skeleton_event_hazard(struct skeleton *s, term_id when, enum reason_id why, const struct event *e) {
  return skeleton_hazard(s, when, reason_get(why), e->thread, e->instr);
}

bool skeleton_refuse(struct skeleton *s, const struct reason *why, struct span place) {
  if (!s->refusal) s->refusal = why, s->refusal_place = place;
  return false;
}

struct shape shape_under(struct shape shape, const struct model *model) {
  if (model) shape.reads = model->reads, shape.skips_silent = model->ignores_silent_updates;
  return shape;
}

/* ---- Building ----
 *
 * One walk of the threads finds their events, and the later steps work on what it found. The walk rests on premises
 * that only these steps can examine: a step that finds one wrong withdraws it and returns false, and the threads are
 * walked again. So a test without loops of that kind, tensor memory and mbarrier objects is walked once. */

static struct skeleton *begin(struct arena *arena, const struct program *program,
                              const struct skeleton_options *options, const struct premises *premises) {
  struct skeleton *s = ARENA_NEW(arena, struct skeleton);
  s->program = program;
  s->arena = arena;
  s->options = *options;
  s->premises = *premises;
  if (!s->options.shape.unroll) s->options.shape.unroll = SKELETON_UNROLL;
  if (options->lassos) s->relevant = skeleton_relevant(s, 0);
  if (options->lean) s->lean = skeleton_relevant(s, MATTERS_TO_EVENTS);
  terms_init(&s->terms, arena);
  s->pieces = pieces_find(arena, program, options->shape.without);
  return s;
}

/* The events of threads, with values and places. False: a premise was wrong. */
static bool find_events(struct skeleton *s, struct dependencies *dependencies, struct premises *premises) {
  skeleton_walk(s, dependencies);
  if (skeleton_replan_tensor(s)) return false;
  if (!s->refusal) skeleton_refuse_free(s);
  if (s->refusal) return true;
  bool syntactic = shape_reads(&s->options.shape, READING_SYNTACTIC) || s->options.keep_dependencies;
  skeleton_depend(s, dependencies, syntactic);
  if (s->options.sources) skeleton_know_sources(s, s->options.sources);
  skeleton_barriers(s);
  if (!syntactic) skeleton_depend_on_no_wait(s, dependencies);
  skeleton_mbarriers(s);
  skeleton_groups(s);
  if (!s->refusal) skeleton_place(s);
  if (!s->refusal && premises->together && !skeleton_repeats_alike(s)) {
    premises->together--;
    return false;
  }
  if (!s->refusal) skeleton_refuse_parted(s);
  return true;
}

static struct skeleton *walk_until_right(struct arena *arena, const struct program *program,
                                         const struct skeleton_options *options, struct premises *premises,
                                         struct dependencies *dependencies) {
  struct skeleton *s;
  do {
    *dependencies = (struct dependencies){0};
    s = begin(arena, program, options, premises);
  } while (!find_events(s, dependencies, premises));
  return s;
}

static void refuse_many_events(struct skeleton *s) {
  const char *text = arena_printf(s->arena, "the test has %u events; the limit is %d", s->n, SKELETON_MAX_EVENTS);
  const double share = (double)SKELETON_MAX_EVENTS / s->n;
  skeleton_refuse(s, reason_of_size(s->arena, REASON_MANY_EVENTS, text, s->program, share), s->program->span);
}

/* Memory, and the relations between all events. False: a premise was wrong. */
static bool relate_events(struct skeleton *s, const struct dependencies *dependencies, struct premises *premises) {
  if (s->refusal) return true;
  skeleton_cut(s);
  skeleton_refuse_responses(s);
  if (!s->refusal && s->n > SKELETON_MAX_EVENTS) refuse_many_events(s);
  if (s->refusal) return true;
  skeleton_relate(s, dependencies);
  return !premises->silent || skeleton_stays_silent(s) || (premises->silent = false);
}

/* ---- Tests of mbarrier objects that fail ---- */

static bool leaves_result(const struct instr *in) {
  return in->kind == INSTR_MBARRIER && (in->mbarrier->action == MBARRIER_TRY || in->mbarrier->action == MBARRIER_TEST);
}

/* True if tests may be taken to fail: a thread has two of them, of which the first may only spare the second. */
static bool may_spare(const struct program *program, const struct skeleton_options *options) {
  bool may = false;
  if (!technique_on(options->shape.without, TECHNIQUE_TRIES)) return false;
  if (!program_asks_safety(program) || options->further) return false;
  ARRAY_EACH (thread, program->threads, program->thread_count) {
    uint32_t tests = COUNT(ARRAY_EACH (in, thread->instrs, thread->instr_count), leaves_result(in));
    may |= tests > 1;
  }
  return may;
}

/* `fails`, from the executions that end, whatever skeleton is asked for. */
static const struct bitset *find_failing(struct arena *arena, const struct program *program,
                                         const struct skeleton_options *options, struct premises *premises) {
  const struct skeleton_options plain = {.shape = options->shape};
  struct dependencies dependencies;
  if (!may_spare(program, options)) return NULL;
  const struct skeleton *s = walk_until_right(arena, program, &plain, premises, &dependencies);
  return s->refusal ? NULL : skeleton_failing_tries(s);
}

/* ---- The whole ---- */

struct skeleton *skeleton_build(struct arena *arena, const struct program *program,
                                const struct skeleton_options *options) {
  const struct without without = options->shape.without;
  struct premises premises = {.together = technique_on(without, TECHNIQUE_TOGETHER) ? TOGETHER_WORDS : TOGETHER_NOT,
                              .silent = options->shape.skips_silent && technique_on(without, TECHNIQUE_SILENT),
                              .tensor = skeleton_plan_tensor(arena)};
  struct dependencies dependencies;
  struct skeleton *s;
  do {
    premises.fails = NULL;
    premises.fails = find_failing(arena, program, options, &premises);
    s = walk_until_right(arena, program, options, &premises, &dependencies);
  } while (!relate_events(s, &dependencies, &premises));
  return s;
}

/* ---- Questions about a skeleton ---- */

struct skeleton *skeleton_with_spins(struct skeleton *skeleton, uint32_t copies) {
  struct skeleton_options options = {.shape = skeleton->options.shape, .keeps_spins = true, .spins_of = skeleton};
  bool spins = SOME(VEC_EACH (end, &skeleton->ends), end->kind == ENDING_SPIN);
  if (!spins) return skeleton;
  if (options.shape.unroll > copies) options.shape.unroll = copies;
  return skeleton_build(skeleton->arena, skeleton->program, &options);
}

bool skeleton_may_end(const struct skeleton *s, enum ending_kind kind) {
  return SOME(VEC_EACH (end, &s->ends), end->kind == kind && end->when != TERM_FALSE);
}

bool skeleton_has_barriers(const struct skeleton *s) {
  return SOME(EACH_THREAD_EVENT (i, e, s),
              e->kind == EVENT_WAIT || e->kind == EVENT_ARRIVE || e->use || (e->columns && e->columns->paired));
}

value_t skeleton_init_value(const struct skeleton *s, uint32_t phys, uint32_t size) {
  const struct program *program = s->program;
  value_t value = 0;
  ARRAY_EACH (object, program->objects, program->object_count) {
    if (phys < object->phys || phys >= object->phys + object->size) continue;
    uint32_t element_size = type_bytes(object->type);
    if (object->is_cells) return 0;
    for (uint32_t byte = 0; byte < size; byte++) {
      uint32_t offset = phys + byte - object->phys;
      value_t element = object->init[offset / element_size];
      value |= (element >> (8 * (offset % element_size)) & 0xff) << (8 * byte);
    }
    return value;
  }
  BUG("no object at byte %u", phys);
}

/* ---- The dump ---- */

static char kind_letter(enum event_kind kind) {
  switch (kind) {
    case EVENT_READ: return 'R';
    case EVENT_WRITE: return 'W';
    case EVENT_FENCE: return 'F';
    case EVENT_PROXY_FENCE: return 'P';
    case EVENT_ARRIVE: return 'A';
    case EVENT_WAIT: return 'B';
    case EVENT_SIGNAL: return 'S';
    case EVENT_TEST: return 'T';
    case EVENT_ISSUE: return 'I';
    case EVENT_GROUP: return 'G';
    case EVENT_GRID: return 'D';
    case EVENT_EXIT: return 'X';
  }
  BUG("event kind %d", (int)kind);
}

static void dump_event(const struct skeleton *s, uint32_t number, struct text *out) {
  const struct event *e = skeleton_event(s, number);
  text_printf(out, "e%-4u", number);
  if (e->thread == NO_THREAD) text_add(out, "init ");
  else text_printf(out, "P%-4u", s->program->threads[e->thread].number);
  text_printf(out, "%c %s", kind_letter(e->kind), e->kind == EVENT_PROXY_FENCE ? "proxy" : sem_word(e->sem) + 1);
  text_add(out, scope_word(e->scope));
  if (e->kind != EVENT_FENCE) text_printf(out, " %s", proxy_word(e->proxy));
  for (uint32_t i = 0; i < e->place_count; i++)
    text_printf(out, "%s[%u..%u]", i ? " or " : " ", e->places[i].phys, e->places[i].phys + e->size);
  if (e->kind == EVENT_WRITE && e->thread != NO_THREAD) {
    text_add(out, " = ");
    term_print(&s->terms, e->value, out);
  }
  if (e->exec != TERM_TRUE) {
    text_add(out, " if ");
    term_print(&s->terms, e->exec, out);
  }
  const struct instr *in = event_instr(s, number);
  if (in && in->span.source)
    text_printf(out, "   // %.*s", (int)(in->span.end - in->span.begin), in->span.source->text + in->span.begin);
  text_char(out, '\n');
}

static void dump_relation(const struct skeleton *s, enum cat_builtin relation, struct text *out) {
  text_printf(out, "%s:", builtin_name(relation));
  for (uint32_t a = 0; a < s->n; a++) {
    struct bitset row = bitmat_row_set(s->may[relation], a);
    EACH (b, row) text_printf(out, " e%u-e%u%s", a, b, bitmat_has(s->must[relation], a, b) ? "" : "?");
  }
  text_char(out, '\n');
}

void skeleton_dump(const struct skeleton *s, struct text *out) {
  static const enum cat_builtin shown[] = {CAT_REL_PO, CAT_REL_RMW, CAT_REL_ADDR, CAT_REL_DATA, CAT_REL_CTRL};
  for (uint32_t e = 0; e < s->n; e++) dump_event(s, e, out);
  text_add(out, "// fixed relations; a pair marked ? depends on the execution\n");
  for (size_t i = 0; i < ARRAY_LEN(shown); i++) dump_relation(s, shown[i], out);
}
