/* Drafts as tests in CUDA C++, and as what they are compiled to. */
#include <string.h>

#include "map/map.h"

static const char locations[] = "xyzw";

struct mapped_columns {
  struct arena *arena;
  VEC(const char *) cells[DRAFT_THREADS];
  uint32_t reads[DRAFT_THREADS]; /* registers so far */
};

#define CELL(c, thread, ...) VEC_PUSH((c)->arena, &(c)->cells[thread], arena_printf((c)->arena, __VA_ARGS__))

static const char *cuda_scope(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_CTA] = "block", [SCOPE_CLUSTER] = "cluster", [SCOPE_GPU] = "device", [SCOPE_SYS] = "system"};
  return words[scope];
}

static const char *cuda_order(enum sem sem) { return sem == SEM_SC ? "seq_cst" : 1 + sem_word(sem); }

static void write_event(struct mapped_columns *c, uint32_t thread, const struct draft_event *e) {
  const char *order = cuda_order((enum sem)e->sem), *scope = cuda_scope((enum scope)e->scope);
  char location = locations[e->location];
  if (e->kind == DRAFT_FENCE) CELL(c, thread, "atomic_thread_fence(%s, %s)", order, scope);
  if (e->kind == DRAFT_READ) CELL(c, thread, "r%u = %c.load(%s, %s)", c->reads[thread]++, location, order, scope);
  if (e->kind == DRAFT_WRITE) CELL(c, thread, "%c.store(%u, %s, %s)", location, e->writes, order, scope);
  if (e->kind == DRAFT_UPDATE)
    CELL(c, thread, "r%u = %c.exchange(%u, %s, %s)", c->reads[thread]++, location, e->writes, order, scope);
}

static void compile_event(struct mapped_columns *c, uint32_t thread, const struct draft_event *e,
                          const struct map_alternative *alternative) {
  char location = locations[e->location];
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

static void add_rows(const struct mapped_columns *c, uint32_t threads, struct text *out) {
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

static void add_condition(const struct draft *d, struct text *out) {
  const char *before = "";
  text_add(out, "exists (");
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0, reg = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      if (!draft_reads(e)) continue;
      text_printf(out, "%s%u:r%u=%u", before, t, reg++, e->reads);
      before = " /\\ ";
    }
  for (uint32_t l = 0; l < d->location_count; l++) {
    if (d->last[l] == DRAFT_FREE) continue;
    text_printf(out, "%s%c=%u", before, locations[l], d->last[l]);
    before = " /\\ ";
  }
  text_add(out, *before ? ")\n" : "true)\n");
}

/* With the cells of each thread, which begin with its place. */
static const char *whole(const struct draft *d, const struct mapped_columns *c, const char *language) {
  struct text out = {.arena = c->arena};
  text_printf(&out, "%s %s\n{\n", language, draft_name(c->arena, d));
  for (uint32_t l = 0; l < d->location_count; l++) text_printf(&out, "%s%c=0;", l ? " " : "", locations[l]);
  text_add(&out, "\n}\n");
  add_rows(c, d->thread_count, &out);
  add_condition(d, &out);
  return text_str(&out);
}

const char *map_written(struct arena *arena, const struct draft *draft) {
  struct mapped_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@block %u,device %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    for (uint32_t i = 0; i < draft->threads[t].count; i++) write_event(&c, t, &draft->threads[t].events[i]);
  }
  return whole(draft, &c, "CUDA");
}

const char *map_compiled(struct arena *arena, const struct draft *draft, const map_choice choice) {
  struct mapped_columns c = {.arena = arena};
  for (uint32_t t = 0; t < draft->thread_count; t++) {
    CELL(&c, t, "P%u@cta %u,gpu %u", t, draft->threads[t].cta, draft->threads[t].gpu);
    for (uint32_t i = 0; i < draft->threads[t].count; i++)
      compile_event(&c, t, &draft->threads[t].events[i], choice[t][i]);
  }
  return whole(draft, &c, "PTX");
}
