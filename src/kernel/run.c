/* Runs a thread on constants: follows its jumps, executes what lies between them, and leaves the remnants. */
#include "kernel/counts.h"
#include "kernel/rests.h"
#include "kernel/run.h"
#include "ptx/isa.h"

static struct arena *arena_of(const struct runner *r) { return r->run->memory->work; }
static const struct body *body_of(const struct runner *r) { return &r->run->body; }
static term_id guard_of(const struct runner *r) { return r->walk->predicate; }
static uint32_t reg_count(const struct runner *r) { return body_of(r)->thread->reg_count; }

/* ---- Jumps */

static struct progress_point new_point(struct kernel_run *run) {
  struct arena *arena = run->memory->work;
  uint32_t loops = run->body.loops.len + 1;
  return (struct progress_point){.regs = ARENA_ARRAY(arena, struct reg_state, run->body.thread->reg_count + 1),
                                 .last = ARENA_ARRAY(arena, uint32_t, loops),
                                 .decided = ARENA_ARRAY(arena, bool, loops),
                                 .polled = ARENA_ARRAY(arena, bool, loops),
                                 .turns = ARENA_ARRAY(arena, uint32_t, loops)};
}

static void recycle(struct runner *r, const struct progress_point *s) { VEC_PUSH(arena_of(r), &r->run->spare, *s); }

/* Copies a point into the memory of a recycled one, if there is one: a kernel has thousands of registers. */
static struct progress_point copied(struct runner *r, const struct progress_point *from) {
  struct progress_point to = *from;
  struct progress_point room = r->run->spare.len ? r->run->spare.data[--r->run->spare.len] : new_point(r->run);
  to.regs = room.regs, to.last = room.last, to.decided = room.decided, to.polled = room.polled, to.turns = room.turns;
  to.so_far = r->so_far;
  uint32_t loops = body_of(r)->loops.len;
  memcpy(to.turns, from->turns, loops * sizeof *to.turns);
  memcpy(to.polled, from->polled, loops * sizeof *to.polled);
  memcpy(to.regs, r->path.regs, reg_count(r) * sizeof *to.regs);
  memcpy(to.last, from->last, loops * sizeof *to.last);
  memcpy(to.decided, from->decided, loops * sizeof *to.decided);
  return to;
}

static void go_to(const struct runner *r, struct progress_point *s, uint32_t to) {
  s->from = s->at;
  s->at = to;
  s->arrives = body_of(r)->leader[to];
}

/* True if an exit of a loop stays in an outer loop in which a thread waits, as when it polls a number of times, sleeps,
 * and polls again. */
static bool stays_waiting(const struct runner *r, const struct cycle *inner, uint32_t to) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    const struct cycle *loop = &body_of(r)->loops.data[i];
    if (body_of(r)->waits[i] && bitset_subset(inner->has, loop->has) && bitset_has(loop->has, to)) return true;
  }
  return false;
}

/* Notes that constants decide a branch: unrolls a loop that the other direction leaves, unless to wait. */
static void note_decided(struct runner *r, struct progress_point *s, uint32_t other) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    const struct cycle *loop = &body_of(r)->loops.data[i];
    bool leaves = bitset_has(loop->has, s->at) && !bitset_has(loop->has, other);
    if (leaves && !stays_waiting(r, loop, other)) s->decided[i] = true;
  }
}

/* Notes that an undecided branch may leave a loop. */
static void note_polled(struct runner *r, struct progress_point *s, uint32_t target) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++) {
    struct bitset has = body_of(r)->loops.data[i].has;
    bool jumps = bitset_has(has, target), goes = bitset_has(has, s->at + 1);
    if (!bitset_has(has, s->at) || (jumps && goes)) continue;
    s->polled[i] = true;
    term_id stays = jumps ? guard_of(r) : term_not(r->walk->terms, guard_of(r));
    uint32_t limit =
        (jumps || goes) && does(r->run->x, TECHNIQUE_TURNS) ? learn_limit(&r->run->body.learning, stays) : 0;
    if (limit > body_of(r)->limit[i]) r->run->body.limit[i] = limit;
  }
}

static void close_with_branch(struct runner *r, const struct progress_point *s, const struct instr *in) {
  struct block *b = &r->blocks.data[s->block];
  b->guard = true;
  b->negated = in->guard.negated;
  b->split = s->at;
  b->settled = run_settled(r, guard_of(r));
  b->closed = true;
}

