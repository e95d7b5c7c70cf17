/* Expands a test of kernels: threads become columns, and module variables become entries of the init block. */
#include "kernel/needs.h"
#include "kernel/rests.h"

#include "ptx/isa.h"

/* MOST_THREADS: that are run; MOST_FOLLOWED: before twins are left out. */
enum { MOST_THREADS = 1 << 20, MOST_FOLLOWED = 1 << 26, MOST_BLOCKS = 1000000, MOST_NAMES = 8 };

/* ---- modules */

/* The path of the module, relative to the test file. */
static const char *path_of(struct expansion *x, const struct litmus_kernel *kernel) {
  const char *test = x->parse.test->source->name, *slash = strrchr(test, '/');
  if (!slash || kernel->file.text[0] == '/') return kernel->file.text;
  return arena_printf(x->parse.arena, "%.*s/%s", (int)(slash - test), test, kernel->file.text);
}

/* Compiles the source of a module. `source` becomes the PTX, quoted in messages only if the file itself may be. */
bool kernel_make_module(struct expansion *x, struct span span, const char *path, struct source *source) {
  struct kernel_compilation compilation = {.arena = x->parse.arena,
                                           .diags = x->parse.diags,
                                           .options = x->options,
                                           .path = path,
                                           .flags = &x->flags,
                                           .span = span};
  bool hidden = source->hidden;
  if (!kernel_compile(&compilation, source)) return false;
  source->hidden = hidden;
  x->parse.test->compiler = compilation.command;
  return true;
}

static bool read_text(struct expansion *x, const struct litmus_kernel *kernel, const char *path,
                      struct source *source) {
  const struct input_bounds *bounds = x->options->bounds;
  const struct span span = x->parse.source->typed ? (struct span){0} : kernel->file.span; /* a launch names no file */
  if (kernel_is_source(path) && !kernel_may_compile(x->parse.diags, x->options, path, span)) return false;
  enum source_status status = source_read_named(x->parse.arena, path, bounds, source);
  if (status == SOURCE_OK) return !kernel_is_source(path) || kernel_make_module(x, span, path, source);
  return diag_refuse(x->parse.diags, DIAG_UNREADABLE, span, "cannot read '%s': %s", path,
                     status == SOURCE_TOO_LARGE ? "it is too large" : base_error(errno));
}

static struct module *read_module(struct expansion *x, const struct litmus_kernel *kernel) {
  const char *path = path_of(x, kernel);
  struct source *source = ARENA_NEW(x->parse.arena, struct source);
  VEC_EACH (known, x->modules)
    if (strcmp(known->path, path) == 0) return known->module;
  struct loaded_module loaded = {.path = path};
  if (read_text(x, kernel, path, source)) {
    loaded.module = module_parse(x->parse.arena, x->parse.names, x->parse.diags, source);
    if (loaded.module) module_name_lines(x->parse.arena, loaded.module, kernel_is_source(path), source);
  }
  VEC_PUSH(x->parse.arena, x->modules, loaded);
  return loaded.module;
}

static const struct module_function *find_entry(struct expansion *x, const struct module *module,
                                                const struct litmus_kernel *kernel) {
  bool many;
  const struct module_function *entry = module_find(x->parse.names, module, kernel->entry.text, &many);
  if (entry && entry->is_entry) return entry;
  struct diagnostic *d =
      diag_report(x->parse.diags, DIAG_UNKNOWN_KERNEL, kernel->entry.span,
                  many ? "several kernels are called '%s'" : "the module has no kernel '%s'", kernel->entry.text);
  VEC(const char *) names = {0};
  LIST_EACH (f, module->functions.first) {
    const char *own = module_source_name(x->parse.names, f->name.text);
    if (!f->is_entry || !f->has_body || (many && !strstr(kernel->entry.text, own))) continue;
    VEC_PUSH(x->parse.arena, &names, module_full_name(x->parse.names, module, f));
  }
  const char *near = nearest_word(kernel->entry.text, names.data, names.len);
  struct text list = {.arena = x->parse.arena};
  for (uint32_t i = 0; i < names.len && i < MOST_NAMES; i++) text_printf(&list, "%s%s", i ? ", " : "", names.data[i]);
  if (names.len > MOST_NAMES) text_add(&list, ", ...");
  if (near) diag_hint(x->parse.diags, d, "did you mean %s?", near);
  else if (names.len) diag_hint(x->parse.diags, d, "it has %s", text_str(&list));
  else diag_hint(x->parse.diags, d, "it has no kernel at all");
  return NULL;
}

