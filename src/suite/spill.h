/* Stores the outcomes of results apart from the results; very many wait on disk until they go into the report. */
#pragma once

#include "base/base.h"

/* Outcomes in the form of the report. */
struct stored {
  const char *bytes;   /* borrowed; NULL: they are in the file */
  int fd;
  uint64_t from, size; /* size == 0: there are none */
  uint32_t count;      /* of outcomes */
};

/* An open file without a name, in memory if the disk takes none; -1, with errno, if there is neither. */
int spill_open(void);
/* Adds bytes to the last entry of the file. False, with errno, when they cannot be written. */
bool spill_add(struct stored *stored, const char *bytes, size_t size);
/* Gives the bytes to `take`, in pieces. False, with errno, when they cannot be read. */
bool spill_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size), void *context);
/* Frees their space on the disk if the system can. */
void spill_drop(const struct stored *stored);
