#include "repair/fix.h"

#include "explain/explain.h"
#include "repair/proposals.h"

_Static_assert((uint32_t)FIX_AT_START == (uint32_t)EDIT_AT_START, "one number for the start of a thread");

/* ---- Goals ---- */

/* True if the trial meets the goal. A single wider access may make torn values unreachable even without axioms, which
 * is its purpose. */
bool fix_meets_goal(const struct search_fix *f, const struct fix_trial *j, bool wider) {
  if (!fix_is_sound(f, j)) return false;
  switch (f->out->goal) {
    case FIX_FORBID: return !j->bad && (wider || j->vacuous <= f->as_is.vacuous);
    case FIX_RACES: return j->races == 0;
    case FIX_DEFINE: return true;
    case FIX_END: return !j->deadlock;
    case FIX_SAFE:
    case FIX_TURNS: return !j->bad; /* and in_turns */
  }
  BUG("no goal %d", (int)f->out->goal);
}

static bool does_it(struct search_fix *f, const struct edit *edits, uint32_t count, struct fix_trial *judged) {
  struct check_options options = fix_quick(f, f->out->goal == FIX_RACES);
  bool wider = false;
  if (fix_of_module(f, edits, count)) return module_holds(f, edits, count, 0, judged);
  for (uint32_t i = 0; i < count; i++) wider = wider || edits[i].kind == EDIT_WIDEN;
  options.only_safe = f->out->goal == FIX_SAFE;
  *judged = fix_try(f, edits, count, &options);
  return fix_meets_goal(f, judged, wider);
}

/* False: weak accesses of a launch became relaxed ones, and it is not sequential (K18). */
static bool stays_in_turns(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct fix_trial judged;
  return !fix_relaxes(f, edits, count) || module_holds(f, edits, count, MODULE_IN_TURNS, &judged);
}

/* True if the fix has the change: different edits may give the same changes. */
static bool has_change(const struct fix_way *way, const struct fix_change *c) {
  VEC_EACH (d, &way->changes) {
    bool place = c->kind == d->kind && c->thread == d->thread && c->instr == d->instr && c->target == d->target;
    if (place && base_alike(c->after, d->after)) return true;
  }
  return false;
}

static bool same_way(const struct fix_way *a, const struct fix_way *b) {
  return a->changes.len == b->changes.len && EVERY_BELOW(i, a->changes.len, has_change(b, &a->changes.data[i]));
}

static bool comes_before(const struct fix_way *a, const struct fix_way *b) {
  if (a->bad != b->bad) return b->bad;
  if (a->alike != b->alike) return a->alike;
  if (a->size != b->size) return a->size < b->size;
  return a->cost != b->cost ? a->cost < b->cost : a->outcomes > b->outcomes;
}

enum { MOST_OUTCOMES = 256 };

/* Barriers cost the same everywhere; the one that leaves the most outcomes counts as the weakest. */
static unsigned count_outcomes(struct search_fix *f, const struct edit *edits, uint32_t count) {
  bool barrier = SOME_BELOW(i, count, edits[i].kind == EDIT_ADD_BARRIER);
  if (!barrier) return 0;
  struct check_options options = fix_quick(f, false);
  options.verdict_only = false;
  options.max_outcomes = MOST_OUTCOMES;
  return fix_try(f, edits, count, &options).outcomes;
}

/* True for a repair that only makes weak accesses relaxed: they race no more, and come in any order as before. */
static bool only_relaxes(const struct search_fix *f, const struct edit *edits, uint32_t count) {
  bool weak = false;
  for (uint32_t i = 0; i < count; i++) {
    if (edits[i].kind != EDIT_STRENGTH || edits[i].sem > SEM_RELAXED) return false;
    weak = weak || f->input->program->threads[edits[i].thread].instrs[edits[i].instr].sem == SEM_WEAK;
  }
  return weak && f->out->goal == FIX_SAFE;
}

