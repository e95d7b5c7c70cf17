/* Made from the option table: the summary, the manual page, and completion scripts for shells. */
#ifndef PTXLIT_CLI_HELP_H
#define PTXLIT_CLI_HELP_H

#include "cli/options.h"

/* `what` is a word that --help takes; "" is the summary, of one verb or (VERB_COUNT) of the tool. Prints on standard
 * output. */
void help_print(const char *what, enum verb_id verb);

#endif
