/* Writes exchanges among lanes of a warp as PTX. Lanes that hold no thread of the test have already exited. */
#include "chip/emit.h"

/* The result, and the predicate if the test has one as second result. */
struct lanes_results {
  const char *value, *predicate, *text; /* text: both as operands */
};

static struct lanes_results make_results(struct emit *e, unsigned width) {
  struct lanes_results made = {.value = emit_temp(e, width == 1 ? "pred" : "b32")};
  if (e->instr->dst[1] != NO_REG) made.predicate = emit_temp(e, "pred");
  made.text = made.predicate ? arena_printf(e->arena, "%s|%s", made.value, made.predicate) : made.value;
  return made;
}

static void write_results(struct emit *e, const struct lanes_results *made, unsigned width, bool is_signed) {
  emit_write(e, e->instr->dst[0], made->value, width, is_signed);
  if (made->predicate) emit_write(e, e->instr->dst[1], made->predicate, 1, false);
}

static void emit_vote(struct emit *e, const char *mode, unsigned width, unsigned mask) {
  struct lanes_results made = make_results(e, width);
  emit_line(e, "%svote.sync.%s.%s %s, %s%s, 0x%x;", e->guard, mode, width == 1 ? "pred" : "b32", made.text,
            e->instr->barrier->negated ? "!" : "", emit_read(e, &e->instr->src[0], 1), mask);
  write_results(e, &made, width, false);
}

static void emit_shfl(struct emit *e, const char *mode, unsigned mask) {
  const struct operand *src = e->instr->src;
  const char *a = emit_read(e, &src[0], 32), *b = emit_read(e, &src[1], 32), *c = emit_read(e, &src[2], 32);
  struct lanes_results made = make_results(e, 32);
  emit_line(e, "%sshfl.sync.%s.b32 %s, %s, %s, %s, 0x%x;", e->guard, mode, made.text, a, b, c, mask);
  write_results(e, &made, 32, false);
}

static void emit_match(struct emit *e, const char *mode, unsigned mask) {
  unsigned width = e->instr->type.width;
  const char *a = emit_read(e, &e->instr->src[0], width);
  struct lanes_results made = make_results(e, 32);
  emit_line(e, "%smatch.%s.sync.b%u %s, %s, 0x%x;", e->guard, mode, width, made.text, a, mask);
  write_results(e, &made, 32, false);
}

static void emit_redux(struct emit *e, unsigned mask) {
  const char *a = emit_read(e, &e->instr->src[0], 32);
  struct lanes_results made = make_results(e, 32);
  emit_line(e, "%sredux%s %s, %s, 0x%x;", e->guard, emit_words(e), made.text, a, mask);
  write_results(e, &made, 32, e->instr->type.kind == TYPE_SIGNED);
}

void emit_lanes(struct emit *e) {
  unsigned mask = (unsigned)e->instr->barrier->id.imm;
  switch (e->instr->barrier->exchange) {
    case EXCHANGE_ALL: emit_vote(e, "all", 1, mask); return;
    case EXCHANGE_ANY: emit_vote(e, "any", 1, mask); return;
    case EXCHANGE_UNI: emit_vote(e, "uni", 1, mask); return;
    case EXCHANGE_BALLOT: emit_vote(e, "ballot", 32, mask); return;
    case EXCHANGE_MATCH_ANY: emit_match(e, "any", mask); return;
    case EXCHANGE_MATCH_ALL: emit_match(e, "all", mask); return;
    case EXCHANGE_UP: emit_shfl(e, "up", mask); return;
    case EXCHANGE_DOWN: emit_shfl(e, "down", mask); return;
    case EXCHANGE_BFLY: emit_shfl(e, "bfly", mask); return;
    case EXCHANGE_IDX: emit_shfl(e, "idx", mask); return;
    case EXCHANGE_REDUX: emit_redux(e, mask); return;
  }
  BUG("no exchange %d", (int)e->instr->barrier->exchange);
}
