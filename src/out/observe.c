#include "out/explain.h"

#include "out/build_json.h"

static const char *judgement_name(enum judgement judgement) {
  switch (judgement) {
    case JUDGED_ALLOWED: return "allowed";
    case JUDGED_FORBIDDEN: return "FORBIDDEN";
    case JUDGED_UNDEFINED: return "undefined";
    case JUDGED_OPEN: return "unknown";
    case JUDGED_STRANGE: return "NO STATE OF THIS TEST";
  }
  BUG("no such judgement: %d", (int)judgement);
}

static double rate(uint64_t count, uint64_t runs) { return runs ? (double)count / (double)runs : 0; }

/* ---- text */

static void add_machines(const struct seen_test *seen, struct text *out) {
  VEC_EACH (m, &seen->machines) {
    text_printf(out, "Run %llu times on %s", (unsigned long long)m->runs, m->device);
    if (m->seconds > 0) text_printf(out, ", %.2g a second", (double)m->runs / m->seconds);
    text_printf(out, " (driver %s, %s, %s)\n", m->driver, m->compiler, m->flags);
  }
}

static void add_outcomes(const struct judged *judged, struct text *out) {
  const struct seen_test *seen = judged->seen;
  for (uint32_t i = 0; i < seen->outcomes.len; i++) {
    const struct seen_outcome *o = &seen->outcomes.data[i];
    text_printf(out, "%16llu %9.2g  %-9s%s %s\n", (unsigned long long)o->count, rate(o->count, seen->runs),
                judgement_name(judged->outcomes[i].judgement), judged->outcomes[i].satisfies ? " *" : "  ", o->state);
  }
}

static void add_endings(const struct judged *judged, struct text *out) {
  const struct seen_test *seen = judged->seen;
  if (seen->unfinished)
    text_printf(out, "Unfinished %llu: these ran out of steps in a loop\n", (unsigned long long)seen->unfinished);
  if (seen->hangs) text_printf(out, "Hang: some runs did not end (%s)\n", judgement_name(judged->hangs));
  if (seen->faults) text_printf(out, "Fault: stopped by the device (%s)\n", judgement_name(judged->faults));
}

static void add_condition(const struct program *program, const struct judged *judged, struct text *out) {
  text_printf(out, "Condition %s: ", program->condition_text);
  if (!judged->met) text_add(out, "not seen\n");
  else
    text_printf(out, "seen %llu times, %.2g a run\n", (unsigned long long)judged->met,
                rate(judged->met, judged->seen->runs));
}

void out_observed(const struct program *program, const struct judged *judged, struct text *out) {
  const struct result *result = judged->result;
  text_printf(out, "Test %s\n", program->name);
  if (judged->seen->left_out) {
    text_printf(out, "Left out: %s\n\n", judged->seen->left_out);
    return;
  }
  add_machines(judged->seen, out);
  add_outcomes(judged, out);
  add_endings(judged, out);
  add_condition(program, judged, out);
  if (result->reason)
    text_printf(out, "Model %s is %s: %s\n", result->model->name, verdict_name(result->verdict), result->reason->text);
  else if (judged->never_count)
    text_printf(out, "Never seen: %u of the %u outcomes that %s allows\n", judged->never_count, result->outcomes.len,
                result->model->name);
  text_char(out, '\n');
}

/* ---- a line */

void out_observed_line(const struct program *program, const struct judged *judged, struct text *out) {
  const struct seen_test *seen = judged->seen;
  text_printf(out, "Test %s %s ", program->name, judged->result->model->name);
  if (seen->left_out) {
    text_printf(out, "left out: %s\n", seen->left_out);
    return;
  }
  text_printf(out, "%s %llu runs, condition seen %llu time%s",
              judged_contradicts(judged) ? "FORBIDDEN" : judged->open ? "unknown" : "allowed",
              (unsigned long long)seen->runs, (unsigned long long)judged->met, judged->met == 1 ? "" : "s");
  for (uint32_t i = 0; i < seen->outcomes.len; i++) {
    enum judgement judgement = judged->outcomes[i].judgement;
    if (judgement != JUDGED_FORBIDDEN && judgement != JUDGED_STRANGE) continue;
    text_printf(out, "; %s %llu times: %s", judgement_name(judgement),
                (unsigned long long)seen->outcomes.data[i].count, seen->outcomes.data[i].state);
  }
  if (seen->hangs) text_printf(out, "; hang (%s)", judgement_name(judged->hangs));
  if (seen->faults) text_printf(out, "; fault (%s)", judgement_name(judged->faults));
  text_char(out, '\n');
}

