/* Reads a model from its file: statements in order, included files in place. */

#include "cat/elaborate.h"

enum { INCLUDE_DEPTH = 16, INCLUDE_COUNT = 200 };

struct loader {
  struct elaborator e;
  struct model *model;
  struct hash_index axiom_index; /* of the model's axioms */
  cat_open *open;
  void *state;
  const char *stack[INCLUDE_DEPTH]; /* names of the files being read */
  uint32_t depth;
  uint32_t language_depth; /* the depth of the file whose language counts: the outermost that states one */
};

static void run_file(struct loader *l, const struct source *source, bool is_main);

static const char *base_name(struct arena *arena, const char *path) {
  const char *start = base_file_name(path);
  size_t length = strlen(start);
  if (length > 4 && !strcmp(start + length - 4, ".cat")) length -= 4;
  return arena_strndup(arena, start, length);
}

static const char *axiom_name(struct loader *l, const struct cat_statement *s) {
  if (s->name) return s->name;
  return arena_printf(l->e.build.arena, "axiom-at-line-%u", source_position(s->span.source, s->span.begin).line);
}

/* An axiom is added once, even if its file is included twice. */
static void add_axiom(struct loader *l, const struct cat_axiom *axiom) {
  struct arena *arena = l->e.build.arena;
  uint64_t hash = hash_mix(hash_bytes(axiom->name, strlen(axiom->name)), axiom->node);
  HASH_EACH(i, &l->axiom_index, hash) {
    const struct cat_axiom *a = &l->model->axioms.data[i];
    if (a->role == axiom->role && a->test == axiom->test && a->negated == axiom->negated && a->node == axiom->node &&
        !strcmp(a->name, axiom->name))
      return;
  }
  HASH_PUSH(arena, &l->axiom_index, hash, &l->model->axioms, *axiom);
}

static void run_test(struct loader *l, const struct cat_statement *s) {
  bool any = s->test == CAT_IS_EMPTY;
  cat_node node = any ? elaborate_any(&l->e, l->e.globals, s->ast) : elaborate_relation(&l->e, l->e.globals, s->ast);
  if (node == CAT_NO_NODE) return;
  enum cat_test test = s->test;
  if (test == CAT_IRREFLEXIVE && l->model->nodes.data[node].op == CAT_PLUS) test = CAT_ACYCLIC;
  if (l->model->asks_hosts && !l->model->hosts && l->model->nodes.data[node].op == CAT_EMPTY) return; /* of hosts */
  if (test == CAT_ACYCLIC) node = build_acyclic_operand(l->e.build, node);
  struct cat_axiom axiom = {
      .role = s->role, .test = test, .negated = s->negated, .node = node, .name = axiom_name(l, s), .span = s->span};
  add_axiom(l, &axiom);
}

static void hide(struct loader *l, const char *name) {
  uint32_t kept = 0;
  for (uint32_t i = 0; i < l->model->shows.len; i++)
    if (strcmp(l->model->shows.data[i].name, name)) l->model->shows.data[kept++] = l->model->shows.data[i];
  l->model->shows.len = kept;
}

static void run_show(struct loader *l, const struct cat_statement *s) {
  cat_node node = elaborate_any(&l->e, l->e.globals, s->ast);
  if (node == CAT_NO_NODE) return;
  hide(l, s->name);
  VEC_PUSH(l->e.build.arena, &l->model->shows, (struct cat_show){s->name, node});
}

static bool check_include(struct loader *l, const char *name, struct span span) {
  for (uint32_t i = 0; i < l->depth; i++)
    if (!strcmp(l->stack[i], name))
      return diag_refuse(l->e.diags, DIAG_CAT_INCLUDE, span, "'%s' includes itself", name);
  if (l->depth < INCLUDE_DEPTH && l->model->sources.len < INCLUDE_COUNT) return true;
  diag_report(l->e.diags, DIAG_CAT_INCLUDE, span, "too many files are included");
  l->e.stopped = true;
  return false;
}

