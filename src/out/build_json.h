/* Small helpers to build JSON with jansson, for the printers of what src/explain finds. A lack of memory is noted in
 * `failed` and acted on once, when the object is written. Private to src/out. */
#ifndef PTXLIT_OUT_BUILD_JSON_H
#define PTXLIT_OUT_BUILD_JSON_H

#include <jansson.h>

#include "base/text.h"
#include "explain/explain.h"

struct json_build {
  struct arena *arena;
  bool failed;
};

void json_put(struct json_build *build, json_t *object, const char *key, json_t *value);
void json_push(struct json_build *build, json_t *array, json_t *value);
/* NULL gives null. JSON is UTF-8, file names need not be: other bytes become '?'. */
void json_put_text(struct json_build *build, json_t *object, const char *key, const char *text);
void json_push_text(struct json_build *build, json_t *array, const char *text);
void json_put_number(struct json_build *build, json_t *object, const char *key, uint64_t number);
void json_put_bool(struct json_build *build, json_t *object, const char *key, bool value);
/* {thread, line, column, text}, with null for what an initial write does not have; added to `object`. */
void json_put_place(struct json_build *build, json_t *object, const struct program *program, uint32_t thread,
                    uint32_t instr);
/* {interleaving, steps, more, orders, state}, or null. */
json_t *json_history(struct json_build *build, const struct program *program, const struct explain_history *history);
/* The members of an explanation, added to `object`. */
void json_explanation(struct json_build *build, json_t *object, const struct explanation *explanation);
/* format, test, file, line, model. */
json_t *json_begin(struct json_build *build, const struct program *program, const char *model);
/* The object on one line with a line end; releases it. When memory ran out this is the arena's failure. */
void json_finish(struct json_build *build, json_t *object, struct text *out);

#endif
