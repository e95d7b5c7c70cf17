#include "slice/slice.h"

#include "slice/fold.h"

/* Whether the instruction of the text is still there in the program of this thread, and some way gets to it. */
static bool is_left(const struct skeleton *s, const struct program *program, uint32_t thread,
                    const struct litmus_instr *ast, uint32_t *at) {
  const struct thread *t = &program->threads[thread];
  bool left = false;
  for (; *at < t->instr_count && t->instrs[*at].ast == ast; ++*at)
    left = left || (t->instrs[*at].kind != INSTR_NOTHING && s->reached[thread][*at]);
  return left;
}

static struct litmus_row *slice_row(struct arena *arena, const struct litmus_row *row, const struct skeleton *s,
                                    const struct program *program, const struct folding *f, uint32_t *at) {
  struct litmus_row *copy = ARENA_NEW(arena, struct litmus_row);
  struct litmus_cell **end = &copy->cells;
  uint32_t thread = 0;
  bool any = false;
  *copy = *row;
  copy->cells = NULL;
  copy->next = NULL;
  for (const struct litmus_cell *cell = row->cells; cell; cell = cell->next, thread++) {
    struct litmus_cell *kept = ARENA_NEW(arena, struct litmus_cell);
    *kept = *cell;
    kept->next = NULL;
    uint32_t begin = at[thread];
    bool left = cell->instr && is_left(s, program, thread, cell->instr, &at[thread]);
    if (left && !fold_drops(f, thread, cell->instr, begin, at[thread]))
      kept->instr = fold_instr(f, thread, cell->instr, begin, at[thread]);
    else kept->instr = NULL;
    any = any || kept->instr || kept->labels;
    *end = kept;
    end = &kept->next;
  }
  return any ? copy : NULL;
}

const struct litmus_test *slice_test(struct arena *arena, const struct litmus_test *test,
                                     const struct program *program) {
  const struct skeleton *s = skeleton_build(arena, program, &(struct skeleton_options){.keep_values = true});
  struct litmus_test *copy = ARENA_NEW(arena, struct litmus_test);
  struct litmus_row **end = &copy->rows;
  uint32_t *at = ARENA_ARRAY(arena, uint32_t, program->thread_count);
  if (s->refusal) return test;
  const struct folding *f = fold_find(arena, test, program, s);
  *copy = *test;
  copy->rows = NULL;
  copy->row_count = 0;
  for (const struct litmus_row *row = test->rows; row; row = row->next) {
    struct litmus_row *kept = slice_row(arena, row, s, program, f, at);
    if (!kept) continue;
    *end = kept;
    end = &kept->next;
    copy->row_count++;
  }
  return copy;
}
