/* Searches for counterexamples to tables: compiles each test of C++ by every mix of alternatives. */

#include "generate/generate.h"
#include "map/map.h"

struct map_judged {
  struct draft compiled;
  enum verdict verdict;
};
struct map_judge {
  struct generate_judge ptx;
  VEC(struct map_judged) known; /* results for the current test, under any table */
};

/* A table under test, without the alternatives that were found at fault. */
struct map_side {
  struct map_table *table;
  struct map_result *result;
  struct map_fault fault;
  bool found;
};

struct map_hunt {
  const struct map_ask *ask;
  struct map_table *joint; /* the union of the tables' rows */
  struct map_side *sides;
  uint32_t side_count;
  struct arena *arena;
  struct map_judge judge;
  uint64_t programs, tests;
  double deadline;
  bool late;
};

static enum verdict quick_known(struct map_judge *judge, const struct draft *compiled) {
  for (uint32_t i = 0; i < judge->known.len; i++)
    if (memcmp(&judge->known.data[i].compiled, compiled, sizeof *compiled) == 0) return judge->known.data[i].verdict;
  struct map_judged judged = {*compiled, quick_verdict(judge->ptx.quick, compiled)};
  VEC_PUSH(judge->ptx.arena, &judge->known, judged);
  return judged.verdict;
}

/* The verdict of PTX on a compiled test without a solver, or VERDICT_UNKNOWN. Loops fail at most once (reason:
 * docs/mapping.md). */
static enum verdict quick_compiled(struct map_judge *judge, const struct draft *d, const map_choice choice) {
  enum verdict verdict = VERDICT_FORBIDDEN;
  uint32_t most = map_has_loops(d, choice) ? 1 : 0;
  for (uint32_t failures = 0; failures <= most && verdict == VERDICT_FORBIDDEN; failures++) {
    struct draft compiled;
    bool quick = judge->ptx.quick && map_compile(d, choice, failures, &compiled);
    verdict = quick ? quick_known(judge, &compiled) : VERDICT_UNKNOWN;
  }
  return verdict;
}

static enum verdict verdict_of(struct map_judge *judge, const struct draft *d, const map_choice choice) {
  struct arena *arena = judge->ptx.arena;
  enum verdict verdict = quick_compiled(judge, d, choice);
  struct arena_mark mark = arena_mark(arena);
  if (verdict == VERDICT_UNKNOWN) verdict = judge_text(&judge->ptx, map_compiled(arena, d, choice));
  arena_rewind(arena, mark);
  return verdict;
}

/* An undefined test counts: an access to a byte races with an update of its word, and PTX promises nothing. */
static bool is_promise_broken(enum verdict verdict) {
  return verdict == VERDICT_ALLOWED || verdict == VERDICT_UNDEFINED;
}

/* The compiled test if PTX allows its outcome, or promises nothing for it; else NULL. */
static const char *find_broken(struct map_judge *judge, const struct draft *d, const map_choice choice,
                               enum verdict *verdict) {
  *verdict = verdict_of(judge, d, choice);
  if (!is_promise_broken(*verdict)) return NULL;
  const char *ptx = map_compiled(judge->ptx.arena, d, choice);
  /* the quick judge does not support branches */
  if (map_has_branches(d) || map_has_loops(d, choice)) *verdict = judge_text(&judge->ptx, ptx);
  return is_promise_broken(*verdict) ? ptx : NULL;
}

/* Counts a verdict of PTX on a draft with one choice of alternatives, and returns it. */
static enum verdict counted(struct map_side *side, enum verdict verdict) {
  side->result->compiled++;
  if (verdict == VERDICT_UNKNOWN) side->result->undecided++;
  return verdict;
}

/* ---- The row at fault ---- */

/* A correct compilation of an operation. */
enum map_repair {
  REPAIR_ROW,    /* by the row of the Atomics ABI of CUDA 12.8, which has no known counterexample: docs/mapping.md */
  REPAIR_AROUND, /* the strongest access between fence.sc: if that does not help, nothing does */
  MAP_REPAIRS,
};

