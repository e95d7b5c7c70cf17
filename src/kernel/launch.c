#include "kernel/launch.h"

#include "base/memory.h"
#include "ptx/boxes.h"
#include "ptx/isa.h"
#include "ptx/lower.h"

enum {
  PARAM_WINDOW = 1 << 14,
  DYNAMIC_BYTES = 1024,
  DYNAMIC_ALIGNMENT = 1024,
  WORKSPACE_BYTES = 64,
  MOST_BYTES = 1 << 20,
  MOST_WHOLE = 1 << 16 /* a location with more elements is made as threads reach it */
};

static struct arena *arena_of(const struct launching *l) { return l->x->parse.arena; }

static struct region *named(const struct launching *l, const char *name) { return memory_named(&l->memory, name); }

static value_t number_of(const struct litmus_number *number) {
  return number->negative ? 0 - number->value : number->value;
}

/* The bits of a decimal, such as 1.5, as a parameter or a member of so many bytes has them. */
static value_t decimal_bits(struct arena *arena, const struct litmus_number *number, uint32_t bytes) {
  value_t wide = number->value | (value_t)number->negative << 63;
  return bytes == 8 ? wide : float_convert(arena, FLOAT_F64, bytes == 2 ? FLOAT_F16 : FLOAT_F32, wide);
}

/* The number for a value of the init block or an argument; an address is that of a location's element. */
static bool value_of(struct launching *l, const struct litmus_value *value, value_t *out) {
  *out = value->is_address ? 0 : number_of(&value->number);
  if (!value->is_address) return true;
  const struct region *region = named(l, value->ref.name);
  if (!region)
    return diag_refuse(l->x->parse.diags, DIAG_UNKNOWN_LOCATION, value->span, "no location '%s' is declared" HINT "%s",
                       value->ref.name,
                       value->span.source->typed ? "an argument is a number, or an array such as float A[64]"
                                                 : "declare it in the init block, such as float A[64];");
  *out = region->base + (uint64_t)value->ref.offset;
  for (uint32_t i = 0; i < l->init->object_count && value->ref.has_index; i++)
    if (strcmp(l->init->objects[i].name, value->ref.name) == 0)
      *out += value->ref.index * type_bytes(l->init->objects[i].type);
  return true;
}

/* ---- the init block */

static bool is_location(const struct litmus_entry *entry) {
  return !entry->at && !entry->launch && entry->ref.owner == LITMUS_OWNER_NONE;
}

/* The tensor map of a location; or another entry that needs its size. NULL: there is none. */
static const struct litmus_entry *user_of(const struct launching *l, const char *name) {
  LIST_EACH (entry, l->x->parse.test->entries) {
    if (entry->alias_of && entry->alias_of->text == name) return entry;
    bool whole = entry->map || lower_is_multimem(entry);
    LIST_EACH (v, whole ? entry->values : NULL)
      if (v->is_address && v->ref.name == name) return entry;
  }
  return NULL;
}

/* True for an array without a length: it is as long as the launch reaches (K17). */
static bool is_open(const struct litmus_entry *entry) {
  return is_location(entry) && entry->is_array && !entry->has_count && !entry->values;
}

/* True for a location of which only what threads reach is made. */
static bool is_large(const struct launching *l, const struct litmus_entry *entry) {
  bool large = is_open(entry) || (entry->is_array && entry->count > MOST_WHOLE && !entry->values);
  const struct litmus_entry *user = large ? user_of(l, entry->ref.name) : NULL;
  return large && (!user || (user->map && entry->has_count));
}

/* The elements of such a location that are made in any case: those of the tensor of a map. */
static uint32_t least_count(const struct launching *l, const struct litmus_entry *entry) {
  const struct litmus_entry *user = user_of(l, entry->ref.name);
  uint64_t unit = entry->types.first ? 1 : isa_bytes_among(&entry->qualifiers);
  uint64_t bytes = user ? (uint64_t)user->values->ref.offset + box_tensor_bytes(user->map) : 1;
  uint64_t count = (bytes + unit - 1) / unit;
  return !entry->has_count || count < entry->count ? (uint32_t)count : entry->count;
}