/* ---- herd's log */

void out_observed_log(const struct program *program, const struct judged *judged, struct text *out) {
  const struct seen_test *seen = judged->seen;
  if (seen->left_out) return;
  unsigned long long all = 0, met = judged->met;
  for (uint32_t i = 0; i < seen->outcomes.len; i++) all += seen->outcomes.data[i].count;
  bool never = !judged->met, always = judged->met == all && all;
  bool holds = program->quantifier == LITMUS_EXISTS       ? !never
               : program->quantifier == LITMUS_NOT_EXISTS ? never
                                                          : always;
  double seconds = 0;
  for (uint32_t i = 0; i < seen->machines.len; i++) seconds += seen->machines.data[i].seconds;
  text_printf(out, "Test %s %s\nHistogram (%u states)\n", program->name, out_kind(program->quantifier),
              seen->outcomes.len);
  for (uint32_t i = 0; i < seen->outcomes.len; i++)
    text_printf(out, "%llu%s%s\n", (unsigned long long)seen->outcomes.data[i].count,
                judged->outcomes[i].satisfies ? "*>" : ":>", seen->outcomes.data[i].state);
  text_printf(out, "%s\n\nWitnesses\nPositive: %llu, Negative: %llu\n", holds ? "Ok" : "No", met, all - met);
  text_printf(out, "Condition %s is %svalidated\nHash=%s\n", program->condition_text, holds ? "" : "NOT ", seen->hash);
  text_printf(out, "Observation %s %s %llu %llu\nTime %s %.2f\n\n", program->name,
              never    ? "Never"
              : always ? "Always"
                       : "Sometimes",
              met, all - met, program->name, seconds);
}

/* ---- JSON */

void out_observed_json(const struct program *program, const struct judged *judged, struct text *out) {
  const struct seen_test *seen = judged->seen;
  struct json object = json_new(out->arena);
  PUT(object, J_NUMBER("format", 1), J_TEXT("test", program->name), J_TEXT("hash", seen->hash),
      J_TEXT("model", judged->result->model->name), J_TEXT("condition", program->condition_text),
      J_TEXT("left_out", seen->left_out), J_BOOL("contradicts", !seen->left_out && judged_contradicts(judged)),
      J_NUMBER("runs", seen->runs), J_NUMBER("unfinished", seen->unfinished), J_NUMBER("hangs", seen->hangs),
      J_NUMBER("faults", seen->faults), J_NUMBER("forbidden", judged->forbidden), J_NUMBER("met", judged->met),
      J_NUMBER("never_seen", judged->never_count), J_TEXT("verdict", verdict_name(judged->result->verdict)),
      J_TEXT("reason", judged->result->reason ? judged->result->reason->text : NULL));
  struct json machines = put_array(object, "machines"), outcomes = put_array(object, "outcomes");
  VEC_EACH (m, &seen->machines) {
    struct json machine = put_object(machines, NULL);
    PUT(machine, J_TEXT("device", m->device), J_TEXT("driver", m->driver), J_TEXT("compiler", m->compiler),
        J_TEXT("flags", m->flags), J_NUMBER("runs", m->runs));
    put(machine, "seconds", json_real(m->seconds));
  }
  for (uint32_t i = 0; i < seen->outcomes.len; i++)
    PUT(put_object(outcomes, NULL), J_TEXT("state", seen->outcomes.data[i].state),
        J_NUMBER("count", seen->outcomes.data[i].count),
        J_TEXT("judgement", judgement_name(judged->outcomes[i].judgement)),
        J_BOOL("satisfies", judged->outcomes[i].satisfies));
  json_write(object, out);
}
