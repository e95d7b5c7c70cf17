#include "ptx/lowering.h"

/* Asynchronous copies, stores and reductions, and groups of them (9.7.10.28, 9.7.15.7; docs/async.md). */

enum { MOST_MASKED = 1 << 16 }; /* bytes of a copy with a mask */
enum { BULK_UNIT = 16 };        /* the unit of size and alignment of bulk copies */

static struct async *begin(struct lowering *l, struct lower_instr *in, enum async_action action) {
  in->out->kind = INSTR_ASYNC;
  in->out->async = ARENA_NEW(l->arena, struct async);
  in->out->async->action = action;
  in->out->elements = 1;
  return in->out->async;
}

/* ---- Addresses ---- */

/* An address in a qualifier's state space: a declared location must be in this space, within the thread's reach. */
static bool lower_end(struct lowering *l, const struct lower_instr *in, enum qualifier_class kind, unsigned index,
                      struct address *out) {
  const struct litmus_word *word = in->q.found[kind];
  const struct litmus_operand *operand = lower_operand_at(in, index);
  enum space space = (enum space)(in->q.value[kind] & SPACE_MASK);
  struct target target;
  if (!lower_address(l, in, operand, out, &target)) return false;
  const struct symbol *symbol = target.symbol;
  if (!symbol) return true;
  if (symbol->space != space)
    return diag_beside(
        diag_report(l->diags, DIAG_WRONG_SPACE, operand->span, "'%s' is not in '%s' memory", symbol->name, word->text),
        symbol->span, "declared here");
  uint32_t owner = l->objects.data[l->views.data[target.view].object].owner;
  if (!(in->q.value[kind] & SPACE_OWN_CTA) || owner == l->program->threads[in->thread].cta_id) return true;
  return diag_refuse(l->diags, DIAG_OTHER_CTA, operand->span,
                     "'%s' reaches only the thread's own CTA" HINT "write '.shared::cluster'", word->text);
}

/* The destinations and sources of copies: copies of at most 16 bytes, bulk copies, and copies through a tensor map
 * (9.7.10.28.3.1, .4.1, .5.2). */
enum copy_kind { COPY_SMALL = 1, COPY_BULK = 2, COPY_TENSOR = 4 };

static const struct {
  unsigned to, from, kinds; /* values of qualifiers; enum copy_kind */
} ways[] = {
    {SPACE_SHARED, SPACE_GLOBAL, COPY_SMALL},
    {SPACE_SHARED | SPACE_OWN_CTA, SPACE_GLOBAL, COPY_SMALL | COPY_BULK | COPY_TENSOR},
    {SPACE_SHARED | SPACE_ANY_CTA, SPACE_GLOBAL, COPY_BULK | COPY_TENSOR},
    {SPACE_SHARED | SPACE_ANY_CTA, SPACE_SHARED | SPACE_OWN_CTA, COPY_BULK},
    {SPACE_GLOBAL, SPACE_SHARED | SPACE_OWN_CTA, COPY_BULK | COPY_TENSOR},
};

static bool check_way(struct lowering *l, const struct lower_instr *in, enum copy_kind kind) {
  const struct litmus_word *to = HAS(in, SPACE), *from = HAS(in, SOURCE);
  if (!to || !from)
    return lower_missing(l, in, "the state spaces of destination and source", "such as '.shared::cta.global'");
  for (size_t i = 0; i < ARRAY_LEN(ways); i++)
    if (ways[i].to == VALUE(in, SPACE) && ways[i].from == VALUE(in, SOURCE) && ways[i].kinds & kind) return true;
  return diag_refuse(
      l->diags, DIAG_WRONG_SPACE, to->span, "there is no such copy to '%s' from '%s'" HINT "%s", to->text, from->text,
      kind == COPY_SMALL ? "write '.shared::cta.global'"
                         : "write '.shared::cta.global', '.shared::cluster.global' or '.global.shared::cta'");
}

static bool lower_ends(struct lowering *l, struct lower_instr *in) {
  return lower_end(l, in, QUALIFIER_SPACE, 0, &in->out->async->to) &&
         lower_end(l, in, QUALIFIER_SOURCE, 1, &in->out->async->from);
}

