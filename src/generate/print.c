/* Prints drafts as litmus tests. */

#include "generate/draft.h"

char draft_location(uint32_t location) { return "xyzw"[location]; }

/* ---- Names ---- */

/* Adds the location: "x", or "xs" for an access through another proxy. */
static void add_location(const struct draft_event *e, struct text *out) {
  text_char(out, draft_location(e->location));
  if (e->proxy != PROXY_GENERIC) text_char(out, proxy_word((enum proxy)e->proxy)[0]);
}

static void add_strength(const struct draft_event *e, struct text *out) {
  text_add(out, sem_word((enum sem)e->sem));
  if (e->scope != SCOPE_NONE) text_add(out, scope_word((enum scope)e->scope));
}

static void add_event_name(const struct draft_event *e, struct text *out) {
  static const char *const words[] = {[DRAFT_READ] = "R",
                                      [DRAFT_WRITE] = "W",
                                      [DRAFT_UPDATE] = "U",
                                      [DRAFT_CAS] = "C",
                                      [DRAFT_RED] = "A",
                                      [DRAFT_COPY] = "copy.",
                                      [DRAFT_BULK_LOAD] = "load.",
                                      [DRAFT_BULK_STORE] = "store.",
                                      [DRAFT_FENCE] = "F",
                                      [DRAFT_PROXY_FENCE] = "F",
                                      [DRAFT_BARRIER] = "B",
                                      [DRAFT_CLUSTER_BARRIER] = "B",
                                      [DRAFT_ARRIVE] = "arrive",
                                      [DRAFT_WAIT] = "wait",
                                      [DRAFT_WAIT_COPIES] = "wait_all",
                                      [DRAFT_WAIT_STORES] = "wait_group",
                                      [DRAFT_WAIT_READS] = "wait_group.read"};
  static const char *const deps[] = {
      [DRAFT_NO_DEP] = "", [DRAFT_DATA] = "data.", [DRAFT_CTRL] = "ctrl.", [DRAFT_ADDR] = "addr."};
  text_add(out, deps[e->dep]);
  text_add(out, words[e->kind]);
  if (draft_accesses(e)) add_location(e, out);
  if (e->kind == DRAFT_PROXY_FENCE) text_printf(out, ".%s", proxy_word((enum proxy)e->proxy));
  else if (e->kind == DRAFT_CLUSTER_BARRIER) text_add(out, ".cluster");
  else if (e->sem != SEM_WEAK) add_strength(e, out);
}

static void add_asked_value(struct text *out, uint8_t value) {
  if (value == DRAFT_FREE) text_char(out, '_');
  else text_printf(out, "%u", value);
}

/* Adds a thread's place: "+gpu+" is the narrowest scope that it shares with the previous thread, "+ctaP0+" a narrower
 * scope that it shares with an earlier thread. */
static void add_place(const struct draft *draft, uint32_t thread, struct text *out) {
  uint32_t nearest = thread - 1;
  for (uint32_t t = thread - 1; t-- > 0;)
    if (draft_common_scope(draft, t, thread) < draft_common_scope(draft, nearest, thread)) nearest = t;
  text_printf(out, "+%s", 1 + scope_word(draft_common_scope(draft, nearest, thread)));
  if (nearest != thread - 1) text_printf(out, "P%u", nearest);
  text_char(out, '+');
}

const char *draft_name(struct arena *arena, const struct draft *draft) {
  struct text out = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    const struct draft_thread *thread = &draft->threads[t];
    if (t) add_place(draft, t, &out);
    for (uint32_t i = 0; i < thread->count; i++) {
      if (i) text_char(&out, '-');
      add_event_name(&thread->events[i], &out);
    }
  }
  text_char(&out, '=');
  DRAFT_EACH (e, draft)
    if (draft_reads(e)) add_asked_value(&out, e->reads);
  for (uint32_t l = 0; l < draft->location_count; l++)
    if (draft_write_count(draft, l) > 1) add_asked_value(&out, draft->last[l]);
  return text_str(&out);
}

/* ---- Instructions ---- */

static const struct draft_event *latest_read(const struct draft_thread *t, uint32_t event) {
  while (event--)
    if (draft_gives(&t->events[event])) return &t->events[event];
  BUG("a dependency on no read");
}

enum { MORE_THAN_OTHERS = 100, ELEMENTS = 8, NOT_STORED = 99 };

/* The number in the test for a value of a draft; the number of red.max is the largest, so that it is the maximum. */
static uint32_t printed_value(const struct draft *d, uint32_t location, uint8_t value) {
  DRAFT_EACH (e, d)
    if (e->kind == DRAFT_RED && e->location == location && e->writes == value) return MORE_THAN_OTHERS + value;
  return value;
}

