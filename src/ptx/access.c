#include "ptx/lowering.h"

static bool is_write(enum isa_form form) { return form != FORM_LOAD; }
static bool is_atomic(enum isa_form form) { return form == FORM_ATOM || form == FORM_RED; }

/* Semantics and scope (9.7.10.8, 9.7.10.11, 9.7.15.5, 9.7.15.6) */

/* Dat3M's red.acq_rel, which only releases: the read of a red does not acquire (8.11.1). */
static bool is_dat3m_red(const struct lowering *l, const struct lower_instr *in) {
  return l->options->dat3m_barriers && in->row->form == FORM_RED && VALUE(in, SEM) == SEM_ACQ_REL;
}

static bool check_sem(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, SEM);
  if (!word || is_dat3m_red(l, in) || in->ast->cuda || in->row->sems >> VALUE(in, SEM) & 1) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SEMANTICS, word->span, "'%s' cannot be '%s'" HINT "it takes %s",
                     in->row->opcode, word->text, isa_sem_words(l->arena, in->row->sems));
}

static bool missing_scope(struct lowering *l, const struct lower_instr *in, const char *what) {
  const struct litmus_word *word = HAS(in, SEM);
  return diag_refuse(l->diags, DIAG_MISSING_SCOPE, word ? word->span : in->ast->opcode.span,
                     "%s needs a scope" HINT "add %s", what, isa_class_words(l->arena, QUALIFIER_SCOPE));
}

static bool mmio_sem(struct lowering *l, struct lower_instr *in) {
  in->out->sem = (enum sem)VALUE(in, SEM);
  in->out->scope = (enum scope)VALUE(in, SCOPE);
  in->out->is_mmio = true;
  return in->out->scope == SCOPE_SYS || HAS(in, ASYNC) ||
         diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, HAS(in, SCOPE)->span, "an mmio access is at system scope");
}

static bool plain_sem(struct lowering *l, struct lower_instr *in) {
  const struct litmus_word *sem = HAS(in, SEM), *scope = HAS(in, SCOPE);
  bool atomic = is_atomic(in->row->form);
  in->out->sem = sem ? (enum sem)VALUE(in, SEM) : atomic ? SEM_RELAXED : SEM_WEAK;
  in->out->scope = scope ? (enum scope)VALUE(in, SCOPE) : atomic ? SCOPE_GPU : SCOPE_NONE;
  if (sem && is_dat3m_red(l, in)) in->out->sem = SEM_RELEASE;
  if (in->out->sem == SEM_WEAK && scope)
    return diag_refuse(l->diags, DIAG_WEAK_WITH_SCOPE, scope->span,
                       sem ? "a weak access has no scope" HINT "leave out '%s', or write '.relaxed' in place of '.weak'"
                           : "a weak access has no scope" HINT
                             "without semantics the access is weak; write '.relaxed%s' for a strong one",
                       scope->text);
  if (in->out->sem != SEM_WEAK && in->out->scope == SCOPE_NONE)
    return missing_scope(l, in, arena_printf(l->arena, "'%s'", sem->text));
  return true;
}

/* Eviction priorities of the second level are for accesses of 256 bits. */
static bool check_level(struct lowering *l, const struct lower_instr *in) {
  const struct litmus_word *word = HAS(in, L2_EVICT);
  if (!word || type_bytes(in->out->type) * in->out->elements == 32) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span,
                     "only accesses of 256 bits take '%s'" HINT "'.v8' of 32 bits, or '.v4' of 64", word->text);
}

static bool lower_sem(struct lowering *l, struct lower_instr *in) {
  if (!check_sem(l, in)) return false;
  if (HAS(in, MMIO)) return mmio_sem(l, in);
  if (!HAS(in, VOLATILE)) return plain_sem(l, in);
  in->out->sem = SEM_RELAXED;
  in->out->scope = SCOPE_SYS;
  return in->out->is_volatile = true;
}

/* Addresses */

static bool bad_address(struct lowering *l, struct span span, const char *why) {
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, span, "%s", why);
}