static bool is_shared(const struct lower_instr *in) { return (VALUE(in, SPACE) & SPACE_MASK) == SPACE_SHARED; }

/* ---- cp.async ---- */

static bool lower_size(struct lowering *l, struct lower_instr *in, unsigned index, struct operand *out) {
  return lower_src(l, in, lower_operand_at(in, index), isa_type(PTX_U32), out);
}

/* The operand after the size is the number of bytes to read or, as a predicate, excludes reading. */
static bool lower_fill(struct lowering *l, struct lower_instr *in) {
  const struct litmus_operand *operand = lower_operand_at(in, 3);
  uint32_t reg = operand->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, operand->u.ref.name) : NO_REG;
  bool predicate = reg != NO_REG && l->threads[in->thread].regs.data[reg].type.kind == TYPE_PRED;
  if (predicate) return lower_src(l, in, operand, isa_type(PTX_PRED), &in->out->async->ignored);
  return lower_size(l, in, 3, &in->out->async->filled);
}

static bool wrong_size(struct lowering *l, const struct operand *bytes, const char *what) {
  return diag_refuse(l->diags, DIAG_VALUE_RANGE, bytes->span, "%s", what);
}

static bool lower_copy(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_COPY);
  const struct litmus_word *cache = HAS(in, CACHE_LOAD);
  unsigned policy = HAS(in, CACHE_HINT) ? 1 : 0;
  async->list = GROUP_COPY;
  if (!cache) return lower_missing(l, in, "'.ca' or '.cg'", "such as cp.async.ca.shared.global");
  if (!check_way(l, in, COPY_SMALL) || !lower_operand_count(l, in, 3 + policy, 4 + policy) || !lower_ends(l, in) ||
      !lower_size(l, in, 2, &async->bytes))
    return false;
  value_t bytes = async->bytes.imm;
  bool known = async->bytes.kind == OPERAND_IMM, cg = strcmp(cache->text, ".cg") == 0;
  if (known && bytes != 16 && (cg || (bytes != 4 && bytes != 8)))
    return wrong_size(l, &async->bytes, cg ? "cp.async.cg copies 16 bytes" : "cp.async copies 4, 8 or 16 bytes");
  return in->count < 4 + policy || lower_fill(l, in);
}

static bool lower_async_arrival(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_ARRIVE);
  async->counted = HAS(in, NOINC);
  async->has_object = true;
  return lower_operand_count(l, in, 1, 1) && lower_mbarrier_address(l, in, lower_operand_at(in, 0), &async->object);
}

/* ---- Bulk copies ---- */

/* Checks that the completion mechanism fits the destination: shared memory of the CTA or cluster, or global memory. */
static bool lower_completion(struct lowering *l, struct lower_instr *in) {
  struct async *async = in->out->async;
  bool shared = is_shared(in);
  if (!HAS(in, COMPLETION))
    return lower_missing(l, in, "a completion mechanism",
                         "'.mbarrier::complete_tx::bytes' to shared memory, else '.bulk_group'");
  bool signals = VALUE(in, COMPLETION) == COMPLETION_SIGNAL;
  if (signals != shared)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, HAS(in, COMPLETION)->span,
                       "a copy to %s memory does not take '%s'" HINT "%s", shared ? "shared" : "global",
                       HAS(in, COMPLETION)->text,
                       shared ? "write '.mbarrier::complete_tx::bytes'" : "write '.bulk_group'");
  async->has_object = signals;
  async->list = signals ? GROUP_NONE : GROUP_BULK;
  return true;
}

/* The types of reductions of shared memory, in bulk or by red.async (9.7.10.28.4.3, 9.7.15.7). */
static uint32_t shared_types(const struct isa_op *row) {
  uint32_t integers = 1u << PTX_U32 | 1u << PTX_S32;
  if (row->alu == ALU_ADD) return integers | 1u << PTX_U64;
  return row->alu == ALU_MIN || row->alu == ALU_MAX ? integers : row->types & (integers | 1u << PTX_B32);
}

