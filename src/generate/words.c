/* Reads the words of a user as a request for tests. */
#include <string.h>

#include "generate/generate.h"
#include "ptx/isa.h"

struct ask_reader {
  struct arena *arena;
  struct diags *diags;
  struct generate_ask *ask;
  bool right;
};

typedef bool take_word(struct ask_reader *r, const char *word);

static void complain(struct ask_reader *r, const char *what, const char *word, const char *hint) {
  diag_report(r->diags, DIAG_GENERATE_WORD, (struct span){0}, "no %s is called '%s'" HINT "%s", what, word, hint);
  r->right = false;
}

static void each_word(struct ask_reader *r, const char *list, const char *what, const char *hint, take_word *take) {
  for (const char *at = list ? list : ""; *at;) {
    size_t length = strcspn(at, ",");
    const char *word = arena_strndup(r->arena, at, length);
    if (!take(r, word)) complain(r, what, word, hint);
    at += length + (at[length] == ',');
  }
}

/* ---- Instructions ---- */

static uint32_t sem_named(const char *word) {
#define PTX_SEM(id, name)                                                                                              \
  if (strcmp(word, name) == 0) return 1u << SEM_##id;
#include "ptx/words.def"
  return 0;
}

static const struct spelling {
  const char *opcode;
  enum draft_kind kind;
} spellings[] = {{"ld", DRAFT_READ},     {"st", DRAFT_WRITE}, {"atom.cas", DRAFT_CAS},
                 {"atom", DRAFT_UPDATE}, {"red", DRAFT_RED},  {"fence", DRAFT_FENCE}};

static void add_item(struct ask_reader *r, enum draft_kind kind, enum proxy proxy, uint32_t sems) {
  for (uint32_t i = 0; i < r->ask->menu.len; i++) {
    struct generate_item *item = &r->ask->menu.data[i];
    if (item->kind != kind || item->proxy != proxy) continue;
    item->sems |= sems;
    return;
  }
  VEC_PUSH(r->arena, &r->ask->menu, (struct generate_item){(uint8_t)kind, (uint8_t)proxy, sems});
}

/* Without semantics of its own, or with those that its row has. */
static const struct async_word {
  const char *word;
  enum draft_kind kind;
  enum proxy proxy;
  uint32_t sems;
} async_words[] = {
    {"cp.async", DRAFT_COPY, PROXY_GENERIC, 1u << SEM_WEAK},
    {"cp.async.wait_all", DRAFT_WAIT_COPIES, PROXY_GENERIC, 1u << SEM_WEAK},
    {"cp.async.bulk.load", DRAFT_BULK_LOAD, PROXY_GENERIC, 1u << SEM_WEAK},
    {"cp.async.bulk.store", DRAFT_BULK_STORE, PROXY_GENERIC, 1u << SEM_WEAK},
    {"cp.async.bulk.wait_group", DRAFT_WAIT_STORES, PROXY_GENERIC, 1u << SEM_WEAK},
    {"cp.async.bulk.wait_group.read", DRAFT_WAIT_READS, PROXY_GENERIC, 1u << SEM_WEAK},
    {"fence.proxy.async", DRAFT_PROXY_FENCE, PROXY_ASYNC, 1u << SEM_WEAK},
    {"mbarrier.arrive", DRAFT_ARRIVE, PROXY_GENERIC, 1u << SEM_RELAXED | 1u << SEM_RELEASE},
    {"mbarrier.arrive.relaxed", DRAFT_ARRIVE, PROXY_GENERIC, 1u << SEM_RELAXED},
    {"mbarrier.arrive.release", DRAFT_ARRIVE, PROXY_GENERIC, 1u << SEM_RELEASE},
    {"mbarrier.wait", DRAFT_WAIT, PROXY_GENERIC, 1u << SEM_RELAXED | 1u << SEM_ACQUIRE},
    {"mbarrier.wait.relaxed", DRAFT_WAIT, PROXY_GENERIC, 1u << SEM_RELAXED},
    {"mbarrier.wait.acquire", DRAFT_WAIT, PROXY_GENERIC, 1u << SEM_ACQUIRE},
};

static bool take_async(struct ask_reader *r, const char *word) {
  for (size_t i = 0; i < ARRAY_LEN(async_words); i++)
    if (strcmp(word, async_words[i].word) == 0) {
      add_item(r, async_words[i].kind, async_words[i].proxy, async_words[i].sems);
      return true;
    }
  return false;
}

