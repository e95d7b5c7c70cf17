/* Threads that stand for others (docs/semantics.md K5): those of a block with the same instructions left. */
#include <string.h>

#include "kernel/columns.h"

struct member {
  struct runner *runner;
  uint64_t hash;
};

/* Of the instructions that are left, and of the ways between them. */
static uint64_t path_of(struct runner *r) {
  struct block_order order = {0};
  columns_order(r, &order);
  uint64_t hash = order.blocks.len;
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    for (uint32_t k = 0; k < b->code.len; k++) hash = hash_mix(hash_mix(hash, b->code.data[k].begin), k);
    for (uint32_t k = 0; k < 2; k++)
      hash = hash_mix(hash, b->next[k] == NO_BLOCK ? UINT64_MAX : order.place[b->next[k]] + (uint64_t)k);
  }
  return hash;
}

static bool writes_wanted(const struct runner *r) {
  for (uint32_t t = 0; t < r->touches.len; t++) {
    const struct touch *touch = &r->touches.data[t];
    for (uint32_t k = touch->at; k < touch->at + touch->bytes && touch->writes && k < touch->region->size; k++)
      if (touch->region->wanted[k]) return true;
  }
  return false;
}

/* All who write a value that matters become columns, if they are few: a counter is what all of them make it. */
static void add_wanted(struct kernel_run *run) {
  enum { MOST_COLUMNS = 24 };
  uint32_t columns = 0;
  for (uint32_t i = 0; i < run->runners.len; i++)
    columns += run->runners.data[i]->column || writes_wanted(run->runners.data[i]);
  for (uint32_t i = 0; i < run->runners.len && columns <= MOST_COLUMNS; i++)
    run->runners.data[i]->column = run->runners.data[i]->column || writes_wanted(run->runners.data[i]);
}

static void choose(struct launching *l, struct kernel_run *run) {
  uint32_t count = run->runners.len;
  uint64_t *groups = ARENA_ARRAY(l->memory.arena, uint64_t, count);
  struct member *members = ARENA_ARRAY(l->memory.arena, struct member, count);
  for (uint32_t i = 0; i < count; i++)
    members[i] = (struct member){run->runners.data[i], path_of(run->runners.data[i])};
  for (uint32_t i = 0; i < count; i++) {
    bool first = true, last = true;
    for (uint32_t k = 0; k < count; k++) {
      bool same = members[k].hash == members[i].hash && members[k].runner->block == members[i].runner->block;
      if (same && k < i) first = false;
      if (same && k > i) last = false;
    }
    members[i].runner->column = first || last;
    groups[i] = hash_mix(members[i].hash, members[i].runner->block);
  }
  writers_add(l, run, groups);
  add_wanted(run);
  for (uint32_t i = 0; i < count; i++) {
    struct runner *stands = NULL;
    for (uint32_t k = 0; k < count && !members[i].runner->column; k++)
      if (members[k].hash == members[i].hash && members[k].runner->block == members[i].runner->block &&
          members[k].runner->column)
        stands = members[k].runner;
    if (stands) stands->behind++;
  }
}

static void mark_behind(const struct runner *r) {
  for (uint32_t t = 0; t < r->touches.len && !r->column; t++) {
    const struct touch *touch = &r->touches.data[t];
    if (touch->pointer || !touch->writes || touch->mbarrier) continue;
    for (uint32_t k = touch->at; k < touch->at + touch->bytes && k < touch->region->size; k++)
      touch->region->behind[k] = true;
  }
}

void groups_choose(struct launching *l) {
  for (uint32_t i = 0; i < l->memory.regions.len; i++) {
    struct region *region = l->memory.regions.data[i];
    memset(region->behind, 0, region->size * sizeof *region->behind);
  }
  for (uint32_t k = 0; k < l->runs.len; k++) {
    struct kernel_run *run = l->runs.data[k];
    for (uint32_t i = 0; i < run->runners.len; i++) {
      run->runners.data[i]->column = !run->kernel->grouped;
      run->runners.data[i]->behind = 0;
    }
    if (run->kernel->grouped) choose(l, run);
    for (uint32_t i = 0; i < run->runners.len; i++) mark_behind(run->runners.data[i]);
  }
}

/* ---- masks of exchanges */

static uint32_t lanes_placed(const struct kernel_run *run, const struct runner *of) {
  uint32_t mask = 0;
  for (uint32_t i = 0; i < run->runners.len; i++) {
    const struct runner *r = run->runners.data[i];
    bool same = r->block == of->block && r->tid / WARP_LANES == of->tid / WARP_LANES;
    if (same && r->column) mask |= 1u << r->tid % WARP_LANES;
  }
  return mask;
}

