#include "kernel/columns.h"

/* ---- the order of blocks */

/* The index of the successor of a branch to write directly after the branch: the successor in the innermost loop around
 * the branch, else the one without a jump. */
static uint32_t next_way(const struct runner *r, const struct block *b) {
  const struct body *body = &r->run->body;
  const struct instr *in = &body->thread->instrs[b->split];
  uint32_t target = in->kind == INSTR_BRANCH ? in->target : body->thread->instr_count, size = UINT32_MAX, next = 0;
  VEC_EACH (loop, &body->loops) {
    bool stays = bitset_has(loop->has, target), goes = bitset_has(loop->has, b->split + 1);
    if (!bitset_has(loop->has, b->split) || bitset_count(loop->has) >= size || stays == goes) continue;
    size = bitset_count(loop->has);
    next = stays ? 1 : 0;
  }
  return next;
}

/* The next block that is not empty. */
static uint32_t skip_empty(const struct runner *r, uint32_t block) {
  for (uint32_t steps = 0; block != NO_BLOCK && steps < r->blocks.len; steps++) {
    const struct block *b = &r->blocks.data[block];
    if (b->code.len || b->guard || !b->closed) break;
    block = b->next[0];
  }
  return block;
}

bool columns_order(struct runner *r, struct block_order *out) {
  struct arena *arena = r->run->memory->arena;
  struct visit {
    uint32_t block, step;
  };
  VEC(struct visit) stack = {0};
  VEC(uint32_t) done = {0};
  bool whole = true;
  out->place = ARENA_ARRAY(arena, uint32_t, r->blocks.len);
  for (uint32_t i = 0; i < r->blocks.len; i++) out->place[i] = NO_BLOCK;
  bool *seen = ARENA_ARRAY(arena, bool, r->blocks.len);
  VEC_PUSH(arena, &stack, (struct visit){0, 0});
  seen[0] = true;
  while (stack.len) {
    struct visit *v = &stack.data[stack.len - 1];
    const struct block *b = &r->blocks.data[v->block];
    whole = whole && b->closed;
    if (v->step == 2) {
      VEC_PUSH(arena, &done, v->block);
      stack.len--;
      continue;
    }
    uint32_t next = b->guard ? next_way(r, b) : 0, way = v->step++ ? next : 1 - next;
    uint32_t to = way && !b->guard ? (uint32_t)NO_BLOCK : skip_empty(r, b->next[way]);
    r->blocks.data[v->block].next[way] = to;
    if (to == NO_BLOCK || seen[to]) continue;
    seen[to] = true;
    VEC_PUSH(arena, &stack, (struct visit){to, 0});
  }
  out->blocks.len = 0;
  for (uint32_t i = done.len; i-- > 0;) {
    out->place[done.data[i]] = out->blocks.len;
    VEC_PUSH(arena, &out->blocks, done.data[i]);
  }
  return whole;
}

/* ---- a column */

struct writing {
  struct launching *launch;
  struct runner *runner;
  struct block_order order;
  bool *labelled; /* by block: some jump leads to it; the last one is the end */
  struct code *code;
};

static struct arena *arena_of(const struct writing *w) { return w->launch->x->parse.arena; }

static struct litmus_parse *parse_of(const struct writing *w) { return &w->launch->x->parse; }

static const char *label_of(struct writing *w, uint32_t block) {
  return block == NO_BLOCK ? "END" : arena_printf(arena_of(w), "L%u", w->order.place[block]);
}

static void put_jump(struct writing *w, uint32_t to, struct litmus_word *guard, bool negated, struct span span) {
  struct litmus_operand *label = litmus_operand_new(parse_of(w), LITMUS_NAME, span);
  label->u.ref.name = intern(parse_of(w)->names, label_of(w, to));
  struct litmus_instr *jump = litmus_instr_of(parse_of(w), "bra", label, span);
  jump->guard = guard;
  jump->guard_negated = negated;
  if (w->runner->run->kernel->host) jump = host_jump(w->launch, w->code, jump);
  VEC_PUSH(arena_of(w), w->code, (struct litmus_cell){.instr = jump, .span = span});
}

