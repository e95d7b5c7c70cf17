#include "cli/launch.h"

#include <ctype.h>
#include <string.h>

enum { PARTS = 256 };

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

/* The parts between commas that stand in no bracket. Their number; 0 where there are too many. */
static size_t split(struct launch_part whole, struct launch_part parts[PARTS]) {
  size_t count = 0, begin = 0;
  int depth = 0;
  whole = trim(whole);
  for (size_t i = 0; i <= whole.length && whole.length; i++) {
    char c = i < whole.length ? whole.text[i] : ',';
    depth += c == '{' || c == '(' || c == '[';
    depth -= c == '}' || c == ')' || c == ']';
    if (c != ',' || (depth && i < whole.length)) continue;
    if (count == PARTS) return 0;
    parts[count++] = trim((struct launch_part){whole.text + begin, i - begin});
    begin = i + 1;
  }
  return count;
}

/* `128`, `{16, 8}` and `dim3(16, 8)`: as `16 8`. */
static void add_size(const char *word, struct launch_part part, struct text *out) {
  struct launch_part parts[PARTS];
  if (part.length > 5 && memcmp(part.text, "dim3(", 5) == 0) part.text += 4, part.length -= 4;
  bool many = part.length > 2 && (part.text[0] == '{' || part.text[0] == '(');
  if (many) part.text++, part.length -= 2;
  size_t count = split(part, parts);
  text_printf(out, "%s", word);
  for (size_t i = 0; i < count; i++) text_printf(out, " %.*s", (int)parts[i].length, parts[i].text);
}

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }

/* The name that a declaration declares: the last one before a bracket, `=` or the end. */
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

/* The arguments that are declared, as lines of an init block; one without a type has that of the one before. */
static void add_declarations(const struct launch_part *parts, size_t count, struct text *out) {
  struct launch_part type = {"", 0};
  for (size_t i = 0; i < count; i++) {
    if (!is_declaration(parts[i])) continue;
    struct launch_part name = declared(parts[i]);
    struct launch_part own = trim((struct launch_part){parts[i].text, (size_t)(name.text - parts[i].text)});
    if (own.length) type = own;
    text_printf(out, "%.*s %.*s;\n", (int)type.length, type.text,
                (int)(parts[i].length - (size_t)(name.text - parts[i].text)), name.text);
  }
}

static void add_arguments(const struct launch_part *parts, size_t count, struct text *out) {
  for (size_t i = 0; i < count; i++) {
    struct launch_part part = is_declaration(parts[i]) ? declared(parts[i]) : parts[i];
    text_printf(out, "%s%.*s", i ? ", " : "", (int)part.length, part.text);
  }
}

static const char *file_of(const char *path) {
  const char *slash = strrchr(path, '/');
  return slash ? slash + 1 : path;
}

const char *launch_test(const char *launch, const char *path, const char *const *models, size_t count,
                        struct text *out) {
  static const char *const form = "a launch is written as CUDA has it: kernel<<<2, 128>>>(float A[64], 3)";
  struct launch_part sizes[PARTS], arguments[PARTS];
  const char *open = strstr(launch, "<<<"), *close = strstr(launch, ">>>"), *end = strrchr(launch, ')');
  struct launch_part name = trim((struct launch_part){launch, (size_t)(open - launch)});
  if (!close || close < open || !end || !name.length) return form;
  const char *at = close + 3 + strspn(close + 3, " \t");
  size_t size_count = split((struct launch_part){open + 3, (size_t)(close - open - 3)}, sizes);
  if (*at != '(' || end < at || size_count < 2 || size_count > 3) return form;
  size_t argument_count = split((struct launch_part){at + 1, (size_t)(end - at - 1)}, arguments);
  text_printf(out, "PTX %.*s\n", (int)name.length, name.text);
  if (count) text_add(out, "Expect=");
  for (size_t i = 0; i < count; i++) text_printf(out, "%s:Safe%c", models[i], i + 1 < count ? ' ' : '\n');
  text_add(out, "{\n");
  add_declarations(arguments, argument_count, out);
  text_printf(out, "}\nkernel \"%s\" %.*s(", file_of(path), (int)name.length, name.text);
  add_arguments(arguments, argument_count, out);
  text_add(out, ")\n");
  add_size("grid", sizes[0], out);
  add_size(" block", sizes[1], out);
  if (size_count > 2) add_size(" shared", sizes[2], out);
  text_add(out, " threads grouped\nsafe\n");
  return NULL;
}
