/* Blocks of a thread in execution on constants: the instructions between jumps, and the registers known at their
 * begin. */

#include "kernel/run.h"

/* MOST_TURNS: of a loop in which a thread waits and that constants cannot end. */
enum { OPEN = UINT32_MAX, MOST_TURNS = 1000, FULL = 64, MOST_FORMS = 64 };
#define SEVERAL 0x80000000u /* and a number from learn_few and a sign: one of few values; OPEN: any value */
#define BASED 0xc0000000u   /* and the number of a region: its address and any value (run_touch_anywhere) */
#define LOADED 0xe0000000u  /* and a source: a value that is loaded from there (run_source) */
#define DRAWN 0xf0000000u   /* and a number in `forms`: a value of this form */

static struct arena *arena_of(const struct runner *r) { return r->run->memory->work; }
static const struct body *body_of(const struct runner *r) { return &r->run->body; }

static bool is_same(const struct drawn *a, const struct drawn *b) {
  return a->from == b->from && a->base == b->base && a->scale == b->scale && a->most == b->most &&
         a->limit == b->limit && a->past == b->past && a->begins == b->begins && a->first == b->first;
}

static uint32_t add_form(struct runner *r, struct form form) {
  for (uint32_t i = 0; i < r->forms.len; i++)
    if (r->forms.data[i].base == form.base && is_same(&r->forms.data[i].drawn, &form.drawn)) return i + 1;
  if (r->forms.len == MOST_FORMS) return 0;
  VEC_PUSH(arena_of(r), &r->forms, form);
  return r->forms.len;
}

/* The number of the form of a value, beside the address of a region; from 1 on. 0: it has none. A thread that comes to
 * a block by another path with this number has the value from some execution of the same instruction. */
static uint32_t form_of(struct runner *r, term_id value, const struct region *base) {
  struct drawn drawn;
  if (!run_drawn(r, value, &drawn) || (base && (drawn.base < base->base || drawn.begins))) return 0;
  drawn.past = drawn.past || drawn.from->again;
  if (base) drawn.base -= base->base;
  return add_form(r, (struct form){drawn, base, run_source(r, value)});
}

/* The value of a register at the start of a loop that two paths reach. The first path may bring a constant, and others
 * numbers that are drawn, as where blocks begin with a tile of their own. */
static uint32_t join(struct runner *r, uint32_t before, uint32_t now) {
  const struct form *form = now >= DRAWN && now != OPEN ? &r->forms.data[(now & ~DRAWN) - 1] : NULL;
  const bool formed = before >= DRAWN && before != OPEN;
  if (before == now) return now;
  if (!form || form->base || form->drawn.begins || !form->drawn.past || (before >= SEVERAL && !formed)) return OPEN;
  struct form both = *form;
  both.drawn.begins = true;
  if (formed) both.drawn.first = r->forms.data[(before & ~DRAWN) - 1].drawn.first;
  else both.drawn.first = (uint64_t)term_get(r->walk->terms, before / 2)->constant;
  const uint32_t number = add_form(r, both), joined = number ? DRAWN | number : (uint32_t)OPEN;
  return formed && joined != before ? (uint32_t)OPEN : joined;
}

static uint32_t held(struct runner *r, uint32_t reg) {
  const struct reg_state *state = &r->path.regs[reg];
  if (term_is_const(r->walk->terms, state->value)) return state->value * 2 + state->is_signed;
  uint32_t few = learnt_few(&r->run->body.learning, state->value);
  const struct region *base = few ? NULL : run_base(r, state->value);
  if (few) return SEVERAL | few * 2 | state->is_signed;
  uint32_t from = run_source(r, state->value), form = form_of(r, state->value, base);
  return form ? DRAWN | form : base ? BASED | base->number : from ? LOADED | from : (uint32_t)OPEN;
}

static uint32_t loop_from(const struct runner *r, uint32_t at) {
  for (uint32_t i = 0; i < body_of(r)->loops.len; i++)
    if (body_of(r)->loops.data[i].begin == at) return i;
  return NO_BLOCK;
}

/* The known values at an instruction, of the registers that may matter there, in their order. */
static uint32_t *known_at(struct runner *r, uint32_t at) {
  uint32_t *known = ARENA_ARRAY(arena_of(r), uint32_t, bitset_count(body_of(r)->live[at])), k = 0;
  EACH (i, body_of(r)->live[at]) known[k++] = held(r, i);
  return known;
}