/* ---- variables */

const char *kernel_use_variable(struct expansion *x, const struct module *module,
                                const struct module_variable *variable, int64_t offset) {
  VEC_EACH (used, &x->variables)
    if (used->variable == variable && used->offset == offset) return used->name;
  const char *kind = litmus_has_word(&variable->words, ".param") ? KERNEL_PARAM_REGISTER : KERNEL_ADDRESS_REGISTER;
  const char *name = kernel_give(x, arena_printf(x->parse.arena, "%s%u", kind, x->variables.len));
  VEC_PUSH(x->parse.arena, &x->variables, (struct used_variable){module, variable, 0, name, offset});
  return name;
}

/* ---- arguments */

static unsigned width_of(const struct module_variable *p) { return 8 * module_element_bytes(p); }

/* True for a tensor map, which a structure, or a parameter of its size, contains by value and not by address. */
static bool is_map(const struct expansion *x, const char *name) {
  return SOME(LIST_EACH (entry, x->parse.test->entries), entry->map && entry->ref.name == name);
}

/* True if an address fits: of 64 bits, or of 32 where the module says so. */
static bool holds_address(const struct module *module, uint32_t bytes) {
  return bytes == 8 || (bytes == 4 && module->narrow);
}

/* Checks that the members, in C's layout, fill the parameter. NULL: they do. */
static struct diagnostic *check_structure(struct expansion *x, const struct module *module,
                                          const struct litmus_value *value, const struct module_variable *p) {
  uint32_t size = 0, align = p->align ? p->align : 1;
  LIST_EACH (field, value->fields) {
    bool map = field->is_address && !field->type && is_map(x, field->ref.name);
    uint32_t bytes = map ? (uint32_t)MAP_BYTES : launch_field_bytes(field, module->narrow), least = map ? 64 : bytes;
    if (field->type && isa_type_named(field->type->text) == PTX_TYPES)
      return diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, field->type->span, "'%.40s' is not a type",
                         field->type->text);
    if (field->is_address && !map && !holds_address(module, bytes))
      return diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, field->span,
                         "the member has %u bits and takes a number, not the address of '%s'", 8 * bytes,
                         field->ref.name);
    size = (size + least - 1) / least * least + bytes;
  }
  size = (size + align - 1) / align * align;
  if (size == module_bytes(p)) return NULL;
  struct diagnostic *d =
      diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                  "the members have %u byte%s, but the structure has %u", size, size == 1 ? "" : "s", module_bytes(p));
  diag_hint(x->parse.diags, d, "a location takes 8 bytes and a number 4; for another size give a type: {x, .u64 1}");
  return d;
}

static bool fits(const struct litmus_number *number, unsigned width) {
  value_t most = value_mask(width);
  return number->kind != LITMUS_INTEGER || number->value <= (number->negative ? most / 2 + 1 : most);
}

/* A launch with too few arguments is marked at the parenthesis that ends them. */
static bool check_count(struct expansion *x, const struct litmus_kernel *kernel, const struct module_function *entry) {
  unsigned given = 0, wanted = 0;
  struct span span = {kernel->span.source, kernel->span.end - 1, kernel->span.end};
  struct text types = {.arena = x->parse.arena};
  for (const struct module_variable *p = entry->params; p; p = p->next, wanted++) {
    text_printf(&types, "%s%u", wanted ? ", " : "", module_bytes(p));
  }
  LIST_EACH (value, kernel->args)
    if (++given == wanted + 1) span = value->span;
  if (given == wanted) return true;
  struct diagnostic *d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, span,
                                     "the kernel takes %u argument%s, not %u", wanted, wanted == 1 ? "" : "s", given);
  if (wanted)
    diag_hint(x->parse.diags, d, "the bytes of its parameters: %s; an array gives an address, of 8 bytes",
              text_str(&types));
  return diag_beside(d, entry->span, "declared here");
}

