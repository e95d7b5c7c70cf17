/* Makes the web site of a suite, page by page: ptxlit_site_page and ptxlit_site_end. */
#include <strings.h>

#include "draw/svg.h"
#include "explain/explain.h"
#include "out/explain.h"
#include "api/session.h"

/* ---- names of files ---- */

static bool is_plain(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' || c == '_' ||
         c == '-' || c == '+';
}

/* Ignores case, as some file systems do. */
static bool name_taken(const struct ptxlit *s, const char *path) {
  for (uint32_t i = 0; i < s->pages.len; i++)
    if (strcasecmp(s->pages.data[i].href, path) == 0) return true;
  return false;
}

/* True for names of devices on some systems, with any ending. */
static bool is_reserved(const char *name) {
  static const char *const devices[] = {"con", "prn", "aux", "nul", "com", "lpt"};
  for (size_t i = 0; i < ARRAY_LEN(devices); i++) {
    size_t length = strlen(devices[i]) + (i >= 4); /* a digit follows the last two */
    if (strncasecmp(name, devices[i], 3) != 0 || strcspn(name, ".") != length) continue;
    if (length == 3 || (name[3] >= '0' && name[3] <= '9')) return true;
  }
  return false;
}

enum { LONGEST_NAME = 200 };

/* A path that needs no escape in a URL, is valid on any system, and is new among the pages. */
static const char *page_path(struct ptxlit *s, const char *name) {
  size_t length = strlen(name) < LONGEST_NAME ? strlen(name) : LONGEST_NAME;
  char *plain = arena_strndup(&s->session, *name ? name : "_", *name ? length : 1);
  for (char *c = plain; *c; c++)
    if (!is_plain(*c)) *c = '_';
  if (*plain == '.' || is_reserved(plain)) *plain = '_';
  const char *path = arena_printf(&s->session, "tests/%s.html", plain);
  for (unsigned n = 2; name_taken(s, path); n++) path = arena_printf(&s->session, "tests/%s~%u.html", plain, n);
  return path;
}

static const char *directory_of(struct ptxlit *s, const char *file) {
  size_t length = (size_t)(base_file_name(file) - file);
  return length ? arena_strndup(&s->session, file, length - 1) : "";
}

/* ---- pictures ---- */

struct picture {
  struct arena *arena;
  double deadline;
  const char *svg, *words;
};

static void draw(void *context, const struct pick *pick) {
  struct picture *p = context;
  struct scene *scene = scene_build(p->arena, pick, NULL);
  const struct svg_options options = {.scale = 1};
  struct text svg = {.arena = p->arena}, words = {.arena = p->arena};
  svg_write(layout_build(p->arena, scene, false, p->deadline), &options, &svg);
  svg_words(scene, &words);
  p->svg = text_str(&svg);
  p->words = text_str(&words);
}

static void add_picture(struct ptxlit *s, const struct result *result, double deadline, struct page_model *model) {
  struct picture p = {.arena = &s->input};
  struct pick_options options = session_pick(s, PICK_AUTO, 1);
  options.result = result;
  /* The time left, but at least 0.25 s, so that quick pictures are always made. */
  if (deadline > 0) options.timeout = deadline - base_now() > 0.25 ? deadline - base_now() : 0.25;
  p.deadline = base_deadline(options.timeout);
  struct picked picked = pick_executions(&s->input, result->program, result->model, &options, draw, &p);
  model->picture = p.svg;
  model->words = p.words;
  model->no_picture = p.svg ? NULL : picked.why;
}

/* ---- words ---- */

static void add_explanation(struct ptxlit *s, const struct full_result *full, double deadline,
                            struct page_model *model) {
  struct picture p = {.arena = &s->input};
  struct check_options options = session_explaining(s);
  struct result *result = ARENA_NEW(&s->input, struct result);
  struct explanation explanation;
  struct text claim = {.arena = &s->input}, text = {.arena = &s->input};
  *result = full->result;
  explain_result(&s->input, &options, deadline, result, &explanation);
  explain_gaps(&s->input, &options, deadline, &explanation);
  told_pick(&s->input, &explanation, draw, &p);
  model->picture = p.svg;
  model->words = p.words;
  out_explanation_on_page(&explanation, model->picture != NULL, &text);
  out_claim(&explanation, &claim);
  model->claim = text_str(&claim);
  model->explanation = text_str(&text);
  model->gaps = explanation.gaps.data;
  model->gap_count = explanation.gaps.len;
}

/* ---- pages ---- */

static const char *source_text(struct ptxlit *s, const struct litmus_test *ast) {
  return ast->source->hidden ? "" : arena_strndup(&s->input, ast->source->text, ast->source->length);
}

