#include "ptx/program.h"

const char *scope_word(enum scope scope) {
  static const char *const words[] = {
      [SCOPE_NONE] = "",
#define PTX_SCOPE(id, word, set, meaning) [SCOPE_##id] = "." word,
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

const char *proxy_word(enum proxy proxy) {
  static const char *const words[] = {
      [PROXY_GENERIC] = "generic",
#define PTX_PROXY(id, word, set, meaning) [PROXY_##id] = word,
#include "ptx/words.def"
      [PROXY_ALIAS] = "alias",
      [PROXY_ASYNC] = "async",
      [PROXY_TENSORMAP] = "tensormap",
      [PROXY_TMEM] = "tensor memory",
  };
  return words[proxy];
}

void type_print(struct type type, value_t value, struct text *out) {
  unsigned long long bits = (unsigned long long)(value & value_mask(type.width));
  if (type_is_float(type)) text_printf(out, "0x%0*llx", type.width / 4, bits);
  else text_value(out, value, type.width, type.kind == TYPE_SIGNED);
}

void type_tell(struct type type, value_t value, struct text *out) {
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
