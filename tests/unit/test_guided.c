/* Compares the SAT search over programs with enumeration: both must agree, for each size, on whether a test
 * distinguishes two models. The models are the shipped ones, readings of them and random mutants; the instructions are
 * random too. The environment gives the number of pairs (GUIDED_ROUNDS) and the seed (GUIDED_SEED). */
#include <stdio.h>
#include <stdlib.h>

#include "base/rng.h"
#include "generate/guided.h"
#include "generate/shape.h"
#include "test_core.h"
#include "test_models.h"

static struct arena arena;
static struct diags diags;

static const struct source *open_model(void *state, const char *name) {
  (void)state;
  const char *path = arena_printf(&arena, "models/%s", name);
  FILE *file = fopen(path, "rb");
  char *text = arena_alloc(&arena, 1 << 17);
  assert_non_null(file);
  size_t length = fread(text, 1, 1 << 17, file);
  fclose(file);
  struct source *source = ARENA_NEW(&arena, struct source);
  *source = source_from_text(path, text, length);
  return source;
}

/* Operators that shipped models lack: closures and sets of events under differences and complements, and negated
 * axioms. It is not a realistic model. */
static const char odd[] = "\"Odd\"\n"
                          "let reach = (po | rf)+\n"
                          "let later = (po & loc | co | sc)+\n"
                          "acyclic po & loc | rf | co | fr as Coherent\n"
                          "empty (fr & ext) \\ (reach | reach^-1 | later ; po) as Reached\n"
                          "empty (rf & ext) & ~(~later | ~(reach ; reach)) as Twice\n"
                          "empty [domain(rf & ext) \\ range(co ; [W])] & (id \\ [IW]) as First-Seen\n"
                          "~empty (M * M) \\ (reach | co | fr) as Something\n"
                          "~acyclic po | po^-1 | rf as Around\n";

static const struct model *some_model(struct rng *rng) {
  static const char *const names[][2] = {
      GENERATE_MODELS,
      {"ptx", "G20=acquires"},
      {"ptx", "G2=not-strong"},
  };
  uint32_t chosen = rng_below(rng, ARRAY_LEN(names) + 3);
  struct source *own = ARENA_NEW(&arena, struct source);
  *own = source_from_text("odd.cat", odd, sizeof odd - 1);
  const char *const *name = names[chosen % ARRAY_LEN(names)];
  const struct source *source =
      chosen < ARRAY_LEN(names) ? open_model(NULL, arena_printf(&arena, "%s.cat", name[0])) : own;
  const struct model *model =
      model_read(&arena, &diags, source, chosen < ARRAY_LEN(names) ? name[1] : NULL, open_model, NULL);
  assert_non_null(model);
  return model;
}

/* A mutant of the model for drafts: without an axiom, or with an operator replaced by one of its operands. */
static const struct model *mutant(struct rng *rng, const struct model *whole) {
  struct model *m = ARENA_NEW(&arena, struct model);
  const struct model *model = quick_model(quick_new(&arena, whole));
  *m = *model;
  m->nodes.data = ARENA_ARRAY(&arena, struct cat_expr, m->nodes.len);
  memcpy(m->nodes.data, model->nodes.data, m->nodes.len * sizeof *m->nodes.data);
  m->axioms.data = ARENA_ARRAY(&arena, struct cat_axiom, m->axioms.len);
  memcpy(m->axioms.data, model->axioms.data, m->axioms.len * sizeof *m->axioms.data);
  if (rng_below(rng, 5) == 0) {
    uint32_t gone = (uint32_t)rng_below(rng, m->axioms.len);
    if (m->axioms.data[gone].role == CAT_AXIOM) m->axioms.data[gone].role = CAT_FLAG;
    return m;
  }
  for (uint32_t tries = 0; tries < 1000; tries++) {
    cat_node node = (cat_node)rng_below(rng, m->nodes.len);
    struct cat_expr *x = &m->nodes.data[node];
    bool two = x->op == CAT_UNION || x->op == CAT_INTER || x->op == CAT_DIFF || x->op == CAT_SEQ;
    if (!two && x->op != CAT_PLUS) continue;
    cat_node kept = two && x->op != CAT_DIFF && rng_below(rng, 2) ? x->b : x->a;
    x->op = CAT_UNION;
    x->a = x->b = kept;
    break;
  }
  return m;
}

