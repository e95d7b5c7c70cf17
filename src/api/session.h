/* The state of a session of the library (ptxlit.h). Private to src/api. */
#pragma once

#include "chip/chip.h"
#include "chip/seen.h"
#include "draw/scene.h"
#include "generate/generate.h"
#include "out/out.h"
#include "ptxlit.h"
#include "repair/fix.h"
#include "result/expect.h"

/* A model in use. */
struct loaded {
  const char *asked; /* as given to ptxlit_use_model */
  const struct model *model;
  const char *other; /* ptxlit_use_models: the model for inputs in the other language; else NULL */
  bool cuda;         /* with `other`: this model is for CUDA C++ */
  bool met[2];       /* indexed by `cuda`: an input in that language was read */
};

/* The name of a test read in this session. Nothing else is kept, because a suite may have very many tests. */
struct seen_name {
  const char *name, *file; /* name == NULL: a free slot */
  struct position at;
};

/* A test of the input. A table may have very many tests, so the program of such a test is made on request, and freed
 * with its results. */
struct input_test {
  const char *name;
  uint32_t line;                /* in its file */
  const struct filled_row *row; /* the row of the table from which the test was made; NULL: not from a table */
  uint32_t command;             /* the index of the command among the valid commands of the row */
  const struct litmus_test *ast;
  struct intern *names;          /* the names of the input, to which those of the AST belong */
  struct lower_options lowering; /* the options with which the AST was lowered to the program */
  const struct program *program;
  struct expectations expectations;
  struct diags warnings; /* about the test; in `input` */
  const char *hash;      /* NULL until a text block is printed */
};

/* The result to which ptxlit_check returns a pointer: the public facts come first. */
struct full_result {
  struct ptxlit_result facts;
  struct finding finding;
  struct result result;
  size_t test;
};

/* explain.c: explains a test as it is asked; if it is a kernel that is safe but not sequential, an execution of columns
 * in which no strong access is left out (K18). */
void session_tell(struct ptxlit *session, size_t test, const struct program *program, const struct model *model,
                  const struct check_options *options, struct result *result, struct explanation *out);

/* read.c: the program of a kernel test that is read again; NULL: it cannot be. */
const struct program *session_again(struct ptxlit *session, const struct input_test *test, struct again how);

/* A mark in the arena `input`. A rewind frees nothing if names were interned since, because it would free the names
 * too. */
struct session_mark {
  struct arena_mark arena;
  const struct intern *interned; /* NULL: no name was interned before */
  uint32_t names;
};

/* The work of a call, for the message when memory or time runs out in it. */
struct session_work {
  const char *what, *name, *model; /* "checking", the test or file, and NULL or the model */
  struct session_mark mark;        /* when it began */
};

/* A launch that is not executed, by its number among those of the input. */
struct refused_launch {
  uint32_t number;
  const struct reason *why;
};

/* A row of a table with an error. */
struct wrong_row {
  uint32_t line;
  const char *messages;
};

/* A test of the program for a GPU that is being made. */
struct gpu_test {
  uint32_t number;
  const char *members;    /* members of JSON that identify the test */
  const char *code, *row; /* the code of the test, and its row in the table of its part (chip/part.c) */
  const char *left_out;   /* the reason why it cannot be run; or NULL */
  bool cpp;               /* its code needs the atomics of libcu++ */
  unsigned capability;    /* chip.h */
};

