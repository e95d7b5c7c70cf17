/* ptxlit report: writes a suite as a site of static pages. */

#include "base/output.h"
#include "cli/run.h"

static const char *site(const struct run *run) { return run_path(run, OPT_SITE); }

static void write_pieces(struct run *run, const struct ptxlit_page *pages, size_t count) {
  for (size_t i = 0; i < count && !run->broken; i++) {
    const char *full = arena_printf(run->options->arena, "%s/%s", site(run), pages[i].path);
    bool spared = run_spares(run, full, &run->visited);
    const char *text = pages[i].text;
    bool written = spared && (pages[i].append ? files_append(full, text)
                                              : output_write(full, text, strlen(text), OUTPUT_REPLACE));
    if (spared && !written) run_cannot_write(run, full);
    run->broken = !written; /* the next write would fail as well */
  }
}

static bool report_test(struct run *run, size_t test, size_t model, void *state) {
  (void)model, (void)state;
  const struct ptxlit_page *pages;
  size_t count;
  run_note(run, ptxlit_site_page(run->session, test, &pages, &count));
  run_show_messages(run);
  write_pieces(run, pages, count);
  return false; /* the page covers all models */
}

static bool make_site(struct run *run) {
  return run_make_directories(run, arena_printf(run->options->arena, "%s/tests", site(run)));
}

static void report_all(struct run *run) {
  if (!run_open(run) || !run_load_models(run) || !make_site(run)) return;
  const char *title = run->options->set[OPT_TITLE].text;
  run_tests(run, report_test, NULL);
  if (run->broken) return;
  const struct ptxlit_page *pages;
  size_t count = ptxlit_site_end(run->session, title ? title : "Litmus tests", &pages);
  write_pieces(run, pages, count);
  if (!count) run_show(run, NULL);
}

void verb_report(struct run *run) {
  if (site(run)) report_all(run);
  else run_complain(run, "give the directory of the pages with -o DIRECTORY", "no directory for the report");
}
