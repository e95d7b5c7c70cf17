/* Made from the option table: the summary, the manual page, and completion scripts for shells. */
#pragma once

#include "cli/options.h"

/* `what` is a word that --help takes; "" is the summary, of one verb or (VERB_COUNT) of the tool. Prints on standard
 * output. */
void help_print(const char *what, enum verb_id verb);
