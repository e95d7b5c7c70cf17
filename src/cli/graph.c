/* ptxlit graph: draws executions. */

#include "base/output.h"
#include "cli/run.h"

struct picture_job {
  struct ptxlit_draw_options draw;
  const char *path; /* the destination; NULL: standard output */
  unsigned written; /* pictures so far */
};

static const char *const formats[] = {
    [PTXLIT_PICTURE_TEXT] = "text", [PTXLIT_PICTURE_DOT] = "dot", [PTXLIT_PICTURE_SVG] = "svg"};

static const char *ending(const char *path) {
  const char *dot = strrchr(path, '.');
  return dot && !strchr(dot, '/') ? dot : path + strlen(path);
}

/* The format for the ending of a path: text without an ending; an unknown ending is returned without its dot. */
static const char *named_by(const char *path) {
  const char *word = *ending(path) ? ending(path) + 1 : "text";
  if (strcmp(word, "txt") == 0) return "text";
  return strcmp(word, "gv") == 0 ? "dot" : word;
}

static bool find_format(const char *word, enum ptxlit_picture *out) {
  for (int i = PTXLIT_PICTURE_TEXT; i <= PTXLIT_PICTURE_SVG; i++) {
    if (strcmp(formats[i], word) != 0) continue;
    *out = (enum ptxlit_picture)i;
    return true;
  }
  return false;
}

/* Chooses the format: by the option, else by the file's ending, else text. */
static bool choose_format(struct run *run, struct picture_job *graph) {
  const char *word = run->options->set[OPT_PICTURE].word, *named = graph->path ? named_by(graph->path) : "text";
  bool named_right = find_format(named, &graph->draw.format);
  if (*word && graph->path && *ending(graph->path) && named_right && strcmp(word, named) != 0)
    return run_complain(run, "leave out --format, or give the file another ending",
                        "'%s' is not a name for a picture in %s", graph->path, word);
  if (!*word) word = named;
  if (find_format(word, &graph->draw.format)) return true;
  return run_complain(run, "use .txt, .dot or .svg, or --format; Graphviz's `dot` converts .dot files to other formats",
                      "unknown picture format '.%s'", word);
}

static bool choose_picture(struct run *run, struct picture_job *graph) {
  const struct setting *pick = &run->options->set[OPT_PICK];
  if (pick->given) graph->draw.pick = (enum ptxlit_pick)(PTXLIT_PICK_WITNESS + pick->choice);
  graph->path = run_path(run, OPT_PICTURE_FILE);
  graph->draw.dark = run->options->set[OPT_DARK].given;
  graph->draw.steps = run->options->set[OPT_STEPS].given;
  graph->draw.scale = (unsigned)run->options->set[OPT_SCALE].number;
  graph->draw.width = (unsigned)run->options->set[OPT_WIDTH].number;
  graph->draw.show = (const char *const *)run->options->set[OPT_SHOW].texts.items;
  graph->draw.show_count = run->options->set[OPT_SHOW].texts.count;
  return choose_format(run, graph);
}

/* The first picture gets the given name, the n-th NAME-n.ext. */
static const char *numbered(struct arena *arena, const struct picture_job *graph) {
  const char *end = ending(graph->path);
  if (graph->written == 0) return graph->path;
  return arena_printf(arena, "%.*s-%u%s", (int)(end - graph->path), graph->path, graph->written + 1, end);
}

static void write_file(struct run *run, struct picture_job *graph, const struct ptxlit_drawing *drawing) {
  const char *path = numbered(run->options->arena, graph);
  if (!run_spares(run, path, &run->visited)) run->broken = true;
  else if (!output_write(path, drawing->data, drawing->size, false)) run_cannot_write(run, path);
}

static void write_drawing(struct run *run, struct picture_job *graph, const struct ptxlit_drawing *drawing) {
  if (graph->path) {
    write_file(run, graph, drawing);
  } else {
    if (graph->draw.format == PTXLIT_PICTURE_TEXT && graph->written) run_write(run, "\n", 1);
    run_write(run, drawing->data, drawing->size);
    run_flush(run);
  }
  graph->written++;
}

static bool draw(struct run *run, size_t test, size_t model, void *state) {
  struct picture_job *graph = state;
  const struct ptxlit_drawing *drawings;
  size_t count;
  run_note(run, ptxlit_draw(run->session, test, model, &graph->draw, &drawings, &count));
  for (size_t i = 0; i < count && !run->broken; i++) write_drawing(run, graph, &drawings[i]);
  run_show_messages(run);
  return true;
}

void verb_graph(struct run *run) {
  const struct options *given = run->options;
  struct options options = *given;
  struct picture_job graph = {0};
  char *state;
  run->options = &options;
  if (run_take_state(run, &options.files, &state) && choose_picture(run, &graph)) {
    graph.draw.state = state;
    run_checks(run, draw, &graph);
  }
  run->options = given;
}
