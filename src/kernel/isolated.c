/* Leaves out clusters that meet no other one and do as another one does (docs/semantics.md T10, K16), if a question
 * about safety needs no values. A cluster without `cluster` is a CTA.
 *
 * Two clusters whose threads have equal kinds may be exchanged in every execution (kinds.c), so what is wrong in one
 * may be wrong in the other. Nothing left of an isolated cluster waits for another one, reads or writes what another
 * one writes or reads, or may order its accesses: executions without it are those with it, restricted to the others. So
 * the cluster that stays shows each finding of those left out, if as much of its threads is left as of theirs. A
 * cluster with a witness stays: the accesses of others like it may be gone. */
#include "kernel/conflicts.h"
#include "kernel/needs.h"

/* A weak access, or one of a copy: it orders nothing by itself (A3). */
static bool is_weak(const struct instr *in) {
  if (in->tiled == TILED_COPY) return !litmus_has_word(&in->ast->qualifiers, ".reduce");
  if (in->kind == INSTR_ASYNC)
    return (in->async->action == ASYNC_COPY || in->async->action == ASYNC_BULK) && !in->async->reduces;
  bool plain = (in->kind == INSTR_LOAD || in->kind == INSTR_STORE) && in->sem == SEM_WEAK && !in->is_volatile;
  return plain && !in->is_mmio;
}

/* True if no thread writes a byte of the touch. */
static bool is_constant(const struct launching *l, const struct touch *touch) {
  const size_t written = bitset_next(l->alone->stored[touch->region->number], touch->at);
  return !touch->writes && written >= reach_end(touch);
}

/* Weak accesses of two clusters of one grid conflict only where both sites are marked to meet: nothing settles them. A
 * copy that nobody waits for is marked too, but its source may be constant. */
static bool is_inside(const struct launching *l, const struct runner *r, const struct instr *in,
                      const struct touch *touch) {
  const struct region *region = touch->region;
  if (region->space == SPACE_PARAM || region->space == SPACE_LOCAL) return true;
  if (region->space == SPACE_SHARED) return region->owner - r->cluster_first < r->cluster_size;
  return is_weak(in) && (!touch->meets || is_constant(l, touch));
}

static bool stays_inside(const struct launching *l, const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  if (!remnant->instr || !in) return true;
  bool cancels = in->kind == INSTR_ASYNC && in->async->action == ASYNC_CANCEL;
  if (cancels || remnant->strays || (instr_is_access(in) && !remnant->touches)) return false;
  EACH_TOUCH (touch, r, remnant)
    if (!is_inside(l, r, in, touch)) return false;
  return in->kind != INSTR_MULTIMEM;
}

/* By the first CTA of a cluster: it is not isolated, or has a witness. */
static bool *find_tied(struct launching *l) {
  bool *tied = ARENA_ARRAY(l->memory.arena, bool, l->ctas.len);
  VEC_EACH (witness, &l->conflicts->witnesses) tied[l->runners.data[witness->runner]->cluster_first] = true;
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r)
      if (!stays_inside(l, r, remnant)) tied[r->cluster_first] = true;
  return tied;
}

static struct mates cluster_mates(const struct launching *l, uint32_t first) {
  struct runner **at = l->runners.data + first, **end = at;
  while (end < VEC_END(&l->runners) && (*end)->cluster_first == (*at)->cluster_first) end++;
  return (struct mates){at, end};
}

/* True if each instruction that is left of a thread is also left of the other one. */
static bool has_all_of(const struct runner *a, const struct runner *b) {
  if (!b->column) return true;
  if (!a->column || a->blocks.len != b->blocks.len) return false;
  for (uint32_t i = 0; i < b->blocks.len; i++) {
    const struct block *x = &a->blocks.data[i], *y = &b->blocks.data[i];
    if (x->code.len != y->code.len) return false;
    for (uint32_t k = 0; k < y->code.len; k++)
      if (y->code.data[k].instr && !x->code.data[k].instr) return false;
  }
  return true;
}

static bool shows_all_of(const struct launching *l, struct mates a, struct mates b) {
  if (a.end - a.at != b.end - b.at) return false;
  for (ptrdiff_t i = 0; i < b.end - b.at; i++)
    if (l->kinds[a.at[i]->number] != l->kinds[b.at[i]->number] || !has_all_of(a.at[i], b.at[i])) return false;
  return true;
}

void isolated_drop(struct launching *l) {
  struct arena *arena = l->memory.arena;
  VEC(uint32_t) kept = {0}; /* by their first threads */
  struct hash_index index = {0};
  if (l->x->parse.test->condition || !l->conflicts || l->runs.len != 1) return;
  const bool *tied = find_tied(l);
  for (uint32_t i = 0; i < l->runners.len;) {
    const struct mates own = cluster_mates(l, i);
    const uint64_t kind = l->kinds[i];
    bool shown = false;
    HASH_EACH (n, &index, kind)
      shown = shown || (!tied[own.at[0]->cluster_first] && shows_all_of(l, cluster_mates(l, kept.data[n]), own));
    EACH_MATE (r, own) r->column = r->column && !shown;
    if (!shown) {
      VEC_PUSH(arena, &kept, i);
      hash_add(arena, &index, kind, kept.len - 1);
    }
    i += (uint32_t)(own.end - own.at);
  }
}
