#include "out/build_json.h"
#include "out/explain.h"

/* ---- Text ---- */

void out_access(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  text_printf(out, "    %s\n", out_label(out->arena, program, thread, instr));
}

void out_point(const char *head, const char *words, struct text *out) {
  if (!words) return;
  text_printf(out, "      %s", head);
  out_wrapped(out, 6 + (unsigned)strlen(head), 8, words);
  text_char(out, '\n');
}

static void add_order(const struct race *race, struct text *out) {
  static const char apart[] = "no path of program order and reads-from leads from one to the other";
  if (!race->missing.len) out_point("not ordered: ", apart, out);
  for (uint32_t i = 0; i < race->missing.len; i++) {
    out_point("not ordered: ", race->missing.data[i].text, out);
    if (race->missing.data[i].cure && !(race->direct && race->order))
      out_point(i ? "  also needed: " : "  to order them: ", race->missing.data[i].cure, out);
  }
  if (race->missing.len && race->apart)
    out_point("also: ", arena_printf(out->arena, "they race in executions in which %s", apart), out);
  out_point("  to order them: ", race->order, out);
  out_point("  made strong: ", race->strong, out);
}

static void add_race(const struct races *x, const struct race *race, struct text *out) {
  text_printf(out, "  %s on %s: %s", race->mixed ? "mixed-size race" : "race", race->location, race->clause);
  if (*race->title) text_printf(out, " (PTX ISA %s \"%s\")", race->section, race->title);
  text_char(out, '\n');
  out_race(x->program, race, out);
  if (race->others)
    text_printf(out, "      %u more pair%s of these two instructions race%s, in other threads or iterations\n",
                race->others, race->others == 1 ? "" : "s", race->others == 1 ? "s" : "");
}

void out_race(const struct program *program, const struct race *race, struct text *out) {
  out_access(program, race->pair.thread_a, race->pair.instr_a, out);
  if (race->pair.thread_a != race->pair.thread_b || race->pair.instr_a != race->pair.instr_b)
    out_access(program, race->pair.thread_b, race->pair.instr_b, out);
  out_point("not morally strong: ", race->not_strong, out);
  add_order(race, out);
  out_execution(program, race->history, out);
}

/* A single access that breaks a clause, which is no race. */
static void add_alone(const struct races *x, const struct race *race, struct text *out) {
  text_printf(out, "  %s on %s\n", race->clause, race->location);
  out_access(x->program, race->pair.thread_a, race->pair.instr_a, out);
  VEC_EACH (missing, &race->missing) {
    out_point("missing: ", missing->text, out);
    out_point("fix: ", missing->cure, out);
  }
  out_execution(x->program, race->history, out);
  if (race->others) text_printf(out, "      %u more in other threads or iterations\n", race->others);
}

enum race_kind { KIND_RACE, KIND_MIXED, KIND_ALONE, KINDS };

static enum race_kind kind_of(const struct race *race) {
  return race->alone ? KIND_ALONE : race->mixed ? KIND_MIXED : KIND_RACE;
}

/* Mixed-size races have their own heading, because they make the program undefined. */
static void add_races(const struct races *x, enum race_kind kind, struct text *out) {
  static const char *const headings[KINDS] = {
      [KIND_MIXED] = "  Races of accesses that overlap only in part, for which the axioms promise nothing (8.7.2):\n",
      [KIND_ALONE] = "  Single accesses that break a clause of the model, which are no races:\n"};
  bool any = false;
  VEC_EACH (race, &x->list) {
    if (kind_of(race) != kind) continue;
    if (!any && headings[kind]) text_add(out, headings[kind]);
    if (race->alone) add_alone(x, race, out);
    else add_race(x, race, out);
    any = true;
  }
}

/* True if the verdict is unknown or undefined: then the output must not claim that there are no races. */
static bool is_open(const struct races *x) {
  return x->result->verdict == VERDICT_UNKNOWN || x->result->verdict == VERDICT_UNDEFINED;
}

static void add_reason(const struct races *x, struct text *out) {
  if (x->list.len) text_printf(out, "  the test is %s: ", verdict_name(x->result->verdict));
  else text_add(out, "  ");
  out_reason(x->result, out);
  text_char(out, '\n');
}

