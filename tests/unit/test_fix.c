/* Tests of `fix`: each reported change is made in the text of the test, and the changed test must be as promised. */
#include <glob.h>

#include "repair/fix.h"
#include "api/session.h"

#include "unit.h"

static struct ptxlit *new_session(void) {
  struct ptxlit *s = ptxlit_new();
  assert_non_null(s);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(ptxlit_use_model(s, "ptx"), PTXLIT_OK);
  return s;
}

/* ---- Patches: a range of the text is replaced ---- */

struct patch {
  size_t at, cut;
  const char *with;
};

struct patches {
  struct patch list[64];
  size_t count;
};

static void add_patch(struct patches *p, size_t at, size_t cut, const char *with) {
  assert_true(p->count < 64);
  p->list[p->count++] = (struct patch){at, cut, with};
}

/* Last place first and, at one place, last addition first, so that additions end up in order. */
static const char *patched(struct arena *in, const char *text, struct patches *p) {
  const char *out = arena_strdup(in, text);
  for (size_t left = p->count; left; left--) {
    size_t last = 0;
    for (size_t i = 1; i < left; i++)
      if (p->list[i].at >= p->list[last].at) last = i;
    struct patch patch = p->list[last];
    for (size_t i = last; i + 1 < left; i++) p->list[i] = p->list[i + 1];
    out = arena_printf(in, "%.*s%s%s", (int)patch.at, out, patch.with, out + patch.at + patch.cut);
  }
  return out;
}

/* Rows of one thread, for each of the instructions, which "; " separates. */
static const char *rows(struct arena *in, const struct program *program, uint32_t thread, const char *instrs) {
  const char *out = "";
  while (*instrs) {
    const char *end = strstr(instrs, "; ");
    int length = end ? (int)(end - instrs) : (int)strlen(instrs);
    for (uint32_t t = 0; t < program->thread_count; t++)
      out = arena_printf(in, "%s%s%.*s", out, t ? " | " : " ", t == thread ? length : 0, instrs);
    out = arena_printf(in, "%s ;\n", out);
    instrs += length + (end ? 2 : 0);
  }
  return out;
}

/* Shipped tests have a row on each line. */
static size_t next_line(const char *text, size_t at) { return at + strcspn(text + at, "\n") + 1; }

static size_t gap_after(const struct program *program, uint32_t thread, uint32_t instr) {
  const char *text = program->source->text;
  if (instr == FIX_AT_START) return next_line(text, program->threads[thread].span.begin);
  return next_line(text, program->threads[thread].instrs[instr].span.begin);
}

static void add_change(struct arena *in, struct patches *p, const struct program *program, const struct fix_change *c) {
  bool instr = c->kind != FIX_ADD && c->kind != FIX_DECLARE;
  struct span span = instr ? program->threads[c->thread].instrs[c->instr].span : c->span;
  size_t length = span.end - span.begin;
  switch (c->kind) {
    case FIX_KEEP: return;
    case FIX_DECLARE:
    case FIX_REPLACE: add_patch(p, span.begin, length, c->after); return;
    case FIX_DROP: add_patch(p, span.begin, length, ""); return;
    case FIX_ADD:
      add_patch(p, gap_after(program, c->thread, c->instr), 0, rows(in, program, c->thread, c->after));
      return;
    case FIX_MOVE:
      add_patch(p, span.begin, length, "");
      add_patch(p, gap_after(program, c->thread, c->target), 0, rows(in, program, c->thread, c->before));
      return;
  }
}

/* ---- The changed test ---- */

enum { MOST_WORK = 1000000 }; /* of one search; a limit of time would let the machine decide what is found */

/* The first test, under the first model. */
static struct fix_input input_of(struct ptxlit *s) {
  const struct input_test *read = &s->tests.data[0];
  static const struct check_options options = {0};
  return (struct fix_input){.test = read->ast,
                            .program = read->program,
                            .lowering = &read->lowering,
                            .names = read->names,
                            .model = s->models.data[0].model,
                            .options = &options,
                            .work = MOST_WORK};
}

static struct fixes find(struct ptxlit *s, bool weaken, bool races) {
  struct fix_input input = input_of(s);
  input.races = races;
  struct fixes fixes;
  fix_find(&s->input, &input, weaken, &fixes);
  return fixes;
}

