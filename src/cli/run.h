/* The state of a run of the tool, which every verb uses, and its common services. */
#pragma once

#include <sys/stat.h>
#include <sys/types.h>

#include "cli/options.h"
#include "ptxlit.h"

struct run {
  const struct options *options;
  struct ptxlit *session;      /* NULL until run_open */
  enum ptxlit_status worst;    /* becomes the exit status */
  bool colour, summary;        /* messages in colour; a sentence before each result */
  bool live;                   /* standard error is a terminal, on which lines may be drawn over */
  const struct solver *second; /* for --certify; NULL: none */
  const struct ptxlit_proposal *proposal; /* the launch that is checked, if ptxlit proposed it; else NULL */
  const struct ptxlit_proposal *unsafe;   /* the first of a module that is not safe, or NULL */
  bool broken;                 /* a write to the output failed */
  struct word_list visited;    /* the test files that are read */
  const char *flags;           /* options for compilers of kernels, one per line; NULL: none */
};

/* The verbs: each does its work, and records the status. */
#define VERB(id, name, function, operands, help, manual) void function(struct run *run);
#include "cli/verbs.def"
#undef VERB

void run_note(struct run *run, enum ptxlit_status status);

/* Reports a file that could not be written, with the reason in errno: as bad input or, if memory ran out, as no
 * verdict. A full disk ends the run. */
void run_cannot_write(struct run *run, const char *path);

/* Writes DIRECTORY/NAME.litmus, never over an existing file. False, with a message, if that fails; run->broken is set
 * if the next write would fail as well. */
bool run_write_test(struct run *run, const char *directory, const char *name, const char *text);

/* False, reported as bad input, if writing `path` (NULL: no file) would overwrite an input: a file that the command
 * line names as test, list, model, expectation or report, that a model includes, or that holds kernels, or a file in
 * `more`, which may be NULL. */
bool run_spares(struct run *run, const char *path, const struct word_list *more);

/* Makes a directory with its parents, unless it exists. False, with a message, if that failed. */
bool run_make_directories(struct run *run, const char *path);

