/* Instructions that only compute values which no address, branch, barrier or exchange needs, through registers or
 * memory: threads pass them by if the test asks for no value (docs/semantics.md K3, K14). Flow-insensitive; memory is
 * classes of bytes: local memory, each variable of shared memory, each location.
 *
 * An instruction accesses those classes in which some thread has accessed bytes there so far. An access in one more
 * may make values needed that threads passed by: then all run again. Threads that end without one have computed all
 * that is needed: the first needed value that they lack would come from bytes of a class which the instruction that
 * stored it was not noted for. */
#include "kernel/needs.h"

#include "ptx/isa.h"

/* The items of the slice: classes of memory, then the registers of each kernel. Variables of shared memory are in the
 * order of launching.shared; then come locations and others by the number of their region. */
enum { CLASS_LOCAL, CLASS_SHARED };

struct wanting {
  struct value_rules rules; /* of the present kernel */
  struct flow_slice slice;
  struct launching *launch;
  const struct body *body;
  bool more; /* is wanted than before */
};

static void note(struct kernel_run *run, const struct instr *in, uint32_t first, uint32_t count) {
  const uint32_t row = (uint32_t)(in - run->body.thread->instrs) * run->launch->classes;
  for (uint32_t c = row + first; c < row + first + count; c++) {
    if (bitset_has(run->body.accesses, c)) continue;
    bitset_add(run->body.accesses, c);
    run->launch->noted = true;
  }
}

void needless_note(struct kernel_run *run, const struct instr *in, const struct region *region, uint64_t address,
                   uint32_t bytes) {
  const struct launching *l = run->launch;
  const bool local = address >= LOCAL_BASE && address < SHARED_BASE;
  const enum space space = region ? region->space : local ? SPACE_LOCAL : SPACE_SHARED;
  const uint32_t at = (uint32_t)(address % SHARED_WINDOW), end = at + bytes;
  bool inside = false;
  for (uint32_t i = 0; i < l->shared.len && space == SPACE_SHARED; i++) {
    const struct shared_variable *v = &l->shared.data[i];
    if (v->run != run || at >= v->at + v->bytes || v->at >= end) continue;
    note(run, in, CLASS_SHARED + i, 1);
    inside = inside || (at >= v->at && end <= v->at + v->bytes);
  }
  if (!inside) needless_note_any(run, in, region, space);
}

/* Parameters never change. */
void needless_note_any(struct kernel_run *run, const struct instr *in, const struct region *region, enum space space) {
  const uint32_t shared = run->launch->shared.len;
  if (region) space = region->space;
  if (space == SPACE_SHARED) note(run, in, CLASS_SHARED, shared);
  else if (space == SPACE_LOCAL) note(run, in, CLASS_LOCAL, 1);
  else if (!region || region->replicas) note(run, in, 0, run->launch->classes);
  else if (space != SPACE_PARAM) note(run, in, CLASS_SHARED + shared + region->number, 1);
}

/* The classes that an instruction accesses. Some operations count as moving bytes from any class to others. */
static void find_classes(struct wanting *w, const struct instr *in) {
  const bool copies = in->kind == INSTR_ASYNC && (in->async->action == ASYNC_COPY || in->async->action == ASYNC_BULK);
  const bool moves = (in->kind == INSTR_ASYNC && !copies) || in->kind == INSTR_MULTIMEM || in->tiled == TILED_COPY ||
                     in->tiled == TILED_PRODUCT;
  const uint32_t classes = w->launch->classes, row = (uint32_t)(in - w->body->thread->instrs) * classes;
  const struct slice_items all = {0, classes}, shared = {CLASS_SHARED, w->launch->shared.len};
  w->rules.memory.len = 0;
  if (moves || in->tiled == TILED_ROWS) VEC_PUSH(w->slice.arena, &w->rules.memory, moves ? all : shared);
  for (uint32_t c = row; (c = bitset_next(w->body->accesses, c)) < row + classes; c++)
    VEC_PUSH(w->slice.arena, &w->rules.memory, ((struct slice_items){c - row, 1}));
}

/* It accesses no memory, meets no other threads and exchanges no values. */
static bool computes(const struct instr *in) {
  const bool alone = run_meeting(in) == MEETING_NONE && in->tiled == TILED_NONE && !aligned_of(in->ast);
  return instr_only_computes(in) && in->form != FORM_TEXTURE && alone;
}

static void want(struct wanting *w, uint32_t reg) { slice_want(&w->slice, w->rules.regs + reg, 1); }

static void want_all(struct wanting *w, const struct instr *in) {
  EACH_READ (reg, in) want(w, reg);
}

/* The value that a lane brings matters with the result; the others decide who takes part. */
static void add_exchange(struct wanting *w, const struct instr *in) {
  struct instr bare = *in;
  bare.src[0] = (struct operand){0};
  want_all(w, &bare);
  slice_rule(&w->slice);
  slice_if_written(&w->slice, in, w->rules.regs);
  if (in->src[0].kind == OPERAND_REG) slice_then(&w->slice, w->rules.regs + in->src[0].reg, 1);
}

