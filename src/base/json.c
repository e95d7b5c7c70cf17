#include "base/json.h"

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

static void put_member(struct json to, const struct json_member *member) {
  switch (member->kind) {
    case MEMBER_END: break;
    case MEMBER_TEXT: put_text(to, member->key, member->text); break;
    case MEMBER_TEXT_OR_NULL: put_text_or_null(to, member->key, member->text); break;
    case MEMBER_NUMBER: put_number(to, member->key, member->number); break;
    case MEMBER_BOOL: put_bool(to, member->key, member->number != 0); break;
  }
}

void put_members(struct json to, const struct json_member *members) {
  for (; members->kind != MEMBER_END; members++) put_member(to, members);
}

enum { USUAL_SIZE = 1000 }; /* usually sufficient, so that the value is written once */

/* JSON escapes a character beyond 16 bits as two. */
static void add_escaped(struct text *out, uint32_t character) {
  uint32_t rest = character - 0x10000;
  if (character < 0x10000) text_printf(out, "\\u%04x", (unsigned)character);
  else text_printf(out, "\\u%04x\\u%04x", 0xd800 + (unsigned)(rest >> 10), 0xdc00 + (unsigned)(rest & 0x3ff));
}

/* Writes hidden characters (text.h) as \u202e, and each '#' before another '#' as \u0023: the line may be part of the
 * log of a CI job, whose runner would take "##[" in a name for a command. Both occur only in strings. */
static char *without_commands(struct arena *arena, const char *line, size_t *size) {
  struct text out = {.arena = arena};
  for (size_t length; *line; line += length) {
    uint32_t character = text_character(line, &length);
    if ((line[0] == '#' && line[1] == '#') || text_is_hidden(character)) add_escaped(&out, character);
    else text_add_slice(&out, line, length);
  }
  *size = out.len;
  return out.data;
}

static bool may_command(const char *line) {
  for (; *line; line++)
    if ((unsigned char)*line >= 0x7f || (line[0] == '#' && line[1] == '#')) return true;
  return false;
}

/* json_dumps silently loses characters if its own buffer cannot grow. */
static char *dump(struct arena *arena, const json_t *value, size_t *size) {
  const size_t flags = JSON_COMPACT | JSON_ENCODE_ANY | JSON_REAL_PRECISION(6);
  char *line = arena_alloc(arena, USUAL_SIZE + 1);
  *size = json_dumpb(value, line, USUAL_SIZE, flags);
  if (*size > USUAL_SIZE) {
    line = arena_alloc(arena, *size + 1);
    if (json_dumpb(value, line, *size, flags) != *size) *size = 0;
  }
  if (!*size) arena_out_of_memory(arena);
  line[*size] = '\0';
  return may_command(line) ? without_commands(arena, line, size) : line;
}

void json_add_line(struct arena *arena, const json_t *value, struct text *out) {
  size_t size;
  const char *line = dump(arena, value, &size);
  text_add_slice(out, line, size);
  text_char(out, '\n');
}

void json_write(struct json json, struct text *out) {
  json_add_line(json.arena, json.value, out);
  release(json.held);
}

void json_write_head(struct json json, struct text *out) {
  size_t size;
  const char *line = dump(json.arena, json.value, &size);
  text_add_slice(out, line, size - 1);
  release(json.held);
}

void json_write_rest(struct json json, struct text *out) {
  size_t size;
  char *line = dump(json.arena, json.value, &size);
  if (size > 2) line[0] = ',';
  text_add(out, size > 2 ? line : "}");
  text_char(out, '\n');
  release(json.held);
}

/* True if no character needs an escape, as in most names. */
static bool is_plain(const char *text) {
  for (; *text; text++)
    if (*text < ' ' || *text > '~' || strchr("\"\\#", *text)) return false;
  return true;
}

const char *json_quoted(struct arena *arena, const char *text) {
  if (is_plain(text)) {
    struct text plain = {.arena = arena};
    text_char(&plain, '"');
    text_add(&plain, text);
    text_char(&plain, '"');
    return text_str(&plain);
  }
  struct json json = json_new(arena);
  put_text(json, "", text);
  size_t size;
  const char *quoted = dump(arena, json_object_get(json.value, ""), &size);
  release(json.held);
  return quoted;
}

const char *member_text(const json_t *object, const char *key) {
  const char *text = json_string_value(json_object_get(object, key));
  return text ? text : "";
}

long long member_number(const json_t *object, const char *key) {
  return json_integer_value(json_object_get(object, key));
}

bool member_holds(const json_t *object, const char *key) { return json_is_true(json_object_get(object, key)); }

bool member_is(const json_t *object, const char *key, const char *word) {
  return strcmp(member_text(object, key), word) == 0;
}