/* An array without a length to which a tensor map points has that of the tensor. */
static void give_length(struct launching *l, struct litmus_entry *entry) {
  const struct litmus_entry *user = user_of(l, entry->ref.name);
  if (!is_open(entry) || !user || !user->map) return;
  uint64_t bytes = box_tensor_bytes(user->map), unit = isa_bytes_among(&entry->qualifiers);
  enum ptx_type type = isa_type_named(user->map->type.text);
  if (!entry->qualifiers.first) unit = type == PTX_TYPES ? 1 : type_bytes(isa_type(type));
  entry->has_count = true;
  entry->count = bytes < UINT32_MAX ? (uint32_t)((bytes + unit - 1) / unit) : UINT32_MAX;
}

/* The init block lowered alone: the objects of this program are the test's locations. */
static const struct program *init_program(struct launching *l) {
  struct expansion *x = l->x;
  struct litmus_test *test = kernel_bare_test(x, x->parse.test->name_span);
  struct litmus_entry **end = &test->entries;
  LIST_EACH (entry, x->parse.test->entries) {
    if (!is_location(entry)) continue;
    give_length(l, entry);
    struct litmus_entry *copy = ARENA_COPY(arena_of(l), entry);
    copy->next = NULL;
    if (is_large(l, entry)) copy->has_count = true, copy->count = least_count(l, entry);
    *end = copy;
    end = &copy->next;
  }
  return lower(arena_of(l), x->parse.names, x->parse.diags, test, &(struct lower_options){.large = true});
}

static uint64_t fixed_address(struct launching *l, const char *name) {
  LIST_EACH (entry, l->x->parse.test->entries) {
    if (!entry->at || entry->ref.name != name) continue;
    uint64_t base = entry->at->base ? fixed_address(l, entry->at->base) : 0;
    return base + entry->at->offset;
  }
  return 0;
}

static const struct litmus_entry *entry_named(const struct launching *l, const char *name) {
  return LIST_FIND(entry, l->x->parse.test->entries, is_location(entry) && entry->ref.name == name);
}

static bool set_values(struct launching *l, struct region *region, const struct object *object,
                       const struct litmus_entry *entry) {
  uint32_t size = type_bytes(object->type), at = 0;
  for (uint32_t i = 0; i < object->count; i++) memory_set(region, i * size, object->init[i], size);
  for (const struct litmus_value *v = entry ? entry->values : NULL; v && !object->is_tensormap;
       v = v->next, at += size) {
    value_t value;
    if (!v->is_address) continue;
    if (!value_of(l, v, &value)) return false;
    memory_set(region, at, value, size);
  }
  return true;
}

/* A multimem region has the size of its replicas, whose regions exist by now. */
static void add_multimem(struct launching *l) {
  LIST_EACH (entry, l->x->parse.test->entries) {
    const char *name = entry->ref.name;
    if (!is_location(entry) || !lower_is_multimem(entry)) continue;
    uint32_t bytes = named(l, entry->values->ref.name)->size;
    memory_add(&l->memory, name, SPACE_GLOBAL, fixed_address(l, name), bytes)->replicas = entry->values;
  }
}

static struct region *add_large(struct launching *l, const struct litmus_entry *entry, const struct object *object) {
  uint64_t item = object->size / object->items, most = memory_largest(&l->memory);
  if (entry->has_count && entry->count * item < most) most = entry->count * item;
  struct region *region =
      memory_add_large(&l->memory, entry->ref.name, fixed_address(l, entry->ref.name), (uint32_t)most);
  memory_holds(&l->memory, region, 0, object->size);
  return region;
}

uint32_t launch_least_bytes(const struct launching *l, const struct region *region) {
  return l->init->objects[region->object - 1].size;
}

