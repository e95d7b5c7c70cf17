/* Writes wgmma (9.7.17) and tcgen05 (9.7.18) as PTX, and says which tests with them a GPU can run.
 *
 * A thread of such a test is a warp here, or four for wgmma: all lanes execute the instructions of warps and CTAs; only
 * the first lane executes the others, and then shares the registers that it wrote with its warp. A matrix of the test
 * is a number n. On the GPU each of its rows begins with the bits n, which as f16 are n * 2^-24, and continues with
 * zeros. So every element of a product of m and n is exactly m * n * 2^-48, sums are exact too, and the code that moves
 * a sum to a register multiplies it by 2^48. */
#include "chip/emit.h"

enum {
  MATRIX_BYTES = 2 * CHIP_MATRIX_ROWS * 16, /* two blocks of 8 rows of 16 bytes: 16 elements of K */
  FORMATS = 0x1ffff,                        /* an instruction descriptor without its column and row counts */
  F16_TO_F32 = 0x10,
  PRODUCT_SHAPE = 0x08100010, /* 128 lanes, 64 columns */
};

/* ---- planning */

static bool has_runs(const struct async *a) { return a->from_runs.list || a->other_runs.list || a->to_runs.list; }

/* The object of the matrix at this address; object_count: there is no matrix. */
static uint32_t matrix_of(const struct program *program, const struct address *address) {
  return address->offset ? program->object_count : chip_object_of(program, &address->base);
}

static const char *refuse_product(const struct program *program, const struct async *a) {
  const struct tensor *t = a->tensor;
  bool f16 = strcmp(t->kind, ".kind::f16") == 0 && !t->sparse && !t->weights && !t->scale_vector;
  bool shaped = t->shape.kind == OPERAND_NONE ||
                (t->shape.kind == OPERAND_IMM && (t->shape.imm & FORMATS) == F16_TO_F32 && t->shape.imm >> 17);
  if (!f16 || !shaped) return "of the products of tcgen05 only dense ones of f16 with sums in f32 are run";
  if (has_runs(a)) return "of a matrix of tcgen05 a test has all rows, or none";
  if (t->from_cells || matrix_of(program, &a->from) == program->object_count ||
      matrix_of(program, &a->other) == program->object_count)
    return "matrices are in shared memory, at a location";
  return NULL;
}

const char *chip_refuse_tensor(const struct program *program, const struct instr *instr) {
  const struct async *a = instr->async;
  switch (a->action) {
    case ASYNC_MMA:
      if (a->shaped) return "of a matrix a test has one number, or no value";
      if (instr->guard.present) return "a guard of wgmma";
      return matrix_of(program, &a->from) == program->object_count ||
                     matrix_of(program, &a->to) == program->object_count
                 ? "matrices are in shared memory, at a location"
                 : NULL;
    case ASYNC_TENSOR_MMA: return refuse_product(program, a);
    case ASYNC_TENSOR_LOAD:
    case ASYNC_TENSOR_STORE:
      if (a->tensor->reduces || a->tensor->halves) return "of .ld and .st only those of whole registers are run";
      return instr->guard.present ? "a guard of .ld or .st" : NULL;
    case ASYNC_TENSOR_COMMIT:
    case ASYNC_TENSOR_ALLOC:
    case ASYNC_TENSOR_FREE:
    case ASYNC_TENSOR_RELINQUISH:
    case ASYNC_TENSOR_COPY:
    case ASYNC_TENSOR_SHIFT:
    case ASYNC_COPY:
    case ASYNC_BULK:
    case ASYNC_STORE:
    case ASYNC_ARRIVE:
    case ASYNC_CANCEL: return NULL;
  }
  BUG("no such operation: %d", (int)a->action);
}

