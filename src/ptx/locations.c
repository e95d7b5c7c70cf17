#include "ptx/lowering.h"

/* Limits: a larger object, or more memory in all than addresses of 31 bits can reach, is refused. */
enum { OBJECT_LIMIT = 1 << 20, KERNEL_LIMIT = 1 << 26, OBJECT_ALIGNMENT = 16 };
/* APART: bytes between locations of kernels in global memory, for `safe`, while there is room: an address past the end
 * of one is then in no other, so that the access is undefined (no-location), and places.c does not reach the other. */
enum { VIEW_LIMIT = 1 << 20, VIEW_ALIGNMENT = 256, APART = 1 << 20, ROOM = 1 << 30 };

const struct symbol *lower_find_symbol(const struct lowering *l, const char *name) {
  uint32_t index = name_map_get(&l->symbol_names, name);
  return index == NO_NAME ? NULL : &l->symbols.data[index];
}

static void hint_nearest(struct lowering *l, struct diagnostic *d, const char *name) {
  if (l->diags->list.len > DIAG_LIMIT || l->symbols.len > 1000) return;
  const char **names = ARENA_ARRAY(l->arena, const char *, l->symbols.len);
  for (uint32_t i = 0; i < l->symbols.len; i++) names[i] = l->symbols.data[i].name;
  /* No suggestion for names of one or two letters, to which every short name is similar. */
  const char *nearest = strlen(name) > 2 ? nearest_word(name, names, l->symbols.len) : NULL;
  if (nearest) diag_hint(l->diags, d, "did you mean '%s'?", nearest);
  else if (l->test->source->typed) diag_hint(l->diags, d, "declare it here, such as int %s[64]", name);
  else if (d->span.source == l->test->source) diag_hint(l->diags, d, "declare it in the init block: %s=0;", name);
}

static void lay_out(struct lowering *l, struct symbol *symbol);

static uint32_t add_symbol(struct lowering *l, struct symbol symbol) {
  name_map_put(l->arena, &l->symbol_names, symbol.name, l->symbols.len);
  VEC_PUSH(l->arena, &l->symbols, symbol);
  return l->symbols.len - 1;
}

/* True if a thread has a register of this name without %: with a location of this name too, the printed test would have
 * another meaning. */
static bool is_bare_register(const struct lowering *l, const char *name) {
  for (uint32_t t = 0; t < l->program->thread_count; t++) {
    uint32_t reg = lower_find_reg(l, t, name);
    if (reg != NO_REG && l->threads[t].states.data[reg].bare) return true;
  }
  return false;
}

const struct symbol *lower_symbol(struct lowering *l, const char *name, struct span span) {
  const struct symbol *known = lower_find_symbol(l, name);
  if (known) return known;
  if (!l->options->implicit_locations) {
    hint_nearest(l, diag_report(l->diags, DIAG_UNKNOWN_LOCATION, span, "location '%s' is not declared", name), name);
    return NULL;
  }
  if (is_bare_register(l, name)) {
    diag_report(l->diags, DIAG_WRONG_OPERAND, span,
                "'%s' is a register of a thread, not a location" HINT
                "a location is declared in the init block; a register of the same name is then written %%%s",
                name, name);
    return NULL;
  }
  diag_report(l->diags, DIAG_IMPLICIT_LOCATION, span, "location '%s' is not declared: taken as '.u32 %s=0'", name,
              name);
  uint32_t index = add_symbol(l, (struct symbol){.name = name,
                                                 .span = span,
                                                 .target = NO_NAME,
                                                 .own_view = true,
                                                 .space = SPACE_GLOBAL,
                                                 .type = isa_type(PTX_U32),
                                                 .count = 1,
                                                 .instances = 1});
  lay_out(l, &l->symbols.data[index]);
  return &l->symbols.data[index];
}

/* Declarations */

/* The next word if this word has the text, else this word. */
static const struct litmus_word *past(const struct litmus_word *word, const char *text) {
  return word && strcmp(word->text, text) == 0 ? word->next : word;
}

