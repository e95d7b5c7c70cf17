#include "ptx/lowering.h"

/* Operations of the fifth generation's tensor cores (9.7.18; docs/async.md AG4) on tensor memory: on lanes and columns,
 * at an address in a register, or on a location that a test declares, `.tmem .u32 d=0;`. As with wgmma, the form in
 * tests has one element: tcgen05.mma.cta_group::1.kind::f16 [d], [a], [b] makes d the product of a and b. */

static bool missing(struct lowering *l, const struct lower_instr *in, const char *what, const char *hint) {
  return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, in->ast->opcode.span, "'tcgen05%s' needs %s" HINT "%s",
                     in->q.found[QUALIFIER_TCGEN05] ? in->q.found[QUALIFIER_TCGEN05]->text : "", what, hint);
}

static bool refuse(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind) {
  const struct litmus_word *word = in->q.found[kind];
  if (!word) return true;
  diag_report(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'tcgen05%s' does not take '%s'",
              in->q.found[QUALIFIER_TCGEN05]->text, word->text);
  return false;
}

/* An operand in one of `spaces` (a mask over enum space) of the thread's own CTA: a location, or an address of tensor
 * memory in a register (*cells). */
static bool lower_place(struct lowering *l, struct lower_instr *in, unsigned index, uint32_t spaces,
                        struct address *out, bool *cells) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  const struct symbol *symbol;
  uint32_t view;
  if (!lower_address(l, in, operand, out, &symbol, &view)) return false;
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
  tensor->paired = in->q.found[QUALIFIER_PAIR];
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
  uint32_t count = 0, words = in->q.found[QUALIFIER_PAIR] ? 8 : 4;
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
  bool sparse = in->q.found[QUALIFIER_SPARSE], scaled = in->q.found[QUALIFIER_SCALED], cells;
  unsigned at = 3, least = 5u + sparse + (scaled ? 2 : 0);
  if (!lower_operand_count(l, in, least, least + 2)) return false;
  tensor->sparse = sparse;
  if (sparse && !lower_place(l, in, at++, 1u << SPACE_TMEM, &tensor->metadata, &cells)) return false;
  if (!lower_src(l, in, lower_operand_at(in, at++), isa_type(PTX_U32), &tensor->shape)) return false;
  for (unsigned i = 0; i < 2 && scaled; i++)
    if (!lower_place(l, in, at++, 1u << SPACE_TMEM, &tensor->scales[i], &cells)) return false;
  if (scaled) {
    unsigned written = in->q.found[QUALIFIER_SCALES] ? in->q.value[QUALIFIER_SCALES] : 0;
    tensor->scale_vector = written ? written : in->q.value[QUALIFIER_KIND];
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
  if (!in->q.found[QUALIFIER_KIND]) return missing(l, in, "a kind", "such as '.kind::f16'");
  tensor->kind = in->q.found[QUALIFIER_KIND]->text;
  tensor->weights = in->q.found[QUALIFIER_WEIGHTS];
  if (in->q.found[QUALIFIER_COLLECTOR] && in->q.value[QUALIFIER_COLLECTOR] != tensor->weights)
    return refuse(l, in, QUALIFIER_COLLECTOR);
  if (in->q.found[QUALIFIER_SCALED] ? !in->q.value[QUALIFIER_KIND] : in->q.value[QUALIFIER_KIND] != 0)
    return in->q.found[QUALIFIER_SCALED] ? refuse(l, in, QUALIFIER_SCALED)
                                         : missing(l, in, "'.block_scale'", "its scales are operands");
  if (!in->q.found[QUALIFIER_SCALED] && !refuse(l, in, QUALIFIER_SCALES)) return false;
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
  enum tensor_shape shape = (enum tensor_shape)in->q.value[QUALIFIER_SHAPE];
  tensor->lanes = TENSOR_LANES;
  tensor->columns = shape == SHAPE_128X256 ? 8 : 4;
  if (!lower_operand_count(l, in, 2, 2) ||
      !lower_place(l, in, 0, 1u << SPACE_TMEM, &async->to, &tensor->to_cells) ||
      !lower_matrix(l, in, 1, 1u << SPACE_SHARED, &async->from, &tensor->from_cells, &async->from_runs))
    return false;
  if (shape == SHAPE_4X256 && tensor->to_cells) lower_unsupported(l, in, REASON_TENSOR_SHAPE);
  return true;
}

