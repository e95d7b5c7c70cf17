/* Relaxed accesses, volatile ones too, whose values nothing needs: settled.c leaves out those that conflict only with
 * morally strong accesses and with those that barriers order (docs/semantics.md K16).
 *
 * Without them a launch is no safer. What stays of an execution is one of the launch without them: no address or branch
 * needs a value of their bytes, so that the accesses there that stay may take place as follows. Writes are in the order
 * of a sequence L that goes on base causality, and a load reads the last of those that precede it in base causality, or
 * what was there first. All axioms (8.10) hold on these bytes then, and nothing is ordered that was not (8.9.5): so a
 * race is one still. Nor is a launch less safe without them: to an execution of it they can be added in that way. A
 * load that a fence follows acquires nothing then but what precedes it anyway (8.8).
 *
 * An atomic instead reads the last write before it in L (8.10.3), and what it writes others read. No byte of one has
 * both a write that a fence may precede and a read that a fence may follow, so that nothing is acquired there; and two
 * accesses to the byte that race are neighbours in L, so that it does not order them by observing one (8.9.5).
 *
 * A fence does not count as following a read if a barrier of the whole CTA is always between them, and the byte is
 * shared memory that only threads of this CTA access, each of which passes such a barrier afterwards. Let the read
 * observe a write through atomics (8.9.2). Whoever is behind a phase of the barrier that another one has not arrived at
 * comes after that one, which reads nothing from it (8.10.5). So the write has arrived at no later phase than the read:
 * the barrier between the read and the fence orders all that the fence could. */
#include "kernel/needs.h"
#include "ptx/alu.h"
#include "ptx/uses.h"

/* Facts about a byte, and about all bytes of an instruction: a fence may precede a write of it, or follow a read; an
 * atomic reaches it; so does an access that is neither weak nor relaxed, a relaxed one that does not commute, or an
 * update by an operation. */
enum { AFTER_FENCE = 1, BEFORE_FENCE = 2, ATOMIC = 4, OTHERWISE = 8, NO_UPDATE = 16, UPDATES = 32 };
enum { FORCED = AFTER_FENCE | BEFORE_FENCE | ATOMIC };
/* A fence may follow a read behind a barrier of its CTA; such barriers do not order all accesses of the byte. */
enum { BEFORE_BARRIER = 1 << 14, UNORDERED = 1 << 15, BARRIERS = BEFORE_BARRIER | UNORDERED };

static bool is_read(const struct thread *thread, uint32_t wanted) {
  return SOME(ARRAY_EACH (in, thread->instrs, thread->instr_count) EACH_READ (reg, in), reg == wanted);
}

/* Atomics of one operation whose results nothing uses commute: they need no place among each other (K18). */
static uint16_t operation_of(const struct thread *thread, const struct instr *in) {
  static const uint8_t commuting[] = {ALU_ADD, ALU_MIN, ALU_MAX, ALU_AND, ALU_OR, ALU_XOR, ALU_INC, ALU_DEC};
  if (in->kind != INSTR_RED && in->kind != INSTR_ATOM) return NO_UPDATE;
  EACH_WRITTEN (reg, in)
    if (is_read(thread, reg)) return NO_UPDATE;
  for (uint32_t i = 0; i < sizeof commuting; i++)
    if (in->alu == commuting[i]) return (uint16_t)(UPDATES << i);
  return NO_UPDATE;
}

/* Sets of the instructions after some fence, and before one; near: without a barrier of the whole CTA in between. */
struct fenced {
  struct bitset after, before, near;
};

static struct fenced find_fenced(struct arena *arena, const struct thread *thread) {
  const struct flow flow = thread_flow(arena, thread), epoch = epochs_flow(arena, thread);
  struct fenced out;
  out.after = bitset_new(arena, flow.count + 1), out.before = bitset_new(arena, flow.count + 1);
  out.near = bitset_new(arena, flow.count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++)
    if (thread->instrs[i].kind == INSTR_FENCE || thread->instrs[i].kind == INSTR_PROXY_FENCE)
      bitset_add(out.after, i), bitset_add(out.before, i), bitset_add(out.near, i);
  flow_follow(&flow, out.after);
  flow_trace(&flow, out.before, FLOW_NONE);
  flow_trace(&epoch, out.near, FLOW_NONE);
  return out;
}