struct ptxlit {
  jmp_buf oom;
  struct arena session; /* lives as long as the session: directories, models, the names seen */
  struct arena input;   /* released when the next input is read */
  struct arena latest;  /* released by each call that gives messages, which live here */
  struct ptxlit_options options;
  VEC(struct source) held; /* texts in place of files; in `session` */
  VEC(const char *) dirs;
  VEC(const char *) test_dirs; /* directories of tests, without links */
  bool tests_found;            /* the user names no files of tests: ptxlit_add_test_dir(NULL) was called */
  struct input_bounds bounds;  /* for files that the tests of the input name; in `input` */
  VEC(struct loaded) models;
  VEC(struct loaded) known_models; /* all models read, those of `models` too; each once */
  VEC(struct seen_name) seen;      /* in `session` */
  uint32_t named;                  /* of these, before the input */
  struct hash_index seen_index;
  VEC(struct gpu_test) gpu_tests;     /* in `session` */
  struct sightings sightings;         /* results of runs on GPUs; in `session` */
  bool reads_results;                 /* the input is a test in results of GPUs: it consists of columns */
  VEC(struct input_test) tests;       /* in `input` */
  struct session_mark read;           /* after the tests */
  size_t made_begin, made_end;        /* the tests whose programs may have been made since `read` */
  VEC(struct wrong_row) wrong_rows;   /* in `input` */
  const struct listing *known;        /* the models in all directories; in `session`; NULL until first needed */
  VEC(const char *) model_names;      /* names of models that load, for hints; in `session`; empty until first needed */
  struct diags diags;                 /* of the last call that gives messages */
  struct session_work work;           /* the work of that call */
  struct kernel_progress progress;    /* of the launch being read */
  bool expanding;                     /* its module is read, or its threads run */
  uint32_t launches;                  /* of the input, that have been read so far */
  VEC(struct refused_launch) refused; /* those whose reading a limit has ended: they are not executed; in `session` */
  const char *limit_id;               /* the limit that ended it, as in JSON; or NULL */
  char limit[800];                    /* the message when it ended early for lack of memory or time; else "" */
};

/* Marks the memory before work on this test. A rewind frees the memory since then, and tests drop pointers into it. */
struct session_mark session_mark(const struct ptxlit *s, size_t test);
void session_rewind(struct ptxlit *s, struct session_mark mark);

/* For models given as a pair, one for PTX and one for CUDA C++, chooses the one for the language of the input (in
 * models.c). False if a model is invalid. */
bool session_fit_models(struct ptxlit *s);
/* From each pair of models, takes the one for this language. False, with a message: it cannot be loaded. */
bool session_choose(struct ptxlit *s, bool cuda);

/* A run of a test's kernel with a smaller grid and block: halved so often. */
struct halvings {
  uint32_t grid, block;
};

/* A run and its modules, of which a search makes changed versions. Smaller runs share names and modules with the
 * launch, so that a change of one is a change of all. */
struct session_edits {
  struct ptxlit *session;
  const struct input_test *test;
  struct kernel_modules *modules;
  struct halvings by;
  double deadline; /* of the whole search; 0: none */
};

/* The run with all accesses and columns of its kernels, those too that no finding needs (K16): for changes of
 * instructions, which may make them count. `like`: another run, whose names and modules it shares; NULL: there is none.
 * The test itself if there is no module, or the run does not fit. */
const struct input_test *session_whole_test(const struct session_edits *e, size_t test,
                                            const struct session_edits *like, struct kernel_lines *lines);
/* A smaller run as check reads it; NULL: it does not fit. */
const struct program *session_smaller(const struct session_edits *e, const struct halvings *by);
/* The run with changes of its kernels' bodies, for this question. NULL: the changes do not fit. */
const struct program *session_edited(const struct session_edits *e, struct arena *arena,
                                     const struct kernel_edit *edits, uint32_t count, enum fix_question question);
/* The test, with its program, which is made now if need be: memory may run out. */
struct input_test *session_test(struct ptxlit *s, size_t test);
/* Forgets everything computed from tests since they were read. */
void session_give_back(struct ptxlit *s);

/* Starts a call that gives messages: discards those of the call before. */
void session_begin(struct ptxlit *s);

/* Starts a call that reads a file, with --timeout as its time limit; session_end_limit ends that limit. */
void session_begin_reading(struct ptxlit *s, const char *name);
void session_end_limit(struct ptxlit *s);

/* Notes that memory or time ran out, and gives the status for it. */
enum ptxlit_status session_limit(struct ptxlit *s);

/* Releases the tests and everything that belongs to them. */
void session_forget_input(struct ptxlit *s);

