/* The threads of a test of kernels as columns, and the variables of the modules as entries of its init block. */
#include "kernel/expand.h"

#include <errno.h>
#include <string.h>

#include "ptx/isa.h"

enum { LANES = 32, MOST_THREADS = 4096 };

/* ---- modules */

/* The path as the test means it: relative to its own file. */
static const char *path_of(struct expansion *x, const struct litmus_kernel *kernel) {
  const char *test = x->parse.test->source->name, *slash = strrchr(test, '/');
  if (!slash || kernel->file.text[0] == '/') return kernel->file.text;
  return arena_printf(x->parse.arena, "%.*s/%s", (int)(slash - test), test, kernel->file.text);
}

/* Its own text is read too: for whether it may be read at all, and be quoted. */
static bool compile(struct expansion *x, const struct litmus_kernel *kernel, const char *path, struct source *source) {
  struct kernel_compilation compilation = {.arena = x->parse.arena,
                                           .diags = x->parse.diags,
                                           .options = x->options,
                                           .path = path,
                                           .flags = &x->flags,
                                           .span = kernel->file.span};
  bool hidden = source->hidden;
  if (!kernel_compile(&compilation, source)) return false;
  source->hidden = hidden;
  x->parse.test->compiler = compilation.command;
  return true;
}

static bool read_text(struct expansion *x, const struct litmus_kernel *kernel, const char *path,
                      struct source *source) {
  const struct input_bounds *bounds = x->options->bounds;
  if (kernel_is_source(path) && !kernel_may_compile(x->parse.diags, x->options, path, kernel->file.span)) return false;
  enum source_status status = source_read_named(x->parse.arena, path, bounds, source);
  if (status == SOURCE_OK) return !kernel_is_source(path) || compile(x, kernel, path, source);
  return diag_refuse(x->parse.diags, DIAG_UNREADABLE, kernel->file.span, "cannot read '%s': %s", path,
                     status == SOURCE_TOO_LARGE ? "it is too large" : base_error(errno));
}

static struct module *read_module(struct expansion *x, const struct litmus_kernel *kernel) {
  const char *path = path_of(x, kernel);
  struct source *source = ARENA_NEW(x->parse.arena, struct source);
  for (uint32_t i = 0; i < x->modules.len; i++)
    if (strcmp(x->modules.data[i].path, path) == 0) return x->modules.data[i].module;
  struct loaded_module loaded = {.path = path};
  if (read_text(x, kernel, path, source)) {
    loaded.module = module_parse(x->parse.arena, x->parse.names, x->parse.diags, source);
    if (loaded.module && kernel_is_source(path)) module_name_lines(x->parse.arena, loaded.module, source);
  }
  VEC_PUSH(x->parse.arena, &x->modules, loaded);
  return loaded.module;
}

static const struct module_function *find_entry(struct expansion *x, const struct module *module,
                                                const struct litmus_kernel *kernel) {
  bool many;
  const struct module_function *entry = module_find(x->parse.names, module, kernel->entry.text, &many);
  if (entry && entry->is_entry) return entry;
  struct diagnostic *d;
  if (many)
    d = diag_report(x->parse.diags, DIAG_UNKNOWN_KERNEL, kernel->entry.span, "several kernels are called '%s'",
                    kernel->entry.text);
  else
    d = diag_report(x->parse.diags, DIAG_UNKNOWN_KERNEL, kernel->entry.span, "'%s' is no kernel of the module",
                    kernel->entry.text);
  const struct module_function *some = NULL;
  for (const struct module_function *f = module->functions.first; f && !some; f = f->next)
    if (f->is_entry && f->has_body &&
        (!many || strcmp(module_source_name(x->parse.names, f->name.text), kernel->entry.text) == 0))
      some = f;
  if (some) diag_hint(x->parse.diags, d, "it has %s", some->name.text);
  return NULL;
}

/* ---- variables */

static bool is_taken(const struct expansion *x, const char *name) {
  for (uint32_t i = 0; i < x->variables.len; i++)
    if (x->variables.data[i].name == name) return true;
  return false;
}

static struct litmus_entry *declared(const struct expansion *x, const char *name) {
  for (struct litmus_entry *entry = x->parse.test->entries; entry; entry = entry->next)
    if (entry->ref.owner == LITMUS_OWNER_NONE && entry->ref.name == name) return entry;
  return NULL;
}

static bool is_shared(const struct module_variable *v) { return module_has_word(&v->words, ".shared"); }

static bool is_variable(const struct module *module, const char *name) {
  for (const struct module_variable *v = module->variables.first; v; v = v->next)
    if (v->name.text == name) return true;
  return false;
}