/* The types of bulk reductions of global memory: those of red and, for .min and .max, also half-precision types. */
static uint32_t reduced_types(const struct isa_op *row) {
  uint32_t halves = 1u << PTX_F16 | 1u << PTX_BF16;
  return row->alu == ALU_MIN || row->alu == ALU_MAX ? row->types | halves : row->types;
}

/* Half-precision sums keep subnormal numbers and need .noftz; sums of .f32 do neither (9.7.10.28.4.3). */
static bool lower_reduced_float(struct lowering *l, struct lower_instr *in, enum ptx_type type) {
  bool sums = in->out->alu == ALU_ADD, half = isa_type_half(type);
  if (half && sums && !HAS(in, NOFTZ))
    return lower_missing(l, in, "'.noftz'", "sums of half-precision numbers keep subnormal ones");
  if (!half || !sums) {
    if (!lower_refuse_word(l, in, QUALIFIER_NOFTZ)) return false;
  }
  in->out->arith.flush = type == PTX_F32 && sums ? FLUSH_ALWAYS : FLUSH_NEVER;
  return true;
}

static bool lower_reduction(struct lowering *l, struct lower_instr *in) {
  enum ptx_type type;
  if (!HAS(in, REDUCE)) return lower_refuse_word(l, in, QUALIFIER_OP);
  if (!HAS(in, TYPE)) return lower_missing(l, in, "a type", "such as cp.reduce.async.bulk....add.u32");
  const struct isa_op *row = isa_op((enum ptx_op)VALUE(in, OP));
  in->out->async->reduces = true;
  in->out->alu = row->alu;
  uint32_t taken = is_shared(in) ? shared_types(row) : reduced_types(row);
  return lower_type(l, in, isa_type(PTX_U32), taken, 0, &type, &in->out->type) && lower_reduced_float(l, in, type);
}

/* A reduction through a tensor map has the map's element type, the type of the location that the map points to. */
static bool lower_tensor_reduction(struct lowering *l, struct lower_instr *in, struct type element) {
  const struct litmus_word *op = HAS(in, OP);
  if (!HAS(in, REDUCE)) return lower_refuse_word(l, in, QUALIFIER_OP);
  const struct isa_op *row = isa_op((enum ptx_op)VALUE(in, OP));
  bool bits = row->alu == ALU_AND || row->alu == ALU_OR || row->alu == ALU_XOR;
  if (bits) element.kind = TYPE_BITS;
  else if (element.kind == TYPE_BITS) element.kind = TYPE_UNSIGNED;
  enum ptx_type type = isa_type_fitting(element, reduced_types(row));
  if (type == PTX_TYPES)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, op->span,
                       "'%s' does not take the type of the map's location" HINT
                       "declare the location as an array of another type",
                       op->text);
  in->out->async->reduces = true;
  in->out->alu = row->alu;
  in->out->type = isa_type(type);
  in->out->arith.flush = type == PTX_F32 && row->alu == ALU_ADD ? FLUSH_ALWAYS : FLUSH_NEVER;
  return true;
}

/* Copies are weak unless they have a qualifier, reductions relaxed at system scope. */
static bool lower_strength(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *scope = HAS(in, SCOPE);
  bool reduces = HAS(in, REDUCE);
  in->out->sem = reduces ? SEM_RELAXED : SEM_WEAK;
  in->out->scope = reduces ? SCOPE_SYS : SCOPE_NONE;
  in->out->proxy = PROXY_ASYNC;
  if (!sem && !scope) return true;
  if (sem && !(in->row->sems >> VALUE(in, SEM) & 1)) return lower_refuse_word(l, in, QUALIFIER_SEM);
  bool weak = sem && VALUE(in, SEM) == SEM_WEAK;
  if (weak && !scope && !reduces) return true;
  if (!sem || !scope || weak)
    return lower_missing(l, in, "semantics with a scope, or neither", "such as '.relaxed.gpu'");
  in->out->sem = SEM_RELAXED;
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  return true;
}

/* A relaxed copy makes strong accesses of 16 bytes, and must have .b128 (PTX ISA 9.3). */
static bool lower_units(struct lowering *l, struct lower_instr *in) {
  if (HAS(in, REDUCE)) return true;
  bool strong = in->out->sem != SEM_WEAK, wide = IS(in, TYPE, PTX_B128);
  if (!wide || !strong) return lower_refuse_word(l, in, QUALIFIER_TYPE);
  in->out->type = isa_type(PTX_B128);
  in->out->async->whole = true;
  return true;
}

