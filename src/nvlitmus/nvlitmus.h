/* Reads the tests of NVlabs' nvlitmus: `.test` files, in which a table may follow the test (docs/semantics.md T2).
 *
 *   .global x;                          d0.b0.t0 {                assert (r0 == 1) as seen;
 *   .global y physically aliases x;       st.weak [x], 1;         permit (r0 != 1) as missed;
 *   .surfref s virtually aliases x;       ld r0, [y] == 1;        $$
 *                                       }                         st [x] | ld
 *
 * Every command is a test, and so is every command of every row of the table, in which $0, $1 ... are replaced by the
 * row's columns. The tests are named FILE.COMMAND and FILE.ROW.COMMAND, rows counted from 1; FILE is the file's name
 * without directory and ending. Messages show the text of a row's test in full, at the row's own line.
 *
 * Meaning:
 *   - `dD.bB.tT` is a thread of CTA B of GPU D. A virtual alias has the address of its location and is
 *     its name in another proxy; a physical alias has its own address.
 *   - `== v` after a load assumes that it returned v, for every command: a filter.
 *   - All registers share one name space: one instruction of one thread writes each, and conditions need no thread. A
 *     register that is written twice, or read before it is written, is an error.
 *   - permit and check state that P is reachable: exists P. assert states it of every outcome: forall P. Each
 *     also sets the expectation `holds` under ptx and ptx-7.5, the models that the format was made for.
 *   - Values are not reduced modulo 64, and a strong access without a scope is an error.
 */
#pragma once

#include "litmus/litmus.h"
#include "litmus/table.h"

struct nvlitmus_tests {
  VEC(struct litmus_test *) list; /* the tests of the commands that could be read */
};

/* True if a source is in this format: by the ending .test of its name, or because it starts with a declaration. */
bool nvlitmus_is(const struct source *source);

/* Reads the tests of a row (table_read) into the arena. Errors of the row or some of its commands go to `diags`. Its
 * source must outlive the result. */
void nvlitmus_parse(struct arena *arena, struct intern *names, struct diags *diags, const struct filled_row *row,
                    struct nvlitmus_tests *out);
