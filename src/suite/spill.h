/* Stores the outcomes of results separately; very many outcomes wait on disk until they go into the report. */
#pragma once

#include "base/base.h"

/* Outcomes in the form of the report. */
struct stored {
  const char *bytes; /* borrowed; NULL: the bytes are in the file */
  int fd;
  uint64_t from, size; /* size == 0: no outcomes */
};

/* Opens a file without a name, in memory if the disk has no space; -1, with errno, if both fail. */
int spill_open(void);
/* Adds bytes to the last entry of the file. False, with errno, if they cannot be written. */
bool spill_add(struct stored *stored, const char *bytes, size_t size);
/* Passes the bytes to `take` in pieces. False, with errno, if they cannot be read. */
bool spill_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size), void *context);
/* Frees the space of stored outcomes on the disk, if the system can. */
void spill_drop(const struct stored *stored);
