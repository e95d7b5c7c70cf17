/* A language server over standard input and output: the Language Server Protocol, version 3.17.
 *
 * The server process keeps the documents and answers at once from its last results. A worker process, one at a time,
 * reads and checks the document that was changed last; a change kills a worker on an older text, so that neither slow
 * tests nor crashes block the editor. No compiler runs, and documents are read with --untrusted, unless the user says
 * so: then sources in CUDA C++ are checked as they are saved, if comments of theirs have launches. */
#pragma once

#include <jansson.h>

#include "base/text.h"
#include "ptxlit.h"

/* The program that starts the server. */
struct lsp_host {
  /* A new session with the options of the command line, including their models if `models`. It lives until the process
   * ends. NULL: that failed, and a message was printed. */
  struct ptxlit *(*open)(void *context, bool models);
  void *context;
  bool compiles;              /* the user allows compilers */
  const char *const *options; /* long options without dashes, for completion; NULL at the end */
};

/* Serves until the client sends `exit` or disconnects. Returns the exit status: 0 after `shutdown`, else 2. */
int lsp_serve(const struct lsp_host *host);

/* ---- documents (document.c) */

enum lsp_kind { LSP_LITMUS, LSP_CAT, LSP_MAP, LSP_CUDA, LSP_OTHER };

struct lsp_document {
  char *uri, *path; /* the path that the URI denotes; the URI itself if it does not denote a file */
  char *text;       /* with a NUL after it */
  enum lsp_kind kind;
  json_int_t version;
  bool checked;    /* a worker has received this text */
  json_t *lenses;  /* the array of code lenses that the worker found; NULL: none yet */
  json_t *actions; /* the array of code actions that it found, without their `diagnostics`; NULL: none yet */
};

/* A document that the client opens. NULL when memory runs out. */
struct lsp_document *lsp_document_new(const char *uri, const char *text, json_int_t version);
void lsp_document_free(struct lsp_document *document);
/* Takes a new text and drops the results of the old one. False when memory runs out. */
bool lsp_document_change(struct lsp_document *document, const char *text, json_int_t version);

/* The start of a line, from 1; the end of the text if there are fewer lines. */
const char *lsp_line(const char *text, size_t line);
/* The length in bytes of the instruction that begins there: up to the end of its cell, without blanks. */
size_t lsp_cell(const char *at);
/* Converts a line and a column of the tool (both from 1, columns in bytes) to a Position. `utf8`: a Position counts
 * bytes, else units of UTF-16. */
json_t *lsp_position(const char *text, size_t line, size_t column, bool utf8);
/* The reverse: the byte at a Position. */
const char *lsp_place(const char *text, json_t *position, bool utf8);

/* ---- results about a document (worker.c, edits.c) */

/* Reads and checks the document and writes lines of JSON: {"diagnostics", "lenses"} and then {"actions"}. */
void lsp_check(const struct lsp_host *host, const struct lsp_document *document, bool utf8, FILE *out);

/* The TextEdits for the changes of one fix of `ptxlit fix`; NULL if a change has none, such as one in a module. */
json_t *lsp_edits(const char *text, json_t *changes, bool utf8);
/* The title of a fix: "line 12: st.release.gpu flag, 1; after line 11: ...". To be freed; NULL when memory runs out. */
char *lsp_edits_title(json_t *changes);

/* ---- answers from a document alone (answer.c) */

json_t *lsp_hover(const struct lsp_document *document, json_t *position, bool utf8);
json_t *lsp_completion(const struct lsp_host *host, const struct lsp_document *document, json_t *position, bool utf8);
