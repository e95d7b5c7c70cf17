/* Writes drafts as tests in CUDA C++, and compiles them to PTX by the rows of a table. */

#include "map/map.h"

static const char *cuda_order(enum sem sem) { return sem == SEM_SC ? "seq_cst" : 1 + sem_word(sem); }

static void write_event(struct draft_columns *c, uint32_t thread, const struct draft_event *e) {
  if (e->kind == DRAFT_BARRIER) CELL(c, thread, "__syncthreads()");
  if (draft_accesses(e) && e->sem == SEM_WEAK) {
    if (e->kind == DRAFT_READ) CELL(c, thread, "r%u = %c", c->reads[thread]++, draft_location(e->location));
    else CELL(c, thread, "%c = %u", draft_location(e->location), e->writes);
    return;
  }
  const char *order = cuda_order((enum sem)e->sem), *scope = scope_of_cuda((enum scope)e->scope);
  char location = draft_location(e->location);
  if (e->kind == DRAFT_FENCE) CELL(c, thread, "atomic_thread_fence(%s, %s)", order, scope);
  if (e->kind == DRAFT_READ) CELL(c, thread, "r%u = %c.load(%s, %s)", c->reads[thread]++, location, order, scope);
  if (e->kind == DRAFT_WRITE) CELL(c, thread, "%c.store(%u, %s, %s)", location, e->writes, order, scope);
  if (map_compares(e))
    CELL(c, thread, "r%u = %c.compare_exchange(%u, %u, %s, %s)", c->reads[thread]++, location, e->reads, e->writes,
         order, scope);
  else if (e->kind == DRAFT_UPDATE)
    CELL(c, thread, "r%u = %c.exchange(%u, %s, %s)", c->reads[thread]++, location, e->writes, order, scope);
}

/* The scope of an instruction: its own, or the operation's, or system scope for plain accesses, which have none. */
static enum scope scope_of(const struct draft_event *e, const struct map_instr *in) {
  if (in->scope != SCOPE_NONE) return in->scope;
  return e->scope == SCOPE_NONE ? SCOPE_SYS : (enum scope)e->scope;
}

static void compile_barrier(struct draft_columns *c, uint32_t thread, const struct map_instr *in) {
  if (in->kind == DRAFT_BARRIER) CELL(c, thread, "bar.sync 0");
  else if (in->sem == SEM_ACQUIRE) CELL(c, thread, "barrier.cluster.wait");
  else CELL(c, thread, "barrier.cluster.arrive%s", in->sem == SEM_RELAXED ? ".relaxed" : "");
}

/* The location in an access; with `bytes`, its byte of the word. */
static const char *access_location(struct draft_columns *c, const struct draft_event *e, bool bytes) {
  return bytes ? arena_printf(c->arena, "[w+%u]", e->location)
               : arena_printf(c->arena, "%c", draft_location(e->location));
}

/* A loop of cas: l0 is the value from the load before the loop or from the last cas. A compare_exchange leaves the loop
 * if l0 is not the expected value. */
static void compile_loop(struct draft_columns *c, uint32_t thread, const struct draft_event *e, const char *cas,
                         const char *place, bool bytes) {
  const uint32_t shift = bytes ? 8u * e->location : 0, mask = bytes ? 0xffu << shift : ~0u, turn = c->reads[thread]++;
  CELL(c, thread, "T%u:", turn);
  if (map_compares(e)) {
    CELL(c, thread, "and.b32 l1, l0, %u", mask);
    CELL(c, thread, "setp.ne.u32 p1, l1, %u", (uint32_t)e->reads << shift);
    CELL(c, thread, "@p1 bra E%u", turn);
  }
  CELL(c, thread, "and.b32 l2, l0, %u", ~mask);
  CELL(c, thread, "or.b32 l2, l2, %u", (uint32_t)e->writes << shift);
  CELL(c, thread, "mov.u32 l3, l0");
  CELL(c, thread, "%s l0, %s, l3, l2", cas, place);
  CELL(c, thread, "setp.ne.u32 p1, l0, l3");
  CELL(c, thread, "@p1 bra T%u", turn);
  if (map_compares(e)) CELL(c, thread, "E%u:", turn);
  CELL(c, thread, "and.b32 r%u, l0, %u", turn, mask);
  if (shift) CELL(c, thread, "shr.u32 r%u, r%u, %u", turn, turn, shift);
}

