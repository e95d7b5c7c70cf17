/* Chains of atomics as clauses: the position of each write in coherence, and the value that memory holds there.
 *
 * n atomics that each add 1 leave n different values, since each reads the value that its predecessor wrote. A solver
 * that sees only "each reads some write" needs the pigeonhole principle for it, whose resolution proofs are
 * exponentially long. So the writes of a location also get positions: `at` (a write is the k-th), tied to coherence, to
 * the source of each read, and to the value after the k-th, which is often a constant: init + k.
 *
 * The clauses are sound: they constrain an execution only where the writes of the location that happen are a chain:
 * coherence orders them all, and each atomic reads the one just before its write. Every chain has exactly one
 * numbering, and it satisfies every clause here; so they exclude no execution in which the writes are a chain. Clauses
 * that concern more than the numbering are switched on by `on`, which is assumed only together with the axioms that
 * make the location a chain, or is true if no axiom is ever dropped. rel/refute.h checks that the axioms of the model
 * do so. Writes that come in pairs (sections.c) share one choice of positions, 2k+1 and 2k+2.
 *
 * Weak stores are outside of the chain of the strong writes: coherence may leave them unordered. A read that takes the
 * value of one strays, and takes no position; an atomic that strays follows no earlier position with its value.
 *
 * tests/diff with --chains, and tests/unit, compare sets of outcomes, and so find clauses that are too strong. */
#include "encode/parts.h"

enum { LEAST_WRITES = 3, LEAST_ATOMICS = 2, MOST_WRITES = 256, MOST_VALUES = 16, MOST_MIXED = 128 };

struct numbering {
  struct encoder *e;
  const struct chain *chain;
  uint32_t chunk, init; /* the location, and its initial write */
  uint32_t n, read_count;
  uint32_t *writes, *reads;         /* events */
  uint32_t *outside, outside_count; /* weak stores */
  bool *needs;                      /* by axiom */
  lit off;
  lit *reached;               /* by position up to n + 1: at least that many writes happen */
  lit *from;                  /* by write and position up to n + 1: the write is there or later */
  lit *at;                    /* by write and position up to n */
  lit *seen;                  /* by read and position: it takes the value there; LIT_FALSE if it cannot */
  lit *strays;                /* by read: it takes that of a weak store */
  struct value_set *possible; /* by position */
  struct word *values;        /* by position; width 0: nothing is known */
};

static lit *from(const struct numbering *c, uint32_t i, uint32_t k) { return &c->from[i * (c->n + 2) + k]; }
static lit *at(const struct numbering *c, uint32_t i, uint32_t k) { return &c->at[i * (c->n + 1) + k]; }
static lit *seen(const struct numbering *c, uint32_t i, uint32_t k) { return &c->seen[i * (c->n + 1) + k]; }
static lit happens(const struct numbering *c, uint32_t i) { return c->e->exec[c->writes[i]]; }

static lit before(const struct numbering *c, uint32_t i, uint32_t k) {
  return *encode_order(c->e, c->writes[i], c->writes[k]);
}

static uint32_t slot_of(const struct numbering *c, uint32_t read) {
  uint32_t i = c->e->slots->first[read];
  while (c->e->slots->list[i].chunk != c->chunk) i++;
  return i;
}

static lit takes(const struct numbering *c, uint32_t read, uint32_t write) {
  return c->e->source[slot_of(c, read)][c->e->writer_index[write]];
}

/* ---- Which locations ---- */

static bool is_outside(const struct event *write) { return !write->is_rmw && !event_is_strong(write); }

/* True if the chunk is a whole cell, each of its writes has one place, and enough strong ones are atomics. */
static bool is_eligible(struct encoder *e, uint32_t chunk) {
  const struct skeleton *s = e->skeleton;
  uint32_t writes = 0, atomics = 0;
  for (uint32_t c = 0; c < s->chunk_count; c++)
    if (c != chunk && s->chunks[c].cell == s->chunks[chunk].cell) return false;
  EACH (w, s->writers[chunk]) {
    const struct event *ev = encode_event(e, w);
    if (ev->thread == NO_THREAD) continue;
    if (ev->place_count != 1 || (ev->is_rmw && ev->partner == NO_PARTNER)) return false;
    if (ev->is_rmw && !event_is_strong(ev)) return false;
    writes += !is_outside(ev);
    atomics += ev->is_rmw;
  }
  return writes >= LEAST_WRITES && writes <= MOST_WRITES && atomics >= LEAST_ATOMICS;
}

