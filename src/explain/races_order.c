/* What to do about a race: what would order the two accesses, and what comes of only making them strong. */
#include <string.h>

#include "explain/edits.h"
#include "explain/races.h"
#include "explain/words.h"
#include "search/check.h"

/* ---- What would order them ---- */

static bool in_po(const struct execution *x, uint32_t a, uint32_t b) {
  return bitmat_has(x->skeleton->must[CAT_REL_PO], a, b) && bitset_has(x->exec, a) && bitset_has(x->exec, b);
}

/* Whether the write may be meant to hand over what comes before it to what comes after the read: another write before
 * it has the location of an access behind the read, or the other way about. */
static bool hands_over(const struct execution *x, uint32_t write, uint32_t read) {
  const struct event *events = x->skeleton->events.data;
  for (uint32_t e = 0; e < x->skeleton->first_init; e++) {
    if (!in_po(x, e, write) || !event_is_memory(&events[e])) continue;
    for (uint32_t f = 0; f < x->skeleton->first_init; f++) {
      bool writes = events[e].kind == EVENT_WRITE || events[f].kind == EVENT_WRITE;
      if (in_po(x, read, f) && event_is_memory(&events[f]) && writes && bitmat_has(x->loc, e, f)) return true;
    }
  }
  return false;
}

static const char *meet(struct arena *arena, const struct program *program, uint32_t a, uint32_t b) {
  enum scope scope = words_common_scope(program, a, b);
  if (scope == SCOPE_CTA) return "let the threads meet between the two, as at bar.sync 0";
  if (scope == SCOPE_CLUSTER) return "let the CTAs meet between the two: barrier.cluster.arrive and .wait";
  return arena_printf(arena,
                      "after the one set a flag with st.release%s, and before the other wait for it with "
                      "ld.acquire%s in a loop",
                      scope_word(scope), scope_word(scope));
}

const char *races_order(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b,
                        const struct race *race) {
  const struct event *e = &x->skeleton->events.data[a], *f = &x->skeleton->events.data[b];
  const struct program *program = x->skeleton->program;
  if (e->proxy != PROXY_GENERIC || f->proxy != PROXY_GENERIC || !bitmat_has(x->vloc, a, b)) return NULL;
  bool flag = e->kind != f->kind && hands_over(x, e->kind == EVENT_WRITE ? a : b, e->kind == EVENT_WRITE ? b : a);
  if (flag && !race->mixed && (!race->direct || (e->sem != SEM_WEAK && f->sem != SEM_WEAK))) return NULL;
  if (flag && !race->mixed) {
    const char *scope = scope_word(words_common_scope(program, e->thread, f->thread));
    return arena_printf(arena,
                        "make the write release and the read acquire, at %s: what comes before the one then precedes "
                        "what comes after the other",
                        scope);
  }
  if (!race->missing.len || race->direct) {
    const char *order = meet(arena, program, e->thread, f->thread);
    return race->mixed ? arena_printf(arena, "%s; or make both strong, and access the same bytes", order) : order;
  }
  return race->apart ? "reach the later one only where that path was taken: behind a loop, or a branch on what was read"
                     : NULL;
}

/* ---- Strong, and no more ---- */

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

/* Whether what the test asks about can happen; false also where that is not known. */
static bool judge(const struct attempt *t, const struct program *program, bool *bad) {
  struct check_options options = *t->input->options;
  struct result result;
  options.verdict_only = true;
  check(t->arena, program, t->input->model, &options, &result);
  *bad = program->quantifier == QUANTIFIER_FORALL ? result.negative > 0 : result.positive > 0;
  return result.verdict == VERDICT_ALLOWED || result.verdict == VERDICT_FORBIDDEN;
}

static const char *claim_of(struct arena *arena, const struct program *program) {
  const char *open = strchr(program->condition_text, '('), *claim = program->condition_text;
  if (open) claim = arena_strndup(arena, open + 1, strlen(open + 1) - 1);
  return program->quantifier == QUANTIFIER_FORALL ? arena_printf(arena, "~(%s)", claim) : claim;
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
  struct attempt attempt = {.arena = arena, .input = input, .claim = claim_of(arena, input->program)};
  bool bad;
  if (!races->list.len || !judge(&attempt, input->program, &bad)) return;
  edits_stronger(arena, input->test, input->program, &attempt.sites);
  for (uint32_t i = 0; i < races->list.len && i < MOST_TRIED; i++) try_strong(&attempt, bad, &races->list.data[i]);
}
