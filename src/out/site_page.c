#include "out/site.h"

static const struct result *result_of(const struct page *page, uint32_t model) {
  return page->models[model].finding.result;
}

/* Adds a link to another page in the same directory; `path` is relative to the site. */
static void add_way(const char *path, const char *word, struct text *out) {
  text_weave(out, " <a href=\"", base_file_name(path), "\">", word, "</a>", NULL);
}

static void add_aside(struct text *out, const char *part) {
  if (*part) text_weave(out, "<i>", part, "</i>", NULL);
}

/* The heading: the test's name, shown within the path of its file if the file has the same name. */
static void add_heading(const struct page *page, struct text *out) {
  const char *base = base_file_name(page->file);
  size_t length = strlen(page->name);
  bool within = strncmp(base, page->name, length) == 0;
  text_add(out, "<h1>");
  if (within) add_aside(out, arena_strndup(out->arena, page->file, (size_t)(base - page->file)));
  text_content(out, page->name);
  if (within) add_aside(out, base + length);
  text_add(out, "</h1>\n");
  if (!within) text_weave(out, "<p>", page->file, "</p>", NULL);
}

static void add_head(const struct page *page, struct text *out) {
  text_add(out, "<nav><a href=\"../index.html\">All tests</a>");
  if (page->previous) add_way(page->previous, "Previous", out);
  text_add(out, " <a href=\"#end\">Next</a></nav>\n");
  add_heading(page, out);
  for (const struct litmus_word *doc = page->docs; doc; doc = doc->next)
    text_weave(out, "<p>", doc->text, "</p>\n", NULL);
  text_weave(out, "<pre>", page->source, "</pre>\n", NULL);
}

/* ---- verdicts and outcomes: rows under the names of the models ---- */

static const char SEEN[] = "On GPUs";

/* `last`: a column after those of the models; NULL: none. */
static void begin_table(const struct page *page, const char *what, const char *last, struct text *out) {
  text_printf(out, "<div><table>\n<tr><th>%s</th>", what);
  for (uint32_t i = 0; i < page->model_count; i++) {
    const struct result *r = result_of(page, i);
    text_weave(out, "<th class=\"", verdict_name(r->verdict), "\">", r->model->name, ": ", verdict_name(r->verdict),
               r->vacuous ? " (no model could allow it)</th>" : "</th>", NULL);
  }
  if (last) text_printf(out, "<th>%s</th>", last);
  text_add(out, "</tr>\n");
}

static void end_table(struct text *out) { text_add(out, "</table></div>\n"); }

static void add_condition(const struct page_model *model, struct text *out) {
  const struct result *r = model->finding.result;
  bool decided = r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN;
  text_printf(out, "<td>%s: %s", observation_name(r->observation),
              !decided   ? "not judged"
              : r->holds ? "holds"
                         : "does not hold");
}

static void add_expectation(const struct page_model *model, struct text *out) {
  const struct finding *finding = &model->finding;
  bool met = !finding->expected || finding->as_expected;
  text_add(out, met ? "<td>" : "<td class=\"unmet\">not met: ");
  text_content(out, finding->expected ? finding->expected : "none stated");
}

/* Adds a row that begins with `row`; `add` writes one cell per model, without its end. */
static void add_fact(const struct page *page, const char *row, const char *name,
                     void add(const struct page_model *, struct text *), struct text *out) {
  text_weave(out, row, name, "</th>", NULL);
  for (uint32_t i = 0; i < page->model_count; i++) {
    add(&page->models[i], out);
    text_add(out, "</td>");
  }
  text_add(out, "</tr>\n");
}

static bool expects(const struct page *page) {
  for (uint32_t i = 0; i < page->model_count; i++)
    if (page->models[i].finding.expected) return true;
  return false;
}

/* Adds the verdicts. The state that the test asks about has a row even if no model lists it. */
static void add_verdicts(const struct page *page, struct text *out) {
  add_fact(page, "<tr class=\"asked\"><th>", result_of(page, 0)->program->condition_text, add_condition, out);
  if (expects(page)) add_fact(page, "<tr><th>", "Expected", add_expectation, out);
}

