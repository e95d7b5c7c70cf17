#include "kernel/needs.h"

/* ---- What is left of an instruction */

bool remnant_reaches_anywhere(const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    if (touch->open) return true;
  return false;
}

bool only_computes(const struct instr *in) { return instr_only_computes(in) && run_meeting(in) != MEETING_ELECT; }

bool remnant_only_computes(const struct runner *r, const struct remnant *remnant) {
  for (uint32_t i = remnant->begin; i < remnant->end; i++)
    if (!only_computes(&r->run->body.thread->instrs[i])) return false;
  return true;
}

bool is_exchange(const struct instr *in) { return in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES; }

static bool reduces_replicas(const struct instr *in) {
  return in->kind == INSTR_MULTIMEM && in->multimem->action == MULTIMEM_LOAD_REDUCE;
}

static bool stores_cells(const struct instr *in) {
  return in->kind == INSTR_ASYNC && in->async->action == ASYNC_TENSOR_STORE;
}

/* True for st.async, red.async and tcgen05.st, whose values come from registers. */
static bool is_async_store(const struct instr *in) {
  return stores_cells(in) || (in->kind == INSTR_ASYNC && in->async->action == ASYNC_STORE);
}

bool is_write(const struct instr *in) {
  return in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED || tiled_kind(in) == TILED_ROWS ||
         (in->kind == INSTR_MULTIMEM && !reduces_replicas(in)) || is_async_store(in);
}

static bool is_read(const struct instr *in) {
  return in->kind == INSTR_LOAD || in->kind == INSTR_ATOM || reduces_replicas(in) || tiled_kind(in) == TILED_ROWS;
}

static bool is_copy(const struct instr *in) {
  enum tiled_kind kind = tiled_kind(in);
  return in->kind == INSTR_ASYNC || kind == TILED_COPY || kind == TILED_PRODUCT;
}

/* ---- Rules: what is needed if something else is */

static const struct thread *thread_of(const struct column_needs *c) { return c->runner->run->body.thread; }

static void want_reg(struct column_needs *c, uint32_t reg) {
  if (reg != NO_REG) slice_want(&c->all->slice, c->regs + reg, 1);
}

/* The register that has the address of rows outside every location. */
static void want_rows(struct column_needs *c, const struct remnant *remnant) {
  for (const struct litmus_operand *o = remnant->instr->operands; o; o = o->next)
    if (o->kind == LITMUS_TENSOR && o->u.tensor.ref.percent)
      want_reg(c, body_register(&c->runner->run->body, o->u.tensor.ref.name));
}

static void want_operand(struct column_needs *c, const struct operand *operand) {
  if (operand->kind == OPERAND_REG) want_reg(c, operand->reg);
}

static void want_sources(struct column_needs *c, const struct instr *in) {
  EACH_READ (reg, in) want_reg(c, reg);
}

/* The sources of an operation other than the values that it stores. */
static void want_places(struct column_needs *c, const struct instr *in) {
  struct async async = *in->async;
  struct instr bare = *in;
  memset(bare.src, 0, sizeof bare.src);
  async.tensor = NULL; /* a tcgen05.st has only values there */
  bare.async = &async;
  want_sources(c, &bare);
}

static void if_result(struct column_needs *c, const struct remnant *remnant) {
  for (uint32_t i = remnant->begin; i < remnant->end && !remnant->folded; i++)
    slice_if_written(&c->all->slice, &thread_of(c)->instrs[i], c->regs);
}

/* The items of the bytes that an access may have. */
static struct slice_items bytes_of(const struct column_needs *c, const struct touch *touch) {
  uint32_t end = reach_end(touch);
  return (struct slice_items){c->all->bytes[touch->region->number] + touch->at, end > touch->at ? end - touch->at : 0};
}

static void then_bytes(struct column_needs *c, const struct remnant *remnant) {
  EACH_TOUCH (touch, c->runner, remnant) slice_then(&c->all->slice, bytes_of(c, touch).first, bytes_of(c, touch).count);
}

