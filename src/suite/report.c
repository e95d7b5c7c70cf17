#include "suite/report.h"

#include <fcntl.h>
#include <unistd.h>

#include "base/output.h"

const struct report_format *suite_format(const char *name) {
#define FORMAT(word, what)                                                                                             \
  if (strcmp(name, #word) == 0) return &format_##word;
  SUITE_FORMATS(FORMAT)
#undef FORMAT
  BUG("no format '%s'", name);
}

/* ---- writing */

enum { BATCH = 1 << 16 };

static void start_batch(struct report *report) {
  arena_release(&report->batch_arena);
  text_init(&report->batch, &report->batch_arena);
}

/* Writes bytes, and returns the number written; errno if not all were written. */
static size_t write_bytes(int fd, const char *bytes, size_t length) {
  size_t done = 0;
  while (done < length) {
    ssize_t got = write(fd, bytes + done, length - done);
    if (got < 0 && errno != EINTR) break;
    if (got > 0) done += (size_t)got;
  }
  return done;
}

/* Opens the new output in the directory of the old file. False if that fails. */
static bool begin_file(struct report *report) {
  if (report->fd >= 0) return true;
  if (!report->target) report->target = output_target(report->output.path);
  const char *path = report->target ? report->target : report->output.path;
  if (output_replaces(path)) report->fd = output_beside(path, &report->part);
  else report->fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
  return report->fd >= 0;
}

/* Renames the new file over its target if something was written to it; else deletes it. */
static void settle_file(struct report *report, bool written) {
  int why = errno;
  if (report->part && !(written && report->target && output_name(report->part, report->target, false)))
    unlink(report->part);
  free(report->part);
  free(report->target);
  report->part = report->target = NULL;
  errno = why;
}

/* A failed write ends the report; a closed pipe needs no message. */
void report_flush(struct report *report) {
  size_t length = report->broken ? 0 : report->batch.len;
  if (report->fd == STDOUT_FILENO) fflush(stdout);
  if (length) {
    size_t done = begin_file(report) ? write_bytes(report->fd, report->batch.data, length) : 0;
    int why = errno;
    settle_file(report, done > 0);
    report->broken = done < length;
    if (report->broken && why != EPIPE)
      text_say(stderr, "ptxlit: error: cannot write to %s: %s\n", report->name, strerror(why));
    if (report->broken) report->status = ptxlit_worse(report->status, PTXLIT_BAD_INPUT);
  }
  start_batch(report);
}

/* ---- the whole */

/* Opens the output. Only checks that the file can be made; it is made with the first bytes. */
static bool open_output(struct report *report) {
  const char *path = report->output.path;
  report->fd = path ? -1 : STDOUT_FILENO;
  report->name = path ? path : "standard output";
  if (!path) return true;
  if (!begin_file(report)) {
    text_say(stderr, "ptxlit: error: cannot write '%s': %s\n", path, strerror(errno));
    settle_file(report, false);
    return false;
  }
  if (report->part) {
    close(report->fd);
    report->fd = -1;
  }
  settle_file(report, false);
  return true;
}

/* Sets up the columns. Two models, one for each language of tests, share one column. */
static void take_models(struct report *report, const json_t *run) {
  const json_t *names = json_object_get(run, "models");
  size_t index;
  const json_t *value;
  report->models = ARENA_ARRAY(&report->arena, const char *, json_array_size(names) + 1);
  report->joined = json_is_true(json_object_get(run, "by_language"));
  json_array_foreach(names, index, value) {
    const char *name = json_is_string(value) ? json_string_value(value) : "?", **title = report->models;
    if (report->joined && index) *title = arena_printf(&report->arena, "%s or %s", *title, name);
    else title[report->model_count++] = arena_strdup(&report->arena, name);
  }
}

bool report_open(struct report *report, struct suite_output output, const json_t *run) {
  *report = (struct report){.output = output};
  if (!open_output(report)) return false;
  const struct report_format *format = report->output.format;
  arena_init(&report->arena, NULL);
  arena_init(&report->row_arena, NULL);
  arena_init(&report->batch_arena, NULL);
  text_init(&report->failures, &report->arena);
  text_init(&report->below, &report->arena);
  start_batch(report);
  take_models(report, run);
  if (format->begin) format->begin(report, run, &report->batch);
  report_flush(report);
  return true;
}

static void write_failure(const struct record *record, struct text *out) {
  static const char *const words[] = {[RESULT_PASS] = "NOTE",
                                      [RESULT_NEW] = "NOTE",
                                      [RESULT_FAIL] = "FAIL",
                                      [RESULT_UNKNOWN] = "UNKNOWN",
                                      [RESULT_ERROR] = "ERROR"};
  if (record_is_right(record) && !record->remarks) return;
  struct arena arena;
  struct text line = {.arena = &arena};
  arena_init(&arena, NULL);
  record_place(record, &line);
  if (record->test) text_printf(&line, ": %s", record->test);
  if (record->model) text_printf(&line, " under %s", record->model);
  text_add(&line, ": ");
  record_why(record, &line);
  text_printf(out, "%-7s ", words[record->result]);
  text_visible(out, text_str(&line));
  text_char(out, '\n');
  arena_release(&arena);
}

void report_outcomes(struct report *report, const struct text *out) { report->list_at = out->len; }

static void add_outcomes(struct report *report, const struct outcome_text *outcomes) {
  VEC_EACH (piece, &outcomes->pieces) {
    text_add_slice(&report->batch, piece->bytes, piece->size);
    if (report->batch.len > BATCH) report_flush(report);
  }
}

void report_add(struct report *report, const struct record *record) {
  const struct report_format *format = report->output.format;
  struct arena scratch;
  struct text rendered = {.arena = &scratch};
  arena_init(&scratch, NULL);
  report->counts[record->result]++;
  report->remarked += record_is_right(record) && record->remarks;
  report->total++;
  report->ms += record->ms;
  report->status = ptxlit_worse(report->status, result_status(record->result));
  report->list_at = 0;
  write_failure(record, &report->failures);
  if (format->add) format->add(report, record, &rendered);
  struct text *to = format->head_last ? &report->below : &report->batch;
  const char *all = text_str(&rendered);
  text_add_slice(to, all, report->list_at);
  if (report->list_at) add_outcomes(report, record->outcomes);
  text_add(to, all + report->list_at);
  if (report->batch.len > BATCH) report_flush(report);
  arena_release(&scratch);
}

static void add_summary(const struct report *report, const struct report_end *end, struct text *out) {
  const char *separator = "";
  text_printf(out, "%llu result%s", (unsigned long long)report->total, report->total == 1 ? "" : "s");
  if (report->model_count > 1) text_printf(out, " under %zu models", report->model_count);
  text_add(out, report->total ? ": " : "");
  for (size_t i = 0; i < RESULT_COUNT; i++) {
    if (!report->counts[i]) continue;
    text_printf(out, "%s%llu %s", separator, (unsigned long long)report->counts[i],
                result_summary((enum suite_result)i));
    separator = ", ";
  }
  if (report->remarked) text_printf(out, "; %llu with a remark", (unsigned long long)report->remarked);
  if (end->not_run)
    text_printf(out, "; %llu file%s not run%s%s", (unsigned long long)end->not_run, end->not_run == 1 ? "" : "s",
                end->why ? ": " : "", end->why ? end->why : "");
  text_printf(out, " (%.1f s)\n", end->seconds);
  text_add(out, text_str(&report->failures));
}

/* Shows the summary on standard output or, if a report in another format is there, on standard error. */
static void show_summary(struct report *report, const struct report_end *end) {
  bool own = report->fd > STDERR_FILENO, shown = report->output.format->has_summary && !own && !report->broken;
  struct text summary = {.arena = &report->arena};
  if (shown) return; /* the report contains the summary */
  add_summary(report, end, &summary);
  write_bytes(own ? STDOUT_FILENO : STDERR_FILENO, summary.data, summary.len);
}

static void close_output(struct report *report) {
  if (report->fd <= STDERR_FILENO || close(report->fd) == 0) return;
  text_say(stderr, "ptxlit: error: cannot write to %s: %s\n", report->name, strerror(errno));
  report->status = ptxlit_worse(report->status, PTXLIT_BAD_INPUT);
}

enum ptxlit_status report_close(struct report *report, const struct report_end *end) {
  const struct report_format *format = report->output.format;
  if (format->end) format->end(report, end, &report->batch);
  if (report->output.format->has_summary) add_summary(report, end, &report->batch);
  report_flush(report);
  show_summary(report, end);
  close_output(report);
  if (end->not_run && !end->wanted) report->status = ptxlit_worse(report->status, PTXLIT_NO_VERDICT);
  arena_release(&report->batch_arena);
  arena_release(&report->row_arena);
  arena_release(&report->arena);
  return report->status;
}
