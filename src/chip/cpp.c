/* Writes a thread of a test in CUDA C++ as C++, with libcu++'s cuda::atomic_ref for atomics, so that the GPU runs the
 * compiler's code for them; and a thread of the host, with the instructions of its rows in litmus/host.def.
 *
 * A register of the test is a variable of 64 bits; the type of the last write determines the extension, as in ptx.c. */

#include "chip/emit.h"

static const char *type_of(struct emit *e, struct type type) {
  return arena_printf(e->arena, "%sint%u_t", type.kind == TYPE_SIGNED ? "" : "u", type.width);
}

static const char *order_name(enum sem sem) {
  switch (sem) {
    case SEM_RELAXED: return "cuda::memory_order_relaxed";
    case SEM_ACQUIRE: return "cuda::memory_order_acquire";
    case SEM_RELEASE: return "cuda::memory_order_release";
    case SEM_ACQ_REL: return "cuda::memory_order_acq_rel";
    case SEM_SC: return "cuda::memory_order_seq_cst";
    case SEM_WEAK: break;
  }
  BUG("no memory order: %d", (int)sem);
}

static void add_line(struct emit *e, const char *format, ...) PRINTF_LIKE(2, 3);

static void add_line(struct emit *e, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_printf(&e->body, "        %s\n", arena_printf_list(e->arena, format, arguments));
  va_end(arguments);
}

/* An operand as a value of a type. */
static const char *value_of(struct emit *e, const struct operand *operand, struct type type) {
  const char *name = type_of(e, type);
  if (operand->kind == OPERAND_REG) return arena_printf(e->arena, "(%s)v%u", name, operand->reg);
  unsigned long long bits =
      (unsigned long long)(operand->kind == OPERAND_IMM ? operand->imm & value_mask(type.width) : 0);
  return arena_printf(e->arena, "(%s)0x%llxu", name, bits);
}

/* "v3 = " for a result that the test uses. */
static const char *result_to(struct emit *e) {
  return e->instr->dst[0] == NO_REG ? "" : arena_printf(e->arena, "v%u = ", e->instr->dst[0]);
}

/* ---- accesses */

static const char *plain_object(struct emit *e) {
  const char *type = type_of(e, e->instr->type);
  return arena_printf(e->arena, "*(%s *)(%s)", type, emit_expression(e, &e->instr->addr));
}

static const char *atomic_object(struct emit *e) {
  const char *type = type_of(e, e->instr->type), *scope = scope_of_cuda(e->instr->scope);
  return arena_printf(e->arena, "cuda::atomic_ref<%s, cuda::thread_scope_%s>(%s)", type, scope, plain_object(e));
}

static const char *method_name(struct emit *e) {
  return e->instr->alu == ALU_EXCH ? "exchange" : arena_printf(e->arena, "fetch_%s", alu_row(e->instr->alu)->word);
}

static void add_update(struct emit *e) {
  const struct instr *in = e->instr;
  const char *order = order_name(in->sem), *first = value_of(e, &in->src[0], in->type), *object = atomic_object(e);
  if (in->alu != ALU_CAS) {
    add_line(e, "%s%s.%s(%s, %s);", result_to(e), object, method_name(e), first, order);
    return;
  }
  add_line(e, "{");
  add_line(e, "  %s found = %s;", type_of(e, in->type), first);
  add_line(e, "  %s.compare_exchange_strong(found, %s, %s);", object, value_of(e, &in->src[1], in->type), order);
  if (in->dst[0] != NO_REG) add_line(e, "  v%u = found;", in->dst[0]);
  add_line(e, "}");
}

static void add_access(struct emit *e) {
  const struct instr *in = e->instr;
  bool plain = in->sem == SEM_WEAK, load = in->kind == INSTR_LOAD;
  const char *order = plain ? "" : order_name(in->sem), *object = plain ? plain_object(e) : atomic_object(e);
  const char *value = load ? "" : value_of(e, &in->src[0], in->type);
  if (load && plain) add_line(e, "%s%s;", result_to(e), object);
  else if (load) add_line(e, "%s%s.load(%s);", result_to(e), object, order);
  else if (plain) add_line(e, "%s = %s;", object, value);
  else add_line(e, "%s.store(%s, %s);", object, value, order);
}

