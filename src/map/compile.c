/* Drafts as tests in CUDA C++, and as what they are compiled to. */
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

/* That of the operation: the system for plain accesses, which have none. */
static enum scope scope_of(const struct draft_event *e) {
  return e->scope == SCOPE_NONE ? SCOPE_SYS : (enum scope)e->scope;
}

static void compile_barrier(struct draft_columns *c, uint32_t thread, const struct map_instr *in) {
  if (in->kind == DRAFT_BARRIER) CELL(c, thread, "bar.sync 0");
  else if (in->sem == SEM_ACQUIRE) CELL(c, thread, "barrier.cluster.wait");
  else CELL(c, thread, "barrier.cluster.arrive%s", in->sem == SEM_RELAXED ? ".relaxed" : "");
}

static void compile_event(struct draft_columns *c, uint32_t thread, const struct draft_event *e,
                          const struct map_alternative *alternative) {
  char location = draft_location(e->location);
  for (uint32_t i = 0; i < alternative->count; i++) {
    const struct map_instr *in = &alternative->instrs[i];
    const char *sem = sem_word(in->sem), *scope = in->sem == SEM_WEAK ? "" : scope_word(scope_of(e));
    if (in->kind >= DRAFT_BARRIER) compile_barrier(c, thread, in);
    if (in->kind == DRAFT_FENCE) CELL(c, thread, "fence%s%s", sem, scope);
    if (in->kind == DRAFT_READ) CELL(c, thread, "ld%s%s r%u, %c", sem, scope, c->reads[thread]++, location);
    if (in->kind == DRAFT_WRITE) CELL(c, thread, "st%s%s %c, %u", sem, scope, location, e->writes);
    if (in->kind == DRAFT_UPDATE && map_compares(e))
      CELL(c, thread, "atom%s%s.cas.b32 r%u, %c, %u, %u", sem, scope, c->reads[thread]++, location, e->reads,
           e->writes);
    else if (in->kind == DRAFT_UPDATE)
      CELL(c, thread, "atom%s%s.exch.b32 r%u, %c, %u", sem, scope, c->reads[thread]++, location, e->writes);
  }
}

/* ---- What is done only after loads that returned what the outcome says ---- */

/* Whether something is skipped where a load of the thread before this event returned something else: the event is the
 * first after that load, or after a barrier, and no barrier itself. */
static bool is_guard_due(const struct draft_thread *t, uint32_t event) {
  if (event == 0 || t->events[event].kind == DRAFT_BARRIER) return false;
  return map_is_asked(&t->events[event - 1]) || t->events[event - 1].kind == DRAFT_BARRIER;
}

/* The loads that are asked from here on: those since the barrier, or all where a barrier was just passed. */
static uint32_t first_asked(const struct draft_thread *t, uint32_t event) {
  return t->events[event - 1].kind == DRAFT_BARRIER ? 0 : event - 1;
}

static uint32_t register_of(const struct draft_thread *t, uint32_t event) {
  uint32_t number = 0;
  for (uint32_t i = 0; i < event; i++) number += draft_reads(&t->events[i]);
  return number;
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

const char *map_name(struct arena *arena, const struct draft *draft) {
  struct draft plain = *draft;
  DRAFT_EACH (e, &plain) e->dep = DRAFT_NO_DEP;
  return draft_name(arena, &plain);
}

/* With the cells of each thread, which begin with its place. */
static const char *whole(const struct draft *d, const struct draft_columns *c, const char *language) {
  struct text out = {.arena = c->arena};
  text_printf(&out, "%s %s\n{\n", language, map_name(c->arena, d));
  for (uint32_t l = 0; l < d->location_count; l++) text_printf(&out, "%s%c=0;", l ? " " : "", draft_location(l));
  text_add(&out, "\n}\n");
  draft_print_rows(c, d->thread_count, &out);
  draft_print_condition(d, &out);
  return text_str(&out);
}

const char *map_written(struct arena *arena, const struct draft *draft) {
  struct draft_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@block %u,device %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    write_thread(&c, &draft->threads[t], t);
  }
  return whole(draft, &c, "CUDA");
}

const char *map_compiled(struct arena *arena, const struct draft *draft, const map_choice choice) {
  struct draft_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@cta %u,gpu %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    compile_thread(&c, &draft->threads[t], t, choice[t]);
  }
  return whole(draft, &c, "PTX");
}

enum { QUICK_EVENTS = 24, QUICK_FENCES = 5 };

bool map_compile(const struct draft *draft, const map_choice choice, struct draft *out) {
  uint32_t events = 0, fences = 0;
  *out = *draft;
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    struct draft_thread *to = &out->threads[t];
    to->count = 0;
    for (uint32_t i = 0; i < draft->threads[t].count; i++)
      for (uint32_t k = 0; k < choice[t][i]->count; k++) {
        const struct map_instr *in = &choice[t][i]->instrs[k];
        struct draft_event e = draft->threads[t].events[i];
        e.scope = (uint8_t)scope_of(&e);
        if (to->count == DRAFT_LENGTH || ++events > QUICK_EVENTS || in->kind == DRAFT_CLUSTER_BARRIER) return false;
        if (in->kind >= DRAFT_FENCE) e = (struct draft_event){.kind = (uint8_t)in->kind, .scope = e.scope};
        if (map_compares(&e)) e.kind = DRAFT_CAS;
        e.dep = DRAFT_NO_DEP;
        e.sem = (uint8_t)in->sem;
        if (in->sem == SEM_WEAK) e.scope = SCOPE_NONE;
        fences += in->kind == DRAFT_FENCE && in->sem == SEM_SC;
        to->events[to->count++] = e;
      }
  }
  return fences <= QUICK_FENCES;
}
