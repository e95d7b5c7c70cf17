#include "kernel/mangled.h"

#include <ctype.h>

#include "base/text.h"

/* Of the runtime of C++, which CaDiCaL needs too; C cannot include <cxxabi.h>. The result is to be freed. NULL also for
 * names of more than 1,024 bytes, which are then known by their last part alone. */
char *__cxa_demangle(const char *mangled, char *buffer, size_t *length, int *status);

/* The last `c` outside of brackets before `end`; NULL: there is none. An opening bracket may be asked for, too. */
static char *last_outside(char *begin, char *end, char c) {
  int depth = 0;
  for (char *at = end; at-- > begin;) {
    depth += (strchr(">)]}", *at) != NULL) - (strchr("<([{", *at) != NULL);
    if (*at == c && depth == 0) return at;
  }
  return NULL;
}

/* Moves the qualifier at the end of the text before the type that it qualifies, unless that is a pointer: the source
 * has `const float*` for `float const*`. */
static bool put_first(struct text *out, const char *qualifier) {
  char *end = out->data + out->len, *begin = out->data;
  if (end > begin && (end[-1] == '*' || end[-1] == '&')) return false;
  for (int depth = 0; end > begin && (depth || !strchr("<(,", end[-1])); end--)
    depth += (end[-1] == '>') - (end[-1] == '<');
  end += *end == ' ';
  const char *type = arena_strndup(out->arena, end, (size_t)(out->data + out->len - end));
  out->len = (size_t)(end - begin);
  text_printf(out, "%s %s", qualifier, type);
  return true;
}

/* The name with `unsigned` for `unsigned int`, 3 for 3u and for (E)3, and qualifiers before types. */
static char *as_written(struct arena *arena, const char *at) {
  struct text out = {.arena = arena};
  while (*at) {
    bool begins = !out.len || !(isalnum((unsigned char)out.data[out.len - 1]) || out.data[out.len - 1] == '_');
    size_t digits = begins ? strspn(at, "0123456789") : 0, cast = *at == '(' && begins ? strcspn(at, ")") : 0;
    if (base_begins(at, "unsigned int")) {
      text_add(&out, "unsigned");
      at += strlen("unsigned int");
    } else if (base_begins(at, " const") && put_first(&out, "const")) {
      at += strlen(" const");
    } else if (base_begins(at, " volatile") && put_first(&out, "volatile")) {
      at += strlen(" volatile");
    } else if (digits) {
      text_add_slice(&out, at, digits);
      at += digits + strspn(at + digits, "ul");
    } else if (cast && at[cast] && (isdigit((unsigned char)at[cast + 1]) || at[cast + 1] == '-')) {
      at += cast + 1;
    } else {
      text_char(&out, *at++);
    }
  }
  return out.data;
}

static const char *without_arguments(struct arena *arena, const char *name) {
  struct text out = {.arena = arena};
  for (int depth = 0; *name; name++) {
    depth += *name == '<';
    if (!depth) text_char(&out, *name);
    depth -= *name == '>';
  }
  return text_str(&out);
}

bool mangled_read(struct arena *arena, const char *name, struct mangled *out) {
  *out = (struct mangled){0};
  if (!base_begins(name, "_Z") || name[2] == 'Z') return false;
  char *whole = __cxa_demangle(arena_strndup(arena, name, strcspn(name, ".$")), NULL, NULL, NULL);
  if (!whole) return false;
  arena_own(arena, free, whole);
  char *text = as_written(arena, whole);
  char *end = text + strlen(text), *open = end[-1] == ')' ? last_outside(text, end, '(') : NULL;
  if (open) *open = '\0';
  char *type = open ? last_outside(text, open, ' ') : NULL; /* of the value of a template */
  out->name = type ? type + 1 : text;
  out->plain = without_arguments(arena, out->name);
  for (char *at = open && open + 2 < end ? open + 1 : NULL, *next; at && out->type_count < MANGLED_MOST; at = next) {
    size_t depth = 0, length = 0;
    for (; at[length] && (depth || !strchr(",)", at[length])); length++)
      depth += (size_t)(strchr("<([", at[length]) != NULL) - (size_t)(strchr(">)]", at[length]) != NULL);
    out->types[out->type_count++] = arena_strndup(arena, at, length);
    next = at[length] == ',' ? at + length + 2 : NULL;
  }
  return true;
}

/* Past spaces, and past the underscores before `__half` and the like, of which the source has other names without. */
static const char *next_part(const char *begin, const char *at) {
  while (*at == ' ') at++;
  const bool starts = at == begin || !(isalnum((unsigned char)at[-1]) || at[-1] == '_');
  return starts && base_begins(at, "__") ? at + 2 : at;
}

bool mangled_alike(const char *first, const char *second) {
  for (const char *a = first, *b = second;; a++, b++) {
    a = next_part(first, a), b = next_part(second, b);
    if (*a != *b) return false;
    if (!*a) return true;
  }
}