static void mark(struct writing *w, uint32_t block) {
  w->labelled[block == NO_BLOCK ? w->runner->blocks.len : block] = true;
}

/* The end of a block: a branch to one successor, and a jump to the other if it does not follow in the text. */
static void end_block(struct writing *w, uint32_t place, bool writes) {
  const struct block *b = &w->runner->blocks.data[w->order.blocks.data[place]];
  struct span span = w->runner->run->kernel->span;
  const struct thread *thread = w->runner->run->body.thread;
  uint32_t at = b->guard ? b->split : b->at;
  if (at < thread->instr_count) span = thread->instrs[at].span;
  uint32_t next = place + 1 < w->order.blocks.len ? w->order.blocks.data[place + 1] : (uint32_t)NO_BLOCK,
           other = b->next[0];
  bool negated = b->negated;
  if (b->guard) {
    uint32_t taken = b->next[1];
    if (taken == next && other != next) taken = other, other = b->next[1], negated = !negated;
    const struct reg *predicate = &thread->regs[thread->instrs[b->split].guard.reg];
    const char *name = arena_printf(arena_of(w), "%%%s", predicate->name);
    if (writes) put_jump(w, taken, litmus_word_of(parse_of(w), name, span), negated, span);
    else mark(w, taken);
  }
  if (other == next) return;
  if (writes) put_jump(w, other, NULL, false, span);
  else mark(w, other);
}

static void add_label(struct writing *w, uint32_t block, struct litmus_word **labels) {
  if (w->labelled[block == NO_BLOCK ? w->runner->blocks.len : block])
    *labels = litmus_word_of(parse_of(w), label_of(w, block), w->runner->run->kernel->span);
}

static const struct code *write_column(struct launching *l, struct runner *r) {
  struct writing w = {.launch = l, .runner = r, .code = ARENA_NEW(l->x->parse.arena, struct code)};
  columns_order(r, &w.order);
  w.labelled = ARENA_ARRAY(arena_of(&w), bool, r->blocks.len + 1);
  for (uint32_t i = 0; i < w.order.blocks.len; i++) end_block(&w, i, false);
  for (uint32_t i = 0; i < w.order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[w.order.blocks.data[i]];
    struct litmus_cell label = {.span = r->run->kernel->span};
    add_label(&w, w.order.blocks.data[i], &label.labels);
    if (label.labels) VEC_PUSH(arena_of(&w), w.code, label);
    for (uint32_t k = 0; k < b->code.len; k++)
      if (b->code.data[k].instr && r->run->kernel->host) host_restore(l, b->code.data[k].instr);
    for (uint32_t k = 0; k < b->code.len; k++)
      if (b->code.data[k].instr)
        VEC_PUSH(arena_of(&w), w.code,
                 (struct litmus_cell){.instr = b->code.data[k].instr, .span = b->code.data[k].instr->span});
    end_block(&w, i, true);
  }
  struct litmus_cell label = {.span = r->run->kernel->span};
  add_label(&w, NO_BLOCK, &label.labels);
  if (label.labels) VEC_PUSH(arena_of(&w), w.code, label);
  return w.code;
}

/* ---- threads and rows */

static void add_level(struct launching *l, struct litmus_thread *thread, const char *key, uint32_t number) {
  struct litmus_level *level = ARENA_NEW(l->x->parse.arena, struct litmus_level), **end = &thread->levels;
  level->key = (struct litmus_word){.text = intern(l->x->parse.names, key), .span = thread->span};
  level->number = number;
  while (*end) end = &(*end)->next;
  *end = level;
}

