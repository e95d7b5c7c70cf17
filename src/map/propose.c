/* Finds the cheapest table without a counterexample.
 *
 * Each row has candidates: an access of some semantics, perhaps with a fence before and after it. Each step takes the
 * cheapest table that satisfies all clauses so far, and searches for counterexamples to it. A counterexample gives a
 * clause: at least one of the rows that it uses must be stronger. To make the clause as strong as possible, each row of
 * the test is strengthened while the model of PTX allows the outcome; a row that reaches its strongest candidate is not
 * in the clause. The final table is the cheapest if PTX is monotonic; its correctness depends only on the last search.
 */

#include "map/judge.h"

enum { CANDIDATES = 64, ROWS = MAP_KINDS * MAP_SEMS };

typedef uint64_t choices; /* a set of candidates of a row */

struct candidates {
  struct map_alternative list[CANDIDATES]; /* in the order of cost, the cheapest first */
  uint64_t costs[CANDIDATES];
  uint32_t count;
  bool bytes; /* the locations are bytes */
};

/* A clause: for some row in it, the chosen candidate is outside the row's set (empty for rows not in the clause). */
struct map_clause {
  choices weak[ROWS];
};

struct map_proposer {
  const struct map_ask *ask;
  struct arena *arena;
  struct map_judge judge;
  struct candidates *rows; /* by kind and order; rows that the table lacks have no candidates */
  choices allowed[ROWS];
  VEC(struct map_clause) clauses;
  uint8_t chosen[ROWS]; /* the cheapest candidates that satisfy all clauses */
};

static uint32_t row_of(uint32_t kind, uint32_t sem) { return kind * MAP_SEMS + sem; }

/* ---- Candidates ---- */

/* Only the order of costs matters: a fence costs more than an access, and fence.sc far more. */
static uint64_t cost_of_instr(const struct map_instr *in, enum scope scope) {
  static const uint64_t fences[MAP_SEMS] = {
      [SEM_ACQUIRE] = 120, [SEM_RELEASE] = 120, [SEM_ACQ_REL] = 160, [SEM_SC] = 640};
  static const uint64_t accesses[MAP_SEMS] = {
      [SEM_WEAK] = 10, [SEM_RELAXED] = 20, [SEM_ACQUIRE] = 80, [SEM_RELEASE] = 80, [SEM_ACQ_REL] = 100};
  static const uint64_t by_scope[SCOPE_SYS + 1] = {
      [SCOPE_NONE] = 1, [SCOPE_CTA] = 1, [SCOPE_CLUSTER] = 2, [SCOPE_GPU] = 4, [SCOPE_SYS] = 6};
  const enum scope own = in->sem == SEM_WEAK ? SCOPE_NONE : in->scope != SCOPE_NONE ? in->scope : scope;
  return (in->kind == DRAFT_FENCE ? fences : accesses)[in->sem] * by_scope[own];
}

/* The sum over block, device and system scope; the lowest bit is 1 if the candidate is not from the table. */
static uint64_t cost_of(const struct map_alternative *a, bool own) {
  static const enum scope scopes[] = {SCOPE_CTA, SCOPE_GPU, SCOPE_SYS};
  uint64_t cost = 0;
  for (uint32_t i = 0; i < a->count; i++)
    for (uint32_t s = 0; s < ARRAY_LEN(scopes); s++) cost += cost_of_instr(&a->instrs[i], scopes[s]);
  return 2 * cost + !own;
}

static void add_candidate(struct candidates *row, const struct map_alternative *a, bool own) {
  const uint64_t cost = cost_of(a, own);
  uint32_t at = row->count;
  for (uint32_t i = 0; i < row->count; i++)
    if (strcmp(row->list[i].text, a->text) == 0) return;
  if (row->count == CANDIDATES) return;
  for (; at && row->costs[at - 1] > cost; at--) row->list[at] = row->list[at - 1], row->costs[at] = row->costs[at - 1];
  row->list[at] = *a;
  row->list[at].bytes = row->bytes;
  row->costs[at] = cost;
  row->count++;
}

