/* A bar on standard error: how much is done, how fast, how long it will take. */
#pragma once

#include "suite/report.h"

struct progress_bar {
  bool on, drawn;
  uint32_t files;
  double start, last;
};

void progress_start(struct progress_bar *progress, bool on, uint32_t files, double now);
/* Draws it anew, at most ten times a second. */
void progress_draw(struct progress_bar *progress, uint32_t done, const struct report *report);
/* Takes it off the screen, before anything else is written. */
void progress_clear(struct progress_bar *progress);
