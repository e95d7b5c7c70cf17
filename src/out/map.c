#include "out/explain.h"

static const char *plural(uint64_t count) { return count == 1 ? "" : "s"; }

/* The exact set of tests that was searched. */
static void add_claim(const struct map_report *m, struct text *out) {
  static const char *const mixed[] = {"each location of one scope or plain, one scope for seq_cst",
                                      "each location of one scope or plain", "each access of any scope or plain"};
  const struct map_result *r = m->result;
  const struct map_ask *ask = m->ask;
  bool whole = r->complete >= ask->events;
  const char *before = !ask->shape[0] ? "in tests of up to" : whole ? "in tests of" : "in some of the tests of";
  uint32_t events = ask->shape[0] ? ask->events : r->complete;
  text_printf(out, "%s %u event%s, %u threads, %u locations", before, events, plural(events), ask->threads,
              ask->locations);
  if (ask->shape[0]) {
    text_add(out, " in the shape");
    for (uint32_t t = 0; t < DRAFT_THREADS && ask->shape[t]; t++)
      text_printf(out, "%s%u", t ? "," : " ", ask->shape[t]);
  }
  if (ask->length < r->complete) text_printf(out, ", %u in a thread", ask->length);
  text_printf(out, "; scopes: %s; threads share: %s; %s", m->scopes, m->placements, mixed[ask->mixed]);
  if (m->operations) text_printf(out, "; operations: %s", m->operations);
}

enum map_standing { MAP_UNSEEN, MAP_CLEAN, MAP_SUSPECT, MAP_FAULTY };

/* The words for each standing in text, and in JSON. */
static const char *const standings[][2] = {[MAP_UNSEEN] = {"not tested", "not-looked-at"},
                                           [MAP_CLEAN] = {"no counterexample", "no-counterexample"},
                                           [MAP_SUSPECT] = {"also at fault in counterexample", "perhaps"},
                                           [MAP_FAULTY] = {"counterexample", "counterexample"}};

/* An alternative of a table, and its counterexample. */
struct judged_alternative {
  const char *operation, *text;
  enum map_standing standing;
  uint32_t at; /* the index of the counterexample in which the alternative is at fault, alone or with others */
};

VEC_NAMED(judged_alternatives, struct judged_alternative);

static bool is_of(const struct map_suspect *s, const struct map_alternative *a, uint32_t kind, uint32_t sem) {
  return s->kind == kind && s->sem == sem && s->alternative->text == a->text;
}

static void find_standing(const struct map_result *result, const struct map_alternative *a, uint32_t kind, uint32_t sem,
                          struct judged_alternative *out) {
  for (uint32_t i = 0; i < result->faults.len && out->standing != MAP_UNSEEN; i++) {
    const struct map_fault *fault = &result->faults.data[i];
    bool first = is_of(&fault->suspect, a, kind, sem);
    bool other = SOME(VEC_EACH (suspect, &fault->others), is_of(suspect, a, kind, sem));
    if (first || (other && out->standing == MAP_CLEAN)) out->at = i;
    if (first) out->standing = MAP_FAULTY;
    else if (other) out->standing = MAP_SUSPECT;
    if (first) return;
  }
}

/* Judges the alternatives of a table. */
static struct judged_alternatives judged(struct arena *arena, const struct map_table *table,
                                         const struct map_result *result) {
  struct judged_alternatives all = {0};
  MAP_EACH_ROW (kind, sem) {
    const char *operation = map_operation(arena, (enum draft_kind)kind, (enum sem)sem);
    VEC_EACH (a, &table->rows[kind][sem].alternatives) {
      struct judged_alternative one = {operation, a->text, result->seen[kind] >> sem & 1 ? MAP_CLEAN : MAP_UNSEEN, 0};
      find_standing(result, a, kind, sem, &one);
      VEC_PUSH(arena, &all, one);
    }
  }
  return all;
}

static void add_block(struct text *out, const char *text) {
  for (const char *at = text; *at;) {
    size_t length = strcspn(at, "\n");
    if (length) text_add(out, "  ");
    text_add_slice(out, at, length);
    text_char(out, '\n');
    at += length + (at[length] == '\n');
  }
}

