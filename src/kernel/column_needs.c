#include "kernel/needs.h"

/* ---- What is left of an instruction */

bool remnant_reaches_anywhere(const struct runner *r, const struct remnant *remnant) {
  return SOME(EACH_TOUCH (touch, r, remnant), touch->open && !touch->inside);
}

bool only_computes(const struct instr *in) { return instr_only_computes(in) && run_meeting(in) != MEETING_ELECT; }

bool remnant_only_computes(const struct runner *r, const struct remnant *remnant) {
  return EVERY(for (uint32_t i = remnant->begin; i < remnant->end; i++),
               only_computes(&r->run->body.thread->instrs[i]));
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
  return in->kind == INSTR_STORE || in->kind == INSTR_ATOM || in->kind == INSTR_RED || in->tiled == TILED_ROWS ||
         (in->kind == INSTR_MULTIMEM && !reduces_replicas(in)) || is_async_store(in);
}

static bool is_read(const struct instr *in) {
  return in->kind == INSTR_LOAD || in->kind == INSTR_ATOM || reduces_replicas(in) || in->tiled == TILED_ROWS;
}

/* ---- Rules for one instruction */

static void want(const struct value_rules *v, uint32_t reg) { slice_want(v->slice, v->regs + reg, 1); }

static void if_result(const struct value_rules *v) {
  ARRAY_EACH (in, v->results, v->result_count) slice_if_written(v->slice, in, v->regs);
}

static void if_memory(const struct value_rules *v) {
  if (v->elsewhere) slice_if_always(v->slice);
  VEC_EACH (items, &v->memory) slice_if(v->slice, items->first, items->count);
}

static void then_memory(const struct value_rules *v) {
  VEC_EACH (items, &v->memory) slice_then(v->slice, items->first, items->count);
}

/* Of an instruction that is not modelled, values among the registers that it names may not matter: those that lowering
 * found as sources do, and when it is run all may, but for the accumulators of a product (K3: any value). */
static void want_sources(const struct value_rules *v, const struct instr *in) {
  struct instr known = *in;
  known.pure = in->pure || in->tiled == TILED_PRODUCT;
  if (!in->pure && !v->to_run) known.named = NULL;
  EACH_READ (reg, &known) want(v, reg);
}

/* The sources of an operation other than the values that it stores. */
static void want_places(const struct value_rules *v, const struct instr *in) {
  struct async async = *in->async;
  struct instr bare = *in;
  memset(bare.src, 0, sizeof bare.src);
  async.tensor = NULL; /* a tcgen05.st has only values there */
  bare.async = &async;
  want_sources(v, &bare);
}

void rules_add_part(const struct value_rules *v, const struct instr *in) {
  if (in->guard.present) want(v, in->guard.reg);
  if (in->addr.base.kind == OPERAND_REG) want(v, in->addr.base.reg);
  if (is_async_store(in)) want_places(v, in);
  else if (only_computes(in)) {
    slice_rule(v->slice);
    if_result(v);
    slice_then_read(v->slice, in, v->regs);
  } else if (in->kind != INSTR_LOAD && !is_write(in) && !is_exchange(in)) want_sources(v, in);
}

void rules_add_effect(const struct value_rules *v, const struct instr *in) {
  if (is_read(in)) {
    slice_rule(v->slice);
    if_result(v);
    then_memory(v);
  }
  if (in->kind == INSTR_ASYNC || in->tiled == TILED_COPY || in->tiled == TILED_PRODUCT) {
    slice_rule(v->slice);
    if_memory(v);
    then_memory(v);
  }
  if (!is_write(in)) return;
  slice_rule(v->slice);
  if (may_not_write(in)) slice_if_always(v->slice);
  if_memory(v);
  for (uint32_t i = 0; i < MAX_VECTOR; i++)
    if (in->src[i].kind == OPERAND_REG) slice_then(v->slice, v->regs + in->src[i].reg, 1);
}

/* ---- Rules for what is left */

static const struct thread *thread_of(const struct column_needs *c) { return c->runner->run->body.thread; }

