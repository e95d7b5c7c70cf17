#include "diag/source.h"

#include "base/vec.h"

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

enum source_status source_read(struct arena *arena, const char *path, bool closed, struct source *out) {
  *out = source_from_text(strcmp(path, "-") == 0 ? "<stdin>" : arena_strdup(arena, path), "", 0);
  size_t length = 0;
  const char *text = input_read(arena, path, arena->deadline, closed, SOURCE_LIMIT, &length);
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

/* The source line from which the text at `offset` was made. */
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

static const struct source_origin *origin_at(const struct source *source, uint32_t offset) {
  uint32_t after;
  FIRST_NOT(after, source->origin_count, source->origins[after].offset <= offset);
  return after ? &source->origins[after - 1] : NULL;
}

const struct source_origin *source_origin(const struct source *source, uint32_t offset) {
  const struct source_origin *found = origin_at(source, offset);
  return found && (found->outer || !source->line_count) ? found : NULL;
}

const struct source_place *source_near(struct span span) {
  const struct source_origin *found = span.source ? origin_at(span.source, span.begin) : NULL;
  return found && found->near.line ? &found->near : NULL;
}

const char *source_line_text(const struct source *source, uint32_t line, size_t *length) {
  const char *at = source->text, *end = source->text + source->length;
  for (uint32_t i = 1; i < line && at < end; i++) {
    const char *next = memchr(at, '\n', (size_t)(end - at));
    at = next ? next + 1 : end;
  }
  if (at >= end || !line) return NULL;
  const char *stop = memchr(at, '\n', (size_t)(end - at));
  *length = (size_t)((stop ? stop : end) - at);
  if (*length && at[*length - 1] == '\r') --*length;
  return at;
}

/* Adds "tile.h:3 in gemm.cu:4". */
static void tell_origin(const struct source_origin *origin, struct text *out) {
  text_visible(out, origin->file);
  text_printf(out, ":%u", origin->line);
  if (!origin->outer) return;
  text_add(out, " in ");
  text_visible(out, origin->outer);
  text_printf(out, ":%u", origin->outer_line);
}

void span_tell_line(struct span span, struct text *out) {
  if (!span.source) return;
  const struct source_origin *origin = source_origin(span.source, span.begin);
  text_printf(out, "line %u", source_position(span.source, span.begin).line);
  if (origin) text_add(out, ", ");
  if (origin) tell_origin(origin, out);
}

void span_tell_near(struct span span, struct text *out) {
  const struct source_place *near = source_near(span);
  if (near) text_printf(out, "line %u, %s:%u", source_position(span.source, span.begin).line, near->file, near->line);
  else span_tell_line(span, out);
}

struct span span_typed(struct span span) {
  if (!span.source || !span.source->typed) return span;
  struct span typed = {span.source->typed, UINT32_MAX, 0}, before = {span.source->typed, 0, 0};
  ARRAY_EACH (piece, span.source->pieces, span.source->piece_count) {
    uint32_t begin = span.begin > piece->offset ? span.begin - piece->offset : 0;
    uint32_t end = span.end < piece->offset + piece->length ? span.end - piece->offset : piece->length;
    if (piece->offset < span.begin) before.begin = before.end = piece->from + piece->length;
    if (span.end < piece->offset || begin >= end) continue;
    if (piece->from + begin < typed.begin) typed.begin = piece->from + begin;
    if (piece->from + end > typed.end) typed.end = piece->from + end;
  }
  return typed.end ? typed : before;
}

struct span span_join(struct span a, struct span b) {
  if (!a.source) return b;
  if (!b.source || b.source != a.source) return a;
  return (struct span){a.source, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
