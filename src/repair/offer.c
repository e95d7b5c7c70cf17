/* Tries changes of a launch as its author makes them, and offers those that are repairs. Each is proved on the changed
 * module (module.c). */
#include "repair/proposals.h"

/* ---- Statements */

static struct kernel_edit statement_of(struct search_fix *f, struct proposal *c) {
  c->now = ARENA_NEW(f->scratch, struct kernel_places);
  struct kernel_edit edit = {.kind = KERNEL_AT_LINE, .line = *c->line, .places = c->now};
  edit.instrs = edits_read(f->scratch, f->input->names, c->added, &edit.count);
  return edit;
}

/* The statement as PTX at several places. Copies by the compiler count as one instruction; in PTX itself, lanes of a
 * warp may execute only a barrier without .aligned at different places (9.7.15.1). */
static const char *at_places(struct arena *arena, const char *ptx, const struct kernel_places *places) {
  const char *bar = places->len > 1 ? strstr(ptx, "bar.sync") : NULL;
  return bar ? arena_printf(arena, "%.*sbarrier%s", (int)(bar - ptx), ptx, bar + 3) : ptx;
}

static struct fix_change tell_statement(struct search_fix *f, const struct proposal *c) {
  struct kernel_places *places = ARENA_NEW(f->arena, struct kernel_places);
  bool turns = false;
  *places = c->places;
  VEC_EACH (place, places) turns = turns || place->turn;
  return (struct fix_change){.kind = FIX_ADD,
                             .ahead = true,
                             .after = at_places(f->arena, c->added, places),
                             .source = arena_printf(f->arena, "%s before %s:%u%s", c->source, c->line->file,
                                                    c->line->line, turns ? ", in each turn of the loop" : ""),
                             .places = places};
}

/* ---- Trials */

bool proposals_add_all(struct search_fix *f, const struct proposals *list, struct kernel_edits *out) {
  bool fit = true;
  VEC_EACH (c, list) {
    fit = fit && module_changes(f, c->edits.data, c->edits.len, out);
    if (c->added) VEC_PUSH(f->scratch, out, statement_of(f, c));
  }
  return fit;
}

void proposals_keep_places(struct search_fix *f, const struct proposals *list) {
  VEC_EACH (c, list) {
    if (!c->added) continue;
    c->places = (struct kernel_places){0};
    VEC_EACH (place, c->now) VEC_PUSH(f->arena, &c->places, *place);
  }
}

static unsigned asks_of(const struct search_fix *f, const struct proposals *list) {
  unsigned asks = f->out->goal == FIX_TURNS ? MODULE_IN_TURNS : 0;
  VEC_EACH (c, list) {
    if (!c->added || !c->edits.len) asks |= MODULE_MEETS; /* else a barrier that was there moves */
    if (fix_relaxes(f, c->edits.data, c->edits.len)) asks |= MODULE_IN_TURNS;
  }
  return asks;
}

/* True if the changes together are a repair: those that make weak accesses strong only if the launch is sequential. */
static bool hold(struct search_fix *f, struct proposal *list, uint32_t count, struct fix_trial *judged) {
  struct kernel_edits all = {0};
  const struct proposals *taken = &f->steps->taken, own = {list, count, count};
  *judged = (struct fix_trial){0};
  bool right = proposals_add_all(f, taken, &all) && proposals_add_all(f, &own, &all) &&
               module_repairs(f, all.data, all.len, asks_of(f, taken) | asks_of(f, &own), judged);
  if (right) proposals_keep_places(f, taken), proposals_keep_places(f, &own);
  arena_release(f->scratch);
  return right;
}

static void set_strength(struct proposal *c, const struct edit *like) {
  VEC_EACH (edit, &c->edits) edit->sem = like->sem, edit->scope = like->scope;
}

/* Finds the weakest form of one of the changes with which all are a repair. */
static void weaken(struct search_fix *f, struct proposal *list, uint32_t count, struct proposal *c) {
  struct fix_trial judged;
  for (uint32_t k = 0; k + 1 < c->forms.len && !fix_out_of_time(f); k++) {
    set_strength(c, &c->forms.data[k]);
    if (hold(f, list, count, &judged)) return;
  }
  if (c->forms.len) set_strength(c, &c->forms.data[c->forms.len - 1]);
}

struct fix_way proposals_way(struct search_fix *f, const struct proposals *list) {
  struct fix_way way = {.verdict = VERDICT_SAFE};
  VEC_EACH (c, list) {
    VEC_EACH (edit, &c->edits) fix_add_changes(f, &way, edit);
    if (c->added) VEC_PUSH(f->arena, &way.changes, tell_statement(f, c));
    way.relaxes |= fix_relaxes(f, c->edits.data, c->edits.len);
  }
  way.size = list->len;
  return way;
}

static bool comes_first(const struct proposal *a, const struct proposal *b) {
  if (a->line && b->line) return a->line->line < b->line->line;
  return a->begin < b->begin;
}

void proposals_sort(struct proposals *all) { VEC_SORT(all, comes_first); }

static void offer(struct search_fix *f, struct proposal *list, uint32_t count) {
  struct proposals all = {0};
  VEC_EACH (c, &f->steps->taken) weaken(f, list, count, c);
  for (uint32_t i = 0; i < count; i++) weaken(f, list, count, &list[i]);
  VEC_EACH (c, &f->steps->taken) VEC_PUSH(f->arena, &all, *c);
  for (uint32_t i = 0; i < count; i++) VEC_PUSH(f->arena, &all, list[i]);
  proposals_sort(&all);
  f->out->only_minimal = f->out->only_minimal || f->steps->taken.len;
  VEC_PUSH(f->arena, &f->out->ways, proposals_way(f, &all));
}

