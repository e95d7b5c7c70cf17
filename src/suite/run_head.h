/* The first line of a JSON report: the facts of its run, on which all shards agree. */
#pragma once

#include "base/json.h"
#include "suite/suite.h"

/* The digest of a text, which may hold NUL bytes: 64 hexadecimal digits. */
const char *run_digest(struct arena *arena, const struct text *text);

/* Adds the options on which a result can depend; with `limits`, also the options that can prevent one. */
void put_options(struct json to, const struct ptxlit_options *options, bool limits);

/* The models of a run, and digests of their texts: two models of one name may differ. `by_language`: there are two, and
 * the language of a test determines its model. */
struct run_models {
  const char **names, **digests;
  size_t count;
  bool by_language;
};

struct run_models run_models(struct ptxlit *session, struct arena *arena);

void put_run(struct json run, const struct suite_options *options, const struct run_models *models);
