/* The writes of threads to shared and local memory and to tensor maps, in their order: the value that a read finds if
 * barriers, or the program order of its own thread, order all of them before it.
 *
 * A thread that runs on constants takes several paths where a value from memory decides a branch. A write counts for a
 * read of the same thread only if it is on the path to the read. Paths come together at a block that two of them enter,
 * and other threads cannot tell them apart at a barrier or after the end. A byte of which paths then hold different
 * values is parted: it has no history in any later round. */
#include "kernel/memory.h"

#include "base/hash.h"

enum { MOST_COMPARED = 1024 }; /* writes of two paths */

bool history_has(const struct region *r) {
  return r->space == SPACE_SHARED || r->space == SPACE_LOCAL || r->maps;
}

void history_begin(struct arena *arena, struct region *r) {
  r->before = r->now;
  r->now = (struct history){.heads = ARENA_ARRAY(arena, uint32_t, r->size)};
}

static uint64_t hash_history(const struct history *h) {
  uint64_t sum = h->list.len; /* whatever the order */
  VEC_VALUES (w, &h->list) {
    uint64_t hash = hash_mix(hash_mix(hash_mix(w->at, w->epoch), w->thread), w->step);
    sum += hash_mix(hash_mix(hash, (uint64_t)w->value), w->how);
  }
  return sum;
}

bool history_settled(const struct region *r) {
  return !history_has(r) || hash_history(&r->before) == hash_history(&r->now);
}

/* ---- paths */

static uint32_t depth_of(const struct wrote *w) { return w ? w->depth : 0; }
static const struct wrote *jump_of(const struct wrote *w) { return w ? w->jump : NULL; }

/* Jumps double back over equal distances, so that a walk to any depth takes a logarithmic number of steps. */
static void extend(struct wrote *w) {
  const struct wrote *jump = jump_of(w->before), *far = jump_of(jump);
  w->depth = depth_of(w->before) + 1;
  w->jump = depth_of(w->before) - depth_of(jump) == depth_of(jump) - depth_of(far) ? far : w->before;
}

static bool is_on_path(const struct wrote *w, const struct wrote *end) {
  while (depth_of(end) > w->depth) end = depth_of(end->jump) >= w->depth ? end->jump : end->before;
  return end == w;
}

static bool covers(const struct wrote *w, const struct region *r, uint32_t byte) {
  return w->region == r && byte >= w->at && byte - w->at < w->bytes;
}

/* The last write of a path to a byte; NULL: the path has none. */
static const struct wrote *last_on_path(const struct wrote *end, const struct region *r, uint32_t byte) {
  while (end && !covers(end, r, byte)) end = end->before;
  return end;
}

static bool same_byte(const struct wrote *a, const struct wrote *b, uint32_t byte) {
  if (!a || !b || a->how == WROTE_SUM || b->how == WROTE_SUM) return a == b;
  if (a->how == WROTE_OTHER || b->how == WROTE_OTHER) return a->how == b->how;
  return (uint8_t)(a->value >> 8 * (byte - a->at)) == (uint8_t)(b->value >> 8 * (byte - b->at));
}

static void part(struct memory *m, struct region *r, uint32_t byte) {
  m->again = m->again || !r->parted[byte];
  r->parted[byte] = true;
  if (m->cautious && r->first[byte] == CELL_BLANK) r->open[byte] = true; /* a path may leave it without a value */
}

/* Compares the bytes that one path wrote, from the end of what both have in common. */
static void compare(struct memory *m, const struct wrote *from, const struct wrote *common, const struct wrote *other,
                    bool all) {
  for (const struct wrote *w = from; w != common; w = w->before)
    for (uint32_t k = w->at; k < w->at + w->bytes && k < w->region->size; k++)
      if (all || !same_byte(last_on_path(from, w->region, k), last_on_path(other, w->region, k), k))
        part(m, w->region, k);
}

void history_join(struct memory *m, const struct wrote *a, const struct wrote *b, bool uneven) {
  const struct wrote *x = a, *y = b;
  while (x != y) {
    if (depth_of(x) >= depth_of(y)) x = x->before;
    else y = y->before;
  }
  bool all = uneven || depth_of(a) + depth_of(b) - 2 * depth_of(x) > MOST_COMPARED;
  compare(m, a, x, b, all);
  compare(m, b, x, a, all);
}

void history_lose(struct memory *m, struct region *r) {
  for (uint32_t k = 0; k < r->size && history_has(r); k++) part(m, r, k);
}

const struct wrote *history_note(struct memory *m, struct wrote wrote) {
  struct region *r = wrote.region;
  if (!history_has(r) || !r->now.heads || wrote.at >= r->size) return wrote.before;
  bool peer = r->space == SPACE_SHARED && wrote.cta != r->owner; /* the barriers of its CTA order nothing here */
  for (uint32_t k = wrote.at; k < wrote.at + wrote.bytes && k < r->size && peer; k++) part(m, r, k);
  if (peer) return wrote.before;
  wrote.next = r->now.heads[wrote.at];
  extend(&wrote);
  VEC_PUSH(m->arena, &r->now.list, ARENA_COPY(m->arena, &wrote));
  r->now.heads[wrote.at] = r->now.list.len;
  return r->now.list.data[r->now.list.len - 1];
}

