#include "out/explain.h"

#include <string.h>

#include "out/out.h"

enum { WIDTH = 110 };

void out_wrapped(struct text *out, unsigned column, unsigned indent, const char *words) {
  bool first = true;
  while (*words) {
    size_t length = strcspn(words, " ");
    if (!first && column + 1 + length > WIDTH) {
      text_printf(out, "\n%*s", (int)indent, "");
      column = indent;
    } else if (!first) {
      text_char(out, ' ');
      column++;
    }
    text_add_slice(out, words, length);
    column += (unsigned)length;
    words += length;
    while (*words == ' ') words++;
    first = false;
  }
}

/* A line of its own: the words behind its head. */
static void add_words(struct text *out, const char *head, unsigned indent, const char *words) {
  text_add(out, head);
  out_wrapped(out, (unsigned)strlen(head), indent, words);
  text_char(out, '\n');
}

void out_place(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "initial");
    return;
  }
  struct span span = program->threads[thread].instrs[instr].span;
  text_printf(out, "P%u", program->threads[thread].number);
  text_add(out, span.source ? " " : "");
  span_tell_line(span, out);
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
  size_t width = 0;
  for (uint32_t i = 0; i < x->events.len; i++) {
    const struct explain_event *e = &x->events.data[i];
    size_t length = strlen(out_label(arena, x->result->program, e->thread, e->instr));
    if (length > width) width = length;
  }
  return width < 60 ? width : 60;
}

static void add_event(const struct explanation *x, uint32_t number, size_t width, struct text *out) {
  const struct explain_event *e = &x->events.data[number];
  const char *text = out_label(out->arena, x->result->program, e->thread, e->instr);
  text_printf(out, "  [%u] %s", number + 1, text);
  if (*e->what) text_printf(out, "%*s   %s", strlen(text) < width ? (int)(width - strlen(text)) : 0, "", e->what);
  text_char(out, '\n');
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
  for (uint32_t i = 0; i < x->rules.len; i++) {
    const struct explain_rule *rule = &x->rules.data[i];
    text_add(out, link_text(out->arena, rule->from, rule->to));
    text_printf(out, "%-16s ", rule->name);
    out_wrapped(out, 29, 29, step_text(out->arena, rule->text, rule->section, rule->because));
    text_char(out, '\n');
  }
}

static void add_roles(const struct explanation *x, struct text *out) {
  if (!x->roles.len) return;
  text_add(out, "\nWhat each instruction contributes:\n");
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
                           : "these axioms together; it is too hard to find out if fewer would do");
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
  text_printf(out, "\nThe execution that comes closest violates %s%s:\n", x->violated,
              cycle ? ", by this cycle" : ", by these events");
  if (x->steps.len) add_steps(x, out);
  else
    for (uint32_t i = 0; i < x->events.len; i++) add_event(x, i, label_width(x, out->arena), out);
  add_rules(x, out);
  add_roles(x, out);
}

static void add_missing(const struct explanation *x, struct text *out) {
  for (uint32_t i = 0; i < x->missing.len; i++) {
    const struct explain_missing *m = &x->missing.data[i];
    text_add(out, link_text(out->arena, m->from, m->to));
    out_wrapped(out, 12, 12, m->text);
    text_char(out, '\n');
    if (m->cure) add_words(out, "            to order them: ", 12, m->cure);
  }
}

static bool has_objects(const struct program *program) {
  for (uint32_t i = 0; i < program->object_count; i++)
    if (program->objects[i].is_mbarrier) return true;
  return false;
}

static void add_allowed(const struct explanation *x, struct text *out) {
  if (x->interleaved && !x->events.len) {
    text_printf(out, "It takes no access to memory: the values follow from the instructions %s.\n",
                has_objects(x->result->program) ? "and the order of mbarrier operations" : "alone");
    return;
  }
  if (x->interleaved) {
    text_add(out, "An interleaving of the threads gives it, in this order:\n");
    for (uint32_t i = 0; i < x->events.len; i++) add_event(x, i, label_width(x, out->arena), out);
    return;
  }
  if (!x->steps.len) return;
  bool cycle = x->steps.data[x->steps.len - 1].to == x->steps.data[0].from;
  text_printf(out, "No interleaving of the threads gives it: %s\n",
              cycle ? "an execution of it has this cycle of program order and communication."
                    : "in an execution of it a write comes between the halves of an atomic.");
  add_steps(x, out);
  if (!x->missing.len) {
    text_printf(out, "\nNo axiom of %s makes this impossible.\n", x->result->model->name);
    return;
  }
  text_printf(
      out, cycle ? "\nWhere %s gives no order on that path, first things first:\n" : "\nWhat %s does not ask of it:\n",
      x->result->model->name);
  add_missing(x, out);
}

