/* Critical sections along a chain of writes (counting.c), and closures that lead along it: lemmas.
 *
 * A proof that accesses under a lock do not race takes two steps that a solver finds only by trying all n! orders of
 * the threads. One is an induction over positions: no other write comes between the write that acquires a spin lock, or
 * the read that finds one's ticket served, and the write that releases the lock. The other is that base causality,
 * which leads from each write to the next, leads from each to all later ones. This file makes both steps and asks the
 * solver only about their premises, each of which concerns a few events.
 *
 * A section is a write (its end) and the last earlier access of its thread to the location (its begin). The position of
 * a begin is that of the write or, for a read, of the write that it reads from. A section is whole if the position of
 * its end is the next one after that of its begin. All sections are whole if (1) each begins before its end, (2) a
 * write that directly follows a begin always ends some section, and (3) no two sections begin at one position. Proof:
 * let all sections that begin before position k be whole, and one that begins at k not be. Then another write w is at
 * position k + 1, and ends a section. That section does not begin at k, since only one section does; if it begins
 * earlier, it is whole, with w at k or earlier. This concerns only sections whose ends happen, so an execution in which
 * a premise fails has a section that is not whole: the lemma drops that section, and the solver is asked again about
 * the others. */
#include "encode/parts.h"

static lit at(const struct chain *c, uint32_t i, uint32_t k) { return c->at[i * (c->count + 1) + k]; }
static lit happens(const struct encoder *e, const struct chain *c, uint32_t i) { return e->exec[c->ends[0][i]]; }

static lit both(struct encoder *e, lit a, lit b) { return gates_and2(&e->gates, a, b, NEED_ONLY_IF); }

/* ---- Sections ---- */

/* True if the event comes before the write in its thread, and after the begin known so far. */
static bool begins(const struct encoder *e, const struct chain *c, uint32_t i, uint32_t event) {
  const struct bitmat po = e->skeleton->must[CAT_REL_PO];
  uint32_t write = c->ends[0][i], begin = c->sections[i].begin;
  bool later = begin == NO_EVENT || bitmat_has(po, begin, event);
  return later && bitmat_has(po, event, write) && encode_event(e, event)->place_count == 1;
}

static void find_sections(struct encoder *e, struct chain *c) {
  c->sections = ARENA_ARRAY(e->arena, struct section, c->count);
  for (uint32_t i = 0; i < c->count; i++) {
    c->sections[i].begin = NO_EVENT;
    for (uint32_t k = 0; k < c->count; k++)
      if (begins(e, c, i, c->ends[0][k]))
        c->sections[i] = (struct section){c->ends[0][k], &c->at[k * (c->count + 1)], false};
    for (uint32_t r = 0; r < c->read_count; r++)
      if (begins(e, c, i, c->reads[r]) && !encode_event(e, c->reads[r])->is_rmw)
        c->sections[i] = (struct section){c->reads[r], &c->seen[r * (c->count + 1)], false};
  }
}

static bool is_end(const struct chain *c, uint32_t i) { return c->sections[i].begin != NO_EVENT; }

static bool begins_with_write(const struct encoder *e, const struct chain *c, uint32_t i) {
  return is_end(c, i) && encode_event(e, c->sections[i].begin)->kind == EVENT_WRITE;
}

/* A literal: the read takes the chunk from the write. */
static lit takes(const struct encoder *e, const struct chain *c, uint32_t read, uint32_t write) {
  uint32_t slot = e->slots->first[read];
  while (e->slots->list[slot].chunk != c->chunk) slot++;
  lit source = e->source[slot][e->writer_index[write]];
  return source ? source : LIT_FALSE;
}

static void add_way(struct encoder *e, struct lits *out, lit a, lit b) { VEC_PUSH(e->arena, out, both(e, a, b)); }

/* Doubts: the end of the section happens, but its begin does not, or its begin is at or after the end's position. */
static void doubt_order(struct encoder *e, const struct chain *c, uint32_t i, struct lits *out) {
  uint32_t begin = c->sections[i].begin, end = c->ends[0][i];
  add_way(e, out, happens(e, c, i), -e->exec[begin]);
  if (begins_with_write(e, c, i)) {
    VEC_PUSH(e->arena, out, *encode_order(e, end, begin));
    return;
  }
  for (uint32_t k = 0; k < c->count; k++)
    add_way(e, out, takes(e, c, begin, c->ends[0][k]), k == i ? LIT_TRUE : *encode_order(e, end, c->ends[0][k]));
}

