/* Mappings from C++ to PTX: ptxlit_map. */

#include "out/explain.h"
#include "api/session.h"

struct ptxlit_map_options ptxlit_map_defaults(void) {
  return (struct ptxlit_map_options){
      .events = 4, .threads = DRAFT_THREADS, .locations = DRAFT_LOCATIONS, .length = DRAFT_LENGTH};
}

/* Opens a file, or maps/NAME.map in a directory of models. */
static const struct source *open_table(struct ptxlit *s, const char *name) {
  struct source *source = ARENA_NEW(&s->input, struct source);
  const char *dot = strrchr(name, '.');
  if (strchr(name, '/') || (dot && strcmp(dot, ".map") == 0)) return session_read(s, &s->input, name);
  for (uint32_t i = 0; i < s->dirs.len; i++) {
    const char *path = arena_printf(&s->input, "%s/maps/%s.map", s->dirs.data[i], name);
    if (session_open(s, &s->input, path, NULL, source) == SOURCE_OK) return source;
  }
  diag_report(&s->diags, DIAG_UNREADABLE, (struct span){0},
              "there is no mapping '%s'" HINT "there are " PTXLIT_MAP_TABLES
              "; to name a file, write '/' or '.map' in its name",
              name);
  return NULL;
}

static const char *base_name(struct arena *arena, const char *path) {
  const char *base = base_file_name(path), *dot = strrchr(base, '.');
  bool ending = dot && strcmp(dot, ".map") == 0;
  return ending ? arena_strndup(arena, base, (size_t)(dot - base)) : base;
}

static const char *explained(struct ptxlit *s, const char *text, const struct model *model) {
  struct result *result = ARENA_NEW(&s->input, struct result);
  struct check_options options = session_explaining(s);
  struct explanation explanation;
  struct text out = {.arena = &s->input};
  options.timeout = 0;
  explain(&s->input, generate_program(&s->input, text), model, &options, result, &explanation);
  out_explanation(&explanation, &out);
  return text_str(&out);
}

static void explain_both(struct ptxlit *s, struct map_example *example, const struct model *before,
                         const struct model *after) {
  example->forbidden = explained(s, example->before, before);
  example->allowed = explained(s, example->after, after);
}

/* The request for the tests of rules: with atomics if a rule has one. */
static bool read_rules_ask(struct ptxlit *s, const struct ptxlit_map_options *o, const struct map_table *table,
                           struct generate_ask *ask) {
  bool atoms = false;
  for (uint32_t i = 0; i < table->rules.len; i++)
    for (uint32_t k = 0; k < table->rules.data[i]->left.count; k++)
      atoms = atoms || table->rules.data[i]->left.steps[k].kind == DRAFT_UPDATE;
  const struct generate_words asked = {.instructions = atoms ? "ld,st,fence,atom" : "ld,st,fence",
                                       .scopes = o->scopes ? o->scopes : "cta,gpu",
                                       .placements = o->placements ? o->placements : "cta,gpu"};
  *ask = (struct generate_ask){.events = o->events, .threads = o->threads, .locations = o->locations};
  return generate_read(&s->input, &s->diags, &asked, ask);
}

/* The report on the rules of a table; false: words of the options are wrong. */
static bool try_rules(struct ptxlit *s, const struct ptxlit_map_options *o, struct map_rules_report *report,
                      const struct check_options *checking, enum ptxlit_format format, struct text *out) {
  struct generate_ask *ask = ARENA_NEW(&s->input, struct generate_ask);
  struct map_rules_result *result = ARENA_NEW(&s->input, struct map_rules_result);
  const uint32_t count = report->table->rules.len;
  if (o->operations || o->shape || o->mixed != PTXLIT_MIXED_NONE || o->length < DRAFT_LENGTH || o->old_sequences)
    return diag_refuse(&s->diags, DIAG_MAP_TABLE, (struct span){0},
                       "rules are tried on all minimal tests" HINT
                       "operations, a shape, a length, mixed scopes and a standard are for tables that have rows");
  if (!read_rules_ask(s, o, report->table, ask)) return false;
  map_try_rules(&s->input, report->table, ask, report->model, checking, base_deadline(s->options.timeout), result);
  for (uint32_t i = 0; i < count; i++)
    if (result->faults[i].found && ++report->wrong)
      explain_both(s, &result->faults[i].example, report->model, report->model);
  report->ask = ask, report->result = result;
  if (format == PTXLIT_JSON) out_rules_json(report, out);
  else out_rules(report, out);
  return true;
}