/* The element type and length of a CUDA vector type such as float4; false: there is no such type. */
static bool type_of_vector(const char *name, enum ptx_type *type, uint32_t *elements) {
  static const struct {
    const char *name;
    enum ptx_type type;
  } names[] = {
      {"char", PTX_S8},   {"uchar", PTX_U8},   {"short", PTX_S16},          {"ushort", PTX_U16},
      {"int", PTX_S32},   {"uint", PTX_U32},   {"long", PTX_S64},           {"ulong", PTX_U64},
      {"float", PTX_F32}, {"double", PTX_F64}, {"longlong", PTX_S64},       {"ulonglong", PTX_U64},
      {"half", PTX_F16},  {"__half", PTX_F16}, {"__nv_bfloat16", PTX_BF16},
  };
  size_t length = strlen(name);
  if (length < 2 || name[length - 1] < '1' || name[length - 1] > '4') return false;
  *elements = (uint32_t)(name[length - 1] - '0');
  for (size_t i = 0; i < ARRAY_LEN(names); i++) {
    if (strlen(names[i].name) != length - 1 || strncmp(names[i].name, name, length - 1) != 0) continue;
    *type = names[i].type;
    return true;
  }
  return false;
}

/* The types of CUDA that are one word, and the words that may follow. */
static const struct {
  const char *name;
  enum ptx_type type, unsigned_type;
  const char *more[2]; /* words that may follow */
} type_names[] = {
    {"int", PTX_S32, PTX_U32, {"", ""}},
    {"char", PTX_S8, PTX_U8, {"", ""}},
    {"short", PTX_S16, PTX_U16, {"int", ""}},
    {"long", PTX_S64, PTX_U64, {"long", "int"}},
    {"float", PTX_F32, PTX_TYPES, {"", ""}},
    {"double", PTX_F64, PTX_TYPES, {"", ""}},
    {"half", PTX_F16, PTX_TYPES, {"", ""}},
    {"__half", PTX_F16, PTX_TYPES, {"", ""}},
    {"bool", PTX_U8, PTX_TYPES, {"", ""}},
    {"size_t", PTX_U64, PTX_TYPES, {"", ""}},
    {"int8_t", PTX_S8, PTX_TYPES, {"", ""}},
    {"int16_t", PTX_S16, PTX_TYPES, {"", ""}},
    {"int32_t", PTX_S32, PTX_TYPES, {"", ""}},
    {"int64_t", PTX_S64, PTX_TYPES, {"", ""}},
    {"uint8_t", PTX_U8, PTX_TYPES, {"", ""}},
    {"uint16_t", PTX_U16, PTX_TYPES, {"", ""}},
    {"uint32_t", PTX_U32, PTX_TYPES, {"", ""}},
    {"uint64_t", PTX_U64, PTX_TYPES, {"", ""}},
    {"__nv_bfloat16", PTX_BF16, PTX_TYPES, {"", ""}},
    {"nv_bfloat16", PTX_BF16, PTX_TYPES, {"", ""}},
    {"uchar", PTX_U8, PTX_TYPES, {"", ""}},
    {"ushort", PTX_U16, PTX_TYPES, {"", ""}},
    {"uint", PTX_U32, PTX_TYPES, {"", ""}},
    {"ulong", PTX_U64, PTX_TYPES, {"", ""}},
    {"ptrdiff_t", PTX_S64, PTX_TYPES, {"", ""}},
};

/* The type that words such as `unsigned long long` name, or that of the elements of a vector; the widths are those of
 * CUDA on 64-bit hosts. */
static bool type_of_words(struct lowering *l, const struct litmus_words *words, enum ptx_type *type,
                          uint32_t *elements) {
  const struct litmus_word *word = past(words->first, "const"), *rest = word;
  bool is_unsigned = word && strcmp(word->text, "unsigned") == 0, is_signed = word && strcmp(word->text, "signed") == 0;
  if (is_unsigned || is_signed) word = word->next;
  *type = is_unsigned ? PTX_U32 : PTX_S32;
  if (!word && rest) return true;
  if (word && !word->next && word == rest && type_of_vector(word->text, type, elements)) return true;
  for (size_t i = 0; i < ARRAY_LEN(type_names) && word; i++) {
    if (strcmp(type_names[i].name, word->text) != 0) continue;
    rest = past(past(word->next, type_names[i].more[0]), type_names[i].more[1]);
    *type = is_unsigned ? type_names[i].unsigned_type : type_names[i].type;
    if (*type != PTX_TYPES && !rest) return true;
  }
  const struct litmus_word *bad = rest ? rest : words->first;
  return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, bad->span,
                     "'%s' is not a type" HINT
                     "types are int, unsigned, uint64_t, float4 and the like, or .u32, .s64, .b128 and the like",
                     bad->text);
}

