#include "out/out.h"

/* What the columns cannot say; nothing when they say it all. */
static void add_remark(const struct result *result, struct text *out) {
  static const char *const answers[] = {"", "always", "not always", "unknown"};
  if (result->reason) {
    text_char(out, ' ');
    out_reason(result, out);
  } else if (result->filter_empty) {
    text_add(out, " nothing passes the filter");
  } else if (result->vacuous) {
    text_add(out, " vacuous");
  }
  if (result->deadlock.found) text_add(out, " deadlock possible");
  if (result->termination != TERMINATION_NOT_ASKED)
    text_printf(out, " terminates: %s %s", result->progress, answers[result->termination]);
  for (uint32_t i = 0; i < result->assumes.len; i++)
    text_printf(out, " assumes %s", assumption_name(result->assumes.data[i].id));
}

void out_quiet(const struct finding *finding, struct text *out) {
  const struct result *result = finding->result;
  text_printf(out, "Test %s %s %s %s", result->program->name, result->model->name, verdict_name(result->verdict),
              observation_name(result->observation));
  add_remark(result, out);
  const struct certificate *c = finding->certificate;
  if (c) text_printf(out, " %s%s", c->certified ? "certified" : "not certified: ", c->certified ? "" : c->problem);
  text_char(out, '\n');
}

static const char *claim(const struct result *result) {
  bool forbidden = result->verdict == VERDICT_FORBIDDEN;
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
  text_printf(out, "Test %s: %s is %s under %s: ", result->program->name, predicate(result->program),
              verdict_name(result->verdict), result->model->name);
  if (result->reason) out_reason(result, out);
  else text_add(out, claim(result));
  text_char(out, '\n');
}