/* True if no bytes tell whether the values that are written matter, so that they count as needed; a load from tensor
 * memory with a needed result is refused (K3). */
static bool writes_elsewhere(const struct column_needs *c, const struct remnant *remnant) {
  const struct instr *in = remnant_source(c->runner, remnant);
  EACH_TOUCH (touch, c->runner, remnant)
    if (touch->bytes || touch->open) return false;
  return !remnant->strays &&
         (!in || !stores_cells(in)); /* outside of all locations no value matters: it is undefined */
}

static void if_written(struct column_needs *c, const struct remnant *remnant) {
  if (writes_elsewhere(c, remnant)) slice_if_always(&c->all->slice);
  EACH_TOUCH (touch, c->runner, remnant) slice_if(&c->all->slice, bytes_of(c, touch).first, bytes_of(c, touch).count);
}

/* The item of an exchange. Lanes that have not complete may be at different instructions: all exchanges of the warp. */
static uint32_t exchange_item(const struct column_needs *c, const struct remnant *remnant, bool complete) {
  return c->exchanges + (complete ? remnant->end - 1 : thread_of(c)->instr_count);
}

static void add_exchange(struct column_needs *c, const struct remnant *remnant, const struct instr *in) {
  struct flow_slice *slice = &c->all->slice;
  uint32_t own = exchange_item(c, remnant, remnant->complete), complete = exchange_item(c, remnant, true);
  uint32_t any = exchange_item(c, remnant, false);
  slice_rule(slice);
  if_result(c, remnant);
  slice_then(slice, own, 1);
  slice_rule(slice);
  slice_if(slice, complete, 1);
  slice_if(slice, any, 1);
  slice_then_read(slice, in, c->regs);
}

static void add_write(struct column_needs *c, const struct remnant *remnant, const struct instr *in) {
  struct flow_slice *slice = &c->all->slice;
  slice_rule(slice);
  if (may_not_write(in)) slice_if_always(slice);
  if_written(c, remnant);
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->src[i].kind == OPERAND_REG) slice_then(slice, c->regs + in->src[i].reg, 1);
}

/* One instruction of those that are left together. Guards and addresses always matter; so do the sources of
 * instructions whose rules add_remnant does not have. */
static void add_part(struct column_needs *c, const struct remnant *remnant, const struct instr *part) {
  if (part->guard.present) want_reg(c, part->guard.reg);
  want_operand(c, &part->addr.base);
  if (is_async_store(part)) want_places(c, part);
  else if (only_computes(part)) {
    slice_rule(&c->all->slice);
    if_result(c, remnant);
    slice_then_read(&c->all->slice, part, c->regs);
  } else if (part->kind != INSTR_LOAD && !is_write(part) && !is_exchange(part)) want_sources(c, part);
}

static void add_remnant(struct column_needs *c, const struct remnant *remnant) {
  struct flow_slice *slice = &c->all->slice;
  const struct instr *in = remnant_source(c->runner, remnant);
  if (!in && aligned_is_mark(remnant->instr) && remnant->instr->guard)
    want_reg(c, thread_of(c)->instrs[remnant->begin].guard.reg);
  if (!in) return;
  for (uint32_t i = remnant->begin; i < remnant->end; i++) add_part(c, remnant, &thread_of(c)->instrs[i]);
  if (is_read(in)) {
    slice_rule(slice);
    if_result(c, remnant);
    then_bytes(c, remnant);
  }
  if (is_copy(in)) {
    slice_rule(slice);
    if_written(c, remnant);
    then_bytes(c, remnant);
  }
  if (tiled_kind(in) == TILED_ROWS) want_rows(c, remnant);
  if (is_exchange(in)) add_exchange(c, remnant, in);
  if (is_write(in)) add_write(c, remnant, in);
}

