/* ptxlit: the final states of PTX litmus tests that a memory consistency model allows.
 *
 * The only installed header. Link with `pkg-config --cflags --libs ptxlit`. A whole program:
 *
 *   struct ptxlit *s = ptxlit_new();
 *   if (!s) return 3;
 *   enum ptxlit_status status = ptxlit_use_model(s, "ptx");
 *   if (status == PTXLIT_OK) status = ptxlit_read_file(s, "litmus/classic/SB.litmus");
 *   if (status == PTXLIT_OK) {
 *     const struct ptxlit_result *result;
 *     status = ptxlit_check(s, 0, 0, &result);
 *     if (result) fputs(ptxlit_render(s, result, PTXLIT_TEXT), stdout);
 *   }
 *   fputs(ptxlit_messages(s, false), stderr);
 *   ptxlit_free(s);
 *   return (int)status;
 *
 * How it works
 *
 *   A session holds the models, which stay loaded until it is released, and one input at a time: a file or a text with
 *   tests. Reading the next input releases everything that belonged to the previous one, its tests, results and
 *   strings, so that a suite of any length needs the memory of its largest test.
 *
 *   Nothing is global: sessions are independent, and each may be used in its own thread. One session must not be used
 *   by two threads at a time. The library never prints and never exits, with one exception: when it finds a bug of
 *   its own ("internal error"), it reports that on stderr and exits with status 70.
 *
 *   Every failure has a message: after a status other than PTXLIT_OK, ptxlit_messages gives the error and its place; a
 *   result gives the reason for an unknown verdict. When memory runs out, in the SAT solver or anywhere else, the call
 *   gives PTXLIT_NO_VERDICT and frees its memory, so that the session stays usable: ptxlit_check gives an unknown
 *   verdict, ptxlit_read_* no tests. The library sets no memory limit, because it would hold for the whole process:
 *   set RLIMIT_AS, as the tool does, to half of the machine's memory.
 *
 * Strings returned belong to the session. Unless said otherwise they live until the next input is read, or until
 * ptxlit_free. A precondition marked "must" is checked; breaking it is an internal error.
 */
#ifndef PTXLIT_H
#define PTXLIT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

#define PTXLIT_VERSION "0.1.0"

/* The version of the library, and of the header that it was built with. */
const char *ptxlit_version(void);
/* The edition of NVIDIA's document that the model `ptx` implements: "PTX ISA 9.4". */
const char *ptxlit_edition(void);
/* The SAT solver's own name and version, such as "cadical-1.5.3". */
const char *ptxlit_solver(void);

/* The result of a call. The values are the tool's exit statuses. */
enum ptxlit_status {
  PTXLIT_OK = 0,         /* done; any verdict is PTXLIT_OK */
  PTXLIT_UNMET = 1,      /* the test states another result for this model in its `Expect=` line */
  PTXLIT_BAD_INPUT = 2,  /* the test or the model is wrong, or cannot be read */
  PTXLIT_NO_VERDICT = 3, /* `unknown`: a limit, or something not modelled; or out of memory */
};

/* The worse of two: PTXLIT_OK < PTXLIT_UNMET < PTXLIT_NO_VERDICT < PTXLIT_BAD_INPUT. */
enum ptxlit_status ptxlit_worse(enum ptxlit_status a, enum ptxlit_status b);

/* ---- the session */

struct ptxlit;

/* NULL when memory runs out. */
struct ptxlit *ptxlit_new(void);
/* Releases everything that belongs to the session; NULL is allowed. */
void ptxlit_free(struct ptxlit *session);

enum ptxlit_engine {
  PTXLIT_SAT,       /* encode into clauses, solve */
  PTXLIT_ENUMERATE, /* try every candidate execution: slow, but checks the encoding */
};

/* The threads that the scheduler must keep going. */
enum ptxlit_progress { PTXLIT_FAIR, PTXLIT_HSA, PTXLIT_OBE, PTXLIT_LOBE };

/* The options, one row each: OPTION(type, name, kind, acts). All lists of options are generated from this one.
 *
 *   kind   the syntax of the value: FLAG, NUMBER, SECONDS, ENGINE, TEXT (which outlives the session)
 *   acts RESULT: it can change the result of a test; LIMIT: it can prevent a result; CALLER: neither
 */
