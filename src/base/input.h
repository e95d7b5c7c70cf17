/* Opens and reads files within a time limit, since a pipe or a terminal may never end. */
#pragma once

#include "base/arena.h"

/* The file at a path, or with "-" standard input. Reading from a pipe, a terminal or another device fails with
 * ETIMEDOUT once the deadline (base_deadline) has passed. NULL with errno if it cannot be opened. The caller closes
 * it. */
FILE *input_open(const char *path, double deadline);

/* A stream from a descriptor, with the deadline (0: none) of input_open. Takes ownership of the descriptor. NULL with
 * errno if that fails; then it is still open. */
FILE *input_stream(int fd, double deadline);

/* Reads the whole file at a path, opened as by input_open, into the arena, with a NUL after it. NULL, with errno, if it
 * cannot be read; EFBIG: it has more than `most` bytes (at least 64 KB). */
char *input_read(struct arena *arena, const char *path, double deadline, size_t most, size_t *length);

/* The directories in which a file may lie that another, perhaps untrusted, file names; in the form of input_real. */
struct input_bounds {
  const char *const *dirs;
  uint32_t count;
  bool closed; /* nothing outside of them is opened */
};

/* The path of a file or directory without links, in the arena; NULL with errno if there is none. */
const char *input_real(struct arena *arena, const char *path);
/* True if a path leads to something other than a regular file: reading a pipe might wait for ever. */
bool input_is_special(const char *path);
/* True if a path without links is that of one of the directories, or lies below it. */
bool input_is_within(const struct input_bounds *bounds, const char *real);

/* Reads a file that another file names, as input_read. NULL with errno: EMEDIUMTYPE for a file that is not regular,
 * such as a pipe, or only pretends to be, as under /proc; EXDEV for one outside of closed bounds. `*within`: the file
 * that was read lies in the bounds, wherever links led. */
char *input_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds, size_t most,
                       size_t *length, bool *within);
