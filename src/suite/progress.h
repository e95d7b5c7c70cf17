/* A progress bar on standard error: the part of the run that is done, its speed, the time left. */
#pragma once

#include "suite/report.h"

struct progress_bar {
  bool on, drawn;
  uint32_t files;
  double start, last;
};

void progress_start(struct progress_bar *progress, bool on, uint32_t files, double now);
/* Redraws the bar, at most ten times a second. */
void progress_draw(struct progress_bar *progress, uint32_t done, const struct report *report);
/* Clears the bar, before anything else is written. */
void progress_clear(struct progress_bar *progress);
