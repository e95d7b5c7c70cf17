/* Answers a module given in place of a test: lists its kernels, each with a launch to start from. */

#include "kernel/expand.h"
#include "ptx/isa.h"

bool kernel_is_module(const struct source *source) {
  const char *dot = strrchr(source->name, '.');
  return dot && (strcmp(dot, ".ptx") == 0 || strcmp(dot, ".cu") == 0);
}

/* MOST_SHARED: the dynamic shared memory that a launch may have without an attribute. MEMBERS: the most members
 * listed. */
enum { BLOCKS = 2, THREADS = 128, ELEMENTS = 64, MOST_SHARED = 49152, MAP_SIZE = 128, MEMBERS = 128, STEPS = 3 };

/* A part of a parameter that the kernel loads. */
struct param_part {
  uint32_t at, bytes;
  bool is_address;
};

struct launch_list {
  struct arena *arena;
  struct intern *names;
  const struct module *module;
  const struct module_function *kernel;
  struct text *out;
};

/* ---- The uses of a parameter in the body */

static const struct litmus_instr *next_instr(const struct module_item **at) {
  while (*at && (*at)->kind != MODULE_INSTR) *at = (*at)->next;
  const struct litmus_instr *instr = *at ? (*at)->instr : NULL;
  if (*at) *at = (*at)->next;
  return instr;
}

static bool is_named(const struct litmus_operand *operand, const char *name) {
  return operand && (operand->kind == LITMUS_NAME || operand->kind == LITMUS_BRACKET) && operand->u.ref.name == name;
}

static bool mentions(const struct module_function *f, const char *name) {
  const struct module_item *at = f->items;
  for (const struct litmus_instr *instr; (instr = next_instr(&at));)
    for (const struct litmus_operand *operand = instr->operands; operand; operand = operand->next)
      if (is_named(operand, name)) return true;
  return false;
}

/* True if a register, itself or with something added, is used as an address or converted to one of a state space. */
static bool is_address(const struct module_function *f, const char *reg, uint32_t steps) {
  const struct module_item *at = f->items;
  for (const struct litmus_instr *instr; (instr = next_instr(&at));) {
    const struct litmus_operand *to = instr->operands;
    bool adds = strcmp(instr->opcode.text, "add") == 0 || strcmp(instr->opcode.text, "mov") == 0;
    bool from = to && (is_named(to->next, reg) || (to->next && is_named(to->next->next, reg)));
    if (strcmp(instr->opcode.text, "cvta") == 0 && from) return true;
    if (adds && from && steps && to->kind == LITMUS_NAME && is_address(f, to->u.ref.name, steps - 1)) return true;
    for (const struct litmus_operand *operand = instr->operands; operand; operand = operand->next)
      if ((operand->kind == LITMUS_BRACKET && operand->u.ref.name == reg) ||
          (operand->kind == LITMUS_TENSOR && operand->u.tensor.ref.name == reg))
        return true;
  }
  return false;
}

static int in_order(const void *a, const void *b) {
  uint32_t first = ((const struct param_part *)a)->at, second = ((const struct param_part *)b)->at;
  return (first > second) - (first < second);
}

/* The parts of a parameter that are loaded, in order. */
static uint32_t find_members(const struct launch_list *l, const struct module_variable *p,
                             struct param_part out[MEMBERS]) {
  const struct module_item *at = l->kernel->items;
  uint32_t count = 0;
  for (const struct litmus_instr *instr; (instr = next_instr(&at));) {
    const struct litmus_operand *to = instr->operands, *from = to ? to->next : NULL;
    if (strcmp(instr->opcode.text, "ld") != 0 || !litmus_has_word(&instr->qualifiers, ".param")) continue;
    if (!is_named(from, p->name.text) || from->u.ref.offset < 0) continue;
    uint32_t bytes = isa_bytes_among(&instr->qualifiers), offset = (uint32_t)from->u.ref.offset;
    for (to = to->kind == LITMUS_VECTOR ? to->u.items : to; to && to != from && count < MEMBERS; to = to->next) {
      bool address = bytes == (l->module->narrow ? 4 : 8) && to->kind == LITMUS_NAME &&
                     is_address(l->kernel, to->u.ref.name, STEPS);
      out[count++] = (struct param_part){offset, bytes, address};
      offset += bytes;
    }
  }
  qsort(out, count, sizeof *out, in_order);
  return count;
}

/* ---- the launch */

