/* Cuts tensor memory where operations begin and end: lanes and columns that no operation separates behave alike (K2),
 * so one piece represents all pieces that the same operations access, by an access to its first cell. Addresses come
 * from shared memory, to which tcgen05.alloc writes them, so threads are walked until a walk finds nothing new. */
#include "exec/async/tensor.h"

enum { ROUND_LIMIT = 8 };

static uint32_t cut(const bool *at, uint32_t count, uint32_t *out) {
  uint32_t found = 0;
  for (uint32_t i = 0; i < count; i++)
    if (at[i] || !i) out[found++] = i;
  out[found] = count;
  return found;
}

static bool has_cell(const struct use *use, uint32_t cta, uint32_t lane, uint32_t column) {
  const struct rectangle *r = &use->cells;
  return use->cta == cta && lane - r->lane < r->lanes && column - r->column < r->columns;
}

static bool is_like(const struct use *a, const struct use *b) {
  return a->run == b->run && a->exec == b->exec && a->waited == b->waited;
}

/* The first use that is like a use. */
static uint32_t first_use(const struct tensor_plan *plan, uint32_t use) {
  uint32_t first = 0;
  while (!is_like(&plan->now.uses.data[first], &plan->now.uses.data[use])) first++;
  return first;
}

/* Finds for each piece of a CTA the first piece that the same operations access. */
static void find_first(struct tensor_plan *plan, uint32_t cta) {
  uint32_t pieces = plan->lane_count * plan->column_count, *first = plan->first + (size_t)cta * pieces, kinds = 0;
  struct bitset *users = ARENA_ARRAY(plan->arena, struct bitset, pieces);
  uint32_t *kind = ARENA_ARRAY(plan->arena, uint32_t, pieces);
  uint32_t *as = ARENA_ARRAY(plan->arena, uint32_t, plan->now.uses.len);
  for (uint32_t u = 0; u < plan->now.uses.len; u++) as[u] = first_use(plan, u);
  for (uint32_t p = 0; p < pieces; p++) {
    uint32_t lane = plan->lane_cuts[p / plan->column_count], column = plan->column_cuts[p % plan->column_count], k = 0;
    users[kinds] = bitset_new(plan->arena, plan->now.uses.len);
    for (uint32_t u = 0; u < plan->now.uses.len; u++)
      if (has_cell(&plan->now.uses.data[u], cta, lane, column)) bitset_add(users[kinds], as[u]);
    while (!(bitset_subset(users[k], users[kinds]) && bitset_subset(users[kinds], users[k]))) k++;
    if (k == kinds) kind[kinds++] = p;
    first[p] = kind[k];
  }
}

static void find_pieces(struct tensor_plan *plan) {
  bool lanes[TENSOR_LANES + 1] = {false}, columns[TENSOR_WIDTH + 1] = {false};
  for (uint32_t u = 0; u < plan->now.uses.len; u++) {
    const struct rectangle *r = &plan->now.uses.data[u].cells;
    lanes[r->lane] = lanes[r->lane + r->lanes] = columns[r->column] = columns[r->column + r->columns] = true;
    if (plan->now.uses.data[u].cta >= plan->ctas) plan->ctas = plan->now.uses.data[u].cta + 1;
  }
  plan->lane_count = cut(lanes, TENSOR_LANES, plan->lane_cuts);
  plan->column_count = cut(columns, TENSOR_WIDTH, plan->column_cuts);
  plan->first = ARENA_ARRAY(plan->arena, uint32_t, (size_t)plan->ctas * plan->lane_count * plan->column_count);
  for (uint32_t cta = 0; cta < plan->ctas; cta++) find_first(plan, cta);
}

struct tensor_plan *skeleton_plan_tensor(struct arena *arena) {
  struct tensor_plan *plan = ARENA_NEW(arena, struct tensor_plan);
  plan->arena = arena;
  find_pieces(plan);
  return plan;
}

