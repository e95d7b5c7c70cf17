#include "ptx/lowering.h"

/* Operations of the fifth generation's tensor cores (9.7.18; docs/async.md AG4) on tensor memory: on lanes and columns,
 * at an address in a register, or on a location that a test declares, `.tmem .u32 d=0;`. As with wgmma, the form in
 * tests has one element: tcgen05.mma.cta_group::1.kind::f16 [d], [a], [b] makes d the product of a and b. */

/* An operand in one of `spaces` (a mask over enum space) of the thread's own CTA: a location, or an address of tensor
 * memory in a register (*cells). */
static bool lower_place(struct lowering *l, struct lower_instr *in, unsigned index, uint32_t spaces,
                        struct address *out, bool *cells) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  struct target target;
  if (!lower_address(l, in, operand, out, &target)) return false;
  const struct symbol *symbol = target.symbol;
  *cells = !symbol;
  if (symbol ? spaces >> symbol->space & 1 : spaces >> SPACE_TMEM & 1) {
    if (symbol && spaces == 1u << SPACE_TMEM) in->out->type = symbol->type;
    return symbol || lower_tensor_memory(l, operand->span);
  }
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, operand->span,
                     "expected a location in %s memory" HINT "for example: %s",
                     spaces == 1u << SPACE_SHARED ? "shared" : "tensor",
                     spaces == 1u << SPACE_SHARED ? ".shared .u32 a=0;" : ".tmem .u32 d=0;");
}

/* The descriptor of a product as a number; 0 for a copy. False: unknown. */
static bool shape_number(const struct lower_instr *in, uint32_t *out) {
  uint32_t index = product_descriptor(in->ast);
  const struct litmus_operand *operand = index < in->count ? lower_operand_at(in, index) : NULL;
  *out = operand && operand->kind == LITMUS_NUMBER ? (uint32_t)operand->u.number.value : 0;
  return index == UINT32_MAX || (operand && operand->kind == LITMUS_NUMBER);
}

/* A matrix: a location, an address of tensor memory if `spaces` has it, a place in shared memory with a layout as in
 * kernels, or a descriptor. */
static bool lower_matrix(struct lowering *l, struct lower_instr *in, unsigned index, uint32_t spaces,
                         struct address *out, bool *cells, struct byte_runs *runs) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  struct operand descriptor;
  uint32_t shape;
  if (operand->kind == LITMUS_BRACKET) return lower_place(l, in, index, spaces, out, cells);
  if (operand->kind == LITMUS_TENSOR) {
    if (!shape_number(in, &shape)) lower_unsupported(l, in, REASON_MATRIX_SHAPE);
    *cells = false;
    return lower_layout(l, in, index, matrix_of_tensor(in->ast, index, shape), out, runs);
  }
  lower_unsupported(l, in, REASON_MATRIX_SHAPE);
  return lower_src(l, in, operand, isa_type(PTX_U64), &descriptor);
}

static struct async *begin(struct lowering *l, struct lower_instr *in, enum async_action action, struct tensor **out) {
  struct tensor *tensor = ARENA_NEW(l->arena, struct tensor);
  tensor->paired = IS(in, PAIR, 2);
  in->out->kind = INSTR_ASYNC;
  in->out->async = ARENA_NEW(l->arena, struct async);
  in->out->async->action = action;
  in->out->async->tensor = tensor;
  in->out->elements = 1;
  in->out->proxy = PROXY_TMEM;
  in->out->type = isa_type(PTX_U32);
  if (out) *out = tensor;
  return in->out->async;
}

/* ---- Products ---- */

/* A list of masks of lanes of D that are not written: all 0, or unknown. */
static bool lower_unwritten(struct lowering *l, struct lower_instr *in, const struct litmus_operand *list) {
  uint32_t count = 0, words = IS(in, PAIR, 2) ? 8 : 4;
  struct operand word;
  for (const struct litmus_operand *item = list->u.items; item; item = item->next, count++) {
    if (!lower_src(l, in, item, isa_type(PTX_U32), &word)) return false;
    if (item->kind != LITMUS_NUMBER || item->u.number.value) lower_unsupported(l, in, REASON_MATRIX_SHAPE);
  }
  return count == words || diag_refuse(l->diags, DIAG_OPERAND_COUNT, list->span, "expected %u words of lanes", words);
}