/* True if exchanges count in time, which orders asynchronous operations alone (G88). */
static bool has_asynchronous(const struct launching *l) {
  for (uint32_t k = 0; k < l->runs.len; k++) {
    const struct thread *thread = l->runs.data[k]->body.thread;
    for (uint32_t i = 0; i < thread->instr_count; i++) {
      enum instr_kind kind = thread->instrs[i].kind;
      if (kind == INSTR_ASYNC || kind == INSTR_MBARRIER || kind == INSTR_GROUP) return true;
    }
  }
  return false;
}

/* match.any.sync.b32 _, 0, mask */
static void make_match(struct launching *l, struct litmus_instr *instr, uint32_t lanes) {
  static const char *const dots[] = {".any", ".sync", ".b32"};
  struct litmus_parse *parse = &l->x->parse;
  struct litmus_operand *operands[3];
  instr->opcode.text = intern(parse->names, "match");
  instr->qualifiers = (struct litmus_words){0};
  for (size_t i = 0; i < ARRAY_LEN(dots); i++)
    instr->qualifiers =
        litmus_words_add(instr->qualifiers, litmus_word_new(parse, dots[i], strlen(dots[i]), instr->span));
  for (size_t i = 0; i < 3; i++) operands[i] = litmus_operand_new(parse, i ? LITMUS_NUMBER : LITMUS_NAME, instr->span);
  operands[0]->u.ref = (struct litmus_ref){.name = intern(parse->names, "_"), .span = instr->span};
  operands[1]->u.number = (struct litmus_number){.span = instr->span};
  operands[2]->u.number = (struct litmus_number){.value = lanes, .span = instr->span};
  instr->operands = operands[0];
  operands[0]->next = operands[1];
  operands[1]->next = operands[2];
}

/* An exchange whose results nobody needs, or constants give, is between the columns, and of nothing. */
static void narrow(struct launching *l, const struct runner *r, struct remnant *left, uint32_t placed, bool counts) {
  if (!left->folded || !left->instr || left->begin == left->end) return;
  const struct instr *in = &r->run->body.thread->instrs[left->end - 1];
  if (run_meeting(in) != MEETING_EXCHANGE && run_meeting(in) != MEETING_ELECT) return;
  const struct litmus_operand *mask = left->instr->operands;
  while (mask->next) mask = mask->next;
  if (mask->kind != LITMUS_NUMBER) return;
  uint32_t lanes = (uint32_t)(mask->u.number.negative ? 0 - mask->u.number.value : mask->u.number.value) & placed;
  if ((lanes & (lanes - 1)) == 0 || (left->met && !counts)) left->instr = NULL;
  else make_match(l, left->instr, lanes), left->meets = lanes;
}

/* Exchanges of nothing that follow one another without anything between them, in all lanes, are as one. By instruction:
 * which such exchange comes next wherever it stands, and which came before; NOBODY where that differs. */
enum { UNSEEN = 0, NOBODY = UINT32_MAX };

struct neighbours {
  uint32_t *next, *before; /* by the instruction that a remnant begins with, plus 1 */
};

static void note(uint32_t *list, uint32_t at, uint32_t neighbour) {
  if (list[at] == UNSEEN) list[at] = neighbour;
  else if (list[at] != neighbour) list[at] = NOBODY;
}

static void note_neighbours(struct neighbours *n, const struct block *b) {
  const struct remnant *last = NULL;
  for (uint32_t k = 0; k < b->code.len; k++) {
    const struct remnant *left = &b->code.data[k];
    if (!left->instr) continue;
    bool follows = last && last->meets && last->meets == left->meets;
    if (last && last->meets) note(n->next, last->begin, follows ? left->begin + 1 : (uint32_t)NOBODY);
    if (left->meets) note(n->before, left->begin, follows ? last->begin + 1 : (uint32_t)NOBODY);
    last = left;
  }
  if (last && last->meets) note(n->next, last->begin, NOBODY);
}

static void join_neighbours(const struct neighbours *n, struct block *b) {
  for (uint32_t k = 0; k < b->code.len; k++) {
    struct remnant *left = &b->code.data[k];
    if (!left->meets) continue;
    uint32_t next = n->next[left->begin];
    if (next != UNSEEN && next != NOBODY && n->before[next - 1] == left->begin + 1) left->instr = NULL;
  }
}

static void join_exchanges(const struct launching *l, struct kernel_run *run) {
  uint32_t count = run->body.thread->instr_count + 1;
  for (uint32_t i = 0; i < run->runners.len;) {
    uint32_t end = i;
    const struct runner *first = run->runners.data[i];
    struct neighbours n = {.next = ARENA_ARRAY(l->memory.arena, uint32_t, count),
                           .before = ARENA_ARRAY(l->memory.arena, uint32_t, count)};
    for (; end < run->runners.len; end++) {
      const struct runner *r = run->runners.data[end];
      if (r->block != first->block || r->tid / WARP_LANES != first->tid / WARP_LANES) break;
      for (uint32_t b = 0; b < r->blocks.len && r->column; b++) note_neighbours(&n, &r->blocks.data[b]);
    }
    for (; i < end; i++)
      for (uint32_t b = 0; b < run->runners.data[i]->blocks.len && run->runners.data[i]->column; b++)
        join_neighbours(&n, &run->runners.data[i]->blocks.data[b]);
  }
}

