/* Writes a thread as inline PTX.
 *
 * A register of the test is a register of 64 bits here (of 128 if an instruction needs that, or a predicate), and holds
 * the last value written, extended by the type of that write; each instruction converts its operands and results. ptxas
 * removes the conversions. */

#include "chip/emit.h"
#include "ptx/isa.h"

/* ---- words of instructions */

static const char *type_name(struct emit *e, struct type type) {
  static const char *const letters[] = {[TYPE_BITS] = "b",  [TYPE_UNSIGNED] = "u", [TYPE_SIGNED] = "s",
                                        [TYPE_FLOAT] = "f", [TYPE_BFLOAT] = "bf",  [TYPE_PRED] = "pred"};
  if (type.kind == TYPE_PRED) return "pred";
  return arena_printf(e->arena, "%s%u", letters[type.kind], type.width);
}

static const char *sem_name(enum sem sem) { return sem == SEM_WEAK ? "" : sem_word(sem); }

static const char *space_name(const struct emit *e) {
  if (e->instr->space == SPACE_GLOBAL) return ".global";
  if (e->instr->space != SPACE_SHARED) return "";
  return e->plan->remote ? ".shared::cluster" : ".shared::cta";
}

const char *emit_words(struct emit *e) {
  struct text words = {.arena = e->arena};
  LIST_EACH (word, e->instr->ast->qualifiers.first) text_add(&words, word->text);
  return text_str(&words);
}

/* Cache operators and hints of the test: the model ignores them, the device does not. */
static const char *hints(struct emit *e) {
  static const char *const known[] = {".ca", ".cg", ".cs", ".lu", ".cv", ".wb", ".wt"};
  struct text found = {.arena = e->arena};
  LIST_EACH (word, e->instr->ast->qualifiers.first) {
    bool is = ((base_begins(word->text, ".L1::") || base_begins(word->text, ".L2::")) &&
               strcmp(word->text, ".L2::cache_hint") != 0) ||
              SOME_BELOW(i, ARRAY_LEN(known), strcmp(word->text, known[i]) == 0);
    if (is) text_add(&found, word->text);
  }
  return text_str(&found);
}

static const char *access_words(struct emit *e) {
  const struct instr *in = e->instr;
  if (in->is_volatile) return arena_printf(e->arena, ".volatile%s", space_name(e));
  return arena_printf(e->arena, "%s%s%s%s", in->is_mmio ? ".mmio" : "", sem_name(in->sem), scope_word(in->scope),
                      space_name(e));
}

/* "{t1, t2}" */
static const char *list_of(struct emit *e, const char *const *names, uint32_t count) {
  struct text out = {.arena = e->arena};
  for (uint32_t i = 0; i < count; i++) text_printf(&out, "%s%s", i ? ", " : "", names[i]);
  return count == 1 ? names[0] : arena_printf(e->arena, "{%s}", text_str(&out));
}

static const char *vector_word(struct emit *e, uint32_t count) {
  return count == 1 ? "" : arena_printf(e->arena, ".v%u", count);
}

/* ---- instructions */

/* The number of registers of an access, and their width: two packed elements share one. */
static uint32_t register_count(const struct instr *in) { return in->packed ? in->elements / 2u : in->elements; }
static unsigned register_width(const struct instr *in) { return in->packed ? 2u * in->type.width : in->type.width; }

static const char *packed_name(struct emit *e) {
  const char *name = type_name(e, e->instr->type);
  return e->instr->packed ? arena_printf(e->arena, "%sx2", name) : name;
}

static const char *memory_type(struct emit *e) {
  const struct instr *in = e->instr;
  bool half = in->type.width == 16 && type_is_float(in->type);
  return in->packed || half ? arena_printf(e->arena, "b%u", register_width(in)) : type_name(e, in->type);
}

