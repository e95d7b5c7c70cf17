/* Variants of a model, cached with it: (1) for tests in which some predefined sets and relations are empty (most of a
 * model is about barriers, asynchronous operations and proxies, which most tests lack); (2) with other readings. */

#include "cat/build.h"

enum { MOST_KEPT = 64 }; /* models of some 20 kB each */

struct model_cache {
  struct arena arena;
  const struct model *owner; /* copies of this model, which may have other axioms, are not narrowed */
  struct builtins mentioned;
  uint32_t count;
  struct kept_model {
    struct builtins absent;
    const struct model *model;
  } kept[MOST_KEPT];
  const struct model *hosts; /* NULL: not read yet */
  struct chosen_model {
    reading_set set;
    const struct model *model;
    struct chosen_model *next;
  } * chosen;
  enum cat_effect effects[MODEL_MOST_READINGS]; /* CAT_UNKNOWN: not computed yet */
};

static void release(void *cache) { arena_release(&((struct model_cache *)cache)->arena); }

void build_cache(struct builder b) {
  struct model_cache *cache = ARENA_NEW(b.arena, struct model_cache);
  for (cat_node n = 0; n < b.model->nodes.len; n++)
    if (b.model->nodes.data[n].op == CAT_BUILTIN) builtins_add(&cache->mentioned, b.model->nodes.data[n].builtin);
  cache->owner = b.model;
  arena_own(b.arena, release, cache);
  b.model->cache = cache;
}

/* Rebuilds a node in the smaller model, after its operands. */
static cat_node rebuild(struct builder b, const struct cat_expr *x, const cat_node *to, const struct builtins *absent) {
  bool empty = x->op == CAT_BUILTIN ? builtins_have(absent, x->builtin) : x->op == CAT_EMPTY;
  if (empty) return build_empty(b, x->is_set);
  if (x->op == CAT_BUILTIN) return build_builtin(b, x->builtin);
  if (x->op == CAT_REC) return build_rec(b, x->is_set, x->group, x->name);
  return build_op(b, x->op, to[x->a], x->b == CAT_NO_NODE ? CAT_NO_NODE : to[x->b]);
}

const struct model *model_narrowed(struct arena *arena, const struct model *model, const struct builtins *absent) {
  struct model *smaller = ARENA_NEW(arena, struct model);
  struct builder b = {arena, smaller};
  cat_node *to = ARENA_ARRAY(arena, cat_node, model->nodes.len);
  *smaller = (struct model){.name = model->name, .language = model->language, .group_count = model->group_count};
  memcpy(smaller->reads, model->reads, sizeof model->reads);
  VEC_RESERVE(arena, &smaller->nodes, model->nodes.len);
  for (cat_node n = 0; n < model->nodes.len; n++) to[n] = rebuild(b, &model->nodes.data[n], to, absent);
  for (cat_node n = 0; n < model->nodes.len; n++)
    if (model->nodes.data[n].op == CAT_REC) smaller->nodes.data[to[n]].body = to[model->nodes.data[n].body];
  VEC_RESERVE(arena, &smaller->axioms, model->axioms.len);
  VEC_VALUES (axiom, &model->axioms) {
    axiom.node = to[axiom.node];
    VEC_PUSH(arena, &smaller->axioms, axiom);
  }
  build_compact(b);
  return smaller;
}

struct request {
  const struct model *model;
  struct builtins absent;
  reading_set set;
  const struct model *made;
  struct chosen_model *chosen;
};

static void keep(void *context) {
  struct request *r = context;
  struct model_cache *cache = r->model->cache;
  r->made = model_narrowed(&cache->arena, r->model, &r->absent);
}

/* The cache has its own arena, because it outlives the caller's arena. */
const struct model *model_narrow(struct arena *arena, const struct model *model, const struct builtins *absent) {
  struct model_cache *cache = model->cache;
  struct request r = {.model = model};
  uint64_t any = 0;
  if (!cache || cache->owner != model) return model;
  for (size_t i = 0; i < ARRAY_LEN(r.absent.words); i++)
    any |= r.absent.words[i] = absent->words[i] & cache->mentioned.words[i];
  if (!any) return model;
  for (uint32_t i = 0; i < cache->count; i++)
    if (memcmp(&cache->kept[i].absent, &r.absent, sizeof r.absent) == 0) return cache->kept[i].model;
  if (cache->count == MOST_KEPT) return model_narrowed(arena, model, &r.absent);
  if (arena_within(&cache->arena, 0, keep, &r) != ARENA_DONE) arena_out_of_memory(arena);
  cache->kept[cache->count++] = (struct kept_model){r.absent, r.made};
  return r.made;
}

