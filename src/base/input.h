/* Opens and reads files within a time limit, because a pipe or a terminal may never end. */
#pragma once

#include "base/arena.h"

/* The file at a path, or with "-" standard input. Reading from a pipe, a terminal or another device fails with
 * ETIMEDOUT once the deadline (base_deadline) has passed. NULL with errno if it cannot be opened; `closed`: EXDEV if a
 * link leads elsewhere (input_leads_out). The caller closes it. */
FILE *input_open(const char *path, double deadline, bool closed);

/* True if a link in a path, which may be a directory, leads out of the directory that contains the link: whoever wrote
 * the directory chose the file. */
bool input_leads_out(const char *path);

/* A stream from a descriptor, with the deadline (0: none) of input_open. Takes ownership of the descriptor. NULL with
 * errno if that fails; then the descriptor is still open. */
FILE *input_stream(int fd, double deadline);

/* Reads the whole file at a path, opened as by input_open, into the arena, with a NUL after it. NULL, with errno, if it
 * cannot be read; EFBIG: it has more than `most` bytes (`most` is at least 64 KB). */
char *input_read(struct arena *arena, const char *path, double deadline, bool closed, size_t most, size_t *length);

/* The directories that may contain a file named by another, perhaps untrusted, file; as input_real returns them. */
struct input_bounds {
  const char *const *dirs;
  uint32_t count;
  bool closed; /* no file outside them is opened */
};

/* The path of a file or directory without links, in the arena; NULL with errno if there is none. */
const char *input_real(struct arena *arena, const char *path);
/* True if a path leads to something other than a regular file: reading a pipe might wait for ever. */
bool input_is_special(const char *path);
/* True if a path without links is one of the directories, or lies below one. */
bool input_is_within(const struct input_bounds *bounds, const char *real);
/* True if a path leads to a place outside the directories, or through one. The answer does not tell if there is a file
 * outside. */
bool input_is_outside(struct arena *arena, const struct input_bounds *bounds, const char *path);

/* Reads a file that another file names, as input_read. NULL with errno: EMEDIUMTYPE for a file that is not regular (a
 * pipe) or whose content is generated (under /proc); EXDEV for a file outside closed bounds. Sets `*within` if the file
 * lies in the bounds after all links are resolved. */
char *input_read_named(struct arena *arena, const char *path, const struct input_bounds *bounds, size_t most,
                       size_t *length, bool *within);