static struct numbering list_events(struct encoder *e, uint32_t chunk) {
  const struct skeleton *s = e->skeleton;
  struct numbering c = {.e = e, .chunk = chunk};
  c.writes = ARENA_ARRAY(e->arena, uint32_t, bitset_count(s->writers[chunk]));
  c.reads = ARENA_ARRAY(e->arena, uint32_t, bitset_count(s->readers[chunk]));
  c.outside = ARENA_ARRAY(e->arena, uint32_t, bitset_count(s->writers[chunk]));
  EACH (w, s->writers[chunk]) {
    if (encode_event(e, w)->thread == NO_THREAD) c.init = w;
    else if (is_outside(encode_event(e, w))) c.outside[c.outside_count++] = w;
    else c.writes[c.n++] = w;
  }
  EACH (r, s->readers[chunk]) c.reads[c.read_count++] = r;
  return c;
}

/* ---- The conditions for a chain ---- */

/* Notes an axiom that alone excludes these facts about events that happen. False if there is none. */
static bool excluded(struct numbering *c, const uint32_t events[3], const struct fact facts[2]) {
  const struct facts all = {.graph = &c->e->graph, .events = events, .event_count = 3, .list = facts, .count = 2};
  uint32_t axiom = refute(&all);
  if (axiom != NO_AXIOM) c->needs[axiom] = true;
  return axiom != NO_AXIOM;
}

/* True if an axiom rules out that coherence leaves the two writes unordered. */
static bool excludes_unordered(struct numbering *c, uint32_t a, uint32_t b) {
  const struct fact neither[] = {{CAT_REL_CO, a, b, false}, {CAT_REL_CO, b, a, false}};
  return excluded(c, (uint32_t[]){a, b, b}, neither);
}

/* True if axioms rule out that the atomic reads from `other`, its own write or a later one, and that it skips `other`
 * between its read and its write. */
static bool excludes_skip(struct numbering *c, uint32_t write, uint32_t other) {
  uint32_t read = encode_event(c->e, write)->partner;
  const struct fact later[] = {{CAT_REL_RF, other, read, true}, {CAT_REL_CO, write, other, other != write}};
  const struct fact over[] = {{CAT_REL_FR, read, other, true}, {CAT_REL_CO, other, write, true}};
  const uint32_t events[] = {read, write, other};
  return excluded(c, events, later) && (other == write || excluded(c, events, over));
}

bool encode_excludes_back(struct encoder *e, uint32_t a, uint32_t b, bool *needs) {
  const uint32_t events[] = {a, b};
  const struct fact back = {CAT_REL_CO, b, a, true};
  const struct facts facts = {.graph = &e->graph, .events = events, .event_count = 2, .list = &back, .count = 1};
  uint32_t axiom = refute(&facts);
  if (axiom != NO_AXIOM) needs[axiom] = true;
  return axiom != NO_AXIOM;
}

/* True if axioms make the writes that happen a chain. */
static bool is_chain(struct numbering *c) {
  c->needs = ARENA_ARRAY(c->e->arena, bool, c->e->graph.model->axioms.len);
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t k = 0; k < c->n; k++) {
      if (k > i && !excludes_unordered(c, c->writes[i], c->writes[k])) return false;
      if (encode_event(c->e, c->writes[i])->is_rmw && !excludes_skip(c, c->writes[i], c->writes[k])) return false;
    }
  return true;
}

bool encode_follow(const struct terms *terms, term_id term, term_id leaf, const value_t *value, value_t *out) {
  const struct supposed given = {leaf, value ? *value : 0};
  return term_follow(terms, term, &given, value ? 1 : 0, out);
}

/* ---- Positions ---- */