uint32_t launch_item_bytes(const struct launching *l, const struct region *region) {
  const struct object *object = &l->init->objects[region->object - 1];
  return object->size / object->items;
}

bool launch_locations(struct launching *l) {
  l->memory.arena = arena_of(l);
  l->memory.cautious = l->x->parse.test->condition != NULL;
  l->init = init_program(l);
  if (!l->init) return false;
  ARRAY_EACH (view, l->init->views, l->init->view_count) {
    const struct object *object = &l->init->objects[view->object];
    const char *name = intern(l->x->parse.names, view->name);
    const struct litmus_entry *entry = entry_named(l, name);
    if (!entry || (object->space == SPACE_SHARED && !object->is_tensormap)) continue; /* none: a replica's address */
    uint32_t bytes = object->is_tensormap ? (uint32_t)MAP_BYTES : object->size;
    struct region *region = is_large(l, entry) && object->space == SPACE_GLOBAL
                                ? add_large(l, entry, object)
                                : memory_add(&l->memory, name, object->space, fixed_address(l, name), bytes);
    region->object = view->object + 1;
    VEC_VALUES (other, &l->memory.regions)
      if (other != region && other->object == region->object) memory_join(other, region);
    region->map = entry->map;
    region->given = entry->values;
  }
  add_multimem(l);
  ARRAY_EACH (view, l->init->views, l->init->view_count) {
    struct region *region = named(l, intern(l->x->parse.names, view->name));
    if (region && !set_values(l, region, &l->init->objects[view->object], entry_named(l, region->name))) return false;
    if (region && region->map) maps_set(l->x, &l->memory, region, 0, region->name);
  }
  return true;
}

/* ---- variables of modules */

static uint32_t variable_bytes(const struct kernel_run *run, const struct module_variable *v) {
  if (v->is_array && !v->has_count) return run->kernel->shared ? run->kernel->shared : (uint32_t)DYNAMIC_BYTES;
  return module_bytes(v);
}

static uint32_t aligned(uint32_t at, uint32_t align) { return align ? (at + align - 1) / align * align : at; }

static uint32_t alignment(const struct module_variable *v) {
  uint32_t natural = module_element_bytes(v);
  return v->align > natural ? v->align : natural;
}

/* Places variables in shared memory: first those of known size, then the dynamic ones. */
static void place_shared(struct launching *l, struct kernel_run *run, bool dynamic) {
  uint32_t first = run->shared_bytes; /* all dynamic variables share the same memory */
  for (uint32_t i = 0; i < l->x->variables.len; i++) {
    const struct module_variable *v = l->x->variables.data[i].variable;
    bool is_dynamic = v->is_array && !v->has_count, placed = false;
    if (!litmus_has_word(&v->words, ".shared") || is_dynamic != dynamic) continue;
    for (uint32_t k = 0; k < l->shared.len; k++)
      placed = placed || (l->shared.data[k].run == run && l->shared.data[k].variable == v);
    if (placed) continue;
    uint32_t at = aligned(dynamic ? first : run->shared_bytes, dynamic ? (uint32_t)DYNAMIC_ALIGNMENT : alignment(v));
    uint32_t bytes = variable_bytes(run, v);
    VEC_PUSH(arena_of(l), &l->shared, (struct shared_variable){run, v, at, bytes});
    run->shared_bytes = dynamic && run->shared_bytes > at + bytes ? run->shared_bytes : at + bytes;
  }
}

static void set_variable(struct launching *l, struct region *region, uint32_t at, const struct module_variable *v);

/* In PTX a variable's name may begin with %, like a register's; the name of its location then begins with $. */
static const char *location_name(struct launching *l, const struct module *module, const char *name) {
  if (*name != '%') return name;
  name = intern(l->x->parse.names, arena_printf(arena_of(l), "$%s", name + 1));
  while (named(l, name) || SOME(LIST_EACH (v, module->variables.first), v->name.text == name))
    name = intern(l->x->parse.names, arena_printf(arena_of(l), "%s_", name));
  return name;
}

