/* Chooses the threads that represent others (docs/semantics.md K5): threads of a block whose remaining instructions are
 * equal form a group. */

#include "kernel/conflicts.h"

static bool is_cta_barrier(const struct runner *r, const struct remnant *left) {
  const struct instr *in = left->begin == left->end ? NULL : &r->run->body.thread->instrs[left->end - 1];
  return in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_CTA;
}

/* The hash of the barrier or the mbarrier objects that an instruction uses: threads form a group only if they count at
 * the same ones. */
static uint64_t meeting_place(struct runner *r, const struct remnant *left) {
  uint64_t hash = 0;
  if (left->instr && is_cta_barrier(r, left))
    for (const struct litmus_operand *o = left->instr->operands; o; o = o->next)
      if (o->kind == LITMUS_NUMBER) hash = hash_mix(hash, (uint64_t)o->u.number.value);
  EACH_TOUCH (touch, r, left)
    if (touch->mbarrier) hash = hash_mix(hash_mix(hash, touch->region->number), touch->at);
  return hash;
}

/* The hash of a thread's remaining instructions and control flow; with `settled` of the conditions of branches too. */
static uint64_t path_of(struct runner *r, bool settled) {
  struct block_order order = {0};
  columns_order(r, &order);
  uint64_t hash = order.blocks.len;
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    for (uint32_t k = 0; k < b->code.len; k++) {
      hash = hash_mix(hash_mix(hash, b->code.data[k].begin), k);
      hash = hash_mix(hash, meeting_place(r, &b->code.data[k]));
      hash = hash_mix(hash, b->code.data[k].instr && b->code.data[k].instr->guard);
    }
    if (settled)
      hash = hash_mix(hash_mix(hash, b->settled), b->guard ? b->split * (uint64_t)2 + b->negated : UINT64_MAX);
    for (uint32_t k = 0; k < 2; k++)
      hash = hash_mix(hash, b->next[k] == NO_BLOCK ? UINT64_MAX : order.place[b->next[k]] + (uint64_t)k);
  }
  return hash;
}

static uint64_t group_of(struct runner *r) { return hash_mix(path_of(r, false), r->cta); }

uint64_t *groups_of(struct launching *l, const struct kernel_run *run) {
  uint64_t *groups = ARENA_ARRAY(l->memory.arena, uint64_t, run->runners.len);
  for (uint32_t i = 0; i < run->runners.len; i++) groups[i] = group_of(run->runners.data[i]);
  return groups;
}

/* By thread: its group. */
static uint64_t *find_groups(struct launching *l) {
  uint64_t *groups = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len);
  l->paths = ARENA_ARRAY(l->memory.arena, uint64_t, l->runners.len);
  EACH_RUNNER (r, l) {
    groups[r->number] = group_of(r);
    l->paths[r->number] = path_of(r, true);
  }
  return groups;
}

/* ---- groups */

struct group_ends {
  uint64_t group;
  struct runner *first, *last; /* last: so far */
};

struct groups {
  VEC(struct group_ends) list;
  struct hash_index index;
};

static struct group_ends *find_group(struct launching *l, struct groups *groups, uint64_t group) {
  HASH_EACH (n, &groups->index, group)
    if (groups->list.data[n].group == group) return &groups->list.data[n];
  VEC_PUSH(l->memory.arena, &groups->list, (struct group_ends){.group = group});
  hash_add(l->memory.arena, &groups->index, group, groups->list.len - 1);
  return &groups->list.data[groups->list.len - 1];
}

/* ---- columns */

enum { MOST_IN_TURNS = 32 };

static bool is_strong(const struct runner *r) {
  EACH_LEFT (left, r) {
    const struct instr *in = left->instr && left->end ? &r->run->body.thread->instrs[left->end - 1] : NULL;
    bool updates = in && (in->kind == INSTR_ATOM || in->kind == INSTR_RED || in->kind == INSTR_MULTIMEM);
    if (updates || (in && instr_is_access(in) && in->sem != SEM_WEAK)) return true;
  }
  return false;
}

/* True if each thread with strong accesses becomes a column: of a test that asks for their order (K18), unless there
 * are too many. */