/* PTX lets a variable's name begin with %, as a register's does: a location's begins with $ then. */
static const char *location_name(struct expansion *x, const struct module *module, const char *name) {
  if (*name != '%') return name;
  name = intern(x->parse.names, arena_printf(x->parse.arena, "$%s", name + 1));
  while (declared(x, name) || is_taken(x, name) || is_variable(module, name))
    name = intern(x->parse.names, arena_printf(x->parse.arena, "%s_", name));
  return name;
}

const char *kernel_use_variable(struct expansion *x, const struct module *module,
                                const struct module_variable *variable) {
  for (uint32_t i = 0; i < x->variables.len; i++)
    if (x->variables.data[i].variable == variable) return x->variables.data[i].name;
  const char *name = module_source_name(x->parse.names, variable->name.text);
  /* A location of the test may give a global variable its value, but is not a variable that belongs to a function. */
  bool own = declared(x, name) && (is_shared(variable) || name != variable->name.text);
  if (own || is_taken(x, name)) name = variable->name.text;
  name = location_name(x, module, name);
  VEC_PUSH(x->parse.arena, &x->variables, (struct used_variable){.module = module, .variable = variable, .name = name});
  return name;
}

/* The words of a declaration that the init block has too: state space and type. */
static struct litmus_words entry_words(struct expansion *x, const struct module_variable *v) {
  struct litmus_words words = {0};
  for (const struct litmus_word *word = v->words.first; word; word = word->next) {
    static const char *const spaces[] = {".global", ".shared", ".const", ".local"};
    bool kept = isa_type_named(word->text) != PTX_TYPES;
    for (size_t i = 0; i < ARRAY_LEN(spaces); i++) kept = kept || strcmp(spaces[i], word->text) == 0;
    if (!kept) continue;
    struct litmus_word *copy = ARENA_NEW(x->parse.arena, struct litmus_word);
    *copy = *word;
    copy->next = NULL;
    words = litmus_words_add(words, copy);
  }
  return words;
}

/* A location that the init block names, with words of its own or with those of the module. */
static void adopt(struct expansion *x, struct litmus_entry *entry, const struct module_variable *v) {
  if (entry->qualifiers.first || entry->types.first || entry->alias_of) return;
  entry->qualifiers = entry_words(x, v);
  if (!v->is_array || entry->is_array) return;
  entry->is_array = entry->has_count = true;
  entry->count = v->count;
}

enum { DYNAMIC_BYTES = 1024 }; /* of shared memory whose size the launch decides, where the test does not say */

/* The elements of dynamic shared memory: the launch says how many bytes it has. */
static uint32_t dynamic_count(const struct expansion *x, const struct litmus_entry *entry) {
  uint32_t bytes = DYNAMIC_BYTES, size = 1;
  for (const struct litmus_kernel *k = x->parse.test->kernels; k; k = k->next)
    if (k->shared) bytes = k->shared;
  for (const struct litmus_word *word = entry->qualifiers.first; word; word = word->next)
    if (isa_type_named(word->text) != PTX_TYPES) size = type_bytes(isa_type(isa_type_named(word->text)));
  return bytes / size ? bytes / size : 1;
}

static void add_entry(struct expansion *x, const struct used_variable *used) {
  const struct module_variable *v = used->variable;
  struct litmus_entry *entry = declared(x, used->name), **end = &x->parse.test->entries;
  if (entry) {
    adopt(x, entry, v);
    return;
  }
  struct litmus_ref ref = {.name = used->name, .span = v->name.span};
  entry = litmus_entry_new(&x->parse, entry_words(x, v), (struct litmus_words){0}, ref, v->span);
  entry->is_array = entry->has_count = v->is_array;
  entry->count = v->has_count ? v->count : dynamic_count(x, entry);
  entry->values = v->values;
  entry->braces = v->is_array && v->values;
  entry->zeroed = !is_shared(v) && !module_has_word(&v->words, ".local");
  while (*end) end = &(*end)->next;
  *end = entry;
  kernel_type_array(x, used, entry);
  for (struct litmus_value *value = v->values; value; value = value->next) {
    if (!value->is_address) continue;
    for (const struct module_variable *to = used->module->variables.first; to; to = to->next)
      if (to->name.text == value->ref.name) value->ref.name = kernel_use_variable(x, used->module, to);
  }
}

/* ---- arguments */

static unsigned width_of(const struct module_variable *param) {
  unsigned width = 0;
  for (const struct litmus_word *word = param->words.first; word; word = word->next)
    if (isa_type_named(word->text) != PTX_TYPES) width = isa_type(isa_type_named(word->text)).width;
  return width;
}

