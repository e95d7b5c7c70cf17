#include <jansson.h>
#include <string.h>

#include "out/out.h"

/* Jansson reports a lack of memory by NULL, or by a status, and a NULL argument makes the next call fail: so failures
 * are only looked for once, here and when the object is written. */
static void set(json_t *object, const char *key, json_t *value, bool *failed) {
  if (json_object_set_new(object, key, value)) *failed = true;
}

static void push(json_t *array, json_t *value, bool *failed) {
  if (json_array_append_new(array, value)) *failed = true;
}

/* A JSON string. JSON is UTF-8, file names need not be: there each byte above 127 becomes '?'. */
static json_t *string(const char *text, size_t length) {
  json_t *value = json_stringn(text, length);
  if (value) return value;
  char plain[4096];
  if (length > sizeof plain) length = sizeof plain;
  for (size_t i = 0; i < length; i++) plain[i] = (unsigned char)text[i] > 127 ? '?' : text[i];
  return json_stringn(plain, length);
}

static json_t *string_or_null(const char *text) { return text ? string(text, strlen(text)) : json_null(); }

static json_t *count(uint64_t number) { return json_integer((json_int_t)number); }

/* A value as a number, or as a string of decimal digits when 64 signed bits cannot hold it. */
static json_t *number(struct text *scratch, value_t value, struct type type) {
  bool is_signed = type.kind == TYPE_SIGNED;
  value &= value_mask(type.width);
  value_t wide = is_signed ? value_sext(value, type.width) : value;
  if (wide <= INT64_MAX || wide >= ~(value_t)INT64_MAX) return json_integer((json_int_t)wide);
  scratch->len = 0;
  text_value(scratch, value, type.width, is_signed);
  return string(text_str(scratch), scratch->len);
}

static json_t *outcomes(const struct result *result, struct text *scratch, bool *failed) {
  if (!result->complete) return json_null();
  const struct program *program = result->program;
  json_t *array = json_array();
  for (uint32_t i = 0; i < result->outcomes.len; i++) {
    const struct outcome *outcome = &result->outcomes.data[i];
    json_t *state = json_object(), *object = json_object();
    for (uint32_t j = 0; j < program->observed_count; j++) {
      const struct observable *o = &program->observables[j];
      set(state, o->name, number(scratch, outcome->values[j], o->type), failed);
    }
    set(object, "state", state, failed);
    set(object, "satisfies", json_boolean(outcome->satisfies), failed);
    push(array, object, failed);
  }
  return array;
}

/* The widths of what is written as bits because it holds a floating-point number; NULL when nothing does. */
static json_t *bits(const struct program *program, bool *failed) {
  json_t *object = NULL;
  for (uint32_t i = 0; i < program->observed_count; i++) {
    const struct observable *o = &program->observables[i];
    if (!type_is_float(o->type)) continue;
    if (!object) object = json_object();
    set(object, o->name, count(o->type.width), failed);
  }
  return object;
}

static json_t *access_place(const struct program *program, uint32_t thread, uint32_t instr, struct text *scratch,
                            bool *failed) {
  json_t *object = json_object();
  scratch->len = 0;
  out_instr(program, thread, instr, scratch);
  if (thread == NO_THREAD) {
    set(object, "thread", json_null(), failed);
  } else {
    struct span span = program->threads[thread].instrs[instr].span;
    set(object, "thread", count(program->threads[thread].number), failed);
    if (span.source) {
      struct position at = source_position(span.source, span.begin);
      set(object, "line", count(at.line), failed);
      set(object, "column", count(at.column), failed);
    }
  }
  set(object, "text", string(text_str(scratch), scratch->len), failed);
  return object;
}

