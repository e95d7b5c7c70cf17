/* Finds the warps and warpgroups whose lanes may not come together where they must (docs/semantics.md B5, K5): at
 * .aligned instructions, at barriers, and at exchanges that some lane of the mask does not reach.
 *
 * The lanes of a warp come together if the instructions at which they meet are the same for all of them, in one order,
 * on every path: constants decide that, or branches on values from memory make no difference to it. If they do not, one
 * lane of each group in the warp becomes a column (two if the group itself may part), and a mark before each aligned
 * instruction gives the number of the instruction in the module, so that the skeleton compares these columns
 * (exec/aligned.c). Warps of a block whose lanes have the same paths are alike: one of them is enough.
 *
 * Lanes whose lists differ come together too if a run of the lists alone shows it: each list is the same on all paths,
 * so nobody's values and nobody's speed can change where a lane waits next, and for whom. */
#include "kernel/columns.h"

enum { WARPGROUP = 128, WARPS = WARPGROUP / WARP_LANES };

/* The instructions at which lanes meet. */
enum asked {
  ASKED_ALIGNED,   /* those with .aligned */
  ASKED_MEETINGS,  /* also other barriers, and exchanges that not all lanes of the mask reach */
  ASKED_WARPGROUP, /* those of a warpgroup */
};

static const struct instr *instr_of(const struct runner *r, const struct remnant *remnant) {
  return remnant->instr && !remnant->instr->refused ? remnant_source(r, remnant) : NULL;
}

static bool is_asked(const struct instr *in, const struct remnant *remnant, enum asked asked) {
  if (!in || maps_copies(in)) return false; /* one lane runs the copy of a map for its warp (run.c) */
  enum aligned aligned = aligned_of(in->ast);
  if (asked == ASKED_WARPGROUP) return aligned == ALIGNED_WARPGROUP;
  if (asked == ASKED_ALIGNED || aligned) return aligned;
  enum meeting_kind kind = run_meeting(in);
  if (kind == MEETING_EXCHANGE || kind == MEETING_ELECT) return !remnant->complete;
  return in->kind == INSTR_BARRIER;
}

/* ---- the instructions at which a thread meets others, on all of its paths */

enum { OPEN = 1, ENDS = 2 }; /* summaries; OPEN: paths differ; 0: not known yet; others: the hash of a list */

static uint64_t join(uint64_t a, uint64_t b) { return !a || a == b ? b : !b ? a : (uint64_t)OPEN; }

static uint64_t before(const struct runner *r, const struct block *b, uint64_t after, enum asked asked) {
  for (uint32_t k = b->code.len; k-- > 0 && after;) {
    const struct remnant *remnant = &b->code.data[k];
    const struct instr *in = instr_of(r, remnant);
    if (!is_asked(in, remnant, asked)) continue;
    if (remnant->instr->guard) return OPEN;
    if (after != OPEN) after = hash_mix(after, (uint64_t)(uintptr_t)in->ast) | 4;
  }
  return after;
}

/* The summary at a branch. Threads of a CTA decide one on settled states alike. */
static uint64_t after_branch(const struct block *b, uint64_t other, uint64_t taken) {
  if (!b->settled || other == taken) return join(other, taken);
  if (!other || !taken) return 0;
  if (other == OPEN || taken == OPEN) return OPEN;
  return hash_mix(hash_mix(hash_mix(b->settled, b->split), other), taken) | 4;
}

struct summing {
  struct runner *runner;
  struct block_order order;
  enum asked asked;
  bool named;      /* an unconditional way back leads to a name, too */
  uint32_t *heads; /* by place to which a way leads back: its name, as the n-th of them; 0: none leads there */
  bool *used;      /* by place: the name stands for a summary */
  uint64_t *of;    /* by block: its summary */
};

static uint64_t name_of(const struct summing *s, uint32_t place) { return hash_mix(ENDS, s->heads[place]) | 4; }