static void emit_load(struct emit *e) {
  const struct instr *in = e->instr;
  uint32_t count = register_count(in);
  unsigned width = register_width(in);
  const char *place = emit_where(e), *names[MAX_VECTOR] = {NULL};
  for (uint32_t i = 0; i < count; i++) names[i] = emit_temp(e, emit_bits(e, width));
  emit_line(e, "%sld%s%s%s.%s %s, %s;", e->guard, access_words(e), in->is_volatile ? "" : hints(e),
            vector_word(e, count), memory_type(e), list_of(e, names, count), place);
  for (uint32_t i = 0; i < count; i++)
    emit_write(e, in->dst[i], names[i], width, in->type.kind == TYPE_SIGNED && !in->packed);
}

static void emit_store(struct emit *e) {
  const struct instr *in = e->instr;
  uint32_t count = register_count(in);
  const char *place = emit_where(e), *names[MAX_VECTOR] = {NULL};
  for (uint32_t i = 0; i < count; i++) names[i] = emit_read(e, &in->src[i], register_width(in));
  emit_line(e, "%sst%s%s%s.%s %s, %s;", e->guard, access_words(e), in->is_volatile ? "" : hints(e),
            vector_word(e, count), memory_type(e), place, list_of(e, names, count));
}

/* PTX has no atomic sub, so the negated number is added. */
static const char *atomic_op(const struct instr *in) { return alu_row(in->alu == ALU_SUB ? ALU_ADD : in->alu)->word; }

/* The type of an atomic: .bN for any type of the test if the operation is not arithmetic. */
static const char *atomic_type(struct emit *e) {
  const struct instr *in = e->instr;
  bool bitwise =
      in->alu == ALU_EXCH || in->alu == ALU_CAS || in->alu == ALU_AND || in->alu == ALU_OR || in->alu == ALU_XOR;
  return bitwise ? arena_printf(e->arena, "b%u", register_width(in)) : packed_name(e);
}

static void emit_atomic(struct emit *e) {
  const struct instr *in = e->instr;
  uint32_t count = register_count(in);
  unsigned width = register_width(in);
  bool atom = in->kind == INSTR_ATOM, half = type_is_float(in->type) && in->type.width == 16;
  const char *place = emit_where(e), *olds[MAX_VECTOR], *values[MAX_VECTOR], *other = NULL;
  for (uint32_t i = 0; i < count; i++) values[i] = emit_read(e, &in->src[i], width);
  if (in->alu == ALU_CAS) other = emit_read(e, &in->src[1], width);
  for (uint32_t i = 0; i < count && in->alu == ALU_SUB; i++) {
    const char *negative = emit_temp(e, emit_bits(e, width));
    emit_line(e, "neg.s%u %s, %s;", width, negative, values[i]);
    values[i] = negative;
  }
  for (uint32_t i = 0; i < count && atom; i++) olds[i] = emit_temp(e, emit_bits(e, width));
  emit_line(e, "%s%s%s.%s%s%s.%s %s%s%s, %s%s%s;", e->guard, atom ? "atom" : "red", access_words(e), atomic_op(in),
            half ? ".noftz" : "", vector_word(e, count), atomic_type(e), atom ? list_of(e, olds, count) : "",
            atom ? ", " : "", place, list_of(e, values, count), other ? ", " : "", other ? other : "");
  for (uint32_t i = 0; i < count && atom; i++)
    emit_write(e, in->dst[i], olds[i], width, in->type.kind == TYPE_SIGNED && !in->packed);
}

static const char *compare_name(enum compare compare, enum unordered unordered) {
  static const char *const names[] = {"eq", "ne", "lt", "le", "gt", "ge"};
  static const char *const unordered_names[] = {"equ", "neu", "ltu", "leu", "gtu", "geu"};
  switch (unordered) {
    case UNORDERED_FALSE: return names[compare];
    case UNORDERED_TRUE: return unordered_names[compare];
    case UNORDERED_NUM: return "num";
    case UNORDERED_NAN: return "nan";
  }
  BUG("no such comparison: %d", (int)unordered);
}