static enum space space_named(const char *text) {
#define PTX_SPACE(id, word)                                                                                            \
  if (strcmp("." word, text) == 0) return SPACE_##id;
#include "ptx/words.def"
  return strcmp(text, ".shared::cta") == 0 ? SPACE_SHARED : SPACE_GENERIC;
}

/* Reads `.shared .u32` or `int` before a name. */
static bool read_specifiers(struct lowering *l, const struct litmus_entry *entry, struct symbol *symbol) {
  enum ptx_type named = PTX_TYPES;
  enum space *space = &symbol->space;
  *space = SPACE_GENERIC;
  symbol->count = 1;
  if (entry->types.first && !type_of_words(l, &entry->types, &named, &symbol->count)) return false;
  LIST_EACH (word, entry->qualifiers.first) {
    enum space as_space = space_named(word->text);
    enum ptx_type as_type = isa_type_named(word->text);
    bool twice = as_space != SPACE_GENERIC ? *space != SPACE_GENERIC : named != PTX_TYPES;
    if (as_space == SPACE_GENERIC && (as_type == PTX_TYPES || as_type == PTX_PRED || isa_type_packed(as_type)))
      return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, word->span,
                         "'%s' is neither a state space nor a type of a location" HINT
                         "such as .shared .u64 x; an mbarrier object is declared as mbarrier b=1",
                         word->text);
    if (twice)
      return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, word->span, "a second %s: '%s'",
                         as_space != SPACE_GENERIC ? "state space" : "type", word->text);
    if (as_space != SPACE_GENERIC) *space = as_space;
    else named = as_type;
  }
  symbol->type = isa_type(named != PTX_TYPES ? named : PTX_U32);
  if (*space == SPACE_GENERIC) *space = SPACE_GLOBAL;
  return true;
}

/* Turns the elements of an item into those of the whole declaration. False, with a message: it is wrong. */
static bool read_count(struct lowering *l, const struct litmus_entry *entry, struct symbol *symbol) {
  uint32_t values = LIST_LENGTH(entry->values), elements = symbol->count;
  uint64_t items = !entry->is_array ? 1 : entry->has_count ? entry->count : (values + elements - 1) / elements;
  symbol->items = (uint32_t)items;
  symbol->count = (uint32_t)(items * elements);
  if (items == 0)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span, "array '%s' has no elements", entry->ref.name);
  uint64_t limit = l->test->kernels || l->options->large ? KERNEL_LIMIT : OBJECT_LIMIT;
  if (items * elements * type_bytes(symbol->type) > limit)
    return diag_refuse(l->diags, DIAG_TOO_LARGE, entry->span, "'%s' has more than %llu bytes", entry->ref.name,
                       (unsigned long long)limit);
  if (values > symbol->count)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span, "'%s' has %u element%s and %u values",
                       entry->ref.name, symbol->count, symbol->count == 1 ? "" : "s", values);
  if (entry->is_array && entry->values && !entry->braces)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->values->span,
                       "an array takes its values in braces" HINT "for example: %s[2]={0,1}", entry->ref.name);
  return true;
}

/* True for spaces that exist once per CTA. */
static bool of_cta(enum space space) { return space == SPACE_SHARED || space == SPACE_TMEM; }

static uint32_t instance_count(const struct lowering *l, enum space space) {
  if (of_cta(space)) return l->ctas.len;
  return space == SPACE_LOCAL || space == SPACE_PARAM ? l->program->thread_count : 1;
}