static struct region *global_region(struct launching *l, const struct module *module, const struct module_variable *v) {
  for (uint32_t i = 0; i < l->variables.len; i++)
    if (l->variables.data[i].variable == v) return l->variables.data[i].region;
  const char *source = module_source_name(l->x->parse.names, v->name.text);
  struct region *region = named(l, source);
  if (!region) region = named(l, v->name.text);
  bool own = !region;
  bool constant = litmus_has_word(&v->words, ".const");
  if (own) {
    const char *name = location_name(l, module, named(l, source) ? v->name.text : source);
    uint32_t bytes = module_bytes(v);
    if (bytes > MOST_BYTES) bytes = MOST_BYTES + GLOBAL_ALIGNMENT; /* the init block refuses it */
    region = memory_add(&l->memory, name, constant ? SPACE_CONST : SPACE_GLOBAL, 0, bytes);
  }
  VEC_PUSH(arena_of(l), &l->variables, (struct launch_variable){v, module, region});
  if (own) set_variable(l, region, 0, v);
  return region;
}

/* Sets the initial value of a variable: zeros if it has none. */
static void set_variable(struct launching *l, struct region *region, uint32_t at, const struct module_variable *v) {
  uint32_t size = isa_bytes_among(&v->words);
  memory_clear(region);
  for (const struct litmus_value *value = v->values; value; value = value->next, at += size) {
    value_t number = value->is_address ? 0 : number_of(&value->number);
    const struct module *module = l->variables.data[l->variables.len - 1].module;
    for (const struct module_variable *to = module->variables.first; to && value->is_address; to = to->next)
      if (to->name.text == value->ref.name) number = global_region(l, module, to)->base + (uint64_t)value->ref.offset;
    for (const struct module_function *to = module->functions.first; to && value->is_address; to = to->next)
      if (to->name.text == value->ref.name) number = module_address(module, to);
    if (value->mask) number = (number & value->mask) / (value->mask & (0 - value->mask));
    memory_set(region, at, number, size);
  }
}

/* ---- parameters */

uint32_t launch_field_bytes(const struct litmus_value *field, bool narrow) {
  if (field->type && isa_type_named(field->type->text) != PTX_TYPES)
    return type_bytes(isa_type(isa_type_named(field->type->text)));
  return field->is_address && !narrow ? 8 : 4;
}

static bool set_field(struct launching *l, struct region *region, uint32_t at, const struct litmus_value *value,
                      uint32_t bytes) {
  value_t number;
  const struct region *map = value->is_address ? named(l, value->ref.name) : NULL;
  if (map && map->map && bytes == MAP_BYTES) {
    maps_set(l->x, &l->memory, region, at, map->name);
    return true;
  }
  if (!value_of(l, value, &number)) return false;
  bool decimal = !value->is_address && value->number.decimal;
  memory_set(region, at, decimal ? decimal_bits(arena_of(l), &value->number, bytes) : number, bytes);
  return true;
}

static bool set_structure(struct launching *l, struct region *region, uint32_t at, const struct litmus_value *value) {
  uint32_t offset = 0;
  LIST_EACH (field, value->fields) {
    const struct region *map = field->is_address ? named(l, field->ref.name) : NULL;
    bool is_map = map && map->map && !field->type;
    uint32_t bytes = is_map ? (uint32_t)MAP_BYTES : launch_field_bytes(field, l->memory.narrow);
    offset = aligned(offset, is_map ? 64 : bytes);
    if (offset + bytes > region->size - at || !set_field(l, region, at + offset, field, bytes)) return false;
    offset += bytes;
  }
  return true;
}

static bool set_params(struct launching *l, struct kernel_run *run, const struct module_function *entry,
                       struct region *region) {
  const struct litmus_value *value = run->kernel->args;
  uint32_t at = 0;
  memory_clear(region);
  for (const struct module_variable *p = entry->params; p && value; p = p->next, value = value->next) {
    at = aligned(at, alignment(p));
    bool set = value->fields ? set_structure(l, region, at, value) : set_field(l, region, at, value, module_bytes(p));
    if (!set) return false;
    at += module_bytes(p);
  }
  return true;
}