/* The registers that have addresses of rows, matrices and copies outside every location. */
static void want_outside(const struct value_rules *v, const struct column_needs *c, const struct remnant *remnant) {
  for (const struct litmus_operand *o = remnant->instr->operands; o; o = o->next) {
    const struct litmus_ref *ref = o->kind == LITMUS_TENSOR ? &o->u.tensor.ref : &o->u.ref;
    bool named = (o->kind == LITMUS_TENSOR || o->kind == LITMUS_BRACKET) && ref->percent;
    uint32_t reg = named ? body_register(&c->runner->run->body, ref->name) : (uint32_t)NO_REG;
    if (reg != NO_REG) want(v, reg);
  }
}

/* The items of the bytes that an access may have. */
static struct slice_items bytes_of(const struct column_needs *c, const struct touch *touch) {
  uint32_t end = reach_end(touch);
  return (struct slice_items){c->all->bytes[touch->region->number] + touch->at, end > touch->at ? end - touch->at : 0};
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

/* The item of an exchange. Lanes that have not complete may be at different instructions: all exchanges of the warp. */
static uint32_t exchange_item(const struct column_needs *c, const struct remnant *remnant, bool complete) {
  return c->exchanges + (complete ? remnant->end - 1 : thread_of(c)->instr_count);
}

static void add_exchange(const struct value_rules *v, const struct column_needs *c, const struct remnant *remnant) {
  uint32_t own = exchange_item(c, remnant, remnant->complete), complete = exchange_item(c, remnant, true);
  uint32_t any = exchange_item(c, remnant, false);
  slice_rule(v->slice);
  if_result(v);
  slice_then(v->slice, own, 1);
  slice_rule(v->slice);
  slice_if(v->slice, complete, 1);
  slice_if(v->slice, any, 1);
  slice_then_read(v->slice, remnant_source(c->runner, remnant), v->regs);
}

static void add_remnant(struct column_needs *c, const struct remnant *remnant) {
  const struct instr *in = remnant_source(c->runner, remnant), *first = &thread_of(c)->instrs[remnant->begin];
  struct value_rules v = {.slice = &c->all->slice, .regs = c->regs, .results = first};
  if (!in && aligned_is_mark(remnant->instr) && remnant->instr->guard) want(&v, first->guard.reg);
  if (!in) return;
  v.result_count = remnant->folded ? 0 : remnant->end - remnant->begin;
  v.elsewhere = writes_elsewhere(c, remnant);
  EACH_TOUCH (touch, c->runner, remnant) VEC_PUSH(v.slice->arena, &v.memory, bytes_of(c, touch));
  for (uint32_t i = remnant->begin; i < remnant->end; i++) rules_add_part(&v, &thread_of(c)->instrs[i]);
  if (in->tiled != TILED_NONE) want_outside(&v, c, remnant);
  if (is_exchange(in)) add_exchange(&v, c, remnant);
  rules_add_effect(&v, in);
}

static void add_column(struct column_needs *c) {
  const struct kernel_run *run = c->runner->run;
  struct flow_slice *slice = &c->all->slice;
  for (uint32_t i = 0; i < thread_of(c)->reg_count && run->observed; i++)
    if (run->observed[i]) slice_want(slice, c->regs + i, 1);
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

bool is_plain_weak(const struct instr *in) {
  return in->sem == SEM_WEAK && !in->is_volatile && !in->is_mmio && in->proxy == PROXY_GENERIC;
}

static bool has_effect(const struct column_needs *c, const struct remnant *remnant) {
  const struct instr *in = remnant_source(c->runner, remnant);
  if (!in) return remnant->is_use || needs_move(c, remnant->instr);
  bool plain = in->kind == INSTR_LOAD || (in->kind == INSTR_STORE && !needs_written(c, remnant));
  bool idle = remnant_only_computes(c->runner, remnant) ||
              (plain && alone_has(c->all->launch->alone, c->runner, in, remnant)) ||
              (plain && is_plain_weak(in) && !remnant->instr->guard && !remnant_reaches_anywhere(c->runner, remnant) &&
               settled_has(c->all->launch, c->runner, remnant));
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

/* True for what neither begins a dependency nor depends. */
static bool only_orders(const struct instr *in) {
  bool meets = in && in->kind == INSTR_BARRIER && in->barrier->action != BARRIER_RED && !is_exchange(in);
  return !in || meets || in->kind == INSTR_FENCE || in->kind == INSTR_PROXY_FENCE;
}

/* Keeps the branches between accesses that memory decides: syntactic dependencies lead from reads before it to all that
 * follows (G34). True if there were more. */
static bool keep_read(struct column_needs *c) {
  struct arena *arena = c->all->slice.arena;
  struct bitset before = bitset_new(arena, c->flow.count + 1), after = bitset_new(arena, c->flow.count + 1);
  bool any = false;
  for (uint32_t b = 0; b < c->flow.count; b++)
    VEC_EACH (remnant, &c->runner->blocks.data[b].code)
      if (!only_orders(remnant_source(c->runner, remnant)) && has_effect(c, remnant))
        bitset_add(before, b), bitset_add(after, b);
  flow_follow(&c->flow, before);
  flow_trace(&c->flow, after, FLOW_NONE);
  for (uint32_t b = 0; b < c->runner->blocks.len; b++) {
    const struct block *block = &c->runner->blocks.data[b];
    if (!block->guard || bitset_has(c->kept, b) || !bitset_has(before, b)) continue;
    if (!bitset_has(after, c->flow.next[b][0]) && !bitset_has(after, c->flow.next[b][1])) continue;
    if (!bitset_has(c->runner->run->body.read, thread_of(c)->instrs[block->split].guard.reg)) continue;
    bitset_add(c->kept, b);
    any = true;
  }
  return any;
}

static void want_kept(const struct column_needs *c) {
  EACH (b, c->kept) slice_want(&c->all->slice, c->branches + b, 1);
}

static bool keep_reads(struct needs *n) {
  bool any = false;
  VEC_EACH (c, &n->columns)
    if (keep_read(c)) want_kept(c), any = true;
  if (any) slice_close(&n->slice);
  return any;
}

/* Keeps branches that make a difference. True if there were more. */
static bool keep_forks(struct column_needs *c) {
  struct arena *arena = c->all->slice.arena;
  struct bitset effects = bitset_new(arena, c->flow.count + 1);
  for (uint32_t b = 0; b < c->flow.count; b++)
    VEC_EACH (remnant, &c->runner->blocks.data[b].code)
      if (has_effect(c, remnant)) bitset_add(effects, b);
  if (!flow_keep_forks(arena, &c->flow, effects, c->kept)) return false;
  want_kept(c);
  return true;
}

static bool keep_branches(struct needs *n) {
  bool any = false;
  VEC_EACH (c, &n->columns) any = keep_forks(c) || any;
  if (any) slice_close(&n->slice);
  return any;
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
  VEC_EACH (c, &n->columns) add_column(c);
  slice_close(&n->slice);
  while (keep_reads(n) || keep_branches(n)) continue;
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
      if (!other->column && lanes >> other->tid % WARP_LANES & 1) any = groups_add_column(r->run, other) || any;
  }
  return any;
}

/* True if a thread changes the result of a bar.red. */
static bool brings(const struct runner *r, const struct instr *in, const struct remnant *like) {
  const enum brings neutral = in->barrier->reduction == REDUCE_AND ? BRINGS_TRUE : BRINGS_FALSE;
  return SOME(EACH_REMNANT (remnant, r),
              remnant->begin == like->begin && remnant->end == like->end && remnant->brings != neutral);
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
      if (memory_byte(touch->region, k)->represented) return true;
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
      for (uint32_t k = touch->at; k < touch_end(touch); k++) memory_own(touch->region, k)->wanted = true;
  }
  return any;
}

/* True if the thread writes a byte that matters; `shared`: such a byte that another thread writes too. */
static bool writes_wanted(const struct launching *l, const struct runner *r, bool shared) {
  VEC_EACH (one, &r->touches)
    for (uint32_t k = one->at; k < touch_end(one) && one->writes; k++)
      if (memory_byte(one->region, k)->wanted && (!shared || l->alone->writers[one->region->number][k] == SEVERAL))
        return true;
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
  EACH_RUNNER (r, n->launch) {
    contended = contended || writes_wanted(n->launch, r, true);
    count += !r->column && writes_wanted(n->launch, r, false);
  }
  EACH_RUNNER (r, n->launch)
    if ((count <= MOST_WRITERS || !contended) && !r->column && writes_wanted(n->launch, r, false))
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
  do find(&n);
  while (add_columns(&n));
  VEC_EACH (c, &n.columns) drop_unneeded(c, written);
}