/* reached[k]: at least k of the writes happen. Writes that always happen need no counting. */
static void count_writes(struct numbering *c) {
  c->reached = ARENA_ARRAY(c->e->arena, lit, c->n + 2);
  uint32_t sure = COUNT(for (uint32_t i = 0; i < c->n; i++), happens(c, i) == LIT_TRUE);
  for (uint32_t k = 0; k < c->n + 2; k++) c->reached[k] = k <= sure ? LIT_TRUE : LIT_FALSE;
  for (uint32_t i = 0, counted = sure; i < c->n; i++) {
    if (happens(c, i) == LIT_TRUE) continue;
    counted++;
    for (uint32_t k = counted; k > sure; k--) {
      lit one_more = gates_and2(&c->e->gates, c->reached[k - 1], happens(c, i), NEED_BOTH);
      c->reached[k] = gates_or2(&c->e->gates, c->reached[k], one_more, NEED_BOTH);
    }
  }
}

static bool is_second(const struct numbering *c, uint32_t i) { return c->chain->paired && i % 2; }

/* The second write of a section has the position after that of the first one. */
static void place_write(struct numbering *c, uint32_t i) {
  *from(c, i, 1) = happens(c, i);
  for (uint32_t k = 2; k <= c->n; k++) {
    bool same = c->chain->paired && (k + i) % 2; /* first writes have odd positions, second writes even ones */
    if (same) *from(c, i, k) = *from(c, i, k - 1);
    else if (is_second(c, i)) *from(c, i, k) = *from(c, i - 1, k - 1);
    else *from(c, i, k) = sat_variable(c->e->sat);
    if (!is_second(c, i)) sat_clause2(c->e->sat, -*from(c, i, k), *from(c, i, k - 1));
  }
  *from(c, i, c->n + 1) = LIT_FALSE;
  for (uint32_t k = 1; k <= c->n; k++) {
    *at(c, i, k) = gates_and2(&c->e->gates, *from(c, i, k), -*from(c, i, k + 1), NEED_BOTH);
    if (!is_second(c, i)) sat_clause2(c->e->sat, -*at(c, i, k), c->reached[k]);
  }
}

/* A write that happens has one position, and no position below the last is empty or has two. */
static void encode_positions(struct numbering *c) {
  struct encoder *e = c->e;
  lit *here = ARENA_ARRAY(e->arena, lit, c->n + 1);
  c->from = ARENA_ARRAY(e->arena, lit, c->n * (c->n + 2));
  c->at = ARENA_ARRAY(e->arena, lit, c->n * (c->n + 1));
  for (uint32_t i = 0; i < c->n; i++) place_write(c, i);
  for (uint32_t k = 1; k <= c->n; k += c->chain->paired ? 2 : 1) {
    uint32_t count = 0;
    for (uint32_t i = 0; i < c->n; i++)
      if (*at(c, i, k) != LIT_FALSE) here[count++] = *at(c, i, k);
    encode_at_most_one(e, here, count);
    here[count] = -c->reached[k];
    sat_clause(e->sat, here, count + 1);
  }
}

/* One write precedes another in coherence if and only if its position is smaller. The clauses state one direction; the
 * other follows, because one of the two writes precedes the other. */
static void tie_coherence(struct numbering *c) {
  uint32_t step = c->chain->paired ? 2 : 1;
  for (uint32_t i = 0; i < c->n && !encoder_is_late(c->e); i += step)
    for (uint32_t j = 0; j < c->n; j += step) {
      lit order = i == j ? LIT_FALSE : before(c, i, j);
      if (order == LIT_FALSE && (i == j || before(c, j, i) == LIT_TRUE)) continue;
      sat_clause(c->e->sat, (lit[]){c->off, -happens(c, i), -happens(c, j), order, before(c, j, i)}, 5);
      for (uint32_t k = 1; k <= c->n; k += step)
        sat_clause(c->e->sat, (lit[]){c->off, -order, -*from(c, i, k), *from(c, j, k + 1)}, 4);
    }
}

/* ---- Values ---- */

static uint32_t most_values(const struct numbering *c) { return c->outside_count ? MOST_MIXED : MOST_VALUES; }

static void add_possible(const struct numbering *c, struct value_set *set, value_t value) {
  for (uint32_t i = 0; i < set->count; i++)
    if (set->values[i] == value) return;
  if (set->count == most_values(c)) set->top = true;
  else set->values[set->count++] = value;
}

