/* Columns of the same code, which a kernel has one text for: a change in one of them is a change in all. */
#include <string.h>

#include "repair/edits.h"

/* ---- Same code ---- */

static bool same_words(const struct litmus_words *a, const struct litmus_words *b) {
  const struct litmus_word *x = a->first, *y = b->first;
  for (; x && y; x = x->next, y = y->next)
    if (strcmp(x->text, y->text) != 0) return false;
  return !x && !y;
}

static bool same_instr(const struct litmus_instr *a, const struct litmus_instr *b) {
  if (!a || !b || strcmp(a->opcode.text, b->opcode.text) != 0) return false;
  if (!a->guard != !b->guard || a->guard_negated != b->guard_negated) return false;
  return same_words(&a->qualifiers, &b->qualifiers);
}

/* True if two threads have the same instructions, perhaps on other locations. */
static bool same_code(const struct litmus_test *test, const struct program *program, uint32_t a, uint32_t b) {
  const struct thread *t = &program->threads[a], *u = &program->threads[b];
  if (t->instr_count != u->instr_count) return false;
  for (uint32_t i = 0; i < t->instr_count; i++) {
    const struct instr *x = &t->instrs[i], *y = &u->instrs[i];
    if (x->kind != y->kind || x->sem != y->sem || x->scope != y->scope || x->proxy != y->proxy) return false;
    if (x->kind == INSTR_BRANCH && x->target != y->target) return false;
    if (!same_instr(edits_written(test, program, a, i), edits_written(test, program, b, i))) return false;
  }
  return t->instr_count > 0;
}

/* For each thread the first one that has its code. */
static uint32_t *find_leaders(struct arena *arena, const struct litmus_test *test, const struct program *program,
                              bool *any) {
  uint32_t *leaders = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  *any = false;
  for (uint32_t t = 0; t < program->thread_count; t++) {
    uint32_t leader = 0;
    while (leader < t && !(leaders[leader] == leader && same_code(test, program, leader, t))) leader++;
    leaders[t] = leader;
    *any = *any || leader != t;
  }
  return leaders;
}

/* ---- Sites as one ---- */

static bool same_text(const char *a, const char *b) { return a == b || (a && b && strcmp(a, b) == 0); }

static bool same_place(const struct edit *a, const struct edit *b) {
  return a->kind == b->kind && a->thread == b->thread && a->instr == b->instr && a->target == b->target &&
         a->late == b->late && a->is_proxy == b->is_proxy && a->proxy == b->proxy && a->operand == b->operand;
}

static bool same_edit(const struct edit *a, const struct edit *b) {
  return same_place(a, b) && a->added == b->added && a->number == b->number && a->sem == b->sem &&
         a->scope == b->scope && same_text(a->to, b->to);
}

/* A scope may count in one thread and not in another, so the variants of all are taken, from weak to strong. */
static void add_variant(struct arena *arena, struct site *site, const struct edit *edit) {
  for (uint32_t i = 0; i < site->variants.len; i++)
    if (same_edit(&site->variants.data[i], edit)) return;
  sites_add_variant(arena, site, *edit);
}

static struct site *find_site(struct sites *sites, const struct edit *edit) {
  for (uint32_t i = 0; i < sites->list.len; i++)
    if (same_place(&sites->list.data[i].variants.data[0], edit)) return &sites->list.data[i];
  return NULL;
}

static void add_twins(struct arena *arena, const uint32_t *leaders, uint32_t threads, struct edit *edit) {
  struct edit_place *twins = ARENA_ARRAY(arena, struct edit_place, threads);
  uint32_t leader = edit->thread = leaders[edit->thread];
  edit->twin_count = 0;
  for (uint32_t t = leader + 1; t < threads; t++)
    if (leaders[t] == leader) twins[edit->twin_count++] = (struct edit_place){t, edit->instr};
  edit->twins = twins;
}

bool edits_alike(struct arena *arena, const struct litmus_test *test, const struct program *program,
                 const struct sites *from, struct sites *out) {
  bool any;
  const uint32_t *leaders = find_leaders(arena, test, program, &any);
  *out = (struct sites){.cut = from->cut};
  for (uint32_t i = 0; any && i < from->list.len; i++) {
    const struct site *site = &from->list.data[i];
    struct edit first = site->variants.data[0];
    if (first.place_count || first.kind == EDIT_COUNT) { /* it says itself in which threads, or is in none */
      VEC_PUSH(arena, &out->list, *site);
      continue;
    }
    first.thread = leaders[first.thread];
    struct site *merged = find_site(out, &first);
    if (!merged) {
      VEC_PUSH(arena, &out->list, (struct site){0});
      merged = &out->list.data[out->list.len - 1];
    }
    for (uint32_t k = 0; k < site->variants.len; k++) {
      struct edit edit = site->variants.data[k];
      add_twins(arena, leaders, program->thread_count, &edit);
      add_variant(arena, merged, &edit);
    }
  }
  return any;
}
