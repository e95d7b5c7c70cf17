#include "exec/skeleton.h"

#include "base/text.h"
#include "exec/build.h"
#include "exec/pieces.h"

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

static struct skeleton *begin(struct arena *arena, const struct program *program,
                              const struct skeleton_options *options) {
  struct skeleton *s = ARENA_NEW(arena, struct skeleton);
  s->program = program;
  s->arena = arena;
  s->shape = options->shape;
  if (!s->shape.unroll) s->shape.unroll = SKELETON_UNROLL;
  s->precise = options->precise;
  s->keeps_spins = options->keeps_spins;
  s->spins_of = options->spins_of;
  s->decisions = options->decisions;
  s->halting = options->halting;
  s->lassos = options->lassos;
  if (s->lassos) s->relevant = skeleton_relevant(s, 0);
  if (options->lean) s->lean = skeleton_relevant(s, MATTERS_TO_EVENTS);
  s->further = options->further;
  s->most_events = options->most_events;
  s->notes_uses = options->notes_uses;
  terms_init(&s->terms, arena);
  s->pieces = pieces_find(arena, program, s->shape.without);
  return s;
}

/* Iterations without effect that are kept: `apart`, `loud` of struct skeleton. */
struct strictness {
  bool apart, loud;
  const struct bitset *fails; /* as in struct skeleton */
};

/* Builds events with their places. */
static struct skeleton *find_events(struct arena *arena, const struct program *program,
                                    const struct skeleton_options *options, struct strictness strict,
                                    struct dependencies *dependencies) {
  struct tensor_plan *plan = skeleton_plan_tensor(arena);
  struct skeleton *s;
  do {
    *dependencies = (struct dependencies){0};
    s = begin(arena, program, options);
    s->tensor = plan;
    s->apart = strict.apart;
    s->loud = strict.loud;
    s->fails = strict.fails;
    skeleton_walk(s, dependencies);
  } while (skeleton_replan_tensor(s));
  if (!s->refusal) skeleton_refuse_clocks(s);
  if (s->refusal) return s;
  bool syntactic = shape_reads(&s->shape, READING_SYNTACTIC) || options->keep_dependencies;
  skeleton_depend(s, dependencies, syntactic);
  if (options->sources) skeleton_know_sources(s, options->sources);
  skeleton_barriers(s);
  if (!strict.apart && !skeleton_repeats_alike(s)) {
    strict.apart = true;
    return find_events(arena, program, options, strict, dependencies);
  }
  if (!syntactic) skeleton_depend_on_no_wait(s, dependencies);
  skeleton_mbarriers(s);
  skeleton_groups(s);
  if (!s->refusal) skeleton_place(s);
  return s;
}

static bool leaves_result(const struct instr *in) {
  return in->kind == INSTR_MBARRIER && (in->mbarrier->action == MBARRIER_TRY || in->mbarrier->action == MBARRIER_TEST);
}

/* Two such tests in one thread, of which the first may only spare the second. */
static bool may_spare(const struct thread *thread) {
  uint32_t tests = 0;
  for (uint32_t i = 0; i < thread->instr_count; i++) tests += leaves_result(&thread->instrs[i]);
  return tests > 1;
}

/* The failing tries, from the executions that end. */
static const struct bitset *failing(struct arena *arena, const struct program *program,
                                    const struct skeleton_options *options, struct strictness strict) {
  const struct skeleton_options plain = {.shape = options->shape};
  struct dependencies dependencies = {0};
  bool may = false;
  if (!technique_on(options->shape.without, TECHNIQUE_TRIES)) return NULL;
  for (uint32_t t = 0; t < program->thread_count; t++) may |= may_spare(&program->threads[t]);
  if (!may || !program_asks_safety(program) || options->further) return NULL;
  const struct skeleton *s = find_events(arena, program, &plain, strict, &dependencies);
  return s->refusal ? NULL : skeleton_failing_tries(s);
}

static struct skeleton *build(struct arena *arena, const struct program *program,
                              const struct skeleton_options *options, struct strictness strict) {
  struct dependencies dependencies = {0};
  strict.fails = failing(arena, program, options, strict);
  struct skeleton *s = find_events(arena, program, options, strict, &dependencies);
  if (s->refusal) return s;
  skeleton_cut(s);
  skeleton_refuse_responses(s);
  if (s->refusal) return s;
  if (s->n > SKELETON_MAX_EVENTS) {
    const char *text = arena_printf(arena, "the test has %u events; the limit is %d", s->n, SKELETON_MAX_EVENTS);
    skeleton_refuse(s, reason_with(arena, REASON_MANY_EVENTS, text), program->span);
    return s;
  }
  if (s->refusal) return s;
  skeleton_relate(s, &dependencies);
  return s;
}

struct skeleton *skeleton_build(struct arena *arena, const struct program *program,
                                const struct skeleton_options *options) {
  const struct without without = options->shape.without;
  struct strictness strict = {.loud = !options->shape.skips_silent || !technique_on(without, TECHNIQUE_SILENT),
                              .apart = !technique_on(without, TECHNIQUE_TOGETHER)};
  struct skeleton *s = build(arena, program, options, strict);
  if (s->refusal || skeleton_stays_silent(s)) return s;
  strict.loud = true;
  return build(arena, program, options, strict);
}

struct skeleton *skeleton_with_spins(struct skeleton *skeleton, uint32_t copies) {
  struct skeleton_options options = {.shape = skeleton->shape, .keeps_spins = true, .spins_of = skeleton};
  bool spins = false;
  for (uint32_t i = 0; i < skeleton->ends.len; i++) spins |= skeleton->ends.data[i].kind == ENDING_SPIN;
  if (!spins) return skeleton;
  if (options.shape.unroll > copies) options.shape.unroll = copies;
  return skeleton_build(skeleton->arena, skeleton->program, &options);
}

bool skeleton_may_end(const struct skeleton *s, enum ending_kind kind) {
  for (uint32_t i = 0; i < s->ends.len; i++)
    if (s->ends.data[i].kind == kind && s->ends.data[i].when != TERM_FALSE) return true;
  return false;
}

bool skeleton_has_barriers(const struct skeleton *s) {
  for (uint32_t i = 0; i < s->first_init; i++)
    if (skeleton_event(s, i)->kind == EVENT_WAIT || skeleton_event(s, i)->kind == EVENT_ARRIVE ||
        skeleton_event(s, i)->use || (skeleton_event(s, i)->columns && skeleton_event(s, i)->columns->paired))
      return true;
  return false;
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