/* The values that the write may leave, after a write that left this one (NULL: any). */
static void add_successors(const struct numbering *c, uint32_t i, const value_t *before, struct value_set *out) {
  const struct skeleton *s = c->e->skeleton;
  const struct event *ev = encode_event(c->e, c->writes[i]);
  term_id leaf = ev->is_rmw ? encode_event(c->e, ev->partner)->value : TERM_FALSE;
  value_t value, exec;
  if (encode_follow(&s->terms, ev->exec, leaf, before, &exec) && !exec) return;
  if (encode_follow(&s->terms, ev->value, leaf, before, &value)) {
    add_possible(c, out, value);
    return;
  }
  const struct value_set *any = &s->value_sets[ev->value];
  if (any->top || any->count == 0) out->top = true;
  for (uint32_t k = 0; k < any->count && !out->top; k++) add_possible(c, out, any->values[k]);
}

/* The values that weak stores leave. */
static struct value_set values_outside(const struct numbering *c) {
  struct value_set out = {.values = ARENA_ARRAY(c->e->arena, value_t, MOST_MIXED)};
  for (uint32_t i = 0; i < c->outside_count; i++) {
    const struct event *ev = encode_event(c->e, c->outside[i]);
    const struct value_set *any = &c->e->skeleton->value_sets[ev->value];
    value_t value;
    bool known = encode_follow(&c->e->skeleton->terms, ev->value, TERM_FALSE, NULL, &value);
    if (known) add_possible(c, &out, value);
    else if (any->top || any->count == 0) out.top = true;
    for (uint32_t k = 0; k < any->count && !known && !out.top; k++) add_possible(c, &out, any->values[k]);
  }
  return out;
}

/* Adds what the write may leave if its read finds one of these values. */
static void add_after(const struct numbering *c, uint32_t i, const struct value_set *before, struct value_set *out) {
  if (before->top) add_successors(c, i, NULL, out);
  for (uint32_t v = 0; v < before->count && !before->top; v++) add_successors(c, i, &before->values[v], out);
}

static void find_values(struct numbering *c) {
  const struct value_set outside = values_outside(c);
  const struct chunk *chunk = &c->e->skeleton->chunks[c->chunk];
  c->possible = ARENA_ARRAY(c->e->arena, struct value_set, c->n + 1);
  for (uint32_t k = 0; k <= c->n; k++) {
    struct value_set *now = &c->possible[k];
    now->values = ARENA_ARRAY(c->e->arena, value_t, most_values(c));
    if (k == 0) add_possible(c, now, skeleton_init_value(c->e->skeleton, chunk->phys, chunk->size));
    for (uint32_t i = 0; k > 0 && i < c->n && !now->top; i++) {
      if (c->at && *at(c, i, k) == LIT_FALSE) continue;
      add_after(c, i, &c->possible[k - 1], now);
      add_after(c, i, &outside, now);
    }
  }
}

static void encode_values(struct numbering *c) {
  unsigned width = 8 * c->e->skeleton->chunks[c->chunk].size;
  c->values = ARENA_ARRAY(c->e->arena, struct word, c->n + 1);
  for (uint32_t k = 0; k <= c->n; k++) c->values[k] = encode_free_word(c->e, &c->possible[k], NULL, width);
}

/* Under the condition the event has the value of the position. */
static void tie_value(struct numbering *c, lit condition, uint32_t event, uint32_t k) {
  struct word word = c->e->words[encode_event(c->e, event)->value];
  if (word.width) encode_equate(c->e, (lit[]){condition, -c->off, LIT_TRUE}, word, c->values[k]);
}

/* The literal of: the read takes the value of a weak store. */
static lit takes_outside(const struct numbering *c, uint32_t read) {
  lit some = LIT_FALSE;
  for (uint32_t i = 0; i < c->outside_count; i++)
    some = gates_or2(&c->e->gates, some, takes(c, read, c->outside[i]), NEED_BOTH);
  return some;
}

/* The write is at the position, and follows the value ahead of it. */
static lit follows_at(const struct numbering *c, uint32_t i, uint32_t k) {
  const struct event *ev = encode_event(c->e, c->writes[i]);
  if (!ev->is_rmw || !c->outside_count) return *at(c, i, k);
  return gates_and2(&c->e->gates, *at(c, i, k), -takes_outside(c, ev->partner), NEED_BOTH);
}

