#include "litmus/launch.h"

#include <ctype.h>

/* The most parts in a bracket; the deepest nesting of brackets; the most numbers of a size. */
enum { PARTS = 512, DEEPEST = 16, AXES = 3 };

#define EXAMPLE "kernel<<<2, 128>>>(float A[64], 3)"

/* A part of the launch. */
struct launch_part {
  const char *text;
  size_t length;
};

struct launch_writer {
  struct arena *arena;
  struct diags *diags;
  const struct source *typed;
  struct text out;
  VEC(struct source_piece) pieces;
};

/* The brackets around a part, which decide the meaning of a declaration in it. */
enum context { ARGUMENTS, STRUCTURE, TENSOR_MAP };

static struct launch_part between(const char *begin, const char *end) {
  return (struct launch_part){begin, (size_t)(end - begin)};
}
static const char *end_of(struct launch_part part) { return part.text + part.length; }

static struct launch_part trim(struct launch_part part) {
  while (part.length && isspace((unsigned char)part.text[0])) part.text++, part.length--;
  while (part.length && isspace((unsigned char)part.text[part.length - 1])) part.length--;
  return part;
}

static struct span span_of(const struct launch_writer *w, struct launch_part part) {
  uint32_t begin = (uint32_t)(part.text - w->typed->text);
  return (struct span){w->typed, begin, begin + (uint32_t)part.length};
}

/* Adds a part of the launch. */
static void copy(struct launch_writer *w, struct launch_part part) {
  struct source_piece piece = {(uint32_t)w->out.len, (uint32_t)part.length, span_of(w, part).begin};
  if (part.length) VEC_PUSH(w->arena, &w->pieces, piece);
  text_add_slice(&w->out, part.text, part.length);
}

static int deeper(char c) { return (strchr("{([", c) != NULL) - (strchr("})]", c) != NULL); }

/* Checks that the brackets match, and are not nested too deeply for the code below. */
static bool check_brackets(struct launch_writer *w) {
  const char *open[DEEPEST];
  int depth = 0, commas = 0;
  for (const char *at = w->typed->text; *at; at++) {
    int change = deeper(*at);
    bool closes = depth && change < 0 && strchr("{}()[]", open[depth - 1][0])[1] == *at;
    if (change < 0 && !closes)
      return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, (struct launch_part){at, 1}),
                         "'%c' closes no bracket of its kind", *at);
    if (change > 0 && depth == DEEPEST)
      return diag_refuse(w->diags, DIAG_TOO_DEEP, span_of(w, (struct launch_part){at, 1}),
                         "a launch has brackets nested at most %d deep", (int)DEEPEST);
    if (*at == ',' && ++commas == PARTS)
      return diag_refuse(w->diags, DIAG_TOO_LARGE, span_of(w, (struct launch_part){at, 1}),
                         "a launch has at most %d commas", PARTS - 1);
    if (change > 0) open[depth] = at;
    depth += change;
  }
  if (!depth) return true;
  return diag_refuse(w->diags, DIAG_UNCLOSED, span_of(w, (struct launch_part){open[depth - 1], 1}),
                     "this bracket is never closed");
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

/* ---- sizes */

/* The numbers of a size: `128`, `{16, 8}` or `dim3(16, 8)`. */
static size_t split_size(struct launch_part part, struct launch_part parts[PARTS]) {
  if (part.length > 5 && memcmp(part.text, "dim3", 4) == 0)
    part = trim((struct launch_part){part.text + 4, part.length - 4});
  bool many = part.length > 2 && (part.text[0] == '{' || part.text[0] == '(');
  if (many) part.text++, part.length -= 2;
  return split(part, parts);
}

static bool is_number(struct launch_part part) {
  char *end;
  if (!part.length || !isdigit((unsigned char)part.text[0])) return false;
  strtoull(part.text, &end, 0); /* a part ends at a byte that is in no number, or at the end of the launch */
  return end == end_of(part) || (end + 1 == end_of(part) && (*end == 'u' || *end == 'U'));
}