/* Lets a direction of a branch, 1 if it is taken, begin with an empty block, which leads to its first one. */
static void add_direction(struct runner *r, uint32_t branch, uint32_t direction, struct progress_point *s,
                          const struct tested *tested) {
  s->block = block_add(r, NO_BLOCK, NULL, branch);
  r->blocks.data[s->block].tested = tested;
  r->blocks.data[s->block].entries = 1;
  r->blocks.data[branch].next[direction] = r->blocks.data[branch].ways[direction] = s->block;
}

/* Follows both directions of an undecided branch. */
static void fork(struct runner *r, struct progress_point *s, const struct instr *in, uint32_t target) {
  close_with_branch(r, s, in);
  note_polled(r, s, target);
  struct progress_point taken = copied(r, s), other = copied(r, s);
  go_to(r, &taken, target);
  go_to(r, &other, s->at + 1);
  bool learns = does(r->run->x, TECHNIQUE_LEARN);
  run_limit(r, taken.regs, guard_of(r));
  run_limit(r, other.regs, term_not(r->walk->terms, guard_of(r)));
  if (learns) learn(&r->run->body.learning, taken.regs, reg_count(r), guard_of(r));
  if (learns) learn(&r->run->body.learning, other.regs, reg_count(r), term_not(r->walk->terms, guard_of(r)));
  request_take(r, s, s->at + 1, &taken);
  request_take(r, s, target, &other);
  add_direction(r, s->block, 0, &other, run_test(r, term_not(r->walk->terms, guard_of(r))));
  add_direction(r, s->block, 1, &taken, run_test(r, guard_of(r)));
  VEC_PUSH(arena_of(r), &r->pending, taken);
  VEC_PUSH(arena_of(r), &r->pending, other);
}

/* ---- Instructions */

enum meeting_kind run_meeting(const struct instr *in) {
  if (in->form == FORM_ELECT) return MEETING_ELECT;
  if (in->form == FORM_ALU && in->alu == ALU_ACTIVEMASK) return MEETING_ACTIVE;
  if (in->tiled == TILED_ROWS) return MEETING_ROWS;
  return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES ? MEETING_EXCHANGE : MEETING_NONE;
}

enum { MOST_GROUPED = 16 };

/* The registers that a group of instructions writes, with their values before it: its remnant reads these. */
struct kept_regs {
  struct {
    uint32_t reg;
    struct reg_state state;
  } list[MOST_GROUPED * MAX_VECTOR];
  uint32_t count;
};

static void keep_reg(const struct runner *r, struct kept_regs *kept, uint32_t reg) {
  uint32_t at = FIND_BELOW(n, kept->count, kept->list[n].reg == reg);
  if (reg == NO_REG || at < kept->count) return;
  kept->list[at].reg = reg;
  kept->list[at].state = r->path.regs[reg];
  kept->count++;
}

static void keep_regs(const struct runner *r, uint32_t begin, uint32_t end, struct kept_regs *kept) {
  kept->count = 0;
  for (uint32_t i = begin; i < end; i++)
    for (uint32_t k = 0; k < MAX_VECTOR; k++) keep_reg(r, kept, body_of(r)->thread->instrs[i].dst[k]);
}

static void exchange_regs(struct runner *r, struct kept_regs *kept) {
  for (uint32_t i = 0; i < kept->count; i++) {
    struct reg_state now = r->path.regs[kept->list[i].reg];
    r->path.regs[kept->list[i].reg] = kept->list[i].state;
    kept->list[i].state = now;
  }
}

/* Notes that the remnant has the touches from number `first` on. */
static void set_touches(const struct runner *r, struct remnant *remnant, uint32_t first, uint32_t count) {
  remnant->strays = r->strays;
  remnant->touch = first;
  remnant->touches = count;
}

/* Adds the remnant of the instructions up to `end`, which have been executed, with the touches from `first` on. */
static void leave(struct runner *r, const struct progress_point *s, uint32_t end, bool folded, uint32_t first,
                  struct kept_regs *before) {
  uint32_t count = r->touches.len - first;
  r->latest = first;
  exchange_regs(r, before);
  struct remnant *remnant = remnant_add(r, s->block, s->at, end, folded);
  exchange_regs(r, before);
  set_touches(r, remnant, first, count);
  remnant->brings = r->brings;
}