#define PTXLIT_OPTIONS(OPTION)                                                                                         \
  OPTION(enum ptxlit_engine, engine, ENGINE, RESULT)                                                                   \
  /* observe every register and location, not only those that the test names */                                        \
  OPTION(bool, all_state, FLAG, RESULT)                                                                                \
  /* a location that the test does not declare is a .u32 with value 0, with a warning */                               \
  OPTION(bool, implicit_locations, FLAG, RESULT)                                                                       \
  /* read Dat3M's spelling where PTX's meaning differs: bar.cta.sync a, b */                                           \
  OPTION(bool, dat3m_dialect, FLAG, RESULT)                                                                            \
  /* the compiler of kernels in CUDA C++: nvcc, clang or a path to one; NULL: nvcc where CUDA is, or a clang */        \
  OPTION(const char *, compiler, TEXT, RESULT)                                                                         \
  /* options for it in addition to CompilerFlags=, one per line; or NULL */                                            \
  OPTION(const char *, compiler_flags, TEXT, RESULT)                                                                   \
  /* the tests are untrusted: no file outside their directory is opened, and no compiler runs */                       \
  OPTION(bool, untrusted, FLAG, RESULT)                                                                                \
  /* an access to bytes that an asynchronous copy in flight reads or writes is a data race, not undefined */           \
  OPTION(bool, async_race, FLAG, RESULT)                                                                               \
  /* decide if every execution ends, given `progress` */                                                               \
  OPTION(bool, termination, FLAG, RESULT)                                                                              \
  OPTION(enum ptxlit_progress, progress, NUMBER, RESULT)                                                               \
  /* the bound of iterations of each loop; 0: the default of 4 */                                                      \
  OPTION(unsigned, unroll, NUMBER, RESULT)                                                                             \
  /* of a larger grid only the first and last blocks take part, so many; 0: all */                                     \
  OPTION(unsigned, grid_at_most, NUMBER, RESULT)                                                                       \
  /* decide the verdict and list no outcomes: faster */                                                                \
  OPTION(bool, verdict_only, FLAG, RESULT)                                                                             \
  /* positive and negative count executions, not outcomes */                                                           \
  OPTION(bool, executions, FLAG, RESULT)                                                                               \
  /* report the model's flags: data races */                                                                           \
  OPTION(bool, races, FLAG, RESULT)                                                                                    \
  /* techniques to do without, for developers: names of base/techniques.def with commas between; or NULL */           \
  OPTION(const char *, without, TEXT, RESULT)                                                                          \
  /* seconds for reading a file, and for each check; 0: no limit */                                                    \
  OPTION(double, timeout, SECONDS, LIMIT)                                                                              \
  /* more outcomes than this give `unknown`; 0: no limit */                                                            \
  OPTION(uint64_t, max_outcomes, NUMBER, RESULT)                                                                       \
  /* the flags in one line: the number of pairs of accesses that race; text only */                                    \
  OPTION(bool, count_races, FLAG, CALLER)                                                                              \
  /* text about launches of kernels in ANSI colours */                                                                 \
  OPTION(bool, colour, FLAG, CALLER)                                                                                   \
  /* that text with all findings in full, and the places in PTX */                                                     \
  OPTION(bool, verbose, FLAG, CALLER)                                                                                  \
  /* the directory for the files that the compiler writes, or NULL */                                                  \
  OPTION(const char *, keep, TEXT, CALLER)                                                                             \
  /* two tests may have one name: the caller distinguishes them */                                                     \
  OPTION(bool, same_names, FLAG, CALLER)                                                                               \
  /* keep the formulas for ptxlit_claims: takes time and memory */                                                     \
  OPTION(bool, certify, FLAG, CALLER)

struct ptxlit_options {
#define PTXLIT_MEMBER(type, name, kind, acts) type name;
  PTXLIT_OPTIONS(PTXLIT_MEMBER)
#undef PTXLIT_MEMBER
};

/* PTXLIT_SAT, everything else false or 0. */
struct ptxlit_options ptxlit_defaults(void);

/* Sets the options for tests read and checked from now on. all_state, implicit_locations, dat3m_dialect, same_names,
 * untrusted and, for kernels, compiler, compiler_flags, keep, grid_at_most and unroll act when a test is read;
 * `without` then and when it is checked; the others when it is checked. */
void ptxlit_set_options(struct ptxlit *session, const struct ptxlit_options *options);

/* The messages of the last call that gives messages, ready to print; "" if it gave none. Warnings come here too, with a
 * status of PTXLIT_OK. `colour`: with ANSI colours. The string lives until the next such call. */
const char *ptxlit_messages(struct ptxlit *session, bool colour);
/* The limit that ended that call: "time-limit" or "out-of-memory", as `id` of a result's reason in JSON; or NULL. */
const char *ptxlit_limit(const struct ptxlit *session);

/* ---- models */

/* Adds a directory to those searched for models and their included files, after those added before. The directory of
 * installed models always comes last. Must be called before the first ptxlit_use_model. */
enum ptxlit_status ptxlit_add_model_dir(struct ptxlit *session, const char *path);

/* Loads a model; its index is the number of models loaded before it. A name with '/' in it or with the ending .cat is a
 * file; any other is NAME.cat in one of the directories. Included files are searched for next to the files already read
 * for the model, then in the directories; stdlib.cat, which every model includes, only in the directories. A name that
 * is given twice gives two indices to one loaded model. A name or file may be followed by readings: "ptx+G26=complete"
 * (docs/gaps.md); a reading unknown to the model is an error. */
