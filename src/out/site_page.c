#include <stdlib.h>
#include <string.h>

#include "out/site.h"

static const struct result *result_of(const struct page *page, uint32_t model) {
  return page->models[model].finding.result;
}

/* A link to another page; `path` is relative to the site. */
static void add_way(const char *path, const char *rel, const char *word, struct text *out) {
  text_printf(out, " <a rel=\"%s\" href=\"../", rel);
  text_markup(out, path);
  text_printf(out, "\">%s</a>", word);
}

static void add_head(const struct page *page, struct text *out) {
  text_add(out, "<nav class=\"way\"><a href=\"../index.html\">All tests</a>");
  if (page->previous) add_way(page->previous, "prev", "Previous", out);
  text_add(out, " <a href=\"#end\">Next</a></nav>\n<h1>");
  text_markup(out, page->name);
  text_add(out, "</h1>\n");
  for (uint32_t i = 0; i < page->doc_count; i++) {
    text_add(out, "<p>");
    text_markup(out, page->docs[i]);
    text_add(out, "</p>\n");
  }
  text_add(out, "<p class=\"muted\">");
  text_markup(out, page->file);
  text_add(out, "</p>\n<pre>");
  text_markup(out, page->source);
  text_add(out, "</pre>\n");
}

static void add_expectation(const struct finding *finding, struct text *out) {
  if (!finding->expected) {
    text_add(out, "<span class=\"muted\">none stated</span>");
    return;
  }
  text_add(out, finding->as_expected ? "" : "<span class=\"unmet\">not met: ");
  text_markup(out, finding->expected);
  text_add(out, finding->as_expected ? "" : "</span>");
}

static void add_verdicts(const struct page *page, struct text *out) {
  text_add(out, "<h2 id=\"verdicts\">Verdicts</h2>\n<p>The condition: <code>");
  text_markup(out, result_of(page, 0)->program->condition_text);
  text_add(out, "</code></p>\n<div class=\"scroll\"><table>\n<thead><tr><th>Model</th><th>Verdict</th><th>Observation"
                "</th><th>Condition</th><th>Expected</th></tr></thead>\n<tbody>\n");
  for (uint32_t i = 0; i < page->model_count; i++) {
    const struct result *r = result_of(page, i);
    bool decided = r->verdict == VERDICT_ALLOWED || r->verdict == VERDICT_FORBIDDEN;
    text_add(out, "<tr><td>");
    text_markup(out, r->model->name);
    text_add(out, "</td><td>");
    html_verdict(out, verdict_name(r->verdict));
    if (r->vacuous) text_add(out, " <span class=\"muted\">(no model could allow it)</span>");
    text_printf(out, "</td><td>%s</td><td>%s</td><td>", observation_name(r->observation),
                !decided   ? "not judged"
                : r->holds ? "holds"
                           : "does not hold");
    add_expectation(&page->models[i].finding, out);
    text_add(out, "</td></tr>\n");
  }
  text_add(out, "</tbody>\n</table></div>\n");
}

/* ---- outcomes: rows are states of any model, columns are models ---- */

/* The states that some model has, in order. */
struct state_rows {
  const struct page *page;
  uint32_t *at;         /* by model: its next outcome */
  bool *has;            /* by model: it has this one */
  struct outcome least; /* this one, until the next is asked for */
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
    text_add(out, i ? " " : "");
    text_markup(out, o->name);
    text_char(out, '=');
    type_print(o->type, outcome->values[i], out);
    text_char(out, ';');
  }
  if (!p->observed_count) text_add(out, "(nothing is observed)");
}

/* A list that is longer than LONG_LIST is folded, so that it does not push away what follows. */
enum { MAX_STATES = 200, LONG_LIST = 24 };

static uint32_t count_states(struct arena *arena, const struct page *page) {
  uint32_t count = 0;
  struct state_rows rows = state_rows(arena, page);
  while (count < MAX_STATES && next_state(&rows)) count++;
  return count;
}

static void add_seen(const struct page *page, const struct outcome *outcome, struct text *out) {
  struct text state = {.arena = out->arena};
  judge_state(result_of(page, 0)->program, outcome->values, &state);
  text_add(out, "<td>");
  text_markup(out, judge_phrase(out->arena, page->seen, seen_count(page->seen, text_str(&state))));
  text_add(out, "</td>");
}

/* What the test asks about, where no model listed such a state. */
static void add_asked(const struct page *page, struct text *out) {
  for (uint32_t m = 0; m < page->model_count; m++)
    if (result_of(page, m)->outcomes.some[true]) return;
  text_add(out, "<tr class=\"satisfies\"><td class=\"state\">");
  text_markup(out, result_of(page, 0)->program->condition_text);
  text_add(out, "</td>");
  for (uint32_t m = 0; m < page->model_count; m++)
    text_printf(out, "<td class=\"muted\">%s</td>", result_of(page, m)->complete ? "no" : "?");
  if (page->seen) text_add(out, "<td></td>");
  text_add(out, "</tr>\n");
}