/* The summary where the n-th way from a block leads. If all lanes decide alike to go back, or one on the way there has
 * no choice, or its other way goes back there too, the name of the place is enough: they do the same once more. */
static uint64_t at_end(const struct summing *s, uint32_t place, uint32_t n) {
  const struct block *b = &s->runner->blocks.data[s->order.blocks.data[place]];
  const uint32_t other = b->guard ? b->next[1 - n] : (uint32_t)NO_BLOCK;
  if (b->next[n] == NO_BLOCK) return ENDS;
  const uint32_t to = s->order.place[b->next[n]];
  if (to > place) return s->of[b->next[n]];
  const bool same = s->named && other != NO_BLOCK && s->of[other] == name_of(s, to);
  if (!same && !(b->guard ? b->settled != 0 : s->named)) return s->of[b->next[n]];
  s->used[to] = true;
  return name_of(s, to);
}

static uint64_t sum_block(const struct summing *s, uint32_t place) {
  const struct block *b = &s->runner->blocks.data[s->order.blocks.data[place]];
  uint64_t after = at_end(s, place, 0);
  if (b->guard) after = after_branch(b, after, at_end(s, place, 1));
  uint64_t now = before(s->runner, b, after, s->asked);
  return s->used[place] && now && now != OPEN ? hash_mix(now, s->heads[place]) | 4 : now;
}

/* 0: the ways back of some loop have no name. */
static uint64_t sum_blocks(struct arena *arena, struct summing *s) {
  s->of = ARENA_ARRAY(arena, uint64_t, s->runner->blocks.len);
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t i = s->order.blocks.len; i-- > 0;) {
      uint64_t *own = &s->of[s->order.blocks.data[i]], now = join(*own, sum_block(s, i));
      changed = changed || now != *own;
      *own = now;
    }
  }
  return s->order.blocks.len ? s->of[s->order.blocks.data[0]] : (uint64_t)ENDS;
}

/* Gives names that do not depend on blocks without meetings, of which lanes may have different ones. */
static void name_heads(struct arena *arena, struct summing *s) {
  uint32_t count = 0;
  s->heads = ARENA_ARRAY(arena, uint32_t, s->order.blocks.len + 1);
  s->used = ARENA_ARRAY(arena, bool, s->order.blocks.len + 1);
  for (uint32_t i = 0; i < s->order.blocks.len; i++)
    for (uint32_t n = 0; n < 2; n++) {
      const uint32_t to = s->runner->blocks.data[s->order.blocks.data[i]].next[n];
      if (to != NO_BLOCK && s->order.place[to] <= i) s->heads[s->order.place[to]] = 1;
    }
  for (uint32_t i = 0; i < s->order.blocks.len; i++)
    if (s->heads[i]) s->heads[i] = ++count;
}

static uint64_t summary_of(struct arena *arena, struct summing s) {
  name_heads(arena, &s);
  uint64_t summary = sum_blocks(arena, &s);
  s.named = true;
  if (!summary) summary = sum_blocks(arena, &s);
  return summary ? summary : (uint64_t)OPEN;
}

/* ---- the threads of a kernel */

struct lanes {
  struct launching *launch;
  struct kernel_run *run;
  const uint64_t *groups; /* by runner */
  uint64_t *summaries[3]; /* by what is asked and runner */
  bool *marked;           /* by runner */
  VEC(uint64_t) seen;     /* warps that others are like */
  bool added;
};

static uint32_t end_of(const struct lanes *w, uint32_t first, uint32_t threads) {
  const struct runner *r = w->run->runners.data[first];
  uint32_t last = first;
  for (; last < w->run->runners.len; last++) {
    const struct runner *other = w->run->runners.data[last];
    if (other->block != r->block || other->tid / threads != r->tid / threads) break;
  }
  return last;
}