/* If memory holds `before` ahead of position k, and a write at k turns `before` into some value, memory holds that
 * value after k. The clauses of each write imply it, but a solver would have to derive it in each order. */
static void step_from(struct numbering *c, uint32_t k, value_t before) {
  struct encoder *e = c->e;
  unsigned width = c->values[k].width;
  lit *here = ARENA_ARRAY(e->arena, lit, c->n);
  value_t *after = ARENA_ARRAY(e->arena, value_t, c->n);
  bool *one = ARENA_ARRAY(e->arena, bool, c->n);
  for (uint32_t i = 0; i < c->n; i++) {
    value_t room[MOST_MIXED];
    struct value_set next = {.values = room};
    add_successors(c, i, &before, &next);
    one[i] = !next.top && next.count == 1 && *at(c, i, k) != LIT_FALSE;
    after[i] = one[i] ? room[0] : 0;
  }
  lit found = word_equal(&e->gates, c->values[k - 1], word_const(e->arena, before, width));
  for (uint32_t i = 0; i < c->n; i++) {
    uint32_t count = 0;
    for (uint32_t j = i; j < c->n && one[i]; j++)
      if (one[j] && after[j] == after[i]) here[count++] = follows_at(c, j, k), one[j] = j == i;
    if (count < 2) continue;
    lit some = gates_or(&e->gates, here, count, NEED_BOTH);
    encode_equate(e, (lit[]){found, some, -c->off}, c->values[k], word_const(e->arena, after[i], width));
  }
}

static lit has_value(const struct numbering *c, uint32_t k, value_t value) {
  return word_equal(&c->e->gates, c->values[k], word_const(c->e->arena, value, c->values[k].width));
}

/* True if a write at position k may leave the value after one of these. */
static bool may_leave(const struct numbering *c, uint32_t k, const struct value_set *before, value_t value) {
  value_t *room = ARENA_ARRAY(c->e->arena, value_t, MOST_MIXED);
  struct value_set next = {.values = room};
  bool found = false;
  for (uint32_t i = 0; i < c->n && !next.top; i++)
    if (*at(c, i, k) != LIT_FALSE) add_after(c, i, before, &next);
  for (uint32_t i = 0; i < next.count; i++) found = found || room[i] == value;
  return found || next.top;
}

/* The value at a position is one of those that may be there, and follows from one of those ahead of it or from that of
 * a weak store. Without weak stores there mostly is one, and its bits say so. */
static void tie_possible(struct numbering *c, uint32_t k, const struct value_set *outside) {
  const struct value_set *set = &c->possible[k], *before = &c->possible[k - 1];
  lit *some = ARENA_ARRAY(c->e->arena, lit, set->count + before->count + 3);
  for (uint32_t v = 0; v < set->count; v++) some[v] = has_value(c, k, set->values[v]);
  some[set->count] = c->off;
  some[set->count + 1] = -c->reached[k];
  sat_clause(c->e->sat, some, set->count + 2);
  for (uint32_t v = 0; v < set->count && !before->top; v++) {
    uint32_t count = 0;
    if (may_leave(c, k, outside, set->values[v])) continue;
    for (uint32_t u = 0; u < before->count; u++) {
      const struct value_set one = {.values = &before->values[u], .count = 1};
      if (may_leave(c, k, &one, set->values[v])) some[count++] = has_value(c, k - 1, before->values[u]);
    }
    some[count++] = -has_value(c, k, set->values[v]);
    some[count++] = c->off;
    some[count++] = -c->reached[k];
    sat_clause(c->e->sat, some, count);
  }
}

/* An atomic that strays leaves a value that follows that of a weak store. */
static void tie_strays(struct numbering *c, uint32_t k, const struct value_set *outside) {
  value_t *room = ARENA_ARRAY(c->e->arena, value_t, MOST_MIXED);
  for (uint32_t i = 0; i < c->n; i++) {
    struct value_set next = {.values = room};
    add_after(c, i, outside, &next);
    const struct event *ev = encode_event(c->e, c->writes[i]);
    if (!ev->is_rmw || next.top || *at(c, i, k) == LIT_FALSE) continue;
    lit *some = ARENA_ARRAY(c->e->arena, lit, next.count + 3);
    for (uint32_t v = 0; v < next.count; v++) some[v] = has_value(c, k, room[v]);
    some[next.count] = -*at(c, i, k);
    some[next.count + 1] = -takes_outside(c, ev->partner);
    some[next.count + 2] = c->off;
    sat_clause(c->e->sat, some, next.count + 3);
  }
}

