/* ptxlit observe: judges the outcomes of runs on a GPU. */

#include "cli/run.h"

struct sums {
  size_t tests, left_out, contradicting, open, met;
  uint64_t runs;
};

struct observing {
  struct run *run;
  struct sums sums;
};

static enum ptxlit_format format_of(const struct run *run) {
  if (run->options->set[OPT_BRIEF].given) return PTXLIT_QUIET;
  if (run_has(run, OPT_OBSERVED, "json")) return PTXLIT_JSON;
  return run_has(run, OPT_OBSERVED, "log") ? PTXLIT_LOG : PTXLIT_TEXT;
}

static void add_up(struct sums *sums, const struct ptxlit_seen *facts) {
  sums->tests++;
  sums->left_out += facts->left_out != NULL;
  if (facts->left_out) return;
  sums->contradicting += facts->contradicts;
  sums->open += facts->open > 0;
  sums->runs += facts->runs;
  sums->met += facts->met > 0;
}

static void observe_one(struct observing *o, size_t seen, size_t model) {
  struct run *run = o->run;
  struct ptxlit_seen facts = {0};
  const char *text;
  run_note(run, ptxlit_observe(run->session, seen, model, format_of(run), &facts, &text));
  run_show_messages(run);
  bool brief = run->options->set[OPT_BRIEF].given, notable = facts.contradicts || facts.open;
  if (text && (!brief || notable)) run_show(run, text);
  add_up(&o->sums, &facts);
}

static void show_sums(const struct observing *o) {
  const struct sums *sums = &o->sums;
  printf("%zu test%s: %zu run (%.3g runs), %zu skipped; condition seen in %zu; model contradicted in %zu", sums->tests,
         sums->tests == 1 ? "" : "s", sums->tests - sums->left_out, (double)sums->runs, sums->left_out, sums->met,
         sums->contradicting);
  if (sums->open) printf(". Not decided: %zu", sums->open);
  printf("\n");
}

static void judge_all(struct run *run) {
  for (size_t model = 0; model < ptxlit_model_count(run->session); model++) {
    struct observing o = {.run = run};
    for (size_t seen = 0; seen < ptxlit_seen_count(run->session) && !run->broken; seen++) observe_one(&o, seen, model);
    if (run_has(run, OPT_OBSERVED, "text") && !run->broken) show_sums(&o);
    run_flush(run);
  }
}

static void read_results(struct run *run, const char *path) {
  run_note(run, ptxlit_read_results(run->session, path));
  run_show_messages(run);
}

void observe_file(struct run *run, const char *path) {
  read_results(run, path);
  judge_all(run);
}

void verb_observe(struct run *run) {
  const struct word_list *files = &run->options->files;
  if (!files->count) run_complain(run, "a program of ptxlit run writes them", "no results given");
  else if (run_open(run) && run_load_models(run)) {
    for (size_t i = 0; i < files->count; i++) read_results(run, files->items[i]);
    judge_all(run);
  }
}