/* Records the locations that a product reads as matrices. */
static void note_product(const struct program *program, struct chip_plan *plan, const struct async *a) {
  const struct address *other = a->action == ASYNC_MMA ? &a->to : &a->other;
  uint32_t ends[] = {matrix_of(program, &a->from), matrix_of(program, other)};
  plan->products = true;
  for (size_t i = 0; i < ARRAY_LEN(ends); i++)
    if (ends[i] < program->object_count) plan->matrices[ends[i]] = true;
}

/* The facts about a test that its instructions add up to. */
struct features {
  bool wgmma, tensor, stores, allocates;
  unsigned groups; /* one bit for each .cta_group */
};

static void note_use(const struct program *program, struct chip_plan *plan, const struct async *a,
                     struct features *features) {
  bool moves = a->action == ASYNC_TENSOR_LOAD || a->action == ASYNC_TENSOR_STORE;
  features->wgmma |= a->action == ASYNC_MMA;
  features->stores |= a->action == ASYNC_TENSOR_STORE;
  features->allocates |= a->action == ASYNC_TENSOR_ALLOC;
  if (a->action == ASYNC_MMA || a->action == ASYNC_TENSOR_MMA) note_product(program, plan, a);
  if (!async_row(a->action)->tensor) return;
  features->tensor = true;
  if (!moves) features->groups |= a->tensor->paired ? 2 : 1;
}

/* Assigns columns to the locations in tensor memory. False if the initial value of one is not 0: the program cannot set
 * it. */
static bool place_columns(const struct program *program, struct chip_plan *plan) {
  for (uint32_t i = 0; i < program->object_count; i++) {
    const struct object *object = &program->objects[i];
    if (object->space != SPACE_TMEM || object->is_cells || chip_first_of(program, i) < i) continue;
    plan->columns += CHIP_OBJECT_COLUMNS;
    for (uint32_t k = 0; k < object->count; k++)
      if (object->init[k]) return false;
  }
  return true;
}

const char *chip_plan_tensor(struct arena *arena, const struct program *program, struct chip_plan *plan) {
  struct features features = {0};
  plan->matrices = ARENA_ARRAY(arena, bool, program->object_count);
  for (uint32_t t = 0; t < program->thread_count; t++)
    ARRAY_EACH (instr, program->threads[t].instrs, program->threads[t].instr_count) {
      if (instr->kind == INSTR_ASYNC) note_use(program, plan, instr->async, &features);
      features.wgmma |= instr->kind == INSTR_GROUP && instr->group->list == GROUP_MMA;
      features.tensor |= instr->kind == INSTR_PROXY_FENCE && instr->proxy == PROXY_TMEM;
    }
  plan->lanes = features.wgmma ? 128 : features.tensor ? 32 : 0;
  plan->capability = features.tensor ? 100 : features.wgmma ? 90 : 0;
  plan->group = !features.tensor ? 0 : features.groups == 2 ? 2 : 1;
  if (features.wgmma && features.tensor) return "no GPU has both wgmma and tcgen05";
  if (features.groups == 3) return "a test must not use both .cta_group::1 and .cta_group::2";
  if (plan->products && features.stores) return "tcgen05.st is not supported with tcgen05.mma";
  if (!place_columns(program, plan)) return "a location in tensor memory has an initial value other than 0";
  if (plan->columns && features.allocates) return "locations in tensor memory are not supported with tcgen05.alloc";
  return plan->columns > TENSOR_COLUMNS ? "it has too many locations in tensor memory" : NULL;
}

uint32_t chip_shared_bytes(const struct chip_plan *plan, const struct program *program, uint32_t object) {
  return plan->matrices[object] ? MATRIX_BYTES : program->objects[object].size;
}

/* ---- addresses */

/* A lane and a column, in a register of 32 bits. */
static const char *cells_at(struct emit *e, const struct address *address) {
  const char *from, *to = emit_temp(e, "b32");
  uint32_t object = chip_object_of(e->program, &address->base);
  if (object < e->program->object_count) {
    const char *at = emit_input(e, arena_printf(e->arena, "m.columns(%u)", e->plan->objects[object]));
    from = emit_temp(e, "b32");
    emit_line(e, "cvt.u32.u64 %s, %s;", from, at);
  } else {
    from = emit_read(e, &address->base, 32);
  }
  emit_line(e, "add.u32 %s, %s, %d;", to, from, (int)address->offset);
  return to;
}