static void add_instr(struct arena *arena, struct map_alternative *a, enum draft_kind kind, enum sem sem, bool loops) {
  a->instrs[a->count++] = (struct map_instr){kind, sem, SCOPE_NONE, loops};
  a->text = arena_printf(arena, "%s%s%s%s%s%s", a->text ? a->text : "", a->text ? "; " : "", map_opcode(kind),
                         sem_word(sem), sem == SEM_WEAK ? "" : ".S", loops ? ".cas" : "");
}

static bool is_loop(const struct map_alternative *a) {
  for (uint32_t i = 0; i < a->count; i++)
    if (a->instrs[i].loops) return true;
  return false;
}

/* Adds an access with each semantics, with and without fences around it. */
static void add_accesses(struct arena *arena, struct candidates *row, enum draft_kind kind, bool loops) {
  static const enum sem before[] = {SEM_WEAK, SEM_RELEASE, SEM_SC}, after[] = {SEM_WEAK, SEM_ACQUIRE, SEM_SC};
  const uint32_t sems = map_ptx_sems(kind);
  for (uint32_t b = 0; b < ARRAY_LEN(before); b++)
    for (uint32_t sem = 0; sem < MAP_SEMS; sem++)
      for (uint32_t e = 0; e < ARRAY_LEN(after) && sems >> sem & 1; e++) {
        struct map_alternative a = {0};
        if (before[b] != SEM_WEAK) add_instr(arena, &a, DRAFT_FENCE, before[b], false);
        if (loops) add_instr(arena, &a, DRAFT_READ, SEM_WEAK, false);
        add_instr(arena, &a, kind, (enum sem)sem, loops);
        if (after[e] != SEM_WEAK) add_instr(arena, &a, DRAFT_FENCE, after[e], false);
        add_candidate(row, &a, false);
      }
}

/* Lists the candidates: the table's alternatives, and all others; an update that is a loop in the table stays one. */
static void list_candidates(struct arena *arena, const struct map_row *from, enum draft_kind kind,
                            struct candidates *row) {
  bool loops = true;
  for (uint32_t i = 0; i < from->alternatives.len; i++) {
    add_candidate(row, &from->alternatives.data[i], true);
    loops = loops && is_loop(&from->alternatives.data[i]);
  }
  if (!from->alternatives.len) return;
  if (kind == DRAFT_BARRIER) {
    const struct map_alternative sync = {
        .count = 1, .instrs = {{kind, SEM_WEAK, SCOPE_NONE, false}}, .text = "bar.sync"};
    add_candidate(row, &sync, false);
  }
  if (kind < DRAFT_FENCE) add_accesses(arena, row, kind, loops);
  for (uint32_t sem = 0; sem < MAP_SEMS && kind == DRAFT_FENCE; sem++) {
    struct map_alternative a = {0};
    if (!(map_ptx_sems(kind) >> sem & 1)) continue;
    add_instr(arena, &a, kind, (enum sem)sem, false);
    add_candidate(row, &a, false);
  }
}

static choices all_of(const struct candidates *row) {
  return row->count == CANDIDATES ? ~(choices)0 : ((choices)1 << row->count) - 1;
}

static choices own_of(const struct candidates *row) {
  choices own = 0;
  for (uint32_t i = 0; i < row->count; i++)
    if (!(row->costs[i] & 1)) own |= (choices)1 << i;
  return own;
}

/* The candidates that result from a candidate by removing or weakening instructions. */
static choices within(const struct candidates *row, uint32_t candidate) {
  choices set = 0;
  for (uint32_t i = 0; i < row->count; i++)
    if (map_is_within(&row->list[i], &row->list[candidate])) set |= (choices)1 << i;
  return set;
}

