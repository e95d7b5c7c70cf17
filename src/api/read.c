/* Reads tests into a session: their names, expectations and programs. */

#include "kernel/compile.h"
#include "litmus/launch.h"
#include "nvlitmus/nvlitmus.h"
#include "api/session.h"

/* Records the test's name, and reports a second test of that name. */
static void note_name(struct ptxlit *s, struct diags *diags, const struct litmus_test *test) {
  uint64_t hash = hash_bytes(test->name, strlen(test->name));
  HASH_EACH (i, &s->seen_index, hash) {
    const struct seen_name *first = &s->seen.data[i];
    if (strcmp(first->name, test->name) != 0) continue;
    diag_report(diags, DIAG_DUPLICATE_TEST, test->name_span, "a second test named '%s'; the first one is at %s:%u:%u",
                test->name, first->file, first->at.line, first->at.column);
    return;
  }
  const char *name = arena_strdup(&s->session, test->name), *file = arena_strdup(&s->session, test->source->name);
  struct seen_name seen = {name, file, source_position(test->source, test->name_span.begin)};
  HASH_PUSH(&s->session, &s->seen_index, hash, &s->seen, seen);
}

/* Reports expectations for unknown models, because an expectation with a misspelt name would never be compared. */
static void check_models(struct ptxlit *s, struct diags *diags, const struct expectations *expectations) {
  VEC_EACH (wanted, &expectations->list) {
    const char *near;
    if (session_knows_model(s, wanted->model, &near)) continue;
    struct diagnostic *d = diag_report(diags, DIAG_BAD_EXPECTATION, wanted->span,
                                       "the expectation names model '%s', which does not exist", wanted->model);
    if (near) diag_hint(diags, d, "did you mean '%s'?", near);
    else diag_hint(diags, d, "ptxlit --list-models shows those with a name; --model FILE adds one");
  }
}

/* Keeps warnings with the test, since the next call discards messages. */
static void keep_warnings(struct ptxlit *s, const struct diags *diags, struct diags *warnings) {
  diags_init(warnings, &s->input);
  VEC_EACH (d, &diags->list)
    if (diag_code_severity(d->code) == SEVERITY_WARNING) diag_report(warnings, d->code, d->span, "%s", d->message);
}

static void lower_test(struct ptxlit *s, struct diags *diags, struct input_test *test) {
  test->program = lower(&s->input, test->names, diags, test->ast, &test->lowering);
  keep_warnings(s, diags, &test->warnings);
}

/* Reads a test. Errors go to `diags`. False if there is an error: the input then lacks this test. */
static bool read_test(struct ptxlit *s, struct diags *diags, struct intern *names, const struct litmus_test *ast,
                      struct input_test *test) {
  *test = (struct input_test){.ast = ast, .names = names};
  uint32_t before = diags->errors;
  if (!s->options.same_names) note_name(s, diags, ast);
  expect_read(&s->input, diags, ast, &test->expectations);
  check_models(s, diags, &test->expectations);
  test->lowering = (struct lower_options){.all_state = s->options.all_state,
                                          .implicit_locations = s->options.implicit_locations,
                                          .dat3m_barriers = s->options.dat3m_dialect,
                                          .without = without_named(s->options.without)};
  lower_test(s, diags, test);
  if (!test->program || diags->errors > before) return false;
  test->name = test->program->name;
  const struct span at = span_typed(test->program->span);
  test->line = source_position(at.source, at.begin).line;
  return true;
}

static bool add_test(struct ptxlit *s, struct diags *diags, struct intern *names, const struct litmus_test *ast) {
  struct input_test test;
  bool right = read_test(s, diags, names, ast, &test);
  if (right) VEC_PUSH(&s->input, &s->tests, test);
  return right;
}

/* ---- rows of a table */

/* A copy of the test without its program, which session_test makes. */
static struct input_test bare_test(const struct input_test *test) {
  return (struct input_test){
      .name = test->name, .line = test->line, .row = test->row, .command = test->command, .lowering = test->lowering};
}

