#include "out/explain.h"

#include "explain/words.h"
#include "out/build_json.h"

enum { WIDTH = 110 };

void out_wrapped(struct text *out, unsigned column, unsigned indent, const char *words) {
  text_wrap(out, column, indent, WIDTH, words);
}

/* Adds a line: a head, and words after it. */
static void add_words(struct text *out, const char *head, unsigned indent, const char *words) {
  text_add(out, head);
  out_wrapped(out, (unsigned)strlen(head), indent, words);
  text_char(out, '\n');
}

void out_turn(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  uint32_t all, stage, turn = instr_turn(program, thread, instr, &all);
  uint32_t stages = instr_stage(program, thread, instr, &stage);
  if (turn) text_printf(out, ", iteration %u", turn);
  if (turn && !program->test->prefix) text_printf(out, " of %u", all);
  if (stages) text_printf(out, ", stage %u of %u", stage, stages);
}

void out_place(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "initial");
    return;
  }
  text_add(out, words_place(out->arena, program, thread, instr));
  out_turn(program, thread, instr, out);
}

/* ---- Events ---- */

const char *out_label(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr) {
  struct text text = {.arena = arena};
  out_place(program, thread, instr, &text);
  text_add(&text, "  ");
  if (thread == NO_THREAD) text_add(&text, "initial value");
  else out_instr(program, thread, instr, &text);
  return text_str(&text);
}

static size_t label_width(const struct explanation *x, struct arena *arena) {
  return out_event_width(x->result->program, x->events.data, x->events.len, arena);
}

static void add_event(const struct explanation *x, uint32_t number, size_t width, struct text *out) {
  text_printf(out, "  [%u] ", number + 1);
  out_event(x->result->program, &x->events.data[number], width, out);
}

/* ---- The cycle ---- */

static const char *step_text(struct arena *arena, const char *text, const char *section, const char *because) {
  const char *place = *section ? arena_printf(arena, " (%s)", section) : "";
  return arena_printf(arena, "%s%s%s%s", text, place, because ? ": " : "", because ? because : "");
}

static void add_steps(const struct explanation *x, struct text *out) {
  size_t width = label_width(x, out->arena);
  uint32_t at = UINT32_MAX;
  for (uint32_t i = 0; i < x->steps.len; i++) {
    const struct explain_step *step = &x->steps.data[i];
    if (step->from != at) add_event(x, step->from, width, out);
    add_words(out, arena_printf(out->arena, "        %-4s ", step->relation), 13,
              step_text(out->arena, step->text, step->section, step->because));
    at = step->to;
    bool back = i + 1 == x->steps.len && at == x->steps.data[0].from;
    if (back) text_printf(out, "  [%u] again\n", at + 1);
    else add_event(x, at, width, out);
  }
  if (x->closing) text_printf(out, "  %s\n", x->closing);
}

/* "  [1]->[2]   ": the events of a rule or a link. */
static const char *link_text(struct arena *arena, uint32_t from, uint32_t to) {
  const char *link =
      to == from ? arena_printf(arena, "  [%u]", from + 1) : arena_printf(arena, "  [%u]->[%u]", from + 1, to + 1);
  return arena_printf(arena, "%-11s ", link);
}

static void add_rules(const struct explanation *x, struct text *out) {
  if (!x->rules.len) return;
  text_add(out, "\nThe rules at work:\n");
  VEC_EACH (rule, &x->rules) {
    text_add(out, link_text(out->arena, rule->from, rule->to));
    text_printf(out, "%-16s ", rule->name);
    out_wrapped(out, 29, 29, step_text(out->arena, rule->text, rule->section, rule->because));
    text_char(out, '\n');
  }
}

static void add_roles(const struct explanation *x, struct text *out) {
  if (!x->roles.len) return;
  text_add(out, "\nThe role of each instruction:\n");
  for (uint32_t i = 0; i < x->roles.len; i++) {
    const struct explain_role *role = &x->roles.data[i], *before = i ? role - 1 : NULL;
    bool same = before && before->thread == role->thread && before->instr == role->instr;
    if (!same) text_printf(out, "  %s\n", out_label(out->arena, x->result->program, role->thread, role->instr));
    text_printf(out, "      %s\n", role->text);
  }
}

/* ---- The parts ---- */

