/* What is made from the option table: the summary, the manual page, and completion scripts for shells. */
#ifndef PTXLIT_CLI_HELP_H
#define PTXLIT_CLI_HELP_H

/* `what` is a word that --help takes; "" is the summary. Prints on standard output. */
void help_print(const char *what);

#endif
