/* The result of making the two accesses of a race strong. */
#include "repair/strong.h"

#include "explain/words.h"
#include "repair/edits.h"

/* The weakest change after which the access is strong in the scope; false when there is none. */
static bool find_strong(const struct sites *sites, uint32_t thread, uint32_t instr, enum scope scope,
                        struct edit *out) {
  for (uint32_t i = 0; i < sites->list.len; i++)
    for (uint32_t k = 0; k < sites->list.data[i].variants.len; k++) {
      *out = sites->list.data[i].variants.data[k];
      bool here = out->kind == EDIT_STRENGTH && out->thread == thread && out->instr == instr;
      if (here && out->sem != SEM_WEAK && out->scope >= scope) return true;
    }
  return false;
}

struct attempt {
  struct arena *arena;
  const struct fix_input *input;
  struct sites sites;
  const char *claim;
};

/* True if the outcome asked about can happen; false also where that is not known. */
static bool judge(const struct attempt *t, const struct program *program, bool *bad) {
  struct check_options options = *t->input->options;
  struct result result;
  options.verdict_only = true;
  check(t->arena, program, t->input->model, &options, &result);
  *bad = program->quantifier == QUANTIFIER_FORALL ? result.negative > 0 : result.positive > 0;
  return result.verdict == VERDICT_ALLOWED || result.verdict == VERDICT_FORBIDDEN;
}

/* The program with both accesses strong; NULL where that cannot be. */
static const struct program *make_strong(const struct attempt *t, const struct race *race, enum scope scope) {
  const struct fix_input *input = t->input;
  const struct thread *threads = input->program->threads;
  struct edit edits[2];
  struct diags diags;
  uint32_t count = 0;
  if (threads[race->thread_a].instrs[race->instr_a].scope < scope &&
      !find_strong(&t->sites, race->thread_a, race->instr_a, scope, &edits[count++]))
    return NULL;
  if (threads[race->thread_b].instrs[race->instr_b].scope < scope &&
      !find_strong(&t->sites, race->thread_b, race->instr_b, scope, &edits[count++]))
    return NULL;
  diags_init(&diags, t->arena);
  const struct litmus_test *test =
      count ? edits_apply(t->arena, input->names, input->test, input->program, edits, count) : NULL;
  return test ? lower(t->arena, input->names, &diags, test, input->lowering) : NULL;
}

static void try_strong(const struct attempt *t, bool bad_as_is, struct race *race) {
  enum scope scope = words_common_scope(t->input->program, race->thread_a, race->thread_b);
  const struct program *changed = !race->mixed && race->not_strong ? make_strong(t, race, scope) : NULL;
  const char *words = arena_printf(t->arena, "with scope %s they do not race,", scope_word(scope));
  bool bad;
  if (!changed || !judge(t, changed, &bad)) return;
  if (bad) race->strong = arena_printf(t->arena, "%s but %s stays allowed", words, t->claim);
  else if (bad_as_is) race->strong = arena_printf(t->arena, "%s and %s is forbidden", words, t->claim);
  else race->strong = arena_printf(t->arena, "%s but are not ordered", words);
}

enum { MOST_TRIED = 32 };

void races_try_strong(struct arena *arena, const struct fix_input *input, struct races *races) {
  struct attempt attempt = {.arena = arena, .input = input, .claim = explain_claim(arena, input->program)};
  bool bad;
  if (!races->list.len || !judge(&attempt, input->program, &bad)) return;
  edits_stronger(arena, input->test, input->program, &attempt.sites);
  for (uint32_t i = 0; i < races->list.len && i < MOST_TRIED; i++) try_strong(&attempt, bad, &races->list.data[i]);
}