/* True if some access to a location has a computed address, which may be the address of another element. */
static bool is_array(const struct draft *d, uint32_t location) {
  return SOME(DRAFT_EACH (e, d), e->dep == DRAFT_ADDR && e->location == location);
}

/* In the outcome, the value that is returned by the read on which the event depends. */
static uint32_t value_depended_on(const struct draft *d, uint32_t thread, uint32_t event) {
  const struct draft_event *read = latest_read(&d->threads[thread], event);
  return read->reads == DRAFT_FREE ? 0 : printed_value(d, read->location, read->reads);
}

/* The value written: a number, or a register that has this number if the read returns its value in the outcome. */
static const char *value_of(struct draft_columns *c, const struct draft *d, uint32_t thread, uint32_t event) {
  const struct draft_event *e = &d->threads[thread].events[event];
  uint32_t written = printed_value(d, e->location, e->writes);
  if (e->dep != DRAFT_DATA) return arena_printf(c->arena, "%u", written);
  uint32_t source = c->reads[thread] - 1;
  int more = (int)written - (int)value_depended_on(d, thread, event);
  if (!more) return arena_printf(c->arena, "r%u", source);
  CELL(c, thread, "add.s32 r%u, r%u, %d", 10 + event, source, more);
  return arena_printf(c->arena, "r%u", 10 + event);
}

static const char *guard_of(struct draft_columns *c, const struct draft *d, uint32_t thread, uint32_t event) {
  if (d->threads[thread].events[event].dep != DRAFT_CTRL) return "";
  CELL(c, thread, "setp.eq.u32 p%u, r%u, %u", event, c->reads[thread] - 1, value_depended_on(d, thread, event));
  return arena_printf(c->arena, "@p%u ", event);
}

/* The location; or a register with the address of its first element if the read returns its value in the outcome, else
 * with the address of another element. */
static const char *access_address(struct draft_columns *c, const struct draft *d, uint32_t thread, uint32_t event) {
  const struct draft_event *e = &d->threads[thread].events[event];
  struct text name = {.arena = c->arena};
  add_location(e, &name);
  if (e->dep != DRAFT_ADDR)
    return is_array(d, e->location) || draft_has_async(d) ? arena_printf(c->arena, "[%s]", text_str(&name))
                                                          : text_str(&name);
  uint32_t asked = value_depended_on(d, thread, event);
  CELL(c, thread, "sub.u32 i%u, r%u, %u", event, c->reads[thread] - 1, asked);
  CELL(c, thread, "and.b32 i%u, i%u, %d", event, event, ELEMENTS - 1);
  CELL(c, thread, "mul.wide.u32 a%u, i%u, 4", event, event);
  CELL(c, thread, "mov.u64 b%u, %s", event, text_str(&name));
  CELL(c, thread, "add.u64 b%u, b%u, a%u", event, event, event);
  return arena_printf(c->arena, "[b%u]", event);
}

/* ---- With asynchronous operations: shared memory, in elements of 16 bytes ---- */

/* The number of the destination of a bulk copy out of shared memory. */
static uint32_t store_number(const struct draft *d, const struct draft_event *store) {
  uint32_t number = 0;
  DRAFT_EACH (e, d) {
    if (e == store) return number;
    number += e->kind == DRAFT_BULK_STORE;
  }
  return number;
}

static void print_async(struct draft_columns *c, const struct draft *d, uint32_t thread, const struct draft_event *e) {
  struct text strength = {.arena = c->arena};
  const char place = draft_location(e->location);
  const bool stores = e->kind == DRAFT_WAIT_STORES, reads = e->kind == DRAFT_WAIT_READS;
  add_strength(e, &strength);
  const char *dots = text_str(&strength);
  if (e->kind == DRAFT_COPY) CELL(c, thread, "cp.async.cg.shared.global [%c], [v%u], 16", place, e->writes);
  if (e->kind == DRAFT_BULK_LOAD) {
    CELL(c, thread, "mbarrier.arrive.expect_tx.relaxed.cta.shared::cta.b64 _, [m], 16");
    CELL(c, thread, "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%c], [v%u], 16, [m]", place,
         e->writes);
  }
  if (e->kind == DRAFT_BULK_STORE)
    CELL(c, thread, "cp.async.bulk.global.shared::cta.bulk_group [o%u], [%c], 16", store_number(d, e), place);
  if (e->kind == DRAFT_ARRIVE) CELL(c, thread, "mbarrier.arrive%s.shared::cta.b64 _, [m]", dots);
  if (e->kind == DRAFT_WAIT) CELL(c, thread, "mbarrier.wait.parity%s.shared::cta.b64 [m], 0", dots);
  if (e->kind == DRAFT_WAIT_COPIES) CELL(c, thread, "cp.async.wait_all");
  if (stores || reads) CELL(c, thread, "cp.async.bulk.commit_group");
  if (stores || reads) CELL(c, thread, "cp.async.bulk.wait_group%s 0", reads ? ".read" : "");
}

