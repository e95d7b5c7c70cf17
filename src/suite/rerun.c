#include "suite/rerun.h"

#include <string.h>

#include "base/input.h"
#include "suite/run_file.h"

static char *key_of(struct arena *arena, const char *file, const char *test) {
  return arena_printf(arena, "%s\t%s", file, test ? test : "");
}

static void take(void *state, struct record *record, const struct run_file *file) {
  struct rerun *rerun = state;
  if (!record->judged && !rerun->wrong)
    text_say(stderr, "%s: error: --rerun needs the report of 'ptxlit suite --format json'\n", file->path);
  rerun->wrong = rerun->wrong || !record->judged;
  if (record_is_right(record) || !record->file) return;
  char *path = arena_strdup(&rerun->arena, record->file);
  const char *last = rerun->files.len ? rerun->files.data[rerun->files.len - 1] : "";
  put_null(rerun->wanted, key_of(&rerun->arena, path, record->test));
  if (strcmp(last, path) != 0) VEC_PUSH(&rerun->arena, &rerun->files, path); /* results of a file stand together */
}

bool rerun_read(struct rerun *rerun, const char *report, double deadline) {
  *rerun = (struct rerun){0};
  arena_init(&rerun->arena, NULL);
  rerun->wanted = json_new(&rerun->arena);
  return run_file_each(report, input_open(report, deadline), take, rerun) && !rerun->wrong;
}

bool rerun_wants(const struct rerun *rerun, const char *file, const char *test) {
  struct arena arena;
  arena_init(&arena, NULL);
  const char *names[] = {test, arena_printf(&arena, "%s:%s", file, test), NULL}; /* the second with --qualify */
  bool wants = false;
  for (size_t i = 0; i < ARRAY_LEN(names) && !wants; i++)
    wants = json_object_get(rerun->wanted.value, key_of(&arena, file, names[i])) != NULL;
  arena_release(&arena);
  return wants;
}

void rerun_release(struct rerun *rerun) { arena_release(&rerun->arena); }
