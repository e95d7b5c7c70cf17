/* Writes mapa, getctarank and isspacep as PTX. Registers hold the model's addresses, so mapa and getctarank compare
 * these and not device addresses; isspacep asks the device about the device address. */
#include "chip/emit.h"

static const struct object *object_of(const struct emit *e, uint32_t view) {
  return &e->program->objects[e->program->views[view].object];
}

static const struct thread *thread_in(const struct emit *e, uint32_t cta) {
  for (uint32_t t = 0; t < e->program->thread_count; t++)
    if (e->program->threads[t].cta_id == cta) return &e->program->threads[t];
  BUG("a CTA without threads: %u", cta);
}

/* True if the view is shared memory of the thread's cluster. */
static bool is_reached(const struct emit *e, uint32_t view) {
  const struct object *object = object_of(e, view);
  return object->space == SPACE_SHARED && thread_in(e, object->owner)->cluster_id == e->thread->cluster_id;
}

/* A predicate register: the address lies in the view. */
static const char *lies_in(struct emit *e, const char *address, uint32_t view) {
  const char *offset = emit_temp(e, "b64"), *p = emit_temp(e, "pred");
  emit_line(e, "sub.u64 %s, %s, %u;", offset, address, e->program->views[view].vaddr);
  emit_line(e, "setp.lt.u64 %s, %s, %u;", p, offset, object_of(e, view)->size);
  return p;
}

static void emit_rank(struct emit *e) {
  const char *address = emit_read(e, &e->instr->src[0], 64), *rank = emit_constant(e, 0, 32);
  for (uint32_t v = 0; v < e->program->view_count; v++) {
    if (!is_reached(e, v)) continue;
    const char *p = lies_in(e, address, v);
    emit_line(e, "@%s mov.b32 %s, %u;", p, rank, thread_in(e, object_of(e, v)->owner)->cta);
  }
  emit_write(e, e->instr->dst[0], rank, 32, false);
}

static void emit_map(struct emit *e) {
  const struct view *views = e->program->views;
  unsigned width = e->instr->type.width;
  const char *address = emit_read(e, &e->instr->src[0], 64), *rank = emit_read(e, &e->instr->src[1], 32);
  const char *to = emit_constant(e, 0, 64), *cut = width < 64 ? emit_temp(e, "b32") : to;
  for (uint32_t from = 0; from < e->program->view_count; from++) {
    if (!is_reached(e, from)) continue;
    const char *p = lies_in(e, address, from);
    for (uint32_t v = 0; v < e->program->view_count; v++) {
      if (!is_reached(e, v) || object_of(e, v)->span.begin != object_of(e, from)->span.begin) continue;
      const char *both = emit_temp(e, "pred");
      emit_line(e, "setp.eq.and.u32 %s, %s, %u, %s;", both, rank, thread_in(e, object_of(e, v)->owner)->cta, p);
      emit_line(e, "@%s add.u64 %s, %s, %lld;", both, to, address, (long long)views[v].vaddr - views[from].vaddr);
    }
  }
  if (width < 64) emit_line(e, "cvt.u32.u64 %s, %s;", cut, to);
  emit_write(e, e->instr->dst[0], cut, width, false);
}

void emit_window(struct emit *e) {
  struct address address = {.base = e->instr->src[0]};
  if (e->instr->alu == ALU_MAPA) {
    emit_map(e);
  } else if (e->instr->alu == ALU_CTARANK) {
    emit_rank(e);
  } else {
    const char *place = emit_address(e, &address, SPACE_GENERIC), *p = emit_temp(e, "pred");
    emit_line(e, "isspacep%s %s, %s;", emit_words(e), p, place);
    emit_write(e, e->instr->dst[0], p, 1, false);
  }
}
