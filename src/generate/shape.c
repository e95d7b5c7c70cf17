/* Makes the literals of the choices that determine a program and its outcome. */
#include "generate/shape.h"

#include "exec/skeleton.h"

/* ---- Forms: the instructions without their locations ---- */

bool shape_can(const struct generate_ask *ask) {
  for (uint32_t i = 0; i < ask->menu.len; i++) {
    struct draft_event e = {.kind = ask->menu.data[i].kind, .proxy = ask->menu.data[i].proxy};
    struct quick_site sites[2];
    if (!quick_sites(&e, sites)) return false;
  }
  return true;
}

/* Generic forms come before forms of aliases, as shape_rules.c requires. */
static void add_forms(struct program_shape *s, bool aliases) {
  VEC_EACH (item, &s->ask->menu) {
    for (uint32_t sem = SEM_WEAK; item->sems >> sem; sem++) {
      struct draft_event e = {.kind = item->kind, .proxy = item->proxy, .sem = (uint8_t)sem};
      if (!(item->sems >> sem & 1) || aliases != (draft_accesses(&e) && e.proxy == PROXY_ALIAS)) continue;
      if (!draft_is_scoped(&e)) VEC_PUSH(s->arena, &s->forms, e);
      for (uint32_t scope = SCOPE_CTA; scope <= SCOPE_SYS && draft_is_scoped(&e); scope++) {
        e.scope = (uint8_t)scope;
        if (s->ask->scopes >> scope & 1) VEC_PUSH(s->arena, &s->forms, e);
      }
    }
  }
}

void shape_exactly_one(struct program_shape *s, lit when, const lit *lits, uint32_t count) {
  lit *clause = ARENA_ARRAY(s->arena, lit, count + 1);
  clause[0] = -when;
  if (count) memcpy(clause + 1, lits, count * sizeof *lits);
  sat_clause(s->sat, clause, count + 1);
  for (uint32_t i = 0; i < count; i++)
    for (uint32_t k = 0; k < i; k++) sat_clause2(s->sat, -lits[i], -lits[k]);
}

static lit any_form(struct program_shape *s, uint32_t slot, const bool *is) {
  uint32_t count = 0;
  lit *lits = ARENA_ARRAY(s->arena, lit, s->forms.len);
  for (uint32_t k = 0; k < s->forms.len; k++)
    if (is[k]) lits[count++] = s->what[slot][k];
  return count == s->forms.len ? LIT_TRUE : gates_or(&s->gates, lits, count, NEED_BOTH);
}

lit shape_is(struct program_shape *s, uint32_t slot, shape_test *test) {
  bool *is = ARENA_ARRAY(s->arena, bool, s->forms.len);
  for (uint32_t k = 0; k < s->forms.len; k++) is[k] = test(&s->forms.data[k]);
  return any_form(s, slot, is);
}

/* ---- Choices ---- */

static void choose(struct program_shape *s, lit when, lit *lits, uint32_t count) {
  for (uint32_t i = 0; i < count; i++) lits[i] = sat_variable(s->sat);
  shape_exactly_one(s, when, lits, count);
}

static void choose_instructions(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    s->what[i] = ARENA_ARRAY(s->arena, lit, s->forms.len);
    choose(s, LIT_TRUE, s->what[i], s->forms.len);
    lit accesses = shape_is(s, i, draft_accesses);
    choose(s, accesses, s->at[i], s->locations);
    for (uint32_t l = 0; l < s->locations; l++) sat_clause2(s->sat, -s->at[i][l], accesses);
    for (uint32_t d = 0; d <= DRAFT_ADDR; d++)
      s->dep[i][d] = d == 0 || s->ask->dependencies >> d & 1 ? sat_variable(s->sat) : LIT_FALSE;
    shape_exactly_one(s, LIT_TRUE, s->dep[i], DRAFT_ADDR + 1);
  }
}

