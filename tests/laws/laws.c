/* Laws between models, and between a test and a changed one: docs/models.md states them.
 *
 *   laws [--seed N] [--from I] [--count N] [--seconds S] [--shard K/N] [--timeout S] [--model-dir DIR] [--table]
 * [FILE...]
 *
 * Without files, tests I .. I+N-1 of the seed are generated as by tests/diff/differ (with --seconds as many as that
 * time allows), and of the changes to a test some are tried; on files, all. A law that is broken is printed with the
 * test, made small when it was generated. With --table every law must have been of use: an inclusion strict on some
 * test, which is named; the table is printed in Markdown. Exit status: 0; 1 when a law is broken; 2 usage.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../diff/lab.h"
#include "../diff/shrink.h"
#include "changes.h"
#include "search/check.h"

enum { PTX, PTX_75, PTX_60, SC, TSO, COHERENCE, MODELS };

static const char model_names[] = "ptx,ptx-7.5,ptx-6.0,sc,tso,coherence";

/* Every outcome of the left model is one of the right. */
static const struct {
  int strong, weak;
} inclusions[] = {{SC, TSO}, {TSO, PTX_60}, {TSO, COHERENCE}, {PTX_60, PTX_75}, {PTX_75, PTX}};

/* Axioms that follow from the others: without them the outcomes are the same. */
static const struct {
  int model;
  const char *axiom;
} implied[] = {
    {PTX, "SC-per-Location-8.10.5"}, {PTX_75, "SC-per-Location-8.10.5"}, {PTX, "Fence-SC-8.10.2"},
    {PTX, "Time-8.9.1.1"},           {PTX_75, "Fence-SC-8.10.2"},        {PTX_60, "Fence-SC-8.10.2"},
};

struct options {
  uint64_t seed, from, count, shard, shards;
  double seconds, timeout;
  const char *model_dir;
  bool table;
  char **files;
  int file_count;
};

/* How a law fared. */
struct row {
  const char *law;
  bool equality;      /* the two sides must be the same */
  const char *strict; /* the first test on which an inclusion was strict; NULL: none */
  uint64_t compared, strict_count, broken;
};

struct bench {
  struct options options;
  struct lab lab;
  struct arena arena;
  VEC(struct row) rows;
  uint64_t tests, open;
  const char *only; /* while shrinking: the law that must stay broken */
  bool shrinking, broke;
};

/* ---- comparing */

static bool decided(const struct result *r) {
  return (r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN) && r->complete;
}

/* True if as many iterations of loops were looked at for `r` as for the other result. */
static bool reaches(const struct result *r, const struct result *other) {
  return !r->bounded || r->bound_settled || (other->bounded && !other->bound_settled && other->bound <= r->bound);
}

static bool has_outcome(const struct result *r, const value_t *values) {
  for (uint32_t i = 0; i < r->outcomes.len; i++)
    if (outcome_order(r->program, outcomes_at(&r->outcomes, i).values, values) == 0) return true;
  return false;
}

/* Whether `a` has an outcome that `b` has not. */
static bool extra_outcome(const struct result *a, const struct result *b, struct outcome *extra) {
  for (uint32_t i = 0; i < a->outcomes.len; i++) {
    *extra = outcomes_at(&a->outcomes, i);
    if (!has_outcome(b, extra->values)) return true;
  }
  return false;
}

static struct row *row_of(struct bench *b, const char *law, bool equality) {
  for (uint32_t i = 0; i < b->rows.len; i++)
    if (strcmp(b->rows.data[i].law, law) == 0) return &b->rows.data[i];
  struct row row = {.law = arena_printf(&b->arena, "%s", law), .equality = equality};
  VEC_PUSH(&b->arena, &b->rows, row);
  return &b->rows.data[b->rows.len - 1];
}

static void print_outcome(const struct result *r, const struct outcome *outcome, struct arena *arena) {
  struct text text = {.arena = arena};
  for (uint32_t i = 0; i < r->program->observed_count; i++) {
    text_printf(&text, " %s=", r->program->observables[i].name);
    text_value(&text, outcome->values[i], r->program->observables[i].type.width, false);
    text_char(&text, ';');
  }
  printf("%s\n", text_str(&text));
}

