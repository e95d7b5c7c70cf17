#include "ptx/lowering.h"

/* Instructions that are not modelled still mention registers, so that later uses are not reported. */
struct mention_lists {
  struct lowering *l;
  uint32_t thread;
  VEC(uint32_t) of[NAMED_PARTS];
};

/* A result is a register with any name. */
static void mention(struct mention_lists *m, const struct litmus_operand *operand, enum named_part part) {
  bool items = operand->kind == LITMUS_VECTOR || operand->kind == LITMUS_PAIR || operand->kind == LITMUS_LIST;
  bool tensor = operand->kind == LITMUS_TENSOR, name = operand->kind == LITMUS_NAME;
  const struct litmus_operand *item = items ? operand->u.items : tensor ? operand->u.tensor.items : NULL;
  if (tensor || operand->kind == LITMUS_BRACKET) part = NAMED_PLACE;
  for (; item; item = item->next) mention(m, item, part);
  for (item = operand->more; item; item = item->next) mention(m, item, part);
  if (!tensor && !name && operand->kind != LITMUS_BRACKET && operand->kind != LITMUS_NEGATED) return;
  const struct litmus_ref *ref = tensor ? &operand->u.tensor.ref : &operand->u.ref;
  bool result = part == NAMED_RESULT && name && ref->owner == LITMUS_OWNER_NONE;
  if (!(result || lower_looks_like_reg(ref)) || (!ref->percent && lower_find_symbol(m->l, ref->name))) return;
  uint32_t reg = lower_reg(m->l, m->thread, ref->name, operand->span);
  m->l->threads[m->thread].states.data[reg].written = true;
  VEC_PUSH(m->l->arena, &m->of[part], reg);
}

static struct named_regs *mention_all(struct lowering *l, uint32_t thread, const struct litmus_instr *ast) {
  struct mention_lists m = {.l = l, .thread = thread};
  VEC(uint32_t) all = {0};
  struct named_regs *named = ARENA_NEW(l->arena, struct named_regs);
  LIST_EACH (o, ast->operands) mention(&m, o, o == ast->operands ? NAMED_RESULT : NAMED_VALUE);
  for (uint32_t part = 0; part < NAMED_PARTS; part++) {
    VEC_VALUES (reg, &m.of[part]) VEC_PUSH(l->arena, &all, reg);
    named->begin[part + 1] = all.len;
  }
  named->regs = all.data;
  return named;
}

/* An instruction without effect is dropped. */
bool lower_nothing(struct lowering *l, struct lower_instr *in) {
  mention_all(l, in->thread, in->ast);
  in->out->kind = INSTR_NOTHING;
  if (aligned_is_mark(in->ast) && in->ast->guard) lower_guard(l, in);
  return true;
}

/* Dat3M writes `ld r0, 1` for a move of a constant. */
static bool is_move(const struct lowering *l, const struct lower_instr *in) {
  if (!l->options->dat3m_barriers || in->row->form != FORM_LOAD || in->count != 2) return false;
  return !SOME_BELOW(i, QUALIFIER_CLASSES, in->q.found[i] && i != QUALIFIER_TYPE) &&
         lower_operand_at(in, 1)->kind == LITMUS_NUMBER;
}

bool lower_load_or_move(struct lowering *l, struct lower_instr *in) {
  return is_move(l, in) ? lower_arith(l, in) : lower_access(l, in);
}

bool lower_store_or_async(struct lowering *l, struct lower_instr *in) {
  return HAS(in, ASYNC) ? lower_async_store(l, in) : lower_access(l, in);
}

bool lower_trap(struct lowering *l, struct lower_instr *in) {
  in->out->kind = INSTR_TRAP;
  return lower_operand_count(l, in, 0, 0);
}

static const struct {
  bool (*lower)(struct lowering *, struct lower_instr *);
  bool pure;
} forms[] = {
#define PTX_FORM(id, lower, pure) {lower, pure},
#include "ptx/isa.def"
};