enum ptxlit_status ptxlit_use_model(struct ptxlit *session, const char *name_or_file);

/* Adds one index for two models: the first for tests in PTX, the second for tests in CUDA C++, each loaded when such a
 * test is read; the tool's default is "ptx" and "rc11-scoped". Must be called before a test is read. */
enum ptxlit_status ptxlit_use_models(struct ptxlit *session, const char *for_ptx, const char *for_cuda);

/* From each pair, chooses the model for this language, as reading does. PTXLIT_BAD_INPUT: one cannot be loaded. */
enum ptxlit_status ptxlit_choose_models(struct ptxlit *session, bool for_cuda);

/* True if the file at this path, under any name, is a model that was read or included. */
bool ptxlit_reads_model(const struct ptxlit *session, const char *path);

/* Adds a directory of tests: tests in or below it may name any file in or below it. Any other test may name only files
 * in or below its own directory. Files elsewhere are not quoted in messages, and with `untrusted` not opened. The same
 * holds for a test that is a link out of such a directory and, with `path` NULL, for all tests outside these
 * directories, which the user did not name: a report did, for example. */
enum ptxlit_status ptxlit_add_test_dir(struct ptxlit *session, const char *path);

size_t ptxlit_model_count(const struct ptxlit *session);
/* "ptx-7.5" for .../ptx-7.5.cat; for a pair (ptxlit_use_models), the model for the present input. `model` must be below
 * ptxlit_model_count. Lives as long as the session. */
const char *ptxlit_model_name(const struct ptxlit *session, size_t model);

/* The models that can be used by name, one per line, sorted: the name, a tab, and the title in its file. Files without
 * an axiom, and files that other files include, are only parts of models, and are left out. Among files of one name,
 * lists the one that would be used. The string lives until the next call that gives messages. NULL when memory runs
 * out. */
const char *ptxlit_list_models(struct ptxlit *session);
/* True if a model of this name is loaded, or is in one of the directories. `*near`: for another name, the model that is
 * probably meant, or NULL; it lives as long as the session. */
bool ptxlit_knows_model(struct ptxlit *session, const char *name, const char **near);

/* ---- tests */

/* Reads the tests of a file, "-" for standard input. On PTXLIT_BAD_INPUT there are no tests, except the valid rows of a
 * file with a table, and the valid commands of a .test file. A test whose name was read before in this session is an
 * error. */
enum ptxlit_status ptxlit_read_file(struct ptxlit *session, const char *path);
/* The same for a text in memory, which is copied. Messages call it `name`. */
enum ptxlit_status ptxlit_read_text(struct ptxlit *session, const char *name, const char *text, size_t length);

/* A launch as CUDA writes it, `gemm<<<2, 128>>>(float A[64], 3)`, of a kernel of the module at the path `module`.
 * `before`: the number of earlier launches of that kernel, which makes the name of the test unique. */
struct ptxlit_launch {
  const char *text, *module;
  size_t before;
};
/* The same for a launch: the test asks if it is safe, and expects that each model in use finds it safe. No message says
 * that an expectation is not met: the result does. */
enum ptxlit_status ptxlit_read_launch(struct ptxlit *session, const struct ptxlit_launch *launch);
/* A launch of each kernel of a module (.ptx or .cu), to start from: its lengths are those that a run reached. `idle` of
 * its `threads` access no memory. */
struct ptxlit_proposal {
  const char *line;
  uint32_t threads, idle;
};
/* Sets `*list` to the launches, `*count` of them, which live until the next input is read. A module without a kernel is
 * bad input. */
enum ptxlit_status ptxlit_propose(struct ptxlit *session, const char *path, const struct ptxlit_proposal **list,
                                  size_t *count);
/* True for the name of a module, or of a source in CUDA C++. */
bool ptxlit_is_module(const char *path);
/* True for a module or a source whose comments have launches, `// ptxlit: gemm<<<2, 128>>>(float A[64], 3)`: reading it
 * as a file gives these tests. `text`: of the file; NULL: it is read. */
bool ptxlit_notes_launches(const char *path, const char *text);
/* The test of a launch that was read, as a file beside the module. `flags`: for the compiler; NULL: none. The string
 * lives until the next call that gives messages. NULL when memory runs out. */
const char *ptxlit_print_launch(struct ptxlit *session, const struct ptxlit_launch *launch, const char *flags);

/* The number of tests of the input: 1 for a .litmus file without a table, one per row with a table; for a .test file,
 * one per command of each row. */
size_t ptxlit_test_count(const struct ptxlit *session);
/* The number of rows with errors of a table; a .test file without a table counts as a row. */
size_t ptxlit_wrong_count(const struct ptxlit *session);
/* The line of such a row, from 1; 0 if the file has no table. `row` must be below ptxlit_wrong_count. */
uint32_t ptxlit_wrong_line(const struct ptxlit *session, size_t row);
/* The messages about such a row, ready to print; they live until the next input is read. */
const char *ptxlit_wrong_messages(const struct ptxlit *session, size_t row);

