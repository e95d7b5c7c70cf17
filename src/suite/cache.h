/* A cache of results on disk. The key is the text of the test, the model, the options and the tool itself. Several runs
 * may use the same directory at the same time: an entry is a file with one record, as in a JSON report, which is
 * renamed into place and never changed. A torn or edited entry is detected by its check sum, and replaced. */
#pragma once

#include <jansson.h>

#include "base/arena.h"
#include "suite/run_head.h"

struct cache {
  struct arena arena;
  const char *dir;
  const char *tool; /* a digest of the executable, version and options */
  struct run_models models;
};

/* Makes the directory unless it exists. False, with a message, if it cannot be used. The models must be loaded. */
bool cache_open(struct cache *cache, const char *dir, struct ptxlit *session, const struct ptxlit_options *check);
void cache_close(struct cache *cache);

/* The digest for one test of a file. `base`: the file's name without directory, after which some formats name tests. */
const char *cache_key(struct arena *arena, const struct cache *cache, const char *base, const char *text, size_t length,
                      size_t test, const char *model);
/* The result, or NULL if there is none or the entry is damaged. */
json_t *cache_get(const struct cache *cache, const char *key);
/* Stores a result, the JSON line of a record. False, with errno, if it cannot be written. */
bool cache_put(const struct cache *cache, const char *key, const char *line);
