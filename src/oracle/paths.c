#include "oracle/paths.h"

enum { PATH_LENGTH_LIMIT = 4096 };

/* A path that is being followed. */
struct walker {
  struct arena *arena;
  const struct thread *thread;
  const uint32_t *bounds; /* by a loop's last instruction */
  struct thread_paths *out;
  uint32_t steps[PATH_LENGTH_LIMIT]; /* the instructions so far */
  enum decision decided[PATH_LENGTH_LIMIT];
  uint32_t length;
  struct flow flow;
  struct loop_list loops;
  uint32_t *taken; /* by a loop's last instruction: the number of repetitions since the loop was entered */
  uint32_t *before[PATH_LENGTH_LIMIT]; /* by step that repeats a loop: `taken` before the step */
};

bool paths_may_branch(const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      enum instr_kind kind = program->threads[t].instrs[i].kind;
      if (kind == INSTR_BRANCH || kind == INSTR_EXIT) return true;
    }
  return false;
}

/* The loop to which a branch goes back; NULL: it goes forward. */
static const struct loop *loop_of(const struct walker *w, uint32_t at) {
  uint32_t to = w->flow.next[at][1];
  return to > at ? NULL : &w->loops.data[loops_common(&w->loops, at, to)];
}

static void keep(struct walker *w) {
  struct thread_path path = {.count = w->length};
  path.instrs = ARENA_ARRAY(w->arena, struct instr, w->length);
  path.origins = ARENA_ARRAY(w->arena, uint32_t, w->length);
  path.decided = ARENA_ARRAY(w->arena, enum decision, w->length);
  for (uint32_t i = 0; i < w->length; i++) {
    path.instrs[i] = w->thread->instrs[w->steps[i]];
    path.origins[i] = w->steps[i];
    path.decided[i] = w->decided[i];
    if (path.instrs[i].kind == INSTR_EXIT) path.instrs[i].kind = INSTR_BRANCH;
    if (path.instrs[i].kind == INSTR_BRANCH) path.instrs[i].target = i + 1;
  }
  VEC_PUSH(w->arena, &w->out->list, path);
}

static bool is_decision(const struct instr *in) { return in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT; }

static void copy_counts(const struct walker *w, uint32_t *to, const uint32_t *from) {
  memcpy(to, from, w->thread->instr_count * sizeof *to);
}

/* Adds a step, and returns the next instruction of the path. Taking a backward branch begins a new iteration of its
 * loop, which resets the counts of the inner loops. */
static uint32_t step(struct walker *w, uint32_t at, enum decision decision) {
  const struct instr *in = &w->thread->instrs[at];
  w->steps[w->length] = at;
  w->decided[w->length++] = decision;
  if (decision != DECISION_TAKEN) return at + 1;
  if (in->kind == INSTR_EXIT) return w->thread->instr_count;
  const struct loop *loop = loop_of(w, at);
  if (!loop) return in->target;
  uint32_t **before = &w->before[w->length - 1];
  if (!*before) *before = ARENA_ARRAY(w->arena, uint32_t, w->thread->instr_count);
  copy_counts(w, *before, w->taken);
  w->taken[loop->end - 1]++;
  for (uint32_t i = loop->begin; i + 1 < loop->end; i++) w->taken[i] = 0;
  return in->target;
}

static bool may_take(const struct walker *w, uint32_t at) {
  const struct loop *loop = loop_of(w, at);
  return !loop || w->taken[loop->end - 1] + 1 < w->bounds[loop->end - 1];
}

/* Follows the path from `at` to the end without taking guarded branches. False if an unguarded branch repeats a loop
 * too often. */
static bool follow(struct walker *w, uint32_t at) {
  while (at < w->thread->instr_count && w->length < PATH_LENGTH_LIMIT) {
    const struct instr *in = &w->thread->instrs[at];
    enum decision decision = !is_decision(in) ? DECISION_NONE : in->guard.present ? DECISION_NOT_TAKEN : DECISION_TAKEN;
    if (decision == DECISION_TAKEN && !may_take(w, at)) return false;
    at = step(w, at, decision);
  }
  return true;
}

/* Backtracks to the last branch that was not taken and may be taken, and takes it: sets `*at` to its target; false if
 * there is none. */
static bool backtrack(struct walker *w, uint32_t *at) {
  while (w->length) {
    uint32_t last = w->steps[--w->length];
    enum decision decision = w->decided[w->length];
    if (decision == DECISION_TAKEN && loop_of(w, last)) copy_counts(w, w->taken, w->before[w->length]);
    if (decision != DECISION_NOT_TAKEN || !may_take(w, last)) continue;
    *at = step(w, last, DECISION_TAKEN);
    return true;
  }
  return false;
}

void paths_find(struct arena *arena, const struct thread *thread, const uint32_t *bounds, struct thread_paths *out) {
  struct walker *w = ARENA_NEW(arena, struct walker);
  w->arena = arena;
  w->thread = thread;
  w->bounds = bounds;
  w->out = out;
  w->taken = ARENA_ARRAY(arena, uint32_t, thread->instr_count);
  w->flow = thread_flow(arena, thread);
  w->loops = flow_loops(arena, &w->flow);
  uint32_t at = 0;
  do {
    bool ends = follow(w, at);
    out->cut = w->length == PATH_LENGTH_LIMIT;
    if (ends && !out->cut) keep(w);
  } while (!out->cut && backtrack(w, &at));
}
