/* Leaves out columns of which nothing is left but barriers (docs/semantics.md K16) that they pass as another column of
 * their CTA does, in every execution: they order nothing and no wait needs them. Products without their matrices are
 * left for the rules of their registers alone, which another column with the same ones breaks or keeps alike; it may be
 * in another CTA if both need no barriers.
 *
 * A thread follows another one if on each pair of their paths that values allow they come to the same barriers in the
 * same order. At a branch whose condition depends only on settled states of shared memory both go the same way
 * (run_settled). A thread of which nothing is left has no other branch; the one that it follows may have more, and then
 * all of its ways lead to the same barriers.
 *
 * A fence of such a thread orders what comes before the last barrier before it with what comes after the next one,
 * through its place in the Fence-SC order (8.9.4): without accesses it is in no release or acquire pattern. A fence of
 * the other thread with the same semantics and scope between the same barriers orders all of that too, and the fence
 * that is left out may stand directly beside it in the Fence-SC order of an execution. */
#include "kernel/needs.h"

/* The next instruction of a path at which a thread meets others or has a product, or its end. */
struct station {
  enum { STATION_NONE, STATION_END, STATION_BARRIER, STATION_FENCE, STATION_BRANCH } kind;
  uint64_t what; /* hash of the barrier, product or fence, 0: like no other; of a branch: of its instruction and
                    condition, 0: values decide it */
};

struct place_on_path {
  uint32_t block, index; /* NO_BLOCK: the end */
};

struct pair_of_places {
  struct place_on_path a, b;
};

/* The place to which all ways from the start of each block of a thread lead: a station, or the start of a block that
 * was being looked at, in a loop. */
struct outlook {
  const struct runner *r;
  struct place_on_path *ahead;
  bool *begun;
};

struct follow_search {
  struct arena *arena;
  bool waits; /* operations need the order in time that exchanges give (G88) */
  VEC(struct pair_of_places) seen;
  struct hash_index index;
};

/* A barrier of the CTA or of the warp without a count that the thread surely comes to and waits at. 0: none. */
static uint64_t barrier_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!in || !remnant->instr || remnant->instr->guard || remnant->instr->refused || in->kind != INSTR_BARRIER) return 0;
  const struct barrier *barrier = in->barrier;
  bool whole = barrier->kind == BARRIER_CTA && barrier->count.kind == OPERAND_NONE;
  if ((!whole && barrier->kind != BARRIER_WARP) || barrier->action != BARRIER_SYNC) return 0;
  const struct litmus_operand *id = remnant->instr->operands;
  if (id && id->kind != LITMUS_NUMBER) return 0;
  uint64_t warp = barrier->kind == BARRIER_WARP ? r->tid / WARP_LANES + (uint64_t)1 : 0; /* each has its own */
  return hash_mix(hash_mix(barrier->kind, warp), id ? (uint64_t)id->u.number.value : 0) | 1;
}

/* The hash of a fence, unless it has a condition. 0: none. */
static uint64_t fence_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!in || !remnant->instr || remnant->instr->guard || remnant->instr->refused || in->kind != INSTR_FENCE) return 0;
  return hash_mix(in->sem, in->scope) | 1;
}

static uint64_t operands_of(const struct litmus_operand *operand, uint64_t hash) {
  for (; operand; operand = operand->next) {
    hash = hash_mix(hash, operand->kind);
    if (operand->kind == LITMUS_VECTOR) hash = operands_of(operand->u.items, hash);
    else if (operand->kind == LITMUS_NUMBER) hash = hash_mix(hash, (uint64_t)operand->u.number.value);
    else if (operand->kind == LITMUS_NAME) hash = hash_mix(hash, (uint64_t)(uintptr_t)operand->u.ref.name);
    else hash = hash_mix(hash, (uint64_t)(uintptr_t)operand);
  }
  return hash;
}