/* An unmodelled pure instruction (PTX_FORM) only computes. */
static void note_pure(struct lower_instr *in) {
  const struct named_regs *named = in->out->named;
  uint32_t results = named->begin[NAMED_PLACE], values = named->begin[NAMED_VALUE];
  in->out->pure = !HAS(in, CARRY) && in->row->form != FORM_ROWS && results <= MAX_VECTOR;
  for (uint32_t i = 0; i < MAX_VECTOR; i++) {
    bool reads = values + i < named->begin[NAMED_PARTS];
    in->out->dst[i] = i < results ? named->regs[i] : (uint32_t)NO_REG;
    in->out->src[i] = reads ? lower_register(named->regs[values + i], in->ast->span) : (struct operand){0};
  }
}

/* An instruction that must not be executed is a trap for another reason. */
static bool refused(struct lowering *l, struct lower_instr *in, const struct reason *why) {
  if (why->kind == REASON_UNDEFINED) {
    in->out->kind = INSTR_TRAP;
    in->out->unsupported = why;
    if (in->ast->guard) lower_guard(l, in);
    return true;
  }
  lower_unsupported_with(in, why);
  in->out->named = mention_all(l, in->thread, in->ast);
  if (in->ast->guard) lower_guard(l, in);
  return true;
}

static bool unsupported(struct lowering *l, struct lower_instr *in, enum reason_id why) {
  refused(l, in, reason_get(why));
  bool reads = in->row->form == FORM_TEXTURE && lower_of_module(l, in->ast->span);
  if (forms[in->row->form].pure || reads || in->row->form == FORM_ROWS) note_pure(in);
  return true;
}

bool lower_later(struct lowering *l, struct lower_instr *in) { return unsupported(l, in, in->row->later); }

static bool unknown_opcode(struct lowering *l, const struct litmus_instr *ast) {
  struct diagnostic *d =
      diag_report(l->diags, DIAG_UNKNOWN_OPCODE, ast->opcode.span, "'%s' is not a PTX instruction", ast->opcode.text);
  const char *nearest = l->diags->list.len < DIAG_LIMIT ? isa_nearest(ast->opcode.text) : NULL;
  if (nearest) diag_hint(l->diags, d, "did you mean '%s'?", nearest);
  else if (ast->call || (ast->qualifiers.first && ast->operands && ast->operands->kind == LITMUS_LIST))
    diag_hint(l->diags, d, "a test in CUDA C++ begins with CUDA in place of PTX");
  return false;
}

static bool returns_nothing(struct lowering *l, const struct lower_instr *in) {
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, in->ast->operands->span,
                     "'%s' does not return a value to assign" HINT
                     "__syncthreads_count, __syncthreads_and and __syncthreads_or do; an instruction of PTX takes "
                     "its result register as the first operand",
                     in->row->opcode);
}

/* True for surface accesses with coordinates, PTX's own form, such as suld.b.1d.b32.trap. */
static bool has_coordinates(const struct lower_instr *in) {
  bool surface = in->row->form == FORM_LOAD || in->row->form == FORM_STORE;
  LIST_EACH (o, in->ast->operands)
    if (o->kind == LITMUS_TENSOR || (o->kind == LITMUS_BRACKET && o->more)) return surface;
  return false;
}

/* True for PTX's own products, wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16; a test's form has no shape. */
static bool has_shape(const struct lower_instr *in) {
  struct matrix_shape shape;
  return in->row->form == FORM_MMA && matrix_shape(in->ast, &shape);
}