static bool check_arguments(struct expansion *x, const struct module *module, const struct litmus_kernel *kernel,
                            const struct module_function *entry) {
  const struct litmus_value *value = kernel->args;
  if (!check_count(x, kernel, entry)) return false;
  value = kernel->args;
  for (const struct module_variable *p = entry->params; p; p = p->next, value = value->next) {
    struct diagnostic *d = NULL;
    bool map = value->is_address && !value->fields && p->is_array && is_map(x, value->ref.name);
    if (!map && p->is_array && !value->fields)
      d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                      module_bytes(p) == MAP_BYTES ? "the parameter is a structure or a tensor map" HINT
                                                     "write its members as {x, 1}, or the map as "
                                                     "tensormap m = {int A[64], .b32, dims 64, box 64}"
                                                   : "the parameter is a structure" HINT "write its members as {x, 1}");
    else if (map && module_bytes(p) != MAP_BYTES)
      d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span, "a tensor map has %d bytes", (int)MAP_BYTES);
    else if (value->fields) d = check_structure(x, module, value, p);
    else if (value->is_address && !map && !holds_address(module, module_element_bytes(p)))
      d = diag_report(x->parse.diags, DIAG_WRONG_ARGUMENT, value->span,
                      "the parameter has %u bits and takes a number, not the address of '%s'", width_of(p),
                      value->ref.name);
    else if (!value->is_address && !value->fields && !fits(&value->number, width_of(p)))
      return diag_refuse(x->parse.diags, DIAG_VALUE_RANGE, value->span, "the value does not fit in %u bits",
                         width_of(p));
    if (d) return diag_beside(d, p->span, "the parameter");
  }
  return true;
}

/* ---- threads */

/* The place of a size that is given, or else that of the kernel. */
static struct span size_place(const struct litmus_kernel *kernel, const struct litmus_extent *size) {
  return size->span.source ? size->span : kernel->span;
}

static bool check_sizes(struct expansion *x, const struct litmus_kernel *kernel) {
  uint32_t grid = litmus_volume(kernel->grid), block = litmus_volume(kernel->block);
  uint32_t cluster = kernel->cluster.x ? litmus_volume(kernel->cluster) : 1;
  if (!grid || !block)
    return diag_refuse(x->parse.diags, DIAG_MISSING_PLACEMENT, kernel->span,
                       "the kernel has no %s" HINT "give the sizes: grid 2 block 64", grid ? "block" : "grid");
  if (grid % cluster == 0) return true;
  return diag_refuse(x->parse.diags, DIAG_WRONG_PLACEMENT,
                     size_place(kernel, kernel->cluster.span.source ? &kernel->cluster : &kernel->grid),
                     "a grid of %u blocks cannot be divided into clusters of %u", grid, cluster);
}

/* A launch that a GPU accepts and ptxlit does not is not an error. NULL: ptxlit accepts it. */
static const struct reason *too_many(struct arena *arena, const struct litmus_kernel *kernel, uint32_t most) {
  uint64_t blocks = litmus_volume(kernel->grid), threads = blocks * litmus_volume(kernel->block);
  bool named = kernel->threads != NULL;
  if (named ? blocks <= MOST_BLOCKS : threads <= most) return NULL;
  const char *text = arena_printf(arena, "the launch has %llu %s, and ptxlit takes at most %d: %s",
                                  (unsigned long long)(named ? blocks : threads), named ? "blocks" : "threads",
                                  named ? (int)MOST_BLOCKS : (int)MOST_THREADS, reason_get(REASON_MANY_THREADS)->cure);
  return reason_with(arena, REASON_MANY_THREADS, text);
}

/* Fewer blocks may do, which judge_parts asks about. */
static const struct reason *too_many_columns(const struct launching *l) {
  const uint32_t count = COUNT(EACH_COLUMN (r, l), true);
  if (count <= LITMUS_MOST_THREADS) return NULL;
  const char *text =
      arena_printf(l->memory.arena, "%u threads of the launch have something to decide, of at most %d%s", count,
                   LITMUS_MOST_THREADS, l->runs.data[0]->kernel->grouped ? "" : "; with 'threads grouped' fewer may");
  return reason_with(l->memory.arena, REASON_MANY_THREADS, text);
}