void groups_narrow(struct launching *l) {
  bool counts = has_asynchronous(l);
  for (uint32_t k = 0; k < l->runs.len; k++)
    for (uint32_t i = 0; i < l->runs.data[k]->runners.len; i++) {
      struct runner *r = l->runs.data[k]->runners.data[i];
      uint32_t placed = lanes_placed(l->runs.data[k], r);
      for (uint32_t b = 0; b < r->blocks.len && r->column; b++)
        for (uint32_t c = 0; c < r->blocks.data[b].code.len; c++)
          narrow(l, r, &r->blocks.data[b].code.data[c], placed, counts);
    }
  for (uint32_t k = 0; k < l->runs.len; k++) join_exchanges(l, l->runs.data[k]);
}

/* ---- those who stand behind a column count with it */

struct counting_for {
  struct launching *launch;
  const struct runner *runner;
  uint32_t times; /* how many the column stands for, itself included */
  struct block *block;
  VEC(struct remnant) code; /* the remnant of the block's */
};

static bool has_dot(const struct litmus_instr *instr, const char *dot) {
  for (const struct litmus_word *word = instr->qualifiers.first; word; word = word->next)
    if (strcmp(word->text, dot) == 0) return true;
  return false;
}

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

/* `mbarrier.expect_tx.relaxed.cta.shared::cta.b64 [b], 32` and the like. */
static void put_operation(struct counting_for *c, const struct remnant *like, const struct litmus_operand *object,
                          const char *operation, value_t number) {
  const char *const dots[] = {operation, ".relaxed", ".cta", ".shared::cta", ".b64"};
  struct litmus_parse *parse = &c->launch->x->parse;
  struct litmus_instr *instr = ARENA_NEW(parse->arena, struct litmus_instr);
  bool arrives = strcmp(operation, ".arrive") == 0;
  *instr = (struct litmus_instr){.span = like->instr->span, .opcode = like->instr->opcode};
  instr->opcode.text = intern(parse->names, "mbarrier");
  for (size_t i = 0; i < ARRAY_LEN(dots); i++)
    if (!arrives || (i != 1 && i != 2))
      instr->qualifiers =
          litmus_words_add(instr->qualifiers, litmus_word_new(parse, dots[i], strlen(dots[i]), instr->span));
  struct litmus_operand *place = ARENA_NEW(parse->arena, struct litmus_operand);
  *place = *object;
  place->next = litmus_operand_new(parse, LITMUS_NUMBER, instr->span);
  place->next->u.number = (struct litmus_number){.value = number, .span = instr->span};
  instr->operands = place;
  if (arrives) {
    instr->operands = litmus_operand_new(parse, LITMUS_NAME, instr->span);
    instr->operands->u.ref = (struct litmus_ref){.name = intern(parse->names, "_"), .span = instr->span};
    instr->operands->next = place;
  }
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
  if (!count) {
    count = object->next = litmus_operand_new(&c->launch->x->parse, LITMUS_NUMBER, object->span);
    count->u.number = (struct litmus_number){.value = 1, .span = object->span};
  }
  if (count->kind == LITMUS_NUMBER) count->u.number.value *= c->times;
}

static void count_mbarrier(struct counting_for *c, const struct remnant *left) {
  struct litmus_operand *object = bracket_at(left->instr->operands, 0);
  bool arrives = has_dot(left->instr, ".arrive") || has_dot(left->instr, ".arrive_drop");
  bool expects = has_dot(left->instr, ".expect_tx");
  if (arrives && expects && object && object->next && object->next->kind == LITMUS_NUMBER) {
    put_operation(c, left, object, ".expect_tx", object->next->u.number.value * c->times);
    object->next = NULL;
    drop_dot(left->instr, ".expect_tx");
  }
  if (object && (arrives || expects || has_dot(left->instr, ".complete_tx"))) multiply(c, object);
}

