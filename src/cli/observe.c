/* ptxlit observe: what runs on a GPU showed, judged. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/run.h"

/* Tests that are known to contradict, from --known: the list's lines, cut at the first blank. */
struct known {
  char *text;
  char **names;
  bool *contradicts; /* this one does */
  size_t count;
};

struct sums {
  size_t tests, left_out, contradicting, known, open;
  uint64_t runs, met;
};

struct observing {
  struct run *run;
  struct known known;
  struct sums sums;
};

static char *read_whole(struct run *run, const char *path) {
  FILE *file = fopen(path, "r");
  if (!file) {
    run_complain(run, NULL, "cannot read '%s'", path);
    return NULL;
  }
  size_t length = 0, room = 4096;
  char *text = must_alloc(room);
  for (size_t got; (got = fread(text + length, 1, room - length - 1, file)) > 0; length += got) {
    if (length + got + 1 < room) continue;
    char *larger = must_alloc(2 * room);
    memcpy(larger, text, length + got);
    free(text);
    text = larger;
    room *= 2;
  }
  text[length] = '\0';
  fclose(file);
  return text;
}

static bool read_known(struct run *run, struct known *known) {
  const char *path = run->options->set[OPT_KNOWN].text;
  if (!path) return true;
  known->text = read_whole(run, path);
  if (!known->text) return false;
  size_t lines = 1;
  for (const char *at = known->text; *at; at++) lines += *at == '\n';
  known->names = must_alloc(lines * sizeof *known->names);
  known->contradicts = must_alloc(lines * sizeof *known->contradicts);
  for (char *line = strtok(known->text, "\n"); line; line = strtok(NULL, "\n")) {
    line[strcspn(line, " \t")] = '\0';
    if (!*line || *line == '#') continue;
    known->contradicts[known->count] = false;
    known->names[known->count++] = line;
  }
  return true;
}

static bool is_known(struct known *known, const char *name) {
  for (size_t i = 0; i < known->count; i++) {
    if (strcmp(known->names[i], name) != 0) continue;
    known->contradicts[i] = true;
    return true;
  }
  return false;
}

static enum ptxlit_format format_of(const struct run *run, const struct ptxlit_seen *facts) {
  if (run->options->set[OPT_BRIEF].given) return PTXLIT_QUIET;
  (void)facts;
  if (run_has(run, OPT_OBSERVED, "json")) return PTXLIT_JSON;
  return run_has(run, OPT_OBSERVED, "log") ? PTXLIT_LOG : PTXLIT_TEXT;
}

static void add_up(struct sums *sums, const struct ptxlit_seen *facts, bool known) {
  sums->tests++;
  sums->left_out += facts->left_out != NULL;
  if (facts->left_out) return;
  sums->contradicting += facts->contradicts && !known;
  sums->known += known;
  sums->open += facts->open > 0;
  sums->runs += facts->runs;
  sums->met += facts->met > 0;
}

static void observe_one(struct observing *o, size_t seen, size_t model) {
  struct run *run = o->run;
  struct ptxlit_seen facts = {0};
  const char *text;
  enum ptxlit_status status =
      ptxlit_observe(run->session, seen, model, format_of(run, &facts), &facts, &text);
  bool known = facts.contradicts && is_known(&o->known, facts.test);
  run_note(run, known ? PTXLIT_OK : status);
  run_show_messages(run);
  bool brief = run->options->set[OPT_BRIEF].given, notable = facts.contradicts || facts.open;
  if (text && (!brief || notable)) run_show(run, text);
  add_up(&o->sums, &facts, known);
}

static void complain_of_known(struct observing *o) {
  for (size_t i = 0; i < o->known.count; i++)
    if (!o->known.contradicts[i])
      run_complain(o->run, "strike it off the list of --known", "'%s' does not contradict the model",
                   o->known.names[i]);
}

static void show_sums(const struct observing *o) {
  const struct sums *sums = &o->sums;
  printf("%zu tests: %zu run %.3g times, %zu left out. Condition seen in %zu. Contradicting the model: %zu", sums->tests,
         sums->tests - sums->left_out, (double)sums->runs, sums->left_out, sums->met, sums->contradicting);
  if (sums->known) printf(", and %zu known", sums->known);
  if (sums->open) printf(". Not decided: %zu", sums->open);
  printf("\n");
}

static void observe_all(struct observing *o) {
  struct run *run = o->run;
  for (size_t i = 0; i < run->options->files.count; i++) {
    run_note(run, ptxlit_read_results(run->session, run->options->files.items[i]));
    run_show_messages(run);
  }
  for (size_t model = 0; model < ptxlit_model_count(run->session); model++) {
    o->sums = (struct sums){0};
    for (size_t seen = 0; seen < ptxlit_seen_count(run->session) && !run->broken; seen++) observe_one(o, seen, model);
    if (run_has(run, OPT_OBSERVED, "text") && !run->broken) show_sums(o);
    run_flush(run);
  }
  complain_of_known(o);
}

void verb_observe(struct run *run) {
  struct observing o = {.run = run};
  if (!run->options->files.count) {
    run_complain(run, "a program of ptxlit run writes them", "no results given");
    return;
  }
  if (run_open(run) && run_load_models(run) && read_known(run, &o.known)) observe_all(&o);
  free(o.known.text);
  free(o.known.names);
  free(o.known.contradicts);
}
