/* Changes of a test: strengthen or weaken one access or fence, add, move or drop one fence. Private to src/explain.
 *
 * A site is a place that can be changed: an instruction, or a gap between two. Its variants are the changes possible
 * there, from the slightest to the strongest (for weakening: from the weakest result to the slightest change); at most
 * one variant of a site is applied.
 */
#ifndef PTXLIT_EDITS_H
#define PTXLIT_EDITS_H

#include "base/intern.h"
#include "litmus/litmus.h"
#include "ptx/program.h"

enum edit_kind {
  EDIT_STRENGTH, /* other semantics or scope: sem, scope */
  EDIT_ADD,      /* a fence after the instruction: sem and scope, or proxy */
  EDIT_MOVE,     /* a fence to after another instruction */
  EDIT_DROP,
};

struct edit {
  enum edit_kind kind;
  uint32_t thread, instr; /* the instruction changed, moved or dropped; EDIT_ADD: the one before the gap */
  uint32_t target;        /* EDIT_MOVE: to after this instruction */
  enum sem sem;
  enum scope scope;
  bool late; /* EDIT_ADD: behind what else is added in the same gap; means nothing alone */
  bool is_proxy;
  enum proxy proxy;
  unsigned cost; /* how much stronger it makes the test, for ranking */
};

struct site {
  VEC(struct edit) variants;
};

struct sites {
  VEC(struct site) list;
};

/* Where a test can be strengthened, or weakened. */
void edits_stronger(struct arena *arena, const struct program *program, struct sites *out);
void edits_weaker(struct arena *arena, const struct program *program, struct sites *out);

/* The test with these edits, which are of different sites. */
const struct litmus_test *edits_apply(struct arena *arena, struct intern *names, const struct litmus_test *test,
                                      const struct program *program, const struct edit *edits, uint32_t count);

/* The instruction as it reads after the edit: "st.release.gpu flag, 1"; for EDIT_ADD and EDIT_MOVE the fence. */
const char *edits_text(struct arena *arena, const struct litmus_test *test, const struct program *program,
                       const struct edit *edit);

#endif
