/* The session behind ptxlit.h. For api.c and api_models.c only. */
#ifndef PTXLIT_SESSION_H
#define PTXLIT_SESSION_H

#include "base/intern.h"
#include "draw/pick.h"
#include "out/report.h"
#include "ptx/lower.h"
#include "ptxlit.h"
#include "result/expect.h"

/* A model that was asked for. */
struct loaded {
  const char *asked; /* as given to ptxlit_use_model */
  const struct model *model;
};

/* A test name met in this session. Only this much is kept of a test: a suite may have very many. */
struct seen {
  const char *name, *file; /* name == NULL: a free slot */
  struct position at;
};

struct input_test {
  const struct litmus_test *ast;
  struct intern *names;          /* of the input: names of the AST compare by it */
  struct lower_options lowering; /* how the program was made from the AST */
  const struct program *program;
  struct expectations expectations;
  const char *hash; /* NULL until a text block is printed */
};

/* What ptxlit_check gives out a pointer to: the public facts come first, so that it is one to the whole. */
struct full_result {
  struct ptxlit_result facts;
  struct report report;
  struct result result;
  size_t test;
};

struct ptxlit {
  jmp_buf oom;
  struct arena session; /* lives as long as the session: directories, models, the names seen */
  struct arena input;   /* released when the next input is read */
  struct arena latest;  /* released by each call that gives messages: they live here */
  struct ptxlit_options options;
  VEC(const char *) dirs;
  VEC(struct loaded) models;
  struct seen *seen; /* open addressing */
  uint32_t seen_count, seen_capacity;
  VEC(struct page_row) pages;   /* of the site that is being made; in `session` */
  VEC(struct input_test) tests; /* in `input` */
  struct diags diags;           /* of the last call that gives messages */
  bool out_of_memory;           /* ... which ran out of memory */
};

/* Starts a call that gives messages: forgets those of the call before. */
void session_begin(struct ptxlit *s);

/* Notes that memory ran out, and gives the status for it. */
enum ptxlit_status session_out_of_memory(struct ptxlit *s);

/* What ptxlit_check does, inside of a call that gives messages. */
enum ptxlit_status session_check(struct ptxlit *s, size_t test, size_t model, const struct full_result **result);

/* How to pick executions, with the session's options. */
struct pick_options session_pick(const struct ptxlit *s, enum pick_kind kind, uint32_t most);

/* Where to go when memory runs out, in every API function that allocates; locals set after it must not be used then. */
#define SESSION_GUARD(s, result)                                                                                       \
  do {                                                                                                                 \
    if (setjmp((s)->oom)) {                                                                                            \
      session_out_of_memory(s);                                                                                        \
      return (result);                                                                                                 \
    }                                                                                                                  \
  } while (0)

/* As source_read, except that a lack of memory in the C library is one here too, and no unreadable file. */
enum source_status session_open(struct arena *arena, const char *path, struct source *out);

/* Reads a file into the arena. When it cannot be read, says so in s->diags and gives NULL. */
const struct source *session_read(struct ptxlit *s, struct arena *arena, const char *path);

#endif
