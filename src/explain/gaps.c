/* Finds the gaps of the document (gaps.def) that a verdict rests on: those whose other readings change it, alone or
 * together, and those on which the broken rule of an undefined program rests. */

#include "explain/readings.h"
#include "explain/story.h"

static const struct explain_gap rows[] = {
#define GAP(number, section, question, decision) {number, section, question, decision},
#include "explain/gaps.def"
#undef GAP
};

void gaps_add(struct arena *arena, uint32_t number, struct explanation *out) {
  for (uint32_t i = 0; i < out->gaps.len; i++)
    if (out->gaps.data[i].number == number) return;
  for (size_t k = 0; k < ARRAY_LEN(rows); k++)
    if (rows[k].number == number) VEC_PUSH(arena, &out->gaps, rows[k]);
}

static bool comes_first(const struct explain_gap *a, const struct explain_gap *b) { return a->number < b->number; }

void explain_gaps(struct arena *arena, const struct check_options *options, double deadline, struct explanation *out) {
  const struct model *model = out->result->model;
  struct readings readings;
  if (out->kind == EXPLAIN_UNKNOWN) return;
  bool by_reason = out->result->reason && !out->gaps.len; /* a broken clause has its own gaps */
  for (size_t i = 0; by_reason && i < ARRAY_LEN(out->result->reason->gaps); i++)
    gaps_add(arena, out->result->reason->gaps[i], out);
  if (SOME_BELOW(t, out->result->program->thread_count, thread_has_loop(&out->result->program->threads[t]))) {
    out->skips_gaps = model->readings.len && out->kind != EXPLAIN_UNREACHABLE;
    return;
  }
  readings_find(arena, options, deadline, out->result, true, &readings);
  VEC_EACH (decisive, &readings.sets)
    for (uint32_t k = 0; k < model->readings.len && decisive->result.verdict != VERDICT_UNKNOWN; k++) {
      const char *name = model->readings.data[k].name;
      if (decisive->set >> k & 1 && *name == 'G') gaps_add(arena, (uint32_t)atoi(name + 1), out);
    }
  VEC_SORT(&out->gaps, comes_first);
}
