/* Enumerates numbers of events by thread, places and outcomes of drafts. The caller enumerates the instructions. */
#include "generate/draft.h"

bool draft_each_size(struct draft *d, uint32_t threads, uint32_t events, uint32_t most, draft_visitor *visit,
                     void *state) {
  bool more = true;
  if (!events) return visit(state, d);
  if (d->thread_count == threads) return true;
  for (uint32_t count = events < most ? events : most; count && more; count--) {
    d->threads[d->thread_count++].count = (uint8_t)count;
    more = draft_each_size(d, threads, events - count, count, visit, state);
    d->thread_count--;
  }
  return more;
}

void draft_number_values(struct draft *d) {
  uint8_t next[DRAFT_LOCATIONS] = {0};
  DRAFT_EACH (e, d) e->writes = draft_writes(e) ? ++next[e->location] : 0;
}

struct draft_walk {
  struct draft *draft;
  draft_visitor *visit;
  void *state;
};

/* ---- Places: each thread goes into the CTA, cluster or GPU of an earlier thread, or into a new one ---- */

/* Threads that share a CTA also share its cluster and its GPU. */
static bool places_agree(const struct draft *d, uint32_t thread) {
  const struct draft_thread *t = &d->threads[thread];
  for (const struct draft_thread *other = d->threads; other < t; other++) {
    if (other->cta == t->cta && other->cluster != t->cluster) return false;
    if (other->cluster == t->cluster && other->gpu != t->gpu) return false;
  }
  return true;
}

static bool each_place(const struct draft_walk *p, uint32_t placements, uint32_t thread, uint32_t ctas,
                       uint32_t clusters, uint32_t gpus) {
  struct draft *d = p->draft;
  struct draft_thread *t = &d->threads[thread];
  bool more = true;
  if (thread == d->thread_count) return p->visit(p->state, d);
  for (uint32_t cta = 0; cta <= ctas; cta++)
    for (uint32_t cluster = 0; cluster <= clusters; cluster++)
      for (uint32_t gpu = 0; gpu <= gpus && more; gpu++) {
        t->cta = (uint8_t)cta, t->cluster = (uint8_t)cluster, t->gpu = (uint8_t)gpu;
        if (places_agree(d, thread) && draft_fits(d, thread, placements))
          more = each_place(p, placements, thread + 1, ctas + (cta == ctas), clusters + (cluster == clusters),
                            gpus + (gpu == gpus));
      }
  return more;
}

bool draft_each_place(struct draft *draft, uint32_t placements, draft_visitor *visit, void *state) {
  return each_place(&(struct draft_walk){draft, visit, state}, placements, 0, 0, 0, 0);
}

/* ---- Outcomes ---- */

static bool each_last(const struct draft_walk *o, uint32_t location) {
  struct draft *d = o->draft;
  if (location == d->location_count) return o->visit(o->state, d);
  uint32_t count = draft_write_count(d, location);
  d->last[location] = DRAFT_FREE;
  bool more = count > 1 || each_last(o, location + 1);
  for (uint32_t v = 1; count > 1 && v <= count && more; v++) {
    d->last[location] = (uint8_t)v;
    more = each_last(o, location + 1);
  }
  return more;
}

static bool each_read(const struct draft_walk *o, uint32_t thread, uint32_t event) {
  struct draft *d = o->draft;
  struct draft_thread *t = &d->threads[thread];
  if (thread == d->thread_count) return each_last(o, 0);
  if (event == t->count) return each_read(o, thread + 1, 0);
  struct draft_event *e = &t->events[event];
  bool more = true;
  e->reads = 0;
  if (!draft_reads(e)) return each_read(o, thread, event + 1);
  uint32_t count = draft_write_count(d, e->location);
  for (uint32_t v = 0; v <= count && more; v++) {
    if (v && v == e->writes) continue;
    e->reads = (uint8_t)v;
    more = each_read(o, thread, event + 1);
  }
  return more;
}

bool draft_each_outcome(struct draft *draft, draft_visitor *visit, void *state) {
  return each_read(&(struct draft_walk){draft, visit, state}, 0, 0);
}
