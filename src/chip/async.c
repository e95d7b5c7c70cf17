/* Writes operations on mbarrier objects, asynchronous operations and proxy fences as PTX (9.7.10.28, 9.7.15).
 *
 * The PTX has the qualifiers of the test, in its order: none may be omitted here.
 */

#include "chip/emit.h"

/* An address in shared memory of the thread's own CTA or of another CTA. */
static const char *shared_at(struct emit *e, const struct address *address) {
  return emit_place(e, address, SPACE_SHARED);
}

/* ---- mbarrier objects */

static bool is_own(const struct emit *e, const struct address *address) {
  uint32_t object = chip_object_of(e->program, &address->base);
  return object == e->program->object_count || e->program->objects[object].owner == e->thread->cta_id;
}

/* The dots of an operation on an mbarrier, with the space and the type, which a test may omit. */
static const char *mbarrier_words(struct emit *e) {
  const char *space = is_own(e, &e->instr->mbarrier->object) ? ".shared::cta" : ".shared::cluster";
  struct text words = {.arena = e->arena};
  LIST_EACH (word, e->instr->ast->qualifiers.first) {
    if (base_begins(word->text, ".shared")) space = word->text;
    else if (strcmp(word->text, ".b64") != 0) text_add(&words, word->text);
  }
  return arena_printf(e->arena, "%s%s.b64", text_str(&words), space);
}

/* The loop around try_wait; each iteration counts as a step. */
static void emit_wait(struct emit *e, const char *words, const char *place, const char *phase) {
  uint32_t turn = e->labels++;
  const char *true_yet = emit_temp(e, "pred");
  const struct guard *guard = &e->instr->guard;
  if (guard->present) emit_line(e, "@%sv%u bra N%u;", guard->negated ? "" : "!", guard->reg, turn);
  emit_line(e, "W%u:", turn);
  emit_line(e, "mbarrier.try_wait%s %s, [%s], %s, 100;", words, true_yet, place, phase); /* waits up to 100 ns */
  emit_line(e, "@%s bra N%u;", true_yet, turn);
  emit_step(e, arena_printf(e->arena, "W%u", turn));
  emit_line(e, "N%u:", turn);
}

static void emit_test(struct emit *e) {
  const struct mbarrier *m = e->instr->mbarrier;
  const char *place = shared_at(e, &m->object), *phase = emit_read(e, &m->phase, m->parity ? 32 : 64);
  const char *words = mbarrier_words(e);
  if (m->action == MBARRIER_WAIT) {
    emit_wait(e, words + strlen(".wait"), place, phase);
    return;
  }
  const char *to = emit_temp(e, "pred");
  emit_line(e, "%smbarrier%s %s, [%s], %s;", e->guard, words, to, place, phase);
  emit_write(e, e->instr->dst[0], to, 1, false);
}

/* The operand with the count of an arrival or its expected bytes, if the test gives it. */
static const char *arrival_extra(struct emit *e) {
  const struct mbarrier *m = e->instr->mbarrier;
  const struct operand *extra = m->bytes.kind != OPERAND_NONE ? &m->bytes : &m->count;
  if (extra == &m->count && !m->no_complete && extra->kind == OPERAND_IMM && extra->imm == 1) return "";
  return arena_printf(e->arena, ", %s", emit_read(e, extra, 32));
}

void emit_mbarrier(struct emit *e) {
  const struct mbarrier *m = e->instr->mbarrier;
  if (m->action == MBARRIER_TEST || m->action == MBARRIER_TRY || m->action == MBARRIER_WAIT) {
    emit_test(e);
    return;
  }
  if (m->action == MBARRIER_PENDING) {
    const char *count = emit_temp(e, "b32"), *state = emit_read(e, &m->phase, 64);
    emit_line(e, "%smbarrier.pending_count.b64 %s, %s;", e->guard, count, state);
    emit_write(e, e->instr->dst[0], count, 32, false);
    return;
  }
  const char *place = shared_at(e, &m->object), *words = mbarrier_words(e);
  if (m->action == MBARRIER_ARRIVE || m->action == MBARRIER_DROP) {
    bool keeps = e->instr->dst[0] != NO_REG;
    const char *extra = arrival_extra(e), *state = keeps ? emit_temp(e, "b64") : "_";
    emit_line(e, "%smbarrier%s %s, [%s]%s;", e->guard, words, state, place, extra);
    if (keeps) emit_write(e, e->instr->dst[0], state, 64, false);
    return;
  }
  const struct operand *operand = m->action == MBARRIER_INIT ? &m->count : &m->bytes;
  if (m->action == MBARRIER_INVAL) emit_line(e, "%smbarrier%s [%s];", e->guard, words, place);
  else emit_line(e, "%smbarrier%s [%s], %s;", e->guard, words, place, emit_read(e, operand, 32));
}

/* ---- asynchronous operations */

/* A destination or a source: chip_plan admits only declared locations. */
static const char *end_at(struct emit *e, const struct address *address) {
  uint32_t object = chip_object_of(e->program, &address->base);
  bool known = object < e->program->object_count;
  return emit_place(e, address, known ? e->program->objects[object].space : SPACE_GENERIC);
}