static void some_menu(struct rng *rng, struct generate_ask *ask) {
  static const char *const menus[] = {"ld,st,fence",
                                      "ld.weak,ld.acquire,st.weak,st.release,fence.sc,fence.acq_rel",
                                      "ld.weak,st.weak,atom.relaxed,atom.acq_rel,red.relaxed",
                                      "ld.relaxed,st.relaxed,atom.cas.relaxed,red.release,fence.sc",
                                      "ld.weak,st.weak,bar.sync",
                                      "ld.weak,st.relaxed,bar.sync,fence.sc",
                                      "ld.weak,st.weak,fence.sc",
                                      "ld.relaxed,st.relaxed,red.relaxed"};
  static const char *const proxies[] = {NULL, NULL, "alias", "surface"};
  static const char *const dependencies[] = {NULL, NULL, "data,ctrl,addr", "data"};
  static const char *const scopes[] = {"cta,gpu,sys", "gpu", "cta,gpu"};
  static const char *const placements[] = {"cta,gpu", "gpu", "cta,cluster,gpu,sys"};
  struct generate_words words = {menus[rng_below(rng, ARRAY_LEN(menus))], proxies[rng_below(rng, 4)],
                                 scopes[rng_below(rng, 3)], placements[rng_below(rng, 3)],
                                 dependencies[rng_below(rng, 4)]};
  *ask = (struct generate_ask){.threads = 4, .locations = 2 + (uint32_t)rng_below(rng, 2), .wide = !rng_below(rng, 4)};
  assert_true(generate_read(&arena, &diags, &words, ask));
  if (getenv("GUIDED_SEED"))
    printf("%s %s %s %s %s\n", words.instructions, words.proxies ? words.proxies : "", words.scopes, words.placements,
           words.dependencies ? words.dependencies : "");
}

struct one_by_one {
  struct generate_judge judges[2];
  uint64_t looked_at, most;
  uint32_t whole;     /* all tests of so many events have been looked at */
  struct draft found; /* the first test on which the models differ, and the model that allows it */
  bool apart[2];
};

static bool is_told_the_same(void *state, const struct draft *d) {
  struct one_by_one *o = state;
  enum verdict a = judge_draft(&o->judges[0], d), b = judge_draft(&o->judges[1], d);
  o->whole = draft_size(d) - 1;
  if (a == b) return ++o->looked_at < o->most;
  o->found = *d;
  o->apart[a == VERDICT_FORBIDDEN] = true;
  return false;
}

/* Checks that generate_all makes this draft, up to the order of threads. */
static void is_generated(const struct generate_ask *ask, const struct draft *d, uint32_t events) {
  assert_int_equal(draft_size(d), events);
  assert_true(generate_is_sensible(d, false) && generate_places_matter(d, ask->wide ? 0 : ask->scopes));
  assert_false(draft_interleaves(d));
  for (uint32_t t = 0; t < d->thread_count; t++) assert_true(draft_fits(d, t, ask->placements));
}

/* Checks that a test of this size, allowed by a and forbidden by b, exists or not. */
static void expect(const struct one_by_one *o, const struct generate_ask *ask, uint32_t events, bool swapped, bool is) {
  struct guided_count count = {0};
  struct text text = {.arena = &arena};
  const struct generate_judge *a = &o->judges[swapped], *b = &o->judges[!swapped];
  struct draft d = o->found;
  bool found = guided_search(&arena, ask, events, a, b, &count, &d);
  if (found) is_generated(ask, &d, events);
  if (found == is) return;
  draft_print(&d, "draft", NULL, &text);
  fail_msg("%s and %s, %u events: one is %sfound\n%s", a->model->name, b->model->name, events, is ? "not " : "",
           text_str(&text));
}

static void compare_once(struct rng *rng, uint64_t most, uint32_t counts[2]) {
  struct arena_mark mark = arena_mark(&arena);
  const struct check_options options = {.shape = {0}};
  const struct model *a = some_model(rng), *b = rng_below(rng, 3) ? mutant(rng, a) : some_model(rng);
  struct one_by_one o = {{judge_new(&arena, a, &options), judge_new(&arena, b, &options)}, .most = most};
  struct generate_ask ask;
  some_menu(rng, &ask);
  assert_true(shape_can(&ask));
  ask.events = 4;
  generate_all(&ask, is_told_the_same, &o);
  bool found = o.apart[0] || o.apart[1];
  if (!found && o.looked_at < most) o.whole = ask.events;
  for (uint32_t events = 1; events <= o.whole; events++)
    for (uint32_t swapped = 0; swapped < 2; swapped++) expect(&o, &ask, events, swapped, false);
  if (found) expect(&o, &ask, draft_size(&o.found), o.apart[1], true);
  counts[found]++;
  arena_rewind(&arena, mark);
}

/* ---- The programs of a shape ---- */