static bool check_alias(struct lowering *l, const struct litmus_entry *entry, bool *generic) {
  const struct litmus_word *kind = entry->alias_kind;
  *generic = !kind || strcmp(kind->text, "generic") == 0;
  if (entry->qualifiers.first || entry->types.first || entry->is_array)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->span,
                       "alias '%s' has the type of its location, not one of its own", entry->ref.name);
  for (unsigned proxy = PROXY_GENERIC; proxy < PROXY_ALIAS; proxy++)
    if (!kind || strcmp(kind->text, proxy_word((enum proxy)proxy)) == 0) return true;
  struct diagnostic *d =
      diag_report(l->diags, DIAG_WRONG_DECLARATION, kind->span, "'%s' is not a kind of alias", kind->text);
  struct text kinds = {.arena = l->arena};
  for (unsigned proxy = PROXY_GENERIC + 1; proxy < PROXY_ALIAS; proxy++)
    text_printf(&kinds, "%s%s", proxy + 1 == PROXY_ALIAS ? " and " : ", ", proxy_word((enum proxy)proxy));
  return diag_hint(l->diags, d, "the kinds are %s%s", proxy_word(PROXY_GENERIC), text_str(&kinds));
}

/* Takes `mapped`, `managed` or `device` from the words before a name, in a test with a host. */
static enum host_memory take_memory(const struct lowering *l, struct litmus_entry *entry) {
  static const char *const words[] = {"", "mapped", "managed", "device"};
  struct litmus_word *word = entry->types.first;
  for (unsigned i = 1; i < MEMORIES && word && l->program->host; i++) {
    if (strcmp(word->text, words[i]) != 0) continue;
    entry->types.first = word->next;
    return (enum host_memory)i;
  }
  return MEMORY_PLAIN;
}

static bool declare(struct lowering *l, const struct litmus_entry *written) {
  struct litmus_entry *entry = ARENA_COPY(l->arena, written);
  struct symbol symbol = {.name = entry->ref.name, .span = entry->span, .entry = entry, .target = NO_NAME, .items = 1};
  const struct symbol *other = lower_find_symbol(l, symbol.name);
  if (other)
    return diag_beside(
        diag_report(l->diags, DIAG_REDECLARED, entry->span, "location '%s' is declared twice", symbol.name),
        other->span, "first declared here");
  if (entry->ref.percent || strcmp(symbol.name, "_") == 0)
    return diag_refuse(l->diags, DIAG_WRONG_DECLARATION, entry->ref.span,
                       "a location cannot have the name of a register");
  symbol.memory = take_memory(l, entry);
  symbol.multimem = lower_is_multimem(entry);
  symbol.mbarrier = lower_is_mbarrier(entry);
  symbol.tensormap = lower_is_tensormap(entry);
  if (symbol.tensormap) symbol.space = entry->qualifiers.first ? SPACE_SHARED : SPACE_GLOBAL;
  if (symbol.tensormap) symbol.type = isa_type(PTX_B64), symbol.count = 1;
  if (symbol.mbarrier) symbol.space = SPACE_SHARED, symbol.type = isa_type(PTX_B64), symbol.count = 1;
  bool right = symbol.multimem    ? lower_check_multimem(l, entry)
               : symbol.mbarrier  ? lower_check_mbarrier(l, entry, &symbol.expected)
               : symbol.tensormap ? lower_check_tensormap(l, entry)
               : entry->alias_of  ? check_alias(l, entry, &symbol.own_view)
                                  : read_specifiers(l, entry, &symbol) && read_count(l, entry, &symbol);
  if (!entry->alias_of) symbol.own_view = true;
  symbol.instances = entry->alias_of ? 0 : instance_count(l, symbol.space);
  add_symbol(l, symbol); /* even if it is wrong, so that its uses are not reported again */
  return right;
}

/* Layout */

static const char *instance_name(struct lowering *l, const struct symbol *symbol, uint32_t instance) {
  if (symbol->space == SPACE_LOCAL || symbol->space == SPACE_PARAM)
    return arena_printf(l->arena, "%u:%s", l->program->threads[instance].number, symbol->name);
  if (!of_cta(symbol->space)) return symbol->name;
  const struct cta *cta = &l->ctas.data[instance];
  for (uint32_t i = 0; i < l->ctas.len; i++)
    if (i != instance && l->ctas.data[i].number == cta->number)
      return arena_printf(l->arena, "gpu%u.cta%u:%s", cta->gpu, cta->number, symbol->name);
  return arena_printf(l->arena, "cta%u:%s", cta->number, symbol->name);
}