/* Starts a call that works on a test under a model (NO_MODEL: none in particular). The functions that the call uses
 * have time limits of their own, which keep partial results; the call ends with a message after `times` times --timeout
 * in all (0: the call observes the limit itself). When memory or time runs out, session_abandon frees the call's
 * memory. */
void session_begin_work(struct ptxlit *s, const char *what, size_t test, size_t model, double times);
enum ptxlit_status session_abandon(struct ptxlit *s);

/* The model that ptxlit_use_model would load; NULL, and a message, if there is none. */
const struct model *session_model(struct ptxlit *s, const char *name_or_file);

/* True if a model of this name is loaded, or is in a directory of models. `*near`: a name like it, or NULL. */
bool session_knows_model(struct ptxlit *s, const char *name, const char **near);

/* The results of a test on GPUs, or NULL. */
const struct seen_test *session_seen(struct ptxlit *s, size_t test);

/* Adds to a scene's caption how often its outcome was seen. */
void session_note_seen(struct ptxlit *s, size_t test, struct scene *scene);

/* check.c: lets a check read its test again. */
void session_reread(struct ptxlit *session, const struct input_test *test, struct check_options *options);
/* The options of a check, from the session's options. */
struct check_options session_check_options(const struct ptxlit *s);

/* The test's hash, which depends on its behaviour and not on its name; and its canonical text. Both live until the next
 * input is read. */
const char *session_test_hash(struct ptxlit *s, struct input_test *test);
const char *session_test_text(struct ptxlit *s, const struct input_test *test);

/* The shape of executions that the public options select. */
static inline struct shape session_shape(const struct ptxlit_options *options) {
  return (struct shape){
      .unroll = options->unroll, .async_race = options->async_race, .without = without_named(options->without)};
}

/* The test's program; if `state` is given, with that outcome as its condition. NULL, with a message, if `state` is
 * invalid. */
const struct program *session_asked(struct ptxlit *s, size_t test, const char *state);

/* The explanation of that outcome; NULL, with a message, if `state` is invalid. */
const struct explanation *session_explain(struct ptxlit *s, size_t test, size_t model, const char *state);

/* The options of the check for an explanation, from the session's options. */
struct check_options session_explaining(const struct ptxlit *s);

/* The options for picking executions, from the session's options. */
struct pick_options session_pick(const struct ptxlit *s, enum pick_kind kind, uint32_t most);

/* To be used in every API function that allocates: returns `result` when memory or time runs out. After such a jump,
 * locals set after the guard must not be used. */
#define SESSION_GUARD(s, result)                                                                                       \
  do {                                                                                                                 \
    if (setjmp((s)->oom)) {                                                                                            \
      session_limit(s);                                                                                                \
      return (result);                                                                                                 \
    }                                                                                                                  \
  } while (0)

/* Calls session_begin_work, then SESSION_GUARD. `in`: the index of the model, or NO_MODEL. */
enum { NO_MODEL = UINT32_MAX };
#define SESSION_WORK(s, what, test, in, times)                                                                         \
  do {                                                                                                                 \
    session_begin_work((s), (what), (test), (in), (times));                                                            \
    if (setjmp((s)->oom)) return session_abandon(s);                                                                   \
  } while (0)

/* The latest text that ptxlit_hold_file gave for this path. */
bool session_held(const struct ptxlit *s, const char *path, struct source *out);

/* As source_read (with bounds, source_read_named), except that a held text takes precedence, and that a failed
 * allocation in the C library is reported as such, not as an unreadable file. */
enum source_status session_open(struct ptxlit *s, struct arena *arena, const char *path,
                                const struct input_bounds *bounds, struct source *out);

/* Reads a file into the arena. `bounds`: the directories in which the file must lie if another file names it, or NULL
 * if the user names it: then untrusted links lead to no other directory. The result is NULL, with a message in
 * s->diags, if it cannot be read. */
const struct source *session_read_within(struct ptxlit *s, struct arena *arena, const char *path,
                                         const struct input_bounds *bounds);
static inline const struct source *session_read(struct ptxlit *s, struct arena *arena, const char *path) {
  return session_read_within(s, arena, path, NULL);
}
