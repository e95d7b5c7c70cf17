/* Finds the instructions of a test that can be weaker while the verdict stays, and those that cannot. */
#include "repair/fix_search.h"
#include "explain/words.h"

enum kept_way { KEPT, KEPT_RACY, LOST };

/* The effect of these edits: the verdict stays, the verdict stays with a new race, or the verdict changes. */
static enum kept_way keeps(struct search_fix *f, const struct edit *edits, uint32_t count) {
  struct check_options options = fix_quick(f, true);
  struct fix_trial judged = fix_try(f, edits, count, &options);
  bool lost = f->out->goal == FIX_FORBID && (judged.bad || judged.vacuous > f->as_is.vacuous);
  if (!fix_is_sound(f, &judged) || lost) return LOST;
  return judged.races <= f->as_is.races ? KEPT : KEPT_RACY;
}

static bool has_place(const struct fix_change *list, uint32_t count, uint32_t thread, uint32_t instr) {
  return SOME_BELOW(i, count, list[i].thread == thread && list[i].instr == instr);
}

static void note_kept(struct search_fix *f, struct edit_place at, bool racy) {
  struct fix_change change = {.kind = FIX_REPLACE, .thread = at.thread, .instr = at.instr};
  if (has_place(f->out->needed.data, f->out->needed.len, at.thread, at.instr)) return;
  if (has_place(f->out->untried.data, f->out->untried.len, at.thread, at.instr)) return;
  change.before = words_instr(f->arena, f->input->program, at.thread, at.instr);
  if (racy && f->out->goal == FIX_FORBID) change.remark = "the verdict would stay, but there would be a new data race";
  if (f->out->limit) VEC_PUSH(f->arena, &f->out->untried, change);
  else VEC_PUSH(f->arena, &f->out->needed, change);
}

/* Records the result for one instruction. */
static void note_all(struct search_fix *f, const struct edit *edit, const struct edit *alone, bool racy) {
  struct fix_way way = {0};
  if (alone) fix_add_changes(f, &way, alone);
  for (uint32_t i = 0; i < way.changes.len; i++) VEC_PUSH(f->arena, &f->out->alone, way.changes.data[i]);
  if (alone) return;
  uint32_t places = fix_of_kernel(f) ? 1 : edit_places(edit);
  for (uint32_t i = 0; i < places; i++) note_kept(f, edit_place(edit, i), racy);
}

/* A barrier that cannot be dropped may still be weaker in one thread. */
static void drop_from_needed(struct fixes *out) {
  VEC_KEEP(change, &out->needed, !has_place(out->alone.data, out->alone.len, change->thread, change->instr));
}

/* Weakens a site as far as possible, together with the kept edits. */
static uint32_t keep_more(struct search_fix *f, const struct site *site, struct edit *kept, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (edits_clash(&kept[i], &site->data[0])) return count;
  for (uint32_t k = 0; k < site->len && !fix_out_of_time(f); k++) {
    kept[count] = site->data[k];
    if (keeps(f, kept, count + 1) != KEPT) continue;
    fix_add_changes(f, &f->out->together, &kept[count]);
    return count + 1;
  }
  return count;
}

/* Variants are sorted weakest first; the first that keeps the verdict is reported. */
void fix_search_weaker(struct search_fix *f) {
  uint32_t kept_count = 0;
  struct sites sites;
  edits_weaker(f->arena, f->input->test, f->input->program, &sites);
  if (!fix_of_kernel(f)) f->sites = sites;
  else edits_alike(f->arena, f->input->test, f->input->program, &sites, &f->sites);
  struct edit *kept = ARENA_ARRAY(f->arena, struct edit, f->sites.list.len + 1);
  VEC_EACH (site, &f->sites.list) {
    const struct edit *alone = NULL;
    bool racy = false;
    for (uint32_t k = 0; k < site->len && !alone && !fix_out_of_time(f); k++) {
      enum kept_way kept_alone = keeps(f, &site->data[k], 1);
      if (kept_alone == KEPT) alone = &site->data[k];
      racy = racy || kept_alone == KEPT_RACY;
    }
    note_all(f, &site->data[0], alone, racy);
    if (alone) kept_count = keep_more(f, site, kept, kept_count);
  }
  drop_from_needed(f->out);
  f->out->outcome = f->out->alone.len ? FIX_FOUND : f->out->limit ? FIX_NOT_FOUND : FIX_NONE;
}