/* ---- hosts */

static const char *host_order(const struct instr *in) {
  bool acquires = in->marks & (HOST_A | HOST_Q), releases = in->marks & HOST_L;
  if (in->kind == INSTR_LOAD && in->marks & HOST_A) return "__ATOMIC_SEQ_CST"; /* ldar; acquire may be ldapr */
  return acquires && releases ? "__ATOMIC_ACQ_REL"
         : acquires           ? "__ATOMIC_ACQUIRE"
         : releases           ? "__ATOMIC_RELEASE"
                              : "__ATOMIC_RELAXED";
}

static void add_host_access(struct emit *e) {
  const struct instr *in = e->instr;
  const char *verb = in->kind == INSTR_LOAD ? "load" : in->kind == INSTR_STORE ? "store" : alu_row(in->alu)->word;
  const char *values = "";
  unsigned count = in->kind == INSTR_LOAD ? 0 : in->kind != INSTR_STORE && in->alu == ALU_CAS ? 2 : 1;
  for (unsigned i = 0; i < count; i++)
    values = arena_printf(e->arena, "%s, %s", values, value_of(e, &in->src[i], in->type));
  add_line(e, "%shost_%s<%s, %s>(%s%s);", in->kind == INSTR_STORE ? "" : result_to(e), verb, type_of(e, in->type),
           host_order(in), emit_expression(e, &in->addr), values);
}

/* The full fence before an update is the update's own lock prefix. */
static void add_host_fence(struct emit *e) {
  const struct instr *in = e->instr, *next = in + 1;
  bool last = next == e->thread->instrs + e->thread->instr_count;
  if (!last && next->ast == in->ast && (next->kind == INSTR_ATOM || next->kind == INSTR_RED)) return;
  add_line(e, "host_fence<%s>();", in->sem == SEM_SC        ? "fence_full"
                                   : in->sem == SEM_ACQUIRE ? "fence_loads"
                                                            : "fence_stores");
}

/* ---- other instructions */

static void add_arithmetic(struct emit *e) {
  static const char *const compares[] = {"==", "!=", "<", "<=", ">", ">="};
  const struct instr *in = e->instr;
  const char *type = type_of(e, in->type), *a = value_of(e, &in->src[0], in->type);
  if (in->alu == ALU_MOV) {
    add_line(e, "%s%s;", result_to(e), a);
    return;
  }
  const char *b = value_of(e, &in->src[1], in->type), *op = in->alu == ALU_ADD   ? "+"
                                                            : in->alu == ALU_SUB ? "-"
                                                            : in->alu == ALU_AND ? "&"
                                                                                 : compares[in->arith.compare];
  if (in->alu == ALU_SETP) add_line(e, "%s%s %s %s;", result_to(e), a, op, b);
  else add_line(e, "%s(%s)((uint64_t)%s %s (uint64_t)%s);", result_to(e), type, a, op, b);
}

static const char *guarded(struct emit *e) {
  const struct guard *guard = &e->instr->guard;
  if (!guard->present) return "";
  return arena_printf(e->arena, "if (%sv%u) ", guard->negated ? "!" : "", guard->reg);
}

/* A backward jump uses up a step. */
static void add_jump(struct emit *e, uint32_t index) {
  uint32_t target = e->instr->target;
  if (target > index) {
    add_line(e, "%sgoto T%u_%u;", guarded(e), e->thread_index, target);
    return;
  }
  add_line(e, "%s{", guarded(e));
  add_line(e, "  if (steps-- > 0) goto T%u_%u;", e->thread_index, target);
  add_line(e, "  gave_up = 1;");
  add_line(e, "  goto T%u_%u;", e->thread_index, e->thread->instr_count);
  add_line(e, "}");
}

