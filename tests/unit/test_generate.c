/* Tests of generated tests: one of each class of isomorphic ones, and the outcomes of interleavings. */
#include "test_core.h"
#include "test_models.h"

#include "base/rng.h"
#include "generate/generate.h"

/* The same test with its threads in another order, and everything numbered anew. */
static struct draft permuted(const struct draft *d, const uint8_t *order) {
  struct draft other = *d;
  for (uint32_t t = 0; t < d->thread_count; t++) other.threads[t] = d->threads[order[t]];
  draft_normalise(&other);
  return other;
}

struct tally {
  uint32_t drafts, canonical;
};

static bool compare_orders(void *state, const struct draft *d) {
  struct tally *tally = state;
  uint8_t order[DRAFT_THREADS] = {0, 1, 2, 3};
  struct draft_key key, other_key;
  uint32_t canonical = 0;
  draft_least_key(d, &key);
  for (uint32_t a = 0; a < d->thread_count; a++)
    for (uint32_t b = 0; b < d->thread_count; b++) {
      order[a] = (uint8_t)b;
      order[b] = (uint8_t)a;
      struct draft other = permuted(d, order);
      if (a == b) other = *d;
      draft_least_key(&other, &other_key);
      assert_int_equal(other_key.length, key.length);
      assert_memory_equal(other_key.bytes, key.bytes, key.length);
      canonical += draft_is_canonical(&other);
      order[a] = (uint8_t)a;
      order[b] = (uint8_t)b;
    }
  tally->drafts++;
  tally->canonical += canonical > 0;
  assert_false(draft_interleaves(d));
  return true;
}

static void ask_for(struct generate_ask *ask, const char *instructions, uint32_t events) {
  diags_init(&diags, &arena);
  *ask = (struct generate_ask){.events = events, .threads = 3, .locations = 2};
  struct generate_words words = {instructions, "alias", "cta,gpu", "cta,gpu", "data,ctrl"};
  assert_true(generate_read(&arena, &diags, &words, ask));
}

TEST(isomorphic_drafts_have_one_key) {
  struct generate_ask ask;
  struct tally tally = {0};
  arena_init(&arena, NULL);
  ask_for(&ask, "ld,st,atom,fence", 6);
  generate_random(&arena, &ask, 11, 2000, compare_orders, &tally);
  assert_int_equal(tally.drafts, 2000);
  arena_release(&arena);
}

VEC_NAMED(list, struct draft_key);

static bool add_key(void *state, const struct draft *d) {
  struct list *list = state;
  struct draft_key key = {0};
  draft_least_key(d, &key);
  VEC_PUSH(&arena, list, key);
  return true;
}

static int by_bytes(const void *a, const void *b) { return memcmp(a, b, sizeof(struct draft_key)); }

/* Random tests find nothing that is not among all of the size, and all are different. */
TEST(all_are_all) {
  struct generate_ask ask;
  struct list all = {0}, some = {0};
  arena_init(&arena, NULL);
  ask_for(&ask, "ld.relaxed,st.relaxed,fence.sc", 4);
  generate_all(&ask, add_key, &all);
  qsort(all.data, all.len, sizeof(struct draft_key), by_bytes);
  for (uint32_t i = 1; i < all.len; i++) assert_true(by_bytes(&all.data[i - 1], &all.data[i]) != 0);
  generate_random(&arena, &ask, 3, 2000, add_key, &some);
  for (uint32_t i = 0; i < some.len; i++)
    assert_non_null(bsearch(&some.data[i], all.data, all.len, sizeof(struct draft_key), by_bytes));
  arena_release(&arena);
}

/* ---- Verdicts the quick way ---- */

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

enum { MODELS = 14 };

struct verdicts {
  struct generate_judge judges[MODELS];
  uint32_t compared, allowed, forbidden;
};

static bool compare_verdicts(void *state, const struct draft *d) {
  struct verdicts *v = state;
  for (uint32_t i = 0; i < MODELS; i++) {
    enum verdict quick = quick_verdict(v->judges[i].quick, d);
    enum verdict slow = judge_slowly(&v->judges[i], d);
    if (quick != VERDICT_UNKNOWN && quick != slow) {
      struct text text = {.arena = &arena};
      draft_print(d, "draft", NULL, &text);
      fail_msg("%s: %s, and not %s:\n%s", v->judges[i].model->name, verdict_name(slow), verdict_name(quick),
               text_str(&text));
    }
    v->compared += quick != VERDICT_UNKNOWN;
    v->allowed += quick == VERDICT_ALLOWED;
    v->forbidden += quick == VERDICT_FORBIDDEN;
  }
  return true;
}

/* With a read that may return anything, as where a write was left out. */
static bool compare_with_less(void *state, const struct draft *d) {
  for (uint32_t t = 0; t < d->thread_count; t++) {
    struct draft less = *d;
    draft_remove(&less, t, d->threads[t].count / 2);
    if (!draft_asks(&less)) continue;
    draft_normalise(&less);
    compare_verdicts(state, &less);
  }
  return compare_verdicts(state, d);
}