/* The opcode with the qualifiers before the type. */
static const char *alu_name(struct emit *e) {
  const struct instr *in = e->instr;
  const struct alu_row *row = alu_row(in->alu);
  bool is_float = type_is_float(in->type);
  bool rounds = is_float && (in->alu == ALU_ADD || in->alu == ALU_SUB || in->alu == ALU_MUL_LO);
  const char *word = is_float && in->alu == ALU_MUL_LO ? "mul" : row->word;
  if (in->alu == ALU_SETP)
    word = arena_printf(e->arena, "setp.%s", compare_name(in->arith.compare, in->arith.unordered));
  return arena_printf(e->arena, "%s%s%s%s", word, rounds ? ".rn" : "", in->arith.flush == FLUSH_ALWAYS ? ".ftz" : "",
                      in->arith.nan ? ".NaN" : "");
}

static const char *alu_type(struct emit *e) {
  const struct instr *in = e->instr;
  bool bitwise = in->alu == ALU_MOV || in->alu == ALU_AND || in->alu == ALU_OR || in->alu == ALU_XOR ||
                 in->alu == ALU_NOT || in->alu == ALU_SHL || in->alu == ALU_SELP || in->alu == ALU_POPC;
  bool orders = in->alu == ALU_SETP && in->type.kind == TYPE_BITS && in->arith.compare > COMPARE_NE;
  if (in->packed) return packed_name(e);
  if (orders) return arena_printf(e->arena, "u%u", in->type.width); /* PTX compares untyped bits only for equality */
  return bitwise && in->type.kind != TYPE_PRED ? arena_printf(e->arena, "b%u", in->type.width) : type_name(e, in->type);
}

struct halves {
  const char *low, *high;
};

static struct halves split(struct emit *e, const struct operand *operand) {
  const char *whole = emit_read(e, operand, 128);
  struct halves to = {emit_temp(e, "b64"), emit_temp(e, "b64")};
  emit_line(e, "mov.b128 {%s, %s}, %s;", to.low, to.high, whole);
  return to;
}

/* `from` shifted by a distance, with the bits that cross over from `other`. PTX shifts by 64 or more give 0, also for a
 * negative distance, which is unsigned to PTX. */
static const char *shift_half(struct emit *e, const char *from, const char *other, const char *distance, bool left) {
  const char *kept = emit_temp(e, "b64"), *near = emit_temp(e, "b64"), *far = emit_temp(e, "b64");
  const char *rest = emit_temp(e, "b32"), *past = emit_temp(e, "b32"), *to = emit_temp(e, "b64");
  emit_line(e, "sub.u32 %s, 64, %s;", rest, distance);
  emit_line(e, "sub.u32 %s, %s, 64;", past, distance);
  emit_line(e, "%s.b64 %s, %s, %s;", left ? "shl" : "shr", kept, from, distance);
  emit_line(e, "%s.b64 %s, %s, %s;", left ? "shr" : "shl", near, other, rest);
  emit_line(e, "%s.b64 %s, %s, %s;", left ? "shl" : "shr", far, other, past);
  emit_line(e, "or.b64 %s, %s, %s;", to, kept, near);
  emit_line(e, "or.b64 %s, %s, %s;", to, to, far);
  return to;
}

/* mov.b128 with lists: 128 bits in two halves. */
static void emit_wide_alu(struct emit *e) {
  const struct instr *in = e->instr;
  bool shifts = in->alu == ALU_SHL || in->alu == ALU_SHR, one = in->alu == ALU_MOV || in->alu == ALU_NOT;
  struct halves a = split(e, &in->src[0]), to = {emit_temp(e, "b64"), emit_temp(e, "b64")};
  if (shifts) {
    const char *distance = emit_read(e, &in->src[1], 32), *plain = emit_temp(e, "b64");
    bool left = in->alu == ALU_SHL;
    emit_line(e, "%s.b64 %s, %s, %s;", left ? "shl" : "shr", plain, left ? a.low : a.high, distance);
    const char *mixed = shift_half(e, left ? a.high : a.low, left ? a.low : a.high, distance, left);
    to = left ? (struct halves){plain, mixed} : (struct halves){mixed, plain};
  } else {
    struct halves b = one ? (struct halves){"", ""} : split(e, &in->src[1]);
    const char *name = alu_row(in->alu)->word;
    emit_line(e, "%s.b64 %s, %s%s%s;", name, to.low, a.low, one ? "" : ", ", b.low);
    emit_line(e, "%s.b64 %s, %s%s%s;", name, to.high, a.high, one ? "" : ", ", b.high);
  }
  const char *whole = emit_temp(e, "b128");
  emit_line(e, "mov.b128 %s, {%s, %s};", whole, to.low, to.high);
  emit_write(e, in->dst[0], whole, 128, false);
}

