/* Pictures: what every layout must keep, over all shipped tests; and the public calls for pictures. */
#include <glob.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "draw/dot.h"
#include "api/session.h"

static struct ptxlit *new_session(const char *model) {
  struct ptxlit *s = ptxlit_new();
  assert_non_null(s);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(ptxlit_use_model(s, model), PTXLIT_OK);
  return s;
}

/* ---- layouts ---- */

struct audit {
  const char *file;
  struct arena *arena;
  unsigned pictures, undrawn, covered_labels, meeting_labels;
  unsigned labels, left_out; /* of edges other than po */
};

static bool has(const struct box *b, struct point p, double slack) {
  return b->left + slack < p.x && p.x < b->right - slack && b->top + slack < p.y && p.y < b->bottom - slack;
}

static bool meet(const struct box *a, const struct box *b) {
  return a->left < b->right && b->left < a->right && a->top < b->bottom && b->top < a->bottom;
}

static bool holds(const struct box *outer, const struct box *inner) {
  return outer->left <= inner->left && inner->right <= outer->right && outer->top <= inner->top &&
         inner->bottom <= outer->bottom;
}

static struct point at(const struct curve *curve, uint32_t piece, double t) {
  const struct point *p = &curve->points.data[(size_t)3 * piece];
  double u = 1 - t, a = u * u * u, b = 3 * u * u * t, c = 3 * u * t * t, d = t * t * t;
  return (struct point){a * p[0].x + b * p[1].x + c * p[2].x + d * p[3].x,
                        a * p[0].y + b * p[1].y + c * p[2].y + d * p[3].y};
}

static void audit_edge(const struct audit *audit, const struct layout *l, uint32_t index) {
  const struct scene_edge *edge = &l->scene->edges.data[index];
  const struct curve *curve = &l->curves[index];
  const struct box page = {0, 0, l->width, l->height};
  assert_int_equal(curve->points.len % 3, 1);
  for (uint32_t piece = 0; piece < curve->points.len / 3; piece++)
    for (int k = 0; k <= 20; k++) {
      struct point p = at(curve, piece, k / 20.0);
      if (!has(&page, p, 0)) fail_msg("%s: edge %s leaves the page", audit->file, edge->name);
      for (uint32_t n = 0; n < l->scene->nodes.len; n++)
        if (n != edge->from && n != edge->to && has(&l->nodes[n], p, 1))
          fail_msg("%s: edge %s from %s runs through %s", audit->file, edge->name,
                   l->scene->nodes.data[edge->from].letter, l->scene->nodes.data[n].letter);
    }
}

static void audit_boxes(const struct audit *audit, const struct layout *l) {
  for (uint32_t a = 0; a < l->scene->nodes.len; a++)
    for (uint32_t b = 0; b < a; b++)
      if (meet(&l->nodes[a], &l->nodes[b])) fail_msg("%s: two nodes meet", audit->file);
  for (uint32_t a = 0; a < l->scopes.len; a++) {
    const struct box *box = &l->scopes.data[a].box;
    for (uint32_t b = 0; b < a; b++) {
      const struct box *other = &l->scopes.data[b].box;
      if (meet(box, other) && !holds(other, box)) fail_msg("%s: boxes of scopes cross", audit->file);
    }
    for (uint32_t n = 0; n < l->scene->nodes.len; n++)
      if (meet(box, &l->nodes[n]) && !holds(box, &l->nodes[n])) fail_msg("%s: a scope cuts a node", audit->file);
  }
}

static void audit_labels(struct audit *audit, const struct layout *l) {
  for (uint32_t i = 0; i < l->scene->edges.len; i++) {
    const struct box *label = &l->curves[i].label;
    const struct scene_edge *edge = &l->scene->edges.data[i];
    bool covered = false;
    audit->labels += strcmp(edge->name, "po") != 0;
    if (label->right <= label->left) {
      audit->left_out += strcmp(edge->name, "po") != 0;
      assert_false(edge->on_cycle);
      continue;
    }
    for (uint32_t k = 0; k < i; k++) {
      bool both_on_cycle = edge->on_cycle && l->scene->edges.data[k].on_cycle;
      audit->meeting_labels += !both_on_cycle && meet(label, &l->curves[k].label);
    }
    for (uint32_t n = 0; n < l->scene->nodes.len; n++) covered |= meet(label, &l->nodes[n]);
    audit->covered_labels += covered;
  }
}

/* No line of the text drawing is too long, unless one instruction or the test's name alone is. */
static void audit_text(const struct audit *audit, const struct scene *scene) {
  struct text text;
  if (strcspn(scene->title, " ") > 76) return;
  for (uint32_t i = 0; i < scene->nodes.len; i++)
    if (strlen(scene->nodes.data[i].text) > 74) return;
  text_init(&text, audit->arena);
  scene_text(scene, 80, &text);
  for (const char *line = text_str(&text); *line;) {
    size_t length = strcspn(line, "\n");
    if (length > 80) fail_msg("%s: a line of the text drawing has %zu columns", audit->file, length);
    line += length + (line[length] == '\n');
  }
}