static void add_axioms(const struct explanation *x, struct text *out) {
  uint32_t count = x->axioms.len;
  text_printf(out, "Forbidden by %s:\n",
              count == 1   ? "one axiom"
              : x->minimum ? "these axioms together, and by no fewer"
              : x->minimal ? "these axioms together, each of which is needed"
                           : "these axioms together; perhaps fewer are enough");
  for (uint32_t i = 0; i < count; i++) {
    const struct explain_axiom *axiom = &x->axioms.data[i];
    text_printf(out, "  %s", axiom->name);
    if (*axiom->title) text_printf(out, " (PTX ISA %s \"%s\")", axiom->section, axiom->title);
    text_char(out, '\n');
    if (axiom->says) add_words(out, "      ", 6, axiom->says);
  }
}

static void add_forbidden(const struct explanation *x, struct text *out) {
  add_axioms(x, out);
  if (!x->execution) return;
  bool cycle = x->steps.len && x->steps.data[x->steps.len - 1].to == x->steps.data[0].from;
  text_printf(out, "\nThe closest execution violates %s%s:\n", x->violated,
              cycle ? ", by this cycle" : ", by these events");
  if (x->steps.len) add_steps(x, out);
  else
    for (uint32_t i = 0; i < x->events.len; i++) add_event(x, i, label_width(x, out->arena), out);
  add_rules(x, out);
  add_roles(x, out);
}

static void add_missing(const struct explanation *x, struct text *out) {
  VEC_EACH (m, &x->missing) {
    text_add(out, link_text(out->arena, m->from, m->to));
    out_wrapped(out, 12, 12, m->text);
    text_char(out, '\n');
    bool more = m > x->missing.data && m->from == m[-1].from && m->to == m[-1].to;
    if (m->cure) add_words(out, more ? "            also needed: " : "            to order them: ", 12, m->cure);
  }
}

/* The missing links of a cycle, or of a broken atomic. */
static void add_unordered(const struct explanation *x, bool cycle, struct text *out) {
  bool cured = false;
  text_printf(out,
              cycle ? "\nSteps of this cycle that %s does not order:\n" : "\nConditions that %s does not impose:\n",
              x->result->model->name);
  add_missing(x, out);
  VEC_EACH (m, &x->missing) cured = cured || m->cure;
  if (!cured) text_add(out, "ptxlit fix searches for changes that order them.\n");
}

static bool has_objects(const struct program *program) {
  return SOME_BELOW(i, program->object_count, program->objects[i].is_mbarrier);
}

static void add_allowed(const struct explanation *x, struct text *out) {
  if (x->interleaved && !x->events.len) {
    text_printf(out, "No memory access is involved: the values follow from the instructions %s.\n",
                has_objects(x->result->program) ? "and the order of mbarrier operations" : "alone");
    return;
  }
  if (x->interleaved) {
    text_add(out, "This interleaving of the threads reaches it:\n");
    for (uint32_t i = 0; i < x->events.len; i++) add_event(x, i, label_width(x, out->arena), out);
    return;
  }
  if (!x->steps.len) return;
  bool cycle = x->steps.data[x->steps.len - 1].to == x->steps.data[0].from;
  text_printf(out, "No interleaving of the threads reaches it: %s\n",
              cycle ? "an execution that reaches it has this cycle of program order and communication."
                    : "in an execution that reaches it, a write comes between the read and the write of an atomic.");
  add_steps(x, out);
  if (!x->missing.len) {
    text_printf(out, "\nNo axiom of %s makes this impossible.\n", x->result->model->name);
    return;
  }
  add_unordered(x, cycle, out);
}

static void add_gaps(const struct explanation *x, struct text *out) {
  if (x->skips_gaps)
    text_add(out, "The test has loops: --readings=all names the readings of the model on which the verdict rests.\n");
  if (!x->gaps.len) return;
  text_add(out, "\nGaps in the document, and the readings taken:\n");
  VEC_EACH (gap, &x->gaps)
    add_words(out, arena_printf(out->arena, "  G%-3u ", gap->number), 7,
              arena_printf(out->arena, "(%s) %s %s", gap->section, gap->question, gap->decision));
}

static void add_clause(const struct explanation *x, struct text *out) {
  const struct explain_clause *clause = &x->clause;
  add_words(out, "The rule: ", 10,
            arena_printf(out->arena, "%s%s \"%s\": %s", clause->section[0] == 'C' ? "" : "PTX ISA ", clause->section,
                         clause->title, clause->says));
}