static void print_shared(const struct draft *d, struct text *out) {
  uint8_t most = 0;
  uint32_t stores = 0;
  DRAFT_EACH (e, d) {
    if ((e->kind == DRAFT_COPY || e->kind == DRAFT_BULK_LOAD) && e->writes > most) most = e->writes;
    stores += e->kind == DRAFT_BULK_STORE;
  }
  text_add(out, "{\n");
  for (uint32_t l = 0; l < d->location_count; l++)
    text_printf(out, "%s.shared .b128 %c=0;", l ? " " : "", draft_location(l));
  for (uint32_t v = 1; v <= most; v++) text_printf(out, " .b128 v%u=%u;", v, v);
  for (uint32_t s = 0; s < stores; s++) text_printf(out, " .b128 o%u=%d;", s, NOT_STORED);
  if (draft_arrivals(d)) text_printf(out, " mbarrier m=%u;", draft_arrivals(d));
  text_add(out, "\n}\n");
}

/* Prints an access; in tests with asynchronous operations, it accesses a whole element in shared memory. */
static void print_access(struct draft_columns *c, const struct draft *d, uint32_t thread, uint32_t event) {
  const struct draft_event *e = &d->threads[thread].events[event];
  const bool shared = draft_has_async(d);
  const char *space = shared ? ".shared" : "", *whole = shared ? ".b128" : "", *bits = shared ? ".b128" : ".b32";
  const char *guard = guard_of(c, d, thread, event);
  const char *value = draft_writes(e) ? value_of(c, d, thread, event) : "";
  struct text strength = {.arena = c->arena};
  add_strength(e, &strength);
  const char *place = access_address(c, d, thread, event), *dots = text_str(&strength);
  if (e->kind == DRAFT_WRITE) {
    CELL(c, thread, "%s%s%s%s%s %s, %s", guard, proxy_store((enum proxy)e->proxy), dots, space, whole, place, value);
    return;
  }
  if (e->kind == DRAFT_RED) {
    CELL(c, thread, "red%s.max.u32 %s, %s", dots, place, value);
    return;
  }
  uint32_t reg = c->reads[thread]++;
  uint32_t found = e->reads == DRAFT_FREE ? 0 : printed_value(d, e->location, e->reads);
  const char *load = proxy_load((enum proxy)e->proxy);
  if (e->kind == DRAFT_READ) CELL(c, thread, "%s%s%s%s%s r%u, %s", guard, load, dots, space, whole, reg, place);
  else if (e->kind == DRAFT_CAS)
    CELL(c, thread, "atom%s%s.cas%s r%u, %s, %u, %s", dots, space, bits, reg, place, found, value);
  else CELL(c, thread, "%satom%s%s.exch%s r%u, %s, %s", guard, dots, space, bits, reg, place, value);
}

static void print_event(struct draft_columns *c, const struct draft *d, uint32_t thread, uint32_t event) {
  const struct draft_event *e = &d->threads[thread].events[event];
  if (draft_is_async(e) && e->kind != DRAFT_PROXY_FENCE) print_async(c, d, thread, e);
  else if (draft_accesses(e)) print_access(c, d, thread, event);
  else if (e->kind == DRAFT_BARRIER) CELL(c, thread, "bar.sync 0");
  else if (e->kind == DRAFT_CLUSTER_BARRIER) {
    CELL(c, thread, "barrier.cluster.arrive");
    CELL(c, thread, "barrier.cluster.wait");
  } else if (e->kind == DRAFT_PROXY_FENCE) CELL(c, thread, "fence.proxy.%s", proxy_word((enum proxy)e->proxy));
  else CELL(c, thread, "fence%s%s", sem_word((enum sem)e->sem), scope_word((enum scope)e->scope));
}

/* ---- The whole ---- */

