/* Adds columns for the threads whose writes columns read, and for threads that read what perhaps nothing has written
 * (docs/semantics.md T9). Members of a group write by the same instructions: if one access, or adjacent accesses, read
 * such writes of several members, one member in the reader's warp and one outside it are enough. */
#include "kernel/conflicts.h"

static struct arena *arena_of(const struct conflicts *c) { return c->launch->memory.arena; }

static bool is_read(const struct access *a) { return !a->touch->writes && !a->touch->mbarrier; }

/* ---- writers of what columns read */

struct writers {
  struct conflicts *c;
  struct hash_index index;
  VEC(uint64_t) noted; /* writes of a column, by reader */
};

/* True if some column already has this write for the reader. */
static bool is_noted(struct writers *w, uint64_t key) {
  return SOME(HASH_EACH (n, &w->index, key), w->noted.data[n] == key);
}

static void note(struct writers *w, uint64_t key) {
  if (is_noted(w, key)) return;
  HASH_PUSH(arena_of(w->c), &w->index, key, &w->noted, key);
}

static uint64_t key_of(const struct writers *w, const struct access *reader, const struct access *writer) {
  const struct runner *from = conflict_thread(w->c, writer), *to = conflict_thread(w->c, reader);
  uint64_t key = hash_mix(hash_mix(reader->runner, reader->part), w->c->launch->groups[writer->runner]);
  return hash_mix(hash_mix(hash_mix(key, writer->part), run_same_warp(from, to)), from == to);
}

/* For one access of a column: the columns that write its bytes, or the threads that must become columns. */
static void look_at(struct writers *w, const struct access *reader, bool adds) {
  const uint32_t *heads = w->c->heads[reader->base->number], *next = w->c->next[reader->base->number];
  for (uint32_t k = reader->at; heads && k < reader->end; k = next[k])
    EACH_AT (writer, w->c, touch_has(reader->touch, k) ? heads[k] : 0) {
      struct runner *r = conflict_thread(w->c, writer);
      if (!writer_at->sets || r->run != conflict_thread(w->c, reader)->run) continue;
      uint64_t key = key_of(w, reader, writer);
      if (!r->column && (!adds || is_noted(w, key))) continue;
      groups_make_column(r);
      note(w, key);
    }
}

void sources_add_writers(struct conflicts *c) {
  struct writers w = {.c = c};
  bool *first = ARENA_ARRAY(arena_of(c), bool, c->launch->runners.len);
  EACH_COLUMN (r, c->launch) first[r->number] = r->run->kernel->grouped;
  for (uint32_t adds = 0; adds <= 1; adds++) {
    uint32_t before = UINT32_MAX;
    bool full = false;
    VEC_EACH (a, &c->accesses) {
      if (adds && a->runner != before) full = groups_full(conflict_thread(c, a)->run);
      before = a->runner;
      if (first[a->runner] && is_read(a) && !a->touch->open && !full) look_at(&w, a, adds != 0);
    }
  }
}

/* ---- reads of what perhaps nothing has written */

/* True if a write of the reader's own thread comes before its read on every way. */
static bool is_own_before(const struct conflicts *c, const struct access *write, const struct access *read) {
  const struct access_site *site = &c->sites.data[write->site];
  if (site->generic && conflict_is_own_before(c, write, read)) return site->surely;
  if (c->sites.data[read->site].product) return false;
  bool straight = site->at_once && (write->block == read->block || (site->surely && !site->loops));
  return write < read && straight && !c->sites.data[write->site].in->guard.present;
}

/* True if a thread that comes to the read shows that another one of its CTA comes to the write, in the first iteration
 * of a loop: both come to a branch on a settled state after as many barriers, so that they take the same direction, and
 * with the other one neither would come there. */
static bool are_chosen(const struct access_site *write, const struct access_site *read, const struct runner *from,
                       const struct runner *to) {
  return write->chosen.way && write->chosen.way == read->chosen.way && write->chosen.always && from->cta == to->cta;
}

static bool is_surely_before(const struct conflicts *c, const struct access *write, const struct access *read) {
  if (write->runner == read->runner && is_own_before(c, write, read)) return true;
  const struct access_site *x = &c->sites.data[write->site], *y = &c->sites.data[read->site];
  const struct runner *from = conflict_thread(c, write), *to = conflict_thread(c, read);
  if (!x->surely && !are_chosen(x, y, from, to)) return false;
  bool first = x->at_once && !y->product && write->region == read->region && from->run == to->run;
  return (first && order_first_before(c->ordering, from, &x->passed, to, &y->passed)) ||
         (x->surely && conflict_is_before(c, write, read));
}

