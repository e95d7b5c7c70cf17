/* Excludes the programs that all.c leaves out, and isomorphic programs, from a shape. */
#include "generate/shape.h"

static bool is_generic(const struct draft_event *e) { return draft_accesses(e) && e->proxy == PROXY_GENERIC; }
static bool can_have_value(const struct draft_event *e) { return draft_can_depend(e, DRAFT_DATA); }
static bool can_have_ctrl(const struct draft_event *e) { return draft_can_depend(e, DRAFT_CTRL); }
static bool can_have_address(const struct draft_event *e) { return draft_can_depend(e, DRAFT_ADDR); }

static bool is_first(const struct program_shape *s, uint32_t i) { return i == 0 || s->thread[i] != s->thread[i - 1]; }
static bool is_final(const struct program_shape *s, uint32_t i) {
  return i + 1 == s->slots || s->thread[i] != s->thread[i + 1];
}

/* ---- Locations ---- */

/* Each location has two or more accesses, among them a write and at most one red; locations connect all threads. */
static void leave_out_locations(struct program_shape *s) {
  lit twice[DRAFT_EVENTS + 1], written[DRAFT_EVENTS + 1];
  for (uint32_t i = 0; i < s->slots; i++) {
    for (uint32_t j = 0; j < s->slots; j++) {
      lit same = shape_same_location(s, i, j);
      twice[j] = i == j ? LIT_FALSE : same;
      written[j] = shape_and(s, same, shape_is(s, j, draft_writes));
      lit reds = shape_and(s, shape_is(s, i, draft_is_red), shape_is(s, j, draft_is_red));
      if (j < i) sat_clause2(s->sat, -reds, -same);
    }
    twice[s->slots] = written[s->slots] = -shape_is(s, i, draft_accesses);
    sat_clause(s->sat, twice, s->slots + 1);
    sat_clause(s->sat, written, s->slots + 1);
  }
  for (uint32_t i = 0; i < s->slots; i++) twice[i] = shape_is(s, i, draft_accesses);
  sat_clause(s->sat, twice, s->slots);
}

/* For each partition of the threads into two sets, both sets access some location. */
static void join_threads(struct program_shape *s) {
  for (uint32_t side = 1; side < (1u << s->sizes.thread_count) - 1; side += 2) {
    lit lits[DRAFT_EVENTS * DRAFT_EVENTS];
    uint32_t count = 0;
    for (uint32_t i = 0; i < s->slots; i++)
      for (uint32_t j = 0; j < s->slots; j++)
        if (side >> s->thread[i] & 1 && !(side >> s->thread[j] & 1)) lits[count++] = shape_same_location(s, i, j);
    sat_clause(s->sat, lits, count);
  }
}

/* Locations are numbered in the order of their first use. */
static void number_locations(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++)
    for (uint32_t l = 1; l < s->locations; l++) {
      lit clause[DRAFT_EVENTS + 1] = {-s->at[i][l]};
      for (uint32_t j = 0; j < i; j++) clause[j + 1] = s->at[j][l - 1];
      sat_clause(s->sat, clause, i + 1);
    }
}

static bool settles_names(const struct draft_event *e) { return is_generic(e) || draft_keeps_names(e); }

/* As in draft.c: a location's first name is the generic one, unless an access through another proxy fixes the name. */
static void name_aliases(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    lit clause[DRAFT_EVENTS + 1] = {-shape_is(s, i, draft_is_aliased)};
    uint32_t length = 1;
    for (uint32_t j = 0; j < s->slots; j++) {
      if (j == i) continue;
      lit settles = shape_is(s, j, j < i ? settles_names : draft_keeps_names);
      clause[length++] = shape_and(s, shape_same_location(s, i, j), settles);
    }
    sat_clause(s->sat, clause, length);
  }
}

/* ---- Instructions ---- */

/* As fences_matter in all.c. */
static bool may_follow(const struct draft_event *a, const struct draft_event *b) {
  if (draft_accesses(a) || a->kind != b->kind || a->proxy != b->proxy) return true;
  return a->kind == DRAFT_FENCE && !generate_weaker(a, b) && !generate_weaker(b, a) && a->sem <= b->sem;
}

static void leave_out_fences(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    if (is_first(s, i) || is_final(s, i)) sat_clause1(s->sat, -shape_is(s, i, draft_is_fence));
    if (is_final(s, i)) continue;
    for (uint32_t a = 0; a < s->forms.len; a++)
      for (uint32_t b = 0; b < s->forms.len; b++)
        if (!may_follow(&s->forms.data[a], &s->forms.data[b])) sat_clause2(s->sat, -s->what[i][a], -s->what[i + 1][b]);
  }
}