static bool has_strong_columns(const struct launching *l) {
  uint32_t count = 0;
  if (l->x->parse.test->quantifier != LITMUS_IN_TURNS) return false;
  EACH_RUNNER (r, l) count += is_strong(r);
  return count <= MOST_IN_TURNS;
}

static void choose(struct launching *l, struct kernel_run *run) {
  const bool strong = has_strong_columns(l);
  struct groups groups = {0};
  VEC_VALUES (r, &run->runners) {
    struct group_ends *own = find_group(l, &groups, l->groups[r->number]);
    if (!own->first) own->first = r;
    own->last = r;
    r->column = !does(l->x, TECHNIQUE_GROUPS) || (strong && is_strong(r));
  }
  VEC_EACH (group, &groups.list) group->first->column = group->last->column = true;
}

/* Adds each group member without a column to the count of the group's last column. */
static void count_behind(struct launching *l, const struct kernel_run *run) {
  struct groups groups = {0};
  VEC_VALUES (r, &run->runners) {
    struct group_ends *own = find_group(l, &groups, l->groups[r->number]);
    r->behind = 0;
    if (r->column) own->last = r;
  }
  VEC_VALUES (r, &run->runners) {
    struct group_ends *own = find_group(l, &groups, l->groups[r->number]);
    if (!r->column && own->last) own->last->behind++;
  }
}

static void mark_behind(const struct runner *r) {
  for (uint32_t t = 0; t < r->touches.len && !r->column; t++) {
    const struct touch *touch = &r->touches.data[t];
    for (uint32_t k = touch->at; k < touch_end(touch) && touch->writes && !touch->mbarrier; k++)
      touch->region->behind[k] = true;
  }
}

void groups_choose(struct launching *l) {
  bool grouped = false;
  VEC_VALUES (run, &l->runs) grouped = grouped || run->kernel->grouped;
  if (grouped) l->groups = find_groups(l);
  if (grouped) kinds_find(l);
  VEC_VALUES (run, &l->runs) {
    for (uint32_t i = 0; i < run->runners.len; i++) run->runners.data[i]->column = !run->kernel->grouped;
    if (run->kernel->grouped) choose(l, run);
  }
  groups_stand(l);
}

void groups_stand(struct launching *l) {
  for (uint32_t i = 0; i < l->memory.regions.len; i++)
    memset(l->memory.regions.data[i]->behind, 0, l->memory.regions.data[i]->size * sizeof(bool));
  if (l->groups) conflicts_add(l);
  VEC_VALUES (run, &l->runs)
    if (run->kernel->grouped) count_behind(l, run);
  EACH_RUNNER (r, l) mark_behind(r);
}

bool groups_full(const struct kernel_run *run) {
  uint32_t columns = 0;
  for (uint32_t i = 0; i < run->runners.len; i++) columns += run->runners.data[i]->column;
  return columns >= MOST_COLUMNS;
}

bool groups_add_column(const struct kernel_run *run, struct runner *r) {
  return run->kernel->grouped && !groups_full(run) && (r->column = true);
}

/* ---- masks of exchanges */

/* The lanes of a warp that are columns, or those that columns represent. */
static uint32_t lanes_of(const struct kernel_run *run, const struct runner *of, bool column) {
  uint32_t mask = 0;
  VEC_VALUES (r, &run->runners)
    if (run_same_warp(r, of) && r->column == column) mask |= 1u << r->tid % WARP_LANES;
  return mask;
}

bool groups_have_asynchronous(const struct launching *l) {
  for (uint32_t k = 0; k < l->runs.len; k++) {
    const struct thread *thread = l->runs.data[k]->body.thread;
    for (uint32_t i = 0; i < thread->instr_count; i++) {
      enum instr_kind kind = thread->instrs[i].kind;
      if (kind == INSTR_ASYNC || kind == INSTR_MBARRIER || kind == INSTR_GROUP) return true;
    }
  }
  return false;
}

/* `_` in place of a register. */
static struct litmus_operand *nowhere(struct litmus_parse *parse, struct span span) {
  struct litmus_operand *out = litmus_register_of(parse, "_", span);
  out->u.ref.percent = false;
  return out;
}

