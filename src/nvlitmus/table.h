/* The table of an nvlitmus file: each row filled into the test above it. */
#ifndef PTXLIT_NVLITMUS_TABLE_H
#define PTXLIT_NVLITMUS_TABLE_H

#include "diag/diag.h"

struct nv_row {
  const struct source *source; /* the whole test, on the row's own line of a text of the file's name */
  uint32_t number;             /* from 1; 0 when the file has no table */
};

struct nv_rows {
  VEC(struct nv_row) list;
};

/* The tests of a file as texts. Without a line `$$` there is one, the file itself. False when the table is wrong; the
 * rows that are right are in `out` nevertheless. A row is a line that is not empty and no comment (# or //); its cells
 * stand between |. */
bool nv_table_read(struct arena *arena, struct diags *diags, const struct source *source, struct nv_rows *out);

#endif
