#include "suite/worker.h"

#include "base/input.h"

static uint64_t hash_of(const char *file, const char *name) {
  return hash_mix(hash_bytes(file, strlen(file)), hash_bytes(name, strlen(name)));
}

static void take(void *state, struct record *record, const struct run_file *file) {
  struct rerun *rerun = state;
  if (!record->judged && !rerun->wrong)
    text_say(stderr, "%s: error: --rerun needs the report of 'ptxlit suite --format json'\n", file->path);
  rerun->wrong = rerun->wrong || !record->judged;
  if (record_is_right(record) || !record->file) return;
  char *path = arena_strdup(&rerun->arena, record->file);
  const char *last = rerun->files.len ? rerun->files.data[rerun->files.len - 1] : "";
  struct rerun_test test = {path, record->test ? arena_strdup(&rerun->arena, record->test) : ""};
  HASH_PUSH(&rerun->arena, &rerun->index, hash_of(path, test.name), &rerun->tests, test);
  if (strcmp(last, path) != 0) VEC_PUSH(&rerun->arena, &rerun->files, path); /* the results of a file are adjacent */
}

bool rerun_read(struct rerun *rerun, const char *report, double deadline, bool closed) {
  *rerun = (struct rerun){0};
  arena_init(&rerun->arena, NULL);
  return run_file_each(report, input_open(report, deadline, closed), take, rerun) && !rerun->wrong;
}

static bool has(const struct rerun *rerun, const char *file, const char *name) {
  return SOME(HASH_EACH (i, &rerun->index, hash_of(file, name)),
              strcmp(rerun->tests.data[i].file, file) == 0 && strcmp(rerun->tests.data[i].name, name) == 0);
}

bool rerun_wants(const struct rerun *rerun, const char *file, const char *test) {
  struct arena arena;
  arena_init(&arena, NULL);
  bool wants = has(rerun, file, test) || has(rerun, file, "") ||
               has(rerun, file, arena_printf(&arena, "%s:%s", file, test)); /* with --qualify */
  arena_release(&arena);
  return wants;
}

void rerun_release(struct rerun *rerun) { arena_release(&rerun->arena); }