/* The last operand: for .ws, a mask of columns of B that count as zeros; for some kinds, the scale of D. */
static bool lower_last(struct lowering *l, struct lower_instr *in, unsigned at, const struct tensor *tensor) {
  struct operand mask;
  bool scales = strcmp(tensor->kind, ".kind::f16") == 0 || strcmp(tensor->kind, ".kind::tf32") == 0;
  if (tensor->weights && at < in->count)
    return lower_operand_count(l, in, at + 1, at + 1) &&
           lower_src(l, in, lower_operand_at(in, at), isa_type(PTX_U64), &mask);
  if (!lower_operand_count(l, in, at, at + scales) || at == in->count) return at == in->count;
  const struct litmus_operand *by = lower_operand_at(in, at);
  return (by->kind == LITMUS_NUMBER && !by->u.number.negative && by->u.number.value < 16) ||
         diag_refuse(l->diags, DIAG_WRONG_OPERAND, by->span, "expected a number from 0 to 15");
}

/* [d], a, b, [metadata], descriptor of the instruction, [scales of a], [scales of b], {lanes}, and a predicate: d is
 * added. The form in tests has only the first three, each a location of one element, and does not add d. */
static bool lower_product(struct lowering *l, struct lower_instr *in, struct tensor *tensor) {
  bool sparse = HAS(in, SPARSE), scaled = HAS(in, SCALED), cells;
  unsigned at = 3, least = 5u + sparse + (scaled ? 2 : 0);
  if (!lower_operand_count(l, in, least, least + 2)) return false;
  tensor->sparse = sparse;
  if (sparse && !lower_place(l, in, at++, 1u << SPACE_TMEM, &tensor->metadata, &cells)) return false;
  if (!lower_src(l, in, lower_operand_at(in, at++), isa_type(PTX_U32), &tensor->shape)) return false;
  for (unsigned i = 0; i < 2 && scaled; i++)
    if (!lower_place(l, in, at++, 1u << SPACE_TMEM, &tensor->scales[i], &cells)) return false;
  if (scaled) {
    tensor->scale_vector = VALUE(in, SCALES) ? VALUE(in, SCALES) : VALUE(in, KIND);
  }
  bool listed = !scaled && !tensor->weights && lower_operand_at(in, at)->kind == LITMUS_VECTOR;
  if (listed && !lower_unwritten(l, in, lower_operand_at(in, at++))) return false;
  if (!lower_operand_count(l, in, at + 1, at + 2)) return false;
  return lower_src(l, in, lower_operand_at(in, at), isa_type(PTX_PRED), &tensor->adds) &&
         lower_last(l, in, at + 1, tensor);
}

static bool lower_multiply(struct lowering *l, struct lower_instr *in) {
  const uint32_t tensor_memory = 1u << SPACE_TMEM, both = tensor_memory | 1u << SPACE_SHARED;
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_MMA, &tensor);
  bool of_b;
  tensor->kind = HAS(in, KIND)->text;
  tensor->weights = HAS(in, WEIGHTS);
  if (!lower_operand_count(l, in, 3, 16)) return false;
  if (!lower_place(l, in, 0, tensor_memory, &async->to, &tensor->to_cells) ||
      !lower_matrix(l, in, 1, both, &async->from, &tensor->from_cells, &async->from_runs) ||
      !lower_matrix(l, in, 2, both & ~(tensor->to_cells ? tensor_memory : 0), &async->other, &of_b, &async->other_runs))
    return false;
  bool short_form = in->count == 3 && !tensor->to_cells && !tensor->from_cells && !of_b;
  return short_form || lower_product(l, in, tensor);
}

/* ---- Copies ---- */

static bool lower_copy(struct lowering *l, struct lower_instr *in) {
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_COPY, &tensor);
  enum tensor_shape shape = (enum tensor_shape)VALUE(in, SHAPE);
  tensor->lanes = TENSOR_LANES;
  tensor->columns = shape == SHAPE_128X256 ? 8 : 4;
  if (!lower_operand_count(l, in, 2, 2) || !lower_place(l, in, 0, 1u << SPACE_TMEM, &async->to, &tensor->to_cells) ||
      !lower_matrix(l, in, 1, 1u << SPACE_SHARED, &async->from, &tensor->from_cells, &async->from_runs))
    return false;
  if (shape == SHAPE_4X256 && tensor->to_cells) lower_unsupported(l, in, REASON_TENSOR_SHAPE);
  return true;
}

