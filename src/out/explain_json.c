#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

static void put_axioms(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "axioms");
  for (uint32_t i = 0; i < x->axioms.len; i++) {
    const struct explain_axiom *axiom = &x->axioms.data[i];
    struct json item = put_object(list, NULL);
    PUT(item, J_TEXT("name", axiom->name), J_SOME("section", axiom->section), J_SOME("title", axiom->title),
        J_TEXT("says", axiom->says), J_BOOL("violated", axiom->dropped));
  }
}

static void put_events(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "events");
  for (uint32_t i = 0; i < x->events.len; i++) {
    const struct explain_event *event = &x->events.data[i];
    struct json item = put_object(list, NULL);
    put_place(item, x->result->program, event->thread, event->instr);
    put_text_or_null(item, "effect", event->what);
  }
}

/* Events are numbered from 0, as they stand in "events". */
static struct json put_link(struct json list, uint32_t from, uint32_t to) {
  struct json item = put_object(list, NULL);
  PUT(item, J_NUMBER("from", from), J_NUMBER("to", to));
  return item;
}

static void put_relation(struct json item, const char *name, const char *section, const char *text,
                         const char *because) {
  PUT(item, J_TEXT("relation", name), J_SOME("section", section), J_SOME("text", text), J_TEXT("because", because));
}

static void put_steps(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "steps");
  for (uint32_t i = 0; i < x->steps.len; i++) {
    const struct explain_step *step = &x->steps.data[i];
    put_relation(put_link(list, step->from, step->to), step->relation, step->section, step->text, step->because);
  }
}

static void put_rules(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "rules");
  for (uint32_t i = 0; i < x->rules.len; i++) {
    const struct explain_rule *rule = &x->rules.data[i];
    put_relation(put_link(list, rule->from, rule->to), rule->name, rule->section, rule->text, rule->because);
  }
}

static void put_roles(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "roles");
  for (uint32_t i = 0; i < x->roles.len; i++) {
    const struct explain_role *role = &x->roles.data[i];
    struct json item = put_object(list, NULL);
    put_place(item, x->result->program, role->thread, role->instr);
    put_text(item, "role", role->text);
  }
}

static void put_missing(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "missing");
  for (uint32_t i = 0; i < x->missing.len; i++) {
    const struct explain_missing *m = &x->missing.data[i];
    struct json item = put_link(list, m->from, m->to);
    PUT(item, J_TEXT("why", m->text), J_TEXT("cure", m->cure));
  }
}

static void put_gaps(struct json object, const struct explanation *x) {
  struct json list = put_array(object, "gaps");
  for (uint32_t i = 0; i < x->gaps.len; i++) {
    const struct explain_gap *gap = &x->gaps.data[i];
    struct json item = put_object(list, NULL);
    PUT(item, J_NUMBER("number", gap->number), J_TEXT("section", gap->section), J_TEXT("question", gap->question),
        J_TEXT("decision", gap->decision));
  }
}

static const char *verdict(const struct explanation *x) {
  static const char *const words[] = {[EXPLAIN_FORBIDDEN] = "forbidden",
                                      [EXPLAIN_ALLOWED] = "allowed",
                                      [EXPLAIN_UNREACHABLE] = "unreachable",
                                      [EXPLAIN_UNDEFINED] = "undefined",
                                      [EXPLAIN_UNKNOWN] = "unknown",
                                      [EXPLAIN_SAFE] = "safe",
                                      [EXPLAIN_UNSAFE] = "unsafe"};
  return words[x->kind];
}

static void put_clause(struct json object, const struct explanation *x) {
  if (!x->clause.says) {
    put_null(object, "rule");
    return;
  }
  struct json rule = put_object(object, "rule");
  PUT(rule, J_TEXT("section", x->clause.section), J_TEXT("title", x->clause.title), J_TEXT("says", x->clause.says));
}

void put_explanation(struct json object, const struct explanation *x) {
  struct text reason = {.arena = object.arena};
  if (x->result->reason) out_reason(x->result, &reason);
  put_text(object, "explains", x->claim);
  if (x->seen) put_text(object, "seen", x->seen);
  PUT(object, J_TEXT("verdict", verdict(x)), J_TEXT("reason", x->result->reason ? text_str(&reason) : NULL),
      J_TEXT("reason_id", x->result->reason ? x->result->reason->name : NULL));
  put_clause(object, x);
  put_text(object, "meaning", x->meaning);
  put_axioms(object, x);
  PUT(object, J_BOOL("minimum", x->minimum), J_BOOL("minimal", x->minimal), J_TEXT("violates", x->violated),
      J_BOOL("interleaving", x->interleaved));
  put_events(object, x);
  put_steps(object, x);
  put_text(object, "closing", x->closing);
  put_rules(object, x);
  put_roles(object, x);
  put_missing(object, x);
  put_history(object, x->result->program, x->history);
  put_gaps(object, x);
  if (x->kind == EXPLAIN_UNSAFE) put_stories(object, x);
  PUT(object, J_TEXT("advice", x->advice), J_TEXT("incomplete", x->incomplete));
}

void out_explanation_json(const struct explanation *x, struct text *out) {
  struct json object = json_begin(out->arena, x->result->program, x->result->model->name);
  put_explanation(object, x);
  json_write(object, out);
}