uint32_t kernel_field_bytes(const struct litmus_value *field) {
  if (field->type && isa_type_named(field->type->text) != PTX_TYPES)
    return type_bytes(isa_type(isa_type_named(field->type->text)));
  return field->is_address ? 8 : 4;
}

/* The members of a structure lie as C lays them out. NULL: they fill the parameter. */
static struct diagnostic *check_structure(struct expansion *x, const struct litmus_value *value,
                                          const struct module_variable *p) {
  uint32_t size = 0, align = p->align ? p->align : 1;
  for (const struct litmus_value *field = value->fields; field; field = field->next) {
    uint32_t bytes = kernel_field_bytes(field);
    if (field->type && isa_type_named(field->type->text) == PTX_TYPES)
      return diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, field->type->span, "'%.40s' is no type",
                         field->type->text);
    if (field->is_address && bytes != 8)
      return diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, field->span,
                         "an address does not fit in a member of %u bits", 8 * bytes);
    size = (size + bytes - 1) / bytes * bytes + bytes;
  }
  size = (size + align - 1) / align * align;
  if (size == p->count) return NULL;
  struct diagnostic *d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                                     "the members take %u byte%s, and the structure has %u", size,
                                     size == 1 ? "" : "s", p->count);
  diag_hint(x->parse.diags, d, "a location has 8 bytes and a number 4; say so where it is another type: {x, .u64 1}");
  return d;
}

static bool check_arguments(struct expansion *x, const struct litmus_kernel *kernel,
                            const struct module_function *entry) {
  const struct litmus_value *value = kernel->args;
  unsigned given = 0, wanted = 0;
  for (; value; value = value->next) given++;
  for (const struct module_variable *p = entry->params; p; p = p->next) wanted++;
  if (given != wanted) {
    struct diagnostic *d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, kernel->span,
                                       "the kernel takes %u argument%s, not %u", wanted, wanted == 1 ? "" : "s", given);
    d->other = entry->span;
    d->other_message = "declared here";
    return false;
  }
  value = kernel->args;
  for (const struct module_variable *p = entry->params; p; p = p->next, value = value->next) {
    struct diagnostic *d = NULL;
    if (p->is_array != (value->fields != NULL))
      d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                      p->is_array ? "the parameter is a structure: write its members as {x, 1}"
                                  : "the parameter is no structure");
    else if (p->is_array)
      d = check_structure(x, value, p);
    else if (value->is_address && width_of(p) != 64)
      d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                      "an address does not fit in a parameter of %u bits", width_of(p));
    if (!d) continue;
    d->other = p->span;
    d->other_message = "the parameter";
    return false;
  }
  return true;
}

/* ---- threads */

/* The columns so far. Each is a list of cells. */
struct thread_columns {
  VEC(const struct code *) codes; /* by thread */
  struct litmus_thread *last;
  uint32_t first_cta; /* of the present kernel on its gpu */
};

static void add_level(struct expansion *x, struct litmus_thread *thread, const char *key, uint32_t number) {
  struct litmus_level *level = ARENA_NEW(x->parse.arena, struct litmus_level), **end = &thread->levels;
  *level = (struct litmus_level){.key = {.text = intern(x->parse.names, key), .span = thread->span}, .number = number};
  while (*end) end = &(*end)->next;
  *end = level;
}

static void add_thread(struct expansion *x, struct thread_columns *columns, const struct litmus_kernel *kernel,
                       const struct code *code, uint32_t block, uint32_t tid) {
  struct litmus_test *test = x->parse.test;
  struct litmus_thread *thread = ARENA_NEW(x->parse.arena, struct litmus_thread);
  uint32_t cluster = kernel->cluster ? kernel->cluster : 1, cta = columns->first_cta + block;
  thread->span = kernel->span;
  thread->placed = true;
  thread->name = (struct litmus_word){
      .text = intern(x->parse.names, arena_printf(x->parse.arena, "P%u", test->thread_count)), .span = kernel->span};
  add_level(x, thread, "cta", cta);
  add_level(x, thread, "gpu", kernel->gpu);
  if (kernel->cluster) {
    add_level(x, thread, "cluster", (columns->first_cta + cluster - 1) / cluster + block / cluster);
    add_level(x, thread, "cluster_ctarank", block % cluster);
    add_level(x, thread, "cluster_nctarank", cluster);
  }
  add_level(x, thread, "tid", tid);
  add_level(x, thread, "ntid", kernel->block);
  add_level(x, thread, "nctaid", kernel->grid);
  if (cta != block) add_level(x, thread, "ctaid", block);
  if (cta != block && kernel->cluster) add_level(x, thread, "clusterid", block / cluster);
  if (columns->last) columns->last->next = thread;
  else test->threads = thread;
  columns->last = thread;
  test->thread_count++;
  VEC_PUSH(x->parse.arena, &columns->codes, code);
}

