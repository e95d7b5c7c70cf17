/* ptxlit report: a suite as a site of static pages. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/apart.h"

static const char *site(const struct run *run) { return run_path(run, OPT_SITE); }

/* Writes a page of the site; `path` is relative to it. */
static void write_page(struct run *run, const char *path, const char *html) {
  size_t length = strlen(site(run)) + strlen(path) + 2;
  char *full = must_alloc(length);
  snprintf(full, length, "%s/%s", site(run), path);
  if (!run_spares(run, full, NULL)) {
    run->broken = true;
  } else if (!files_write(full, html, strlen(html), false)) {
    run_cannot_write(run, full);
    run->broken = true; /* the next one would fail as well */
  }
  free(full);
}

static bool report_test(struct run *run, size_t test, size_t model, void *state) {
  (void)model;
  (void)state;
  const struct ptxlit_page *page;
  run_note(run, ptxlit_site_page(run->session, test, &page));
  run_show_messages(run);
  if (page) write_page(run, page->path, page->html);
  return false; /* the page has all models */
}

static bool make_site(struct run *run) {
  size_t length = strlen(site(run)) + 8;
  char *tests = must_alloc(length);
  snprintf(tests, length, "%s/tests", site(run));
  bool made = run_make_directories(run, tests);
  free(tests);
  return made;
}

static void report_all(struct run *run, void *state) {
  (void)state;
  if (!run_open(run) || !run_load_models(run) || !make_site(run)) return;
  const char *title = run->options->set[OPT_TITLE].text;
  run_tests(run, report_test, NULL);
  if (run->broken) return;
  const char *html = ptxlit_site_index(run->session, title ? title : "Litmus tests");
  if (html) write_page(run, "index.html", html);
  else run_show(run, NULL);
}

void verb_report(struct run *run) {
  if (site(run)) apart_run(run, report_all, NULL);
  else run_complain(run, "-o DIRECTORY says where to put the pages", "no directory for the report");
}
