/* herd's block of a result (docs/semantics.md T3), from its JSON (T4): the output of check and the entries of a suite's
 * log. A member that the JSON lacks is not printed. In src/base because both the library and the suite print it.
 *
 * Each line was checked against herd's log readers (herdtools7, tools/lexLog_tools.mll):
 * - after the states comes one of Ok, No, Undef or ??, and the rest of that line is skipped, so a reason may follow;
 * - between Witnesses and Condition, lines that start with "Flag " are skipped;
 * - after Observation, lines "Key NAME text" and "Key=text" are skipped: ours are those of add_own_lines. */
#pragma once

#include "base/json.h"

/* The block up to its states; `states`: their number. */
void block_begin(const json_t *result, uint64_t states, struct text *out);
void block_end(const json_t *result, struct text *out);
/* The lines about the certificate of a result that has one. */
void block_certificate(const json_t *result, struct text *out);

/* ", iteration 1 of 3, stage 0 of 2" of an access in loops and rings. */
void block_turn(const json_t *access, struct text *out);
/* A state of the result: "0:r0=0; x=1;". */
void block_state(const json_t *result, const json_t *state, struct text *out);
