#include "out/build_json.h"

#include <string.h>

#include "base/text.h"
#include "out/out.h"

void json_put(struct json_build *b, json_t *object, const char *key, json_t *value) {
  if (json_object_set_new(object, key, value)) b->failed = true;
}

void json_push(struct json_build *b, json_t *array, json_t *value) {
  if (json_array_append_new(array, value)) b->failed = true;
}

static json_t *string(struct json_build *b, const char *text) {
  if (!text) return json_null();
  json_t *value = json_string(text);
  if (value) return value;
  char *plain = arena_strdup(b->arena, text);
  for (char *at = plain; *at; at++)
    if ((unsigned char)*at > 127) *at = '?';
  return json_string(plain);
}

void json_put_text(struct json_build *b, json_t *object, const char *key, const char *text) {
  json_put(b, object, key, string(b, text));
}

void json_push_text(struct json_build *b, json_t *array, const char *text) { json_push(b, array, string(b, text)); }

void json_put_number(struct json_build *b, json_t *object, const char *key, uint64_t number) {
  json_put(b, object, key, json_integer((json_int_t)number));
}

void json_put_bool(struct json_build *b, json_t *object, const char *key, bool value) {
  json_put(b, object, key, json_boolean(value));
}

void json_put_place(struct json_build *b, json_t *object, const struct program *program, uint32_t thread,
                    uint32_t instr) {
  struct text text;
  text_init(&text, b->arena);
  out_instr(program, thread, instr, &text);
  struct span span = thread == NO_THREAD ? (struct span){0} : program->threads[thread].instrs[instr].span;
  struct position at = {0};
  if (span.source) at = source_position(span.source, span.begin);
  json_put(b, object, "thread", thread == NO_THREAD ? json_null() : json_integer(program->threads[thread].number));
  json_put(b, object, "line", span.source ? json_integer(at.line) : json_null());
  json_put(b, object, "column", span.source ? json_integer(at.column) : json_null());
  json_put_text(b, object, "text", text_str(&text));
}

json_t *json_begin(struct json_build *b, const struct program *program, const char *model) {
  json_t *object = json_object();
  json_put_number(b, object, "format", 1);
  json_put_text(b, object, "test", program->name);
  json_put_text(b, object, "file", program->source ? program->source->name : NULL);
  struct span span = program->span;
  json_put(b, object, "line", span.source ? json_integer(source_position(span.source, span.begin).line) : json_null());
  json_put_text(b, object, "model", model);
  return object;
}

static int write_chunk(const char *chunk, size_t size, void *out) {
  text_add_slice(out, chunk, size);
  return 0;
}

void json_finish(struct json_build *b, json_t *object, struct text *out) {
  const size_t flags = JSON_COMPACT | JSON_REAL_PRECISION(6);
  bool failed = b->failed || json_dump_callback(object, write_chunk, out, flags) != 0;
  json_decref(object);
  if (failed) arena_alloc(b->arena, SIZE_MAX); /* does not return */
  text_char(out, '\n');
}
