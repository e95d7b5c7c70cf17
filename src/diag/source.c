#include "diag/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"

static enum source_status take(struct arena *arena, const char *text, size_t length, struct source *out) {
  int why = errno;
  if (text) {
    out->text = text;
    out->length = length;
    return SOURCE_OK;
  }
  if (why == ETIMEDOUT) arena_poll(arena);
  errno = why;
  return why == EFBIG ? SOURCE_TOO_LARGE : SOURCE_UNREADABLE;
}

enum source_status source_read(struct arena *arena, const char *path, struct source *out) {
  *out = source_from_text(strcmp(path, "-") == 0 ? "<stdin>" : arena_strdup(arena, path), "", 0);
  size_t length = 0;
  const char *text = input_read(arena, path, arena->deadline, SOURCE_LIMIT, &length);
  return take(arena, text, length, out);
}

enum source_status source_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds,
                                     struct source *out) {
  *out = source_from_text(arena_strdup(arena, path), "", 0);
  size_t length = 0;
  bool within = false;
  const char *text = input_read_named(arena, path, bounds, SOURCE_LIMIT, &length, &within);
  out->hidden = !within;
  return take(arena, text, length, out);
}

struct source source_from_text(const char *name, const char *text, size_t length) {
  return (struct source){.name = name, .text = text, .length = length};
}

/* The line that a text was made from. */
static struct position made_from(const struct source *source, uint32_t offset) {
  struct position position = {1, 1};
  for (uint32_t i = 0; i < source->line_count && source->lines[i].offset <= offset; i++)
    position.line = source->lines[i].line;
  return position;
}

struct position source_position(const struct source *source, uint32_t offset) {
  struct position position = {1, 1};
  if (source->line_count) return made_from(source, offset);
  for (uint32_t i = 0; i < offset && i < source->length; i++) {
    position.column++;
    if (source->text[i] == '\n') position = (struct position){position.line + 1, 1};
  }
  if (source->made_of_line) position.line = source->made_of_line;
  return position;
}

struct span span_join(struct span a, struct span b) {
  if (!a.source) return b;
  if (!b.source || b.source != a.source) return a;
  return (struct span){a.source, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
