/* Results and inner stages as text: ptxlit_render, ptxlit_dump. */
#include "api/session.h"

/* FNV-1a over 128 bits, then a few steps that mix the last bytes into all bits. It must not change, because logs are
 * compared by the hashes of tests. */
static value_t hash_text(const char *text, size_t length) {
  const value_t prime = (value_t)1 << 88 | 0x13b;
  value_t hash = (value_t)0x6c62272e07bb0142u << 64 | 0x62b821756295c58du;
  for (size_t i = 0; i < length; i++) hash = (hash ^ (unsigned char)text[i]) * prime;
  for (int i = 0; i < 3; i++) hash = (hash ^ hash >> 61) * ((value_t)0x9e3779b97f4a7c15u << 64 | 0xf39cc0605cedc835u);
  return hash ^ hash >> 64;
}

/* The test in words that mean the same in every dialect; for a kernel, the program after folding. */
static const struct litmus_test *canonical_test(struct ptxlit *s, const struct input_test *test) {
  return lower_canonical(&s->input, test->ast, test->program, &test->lowering);
}

/* The hash of the canonical text without name, quoted text and keys: depends only on the test's behaviour. */
const char *session_test_hash(struct ptxlit *s, struct input_test *test) {
  if (test->hash) return test->hash;
  struct litmus_test bare = *canonical_test(s, test);
  bare.name = "";
  bare.docs = NULL;
  bare.keys = NULL;
  struct text text = {.arena = &s->input};
  litmus_print(&bare, &text);
  value_t hash = hash_text(text_str(&text), text.len);
  test->hash = arena_printf(&s->input, "%016llx%016llx", (unsigned long long)(hash >> 64), (unsigned long long)hash);
  return test->hash;
}

/* Opens the source at a place, if it lies beside the module. */
static void open_quoted(struct ptxlit *s, struct span span, struct quotes *out) {
  const struct source_place *near = source_near(span);
  if (!near || !s->bounds.count) return;
  VEC_EACH (known, out)
    if (strcmp(known->file, near->file) == 0) return;
  const char *name = span.source->name, *slash = strrchr(name, '/');
  const char *path = slash ? arena_printf(&s->input, "%.*s%s", (int)(slash - name) + 1, name, near->file) : near->file;
  struct quoted quoted = {.file = near->file};
  if (session_open(s, &s->input, path, &s->bounds, &quoted.text) != SOURCE_OK || quoted.text.hidden) return;
  VEC_PUSH(&s->input, out, quoted);
}

static void open_at(struct ptxlit *s, const struct result *r, uint32_t thread, uint32_t instr, struct quotes *out) {
  if (thread != NO_THREAD) open_quoted(s, r->program->threads[thread].instrs[instr].span, out);
}

static const struct quotes *open_sources(struct ptxlit *s, const struct result *r) {
  struct quotes *out = ARENA_NEW(&s->input, struct quotes);
  VEC_EACH (f, &r->findings) {
    open_at(s, r, f->thread_a, f->instr_a, out);
    open_at(s, r, f->thread_b, f->instr_b, out);
    open_quoted(s, f->place, out);
  }
  return out;
}

static void render(struct ptxlit *s, const struct full_result *full, enum ptxlit_format format, struct text *out) {
  REQUIRE(full->test < s->tests.len);
  struct finding finding = full->finding;
  finding.quotes = open_sources(s, &full->result);
  switch (format) {
    case PTXLIT_TEXT:
      if (out_is_launch(&full->result)) {
        out_launch(&finding, (struct told_style){s->options.colour, s->options.verbose}, out);
        break;
      } /* fall through */
    case PTXLIT_LOG:
      finding.hash = session_test_hash(s, session_test(s, full->test));
      out_text(&finding, out);
      break;
    case PTXLIT_JSON:
      finding.hash = session_test_hash(s, session_test(s, full->test));
      out_json(&finding, out);
      break;
    case PTXLIT_QUIET: out_quiet(&finding, out); break;
    case PTXLIT_SUMMARY: out_summary(&finding, out); break;
  }
}

/* True for a text with control characters of its own, whose parts are tame. */
static bool has_colours(const struct ptxlit *s, const struct full_result *full, enum ptxlit_format format) {
  return format == PTXLIT_TEXT && s->options.colour && out_is_launch(&full->result);
}