lit shape_same_location(struct program_shape *s, uint32_t a, uint32_t b) {
  lit lits[DRAFT_LOCATIONS];
  if (a == b) return shape_is(s, a, draft_accesses);
  for (uint32_t l = 0; l < s->locations; l++) lits[l] = shape_and(s, s->at[a][l], s->at[b][l]);
  return gates_or(&s->gates, lits, s->locations, NEED_BOTH);
}

static bool takes(const struct draft_event *e) { return draft_gives(e) || e->kind == DRAFT_RED; }
/* A read returns any value that its own instruction does not write; a red has no visible result. */
static void choose_sources(struct program_shape *s) {
  for (uint32_t r = 0; r < s->slots; r++) {
    lit reads = shape_is(s, r, takes);
    for (uint32_t w = 0; w <= s->slots; w++) {
      lit *source = &s->source[r][w];
      bool never = reads == LIT_FALSE || (w < s->slots && shape_is(s, w, draft_writes) == LIT_FALSE);
      *source = never ? LIT_FALSE : sat_variable(s->sat);
      if (never) continue;
      sat_clause2(s->sat, -*source, reads);
      if (w == s->slots) continue;
      sat_clause2(s->sat, -*source, shape_is(s, w, draft_writes));
      sat_clause2(s->sat, -*source, w == r ? shape_is(s, w, draft_is_red) : shape_same_location(s, w, r));
    }
    shape_exactly_one(s, reads, s->source[r], s->slots + 1);
  }
}

static void choose_last(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    lit writes = shape_is(s, i, draft_writes);
    s->last[i] = writes == LIT_FALSE ? LIT_FALSE : sat_variable(s->sat);
    sat_clause2(s->sat, -s->last[i], writes);
  }
  for (uint32_t i = 0; i < s->slots; i++) {
    lit clause[DRAFT_EVENTS + 1];
    for (uint32_t j = 0; j < s->slots; j++) {
      clause[j] = shape_and(s, s->last[j], shape_same_location(s, i, j));
      if (j < i) sat_clause3(s->sat, -s->last[i], -s->last[j], -shape_same_location(s, i, j));
    }
    clause[s->slots] = -shape_is(s, i, draft_writes);
    sat_clause(s->sat, clause, s->slots + 1);
  }
}

/* Threads that share a CTA also share its cluster and its GPU. */
static void choose_places(struct program_shape *s) {
  uint32_t threads = s->sizes.thread_count;
  for (uint32_t t = 0; t < threads; t++)
    for (uint32_t u = 0; u <= t; u++) {
      lit *near = s->near[t][u];
      near[SCOPE_NONE] = t == u ? LIT_TRUE : LIT_FALSE;
      for (uint32_t c = SCOPE_CTA; c < SCOPE_SYS; c++) near[c] = t == u ? LIT_TRUE : sat_variable(s->sat);
      near[SCOPE_SYS] = LIT_TRUE;
      memcpy(s->near[u][t], near, sizeof s->near[u][t]);
      for (uint32_t c = SCOPE_CTA; c <= SCOPE_SYS && t != u; c++) {
        sat_clause2(s->sat, -near[c - 1], near[c]);
        if (!(s->ask->placements >> c & 1)) sat_clause2(s->sat, -near[c], near[c - 1]);
      }
    }
  for (uint32_t c = SCOPE_CTA; c < SCOPE_SYS; c++)
    for (uint32_t t = 0; t < threads; t++)
      for (uint32_t u = 0; u < threads; u++)
        for (uint32_t v = 0; v < threads; v++)
          sat_clause3(s->sat, -s->near[t][u][c], -s->near[u][v][c], s->near[t][v][c]);
}

/* The number of barriers before each slot in its thread; and in one more row, at the end of the last thread. */
static void count_barriers(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    bool first = i == 0 || s->thread[i] != s->thread[i - 1];
    for (uint32_t k = 0; k <= DRAFT_LENGTH; k++) {
      lit before = i && k ? s->round[i - 1][k - 1] : LIT_FALSE, same = i ? s->round[i - 1][k] : LIT_FALSE;
      if (first) s->round[i][k] = k ? LIT_FALSE : LIT_TRUE;
      else s->round[i][k] = gates_ite(&s->gates, shape_is(s, i - 1, draft_is_bar), before, same);
    }
  }
}