static void print_locations(const struct draft *d, struct text *out) {
  if (draft_has_async(d)) {
    print_shared(d, out);
    return;
  }
  text_add(out, "{\n");
  for (uint32_t l = 0; l < d->location_count; l++) {
    if (is_array(d, l)) text_printf(out, "%s.u32 %c[%d];", l ? " " : "", draft_location(l), ELEMENTS);
    else text_printf(out, "%s%c=0;", l ? " " : "", draft_location(l));
    for (uint32_t p = PROXY_GENERIC + 1; p <= PROXY_ALIAS; p++)
      if (SOME(DRAFT_EACH (e, d), draft_accesses(e) && e->location == l && e->proxy == p))
        text_printf(out, " %c%c @ %s aliases %c;", draft_location(l), proxy_word((enum proxy)p)[0],
                    proxy_word(p == PROXY_ALIAS ? PROXY_GENERIC : (enum proxy)p), draft_location(l));
  }
  text_add(out, "\n}\n");
}

/* True if the text needs clusters: some CTAs share one. */
static bool has_clusters(const struct draft *d) {
  for (uint32_t a = 0; a < d->thread_count; a++)
    for (uint32_t b = 0; b < a; b++)
      if (draft_common_scope(d, a, b) == SCOPE_CLUSTER) return true;
  return false;
}

static const char *head_of(struct draft_columns *c, const struct draft *d, uint32_t thread) {
  const struct draft_thread *t = &d->threads[thread];
  if (has_clusters(d))
    return arena_printf(c->arena, "P%u@cta %u,cluster %u,gpu %u", thread, t->cta, t->cluster, t->gpu);
  return arena_printf(c->arena, "P%u@cta %u,gpu %u", thread, t->cta, t->gpu);
}

void draft_print_rows(const struct draft_columns *c, uint32_t threads, struct text *out) {
  uint32_t rows = 0, widths[DRAFT_THREADS] = {0};
  for (uint32_t t = 0; t < threads; t++) {
    if (c->cells[t].len > rows) rows = c->cells[t].len;
    for (uint32_t i = 0; i < c->cells[t].len; i++) {
      uint32_t width = (uint32_t)strlen(c->cells[t].data[i]);
      if (width > widths[t]) widths[t] = width;
    }
  }
  for (uint32_t i = 0; i < rows; i++) {
    for (uint32_t t = 0; t < threads; t++)
      text_printf(out, "%s%-*s ", t ? "| " : " ", (int)widths[t], i < c->cells[t].len ? c->cells[t].data[i] : "");
    text_add(out, ";\n");
  }
}

void draft_print_condition(const struct draft *d, struct text *out) {
  const char *before = "";
  text_add(out, "exists (");
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0, reg = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      if (!draft_reads(e)) continue;
      if (e->reads != DRAFT_FREE) {
        if (draft_gives(e)) text_printf(out, "%s%u:r%u=", before, t, reg);
        else text_printf(out, "%so%u=", before, store_number(d, e));
        text_printf(out, "%u", printed_value(d, e->location, e->reads));
        before = " /\\ ";
      }
      reg += draft_gives(e);
    }
  for (uint32_t l = 0; l < d->location_count; l++) {
    if (d->last[l] == DRAFT_FREE) continue;
    text_add(out, before);
    if (draft_has_async(d)) text_printf(out, "cta%u:", d->threads[0].cta);
    text_printf(out, "%c%s=%u", draft_location(l), is_array(d, l) ? "[0]" : "", printed_value(d, l, d->last[l]));
    before = " /\\ ";
  }
  if (!*before) text_add(out, "true");
  text_add(out, ")\n");
}

struct draft_text draft_text_of(struct arena *arena, const struct draft *draft, const char *name, const char *expect) {
  struct draft_text to = {.name = name, .expect = expect, .threads = draft->thread_count, .columns.arena = arena};
  struct text locations = {.arena = arena}, condition = {.arena = arena};
  print_locations(draft, &locations);
  draft_print_condition(draft, &condition);
  to.locations = text_str(&locations);
  to.condition = text_str(&condition);
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    VEC_PUSH(arena, &to.columns.cells[t], head_of(&to.columns, draft, t));
    for (uint32_t i = 0; i < draft->threads[t].count; i++) print_event(&to.columns, draft, t, i);
  }
  return to;
}

void draft_text_print(const struct draft_text *from, struct text *out) {
  text_printf(out, "PTX %s\n", from->name);
  if (from->expect) text_printf(out, "Expect=%s\n", from->expect);
  text_add(out, from->locations);
  draft_print_rows(&from->columns, from->threads, out);
  text_add(out, from->condition);
}

void draft_print(const struct draft *draft, const char *name, const char *expect, struct text *out) {
  const struct draft_text parts = draft_text_of(out->arena, draft, name, expect);
  draft_text_print(&parts, out);
}
