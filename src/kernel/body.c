/* The body of a kernel as instructions that each thread is run on. Values that differ between threads are in registers
 * set before the first instruction: special registers, addresses of variables, parameters. */
#include "kernel/rests.h"

#include "ptx/isa.h"
#include "ptx/lower.h"

static struct arena *arena_of(const struct expansion *x) { return x->parse.arena; }

struct litmus_test *kernel_bare_test(struct expansion *x, struct span span) {
  struct litmus_test *test = ARENA_COPY(arena_of(x), x->parse.test);
  test->entries = NULL;
  test->kernels = NULL;
  test->condition = test->filter = NULL;
  test->locations = NULL;
  test->quantifier = LITMUS_SAFE;
  test->rows = NULL;
  test->threads = ARENA_NEW(arena_of(x), struct litmus_thread);
  *test->threads = (struct litmus_thread){.name = *litmus_word_of(&x->parse, "P0", span), .placed = true, .span = span};
  test->threads->levels = ARENA_NEW(arena_of(x), struct litmus_level);
  test->threads->levels->key = *litmus_word_of(&x->parse, "cta", span);
  test->thread_count = 1;
  return test;
}

const char *kernel_give(struct expansion *x, const char *name) {
  name = intern(x->parse.names, name);
  VEC_VALUES (known, &x->given)
    if (known == name) return name;
  VEC_PUSH(arena_of(x), &x->given, name);
  return name;
}

/* `0:%$tid$x=0` */
static struct litmus_entry *entry_of(struct expansion *x, const char *name, struct span span) {
  struct litmus_entry *entry = ARENA_NEW(arena_of(x), struct litmus_entry);
  entry->qualifiers = litmus_words_add((struct litmus_words){0}, litmus_word_of(&x->parse, ".u64", span));
  entry->ref = (struct litmus_ref){.owner = LITMUS_OWNER_THREAD, .percent = true, .name = name, .span = span};
  entry->values = ARENA_NEW(arena_of(x), struct litmus_value);
  entry->span = span;
  return entry;
}

static struct litmus_test *as_test(struct expansion *x, const struct code *code, struct span span) {
  struct litmus_test *test = kernel_bare_test(x, span);
  VEC_VALUES (name, &x->given) {
    struct litmus_entry *entry = entry_of(x, name, span);
    entry->next = test->entries;
    test->entries = entry;
  }
  kernel_add_rows(x, test, &code, 1, span);
  return test;
}

/* ---- Registers and loops */

static void find_groups(struct arena *arena, struct body *b) {
  uint32_t count = b->thread->instr_count;
  b->group_end = ARENA_ARRAY(arena, uint32_t, count + 1);
  b->leader = ARENA_ARRAY(arena, bool, count + 1);
  b->reached = ARENA_ARRAY(arena, bool, count + 1);
  b->uneven = ARENA_ARRAY(arena, struct uneven, count + 1);
  b->loose = ARENA_ARRAY(arena, uint8_t, count + 1);
  for (uint32_t i = 0, k; i < count; i = k) {
    for (k = i + 1; k < count && b->thread->instrs[k].ast == b->thread->instrs[i].ast; k++) continue;
    for (uint32_t j = i; j < k; j++) b->group_end[j] = k;
  }
  b->group_end[count] = count;
  ARRAY_EACH (in, b->thread->instrs, count)
    if (in->kind == INSTR_BRANCH) b->leader[in->target] = true;
}

/* A load of a parameter by its name, which has lost its space (drop_param). */
bool body_is_param(const struct body *b, const struct instr *in) {
  bool load = in->kind == INSTR_LOAD && in->space == SPACE_GENERIC && in->addr.base.kind == OPERAND_REG;
  return load && base_begins(b->thread->regs[in->addr.base.reg].name, KERNEL_PARAM_REGISTER);
}

/* Registers that memory, a clock or another thread decides, as far as the text shows. */
static struct bitset find_open(struct arena *arena, const struct body *b, bool clocks) {
  struct bitset from = bitset_new(arena, b->thread->instr_count + 1);
  for (uint32_t i = 0; i < b->thread->instr_count; i++) {
    const struct instr *in = &b->thread->instrs[i];
    bool exchange = in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES;
    bool given = (in->kind != INSTR_ALU && !exchange && !body_is_param(b, in)) ||
                 SOME_BELOW(k, MAX_VECTOR, clocks && in->src[k].kind == OPERAND_CLOCK);
    if (given) bitset_add(from, i);
  }
  return thread_results(arena, b->thread, from);
}

uint32_t body_writer(const struct body *b, uint32_t reg, uint32_t at) {
  while (at && !b->leader[at]) {
    at--;
    EACH_WRITTEN (written, &b->thread->instrs[at])
      if (written == reg) return at;
  }
  return NO_REG;
}

/* True if memory may decide a branch: a predicate may be open at another place only. */
static bool is_open_at(const struct body *b, struct bitset open, uint32_t branch) {
  const uint32_t reg = b->thread->instrs[branch].guard.reg, at = body_writer(b, reg, branch);
  const struct instr *writer = &b->thread->instrs[at == NO_REG ? branch : at];
  if (writer->kind != INSTR_ALU || writer->guard.present) return bitset_has(open, reg);
  return SOME(EACH_READ (read, writer), bitset_has(open, read));
}

static bool works(const struct instr *in) {
  return in->kind == INSTR_ASYNC || (in->kind == INSTR_MBARRIER && in->mbarrier->action == MBARRIER_ARRIVE);
}

