/* Finds the rings in the shared memory of kernels: arrays whose elements a thread uses cyclically. The only evidence is
 * the addresses of the launch: the addresses of an instruction in a loop ascend by equal steps and begin again at the
 * lowest, and between any two of them the thread waits for other threads. */

#include "ptx/lowering.h"

/* Bytes in the shared memory of a CTA. */
struct reach {
  uint32_t owner, at, bytes;
};

enum { OBJECT_BYTES = 8, MOST_REACHES = 4 };

struct reaches {
  struct reach list[MOST_REACHES];
  uint32_t count;
};

static void add_reach(const struct program *program, struct address address, uint32_t bytes, struct reaches *out) {
  uint64_t at = (uint64_t)address.base.imm + (uint64_t)address.offset;
  for (uint32_t i = 0; i < program->view_count && address.base.kind == OPERAND_IMM && bytes; i++) {
    const struct view *view = &program->views[i];
    const struct object *object = &program->objects[view->object];
    if (at < view->vaddr || at - view->vaddr >= object->size) continue;
    if (object->space != SPACE_SHARED || object->is_allocator) return;
    out->list[out->count++] = (struct reach){object->owner, object->place + (uint32_t)(at - view->vaddr), bytes};
    return;
  }
}

/* From the first byte to the last; `other` if no bytes are listed. */
static uint32_t extent_of(const struct byte_runs *runs, const struct operand *bytes, uint32_t other) {
  uint32_t end = 0;
  for (uint32_t i = 0; i < runs->count; i++)
    if (runs->list[i].at + runs->list[i].bytes > end) end = runs->list[i].at + runs->list[i].bytes;
  return runs->count ? end : bytes->kind == OPERAND_IMM ? (uint32_t)bytes->imm : other;
}

/* The shared memory that the operands of an instruction name: what it accesses before the mbarrier object that it
 * signals. */
static struct reaches reaches_of(const struct program *program, const struct instr *in) {
  struct reaches out = {0};
  const struct async *a = in->async;
  uint32_t bytes = in->elements * type_bytes(in->type);
  if (instr_is_access(in)) add_reach(program, in->addr, bytes, &out);
  if (in->mbarrier && in->mbarrier->action != MBARRIER_PENDING)
    add_reach(program, in->mbarrier->object, OBJECT_BYTES, &out);
  if (!a) return out;
  add_reach(program, a->to, extent_of(&a->to_runs, &a->bytes, bytes), &out);
  add_reach(program, a->from, extent_of(&a->from_runs, &a->bytes, 0), &out);
  add_reach(program, a->other, extent_of(&a->other_runs, &a->bytes, 0), &out);
  if (a->has_object) add_reach(program, a->object, OBJECT_BYTES, &out);
  return out;
}

/* ---- One operand of an instruction of the text, in one thread ---- */

struct uses {
  const struct instr *first;
  uint32_t operand;
  VEC(struct use {
    struct reach reach;
    uint32_t waits; /* of the thread until then */
  })
  list;
};

struct ring_search {
  struct arena *arena;
  const struct program *program;
  VEC(struct uses) uses; /* of the thread */
  struct hash_index index;
  VEC(struct ring) rings;
};

static bool is_wait(const struct instr *in) {
  if (in->barrier) return in->barrier->kind == BARRIER_CTA || in->barrier->kind == BARRIER_CLUSTER;
  if (in->group) return in->group->waits;
  enum mbarrier_action action = in->mbarrier ? in->mbarrier->action : MBARRIER_PENDING;
  return action == MBARRIER_TEST || action == MBARRIER_TRY || action == MBARRIER_WAIT;
}

static struct uses *uses_of(struct ring_search *s, const struct instr *in, uint32_t operand) {
  uint64_t hash = hash_mix(hash_mix(operand, in->span.begin), in->kind);
  HASH_EACH (i, &s->index, hash) {
    struct uses *known = &s->uses.data[i];
    const struct instr *first = known->first;
    if (known->operand == operand && first->kind == in->kind && first->span.source == in->span.source &&
        first->span.begin == in->span.begin)
      return known;
  }
  VEC_PUSH(s->arena, &s->uses, ((struct uses){.first = in, .operand = operand}));
  hash_add(s->arena, &s->index, hash, s->uses.len - 1);
  return &s->uses.data[s->uses.len - 1];
}

static uint32_t distance(uint32_t a, uint32_t b) { return a > b ? a - b : b - a; }

/* The ring that they make if they go round it. */
static struct ring measure(const struct uses *uses) {
  const struct reach *first = &uses->list.data[0].reach;
  struct ring ring = {.owner = first->owner, .at = first->at, .apart = UINT32_MAX};
  uint32_t highest = first->at;
  VEC_EACH (use, &uses->list) {
    const struct reach *r = &use->reach;
    if (r->owner != ring.owner) return (struct ring){0};
    if (r->at < ring.at) ring.at = r->at;
    if (r->at > highest) highest = r->at;
    if (r->bytes > ring.bytes) ring.bytes = r->bytes;
    if (r->at != first->at && distance(r->at, first->at) < ring.apart) ring.apart = distance(r->at, first->at);
  }
  ring.stages = (highest - ring.at) / ring.apart + 1;
  return ring;
}

