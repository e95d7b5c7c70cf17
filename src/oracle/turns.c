#include "oracle/paths.h"

struct turns {
  struct arena *arena;
  struct execution *x;
  void (*go_on)(void *context);
  bool (*stopped)(void *context);
  void *context;
};

/* The state of an object after the steps so far. */
struct object_walk {
  uint32_t object, turn;
  bool valid, ended;
  int64_t phase, pending, expected, tx;
};

static const struct mbarrier_object *object_of(const struct turns *t, uint32_t object) {
  return &t->x->skeleton->mbarriers.data[object];
}

static bool is_optional(const struct turns *t, uint32_t e) {
  const struct event *event = execution_event(t->x, e);
  return event->exec != TERM_TRUE || event->value != TERM_TRUE;
}

/* True if a step can come next: the remaining steps that must precede it may be absent, and so do not happen. */
static bool may_come(const struct turns *t, const struct object_walk *w, uint32_t e, bool *left_out) {
  const struct mbarrier_object *object = object_of(t, w->object);
  if (t->x->turn[e] != NO_TURN || left_out[e]) return false;
  VEC_VALUES (other, &object->uses) {
    bool earlier = t->x->turn[other] == NO_TURN && !left_out[other] && other != e &&
                   skeleton_step_before(t->x->skeleton, other, e);
    if (earlier && !is_optional(t, other)) return false;
  }
  return true;
}

/* Applies a step to the object; false if the step is a test that would be false. */
static bool walk_step(const struct turns *t, struct object_walk *w, uint32_t e) {
  const struct mbarrier_use *use = execution_event(t->x, e)->use;
  w->turn++;
  if (use->kind == USE_INIT && (!w->valid || w->ended)) {
    int64_t span = object_of(t, w->object)->span;
    w->phase = w->valid ? w->phase - w->phase % span + span : 0;
    w->valid = true;
    w->ended = false;
    w->tx = 0;
    w->pending = w->expected = use->arrivals;
  }
  if (use->kind == USE_INVAL) w->ended = true;
  if (use->kind == USE_TEST) {
    bool is_true = use->parity ? w->phase % 2 != use->phase : w->phase > (int64_t)t->x->reached[use->phase];
    return w->valid && is_true && (use->parity || t->x->turn[use->phase] != NO_TURN);
  }
  t->x->reached[e] = (uint32_t)w->phase;
  if (use->kind == USE_RAISE) w->pending -= use->arrivals;
  if (use->kind != USE_SIGNAL || !w->valid) return true;
  w->expected -= use->dropped;
  w->pending -= use->arrivals;
  w->tx += use->bytes;
  if (w->pending == 0 && w->tx == 0) w->phase++, w->pending = w->expected;
  return true;
}

static void choose_object(struct turns *t, uint32_t object);

/* Tries each possible next step of the object, or none. */
static void choose_step(struct turns *t, const struct object_walk *w, const bool *left_out) {
  const struct mbarrier_object *object = object_of(t, w->object);
  bool may_end = true;
  if (t->stopped(t->context)) return;
  VEC_VALUES (e, &object->uses) {
    bool left = t->x->turn[e] == NO_TURN && !left_out[e];
    if (left && !is_optional(t, e)) may_end = false;
    bool *without = ARENA_ARRAY(t->arena, bool, t->x->skeleton->n);
    for (uint32_t k = 0; k < t->x->skeleton->n; k++) without[k] = left_out[k];
    struct object_walk next = *w;
    if (!may_come(t, w, e, without) || !walk_step(t, &next, e)) continue;
    VEC_VALUES (other, &object->uses)
      if (t->x->turn[other] == NO_TURN && skeleton_step_before(t->x->skeleton, other, e)) without[other] = true;
    t->x->turn[e] = w->turn;
    t->x->pass[e] = true;
    choose_step(t, &next, without);
    t->x->turn[e] = NO_TURN;
    t->x->pass[e] = false;
  }
  if (may_end) choose_object(t, w->object + 1);
}

static void choose_object(struct turns *t, uint32_t object) {
  const struct skeleton *s = t->x->skeleton;
  if (object == s->mbarriers.len) {
    t->go_on(t->context);
    return;
  }
  int64_t expected = s->program->objects[object_of(t, object)->object].expected;
  struct object_walk w = {.object = object, .valid = expected > 0, .pending = expected, .expected = expected};
  choose_step(t, &w, ARENA_ARRAY(t->arena, bool, s->n));
}

void turns_choose(struct arena *arena, struct execution *x, void (*go_on)(void *context),
                  bool (*stopped)(void *context), void *context) {
  struct turns t = {arena, x, go_on, stopped, context};
  choose_object(&t, 0);
}