static bool pass_by(struct runner *r, struct progress_point *s, uint32_t end) {
  if (!needless_here(r, s->at, end)) return false;
  for (uint32_t i = s->at; i < end; i++) run_forget(r, &body_of(r)->thread->instrs[i]);
  go_to(r, s, end);
  return true;
}

/* Executes the instructions lowered from one source instruction. False: the thread waits. */
static bool do_group(struct runner *r, struct progress_point *s, uint32_t end) {
  struct kept_regs before;
  REQUIRE(end - s->at <= MOST_GROUPED);
  keep_regs(r, s->at, end, &before);
  uint32_t first = r->touches.len;
  bool any = false, computes;
  r->strays = false;
  for (uint32_t i = s->at; i < end; i++) {
    const struct instr *in = &body_of(r)->thread->instrs[i];
    run_begin_instr(r, i);
    if (guard_of(r) == TERM_FALSE || (maps_copies(in) && !r->leads)) continue; /* one operation of the warp (K5) */
    if (run_meeting(in) != MEETING_NONE) return false;
    if (!run_execute(r, in)) return false;
    any = true;
    r->ended = in->form == FORM_TRAP && guard_of(r) == TERM_TRUE;
  }
  if (any) run_access_fragments(r, s->block, s->at, end);
  bool folded = remnant_is_folded(r, s->at, end, first, &computes);
  if (any && !(folded && computes)) leave(r, s, end, folded, first, &before);
  go_to(r, s, end);
  return true;
}

/* False: nothing decides the branch, so that both ways are pending. */
static bool jump(struct runner *r, struct progress_point *s, const struct instr *in) {
  run_begin_instr(r, s->at);
  uint32_t target = in->kind == INSTR_EXIT ? body_of(r)->thread->instr_count : in->target;
  bool decided = run_is_constant(r, guard_of(r)), taken = guard_of(r) == TERM_TRUE;
  if (!decided) fork(r, s, in, target);
  else if (in->guard.present) note_decided(r, s, taken ? s->at + 1 : target);
  if (decided) go_to(r, s, taken ? target : s->at + 1);
  return decided;
}

/* Ends a path. After a trap no thread goes on. */
static void end_path(struct runner *r, const struct progress_point *s) {
  for (uint32_t i = 0; i < reg_count(r) && !r->ended; i++)
    if (r->run->observed && r->run->observed[i] && run_is_constant(r, r->path.regs[i].value))
      remnant_move(r, s->block, i, r->path.regs[i], r->run->kernel->span);
  if (!r->ended) epochs_end(r);
  r->ended = false;
  block_close(r, s->block, NO_BLOCK);
}

/* Follows a path as far as it goes. False: it waits. */
static bool go_on(struct runner *r, struct progress_point *s) {
  const struct thread *thread = body_of(r)->thread;
  r->path.regs = s->regs;
  r->so_far = s->so_far;
  while (s->at < thread->instr_count) {
    const struct instr *in = &thread->instrs[s->at];
    uint32_t end = body_of(r)->group_end[s->at];
    arena_count(arena_of(r), 1);
    body_of(r)->reached[s->at] = true;
    if (!body_of(r)->needless[s->at] && ++r->written > MOST_WRITTEN_OUT && !r->stopped) r->stopped = s->at + 1;
    discards_note(r, s);
    if (r->stopped || (s->arrives && !block_arrive(r, s))) return true;
    if (in->kind == INSTR_BRANCH || in->kind == INSTR_EXIT) {
      arena_poll(arena_of(r));
      if (!jump(r, s, in)) return true;
    } else if (!pass_by(r, s, end) && !do_group(r, s, end)) {
      s->so_far = r->so_far;
      VEC_PUSH(arena_of(r), &r->waiting, *s);
      return false;
    }
    if (r->ended) break;
  }
  end_path(r, s);
  return true;
}

bool run_go_on(struct runner *r) {
  const struct runner *before = r->before;
  bool any = r->pending.len > 0;
  if (before && !r->touches.cap) VEC_RESERVE(arena_of(r), &r->touches, before->touches.len);
  if (before && !r->values.cap) VEC_RESERVE(arena_of(r), &r->values, before->values.len);
  while (r->pending.len && !r->stopped) {
    struct progress_point s = r->pending.data[--r->pending.len];
    if (block_is_obsolete(r, s.block) || go_on(r, &s)) recycle(r, &s);
  }
  uint32_t kept = 0;
  VEC_EACH (s, &r->waiting) {
    if (block_is_obsolete(r, s->block)) recycle(r, s);
    else r->waiting.data[kept++] = *s;
  }
  r->waiting.len = kept;
  return any;
}

