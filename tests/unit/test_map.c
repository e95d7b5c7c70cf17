/* Mappings from C++ to PTX: the quick reading of scoped RC11 against its models, by both engines, on random tests in
 * CUDA C++; and the contents of tables. */

#include "base/rng.h"
#include "generate/generate.h"
#include "map/world.h"
#include "api/session.h"

#include "unit.h"

enum { TESTS = 400 };

/* `plain`: the percentage of plain loads and stores. */
static void make_event(struct rng *rng, struct draft_event *e, uint32_t threads, uint32_t plain) {
  static const enum sem reads[] = {SEM_RELAXED, SEM_ACQUIRE, SEM_SC}, writes[] = {SEM_RELAXED, SEM_RELEASE, SEM_SC};
  static const enum draft_kind kinds[] = {DRAFT_READ, DRAFT_WRITE, DRAFT_UPDATE, DRAFT_FENCE};
  *e = (struct draft_event){.kind = (uint8_t)kinds[rng_below(rng, 4)], .location = (uint8_t)rng_below(rng, 2)};
  e->scope = (uint8_t)(rng_below(rng, 3) || threads < 2 ? SCOPE_GPU : SCOPE_CTA);
  if (e->kind == DRAFT_READ) e->sem = (uint8_t)reads[rng_below(rng, 3)];
  else if (e->kind == DRAFT_WRITE) e->sem = (uint8_t)writes[rng_below(rng, 3)];
  else if (e->kind == DRAFT_UPDATE) e->sem = (uint8_t)(SEM_RELAXED + rng_below(rng, 5));
  else e->sem = (uint8_t)(SEM_ACQUIRE + rng_below(rng, 4)), e->location = 0;
  if (e->kind < DRAFT_UPDATE && rng_below(rng, 100) < plain) e->sem = SEM_WEAK, e->scope = SCOPE_NONE;
}

/* A barrier at a random place in each thread of the first one's block, unless these are more than two: that would be
 * too many events. */
static void add_barriers(struct rng *rng, struct draft *d) {
  uint32_t met = 0;
  for (uint32_t t = 0; t < d->thread_count; t++) met += d->threads[t].cta == d->threads[0].cta;
  if (met > 2) return;
  for (uint32_t t = 0; t < d->thread_count; t++) {
    struct draft_thread *thread = &d->threads[t];
    uint32_t at = rng_below(rng, thread->count + 1u);
    if (thread->cta != d->threads[0].cta) continue;
    memmove(&thread->events[at + 1], &thread->events[at], (thread->count - at) * sizeof thread->events[0]);
    thread->events[at] = (struct draft_event){.kind = DRAFT_BARRIER, .scope = SCOPE_CTA};
    thread->count++;
  }
}

/* A random test with an outcome, sensible or not. */
static void make_draft(struct rng *rng, struct draft *d, uint32_t plain) {
  uint8_t next[DRAFT_LOCATIONS] = {0};
  *d = (struct draft){.thread_count = (uint8_t)(2 + rng_below(rng, 2)), .location_count = 2};
  for (uint32_t t = 0; t < d->thread_count; t++) {
    d->threads[t].count = (uint8_t)(d->thread_count == 2 ? 2 + rng_below(rng, 2) : 1 + rng_below(rng, 2));
    d->threads[t].cta = d->threads[t].cluster = (uint8_t)rng_below(rng, t + 1);
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft_event *e = &d->threads[t].events[i];
      make_event(rng, e, d->thread_count, plain);
      if (draft_writes(e)) e->writes = ++next[e->location];
    }
  }
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      struct draft_event *e = &d->threads[t].events[i];
      if (draft_reads(e)) e->reads = (uint8_t)rng_below(rng, next[e->location] + 1u);
      if (draft_reads(e) && plain && rng_below(rng, 4)) e->dep = MAP_ASKED;
      if (e->kind == DRAFT_UPDATE && plain && rng_below(rng, 2))
        e->dep = e->dep == MAP_ASKED ? MAP_ASKED_AND_COMPARES : MAP_COMPARES;
    }
  for (uint32_t l = 0; l < 2; l++) d->last[l] = next[l] ? (uint8_t)(1 + rng_below(rng, next[l])) : DRAFT_FREE;
}

/* ---- The verdict of the bit rows of src/map on an outcome ---- */

struct cpp_question {
  struct map_strengths strengths;
  bool old_sequences;
};

static bool is_consistent(struct map_world *w) {
  const struct cpp_question *q = w->state;
  struct map_execution x = w->now;
  return world_relate(w, &x) && world_is_consistent(w, &q->strengths, &x, q->old_sequences);
}

