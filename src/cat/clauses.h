/* The clauses of shipped models that make a program undefined or unsafe, in words (clauses.def). */
#pragma once

#include "base/base.h"

struct cat_clause {
  const char *name, *section, *title, *rule;
  const char *missing; /* the order that is missing between the two instructions */
  const char *cure;
  uint32_t gap; /* the gap of the document that this reading settles (explain/gaps.def); 0: none */
  bool race;    /* of two accesses, whose paths the explanation shows */
};

/* NULL: no shipped model has a clause of this name. */
const struct cat_clause *cat_clause(const char *name);