static struct map_alternative repaired(const struct map_suspect *suspect, enum map_repair repair) {
  enum draft_kind kind = suspect->kind;
  if (suspect->alternative->bytes) return *suspect->alternative; /* no repair helps */
  bool is_sc = suspect->sem == SEM_SC, around = repair == REPAIR_AROUND;
  enum sem strongest = kind == DRAFT_READ ? SEM_ACQUIRE : kind == DRAFT_WRITE ? SEM_RELEASE : SEM_ACQ_REL;
  struct map_instr fence = {DRAFT_FENCE, SEM_SC, SCOPE_NONE, false};
  struct map_instr access = {kind, is_sc || around ? strongest : suspect->sem, SCOPE_NONE, false};
  if (kind == DRAFT_BARRIER)
    return (struct map_alternative){.count = 1, .instrs = {{DRAFT_BARRIER, SEM_WEAK, SCOPE_NONE, false}}, .text = ""};
  if (kind == DRAFT_FENCE) access = (struct map_instr){kind, around ? SEM_SC : suspect->sem, SCOPE_NONE, false};
  if (kind == DRAFT_FENCE || (!is_sc && !around))
    return (struct map_alternative){.count = 1, .instrs = {access}, .text = ""};
  return (struct map_alternative){.count = around ? 3 : 2, .instrs = {fence, access, fence}, .text = ""};
}

/* The set of alternatives that a counterexample uses. */
struct map_lineup {
  struct map_suspect suspects[DRAFT_THREADS * DRAFT_LENGTH];
  uint32_t count;
};

static void line_up(const struct draft *d, const map_choice choice, struct map_lineup *l) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      bool known = SOME_BELOW(k, l->count, l->suspects[k].alternative == choice[t][i]);
      if (known) continue;
      l->suspects[l->count++] = (struct map_suspect){(enum draft_kind)e->kind, (enum sem)e->sem, choice[t][i]};
    }
}

/* True if the outcome is forbidden once the suspects in `mask` are repaired at every occurrence. */
static bool would_help(struct map_hunt *h, struct map_side *side, const struct draft *d, const map_choice choice,
                       const struct map_lineup *l, uint32_t mask, enum map_repair repair) {
  struct map_alternative better[ARRAY_LEN(l->suspects)];
  map_choice mended;
  memcpy(mended, choice, sizeof mended);
  for (uint32_t k = 0; k < l->count; k++) {
    if (!(mask >> k & 1)) continue;
    better[k] = repaired(&l->suspects[k], repair);
    for (uint32_t t = 0; t < d->thread_count; t++)
      for (uint32_t i = 0; i < d->threads[t].count; i++)
        if (choice[t][i] == l->suspects[k].alternative ||
            (better[k].instrs[0].kind == DRAFT_BARRIER && d->threads[t].events[i].kind == DRAFT_BARRIER))
          mended[t][i] = &better[k]; /* barriers are repaired together */
  }
  return counted(side, verdict_of(&h->judge, d, mended)) == VERDICT_FORBIDDEN;
}

static uint32_t promised(const struct map_suspect *s) { return s->kind == DRAFT_BARRIER ? MAP_SEMS : s->sem; }

static void add_suspect(struct map_hunt *h, struct map_fault *fault, struct map_suspect suspect) {
  struct map_alternative *kept = ARENA_NEW(h->arena, struct map_alternative);
  *kept = *suspect.alternative; /* the row may lose this alternative */
  suspect.alternative = kept;
  if (fault->suspect.alternative && promised(&suspect) > promised(&fault->suspect)) {
    struct map_suspect less = fault->suspect;
    fault->suspect = suspect;
    suspect = less;
  }
  if (fault->suspect.alternative && suspect.alternative != fault->suspect.alternative)
    VEC_PUSH(h->arena, &fault->others, suspect);
  else fault->suspect = suspect;
}