static bool register_address(struct lowering *l, const struct lower_instr *in, const struct litmus_ref *ref, bool known,
                             struct address *address) {
  if (ref->owner != LITMUS_OWNER_NONE || ref->has_index)
    return bad_address(l, ref->span, "a register address is written [r1] or [r1+4]");
  if (!known)
    return diag_refuse(l->diags, DIAG_UNKNOWN_LOCATION, ref->span,
                       "'%s' is neither a declared location nor a register that holds an address" HINT
                       "a register gets the address of x by mov, or by %u:%s=x in the init block",
                       ref->name, l->program->threads[in->thread].number, ref->name);
  address->base = (struct operand){.kind = OPERAND_REG, .span = ref->span};
  address->base.reg = lower_reg(l, in->thread, ref->name, ref->span);
  address->offset = ref->offset;
  lower_read_reg(l, in->thread, address->base.reg);
  return true;
}

bool lower_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                   struct address *address, struct target *target) {
  struct target found = {.operand = operand};
  if (target) *target = found;
  if (operand->kind == LITMUS_ABSOLUTE || operand->kind == LITMUS_NUMBER)
    return bad_address(l, operand->span, "an address is a location or a register, not a number");
  if (operand->kind != LITMUS_NAME && operand->kind != LITMUS_BRACKET)
    return bad_address(l, operand->span, "expected an address such as [x], [x+4] or [r1]");
  const struct litmus_ref *ref = &operand->u.ref;
  if (ref->percent || !lower_find_symbol(l, ref->name)) {
    bool known = lower_find_reg(l, in->thread, ref->name) != NO_REG;
    if (known || lower_looks_like_reg(ref)) return register_address(l, in, ref, known, address);
  }
  found.symbol = lower_symbol(l, ref->name, ref->span);
  if (!found.symbol || !lower_view(l, found.symbol, ref, in->thread, &found.view)) return false;
  *address = (struct address){lower_constant(l->views.data[found.view].vaddr, operand->span),
                              lower_ref_offset(found.symbol, ref)};
  if (target) *target = found;
  return true;
}

bool lower_shared_address(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand,
                          struct address *address, struct target *target) {
  struct target found;
  if (!lower_address(l, in, operand, address, &found)) return false;
  if (target) *target = found;
  if (!found.symbol || found.symbol->space == SPACE_SHARED) return true;
  return diag_beside(
      diag_report(l->diags, DIAG_WRONG_SPACE, operand->span, "'%s' is not in shared memory", found.symbol->name),
      found.symbol->span, "declared here");
}

/* Only a proxy's own instructions may access its aliases; any instruction may access a location or a generic alias. */
static bool check_proxy(struct lowering *l, const struct lower_instr *in, const struct target *target) {
  static const enum proxy kinds[] = {
#define PTX_PROXY(id, word, load, store, set, meaning) PROXY_##id,
#include "ptx/words.def"
  };
  const struct litmus_entry *entry = target->symbol ? target->symbol->entry : NULL;
  for (size_t i = 0; entry && entry->alias_kind && i < ARRAY_LEN(kinds); i++) {
    const char *kind = proxy_word(kinds[i]), *load = proxy_load(kinds[i]), *store = proxy_store(kinds[i]);
    if (strcmp(entry->alias_kind->text, kind) != 0 || in->out->proxy == kinds[i]) continue;
    struct diagnostic *d =
        diag_report(l->diags, DIAG_WRONG_PROXY, target->operand->span, "'%s' is a %s: '%s' does not reach it",
                    target->symbol->name, kind, in->row->opcode);
    diag_beside(d, target->symbol->span, "declared here");
    if (load) diag_hint(l->diags, d, store ? "%s and %s reach it" : "%s reaches it", load, store);
    return false;
  }
  return true;
}

/* Strong accesses are only to global or shared memory, mmio accesses only to global memory. */
static uint32_t allowed_spaces(const struct lower_instr *in) {
  uint32_t global = 1u << SPACE_GLOBAL, shared = 1u << SPACE_SHARED, local = 1u << SPACE_LOCAL;
  if (in->out->is_mmio) return global;
  if (in->out->is_volatile) return global | shared | local;
  if (in->out->sem != SEM_WEAK) return global | shared;
  return in->row->spaces;
}

static bool wrong_space(struct lowering *l, const struct lower_instr *in, const struct litmus_word *word,
                        enum space space) {
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, word ? word->span : in->ast->span,
                     "this '%s' cannot go to '%s' memory", in->row->opcode, word ? word->text : space_word(space));
}