static bool check_sizes(struct expansion *x, const struct litmus_kernel *kernel) {
  struct diagnostic *d = NULL;
  if (!kernel->grid || !kernel->block)
    d = diag_report(x->parse.diags, DIAG_MISSING_PLACEMENT, kernel->span, "the kernel has no %s",
                    kernel->grid ? "block" : "grid");
  else if (kernel->cluster && kernel->grid % kernel->cluster)
    d = diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, kernel->span,
                    "a grid of %u does not consist of clusters of %u", kernel->grid, kernel->cluster);
  else if (!kernel->threads && (uint64_t)kernel->grid * kernel->block > MOST_THREADS)
    d = diag_report(x->parse.diags, DIAG_TOO_LARGE, kernel->span,
                    "the kernel has %llu threads; at most %d are accepted",
                    (unsigned long long)kernel->grid * kernel->block, (int)MOST_THREADS);
  if (!d) return true;
  if (!kernel->grid || !kernel->block) diag_hint(x->parse.diags, d, "write how large they are: grid 2 block 64");
  else if (!kernel->cluster || kernel->grid % kernel->cluster == 0)
    diag_hint(x->parse.diags, d, "name the threads that matter: threads 0,0 1,0");
  return false;
}

static bool check_attribute(struct expansion *x, const struct litmus_kernel *kernel,
                            const struct module_attribute *attribute) {
  const char *name = attribute->name.text;
  uint32_t cluster = kernel->cluster ? kernel->cluster : 1;
  struct diagnostic *d = NULL;
  if (!attribute->product) return true;
  unsigned long long wanted = attribute->product;
  if (strcmp(name, ".maxntid") == 0 && kernel->block > wanted)
    d = diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, kernel->span,
                    "blocks of %u threads, and the kernel is for at most %llu", kernel->block, wanted);
  else if (strcmp(name, ".reqntid") == 0 && kernel->block != wanted)
    d = diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, kernel->span,
                    "blocks of %u threads, and the kernel is for %llu", kernel->block, wanted);
  else if (strcmp(name, ".reqnctapercluster") == 0 && cluster != wanted)
    d = diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, kernel->span,
                    "clusters of %u blocks, and the kernel is for %llu", cluster, wanted);
  else if (strcmp(name, ".maxclusterrank") == 0 && cluster > wanted)
    d = diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, kernel->span,
                    "clusters of %u blocks, and the kernel is for at most %llu", cluster, wanted);
  if (!d) return true;
  d->other = attribute->name.span;
  d->other_message = "declared here";
  return false;
}

/* What the kernel says of its launch (11.4). */
static bool check_attributes(struct expansion *x, const struct litmus_kernel *kernel,
                             const struct module_function *entry) {
  for (const struct module_attribute *a = entry->attributes.first; a; a = a->next)
    if (!check_attribute(x, kernel, a)) return false;
  return true;
}

static bool add_threads(struct expansion *x, struct thread_columns *columns, const struct litmus_kernel *kernel,
                        const struct code *code) {
  bool right = true;
  for (const struct litmus_pair *pair = kernel->threads; pair; pair = pair->next) {
    if (pair->block < kernel->grid && pair->thread < kernel->block) {
      add_thread(x, columns, kernel, code, pair->block, pair->thread);
      continue;
    }
    diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, pair->span, "thread %u of block %u is outside the grid",
                pair->thread, pair->block);
    right = false;
  }
  for (uint32_t b = 0; b < kernel->grid && !kernel->threads; b++)
    for (uint32_t t = 0; t < kernel->block; t++) add_thread(x, columns, kernel, code, b, t);
  return right;
}

static bool expand_kernel(struct expansion *x, struct thread_columns *columns, const struct litmus_kernel *kernel) {
  const struct module *module = read_module(x, kernel);
  const struct module_function *entry = module ? find_entry(x, module, kernel) : NULL;
  struct code *code = ARENA_NEW(x->parse.arena, struct code);
  if (!entry || !check_sizes(x, kernel) || !check_attributes(x, kernel, entry)) return false;
  if (!check_arguments(x, kernel, entry)) return false;
  columns->first_cta = 0;
  for (const struct litmus_kernel *k = x->parse.test->kernels; k != kernel; k = k->next)
    if (k->gpu == kernel->gpu) columns->first_cta += k->grid;
  if (!kernel_inline(x, module, kernel, entry, code)) return false;
  kernel_trace_arrays(x, code);
  return add_threads(x, columns, kernel, code);
}

