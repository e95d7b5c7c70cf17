#include "explain/story.h"

#include "explain/words.h"

bool trail_same_thread(const struct trail *t, uint32_t a, uint32_t b) {
  return execution_event(t->x, a)->thread == execution_event(t->x, b)->thread;
}

const char *trail_quote(const struct trail *t, uint32_t event) { return words_event(t->story->arena, t->x, event); }

bool trail_is(const struct trail *t, uint32_t step, const char *relation) {
  return strcmp(t->steps[step].relation, relation) == 0;
}

const char *trail_scope(const struct trail *t, uint32_t a, uint32_t b) {
  return scope_word(
      words_common_scope(t->x->skeleton->program, execution_event(t->x, a)->thread, execution_event(t->x, b)->thread));
}

const char *trail_thread(const struct trail *t, uint32_t event) {
  return words_thread(t->story->arena, t->x->skeleton->program, execution_event(t->x, event)->thread);
}

/* Replaces the names in angle brackets: <a> and <b> by the events, <A> and <B> by their threads, <scope> by the
 * narrowest scope of both. NULL stays NULL. */
static const char *fill_in(const struct trail *t, uint32_t a, uint32_t b, const char *text) {
  const struct {
    const char *name, *value;
  } names[] = {{"<a>", trail_quote(t, a)},
               {"<b>", trail_quote(t, b)},
               {"<A>", trail_thread(t, a)},
               {"<B>", trail_thread(t, b)},
               {"<scope>", text && strstr(text, "<scope>") ? trail_scope(t, a, b) : ""}};
  struct text out = {.arena = t->story->arena};
  for (const char *at = text; at && *at; at++) {
    size_t k = 0;
    while (k < ARRAY_LEN(names) && !base_begins(at, names[k].name)) k++;
    if (k == ARRAY_LEN(names)) text_char(&out, *at);
    else text_add(&out, names[k].value), at += strlen(names[k].name) - 1;
  }
  return text ? text_str(&out) : NULL;
}

void trail_lacks(struct trail *t, uint32_t from, uint32_t to, const char *text, const char *cure) {
  struct explain_missing missing = {.text = fill_in(t, from, to, text), .cure = fill_in(t, from, to, cure)};
  missing.from = story_event(t->story, from);
  missing.to = story_event(t->story, to);
  VEC_PUSH(t->story->arena, &t->story->out->missing, missing);
}

struct bitmat trail_base(const struct trail *t) {
  cat_node base = model_node_named(t->story->ask->model, "base");
  return base == CAT_NO_NODE ? (struct bitmat){0} : eval_relation(t->story->ask->eval, base);
}

uint32_t trail_entry(const struct trail *t, uint32_t step) {
  while (step && trail_same_thread(t, t->steps[step - 1].from, t->steps[step].from)) step--;
  return t->steps[step].from;
}

uint32_t trail_exit(const struct trail *t, uint32_t step) {
  while (step + 2 < t->count && trail_same_thread(t, t->steps[step + 1].to, t->steps[step].to)) step++;
  return t->steps[step].to;
}

bool trail_through_atomic(const struct trail *t, uint32_t step) {
  return step + 2 < t->count && execution_event(t->x, t->steps[step].to)->is_rmw &&
         execution_event(t->x, t->steps[step].to)->partner == t->steps[step + 1].to && trail_is(t, step + 2, "rf") &&
         step + 3 < t->count;
}
