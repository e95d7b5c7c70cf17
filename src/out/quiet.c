#include "out/out.h"

/* The kinds of the findings, each once. */
static void add_kinds(const struct result *result, struct text *out) {
  for (uint32_t i = 0; i < result->findings.len; i++) {
    bool again = SOME_BELOW(k, i, result->findings.data[k].kind == result->findings.data[i].kind);
    if (!again) text_printf(out, "%c%s", i ? ',' : ' ', safety_name(result->findings.data[i].kind));
  }
}

/* Adds the remarks that have no column, if any. */
static void add_remark(const struct result *result, struct text *out) {
  static const char *const answers[] = {"", "always", "not always", "unknown"};
  bool safety = program_asks_safety(result->program);
  bool told = (!safety && (result->deadlock.found || result->termination != TERMINATION_NOT_ASKED)) ||
              SOME_BELOW(i, result->assumes.len, result->assumes.data[i].id != ASSUMES_BEHIND);
  add_kinds(result, out);
  if (result->verdict == VERDICT_SAFE && result->sequential == SEQUENTIAL_NO) text_add(out, " weak");
  bool cut = result->findings.len && result->reason && result->reason->id == REASON_BESIDE_FINDING;
  if (result->reason && !cut) {
    text_add(out, result->findings.len ? "; other findings unknown: " : " ");
    out_reason(result, out);
    if (told) text_char(out, ';');
  } else if (result->filter_empty) {
    text_add(out, " nothing passes the filter");
  } else if (result->vacuous) {
    text_add(out, " vacuous");
  }
  if (result->deadlock.found && !safety) text_add(out, " deadlock possible");
  if (result->termination != TERMINATION_NOT_ASKED && !safety)
    text_printf(out, " terminates: %s (%s)", answers[result->termination], result->progress);
  for (uint32_t i = 0; i < result->assumes.len; i++) /* all but the remark on columns that represent others */
    if (result->assumes.data[i].id != ASSUMES_BEHIND)
      text_printf(out, " assumes %s", assumption_name(result->assumes.data[i].id));
}

void out_quiet(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  text_printf(out, "Test %s %s %s", result->program->name, result->model->name, verdict_name(result->verdict));
  if (!program_asks_safety(result->program)) text_printf(out, " %s", observation_name(result->observation));
  add_remark(result, out);
  const struct certificate *c = finding->certificate;
  if (c) text_printf(out, " %s%s", c->certified ? "certified" : "not certified: ", c->certified ? "" : c->problem);
  text_char(out, '\n');
}

static const char *claim(const struct result *result) {
  bool forbidden = result->verdict == VERDICT_FORBIDDEN;
  if (result->verdict == VERDICT_SAFE) return "nothing undefined, no hang, no trap and no race";
  if (result->verdict == VERDICT_SEQUENTIAL) return "every execution is like an interleaving of its threads";
  if (result->verdict == VERDICT_WEAK) return "some execution is like no interleaving of its threads";
  if (result->verdict == VERDICT_UNSAFE) return safety_name(result->findings.data[0].kind);
  if (result->filter_empty) return "no allowed execution passes the filter";
  if (result->vacuous) return "its states cannot occur under any model: the condition tests nothing";
  if (forbidden) return "no allowed execution ends in such a state";
  if (result->observation == OBSERVATION_ALWAYS) return "every allowed execution ends in such a state";
  return "some allowed execution ends in such a state";
}

/* The condition without its quantifier. */
static const char *predicate(const struct program *program) {
  const char *text = program->condition_text;
  while (*text && *text != ' ' && *text != '(') text++;
  while (*text == ' ') text++;
  return text;
}

void out_summary(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  bool safety = program_asks_safety(result->program);
  text_printf(out, "Test %s: %s is %s under %s: ", result->program->name,
              safety ? "the program" : predicate(result->program), verdict_name(result->verdict), result->model->name);
  bool decided = !result->reason || result->findings.len;
  if (decided) text_add(out, claim(result));
  if (decided && result->reason) text_add(out, "; other findings unknown: ");
  if (result->reason) out_reason(result, out);
  text_char(out, '\n');
}