static void add_choices(struct program_shape *s, const lit *lits, uint32_t count, lit *clause, uint32_t *length) {
  for (uint32_t i = 0; i < count; i++)
    if (lits[i] != LIT_FALSE && lits[i] != LIT_TRUE)
      clause[(*length)++] = sat_value(s->sat, lits[i]) ? -lits[i] : lits[i];
}

static void exclude_solution(struct program_shape *s) {
  uint32_t length = 0, threads = s->sizes.thread_count;
  lit clause[2000];
  for (uint32_t i = 0; i < s->slots; i++) {
    add_choices(s, s->what[i], s->forms.len, clause, &length);
    add_choices(s, s->at[i], s->locations, clause, &length);
    add_choices(s, s->dep[i], DRAFT_ADDR + 1, clause, &length);
    add_choices(s, s->source[i], s->slots + 1, clause, &length);
    add_choices(s, &s->last[i], 1, clause, &length);
  }
  for (uint32_t t = 0; t < threads; t++)
    for (uint32_t u = 0; u < t; u++) add_choices(s, s->near[t][u], SCOPE_SYS + 1, clause, &length);
  sat_clause(s->sat, clause, length);
}

struct counted {
  struct generate_ask ask;
  struct draft_set solved, generated;
};

/* A draft may repeat: a red's source is unobservable. */
static bool solve_sizes(void *state, const struct draft *sizes) {
  struct counted *c = state;
  struct program_shape shape;
  shape_init(&shape, &arena, sat_new(&arena, false), &c->ask, sizes);
  shape_leave_out(&shape);
  while (sat_solve(shape.sat) == SAT_YES) {
    struct draft d;
    shape_draft(&shape, &d);
    exclude_solution(&shape);
    if (!draft_interleaves(&d) && !generate_is_known(&c->solved, &d)) generate_know(&arena, &c->solved, &d);
  }
  return true;
}

static bool is_solved(void *state, const struct draft *d) {
  struct counted *c = state;
  generate_know(&arena, &c->generated, d);
  if (generate_is_known(&c->solved, d)) return true;
  struct text text = {.arena = &arena};
  draft_print(d, "draft", NULL, &text);
  fail_msg("no solution is\n%s", text_str(&text));
  return false;
}

static void solutions_are_what_is_generated(void **state) {
  static const struct generate_words words[] = {
      {"ld.weak,st.weak,fence.sc,fence.acq_rel", NULL, "gpu", "gpu", "data"},
      {"ld.weak,st.weak,bar.sync", NULL, "gpu", "cta,gpu", NULL},
      {"st.weak,atom.relaxed,red.relaxed", NULL, "cta", "cta,cluster", "ctrl"},
      {"ld.weak,st.weak", "alias", "gpu", "gpu", "addr"},
      {"st.weak", NULL, "gpu", "gpu", NULL},
  };
  static const struct generate_ask sizes_of[] = {{.events = 3, .threads = 3, .locations = 2},
                                                 {.events = 4, .threads = 2, .locations = 1},
                                                 {.events = 3, .threads = 3, .locations = 2},
                                                 {.events = 3, .threads = 3, .locations = 2},
                                                 {.events = 4, .threads = 4, .locations = 2}};
  (void)state;
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  for (uint32_t i = 0; i < ARRAY_LEN(words); i++) {
    struct counted c = {.ask = sizes_of[i]};
    struct draft sizes = {0};
    assert_true(generate_read(&arena, &diags, &words[i], &c.ask));
    for (uint32_t events = 1; events <= c.ask.events; events++)
      draft_each_size(&sizes, c.ask.threads, events, DRAFT_LENGTH, solve_sizes, &c);
    generate_all(&c.ask, is_solved, &c);
    assert_true(c.generated.keys.len > 10);
    assert_int_equal(c.solved.keys.len, c.generated.keys.len);
  }
  arena_release(&arena);
}

static void the_solver_finds_what_there_is(void **state) {
  const char *rounds = getenv("GUIDED_ROUNDS"), *seed = getenv("GUIDED_SEED");
  struct rng rng;
  uint32_t counts[2] = {0};
  (void)state;
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  rng = (struct rng){seed ? strtoull(seed, NULL, 10) : 1};
  for (uint32_t i = rounds ? (uint32_t)strtoul(rounds, NULL, 10) : 18; i; i--)
    compare_once(&rng, rounds ? 20000 : 3000, counts);
  if (seed) printf("%u equal, %u apart\n%u passed, 0 failed\n", counts[0], counts[1], counts[0] + counts[1]);
  arena_release(&arena);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(solutions_are_what_is_generated),
      cmocka_unit_test(the_solver_finds_what_there_is),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