/* The descriptor of a matrix: the second block of K after the first, all groups of 8 rows at the same address, no
 * swizzle (9.7.17.5.1.2.1, 9.7.18.4.1). */
static const char *matrix_at(struct emit *e, const struct address *address) {
  const unsigned long long version = e->plan->group ? 1ull << 46 : 0;
  const char *to = emit_temp(e, "b64"), *place = emit_temp(e, "b64");
  emit_line(e, "shr.u64 %s, %s, 4;", place, emit_place(e, address, SPACE_SHARED));
  emit_line(e, "and.b64 %s, %s, 0x3fff;", place, place);
  emit_line(e, "or.b64 %s, %s, 0x%llx;", to, place, version | (unsigned long long)(CHIP_MATRIX_ROWS * 16 >> 4) << 16);
  return to;
}

/* ---- instructions */

void emit_tensor_mma(struct emit *e) {
  const struct async *a = e->instr->async;
  const struct tensor *t = a->tensor;
  const char *d = cells_at(e, &a->to), *from = matrix_at(e, &a->from), *other = matrix_at(e, &a->other);
  const struct operand standard = {.kind = OPERAND_IMM, .imm = PRODUCT_SHAPE};
  const char *shape = emit_read(e, t->shape.kind == OPERAND_NONE ? &standard : &t->shape, 32);
  const char *adds = emit_read(e, &t->adds, 1);
  emit_line(e, "%stcgen05%s [%s], %s, %s, %s, %s;", e->guard, emit_words(e), d, from, other, shape, adds);
}

static const char *second_half(struct emit *e) {
  const struct tensor *t = e->instr->async->tensor;
  return t->split ? arena_printf(e->arena, ", %u", t->second) : "";
}

/* The first register of a fragment of D has, in the first lane, the element of row 0 and column 0. */
void emit_mma(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *from = matrix_at(e, &a->from), *other = matrix_at(e, &a->to), *to[4];
  for (unsigned i = 0; i < 4; i++) to[i] = emit_temp(e, "b32");
  VEC_PUSH(e->arena, &e->loaded, ((struct loaded){e->instr->dst[0], to[0], e->commits}));
  emit_line(e, "wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%s, %s, %s, %s}, %s, %s, 0, 1, 1, 0, 0;", to[0],
            to[1], to[2], to[3], from, other);
}

/* The registers have their values only after the next wait. */
void emit_tensor_load(struct emit *e) {
  const struct async *a = e->instr->async;
  struct text list = {.arena = e->arena};
  for (uint32_t i = 0; i < a->tensor->result_count; i++) {
    const char *to = emit_temp(e, "b32");
    text_printf(&list, "%s%s", i ? ", " : "", to);
    VEC_PUSH(e->arena, &e->loaded, ((struct loaded){a->tensor->results[i], to, 0}));
  }
  const char *from = cells_at(e, &a->from);
  emit_line(e, "tcgen05%s {%s}, [%s]%s;", emit_words(e), text_str(&list), from, second_half(e));
}

void emit_tensor_store(struct emit *e) {
  const struct async *a = e->instr->async;
  struct text list = {.arena = e->arena};
  for (uint32_t i = 0; i < a->tensor->value_count; i++)
    text_printf(&list, "%s%s", i ? ", " : "", emit_read(e, &a->tensor->values[i], 32));
  const char *to = cells_at(e, &a->to);
  emit_line(e, "tcgen05%s [%s]%s, {%s};", emit_words(e), to, second_half(e), text_str(&list));
}