static void complain(struct bench *b, struct arena *arena, const struct result *strong, const struct result *weak,
                     const char *law, const char *what) {
  b->broke = true;
  if (b->shrinking) return;
  struct outcome extra;
  printf("FAIL %s: %s%s%s\n", strong->program->name, law, *what ? ": " : "", what);
  printf("  %s is %s, %s is %s\n", strong->model->name, verdict_name(strong->verdict), weak->model->name,
         verdict_name(weak->verdict));
  if (extra_outcome(strong, weak, &extra)) {
    printf("  only on the left:");
    print_outcome(strong, &extra, arena);
  }
  if (extra_outcome(weak, strong, &extra)) {
    printf("  only on the right:");
    print_outcome(weak, &extra, arena);
  }
}

struct law {
  const char *name;
  bool equality;
  bool undefined_too; /* a program undefined on the left is so on the right */
};

/* The outcomes of `strong` must be among those of `weak`. `what` was done to the test, if anything. */
static void compare(struct bench *b, struct arena *arena, struct law law, const struct result *strong,
                    const struct result *weak, const char *what) {
  if (b->only && strcmp(b->only, law.name) != 0) return;
  struct row *row = row_of(b, law.name, law.equality);
  if (law.undefined_too && strong->verdict == VERDICT_UNDEFINED) {
    bool kept = weak->verdict == VERDICT_UNDEFINED || weak->verdict == VERDICT_UNKNOWN;
    if (!kept) row->broken++, complain(b, arena, strong, weak, law.name, what);
    return;
  }
  bool comparable = reaches(weak, strong) && (!law.equality || reaches(strong, weak));
  if (!decided(strong) || !decided(weak) || !comparable) {
    b->open++;
    return;
  }
  row->compared++;
  struct outcome extra;
  bool more = extra_outcome(weak, strong, &extra);
  if (extra_outcome(strong, weak, &extra) || (more && law.equality)) {
    row->broken++;
    complain(b, arena, strong, weak, law.name, what);
  }
  if (!more) return;
  row->strict_count++;
  if (!row->strict) row->strict = arena_printf(&b->arena, "%s", strong->program->name);
}

/* ---- the laws of one test */

struct subject {
  struct bench *bench;
  struct arena *arena;
  const struct program *program;
  uint32_t unroll;
  uint64_t choice; /* which of the changes to try, where `all` is not set */
  bool all;
  struct result base[MODELS];
};

static struct result run(const struct subject *s, const struct program *program, const struct model *model) {
  struct check_options options = {.shape = {.unroll = s->unroll}, .timeout = s->bench->lab.timeout};
  struct result result = {0};
  check(s->arena, program, model, &options, &result);
  return result;
}

static const struct model *model_of(const struct subject *s, int m) { return s->bench->lab.models.data[m]; }

/* ldmatrix or stmatrix of several lanes, which are one operation under ptx alone (B10). */
static bool has_rows_of_lanes(const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct instr *in = &program->threads[t].instrs[i];
      if (in->kind == INSTR_BARRIER && in->barrier->kind == BARRIER_LANES && in->barrier->action == BARRIER_ARRIVE)
        return true;
    }
  return false;
}

static void laws_between_models(struct subject *s) {
  const bool rows = has_rows_of_lanes(s->program);
  for (size_t i = 0; i < ARRAY_LEN(inclusions); i++) {
    int strong = inclusions[i].strong, weak = inclusions[i].weak;
    if (rows && weak == PTX) continue;
    const char *name = arena_printf(s->arena, "%s is within %s", model_of(s, strong)->name, model_of(s, weak)->name);
    compare(s->bench, s->arena, (struct law){.name = name}, &s->base[strong], &s->base[weak], "");
  }
  if (change_is_plain(s->program))
    compare(s->bench, s->arena,
            (struct law){.name = "ptx-6.0 is ptx-7.5 without proxies and aliases", .equality = true}, &s->base[PTX_60],
            &s->base[PTX_75], "");
}