/* `test` must be below ptxlit_test_count. */
const char *ptxlit_test_name(const struct ptxlit *session, size_t test);
/* The line that the test starts on, from 1. */
uint32_t ptxlit_test_line(const struct ptxlit *session, size_t test);
/* True if the test is in CUDA C++ (ptxlit_use_models). */
bool ptxlit_is_cuda(struct ptxlit *session, size_t test);

/* A session keeps the name and the place of each test that it reads, some 200 bytes, to report a second test of that
 * name; with same_names it keeps none, and a new session knows none. Nothing else grows with the number of tests read.
 *
 * Releases everything made from the tests since they were read: results, texts, pictures. The tests stay. For an input
 * with very many tests. */
void ptxlit_forget_results(struct ptxlit *session);

/* ---- checking */

enum ptxlit_verdict {
  PTXLIT_ALLOWED,   /* some allowed execution satisfies the condition's predicate */
  PTXLIT_FORBIDDEN, /* none does */
  PTXLIT_UNDEFINED, /* the program has undefined behaviour, so the model promises nothing */
  PTXLIT_UNKNOWN,   /* a limit was reached, or something is not modelled; never rounded to one of the above */
  PTXLIT_SAFE,      /* the verdict of a test about safety: it is safe */
  PTXLIT_UNSAFE,    /* it is not safe; ptxlit_render has the findings */
  PTXLIT_SEQUENTIAL, /* the verdict of a test that asks `in-turns`: all executions are like interleavings */
  PTXLIT_WEAK,       /* some execution is not; ptxlit_render has its accesses */
};

enum ptxlit_observation {
  PTXLIT_NONE, /* undefined, unknown, or no allowed execution passes the filter */
  PTXLIT_NEVER,
  PTXLIT_SOMETIMES,
  PTXLIT_ALWAYS,
};

struct ptxlit_result {
  const char *test, *model; /* names */
  enum ptxlit_verdict verdict;
  enum ptxlit_observation observation;
  bool launch;                 /* of a question about the safety of a kernel */
  bool holds;                  /* the condition with its quantifier holds; false when undefined or unknown */
  bool vacuous;                /* the predicate is unreachable even with every axiom of the model dropped */
  uint64_t candidates;         /* executions that brute force tried; 0 with PTXLIT_SAT */
  bool complete;               /* the counts are complete; false with verdict_only and at a limit */
  uint64_t positive, negative; /* the numbers of outcomes, or executions, that satisfy the predicate and that do not */
  const char *reason;          /* for undefined and unknown: "file:line:col: why"; else NULL */
  const char *expected;        /* the expectation of the test for this model; NULL: none */
  bool as_expected;            /* the result is the expected one, or nothing is expected */
  uint32_t outcomes;           /* the number of listed outcomes */
};

/* Checks one test under one model, and its termination if the test has an expectation about it. `*result` is NULL only
 * when memory runs out; it lives until the next input is read. `test` and `model` must be below their counts.
 * PTXLIT_UNMET, with a message, if an expectation is not met; PTXLIT_NO_VERDICT if the verdict is unknown and the test
 * expects another. */
enum ptxlit_status ptxlit_check(struct ptxlit *session, size_t test, size_t model, const struct ptxlit_result **result);

/* ---- second opinions: for a client that starts other solvers, which the library does not */

/* A part of a result that rests on the unsatisfiability of clauses. */
struct ptxlit_claim {
  const char *what;   /* "no execution satisfies the predicate", "no other outcome", ... */
  const char *dimacs; /* the clauses, which must be unsatisfiable */
  size_t size;        /* of that text, in bytes */
};

/* Sets `*claims` to all that the SAT engine found impossible for this result, in order, and returns their number; 0
 * unless `certify` was among the options. They live as long as the result. */
size_t ptxlit_claims(const struct ptxlit_result *result, const struct ptxlit_claim **claims);

enum ptxlit_answer { PTXLIT_NO_ANSWER, PTXLIT_SATISFIABLE, PTXLIT_UNSATISFIABLE };

/* Solves the clauses of a claim from scratch, while CaDiCaL's checker checks each step of the proof. A proof that the
 * checker rejects aborts the process: call this in a process of its own. PTXLIT_NO_ANSWER after `timeout` seconds (0:
 * no limit). */
enum ptxlit_answer ptxlit_prove(const char *dimacs, double timeout);

/* The difference between two results of one test under one model ("the outcomes"), such as those of two engines; NULL:
 * none. Lists of outcomes count if both are complete. */
const char *ptxlit_difference(const struct ptxlit_result *a, const struct ptxlit_result *b);

