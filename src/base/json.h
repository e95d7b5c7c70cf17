/* Builds JSON with jansson. Its memory is not the arena's, but is released with it: a value belongs to the value that
 * contains it, and the outermost to the arena, so that a jump for a lack of memory or time leaks nothing. When jansson
 * runs out of memory, the arena jumps. */
#pragma once

#include <jansson.h>

#include "base/text.h"
#include "base/vec.h"

/* An object or an array. */
struct json {
  struct arena *arena;
  json_t *value;
  struct json_held *held; /* a value that json_new made */
};

/* An empty object, released with the arena or by json_write. */
struct json json_new(struct arena *arena);
/* A string. JSON is UTF-8, names of files need not be: in a text that is not UTF-8, each byte above 127 becomes '?'. */
json_t *json_text(struct arena *arena, const char *text);

/* These functions put a value into an object under a key, in place of the old value, or with key NULL at the end of an
 * array. put_value takes ownership of its value. A text that is NULL becomes null. */
struct json put_object(struct json to, const char *key);
struct json put_array(struct json to, const char *key);
void put_text(struct json to, const char *key, const char *text);
void put_text_or_null(struct json to, const char *key, const char *text); /* "" becomes null too */
void put_number(struct json to, const char *key, uint64_t number);
void put_bool(struct json to, const char *key, bool value);
void put_null(struct json to, const char *key);
void put(struct json to, const char *key, json_t *value);

/* Several members at once: PUT(item, J_TEXT("name", name), J_SOME("section", section), J_NUMBER("line", line)). */
struct json_member {
  const char *key, *text;
  uint64_t number;
  enum { MEMBER_END, MEMBER_TEXT, MEMBER_TEXT_OR_NULL, MEMBER_NUMBER, MEMBER_BOOL } kind;
};
#define J_TEXT(key, text) ((struct json_member){key, text, 0, MEMBER_TEXT})
#define J_SOME(key, text) ((struct json_member){key, text, 0, MEMBER_TEXT_OR_NULL})
#define J_NUMBER(key, number) ((struct json_member){key, NULL, number, MEMBER_NUMBER})
#define J_BOOL(key, value) ((struct json_member){key, NULL, value, MEMBER_BOOL})
#define J_NULL(key) J_TEXT(key, NULL)
#define PUT(to, ...) put_members(to, (const struct json_member[]){__VA_ARGS__, {0}})
void put_members(struct json to, const struct json_member *members);
/* An array with an object for each element `e` of a vector. */
#define PUT_EACH(to, key, e, vec, ...)                                                                                 \
  do {                                                                                                                 \
    struct json e##_list = put_array(to, key);                                                                         \
    VEC_EACH (e, vec) PUT(put_object(e##_list, NULL), __VA_ARGS__);                                                    \
  } while (0)

/* Members of an object that was read: "", 0 and false if it lacks them, or they are of another type. */
const char *member_text(const json_t *object, const char *key);
long long member_number(const json_t *object, const char *key);
bool member_holds(const json_t *object, const char *key);
bool member_is(const json_t *object, const char *key, const char *word);

/* Adds the value on one line, with a newline. */
void json_add_line(struct arena *arena, const json_t *value, struct text *out);
/* Writes a value made by json_new and releases it. */
void json_write(struct json json, struct text *out);
/* For objects too large to build: writes an object without its closing brace. */
void json_write_head(struct json json, struct text *out);
void json_write_rest(struct json json, struct text *out);
/* A string as JSON, with quotes. */
const char *json_quoted(struct arena *arena, const char *text);
