#include "kernel/module.h"

#include "kernel/build.h"
#include "kernel/mangled.h"
#include "ptx/isa.h"

static uint32_t read_number(const char **at) {
  char *end;
  uint32_t number = (uint32_t)strtoul(*at, &end, 10);
  *at = end;
  return number;
}

void kernel_note_place(struct kernel_parse *parse, const char *text) {
  const char *inlined = strstr(text, "inlined_at");
  struct module_place place = {.offset = parse->base.token.begin};
  place.file = read_number(&text);
  place.line = read_number(&text);
  place.column = read_number(&text);
  if (inlined) {
    inlined += strlen("inlined_at");
    place.outer_file = read_number(&inlined);
    place.outer_line = read_number(&inlined);
  }
  if (place.line) VEC_PUSH(parse->base.arena, &parse->module->places, place);
}

void kernel_note_file(struct kernel_parse *parse, const char *text) {
  char *end;
  struct module_file file = {.number = (uint32_t)strtoul(text, &end, 10)};
  end += strspn(end, " \t");
  if (*end++ != '"') return;
  file.name = arena_strndup(parse->base.arena, end, strcspn(end, "\"\n"));
  VEC_PUSH(parse->base.arena, &parse->module->files, file);
}

const char *module_file_named(const struct module *module, uint32_t number) {
  for (uint32_t i = 0; i < module->files.len; i++)
    if (module->files.data[i].number == number) return base_file_name(module->files.data[i].name);
  return NULL;
}

const struct module_place *module_outer_place(const struct module *module, const struct module_place *place) {
  enum { NEAR = 64 };
  const struct module_place *first = module->places.data, *at = place;
  for (uint32_t i = 0; i < NEAR && place->outer_line && at > first; i++) {
    at--;
    if (at->file == place->outer_file && at->line == place->outer_line) return at;
  }
  return NULL;
}

const struct module_place *module_place_of(const struct module *module, uint32_t offset) {
  uint32_t low = 0, high = module->places.len;
  while (low < high) {
    uint32_t middle = low + (high - low) / 2;
    if (module->places.data[middle].offset <= offset) low = middle + 1;
    else high = middle;
  }
  return low ? &module->places.data[low - 1] : NULL;
}

/* The innermost place in the file that was compiled. */
static uint32_t line_in(const struct module *module, const struct module_place *place, const char *name) {
  const char *file = module_file_named(module, place->file), *outer;
  for (; place; place = module_outer_place(module, place)) {
    if (file && strcmp(file, name) == 0) return place->line;
    outer = module_file_named(module, place->outer_file);
    if (place->outer_line && outer && strcmp(outer, name) == 0) return place->outer_line;
    file = outer;
  }
  return 0;
}

/* The innermost place in the file of the outermost one: that of a kernel, not of the header of a function. */
static void find_near(const struct module *module, const struct module_place *place, struct source_origin *out) {
  const char *file = out->outer ? out->outer : out->file;
  out->near = (struct source_place){file, out->outer ? out->outer_line : out->line, 0};
  for (const struct module_place *at = place; at; at = module_outer_place(module, at)) {
    const char *own = module_file_named(module, at->file);
    if (!own || strcmp(own, file) != 0) continue;
    out->near = (struct source_place){file, at->line, at->column};
    return;
  }
}

static bool find_origin(const struct module *module, const struct module_place *place, struct source_origin *out) {
  *out = (struct source_origin){
      .offset = place->offset, .line = place->line, .file = module_file_named(module, place->file)};
  for (const struct module_place *at = place; at && at->outer_line; at = module_outer_place(module, at)) {
    out->outer = module_file_named(module, at->outer_file);
    out->outer_line = at->outer_line;
  }
  if (out->file) find_near(module, place, out);
  return out->file != NULL;
}

void module_name_lines(struct arena *arena, const struct module *module, bool compiled, struct source *source) {
  struct source_line *lines = ARENA_ARRAY(arena, struct source_line, module->places.len);
  struct source_origin *origins = ARENA_ARRAY(arena, struct source_origin, module->places.len);
  uint32_t count = 0, origin_count = 0;
  VEC_EACH (place, &module->places) {
    uint32_t line = compiled ? line_in(module, place, base_file_name(source->name)) : 0;
    if (line) lines[count++] = (struct source_line){.offset = place->offset, .line = line};
    origin_count += find_origin(module, place, &origins[origin_count]);
  }
  source->lines = lines;
  source->line_count = count;
  source->origins = origins;
  source->origin_count = origin_count;
}

struct module_item *kernel_item(struct kernel_parse *parse, enum module_item_kind kind, struct span span) {
  struct module_item *item = ARENA_NEW(parse->base.arena, struct module_item);
  item->kind = kind;
  item->span = span;
  return item;
}

struct module_attributes kernel_attribute(struct kernel_parse *parse, struct module_attributes attributes,
                                          const struct litmus_word *name, struct module_numbers numbers) {
  struct module_attribute *attribute =
      ARENA_MAKE(parse->base.arena, struct module_attribute, .name = *name, .numbers = numbers);
  LIST_ADD(attributes, attribute);
  return attributes;
}

