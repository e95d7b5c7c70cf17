#include "cli/run.h"

#include "base/vec.h"

const char *complete_script(const char *shell) {
  static const char *const scripts[][2] = {
      {"bash", "# bash completion for ptxlit: ptxlit --help=bash\n"
               "_ptxlit() {\n"
               "  local IFS=$'\\n' word=${COMP_WORDS[COMP_CWORD]} found\n"
               "  [[ $word == = ]] && word=\n"
               "  found=$(ptxlit --complete \"${COMP_WORDS[@]:1:COMP_CWORD}\" 2>/dev/null) &&"
               " found+=$'\\n'$(compgen -f -- \"$word\")\n"
               "  COMPREPLY=($(cut -f1 <<<\"$found\"))\n"
               "}\n"
               "complete -o filenames -F _ptxlit ptxlit\n"},
      {"zsh", "#compdef ptxlit\n# zsh completion for ptxlit: ptxlit --help=zsh\n"
              "local found files\n"
              "found=$(ptxlit --complete \"${(@)words[2,CURRENT]}\" 2>/dev/null) && files=1\n"
              "local -a lines=(${(f)found})\n"
              "compadd -l -d lines -- ${lines%%$'\\t'*}\n"
              "[[ $files ]] && _files\n"},
      {"fish", "# fish completion for ptxlit: ptxlit --help=fish\n"
               "function __ptxlit\n"
               "  set -l words (commandline -opc) (commandline -ct)\n"
               "  ptxlit --complete $words[2..] 2>/dev/null; and __fish_complete_path (commandline -ct)\n"
               "end\n"
               "complete -c ptxlit -f -a '(__ptxlit)'\n"},
  };
  for (size_t i = 0; i < sizeof scripts / sizeof scripts[0]; i++)
    if (strcmp(shell, scripts[i][0]) == 0) return scripts[i][1];
  return NULL;
}

/* The word to complete. Its first `kept` bytes, up to '=' or the last comma, stay. */
struct half_word {
  const char *text;
  size_t kept;
};

static void offer(struct run *run, const struct half_word *word, const char *before, const char *more, size_t length,
                  const char *says) {
  const char *whole =
      arena_printf(run->options->arena, "%.*s%s%.*s", (int)word->kept, word->text, before, (int)length, more);
  if (base_begins(whole, word->text)) printf("%s%s%s\n", whole, *says ? "\t" : "", says);
}

/* Offers the names of models, each with a tab and the model's title. */
static void offer_models(struct run *run, const struct half_word *word) {
  const char *line = run_open(run) ? ptxlit_list_models(run->session) : NULL;
  for (size_t length; line && *line; line += length + 1) {
    length = strcspn(line, "\n");
    offer(run, word, "", line, length, "");
  }
}

/* Offers the names in PTXLIT_MAP_TABLES, the shipped mappings. */
static void offer_tables(struct run *run, const struct half_word *word) {
  for (const char *at = PTXLIT_MAP_TABLES; *at; at += strspn(at, ", ")) {
    size_t length = strcspn(at, ", ");
    offer(run, word, "", at, length, "");
    at += length;
  }
}

static bool is_model(const char *argument) {
  return base_begins(argument, "MODEL") || base_begins(argument, "NAME|FILE");
}

static bool offer_arguments(struct run *run, const struct option_row *row, struct half_word word) {
  const char *comma = row->kind == KIND_LIST ? strrchr(word.text + word.kept, ',') : NULL;
  if (comma) word.kept = (size_t)(comma + 1 - word.text);
  if (is_model(row->argument)) offer_models(run, &word);
  if (row->kind == KIND_WORD || row->kind == KIND_MAYBE) {
    const char *words[MOST_OPTION_WORDS];
    size_t count = option_words(run->options->arena, row->argument, words);
    for (size_t i = 0; i < count; i++) offer(run, &word, "", words[i], strlen(words[i]), "");
  }
  return row->kind == KIND_TEXT && !is_model(row->argument);
}

static bool offer_operands(struct run *run, enum verb_id verb, bool first, const struct half_word *word) {
  for (size_t i = 0; i < VERB_COUNT && first; i++)
    offer(run, word, "", verb_rows[i].name, strlen(verb_rows[i].name), verb_rows[i].help);
  if (is_model(verb_rows[verb].operands)) offer_models(run, word);
  if (base_begins(verb_rows[verb].operands, "TABLE")) offer_tables(run, word);
  return true;
}

bool complete_last(struct run *run, char *const *words, int count) {
  enum verb_id verb = VERB_CHECK;
  struct half_word word = {words[count - 1], 0};
  bool is_sign = strcmp(word.text, "=") == 0, behind = count > 2 && strcmp(words[count - 2], "=") == 0; /* as in bash */
  int before = count - 2 - behind;
  if (is_sign) word.text = "";
  for (size_t i = 0; i < VERB_COUNT && count > 1; i++)
    if (strcmp(words[0], verb_rows[i].name) == 0) verb = (enum verb_id)i;
  const struct option_row *of = before >= 0 && !strchr(words[before], '=') ? option_find(verb, words[before]) : NULL;
  if (of && of->kind != KIND_FLAG && (of->kind != KIND_MAYBE || is_sign || behind))
    return offer_arguments(run, of, word);
  const char *equals = strchr(word.text, '=');
  const struct option_row *own = equals ? option_find(verb, word.text) : NULL;
  if (own) return offer_arguments(run, own, (struct half_word){word.text, (size_t)(equals + 1 - word.text)});
  if (word.text[0] != '-') return offer_operands(run, verb, count == 1, &word);
  ARRAY_EACH (row, option_rows, option_row_count)
    if (option_taken_by(row, verb) && *row->manual) offer(run, &word, "--", row->name, strlen(row->name), row->help);
  return false;
}
