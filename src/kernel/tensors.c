/* Copies through tensor maps (docs/semantics.md K6), whose maps and coordinates stand in registers: what they touch,
 * and the same with a map's name and numbers. The body does not model them, as it knows neither. */
#include <string.h>

#include "kernel/run.h"
#include "ptx/isa.h"

static bool has_dot(const struct litmus_instr *ast, const char *dot) {
  for (const struct litmus_word *word = ast->qualifiers.first; word; word = word->next)
    if (strcmp(word->text, dot) == 0) return true;
  return false;
}

enum tiled_kind tiled_kind(const struct instr *in) {
  bool copies =
      strcmp(in->ast->opcode.text, "cp") == 0 && has_dot(in->ast, ".tensor") && !has_dot(in->ast, ".prefetch");
  return copies && in->kind == INSTR_UNSUPPORTED ? TILED_COPY : TILED_NONE;
}

static bool register_value(const struct runner *r, const struct litmus_ref *ref, uint64_t *value) {
  uint32_t reg = ref->percent ? body_register(&r->run->body, ref->name) : (uint32_t)NO_REG;
  if (reg == NO_REG || !term_is_const(r->walk.terms, r->path.regs[reg].value)) return false;
  *value = (uint64_t)term_get(r->walk.terms, r->path.regs[reg].value)->constant;
  return true;
}

static bool address_in(const struct runner *r, const struct litmus_operand *operand, uint64_t *address) {
  const struct litmus_ref *ref = operand->kind == LITMUS_TENSOR ? &operand->u.tensor.ref : &operand->u.ref;
  bool place = operand->kind == LITMUS_TENSOR || operand->kind == LITMUS_BRACKET;
  if (!place || !register_value(r, ref, address)) return false;
  *address += (uint64_t)ref->offset;
  return true;
}

const char *tensor_map_at(const struct runner *r, const struct litmus_operand *operand) {
  uint64_t address;
  uint32_t at;
  if (!address_in(r, operand, &address)) return NULL;
  for (uint32_t i = 0; i < r->run->x->maps.len; i++)
    if (r->run->x->maps.data[i].address == address) return r->run->x->maps.data[i].name;
  const struct region *region = run_find(r, address, &at);
  return region && region->map && at == 0 ? region->name : NULL;
}

const struct litmus_entry *tensor_map_named(const struct expansion *x, const char *name) {
  for (const struct litmus_entry *entry = x->parse.test->entries; entry; entry = entry->next)
    if (entry->map && entry->ref.name == name) return entry;
  return NULL;
}

uint32_t tensor_box_bytes(const struct litmus_map *map) {
  enum ptx_type type = isa_type_named(map->type.text);
  uint64_t bytes = type == PTX_TYPES ? 0 : type_bytes(isa_type(type));
  for (uint32_t i = 0; i < map->rank && bytes < UINT32_MAX; i++) bytes *= map->box[i];
  return bytes < UINT32_MAX ? (uint32_t)bytes : 0;
}

/* What a map points to is read or written somewhere. */
static void touch_target(struct runner *r, const struct litmus_entry *map, bool writes) {
  const struct memory *m = r->run->memory;
  for (uint32_t i = 0; i < m->regions.len; i++)
    for (const struct litmus_value *v = map->values; v; v = v->next)
      if (v->is_address && m->regions.data[i]->name == v->ref.name)
        run_touch(r, m->regions.data[i]->base, m->regions.data[i]->size, writes);
}

static void touch_copy(struct runner *r, const struct litmus_instr *ast) {
  bool seen = false;
  const struct litmus_entry *map = NULL;
  for (const struct litmus_operand *o = ast->operands; o; o = o->next)
    if (o->kind == LITMUS_TENSOR) map = tensor_map_named(r->run->x, tensor_map_at(r, o));
  if (!map) return; /* the column says so */
  for (const struct litmus_operand *o = ast->operands; o; o = o->next) {
    uint64_t address;
    bool loads = has_dot(ast, ".mbarrier::complete_tx::bytes");
    if (o->kind == LITMUS_TENSOR) touch_target(r, map, !loads);
    if (o->kind != LITMUS_BRACKET || !address_in(r, o, &address)) continue;
    if (seen) run_touch_object(r, address);
    else run_touch(r, address, tensor_box_bytes(map->map), loads);
    seen = true;
  }
}

void tiled_touch(struct runner *r, const struct instr *in) {
  switch (tiled_kind(in)) {
    case TILED_NONE: return;
    case TILED_COPY: touch_copy(r, in->ast); return;
  }
}