TEST(the_quick_way_says_the_same) {
  static const char *const names[MODELS][2] = {GENERATE_MODELS};
  const struct check_options options = {.shape = {0}};
  const char *const menus[] = {"ld,st,atom,atom.cas,red,fence", "ld,st,bar.sync,fence.sc",
                               "ld.weak,st.weak,red,atom.cas"};
  const char *const proxies[] = {NULL, "alias", "surface,alias"};
  struct verdicts v = {0};
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  for (uint32_t i = 0; i < MODELS; i++) {
    const struct source *source = open_model(NULL, arena_printf(&arena, "%s.cat", names[i][0]));
    const struct model *model = model_read(&arena, &diags, source, names[i][1], open_model, NULL);
    assert_non_null(model);
    v.judges[i] = judge_new(&arena, model, &options);
    assert_non_null(v.judges[i].quick);
  }
  for (uint32_t i = 0; i < 3; i++)
    for (uint32_t p = 0; p < 3; p++) {
      struct generate_ask ask = {.events = 6, .threads = 3, .locations = 2};
      struct generate_words words = {menus[i], proxies[p], "cta,gpu,sys", "cta,cluster,gpu", "data,ctrl,addr"};
      assert_true(generate_read(&arena, &diags, &words, &ask));
      generate_random(&arena, &ask, 3 + i, 60, compare_with_less, &v);
    }
  assert_true(v.compared > 10000 && v.allowed > 1000 && v.forbidden > 1000);
  arena_release(&arena);
}

/* Drafts that map compiles may be longer than generated ones. */
TEST(too_long_a_draft_is_left_to_check) {
  static const struct check_options options;
  struct draft d = {.thread_count = DRAFT_THREADS, .location_count = 1, .last = {DRAFT_FREE}};
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  for (uint32_t t = 0; t < DRAFT_THREADS; t++)
    for (uint8_t i = 0; i < DRAFT_LENGTH; i++)
      d.threads[t].events[d.threads[t].count++] =
          (struct draft_event){.kind = DRAFT_UPDATE, .sem = SEM_RELAXED, .scope = SCOPE_SYS, .writes = i};
  const struct model *model = model_read(&arena, &diags, open_model(NULL, "sc.cat"), NULL, open_model, NULL);
  struct generate_judge judge = judge_new(&arena, model, &options);
  assert_int_equal(quick_verdict(judge.quick, &d), VERDICT_UNKNOWN);
  arena_release(&arena);
}

/* ---- Each predefined set and relation by itself ---- */

/* Programs in which nothing is in one of them. No value comes out of thin air, for which drafts do not look. */
static struct generate_judge judge_without(enum cat_builtin builtin) {
  static const struct check_options options;
  struct source *source = ARENA_NEW(&arena, struct source);
  const char *text = arena_printf(&arena, "\"Without\"\nempty %s as Nothing\nacyclic po | rf as No-Thin-Air\n",
                                 builtin_name(builtin));
  *source = source_from_text("without.cat", text, strlen(text));
  const struct model *model = model_read(&arena, &diags, source, NULL, open_model, NULL);
  assert_non_null(model);
  return judge_new(&arena, model, &options);
}

static bool look_for_it(void *state, const struct draft *d) {
  const struct generate_judge *judge = state;
  enum verdict quick = quick_verdict(judge->quick, d), slow = judge_slowly(judge, d);
  if (quick == slow || quick == VERDICT_UNKNOWN || slow == VERDICT_UNKNOWN) return true;
  struct text text = {.arena = &arena};
  draft_print(d, "draft", NULL, &text);
  fail_msg("%s: %s, and not %s:\n%s", model_node_name(judge->model, judge->model->axioms.data[0].node),
           verdict_name(slow), verdict_name(quick), text_str(&text));
  return false;
}

TEST(each_of_the_predefined_is_the_same) {
  static const char *const menus[] = {"ld,st,atom.cas,red,atom", "ld.weak,st.weak,fence", "ld.weak,st.weak,bar.sync"};
  arena_init(&arena, NULL);
  diags_init(&diags, &arena);
  for (int builtin = 0; builtin < CAT_BUILTIN_COUNT; builtin++) {
    struct arena_mark mark = arena_mark(&arena);
    struct generate_judge judge = judge_without((enum cat_builtin)builtin);
    for (uint32_t i = 0; i < ARRAY_LEN(menus); i++) {
      struct generate_ask ask = {.events = i == 2 ? 4 : 3, .threads = 2, .locations = 2};
      struct generate_words words = {menus[i], "surface,alias", "cta,gpu", "cta,gpu", "data,ctrl,addr"};
      assert_true(generate_read(&arena, &diags, &words, &ask));
      generate_random(&arena, &ask, 1 + (uint64_t)builtin, 12, look_for_it, &judge);
    }
    arena_rewind(&arena, mark);
  }
  arena_release(&arena);
}

int main(void) { return run_each(NULL, NULL); }
