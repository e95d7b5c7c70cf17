#include "suite/judge.h"

#include <stdlib.h>
#include <string.h>

#include "suite/sha256.h"

/* ---- the run */

static json_t *strings(struct suite_words words) {
  json_t *json = must_json(json_array());
  for (size_t i = 0; i < words.count; i++) json_array_append_new(json, safe_string(words.items[i]));
  return json;
}

static json_t *options_json(const struct suite_options *o) {
  json_t *json = must_json(json_object());
  member_put(json, "engine", json_string(o->check.engine == PTXLIT_ENUMERATE ? "enumerate" : "sat"));
  member_put(json, "all_state", json_boolean(o->check.all_state));
  member_put(json, "implicit_locations", json_boolean(o->check.implicit_locations));
  member_put(json, "dat3m_dialect", json_boolean(o->check.dat3m_dialect));
  member_put(json, "barrier_users", json_boolean(o->check.barrier_users));
  member_put(json, "termination", json_boolean(o->check.termination));
  member_put(json, "progress", json_integer((json_int_t)o->check.progress));
  member_put(json, "unroll", json_integer((json_int_t)o->check.unroll));
  member_put(json, "verdict_only", json_boolean(o->check.verdict_only));
  member_put(json, "executions", json_boolean(o->check.count_executions));
  member_put(json, "races", json_boolean(o->check.races));
  member_put(json, "timeout", json_real(o->check.timeout));
  member_put(json, "max_outcomes", json_integer((json_int_t)o->check.max_outcomes));
  member_put(json, "memory", json_integer((json_int_t)o->memory));
  member_put(json, "qualify", json_boolean(o->qualify));
  member_put(json, "filter", strings(o->filters));
  return json;
}

/* A digest of which files the suite has, in which order: the shards of one run agree on it. */
static json_t *suite_digest(const struct suite_options *o) {
  struct sha256 hash;
  char hex[65];
  sha256_init(&hash);
  for (size_t i = 0; i < o->files.count; i++) sha256_add_text(&hash, o->files.items[i]);
  sha256_finish(&hash, hex);
  return json_string(hex);
}

/* Models of one name may differ. */
static json_t *model_digests(const struct suite_options *o) {
  json_t *digests = must_json(json_array());
  for (size_t i = 0; i < ptxlit_model_count(o->session); i++) {
    struct sha256 hash;
    char hex[65];
    const char *graph = ptxlit_dump(o->session, 0, i, PTXLIT_DUMP_MODEL);
    sha256_init(&hash);
    sha256_add_text(&hash, graph ? graph : "");
    sha256_finish(&hash, hex);
    json_array_append_new(digests, must_json(json_string(hex)));
  }
  return digests;
}

static json_t *run_json(const struct judge *judge, size_t models) {
  const struct suite_options *o = judge->options;
  json_t *json = must_json(json_object()), *names = must_json(json_array());
  for (size_t i = 0; i < models; i++) json_array_append_new(names, safe_string(judge->models[i]));
  member_put(json, "tool", json_string(ptxlit_version()));
  member_put(json, "edition", json_string(ptxlit_edition()));
  member_put(json, "solver", json_string(ptxlit_solver()));
  member_put(json, "models", names);
  member_put(json, "model_digests", model_digests(o));
  member_put(json, "options", options_json(o));
  member_put(json, "expect", strings(o->expect));
  member_put(json, "files", json_integer((json_int_t)o->files.count));
  member_put(json, "suite", suite_digest(o));
  member_put(json, "shard", o->shard_count ? json_pack("[ii]", (int)o->shard, (int)o->shard_count) : json_null());
  return json;
}

bool judge_open(struct judge *judge, const struct suite_options *options) {
  size_t models = ptxlit_model_count(options->session);
  *judge = (struct judge){.options = options};
  judge->models = calloc(models, sizeof *judge->models);
  if (!judge->models) must_json(NULL);
  for (size_t i = 0; i < models; i++) judge->models[i] = ptxlit_model_name(options->session, i);
  judge->run = run_json(judge, models);
  if (report_open(&judge->report, options->output, judge->run, judge->models, models)) {
    judge->wanted = (struct wanted){.models = judge->models, .model_count = models};
    wanted_read(&judge->wanted, options->expect, options->session);
    return true;
  }
  names_release(&judge->names);
  json_decref(judge->run);
  free(judge->models);
  return false;
}

/* ---- one result */

json_t *judge_lost(const struct judge *judge, const char *path, const struct lost_test *test, const char *why) {
  json_t *json = must_json(json_object()), *reason = must_json(json_object());
  member_put(json, "format", json_integer(1));
  member_put(json, "test", test ? safe_string(test->name) : json_null());
  member_put(json, "file", safe_string(path));
  if (test) member_put(json, "line", json_integer(test->line));
  if (test) member_put(json, "model", safe_string(judge->models[test->model]));
  member_put(json, "verdict", json_string("unknown"));
  if (!test) member_put(json, "error", safe_string(why));
  member_put(reason, "text", safe_string(why));
  member_put(json, "reason", reason);
  return json;
}

static void qualify(struct record *record) {
  struct arena arena;
  arena_init(&arena, NULL);
  member_put(record->json, "test", json_string(arena_printf(&arena, "%s:%s", record->file, record->test)));
  record->test = json_string_value(json_object_get(record->json, "test"));
  arena_release(&arena);
}

