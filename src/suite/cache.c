#include "suite/cache.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/output.h"
#include "suite/record.h"
#include "suite/run_head.h"
#include "suite/sha256.h"

/* Two builds of one version may differ: the executable itself counts. */
static void add_executable(struct sha256 *hash) {
  unsigned char buffer[65536];
  FILE *file = fopen("/proc/self/exe", "rb");
  size_t length;
  while (file && (length = fread(buffer, 1, sizeof buffer, file)) > 0) sha256_add(hash, buffer, length);
  if (file) fclose(file);
}

static void add_options(struct sha256 *hash, const struct ptxlit_options *check) {
  struct arena arena;
  struct text line = {.arena = &arena};
  arena_init(&arena, NULL);
  struct json options = json_new(&arena);
  put_options(options, check, false);
  json_write(options, &line);
  sha256_add_text(hash, text_str(&line));
  arena_release(&arena);
}

static const char *tool_digest(struct cache *cache, const struct ptxlit_options *check) {
  struct sha256 hash;
  char *hex = arena_alloc(&cache->arena, 65);
  sha256_init(&hash);
  sha256_add_text(&hash, "ptxlit cache 2");
  sha256_add_text(&hash, ptxlit_version());
  sha256_add_text(&hash, ptxlit_solver());
  add_executable(&hash);
  add_options(&hash, check);
  sha256_finish(&hash, hex);
  return hex;
}

/* Nobody but us, whoever shares the directory with us as a group, and the superuser. */
static bool is_open_to_others(const char *path, const struct stat *about) {
  bool foreign = about->st_uid != geteuid() && about->st_uid != 0 && !(about->st_mode & S_IWGRP);
  if (!(about->st_mode & S_IWOTH) && !foreign) return false;
  text_say(stderr,
           "ptxlit: error: the cache directory '%s' %s, so that its verdicts mean nothing\n"
           "    hint: %s\n",
           path, foreign ? "is somebody else's" : "can be written by anyone",
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
  size_t count = ptxlit_model_count(session);
  const char **models = ARENA_ARRAY(&cache->arena, const char *, count);
  for (size_t i = 0; i < count; i++) {
    char hex[65];
    model_digest(session, i, hex);
    models[i] = arena_printf(&cache->arena, "%s %s", ptxlit_model_name(session, i), hex);
  }
  cache->models = models;
  cache->tool = tool_digest(cache, check);
  return true;
}

void cache_close(struct cache *cache) { arena_release(&cache->arena); }

void cache_key(const struct cache *cache, const char *base, const char *text, size_t length, size_t test, size_t model,
               char key[65]) {
  struct sha256 hash;
  uint64_t index = test;
  sha256_init(&hash);
  sha256_add_text(&hash, cache->tool);
  sha256_add_text(&hash, cache->models[model]);
  sha256_add_text(&hash, base);
  sha256_add(&hash, &index, sizeof index);
  sha256_add(&hash, text, length);
  sha256_finish(&hash, key);
}

static char *folder_path(struct arena *arena, const struct cache *cache, const char *key) {
  return arena_printf(arena, "%s/%.2s", cache->dir, key);
}

static char *entry_path(struct arena *arena, const struct cache *cache, const char *key) {
  return arena_printf(arena, "%s/%.2s/%s.json", cache->dir, key, key + 2);
}

/* The check sum of an entry, whose second line is at hand or begins where `file` is read. */
static void check_sum(const char *key, FILE *file, char hex[65]) {
  struct sha256 hash;
  char bytes[1 << 14];
  sha256_init(&hash);
  sha256_add_text(&hash, key);
  for (size_t got; (got = fread(bytes, 1, sizeof bytes, file)) > 0;) sha256_add(&hash, bytes, got);
  sha256_finish(&hash, hex);
}

enum { SUM_LINE = 65 };

/* The entry is two lines: the check sum of the second, and the result. */
static bool is_whole(FILE *file, const char *key) {
  char sum[SUM_LINE], wanted[65];
  if (fread(sum, 1, sizeof sum, file) != sizeof sum || sum[SUM_LINE - 1] != '\n') return false;
  check_sum(key, file, wanted);
  return memcmp(sum, wanted, SUM_LINE - 1) == 0 && fseek(file, SUM_LINE, SEEK_SET) == 0;
}

static json_t *read_entry(FILE *file, const char *key, int fd, struct printed *printed) {
  struct arena arena;
  arena_init(&arena, NULL);
  bool right = is_whole(file, key) && printed_read(printed, &arena, fd, file);
  json_t *json = right ? json_loads(printed->line, 0, NULL) : NULL;
  printed->line = NULL;
  arena_release(&arena);
  return json;
}

/* The directory of some entries. False, with errno, when it is none, or anyone may write there. */
static bool is_safe(const char *folder) {
  struct stat about;
  if (lstat(folder, &about) != 0) return false;
  errno = !S_ISDIR(about.st_mode) ? ENOTDIR : about.st_mode & S_IWOTH ? EACCES : 0;
  return errno == 0;
}

/* NULL also for what is no plain file, since a pipe would be waited for, and for what anyone may have written. */
static FILE *open_entry(const char *path) {
  struct stat about;
  int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOFOLLOW | O_CLOEXEC);
  if (fd < 0) return NULL;
  FILE *file = fstat(fd, &about) == 0 && S_ISREG(about.st_mode) && !(about.st_mode & S_IWOTH) ? fdopen(fd, "r") : NULL;
  if (!file) close(fd);
  return file;
}

