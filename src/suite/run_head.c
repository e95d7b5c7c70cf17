#include "suite/judge.h"

#include <sys/types.h>

#include <sha2.h>

static void put_words(struct json to, const char *key, struct suite_words words) {
  struct json list = put_array(to, key);
  for (size_t i = 0; i < words.count; i++) put_text(list, NULL, words.items[i]);
}

static void put_FLAG(struct json to, const char *key, bool value) { put_bool(to, key, value); }
static void put_NUMBER(struct json to, const char *key, uint64_t value) { put_number(to, key, value); }
static void put_SECONDS(struct json to, const char *key, double value) { put(to, key, json_real(value)); }
static void put_TEXT(struct json to, const char *key, const char *value) {
  if (value) put_text(to, key, value);
}
static void put_ENGINE(struct json to, const char *key, enum ptxlit_engine value) {
  put_text(to, key, value == PTXLIT_ENUMERATE ? "enumerate" : "sat");
}

static void put_options(struct json to, const struct ptxlit_options *options) {
  enum { RESULT, LIMIT, CALLER };
#define OPTION(type, name, kind, acts)                                                                                 \
  if (acts != CALLER) put_##kind(to, #name, options->name);
  PTXLIT_OPTIONS(OPTION)
#undef OPTION
}

static const char *digest_of(struct arena *arena, const struct text *text) {
  char *hex = arena_alloc(arena, SHA256_DIGEST_STRING_LENGTH);
  return SHA256Data((const uint8_t *)text_str(text), text->len, hex);
}

/* Adds a digest of the list of the suite's files, on which the shards of one run agree. */
static void put_suite(struct json to, const struct suite_options *o) {
  struct text files = {.arena = to.arena};
  for (size_t i = 0; i < o->files.count; i++) text_add_slice(&files, o->files.items[i], strlen(o->files.items[i]) + 1);
  put_text(to, "suite", digest_of(to.arena, &files));
}

static const char *model_digest(struct ptxlit *session, size_t model, struct arena *arena) {
  struct text graph = {.arena = arena};
  const char *dumped = ptxlit_dump(session, 0, model, PTXLIT_DUMP_MODEL);
  text_add(&graph, dumped ? dumped : "");
  return digest_of(arena, &graph);
}

struct run_models run_models(struct ptxlit *session, struct arena *arena) {
  size_t count = ptxlit_model_count(session), room = 2 * count;
  struct run_models models = {.names = ARENA_ARRAY(arena, const char *, room),
                              .digests = ARENA_ARRAY(arena, const char *, room)};
  for (int cuda = 0; cuda < 2; cuda++) { /* a model that cannot be loaded is an error of each test that needs it */
    bool loaded = ptxlit_choose_models(session, cuda) == PTXLIT_OK;
    for (size_t i = 0; i < count && loaded; i++) {
      const char *name = ptxlit_model_name(session, i);
      if (cuda && strcmp(name, models.names[i]) == 0) continue;
      models.names[models.count] = name;
      models.digests[models.count++] = model_digest(session, i, arena);
      models.by_language = cuda;
    }
  }
  return models;
}

static void put_models(struct json to, const struct run_models *models) {
  struct json names = put_array(to, "models"), digests = put_array(to, "model_digests");
  for (size_t i = 0; i < models->count; i++) {
    put_text(names, NULL, models->names[i]);
    put_text(digests, NULL, models->digests[i]);
  }
  if (models->by_language) put_bool(to, "by_language", true);
}

void put_run(struct json run, const struct suite_options *o, const struct run_models *models) {
  PUT(run, J_TEXT("tool", ptxlit_version()), J_TEXT("edition", ptxlit_edition()), J_TEXT("solver", ptxlit_solver()));
  put_models(run, models);
  struct json options = put_object(run, "options");
  put_options(options, &o->check);
  PUT(options, J_NUMBER("memory", o->memory), J_BOOL("qualify", o->qualify), J_BOOL("strict", o->strict),
      J_BOOL("certify", o->certify != NULL));
  put_words(options, "filter", o->filters);
  put_words(run, "expect", o->expect);
  put_number(run, "files", o->files.count);
  put_suite(run, o);
  put(run, "shard", o->shard_count ? json_pack("[ii]", (int)o->shard, (int)o->shard_count) : json_null());
}