static struct kernel_options kernel_options(struct ptxlit *s, bool whole) {
  struct kernel_options kernels = {.compiler = s->options.compiler,
                                   .flags = s->options.compiler_flags,
                                   .keep = s->options.keep,
                                   .bounds = &s->bounds,
                                   .unroll = s->options.unroll,
                                   .grid_at_most = s->options.grid_at_most,
                                   .without = without_named(s->options.without),
                                   .doing = &s->work.what,
                                   .progress = &s->progress};
  const enum technique left_out[] = {TECHNIQUE_SETTLED, TECHNIQUE_FOLLOWERS};
  for (size_t i = 0; i < ARRAY_LEN(left_out) && whole; i++) kernels.without.set |= (uint64_t)1 << left_out[i];
  if (s->options.untrusted) kernels.forbidden = "no compiler runs for a test that is not trusted";
  return kernels;
}

/* Lowers kernels to columns. Results from GPUs hold columns already: they name no file, and nothing is compiled for
 * them. */
static bool expand_to(struct ptxlit *s, struct intern *names, struct diags *diags, struct litmus_test *test,
                      struct kernel_modules *modules) {
  struct kernel_options kernels = kernel_options(s, false);
  const uint32_t number = s->launches++;
  kernels.modules = modules;
  VEC_EACH (refused, &s->refused)
    if (refused->number == number) kernels.refused = refused->why;
  if (!s->reads_results || !test->kernels) {
    s->expanding = test->kernels != NULL;
    LIST_EACH (k, test->kernels) /* a compiler would begin again too */
      s->expanding = s->expanding && (k->host || !kernel_is_source(k->file.text));
    bool right = kernel_expand(&s->input, names, diags, test, &kernels);
    s->expanding = false;
    return right;
  }
  return diag_refuse(diags, DIAG_WRONG_RESULTS, test->kernels->span,
                     "the test text in these results names a kernel, but results hold only tests with columns");
}

static bool expand(struct ptxlit *s, struct intern *names, struct diags *diags, struct litmus_test *test) {
  return expand_to(s, names, diags, test, NULL);
}

static bool halve(uint32_t *size, uint32_t times) {
  for (; times; times--) {
    if (*size < 2 || *size % 2) return false;
    *size /= 2;
  }
  return true;
}

/* True if the test is a launch of one kernel, which can be made so much smaller; whole warps stay whole. */
static bool halve_launch(struct litmus_test *test, const struct halvings *by) {
  enum { WARP = 32 };
  struct litmus_kernel *kernel = test->kernels;
  if (!by->grid && !by->block) return true;
  if (kernel->next || kernel->threads || kernel->host || test->condition) return false;
  bool warps = kernel->block.x % WARP == 0;
  if (!halve(&kernel->grid.x, by->grid) || !halve(&kernel->block.x, by->block)) return false;
  return !warps || kernel->block.x % WARP == 0;
}

/* Reads a test that was read before, made so much smaller, with other options of its kernels. `turns`: its condition,
 * if it has none, becomes in-turns; NULL if it has one. */
static const struct program *read_again(struct arena *arena, struct intern *names, const struct input_test *test,
                                        const struct kernel_options *kernels, const struct halvings *by, bool turns,
                                        struct litmus_test **read) {
  struct diags diags;
  diags_init(&diags, arena);
  struct litmus_test *again = litmus_parse(arena, names, &diags, test->ast->source);
  if (!again || (turns && again->condition) || !halve_launch(again, by)) return NULL;
  if (turns) again->quantifier = LITMUS_IN_TURNS;
  if (!kernel_expand(arena, names, &diags, again, kernels)) return NULL;
  *read = again;
  return lower(arena, names, &diags, again, &test->lowering);
}

/* True of a launch of one kernel with more blocks. */
static bool has_more(const struct litmus_test *test, uint32_t blocks) {
  const struct litmus_kernel *kernel = test->kernels;
  return kernel && !kernel->next && !kernel->host && litmus_volume(kernel->grid) > blocks;
}

const struct program *session_again(struct ptxlit *s, const struct input_test *test, struct again how) {
  struct kernel_options kernels = kernel_options(s, false);
  const struct halvings as_it_is = {0};
  const struct litmus_test *before = test->ast;
  struct litmus_test *read;
  struct intern *names = ARENA_NEW(&s->input, struct intern); /* memory may run out */
  if (test->row || (how.blocks && !has_more(before, how.blocks))) return NULL;
  if (how.unroll) kernels.unroll = how.unroll;
  if (how.blocks) kernels.grid_at_most = how.blocks;
  kernels.prefix = how.prefix;
  intern_init(names, &s->input);
  const struct program *again = read_again(&s->input, names, test, &kernels, &as_it_is, how.turns, &read);
  const char *cut = again ? read->cut : NULL;
  if (how.blocks && (!cut || (before->cut && strcmp(before->cut, cut) == 0))) return NULL;
  if (again) read->cut = before->cut;
  return again;
}