static bool *bytes_given(const struct lowering *l, const struct symbol *symbol, uint32_t instance, uint32_t size) {
  bool *given = symbol->entry->given ? ARENA_ARRAY(l->arena, bool, size) : NULL;
  LIST_EACH (g, symbol->entry->given)
    if (g->gpu == l->ctas.data[instance].gpu && g->cta == l->ctas.data[instance].number)
      for (uint32_t k = g->begin; k < g->end && k < size; k++) given[k] = true;
  return given;
}

static uint32_t add_object(struct lowering *l, const struct symbol *symbol, uint32_t instance, const char *name) {
  struct object object = {.name = name, .location = symbol->name, .space = symbol->space, .type = symbol->type};
  object.count = symbol->count;
  object.items = symbol->items;
  object.init = ARENA_ARRAY(l->arena, value_t, symbol->count);
  object.size = symbol->count * type_bytes(symbol->type);
  object.phys = (uint32_t)l->phys;
  object.owner = symbol->instances > 1 || of_cta(symbol->space) ? instance : 0;
  object.span = symbol->span;
  object.implicit = !symbol->entry;
  if (symbol->entry) {
    object.place = symbol->entry->place;
    object.whole = symbol->entry->whole;
    object.part = symbol->entry->part;
  }
  bool asks_safety = !l->test->condition;
  object.unset =
      symbol->entry &&
      (symbol->entry->unset || (l->test->kernels && !asks_safety && !symbol->entry->values && !symbol->entry->zeroed));
  if (object.unset) object.given = bytes_given(l, symbol, instance, object.size);
  object.memory = symbol->memory;
  object.mapped = l->program->pcie && symbol->space == SPACE_GLOBAL && symbol->memory <= MEMORY_MAPPED;
  object.is_mbarrier = symbol->mbarrier;
  object.is_tensormap = symbol->tensormap;
  if (symbol->mbarrier) object.count = 0; /* opaque: no elements to read */
  object.expected = symbol->expected;
  l->phys = (l->phys + object.size + OBJECT_ALIGNMENT - 1) / OBJECT_ALIGNMENT * OBJECT_ALIGNMENT;
  VEC_PUSH(l->arena, &l->objects, object);
  return l->objects.len - 1;
}

static uint32_t add_view(struct lowering *l, const char *name, uint32_t object, struct span span) {
  struct view view = {.name = name, .object = object, .vaddr = (uint32_t)l->vaddr, .span = span};
  view.space = l->objects.data[object].space;
  l->vaddr += l->objects.data[object].size + 1;
  bool safe_kernel = l->test->kernels && !l->test->condition;
  if (safe_kernel && view.space == SPACE_GLOBAL && l->vaddr < ROOM) l->vaddr += APART;
  l->vaddr = (l->vaddr + VIEW_ALIGNMENT - 1) / VIEW_ALIGNMENT * VIEW_ALIGNMENT;
  VEC_PUSH(l->arena, &l->views, view);
  return l->views.len - 1;
}

/* Room for `count` views of `bytes` each. */
static bool has_room(struct lowering *l, const char *name, uint64_t bytes, uint32_t count, struct span span) {
  if (l->vaddr + (bytes + 2 * VIEW_ALIGNMENT) * count <= INT32_MAX && l->views.len + count <= VIEW_LIMIT) return true;
  if (!l->too_large)
    diag_report(l->diags, DIAG_TOO_LARGE, span, "there is no room for '%s': the test has too many locations", name);
  l->too_large = true;
  return false;
}

bool lower_add_view(struct lowering *l, const char *name, uint32_t object, struct span span, uint32_t *view) {
  if (!has_room(l, name, l->objects.data[object].size, 1, span)) return false;
  *view = add_view(l, name, object, span);
  return true;
}

/* Adds the word that records the allocated columns of a CTA (exec/async/allocator.c). */
static void add_allocator(struct lowering *l, uint32_t cta, struct span span) {
  struct object object = {.space = SPACE_SHARED, .type = isa_type(PTX_U32), .count = 1, .owner = cta, .span = span};
  object.name = arena_printf(l->arena, "cta%u:allocated columns", l->ctas.data[cta].number);
  object.init = ARENA_ARRAY(l->arena, value_t, 1);
  object.size = type_bytes(object.type);
  object.is_allocator = true;
  object.phys = (uint32_t)l->phys;
  l->phys += OBJECT_ALIGNMENT;
  VEC_PUSH(l->arena, &l->objects, object);
  add_view(l, object.name, l->objects.len - 1, span);
}

