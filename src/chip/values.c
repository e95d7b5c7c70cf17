/* Writes the registers and addresses of a thread in PTX. */
#include "chip/emit.h"

bool emit_is_pred(const struct emit *e, uint32_t reg) { return e->thread->regs[reg].type.kind == TYPE_PRED; }

void emit_line(struct emit *e, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  char text[1024];
  int length = vsnprintf(text, sizeof text, format, arguments);
  va_end(arguments);
  REQUIRE(length >= 0 && (size_t)length < sizeof text);
  text_printf(&e->body, "          \"%s\\n\"\n", text);
}

/* ---- values */

const char *emit_temp(struct emit *e, const char *type) {
  const char *name = arena_printf(e->arena, "t%u", e->temps++);
  emit_line(e, ".reg .%s %s;", type, name);
  return name;
}

const char *emit_bits(struct emit *e, unsigned width) { return arena_printf(e->arena, "b%u", width < 16 ? 16 : width); }

const char *emit_constant(struct emit *e, value_t value, unsigned width) {
  value &= value_mask(width);
  if (width == 1) {
    const char *p = emit_temp(e, "pred");
    emit_line(e, "setp.ne.u32 %s, %u, 0;", p, (unsigned)value);
    return p;
  }
  const char *t = emit_temp(e, emit_bits(e, width));
  if (width < 128) {
    emit_line(e, "mov.%s %s, 0x%llx;", emit_bits(e, width), t, (unsigned long long)value);
    return t;
  }
  const char *low = emit_constant(e, value, 64), *high = emit_constant(e, value >> 64, 64);
  emit_line(e, "mov.b128 %s, {%s, %s};", t, low, high);
  return t;
}

/* The lower 64 bits of a register that is not a predicate. */
static const char *low_word(struct emit *e, uint32_t reg) {
  if (!e->wide[reg]) return arena_printf(e->arena, "v%u", reg);
  const char *low = emit_temp(e, "b64"), *high = emit_temp(e, "b64");
  emit_line(e, "mov.b128 {%s, %s}, v%u;", low, high, reg);
  return low;
}

const char *emit_read_reg(struct emit *e, uint32_t reg, unsigned width) {
  const char *name = arena_printf(e->arena, "v%u", reg);
  if (emit_is_pred(e, reg)) {
    if (width == 1) return name;
    const char *t = emit_temp(e, emit_bits(e, width));
    emit_line(e, "selp.%s %s, 1, 0, %s;", emit_bits(e, width), t, name);
    return t;
  }
  if (width == 128) return name;
  const char *low = low_word(e, reg);
  if (width == 64) return low;
  if (width == 1) {
    const char *bit = emit_temp(e, "b64"), *p = emit_temp(e, "pred");
    emit_line(e, "and.b64 %s, %s, 1;", bit, low);
    emit_line(e, "setp.ne.u64 %s, %s, 0;", p, bit);
    return p;
  }
  const char *t = emit_temp(e, emit_bits(e, width));
  emit_line(e, "cvt.u%u.u64 %s, %s;", width < 16 ? 16 : width, t, low);
  return t;
}

const char *emit_read(struct emit *e, const struct operand *operand, unsigned width) {
  if (operand->kind == OPERAND_REG) return emit_read_reg(e, operand->reg, width);
  return emit_constant(e, operand->kind == OPERAND_IMM ? operand->imm : 0, width);
}

void emit_write(struct emit *e, uint32_t reg, const char *value, unsigned width, bool is_signed) {
  char sign = is_signed ? 's' : 'u';
  if (reg == NO_REG) return;
  VEC_PUSH(e->arena, &e->written, reg);
  if (emit_is_pred(e, reg)) {
    REQUIRE(width == 1);
    emit_line(e, "%smov.pred v%u, %s;", e->guard, reg, value);
    return;
  }
  if (e->wide[reg] && width == 128) {
    emit_line(e, "%smov.b128 v%u, %s;", e->guard, reg, value);
    return;
  }
  const char *low = value;
  if (width < 64) {
    low = emit_temp(e, "b64");
    if (width == 1) emit_line(e, "selp.b64 %s, 1, 0, %s;", low, value);
    else emit_line(e, "cvt.%c64.%c%u %s, %s;", sign, sign, width, low, value);
  }
  if (!e->wide[reg]) {
    emit_line(e, "%smov.b64 v%u, %s;", e->guard, reg, low);
    return;
  }
  const char *high = emit_temp(e, "b64");
  if (is_signed) emit_line(e, "shr.s64 %s, %s, 63;", high, low);
  else emit_line(e, "mov.b64 %s, 0;", high);
  emit_line(e, "%smov.b128 v%u, {%s, %s};", e->guard, reg, low, high);
}