static uint32_t find_block(const struct runner *r, uint32_t at, const uint32_t *known) {
  size_t size = bitset_count(body_of(r)->live[at]) * sizeof *known;
  for (uint32_t i = 0; i < r->blocks.len; i++) {
    const struct block *b = &r->blocks.data[i];
    bool same = b->at == at && b->so_far.canceled == r->so_far.canceled && b->so_far.columns == r->so_far.columns;
    if (same && !b->replaced && memcmp(b->known, known, size) == 0) return i;
  }
  return NO_BLOCK;
}

uint32_t block_add(struct runner *r, uint32_t at, uint32_t *known, uint32_t parent) {
  struct block block = {.at = at, .known = known, .next = {NO_BLOCK, NO_BLOCK}, .parent = parent, .so_far = r->so_far};
  const struct runner *before = r->before;
  if (before && r->blocks.len < before->blocks.len)
    VEC_RESERVE(arena_of(r), &block.code, before->blocks.data[r->blocks.len].code.len);
  VEC_PUSH(arena_of(r), &r->blocks, block);
  return r->blocks.len - 1;
}

void block_close(struct runner *r, uint32_t from, uint32_t to) {
  struct block *b = &r->blocks.data[from];
  b->next[0] = to;
  b->closed = true;
  if (to != NO_BLOCK) r->blocks.data[to].entries++;
}

static const struct region *based_on(const struct runner *r, uint32_t value) {
  return r->run->memory->regions.data[value & ~BASED];
}

/* Registers that are no longer known at a block lose the values of its first arrival. */
static void enter(struct runner *r, struct progress_point *s, uint32_t block) {
  const uint32_t *known = r->blocks.data[block].known;
  EACH (i, body_of(r)->live[s->at]) {
    uint32_t value = *known++;
    if (value < SEVERAL) continue;
    if (!bitset_has(body_of(r)->wanted, i)) {
      run_give_up(r, i);
      continue;
    }
    const struct term *own = term_get(r->walk->terms, r->path.regs[i].value);
    bool few = value < BASED; /* another path may bring a value of another width or sign, but not one of the same few */
    unsigned width = few || body_of(r)->thread->regs[i].type.width == 1 || own->width > FULL ? own->width : FULL;
    const struct form *form = value >= DRAWN && value != OPEN ? &r->forms.data[(value & ~DRAWN) - 1] : NULL;
    const struct region *base = form ? form->base : few || value >= LOADED ? NULL : based_on(r, value);
    term_id any = run_from(r, form ? form->from : value >= LOADED && value < DRAWN ? value & ~LOADED : 0, width);
    if (form) run_mark_drawn(r, any, &form->drawn);
    if (few) learn_leaf(&r->run->body.learning, any, (value & ~SEVERAL) / 2);
    if (base) any = term_binary(r->walk->terms, TERM_ADD, any, term_const(r->walk->terms, base->base, width));
    run_set(r, i, any, few && r->path.regs[i].is_signed);
  }
  s->block = block;
  s->arrives = false;
}

/* Before a jump to a block that knows fewer registers, moves set the registers that the block takes for unknown. */
static void move_known(struct runner *r, uint32_t from, uint32_t to, const uint32_t *before) {
  const uint32_t *after = r->blocks.data[to].known;
  const struct thread *thread = body_of(r)->thread;
  uint32_t at = r->blocks.data[to].at;
  struct span span = thread->instrs[at < thread->instr_count ? at : 0].span;
  uint32_t k = 0;
  EACH (i, body_of(r)->live[at]) {
    struct reg_state value = {.value = before[k] / 2, .is_signed = before[k] % 2};
    if (before[k] < SEVERAL && after[k] >= SEVERAL) remnant_move(r, from, i, value, span);
    k++;
  }
}

/* Widens a loop that only memory ends: its blocks begin with fewer known registers. Block `before` becomes a jump into
 * the wider loop, unless it is in that loop already. */
static uint32_t widen(struct runner *r, uint32_t before, const uint32_t *known) {
  struct block *b = &r->blocks.data[before];
  uint32_t count = bitset_count(body_of(r)->live[b->at]), *less = ARENA_ARRAY(arena_of(r), uint32_t, count);
  VEC_VALUES (draw, &r->draws) draw->stale = true;
  for (uint32_t i = 0; i < count; i++) less[i] = join(r, b->known[i], known[i]);
  uint32_t found = find_block(r, b->at, less);
  if (found == before) return before;
  uint32_t to = found == NO_BLOCK ? block_add(r, b->at, less, b->parent) : found;
  b = &r->blocks.data[before];
  epochs_join(r, &r->blocks.data[to], &b->so_far);
  b->code.len = 0;
  b->replaced = r->widened = true;
  b->guard = false;
  b->next[0] = b->next[1] = NO_BLOCK;
  move_known(r, before, to, b->known);
  block_close(r, before, to);
  return to;
}