/* The checks of a result by other solvers. */
struct ptxlit_certificate {
  bool certified;      /* the second solver confirmed every claim and its proof was accepted, or there is no claim */
  const char *problem; /* why it is not certified: lower case, no full stop; NULL: it is */
  const char *solver;  /* the second solver: "minisat"; NULL: none */
  uint64_t agreed;     /* claims that the second solver confirms */
  uint64_t proved;     /* claims with an accepted proof */
  uint64_t candidates; /* executions that brute force tried; 0: it did not finish */
};

/* Attaches a copy of the certificate to the result, for ptxlit_render. PTXLIT_NO_VERDICT when memory runs out. */
enum ptxlit_status ptxlit_certify(struct ptxlit *session, const struct ptxlit_result *result,
                                  const struct ptxlit_certificate *certificate);

enum ptxlit_format {
  PTXLIT_TEXT,    /* for a launch of a kernel the verdict and its findings, else herd's block; and an empty line */
  PTXLIT_JSON,    /* one object on one line; format 1, see docs/json.md */
  PTXLIT_QUIET,   /* one line: Test NAME MODEL verdict Observation, and any warnings */
  PTXLIT_SUMMARY, /* one line: a sentence for humans */
  PTXLIT_LOG,     /* herd's block; for ptxlit_observe litmus7's, with a count for each state */
};

/* The result as text that ends with a newline. `result` must come from this session and its present input. NULL when
 * memory runs out. */
const char *ptxlit_render(struct ptxlit *session, const struct ptxlit_result *result, enum ptxlit_format format);

/* Passes the same text to `write` in pieces while it is generated, because there may be a million outcomes. In
 * PTXLIT_JSON and PTXLIT_TEXT the first piece is the text before the outcomes and the last piece the text after them;
 * without outcomes there is one piece. False when memory runs out; then the last pieces are missing. */
typedef void ptxlit_write(void *context, const char *data, size_t size);
bool ptxlit_print(struct ptxlit *session, const struct ptxlit_result *result, enum ptxlit_format format,
                  ptxlit_write *write, void *context);

enum ptxlit_dump {
  PTXLIT_DUMP_AST,    /* the test as parsed, in its own format, with columns in place of a kernel; in any dialect it
                         reads back as the same test */
  PTXLIT_DUMP_EVENTS, /* its events and their fixed relations */
  PTXLIT_DUMP_MODEL,  /* the model as a graph of operators, and its axioms */
  PTXLIT_DUMP_BOUNDS, /* for each node of that graph, the pairs that may and those that must be in it */
  PTXLIT_DUMP_CNF,    /* the clauses in DIMACS form, the variables explained in comments */
};

/* An inner stage, as text, of the check that ptxlit_check makes with the session's options. PTXLIT_DUMP_MODEL uses only
 * `model`, the first two only `test`. NULL when memory or time runs out, as ptxlit_messages reports. */
const char *ptxlit_dump(struct ptxlit *session, size_t test, size_t model, enum ptxlit_dump what);

/* ---- pictures */

enum ptxlit_picture {
  PTXLIT_PICTURE_TEXT, /* for a terminal: a column for each thread, then the arrows */
  PTXLIT_PICTURE_DOT,  /* Graphviz's language, with all positions: `dot -Tpng` only draws it */
  PTXLIT_PICTURE_SVG,
};

enum ptxlit_pick {
  PTXLIT_PICK_AUTO,      /* a witness of the condition, or the forbidden candidate if there is none */
  PTXLIT_PICK_WITNESS,   /* an allowed execution that satisfies the predicate (for forall: that does not) */
  PTXLIT_PICK_FORBIDDEN, /* an execution that satisfies it and breaks as few axioms as possible */
  PTXLIT_PICK_ALL,       /* an execution for each outcome */
  PTXLIT_PICK_EVERY,     /* the allowed executions that satisfy the predicate, distinguished by reads-from */
  PTXLIT_PICK_DEADLOCK,  /* an execution in which threads wait or spin for ever */
};

struct ptxlit_draw_options {
  enum ptxlit_picture format;
  enum ptxlit_pick pick;
  const char *const *show; /* names of relations to draw, of the model or predefined; NULL: the usual ones */
  size_t show_count;
  const char *state; /* an outcome to draw instead of the condition, as for ptxlit_explain; NULL: none */
  bool dark;         /* light on dark */
  bool steps;        /* one picture per step, in an order in which each read follows its write */
  unsigned scale;    /* of svg and dot, in percent; 0: 100 */
  unsigned width;    /* of a text drawing, in columns; 0: any */
};

struct ptxlit_drawing {
  const char *data; /* `size` bytes and a NUL */
  size_t size;
};

/* Draws executions of a test under a model; `*drawings` are `*count` pictures, in the order in which they were found,
 * and live until the next input is read. PTXLIT_BAD_INPUT if there is nothing to draw (no such execution, no such
 * relation); PTXLIT_NO_VERDICT at a limit or if something is not modelled. Threads beyond 16, rows beyond 40 and
 * outcomes beyond 64 are omitted with a warning. `test` and `model` must be below their counts. */