/* The registers that were loaded, or written by wgmma, before commit number `commits` have their values now. */
static void take_loaded(struct emit *e, uint32_t commits) {
  uint32_t left = 0;
  VEC_VALUES (now, &e->loaded) {
    if (now.commits >= commits) {
      e->loaded.data[left++] = now;
      continue;
    }
    if (e->plan->products) {
      emit_line(e, "mul.f32 %s, %s, 0f57800000;", now.value, now.value); /* 2^48 */
      emit_line(e, "cvt.rzi.u32.f32 %s, %s;", now.value, now.value);
    }
    emit_write(e, now.reg, now.value, 32, false);
  }
  e->loaded.len = left;
}

void emit_tensor_wait(struct emit *e, enum one_way which) {
  emit_line(e, "tcgen05.wait::%s.sync.aligned;", which == ONE_WAY_LOADS ? "ld" : "st");
  if (which == ONE_WAY_LOADS) take_loaded(e, UINT32_MAX);
}

void emit_mma_group(struct emit *e) {
  const struct group *g = e->instr->group;
  uint32_t left = (uint32_t)g->left.imm;
  emit_line(e, "wgmma%s%s;", emit_words(e), g->waits ? arena_printf(e->arena, " %u", left) : "");
  if (g->waits) take_loaded(e, e->commits > left ? e->commits - left : 0);
  e->commits += g->commits;
}

void emit_tensor_commit(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *ctas = a->ctas.kind == OPERAND_NONE ? "" : arena_printf(e->arena, ", %s", emit_read(e, &a->ctas, 16));
  emit_line(e, "%stcgen05%s [%s]%s;", e->guard, emit_words(e), emit_place(e, &a->object, SPACE_SHARED), ctas);
}

void emit_tensor_alloc(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *count = emit_read(e, &a->tensor->count, 32);
  emit_line(e, "%stcgen05%s [%s], %s;", e->guard, emit_words(e), emit_place(e, &a->to, SPACE_SHARED), count);
}

void emit_tensor_free(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *from = emit_read(e, &a->from.base, 32), *count = emit_read(e, &a->tensor->count, 32);
  emit_line(e, "%stcgen05%s %s, %s;", e->guard, emit_words(e), from, count);
}

void emit_tensor_relinquish(struct emit *e) { emit_line(e, "%stcgen05%s;", e->guard, emit_words(e)); }

/* ---- warps */

/* True if all lanes execute the instruction: because it is an instruction of warps or CTAs, or because all lanes hold
 * its registers. */
static bool is_of_all(const struct emit *e, const struct instr *in) {
  bool shared = e->plan->lanes == 32;
  switch (in->kind) {
    case INSTR_ASYNC:
      return in->async->action == ASYNC_MMA ||
             (async_row(in->async->action)->tensor && in->async->action != ASYNC_TENSOR_MMA &&
              in->async->action != ASYNC_TENSOR_COMMIT);
    case INSTR_GROUP: return in->group->list == GROUP_MMA;
    case INSTR_PROXY_FENCE: return in->proxy == PROXY_TMEM;
    case INSTR_BARRIER: return in->barrier->kind == BARRIER_CTA || in->barrier->kind == BARRIER_CLUSTER;
    case INSTR_ALU: return shared;
    case INSTR_BRANCH:
    case INSTR_NOTHING:
    case INSTR_EXIT: return true;
    case INSTR_LOAD:
    case INSTR_STORE:
    case INSTR_ATOM:
    case INSTR_RED:
    case INSTR_FENCE:
    case INSTR_MBARRIER:
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT:
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC:
    case INSTR_MULTIMEM:
    case INSTR_TRAP:
    case INSTR_UNSUPPORTED: return false;
  }
  BUG("no such kind of instruction: %d", (int)in->kind);
}

/* Gives all lanes the first lane's word. */
static void share_word(struct emit *e, const char *word) {
  emit_line(e, "shfl.sync.idx.b32 %s, %s, 0, 0x1f, 0xffffffff;", word, word);
}