/* Parses the tests of a row. A test of PTX or CUDA C++ whose name has no placeholder gets the number of the row. */
static void parse_row(struct ptxlit *s, struct intern *names, struct diags *diags, const struct filled_row *row,
                      struct nvlitmus_tests *out) {
  if (!row->source || nvlitmus_is(row->source)) {
    nvlitmus_parse(&s->input, names, diags, row, out);
    return;
  }
  struct litmus_test *test = litmus_parse(&s->input, names, diags, row->source);
  if (!test || !expand(s, names, diags, test)) return;
  if (!row->named) test->name = intern(names, arena_printf(&s->input, "%s.%u", test->name, row->number));
  VEC_PUSH(&s->input, &out->list, test);
}

/* Adds the well-formed tests of the row, without programs: the memory for checking them is freed. An error that several
 * commands of a row share is reported once. */
static void read_row(struct ptxlit *s, const struct filled_row *row) {
  const struct arena_mark mark = arena_mark(&s->input);
  struct intern *names = ARENA_NEW(&s->input, struct intern);
  struct nvlitmus_tests tests = {0};
  VEC(struct input_test) right = {0};
  intern_init(names, &s->input);
  parse_row(s, names, row->diags, row, &tests);
  for (uint32_t i = 0; i < tests.list.len; i++) {
    struct diags own;
    struct input_test test;
    diags_init(&own, &s->latest);
    if (read_test(s, &own, names, tests.list.data[i], &test)) {
      test.name = arena_strdup(&s->latest, test.name);
      test.row = row;
      test.command = i;
      VEC_PUSH(&s->latest, &right, bare_test(&test));
    }
    diags_add(row->diags, &own);
  }
  arena_rewind(&s->input, mark);
  for (uint32_t i = 0; i < right.len; i++) {
    right.data[i].name = arena_strdup(&s->input, right.data[i].name);
    VEC_PUSH(&s->input, &s->tests, right.data[i]);
  }
}

static void add_row(struct ptxlit *s, const struct filled_row *row) {
  read_row(s, row);
  diags_add(&s->diags, row->diags);
  if (!row->diags->errors) return;
  struct text text = {.arena = &s->input};
  diags_render(row->diags, &text, false);
  VEC_PUSH(&s->input, &s->wrong_rows, (struct wrong_row){row->line, text_str(&text)});
}

static void note_made(struct ptxlit *s, size_t index) {
  if (s->made_begin == s->made_end) s->made_begin = s->made_end = index;
  if (index < s->made_begin) s->made_begin = index;
  if (index >= s->made_end) s->made_end = index + 1;
}

/* Errors and warnings of a test were reported when its row was read. */
struct input_test *session_test(struct ptxlit *s, size_t index) {
  struct input_test *test = &s->tests.data[index], made = bare_test(test);
  struct nvlitmus_tests tests = {0};
  struct diags parsed, lowered;
  note_made(s, index);
  if (test->program) return test;
  diags_init(&parsed, &s->latest);
  diags_init(&lowered, &s->latest);
  made.names = ARENA_NEW(&s->input, struct intern);
  intern_init(made.names, &s->input);
  parse_row(s, made.names, &parsed, test->row, &tests);
  made.ast = tests.list.data[test->command];
  expect_read(&s->input, &lowered, made.ast, &made.expectations);
  lower_test(s, &lowered, &made);
  REQUIRE(made.program);
  *test = made;
  return test;
}

const struct program *session_smaller(const struct session_edits *e, const struct halvings *by) {
  struct ptxlit *s = e->session;
  const struct input_test *test = e->test;
  struct kernel_options kernels = kernel_options(s, false);
  struct litmus_test *read;
  kernels.modules = e->modules;
  return read_again(&s->input, test->names, test, &kernels, by, false, &read);
}