static void build_rows(struct expansion *x, const struct thread_columns *columns) {
  struct litmus_test *test = x->parse.test;
  struct litmus_row **end = &test->rows;
  uint32_t height = 0;
  for (uint32_t t = 0; t < columns->codes.len; t++)
    if (columns->codes.data[t]->cells.len > height) height = columns->codes.data[t]->cells.len;
  for (uint32_t i = 0; i < height; i++) {
    struct litmus_row *row = ARENA_NEW(x->parse.arena, struct litmus_row);
    struct litmus_cell **last = &row->cells;
    for (uint32_t t = 0; t < columns->codes.len; t++) {
      const struct code *code = columns->codes.data[t];
      struct litmus_cell *cell = ARENA_NEW(x->parse.arena, struct litmus_cell);
      cell->span = test->kernels->span;
      if (i < code->cells.len)
        *cell = (struct litmus_cell){
            .labels = code->cells.data[i].labels, .instr = code->cells.data[i].instr, .span = code->cells.data[i].span};
      *last = cell;
      last = &cell->next;
      row->count++;
    }
    row->span = row->cells->span;
    *end = row;
    end = &row->next;
    test->row_count++;
  }
}

/* ---- names in conditions */

static bool place_thread(struct expansion *x, struct litmus_ref *ref) {
  uint32_t number = 0, found = UINT32_MAX, matches = 0;
  for (const struct litmus_kernel *k = x->parse.test->kernels; k; k = k->next) {
    if (!k->threads && ref->cta < k->grid && ref->thread < k->block)
      found = number + ref->cta * k->block + ref->thread, matches++;
    for (const struct litmus_pair *pair = k->threads; pair; pair = pair->next, number++)
      if (pair->block == ref->cta && pair->thread == ref->thread) found = number, matches++;
    if (!k->threads) number += k->grid * k->block;
  }
  if (matches == 1) {
    ref->owner = LITMUS_OWNER_THREAD;
    ref->thread = found;
    return true;
  }
  struct diagnostic *d =
      diag_report(x->parse.diags, DIAG_UNKNOWN_THREAD, ref->owner_span,
                  matches ? "several kernels have a thread %u of block %u" : "the test has no thread %u of block %u",
                  ref->thread, ref->cta);
  if (matches)
    diag_hint(x->parse.diags, d, "write the number of its column: P0, P1 and so on, in the order of the kernels");
  return false;
}

static bool name_ref(struct expansion *x, struct litmus_ref *ref) {
  if (ref->owner == LITMUS_OWNER_PLACE) return place_thread(x, ref);
  for (uint32_t i = 0; i < x->variables.len; i++)
    if (x->variables.data[i].variable->name.text == ref->name && !declared(x, ref->name))
      ref->name = x->variables.data[i].name;
  return true;
}

static bool name_term(struct expansion *x, struct litmus_term *term) {
  return term->kind == LITMUS_TERM_NUMBER || name_ref(x, &term->ref);
}

/* Its depth is bounded by the parser's stack. */
static bool name_cond(struct expansion *x, struct litmus_cond *cond) {
  bool right = true;
  if (!cond) return true;
  for (struct litmus_cond *part = cond->parts; part; part = part->next) right = name_cond(x, part) && right;
  if (cond->kind != LITMUS_COMPARE) return right;
  return name_term(x, cond->a) && name_term(x, cond->b) && right;
}

bool kernel_expand(struct arena *arena, struct intern *names, struct diags *diags, struct litmus_test *test,
                   const struct kernel_options *options) {
  struct expansion x = {
      .options = options,
      .parse = {.arena = arena, .names = names, .diags = diags, .source = test->source, .test = test}};
  struct thread_columns columns = {0};
  if (!test->kernels) return true;
  if (!kernel_read_flags(arena, diags, test, &x.flags)) return false;
  for (const struct litmus_kernel *kernel = test->kernels; kernel; kernel = kernel->next)
    if (!expand_kernel(&x, &columns, kernel)) return false;
  build_rows(&x, &columns);
  for (uint32_t i = 0; i < x.variables.len; i++) {
    struct used_variable used = x.variables.data[i];
    add_entry(&x, &used);
  }
  bool right = name_cond(&x, test->condition) && name_cond(&x, test->filter);
  for (struct litmus_term *term = test->locations; term; term = term->next) right = name_term(&x, term) && right;
  return right;
}
