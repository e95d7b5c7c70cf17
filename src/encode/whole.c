/* Single-copy atomicity of accesses to several chunks (docs/semantics.md M10). */
#include "encode/parts.h"

/* A literal: a read that takes one chunk from `write` may take another chunk of `write` from `other`. */
static lit is_younger(struct encoder *e, uint32_t other, uint32_t write) {
  if (encode_event(e, write)->thread == NO_THREAD) return LIT_TRUE;
  if (encode_event(e, other)->thread == NO_THREAD) return LIT_FALSE;
  return *encode_order(e, write, other);
}

static bool is_single(struct encoder *e, uint32_t event) {
  return encode_event(e, event)->thread == NO_THREAD || event_is_single(encode_event(e, event));
}

/* Constrains the source of slot k if slot i of the same read takes its value from a write that covers both. */
static void keep_whole(struct encoder *e, uint32_t i, uint32_t k) {
  uint32_t chunk = e->slots->list[k].chunk;
  struct bitset others = e->skeleton->writers[chunk];
  EACH (write, e->skeleton->writers[e->slots->list[i].chunk]) {
    if (!bitset_has(others, write) || !is_single(e, write)) continue;
    lit from = e->source[i][e->writer_index[write]], covered = encode_covers(e, write, chunk);
    EACH (other, others) {
      if (other == write) continue;
      lit too = e->source[k][e->writer_index[other]];
      sat_clause(e->sat, (lit[]){-from, -too, -covered, is_younger(e, other, write)}, 4);
    }
  }
}

void encode_whole_reads(struct encoder *e) {
  for (uint32_t read = 0; read < e->skeleton->first_init; read++)
    if (is_single(e, read))
      for (uint32_t i = e->slots->first[read]; i < e->slots->first[read + 1]; i++)
        for (uint32_t k = e->slots->first[read]; k < e->slots->first[read + 1]; k++)
          if (i != k) keep_whole(e, i, k);
}

/* Excludes that of two writes that both cover two chunks, each is the last of one chunk. */
static void end_whole(struct encoder *e, uint32_t a, uint32_t b) {
  struct bitset both = bitset_copy(e->arena, e->skeleton->writers[a]);
  bitset_and(both, e->skeleton->writers[b]);
  EACH (write, both)
    EACH (other, both) {
      if (write == other || !event_is_single(encode_event(e, write)) || !event_is_single(encode_event(e, other)))
        continue;
      lit last = e->last[a][e->writer_index[write]], too = e->last[b][e->writer_index[other]];
      sat_clause(e->sat, (lit[]){-last, -too, -encode_covers(e, write, b), -encode_covers(e, other, a)}, 4);
    }
}

void encode_whole_ends(struct encoder *e) {
  for (uint32_t a = 0; a < e->skeleton->chunk_count; a++)
    for (uint32_t b = a + 1; b < e->skeleton->chunk_count; b++)
      if (e->last[a] && e->last[b] && e->skeleton->chunks[a].cell == e->skeleton->chunks[b].cell) end_whole(e, a, b);
}
