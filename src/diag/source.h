/* Source text and places in it. A span is a byte range; line and column are computed only when a message is shown. */
#pragma once

#include "base/input.h"
#include "base/text.h"

/* From this byte on the text was made from that line. */
struct source_line {
  uint32_t offset, line;
};

/* From this byte on the text is a compiler's output for one source line, which may be inlined into another. */
struct source_origin {
  uint32_t offset, line, outer_line;
  const char *file, *outer; /* without directories; outer NULL: it was not inlined */
};

struct source {
  const char *name; /* as the user gave it; "<stdin>" for standard input */
  const char *text; /* length bytes and a NUL; may contain NUL bytes */
  size_t length;
  /* For a text made from the file `name`, in the order of offsets: messages give places as lines of that. */
  const struct source_line *lines;
  uint32_t line_count;
  const struct source_origin *origins; /* in the order of offsets */
  uint32_t origin_count;
  uint32_t made_of_line; /* the line of the file from which the whole text was made; 0: none */
  bool hidden;           /* an untrusted test may have chosen the file: no message quotes it */
};

/* The bytes [begin, end) of one source. source == NULL: no place is known. */
struct span {
  const struct source *source;
  uint32_t begin, end;
};

/* 1-based line and column; the column counts bytes. */
struct position {
  uint32_t line, column;
};

enum source_status { SOURCE_OK, SOURCE_UNREADABLE, SOURCE_TOO_LARGE };

/* Largest input accepted, in bytes. */
enum { SOURCE_LIMIT = 256 * 1024 * 1024 };

/* Reads a whole file ("-" is standard input) into the arena. On SOURCE_UNREADABLE, errno says why.
 * Slow input, as from a pipe, must be complete by the arena's deadline. */
enum source_status source_read(struct arena *arena, const char *path, struct source *out);
/* The same for a file that another file names: it must be regular (input_read_named), and is hidden if it lies outside
 * of the bounds. */
enum source_status source_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds,
                                     struct source *out);

/* A source over a text that outlives it. */
struct source source_from_text(const char *name, const char *text, size_t length);

struct position source_position(const struct source *source, uint32_t offset);

/* NULL: it is not known, or `source` is the compiled text itself. */
const struct source_origin *source_origin(const struct source *source, uint32_t offset);

/* Adds "line 92", with its origin "line 92, tile.h:3 in gemm.cu:4"; nothing if no place is known. */
void span_tell_line(struct span span, struct text *out);

/* Adds "tile.h:3 in gemm.cu:4". */
void source_tell_origin(const struct source_origin *origin, struct text *out);

/* From the first byte of a to the last of b; both in the same source. */
struct span span_join(struct span a, struct span b);
