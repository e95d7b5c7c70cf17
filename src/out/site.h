/* A site of a suite: one HTML page for each test and a page that lists them. Every page stands alone: no script,
 * nothing fetched, light or dark as the reader's system is. The pages are well-formed XML as well as HTML. Pure
 * printers. */
#ifndef PTXLIT_OUT_SITE_H
#define PTXLIT_OUT_SITE_H

#include "chip/judge.h"
#include "out/out.h"

/* One model's part of a page. */
struct page_model {
  struct finding finding;
  const char *picture;     /* an <svg> element; NULL: none */
  const char *no_picture;  /* why there is none; NULL with a picture */
  const char *text;        /* the picture as text; NULL: none */
  const char *explanation; /* in words; NULL: none */
};

struct page {
  const char *name;
  const char *const *docs; /* what the test says about itself */
  uint32_t doc_count;
  const char *file;     /* as it was given */
  const char *source;   /* the test's text */
  const char *dark_css; /* rules that darken the pictures */
  const struct page_model *models;
  uint32_t model_count;
  const struct seen_test *seen; /* what GPUs showed; NULL: not known */
};

/* One row of the list. Everything is kept by the caller. */
struct page_row {
  const char *name, *doc, *group; /* group: the directory of its file; doc may be "" */
  const char *href;               /* of the test's page, relative to the list, as a URL */
  const struct row_cell {
    const char *verdict, *observation;
    bool expected, as_expected;
  } * cells; /* by model */
};

void out_page(const struct page *page, struct text *out);
/* `rows` of one group must stand together. */
void out_index(const char *title, const char *const *models, uint32_t model_count, const struct page_row *rows,
               uint32_t row_count, struct text *out);

/* For the two of them: what every page starts and ends with. */
void html_begin(struct text *out, const char *title, const char *more_css);
void html_end(struct text *out);
/* The verdict as a word with a class. */
void html_verdict(struct text *out, const char *verdict);

#endif
