/* Collects sites, and finds their instructions in the text of the test. */
#include "repair/edits.h"

void sites_add_variant(struct arena *arena, struct site *site, struct edit edit) {
  uint32_t at = site->len;
  VEC_PUSH(arena, site, edit);
  for (; at && site->data[at - 1].cost > edit.cost; at--) site->data[at] = site->data[at - 1];
  site->data[at] = edit;
}

void sites_add(struct edit_finder *f, const struct site *site) {
  if (site->len) VEC_PUSH(f->arena, &f->out->list, *site);
}

void edits_add(struct edit_finder *f, struct edit edit) {
  struct site site = {0};
  sites_add_variant(f->arena, &site, edit);
  sites_add(f, &site);
}

bool edits_find(const struct litmus_test *test, const struct program *program, uint32_t t, uint32_t n,
                struct spot *spot) {
  *spot = (struct spot){NULL, NULL};
  if (n == EDIT_AT_START) return true;
  struct span span = program->threads[t].instrs[n].span;
  LIST_EACH (row, test->rows) {
    struct litmus_cell *cell = row->cells;
    for (uint32_t i = 0; cell && i < t; i++) cell = cell->next;
    if (!cell || !cell->instr || cell->instr->span.source != span.source || cell->instr->span.begin != span.begin)
      continue;
    if (program->threads[t].of_kernel && cell->instr != program->threads[t].instrs[n].ast) continue; /* another turn */
    *spot = (struct spot){row, cell};
    return true;
  }
  return false;
}

const struct litmus_instr *edits_written(const struct litmus_test *test, const struct program *program, uint32_t thread,
                                         uint32_t instr) {
  struct spot spot;
  return edits_find(test, program, thread, instr, &spot) && spot.cell ? spot.cell->instr : NULL;
}