/* ---- reads */

static bool is_overlapped(const struct history *h, const struct region *r, const struct wrote *read) {
  for (uint32_t k = read->at > 15 ? read->at - 15 : 0; k < read->at + read->bytes && k < r->size && h->heads; k++)
    for (uint32_t i = h->heads[k]; i; i = h->list.data[i - 1]->next) {
      const struct wrote *w = h->list.data[i - 1];
      bool same = w->at == read->at && w->bytes == read->bytes;
      if (!same && w->at < read->at + read->bytes && read->at < w->at + w->bytes) return true;
    }
  return false;
}

/* True for a write that may come before a read: of another thread, as the round before this one had it; of its own
 * thread, which executes it before the read, as this round has it. */
static bool is_earlier(const struct wrote *w, const struct wrote *read, bool now) {
  if (w->thread != read->thread) return !now && w->epoch <= read->epoch;
  return now && is_on_path(w, read->before);
}

/* The value of the word after the writes of one epoch: those of one thread in program order; or only additions. */
static bool pass_epoch(const struct region *r, const struct wrote *read, uint32_t epoch, bool *known, value_t *value) {
  const struct history *histories[] = {&r->before, &r->now};
  uint32_t only = UINT32_MAX, last = 0;
  bool several = false, sums = true;
  value_t sum = 0;
  for (uint32_t n = 0; n < 2; n++)
    for (uint32_t i = histories[n]->heads ? histories[n]->heads[read->at] : 0; i;
         i = histories[n]->list.data[i - 1]->next) {
      const struct wrote *w = histories[n]->list.data[i - 1];
      if (w->epoch != epoch || !is_earlier(w, read, n == 1)) continue;
      if (epoch == read->epoch && w->thread != read->thread) return false;
      several = several || (only != UINT32_MAX && only != w->thread);
      only = w->thread;
      sums = sums && w->how == WROTE_SUM;
      sum += w->value;
      if (w->how != WROTE_SUM && w->step >= last) *known = w->how == WROTE_VALUE, *value = w->value, last = w->step;
      if (w->how == WROTE_OTHER) return false;
    }
  if (only == UINT32_MAX) return true;
  if (sums) *value += sum;
  return sums || !several;
}

/* The last write to a byte: from the last epoch with a write to it, in the program order of the writing thread. */
struct last_write {
  const struct wrote *write;
  bool several; /* threads write it in this epoch */
};

static bool add_write(const struct region *r, const struct wrote *read, const struct wrote *w,
                      struct last_write *last) {
  if (r->space != SPACE_SHARED && w->cta != read->cta) return false;
  if (w->epoch == read->epoch && w->thread != read->thread) return false;
  if (last->write && w->epoch < last->write->epoch) return true;
  bool later = !last->write || w->epoch > last->write->epoch;
  last->several = !later && (last->several || w->thread != last->write->thread);
  if (later || w->step > last->write->step) last->write = w;
  return true;
}

/* The value of a byte after all writes to it. */
static bool recall_byte(const struct region *r, const struct wrote *read, uint32_t byte, uint8_t *value) {
  const struct history *histories[] = {&r->before, &r->now};
  struct last_write last = {0};
  for (uint32_t n = 0; n < 2; n++)
    for (uint32_t k = byte > 15 ? byte - 15 : 0; k <= byte && histories[n]->heads; k++)
      for (uint32_t i = histories[n]->heads[k]; i; i = histories[n]->list.data[i - 1]->next) {
        const struct wrote *w = histories[n]->list.data[i - 1];
        if (!covers(w, r, byte) || !is_earlier(w, read, n == 1)) continue;
        if (!add_write(r, read, w, &last)) return false;
      }
  if (!last.write || last.several || last.write->how != WROTE_VALUE) return false;
  *value = (uint8_t)(last.write->value >> 8 * (byte - last.write->at));
  return true;
}

bool history_recall(const struct wrote *read, value_t *value) {
  const struct region *r = read->region;
  bool known = true;
  if (!history_has(r)) return false;
  for (uint32_t i = 0; i < read->bytes; i++)
    if (r->parted[read->at + i]) return false;
  *value = 0;
  if (r->maps || is_overlapped(&r->before, r, read) || is_overlapped(&r->now, r, read)) {
    uint8_t byte = 0;
    for (uint32_t i = 0; i < read->bytes && known; i++) {
      known = recall_byte(r, read, read->at + i, &byte);
      *value |= (value_t)byte << 8 * i;
    }
    return known;
  }
  if (!r->before.heads && r->space != SPACE_LOCAL) return false;
  known = false;
  for (uint32_t epoch = 0; epoch <= read->epoch; epoch++)
    if (!pass_epoch(r, read, epoch, &known, value)) return false;
  *value &= value_mask(8 * read->bytes);
  return known;
}