static bool check_store_to_const(struct lowering *l, const struct lower_instr *in, const struct target *target) {
  bool const_space = HAS(in, SPACE) && (VALUE(in, SPACE) & SPACE_MASK) == SPACE_CONST;
  bool const_symbol = target->symbol && target->symbol->space == SPACE_CONST;
  if (!is_write(in->row->form) || (!const_space && !const_symbol)) return true;
  struct diagnostic *d =
      diag_report(l->diags, DIAG_STORE_TO_CONST, const_symbol ? target->operand->span : HAS(in, SPACE)->span,
                  "'%s' cannot write to '.const' memory", in->row->opcode);
  return const_symbol && diag_beside(d, target->symbol->span, "declared here");
}

static bool check_space(struct lowering *l, struct lower_instr *in, const struct target *target) {
  const struct litmus_word *word = HAS(in, SPACE);
  unsigned value = VALUE(in, SPACE);
  enum space declared = target->symbol ? target->symbol->space : SPACE_GENERIC;
  enum space space = word ? (enum space)(value & SPACE_MASK) : declared;
  if (!check_store_to_const(l, in, target)) return false;
  if (is_write(in->row->form) && value & SPACE_ENTRY) return wrong_space(l, in, word, space);
  in->out->space = word ? space : SPACE_GENERIC;
  if (word && target->symbol && space != declared)
    return diag_beside(diag_report(l->diags, DIAG_WRONG_SPACE, word->span, "'%s' is in '%s' memory",
                                   target->symbol->name, space_word(declared)),
                       target->symbol->span, "declared here");
  bool proxied = in->out->proxy != PROXY_GENERIC && declared != SPACE_GENERIC && !word;
  if (space != SPACE_GENERIC && !proxied && !(allowed_spaces(in) >> space & 1)) return wrong_space(l, in, word, space);
  if (space == SPACE_SHARED && word && in->out->scope > SCOPE_CLUSTER) in->out->scope = SCOPE_CLUSTER; /* 8.3, G27 */
  if (!target->symbol || space != SPACE_SHARED || !word || value & SPACE_ANY_CTA) return true;
  uint32_t owner = l->objects.data[l->views.data[target->view].object].owner;
  if (owner == l->program->threads[in->thread].cta_id) return true;
  return diag_refuse(l->diags, DIAG_OTHER_CTA, target->operand->span,
                     "'%s' reaches only the thread's own CTA" HINT "write '.shared::cluster'", word->text);
}

/* Checks that the access is inside the location, at a multiple of the size of the whole access (6.4.1). */
static bool check_extent(struct lowering *l, const struct lower_instr *in, const struct target *target) {
  if (!target->symbol) return true;
  const struct object *object = &l->objects.data[l->views.data[target->view].object];
  uint32_t size = type_bytes(in->out->type) * in->out->elements;
  int64_t offset = in->out->addr.offset;
  if (offset < 0 || offset + size > (int64_t)object->size)
    return diag_beside(diag_report(l->diags, DIAG_OUT_OF_BOUNDS, target->operand->span,
                                   "an access of %u byte%s at offset %lld is outside '%s', which has %u bytes", size,
                                   size == 1 ? "" : "s", (long long)offset, target->symbol->name, object->size),
                       target->symbol->span, "declared here");
  if (offset % size == 0) return true;
  return diag_refuse(l->diags, DIAG_MISALIGNED, target->operand->span,
                     "an access of %u bytes must be at a multiple of %u, not at offset %lld", size, size,
                     (long long)offset);
}

/* Types and vectors */

static struct type default_type(const struct lowering *l, const struct lower_instr *in, const struct target *target,
                                const struct litmus_operand *source) {
  if (target->symbol) return target->symbol->type;
  if (source && source->kind == LITMUS_VECTOR) source = source->u.items;
  uint32_t reg = source && source->kind == LITMUS_NAME ? lower_find_reg(l, in->thread, source->u.ref.name) : NO_REG;
  bool wide = reg != NO_REG && l->threads[in->thread].regs.data[reg].type.width == 64;
  return isa_type(wide ? PTX_U64 : PTX_U32);
}