static void add_column(struct column_needs *c) {
  const struct kernel_run *run = c->runner->run;
  struct flow_slice *slice = &c->all->slice;
  for (uint32_t i = 0; i < thread_of(c)->reg_count && run->observed; i++)
    if (run->observed[i]) want_reg(c, i);
  for (uint32_t b = 0; b < c->runner->blocks.len; b++) {
    const struct block *block = &c->runner->blocks.data[b];
    VEC_EACH (remnant, &block->code) add_remnant(c, remnant);
    if (!block->guard) continue;
    uint32_t guard = c->regs + thread_of(c)->instrs[block->split].guard.reg;
    slice_rule(slice);
    slice_if(slice, c->branches + b, 1);
    slice_then(slice, guard, 1);
  }
}

/* ---- What is needed */

bool needs_reg(const struct column_needs *c, uint32_t reg) { return bitset_has(c->all->slice.items, c->regs + reg); }

bool needs_result(const struct column_needs *c, const struct remnant *remnant) {
  for (uint32_t i = remnant->begin; i < remnant->end; i++)
    EACH_WRITTEN (reg, &thread_of(c)->instrs[i])
      if (needs_reg(c, reg)) return true;
  return false;
}

bool needs_written(const struct column_needs *c, const struct remnant *remnant) {
  EACH_TOUCH (touch, c->runner, remnant)
    if (slice_has(&c->all->slice, bytes_of(c, touch).first, bytes_of(c, touch).count)) return true;
  return writes_elsewhere(c, remnant);
}

bool needs_read(const struct column_needs *c, const struct remnant *remnant) {
  const struct instr *in = remnant_source(c->runner, remnant);
  return is_read(in) && (needs_result(c, remnant) || (in->kind == INSTR_ATOM && may_not_write(in)));
}

bool needs_exchange(const struct column_needs *c, const struct remnant *remnant) {
  const struct bitset items = c->all->slice.items;
  return bitset_has(items, exchange_item(c, remnant, true)) || bitset_has(items, exchange_item(c, remnant, false));
}

bool needs_move(const struct column_needs *c, const struct litmus_instr *move) {
  if (aligned_is_mark(move)) return true;
  uint32_t reg = body_register(&c->runner->run->body, move->operands->u.ref.name);
  return reg == NO_REG || needs_reg(c, reg);
}

static bool has_effect(const struct column_needs *c, const struct remnant *remnant) {
  const struct instr *in = remnant_source(c->runner, remnant);
  if (!in) return remnant->is_use || needs_move(c, remnant->instr);
  bool idle = remnant_only_computes(c->runner, remnant) ||
              (in->kind == INSTR_LOAD && alone_has(c->all->launch->alone, c->runner, in, remnant));
  return !idle || needs_result(c, remnant);
}

/* ---- Columns */

/* A node for each block. */
static struct flow blocks_flow(struct arena *arena, const struct runner *r) {
  struct flow flow = flow_new(arena, r->blocks.len);
  for (uint32_t b = 0; b < flow.count; b++) {
    const struct block *block = &r->blocks.data[b];
    flow.next[b][0] = block->next[0] == NO_BLOCK ? flow.count : block->next[0];
    if (block->guard) flow.next[b][1] = block->next[1] == NO_BLOCK ? flow.count : block->next[1];
  }
  return flow;
}

static void want_kept(struct column_needs *c) {
  EACH (b, c->kept) slice_want(&c->all->slice, c->branches + b, 1);
}

/* Keeps the branches that memory decides: syntactic dependencies lead from the read to all that follows (G34). */
static void keep_read(struct column_needs *c) {
  for (uint32_t b = 0; b < c->runner->blocks.len; b++) {
    const struct block *block = &c->runner->blocks.data[b];
    if (block->guard && bitset_has(c->runner->run->body.read, thread_of(c)->instrs[block->split].guard.reg))
      bitset_add(c->kept, b);
  }
  want_kept(c);
}

