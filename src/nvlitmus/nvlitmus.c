#include "nvlitmus/nvlitmus.h"

#include "nvlitmus/build.h"

/* The expectation that permit, check and assert state, for the models of nvlitmus. */
static const char expected[] = "ptx:holds ptx-7.5:holds";

/* ---- registers: one name space, each written once and before it is read */

struct definition {
  const char *name;
  uint32_t thread, at; /* the index in its thread of the instruction that writes it */
  struct span span;
};

struct registers {
  struct nv_parse *parse;
  VEC(struct definition) list;
};

static const struct definition *find(const struct registers *registers, const char *name) {
  return VEC_FIND(e, &registers->list, e->name == name);
}

static bool is_location(const struct nv_parse *parse, const char *name) {
  return SOME(LIST_EACH (entry, parse->entries.first), entry->ref.name == name);
}

/* The register that an instruction writes: its first operand, unless that is a memory operand. */
static const struct litmus_operand *target_of(const struct nv_parse *parse, const struct litmus_instr *instr) {
  const struct litmus_operand *first = instr->operands;
  return first && first->kind == LITMUS_NAME && !is_location(parse, first->u.ref.name) ? first : NULL;
}

static void define(struct registers *registers, const struct litmus_operand *target, uint32_t thread, uint32_t at) {
  struct litmus_parse *base = &registers->parse->base;
  const char *name = target->u.ref.name;
  const struct definition *before = find(registers, name);
  if (!before) {
    VEC_PUSH(base->arena, &registers->list, (struct definition){name, thread, at, target->span});
    return;
  }
  struct diagnostic *d = litmus_error(base, DIAG_REDECLARED, target->span, "register '%s' is written twice", name);
  diag_beside(d, before->span, "first written here");
  diag_hint(base->diags, d, "in this format the registers of all threads are one name space, and each has one value");
}

static void check_read(struct registers *registers, const struct litmus_operand *operand, uint32_t thread,
                       uint32_t at) {
  struct litmus_parse *base = &registers->parse->base;
  const char *name = operand->u.ref.name;
  if (operand->kind != LITMUS_NAME || is_location(registers->parse, name)) return;
  const struct definition *definition = find(registers, name);
  if (!definition) {
    litmus_error(base, DIAG_UNKNOWN_REGISTER, operand->span, "register '%s' is read, and nothing writes it", name);
  } else if (definition->thread != thread || definition->at >= at) {
    struct diagnostic *d = litmus_error(base, DIAG_UNKNOWN_REGISTER, operand->span, "register '%s' is %s", name,
                                        definition->thread != thread ? "written by one thread and read by another"
                                                                     : "read before it is written");
    diag_beside(d, definition->span, "written here");
  }
}

static void check_registers(struct registers *registers) {
  struct nv_parse *parse = registers->parse;
  uint32_t thread = 0, at;
  for (const struct nv_thread *t = parse->threads.first; t; t = t->next, thread++) {
    at = 0;
    for (const struct litmus_cell *i = t->instrs.first; i; i = i->next, at++) {
      const struct litmus_operand *target = target_of(parse, i->instr);
      if (target) define(registers, target, thread, at);
    }
  }
  thread = 0;
  for (const struct nv_thread *t = parse->threads.first; t; t = t->next, thread++) {
    at = 0;
    for (const struct litmus_cell *i = t->instrs.first; i; i = i->next, at++)
      LIST_EACH (o, i->instr->operands)
        if (o != target_of(parse, i->instr)) check_read(registers, o, thread, at);
  }
}

/* ---- conditions */

static void own(struct registers *registers, struct litmus_ref *ref) {
  const struct definition *definition = find(registers, ref->name);
  if (definition) {
    ref->owner = LITMUS_OWNER_THREAD;
    ref->thread = definition->thread;
    ref->owner_span = ref->span;
  } else if (!is_location(registers->parse, ref->name)) {
    litmus_error(&registers->parse->base, DIAG_UNKNOWN_REGISTER, ref->span, "nothing writes a register '%s'",
                 ref->name);
  }
}

/* Gives the registers of a condition their threads. Its depth is bounded by the parser's stack. */
static void own_all(struct registers *registers, struct litmus_cond *cond) {
  LIST_EACH (part, cond->parts) own_all(registers, part);
  if (cond->kind != LITMUS_COMPARE) return;
  if (cond->a->kind == LITMUS_TERM_REF) own(registers, &cond->a->ref);
  if (cond->b->kind == LITMUS_TERM_REF) own(registers, &cond->b->ref);
}

/* The conjunction of all assumptions; NULL if there are none. */
static struct litmus_cond *filter(struct registers *registers) {
  struct litmus_parse *parse = &registers->parse->base;
  struct litmus_cond *all = NULL;
  LIST_EACH (a, registers->parse->assumptions.first) {
    if (!a->target) {
      litmus_error(parse, DIAG_SYNTAX, a->span,
                   "'== value' needs a register, and this instruction sets none" HINT
                   "a load may be followed by == and the value that it is assumed to return");
      continue;
    }
    struct litmus_term *value = NODE(term, .kind = LITMUS_TERM_NUMBER, .number = a->value, .span = a->value.span);
    struct litmus_term *reg = NODE(term, .kind = LITMUS_TERM_REF, .ref = a->target->u.ref, .span = a->target->span);
    struct litmus_cond *one = NODE(cond, .kind = LITMUS_COMPARE, .a = reg, .b = value, .span = a->span);
    all = all ? litmus_cond_join(parse, LITMUS_AND, all, one, span_join(all->span, one->span)) : one;
  }
  if (all) own_all(registers, all);
  return all;
}

