/* The result of a question about a kernel as compilers print their messages, from its JSON (docs/json.md): the verdict,
 * the findings with their places in the source, the known cures, and the assumptions. In src/base because both the
 * library and the suite print findings. */
#pragma once

#include "base/json.h"

struct told_style {
  bool colour;  /* ANSI colours */
  bool verbose; /* every finding in full, with the places and instructions of PTX */
};

/* Every text of the JSON is made harmless for a terminal (text_visible). */
void told_launch(const json_t *result, struct told_style style, struct text *out);

/* A finding on one line, without its place: "race: read of x by thread 0 of block 0, with gemm.cu:17 (4 pairs); put
 * ...". */
void told_finding(const json_t *finding, struct text *out);

/* The place of the finding that its line begins with: an object with file, line, column and quote, as far as they are
 * known; NULL: none. `*access`: the same access in the finding. */
const json_t *told_place(const json_t *finding, const json_t **access);

/* The lines about the certificate of a result that has one. */
void told_certificate(const json_t *result, struct text *out);

/* A state of the result: "0:r0=0; x=1;". */
void told_state(const json_t *result, const json_t *state, struct text *out);
