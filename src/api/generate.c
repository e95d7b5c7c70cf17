/* Generated tests: ptxlit_generate. */

#include "api/session.h"

struct ptxlit_generate_options ptxlit_generate_defaults(void) {
  return (struct ptxlit_generate_options){.events = 4, .threads = DRAFT_THREADS, .locations = DRAFT_LOCATIONS};
}

struct generation {
  struct ptxlit *session;
  struct ptxlit_generate_options options;
  enum ptxlit_format format;
  VEC(const struct model *) expected;
  struct draft_tables *tables; /* NULL: each test by itself */
  ptxlit_generate_visitor *visit;
  void *state;
};

/* "ptx:Never sc:Never", or NULL if no expectations are asked for. */
static const char *expectation(struct generation *g, const struct text *plain) {
  struct arena *arena = &g->session->input;
  struct check_options options = session_explaining(g->session);
  struct text out = {.arena = arena};
  options.verdict_only = true;
  for (uint32_t i = 0; i < g->expected.len; i++) {
    struct result result = {0};
    check(arena, generate_program(arena, text_str(plain)), g->expected.data[i], &options, &result);
    bool decided = result.verdict == VERDICT_ALLOWED || result.verdict == VERDICT_FORBIDDEN;
    text_printf(&out, "%s%s:%s", i ? " " : "", g->expected.data[i]->name,
                decided ? observation_name(result.observation) : verdict_name(result.verdict));
  }
  return g->expected.len ? text_str(&out) : NULL;
}

static const char *as_json(struct arena *arena, const struct draft *draft, const char *name, const char *litmus) {
  struct json json = json_new(arena);
  struct text out = {.arena = arena};
  PUT(json, J_TEXT("name", name), J_NUMBER("events", draft_size(draft)), J_NUMBER("threads", draft->thread_count),
      J_NUMBER("locations", draft->location_count), J_TEXT("litmus", litmus));
  json_write(json, &out);
  return text_str(&out);
}

static bool hand_over(void *state, const struct draft *draft) {
  struct generation *g = state;
  struct arena *arena = &g->session->input;
  struct arena_mark mark = arena_mark(arena);
  struct text plain = {.arena = arena}, text = {.arena = arena};
  arena_poll(arena);
  const char *name = draft_name(arena, draft);
  draft_print(draft, name, NULL, &plain);
  const char *expect = expectation(g, &plain);
  if (g->tables) {
    tables_add(g->tables, draft, expect);
    arena_rewind(arena, mark);
    return true;
  }
  if (expect) draft_print(draft, name, expect, &text);
  const char *litmus = expect ? text_str(&text) : text_str(&plain);
  struct ptxlit_generated made = {name, g->format == PTXLIT_JSON ? as_json(arena, draft, name, litmus) : litmus};
  bool more = g->visit(g->state, &made);
  arena_rewind(arena, mark);
  return more;
}

static bool hand_over_table(void *state, const char *name, const char *text) {
  struct generation *g = state;
  struct ptxlit_generated made = {name, text};
  return g->visit(g->state, &made);
}

static bool load_expected(struct generation *g) {
  for (const char *at = g->options.expect ? g->options.expect : ""; *at;) {
    size_t length = strcspn(at, ",");
    const struct model *model = session_model(g->session, arena_strndup(&g->session->session, at, length));
    if (!model) return false;
    VEC_PUSH(&g->session->session, &g->expected, model);
    at += length + (at[length] == ',');
  }
  return true;
}

static void set_default(const char **word, const char *value) {
  if (!*word) *word = value;
}

static bool read_ask(struct generation *g, struct generate_ask *ask) {
  struct ptxlit_generate_options *o = &g->options;
  set_default(&o->instructions, "ld,st,fence");
  set_default(&o->scopes, "cta,gpu,sys");
  set_default(&o->placements, "cta,gpu,sys");
  struct generate_words words = {o->instructions, o->proxies, o->scopes, o->placements, o->dependencies};
  return generate_read(&g->session->input, &g->session->diags, &words, ask);
}