/* What the file promises of silent updates it promises with all of its axioms: without Total-Coherence, an atomic that
 * writes back what it read may be the last write. */
static struct model *model_without(struct arena *arena, const struct model *model, uint32_t axiom) {
  struct model *weaker = ARENA_NEW(arena, struct model);
  *weaker = *model;
  weaker->ignores_silent_updates = false;
  weaker->axioms.data = ARENA_ARRAY(arena, struct cat_axiom, model->axioms.len);
  weaker->axioms.len = 0;
  for (uint32_t i = 0; i < model->axioms.len; i++)
    if (i != axiom) weaker->axioms.data[weaker->axioms.len++] = model->axioms.data[i];
  return weaker;
}

static bool is_implied(int m, const char *axiom) {
  for (size_t i = 0; i < ARRAY_LEN(implied); i++)
    if (implied[i].model == m && strcmp(implied[i].axiom, axiom) == 0) return true;
  return false;
}

/* A comparison with a side that is not decided says nothing: the other side is then not looked for.
 *
 * Dropping an axiom never removes an outcome. On a generated test brute force must say the same of the rest. */
static void law_of_axiom(struct subject *s, int m, uint32_t axiom) {
  const struct model *model = model_of(s, m);
  const char *axiom_name = model->axioms.data[axiom].name;
  bool same = is_implied(m, axiom_name);
  const char *name = arena_printf(s->arena, same ? "%s is %s without %s" : "%s is within %s without %s", model->name,
                                  model->name, axiom_name);
  const struct model *weaker = model_without(s->arena, model, axiom);
  bool counts = decided(&s->base[m]) || s->base[m].verdict == VERDICT_UNDEFINED;
  struct result weak = counts ? run(s, s->program, weaker) : s->base[m];
  compare(s->bench, s->arena, (struct law){.name = name, .equality = same, .undefined_too = true}, &s->base[m], &weak,
          "");
  if (s->all || s->choice % 4 != 0) return;
  const char *twice = arena_printf(s->arena, "brute force agrees on %s less an axiom", model->name);
  if (s->bench->only && strcmp(s->bench->only, twice) != 0) return;
  struct text why = {.arena = s->arena};
  struct row *row = row_of(s->bench, twice, true);
  enum agreement agreement =
      lab_compare(&s->bench->lab, s->arena, s->program, weaker, (struct lab_plan){.unroll = s->unroll}, &why);
  row->compared += agreement == AGREE;
  if (agreement != DISAGREE) return;
  row->broken++;
  s->bench->broke = true;
  if (!s->bench->shrinking) printf("FAIL %s: %s, %s\n%s", s->program->name, twice, axiom_name, text_str(&why));
}

static void laws_of_axioms(struct subject *s) {
  for (int m = 0; m < MODELS; m++) {
    const struct model *model = model_of(s, m);
    uint32_t count = 0, wanted;
    for (uint32_t i = 0; i < model->axioms.len; i++) count += model->axioms.data[i].role == CAT_AXIOM;
    wanted = (uint32_t)(s->choice % count);
    for (uint32_t i = 0, at = 0; i < model->axioms.len; i++) {
      if (model->axioms.data[i].role != CAT_AXIOM) continue;
      const struct arena_mark mark = arena_mark(s->arena);
      if (s->all || at == wanted) law_of_axiom(s, m, i);
      arena_rewind(s->arena, mark);
      at++;
    }
  }
}

typedef const struct program *change(struct arena *arena, const struct program *program, uint32_t number,
                                     struct text *what);

