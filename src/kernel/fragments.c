/* Accesses to registers of wgmma products, which need waits and fences (AG3). Most of these instructions are dropped,
 * so each leaves a use of the register that stands for its fragment or accumulator (exec/async/fragments.c judges
 * it). */
#include "kernel/run.h"
#include "ptx/isa.h"

/* True for wgmma. */
static bool is_warpgroup(const struct instr *in) { return in && in->form == FORM_MMA; }

uint32_t *tiled_fragments(struct arena *arena, const struct body *body) {
  uint32_t *holder = ARENA_ARRAY(arena, uint32_t, body->thread->reg_count + 1);
  for (uint32_t i = 0; i <= body->thread->reg_count; i++) holder[i] = NO_REG;
  for (bool changed = true; changed;) {
    changed = false;
    ARRAY_EACH (in, body->thread->instrs, body->thread->instr_count)
      LIST_EACH (o, tiled_multiplies(in) ? in->ast->operands : NULL)
        if (o->kind == LITMUS_VECTOR) changed = tiled_join(body, o, holder) || changed;
  }
  return holder;
}

/* A move from register to register only renames. */
static bool renames(const struct instr *in) {
  return in->kind == INSTR_ALU && in->alu == ALU_MOV && in->src[0].kind == OPERAND_REG;
}

/* True if the block has such a use since its last instruction of wgmma: a further one would tell nothing more. */
static bool has_use(const struct runner *r, const struct block *block, const char *name) {
  for (uint32_t k = block->code.len; k-- > 0;) {
    const struct remnant *remnant = &block->code.data[k];
    if (is_warpgroup(remnant_source(r, remnant))) break;
    if (remnant->is_use && strcmp(remnant->instr->operands->u.ref.name, name) == 0) return true;
  }
  return false;
}

static bool product_has(const struct runner *r, const struct remnant *product, uint32_t holder) {
  return SOME(EACH_READ (reg, &r->run->body.thread->instrs[product->end - 1]), r->run->body.fragments[reg] == holder);
}

/* A compiler sets a register to a constant where it likes, also after a wgmma.fence: that is an access only while a
 * product may hold the register, or if no fence has followed the last product that had it. */
static bool may_be_earlier(const struct runner *r, const struct block *block, uint32_t holder) {
  bool fenced = false, waited = false;
  for (uint32_t k = block->code.len; k-- > 0;) {
    const struct instr *in = remnant_source(r, &block->code.data[k]);
    if (!is_warpgroup(in)) continue;
    fenced |= litmus_has_word(&in->ast->qualifiers, ".fence");
    waited |= litmus_has_word(&in->ast->qualifiers, ".wait_group");
    if (tiled_multiplies(in) && product_has(r, &block->code.data[k], holder)) return fenced && waited;
  }
  return fenced;
}

static void leave_use(struct runner *r, uint32_t number, uint32_t reg, const struct instr *in) {
  uint32_t holder = r->run->body.fragments[reg];
  struct block *block = &r->blocks.data[number];
  if (holder == NO_REG || has_use(r, block, r->run->body.thread->regs[holder].name)) return;
  if (in->kind == INSTR_ALU && in->alu == ALU_MOV && in->src[0].kind == OPERAND_IMM && may_be_earlier(r, block, holder))
    return;
  struct remnant use = {.instr = remnant_use(r, holder, in->span), .touch = r->touches.len, .is_use = true};
  VEC_PUSH(r->run->memory->work, &block->code, use);
}

void run_access_fragments(struct runner *r, uint32_t block, uint32_t begin, uint32_t end) {
  if (!r->run->body.multiplies) return;
  for (uint32_t i = begin; i < end; i++) {
    const struct instr *in = &r->run->body.thread->instrs[i];
    if (is_warpgroup(in) || renames(in)) continue;
    EACH_READ (reg, in) leave_use(r, block, reg, in);
    EACH_WRITTEN (reg, in) leave_use(r, block, reg, in);
  }
}