enum ptxlit_status ptxlit_draw(struct ptxlit *session, size_t test, size_t model,
                               const struct ptxlit_draw_options *options, const struct ptxlit_drawing **drawings,
                               size_t *count);

/* ---- explaining */

/* Explains the verdict of a test under a model: the axioms that forbid it, with the cycle; or an execution and the
 * missing order. `state`: NULL for the test's condition, or an outcome to explain instead, such as "0:r0=0; 1:r1=0" or
 * "0:r0=0 /\ x=1"; PTXLIT_BAD_INPUT, and a message, if the test has no such registers or locations. `*text` gets
 * PTXLIT_TEXT or PTXLIT_JSON; other formats give text. It lives until the next input is read; NULL, with a message, on
 * any status but PTXLIT_OK and PTXLIT_NO_VERDICT (the verdict is unknown), and on the latter if a limit ended the
 * explanation itself. The indices must be below their counts. */
enum ptxlit_status ptxlit_explain(struct ptxlit *session, size_t test, size_t model, const char *state,
                                  enum ptxlit_format format, const char **text);

struct ptxlit_fix_options {
  bool weaken;      /* finds instructions that can be weaker, instead of fixes */
  bool races;       /* look for fixes that remove every data race; with `weaken`, for weakenings that add none */
  uint32_t changes; /* try all sets of up to N changes; 0: stop at the smallest size that suffices */
  uint32_t ways;    /* the maximum number of fixes; 0: all */
};

/* The smallest changes to a test that forbid its predicate, weakest first; for an undefined test, those that make it
 * defined. With `weaken`, the instructions that can be weaker while the predicate stays forbidden and no race is added.
 * Every change has been checked. The session's timeout is for the whole search. `format`, `*text` and statuses as for
 * ptxlit_explain; PTXLIT_NO_VERDICT also when the search reached a limit and found nothing. */
enum ptxlit_status ptxlit_fix(struct ptxlit *session, size_t test, size_t model,
                              const struct ptxlit_fix_options *options, enum ptxlit_format format, const char **text);

/* Looks for the cheapest change after which an unsafe test is safe, within a fixed amount of work (a few seconds) and
 * the part of the session's timeout that the check did not use. `*text`: a line with the change, or why none was found;
 * NULL if the test is not unsafe. `result`, which is of this model, then has it in JSON. PTXLIT_NO_VERDICT at a
 * limit. */
enum ptxlit_status ptxlit_cure(struct ptxlit *session, const struct ptxlit_result *result, size_t model,
                               const char **text);

/* Finds every race of the allowed executions, with the two instructions and the missing order; mixed-size races apart.
 * `format`, `*text` and statuses as for ptxlit_explain; PTXLIT_NO_VERDICT when a limit was reached. */
enum ptxlit_status ptxlit_races(struct ptxlit *session, size_t test, size_t model, enum ptxlit_format format,
                                const char **text);

/* The outcomes of a test under all models loaded, which must be at least one, as a table; and why the weakest allows an
 * outcome that the strongest forbids. `format`, `*text` and statuses as for ptxlit_explain; PTXLIT_NO_VERDICT if the
 * verdict of some model is unknown. */
enum ptxlit_status ptxlit_compare(struct ptxlit *session, size_t test, enum ptxlit_format format, const char **text);

/* ---- readings of the document */

/* The readings of the model, for gaps of the document, on which a verdict rests: one line, such as "MP ptx allowed
 * Sometimes, under every reading" or "..., rests on G26=complete (forbidden Never)". It names each minimal set of
 * readings that, with those chosen, changes verdict or observation. `*text` and statuses as for ptxlit_explain. */
enum ptxlit_status ptxlit_readings(struct ptxlit *session, size_t test, size_t model, const char **text);

/* ---- generated tests */

/* Lists are words separated by commas; NULL is the default, "" the empty list. */
struct ptxlit_generate_options {
  const char *instructions;  /* ld, st, atom, atom.cas, red, fence, each also with semantics: ld.acquire; bar.sync,
                                barrier.cluster. NULL: ld,st,fence */
  const char *proxies;       /* surface, texture, constant, alias: accesses by them, and their fences. NULL: none */
  const char *scopes;        /* of instructions: cta, cluster, gpu, sys. NULL: cta,gpu,sys */
  const char *placements;    /* the narrowest scopes that two threads may share. NULL: cta,gpu,sys */
  const char *dependencies;  /* on the read before: data, ctrl, addr. NULL: none */
  unsigned events;           /* the most instructions of all threads, without arithmetic; from 1 to 12 */
  unsigned threads;          /* at most; from 1 to 4 */
  unsigned locations;        /* at most; from 1 to 4 */
  const char *minimal;       /* a model: only the tests that are minimal for it; NULL: all */
  const char *expect;        /* models whose results each test states in its Expect= line; NULL: none */
  uint64_t random;           /* the number of random tests, instead of all in order; 0: all. Not with minimal */
  uint64_t seed;             /* of the random tests */
  uint32_t part, parts;      /* only part `part`, from 1, of `parts` parts of all tests; 0: all */
  bool wide;                 /* also with scopes that reach no more threads than a narrower one */
  bool tables;               /* tests that differ only in scopes and placement are one text with a table; not as JSON */
};