/* A substitute for a launch that ptxlit refuses: only its first thread. */
static const struct litmus_kernel *cut_down(struct launching *l, const struct litmus_kernel *kernel) {
  struct litmus_kernel *one = ARENA_NEW(l->memory.arena, struct litmus_kernel);
  const struct reason *limit = l->x->options->refused, *why = limit;
  if (!why) why = too_many(l->memory.arena, kernel, twins_asked(l, kernel) ? MOST_FOLLOWED : MOST_THREADS);
  if (!why) return kernel;
  if (!l->refused) l->refused = why, l->refused_place = kernel->span;
  *one = *kernel;
  one->grid = one->block = one->cluster = (struct litmus_extent){.x = 1, .y = 1, .z = 1};
  one->threads = NULL;
  return one;
}

static bool check_attribute(struct expansion *x, const struct litmus_kernel *kernel,
                            const struct module_attribute *attribute) {
  static const struct {
    const char *name;
    bool of_cluster, exact;
  } limits[] = {
      {".maxntid", false, false},
      {".reqntid", false, true},
      {".maxclusterrank", true, false},
      {".reqnctapercluster", true, true},
  };
  uint32_t cluster = kernel->cluster.x ? litmus_volume(kernel->cluster) : 1, block = litmus_volume(kernel->block);
  unsigned long long wanted = attribute->numbers.product;
  for (size_t i = 0; i < ARRAY_LEN(limits) && wanted; i++) {
    uint32_t size = limits[i].of_cluster ? cluster : block;
    if (strcmp(attribute->name.text, limits[i].name) != 0) continue;
    if (limits[i].exact ? size == wanted : size <= wanted) continue;
    const struct litmus_extent *given = limits[i].of_cluster ? &kernel->cluster : &kernel->block;
    return diag_beside(diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, size_place(kernel, given),
                                   "%s of %u %s, but the kernel %s %llu", limits[i].of_cluster ? "clusters" : "blocks",
                                   size, limits[i].of_cluster ? "blocks" : "threads",
                                   limits[i].exact ? "requires" : "allows at most", wanted),
                       attribute->name.span, "declared here");
  }
  return true;
}

/* The directives of the kernel about its launch (11.4). */
static bool check_attributes(struct expansion *x, const struct litmus_kernel *kernel,
                             const struct module_function *entry) {
  return EVERY(LIST_EACH (a, entry->attributes.first), check_attribute(x, kernel, a));
}

/* A launch without clusters gets those that the kernel requires. */
static const struct litmus_kernel *with_cluster(struct expansion *x, const struct litmus_kernel *kernel,
                                                const struct module_function *entry) {
  struct litmus_kernel *own = ARENA_COPY(x->parse.arena, kernel);
  for (const struct module_attribute *a = entry->attributes.first; a && !kernel->cluster.x; a = a->next) {
    const uint32_t *n = a->numbers.first, count = a->numbers.count;
    if (strcmp(a->name.text, ".reqnctapercluster") != 0 || !a->numbers.product) continue;
    own->cluster = (struct litmus_extent){.x = n[0], .y = count > 1 ? n[1] : 1, .z = count > 2 ? n[2] : 1};
  }
  return own;
}

static bool check_threads(struct expansion *x, const struct litmus_kernel *kernel) {
  uint32_t before = x->parse.diags->errors;
  LIST_EACH (pair, kernel->threads)
    if (pair->block >= litmus_volume(kernel->grid) || pair->last >= litmus_volume(kernel->block) ||
        pair->last < pair->thread)
      diag_report(x->parse.diags, DIAG_WRONG_PLACEMENT, pair->span, "thread %u of block %u is outside the grid",
                  pair->last, pair->block);
  return x->parse.diags->errors == before;
}

