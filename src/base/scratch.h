/* A directory for the output of other programs, which does not outlive this process. */
#pragma once

#include <sys/types.h>

#include "base/base.h"

enum { SCRATCH_PATH = 4096 };

struct scratch {
  char path[SCRATCH_PATH]; /* absolute, without links */
  pid_t keeper;            /* the process that removes it */
  int line;                /* the keeper acts when nobody has this open any more */
};

/* Makes it in $TMPDIR, or in /tmp. A process that is started for it removes it, with all that lies in it, as soon as
 * this one ends, however and whenever that is. False where that failed: errno says why, and nothing is left. */
bool scratch_open(struct scratch *scratch);

/* Removes it: returns when it is gone. Once it is closed, or was not opened, nothing. */
void scratch_close(struct scratch *scratch);