static bool is_type(const char *word) {
  return strchr("busf", word[1]) && (word[2] == 'f' || (word[2] >= '0' && word[2] <= '9'));
}

/* The qualifiers of the test; types, which the test may omit, come last. A lop3 with a predicate is several
 * instructions, of which this is the first. */
static const char *arithmetic_words(struct emit *e) {
  struct text words = {.arena = e->arena}, types = {.arena = e->arena};
  if (e->instr->alu == ALU_LOP3) return ".b32";
  LIST_EACH (word, e->instr->ast->qualifiers.first) text_add(is_type(word->text) ? &types : &words, word->text);
  if (types.len) text_add(&words, text_str(&types));
  else text_printf(&words, ".%s", type_name(e, e->instr->type));
  return text_str(&words);
}

bool emit_has_words(const struct instr *in) { return alu_row(in->alu)->word && !in->arith.sat; }

static unsigned letter_width(const struct instr *in, char letter) {
  return letter == 't' && in->packed ? 2u * in->type.width : alu_letter_width(in, letter);
}

/* Writes an operation with its own words, or else with those of the test. */
static void emit_operation(struct emit *e) {
  const struct instr *in = e->instr;
  const struct alu_row *shape = alu_row(in->alu);
  struct text line = {.arena = e->arena};
  const unsigned width = letter_width(in, shape->result);
  const char *to = emit_temp(e, width == 1 ? "pred" : emit_bits(e, width));
  if (emit_has_words(in)) text_printf(&line, "%s.%s %s", alu_name(e), alu_type(e), to);
  else text_printf(&line, "%s%s %s", in->ast->opcode.text, arithmetic_words(e), to);
  for (unsigned i = 0; shape->operands[i]; i++) {
    bool plain = shape->operands[i] == 'n'; /* a number that PTX requires as an immediate */
    if (plain) text_printf(&line, ", %u", (unsigned)in->src[i].imm);
    else text_printf(&line, ", %s", emit_read(e, &in->src[i], letter_width(in, shape->operands[i])));
  }
  emit_line(e, "%s;", text_str(&line));
  emit_write(e, in->dst[0], to, width, in->type.kind == TYPE_SIGNED && !in->packed);
}

static void emit_alu(struct emit *e) {
  const struct instr *in = e->instr;
  if (in->alu == ALU_MAPA || in->alu == ALU_CTARANK || in->alu == ALU_ISSPACEP) emit_window(e);
  else if (emit_has_words(in) && in->type.width == 128) emit_wide_alu(e);
  else emit_operation(e);
}

void emit_step(struct emit *e, const char *label) {
  emit_line(e, "setp.eq.u32 stop, steps, 0;");
  emit_line(e, "@stop mov.b32 gave_up, 1;");
  emit_line(e, "@stop bra %s;", e->stop);
  emit_line(e, "sub.u32 steps, steps, 1;");
  emit_line(e, "bra %s;", label);
}

static void emit_branch(struct emit *e, uint32_t index) {
  uint32_t target = e->instr->target;
  if (target > index) {
    emit_line(e, "%sbra L%u;", e->guard, target);
    return;
  }
  const struct guard *guard = &e->instr->guard;
  uint32_t past = e->labels++;
  if (guard->present) emit_line(e, "@%sv%u bra N%u;", guard->negated ? "" : "!", guard->reg, past);
  emit_step(e, arena_printf(e->arena, "L%u", target));
  emit_line(e, "N%u:", past);
}