const struct input_test *session_whole_test(const struct session_edits *e, size_t index,
                                            const struct session_edits *like, struct kernel_lines *lines) {
  struct ptxlit *s = e->session;
  const struct input_test *test = session_test(s, index);
  if (!test->ast->kernels) return test;
  struct input_test *whole = ARENA_COPY(&s->input, test);
  whole->names = like ? like->test->names : ARENA_NEW(&s->input, struct intern);
  if (!like) intern_init(whole->names, &s->input);
  struct kernel_options kernels = kernel_options(s, true);
  kernels.modules = e->modules;
  kernels.lines = lines;
  struct litmus_test *read;
  whole->program = read_again(&s->input, whole->names, test, &kernels, &e->by, false, &read);
  if (whole->program) whole->ast = read;
  return whole->program ? whole : test;
}

const struct program *session_edited(const struct session_edits *e, struct arena *arena,
                                     const struct kernel_edit *edits, uint32_t count, enum fix_question question) {
  struct kernel_options kernels = kernel_options(e->session, question == FIX_WHOLE);
  struct kernel_edit *own = ARENA_ARRAY(arena, struct kernel_edit, count + 1);
  bool *made = ARENA_ARRAY(arena, bool, count + 1), all = true;
  struct litmus_test *read;
  for (uint32_t i = 0; i < count; i++) own[i] = edits[i], own[i].made = &made[i];
  kernels.modules = e->modules;
  kernels.edits = own;
  kernels.edit_count = count;
  const struct program *program =
      read_again(arena, e->test->names, e->test, &kernels, &e->by, question == FIX_IN_TURNS, &read);
  for (uint32_t i = 0; i < count; i++) all = all && made[i];
  return all ? program : NULL;
}

void session_give_back(struct ptxlit *s) {
  for (size_t i = s->made_begin; i < s->made_end; i++) {
    struct input_test *test = &s->tests.data[i];
    test->hash = NULL;
    if (test->row) *test = bare_test(test);
  }
  s->made_begin = s->made_end = 0;
}

/* ---- a source */

/* True for an error about a name that may follow from an unknown instruction, which would have defined the name. */
static bool may_follow(const struct diagnostic *d) {
  bool name = d->code == DIAG_UNKNOWN_LOCATION || d->code == DIAG_UNKNOWN_REGISTER || d->code == DIAG_UNKNOWN_LABEL;
  return name || d->code == DIAG_WRONG_PREDICATE || diag_code_severity(d->code) == SEVERITY_WARNING;
}

static void add_litmus(struct ptxlit *s, struct intern *names, const struct source *source) {
  bool whole, lost;
  struct litmus_test *test = litmus_parse_rest(&s->input, names, &s->diags, source, &whole, &lost);
  if (whole && expand(s, names, &s->diags, test)) add_test(s, &s->diags, names, test);
  if (whole || !test || (lost && test->kernels)) return;
  struct diags more;
  diags_init(&more, &s->latest);
  if (expand(s, names, &more, test)) add_test(s, &more, names, test);
  s->tests.len = 0;
  if (lost) diags_drop(&more, may_follow);
  diags_add(&s->diags, &more);
  diags_sort(&s->diags);
}

/* `typed`: the source whose comment has the launch, or NULL. NULL, with a message: the text is not a launch. */
static const struct source *launch_test(struct ptxlit *s, const struct ptxlit_launch *launch, const char *flags,
                                        const struct source *typed) {
  const char **models = ARENA_ARRAY(&s->input, const char *, s->models.len + 1);
  if (!session_choose(s, false)) return NULL;
  for (uint32_t i = 0; i < s->models.len; i++) models[i] = ptxlit_model_name(s, i);
  struct typed_launch of = {launch->text, launch->module, launch->before, flags, models, s->models.len, typed};
  return litmus_from_launch(&s->input, &s->diags, &of);
}

/* The name of the kernel in a launch of a comment: k of ns::k<32><<<2, 128>>>(A). */
static const char *noted_name(struct ptxlit *s, const struct source *noted) {
  const char *end = noted->text + strcspn(noted->text, "<"), *begin = end;
  while (begin > noted->text && begin[-1] != ':' && begin[-1] != ' ') begin--;
  return arena_strndup(&s->input, begin, (size_t)(end - begin));
}

