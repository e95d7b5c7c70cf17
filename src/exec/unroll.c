#include "exec/unroll.h"

#include "base/bits.h"

/* A part of the thread being unrolled: the body of a loop in one iteration, or the whole thread. */
struct frame {
  uint32_t begin, end; /* instructions */
  uint32_t loop;       /* index, or NO_LOOP for the whole thread */
  uint32_t copy;
  struct frame *outer, *next; /* next: the following iteration of the same loop */
  uint32_t *steps;            /* for each instruction from begin: its first step in this frame, in inner loops the first
                                 iteration's */
};

struct unroller {
  struct arena *arena;
  const struct thread *thread;
  const uint32_t *copies; /* by the last instruction of a loop */
  struct unrolled *out;
  VEC(struct frame *) origins; /* for each step, the frame that contains it */
};

static int by_begin(const void *a, const void *b) {
  const struct loop *x = a, *y = b;
  if (x->begin != y->begin) return x->begin < y->begin ? -1 : 1;
  return x->end > y->end ? -1 : x->end < y->end;
}

/* Joins two loops into one if they have the same begin, or overlap without being nested. */
static bool join(struct loop *a, const struct loop *b) {
  bool apart = a->end <= b->begin || b->end <= a->begin;
  bool nested = (a->begin < b->begin && b->end <= a->end) || (b->begin < a->begin && a->end <= b->end);
  if (apart || nested) return false;
  if (b->begin < a->begin) a->begin = b->begin;
  if (b->end > a->end) a->end = b->end;
  return true;
}

static void find_loops(struct unroller *u) {
  struct loop *all = ARENA_ARRAY(u->arena, struct loop, u->thread->instr_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < u->thread->instr_count; i++) {
    const struct instr *in = &u->thread->instrs[i];
    if (in->kind == INSTR_BRANCH && in->target <= i) all[count++] = (struct loop){.begin = in->target, .end = i + 1};
  }
  for (bool joined = true; joined;) {
    joined = false;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t j = i + 1; j < count; j++)
        if (join(&all[i], &all[j])) {
          all[j] = all[--count];
          joined = true;
        }
  }
  if (count) qsort(all, count, sizeof *all, by_begin);
  for (uint32_t i = 0; i < count; i++) VEC_PUSH(u->arena, &u->out->loops, all[i]);
}

/* The innermost loop that has both instructions, or NO_LOOP. */
static uint32_t common_loop(const struct unroller *u, uint32_t a, uint32_t b) {
  for (uint32_t i = u->out->loops.len; i-- > 0;) { /* sorted: outer loops come first */
    const struct loop *loop = &u->out->loops.data[i];
    if (loop->begin <= a && a < loop->end && loop->begin <= b && b < loop->end) return i;
  }
  return NO_LOOP;
}

/* A forward branch into a loop from outside makes the loop irregular, and so does a branch back to its middle, which
 * begins the next iteration there. */
static void mark_irregular(struct unroller *u) {
  for (uint32_t i = 0; i < u->thread->instr_count; i++) {
    const struct instr *in = &u->thread->instrs[i];
    if (in->kind != INSTR_BRANCH || in->target >= u->thread->instr_count) continue;
    uint32_t common = common_loop(u, i, in->target);
    bool back = in->target <= i;
    for (uint32_t l = 0; l < u->out->loops.len; l++) {
      struct loop *loop = &u->out->loops.data[l];
      bool has_target = loop->begin <= in->target && in->target < loop->end;
      bool enters = has_target && !(loop->begin <= i && i < loop->end);
      if (in->target != loop->begin && (enters || (back && l == common))) loop->irregular = true;
    }
  }
}

/* The outermost loop inside the frame that begins at an instruction, or NO_LOOP. */
static uint32_t loop_at(const struct unroller *u, const struct frame *frame, uint32_t instr) {
  for (uint32_t i = 0; i < u->out->loops.len; i++) {
    const struct loop *loop = &u->out->loops.data[i];
    bool inside = frame->loop == NO_LOOP || i > frame->loop; /* sorted: outer loops come first */
    if (inside && loop->begin == instr && loop->end <= frame->end) return i;
  }
  return NO_LOOP;
}

static struct frame *new_frame(struct unroller *u, struct frame *outer, uint32_t loop, uint32_t begin, uint32_t end) {
  struct frame *frame = ARENA_MAKE(u->arena, struct frame, .begin = begin, .end = end, .loop = loop, .outer = outer);
  frame->steps = ARENA_ARRAY(u->arena, uint32_t, end - begin + 1);
  return frame;
}

/* An iterative walk with explicit frames would be longer; loops nest as deeply as the text does. */
enum { NESTING_LIMIT = 64 };

static void write_frame(struct unroller *u, struct frame *frame, unsigned depth);

/* A path that falls through the end of a copy leaves the loop: it continues after the last copy. */
static void leave_loop(struct unroller *u, uint32_t first, uint32_t end) {
  for (uint32_t i = first; i < end; i++)
    if (u->out->steps.data[i].next == end) u->out->steps.data[i].next = u->out->steps.len;
}

