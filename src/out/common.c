#include <string.h>

#include "out/out.h"

const char *out_kind(enum quantifier quantifier) {
  switch (quantifier) {
    case QUANTIFIER_EXISTS: return "Allowed";
    case QUANTIFIER_NOT_EXISTS: return "Forbidden";
    case QUANTIFIER_FORALL: return "Required";
    case QUANTIFIER_SAFE: return "Safety";
  }
  BUG("no quantifier %d", (int)quantifier);
}

void out_pass_list(const struct result *result, struct text *out) {
  if (result->complete && result->outcomes.len) text_pass_all(out);
}

void out_reason(const struct result *result, struct text *out) {
  REQUIRE(result->reason);
  if (result->place.source) {
    struct position at = source_position(result->place.source, result->place.begin);
    text_printf(out, "%s:%u:%u: ", result->place.source->name, at.line, at.column);
  }
  text_add(out, result->reason->text);
}

void out_instr(const struct program *program, uint32_t thread, uint32_t instr, struct text *out) {
  if (thread == NO_THREAD) {
    text_add(out, "initial write");
    return;
  }
  REQUIRE(thread < program->thread_count && instr < program->threads[thread].instr_count);
  instr_print(&program->threads[thread].instrs[instr], out);
}