/* Prints "ptxlit: error: ..." on stderr, and records bad input; returns false. `hint` may be NULL. */
bool run_complain(struct run *run, const char *hint, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Makes the session, with the given options and the directories of models. False, with a message, if that failed. */
bool run_open(struct run *run);

/* The address space, in bytes, of each of `processes` processes: --memory, or else an equal share of half of the
 * machine's memory, but enough for small tests. 0: no limit; also if the process already uses more before the first
 * test, as with sanitizers. */
uint64_t run_memory(const struct run *run, uint32_t processes);

/* The options -D and -std (with `paths` also -I) for a compiler of kernels, separated by `between`. NULL: none. */
const char *run_compiler_flags(const struct run *run, bool paths, const char *between);

/* The options of the session that the command line asks for. */
struct ptxlit_options run_session_options(const struct run *run);
/* False, with a message, if --without names something else than a technique. */
bool run_knows_techniques(struct run *run);

/* Loads the models and the GPU results that the options name. False if one is invalid, because results under only some
 * of the models would be misleading. */
bool run_load_models(struct run *run);

/* For verbs whose last operand may be a state, `FILE ... [STATE]`: moves it from the list to `state`, which is NULL if
 * there is none. An operand that names no file is a state, unless it is the only one or is spelt as a path. False, with
 * a message, if an operand in the place of a test is a state. */
bool run_take_state(struct run *run, struct word_list *operands, char **state);

/* Finds all test files that the operands name (files_find). Reports an error if there are no operands. */
void run_files(struct run *run, struct word_list *out);

/* The work of a verb on one test of the current input, under one model. False: skip the other models for this test. */
typedef bool run_check(struct run *run, size_t test, size_t model, void *state);

/* Reads every file that the operands name and calls `each` for each test and each model (index 0 if no model is
 * loaded), until a write to stdout fails. */
void run_tests(struct run *run, run_check *each, void *state);
/* Opens the session, loads the models, and calls run_tests if both succeed. */
void run_checks(struct run *run, run_check *each, void *state);

/* Writes to standard output, unless an earlier write failed. */
void run_write(struct run *run, const char *data, size_t size);
/* Prints a text that the library made; for NULL, the messages that give the reason. */
void run_show(struct run *run, const char *text);
/* Records the status of an explanation, and prints its text (unless NULL) and the messages. */
void run_tell(struct run *run, enum ptxlit_status status, const char *const *text);
enum ptxlit_format run_format(const struct run *run);
/* Prints the messages of the last call. A reader that closed standard error ends the run. */
void run_show_messages(struct run *run);
/* Flushes standard output, so that results and messages are in order, and results are complete if the tool is killed. A
 * closed pipe is not an error; any other failure ends the run. */
void run_flush(struct run *run);

/* The options for generating tests. */
struct ptxlit_generate_options run_generate_options(const struct run *run);

/* Reads "2/4" from an option: shard 2 of 4. Without it, both stay unchanged. False, with a message, if invalid. */
bool run_shard(struct run *run, enum option_id id, uint32_t *shard, uint32_t *count);

/* True if a WORD option has this word. */
bool run_has(const struct run *run, enum option_id id, const char *word);
/* The file or directory that an option names; NULL if there is none, or it is "-": standard output. */
const char *run_path(const struct run *run, enum option_id id);

/* ---- observe.c */

/* Reads a file of results from GPUs and judges it under the loaded models, in the format of the options. */
void observe_file(struct run *run, const char *path);

/* ---- certify.c: the strongest checks of a result, by solvers other than the one that found it */

/* Finds a second solver, and warns if none is installed. False, with a message, if the options are inconsistent. */
bool certify_begin(struct run *run);

/* Has each claim of the result proved under CaDiCaL's checker and solved by the second solver, and repeats the whole
 * check by brute force, after which it restores the session's `usual` options; the rendered result shows the answers. A
 * result with an uncertified claim counts as one without a verdict. A disagreement is an internal error: keeps the
 * clauses and exits with status 70. */
void certify_result(struct run *run, const struct ptxlit_options *usual, size_t test, size_t model,
                    const struct ptxlit_result *result);

/* ---- ticker.c: a line on a terminal that says what the tool does, from the second second on */
struct ticker {
  pid_t process; /* 0: none */
  int end;       /* the line goes when this descriptor closes */
};

/* `on` false: nothing happens. */
struct ticker ticker_start(bool on, const char *what, const char *name);
void ticker_stop(struct ticker *ticker);

/* ---- help.c, complete.c: the summary, the manual page and completions for shells, from the tables of verbs and
 * options */
/* Prints help on standard output: `what` is an argument of --help, or "" for the summary of one verb or (VERB_COUNT) of
 * the tool. */
void help_print(const char *what, enum verb_id verb);
/* Prints the options for developers, and the techniques of --without. */
void help_developers(void);

/* Prints the completions of the last word, one per line: the whole word, a tab, its meaning. They depend on the verb,
 * the first word; the default verb is check. True if the word may also be the name of a file. */
bool complete_last(struct run *run, char *const *words, int count);

/* The script of a shell, "bash", "zsh" or "fish", which asks `ptxlit --complete WORD ...`; NULL: another shell. */
const char *complete_script(const char *shell);

/* ---- files.c: finds test files from the operands of the user */
/* Adds the test files that an operand names: `operand` itself if it is not a directory ("-", and a missing file, which
 * the reader will report); for a directory, every *.litmus and *.test file in it and in its subdirectories, sorted by
 * name. Names that start with a dot are skipped, and so are links to directories. @FILE is a file with one path per
 * line. False, with a message on stderr, if some directory cannot be read, if a test in one is not a regular file, if
 * there is no test at all, or if reading a list from a pipe takes more than `seconds` (0: no limit). `closed`: also if
 * a link leads out of its directory, or a list names a file outside its own, whether or not that is there. */
bool files_find(const char *operand, double seconds, bool closed, struct arena *arena, struct word_list *out);

/* True if a path leads to this file. */
bool files_are_one(const char *path, const struct stat *file);
/* True if a path has the ending of a kernel's source, of a header, or of a module. */
bool files_are_source(const char *path);
/* DIRECTORY/NAME.litmus; NULL if NAME cannot, or should not, be the name of a file there. */
const char *files_of_test(struct arena *arena, const char *directory, const char *name);

/* ---- solver.c: runs other SAT solvers in processes of their own, for second opinions */

/* A solver that reads DIMACS on its standard input. */
struct solver {
  const char *name;         /* the name of the command, found on the PATH */
  const char *arguments[4]; /* after the name; ends with NULL */
};

/* The solver of this name; for "" the first one on the PATH. NULL if there is none. */
const struct solver *solver_find(const char *name);

/* The names of all known solvers: "minisat, kissat, ...". Static storage. */
const char *solver_names(void);

/* A solver's answer. `problem`: why there is no answer, in words; else "". */
struct opinion {
  enum ptxlit_answer answer;
  char problem[128];
};

/* Solves clauses in DIMACS form with the solver, for at most `timeout` seconds; 0: no limit. */
void solver_ask(const struct solver *solver, const char *dimacs, size_t size, double timeout, struct opinion *opinion);

/* Solves clauses with CaDiCaL and checks its proof (ptxlit_prove), in a separate process. `*rejected`: the checker
 * found a step that does not follow. */
void solver_prove(const char *dimacs, double timeout, struct opinion *opinion, bool *rejected);