/* True if some operand is a register of products. */
static bool has_product(const struct runner *r, const struct litmus_operand *operand) {
  for (; operand; operand = operand->next) {
    bool named = operand->kind == LITMUS_NAME && operand->u.ref.percent;
    uint32_t reg = named ? body_register(&r->run->body, operand->u.ref.name) : (uint32_t)NO_REG;
    if (reg != NO_REG && r->run->body.fragments[reg] != NO_REG) return true;
    if (operand->kind == LITMUS_VECTOR && has_product(r, operand->u.items)) return true;
  }
  return false;
}

/* The hash of an instruction of a product whose matrices are left out: the product, its fences and groups, a use of a
 * register (AG3). 0: another one. Two threads with the same ones break a rule alike; a fence between the proxies serves
 * all accesses in its CTA alike (AC6), in each thread that comes to it between the same barriers. */
static uint64_t product_of(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!r->run->body.multiplies || !remnant->instr || remnant->strays) return 0;
  if (remnant->instr->guard || remnant->instr->refused) return 0;
  bool group = in && in->kind == INSTR_GROUP && in->group->list == GROUP_MMA;
  bool proxies = in && in->kind == INSTR_PROXY_FENCE && in->proxy == PROXY_ASYNC && !in->one_way;
  bool uses = (remnant->is_use || remnant->quiet) && has_product(r, remnant->instr->operands);
  EACH_TOUCH (touch, r, remnant)
    if (!touch->pointer) return 0;
  if (!group && !proxies && !uses && !(in && tiled_multiplies(in))) return 0;
  uint64_t opcode = (uint64_t)(uintptr_t)remnant->instr->opcode.text;
  return operands_of(remnant->instr->operands, hash_mix(remnant->end, opcode)) | 1;
}

bool followers_pass_by(const struct runner *r, const struct remnant *remnant, bool waits) {
  const struct instr *in = remnant_source(r, remnant);
  if (!remnant->instr) return true;
  if (remnant->strays || remnant->is_use || remnant->instr->refused || remnant->instr->guard) return false;
  if (remnant->quiet) return !aligned_is_mark(remnant->instr);
  if (!in) return false;
  if (run_meeting(in) == MEETING_EXCHANGE) return remnant->folded && remnant->complete && !waits;
  if (in->kind != INSTR_LOAD || !is_plain_weak(in) || !remnant->touches) return false;
  return !SOME(EACH_TOUCH (touch, r, remnant), touch->meets || touch->open || touch->region->space != SPACE_SHARED);
}

/* True if the instruction may wait for threads that do not come to it. */
static bool remnant_meets(const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!remnant->instr) return false;
  if (!in) return aligned_is_mark(remnant->instr);
  enum meeting_kind kind = run_meeting(in);
  if (kind == MEETING_EXCHANGE || kind == MEETING_ELECT) return !remnant->complete;
  return in->kind == INSTR_BARRIER;
}

static struct outlook look_from(const struct runner *r) {
  struct arena *arena = r->run->memory->arena;
  const uint32_t count = r->blocks.len;
  return (struct outlook){r, ARENA_ARRAY(arena, struct place_on_path, count), ARENA_ARRAY(arena, bool, count)};
}

static struct station station_of(const struct runner *r, const struct remnant *remnant) {
  uint64_t what = barrier_of(r, remnant);
  if (!what) what = product_of(r, remnant);
  if (what || remnant_meets(r, remnant)) return (struct station){STATION_BARRIER, what};
  what = fence_of(r, remnant);
  return (struct station){what ? STATION_FENCE : STATION_NONE, what};
}

static bool same_place(struct place_on_path a, struct place_on_path b) {
  return a.block == b.block && a.index == b.index;
}

static struct place_on_path look_ahead(struct outlook *o, uint32_t block, uint32_t depth);

static bool joins(struct outlook *o, const struct block *b, uint32_t depth) {
  return same_place(look_ahead(o, b->next[0], depth), look_ahead(o, b->next[1], depth));
}

/* The place to which all ways from this one lead. */
static struct place_on_path lead(struct outlook *o, struct place_on_path at, uint32_t depth) {
  const struct block *b = &o->r->blocks.data[at.block];
  for (; at.index < b->code.len; at.index++)
    if (station_of(o->r, &b->code.data[at.index]).kind) return at;
  return b->guard && !joins(o, b, depth) ? at : look_ahead(o, b->next[0], depth);
}

