/* Leaves out CTAs that only take a lock and release it, if another one of their kind stays that does only that (docs/
 * semantics.md K16). All accesses to the lock are strong, and a thread writes there only as `struct locker` says. So,
 * by induction over coherence, no other thread takes it before it is released, nor does one write there but by a failed
 * try. Without such a CTA an execution is one still: who took the lock after it reads what it read itself, with tickets
 * that are one less. Failed tries are iterations without effect (K12); a first try that now succeeds leads to the same
 * block. Its branch is a control dependency from what it read to what it wrote, so that no cycle begins (8.10.4).
 *
 * Nothing is ordered that was not: all threads access the lock and have their fences in the same way, so that who reads
 * now what a thread wrote before synchronises with that only if both did with the CTA in between (8.8). So a race is
 * one still, and so is a wait: for a lock that another thread keeps, or at a barrier, where the CTA that stays may wait
 * in its place. And to an execution without it, it may be added as the last one that takes the lock. A cycle (K18)
 * through it leads past it too, along the coherence of the lock. */
#include "kernel/grid_counters.h"

/* A column that takes a lock and then releases it, on every way. It writes another number in place of 0, or over
 * any until it has read 0, or no 1 where all write that, and then 0; or it draws a ticket, reads a word until that has
 * this number, and then writes the next one there. */
struct locker {
  const struct tickets *t;
  struct runner *runner;
  uint32_t ticket; /* the register; NO_REG: there is none */
  enum { LOCK_FREE, LOCK_DRAWN, LOCK_TAKEN } step;
  bool locks, branches; /* it accesses the lock; it has branches elsewhere than in the loop that takes it */
  uint64_t sign;        /* of its accesses to the lock, and its fences */
};

/* True of an atomic that writes another number in place of 0, or over any: *now. */
static bool tries(const struct runner *r, const struct remnant *remnant, uint32_t *now) {
  const struct instr *in = grid_alone(r, remnant);
  const bool swaps = in->alu == ALU_CAS;
  uint32_t old = 0;
  if (in->kind != INSTR_ATOM || (!swaps && in->alu != ALU_EXCH)) return false;
  const struct litmus_operand *value = grid_bound_of(remnant);
  return (!swaps || (remnant_number(r, remnant, value, &old) && !old)) &&
         remnant_number(r, remnant, swaps ? value->next : value, now) && *now;
}

/* True of a comparison for equality with the ticket. */
static bool compares_ticket(const struct instr *test, uint32_t read, uint32_t *ticket, bool *set) {
  const struct operand *x = &test->src[0], *y = &test->src[1];
  *ticket = x->reg == read ? y->reg : x->reg;
  *set = test->arith.compare == COMPARE_EQ;
  return test->kind == INSTR_ALU && test->alu == ALU_SETP && !type_is_float(test->type) && test->type.width == 32 &&
         (*set || test->arith.compare == COMPARE_NE) && x->kind == OPERAND_REG && y->kind == OPERAND_REG &&
         (x->reg == read) != (y->reg == read) && test->src[2].kind == OPERAND_NONE;
}

/* True of a strong access to a word: notes it. */
static bool accesses_word(const struct runner *r, const struct remnant *remnant, struct grid_meeting *word) {
  const struct instr *in = grid_alone(r, remnant);
  if (!in || !instr_is_access(in) || in->sem == SEM_WEAK || !grid_is_wide(in) || remnant->touches != 1 ||
      reads_represented(r, remnant))
    return false;
  const struct touch *touch = &r->touches.data[remnant->touch];
  *word = (struct grid_meeting){.region = touch->region, .at = touch->at};
  return !touch->open && touch->bytes == COUNTER_BYTES && touch->region->space == SPACE_GLOBAL &&
         !touch->region->view && in->elements == 1;
}

/* The end of a block, by which a thread takes a lock: it then goes on at `ends`, and else does so again, or comes to a
 * loop that takes the lock and leads to the same block. */
struct taking {
  const struct remnant *at; /* NULL: the block does not end so */
  struct grid_meeting word;
  uint32_t ticket, ends, other; /* the register, or NO_REG; other: the number that keeps others away, if it is tested */
};

