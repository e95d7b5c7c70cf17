/* Accesses and barriers of threads that are followed before any thread runs. */
#include "kernel/follow.h"
#include "ptx/isa.h"

static bool address_of(struct follow *f, const struct address *address, uint64_t *out, const struct region **region) {
  const struct operand *base = &address->base;
  *region = NULL;
  *out = (uint64_t)address->offset;
  if (base->kind != OPERAND_REG) {
    *out += (uint64_t)base->imm;
    return true;
  }
  const struct follow_reg *k = follow_reg(f, base->reg);
  *region = k->unknown ? k->region : NULL;
  *out += (uint64_t)follow_bits(f, base->reg);
  return !k->unknown;
}

static struct region *access(struct follow *f, const struct instr *in, const struct address *address, enum space space,
                             uint32_t bytes, bool writes, uint8_t width, uint64_t *where) {
  const struct region *base;
  follow_mix(f, bytes << 1 | writes);
  if (address_of(f, address, where, &base)) {
    struct region *region = follow_at(f, *where, bytes, writes, width);
    needless_note(f->run, in, region, *where, bytes);
    return region;
  }
  follow_any(f, base, space, writes, width);
  needless_note_any(f->run, in, base, space);
  return NULL;
}

static void load(struct follow *f, const struct instr *in, enum holds holds) {
  const uint32_t size = type_bytes(in->type);
  value_t bits[MAX_VECTOR][LANES];
  uint32_t known[MAX_VECTOR] = {0};
  EACH_LANE (f) {
    uint64_t where;
    const struct region *region = access(f, in, &in->addr, in->space, size * in->elements, false, 0, &where);
    for (uint32_t i = 0; i < in->elements; i++) {
      value_t *own = &bits[i][f->lane];
      if (!follow_wants(f, in->dst[i])) continue;
      known[i] |= (uint32_t)(region && follow_first(f, region, where + i * size, size, own)) << f->lane;
      *own = extended(*own, 8 * size, in->type.kind == TYPE_SIGNED);
    }
  }
  for (uint32_t i = 0; i < in->elements; i++) follow_put(f, in->dst[i], holds, bits[i], known[i], false);
}

/* A load of a parameter at one place gives all lanes the same, and no other thread sees it. */
static bool load_parameter(struct follow *f, const struct instr *in, enum holds holds) {
  const uint32_t size = type_bytes(in->type);
  const struct operand *base = &in->addr.base;
  const struct region *region = NULL;
  uint64_t address;
  if (base->kind == OPERAND_REG && follow_reg(f, base->reg)->varies) return false;
  if (address_of(f, &in->addr, &address, &region)) region = memory_at(&f->launch->memory, address);
  const bool inside = region && address - region->base + size * in->elements <= memory_room(region);
  if (!inside || region->space != SPACE_PARAM) return false;
  for (uint32_t i = 0; i < in->elements; i++) {
    value_t bits = 0;
    const bool known = follow_first(f, region, address + i * size, size, &bits);
    bits = extended(bits, 8 * size, in->type.kind == TYPE_SIGNED);
    follow_put(f, in->dst[i], holds, &bits, known ? f->path.active : 0, true);
  }
  return true;
}

static void mix_operand(struct follow *f, const struct operand *o) {
  if (o->kind == OPERAND_REG && !follow_reg(f, o->reg)->unknown) follow_mix_value(f, follow_bits(f, o->reg));
}

/* The constants that an instruction stores, or that decide its effect. */
static void mix_sources(struct follow *f, const struct instr *in) {
  for (uint32_t i = 0; i < MAX_VECTOR; i++) mix_operand(f, &in->src[i]);
}

/* Values in memory decide something where loads have wanted results. */
static bool matters(const struct follow *f, const struct instr *in) {
  return f->body->matters[in - f->body->thread->instrs];
}

static void store(struct follow *f, const struct instr *in) {
  uint64_t where;
  if (matters(f, in)) mix_sources(f, in);
  access(f, in, &in->addr, in->space, type_bytes(in->type) * in->elements, true, 0, &where);
}