static bool agree(const struct lanes *w, uint32_t first, uint32_t last, enum asked asked) {
  const uint64_t *of = w->summaries[asked];
  return !SOME(for (uint32_t i = first; i < last; i++), of[i] != of[first] || of[i] == OPEN);
}

static bool is_seen(struct lanes *w, uint32_t first, uint32_t last, uint32_t threads) {
  uint64_t hash = threads;
  for (uint32_t i = first; i < last; i++) hash = hash_mix(hash, w->groups[i]);
  VEC_VALUES (other, &w->seen)
    if (other == hash) return true;
  VEC_PUSH(w->launch->memory.arena, &w->seen, hash);
  return false;
}

static bool is_warp_barrier(const struct instr *in) {
  return in && in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_WARP;
}

/* True if lanes of a warp wait at barriers for different sets of lanes, or for unknown ones. */
static bool masks_differ(const struct lanes *w, uint32_t first, uint32_t last) {
  uint32_t one = 0, mask;
  for (uint32_t i = first; i < last; i++)
    EACH_REMNANT (remnant, w->run->runners.data[i]) {
      const struct runner *r = w->run->runners.data[i];
      if (!is_warp_barrier(instr_of(r, remnant))) continue;
      if (!remnant_number(r, remnant, remnant->instr->operands, &mask) || (one && one != mask)) return true;
      one = mask;
    }
  return false;
}

/* ---- a run of the lists of a warp */

struct list_walk {
  struct summing summing;
  struct place_of_lane {
    uint32_t block, index;
  } next;
  const struct remnant *at; /* where it waits; NULL: it has ended */
};

/* False: the ways of a branch have different lists; the lane waits on. */
static bool go_on(struct list_walk *lane) {
  const struct summing *s = &lane->summing;
  while (lane->next.block != NO_BLOCK) {
    const struct block *b = &s->runner->blocks.data[lane->next.block];
    while (lane->next.index < b->code.len) {
      const struct remnant *remnant = &b->code.data[lane->next.index++];
      if (!is_asked(instr_of(s->runner, remnant), remnant, ASKED_MEETINGS)) continue;
      lane->at = remnant;
      return true;
    }
    uint32_t place = s->order.place[lane->next.block];
    if (b->guard && at_end(s, place, 0) != at_end(s, place, 1)) return false;
    lane->next = (struct place_of_lane){b->next[0], 0};
  }
  lane->at = NULL;
  return true;
}

/* False: it has loops, or several lists. */
static bool begin(struct arena *arena, struct runner *r, struct list_walk *out) {
  *out = (struct list_walk){.summing = {.runner = r, .asked = ASKED_MEETINGS}};
  struct summing *s = &out->summing;
  columns_order(r, &s->order);
  for (uint32_t i = 0; i < s->order.blocks.len; i++)
    for (uint32_t n = 0; n < 2; n++) {
      uint32_t to = r->blocks.data[s->order.blocks.data[i]].next[n];
      if (to != NO_BLOCK && s->order.place[to] <= i) return false;
    }
  name_heads(arena, s);
  return sum_blocks(arena, s) > OPEN && go_on(out);
}

/* The lanes for which one waits, of `all` of its warp; 0: unknown, or the lists do not decide it. */
static uint32_t awaited(const struct list_walk *lane, uint32_t all) {
  const struct instr *in = instr_of(lane->summing.runner, lane->at);
  enum meeting_kind kind = run_meeting(in);
  if (kind == MEETING_EXCHANGE || kind == MEETING_ELECT) return 0;
  if (!is_warp_barrier(in)) return all;
  uint32_t mask;
  return remnant_number(lane->summing.runner, lane->at, lane->at->instr->operands, &mask) ? mask : 0;
}

/* True if the lanes that this one waits for have come: to barriers for the same lanes, or else to its instruction. A
 * lane that has ended does not come, whatever is said of such lanes (G94). */