/* ---- The cheapest table that satisfies all clauses ---- */

struct bargain {
  const struct map_proposer *p;
  uint8_t best[ROWS];
  uint64_t cost; /* the cost of the best choice; UINT64_MAX: none yet */
};

static uint8_t first_of(choices set) {
  uint8_t first = 0;
  while (!(set >> first & 1)) first++;
  return first;
}

/* The clause with the fewest rows that the chosen candidates violate. */
static const struct map_clause *violated(const struct map_proposer *p, const uint8_t *chosen) {
  const struct map_clause *found = NULL;
  uint32_t least = ROWS + 1;
  VEC_EACH (c, &p->clauses) {
    uint32_t rows = 0;
    bool holds = false;
    for (uint32_t r = 0; r < ROWS && !holds; r++) {
      rows += c->weak[r] != 0;
      holds = c->weak[r] && !(c->weak[r] >> chosen[r] & 1);
    }
    if (!holds && rows < least) found = c, least = rows;
  }
  return found;
}

static void bargain(struct bargain *b, const choices *allowed) {
  uint8_t chosen[ROWS] = {0};
  uint64_t cost = 0;
  for (uint32_t r = 0; r < ROWS; r++) {
    if (!b->p->rows[r].count) continue;
    if (!allowed[r]) return;
    chosen[r] = first_of(allowed[r]);
    cost += b->p->rows[r].costs[chosen[r]];
  }
  if (cost >= b->cost) return;
  const struct map_clause *c = violated(b->p, chosen);
  if (!c) {
    memcpy(b->best, chosen, sizeof chosen);
    b->cost = cost;
    return;
  }
  choices left[ROWS];
  memcpy(left, allowed, sizeof left);
  for (uint32_t r = 0; r < ROWS; r++) {
    if (!c->weak[r]) continue;
    left[r] = allowed[r] & ~c->weak[r];
    bargain(b, left);
    left[r] = allowed[r] & c->weak[r]; /* the later branches choose_table another row to satisfy the clause */
  }
}

static bool choose_table(struct map_proposer *p) {
  struct bargain b = {.p = p, .cost = UINT64_MAX};
  bargain(&b, p->allowed);
  memcpy(p->chosen, b.best, sizeof p->chosen);
  return b.cost != UINT64_MAX;
}

/* ---- The constraints from a counterexample ---- */

static bool is_broken_by(struct map_proposer *p, const struct draft *d, const uint8_t *chosen) {
  map_choice choice;
  enum verdict verdict;
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      uint32_t row = row_of(d->threads[t].events[i].kind, d->threads[t].events[i].sem);
      choice[t][i] = &p->rows[row].list[chosen[row]];
    }
  return map_broken(&p->judge, d, choice, &verdict) != NULL;
}

/* Strengthens a row as far as the test stays a counterexample; returns the candidates that are then too weak, or none
 * if no candidate helps. */
static choices strengthen(struct map_proposer *p, const struct draft *d, uint32_t row, uint8_t *chosen) {
  const struct candidates *candidates = &p->rows[row];
  for (uint32_t i = candidates->count; i-- > 0;) {
    const uint8_t was = chosen[row];
    if (i == was || !(within(candidates, i) >> was & 1)) continue;
    chosen[row] = (uint8_t)i;
    if (!is_broken_by(p, d, chosen)) chosen[row] = was;
  }
  choices weak = within(candidates, chosen[row]);
  return weak == all_of(candidates) ? 0 : weak;
}

