/* Writes accesses through proxies other than the generic one: textures, surfaces and the constant bank.
 *
 * A location that is also accessed by address is read through a texture over the whole arena, with one texel per word.
 * Any other location is in a CUDA array, at the texel n that its address in the arena would have, in row n >> 15.
 */
#include "chip/emit.h"

/* The index of the word in the arena, in a register of 32 bits. */
static const char *texel_number(struct emit *e) {
  const char *at = emit_address(e, &e->instr->addr, SPACE_GLOBAL), *number = emit_temp(e, "b32");
  const char *bytes = emit_temp(e, "b64");
  emit_line(e, "sub.u64 %s, %s, %s;", bytes, at, emit_input(e, "(uint64_t)m.l->arena[0]"));
  emit_line(e, "shr.u64 %s, %s, 2;", bytes, bytes);
  emit_line(e, "cvt.u32.u64 %s, %s;", number, bytes);
  return number;
}

static bool in_array(const struct emit *e) {
  uint32_t object = chip_object_of(e->program, &e->instr->addr.base);
  return object < e->program->object_count && e->plan->homes[object] == CHIP_ARRAY;
}

struct texel {
  const char *column, *row;
};

static struct texel texel_of(struct emit *e, bool bytes) {
  struct texel texel = {emit_temp(e, "b32"), emit_temp(e, "b32")};
  const char *number = texel_number(e);
  emit_line(e, "and.b32 %s, %s, 32767;", texel.column, number);
  if (bytes) emit_line(e, "shl.b32 %s, %s, 2;", texel.column, texel.column);
  emit_line(e, "shr.u32 %s, %s, 15;", texel.row, number);
  return texel;
}

static void emit_texture(struct emit *e) {
  const char *value = emit_temp(e, "b32"), *rest[3];
  for (unsigned i = 0; i < 3; i++) rest[i] = emit_temp(e, "b32");
  if (in_array(e)) {
    struct texel at = texel_of(e, false);
    emit_line(e, "%stex.2d.v4.u32.s32 {%s, %s, %s, %s}, [%s, {%s, %s}];", e->guard, value, rest[0], rest[1], rest[2],
              emit_input(e, "m.l->array_texture"), at.column, at.row);
  } else {
    const char *number = texel_number(e);
    emit_line(e, "%stex.1d.v4.u32.s32 {%s, %s, %s, %s}, [%s, {%s}];", e->guard, value, rest[0], rest[1], rest[2],
              emit_input(e, "m.l->texture"), number);
  }
  emit_write(e, e->instr->dst[0], value, 32, e->instr->type.kind == TYPE_SIGNED);
}

static void emit_surface(struct emit *e) {
  const struct instr *in = e->instr;
  const char *surface = emit_input(e, "m.l->surface");
  struct texel at = texel_of(e, true);
  if (in->kind == INSTR_STORE) {
    emit_line(e, "%ssust.b.2d.b32.trap [%s, {%s, %s}], {%s};", e->guard, surface, at.column, at.row,
              emit_read(e, &in->src[0], 32));
    return;
  }
  const char *value = emit_temp(e, "b32");
  emit_line(e, "%ssuld.b.2d.b32.trap {%s}, [%s, {%s, %s}];", e->guard, value, surface, at.column, at.row);
  emit_write(e, in->dst[0], value, 32, in->type.kind == TYPE_SIGNED);
}

/* A constant has the same offset from the start of the constant bank whether its address is a constant address or a
 * global one. */
static void emit_constant_load(struct emit *e) {
  const struct instr *in = e->instr;
  const char *at = emit_address(e, &in->addr, SPACE_GLOBAL), *there = emit_temp(e, "b64");
  const char *value = emit_temp(e, emit_bits(e, in->type.width));
  emit_line(e, "sub.u64 %s, %s, %s;", there, at, emit_input(e, "m.l->constant_memory"));
  emit_line(e, "add.u64 %s, %s, %s;", there, there, emit_input(e, "__cvta_generic_to_constant(constants)"));
  emit_line(e, "%sld.const.b%u %s, [%s];", e->guard, in->type.width, value, there);
  emit_write(e, in->dst[0], value, in->type.width, in->type.kind == TYPE_SIGNED);
}

static void (*image_of(enum proxy proxy))(struct emit *) {
  switch (proxy) {
    case PROXY_TEXTURE: return emit_texture;
    case PROXY_SURFACE: return emit_surface;
    case PROXY_CONSTANT: return emit_constant_load;
    case PROXY_GENERIC:
    case PROXY_ALIAS:
    case PROXY_ASYNC:
    case PROXY_TENSORMAP:
    case PROXY_TMEM: break;
  }
  return NULL;
}

bool emit_has_image(enum proxy proxy) { return image_of(proxy) != NULL; }

void emit_image(struct emit *e) { image_of(e->instr->proxy)(e); }