static void leave_out_dependencies(struct program_shape *s) {
  static shape_test *const can[] = {NULL, can_have_value, can_have_ctrl, can_have_address};
  for (uint32_t i = 0; i < s->slots; i++) {
    lit given[DRAFT_EVENTS + 1];
    uint32_t count = 0;
    for (uint32_t j = i; j && s->thread[j - 1] == s->thread[i]; j--) given[count++] = shape_is(s, j - 1, draft_gives);
    for (uint32_t d = DRAFT_DATA; d <= DRAFT_ADDR; d++) {
      sat_clause2(s->sat, -s->dep[i][d], shape_is(s, i, can[d]));
      given[count] = -s->dep[i][d];
      sat_clause(s->sat, given, count + 1);
    }
  }
}

/* ---- Places ---- */

/* Requires that each scope reaches a thread that the next narrower scope of the request does not reach. */
static void leave_out_scopes(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots && !s->ask->wide; i++)
    for (uint32_t k = 0; k < s->forms.len; k++) {
      uint32_t scope = s->forms.data[k].scope, narrower = scope, count = 0;
      lit clause[DRAFT_THREADS + 1];
      if (scope == SCOPE_NONE) continue;
      do narrower--;
      while (narrower > SCOPE_NONE && !(s->ask->scopes >> narrower & 1));
      if (narrower == SCOPE_NONE) continue;
      clause[count++] = -s->what[i][k];
      for (uint32_t t = 0; t < s->sizes.thread_count; t++) {
        const lit *near = s->near[s->thread[i]][t];
        if (t != s->thread[i]) clause[count++] = shape_and(s, near[scope], -near[narrower]);
      }
      sat_clause(s->sat, clause, count);
    }
}

/* A barrier joins at least two threads, all with the same number of barriers. */
static void leave_out_barriers(struct program_shape *s) {
  lit ends[DRAFT_THREADS][DRAFT_LENGTH + 1];
  for (uint32_t i = 0; i < s->slots; i++)
    for (uint32_t k = 0; k <= DRAFT_LENGTH && is_final(s, i); k++)
      ends[s->thread[i]][k] =
          gates_ite(&s->gates, shape_is(s, i, draft_is_bar), k ? s->round[i][k - 1] : LIT_FALSE, s->round[i][k]);
  for (uint32_t t = 0; t < s->sizes.thread_count; t++) {
    lit mates[DRAFT_THREADS + 1] = {ends[t][0]};
    uint32_t count = 1;
    for (uint32_t u = 0; u < s->sizes.thread_count; u++) {
      if (u == t) continue;
      mates[count++] = s->near[t][u][SCOPE_CTA];
      for (uint32_t k = 1; k <= DRAFT_LENGTH; k++)
        sat_clause3(s->sat, -s->near[t][u][SCOPE_CTA], -ends[t][k], ends[u][k]);
    }
    sat_clause(s->sat, mates, count);
  }
}

/* ---- Isomorphic ones ---- */

/* Threads of equal length are sorted lexicographically by their forms. Locations and names of aliases are numbered
 * afterwards, so that each program keeps only its smallest solution. */
static void order_threads(struct program_shape *s) {
  for (uint32_t i = 0; i < s->slots; i++) {
    uint32_t length = s->sizes.threads[s->thread[i]].count;
    if (!is_first(s, i) || i + length >= s->slots || s->sizes.threads[s->thread[i] + 1].count != length) continue;
    lit same = LIT_TRUE;
    for (uint32_t k = 0; k < length; k++) {
      const lit *a = s->what[i + k], *b = s->what[i + length + k];
      lit *equal = ARENA_ARRAY(s->arena, lit, s->forms.len);
      for (uint32_t f = 0; f < s->forms.len; f++) {
        equal[f] = shape_and(s, a[f], b[f]);
        lit *clause = ARENA_ARRAY(s->arena, lit, s->forms.len + 2);
        uint32_t count = 0;
        clause[count++] = -same;
        clause[count++] = -b[f];
        for (uint32_t g = 0; g <= f; g++) clause[count++] = a[g];
        sat_clause(s->sat, clause, count);
      }
      same = shape_and(s, same, gates_or(&s->gates, equal, s->forms.len, NEED_BOTH));
    }
  }
}

void shape_leave_out(struct program_shape *s) {
  leave_out_locations(s);
  join_threads(s);
  leave_out_fences(s);
  leave_out_dependencies(s);
  leave_out_scopes(s);
  leave_out_barriers(s);
  number_locations(s);
  name_aliases(s);
  order_threads(s);
}
