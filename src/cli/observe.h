/* Results of runs on GPUs, judged. */
#pragma once

#include "cli/run.h"

/* Reads a file of results and judges it under the models loaded, in the format of the options. */
void observe_file(struct run *run, const char *path);
