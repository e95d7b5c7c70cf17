/* Barriers with a count of threads (docs/semantics.md K5, B2). A barrier counts warps, each as 32 threads. Columns have
 * the count in warps that have columns if every phase takes all warps of the block that name the barrier: that is so if
 * all name one count, and it is the number of these warps. A greater count is never reached. Otherwise different warps
 * may meet in a phase, and each warp that names the barrier needs columns: its own count is then right as it is. */
#include "kernel/columns.h"

/* A barrier that a block names with a count. */
struct counted {
  uint32_t block, warps, id, count; /* warps: a bit for each that names it */
  bool mixed;                       /* several counts, or an unknown one; the barrier itself may be unknown */
};

struct counted_barriers {
  struct launching *launch;
  VEC(struct counted) list;
};

bool counted_operands(const struct remnant *remnant, struct litmus_operand **id, struct litmus_operand **count) {
  const struct litmus_instr *instr = remnant->instr;
  *id = *count = NULL;
  if (!instr || remnant->begin == remnant->end) return false;
  if (strcmp(instr->opcode.text, "bar") != 0 && strcmp(instr->opcode.text, "barrier") != 0) return false;
  bool reduces = litmus_has_word(&instr->qualifiers, ".red");
  struct litmus_operand *first = instr->operands;
  if (reduces && first) first = first->next;
  *id = first;
  *count = first ? first->next : NULL;
  return *count && (!reduces || (*count)->next);
}

/* False: the instruction names no barrier with a count but 0. An unknown number is CTA_BARRIERS, an unknown count 0. */
static bool reads_of(const struct runner *r, const struct remnant *remnant, uint32_t *id, uint32_t *count) {
  struct litmus_operand *of[2];
  if (!counted_operands(remnant, &of[0], &of[1]) || remnant->instr->refused) return false;
  if (!remnant_number(r, remnant, of[0], id)) *id = CTA_BARRIERS;
  if (remnant_number(r, remnant, of[1], count)) return *count != 0;
  *count = 0;
  return true;
}

static bool names(const struct runner *r, const struct remnant *remnant, const struct counted *barrier) {
  uint32_t id, count;
  return reads_of(r, remnant, &id, &count) && (id == CTA_BARRIERS || id == barrier->id);
}

/* Notes a barrier with a count; 0: the count or the barrier is unknown. */
static void note(struct counted_barriers *all, const struct runner *r, uint32_t id, uint32_t count) {
  struct counted *found = NULL;
  VEC_EACH (other, &all->list)
    if (other->block == r->block && other->id == id) found = other;
  if (!found) {
    VEC_PUSH(all->launch->memory.arena, &all->list, ((struct counted){.block = r->block, .id = id, .count = count}));
    found = &VEC_END(&all->list)[-1];
  }
  found->mixed = found->mixed || !count || count != found->count;
  found->warps |= 1u << r->tid / WARP_LANES;
}

static void find(struct counted_barriers *all, const struct kernel_run *run) {
  VEC_VALUES (r, &run->runners)
    EACH_REMNANT (remnant, r) {
      uint32_t id, count;
      if (!reads_of(r, remnant, &id, &count)) continue;
      for (uint32_t i = 0; i < CTA_BARRIERS && id == CTA_BARRIERS; i++) note(all, r, i, 0);
      if (id != CTA_BARRIERS) note(all, r, id, count);
    }
}

static uint32_t count_warps(uint32_t warps) {
  uint32_t count = 0;
  for (; warps; warps &= warps - 1) count++;
  return count;
}

/* True if every phase takes all warps that name the barrier, or none is ever complete. */
static bool is_regular(const struct counted *barrier) {
  return !barrier->mixed && barrier->count >= WARP_LANES * count_warps(barrier->warps);
}

static bool names_any(const struct runner *r, const struct counted *barrier) {
  EACH_REMNANT (remnant, r)
    if (names(r, remnant, barrier)) return true;
  return false;
}

/* True if the threads of a warp that name the barrier have a column of each of their groups. */
static bool is_represented(const struct kernel_run *run, const uint64_t *groups, uint32_t index) {
  const struct runner *r = run->runners.data[index];
  EACH_MATE (other, run_warp_mates(r))
    if (other->column && groups[index + other->number - r->number] == groups[index]) return true;
  return false;
}

void counted_add_columns(struct launching *l) {
  bool added = false;
  VEC_VALUES (run, &l->runs) {
    struct counted_barriers all = {.launch = l};
    if (!run->kernel->grouped) continue;
    const uint64_t *groups = groups_of(l, run);
    find(&all, run);
    VEC_EACH (barrier, &all.list)
      for (uint32_t i = 0; i < run->runners.len && !is_regular(barrier); i++) {
        struct runner *r = run->runners.data[i];
        if (r->block != barrier->block || !names_any(r, barrier) || is_represented(run, groups, i)) continue;
        added = groups_add_column(run, r) || added;
      }
  }
  if (added) groups_update(l);
}

struct new_count {
  struct litmus_operand *operand;
  uint32_t value;
};

/* The count in warps with columns of a regular barrier. */
static uint32_t in_columns(const struct kernel_run *run, const struct counted *barrier) {
  uint32_t warps = 0;
  VEC_VALUES (r, &run->runners)
    if (r->column && r->block == barrier->block && names_any(r, barrier)) warps |= 1u << r->tid / WARP_LANES;
  return count_warps(warps) + (barrier->count > WARP_LANES * count_warps(barrier->warps));
}

static bool all_represented(const struct kernel_run *run, const uint64_t *groups, const struct counted *barrier) {
  for (uint32_t i = 0; i < run->runners.len; i++) {
    const struct runner *r = run->runners.data[i];
    if (r->block == barrier->block && names_any(r, barrier) && !is_represented(run, groups, i)) return false;
  }
  return true;
}

/* The reason why an instruction at the barrier is undefined or unknown; NULL: none. */
static const struct reason *refusal(const struct counted *barrier, const struct litmus_operand *count, bool whole) {
  if (count->kind == LITMUS_NUMBER && count->u.number.value % WARP_LANES) return reason_get(REASON_BARRIER_COUNT);
  return is_regular(barrier) || whole ? NULL : reason_get(REASON_MANY_COLUMNS);
}

static void count_barriers(struct launching *l, const struct kernel_run *run) {
  struct counted_barriers all = {.launch = l};
  VEC(struct new_count) list = {0};
  const uint64_t *groups = groups_of(l, run);
  find(&all, run);
  VEC_EACH (barrier, &all.list) {
    bool regular = is_regular(barrier), whole = all_represented(run, groups, barrier);
    uint32_t value = regular ? in_columns(run, barrier) : 0;
    VEC_VALUES (r, &run->runners)
      EACH_REMNANT (remnant, r) {
        struct litmus_operand *id, *count;
        if (!r->column || r->block != barrier->block || !names(r, remnant, barrier)) continue;
        counted_operands(remnant, &id, &count);
        remnant->instr->refused = refusal(barrier, count, whole);
        if (regular && !remnant->instr->refused) VEC_PUSH(l->memory.arena, &list, ((struct new_count){count, value}));
      }
  }
  VEC_EACH (new, &list) {
    new->operand->kind = LITMUS_NUMBER;
    new->operand->u.number = (struct litmus_number){.value = new->value, .span = new->operand->span};
  }
}

void counted_set(struct launching *l) {
  VEC_VALUES (run, &l->runs)
    if (run->kernel->grouped) count_barriers(l, run);
}
