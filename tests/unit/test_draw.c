/* Pictures: rings of many threads, executions that show something, and the public calls. tests/corpus audits those of
 * the shipped tests. */

#include "../corpus/audit.h"
#include "api/session.h"

#include "unit.h"

static struct ptxlit *new_session(const char *model) {
  struct ptxlit *s = ptxlit_new();
  assert_non_null(s);
  assert_int_equal(ptxlit_add_model_dir(s, "models"), PTXLIT_OK);
  assert_int_equal(ptxlit_use_model(s, model), PTXLIT_OK);
  return s;
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

TEST(rings) {
  static char text[8192];
  for (int threads = 2; threads <= 20; threads++) {
    struct ptxlit *s = new_session("ptx");
    struct audit audit = {.file = "ring"};
    ring(text, sizeof text, threads);
    assert_int_equal(ptxlit_read_text(s, "ring", text, strlen(text)), PTXLIT_OK);
    audit.arena = &s->input;
    pick(s, PICK_FORBIDDEN, 0, audit_picture, &audit);
    assert_int_equal(audit.pictures, 1);
    assert_int_equal(audit.faults, 0);
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

TEST(what_hangs_and_what_is_undefined) {
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

TEST(the_time_limit_holds_while_encoding) {
  struct ptxlit *s = new_session("ptx");
  assert_int_equal(ptxlit_read_file(s, "litmus/loops/peterson+fence.sc.litmus"), PTXLIT_OK);
  struct shown shown = {0};
  struct picked picked = pick(s, PICK_AUTO, 1e-6, note_shown, &shown);
  assert_true(picked.unknown && picked.count == 0);
  assert_non_null(strstr(picked.why, "time limit"));
  ptxlit_free(s);
}

/* ---- the public calls ---- */

TEST(drawings) {
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

TEST(no_two_relations_look_alike) {
  size_t count;
  const struct scene_style *styles = scene_styles(&count);
  for (size_t i = 0; i < count; i++)
    for (size_t k = 0; k < i; k++) {
      if (strcmp(styles[i].line, styles[k].line) != 0) continue;
      assert_string_not_equal(styles[i].light, styles[k].light);
      assert_string_not_equal(styles[i].dark, styles[k].dark);
    }
}

int main(void) { return run_each(NULL, NULL); }