static void add_gaps(const struct explanation *x, struct text *out) {
  if (x->skips_gaps)
    text_add(out, "There are loops: --readings=all says on which readings of the model the verdict rests.\n");
  if (!x->gaps.len) return;
  text_add(out, "\nWhere the document is silent, and the reading taken:\n");
  for (uint32_t i = 0; i < x->gaps.len; i++) {
    const struct explain_gap *gap = &x->gaps.data[i];
    add_words(out, arena_printf(out->arena, "  G%-3u ", gap->number), 7,
              arena_printf(out->arena, "%s (%s): %s", gap->question, gap->section, gap->decision));
  }
}

static void add_clause(const struct explanation *x, struct text *out) {
  const struct explain_clause *clause = &x->clause;
  add_words(out, "The rule: ", 10,
            arena_printf(out->arena, "%s%s \"%s\": %s", clause->section[0] == 'C' ? "" : "PTX ISA ", clause->section,
                         clause->title, clause->says));
}

static void add_concerned(const struct explanation *x, struct text *out) {
  bool several = x->events.len > 1;
  bool race = x->result->raised.len > 0 && x->clause.section && strncmp(x->clause.section, "8.7", 3) == 0;
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
  if (undefined)
    text_add(out, "The model makes no promise about any execution of such a program, so every state is possible.\n");
  if (x->meaning) {
    text_add(out, "Meaning: ");
    out_wrapped(out, 17, 17, x->meaning);
    text_char(out, '\n');
  }
  if (x->events.len) add_concerned(x, out);
  if (!x->history) return;
  text_printf(out, "\nAn execution that gets there, %s:\n",
              x->history->interleaved ? "step by step" : "thread by thread");
  out_history(x->result->program, x->history, 2, out);
}

/* The events of the execution that the cycle leaves out. */
static void add_rest(const struct explanation *x, struct text *out) {
  if (!x->history || x->kind == EXPLAIN_UNDEFINED || x->kind == EXPLAIN_UNKNOWN) return;
  uint32_t shown = 0, accesses = 0;
  for (uint32_t i = 0; i < x->events.len; i++) shown += *x->events.data[i].what != 0;
  for (uint32_t i = 0; i < x->history->lines.len; i++) accesses += *x->history->lines.data[i].what != 0;
  if (accesses <= shown) return;
  text_add(out, "\nThat execution as a whole:\n");
  out_history(x->result->program, x->history, 2, out);
}

static const char *kind_word(const struct explanation *x) {
  bool bounded = x->result->bounded;
  switch (x->kind) {
    case EXPLAIN_FORBIDDEN: return "is forbidden";
    case EXPLAIN_ALLOWED: return "is allowed";
    case EXPLAIN_UNREACHABLE: return bounded ? "cannot occur" : "cannot occur, whatever the model";
    case EXPLAIN_UNDEFINED: return "is undefined";
    case EXPLAIN_UNKNOWN: return "is unknown";
    case EXPLAIN_SAFE:
    case EXPLAIN_UNSAFE: return verdict_name(x->result->verdict);
  }
  BUG("no kind %d", (int)x->kind);
}

static void add_kind(const struct explanation *x, struct text *out) {
  switch (x->kind) {
    case EXPLAIN_FORBIDDEN: add_forbidden(x, out); break;
    case EXPLAIN_ALLOWED: add_allowed(x, out); break;
    case EXPLAIN_UNREACHABLE: text_add(out, "Even with every axiom dropped, no execution ends so.\n"); break;
    case EXPLAIN_UNDEFINED:
    case EXPLAIN_UNKNOWN: add_reason(x, out); break;
    case EXPLAIN_SAFE:
      text_add(out, "No execution is undefined, waits for ever, comes to a trap, has a data race, reads memory that "
                    "nothing has written or leaves\na copy that nobody waits for.\n");
      break;
    case EXPLAIN_UNSAFE: out_stories(x, out); break;
  }
}

void out_claim(const struct explanation *x, struct text *out) {
  bool safety = x->kind == EXPLAIN_SAFE || x->kind == EXPLAIN_UNSAFE;
  text_printf(out, "%s%s%s", safety ? "" : x->claim, safety ? "" : " ", kind_word(x));
  if (x->kind != EXPLAIN_UNREACHABLE || x->result->bounded) text_printf(out, " under %s", x->result->model->name);
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
    text_printf(out, "This tells executions with up to %u iterations of each loop; those with more change nothing.\n",
                x->result->bound);
  if (x->incomplete) text_printf(out, "Left out: %s.\n", x->incomplete);
}

void out_explanation(const struct explanation *x, struct text *out) {
  text_printf(out, "Test %s: ", x->result->program->name);
  out_claim(x, out);
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

void out_explanation_on_page(const struct explanation *x, bool drawn, struct text *out) {
  add_seen(x, out);
  add_kind(x, out);
  if (!drawn) add_rest(x, out);
  add_left_out(x, out);
  add_advice(x, out);
}
