/* Tries to make the two accesses of a race strong. */
#include "repair/strong.h"

#include "explain/words.h"
#include "repair/fix_search.h"

/* Finds the weakest change that makes the access strong at the scope; false if there is none. */
static bool find_strong(const struct sites *sites, struct edit_place at, enum scope scope, struct edit *out) {
  for (uint32_t i = 0; i < sites->list.len; i++)
    for (uint32_t k = 0; k < sites->list.data[i].len; k++) {
      *out = sites->list.data[i].data[k];
      bool here = out->kind == EDIT_STRENGTH && out->thread == at.thread && out->instr == at.instr;
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

/* The program with both accesses strong; NULL if that is impossible. */
static const struct program *make_strong(const struct attempt *t, const struct race *race, enum scope scope) {
  const struct edit_place places[] = {{race->pair.thread_a, race->pair.instr_a},
                                      {race->pair.thread_b, race->pair.instr_b}};
  const struct litmus_test *test;
  struct edit edits[2];
  uint32_t count = 0;
  for (size_t i = 0; i < ARRAY_LEN(places); i++) {
    bool wide = t->input->program->threads[places[i].thread].instrs[places[i].instr].scope >= scope;
    if (!wide && !find_strong(&t->sites, places[i], scope, &edits[count++])) return NULL;
  }
  return count ? fix_lower(t->arena, t->input, edits, count, &test) : NULL;
}

static void try_strong(const struct attempt *t, bool bad_as_is, struct race *race) {
  enum scope scope = words_common_scope(t->input->program, race->pair.thread_a, race->pair.thread_b);
  const struct program *changed = !race->mixed && race->not_strong ? make_strong(t, race, scope) : NULL;
  const char *words = arena_printf(t->arena, "at scope %s they do not race,", scope_word(scope));
  const struct fix_trial judged = changed ? fix_check(t->arena, t->input, changed) : (struct fix_trial){0};
  if (!judged.decided) return;
  if (judged.bad) race->strong = arena_printf(t->arena, "%s but %s stays allowed", words, t->claim);
  else if (bad_as_is) race->strong = arena_printf(t->arena, "%s and %s is forbidden", words, t->claim);
  else race->strong = arena_printf(t->arena, "%s but are not ordered", words);
}

enum { MOST_TRIED = 32 };

void races_try_strong(struct arena *arena, const struct fix_input *input, struct races *races) {
  struct attempt attempt = {.arena = arena, .input = input, .claim = explain_claim(arena, input->program)};
  if (!races->list.len || program_asks_safety(input->program)) return;
  const struct fix_trial as_is = fix_check(arena, input, input->program);
  if (!as_is.decided) return;
  edits_stronger(arena, input->test, input->program, &attempt.sites);
  for (uint32_t i = 0; i < races->list.len && i < MOST_TRIED; i++)
    try_strong(&attempt, as_is.bad, &races->list.data[i]);
}