/* A large grid, of which only the first and last blocks take part, in whole clusters. */
static const struct litmus_kernel *at_most(struct expansion *x, const struct litmus_kernel *kernel) {
  struct arena *arena = x->parse.arena;
  struct litmus_test *test = x->parse.test;
  uint32_t blocks = litmus_volume(kernel->grid), cluster = kernel->cluster.x ? litmus_volume(kernel->cluster) : 1;
  uint32_t most = x->options->grid_at_most, clusters = most > 2 * cluster ? (most + cluster - 1) / cluster : 2;
  uint32_t first = (clusters + 1) / 2 * cluster, last = clusters / 2 * cluster;
  if (!most || kernel->threads || kernel->cooperative || first + last >= blocks) return kernel;
  struct litmus_kernel *own = ARENA_COPY(arena, kernel);
  struct litmus_pair **end = &own->threads;
  for (uint32_t block = 0; block < blocks; block = block + 1 == first ? blocks - last : block + 1) {
    *end = ARENA_MAKE(arena, struct litmus_pair, .block = block, .last = litmus_volume(kernel->block) - 1,
                      .span = kernel->span);
    end = &(*end)->next;
  }
  test->cut = arena_printf(arena, "%s%s%s has the first %u and the last %u of %u", test->cut ? test->cut : "",
                           test->cut ? ", " : "", kernel->entry.text, first, last, blocks);
  return own;
}

/* From here on a limit ends the reading of a launch, not of its module. */
static void add_progress(struct kernel_progress *p, const struct litmus_kernel *kernel) {
  const uint32_t blocks = litmus_volume(kernel->grid);
  p->blocks += blocks;
  p->threads += blocks * litmus_volume(kernel->block);
}

static bool add_kernel(struct launching *l, const struct litmus_kernel *kernel) {
  struct expansion *x = l->x;
  const struct module *module = read_module(x, kernel);
  const struct module_function *entry = module ? find_entry(x, module, kernel) : NULL;
  if (!entry) return false;
  kernel = at_most(x, with_cluster(x, kernel, entry));
  x->parse.test->blocks += litmus_volume(kernel->grid);
  if (!check_sizes(x, kernel) || !check_attributes(x, kernel, entry)) return false;
  if (!check_arguments(x, module, kernel, entry) || !check_threads(x, kernel)) return false;
  if (l->progress) add_progress(l->progress, kernel);
  return launch_kernel(l, module, cut_down(l, kernel), entry);
}

/* ---- names in conditions */

static bool place_thread(struct launching *l, struct litmus_ref *ref) {
  uint32_t number = 0, found = UINT32_MAX, matches = 0;
  EACH_COLUMN (r, l) {
    if (r->block == ref->cta && r->tid == ref->thread) found = number, matches++;
    number++;
  }
  if (matches == 1) {
    ref->owner = LITMUS_OWNER_THREAD;
    ref->thread = found;
    return true;
  }
  struct diagnostic *d =
      diag_report(l->x->parse.diags, DIAG_UNKNOWN_THREAD, ref->owner_span,
                  matches ? "several kernels have a thread %u of block %u" : "the test has no thread %u of block %u",
                  ref->thread, ref->cta);
  if (matches)
    diag_hint(l->x->parse.diags, d, "write the number of its column: P0, P1 and so on, in the order of the kernels");
  return false;
}

static bool name_ref(struct launching *l, struct litmus_ref *ref) {
  if (ref->owner == LITMUS_OWNER_PLACE) return place_thread(l, ref);
  for (uint32_t i = 0; i < l->variables.len; i++)
    if (l->variables.data[i].variable->name.text == ref->name) ref->name = l->variables.data[i].region->name;
  return true;
}

static bool name_term(struct launching *l, struct litmus_term *term) {
  return term->kind == LITMUS_TERM_NUMBER || name_ref(l, &term->ref);
}

/* Its depth is bounded by the parser's stack. */
static bool name_cond(struct launching *l, struct litmus_cond *cond) {
  bool right = true;
  if (!cond) return true;
  LIST_EACH (part, cond->parts) right = name_cond(l, part) && right;
  if (cond->kind != LITMUS_COMPARE) return right;
  return name_term(l, cond->a) && name_term(l, cond->b) && right;
}

/* ---- registers in conditions */

