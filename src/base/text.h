/* A growing string. `data` is always NUL-terminated once anything was added; it is NULL while empty.
 * Storage belongs to the arena; nothing needs releasing. */
#pragma once

#include "base/arena.h"

struct text {
  struct arena *arena;
  char *data;
  size_t len, cap;
  void (*pass)(struct text *text); /* takes the text so far; NULL: the whole text stays in memory */
};

void text_init(struct text *text, struct arena *arena);
void text_add_slice(struct text *text, const char *more, size_t length);
/* Inline, because the compiler knows most lengths. */
static inline void text_add(struct text *text, const char *more) { text_add_slice(text, more, strlen(more)); }
void text_char(struct text *text, char c);
void text_printf(struct text *text, const char *format, ...) PRINTF_LIKE(2, 3);
void text_printf_list(struct text *text, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

/* To be called between two pieces of a long text: passes a large text with a `pass` on, and empties it. */
void text_pass(struct text *text);
/* The same for a text of any size. */
void text_pass_all(struct text *text);

/* Adds a 128-bit number in decimal; with `is_signed` it is read as two's complement of `width` bits. */
void text_value(struct text *text, value_t value, unsigned width, bool is_signed);

/* Adds words, wrapped at blanks before column `width`; the text is at `column`, and further lines are indented. */
void text_wrap(struct text *text, size_t column, size_t indent, size_t width, const char *words);

/* The first character, and its number of bytes. UINT32_MAX: one byte that is not UTF-8. */
uint32_t text_character(const char *text, size_t *length);
/* True if output must escape the character: it controls a terminal, reverses a line, or is invisible. */
bool text_is_hidden(uint32_t character);

/* Adds a text escaped for HTML and XML; a hidden character of one byte becomes U+FFFD, others \u{202e} and the like. */
void text_markup(struct text *text, const char *more);
/* Adds texts until NULL, alternately unchanged and escaped so for text outside attributes: quotes stay, and so does '>'
 * except after ']'. */
void text_weave(struct text *text, const char *mark, ...);

/* Adds a name so that it stays on its line and does nothing to a terminal or to a CI runner that reads the log: hidden
 * characters as \n, \x1b, \u{202e} and the like, the first byte of "::" at the beginning and of "##[" or "##word[" as
 * \x3a and \x23. */
void text_visible(struct text *text, const char *name);
/* The text so far, with '?' for each character that text_visible would escape as \x, and \u{202e} for a character that
 * it escapes in this form; line ends and tabs stay. A line counts as one name, without its leading blanks. */
const char *text_tame(struct text *text);

/* Prints a message. Its arguments may be names, and are escaped as by text_visible, so that no name can start a new
 * line; only the end of the message or a hint can. */
void text_say(FILE *to, const char *format, ...) PRINTF_LIKE(2, 3);
void text_say_list(FILE *to, const char *format, va_list arguments) PRINTF_LIKE(2, 0);

/* Replaces the middle of each word of more than 200 bytes by "...": for messages. */
void text_shorten(char *text);

/* The text so far, "" when empty. */
const char *text_str(const struct text *text);
