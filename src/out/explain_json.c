#include "out/build_json.h"
#include "out/explain.h"
#include "out/out.h"

static json_t *axioms(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->axioms.len; i++) {
    const struct explain_axiom *axiom = &x->axioms.data[i];
    json_t *object = json_object();
    json_put_text(b, object, "name", axiom->name);
    json_put_text(b, object, "section", *axiom->section ? axiom->section : NULL);
    json_put_text(b, object, "title", *axiom->title ? axiom->title : NULL);
    json_put_text(b, object, "says", axiom->says);
    json_put_bool(b, object, "violated", axiom->dropped);
    json_push(b, list, object);
  }
  return list;
}

static json_t *events(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->events.len; i++) {
    const struct explain_event *event = &x->events.data[i];
    json_t *object = json_object();
    json_put_place(b, object, x->result->program, event->thread, event->instr);
    json_put_text(b, object, "effect", *event->what ? event->what : NULL);
    json_push(b, list, object);
  }
  return list;
}

/* Events are numbered from 0, as they stand in "events". */
static json_t *link_of(struct json_build *b, uint32_t from, uint32_t to) {
  json_t *object = json_object();
  json_put_number(b, object, "from", from);
  json_put_number(b, object, "to", to);
  return object;
}

static json_t *steps(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->steps.len; i++) {
    const struct explain_step *step = &x->steps.data[i];
    json_t *object = link_of(b, step->from, step->to);
    json_put_text(b, object, "relation", step->relation);
    json_put_text(b, object, "section", *step->section ? step->section : NULL);
    json_put_text(b, object, "text", *step->text ? step->text : NULL);
    json_put_text(b, object, "because", step->because);
    json_push(b, list, object);
  }
  return list;
}

static json_t *rules(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->rules.len; i++) {
    const struct explain_rule *rule = &x->rules.data[i];
    json_t *object = link_of(b, rule->from, rule->to);
    json_put_text(b, object, "relation", rule->name);
    json_put_text(b, object, "section", *rule->section ? rule->section : NULL);
    json_put_text(b, object, "text", *rule->text ? rule->text : NULL);
    json_put_text(b, object, "because", rule->because);
    json_push(b, list, object);
  }
  return list;
}

static json_t *roles(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->roles.len; i++) {
    const struct explain_role *role = &x->roles.data[i];
    json_t *object = json_object();
    json_put_place(b, object, x->result->program, role->thread, role->instr);
    json_put_text(b, object, "role", role->text);
    json_push(b, list, object);
  }
  return list;
}

static json_t *missing(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->missing.len; i++) {
    const struct explain_missing *m = &x->missing.data[i];
    json_t *object = link_of(b, m->from, m->to);
    json_put_text(b, object, "why", m->text);
    json_put_text(b, object, "cure", m->cure);
    json_push(b, list, object);
  }
  return list;
}

static json_t *gaps(struct json_build *b, const struct explanation *x) {
  json_t *list = json_array();
  for (uint32_t i = 0; i < x->gaps.len; i++) {
    const struct explain_gap *gap = &x->gaps.data[i];
    json_t *object = json_object();
    json_put_number(b, object, "number", gap->number);
    json_put_text(b, object, "section", gap->section);
    json_put_text(b, object, "question", gap->question);
    json_put_text(b, object, "decision", gap->decision);
    json_push(b, list, object);
  }
  return list;
}

static const char *verdict(const struct explanation *x) {
  static const char *const words[] = {[EXPLAIN_FORBIDDEN] = "forbidden",
                                      [EXPLAIN_ALLOWED] = "allowed",
                                      [EXPLAIN_UNREACHABLE] = "unreachable",
                                      [EXPLAIN_UNDEFINED] = "undefined",
                                      [EXPLAIN_UNKNOWN] = "unknown"};
  return words[x->kind];
}

static json_t *clause(struct json_build *b, const struct explanation *x) {
  if (!x->clause.says) return json_null();
  json_t *object = json_object();
  json_put_text(b, object, "section", x->clause.section);
  json_put_text(b, object, "title", x->clause.title);
  json_put_text(b, object, "says", x->clause.says);
  return object;
}

void json_explanation(struct json_build *b, json_t *object, const struct explanation *x) {
  struct text reason;
  text_init(&reason, b->arena);
  if (x->result->reason) out_reason(x->result, &reason);
  json_put_text(b, object, "explains", x->claim);
  json_put_text(b, object, "verdict", verdict(x));
  json_put_text(b, object, "reason", x->result->reason ? text_str(&reason) : NULL);
  json_put(b, object, "rule", clause(b, x));
  json_put_text(b, object, "meaning", x->meaning);
  json_put(b, object, "axioms", axioms(b, x));
  json_put_bool(b, object, "minimum", x->minimum);
  json_put_text(b, object, "violates", x->violated);
  json_put_bool(b, object, "interleaving", x->interleaved);
  json_put(b, object, "events", events(b, x));
  json_put(b, object, "steps", steps(b, x));
  json_put_text(b, object, "closing", x->closing);
  json_put(b, object, "rules", rules(b, x));
  json_put(b, object, "roles", roles(b, x));
  json_put(b, object, "missing", missing(b, x));
  json_put(b, object, "execution", json_history(b, x->result->program, x->history));
  json_put(b, object, "gaps", gaps(b, x));
  json_put_text(b, object, "advice", x->advice);
  json_put_text(b, object, "incomplete", x->incomplete);
}

void out_explanation_json(const struct explanation *x, struct text *out) {
  struct json_build b = {.arena = out->arena};
  json_t *object = json_begin(&b, x->result->program, x->result->model->name);
  json_explanation(&b, object, x);
  json_finish(&b, object, out);
}