/* The registers of elect.sync lane|p. */
static void elected(const struct runner *r, const struct litmus_instr *ast, uint32_t to[2]) {
  const struct litmus_operand *pair = ast->operands, *item = pair && pair->kind == LITMUS_PAIR ? pair->u.items : NULL;
  for (uint32_t i = 0; i < 2; i++, item = item ? item->next : NULL)
    to[i] = item && item->u.ref.percent ? body_register(body_of(r), item->u.ref.name) : (uint32_t)NO_REG;
}

/* A vote's result is unknown, but it still implies something about the condition of this lane. */
static void pass_unknown(struct runner *r, const struct instr *in) {
  bool votes = run_meeting(in) == MEETING_EXCHANGE && guard_of(r) == TERM_TRUE && in->dst[0] != NO_REG;
  votes = votes && does(r->run->x, TECHNIQUE_VOTES);
  bool all = votes && in->barrier->exchange == EXCHANGE_ALL, any = votes && in->barrier->exchange == EXCHANGE_ANY;
  term_id own = all || any ? walk_operand(r->walk, &in->src[0], 1) : TERM_FALSE;
  if (own != TERM_FALSE && in->barrier->negated) own = term_not(r->walk->terms, own);
  run_forget(r, in);
  if (own != TERM_FALSE) learn_vote(&r->run->body.learning, r->path.regs[in->dst[0]].value, own, all);
}

static void pass_known(struct runner *r, const struct instr *in, const term_id results[2]) {
  uint32_t to[2] = {in->dst[0], in->dst[1]};
  if (run_meeting(in) == MEETING_ELECT) elected(r, in->ast, to);
  for (uint32_t i = 0; i < 2; i++) {
    struct bitset reads = walk_no_reads(r->walk);
    walk_add_reads(r->walk, reads, &in->src[0]);
    run_write_reg(r, to[i], results[i], false, reads);
  }
}

/* Adds the remnant of an exchange, or of another instruction at which the lanes wait for one another. */
static void leave_exchange(struct runner *r, const struct progress_point *s, uint32_t end, bool known, bool complete) {
  uint32_t count = r->touches.len - r->latest;
  struct remnant *remnant = remnant_add(r, s->block, s->at, end, known);
  remnant->complete = complete;
  remnant->wanted = r->wanted;
  remnant->rows = r->rows;
  set_touches(r, remnant, r->latest, count);
}

void run_pass(struct runner *r, struct progress_point *waiting, bool known, const term_id results[2]) {
  struct progress_point s = *waiting;
  const struct instr *in = &body_of(r)->thread->instrs[s.at];
  uint32_t end = body_of(r)->group_end[s.at];
  r->path.regs = s.regs, r->so_far = s.so_far;
  run_begin_instr(r, s.at);
  run_access_fragments(r, s.block, s.at, end);
  r->latest = r->touches.len;
  r->strays = false;
  tiled_touch(r, in);
  bool active = run_meeting(in) == MEETING_ACTIVE && known;
  if (!active) leave_exchange(r, &s, end, known, results && !r->lacks);
  if (known) pass_known(r, in, results);
  else pass_unknown(r, in);
  s.so_far = r->so_far;
  go_to(r, &s, end);
  VEC_PUSH(arena_of(r), &r->pending, s);
}

/* Lets the bytes without a value that an instruction reads have any. */
static void blank(struct runner *r, const struct instr *in) {
  uint64_t where;
  uint32_t at;
  bool loads = in->kind == INSTR_LOAD && run_address(r, &in->addr, &where), maps = !loads && tiled_map(r, in, &where);
  struct region *region = loads || maps ? run_find(r, where, &at) : NULL;
  uint32_t bytes = maps ? (uint32_t)MAP_BYTES : type_bytes(in->type) * in->elements;
  for (uint32_t k = 0; k < bytes && region && at + k < region->size; k++)
    if (memory_byte(region, at + k)->cell == CELL_BLANK) memory_open(region, at + k);
}