/* ---- kernels */

enum { NO_PARAM = UINT32_MAX };

static uint32_t param_offset(const struct module_function *entry, const struct module_variable *param) {
  uint32_t at = 0;
  LIST_EACH (p, entry->params) {
    at = aligned(at, alignment(p));
    if (p == param) return at;
    at += module_bytes(p);
  }
  return NO_PARAM;
}

/* The registers that hold addresses when a thread begins, and their values. */
static void give_addresses(struct launching *l, struct kernel_run *run, const struct module_function *entry,
                           uint64_t params) {
  uint32_t local = 0;
  VEC_EACH (used, &l->x->variables) {
    const struct module_variable *v = used->variable;
    uint32_t offset = param_offset(entry, v);
    const struct used_variable *first = l->x->variables.data;
    while (first->variable != v) first++;
    used->address = params + offset;
    for (uint32_t k = 0; k < l->shared.len; k++)
      if (l->shared.data[k].run == run && l->shared.data[k].variable == v)
        used->address = SHARED_BASE + l->shared.data[k].at;
    if (first != used) {
      used->address = first->address;
    } else if (litmus_has_word(&v->words, ".local")) {
      used->address = LOCAL_BASE + (local = aligned(local, 16));
      local += variable_bytes(run, v);
    } else if (offset == NO_PARAM && !litmus_has_word(&v->words, ".shared")) {
      used->address = global_region(l, used->module, v)->base;
    }
    VEC_PUSH(arena_of(l), &run->givens,
             ((struct given){.name = used->name, .value = used->address + (uint64_t)used->offset}));
  }
  run->local_bytes = local;
}

void launch_add(struct launching *l, struct kernel_run *run) {
  uint32_t number = 0, blocks = litmus_volume(run->kernel->grid);
  for (uint32_t i = 0; i < l->ctas.len; i++) number += l->ctas.data[i].gpu == run->kernel->gpu;
  run->first_cta = l->ctas.len;
  run->cta_count = blocks;
  VEC_VALUES (other, &l->runs) run->grid += !other->kernel->host;
  if (run->kernel->host) run->grid = NO_GRID;
  for (uint32_t b = 0; b < blocks; b++)
    VEC_PUSH(arena_of(l), &l->ctas, (struct launch_cta){run, run->kernel->gpu, number + b, b});
  VEC_PUSH(arena_of(l), &l->runs, run);
}

bool launch_kernel(struct launching *l, const struct module *module, const struct litmus_kernel *kernel,
                   const struct module_function *entry) {
  struct kernel_run *run =
      ARENA_MAKE(arena_of(l), struct kernel_run, .x = l->x, .launch = l, .memory = &l->memory, .kernel = kernel);
  l->x->variables.len = l->x->given.len = 0;
  if (!body_build(l->x, module, kernel, entry, &run->body)) return false;
  place_shared(l, run, false);
  place_shared(l, run, true);
  uint32_t bytes = 0;
  LIST_EACH (p, entry->params) bytes = aligned(bytes, alignment(p)) + module_bytes(p);
  uint64_t base = PARAM_BASE + (uint64_t)l->runs.len * PARAM_WINDOW;
  struct region *params = memory_add(&l->memory, NULL, SPACE_PARAM, base, bytes ? bytes : 1);
  if (!set_params(l, run, entry, params)) return false;
  launch_add(l, run);
  give_addresses(l, run, entry, base);
  if (kernel->cooperative) {
    struct region *workspace =
        memory_add(&l->memory, intern(l->x->parse.names, "workspace"), SPACE_GLOBAL, 0, WORKSPACE_BYTES);
    memory_clear(workspace);
    workspace->given = true;
    run->workspace = workspace->base;
  }
  return true;
}

