/* Relaxed atomics without a use of their results that order nothing (docs/semantics.md K16): nothing but weak accesses
 * and such atomics of the same operation reaches their bytes, in any thread. A relaxed read acquires with a fence after
 * it alone (8.8), and their kernels have none: so what they write is never acquired. Those of one operation commute, so
 * that they need no place among each other in an interleaving (K18). */
#include "kernel/needs.h"
#include "ptx/alu.h"
#include "ptx/uses.h"

enum { REDUCED_NOT, REDUCED_OTHERWISE, REDUCED_BY };

struct reducing {
  struct launching *launch;
  uint8_t **bytes; /* by region and byte: REDUCED_BY and the operation, if only such ones reach it */
};

static bool commutes(unsigned alu) {
  return alu == ALU_ADD || alu == ALU_MIN || alu == ALU_MAX || alu == ALU_AND || alu == ALU_OR || alu == ALU_XOR ||
         alu == ALU_INC || alu == ALU_DEC;
}

static bool is_read(const struct thread *thread, uint32_t wanted) {
  ARRAY_EACH (in, thread->instrs, thread->instr_count)
    EACH_READ (reg, in)
      if (reg == wanted) return true;
  return false;
}

static bool reduces(const struct thread *thread, const struct instr *in) {
  if ((in->kind != INSTR_RED && in->kind != INSTR_ATOM) || in->sem != SEM_RELAXED || !commutes(in->alu)) return false;
  EACH_WRITTEN (reg, in)
    if (is_read(thread, reg)) return false;
  return in->proxy == PROXY_GENERIC && !in->is_mmio;
}

/* Notes an access that may order others. */
static void note(const struct reducing *d, const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!in || ((in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && is_plain_weak(in))) return;
  const bool sole = r->run->reductions && r->run->reductions[remnant->end];
  const uint8_t own = sole ? (uint8_t)(REDUCED_BY + in->alu) : REDUCED_OTHERWISE;
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < reach_end(touch); k++) {
      uint8_t *byte = &d->bytes[touch->region->number][k];
      *byte = *byte == REDUCED_NOT || *byte == own ? own : REDUCED_OTHERWISE;
    }
}

static bool is_sole(const struct reducing *d, const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < reach_end(touch); k++)
      if (d->bytes[touch->region->number][k] == REDUCED_OTHERWISE) return false;
  return remnant->touches && !remnant->strays;
}

static bool has_fence(const struct kernel_run *run) {
  ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count)
    if (in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE) return true;
  return false;
}

/* By the end of a remnant: it is such an atomic, as far as its kernel tells. True if there are any. */
static bool find_in(const struct launching *l, struct kernel_run *run) {
  const struct thread *thread = run->body.thread;
  bool any = false;
  bool *sole = ARENA_ARRAY(l->memory.arena, bool, thread->instr_count + 1);
  for (uint32_t i = 0; i < thread->instr_count; i++) any = (sole[i + 1] = reduces(thread, &thread->instrs[i])) || any;
  any = any && !has_fence(run);
  run->reductions = any ? sole : NULL;
  return any;
}

void reductions_find(struct launching *l) {
  struct reducing d = {.launch = l};
  bool any = false;
  if (!does(l->x, TECHNIQUE_REDUCTIONS)) return;
  VEC_VALUES (run, &l->runs) any = find_in(l, run) || any;
  if (!any) return;
  d.bytes = ARENA_ARRAY(l->memory.arena, uint8_t *, l->memory.regions.len);
  VEC_VALUES (region, &l->memory.regions) d.bytes[region->number] = ARENA_ARRAY(l->memory.arena, uint8_t, region->size);
  EACH_RUNNER (r, l)
    EACH_REMNANT (remnant, r) note(&d, r, remnant);
  EACH_RUNNER (r, l)
    EACH_REMNANT (remnant, r)
      if (r->run->reductions && r->run->reductions[remnant->end] && !is_sole(&d, r, remnant))
        r->run->reductions[remnant->end] = false;
}

bool reductions_have(const struct runner *r, const struct remnant *remnant) {
  return r->run->reductions && remnant->begin != remnant->end && r->run->reductions[remnant->end];
}
