/* The bytes of memory that a thread reads and writes as it runs on constants. */
#include "kernel/counts.h"
#include "kernel/launch.h"

enum { MOST_LEVELS = 12, MOST_TERMS = 512, MOST_MODULUS = GLOBAL_ALIGNMENT };

/* True for an access of another proxy (8.6): program order does not place it among generic accesses. */
static bool is_of_proxy(const struct instr *in) {
  return in->kind == INSTR_MULTIMEM || (instr_is_access(in) && in->proxy != PROXY_GENERIC && !maps_copies(in));
}

/* True if the instruction writes at any time from now on. */
static bool writes_later(const struct instr *in) {
  bool at_once = in->kind != INSTR_ASYNC || in->async->action == ASYNC_TENSOR_ALLOC;
  return !at_once || in->tiled == TILED_COPY;
}

/* WROTE_ASIDE: an access that the barriers of the thread's CTA do not order, or no count of them does. */
static struct wrote wrote_of(const struct runner *r, struct region *region, uint32_t at, uint32_t bytes) {
  bool local = region->space == SPACE_LOCAL, peer = region->space == SPACE_SHARED && region->owner != r->cta;
  return (struct wrote){.region = region,
                        .at = at,
                        .bytes = bytes,
                        .epoch = local ? 0 : r->so_far.epoch,
                        .cta = r->cta,
                        .thread = r->number,
                        .step = r->written,
                        .before = r->so_far.wrote,
                        .how = peer || (r->so_far.uneven && !local) || is_of_proxy(r->walk->instr) ? WROTE_ASIDE
                                                                                                   : WROTE_OTHER};
}

/* Limits accesses at an unknown address to the variable of shared memory to which its constant points: they stay in
 * their location (run.h). */
static void limit(const struct runner *r, uint32_t at, struct touch *touch) {
  VEC_EACH (v, &r->run->launch->shared)
    if (v->run == r->run && v->at <= at && at < v->at + v->bytes) touch->at = v->at, touch->end = v->at + v->bytes;
}

/* A region to which a constant in the sum points, and the byte in it; *count: the number of such constants. */
static struct region *base_in(const struct runner *r, term_id id, uint32_t *count, uint32_t *at) {
  const struct term *term = term_get(r->walk->terms, id);
  struct region *region = term->op == TERM_CONST ? run_find(r, (uint64_t)term->constant, at) : NULL;
  if (region) ++*count;
  if (term->op != TERM_ADD && term->op != TERM_ITE) return region;
  if (term->op == TERM_ITE) {
    struct region *yes = run_base(r, term->b), *no = run_base(r, term->c);
    *count += yes && yes == no;
    return yes == no ? yes : NULL;
  }
  struct region *a = base_in(r, term->a, count, at), *b = base_in(r, term->b, count, at);
  return a ? a : b;
}

struct region *run_base(const struct runner *r, term_id id) {
  uint32_t count = 0, at;
  struct region *region = base_in(r, id, &count, &at);
  return count == 1 ? region : NULL;
}

/* True if an access in the state space may reach a region: all others than .shared and .local are one. */
static bool is_in(const struct region *region, enum space space) {
  bool shared = region->space == SPACE_SHARED, local = region->space == SPACE_LOCAL;
  return shared == (space == SPACE_SHARED) && local == (space == SPACE_LOCAL);
}

term_id run_from(struct runner *r, uint32_t from, unsigned width) {
  VEC_PUSH(r->run->memory->arena, &r->run->memory->unknowns, ((struct origin){.from = from}));
  return term_leaf(r->walk->terms, TERM_READ, r->run->memory->unknowns.len, width);
}

term_id run_unknown(struct runner *r, unsigned width) { return run_from(r, 0, width); }

/* True if a variable of shared memory counts as one in all blocks. */
static bool counts_as_one(const struct runner *r) { return litmus_volume(r->run->kernel->grid) <= 2; }

/* The number of a source, from `first` on and below `end`; 0: there are too many. */
static uint32_t number_of(struct arena *arena, struct numbered_sources *s, uint64_t source, uint32_t first,
                          uint32_t end) {
  HASH_EACH (n, &s->index, source)
    if (s->list.data[n] == source) return first + n;
  if (s->list.len == end - first) return 0;
  HASH_PUSH(arena, &s->index, source, &s->list, source);
  return first + s->list.len - 1;
}