static enum ptxlit_status check_models(struct ptxlit *s, size_t test, struct page_model *models,
                                       struct row_cell *cells) {
  enum ptxlit_status worst = PTXLIT_OK;
  for (uint32_t i = 0; i < s->models.len; i++) {
    const struct full_result *full;
    const double limit = s->options.timeout, deadline = base_deadline(limit);
    worst = ptxlit_worse(worst, session_check(s, test, i, &full));
    const struct ptxlit_result *facts = &full->facts;
    models[i].finding = full->finding;
    cells[i] = (struct row_cell){verdict_name((enum verdict)facts->verdict),
                                 observation_name((enum observation)facts->observation), facts->expected != NULL,
                                 facts->as_expected};
    bool decided = facts->verdict == PTXLIT_ALLOWED || facts->verdict == PTXLIT_FORBIDDEN;
    add_explanation(s, full, deadline, &models[i]);
    if (decided && !models[i].picture) add_picture(s, &full->result, deadline, &models[i]);
  }
  return worst;
}

static const char *last_page(const struct ptxlit *s) {
  return s->pages.len ? s->pages.data[s->pages.len - 1].href : NULL;
}

/* Ends the preceding page with a link to `next`. */
static struct ptxlit_page end_page(struct ptxlit *s, struct arena *arena, const char *next) {
  struct text end = {.arena = arena};
  out_page_end(next, &end);
  return (struct ptxlit_page){last_page(s), text_str(&end), true};
}

/* Makes the page of a test from the results of its models; its row goes to the session. */
static size_t make_page(struct ptxlit *s, size_t test, const struct page_model *models, const struct row_cell *cells,
                        struct ptxlit_page *made) {
  const struct litmus_test *ast = session_test(s, test)->ast;
  const char *href = page_path(s, ast->name);
  size_t count = 0;
  struct text html = {.arena = &s->input};
  struct page content = {.name = ast->name,
                         .docs = ast->docs,
                         .file = ast->source->name,
                         .source = source_text(s, ast),
                         .previous = last_page(s),
                         .models = models,
                         .model_count = s->models.len,
                         .seen = session_seen(s, test)};
  out_page(&content, &html);
  if (content.previous) made[count++] = end_page(s, &s->input, href);
  made[count++] = (struct ptxlit_page){href, text_str(&html), false};
  struct page_row row = {.name = arena_strdup(&s->session, ast->name),
                         .href = href,
                         .doc = ast->docs ? arena_strdup(&s->session, ast->docs->text) : "",
                         .group = directory_of(s, ast->source->name),
                         .cells = cells};
  VEC_PUSH(&s->session, &s->pages, row);
  return count;
}

enum ptxlit_status ptxlit_site_page(struct ptxlit *session, size_t test, const struct ptxlit_page **pages,
                                    size_t *count) {
  REQUIRE(session->models.len > 0);
  *pages = NULL;
  *count = 0;
  SESSION_WORK(session, "making the page of", test, NO_MODEL, 4.0 * session->models.len);
  struct page_model *models = ARENA_ARRAY(&session->input, struct page_model, session->models.len);
  struct row_cell *cells = ARENA_ARRAY(&session->session, struct row_cell, session->models.len);
  enum ptxlit_status status = check_models(session, test, models, cells);
  struct ptxlit_page *made = ARENA_ARRAY(&session->input, struct ptxlit_page, 2);
  *count = make_page(session, test, models, cells, made);
  *pages = made;
  return status;
}

static const char *style_text(struct arena *arena) {
  struct text css = {.arena = arena};
  text_add(&css, out_site_style);
  svg_css(&css);
  text_add(&css, "@media (prefers-color-scheme: dark) {\n");
  svg_dark_css(&css);
  text_add(&css, "}\n");
  return text_str(&css);
}

size_t ptxlit_site_end(struct ptxlit *session, const char *title, const struct ptxlit_page **pages) {
  SESSION_GUARD(session, 0);
  struct arena *arena = &session->session;
  struct ptxlit_page *made = ARENA_ARRAY(arena, struct ptxlit_page, 5);
  const char **names = ARENA_ARRAY(arena, const char *, session->models.len);
  size_t count = 0, gap_count;
  const struct explain_gap *gap_list = explain_all_gaps(&gap_count);
  struct text html = {.arena = arena}, gaps = {.arena = arena};
  for (uint32_t i = 0; i < session->models.len; i++) {
    const struct loaded *l = &session->models.data[i];
    names[i] = l->met[0] && l->met[1] ? arena_printf(arena, "%s or %s", l->model->name, l->other) : l->model->name;
  }
  out_index(title, names, session->models.len, session->pages.data, session->pages.len, &html);
  out_gaps_page(gap_list, gap_count, &gaps);
  if (session->pages.len) made[count++] = end_page(session, arena, NULL);
  made[count++] = (struct ptxlit_page){"index.html", text_str(&html), false};
  made[count++] = (struct ptxlit_page){"gaps.html", text_str(&gaps), false};
  made[count++] = (struct ptxlit_page){"style.css", style_text(arena), false};
  made[count++] = (struct ptxlit_page){"search.js", out_site_script, false};
  *pages = made;
  return count;
}