void run_blank(struct runner *r, struct progress_point *waiting) {
  r->path.regs = waiting->regs;
  for (uint32_t i = waiting->at; i < body_of(r)->group_end[waiting->at]; i++) {
    run_begin_instr(r, i);
    blank(r, &body_of(r)->thread->instrs[i]);
  }
  VEC_PUSH(arena_of(r), &r->pending, *waiting);
}

void run_give(struct runner *r, uint32_t reg, uint64_t value) {
  run_set(r, reg, term_const(r->walk->terms, value, 64), false);
}

void run_begin(struct runner *r) {
  struct kernel_run *run = r->run;
  struct progress_point s = new_point(run);
  uint32_t loops = run->body.loops.len, registers = run->body.thread->reg_count;
  struct skeleton *skeleton = run->body.skeleton;
  r->walk = ARENA_MAKE(arena_of(r), struct walk, .s = skeleton, .terms = &skeleton->terms, .path = &r->path);
  walk_limit(r->walk, REST_MARKS, arena_of(r));
  r->walk->dependencies = &run->dependencies;
  r->path =
      (struct path){.guard = TERM_TRUE, .reach = TERM_TRUE, .control = run->body.none, .cluster_arrival = NO_PARTNER};
  r->path.regs = s.regs;
  s.arrives = run->body.leader[0];
  s.so_far.counts = COUNTS_NONE;
  s.from = UINT32_MAX;
  for (uint32_t i = 0; i < loops; i++) s.last[i] = NO_BLOCK;
  for (uint32_t i = 0; i < registers; i++) {
    unsigned width = run->body.thread->regs[i].type.width == 1 ? 1 : 64;
    run_set(r, i, term_const(r->walk->terms, 0, width), false);
  }
  s.block = block_add(r, NO_BLOCK, ARENA_ARRAY(arena_of(r), uint32_t, registers), NO_BLOCK);
  VEC_PUSH(arena_of(r), &r->pending, s);
}

static struct mates mates_of(const struct runner *r, uint32_t threads) {
  struct runner **all = r->run->runners.data, **end = VEC_END(&r->run->runners);
  struct mates m = {all + (r->number - all[0]->number), all + (r->number - all[0]->number)};
  while (m.at > all && m.at[-1]->block == r->block && m.at[-1]->tid / threads == r->tid / threads) m.at--;
  while (m.end < end && m.end[0]->block == r->block && m.end[0]->tid / threads == r->tid / threads) m.end++;
  return m;
}

struct mates run_cta_mates(const struct runner *r) {
  return mates_of(r, UINT32_MAX);
}
struct mates run_warp_mates(const struct runner *r) {
  return mates_of(r, WARP_LANES);
}

/* Moves a vector to an arena, without room for more. */
#define SEAL(arena, vec)                                                                                               \
  do {                                                                                                                 \
    const __typeof__(*(vec)) old_ = *(vec);                                                                            \
    (vec)->data = (vec)->len ? ARENA_ARRAY((arena), __typeof__(*(vec)->data), (vec)->len) : NULL;                      \
    if ((vec)->len) memcpy((vec)->data, old_.data, (vec)->len * sizeof *old_.data);                                    \
    (vec)->cap = (vec)->len;                                                                                           \
  } while (0)

bool run_seal(struct kernel_run *run, uint32_t begin, uint32_t end) {
  struct arena *arena = run->memory->kept;
  run->after = (struct walk){.s = run->body.skeleton, .terms = &run->body.skeleton->terms};
  for (uint32_t i = begin; i < end; i++)
    if (run->runners.data[i]->waiting.len || run->runners.data[i]->pending.len) return false;
  for (uint32_t i = begin; i < end; i++) {
    struct runner *r = run->runners.data[i];
    SEAL(arena, &r->touches);
    SEAL(arena, &r->names);
    SEAL(arena, &r->values);
    SEAL(arena, &r->blocks);
    memset(&r->pending, 0, sizeof r->pending);
    memset(&r->waiting, 0, sizeof r->waiting);
    memset(&r->forced, 0, sizeof r->forced);
    r->path.regs = NULL;
    r->walk = &run->after;
    VEC_EACH (block, &r->blocks) {
      block->known = NULL; /* for jumps to it */
      SEAL(arena, &block->code);
    }
  }
  memset(&run->spare, 0, sizeof run->spare);
  return true;
}
