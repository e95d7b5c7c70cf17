#include "explain/words.h"
#include "out/build_json.h"
#include "out/explain.h"

/* Adds the outcomes as text, because there may be a million. The numbers are those of put_value. */
static void add_outcomes(const struct result *result, struct text *out) {
  const struct program *program = result->program;
  const char **names = ARENA_ARRAY(out->arena, const char *, program->observed_count);
  for (uint32_t j = 0; j < program->observed_count && result->complete; j++)
    names[j] = json_quoted(out->arena, program->observables[j].name);
  text_add(out, result->complete ? ",\"outcomes\":[" : ",\"outcomes\":null");
  out_pass_list(result, out);
  for (uint32_t i = 0; i < result->outcomes.len && result->complete; i++) {
    struct outcome outcome = outcomes_at(&result->outcomes, i);
    text_add(out, i ? ",{\"state\":{" : "{\"state\":{");
    for (uint32_t j = 0; j < program->observed_count; j++) {
      text_add(out, j ? "," : "");
      text_add(out, names[j]);
      text_char(out, ':');
      add_value(&program->observables[j], outcome.values[j], out);
    }
    text_add(out, outcome.satisfies ? "},\"satisfies\":true}" : "},\"satisfies\":false}");
    text_pass(out);
  }
  out_pass_list(result, out);
  if (result->complete) text_char(out, ']');
}

/* Adds the widths of observables written as bits, because they hold floating-point numbers; omitted if none. */
static void put_bits(struct json to, const struct program *program) {
  struct json bits = {0};
  ARRAY_EACH (o, program->observables, program->observed_count) {
    if (!type_is_float(o->type)) continue;
    if (!bits.value) bits = put_object(to, "bits");
    put_number(bits, o->name, o->type.width);
  }
}

/* Adds null, and returns true, if there is nothing to add. */
static bool is_null(struct json to, const char *key, bool nothing) {
  if (nothing) put_null(to, key);
  return nothing;
}

/* An initial write has no line. */
static struct json put_access(struct json list, const struct program *program, uint32_t thread, uint32_t instr) {
  struct json object = put_object(list, NULL);
  if (thread != NO_THREAD) return put_place(object, program, thread, instr);
  PUT(object, J_NULL("thread"), J_TEXT("text", "initial write"));
  return object;
}

static struct span span_of(const struct program *program, uint32_t thread, uint32_t instr) {
  return thread == NO_THREAD ? (struct span){0} : program->threads[thread].instrs[instr].span;
}

/* An execution that hangs: the places where threads wait or spin, and the values then; null if none. */
static void put_hang(struct json to, const char *key, const struct finding *finding, const struct hang *hang) {
  static const char *const kinds[] = {"barrier", "spin", "repeat", "not scheduled"};
  const struct result *result = finding->result;
  const struct program *program = result->program;
  if (is_null(to, key, !hang->found)) return;
  struct json object = put_object(to, key), waiting = put_array(object, "waiting");
  VEC_EACH (w, &hang->waiting) {
    struct json place = put_access(waiting, program, w->thread, w->instr);
    put_role(place, program, w->thread);
    put_at(place, program, span_of(program, w->thread, w->instr), finding->quotes);
    put_bool(place, "cause", w < hang->waiting.data + hang->causes);
    put_text(place, "because", kinds[w->kind]);
    if (w->state) put_text(place, "state", w->state);
    VEC_EACH (other, &hang->waiting)
      if (other->thread == w->for_whom) {
        struct json waits_for = put_place(put_object(place, "for"), program, other->thread, other->instr);
        put_role(waits_for, program, other->thread);
        put_at(waits_for, program, span_of(program, other->thread, other->instr), finding->quotes);
      }
  }
  struct json state = put_object(object, "state");
  for (uint32_t j = 0; j < program->observed_count && hang->values; j++)
    put_value(state, &program->observables[j], hang->values[j]);
}

