#include "base/text.h"

void text_init(struct text *text, struct arena *arena) { *text = (struct text){.arena = arena}; }

static char *reserve(struct text *text, size_t more) {
  if (text->len + more + 1 > text->cap) {
    size_t cap = text->cap ? text->cap * 2 : 64;
    while (cap < text->len + more + 1) cap *= 2;
    char *larger = arena_alloc(text->arena, cap);
    if (text->len) memcpy(larger, text->data, text->len);
    text->data = larger;
    text->cap = cap;
  }
  return text->data + text->len;
}

void text_add_slice(struct text *text, const char *more, size_t length) {
  char *to = reserve(text, length);
  if (length) memcpy(to, more, length); /* `more` may be NULL for nothing */
  to[length] = '\0';
  text->len += length;
}

void text_char(struct text *text, char c) {
  char *to = reserve(text, 1);
  to[0] = c;
  to[1] = '\0';
  text->len++;
}

/* Usually the free space suffices, so the text is formatted only once. */
void text_printf_list(struct text *text, const char *format, va_list args) {
  enum { USUAL = 31 };
  va_list again;
  char *to = reserve(text, USUAL);
  size_t room = text->cap - text->len;
  va_copy(again, args);
  size_t length = base_format(to, room, format, args);
  if (length >= room) {
    to = reserve(text, length);
    base_format(to, length + 1, format, again);
  }
  va_end(again);
  text->len += length;
}

void text_printf(struct text *text, const char *format, ...) {
  va_list args;
  va_start(args, format);
  text_printf_list(text, format, args);
  va_end(args);
}

void text_pass(struct text *text) {
  enum { MUCH = 1 << 16 };
  if (text->len >= MUCH) text_pass_all(text);
}

void text_pass_all(struct text *text) {
  if (!text->pass || !text->len) return;
  text->pass(text);
  text->len = 0;
}

void text_value(struct text *text, value_t value, unsigned width, bool is_signed) {
  char digits[48];
  size_t at = sizeof digits;
  value &= value_mask(width);
  bool negative = is_signed && (value >> (width - 1) & 1);
  if (negative) value = (~value + 1) & value_mask(width);
  for (; value > UINT64_MAX; value /= 10) digits[--at] = (char)('0' + (int)(value % 10));
  uint64_t rest = (uint64_t)value; /* one instruction divides 64 bits */
  do {
    digits[--at] = (char)('0' + (int)(rest % 10));
    rest /= 10;
  } while (rest);
  if (negative) digits[--at] = '-';
  text_add_slice(text, digits + at, sizeof digits - at);
}

void text_wrap(struct text *text, size_t column, size_t indent, size_t width, const char *words) {
  for (bool first = true; *words; first = false) {
    size_t length = strcspn(words, " ");
    bool next = !first && column + 1 + length > width;
    if (next) text_printf(text, "\n%*s", (int)indent, "");
    else if (!first) text_char(text, ' ');
    column = (next ? indent : column + !first) + length;
    text_add_slice(text, words, length);
    words += length;
    words += strspn(words, " ");
  }
}

/* The length of the UTF-8 character at the start of the text; 0 if it is not well formed. */
static size_t utf8_length(const char *text) {
  const unsigned char *c = (const unsigned char *)text;
  size_t more = c[0] < 0x80 ? 0 : c[0] < 0xe0 ? 1 : c[0] < 0xf0 ? 2 : 3;
  bool begins = c[0] < 0x80 || (c[0] >= 0xc2 && c[0] <= 0xf4);
  for (size_t i = 1; i <= more && begins; i++) begins = (c[i] & 0xc0) == 0x80;
  if (!begins) return 0;
  bool too_long = (c[0] == 0xe0 && c[1] < 0xa0) || (c[0] == 0xf0 && c[1] < 0x90);
  bool no_character = (c[0] == 0xed && c[1] >= 0xa0) || (c[0] == 0xf4 && c[1] >= 0x90);
  return too_long || no_character ? 0 : more + 1;
}

/* ---- characters with effects */