/* ---- threads */

static void give_registers(struct runner *r) {
  const uint32_t count = begins_of(r->run, r->block, r->tid, r->run->begins);
  for (uint32_t i = 0; i < count; i++) run_give(r, r->run->begins[i].reg, r->run->begins[i].value);
}

/* The CTAs of the thread's cluster. */
static void place_cluster(struct runner *r) {
  const struct litmus_kernel *k = r->run->kernel;
  r->cluster_first = r->cta - begins_rank(k, r->block);
  r->cluster_size = k->cluster.x ? litmus_volume(k->cluster) : 1;
}

/* The thread's own memory, which it has in every round. */
static void add_local(struct launching *l, struct kernel_run *run, uint32_t number) {
  if (!run->local_bytes || run->locals > run->runners.len) return;
  memory_add_local(&l->memory, number, run->local_bytes);
  run->locals++;
}

static void add_thread(struct launching *l, struct kernel_run *run, uint32_t cta, uint32_t tid) {
  const uint32_t block = l->ctas.data[cta].block;
  const struct runner *before = run->runners.len ? run->runners.data[run->runners.len - 1] : NULL;
  struct runner *r = ARENA_MAKE(l->memory.kept, struct runner, .run = run, .number = l->runners.len, .block = block,
                                .tid = tid, .cta = cta, .before = before);
  r->leads = !before || before->block != block || before->tid / WARP_LANES != tid / WARP_LANES;
  place_cluster(r);
  add_local(l, run, r->number);
  VEC_PUSH(arena_of(l), &run->runners, r);
  VEC_PUSH(arena_of(l), &l->runners, r);
}

static bool is_named(const struct litmus_kernel *kernel, uint32_t block, uint32_t tid) {
  return SOME(LIST_EACH (pair, kernel->threads), pair->block == block && pair->thread <= tid && tid <= pair->last) ||
         !kernel->threads;
}

/* Threads that begin from now on have memory of their own, until all of them have ended. */
static void begin_work(struct memory *m) {
  m->work = arena_scratch(m->arena);
  VEC_PUSH(m->arena, &m->works, m->work);
}

void launch_forget(struct memory *m) {
  VEC_VALUES (work, &m->works) arena_release(work);
  if (m->kept) arena_release(m->kept);
  m->works.len = 0;
}

static void begin_memory(struct launching *l) {
  struct memory *m = &l->memory;
  launch_forget(m);
  if (!m->kept) m->kept = arena_scratch(m->arena);
  begin_work(m);
  l->runners.len = 0;
  VEC_VALUES (run, &l->runs) {
    run->runners.len = 0;
    memset(&run->spare, 0, sizeof run->spare);
    body_forget(&run->body, m->kept);
  }
}

/* Begins a round, with the threads of all CTAs or of the first ones of the only kernel. */
static void begin_some(struct launching *l, uint32_t ctas) {
  begin_memory(l);
  VEC_VALUES (run, &l->runs) {
    memset(run->body.reached, 0, run->body.thread->instr_count);
    for (uint32_t c = run->first_cta; c < run->first_cta + (run->cta_count < ctas ? run->cta_count : ctas); c++)
      for (uint32_t t = 0; t < litmus_volume(run->kernel->block); t++)
        if (is_named(run->kernel, l->ctas.data[c].block, t)) add_thread(l, run, c, t);
  }
  memory_begin(&l->memory);
}

/* Lets a thread go on with an unknown value if it waits for memory that no thread will write. False: none waits. */
static bool open_blank(struct launching *l) {
  EACH_RUNNER (r, l)
    for (uint32_t w = 0; w < r->waiting.len; w++) {
      struct progress_point s = r->waiting.data[w];
      if (run_meeting(&r->run->body.thread->instrs[s.at]) != MEETING_NONE) continue;
      r->waiting.data[w] = r->waiting.data[--r->waiting.len];
      run_blank(r, &s);
      return true;
    }
  return false;
}