static struct fix_way way_of(struct search_fix *f, const struct edit *edits, uint32_t count,
                             const struct fix_trial *judged) {
  struct fix_way way = {.verdict = judged->verdict, .bad = judged->bad, .outcomes = count_outcomes(f, edits, count)};
  for (uint32_t i = 0; i < count; i++) fix_add_changes(f, &way, &edits[i]);
  way.relaxes = only_relaxes(f, edits, count);
  for (uint32_t i = 0; way.relaxes && i < way.changes.len; i++)
    way.changes.data[i].remark = "ends the race, orders nothing";
  return way;
}

static void add_way(struct search_fix *f, const struct edit *edits, uint32_t count, const struct fix_trial *judged) {
  struct fix_way way = way_of(f, edits, count, judged);
  for (uint32_t i = 0; i < f->out->ways.len; i++)
    if (same_way(&f->out->ways.data[i], &way)) return;
  VEC_PUSH(f->arena, &f->out->ways, way);
  VEC_SORT(&f->out->ways, comes_before);
}

/* ---- Sets of sites ----
 *
 * A set of sites is first tried with the strongest variant of each site: if that fails, so do weaker variants. If it
 * succeeds, the variants are tried from the weakest up, except combinations that contain a fix already found, or a
 * stronger form of one. */

static const struct edit *edit_at(const struct search_fix *f, uint32_t site, uint32_t pick) {
  return &f->sites.list.data[site].data[pick];
}

static const struct edit *first_edit(const struct search_fix *f, uint32_t site) { return edit_at(f, site, 0); }

/* True for moves, new barriers and waits, and other numbers: no variant of these is the strongest, so they are not in
 * "all changes together". */
static bool is_special(const struct search_fix *f, uint32_t site) {
  enum edit_kind kind = first_edit(f, site)->kind;
  return first_edit(f, site)->apart || kind == EDIT_NUMBER || kind == EDIT_COUNT || kind == EDIT_MOVE ||
         kind == EDIT_ADD_BARRIER || kind == EDIT_WIDEN;
}

static uint32_t weight_of(const struct search_fix *f, uint32_t site) {
  uint32_t weight = edits_weight(first_edit(f, site));
  return weight < FIX_CHANGES ? weight : FIX_CHANGES;
}

static void edits_of(const struct search_fix *f, const struct chosen_edit *choice, struct edit *out) {
  for (uint32_t i = 0; i < choice->count; i++) out[i] = *edit_at(f, choice->sites[i], choice->picks[i]);
}

static bool same_group(const struct edit *a, const struct edit *b) {
  return a->kind == EDIT_ADD_BARRIER && b->kind == EDIT_ADD_BARRIER && a->thread == b->thread &&
         a->barrier == b->barrier;
}

/* True if the choice has this edit, or a stronger form of it. */
static bool has_edit(const struct search_fix *f, const struct chosen_edit *choice, uint32_t site, uint32_t pick) {
  const struct edit *edit = edit_at(f, site, pick);
  for (uint32_t i = 0; i < choice->count; i++) {
    const struct edit *other = edit_at(f, choice->sites[i], choice->picks[i]);
    if (choice->sites[i] != site && !same_group(edit, other)) continue;
    if (edits_no_stronger(f->input->program, edit, other)) return true;
  }
  return false;
}

/* True if the choice contains a fix already found that is at least as good as the choice can be. */
static bool is_dominated(const struct search_fix *f, const struct chosen_edit *choice) {
  VEC_EACH (found, &f->found) {
    bool all = choice->bad || !found->bad;
    for (uint32_t i = 0; i < found->count && all; i++) all = has_edit(f, choice, found->sites[i], found->picks[i]);
    if (all) return true;
  }
  return false;
}

/* The next combination of variants, the last site fastest; variants are sorted from weak to strong, so a combination
 * comes after all pointwise weaker combinations. */
static bool next_picks(const struct search_fix *f, struct chosen_edit *choice) {
  for (uint32_t i = choice->count; i-- > 0;) {
    if (++choice->picks[i] < f->sites.list.data[choice->sites[i]].len) return true;
    choice->picks[i] = 0;
  }
  return false;
}