static bool read_ask(struct ptxlit *s, const struct ptxlit_map_options *o, struct map_report *report,
                     struct map_ask *ask) {
  struct generate_ask words = {.events = o->events, .threads = o->threads, .locations = o->locations};
  report->scopes = o->scopes ? o->scopes : "cta,gpu";
  report->placements = o->placements ? o->placements : "cta,gpu";
  report->operations = o->operations;
  const struct generate_words asked = {
      .instructions = "ld,st", .scopes = report->scopes, .placements = report->placements};
  if (!generate_read(&s->input, &s->diags, &asked, &words)) return false;
  if (words.placements >> SCOPE_CLUSTER & 1)
    return diag_refuse(&s->diags, DIAG_GENERATE_WORD, (struct span){0}, "threads are not placed in clusters here");
  ask->cuda = session_model(s, o->old_sequences ? "rc11-scoped-17+LB=dependencies" : "rc11-scoped+LB=dependencies");
  ask->ptx = session_model(s, o->model ? o->model : "ptx");
  ask->events = o->events, ask->threads = o->threads, ask->locations = o->locations, ask->length = o->length;
  ask->scopes = words.scopes, ask->placements = words.placements;
  if (!map_read_operations(&s->input, &s->diags, o->operations, ask->operations)) return false;
  if (!map_read_shape(&s->diags, o->shape, ask->shape)) return false;
  ask->mixed = (enum map_mixed)o->mixed;
  ask->old_sequences = o->old_sequences;
  return ask->cuda && ask->ptx;
}

static void require(const struct ptxlit_map_options *options) {
  REQUIRE(options->events >= 1 && options->events <= DRAFT_LENGTH);
  REQUIRE(options->threads >= 1 && options->threads <= DRAFT_THREADS);
  REQUIRE(options->locations >= 1 && options->locations <= DRAFT_LOCATIONS);
  REQUIRE(options->length >= 1 && options->length <= DRAFT_LENGTH);
}

static bool read_tables(struct ptxlit *s, char *const *names, unsigned count, const struct map_table **tables) {
  bool right = true;
  for (unsigned i = 0; i < count; i++) {
    const struct source *source = open_table(s, names[i]);
    tables[i] = source ? map_read(&s->input, &s->diags, source, base_name(&s->input, names[i])) : NULL;
    right = right && tables[i];
  }
  return right;
}

struct map_run {
  struct ptxlit *session;
  const struct ptxlit_map_options *options;
  const struct check_options *checking;
  struct map_report *report;
  struct map_ask *ask;
  enum ptxlit_format format;
  struct text *out;
  bool unmet, undecided;
};

/* Checks the tables with rules, one after another, and leaves those with rows in `tables`. */
static bool take_rules(struct map_run *r, const struct map_table **tables, unsigned *count) {
  unsigned rows = 0;
  for (unsigned i = 0; i < *count; i++) {
    struct map_rules_report rules = {
        .table = tables[i], .model = r->ask->ptx, .scopes = r->report->scopes, .placements = r->report->placements};
    if (!tables[i]->rules.len) {
      tables[rows++] = tables[i];
      continue;
    }
    if (r->out->len) text_char(r->out, '\n');
    if (!try_rules(r->session, r->options, &rules, r->checking, r->format, r->out)) return false;
    r->unmet = r->unmet || rules.wrong;
    r->undecided = r->undecided || !rules.result->complete;
  }
  *count = rows;
  return true;
}

static void take_rows(struct map_run *r, const struct map_table **tables, unsigned count) {
  struct map_result *results = ARENA_ARRAY(&r->session->input, struct map_result, count);
  map_search(&r->session->input, r->ask, tables, count, base_deadline(r->session->options.timeout), results);
  for (unsigned i = 0; i < count; i++) {
    r->ask->table = tables[i];
    r->report->result = &results[i];
    if (r->out->len) text_char(r->out, '\n');
    VEC_EACH (fault, &results[i].faults) explain_both(r->session, &fault->example, r->ask->cuda, r->ask->ptx);
    if (r->format == PTXLIT_JSON) out_map_json(r->report, r->out);
    else out_map(r->report, r->out);
    r->unmet = r->unmet || results[i].faults.len;
    r->undecided = r->undecided || results[i].complete < r->ask->events || results[i].undecided;
  }
}

enum ptxlit_status ptxlit_map(struct ptxlit *session, char *const *names, unsigned count,
                              const struct ptxlit_map_options *options, enum ptxlit_format format, const char **text) {
  require(options);
  REQUIRE(count > 0);
  *text = NULL;
  session_forget_input(session);
  session_begin_reading(session, names[0]);
  SESSION_GUARD(session, PTXLIT_NO_VERDICT);
  struct arena *arena = &session->input;
  struct map_ask *ask = ARENA_NEW(arena, struct map_ask);
  const struct map_table **tables = ARENA_ARRAY(arena, const struct map_table *, count);
  struct map_report report = {.ask = ask};
  struct check_options checking = session_explaining(session);
  struct text out = {.arena = arena};
  checking.timeout = 0;
  checking.races = false;
  ask->options = &checking;
  if (!read_ask(session, options, &report, ask) || !read_tables(session, names, count, tables)) return PTXLIT_BAD_INPUT;
  session_end_limit(session);
  session->work = (struct session_work){0};
  struct map_run run = {session, options, &checking, &report, ask, format, &out, false, false};
  if (!take_rules(&run, tables, &count)) return PTXLIT_BAD_INPUT;
  if (count) take_rows(&run, tables, count);
  *text = text_tame(&out);
  return run.unmet ? PTXLIT_UNMET : run.undecided ? PTXLIT_NO_VERDICT : PTXLIT_OK;
}