static bool check_size(struct launch_writer *w, struct launch_part part, const char *what, size_t most) {
  struct launch_part parts[PARTS];
  size_t count = split_size(part, parts), at = 0;
  while (at < count && is_number(parts[at])) at++;
  if (count && at == count && count <= most) return true;
  struct diagnostic *d =
      diag_report(w->diags, DIAG_SYNTAX, span_of(w, part),
                  count > most ? "the size of %s has at most %zu number%s" : "the size of %s must be a number", what,
                  most, most == 1 ? "" : "s");
  return diag_hint(w->diags, d,
                   most == 1 ? "give the bytes of dynamic shared memory: kernel<<<2, 128, 1024>>>(float A[64], 3)"
                             : "write a number or dim3(16, 8): kernel<<<2, dim3(16, 8)>>>(float A[64], 3)");
}

static void add_size(struct launch_writer *w, const char *word, struct launch_part part) {
  struct launch_part parts[PARTS];
  size_t count = split_size(part, parts);
  text_add(&w->out, word);
  for (size_t i = 0; i < count; i++) {
    text_char(&w->out, ' ');
    copy(w, parts[i]);
  }
}

/* ---- declarations */

static bool begins_name(char c) { return isalpha((unsigned char)c) || c == '_' || c == '$'; }
static bool is_in_name(char c) { return begins_name(c) || isdigit((unsigned char)c); }

/* The name that a declaration declares: the last name before a bracket, `=` or the end. */
static struct launch_part declared(struct launch_part part) {
  size_t end = 0;
  while (end < part.length && !strchr("[={", part.text[end])) end++;
  while (end && isspace((unsigned char)part.text[end - 1])) end--;
  size_t begin = end;
  while (begin && is_in_name(part.text[begin - 1])) begin--;
  return (struct launch_part){part.text + begin, end - begin};
}

/* The number of a pointer into the array that a part declares: `float A[64]+16` is A + 16, as in C. Empty: none. */
static struct launch_part pointer_of(struct launch_part part) {
  const char *open = part.length ? memchr(part.text, '[', part.length) : NULL;
  const char *close = open ? memchr(open, ']', (size_t)(end_of(part) - open)) : NULL;
  struct launch_part rest = close ? trim(between(close + 1, end_of(part))) : (struct launch_part){"", 0};
  if (!rest.length || rest.text[0] != '+') return (struct launch_part){"", 0};
  return trim(between(rest.text + 1, end_of(rest)));
}

/* The elements of a vector of CUDA's in the type of a declaration, such as float4. */
static unsigned vector_of(struct launch_part type) {
  type = trim(type);
  char last = type.length > 1 ? type.text[type.length - 1] : '\0';
  return last >= '2' && last <= '4' && isalpha((unsigned char)type.text[type.length - 2]) ? (unsigned)(last - '0') : 1;
}

/* True if a part declares a location. `.u64 x` in a structure is a member with the address of x, and `.b32` in a tensor
 * map the type of its elements. */
static bool declares(struct launch_part part, enum context context) {
  struct launch_part name = declared(part), rest = trim(between(name.text + name.length, end_of(part)));
  bool extent = rest.length && rest.text[0] == '[';
  if (!name.length || !begins_name(name.text[0])) return false;
  if (part.text[0] == '.') return context == TENSOR_MAP ? extent : context == ARGUMENTS && name.text != part.text;
  return begins_name(part.text[0]) && (extent || name.text != part.text);
}

/* The text in the braces at the end of a part; empty: there are none. */
static struct launch_part braced(struct launch_part part) {
  const char *open = part.length ? memchr(part.text, '{', part.length) : NULL;
  if (!open || part.text[part.length - 1] != '}') return (struct launch_part){"", 0};
  return between(open + 1, end_of(part) - 1);
}

/* The context in the braces of a part: only a tensor map has a name. */
static enum context inside(struct launch_part part, enum context context) {
  return declares(part, context) ? TENSOR_MAP : STRUCTURE;
}