/* Learns a clause by strengthening rows, weakest orders first. False: the test refutes every table. */
static bool learn(struct map_proposer *p, const struct draft *d) {
  struct arena_mark mark = arena_mark(p->arena);
  struct map_clause clause = {{0}};
  uint32_t used[MAP_KINDS] = {0};
  uint8_t chosen[ROWS];
  bool rests = false;
  memcpy(chosen, p->chosen, sizeof chosen);
  map_judge_anew(&p->judge);
  DRAFT_EACH (e, d) used[e->kind] |= 1u << e->sem;
  for (uint32_t sem = 0; sem < MAP_SEMS; sem++)
    for (uint32_t kind = 0; kind < MAP_KINDS; kind++) {
      if (!(used[kind] >> sem & 1)) continue;
      uint32_t row = row_of(kind, sem);
      clause.weak[row] = strengthen(p, d, row, chosen);
      rests = rests || clause.weak[row];
    }
  arena_rewind(p->arena, mark);
  if (rests) VEC_PUSH(p->arena, &p->clauses, clause);
  return rests;
}

/* ---- One search after another ---- */

static void add_row(const struct map_proposer *p, struct map_table *table, uint32_t kind, uint32_t sem, choices set) {
  const struct candidates *row = &p->rows[row_of(kind, sem)];
  for (uint32_t i = 0; i < row->count; i++)
    if (set >> i & 1) VEC_PUSH(p->arena, &table->rows[kind][sem].alternatives, row->list[i]);
}

/* The table of the chosen candidates and, unless `beside` is NULL, further alternatives. */
static struct map_table *table_of(const struct map_proposer *p, const choices *beside) {
  struct map_table *table = ARENA_NEW(p->arena, struct map_table);
  *table = *p->ask->table;
  MAP_EACH_ROW (kind, sem) {
    const uint32_t r = row_of(kind, sem);
    table->rows[kind][sem].alternatives = (struct map_row){0}.alternatives;
    add_row(p, table, kind, sem, (choices)1 << p->chosen[r] | (beside ? beside[r] : 0));
  }
  map_compare_rows(table);
  return table;
}

/* Allows all candidates for operations that occur in some test; others keep the table's. False: none is new. */
static bool let_go(struct map_proposer *p, const uint32_t seen[MAP_KINDS]) {
  bool more = false;
  MAP_EACH_ROW (kind, sem) {
    const uint32_t r = row_of(kind, sem);
    choices all = all_of(&p->rows[r]);
    if (!(seen[kind] >> sem & 1) || p->allowed[r] == all) continue;
    p->allowed[r] = all;
    more = true;
  }
  return more;
}

/* Searches for counterexamples of up to `events` events until a table has none. False: too late, or there is none. */
static bool settle(struct map_proposer *p, uint32_t events, double deadline, struct map_proposal *out) {
  struct map_ask ask = *p->ask;
  struct map_fault *last = NULL;
  bool more = true;
  for (ask.events = events; more && choose_table(p);) {
    const struct map_table *table = table_of(p, NULL);
    struct map_result *found = ARENA_NEW(p->arena, struct map_result);
    map_search(p->arena, &ask, &table, 1, deadline, found);
    out->searches++;
    for (uint32_t kind = 0; kind < MAP_KINDS; kind++) out->seen[kind] |= found->seen[kind];
    more = let_go(p, out->seen) || found->faults.len;
    for (uint32_t i = 0; i < found->faults.len && !out->hopeless; i++) {
      last = &found->faults.data[i];
      if (!learn(p, &last->draft)) out->hopeless = last;
    }
    if (out->hopeless || found->complete < events) return false;
    if (more) continue;
    out->table = table;
    out->result = *found;
  }
  if (more) out->hopeless = last;
  return !more;
}

/* ---- The alternatives of the original table ---- */

/* True if this test, or a known one, refutes the table with this candidate instead of the chosen one. */
static bool is_broken(struct map_proposer *p, uint32_t row, uint32_t candidate, const struct draft *d) {
  const uint8_t was = p->chosen[row];
  p->chosen[row] = (uint8_t)candidate;
  bool broken = d ? is_broken_by(p, d, p->chosen) : violated(p, p->chosen) != NULL;
  p->chosen[row] = was;
  return broken;
}