/* The numbers of barriers that order the present access among those of the CTA; COUNTS_ANY: none does. */
static uint64_t counts_at(const struct runner *r, const struct region *region) {
  const struct instr *in = r->walk->instr;
  bool peer = region->owner != r->cta, late = writes_later(in);
  if (peer || late || bitset_has(r->run->body.ends, (uint32_t)(in - r->run->body.thread->instrs))) return COUNTS_ANY;
  return r->so_far.counts;
}

/* A hash for the value of shared memory that all threads of the CTA find which load it here, after as many barriers. */
static uint64_t turn_of(struct runner *r, struct region *region, uint32_t at, uint32_t bytes) {
  const uint32_t index = (uint32_t)(r->walk->instr - r->run->body.thread->instrs);
  bool asks = does(r->run->x, TECHNIQUE_HISTORY) && region->space == SPACE_SHARED;
  if (!asks || !history_turn_read(r->run->memory, region, at, bytes, counts_at(r, region))) return 0;
  return hash_mix(hash_mix(index, at), bytes) | 1;
}

term_id run_loaded(struct runner *r, struct region *region, uint32_t at, unsigned width, uint64_t state) {
  bool one = region && region->space == SPACE_SHARED && (state || counts_as_one(r));
  uint64_t place = !region ? 0 : one ? hash_mix(UINT32_MAX, r->run->first_cta) : region->number + (uint64_t)1;
  uint64_t source = hash_mix(hash_mix(place, at), state);
  struct memory *m = r->run->memory;
  if (!region) return run_unknown(r, width);
  const uint64_t turn = state ? 0 : turn_of(r, region, at, width / 8);
  term_id value = run_from(r,
                           state ? number_of(m->arena, &m->states, source, SETTLED_FROM, MOST_FROM)
                                 : number_of(m->arena, &m->places, source, 1, SETTLED_FROM),
                           width);
  m->unknowns.data[m->unknowns.len - 1].turn = turn;
  m->unknowns.data[m->unknowns.len - 1].barriers = r->so_far.barriers;
  return value;
}

uint32_t run_source(const struct runner *r, term_id value) {
  const struct term *term = term_get(r->walk->terms, value);
  return term->op == TERM_READ && term->event != UNNEEDED ? r->run->memory->unknowns.data[term->event - 1].from : 0;
}

/* The known part of a value, whatever its leaves are: modulo a power of two, and its form, which two threads share if
 * they compute it in the same way from the same bytes of memory. */
struct stride {
  uint64_t modulus, residue, shape;
};

static uint64_t low_bit(uint64_t value) { return value ? value & (0 - value) : (uint64_t)MOST_MODULUS; }

static struct stride of_modulus(uint64_t modulus, uint64_t residue, uint64_t shape) {
  if (modulus > MOST_MODULUS) modulus = MOST_MODULUS;
  return (struct stride){modulus, residue & (modulus - 1), shape};
}

/* A value times a constant, or with `mask` its bits that the constant has. */
static struct stride scaled(struct stride a, uint64_t by, bool mask, uint64_t shape) {
  if (mask) return a.modulus == 1 ? of_modulus(low_bit(by), 0, shape) : of_modulus(a.modulus, a.residue & by, shape);
  return of_modulus(a.modulus * low_bit(by), a.residue * by, shape);
}

/* Looks at so many levels of a term. */
static struct stride stride_of(const struct runner *r, term_id id, unsigned levels) {
  const struct term *term = term_get(r->walk->terms, id);
  struct stride none = of_modulus(1, 0, hash_mix(term->op, term->width));
  if (term->op == TERM_CONST) return of_modulus(MOST_MODULUS, (uint64_t)term->constant, (uint64_t)term->constant);
  if (term_op_is_leaf(term->op)) {
    uint32_t from = run_source(r, id);
    uint64_t source = from >= SETTLED_FROM && !counts_as_one(r) ? hash_mix(from, r->cta) : from;
    return of_modulus(1, 0, hash_mix(none.shape, from ? source : hash_mix(id, r->number)));
  }
  if (levels == 0) return of_modulus(1, 0, hash_mix(id, r->number)); /* like no other */
  struct stride a = stride_of(r, term->a, levels - 1), b = a, c = a;
  bool two = term->op != TERM_ZEXT && term->op != TERM_SEXT && term->op != TERM_NOT && term->op != TERM_POPC;
  if (two) b = stride_of(r, term->b, levels - 1);
  if (term->op == TERM_ITE) c = stride_of(r, term->c, levels - 1);
  uint64_t shape = hash_mix(hash_mix(hash_mix(none.shape, a.shape), b.shape), c.shape);
  const struct term *by = two ? term_get(r->walk->terms, term->b) : NULL;
  bool fixed = by && by->op == TERM_CONST;
  uint64_t least = a.modulus < b.modulus ? a.modulus : b.modulus;
  if (!two && term->op != TERM_NOT && term->op != TERM_POPC) return of_modulus(a.modulus, a.residue, shape);
  if (term->op == TERM_ADD) return of_modulus(least, a.residue + b.residue, shape);
  if (term->op == TERM_SUB) return of_modulus(least, a.residue - b.residue, shape);
  if (term->op == TERM_SHL && fixed && by->constant < 32) return scaled(a, 1u << (int)by->constant, false, shape);
  if (term->op == TERM_MUL && fixed) return scaled(a, (uint64_t)by->constant, false, shape);
  if (term->op == TERM_AND && fixed) return scaled(a, (uint64_t)by->constant, true, shape);
  return of_modulus(1, 0, shape);
}