static void add_counts(const struct races *x, struct text *out) {
  static const char *const names[KINDS] = {"race", "mixed-size race", "access that breaks a clause"};
  static const char *const plurals[KINDS] = {"races", "mixed-size races", "accesses that break a clause"};
  uint32_t counts[KINDS] = {0};
  bool any = false;
  VEC_EACH (race, &x->list) counts[kind_of(race)] += 1 + race->others;
  bool none = !counts[KIND_RACE] && !counts[KIND_MIXED];
  text_printf(out, "Test %s: ", x->program->name);
  if (is_open(x) && !x->list.len) text_printf(out, "%s under %s\n", verdict_name(x->result->verdict), x->model->name);
  else if (!x->asked) text_printf(out, "%s does not define races\n", x->model->name);
  else {
    if (none) text_printf(out, "no race%s", x->incomplete ? " found" : "");
    for (enum race_kind k = 0; k < KINDS; k++) {
      if (counts[k])
        text_printf(out, "%s%u %s", any || none ? " and " : "", counts[k], (counts[k] == 1 ? names : plurals)[k]);
      any = any || counts[k];
    }
    text_printf(out, " under %s\n", x->model->name);
  }
}

static void add_incomplete(const struct races *x, struct text *out) {
  text_add(out, "  not everything was looked at: ");
  if (x->place.source) {
    struct position at = source_position(x->place.source, x->place.begin);
    text_printf(out, "%s:%u:%u: ", x->place.source->name, at.line, at.column);
  }
  text_printf(out, "%s\n", x->incomplete);
}

void out_races(const struct races *x, struct text *out) {
  add_counts(x, out);
  for (enum race_kind kind = 0; kind < KINDS; kind++) add_races(x, kind, out);
  bool clause = x->result->reason && x->result->reason->id == REASON_MODEL_CLAUSE;
  bool unknown = x->result->verdict == VERDICT_UNKNOWN, told = is_open(x) && !x->list.len;
  if (told || (is_open(x) && !unknown && !clause)) add_reason(x, out);
  if (x->incomplete && !(told && unknown)) add_incomplete(x, out);
  text_char(out, '\n');
}

/* ---- JSON ---- */

void put_not_ordered(struct json object, const struct race *race, bool without_cure) {
  static const struct race none = {0};
  PUT_EACH(object, "not-ordered", m, &(race ? race : &none)->missing, J_TEXT("why", m->text),
           J_TEXT("cure", without_cure ? NULL : m->cure));
}

static void put_race(struct json list, const struct races *x, const struct race *race) {
  struct json object = put_object(list, NULL);
  PUT(object, J_TEXT("name", race->clause), J_SOME("section", race->section), J_BOOL("undefined", race->undefined),
      J_BOOL("mixed-size", race->mixed), J_TEXT("location", race->location));
  struct json pair = put_array(object, "accesses");
  put_place(put_object(pair, NULL), x->program, race->pair.thread_a, race->pair.instr_a);
  put_place(put_object(pair, NULL), x->program, race->pair.thread_b, race->pair.instr_b);
  PUT(object, J_NUMBER("others", race->others), J_TEXT("not-morally-strong", race->not_strong));
  put_not_ordered(object, race, race->direct && race->order);
  PUT(object, J_BOOL("apart", race->apart || !race->missing.len), J_TEXT("order", race->order),
      J_TEXT("strong", race->strong), J_SOME("state", race->history ? race->history->state : NULL));
  put_history(object, x->program, race->history);
}

static void put_alone(struct json list, const struct races *x, const struct race *race) {
  const struct explain_missing *missing = race->missing.len ? &race->missing.data[0] : NULL;
  struct json object = put_object(list, NULL);
  PUT(object, J_TEXT("name", race->clause), J_BOOL("undefined", race->undefined), J_TEXT("location", race->location));
  put_place(put_object(object, "access"), x->program, race->pair.thread_a, race->pair.instr_a);
  PUT(object, J_NUMBER("others", race->others), J_TEXT("why", missing ? missing->text : NULL),
      J_TEXT("cure", missing ? missing->cure : NULL), J_SOME("state", race->history ? race->history->state : NULL));
  put_history(object, x->program, race->history);
}

void out_races_json(const struct races *x, struct text *out) {
  struct json object = json_begin(out->arena, x->program, x->model->name);
  put_text(object, "verdict", verdict_name(x->result->verdict));
  put_bool(object, "asked", x->asked);
  struct json list = put_array(object, "races"), alone = put_array(object, "single-accesses");
  VEC_EACH (race, &x->list)
    if (race->alone) put_alone(alone, x, race);
    else put_race(list, x, race);
  put_text(object, "incomplete", x->incomplete);
  json_write(object, out);
}
