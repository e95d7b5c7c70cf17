/* Makes a directory for the output of other programs, which does not outlive this process. */
#pragma once

#include <sys/types.h>

#include "base/base.h"

enum { SCRATCH_PATH = 4096 };

struct scratch {
  char path[SCRATCH_PATH]; /* absolute, without links */
  pid_t keeper;            /* the process that removes the directory */
  int line;                /* the keeper acts when all writers have closed this pipe */
};

/* Makes the directory in $TMPDIR, or in /tmp. A helper process removes the directory and its content as soon as this
 * process ends, for any reason. False, with errno, if that failed; then nothing is left. */
bool scratch_open(struct scratch *scratch);

/* Removes the directory, and returns when it is gone. Does nothing if `scratch` is closed or was not opened. */
void scratch_close(struct scratch *scratch);