static void audit_picture(void *context, const struct pick *pick) {
  struct audit *audit = context;
  struct scene *scene = scene_build(audit->arena, pick, NULL);
  struct layout *l = layout_build(audit->arena, scene, true, 0);
  for (uint32_t i = 0; i < scene->edges.len; i++) audit_edge(audit, l, i);
  audit_boxes(audit, l);
  audit_labels(audit, l);
  audit_text(audit, scene);
  assert_int_equal(scene->allowed, pick->violated_count == 0);
  audit->pictures++;
}

/* Of the first test, under the first model. */
static struct picked pick(struct ptxlit *s, enum pick_kind kind, double timeout, pick_visit *visit, void *context) {
  struct pick_options options = session_pick(s, kind, 1);
  const struct program *program = session_test(s, 0)->program;
  const struct model *model = s->models.data[0].model;
  const struct check_options verdict = {.verdict_only = true, .shape = options.shape};
  struct result result;
  check(&s->input, program, model, &verdict, &result);
  options.result = &result;
  options.timeout = timeout;
  return pick_executions(&s->input, program, model, &options, visit, context);
}

static void audit_file(struct ptxlit *s, const char *file, struct audit *audit) {
  assert_true(ptxlit_read_file(s, file) == PTXLIT_OK);
  audit->file = file;
  audit->arena = &s->input;
  unsigned before = audit->pictures;
  bool unknown = pick(s, PICK_AUTO, 0, audit_picture, audit).unknown;
  audit->undrawn += unknown && audit->pictures == before;
}

static void audit_all(const char *model) {
  struct ptxlit *s = new_session(model);
  struct audit audit = {0};
  glob_t files;
  assert_int_equal(glob("litmus/*/*.litmus", 0, NULL, &files), 0);
  assert_true(files.gl_pathc > 100);
  for (size_t i = 0; i < files.gl_pathc; i++) audit_file(s, files.gl_pathv[i], &audit);
  assert_int_equal(audit.pictures + audit.undrawn, files.gl_pathc); /* deadlocks and the undefined too */
  assert_true(audit.undrawn < files.gl_pathc / 2);
  assert_int_equal(audit.covered_labels, 0);
  assert_int_equal(audit.meeting_labels, 0);
  assert_true(audit.left_out < audit.labels / 50);
  printf("%u of %u labels are left out\n", audit.left_out, audit.labels);
  globfree(&files);
  ptxlit_free(s);
}

static void layouts_under_ptx(void **state) {
  (void)state;
  audit_all("ptx");
}

static void layouts_under_sc(void **state) {
  (void)state;
  audit_all("sc");
}

/* ---- a ring of many threads, and of more than fit ---- */

static const char *ring(char *text, size_t size, int threads) {
  size_t n = (size_t)snprintf(text, size, "PTX ring\n{ ");
  for (int i = 0; i < threads; i++) n += (size_t)snprintf(text + n, size - n, "x%d=0; ", i);
  n += (size_t)snprintf(text + n, size - n, "}\n");
  for (int row = 0; row < 4; row++) {
    for (int i = 0; i < threads; i++) {
      n += (size_t)snprintf(text + n, size - n, i ? " | " : " ");
      if (row == 0) n += (size_t)snprintf(text + n, size - n, "P%d@cta %d,gpu %d", i, i / 2, i / 4);
      if (row == 1) n += (size_t)snprintf(text + n, size - n, "st.relaxed.sys x%d, 1", i);
      if (row == 2) n += (size_t)snprintf(text + n, size - n, "fence.sc.sys");
      if (row == 3) n += (size_t)snprintf(text + n, size - n, "ld.relaxed.sys r0, x%d", (i + 1) % threads);
    }
    n += (size_t)snprintf(text + n, size - n, " ;\n");
  }
  n += (size_t)snprintf(text + n, size - n, "exists (");
  for (int i = 0; i < threads; i++) n += (size_t)snprintf(text + n, size - n, "%s%d:r0=0", i ? " /\\ " : "", i);
  snprintf(text + n, size - n, ")\n");
  return text;
}

static void rings(void **state) {
  (void)state;
  static char text[8192];
  for (int threads = 2; threads <= 20; threads++) {
    struct ptxlit *s = new_session("ptx");
    struct audit audit = {.file = "ring"};
    ring(text, sizeof text, threads);
    assert_int_equal(ptxlit_read_text(s, "ring", text, strlen(text)), PTXLIT_OK);
    audit.arena = &s->input;
    pick(s, PICK_FORBIDDEN, 0, audit_picture, &audit);
    assert_int_equal(audit.pictures, 1);
    assert_int_equal(audit.covered_labels, 0);
    ptxlit_free(s);
  }
}

