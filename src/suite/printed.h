/* A result as the library prints it in JSON, without its outcomes in memory where there are very many: then these are
 * in a file that the worker shares with the scheduler, as the report has them. */
#ifndef PTXLIT_SUITE_PRINTED_H
#define PTXLIT_SUITE_PRINTED_H

#include <stdio.h>

#include "base/text.h"
#include "ptxlit.h"

/* How a report has outcomes: not at all, as members of a list of JSON, or each as a line of text. */
enum outcomes_form { OUTCOMES_NONE, OUTCOMES_JSON, OUTCOMES_LINES };

/* Outcomes in one of these forms. */
struct stored {
  int fd;              /* the same in both processes: it is open before one is forked from the other */
  uint64_t from, size; /* size == 0: nothing is stored */
  uint64_t lines;      /* of text */
};

struct printed {
  const char *line;
  bool shortened; /* ... with an empty list of outcomes: they are stored, or nobody needs them */
  struct stored stored;
};

/* An open file without a name; -1 when there can be none. */
int stored_open(void);
/* Gives the bytes to `take`, in pieces. False, with errno, when they cannot be read. */
bool stored_take(const struct stored *stored, void (*take)(void *context, const char *data, size_t size),
                 void *context);
/* Gives their room on the disk back, where the system can. */
void stored_drop(const struct stored *stored);

/* Prints a result into the arena. Outcomes that are very many go to `fd`; with -1 they are left out. False
 * when memory runs out, or the file takes no more. */
bool printed_make(struct printed *printed, struct arena *arena, int fd, enum outcomes_form form, struct ptxlit *session,
                  const struct ptxlit_result *result);

/* Reads such a line, written in JSON, that ends with the file. False as above, and when there is nothing to read. */
bool printed_read(struct printed *printed, struct arena *arena, int fd, FILE *from);

/* Where they begin in a result in JSON, or in herd's block; NULL: it has none. */
const char *printed_list(enum outcomes_form form, const char *text);

#endif