static void write_loop(struct unroller *u, struct frame *outer, uint32_t index, unsigned depth) {
  struct loop loop = u->out->loops.data[index];
  struct frame *previous = NULL;
  uint32_t copies = u->copies[loop.end - 1];
  uint32_t first = u->out->steps.len, *ends = ARENA_ARRAY(u->arena, uint32_t, copies);
  for (uint32_t i = 0; i < copies && !u->out->too_large; i++) {
    struct frame *frame = new_frame(u, outer, index, loop.begin, loop.end);
    frame->copy = i;
    if (previous) previous->next = frame;
    write_frame(u, frame, depth + 1);
    if (!previous)
      for (uint32_t k = loop.begin; k < loop.end; k++) outer->steps[k - outer->begin] = frame->steps[k - loop.begin];
    previous = frame;
    ends[i] = u->out->steps.len;
  }
  for (uint32_t i = 0; i + 1 < copies && !u->out->too_large; i++) leave_loop(u, i ? ends[i - 1] : first, ends[i]);
}

static void write_frame(struct unroller *u, struct frame *frame, unsigned depth) {
  for (uint32_t i = frame->begin; i < frame->end;) {
    uint32_t loop = loop_at(u, frame, i);
    if (u->out->steps.len > UNROLL_MAX_STEPS + u->thread->instr_count || depth > NESTING_LIMIT)
      u->out->too_large = true;
    if (u->out->too_large) return;
    if (loop != NO_LOOP) {
      write_loop(u, frame, loop, depth);
      i = u->out->loops.data[loop].end;
      continue;
    }
    frame->steps[i - frame->begin] = u->out->steps.len;
    struct step step = {.instr = i, .next = u->out->steps.len + 1, .target = STEP_END};
    step.loop = frame->loop;
    step.copy = frame->copy;
    VEC_PUSH(u->arena, &u->out->steps, step);
    VEC_PUSH(u->arena, &u->origins, frame);
    i++;
  }
}

/* Resolves the target of a branch: searches outwards for the frame that contains both ends; for a back edge, the target
 * is in the next iteration of its loop. */
static void resolve(struct unroller *u, uint32_t index) {
  struct step *step = &u->out->steps.data[index];
  uint32_t target = u->thread->instrs[step->instr].target;
  struct frame *frame = u->origins.data[index];
  while (target < frame->begin || target >= frame->end) {
    if (!frame->outer) return; /* the end of the thread */
    frame = frame->outer;
  }
  step->back = target <= step->instr;
  if (!step->back) {
    step->target = frame->steps[target - frame->begin];
    return;
  }
  step->again = frame->steps[target - frame->begin];
  step->entered = !u->out->loops.data[frame->loop].irregular;
  u->out->steps.data[step->again].is_again = true;
  step->target = frame->next ? frame->next->steps[target - frame->next->begin] : STEP_BOUND;
}

void unroll(struct arena *arena, const struct thread *thread, const uint32_t *copies, struct unrolled *out) {
  struct unroller u = {.arena = arena, .thread = thread, .copies = copies, .out = out};
  *out = (struct unrolled){0};
  find_loops(&u);
  mark_irregular(&u);
  struct frame *whole = new_frame(&u, NULL, NO_LOOP, 0, thread->instr_count);
  write_frame(&u, whole, 0);
  for (uint32_t i = 0; i < out->steps.len && !out->too_large; i++)
    if (thread->instrs[out->steps.data[i].instr].kind == INSTR_BRANCH) resolve(&u, i);
}

/* ---- Liveness ---- */

static bool gives(const struct instr *in, struct bitset live) {
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->dst[i] != NO_REG && bitset_has(live, in->dst[i])) return true;
  return false;
}

/* live before = (live after - written) + read; a guarded instruction may not write. Reads into a register that is not
 * live do not count, so a counter on which only itself depends is never live. */
static void transfer(const struct instr *in, struct bitset live) {
  if (in->kind == INSTR_ALU && !gives(in, live)) return;
  for (uint32_t i = 0; i < instr_result_count(in) && !in->guard.present; i++)
    if (instr_result(in, i) != NO_REG) bitset_del(live, instr_result(in, i));
  uint32_t sources[MAX_SOURCES], count = instr_sources(in, sources);
  for (uint32_t i = 0; i < count; i++) bitset_add(live, sources[i]);
}

struct bitset *unroll_live_registers(struct arena *arena, const struct thread *thread, const bool *live_out) {
  uint32_t count = thread->instr_count, regs = thread->reg_count;
  struct bitset *live = ARENA_ARRAY(arena, struct bitset, (size_t)count + 1);
  struct bitset now = bitset_new(arena, regs);
  for (uint32_t i = 0; i <= count; i++) live[i] = bitset_new(arena, regs);
  for (uint32_t r = 0; r < regs; r++)
    if (live_out[r]) bitset_add(live[count], r);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = count; i-- > 0;) {
      const struct instr *in = &thread->instrs[i];
      bool jumps = in->kind == INSTR_BRANCH, ends = in->kind == INSTR_EXIT;
      bitset_clear(now);
      if ((!jumps && !ends) || in->guard.present) bitset_or(now, live[i + 1]);
      if (jumps) bitset_or(now, live[in->target]);
      if (ends) bitset_or(now, live[count]);
      transfer(in, now);
      if (bitset_subset(now, live[i])) continue;
      bitset_or(live[i], now);
      changed = true;
    }
  }
  return live;
}
