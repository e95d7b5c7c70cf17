/* Orders the columns: threads of one gpu, cluster, cta and warp are adjacent, otherwise in the order of the test. */
#include "draw/parts.h"

/* Threads of the host are in one box, beside those of the gpus. */
enum { THE_HOST = INT32_MAX };

/* The number of a thread's scope at a level, unique in the test. */
static uint32_t scope_id(const struct thread *t, enum scene_level level) {
  const uint32_t ids[] = {t->host ? THE_HOST : t->gpu_id, t->cluster_id, t->cta_id, t->warp_id};
  return ids[level];
}

uint32_t scene_scope_number(const struct thread *t, enum scene_level level) {
  const uint32_t numbers[] = {t->host ? THE_HOST : t->gpu, t->cluster, t->cta, t->warp};
  return numbers[level];
}

const char *scene_scope_label(struct arena *arena, enum scene_level level, uint32_t number) {
  static const char *const names[] = {"gpu", "cluster", "cta", "warp"};
  return number == THE_HOST ? "host" : arena_printf(arena, "%s %u", names[level], number);
}

bool scene_scope_shown(const struct scene *s, const struct thread *thread, enum scene_level level) {
  if (!s->level[level]) return false;
  if (thread->host) return level == SCENE_GPU;
  if (level == SCENE_GPU || level == SCENE_CTA) return true;
  ARRAY_EACH (t, s->program->threads, s->program->thread_count) {
    if (t == thread || scope_id(t, level) != scope_id(thread, level)) continue;
    if (level == SCENE_WARP || t->cta_id != thread->cta_id) return true;
  }
  return false;
}

/* The first thread in the scope of thread t; scopes are numbered across the whole test. */
static uint32_t leader(const struct program *p, uint32_t t, enum scene_level level) {
  return FIND_BELOW(i, t, scope_id(&p->threads[i], level) == scope_id(&p->threads[t], level));
}

static bool stands_before(const struct program *p, uint32_t a, uint32_t b) {
  for (int level = 0; level < SCENE_LEVELS; level++) {
    uint32_t x = leader(p, a, (enum scene_level)level), y = leader(p, b, (enum scene_level)level);
    if (x != y) return x < y;
  }
  return a < b;
}

static void find_levels(const struct program *p, bool *shown) {
  shown[SCENE_GPU] = shown[SCENE_CTA] = true;
  for (uint32_t i = 0; i < p->thread_count; i++)
    for (uint32_t k = 0; k < i; k++) {
      const struct thread *t = &p->threads[i], *u = &p->threads[k];
      if (t->cluster_id == u->cluster_id && t->cta_id != u->cta_id) shown[SCENE_CLUSTER] = true;
      if (t->warp_id == u->warp_id) shown[SCENE_WARP] = true;
    }
}

bool scene_in_tensor(const struct event *event) { return event->spawned && event->proxy == PROXY_TMEM; }

uint32_t scene_thread(const struct scene *s, const struct scene_node *node) {
  uint32_t by = node->issue == NO_NODE ? node->column : s->nodes.data[node->issue].column;
  return s->columns.data[by].thread;
}

bool scene_same_scope(const struct scene *s, uint32_t a, uint32_t b, enum scene_level level) {
  const struct scene_column *x = &s->columns.data[a], *y = &s->columns.data[b];
  if (level == SCENE_WARP && (x->tensor || y->tensor)) return a == b;
  const struct thread *threads = s->program->threads;
  return scope_id(&threads[x->thread], level) == scope_id(&threads[y->thread], level);
}

static bool has_spawned(const struct execution *x, const struct focus *focus, uint32_t thread) {
  EACH (e, x->exec) {
    const struct event *event = execution_event(x, e);
    if (focus->events && !focus->events[e]) continue;
    if (event->thread == thread && event->spawned && !scene_in_tensor(event)) return true;
  }
  return false;
}