static bool lower_instr(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out) {
  struct lower_instr in = {
      .thread = thread, .ast = ast, .out = out, .row = isa_find(ast->opcode.text), .count = LIST_LENGTH(ast->operands)};
  bool host = l->program->threads[thread].host != HOST_NONE;
  if (host && (!in.row || ast->call)) return lower_host_call(l, thread, ast, out);
  if (!in.row) return unknown_opcode(l, ast);
  in.pure = forms[in.row->form].pure;
  if (ast->assigns && in.row->form != FORM_SYNCTHREADS_REDUCE) return returns_nothing(l, &in);
  if (ast->refused) return refused(l, &in, ast->refused);
  if (in.row->form == FORM_NOTHING) return lower_nothing(l, &in);
  bool rows = lower_has_rows(&in), shape = has_shape(&in);
  if (in.row->later && !isa_has_form(l->diags, ast)) return false;
  if (in.row->later && !rows) return lower_later(l, &in);
  if (has_coordinates(&in)) return unsupported(l, &in, REASON_SURFACE_COORDINATES);
  if (shape && !lower_has_layouts(&in)) return unsupported(l, &in, REASON_MATRIX_SHAPE);
  if (!shape && !rows && !isa_qualify(l->diags, in.row, ast, &in.q)) return false;
  if (in.q.found[QUALIFIER_BULK] && in.row->form == FORM_STORE) return unsupported(l, &in, REASON_ASYNC_ACCESS);
  if (!(shape ? lower_matrices : forms[in.row->form].lower)(l, &in)) return false;
  if (ast->guard) lower_guard(l, &in);
  if (!out->unsupported) return !host || lower_host(l, thread, ast, out);
  out->kind = INSTR_UNSUPPORTED;
  out->named = mention_all(l, thread, ast);
  if (in.pure) note_pure(&in);
  return true;
}

/* Lowers one instruction of a module, which an assembler has accepted: a form of arithmetic that PTX has and ptxlit
 * does not know, such as one with a newer type, is an opaque value (K3). Other errors are reported. */
static bool lower_opaquely(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out) {
  struct lower_instr in = {.thread = thread, .ast = ast, .out = out, .row = isa_find(ast->opcode.text)};
  uint32_t emitted = l->threads[thread].code.len;
  struct diags *diags = l->diags, own;
  diags_init(&own, l->arena);
  l->diags = &own;
  bool right = lower_instr(l, thread, ast, out);
  l->diags = diags;
  bool carries = litmus_has_word(&ast->qualifiers, ".cc");
  bool pure = in.row && forms[in.row->form].pure && !in.row->later && ast->operands && !carries;
  if (right || !pure) {
    diags_add(diags, &own);
    return right;
  }
  l->threads[thread].code.len = emitted;
  *out = lower_blank(INSTR_ALU, ast);
  return unsupported(l, &in, REASON_ARITHMETIC);
}

/* A kernel's columns were asked before, where they need no marks (kernel/together.c); so were columns with a block's
 * size, which convert prints. */
static enum aligned aligned_in(const struct thread *thread, const struct instr *in) {
  bool barrier =
      in->kind == INSTR_BARRIER && in->barrier->kind != BARRIER_LANES && in->barrier->kind != BARRIER_PRODUCT;
  if (aligned_is_mark(in->ast)) return aligned_of(in->ast);
  if (in->kind == INSTR_NOTHING || thread->of_kernel || thread->special.ntid != NOT_PLACED) return ALIGNED_NOT;
  if (barrier) return in->barrier->aligned ? ALIGNED_BARRIER : ALIGNED_NOT;
  return aligned_of(in->ast);
}

/* The reason why results of an instruction may be any (K3). For `safe` alone: that a condition holds for some of them
 * does not mean that it can. */
static const struct reason *opaque_in(const struct lowering *l, const struct instr *in) {
  if (l->test->quantifier != LITMUS_SAFE || l->test->condition) return NULL;
  bool computes = in->kind == INSTR_UNSUPPORTED && in->pure && !litmus_has_word(&in->ast->qualifiers, ".sync");
  return computes ? in->unsupported : in->ast->opaque;
}

/* Rows and columns */

static void check_row(struct lowering *l, const struct litmus_row *row) {
  uint32_t threads = l->program->thread_count;
  if (row->count == threads) return;
  diag_report(l->diags, DIAG_RAGGED_ROW, row->span,
              "this row has %u cell%s; the test has %u thread%s" HINT "separate cells by '|'; a cell may be empty",
              row->count, row->count == 1 ? "" : "s", threads, threads == 1 ? "" : "s");
}

/* Checks the shape of the rows and collects labels. */
static bool survey(struct lowering *l) {
  uint32_t before = l->diags->errors;
  LIST_EACH (row, l->test->rows) {
    check_row(l, row);
    uint32_t t = 0;
    for (const struct litmus_cell *cell = row->cells; cell && t < l->program->thread_count; cell = cell->next, t++)
      LIST_EACH (label, cell->labels) lower_add_label(l, t, label);
  }
  return l->diags->errors == before;
}