/* ld,st,fence in up to 4 events, 4 threads and 4 locations. */
struct ptxlit_generate_options ptxlit_generate_defaults(void);

/* A generated test; it lives until the visitor returns. */
struct ptxlit_generated {
  const char *name;
  const char *text; /* as requested: PTXLIT_TEXT, a test in the litmus format; PTXLIT_JSON, one object on a line */
};

/* Called with each test. It must not use the session. False: stop. */
typedef bool ptxlit_generate_visitor(void *state, const struct ptxlit_generated *test);

/* Generates litmus tests and passes each to `visit`: tests with fewer events first, no two isomorphic. Each asks about
 * an outcome that no interleaving of its threads gives. The present input is released. The session's timeout is for the
 * whole call: PTXLIT_NO_VERDICT when it is reached; PTXLIT_BAD_INPUT, with a message, for inconsistent options. */
enum ptxlit_status ptxlit_generate(struct ptxlit *session, const struct ptxlit_generate_options *options,
                                   enum ptxlit_format format, ptxlit_generate_visitor *visit, void *state);

/* ---- on a GPU */

/* Adds a test to the GPU program that the session is building. `*reason`: why it cannot be run there (lower case, no
 * full stop), which the program then reports; NULL if it can. It lives as long as the session. PTXLIT_NO_VERDICT, and a
 * message, when memory or time ran out; the test is then not in the program. `test` must be below its count. */
enum ptxlit_status ptxlit_gpu_add(struct ptxlit *session, size_t test, const char **reason);

/* The number of tests of the program, including omitted ones. */
size_t ptxlit_gpu_count(const struct ptxlit *session);

struct ptxlit_file {
  const char *name, *text;
};

/* The program of the tests added so far, which must be at least one: CUDA C++ in `parts` files that can be compiled in
 * parallel (`parts` is at least 1, and is reduced to the number of tests if it is larger), a Makefile and
 * manifest.jsonl, with one line per test. It needs only nvcc, and writes results that ptxlit_read_results reads. The
 * files live as long as the session. */
enum ptxlit_status ptxlit_gpu_program(struct ptxlit *session, unsigned parts, const struct ptxlit_file **files,
                                      size_t *count);

/* Reads the output of such programs, "-" for standard input, and adds it to the results that the session has: counts of
 * tests with equal hashes add up. Results stay as long as the session. PTXLIT_BAD_INPUT, and messages, for invalid
 * lines; valid lines count. */
enum ptxlit_status ptxlit_read_results(struct ptxlit *session, const char *path);

/* The number of tests with results, including tests that were omitted. */
size_t ptxlit_seen_count(const struct ptxlit *session);

/* The outcomes seen of a test, compared with a model. */
struct ptxlit_seen {
  const char *test, *hash; /* live as long as the session */
  const char *left_out;    /* why it was not run: then the members below are meaningless; NULL: it was */
  bool contradicts;        /* the model forbids something seen */
  uint64_t runs;           /* the number of runs */
  uint64_t forbidden;      /* the number of runs with outcomes that the model forbids */
  uint64_t met;            /* the number of runs that pass the filter and satisfy the condition's predicate */
  size_t open;             /* outcomes for which the model's verdict is unknown */
  double seconds;          /* the time of all runs */
};

/* Judges the observed outcomes of a test under a model. Reads the test again, which releases the input, and gives
 * `*text` in PTXLIT_TEXT, PTXLIT_JSON, PTXLIT_LOG or, for others, one line. PTXLIT_UNMET if the results contradict the
 * model; PTXLIT_NO_VERDICT if that cannot be decided; PTXLIT_BAD_INPUT, and no text, if the test in the results is
 * wrong, or has another hash. `*text` lives until the next input is read. The indices must be below their counts. */
enum ptxlit_status ptxlit_observe(struct ptxlit *session, size_t seen, size_t model, enum ptxlit_format format,
                                  struct ptxlit_seen *facts, const char **text);

/* `equal`: no test of up to this many events distinguishes the models. */
struct ptxlit_apart {
  const char *test;
  unsigned equal;
};

/* A smallest test that one of two models forbids and the other allows, within the options, of which minimal,
 * expect, random and part are ignored: `test` is its text, NULL if no test within `events` does so, and lives until the
 * next input is read. The models are named as for ptxlit_use_model. Input and statuses as for ptxlit_generate; on a
 * timeout, `apart` has the progress of the search. */