/* match.any.sync.b32 _, 0, mask */
static void make_match(struct launching *l, struct litmus_instr *instr, uint32_t lanes) {
  struct litmus_parse *parse = &l->x->parse;
  struct litmus_operand *to = nowhere(parse, instr->span);
  to->next = litmus_before(litmus_number_of(parse, 0, instr->span), litmus_number_of(parse, lanes, instr->span));
  const struct litmus_instr *match = litmus_instr_of(parse, "match.any.sync.b32", to, instr->span);
  instr->opcode.text = match->opcode.text;
  instr->qualifiers = match->qualifiers;
  instr->operands = match->operands;
}

/* Restricts an exchange to columns. An exchange whose results are constants or not needed exchanges nothing. Any other
 * exchange loses the represented lanes from its mask, because they reach the instruction whenever their column does; a
 * result that depends on the value of such a lane is unknown. So is the result of activemask, which would lack these
 * lanes. */
static void narrow(struct launching *l, const struct runner *r, struct remnant *left, bool counts) {
  if (!left->instr || left->instr->refused || left->begin == left->end) return;
  const struct instr *in = &r->run->body.thread->instrs[left->end - 1];
  uint32_t placed = lanes_of(r->run, r, true), behind = lanes_of(r->run, r, false);
  if (run_meeting(in) == MEETING_ACTIVE && !left->folded && behind)
    left->instr->refused = reason_get(REASON_OPAQUE_VALUE);
  bool elected = run_meeting(in) == MEETING_ELECT && left->folded;
  if (run_meeting(in) != MEETING_EXCHANGE && !elected) return;
  struct litmus_operand *mask = left->instr->operands;
  while (mask->next) mask = mask->next;
  if (mask->kind != LITMUS_NUMBER) return;
  uint32_t lanes = (uint32_t)(mask->u.number.negative ? 0 - mask->u.number.value : mask->u.number.value);
  if (!left->folded) {
    if (lanes & behind & left->wanted) left->instr->refused = reason_get(REASON_OPAQUE_VALUE);
    mask->u.number = (struct litmus_number){.value = lanes & ~behind, .span = mask->span};
    return;
  }
  lanes &= placed;
  if ((lanes & (lanes - 1)) == 0 || (left->met && !counts)) left->instr = NULL;
  else make_match(l, left->instr, lanes), left->meets = lanes;
}

/* ---- collective operations: a lane waits at one for all lanes of its warp (G88) */

/* Not wgmma.wait_group, at which the threads of a warpgroup synchronize (exec/async/groups.c). */
static bool is_collective(const struct instr *in) {
  static const char *const opcodes[] = {"ldmatrix", "stmatrix", "movmatrix", "mma", "wmma", "tcgen05"};
  for (size_t i = 0; i < ARRAY_LEN(opcodes); i++)
    if (strcmp(in->ast->opcode.text, opcodes[i]) == 0) return litmus_has_word(&in->ast->qualifiers, ".sync");
  return false;
}

static bool comes_to(const struct runner *r, uint32_t instr) {
  EACH_LEFT (left, r)
    if (left->begin <= instr && instr < left->end) return true;
  return false;
}

/* By instruction: the columns of a warp that reach a collective operation; 0: only one does, or the operation needs no
 * rendezvous. */
static uint32_t *meeting_lanes(struct launching *l, const struct runner *r, bool counts) {
  const struct kernel_run *run = r->run;
  uint32_t count = run->body.thread->instr_count, *lanes = ARENA_ARRAY(l->memory.arena, uint32_t, count);
  for (uint32_t k = 0; k < count; k++) {
    const struct instr *in = &run->body.thread->instrs[k];
    if (!is_collective(in) || !(counts || tiled_kind(in) == TILED_ROWS)) continue;
    VEC_VALUES (other, &run->runners)
      if (run_same_warp(other, r) && other->column && comes_to(other, k)) lanes[k] |= 1u << other->tid % WARP_LANES;
    if ((lanes[k] & (lanes[k] - 1)) == 0) lanes[k] = 0;
  }
  return lanes;
}

