/* Translates the user's words into a request for tests. */

#include "generate/generate.h"
#include "ptx/isa.h"

struct ask_reader {
  struct arena *arena;
  struct diags *diags;
  struct generate_ask *ask;
  bool right;
  uint32_t *scopes; /* the set that receives the scopes that are read */
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

/* ---- Words at the beginning of a text ---- */

bool word_starts(const char **at, const char *with) {
  size_t length = strlen(with);
  if (strncmp(*at, with, length) != 0) return false;
  *at += length;
  return true;
}

bool word_scope(const char **at, uint8_t *scope) {
  for (enum scope s = SCOPE_SYS; s > SCOPE_NONE; s--)
    if (word_starts(at, scope_word(s))) return *scope = (uint8_t)s, true;
  return false;
}

/* The order in which words are tried makes no difference, because none is a prefix of another. */
bool word_sem(const char **at, uint8_t *sem) {
  for (uint32_t s = SEM_WEAK; s <= SEM_SC; s++)
    if (word_starts(at, 1 + sem_word((enum sem)s))) return *sem = (uint8_t)s, true;
  return false;
}

static bool word_proxy(const char **at, uint8_t *proxy) {
  for (enum proxy p = PROXY_ALIAS; p > PROXY_GENERIC; p--)
    if (word_starts(at, proxy_word(p))) return *proxy = (uint8_t)p, true;
  return false;
}

/* ---- Instructions ---- */

static void add_item(struct ask_reader *r, enum draft_kind kind, enum proxy proxy, uint32_t sems) {
  VEC_EACH (item, &r->ask->menu) {
    if (item->kind != kind || item->proxy != proxy) continue;
    item->sems |= sems;
    return;
  }
  VEC_PUSH(r->arena, &r->ask->menu, (struct generate_item){(uint8_t)kind, (uint8_t)proxy, sems});
}

enum { NO_SEMS = 1u << SEM_WEAK, AS_ISA = 0 };

/* The semantics that a word may name for each instruction. */
static const struct spelling {
  const char *word;
  enum draft_kind kind;
  enum proxy proxy;
  uint32_t sems;
} spellings[] = {
    {"ld", DRAFT_READ, PROXY_GENERIC, AS_ISA},
    {"st", DRAFT_WRITE, PROXY_GENERIC, AS_ISA},
    {"atom.cas", DRAFT_CAS, PROXY_GENERIC, AS_ISA},
    {"atom", DRAFT_UPDATE, PROXY_GENERIC, AS_ISA},
    {"red", DRAFT_RED, PROXY_GENERIC, AS_ISA},
    {"fence", DRAFT_FENCE, PROXY_GENERIC, AS_ISA},
    {"fence.proxy.async", DRAFT_PROXY_FENCE, PROXY_ASYNC, NO_SEMS},
    {"bar.sync", DRAFT_BARRIER, PROXY_GENERIC, NO_SEMS},
    {"barrier.cluster", DRAFT_CLUSTER_BARRIER, PROXY_GENERIC, NO_SEMS},
    {"cp.async", DRAFT_COPY, PROXY_GENERIC, NO_SEMS},
    {"cp.async.wait_all", DRAFT_WAIT_COPIES, PROXY_GENERIC, NO_SEMS},
    {"cp.async.bulk.load", DRAFT_BULK_LOAD, PROXY_GENERIC, NO_SEMS},
    {"cp.async.bulk.store", DRAFT_BULK_STORE, PROXY_GENERIC, NO_SEMS},
    {"cp.async.bulk.wait_group", DRAFT_WAIT_STORES, PROXY_GENERIC, NO_SEMS},
    {"cp.async.bulk.wait_group.read", DRAFT_WAIT_READS, PROXY_GENERIC, NO_SEMS},
    {"mbarrier.arrive", DRAFT_ARRIVE, PROXY_GENERIC, 1u << SEM_RELAXED | 1u << SEM_RELEASE},
    {"mbarrier.wait", DRAFT_WAIT, PROXY_GENERIC, 1u << SEM_RELAXED | 1u << SEM_ACQUIRE},
};

static bool take_instruction(struct ask_reader *r, const char *word) {
  ARRAY_EACH (s, spellings, ARRAY_LEN(spellings)) {
    const char *at = word;
    uint8_t sem = SEM_WEAK;
    if (!word_starts(&at, s->word)) continue;
    uint32_t sems = s->sems ? s->sems : isa_find(s->kind == DRAFT_CAS ? "atom" : s->word)->sems;
    if (*at && sems != NO_SEMS) sems &= word_starts(&at, ".") && word_sem(&at, &sem) ? 1u << sem : 0;
    if (*at || !sems) continue;
    add_item(r, s->kind, s->proxy, sems);
    return true;
  }
  return false;
}

/* ---- Proxies: the accesses of the menu through a name for the proxy, and the proxy fence ---- */

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
  uint8_t proxy;
  if (!word_proxy(&word, &proxy) || *word) return false;
  add_proxied(r, (enum proxy)proxy);
  return true;
}

/* ---- Scopes, placements, dependencies ---- */

static uint32_t scope_named(const char *word) {
  enum scope scope = SCOPE_SYS;
  while (scope > SCOPE_NONE && strcmp(word, 1 + scope_word(scope)) != 0) scope--;
  return scope == SCOPE_NONE ? 0 : 1u << scope;
}

static bool take_scope(struct ask_reader *r, const char *word) {
  *r->scopes |= scope_named(word);
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
  struct ask_reader r = {arena, diags, ask, true, &ask->scopes};
  ask->menu.len = 0;
  ask->scopes = ask->placements = 0;
  ask->dependencies = 1u << DRAFT_NO_DEP;
  each_word(&r, words->instructions, "instruction that can be generated",
            "ld, st, atom, atom.cas, red and fence, each also with .SEMANTICS such as ld.acquire; bar.sync, "
            "barrier.cluster, and asynchronous operations, which the manual lists",
            take_instruction);
  each_word(&r, words->proxies, "proxy", "surface, texture, constant and alias", take_proxy);
  each_word(&r, words->scopes, "scope", "cta, cluster, gpu and sys", take_scope);
  r.scopes = &ask->placements;
  each_word(&r, words->placements, "scope", "cta, cluster, gpu and sys: the narrowest that two threads share",
            take_scope);
  each_word(&r, words->dependencies, "dependency", "data, ctrl and addr", take_dependency);
  if (r.right && !has_accesses(ask)) {
    diag_report(diags, DIAG_GENERATE_WORD, (struct span){0},
                "a test needs a write, and a read or a second instruction; add an instruction, or allow more events");
    r.right = false;
  }
  return r.right;
}
