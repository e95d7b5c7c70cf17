/* The readings on which verdicts about threads of a host rest (docs/hosts.md). */
#include "search/search.h"

/* The operations of hosts and devices in a test. */
struct seen {
  bool fence, full, sc, proxy;
  uint32_t readers, writers; /* threads of hosts that read, of devices that write */
};

static void see(struct seen *seen, const struct event *e, bool *reads, bool *writes) {
  bool fence = e->kind == EVENT_FENCE;
  if (e->host) {
    seen->fence |= fence;
    seen->full |= fence && e->sem == SEM_SC;
    *reads |= e->kind == EVENT_READ;
    return;
  }
  seen->sc |= fence && e->sem == SEM_SC && e->scope == SCOPE_SYS;
  seen->proxy |= event_is_memory(e) && e->proxy != PROXY_GENERIC;
  *writes |= e->kind == EVENT_WRITE;
}

void search_assume_hosts(struct search *q, void (*assume)(struct search *q, enum assumption_id id)) {
  const struct program *p = q->program;
  struct seen seen = {0};
  bool *reads = ARENA_ARRAY(q->arena, bool, p->thread_count), *writes = ARENA_ARRAY(q->arena, bool, p->thread_count);
  uint32_t devices = 0;
  if (!p->host) return;
  EACH_THREAD_EVENT (e, event, q->skeleton) see(&seen, event, &reads[event->thread], &writes[event->thread]);
  for (uint32_t t = 0; t < p->thread_count; t++) {
    devices += !p->threads[t].host;
    seen.readers += reads[t];
    seen.writers += writes[t];
  }
  assume(q, ASSUMES_HOST_TABLE);
  if (p->host == HOST_A64 && seen.fence && devices) assume(q, ASSUMES_HOST_DOMAIN);
  if (seen.readers > 1 && seen.writers > 1) assume(q, ASSUMES_HOST_AGREES);
  if (seen.full && seen.sc) assume(q, ASSUMES_HOST_FENCE);
  if (seen.proxy) assume(q, ASSUMES_HOST_PROXY);
}
