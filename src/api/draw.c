/* Pictures of executions: ptxlit_draw. */
#include "draw/layout.h"
#include "api/session.h"
#include "explain/explain.h"

enum { MAX_PICTURES = 64 };

struct drawer {
  struct ptxlit *session;
  const struct ptxlit_draw_options *options;
  const struct program *program;
  size_t test;
  double deadline; /* for finding executions and drawing them */
  struct scene_choice choice;
  VEC(struct ptxlit_drawing) drawings;
  bool cut; /* a warning was given */
};

_Static_assert((int)PTXLIT_PICK_DEADLOCK == (int)PICK_DEADLOCK && (int)PTXLIT_PICK_FORBIDDEN == (int)PICK_FORBIDDEN,
               "the public enumerations are the internal ones");

/* True if every name to draw is the name of a relation. */
static bool names_known(struct drawer *d, const struct model *model) {
  bool known = true;
  for (size_t i = 0; i < d->options->show_count; i++) {
    const char *name = d->options->show[i];
    enum scene_name what = scene_name(model, name);
    if (what == SCENE_RELATION) continue;
    known = false;
    struct diagnostic *diagnostic =
        diag_report(&d->session->diags, DIAG_UNKNOWN_RELATION, (struct span){0},
                    what == SCENE_SET ? "'%s' is a set in the model '%s', and only relations can be drawn"
                                      : "the model '%s' has no relation '%s'",
                    what == SCENE_SET ? name : model->name, what == SCENE_SET ? model->name : name);
    const char *const *names;
    size_t count;
    scene_names(&d->session->latest, model, &names, &count);
    const char *near = nearest_word(name, names, count);
    if (near) diag_hint(&d->session->diags, diagnostic, "did you mean '%s'?", near);
    else diag_hint(&d->session->diags, diagnostic, "relations are defined in the model's file and in models/README.md");
  }
  return known;
}

struct pick_options session_pick(const struct ptxlit *s, enum pick_kind kind, uint32_t most) {
  return (struct pick_options){
      .kind = kind, .most = most, .timeout = s->options.timeout, .shape = session_shape(&s->options)};
}

static void write_picture(const struct drawer *d, const struct scene *scene, struct text *out) {
  const struct ptxlit_draw_options *options = d->options;
  double scale = options->scale ? options->scale / 100.0 : 1;
  const struct layout *layout =
      options->format == PTXLIT_PICTURE_TEXT ? NULL : layout_build(out->arena, scene, d->deadline);
  switch (options->format) {
    case PTXLIT_PICTURE_TEXT: scene_text(scene, options->width, out); break;
    case PTXLIT_PICTURE_DOT: dot_write(layout, options->dark, scale, out); break;
    case PTXLIT_PICTURE_SVG: svg_write(layout, options->dark, scale, out); break;
  }
}

static void add_drawing(struct drawer *d, const struct scene *scene) {
  struct arena *arena = &d->session->input;
  struct text text = {.arena = arena};
  write_picture(d, scene, &text);
  const char *tame = text_tame(&text);
  VEC_PUSH(arena, &d->drawings, ((struct ptxlit_drawing){tame, text.len}));
}

static void draw(void *context, const struct pick *pick) {
  struct drawer *d = context;
  struct arena *arena = &d->session->input;
  struct scene *scene = scene_build(arena, pick, d->options->show_count ? &d->choice : NULL);
  session_note_seen(d->session, d->test, scene);
  const char *problem = d->options->steps && !scene->steps ? "drawn whole: its reads and writes have no order of steps"
                        : scene->focused                   ? NULL
                                                           : scene->left_out;
  if (problem && !d->cut) {
    diag_report(&d->session->diags, DIAG_LEFT_OUT, d->program->span, "%s", problem);
    d->cut = true;
  }
  if (!d->options->steps || !scene->steps) add_drawing(d, scene);
  else
    for (uint32_t i = 1; i <= scene->steps; i++) add_drawing(d, steps_frame(arena, scene, i));
}

/* Finds the verdict. If an execution that the explanation describes is wanted, draws it, and sets *told. */
static const struct result *judge(struct drawer *d, const struct model *model, bool *told) {
  struct arena *arena = &d->session->input;
  struct check_options options = session_explaining(d->session);
  struct result *result = ARENA_NEW(arena, struct result);
  struct explanation why = {0};
  enum ptxlit_pick pick = d->options->pick;
  options.timeout = base_left(d->deadline);
  options.verdict_only = true;
  if (pick == PTXLIT_PICK_AUTO || pick == PTXLIT_PICK_WITNESS || pick == PTXLIT_PICK_FORBIDDEN)
    session_tell(d->session, d->test, d->program, model, &options, result, &why);
  else check(arena, d->program, model, &options, result);
  bool allowed = why.kind == EXPLAIN_ALLOWED || result->sequential == SEQUENTIAL_NO;
  bool wanted = why.kind == EXPLAIN_FORBIDDEN ? pick != PTXLIT_PICK_WITNESS : allowed && pick != PTXLIT_PICK_FORBIDDEN;
  *told = wanted && told_pick(arena, &why, draw, d);
  return result;
}

static enum ptxlit_status conclude(struct drawer *d, const struct picked *picked) {
  struct diags *diags = &d->session->diags;
  enum ptxlit_pick pick = d->options->pick;
  if (picked->more)
    diag_report(diags, DIAG_LEFT_OUT, d->program->span, "'%s' has more than %d %s: the others are not drawn",
                d->program->name, (int)MAX_PICTURES, pick == PTXLIT_PICK_EVERY ? "executions" : "outcomes");
  if (picked->why)
    diag_report(diags, DIAG_NO_PICTURE, picked->unknown ? picked->place : d->program->span,
                picked->count ? "the verdict of '%s' is unknown: %s" : "nothing to draw for '%s': %s", d->program->name,
                picked->why);
  if (picked->unknown) return PTXLIT_NO_VERDICT;
  return picked->why ? PTXLIT_BAD_INPUT : PTXLIT_OK;
}

enum ptxlit_status ptxlit_draw(struct ptxlit *session, size_t test, size_t model,
                               const struct ptxlit_draw_options *options, const struct ptxlit_drawing **drawings,
                               size_t *count) {
  *drawings = NULL;
  *count = 0;
  SESSION_WORK(session, "drawing", test, model, 1.25);
  const struct model *graph = session->models.data[model].model;
  struct drawer *d = ARENA_MAKE(&session->input, struct drawer, .session = session, .options = options,
                                .program = session_asked(session, test, options->state), .test = test,
                                .deadline = base_deadline(session->options.timeout));
  if (!d->program) return PTXLIT_BAD_INPUT;
  d->choice = (struct scene_choice){options->show, (uint32_t)options->show_count};
  if (!names_known(d, graph)) return PTXLIT_BAD_INPUT;
  struct pick_options pick = session_pick(session, (enum pick_kind)options->pick, MAX_PICTURES);
  struct picked picked = {0};
  bool told;
  pick.result = judge(d, graph, &told);
  pick.timeout = base_left(d->deadline);
  if (!told) picked = pick_executions(&session->input, d->program, graph, &pick, draw, d);
  enum ptxlit_status status = conclude(d, &picked);
  *drawings = d->drawings.data;
  *count = d->drawings.len;
  return status;
}