static void try_variants(struct search_fix *f, struct chosen_edit choice) {
  struct edit edits[FIX_CHANGES];
  struct fix_trial judged;
  for (uint32_t i = 0; i < choice.count; i++) choice.picks[i] = 0;
  do {
    if (fix_out_of_time(f)) return;
    if (is_dominated(f, &choice)) continue;
    edits_of(f, &choice, edits);
    if (!does_it(f, edits, choice.count, &judged) || !stays_in_turns(f, edits, choice.count)) continue;
    choice.bad = judged.bad;
    if (!choice.bad || !is_dominated(f, &choice)) {
      VEC_PUSH(f->arena, &f->found, choice);
      add_way(f, edits, choice.count, &judged);
    }
    choice.bad = false;
  } while (next_picks(f, &choice));
}

static bool strongest_does_it(struct search_fix *f, struct chosen_edit *choice) {
  struct edit edits[FIX_CHANGES];
  struct fix_trial judged;
  bool single = true;
  for (uint32_t i = 0; i < choice->count; i++) {
    choice->picks[i] = f->sites.list.data[choice->sites[i]].len - 1;
    single = single && !choice->picks[i];
  }
  if (single) return !is_dominated(f, choice); /* try_variants tries only this combination */
  edits_of(f, choice, edits);
  return does_it(f, edits, choice->count, &judged);
}

/* True if the site's edit clashes with no chosen one, and is not a late fence alone in its gap. */
static bool fits(const struct search_fix *f, const struct chosen_edit *choice, uint32_t site) {
  const struct edit *edit = first_edit(f, site);
  bool alone = edit->late;
  for (uint32_t i = 0; i < choice->count; i++) {
    const struct edit *other = first_edit(f, choice->sites[i]);
    if (edits_clash(edit, other)) return false;
    if (other->kind == EDIT_ADD && edit->thread == other->thread && edit->instr == other->instr) alone = false;
  }
  return !alone;
}

static void try_sets(struct search_fix *f, struct chosen_edit *choice, uint32_t from, uint32_t room, bool special) {
  if (!room) {
    if (choice->count == 1 && f->failed[choice->sites[0]]) return;
    if ((f->possible || special) && strongest_does_it(f, choice)) try_variants(f, *choice);
    return;
  }
  for (uint32_t i = from; i < f->sites.list.len && !fix_out_of_time(f); i++) {
    if (!f->usable[i] || weight_of(f, i) > room || !fits(f, choice, i)) continue;
    choice->sites[choice->count++] = i;
    try_sets(f, choice, i + 1, room - weight_of(f, i), special || is_special(f, i));
    choice->count--;
  }
}

/* ---- All changes together ---- */

enum { NO_SITE = UINT32_MAX, NOT_PICKED = UINT32_MAX };

/* By site, the variant: the strongest of each site, without special sites except `and_site`. */
static uint32_t *everything(struct search_fix *f, uint32_t and_site) {
  uint32_t *picks = ARENA_ARRAY(f->arena, uint32_t, f->sites.list.len + 1);
  for (uint32_t i = 0; i < f->sites.list.len; i++) {
    picks[i] = f->sites.list.data[i].len - 1;
    bool clashes = and_site != NO_SITE && edits_clash(edit_at(f, i, picks[i]), first_edit(f, and_site));
    if (i != and_site && (is_special(f, i) || clashes)) picks[i] = NOT_PICKED;
  }
  return picks;
}

static struct edit *picked(const struct search_fix *f, struct arena *arena, const uint32_t *picks, uint32_t *count) {
  struct edit *edits = ARENA_ARRAY(arena, struct edit, f->sites.list.len + 1);
  *count = 0;
  for (uint32_t i = 0; i < f->sites.list.len; i++)
    if (picks[i] != NOT_PICKED) edits[(*count)++] = *edit_at(f, i, picks[i]);
  return edits;
}

/* True if the picked variants together reach the goal; false if nothing is picked. */
static bool picks_do_it(struct search_fix *f, const uint32_t *picks, struct fix_trial *judged) {
  uint32_t count;
  const struct edit *edits = picked(f, f->scratch, picks, &count);
  *judged = (struct fix_trial){0};
  return count && does_it(f, edits, count, judged);
}

