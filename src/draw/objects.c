#include "draw/parts.h"

#include "exec/execution.h"

static uint32_t step_at(const struct execution *x, const struct mbarrier_object *object, uint32_t turn) {
  for (uint32_t i = 0; i < object->uses.len; i++)
    if (x->turn[object->uses.data[i]] == turn) return object->uses.data[i];
  return NO_EVENT;
}

/* "full: phase 0: b, f; phase 1: test s, n": signals in their order, and where tests found the phase before over. */
static const char *row_of(struct arena *arena, const struct pick *pick, const uint32_t *node_of,
                          const struct scene *scene, const struct mbarrier_object *object) {
  const struct execution *x = pick->execution;
  uint32_t phase = NO_PHASE, at;
  struct text text = {.arena = arena};
  text_printf(&text, "%s:", scene->program->objects[object->object].name);
  for (uint32_t turn = 0; (at = step_at(x, object, turn)) != NO_EVENT; turn++) {
    if (node_of[at] == NO_NODE) continue;
    bool fresh = x->reached[at] != phase;
    phase = x->reached[at];
    if (fresh && phase != NO_PHASE) text_printf(&text, "%s phase %u:", turn ? ";" : "", phase % object->span);
    text_printf(&text, "%s%s %s", fresh ? "" : ",", execution_event(x, at)->kind == EVENT_TEST ? " test" : "",
                scene->nodes.data[node_of[at]].letter);
  }
  return text_str(&text);
}

void scene_objects(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene) {
  const struct skeleton *s = pick->skeleton;
  scene->objects = ARENA_ARRAY(arena, const char *, s->mbarriers.len);
  for (uint32_t i = 0; i < s->mbarriers.len; i++)
    scene->objects[scene->object_count++] = row_of(arena, pick, node_of, scene, &s->mbarriers.data[i]);
}
