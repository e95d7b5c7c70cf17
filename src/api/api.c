/* A session of the library: its memory, its time limits and its messages. */

#include "base/memory.h"
#include "api/session.h"

const char *ptxlit_version(void) { return PTXLIT_VERSION; }
const char *ptxlit_edition(void) { return "PTX ISA 9.4"; }
const char *ptxlit_solver(void) { return check_solver(); }

enum ptxlit_status ptxlit_worse(enum ptxlit_status a, enum ptxlit_status b) {
  static const int rank[] = {[PTXLIT_OK] = 0, [PTXLIT_UNMET] = 1, [PTXLIT_NO_VERDICT] = 2, [PTXLIT_BAD_INPUT] = 3};
  REQUIRE((size_t)a < ARRAY_LEN(rank) && (size_t)b < ARRAY_LEN(rank));
  return rank[a] >= rank[b] ? a : b;
}

const char *ptxlit_nearest(const char *word, const char *const *candidates, size_t count) {
  return nearest_word(word, candidates, count);
}

/* ---- the session */

struct ptxlit *ptxlit_new(void) {
  struct ptxlit *s = calloc(1, sizeof *s);
  if (!s) return NULL;
  arena_init(&s->session, &s->oom);
  arena_init(&s->input, &s->oom);
  arena_init(&s->latest, &s->oom);
  diags_init(&s->diags, &s->latest);
  s->options = ptxlit_defaults();
  return s;
}

void ptxlit_free(struct ptxlit *session) {
  if (!session) return;
  arena_release(&session->latest);
  arena_release(&session->input);
  arena_release(&session->session);
  free(session);
}

struct ptxlit_options ptxlit_defaults(void) {
  return (struct ptxlit_options){.engine = PTXLIT_SAT};
}

void ptxlit_set_options(struct ptxlit *session, const struct ptxlit_options *options) { session->options = *options; }

void session_begin(struct ptxlit *s) {
  arena_release(&s->latest);
  diags_init(&s->diags, &s->latest);
  s->limit[0] = '\0';
  s->limit_id = NULL;
  s->work = (struct session_work){0};
  session_end_limit(s);
}

static void set_deadlines(struct ptxlit *s, double when) {
  arena_set_deadline(&s->session, when);
  arena_set_deadline(&s->input, when);
  arena_set_deadline(&s->latest, when);
}

void session_end_limit(struct ptxlit *s) { set_deadlines(s, 0); }

void session_begin_reading(struct ptxlit *s, const char *name) {
  session_begin(s);
  s->work = (struct session_work){.what = "reading", .name = name};
  set_deadlines(s, base_deadline(s->options.timeout));
}

PRINTF_LIKE(3, 4)
static void print(char *to, size_t size, const char *format, ...) {
  va_list args;
  va_start(args, format);
  base_format(to, size, format, args);
  va_end(args);
}

/* Replaces, in place, the characters that a terminal or a CI runner would act on. */
static void tame_limit(char *text) {
  for (size_t length; *text; text += length) {
    bool wrong = text_is_hidden(text_character(text, &length)) && (text[0] != '\n' || text[1]);
    if (wrong || (text[0] == '#' && text[1] == '#')) memset(text, '?', length);
  }
}

/* Must not allocate: there may be no memory left. */
enum ptxlit_status session_limit(struct ptxlit *s) {
  const struct session_work *work = &s->work;
  char why[64] = "out of memory", room[64] = "";
  unsigned long long most = memory_limit() >> 20;
  bool late = s->input.late || s->session.late || s->latest.late;
  s->limit_id = reason_get(late ? REASON_TIME_LIMIT : REASON_OUT_OF_MEMORY)->name;
  if (late) print(why, sizeof why, "the time limit of %g s was reached", s->options.timeout);
  else if (most) print(room, sizeof room, " (the limit is %llu MB)", most);
  session_end_limit(s);
  if (!work->name) print(s->limit, sizeof s->limit, "ptxlit: error: %s%s\n", why, room);
  else
    print(s->limit, sizeof s->limit, "ptxlit: error: %s while %s '%.300s'%s%.300s%s%s\n", why, work->what, work->name,
          work->model ? " under '" : "", work->model ? work->model : "", work->model ? "'" : "", room);
  text_shorten(s->limit);
  tame_limit(s->limit);
  return PTXLIT_NO_VERDICT;
}

void session_begin_work(struct ptxlit *s, const char *what, size_t test, size_t model, double times) {
  REQUIRE(test < s->tests.len && (model == NO_MODEL || model < s->models.len));
  session_begin(s);
  s->work = (struct session_work){.what = what,
                                  .name = s->tests.data[test].name,
                                  .model = model != NO_MODEL ? s->models.data[model].model->name : NULL,
                                  .mark = session_mark(s, test)};
  arena_set_deadline(&s->input, base_deadline(times * s->options.timeout));
}

struct session_mark session_mark(const struct ptxlit *s, size_t test) {
  const struct intern *names = s->tests.data[test].names;
  return (struct session_mark){arena_mark(&s->input), names, names ? names->texts.len : 0};
}

/* Tests are older than the mark, so they stay, except for the tests of a table and the hashes, which are made again on
 * request. */
void session_rewind(struct ptxlit *s, struct session_mark mark) {
  session_give_back(s);
  if (!mark.interned || mark.interned->texts.len == mark.names) arena_rewind(&s->input, mark.arena);
}

enum ptxlit_status session_abandon(struct ptxlit *s) {
  session_limit(s);
  session_rewind(s, s->work.mark);
  return PTXLIT_NO_VERDICT;
}

static const char out_of_memory_text[] = "ptxlit: error: out of memory\n";

const char *ptxlit_limit(const struct ptxlit *session) { return session->limit_id; }

const char *ptxlit_messages(struct ptxlit *session, bool colour) {
  if (session->limit[0]) return session->limit;
  SESSION_GUARD(session, out_of_memory_text);
  struct text text = {.arena = &session->latest};
  diags_render(&session->diags, &text, colour);
  return text_str(&text);
}

enum source_status session_open(struct ptxlit *s, struct arena *arena, const char *path,
                                const struct input_bounds *bounds, struct source *out) {
  if (session_held(s, path, out)) return SOURCE_OK;
  enum source_status status =
      bounds ? source_read_named(arena, path, bounds, out) : source_read(arena, path, false, out);
  if (status == SOURCE_UNREADABLE && errno == ENOMEM) arena_out_of_memory(arena);
  return status;
}

const struct source *session_read_within(struct ptxlit *s, struct arena *arena, const char *path,
                                         const struct input_bounds *bounds) {
  struct source *source = ARENA_NEW(arena, struct source);
  static const struct span nowhere = {0};
  bool closed = !bounds && s->options.untrusted && !session_held(s, path, source);
  switch (closed ? source_read(arena, path, true, source) : session_open(s, arena, path, bounds, source)) {
    case SOURCE_OK: return source;
    case SOURCE_TOO_LARGE:
      diag_report(&s->diags, DIAG_UNREADABLE, nowhere, "cannot read '%s': it is larger than %d MB", source->name,
                  SOURCE_LIMIT / (1024 * 1024));
      return NULL;
    case SOURCE_UNREADABLE:
      diag_report(&s->diags, DIAG_UNREADABLE, nowhere, "cannot read '%s': %s", source->name, base_error(errno));
      return NULL;
  }
  BUG("no such status of source_read");
}