/* Atomics have only the vectors of the table in 9.7.15.5, and only on global memory. */
static bool check_atomic_vector(struct lowering *l, struct lower_instr *in, const struct target *target) {
  const struct litmus_word *word = HAS(in, VECTOR), *space = HAS(in, SPACE);
  in->out->elements = (uint8_t)((word ? VALUE(in, VECTOR) : 1) * (in->out->packed ? 2 : 1));
  bool shared = space ? in->out->space == SPACE_SHARED : target->symbol && target->symbol->space == SPACE_SHARED;
  if (!word || !shared) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, word->span, "vectors of '%s' go to global memory only",
                     in->row->opcode);
}

static bool check_vector(struct lowering *l, struct lower_instr *in, const struct target *target) {
  const struct litmus_word *word = HAS(in, VECTOR);
  if (is_atomic(in->row->form)) return check_atomic_vector(l, in, target);
  in->out->elements = word ? (uint8_t)VALUE(in, VECTOR) : 1;
  unsigned width = in->out->type.width, elements = in->out->elements;
  if (!check_level(l, in)) return false;
  if (!word) return true;
  bool uniform = strcmp(in->row->opcode, "ldu") == 0;
  bool fits = elements == 8 ? width == 32 && !uniform : width <= (uniform ? 128 / elements : 64);
  if (!fits || elements > MAX_VECTOR) /* .b1024 is for tensor maps */
    return diag_refuse(l->diags, DIAG_WRONG_TYPE, word->span,
                       "'%s' does not take elements of %u bits" HINT
                       "'.v2' and '.v4' take 8 to 64 bits, '.v8' takes 32",
                       word->text, width);
  enum space space = HAS(in, SPACE) ? in->out->space : target->symbol ? target->symbol->space : SPACE_GENERIC;
  if (width * elements <= 128 || space == SPACE_GENERIC || space == SPACE_GLOBAL) return true;
  return diag_refuse(l->diags, DIAG_WRONG_SPACE, word->span, "accesses of 256 bits go to global memory only");
}

/* The number of operands of a list: one per element, or per pair of packed elements. */
static unsigned list_length(const struct lower_instr *in) {
  return in->out->packed ? in->out->elements / 2u : in->out->elements;
}

/* Checks that the operand is a list if and only if the instruction has a vector, and checks its length. */
static bool check_list(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand) {
  unsigned wanted = list_length(in);
  if (operand->kind != LITMUS_VECTOR) {
    if (!HAS(in, VECTOR)) return true;
    return diag_refuse(l->diags, DIAG_WRONG_OPERAND, operand->span,
                       "'%s' needs a list of %u operands" HINT "for example: {r0,r1}", HAS(in, VECTOR)->text, wanted);
  }
  unsigned count = LIST_LENGTH(operand->u.items);
  if (HAS(in, VECTOR) ? count == wanted : count == 1) return true;
  struct diagnostic *d = diag_report(l->diags, DIAG_OPERAND_COUNT, operand->span, "the list has %u operand%s, not %u",
                                     count, count == 1 ? "" : "s", wanted);
  if (!HAS(in, VECTOR)) diag_hint(l->diags, d, "mark a vector access with '.v2', '.v4' or '.v8'");
  return false;
}

static const struct litmus_operand *first_element(const struct litmus_operand *operand) {
  return operand->kind == LITMUS_VECTOR ? operand->u.items : operand;
}

static struct type register_type(const struct lower_instr *in) {
  struct type type = in->out->type;
  return in->out->packed ? (struct type){TYPE_BITS, (uint8_t)(2 * type.width)} : type;
}

bool lower_results(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  if (!check_list(l, in, operand)) return false;
  const struct litmus_operand *item = first_element(operand);
  for (unsigned i = 0; i < list_length(in); i++, item = operand->kind == LITMUS_VECTOR ? item->next : NULL)
    if (!lower_dst(l, in, item, register_type(in), true, &in->out->dst[i])) return false;
  return true;
}

bool lower_values(struct lowering *l, struct lower_instr *in, const struct litmus_operand *operand) {
  if (!check_list(l, in, operand)) return false;
  const struct litmus_operand *item = first_element(operand);
  for (unsigned i = 0; i < list_length(in); i++, item = operand->kind == LITMUS_VECTOR ? item->next : NULL)
    if (!lower_src(l, in, item, register_type(in), &in->out->src[i])) return false;
  return true;
}