/* Doubts: write k directly follows the begin of section i, or ends a section that begins at the same position. */
static void doubt_two(struct encoder *e, const struct chain *c, uint32_t i, uint32_t k, struct lits *out,
                      struct lits *long_out) {
  const struct event *other = encode_event(e, c->ends[0][k]);
  uint32_t begin = c->sections[i].begin;
  if (is_end(c, k) && begin == c->sections[k].begin) add_way(e, out, happens(e, c, i), happens(e, c, k));
  if (is_end(c, k) && (k < i || (begins_with_write(e, c, i) && begins_with_write(e, c, k)))) return;
  lit ends = is_end(c, k) ? both(e, happens(e, c, i), happens(e, c, k)) : happens(e, c, i);
  if (!is_end(c, k) && other->is_rmw && begins_with_write(e, c, i)) {
    add_way(e, out, both(e, ends, happens(e, c, k)), takes(e, c, other->partner, begin));
    return;
  }
  struct lits ways = {0};
  for (uint32_t p = 0; p < c->count; p++) {
    lit there = is_end(c, k) ? c->sections[k].place[p] : at(c, k, p + 1);
    if (c->sections[i].place[p] && there) add_way(e, &ways, c->sections[i].place[p], there);
  }
  add_way(e, long_out, ends, gates_or(&e->gates, ways.data, ways.len, NEED_ONLY_IF));
}

/* Joins the doubts that are pairs of literals into one; a doubt over all positions stays separate. */
static struct lits doubt_sections(struct encoder *e, const struct chain *c) {
  struct lits doubts = {0}, ways = {0};
  for (uint32_t i = 0; i < c->count; i++) {
    if (!is_end(c, i)) continue;
    doubt_order(e, c, i, &ways);
    for (uint32_t k = 0; k < c->count; k++)
      if (k != i) doubt_two(e, c, i, k, &ways, &doubts);
  }
  VEC_PUSH(e->arena, &doubts, gates_or(&e->gates, ways.data, ways.len, NEED_ONLY_IF));
  return doubts;
}

static bool is_whole(const struct encoder *e, const struct chain *c, uint32_t i) {
  if (!sat_value(e->sat, happens(e, c, i))) return true;
  for (uint32_t p = 0; p <= c->count; p++)
    if (c->sections[i].place[p] && sat_value(e->sat, c->sections[i].place[p]))
      return p < c->count && sat_value(e->sat, at(c, i, p + 1));
  return false;
}

/* Adds clauses: the end directly follows the begin, and any other write before the end is before the begin. */
static void conclude_section(struct encoder *e, const struct chain *c, uint32_t i, lit on) {
  const struct section *section = &c->sections[i];
  sat_clause3(e->sat, -on, -happens(e, c, i), e->exec[section->begin]);
  for (uint32_t p = 0; p < c->count; p++) {
    if (!section->place[p]) continue;
    sat_clause(e->sat, (lit[]){-on, -section->place[p], -happens(e, c, i), at(c, i, p + 1)}, 4);
    sat_clause3(e->sat, -on, section->place[p], -at(c, i, p + 1));
  }
  for (uint32_t k = 0; k < c->count && begins_with_write(e, c, i); k++) {
    uint32_t begin = section->begin, end = c->ends[0][i], other = c->ends[0][k];
    if (other == begin || other == end) continue;
    lit before_end = *encode_order(e, other, end), before_begin = *encode_order(e, other, begin);
    sat_clause(e->sat, (lit[]){-on, -e->exec[other], -e->exec[end], -before_end, before_begin}, 5);
  }
}

/* ---- Closures ---- */

static bool may_lead(const struct encoder *e, const struct chain *c, cat_node node) {
  struct bitmat may = e->graph.bounds.data[node].may;
  if (e->graph.model->nodes.data[node].op != CAT_PLUS) return false;
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++)
      if (i != k && !bitmat_has(may, c->ends[0][i], c->ends[0][k])) return false;
  return true;
}

