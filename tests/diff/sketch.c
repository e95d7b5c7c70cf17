/* Writing sketches as litmus files. */
#include <string.h>

#include "generate.h"

static const char *const usual_names[SKETCH_NAMES] = {"x", "y", "z", "a", "xa", "s", "t", "c", "m", "w"};
static const char *const other_names[SKETCH_NAMES] = {"q", "flag", "b", "v1", "d", "u", "k", "e", "j", "n_n"};

struct sketch_view sketch_plain_view(void) {
  struct sketch_view view = {.names = usual_names};
  for (uint32_t i = 0; i < SKETCH_THREADS; i++) view.order[i] = view.number[i] = i;
  return view;
}

static void shuffle(struct rng *rng, uint32_t *numbers, uint32_t count) {
  for (uint32_t i = count; i > 1; i--) {
    uint32_t j = rng_below(rng, i), swap = numbers[i - 1];
    numbers[i - 1] = numbers[j];
    numbers[j] = swap;
  }
}

struct sketch_view sketch_permuted_view(struct rng *rng, uint32_t thread_count) {
  struct sketch_view view = sketch_plain_view();
  shuffle(rng, view.order, thread_count);
  shuffle(rng, view.number, thread_count);
  return view;
}

struct sketch_view sketch_renamed_view(void) {
  struct sketch_view view = sketch_plain_view();
  view.names = other_names;
  return view;
}

static bool has_space(const struct sketch *sketch, const char *space) {
  for (uint32_t i = 0; i < sketch->init_count; i++)
    if (strncmp(sketch->inits[i], space, strlen(space)) == 0) return true;
  return false;
}

void sketch_add_idle(struct sketch *sketch) {
  bool meets = sketch->barriers != SKETCH_NO_BARRIERS;
  if (meets && has_space(sketch, ".shared")) return; /* another CTA has another location */
  if (has_space(sketch, ".local") || has_space(sketch, ".param")) return; /* and so has another thread */
  REQUIRE(sketch->thread_count < SKETCH_THREADS);
  const struct sketch_thread *first = &sketch->threads[0];
  struct sketch_thread idle = {.gpu = first->gpu, .cluster = first->cluster, .cta = first->cta};
  if (sketch->barriers != SKETCH_NO_BARRIERS) idle.cta = idle.cluster = 9;
  sketch->threads[sketch->thread_count++] = idle;
}

/* Adds `marked` with its marks replaced. */
static void add_marked(struct text *out, const char *marked, const struct sketch_view *view) {
  for (const char *c = marked; *c; c++) {
    bool digit = c[0] && c[1] >= '0' && c[1] <= '9';
    if (*c == '$' && digit)
      text_add(out, view->names[*++c - '0']);
    else if (*c == '#' && digit)
      text_printf(out, "%u", view->number[*++c - '0']);
    else
      text_char(out, *c);
  }
}

static void add_cell(struct text *out, const char *cell, bool first) {
  if (!first) text_add(out, "|");
  text_printf(out, " %-34s ", cell);
}

static void add_header(struct text *out, struct arena *arena, const struct sketch *s, const struct sketch_view *view) {
  for (uint32_t column = 0; column < s->thread_count; column++) {
    uint32_t t = view->order[column];
    const struct sketch_thread *thread = &s->threads[t];
    const char *cluster = s->clusters ? arena_printf(arena, "cluster %u,", thread->cluster) : "";
    const char *warp = thread->has_warp ? arena_printf(arena, "warp %u,lane %u,", thread->warp, thread->lane) : "";
    const char *grid = thread->grid || thread->domain
                           ? arena_printf(arena, ",grid %u,domain %u", thread->grid, thread->domain)
                           : "";
    const char *place = arena_printf(arena, "%scta %u,%sgpu %u%s", warp, thread->cta, cluster, thread->gpu, grid);
    if (thread->host) place = "host";
    add_cell(out, arena_printf(arena, "P%u@%s", view->number[t], place), column == 0);
  }
  text_add(out, ";\n");
}

static bool add_row(struct text *out, struct arena *arena, const struct sketch *s, const struct sketch_view *view,
                    uint32_t row) {
  bool any = false;
  for (uint32_t t = 0; t < s->thread_count; t++) any |= row < s->threads[t].count;
  if (!any) return false;
  for (uint32_t column = 0; column < s->thread_count; column++) {
    const struct sketch_thread *thread = &s->threads[view->order[column]];
    struct text cell = {.arena = arena};
    if (row < thread->count) add_marked(&cell, thread->instrs[row], view);
    add_cell(out, text_str(&cell), column == 0);
  }
  text_add(out, ";\n");
  return true;
}

const char *sketch_print(struct arena *arena, const struct sketch *s, const struct sketch_view *view) {
  struct text out = {.arena = arena};
  text_printf(&out, "PTX random-%llu-%llu\n", (unsigned long long)s->seed, (unsigned long long)s->index);
  if (s->unroll) text_printf(&out, "\"unroll %u\"\n", s->unroll);
  if (s->head) text_add(&out, s->head);
  text_add(&out, "{\n");
  for (uint32_t i = 0; i < s->init_count; i++) {
    add_marked(&out, s->inits[i], view);
    text_add(&out, ";\n");
  }
  text_add(&out, "}\n");
  add_header(&out, arena, s, view);
  for (uint32_t row = 0; add_row(&out, arena, s, view, row); row++) continue;
  add_marked(&out, s->condition, view);
  text_add(&out, "\n");
  return text_str(&out);
}
