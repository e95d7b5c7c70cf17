#include "ptx/lowering.h"

/* ldmatrix and stmatrix (9.7.16.5): a warp loads or stores matrices of 8 rows of 16 bytes, whose addresses its lanes
 * give. Each lane receives or provides a part of 4 bytes of each matrix, or two parts of 2 bytes of its transpose. A
 * column gives the places of its thread's parts: ldmatrix.sync.aligned.m8n8.x2.shared.b16 {r0,r1}, [x, {0, 128}]. After
 * these may come the parts of lanes that are not in the test and, as last operand, the mask of the lanes in the
 * test. */

enum { ROW = 16, QUADS = 4, PART = 4 };

bool rows_read(const struct litmus_instr *ast, struct row_access *out) {
  bool loads = strcmp(ast->opcode.text, "ldmatrix") == 0, shape = false, type = false;
  *out = (struct row_access){.loads = loads};
  if (!loads && strcmp(ast->opcode.text, "stmatrix") != 0) return false;
  LIST_EACH (word, ast->qualifiers.first) {
    if (strcmp(word->text, ".x1") == 0) out->count = 1;
    if (strcmp(word->text, ".x2") == 0) out->count = 2;
    if (strcmp(word->text, ".x4") == 0) out->count = 4;
    out->transposed = out->transposed || strcmp(word->text, ".trans") == 0;
    shape = shape || strcmp(word->text, ".m8n8") == 0;
    type = type || strcmp(word->text, ".b16") == 0;
  }
  out->parts = out->count * (out->transposed ? 2 : 1);
  out->bytes = out->transposed ? PART / 2 : PART;
  return out->count && shape && type;
}

uint32_t rows_lane(const struct row_access *access, uint32_t lane, uint32_t part, uint32_t *at) {
  uint32_t matrix = access->transposed ? part / 2 : part;
  *at = access->transposed ? lane / QUADS * 2 : lane % QUADS * PART;
  return matrix * MATRIX_ROWS + (access->transposed ? lane % QUADS * 2 + part % 2 : lane / QUADS);
}

static unsigned place_index(const struct row_access *access) { return access->loads ? 1 : 0; }

bool lower_has_rows(const struct lower_instr *in) {
  struct row_access access;
  bool reads = (in->count == 2 || in->count == 3) && rows_read(in->ast, &access);
  return reads && lower_operand_at(in, place_index(&access))->kind == LITMUS_TENSOR;
}

/* ---- the parts are lowered in their order; the last one takes the place of the instruction */

struct lowering_rows {
  struct lowering *l;
  struct lower_instr *in;
  struct row_access access;
  struct address address;
};

static void put(const struct lowering_rows *r, struct instr part, bool last) {
  if (last) *r->in->out = part;
  else lower_emit_guarded(r->l, r->in, part);
}

static struct instr access_of(const struct lowering_rows *r, int64_t offset) {
  struct instr part = lower_alu(r->in, ALU_MOV, isa_type(r->access.transposed ? PTX_B16 : PTX_B32));
  part.kind = r->access.loads ? INSTR_LOAD : INSTR_STORE;
  part.elements = 1;
  part.space = SPACE_SHARED;
  part.addr = r->address;
  part.addr.offset += offset;
  return part;
}

static struct instr halves(const struct lowering_rows *r, enum alu_op alu, struct operand a, struct operand b,
                           uint32_t to) {
  struct instr part = lower_alu(r->in, alu, isa_type(PTX_B32));
  part.src[0] = a;
  part.src[1] = b;
  part.dst[0] = to;
  return part;
}

/* Lowers one register: loads it from, or stores it to, the places of its parts. */
static bool lower_matrix(const struct lowering_rows *r, const struct litmus_operand *reg, const int64_t *places,
                         bool last) {
  struct span span = r->in->ast->span;
  const struct type b32 = isa_type(PTX_B32);
  struct instr first = access_of(r, places[0]), second = access_of(r, places[r->access.transposed ? 1 : 0]);
  struct operand half = lower_constant(16, span), value;
  uint32_t to, high = lower_hidden_reg(r->l, r->in, b32), shifted = lower_hidden_reg(r->l, r->in, b32);
  if (r->access.loads ? !lower_dst(r->l, r->in, reg, b32, true, &to) : !lower_src(r->l, r->in, reg, b32, &value))
    return false;
  if (!r->access.transposed) {
    if (r->access.loads) first.dst[0] = to;
    else first.src[0] = value;
    put(r, first, last);
  } else if (r->access.loads) {
    first.dst[0] = lower_hidden_reg(r->l, r->in, b32);
    second.dst[0] = high;
    put(r, first, false);
    put(r, second, false);
    put(r, halves(r, ALU_SHL, lower_register(high, span), half, shifted), false);
    put(r, halves(r, ALU_OR, lower_register(first.dst[0], span), lower_register(shifted, span), to), last);
  } else {
    first.src[0] = value;
    second.src[0] = lower_register(high, span);
    put(r, halves(r, ALU_SHR, value, half, high), false);
    put(r, first, false);
    put(r, second, last);
  }
  return true;
}