/* The most n for which base + scale * n is at most `limit`, and no more than now. */
static bool bound(struct drawn *d, value_t limit) {
  if (d->base > limit || (d->begins && d->first > limit)) return false;
  const value_t most = (limit - d->base) / d->scale;
  if (most < d->most) d->most = (uint64_t)most;
  return true;
}

/* Looks at so many levels of a term. */
static bool drawn_of(const struct runner *r, term_id id, unsigned levels, struct drawn *out) {
  const struct term *t = term_get(r->walk->terms, id), *a, *b;
  if (t->width > 64 || levels == 0) return false;
  const value_t limit = value_mask(t->width);
  if (t->op == TERM_READ) {
    const struct drawn *drawn = t->event == UNNEEDED ? NULL : r->run->memory->unknowns.data[t->event - 1].drawn;
    if (drawn) *out = *drawn;
    return drawn != NULL;
  }
  if (term_op_is_leaf(t->op) || t->op == TERM_NOT || t->op == TERM_POPC) return false;
  a = term_get(r->walk->terms, t->a);
  if (t->op == TERM_ZEXT) return drawn_of(r, t->a, levels - 1, out) && bound(out, limit);
  if (t->op == TERM_SEXT)
    return drawn_of(r, t->a, levels - 1, out) && bound(out, limit) && bound(out, value_mask(a->width - 1));
  b = term_get(r->walk->terms, t->b);
  const bool swapped = a->op == TERM_CONST && (t->op == TERM_ADD || t->op == TERM_MUL || t->op == TERM_AND);
  const value_t by = (swapped ? a : b)->constant;
  if ((swapped ? a : b)->op != TERM_CONST || !drawn_of(r, swapped ? t->b : t->a, levels - 1, out)) return false;
  if (t->op == TERM_AND) return (by & (by + 1)) == 0 && bound(out, by); /* it keeps what is below the mask */
  const value_t times = t->op == TERM_MUL ? by : t->op == TERM_SHL && by < 32 ? (value_t)1 << (int)by : 1;
  if (times == 0 || times > UINT32_MAX || (t->op != TERM_ADD && times == 1)) return false;
  const value_t base = out->base * times + (t->op == TERM_ADD ? by : 0), scale = out->scale * times;
  const value_t first = out->first * times + (t->op == TERM_ADD ? by : 0);
  if (base > limit || scale > limit || (out->begins && first > limit)) return false;
  out->base = (uint64_t)base, out->first = (uint64_t)first;
  out->scale = (uint64_t)scale;
  return bound(out, limit);
}

/* Bounds n by a condition that compares a form with a constant, and holds or does not. False: it is another one. */
static bool limit_of(const struct runner *r, term_id condition, bool holds, struct drawn *out) {
  const struct term *t = term_get(r->walk->terms, condition);
  if (t->op == TERM_NOT) return limit_of(r, t->a, !holds, out);
  if (t->op != TERM_ULT && t->op != TERM_SLT) return false;
  const struct term *by = term_get(r->walk->terms, holds ? t->b : t->a);
  const value_t positive = value_mask(t->op == TERM_SLT ? by->width - 1u : by->width), most = by->constant - holds;
  if (by->op != TERM_CONST || by->constant > positive || by->constant < holds) return false;
  if (!drawn_of(r, holds ? t->a : t->b, MOST_LEVELS, out) || !bound(out, positive) || most < out->base) return false;
  const value_t limit = (most - out->base) / out->scale;
  if (limit < out->limit) out->limit = (uint64_t)limit;
  return true;
}

