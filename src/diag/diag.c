#include "diag/diag.h"

#include <ctype.h>

static const struct {
  const char *name;
  enum severity severity;
  const char *summary;
} codes[] = {
#define DIAG(id, name, severity, summary) {name, severity, summary},
#include "diag/codes.def"
#undef DIAG
};

const char *diag_code_name(enum diag_code code) { return codes[code].name; }
enum severity diag_code_severity(enum diag_code code) { return codes[code].severity; }
const char *diag_code_summary(enum diag_code code) { return codes[code].summary; }

void diags_init(struct diags *diags, struct arena *arena) { *diags = (struct diags){.arena = arena}; }

static bool same_record(const struct diagnostic *a, const struct diagnostic *b) {
  bool place = a->span.source == b->span.source && a->span.begin == b->span.begin && a->span.end == b->span.end;
  return place && a->code == b->code && strcmp(a->message, b->message) == 0;
}

static bool has_record(const struct diags *diags, const struct diagnostic *record) {
  return SOME_BELOW(i, diags->list.len, same_record(&diags->list.data[i], record));
}

struct diagnostic *diag_report_list(struct diags *diags, enum diag_code code, struct span span, const char *format,
                                    va_list args) {
  struct diagnostic record = {.code = code, .span = span_typed(span)};
  char *message = arena_printf_list(diags->arena, format, args), *hint = strstr(message, HINT);
  if (hint) {
    *hint++ = '\0';
    text_shorten(hint);
  }
  text_shorten(message);
  record.message = message;
  record.hint = hint;
  if (diag_code_severity(code) == SEVERITY_ERROR) diags->errors++;
  else diags->warnings++;
  /* Threads that run the same code have the same errors, which are kept once. */
  bool again = has_record(diags, &record);
  diags->repeated += again;
  if (again || diags->list.len >= DIAG_LIMIT) return ARENA_NEW(diags->arena, struct diagnostic);
  VEC_PUSH(diags->arena, &diags->list, record);
  return &diags->list.data[diags->list.len - 1];
}

struct diagnostic *diag_report(struct diags *diags, enum diag_code code, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  struct diagnostic *record = diag_report_list(diags, code, span, format, args);
  va_end(args);
  return record;
}

bool diag_refuse(struct diags *diags, enum diag_code code, struct span span, const char *format, ...) {
  va_list args;
  va_start(args, format);
  diag_report_list(diags, code, span, format, args);
  va_end(args);
  return false;
}

uint32_t diags_add(struct diags *diags, const struct diags *more) {
  uint32_t errors = more->errors, warnings = more->warnings; /* these also count dropped records */
  VEC_EACH (record, &more->list) {
    bool there = has_record(diags, record);
    if (there && diag_code_severity(record->code) == SEVERITY_ERROR) errors--;
    else if (there) warnings--;
    else if (diags->list.len < DIAG_LIMIT) VEC_PUSH(diags->arena, &diags->list, *record);
  }
  diags->errors += errors;
  diags->warnings += warnings;
  diags->repeated += more->repeated;
  return errors;
}

void diags_drop(struct diags *diags, bool (*drop)(const struct diagnostic *record)) {
  uint32_t kept = 0;
  VEC_EACH (record, &diags->list) {
    bool error = diag_code_severity(record->code) == SEVERITY_ERROR;
    if (!drop(record)) diags->list.data[kept++] = *record;
    else *(error ? &diags->errors : &diags->warnings) -= 1;
  }
  diags->list.len = kept;
}

static bool stands_before(const struct diagnostic *a, const struct diagnostic *b) {
  return a->span.source == b->span.source && a->span.begin < b->span.begin;
}

void diags_sort(struct diags *diags) { VEC_SORT(&diags->list, stands_before); }

bool diag_beside(struct diagnostic *diagnostic, struct span other, const char *message) {
  diagnostic->other = other;
  diagnostic->other_message = message;
  return false;
}

bool diag_hint(struct diags *diags, struct diagnostic *diagnostic, const char *format, ...) {
  va_list args;
  va_start(args, format);
  char *hint = arena_printf_list(diags->arena, format, args);
  va_end(args);
  text_shorten(hint);
  diagnostic->hint = hint;
  return false;
}

struct palette {
  const char *bold, *error, *warning, *note, *off;
};

static const struct palette plain = {"", "", "", "", ""};
static const struct palette coloured = {"\033[1m", "\033[1;31m", "\033[1;35m", "\033[1;36m", "\033[0m"};

/* The longest source line shown, in bytes; longer lines are cut around the span. */
enum { LINE_LIMIT = 160 };

static void line_bounds(const struct source *source, uint32_t offset, uint32_t *begin, uint32_t *end) {
  uint32_t length = (uint32_t)source->length;
  if (offset > length) offset = length;
  *begin = offset;
  while (*begin > 0 && source->text[*begin - 1] != '\n') (*begin)--;
  *end = offset;
  while (*end < length && source->text[*end] != '\n') (*end)++;
  if (*end > *begin && source->text[*end - 1] == '\r') (*end)--;
}

/* Adds '?' for a character that a terminal would act on, and one blank for a tab, so that the caret stays in place. */
static void add_shown(struct text *line, const char *at, const char *end) {
  for (size_t length; at < end; at += length) {
    uint32_t character = text_character(at, &length);
    if (character == '\t') text_char(line, ' ');
    else if (length > (size_t)(end - at) || text_is_hidden(character)) text_char(line, '?');
    else text_add_slice(line, at, length);
  }
}

