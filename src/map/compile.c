/* Drafts as tests in CUDA C++, and as what they are compiled to. */
#include "map/map.h"

static const char *cuda_scope(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_CTA] = "block", [SCOPE_CLUSTER] = "cluster", [SCOPE_GPU] = "device", [SCOPE_SYS] = "system"};
  return words[scope];
}

static const char *cuda_order(enum sem sem) { return sem == SEM_SC ? "seq_cst" : 1 + sem_word(sem); }

static void write_event(struct draft_columns *c, uint32_t thread, const struct draft_event *e) {
  const char *order = cuda_order((enum sem)e->sem), *scope = cuda_scope((enum scope)e->scope);
  char location = draft_location(e->location);
  if (e->kind == DRAFT_FENCE) CELL(c, thread, "atomic_thread_fence(%s, %s)", order, scope);
  if (e->kind == DRAFT_READ) CELL(c, thread, "r%u = %c.load(%s, %s)", c->reads[thread]++, location, order, scope);
  if (e->kind == DRAFT_WRITE) CELL(c, thread, "%c.store(%u, %s, %s)", location, e->writes, order, scope);
  if (e->kind == DRAFT_UPDATE)
    CELL(c, thread, "r%u = %c.exchange(%u, %s, %s)", c->reads[thread]++, location, e->writes, order, scope);
}

static void compile_event(struct draft_columns *c, uint32_t thread, const struct draft_event *e,
                          const struct map_alternative *alternative) {
  char location = draft_location(e->location);
  for (uint32_t i = 0; i < alternative->count; i++) {
    const struct map_instr *in = &alternative->instrs[i];
    const char *sem = sem_word(in->sem), *scope = in->sem == SEM_WEAK ? "" : scope_word((enum scope)e->scope);
    if (in->kind == DRAFT_FENCE) CELL(c, thread, "fence%s%s", sem, scope);
    if (in->kind == DRAFT_READ) CELL(c, thread, "ld%s%s r%u, %c", sem, scope, c->reads[thread]++, location);
    if (in->kind == DRAFT_WRITE) CELL(c, thread, "st%s%s %c, %u", sem, scope, location, e->writes);
    if (in->kind == DRAFT_UPDATE)
      CELL(c, thread, "atom%s%s.exch.b32 r%u, %c, %u", sem, scope, c->reads[thread]++, location, e->writes);
  }
}

/* With the cells of each thread, which begin with its place. */
static const char *whole(const struct draft *d, const struct draft_columns *c, const char *language) {
  struct text out = {.arena = c->arena};
  text_printf(&out, "%s %s\n{\n", language, draft_name(c->arena, d));
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
    for (uint32_t i = 0; i < draft->threads[t].count; i++) write_event(&c, t, &draft->threads[t].events[i]);
  }
  return whole(draft, &c, "CUDA");
}

const char *map_compiled(struct arena *arena, const struct draft *draft, const map_choice choice) {
  struct draft_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@cta %u,gpu %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    for (uint32_t i = 0; i < draft->threads[t].count; i++)
      compile_event(&c, t, &draft->threads[t].events[i], choice[t][i]);
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
        if (to->count == DRAFT_LENGTH || ++events > QUICK_EVENTS) return false;
        if (in->kind == DRAFT_FENCE) e = (struct draft_event){.kind = DRAFT_FENCE, .scope = e.scope};
        e.sem = (uint8_t)in->sem;
        if (in->sem == SEM_WEAK) e.scope = SCOPE_NONE;
        fences += in->kind == DRAFT_FENCE && in->sem == SEM_SC;
        to->events[to->count++] = e;
      }
  }
  return fences <= QUICK_FENCES;
}