/* Keeps branches that make a difference. True if there were more. */
static bool keep_branches(struct column_needs *c) {
  struct arena *arena = c->all->slice.arena;
  struct bitset effects = bitset_new(arena, c->flow.count + 1);
  for (uint32_t b = 0; b < c->flow.count; b++)
    VEC_EACH (remnant, &c->runner->blocks.data[b].code)
      if (has_effect(c, remnant)) bitset_add(effects, b);
  if (!flow_keep_forks(arena, &c->flow, effects, c->kept)) return false;
  want_kept(c);
  slice_close(&c->all->slice);
  return true;
}

static uint32_t take(uint32_t *next, uint32_t count) {
  uint32_t first = *next;
  *next += count;
  return first;
}

/* Numbers the items, for the present columns. */
static void number(struct needs *n) {
  const struct launching *l = n->launch;
  struct arena *arena = l->memory.arena;
  uint32_t next = 0;
  n->bytes = ARENA_ARRAY(arena, uint32_t, l->memory.regions.len);
  for (uint32_t i = 0; i < l->memory.regions.len; i++) n->bytes[i] = take(&next, l->memory.regions.data[i]->size);
  const uint32_t all_bytes = next;
  n->columns.len = 0;
  EACH_COLUMN (r, l) {
    const struct column_needs *last = n->columns.len ? &n->columns.data[n->columns.len - 1] : NULL;
    struct column_needs c = {.all = n, .runner = r, .flow = blocks_flow(arena, r)};
    c.regs = take(&next, r->run->body.thread->reg_count);
    c.branches = take(&next, r->blocks.len);
    bool shares = last && run_same_warp(last->runner, r);
    c.exchanges = shares ? last->exchanges : take(&next, r->run->body.thread->instr_count + 1);
    c.kept = bitset_new(arena, c.flow.count + 1);
    VEC_PUSH(arena, &n->columns, c);
  }
  n->slice = slice_new(arena, next);
  bool counts = l->x->parse.test->quantifier == LITMUS_IN_TURNS; /* a read counts that a write depends on (K18) */
  if (l->x->parse.test->condition || counts) slice_want(&n->slice, 0, all_bytes);
}

static void find(struct needs *n) {
  number(n);
  VEC_EACH (c, &n->columns) {
    add_column(c);
    keep_read(c);
  }
  slice_close(&n->slice);
  for (bool kept = true; kept;) {
    kept = false;
    for (uint32_t i = 0; i < n->columns.len && !kept; i++) kept = keep_branches(&n->columns.data[i]);
  }
}

/* ---- More columns */

/* Turns the lanes whose values decide needed results of exchanges into columns. */
static bool add_lanes(struct needs *n) {
  bool any = false;
  VEC_EACH (c, &n->columns) {
    const struct runner *r = c->runner;
    uint32_t lanes = 0;
    EACH_REMNANT (remnant, r) {
      const struct instr *in = remnant_source(r, remnant);
      if (in && !remnant->folded && is_exchange(in) && needs_result(c, remnant)) lanes |= remnant->wanted;
    }
    EACH_MATE (other, run_warp_mates(r))
      if (!other->column && lanes >> other->tid % WARP_LANES & 1)
        any = groups_add_column(r->run, other) || any;
  }
  return any;
}

/* True if a thread changes the result of a bar.red. */
static bool brings(const struct runner *r, const struct instr *in, const struct remnant *like) {
  const enum brings neutral = in->barrier->reduction == REDUCE_AND ? BRINGS_TRUE : BRINGS_FALSE;
  EACH_REMNANT (remnant, r)
    if (remnant->begin == like->begin && remnant->end == like->end && remnant->brings != neutral) return true;
  return false;
}

bool each_bringing(const struct column_needs *c, const struct remnant *remnant,
                   bool (*each)(const struct kernel_run *, struct runner *)) {
  const struct runner *r = c->runner;
  const struct instr *in = remnant_source(r, remnant);
  if (!in || in->kind != INSTR_BARRIER || in->barrier->kind != BARRIER_CTA || in->barrier->action != BARRIER_RED)
    return false;
  bool any = false;
  if (!needs_result(c, remnant)) return false;
  EACH_MATE (other, run_cta_mates(r))
    if (!other->column && brings(other, in, remnant)) any = each(r->run, other) || any;
  return any;
}

