/* Writes barriers of a warp, a CTA and a cluster as PTX. */
#include "chip/emit.h"

/* A thread of the test represents one or more warps, so counts are in warps. */
static const char *barrier_count(struct emit *e) {
  unsigned lanes = e->plan->lanes ? e->plan->lanes : 32;
  const struct operand *count = &e->instr->barrier->count;
  if (count->kind == OPERAND_NONE) return "";
  if (count->kind == OPERAND_IMM) return arena_printf(e->arena, ", %u", (unsigned)count->imm * lanes);
  const char *warps = emit_read(e, count, 32), *threads = emit_temp(e, "b32");
  emit_line(e, "mul.lo.u32 %s, %s, %u;", threads, warps, lanes);
  return arena_printf(e->arena, ", %s", threads);
}

static void emit_cta_barrier(struct emit *e) {
  static const char *const actions[] = {[BARRIER_SYNC] = "sync", [BARRIER_ARRIVE] = "arrive", [BARRIER_RED] = "red"};
  static const char *const reductions[] = {
      [REDUCE_POPC] = "popc.u32", [REDUCE_AND] = "and.pred", [REDUCE_OR] = "or.pred"};
  const struct barrier *b = e->instr->barrier;
  const char *id =
      b->id.kind == OPERAND_IMM ? arena_printf(e->arena, "%u", (unsigned)b->id.imm) : emit_read(e, &b->id, 32);
  const char *count = barrier_count(e), *name = b->aligned ? "bar" : "barrier";
  if (b->action != BARRIER_RED) {
    emit_line(e, "%s%s.%s %s%s;", e->guard, name, actions[b->action], id, count);
    return;
  }
  bool adds = b->reduction == REDUCE_POPC;
  const char *p = emit_read(e, &b->predicate, 1), *to = emit_temp(e, adds ? "b32" : "pred");
  emit_line(e, "%s%s.red.%s %s, %s%s, %s%s;", e->guard, name, reductions[b->reduction], to, id, count,
            b->negated ? "!" : "", p);
  emit_write(e, e->instr->dst[0], to, adds ? 32 : 1, false);
}

/* Never .aligned, which promises that the warp's lanes have converged: they are instances with different delays. */
static void emit_cluster_barrier(struct emit *e) {
  const struct barrier *b = e->instr->barrier;
  if (b->action != BARRIER_WAIT) emit_line(e, "%sbarrier.cluster.arrive%s;", e->guard, b->relaxed ? ".relaxed" : "");
  if (b->action != BARRIER_ARRIVE) emit_line(e, "%sbarrier.cluster.wait;", e->guard);
}

void emit_barrier(struct emit *e) {
  switch (e->instr->barrier->kind) {
    case BARRIER_CTA: emit_cta_barrier(e); return;
    case BARRIER_CLUSTER: emit_cluster_barrier(e); return;
    case BARRIER_WARP: emit_line(e, "%sbar.warp.sync 0x%x;", e->guard, (unsigned)e->instr->barrier->id.imm); return;
    case BARRIER_LANES: emit_lanes(e); return;
    case BARRIER_PAIR:
    case BARRIER_PRODUCT: break;
  }
  BUG("no such barrier: %d", (int)e->instr->barrier->kind);
}
