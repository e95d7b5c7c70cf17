#include "suite/cache.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include <sha2.h>

#include "base/output.h"
#include "suite/run_file.h"
#include "suite/run_head.h"

/* Uses a digest of the executable, because two builds of one version may differ. */
static const char *tool_digest(struct arena *arena, const struct ptxlit_options *check) {
  char executable[SHA256_DIGEST_STRING_LENGTH] = "";
  struct text text = {.arena = arena};
  struct json options = json_new(arena);
  if (!SHA256File("/proc/self/exe", executable)) executable[0] = '\0';
  text_printf(&text, "ptxlit cache 4 %s %s %s ", ptxlit_version(), ptxlit_solver(), executable);
  put_options(options, check, false);
  json_write(options, &text);
  return run_digest(arena, &text);
}

/* True, with a message, if anyone but this user, the directory's group and the superuser may write there. */
static bool is_open_to_others(const char *path, const struct stat *about) {
  bool foreign = about->st_uid != geteuid() && about->st_uid != 0 && !(about->st_mode & S_IWGRP);
  if (!(about->st_mode & S_IWOTH) && !foreign) return false;
  text_say(stderr, "ptxlit: error: the cache directory '%s' %s, so its verdicts cannot be trusted\n    hint: %s\n",
           path, foreign ? "is another user's" : "can be written by anyone",
           foreign ? "use one of your own" : "chmod o-w takes that right away");
  return true;
}

bool cache_open(struct cache *cache, const char *dir, struct ptxlit *session, const struct ptxlit_options *check) {
  *cache = (struct cache){.dir = dir};
  arena_init(&cache->arena, NULL);
  if (mkdir(dir, 0775) != 0 && errno != EEXIST) {
    text_say(stderr, "ptxlit: error: cannot make the cache directory '%s': %s\n", dir, strerror(errno));
    return false;
  }
  if (access(dir, W_OK | X_OK) != 0) {
    text_say(stderr, "ptxlit: error: cannot write to the cache directory '%s': %s\n", dir, strerror(errno));
    return false;
  }
  struct stat about;
  if (stat(dir, &about) != 0 || is_open_to_others(dir, &about)) return false;
  cache->models = run_models(session, &cache->arena);
  cache->tool = tool_digest(&cache->arena, check);
  return true;
}

void cache_close(struct cache *cache) { arena_release(&cache->arena); }

const char *cache_key(struct arena *arena, const struct cache *cache, const char *base, const char *text, size_t length,
                      size_t test, const char *model) {
  struct text key = {.arena = arena};
  text_printf(&key, "%s %s ", cache->tool, model);
  for (size_t i = 0; i < cache->models.count; i++)
    if (strcmp(cache->models.names[i], model) == 0) text_add(&key, cache->models.digests[i]);
  text_printf(&key, " %s/%zu ", base, test); /* a file's name has no slash, so the key is unambiguous */
  text_add_slice(&key, text, length);
  return run_digest(arena, &key);
}

static char *folder_path(struct arena *arena, const struct cache *cache, const char *key) {
  return arena_printf(arena, "%s/%.2s", cache->dir, key);
}

static char *entry_path(struct arena *arena, const struct cache *cache, const char *key) {
  return arena_printf(arena, "%s/%.2s/%s.json", cache->dir, key, key + 2);
}

/* The check sum of an entry: of its key and the rest of the entry. */
static const char *sum_of(struct arena *arena, const char *key, const json_t *record) {
  struct text text = {.arena = arena};
  text_add(&text, key);
  json_add_line(arena, record, &text);
  return run_digest(arena, &text);
}

static bool is_whole(const json_t *json, const char *key) {
  struct arena arena;
  const char *sum = json_string_value(json_object_get(json, "sum"));
  json_t *record = sum ? json_copy((json_t *)(uintptr_t)json) : NULL;
  arena_init(&arena, NULL);
  bool whole = record && json_object_del(record, "sum") == 0 && strcmp(sum, sum_of(&arena, key, record)) == 0;
  json_decref(record);
  arena_release(&arena);
  return whole;
}

/* Checks a directory of entries. False, with errno, if it is not a directory, or if anyone may write there. */
static bool is_safe(const char *folder) {
  struct stat about;
  if (lstat(folder, &about) != 0) return false;
  errno = !S_ISDIR(about.st_mode) ? ENOTDIR : about.st_mode & S_IWOTH ? EACCES : 0;
  return errno == 0;
}

/* Opens an entry. NULL also if it is not a plain file, because a pipe would block, or if anyone may have written it. */
static FILE *open_entry(const char *path) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && !(about.st_mode & S_IWOTH) ? fdopen(fd, "r") : NULL;
  if (!file) close(fd);
  return file;
}

json_t *cache_get(const struct cache *cache, const char *key) {
  struct arena arena;
  struct record record = {0};
  arena_init(&arena, NULL);
  char *path = entry_path(&arena, cache, key);
  FILE *open = is_safe(folder_path(&arena, cache, key)) ? open_entry(path) : NULL;
  struct run_file file;
  json_t *found = NULL;
  if (open && run_file_open(&file, path, open, true) && run_file_next(&file, &record)) {
    if (is_whole(record.json, key)) found = json_incref(record.json);
    if (found) json_object_del(found, "sum");
    record_release(&record);
  }
  if (open) run_file_close(&file);
  arena_release(&arena);
  return found;
}

bool cache_put(const struct cache *cache, const char *key, const char *line) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct json json = json_new(&arena);
  struct text entry = {.arena = &arena};
  json_t *record = json_loads(line, 0, NULL);
  json_object_update(json.value, record);
  json_decref(record);
  put_text(json, "sum", sum_of(&arena, key, json.value));
  json_write(json, &entry);
  const char *folder = folder_path(&arena, cache, key);
  mkdir(folder, 0775); /* writing the entry reports a failure */
  bool kept = is_safe(folder) && output_write(entry_path(&arena, cache, key), entry.data, entry.len, OUTPUT_GUARDED);
  int why = errno;
  arena_release(&arena);
  errno = why;
  return kept;
}
