/* Prints the outcomes of a test on GPUs, each with the judgement of a model. Pure, as in out.h. */
#pragma once

#include "chip/judge.h"

/* `program` is the test with its filter; the test may have been left out (`judged->seen`). The formats: lines for
 * humans, one per outcome; one JSON object on one line; one line of columns; herd's block with counts, as litmus7
 * writes it. */
typedef void out_observation(const struct program *program, const struct judged *judged, struct text *out);
out_observation out_observed, out_observed_json, out_observed_line, out_observed_log;
