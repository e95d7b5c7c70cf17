/* A result as the library prints it in JSON, without its outcomes in memory where there are very many: then the line is
 * in a file that the worker shares with the scheduler. */
#ifndef PTXLIT_SUITE_PRINTED_H
#define PTXLIT_SUITE_PRINTED_H

#include "base/text.h"
#include "ptxlit.h"

/* The beginning of a line of JSON, all but its last "}" and line end. */
struct stored {
  int fd;              /* the same in both processes: it is open before one is forked from the other */
  uint64_t from, size; /* size == 0: nothing is stored */
};

struct printed {
  const char *line;
  bool shortened; /* ... with an empty list of outcomes: there are more */
  struct stored stored;
};

/* An open file without a name; -1 when there can be none. */
int stored_open(void);
/* Gives the bytes to `take`, in pieces. False, with errno, when they cannot be read. */
bool stored_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size),
                 void *context);
/* Gives their room on the disk back, where the system can. */
void stored_drop(const struct stored *stored);

/* Prints a result into the arena. What is long goes to `fd`; with -1 it is left out, for those who need no outcomes.
 * False when memory runs out, or the file takes no more. */
bool printed_make(struct printed *printed, struct arena *arena, int fd, struct ptxlit *session,
                  const struct ptxlit_result *result);

#endif