/* A literal: write i directly precedes write k, by the begin of k's section, the read of k's atomic, or positions. */
static lit is_before(struct encoder *e, const struct chain *c, uint32_t i, uint32_t k) {
  const struct event *ev = encode_event(e, c->ends[0][k]);
  uint32_t read = is_end(c, k) ? c->sections[k].begin : ev->is_rmw ? ev->partner : NO_EVENT;
  struct lits ways = {0};
  if (read == c->ends[0][i]) return happens(e, c, k);
  if (read != NO_EVENT && encode_event(e, read)->kind == EVENT_WRITE) return LIT_FALSE;
  if (read != NO_EVENT) return both(e, happens(e, c, k), takes(e, c, read, c->ends[0][i]));
  for (uint32_t p = 1; p < c->count; p++) VEC_PUSH(e->arena, &ways, both(e, at(c, i, p), at(c, k, p + 1)));
  return gates_or(&e->gates, ways.data, ways.len, NEED_ONLY_IF);
}

static lit doubt_closure(struct encoder *e, const struct chain *c, cat_node closure) {
  struct lits ways = {0};
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++) {
      lit before = i == k ? LIT_FALSE : is_before(e, c, i, k);
      if (before == LIT_FALSE) continue;
      lit leads = encoder_pair(e, closure, c->ends[0][i], c->ends[0][k], NEED_IF);
      if (leads != LIT_TRUE) VEC_PUSH(e->arena, &ways, both(e, before, -leads));
    }
  encoder_define_pairs(e);
  return gates_or(&e->gates, ways.data, ways.len, NEED_ONLY_IF);
}

static void conclude_closure(struct encoder *e, const struct chain *c, cat_node closure, lit on) {
  for (uint32_t i = 0; i < c->count; i++)
    for (uint32_t k = 0; k < c->count; k++) {
      if (i == k) continue;
      lit leads = encoder_pair(e, closure, c->ends[0][i], c->ends[0][k], NEED_IF);
      lit before = *encode_order(e, c->ends[0][i], c->ends[0][k]);
      sat_clause(e->sat, (lit[]){-on, -happens(e, c, i), -happens(e, c, k), -before, leads}, 5);
    }
  encoder_define_pairs(e);
}

/* ---- Lemmas ---- */

bool encoder_next_lemma(struct encoder *e, struct lemma *lemma) {
  struct lemma *at = &e->last_lemma;
  if (at->chain >= e->chains.len || e->refusal) return false;
  struct chain *c = &e->chains.data[at->chain];
  if (c->outside_count) { /* weak stores may come between */
    *at = (struct lemma){.chain = at->chain + 1};
    return encoder_next_lemma(e, lemma);
  }
  if (!c->sections) {
    find_sections(e, c);
    *lemma = (struct lemma){at->chain, CAT_NO_NODE, doubt_sections(e, c)};
    return true;
  }
  while (at->closure < e->graph.model->nodes.len && !may_lead(e, c, at->closure)) at->closure++;
  if (at->closure < e->graph.model->nodes.len) {
    *lemma = (struct lemma){.chain = at->chain, .closure = at->closure};
    VEC_PUSH(e->arena, &lemma->doubts, doubt_closure(e, c, at->closure));
    at->closure++;
    return true;
  }
  *at = (struct lemma){.chain = at->chain + 1};
  return encoder_next_lemma(e, lemma);
}

bool encoder_weaken(struct encoder *e, struct lemma *lemma, bool solved) {
  struct chain *c = &e->chains.data[lemma->chain];
  bool some = false, fewer = false;
  if (lemma->closure != CAT_NO_NODE) return false;
  for (uint32_t i = 0; i < c->count; i++) c->sections[i].broken = is_end(c, i) && !(solved && is_whole(e, c, i));
  for (uint32_t i = 0; i < c->count; i++) {
    fewer = fewer || c->sections[i].broken;
    if (c->sections[i].broken) c->sections[i].begin = NO_EVENT;
    some = some || is_end(c, i);
  }
  if (!fewer) BUG("a lemma is doubted where all sections are whole");
  lemma->doubts = doubt_sections(e, c);
  return some;
}

void encoder_conclude(struct encoder *e, const struct lemma *lemma) {
  const struct chain *c = &e->chains.data[lemma->chain];
  lit on = sat_variable(e->sat);
  for (uint32_t i = 0; i < c->count && lemma->closure == CAT_NO_NODE; i++)
    if (is_end(c, i)) conclude_section(e, c, i, on);
  if (lemma->closure != CAT_NO_NODE) conclude_closure(e, c, lemma->closure, on);
  VEC_PUSH(e->arena, &e->lemmas, on);
}