/* ---- addresses */

const char *emit_input(struct emit *e, const char *expression) {
  for (uint32_t i = 0; i < e->inputs.len; i++)
    if (strcmp(e->inputs.data[i], expression) == 0) return arena_printf(e->arena, "%%%u", e->outputs + i);
  VEC_PUSH(e->arena, &e->inputs, expression);
  return arena_printf(e->arena, "%%%u", e->outputs + e->inputs.len - 1);
}

/* The device address of a view, for accesses in this space, as a C++ expression. NULL: this thread cannot access it. */
static const char *view_expression(struct emit *e, uint32_t index, enum space space) {
  const struct view *view = &e->program->views[index];
  const struct object *object = &e->program->objects[view->object];
  uint32_t place = e->plan->objects[view->object], size = e->plan->shared_size;
  if (object->space == SPACE_GLOBAL)
    return space == SPACE_SHARED ? NULL : arena_printf(e->arena, "m.global(%u, %u)", place, e->plan->aliases[index]);
  if (space == SPACE_GLOBAL) return NULL;
  bool generic = space == SPACE_GENERIC;
  if (object->owner == e->thread->cta_id)
    return arena_printf(e->arena, "m.%s(%u, %u)", generic ? "shared_generic" : "shared", size, place);
  for (uint32_t t = 0; t < e->program->thread_count; t++)
    if (e->program->threads[t].cta_id == object->owner && e->program->threads[t].cluster_id == e->thread->cluster_id)
      return arena_printf(e->arena, "m.%s(%u, %u, %u)", generic ? "remote_generic" : "remote", size, place,
                          e->plan->ranks[object->owner]);
  return NULL;
}

static const char *view_base(struct emit *e, uint32_t index, enum space space) {
  const char *expression = view_expression(e, index, space);
  return expression ? emit_input(e, expression) : NULL;
}

static bool in_view(const struct emit *e, uint32_t index, value_t address) {
  const struct view *view = &e->program->views[index];
  return address >= view->vaddr && address <= view->vaddr + e->program->objects[view->object].size;
}

/* For an address of the model in a register: the device address, found by the last view that begins at or before it. */
const char *emit_address(struct emit *e, const struct address *a, enum space space) {
  const char *from = emit_read(e, &a->base, 64), *address = emit_temp(e, "b64"), *place = NULL;
  emit_line(e, "add.u64 %s, %s, %lld;", address, from, (long long)a->offset);
  for (uint32_t i = 0; i < e->program->view_count; i++) {
    const char *base = view_base(e, i, space);
    if (!base) continue;
    const char *there = emit_temp(e, "b64"), *p;
    emit_line(e, "add.u64 %s, %s, %s;", there, address, base);
    emit_line(e, "sub.u64 %s, %s, %u;", there, there, e->program->views[i].vaddr);
    if (!place) {
      place = there;
      continue;
    }
    p = emit_temp(e, "pred");
    emit_line(e, "setp.ge.u64 %s, %s, %u;", p, address, e->program->views[i].vaddr);
    emit_line(e, "selp.b64 %s, %s, %s, %s;", there, there, place, p);
    place = there;
  }
  return place ? place : address;
}

const char *emit_place(struct emit *e, const struct address *a, enum space space) {
  if (a->base.kind == OPERAND_IMM)
    for (uint32_t i = 0; i < e->program->view_count; i++) {
      if (!in_view(e, i, a->base.imm)) continue;
      const char *base = view_base(e, i, space);
      int64_t offset = (int64_t)a->base.imm - e->program->views[i].vaddr + a->offset;
      if (base && offset) return arena_printf(e->arena, "%s+%lld", base, (long long)offset);
      if (base) return base;
    }
  return emit_address(e, a, space);
}

const char *emit_where(struct emit *e) {
  return arena_printf(e->arena, "[%s]", emit_place(e, &e->instr->addr, e->instr->space));
}

const char *emit_expression(struct emit *e, const struct address *a) {
  for (uint32_t i = 0; i < e->program->view_count; i++) {
    const char *base = in_view(e, i, a->base.imm) ? view_expression(e, i, SPACE_GENERIC) : NULL;
    if (base)
      return arena_printf(e->arena, "%s + %lld", base,
                          (long long)((int64_t)a->base.imm - e->program->views[i].vaddr + a->offset));
  }
  BUG("no place of an access in C++");
}