static bool same_slot(const struct left_address *a, const struct left_address *b) {
  return a->vaddr == b->vaddr && a->address == b->address && a->many == b->many;
}

static bool same_use(const struct use *a, const struct use *b) {
  return a->cta == b->cta && is_like(a, b) && a->cells.lane == b->cells.lane && a->cells.lanes == b->cells.lanes &&
         a->cells.column == b->cells.column && a->cells.columns == b->cells.columns;
}

static bool same_given(const struct given_columns *a, const struct given_columns *b) {
  return a->warp == b->warp && a->number == b->number && a->begin == b->begin && a->count == b->count;
}

static bool same_found(const struct found *a, const struct found *b) {
  bool same = a->slots.len == b->slots.len && a->uses.len == b->uses.len && a->given.len == b->given.len;
  for (uint32_t i = 0; i < a->slots.len && same; i++) same = same_slot(&a->slots.data[i], &b->slots.data[i]);
  for (uint32_t i = 0; i < a->uses.len && same; i++) same = same_use(&a->uses.data[i], &b->uses.data[i]);
  for (uint32_t i = 0; i < a->given.len && same; i++) same = same_given(&a->given.data[i], &b->given.data[i]);
  return same;
}

bool skeleton_replan_tensor(struct skeleton *s) {
  struct tensor_plan *plan = s->premises.tensor;
  bool again = plan->grew || !same_found(&plan->now, &plan->next), open = plan->open;
  plan->now = plan->next;
  plan->next = (struct found){0};
  plan->open = plan->grew = false;
  plan->expected.len = 0;
  plan->run = plan->loads = 0;
  plan->read = (struct tiles){0};
  if (again) find_pieces(plan);
  if (!s->refusal && again && ++plan->rounds < ROUND_LIMIT) return true;
  plan->rounds = 0;
  return (again || open) &&
         skeleton_refuse(s, reason_get(REASON_TENSOR_ADDRESS), open ? plan->open_at : s->program->span);
}

uint32_t skeleton_tensor_pieces(const struct tensor_plan *plan, uint32_t columns) {
  uint32_t pieces = plan->lane_count * plan->column_count, most = 0;
  for (uint32_t cta = 0; cta < plan->ctas; cta++) {
    uint32_t count = COUNT(for (uint32_t p = 0; p < pieces; p++), plan->first[(size_t)cta * pieces + p] == p);
    if (count > most) most = count;
  }
  if (columns && columns * plan->lane_count < most) most = columns * plan->lane_count;
  return most + (columns ? 1 : (uint32_t)RECTANGLES);
}

static void begin_run(struct tensor_plan *plan) {
  plan->run++;
  plan->loads = plan->next.uses.len;
  plan->read = (struct tiles){0};
  plan->unwaited = 0;
}

bool walk_tensor_turn(struct walk *w) {
  struct tensor_plan *plan = w->s->premises.tensor;
  const struct instr *in = w->instr;
  bool loads = instr_loads_tensor(in), waits = instr_waits_tensor(in);
  bool plain = (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && in->sem == SEM_WEAK;
  if (w->facts) return true;
  for (uint32_t i = plan->loads; i < plan->next.uses.len && waits; i++)
    if (plan->next.uses.data[i].exec == w->base.exec) plan->next.uses.data[i].waited = true;
  bool quiet = in->kind == INSTR_ALU || in->kind == INSTR_NOTHING;
  if (!loads && !waits && !plain && !quiet) begin_run(plan);
  bool again = waits && plan->read.len && plan->read_exec == w->base.exec && !plan->unwaited;
  if (waits && plan->read_exec == w->base.exec) plan->unwaited = 0;
  return !again;
}

bool tensor_unwaited(const struct tensor_plan *plan) {
  uint32_t use = plan->next.uses.len - 1;
  return use < plan->now.uses.len && !plan->now.uses.data[use].waited;
}