static bool take_instruction(struct ask_reader *r, const char *word) {
  if (take_async(r, word)) return true;
  bool of_cluster = strcmp(word, "barrier.cluster") == 0;
  if (of_cluster || strcmp(word, "bar.sync") == 0) {
    add_item(r, of_cluster ? DRAFT_CLUSTER_BARRIER : DRAFT_BARRIER, PROXY_GENERIC, 1u << SEM_WEAK);
    return true;
  }
  for (size_t i = 0; i < ARRAY_LEN(spellings); i++) {
    size_t length = strlen(spellings[i].opcode);
    if (strncmp(word, spellings[i].opcode, length) != 0 || (word[length] && word[length] != '.')) continue;
    const char *opcode = spellings[i].kind == DRAFT_CAS ? "atom" : spellings[i].opcode;
    uint32_t taken = isa_find(opcode)->sems;
    uint32_t sems = word[length] ? sem_named(word + length + 1) & taken : taken;
    if (sems) add_item(r, spellings[i].kind, PROXY_GENERIC, sems);
    return sems != 0;
  }
  return false;
}

/* ---- Proxies: the accesses that the menu has, through a name for the proxy; and the fence ---- */

static void add_proxied(struct ask_reader *r, enum proxy proxy) {
  uint32_t generic = r->ask->menu.len;
  for (uint32_t i = 0; i < generic; i++) {
    struct generate_item item = r->ask->menu.data[i];
    bool alias = proxy == PROXY_ALIAS;
    if (item.proxy != PROXY_GENERIC || item.kind > DRAFT_RED) continue;
    bool possible = item.kind == DRAFT_READ ? proxy_load(proxy) != NULL : proxy_store(proxy) != NULL;
    if (item.kind > DRAFT_WRITE ? alias : possible)
      add_item(r, (enum draft_kind)item.kind, proxy, alias ? item.sems : 1u << SEM_WEAK);
  }
  add_item(r, DRAFT_PROXY_FENCE, proxy, 1u << SEM_WEAK);
}

static bool take_proxy(struct ask_reader *r, const char *word) {
#define PTX_PROXY(id, name, load, store, set, meaning)                                                                 \
  if (strcmp(word, name) == 0) {                                                                                       \
    add_proxied(r, PROXY_##id);                                                                                        \
    return true;                                                                                                       \
  }
#include "ptx/words.def"
  if (strcmp(word, "alias") != 0) return false;
  add_proxied(r, PROXY_ALIAS);
  return true;
}

/* ---- Scopes, placements, dependencies ---- */

static uint32_t scope_named(const char *word) {
#define PTX_SCOPE(id, name, cuda, set, meaning)                                                                        \
  if (strcmp(word, name) == 0) return 1u << SCOPE_##id;
#include "ptx/words.def"
  return 0;
}

static bool take_scope(struct ask_reader *r, const char *word) {
  r->ask->scopes |= scope_named(word);
  return scope_named(word) != 0;
}

static bool take_placement(struct ask_reader *r, const char *word) {
  r->ask->placements |= scope_named(word);
  return scope_named(word) != 0;
}

static bool take_dependency(struct ask_reader *r, const char *word) {
  static const char *const names[] = {[DRAFT_DATA] = "data", [DRAFT_CTRL] = "ctrl", [DRAFT_ADDR] = "addr"};
  for (uint32_t dep = DRAFT_DATA; dep <= DRAFT_ADDR; dep++)
    if (strcmp(word, names[dep]) == 0) {
      r->ask->dependencies |= 1u << dep;
      return true;
    }
  return false;
}

static bool has_accesses(const struct generate_ask *ask) {
  bool reads = false, writes = false;
  for (uint32_t i = 0; i < ask->menu.len; i++) {
    const struct draft_event e = {.kind = ask->menu.data[i].kind};
    reads = reads || draft_reads(&e);
    writes = writes || draft_writes(&e);
  }
  return writes && (reads || ask->events > 1);
}

bool generate_read(struct arena *arena, struct diags *diags, const struct generate_words *words,
                   struct generate_ask *ask) {
  struct ask_reader r = {arena, diags, ask, true};
  ask->menu.len = 0;
  ask->scopes = ask->placements = 0;
  ask->dependencies = 1u << DRAFT_NO_DEP;
  each_word(&r, words->instructions, "instruction that can be generated",
            "ld, st, atom, atom.cas, red and fence, each also with .SEMANTICS such as ld.acquire; bar.sync, "
            "barrier.cluster, and asynchronous operations, which the manual lists",
            take_instruction);
  each_word(&r, words->proxies, "proxy", "surface, texture, constant and alias", take_proxy);
  each_word(&r, words->scopes, "scope", "cta, cluster, gpu and sys", take_scope);
  each_word(&r, words->placements, "scope", "cta, cluster, gpu and sys: the narrowest that two threads share",
            take_placement);
  each_word(&r, words->dependencies, "dependency", "data, ctrl and addr", take_dependency);
  if (r.right && !has_accesses(ask)) {
    diag_report(diags, DIAG_GENERATE_WORD, (struct span){0}, "tests need an instruction that writes");
    r.right = false;
  }
  return r.right;
}