/* ---- Other readings ---- */

struct replay {
  const struct model *model;
  uint32_t at;
};

/* The files that the model includes, in the order of reading. */
static const struct source *next_source(void *state, const char *name) {
  struct replay *replay = state;
  (void)name;
  if (replay->at == replay->model->main) replay->at++;
  return replay->model->sources.data[replay->at++];
}

/* Reads the model again, with the readings that it has and those of the set. */
static struct model *read_again(struct arena *arena, const struct model *model, reading_set set, bool hosts) {
  struct replay replay = {model, 0};
  struct text readings = {.arena = arena};
  struct diags diags;
  diags_init(&diags, arena);
  for (uint32_t i = 0; i < model->readings.len; i++)
    if (model->readings.data[i].chosen || set >> i & 1)
      text_printf(&readings, "%s%s", readings.len ? "+" : "", model->readings.data[i].name);
  const char *chosen = readings.len ? text_str(&readings) : NULL;
  struct model *read = (hosts ? model_read_hosts : model_read)(arena, &diags, model->sources.data[model->main], chosen,
                                                               next_source, &replay);
  if (!read) BUG("the model %s cannot be read again", model->name);
  read->name = model->name;
  read->ignores_silent_updates = model->ignores_silent_updates;
  return read;
}

static void choose(void *context) {
  struct request *r = context;
  struct model_cache *cache = r->model->cache;
  struct builtins none = {0};
  const struct model *read = read_again(&cache->arena, r->model, r->set, r->model->hosts);
  struct model *made = (struct model *)model_narrowed(&cache->arena, read, &none); /* new, and not shared yet */
  made->ignores_silent_updates = r->model->ignores_silent_updates;
  build_cache((struct builder){&cache->arena, made});
  r->chosen = ARENA_NEW(&cache->arena, struct chosen_model);
  *r->chosen = (struct chosen_model){r->set, made, cache->chosen};
}

static void read_hosts(void *context) {
  struct request *r = context;
  struct model *made = read_again(&r->model->cache->arena, r->model, 0, true);
  made->without = r->model;
  r->made = made;
}

const struct model *model_with_hosts(struct arena *arena, const struct model *model) {
  struct model_cache *cache = model->cache;
  struct request r = {.model = model};
  if (!model->asks_hosts || model->hosts || !cache) return model;
  if (!cache->hosts && arena_within(&cache->arena, 0, read_hosts, &r) != ARENA_DONE) arena_out_of_memory(arena);
  if (!cache->hosts) cache->hosts = r.made;
  return cache->hosts;
}

const struct model *model_choosing(struct arena *arena, const struct model *model, reading_set set) {
  struct model_cache *cache = model->cache;
  struct request r = {.model = model, .set = set};
  if (!set) return model;
  REQUIRE(cache && cache->owner == model && model->readings.len <= MODEL_MOST_READINGS);
  LIST_EACH (known, cache->chosen)
    if (known->set == set) return known->model;
  if (arena_within(&cache->arena, 0, choose, &r) != ARENA_DONE) arena_out_of_memory(arena);
  cache->chosen = r.chosen;
  return r.chosen->model;
}

enum cat_effect model_effect(struct arena *arena, const struct model *model, uint32_t reading) {
  enum cat_effect *effect = &model->cache->effects[reading];
  if (*effect == CAT_UNKNOWN) *effect = model->readings.data[reading].effect;
  if (*effect != CAT_UNKNOWN) return *effect;
  const struct model *other = model_choosing(arena, model, (reading_set)1 << reading);
  bool fewer = model_is_stronger(arena, other, model);
  bool more = model_is_stronger(arena, model, other);
  return *effect = fewer == more ? CAT_EITHER : fewer ? CAT_FEWER : CAT_MORE;
}
