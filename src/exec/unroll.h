/* Unrolled control flow: a thread's instructions as a sequence of steps in which every jump goes forward.
 *
 * Each loop's body is repeated `copies` times, so a back edge goes to the next copy, and from
 * the last copy to the bound. Programs without backward branches stay unchanged. */
#pragma once

#include "flow/flow.h"
#include "ptx/program.h"

enum { STEP_END = UINT32_MAX, STEP_BOUND = UINT32_MAX - 1, NO_LOOP = UINT32_MAX };

/* More steps than this beyond the thread's own instructions are refused. */
enum { UNROLL_MAX_STEPS = 200000 };

struct step {
  uint32_t instr;
  uint32_t next;   /* the step that follows without a jump; the number of steps at the end of the thread */
  uint32_t target; /* of a branch: the step, STEP_END or STEP_BOUND */
  bool back;       /* a branch to an earlier instruction */
  uint32_t again;  /* back: the step of the target instruction in the same copy, an earlier step */
  bool entered;    /* back: a path that reaches this branch has passed `again` in the same copy; not known in an
                      irregular loop */
  bool is_again;   /* this step is `again` of some branch */
  uint32_t loop;   /* the innermost loop of the step, or NO_LOOP */
  uint32_t copy;   /* of that loop, from 0 */
};

struct unrolled {
  VEC(struct step) steps;
  struct loop_list loops; /* of the instructions */
  bool too_large;
};

/* `copies`: the number of copies of each loop, by its last instruction. */
void unroll(struct arena *arena, const struct thread *thread, const uint32_t *copies, struct unrolled *out);
