/* Prints a web site for a suite: one HTML page per test, an index, a page on the gaps in the document, and a style
 * sheet and a script for all. Nothing else is fetched, and without the script only the search is missing; light or dark
 * like the reader's system. The pages are well-formed XML and HTML, and small, because a suite has thousands. Pure, as
 * in out.h. */
#pragma once

#include "chip/judge.h"
#include "explain/explain.h"
#include "litmus/ast.h"
#include "out/out.h"

/* One model's part of a page. */
struct page_model {
  struct finding finding;
  const char *picture;     /* an <svg> element; NULL: none */
  const char *words;       /* the words below it, as HTML; NULL: no picture */
  const char *no_picture;  /* why there is none; NULL with a picture */
  const char *claim;       /* the claim explained: "x=1 is forbidden under ptx" */
  const char *explanation; /* the explanation in words */
  const struct explain_gap *gaps;
  uint32_t gap_count;
};

struct page {
  const char *name;
  const struct litmus_word *docs; /* the description of the test */
  const char *file;               /* the name that the user gave */
  const char *source;             /* the test's text */
  const char *previous;           /* the path of the previous page; NULL: none */
  const struct page_model *models;
  uint32_t model_count;
  const struct seen_test *seen; /* the results of GPUs; NULL: not known */
};

/* One row of the list. The caller keeps all its memory. */
struct page_row {
  const char *name, *doc, *group; /* group: the directory of its file; doc may be "" */
  const char *href;               /* the URL of the test's page, relative to the list */
  const struct row_cell {
    const char *verdict, *observation;
    bool expected, as_expected;
  } * cells; /* by model */
};

/* Adds a page without its end. The next function: adds the end, once the next page is known (NULL: none). */
void out_page(const struct page *page, struct text *out);
void out_page_end(const char *next, struct text *out);
/* `rows` of one group must be adjacent. */
void out_index(const char *title, const char *const *models, uint32_t model_count, const struct page_row *rows,
               uint32_t row_count, struct text *out);

/* The page about the gaps in the document, to which other pages link. */
void out_gaps_page(const struct explain_gap *gaps, size_t count, struct text *out);

/* The style sheet of all pages, without the rules for pictures, and the script that searches the list. */
extern const char out_site_style[], out_site_script[];

/* For site_*.c: the start and the end of every page. `root`: "../" if the page is in a directory. */
void html_begin(struct text *out, const char *title, const char *root);
void html_end(struct text *out);