static bool is_forbidden(const struct draft *draft, bool old_sequences) {
  struct map_world w;
  world_build(&w, draft);
  struct cpp_question q = {world_strengths(&w), old_sequences};
  w.state = &q;
  return !world_some_execution(&w, is_consistent);
}

/* Counts atomic accesses whose scopes do not contain each other's thread as a race, even if ordered. */
static bool may_race(const struct draft *draft, bool old_sequences) {
  struct map_world w;
  world_build(&w, draft);
  const struct map_strengths s = world_strengths(&w);
  relation conflicts = world_conflicts(&w, &s);
  if (conflicts & relation_from(s.atomic) & relation_to(s.atomic)) return true;
  return conflicts && world_races(&w, old_sequences);
}

/* ---- Compared with the models ---- */

static enum ptxlit_verdict verdict_of(const char *model, const char *text, enum ptxlit_engine engine) {
  struct ptxlit *s = ptxlit_new();
  struct ptxlit_options options = ptxlit_defaults();
  const struct ptxlit_result *result;
  options.engine = engine;
  ptxlit_set_options(s, &options);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(ptxlit_use_model(s, model), PTXLIT_OK);
  if (ptxlit_read_text(s, "random", text, strlen(text)) != PTXLIT_OK) fail_msg("invalid test:\n%s", text);
  ptxlit_check(s, 0, 0, &result);
  enum ptxlit_verdict verdict = result->verdict;
  ptxlit_free(s);
  return verdict;
}

static bool has_atomic_race(const struct draft *d) {
  struct draft strong = *d;
  DRAFT_EACH (e, &strong)
    if (draft_accesses(e) && e->sem == SEM_WEAK) e->sem = SEM_RELAXED, e->scope = SCOPE_SYS;
  return may_race(&strong, false);
}

static void compare_one(const struct draft *d, bool old) {
  const char *text = map_written(&arena, d), *model = old ? "rc11-scoped-17" : "rc11-scoped";
  model = arena_printf(&arena, "%s+LB=dependencies", model);
  enum ptxlit_verdict sat = verdict_of(model, text, PTXLIT_SAT), brute = verdict_of(model, text, PTXLIT_ENUMERATE);
  bool races = may_race(d, old);
  if (sat != brute) fail_msg("the engines differ:\n%s", text);
  if (!has_atomic_race(d) && races != (sat == PTXLIT_UNDEFINED)) fail_msg("%s: races differ:\n%s", model, text);
  if (sat == PTXLIT_UNDEFINED && !races) fail_msg("a race that was not seen:\n%s", text);
  if (!races && is_forbidden(d, old) != (sat == PTXLIT_FORBIDDEN)) fail_msg("%s says otherwise:\n%s", model, text);
}

static bool has_plain(const struct draft *d) {
  DRAFT_EACH (e, d)
    if (draft_accesses(e) && e->sem == SEM_WEAK) return true;
  return false;
}

static bool is_settled(const struct draft *d) { return d->last[0] != DRAFT_FREE || d->last[1] != DRAFT_FREE; }

TEST(the_quick_reading_agrees_with_the_models) {
  struct rng rng = {20};
  unsigned forbidden = 0, judged = 0;
  for (int i = 0; i < TESTS; i++) {
    struct arena_mark mark = arena_mark(&arena);
    struct draft d;
    make_draft(&rng, &d, 0);
    if (!is_settled(&d)) continue; /* nothing is written */
    if (may_race(&d, i % 2) && i % 8) continue;
    compare_one(&d, i % 2);
    judged++;
    forbidden += is_forbidden(&d, i % 2);
    arena_rewind(&arena, mark);
  }
  assert_true(judged > TESTS / 4 && forbidden > judged / 10 && forbidden < judged * 95 / 100);
}

TEST(and_on_plain_accesses_and_barriers) {
  struct rng rng = {7};
  unsigned forbidden = 0, races = 0, judged = 0;
  for (int i = 0; judged < TESTS / 2; i++) {
    struct arena_mark mark = arena_mark(&arena);
    struct draft d;
    make_draft(&rng, &d, 35);
    if (i % 2) add_barriers(&rng, &d);
    if (!is_settled(&d) || has_atomic_race(&d)) continue;
    bool race = may_race(&d, i % 3 == 0);
    if (race ? i % 12 != 0 : !has_plain(&d)) continue; /* most do race */
    compare_one(&d, i % 3 == 0);
    judged++;
    races += race;
    forbidden += !race && is_forbidden(&d, i % 3 == 0);
    arena_rewind(&arena, mark);
  }
  assert_true(forbidden > judged / 10 && races > judged / 20 && forbidden + races < judged);
}