/* chip_plan refuses the kinds that have no function here. */
static void emit_instr(struct emit *e, uint32_t index) {
  const struct instr *in = e->instr;
  switch (in->kind) {
    case INSTR_ALU: emit_alu(e); return;
    case INSTR_LOAD:
    case INSTR_STORE:
      if (strcmp(in->ast->opcode.text, "tensormap") == 0) emit_replace(e);
      else if (in->proxy != PROXY_GENERIC) emit_image(e);
      else if (in->kind == INSTR_LOAD) emit_load(e);
      else emit_store(e);
      return;
    case INSTR_ATOM:
    case INSTR_RED: emit_atomic(e); return;
    case INSTR_NOTHING: return;
    case INSTR_FENCE: emit_line(e, "%sfence%s%s;", e->guard, sem_name(in->sem), scope_word(in->scope)); return;
    case INSTR_PROXY_FENCE: emit_proxy_fence(e); return;
    case INSTR_BRANCH: emit_branch(e, index); return;
    case INSTR_EXIT: emit_line(e, "%sbra END;", e->guard); return;
    case INSTR_TRAP: emit_line(e, "%strap;", e->guard); return;
    case INSTR_BARRIER: emit_barrier(e); return;
    case INSTR_MBARRIER: emit_mbarrier(e); return;
    case INSTR_ASYNC: emit_async(e); return;
    case INSTR_GROUP: emit_group(e); return;
    case INSTR_GRID_LAUNCH: emit_line(e, "%sgriddepcontrol.launch_dependents;", e->guard); return;
    case INSTR_GRID_WAIT: emit_line(e, "%sgriddepcontrol.wait;", e->guard); return;
    case INSTR_HOST_LAUNCH:
    case INSTR_HOST_SYNC:
    case INSTR_MULTIMEM:
    case INSTR_UNSUPPORTED: break;
  }
  BUG("an instruction of kind %d reached the program for a GPU", (int)in->kind);
}

/* ---- a thread */

static void note_width(struct emit *e, uint32_t reg, unsigned width) {
  if (reg != NO_REG && width > 64) e->wide[reg] = true;
}

static void find_wide(struct emit *e) {
  e->wide = ARENA_ARRAY(e->arena, bool, e->thread->reg_count);
  for (uint32_t r = 0; r < e->thread->reg_count; r++) note_width(e, r, e->thread->regs[r].type.width);
  ARRAY_EACH (in, e->thread->instrs, e->thread->instr_count)
    for (unsigned k = 0; k < MAX_VECTOR && in->kind != INSTR_BRANCH && in->kind != INSTR_EXIT; k++) {
      if (in->src[k].kind == OPERAND_REG) note_width(e, in->src[k].reg, in->type.width);
      if (k < in->elements && in->kind != INSTR_STORE && in->kind != INSTR_RED && in->kind != INSTR_FENCE)
        note_width(e, in->dst[k], in->type.width);
    }
}

static void declare_registers(struct emit *e) {
  emit_line(e, ".reg .b32 steps, gave_up;");
  emit_line(e, ".reg .pred stop, lead;");
  if (e->plan->lanes) emit_lanes_begin(e);
  emit_line(e, "mov.b32 steps, %%%u;", e->outputs);
  emit_line(e, "mov.b32 gave_up, 0;");
  for (uint32_t r = 0; r < e->thread->reg_count; r++) {
    const struct reg *reg = &e->thread->regs[r];
    const char *type = emit_is_pred(e, r) ? "pred" : e->wide[r] ? "b128" : "b64";
    unsigned width = emit_is_pred(e, r) ? 1 : e->wide[r] ? 128 : 64;
    emit_line(e, ".reg .%s v%u;", type, r);
    const char *value = emit_constant(e, reg->has_init ? reg->init : 0, width);
    emit_line(e, "mov.%s v%u, %s;", type, r, value);
  }
}