static struct result check_text(struct ptxlit *s, const char *file, const char *text, bool races) {
  assert_int_equal(ptxlit_read_text(s, file, text, strlen(text)), PTXLIT_OK);
  struct check_options options = {.verdict_only = true, .races = races};
  struct result result;
  check(&s->input, s->tests.data[0].program, s->models.data[0].model, &options, &result);
  return result;
}

static bool can_happen(const struct result *r) {
  return r->program->quantifier == LITMUS_FORALL ? r->negative > 0 : r->positive > 0;
}

static void require(struct ptxlit *s, const struct fixes *fixes, const char *file, const struct fix_change *changes,
                    uint32_t count) {
  struct patches patches = {.count = 0};
  const struct program *program = fixes->result->program;
  for (uint32_t i = 0; i < count; i++) add_change(&s->input, &patches, program, &changes[i]);
  const char *text = patched(&s->input, program->source->text, &patches);
  struct ptxlit *other = new_session();
  struct result r = check_text(other, file, text, fixes->goal == FIX_RACES);
  bool decided = r.verdict == VERDICT_ALLOWED || r.verdict == VERDICT_FORBIDDEN || r.verdict == VERDICT_SAFE;
  if (fixes->goal == FIX_SAFE) decided = r.verdict == VERDICT_SAFE;
  if (!decided) fail_msg("%s is %s after the change:\n%s", file, verdict_name(r.verdict), text);
  if (fixes->goal == FIX_FORBID && can_happen(&r)) fail_msg("%s can happen after the change:\n%s", file, text);
  if (fixes->goal == FIX_RACES && r.raised.len) fail_msg("%s races after the change:\n%s", file, text);
  if (r.deadlock.found && !fixes->result->deadlock.found) fail_msg("%s blocks after the change:\n%s", file, text);
  ptxlit_free(other);
}

static unsigned verify(const char *file, bool weaken, bool races) {
  struct ptxlit *s = new_session();
  unsigned ways = 0;
  assert_int_equal(ptxlit_read_file(s, file), PTXLIT_OK);
  struct fixes fixes = find(s, weaken, races);
  if (!weaken && fixes.outcome == FIX_FOUND) assert_true(fixes.ways.len > 0);
  for (uint32_t i = 0; i < fixes.ways.len; i++, ways++)
    require(s, &fixes, file, fixes.ways.data[i].changes.data, fixes.ways.data[i].changes.len);
  if (fixes.together.changes.len)
    require(s, &fixes, file, fixes.together.changes.data, fixes.together.changes.len), ways++;
  ptxlit_free(s);
  return ways;
}

static unsigned verify_all(const char *pattern, bool weaken, bool races) {
  glob_t files;
  unsigned ways = 0;
  assert_int_equal(glob(pattern, 0, NULL, &files), 0);
  for (size_t i = 0; i < files.gl_pathc; i++) ways += verify(files.gl_pathv[i], weaken, races);
  globfree(&files);
  return ways;
}

TEST(every_way_does_it) {
  static const char *const themes[] = {"acquire-release", "aliases",  "barriers", "classic", "cluster",
                                       "fences",          "multimem", "proxies",  "scopes",  "mixed-size",
                                       "volatile-mmio",   "warp",     "vectors"};
  for (size_t i = 0; i < sizeof themes / sizeof themes[0]; i++) {
    char pattern[64];
    snprintf(pattern, sizeof pattern, "litmus/%s/*.litmus", themes[i]);
    unsigned ways = verify_all(pattern, false, false);
    /* the mixed-size tests need no fix or have none */
    if (ways == 0 && strcmp(themes[i], "mixed-size") != 0) fail_msg("no way to fix anything in %s", themes[i]);
  }
}

TEST(what_is_weaker_keeps_it) {
  assert_true(verify_all("litmus/barriers/*.litmus", true, false) > 0);
  assert_true(verify_all("litmus/cluster/*.litmus", true, false) > 0);
  assert_true(verify_all("litmus/fences/*.litmus", true, false) > 0);
}

TEST(races_are_removed) { assert_true(verify_all("litmus/scopes/*.litmus", false, true) > 0); }

/* ---- Its limits ---- */