void run_limit(struct runner *r, struct reg_state *regs, term_id condition) {
  struct learning *l = &r->run->body.learning;
  struct memory *m = r->run->memory;
  const term_id leaf = learn_only_leaf(l, condition);
  struct drawn drawn;
  if (leaf == TERM_FALSE || !limit_of(r, condition, true, &drawn)) return;
  struct origin own = m->unknowns.data[term_get(r->walk->terms, leaf)->event - 1];
  struct drawn *now = ARENA_COPY(m->kept, own.drawn);
  now->limit = drawn.limit;
  if (drawn.most < now->most) now->most = drawn.most;
  own.drawn = now;
  VEC_PUSH(m->arena, &m->unknowns, own);
  const term_id value = term_leaf(r->walk->terms, TERM_READ, m->unknowns.len, term_get(r->walk->terms, leaf)->width);
  learn_replace(l, regs, r->run->body.thread->reg_count, leaf, value);
}

static bool test_of(const struct runner *r, term_id condition, struct tested *out) {
  const struct term *t = term_get(r->walk->terms, condition);
  *out = (struct tested){.outside = false};
  if (t->op == TERM_NOT && test_of(r, t->a, out)) return out->outside = !out->outside, true;
  if (t->op == TERM_EQ) {
    const bool swapped = term_is_const(r->walk->terms, t->a);
    const value_t by = term_get(r->walk->terms, swapped ? t->a : t->b)->constant;
    if (!term_is_const(r->walk->terms, swapped ? t->a : t->b) ||
        !drawn_of(r, swapped ? t->b : t->a, MOST_LEVELS, &out->of))
      return false;
    out->least = out->most = (uint64_t)(by - out->of.base) / out->of.scale;
    return by >= out->of.base && (by - out->of.base) % out->of.scale == 0;
  }
  out->outside = !limit_of(r, condition, true, &out->of);
  if (out->outside && !limit_of(r, condition, false, &out->of)) return false;
  out->most = out->of.limit;
  return true;
}

const struct tested *run_test(struct runner *r, term_id condition) {
  struct tested test;
  return test_of(r, condition, &test) && !test.of.begins ? ARENA_COPY(r->run->memory->kept, &test) : NULL;
}

bool run_chosen(struct runner *r, term_id value, struct drawn *out) {
  const struct term *t = term_get(r->walk->terms, value);
  value_t yes = 1, no = 0, mask = value_mask(t->width);
  for (; t->op == TERM_ZEXT; mask &= value_mask(t->width)) t = term_get(r->walk->terms, value = t->a);
  if (t->op == TERM_ITE) {
    if (!term_is_const(r->walk->terms, t->b) || !term_is_const(r->walk->terms, t->c)) return false;
    yes = term_get(r->walk->terms, t->b)->constant & mask, no = term_get(r->walk->terms, t->c)->constant & mask;
    value = t->a;
  }
  struct tested test;
  if (term_get(r->walk->terms, value)->width != 1 || yes == no || yes > UINT64_MAX || no > UINT64_MAX ||
      !test_of(r, value, &test) || test.of.begins)
    return false;
  test.outside ^= yes < no;
  struct draw draw = {.tested = ARENA_COPY(r->run->memory->kept, &test)};
  const uint64_t base = (uint64_t)(yes < no ? yes : no), scale = (uint64_t)(yes < no ? no - yes : yes - no);
  *out = (struct drawn){
      .from = ARENA_COPY(r->run->memory->kept, &draw), .base = base, .scale = scale, .most = 1, .limit = 1};
  return true;
}

bool run_drawn(const struct runner *r, term_id value, struct drawn *out) {
  return drawn_of(r, value, MOST_LEVELS, out);
}

bool run_draws_of(const struct draw *a, const struct draw *b) {
  return a->region == b->region && a->at == b->at && a->bytes == b->bytes && a->added == b->added &&
         a->limit == b->limit;
}