static void add_names(struct launch_writer *w, struct launch_part whole, enum context context);

/* Adds a part in which each declaration, even in braces, is replaced by its name. */
static void add_name(struct launch_writer *w, struct launch_part part, enum context context) {
  struct launch_part inner = braced(part), pointer = {"", 0};
  unsigned vector = 1;
  if (declares(part, context)) {
    struct launch_part name = declared(part);
    pointer = pointer_of(part), vector = vector_of(between(part.text, name.text));
    part = name, inner.length = 0;
  }
  copy(w, inner.length ? between(part.text, inner.text) : part);
  if (pointer.length) text_printf(&w->out, "[%llu]", strtoull(pointer.text, NULL, 0) * vector);
  if (!inner.length) return;
  add_names(w, inner, STRUCTURE);
  copy(w, (struct launch_part){end_of(inner), 1});
}

static void add_names(struct launch_writer *w, struct launch_part whole, enum context context) {
  struct launch_part parts[PARTS];
  size_t count = split(whole, parts);
  for (size_t i = 0; i < count; i++) {
    text_add(&w->out, i ? ", " : "");
    add_name(w, parts[i], context);
  }
}

/* Adds the declarations as lines of an init block; a part without a type has the type of the previous part. The names
 * that a structure or a tensor map uses come before it. */
static void add_declarations(struct launch_writer *w, struct launch_part whole, enum context context) {
  struct launch_part type = {"", 0}, parts[PARTS];
  size_t count = split(whole, parts);
  for (size_t i = 0; i < count; i++) {
    struct launch_part inner = braced(parts[i]);
    if (inner.length) add_declarations(w, inner, inside(parts[i], context));
    if (!declares(parts[i], context)) continue;
    struct launch_part name = declared(parts[i]), own = trim(between(parts[i].text, name.text));
    if (own.length) type = own;
    copy(w, type);
    text_add(&w->out, type.length ? " " : "");
    const char *end = inner.length ? inner.text : end_of(parts[i]);
    if (pointer_of(parts[i]).length) end = (const char *)memchr(name.text, ']', (size_t)(end - name.text)) + 1;
    copy(w, between(name.text, end));
    if (inner.length) {
      add_names(w, inner, TENSOR_MAP);
      copy(w, (struct launch_part){end_of(inner), 1});
    }
    text_add(&w->out, ";\n");
  }
}

static bool refuse(struct launch_writer *w, struct launch_part at, const char *message) {
  return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, at), "%s", message);
}

static const char *find(struct launch_part part, char c) {
  return part.length ? memchr(part.text, c, part.length) : NULL;
}

/* Checks an argument, or a part in its braces, up to the first brace or `=`. */
static bool check_head(struct launch_writer *w, struct launch_part part) {
  struct launch_part head = part;
  head.length = 0;
  while (head.length < part.length && !strchr("={", part.text[head.length])) head.length++;
  const char *star = find(head, '*'), *open = find(head, '['), *end = end_of(head);
  const char *second = open ? find(between(open + 1, end), '[') : NULL;
  if (!part.length) return refuse(w, part, "an argument is missing here" HINT "a launch is such as " EXAMPLE);
  if (star && begins_name(part.text[0]) && !(open && open < star))
    return refuse(w, (struct launch_part){star, 1},
                  "a launch has an array in place of a pointer" HINT
                  "give its type, a name and the number of its elements, such as float A[64]");
  if (find(part, ';')) return refuse(w, (struct launch_part){find(part, ';'), 1}, "a comma separates arguments");
  if (star) return refuse(w, (struct launch_part){star, 1}, "a number is written out here, and not as an expression");
  const char *next = open ? find(between(open, end), ']') : NULL;
  while (next && ++next < end && isspace((unsigned char)*next))
    ;
  if (next && next < end && begins_name(*next))
    return refuse(w, (struct launch_part){next, 1}, "a comma is missing before this argument");
  if (second)
    return refuse(w, (struct launch_part){second, 1},
                  "an array has one extent here" HINT "give the number of all its elements, such as float A[64]");
  struct launch_part pointer = pointer_of(head);
  if (pointer.length && !is_number(pointer))
    return refuse(w, pointer,
                  "a pointer into an array is its number of elements" HINT "such as float A[64]+16, as in C: A + 16");
  if (head.length && head.length < part.length && *end == '{')
    return refuse(w, (struct launch_part){end, 1}, "'=' is missing before this brace");
  return true;
}