/* Lets the paths that wait for a value go on. Returns their number. */
static uint32_t wake(struct runner *r) {
  uint32_t kept = 0, before = r->waiting.len;
  for (uint32_t w = 0; w < r->waiting.len; w++) {
    struct progress_point s = r->waiting.data[w];
    bool load = run_meeting(&r->run->body.thread->instrs[s.at]) == MEETING_NONE;
    if (load) VEC_PUSH(r->run->memory->work, &r->pending, s);
    else r->waiting.data[kept++] = s;
  }
  r->waiting.len = kept;
  return before - kept;
}

/* False: some thread cannot be executed, so the others need not be either. */
static bool go_on(struct launching *l) {
  EACH_RUNNER (r, l) {
    run_go_on(r);
    if (r->stopped) return false;
  }
  return true;
}

/* Retries the paths that wait for a value; a path that made no progress still counts one instruction. */
static bool try_loads(struct runner *const *begin, struct runner *const *end) {
  uint32_t before = 0, after = 0;
  for (struct runner *const *r = begin; r < end; r++) before += (*r)->written, before += wake(*r);
  for (struct runner *const *r = begin; r < end; r++) run_go_on(*r), after += (*r)->written;
  return after > before;
}

static bool exchange(struct launching *l, bool force) {
  bool any = false;
  for (uint32_t k = 0; k < l->runs.len; k++) {
    any = run_exchange(l->runs.data[k], 0, l->runs.data[k]->runners.len, force) || any;
    if (force && any) return true;
  }
  return any;
}

/* Runs the threads of a CTA as far as they go without others. False: one of them cannot be executed. */
static bool run_cta(struct kernel_run *run, uint32_t begin, uint32_t end) {
  for (uint32_t i = begin; i < end; i++) {
    run_begin(run->runners.data[i]);
    give_registers(run->runners.data[i]);
  }
  do {
    for (uint32_t i = begin; i < end; i++) {
      run_go_on(run->runners.data[i]);
      if (run->runners.data[i]->stopped) return false;
    }
  } while (run_exchange(run, begin, end, false) || try_loads(run->runners.data + begin, run->runners.data + end));
  return true;
}

/* The time that this process has worked, and its memory. */
struct costs {
  double time, bytes;
};

static struct costs costs_now(const struct memory *m) {
  return (struct costs){base_busy(), (double)m->kept->bytes + (double)m->arena->bytes};
}

/* The threads of the launch, of which a round may run only some. */
static uint32_t count_threads(const struct launching *l) {
  const struct kernel_run *run = l->runs.data[0];
  return l->memory.sampling ? run->cta_count * (uint32_t)litmus_volume(run->kernel->block) : l->runners.len;
}

/* Ends the reading once the threads that have ended show that the others certainly pass a limit: CTAs may differ, so
 * only at twice the limit, and not by the first few. */
static void look_ahead(struct launching *l, struct costs began, uint32_t ended) {
  enum { CERTAIN = 2, ENOUGH = 10 };
  struct memory *m = &l->memory;
  const double left = base_left(m->arena->deadline), most = (double)memory_limit();
  const double others = (double)(count_threads(l) - ended) / ended;
  struct costs spent = costs_now(m);
  spent.time -= began.time, spent.bytes -= began.bytes;
  const bool limited = m->arena->deadline > 0,
             late = limited && spent.time * ENOUGH > left + spent.time && spent.time * others > CERTAIN * left;
  const bool full = most > 0 && spent.bytes * ENOUGH > most && spent.bytes * others > CERTAIN * most;
  if (l->progress) l->progress->ended = ended;
  if (l->progress && (late || full)) l->progress->used = late ? spent.time / (left + spent.time) : spent.bytes / most;
  if (late) arena_out_of_time(m->arena);
  if (full) arena_out_of_memory(m->arena);
  arena_poll(m->arena);
}

/* One CTA after another: its threads' states stay in the cache, and their memory is used again. False: as for
 * run_cta, or threads have passed by what is needed. */
