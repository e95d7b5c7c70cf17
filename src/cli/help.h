/* Writes the summary, the manual page and completions for shells from the tables of verbs and options. */
#pragma once

#include "cli/run.h"

/* Prints help on standard output: for a word that --help takes, or "" for the summary, of one verb or (VERB_COUNT) of
 * the tool. */
void help_print(const char *what, enum verb_id verb);

/* Prints the completions of the last word, a line each: the whole word, a tab, its meaning. The verb among the words
 * before it decides; without one it is check. True if the word may be the name of a file too. */
bool complete_last(struct run *run, char *const *words, int count);

/* The script of a shell, "bash", "zsh" or "fish", which asks `ptxlit --complete WORD ...`; NULL: another shell. */
const char *complete_script(const char *shell);