/* With .L2::cache_hint there is one more operand, `policy`, which the model ignores. */
static bool count_operands(struct lowering *l, const struct lower_instr *in, unsigned least, unsigned most) {
  unsigned policy = HAS(in, CACHE_HINT) ? 1 : 0;
  return lower_operand_count(l, in, least + policy, most + policy);
}

static bool lower_suffix(struct lowering *l, const struct lower_instr *in, const struct litmus_operand *operand) {
  LIST_EACH (word, operand->suffix.first) {
    if (in->row->form == FORM_LOAD && strcmp(word->text, ".unified") == 0) continue;
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "an address does not take '%s' here",
                       word->text);
  }
  return true;
}

void lower_lanes(struct lower_instr *in, enum ptx_type type) {
  in->out->packed = type < PTX_TYPES && isa_type_packed(type);
  if (in->out->packed) in->out->type = isa_type_element(type);
}

static bool lower_target(struct lowering *l, struct lower_instr *in, const struct litmus_operand *address,
                         const struct litmus_operand *source, uint32_t types, enum ptx_type *type,
                         struct target *target) {
  if (!lower_address(l, in, address, &in->out->addr, target) || !lower_suffix(l, in, address) ||
      !check_proxy(l, in, target) || !check_space(l, in, target) ||
      !lower_type(l, in, default_type(l, in, target, source), types, 0, type, &in->out->type))
    return false;
  lower_lanes(in, *type);
  return check_vector(l, in, target) && check_extent(l, in, target);
}

static bool lower_load(struct lowering *l, struct lower_instr *in) {
  enum ptx_type type;
  struct target target;
  in->out->kind = INSTR_LOAD;
  const struct litmus_word *read_only = HAS(in, READ_ONLY);
  if (read_only && strcmp(read_only->text, ".nc") != 0) lower_unsupported(l, in, REASON_READ_ONLY_LOAD);
  if (read_only && strcmp(read_only->text, ".nc") == 0) {
    in->out->proxy = PROXY_TEXTURE; /* 8.1, G82 */
    if (!HAS(in, SPACE) || VALUE(in, SPACE) != SPACE_GLOBAL)
      return diag_refuse(l->diags, DIAG_WRONG_SPACE, read_only->span,
                         "'.nc' reads global memory only" HINT "write ld.global.nc");
  }
  if (!count_operands(l, in, 2, 2)) return false;
  if (!lower_target(l, in, lower_operand_at(in, 1), NULL, in->row->types, &type, &target)) return false;
  if (in->out->space == SPACE_CONST) in->out->proxy = PROXY_CONSTANT; /* G83 */
  return lower_results(l, in, lower_operand_at(in, 0));
}

static bool lower_store(struct lowering *l, struct lower_instr *in) {
  enum ptx_type type;
  struct target target;
  in->out->kind = INSTR_STORE;
  if (!count_operands(l, in, 2, 2)) return false;
  const struct litmus_operand *value = lower_operand_at(in, 1);
  return lower_target(l, in, lower_operand_at(in, 0), value, in->row->types, &type, &target) &&
         lower_values(l, in, value);
}

/* `atom.inc d, [x]`, as PTX ISA 9.4, 8.10.3 prints it, has no operand b: the largest value counts without wrapping. */
static bool default_bound(struct lowering *l, struct lower_instr *in) {
  in->out->src[0] =
      (struct operand){.kind = OPERAND_IMM, .imm = value_mask(in->out->type.width), .span = in->ast->span};
  diag_report(l->diags, DIAG_MISSING_OPERAND, in->ast->span, "'%s.inc' has no bound: taken as the largest value",
              in->row->opcode);
  return true;
}

static bool lower_rmw_sources(struct lowering *l, struct lower_instr *in, const struct isa_op *op, unsigned first) {
  if (op->sources == 1 && lower_operand_at(in, first)) return lower_values(l, in, lower_operand_at(in, first));
  for (unsigned i = 0; i < op->sources; i++) {
    const struct litmus_operand *source = lower_operand_at(in, first + i);
    if (!source) return default_bound(l, in);
    if (!lower_src(l, in, source, in->out->type, &in->out->src[i])) return false;
  }
  return true;
}