const char *ptxlit_render(struct ptxlit *session, const struct ptxlit_result *result, enum ptxlit_format format) {
  REQUIRE(result);
  SESSION_GUARD(session, NULL);
  struct text text = {.arena = &session->input};
  render(session, (const struct full_result *)result, format, &text);
  return has_colours(session, (const struct full_result *)result, format) ? text_str(&text) : text_tame(&text);
}

struct written_text {
  struct text text; /* first: text_pass gives it back */
  bool coloured;
  ptxlit_write *write;
  void *context;
};

static void write_piece(struct text *text) {
  const struct written_text *written = (const struct written_text *)text;
  const char *tame = written->coloured ? text_str(text) : text_tame(text);
  written->write(written->context, tame, text->len);
}

bool ptxlit_print(struct ptxlit *session, const struct ptxlit_result *result, enum ptxlit_format format,
                  ptxlit_write *write, void *context) {
  REQUIRE(result);
  SESSION_GUARD(session, false);
  struct written_text *written = ARENA_NEW(&session->input, struct written_text);
  *written = (struct written_text){{.arena = &session->input, .pass = write_piece}, false, write, context};
  written->coloured = has_colours(session, (const struct full_result *)result, format);
  render(session, (const struct full_result *)result, format, &written->text);
  write_piece(&written->text);
  return true;
}

const char *session_test_text(struct ptxlit *s, const struct input_test *test) {
  struct text text = {.arena = &s->input};
  litmus_print(canonical_test(s, test), &text);
  return text_str(&text);
}

/* Refuses the text of a kernel that holds an instruction that cannot be judged: as columns it could be. */
static bool check_written(struct ptxlit *s, const struct program *program) {
  for (uint32_t t = 0; t < program->thread_count; t++)
    for (uint32_t i = 0; i < program->threads[t].instr_count; i++) {
      const struct litmus_instr *ast = program->threads[t].instrs[i].ast;
      const struct reason *why = ast->refused ? ast->refused : ast->opaque;
      if (!why || ast->note) continue;
      struct diagnostic *d = diag_report(&s->diags, DIAG_NOT_WRITTEN, ast->span,
                                         "this kernel cannot be written as columns: %s", why->text);
      if (!strstr(why->text, why->cure)) diag_hint(&s->diags, d, "%s", why->cure);
      return false;
    }
  return true;
}

static void dump_test(struct ptxlit *s, size_t test, const struct model *model, enum ptxlit_dump what,
                      struct text *out) {
  const struct program *program = session_test(s, test)->program;
  const struct shape shape = session_shape(&s->options);
  switch (what) {
    case PTXLIT_DUMP_AST:
      if (check_written(s, program)) text_add(out, session_test_text(s, session_test(s, test)));
      break;
    case PTXLIT_DUMP_MODEL: BUG("a model is not a test");
    case PTXLIT_DUMP_EVENTS: check_dump(&s->input, program, model, &shape, DUMP_EVENTS, out); break;
    case PTXLIT_DUMP_BOUNDS: check_dump(&s->input, program, model, &shape, DUMP_BOUNDS, out); break;
    case PTXLIT_DUMP_CNF: check_dump(&s->input, program, model, &shape, DUMP_CNF, out); break;
  }
}

static const char *dump_model(struct ptxlit *s, const struct model *model) {
  SESSION_GUARD(s, NULL);
  struct text text = {.arena = &s->latest};
  model_dump(model, &text);
  return text_tame(&text);
}

const char *ptxlit_dump(struct ptxlit *session, size_t test, size_t model, enum ptxlit_dump what) {
  bool needs_model = what != PTXLIT_DUMP_AST && what != PTXLIT_DUMP_EVENTS;
  REQUIRE(!needs_model || model < session->models.len);
  const struct model *of = needs_model ? session->models.data[model].model : NULL;
  if (what == PTXLIT_DUMP_MODEL) return dump_model(session, of);
  session_begin_work(session, "dumping", test, needs_model ? model : NO_MODEL, 1);
  if (setjmp(session->oom)) {
    session_abandon(session);
    return NULL;
  }
  struct text text = {.arena = &session->input};
  dump_test(session, test, of, what, &text);
  arena_set_deadline(&session->input, 0);
  return session->diags.errors ? NULL : text_tame(&text);
}