/* Moves the rows of the lanes of one warp down by one. */
static bool lower_shift(struct lowering *l, struct lower_instr *in) {
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_SHIFT, &tensor);
  if (!lower_operand_count(l, in, 1, 1) || !lower_place(l, in, 0, 1u << SPACE_TMEM, &async->to, &tensor->to_cells))
    return false;
  async->from = async->to;
  tensor->from_cells = tensor->to_cells;
  tensor->lanes = 2 * TENSOR_HALF;
  tensor->columns = 8;
  if (!tensor->to_cells) lower_unsupported(l, in, REASON_TENSOR_SHIFT);
  return true;
}

/* ---- Registers ---- */

/* The elements of a register list of .x1. */
static const struct {
  enum tensor_fragment fragment;
  uint32_t lanes, columns, registers;
} fragments[] = {
    [SHAPE_32X32] = {FRAGMENT_32X32, 32, 1, 1},   [SHAPE_16X64] = {FRAGMENT_16X64, 16, 2, 1},
    [SHAPE_16X128] = {FRAGMENT_16X128, 16, 4, 2}, [SHAPE_16X256] = {FRAGMENT_16X256, 16, 8, 4},
    [SHAPE_16X32X2] = {FRAGMENT_32X32, 16, 1, 1},
};

static bool lower_result(struct lowering *l, struct lower_instr *in, const struct litmus_operand *item,
                         struct tensor *tensor) {
  uint32_t number = tensor->result_count++;
  if (!lower_dst(l, in, item, in->out->type, true, &tensor->results[number])) return false;
  if (number < MAX_VECTOR) in->out->dst[number] = tensor->results[number];
  return true;
}

static bool lower_stored(struct lowering *l, struct lower_instr *in, const struct litmus_operand *item,
                         struct tensor *tensor) {
  uint32_t number = tensor->value_count++;
  if (!lower_src(l, in, item, in->out->type, &tensor->values[number])) return false;
  if (number < MAX_VECTOR) in->out->src[number] = tensor->values[number];
  return true;
}

static bool lower_list(struct lowering *l, struct lower_instr *in, const struct litmus_operand *list, uint32_t count,
                       bool loads, struct tensor *tensor) {
  const struct litmus_operand *item = list->kind == LITMUS_VECTOR ? list->u.items : list;
  uint32_t found = 0;
  tensor->results = ARENA_ARRAY(l->arena, uint32_t, count + 1); /* .red: one more */
  tensor->values = ARENA_ARRAY(l->arena, struct operand, count);
  for (; item && found < count; item = item == list ? NULL : item->next, found++)
    if (loads ? !lower_result(l, in, item, tensor) : !lower_stored(l, in, item, tensor)) return false;
  if (found == count && !(item && item != list)) return true;
  return diag_refuse(l->diags, DIAG_OPERAND_COUNT, list->span, "here stand%s %u register%s", count == 1 ? "s" : "",
                     count, count == 1 ? "" : "s");
}

/* tcgen05.ld.red */
static void take_reduction(struct lower_instr *in, struct tensor *tensor) {
  tensor->reduces = HAS(in, REDUCED);
  if (!tensor->reduces) return;
  tensor->magnitude = HAS(in, ABS);
  in->out->arith.nan = HAS(in, NAN);
  in->out->alu = VALUE(in, OP) == OP_MIN ? ALU_MIN : ALU_MAX;
  in->out->type = isa_type((enum ptx_type)VALUE(in, TYPE));
}

static bool lower_split(struct lowering *l, const struct lower_instr *in, unsigned at, struct tensor *tensor) {
  const struct litmus_operand *offset = lower_operand_at(in, at);
  if (offset->kind != LITMUS_NUMBER)
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, offset->span, "the offset of the second half must be a number");
  tensor->split = true;
  tensor->second = (uint32_t)offset->u.number.value;
  if (offset->u.number.negative) tensor->second = 0u - tensor->second;
  return true;
}