static void add_suspect(const struct map_suspect *suspect, struct text *out) {
  text_printf(out, "%s compiled to %s\n", map_operation(out->arena, suspect->kind, suspect->sem),
              suspect->alternative->text);
}

/* Adds both tests, each with a heading and its explanation. */
static void add_example(const struct map_example *e, const char *before, const char *after, struct text *out) {
  add_block(out, e->before);
  text_printf(out, "\n%s:\n\n", before);
  add_block(out, e->forbidden);
  text_printf(out, "\n%s:\n\n", after);
  add_block(out, e->after);
  text_char(out, '\n');
  add_block(out, e->allowed);
}

static void add_fault(const struct map_fault *fault, uint32_t number, struct text *out) {
  text_printf(out, "\nCounterexample %u, %u events: ", number, fault->events);
  add_suspect(&fault->suspect, out);
  VEC_EACH (other, &fault->others) {
    text_add(out, fault->together ? "  together with " : "  or ");
    add_suspect(other, out);
  }
  text_char(out, '\n');
  add_example(&fault->example, "C++ forbids it",
              fault->undefined ? "Compiled to this, the test is undefined" : "Compiled to this, PTX allows it", out);
}

void out_map(const struct map_report *m, struct text *out) {
  const struct map_result *r = m->result;
  const struct map_table *table = m->ask->table;
  text_printf(out, "Table %s: %s\n", table->name, table->title ? table->title : "(no title)");
  text_printf(out, "Model %s against %s: ", m->ask->ptx->name, m->ask->cuda->name);
  if (r->faults.len)
    text_printf(out, "%u alternative%s at fault; the others have no counterexample ", r->faults.len,
                plural(r->faults.len));
  else text_add(out, "no counterexample ");
  add_claim(m, out);
  text_char(out, '\n');
  text_printf(out, "%llu programs with an outcome, %llu tests, %llu compiled\n", (unsigned long long)r->programs,
              (unsigned long long)r->tests, (unsigned long long)r->compiled);
  text_printf(out, "Time %s %.2f\n", table->name, r->seconds);
  if (r->complete < m->ask->events)
    text_printf(out, "The time limit came before all tests of %u events\n", r->complete + 1);
  if (r->undecided) text_printf(out, "%llu without a verdict\n", (unsigned long long)r->undecided);
  text_char(out, '\n');
  struct judged_alternatives all = judged(out->arena, table, r);
  VEC_EACH (a, &all) {
    text_printf(out, "  %-16s %-40s %s", a->operation, a->text, standings[a->standing][0]);
    if (a->standing > MAP_CLEAN) text_printf(out, " %u", a->at + 1);
    text_char(out, '\n');
  }
  for (uint32_t i = 0; i < r->faults.len; i++) add_fault(&r->faults.data[i], i + 1, out);
}

/* An operation, and the PTX to which it is compiled. */
#define J_COMPILED(arena, a)                                                                                           \
  J_TEXT("operation", map_operation(arena, (a)->kind, (a)->sem)), J_TEXT("instructions", (a)->alternative->text)

static void put_claim(struct json json, const struct map_report *m) {
  static const char *const mixed[] = {"none", "objects", "accesses"};
  const struct map_result *r = m->result;
  PUT(json, J_TEXT("table", m->ask->table->name), J_SOME("title", m->ask->table->title),
      J_SOME("source", m->ask->table->origin), J_TEXT("cuda", m->ask->cuda->name), J_TEXT("ptx", m->ask->ptx->name),
      J_NUMBER("events", r->complete), J_BOOL("complete", r->complete == m->ask->events && !r->undecided),
      J_NUMBER("threads", m->ask->threads), J_NUMBER("locations", m->ask->locations),
      J_NUMBER("length", m->ask->length), J_TEXT("scopes", m->scopes), J_TEXT("placements", m->placements),
      J_TEXT("mixed", mixed[m->ask->mixed]), J_SOME("operations", m->operations), J_NUMBER("programs", r->programs),
      J_NUMBER("tests", r->tests), J_NUMBER("compiled", r->compiled), J_NUMBER("undecided", r->undecided),
      J_NUMBER("ms", (uint64_t)(1000 * r->seconds)));
}

