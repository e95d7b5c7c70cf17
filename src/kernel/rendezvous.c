/* The places in columns at which lanes of a warp wait for one another: exchanges of values, and operations of a whole
 * warp. In a column, a rendezvous without values is an exchange whose result nothing uses. */

#include "kernel/columns.h"

bool rendezvous_are_timed(const struct launching *l) {
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) {
      const struct instr *in = remnant->instr ? remnant_source(r, remnant) : NULL;
      if (in && (in->kind == INSTR_ASYNC || in->kind == INSTR_MBARRIER || in->tiled == TILED_COPY)) return true;
      if (in && in->tiled == TILED_PRODUCT && !tiled_multiplies(in)) return true;
    }
  return false;
}

/* The lanes of a thread's warp that are columns, or those that columns represent. */
static uint32_t lanes_of(const struct runner *r, bool column) {
  uint32_t mask = 0;
  EACH_MATE (other, run_warp_mates(r))
    if (other->column == column) mask |= 1u << other->tid % WARP_LANES;
  return mask;
}

static bool are_several(uint32_t lanes) { return (lanes & (lanes - 1)) != 0; }

/* match.any.sync.b32 _, 0, mask */
static void make_rendezvous(struct launching *l, struct remnant *remnant, uint32_t lanes) {
  struct litmus_parse *parse = &l->x->parse;
  struct litmus_instr *instr = remnant->instr;
  struct litmus_operand *to = remnant_sink(parse, instr->span);
  to->next = litmus_before(litmus_number_of(parse, 0, instr->span), litmus_number_of(parse, lanes, instr->span));
  const struct litmus_instr *match = litmus_instr_of(parse, "match.any.sync.b32", to, instr->span);
  instr->opcode.text = match->opcode.text;
  instr->qualifiers = match->qualifiers;
  instr->operands = match->operands;
  remnant->meets = lanes;
}

/* ---- Exchanges, restricted to columns */

static struct litmus_operand *last_operand(const struct litmus_instr *instr) {
  struct litmus_operand *last = instr->operands;
  while (last && last->next) last = last->next;
  return last;
}

/* Takes the represented lanes from the mask of an exchange, because they reach it whenever their column does. A result
 * that depends on the value of such a lane is unknown. */
static void narrow_mask(const struct runner *r, struct remnant *remnant, struct litmus_operand *mask, uint32_t lanes) {
  uint32_t represented = lanes_of(r, false);
  if (lanes & represented & remnant->wanted) remnant_any(r, remnant, reason_get(REASON_OPAQUE_VALUE));
  mask->u.number = (struct litmus_number){.value = lanes & ~represented, .span = mask->span};
}

/* Leaves only a rendezvous of an exchange whose results are constants or not needed, or nothing, if the order in time
 * does not matter or there is one lane. */
static void drop_values(struct launching *l, const struct runner *r, struct remnant *remnant, uint32_t lanes,
                        bool timed) {
  lanes &= lanes_of(r, true);
  if (are_several(lanes) && (timed || !remnant->complete)) make_rendezvous(l, remnant, lanes);
  else remnant->instr = NULL;
}

static void narrow(struct launching *l, const struct runner *r, struct remnant *remnant, bool timed) {
  const struct instr *in = remnant->instr && !remnant->instr->refused ? remnant_source(r, remnant) : NULL;
  enum meeting_kind kind = in ? run_meeting(in) : MEETING_NONE;
  if (kind == MEETING_ACTIVE && !remnant->folded && lanes_of(r, false)) /* its result would lack these lanes */
    remnant->instr->refused = reason_get(REASON_OPAQUE_VALUE);
  if (kind != MEETING_EXCHANGE && !(kind == MEETING_ELECT && remnant->folded)) return;
  struct litmus_operand *mask = last_operand(remnant->instr);
  if (mask->kind != LITMUS_NUMBER) return;
  uint32_t lanes = (uint32_t)(mask->u.number.negative ? 0 - mask->u.number.value : mask->u.number.value);
  if (remnant->folded) drop_values(l, r, remnant, lanes, timed);
  else narrow_mask(r, remnant, mask, lanes);
}

/* ---- Operations of a warp: a lane waits at one for all lanes of its warp (G88) */

/* Not wgmma.wait_group, at which the threads of a warpgroup synchronize (exec/async/commit_groups.c). */
static bool is_collective(const struct instr *in) {
  static const char *const opcodes[] = {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "tcgen05"};
  for (size_t i = 0; i < ARRAY_LEN(opcodes); i++)
    if (strcmp(in->ast->opcode.text, opcodes[i]) == 0) return litmus_has_word(&in->ast->qualifiers, ".sync");
  return false;
}