/* .ld {registers}, [reduced], [from], [second half]; .st [to], [second half], {registers}. */
static bool lower_register_access(struct lowering *l, struct lower_instr *in, bool loads) {
  struct tensor *tensor;
  struct async *async = begin(l, in, loads ? ASYNC_TENSOR_LOAD : ASYNC_TENSOR_STORE, &tensor);
  enum tensor_shape shape = (enum tensor_shape)VALUE(in, SHAPE);
  unsigned split = shape == SHAPE_16X32X2, repeat = VALUE(in, REPEAT);
  tensor->fragment = fragments[shape].fragment;
  take_reduction(in, tensor);
  unsigned reduced = tensor->reduces, place = loads ? 1 + reduced : 0;
  if (!lower_operand_count(l, in, 2 + split + reduced, 2 + split + reduced)) return false;
  if (!lower_place(l, in, place, 1u << SPACE_TMEM, loads ? &async->from : &async->to,
                   loads ? &tensor->from_cells : &tensor->to_cells))
    return false;
  tensor->lanes = fragments[shape].lanes;
  tensor->halves = HAS(in, HALVES);
  tensor->columns = fragments[shape].columns * repeat * (tensor->halves ? 2 : 1);
  if (split && !lower_split(l, in, place + 1, tensor)) return false;
  const struct litmus_operand *list = lower_operand_at(in, loads ? 0 : 1 + split);
  if (!lower_list(l, in, list, fragments[shape].registers * repeat, loads, tensor) ||
      (reduced && !lower_result(l, in, lower_operand_at(in, 1), tensor)))
    return false;
  bool cells = loads ? tensor->from_cells : tensor->to_cells;
  if ((split && reduced) || (!cells && (split || tensor->columns * tensor->lanes != 32)))
    lower_unsupported(l, in, REASON_TENSOR_SHAPE);
  return true;
}

/* ---- Allocation ---- */

static bool lower_count(struct lowering *l, struct lower_instr *in, struct tensor *tensor) {
  return lower_src(l, in, lower_operand_at(in, 1), isa_type(PTX_U32), &tensor->count);
}

static bool lower_alloc(struct lowering *l, struct lower_instr *in) {
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_ALLOC, &tensor);
  in->out->proxy = PROXY_GENERIC;
  in->out->space = SPACE_SHARED;
  return lower_operand_count(l, in, 2, 2) && lower_shared_address(l, in, lower_operand_at(in, 0), &async->to, NULL) &&
         lower_tensor_memory(l, in->ast->span) && lower_count(l, in, tensor);
}

/* Lowers .dealloc, whose address is a register without brackets. */
static bool lower_free(struct lowering *l, struct lower_instr *in) {
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_FREE, &tensor);
  return lower_operand_count(l, in, 2, 2) &&
         lower_src(l, in, lower_operand_at(in, 0), isa_type(PTX_U32), &async->from.base) &&
         lower_tensor_memory(l, in->ast->span) && lower_count(l, in, tensor);
}

static bool lower_relinquish(struct lowering *l, struct lower_instr *in) {
  begin(l, in, ASYNC_TENSOR_RELINQUISH, NULL);
  return lower_operand_count(l, in, 0, 0);
}

/* ---- Order ---- */

static bool lower_commit(struct lowering *l, struct lower_instr *in) {
  bool many = HAS(in, MULTICAST);
  struct async *async = begin(l, in, ASYNC_TENSOR_COMMIT, NULL);
  in->out->proxy = PROXY_GENERIC;
  async->has_object = true;
  return lower_operand_count(l, in, 1 + many, 1 + many) &&
         lower_mbarrier_address(l, in, lower_operand_at(in, 0), &async->object) &&
         (!many || lower_src(l, in, lower_operand_at(in, 1), isa_type(PTX_U32), &async->ctas));
}

static bool lower_order(struct lowering *l, struct lower_instr *in, enum one_way which) {
  in->out->kind = INSTR_PROXY_FENCE;
  in->out->proxy = PROXY_TMEM;
  in->out->one_way = which;
  return lower_operand_count(l, in, 0, 0);
}

bool lower_tcgen05(struct lowering *l, struct lower_instr *in) {
  switch ((enum tensor_action)VALUE(in, TCGEN05)) {
    case TENSOR_MULTIPLY: return lower_multiply(l, in);
    case TENSOR_COPY: return lower_copy(l, in);
    case TENSOR_LOAD: return lower_register_access(l, in, true);
    case TENSOR_STORE: return lower_register_access(l, in, false);
    case TENSOR_COMMIT: return lower_commit(l, in);
    case TENSOR_BEFORE: return lower_order(l, in, ONE_WAY_BEFORE);
    case TENSOR_AFTER: return lower_order(l, in, ONE_WAY_AFTER);
    case TENSOR_WAIT_LD: return lower_order(l, in, ONE_WAY_LOADS);
    case TENSOR_WAIT_ST: return lower_order(l, in, ONE_WAY_STORES);
    case TENSOR_RELINQUISH: return lower_relinquish(l, in);
    case TENSOR_ALLOC: return lower_alloc(l, in);
    case TENSOR_FREE: return lower_free(l, in);
    case TENSOR_SHIFT: return lower_shift(l, in);
  }
  BUG("tcgen05 %u", VALUE(in, TCGEN05));
}
