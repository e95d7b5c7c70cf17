/* Completion scripts for shells, from the tables of verbs and options. A word is completed as the verb before it takes
 * it; without a verb, as check does. */
#ifndef PTXLIT_CLI_COMPLETION_H
#define PTXLIT_CLI_COMPLETION_H

void completion_bash(void);
void completion_zsh(void);
void completion_fish(void);

#endif