static void observe(struct launching *l, const struct litmus_ref *ref) {
  VEC_VALUES (run, &l->runs) {
    uint32_t reg = body_register(&run->body, ref->name);
    if (reg == NO_REG || ref->owner == LITMUS_OWNER_NONE || ref->owner == LITMUS_OWNER_CTA) continue;
    if (!run->observed) run->observed = ARENA_ARRAY(l->memory.arena, bool, run->body.thread->reg_count);
    run->observed[reg] = true;
    for (uint32_t i = 0; i <= run->body.thread->instr_count; i++) bitset_add(run->body.live[i], reg);
  }
}

static void observe_cond(struct launching *l, const struct litmus_cond *cond) {
  if (!cond) return;
  LIST_EACH (part, cond->parts) observe_cond(l, part);
  if (cond->kind != LITMUS_COMPARE) return;
  if (cond->a->kind != LITMUS_TERM_NUMBER) observe(l, &cond->a->ref);
  if (cond->b->kind != LITMUS_TERM_NUMBER) observe(l, &cond->b->ref);
}

/* The innermost loop in which a thread stopped; NULL: none. */
static const struct instr *loop_of(const struct runner *r) {
  const struct body *b = &r->run->body;
  const struct cycle *inner = NULL;
  VEC_EACH (loop, &b->loops) {
    bool here = bitset_has(loop->has, r->stopped - 1);
    if (here && (!inner || bitset_count(loop->has) < bitset_count(inner->has))) inner = loop;
  }
  return inner ? &b->thread->instrs[inner->begin] : NULL;
}

static const struct reason *too_long(struct arena *arena, const struct runner *r) {
  struct text text;
  text_init(&text, arena);
  text_printf(&text, "thread %u of block %u executes more than %d instructions up to here, with loops unrolled", r->tid,
              r->block, (int)MOST_WRITTEN_OUT);
  const struct instr *loop = loop_of(r);
  if (loop) text_add(&text, ", in the loop from ");
  if (loop) span_tell_line(loop->span, &text);
  return reason_with(arena, REASON_LARGE_KERNEL, text_str(&text));
}

static bool ends_known(struct launching *l, struct runner *r) {
  struct block_order order = {0};
  struct arena_mark mark = arena_mark(l->memory.arena);
  bool whole = columns_order(r, &order);
  arena_rewind(l->memory.arena, mark);
  return whole;
}

/* A thread that was not executed to its end, with the reason in *why; NULL: there is none. */
static struct runner *not_whole(struct launching *l, bool settled, const struct reason **why) {
  struct runner *found = NULL;
  EACH_RUNNER (r, l)
    if (r->stopped && !found) found = r; /* the others have perhaps not begun */
  EACH_RUNNER (r, l)
    if (!found && (!settled || !ends_known(l, r))) found = r;
  if (!found) return NULL;
  const char *text = settled ? "a thread could not be executed to its end"
                             : "the values that threads leave for each other in memory never settle";
  *why = found->why       ? found->why
         : found->stopped ? too_long(l->memory.arena, found)
                          : reason_with(l->memory.arena, REASON_LARGE_KERNEL, text);
  return found;
}

static const char *region_name(struct arena *arena, const struct region *r) {
  if (r->name) return arena_printf(arena, "'%s'", r->name);
  return r->space == SPACE_PARAM   ? "the parameter space of the kernel"
         : r->space == SPACE_LOCAL ? "the local memory of the thread"
                                   : "the shared memory of the block";
}

/* Shared memory of a block has additional addresses, those that its own threads use. */
static void tell_regions(const struct launching *l) {
  struct litmus_test *test = l->x->parse.test;
  const struct memory *m = &l->memory;
  struct litmus_region *told = ARENA_ARRAY(m->arena, struct litmus_region, 2 * (size_t)m->regions.len);
  test->regions = told;
  VEC_VALUES (r, &m->regions) {
    const char *name = region_name(m->arena, r);
    told[test->region_count++] = (struct litmus_region){name, r->base, r->most ? r->most : r->size};
    if (r->space == SPACE_SHARED) told[test->region_count++] = (struct litmus_region){name, SHARED_BASE, r->size};
  }
}

static void count_whole(struct launching *l) {
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) l->x->parse.test->whole += remnant->instr != NULL;
}