/* A read, and its kind by the writes to the piece that may come before it. */
struct unwritten {
  uint64_t key;
  uint32_t access, head;
};

struct unwritten_reads {
  VEC(struct unwritten) list;
  struct hash_index index;
  VEC(const struct access *) writes; /* to the present piece */
  uint32_t *writer;                  /* by thread: the last piece that it writes, as `head` */
  VEC(uint64_t) done;                /* reads of the present piece like those before, by site and warp */
  uint32_t head;
};

static void list_writes(struct conflicts *c, struct unwritten_reads *reads, uint32_t head) {
  reads->head = head;
  reads->writes.len = reads->done.len = 0;
  EACH_AT (a, c, head) {
    if (!a_at->sets) continue;
    VEC_PUSH(arena_of(c), &reads->writes, a);
    reads->writer[a->runner] = head;
  }
}

/* Threads of one warp that do not write the piece have the same relations to those that do. */
static bool is_done(struct conflicts *c, struct unwritten_reads *reads, const struct access *read) {
  enum { MOST_DONE = 64 };
  const struct runner *r = conflict_thread(c, read);
  if (reads->writer[read->runner] == reads->head) return false;
  uint64_t key = hash_mix(hash_mix(read->site, r->cta), (uint64_t)r->tid / WARP_LANES << 1 | r->column);
  VEC_VALUES (done, &reads->done)
    if (done == key) return true;
  if (reads->done.len < MOST_DONE) VEC_PUSH(arena_of(c), &reads->done, key);
  return false;
}

/* The hash of the writes of other threads, by site and relation of places. False: one surely comes before the read. */
static bool signature_of(const struct conflicts *c, const struct unwritten_reads *reads, const struct access *read,
                         uint64_t *out) {
  uint64_t last = 0;
  *out = hash_mix(read->site, 0);
  VEC_VALUES (write, &reads->writes) {
    if (is_surely_before(c, write, read)) return false;
    uint64_t own = hash_mix(write->site, relation_of(c->launch, conflict_thread(c, write), conflict_thread(c, read)));
    if (own != last) *out += own;
    last = own;
  }
  return true;
}

/* True if a product surely reads without a fence what was written, and another such read is looked at for it. */
static bool is_stood_for(const struct conflicts *c, const struct unwritten_reads *reads, const struct access *read) {
  const struct access *other = c->unfenced.read;
  if (!other || (other->site == read->site && other->runner == read->runner)) return false;
  return SOME(VEC_VALUES (write, &reads->writes), conflict_lacks_fence(c, write, read));
}

static void note_unwritten(struct conflicts *c, struct unwritten_reads *reads, uint32_t index) {
  const struct access *read = &c->accesses.data[index];
  struct unwritten new = {.access = index, .head = reads->head};
  if (is_done(c, reads, read) || !signature_of(c, reads, read, &new.key) || is_stood_for(c, reads, read)) return;
  c->sites.data[read->site].meets = true;
  HASH_EACH (n, &reads->index, new.key) {
    struct unwritten *old = &reads->list.data[n];
    if (old->key != new.key) continue;
    if (conflict_thread(c, read)->column && !conflict_thread(c, &c->accesses.data[old->access])->column) *old = new;
    return;
  }
  HASH_PUSH(arena_of(c), &reads->index, new.key, &reads->list, new);
}

static void set_exact(const struct conflicts *c, const struct exact_piece *piece, bool exact) {
  for (uint32_t k = piece->at; k < c->next[piece->region->number][piece->at]; k++)
    memory_own(piece->region, k)->exact = exact;
}

static void add_exact(struct conflicts *c, const struct unwritten *u) {
  struct exact_piece piece = {.region = c->accesses.data[u->access].base, .head = u->head};
  while (c->heads[piece.region->number][piece.at] != u->head) piece.at++;
  if (memory_byte(piece.region, piece.at)->exact) return;
  set_exact(c, &piece, true);
  VEC_PUSH(arena_of(c), &c->exact, piece);
}

/* The reads of a piece of shared memory that begins without a value. */
static void look_at_piece(struct conflicts *c, struct unwritten_reads *reads, uint32_t head) {
  list_writes(c, reads, head);
  EACH_AT (read, c, head)
    if (read_at->takes && (reads->writes.len || !read->touch->discarded)) note_unwritten(c, reads, read_at->access);
}

