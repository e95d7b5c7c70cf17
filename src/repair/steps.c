/* Goes on from a change that ends the first finding of a launch and leaves another: a kernel may have two mistakes. */
#include "repair/proposals.h"

/* A finding that may have kept others from showing: behind it nothing runs. */
static bool hides_others(const struct safety_finding *finding) {
  return finding->kind != SAFETY_RACE && finding->kind != SAFETY_UNINITIALISED;
}

static bool has_finding(const struct result *result, const struct result *of, const struct safety_finding *finding) {
  return SOME(VEC_EACH (other, &result->findings), groups_same_finding(result, other, of, finding));
}

/* True if the first finding is gone, and none has come that was not there and that it did not hide. */
static bool is_progress(const struct result *before, const struct result *after) {
  const struct safety_finding *first = &before->findings.data[0];
  if (after->verdict != VERDICT_UNSAFE || has_finding(after, before, first)) return false;
  return !SOME(VEC_EACH (finding, &after->findings),
               (!hides_others(first) || hides_others(finding)) && !has_finding(before, after, finding)) &&
         after->findings.len > 0;
}

/* Makes the first finding that the changes taken leave the one that the search is for. False: they are no progress. */
static bool begin_anew(struct search_fix *f) {
  struct kernel_edits all = {0};
  struct result *shown = ARENA_NEW(f->arena, struct result), *result = ARENA_NEW(f->arena, struct result);
  bool fits = proposals_add_all(f, &f->steps->taken, &all) && module_look(f, all.data, all.len, shown);
  if (fits) proposals_keep_places(f, &f->steps->taken);
  arena_release(f->scratch);
  if (!fits || !is_progress(f->shown, shown) || !fix_take_shown(f, shown, result)) return false;
  f->shown = shown;
  f->out->result = result;
  f->as_is = fix_judge(result);
  f->expected = result->findings.data[0].clause;
  return true;
}

/* Notes the first step, to be told if no repair is found. */
static void note(struct search_fix *f) {
  if (f->out->remains) return;
  f->out->step = proposals_way(f, &f->steps->taken);
  f->out->remains = module_finding(f->arena, f->shown);
  f->out->advice = advice_find(f);
}

void proposals_go_on(struct search_fix *f) {
  enum { LOOKS = 8, SEARCHES = 3 }; /* a look is a check */
  uint32_t searches = 0;
  const struct search_fix before = *f;
  const struct result *result = f->out->result;
  const struct proposals found = f->steps->found;
  f->steps->found = (struct proposals){0};
  bool more = f->shown && f->steps->taken.len + 1 < FIX_CHANGES;
  for (uint32_t i = 0; more && i < found.len && i < LOOKS && searches < SEARCHES; i++) {
    if (f->out->ways.len || fix_out_of_time(f)) break;
    VEC_PUSH(f->arena, &f->steps->taken, found.data[i]);
    if (begin_anew(f)) {
      searches++;
      note(f);
      proposals_try_singles(f);
    }
    f->steps->taken.len--;
    f->shown = before.shown, f->as_is = before.as_is, f->expected = before.expected;
    f->out->result = result;
  }
}
