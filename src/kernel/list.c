/* Answers a module given in place of a test: lists its kernels, each with a launch to start from (K20). Its lengths are
 * those that a run reaches in which the arrays have none. */

#include "kernel/expand.h"
#include "kernel/mangled.h"
#include "kernel/usage.h"
#include "litmus/launch.h"
#include "ptx/isa.h"

bool kernel_is_module(const struct source *source) {
  const char *dot = strrchr(source->name, '.');
  return dot && (strcmp(dot, ".ptx") == 0 || strcmp(dot, ".cu") == 0);
}

/* MOST_SHARED: the dynamic shared memory that a launch may have without an attribute. MEMBERS: the most members
 * listed. */
enum { BLOCKS = 2, THREADS = 128, ELEMENTS = 64, MOST_SHARED = 49152, MAP_SIZE = 128, MEMBERS = 128, STEPS = 3 };
enum { SIDE_X = 16, SIDE_Y = 16, TURNS = 3 }; /* SIDE_X, SIDE_Y: of a block with two dimensions */

/* A part of a parameter that the kernel loads. */
struct param_part {
  uint32_t at, bytes;
  bool is_address, is_map; /* is_map: that of a tensor map */
};

struct launch_list {
  struct arena *arena;
  struct intern *names;
  const struct module *module;
  const struct module_function *kernel;
  struct text *out;
  struct usage usage;
  struct mangled mangled; /* of the kernel's name */
  struct module_numbers grid, block, cluster;
  struct kernel_trial *trial; /* NULL: none yet */
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
    LIST_EACH (operand, instr->operands)
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
    LIST_EACH (operand, instr->operands)
      if ((operand->kind == LITMUS_BRACKET && operand->u.ref.name == reg) ||
          (operand->kind == LITMUS_TENSOR && operand->u.tensor.ref.name == reg))
        return true;
  }
  return false;
}