/* Finds the alternatives at fault: each whose repair alone removes the counterexample, else all together. */
static void blame(struct map_hunt *h, struct map_side *side, const struct draft *d, const map_choice choice) {
  struct map_lineup l = {.count = 0};
  struct map_fault *fault = &side->fault;
  line_up(d, choice, &l);
  const uint32_t all = (uint32_t)((1ull << l.count) - 1);
  for (uint32_t way = 0; way < 2 * MAP_REPAIRS && !fault->suspect.alternative; way++) {
    enum map_repair repair = (enum map_repair)(way / 2);
    fault->together = way % 2;
    if (fault->together && !would_help(h, side, d, choice, &l, all, repair)) continue;
    for (uint32_t k = 0; k < l.count; k++) {
      uint32_t mask = fault->together ? all & ~(1u << k) : 1u << k;
      if (would_help(h, side, d, choice, &l, mask, repair) != fault->together) add_suspect(h, fault, l.suspects[k]);
    }
  }
  bool none = !fault->suspect.alternative; /* possible with mixed scopes */
  fault->together = fault->together || none;
  for (uint32_t k = 0; none && k < l.count; k++) add_suspect(h, fault, l.suspects[k]);
}

/* ---- Mixes ---- */

/* False if another alternative of the row is part of this one: then only the other need be tried. */
static bool is_weakest(const struct map_row *row, uint32_t alternative) {
  for (uint32_t i = 0; i < row->alternatives.len; i++) {
    bool below = map_is_within(&row->alternatives.data[i], &row->alternatives.data[alternative]);
    bool above = map_is_within(&row->alternatives.data[alternative], &row->alternatives.data[i]);
    if (i != alternative && below && (!above || i < alternative)) return false;
  }
  return true;
}

static void try_mixes(struct map_hunt *h, struct map_side *side, const struct draft *d, map_choice choice,
                      uint32_t thread, uint32_t event) {
  if (thread == d->thread_count) {
    enum verdict verdict;
    const char *ptx = find_broken(&h->judge, d, choice, &verdict);
    counted(side, verdict);
    if (!ptx) return;
    side->found = true;
    side->fault.undefined = verdict == VERDICT_UNDEFINED;
    blame(h, side, d, choice);
    side->fault.example.after = ptx;
    return;
  }
  if (event == d->threads[thread].count) {
    try_mixes(h, side, d, choice, thread + 1, 0);
    return;
  }
  const struct draft_event *e = &d->threads[thread].events[event];
  const struct map_row *row = &side->table->rows[e->kind][e->sem];
  for (uint32_t i = 0; i < row->alternatives.len && !side->found; i++) {
    if (!is_weakest(row, i)) continue;
    choice[thread][event] = &row->alternatives.data[i];
    try_mixes(h, side, d, choice, thread, event + 1);
  }
}

static void drop_alternative(struct map_table *table, const struct map_fault *fault) {
  struct map_row *row = &table->rows[fault->suspect.kind][fault->suspect.sem];
  VEC_KEEP(a, &row->alternatives, a->text != fault->suspect.alternative->text);
  map_compare_rows(table);
}

/* Copies a table, including its lists of alternatives. */
static struct map_table *copy_table(struct arena *arena, const struct map_table *table) {
  struct map_table *copy = ARENA_NEW(arena, struct map_table);
  *copy = *table;
  MAP_EACH_ROW (kind, sem) {
    struct map_row *row = &copy->rows[kind][sem];
    const struct map_row *from = &table->rows[kind][sem];
    *row = (struct map_row){.span = from->span};
    for (uint32_t i = 0; i < from->alternatives.len; i++)
      VEC_PUSH(arena, &row->alternatives, from->alternatives.data[i]);
  }
  return copy;
}