static void add_barrier(struct emit *e) {
  static const char *const reductions[] = {[REDUCE_POPC] = "_count", [REDUCE_AND] = "_and", [REDUCE_OR] = "_or"};
  const struct barrier *b = e->instr->barrier;
  REQUIRE(b->kind == BARRIER_CTA && b->action != BARRIER_ARRIVE);
  if (b->action == BARRIER_SYNC) add_line(e, "__syncthreads();");
  else
    add_line(e, "%s__syncthreads%s(%s%s);", result_to(e), reductions[b->reduction], b->negated ? "!" : "",
             value_of(e, &b->predicate, (struct type){TYPE_UNSIGNED, 32}));
}

static void add_fence(struct emit *e) {
  add_line(e, "cuda::atomic_thread_fence(%s, cuda::thread_scope_%s);", order_name(e->instr->sem),
           scope_of_cuda(e->instr->scope));
}

static void add_instr(struct emit *e, uint32_t index) {
  bool host = e->thread->host != HOST_NONE;
  REQUIRE(e->instr->kind == INSTR_BRANCH || !e->instr->guard.present);
  switch (e->instr->kind) {
    case INSTR_ALU: add_arithmetic(e); return;
    case INSTR_LOAD:
    case INSTR_STORE: host ? add_host_access(e) : add_access(e); return;
    case INSTR_ATOM:
    case INSTR_RED: host ? add_host_access(e) : add_update(e); return;
    case INSTR_FENCE: host ? add_host_fence(e) : add_fence(e); return;
    case INSTR_BARRIER: add_barrier(e); return;
    case INSTR_BRANCH: add_jump(e, index); return;
    case INSTR_NOTHING: return;
    case INSTR_PROXY_FENCE:
    case INSTR_EXIT:
    case INSTR_TRAP:
    case INSTR_MBARRIER:
    case INSTR_ASYNC:
    case INSTR_GRID_LAUNCH:
    case INSTR_GRID_WAIT:
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC:
    case INSTR_GROUP:
    case INSTR_MULTIMEM:
    case INSTR_UNSUPPORTED: break; /* chip/plan.c refuses it */
  }
  BUG("an instruction of kind %d reached the C++ of a program for a GPU", (int)e->instr->kind);
}

/* ---- a thread */

static void add_code(struct emit *e) {
  const struct thread *thread = e->thread;
  bool *labelled = ARENA_ARRAY(e->arena, bool, thread->instr_count + 1), back = false;
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    if (thread->instrs[i].kind != INSTR_BRANCH) continue;
    labelled[thread->instrs[i].target] = true;
    back |= thread->instrs[i].target <= i;
  }
  labelled[thread->instr_count] |= back;
  if (back) add_line(e, "uint32_t steps = m.l->steps, gave_up = 0;");
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    struct text words = {.arena = e->arena};
    e->instr = &thread->instrs[i];
    if (labelled[i]) add_line(e, "T%u_%u:;", e->thread_index, i);
    instr_print(e->instr, &words);
    text_add(&e->body, "        ");
    chip_comment(text_str(&words), &e->body);
    add_instr(e, i);
  }
  if (labelled[thread->instr_count]) add_line(e, "T%u_%u:;", e->thread_index, thread->instr_count);
  if (back) add_line(e, "m.gave_up(gave_up);");
}

void emit_cpp(struct emit *e) {
  for (uint32_t r = 0; r < e->thread->reg_count; r++) {
    const struct reg *reg = &e->thread->regs[r];
    add_line(e, "[[maybe_unused]] uint64_t v%u = 0x%llx;", r, (unsigned long long)(reg->has_init ? reg->init : 0));
  }
  add_code(e);
  for (uint32_t i = 0; i < e->program->observed_count; i++) {
    const struct observable *o = &e->program->observables[i];
    if (o->is_reg && o->thread == e->thread_index) add_line(e, "m.result(%u, v%u);", e->plan->results[i], o->reg);
  }
}