static void put_pair(struct json to, const struct program *program, const struct raised_pair *pair) {
  struct json both = put_array(to, NULL);
  put_access(both, program, pair->thread_a, pair->instr_a);
  put_access(both, program, pair->thread_b, pair->instr_b);
}

static void put_races(struct json to, const struct finding *finding) {
  const struct result *result = finding->result;
  if (is_null(to, "races", !finding->flags_checked && !result->raised.len)) return;
  struct json list = put_array(to, "races");
  VEC_EACH (raised, &result->raised) {
    struct json object = put_object(list, NULL);
    PUT(object, J_TEXT("name", raised->name), J_BOOL("undefined", raised->role == CAT_UNDEFINED));
    struct json pairs = put_array(object, "pairs");
    for (uint32_t j = 0; j < raised->pair_count; j++) put_pair(pairs, result->program, &raised->pairs[j]);
  }
}

/* Adds the access that a finding is about. */
static void put_touch(struct json place, const struct program *program, const struct raised_access *access) {
  bool touches = access->reads || access->writes;
  if (touches) put_text(place, "access", access->writes ? "write" : "read");
  if (touches && access->spawned) put_bool(place, "asynchronous", true);
  const char *location = touches ? words_object(place.arena, program, access->phys) : "";
  if (*location) put_text(place, "location", location);
}

/* Finds the instruction that frees the columns of an access to tensor memory, which the pair of the clause lacks. */
static bool find_free(const struct program *program, const struct safety_finding *f, uint32_t *thread,
                      uint32_t *instr) {
  if (!f->pairs || !base_begins(f->clause, "Tensor-Columns") || f->thread_a == NO_THREAD) return false;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    const struct thread *own = &program->threads[t];
    for (uint32_t i = 0; i < own->instr_count && own->cta_id == program->threads[f->thread_a].cta_id; i++) {
      const struct instr *in = &own->instrs[i];
      if (in->kind != INSTR_ASYNC || in->async->action != ASYNC_TENSOR_FREE) continue;
      *thread = t, *instr = i;
      return true;
    }
  }
  return false;
}

uint32_t out_places(const struct program *program, const struct safety_finding *f, struct found_access places[2]) {
  struct found_access a = {f->thread_a, f->instr_a, f->a}, b = {f->thread_b, f->instr_b, f->b};
  if (find_free(program, f, &b.thread, &b.instr)) b.access = (struct raised_access){0};
  bool one = f->reason && f->thread_a == f->thread_b && f->instr_a == f->instr_b;
  uint32_t count = 0;
  if (a.thread != NO_THREAD || f->pairs) places[count++] = a;
  if (!one && (b.thread != NO_THREAD || f->pairs)) places[count++] = b;
  return count;
}

bool out_same_access(const struct found_access *a, const struct found_access *b) {
  return a->thread == b->thread && a->instr == b->instr && a->access.reads == b->access.reads &&
         a->access.writes == b->access.writes && a->access.spawned == b->access.spawned;
}

static void put_finding(struct json list, const struct finding *finding, const struct safety_finding *f) {
  const struct program *program = finding->result->program;
  const struct cat_clause *clause = cat_clause(f->clause);
  struct json object = put_object(list, NULL), places = put_array(object, "places");
  PUT(object, J_TEXT("kind", safety_name(f->kind)), J_TEXT("clause", f->clause), J_TEXT("text", f->text));
  struct found_access found[2];
  for (uint32_t k = 0, count = out_places(program, f, found); k < count; k++) {
    struct json place = put_access(places, program, found[k].thread, found[k].instr);
    put_role(place, program, found[k].thread);
    if (f->pairs) put_touch(place, program, &found[k].access);
    put_at(place, program, span_of(program, found[k].thread, found[k].instr), finding->quotes);
  }
  if (f->pairs) put_number(object, "pairs", f->pairs);
  if (f->place.source) put_number(object, "line", source_position(f->place.source, f->place.begin).line);
  put_origin(object, f->place);
  if (f->place.source) put_at(object, program, f->place, finding->quotes);
  const char *rule = clause ? clause->rule : f->reason ? f->reason->meaning : NULL;
  const char *section = clause ? clause->section : f->reason ? f->reason->section : NULL;
  if (!clause && base_begins(f->clause, "Data-Race")) {
    rule = "accesses of one location, one of them a write, must be ordered by causality, or be morally strong";
    section = "8.7.1";
  }
  if (rule) put_text(object, "rule", rule);
  if (section) put_text(object, "section", section);
  const char *cure = cure_known(object.arena, program, f);
  if (cure) put_text(object, "cure", cure);
}