static void add_rules(struct wanting *w, const struct instr *in) {
  const struct named_regs *n = in->tiled == TILED_ROWS ? in->named : NULL;
  bool maps = maps_replaces(in) || maps_copies(in); /* the bytes of a tensor map decide accesses */
  if (maps) slice_want(&w->slice, 0, w->launch->classes), want_all(w, in);
  for (uint32_t i = n ? n->begin[NAMED_PLACE] : 0; n && i < n->begin[NAMED_VALUE]; i++) want(w, n->regs[i]);
  w->rules.results = in;
  find_classes(w, in);
  if (is_exchange(in)) add_exchange(w, in);
  const uint32_t at = (uint32_t)(in - w->body->thread->instrs);
  if (in->alu == ALU_SELP && w->body->discards[at]) want(w, discards_decider(w->body, at));
  rules_add_part(&w->rules, in);
  rules_add_effect(&w->rules, in);
}

/* Accesses to the registers of products count (AG3, AG4). */
static bool is_of_product(const struct wanting *w, const struct instr *in, const uint32_t *accumulators) {
  return SOME(EACH_READ (reg, in), accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG) ||
         SOME(EACH_WRITTEN (reg, in), accumulators[reg] != NO_REG || w->body->fragments[reg] != NO_REG);
}

static bool matters(struct wanting *w, const struct instr *in) {
  find_classes(w, in);
  return SOME(VEC_EACH (items, &w->rules.memory), slice_has(&w->slice, items->first, items->count));
}

/* Instructions that are lowered from one of the source are passed by together. */
static void mark(struct wanting *w, struct body *b) {
  struct arena *arena = w->launch->memory.arena;
  const uint32_t *accumulators = tiled_accumulators(w->slice.arena, b), count = b->thread->instr_count;
  const struct body before = *b;
  w->body = b;
  b->needless = ARENA_ARRAY(arena, bool, count + 1);
  b->matters = ARENA_ARRAY(arena, bool, count + 1);
  b->wanted = bitset_new(arena, b->thread->reg_count + 1);
  for (uint32_t i = 0; i <= b->thread->reg_count; i++)
    if (slice_has(&w->slice, w->rules.regs + i, 1)) bitset_add(b->wanted, i);
  for (uint32_t i = 0, end; i < count; i = end) {
    end = b->group_end[i];
    b->needless[i] = true;
    for (uint32_t k = i; k < end; k++) {
      const struct instr *in = &b->thread->instrs[k];
      const bool own = !instr_gives(in, b->wanted) && computes(in) && !is_of_product(w, in, accumulators);
      b->needless[i] = b->needless[i] && own && !b->discards[k];
      b->matters[k] = matters(w, in);
    }
  }
  w->more = w->more || (before.needless && (memcmp(b->matters, before.matters, count) ||
                                            memcmp(b->wanted.words, before.wanted.words,
                                                   bitset_words(before.wanted.n) * sizeof *before.wanted.words)));
  w->rules.regs += b->thread->reg_count + 1;
}

bool needless_find(struct launching *l, bool all) {
  if (!l->classes) l->classes = CLASS_SHARED + l->shared.len + l->memory.regions.len;
  uint32_t items = l->classes;
  VEC_VALUES (run, &l->runs) {
    items += run->body.thread->reg_count + 1;
    const uint32_t places = run->body.thread->instr_count * l->classes;
    if (!run->body.accesses.n) run->body.accesses = bitset_new(l->memory.arena, places);
  }
  struct arena *arena = arena_scratch(l->memory.arena);
  struct wanting w = {.launch = l, .slice = slice_new(arena, items)};
  w.rules = (struct value_rules){.slice = &w.slice, .regs = l->classes, .to_run = true, .result_count = 1};
  if (all) slice_want(&w.slice, 0, items);
  VEC_VALUES (run, &l->runs) {
    w.body = &run->body;
    ARRAY_EACH (in, run->body.thread->instrs, run->body.thread->instr_count) add_rules(&w, in);
    w.rules.regs += run->body.thread->reg_count + 1;
  }
  slice_close(&w.slice);
  w.rules.regs = l->classes;
  VEC_VALUES (run, &l->runs) mark(&w, &run->body);
  arena_release(arena);
  l->all_needed = all, l->noted = false;
  return w.more;
}

bool needless_grows(struct launching *l) { return l->noted && needless_find(l, l->all_needed); }

bool needless_here(const struct runner *r, uint32_t begin, uint32_t end) {
  bool all = true;
  if (!r->run->body.needless[begin]) return false;
  for (uint32_t i = begin; i < end; i++) {
    const struct instr *in = &r->run->body.thread->instrs[i];
    all = all && in->kind == INSTR_ALU && !in->guard.present && run_is_known(r, in);
  }
  return !all;
}