/* An execution that hangs: who waits or spins where, and the values then; null when there is none. */
static json_t *hang(const struct result *result, const struct hang *hang, struct text *scratch, bool *failed) {
  static const char *const kinds[] = {"barrier", "spin", "not scheduled"};
  const struct program *program = result->program;
  if (!hang->found) return json_null();
  json_t *object = json_object(), *waiting = json_array(), *state = json_object();
  for (uint32_t i = 0; i < hang->waiting.len; i++) {
    json_t *place = access_place(program, hang->waiting.data[i].thread, hang->waiting.data[i].instr, scratch, failed);
    set(place, "because", json_string(kinds[hang->waiting.data[i].kind]), failed);
    push(waiting, place, failed);
  }
  for (uint32_t j = 0; j < program->observed_count && hang->values; j++)
    set(state, program->observables[j].name, number(scratch, hang->values[j], program->observables[j].type), failed);
  set(object, "waiting", waiting, failed);
  set(object, "state", state, failed);
  return object;
}

static json_t *termination(const struct result *result) {
  static const char *const answers[] = {NULL, "always", "not always", "unknown"};
  const char *answer = answers[result->termination];
  return answer ? json_string(answer) : json_null();
}

static json_t *races(const struct report *report, struct text *scratch, bool *failed) {
  const struct result *result = report->result;
  if (!report->flags_checked && !result->raised.len) return json_null();
  json_t *array = json_array();
  for (uint32_t i = 0; i < result->raised.len; i++) {
    const struct raised *raised = &result->raised.data[i];
    json_t *object = json_object(), *pairs = json_array();
    set(object, "name", string_or_null(raised->name), failed);
    set(object, "undefined", json_boolean(raised->role == CAT_UNDEFINED), failed);
    for (uint32_t j = 0; j < raised->pair_count; j++) {
      const struct raised_pair *pair = &raised->pairs[j];
      json_t *both = json_array();
      push(both, access_place(result->program, pair->thread_a, pair->instr_a, scratch, failed), failed);
      push(both, access_place(result->program, pair->thread_b, pair->instr_b, scratch, failed), failed);
      push(pairs, both, failed);
    }
    set(object, "pairs", pairs, failed);
    push(array, object, failed);
  }
  return array;
}

static json_t *expected(const struct report *report, bool *failed) {
  if (!report->expected) return json_null();
  json_t *object = json_object();
  set(object, "observation", string_or_null(report->expected), failed);
  set(object, "met", json_boolean(report->as_expected), failed);
  return object;
}

static json_t *reason(const struct result *result, bool *failed) {
  if (!result->reason) return json_null();
  json_t *object = json_object();
  set(object, "text", string_or_null(result->reason), failed);
  if (result->place.source) {
    struct position at = source_position(result->place.source, result->place.begin);
    set(object, "file", string_or_null(result->place.source->name), failed);
    set(object, "line", count(at.line), failed);
    set(object, "column", count(at.column), failed);
  }
  return object;
}

/* What was checked and by whom; the members that say so are 0 or null where nobody did. */
static json_t *certificate(const struct result *result, const struct certificate *c, bool *failed) {
  json_t *object = json_object(), *claims = json_array();
  for (uint32_t i = 0; i < result->claims.len; i++) push(claims, string_or_null(result->claims.data[i].what), failed);
  set(object, "certified", json_boolean(c->certified), failed);
  set(object, "problem", string_or_null(c->problem), failed);
  set(object, "claims", claims, failed);
  set(object, "prover", string_or_null(c->prover), failed);
  set(object, "proved", count(c->proved), failed);
  set(object, "solver", string_or_null(c->solver), failed);
  set(object, "agreed", count(c->agreed), failed);
  set(object, "witnesses", count(result->stats.witnesses), failed);
  set(object, "candidates", count(c->candidates), failed);
  return object;
}

static json_t *stats(const struct stats *stats, bool *failed) {
  json_t *object = json_object();
  set(object, "events", count(stats->events), failed);
  set(object, "variables", count(stats->variables), failed);
  set(object, "clauses", count(stats->clauses), failed);
  set(object, "solves", count(stats->solves), failed);
  set(object, "candidates", count(stats->candidates), failed);
  set(object, "ms", json_real((double)(uint64_t)(stats->ms * 1000.0 + 0.5) / 1000.0), failed);
  return object;
}

static void put_bound(json_t *object, const struct result *result, bool *failed) {
  if (result->spin_loops) set(object, "loops", count(result->spin_loops), failed);
  if (!result->bounded) return;
  struct position where = source_position(result->bound_place.source, result->bound_place.begin);
  set(object, "bound", count(result->bound), failed);
  set(object, "bound_line", count(where.line), failed);
}