static struct map_table *read(struct diags *diags, const char *text) {
  struct source *source = ARENA_NEW(&arena, struct source);
  *source = source_from_text("t.map", text, strlen(text));
  diags_init(diags, &arena);
  return map_read(&arena, diags, source, "t");
}

TEST(tables_are_read) {
  struct diags diags;
  struct map_table *t =
      read(&diags, "\"T\"\nSource=here\n// a comment\nload seq_cst: fence.sc.S;ld.acquire.S | fence.sc.S ; "
                   "ld.relaxed.S ; fence.acquire.S\nload relaxed:ld.relaxed.S\nstore relaxed: st.relaxed.S\n"
                   "update acq_rel: atom.acq_rel.S\nupdate seq_cst: fence.sc.S; atom.acquire.S\n");
  assert_non_null(t);
  assert_string_equal(t->title, "T");
  assert_string_equal(t->rows[DRAFT_READ][SEM_SC].alternatives.data[1].text,
                      "fence.sc.S; ld.relaxed.S; fence.acquire.S");
  assert_true(t->below[DRAFT_READ][SEM_SC] >> SEM_RELAXED & 1);
  assert_false(t->below[DRAFT_UPDATE][SEM_SC] >> SEM_ACQ_REL & 1); /* not compiled to something weaker */
  static const char *const wrong[] = {"load release: ld.relaxed.S\n",
                                      "load relaxed ld.relaxed.S\n",
                                      "load relaxed: st.relaxed.S\n",
                                      "load relaxed: ld.relaxed.gpu\n",
                                      "load relaxed: ld.relaxed.S ld.relaxed.S\n",
                                      "fence seq_cst: ld.relaxed.S\n",
                                      "load relaxed: ld.relaxed.S\nload relaxed: ld.relaxed.S\n",
                                      "",
                                      "move x: y\n"};
  for (size_t i = 0; i < ARRAY_LEN(wrong); i++) {
    assert_null(read(&diags, wrong[i]));
    assert_true(diags.errors > 0);
  }
}

/* Chooses a random alternative for each operation. */
static void choose(struct rng *rng, const struct map_table *table, const struct draft *d, map_choice choice) {
  for (uint32_t t = 0; t < d->thread_count; t++)
    for (uint32_t i = 0; i < d->threads[t].count; i++) {
      const struct draft_event *e = &d->threads[t].events[i];
      const struct map_row *row = &table->rows[e->kind][e->sem];
      choice[t][i] = &row->alternatives.data[rng_below(rng, row->alternatives.len)];
    }
}

TEST(what_is_compiled_is_judged_as_its_text_is) {
  struct rng rng = {5};
  struct ptxlit *s = ptxlit_new();
  struct source source;
  struct diags diags;
  unsigned forbidden = 0, judged = 0, loops = 0;
  diags_init(&diags, &arena);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(session_open(s, &arena, "models/maps/abi-13.map", NULL, &source), SOURCE_OK);
  const struct map_table *tables[] = {map_read(&arena, &diags, &source, "abi-13"), NULL};
  assert_int_equal(session_open(s, &arena, "models/maps/llvm-emulated.map", NULL, &source), SOURCE_OK);
  tables[1] = map_read(&arena, &diags, &source, "llvm-emulated");
  struct quick *quick = quick_new(&arena, session_model(s, "ptx"));
  while (judged < 60) {
    struct draft d, compiled, retried;
    map_choice choice;
    make_draft(&rng, &d, judged % 2 ? 30 : 0);
    if (judged % 3 == 0) add_barriers(&rng, &d);
    if (d.last[0] == DRAFT_FREE || d.last[1] == DRAFT_FREE) continue;
    choose(&rng, tables[judged % 2], &d, choice);
    bool has_loops = map_has_loops(&d, choice), fits = map_compile(&d, choice, has_loops, &retried);
    if (!map_compile(&d, choice, 0, &compiled)) continue;
    const char *text = map_compiled(&arena, &d, choice);
    bool is = quick_verdict(quick, &compiled) == VERDICT_FORBIDDEN;
    if (is && fits && quick_verdict(quick, &retried) != VERDICT_FORBIDDEN) fail_msg("a failing cas allows:\n%s", text);
    loops += has_loops;
    if ((is || !(map_has_branches(&d) || map_has_loops(&d, choice))) &&
        is != (verdict_of("ptx", text, PTXLIT_SAT) == PTXLIT_FORBIDDEN))
      fail_msg("judged otherwise:\n%s", text);
    judged++;
    forbidden += is;
  }
  assert_true(forbidden > judged / 10 && forbidden < judged && loops > judged / 10);
  ptxlit_free(s);
}

int main(void) { return run_each(open_arena, close_arena); }