/* The signals of other threads' copies and asynchronous arrivals at an object. */
static void count_copies(struct counting_for *c, const struct remnant *left) {
  bool bulk = has_dot(left->instr, ".bulk"), arrives = has_dot(left->instr, ".arrive");
  const struct litmus_operand *object = bracket_at(left->instr->operands, arrives ? 0 : 2);
  const struct litmus_operand *source = bracket_at(left->instr->operands, 1);
  if (arrives && has_dot(left->instr, ".noinc")) put_operation(c, left, object, ".arrive", c->times - 1);
  const struct litmus_operand *place = left->instr->operands;
  if (bulk && place && place->next && place->next->kind == LITMUS_TENSOR) {
    const struct litmus_entry *map = tensor_map_named(c->launch->x, place->next->u.tensor.ref.name);
    object = bracket_at(left->instr->operands, 1);
    if (map && object) put_operation(c, left, object, ".complete_tx", tensor_box_bytes(map->map) * (c->times - 1));
    return;
  }
  if (arrives || !bulk || !object || !source->next || source->next->kind != LITMUS_NUMBER) return;
  put_operation(c, left, object, ".complete_tx", source->next->u.number.value * (c->times - 1));
}

static void count_for(struct launching *l, struct runner *r) {
  struct counting_for c = {.launch = l, .runner = r, .times = r->behind + 1};
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    c.block = &r->blocks.data[b];
    memset(&c.code, 0, sizeof c.code);
    for (uint32_t k = 0; k < c.block->code.len; k++) {
      const struct remnant *left = &c.block->code.data[k];
      if (left->instr && strcmp(left->instr->opcode.text, "mbarrier") == 0) count_mbarrier(&c, left);
      VEC_PUSH(l->memory.arena, &c.code, *left);
      if (left->instr && strcmp(left->instr->opcode.text, "cp") == 0) count_copies(&c, left);
    }
    memcpy(&c.block->code, &c.code, sizeof c.code);
  }
}

/* ---- barriers with a count of threads: so many warps, which arrive as one (B2) */

/* The numbers of the barrier and of threads; false where there are none. */
static bool barrier_numbers(const struct litmus_instr *instr, value_t *id, struct litmus_operand **count) {
  bool bar = instr && (strcmp(instr->opcode.text, "bar") == 0 || strcmp(instr->opcode.text, "barrier") == 0);
  struct litmus_operand *first = bar ? instr->operands : NULL;
  if (!first || first->kind != LITMUS_NUMBER || !first->next || first->next->kind != LITMUS_NUMBER) return false;
  *id = first->u.number.value;
  *count = first->next;
  return true;
}

static bool meets_at(const struct runner *r, value_t id, value_t threads) {
  for (uint32_t b = 0; b < r->blocks.len; b++)
    for (uint32_t k = 0; k < r->blocks.data[b].code.len; k++) {
      value_t other;
      struct litmus_operand *count;
      bool is = barrier_numbers(r->blocks.data[b].code.data[k].instr, &other, &count);
      if (is && other == id && count->u.number.value == threads) return true;
    }
  return false;
}

/* 0: the count stays. Runners of a block stand in the order of their numbers. */
static value_t count_warps(const struct kernel_run *run, const struct runner *r, value_t id,
                           struct litmus_operand *count) {
  value_t threads = 0, warps = 0;
  uint32_t last = UINT32_MAX;
  for (uint32_t i = 0; i < run->runners.len; i++) {
    const struct runner *other = run->runners.data[i];
    if (!other->column || other->block != r->block || !meets_at(other, id, count->u.number.value)) continue;
    threads += other->behind + 1;
    warps += other->tid / WARP_LANES != last;
    last = other->tid / WARP_LANES;
  }
  if (threads == count->u.number.value) return warps;
  return threads < count->u.number.value ? warps + 1 : 0;
}

struct new_count {
  struct litmus_operand *operand;
  value_t value;
};

static void count_barriers(struct launching *l, struct kernel_run *run) {
  VEC(struct new_count) list = {0};
  for (uint32_t i = 0; i < run->runners.len; i++) {
    struct runner *r = run->runners.data[i];
    for (uint32_t b = 0; b < r->blocks.len && r->column; b++)
      for (uint32_t k = 0; k < r->blocks.data[b].code.len; k++) {
        value_t id, warps;
        struct litmus_operand *count;
        if (!barrier_numbers(r->blocks.data[b].code.data[k].instr, &id, &count)) continue;
        warps = count_warps(run, r, id, count);
        if (warps) VEC_PUSH(l->memory.arena, &list, (struct new_count){count, warps});
      }
  }
  for (uint32_t i = 0; i < list.len; i++) list.data[i].operand->u.number.value = list.data[i].value;
}

void groups_count(struct launching *l) {
  for (uint32_t k = 0; k < l->runs.len; k++) {
    struct kernel_run *run = l->runs.data[k];
    if (!run->kernel->grouped) continue;
    count_barriers(l, run);
    for (uint32_t i = 0; i < run->runners.len; i++)
      if (run->runners.data[i]->column && run->runners.data[i]->behind) count_for(l, run->runners.data[i]);
  }
}