static bool have_come(const struct list_walk *lanes, uint32_t own, uint32_t mask, uint32_t all) {
  const struct instr *in = instr_of(lanes[own].summing.runner, lanes[own].at);
  bool come = mask >> own & 1;
  for (uint32_t i = 0; i < WARP_LANES && come; i++) {
    if (!(mask >> i & 1)) continue;
    const struct instr *other = lanes[i].at ? instr_of(lanes[i].summing.runner, lanes[i].at) : NULL;
    come = other &&
           (is_warp_barrier(in) ? is_warp_barrier(other) && awaited(&lanes[i], all) == mask : other->ast == in->ast);
  }
  return come;
}

/* True if some lanes that wait for one another went on. */
static bool step(struct list_walk *lanes, uint32_t all) {
  for (uint32_t own = 0; own < WARP_LANES; own++) {
    uint32_t mask = lanes[own].at ? awaited(&lanes[own], all) : 0;
    bool goes = mask && have_come(lanes, own, mask, all);
    for (uint32_t i = 0; i < WARP_LANES && goes; i++)
      if (mask >> i & 1 && !go_on(&lanes[i])) return false;
    if (goes) return true;
  }
  return false;
}

/* True if the lanes, each by its own list, come together wherever they must. */
static bool come_together(const struct lanes *w, uint32_t first, uint32_t last) {
  struct arena *arena = w->launch->memory.arena;
  struct list_walk *lanes = ARENA_ARRAY(arena, struct list_walk, WARP_LANES);
  uint32_t all = 0;
  for (uint32_t i = first; i < last; i++) {
    struct runner *r = w->run->runners.data[i];
    all |= 1u << r->tid % WARP_LANES;
    if (!begin(arena, r, &lanes[r->tid % WARP_LANES])) return false;
  }
  while (step(lanes, all)) continue;
  return !SOME_BELOW(i, WARP_LANES, lanes[i].at);
}

/* Makes lanes of a warp columns, so that each group in it has one, or two if its members may part; `each`: all lanes.
 * False: there would be too many columns. */
static bool represent(struct lanes *w, uint32_t first, uint32_t last, bool each) {
  for (uint32_t i = first; i < last; i++) {
    struct runner *r = w->run->runners.data[i];
    uint32_t has = 0, wanted = w->summaries[ASKED_MEETINGS][i] == OPEN ? 2 : 1;
    for (uint32_t k = first; k < last; k++) has += w->groups[k] == w->groups[i] && w->run->runners.data[k]->column;
    if (r->column || (has >= wanted && !each)) continue;
    if (!groups_add_column(w->run, r)) return false;
    w->added = true;
  }
  return true;
}

/* Puts a mark before each aligned instruction, or refuses it. */
static void mark(struct launching *l, struct runner *r, struct block *b, bool refused) {
  struct litmus_parse *parse = &l->x->parse;
  VEC(struct remnant) code = {0};
  VEC_EACH (remnant, &b->code) {
    const struct instr *in = instr_of(r, remnant);
    if (is_asked(in, remnant, ASKED_ALIGNED)) {
      struct remnant mark = {.begin = remnant->begin, .end = remnant->begin};
      struct litmus_operand *number = litmus_number_of(parse, remnant->begin, remnant->instr->span);
      const char *words = aligned_mark(aligned_of(in->ast), l->memory.arena);
      mark.instr = litmus_instr_of(parse, words, number, remnant->instr->span);
      mark.instr->guard = remnant->instr->guard;
      mark.instr->guard_negated = remnant->instr->guard_negated;
      if (refused) mark.instr->refused = reason_get(REASON_MANY_COLUMNS);
      VEC_PUSH(l->memory.arena, &code, mark);
    }
    VEC_PUSH(l->memory.arena, &code, *remnant);
  }
  memcpy(&b->code, &code, sizeof code);
}

