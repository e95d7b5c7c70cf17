#include "diag/source.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/input.h"

static enum source_status read_stream(struct arena *arena, FILE *stream, struct source *out) {
  size_t length = 0, capacity = 16 * 1024;
  char *text = arena_alloc(arena, capacity + 1);
  for (size_t got; (got = fread(text + length, 1, capacity - length, stream)) > 0;) {
    length += got;
    if (length < capacity) continue;
    if (capacity >= SOURCE_LIMIT) return SOURCE_TOO_LARGE;
    char *larger = arena_alloc(arena, 2 * capacity + 1);
    memcpy(larger, text, length);
    text = larger;
    capacity *= 2;
  }
  if (ferror(stream)) return SOURCE_UNREADABLE;
  text[length] = '\0';
  out->text = text;
  out->length = length;
  return SOURCE_OK;
}

enum source_status source_read(struct arena *arena, const char *path, struct source *out) {
  *out = source_from_text(strcmp(path, "-") == 0 ? "<stdin>" : arena_strdup(arena, path), "", 0);
  FILE *stream = input_open(path, arena->deadline);
  if (!stream) return SOURCE_UNREADABLE;
  enum source_status status = read_stream(arena, stream, out);
  int why = errno;
  fclose(stream);
  if (status == SOURCE_UNREADABLE && why == ETIMEDOUT) arena_poll(arena);
  errno = why;
  return status;
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
  return position;
}

struct span span_join(struct span a, struct span b) {
  if (!a.source) return b;
  if (!b.source || b.source != a.source) return a;
  return (struct span){a.source, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