static void leave_columns(struct launching *l) {
  groups_choose(l);
  count_whole(l);
  counted_add_columns(l);
  together_look(l);
  alone_find(l);
  needs_drop(l);
  settled_drop(l);
  rows_widen(l);
  if (does(l->x, TECHNIQUE_ALIKE)) alike_drop(l);
  if (does(l->x, TECHNIQUE_FOLLOWERS)) followers_drop(l), queues_drop(l);
  grid_barriers_drop(l);
  rendezvous_narrow(l);
  tell_regions(l);
  objects_name(l);
  counted_set(l);
  rests_tell(l);
  if (does(l->x, TECHNIQUE_MERGE)) merge_ways(l);
}

/* Those that make a barrier of the grid order as one does, and reductions that order nothing commute. */
static void note_strong(struct launching *l) {
  VEC_VALUES (run, &l->runs)
    ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count) {
      const size_t end = (size_t)(in - run->body.thread->instrs) + 1;
      if ((run->grid_uses && run->grid_uses[end] & GRID_COUNTS) || relaxed_commute(run, end)) continue;
      if (in->kind == INSTR_ATOM || in->kind == INSTR_RED || in->kind == INSTR_MULTIMEM ||
          (instr_is_access(in) && in->sem != SEM_WEAK))
        l->x->parse.test->strong = true;
    }
}

static bool has_narrow(struct expansion *x) {
  bool narrow = false;
  LIST_EACH (kernel, x->parse.test->kernels) {
    const struct module *module = kernel->host ? NULL : read_module(x, kernel);
    narrow = narrow || (module && module->narrow);
  }
  return narrow;
}

/* ---- the lengths of a launch line */

static struct litmus_entry *entry_of(const struct expansion *x, const struct region *region) {
  struct litmus_entry *entry = x->parse.test->entries;
  while (entry && (entry->at || entry->launch || entry->ref.name != region->name)) entry = entry->next;
  return entry;
}

/* "float" of `float A[64]`; "" without a type. */
static const char *type_of(struct arena *arena, const struct litmus_entry *entry) {
  struct text text = {.arena = arena};
  for (const struct litmus_word *word = entry->types.first ? entry->types.first : entry->qualifiers.first; word;
       word = word->next)
    text_printf(&text, "%s%s", text.len ? " " : "", word->text);
  return text_str(&text);
}

/* A length in a launch line that is too short for the grid is a mistake of the line, told before any verdict. */
static bool check_lengths(const struct launching *l) {
  struct expansion *x = l->x;
  uint32_t before = x->parse.diags->errors;
  VEC_VALUES (region, &l->memory.regions) {
    struct litmus_entry *entry = region->object && region->beyond ? entry_of(x, region) : NULL;
    if (!entry || !x->parse.source->typed || entry->map) continue;
    uint64_t item = launch_item_bytes(l, region), reached = (region->beyond + item - 1) / item;
    const char *type = type_of(x->parse.arena, entry);
    uint64_t given = entry->has_count ? entry->count : launch_least_bytes(l, region) / item;
    bool dots = !entry->types.first;
    struct diagnostic *d =
        diag_report(x->parse.diags, DIAG_SHORT_ARRAY, entry->span,
                    "your line gives %s %llu %s%s, this grid reaches %llu", entry->ref.name, (unsigned long long)given,
                    dots ? "element" : type, given == 1 ? "" : "s", (unsigned long long)reached);
    diag_hint(x->parse.diags, d, "%s%s%s[%llu] would do%s", type, *type ? " " : "", entry->ref.name,
              (unsigned long long)reached,
              entry->values ? ""
                            : arena_printf(x->parse.arena, "; %s[] is as long as the launch reaches", entry->ref.name));
  }
  return x->parse.diags->errors == before;
}

static bool launch_all(struct launching *l) {
  l->memory.narrow = has_narrow(l->x);
  if (!launch_locations(l)) return false;
  LIST_EACH (kernel, l->x->parse.test->kernels)
    if (kernel->host ? !launch_host(l, kernel) : !add_kernel(l, kernel)) return false;
  VEC_VALUES (run, &l->runs) begins_find(l, run);
  return true;
}

static bool is_idle(const struct runner *r) {
  return !SOME(VEC_EACH (touch, &r->touches),
               touch->region->space != SPACE_PARAM && touch->region->space != SPACE_LOCAL);
}