TEST(nothing_wrong_counts) {
  /* A barrier in the loop would block; one before the flag would make it spin for ever. */
  static const char spin[] =
      "PTX spin\n{ x=0; f=0; }\n P0@cta 0 | P1@cta 0 ;\n st.weak x, 1 | L: ld.relaxed.cta r0, f ;\n"
      " st.relaxed.cta f, 1 | bne r0, 1, L ;\n | ld.weak r1, x ;\nexists (1:r1=0)\n";
  struct ptxlit *s = new_session();
  assert_int_equal(ptxlit_read_text(s, "spin", spin, strlen(spin)), PTXLIT_OK);
  struct fixes fixes = find(s, false, false);
  assert_int_equal(fixes.outcome, FIX_FOUND);
  for (uint32_t i = 0; i < fixes.ways.len; i++)
    require(s, &fixes, "spin", fixes.ways.data[i].changes.data, fixes.ways.data[i].changes.len);
  /* An impossible outcome needs no strength. */
  static const char never[] = "PTX never\n{ x=0; }\n P0@cta 0 ;\n st.release.sys x, 1 ;\nexists (x=7)\n";
  assert_int_equal(ptxlit_read_text(s, "never", never, strlen(never)), PTXLIT_OK);
  assert_int_equal(find(s, true, false).outcome, FIX_VACUOUS);
  assert_int_equal(find(s, false, false).outcome, FIX_VACUOUS);
  /* A test with an unmodelled instruction has no fixes. */
  assert_int_equal(ptxlit_read_file(s, "docs/examples/discard.litmus"), PTXLIT_OK);
  assert_int_equal(find(s, false, false).outcome, FIX_UNDECIDED);
  ptxlit_free(s);
}

/* The work of a search is counted, and the same in every run. */
TEST(work_is_counted) {
  uint64_t work[2], tried[2];
  for (size_t i = 0; i < ARRAY_LEN(work); i++) {
    struct ptxlit *s = new_session();
    assert_int_equal(ptxlit_read_file(s, "litmus/classic/MP.litmus"), PTXLIT_OK);
    const struct fixes fixes = find(s, false, false);
    work[i] = fixes.work;
    tried[i] = fixes.tried;
    assert_true(fixes.work > 0);
    ptxlit_free(s);
  }
  assert_int_equal(work[0], work[1]);
  assert_int_equal(tried[0], tried[1]);
}

/* A search begins from the finding that the user saw, and not from the one that a quick check finds first. */
TEST(begins_from_what_is_shown) {
  static const char races[] = "PTX two\n{ x=0; y=0; }\n P0@cta 0 | P1@cta 0 ;\n st.weak x, 1 | ld.weak r0, x ;\n"
                              " st.weak y, 1 | ld.weak r1, y ;\nsafe\n";
  struct ptxlit *s = new_session();
  assert_int_equal(ptxlit_read_text(s, "two", races, strlen(races)), PTXLIT_OK);
  const struct input_test *read = &s->tests.data[0];
  static const struct check_options options = {0};
  struct result shown;
  check(&s->input, read->program, s->models.data[0].model, &options, &shown);
  assert_int_equal(shown.findings.len, 2);
  for (uint32_t first = 0; first < 2; first++) {
    const struct safety_finding finding = shown.findings.data[first];
    struct result one = shown;
    struct fixes fixes;
    one.findings.data = (struct safety_finding *)&finding;
    one.findings.len = 1;
    struct fix_input input = input_of(s);
    input.shown = &one;
    fix_find(&s->input, &input, false, &fixes);
    assert_int_equal(fixes.result->findings.data[0].instr_a, finding.instr_a);
    assert_int_equal(fixes.outcome, FIX_FOUND);
  }
  ptxlit_free(s);
}

TEST(sizes_and_ranks) {
  struct ptxlit *s = new_session();
  assert_int_equal(ptxlit_read_file(s, "litmus/cluster/MP+barrier.cluster.relaxed.litmus"), PTXLIT_OK);
  struct fix_input input = input_of(s);
  input.changes = FIX_CHANGES;
  struct fixes fixes;
  fix_find(&s->input, &input, false, &fixes);
  assert_true(fixes.ways.len > 2);
  assert_int_equal(fixes.ways.data[0].size, 1);
  for (uint32_t i = 1; i < fixes.ways.len; i++) {
    const struct fix_way *a = &fixes.ways.data[i - 1], *b = &fixes.ways.data[i];
    assert_true(a->size < b->size || (a->size == b->size && a->cost <= b->cost));
  }
  assert_true(fixes.ways.data[fixes.ways.len - 1].size > 1);
  ptxlit_free(s);
}

int main(void) { return run_each(NULL, NULL); }
