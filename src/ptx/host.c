/* Threads of the host: their place, and their statements as instructions (litmus/host.def). */
#include "ptx/lowering.h"

static const struct row {
  enum instr_kind kind;
  enum sem sem;
  const char *name, *argument; /* of a call; else NULL */
  unsigned marks[HOST_ISAS];
} rows[] = {
#define HOST(kind, sem, x86, a64) {INSTR_##kind, SEM_##sem, NULL, NULL, {[HOST_X86] = (x86), [HOST_A64] = (a64)}},
#define HOST_CALL(name, argument, x86, a64)                                                                            \
  {INSTR_FENCE, SEM_SC, name, argument, {[HOST_X86] = (x86), [HOST_A64] = (a64)}},
#include "litmus/host.def"
};

static const char *const isas[HOST_ISAS] = {[HOST_X86] = "x86-64", [HOST_A64] = "aarch64"};

/* The index of the value of a key of the head among words; 0, reported: it is none of them. */
static unsigned key_value(struct lowering *l, const char *key, const char *const *words, unsigned count,
                          struct span span) {
  const char *value = litmus_key(l->test, key);
  for (unsigned i = 1; i < count && value; i++)
    if (strcmp(words[i], value) == 0) return i;
  diag_report(l->diags, DIAG_WRONG_PLACEMENT, span,
              "%s" HINT "write Host=x86-64 or Host=aarch64 in the head, and perhaps Link=pcie or Link=c2c",
              value ? arena_printf(l->arena, "'%s' is no value of %s", value, key)
                    : arena_printf(l->arena, "a test with a host needs %s= in its head", key));
  return 0;
}

bool lower_host_key(struct lowering *l, struct span span) {
  static const char *const links[] = {NULL, "pcie", "c2c"};
  uint32_t before = l->diags->errors;
  if (l->program->host) return true;
  l->program->host = (enum host_isa)key_value(l, "Host", isas, HOST_ISAS, span);
  l->program->pcie = l->program->host == HOST_X86;
  if (litmus_key(l->test, "Link")) l->program->pcie = key_value(l, "Link", links, ARRAY_LEN(links), span) == 1;
  return l->diags->errors == before;
}

static bool wrong(struct lowering *l, const struct lower_instr *in, const char *what) {
  return diag_refuse(l->diags, DIAG_WRONG_OPERAND, in->ast->span,
                     "%s" HINT "statements of hosts are those of C++, dmb, _mm_mfence, launch and sync", what);
}

static struct instr fence_of(const struct lower_instr *in, unsigned marks) {
  struct instr fence = lower_blank(INSTR_FENCE, in->ast);
  fence.sem = marks & HOST_FULL ? SEM_SC : marks & HOST_LD ? SEM_ACQUIRE : SEM_RELEASE;
  fence.scope = SCOPE_SYS;
  return fence;
}

static bool is_launched(const struct lowering *l, value_t grid) {
  for (uint32_t t = 0; t < l->program->thread_count; t++)
    VEC_EACH (in, &l->threads[t].code)
      if (in->kind == INSTR_HOST_LAUNCH && in->src[0].imm == grid) return true;
  return false;
}

/* `launch 0` and `sync 0`. */
static bool lower_grid(struct lowering *l, struct lower_instr *in, bool launches) {
  const struct litmus_operand *grid = in->ast->operands;
  value_t number = grid->u.number.value;
  in->out->kind = launches ? INSTR_HOST_LAUNCH : INSTR_HOST_SYNC;
  in->out->src[0] = lower_constant(number, grid->span);
  if (launches && is_launched(l, number)) return wrong(l, in, "the grid is launched twice");
  return SOME_BELOW(t, l->program->thread_count,
                    !l->program->threads[t].host && l->program->threads[t].grid == number) ||
         wrong(l, in, "no thread is in that grid");
}