/* Merges the states of all models, in order. */
struct state_rows {
  const struct page *page;
  uint32_t *at;         /* by model: its next outcome */
  bool *has;            /* by model: it has the current state */
  struct outcome least; /* the current state */
};

static struct state_rows state_rows(struct arena *arena, const struct page *page) {
  return (struct state_rows){.page = page,
                             .at = ARENA_ARRAY(arena, uint32_t, page->model_count),
                             .has = ARENA_ARRAY(arena, bool, page->model_count)};
}

static bool next_state(struct state_rows *rows) {
  const struct program *p = result_of(rows->page, 0)->program;
  bool any = false;
  for (uint32_t m = 0; m < rows->page->model_count; m++) {
    const struct outcomes *list = &result_of(rows->page, m)->outcomes;
    rows->has[m] = false;
    if (rows->at[m] == list->len) continue;
    struct outcome outcome = outcomes_at(list, rows->at[m]);
    int order = any ? outcome_order(p, outcome.values, rows->least.values) : -1;
    rows->has[m] = order <= 0;
    for (uint32_t k = 0; k < m && order < 0; k++) rows->has[k] = false;
    if (order < 0) rows->least = outcome;
    any = true;
  }
  for (uint32_t m = 0; m < rows->page->model_count; m++) rows->at[m] += rows->has[m];
  return any;
}

static void add_state(const struct program *p, const struct outcome *outcome, struct text *out) {
  for (uint32_t i = 0; i < p->observed_count; i++) {
    const struct observable *o = &p->observables[i];
    text_weave(out, i ? " " : "", o->name, "=", NULL);
    type_print(o->type, outcome->values[i], out);
    text_char(out, ';');
  }
  if (!p->observed_count) text_add(out, "(nothing is observed)");
}

/* A list longer than LONG_LIST is folded. */
enum { MAX_STATES = 200, LONG_LIST = 24 };

static uint32_t count_states(struct arena *arena, const struct page *page) {
  uint32_t count = 0;
  struct state_rows rows = state_rows(arena, page);
  while (count < MAX_STATES && next_state(&rows)) count++;
  return count;
}

static void add_seen(const struct page *page, const struct outcome *outcome, struct text *out) {
  struct text state = {.arena = out->arena};
  state_print(result_of(page, 0)->program, outcome->values, " ", ";", false, &state);
  uint64_t count = seen_count(page->seen, text_str(&state));
  text_weave(out, "<td>", judge_phrase(out->arena, page->seen, count), "</td>", NULL);
}

static void add_states(const struct page *page, struct text *out) {
  uint32_t count = 0;
  struct state_rows rows = state_rows(out->arena, page);
  bool more = next_state(&rows);
  for (; more && count < MAX_STATES; more = next_state(&rows), count++) {
    text_add(out, rows.least.satisfies ? "<tr class=\"asked\"><td>" : "<tr><td>");
    add_state(result_of(page, 0)->program, &rows.least, out);
    text_add(out, "</td>");
    for (uint32_t m = 0; m < page->model_count; m++)
      text_printf(out, "<td>%s</td>", rows.has[m] ? "yes" : result_of(page, m)->complete ? "no" : "?");
    if (page->seen) add_seen(page, &rows.least, out);
    text_add(out, "</tr>\n");
  }
  if (more) text_printf(out, "<tr><td>Only the first %d are listed.</td></tr>\n", (int)MAX_STATES);
}

static void add_outcomes(const struct page *page, struct text *out) {
  uint32_t count = count_states(out->arena, page);
  text_add(out, "<h2>Verdicts and outcomes</h2>\n");
  begin_table(page, "Model", page->seen && count <= LONG_LIST ? SEEN : NULL, out);
  add_verdicts(page, out);
  if (count > LONG_LIST) {
    end_table(out);
    text_printf(out, "<details>\n<summary>%u final states</summary>\n", count);
    begin_table(page, "Final state", page->seen ? SEEN : NULL, out);
  }
  add_states(page, out);
  end_table(out);
  if (count > LONG_LIST) text_add(out, "</details>\n");
  if (!count) text_add(out, "<p class=\"muted\">No final state is listed.</p>\n");
}

