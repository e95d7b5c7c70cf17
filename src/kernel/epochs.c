/* The barriers of its CTA that a path has passed, by which history.c orders the writes of threads.
 *
 * A barrier of all threads is the same one for all of them, by its number, whatever its id: a thread waits at one
 * barrier at a time. If some instruction brings fewer threads to an id, or waits for fewer, it is not known which
 * barrier follows which. Nor is it where paths meet that have passed different numbers of barriers. From there on a
 * path is uneven: its writes have no place among those of other threads, and it recalls nothing. */
#include "kernel/counts.h"
#include "kernel/run.h"

struct flow epochs_flow(struct arena *arena, const struct thread *thread) {
  struct flow flow = thread_flow(arena, thread);
  for (uint32_t i = 0; i < flow.count; i++) {
    const struct instr *in = &thread->instrs[i];
    bool all = in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CTA && !in->guard.present &&
               in->barrier->action != BARRIER_ARRIVE && in->barrier->count.kind == OPERAND_NONE;
    if (all) flow.next[i][0] = flow.next[i][1] = FLOW_NONE;
  }
  return flow;
}

struct bitset epochs_ends(struct arena *arena, const struct thread *thread) {
  const struct flow flow = epochs_flow(arena, thread);
  struct bitset ends = bitset_new(arena, flow.count + 1);
  bitset_add(ends, flow.count);
  flow_trace(&flow, ends, FLOW_NONE);
  return ends;
}

/* Notes at which barriers all threads meet. True if fewer meet at one of these, too. */
static bool is_mixed(struct runner *r, uint32_t ids, bool whole, bool part) {
  struct kernel_run *run = r->run;
  uint32_t before = run->whole_ids & run->part_ids;
  run->whole_ids |= whole ? ids : 0;
  run->part_ids |= part ? ids : 0;
  if ((run->whole_ids & run->part_ids) != before) run->memory->again = true;
  return run->whole_ids & run->part_ids & ids;
}

/* True for a barrier of all threads of the CTA. */
static bool is_whole(struct runner *r, const struct barrier *b) {
  uint32_t count, threads = litmus_volume(r->run->kernel->block);
  if (b->action == BARRIER_ARRIVE) return false;
  if (b->count.kind == OPERAND_NONE) return true;
  return run_number(r, &b->count, &count) && count == threads && threads % WARP_LANES == 0;
}

void epochs_pass(struct runner *r, const struct instr *in) {
  const struct barrier *b = in->barrier;
  uint32_t id = 0;
  if (b->kind != BARRIER_CTA) return;
  bool known = run_number(r, &b->id, &id) && id < CTA_BARRIERS, open = !known || r->walk->predicate != TERM_TRUE;
  bool whole = is_whole(r, b);
  if (is_mixed(r, known ? 1u << id : UINT32_MAX, whole || open, !whole || open)) {
    r->so_far.uneven = true;
    r->so_far.counts = COUNTS_ANY;
  } else if (whole) {
    r->so_far.counts = counts_next(r->so_far.counts);
    if (!r->so_far.uneven) history_pass(r->run->memory, r->number, r->so_far.epoch, r->so_far.wrote);
    r->so_far.epoch++;
    r->so_far.barriers++;
  }
}

void epochs_end(struct runner *r) {
  r->has_ended = true;
  history_end(r->run->memory, r->number, r->so_far.epoch, r->so_far.wrote);
}

/* The first round, which knows no value of shared memory, follows paths that later rounds exclude. */
static void note_uneven(struct runner *r, uint32_t at, uint32_t epoch, uint64_t counts) {
  struct uneven *uneven = &r->run->body.uneven[at];
  bool known = uneven->least && uneven->least <= epoch + 1 && !(counts & ~uneven->counts);
  if (r->run->memory->round == 1 || known) return;
  if (!uneven->least || uneven->least > epoch + 1) uneven->least = epoch + 1;
  uneven->counts = counts_repeated(uneven->counts | counts);
  r->run->memory->again = true;
}

void epochs_join(struct runner *r, const struct block *block, const struct so_far *other) {
  const struct so_far *first = &block->so_far;
  bool uneven = first->epoch != other->epoch || first->uneven != other->uneven;
  if (uneven || first->counts != other->counts)
    note_uneven(r, block->at, first->epoch < other->epoch ? first->epoch : other->epoch, first->counts | other->counts);
  history_join(r->run->memory, first->wrote, other->wrote, uneven);
}

void epochs_enter(struct runner *r, uint32_t at) {
  const struct uneven *uneven = &r->run->body.uneven[at];
  if (!uneven->least) return;
  if (r->so_far.epoch > uneven->least - 1) r->so_far.epoch = uneven->least - 1;
  r->so_far.uneven = true;
  r->so_far.counts |= uneven->counts;
}