static void mark_all(struct lanes *w, uint32_t first, uint32_t last, bool refused) {
  for (uint32_t i = first; i < last; i++) {
    struct runner *r = w->run->runners.data[i];
    for (uint32_t b = 0; b < r->blocks.len && !w->marked[i]; b++) mark(w->launch, r, &r->blocks.data[b], refused);
    w->marked[i] = true;
  }
}

static void look_at_warp(struct lanes *w, uint32_t first, uint32_t last) {
  bool aligned = agree(w, first, last, ASKED_ALIGNED);
  if ((aligned && agree(w, first, last, ASKED_MEETINGS)) || is_seen(w, first, last, WARP_LANES)) return;
  if (come_together(w, first, last)) return;
  bool each = masks_differ(w, first, last), room = represent(w, first, last, each);
  if (!aligned || !room) mark_all(w, first, last, !room);
  for (uint32_t i = first; i < last && each && !room; i++)
    EACH_REMNANT (remnant, w->run->runners.data[i])
      if (w->run->runners.data[i]->column && is_warp_barrier(instr_of(w->run->runners.data[i], remnant)))
        remnant->instr->refused = reason_get(REASON_MANY_COLUMNS);
}

/* A launch whose block ends in the warpgroup has warps that do not come. */
static bool lacks_warps(const struct lanes *w, uint32_t first, uint32_t last) {
  return !w->run->kernel->threads && last - first <= WARPGROUP - WARP_LANES &&
         w->summaries[ASKED_WARPGROUP][first] != ENDS;
}

static void look_at_warpgroup(struct lanes *w, uint32_t first, uint32_t last) {
  bool lacks = lacks_warps(w, first, last);
  if ((agree(w, first, last, ASKED_WARPGROUP) && !lacks) || is_seen(w, first, last, WARPGROUP)) return;
  bool room = true;
  for (uint32_t i = first, end; i < last; i = end) {
    end = end_of(w, i, WARP_LANES);
    room = represent(w, i, end, false) && room;
  }
  mark_all(w, first, last, !room);
  for (uint32_t i = first; i < last && lacks; i++)
    EACH_REMNANT (remnant, w->run->runners.data[i])
      if (remnant->instr && aligned_is_mark(remnant->instr) && aligned_of(remnant->instr) == ALIGNED_WARPGROUP)
        remnant->instr->refused = reason_get(REASON_DIVERGENT_MATRIX);
}

static bool has_warpgroups(const struct body *body) {
  return SOME(ARRAY_EACH (in, body->thread->instrs, body->thread->instr_count),
              aligned_of(in->ast) == ALIGNED_WARPGROUP);
}

static void look_at_kernel(struct launching *l, struct kernel_run *run) {
  struct arena *arena = l->memory.arena;
  uint32_t count = run->runners.len;
  struct lanes w = {.launch = l, .run = run, .groups = groups_of(l, run), .marked = ARENA_ARRAY(arena, bool, count)};
  const uint32_t asked = has_warpgroups(&run->body) ? ASKED_WARPGROUP : ASKED_MEETINGS;
  for (uint32_t a = ASKED_ALIGNED; a <= asked; a++) w.summaries[a] = ARENA_ARRAY(arena, uint64_t, count);
  for (uint32_t i = 0; i < count; i++) {
    const struct arena_mark mark = arena_mark(arena);
    struct summing s = {.runner = run->runners.data[i]};
    columns_order(s.runner, &s.order);
    for (; s.asked <= asked; s.asked++) w.summaries[s.asked][i] = summary_of(arena, s);
    arena_rewind(arena, mark);
  }
  for (uint32_t i = 0, end; i < count && asked == ASKED_WARPGROUP; i = end)
    look_at_warpgroup(&w, i, end = end_of(&w, i, WARPGROUP));
  for (uint32_t i = 0, end; i < count; i = end) look_at_warp(&w, i, end = end_of(&w, i, WARP_LANES));
  if (w.added) groups_update(l);
}

void together_look(struct launching *l) {
  VEC_VALUES (run, &l->runs) look_at_kernel(l, run);
}
