#include "cli/launch.h"

#include <ctype.h>

enum { PARTS = 512, DEEPEST = 16 }; /* most parts in a bracket; deepest nesting of brackets */

struct launch_part {
  const char *text;
  size_t length;
};

bool launch_is(const char *operand) { return strstr(operand, "<<<") != NULL; }

static struct launch_part trim(struct launch_part part) {
  while (part.length && isspace((unsigned char)part.text[0])) part.text++, part.length--;
  while (part.length && isspace((unsigned char)part.text[part.length - 1])) part.length--;
  return part;
}

static struct launch_part kernel_of(const char *launch) {
  return trim((struct launch_part){launch, (size_t)(strstr(launch, "<<<") - launch)});
}

bool launch_is_of(const char *operand, const char *launch) {
  if (!launch_is(operand)) return false;
  struct launch_part a = kernel_of(operand), b = kernel_of(launch);
  return a.length == b.length && memcmp(a.text, b.text, a.length) == 0;
}

static int deeper(char c) { return (strchr("{([", c) != NULL) - (strchr("})]", c) != NULL); }

/* True if the brackets match and are not nested too deeply for the code below. */
static bool has_room(const char *launch) {
  int depth = 0, commas = 0;
  for (const char *at = launch; *at && depth >= 0 && depth <= DEEPEST; at++) depth += deeper(*at), commas += *at == ',';
  return !depth && commas < PARTS;
}

/* Splits at the commas outside brackets, and returns the number of parts. */
static size_t split(struct launch_part whole, struct launch_part parts[PARTS]) {
  size_t count = 0, begin = 0;
  int depth = 0;
  whole = trim(whole);
  for (size_t i = 0; i <= whole.length && whole.length; i++) {
    char c = i < whole.length ? whole.text[i] : ',';
    depth += deeper(c);
    if (c != ',' || (depth && i < whole.length)) continue;
    parts[count++] = trim((struct launch_part){whole.text + begin, i - begin});
    begin = i + 1;
  }
  return count;
}

/* The numbers of a size: `128`, `{16, 8}` or `dim3(16, 8)`. */
static size_t split_size(struct launch_part part, struct launch_part parts[PARTS]) {
  if (part.length > 5 && memcmp(part.text, "dim3(", 5) == 0) part.text += 4, part.length -= 4;
  bool many = part.length > 2 && (part.text[0] == '{' || part.text[0] == '(');
  if (many) part.text++, part.length -= 2;
  return split(part, parts);
}

static bool is_size(struct launch_part part) {
  struct launch_part parts[PARTS];
  size_t count = split_size(part, parts), at = 0;
  while (at < count && parts[at].length && isdigit((unsigned char)parts[at].text[0])) at++;
  return count && at == count;
}

static void add_size(const char *word, struct launch_part part, struct text *out) {
  struct launch_part parts[PARTS];
  size_t count = split_size(part, parts);
  text_printf(out, "%s", word);
  for (size_t i = 0; i < count; i++) text_printf(out, " %.*s", (int)parts[i].length, parts[i].text);
}

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }

/* The name that a declaration declares: the last name before a bracket, `=` or the end. */
static struct launch_part declared(struct launch_part part) {
  size_t end = 0;
  while (end < part.length && part.text[end] != '[' && part.text[end] != '=') end++;
  while (end && isspace((unsigned char)part.text[end - 1])) end--;
  size_t begin = end;
  while (begin && (isalnum((unsigned char)part.text[begin - 1]) || strchr("_$", part.text[begin - 1]))) begin--;
  return (struct launch_part){part.text + begin, end - begin};
}

static bool is_declaration(struct launch_part part) {
  struct launch_part name = declared(part);
  bool extent = memchr(part.text, '[', part.length) != NULL;
  return name.length && begins_name(name.text[0]) && (begins_name(part.text[0]) || part.text[0] == '.') &&
         (extent || name.text != part.text);
}

/* The text in the braces at the end of a part; empty: there are none. */
static struct launch_part braced(struct launch_part part) {
  const char *open = part.length ? memchr(part.text, '{', part.length) : NULL;
  if (!open || part.text[part.length - 1] != '}') return (struct launch_part){"", 0};
  return (struct launch_part){open + 1, (size_t)(part.text + part.length - open) - 2};
}

/* True if a part declares a location. In braces, a PTX type gives a member's type, and a C++ type declares a
 * location. */
static bool declares(struct launch_part part, bool member) {
  return is_declaration(part) && !(member && part.text[0] == '.');
}

static void add_parts(struct launch_part whole, struct text *out);

/* Adds a part in which each declaration, even in braces, is replaced by its name. */
static void add_part(struct launch_part part, bool member, struct text *out) {
  struct launch_part inner = braced(part);
  if (declares(part, member)) part = declared(part), inner.length = 0;
  text_printf(out, "%.*s", (int)(inner.length ? inner.text - part.text : (ptrdiff_t)part.length), part.text);
  if (!inner.length) return;
  add_parts(inner, out);
  text_char(out, '}');
}