static choices broken_of(struct map_proposer *p, uint32_t row, choices set, const struct draft *d) {
  choices broken = 0;
  for (uint32_t i = 0; i < p->rows[row].count; i++)
    if (set >> i & 1 && is_broken(p, row, i, d)) broken |= (choices)1 << i;
  return broken;
}

/* Drops the further alternatives to which the test is a counterexample; if only their mix is at fault, drops all that
 * the test uses. */
static void drop_broken(struct map_proposer *p, const struct draft *d, choices *beside) {
  choices broken[ROWS] = {0}, any = 0;
  map_judge_anew(&p->judge);
  DRAFT_EACH (e, d) {
    const uint32_t r = row_of(e->kind, e->sem);
    broken[r] = broken_of(p, r, beside[r], d);
    any |= broken[r];
  }
  DRAFT_EACH (e, d) {
    const uint32_t r = row_of(e->kind, e->sem);
    beside[r] &= any ? ~broken[r] : 0;
  }
}

/* Finds the table's alternatives that are correct in every mix with the chosen candidates; false at the deadline. */
static bool settle_beside(struct map_proposer *p, double deadline, struct map_proposal *out, choices *beside) {
  struct map_result *found;
  do {
    const struct map_table *table = table_of(p, beside);
    found = ARENA_NEW(p->arena, struct map_result);
    map_search(p->arena, p->ask, &table, 1, deadline, found);
    out->searches++;
    for (uint32_t i = 0; i < found->faults.len; i++) drop_broken(p, &found->faults.data[i].draft, beside);
  } while (found->faults.len && found->complete == p->ask->events);
  return found->complete == p->ask->events;
}

/* Adds a remark on each alternative of the table that was used by tests and not chosen. */
static void remark(struct map_proposer *p, double deadline, struct map_proposal *out) {
  choices others[ROWS] = {0}, beside[ROWS] = {0}, any = 0;
  for (uint32_t r = 0; r < ROWS; r++) {
    if (!(out->seen[r / MAP_SEMS] >> r % MAP_SEMS & 1)) continue;
    others[r] = own_of(&p->rows[r]) & ~((choices)1 << p->chosen[r]);
    beside[r] = others[r] & ~broken_of(p, r, others[r], NULL);
    any |= beside[r];
  }
  bool known = !any || settle_beside(p, deadline, out, beside);
  for (uint32_t r = 0; r < ROWS; r++)
    for (uint32_t i = 0; i < p->rows[r].count; i++) {
      const struct candidates *row = &p->rows[r];
      const bool right = beside[r] >> i & 1, dearer = row->costs[i] / 2 > row->costs[p->chosen[r]] / 2;
      const struct map_remark said = {(enum draft_kind)(r / MAP_SEMS), (enum sem)(r % MAP_SEMS), &row->list[i],
                                      !right   ? MAP_BROKEN
                                      : dearer ? MAP_TOO_DEAR
                                               : MAP_AS_CHEAP};
      if (others[r] >> i & 1 && (known || !right)) VEC_PUSH(p->arena, &out->remarks, said);
    }
}

void map_propose(struct arena *arena, const struct map_ask *ask, double deadline, struct map_proposal *out) {
  struct map_proposer p = {.ask = ask, .arena = arena, .rows = ARENA_ARRAY(arena, struct candidates, ROWS)};
  bool found = true;
  *out = (struct map_proposal){0};
  p.judge.ptx = judge_new(arena, ask->ptx, ask->options);
  MAP_EACH_ROW (kind, sem) {
    const uint32_t r = row_of(kind, sem);
    p.rows[r].bytes = ask->table->bytes;
    list_candidates(arena, &ask->table->rows[kind][sem], (enum draft_kind)kind, &p.rows[r]);
    p.allowed[r] = own_of(&p.rows[r]);
  }
  for (uint32_t events = 1; events <= ask->events && found; events++) found = settle(&p, events, deadline, out);
  if (found) remark(&p, deadline, out);
}