bool lower_tensor_memory(struct lowering *l, struct span span) {
  const uint32_t bytes = TENSOR_LANES * TENSOR_WIDTH * TENSOR_CELL;
  for (uint32_t cta = 0; cta < l->ctas.len && !l->tensor_memory; cta++) {
    struct object object = {.space = SPACE_TMEM, .type = isa_type(PTX_U32), .size = bytes, .owner = cta, .span = span};
    object.name = arena_printf(l->arena, "cta%u:tensor memory", l->ctas.data[cta].number);
    object.unset = object.is_cells = true;
    object.phys = (uint32_t)l->phys;
    if (!has_room(l, object.name, bytes, 2, span)) return false;
    l->phys += bytes;
    VEC_PUSH(l->arena, &l->objects, object);
    add_view(l, object.name, l->objects.len - 1, span);
    add_allocator(l, cta, span);
  }
  return l->tensor_memory = true;
}

/* Gives a symbol its views; the target of an alias already has views. */
static void lay_out(struct lowering *l, struct symbol *symbol) {
  const struct symbol *target = symbol->target == NO_NAME ? NULL : &l->symbols.data[symbol->target];
  if (symbol->multimem) return;
  if (target) {
    bool of_constant = target->space == SPACE_CONST && symbol->own_view; /* G83 */
    symbol->space = of_constant ? SPACE_GLOBAL : target->space;
    symbol->type = target->type;
    symbol->count = target->count;
    symbol->instances = target->instances;
    if (!symbol->own_view) {
      symbol->views = target->views;
      return;
    }
  }
  uint64_t bytes = (uint64_t)symbol->count * type_bytes(symbol->type);
  if (!has_room(l, symbol->name, bytes, symbol->instances, symbol->span)) return;
  symbol->views = ARENA_ARRAY(l->arena, uint32_t, symbol->instances);
  for (uint32_t i = 0; i < symbol->instances; i++) {
    const char *name = instance_name(l, symbol, i);
    uint32_t object = target ? l->views.data[target->views[i]].object : add_object(l, symbol, i, name);
    symbol->views[i] = add_view(l, name, object, symbol->span);
    l->views.data[symbol->views[i]].space = symbol->space;
  }
}

static bool report_cycle(struct lowering *l, const struct symbol *symbol) {
  return diag_refuse(l->diags, DIAG_ALIAS_CYCLE, symbol->span, "'%s' is an alias of itself%s", symbol->name,
                     symbol->entry->alias_of->text == symbol->name ? "" : " through others");
}

/* Finds the target of each alias and lays it out first. A chain is followed with a list, not by recursion, so its
 * length does not matter. `state` of a symbol: 0 not visited, 1 on the current chain, 2 laid out, 3 faulty. */
static bool resolve(struct lowering *l, uint32_t start, uint8_t *state) {
  VEC(uint32_t) chain = {0};
  uint32_t at = start;
  bool right = true;
  while (state[at] == 0) {
    struct symbol *symbol = &l->symbols.data[at];
    state[at] = 1;
    VEC_PUSH(l->arena, &chain, at);
    if (!symbol->entry || !symbol->entry->alias_of) break;
    const struct litmus_word *of = symbol->entry->alias_of;
    const struct symbol *target = lower_symbol(l, of->text, of->span);
    if (target && target->multimem)
      diag_report(l->diags, DIAG_WRONG_MULTIMEM, of->span, "'%s' is a multimem address and has no aliases", of->text);
    if (!target || target->multimem) {
      right = false;
      break;
    }
    l->symbols.data[at].target = (uint32_t)(target - l->symbols.data);
    at = l->symbols.data[at].target;
    if (state[at] == 1) right = report_cycle(l, &l->symbols.data[at]);
  }
  if (state[at] == 3) right = false;
  while (chain.len > 0) {
    at = chain.data[--chain.len];
    if (right && !l->symbols.data[at].views) lay_out(l, &l->symbols.data[at]);
    state[at] = right ? 2 : 3;
  }
  return right;
}

