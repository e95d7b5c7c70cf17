/* The writes of threads to shared, local and followed global memory, in their order: the value that a read finds if
 * barriers, or the program order of its own thread, order all of them before it.
 *
 * A thread that runs on constants takes several paths where a value from memory decides a branch. A write counts for a
 * read of the same thread only if it is on the path to the read. Paths come together at a block that two of them enter,
 * and other threads cannot tell them apart at a barrier or after the end. A byte of which paths then hold different
 * values is parted: it has no history in any later round. */
#include "kernel/memory.h"

#include "base/hash.h"
#include "kernel/counts.h"

enum { MOST_COMPARED = 1024, MOST_BYTES = 16 }; /* MOST_COMPARED: writes of two paths; MOST_BYTES: of one write */

bool history_has(const struct region *r) { return r->space == SPACE_SHARED || r->space == SPACE_LOCAL || r->followed; }

void history_begin(struct region *r) {
  r->before = r->now;
  r->now = (struct history){.begun = true};
  EACH_BYTE(b, r) {
    b->before = b->now, b->now = 0;
    b->turns_used = false;
  }
}

static void note_writer(const struct wrote *w) {
  const bool shared = w->region->space == SPACE_SHARED || w->region->space == SPACE_LOCAL;
  for (uint32_t k = w->at; k < w->at + w->bytes && k < w->region->size && !shared; k++) {
    uint32_t *writer = &memory_own(w->region, k)->writer;
    *writer = *writer && *writer != w->cta + 1 ? (uint32_t)SEVERAL_WRITERS : w->cta + 1;
  }
}

/* The first round does not know yet what later CTAs write. Another view of an object is another way to its bytes, whose
 * writes are not among those of this one. A write at an unknown address may depend on this very value: a round that has
 * the value places it (history_lose). */
void history_want(struct memory *m, const struct wrote *read) {
  struct region *r = read->region;
  bool own = r->space == SPACE_GLOBAL && !r->view && !r->followed && read->how != WROTE_ASIDE;
  for (uint32_t k = read->at; k < read->at + read->bytes && own; k++) own = memory_byte(r, k)->writer == read->cta + 1;
  if (!own || m->sampling) return;
  if (m->round > 1 && !m->sample) memory_follow(m, r);
  m->again = true;
}

/* The numbers of a thread or CTA, and a region, whose writes of the round before a reader assumes. */
static uint32_t model(uint32_t number, uint32_t sample) { return sample ? number % sample : number; }
const struct region *history_model(const struct memory *m, const struct region *r) {
  return r->space == SPACE_SHARED ? m->regions.data[r->number - r->owner + model(r->owner, m->sample_ctas)] : r;
}

static uint64_t hash_history(const struct history *h, uint32_t sample) {
  uint64_t sum = h->list.len; /* whatever the order */
  VEC_VALUES (w, &h->list) {
    const uint64_t place = hash_mix(hash_mix(w->at, w->bytes), w->epoch);
    const uint64_t hash = hash_mix(hash_mix(place, model(w->thread, sample)), w->step);
    sum += hash_mix(hash_mix(hash, (uint64_t)w->value), w->how);
  }
  return sum;
}