static struct place_on_path look_ahead(struct outlook *o, uint32_t block, uint32_t depth) {
  enum { MOST_DEPTH = 1 << 12 };
  const struct place_on_path start = {block, 0};
  if (block == NO_BLOCK || (!o->begun[block] && depth == MOST_DEPTH)) return start;
  if (!o->begun[block]) {
    o->begun[block] = true;
    o->ahead[block] = start;
    o->ahead[block] = lead(o, start, depth + 1);
  }
  struct place_on_path to = o->ahead[block], before = {NO_BLOCK, 0}; /* more may be known since */
  for (uint32_t n = 0; n < o->r->blocks.len && !same_place(to, before) && to.block != NO_BLOCK && !to.index; n++)
    before = to, to = o->begun[to.block] ? o->ahead[to.block] : to;
  return to;
}

bool followers_join(const struct runner *r, const struct block *b) {
  struct outlook o = look_from(r);
  return joins(&o, b, 0);
}

/* Moves on to the next station. */
static struct station next_station(struct outlook *o, struct place_on_path *at) {
  struct place_on_path from = {NO_BLOCK, 0};
  for (uint32_t passed = 0; passed <= o->r->blocks.len && !same_place(*at, from); passed++) {
    from = *at;
    if (at->block != NO_BLOCK) *at = lead(o, *at, 0);
  }
  if (at->block == NO_BLOCK) return (struct station){STATION_END, 0};
  const struct block *b = &o->r->blocks.data[at->block];
  struct station met = {STATION_NONE, 0};
  if (at->index < b->code.len) met = station_of(o->r, &b->code.data[at->index]);
  else if (b->guard && !joins(o, b, 0))
    met = (struct station){STATION_BRANCH, b->settled ? hash_mix(b->settled, b->split) | 1 : 0};
  return met.kind ? met : (struct station){STATION_BARRIER, 0}; /* an endless loop without a station */
}

/* True if nothing is left of the thread but barriers, fences, and branches on settled states, or whose ways come to
 * one station. */
static bool is_bare(const struct follow_search *f, struct runner *r) {
  struct block_order order = {0};
  struct outlook o = look_from(r);
  columns_order(r, &order);
  for (uint32_t i = 0; i < order.blocks.len; i++) {
    const struct block *b = &r->blocks.data[order.blocks.data[i]];
    if (b->guard && !b->settled && !joins(&o, b, 0)) return false;
    VEC_EACH (remnant, &b->code)
      if (!barrier_of(r, remnant) && !fence_of(r, remnant) && !product_of(r, remnant) &&
          !followers_pass_by(r, remnant, f->waits))
        return false;
  }
  return true;
}

static void look_at(struct follow_search *f, struct place_on_path a, struct place_on_path b) {
  uint64_t hash = hash_mix(hash_mix(hash_mix(a.block, a.index), b.block), b.index);
  HASH_EACH (n, &f->index, hash) {
    const struct pair_of_places *old = &f->seen.data[n];
    if (memcmp(&old->a, &a, sizeof a) == 0 && memcmp(&old->b, &b, sizeof b) == 0) return;
  }
  VEC_PUSH(f->arena, &f->seen, ((struct pair_of_places){a, b}));
  hash_add(f->arena, &f->index, hash, f->seen.len - 1);
}

static struct place_on_path way(const struct runner *r, struct place_on_path at, uint32_t taken) {
  return (struct place_on_path){r->blocks.data[at.block].next[taken], 0};
}