static bool add_bringing(struct needs *n) {
  bool any = false;
  VEC_EACH (c, &n->columns)
    EACH_REMNANT (remnant, c->runner)
      if (!remnant->folded) any = each_bringing(c, remnant, groups_add_column) || any;
  return any;
}

bool reads_represented(const struct runner *r, const struct remnant *remnant) {
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch); k++)
      if (touch->region->represented[k]) return true;
  return false;
}

/* Notes the bytes whose values matter to a column and that threads without a column write. */
static bool note_wanted(const struct column_needs *c) {
  const struct runner *r = c->runner;
  bool any = false;
  EACH_REMNANT (remnant, r) {
    if (!remnant_source(r, remnant) || remnant->folded || !needs_read(c, remnant) || !reads_represented(r, remnant))
      continue;
    any = true;
    EACH_TOUCH (touch, r, remnant)
      for (uint32_t k = touch->at; k < touch_end(touch); k++) touch->region->wanted[k] = true;
  }
  return any;
}

/* By region and byte: the number of threads that write it, up to 2. */
static uint8_t **count_writers(const struct launching *l) {
  const struct memory *m = &l->memory;
  uint8_t **writers = ARENA_ARRAY(m->arena, uint8_t *, m->regions.len);
  uint32_t **last = ARENA_ARRAY(m->arena, uint32_t *, m->regions.len);
  for (uint32_t i = 0; i < m->regions.len; i++) {
    writers[i] = ARENA_ARRAY(m->arena, uint8_t, m->regions.data[i]->size);
    last[i] = ARENA_ARRAY(m->arena, uint32_t, m->regions.data[i]->size);
  }
  EACH_RUNNER (r, l)
    VEC_EACH (one, &r->touches) {
      const uint32_t i = one->region->number;
      for (uint32_t k = one->at; k < touch_end(one) && one->writes; k++) {
        if (writers[i][k] < 2 && last[i][k] != r->number + 1) writers[i][k]++;
        last[i][k] = r->number + 1;
      }
    }
  return writers;
}

/* True if the thread writes a byte that matters; with `writers`, such a byte that another thread writes too. */
static bool writes_wanted(const struct runner *r, uint8_t *const *writers) {
  VEC_EACH (one, &r->touches)
    for (uint32_t k = one->at; k < touch_end(one) && one->writes; k++)
      if (one->region->wanted[k] && (!writers || writers[one->region->number][k] > 1)) return true;
  return false;
}

/* Threads that write a value that matters become columns. Those that write the same bytes become columns only if they
 * are few: the value of a counter depends on every thread that writes it. */
static bool add_writers(struct needs *n) {
  enum { MOST_WRITERS = 24 };
  uint32_t count = n->columns.len;
  bool wanted = false, any = false, contended = false;
  VEC_EACH (c, &n->columns) wanted = note_wanted(c) || wanted;
  if (!wanted) return false;
  uint8_t **writers = count_writers(n->launch);
  EACH_RUNNER (r, n->launch) {
    contended = contended || writes_wanted(r, writers);
    count += !r->column && writes_wanted(r, NULL);
  }
  EACH_RUNNER (r, n->launch)
    if ((count <= MOST_WRITERS || !contended) && !r->column && writes_wanted(r, NULL))
      any = groups_add_column(r->run, r) || any;
  return any;
}

static bool add_columns(struct needs *n) {
  bool any = add_lanes(n) || add_bringing(n) || add_writers(n);
  if (any) groups_update(n->launch);
  return any;
}

void needs_drop(struct launching *l) {
  struct needs n = {.launch = l};
  const bool *written = tensors_written(l);
  alone_find(l);
  do find(&n);
  while (add_columns(&n));
  VEC_EACH (c, &n.columns) drop_unneeded(c, written);
}