static bool check_bulk_size(struct lowering *l, const struct operand *bytes) {
  if (bytes->kind != OPERAND_IMM || (bytes->imm && bytes->imm % BULK_UNIT == 0)) return true;
  return wrong_size(l, bytes, "a bulk copy is of a multiple of 16 bytes");
}

/* Lowers a prefetch to a move without a destination, because it has no effect on memory. */
static bool lower_fetch(struct lowering *l, struct lower_instr *in, unsigned policy) {
  struct address address;
  *in->out = lower_alu(in, ALU_MOV, isa_type(PTX_U32));
  in->out->src[0] = lower_constant(0, in->ast->span);
  return lower_operand_count(l, in, 2 + policy, 2 + policy) &&
         lower_address(l, in, lower_operand_at(in, 0), &address, NULL);
}

/* .cta_group::2: the object may be in the other CTA of the destination's pair. */
static bool lower_pair(struct lowering *l, struct lower_instr *in) {
  in->out->async->paired = IS(in, PAIR, 2);
  if (!in->out->async->paired) return true;
  if (!in->out->async->has_object) return lower_refuse_word(l, in, QUALIFIER_PAIR);
  if (HAS(in, MULTICAST)) lower_unsupported(l, in, REASON_COPY_VARIANT);
  return true;
}

/* .cp_mask: copies, of each 16 bytes, the bytes whose bits are set. */
static bool lower_byte_mask(struct lowering *l, struct lower_instr *in, unsigned index) {
  struct async *async = in->out->async;
  struct operand *mask = &in->out->src[0];
  if (!lower_src(l, in, lower_operand_at(in, index), isa_type(PTX_B16), mask)) return false;
  bool known = mask->kind == OPERAND_IMM && async->bytes.kind == OPERAND_IMM;
  uint32_t bytes = known ? (uint32_t)async->bytes.imm : 0, count = 0;
  if (!known && !l->options->lenient) lower_unsupported(l, in, REASON_COPY_VARIANT);
  if (bytes > MOST_MASKED) lower_unsupported(l, in, REASON_ASYNC_ELEMENTS);
  if (!known || bytes > MOST_MASKED) return true;
  struct byte_run *runs = ARENA_ARRAY(l->arena, struct byte_run, bytes + 1);
  for (uint32_t k = 0; k < bytes; k++) {
    struct byte_run *last = count ? &runs[count - 1] : NULL;
    if (!(mask->imm >> k % BULK_UNIT & 1)) continue;
    if (last && last->at + last->bytes == k) last->bytes++;
    else runs[count++] = (struct byte_run){k, k, 1};
  }
  async->from_runs = async->to_runs = (struct byte_runs){runs, count};
  return true;
}

static bool lower_bulk(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_BULK);
  unsigned policy = HAS(in, CACHE_HINT) ? 1 : 0, operands = 3;
  if (HAS(in, FETCH)) return lower_fetch(l, in, policy);
  if (!check_way(l, in, COPY_BULK) || !lower_completion(l, in) || !lower_strength(l, in) || !lower_reduction(l, in) ||
      !lower_units(l, in))
    return false;
  if (async->has_object) operands++;
  bool many = HAS(in, MULTICAST);
  if (many && (!async->has_object || !(VALUE(in, SPACE) & SPACE_ANY_CTA)))
    return lower_refuse_word(l, in, QUALIFIER_MULTICAST);
  if (HAS(in, MASKED) && (async->has_object || async->reduces)) return lower_refuse_word(l, in, QUALIFIER_MASKED);
  operands += many + policy + (HAS(in, MASKED) ? 1 : 0);
  if (!lower_operand_count(l, in, operands, operands) || !lower_ends(l, in) || !lower_size(l, in, 2, &async->bytes) ||
      !check_bulk_size(l, &async->bytes))
    return false;
  if (HAS(in, MASKED) && !lower_byte_mask(l, in, operands - 1)) return false;
  if (async->has_object && !lower_mbarrier_address(l, in, lower_operand_at(in, 3), &async->object)) return false;
  return !many || lower_src(l, in, lower_operand_at(in, 4), isa_type(PTX_U32), &async->ctas);
}

