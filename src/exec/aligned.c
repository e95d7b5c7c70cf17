/* Instructions that all lanes of a warp execute together: those with .aligned (docs/semantics.md B5). The first such
 * instruction of each lane must be the same one, and so must the second, and so on, whatever else the lanes execute. A
 * lane that has ended is missed by matrix instructions; by barriers only under G94=all. A lane alone in its warp stands
 * for its warp (B2). Source: PTX ISA 9.4, 9.7.15.1, 9.7.15.3, 9.7.16, 9.7.17, 9.7.18. */
#include "exec/build.h"
#include "ptx/matrix.h"

enum { RANK_BITS = 16 };

struct ranked_step {
  uint32_t instr;
  term_id exec;
  bool ranked;    /* if it happens, so do all earlier ones */
  uint32_t least; /* of the earlier ones: the number that happens always */
  term_id rank;   /* the number of earlier ones that happen, unless `ranked` */
};

struct lane {
  const struct thread *thread;
  uint32_t number;
  VEC(struct ranked_step) steps;
};

/* The number of steps so far that happen. */
static term_id count_before(struct skeleton *s, const struct lane *lane) {
  term_id count = term_const(&s->terms, 0, RANK_BITS);
  VEC_EACH (step, &lane->steps)
    count = term_binary(&s->terms, TERM_ADD, count, term_resize(&s->terms, step->exec, RANK_BITS, false));
  return count;
}

static void add_step(struct skeleton *s, struct lane *lane, const struct aligned_step *from) {
  struct ranked_step step = {.instr = from->instr, .exec = from->exec, .ranked = true};
  if (lane->steps.len) {
    const struct ranked_step *before = &VEC_END(&lane->steps)[-1];
    step.ranked = before->ranked && skeleton_forces(s, step.exec, before->exec);
    step.least = before->least + (before->exec == TERM_TRUE);
    if (!step.ranked) step.rank = count_before(s, lane);
  }
  VEC_PUSH(s->arena, &lane->steps, step);
}

/* The instructions that a thread executes together with others; for threads of different warps, with the warpgroup. */
static struct lane lane_of(struct skeleton *s, uint32_t thread, bool warpgroup) {
  struct lane lane = {.thread = &s->program->threads[thread], .number = thread};
  VEC_EACH (step, &s->aligned) {
    bool here = step->thread == thread && step->exec != TERM_FALSE;
    if (here && (!warpgroup || lane.thread->instrs[step->instr].aligned == ALIGNED_WARPGROUP)) add_step(s, &lane, step);
  }
  return lane;
}

/* The condition under which two steps, if both happen, are the lanes' steps of the same number. */
static term_id same_rank(struct skeleton *s, const struct lane *a, uint32_t x, const struct lane *b, uint32_t y) {
  const struct ranked_step *p = &a->steps.data[x], *q = &b->steps.data[y];
  if (p->ranked && q->ranked) return x == y ? TERM_TRUE : TERM_FALSE;
  if (p->least > y || q->least > x) return TERM_FALSE;
  term_id of_p = p->ranked ? term_const(&s->terms, x, RANK_BITS) : p->rank;
  term_id of_q = q->ranked ? term_const(&s->terms, y, RANK_BITS) : q->rank;
  return term_eq(&s->terms, of_p, of_q);
}

static enum reason_id reason_of(const struct instr *in) {
  return in->aligned == ALIGNED_BARRIER ? REASON_DIVERGENT_BARRIER : REASON_DIVERGENT_MATRIX;
}

/* For each instruction of a lane, the condition under which another lane executes another one in its place, or where
 * that matters, has ended. */
static void compare(struct skeleton *s, const struct lane *a, const struct lane *b) {
  for (uint32_t x = 0; x < a->steps.len; x++) {
    const struct ranked_step *step = &a->steps.data[x];
    const struct instr *in = &a->thread->instrs[step->instr];
    term_id other = TERM_FALSE, comes = TERM_FALSE;
    for (uint32_t y = 0; y < b->steps.len; y++) {
      term_id here = same_rank(s, a, x, b, y);
      if (here == TERM_FALSE) continue;
      here = term_and(&s->terms, here, b->steps.data[y].exec);
      comes = term_or(&s->terms, comes, here);
      bool same = aligned_same(a->thread, step->instr, b->thread, b->steps.data[y].instr);
      if (!same) other = term_or(&s->terms, other, here);
    }
    if (in->aligned != ALIGNED_BARRIER || shape_reads(&s->options.shape, READING_EVERY_LANE)) {
      term_id ends = comes == TERM_TRUE ? TERM_FALSE : skeleton_thread_ends(s, b->number);
      other = term_or(&s->terms, other, term_and(&s->terms, ends, term_not(&s->terms, comes)));
    }
    skeleton_hazard(s, term_and(&s->terms, step->exec, other), reason_get(reason_of(in)), a->number, step->instr);
  }
}

void skeleton_aligned(struct skeleton *s) {
  const struct thread *threads = s->program->threads;
  if (!s->aligned.len) return;
  for (uint32_t a = 0; a < s->program->thread_count; a++)
    for (uint32_t b = a + 1; b < s->program->thread_count; b++) {
      bool warp = threads[a].warp_id == threads[b].warp_id;
      if (!warp && !skeleton_in_warpgroup(&threads[a], &threads[b])) continue;
      struct lane first = lane_of(s, a, !warp), second = lane_of(s, b, !warp);
      compare(s, &first, &second);
      compare(s, &second, &first);
    }
}