/* For stdlib.cat, which no statement includes, `span` has no source. */
static void include(struct loader *l, const char *name, struct span span) {
  if (!check_include(l, name, span)) return;
  errno = ENOENT;
  const struct source *source = l->open ? l->open(l->state, name) : NULL;
  if (!source) {
    if (errno == ENOENT) diag_report(l->e.diags, DIAG_CAT_INCLUDE, span, "no file '%s' to include", name);
    else diag_report(l->e.diags, DIAG_CAT_INCLUDE, span, "cannot include '%s': %s", name, base_error(errno));
    return;
  }
  l->stack[l->depth++] = name;
  run_file(l, source, false);
  l->depth--;
}

/* The statement holds for its file, and for files that include it and have no such statement. */
static void run_language(struct loader *l, const struct cat_statement *s) {
  bool ptx = strcmp(s->name, "ptx") == 0, cuda = strcmp(s->name, "cuda") == 0;
  if (!ptx && !cuda)
    diag_report(l->e.diags, DIAG_CAT_UNKNOWN, s->span,
                "no language '%s'" HINT "it is ptx, cuda, or both: ptx, cuda", s->name);
  if (l->depth > l->language_depth) return;
  bool other = l->depth == l->language_depth && l->model->language != (cuda ? ABOUT_CUDA : ABOUT_PTX);
  l->model->language = other ? ABOUT_BOTH : cuda ? ABOUT_CUDA : ABOUT_PTX;
  l->language_depth = l->depth;
}

/* Only files that the user names are checked for likely mistakes. */
static const struct cat_scope *bind(struct loader *l, const struct cat_statement *s) {
  if (l->depth > 0) return elaborate_bindings(&l->e, l->e.globals, s->bindings, s->rec);
  return doubts_bind(&l->e, l->e.globals, s->bindings, s->rec);
}

static void run_statement(struct loader *l, const struct cat_statement *s) {
  arena_poll(l->e.build.arena);
  l->e.statement = s->span;
  switch (s->kind) {
    case CAT_STATEMENT_LET: l->e.globals = bind(l, s); break;
    case CAT_STATEMENT_TEST: run_test(l, s); break;
    case CAT_STATEMENT_SHOW: run_show(l, s); break;
    case CAT_STATEMENT_UNSHOW: hide(l, s->name); break;
    case CAT_STATEMENT_IGNORES_UPDATES: l->model->ignores_silent_updates |= l->depth == 0; break;
    case CAT_STATEMENT_LANGUAGE: run_language(l, s); break;
    case CAT_STATEMENT_INCLUDE: include(l, s->name, s->span); break;
  }
}

/* A header of bare words would swallow a statement with a misspelt keyword: refuses a title that looks like one. */
static const char *nearest_keyword(const struct cat_file *file) {
  static const char *const keywords[] = {"acyclic", "irreflexive", "empty", "include",
                                         "show",    "unshow",      "flag",  "language"};
  return file->word ? nearest_word(file->word, keywords, ARRAY_LEN(keywords)) : NULL;
}

static void refuse_header(struct loader *l, const struct cat_file *file) {
  diag_report(l->e.diags, DIAG_SYNTAX, file->word_span,
              "unexpected '%s'" HINT "did you mean '%s'? if it is the title, put it in double quotes", file->word,
              nearest_keyword(file));
}

static void run_file(struct loader *l, const struct source *source, bool is_main) {
  struct cat_file file = {0};
  VEC_PUSH(l->e.build.arena, &l->model->sources, source);
  struct diags before = *l->e.diags;
  bool parsed = cat_parse_source(l->e.build.arena, l->e.diags, source, &file);
  if (nearest_keyword(&file)) {
    *l->e.diags = before; /* drops the messages about the text after the misspelt keyword */
    refuse_header(l, &file);
    return;
  }
  if (!parsed) return;
  if (is_main) l->model->title = file.title;
  if (is_main && !file.statements)
    diag_report(l->e.diags, DIAG_EMPTY_INPUT, (struct span){source, 0, 0}, "the file holds no model");
  for (struct cat_statement *s = file.statements; s && !l->e.stopped; s = s->next) run_statement(l, s);
}

/* ---- Readings */

bool model_chooses(const char *readings, const char *name) {
  for (const char *at = readings ? readings : ""; *at;) {
    size_t length = strcspn(at, "+");
    if (strlen(name) == length && strncmp(at, name, length) == 0) return true;
    at += length + (at[length] == '+');
  }
  return false;
}