/* ---- the test */

/* Turns the threads into columns. */
static void build_columns(struct nv_parse *parse, struct litmus_test *test) {
  struct litmus_threads threads = {0};
  struct litmus_cells *columns = ARENA_ARRAY(parse->base.arena, struct litmus_cells, parse->threads.count);
  LIST_EACH (t, parse->threads.first) {
    columns[test->thread_count++] = t->instrs;
    LIST_ADD(threads, t->thread);
  }
  test->threads = threads.first;
  litmus_set_columns(&parse->base, columns, test->thread_count);
}

/* The file's name without directory and ending; '_' replaces characters that would end a name in a log. */
static const char *stem(struct arena *arena, const struct source *source) {
  const char *name = base_file_name(source->name);
  size_t length = strlen(name);
  if (length > 5 && strcmp(name + length - 5, ".test") == 0) length -= 5;
  char *copy = arena_strndup(arena, name, length);
  for (char *c = copy; *c; c++)
    if ((unsigned char)*c <= ' ') *c = '_';
  return copy;
}

static const char *test_name(struct nv_parse *parse, uint32_t row, const struct nv_command *command) {
  struct arena *arena = parse->base.arena;
  const char *file = stem(arena, parse->base.source);
  if (!row) return arena_printf(arena, "%s.%s", file, command->name.text);
  return arena_printf(arena, "%s.%u.%s", file, row, command->name.text);
}

static struct litmus_test *with_command(struct nv_parse *parse, const struct litmus_test *common, uint32_t row,
                                        const struct nv_command *command) {
  struct arena *arena = parse->base.arena;
  struct litmus_test *test = ARENA_NEW(arena, struct litmus_test);
  struct litmus_key *key = ARENA_NEW(arena, struct litmus_key);
  *test = *common;
  test->name = intern(parse->base.names, test_name(parse, row, command));
  test->name_span = command->name.span;
  test->quantifier = command->kind == NV_ASSERT ? LITMUS_FORALL : LITMUS_EXISTS;
  test->condition = command->condition;
  test->condition_span = command->span;
  *key = (struct litmus_key){
      .key = intern(parse->base.names, "Expect"), .value = expected, .span = command->span, .stated = true};
  test->keys = key;
  return test;
}

/* True if an earlier command has the same name. Commands are identified by their names, rows by their numbers. */
static bool is_second(struct nv_parse *parse, const struct nv_command *b) {
  for (const struct nv_command *a = parse->commands.first; a != b; a = a->next) {
    if (a->name.text != b->name.text) continue;
    struct diagnostic *d =
        litmus_error(&parse->base, DIAG_DUPLICATE_TEST, b->name.span, "a second command named '%s'", b->name.text);
    diag_beside(d, a->name.span, "the first one");
    return true;
  }
  return false;
}

/* Adds the tests of the valid commands, even if others are invalid. */
static void add_commands(struct registers *registers, const struct litmus_test *common, uint32_t number,
                         struct nvlitmus_tests *out) {
  struct nv_parse *parse = registers->parse;
  LIST_EACH (command, parse->commands.first) {
    uint32_t before = parse->base.errors;
    if (!is_second(parse, command)) own_all(registers, command->condition);
    if (parse->base.errors > before) continue;
    VEC_PUSH(parse->base.arena, &out->list, with_command(parse, common, number, command));
  }
}

static void parse_row(struct nv_parse *parse, uint32_t number, struct nvlitmus_tests *out) {
  struct litmus_parse *base = &parse->base;
  nvlitmus_scan_and_parse(parse);
  if (!parse->above_right || base->stopped) return;
  if (!parse->commands.first && !base->errors) {
    struct span end = {base->source, (uint32_t)base->source->length, (uint32_t)base->source->length};
    litmus_error(base, DIAG_SYNTAX, end,
                 "the test has no command" HINT "add a command, such as permit (r0 == 1) as seen;");
    return;
  }
  struct registers registers = {.parse = parse};
  struct litmus_test common = {.source = base->source};
  uint32_t before = base->errors;
  check_registers(&registers);
  common.entries = parse->entries.first;
  common.filter = filter(&registers);
  if (base->errors > before) return;
  base->test = &common;
  build_columns(parse, &common);
  add_commands(&registers, &common, number, out);
}

bool nvlitmus_is(const struct source *source) {
  size_t length = strlen(source->name);
  if (length > 5 && strcmp(source->name + length - 5, ".test") == 0) return true;
  const char *at = source->text;
  for (;;) {
    at += strspn(at, " \t\r\n");
    if (at[0] != '/' || at[1] != '/') return *at == '.';
    at += strcspn(at, "\n");
  }
}

void nvlitmus_parse(struct arena *arena, struct intern *names, struct diags *diags, const struct filled_row *row,
                    struct nvlitmus_tests *out) {
  struct nv_parse parse = {.base = {.arena = arena, .names = names, .diags = diags, .source = row->source}};
  if (row->source) parse_row(&parse, row->number, out);
}