/* Adds a counterexample to the result. */
static void keep_fault(struct map_hunt *h, struct map_side *side, const struct draft *draft) {
  side->fault.draft = *draft;
  side->fault.events = draft_size(draft);
  side->fault.example.before = map_written(h->arena, draft);
  const struct generate_judge cuda = {h->arena, h->ask->cuda, h->ask->options, NULL};
  if (judge_text(&cuda, side->fault.example.before) != VERDICT_FORBIDDEN)
    BUG("the model of C++ does not forbid:\n%s", side->fault.example.before);
  VEC_PUSH(h->arena, &side->result->faults, side->fault);
  drop_alternative(side->table, &side->fault);
}

/* Stops the current program when an alternative is at fault: dropping it changes the comparison of the orders. */
static bool take_test(void *state, const struct draft *draft) {
  struct map_hunt *h = state;
  struct arena_mark mark = arena_mark(h->arena);
  map_choice choice;
  bool found = false;
  h->tests++;
  h->judge.known.data = NULL; /* the results for another test, whose memory may be gone */
  h->judge.known.len = h->judge.known.cap = 0;
  ARRAY_EACH (side, h->sides, h->side_count) {
    side->found = false;
    side->fault = (struct map_fault){0};
    DRAFT_EACH (e, draft) side->result->seen[e->kind] |= 1u << e->sem;
    try_mixes(h, side, draft, choice, 0, 0);
    if (side->found) keep_fault(h, side, draft);
    found = found || side->found;
  }
  h->late = h->deadline > 0 && base_is_late(h->deadline);
  if (!found) arena_rewind(h->arena, mark);
  return !found && !h->late;
}

/* Joins the tables: the union of their rows; one order is below another if it is below in every table. */
static void join_tables(struct map_hunt *h) {
  MAP_EACH_ROW (kind, sem) {
    h->joint->rows[kind][sem] = (struct map_row){0};
    h->joint->below[kind][sem] = UINT8_MAX;
    for (uint32_t i = 0; i < h->side_count; i++) {
      const struct map_table *table = h->sides[i].table;
      if (table->rows[kind][sem].alternatives.len) h->joint->rows[kind][sem] = table->rows[kind][sem];
      h->joint->below[kind][sem] &= table->below[kind][sem] | (uint8_t)(1u << sem);
    }
  }
}

static uint32_t fault_count(const struct map_hunt *h) {
  return COUNT(for (uint32_t i = 0; i < h->side_count; i++), h->sides[i].result->faults.len);
}

static bool take_program(void *state, const struct draft *draft) {
  struct map_hunt *h = state;
  uint32_t before;
  h->programs++;
  do {
    before = fault_count(h);
    map_weakest(h->arena, h->ask, draft, take_test, h);
    if (fault_count(h) > before) join_tables(h);
  } while (fault_count(h) > before && !h->late);
  if (!h->late && h->deadline > 0) h->late = base_is_late(h->deadline);
  return !h->late;
}

void map_search(struct arena *arena, const struct map_ask *ask, const struct map_table *const *tables, uint32_t count,
                double deadline, struct map_result *results) {
  struct map_ask left = *ask;
  struct map_hunt h = {.ask = &left, .side_count = count, .arena = arena, .deadline = deadline};
  const double start = base_now();
  uint32_t complete = 0;
  left.table = h.joint = ARENA_NEW(arena, struct map_table);
  h.sides = ARENA_ARRAY(arena, struct map_side, count);
  for (uint32_t i = 0; i < count; i++) {
    results[i] = (struct map_result){0};
    h.sides[i] = (struct map_side){.table = copy_table(arena, tables[i]), .result = &results[i]};
  }
  join_tables(&h);
  h.judge.ptx = judge_new(arena, ask->ptx, ask->options);
  for (uint32_t size = 1; size <= ask->events && !h.late; size++) {
    map_programs(&left, size, take_program, &h);
    if (!h.late) complete = size;
  }
  for (uint32_t i = 0; i < count; i++) {
    results[i].complete = complete, results[i].programs = h.programs, results[i].tests = h.tests;
    results[i].seconds = base_now() - start;
  }
}
