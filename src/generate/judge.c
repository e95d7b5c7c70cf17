/* What a model says of a draft. */
#include "generate/generate.h"

struct generate_judge judge_new(struct arena *arena, const struct model *model, const struct check_options *options) {
  return (struct generate_judge){arena, model, options, quick_new(arena, model)};
}

enum verdict judge_slowly(const struct generate_judge *judge, const struct draft *draft) {
  struct arena *arena = judge->arena;
  struct arena_mark mark = arena_mark(arena);
  struct text text = {.arena = arena};
  draft_print(draft, "draft", NULL, &text);
  struct source source = source_from_text("draft", text_str(&text), text.len);
  struct intern names;
  struct diags diags;
  intern_init(&names, arena);
  diags_init(&diags, arena);
  const struct litmus_test *test = litmus_parse(arena, &names, &diags, &source);
  const struct lower_options lowering = {0};
  const struct program *program = test ? lower(arena, &names, &diags, test, &lowering) : NULL;
  if (!program) BUG("a draft is no test:\n%s", text_str(&text));
  struct check_options quick = *judge->options;
  struct result result = {0};
  quick.verdict_only = true;
  check(arena, program, judge->model, &quick, &result);
  arena_rewind(arena, mark);
  return result.verdict;
}

enum verdict judge_draft(const struct generate_judge *judge, const struct draft *draft) {
  enum verdict verdict = judge->quick ? quick_verdict(judge->quick, draft) : VERDICT_UNKNOWN;
  return verdict == VERDICT_UNKNOWN ? judge_slowly(judge, draft) : verdict;
}
