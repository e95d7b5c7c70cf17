/* Prints the outcomes that GPUs showed of a test, each with the judgement of a model. Like out.h, it only adds text. */
#pragma once

#include "chip/judge.h"

enum observed_format {
  OBSERVED_TEXT, /* for people: a line for each outcome */
  OBSERVED_JSON, /* one object on one line */
  OBSERVED_LINE, /* one line of columns */
  OBSERVED_LOG,  /* herd's block with counts, as litmus7 writes it */
};

/* `program` is the test with its filter; `judged->seen` may be left out. */
void out_observed(const struct program *program, const struct judged *judged, enum observed_format format,
                  struct text *out);