static void tie_steps(struct numbering *c) {
  const struct value_set outside = values_outside(c);
  const bool stray = c->outside_count;
  for (uint32_t k = 1; k <= c->n && !encoder_is_late(c->e); k++) {
    const struct value_set *before = &c->possible[k - 1];
    if (stray && !c->possible[k].top) tie_possible(c, k, &outside);
    if (stray) tie_strays(c, k, &outside);
    if (before->top || c->possible[k].top) continue;
    for (uint32_t v = 0; v < before->count; v++) step_from(c, k, before->values[v]);
  }
}

/* ---- Reads ---- */

static uint32_t index_of_write(const struct numbering *c, uint32_t write) {
  uint32_t i = 0;
  while (c->writes[i] != write) i++;
  return i;
}

/* An atomic takes its value from the position before its own. */
static lit comes_next(const struct numbering *c, const struct event *read, uint32_t k) {
  return k < c->n ? *at(c, index_of_write(c, read->partner), k + 1) : LIT_FALSE;
}

/* True if the read is of an atomic that writes whenever it reads, so that the position of its write gives its
 * source. */
static bool always_writes(const struct numbering *c, uint32_t read) {
  const struct event *event = encode_event(c->e, read);
  return event->is_rmw && c->e->exec[event->partner] == c->e->exec[read];
}

/* The position that a read takes its value from. */
static void number_read(struct numbering *c, uint32_t index) {
  struct encoder *e = c->e;
  uint32_t read = c->reads[index];
  lit covers = encode_covers(e, read, c->chunk);
  lit *some = ARENA_ARRAY(e->arena, lit, c->n + 3), strays = c->strays[index];
  bool settled = always_writes(c, read);
  for (uint32_t k = 0; k <= c->n; k++) {
    lit next = settled ? comes_next(c, encode_event(e, read), k) : LIT_FALSE;
    some[k] = settled ? gates_and2(&e->gates, next, -strays, NEED_BOTH) : sat_variable(e->sat);
    *seen(c, index, k) = some[k];
    if (encode_event(e, read)->place_count == 1) tie_value(c, some[k], read, k);
    if (settled) continue;
    sat_clause2(e->sat, -some[k], covers);
    sat_clause2(e->sat, -some[k], c->reached[k]);
  }
  if (settled) return;
  encode_at_most_one(e, some, c->n + 1);
  some[c->n + 1] = -covers;
  some[c->n + 2] = strays;
  sat_clause(e->sat, some, c->n + 3);
}

/* The source of the read is the write at the read's position. */
static void tie_read(struct numbering *c, uint32_t index) {
  struct encoder *e = c->e;
  lit first = takes(c, c->reads[index], c->init);
  sat_clause3(e->sat, c->off, -first, *seen(c, index, 0));
  sat_clause3(e->sat, c->off, first, -*seen(c, index, 0));
  for (uint32_t i = 0; i < c->n; i++) {
    lit source = takes(c, c->reads[index], c->writes[i]);
    for (uint32_t k = 1; k <= c->n; k++) {
      lit there = *at(c, i, k), sees = *seen(c, index, k);
      if (there == LIT_FALSE) continue;
      sat_clause(e->sat, (lit[]){c->off, -source, -there, sees}, 4);
      sat_clause(e->sat, (lit[]){c->off, -sees, -there, source}, 4);
    }
  }
}

static void tie_atomic(struct numbering *c, uint32_t index) {
  const struct event *read = encode_event(c->e, c->reads[index]);
  if (always_writes(c, c->reads[index])) return;
  for (uint32_t k = 0; k <= c->n; k++) {
    lit next = comes_next(c, read, k);
    sat_clause(c->e->sat, (lit[]){c->off, -c->e->exec[read->partner], -*seen(c, index, k), next}, 4);
    sat_clause(c->e->sat, (lit[]){c->off, -next, *seen(c, index, k), c->strays[index]}, 4);
  }
}

