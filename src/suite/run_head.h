/* The first line of a JSON report: the facts of its run, on which all shards agree. */
#ifndef PTXLIT_SUITE_RUN_HEAD_H
#define PTXLIT_SUITE_RUN_HEAD_H

#include "base/json.h"
#include "suite/suite.h"

void put_run(struct json run, const struct suite_options *options);

/* Adds those options that a result can depend on; with `limits` also those by which there can be none. */
void put_options(struct json to, const struct ptxlit_options *options, bool limits);

/* The digest of a model's text: two of one name may differ. */
void model_digest(struct ptxlit *session, size_t model, char hex[65]);

#endif
