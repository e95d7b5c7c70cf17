/* Special registers (PTX ISA 9.4, chapter 10), whose values follow from the placement of a thread. */
#include "ptx/lowering.h"

static uint32_t clusters_of(const struct specials *s) {
  bool placed = s->nctaid != NOT_PLACED && s->nctarank != NOT_PLACED && s->nctarank;
  return placed ? s->nctaid / s->nctarank : NOT_PLACED;
}

struct held {
  uint32_t value, needed;
  const char *level;
};

static struct held held(const struct specials *s, enum special special) {
  uint32_t bit = s->lane == NOT_PLACED ? 0 : 1u << s->lane;
  const struct held rows[] = {
#define PTX_SPECIAL(id, value, needed, level, ...) [SPECIAL_##id] = {value, needed, level},
#include "ptx/isa.def"
  };
  return rows[special];
}

const char *lower_special_name(struct lowering *l, const struct litmus_operand *operand) {
  if (operand->kind == LITMUS_NAME) return operand->u.ref.percent ? operand->u.ref.name : NULL;
  if (operand->kind != LITMUS_SPECIAL) return NULL;
  struct text name = {.arena = l->arena};
  LIST_EACH (word, operand->u.words.first) text_add(&name, word->text);
  const char *text = text_str(&name);
  return text[0] == '%' ? text + 1 : text;
}

bool lower_special(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand, struct type type,
                   struct operand *out) {
  const char *name = lower_special_name(l, operand);
  enum special special = isa_special(name);
  const struct thread *thread = &l->program->threads[in->thread];
  *out = (struct operand){.kind = OPERAND_IMM, .span = operand->span};
  if (special == SPECIAL_NONE)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span, "'%%%s' is not a special register of PTX", name);
  if (special == SPECIAL_CLOCK) {
    out->kind = OPERAND_CLOCK;
    return true;
  }
  if (special == SPECIAL_PARAMETER) return lower_unsupported(l, in, REASON_PARAMETER_ADDRESS);
  struct held known = held(&thread->special, special);
  bool open = special == SPECIAL_OPEN || special == SPECIAL_NUMBERED;
  if (known.needed == NOT_PLACED) {
    enum reason_id why = open ? REASON_SPECIAL_OPEN : REASON_SPECIAL_NOT_PLACED;
    const char *text = open ? arena_printf(l->arena, "no placement gives the value of %%%s", name)
                            : arena_printf(l->arena, "the placement of P%u does not give the value of %%%s: add '%s'",
                                           thread->number, name, known.level);
    lower_unsupported_with(in, reason_with(l->arena, why, text));
    return true;
  }
  out->imm = known.value & value_mask(type.width);
  return true;
}

bool lower_lane_open(struct lowering *l, struct lower_instr *in) {
  const struct thread *thread = &l->program->threads[in->thread];
  if (thread->special.lane != NOT_PLACED) return false;
  const char *text = arena_printf(l->arena, "the placement of P%u does not say its lane: add 'tid'", thread->number);
  lower_unsupported_with(in, reason_with(l->arena, REASON_SPECIAL_NOT_PLACED, text));
  return true;
}

/* True for the only thread of its warp in the test, which represents the warp. */
static bool is_alone(const struct lowering *l, uint32_t thread) {
  return !SOME_BELOW(t, l->program->thread_count,
                     t != thread && l->program->threads[t].warp_id == l->program->threads[thread].warp_id);
}

/* elect.sync lane|p, mask: the leader is the thread itself if it is alone; of several, PTX leaves it open. */
bool lower_elect(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *pair = lower_operand_at(in, 0);
  uint32_t lane, leader = l->program->threads[in->thread].special.lane;
  if (!lower_needs_sync(l, in) || !lower_operand_count(l, in, 2, 2)) return false;
  if (pair->kind != LITMUS_PAIR)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, pair->span,
                       "'elect' has two results, a lane and a predicate" HINT
                       "for example: elect.sync _|p0, 0xffffffff");
  if (!lower_src(l, in, lower_operand_at(in, 1), isa_type(PTX_U32), &in->out->src[1])) return false;
  *in->out = lower_alu(in, ALU_MOV, isa_type(PTX_PRED));
  in->out->src[0] = lower_constant(1, in->ast->span);
  if (!lower_dst(l, in, pair->u.items, isa_type(PTX_U32), true, &lane) ||
      !lower_dst(l, in, pair->u.items->next, isa_type(PTX_PRED), true, &in->out->dst[0]))
    return false;
  if (!is_alone(l, in->thread) || (lane != NO_REG && leader == NOT_PLACED))
    return lower_unsupported(l, in, REASON_CROSS_LANE);
  struct instr told = lower_alu(in, ALU_MOV, isa_type(PTX_U32));
  struct lower_instr own = *in;
  own.out = &told;
  told.src[0] = lower_constant(leader, in->ast->span);
  told.dst[0] = lane;
  if (lane == NO_REG) return true;
  if (in->ast->guard) lower_guard(l, &own);
  lower_emit(l, in, told);
  return true;
}