static bool continues_utf8(char c) { return ((unsigned char)c & 0xc0) == 0x80; }

static void render_line(struct text *out, struct span span, const struct palette *colours) {
  uint32_t begin, end;
  if (!span.source || !span.source->length || span.source->hidden) return;
  line_bounds(span.source, span.begin, &begin, &end);
  if (end - begin > LINE_LIMIT) {
    if (span.begin > begin + LINE_LIMIT / 2) begin = span.begin - LINE_LIMIT / 2;
    if (end - begin > LINE_LIMIT) end = begin + LINE_LIMIT;
  }
  struct text line = {.arena = out->arena};
  text_add(&line, "    ");
  add_shown(&line, span.source->text + begin, span.source->text + end);
  text_add(out, text_tame(&line));
  text_add(out, "\n    ");
  for (uint32_t i = begin; i < span.begin && i < end; i++)
    if (!continues_utf8(span.source->text[i])) text_char(out, ' ');
  text_add(out, colours->note);
  text_char(out, '^');
  for (uint32_t i = span.begin + 1; i < span.end && i < end; i++)
    if (!continues_utf8(span.source->text[i])) text_char(out, '~');
  text_add(out, colours->off);
  text_char(out, '\n');
}

static void render_place(struct text *out, struct span span) {
  if (!span.source) {
    text_add(out, "ptxlit: ");
    return;
  }
  struct position at = source_position(span.source, span.begin);
  text_visible(out, span.source->name);
  text_printf(out, ":%u:%u: ", at.line, at.column);
}

/* True for a place in a file that an untrusted test may have chosen: no word of the file is shown. */
static bool is_hidden(const struct diagnostic *d) { return d->span.source && d->span.source->hidden; }
static const char hidden_hint[] =
    "the file lies outside of the directory that the command line names, and is not shown";

/* Renders text line by line, so that every line end in the output comes from here and none from the input. */
static void render_lines(struct text *out, const char *lines) {
  struct text line = {.arena = out->arena};
  for (size_t length; lines && *lines; lines += length + (lines[length] == '\n')) {
    length = strcspn(lines, "\n");
    line.len = 0;
    text_add_slice(&line, lines, length);
    text_add(out, "      ");
    text_visible(out, text_str(&line));
    text_char(out, '\n');
  }
}

static void render_one(struct text *out, const struct diagnostic *d, const struct palette *colours) {
  bool error = diag_code_severity(d->code) == SEVERITY_ERROR, hidden = is_hidden(d);
  text_add(out, colours->bold);
  render_place(out, d->span);
  text_printf(out, "%s%s%s%s: ", colours->off, error ? colours->error : colours->warning, error ? "error" : "warning",
              colours->off);
  text_visible(out, hidden ? diag_code_summary(d->code) : d->message);
  text_printf(out, " [%s]\n", diag_code_name(d->code));
  render_line(out, d->span, colours);
  const struct span other = span_typed(d->other);
  if (other.source) {
    render_place(out, other);
    text_printf(out, "%snote%s: ", colours->note, colours->off);
    text_visible(out, d->other_message);
    text_char(out, '\n');
    render_line(out, other, colours);
  }
  const char *hint = hidden ? hidden_hint : d->hint;
  if (!hint) return;
  text_printf(out, "    %shint%s: ", colours->note, colours->off);
  text_visible(out, hint);
  text_char(out, '\n');
  render_lines(out, hidden ? "" : d->lines);
}

void diags_render(const struct diags *diags, struct text *out, bool colour) {
  const struct palette *colours = colour ? &coloured : &plain;
  for (uint32_t i = 0; i < diags->list.len; i++) render_one(out, &diags->list.data[i], colours);
  uint32_t all = diags->errors + diags->warnings - diags->repeated, hidden = all - diags->list.len;
  if (hidden) text_printf(out, "ptxlit: %u more message%s not shown\n", hidden, hidden == 1 ? " is" : "s are");
}

static unsigned lower(unsigned a, unsigned b) { return a < b ? a : b; }

/* The number of letters to insert, remove, replace, or swap with the next, for words up to 63 bytes. */
static unsigned edit_distance(const char *a, const char *b) {
  unsigned rows[3][64];
  size_t la = strlen(a), lb = strlen(b);
  if (la > 63 || lb > 63) return 64;
  for (unsigned j = 0; j <= lb; j++) rows[0][j] = j;
  for (unsigned i = 1; i <= la; i++) {
    unsigned *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];
    row[0] = i;
    for (unsigned j = 1; j <= lb; j++) {
      row[j] = lower(above[j - 1] + (a[i - 1] != b[j - 1]), lower(above[j], row[j - 1]) + 1);
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped) row[j] = lower(row[j], higher[j - 2] + 1);
    }
  }
  return rows[la % 3][lb];
}

const char *nearest_word(const char *word, const char *const *candidates, size_t count) {
  const char *best = NULL;
  size_t letters = COUNT(for (const char *c = word; *c; c++), isalnum((unsigned char)*c) != 0);
  unsigned best_distance = (unsigned)(letters + 2) / 3;
  for (size_t i = 0; i < count; i++) {
    unsigned distance = edit_distance(word, candidates[i]);
    if (distance <= best_distance && (!best || distance < best_distance)) {
      best = candidates[i];
      best_distance = distance;
    }
  }
  return best;
}