/* once: it may be a first try, before the loop. */
static struct taking find_taking(const struct runner *r, uint32_t number, bool once) {
  const struct block *b = &r->blocks.data[number];
  struct taking out = {.ticket = NO_REG}, none = {.at = NULL};
  const struct remnant *test = NULL;
  uint32_t count = 0, now;
  bool set, exact;
  VEC_EACH (remnant, &b->code)
    if (remnant->instr) count++, out.at = test, test = remnant;
  if (!b->guard || !out.at || !grid_alone(r, test) || !accesses_word(r, out.at, &out.word)) return none;
  const struct instr *in = grid_alone(r, out.at), *split = &r->run->body.thread->instrs[b->split];
  if (tries(r, out.at, &now)) {
    if (!grid_compares(r, test, in->dst[0], &out.other, &set, &exact) || !exact) return none;
    if (out.other && (now != 1 || out.other != 1 || !grid_begins_as_zero(out.word.region, out.word.at))) return none;
    set = set == !out.other;
  } else if (in->kind != INSTR_LOAD || !compares_ticket(grid_alone(r, test), in->dst[0], &out.ticket, &set)) {
    return none;
  }
  out.ends = set ? !b->negated : b->negated;
  if (split->guard.reg != grid_alone(r, test)->dst[0] || b->next[out.ends] == number ||
      bitset_has(r->run->body.live[out.ends ? split->target : b->split + 1], in->dst[0]))
    return none;
  const uint32_t again = b->next[!out.ends];
  if (again == number) return count == 2 ? out : none;
  if (again == NO_BLOCK || !once) return none;
  const struct block *loop = &r->blocks.data[again];
  const struct taking then = find_taking(r, again, false);
  return then.at && then.ticket == out.ticket && is_same_word(&then.word, &out.word) && then.other == out.other &&
                 loop->next[then.ends] == b->next[out.ends]
             ? out
             : none;
}

static uint32_t count_readers(const struct runner *r, uint32_t wanted) {
  uint32_t count = 0;
  EACH_REMNANT (remnant, r)
    for (uint32_t i = remnant->begin; i < remnant->end && remnant->instr; i++)
      count += is_read_by(&r->run->body.thread->instrs[i], wanted);
  return count;
}

/* True of what writes 0, or the number after the ticket; nothing else but the loop needs either. */
static bool releases(const struct locker *k, const struct remnant *remnant) {
  const struct runner *r = k->runner;
  const struct instr *in = grid_alone(r, remnant), *add;
  const struct litmus_operand *value = in->kind == INSTR_ATOM ? grid_bound_of(remnant) : remnant->instr->operands->next;
  const bool stores = in->kind == INSTR_STORE, adds = !stores && in->alu == ALU_ADD;
  uint32_t number;
  if (in->kind == INSTR_LOAD || !(stores || adds || in->alu == ALU_EXCH)) return false;
  if (k->ticket == NO_REG || !stores)
    return adds == (k->ticket != NO_REG) && remnant_number(r, remnant, value, &number) && number == adds &&
           (!adds || count_readers(r, k->ticket) == 1);
  if (in->src[0].kind != OPERAND_REG) return false;
  const uint32_t next = in->src[0].reg, at = body_writer(&r->run->body, next, remnant->end - 1);
  add = at == NO_REG ? in : &r->run->body.thread->instrs[at];
  return add->kind == INSTR_ALU && add->alu == ALU_ADD && add->src[0].kind == OPERAND_REG &&
         add->src[0].reg == k->ticket && add->src[1].kind == OPERAND_IMM && add->src[1].imm == 1 &&
         count_readers(r, next) == 1 && count_readers(r, k->ticket) == 2;
}