/* Sets `relaxed` of a run. True if it has such accesses. */
static bool find_in(const struct launching *l, struct kernel_run *run) {
  const struct thread *thread = run->body.thread;
  const struct fenced fenced = find_fenced(l->memory.arena, thread);
  bool any = false;
  run->relaxed = ARENA_ARRAY(l->memory.arena, uint16_t, thread->instr_count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    if (!instr_is_access(in) || in->sem != SEM_RELAXED || in->proxy != PROXY_GENERIC || in->is_mmio) continue;
    const bool loads = in->kind == INSTR_LOAD, stores = in->kind == INSTR_STORE;
    run->relaxed[i + 1] = operation_of(thread, in);
    if (!loads && bitset_has(fenced.after, i)) run->relaxed[i + 1] |= AFTER_FENCE;
    if (!stores && bitset_has(fenced.before, i))
      run->relaxed[i + 1] |= bitset_has(fenced.near, i) ? BEFORE_FENCE : BEFORE_BARRIER;
    if (run->part_ids || bitset_has(run->body.ends, i)) run->relaxed[i + 1] |= UNORDERED;
    if (!loads && !stores) run->relaxed[i + 1] |= ATOMIC;
    any = true;
  }
  return any;
}

static bool is_weak(const struct instr *in) {
  return (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && is_plain_weak(in);
}

/* Adds what is known of the access to its bytes; back: of its bytes to that of its instruction. */
static void meet(uint16_t **bytes, const struct runner *r, const struct remnant *remnant, bool back) {
  uint16_t *own = &r->run->relaxed[remnant->end];
  EACH_TOUCH (touch, r, remnant) {
    uint16_t **of = &bytes[touch->region->number];
    const bool within = touch->region->space == SPACE_SHARED && touch->region->owner == r->cta;
    if (!*of) *of = ARENA_ARRAY(r->run->memory->arena, uint16_t, touch->region->size);
    for (uint32_t k = touch->at; k < reach_end(touch); k++)
      if (back) *own |= (*of)[k];
      else (*of)[k] |= !*own ? OTHERWISE : within ? *own : *own | UNORDERED;
  }
}

void relaxed_find(struct launching *l) {
  bool any = false;
  if (!does(l->x, TECHNIQUE_RELAXED)) return;
  VEC_VALUES (run, &l->runs) any = find_in(l, run) || any;
  if (!any) return;
  uint16_t **bytes = ARENA_ARRAY(l->memory.arena, uint16_t *, l->memory.regions.len);
  for (uint32_t back = 0; back <= 1; back++)
    EACH_RUNNER (r, l)
      EACH_REMNANT (remnant, r) {
        const struct instr *in = remnant_source(r, remnant);
        if (in && !is_weak(in) && (!back || r->run->relaxed[remnant->end])) meet(bytes, r, remnant, back);
      }
}

bool relaxed_have(const struct kernel_run *run, size_t end) {
  const uint16_t known = run->relaxed ? run->relaxed[end] : OTHERWISE;
  const uint16_t forced = known | ((known & BARRIERS) == BARRIERS ? BEFORE_FENCE : 0);
  return known && !(known & OTHERWISE) && (forced & FORCED) != FORCED;
}

bool relaxed_commute(const struct kernel_run *run, size_t end) {
  const uint32_t operations =
      relaxed_have(run, end) ? run->relaxed[end] & ~(uint32_t)(FORCED | BARRIERS) : (uint32_t)NO_UPDATE;
  return !(operations & (NO_UPDATE | (operations - 1)));
}