/* The bytes of dynamic shared memory up to the last one that a thread of some block reaches. */
static uint32_t dynamic_reach(const struct launching *l) {
  uint32_t reach = 0, begin = UINT32_MAX;
  VEC_EACH (v, &l->shared)
    if (v->variable->is_array && !v->variable->has_count && v->at < begin) begin = v->at;
  VEC_VALUES (region, &l->memory.regions)
    if (region->space == SPACE_SHARED && region->reach > begin && region->reach - begin > reach)
      reach = region->reach - begin;
  return reach;
}

bool kernel_try(struct expansion *x, struct kernel_trial *trial) {
  struct launching l = {.x = x};
  struct kernel_modules own = {0};
  x->modules = &own;
  VEC_PUSH(x->parse.arena, &own, ((struct loaded_module){trial->path, trial->module}));
  if (!launch_all(&l)) return false;
  launch_run(&l);
  VEC_VALUES (region, &l.memory.regions) {
    if (!region->object || !region->most) continue;
    uint32_t item = launch_item_bytes(&l, region);
    VEC_PUSH(x->parse.arena, &trial->arrays,
             ((struct kernel_reach){region->name, (region->reach + (uint64_t)item - 1) / item, region->whole}));
  }
  trial->threads = l.runners.len;
  trial->outside = l.memory.outside;
  EACH_RUNNER (r, &l) trial->idle += is_idle(r);
  trial->dynamic = dynamic_reach(&l);
  return true;
}

/* Leaves out CTAs; refuses the launch if too many threads are left. */
static void prepare(struct launching *l) {
  twins_drop(l);
  VEC_VALUES (run, &l->runs) {
    if ((uint64_t)run->cta_count * litmus_volume(run->kernel->block) <= MOST_THREADS || run->kernel->threads) continue;
    l->refused = too_many(l->memory.arena, run->kernel, MOST_THREADS), l->refused_place = run->kernel->span;
    run->cta_count = 1, l->ctas.len = run->first_cta + 1;
  }
}

bool kernel_expand(struct arena *arena, struct intern *names, struct diags *diags, struct litmus_test *test,
                   const struct kernel_options *options) {
  struct kernel_modules own = {0};
  struct expansion x = {
      .options = options,
      .modules = options->modules ? options->modules : &own,
      .parse = {.arena = arena, .names = names, .diags = diags, .source = test->source, .test = test}};
  struct launching l = {.x = &x, .progress = options->progress};
  if (!test->kernels) return !options->prefix;
  if (l.progress) *l.progress = (struct kernel_progress){0};
  LIST_EACH (kernel, test->kernels) x.hosts |= kernel->host;
  if (!kernel_read_flags(arena, diags, test, options->flags, &x.flags)) return false;
  if (!launch_all(&l)) return false;
  observe_cond(&l, test->condition);
  observe_cond(&l, test->filter);
  LIST_EACH (term, test->locations) observe(&l, &term->ref);
  if (!l.refused) prepare(&l);
  bool settled = !l.refused && launch_run(&l);
  if (l.refused) launch_place(&l);
  l.memory.fixed = true;
  if (!l.refused && !check_lengths(&l)) return false;
  const struct reason *why = NULL;
  struct runner *stopped = l.refused ? NULL : not_whole(&l, settled, &why);
  if (options->prefix && (l.refused || stopped || !prefix_cut(&l))) return false;
  if (!l.refused && !stopped && !options->prefix) grid_barriers_find(&l);
  if (!l.refused && !stopped) relaxed_find(&l);
  note_strong(&l);
  if (l.refused) columns_refuse(&l, l.runners.data[0], l.refused, &l.refused_place);
  else if (stopped) columns_refuse(&l, stopped, why, NULL);
  else leave_columns(&l);
  if ((why = too_many_columns(&l))) columns_refuse(&l, l.runners.data[0], why, &test->kernels->span);
  columns_build(&l);
  bool right = name_cond(&l, test->condition) && name_cond(&l, test->filter);
  LIST_EACH (term, test->locations) right = name_term(&l, term) && right;
  launch_forget(&l.memory);
  return right;
}
