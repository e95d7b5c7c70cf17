/* The rows of tables: one for each test, with a column for each model. */
#pragma once

#include "suite/report.h"

/* Writes the row of `report`, which is complete. */
typedef void table_row(const struct report *report, struct text *out);

/* Adds a result to the row that it belongs to; the row before it is written when it starts one. */
void table_add(struct report *report, const struct record *record, table_row *write, struct text *out);
/* Writes the last row, if there is one. */
void table_end(struct report *report, table_row *write, struct text *out);