static void add_concerned(const struct explanation *x, struct text *out) {
  bool several = x->events.len > 1;
  bool race = x->result->raised.len > 0 && x->clause.section && base_begins(x->clause.section, "8.7");
  text_printf(out, "\nThe %s:\n",
              race      ? "accesses that race"
              : several ? "instructions concerned"
                        : "instruction concerned");
  size_t width = label_width(x, out->arena);
  for (uint32_t i = 0; i < x->events.len; i++) add_event(x, i, width, out);
  add_missing(x, out);
}

static void add_reason(const struct explanation *x, struct text *out) {
  bool undefined = x->kind == EXPLAIN_UNDEFINED;
  struct text reason = {.arena = out->arena};
  out_reason(x->result, &reason);
  add_words(out, undefined ? "Undefined: " : "No verdict: ", 10, text_str(&reason));
  if (x->clause.says) add_clause(x, out);
  if (undefined) text_add(out, "The model promises nothing about such a program, so every state is possible.\n");
  if (x->meaning) {
    text_add(out, "Meaning: ");
    out_wrapped(out, 17, 17, x->meaning);
    text_char(out, '\n');
  }
  if (x->events.len) add_concerned(x, out);
  if (!x->history) return;
  text_printf(out, "\nAn execution that shows it, %s:\n",
              x->history->interleaved ? "step by step" : "thread by thread");
  out_history(x->result->program, x->history, 2, out);
}

/* Adds the events of the execution that are not on the cycle. */
static void add_rest(const struct explanation *x, struct text *out) {
  if (!x->history || x->kind == EXPLAIN_UNDEFINED || x->kind == EXPLAIN_UNKNOWN) return;
  uint32_t shown = 0, accesses = 0;
  for (uint32_t i = 0; i < x->events.len; i++) shown += *x->events.data[i].what != 0;
  for (uint32_t i = 0; i < x->history->lines.len; i++) accesses += *x->history->lines.data[i].what != 0;
  if (accesses <= shown) return;
  text_add(out, "\nThe whole execution:\n");
  out_history(x->result->program, x->history, 2, out);
}

static const char *const kind_names[] = {
    [EXPLAIN_FORBIDDEN] = "forbidden", [EXPLAIN_ALLOWED] = "allowed",       [EXPLAIN_UNREACHABLE] = "unreachable",
    [EXPLAIN_UNDEFINED] = "undefined", [EXPLAIN_UNKNOWN] = "unknown",       [EXPLAIN_SAFE] = "safe",
    [EXPLAIN_UNSAFE] = "unsafe",       [EXPLAIN_SEQUENTIAL] = "sequential", [EXPLAIN_WEAK] = "weak"};

/* K18: an answer to the question for interleavings. */
static void add_turns(const struct explanation *x, struct text *out) {
  if (x->result->sequential == SEQUENTIAL_YES)
    text_add(out, "Every execution is like an interleaving of its threads.\n");
  if (x->result->sequential != SEQUENTIAL_NO) return;
  text_add(out, "It shows more than interleavings of its threads do: an execution has this cycle of program order and\n"
                "communication.\n");
  add_steps(x, out);
  if (x->missing.len) add_unordered(x, true, out);
}

static void add_kind(const struct explanation *x, struct text *out) {
  switch (x->kind) {
    case EXPLAIN_FORBIDDEN: add_forbidden(x, out); break;
    case EXPLAIN_ALLOWED: add_allowed(x, out); break;
    case EXPLAIN_UNREACHABLE:
      text_add(out, "Even without the axioms of the model, no execution ends in this state.\n");
      break;
    case EXPLAIN_UNDEFINED:
    case EXPLAIN_UNKNOWN: add_reason(x, out); break;
    case EXPLAIN_SAFE:
      text_add(out, "No execution is undefined, waits for ever, reaches a trap, has a data race, reads memory that "
                    "nothing has written,\nor leaves a copy without a wait.\n");
      add_turns(x, out);
      break;
    case EXPLAIN_SEQUENTIAL:
    case EXPLAIN_WEAK: add_turns(x, out); break;
    case EXPLAIN_UNSAFE: out_stories(x, out); break;
  }
}

/* The first line of an explanation, without the name of the test. */
static void add_claim(const struct explanation *x, struct text *out) {
  bool safety = program_asks_safety(x->result->program), any_model = false;
  if (x->kind == EXPLAIN_UNREACHABLE) {
    any_model = !x->result->bounded;
    text_printf(out, "%s cannot occur%s", x->claim, any_model ? " under any model" : "");
  } else {
    text_printf(out, "%s%s%s", safety ? "" : x->claim, safety ? "" : " is ", kind_names[x->kind]);
  }
  if (!any_model) text_printf(out, " under %s", x->result->model->name);
  if (x->result->program->filter) text_add(out, ", of the states that pass the filter");
}