/* Characters that are escaped in all output: a terminal acts on them, or they reverse a line, end it, or are invisible.
 * They are the control characters, and Cf, Zl, Zp, fillers and selectors of Unicode 15; and what XML cannot
 * contain, U+FFFE and U+FFFF. */
static const struct {
  uint32_t first, last;
} hidden[] = {
    {0, 0x1f},        {0x7f, 0x9f},       {0xad, 0xad},       {0x34f, 0x34f},     {0x61c, 0x61c},
    {0x115f, 0x1160}, {0x17b4, 0x17b5},   {0x180b, 0x180f},   {0x200b, 0x200f},   {0x2028, 0x202e},
    {0x2060, 0x206f}, {0x3164, 0x3164},   {0xfe00, 0xfe0f},   {0xfeff, 0xfeff},   {0xffa0, 0xffa0},
    {0xfff0, 0xfffb},   {0xfffe, 0xffff}, {0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a}, {0xe0000, 0xe0fff},
};

/* Characters, hidden ones included, that a CI runner skips at the beginning of a line. */
static const uint32_t blanks[] = {' ',    0xa0,   0x1680, 0x2000, 0x2001, 0x2002, 0x2003, 0x2004, 0x2005,
                                  0x2006, 0x2007, 0x2008, 0x2009, 0x200a, 0x202f, 0x205f, 0x3000};

uint32_t text_character(const char *text, size_t *length) {
  const unsigned char *c = (const unsigned char *)text;
  static const unsigned char bits[] = {0x7f, 0x7f, 0x1f, 0x0f, 0x07};
  *length = utf8_length(text);
  if (!*length) return *length = 1, UINT32_MAX;
  uint32_t value = c[0] & bits[*length];
  for (size_t i = 1; i < *length; i++) value = value << 6 | (c[i] & 0x3f);
  return value;
}

bool text_is_hidden(uint32_t character) {
  if (character >= ' ' && character < 0x7f) return false; /* most are */
  return character == UINT32_MAX ||
         SOME_BELOW(i, ARRAY_LEN(hidden), character >= hidden[i].first && character <= hidden[i].last);
}

/* True if the character may precede the effective beginning of a line. */
static bool is_blank(uint32_t character) {
  return (character != '\n' && text_is_hidden(character)) || SOME_BELOW(i, ARRAY_LEN(blanks), character == blanks[i]);
}

/* \x1b for a single byte, \u{202e} for a character of several bytes. */
static void add_escaped(struct text *text, const char *at, uint32_t character, size_t length) {
  if (length > 1) text_printf(text, "\\u{%x}", (unsigned)character);
  else text_printf(text, "\\x%02x", (unsigned)(unsigned char)*at);
}

static void add_markup(struct text *text, const char *more, bool quoted) {
  const char *begin = more;
  for (size_t length; *more; more += length) {
    unsigned char c = (unsigned char)*more;
    uint32_t character = text_character(more, &length);
    if (c == '&') text_add(text, "&amp;");
    else if (c == '<') text_add(text, "&lt;");
    else if (c == '>' && (quoted || (more > begin && more[-1] == ']'))) text_add(text, "&gt;");
    else if (c == '"' && quoted) text_add(text, "&quot;");
    else if (c != '\n' && c != '\t' && length == 1 && text_is_hidden(character)) text_add(text, "\xEF\xBF\xBD");
    else if (length > 1 && text_is_hidden(character)) add_escaped(text, more, character, length);
    else text_add_slice(text, more, length);
  }
}

void text_markup(struct text *text, const char *more) { add_markup(text, more, true); }

void text_weave(struct text *text, const char *mark, ...) {
  va_list more;
  va_start(more, mark);
  for (bool content = false; mark; mark = va_arg(more, const char *), content = !content)
    if (content) add_markup(text, mark, false);
    else text_add(text, mark);
  va_end(more);
}

/* True if a CI runner would execute the line: GitHub and GitLab runners, Azure Pipelines and TeamCity look for "::" at
 * the beginning of a line, after blanks, and for "##[", "##vso[" and the like anywhere. */