/* By instruction: the columns of a warp that reach a collective operation; 0: only one does, or the operation needs no
 * rendezvous. */
static uint32_t *lanes_at_collectives(struct launching *l, const struct runner *r, bool timed) {
  const struct kernel_run *run = r->run;
  uint32_t count = run->body.thread->instr_count, *lanes = ARENA_ARRAY(l->memory.arena, uint32_t, count);
  for (uint32_t k = 0; k < count; k++) {
    const struct instr *in = &run->body.thread->instrs[k];
    if (!is_collective(in) || !(timed || in->tiled == TILED_ROWS)) continue;
    EACH_MATE (other, run_warp_mates(r))
      if (other->column && SOME(EACH_REMNANT (remnant, other), remnant->begin <= k && k < remnant->end))
        lanes[k] |= 1u << other->tid % WARP_LANES;
    if (!are_several(lanes[k])) lanes[k] = 0;
  }
  return lanes;
}

/* An access to rows at known addresses names the lanes that take part, and is itself their rendezvous (G93). */
static bool is_rendezvous_itself(struct launching *l, struct remnant *remnant, uint32_t lanes) {
  struct litmus_operand *last = remnant->rows && remnant->instr ? last_operand(remnant->instr) : NULL;
  bool known = SOME(LIST_EACH (o, last ? remnant->instr->operands : NULL), o->kind == LITMUS_TENSOR);
  if (!known) return false;
  last->next = litmus_number_of(&l->x->parse, lanes, remnant->instr->span);
  remnant->meets = lanes;
  return true;
}

static struct remnant rendezvous_before(struct launching *l, const struct remnant *remnant, const struct instr *in,
                                        uint32_t lanes) {
  struct remnant out = {.begin = remnant->begin, .end = remnant->end, .instr = ARENA_COPY(l->memory.arena, in->ast)};
  out.instr->guard = NULL;
  make_rendezvous(l, &out, lanes);
  return out;
}

/* Adds a rendezvous before each collective operation of a block; `lanes`: lanes_at_collectives. */
static void add_rendezvous(struct launching *l, const struct runner *r, struct block *b, const uint32_t *lanes) {
  VEC(struct remnant) code = {0};
  VEC_EACH (remnant, &b->code) {
    const struct instr *in = remnant_source(r, remnant);
    uint32_t own = in ? lanes[remnant->end - 1] : 0;
    bool guarded = in && (remnant->instr ? remnant->instr->guard != NULL : in->guard.present);
    if (own && !guarded && !is_rendezvous_itself(l, remnant, own))
      VEC_PUSH(l->memory.arena, &code, rendezvous_before(l, remnant, in, own));
    VEC_PUSH(l->memory.arena, &code, *remnant);
  }
  memcpy(&b->code, &code, sizeof code);
}

static void meet_at_collectives(struct launching *l, struct runner *r, bool timed) {
  const uint32_t *lanes = lanes_at_collectives(l, r, timed);
  VEC_EACH (b, &r->blocks) add_rendezvous(l, r, b, lanes);
}

/* ---- Redundant rendezvous */

/* The kind of instructions between one rendezvous and the next, the maximum over all lanes. */
enum gap {
  GAP_NONE,
  GAP_SILENT, /* instructions that neither wait nor signal */
  GAP_OTHER,
};

/* The rendezvous of the same lanes, in the order of the text, and the gap before each. */
struct rendezvous_list {
  VEC(struct remnant *) list;
  VEC(enum gap) before;
};

/* True of pure computation, weak accesses without needed values, loads from tensor memory and their waits. */
static bool is_silent(const struct runner *r, const struct remnant *remnant) {
  if (remnant->quiet || remnant->idle) return true;
  const struct instr *in = &r->run->body.thread->instrs[remnant->end - 1];
  bool loads = in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_LOAD;
  return loads || litmus_has_word(&in->ast->qualifiers, ".wait::ld");
}

/* By block: the number of blocks that lead to it. */
static uint32_t *count_entries(struct launching *l, const struct runner *r, const struct block_order *order) {
  uint32_t *entries = ARENA_ARRAY(l->memory.arena, uint32_t, r->blocks.len);
  for (uint32_t i = 0; i < order->blocks.len; i++)
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t to = r->blocks.data[order->blocks.data[i]].next[k];
      if (to != NO_BLOCK) entries[to]++;
    }
  return entries;
}