bool fix_of_kernel(const struct search_fix *f) { return f->input->program->threads[0].of_kernel; }

/* Finds the sites that can be of use. Sets f->possible; if a limit prevents that, says which one. */
static const char *sift(struct search_fix *f) {
  struct fix_trial judged;
  f->possible = picks_do_it(f, everything(f, NO_SITE), &judged);
  const char *why = judged.verdict == VERDICT_UNKNOWN ? judged.reason : NULL;
  for (uint32_t i = 0; i < f->sites.list.len && !fix_out_of_time(f); i++) {
    f->usable[i] = f->possible || !is_special(f, i);
    if (f->usable[i]) continue;
    f->usable[i] = picks_do_it(f, everything(f, i), &judged);
    if (!f->usable[i] && judged.verdict == VERDICT_UNKNOWN) why = judged.reason;
  }
  return why;
}

static bool any_special(const struct search_fix *f) {
  return SOME_BELOW(i, f->sites.list.len, f->usable[i] && is_special(f, i));
}

/* Starts with all sites at their strongest, drops unneeded sites, and weakens the rest. That takes far fewer checks
 * than all pairs, so it runs first, and leaves a result for a timeout. */
static void minimise(struct search_fix *f) {
  uint32_t *picks = everything(f, NO_SITE), count;
  struct fix_trial judged, now;
  if (!picks_do_it(f, picks, &judged)) return;
  /* Drops accesses first, because one fence often replaces several. */
  for (int fences = 0; fences < 2; fences++)
    for (uint32_t i = 0; i < f->sites.list.len && !fix_out_of_time(f); i++) {
      uint32_t kept = picks[i];
      if (kept == NOT_PICKED || (first_edit(f, i)->kind == EDIT_ADD) != (fences == 1)) continue;
      picks[i] = NOT_PICKED;
      if (picks_do_it(f, picks, &now)) judged = now;
      else picks[i] = kept;
    }
  for (uint32_t i = 0; i < f->sites.list.len; i++)
    for (uint32_t k = 0, kept = picks[i]; kept != NOT_PICKED && k < kept && !fix_out_of_time(f); k++) {
      picks[i] = k;
      if (picks_do_it(f, picks, &now)) {
        judged = now;
        break;
      }
      picks[i] = kept;
    }
  const struct edit *edits = picked(f, f->arena, picks, &count);
  if (stays_in_turns(f, edits, count)) f->spare = way_of(f, edits, count, &judged);
}

static bool is_interleaving(struct search_fix *f) {
  struct explanation explanation;
  struct result result;
  struct check_options options = *f->input->options;
  options.timeout = base_left(f->deadline);
  explain(f->arena, f->input->program, f->input->model, &options, &result, &explanation);
  return explanation.interleaved;
}

static bool any_orders(const struct fixes *out) { return SOME(VEC_EACH (way, &out->ways), !way->relaxes); }

static void conclude(struct search_fix *f, const char *why_not) {
  struct fixes *out = f->out;
  bool hopeful = f->possible || any_special(f);
  out->outcome = out->ways.len ? FIX_FOUND : hopeful || why_not || out->limit ? FIX_NOT_FOUND : FIX_NONE;
  if (out->outcome == FIX_NOT_FOUND && !out->limit) {
    if (why_not && !hopeful)
      out->limit = arena_printf(f->arena, "with all changes together the verdict is unknown: %s", why_not);
    else out->limit = "the search stops at sets of 4 changes";
  }
  if (out->launch && (out->ways.len || !out->advice))
    out->advice = any_orders(out) || out->goal == FIX_TURNS ? NULL : advice_find(f);
  if (f->cut && !out->limit)
    out->limit = "the check of some change was left undecided, because it was far harder than that of the test";
  if (out->outcome == FIX_NONE && out->goal == FIX_FORBID) out->interleaving = is_interleaving(f);
}