uint32_t scene_tensor_cta(const struct skeleton *s, const struct event *event) {
  const struct view *view = skeleton_view(s, term_get(&s->terms, event->address)->constant);
  return scene_in_tensor(event) && view ? skeleton_object(s, view)->owner : NO_THREAD;
}

uint32_t scene_columns(struct arena *arena, const struct execution *x, const struct focus *focus, struct scene *scene) {
  const struct program *p = x->skeleton->program;
  uint32_t *order = ARENA_ARRAY(arena, uint32_t, p->thread_count), left_out = 0, count = 0;
  find_levels(p, scene->level);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    if (focus->threads && !focus->threads[t]) continue;
    uint32_t at = count++;
    for (; at > 0 && stands_before(p, t, order[at - 1]); at--) order[at] = order[at - 1];
    order[at] = t;
  }
  for (uint32_t i = 0; i < count; i++) {
    bool issues = has_spawned(x, focus, order[i]);
    if (scene->columns.len + issues < SCENE_MAX_COLUMNS)
      VEC_PUSH(arena, &scene->columns, (struct scene_column){.thread = order[i]});
    else left_out++;
    if (issues && scene->columns.len < SCENE_MAX_COLUMNS)
      VEC_PUSH(arena, &scene->columns, (struct scene_column){.thread = order[i], .spawned = true});
    uint32_t cta = p->threads[order[i]].cta_id;
    bool last = i + 1 == count || p->threads[order[i + 1]].cta_id != cta;
    if (last && SOME(EACH (e, x->exec), scene_tensor_cta(x->skeleton, execution_event(x, e)) == cta) &&
        scene->columns.len < SCENE_MAX_COLUMNS)
      VEC_PUSH(arena, &scene->columns, (struct scene_column){.thread = order[i], .spawned = true, .tensor = true});
  }
  return left_out;
}

const char *scene_head(struct arena *arena, const struct scene *s, uint32_t column) {
  const struct scene_column *c = &s->columns.data[column];
  if (c->tensor) return "tensor memory";
  struct text text = {.arena = arena};
  thread_tell(&s->program->threads[c->thread], &text);
  if (c->spawned) text_add(&text, " async");
  return text_str(&text);
}

/* ---- Below the columns: mbarrier objects */

static uint32_t step_at(const struct execution *x, const struct mbarrier_object *object, uint32_t turn) {
  for (uint32_t i = 0; i < object->uses.len; i++)
    if (x->turn[object->uses.data[i]] == turn) return object->uses.data[i];
  return NO_EVENT;
}

/* "full: phase 0: b, f; phase 1: test s, n": the signals in order; the tests that found the previous phase complete. */
static const char *row_of(struct arena *arena, const struct pick *pick, const uint32_t *node_of,
                          const struct scene *scene, const struct mbarrier_object *object) {
  const struct execution *x = pick->execution;
  uint32_t phase = NO_PHASE, at;
  bool some = false;
  struct text text = {.arena = arena};
  text_printf(&text, "%s:", scene->program->objects[object->object].name);
  for (uint32_t turn = 0; (at = step_at(x, object, turn)) != NO_EVENT; turn++) {
    if (node_of[at] == NO_NODE) continue;
    bool fresh = x->reached[at] != phase;
    phase = x->reached[at];
    if (fresh && phase != NO_PHASE) text_printf(&text, "%s phase %u:", some ? ";" : "", phase % object->span);
    text_printf(&text, "%s%s %s", fresh || !some ? "" : ",", execution_event(x, at)->kind == EVENT_TEST ? " test" : "",
                scene->nodes.data[node_of[at]].letter);
    some = true;
  }
  return text_str(&text);
}

void scene_objects(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene) {
  const struct skeleton *s = pick->skeleton;
  scene->objects = ARENA_ARRAY(arena, const char *, s->mbarriers.len);
  for (uint32_t i = 0; i < s->mbarriers.len; i++)
    scene->objects[scene->object_count++] = row_of(arena, pick, node_of, scene, &s->mbarriers.data[i]);
}