uint32_t module_element_bytes(const struct module_variable *variable) {
  const struct litmus_words *words = &variable->words;
  uint32_t elements = litmus_has_word(words, ".v2") ? 2 : litmus_has_word(words, ".v4") ? 4 : 1;
  return elements * isa_bytes_among(words);
}

uint64_t module_address(const struct module *module, const struct module_function *function) {
  enum { FIRST = 1 << 21, APART = 16 }; /* where no memory is (kernel/memory.h) */
  uint64_t address = FIRST;
  for (const struct module_function *f = module->functions.first; f && f->name.text != function->name.text; f = f->next)
    address += APART;
  return address;
}

static bool moves(const struct litmus_instr *instr, const char *name) {
  const struct litmus_operand *from = instr->operands ? instr->operands->next : NULL;
  return strcmp(instr->opcode.text, "mov") == 0 && from && from->kind == LITMUS_NAME && from->u.ref.name == name;
}

bool module_takes(const struct module *module, const struct module_function *function) {
  const char *name = function->name.text;
  LIST_EACH (v, module->variables.first)
    LIST_EACH (value, v->values)
      if (value->is_address && value->ref.name == name) return true;
  LIST_EACH (f, module->functions.first)
    LIST_EACH (item, f->items)
      if (item->kind == MODULE_INSTR && moves(item->instr, name)) return true;
  return false;
}

uint32_t module_bytes(const struct module_variable *variable) {
  uint64_t bytes = module_element_bytes(variable) * (variable->is_array ? variable->count : 1);
  return bytes < UINT32_MAX ? (uint32_t)bytes : UINT32_MAX;
}

struct module *module_parse(struct arena *arena, struct intern *names, struct diags *diags,
                            const struct source *source) {
  struct kernel_parse parse = {.base = {.arena = arena, .names = names, .diags = diags, .source = source}};
  struct module *module = parse.module = ARENA_NEW(arena, struct module);
  module->source = source;
  kernel_scan_and_parse(&parse);
  return parse.base.errors ? NULL : module;
}

/* A mangled name contains each of its names after the name's length (Itanium C++ ABI, 5.1). The entity's own name is
 * the last one: in _ZZ1kPiE4sums the last of all, in _Z1kPi and _ZN1n1kEPi the last before the types. */
static size_t read_length(const char **at) {
  size_t length = 0;
  while (**at >= '0' && **at <= '9' && length < 100000) length = length * 10 + (size_t)(*(*at)++ - '0');
  return length;
}

/* The last name of a nested or plain one at `at`; moves past it. */
static const char *entity(struct intern *names, const char **at) {
  const char *found = NULL;
  bool nested = **at == 'N';
  if (nested) ++*at;
  while (nested && **at && strchr("rVKRO", **at)) ++*at;
  while (**at == 'L') ++*at;
  while (**at >= '0' && **at <= '9') {
    size_t length = read_length(at);
    if (strlen(*at) < length) return NULL;
    found = intern_slice(names, *at, length);
    *at += length;
    if (!nested) break;
    while (**at == 'L') ++*at;
  }
  return found;
}

/* The name of a function's variable: the name after the last E, which must reach the end. */
static const char *local_entity(struct intern *names, const char *name) {
  for (const char *at = name + strlen(name); at > name; at--) {
    const char *digits = at;
    if (at[-1] != 'E' || *at < '0' || *at > '9') continue;
    size_t length = read_length(&digits), rest = strlen(digits);
    if (length <= rest && (length == rest || digits[length] == '_')) return intern_slice(names, digits, length);
  }
  return NULL;
}

const char *module_source_name(struct intern *names, const char *name) {
  const char *at = name + 2, *found;
  if (!base_begins(name, "_Z")) return name;
  found = *at == 'Z' ? local_entity(names, name) : entity(names, &at);
  return found ? found : name;
}

/* True if the name is one of the source for the function: k, ns::k or ns::k<32, float>. */
static bool is_called(struct intern *names, const struct module_function *f, const char *name) {
  struct mangled full;
  if (strcmp(module_source_name(names, f->name.text), name) == 0) return true;
  if (!strpbrk(name, ":<") || !mangled_read(names->arena, f->name.text, &full)) return false;
  name += base_begins(name, "::") ? 2 : 0;
  return mangled_alike(full.name, name) || mangled_alike(full.plain, name);
}

const struct module_function *module_find(struct intern *names, const struct module *module, const char *name,
                                          bool *many) {
  const struct module_function *found = NULL;
  *many = false;
  LIST_EACH (f, module->functions.first)
    if (f->has_body && strcmp(f->name.text, name) == 0) return f;
  LIST_EACH (f, module->functions.first) {
    if (!f->has_body || !is_called(names, f, name)) continue;
    if (found) *many = true;
    found = f;
  }
  return *many ? NULL : found;
}

const char *module_full_name(struct intern *names, const struct module *module, const struct module_function *f) {
  bool many;
  struct mangled full;
  const char *name = module_source_name(names, f->name.text);
  if (module_find(names, module, name, &many) == f) return name;
  if (!mangled_read(names->arena, f->name.text, &full)) return f->name.text;
  if (module_find(names, module, full.plain, &many) == f) return full.plain;
  return module_find(names, module, full.name, &many) == f ? full.name : f->name.text;
}
