/* The part of the library that tells why: ptxlit_explain and its relatives. */
#include "explain/explain.h"

#include "explain/fix.h"
#include "out/explain.h"
#include "session.h"

static struct check_options explain_options(const struct ptxlit_options *options) {
  return (struct check_options){.unroll = options->unroll,
                                .barrier_users = options->barrier_users,
                                .timeout = options->timeout,
                                .max_outcomes = options->max_outcomes};
}

/* The test's own program, or the one with a stated outcome as its condition; NULL when that is wrong. */
static const struct program *asked_program(struct ptxlit *s, size_t index, const char *state) {
  const struct input_test *test = &s->tests.data[index];
  if (!state) return test->program;
  const struct litmus_test *asked = explain_state(&s->input, test->names, &s->diags, test->ast, state);
  return asked ? lower(&s->input, test->names, &s->diags, asked, &test->lowering) : NULL;
}

enum ptxlit_status ptxlit_explain(struct ptxlit *session, size_t test, size_t model, const char *state,
                                  enum ptxlit_format format, const char **text) {
  REQUIRE(test < session->tests.len && model < session->models.len);
  *text = NULL;
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  struct check_options options = explain_options(&session->options);
  struct result *result = ARENA_NEW(&session->input, struct result);
  struct explanation explanation;
  struct text out;
  const struct program *program = asked_program(session, test, state);
  if (!program) return PTXLIT_BAD_INPUT;
  explain(&session->input, program, session->models.data[model].model, &options, result, &explanation);
  text_init(&out, &session->input);
  if (format == PTXLIT_JSON)
    out_explanation_json(&explanation, &out);
  else
    out_explanation(&explanation, &out);
  *text = text_str(&out);
  return explanation.kind == EXPLAIN_UNKNOWN ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

static enum ptxlit_status fix_status(const struct fixes *fixes) {
  bool unknown = fixes->outcome == FIX_UNDECIDED && fixes->result->verdict == VERDICT_UNKNOWN;
  return unknown || fixes->outcome == FIX_NOT_FOUND ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}

enum ptxlit_status ptxlit_fix(struct ptxlit *session, size_t test, size_t model, bool weaken,
                              enum ptxlit_format format, const char **text) {
  REQUIRE(test < session->tests.len && model < session->models.len);
  *text = NULL;
  session_begin(session);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  const struct input_test *read = &session->tests.data[test];
  struct check_options options = explain_options(&session->options);
  struct fix_input input = {read->ast,   read->program,                        &read->lowering,
                            read->names, session->models.data[model].model, &options};
  struct fixes fixes;
  struct text out;
  if (weaken)
    fix_weaken(&session->input, &input, &fixes);
  else
    fix_find(&session->input, &input, &fixes);
  text_init(&out, &session->input);
  if (format == PTXLIT_JSON)
    out_fixes_json(&fixes, weaken, &out);
  else
    out_fixes(&fixes, weaken, &out);
  *text = text_str(&out);
  return fix_status(&fixes);
}