void shape_init(struct program_shape *s, struct arena *arena, struct sat *sat, const struct generate_ask *ask,
                const struct draft *sizes) {
  *s = (struct program_shape){.arena = arena, .sat = sat, .ask = ask, .sizes = *sizes, .halves = 1};
  gates_init(&s->gates, arena, sat);
  for (uint32_t t = 0; t < sizes->thread_count; t++)
    for (uint32_t i = 0; i < sizes->threads[t].count; i++) s->thread[s->slots++] = (uint8_t)t;
  s->locations = s->slots / 2 < ask->locations ? s->slots / 2 : ask->locations;
  add_forms(s, false);
  add_forms(s, true);
  for (uint32_t k = 0; k < s->forms.len; k++) {
    struct quick_site sites[2];
    if (quick_sites(&s->forms.data[k], sites) == 2) s->halves = 2;
  }
  s->n = s->slots * s->halves + s->locations;
  choose_instructions(s);
  choose_sources(s);
  choose_last(s);
  choose_places(s);
  count_barriers(s);
}

/* ---- Sites ---- */

uint32_t shape_read_site(const struct program_shape *s, uint32_t slot) { return slot * s->halves; }
uint32_t shape_write_site(const struct program_shape *s, uint32_t slot) { return slot * s->halves + s->halves - 1; }

/* The event of a form in a half of its slot: if slots have halves, an event that only writes is in the second half. */
static bool site_of(const struct program_shape *s, uint32_t form, uint32_t half, struct quick_site *out) {
  struct quick_site sites[2];
  uint32_t count = quick_sites(&s->forms.data[form], sites);
  uint32_t at = count == 1 && s->halves == 2 && sites[0].kind == EVENT_WRITE;
  *out = sites[count == 2 ? half : 0];
  return count == 2 || half == at;
}

lit shape_in(struct program_shape *s, enum cat_builtin set, uint32_t site) {
  uint32_t slot = site / s->halves, half = site % s->halves;
  if (slot >= s->slots) {
    struct quick_site init = {.kind = EVENT_WRITE, .is_init = true};
    return quick_has(&init, set) ? shape_present(s, site) : LIT_FALSE;
  }
  bool *is = ARENA_ARRAY(s->arena, bool, s->forms.len);
  for (uint32_t k = 0; k < s->forms.len; k++) {
    struct quick_site event;
    is[k] = site_of(s, k, half, &event) && quick_has(&event, set);
  }
  return any_form(s, slot, is);
}

lit shape_present(struct program_shape *s, uint32_t site) {
  uint32_t slots = s->slots * s->halves;
  if (site < slots) return shape_in(s, CAT_SET_EVERY, site);
  lit lits[DRAFT_EVENTS];
  for (uint32_t i = 0; i < s->slots; i++) lits[i] = s->at[i][site - slots];
  return gates_or(&s->gates, lits, s->slots, NEED_BOTH);
}

/* ---- Relations ---- */

static lit same_place(struct program_shape *s, uint32_t a, uint32_t b) {
  uint32_t slots = s->slots * s->halves;
  lit both = shape_and(s, shape_in(s, CAT_SET_MEM, a), shape_in(s, CAT_SET_MEM, b));
  if (a > b) return same_place(s, b, a);
  if (a == b) return both;
  if (a >= slots) return LIT_FALSE;
  lit same = b >= slots ? s->at[a / s->halves][b - slots] : shape_same_location(s, a / s->halves, b / s->halves);
  return shape_and(s, both, same);
}

