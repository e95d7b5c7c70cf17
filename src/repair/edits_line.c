/* All copies of an instruction of a kernel, in all threads and turns of loops, as one: a change of the module. */
#include <string.h>

#include "repair/edits.h"

struct line_finder {
  struct arena *arena;
  const struct litmus_test *test;
  const struct program *program;
  struct sites *out;
};

static const struct instr *instr_at(const struct program *program, struct edit_place place) {
  return &program->threads[place.thread].instrs[place.instr];
}

/* How many instructions of the same statement stand before it. */
static uint32_t part_of(const struct program *program, struct edit_place place) {
  uint32_t part = 0;
  while (part < place.instr &&
         program->threads[place.thread].instrs[place.instr - part - 1].ast == instr_at(program, place)->ast)
    part++;
  return part;
}

static bool same_line(const struct program *program, struct edit_place a, struct edit_place b) {
  struct span x = instr_at(program, a)->span, y = instr_at(program, b)->span;
  return x.source && x.source == y.source && x.begin == y.begin && part_of(program, a) == part_of(program, b);
}

/* All places of the line of `first`, but that one, which becomes the first of all. */
static uint32_t find_places(struct line_finder *f, struct edit_place *first, const struct edit_place **out) {
  VEC(struct edit_place) places = {0};
  for (uint32_t t = 0; t < f->program->thread_count; t++)
    for (uint32_t n = 0; n < f->program->threads[t].instr_count; n++) {
      struct edit_place place = {t, n};
      if (same_line(f->program, *first, place)) VEC_PUSH(f->arena, &places, place);
    }
  if (!places.len) return 0;
  *first = places.data[0];
  *out = places.data + 1;
  return places.len - 1;
}

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_kind(const struct edit *a, const struct edit *b) {
  return a->kind == b->kind && a->thread == b->thread && a->instr == b->instr && a->late == b->late &&
         a->ahead == b->ahead && a->is_proxy == b->is_proxy && a->proxy == b->proxy && a->operand == b->operand &&
         same_text(a->added, b->added);
}

static struct site *site_of(struct line_finder *f, const struct edit *edit) {
  for (uint32_t i = 0; i < f->out->list.len; i++)
    if (same_kind(&f->out->list.data[i].variants.data[0], edit)) return &f->out->list.data[i];
  VEC_PUSH(f->arena, &f->out->list, (struct site){0});
  return &f->out->list.data[f->out->list.len - 1];
}

static void add_variant(struct line_finder *f, struct edit edit) {
  struct edit_place first = {edit.thread, edit.instr};
  edit.twin_count = find_places(f, &first, &edit.twins);
  edit.thread = first.thread;
  edit.instr = first.instr;
  struct site *site = site_of(f, &edit);
  for (uint32_t i = 0; i < site->variants.len; i++) {
    const struct edit *v = &site->variants.data[i];
    if (v->sem == edit.sem && v->scope == edit.scope && v->number == edit.number && same_text(v->to, edit.to)) return;
  }
  sites_add_variant(f->arena, site, edit);
}

/* __syncthreads() behind the instruction, or before it: that all threads of the CTA come to it, the check of the whole
 * shows. */
static void add_barrier(struct line_finder *f, uint32_t thread, uint32_t instr) {
  enum { COST = 60 };
  const struct instr *in = &f->program->threads[thread].instrs[instr];
  struct edit edit = {.kind = EDIT_ADD, .thread = thread, .instr = instr, .added = "bar.sync", .cost = COST};
  if (!instr_is_access(in) && in->kind != INSTR_ASYNC && in->kind != INSTR_GROUP && in->kind != INSTR_MBARRIER) return;
  edit.operands = ARENA_NEW(f->arena, struct litmus_operand);
  *edit.operands = (struct litmus_operand){.kind = LITMUS_NUMBER};
  add_variant(f, edit);
  edit.ahead = true;
  edit.cost++;
  add_variant(f, edit);
}

static bool can_move(const struct instr *in) {
  bool arrives = in->kind == INSTR_MBARRIER && in->mbarrier->action == MBARRIER_ARRIVE;
  bool fence = in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE;
  return arrives || fence || in->kind == INSTR_BARRIER || in->kind == INSTR_GROUP;
}

/* The same way off in all its places, and there to the same line. */
static bool lead_alike(const struct program *program, const struct edit *edit) {
  for (uint32_t i = 0; i < edit->twin_count; i++) {
    struct edit_place to = {edit->twins[i].thread, edit->twins[i].instr + (edit->target - edit->instr)};
    if (to.instr >= program->threads[to.thread].instr_count) return false;
    if (!same_line(program, (struct edit_place){edit->thread, edit->target}, to)) return false;
  }
  return true;
}

/* To behind another instruction near it, past no branch. */
static void add_moves(struct line_finder *f, uint32_t thread, uint32_t instr) {
  enum { NEAR = 8, COST = 20 };
  const struct thread *t = &f->program->threads[thread];
  struct edit_place first = {thread, instr};
  struct edit edit = {.kind = EDIT_MOVE, .thread = thread, .instr = instr, .cost = COST};
  if (!can_move(&t->instrs[instr])) return;
  edit.twin_count = find_places(f, &first, &edit.twins);
  if (first.thread != thread || first.instr != instr) return;
  for (int step = -1; step <= 1; step += 2)
    for (uint32_t k = 1, at = instr + (uint32_t)step; k <= NEAR && at < t->instr_count; k++, at += (uint32_t)step) {
      if (t->instrs[at].kind == INSTR_BRANCH) break;
      edit.target = step > 0 ? at : at - 1;
      if (edit.target >= t->instr_count || !lead_alike(f->program, &edit)) continue;
      struct site site = {0};
      sites_add_variant(f->arena, &site, edit);
      VEC_PUSH(f->arena, &f->out->list, site);
    }
}

void edits_by_line(struct arena *arena, const struct litmus_test *test, const struct program *program,
                   const struct sites *from, struct sites *out) {
  struct line_finder f = {arena, test, program, out};
  *out = (struct sites){0};
  for (uint32_t i = 0; i < from->list.len; i++)
    for (uint32_t k = 0; k < from->list.data[i].variants.len; k++) {
      const struct edit *edit = &from->list.data[i].variants.data[k];
      bool placed = !edit->place_count && edit->kind != EDIT_COUNT && edit->kind != EDIT_MOVE;
      if (placed && edit->instr != EDIT_AT_START) add_variant(&f, *edit);
    }
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t n = 0; n < program->threads[t].instr_count; n++) {
      add_barrier(&f, t, n);
      add_moves(&f, t, n);
    }
}
