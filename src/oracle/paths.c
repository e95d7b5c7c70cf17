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
  struct span_of_loop {
    uint32_t begin, end;
  } * loops;       /* by instruction, for backward branches: the loop, joined with the loops that it overlaps */
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

static bool goes_back(const struct thread *thread, uint32_t at) {
  return thread->instrs[at].kind == INSTR_BRANCH && thread->instrs[at].target <= at;
}

/* Widens each backward branch's loop by the loops that begin at the same instruction or partly overlap it, until no
 * loop grows. */
static void span_loops(struct walker *w) {
  uint32_t count = w->thread->instr_count;
  w->loops = ARENA_ARRAY(w->arena, struct span_of_loop, count);
  for (uint32_t i = 0; i < count; i++) w->loops[i] = (struct span_of_loop){w->thread->instrs[i].target, i};
  for (bool widened = true; widened;) {
    widened = false;
    for (uint32_t i = 0; i < count; i++)
      for (uint32_t k = 0; k < count && goes_back(w->thread, i); k++) {
        struct span_of_loop *a = &w->loops[i], b = w->loops[k];
        bool touches = goes_back(w->thread, k) && a->begin <= b.end && b.begin <= a->end;
        bool nested = (a->begin < b.begin && b.end <= a->end) || (b.begin < a->begin && a->end <= b.end);
        if (!touches || nested || (a->begin == b.begin && a->end == b.end)) continue;
        if (b.begin < a->begin) a->begin = b.begin;
        if (b.end > a->end) a->end = b.end;
        widened = true;
      }
  }
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
  if (!goes_back(w->thread, at)) return in->target;
  struct span_of_loop loop = w->loops[at];
  uint32_t **before = &w->before[w->length - 1];
  if (!*before) *before = ARENA_ARRAY(w->arena, uint32_t, w->thread->instr_count);
  copy_counts(w, *before, w->taken);
  w->taken[loop.end]++;
  for (uint32_t i = loop.begin; i < loop.end; i++) w->taken[i] = 0;
  return in->target;
}

static bool may_take(const struct walker *w, uint32_t at) {
  uint32_t end = w->loops[at].end;
  return !goes_back(w->thread, at) || w->taken[end] + 1 < w->bounds[end];
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
    if (decision == DECISION_TAKEN && w->thread->instrs[last].kind == INSTR_BRANCH && goes_back(w->thread, last))
      copy_counts(w, w->taken, w->before[w->length]);
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
  span_loops(w);
  uint32_t at = 0;
  do {
    bool ends = follow(w, at);
    out->cut = w->length == PATH_LENGTH_LIMIT;
    if (ends && !out->cut) keep(w);
  } while (!out->cut && backtrack(w, &at));
}