static void laws_of_change(struct subject *s, change *apply, const char *law) {
  struct text what = {.arena = s->arena};
  uint32_t count = 0;
  const struct program *changed;
  while (apply(s->arena, s->program, count, &what)) count++;
  for (uint32_t i = 0; i < count; i++) {
    if (!s->all && i != s->choice % count) continue;
    const struct arena_mark mark = arena_mark(s->arena);
    text_init(&what, s->arena);
    changed = apply(s->arena, s->program, i, &what);
    for (int m = 0; m < MODELS; m++) {
      struct result strong = decided(&s->base[m]) ? run(s, changed, model_of(s, m)) : s->base[m];
      /* Places and scopes mean nothing there; to tso, one semantics does: that of fence.sc. */
      bool same = m == SC || m == COHERENCE || (m == TSO && apply == change_bring_nearer);
      const char *name = arena_printf(s->arena, same ? "%s means nothing to %s" : "%s adds no outcome to %s", law,
                                      model_of(s, m)->name);
      compare(s->bench, s->arena, (struct law){.name = name, .equality = same}, &strong, &s->base[m], text_str(&what));
    }
    arena_rewind(s->arena, mark);
  }
}

static void all_laws(struct subject *s) {
  for (int m = 0; m < MODELS; m++) s->base[m] = run(s, s->program, model_of(s, m));
  laws_between_models(s);
  laws_of_axioms(s);
  laws_of_change(s, change_strengthen, "a stronger instruction");
  laws_of_change(s, change_bring_nearer, "a nearer thread");
}

/* ---- tests */

/* False when it is no valid test. */
static bool try_sketch(struct bench *b, const struct sketch *sketch) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct text why = {.arena = &arena};
  struct sketch_view plain = sketch_plain_view();
  const char *text = sketch_print(&arena, sketch, &plain);
  struct subject s = {.bench = b, .arena = &arena, .unroll = sketch->unroll, .choice = sketch->index};
  s.program = lab_read(&arena, "generated.litmus", text, strlen(text), true, &why);
  if (s.program) all_laws(&s);
  bool valid = s.program != NULL;
  arena_release(&arena);
  return valid;
}

static bool still_broken(void *state, const struct sketch *sketch) {
  struct bench *b = state;
  b->broke = false;
  return try_sketch(b, sketch) && b->broke;
}

static void show_small(struct bench *b, const struct sketch *sketch) {
  struct bench small = *b;
  struct arena arena;
  arena_init(&arena, NULL);
  arena_init(&small.arena, NULL);
  VEC(struct row) none = {0};
  memcpy(&small.rows, &none, sizeof none);
  small.shrinking = true;
  for (uint32_t i = 0; i < b->rows.len && !small.only; i++)
    if (b->rows.data[i].broken) small.only = b->rows.data[i].law;
  struct sketch_view plain = sketch_plain_view();
  struct sketch least = shrink(&arena, *sketch, still_broken, &small);
  printf("made small, for '%s':\n%s\n", small.only, sketch_print(&arena, &least, &plain));
  arena_release(&small.arena);
  arena_release(&arena);
}

static void test_index(struct bench *b, uint64_t index) {
  struct arena arena;
  arena_init(&arena, NULL);
  struct sketch sketch = sketch_random(&arena, b->options.seed, index, false);
  b->broke = false;
  b->tests++;
  try_sketch(b, &sketch);
  if (b->broke) {
    struct sketch_view plain = sketch_plain_view();
    printf("%s  replay: laws --seed %llu --from %llu --count 1\n", sketch_print(&arena, &sketch, &plain),
           (unsigned long long)sketch.seed, (unsigned long long)index);
    show_small(b, &sketch);
  }
  arena_release(&arena);
}

static void test_file(struct bench *b, const char *path) {
  struct arena arena;
  arena_init(&arena, NULL);
  const struct filled_rows rows = lab_read_file(&arena, path);
  const struct source *text = rows.list.len ? rows.list.data[0].source : NULL; /* of a table the first */
  struct text why = {.arena = &arena};
  struct subject s = {.bench = b, .arena = &arena, .all = true};
  if (text) s.program = lab_read(&arena, path, text->text, text->length, true, &why);
  b->tests++;
  if (s.program) all_laws(&s);
  else row_of(b, arena_printf(&arena, "%s cannot be read", path), true)->broken++;
  arena_release(&arena);
}

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void test_indices(struct bench *b) {
  const struct options *o = &b->options;
  double end = now() + o->seconds;
  for (uint64_t i = o->from; o->seconds > 0 ? now() < end : i < o->from + o->count; i++)
    if (i % o->shards == o->shard) test_index(b, i);
}