/* The next step of a column, at an access to the lock; loops: in the loop that takes it. False: it is another one. */
static bool steps(struct locker *k, const struct remnant *remnant, bool loops, bool first) {
  const struct grid_meeting *words = k->t->words;
  struct grid_meeting word;
  const uint32_t was = k->step;
  const bool known = accesses_word(k->runner, remnant, &word), draws = known && is_same_word(&word, &words[1]);
  if (draws) k->ticket = grid_alone(k->runner, remnant)->dst[0];
  k->step = draws ? LOCK_DRAWN : first ? was : loops ? LOCK_TAKEN : LOCK_FREE;
  if (draws) return was == LOCK_FREE && !loops && grid_added_by(k->runner, remnant, &word) == 1;
  if (loops) return known && was == (words[1].region ? LOCK_DRAWN : LOCK_FREE);
  return known && was == LOCK_TAKEN && is_same_word(&word, &words[0]) && releases(k, remnant);
}

/* Follows a column. False: there is another access to the lock. */
static bool follow_locker(struct locker *k) {
  struct runner *r = k->runner;
  struct block_order order = {0};
  uint32_t far = 0, latest = 0; /* the farthest place to which a branch led; the one after an access */
  bool known = columns_order(r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const uint32_t number = order.blocks.data[i];
    const struct block *b = &r->blocks.data[number];
    const struct taking taking = find_taking(r, number, true);
    const bool takes = taking.at && is_same_word(&taking.word, k->t->words);
    const bool first = takes && b->next[!taking.ends] != number; /* the next block is the loop: it counts */
    VEC_EACH (remnant, &b->code) {
      const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
      const bool own = in && SOME(EACH_TOUCH (touch, r, remnant), grid_is_word(k->t, touch));
      const bool loops = takes && remnant == taking.at;
      if (own || (in && in->kind == INSTR_FENCE)) k->sign = hash_mix(k->sign, remnant->end);
      if (loops) k->sign = hash_mix(k->sign, taking.other);
      known =
          known &&
          (!own || (far <= i && steps(k, remnant, loops, loops && first) && (!loops || taking.ticket == k->ticket)));
      if (own) k->locks = true, latest = i + 1;
    }
    k->branches = k->branches || (b->guard && !takes);
    for (uint32_t n = 0; n < (b->guard ? 2 : 1); n++) {
      const uint32_t to = b->next[n] == NO_BLOCK ? order.blocks.len : order.place[b->next[n]];
      if (takes && n == (first ? taking.ends : !taking.ends)) continue;
      if (to > far) far = to;
      known = known && to >= latest;
    }
  }
  return known && k->step == LOCK_FREE;
}

/* Notes the columns that take the lock. False: some column accesses it otherwise, or has other fences. */
static bool list_lockers(struct tickets *t) {
  uint64_t sign = 0;
  VEC_VALUES (r, &t->run->runners) {
    struct locker k = {.t = t, .runner = r, .ticket = NO_REG};
    if (!r->column) continue;
    const bool known = follow_locker(&k);
    t->stays[r->block] = t->stays[r->block] || !known || k.branches;
    if (!k.locks) continue;
    if (!known || (t->drawers.len && sign != k.sign)) return false;
    sign = k.sign;
    VEC_PUSH(t->launch->memory.arena, &t->drawers, r);
  }
  return true;
}

void lockers_drop(struct launching *l, struct kernel_run *run) {
  VEC_VALUES (r, &run->runners)
    for (uint32_t i = 0; i < r->blocks.len && r->column; i++) {
      const struct taking taking = find_taking(r, i, true);
      const uint32_t ticket = taking.ticket;
      struct tickets t = {.launch = l, .run = run, .words = {taking.word}};
      struct grid_meeting other;
      if (!taking.at) continue;
      EACH_REMNANT (remnant, r)
        if (ticket != NO_REG && grid_added_by(r, remnant, &other) && grid_alone(r, remnant)->dst[0] == ticket)
          t.words[1] = other;
      t.stays = ARENA_ARRAY(l->memory.arena, bool, litmus_volume(run->kernel->grid));
      if ((ticket != NO_REG && !t.words[1].region) || !list_lockers(&t)) continue;
      const bool *leaves = grid_find_leaving(&t);
      VEC_VALUES (one, &run->runners) one->column = one->column && !leaves[one->block];
    }
}
