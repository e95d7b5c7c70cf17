/* Loads that a compiler moved ahead of their condition (docs/semantics.md T8): what is computed from the value ends in
 * one operand of one selp. A thread whose selp takes the other operand does not use the value, so that it may come from
 * shared memory that nothing has written. */
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

void discards_find(struct arena *arena, struct body *b) {
  const struct thread *t = b->thread;
  const uint32_t *reads = count_regs(arena, t, false), *writes = count_regs(arena, t, true);
  b->discards = ARENA_ARRAY(arena, uint32_t, t->instr_count + 1);
  for (uint32_t load = 0; load < t->instr_count; load++) {
    const struct instr *in = &t->instrs[load];
    if (in->kind != INSTR_LOAD || in->space != SPACE_SHARED || in->elements != 1 || !is_plain_weak(in)) continue;
    for (uint32_t at = load; !in->guard.present && (at == load || only_computes(in)); in = &t->instrs[at]) {
      uint32_t reg = NO_REG, results = 0;
      EACH_WRITTEN (written, in) reg = written, results++;
      if (results != 1 || reads[reg] != 1 || writes[reg] != 1 || !(at = next_reader(b, reg, at))) break;
      const struct operand *from = t->instrs[at].src;
      if (t->instrs[at].alu != ALU_SELP || t->instrs[at].guard.present || from[2].kind != OPERAND_REG) continue;
      if (from[2].reg == reg || bitset_has(b->read, from[2].reg)) break; /* twins.c knows the others */
      b->discards[load] = 2 * at + (from[1].kind == OPERAND_REG && from[1].reg == reg);
      if (!b->discards[at]) b->discards[at] = load + 1;
      break;
    }
  }
}

void discards_note(struct runner *r, const struct progress_point *s) {
  const struct body *b = &r->run->body;
  if (!b->discards[s->at] || b->thread->instrs[s->at].alu != ALU_SELP) return;
  const term_id chooses = r->path.regs[b->thread->instrs[s->at].src[2].reg].value;
  struct block *block = &r->blocks.data[s->block];
  if (!run_is_constant(r, chooses)) return;
  for (uint32_t k = block->code.len; k-- > 0;) {
    struct remnant *remnant = &block->code.data[k];
    if (remnant->begin >= s->at || remnant->begin + 1 < b->discards[s->at]) return;
    if (b->discards[remnant->begin] != 2 * s->at + (chooses == TERM_TRUE)) continue;
    EACH_TOUCH (touch, r, remnant) touch->discarded = true;
  }
}