static uint32_t fewest_changes(const struct fixes *out, bool alike) {
  uint32_t fewest = UINT32_MAX;
  VEC_EACH (way, &out->ways)
    if (way->changes.len < fewest && alike <= way->alike) fewest = way->changes.len;
  return fewest;
}

/* True if sets of this many changes are of interest: no smaller fix was found, or only bad fixes, which leave the
 * outcome possible. */
static bool goes_on(const struct search_fix *f, uint32_t size) {
  bool good = SOME_BELOW(i, f->found.len, !f->found.data[i].bad);
  return !good || size <= f->input->changes;
}

/* Finds sites that fail alone among those whose changes only add order: if their strongest variants fail together, each
 * fails alone. Otherwise asks the same about each half. */
static void fail_together(struct search_fix *f, const uint32_t *sites, uint32_t count) {
  struct fix_trial judged;
  if (count < 2 || fix_out_of_time(f)) return;
  uint32_t *picks = everything(f, NO_SITE), next = 0;
  for (uint32_t i = 0; i < f->sites.list.len; i++)
    if (next < count && sites[next] == i) next++;
    else picks[i] = NOT_PICKED;
  bool failed = !picks_do_it(f, picks, &judged) && fix_is_sound(f, &judged); /* no other fault hides it */
  for (uint32_t i = 0; i < count && failed; i++) f->failed[sites[i]] = true;
  if (failed) return;
  fail_together(f, sites, count / 2);
  fail_together(f, sites + count / 2, count - count / 2);
}

/* Begins with sets of sites that enlarge the program by at most a quarter, because larger programs take longer. */
static void find_failing(struct search_fix *f) {
  uint32_t *sites = ARENA_ARRAY(f->arena, uint32_t, f->sites.list.len + 1), count = 0, size = 0, added = 0;
  for (uint32_t t = 0; t < f->input->program->thread_count; t++) size += f->input->program->threads[t].instr_count;
  for (uint32_t i = 0; i < f->sites.list.len; i++) {
    const struct edit *edit = first_edit(f, i);
    if (is_special(f, i) || edit->kind == EDIT_WORD || edit->late) continue;
    if (4 * (added + edit_places(edit)) > size) {
      fail_together(f, sites, count);
      count = added = 0;
    }
    sites[count++] = i;
    added += edit_places(edit);
  }
  fail_together(f, sites, count);
}

/* For programs with asynchronous operations, which have many sites: tries single changes, except moves and new
 * barriers, before all together. True if one forbids the outcome, or makes the test end. */
static bool try_alone(struct search_fix *f) {
  bool async = false, good = false;
  for (uint32_t i = 0; i < f->sites.list.len; i++) {
    const struct edit *edit = first_edit(f, i);
    async = async || edit->kind == EDIT_NUMBER || edit->kind == EDIT_COUNT || edit->apart;
  }
  if (async) find_failing(f);
  for (uint32_t i = 0; async && i < f->sites.list.len && !fix_out_of_time(f); i++) {
    enum edit_kind kind = first_edit(f, i)->kind;
    struct chosen_edit choice = {.sites = {i}, .count = 1};
    bool later = kind == EDIT_MOVE || kind == EDIT_ADD_BARRIER || kind == EDIT_WIDEN || first_edit(f, i)->late;
    if (f->failed[i] || later) continue;
    uint32_t before = f->found.len;
    try_variants(f, choice);
    f->failed[i] = f->found.len == before && !fix_out_of_time(f);
  }
  for (uint32_t i = 0; i < f->found.len; i++) good = good || f->out->goal == FIX_END || !f->found.data[i].bad;
  return good;
}

/* Tries new barriers and moves, of any number of changes, where nothing else was found that orders. */
static void try_orders(struct search_fix *f) {
  for (uint32_t i = 0; i < f->sites.list.len && !fix_out_of_time(f); i++) {
    enum edit_kind kind = first_edit(f, i)->kind;
    const struct chosen_edit choice = {.sites = {i}, .count = 1};
    if (kind == EDIT_MOVE || kind == EDIT_ADD_BARRIER) try_variants(f, choice);
  }
}