/* The width of an atomic that is morally strong with those of this width in the whole grid; or 0. */
static uint8_t width_of(const struct instr *in, unsigned unit) {
  return in->scope == SCOPE_GPU || in->scope == SCOPE_SYS ? (uint8_t)(type_bytes(in->type) * unit) : 0;
}

static void update(struct follow *f, uint32_t index) {
  const struct instr *in = &f->body->thread->instrs[index];
  const bool wanted = f->formulas[index].gives;
  const uint8_t width = wanted ? 0 : width_of(in, 1);
  uint64_t where;
  if (wanted || matters(f, in)) mix_sources(f, in);
  for (uint32_t i = 0; i < in->elements; i++) {
    struct address address = in->addr;
    address.offset += i * type_bytes(in->type);
    const struct region *region = access(f, in, &address, in->space, type_bytes(in->type), true, width, &where);
    if (wanted) follow_refuse_given(f, region);
  }
}

/* cp.async, whose bytes past the filled ones are not read; or a copy in bulk. The elements of a reduction in bulk meet
 * as atomics do (A3), but not with atomics, which are of the generic proxy (AC10). */
static void copy(struct follow *f, const struct instr *in) {
  const struct async *a = in->async;
  uint64_t where;
  const enum space other = a->action == ASYNC_COPY ? SPACE_GLOBAL : SPACE_GENERIC;
  const struct operand *counts[] = {&a->bytes, &a->filled};
  uint32_t bytes[2] = {0, 0};
  for (uint32_t i = 0; i < 2; i++) {
    const struct follow_reg *k = counts[i]->kind == OPERAND_REG ? follow_reg(f, counts[i]->reg) : NULL;
    if (k && k->unknown) f->failed = true;
    bytes[i] = (uint32_t)(k ? follow_bits(f, counts[i]->reg) : counts[i]->imm);
  }
  follow_mix(f, (uint64_t)bytes[0] << 32 | bytes[1]);
  mix_operand(f, &a->object.base);
  mix_operand(f, &a->ctas);
  mix_operand(f, &a->ignored);
  const uint8_t width = a->reduces ? width_of(in, ASYNC_WIDTH) : 0;
  access(f, in, &a->to, a->action == ASYNC_COPY ? SPACE_SHARED : SPACE_GENERIC, bytes[0], true, width, &where);
  const uint32_t read = a->filled.kind != OPERAND_NONE && bytes[1] < bytes[0] ? bytes[1] : bytes[0];
  if (read) {
    const struct region *region = access(f, in, &a->from, other, read, false, 0, &where);
    if (matters(f, in)) follow_refuse_given(f, region);
  }
}

/* A barrier or an exchange between lanes of a warp: who takes part counts, and values if the result does. */
static void meet(struct follow *f, const struct instr *in) {
  const struct operand *deciding[] = {&in->barrier->id, &in->barrier->count, &in->src[1], &in->src[2],
                                      &in->barrier->predicate};
  for (size_t i = 0; i < sizeof deciding / sizeof *deciding; i++) mix_operand(f, deciding[i]);
}

/* An instruction that accesses nothing but shared memory and objects of the cluster: all that it names counts, but of
 * ldmatrix and stmatrix not the values of matrices. */
static void act_inside(struct follow *f, uint32_t index) {
  const bool rows = f->body->thread->instrs[index].tiled == TILED_ROWS;
  EACH_OPERAND (reg, f, &f->formulas[index])
    if (!follow_reg(f, *reg)->unknown && (!rows || follow_wants(f, *reg))) follow_mix_value(f, follow_bits(f, *reg));
}

static void copy_tensor(struct follow *f, uint32_t index) {
  struct tiled_copy copy;
  follow_give(f, index);
  if (!tiled_copied(f->runner, &f->body->thread->instrs[index], &copy)) {
    f->failed = true;
    return;
  }
  for (uint32_t i = 0; i < copy.places; i++) follow_mix_value(f, copy.place[i]);
  if (copy.loads) {
    follow_any(f, copy.region, SPACE_GLOBAL, false, 0);
    if (matters(f, &f->body->thread->instrs[index])) follow_refuse_given(f, copy.region);
  }
  for (uint32_t i = 0; i < copy.rows.count; i++)
    follow_at(f, copy.region->base + copy.rows.list[i].at, copy.rows.list[i].bytes, true,
              (uint8_t)(copy.reduced * ASYNC_WIDTH));
}