/* ---- the command line */

static bool read_number(const char *text, uint64_t *number) {
  char *end;
  errno = 0;
  *number = strtoull(text, &end, 10);
  return errno == 0 && end != text && (*end == '\0' || *end == '/');
}

static bool read_option(struct options *o, const char *name, const char *argument) {
  const char *slash = strchr(argument, '/');
  if (strcmp(name, "--seed") == 0) return read_number(argument, &o->seed);
  if (strcmp(name, "--from") == 0) return read_number(argument, &o->from);
  if (strcmp(name, "--count") == 0) return read_number(argument, &o->count);
  if (strcmp(name, "--seconds") == 0) return (o->seconds = strtod(argument, NULL)) > 0;
  if (strcmp(name, "--timeout") == 0) return (o->timeout = strtod(argument, NULL)) > 0;
  if (strcmp(name, "--model-dir") == 0) return (o->model_dir = argument) != NULL;
  if (strcmp(name, "--shard") == 0)
    return slash && read_number(argument, &o->shard) && read_number(slash + 1, &o->shards) && o->shards > o->shard;
  return false;
}

static bool read_options(struct options *o, int argc, char **argv) {
  int at = 1;
  for (; at < argc && strncmp(argv[at], "--", 2) == 0; at++) {
    if (strcmp(argv[at], "--table") == 0) o->table = true;
    else if (at + 1 < argc && read_option(o, argv[at], argv[at + 1])) at++;
    else {
      fprintf(stderr, "laws: bad option or argument: '%s'\n", argv[at]);
      return false;
    }
  }
  o->files = argv + at;
  o->file_count = argc - at;
  return true;
}

static void print_table(struct bench *b) {
  printf("| law | tests | strict on | for example |\n|---|---:|---:|---|\n");
  for (uint32_t i = 0; i < b->rows.len; i++) {
    struct row *row = &b->rows.data[i];
    bool idle = row->compared == 0 || (!row->equality && !row->strict);
    if (idle) row->broken++;
    printf("| %s | %llu | ", row->law, (unsigned long long)row->compared);
    if (row->equality) printf("equal | |\n");
    else printf("%llu | %s |\n", (unsigned long long)row->strict_count, row->strict ? row->strict : "");
    if (idle) printf("FAIL '%s' is of no use on these tests\n", row->law);
  }
}

int main(int argc, char **argv) {
  struct bench b = {.options = {.seed = 1, .count = 100, .shards = 1, .timeout = 5, .model_dir = "models"}};
  if (!read_options(&b.options, argc, argv)) return 2;
  arena_init(&b.arena, NULL);
  struct text why = {.arena = &b.arena};
  if (!lab_open(&b.lab, b.options.model_dir, model_names, b.options.timeout, &why)) {
    fputs(text_str(&why), stderr);
    return 2;
  }
  for (int i = 0; i < b.options.file_count; i++) test_file(&b, b.options.files[i]);
  if (!b.options.file_count) test_indices(&b);
  if (b.options.table) print_table(&b);
  uint64_t passed = 0, failed = 0;
  for (uint32_t i = 0; i < b.rows.len; i++) {
    passed += b.rows.data[i].compared;
    failed += b.rows.data[i].broken;
  }
  if (b.open) printf("SKIPPED %llu: a law on a test that is undefined, unknown or cut off\n",
                     (unsigned long long)b.open);
  printf("%llu tests, %u laws; %llu passed, %llu failed, %llu skipped\n", (unsigned long long)b.tests, b.rows.len,
         (unsigned long long)(passed > failed ? passed - failed : 0), (unsigned long long)failed,
         (unsigned long long)b.open);
  lab_close(&b.lab);
  arena_release(&b.arena);
  return failed > 0;
}
