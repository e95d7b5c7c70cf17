/* Results of runs on GPUs, judged. */
#ifndef PTXLIT_CLI_OBSERVE_H
#define PTXLIT_CLI_OBSERVE_H

#include "cli/run.h"

/* Reads a file of results and judges it under the models loaded, in the format of the options. */
void observe_file(struct run *run, const char *path);

#endif
