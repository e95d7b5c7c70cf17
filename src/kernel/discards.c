/* Loads that a compiler moved ahead of their condition (docs/semantics.md T8): what is computed from the value ends in
 * one operand of one selp. A thread whose selp takes the other operand does not use the value, so that it may come from
 * shared memory that nothing has written. A comparison with the value may also be a part of the predicate, as in
 * `x = c && v > x ? v : x`, where the other part alone makes the selp take the other operand. */
#include "kernel/needs.h"

#include "ptx/isa.h"

static uint32_t *count_regs(struct arena *arena, const struct thread *t, bool written) {
  uint32_t *counts = ARENA_ARRAY(arena, uint32_t, t->reg_count + 1);
  ARRAY_EACH (in, t->instrs, t->instr_count)
    EACH_REG_OF(reg, written ? instr_writes(in) : instr_reads(in)) counts[reg]++;
  return counts;
}

/* The next instruction that reads a register, if a thread that comes to `at` comes there at once; 0: none. */
static uint32_t next_reader(const struct body *b, uint32_t wanted, uint32_t at) {
  while (++at < b->thread->instr_count && !b->leader[at]) {
    const struct instr *in = &b->thread->instrs[at];
    EACH_READ (reg, in)
      if (reg == wanted) return at;
    if (in->kind != INSTR_ALU && in->kind != INSTR_LOAD && in->kind != INSTR_UNSUPPORTED) return 0;
  }
  return 0;
}

/* The only result of an instruction without a guard, if this is all that writes it; NO_REG: there is none. */
static uint32_t only_result(const struct instr *in, const uint32_t *writes) {
  uint32_t reg = NO_REG, results = 0;
  EACH_WRITTEN (written, in) reg = written, results++;
  return results == 1 && writes[reg] == 1 && !in->guard.present ? reg : (uint32_t)NO_REG;
}

/* Its predicate, or of one that memory may decide the operand of its `and` or `or` that memory does not: it is then
 * that alone which makes the selp take another operand than `taken`. */
static uint32_t decider(const struct body *b, uint32_t selp, uint32_t taken) {
  const struct operand *predicate = &b->thread->instrs[selp].src[2];
  if (predicate->kind != OPERAND_REG || !bitset_has(b->read, predicate->reg)) return predicate->reg;
  const uint32_t at = body_writer(b, predicate->reg, selp);
  const struct instr *join = &b->thread->instrs[at == NO_REG ? selp : at];
  if (join->guard.present || join->alu != (taken ? ALU_OR : ALU_AND)) return NO_REG;
  for (uint32_t i = 0; i < 2; i++) {
    const struct operand *o = &join->src[i];
    if (o->kind != OPERAND_REG || bitset_has(b->read, o->reg)) continue;
    const uint32_t changed = body_writer(b, o->reg, selp);
    return changed == NO_REG || changed < at ? o->reg : (uint32_t)NO_REG;
  }
  return NO_REG;
}

uint32_t discards_decider(const struct body *b, uint32_t selp) {
  return decider(b, selp, b->discards[b->discards[selp] - 1] & 1);
}

/* The selp for which a comparison is a part of the predicate, and for nothing else; 0: none. */
static uint32_t compared(const struct body *b, const uint32_t *reads, const uint32_t *writes, uint32_t at) {
  uint32_t result = NO_REG;
  for (uint32_t i = 0; i < 2 && at; i++) {
    const struct instr *in = &b->thread->instrs[at];
    result = only_computes(in) ? only_result(in, writes) : (uint32_t)NO_REG;
    at = result != NO_REG && reads[result] == 1 ? next_reader(b, result, at) : 0;
  }
  return at && b->thread->instrs[at].src[2].kind == OPERAND_REG && b->thread->instrs[at].src[2].reg == result ? at : 0;
}

void discards_find(struct arena *arena, struct body *b) {
  const struct thread *t = b->thread;
  const uint32_t *reads = count_regs(arena, t, false), *writes = count_regs(arena, t, true);
  b->discards = ARENA_ARRAY(arena, uint32_t, t->instr_count + 1);
  for (uint32_t load = 0; load < t->instr_count; load++) {
    const struct instr *in = &t->instrs[load];
    if (in->kind != INSTR_LOAD || in->space != SPACE_SHARED || in->elements != 1 || !is_plain_weak(in)) continue;
    for (uint32_t at = load; !in->guard.present && (at == load || only_computes(in)); in = &t->instrs[at]) {
      const uint32_t reg = only_result(in, writes);
      if (reg == NO_REG || reads[reg] > 2 || !(at = next_reader(b, reg, at))) break;
      if (reads[reg] == 2 && !(at = compared(b, reads, writes, at))) break;
      const struct operand *from = t->instrs[at].src;
      if (t->instrs[at].alu != ALU_SELP || t->instrs[at].guard.present || from[2].kind != OPERAND_REG) {
        if (reads[reg] == 2) break;
        continue;
      }
      const uint32_t taken = from[1].kind == OPERAND_REG && from[1].reg == reg;
      if (from[2].reg == reg || from[taken].kind != OPERAND_REG || from[taken].reg != reg) break;
      if (decider(b, at, taken) == NO_REG) break; /* twins.c knows the others */
      b->discards[load] = 2 * at + taken;
      if (!b->discards[at]) b->discards[at] = load + 1;
      break;
    }
  }
}

void discards_note(struct runner *r, const struct progress_point *s) {
  const struct body *b = &r->run->body;
  if (!b->discards[s->at] || b->thread->instrs[s->at].alu != ALU_SELP) return;
  const term_id chooses = r->path.regs[discards_decider(b, s->at)].value;
  struct block *block = &r->blocks.data[s->block];
  if (!run_is_constant(r, chooses)) return;
  for (uint32_t k = block->code.len; k-- > 0;) {
    struct remnant *remnant = &block->code.data[k];
    if (remnant->begin >= s->at || remnant->begin + 1 < b->discards[s->at]) return;
    if (b->discards[remnant->begin] != 2 * s->at + (chooses == TERM_TRUE)) continue;
    EACH_TOUCH (touch, r, remnant) touch->discarded = true;
  }
}