void out_map_json(const struct map_report *m, struct text *out) {
  const struct map_result *r = m->result;
  struct json json = json_new(out->arena);
  put_claim(json, m);
  struct judged_alternatives all = judged(out->arena, m->ask->table, r);
  PUT_EACH(json, "alternatives", a, &all, J_TEXT("operation", a->operation), J_TEXT("instructions", a->text),
           J_TEXT("result", standings[a->standing][1]));
  struct json faults = put_array(json, "counterexamples");
  VEC_EACH (fault, &r->faults) {
    struct json object = put_object(faults, NULL);
    PUT(object, J_COMPILED(out->arena, &fault->suspect));
    PUT_EACH(object, fault->together ? "together" : "or", other, &fault->others, J_COMPILED(out->arena, other));
    PUT(object, J_NUMBER("events", fault->events), J_TEXT("test", fault->example.before),
        J_TEXT("compiled", fault->example.after), J_TEXT("forbidden", fault->example.forbidden),
        J_TEXT("allowed", fault->example.allowed));
  }
  json_write(json, out);
}

/* ---- Rules ---- */

void out_rules(const struct map_rules_report *m, struct text *out) {
  const struct map_rules_result *r = m->result;
  uint32_t number = 0;
  text_printf(out, "Rules %s: %s\n", m->table->name, m->table->title ? m->table->title : "(no title)");
  text_printf(out, "Model %s: %u of %u rules have a counterexample, the others have none in ", m->model->name, m->wrong,
              m->table->rules.len);
  text_printf(out, "minimal tests of up to %u events, %u threads, %u locations; scopes: %s; threads share: %s\n",
              m->ask->events, m->ask->threads, m->ask->locations, m->scopes, m->placements);
  text_printf(out, "%llu minimal tests, %llu programs by a rule\n", (unsigned long long)r->tests,
              (unsigned long long)r->compared);
  text_printf(out, "Time %s %.2f\n", m->table->name, r->seconds);
  if (!r->complete) text_add(out, "The time limit came before all of them\n");
  text_char(out, '\n');
  for (uint32_t i = 0; i < m->table->rules.len; i++) {
    text_printf(out, "  %-76s ", m->table->rules.data[i]->text);
    if (r->faults[i].found) text_printf(out, "counterexample %u\n", ++number);
    else text_add(out, "no counterexample\n");
  }
  number = 0;
  for (uint32_t i = 0; i < m->table->rules.len; i++) {
    const struct map_rule_fault *fault = &r->faults[i];
    if (!fault->found) continue;
    text_printf(out, "\nCounterexample %u, %u events: %s\n\n", ++number, fault->events, m->table->rules.data[i]->text);
    add_example(&fault->example, arena_printf(out->arena, "Before, %s forbids it", m->model->name),
                arena_printf(out->arena, "After, %s allows it", m->model->name), out);
  }
}

void out_rules_json(const struct map_rules_report *m, struct text *out) {
  const struct map_rules_result *r = m->result;
  struct json json = json_new(out->arena);
  PUT(json, J_TEXT("table", m->table->name), J_SOME("title", m->table->title), J_SOME("source", m->table->origin),
      J_TEXT("model", m->model->name), J_NUMBER("events", m->ask->events), J_BOOL("complete", r->complete),
      J_NUMBER("threads", m->ask->threads), J_NUMBER("locations", m->ask->locations), J_TEXT("scopes", m->scopes),
      J_TEXT("placements", m->placements), J_NUMBER("tests", r->tests), J_NUMBER("compared", r->compared),
      J_NUMBER("ms", (uint64_t)(1000 * r->seconds)));
  struct json rules = put_array(json, "rules");
  for (uint32_t i = 0; i < m->table->rules.len; i++) {
    const struct map_rule_fault *fault = &r->faults[i];
    struct json object = put_object(rules, NULL);
    PUT(object, J_TEXT("rule", m->table->rules.data[i]->text),
        J_TEXT("result", fault->found ? "counterexample" : "no-counterexample"));
    if (!fault->found) continue;
    PUT(object, J_TEXT("test", fault->example.before), J_TEXT("changed", fault->example.after),
        J_TEXT("forbidden", fault->example.forbidden), J_TEXT("allowed", fault->example.allowed));
  }
  json_write(json, out);
}
