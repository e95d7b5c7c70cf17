#include "base/json.h"

#include <stdlib.h>
#include <string.h>

static json_t *need(struct arena *arena, json_t *value) {
  if (!value) arena_out_of_memory(arena);
  return value;
}

struct json_held {
  json_t *value;
};

static void release(void *object) {
  struct json_held *held = object;
  json_decref(held->value);
  *held = (struct json_held){0};
}

static struct json_held *hold(struct arena *arena) {
  struct json_held *held = ARENA_NEW(arena, struct json_held);
  arena_own(arena, release, held);
  return held;
}

struct json json_new(struct arena *arena) {
  struct json_held *held = hold(arena);
  held->value = need(arena, json_object());
  return (struct json){arena, held->value, held};
}

json_t *json_text(struct arena *arena, const char *text) {
  json_t *value = json_string(text);
  if (value) return value;
  char *plain = arena_strdup(arena, text);
  for (char *at = plain; *at; at++)
    if ((unsigned char)*at > 127) *at = '?';
  return need(arena, json_string(plain));
}

void put(struct json to, const char *key, json_t *value) {
  need(to.arena, value);
  bool failed = key ? json_object_set_new_nocheck(to.value, key, value) : json_array_append_new(to.value, value);
  if (failed) arena_out_of_memory(to.arena);
}

static struct json put_new(struct json to, const char *key, json_t *value) {
  put(to, key, value);
  return (struct json){to.arena, value, NULL};
}

struct json put_object(struct json to, const char *key) {
  return put_new(to, key, json_object());
}
struct json put_array(struct json to, const char *key) {
  return put_new(to, key, json_array());
}
void put_text(struct json to, const char *key, const char *text) {
  put(to, key, text ? json_text(to.arena, text) : json_null());
}
void put_text_or_null(struct json to, const char *key, const char *text) {
  put_text(to, key, text && *text ? text : NULL);
}
void put_number(struct json to, const char *key, uint64_t number) { put(to, key, json_integer((json_int_t)number)); }
void put_bool(struct json to, const char *key, bool value) { put(to, key, json_boolean(value)); }
void put_null(struct json to, const char *key) { put(to, key, json_null()); }

/* ---- Writing: on one line, members in the order in which they were put, and much faster than by json_dumpb ---- */

/* A '#' before another is escaped: a line may be part of the log of a job, whose runner would take "##[" in a name for
 * a command (text_visible). */
static bool is_escaped(const char *at) {
  return *at == '"' || *at == '\\' || (unsigned char)*at < ' ' || (*at == '#' && at[1] == '#');
}

static void add_escape(struct text *out, char c) {
  static const char escaped[] = "\"\\\b\f\n\r\t", letters[] = "\"\\bfnrt";
  const char *at = c ? strchr(escaped, c) : NULL;
  text_char(out, '\\');
  if (at) text_char(out, letters[at - escaped]);
  else text_printf(out, "u%04X", (unsigned)(unsigned char)c);
}

static void add_string(struct text *out, const char *string, size_t length) {
  size_t begin = 0;
  text_char(out, '"');
  for (size_t i = 0; i < length; i++) {
    if (!is_escaped(string + i)) continue;
    text_add_slice(out, string + begin, i - begin);
    add_escape(out, string[i]);
    begin = i + 1;
  }
  text_add_slice(out, string + begin, length - begin);
  text_char(out, '"');
}

static void add_real(struct text *out, const json_t *value) {
  char digits[64];
  size_t size = json_dumpb(value, digits, sizeof digits, JSON_ENCODE_ANY | JSON_REAL_PRECISION(6));
  if (!size || size > sizeof digits) arena_out_of_memory(out->arena);
  text_add_slice(out, digits, size);
}

static void add_value(struct text *out, const json_t *value);

static void add_object(struct text *out, json_t *object) {
  char before = '{';
  for (void *at = json_object_iter(object); at; at = json_object_iter_next(object, at)) {
    const char *key = json_object_iter_key(at);
    text_char(out, before);
    add_string(out, key, strlen(key));
    text_char(out, ':');
    add_value(out, json_object_iter_value(at));
    before = ',';
  }
  text_add(out, before == '{' ? "{}" : "}");
}

static void add_value(struct text *out, const json_t *value) {
  switch (json_typeof(value)) {
    case JSON_OBJECT: add_object(out, (json_t *)value); return;
    case JSON_ARRAY:
      text_char(out, '[');
      for (size_t i = 0; i < json_array_size(value); i++) {
        if (i) text_char(out, ',');
        add_value(out, json_array_get(value, i));
      }
      text_char(out, ']');
      return;
    case JSON_STRING: add_string(out, json_string_value(value), json_string_length(value)); return;
    case JSON_INTEGER: text_value(out, (value_t)json_integer_value(value), 64, true); return;
    case JSON_REAL: add_real(out, value); return;
    case JSON_TRUE: text_add(out, "true"); return;
    case JSON_FALSE: text_add(out, "false"); return;
    case JSON_NULL: text_add(out, "null"); return;
  }
}

void json_add_line(const json_t *value, struct text *out) {
  add_value(out, value);
  text_char(out, '\n');
}

void json_write(struct json json, struct text *out) {
  json_add_line(json.value, out);
  release(json.held);
}

void json_write_head(struct json json, struct text *out) {
  add_value(out, json.value);
  out->data[--out->len] = '\0';
  release(json.held);
}

void json_write_rest(struct json json, struct text *out) {
  size_t begin = out->len;
  add_value(out, json.value);
  if (json_object_size(json.value)) out->data[begin] = ',';
  else out->data[begin] = '}', out->len--;
  text_char(out, '\n');
  release(json.held);
}

/* Whether nothing in it needs an escape: most names are so. */
static bool is_plain(const char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~' || strchr("\"\\#", *text)) return false;
  return true;
}

const char *json_quoted(struct arena *arena, const char *text) {
  if (is_plain(text)) return arena_printf(arena, "\"%s\"", text);
  struct json json = json_new(arena);
  struct text quoted = {.arena = arena};
  put_text(json, "", text);
  add_value(&quoted, json_object_get(json.value, ""));
  release(json.held);
  return text_str(&quoted);
}
