/* Source text and places in it. A span is a byte range; line and column are computed only when a message is shown. */
#pragma once

#include "base/input.h"
#include "base/text.h"

/* The text from byte `offset` on was made from source line `line`. */
struct source_line {
  uint32_t offset, line;
};

struct source_place {
  const char *file; /* without directories */
  uint32_t line, column; /* column 0: unknown */
};

/* The text from byte `offset` on is a compiler's output for one source line, which may be inlined into another line. */
struct source_origin {
  uint32_t offset, line, outer_line;
  const char *file, *outer; /* without directories; outer NULL: it was not inlined */
  struct source_place near; /* the innermost line of the file in which the kernel is */
};

/* `length` bytes from byte `offset` on were copied from byte `from` of another text. */
struct source_piece {
  uint32_t offset, length, from;
};

struct source {
  const char *name; /* the name that the user gave; "<stdin>" for standard input */
  const char *text; /* length bytes and a NUL; may contain NUL bytes */
  size_t length;
  /* For a text that was made from the file `name`: the line of the file for each part, in the order of offsets, so that
   * messages can give lines of the file. */
  const struct source_line *lines;
  uint32_t line_count;
  const struct source_origin *origins; /* in the order of offsets */
  uint32_t origin_count;
  uint32_t made_of_line; /* the line of the file from which the whole text was made; 0: none */
  /* For a text made from a text that the user typed: that text, and the pieces copied from it, in the order of offsets.
   * Messages quote the typed text. */
  const struct source *typed;
  const struct source_piece *pieces;
  uint32_t piece_count;
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

/* Reads a whole file ("-" is standard input) into the arena. On SOURCE_UNREADABLE, errno has the reason. Slow input,
 * such as a pipe, must be complete by the arena's deadline. `closed`: as for input_open. */
enum source_status source_read(struct arena *arena, const char *path, bool closed, struct source *out);
/* The same for a file that another file names: it must be a regular file (input_read_named); if it lies outside the
 * bounds, it is marked hidden. */
enum source_status source_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds,
                                     struct source *out);

/* A source that refers to `text`, which must outlive it. */
struct source source_from_text(const char *name, const char *text, size_t length);

struct position source_position(const struct source *source, uint32_t offset);

/* The origin of the text at `offset`. NULL: unknown, or `source` is the compiled text itself. */
const struct source_origin *source_origin(const struct source *source, uint32_t offset);

/* The place that the author of a kernel looks for, also if `source` is named after the compiled file. NULL: unknown. */
const struct source_place *source_near(struct span span);

/* The line with this number, from 1, without its end; `*length`: its bytes. NULL: the source has no such line. */
const char *source_line_text(const struct source *source, uint32_t line, size_t *length);

/* Adds "line 92", with its origin "line 92, tile.h:3 in gemm.cu:4"; nothing if no place is known. */
void span_tell_line(struct span span, struct text *out);

/* The same with the line that the author of a kernel looks for: "line 92, gemm.cu:7". */
void span_tell_near(struct span span, struct text *out);

/* The part of the typed text from which the span was made, or after which it was inserted; the span itself if its
 * source is not made from a typed text. */
struct span span_typed(struct span span);

/* From the first byte of a to the last of b; both in the same source. */
struct span span_join(struct span a, struct span b);