/* True if nothing has surely written some byte that a read at an unknown address may reach. */
static bool may_be_unwritten(struct conflicts *c, struct unwritten_reads *reads, const struct access *read) {
  const uint32_t *heads = c->heads[read->base->number], *next = c->next[read->base->number];
  const struct touch known = {0};
  struct access piece = {.region = read->region, .at = read->at, .touch = (struct touch *)&known};
  for (; piece.at < read->end; piece.at = piece.end) {
    uint64_t any;
    piece.end = next[piece.at] ? next[piece.at] : piece.at + 1;
    if (memory_byte(read->base, piece.at)->first != CELL_BLANK || !conflict_may_meet(read, &piece)) continue;
    list_writes(c, reads, heads[piece.at]);
    if (signature_of(c, reads, read, &any)) return true;
  }
  return false;
}

static void look_at_open(struct conflicts *c, struct unwritten_reads *reads, const struct access *read) {
  struct litmus_test *test = c->launch->x->parse.test;
  if (!may_be_unwritten(c, reads, read)) return;
  c->sites.data[read->site].meets = true;
  if (test->lacks) return;
  test->lacks = reason_with(arena_of(c), REASON_THREADS_BEHIND,
                            "constants do not tell what a read of shared memory reaches, and it may be unwritten");
  test->lacks_place = c->sites.data[read->site].in->span;
}

static struct unwritten_reads begin_reads(const struct conflicts *c) {
  return (struct unwritten_reads){.writer = ARENA_ARRAY(arena_of(c), uint32_t, c->launch->runners.len)};
}

void sources_find_unwritten(struct conflicts *c) {
  struct unwritten_reads reads = begin_reads(c);
  VEC_VALUES (region, &c->launch->memory.regions) {
    const uint32_t *heads = c->heads[region->number];
    for (uint32_t k = 0; heads && region->space == SPACE_SHARED && k < region->size; k++)
      if (heads[k] && memory_byte(region, k)->first == CELL_BLANK) look_at_piece(c, &reads, heads[k]);
  }
  VEC_EACH (a, &c->accesses)
    if (a->touch->open && a->region->space == SPACE_SHARED && conflict_takes(c, a)) look_at_open(c, &reads, a);
  VEC_EACH (u, &reads.list) {
    const struct access *read = &c->accesses.data[u->access];
    if (conflict_add_column(c, read, read->site)) add_exact(c, u);
  }
}

/* Adds the threads that write an exact piece which a column reads: one of each site and relation. False: they are too
 * many. */
static bool complete(struct conflicts *c, const struct unwritten_reads *reads, const struct access *read, bool *any) {
  struct writers w = {.c = c};
  for (uint32_t adds = 0; adds <= 1; adds++)
    VEC_VALUES (write, &reads->writes) {
      struct runner *r = conflict_thread(c, write);
      if (!r->column && !adds) continue;
      uint64_t key = hash_mix(write->site, relation_of(c->launch, r, conflict_thread(c, read)));
      bool lacks = !r->column && !is_noted(&w, key);
      if (lacks && !conflict_add_column(c, write, read->site)) return false;
      *any = *any || lacks;
      note(&w, key);
    }
  return true;
}

/* By region: true if a thread without a column may write to it, at an address that constants do not decide. */
static bool *find_open_elsewhere(const struct conflicts *c) {
  bool *open = ARENA_ARRAY(arena_of(c), bool, c->launch->memory.regions.len);
  VEC_EACH (a, &c->accesses)
    if (a->touch->open && a->touch->writes && !conflict_thread(c, a)->column) open[a->base->number] = true;
  return open;
}

void sources_complete(struct conflicts *c) {
  struct unwritten_reads reads = begin_reads(c);
  for (bool any = true; any;) {
    const bool *open = find_open_elsewhere(c);
    any = false;
    VEC_EACH (piece, &c->exact) {
      bool whole = memory_byte(piece->region, piece->at)->exact;
      if (whole && open[piece->region->number]) set_exact(c, piece, whole = false);
      if (whole) list_writes(c, &reads, piece->head);
      EACH_AT (a, c, whole ? piece->head : 0)
        if (a_at->takes && conflict_thread(c, a)->column) whole = complete(c, &reads, a, &any) && whole;
      if (!whole) set_exact(c, piece, false);
    }
  }
}
