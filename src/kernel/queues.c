/* Leaves out loops of which nothing is left but that their thread draws numbers from a counter, and may tell them its
 * CTA, as where blocks take tiles from a queue whose accesses are settled (docs/semantics.md K16).
 *
 * Such a loop ends in every execution: each way back to the atomic bounds the number that it drew, and the counter
 * gives each number once (draws.c). An atomic that is relaxed, without any fence in the test, orders nothing (8.8),
 * nobody else reads the counter or the words, and no register goes from the loop to what is left. So the rest of an
 * execution with the loop is one without it, and the other way round: the atomics of an execution may come in any
 * order. As the only strong accesses, to one location, they are in no cycle that interleavings lack (K18). */
#include "kernel/conflicts.h"
#include "kernel/needs.h"

/* The only loop of a column: blocks at places of the order, which one branch leaves. An atomic that it has is in each
 * iteration. */
struct queue {
  struct runner *runner;
  struct block_order order;
  uint32_t begin, end, exit, way; /* `end` is outside; exit: the block with the branch, whose way leads out */
};

struct queues {
  const struct draw *draw; /* of the first one; NULL: there is none */
  struct queue **of;       /* by CTA */
};

static struct block *block_of(const struct queue *q, uint32_t place) {
  return &q->runner->blocks.data[q->order.blocks.data[place]];
}

static uint32_t place_of(const struct queue *q, uint32_t block) {
  return block == NO_BLOCK ? q->order.blocks.len : q->order.place[block];
}

#define EACH_WAY(q, b, to)                                                                                             \
  for (uint32_t to##_k = 0, to; to##_k < ((b)->guard ? 2u : 1u) && (to = place_of(q, (b)->next[to##_k]), true);        \
       to##_k++)

/* False: there is another loop, exit, or branch whose ways have not the exit next. */
static bool find_loop(struct queue *q) {
  uint32_t exits = 0;
  q->begin = q->order.blocks.len;
  for (uint32_t i = 0; i < q->order.blocks.len; i++) EACH_WAY(q, block_of(q, i), to) {
      if (to > i) continue;
      if (q->end && to != q->begin) return false;
      q->begin = to, q->end = i + 1;
    }
  for (uint32_t i = q->begin; i < q->end; i++) {
    const uint32_t before = exits;
    EACH_WAY(q, block_of(q, i), to)
    if (to < q->begin || to >= q->end) q->exit = i, q->way = to_k, exits++;
    if (exits == before && block_of(q, i)->guard && !followers_join(q->runner, block_of(q, i))) return false;
  }
  return exits == 1;
}

/* True of an instruction that computes, draws a number, or accesses a word in which one is told. */
static bool only_draws(struct queues *all, const struct runner *r, const struct remnant *remnant, bool *draws) {
  const struct instr *in = remnant_source(r, remnant);
  if (!remnant->instr) return true;
  if (remnant->strays || remnant->is_use || remnant->instr->refused || remnant->instr->guard) return false;
  if (remnant->quiet) return !aligned_is_mark(remnant->instr);
  if (!in || remnant->touches != 1) return false;
  const struct touch *touch = &r->touches.data[remnant->touch];
  const bool plain = (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && is_plain_weak(in);
  if (touch->meets || touch->open) return false;
  if (plain) return touch->region->space == SPACE_SHARED && touch->region->owner == r->cta;
  if (in->kind != INSTR_ATOM || in->sem != SEM_RELAXED || !touch->draw || !touch->draw->added) return false;
  if (!all->draw) all->draw = touch->draw;
  *draws = true;
  return run_draws_of(touch->draw, all->draw);
}

static bool is_queue(struct queues *all, struct queue *q) {
  bool draws = false;
  uint32_t far = 0; /* the farthest place to which some branch before leads */
  if (!columns_order(q->runner, &q->order) || !find_loop(q)) return false;
  for (uint32_t i = q->begin; i < q->end; i++) {
    bool own = false;
    VEC_EACH (remnant, &block_of(q, i)->code)
      if (!only_draws(all, q->runner, remnant, &own)) return false;
    if (own && far > i) return false;
    draws = draws || own;
    EACH_WAY(q, block_of(q, i), to) {
      const uint32_t next = to > q->begin ? to : q->end;
      if ((i != q->exit || to_k != q->way) && next > far) far = next;
    }
  }
  return draws;
}

/* ---- what is left beside them */

static bool is_barrier(const struct instr *in) { return in && in->kind == INSTR_BARRIER; }

/* True of what orders nothing, and has nothing from a loop: of the CTA of one, only barriers are left. */
static bool is_beside(const struct queues *all, const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!remnant->instr || !in || remnant->quiet || is_barrier(in)) return true;
  EACH_TOUCH (touch, r, remnant)
    if (touch->region->space == SPACE_SHARED && touch->region->owner != r->cta) return false;
  return !all->of[r->cta] && (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && is_plain_weak(in);
}

static bool are_beside(const struct queues *all, struct runner *r) {
  const struct queue *q = all->of[r->cta], *own = q && q->runner == r ? q : NULL;
  for (uint32_t i = 0; i < r->blocks.len; i++) {
    const struct block *b = &r->blocks.data[i];
    const uint32_t place = own ? own->order.place[i] : 0;
    if (own && ((place >= own->begin && place < own->end) || place == NO_BLOCK)) continue;
    if (q && b->guard) return false;
    VEC_EACH (remnant, &b->code)
      if (!is_beside(all, r, remnant)) return false;
  }
  return true;
}

static void end_at_once(struct queue *q) {
  struct block *exit = block_of(q, q->exit);
  exit->guard = false;
  exit->next[0] = exit->next[q->way];
  exit->next[1] = NO_BLOCK;
  EACH_REMNANT (remnant, q->runner)
    if (!is_barrier(remnant_source(q->runner, remnant))) remnant->instr = NULL;
}

void queues_drop(struct launching *l) {
  struct queues all = {.of = ARENA_ARRAY(l->memory.arena, struct queue *, l->ctas.len)};
  uint64_t last;
  if (l->x->parse.test->condition || !l->conflicts || !does(l->x, TECHNIQUE_DRAWS)) return;
  EACH_COLUMN (r, l) {
    struct queue *q = ARENA_MAKE(l->memory.arena, struct queue, .runner = r);
    if (is_queue(&all, q) && !all.of[r->cta]) all.of[r->cta] = q;
  }
  if (!all.draw || !conflict_numbers(l->conflicts, all.draw, &last)) return;
  EACH_COLUMN (r, l)
    if (!are_beside(&all, r)) return;
  for (uint32_t i = 0; i < l->ctas.len; i++)
    if (all.of[i]) end_at_once(all.of[i]);
}