/* ---- executions that show something ---- */

struct shown {
  bool stuck, shows_why;
  uint32_t stuck_nodes, marked, races;
  const char *undefined;
};

static void note_shown(void *context, const struct pick *pick) {
  struct shown *shown = context;
  struct scene *scene = scene_build(pick->skeleton->arena, pick, NULL);
  shown->stuck = pick->stuck;
  shown->shows_why = pick->shows_why;
  shown->undefined = pick->undefined;
  for (uint32_t i = 0; i < scene->nodes.len; i++) {
    shown->stuck_nodes += scene->nodes.data[i].stuck;
    shown->marked += scene->nodes.data[i].on_cycle;
  }
  for (uint32_t i = 0; i < scene->edges.len; i++) shown->races += strcmp(scene->edges.data[i].name, "race") == 0;
}

static struct shown show(const char *file, enum pick_kind kind) {
  struct ptxlit *s = new_session("ptx");
  struct shown shown = {0};
  assert_int_equal(ptxlit_read_file(s, file), PTXLIT_OK);
  pick(s, kind, 0, note_shown, &shown);
  ptxlit_free(s);
  return shown;
}

static void what_hangs_and_what_is_undefined(void **state) {
  (void)state;
  struct shown shown = show("litmus/barriers/deadlock+crossing-barriers.litmus", PICK_AUTO);
  assert_true(shown.stuck && shown.stuck_nodes == 2 && !shown.undefined);
  shown = show("litmus/loops/counter-barrier.cta.litmus", PICK_AUTO);
  assert_true(!shown.stuck && shown.stuck_nodes == 0);
  shown = show("litmus/loops/counter-barrier.cta.litmus", PICK_DEADLOCK);
  assert_true(shown.stuck && shown.stuck_nodes == 1);
  shown = show("litmus/mixed-size/MP+u64+u32+racy.litmus", PICK_AUTO);
  assert_true(shown.undefined && shown.shows_why && shown.races == 1 && shown.marked == 2);
  shown = show("litmus/mixed-size/two-u32-stores-and-u64-load.litmus", PICK_WITNESS);
  assert_true(shown.undefined && !shown.shows_why && shown.races == 0);
  shown = show("litmus/barriers/undefined+arrive-then-sync.litmus", PICK_AUTO);
  assert_true(shown.undefined && shown.shows_why && shown.marked == 2);
}

static void the_time_limit_holds_while_encoding(void **state) {
  (void)state;
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(ptxlit_read_file(s, "litmus/loops/peterson+fence.sc.litmus"), PTXLIT_OK);
  struct shown shown = {0};
  struct picked picked = pick(s, PICK_AUTO, 1e-6, note_shown, &shown);
  assert_true(picked.unknown && picked.count == 0);
  assert_non_null(strstr(picked.why, "time limit"));
  ptxlit_free(s);
}

/* ---- the public calls ---- */

static void drawings(void **state) {
  (void)state;
  struct ptxlit *s = new_session("ptx");
  const struct ptxlit_drawing *list;
  size_t count;
  struct ptxlit_draw_options options = {.format = PTXLIT_PICTURE_DOT, .pick = PTXLIT_PICK_ALL};
  assert_int_equal(ptxlit_read_file(s, "litmus/classic/SB.litmus"), PTXLIT_OK);
  assert_int_equal(ptxlit_draw(s, 0, 0, &options, &list, &count), PTXLIT_OK);
  assert_int_equal(count, 4);
  for (size_t i = 0; i < count; i++) assert_int_equal(strlen(list[i].data), list[i].size);
  static const char *const names[] = {"rff"};
  options = (struct ptxlit_draw_options){.show = names, .show_count = 1};
  assert_int_equal(ptxlit_draw(s, 0, 0, &options, &list, &count), PTXLIT_BAD_INPUT);
  assert_int_equal(count, 0);
  assert_non_null(strstr(ptxlit_messages(s, false), "did you mean 'rf'?"));
  ptxlit_free(s);
}

static void no_two_relations_look_alike(void **state) {
  (void)state;
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      if (strcmp(styles[i].line, styles[k].line) != 0) continue;
      assert_string_not_equal(styles[i].light, styles[k].light);
      assert_string_not_equal(styles[i].dark, styles[k].dark);
    }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(layouts_under_ptx),
      cmocka_unit_test(layouts_under_sc),
      cmocka_unit_test(rings),
      cmocka_unit_test(what_hangs_and_what_is_undefined),
      cmocka_unit_test(the_time_limit_holds_while_encoding),
      cmocka_unit_test(drawings),
      cmocka_unit_test(no_two_relations_look_alike),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