/* Moves the rows of the lanes of one warp down by one. */
static bool lower_shift(struct lowering *l, struct lower_instr *in) {
  struct tensor *tensor;
  struct async *async = begin(l, in, ASYNC_TENSOR_SHIFT, &tensor);
  if (!lower_operand_count(l, in, 1, 1) ||
      !lower_place(l, in, 0, 1u << SPACE_TMEM, &async->to, &tensor->to_cells))
    return false;
  async->from = async->to;
  tensor->from_cells = tensor->to_cells;
  tensor->lanes = 2 * TENSOR_HALF;
  tensor->columns = 8;
  if (!tensor->to_cells) lower_unsupported(l, in, REASON_TENSOR_SHIFT);
  return true;
}

/* ---- Registers ---- */

/* The elements of a register list of .x1. Other shapes are not for .ld and .st. */
static const struct {
  enum tensor_shape shape;
  enum tensor_fragment fragment;
  uint32_t lanes, columns, registers;
} fragments[] = {
    {SHAPE_32X32, FRAGMENT_32X32, 32, 1, 1},
    {SHAPE_16X64, FRAGMENT_16X64, 16, 2, 1},
    {SHAPE_16X128, FRAGMENT_16X128, 16, 4, 2},
    {SHAPE_16X256, FRAGMENT_16X256, 16, 8, 4},
    {SHAPE_16X32X2, FRAGMENT_32X32, 16, 1, 1},
};

enum { MOST_REGISTERS = 128 };

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
  return diag_refuse(l->diags, DIAG_OPERAND_COUNT, list->span, "here stand%s %u register%s",
                     count == 1 ? "s" : "", count, count == 1 ? "" : "s");
}

