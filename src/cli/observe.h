/* Results of runs on GPUs, judged. */
#ifndef PTXLIT_CLI_OBSERVE_H
#define PTXLIT_CLI_OBSERVE_H

#include "cli/run.h"

/* Reads a file of results and shows what the models loaded say of it, as the options want it. */
void observe_file(struct run *run, const char *path);

#endif