/* An instruction of a loop that has been widened is one draw with what it was before. */
struct draw *run_draw(struct runner *r, uint32_t touches, struct draw draw) {
  struct draw *own = NULL;
  draw.instr = (uint32_t)(r->walk->instr - r->run->body.thread->instrs);
  VEC_VALUES (old, &r->draws)
    if (old->stale && old->instr == draw.instr && run_draws_of(old, &draw)) own = old;
  if (!own) {
    own = ARENA_COPY(r->run->memory->kept, &draw);
    own->number = r->run->memory->draws++;
    VEC_EACH (loop, &r->run->body.loops) own->again = own->again || bitset_has(loop->has, own->instr);
    VEC_PUSH(r->run->memory->work, &r->draws, own);
  }
  own->stale = false;
  for (uint32_t i = touches; i < r->touches.len; i++) r->touches.data[i].draw = own;
  return own;
}

void run_mark_drawn(struct runner *r, term_id value, const struct drawn *drawn) {
  struct memory *m = r->run->memory;
  m->unknowns.data[term_get(r->walk->terms, value)->event - 1].drawn = ARENA_COPY(m->kept, drawn);
}

/* The address of 32 bits that is extended to this one, or the address itself. */
static term_id unextended(const struct runner *r, term_id id) {
  const struct term *term = term_get(r->walk->terms, id);
  return term->op == TERM_ZEXT || term->op == TERM_SEXT ? term->a : id;
}

void run_touch_anywhere(struct runner *r, term_id id, enum space space, uint32_t bytes, bool write) {
  const struct region *base = id == TERM_FALSE ? NULL : run_base(r, id);
  if (base && space != SPACE_GENERIC && base->space != space) base = NULL; /* the constant is a distance */
  struct stride stride = stride_of(r, id, id == TERM_FALSE ? 0 : MOST_LEVELS);
  struct touch touch = {.writes = write, .open = true, .unit = bytes, .address = stride.shape};
  touch.modulus = id == TERM_FALSE ? 1 : (uint32_t)stride.modulus;
  touch.residue = (uint32_t)stride.residue;
  struct drawn drawn;
  if (base && run_drawn(r, id, &drawn)) touch.drawn = ARENA_COPY(r->run->memory->kept, &drawn);
  uint32_t count = 0, at = UINT32_MAX;
  const struct region *points = id == TERM_FALSE ? NULL : base_in(r, unextended(r, id), &count, &at);
  const bool limited = count == 1 && points->space == SPACE_SHARED;
  needless_note_any(r->run, r->walk->instr, base, space);
  VEC_VALUES (region, &r->run->memory->regions) {
    bool local = region->space == SPACE_LOCAL, other = space != SPACE_GENERIC && !is_in(region, space);
    if (region->space == SPACE_PARAM || (local && region->owner != r->number) || other) continue;
    if (base && region != base && !base->replicas) continue;
    region->whole = true;
    if (write) memory_lose(r->run->memory, region), history_lose(r->run->memory, region);
    bool far = region->space == SPACE_SHARED && region->owner - r->cluster_first >= r->cluster_size;
    if (far || (local && region != base)) continue;
    touch.region = region;
    touch.at = touch.end = 0;
    if (limited && region->space == SPACE_SHARED) limit(r, at, &touch);
    VEC_PUSH(r->run->memory->work, &r->touches, touch);
  }
}

/* True if the thread has one path so far: it executes the present instruction. */
static bool is_certain(const struct runner *r) { return !SOME(VEC_EACH (block, &r->blocks), block->guard); }

static void touch_at(struct runner *r, uint64_t where, uint32_t bytes, bool write, const value_t *value) {
  uint32_t at;
  struct memory *m = r->run->memory;
  struct region *region = run_find(r, where, &at);
  uint32_t unit = bytes < 16 ? bytes : 16;
  bool inside = region && memory_holds(m, region, at, bytes);
  if (!inside || (unit && where % unit)) r->strays = true;
  if (!inside && r->walk->predicate == TERM_TRUE && is_certain(r)) memory_note_beyond(m, where, bytes);
  if (!inside) return; /* the columns report the error */
  if (at + bytes > region->reach) region->reach = at + bytes;
  needless_note(r->run, r->walk->instr, region, where, bytes);
  bool peer = region->space == SPACE_SHARED && region->owner != r->cta;
  if (r->walk->predicate != TERM_TRUE || peer) value = NULL;
  struct wrote wrote = wrote_of(r, region, at, bytes);
  if (writes_later(r->walk->instr)) wrote.how = WROTE_ASIDE;
  bool aside = wrote.how == WROTE_ASIDE;
  if (!aside) wrote.how = value ? WROTE_VALUE : r->sum ? WROTE_SUM : WROTE_OTHER;
  wrote.value = value ? *value & value_mask(bytes < 16 ? 8 * bytes : 128) : r->sum ? *r->sum : 0;
  bool unordered = aside || history_may_end(m, r->number, wrote.epoch);
  if (write) r->so_far.wrote = history_note(m, wrote);
  if (write && region->space == SPACE_SHARED) history_turn_write(m, region, at, bytes, counts_at(r, region));
  if (write) memory_write(m, region, at, bytes, unordered ? (uint32_t)NO_EPOCH : wrote.epoch, value);
  VEC_PUSH(m->work, &r->touches, (struct touch){.region = region, .at = at, .bytes = bytes, .writes = write});
}