/* The findings that make a test unsafe (K4). */
static void put_findings(struct json to, const struct finding *finding) {
  struct json list = put_array(to, "findings");
  VEC_EACH (f, &finding->result->findings) put_finding(list, finding, f);
}

/* K18: null if it was not asked or is not known. */
static void put_sequential(struct json to, const struct finding *finding) {
  const struct result *result = finding->result;
  bool known = result->sequential != SEQUENTIAL_UNKNOWN;
  put(to, "sequential", known ? json_boolean(result->sequential == SEQUENTIAL_YES) : json_null());
  if (result->sequential_reason)
    PUT(put_object(to, "sequential_reason"), J_TEXT("id", result->sequential_reason->name),
        J_TEXT("text", result->sequential_reason->text));
  if (result->sequential != SEQUENTIAL_NO) return;
  struct json list = put_array(to, "cycle");
  VEC_EACH (place, &result->cycle) {
    const struct program *program = result->turns_program ? result->turns_program : result->program;
    struct json object = put_access(list, program, place->thread, place->instr);
    put_role(object, program, place->thread);
    put_at(object, program, span_of(program, place->thread, place->instr), finding->quotes);
    put_text(object, "then", sequence_link_name(place->link));
  }
}

static void put_expected(struct json to, const struct finding *finding) {
  if (is_null(to, "expected", !finding->expected)) return;
  PUT(put_object(to, "expected"), J_TEXT("observation", finding->expected), J_BOOL("met", finding->as_expected));
}

static void put_reason(struct json to, const struct result *result) {
  if (is_null(to, "reason", !result->reason)) return;
  struct json object = put_object(to, "reason");
  PUT(object, J_TEXT("id", result->reason->name), J_TEXT("text", result->reason->text),
      J_TEXT("cure", result->reason->cure));
  const struct span place = span_typed(result->place);
  if (!place.source) return;
  struct position at = source_position(place.source, place.begin);
  PUT(object, J_TEXT("file", place.source->name), J_NUMBER("line", at.line), J_NUMBER("column", at.column));
}

/* Omitted if there is none. */
static void put_warnings(struct json to, const struct diags *warnings) {
  if (!warnings || !warnings->list.len) return;
  struct json list = put_array(to, "warnings");
  VEC_EACH (d, &warnings->list) {
    struct json object = put_object(list, NULL);
    PUT(object, J_TEXT("code", diag_code_name(d->code)), J_TEXT("text", d->message));
    if (!d->span.source) continue;
    struct position at = source_position(d->span.source, d->span.begin);
    PUT(object, J_NUMBER("line", at.line), J_NUMBER("column", at.column));
  }
}

void put_certificate(struct json to, const struct result *result, const struct certificate *c) {
  struct json object = put_object(to, "certificate");
  PUT(object, J_BOOL("certified", c->certified), J_TEXT("problem", c->problem));
  struct json claims = put_array(object, "claims");
  for (uint32_t i = 0; i < result->claims.len; i++) put_text(claims, NULL, result->claims.data[i].what);
  PUT(object, J_TEXT("prover", c->prover), J_NUMBER("proved", c->proved), J_TEXT("solver", c->solver),
      J_NUMBER("agreed", c->agreed), J_NUMBER("witnesses", result->stats.witnesses),
      J_NUMBER("candidates", c->candidates));
}