static bool check_arguments(struct launch_writer *w, struct launch_part whole) {
  struct launch_part parts[PARTS];
  size_t count = split(whole, parts);
  return !SOME_BELOW(i, count, !check_head(w, parts[i]) || !check_arguments(w, braced(parts[i])));
}

/* ---- the launch */

/* The order of a launch after the one before it. */
enum launch_order { ORDER_NONE, ORDER_AFTER, ORDER_OVERLAPS };

/* The parts of gpu 1: name<<<sizes>>>(arguments) words host isa { statements }. */
struct launch_shape {
  struct launch_part gpu, name, sizes, arguments, words, isa, hosts, size[PARTS];
  size_t size_count;
  enum launch_order order;
  struct launch_shape *next;
};

/* A name as in PTX, or as in the source: ns::k, tk<32, float>. */
static bool is_plain(struct launch_part name) {
  size_t length = 0;
  while (length < name.length && is_in_name(name.text[length])) length++;
  return name.length && length == name.length && begins_name(name.text[0]);
}

static size_t name_length(struct launch_part name) {
  size_t at = 0;
  while (at < name.length && (is_in_name(name.text[at]) || name.text[at] == ':')) at++;
  return at;
}

static bool check_name(struct launch_writer *w, struct launch_part name) {
  size_t length = name_length(name);
  bool template = length < name.length && name.text[length] == '<' && end_of(name)[-1] == '>';
  bool right = length && (length == name.length || template) && (begins_name(name.text[0]) || name.text[0] == ':') &&
               name.text[length - 1] != ':' && !find(name, '"') && !find(name, '\n');
  if (right) return true;
  if (!name.length)
    return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, name),
                       "the name of the kernel is missing" HINT "a launch is such as " EXAMPLE);
  return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, name),
                     "'%.*s' is not the name of a kernel" HINT
                     "ptxlit with the module alone lists its kernels; a name is as in PTX or in the source: ns::k<32>",
                     (int)name.length, name.text);
}

/* A stream changes nothing: the order of launches is given by words after them. */
static bool check_sizes(struct launch_writer *w, const struct launch_shape *s) {
  if (s->size_count < 2)
    return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, between(end_of(s->sizes), end_of(s->sizes) + 3)),
                       "the size of %s is missing" HINT "give the sizes of the grid and of a block: " EXAMPLE,
                       s->size_count ? "a block" : "the grid");
  if (s->size_count > 4)
    return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, s->size[4]),
                       "a launch has no more sizes" HINT
                       "they are those of the grid, of a block and of shared memory, and a stream");
  return check_size(w, s->size[0], "the grid", AXES) && check_size(w, s->size[1], "a block", AXES) &&
         (s->size_count < 3 || check_size(w, s->size[2], "shared memory", 1));
}

