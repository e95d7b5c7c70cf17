/* Finds the verdict of a model on a draft. */

#include "generate/generate.h"

struct generate_judge judge_new(struct arena *arena, const struct model *model, const struct check_options *options) {
  return (struct generate_judge){arena, model, options, quick_new(arena, model)};
}

const struct program *generate_program(struct arena *arena, const char *text) {
  struct source *source = ARENA_NEW(arena, struct source);
  struct intern *names = ARENA_NEW(arena, struct intern);
  struct diags diags;
  *source = source_from_text("generated", text, strlen(text));
  intern_init(names, arena);
  diags_init(&diags, arena);
  const struct litmus_test *test = litmus_parse(arena, names, &diags, source);
  const struct lower_options lowering = {0};
  const struct program *program = test ? lower(arena, names, &diags, test, &lowering) : NULL;
  if (!program) BUG("a generated test is none:\n%s", text);
  return program;
}

enum verdict judge_text(const struct generate_judge *judge, const char *text) {
  struct arena_mark mark = arena_mark(judge->arena);
  struct check_options options = *judge->options;
  struct result result = {0};
  options.verdict_only = true;
  check(judge->arena, generate_program(judge->arena, text), judge->model, &options, &result);
  arena_rewind(judge->arena, mark);
  return result.verdict;
}

enum verdict judge_slowly(const struct generate_judge *judge, const struct draft *draft) {
  struct arena_mark mark = arena_mark(judge->arena);
  struct text text = {.arena = judge->arena};
  draft_print(draft, "draft", NULL, &text);
  enum verdict verdict = judge_text(judge, text_str(&text));
  arena_rewind(judge->arena, mark);
  return verdict;
}

enum verdict judge_draft(const struct generate_judge *judge, const struct draft *draft) {
  enum verdict verdict = judge->quick ? quick_verdict(judge->quick, draft) : VERDICT_UNKNOWN;
  return verdict == VERDICT_UNKNOWN ? judge_slowly(judge, draft) : verdict;
}
