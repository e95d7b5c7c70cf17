/* For the tests of the cat language: models from texts, and expectations about them. */
#ifndef PTXLIT_TEST_CAT_H
#define PTXLIT_TEST_CAT_H

#include "unit.h"

#include "cat/model.h"

/* Two files that tests include, besides those in models/. */
static const struct {
  const char *name, *text;
} own_files[] = {
    {"defines.cat", "\"Defines\" let included = rf | co let twice(r) = r ; r"},
    {"loop.cat", "include \"loop.cat\""},
    {"broken.cat", "let x = po ;"},
};

static struct diags diags;

UNUSED static const struct source *open_file(void *state, const char *name) {
  (void)state;
  struct source *source = ARENA_NEW(&arena, struct source);
  for (size_t i = 0; i < ARRAY_LEN(own_files); i++)
    if (!strcmp(own_files[i].name, name)) {
      *source = source_from_text(name, own_files[i].text, strlen(own_files[i].text));
      return source;
    }
  return source_read(&arena, arena_printf(&arena, "models/%s", name), false, source) == SOURCE_OK ? source : NULL;
}

UNUSED static const struct source *text_source(const char *text, size_t length) {
  struct source *source = ARENA_NEW(&arena, struct source);
  *source = source_from_text("test.cat", arena_strndup(&arena, text, length), length);
  return source;
}

static struct model *read_bytes(const char *text, size_t length) {
  diags_init(&diags, &arena);
  return model_read(&arena, &diags, text_source(text, length), NULL, open_file, NULL);
}

/* With readings chosen. */
UNUSED static struct model *read_as(const char *text, const char *readings) {
  diags_init(&diags, &arena);
  struct model *model = model_read(&arena, &diags, text_source(text, strlen(text)), readings, open_file, NULL);
  assert_non_null(model);
  return model;
}

UNUSED static const char *messages(void) {
  struct text out = {.arena = &arena};
  diags_render(&diags, &out, false);
  return text_str(&out);
}

static struct model *read(const char *text) {
  struct model *model = read_bytes(text, strlen(text));
  if (!model) fail_msg("%s", messages());
  return model;
}

/* The graph of `empty EXPRESSION`, after `before`. */
UNUSED static const char *graph(const char *before, const char *expression) {
  struct model *model = read(arena_printf(&arena, "%s\nempty %s as it", before, expression));
  for (uint32_t i = 0; i < model->nodes.len; i++) model->nodes.data[i].name = NULL;
  model->name = "";
  model->title = NULL;
  struct text out = {.arena = &arena};
  model_dump(model, &out);
  return text_str(&out);
}

/* Both expressions give one node. */
UNUSED static bool same_in(const char *before, const char *a, const char *b) {
  struct model *model = read(arena_printf(&arena, "%s\nempty %s as one\nempty %s as two", before, a, b));
  assert_int_equal(model->axioms.len, 2);
  return model->axioms.data[0].node == model->axioms.data[1].node;
}

UNUSED static void assert_same(const char *a, const char *b) {
  if (!same_in("", a, b)) fail_msg("'%s' is not '%s':\n%s%s", a, b, graph("", a), graph("", b));
}

UNUSED static void assert_differ(const char *a, const char *b) {
  if (same_in("", a, b)) fail_msg("'%s' is '%s'", a, b);
}

/* The text is refused with this code first, at the first place of `at` (or `at` is NULL), and nothing else. */
UNUSED static void assert_refused(const char *text, enum diag_code code, const char *at) {
  if (read_bytes(text, strlen(text))) fail_msg("accepted: %s", text);
  assert_int_equal(diags.errors, 1);
  struct diagnostic *d = &diags.list.data[0];
  if (d->code != code) fail_msg("%s", messages());
  if (!at) return;
  const char *where = strstr(text, at);
  assert_non_null(where);
  if (d->span.begin != (uint32_t)(where - text) || d->span.end != d->span.begin + strlen(at))
    fail_msg("not at '%s':\n%s", at, messages());
}

#endif
