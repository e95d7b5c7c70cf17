/* The first line of a JSON report: the facts of its run, on which all shards agree. */
#pragma once

#include "base/json.h"
#include "suite/suite.h"

/* The models of a run, and digests of their texts: two models of one name may differ. `by_language`: there are two, and
 * the language of a test determines its model. */
struct run_models {
  const char **names, **digests;
  size_t count;
  bool by_language;
};

struct run_models run_models(struct ptxlit *session, struct arena *arena);

void put_run(struct json run, const struct suite_options *options, const struct run_models *models);
