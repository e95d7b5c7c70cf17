/* ptxlit generate: writes generated tests as text, JSON or files. */
#include "cli/run.h"

struct generating {
  struct run *run;
  const char *dir; /* NULL: standard output */
  uint64_t made, most;
};

static bool take(void *state, const struct ptxlit_generated *test) {
  struct generating *g = state;
  g->made++;
  if (g->dir) return run_write_test(g->run, g->dir, test->name, test->text) && g->made != g->most;
  run_write(g->run, test->text, strlen(test->text));
  return !g->run->broken && g->made != g->most;
}

struct ptxlit_generate_options run_generate_options(const struct run *run) {
  const struct setting *set = run->options->set;
  struct ptxlit_generate_options to = ptxlit_generate_defaults();
  to.instructions = set[OPT_INSTRUCTIONS].text;
  to.proxies = set[OPT_PROXIES].text;
  to.scopes = set[OPT_SCOPES].text;
  to.placements = set[OPT_PLACEMENTS].text;
  to.dependencies = set[OPT_GENERATE_DEPENDENCIES].text;
  to.events = (unsigned)set[OPT_EVENTS].number;
  to.threads = (unsigned)set[OPT_THREADS].number;
  to.locations = (unsigned)set[OPT_LOCATIONS].number;
  to.minimal = set[OPT_MINIMAL].text;
  to.expect = set[OPT_STATE_EXPECT].text;
  to.wide = set[OPT_WIDE_SCOPES].given;
  to.tables = set[OPT_TABLES].given;
  to.random = set[OPT_RANDOM].number;
  to.seed = set[OPT_GENERATE_SEED].number;
  return to;
}

/* True if an option selects tests. Without such an option the output would be millions of lines. */
static bool selects(const struct run *run) {
  static const enum option_id which[] = {OPT_EVENTS,     OPT_THREADS, OPT_LOCATIONS, OPT_INSTRUCTIONS,
                                         OPT_SCOPES,     OPT_PROXIES, OPT_MINIMAL,   OPT_GENERATE_DEPENDENCIES,
                                         OPT_PLACEMENTS, OPT_RANDOM,  OPT_MOST};
  return SOME_BELOW(i, sizeof which / sizeof which[0], run->options->set[which[i]].given);
}

void verb_generate(struct run *run) {
  struct ptxlit_generate_options options = run_generate_options(run);
  struct generating g = {
      .run = run, .dir = run_path(run, OPT_GENERATE_DIR), .most = run->options->set[OPT_MOST].number};
  if (!selects(run)) options.minimal = "ptx";
  if (run->options->files.count) {
    run_complain(run, "ptxlit generate --help says how to use it", "generate takes no operand");
    return;
  }
  if (!run_shard(run, OPT_PART, &options.part, &options.parts)) return;
  if (options.minimal && options.random) {
    run_complain(run, "make all minimal tests, and pick", "--minimal and --random exclude each other");
    return;
  }
  if (options.tables && run_has(run, OPT_GENERATE_FORMAT, "json")) {
    run_complain(run, "JSON has no tables of tests", "--tables and --format json exclude each other");
    return;
  }
  if (g.dir && !run_make_directories(run, g.dir)) return;
  if (!run_open(run)) return;
  bool json = run_has(run, OPT_GENERATE_FORMAT, "json");
  run_note(run, ptxlit_generate(run->session, &options, json ? PTXLIT_JSON : PTXLIT_TEXT, take, &g));
  run_flush(run);
  run_show_messages(run);
}
