/* The table of an nvlitmus file: each row filled into the test above it. */
#ifndef PTXLIT_NVLITMUS_TABLE_H
#define PTXLIT_NVLITMUS_TABLE_H

#include "diag/diag.h"

struct nv_row {
  const struct source *source; /* the whole test, on the row's own line of a text of the file's name */
  uint32_t number;             /* from 1; 0 when the file has no table */
  uint32_t line;               /* in the file; 0 when it has no table */
  struct diags *diags;         /* what is wrong with it; a row that could not be filled in has no source */
};

struct nv_rows {
  VEC(struct nv_row) list;
};

/* The tests of a file as texts. Without a line `$$` there is one, the file itself. What is wrong with the table as a
 * whole comes to `diags`, in whose arena all lists are. A row is a line that is not empty and no comment (# or //); its
 * cells stand between |. */
void nv_table_read(struct arena *arena, struct diags *diags, const struct source *source, struct nv_rows *out);

#endif