static void fill(json_t *object, const struct report *report, struct text *scratch, bool *failed) {
  const struct result *result = report->result;
  const struct program *program = result->program;
  bool decided = result->verdict == VERDICT_ALLOWED || result->verdict == VERDICT_FORBIDDEN;
  bool observed = result->observation != OBSERVATION_NONE, counted = result->complete;
  struct position at = source_position(program->source, program->span.begin);
  set(object, "format", count(1), failed);
  set(object, "test", string_or_null(program->name), failed);
  set(object, "file", string_or_null(program->source->name), failed);
  set(object, "line", count(at.line), failed);
  set(object, "model", string_or_null(result->model->name), failed);
  set(object, "quantifier", string_or_null(quantifier_name(program->quantifier)), failed);
  set(object, "condition", string_or_null(program->condition_text), failed);
  set(object, "verdict", string_or_null(verdict_name(result->verdict)), failed);
  set(object, "holds", decided ? json_boolean(result->holds) : json_null(), failed);
  set(object, "observation", observed ? string_or_null(observation_name(result->observation)) : json_null(), failed);
  set(object, "positive", counted ? count(result->positive) : json_null(), failed);
  set(object, "negative", counted ? count(result->negative) : json_null(), failed);
  set(object, "vacuous", json_boolean(result->vacuous), failed);
  set(object, "outcomes", outcomes(result, scratch, failed), failed);
  json_t *widths = bits(program, failed);
  if (widths) set(object, "bits", widths, failed);
  set(object, "races", races(report, scratch, failed), failed);
  set(object, "deadlock", hang(result, &result->deadlock, scratch, failed), failed);
  put_bound(object, result, failed);
  if (result->program->uses_multimem) set(object, "assumes", json_string("multimem"), failed);
  if (result->termination != TERMINATION_NOT_ASKED) {
    set(object, "termination", termination(result), failed);
    set(object, "progress", json_string(result->progress), failed);
    set(object, "hang", hang(result, &result->hang, scratch, failed), failed);
  }
  set(object, "expected", expected(report, failed), failed);
  set(object, "reason", reason(result, failed), failed);
  if (report->certificate) set(object, "certificate", certificate(result, report->certificate, failed), failed);
  set(object, "hash", string_or_null(report->hash), failed);
  set(object, "stats", stats(&result->stats, failed), failed);
}

static int write_chunk(const char *chunk, size_t length, void *out) {
  text_add_slice(out, chunk, length);
  return 0;
}

/* Makes room for the longest instruction text and number, so that building the object allocates nothing in the arena:
 * a longjmp from there would lose the parts not yet attached to it. */
static void reserve_scratch(struct text *scratch, const struct result *result) {
  static const char number_room[] = "-170141183460469231731687303715884105728";
  text_add(scratch, number_room);
  const struct source *source = result->program->source;
  bool places = result->raised.len || result->deadlock.found || result->hang.found;
  if (places) text_add_slice(scratch, source->text, source->length);
}

/* Adding to `out` may leave by longjmp when memory runs out; Jansson's memory is not the arena's, so that case passes
 * through here first. */
void out_json(const struct report *report, struct text *out) {
  struct arena *arena = out->arena;
  jmp_buf *outer = arena->oom, here;
  json_t *volatile object = NULL;
  bool failed = false;
  struct text scratch;
  text_init(&scratch, arena);
  reserve_scratch(&scratch, report->result);
  if (setjmp(here)) {
    json_decref(object);
    arena->oom = outer;
    longjmp(*outer, 1);
  }
  if (outer) arena->oom = &here;
  object = json_object();
  fill(object, report, &scratch, &failed);
  if (!failed) failed = json_dump_callback(object, write_chunk, out, JSON_COMPACT | JSON_REAL_PRECISION(6)) != 0;
  json_decref(object);
  arena->oom = outer;
  if (failed) arena_alloc(arena, SIZE_MAX); /* out of memory, Jansson's way */
  text_char(out, '\n');
}