/* True if a register is the address of a tensor map: of the map of a copy, itself or converted. */
static bool is_map_address(const struct module_function *f, const char *reg, uint32_t steps) {
  const struct module_item *at = f->items;
  for (const struct litmus_instr *instr; (instr = next_instr(&at));) {
    const struct litmus_operand *to = instr->operands;
    bool moves = strcmp(instr->opcode.text, "mov") == 0 || strcmp(instr->opcode.text, "cvta") == 0;
    if (moves && to && is_named(to->next, reg) && steps && is_map_address(f, to->u.ref.name, steps - 1)) return true;
    LIST_EACH (operand, instr->operands)
      if (operand->kind == LITMUS_TENSOR && operand->u.tensor.ref.name == reg) return true;
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
      bool address = (bytes == 8 || (bytes == 4 && l->module->narrow)) && to->kind == LITMUS_NAME &&
                     is_address(l->kernel, to->u.ref.name, STEPS);
      bool map = address && is_map_address(l->kernel, to->u.ref.name, STEPS);
      out[count++] = (struct param_part){offset, bytes, address, map};
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

/* The type of a parameter in the name of the kernel; "" if it has none. */
static const char *type_of(const struct launch_list *l, uint32_t number) {
  return number < l->mangled.type_count ? l->mangled.types[number] : "";
}

/* The type of what a parameter points to, where the name of the kernel has it: `float` of `const float*`. */
static const char *pointee(const struct launch_list *l, uint32_t number) {
  static const char *const known[] = {"char",    "signed char", "unsigned char", "short",         "unsigned short",
                                      "int",     "unsigned",    "long",          "unsigned long", "long long",
                                      "float",   "double",      "half",          "__half",        "unsigned long long",
                                      "float2",  "float4",      "int2",          "int4",          "uint4",
                                      "double2", "__half2",     "__nv_bfloat16"};
  const char *type = type_of(l, number);
  for (const char *const *word = (const char *const[]){"const ", "volatile ", "const ", NULL}; *word; word++)
    if (base_begins(type, *word)) type += strlen(*word);
  size_t length = strcspn(type, "*&");
  for (size_t i = 0; i < ARRAY_LEN(known); i++)
    if (type[length] && strlen(known[i]) == length && memcmp(known[i], type, length) == 0) return known[i];
  return "int";
}

/* float a[]; or with the length that the trial found, if all addresses in the array are known. */
static void add_array(const struct launch_list *l, const char *type, const char *name) {
  uint64_t count = 0;
  bool whole = !l->trial;
  text_printf(l->out, "%s %s[", type, name);
  for (uint32_t i = 0; l->trial && i < l->trial->arrays.len; i++) {
    const struct kernel_reach *array = &l->trial->arrays.data[i];
    if (strcmp(array->name, name) == 0) count = array->count, whole = array->whole;
  }
  if (!whole) text_printf(l->out, "%llu", (unsigned long long)(count ? count : 1));
  text_char(l->out, ']');
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
    if (loaded && members[k].is_address) add_array(l, "int", arena_printf(l->arena, "%s_%u", name, at));
    else add_number(l, bytes, loaded);
  }
  text_char(l->out, '}');
}

/* All threads of the launch along an axis. */
static uint32_t threads_along(const struct launch_list *l, uint32_t axis) {
  uint32_t blocks = axis < l->grid.count ? l->grid.first[axis] : 1;
  uint32_t threads = axis < l->block.count ? l->block.first[axis] : 1;
  return blocks * threads;
}

/* A number that an index is compared or multiplied with is as large as the launch, so that no thread is idle; another
 * that is compared may end a loop, which then has a few iterations. */
static void add_scalar(const struct launch_list *l, const struct module_variable *p) {
  uint32_t axis = usage_axis(l->arena, l->kernel, p->name.text);
  uint64_t size = axis < USAGE_AXES    ? threads_along(l, axis)
                  : axis == USAGE_LOOP ? TURNS
                                       : 1,
           most = module_bytes(p) == 1 ? INT8_MAX : INT16_MAX;
  if (litmus_has_word(&p->words, ".f32") || litmus_has_word(&p->words, ".f64")) size = 1;
  text_printf(l->out, "%llu", (unsigned long long)(module_bytes(p) < 4 && size > most ? most : size));
}

/* tensormap m = {int m_of[4096], .b32, dims 64 64, box 64 64}, with the rank of the copies. */
static void add_map(const struct launch_list *l, const struct module_variable *p, const char *name) {
  static const char *const ranks[] = {".1d", ".2d", ".3d", ".4d", ".5d"};
  size_t rank = 0;
  const struct module_item *at = l->kernel->items;
  for (const struct litmus_instr *instr; (instr = next_instr(&at));)
    for (size_t i = 0; i < ARRAY_LEN(ranks); i++)
      if (litmus_has_word(&instr->qualifiers, ".tensor") && litmus_has_word(&instr->qualifiers, ranks[i])) rank = i;
  (void)p;
  text_printf(l->out, "tensormap %s = {int %s_of[], .b32, dims %d", name, name, (int)ELEMENTS);
  for (size_t i = 0; i < rank; i++) text_printf(l->out, " %d", i ? 1 : (int)ELEMENTS);
  text_printf(l->out, ", box %d", (int)ELEMENTS);
  for (size_t i = 0; i < rank; i++) text_printf(l->out, " %d", i ? 1 : (int)ELEMENTS);
  text_char(l->out, '}');
}

static void add_argument(const struct launch_list *l, const struct module_variable *p, uint32_t number) {
  const char *name = name_of(l, p, number);
  struct param_part members[MEMBERS];
  uint32_t count = find_members(l, p, members);
  bool map = p->is_array ? module_bytes(p) == MAP_SIZE && p->align >= 64 && !count : count && members[0].is_map;
  bool address = litmus_has_word(&p->words, ".ptr") || (count && members[0].is_address);
  address = address || (module_bytes(p) == 8 && strpbrk(type_of(l, number), "*&"));
  if (map) add_map(l, p, name);
  else if (p->is_array) add_structure(l, p, name);
  else if (address) add_array(l, pointee(l, number), name);
  else add_scalar(l, p);
}

/* `dim3(16, 8)`, or one number. */
static void add_size(const struct launch_list *l, const struct module_numbers *numbers) {
  uint32_t count = numbers->count;
  while (count > 1 && numbers->first[count - 1] == 1) count--;
  if (count > 1) text_add(l->out, "dim3(");
  for (uint32_t i = 0; i < count; i++) text_printf(l->out, "%s%u", i ? ", " : "", numbers->first[i]);
  if (count > 1) text_char(l->out, ')');
}

static struct module_numbers stated(const struct launch_list *l, const char *name, struct module_numbers otherwise) {
  LIST_EACH (a, l->kernel->attributes.first)
    if (strcmp(a->name.text, name) == 0 && a->numbers.product) return a->numbers;
  return otherwise;
}

static bool has_dynamic(const struct launch_list *l) {
  return SOME(LIST_EACH (v, l->module->variables.first), v->is_array && !v->has_count &&
                                                             litmus_has_word(&v->words, ".shared") &&
                                                             mentions(l->kernel, v->name.text));
}

/* One block unless the kernel reads its place among blocks, one thread unless it reads that among threads or meets
 * others; a second dimension where it reads one. */
static void choose_sizes(struct launch_list *l) {
  const struct module_numbers one = {1, 1, {1}}, plane = {SIDE_X * SIDE_Y, 2, {SIDE_X, SIDE_Y}};
  const struct module_numbers line = {THREADS, 1, {THREADS}}, some = l->usage.thread_axis[1] ? plane : line;
  const struct module_numbers usual = l->usage.threads ? some : one;
  l->block = stated(l, ".reqntid", usual);
  const struct module_numbers most = stated(l, ".maxntid", l->block);
  if (most.product < l->block.product) l->block = most;
  l->cluster = stated(l, ".reqnctapercluster", one);
  l->grid = (struct module_numbers){0, USAGE_AXES, {1, 1, 1}};
  for (uint32_t i = 0; i < USAGE_AXES; i++) {
    bool many = l->usage.block_axis[i] || (i == 0 && l->usage.blocks && !l->usage.block_axis[1]);
    l->grid.first[i] = (i < l->cluster.count ? l->cluster.first[i] : 1) * (many ? BLOCKS : 1);
  }
}

/* The name is the shortest of the source that no other kernel has. */
static void add_launch(const struct launch_list *l) {
  uint32_t number = 0;
  text_printf(l->out, "%s<<<", module_full_name(l->names, l->module, l->kernel));
  add_size(l, &l->grid);
  text_add(l->out, ", ");
  add_size(l, &l->block);
  uint32_t shared = l->trial ? (l->trial->dynamic + 15) / 16 * 16 : (uint32_t)MOST_SHARED;
  if (has_dynamic(l) && shared) text_printf(l->out, ", %u", shared);
  text_add(l->out, ">>>(");
  LIST_EACH (p, l->kernel->params) {
    if (number) text_add(l->out, ", ");
    add_argument(l, p, number++);
  }
  text_char(l->out, ')');
  if (l->usage.cooperative) text_add(l->out, " cooperative");
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

/* ---- the trial */

struct trying {
  struct launch_list *list;
  struct expansion *x;
  const char *text;
  struct kernel_trial trial;
  bool right;
};

static void try_launch(void *context) {
  struct trying *t = context;
  struct arena *arena = t->list->arena;
  struct diags diags;
  diags_init(&diags, arena);
  struct typed_launch launch = {.text = t->text, .module = t->list->module->source->name};
  const struct source *source = litmus_from_launch(arena, &diags, &launch);
  struct litmus_test *test = source ? litmus_parse(arena, t->list->names, &diags, source) : NULL;
  if (!test) return;
  struct expansion x = {.options = t->x->options, .parse = {.arena = arena, .names = t->list->names, .diags = &diags}};
  x.parse.source = source, x.parse.test = test;
  t->right = kernel_try(&x, &t->trial);
}

/* Runs the launch with arrays without lengths. False: it is wrong, or takes too long. */
static bool is_tried(struct launch_list *l, struct expansion *x, struct kernel_trial *out) {
  enum { SECONDS = 10 };
  struct text draft = {.arena = l->arena}, *whole = l->out;
  l->out = &draft;
  l->trial = NULL;
  add_launch(l);
  l->out = whole;
  struct trying *t = ARENA_MAKE(l->arena, struct trying, .list = l, .x = x, .text = text_str(&draft));
  t->trial.path = l->module->source->name, t->trial.module = (struct module *)l->module;
  bool right = arena_within(l->arena, base_deadline(SECONDS), try_launch, t) == ARENA_DONE && t->right;
  if (right) *out = t->trial;
  return right;
}

/* Half as many threads. False: there is one, or the kernel requires a number. */
static bool halve_block(struct launch_list *l) {
  const struct module_numbers none = {0};
  uint32_t axis = l->block.count > 1 && l->block.first[1] > 1 ? 1 : 0;
  if (stated(l, ".reqntid", none).product || l->block.first[axis] < 2) return false;
  l->block.first[axis] /= 2;
  l->block.product /= 2;
  return true;
}

/* A block for whose threads the kernel's arrays in shared memory are too short is halved. */
static void add_tried(struct launch_list *l, struct expansion *x, struct kernel_proposal *out) {
  struct kernel_trial *trial = ARENA_NEW(l->arena, struct kernel_trial);
  const struct module_numbers first = l->block;
  struct text line = {.arena = l->arena};
  bool right = is_tried(l, x, trial);
  struct kernel_trial next = *trial;
  while (right && next.outside && halve_block(l)) right = is_tried(l, x, &next);
  if (right && !next.outside) *trial = next;
  else l->block = first;
  l->trial = trial->threads ? trial : NULL;
  l->out = &line;
  add_launch(l);
  *out = (struct kernel_proposal){text_str(&line), trial->threads, trial->idle};
}

uint32_t kernel_propose(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source,
                        const struct kernel_options *options, const struct kernel_proposal **out) {
  struct litmus_test test = {.source = source};
  struct expansion x = {.options = options,
                        .parse = {.arena = arena, .names = names, .diags = diags, .source = source, .test = &test}};
  struct launch_list l = {.arena = arena, .names = names, .module = read_module(&x, source)};
  VEC(struct kernel_proposal) list = {0};
  for (l.kernel = l.module ? l.module->functions.first : NULL; l.kernel; l.kernel = l.kernel->next) {
    struct kernel_proposal proposal;
    if (!l.kernel->is_entry || !l.kernel->has_body) continue;
    l.usage = usage_of(arena, l.module, l.kernel);
    mangled_read(arena, l.kernel->name.text, &l.mangled);
    choose_sizes(&l);
    add_tried(&l, &x, &proposal);
    VEC_PUSH(arena, &list, proposal);
  }
  *out = list.data;
  if (l.module && !list.len)
    diag_hint(diags, diag_report(diags, DIAG_NO_TEST, (struct span){source, 0, 0}, "this module has no kernel"),
              "ptxlit checks the launch of a kernel");
  return list.len;
}

void kernel_list(struct arena *arena, struct intern *names, struct diags *diags, const struct source *source,
                 const struct kernel_options *options) {
  const struct kernel_proposal *list;
  uint32_t count = kernel_propose(arena, names, diags, source, options, &list);
  struct text lines = {.arena = arena};
  if (!count) return;
  for (uint32_t i = 0; i < count; i++) {
    text_add(&lines, i ? "\nptxlit check " : "ptxlit check ");
    add_file(&lines, source->name);
    text_printf(&lines, " '%s'", list[i].line);
  }
  struct diagnostic *d = diag_report(diags, DIAG_NO_TEST, (struct span){source, 0, 0},
                                     "give a launch after the module, or a test that names it");
  diag_hint(diags, d,
            "ptxlit checks the launch of a kernel; --print writes it as a test file. Replace sizes, array lengths and "
            "values of these examples:");
  d->lines = text_str(&lines);
}