/* A repair that orders is not offered beside one that only relaxes. */
static void prefer_order(struct search_fix *f) {
  if (f->out->goal != FIX_SAFE || !f->out->ways.len) return;
  if (!any_orders(f->out)) try_orders(f);
  if (any_orders(f->out)) VEC_KEEP(way, &f->out->ways, !way->relaxes);
}

/* Tries sets of sites, up to the size that succeeds or is asked for. If a limit prevents that, says which one. */
static const char *search_sites(struct search_fix *f, struct sites sites, uint32_t most) {
  f->sites = sites;
  f->found.len = 0;
  f->usable = ARENA_ARRAY(f->arena, bool, f->sites.list.len + 1);
  f->failed = ARENA_ARRAY(f->arena, bool, f->sites.list.len + 1);
  f->possible = false;
  if (most && try_alone(f) && f->input->changes <= 1) return NULL;
  f->found.len = 0; /* the fixes are kept for a timeout, and otherwise found again */
  f->size = 0;
  const char *why_not = sift(f);
  for (f->size = 1; f->size <= FIX_CHANGES && f->size <= most && !f->out->limit; f->size++) {
    struct chosen_edit choice = {0};
    if (!goes_on(f, f->size)) break;
    if (f->size > 1 && f->possible && !f->out->ways.len && !f->spare.size) minimise(f);
    if (f->possible || any_special(f)) try_sets(f, &choice, 0, f->size, false);
  }
  return why_not;
}

static bool of_host(const struct search_fix *f) {
  return SOME(ARRAY_EACH (t, f->input->program->threads, f->input->program->thread_count), t->host != HOST_NONE);
}

/* First changes columns of the same code together, then separately if that may take fewer changes. */
static void search_ways(struct search_fix *f) {
  struct fixes *out = f->out;
  struct sites sites, alike;
  if (out->launch) proposals_search(f);
  bool proposed = out->launch && fix_keeps_safe(out->goal) && !of_host(f) && f->input->changes <= 1;
  if (out->ways.len || proposed) {
    conclude(f, NULL);
    return;
  }
  edits_stronger(f->arena, f->input->test, f->input->program, &sites);
  bool any = edits_alike(f->arena, f->input->test, f->input->program, &sites, &alike);
  if (fix_of_kernel(f)) sites = alike;
  else if (any) search_sites(f, alike, FIX_CHANGES);
  const char *why_not = search_sites(f, sites, fewest_changes(out, true) - 1);
  if (f->spare.size && !out->ways.len) {
    VEC_PUSH(f->arena, &out->ways, f->spare);
    out->only_minimal = true;
  }
  prefer_order(f);
  out->smaller = out->ways.len && fewest_changes(out, false) > FIX_CHANGES;
  if (out->smaller && !out->limit) out->limit = "the search stops at sets of 4 changes";
  if (f->sites.cut && !out->limit) out->limit = "a new barrier was tried only at corresponding places of its threads";
  conclude(f, why_not);
}

/* ---- Both ---- */

static bool flags_races(const struct model *model) {
  return SOME_BELOW(i, model->axioms.len, model->axioms.data[i].role == CAT_FLAG);
}

static void name_claim(struct search_fix *f) {
  f->out->claim = explain_claim(f->arena, f->input->program);
  if (!f->input->test->filter) return;
  struct text filter = {.arena = f->arena};
  litmus_print_cond(f->input->test->filter, &filter);
  f->out->filter = text_str(&filter);
}

/* A change may make a test far harder to check: the work of the solver on one, more for a test that is hard as it is.
 */
enum { LEAST_PATIENCE = 10000, TIMES_AS_HARD = 10, CLAUSES_OF_PATIENCE = 50 };

/* The work for a launch, or for some checks of one that takes longer; and the outermost limit, in seconds. */
enum { LAUNCH_WORK = 3500000, TIMES_OF_CHECK = 3, LAUNCH_SECONDS = 120 };

