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

/* ---- registers that nothing is left to write */

/* `0:%r1=0`, before the entries that there are. */
static struct litmus_entry *zero_entry(struct arena *arena, const struct thread *t, uint32_t reg,
                                       struct litmus_entry *next) {
  struct litmus_entry *entry = ARENA_NEW(arena, struct litmus_entry);
  entry->ref = (struct litmus_ref){
      .owner = LITMUS_OWNER_THREAD, .thread = t->number, .percent = true, .name = t->regs[reg].name};
  entry->values = ARENA_NEW(arena, struct litmus_value);
  entry->next = next;
  return entry;
}

/* Registers that guard or address what is left, when no instruction above that some way gets to writes them, are 0, and
 * a test has to say so. */
static struct litmus_entry *add_unwritten(struct arena *arena, struct litmus_entry *entries, const struct skeleton *s,
                                          const struct program *program, uint32_t thread) {
  const struct thread *t = &program->threads[thread];
  bool *given = ARENA_ARRAY(arena, bool, t->reg_count);
  for (uint32_t r = 0; r < t->reg_count; r++) given[r] = t->regs[r].has_init || t->regs[r].hidden;
  for (uint32_t i = 0; i < t->instr_count; i++) {
    const struct instr *in = &t->instrs[i];
    const uint32_t regs[] = {in->guard.present ? in->guard.reg : NO_REG,
                             in->addr.base.kind == OPERAND_REG ? in->addr.base.reg : NO_REG};
    if (!s->reached[thread][i]) continue;
    for (size_t k = 0; k < ARRAY_LEN(regs); k++) {
      if (regs[k] == NO_REG || given[regs[k]]) continue;
      given[regs[k]] = true;
      entries = zero_entry(arena, t, regs[k], entries);
    }
    for (uint32_t k = 0; k < instr_result_count(in); k++)
      if (instr_result(in, k) != NO_REG) given[instr_result(in, k)] = true;
  }
  return entries;
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
  for (uint32_t t = program->thread_count; t-- > 0;)
    copy->entries = add_unwritten(arena, copy->entries, s, program, t);
  for (const struct litmus_row *row = test->rows; row; row = row->next) {
    struct litmus_row *kept = slice_row(arena, row, s, program, f, at);
    if (!kept) continue;
    *end = kept;
    end = &kept->next;
    copy->row_count++;
  }
  return copy;
}
