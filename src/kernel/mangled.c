#include "kernel/mangled.h"

#include <ctype.h>

#include "base/text.h"

enum { DEEPEST = 64 };

struct demangling {
  struct arena *arena;
  const char *at;
  VEC(const char *) known;     /* parts that S_, S0_ ... repeat */
  VEC(const char *) arguments; /* of the kernel's template: T_, T0_ ... */
  unsigned depth;
};

static const char *read_type(struct demangling *r);
static const char *read_name(struct demangling *r, const char **plain, bool *template);

static bool take(struct demangling *r, char c) {
  if (*r->at != c) return false;
  r->at++;
  return true;
}

static const char *note(struct demangling *r, const char *text) {
  if (text) VEC_PUSH(r->arena, &r->known, text);
  return text;
}

/* The number in S_, S0_, SA_ (base 36), T_, T0_: 0 without a digit, else 1 more than the digits. */
static uint32_t read_index(struct demangling *r) {
  uint32_t index = 0;
  bool any = false;
  for (; isdigit((unsigned char)*r->at) || isupper((unsigned char)*r->at); r->at++, any = true)
    index = index % 100000 * 36 + (uint32_t)(isdigit((unsigned char)*r->at) ? *r->at - '0' : *r->at - 'A' + 10);
  return take(r, '_') ? index + any : UINT32_MAX;
}

static const char *read_source_name(struct demangling *r) {
  size_t length = 0;
  while (isdigit((unsigned char)*r->at) && length < 100000) length = length * 10 + (size_t)(*r->at++ - '0');
  if (!length || strlen(r->at) < length) return NULL;
  const char *name = arena_strndup(r->arena, r->at, length);
  r->at += length;
  return strncmp(name, "_GLOBAL__N_", 11) == 0 ? "(anonymous namespace)" : name;
}

/* Li32E, Lb1E, LN2ns1eE2E: the number alone, but for bool. */
static const char *read_literal(struct demangling *r) {
  bool boolean = *r->at == 'b';
  if (!read_type(r)) return NULL;
  bool negative = take(r, 'n');
  size_t length = strspn(r->at, "0123456789");
  const char *digits = arena_strndup(r->arena, r->at, length);
  r->at += length;
  if (!length || !take(r, 'E')) return NULL;
  if (boolean) return strcmp(digits, "0") == 0 ? "false" : "true";
  return arena_printf(r->arena, "%s%s", negative ? "-" : "", digits);
}

/* The arguments of a template up to E, or those of a pack in it. */
static bool read_arguments(struct demangling *r, struct text *out, bool own) {
  while (!take(r, 'E')) {
    const char *argument = NULL;
    if (!*r->at || ++r->depth > DEEPEST) return false;
    if (take(r, 'J')) {
      if (!read_arguments(r, out, own)) return false;
      r->depth--;
      continue;
    }
    argument = take(r, 'L') ? read_literal(r) : read_type(r);
    r->depth--;
    if (!argument) return false;
    if (own) VEC_PUSH(r->arena, &r->arguments, argument);
    text_printf(out, "%s%s", out->len ? ", " : "", argument);
  }
  return true;
}

static const char *with_arguments(struct demangling *r, const char *name, bool own) {
  struct text list = {.arena = r->arena};
  if (own) r->arguments.len = 0;
  if (!read_arguments(r, &list, own)) return NULL;
  return arena_printf(r->arena, "%s<%s>", name, text_str(&list));
}

/* St, S_, S0_: `std`, or a part that was read before. */
static const char *read_known(struct demangling *r) {
  if (take(r, 't')) return "std";
  uint32_t index = read_index(r);
  return index < r->known.len ? r->known.data[index] : NULL;
}

/* N...E */
static const char *read_nested(struct demangling *r, const char **plain, bool *template, bool own) {
  const char *name = NULL;
  *plain = NULL;
  while (*r->at && strchr("rVKRO", *r->at)) r->at++;
  while (!take(r, 'E')) {
    const char *whole, *bare;
    bool known = take(r, 'S');
    if (take(r, 'I')) {
      if (!name) return NULL;
      whole = with_arguments(r, name, own), bare = *plain;
      *template = true;
    } else {
      const char *part = known ? read_known(r) : (take(r, 'L'), read_source_name(r));
      if (!part) return NULL;
      whole = name ? arena_printf(r->arena, "%s::%s", name, part) : part;
      bare = *plain ? arena_printf(r->arena, "%s::%s", *plain, part) : part;
      *template = false;
    }
    if (!whole) return NULL;
    name = whole, *plain = bare;
    if (!known && *r->at != 'E') note(r, name);
  }
  return name;
}

