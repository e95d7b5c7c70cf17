/* The finding that a search for repairs begins from: the one that check shows, in the columns that the search changes.
 *
 * A check leaves out columns and instructions that no finding needs; a search has them all, to change them too. */
#include "repair/fix_search.h"

static bool same_place(const struct thread *a, const struct thread *b) {
  if (!a->of_kernel || a->host || b->host) return a->host == b->host && a->number == b->number;
  return a->gpu == b->gpu && a->grid == b->grid && a->cta == b->cta && a->cluster == b->cluster && a->warp == b->warp &&
         a->lane == b->lane;
}

static uint32_t thread_like(const struct program *program, const struct thread *like) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    if (same_place(&program->threads[t], like)) return t;
  return NO_THREAD;
}

/* True for the same place of a module, which was read for each of the two programs. */
static bool same_span(struct span a, struct span b) {
  bool same = a.source == b.source || (a.source && b.source && strcmp(a.source->name, b.source->name) == 0);
  return same && a.begin == b.begin;
}

/* The instruction that is made from the same text in the same turn. False: none is. */
static bool find_like(const struct thread *in, const struct thread *from, uint32_t instr, uint32_t *out) {
  uint32_t turn = 0;
  bool any = false;
  for (uint32_t n = 0; n < instr; n++) turn += same_span(from->instrs[n].span, from->instrs[instr].span);
  for (uint32_t n = 0; n < in->instr_count; n++) {
    if (!same_span(in->instrs[n].span, from->instrs[instr].span)) continue;
    *out = n;
    any = true;
    if (!turn--) break;
  }
  return any;
}

/* Puts the place into the other program. False: it is not there. */
static bool translate(const struct program *from, const struct program *to, uint32_t *thread, uint32_t *instr) {
  if (*thread == NO_THREAD) return true;
  const struct thread *t = &from->threads[*thread];
  uint32_t there = thread_like(to, t);
  if (there == NO_THREAD) return false;
  *thread = there;
  return *instr >= t->instr_count || find_like(&to->threads[there], t, *instr, instr);
}

bool fix_translate(const struct program *from, const struct program *to, struct safety_finding *first) {
  return translate(from, to, &first->thread_a, &first->instr_a) &&
         translate(from, to, &first->thread_b, &first->instr_b);
}

bool fix_take_shown(struct search_fix *f, const struct result *shown, struct result *out) {
  const struct program *to = f->input->program;
  uint32_t none = UINT32_MAX;
  if (!shown || shown->verdict != VERDICT_UNSAFE || !shown->findings.len) return false;
  struct safety_finding first = shown->findings.data[0];
  bool there = fix_translate(shown->program, to, &first);
  if (first.pairs)
    there = there && translate(shown->program, to, &first.far_a, &none) &&
            translate(shown->program, to, &first.far_b, &none);
  if (!there) return false;
  *out = *shown;
  out->program = to;
  out->findings.data = NULL, out->findings.len = out->findings.cap = 0;
  out->hang.waiting.data = NULL, out->hang.waiting.len = out->hang.waiting.cap = 0;
  VEC_PUSH(f->arena, &out->findings, first);
  VEC_EACH (w, &shown->hang.waiting) {
    struct waiting waits = *w;
    none = UINT32_MAX;
    if (!translate(shown->program, to, &waits.thread, &waits.instr)) return false;
    if (!translate(shown->program, to, &waits.for_whom, &none)) waits.for_whom = NO_THREAD;
    VEC_PUSH(f->arena, &out->hang.waiting, waits);
  }
  return true;
}