static bool run_ctas(struct launching *l) {
  struct memory *m = &l->memory;
  const struct costs began = costs_now(m);
  if (l->progress)
    *l->progress = (struct kernel_progress){.round = m->round, .threads = count_threads(l), .blocks = l->ctas.len};
  arena_poll(m->arena);
  VEC_VALUES (run, &l->runs)
    for (uint32_t begin = 0, end; begin < run->runners.len; begin = end) {
      const uint32_t cta = run->runners.data[begin]->cta;
      for (end = begin; end < run->runners.len && run->runners.data[end]->cta == cta; end++) continue;
      const uint32_t terms = run->body.skeleton->terms.list.len;
      if (!run_cta(run, begin, end)) return false;
      if (!run_seal(run, begin, end)) begin_work(m);
      else arena_release(m->work), body_forget_terms(&run->body, terms);
      look_ahead(l, began, run->runners.data[end - 1]->number + 1);
      if (needless_grows(l)) return !(m->again = m->anew = true);
    }
  return true;
}

static void run_round(struct launching *l, uint32_t ctas) {
  begin_some(l, ctas);
  if (!run_ctas(l)) return;
  while (go_on(l)) {
    arena_poll(l->memory.arena);
    if (exchange(l, false) || try_loads(l->runners.data, VEC_END(&l->runners))) continue;
    if ((l->memory.sampling || !open_blank(l)) && !exchange(l, true)) return;
  }
}

enum { MOST_ROUNDS = 40, MOST_TRIED = 8 };

static void add_shared(struct launching *l) {
  for (uint32_t c = 0; c < l->ctas.len; c++) {
    const struct kernel_run *run = l->ctas.data[c].run;
    if (!run->shared_bytes) continue;
    const uint64_t base = PEERS_BASE + (uint64_t)c * SHARED_WINDOW;
    memory_add(&l->memory, NULL, SPACE_SHARED, base, run->shared_bytes)->owner = c;
  }
}

/* Lets the rounds begin with what the first cluster settles on its own: it takes as many rounds as all CTAs do. What
 * the others assume of it (memory.sample) is compared like everything else that a round assumes. */
static void try_sample(struct launching *l) {
  enum { FEW = 4 };
  struct memory *m = &l->memory;
  const struct kernel_run *run = l->runs.data[0];
  const uint32_t ctas = run->kernel->cluster.x ? litmus_volume(run->kernel->cluster) : 1;
  bool settled = false, ends = true;
  if (l->runs.len > 1 || run->kernel->threads || run->kernel->host || run->cta_count < FEW * ctas) return;
  m->sampling = true;
  for (uint32_t i = 0; i < MOST_TRIED && !settled && ends; i++) {
    run_round(l, ctas);
    if (needless_grows(l)) m->again = m->anew = true;
    settled = memory_settled(m);
    EACH_RUNNER (r, l) ends = ends && !r->stopped && !(settled && (r->waiting.len || r->pending.len));
  }
  m->sampling = false;
  if (!settled || !ends) m->again = m->anew = true;
  else memory_copy_sample(m, l->runners.len, ctas);
}

bool launch_run(struct launching *l) {
  bool settled = false;
  needless_find(l, l->x->parse.test->condition || !does(l->x, TECHNIQUE_NEEDLESS));
  add_shared(l);
  for (uint32_t i = 0; i < MOST_ROUNDS && !settled; i++) {
    if (i == 0 || l->memory.anew) try_sample(l);
    run_round(l, UINT32_MAX);
    if (needless_grows(l)) l->memory.again = l->memory.anew = true;
    settled = memory_settled(&l->memory);
    l->memory.sample = l->memory.sample_ctas = 0;
  }
  l->memory.work = l->memory.arena;
  return settled;
}

void launch_place(struct launching *l) {
  add_shared(l);
  begin_some(l, UINT32_MAX);
  l->memory.work = l->memory.arena;
}
