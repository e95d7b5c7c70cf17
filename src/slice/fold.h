/* Values in the place of registers that hold one whatever happens. Private to src/slice. */
#ifndef PTXLIT_SLICE_FOLD_H
#define PTXLIT_SLICE_FOLD_H

#include "exec/skeleton.h"
#include "litmus/ast.h"

struct folding;

/* From a skeleton that keeps what registers are given. */
struct folding *fold_find(struct arena *arena, const struct litmus_test *test, const struct program *program,
                          const struct skeleton *skeleton);

/* An instruction of the text, which instructions begin to end of the program are: whether nothing needs it any more,
 * and what it is with values in place of registers. */
bool fold_drops(const struct folding *folding, uint32_t thread, const struct litmus_instr *ast, uint32_t begin,
                uint32_t end);
struct litmus_instr *fold_instr(const struct folding *folding, uint32_t thread, const struct litmus_instr *ast,
                                uint32_t begin, uint32_t end);

#endif