/* Of local memory only the thread itself has writes, which count as this round has them. */
bool history_settled(const struct memory *m, const struct region *r) {
  const uint32_t sample = r->space == SPACE_SHARED ? m->sample : 0;
  return !history_has(r) || r->space == SPACE_LOCAL ||
         hash_history(&history_model(m, r)->before, sample) == hash_history(&r->now, sample);
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

static void part(struct memory *m, struct byte *b) {
  m->again = m->again || !b->parted;
  b->parted = true;
  if (m->cautious && b->first == CELL_BLANK) b->open = true; /* a path may leave it without a value */
}

/* Compares the bytes that one path wrote, from the end of what both have in common. */
static void compare(struct memory *m, const struct wrote *from, const struct wrote *common, const struct wrote *other,
                    bool all) {
  for (const struct wrote *w = from; w != common; w = w->before)
    for (uint32_t k = w->at; k < w->at + w->bytes && k < w->region->size; k++)
      if (all || !same_byte(last_on_path(from, w->region, k), last_on_path(other, w->region, k), k))
        part(m, memory_own(w->region, k));
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

/* The first round knows too little: it follows paths that no other one does, and does not count barriers in loops. */
static void turn_write(struct memory *m, struct byte *b, uint64_t counts) {
  m->again = m->again || (b->turns_used && counts & ~b->turns);
  b->turns |= counts;
}

static bool counts_turns(const struct memory *m, const struct region *r) {
  return r->space == SPACE_SHARED && r->now.begun && m->round > 1;
}

void history_turn_write(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint64_t counts) {
  for (uint32_t k = at; k < at + bytes && k < r->size && counts_turns(m, r); k++)
    turn_write(m, memory_own(r, k), counts);
}

bool history_turn_read(struct memory *m, struct region *r, uint32_t at, uint32_t bytes, uint64_t counts) {
  bool apart = counts_turns(m, r);
  for (uint32_t k = at; k < at + bytes && apart; k++) apart = k < r->size && !(memory_byte(r, k)->turns & counts);
  for (uint32_t k = at; k < at + bytes && apart; k++) memory_own(r, k)->turns_used = true;
  return apart;
}

void history_lose(struct memory *m, struct region *r) {
  if (!history_has(r) || m->round == 1) return; /* a later round that loses it parts it (keep_passing in memory.c) */
  EACH_BYTE(b, r) {
    part(m, b);
    if (counts_turns(m, r)) turn_write(m, b, COUNTS_ANY);
  }
}

const struct wrote *history_note(struct memory *m, struct wrote wrote) {
  struct region *r = wrote.region;
  note_writer(&wrote);
  if (!history_has(r) || !r->now.begun || wrote.at >= r->size) return wrote.before;
  bool aside = wrote.how == WROTE_ASIDE || wrote.bytes > MOST_BYTES;
  for (uint32_t k = wrote.at; k < wrote.at + wrote.bytes && k < r->size && aside; k++) part(m, memory_own(r, k));
  if (aside) return wrote.before;
  struct byte *b = memory_own(r, wrote.at);
  wrote.next = b->now;
  extend(&wrote);
  VEC_PUSH(m->arena, &r->now.list, ARENA_COPY(m->arena, &wrote));
  b->now = r->now.list.len;
  return r->now.list.data[r->now.list.len - 1];
}

/* ---- barriers and ends */

static struct passage *passage_of(struct memory *m, uint32_t thread) {
  while (m->now.list.len <= thread) VEC_PUSH(m->arena, &m->now.list, (struct passage){0});
  return &m->now.list.data[thread];
}

void history_pass(struct memory *m, uint32_t thread, uint32_t epoch, const struct wrote *last) {
  struct passage *p = passage_of(m, thread);
  if (epoch == p->passed.len) VEC_PUSH(m->arena, &p->passed, last);
  history_join(m, p->passed.data[epoch], last, false);
}

void history_end(struct memory *m, uint32_t thread, uint32_t epoch, const struct wrote *last) {
  struct passage *p = passage_of(m, thread);
  if (!p->ends) *p = (struct passage){.passed = p->passed, .end = last, .ends = true, .least = epoch, .most = epoch};
  if (epoch < p->least) p->least = epoch;
  if (epoch > p->most) p->most = epoch;
  history_join(m, p->end, last, false);
}

/* In the first round no value of shared memory is known, so that threads take paths that later rounds exclude. The
 * second one assumes that a thread takes the path with the most barriers; a third one follows if that was wrong. */
static uint32_t least_of(const struct memory *m, const struct passage *p) {
  return !p->ends ? UINT32_MAX : m->round == 2 ? p->most : p->least;
}

bool history_may_end(const struct memory *m, uint32_t thread, uint32_t epoch) {
  thread = model(thread, m->sample);
  return thread < m->before.list.len && least_of(m, &m->before.list.data[thread]) <= epoch;
}

void history_turn(struct memory *m) {
  m->before = m->now;
  m->now = (struct passages){0};
  m->round++;
}

bool history_kept(const struct memory *m) {
  if (!SOME(VEC_VALUES (r, &m->regions), history_has(r) && r->now.list.len)) return true;
  if (m->before.list.len != (m->sample ? m->sample : m->now.list.len)) return false;
  for (uint32_t i = 0; i < m->now.list.len; i++) {
    const struct passage *now = &m->now.list.data[i];
    if (least_of(m, &m->before.list.data[model(i, m->sample)]) != (now->ends ? now->least : UINT32_MAX)) return false;
  }
  return true;
}

/* ---- reads */

/* When a write comes, for a read. UNORDERED: it may come before the read or after it. */
enum comes { EARLIER, ABSENT, UNORDERED };

/* Writes of the thread itself count as this round has them, those of other threads as the round before had them. Of
 * another thread only those count that are on the path that passed the next barrier first: a byte in which its paths
 * leave different values is parted. */
static enum comes comes_when(const struct memory *m, const struct wrote *w, const struct wrote *read, bool now) {
  const bool shared = !now && read->region->space == SPACE_SHARED;
  const uint32_t thread = model(read->thread, shared ? m->sample : 0);
  if (w->thread == thread) return now && is_on_path(w, read->before) ? EARLIER : ABSENT;
  if (now) return ABSENT;
  if (w->cta != model(read->cta, shared ? m->sample_ctas : 0) || w->epoch == read->epoch) return UNORDERED;
  if (w->epoch > read->epoch) return history_may_end(m, read->thread, read->epoch) ? UNORDERED : ABSENT;
  const struct passage *passage = &m->before.list.data[w->thread];
  if (history_may_end(m, w->thread, w->epoch) || passage->passed.len <= w->epoch) return UNORDERED;
  return is_on_path(w, passage->passed.data[w->epoch]) ? EARLIER : ABSENT;
}

/* Loops over the writes that begin at a byte, of both rounds: `now` is true for those of this round. */
#define EACH_WRITE(w, now, region, byte)                                                                               \
  for (int now = 0; now < 2; now++)                                                                                    \
    for (const struct wrote *w = first_of(m, region, byte, now); w; w = numbered(history_of(m, region, now), w->next))

static const struct history *history_of(const struct memory *m, const struct region *r, bool now) {
  return now ? &r->now : &history_model(m, r)->before;
}

static const struct wrote *numbered(const struct history *h, uint32_t number) {
  return number ? h->list.data[number - 1] : NULL;
}

static const struct wrote *first_of(const struct memory *m, const struct region *r, uint32_t byte, bool now) {
  return numbered(history_of(m, r, now),
                  now ? memory_byte(r, byte)->now : memory_byte(history_model(m, r), byte)->before);
}

/* The earlier writes of one epoch to the whole word. */
struct epoch_writes {
  uint32_t thread;          /* NO_WRITER: none writes */
  bool several;             /* threads do */
  const struct wrote *last; /* the last one that is no addition; NULL: only additions */
};
enum { NO_WRITER = UINT32_MAX };

static struct epoch_writes writes_of(const struct memory *m, const struct wrote *read, uint32_t epoch) {
  struct epoch_writes out = {.thread = NO_WRITER};
  EACH_WRITE(w, now, read->region, read->at) {
    if (w->epoch != epoch || comes_when(m, w, read, now) != EARLIER) continue;
    out.several = out.several || (out.thread != NO_WRITER && out.thread != w->thread);
    out.thread = w->thread;
    if (w->how != WROTE_SUM && (!out.last || w->step > out.last->step)) out.last = w;
  }
  return out;
}

/* The value of the word after the writes of one epoch: those of one thread in program order; or additions of several,
 * which are atomic, in any order. */
static void pass_epoch(const struct memory *m, const struct wrote *read, uint32_t epoch, bool *known, value_t *value) {
  struct epoch_writes writes = writes_of(m, read, epoch);
  const struct wrote *last = writes.last;
  if (writes.thread == NO_WRITER) return;
  if (last) *known = last->how == WROTE_VALUE && !writes.several, *value = last->value;
  EACH_WRITE(w, now, read->region, read->at)
  if (w->epoch == epoch && w->how == WROTE_SUM && comes_when(m, w, read, now) == EARLIER &&
      (!last || w->step > last->step))
    *value += w->value;
}

/* The last write to a byte: from the last epoch with a write to it, in the program order of the writing thread. */
struct last_write {
  const struct wrote *write;
  bool several; /* threads write it in this epoch */
};

static void add_write(const struct wrote *w, struct last_write *last) {
  if (last->write && w->epoch < last->write->epoch) return;
  bool later = !last->write || w->epoch > last->write->epoch;
  last->several = !later && (last->several || w->thread != last->write->thread);
  if (later || w->step > last->write->step) last->write = w;
}

/* False: shared and local memory have no initial value. */
static bool initial_byte(const struct region *r, uint32_t byte, uint8_t *value) {
  *value = memory_byte(r, byte)->initial;
  return memory_byte(r, byte)->first == CELL_KNOWN;
}

/* The value of a byte after all writes to it. */
static bool recall_byte(const struct memory *m, const struct wrote *read, uint32_t byte, uint8_t *value) {
  struct last_write last = {0};
  for (uint32_t k = byte >= MOST_BYTES ? byte - MOST_BYTES + 1 : 0; k <= byte; k++) EACH_WRITE(w, now, read->region, k)
  if (covers(w, w->region, byte) && comes_when(m, w, read, now) == EARLIER) add_write(w, &last);
  if (!last.write) return initial_byte(read->region, byte, value);
  if (last.several || last.write->how != WROTE_VALUE) return false;
  *value = (uint8_t)(last.write->value >> 8 * (byte - last.write->at));
  return true;
}

/* True if barriers and program order put all writes to these bytes before the read or after it. *whole: they write
 * just these bytes. */
static bool is_ordered(const struct memory *m, const struct wrote *read, bool *whole) {
  const struct region *r = read->region;
  uint32_t end = read->at + read->bytes;
  *whole = true;
  for (uint32_t i = read->at; i < end; i++)
    if (memory_byte(r, i)->parted) return false;
  for (uint32_t k = read->at >= MOST_BYTES ? read->at - MOST_BYTES + 1 : 0; k < end; k++) EACH_WRITE(w, now, r, k) {
      if (w->at + w->bytes <= read->at) continue;
      *whole = *whole && w->at == read->at && w->bytes == read->bytes;
      if (comes_when(m, w, read, now) == UNORDERED) return false;
    }
  return true;
}

static bool is_recalled(struct memory *m, const struct wrote *read, bool *whole) {
  const struct region *r = read->region;
  m->asked = m->asked || history_has(r);
  bool peer = r->space == SPACE_SHARED && read->cta != r->owner; /* the barriers of its CTA order nothing here */
  if (!history_has(r) || read->how == WROTE_ASIDE || peer || !is_ordered(m, read, whole)) return false;
  return r->before.begun || r->space == SPACE_LOCAL;
}

/* The writes of one epoch leave one state to all that read after it: their order is the same for all of them. The
 * thread itself may also read between its writes of an epoch. */
uint64_t history_state(struct memory *m, const struct wrote *read) {
  uint64_t state = 0, last = 0;
  bool whole;
  if (!is_recalled(m, read, &whole) || read->region->space != SPACE_SHARED) return 0;
  for (uint32_t k = read->at >= MOST_BYTES ? read->at - MOST_BYTES + 1 : 0; k < read->at + read->bytes; k++)
    EACH_WRITE(w, now, read->region, k) {
      if (w->at + w->bytes <= read->at || comes_when(m, w, read, now) != EARLIER) continue;
      uint64_t own = w->epoch == read->epoch ? hash_mix(w->thread, w->step) : 0;
      if (w->epoch + (uint64_t)1 < last) continue;
      state = w->epoch + (uint64_t)1 > last ? own : state + own;
      last = w->epoch + (uint64_t)1;
    }
  return last ? hash_mix(hash_mix(last, state), read->bytes) | 1 : 0;
}

bool history_recall(struct memory *m, const struct wrote *read, value_t *value) {
  bool known = true, whole;
  if (!is_recalled(m, read, &whole)) return false;
  *value = 0;
  for (uint32_t i = 0; i < read->bytes && known; i++) {
    uint8_t byte = 0;
    known = whole ? initial_byte(read->region, read->at + i, &byte) : recall_byte(m, read, read->at + i, &byte);
    *value |= (value_t)byte << 8 * i;
  }
  for (uint32_t epoch = 0; epoch <= read->epoch && whole; epoch++) pass_epoch(m, read, epoch, &known, value);
  *value &= value_mask(8 * read->bytes);
  return known;
}