static void emit_copy(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *to = shared_at(e, &a->to), *from = emit_place(e, &a->from, SPACE_GLOBAL), *rest = "";
  if (a->filled.kind != OPERAND_NONE) rest = arena_printf(e->arena, ", %s", emit_read(e, &a->filled, 32));
  if (a->ignored.kind != OPERAND_NONE) rest = arena_printf(e->arena, ", %s", emit_read(e, &a->ignored, 1));
  emit_line(e, "%scp%s [%s], [%s], %u%s;", e->guard, emit_words(e), to, from, (unsigned)a->bytes.imm, rest);
}

/* ---- tensor maps */

/* The map and the coordinate 0: tests have no other. */
static const char *tensor_at(struct emit *e, const struct address *map) {
  const char *zero = emit_constant(e, 0, 32);
  return arena_printf(e->arena, "%s, {%s}", emit_place(e, map, SPACE_GENERIC), zero);
}

static void emit_tensor(struct emit *e) {
  const struct async *a = e->instr->async;
  const char *to = a->to_map ? tensor_at(e, &a->to) : end_at(e, &a->to);
  const char *from = a->from_map ? tensor_at(e, &a->from) : end_at(e, &a->from);
  const char *object = a->has_object ? arena_printf(e->arena, ", [%s]", shared_at(e, &a->object)) : "";
  emit_line(e, "%scp%s [%s], [%s]%s;", e->guard, emit_words(e), to, from, object);
}

void emit_replace(struct emit *e) {
  struct address to = {.base = e->instr->src[0]};
  const char *map = emit_place(e, &e->instr->addr, SPACE_GENERIC);
  emit_line(e, "%stensormap%s [%s], %s;", e->guard, emit_words(e), map, emit_place(e, &to, SPACE_GENERIC));
}

/* ---- bulk copies */

static void emit_bulk(struct emit *e) {
  const struct async *a = e->instr->async;
  if (a->from_map || a->to_map) {
    emit_tensor(e);
    return;
  }
  const char *to = end_at(e, &a->to), *from = end_at(e, &a->from), *bytes = emit_read(e, &a->bytes, 32);
  const char *object = a->has_object ? arena_printf(e->arena, ", [%s]", shared_at(e, &a->object)) : "", *ctas = "";
  if (a->ctas.kind != OPERAND_NONE) ctas = arena_printf(e->arena, ", %s", emit_read(e, &a->ctas, 16));
  emit_line(e, "%scp%s [%s], [%s], %s%s%s;", e->guard, emit_words(e), to, from, bytes, object, ctas);
}

static void emit_async_store(struct emit *e) {
  const struct instr *in = e->instr;
  const char *to = end_at(e, &in->async->to), *values = "";
  for (uint32_t i = 0; i < in->elements; i++)
    values = arena_printf(e->arena, "%s%s%s", values, i ? ", " : "", emit_read(e, &in->src[i], in->type.width));
  emit_line(e, "%s%s%s [%s], %s%s%s, [%s];", e->guard, in->async->reduces ? "red" : "st", emit_words(e), to,
            in->elements > 1 ? "{" : "", values, in->elements > 1 ? "}" : "", shared_at(e, &in->async->object));
}

static void emit_async_arrival(struct emit *e) {
  emit_line(e, "%scp%s [%s];", e->guard, emit_words(e), shared_at(e, &e->instr->async->object));
}

void emit_async(struct emit *e) {
  static void (*const operations[])(struct emit *) = {
#define PTX_ASYNC(id, accesses, emit, refusal, tensor, collector) emit,
#include "ptx/async.def"
  };
  enum async_action action = e->instr->async->action;
  e->issues = true;
  if (!operations[action]) BUG("an asynchronous operation of kind %d reached the program for a GPU", (int)action);
  operations[action](e);
}

void emit_group(struct emit *e) {
  const struct group *g = e->instr->group;
  if (g->list == GROUP_MMA) {
    emit_mma_group(e);
    return;
  }
  bool counts = g->waits && !g->commits;
  emit_line(e, "%scp%s%s;", e->guard, emit_words(e),
            counts ? arena_printf(e->arena, " %u", (unsigned)g->left.imm) : "");
}

/* Waits for groups, and gives operations with a signal time to end: another thread may own the signal's object. */
void emit_drain(struct emit *e) {
  if (!e->issues) return;
  emit_line(e, "cp.async.wait_all;");
  emit_line(e, "cp.async.bulk.commit_group;");
  emit_line(e, "cp.async.bulk.wait_group 0;");
}

/* ---- fences */

void emit_proxy_fence(struct emit *e) {
  if (e->instr->proxy == PROXY_TMEM) {
    enum one_way which = e->instr->one_way;
    if (which == ONE_WAY_LOADS || which == ONE_WAY_STORES) emit_tensor_wait(e, which);
    else emit_line(e, "%stcgen05%s;", e->guard, emit_words(e));
    return;
  }
  bool names = e->instr->proxy == PROXY_TENSORMAP && e->instr->one_way == ONE_WAY_ACQUIRE;
  const char *map = names ? arena_printf(e->arena, " [%s], 128", emit_place(e, &e->instr->addr, SPACE_GENERIC)) : "";
  emit_line(e, "%sfence%s%s;", e->guard, emit_words(e), map);
}
