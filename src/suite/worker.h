/* A worker: a process forked from the tool that checks the tests of one file after another.
 *
 * Requests are structs on one pipe. Answers are lines on another, a letter, a blank and JSON:
 *   F {"tests":[{"name","line"}...],"messages":TEXT}   the file was read; these tests of it are wanted
 *   R {a result}                                       for the next test and model, from the position asked for
 *   E {"file","error":TEXT}                            the file cannot be read
 *   M TEXT                                             something for standard error
 *   D                                                  done with the file
 * The position is implied: after F comes the result of the first test and model asked for, then the next model, then
 * the next test. So the parent knows what a worker that dies or hangs was at.
 */
#ifndef PTXLIT_SUITE_WORKER_H
#define PTXLIT_SUITE_WORKER_H

#include <stdio.h>
#include <sys/types.h>

#include "suite/cache.h"
#include "suite/suite.h"

struct position_in_file {
  uint32_t test, model; /* test: among those wanted */
};

struct request {
  uint32_t file;
  struct position_in_file from;
};

struct worker {
  pid_t pid; /* 0: not running */
  int to, from;
  FILE *errors; /* what it writes to its standard error */
  char *data;   /* received, not yet a whole line */
  size_t length, room;
};

/* Starts one, which inherits the session with its models. `others` are the workers whose pipes it must not keep. False,
 * with errno, when there are no more processes or files. */
bool worker_start(struct worker *worker, const struct suite_options *options, const struct cache *cache,
                  const struct worker *others, size_t count);

/* False when it is gone. */
bool worker_ask(struct worker *worker, const struct request *request);

/* Reads what has come. False at its end: the worker is gone. */
bool worker_receive(struct worker *worker);
/* The next whole line without its end, or NULL. It is valid until worker_receive. `*at` starts at 0. */
const char *worker_line(struct worker *worker, size_t *at, size_t *length);
/* Forgets the lines read. */
void worker_forget(struct worker *worker, size_t at);

/* Ends it, by force if it lives, and says how it ended, such as "died of signal 11 (Segmentation fault)". */
const char *worker_end(struct worker *worker, struct arena *arena);

#endif