static bool lower_call(struct lowering *l, struct lower_instr *in, enum host_isa isa) {
  const struct litmus_operand *operand = in->ast->operands;
  const char *argument = operand && operand->kind == LITMUS_NAME ? operand->u.ref.name : "";
  bool more = operand && operand->next, known = false;
  for (size_t i = 0; i < ARRAY_LEN(rows) && !more; i++) {
    if (!rows[i].name || strcmp(rows[i].name, in->ast->opcode.text) != 0) continue;
    known = true;
    if (strcmp(rows[i].argument, argument) != 0) continue;
    unsigned marks = rows[i].marks[isa];
    if (marks == HOST_OTHER) return wrong(l, in, arena_printf(l->arena, "%s has no such instruction", isas[isa]));
    *in->out = marks ? fence_of(in, marks) : lower_blank(INSTR_NOTHING, in->ast);
    return true;
  }
  return wrong(l, in, known ? "the argument is none of ish, ishld, ishst, osh, oshld, oshst, sy, ld, st"
                            : arena_printf(l->arena, "'%s' is no statement of a host", in->ast->opcode.text));
}

bool lower_host_call(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out) {
  struct lower_instr in = {.thread = thread, .ast = ast, .out = out};
  bool launches = strcmp(ast->opcode.text, "launch") == 0;
  if (launches || strcmp(ast->opcode.text, "sync") == 0) return lower_grid(l, &in, launches);
  return lower_call(l, &in, l->program->host);
}

/* An access of a host is strong, of scope sys and one event (8.5: "host threads"); its order is in the marks. */
static bool mark_access(struct lowering *l, struct lower_instr *in, unsigned marks) {
  if (in->out->type.width > 64) return wrong(l, in, "a host accesses at most 8 bytes at once");
  const struct symbol *symbol = NULL;
  for (const struct litmus_operand *o = in->ast->operands; o && !symbol; o = o->next)
    if (o->kind == LITMUS_NAME) symbol = lower_find_symbol(l, o->u.ref.name);
  if (symbol && symbol->memory == MEMORY_DEVICE && l->program->pcie)
    return wrong(l, in, "over pcie a host does not access memory of a device");
  if (symbol && symbol->space != SPACE_GLOBAL) return wrong(l, in, "a host accesses only global memory");
  struct instr access = *in->out;
  access.sem = SEM_RELAXED;
  access.scope = SCOPE_SYS;
  access.marks = (uint8_t)(marks & HOST_ACCESS);
  *in->out = access;
  if (marks & HOST_BEFORE) lower_emit(l, in, fence_of(in, HOST_FULL));
  if (!(marks & HOST_AFTER)) return true;
  VEC_PUSH(l->arena, &l->threads[in->thread].code, access);
  *in->out = fence_of(in, HOST_FULL);
  return true;
}

bool lower_host(struct lowering *l, uint32_t thread, const struct litmus_instr *ast, struct instr *out) {
  struct lower_instr in = {.thread = thread, .ast = ast, .out = out};
  bool fence = out->kind == INSTR_FENCE, access = instr_is_access(out);
  if (!fence && !access) return true;
  if (out->scope != SCOPE_NONE && out->scope != SCOPE_SYS) return wrong(l, &in, "a host's scope is the system");
  for (size_t i = 0; i < ARRAY_LEN(rows); i++) {
    unsigned marks = rows[i].marks[l->program->host];
    if (rows[i].name || rows[i].kind != out->kind || rows[i].sem != out->sem) continue;
    if (access) return mark_access(l, &in, marks);
    *out = marks ? fence_of(&in, marks) : lower_blank(INSTR_NOTHING, ast);
    return true;
  }
  return wrong(l, &in, "this statement has no row in the table of hosts");
}

/* True if a branch may skip the instruction, or repeat it. */
static bool is_conditional(const struct thread *thread, uint32_t at) {
  for (uint32_t i = 0; i < thread->instr_count; i++) {
    const struct instr *in = &thread->instrs[i];
    if (in->kind == INSTR_BRANCH && (i < at ? in->target > at : in->target <= at)) return true;
  }
  return false;
}

void lower_host_launches(struct lowering *l) {
  ARRAY_EACH (thread, l->program->threads, l->program->thread_count)
    for (uint32_t i = 0; i < thread->instr_count; i++) {
      struct instr *in = &thread->instrs[i];
      if (in->kind != INSTR_HOST_LAUNCH || !is_conditional(thread, i)) continue;
      in->kind = INSTR_UNSUPPORTED;
      in->unsupported = reason_get(REASON_HOST_LAUNCH);
    }
}