static void put_stats(struct json to, const struct stats *stats) {
  struct json object = put_object(to, "stats");
  PUT(object, J_NUMBER("events", stats->events), J_NUMBER("variables", stats->variables),
      J_NUMBER("clauses", stats->clauses), J_NUMBER("solves", stats->solves),
      J_NUMBER("candidates", stats->candidates));
  put(object, "ms", json_real((double)(uint64_t)(stats->ms * 1000.0 + 0.5) / 1000.0));
}

static void put_assumes(struct json to, const struct result *result) {
  struct json list = put_array(to, "assumes");
  VEC_EACH (a, &result->assumes) {
    struct text text = {.arena = to.arena};
    assumption_print(a, &text);
    PUT(put_object(list, NULL), J_TEXT("id", assumption_name(a->id)), J_TEXT("gap", assumption_gap(a->id)),
        J_TEXT("text", text_str(&text)));
  }
}

/* The facts about loops and about threads that do not end. */
static void put_endings(struct json object, const struct finding *finding) {
  const struct result *result = finding->result;
  put_hang(object, "deadlock", finding, &result->deadlock);
  if (result->spin_loops) put_number(object, "loops", result->spin_loops);
  if (result->bounded) {
    PUT(object, J_NUMBER("bound", result->bound),
        J_NUMBER("bound_line", source_position(result->bound_place.source, result->bound_place.begin).line));
    if (result->bound_place.source != result->program->source)
      put_text(object, "bound_file", result->bound_place.source->name);
    if (result->bound_settled) put_bool(object, "bound_settled", true);
  }
  if (result->assumes.len) put_assumes(object, result);
  if (result->termination == TERMINATION_NOT_ASKED) return;
  PUT(object, J_TEXT("termination", termination_name(result->termination)), J_TEXT("progress", result->progress));
  put_hang(object, "hang", finding, &result->hang);
}

/* The members before the outcomes. */
static struct json head_of(const struct finding *finding, struct arena *arena) {
  const struct result *result = finding->result;
  const struct program *program = result->program;
  bool decided = result->verdict != VERDICT_UNDEFINED && result->verdict != VERDICT_UNKNOWN;
  bool observed = result->observation != OBSERVATION_NONE;
  struct json object = json_begin(arena, program, result->model->name);
  PUT(object, J_TEXT("quantifier", quantifier_name(program->quantifier)), J_TEXT("condition", program->condition_text),
      J_TEXT("verdict", verdict_name(result->verdict)));
  put(object, "holds", decided ? json_boolean(result->holds) : json_null());
  put_text(object, "observation", observed ? observation_name(result->observation) : NULL);
  put(object, "positive", result->complete ? json_integer((json_int_t)result->positive) : json_null());
  put(object, "negative", result->complete ? json_integer((json_int_t)result->negative) : json_null());
  put_bool(object, "vacuous", result->vacuous);
  return object;
}

static void put_rest(struct json object, const struct finding *finding) {
  const struct result *result = finding->result;
  const struct program *program = result->program;
  put_bits(object, program);
  if (out_has_kernel(program)) put_bool(object, "kernel", true);
  if (program->test->apart && result->verdict == VERDICT_SAFE)
    put_text(put_array(object, "notes"), NULL, program->test->apart);
  if (program_asks_safety(program)) put_findings(object, finding), put_sequential(object, finding);
  if (finding->cure) put_cure(object, finding->cure);
  put_races(object, finding);
  put_endings(object, finding);
  put_expected(object, finding);
  put_reason(object, result);
  put_warnings(object, finding->warnings);
  if (finding->certificate) put_certificate(object, result, finding->certificate);
  put_text(object, "hash", finding->hash);
  put_stats(object, &result->stats);
}

void out_json(const struct finding *finding, struct text *out) {
  json_write_head(head_of(finding, out->arena), out);
  add_outcomes(finding->result, out);
  struct json rest = json_new(out->arena);
  put_rest(rest, finding);
  json_write_rest(rest, out);
}

void out_launch(const struct finding *finding, struct told_style style, struct text *out) {
  struct json object = head_of(finding, out->arena);
  put_rest(object, finding);
  told_launch(object.value, style, out);
}
