/* One run of the tool, with which every verb works. */
#pragma once

#include "cli/files.h"
#include "cli/options.h"
#include "cli/solver.h"
#include "ptxlit.h"

struct run {
  const struct options *options;
  struct ptxlit *session;      /* NULL until run_open */
  enum ptxlit_status worst;    /* becomes the exit status */
  bool colour, summary;        /* messages in colour; a sentence before each result */
  const struct solver *second; /* for --certify; NULL: none */
  bool broken;                 /* a write to the output failed */
  struct word_list visited;    /* the test files that are read */
  const char *flags;           /* for compilers of kernels, a line each; NULL: none */
};

/* The verbs: each does its work, and notes the status. */
#define VERB(id, name, function, operands, help, manual) void function(struct run *run);
#include "cli/verbs.def"
#undef VERB

void run_note(struct run *run, enum ptxlit_status status);

/* A file could not be written, errno says why: a message, and noted as bad input, or as no verdict when that was for
 * want of memory. A full disk ends the run. */
void run_cannot_write(struct run *run, const char *path);

/* Writes DIRECTORY/NAME.litmus, never over an existing file. False, with a message, where that fails; run->broken says
 * whether the next one would fail as well. */
bool run_write_test(struct run *run, const char *directory, const char *name, const char *text);

/* False, said as bad input, when writing `path` (NULL: no file) would overwrite a file that is read: one that the
 * command line names as test, list, model, expectation or report, that a model includes, that holds kernels, or one of
 * `more`, which may be NULL. */
bool run_spares(struct run *run, const char *path, const struct word_list *more);

/* Makes a directory, with those that it lies in; one that is there is right. False when that failed: it was said. */
bool run_make_directories(struct run *run, const char *path);

/* "ptxlit: error: ..." on stderr, and notes bad input. `hint` may be NULL. */
void run_complain(struct run *run, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Makes the session, with the options given and the directories of models. False when that failed: it was said. */
bool run_open(struct run *run);

/* How much address space, in bytes, each of so many processes gets: as --memory says, else its share of half of the
 * machine's memory, but enough for small tests. 0: no limit; so too where more is taken before the first test, as by
 * sanitizers. */
uint64_t run_memory(const struct run *run, uint32_t processes);

/* The options -D and -std, and with `paths` also -I, for a compiler of kernels; with `between` them. NULL: nothing. */
const char *run_compiler_flags(const struct run *run, bool paths, const char *between);

/* The options of the session that the command line asks for. */
struct ptxlit_options run_session_options(const struct run *run);

/* Loads the models and the results of GPUs that the options name. False when one is wrong: no test means anything
 * under half of them. */
bool run_load_models(struct run *run);

/* For verbs whose last operand may be a state, `FILE ... [STATE]`: takes it off the list, into `state`, which is NULL
 * when there is none. An operand that names no file is a state, unless it is the only one or is spelt as a path. False,
 * with a message, when a state stands in the place of a test. */
bool run_take_state(struct run *run, struct word_list *operands, char **state);

/* All test files that the operands name (files_find). Without an operand says so. */
void run_files(struct run *run, struct word_list *out);

/* The work of a verb on one test of the input just read, under one model. False: nothing more for this test. */
typedef bool run_check(struct run *run, size_t test, size_t model, void *state);

/* Reads every file that the operands name and does `each` for each of its tests under each model (without one: 0), as
 * long as stdout takes it. */
void run_tests(struct run *run, run_check *each, void *state);
/* Opens the session with the models before; does nothing when that fails. */
void run_checks(struct run *run, run_check *each, void *state);

/* Writes to standard output, until that takes no more. */
void run_write(struct run *run, const char *data, size_t size);
/* Prints a text that the library made; for NULL, why there is none. */
void run_show(struct run *run, const char *text);
/* Notes the status of an explanation and prints its text, unless that is NULL now, and the messages. */
void run_tell(struct run *run, enum ptxlit_status status, const char *const *text);
/* As --format says: text or JSON. */
enum ptxlit_format run_format(const struct run *run);
/* Prints the messages of the last call. */
void run_show_messages(struct run *run);
/* Writes out buffered text, so that results and messages come in order, and results are complete when the tool is
 * stopped. A reader that has gone away is no error; any other failure ends the run. */
void run_flush(struct run *run);

/* The options for tests to make. */
struct ptxlit_generate_options run_generate_options(const struct run *run);

/* Reads "2/4" from an option: shard 2 of 4; without it both stay as they are. False when it is wrong: it was said. */
bool run_shard(struct run *run, enum option_id id, uint32_t *shard, uint32_t *count);

/* True if a WORD option has this word. */
bool run_has(const struct run *run, enum option_id id, const char *word);
/* The file or directory that an option names; NULL when there is none, or it is "-": standard output. */
const char *run_path(const struct run *run, enum option_id id);

/* ---- observe.c */

/* Reads a file of results of runs on GPUs and judges it under the models loaded, in the format of the options. */
void observe_file(struct run *run, const char *path);

/* ---- certify.c: the strongest checks of a result that there are, by others than the solver that found it */

/* Looks for a second solver, and warns when there is none. False when the options do not go together: it was said. */
bool certify_begin(struct run *run);

/* Has each claim of the result proved again under CaDiCaL's checker and solved by the second solver, and the whole
 * check done by brute force, after which the session has its `usual` options again; the result is rendered with their
 * answers. A claim that is not certified counts as lacking a verdict. A disagreement is an internal error: it keeps the
 * clauses and leaves with status 70. */
void certify_result(struct run *run, const struct ptxlit_options *usual, size_t test, size_t model,
                    const struct ptxlit_result *result);