static void add_table(const struct page *page, struct text *out) {
  uint32_t count = 0;
  struct state_rows rows = state_rows(out->arena, page);
  text_add(out, "<div class=\"scroll\"><table>\n<thead><tr><th>Final state</th>");
  for (uint32_t m = 0; m < page->model_count; m++) {
    text_add(out, "<th>");
    text_markup(out, result_of(page, m)->model->name);
    text_add(out, "</th>");
  }
  if (page->seen) text_add(out, "<th>On GPUs</th>");
  text_add(out, "</tr></thead>\n<tbody>\n");
  bool more = next_state(&rows);
  for (; more && count < MAX_STATES; more = next_state(&rows), count++) {
    text_add(out, rows.least.satisfies ? "<tr class=\"satisfies\"><td class=\"state\">" : "<tr><td class=\"state\">");
    add_state(result_of(page, 0)->program, &rows.least, out);
    text_add(out, "</td>");
    for (uint32_t m = 0; m < page->model_count; m++)
      text_add(out, rows.has[m]                    ? "<td>yes</td>"
                    : result_of(page, m)->complete ? "<td class=\"muted\">no</td>"
                                                   : "<td class=\"muted\">?</td>");
    if (page->seen) add_seen(page, &rows.least, out);
    text_add(out, "</tr>\n");
  }
  if (!more) add_asked(page, out);
  text_add(out, "</tbody>\n</table></div>\n");
  if (more) text_printf(out, "<p>There are more; the first %d are listed.</p>\n", (int)MAX_STATES);
}

static void add_outcomes(const struct page *page, struct text *out) {
  uint32_t count = count_states(out->arena, page);
  text_add(out, "<h2 id=\"outcomes\">Outcomes</h2>\n");
  if (!count) {
    text_add(out, "<p class=\"muted\">None is listed.</p>\n");
    return;
  }
  text_add(out, "<p>States that satisfy the condition's predicate are marked.</p>\n");
  if (count > LONG_LIST) text_printf(out, "<details>\n<summary>%u final states</summary>\n", count);
  add_table(page, out);
  if (count > LONG_LIST) text_add(out, "</details>\n");
}

/* ---- why ---- */

static void add_flags(const struct result *r, struct text *out) {
  for (uint32_t i = 0; i < r->raised.len; i++) {
    const struct raised *raised = &r->raised.data[i];
    text_add(out, "<p>");
    text_markup(out, raised->name);
    text_add(out, "</p>\n<ul>\n");
    for (uint32_t k = 0; k < raised->pair_count; k++) {
      const struct raised_pair *pair = &raised->pairs[k];
      struct text line = {.arena = out->arena};
      out_instr(r->program, pair->thread_a, pair->instr_a, &line);
      text_add(&line, "  and  ");
      out_instr(r->program, pair->thread_b, pair->instr_b, &line);
      text_add(out, "<li><code>");
      text_markup(out, text_str(&line));
      text_add(out, "</code></li>\n");
    }
    if (!raised->pair_count) text_add(out, "<li>in some execution</li>\n");
    text_add(out, "</ul>\n");
  }
}

/* A wide picture shrinks to the page's width, but not to less than two thirds: then the reader scrolls. */
static void add_picture(const char *svg, struct text *out) {
  const char *width = strstr(svg, "width=\"");
  unsigned long points = width ? strtoul(width + strlen("width=\""), NULL, 10) : 0;
  text_printf(out, "<figure style=\"--least: %lupt\">\n%s\n</figure>\n", points * 2 / 3, svg);
}

static void add_model(const struct page *page, uint32_t index, struct text *out) {
  const struct page_model *model = &page->models[index];
  const struct result *r = model->finding.result;
  text_printf(out, "<details%s>\n<summary>", index == 0 ? " open=\"open\"" : "");
  text_markup(out, r->model->name);
  text_add(out, ": ");
  html_verdict(out, verdict_name(r->verdict));
  text_add(out, "</summary>\n");
  if (r->reason) {
    struct text reason = {.arena = out->arena};
    out_reason(r, &reason);
    text_add(out, "<p>");
    text_markup(out, text_str(&reason));
    text_add(out, "</p>\n");
  }
  if (model->picture) add_picture(model->picture, out);
  if (model->no_picture) {
    text_add(out, "<p class=\"muted\">No picture: ");
    text_markup(out, model->no_picture);
    text_add(out, "</p>\n");
  }
  if (model->explanation) {
    text_add(out, "<pre>");
    text_markup(out, model->explanation);
    text_add(out, "</pre>\n");
  }
  add_flags(r, out);
  text_add(out, "</details>\n");
}

void out_page(const struct page *page, struct text *out) {
  REQUIRE(page->model_count > 0);
  html_begin(out, page->name, "../");
  add_head(page, out);
  add_verdicts(page, out);
  add_outcomes(page, out);
  text_add(out, "<h2 id=\"why\">Why</h2>\n");
  for (uint32_t i = 0; i < page->model_count; i++) add_model(page, i, out);
  text_add(out, "<nav id=\"end\" class=\"way\"><a href=\"../index.html\">All tests</a>");
}

void out_page_end(const char *next, struct text *out) {
  if (next) add_way(next, "next", "Next", out);
  text_add(out, "</nav>\n");
  html_end(out);
}