static void add_parts(struct launch_part whole, struct text *out) {
  struct launch_part parts[PARTS];
  size_t count = split(whole, parts);
  for (size_t i = 0; i < count; i++) {
    text_add(out, i ? ", " : "");
    add_part(parts[i], true, out);
  }
}

/* Adds the declarations as lines of an init block; a part without a type has the type of the previous part. The names
 * that a structure or a tensor map uses come before it. */
static void add_declarations(const struct launch_part *parts, size_t count, bool member, struct text *out) {
  struct launch_part type = {"", 0}, members[PARTS];
  for (size_t i = 0; i < count; i++) {
    struct launch_part inner = member ? (struct launch_part){"", 0} : braced(parts[i]);
    if (inner.length) add_declarations(members, split(inner, members), true, out);
    if (!declares(parts[i], member)) continue;
    struct launch_part name = declared(parts[i]);
    struct launch_part own = trim((struct launch_part){parts[i].text, (size_t)(name.text - parts[i].text)});
    if (own.length) type = own;
    struct launch_part rest = {name.text, parts[i].length - (size_t)(name.text - parts[i].text)};
    text_printf(out, "%.*s %.*s", (int)type.length, type.text,
                (int)(inner.length ? inner.text - rest.text : (ptrdiff_t)rest.length), rest.text);
    if (inner.length) add_parts(inner, out);
    text_add(out, inner.length ? "};\n" : ";\n");
  }
}

/* True for `int *a`: a pointer must be given as the location to which it points, as `int a[64]`. */
static bool has_pointer(const struct launch_part *parts, size_t count) {
  for (size_t i = 0; i < count; i++)
    if (memchr(parts[i].text, '*', parts[i].length)) return true;
  return false;
}

static void add_arguments(const struct launch_part *parts, size_t count, struct text *out) {
  for (size_t i = 0; i < count; i++) {
    text_add(out, i ? ", " : "");
    add_part(parts[i], false, out);
  }
}

/* The bracket that closes the bracket at `open`; NULL: none does. */
static const char *closing(const char *open) {
  int depth = 0;
  for (const char *at = open; *at; at++) {
    depth += (*at == '(') - (*at == ')');
    if (!depth) return at;
  }
  return NULL;
}

const char *launch_test(const char *launch, const char *path, size_t before, const char *flags,
                        const char *const *models, size_t count, struct text *out) {
  static const char *const form = "write a launch as in CUDA: kernel<<<2, 128>>>(float A[64], 3)";
  if (!has_room(launch)) return "its brackets must match, nested at most 16 deep, with at most 511 commas";
  struct launch_part sizes[PARTS], arguments[PARTS];
  const char *open = strstr(launch, "<<<"), *close = strstr(launch, ">>>"), *end;
  struct launch_part name = kernel_of(launch);
  if (!close) return "'>>>' is missing after the sizes: kernel<<<2, 128>>>(float A[64], 3)";
  if (close < open || !name.length) return form;
  const char *at = close + 3 + strspn(close + 3, " \t");
  size_t size_count = split((struct launch_part){open + 3, (size_t)(close - open - 3)}, sizes);
  if (size_count < 2 || size_count > 3) return "give the sizes of grid and block: kernel<<<2, 128>>>(float A[64], 3)";
  if (*at != '(' || !(end = closing(at))) return form;
  for (size_t i = 0; i < size_count; i++)
    if (!is_size(sizes[i])) return "give each size as a number or as dim3(16, 8): kernel<<<2, 128>>>(float A[64], 3)";
  size_t argument_count = split((struct launch_part){at + 1, (size_t)(end - at - 1)}, arguments);
  if (has_pointer(arguments, argument_count)) return "in place of a pointer give an array with its extent: int in[64]";
  text_printf(out, "PTX %.*s", (int)name.length, name.text);
  if (before) text_printf(out, "-%zu", before + 1);
  text_add(out, "\n");
  if (count) text_add(out, "Expect=");
  for (size_t i = 0; i < count; i++) text_printf(out, "%s:Safe%c", models[i], i + 1 < count ? ' ' : '\n');
  if (flags) text_printf(out, "CompilerFlags=%s\n", flags);
  text_add(out, "{\n");
  add_declarations(arguments, argument_count, false, out);
  text_printf(out, "}\nkernel \"%s\" %.*s(", base_file_name(path), (int)name.length, name.text);
  add_arguments(arguments, argument_count, out);
  text_add(out, ")\n");
  add_size("grid", sizes[0], out);
  add_size(" block", sizes[1], out);
  bool none = size_count > 2 && sizes[2].length == 1 && sizes[2].text[0] == '0'; /* CUDA's default */
  if (size_count > 2 && !none) add_size(" shared", sizes[2], out);
  text_printf(out, "%s threads grouped\nsafe\n", end + 1);
  return NULL;
}