/* No two atomics that write read from the same write, because each would be next after it. */
static void read_once(struct numbering *c, uint32_t write) {
  lit *takers = ARENA_ARRAY(c->e->arena, lit, c->read_count);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->read_count && c->off == LIT_FALSE; i++) {
    lit taken = always_writes(c, c->reads[i]) ? takes(c, c->reads[i], write) : LIT_FALSE;
    if (taken != LIT_FALSE) takers[count++] = taken;
  }
  encode_at_most_one(c->e, takers, count);
}

static void encode_reads(struct numbering *c) {
  c->seen = ARENA_ARRAY(c->e->arena, lit, c->read_count * (c->n + 1));
  c->strays = ARENA_ARRAY(c->e->arena, lit, c->read_count);
  for (uint32_t i = 0; i < c->read_count; i++) c->strays[i] = takes_outside(c, c->reads[i]);
  for (uint32_t i = 0; i < c->read_count && !encoder_is_late(c->e); i++) {
    number_read(c, i);
    tie_read(c, i);
    if (encode_event(c->e, c->reads[i])->is_rmw) tie_atomic(c, i);
  }
  read_once(c, c->init);
  for (uint32_t i = 0; i < c->n; i++) read_once(c, c->writes[i]);
}

/* ---- The end ---- */

/* The write that the location ends with is at the last position, or is a weak store. */
static void tie_last(struct numbering *c) {
  const lit *last = c->e->last[c->chunk];
  if (!last) return;
  lit outside = LIT_FALSE;
  for (uint32_t i = 0; i < c->outside_count; i++)
    outside = gates_or2(&c->e->gates, outside, last[c->e->writer_index[c->outside[i]]], NEED_BOTH);
  sat_clause3(c->e->sat, c->off, -last[c->e->writer_index[c->init]], -c->reached[1]);
  for (uint32_t i = 0; i < c->n; i++)
    for (uint32_t k = 1; k <= c->n; k++) {
      lit ends = last[c->e->writer_index[c->writes[i]]];
      sat_clause(c->e->sat, (lit[]){c->off, -ends, -*at(c, i, k), -c->reached[k + 1]}, 4);
      sat_clause(c->e->sat, (lit[]){c->off, -*at(c, i, k), c->reached[k + 1], ends, outside}, 5);
    }
}

/* ---- All of it ---- */

/* The reads of the atomics; NULL if some write is not an atomic's. */
static uint32_t *list_atomics(const struct numbering *c) {
  uint32_t *reads = ARENA_ARRAY(c->e->arena, uint32_t, c->n);
  for (uint32_t i = 0; i < c->n; i++) {
    if (!encode_event(c->e, c->writes[i])->is_rmw) return NULL;
    reads[i] = encode_event(c->e, c->writes[i])->partner;
  }
  return reads;
}

/* The values that memory may hold there, at any position. */
static struct value_set all_values(struct numbering *c) {
  struct value_set all = values_outside(c), outside = all;
  all.values = ARENA_ARRAY(c->e->arena, value_t, (c->n + 2) * most_values(c));
  for (uint32_t i = 0; i < outside.count; i++) all.values[i] = outside.values[i];
  find_values(c);
  for (uint32_t k = 0; k <= c->n; k++) {
    all.top = all.top || c->possible[k].top;
    for (uint32_t i = 0; i < c->possible[k].count; i++) all.values[all.count++] = c->possible[k].values[i];
  }
  return all;
}

const struct value_set *encode_chain_values(const struct encoder *e, uint32_t read) {
  const struct event *event = encode_event(e, read);
  for (uint32_t i = 0; i < e->chains.len && e->all_axioms && event->place_count == 1; i++) {
    const struct chain *chain = &e->chains.data[i];
    bool whole = e->skeleton->chunks[chain->chunk].size * 8 == term_get(&e->skeleton->terms, event->value)->width;
    if (whole && bitset_has(e->skeleton->readers[chain->chunk], read)) return &chain->values;
  }
  return NULL;
}