static void compile_event(struct draft_columns *c, uint32_t thread, const struct draft_event *e,
                          const struct map_alternative *alternative) {
  bool bytes = alternative->bytes;
  const char *place = access_location(c, e, bytes), *word = bytes ? "[w]" : place, *size = bytes ? ".u8" : "";
  ARRAY_EACH (in, alternative->instrs, alternative->count) {
    const char *sem = sem_word(in->sem), *scope = in->sem == SEM_WEAK ? "" : scope_word(scope_of(e, in));
    if (in->kind >= DRAFT_BARRIER) compile_barrier(c, thread, in);
    if (in->kind == DRAFT_FENCE) CELL(c, thread, "fence%s%s", sem, scope);
    if (in->kind == DRAFT_READ && e->kind == DRAFT_UPDATE)
      CELL(c, thread, "ld%s%s%s l0, %s", sem, scope, bytes ? ".b32" : "", word);
    else if (in->kind == DRAFT_READ) CELL(c, thread, "ld%s%s%s r%u, %s", sem, scope, size, c->reads[thread]++, place);
    if (in->kind == DRAFT_WRITE) CELL(c, thread, "st%s%s%s %s, %u", sem, scope, size, place, e->writes);
    if (in->kind != DRAFT_UPDATE) continue;
    const char *atom = arena_printf(c->arena, "atom%s%s", sem, scope);
    if (in->loops) compile_loop(c, thread, e, arena_printf(c->arena, "%s.cas.b32", atom), word, bytes);
    else if (map_compares(e))
      CELL(c, thread, "%s.cas.b32 r%u, %s, %u, %u", atom, c->reads[thread]++, place, e->reads, e->writes);
    else CELL(c, thread, "%s.exch.b32 r%u, %s, %u", atom, c->reads[thread]++, place, e->writes);
  }
}

/* ---- Guards: events that happen only if loads return their values in the outcome ---- */

/* True if this event needs a guard for earlier loads of the thread that are asked: it is not a barrier, and is the
 * first event after such a load, or after a barrier. */
static bool is_guard_due(const struct draft_thread *t, uint32_t event) {
  if (event == 0 || t->events[event].kind == DRAFT_BARRIER) return false;
  return map_is_asked(&t->events[event - 1]) || t->events[event - 1].kind == DRAFT_BARRIER;
}

/* The first load that the guard at this event checks: loads since the last guard or, after a barrier, all loads. */
static uint32_t first_asked(const struct draft_thread *t, uint32_t event) {
  return t->events[event - 1].kind == DRAFT_BARRIER ? 0 : event - 1;
}

static uint32_t register_of(const struct draft_thread *t, uint32_t event) {
  return COUNT(for (uint32_t i = 0; i < event; i++), draft_reads(&t->events[i]));
}

static void write_thread(struct draft_columns *c, const struct draft_thread *t, uint32_t thread) {
  uint32_t open = 0;
  for (uint32_t i = 0; i < t->count; i++) {
    for (; t->events[i].kind == DRAFT_BARRIER && open; open--) CELL(c, thread, "}");
    for (uint32_t k = is_guard_due(t, i) ? first_asked(t, i) : i; k < i; k++) {
      if (!map_is_asked(&t->events[k])) continue;
      CELL(c, thread, "if (r%u == %u) {", register_of(t, k), t->events[k].reads);
      open++;
    }
    write_event(c, thread, &t->events[i]);
  }
  for (; open; open--) CELL(c, thread, "}");
}

static void compile_thread(struct draft_columns *c, const struct draft_thread *t, uint32_t thread,
                           const struct map_alternative *const *choice) {
  uint32_t label = 0;
  bool open = false;
  for (uint32_t i = 0; i < t->count; i++) {
    if (t->events[i].kind == DRAFT_BARRIER && open) {
      CELL(c, thread, "L%u:", label++);
      open = false;
    }
    for (uint32_t k = is_guard_due(t, i) ? first_asked(t, i) : i; k < i; k++) {
      if (!map_is_asked(&t->events[k])) continue;
      CELL(c, thread, "setp.ne.u32 p0, r%u, %u", register_of(t, k), t->events[k].reads);
      CELL(c, thread, "@p0 bra L%u", label);
      open = true;
    }
    compile_event(c, thread, &t->events[i], choice[i]);
  }
  if (open) CELL(c, thread, "L%u:", label);
}

static const char *map_name(struct arena *arena, const struct draft *draft) {
  struct draft plain = *draft;
  DRAFT_EACH (e, &plain) e->dep = DRAFT_NO_DEP;
  return draft_name(arena, &plain);
}

/* Adds the condition; with `bytes`, the locations are the bytes of w. */
static void add_condition(const struct draft *d, bool bytes, struct text *out) {
  struct text condition = {.arena = out->arena};
  draft_print_condition(d, &condition);
  for (const char *at = text_str(&condition), *begin = at; *at; at++) {
    bool is_location = bytes && at > begin && strchr(" (", at[-1]) && at[1] == '=';
    uint32_t l = 0;
    while (is_location && draft_location(l) != *at) l++;
    if (is_location) text_printf(out, "w[%u]", l);
    else text_char(out, *at);
  }
}