static bool resolve_all(struct lowering *l) {
  uint32_t declared = l->symbols.len, before = l->diags->errors;
  /* Implicit targets add at most one symbol per alias. */
  uint8_t *state = ARENA_ARRAY(l->arena, uint8_t, 2 * (size_t)declared + 1);
  for (uint32_t i = 0; i < declared; i++)
    if (state[i] == 0) resolve(l, i, state);
  return l->diags->errors == before;
}

/* Names */

/* The CTA that `ref` names; for an instruction of a thread, it must be in the thread's cluster. */
static bool named_cta(struct lowering *l, const struct litmus_ref *ref, uint32_t thread, uint32_t *id) {
  uint32_t found = UINT32_MAX, matches = 0;
  bool has_gpu = ref->has_gpu || thread != NO_THREAD;
  uint32_t gpu = ref->has_gpu || thread == NO_THREAD ? ref->gpu : l->program->threads[thread].gpu;
  for (uint32_t i = 0; i < l->ctas.len; i++) {
    if (l->ctas.data[i].number != ref->cta || (has_gpu && l->ctas.data[i].gpu != gpu)) continue;
    if (thread != NO_THREAD && l->ctas.data[i].grid != l->program->threads[thread].grid) continue;
    found = i;
    matches++;
  }
  *id = found;
  if (matches == 0)
    return diag_refuse(l->diags, DIAG_OTHER_CTA, ref->owner_span, "no thread of the test is in that CTA");
  if (matches > 1)
    return diag_refuse(l->diags, DIAG_OTHER_CTA, ref->owner_span,
                       "several gpus have a cta %u" HINT "name the gpu too: gpu%u.cta%u:%s", ref->cta,
                       l->ctas.data[found].gpu, ref->cta, ref->name);
  if (thread == NO_THREAD || l->ctas.data[found].cluster_id == l->program->threads[thread].cluster_id) return true;
  return diag_refuse(l->diags, DIAG_OTHER_CTA, ref->owner_span,
                     "P%u cannot reach the shared memory of cta %u, which is not in its cluster",
                     l->program->threads[thread].number, ref->cta);
}

static bool report_owner(struct lowering *l, const struct symbol *symbol, const struct litmus_ref *ref) {
  bool shared = of_cta(symbol->space), local = symbol->space == SPACE_LOCAL || symbol->space == SPACE_PARAM;
  struct diagnostic *d;
  if (ref->owner == LITMUS_OWNER_NONE)
    d = diag_report(l->diags, DIAG_UNKNOWN_LOCATION, ref->span, "'%s' exists once per %s", ref->name,
                    shared ? "CTA" : "thread");
  else
    d = diag_report(l->diags, DIAG_UNKNOWN_LOCATION, ref->owner_span, "'%s' is in %s memory and belongs to no %s",
                    ref->name, space_word(symbol->space), ref->owner == LITMUS_OWNER_CTA ? "CTA" : "thread");
  if (shared) diag_hint(l->diags, d, "name its CTA: cta%u:%s", l->ctas.data[0].number, ref->name);
  else if (local) diag_hint(l->diags, d, "say whose it is: %u:%s", l->program->threads[0].number, ref->name);
  else diag_hint(l->diags, d, "write '%s' alone", ref->name);
  return false;
}

static bool report_multimem(struct lowering *l, const struct symbol *symbol, const struct litmus_ref *ref) {
  struct diagnostic *d = diag_report(l->diags, DIAG_WRONG_MULTIMEM, ref->span,
                                     "'%s' is a multimem address: only multimem instructions reach it", ref->name);
  const struct litmus_value *first = symbol->entry->values;
  if (first && first->is_address) diag_hint(l->diags, d, "its replicas have names of their own: %s", first->ref.name);
  return diag_beside(d, symbol->span, "declared here");
}