static bool knows_async(const struct async *a) {
  if (a->action == ASYNC_COPY || a->action == ASYNC_BULK) return !a->replicas && !a->from_map && !a->to_map;
  return a->action != ASYNC_CANCEL;
}

/* True of instructions whose effect is known here. The lanes of a warp that come to elect.sync decide what it gives,
 * and those of twins do the same. */
bool follow_knows(const struct instr *in) {
  if (instr_is_access(in) && (in->is_mmio || maps_replaces(in) || maps_copies(in))) return false;
  if (instr_is_access(in) && in->kind != INSTR_LOAD && in->proxy != PROXY_GENERIC) return false;
  switch (in->kind) {
    case INSTR_ALU: return run_meeting(in) != MEETING_ACTIVE;
    case INSTR_ATOM:
    case INSTR_RED: return in->alu != ALU_CAS;
    case INSTR_ASYNC: return knows_async(in->async);
    case INSTR_UNSUPPORTED:
      return in->form != FORM_TEXTURE && (in->pure || in->tiled != TILED_NONE || run_meeting(in) != MEETING_NONE);
    case INSTR_BARRIER:
    case INSTR_MBARRIER:
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT:
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_FENCE:
    case INSTR_PROXY_FENCE:
    case INSTR_BRANCH:
    case INSTR_EXIT:
    case INSTR_TRAP:
    case INSTR_GROUP:
    case INSTR_NOTHING: return true;
    case INSTR_MULTIMEM:
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC: return false;
  }
  BUG("no instruction kind %d", (int)in->kind);
}

/* The effects of an instruction in the present lane. True: its results are unknown, and the known values that it reads
 * count. */
static bool act(struct follow *f, uint32_t index) {
  const struct instr *in = &f->body->thread->instrs[index];
  const bool copies = in->kind == INSTR_ASYNC && (in->async->action == ASYNC_COPY || in->async->action == ASYNC_BULK);
  if (in->kind == INSTR_STORE) store(f, in);
  else if (in->kind == INSTR_ATOM || in->kind == INSTR_RED) update(f, index);
  else if (in->tiled == TILED_COPY) copy_tensor(f, index);
  else if (copies) copy(f, in);
  else if (in->kind == INSTR_BARRIER) return meet(f, in), true;
  else return act_inside(f, index), true;
  return false;
}

static void act_in_lanes(struct follow *f, uint32_t index, enum holds holds) {
  const struct instr *in = &f->body->thread->instrs[index];
  bool computes = false;
  EACH_LANE (f) follow_mix(f, (uint64_t)index << 2 | holds);
  if (in->kind == INSTR_LOAD) {
    load(f, in, holds);
    return;
  }
  EACH_LANE (f) computes = act(f, index);
  if (computes) follow_unknown(f, index, holds);
  else
    EACH_RESULT (reg, f, &f->formulas[index]) follow_put_unknown(f, *reg, holds, NULL);
}

void follow_execute(struct follow *f, uint32_t index) {
  const struct instr *in = &f->body->thread->instrs[index];
  follow_agree(f, index);
  const enum holds holds = guard_of(f, in);
  if (holds == HOLDS_NOT) return;
  if (in->kind == INSTR_ALU && run_meeting(in) == MEETING_NONE) {
    if (f->body->discards[index]) { /* if the thread uses the value of a load */
      const uint32_t decider = discards_decider(f->body, index);
      f->failed = f->failed || follow_reg(f, decider)->unknown;
      EACH_LANE (f) follow_mix_value(f, follow_bits(f, decider));
    }
    follow_compute(f, index, holds);
    return;
  }
  if (in->kind == INSTR_UNSUPPORTED && in->pure && in->tiled == TILED_NONE && run_meeting(in) == MEETING_NONE) {
    follow_unknown(f, index, holds);
    return;
  }
  if (in->kind == INSTR_LOAD && load_parameter(f, in, holds)) return;
  const bool certain = f->path.certain;
  f->path.certain = certain && holds == HOLDS;
  act_in_lanes(f, index, holds);
  f->path.certain = certain;
}