/* A parameter's own name, unless a compiler made the name from its number. */
static const char *name_of(const struct launch_list *l, const struct module_variable *p, uint32_t number) {
  bool plain =
      strspn(p->name.text, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == strlen(p->name.text);
  if (plain && *p->name.text && !strstr(p->name.text, "_param_")) return p->name.text;
  return arena_printf(l->arena, "p%u", number);
}

static void add_number(const struct launch_list *l, uint32_t bytes, uint32_t value) {
  if (bytes == 4) text_printf(l->out, "%u", value);
  else text_printf(l->out, ".u%u %u", 8 * bytes, value);
}

/* {int p[64], 1, .u64 0}: members that are not loaded are 0. */
static void add_structure(const struct launch_list *l, const struct module_variable *p, const char *name) {
  struct param_part members[MEMBERS];
  uint32_t count = find_members(l, p, members), size = module_bytes(p), k = 0;
  text_char(l->out, '{');
  for (uint32_t at = 0, bytes; at < size; at += bytes) {
    while (k < count && members[k].at < at) k++;
    bool loaded = k < count && members[k].at == at;
    uint32_t end = k < count && !loaded ? members[k].at : size;
    for (bytes = 8; at % bytes || at + bytes > end;) bytes /= 2;
    if (loaded && members[k].bytes < bytes) bytes = members[k].bytes;
    if (at) text_add(l->out, ", ");
    if (loaded && members[k].is_address) text_printf(l->out, "int %s_%u[%d]", name, at, (int)ELEMENTS);
    else add_number(l, bytes, loaded);
  }
  text_char(l->out, '}');
}

static void add_argument(const struct launch_list *l, const struct module_variable *p, uint32_t number) {
  const char *name = name_of(l, p, number);
  struct param_part members[MEMBERS];
  uint32_t count = find_members(l, p, members);
  bool map = p->is_array && module_bytes(p) == MAP_SIZE && p->align >= 64 && !count;
  bool address = litmus_has_word(&p->words, ".ptr") || (count && members[0].is_address);
  if (map)
    text_printf(l->out, "tensormap %s = {int %s_of[%d], .b32, dims %d, box %d}", name, name, (int)ELEMENTS,
                (int)ELEMENTS, (int)ELEMENTS);
  else if (p->is_array) add_structure(l, p, name);
  else if (address) text_printf(l->out, "int %s[%d]", name, (int)ELEMENTS);
  else text_add(l->out, "1");
}

/* `dim3(16, 8)`, or one number; `factor` times as many of the first dimension. */
static void add_size(const struct launch_list *l, const struct module_numbers *numbers, uint32_t factor) {
  uint32_t count = numbers->count;
  while (count > 1 && numbers->first[count - 1] == 1) count--;
  if (count > 1) text_add(l->out, "dim3(");
  for (uint32_t i = 0; i < count; i++) text_printf(l->out, "%s%u", i ? ", " : "", numbers->first[i] * (i ? 1 : factor));
  if (count > 1) text_char(l->out, ')');
}

static struct module_numbers stated(const struct launch_list *l, const char *name, struct module_numbers otherwise) {
  for (const struct module_attribute *a = l->kernel->attributes.first; a; a = a->next)
    if (strcmp(a->name.text, name) == 0 && a->numbers.product) return a->numbers;
  return otherwise;
}

static bool has_dynamic(const struct launch_list *l) {
  for (const struct module_variable *v = l->module->variables.first; v; v = v->next)
    if (v->is_array && !v->has_count && litmus_has_word(&v->words, ".shared") && mentions(l->kernel, v->name.text))
      return true;
  return false;
}

/* Names the kernel as in the source if no other kernel has that name. */
static void add_launch(const struct launch_list *l) {
  const struct module_function *f = l->kernel;
  const char *name = module_source_name(l->names, f->name.text);
  const struct module_numbers one = {1, 1, {1}}, some = {THREADS, 1, {THREADS}};
  const struct module_numbers most = stated(l, ".maxntid", some), block = stated(l, ".reqntid", most);
  const struct module_numbers cluster = stated(l, ".reqnctapercluster", one);
  uint32_t number = 0;
  bool many;
  text_printf(l->out, "%s<<<", module_find(l->names, l->module, name, &many) == f ? name : f->name.text);
  add_size(l, &cluster, BLOCKS);
  text_add(l->out, ", ");
  add_size(l, &block, 1);
  if (has_dynamic(l)) text_printf(l->out, ", %d", (int)MOST_SHARED);
  text_add(l->out, ">>>(");
  for (const struct module_variable *p = f->params; p; p = p->next) {
    if (number) text_add(l->out, ", ");
    add_argument(l, p, number++);
  }
  text_char(l->out, ')');
}

/* Quotes a name for a shell if it has special characters. */
static void add_file(struct text *out, const char *name) {
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./";
  bool quoted = strspn(name, plain) != strlen(name);
  text_add(out, quoted ? "'" : "");
  for (const char *at = name; *at; at++)
    if (*at == '\'') text_add(out, "'\\''");
    else text_char(out, *at);
  text_add(out, quoted ? "'" : "");
}

static const struct module *read_module(struct expansion *x, const struct source *source) {
  struct source *text = ARENA_NEW(x->parse.arena, struct source);
  const struct span span = {source, 0, 0};
  *text = *source;
  if (kernel_is_source(source->name)) {
    if (!kernel_may_compile(x->parse.diags, x->options, source->name, span)) return NULL;
    if (!kernel_read_flags(x->parse.arena, x->parse.diags, x->parse.test, x->options->flags, &x->flags)) return NULL;
    if (!kernel_make_module(x, span, source->name, text)) return NULL;
  }
  return module_parse(x->parse.arena, x->parse.names, x->parse.diags, text);
}

void kernel_list(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source,
                 const struct kernel_options *options) {
  struct litmus_test test = {.source = source};
  struct expansion x = {.options = options,
                        .parse = {.arena = arena, .names = names, .diags = diags, .source = source, .test = &test}};
  struct launch_list l = {.arena = arena, .names = names, .module = read_module(&x, source)};
  if (!l.module) return;
  struct text lines = {.arena = arena};
  l.out = &lines;
  for (l.kernel = l.module->functions.first; l.kernel; l.kernel = l.kernel->next) {
    if (!l.kernel->is_entry || !l.kernel->has_body) continue;
    text_add(&lines, lines.len ? "\nptxlit check " : "ptxlit check ");
    add_file(&lines, source->name);
    text_add(&lines, " '");
    add_launch(&l);
    text_char(&lines, '\'');
  }
  struct diagnostic *d = diag_report(diags, DIAG_NO_TEST, (struct span){source, 0, 0},
                                     "give a launch after the module, or a test that names it");
  diag_hint(diags, d, "ptxlit checks the launch of a kernel%s",
            lines.len ? "; --print writes it as a test file. Replace sizes, array lengths and values of these examples:"
                      : ", but this module has no kernel");
  d->lines = lines.len ? text_str(&lines) : NULL;
}