static void share(struct emit *e, uint32_t reg) {
  bool pred = emit_is_pred(e, reg), wide = !pred && e->wide[reg];
  const char *words[4];
  uint32_t count = pred ? 1 : wide ? 4 : 2;
  for (uint32_t i = 0; i < count; i++) words[i] = emit_temp(e, "b32");
  const char *list = count == 4 ? arena_printf(e->arena, "{%s, %s, %s, %s}", words[0], words[1], words[2], words[3])
                                : arena_printf(e->arena, "{%s, %s}", words[0], words[count - 1]);
  if (pred) emit_line(e, "selp.b32 %s, 1, 0, v%u;", words[0], reg);
  else if (!wide) emit_line(e, "mov.b64 %s, v%u;", list, reg);
  else {
    const char *low = emit_temp(e, "b64"), *high = emit_temp(e, "b64");
    emit_line(e, "mov.b128 {%s, %s}, v%u;", low, high, reg);
    emit_line(e, "mov.b64 {%s, %s}, %s;", words[0], words[1], low);
    emit_line(e, "mov.b64 {%s, %s}, %s;", words[2], words[3], high);
  }
  for (uint32_t i = 0; i < count; i++) share_word(e, words[i]);
  if (pred) emit_line(e, "setp.ne.u32 v%u, %s, 0;", reg, words[0]);
  else if (!wide) emit_line(e, "mov.b64 v%u, %s;", reg, list);
  else {
    const char *low = emit_temp(e, "b64"), *high = emit_temp(e, "b64");
    emit_line(e, "mov.b64 %s, {%s, %s};", low, words[0], words[1]);
    emit_line(e, "mov.b64 %s, {%s, %s};", high, words[2], words[3]);
    emit_line(e, "mov.b128 v%u, {%s, %s};", reg, low, high);
  }
}

/* The lanes wait for the first lane. The four warps of wgmma synchronize at a barrier that no test uses. */
static void join(struct emit *e) {
  uint32_t seat = e->plan->roles[e->thread_index].seat / e->plan->lanes;
  if (e->plan->lanes == 32) emit_line(e, "bar.warp.sync 0xffffffff;");
  else emit_line(e, "bar.sync %u, %u;", 15 - seat, e->plan->lanes);
}

void emit_by_lanes(struct emit *e, void (*instr)(struct emit *, uint32_t), uint32_t index) {
  bool shares = e->plan->lanes == 32;
  if (is_of_all(e, e->instr)) {
    instr(e, index);
    return;
  }
  const char *past = arena_printf(e->arena, "J%u", e->labels++);
  e->stop = past;
  e->written.len = 0;
  emit_line(e, "@!lead bra %s;", past);
  instr(e, index);
  emit_line(e, "%s:", past);
  join(e);
  e->stop = "END";
  for (uint32_t i = 0; i < e->written.len && shares; i++) share(e, e->written.data[i]);
  if (e->instr->kind != INSTR_MBARRIER) return;
  if (shares) {
    share_word(e, "steps");
    share_word(e, "gave_up");
  }
  emit_line(e, "setp.ne.u32 stop, gave_up, 0;");
  emit_line(e, "@stop %s;", shares ? "bra END" : "trap");
}

void emit_lanes_begin(struct emit *e) {
  join(e);
  emit_line(e, "mov.u32 gave_up, %%%%tid.x;");
  emit_line(e, "and.b32 gave_up, gave_up, %u;", e->plan->lanes - 1);
  emit_line(e, "setp.eq.u32 lead, gave_up, 0;");
}

void emit_lanes_end(struct emit *e) {
  if (!e->plan->group) return;
  emit_tensor_wait(e, ONE_WAY_LOADS);
  emit_tensor_wait(e, ONE_WAY_STORES);
  emit_line(e, "setp.ne.u32 stop, gave_up, 0;");
  if (!e->plan->columns) emit_line(e, "@stop trap;"); /* or the columns that the test allocated would never be freed */
}
