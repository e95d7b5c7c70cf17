/* Reads the command line according to the table options.def. */
#pragma once

#include "base/arena.h"

enum verb_id {
#define VERB(id, name, function, operands, help, manual) VERB_##id,
#include "cli/verbs.def"
#undef VERB
  VERB_COUNT
};

/* Sets of verbs, for the table of options. */
#define WITH(id) (1u << VERB_##id)
#define WITH_WHY (WITH(EXPLAIN) | WITH(FIX) | WITH(RACES))
/* Verbs that read tests, and models from --model. */
#define WITH_INPUT (WITH(SUITE) | WITH(GRAPH) | WITH_WHY | WITH(CHECK))
/* Verbs that generate tests. */
#define WITH_MADE (WITH(GENERATE) | WITH(DISTINGUISH))
#define WITH_ALL ((1u << VERB_COUNT) - 1u)

struct verb_row {
  const char *name;
  const char *operands, *help, *manual;
};

/* In the order of enum verb_id. */
extern const struct verb_row verb_rows[VERB_COUNT];

enum option_id {
#define GROUP(title)
#define OPTION(id, name, letter, kind, argument, low, high, initial, verbs, help, manual) OPT_##id,
#include "cli/options.def"
#undef GROUP
#undef OPTION
  OPT_COUNT
};

enum option_kind { KIND_FLAG, KIND_WORD, KIND_MAYBE, KIND_NUMBER, KIND_SECONDS, KIND_LIST, KIND_TEXT };

/* A row of the table. A group title is a row with only `group`. */
struct option_row {
  const char *group;
  enum option_id id;
  const char *name;
  char letter; /* 0: none */
  enum option_kind kind;
  const char *argument;
  uint64_t low, high;
  const char *initial;
  unsigned verbs; /* the verbs that take the option: a mask of 1u << verb_id */
  const char *help, *manual;
};

extern const struct option_row option_rows[];
extern const size_t option_row_count;

/* Words of the command line, in argv or in the run's arena. */
struct word_list {
  char **items;
  size_t count;
};

/* The value of an option, given or default. */
struct setting {
  bool given;
  char word[16];          /* WORD, MAYBE: "" if the option has no argument */
  int choice;             /* the index of the word, from 0: often an enumerator, if the words are in that order */
  uint64_t number;        /* NUMBER */
  double seconds;         /* SECONDS */
  const char *text;       /* TEXT: the last text given, in argv; NULL: none */
  struct word_list texts; /* TEXT, LIST: all texts given */
};

struct options {
  struct arena *arena; /* the run's arena, for the texts that reading makes */
  enum verb_id verb;
  bool verb_given;
  struct setting set[OPT_COUNT];
  struct word_list files; /* the operands, in argv */
};

/* Reads the command line. False, with a message on stderr, if it is invalid. */
bool options_read(struct options *out, struct arena *arena, int argc, char **argv);
/* The models given, or the default of their option. */
const struct word_list *options_models(const struct options *options);

bool option_taken_by(const struct option_row *row, enum verb_id verb);
/* The option that a word names, "--name", "--name=..." or "-n"; NULL: this verb has no such option. */
const struct option_row *option_find(enum verb_id verb, const char *word);
/* Splits "a|b|c" into words, and returns their number. */
enum { MOST_OPTION_WORDS = 16 };
size_t option_words(struct arena *arena, const char *argument, const char *words[MOST_OPTION_WORDS]);

void word_push(struct arena *arena, struct word_list *list, char *word);

/* Prints "ptxlit: error: ..." on stderr, with '?' for control characters, which names may have; returns false. `hint`
 * may be NULL. */
bool say_error(const char *hint, const char *format, ...) __attribute__((format(printf, 2, 3)));
void say_error_list(const char *hint, const char *format, va_list arguments) __attribute__((format(printf, 2, 0)));
