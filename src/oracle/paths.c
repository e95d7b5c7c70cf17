#include "oracle/paths.h"

#include <string.h>

enum { PATH_LENGTH_LIMIT = 4096 };

/* A way being followed. */
struct walker {
  struct arena *arena;
  const struct thread *thread;
  const uint32_t *bounds; /* by a loop's last instruction */
  struct thread_paths *out;
  uint32_t steps[PATH_LENGTH_LIMIT]; /* instructions so far */
  enum decision decided[PATH_LENGTH_LIMIT];
  uint32_t length;
  struct span_of_loop {
    uint32_t begin, end;
  } * loops;       /* by instruction, for backward branches: what the loop spans, joined with those it overlaps */
  uint32_t *taken; /* by a loop's last instruction: how often it was begun again since it was entered */
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

/* Widens each backward branch's loop by those that begin where it begins, or reach into it from outside or out of it,
 * until none does. */
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

static void follow(struct walker *w, uint32_t at);

static void decide(struct walker *w, uint32_t at, enum decision decision, uint32_t next) {
  w->steps[w->length] = at;
  w->decided[w->length] = decision;
  w->length++;
  follow(w, next);
  w->length--;
}

/* Taking a branch back begins a new iteration of its loop: the loops inside start afresh. */
static void take(struct walker *w, uint32_t at) {
  uint32_t target = w->thread->instrs[at].target;
  uint32_t *saved = NULL;
  if (target <= at) {
    struct span_of_loop loop = w->loops[at];
    if (w->taken[loop.end] + 1 >= w->bounds[loop.end]) return;
    saved = ARENA_ARRAY(w->arena, uint32_t, w->thread->instr_count);
    memcpy(saved, w->taken, w->thread->instr_count * sizeof *saved);
    w->taken[loop.end]++;
    for (uint32_t i = loop.begin; i < loop.end; i++) w->taken[i] = 0;
  }
  decide(w, at, DECISION_TAKEN, target);
  if (saved) memcpy(w->taken, saved, w->thread->instr_count * sizeof *saved);
}

static void follow(struct walker *w, uint32_t at) {
  uint32_t start = w->length;
  while (at < w->thread->instr_count && w->length < PATH_LENGTH_LIMIT) {
    const struct instr *in = &w->thread->instrs[at];
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) {
      if (in->guard.present) decide(w, at, DECISION_NOT_TAKEN, at + 1);
      if (in->kind == INSTR_BRANCH) take(w, at);
      else decide(w, at, DECISION_TAKEN, w->thread->instr_count);
      w->length = start;
      return;
    }
    w->steps[w->length] = at++;
    w->decided[w->length++] = DECISION_NONE;
  }
  if (w->length < PATH_LENGTH_LIMIT) keep(w);
  else w->out->cut = true;
  w->length = start;
}

void paths_find(struct arena *arena, const struct thread *thread, const uint32_t *bounds, struct thread_paths *out) {
  struct walker *w = ARENA_NEW(arena, struct walker);
  w->arena = arena;
  w->thread = thread;
  w->bounds = bounds;
  w->out = out;
  w->taken = ARENA_ARRAY(arena, uint32_t, thread->instr_count);
  span_loops(w);
  follow(w, 0);
}
