/* Made from the tables of verbs and options: the summary, the manual page, and completion for shells. */
#pragma once

#include "cli/run.h"

/* `what`, a word that --help takes, or "" for the summary, of one verb or (VERB_COUNT) of the tool. Prints on standard
 * output. */
void help_print(const char *what, enum verb_id verb);

/* Prints the completions of the last of some words, a line each: the whole word, a tab, its meaning. As the verb before
 * it takes it; without a verb, as check does. True if it may be the name of a file too. */
bool complete_last(struct run *run, char *const *words, int count);

/* The script of a shell, "bash", "zsh" or "fish", which asks `ptxlit --complete WORD ...`; NULL: it is none of them. */
const char *complete_script(const char *shell);
