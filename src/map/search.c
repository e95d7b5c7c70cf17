/* Tests of C++ one after another, each compiled by every mix of alternatives. */
#include <string.h>

#include "base/intern.h"
#include "generate/generate.h"
#include "litmus/litmus.h"
#include "map/map.h"
#include "ptx/lower.h"

struct map_hunt {
  const struct map_ask *ask;
  struct map_table *table; /* of the ask, without what was found to be at fault */
  struct map_result *result;
  struct arena *arena;
  struct generate_judge judge; /* of PTX */
  struct map_fault fault;
  bool found;
  double deadline;
  bool late;
};

static enum verdict verdict_of(struct map_hunt *h, const char *text, const struct model *model) {
  struct arena_mark mark = arena_mark(h->arena);
  struct source source = source_from_text("test", text, strlen(text));
  struct intern names;
  struct diags diags;
  intern_init(&names, h->arena);
  diags_init(&diags, h->arena);
  const struct litmus_test *test = litmus_parse(h->arena, &names, &diags, &source);
  const struct lower_options lowering = {0};
  const struct program *program = test ? lower(h->arena, &names, &diags, test, &lowering) : NULL;
  if (!program) BUG("a draft is no test:\n%s", text);
  struct check_options quick = *h->ask->options;
  struct result result = {0};
  quick.verdict_only = true;
  quick.races = false;
  check(h->arena, program, model, &quick, &result);
  arena_rewind(h->arena, mark);
  return result.verdict;
}

/* What PTX says of a draft compiled in a way. */
static enum verdict compiled_verdict(struct map_hunt *h, const struct draft *d, const map_choice choice) {
  struct arena_mark mark = arena_mark(h->arena);
  struct draft compiled;
  bool quick = h->judge.quick && map_compile(d, choice, &compiled);
  enum verdict verdict = quick ? quick_verdict(h->judge.quick, &compiled) : VERDICT_UNKNOWN;
  if (verdict == VERDICT_UNKNOWN) verdict = verdict_of(h, map_compiled(h->arena, d, choice), h->ask->ptx);
  arena_rewind(h->arena, mark);
  h->result->compiled++;
  if (verdict == VERDICT_UNKNOWN) h->result->undecided++;
  return verdict;
}

/* ---- What is at fault ---- */

/* Fences of seq_cst around the strongest access: if that does not help, nothing does. */
static struct map_alternative strongest(enum draft_kind kind) {
  enum sem sem = kind == DRAFT_READ ? SEM_ACQUIRE : kind == DRAFT_WRITE ? SEM_RELEASE : SEM_ACQ_REL;
  struct map_alternative a = {.count = kind == DRAFT_FENCE ? 1 : 3, .text = ""};
  a.instrs[0] = a.instrs[2] = (struct map_instr){DRAFT_FENCE, SEM_SC};
  if (kind != DRAFT_FENCE) a.instrs[1] = (struct map_instr){kind, sem};
  return a;
}

/* The operation whose alternative being the strongest forbids the outcome; of several the one of the highest order, for
 * it promised most. */
static void blame(struct map_hunt *h, const struct draft *d, map_choice choice) {
  bool any = false;
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      struct map_alternative best = strongest((enum draft_kind)e->kind);
      const struct map_alternative *was = choice[t][i];
      choice[t][i] = &best;
      bool helps = compiled_verdict(h, d, choice) == VERDICT_FORBIDDEN;
      choice[t][i] = was;
      bool higher = !any || e->sem > h->fault.sem;
      if ((!helps || !higher) && (any || h->fault.alternative)) continue;
      h->fault.kind = (enum draft_kind)e->kind;
      h->fault.sem = (enum sem)e->sem;
      h->fault.alternative = was;
      any = any || helps;
    }
}

/* ---- Mixes ---- */

/* Another alternative of the row is what remains of this one when something is left out: that is enough to look at. */
static bool is_weakest(const struct map_row *row, uint32_t alternative) {
  for (uint32_t i = 0; i < row->alternatives.len; i++) {
    bool below = map_is_within(&row->alternatives.data[i], &row->alternatives.data[alternative]);
    bool above = map_is_within(&row->alternatives.data[alternative], &row->alternatives.data[i]);
    if (i != alternative && below && (!above || i < alternative)) return false;
  }
  return true;
}

