/* Reads the table below a test: each row gives a test, the text above with the row's cells in place of $0, $1 ... */
#pragma once

#include "diag/diag.h"

struct filled_row {
  const struct source *source; /* the whole test; messages show its text, but the line number of the row */
  uint32_t number;             /* from 1; 0 if the file has no table */
  uint32_t line;               /* the line in the file; 0 if the file has no table */
  bool named;                  /* the first line has a placeholder, so the names of the rows' tests differ */
  struct diags *diags;         /* the row's errors; a row that could not be filled in has no source */
};

VEC_NAMED(filled_rows, struct filled_row);

/* The rules of a format: .test is joined to a single line, without comments (//), and a number follows every $; .litmus
 * keeps its lines, and a $ without a number is part of a name. */
enum table_style { TABLE_OF_TEST, TABLE_OF_LITMUS };

/* True if a line `$$` begins a table. */
bool table_is_in(const struct source *source);

/* The tests of a file as texts. Without a line `$$` there is one, the file itself. Errors of the table as a whole go to
 * `diags`, whose arena holds all lists. A row is a line that is neither empty nor a comment (# or //); | separates its
 * cells. */
void table_read(struct arena *arena, struct diags *diags, const struct source *source, enum table_style style,
                struct filled_rows *out);
