#include "explain/words.h"

#include "result/result.h"

const char *words_instr(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr) {
  struct text out = {.arena = arena};
  instr_print(&program->threads[thread].instrs[instr], &out);
  return text_str(&out);
}

const char *words_thread(struct arena *arena, const struct program *program, uint32_t thread) {
  if (thread == NO_THREAD) return "the initial state";
  return arena_printf(arena, "P%u", program->threads[thread].number);
}

const char *words_place(struct arena *arena, const struct program *program, uint32_t thread, uint32_t instr) {
  if (thread == NO_THREAD) return "the initial state";
  struct span span = program->threads[thread].instrs[instr].span;
  if (!span.source) return words_thread(arena, program, thread);
  struct text out = {.arena = arena};
  text_printf(&out, "P%u ", program->threads[thread].number);
  span_tell_line(span, &out);
  return text_str(&out);
}

const char *words_event(struct arena *arena, const struct execution *x, uint32_t event) {
  const struct event *e = execution_event(x, event);
  if (e->thread == NO_THREAD) return arena_printf(arena, "the initial value of %s", words_location(arena, x, event));
  return arena_printf(arena, "'%s'", words_instr(arena, x->skeleton->program, e->thread, e->instr));
}

/* ---- Locations and values ---- */

static const char *element_name(struct arena *arena, const struct object *object, const char *name, uint32_t offset) {
  uint32_t size = type_bytes(object->type), rest = offset % size, at = offset / size;
  if (object->is_cells)
    return arena_printf(arena, "%s[lane %u, column %u]", name, at / TENSOR_WIDTH, at % TENSOR_WIDTH);
  if (object->whole && name == object->name) {
    struct text out = {.arena = arena};
    object_tell(object, offset, &out);
    return text_str(&out);
  }
  const char *element = object->count == 1 && offset < size ? name : arena_printf(arena, "%s[%u]", name, at);
  return rest ? arena_printf(arena, "%s+%u", element, rest) : element;
}

static const struct object *object_at(const struct program *program, uint32_t phys) {
  for (uint32_t i = 0; i < program->object_count; i++)
    if (phys >= program->objects[i].phys && phys < program->objects[i].phys + program->objects[i].size)
      return &program->objects[i];
  return NULL;
}

/* The view that an address belongs to. */
static const struct view *view_at(const struct program *program, const struct object *object, uint32_t vaddr) {
  ARRAY_EACH (view, program->views, program->view_count)
    if (&program->objects[view->object] == object && vaddr >= view->vaddr && vaddr < view->vaddr + object->size)
      return view;
  return NULL;
}

const char *words_location(struct arena *arena, const struct execution *x, uint32_t event) {
  const struct program *program = x->skeleton->program;
  const struct event *e = execution_event(x, event);
  if (!event_is_memory(e) || !e->place_count) return "";
  uint32_t at = x->place[event] != NO_PLACE ? x->place[event] : e->place_count == 1 ? 0 : NO_PLACE;
  if (at == NO_PLACE) return "?";
  const struct place *place = &e->places[at];
  const struct object *object = object_at(program, place->phys);
  if (!object) return "?";
  const char *name = element_name(arena, object, object->name, place->phys - object->phys);
  const struct view *view = e->thread == NO_THREAD ? NULL : view_at(program, object, place->vaddr);
  /* A view of the object's own name may carry no owner: only another name is an alias. */
  const char *plain = strchr(object->name, ':') ? strchr(object->name, ':') + 1 : object->name;
  if (!view || strcmp(view->name, object->name) == 0 || strcmp(view->name, plain) == 0) return name;
  return arena_printf(arena, "%s (%s)", element_name(arena, object, view->name, place->vaddr - view->vaddr), name);
}

const char *words_object(struct arena *arena, const struct program *program, uint32_t phys) {
  const struct object *object = phys == NO_PHYS ? NULL : object_at(program, phys);
  return object ? element_name(arena, object, object->name, phys - object->phys) : "";
}

/* The effect of an arrival or a wait. Phases are counted from 1, and named if there are several. */
static const char *barrier_effect(struct arena *arena, const struct execution *x, uint32_t event) {
  const struct event *e = execution_event(x, event);
  uint32_t arrival = e->kind == EVENT_ARRIVE ? event : e->partner,
           phases = x->skeleton->groups.data[e->meeting.group].phases;
  bool known = arrival < x->skeleton->n,
       blocked = e->kind == EVENT_WAIT && x->skeleton->options.precise && !x->pass[event];
  const char *what = e->kind == EVENT_ARRIVE ? "arrives at" : blocked ? "waits for ever at" : "passes";
  const char *phase = "", *name = e->meeting.barrier->kind == BARRIER_CLUSTER   ? "the cluster's barrier"
                                  : e->meeting.barrier->kind == BARRIER_LANES   ? "an exchange of the warp's lanes"
                                  : e->meeting.barrier->kind == BARRIER_PRODUCT ? "the products of the warpgroup"
                                  : e->meeting.barrier->kind == BARRIER_PAIR    ? "the operation of the pair of CTAs"
                                                                                : "the warp's barrier";
  if (e->meeting.barrier->kind == BARRIER_CTA)
    name = known ? arena_printf(arena, "barrier %u", (unsigned)x->terms[execution_event(x, arrival)->meeting.id])
                 : "a barrier";
  if (known && phases > 1 && x->phase[arrival] != NO_PHASE)
    phase = arena_printf(arena, ", phase %u", x->phase[arrival] + 1);
  return arena_printf(arena, "%s %s%s", what, name, phase);
}