json_t *cache_get(const struct cache *cache, const char *key, int fd, struct printed *printed) {
  struct arena arena;
  struct record record = {0};
  arena_init(&arena, NULL);
  FILE *file = is_safe(folder_path(&arena, cache, key)) ? open_entry(entry_path(&arena, cache, key)) : NULL;
  json_t *json = file ? read_entry(file, key, fd, printed) : NULL;
  if (file) fclose(file);
  arena_release(&arena);
  if (!json || !record_from_json(json, &record)) return NULL;
  return record.json;
}

struct entry {
  FILE *file;
  struct sha256 hash;
  bool failed;
};

static void write_piece(void *context, const char *data, size_t size) {
  struct entry *entry = context;
  sha256_add(&entry->hash, data, size);
  entry->failed = fwrite(data, 1, size, entry->file) != size || entry->failed;
}

static bool write_whole(int fd, const char *key, struct ptxlit *session, const struct ptxlit_result *result,
                        const char *line) {
  struct stat about;
  struct entry entry = {.file = fdopen(fd, "w")};
  char sum[65];
  bool printed = true;
  if (fstat(fd, &about) == 0) fchmod(fd, about.st_mode & (mode_t)~S_IWOTH);
  if (!entry.file) {
    close(fd);
    return false;
  }
  sha256_init(&entry.hash);
  sha256_add_text(&entry.hash, key);
  fprintf(entry.file, "%*s\n", SUM_LINE - 1, ""); /* the sum comes when it is known */
  if (line) write_piece(&entry, line, strlen(line));
  else printed = ptxlit_print(session, result, PTXLIT_JSON, write_piece, &entry);
  sha256_finish(&entry.hash, sum);
  bool summed = fseek(entry.file, 0, SEEK_SET) == 0 && fwrite(sum, 1, SUM_LINE - 1, entry.file) == SUM_LINE - 1;
  bool right = printed && summed && !entry.failed && !ferror(entry.file);
  return fclose(entry.file) == 0 && right;
}

bool cache_put(const struct cache *cache, const char *key, struct ptxlit *session, const struct ptxlit_result *result,
               const char *line) {
  struct arena arena;
  arena_init(&arena, NULL);
  char *path = entry_path(&arena, cache, key), *folder = folder_path(&arena, cache, key), *part = NULL;
  mkdir(folder, 0775); /* a failure shows when the entry is written */
  int fd = is_safe(folder) ? output_beside(path, &part) : -1;
  bool kept = fd >= 0 && write_whole(fd, key, session, result, line) && output_name(part, path, false);
  int why = errno;
  if (!kept && part) unlink(part);
  free(part);
  arena_release(&arena);
  errno = why;
  return kept;
}
