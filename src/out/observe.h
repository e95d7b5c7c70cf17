/* Prints the outcomes that GPUs showed of a test, each with the judgement of a model. Like out.h, it only adds text. */
#pragma once

#include "chip/judge.h"

/* `program` is the test with its filter; `judged->seen` may be left out. For people, a line for each outcome; as one
 * object on one line; as one line of columns; as herd's block with counts, as litmus7 writes it. */
typedef void out_observation(const struct program *program, const struct judged *judged, struct text *out);
out_observation out_observed, out_observed_json, out_observed_line, out_observed_log;