const char *words_effect(struct arena *arena, const struct execution *x, uint32_t event) {
  const struct event *e = execution_event(x, event);
  if (e->kind == EVENT_ARRIVE || e->kind == EVENT_WAIT) return barrier_effect(arena, x, event);
  if (e->kind == EVENT_EXIT) return "ends, and so does its CTA";
  if (!event_is_memory(e)) return "";
  struct text out = {.arena = arena};
  const char *place = words_location(arena, x, event);
  if (!*place || *place == '?') return e->kind == EVENT_READ ? "reads from no location" : "writes to no location";
  text_printf(&out, "%s %s", e->kind == EVENT_READ ? "reads" : "writes", place);
  if (e->thread == NO_THREAD) return text_str(&out);
  text_char(&out, '=');
  value_tell(x->skeleton->program, execution_value_type(x, event), x->values[event], &out);
  return text_str(&out);
}

const char *words_section_title(const char *section) {
#define SECTION(number, title)                                                                                         \
  if (strcmp(section, number) == 0) return title;
#include "explain/sections.def"
#undef SECTION
  return "";
}

/* ---- Moral strength ---- */

static const char *where(struct arena *arena, const struct program *program, uint32_t thread) {
  const struct thread *t = &program->threads[thread];
  if (t->host) return arena_printf(arena, "P%u (host)", t->number);
  return arena_printf(arena, "P%u (cta %u, gpu %u)", t->number, t->cta, t->gpu);
}

/* True if the scope of a contains b's thread. */
static bool reaches(const struct execution *x, uint32_t a, uint32_t b) {
  return bitmat_has(x->skeleton->must[CAT_REL_INCL], a, b);
}

static const char *weak_text(struct arena *arena, const struct execution *x, uint32_t event) {
  return arena_printf(arena, "%s is weak", words_event(arena, x, event));
}

static const char *scope_text(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b) {
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  return arena_printf(arena, "the scope %s of %s leaves out %s", scope_word(e->scope), words_event(arena, x, a),
                      where(arena, x->skeleton->program, f->thread));
}

static const char *scopes_fail(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b) {
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  if (e->thread == f->thread) return NULL;
  if (e->thread == NO_THREAD || f->thread == NO_THREAD) return "an initial write belongs to no thread";
  if (!event_is_strong(e) && event_is_memory(e)) return weak_text(arena, x, a);
  if (!event_is_strong(f) && event_is_memory(f)) return weak_text(arena, x, b);
  if (!reaches(x, a, b)) return scope_text(arena, x, a, b);
  if (!reaches(x, b, a)) return scope_text(arena, x, b, a);
  return NULL;
}

bool words_morally_strong(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b,
                          const char **why_not) {
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  bool memory = event_is_memory(e) && event_is_memory(f);
  *why_not = scopes_fail(arena, x, a, b);
  if (*why_not) return false;
  if (memory && e->proxy != f->proxy)
    *why_not =
        arena_printf(arena, "they go through different proxies, %s and %s", proxy_word(e->proxy), proxy_word(f->proxy));
  else if (memory && !bitmat_has(x->same_range, a, b))
    *why_not = bitmat_has(x->partial, a, b) ? "they overlap only in part"
                                            : "they go through different addresses of one location";
  else if (a != b && e->thread == f->thread && (e->spawned || f->spawned)) /* not related in program order */
    *why_not = event_is_strong(e) && event_is_strong(f) ? NULL : weak_text(arena, x, event_is_strong(e) ? b : a);
  return !*why_not;
}

const char *words_why_strong(struct arena *arena, const struct execution *x, uint32_t a, uint32_t b) {
  const struct event *e = execution_event(x, a), *f = execution_event(x, b);
  if (e->thread == f->thread) return "morally strong: in one thread";
  if (e->scope == f->scope)
    return arena_printf(arena, "morally strong: both strong, and %s contains both threads", scope_word(e->scope));
  return arena_printf(arena, "morally strong: both strong, and %s and %s each contain the other's thread",
                      scope_word(e->scope), scope_word(f->scope));
}

const char *words_other_proxy(enum proxy proxy) {
  return proxy == PROXY_TEXTURE ? "load it without .nc" : "access it through the generic proxy";
}

enum scope words_common_scope(const struct program *program, uint32_t a, uint32_t b) {
  const struct thread *t = &program->threads[a], *u = &program->threads[b];
  if (t->cta_id == u->cta_id) return SCOPE_CTA;
  if (t->gpu_id != u->gpu_id) return SCOPE_SYS;
  return t->cluster_id == u->cluster_id ? SCOPE_CLUSTER : SCOPE_GPU;
}