static enum ptxlit_status generate(struct generation *g, const struct model *minimal) {
  struct ptxlit *s = g->session;
  const struct ptxlit_generate_options *o = &g->options;
  struct generate_ask ask = {.events = o->events,
                             .threads = o->threads,
                             .locations = o->locations,
                             .part = o->part,
                             .parts = o->parts,
                             .wide = o->wide};
  struct check_options options = session_explaining(s);
  if (!read_ask(g, &ask)) return PTXLIT_BAD_INPUT;
  if (minimal) generate_minimal(&s->input, &ask, minimal, &options, hand_over, g);
  else if (o->random) generate_random(&s->input, &ask, o->seed, o->random, hand_over, g);
  else generate_all(&ask, hand_over, g);
  return PTXLIT_OK;
}

static void begin(struct generation *g) {
  session_forget_input(g->session);
  session_begin_reading(g->session, "models");
}

static void begin_work(struct ptxlit *s, const char *what) {
  session_end_limit(s);
  s->work = (struct session_work){.what = what, .name = "tests"};
  arena_set_deadline(&s->input, base_deadline(s->options.timeout));
}

static void require(const struct ptxlit_generate_options *options) {
  REQUIRE(options->events >= 1 && options->events <= DRAFT_EVENTS);
  REQUIRE(options->threads >= 1 && options->threads <= DRAFT_THREADS);
  REQUIRE(options->locations >= 1 && options->locations <= DRAFT_LOCATIONS);
}

/* True if a model is known to be monotonic: tests/laws checks the shipped ones. Under other readings they need not be:
 * with G1=order-only a release fence is no weaker than fence.sc. */
static bool is_monotonic(const struct model *model) {
  static const char *const names[] = {"ptx", "ptx-7.5", "ptx-6.0", "sc", "tso", "coherence"};
  return SOME_BELOW(i, ARRAY_LEN(names), strcmp(model->name, names[i]) == 0);
}

/* A model that can judge generated tests; NULL, with a message, for others. */
static const struct model *model_of_tests(struct ptxlit *s, const char *name) {
  const struct model *model = session_model(s, name);
  if (!model || model->language != ABOUT_CUDA) return model;
  struct diagnostic *d = diag_report(&s->diags, DIAG_GENERATE_WORD, (struct span){0},
                                     "generated tests are in PTX, and model '%s' is about CUDA C++", model->name);
  diag_hint(&s->diags, d, "--list-models shows the models; 'ptxlit map' generates tests in CUDA C++");
  return NULL;
}

enum ptxlit_status ptxlit_distinguish(struct ptxlit *session, const char *a, const char *b,
                                      const struct ptxlit_generate_options *options, struct ptxlit_apart *apart) {
  require(options);
  *apart = (struct ptxlit_apart){0};
  struct generation g = {.session = session, .options = *options};
  begin(&g);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  const struct model *first = model_of_tests(session, a), *second = model_of_tests(session, b);
  struct generate_ask ask = {
      .events = options->events, .threads = options->threads, .locations = options->locations, .wide = options->wide};
  struct check_options checking = session_explaining(session);
  struct draft draft;
  struct text text = {.arena = &session->input};
  if (!first || !second || !read_ask(&g, &ask)) return PTXLIT_BAD_INPUT;
  begin_work(session, "telling models apart by");
  bool minimal = is_monotonic(first) && is_monotonic(second);
  bool found = generate_distinguish(&session->input, &ask, first, second, minimal, &checking, &draft, &apart->equal);
  arena_set_deadline(&session->input, 0);
  apart->equal = found ? draft_size(&draft) - 1 : ask.events;
  if (!found) return PTXLIT_OK;
  draft_print(&draft, draft_name(&session->input, &draft), NULL, &text);
  apart->test = text_str(&text);
  return PTXLIT_OK;
}

enum ptxlit_status ptxlit_generate(struct ptxlit *session, const struct ptxlit_generate_options *options,
                                   enum ptxlit_format format, ptxlit_generate_visitor *visit, void *state) {
  require(options);
  REQUIRE(!options->minimal || !options->random);
  REQUIRE(!options->tables || format == PTXLIT_TEXT);
  struct generation g = {.session = session, .options = *options, .format = format, .visit = visit, .state = state};
  begin(&g);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  const struct model *minimal = options->minimal ? model_of_tests(session, options->minimal) : NULL;
  if ((options->minimal && !minimal) || !load_expected(&g)) return PTXLIT_BAD_INPUT;
  begin_work(session, "generating");
  if (options->tables) g.tables = tables_new(&session->latest);
  enum ptxlit_status status = generate(&g, minimal);
  arena_set_deadline(&session->input, 0);
  if (g.tables) tables_hand_over(g.tables, hand_over_table, &g);
  return status;
}