/* An alias has its own address, and an initial write has both. */
static lit same_address(struct program_shape *s, uint32_t a, uint32_t b) {
  uint32_t slots = s->slots * s->halves;
  lit same = same_place(s, a, b);
  if (a >= slots || b >= slots) return same;
  lit alias_a = shape_is(s, a / s->halves, draft_is_aliased), alias_b = shape_is(s, b / s->halves, draft_is_aliased);
  return shape_and(s, same, -gates_xor(&s->gates, alias_a, alias_b));
}

static lit is_near(struct program_shape *s, uint32_t a, uint32_t b, enum scope scope) {
  uint32_t slots = s->slots * s->halves;
  if (a >= slots || b >= slots) return LIT_FALSE;
  lit both = shape_and(s, shape_present(s, a), shape_present(s, b));
  return shape_and(s, both, s->near[s->thread[a / s->halves]][s->thread[b / s->halves]][scope]);
}

static lit includes(struct program_shape *s, uint32_t a, uint32_t b) {
  lit lits[SCOPE_SYS + 1] = {LIT_FALSE};
#define PTX_SCOPE(id, word, cuda, set, meaning)                                                                        \
  lits[SCOPE_##id] = shape_and(s, shape_in(s, CAT_SET_SCOPE_##id, a), is_near(s, a, b, SCOPE_##id));
#include "ptx/words.def"
  return gates_or(&s->gates, lits + 1, SCOPE_SYS, NEED_BOTH);
}

/* The dependency of b on a: on the last read before b in the thread that gives a register a value; the value that a cas
 * or red writes depends on its own read. */
static lit depends_on(struct program_shape *s, uint32_t a, uint32_t b, enum draft_dep dep) {
  uint32_t i = a / s->halves, k = b / s->halves;
  if (k >= s->slots) return LIT_FALSE;
  if (i == k && b == a + 1 && dep == DRAFT_DATA) return shape_is(s, i, draft_depends);
  if (i >= k || s->thread[i] != s->thread[k] || a != shape_read_site(s, i)) return LIT_FALSE;
  lit found = shape_and(s, shape_is(s, i, draft_gives), s->dep[k][dep]);
  for (uint32_t j = i + 1; j < k; j++) found = shape_and(s, found, -shape_is(s, j, draft_gives));
  return shape_and(s, found, shape_present(s, b));
}

/* From an arrival: to the waits of its round, with `later` also to the arrivals of later rounds. */
static lit in_rounds(struct program_shape *s, uint32_t a, uint32_t b, bool later) {
  uint32_t i = a / s->halves, k = b / s->halves;
  lit arrives = shape_in(s, CAT_SET_ARRIVE, a), next = shape_in(s, CAT_SET_ARRIVE, b), lits[64];
  uint32_t count = 0;
  if (i >= s->slots || k >= s->slots || arrives == LIT_FALSE) return LIT_FALSE;
  for (uint32_t m = 0; m < DRAFT_LENGTH; m++) {
    lit same = shape_and(s, s->round[i][m], s->round[k][m]);
    lits[count++] = shape_and(s, same, shape_in(s, CAT_SET_WAIT, b));
    for (uint32_t h = m + 1; h < DRAFT_LENGTH && later; h++)
      lits[count++] = shape_and(s, shape_and(s, s->round[i][m], s->round[k][h]), next);
  }
  lit found = gates_or(&s->gates, lits, count, NEED_BOTH);
  return shape_and(s, shape_and(s, arrives, found), is_near(s, a, b, SCOPE_CTA));
}

lit shape_related(struct program_shape *s, enum cat_builtin relation, uint32_t a, uint32_t b) {
  lit both = shape_and(s, shape_present(s, a), shape_present(s, b)), thread = is_near(s, a, b, SCOPE_NONE);
  switch (relation) {
    case CAT_REL_ID: return a == b ? both : LIT_FALSE;
    case CAT_REL_PO: return a < b ? thread : LIT_FALSE;
    case CAT_REL_LOC: return same_place(s, a, b);
    case CAT_REL_VLOC:
    case CAT_REL_SAME_RANGE: return same_address(s, a, b);
    case CAT_REL_INT: return a == b ? both : thread;
    case CAT_REL_EXT: return a == b ? LIT_FALSE : shape_and(s, both, -thread);
    case CAT_REL_RMW:
      if (s->halves != 2 || a % 2 || b != a + 1 || a / 2 >= s->slots) return LIT_FALSE;
      return shape_is(s, a / 2, draft_is_update);
    case CAT_REL_DATA: return depends_on(s, a, b, DRAFT_DATA);
    case CAT_REL_CTRL: return depends_on(s, a, b, DRAFT_CTRL);
    case CAT_REL_ADDR: return depends_on(s, a, b, DRAFT_ADDR);
    case CAT_REL_INCL: return includes(s, a, b);
    case CAT_REL_SR: return shape_and(s, includes(s, a, b), includes(s, b, a));
    case CAT_REL_HOME:
    case CAT_REL_SCTA: return is_near(s, a, b, SCOPE_CTA);
    case CAT_REL_SCLUSTER: return is_near(s, a, b, SCOPE_CLUSTER);
    case CAT_REL_SGPU: return is_near(s, a, b, SCOPE_GPU);
    case CAT_REL_SDOMAIN: return is_near(s, a, b, SCOPE_SYS);
    case CAT_REL_BAR: return in_rounds(s, a, b, false);
    case CAT_REL_PHASE_ORDER: return in_rounds(s, a, b, true);
        QUICK_LACKS:
    case CAT_REL_RF:
    case CAT_REL_CO:
    case CAT_REL_FR:
    case CAT_REL_SC_ORDER: return LIT_FALSE;
#define SET(id, name, meaning) case CAT_SET_##id:
#include "cat/builtin.def"
    case CAT_BUILTIN_COUNT: break;
  }
  BUG("builtin %d is not a relation", (int)relation);
}

/* ---- A solution ---- */

static uint32_t chosen(const struct program_shape *s, const lit *lits, uint32_t count) {
  for (uint32_t i = 0; i < count; i++)
    if (lits[i] != LIT_FALSE && sat_value(s->sat, lits[i])) return i;
  return 0;
}

/* The place of a thread: the number of the first thread in the same scope. */
static uint8_t place(const struct program_shape *s, uint32_t thread, enum scope scope) {
  for (uint32_t t = 0; t < thread; t++)
    if (sat_value(s->sat, s->near[t][thread][scope])) return (uint8_t)t;
  return (uint8_t)thread;
}

void shape_draft(const struct program_shape *s, struct draft *out) {
  struct draft_event *of[DRAFT_EVENTS];
  *out = s->sizes;
  out->location_count = (uint8_t)s->locations;
  for (uint32_t t = 0, i = 0; t < out->thread_count; t++) {
    struct draft_thread *thread = &out->threads[t];
    thread->cta = place(s, t, SCOPE_CTA);
    thread->cluster = place(s, t, SCOPE_CLUSTER);
    thread->gpu = place(s, t, SCOPE_GPU);
    for (uint32_t k = 0; k < thread->count; k++, i++) {
      of[i] = &thread->events[k];
      *of[i] = s->forms.data[chosen(s, s->what[i], s->forms.len)];
      of[i]->location = draft_accesses(of[i]) ? (uint8_t)chosen(s, s->at[i], s->locations) : 0;
      of[i]->dep = (uint8_t)chosen(s, s->dep[i], DRAFT_ADDR + 1);
    }
  }
  draft_number_values(out);
  memset(out->last, DRAFT_FREE, sizeof out->last);
  for (uint32_t i = 0; i < s->slots; i++) {
    uint32_t source = chosen(s, s->source[i], s->slots + 1);
    of[i]->reads = draft_reads(of[i]) && source < s->slots ? of[source]->writes : 0;
    if (s->last[i] == LIT_FALSE || !sat_value(s->sat, s->last[i])) continue;
    if (draft_write_count(out, of[i]->location) > 1) out->last[of[i]->location] = of[i]->writes;
  }
  draft_normalise(out);
}
