/* A worker: a process forked from the tool that checks the tests of one file after another.
 *
 * Workers claim files in a table in shared memory, so that they never wait, and the table always has the owner of each
 * file. A worker answers through a pipe, for each file with
 *   ANSWER_FILE     the file was claimed; `number` is its number in the shard
 *   ANSWER_MESSAGE  text for standard error
 *   ANSWER_TEST     the check of a test begins; `number` is 1 for one in CUDA C++, `line` and the name follow
 *   ANSWER_OUTCOMES very many outcomes of the next result, in the form of the report: a part
 *   ANSWER_RESULT   its result under the next model, or an error of the file: the JSON line of a record (record.h)
 *                   with a list of outcomes; or with an empty list, and outcomes were sent before or follow the line
 *   ANSWER_DONE     the file is done
 *
 * So the parent knows the test during which a worker died or hangs, and has all earlier results. */
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "suite/report.h"

enum answer_kind { ANSWER_FILE, ANSWER_MESSAGE, ANSWER_TEST, ANSWER_OUTCOMES, ANSWER_RESULT, ANSWER_DONE };

/* The head of a worker's answer, followed by `size` bytes. */
struct answer {
  uint32_t kind;   /* enum answer_kind */
  uint32_t number; /* the number of the file; for a test, its language; LOST for a result that the parent made */
  uint32_t line;   /* the test's line */
  size_t size;     /* of the bytes that follow, the last of which is NUL in texts */
};

/* The position in a file up to which it is done. */
struct position_in_file {
  uint32_t test, model; /* the next test and model; test: its index among the requested tests */
  uint32_t errors;      /* the number of errors of the file that were answered */
};

/* The memory that parent and workers share. */
struct board {
  _Atomic uint32_t next;     /* no file before this one is free */
  _Atomic uint32_t limit;    /* no file from this one on may be claimed yet: bounds the results in memory */
  uint32_t count;            /* the number of files in the shard */
  _Atomic uint32_t owners[]; /* for each file: 0 if free, else the worker's number + 1 */
};

/* The input of a worker, which has its state at the moment of the fork. */
struct work {
  const struct suite_options *options;
  const struct rerun *rerun; /* NULL: every test */
  struct board *board;
  const uint32_t *files; /* the files of the shard: their numbers in the suite */
};

/* The position in a file at which a worker was lost: the next worker continues there. */
struct resumption {
  bool wanted;
  uint32_t file; /* in the shard */
  struct position_in_file from;
};

struct worker {
  pid_t pid;    /* 0: not running */
  int answers;  /* the read end of the worker's pipe */
  FILE *errors; /* its standard error */
  char *data;   /* data from the pipe that is not yet a whole answer */
  size_t length, room;
};

/* Starts worker `index` of `workers`. It inherits the session with its models. False, with errno, if the system has no
 * more processes or files. */
bool worker_start(struct worker *workers, size_t index, size_t count, const struct work *work,
                  const struct resumption *resumption);

/* Reads the next part of the input. False if there is none. */
bool worker_receive(struct worker *worker);
/* The next whole answer, which starts with a struct answer, or NULL. Valid until worker_receive. `*at` starts at 0. */
const char *worker_answer(struct worker *worker, size_t *at, struct answer *head);
/* Forgets the answers read. */
void worker_forget(struct worker *worker, size_t at);

/* Kills a worker if it is alive, and describes its end, such as "its worker process died of signal 11 (Segmentation
 * fault)". Its answers can still be read, until worker_close. */
struct loss worker_kill(struct worker *worker, struct arena *arena);
void worker_close(struct worker *worker);

/* The main function of a worker, check_file.c; `answers`: the pipe. */
_Noreturn void worker_run(const struct work *work, const struct resumption *resumption, uint32_t number, int answers);

/* The smallest `memory` of struct suite_options, in bytes, with which a worker can start. */
uint64_t worker_least_memory(void);

/* ---- The tests that were not right in an earlier run, from its JSON report. */

struct rerun_test {
  const char *file, *name; /* name: "" for all tests of the file */
};

struct rerun {
  struct arena arena;
  struct hash_index index; /* of the tests, by file and name */
  VEC(struct rerun_test) tests;
  VEC(char *) files; /* in the order of the report */
  bool wrong;        /* the file is not a report of a suite; this has been reported */
};

/* False, with a message on stderr, if the report is invalid. The caller releases `rerun` in either case. */
bool rerun_read(struct rerun *rerun, const char *report, double deadline, bool closed);
/* True if the test is to be run again. */
bool rerun_wants(const struct rerun *rerun, const char *file, const char *test);
void rerun_release(struct rerun *rerun);
