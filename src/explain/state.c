/* Turns a stated outcome into the condition of a test. */

#include "explain/explain.h"

const struct litmus_test *explain_state(struct arena *arena, struct intern *names, struct diags *diags,
                                        const struct litmus_test *test, const char *outcome) {
  struct litmus_test *asked = ARENA_NEW(arena, struct litmus_test);
  struct source *shown = ARENA_NEW(arena, struct source);
  uint32_t before = diags->list.len;
  *shown = source_from_text("<state>", arena_strdup(arena, outcome), strlen(outcome));
  *asked = *test;
  asked->quantifier = LITMUS_EXISTS;
  asked->condition_span = (struct span){shown, 0, (uint32_t)shown->length};
  asked->filter = NULL;
  if (!outcome[strspn(outcome, " ;\t\r\n")]) {
    diag_report(diags, DIAG_SYNTAX, asked->condition_span,
                "the state is empty" HINT "give the values to explain, such as 0:r0=0; 1:r1=0;");
    return NULL;
  }
  asked->condition = litmus_parse_state(arena, names, diags, shown);
  for (uint32_t i = before; i < diags->list.len; i++) {
    struct diagnostic *d = &diags->list.data[i];
    if (d->code == DIAG_SYNTAX && !d->hint)
      diag_hint(diags, d, "write it as it is printed, 0:r0=0; x=1; or as a condition, 0:r0=0 \\/ ~(x=1)");
  }
  return asked->condition ? asked : NULL;
}
