/* What every picture must keep: nodes and boxes that do not cross, labels in their places, lines that fit. */
#ifndef PTXLIT_TESTS_AUDIT_H
#define PTXLIT_TESTS_AUDIT_H

#include "draw/layout.h"
#include "draw/pick.h"
#include "draw/scene.h"

struct audit {
  const char *file;
  struct arena *arena;
  unsigned faults; /* each is printed */
  unsigned pictures, undrawn, covered_labels, meeting_labels;
  unsigned labels, left_out; /* of edges other than po */
};

/* Audits one picture: a visitor of pick_executions, whose context is a struct audit. */
void audit_picture(void *context, const struct pick *pick);

#endif