static const struct litmus_operand *offsets_at(const struct lower_instr *in, unsigned index) {
  return box_offset_count(box_mode_of(in->ast), VALUE(in, DIMENSIONS)) ? lower_operand_at(in, index) : NULL;
}

/* A prefetch through a tensor map: [tm, {c}]. */
static bool lower_tensor_fetch(struct lowering *l, struct lower_instr *in) {
  struct mapped map = {.address = &in->out->async->from, .runs = &in->out->async->from_runs};
  unsigned operands = 1 + (HAS(in, CACHE_HINT) ? 1 : 0);
  const struct litmus_operand *offsets = offsets_at(in, 1);
  if (offsets) operands++;
  *in->out = lower_alu(in, ALU_MOV, isa_type(PTX_U32));
  in->out->src[0] = lower_constant(0, in->ast->span);
  return lower_operand_count(l, in, operands, operands) && lower_box_mode(l, in, offsets, BOX_LOADS) &&
         lower_tensor_address(l, in, 0, offsets, &map);
}

/* Through a tensor map, which determines the size: [dst], [tm, {c}], [bar] or [tm, {c}], [src]. */
static bool lower_tensor(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_BULK);
  bool policy = HAS(in, CACHE_HINT), many = HAS(in, MULTICAST);
  if (HAS(in, FETCH)) return lower_tensor_fetch(l, in);
  if (!check_way(l, in, COPY_TENSOR)) return false;
  if (!is_shared(in) && !(lower_refuse_word(l, in, QUALIFIER_PLAIN) && lower_refuse_word(l, in, QUALIFIER_PAIR)))
    return false;
  if (many && !(VALUE(in, SPACE) & SPACE_ANY_CTA)) return lower_refuse_word(l, in, QUALIFIER_MULTICAST);
  if (!lower_completion(l, in) || !lower_strength(l, in) || !lower_pair(l, in)) return false;
  if (HAS(in, REDUCE)) in->out->scope = SCOPE_GPU;
  unsigned operands = async->has_object ? 3 : 2;
  const struct litmus_operand *offsets = offsets_at(in, operands);
  if (offsets) operands++;
  if (!lower_box_mode(l, in, offsets, async->has_object ? BOX_LOADS : BOX_STORES) ||
      !lower_operand_count(l, in, operands + many + policy, operands + many + policy))
    return false;
  async->from_map = async->has_object;
  async->to_map = !async->has_object;
  struct mapped map = {.address = async->from_map ? &async->from : &async->to,
                       .runs = async->from_map ? &async->from_runs : &async->to_runs};
  bool right =
      async->from_map
          ? lower_end(l, in, QUALIFIER_SPACE, 0, &async->to) && lower_tensor_address(l, in, 1, offsets, &map) &&
                lower_mbarrier_address(l, in, lower_operand_at(in, 2), &async->object)
          : lower_tensor_address(l, in, 0, offsets, &map) && lower_end(l, in, QUALIFIER_SOURCE, 1, &async->from);
  async->bytes = lower_constant(map.bytes, in->ast->span);
  right = right && lower_tensor_reduction(l, in, map.element);
  return right && (!many || lower_src(l, in, lower_operand_at(in, operands), isa_type(PTX_U32), &async->ctas));
}

/* ---- Copies to a multimem address ---- */

/* multimem.cp.async.bulk and multimem.cp.reduce.async.bulk write to every replica (9.7.10.28.4.4, .5). */
bool lower_multimem_copy(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_BULK);
  if (!lower_completion(l, in) || !lower_strength(l, in) || !lower_reduction(l, in) || !lower_units(l, in) ||
      !lower_operand_count(l, in, 3, 3))
    return false;
  if (!HAS(in, SPACE) || !HAS(in, SOURCE) || is_shared(in))
    return lower_missing(l, in, "'.global.shared::cta'", "it copies from shared memory to a multimem address");
  if (!lower_end(l, in, QUALIFIER_SOURCE, 1, &async->from) || !lower_size(l, in, 2, &async->bytes) ||
      !check_bulk_size(l, &async->bytes))
    return false;
  if (async->bytes.kind != OPERAND_IMM) return lower_unsupported(l, in, REASON_ASYNC_SIZE);
  return lower_multimem_address(l, lower_operand_at(in, 0), (int64_t)async->bytes.imm, BULK_UNIT, &async->replicas,
                                &async->replica_count);
}

