#include "out/site.h"

static void add_counts(const char *const *models, uint32_t model_count, const struct page_row *rows, uint32_t row_count,
                       struct text *out) {
  static const char *const words[] = {"allowed", "forbidden", "undefined", "unknown", "safe", "unsafe"};
  const char *verdicts[ARRAY_LEN(words)];
  size_t count_of_words = 0;
  for (size_t v = 0; v < ARRAY_LEN(words); v++) { /* the last two only if some test has such a verdict */
    bool any = v < 4;
    for (uint32_t i = 0; i < row_count * model_count; i++)
      any = any || strcmp(rows[i / model_count].cells[i % model_count].verdict, words[v]) == 0;
    if (any) verdicts[count_of_words++] = words[v];
  }
  text_add(out, "<div><table class=\"counts\">\n<thead><tr><th>Model</th>");
  for (size_t v = 0; v < count_of_words; v++) text_printf(out, "<th>%s</th>", verdicts[v]);
  text_add(out, "<th>expectations not met</th></tr></thead>\n<tbody>\n");
  for (uint32_t m = 0; m < model_count; m++) {
    uint32_t unmet = 0;
    text_weave(out, "<tr><td>", models[m], "</td>", NULL);
    for (size_t v = 0; v < count_of_words; v++) {
      uint32_t count = 0;
      for (uint32_t i = 0; i < row_count; i++) count += strcmp(rows[i].cells[m].verdict, verdicts[v]) == 0;
      text_printf(out, "<td>%u</td>", count);
    }
    for (uint32_t i = 0; i < row_count; i++) unmet += rows[i].cells[m].expected && !rows[i].cells[m].as_expected;
    text_printf(out, "<td%s>%u</td></tr>\n", unmet ? " class=\"unmet\"" : "", unmet);
  }
  text_add(out, "</tbody>\n</table></div>\n");
}

static void begin_group(const char *group, const char *const *models, uint32_t model_count, struct text *out) {
  text_weave(out, "<section>\n<h2>", *group ? group : "Tests",
             "</h2>\n<div><table class=\"list\">\n<thead><tr><th>Test</th>", NULL);
  for (uint32_t m = 0; m < model_count; m++) text_weave(out, "<th>", models[m], "</th>", NULL);
  text_add(out, "<th>Question</th></tr></thead>\n<tbody>\n");
}

static void add_row(const struct page_row *row, const char *const *models, uint32_t model_count, struct text *out) {
  text_weave(out, "<tr><td><a href=\"", row->href, "\">", row->name, "</a></td>", NULL);
  for (uint32_t m = 0; m < model_count; m++) {
    const struct row_cell *cell = &row->cells[m];
    text_add(out, model_count > 1 ? "<td data-model=\"" : "<td");
    if (model_count > 1) text_markup(out, models[m]);
    text_printf(out, "%s class=\"%s\">%s%s</td>", model_count > 1 ? "\"" : "", cell->verdict, cell->verdict,
                cell->expected && !cell->as_expected ? " <span class=\"unmet\">(not expected)</span>" : "");
  }
  text_weave(out, "<td>", row->doc, "</td></tr>\n", NULL);
}

void out_index(const char *title, const char *const *models, uint32_t model_count, const struct page_row *rows,
               uint32_t row_count, struct text *out) {
  html_begin(out, title, "");
  text_weave(out, "<h1>", title, "</h1>", NULL);
  text_printf(out,
              "\n<p>%u test%s. A test asks whether some execution can end in a certain way; each model "
              "answers.</p>\n",
              row_count, row_count == 1 ? "" : "s");
  add_counts(models, model_count, rows, row_count, out);
  for (uint32_t i = 0; i < row_count; i++) {
    bool first = i == 0 || strcmp(rows[i - 1].group, rows[i].group) != 0;
    bool last = i + 1 == row_count || strcmp(rows[i + 1].group, rows[i].group) != 0;
    if (first) begin_group(rows[i].group, models, model_count, out);
    add_row(&rows[i], models, model_count, out);
    if (last) text_add(out, "</tbody>\n</table></div>\n</section>\n");
  }
  text_add(out, "<script src=\"search.js\"></script>\n");
  html_end(out);
}