enum ptxlit_status ptxlit_distinguish(struct ptxlit *session, const char *a, const char *b,
                                      const struct ptxlit_generate_options *options, struct ptxlit_apart *apart);

/* ---- mappings from C++ to PTX */

/* The shipped mappings. */
#define PTXLIT_MAP_TABLES                                                                                              \
  "abi-12.8, abi-12.9, abi-13, libcudacxx-13.0, libcudacxx-sm_60, llvm, llvm-emulated, llvm-bytes, llvm-19, "          \
  "cuda-oxide, triton, julia, asplos-2019, peepholes, peepholes-atom"

/* The tests of CUDA C++ to try. Lists of scopes, by their PTX names, are separated by commas; NULL is the default. */
struct ptxlit_map_options {
  const char *scopes;     /* of operations. NULL: cta,gpu */
  const char *placements; /* the narrowest scopes that two threads may share. NULL: cta,gpu */
  const char *operations; /* such as "update seq_cst,load" or "atomic": only tests with these. NULL: all of the table */
  const char *shape;      /* such as "3,2,1": only tests with these numbers of operations per thread. NULL: all */
  const char *model;      /* of PTX. NULL: ptx */
  unsigned events;        /* operations of all threads, at most; from 1 to 8 */
  unsigned threads;       /* at most; from 1 to 4 */
  unsigned locations;     /* at most; from 1 to 4 */
  unsigned length;        /* operations of one thread, at most; from 1 to 8 */
  enum {
    PTXLIT_MIXED_NONE,    /* each location has one scope or plain accesses only; seq_cst operations share one scope */
    PTXLIT_MIXED_OBJECTS, /* each location has one scope or plain accesses only, as with cuda::atomic and int */
    PTXLIT_MIXED_ACCESSES /* each access is plain or has its own scope, as with cuda::atomic_ref */
  } mixed;                /* the operations that may mix scopes */
  bool old_sequences;     /* release sequences of C++17: the model rc11-scoped-17; else rc11-scoped */
};

/* Up to 4 events, 4 threads and 4 locations, under ptx, with C++20. */
struct ptxlit_map_options ptxlit_map_defaults(void);

/* Checks mappings from CUDA C++ to PTX, given as files or as names in the directory maps/ next to the models: looks for
 * compiled tests with an outcome that C++ forbids (docs/mapping.md). Instead of rows, a file may have rules on PTX,
 * `LHS -> RHS`, which are tried on the minimal tests of the model. `*text` has, for each of the `count` (at least 1)
 * tables, the rows and tests that were checked, and for each wrong alternative a smallest counterexample with both
 * explanations. PTXLIT_UNMET if there is a counterexample; PTXLIT_NO_VERDICT if the session's timeout, which is for the
 * whole call, came first; PTXLIT_BAD_INPUT, with messages, for an invalid table. The present input is released; `*text`
 * lives until the next one is read. */
enum ptxlit_status ptxlit_map(struct ptxlit *session, char *const *tables, unsigned count,
                              const struct ptxlit_map_options *options, enum ptxlit_format format, const char **text);

/* ---- for editors */

/* From now on a copy of this text replaces the file whenever it is read as `path`: as a model, an included file or a
 * table. For files that an editor has not saved. */
enum ptxlit_status ptxlit_hold_file(struct ptxlit *session, const char *path, const char *text, size_t length);

struct ptxlit_message {
  bool warning;                  /* else an error */
  const char *code;              /* stable: "unknown-name"; for a limit as in ptxlit_limit */
  const char *text, *hint;       /* lower case, no full stop; `hint` may be NULL */
  const char *file;              /* the name that was given; NULL: no place is known, and the numbers are 0 */
  uint32_t line, column;         /* from 1; columns count bytes */
  uint32_t end_line, end_column; /* after the last byte */
};

/* The messages of ptxlit_messages as records; they live as long as that string. */
size_t ptxlit_message_list(struct ptxlit *session, const struct ptxlit_message **list);

enum ptxlit_language { PTXLIT_LANGUAGE_PTX, PTXLIT_LANGUAGE_CAT };

/* A description of the instruction that `word` names or begins ("atom.add.u32"), or of a predefined set or relation of
 * the model language. NULL if the name is unknown, or when memory runs out. Lives until the next call that gives
 * messages. */
const char *ptxlit_describe(struct ptxlit *session, enum ptxlit_language language, const char *word);

/* The words that begin with `start`, one per line: opcodes; after an opcode and a dot its qualifiers, each with its
 * dot; predefined sets and relations. "" if there is none, NULL when memory runs out. Lives until the next call that
 * gives messages. */
const char *ptxlit_complete(struct ptxlit *session, enum ptxlit_language language, const char *start);

/* ---- for messages about names */

/* The candidate that `word` is most likely a misspelling of, or NULL. */
const char *ptxlit_nearest(const char *word, const char *const *candidates, size_t count);

#ifdef __cplusplus
}
#endif

#endif