/* ---- Groups ---- */

static bool lower_group(struct lowering *l, struct lower_instr *in) {
  enum group_action action = (enum group_action)VALUE(in, GROUP);
  struct group *group = in->out->group = ARENA_NEW(l->arena, struct group);
  in->out->kind = INSTR_GROUP;
  *group = (struct group){.list = HAS(in, BULK) ? GROUP_BULK : GROUP_COPY,
                          .waits = action != GROUP_COMMIT,
                          .commits = action != GROUP_WAIT,
                          .reads_only = HAS(in, READ)};
  group->left = lower_constant(0, in->ast->span);
  unsigned count = action == GROUP_WAIT ? 1 : 0;
  return lower_operand_count(l, in, count, count) && (!count || lower_size(l, in, 0, &group->left));
}

/* ---- All of cp ---- */

bool lower_async(struct lowering *l, struct lower_instr *in) {
  if (HAS(in, GROUP)) return lower_group(l, in);
  if (HAS(in, OBJECT)) return lower_async_arrival(l, in);
  if (HAS(in, VARIANT)) return lower_unsupported(l, in, REASON_COPY_VARIANT);
  if (HAS(in, TENSOR)) return lower_tensor(l, in);
  return HAS(in, BULK) ? lower_bulk(l, in) : lower_copy(l, in);
}

/* ---- st.async, red.async ---- */

/* An operation that signals an mbarrier is on shared memory of the cluster, a weak store or a relaxed reduction; any
 * other operation releases at gpu or system scope, and is on global memory (9.7.10 "st.async", 9.7.15.7). */
static bool check_deferred(struct lowering *l, const struct lower_instr *in, bool signals, bool reduces) {
  bool sem = HAS(in, SEM), space = HAS(in, SPACE);
  unsigned at = VALUE(in, SPACE);
  if (!signals) {
    if (space && at != SPACE_GLOBAL) return lower_refuse_word(l, in, QUALIFIER_SPACE);
    if (HAS(in, SCOPE) && in->out->scope < SCOPE_GPU) return lower_refuse_word(l, in, QUALIFIER_SCOPE);
    return in->out->sem == SEM_RELEASE || lower_missing(l, in, "'.release' with a scope, or an mbarrier",
                                                        "such as '.mbarrier::complete_tx::bytes' and [bar]");
  }
  if (space && ((at & SPACE_MASK) != SPACE_SHARED || (reduces && !(at & SPACE_ANY_CTA))))
    return lower_refuse_word(l, in, QUALIFIER_SPACE);
  if (!reduces) return in->out->sem == SEM_WEAK || lower_refuse_word(l, in, QUALIFIER_SEM);
  bool relaxed = sem && in->out->sem == SEM_RELAXED && VALUE(in, SCOPE) == SCOPE_CLUSTER;
  return relaxed || lower_missing(l, in, "'.relaxed.cluster'", "such as red.async.relaxed.cluster.add");
}

/* The types of a store that signals: 32, 64 or (PTX ISA 9.2) 128 bits, at most 128 in all; reductions have their
 * own. */
static bool check_deferred_type(struct lowering *l, const struct lower_instr *in, bool signals, bool reduces) {
  const struct litmus_word *word = HAS(in, TYPE);
  unsigned width = in->out->type.width;
  if (!signals && !lower_refuse_word(l, in, QUALIFIER_VECTOR)) return false;
  if (!reduces && (!signals || (width >= 32 && width * in->out->elements <= 128))) return true;
  if (reduces) {
    const struct isa_op *row = isa_op((enum ptx_op)VALUE(in, OP));
    if (!signals && row->alu != ALU_ADD) return lower_refuse_word(l, in, QUALIFIER_OP);
    uint32_t taken = shared_types(row);
    if (!word || taken >> VALUE(in, TYPE) & 1) return true;
  }
  if (word) return lower_refuse_word(l, in, QUALIFIER_TYPE);
  return lower_missing(l, in, "a type of 32 or 64 bits", "such as '.u32'");
}