/* An access to rows at known addresses names the lanes that take part, and is itself their rendezvous (G93). */
static bool meets_itself(struct launching *l, struct remnant *left, uint32_t lanes) {
  struct litmus_operand *last = left->rows && left->instr ? left->instr->operands : NULL;
  bool known = false;
  for (; last && last->next; last = last->next) known = known || last->kind == LITMUS_TENSOR;
  if (!last || !(known || last->kind == LITMUS_TENSOR)) return false;
  last->next = litmus_number_of(&l->x->parse, lanes, left->instr->span);
  left->meets = lanes;
  return true;
}

static void meet_at(struct launching *l, struct block *b, const struct thread *thread, const uint32_t *lanes) {
  VEC(struct remnant) code = {0};
  VEC_EACH (left, &b->code) {
    const struct instr *in = left->end > left->begin ? &thread->instrs[left->end - 1] : NULL;
    bool comes = in && lanes[left->end - 1] && !(left->instr ? left->instr->guard != NULL : in->guard.present);
    if (comes && !meets_itself(l, left, lanes[left->end - 1])) {
      struct remnant meeting = {.begin = left->begin, .end = left->end, .meets = lanes[left->end - 1]};
      meeting.instr = ARENA_COPY(l->memory.arena, in->ast);
      meeting.instr->guard = NULL;
      make_match(l, meeting.instr, meeting.meets);
      VEC_PUSH(l->memory.arena, &code, meeting);
    }
    VEC_PUSH(l->memory.arena, &code, *left);
  }
  memcpy(&b->code, &code, sizeof code);
}

static void meet_at_collectives(struct launching *l, struct runner *r, bool counts) {
  const uint32_t *lanes = meeting_lanes(l, r, counts);
  for (uint32_t b = 0; b < r->blocks.len; b++) meet_at(l, &r->blocks.data[b], r->run->body.thread, lanes);
}

/* ---- redundant rendezvous of lanes */

/* The kind of instructions between one rendezvous and the next, the maximum over all lanes. */
enum gap {
  GAP_NONE,
  GAP_SILENT, /* instructions that neither wait nor signal */
  GAP_OTHER,
};

/* The rendezvous of the same lanes, in the order of the text, and the gap before each. */
struct meetings {
  VEC(struct remnant *) list;
  VEC(enum gap) before;
};

/* True of pure computation, weak accesses without needed values, loads from tensor memory and their waits. */
static bool is_silent(const struct remnant *left, const struct thread *thread) {
  if (left->quiet || left->idle) return true;
  const struct instr *in = &thread->instrs[left->end - 1];
  bool loads = in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_LOAD;
  return loads || litmus_has_word(&in->ast->qualifiers, ".wait::ld");
}

/* By block: the number of blocks that lead to it. */
static uint32_t *ways_to(struct launching *l, const struct runner *r, const struct block_order *order) {
  uint32_t *ways = ARENA_ARRAY(l->memory.arena, uint32_t, r->blocks.len);
  for (uint32_t i = 0; i < order->blocks.len; i++)
    for (uint32_t k = 0; k < 2; k++) {
      uint32_t to = r->blocks.data[order->blocks.data[i]].next[k];
      if (to != NO_BLOCK) ways[to]++;
    }
  return ways;
}

static void find_meetings(struct launching *l, struct runner *r, uint32_t lanes, struct meetings *out) {
  struct block_order order = {0};
  enum gap gap = GAP_OTHER;
  columns_order(r, &order);
  const uint32_t *ways = ways_to(l, r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]], *before = NULL;
    if (i) before = &r->blocks.data[order.blocks.data[i - 1]];
    bool follows = before && !before->guard && before->next[0] == order.blocks.data[i];
    if (!follows || ways[order.blocks.data[i]] != 1) gap = GAP_OTHER;
    VEC_EACH (left, &b->code) {
      if (!left->instr) continue;
      if (left->meets == lanes) { /* one that loads or stores rows stays */
        VEC_PUSH(l->memory.arena, &out->list, left);
        VEC_PUSH(l->memory.arena, &out->before, left->rows ? GAP_OTHER : gap);
        gap = left->rows ? GAP_OTHER : GAP_NONE;
      } else if (left->meets || !is_silent(left, r->run->body.thread)) gap = GAP_OTHER;
      else if (gap == GAP_NONE) gap = GAP_SILENT;
    }
  }
}