static void find_chain(struct encoder *e, uint32_t chunk) {
  struct numbering c = list_events(e, chunk);
  if (!is_chain(&c)) return;
  struct chain chain = {.chunk = chunk,
                        .needs = c.needs,
                        .ends = {c.writes, list_atomics(&c)},
                        .count = c.n,
                        .outside = c.outside,
                        .outside_count = c.outside_count,
                        .reads = c.reads,
                        .read_count = c.read_count};
  for (unsigned side = 0; side < 2; side++) chain.follows[side] = ARENA_ARRAY(e->arena, uint8_t, e->graph.nodes.len);
  chain.composes = ARENA_ARRAY(e->arena, uint8_t, e->graph.nodes.len);
  if (e->all_axioms) chain.values = all_values(&c);
  chain.on = e->all_axioms ? LIT_TRUE : sat_variable(e->sat);
  chain.straight = c.outside_count ? sat_variable(e->sat) : chain.on;
  VEC_PUSH(e->arena, &e->chains, chain);
}

void encode_find_chains(struct encoder *e) {
  for (uint32_t chunk = 0; chunk < e->skeleton->chunk_count; chunk++)
    if (is_eligible(e, chunk) && !encoder_is_late(e)) find_chain(e, chunk);
}

/* An atomic that strays is the first of all: each one reads from the one ahead of it. */
static void define_straight(const struct numbering *c, const struct chain *chain) {
  lit *not = ARENA_ARRAY(c->e->arena, lit, c->read_count + 2);
  uint32_t count = 0;
  for (uint32_t i = 0; i < c->read_count; i++) {
    const struct event *read = encode_event(c->e, c->reads[i]);
    if (!read->is_rmw) continue;
    lit first = *at(c, index_of_write(c, read->partner), 1);
    not [count++] = gates_and2(&c->e->gates, c->strays[i], -first, NEED_BOTH);
  }
  not [count++] = -chain->on;
  for (uint32_t i = 0; i < count; i++) sat_clause2(c->e->sat, -chain->straight, -not [i]);
  not [count++] = chain->straight;
  sat_clause(c->e->sat, not, count);
}

static void number_location(struct encoder *e, struct chain *chain) {
  struct numbering c = list_events(e, chain->chunk);
  c.chain = chain;
  c.off = -chain->on;
  count_writes(&c);
  encode_positions(&c);
  tie_coherence(&c);
  find_values(&c);
  encode_values(&c);
  for (uint32_t i = 0; i < c.n; i++)
    for (uint32_t k = 1; k <= c.n; k++) tie_value(&c, *at(&c, i, k), c.writes[i], k);
  tie_steps(&c);
  encode_reads(&c);
  tie_last(&c);
  if (c.outside_count) define_straight(&c, chain);
  chain->from = c.from, chain->at = c.at, chain->seen = c.seen;
}

void encode_chains(struct encoder *e) {
  for (uint32_t i = 0; i < e->chains.len && !encoder_is_late(e); i++) number_location(e, &e->chains.data[i]);
}

bool encode_in_fixed_chain(const struct encoder *e, uint32_t write) {
  return SOME(for (uint32_t i = 0; i < e->chains.len && e->all_axioms; i++),
              !e->chains.data[i].outside_count && bitset_has(e->skeleton->writers[e->chains.data[i].chunk], write));
}

/* True if the chain needs no dropped axiom. */
static bool stands(const struct encoder *e, const struct chain *chain, const bool *dropped) {
  return !SOME(for (uint32_t i = 0; i < e->graph.model->axioms.len && dropped; i++), dropped[i] && chain->needs[i]);
}

bool encoder_may_drop(const struct encoder *e, const bool *dropped) {
  if (dropped && e->phase_axiom != NO_AXIOM && dropped[e->phase_axiom]) return false;
  return EVERY(for (uint32_t i = 0; i < e->chains.len && e->all_axioms; i++), stands(e, &e->chains.data[i], dropped));
}

void encoder_assume_chains(struct encoder *e, const bool *dropped) {
  for (uint32_t i = 0; i < e->chains.len && !e->all_axioms; i++)
    if (stands(e, &e->chains.data[i], dropped)) sat_assume(e->sat, e->chains.data[i].on);
  for (uint32_t i = 0; i < e->lemmas.len && !dropped; i++) sat_assume(e->sat, e->lemmas.data[i]);
}