/* .noftz keeps subnormal numbers: required on half-precision types, allowed on add.f32 (v9.4). */
static bool lower_noftz(struct lowering *l, struct lower_instr *in, enum ptx_type type, const struct target *target) {
  const struct litmus_word *noftz = HAS(in, NOFTZ);
  bool half = type < PTX_TYPES && isa_type_half(type), single = type == PTX_F32 && in->out->alu == ALU_ADD;
  if (half && !noftz)
    return diag_refuse(l->diags, DIAG_MISSING_QUALIFIER, HAS(in, OP)->span,
                       "'%s%s' of '%s' needs '.noftz'" HINT "write %s%s.noftz%s", in->row->opcode, HAS(in, OP)->text,
                       isa_type_spelling(type), in->row->opcode, HAS(in, OP)->text, isa_type_spelling(type));
  if (noftz && !half && !single)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, noftz->span, "'%s%s' does not take '.noftz' with '%s'",
                       in->row->opcode, HAS(in, OP)->text, type < PTX_TYPES ? isa_type_spelling(type) : "it");
  if (!single || noftz) return true;
  enum space space = in->out->space != SPACE_GENERIC ? in->out->space
                     : target->symbol                ? target->symbol->space
                                                     : SPACE_GENERIC;
  in->out->arith.flush = space == SPACE_GLOBAL ? FLUSH_ALWAYS : space == SPACE_SHARED ? FLUSH_NEVER : FLUSH_IN_GLOBAL;
  return true;
}

/* The types that the operation takes, for vectors the types in vectors. */
static bool atomic_types(struct lowering *l, const struct lower_instr *in, const struct isa_op *op, uint32_t *types) {
  const struct litmus_word *vector = HAS(in, VECTOR);
  *types = vector ? op->vector_types & isa_vector_types(VALUE(in, VECTOR)) : op->types;
  if (*types) return true;
  return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, vector->span,
                     "'%s%s' does not take '%s'" HINT "'.add', '.min' and '.max' take vectors, of floating-point types",
                     in->row->opcode, HAS(in, OP)->text, vector->text);
}

static bool lower_rmw(struct lowering *l, struct lower_instr *in) {
  bool red = in->row->form == FORM_RED;
  const struct litmus_word *word = HAS(in, OP);
  enum ptx_type type;
  uint32_t types;
  struct target target;
  in->out->kind = red ? INSTR_RED : INSTR_ATOM;
  const struct isa_op *op = isa_op((enum ptx_op)VALUE(in, OP));
  if (op->alu == ALU_SUB && !l->options->dat3m_barriers && !in->ast->cuda)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span,
                       "PTX has no '%s.sub'" HINT "write .add of the negative value; --dialect=dat3m takes .sub",
                       in->row->opcode);
  if (red && !op->in_red)
    return diag_refuse(l->diags, DIAG_QUALIFIER_NOT_TAKEN, word->span, "'red' does not take '%s'", word->text);
  in->out->alu = op->alu;
  unsigned first = red ? 1 : 2, most = first + op->sources, least = op->alu == ALU_INC ? first : most;
  if (!count_operands(l, in, least, most)) return false;
  if (!atomic_types(l, in, op, &types) ||
      !lower_target(l, in, lower_operand_at(in, first - 1), lower_operand_at(in, first), types, &type, &target) ||
      !lower_noftz(l, in, type, &target))
    return false;
  return lower_rmw_sources(l, in, op, first) && (red || lower_results(l, in, lower_operand_at(in, 0)));
}

bool lower_access(struct lowering *l, struct lower_instr *in) {
  in->out->proxy = (enum proxy)in->row->detail;
  if (in->out->kind == INSTR_UNSUPPORTED) return true;
  if (in->row->form == FORM_LOAD || in->row->form == FORM_STORE || is_atomic(in->row->form)) {
    if (!lower_sem(l, in)) return false;
  }
  if (in->row->form == FORM_LOAD) return lower_load(l, in);
  return in->row->form == FORM_STORE ? lower_store(l, in) : lower_rmw(l, in);
}