/* Only words about the kernel follow its arguments; a semicolon may end them. */
static bool check_words(struct launch_writer *w, struct launch_part words) {
  static const char *const known[] = {"cluster", "cooperative", "threads", "shared", "then"};
  for (size_t at = 0, length; at < words.length; at += length ? length : 1) {
    const char *word = words.text + at;
    for (length = 0; at + length < words.length && is_in_name(word[length]);) length++;
    bool right = length ? isdigit((unsigned char)*word) : isspace((unsigned char)*word) || strchr(",-", *word);
    for (size_t i = 0; i < ARRAY_LEN(known) && length; i++)
      right = right || (strlen(known[i]) == length && memcmp(word, known[i], length) == 0);
    if (right) continue;
    struct launch_part wrong = {word, length ? length : 1};
    struct diagnostic *d = diag_report(w->diags, DIAG_SYNTAX, span_of(w, wrong),
                                       "'%.*s' cannot follow the arguments of a launch", (int)wrong.length, word);
    const char *near = nearest_word(arena_strndup(w->arena, word, length), known, ARRAY_LEN(known));
    if (near && length) diag_hint(w->diags, d, "did you mean '%s'?", near);
    else
      diag_hint(w->diags, d,
                "after them it takes cluster 2, cooperative, the threads to check: threads 0,0 0,1-31, another launch: "
                "then kernel<<<2, 128>>>(A) after, and a thread of the host: host aarch64 { flag = 1; }");
    return false;
  }
  return true;
}

/* The bracket that closes the bracket at `open`, of those that check_brackets matched. */
static const char *closing(const char *open) {
  int depth = 0;
  const char *at = open;
  while (depth += deeper(*at), depth) at++;
  return at;
}

/* Takes the blocks of hosts from the words. The first says the instruction set, which a launch has no head for. */
static bool find_hosts(struct launch_writer *w, struct launch_shape *s) {
  const char *open = find(s->words, '{'), *begin = s->words.text, *end = end_of(s->words);
  if (!open) return true;
  while (begin < open && !(base_begins(begin, "host") && isspace((unsigned char)begin[4]))) begin++;
  s->isa = trim(between(begin < open ? begin + 4 : open, open));
  s->hosts = between(open, end);
  s->words = trim(between(s->words.text, begin));
  if (s->isa.length) return true;
  return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, (struct launch_part){open, 1}),
                     "a block of a host names its instruction set" HINT
                     "write host x86-64 { ... } or host aarch64 { ... } after the arguments");
}

/* The first occurrence of a text of three bytes in a part; NULL: none. */
static const char *find_mark(struct launch_part part, const char *mark) {
  const char *found = strstr(part.text, mark);
  return found && found + 3 <= end_of(part) ? found : NULL;
}

/* `gpu 1:` before a kernel's name, which is then left out of it. */
static struct launch_part take_gpu(struct launch_part *name) {
  const char *colon = find(*name, ':');
  bool gpu = colon && name->length > 4 && memcmp(name->text, "gpu", 3) == 0 && isspace((unsigned char)name->text[3]) &&
             is_number(trim(between(name->text + 3, colon)));
  struct launch_part found = {"", 0};
  if (!gpu) return found;
  found = trim(between(name->text + 3, colon));
  *name = trim(between(colon + 1, end_of(*name)));
  return found;
}

static bool find_shape(struct launch_writer *w, struct launch_part whole, struct launch_shape *s) {
  const char *open = find_mark(whole, "<<<"), *close = open ? find_mark(between(open, end_of(whole)), ">>>") : NULL;
  if (!close)
    return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, open ? (struct launch_part){open, 3} : whole),
                       open ? "'>>>' is missing after the sizes" HINT "a launch is such as " EXAMPLE
                            : "this is no launch" HINT "a launch is such as " EXAMPLE);
  s->name = trim(between(whole.text, open));
  s->gpu = take_gpu(&s->name);
  s->sizes = between(open + 3, close);
  s->size_count = split(s->sizes, s->size);
  const char *at = close + 3;
  while (isspace((unsigned char)*at)) at++;
  if (*at != '(')
    return diag_refuse(w->diags, DIAG_SYNTAX, span_of(w, (struct launch_part){at, *at != '\0'}),
                       "the arguments in parentheses are missing" HINT "a launch is such as " EXAMPLE);
  s->arguments = between(at + 1, closing(at));
  s->words = trim(between(end_of(s->arguments) + 1, end_of(whole)));
  if (s->words.length && end_of(s->words)[-1] == ';') s->words = trim(between(s->words.text, end_of(s->words) - 1));
  return find_hosts(w, s);
}

