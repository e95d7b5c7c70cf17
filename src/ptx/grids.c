#include "ptx/lowering.h"

/* Grids: `grid 1 after grid 0;` launches 1 with programmatic dependence on 0, `grid 1 follows grid 0;` after all of 0
 * (8.9.4, 9.7.15.14; docs/async.md GR1-GR4). */

static bool is_placed(const struct lowering *l, uint32_t grid) {
  return SOME_BELOW(t, l->program->thread_count, l->program->threads[t].grid == grid);
}

static bool wrong(struct lowering *l, struct span span, const char *what) {
  return diag_refuse(
      l->diags, DIAG_WRONG_DECLARATION, span,
      "%s" HINT "for example: grid 1 after grid 0; or grid 1 follows grid 0; threads must be placed in both", what);
}

static bool add_launch(struct lowering *l, const struct litmus_launch *launch, struct span span) {
  bool after = strcmp(launch->how.text, "after") == 0, follows = strcmp(launch->how.text, "follows") == 0;
  if (launch->wrong || (!after && !follows)) return wrong(l, span, "invalid declaration of a grid");
  if (!is_placed(l, launch->grid) || !is_placed(l, launch->other)) return wrong(l, span, "no thread is in that grid");
  if (launch->grid <= launch->other) return wrong(l, span, "a grid comes after one of a lower number");
  for (uint32_t i = 0; i < l->program->launch_count; i++)
    if (l->program->launches[i].grid == launch->grid && l->program->launches[i].other == launch->other)
      return wrong(l, span, "this is said of the two grids already");
  l->program->launches[l->program->launch_count++] = (struct launch){launch->grid, launch->other, follows};
  return true;
}

bool lower_launches(struct lowering *l) {
  bool right = true;
  uint32_t count = COUNT(LIST_EACH (entry, l->test->entries), entry->launch != NULL);
  l->program->launches = ARENA_ARRAY(l->arena, struct launch, count);
  LIST_EACH (entry, l->test->entries)
    if (entry->launch && !add_launch(l, entry->launch, entry->span)) right = false;
  return right;
}

bool lower_grid_control(struct lowering *l, struct lower_instr *in) {
  in->out->kind = (enum instr_kind)VALUE(in, GRID);
  return lower_operand_count(l, in, 0, 0);
}