static void emit_code(struct emit *e) {
  bool *labelled = ARENA_ARRAY(e->arena, bool, e->thread->instr_count + 1);
  for (uint32_t i = 0; i < e->thread->instr_count; i++)
    if (e->thread->instrs[i].kind == INSTR_BRANCH) labelled[e->thread->instrs[i].target] = true;
  for (uint32_t i = 0; i < e->thread->instr_count; i++) {
    e->instr = &e->thread->instrs[i];
    const struct guard *guard = &e->instr->guard;
    e->guard = guard->present ? arena_printf(e->arena, "@%sv%u ", guard->negated ? "!" : "", guard->reg) : "";
    if (labelled[i]) emit_line(e, "L%u:", i);
    struct text words = {.arena = e->arena};
    instr_print(e->instr, &words);
    text_add(&e->body, "          ");
    chip_comment(text_str(&words), &e->body);
    if (e->plan->lanes) emit_by_lanes(e, emit_instr, i);
    else emit_instr(e, i);
  }
  if (labelled[e->thread->instr_count]) emit_line(e, "L%u:", e->thread->instr_count);
  emit_line(e, "END:");
  if (e->plan->lanes) emit_lanes_end(e);
  emit_drain(e);
}

static bool is_result(const struct emit *e, uint32_t observed) {
  const struct observable *o = &e->program->observables[observed];
  return o->is_reg && o->thread == e->thread_index;
}

/* Stores the final values of the observed registers, the operands from 0 on. */
static void emit_results(struct emit *e) {
  uint32_t output = 0;
  for (uint32_t i = 0; i < e->program->observed_count; i++) {
    const struct observable *o = &e->program->observables[i];
    if (!is_result(e, i)) continue;
    if (o->type.width > 64) {
      emit_line(e, "mov.b128 {%%%u, %%%u}, v%u;", output, output + 1, o->reg);
      output += 2;
    } else {
      emit_line(e, "mov.b64 %%%u, %s;", output++, emit_read_reg(e, o->reg, 64));
    }
  }
  emit_line(e, "mov.b32 %%%u, gave_up;", output);
}

/* Ends the asm statement, and uses its results. */
static void close_statement(struct emit *e, struct text *out) {
  text_add(out, "          \"}\"\n          : ");
  for (uint32_t i = 0; i + 1 < e->outputs; i++) text_printf(out, "\"=l\"(o%u), ", i);
  text_add(out, "\"=r\"(gave_up)\n          : \"r\"(m.l->steps)");
  for (uint32_t i = 1; i < e->inputs.len; i++) text_printf(out, ", \"l\"(%s)", e->inputs.data[i]);
  text_add(out, "\n          : \"memory\");\n");
  uint32_t output = 0;
  if (e->plan->lanes) text_printf(out, "        if (threadIdx.x %% %u == 0) {\n", e->plan->lanes);
  for (uint32_t i = 0; i < e->program->observed_count; i++) {
    if (!is_result(e, i)) continue;
    for (uint32_t half = 0; half < (e->program->observables[i].type.width > 64 ? 2u : 1u); half++)
      text_printf(out, "        m.result(%u, o%u);\n", e->plan->results[i] + half, output++);
  }
  text_printf(out, "        m.gave_up(gave_up);\n%s", e->plan->lanes ? "        }\n" : "");
  if (e->issues) text_add(out, "        wait_clocks(landing_clocks);\n");
}

void chip_thread(struct arena *arena, const struct program *program, const struct chip_plan *plan, uint32_t thread,
                 struct text *out) {
  struct emit e = {.arena = arena,
                   .program = program,
                   .plan = plan,
                   .thread = &program->threads[thread],
                   .thread_index = thread,
                   .guard = "",
                   .stop = "END",
                   .outputs = 1};
  text_init(&e.body, arena);
  if (program->cuda || e.thread->host) {
    emit_cpp(&e);
    text_add(out, text_str(&e.body));
    return;
  }
  for (uint32_t i = 0; i < program->observed_count; i++)
    if (is_result(&e, i)) e.outputs += program->observables[i].type.width > 64 ? 2 : 1;
  VEC_PUSH(arena, &e.inputs, "m.l->steps");
  find_wide(&e);
  declare_registers(&e);
  emit_code(&e);
  emit_results(&e);
  for (uint32_t i = 0; i + 1 < e.outputs; i++) text_printf(out, "        uint64_t o%u;\n", i);
  text_add(out, "        uint32_t gave_up;\n        asm volatile(\n          \"{\\n\"\n");
  text_add(out, text_str(&e.body));
  close_statement(&e, out);
}
