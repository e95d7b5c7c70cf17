/* Barriers with a count of threads (docs/semantics.md K5, B2). A barrier counts warps, each as 32 threads. Columns have
 * the count in warps that have columns if every phase takes all warps of the block that name the barrier: that is so if
 * all name one count, and it is the number of these warps. A greater count is never reached. Otherwise different warps
 * may meet in a phase, and each warp that names the barrier needs columns: its own count is then right as it is. */
#include "kernel/columns.h"

/* A barrier of a block that threads name with a count. */
struct counted {
  uint32_t warps, columns; /* a bit for each that names it, that has a column which does */
  uint32_t count;
  bool mixed; /* several counts, or an unknown one; the barrier itself may be unknown */
  bool lacks; /* some warp that names it lacks a column of one of its groups */
};

struct counting {
  const struct kernel_run *run;
  const uint64_t *groups;
  struct counted *barriers; /* by CTA and number */
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

/* The barriers that an instruction may name with a count other than 0: *several: any of its block. NULL: it names none.
 * An unknown count is 0. */
static struct counted *named(const struct counting *c, const struct runner *r, const struct remnant *remnant,
                             uint32_t *several, uint32_t *count) {
  struct litmus_operand *of[2];
  uint32_t id = 0;
  if (!counted_operands(remnant, &of[0], &of[1]) || remnant->instr->refused) return NULL;
  *several = remnant_number(r, remnant, of[0], &id) ? 1 : CTA_BARRIERS;
  const bool known = remnant_number(r, remnant, of[1], count);
  if ((known && !*count) || id >= CTA_BARRIERS) return NULL;
  if (!known) *count = 0;
  return &c->barriers[(r->cta - c->run->first_cta) * CTA_BARRIERS + id];
}

/* True if the threads of a thread's group in its warp have a column. */
static bool is_represented(const struct counting *c, const struct runner *r) {
  const uint32_t first = c->run->runners.data[0]->number;
  return SOME(EACH_MATE (other, run_warp_mates(r)),
              other->column && c->groups[other->number - first] == c->groups[r->number - first]);
}

static void note(const struct counting *c, const struct runner *r, struct counted *barrier, uint32_t count) {
  const uint32_t warp = 1u << r->tid / WARP_LANES;
  barrier->mixed = barrier->mixed || !count || (barrier->warps && count != barrier->count);
  barrier->count = count;
  barrier->warps |= warp;
  if (r->column) barrier->columns |= warp;
  barrier->lacks = barrier->lacks || !is_represented(c, r);
}

static struct counting find(struct launching *l, const struct kernel_run *run) {
  struct counting c = {.run = run, .groups = groups_of(l, run)};
  c.barriers = ARENA_ARRAY(l->memory.arena, struct counted, run->cta_count * CTA_BARRIERS);
  VEC_VALUES (r, &run->runners)
    EACH_REMNANT (remnant, r) {
      uint32_t several, count;
      struct counted *first = named(&c, r, remnant, &several, &count);
      for (uint32_t i = 0; first && i < several; i++) note(&c, r, &first[i], several > 1 ? 0 : count);
    }
  return c;
}

static uint32_t count_warps(uint32_t warps) { return (uint32_t)__builtin_popcount(warps); }

/* True if every phase takes all warps that name the barrier, or none is ever complete. */
static bool is_regular(const struct counted *barrier) {
  return !barrier->mixed && barrier->count >= WARP_LANES * count_warps(barrier->warps);
}

static bool names_irregular(const struct counting *c, const struct runner *r) {
  EACH_REMNANT (remnant, r) {
    uint32_t several, count;
    const struct counted *first = named(c, r, remnant, &several, &count);
    for (uint32_t i = 0; first && i < several; i++)
      if (!is_regular(&first[i])) return true;
  }
  return false;
}

void counted_add_columns(struct launching *l) {
  bool added = false;
  VEC_VALUES (run, &l->runs) {
    if (!run->kernel->grouped) continue;
    const struct counting c = find(l, run);
    VEC_VALUES (r, &run->runners)
      if (names_irregular(&c, r) && !is_represented(&c, r)) added = groups_add_column(run, r) || added;
  }
  if (added) groups_update(l);
}

/* The reason why an instruction at the barrier is undefined or unknown; NULL: none. */
static const struct reason *refusal(const struct counted *barrier, const struct litmus_operand *count) {
  if (count->kind == LITMUS_NUMBER && count->u.number.value % WARP_LANES) return reason_get(REASON_BARRIER_COUNT);
  return is_regular(barrier) || !barrier->lacks ? NULL : reason_get(REASON_MANY_COLUMNS);
}

/* The count of a regular barrier is that in warps with columns. */
static void set(const struct counting *c, const struct runner *r, const struct remnant *remnant) {
  struct litmus_operand *id, *operand;
  uint32_t several, count;
  const struct counted *first = named(c, r, remnant, &several, &count);
  if (!first) return;
  counted_operands(remnant, &id, &operand);
  for (uint32_t i = 0; i < several && !remnant->instr->refused; i++)
    remnant->instr->refused = refusal(&first[i], operand);
  if (!is_regular(first) || remnant->instr->refused) return;
  count = count_warps(first->columns) + (first->count > WARP_LANES * count_warps(first->warps));
  operand->kind = LITMUS_NUMBER;
  operand->u.number = (struct litmus_number){.value = count, .span = operand->span};
}

void counted_set(struct launching *l) {
  VEC_VALUES (run, &l->runs) {
    if (!run->kernel->grouped) continue;
    const struct counting c = find(l, run);
    VEC_VALUES (r, &run->runners)
      EACH_REMNANT (remnant, r)
        if (r->column) set(&c, r, remnant);
  }
}