/* True if only the block before it in the order leads to a block, and to nothing else. */
static bool follows_on(const struct runner *r, const struct block_order *order, const uint32_t *entries, uint32_t i) {
  const struct block *before = i ? &r->blocks.data[order->blocks.data[i - 1]] : NULL;
  uint32_t own = order->blocks.data[i];
  return before && !before->guard && before->next[0] == own && entries[own] == 1;
}

/* Adds the rendezvous of a block; `gap`: what was since the last one before it. Returns what is since its last one. One
 * that loads or stores rows is more than a rendezvous. */
static enum gap list_block(struct launching *l, const struct runner *r, struct block *b, uint32_t lanes, enum gap gap,
                           struct rendezvous_list *out) {
  VEC_EACH (remnant, &b->code) {
    if (!remnant->instr) continue;
    if (remnant->meets == lanes) {
      VEC_PUSH(l->memory.arena, &out->list, remnant);
      VEC_PUSH(l->memory.arena, &out->before, remnant->rows ? GAP_OTHER : gap);
      gap = remnant->rows ? GAP_OTHER : GAP_NONE;
    } else if (remnant->meets || !is_silent(r, remnant)) gap = GAP_OTHER;
    else if (gap == GAP_NONE) gap = GAP_SILENT;
  }
  return gap;
}

static struct rendezvous_list list_rendezvous(struct launching *l, struct runner *r, uint32_t lanes) {
  struct rendezvous_list out = {0};
  struct block_order order = {0};
  enum gap gap = GAP_OTHER;
  columns_order(r, &order);
  const uint32_t *entries = count_entries(l, r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    if (!follows_on(r, &order, entries, i)) gap = GAP_OTHER;
    gap = list_block(l, r, &r->blocks.data[order.blocks.data[i]], lanes, gap, &out);
  }
  return out;
}

/* Raises each gap of `all` to that of one lane. False: that lane has other rendezvous. */
static bool agree(struct rendezvous_list *all, const struct rendezvous_list *own) {
  if (all->list.len != own->list.len) return false;
  for (uint32_t i = 0; i < own->list.len; i++) {
    if (all->list.data[i]->begin != own->list.data[i]->begin) return false;
    if (all->before.data[i] < own->before.data[i]) all->before.data[i] = own->before.data[i];
  }
  return true;
}

/* Of rendezvous with nothing between them, keeps the last; of those with only silent instructions between them, keeps
 * the first and the last: these still order the instructions before, between and after them, and the order among silent
 * instructions does not matter. */
static void drop_redundant(const struct rendezvous_list *all, const struct rendezvous_list *own) {
  uint32_t count = own->list.len;
  for (uint32_t i = 0, first, last; i < count; i = last + 1) {
    for (first = i; first + 1 < count && all->before.data[first + 1] == GAP_NONE;) first++;
    for (last = first; last + 1 < count && all->before.data[last + 1] != GAP_OTHER;) last++;
    for (uint32_t k = i; k < last; k++)
      if (k != first) own->list.data[k]->instr = NULL;
  }
}

/* Drops the redundant rendezvous of these columns of one warp; `first`: one of them. */
static void join_rendezvous(struct launching *l, struct runner *first, uint32_t lanes) {
  struct rendezvous_list own[WARP_LANES], all = list_rendezvous(l, first, lanes);
  uint32_t count = 0;
  EACH_MATE (r, run_warp_mates(first))
    if (r->column && lanes >> r->tid % WARP_LANES & 1) own[count++] = list_rendezvous(l, r, lanes);
  for (uint32_t i = 0; i < count; i++)
    if (!agree(&all, &own[i])) return;
  for (uint32_t i = 0; i < count; i++) drop_redundant(&all, &own[i]);
}

/* Does this for every rendezvous whose first lane is this one. */
static void join_all(struct launching *l, struct runner *r) {
  VEC(uint32_t) done = {0};
  uint32_t own = 1u << r->tid % WARP_LANES;
  EACH_REMNANT (remnant, r) {
    bool seen = (remnant->meets & (0 - remnant->meets)) != own;
    for (uint32_t i = 0; i < done.len && !seen; i++) seen = done.data[i] == remnant->meets;
    if (seen) continue;
    VEC_PUSH(l->memory.arena, &done, remnant->meets);
    join_rendezvous(l, r, remnant->meets);
  }
}

void rendezvous_narrow(struct launching *l) {
  bool timed = rendezvous_are_timed(l);
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r) narrow(l, r, remnant, timed);
  EACH_COLUMN (r, l) meet_at_collectives(l, r, timed);
  EACH_COLUMN (r, l) join_all(l, r);
}