/* True if a word of its own begins at `at` in the typed text. */
static bool is_word(const struct launch_writer *w, const char *at, const char *word) {
  size_t length = strlen(word);
  bool begins = at == w->typed->text || !is_in_name(at[-1]);
  return begins && strncmp(at, word, length) == 0 && !is_in_name(at[length]);
}

/* The end of the launch that begins at `at`: the word `then`, outside brackets, or the end of the text. */
static const char *launch_end(const struct launch_writer *w, const char *at) {
  int depth = 0;
  for (; *at && (depth || !is_word(w, at, "then")); at++) depth += deeper(*at);
  return at;
}

/* Takes the word that orders a launch after the one before it. */
static bool take_order(struct launch_writer *w, struct launch_shape *s, bool first) {
  static const struct {
    const char *word;
    enum launch_order order;
  } orders[] = {{"after", ORDER_AFTER}, {"overlaps", ORDER_OVERLAPS}};
  for (size_t i = 0; i < ARRAY_LEN(orders); i++) {
    size_t length = strlen(orders[i].word);
    const char *at = s->words.length >= length ? end_of(s->words) - length : NULL;
    if (!at || !is_word(w, at, orders[i].word)) continue;
    if (first) return refuse(w, between(at, at + length), "there is no launch before this one");
    s->order = orders[i].order;
    s->words = trim(between(s->words.text, at));
  }
  return true;
}

static bool check_launch(struct launch_writer *w, struct launch_part whole, struct launch_shape *s, bool first) {
  return find_shape(w, whole, s) && take_order(w, s, first) && check_name(w, s->name) && check_sizes(w, s) &&
         check_arguments(w, s->arguments) && check_words(w, s->words);
}

static struct launch_shape *read_launches(struct launch_writer *w) {
  struct launch_shape *first = NULL, **end = &first;
  for (const char *at = w->typed->text, *stop;; at = stop + strlen("then")) {
    stop = launch_end(w, at);
    struct launch_shape *s = *end = ARENA_NEW(w->arena, struct launch_shape);
    if (!check_launch(w, trim(between(at, stop)), s, s == first)) return NULL;
    end = &s->next;
    if (!*stop) return first;
  }
}

static void write_kernel(struct launch_writer *w, const struct typed_launch *launch, const struct launch_shape *s) {
  const char *quote = is_plain(s->name) ? "" : "\"";
  if (s->gpu.length) text_add(&w->out, "gpu "), copy(w, s->gpu), text_add(&w->out, ":\n");
  text_printf(&w->out, "kernel \"%s\" %s", base_file_name(launch->module), quote);
  copy(w, s->name);
  text_printf(&w->out, "%s(", quote);
  add_names(w, s->arguments, ARGUMENTS);
  copy(w, (struct launch_part){end_of(s->arguments), 1});
  add_size(w, "\ngrid", s->size[0]);
  add_size(w, " block", s->size[1]);
  bool none = s->size_count > 2 && s->size[2].length == 1 && s->size[2].text[0] == '0'; /* CUDA's default */
  if (s->size_count > 2 && !none) add_size(w, " shared", s->size[2]);
  text_add(&w->out, s->words.length ? " " : "");
  copy(w, s->words);
  text_add(&w->out, " threads grouped\n");
  if (s->hosts.length) {
    text_add(&w->out, "host ");
    copy(w, s->hosts);
    text_char(&w->out, '\n');
  }
}

/* The kernel's own name: k of ns::k<32>. */
static struct launch_part own_name(struct launch_part name) {
  size_t length = name_length(name), begin = length;
  while (begin && is_in_name(name.text[begin - 1])) begin--;
  return between(name.text + begin, name.text + length);
}