/* The test orders its grids: each kernel is one of them, in the order of the text. */
static void add_grid(struct launching *l, struct litmus_thread *thread, const struct kernel_run *run) {
  bool orders = SOME(LIST_EACH (entry, l->x->parse.test->entries), entry->launch);
  if (orders) add_level(l, thread, "grid", run->grid);
}

static struct litmus_thread *add_thread(struct launching *l, const struct runner *r) {
  struct litmus_test *test = l->x->parse.test;
  const struct litmus_kernel *k = r->run->kernel;
  const struct launch_cta *cta = &l->ctas.data[r->cta], *first = &l->ctas.data[r->run->first_cta];
  struct litmus_thread *thread = ARENA_NEW(l->x->parse.arena, struct litmus_thread);
  uint32_t size = r->cluster_size, rank = r->cta - r->cluster_first;
  thread->span = k->span;
  thread->placed = true;
  thread->name = (struct litmus_word){
      .text = intern(l->x->parse.names, arena_printf(l->x->parse.arena, "P%u", test->thread_count)), .span = k->span};
  test->thread_count++;
  if (k->host) {
    add_level(l, thread, "host", 0);
    return thread;
  }
  add_level(l, thread, "cta", cta->number);
  add_level(l, thread, "gpu", cta->gpu);
  add_grid(l, thread, r->run);
  if (k->cluster.x) {
    add_level(l, thread, "cluster", (first->number + size - 1) / size + r->block / size);
    add_level(l, thread, "cluster_ctarank", rank);
    add_level(l, thread, "cluster_nctarank", size);
  }
  add_level(l, thread, "tid", r->tid);
  add_level(l, thread, "ntid", litmus_volume(k->block));
  add_level(l, thread, "nctaid", litmus_volume(k->grid));
  if (cta->number != r->block) add_level(l, thread, "ctaid", r->block);
  if (cta->number != r->block && k->cluster.x) add_level(l, thread, "clusterid", r->block / size);
  if (r->represents) add_level(l, thread, "represents", r->represents);
  return thread;
}

void kernel_add_rows(struct expansion *x, struct litmus_test *test, const struct code *const *columns, uint32_t count,
                     struct span span) {
  struct litmus_row **end = &test->rows;
  for (uint32_t t = 0; t < count; t++)
    if (columns[t]->len > test->row_count) test->row_count = columns[t]->len;
  for (uint32_t i = 0; i < test->row_count; i++, end = &(*end)->next) {
    struct litmus_row *row = *end = ARENA_MAKE(x->parse.arena, struct litmus_row, .count = count);
    struct litmus_cell **last = &row->cells;
    for (uint32_t t = 0; t < count; t++, last = &(*last)->next) {
      *last = ARENA_MAKE(x->parse.arena, struct litmus_cell, .span = span);
      if (i < columns[t]->len) **last = columns[t]->data[i];
    }
    row->span = row->cells->span;
  }
}

void columns_refuse(struct launching *l, struct runner *r, const struct reason *why, const struct span *place) {
  struct arena *arena = l->memory.arena;
  struct litmus_instr *instr = remnant_refused(r, r->stopped ? r->stopped - 1 : 0, why);
  if (place) instr->span = *place;
  EACH_RUNNER (other, l) {
    other->column = other == r;
    other->touches.len = 0;
  }
  r->blocks.len = 0;
  VEC_PUSH(arena, &r->blocks, ((struct block){.next = {NO_BLOCK, NO_BLOCK}}));
  VEC_PUSH(arena, &r->blocks.data[0].code, (struct remnant){.instr = instr});
  objects_name(l);
}

void columns_build(struct launching *l) {
  struct litmus_thread **end = &l->x->parse.test->threads;
  VEC(const struct code *) codes = {0};
  EACH_COLUMN (r, l) {
    *end = add_thread(l, r);
    end = &(*end)->next;
    VEC_PUSH(l->x->parse.arena, &codes, write_column(l, r));
  }
  kernel_add_rows(l->x, l->x->parse.test, codes.data, codes.len, l->x->parse.test->kernels->span);
}
