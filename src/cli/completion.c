#include "cli/completion.h"

#include <stdio.h>
#include <string.h>

#include "cli/options.h"
#include "ptxlit.h"

static void print_word(void *state, const char *word, size_t length) {
  printf("%s%.*s", (const char *)state, (int)length, word);
}

/* Text inside single quotes of a shell. */
static void quoted(const char *text) {
  for (; *text; text++) *text == '\'' ? fputs("'\\''", stdout) : putchar(*text);
}

static bool has_words(const struct option_row *row) { return row->kind == KIND_WORD || row->kind == KIND_MAYBE; }

static bool takes(size_t verb, const struct option_row *row) { return !row->group && (row->verbs & 1u << verb) != 0; }

/* The kind of an option's argument or a verb's operand, by its name in the tables. */
static bool is_model(const char *argument) {
  return strncmp(argument, "MODEL", 5) == 0 || strncmp(argument, "NAME|FILE", 9) == 0;
}

static bool is_table(const char *operand) { return strncmp(operand, "TABLE", 5) == 0; }

static const char model_names[] = "ptxlit --list-models 2>/dev/null | cut -f1";

/* The names of the mappings that ship, with blanks between them. */
static void tables(void) {
  for (const char *c = PTXLIT_MAP_TABLES; *c; c++)
    if (*c != ',') putchar(*c);
}

static void verbs(void) {
  for (size_t i = 0; i < VERB_COUNT; i++) printf("%s%s", i ? " " : "", verb_rows[i].name);
}

/* ---- bash */

/* The pattern for the argument of an option: "check:--model|check:-m|suite:--model". */
static void bash_pattern(const struct option_row *row) {
  const char *between = "  ";
  for (size_t verb = 0; verb < VERB_COUNT; verb++) {
    if (!takes(verb, row)) continue;
    printf("%s%s:--%s", between, verb_rows[verb].name, row->name);
    if (row->letter) printf("|%s:-%c", verb_rows[verb].name, row->letter);
    between = "|";
  }
}

static void bash_arguments(void) {
  for (size_t i = 0; i < option_row_count; i++) {
    const struct option_row *row = &option_rows[i];
    if (row->group || row->kind == KIND_FLAG) continue;
    bash_pattern(row);
    printf(") COMPREPLY=($(compgen -W \"");
    if (is_model(row->argument)) printf("$(%s)", model_names);
    if (has_words(row)) words_visit(row->argument, print_word, (void *)" ");
    puts("\" -- \"$word\")); return ;;");
  }
}

static void bash_verb(size_t verb) {
  printf("  %s) options=\"", verb_rows[verb].name);
  for (size_t i = 0; i < option_row_count; i++)
    if (takes(verb, &option_rows[i])) printf(" --%s", option_rows[i].name);
  printf("\" operands=\"");
  if (is_model(verb_rows[verb].operands)) printf("$(%s)", model_names);
  if (is_table(verb_rows[verb].operands)) tables();
  puts("\" ;;");
}

void completion_bash(void) {
  printf("# bash completion for ptxlit: ptxlit --help=bash\n_ptxlit() {\n"
         "  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD-1]} verb=check verbs=\"");
  verbs();
  puts("\" options operands\n"
       "  if [[ $word == = ]]; then word=; elif [[ $before == = ]]; then before=${COMP_WORDS[COMP_CWORD-2]}; fi\n"
       "  [[ $COMP_CWORD -gt 1 && \" $verbs \" == *\" ${COMP_WORDS[1]} \"* ]] && verb=${COMP_WORDS[1]}\n"
       "  case $verb:$before in");
  bash_arguments();
  puts("  esac\n  case $verb in");
  for (size_t verb = 0; verb < VERB_COUNT; verb++) bash_verb(verb);
  puts("  esac\n"
       "  if [[ $word == -* ]]; then COMPREPLY=($(compgen -W \"$options\" -- \"$word\"))\n"
       "  elif [[ $COMP_CWORD == 1 ]]; then COMPREPLY=($(compgen -f -W \"$verbs\" -- \"$word\"))\n"
       "  elif [[ $operands ]]; then COMPREPLY=($(compgen -f -W \"$operands\" -- \"$word\")); fi\n"
       "}\ncomplete -o default -F _ptxlit ptxlit");
}

/* ---- zsh */

