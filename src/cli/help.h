/* Writes the summary, the manual page and completions for shells from the tables of verbs and options. */
#pragma once

#include "cli/run.h"

/* Prints help on standard output: `what` is an argument of --help, or "" for the summary of one verb or (VERB_COUNT) of
 * the tool. */
void help_print(const char *what, enum verb_id verb);
/* Prints the options for developers, and the techniques of --without. */
void help_developers(void);

/* Prints the completions of the last word, one per line: the whole word, a tab, its meaning. They depend on the verb,
 * the first word; the default verb is check. True if the word may also be the name of a file. */
bool complete_last(struct run *run, char *const *words, int count);

/* The script of a shell, "bash", "zsh" or "fish", which asks `ptxlit --complete WORD ...`; NULL: another shell. */
const char *complete_script(const char *shell);