/* Adds the launches in comments of a source in CUDA C++, which is compiled once. False: it has none. */
static bool add_noted(struct ptxlit *s, struct intern *names, const struct source *source) {
  struct kernel_modules modules = {0};
  VEC(const char *) seen = {0};
  const char *compiler = NULL;
  size_t at = 0;
  for (const struct source *noted; (noted = litmus_next_noted(&s->input, source, &at));) {
    struct ptxlit_launch launch = {noted->text, source->name, 0};
    const char *name = noted_name(s, noted);
    for (uint32_t i = 0; i < seen.len; i++) launch.before += strcmp(seen.data[i], name) == 0;
    VEC_PUSH(&s->input, &seen, name);
    const struct source *made = launch_test(s, &launch, NULL, noted);
    struct litmus_test *test = made ? litmus_parse(&s->input, names, &s->diags, made) : NULL;
    if (!test || !expand_to(s, names, &s->diags, test, &modules)) continue;
    if (test->compiler) compiler = test->compiler;
    else test->compiler = compiler;
    add_test(s, &s->diags, names, test);
  }
  return at > 0;
}

static void add_tests(struct ptxlit *s, struct intern *names, const struct source *source) {
  struct filled_rows rows = {0};
  if (kernel_is_module(source) && add_noted(s, names, source)) return;
  if (kernel_is_module(source)) {
    const struct kernel_options kernels = kernel_options(s, false);
    kernel_list(&s->input, names, &s->diags, source, &kernels);
    return;
  }
  bool other = nvlitmus_is(source);
  if (!other && !table_is_in(source)) {
    add_litmus(s, names, source);
    return;
  }
  table_read(&s->input, &s->diags, source, other ? TABLE_OF_TEST : TABLE_OF_LITMUS, &rows);
  for (uint32_t i = 0; i < rows.len; i++) add_row(s, &rows.data[i]);
}

/* True if every error is an uncompiled kernel: then the tests are unknown, not invalid. */
static bool all_not_compiled(const struct diags *diags) {
  return diags->errors <= diags->list.len &&
         EVERY(VEC_EACH (d, &diags->list),
               diag_code_severity(d->code) != SEVERITY_ERROR || d->code == DIAG_NOT_COMPILED);
}

static enum ptxlit_status read_source(struct ptxlit *s, const struct source *source) {
  struct intern *names = ARENA_NEW(&s->input, struct intern);
  intern_init(names, &s->input);
  add_tests(s, names, source);
  if (s->tests.len && !session_fit_models(s)) s->tests.len = 0;
  session_end_limit(s);
  if (s->tests.len) s->read = session_mark(s, 0);
  if (s->diags.errors && all_not_compiled(&s->diags)) {
    s->limit_id = diag_code_name(DIAG_NOT_COMPILED);
    return PTXLIT_NO_VERDICT;
  }
  return s->tests.len && !s->diags.errors ? PTXLIT_OK : PTXLIT_BAD_INPUT;
}

void session_forget_input(struct ptxlit *s) {
  memset(&s->tests, 0, sizeof s->tests);
  s->made_begin = s->made_end = 0;
  memset(&s->wrong_rows, 0, sizeof s->wrong_rows);
  arena_release(&s->input);
}

static void begin_reading(struct ptxlit *s, const char *name) {
  session_forget_input(s);
  session_begin_reading(s, name);
  s->progress = (struct kernel_progress){0};
  s->launches = 0;
  s->expanding = false;
}

/* A launch that the limit is enough for. The values of memory take up to three rounds or so, and the accesses of all
 * threads are then compared. Nothing tells how much less would do if none has ended in the first round. */
static const char *smaller_launch(struct arena *arena, const struct kernel_progress *p) {
  enum { USUAL = 4 };
  const double rounds = p->round > USUAL ? p->round : USUAL, ran = (double)p->ended / p->threads;
  const double before = p->round ? p->round - 1 : 0, share = p->used > 0 ? ran / p->used / 2 : (before + ran) / rounds;
  return reason_smaller(arena, p->blocks, share > 0 ? share : 1 / 16.0);
}

