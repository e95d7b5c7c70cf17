/* Orders the nodes of a picture into steps: every read comes after the write that it returns, and every write after the
 * writes that it overwrites. Otherwise keeps program order as far as possible; if the execution is not an interleaving,
 * some node comes too early. */
#include "draw/parts.h"

struct stepper {
  const struct pick *pick;
  const uint32_t *node_of;
  struct scene *scene;
  struct bitmat before; /* by node: the nodes of any thread that must come first */
};

/* Finds the order by communication and barriers between nodes. */
static void find_before(struct stepper *t) {
  const struct execution *x = t->pick->execution;
  const struct bitmat parts[] = {x->rf, x->co, x->fr, x->phase_order};
  for (size_t i = 0; i < ARRAY_LEN(parts); i++)
    for (uint32_t a = 0; a < x->skeleton->first_init; a++) {
      struct bitset row = bitmat_row_set(parts[i], a);
      EACH (b, row) {
        uint32_t from = t->node_of[a], to = b < x->skeleton->first_init ? t->node_of[b] : NO_NODE;
        if (from != NO_NODE && to != NO_NODE && from != to) bitmat_add(t->before, from, to);
      }
    }
}

static bool is_ready(const struct stepper *t, uint32_t node) {
  return !SOME_BELOW(i, t->scene->nodes.len,
                     !t->scene->nodes.data[i].step && i != node && bitmat_has(t->before, i, node));
}

static bool in_turn(const struct stepper *t, uint32_t node) {
  const struct scene_node *nodes = t->scene->nodes.data;
  return node == 0 || nodes[node - 1].column != nodes[node].column || nodes[node - 1].step;
}

/* The next node: in program order if possible, and of the same thread as the last node if possible. */
static uint32_t next_node(const struct stepper *t, uint32_t column) {
  const struct scene_node *nodes = t->scene->nodes.data;
  uint32_t turn = NO_NODE, early = NO_NODE;
  for (uint32_t i = 0; i < t->scene->nodes.len; i++) {
    if (nodes[i].step || !is_ready(t, i)) continue;
    if (!in_turn(t, i)) early = early == NO_NODE ? i : early;
    else if (nodes[i].column == column || turn == NO_NODE) turn = i;
  }
  return turn != NO_NODE ? turn : early;
}

void steps_number(struct arena *arena, const struct pick *pick, const uint32_t *node_of, struct scene *scene) {
  struct stepper t = {pick, node_of, scene, bitmat_new(arena, scene->nodes.len)};
  uint32_t column = 0;
  find_before(&t);
  for (uint32_t i = 1; i <= scene->nodes.len; i++) {
    uint32_t node = next_node(&t, column);
    if (node == NO_NODE) break;
    scene->nodes.data[node].early = !in_turn(&t, node);
    scene->nodes.data[node].step = i;
    column = scene->nodes.data[node].column;
    scene->steps = i;
  }
  if (scene->steps == scene->nodes.len) return;
  for (uint32_t i = 0; i < scene->nodes.len; i++) scene->nodes.data[i].step = 0; /* communication has a cycle */
  scene->steps = 0;
}

struct scene *steps_frame(struct arena *arena, const struct scene *whole, uint32_t step) {
  struct scene *frame = ARENA_NEW(arena, struct scene);
  uint32_t now = 0;
  *frame = *whole;
  frame->step = step;
  while (whole->nodes.data[now].step != step) now++;
  const struct scene_node *node = &whole->nodes.data[now];
  uint32_t thread = whole->program->threads[scene_thread(whole, node)].number;
  frame->caption = arena_printf(arena, "step %u of %u: P%u does %s%s", step, whole->steps, thread, node->letter,
                                node->early ? ", before its turn" : "");
  if (step == whole->steps) return frame;
  frame->outcome = "";
  frame->cycle = NULL;
  frame->missing = NULL;
  return frame;
}

bool steps_shows_node(const struct scene *scene, uint32_t node) {
  return !scene->step || scene->nodes.data[node].step <= scene->step;
}

bool steps_shows_edge(const struct scene *scene, const struct scene_edge *edge) {
  return steps_shows_node(scene, edge->from) && steps_shows_node(scene, edge->to);
}