void run_touch(struct runner *r, uint64_t address, uint32_t bytes, bool writes) {
  touch_at(r, address, bytes, writes, NULL);
}

bool run_touch_whole(struct runner *r, uint64_t address, uint32_t bytes) {
  struct touch all = {.bytes = bytes, .pointer = true, .joins = true};
  all.region = run_find(r, address, &all.at);
  const bool inside = all.region && memory_holds(r->run->memory, all.region, all.at, bytes);
  if (inside) VEC_PUSH(r->run->memory->work, &r->touches, all);
  return inside && (bytes > 16 || address % bytes == 0);
}

void run_touch_object(struct runner *r, uint64_t address) {
  uint32_t before = r->touches.len;
  touch_at(r, address, 8, true, NULL);
  if (r->touches.len > before) r->touches.data[r->touches.len - 1].mbarrier = true;
}

void run_touch_ctas(struct runner *r, uint64_t address, uint32_t bytes, uint32_t mask) {
  for (uint32_t i = 0; i < r->cluster_size; i++) {
    bool own = r->cluster_first + i == r->cta;
    if (own || !(mask >> i & 1)) continue;
    if (bytes) run_touch(r, run_in_cta(r, address, i), bytes, true);
    else run_touch_object(r, run_in_cta(r, address, i));
  }
}

/* Looks at so many terms. */
static uint64_t settled(const struct runner *r, term_id id, unsigned *terms) {
  const struct term *term = term_get(r->walk->terms, id);
  term_id operands[3];
  if (term->op == TERM_CONST) return hash_mix(term->width, (uint64_t)term->constant);
  if (term->op == TERM_READ && term->event != UNNEEDED) {
    const struct origin *of = &r->run->memory->unknowns.data[term->event - 1];
    if (of->from >= SETTLED_FROM) return hash_mix(term->op, of->from);
    return of->turn ? hash_mix(of->turn, r->so_far.barriers - of->barriers) : 0; /* loaded so many barriers ago */
  }
  if (term_op_is_leaf(term->op)) return 0;
  uint64_t hash = hash_mix(term->op, term->width);
  unsigned count = term_operands(r->walk->terms, id, operands);
  if (*terms < count) return 0;
  *terms -= count;
  for (unsigned i = 0; i < count && hash; i++) {
    uint64_t own = settled(r, operands[i], terms);
    hash = own ? hash_mix(hash, own) : 0;
  }
  return hash;
}

uint64_t run_settled(const struct runner *r, term_id id) {
  unsigned terms = MOST_TERMS;
  return settled(r, id, &terms);
}

uint64_t run_state(struct runner *r, uint64_t address, uint32_t bytes) {
  uint32_t at = 0;
  struct region *region = run_find(r, address, &at);
  const struct wrote word = wrote_of(r, region, at, bytes);
  return history_state(r->run->memory, &word);
}

enum cell run_get(struct runner *r, uint64_t address, uint32_t bytes, value_t *value) {
  uint32_t at = 0;
  struct region *region = run_find(r, address, &at);
  if (!region || !memory_holds(r->run->memory, region, at, bytes)) return CELL_OPEN;
  struct wrote word = wrote_of(r, region, at, bytes);
  if (does(r->run->x, TECHNIQUE_HISTORY) && history_recall(r->run->memory, &word, value)) return CELL_KNOWN;
  bool peer = region->space == SPACE_SHARED && region->owner != r->cta;
  enum cell cell = memory_read(r->run->memory, region, at, bytes, peer ? 0 : word.epoch, value);
  if (cell == CELL_OPEN && instr_gives(r->walk->instr, r->run->body.wanted)) history_want(r->run->memory, &word);
  return cell;
}

void run_put(struct runner *r, uint64_t address, uint32_t bytes, const value_t *value) {
  touch_at(r, address, bytes, true, value);
}