static bool same_gap(const char *a, const char *b) { return strncmp(a, b, strcspn(a, "=") + 1) == 0; }

static void refuse_reading(struct loader *l, const char *name) {
  struct diagnostic *d = diag_report(l->e.diags, DIAG_UNKNOWN_READING, (struct span){0},
                                     "model '%s' has no reading '%s'", l->model->name, name);
  const struct cat_reading *readings = l->model->readings.data;
  const uint32_t count = l->model->readings.len;
  const char **names = ARENA_ARRAY(l->e.build.arena, const char *, count);
  struct text of_gap = {.arena = l->e.build.arena};
  for (uint32_t i = 0; i < count; i++) {
    names[i] = readings[i].name;
    if (same_gap(name, names[i])) text_printf(&of_gap, "%s%s", of_gap.len ? " or " : "", names[i]);
  }
  const char *near = of_gap.len ? text_str(&of_gap) : nearest_word(name, names, count);
  if (near) diag_hint(l->e.diags, d, "did you mean %s?", near);
  else diag_hint(l->e.diags, d, "docs/gaps.md lists the readings: %s, %s and %u more", names[0], names[1], count - 2);
}

static void check_readings(struct loader *l, const char *readings) {
  for (const char *at = readings ? readings : ""; *at;) {
    size_t length = strcspn(at, "+");
    const char *name = arena_strndup(l->e.build.arena, at, length);
    bool known = SOME_BELOW(i, l->model->readings.len, strcmp(l->model->readings.data[i].name, name) == 0);
    if (!known) refuse_reading(l, name);
    at += length + (at[length] == '+');
  }
}

/* Adds the readings about programs, each once, even if a line of the model asks for it too. Those of one gap are
 * adjacent. */
static void add_program_readings(struct loader *l, const char *chosen) {
  static const struct cat_reading rows[READING_COUNT] = {
#define READING(id, name, effect, meaning) [READING_##id] = {name, false, CAT_##effect},
#include "cat/readings.def"
  };
  for (int i = 0; i < READING_COUNT; i++) {
    struct cat_reading row = rows[i];
    row.chosen = l->model->reads[i] = model_chooses(chosen, row.name);
    VEC_KEEP(known, &l->model->readings, strcmp(known->name, row.name) != 0);
    if (row.chosen && i > 0 && l->model->reads[i - 1] && same_gap(row.name, rows[i - 1].name))
      diag_report(l->e.diags, DIAG_TWO_READINGS, (struct span){0}, "model '%s' cannot have both %s and %s",
                  l->model->name, rows[i - 1].name, row.name);
    VEC_PUSH(l->e.build.arena, &l->model->readings, row);
  }
}

static struct model *read(struct arena *arena, struct diags *diags, const struct source *source, const char *readings,
                          cat_open *open, void *state, bool hosts) {
  uint32_t errors = diags->errors;
  struct model *model = ARENA_NEW(arena, struct model);
  struct loader *l = ARENA_NEW(arena, struct loader);
  model->name = base_name(arena, source->name);
  model->hosts = hosts;
  l->e.build = (struct builder){arena, model};
  l->e.diags = diags;
  l->e.chosen = readings;
  l->model = model;
  l->language_depth = UINT32_MAX;
  l->open = open;
  l->state = state;
  include(l, "stdlib.cat", (struct span){NULL, 0, 0});
  model->main = model->sources.len;
  run_file(l, source, true);
  add_program_readings(l, readings);
  if (diags->errors == errors) check_readings(l, readings);
  if (diags->errors != errors) return NULL;
  if (readings) model->name = arena_printf(arena, "%s+%s", model->name, readings);
  doubts_end(&l->e, source);
  build_compact(l->e.build);
  build_cache(l->e.build);
  return model;
}

struct model *model_read(struct arena *arena, struct diags *diags, const struct source *source, const char *readings,
                         cat_open *open, void *state) {
  return read(arena, diags, source, readings, open, state, false);
}

struct model *model_read_hosts(struct arena *arena, struct diags *diags, const struct source *source,
                               const char *readings, cat_open *open, void *state) {
  return read(arena, diags, source, readings, open, state, true);
}
