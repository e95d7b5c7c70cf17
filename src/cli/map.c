/* ptxlit map: checks a mapping from CUDA C++ to PTX. */
#include "cli/run.h"

void verb_map(struct run *run) {
  const struct setting *set = run->options->set;
  struct ptxlit_map_options to = ptxlit_map_defaults();
  const char *text;
  if (!run->options->files.count) {
    run_complain(run, "for example: ptxlit map abi-13", "map takes a table, or several");
    return;
  }
  to.scopes = set[OPT_MAP_SCOPES].text;
  to.placements = set[OPT_MAP_PLACEMENTS].text;
  to.operations = set[OPT_OPERATIONS].text;
  to.shape = set[OPT_SHAPE].text;
  to.model = set[OPT_PTX_MODEL].text;
  to.events = (unsigned)set[OPT_MAP_EVENTS].number;
  to.threads = (unsigned)set[OPT_THREADS].number;
  to.locations = (unsigned)set[OPT_LOCATIONS].number;
  to.length = (unsigned)set[OPT_LENGTH].number;
  to.mixed = set[OPT_MIXED].choice;
  to.old_sequences = run_has(run, OPT_STANDARD, "17");
  if (!run_open(run)) return;
  bool json = run_has(run, OPT_MAP_FORMAT, "json");
  run_tell(run, ptxlit_map(run->session, run->options->files.items, (unsigned)run->options->files.count, &to,
                           json ? PTXLIT_JSON : PTXLIT_TEXT, &text), &text);
}
