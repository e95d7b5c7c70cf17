#include "cli/options.h"

#include <unistd.h>

#include "base/text.h"
#include "base/vec.h"
#include "suite/suite.h"

const struct verb_row verb_rows[VERB_COUNT] = {
#define VERB(id, name, function, operands, help, manual) {name, operands, help, manual},
#include "cli/verbs.def"
#undef VERB
};

/* FORMAT_WORD puts a bar before every word, so the argument of a format option starts with a superfluous one. */
#define FORMAT_WORD(name, what) "|" #name
#define FORMAT_SAYS(name, what) #name ", " what "; "

const struct option_row option_rows[] = {
#define GROUP(title) {.group = title, .id = OPT_COUNT},
#define OPTION(id, name, letter, kind, argument, low, high, initial, verbs, help, manual)                              \
  {NULL, OPT_##id, name, letter, KIND_##kind, argument, low, high, initial, verbs, help, manual},
#include "cli/options.def"
#undef GROUP
#undef OPTION
};
const size_t option_row_count = sizeof option_rows / sizeof option_rows[0];

void say_error_list(const char *hint, const char *format, va_list arguments) {
  struct arena arena;
  arena_init(&arena, NULL);
  text_say(stderr, "ptxlit: error: %s\n", arena_printf_list(&arena, format, arguments));
  if (hint && *hint) fprintf(stderr, "    hint: %s\n", hint);
  arena_release(&arena);
}

bool say_error(const char *hint, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  say_error_list(hint, format, arguments);
  va_end(arguments);
  return false;
}

/* ---- values */

size_t option_words(struct arena *arena, const char *argument, const char *words[MOST_OPTION_WORDS]) {
  size_t count = 0;
  char *rest, *at = strtok_r(arena_strdup(arena, argument), "|", &rest);
  for (; at && count < MOST_OPTION_WORDS; at = strtok_r(NULL, "|", &rest)) words[count++] = at;
  return count;
}

static bool refuse(const struct option_row *row, const char *text, const char *hint) {
  return say_error(hint, "--%s does not take '%s'", row->name, text);
}

static bool read_word(struct arena *arena, struct setting *out, const struct option_row *row, const char *text) {
  const char *words[MOST_OPTION_WORDS];
  size_t count = option_words(arena, row->argument, words), at = 0;
  while (at < count && strcmp(words[at], text) != 0) at++;
  snprintf(out->word, sizeof out->word, "%s", at < count ? text : "");
  out->choice = (int)at;
  const char *near = ptxlit_nearest(text, words, count);
  return at < count || refuse(row, text,
                              near ? arena_printf(arena, "did you mean '%s'?", near)
                                   : arena_printf(arena, "it takes %s", row->argument));
}

static bool complain_range(struct arena *arena, const struct option_row *row, const char *text) {
  const char *number = strcmp(row->argument, "MB") == 0 ? "megabytes, a whole number" : "a whole number";
  const char *what = row->kind == KIND_NUMBER ? number : "seconds";
  return refuse(row, text, arena_printf(arena, "it takes %s from %llu to %llu", what, (unsigned long long)row->low,
                             (unsigned long long)row->high));
}

static bool read_number(struct arena *arena, struct setting *out, const struct option_row *row, const char *text) {
  char *end;
  errno = 0;
  unsigned long long number = strtoull(text, &end, 10);
  bool digits = *text >= '0' && *text <= '9';
  if (!digits || *end || errno || number < row->low || number > row->high) return complain_range(arena, row, text);
  out->number = number;
  return true;
}

static bool read_seconds(struct arena *arena, struct setting *out, const struct option_row *row, const char *text) {
  char *end;
  double seconds = strtod(text, &end);
  bool plain = *text && strspn(text, "0123456789.") == strlen(text);
  bool right = plain && !*end && seconds >= (double)row->low && seconds <= (double)row->high;
  if (!right) return complain_range(arena, row, text);
  out->seconds = seconds;
  return true;
}

void word_push(struct arena *arena, struct word_list *list, char *word) {
  if ((list->count & (list->count - 1)) == 0) { /* the list is full at every power of two */
    char **larger = ARENA_ARRAY(arena, char *, list->count ? list->count * 2 : 1);
    if (list->count) memcpy(larger, list->items, list->count * sizeof *larger);
    list->items = larger;
  }
  list->items[list->count++] = word;
}

static bool read_list(struct arena *arena, struct word_list *out, const struct option_row *row, const char *text) {
  for (const char *at = text;; at++) {
    size_t length = strcspn(at, ",");
    if (!length)
      return say_error("names are separated by single commas", "--%s has an empty name in '%s'", row->name, text);
    word_push(arena, out, arena_strndup(arena, at, length));
    at += length;
    if (!*at) return true;
  }
}

static bool read_value(struct options *out, const struct option_row *row, const char *text) {
  struct arena *arena = out->arena;
  struct setting *setting = &out->set[row->id];
  switch (row->kind) {
    case KIND_FLAG: return true;
    case KIND_WORD:
    case KIND_MAYBE: return !*text || read_word(arena, setting, row, text);
    case KIND_NUMBER: return read_number(arena, setting, row, text);
    case KIND_SECONDS: return read_seconds(arena, setting, row, text);
    case KIND_LIST: return read_list(arena, &setting->texts, row, text);
    case KIND_TEXT:
      setting->text = text;
      word_push(arena, &setting->texts, (char *)(uintptr_t)text);
      return true;
  }
  return false;
}

/* ---- options */

bool option_taken_by(const struct option_row *row, enum verb_id verb) {
  return !row->group && (row->verbs & 1u << verb) != 0;
}

static const struct option_row *find_long(enum verb_id verb, const char *name, size_t length) {
  return ARRAY_FIND(row, option_rows, option_row_count,
                    option_taken_by(row, verb) && strlen(row->name) == length && memcmp(row->name, name, length) == 0);
}

static const struct option_row *find_letter(enum verb_id verb, char letter) {
  return ARRAY_FIND(row, option_rows, option_row_count, option_taken_by(row, verb) && row->letter == letter);
}

const struct option_row *option_find(enum verb_id verb, const char *word) {
  if (word[0] != '-' || !word[1]) return NULL;
  if (word[1] == '-') return find_long(verb, word + 2, strcspn(word + 2, "="));
  return word[2] ? NULL : find_letter(verb, word[1]);
}

/* A verb that takes an option of this name, if only other verbs do; or NULL. */
static const char *other_verb(const char *name) {
  for (enum verb_id verb = 0; verb < VERB_COUNT; verb++)
    if (find_long(verb, name, strlen(name))) return verb_rows[verb].name;
  return NULL;
}

static const char *see_help(struct arena *arena, enum verb_id verb) {
  return arena_printf(arena, "ptxlit %s%s--help lists the options", verb == VERB_CHECK ? "" : verb_rows[verb].name,
                      verb == VERB_CHECK ? "" : " ");
}

static bool unknown_long(struct arena *arena, enum verb_id verb, const char *name, size_t length) {
  const char *names[OPT_COUNT];
  size_t count = 0;
  ARRAY_EACH (row, option_rows, option_row_count)
    if (option_taken_by(row, verb)) names[count++] = row->name;
  const char *word = arena_strndup(arena, name, length), *hint;
  const char *other = other_verb(word), *near = ptxlit_nearest(word, names, count);
  if (other) hint = arena_printf(arena, "ptxlit %s takes it", other);
  else hint = near ? arena_printf(arena, "did you mean '--%s'?", near) : see_help(arena, verb);
  if (verb == VERB_CHECK && !other) return say_error(hint, "no option '--%s'", word);
  return say_error(hint, "ptxlit %s takes no option '--%s'", verb_rows[verb].name, word);
}

struct command_line {
  struct options *out;
  char **argv;
  int argc, at;
};

/* Assigns the option its argument: `attached`, or the next word. */
static bool take(struct command_line *reader, const struct option_row *row, const char *attached) {
  reader->out->set[row->id].given = true;
  if (row->kind == KIND_FLAG)
    return !attached || say_error(NULL, "--%s takes no argument, but was given '%s'", row->name, attached);
  if (row->kind == KIND_MAYBE && !attached) return true;
  if (!attached && reader->at + 1 < reader->argc) attached = reader->argv[++reader->at];
  if (!attached || !*attached) return say_error(NULL, "--%s needs an argument: %s", row->name, row->argument);
  return read_value(reader->out, row, attached);
}

static bool read_long(struct command_line *reader, const char *text) {
  size_t length = strcspn(text, "=");
  enum verb_id verb = reader->out->verb;
  const struct option_row *row = find_long(verb, text, length);
  if (!row) return unknown_long(reader->out->arena, verb, text, length);
  return take(reader, row, text[length] ? text + length + 1 : NULL);
}

static bool unknown_letter(struct arena *arena, enum verb_id verb, const char *letter) {
  const char *hint = see_help(arena, verb);
  if (verb == VERB_CHECK) return say_error(hint, "no option '-%s'", letter);
  return say_error(hint, "ptxlit %s takes no option '-%s'", verb_rows[verb].name, letter);
}

/* Reads short options: -qa is -q -a; -msc is -m sc. */
static bool read_letters(struct command_line *reader, const char *letters) {
  for (; *letters; letters++) {
    const struct option_row *row = find_letter(reader->out->verb, *letters);
    char letter[2] = {*letters, '\0'};
    if (!row) return unknown_letter(reader->out->arena, reader->out->verb, letter);
    bool takes = row->kind != KIND_FLAG && row->kind != KIND_MAYBE;
    if (!take(reader, row, takes && letters[1] ? letters + 1 : NULL)) return false;
    if (takes) return true;
  }
  return true;
}

/* True if the first word is not a file, but almost a verb, or consists of letters alone. */
static bool misspelt_verb(const char *word) {
  const char *names[VERB_COUNT];
  char hint[64] = "ptxlit --help lists the verbs";
  for (size_t i = 0; i < VERB_COUNT; i++) names[i] = verb_rows[i].name;
  const char *near = ptxlit_nearest(word, names, VERB_COUNT);
  bool letters = word[strspn(word, "abcdefghijklmnopqrstuvwxyz")] == '\0';
  if ((!near && !letters) || access(word, F_OK) == 0) return false;
  if (near) snprintf(hint, sizeof hint, "did you mean 'ptxlit %s'?", near);
  say_error(hint, "there is no verb and no file '%s'", word);
  return true;
}

/* Reads an operand. A verb's name, or a first word that resembles one and is not a file, is an error. */
static bool read_operand(struct command_line *reader, char *word) {
  struct options *out = reader->out;
  if (reader->at == 1 && !out->verb_given && misspelt_verb(word)) return false;
  for (size_t i = 0; i < VERB_COUNT && !out->verb_given && !out->files.count; i++)
    if (strcmp(word, verb_rows[i].name) == 0)
      return say_error("a file of this name is written with ./ before it", "the verb '%s' must be the first word",
                       word);
  word_push(out->arena, &out->files, word);
  return true;
}

static bool read_words(struct command_line *reader) {
  bool files_only = false;
  for (; reader->at < reader->argc; reader->at++) {
    char *word = reader->argv[reader->at];
    bool dash = word[0] == '-' && word[1] && !files_only, read = true;
    if (files_only) word_push(reader->out->arena, &reader->out->files, word);
    else if (!dash) read = read_operand(reader, word);
    else if (strcmp(word, "--") == 0) files_only = true;
    else if (base_begins(word, "-std=")) read = read_long(reader, word + 1); /* the compilers' spelling of --std */
    else read = word[1] == '-' ? read_long(reader, word + 2) : read_letters(reader, word + 1);
    if (!read) return false;
  }
  return true;
}

/* The default of an option; for untrusted tests, some limits have other defaults. distinguish has no end of tests. */
static const char *initial(const struct options *options, const struct option_row *row) {
  if (options->set[OPT_UNTRUSTED].given && row->id == OPT_TIMEOUT) return "10";
  if (options->set[OPT_UNTRUSTED].given && row->id == OPT_MEMORY) return "1024";
  if (options->verb == VERB_DISTINGUISH && row->id == OPT_TIMEOUT) return "60";
  return row->initial;
}

static bool set_defaults(struct options *out) {
  ARRAY_EACH (row, option_rows, option_row_count) {
    if (!option_taken_by(row, out->verb) || out->set[row->id].given || !*initial(out, row)) continue;
    if (!read_value(out, row, initial(out, row))) return false;
  }
  return true;
}

/* Options of which one would be ignored beside the other. */
static const struct {
  enum option_id ignored, beside;
} exclusive[] = {{OPT_CHECK_FORMAT, OPT_DUMP}, {OPT_QUIET, OPT_DUMP}, {OPT_RESULTS, OPT_PROGRAM}};

static const struct option_row *row_of(const struct options *out, enum option_id id) {
  return ARRAY_FIND(row, option_rows, option_row_count, row->id == id && option_taken_by(row, out->verb));
}

static bool fits_together(const struct options *out) {
  for (size_t i = 0; i < sizeof exclusive / sizeof *exclusive; i++) {
    const struct option_row *ignored = row_of(out, exclusive[i].ignored), *beside = row_of(out, exclusive[i].beside);
    if (!ignored || !beside || !out->set[ignored->id].given || !out->set[beside->id].given) continue;
    return say_error(NULL, "--%s and --%s exclude each other", beside->name, ignored->name);
  }
  if (!out->set[OPT_VERSION].given || out->set[OPT_HELP].given || !out->files.count) return true;
  return say_error(NULL, "--version takes no operand, but was given '%s'", out->files.items[0]);
}

bool options_read(struct options *out, struct arena *arena, int argc, char **argv) {
  *out = (struct options){.arena = arena, .verb = VERB_CHECK};
  struct command_line reader = {out, argv, argc, 1};
  for (size_t i = 0; i < VERB_COUNT && argc > 1; i++)
    if (strcmp(argv[1], verb_rows[i].name) == 0) out->verb = (enum verb_id)i, out->verb_given = true;
  reader.at += out->verb_given;
  return read_words(&reader) && fits_together(out) && set_defaults(out);
}

const struct word_list *options_models(const struct options *options) {
  return &options->set[options->verb == VERB_COMPARE ? OPT_MODELS : OPT_MODEL].texts;
}
