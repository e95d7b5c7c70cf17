/* A table below a test: each row filled into the text above it, in which $0, $1 ... are replaced by its columns. */
#pragma once

#include "diag/diag.h"

struct filled_row {
  const struct source *source; /* the whole test; places in it are told as the row's line, in the text written out */
  uint32_t number;             /* from 1; 0 when the file has no table */
  uint32_t line;               /* in the file; 0 when it has no table */
  bool named;                  /* the first line has a placeholder: the test's name tells the rows apart */
  struct diags *diags;         /* its errors; a row that could not be filled in has no source */
};

struct filled_rows {
  VEC(struct filled_row) list;
};

/* How a format is written: .test is joined to a single line, without comments (//), and every $ stands before a number;
 * .litmus keeps its lines, and a $ before no number is part of a name. */
enum table_style { TABLE_OF_TEST, TABLE_OF_LITMUS };

/* True if a line `$$` begins a table. */
bool table_is_in(const struct source *source);

/* The tests of a file as texts. Without a line `$$` there is one, the file itself. What is wrong with the table as a
 * whole comes to `diags`, in whose arena all lists are. A row is a line that is not empty and no comment (# or //); its
 * cells stand between |. */
void table_read(struct arena *arena, struct diags *diags, const struct source *source, enum table_style style,
                struct filled_rows *out);