/* Finds the loops that only memory can end: a thread waits in them (K12). */
static void find_waits(struct arena *arena, const struct flow *flow, struct body *b) {
  struct bitset open = find_open(arena, b, true);
  b->read = find_open(arena, b, false);
  b->waits = ARENA_ARRAY(arena, bool, b->loops.len + 1);
  b->works = ARENA_ARRAY(arena, bool, b->loops.len + 1);
  b->limit = ARENA_ARRAY(arena, uint32_t, b->loops.len + 1);
  for (uint32_t k = 0; k < b->loops.len; k++) {
    const struct cycle *loop = &b->loops.data[k];
    b->waits[k] = true;
    EACH (i, loop->has) {
      const struct instr *in = &b->thread->instrs[i];
      const uint32_t *next = flow->next[i];
      b->works[k] = b->works[k] || works(in);
      bool leaves = flow_is_fork(flow, i) && !(bitset_has(loop->has, next[0]) && bitset_has(loop->has, next[1]));
      if (leaves && !is_open_at(b, open, i)) b->waits[k] = false;
    }
  }
}

/* The body as a program of one thread; NULL after an error has been reported. */
static const struct program *lower_code(struct expansion *x, const struct code *code,
                                        const struct litmus_kernel *kernel) {
  struct diags ignored; /* errors are reported for the columns that threads reach */
  diags_init(&ignored, arena_of(x));
  struct litmus_test *test = as_test(x, code, kernel->span);
  if (kernel->host) test->threads->levels->key = *litmus_word_of(&x->parse, "host", kernel->span);
  const struct lower_options options = {.lenient = true};
  const struct program *program = lower(arena_of(x), x->parse.names, &ignored, test, &options);
  if (!program) diags_add(x->parse.diags, &ignored);
  return program;
}

/* Makes the changes that the options ask for. `as_is`: the program of the code. */
static bool edit(struct expansion *x, const struct module *module, const struct program *as_is, struct code *code) {
  struct code_marks *marks = ARENA_ARRAY(arena_of(x), struct code_marks, x->options->edit_count);
  const struct body bare = {.program = as_is, .thread = &as_is->threads[0]};
  if (x->options->lines) kernel_note_lines(x, module, &bare);
  for (uint32_t k = 0; k < x->options->edit_count; k++) {
    const struct kernel_edit *edit = &x->options->edits[k];
    if (edit->kind == KERNEL_AT_LINE && !kernel_find_entries(arena_of(x), module, &bare, &edit->line, &marks[k]))
      return false;
    if (edit->kind == KERNEL_UNGUARD) kernel_find_guard(arena_of(x), &bare, edit->at, &marks[k]);
    VEC_EACH (mark, &marks[k])
      if (edit->places)
        VEC_PUSH(arena_of(x), edit->places,
                 ((struct kernel_place){mark->at->span, mark->ahead, edit->kind == KERNEL_UNGUARD && !mark->turn,
                                        mark->turn}));
  }
  kernel_edit_code(x, marks, code);
  return true;
}

bool body_of_code(struct expansion *x, const struct code *code, const struct litmus_kernel *kernel, struct body *out) {
  struct arena *arena = arena_of(x);
  const struct program *program = lower_code(x, code, kernel);
  if (!program) return false;
  *out = (struct body){.program = program, .thread = &program->threads[0], .none = bitset_new(arena, REST_MARKS)};
  for (uint32_t r = 0; r < out->thread->reg_count; r++)
    if (name_map_get(&out->slots, out->thread->regs[r].name) == NO_NAME)
      name_map_put(arena, &out->slots, out->thread->regs[r].name, r);
  out->skeleton = ARENA_NEW(arena, struct skeleton);
  const struct flow flow = thread_flow(arena, out->thread);
  out->loops = flow_cycles(arena, &flow);
  find_groups(arena, out);
  find_waits(arena, &flow, out);
  out->ends = epochs_ends(arena, out->thread);
  out->live = thread_live(arena, out->thread, bitset_new(arena, out->thread->reg_count + 1));
  out->outlines = ARENA_ARRAY(arena, struct outline, out->thread->instr_count + 1);
  out->fragments = tiled_fragments(arena, out);
  discards_find(arena, out);
  for (uint32_t i = 0; i <= out->thread->reg_count; i++) out->multiplies |= out->fragments[i] != NO_REG;
  return true;
}

bool body_build(struct expansion *x, const struct module *module, const struct litmus_kernel *kernel,
                const struct module_function *entry, struct body *out) {
  struct code code = {0};
  if (!kernel_inline(x, module, entry, &code)) return false;
  if (x->options->edit_count || x->options->lines) {
    const struct program *as_is = lower_code(x, &code, kernel);
    if (!as_is || !edit(x, module, as_is, &code)) return false;
  }
  return body_of_code(x, &code, kernel, out);
}

void body_forget(struct body *b, struct arena *arena) {
  *b->skeleton = (struct skeleton){.program = b->program, .arena = arena};
  terms_init(&b->skeleton->terms, arena);
  terms_init(&b->constants, arena);
  b->learning = (struct learning){.terms = &b->skeleton->terms};
}

void body_forget_terms(struct body *b, uint32_t from) {
  enum { FEW = 4096 }; /* the others are found anew */
  struct skeleton *s = b->skeleton;
  if (from > FEW || s->free.list.len) return;
  terms_forget(&s->terms, from);
  if (b->learning.list.len > from) b->learning.list.len = from;
}

uint32_t body_register(const struct body *b, const char *name) {
  uint32_t reg = name_map_get(&b->slots, name);
  return reg == NO_NAME ? (uint32_t)NO_REG : reg;
}