bool lower_async_store(struct lowering *l, struct lower_instr *in) {
  bool signals = HAS(in, COMPLETION), reduces = in->row->form == FORM_RED;
  struct lower_instr plain = *in;
  if (signals && VALUE(in, COMPLETION) != COMPLETION_SIGNAL) return lower_refuse_word(l, in, QUALIFIER_COMPLETION);
  if (signals && !lower_operand_count(l, in, 3, 3)) return false;
  if (signals) plain.count--;
  if (!lower_access(l, &plain)) return false;
  if (in->out->kind == INSTR_UNSUPPORTED) return true;
  if (!check_deferred(l, in, signals, reduces) || !check_deferred_type(l, in, signals, reduces)) return false;
  struct async *async = in->out->async = ARENA_NEW(l->arena, struct async);
  *async = (struct async){.action = ASYNC_STORE, .to = in->out->addr, .reduces = reduces, .has_object = signals};
  in->out->kind = INSTR_ASYNC;
  in->out->addr = (struct address){0};
  return !signals || lower_mbarrier_address(l, in, lower_operand_at(in, 2), &async->object);
}

/* ---- wgmma ---- */

/* `wgmma.mma_async.sync.aligned d, [a], [b]` represents a product of any shape: a thread of a test is its warpgroup. */
static bool lower_multiply(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_MMA);
  struct target a, b;
  async->list = GROUP_MMA;
  in->out->proxy = PROXY_ASYNC;
  if (!lower_operand_count(l, in, 3, 3) || !lower_shared_address(l, in, lower_operand_at(in, 1), &async->from, &a) ||
      !lower_shared_address(l, in, lower_operand_at(in, 2), &async->to, &b))
    return false;
  in->out->type = a.symbol ? a.symbol->type : b.symbol ? b.symbol->type : isa_type(PTX_U32);
  return lower_dst(l, in, lower_operand_at(in, 0), in->out->type, false, &in->out->dst[0]);
}

/* ---- wgmma as in PTX, with places instead of descriptors: [a, {leading, stride, swizzle, start % 1024}] ---- */

static bool read_layout(const struct litmus_operand *operand, struct matrix *out) {
  uint32_t *to[] = {&out->leading, &out->stride, &out->swizzle, &out->phase, &out->atom}, count = 0;
  out->atom = MATRIX_ATOM;
  for (const struct litmus_operand *item = operand->u.tensor.items; item; item = item->next, count++) {
    if (item->kind != LITMUS_NUMBER || item->u.number.negative || item->u.number.value >= 1 << 18) return false;
    if (count < ARRAY_LEN(to)) *to[count] = (uint32_t)item->u.number.value;
  }
  bool swizzle = out->swizzle == 0 || out->swizzle == 32 || out->swizzle == 64 || out->swizzle == 128;
  bool atom = out->atom == MATRIX_ATOM || (out->atom == MATRIX_WIDE_ATOM && out->swizzle == 128);
  return (count == 4 || count == 5) && swizzle && atom && out->phase < MATRIX_PHASE;
}

bool lower_layout(struct lowering *l, struct lower_instr *in, uint32_t index, struct matrix matrix, struct address *out,
                  struct byte_runs *runs) {
  const struct litmus_operand *operand = lower_operand_at(in, index);
  struct litmus_operand place = {.kind = LITMUS_BRACKET, .span = operand->span, .u.ref = operand->u.tensor.ref};
  if (!read_layout(operand, &matrix))
    return diag_refuse(
        l->diags, DIAG_WRONG_OPERAND, operand->span,
        "a matrix needs its leading offset, its stride, its swizzle, and its start within 1024 bytes" HINT
        "such as [a, {16, 1024, 128, 0}]");
  if (!lower_shared_address(l, in, &place, out, NULL)) return false;
  if (!matrix_runs(l->arena, &matrix, runs)) lower_unsupported(l, in, REASON_MATRIX_SHAPE);
  return true;
}