/* ---- why ---- */

static void add_flags(const struct result *r, struct text *out) {
  VEC_EACH (raised, &r->raised) {
    text_weave(out, "<p>", raised->name, "</p>\n<ul>\n", NULL);
    for (uint32_t k = 0; k < raised->pair_count; k++) {
      const struct raised_pair *pair = &raised->pairs[k];
      struct text line = {.arena = out->arena};
      out_instr(r->program, pair->thread_a, pair->instr_a, &line);
      text_add(&line, "  and  ");
      out_instr(r->program, pair->thread_b, pair->instr_b, &line);
      text_weave(out, "<li><code>", text_str(&line), "</code></li>\n", NULL);
    }
    if (!raised->pair_count) text_add(out, "<li>in some execution</li>\n");
    text_add(out, "</ul>\n");
  }
}

/* Links to the page of gaps. */
static void add_gaps(const struct page_model *model, struct text *out) {
  if (!model->gap_count) return;
  text_add(out, "<p>Gaps of the document:");
  for (uint32_t i = 0; i < model->gap_count; i++) {
    unsigned number = model->gaps[i].number;
    text_printf(out, " <a href=\"../gaps.html#G%u\">G%u</a>", number, number);
  }
  text_add(out, "</p>\n");
}

/* Adds a picture, unless an earlier model has the same one. */
static void add_picture(const struct page *page, uint32_t index, struct text *out) {
  const struct page_model *model = &page->models[index];
  uint32_t same = 0;
  if (!model->picture) return;
  while (!page->models[same].picture || strcmp(page->models[same].picture, model->picture) != 0) same++;
  text_add(out, "<div>");
  if (same < index) text_weave(out, "Same picture as under ", result_of(page, same)->model->name, NULL);
  else text_add(out, model->picture);
  text_printf(out, "</div>\n<p class=\"words\">%s</p>\n", model->words);
}

static void add_why(const struct page *page, uint32_t index, struct text *out) {
  const struct page_model *model = &page->models[index];
  const struct result *r = model->finding.result;
  if (r->reason) {
    struct text reason = {.arena = out->arena};
    out_reason(r, &reason);
    text_weave(out, "<p>", text_str(&reason), "</p>\n", NULL);
  }
  add_picture(page, index, out);
  if (model->no_picture) text_weave(out, "<p class=\"muted\">No picture: ", model->no_picture, "</p>\n", NULL);
  text_weave(out, "<pre>", model->explanation, "</pre>\n", NULL);
  add_gaps(model, out);
  add_flags(r, out);
}

/* Adds the explanations; only the first model's is unfolded. */
static void add_whys(const struct page *page, struct text *out) {
  bool several = page->model_count > 1;
  text_add(out, several ? "<h2>Why</h2>\n" : "<h2>Why ");
  for (uint32_t i = 0; i < page->model_count; i++) {
    if (several) text_printf(out, "<details%s><summary>", i == 0 ? " open=\"\"" : "");
    text_weave(out, "", page->models[i].claim, several ? "</summary>\n" : "</h2>\n", NULL);
    add_why(page, i, out);
    if (several) text_add(out, "</details>\n");
  }
}

void out_page(const struct page *page, struct text *out) {
  REQUIRE(page->model_count > 0);
  html_begin(out, page->name, "../");
  add_head(page, out);
  add_outcomes(page, out);
  add_whys(page, out);
  text_add(out, "<nav id=\"end\"><a href=\"../index.html\">All tests</a>");
}

void out_page_end(const char *next, struct text *out) {
  if (next) add_way(next, "Next", out);
  text_add(out, "</nav>\n");
  html_end(out);
}
