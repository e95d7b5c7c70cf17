/* Merges consecutive atomics whose values nothing needs, for example a hundred increments of a counter.
 *
 * All accesses to the bytes are atomics of one scope that contains all threads, so every pair is morally strong and one
 * order contains them all (Coherence, Atomicity). No finding is lost: if the second of two adjacent atomics of one kind
 * is removed, all other accesses keep their places, and there is only less synchronization (the head of
 * exec/silent_updates.c, which covers values too). No finding is gained: the second may directly follow the first in
 * coherence; it observes, and is observed by, the same events as the first, and is at the same place in its thread. */
#include "base/text.h"
#include "kernel/columns.h"

struct repeats {
  struct launching *launch;
  struct bitset *others; /* by region: bytes with other accesses */
  enum scope scope;      /* of the atomics */
};

/* True if the atomic is morally strong with another thread's atomic of its kind. */
static bool is_update(const struct repeats *p, const struct runner *r, const struct remnant *remnant) {
  const struct instr *in = remnant_source(r, remnant);
  bool updates = in && (in->kind == INSTR_ATOM || in->kind == INSTR_RED) && in->elements == 1;
  return updates && in->scope == p->scope && in->proxy == PROXY_GENERIC;
}

static bool has_updates(const struct repeats *p) {
  EACH_COLUMN (r, p->launch)
    EACH_REMNANT (remnant, r)
      if (remnant->blind) return true;
  return false;
}

static void note_others(struct repeats *p) {
  const struct memory *m = &p->launch->memory;
  p->others = ARENA_ARRAY(m->arena, struct bitset, m->regions.len);
  for (uint32_t i = 0; i < m->regions.len; i++) p->others[i] = bitset_new(m->arena, m->regions.data[i]->size);
  EACH_RUNNER (r, p->launch)
    EACH_REMNANT (remnant, r)
      EACH_TOUCH (touch, r, remnant) {
        bool whole = touch->bytes && touch->at % touch->bytes == 0 && !touch->region->whole;
        if (!whole || !is_update(p, r, remnant))
          bitset_add_run(p->others[touch->region->number], touch->at, touch_end(touch));
      }
}

static bool has_blind(struct launching *l) {
  EACH_COLUMN (r, l)
    EACH_REMNANT (remnant, r)
      if (remnant->blind) return true;
  return false;
}

static bool is_blind(const struct repeats *p, const struct runner *r, const struct remnant *remnant) {
  if (!remnant->blind || !is_update(p, r, remnant) || !remnant->touches) return false;
  EACH_TOUCH (touch, r, remnant)
    for (uint32_t k = touch->at; k < touch_end(touch); k++)
      if (bitset_has(p->others[touch->region->number], k)) return false;
  return true;
}

/* The text of an atomic: its operation and place, without values. */
static const char *text_of(const struct repeats *p, const struct runner *r, const struct remnant *remnant) {
  struct text text = {.arena = p->launch->memory.arena};
  struct litmus_instr instr = *remnant->instr;
  instr.operands = NULL;
  litmus_print_instr(&instr, &text);
  EACH_TOUCH (touch, r, remnant) text_printf(&text, " %u+%u", touch->region->number, touch->at);
  return text_str(&text);
}

/* `last`: the text of such an atomic just before the block, or NULL. Returns the same of its end. */
static const char *merge_block(const struct repeats *p, const struct runner *r, struct block *block, const char *last) {
  VEC_EACH (remnant, &block->code) {
    if (!remnant->instr || remnant->quiet) continue;
    const char *own = is_blind(p, r, remnant) ? text_of(p, r, remnant) : NULL;
    if (own && last && strcmp(own, last) == 0) remnant->instr = NULL;
    last = own;
  }
  return last;
}

/* Blocks precede their successors, except in loops. If a block has one predecessor, whose only successor it is, the two
 * are straight-line code. */
static void merge_thread(const struct repeats *p, struct runner *r) {
  const char **before = ARENA_ARRAY(p->launch->memory.arena, const char *, r->blocks.len);
  uint32_t *entries = ARENA_ARRAY(p->launch->memory.arena, uint32_t, r->blocks.len);
  for (uint32_t b = 0; b < r->blocks.len; b++)
    for (uint32_t k = 0; k < 2; k++)
      if (r->blocks.data[b].next[k] != NO_BLOCK) entries[r->blocks.data[b].next[k]]++;
  for (uint32_t b = 0; b < r->blocks.len; b++) {
    struct block *block = &r->blocks.data[b];
    const char *last = merge_block(p, r, block, before[b]);
    uint32_t next = block->next[0];
    if (!block->guard && next != NO_BLOCK && next > b && entries[next] == 1) before[next] = last;
  }
}

void repeats_merge(struct launching *l) {
  struct repeats p = {.launch = l, .scope = SCOPE_GPU};
  if (l->x->parse.test->condition || !has_blind(l)) return;
  for (uint32_t i = 0; i < l->ctas.len; i++)
    if (l->ctas.data[i].gpu != l->ctas.data[0].gpu) p.scope = SCOPE_SYS;
  if (!has_updates(&p)) return;
  note_others(&p);
  EACH_COLUMN (r, l) merge_thread(&p, r);
}