/* Raises each gap of `all` to that of one lane. False: that lane has other rendezvous. */
static bool agree(struct meetings *all, const struct meetings *own) {
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
static void drop_meetings(const struct meetings *all, const struct meetings *own) {
  uint32_t count = own->list.len;
  for (uint32_t i = 0; i < count;) {
    uint32_t first = i, last = i;
    while (first + 1 < count && all->before.data[first + 1] == GAP_NONE) first++;
    for (last = first; last + 1 < count && all->before.data[last + 1] != GAP_OTHER;) last++;
    for (uint32_t k = i; k < last; k++)
      if (k != first) own->list.data[k]->instr = NULL;
    i = last + 1;
  }
}

/* Drops the redundant rendezvous of the columns of one warp; `first`: one of them. */
static void join_meetings(struct launching *l, const struct runner *first, uint32_t lanes) {
  struct meetings own[WARP_LANES] = {0}, all = {0};
  uint32_t count = 0;
  VEC_VALUES (r, &first->run->runners) {
    if (run_same_warp(r, first) && r->column && lanes >> r->tid % WARP_LANES & 1)
      find_meetings(l, r, lanes, &own[count++]);
  }
  find_meetings(l, (struct runner *)first, lanes, &all);
  for (uint32_t i = 0; i < count; i++)
    if (!agree(&all, &own[i])) return;
  for (uint32_t i = 0; i < count; i++) drop_meetings(&all, &own[i]);
}

/* Does this for every rendezvous whose first lane is this one. */
static void join_all(struct launching *l, struct runner *r) {
  VEC(uint32_t) done = {0};
  uint32_t own = 1u << r->tid % WARP_LANES;
  EACH_LEFT (left, r) {
    bool seen = (left->meets & (0 - left->meets)) != own;
    for (uint32_t i = 0; i < done.len && !seen; i++) seen = done.data[i] == left->meets;
    if (seen) continue;
    VEC_PUSH(l->memory.arena, &done, left->meets);
    join_meetings(l, r, left->meets);
  }
}

void groups_narrow(struct launching *l) {
  bool counts = groups_have_asynchronous(l);
  EACH_COLUMN (r, l)
    EACH_LEFT (left, r) narrow(l, r, left, counts);
  EACH_COLUMN (r, l) meet_at_collectives(l, r, counts);
  EACH_COLUMN (r, l) join_all(l, r);
}

/* ---- counts the threads that a column represents */

struct counting_for {
  struct launching *launch;
  const struct runner *runner;
  uint32_t times; /* the number of threads that the column represents, itself included */
  struct block *block;
  VEC(struct remnant) code; /* of the block, rewritten */
};

static struct litmus_operand *bracket_at(struct litmus_operand *operand, uint32_t index) {
  for (; operand; operand = operand->next)
    if (operand->kind == LITMUS_BRACKET && index-- == 0) return operand;
  return NULL;
}

static void put(struct counting_for *c, struct litmus_instr *instr, const struct remnant *like) {
  struct remnant remnant = *like;
  remnant.instr = instr;
  remnant.touches = 0;
  VEC_PUSH(c->launch->memory.arena, &c->code, remnant);
}

static const char EXPECT[] = "mbarrier.expect_tx.relaxed.cta.shared::cta.b64";
static const char COMPLETE[] = "mbarrier.complete_tx.relaxed.cluster.shared::cluster.b64";
static const char ARRIVE[] = "mbarrier.arrive.shared::cta.b64";

/* Adds an operation of this kind on an object. */
static void put_operation(struct counting_for *c, const struct remnant *like, const struct litmus_operand *object,
                          const char *operation, value_t number) {
  struct litmus_parse *parse = &c->launch->x->parse;
  struct span span = like->instr->span;
  struct litmus_operand *place = ARENA_COPY(parse->arena, object);
  place->next = litmus_number_of(parse, number, span);
  if (operation == ARRIVE) place = litmus_before(nowhere(parse, span), place);
  struct litmus_instr *instr = litmus_instr_of(parse, operation, place, span);
  instr->opcode.span = like->instr->opcode.span;
  put(c, instr, like);
}

static void drop_dot(struct litmus_instr *instr, const char *dot) {
  struct litmus_words words = {0};
  for (struct litmus_word *word = instr->qualifiers.first, *next; word; word = next) {
    next = word->next;
    word->next = NULL;
    if (strcmp(word->text, dot) != 0) words = litmus_words_add(words, word);
  }
  instr->qualifiers = words;
}

static void multiply(struct counting_for *c, struct litmus_operand *object) {
  struct litmus_operand *count = object->next;
  if (!count) count = object->next = litmus_number_of(&c->launch->x->parse, 1, object->span);
  if (count->kind == LITMUS_NUMBER) count->u.number.value *= c->times;
}

static void count_mbarrier(struct counting_for *c, const struct remnant *left) {
  struct litmus_operand *object = bracket_at(left->instr->operands, 0);
  bool arrives =
      litmus_has_word(&left->instr->qualifiers, ".arrive") || litmus_has_word(&left->instr->qualifiers, ".arrive_drop");
  bool expects = litmus_has_word(&left->instr->qualifiers, ".expect_tx");
  if (arrives && expects && object && object->next && object->next->kind == LITMUS_NUMBER) {
    put_operation(c, left, object, EXPECT, object->next->u.number.value * c->times);
    object->next = NULL;
    drop_dot(left->instr, ".expect_tx");
  }
  if (object && (arrives || expects || litmus_has_word(&left->instr->qualifiers, ".complete_tx"))) multiply(c, object);
}

/* Adds, for the represented threads, the signals of copies and asynchronous arrivals at an object. */
static void count_copies(struct counting_for *c, const struct remnant *left) {
  bool bulk = litmus_has_word(&left->instr->qualifiers, ".bulk"),
       arrives = litmus_has_word(&left->instr->qualifiers, ".arrive");
  const struct litmus_operand *object = bracket_at(left->instr->operands, arrives ? 0 : 2);
  const struct litmus_operand *source = bracket_at(left->instr->operands, 1);
  if (arrives && litmus_has_word(&left->instr->qualifiers, ".noinc"))
    put_operation(c, left, object, ARRIVE, c->times - 1);
  const struct litmus_operand *place = left->instr->operands;
  if (bulk && place && place->next && place->next->kind == LITMUS_TENSOR) {
    const struct litmus_entry *map = tensor_map_of(c->launch->x, place->next);
    object = bracket_at(left->instr->operands, 1);
    if (map && object)
      put_operation(c, left, object, COMPLETE, tensor_copy_bytes(map->map, left->instr) * (c->times - 1));
    return;
  }
  if (arrives || !bulk || !object || !source->next || source->next->kind != LITMUS_NUMBER) return;
  put_operation(c, left, object, COMPLETE, source->next->u.number.value * (c->times - 1));
}

/* Adds, for the represented threads, the signals of st.async and red.async. */
static void count_stores(struct counting_for *c, const struct remnant *left, const struct instr *in) {
  const struct litmus_operand *object = bracket_at(left->instr->operands, 1);
  bool signals = in->kind == INSTR_ASYNC && in->async->action == ASYNC_STORE && in->async->has_object;
  uint32_t bytes = type_bytes(in->type) * in->elements;
  if (signals && object) put_operation(c, left, object, COMPLETE, (value_t)bytes * (c->times - 1));
}

static void count_for(struct launching *l, struct runner *r) {
  struct counting_for c = {.launch = l, .runner = r, .times = r->behind + 1};
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    c.block = &r->blocks.data[b];
    memset(&c.code, 0, sizeof c.code);
    VEC_EACH (left, &c.block->code) {
      if (left->instr && strcmp(left->instr->opcode.text, "mbarrier") == 0) count_mbarrier(&c, left);
      VEC_PUSH(l->memory.arena, &c.code, *left);
      if (left->instr && strcmp(left->instr->opcode.text, "cp") == 0) count_copies(&c, left);
      if (left->instr && left->begin < left->end) count_stores(&c, left, &r->run->body.thread->instrs[left->end - 1]);
    }
    memcpy(&c.block->code, &c.code, sizeof c.code);
  }
}

void groups_count(struct launching *l) {
  VEC_VALUES (run, &l->runs) {
    if (!run->kernel->grouped) continue;
    for (uint32_t i = 0; i < run->runners.len; i++)
      if (run->runners.data[i]->column && run->runners.data[i]->behind) count_for(l, run->runners.data[i]);
  }
}