static enum suite_result result_of(const struct record *record) {
  bool unknown = record->verdict && strcmp(record->verdict, "unknown") == 0;
  if (record->error) return record->verdict ? RESULT_UNKNOWN : RESULT_ERROR;
  if (record->expected && wanted_met(record->expected, record)) return RESULT_PASS;
  if (unknown) return RESULT_UNKNOWN;
  return record->expected ? RESULT_FAIL : RESULT_NEW;
}

static void put_expected(struct record *record, const char *word) {
  json_t *expected = must_json(json_object());
  member_put(expected, "observation", json_string(word));
  member_put(expected, "met", json_boolean(wanted_met(word, record)));
  member_put(record->json, "expected", expected);
  record->expected = json_string_value(json_object_get(expected, "observation"));
}

/* The number of the expectation used. */
static int32_t judge_record(const struct judge *judge, struct record *record, uint32_t file) {
  int32_t entry = NO_ENTRY;
  if (!record->error) {
    if (judge->options->qualify) qualify(record);
    const char *word = wanted_find(&judge->wanted, record, &entry);
    if (word) put_expected(record, word);
  }
  record->result = result_of(record);
  record->judged = true;
  json_t *suite = must_json(json_object());
  member_put(suite, "file", json_integer(file));
  member_put(suite, "result", json_string(result_name(record->result)));
  member_put(record->json, "suite", suite);
  return entry;
}

void judge_answer(const struct judge *judge, json_t *json, const char *line, uint32_t file, int32_t model,
                  struct text *out) {
  struct record record;
  struct result_texts texts = {0};
  struct report_texts report;
  if (!record_from_json(json, &record)) BUG("a worker's answer is no result");
  char *raw = line ? NULL : must_have(json_dumps(json, JSON_COMPACT | JSON_REAL_PRECISION(6)));
  struct result_answer head = {.ms = record.ms, .model = model, .line = (uint32_t)record.line};
  head.entry = judge_record(judge, &record, file);
  head.result = record.result;
  if (record.test) names_digest(record.test, head.digest);
  report_texts_init(&report, out->arena);
  report_write(&judge->report, &record, &report);
  texts.name = record.test ? record.test : "";
  texts.found = record_found(&record);
  texts.failure = text_str(&report.failure);
  texts.rendered = text_str(&report.rendered);
  texts.json = line ? line : raw;
  result_answer_write(&head, &texts, out);
  free(raw);
  record_release(&record);
}

/* A test whose name another has: an error, whatever it gives. */
static void add_duplicate(struct judge *judge, const struct result_texts *texts, uint32_t file, const char *before) {
  struct record record;
  if (!record_from_json(must_json(json_loads(texts->json, 0, NULL)), &record)) BUG("a worker's answer is no result");
  judge_record(judge, &record, file);
  record_set_duplicate(&record, before);
  report_add(&judge->report, &record);
  record_release(&record);
}

bool judge_take(struct judge *judge, uint32_t file, const char *bytes) {
  struct result_answer head;
  struct result_texts texts;
  struct arena arena;
  const char *path = judge->options->files.items[file], *before = NULL;
  result_answer_read(bytes, &head, &texts);
  if (head.entry >= 0) wanted_use(&judge->wanted, head.entry);
  if (!*texts.name) wanted_use_file(&judge->wanted, path);
  arena_init(&arena, NULL);
  if (*texts.name) before = names_add(&judge->names, head.digest, file, path, head.line, &arena);
  if (before) {
    add_duplicate(judge, &texts, file, before);
    head.result = RESULT_ERROR;
  } else {
    struct record record = {
        .test = *texts.name ? texts.name : NULL,
        .file = path,
        .model = head.model >= 0 ? judge->models[head.model] : NULL,
        .observation = texts.found,
        .ms = head.ms,
        .line = head.line,
        .result = (enum suite_result)head.result,
        .judged = true,
    };
    report_pass_on(&judge->report, &record, texts.failure, texts.rendered);
  }
  arena_release(&arena);
  bool right = head.result == RESULT_PASS || head.result == RESULT_NEW;
  if (judge->options->fail_fast && !right) judge->failed = true;
  return !judge->failed && !judge->report.broken;
}

const char *judge_why(const struct judge *judge) {
  return judge->failed ? "stopped at the first failure" : "the output takes no more";
}

enum ptxlit_status judge_close(struct judge *judge, const struct report_end *end) {
  const struct suite_options *o = judge->options;
  bool whole = !end->not_run && !o->filters.count;
  bool bad = judge->wanted.failed, none = !judge->report.total && !end->not_run;
  enum ptxlit_status status = report_close(&judge->report, end);
  for (size_t i = 0; o->shard_count && i < o->files.count; i++) /* the other shards have them */
    wanted_use_file(&judge->wanted, o->files.items[i]);
  if (whole && wanted_report_unused(&judge->wanted, o->shard_count > 0)) bad = true;
  if (none && o->filters.count && !o->shard_count) {
    fputs("ptxlit: error: no test matches --filter\n", stderr);
    bad = true;
  }
  wanted_release(&judge->wanted);
  names_release(&judge->names);
  json_decref(judge->run);
  free(judge->models);
  return bad ? ptxlit_worse(status, PTXLIT_BAD_INPUT) : status;
}