/* The iterations to write out of a loop that only memory ends. If a thread stays in it while the numbers that it draws
 * are below a limit, as in a kernel that draws tiles from a counter, a thread that drew all of them needs one more
 * iteration to leave. This is only a guess: if it is too low, an execution reaches the cut. */
static uint32_t most_turns(const struct runner *r, uint32_t loop) {
  enum { USUAL = 4 };
  uint32_t asked = r->run->x->options->unroll, limit = body_of(r)->limit[loop];
  return asked ? asked : limit ? limit + 1 : USUAL;
}

/* An asynchronous operation, or one on an mbarrier object, of a loop that has one and is unrolled for that reason. */
static uint32_t work_of(const struct runner *r, const struct cycle *loop) {
  EACH (i, loop->has) {
    enum instr_kind kind = body_of(r)->thread->instrs[i].kind;
    if (kind == INSTR_ASYNC || kind == INSTR_MBARRIER) return i;
  }
  BUG("no operation in a loop that works");
}

struct litmus_instr *block_refuse(struct runner *r, uint32_t from, uint32_t at, const struct reason *why) {
  struct litmus_instr *instr = remnant_refused(r, at, why);
  uint32_t to = block_add(r, NO_BLOCK, NULL, from);
  VEC_PUSH(arena_of(r), &r->blocks.data[to].code, (struct remnant){.instr = instr, .begin = at, .end = at + 1});
  block_close(r, from, to);
  block_close(r, to, NO_BLOCK);
  return instr;
}

/* Ends the unrolled iterations: the execution is not followed past this point. */
static void cut(struct runner *r, uint32_t from, uint32_t loop) {
  uint32_t at = work_of(r, &body_of(r)->loops.data[loop]);
  block_refuse(r, from, at, reason_get(REASON_BOUND))->note =
      arena_printf(r->run->x->parse.arena, "the loop goes on here; --unroll %u cuts it", most_turns(r, loop));
}

bool block_arrive(struct runner *r, struct progress_point *s) {
  uint32_t *known = known_at(r, s->at), loop = loop_from(r, s->at), from = s->block, to = find_block(r, s->at, known);
  epochs_enter(r, s->at);
  bool again = loop != NO_BLOCK && s->last[loop] != NO_BLOCK && bitset_has((body_of(r)->loops.data[loop]).has, s->from);
  bool fresh = to == NO_BLOCK;
  uint32_t *unrolled = &r->run->x->parse.test->unrolled;
  bool turns = loop != NO_BLOCK && r->run->memory->by_turns && body_of(r)->works[loop];
  if (turns && most_turns(r, loop) > *unrolled) *unrolled = most_turns(r, loop);
  if (turns && !again) s->turns[loop] = 0;
  if (turns && again && to != s->last[loop] && !s->decided[loop] && ++s->turns[loop] >= most_turns(r, loop)) {
    cut(r, from, loop);
    return false;
  }
  bool polls = again && !turns && body_of(r)->waits[loop] && (s->polled[loop] || ++s->turns[loop] > MOST_TURNS);
  if (fresh && again && !turns && (polls || !s->decided[loop])) {
    uint32_t count = r->blocks.len;
    to = widen(r, s->last[loop], known);
    if (!r->blocks.data[from].replaced) move_known(r, from, to, known); /* the iteration of one block is gone */
    fresh = r->blocks.len > count;
  } else if (fresh) {
    to = block_add(r, s->at, known, from);
  }
  if (!r->blocks.data[from].replaced) block_close(r, from, to);
  epochs_join(r, &r->blocks.data[to], &r->so_far);
  if (!fresh) return false;
  if (loop != NO_BLOCK) s->last[loop] = to, s->decided[loop] = s->polled[loop] = false;
  enter(r, s, to);
  return true;
}

bool block_is_obsolete(const struct runner *r, uint32_t block) {
  for (; r->widened && block != NO_BLOCK; block = r->blocks.data[block].parent) {
    const struct block *b = &r->blocks.data[block];
    if (b->replaced) return true;
    if (b->entries > 1) return false;
  }
  return false;
}
