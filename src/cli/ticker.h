/* A line on a terminal that says what the tool does, from the second second on, in a process of its own. */
#pragma once

#include <stdbool.h>
#include <sys/types.h>

struct ticker {
  pid_t process; /* 0: none */
  int end;       /* the line goes when this descriptor closes */
};

/* `on` false: nothing happens. */
struct ticker ticker_start(bool on, const char *what, const char *name);
void ticker_stop(struct ticker *ticker);