static void write_test(struct launch_writer *w, const struct typed_launch *launch, const struct launch_shape *first) {
  struct launch_part name = own_name(first->name);
  text_add(&w->out, "PTX ");
  copy(w, name);
  if (launch->before) text_printf(&w->out, "-%zu", launch->before + 1);
  text_add(&w->out, launch->model_count ? "\nExpect=" : "\n");
  for (size_t i = 0; i < launch->model_count; i++)
    text_printf(&w->out, "%s:Safe%c", launch->models[i], i + 1 < launch->model_count ? ' ' : '\n');
  if (launch->flags) text_printf(&w->out, "CompilerFlags=%s\n", launch->flags);
  LIST_EACH (s, first)
    if (s->hosts.length) {
      text_add(&w->out, "Host=");
      copy(w, s->isa);
      text_char(&w->out, '\n');
      break;
    }
  text_add(&w->out, "{\n");
  size_t grid = 0;
  for (const struct launch_shape *s = first; s; s = s->next, grid++) {
    add_declarations(w, s->arguments, ARGUMENTS);
    if (s->order != ORDER_NONE)
      text_printf(&w->out, "grid %zu %s grid %zu;\n", grid, s->order == ORDER_AFTER ? "follows" : "after", grid - 1);
  }
  text_add(&w->out, "}\n");
  LIST_EACH (s, first) write_kernel(w, launch, s);
  text_add(&w->out, "safe\n");
}

const struct source *litmus_from_launch(struct arena *arena, struct diags *diags, const struct typed_launch *launch) {
  struct source *line = ARENA_NEW(arena, struct source), *test = ARENA_NEW(arena, struct source);
  *line = source_from_text("(launch)", arena_strdup(arena, launch->text), strlen(launch->text));
  const struct source *typed = launch->typed ? launch->typed : line;
  struct launch_writer w = {.arena = arena, .diags = diags, .typed = typed, .out = {.arena = arena}};
  const struct launch_shape *first = check_brackets(&w) ? read_launches(&w) : NULL;
  if (!first) return NULL;
  write_test(&w, launch, first);
  /* the test's name is a path in the module's directory, so that the test can name the module */
  size_t directory = strlen(launch->module) - strlen(base_file_name(launch->module));
  const char *name = arena_printf(arena, "%.*s(launch)", (int)directory, launch->module);
  *test = source_from_text(launch->typed ? launch->module : name, text_str(&w.out), w.out.len);
  test->typed = typed;
  test->pieces = w.pieces.data;
  test->piece_count = w.pieces.len;
  return test;
}

/* ---- launches in comments */

/* The end of a launch in a comment: that of its line, or of further lines of comments until its brackets are closed. */
static const char *noted_end(const char *at) {
  int depth = 0;
  for (bool open = false;;) {
    for (; *at && *at != '\n'; at++) depth += deeper(*at), open = open || *at == '(';
    const char *next = at + strspn(at, "\r\n\t ");
    if ((open && depth <= 0) || next[0] != '/' || next[1] != '/') return at;
    at = next + 2;
  }
}

const struct source *litmus_next_noted(struct arena *arena, const struct source *source, size_t *at) {
  static const char mark[] = "ptxlit:";
  const char *text = source->text, *begin = text + *at;
  for (; (begin = strstr(begin, mark)); begin += strlen(mark)) {
    const char *slash = begin;
    while (slash > text && (slash[-1] == ' ' || slash[-1] == '\t')) slash--;
    if (slash - text >= 2 && slash[-1] == '/' && slash[-2] == '/') break;
  }
  if (!begin) return NULL;
  begin += strlen(mark);
  const char *end = noted_end(begin);
  char *own = arena_strndup(arena, text, (size_t)(end - text));
  for (char *byte = own; *byte; byte++)
    if (*byte != '\n' && byte < own + (begin - text)) *byte = ' ';
  for (char *byte = own + (begin - text); (byte = strstr(byte, "//"));) byte[0] = byte[1] = ' ';
  struct source *noted = ARENA_NEW(arena, struct source);
  *noted = source_from_text(source->name, own, (size_t)(end - text));
  *at = (size_t)(end - text);
  return noted;
}