/* A test with this many errors is not read further. */
enum { ERROR_LIMIT = 1000 };

static void lower_rows(struct lowering *l) {
  uint32_t before = l->diags->errors;
  for (const struct litmus_row *row = l->test->rows; row && l->diags->errors < before + ERROR_LIMIT; row = row->next) {
    uint32_t t = 0;
    for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next, t++) {
      LIST_EACH (label, cell->labels) lower_place_label(l, t, label);
      if (!cell->instr) continue;
      struct instr out = lower_blank(INSTR_ALU, cell->instr);
      bool of_module = lower_of_module(l, cell->instr->span);
      if (!(of_module ? lower_opaquely : lower_instr)(l, t, cell->instr, &out)) {
        struct named_regs *named = mention_all(l, t, cell->instr);
        if (!l->options->lenient) continue;
        out = lower_blank(INSTR_UNSUPPORTED, cell->instr);
        out.named = named;
        if (cell->instr->guard) lower_guard(l, &(struct lower_instr){.thread = t, .ast = cell->instr, .out = &out});
      }
      out.ast = cell->instr;
      out.opaque = opaque_in(l, &out);
      if (out.kind == INSTR_UNSUPPORTED) out.tiled = matrix_tiled(out.ast);
      out.aligned = aligned_in(&l->program->threads[t], &out);
      out.ordinal = aligned_ordinal(l->threads[t].code.data, l->threads[t].code.len, &out);
      if (out.kind != INSTR_NOTHING || out.aligned) VEC_PUSH(l->arena, &l->threads[t].code, out);
    }
  }
}

static bool has_other_ctas(const struct program *program, const struct thread *thread) {
  return SOME_BELOW(t, program->thread_count,
                    program->threads[t].cluster_id == thread->cluster_id &&
                        program->threads[t].cta_id != thread->cta_id);
}

/* A thread without instructions also ends, which may matter to other CTAs of its cluster (K9). */
static void end_empty_threads(struct lowering *l) {
  ARRAY_EACH (thread, l->program->threads, l->program->thread_count) {
    if (thread->instr_count || !has_other_ctas(l->program, thread)) continue;
    struct litmus_instr *end = ARENA_MAKE(l->arena, struct litmus_instr, .span = thread->span);
    end->opcode = (struct litmus_word){.text = intern(l->names, "exit"), .span = thread->span};
    struct instr *instr = thread->instrs = ARENA_NEW(l->arena, struct instr);
    *instr = lower_blank(INSTR_NOTHING, end);
    thread->instr_count = 1;
  }
}

static void finish(struct lowering *l) {
  struct program *program = l->program;
  program->objects = l->objects.data;
  program->object_count = l->objects.len;
  program->views = l->views.data;
  program->view_count = l->views.len;
}

struct program *lower(struct arena *arena, struct intern *names, struct diags *diags, const struct litmus_test *test,
                      const struct lower_options *options) {
  struct lowering l = {.arena = arena, .names = names, .diags = diags, .test = test, .options = options};
  uint32_t before = l.errors_before = diags->errors;
  struct program *program = l.program = ARENA_NEW(arena, struct program);
  program->cuda = test->cuda;
  program->name = test->name;
  program->source = test->source;
  program->span = test->name_span;
  program->test = test;
  if (!lower_placement(&l)) return NULL;
  bool declared = lower_declarations(&l);
  if (!survey(&l) || !declared) return NULL;
  lower_rows(&l);
  lower_control(&l);
  lower_host_launches(&l);
  lower_finish_regs(&l);
  l.stating = true;
  if (!lower_conditions(&l)) return NULL;
  if (!options->lenient && technique_on(options->without, TECHNIQUE_NEEDED)) lower_drop_pauses(&l);
  end_empty_threads(&l);
  finish(&l);
  lower_rings(&l);
  lower_doubt_placement(&l);
  return diags->errors == before || options->lenient ? program : NULL;
}