static int64_t offset_of(const struct litmus_operand *item) {
  return item->u.number.negative ? -(int64_t)item->u.number.value : (int64_t)item->u.number.value;
}

/* `others`: the first item after the parts of the thread. */
static bool lower_places(const struct lowering_rows *r, const struct litmus_operand *operand, int64_t *places,
                         const struct litmus_operand **others) {
  uint32_t count = 0;
  bool right = true;
  *others = NULL;
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, count++) {
    right = right && item->kind == LITMUS_NUMBER && item->u.number.value <= INT32_MAX;
    if (count == r->access.parts) *others = item;
    else if (count < r->access.parts) places[count] = offset_of(item);
  }
  if (right && count >= r->access.parts) return true;
  return diag_refuse(r->l->diags, DIAG_WRONG_OPERAND, operand->span,
                     "expected the %u places of the thread's parts" HINT "for example: [x, {0, 128}]", r->access.parts);
}

/* Adds the accesses of lanes without a column, with unknown values. */
static void lower_others(const struct lowering_rows *r, const struct litmus_operand *item) {
  for (; item; item = item->next) {
    struct instr part = access_of(r, offset_of(item));
    if (r->access.loads) part.dst[0] = lower_hidden_reg(r->l, r->in, part.type);
    else part.src[0] = lower_constant(0, item->span);
    put(r, part, false);
  }
}

/* The lanes arrive before their accesses and wait for all others after them, so that an access of one lane counts as an
 * access of all (K5, G93). A lane without a remaining access has match.any.sync.b32 _, 0, mask instead. */
static bool lower_meeting(const struct lowering_rows *r, const struct litmus_operand *mask,
                          enum barrier_action action) {
  struct instr part = lower_alu(r->in, ALU_MOV, isa_type(PTX_B32));
  struct lower_instr own = *r->in;
  own.out = &part;
  lower_start_barrier(r->l, &own, BARRIER_LANES, action)->exchange = EXCHANGE_MATCH_ANY;
  part.type = isa_type(PTX_B32);
  part.src[0] = lower_constant(0, mask->span);
  if (!lower_lanes_mask(r->l, &own, mask)) return false;
  put(r, part, action == BARRIER_WAIT);
  return true;
}

bool lower_rows_at(struct lowering *l, struct lower_instr *in) {
  struct lowering_rows r = {.l = l, .in = in};
  int64_t places[MOST_PARTS];
  rows_read(in->ast, &r.access);
  const struct litmus_operand *operand = lower_operand_at(in, place_index(&r.access));
  const struct litmus_operand *regs = lower_operand_at(in, 1 - place_index(&r.access)), *others;
  const struct litmus_operand *mask = in->count == 3 ? lower_operand_at(in, 2) : NULL;
  struct litmus_operand place = {.kind = LITMUS_BRACKET, .span = operand->span, .u.ref = operand->u.tensor.ref};
  uint32_t given = 0;
  if (!lower_places(&r, operand, places, &others) || !lower_shared_address(l, in, &place, &r.address, NULL))
    return false;
  const struct litmus_operand *first = regs->kind == LITMUS_VECTOR ? regs->u.items : regs;
  for (const struct litmus_operand *reg = first; reg; reg = regs->kind == LITMUS_VECTOR ? reg->next : NULL) given++;
  if (given != r.access.count)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, regs->span, "expected %u registers", r.access.count);
  if (mask && !lower_meeting(&r, mask, BARRIER_ARRIVE)) return false;
  lower_others(&r, others);
  for (uint32_t i = 0; i < given; i++, first = first->next)
    if (!lower_matrix(&r, first, &places[i * r.access.parts / r.access.count], i + 1 == given && !mask)) return false;
  return !mask || lower_meeting(&r, mask, BARRIER_WAIT);
}