/* `_` in place of a matrix in memory: of a kernel, one whose reads are settled (docs/semantics.md K16). */
static bool is_left_out(const struct litmus_operand *operand) {
  return operand->kind == LITMUS_NAME && strcmp(operand->u.ref.name, "_") == 0;
}

static bool is_in_memory(const struct litmus_operand *operand) {
  return operand->kind == LITMUS_TENSOR || is_left_out(operand);
}

static bool lower_matrix(struct lowering *l, struct lower_instr *in, uint32_t index, struct address *out,
                         struct byte_runs *runs) {
  uint32_t flag;
  if (is_left_out(lower_operand_at(in, index))) return true;
  struct matrix matrix = matrix_of_warpgroup(in->ast, index, is_in_memory(lower_operand_at(in, 1)), &flag);
  const struct litmus_operand *transposed = flag < in->count ? lower_operand_at(in, flag) : NULL;
  matrix.transposed = transposed && transposed->kind == LITMUS_NUMBER && transposed->u.number.value;
  return lower_layout(l, in, index, matrix, out, runs);
}

bool lower_has_layouts(const struct lower_instr *in) {
  return in->count > 2 && lower_operand_at(in, 0)->kind == LITMUS_NAME && is_in_memory(lower_operand_at(in, 2));
}

/* A in registers: a vector, or one register that represents all. */
static bool lower_fragment(struct lowering *l, struct lower_instr *in, const struct litmus_operand *from,
                           struct async *async) {
  const struct litmus_operand *item = from->kind == LITMUS_VECTOR ? from->u.items : from;
  for (; item && async->fragments < MAX_VECTOR; item = from->kind == LITMUS_VECTOR ? item->next : NULL) {
    struct operand operand;
    if (!lower_src(l, in, item, isa_type(PTX_B32), &operand)) return false;
    if (operand.kind == OPERAND_REG) async->fragment[async->fragments++] = operand.reg;
  }
  return true;
}

bool lower_matrices(struct lowering *l, struct lower_instr *in) {
  struct async *async = begin(l, in, ASYNC_MMA);
  struct matrix_shape shape = {0};
  matrix_shape(in->ast, &shape);
  async->list = GROUP_MMA;
  async->shaped = true;
  in->out->proxy = PROXY_ASYNC;
  in->out->type = isa_type(PTX_B32);
  if (shape.m != 64 || !shape.n || shape.n % 8 || shape.n > 256)
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, in->ast->opcode.span, "'wgmma' has shapes m64n8 to m64n256");
  bool in_memory = is_in_memory(lower_operand_at(in, 1));
  return (in_memory ? lower_matrix(l, in, 1, &async->from, &async->from_runs)
                    : lower_fragment(l, in, lower_operand_at(in, 1), async)) &&
         lower_matrix(l, in, 2, &async->to, &async->to_runs) &&
         lower_dst(l, in, lower_operand_at(in, 0), in->out->type, false, &in->out->dst[0]);
}

bool lower_mma(struct lowering *l, struct lower_instr *in) {
  if (IS(in, MMA, MMA_MULTIPLY)) return lower_multiply(l, in);
  if (HAS(in, GROUP)) {
    if (!lower_group(l, in)) return false;
    in->out->group->list = GROUP_MMA;
    if (in->out->group->waits) {
      lower_start_barrier(l, in, BARRIER_PRODUCT, BARRIER_SYNC);
      in->out->kind = INSTR_GROUP;
    }
    return true;
  }
  in->out->kind = INSTR_GROUP;
  in->out->group = ARENA_NEW(l->arena, struct group);
  *in->out->group = (struct group){.list = GROUP_MMA, .fences = true};
  return lower_operand_count(l, in, 0, 0);
}

const struct async_row *async_row(enum async_action action) {
#define NUMBERS "the instruction takes numbers in a test, and matrices on a GPU"
  static const struct async_row rows[] = {
#define PTX_ASYNC(id, accesses, emit, refusal, tensor, collector) {refusal, tensor, ASYNC_##collector},
#include "ptx/async.def"
  };
  return &rows[action];
}