static const char *read_name_of(struct demangling *r, const char **plain, bool *template, bool own) {
  *template = false;
  if (take(r, 'N')) return read_nested(r, plain, template, own);
  const char *name = NULL;
  if (take(r, 'S')) {
    name = read_known(r);
    if (name && strcmp(name, "std") == 0 && isdigit((unsigned char)*r->at)) {
      const char *part = read_source_name(r);
      name = part ? arena_printf(r->arena, "std::%s", part) : NULL;
      if (*r->at == 'I') note(r, name);
    }
  } else {
    take(r, 'L');
    name = read_source_name(r);
    if (*r->at == 'I') note(r, name);
  }
  *plain = name;
  if (!name || !take(r, 'I')) return name;
  *template = true;
  return with_arguments(r, name, own);
}

static const char *read_name(struct demangling *r, const char **plain, bool *template) {
  return read_name_of(r, plain, template, true);
}

static const char *read_builtin(struct demangling *r) {
  static const struct {
    const char *code, *name;
  } types[] = {{"v", "void"},
               {"b", "bool"},
               {"c", "char"},
               {"a", "signed char"},
               {"h", "unsigned char"},
               {"s", "short"},
               {"t", "unsigned short"},
               {"i", "int"},
               {"j", "unsigned"},
               {"l", "long"},
               {"m", "unsigned long"},
               {"x", "long long"},
               {"y", "unsigned long long"},
               {"f", "float"},
               {"d", "double"},
               {"n", "__int128"},
               {"o", "unsigned __int128"},
               {"Dh", "half"},
               {"w", "wchar_t"},
               {"z", "..."}};
  for (size_t i = 0; i < ARRAY_LEN(types); i++) {
    if (strncmp(r->at, types[i].code, strlen(types[i].code)) != 0) continue;
    r->at += strlen(types[i].code);
    return types[i].name;
  }
  return NULL;
}

static const char *read_type_at(struct demangling *r) {
  const char *inner, *plain;
  bool template;
  if (take(r, 'P')) return (inner = read_type(r)) ? note(r, arena_printf(r->arena, "%s*", inner)) : NULL;
  if (take(r, 'R') || take(r, 'O'))
    return (inner = read_type(r)) ? note(r, arena_printf(r->arena, "%s&", inner)) : NULL;
  if (take(r, 'V')) return (inner = read_type(r)) ? note(r, arena_printf(r->arena, "volatile %s", inner)) : NULL;
  if (take(r, 'K')) {
    inner = read_type(r);
    bool pointer = inner && *inner && inner[strlen(inner) - 1] == '*';
    return inner ? note(r, arena_printf(r->arena, pointer ? "%s const" : "const %s", inner)) : NULL;
  }
  if (take(r, 'T')) {
    uint32_t index = read_index(r);
    return index < r->arguments.len ? note(r, r->arguments.data[index]) : NULL;
  }
  if (*r->at == 'S' && r->at[1] != 't') {
    const char *name = (r->at++, read_known(r));
    return name && take(r, 'I') ? note(r, with_arguments(r, name, false)) : name;
  }
  if (isdigit((unsigned char)*r->at) || *r->at == 'N' || *r->at == 'S')
    return note(r, read_name_of(r, &plain, &template, false));
  return read_builtin(r);
}

static const char *read_type(struct demangling *r) {
  if (++r->depth > DEEPEST) return NULL;
  const char *type = read_type_at(r);
  r->depth--;
  return type;
}

bool mangled_read(struct arena *arena, const char *name, struct mangled *out) {
  struct demangling r = {.arena = arena, .at = name + 2};
  bool template = false;
  *out = (struct mangled){0};
  if (strncmp(name, "_Z", 2) != 0 || name[2] == 'Z') return false;
  out->name = read_name(&r, &out->plain, &template);
  if (!out->name || (template && !read_type(&r))) return false;
  while (*r.at && *r.at != '.' && *r.at != '$' && out->type_count < MANGLED_MOST) {
    const char *type = read_type(&r);
    if (!type) return false;
    if (strcmp(type, "void") != 0) out->types[out->type_count++] = type;
  }
  return true;
}

bool mangled_alike(const char *a, const char *b) {
  for (;; a++, b++) {
    while (*a == ' ') a++;
    while (*b == ' ') b++;
    if (*a != *b) return false;
    if (!*a) return true;
  }
}
