#include "suite/judge.h"

bool judge_open(struct judge *judge, const struct suite_options *options) {
  *judge = (struct judge){.options = options};
  arena_init(&judge->arena, NULL);
  struct run_models models = run_models(options->session, &judge->arena);
  struct json run = json_new(&judge->arena);
  put_run(run, options, &models);
  bool open = report_open(&judge->report, options->output, run.value);
  judge->wanted =
      (struct wanted){.models = models.names, .model_count = models.count, .by_language = models.by_language};
  const struct ptxlit_options *check = &options->check;
  if (open) wanted_read(&judge->wanted, options->expect, options->session, check->timeout, check->untrusted);
  else arena_release(&judge->arena);
  return open;
}

/* ---- one result */

static const char *model_of(struct ptxlit *session, const struct lost_test *test) {
  ptxlit_choose_models(session, test->cuda); /* as the worker did */
  return ptxlit_model_name(session, test->model);
}

void judge_lost(const struct judge *judge, uint32_t file, const struct lost_test *test, struct loss loss,
                struct text *out) {
  const char *path = judge->options->files.items[file];
  struct json json;
  if (test) {
    json = record_lost(out->arena, test->name, path, test->line, model_of(judge->options->session, test), loss);
  } else {
    json = record_new(out->arena, NULL, path);
    put_text(json, "error", loss.text);
    record_lose(json, loss);
  }
  json_write(json, out);
}

static enum suite_result result_of(const struct record *record, bool strict) {
  bool unknown = record->verdict && strcmp(record->verdict, "unknown") == 0;
  if (record->error) return record->verdict ? RESULT_UNKNOWN : RESULT_ERROR;
  bool met = record->expected && wanted_met(record->expected, record);
  if (unknown && !met) return RESULT_UNKNOWN;
  if (record_uncertified(record) && (met || !record->expected)) return RESULT_UNKNOWN;
  if (strict && (!record->expected || record->remarks)) return RESULT_FAIL;
  return met ? RESULT_PASS : record->expected ? RESULT_FAIL : RESULT_NEW;
}

static void put_expected(struct json json, const char *word, struct record *record) {
  struct json expected = put_object(json, "expected");
  PUT(expected, J_TEXT("observation", word), J_BOOL("met", wanted_met(word, record)));
  record->expected = json_string_value(json_object_get(expected.value, "observation"));
}

static void judge_record(struct judge *judge, struct record *record, uint32_t file, struct arena *arena) {
  struct json json = {arena, record->json, NULL};
  if (!record->error) {
    if (judge->options->qualify) record_qualify(record, arena);
    const char *word = wanted_find(&judge->wanted, record);
    if (word) put_expected(json, word, record);
  }
  if (!record->test) wanted_use_file(&judge->wanted, judge->options->files.items[file]);
  struct json suite = put_object(json, "suite");
  put_number(suite, "file", file);
  record_remark(record, suite);
  record->result = result_of(record, judge->options->strict);
  record->judged = true;
  put_text(suite, "result", result_name(record->result));
}

void judge_alone(struct record *record, struct arena *arena) {
  struct json json = {arena, record->json, NULL}, suite = put_object(json, "suite");
  bool unsafe = record->verdict && strcmp(record->verdict, "unsafe") == 0;
  record_remark(record, suite);
  record->result = unsafe && !record->expected ? RESULT_FAIL : result_of(record, false);
  record->judged = true;
  put_text(suite, "result", result_name(record->result));
}

bool judge_take(struct judge *judge, uint32_t file, const char *line, const struct outcome_text *outcomes) {
  const char *path = judge->options->files.items[file], *before = NULL;
  struct record record;
  struct arena arena;
  arena_init(&arena, NULL);
  if (!record_from_json(must_have(json_loads(line, 0, NULL)), &record)) BUG("a worker's answer is not a result");
  record.outcomes = outcomes;
  judge_record(judge, &record, file, &arena);
  if (record.test) before = names_add(&judge->names, record.test, file, path, (uint32_t)record.line, &arena);
  if (before && record_is_launch(&record)) record_qualify(&record, &arena);
  else if (before) record_set_duplicate(&record, before, &arena);
  report_add(&judge->report, &record);
  if (judge->options->fail_fast && !record_is_right(&record)) judge->failed = true;
  record_release(&record);
  arena_release(&arena);
  return !judge->failed && !judge->report.broken;
}

const char *judge_why(const struct judge *judge) {
  return judge->failed ? "stopped at the first failure" : "the output cannot be written";
}

enum ptxlit_status judge_close(struct judge *judge, const struct report_end *end) {
  const struct suite_options *o = judge->options;
  bool whole = !end->not_run && !o->filters.count && !o->rerun;
  bool bad = judge->wanted.failed, none = !judge->report.total && !end->not_run;
  struct report_end how = *end;
  how.wanted = judge->failed;
  enum ptxlit_status status = report_close(&judge->report, &how);
  for (size_t i = 0; o->shard_count && i < o->files.count; i++) /* files of other shards count as used */
    wanted_use_file(&judge->wanted, o->files.items[i]);
  if (whole && wanted_report_unused(&judge->wanted, o->shard_count > 0)) bad = true;
  if (none && o->filters.count && !o->shard_count) {
    fputs("ptxlit: error: no test matches --filter\n", stderr);
    bad = true;
  }
  wanted_release(&judge->wanted);
  names_release(&judge->names);
  arena_release(&judge->arena);
  return bad ? ptxlit_worse(status, PTXLIT_BAD_INPUT) : status;
}
