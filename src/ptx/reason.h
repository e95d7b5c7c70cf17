/* Reasons why a program is undefined or its verdict unknown: the rows of reasons.def.
 *
 * The code that finds a reason refers to its row, and messages take all their text from the row; no code interprets the
 * text. */
#pragma once

#include "base/arena.h"

enum reason_id {
  NO_REASON,
#define UNDEFINED(id, name, text, section, title, meaning, cure, gaps) REASON_##id,
#define OPEN(id, name, text, meaning, cure) REASON_##id,
#define UNKNOWN(id, name, text, meaning, cure) REASON_##id,
#include "ptx/reasons.def"
};

enum reason_kind {
  REASON_UNDEFINED, /* PTX forbids it, or the model promises nothing */
  REASON_OPEN,      /* PTX leaves the result open: the verdict is unknown */
  REASON_UNKNOWN,   /* a limit, or something that is not modelled */
};

struct reason {
  enum reason_id id;
  enum reason_kind kind;
  const char *name;            /* "misaligned": its name in JSON, which never changes */
  const char *text;            /* lower case, no full stop */
  const char *section, *title; /* of PTX ISA 9.4; NULL if not undefined */
  const char *meaning;         /* the broken rule, the open result, or the limit */
  const char *cure;
  unsigned gaps[2]; /* gaps in the document (explain/gaps.def); 0: none */
};

/* The reason of an id, in static storage. */
const struct reason *reason_get(enum reason_id id);

/* The same reason with a longer text; both in the arena. */
const struct reason *reason_with(struct arena *arena, enum reason_id id, const char *text);

struct program;

/* The same, of a limit that about a share of the launch would keep within: names it, "; 8 blocks may do", if a part of
 * one block is not less. Where nothing tells how much less would do, callers say half of it. */
const struct reason *reason_of_size(struct arena *arena, enum reason_id id, const char *text,
                                    const struct program *program, double share);

/* "; 8 blocks may do", a share of so many and at least one; "" if no less would do. In the arena. */
const char *reason_smaller(struct arena *arena, uint32_t blocks, double share);
