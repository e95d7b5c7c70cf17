#include "ptx/program.h"

const char *scope_word(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "",
#define PTX_SCOPE(id, word, cuda, set, meaning) [SCOPE_##id] = "." word,
#include "ptx/words.def"
  };
  return words[scope];
}

const char *space_word(enum space space) {
  static const char *const words[] = {
      [SPACE_GENERIC] = "generic",
#define PTX_SPACE(id, word) [SPACE_##id] = "." word,
#include "ptx/words.def"
  };
  return words[space];
}

const char *sem_word(enum sem sem) {
  static const char *const words[] = {
#define PTX_SEM(id, word) [SEM_##id] = "." word,
#include "ptx/words.def"
  };
  return words[sem];
}

const char *scope_of_cuda(enum scope scope) {
  static const char *const words[] = {
#define PTX_SCOPE(id, word, cuda, set, meaning) [SCOPE_##id] = cuda,
#include "ptx/words.def"
  };
  return words[scope];
}

static const struct {
  const char *word, *load, *store;
} proxies[] = {
    [PROXY_GENERIC] = {"generic", "ld", "st"},
#define PTX_PROXY(id, word, load, store, set, meaning) [PROXY_##id] = {word, load, store},
#include "ptx/words.def"
    [PROXY_ALIAS] = {"alias", "ld", "st"},         [PROXY_ASYNC] = {"async", NULL, NULL},
    [PROXY_TENSORMAP] = {"tensormap", NULL, NULL}, [PROXY_TMEM] = {"tensor memory", NULL, NULL},
};

const char *proxy_word(enum proxy proxy) { return proxies[proxy].word; }
const char *proxy_load(enum proxy proxy) { return proxies[proxy].load; }
const char *proxy_store(enum proxy proxy) { return proxies[proxy].store; }

void type_print(struct type type, value_t value, struct text *out) {
  unsigned long long bits = (unsigned long long)(value & value_mask(type.width));
  if (type_is_float(type)) text_printf(out, "0x%0*llx", type.width / 4, bits);
  else text_value(out, value, type.width, type.kind == TYPE_SIGNED);
}

void thread_tell(const struct thread *thread, struct text *out) {
  if (!thread->of_kernel) {
    text_printf(out, "P%u", thread->number);
    return;
  }
  if (thread->host) {
    text_add(out, "a thread of the host");
    return;
  }
  text_printf(out, "thread %u of block %u", thread->special.tid, thread->special.cta);
  if (thread->gpu) text_printf(out, " on GPU %u", thread->gpu);
}

void object_tell(const struct object *object, uint32_t offset, struct text *out) {
  enum { OBJECT_BYTES = 8 };
  const char *colon = strchr(object->name, ':');
  uint32_t size = object->is_mbarrier ? OBJECT_BYTES : type_bytes(object->type);
  bool part = object->whole != NULL, indexed = part || !(object->is_mbarrier || (object->count == 1 && offset < size));
  uint32_t at = part ? object->part + offset : offset;
  if (part && colon) text_printf(out, "%.*s", (int)(colon + 1 - object->name), object->name);
  text_add(out, part ? object->whole : object->name);
  if (indexed) text_printf(out, "[%u]", at / size);
  if (at % size) text_printf(out, "+%u", at % size);
}

/* Adds the address of a location as an operand: &x, &a[1], &x+2. False if the value is not such an address. */
static bool tell_address(const struct program *program, value_t value, struct text *out) {
  ARRAY_EACH (view, program->views, program->view_count) {
    const struct object *object = &program->objects[view->object];
    if (value < view->vaddr || value - view->vaddr >= object->size) continue;
    uint32_t offset = (uint32_t)(value - view->vaddr), size = type_bytes(object->type);
    const char *colon = strchr(object->name, ':');
    bool own = strcmp(view->name, object->name) == 0 || (colon && strcmp(view->name, colon + 1) == 0);
    text_printf(out, "&%s", own ? object->name : view->name);
    if (object->count > 1) text_printf(out, "[%u]", offset / size), offset %= size;
    if (offset) text_printf(out, "+%u", offset);
    return true;
  }
  return false;
}

void value_tell(const struct program *program, struct type type, value_t value, struct text *out) {
  if (type.width == 64 && !type_is_float(type) && tell_address(program, value, out)) return;
  if (type.width == 128 && (value == response_value(true) || value == response_value(false))) {
    text_add(out, value == response_value(true) ? "a response: canceled" : "a response: none canceled");
    return;
  }
  type_print(type, value, out);
  if (!type_is_float(type)) return;
  text_add(out, " (");
  float_text(out, type_format(type), value & value_mask(type.width));
  text_char(out, ')');
}

void instr_print(const struct instr *instr, struct text *out) {
  struct span span = instr->span;
  bool blank = false, any = false;
  for (uint32_t i = span.begin; span.source && i < span.end; i++) {
    char c = span.source->text[i];
    if ((unsigned char)c <= ' ') {
      blank = any;
      continue;
    }
    if (blank) text_char(out, ' ');
    text_char(out, c);
    blank = false;
    any = true;
  }
}