/* The limit, and what the launch lacked. */
static const struct reason *limit_reason(struct ptxlit *s, bool late, const struct kernel_progress *p) {
  struct arena *arena = &s->session;
  struct text text = {.arena = arena};
  if (late) text_printf(&text, "the time limit of %g s ", s->options.timeout);
  else text_add(&text, "the memory limit ");
  text_add(&text, p->used > 0 ? "would be reached: " : "was reached: ");
  if (!p->threads) text_add(&text, "its module was being read");
  else if (p->round && p->ended == p->threads)
    text_printf(&text, "the accesses of %u threads were to be compared", p->threads);
  else text_printf(&text, "%u of %u threads had run", p->round ? p->ended : 0, p->threads);
  if (p->round > 1 && p->ended < p->threads) text_printf(&text, " in round %u, on values of memory", p->round);
  if (p->threads) text_add(&text, smaller_launch(arena, p));
  return reason_with(arena, late ? REASON_TIME_LIMIT : REASON_OUT_OF_MEMORY, text_str(&text));
}

/* Begins to read an input, of which no launch is refused yet. */
static void begin_first(struct ptxlit *s, const char *name) {
  begin_reading(s, name);
  s->refused.len = 0;
  s->named = s->seen.len;
}

/* Forgets the names of the tests of the input. */
static void forget_names(struct ptxlit *s) {
  s->seen.len = s->named;
  s->seen_index = (struct hash_index){0};
  for (uint32_t i = 0; i < s->seen.len; i++) {
    const char *name = s->seen.data[i].name;
    hash_add(&s->session, &s->seen_index, hash_bytes(name, strlen(name)), i);
  }
}

/* After memory or time ran out while a launch was read: begins to read the input again, without executing this launch,
 * so that its verdict is unknown. False: the limit came elsewhere. */
static bool begin_again(struct ptxlit *s, const char *name) {
  enum { MORE = 10 }; /* seconds for a compiler, and for what needs no threads */
  const struct kernel_progress progress = s->progress;
  const uint32_t number = s->launches - 1;
  const bool late = s->input.late || s->session.late || s->latest.late;
  if (!progress.threads && !s->expanding) return false;
  VEC_EACH (refused, &s->refused)
    if (refused->number == number) return false;
  begin_reading(s, name);
  forget_names(s);
  arena_set_deadline(&s->input, base_deadline(late ? s->options.timeout + MORE : 0));
  VEC_PUSH(&s->session, &s->refused, ((struct refused_launch){number, limit_reason(s, late, &progress)}));
  return true;
}

/* Drops all tests after memory or time ran out during reading. */
static enum ptxlit_status stop_reading(struct ptxlit *s) {
  session_limit(s);
  session_forget_input(s);
  return PTXLIT_NO_VERDICT;
}

/* Sets the directories whose files a test may name: the directory of the test, or the directory on the command line
 * that contains the test. True if the test was found in a directory, so that the user did not name its file. */
static bool set_bounds(struct ptxlit *s, const char *name) {
  const char *slash = strrchr(name, '/'), **dir = ARENA_NEW(&s->input, const char *);
  *dir = input_real(&s->input, slash ? arena_strndup(&s->input, name, (size_t)(slash + 1 - name)) : ".");
  s->bounds = (struct input_bounds){dir, *dir != NULL, s->options.untrusted};
  for (uint32_t i = 0; *dir && i < s->test_dirs.len; i++) {
    const char *const of = s->test_dirs.data[i];
    const struct input_bounds wider = {&of, 1, false};
    if (!input_is_within(&wider, *dir)) continue;
    *dir = of;
    return true;
  }
  if (s->tests_found) s->bounds.dirs = s->test_dirs.data, s->bounds.count = s->test_dirs.len;
  return s->tests_found;
}

enum ptxlit_status ptxlit_read_file(struct ptxlit *session, const char *path) {
  begin_first(session, path);
  if (setjmp(session->oom) && !begin_again(session, path)) return stop_reading(session);
  bool found = set_bounds(session, path) && strcmp(path, "-") != 0;
  const struct source *source = session_read_within(session, &session->input, path, found ? &session->bounds : NULL);
  return source ? read_source(session, source) : PTXLIT_BAD_INPUT;
}

enum ptxlit_status ptxlit_read_text(struct ptxlit *session, const char *name, const char *text, size_t length) {
  begin_first(session, name);
  if (setjmp(session->oom) && !begin_again(session, name)) return stop_reading(session);
  bool found = set_bounds(session, name);
  const char *real = input_real(&session->input, name); /* NULL: the text is only in memory */
  if (length > SOURCE_LIMIT) {
    diag_report(&session->diags, DIAG_UNREADABLE, (struct span){0}, "cannot read '%s': it is larger than %d MB", name,
                SOURCE_LIMIT / (1024 * 1024));
    return PTXLIT_BAD_INPUT;
  }
  struct source *source = ARENA_NEW(&session->input, struct source);
  *source = source_from_text(arena_strdup(&session->input, name), arena_strndup(&session->input, text, length), length);
  source->hidden = found && real && !input_is_within(&session->bounds, real);
  return read_source(session, source);
}

