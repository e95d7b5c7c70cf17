#include "exec/unroll.h"

#include "ptx/uses.h"

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
  const struct flow flow = thread_flow(arena, thread);
  out->loops = flow_loops(arena, &flow);
  struct frame *whole = new_frame(&u, NULL, NO_LOOP, 0, thread->instr_count);
  write_frame(&u, whole, 0);
  for (uint32_t i = 0; i < out->steps.len && !out->too_large; i++)
    if (thread->instrs[out->steps.data[i].instr].kind == INSTR_BRANCH) resolve(&u, i);
}