static void add_advice(const struct explanation *x, struct text *out) {
  if (!x->advice) return;
  text_add(out, x->events.len ? "\n" : "");
  add_words(out, x->kind == EXPLAIN_UNDEFINED ? "To make it defined: " : "hint: ", 6, x->advice);
}

static void add_seen(const struct explanation *x, struct text *out) {
  if (x->seen) text_printf(out, "It was %s.\n", x->seen);
}

static void add_left_out(const struct explanation *x, struct text *out) {
  if (x->result->bound_settled)
    text_printf(out, "This covers executions with up to %u iterations of each loop; more iterations change nothing.\n",
                x->result->bound);
  if (x->incomplete) text_printf(out, "Left out: %s.\n", x->incomplete);
}

void out_explanation(const struct explanation *x, struct text *out) {
  text_printf(out, "Test %s: ", x->result->program->name);
  add_claim(x, out);
  text_char(out, '\n');
  add_seen(x, out);
  text_char(out, '\n');
  add_kind(x, out);
  add_rest(x, out);
  add_left_out(x, out);
  add_gaps(x, out);
  add_advice(x, out);
  text_char(out, '\n');
}

/* ---- JSON: the numbers of events are indices into "events" ---- */

static void put_cycle(struct json object, const struct explanation *x) {
  const struct program *program = x->result->program;
  put_events(object, "events", program, x->events.data, x->events.len);
  PUT_EACH(object, "steps", step, &x->steps, J_NUMBER("from", step->from), J_NUMBER("to", step->to),
           J_TEXT("relation", step->relation), J_SOME("section", step->section), J_SOME("text", step->text),
           J_TEXT("because", step->because));
  put_text(object, "closing", x->closing);
  PUT_EACH(object, "rules", rule, &x->rules, J_NUMBER("from", rule->from), J_NUMBER("to", rule->to),
           J_TEXT("relation", rule->name), J_SOME("section", rule->section), J_SOME("text", rule->text),
           J_TEXT("because", rule->because));
  struct json roles = put_array(object, "roles");
  VEC_EACH (role, &x->roles)
    PUT(put_place(put_object(roles, NULL), program, role->thread, role->instr), J_TEXT("role", role->text));
  PUT_EACH(object, "missing", m, &x->missing, J_NUMBER("from", m->from), J_NUMBER("to", m->to), J_TEXT("why", m->text),
           J_TEXT("cure", m->cure));
}

void put_explanation(struct json object, const struct explanation *x) {
  const struct explain_clause *rule = &x->clause;
  const struct reason *why = x->result->reason;
  struct text reason = {.arena = object.arena};
  if (why) out_reason(x->result, &reason);
  put_text(object, "explains", x->claim);
  if (x->seen) put_text(object, "seen", x->seen);
  PUT(object, J_TEXT("verdict", kind_names[x->kind]), J_TEXT("reason", why ? text_str(&reason) : NULL),
      J_TEXT("reason_id", why ? why->name : NULL), J_NULL("rule"));
  if (rule->says)
    PUT(put_object(object, "rule"), J_TEXT("section", rule->section), J_TEXT("title", rule->title),
        J_TEXT("says", rule->says));
  put_text(object, "meaning", x->meaning);
  PUT_EACH(object, "axioms", axiom, &x->axioms, J_TEXT("name", axiom->name), J_SOME("section", axiom->section),
           J_SOME("title", axiom->title), J_TEXT("says", axiom->says), J_BOOL("violated", axiom->dropped));
  PUT(object, J_BOOL("minimum", x->minimum), J_BOOL("minimal", x->minimal), J_TEXT("violates", x->violated),
      J_BOOL("interleaving", x->interleaved));
  put_cycle(object, x);
  put_history(object, x->result->program, x->history);
  PUT_EACH(object, "gaps", gap, &x->gaps, J_NUMBER("number", gap->number), J_TEXT("section", gap->section),
           J_TEXT("question", gap->question), J_TEXT("decision", gap->decision));
  if (x->kind == EXPLAIN_UNSAFE) put_stories(object, x);
  PUT(object, J_TEXT("advice", x->advice), J_TEXT("incomplete", x->incomplete));
}

void out_explanation_json(const struct explanation *x, struct text *out) {
  struct json object = json_begin(out->arena, x->result->program, x->result->model->name);
  put_explanation(object, x);
  json_write(object, out);
}