/* Notes the changes as a step if the finding that they leave is another one. A statement is a step alone only. */
static void note_step(struct search_fix *f, const struct proposal *list, uint32_t count,
                      const struct fix_trial *judged) {
  struct proposal all = list[0];
  if (!judged->another) return;
  ARRAY_EACH (c, list, count)
    if (fix_relaxes(f, c->edits.data, c->edits.len) || (c->added && count > 1)) return;
  if (count > 1) all = (struct proposal){0};
  for (uint32_t i = 0; i < count && count > 1; i++)
    VEC_EACH (edit, &list[i].edits) proposals_extend(f, &all, *edit);
  VEC_PUSH(f->arena, &f->steps->found, all);
}

bool proposals_try_one(struct search_fix *f, struct proposal *c) {
  if (fix_out_of_time(f)) return false;
  if (hold(f, c, 1, &c->judged)) {
    offer(f, c, 1);
    return true;
  }
  note_step(f, c, 1, &c->judged);
  return false;
}

void proposals_try_each(struct search_fix *f, struct proposals *all) {
  enum { ENOUGH = 2, LONG = 1000000 };
  uint32_t found = 0;
  VEC_EACH (c, all) {
    if (found == ENOUGH || (found && f->work > LONG) || fix_out_of_time(f)) return;
    found += proposals_try_one(f, c);
  }
}

void proposals_try_orders(struct search_fix *f, struct proposals *all) {
  struct fix_trial judged = {0};
  bool none = all->len > 1 && !fix_out_of_time(f) && !hold(f, all->data, all->len, &judged);
  if (none && judged.bad && base_alike(judged.clause, f->as_is.clause)) all->len = 0;
  proposals_try_each(f, all);
}

void proposals_try_together(struct search_fix *f, struct proposals *all) {
  struct fix_trial judged;
  proposals_sort(all);
  struct proposal *list = all->data;
  uint32_t count = all->len;
  if (count < 2 || fix_out_of_time(f)) return;
  if (!hold(f, list, count, &judged)) {
    note_step(f, list, count, &judged);
    return;
  }
  for (uint32_t i = 0; i < count && !fix_out_of_time(f);) {
    const struct proposal left_out = list[i];
    memmove(&list[i], &list[i + 1], (--count - i) * sizeof *list);
    if (count && hold(f, list, count, &judged)) continue;
    memmove(&list[i + 1], &list[i], (count++ - i) * sizeof *list);
    list[i++] = left_out;
  }
  offer(f, list, count);
  f->out->only_minimal = true;
}

/* ---- Collecting */

static const struct instr *at(const struct search_fix *f, const struct edit *edit) {
  return &f->input->program->threads[edit->thread].instrs[edit->instr];
}

bool proposals_one_line(const struct instr *a, const struct instr *b) {
  if (a->span.source != b->span.source || a->kind != b->kind) return false;
  if (a->span.begin == b->span.begin) return true;
  const struct source_origin *x = source_origin(a->span.source, a->span.begin),
                             *y = source_origin(b->span.source, b->span.begin);
  const struct source_place *near = source_near(a->span), *other = source_near(b->span);
  bool same = near && other && near->line == other->line && strcmp(near->file, other->file) == 0;
  return same && x->line == y->line && strcmp(x->file, y->file) == 0 && x->outer_line == y->outer_line &&
         strcmp(a->ast->opcode.text, b->ast->opcode.text) == 0;
}

static bool same_target(const struct search_fix *f, const struct edit *a, const struct edit *b) {
  const struct thread *threads = f->input->program->threads;
  return threads[a->thread].instrs[a->target].span.begin == threads[b->thread].instrs[b->target].span.begin;
}

static bool same_change(const struct search_fix *f, const struct edit *a, const struct edit *b) {
  if (a->kind == EDIT_MOVE && b->kind == EDIT_MOVE && !same_target(f, a, b)) return false;
  return a->kind == b->kind && a->operand == b->operand && a->number == b->number && a->ahead == b->ahead &&
         base_alike(a->from, b->from) && base_alike(a->to, b->to) && base_alike(a->added, b->added) &&
         proposals_one_line(at(f, a), at(f, b));
}

void proposals_extend(struct search_fix *f, struct proposal *c, struct edit edit) {
  struct edit *list = c->edits.data;
  uint32_t k = c->edits.len;
  for (uint32_t i = 0; i < k; i++)
    if (at(f, &list[i])->span.begin == at(f, &edit)->span.begin) return;
  VEC_PUSH(f->arena, &c->edits, edit);
  for (list = c->edits.data; k && at(f, &edit)->span.begin < at(f, &list[k - 1])->span.begin; k--)
    list[k] = list[k - 1];
  list[k] = edit;
  c->begin = at(f, &list[0])->span.begin;
}

struct proposal *proposals_add(struct search_fix *f, struct proposals *all, struct edit edit) {
  struct proposal *c = NULL;
  VEC_EACH (known, all)
    if (!c && known->edits.len && same_change(f, &known->edits.data[0], &edit)) c = known;
  if (!c) {
    VEC_PUSH(f->arena, all, (struct proposal){0});
    c = &all->data[all->len - 1];
  }
  proposals_extend(f, c, edit);
  return c;
}