/* The whole test, with the cells of each thread, the first of which has its place. */
static const char *whole(const struct draft *d, const struct draft_columns *c, const char *language, bool bytes) {
  struct text out = {.arena = c->arena};
  text_printf(&out, "%s %s\n{\n", language, map_name(c->arena, d));
  if (bytes) text_add(&out, ".u8 w[4]={0,0,0,0};");
  for (uint32_t l = 0; l < d->location_count && !bytes; l++)
    text_printf(&out, "%s%c=0;", l ? " " : "", draft_location(l));
  text_add(&out, "\n}\n");
  draft_print_rows(c, d->thread_count, &out);
  add_condition(d, bytes, &out);
  return text_str(&out);
}

const char *map_written(struct arena *arena, const struct draft *draft) {
  struct draft_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@block %u,device %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    write_thread(&c, &draft->threads[t], t);
  }
  return whole(draft, &c, "CUDA", false);
}

const char *map_compiled(struct arena *arena, const struct draft *draft, const map_choice choice) {
  struct draft_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@cta %u,gpu %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    compile_thread(&c, &draft->threads[t], t, choice[t]);
  }
  return whole(draft, &c, "PTX", choice[0][0]->bytes);
}

enum { QUICK_EVENTS = 24, QUICK_FENCES = 5 };

bool map_has_loops(const struct draft *draft, const map_choice choice) {
  for (uint32_t t = 0; t < draft->thread_count; t++)
    for (uint32_t i = 0; i < draft->threads[t].count; i++)
      for (uint32_t k = 0; k < choice[t][i]->count; k++)
        if (choice[t][i]->instrs[k].loops) return true;
  return false;
}

/* An instruction as an event with the values of the operation; the load before a failing loop reads any value. */
static struct draft_event event_of(const struct draft_event *operation, const struct map_instr *in, bool fails) {
  struct draft_event e = *operation;
  bool accesses = in->kind < DRAFT_FENCE;
  if (!accesses) e = (struct draft_event){0};
  e.kind = (uint8_t)(in->loops || map_compares(&e) ? DRAFT_CAS : in->kind);
  e.scope = in->sem == SEM_WEAK ? SCOPE_NONE : (uint8_t)scope_of(operation, in);
  e.sem = (uint8_t)in->sem;
  e.dep = DRAFT_NO_DEP;
  if (in->kind != DRAFT_READ) return e;
  e.kind = DRAFT_READ;
  e.writes = 0;
  if (operation->kind == DRAFT_UPDATE && fails) e.reads = DRAFT_FREE;
  return e;
}

/* A failing cas, which only reads. */
static struct draft_event failed(const struct draft_event *cas) {
  struct draft_event e = *cas;
  e.kind = DRAFT_READ;
  e.writes = 0;
  e.sem = (uint8_t)(e.sem == SEM_RELEASE ? SEM_RELAXED : e.sem == SEM_ACQ_REL ? SEM_ACQUIRE : e.sem);
  return e;
}

struct compiler {
  uint32_t events, fences, failures;
};

static bool add_event(struct compiler *c, struct draft_thread *to, struct draft_event e) {
  if (to->count == DRAFT_LENGTH || ++c->events > QUICK_EVENTS || e.kind == DRAFT_CLUSTER_BARRIER) return false;
  c->fences += e.kind == DRAFT_FENCE && e.sem == SEM_SC;
  to->events[to->count++] = e;
  return true;
}

static bool compile_operation(struct compiler *c, struct draft_thread *to, const struct draft_event *operation,
                              const struct map_alternative *a) {
  if (a->bytes) return false;
  ARRAY_EACH (in, a->instrs, a->count) {
    struct draft_event e = event_of(operation, in, c->failures > 0);
    for (uint32_t i = 0; in->loops && i < c->failures; i++)
      if (!add_event(c, to, failed(&e))) return false;
    if (!add_event(c, to, e)) return false;
  }
  return true;
}

bool map_compile(const struct draft *draft, const map_choice choice, uint32_t failures, struct draft *out) {
  struct compiler c = {.failures = failures};
  *out = *draft;
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    out->threads[t].count = 0;
    for (uint32_t i = 0; i < draft->threads[t].count; i++)
      if (!compile_operation(&c, &out->threads[t], &draft->threads[t].events[i], choice[t][i])) return false;
  }
  return c.fences <= QUICK_FENCES;
}