static bool goes_round(const struct uses *uses, const struct ring *ring) {
  uint32_t last = ring->at + (ring->stages - 1) * ring->apart;
  bool again = false;
  for (uint32_t i = 1; i < uses->list.len; i++) {
    const struct use *use = &uses->list.data[i], *before = use - 1;
    uint32_t next = before->reach.at == last ? ring->at : before->reach.at + ring->apart;
    if (use->reach.at == before->reach.at) continue;
    if (use->reach.at != next || use->waits == before->waits) return false;
    again = again || next == ring->at;
  }
  return again && ring->bytes <= ring->apart;
}

static bool same_ring(const struct ring *a, const struct ring *b) {
  return a->owner == b->owner && a->at == b->at && a->bytes == b->bytes && a->apart == b->apart &&
         a->stages == b->stages;
}

static void add_ring(struct ring_search *s, struct ring ring) {
  VEC_EACH (other, &s->rings)
    if (same_ring(other, &ring)) return;
  VEC_PUSH(s->arena, &s->rings, ring);
}

static void find_rings(struct ring_search *s, const struct thread *thread) {
  uint32_t waits = 0;
  s->uses.len = 0;
  s->index = (struct hash_index){0};
  ARRAY_EACH (in, thread->instrs, thread->instr_count) {
    waits += is_wait(in);
    struct reaches reaches = reaches_of(s->program, in);
    for (uint32_t k = 0; k < reaches.count; k++)
      VEC_PUSH(s->arena, &uses_of(s, in, k)->list, ((struct use){reaches.list[k], waits}));
  }
  VEC_EACH (uses, &s->uses) {
    struct ring ring = measure(uses);
    if (ring.stages > 1 && goes_round(uses, &ring)) add_ring(s, ring);
  }
}

void lower_rings(struct lowering *l) {
  struct program *program = l->program;
  struct ring_search s = {.arena = l->arena, .program = program};
  for (uint32_t t = 0; t < program->thread_count && l->test->kernels; t++) find_rings(&s, &program->threads[t]);
  program->rings = s.rings.data;
  program->ring_count = s.rings.len;
}

/* ---- Stages ---- */

/* False unless the bytes are in one stage. */
static bool stage_in(const struct ring *ring, const struct reach *reach, uint32_t *stage) {
  uint32_t found = 0;
  for (uint32_t k = 0; k < ring->stages && ring->owner == reach->owner; k++) {
    uint32_t at = ring->at + k * ring->apart;
    if (at >= reach->at + reach->bytes || reach->at >= at + ring->bytes) continue;
    found++;
    *stage = k;
  }
  return found == 1;
}

/* A ring within a stage of another is shorter. One whose user leaves stages out has fewer. */
static bool is_better(const struct ring *a, const struct ring *b) {
  uint64_t length = (uint64_t)a->stages * a->apart, other = (uint64_t)b->stages * b->apart;
  return length != other ? length > other : a->stages > b->stages;
}

/* At a branch of a loop that tests an mbarrier object a thread waits for this object. */
static const struct instr *waits_for(const struct thread *thread, uint32_t instr) {
  const struct instr *in = &thread->instrs[instr];
  for (uint32_t end = instr; in->kind == INSTR_BRANCH && end < thread->instr_count; end++) {
    const struct instr *back = &thread->instrs[end];
    if (back->kind != INSTR_BRANCH || back->target > instr) continue;
    for (uint32_t i = back->target; i < end; i++)
      if (thread->instrs[i].mbarrier && is_wait(&thread->instrs[i])) return &thread->instrs[i];
    break;
  }
  return in;
}

uint32_t instr_stage(const struct program *program, uint32_t thread, uint32_t instr, uint32_t *stage) {
  struct reaches reaches = reaches_of(program, waits_for(&program->threads[thread], instr));
  const struct ring *best = NULL;
  for (uint32_t k = 0; k < reaches.count && !best; k++)
    for (uint32_t i = 0, found; i < program->ring_count; i++) {
      const struct ring *ring = &program->rings[i];
      if (!stage_in(ring, &reaches.list[k], &found) || (best && !is_better(ring, best))) continue;
      best = ring;
      *stage = found;
    }
  return best ? best->stages : 0;
}

uint32_t instr_turn(const struct program *program, uint32_t thread, uint32_t instr, uint32_t *all) {
  const struct thread *t = &program->threads[thread];
  const struct instr *in = &t->instrs[instr], *last = NULL;
  uint32_t at = 0;
  *all = 0;
  for (uint32_t i = 0; i < t->instr_count && t->of_kernel && !in->ast->part; i++) {
    const struct instr *other = &t->instrs[i];
    bool same = other->span.source == in->span.source && other->span.begin == in->span.begin && other->kind == in->kind;
    if (same && (!last || last->ast != other->ast)) ++*all, last = other;
    if (i == instr) at = *all;
  }
  return *all > 1 ? at : 0;
}