/* The words of tcgen05.ld.red, which no other load takes. */
static bool lower_reduction(struct lowering *l, struct lower_instr *in, struct tensor *tensor) {
  enum ptx_type type = (enum ptx_type)in->q.value[QUALIFIER_TYPE];
  unsigned op = in->q.value[QUALIFIER_OP];
  tensor->reduces = in->q.found[QUALIFIER_REDUCED];
  if (!tensor->reduces)
    return refuse(l, in, QUALIFIER_OP) && refuse(l, in, QUALIFIER_ABS) && refuse(l, in, QUALIFIER_NAN);
  bool shaped = tensor->fragment == FRAGMENT_32X32, typed = type == PTX_U32 || type == PTX_S32 || type == PTX_F32;
  if (!in->q.found[QUALIFIER_OP]) return missing(l, in, "an operation", "'.min' or '.max'");
  if (op != OP_MIN && op != OP_MAX) return refuse(l, in, QUALIFIER_OP);
  if (!in->q.found[QUALIFIER_TYPE]) return missing(l, in, "a type", "'.u32', '.s32' or '.f32'");
  if (!typed || !shaped) return refuse(l, in, typed ? QUALIFIER_SHAPE : QUALIFIER_TYPE);
  if (in->q.value[QUALIFIER_REPEAT] == 1) return refuse(l, in, QUALIFIER_REPEAT);
  if (type != PTX_F32 && !(refuse(l, in, QUALIFIER_ABS) && refuse(l, in, QUALIFIER_NAN))) return false;
  tensor->magnitude = in->q.found[QUALIFIER_ABS];
  in->out->arith.nan = in->q.found[QUALIFIER_NAN];
  in->out->alu = op == OP_MIN ? ALU_MIN : ALU_MAX;
  in->out->type = isa_type(type);
  return refuse(l, in, QUALIFIER_HALVES);
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
  enum tensor_shape shape = (enum tensor_shape)in->q.value[QUALIFIER_SHAPE];
  unsigned row = 0, split = shape == SHAPE_16X32X2, repeat = in->q.value[QUALIFIER_REPEAT];
  while (row < ARRAY_LEN(fragments) && fragments[row].shape != shape) row++;
  if (row == ARRAY_LEN(fragments)) return refuse(l, in, QUALIFIER_SHAPE);
  if (fragments[row].registers * repeat > MOST_REGISTERS) return refuse(l, in, QUALIFIER_REPEAT);
  tensor->fragment = fragments[row].fragment;
  if (!lower_reduction(l, in, tensor)) return false;
  unsigned reduced = tensor->reduces, place = loads ? 1 + reduced : 0;
  if (!lower_operand_count(l, in, 2 + split + reduced, 2 + split + reduced)) return false;
  if (!lower_place(l, in, place, 1u << SPACE_TMEM, loads ? &async->from : &async->to,
                   loads ? &tensor->from_cells : &tensor->to_cells))
    return false;
  tensor->lanes = fragments[row].lanes;
  tensor->halves = in->q.found[QUALIFIER_HALVES];
  tensor->columns = fragments[row].columns * repeat * (tensor->halves ? 2 : 1);
  if (tensor->halves && (in->q.value[QUALIFIER_HALVES] == TENSOR_LOAD) != loads)
    return refuse(l, in, QUALIFIER_HALVES);
  if (split && !lower_split(l, in, place + 1, tensor)) return false;
  const struct litmus_operand *list = lower_operand_at(in, loads ? 0 : 1 + split);
  if (!lower_list(l, in, list, fragments[row].registers * repeat, loads, tensor) ||
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
  const struct symbol *symbol;
  uint32_t view;
  in->out->proxy = PROXY_GENERIC;
  in->out->space = SPACE_SHARED;
  if (!lower_operand_count(l, in, 2, 2) ||
      !lower_address(l, in, lower_operand_at(in, 0), &async->to, &symbol, &view))
    return false;
  if (symbol && symbol->space != SPACE_SHARED)
    return diag_refuse(l->diags, DIAG_WRONG_SPACE, lower_operand_at(in, 0)->span,
                       "the address goes to shared memory, and '%s' is not there", symbol->name);
  return lower_tensor_memory(l, in->ast->span) && lower_count(l, in, tensor);
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
  bool many = in->q.found[QUALIFIER_MULTICAST];
  struct async *async = begin(l, in, ASYNC_TENSOR_COMMIT, NULL);
  in->out->proxy = PROXY_GENERIC;
  async->has_object = true;
  if (!in->q.found[QUALIFIER_COMPLETION] || in->q.value[QUALIFIER_COMPLETION] != COMPLETION_ARRIVE)
    return missing(l, in, "'.mbarrier::arrive::one'", "such as tcgen05.commit.cta_group::1.mbarrier::arrive::one.b64");
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

static bool lower_action(struct lowering *l, struct lower_instr *in, enum tensor_action action) {
  switch (action) {
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
  BUG("tcgen05 %d", (int)action);
}

static bool warps_together(enum tensor_action action) {
  return action == TENSOR_LOAD || action == TENSOR_STORE || action == TENSOR_WAIT_LD || action == TENSOR_WAIT_ST ||
         action == TENSOR_ALLOC || action == TENSOR_FREE || action == TENSOR_RELINQUISH;
}

static bool of_a_group(enum tensor_action action) {
  return action == TENSOR_MULTIPLY || action == TENSOR_COPY || action == TENSOR_COMMIT || action == TENSOR_ALLOC ||
         action == TENSOR_FREE || action == TENSOR_SHIFT || action == TENSOR_RELINQUISH;
}

/* Checks the words that belong to a single action. */
static bool check_own(struct lowering *l, const struct lower_instr *in, enum tensor_action action) {
  static const struct {
    enum qualifier_class kind;
    enum tensor_action of, or_of;
  } own[] = {
      {QUALIFIER_KIND, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_SCALED, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_SCALES, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_SPARSE, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_WEIGHTS, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_SHIFTED, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_COLLECTOR, TENSOR_MULTIPLY, TENSOR_MULTIPLY},
      {QUALIFIER_FORMAT, TENSOR_COPY, TENSOR_COPY},
      {QUALIFIER_EXPANDED, TENSOR_COPY, TENSOR_COPY},
      {QUALIFIER_HALVES, TENSOR_LOAD, TENSOR_STORE},
      {QUALIFIER_REDUCED, TENSOR_LOAD, TENSOR_LOAD},
      {QUALIFIER_OP, TENSOR_LOAD, TENSOR_LOAD},
      {QUALIFIER_ABS, TENSOR_LOAD, TENSOR_LOAD},
      {QUALIFIER_NAN, TENSOR_LOAD, TENSOR_LOAD},
  };
  return !SOME_BELOW(i, ARRAY_LEN(own), action != own[i].of && action != own[i].or_of && !refuse(l, in, own[i].kind));
}

/* Only a copy of fewer than 128 rows names the warps to whose tensor memory it goes. */
static bool check_warps(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *warps = in->q.found[QUALIFIER_WARPS];
  bool shaped = in->q.found[QUALIFIER_SHAPE];
  enum tensor_shape shape = (enum tensor_shape)in->q.value[QUALIFIER_SHAPE];
  const char *needs = shaped && shape == SHAPE_32X128   ? ".warpx4"
                      : shaped && shape == SHAPE_64X128 ? ".warpx2::"
                                                        : NULL;
  if (!needs) return refuse(l, in, QUALIFIER_WARPS);
  if (!warps) return missing(l, in, "a warp qualifier", "such as '.32x128b.warpx4'");
  return base_begins(warps->text, needs) || refuse(l, in, QUALIFIER_WARPS);
}

/* The qualifiers that an action takes, and those that it needs. */
static bool check_dots(struct lowering *l, const struct lower_instr *in, enum tensor_action action) {
  bool together = warps_together(action);
  bool loads = action == TENSOR_LOAD || action == TENSOR_STORE;
  unsigned space = in->q.value[QUALIFIER_SPACE];
  if (together && (!in->q.found[QUALIFIER_ACTION] || !in->q.found[QUALIFIER_ALIGNED]))
    return missing(l, in, "'.sync.aligned'", "all threads of a warp execute it together");
  if (!together && (!refuse(l, in, QUALIFIER_ACTION) || !refuse(l, in, QUALIFIER_ALIGNED))) return false;
  if (of_a_group(action) && !in->q.found[QUALIFIER_PLAIN] && !in->q.found[QUALIFIER_PAIR])
    return missing(l, in, "'.cta_group::1'", "it gives the number of CTAs");
  if (loads && (!in->q.found[QUALIFIER_SHAPE] || !in->q.found[QUALIFIER_REPEAT]))
    return missing(l, in, "a shape and a number", "such as '.32x32b.x1'");
  if ((action == TENSOR_COPY || action == TENSOR_SHIFT) && !in->q.found[QUALIFIER_SHAPE])
    return missing(l, in, "a shape", action == TENSOR_COPY ? "such as '.128x256b'" : "'.down'");
  if (!check_warps(l, in) || !check_own(l, in, action)) return false;
  if (in->q.found[QUALIFIER_FORMAT] && !in->q.found[QUALIFIER_EXPANDED])
    return missing(l, in, "a format of elements", "such as '.b8x16.b6x16_p32'");
  if (!in->q.found[QUALIFIER_FORMAT] && !refuse(l, in, QUALIFIER_EXPANDED)) return false;
  if (action == TENSOR_COMMIT && in->q.found[QUALIFIER_SPACE] && space != (SPACE_SHARED | SPACE_ANY_CTA))
    return refuse(l, in, QUALIFIER_SPACE);
  bool type =
      !in->q.found[QUALIFIER_TYPE] || in->q.found[QUALIFIER_REDUCED] ||
              in->q.value[QUALIFIER_TYPE] == (action == TENSOR_COMMIT ? PTX_B64 : PTX_B32);
  return type || refuse(l, in, QUALIFIER_TYPE);
}

bool lower_tcgen05(struct lowering *l, struct lower_instr *in) {
  enum tensor_action action = (enum tensor_action)in->q.value[QUALIFIER_TCGEN05];
  if (!in->q.found[QUALIFIER_TCGEN05])
    return missing(l, in, "an operation", "such as tcgen05.mma, tcgen05.commit or tcgen05.ld");
  if (!check_dots(l, in, action)) return false;
  return lower_action(l, in, action);
}