static void zsh_argument(const struct option_row *row, bool letter) {
  if (is_model(row->argument)) printf(":model:($(%s))", model_names);
  else if (row->kind == KIND_NUMBER || row->kind == KIND_SECONDS) printf(":%s:", row->argument);
  else if (row->kind == KIND_TEXT) printf(":argument:_files");
  else if (has_words(row) && !(letter && row->kind == KIND_MAYBE)) {
    printf("%s:word:(", row->kind == KIND_MAYBE ? ":" : "");
    words_visit(row->argument, print_word, (void *)" ");
    putchar(')');
  }
}

static void zsh_option(const struct option_row *row) {
  for (int letter = 0; letter <= (row->letter != 0); letter++) {
    printf("    ");
    if (letter) printf("-%c", row->letter);
    else printf("--%s%s", row->name, row->kind == KIND_MAYBE ? "=-" : row->kind != KIND_FLAG ? "=" : "");
    printf("'[");
    quoted(row->help);
    putchar(']');
    zsh_argument(row, letter);
    puts("' \\");
  }
}

/* Without a verb the first word may be one. */
static void zsh_operands(size_t verb) {
  if (verb == VERB_CHECK) {
    printf("    '1: :{_files; compadd -- ");
    verbs();
    puts("}' \\");
  }
  printf("    '*: :{_files");
  if (is_model(verb_rows[verb].operands)) printf("; compadd -- $(%s)", model_names);
  if (is_table(verb_rows[verb].operands)) {
    printf("; compadd -- ");
    tables();
  }
  puts("}' ;;");
}

void completion_zsh(void) {
  printf("#compdef ptxlit\n# zsh completion for ptxlit: ptxlit --help=zsh\nlocal verb=check\n"
         "if (( CURRENT > 2 )) && [[ \" ");
  verbs();
  puts(" \" == *\" $words[2] \"* ]]; then\n"
       "  verb=$words[2]\n  shift words\n  (( CURRENT-- ))\nfi\ncase $verb in");
  for (size_t verb = 0; verb < VERB_COUNT; verb++) {
    printf("  %s) _arguments -s \\\n", verb_rows[verb].name);
    for (size_t i = 0; i < option_row_count; i++)
      if (takes(verb, &option_rows[i])) zsh_option(&option_rows[i]);
    zsh_operands(verb);
  }
  puts("esac");
}

/* ---- fish */

static void fish_option(const struct option_row *row) {
  printf("complete -c ptxlit -n '__ptxlit_verb");
  for (size_t verb = 0; verb < VERB_COUNT; verb++)
    if (takes(verb, row)) printf(" %s", verb_rows[verb].name);
  printf("' -l %s", row->name);
  if (row->letter) printf(" -s %c", row->letter);
  if (is_model(row->argument)) printf(" -x -a '(%s)'", model_names);
  else if (row->kind == KIND_NUMBER || row->kind == KIND_SECONDS) printf(" -x");
  else if (row->kind == KIND_TEXT) printf(" -r");
  else if (has_words(row)) {
    printf(row->kind == KIND_WORD ? " -x -a '" : " -a '");
    words_visit(row->argument, print_word, (void *)" ");
    putchar('\'');
  }
  printf(" -d '");
  quoted(row->help);
  puts("'");
}

static void fish_operands(size_t verb) {
  bool model = is_model(verb_rows[verb].operands);
  if (!model && !is_table(verb_rows[verb].operands)) return;
  printf("complete -c ptxlit -n '__ptxlit_verb %s' -a '", verb_rows[verb].name);
  if (model) printf("(%s)", model_names);
  else tables();
  puts("'");
}

void completion_fish(void) {
  printf("# fish completion for ptxlit: ptxlit --help=fish\n"
         "function __ptxlit_verb\n  set -l words (commandline -opc)\n  set -l verb check\n"
         "  if contains -- \"$words[2]\" ");
  verbs();
  puts("\n    set verb $words[2]\n  end\n  contains -- $verb $argv\nend");
  for (size_t i = 0; i < VERB_COUNT; i++) {
    printf("complete -c ptxlit -n __fish_is_first_token -a %s -d '", verb_rows[i].name);
    quoted(verb_rows[i].help);
    puts("'");
    fish_operands(i);
  }
  for (size_t i = 0; i < option_row_count; i++)
    if (!option_rows[i].group) fish_option(&option_rows[i]);
}