bool lower_view(struct lowering *l, const struct symbol *symbol, const struct litmus_ref *ref, uint32_t thread,
                uint32_t *view) {
  uint32_t instance = 0;
  bool shared = of_cta(symbol->space), local = symbol->space == SPACE_LOCAL || symbol->space == SPACE_PARAM;
  if (symbol->multimem) return report_multimem(l, symbol, ref);
  if (!symbol->views) return false; /* a faulty declaration, reported already */
  if (ref->owner == LITMUS_OWNER_CTA && shared) {
    if (!named_cta(l, ref, thread, &instance)) return false;
  } else if (ref->owner == LITMUS_OWNER_THREAD && local && thread == NO_THREAD) {
    instance = lower_find_thread(l, ref->thread);
    if (instance == NO_THREAD) {
      lower_unknown_thread(l, ref->thread, ref->owner_span);
      return false;
    }
  } else if (ref->owner != LITMUS_OWNER_NONE || (thread == NO_THREAD && (shared || local))) {
    return report_owner(l, symbol, ref);
  } else if (shared || local) {
    instance = shared ? l->program->threads[thread].cta_id : thread;
  }
  *view = symbol->views[instance];
  return true;
}

int64_t lower_ref_offset(const struct symbol *symbol, const struct litmus_ref *ref) {
  return ref->offset + (ref->has_index ? (int64_t)ref->index * type_bytes(symbol->type) : 0);
}

bool lower_ref_address(struct lowering *l, const struct litmus_ref *ref, uint32_t thread, value_t *address) {
  uint32_t view;
  const struct symbol *symbol = lower_symbol(l, ref->name, ref->span);
  if (!symbol || !lower_view(l, symbol, ref, thread, &view)) return false;
  int64_t offset = lower_ref_offset(symbol, ref);
  if (offset < 0 || offset > (int64_t)l->objects.data[l->views.data[view].object].size)
    return diag_refuse(l->diags, DIAG_OUT_OF_BOUNDS, ref->span, "the address is outside '%s'", ref->name);
  *address = (value_t)(l->views.data[view].vaddr + (uint64_t)offset);
  return true;
}

/* Values */

/* The value of an instance may name a location without its owner. This is the thread whose location is meant: a thread
 * of the instance's CTA, or the instance's own thread; NO_THREAD for objects that exist once. */
static uint32_t owner_thread(const struct lowering *l, const struct object *object) {
  if (object->space == SPACE_LOCAL || object->space == SPACE_PARAM) return object->owner;
  if (of_cta(object->space))
    for (uint32_t i = 0; i < l->program->thread_count; i++)
      if (l->program->threads[i].cta_id == object->owner) return i;
  return NO_THREAD;
}

static bool fill(struct lowering *l, const struct symbol *symbol, struct object *object) {
  uint32_t element = 0;
  for (const struct litmus_value *value = symbol->entry->values; value; value = value->next, element++) {
    value_t address;
    if (symbol->tensormap && element) break; /* further elements are a map's replacement targets */
    if (!value->is_address) {
      if (!lower_value(l, &value->number, symbol->type, &object->init[element])) return false;
      continue;
    }
    if (!lower_ref_address(l, &value->ref, owner_thread(l, object), &address)) return false;
    if (address & ~value_mask(symbol->type.width))
      return diag_refuse(l->diags, DIAG_VALUE_RANGE, value->span,
                         "an address does not fit in %u bits" HINT "declare the location as .u64", symbol->type.width);
    object->init[element] = address;
  }
  return true;
}

static bool fill_all(struct lowering *l) {
  bool right = true;
  VEC_EACH (symbol, &l->symbols) {
    if (!symbol->entry || symbol->target != NO_NAME || !symbol->views || symbol->mbarrier)
      continue; /* multimem has no views */
    bool filled = true;
    for (uint32_t k = 0; k < symbol->instances && filled; k++)
      filled = fill(l, symbol, &l->objects.data[l->views.data[symbol->views[k]].object]);
    right = right && filled;
  }
  return right;
}

bool lower_declarations(struct lowering *l) {
  bool right = true;
  l->vaddr = FIRST_VADDR;
  LIST_EACH (entry, l->test->entries)
    if (!entry->launch && entry->ref.owner == LITMUS_OWNER_NONE && !declare(l, entry)) right = false;
  if (!right) return false;
  if (!resolve_all(l) || !lower_replicas(l) || !lower_tensormaps(l) || !lower_launches(l)) right = false;
  if (right && !fill_all(l)) right = false;
  LIST_EACH (entry, l->test->entries)
    if (!entry->launch && entry->ref.owner != LITMUS_OWNER_NONE && !lower_reg_init(l, entry)) right = false;
  return right;
}