/* True if both come to the same stations from a pair of places on; notes the pairs after them. */
static bool go_on(struct follow_search *f, struct outlook *r, struct outlook *first, struct pair_of_places at) {
  struct station a = next_station(r, &at.a), b = next_station(first, &at.b);
  if (b.kind == STATION_BRANCH && (!b.what || a.kind != STATION_BRANCH || a.what != b.what)) {
    for (uint32_t k = 0; k < 2; k++) look_at(f, at.a, way(first->r, at.b, k));
    return true;
  }
  if (b.kind == STATION_FENCE && (a.kind != STATION_FENCE || a.what != b.what)) { /* a fence of `first` alone */
    at.b.index++;
    look_at(f, at.a, at.b);
    return true;
  }
  if (a.kind != b.kind || a.what != b.what || (a.kind == STATION_BARRIER && !a.what)) return false;
  at.a.index++, at.b.index++;
  if (a.kind == STATION_BARRIER || a.kind == STATION_FENCE) look_at(f, at.a, at.b);
  for (uint32_t k = 0; k < 2 && a.kind == STATION_BRANCH; k++) look_at(f, way(r->r, at.a, k), way(first->r, at.b, k));
  return true;
}

static bool follows(struct follow_search *f, const struct runner *r, const struct runner *first) {
  enum { MOST_PAIRS = 1 << 14 };
  struct outlook own = look_from(r), other = look_from(first);
  f->seen.len = 0;
  f->index = (struct hash_index){0};
  look_at(f, (struct place_on_path){0, 0}, (struct place_on_path){0, 0});
  return !SOME_BELOW(i, f->seen.len, i == MOST_PAIRS || !go_on(f, &own, &other, f->seen.data[i]));
}

/* The threads of its group, which have no columns, go the same ways. */
static bool group_agrees(const struct launching *l, const struct runner *r) {
  return !SOME(EACH_MATE (other, run_cta_mates(r)),
               l->groups[other->number] == l->groups[r->number] && l->paths[other->number] != l->paths[r->number]);
}

/* By CTA: another one accesses its shared memory, which lives while its threads do (K9). */
static bool *find_visited(const struct launching *l) {
  bool *visited = ARENA_ARRAY(l->memory.arena, bool, l->ctas.len);
  EACH_RUNNER (r, l)
    VEC_EACH (touch, &r->touches)
      if (touch->region->space == SPACE_SHARED && touch->region->owner != r->cta) visited[touch->region->owner] = true;
  return visited;
}

/* The column of a CTA that others may follow: one of which more is left, else the first. */
static struct runner *leader_of(const struct follow_search *f, struct mates of) {
  struct runner *first = NULL;
  EACH_MATE (r, of) {
    if (!r->column) continue;
    if (!first) first = r;
    if (!is_bare(f, r)) return r;
  }
  return first;
}

/* True if all barriers of the thread are such that its followers come to them. */
static bool is_regular(struct runner *r) {
  return !SOME(EACH_REMNANT (remnant, r), remnant_meets(r, remnant) && !barrier_of(r, remnant));
}

/* A thread whose CTA has only followers of it waits for nobody at barriers, and they order it with nobody. */
static void drop_barriers(struct runner *r) {
  EACH_REMNANT (remnant, r)
    if (barrier_of(r, remnant)) remnant->instr = NULL;
}

void followers_drop(struct launching *l) {
  struct follow_search f = {.arena = l->memory.arena, .waits = rendezvous_are_timed(l)};
  if (l->x->parse.test->condition || !l->conflicts) return;
  const bool *visited = find_visited(l);
  VEC(struct runner *) alike = {0};
  for (uint32_t i = 0; i < l->runners.len;) {
    const struct mates mates = run_cta_mates(l->runners.data[i]);
    i += (uint32_t)(mates.end - mates.at);
    if (visited[mates.at[0]->cta]) continue;
    struct runner *first = leader_of(&f, mates);
    bool alone = first && group_agrees(l, first) && is_regular(first);
    EACH_MATE (r, mates) {
      if (!r->column || r == first) continue;
      if (is_bare(&f, r) && group_agrees(l, r) && follows(&f, r, first)) r->column = false;
      else alone = false;
    }
    if (!alone) continue;
    drop_barriers(first);
    if (!first->run->body.multiplies || !is_bare(&f, first)) continue;
    VEC_VALUES (other, &alike)
      if (first->column && other->run == first->run && follows(&f, first, other)) first->column = false;
    if (first->column) VEC_PUSH(f.arena, &alike, first);
  }
}
