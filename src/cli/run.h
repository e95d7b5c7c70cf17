/* The state of a run of the tool, which every verb uses, and its common services. */
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

/* Reports a file that could not be written, for the reason in errno, as bad input, or as no verdict for lack of memory.
 * A full disk ends the run. */
void run_cannot_write(struct run *run, const char *path);

/* Writes DIRECTORY/NAME.litmus, never over an existing file. False, with a message, if that fails; run->broken is set
 * if the next one would fail as well. */
bool run_write_test(struct run *run, const char *directory, const char *name, const char *text);

/* False, reported as bad input, if writing `path` (NULL: no file) would overwrite an input: a file that the command
 * line names as test, list, model, expectation or report, that a model includes, that holds kernels, or one of `more`,
 * which may be NULL. */
bool run_spares(struct run *run, const char *path, const struct word_list *more);

/* Makes a directory with its parents, unless it exists. False, with a message, if that failed. */
bool run_make_directories(struct run *run, const char *path);

/* Prints "ptxlit: error: ..." on stderr, and notes bad input. `hint` may be NULL. */
void run_complain(struct run *run, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Makes the session, with the options given and the directories of models. False, with a message, if that failed. */
bool run_open(struct run *run);

/* The bytes of address space that each of so many processes gets: by --memory, else its share of half of the machine's
 * memory, but enough for small tests. 0: no limit; also if more is used before the first test, as with sanitizers. */
uint64_t run_memory(const struct run *run, uint32_t processes);

/* The options -D and -std, and with `paths` also -I, for a compiler of kernels; with `between` them. NULL: nothing. */
const char *run_compiler_flags(const struct run *run, bool paths, const char *between);

/* The options of the session that the command line asks for. */
struct ptxlit_options run_session_options(const struct run *run);

/* Loads the models and the results of GPUs that the options name. False if one is wrong: results under some of the
 * models would be misleading. */
bool run_load_models(struct run *run);

/* For verbs whose last operand may be a state, `FILE ... [STATE]`: moves it from the list to `state`, which is NULL if
 * there is none. An operand that names no file is a state, unless it is the only one or is spelt as a path. False, with
 * a message, if a state is in the place of a test. */
bool run_take_state(struct run *run, struct word_list *operands, char **state);

/* Finds all test files that the operands name (files_find). An error without operands. */
void run_files(struct run *run, struct word_list *out);

/* The work of a verb on one test of the input just read, under one model. False: nothing more for this test. */
typedef bool run_check(struct run *run, size_t test, size_t model, void *state);

/* Reads every file that the operands name and calls `each` for each of its tests under each model (without one: 0),
 * until a write to stdout fails. */
void run_tests(struct run *run, run_check *each, void *state);
/* The same after opening the session and loading the models; does nothing if that fails. */
void run_checks(struct run *run, run_check *each, void *state);

/* Writes to standard output, until a write fails. */
void run_write(struct run *run, const char *data, size_t size);
/* Prints a text that the library made; for NULL, the messages that say why there is none. */
void run_show(struct run *run, const char *text);
/* Notes the status of an explanation, and prints its text, unless that is NULL, and the messages. */
void run_tell(struct run *run, enum ptxlit_status status, const char *const *text);
/* The format of --format: text or JSON. */
enum ptxlit_format run_format(const struct run *run);
/* Prints the messages of the last call. */
void run_show_messages(struct run *run);
/* Writes out buffered text, so that results and messages are in order, and results are complete if the tool is killed.
 * A reader that has gone away is no error; any other failure ends the run. */
void run_flush(struct run *run);

/* The options for tests to make. */
struct ptxlit_generate_options run_generate_options(const struct run *run);

/* Reads "2/4" from an option: shard 2 of 4; without it both stay as they are. False, with a message, if wrong. */
bool run_shard(struct run *run, enum option_id id, uint32_t *shard, uint32_t *count);

/* True if a WORD option has this word. */
bool run_has(const struct run *run, enum option_id id, const char *word);
/* The file or directory that an option names; NULL if there is none, or it is "-": standard output. */
const char *run_path(const struct run *run, enum option_id id);

/* ---- observe.c */

/* Reads a file of results of runs on GPUs and judges it under the models loaded, in the format of the options. */
void observe_file(struct run *run, const char *path);

/* ---- certify.c: the strongest checks of a result, by solvers other than the one that found it */

/* Looks for a second solver, and warns if there is none. False, with a message, if the options are inconsistent. */
bool certify_begin(struct run *run);

/* Has each claim of the result proved under CaDiCaL's checker and solved by the second solver, and the whole check
 * repeated by brute force, after which the session has its `usual` options again; the rendered result has their
 * answers. A claim that is not certified counts as one without a verdict. A disagreement is an internal error: it keeps
 * the clauses and exits with status 70. */
void certify_result(struct run *run, const struct ptxlit_options *usual, size_t test, size_t model,
                    const struct ptxlit_result *result);