static void try_mixes(struct map_hunt *h, const struct draft *d, map_choice choice, uint32_t thread, uint32_t event) {
  if (thread == d->thread_count) {
    if (compiled_verdict(h, d, choice) != VERDICT_ALLOWED) return;
    h->found = true;
    blame(h, d, choice);
    h->fault.ptx = map_compiled(h->arena, d, choice);
    return;
  }
  if (event == d->threads[thread].count) {
    try_mixes(h, d, choice, thread + 1, 0);
    return;
  }
  const struct draft_event *e = &d->threads[thread].events[event];
  const struct map_row *row = &h->table->rows[e->kind][e->sem];
  for (uint32_t i = 0; i < row->alternatives.len && !h->found; i++) {
    if (!is_weakest(row, i)) continue;
    choice[thread][event] = &row->alternatives.data[i];
    try_mixes(h, d, choice, thread, event + 1);
  }
}

static bool take_test(void *state, const struct draft *draft) {
  struct map_hunt *h = state;
  struct arena_mark mark = arena_mark(h->arena);
  map_choice choice;
  h->result->tests++;
  h->fault = (struct map_fault){0};
  try_mixes(h, draft, choice, 0, 0);
  h->late = h->deadline > 0 && base_is_late(h->deadline);
  if (!h->found) {
    arena_rewind(h->arena, mark);
    return !h->late;
  }
  h->fault.events = draft_size(draft);
  h->fault.name = draft_name(h->arena, draft);
  h->fault.cuda = map_written(h->arena, draft);
  if (verdict_of(h, h->fault.cuda, h->ask->cuda) != VERDICT_FORBIDDEN)
    BUG("the model of C++ does not forbid:\n%s", h->fault.cuda);
  return false;
}

static void leave_out(struct map_table *table, const struct map_fault *fault) {
  struct map_row *row = &table->rows[fault->kind][fault->sem];
  uint32_t kept = 0;
  for (uint32_t i = 0; i < row->alternatives.len; i++)
    if (row->alternatives.data[i].text != fault->alternative->text)
      row->alternatives.data[kept++] = row->alternatives.data[i];
  row->alternatives.len = kept;
  map_compare_rows(table);
}

/* The rows of a table with alternatives of their own. */
static struct map_table *copy_table(struct arena *arena, const struct map_table *table) {
  struct map_table *copy = ARENA_NEW(arena, struct map_table);
  *copy = *table;
  for (uint32_t kind = 0; kind < MAP_KINDS; kind++)
    for (uint32_t sem = 0; sem < MAP_SEMS; sem++) {
      struct map_row *row = &copy->rows[kind][sem];
      const struct map_row *from = &table->rows[kind][sem];
      *row = (struct map_row){.span = from->span};
      for (uint32_t i = 0; i < from->alternatives.len; i++)
        VEC_PUSH(arena, &row->alternatives, from->alternatives.data[i]);
    }
  return copy;
}

static bool take_program(void *state, const struct draft *draft) {
  struct map_hunt *h = state;
  h->result->programs++;
  do {
    h->found = false;
    map_weakest(h->arena, h->ask, draft, take_test, h);
    if (!h->found) break;
    struct map_alternative *kept = ARENA_NEW(h->arena, struct map_alternative);
    *kept = *h->fault.alternative;
    h->fault.alternative = kept;
    VEC_PUSH(h->arena, &h->result->faults, h->fault);
    leave_out(h->table, &h->fault);
  } while (!h->late);
  if (!h->late && h->deadline > 0) h->late = base_is_late(h->deadline);
  return !h->late;
}

void map_search(struct arena *arena, const struct map_ask *ask, double deadline, struct map_result *result) {
  struct map_ask left = *ask;
  struct map_hunt h = {.ask = &left, .result = result, .arena = arena, .deadline = deadline};
  const double start = base_now();
  *result = (struct map_result){0};
  left.table = h.table = copy_table(arena, ask->table);
  h.judge = judge_new(arena, ask->ptx, ask->options);
  for (uint32_t size = 1; size <= ask->events && !h.late; size++) {
    map_programs(&left, size, take_program, &h);
    if (!h.late) result->complete = size;
  }
  result->seconds = base_now() - start;
}