/* The result to begin from. */
static struct result *check_as_is(struct search_fix *f) {
  struct result *result = ARENA_NEW(f->arena, struct result);
  const struct check_options options = fix_quick(f, f->out->weaken || f->input->races);
  f->shown = f->input->shown;
  if (f->shown && f->shown->verdict == VERDICT_SAFE) {
    *result = *f->shown;
    result->program = f->input->program;
  } else if (!fix_take_shown(f, f->shown, result)) {
    check(f->arena, f->input->program, f->input->model, &options, result);
  }
  f->work = f->once = f->input->read_work + fix_work(&result->stats);
  f->patience =
      LEAST_PATIENCE + result->stats.clauses / CLAUSES_OF_PATIENCE + TIMES_AS_HARD * stats_conflicts(&result->stats);
  return result;
}

static void limit(struct search_fix *f) {
  enum { WORK_OF_PATIENCE = 800 }; /* the solver may take 100 clauses for each unit */
  f->most_work = f->input->work;
  if (!f->out->launch || f->most_work || f->input->options->timeout > 0) return;
  uint64_t check = f->once > f->input->whole_work ? f->once : f->input->whole_work;
  f->most_work = TIMES_OF_CHECK * check > LAUNCH_WORK ? TIMES_OF_CHECK * check : LAUNCH_WORK;
  f->work += f->input->spent;
  if (f->patience > f->most_work / WORK_OF_PATIENCE) f->patience = f->most_work / WORK_OF_PATIENCE;
  f->seconds = LAUNCH_SECONDS;
  f->deadline = f->input->latest > 0 ? f->input->latest : base_deadline(f->seconds);
  f->out->latest = f->deadline;
}

static void run(struct search_fix *f) {
  struct fixes *out = f->out;
  struct result *result = check_as_is(f);
  out->result = result;
  f->as_is = fix_judge(result);
  if (result->findings.len) f->expected = result->findings.data[0].clause;
  out->races = f->as_is.races;
  name_claim(f);
  bool undefined = result->verdict == VERDICT_UNDEFINED;
  bool hangs =
      f->as_is.decided && f->as_is.deadlock && !f->as_is.bad && f->as_is.vacuous &&
      SOME(EDITS_EACH (t, i, f->input->program), f->input->program->threads[t].instrs[i].kind == INSTR_MBARRIER);
  bool safety = f->input->program->quantifier == LITMUS_SAFE;
  out->goal = safety                      ? FIX_SAFE
              : undefined && !out->weaken ? FIX_DEFINE
              : f->input->races           ? FIX_RACES
              : hangs && !out->weaken     ? FIX_END
                                          : FIX_FORBID;
  out->launch = f->input->remake;
  out->smaller_run = f->input->asked != NULL;
  out->lines = out->launch && f->input->lines->len;
  limit(f);
  bool met = f->as_is.decided && fix_meets_goal(f, &f->as_is, false);
  if (!f->as_is.decided && out->goal != FIX_DEFINE) out->outcome = FIX_UNDECIDED;
  else if (out->goal == FIX_RACES && !flags_races(f->input->model)) out->outcome = FIX_NO_RACES;
  else if (out->goal == FIX_FORBID && !f->as_is.bad && f->as_is.vacuous) out->outcome = FIX_VACUOUS;
  else if (out->weaken && met && out->launch && safety) fix_find_needed(f);
  else if (out->weaken && (met || out->goal == FIX_RACES)) fix_search_weaker(f);
  else if (met && safety && out->launch && module_take_cycle(f, result)) out->goal = FIX_TURNS, search_ways(f);
  else if (met != out->weaken) out->outcome = FIX_NOT_NEEDED;
  else search_ways(f);
}

void fix_find(struct arena *arena, const struct fix_input *input, bool weaken, struct fixes *out) {
  struct search_fix *f = ARENA_NEW(arena, struct search_fix);
  *out = (struct fixes){.weaken = weaken};
  *f = (struct search_fix){
      .arena = arena, .input = input, .out = out, .deadline = base_deadline(input->options->timeout)};
  f->scratch = arena_scratch(arena);
  run(f);
  out->work = f->work;
  out->over = f->most_work && f->work > f->most_work;
  arena_release(f->scratch);
}