static bool is_command(const char *text, bool begins) {
  if (text[0] == ':') return begins && text[1] == ':';
  if (text[0] != '#' || text[1] != '#') return false;
  return text[2 + strspn(text + 2, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-")] == '[';
}

/* `whole`: a text, whose line ends are kept, and whose hidden characters of one byte become '?', so that columns stay
 * aligned; else a name. */
static void add_safe(struct text *out, const char *at, const char *end, bool whole) {
  bool begins = true;
  for (size_t length; at < end; at += length) {
    uint32_t character = text_character(at, &length);
    bool stays = whole && (character == '\n' || character == '\t');
    if (stays || !(text_is_hidden(character) || is_command(at, begins))) text_add_slice(out, at, length);
    else if (whole && length == 1) text_char(out, '?');
    else if (character == '\n') text_add(out, "\\n");
    else add_escaped(out, at, character, length);
    begins = (whole && character == '\n') || (begins && is_blank(character));
  }
}

void text_visible(struct text *text, const char *name) { add_safe(text, name, name + strlen(name), false); }

void text_say_list(FILE *to, const char *format, va_list arguments) {
  static const char hint[] = "    hint: ";
  struct arena arena;
  struct text message = {.arena = &arena}, out = {.arena = &arena};
  arena_init(&arena, NULL);
  text_printf_list(&message, format, arguments);
  for (char *line = message.data, *end; *line; line = end) {
    for (end = strchr(line, '\n'); end && end[1] && strncmp(end + 1, hint, sizeof hint - 1) != 0;)
      end = strchr(end + 1, '\n');
    bool whole = end != NULL;
    if (whole) *end++ = '\0';
    else end = line + strlen(line);
    text_visible(&out, line);
    if (whole) text_char(&out, '\n');
  }
  fputs(text_str(&out), to);
  arena_release(&arena);
}

void text_say(FILE *to, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  text_say_list(to, format, arguments);
  va_end(arguments);
}

/* True if no character needs an escape, the usual case. */
static bool is_tame(const char *at, const char *end) {
  bool begins = true;
  for (; at < end; at++) {
    unsigned char c = (unsigned char)*at;
    if (c >= 0x7f || (c < ' ' && c != '\n' && c != '\t') || is_command(at, begins)) return false;
    begins = c == '\n' || (begins && (c == ' ' || c == '\t'));
  }
  return true;
}

const char *text_tame(struct text *text) {
  const char *end = text->len ? text->data + text->len : text->data;
  if (is_tame(text->data, end)) return text_str(text);
  struct arena_mark mark = arena_mark(text->arena);
  struct text tame = {.arena = text->arena, .pass = text->pass};
  add_safe(&tame, text->data, end, true);
  if (tame.len < text->cap) { /* the pieces of a long text share one buffer */
    memcpy(text->data, tame.data, tame.len + 1);
    text->len = tame.len;
    arena_rewind(text->arena, mark);
  } else {
    *text = tame;
  }
  return text_str(text);
}

const char *text_str(const struct text *text) { return text->data ? text->data : ""; }

/* The start of the character that contains the byte at `at`. */
static size_t character_at(const char *text, size_t at) {
  while (at && ((unsigned char)text[at] & 0xc0) == 0x80) at--;
  return at;
}

void text_shorten(char *text) {
  enum { MOST = 200, HEAD = 120, TAIL = 40 };
  char *to = text;
  for (const char *from = text; *from;) {
    size_t blank = strspn(from, " \n"), length = strcspn(from + blank, " \n");
    const char *word = from + blank;
    size_t head = length > MOST ? character_at(word, HEAD) : length;
    size_t tail = length > MOST ? length - character_at(word, length - TAIL) : 0;
    memmove(to, from, blank + head);
    to += blank + head;
    if (tail) {
      memcpy(to, "...", 3);
      memmove(to + 3, word + length - tail, tail);
      to += 3 + tail;
    }
    from = word + length;
  }
  *to = '\0';
}