enum ptxlit_status ptxlit_read_launch(struct ptxlit *session, const struct ptxlit_launch *launch) {
  begin_first(session, launch->module);
  if (setjmp(session->oom) && !begin_again(session, launch->module)) return stop_reading(session);
  set_bounds(session, launch->module);
  const struct source *source = launch_test(session, launch, NULL, NULL);
  return source ? read_source(session, source) : PTXLIT_BAD_INPUT;
}

bool ptxlit_notes_launches(const char *path, const char *text) {
  struct arena arena;
  size_t length, at = 0;
  arena_init(&arena, NULL);
  bool may = kernel_is_module(&(struct source){.name = path});
  const char *read = text || !may ? text : input_read(&arena, path, base_deadline(0), false, SOURCE_LIMIT, &length);
  struct source source = source_from_text(path, read ? read : "", read ? strlen(read) : 0);
  bool notes = may && litmus_next_noted(&arena, &source, &at);
  arena_release(&arena);
  return notes;
}

bool ptxlit_is_module(const char *path) { return kernel_is_module(&(struct source){.name = path}); }

enum ptxlit_status ptxlit_propose(struct ptxlit *session, const char *path, const struct ptxlit_proposal **list,
                                  size_t *count) {
  const struct kernel_proposal *proposals;
  *list = NULL;
  *count = 0;
  begin_reading(session, path);
  if (setjmp(session->oom)) return stop_reading(session);
  bool found = set_bounds(session, path);
  const struct source *source = session_read_within(session, &session->input, path, found ? &session->bounds : NULL);
  if (!source) return PTXLIT_BAD_INPUT;
  struct intern *names = ARENA_NEW(&session->input, struct intern);
  intern_init(names, &session->input);
  const struct kernel_options kernels = kernel_options(session, false);
  uint32_t made = kernel_propose(&session->input, names, &session->diags, source, &kernels, &proposals);
  struct ptxlit_proposal *out = ARENA_ARRAY(&session->input, struct ptxlit_proposal, made + 1);
  for (uint32_t i = 0; i < made; i++)
    out[i] = (struct ptxlit_proposal){proposals[i].line, proposals[i].threads, proposals[i].idle};
  session_end_limit(session);
  *list = out;
  *count = made;
  return made ? PTXLIT_OK : all_not_compiled(&session->diags) ? PTXLIT_NO_VERDICT : PTXLIT_BAD_INPUT;
}

const char *ptxlit_print_launch(struct ptxlit *session, const struct ptxlit_launch *launch, const char *flags) {
  SESSION_GUARD(session, NULL);
  const struct source *source = launch_test(session, launch, flags, NULL);
  return source ? source->text : NULL;
}

void ptxlit_forget_results(struct ptxlit *session) {
  if (session->tests.len) session_rewind(session, session->read);
}

size_t ptxlit_wrong_count(const struct ptxlit *session) { return session->wrong_rows.len; }

uint32_t ptxlit_wrong_line(const struct ptxlit *session, size_t row) {
  REQUIRE(row < session->wrong_rows.len);
  return session->wrong_rows.data[row].line;
}

const char *ptxlit_wrong_messages(const struct ptxlit *session, size_t row) {
  REQUIRE(row < session->wrong_rows.len);
  return session->wrong_rows.data[row].messages;
}

size_t ptxlit_test_count(const struct ptxlit *session) { return session->tests.len; }

const char *ptxlit_test_name(const struct ptxlit *session, size_t test) {
  REQUIRE(test < session->tests.len);
  return session->tests.data[test].name;
}

uint32_t ptxlit_test_line(const struct ptxlit *session, size_t test) {
  REQUIRE(test < session->tests.len);
  return session->tests.data[test].line;
}

bool ptxlit_is_cuda(struct ptxlit *session, size_t test) {
  REQUIRE(test < session->tests.len);
  SESSION_GUARD(session, false);
  return session_test(session, test)->program->cuda;
}
