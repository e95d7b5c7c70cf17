/* `ptxlit merge`: joins the reports of all shards of a run. Each report is in the order of the suite, so that only one
 * result of each needs to be in memory. */

#include "base/input.h"
#include "suite/report.h"

struct shard_report {
  struct run_file file;
  struct record record; /* the next result; json == NULL: none */
  long long shard, shards;
  bool foreign; /* the part cannot be joined: it is the same shard as another part, or from another run */
};

struct merge {
  struct shard_report *parts;
  size_t count;
  bool wrong; /* an error was found and reported */
  double seconds;
  uint64_t not_run;
};

static void complain(struct merge *merge, const char *path, const char *what) {
  text_say(stderr, "%s: error: %s\n", path, what);
  merge->wrong = true;
}

static json_int_t file_index(const struct record *record) {
  return json_integer_value(json_object_get(json_object_get(record->json, "suite"), "file"));
}

/* Reads the next result of a part; at the end of the report, checks that the run was complete. */
static void step(struct merge *merge, struct shard_report *part) {
  json_int_t before = part->record.json ? file_index(&part->record) : -1;
  if (part->record.json) record_release(&part->record);
  if (run_file_next(&part->file, &part->record)) {
    if (part->record.judged && file_index(&part->record) >= before) return;
    complain(merge, part->file.path, "the results are not in the order of the suite, or not of 'ptxlit suite'");
    record_release(&part->record);
    return;
  }
  part->record.json = NULL;
  if (part->file.failed) {
    merge->wrong = true;
  } else if (!part->file.end) {
    complain(merge, part->file.path, "the end is missing: the run was interrupted, or the file is cut off");
  } else {
    json_int_t not_run = json_integer_value(json_object_get(part->file.end, "not_run"));
    const char *why = json_string_value(json_object_get(part->file.end, "why"));
    double seconds = json_number_value(json_object_get(part->file.end, "ms")) / 1000.0;
    if (seconds > merge->seconds) merge->seconds = seconds;
    merge->not_run += (uint64_t)not_run;
    if (not_run) complain(merge, part->file.path, why ? why : "some files were not run");
  }
}

enum { MISSING_SHOWN = 20 };

static void open_part(struct merge *merge, struct shard_report *part, const char *path, double timeout) {
  if (!run_file_open(&part->file, path, input_open(path, base_deadline(timeout), false))) {
    merge->wrong = true;
    return;
  }
  step(merge, part);
  if (part->file.failed && !part->file.run) return;
  const json_t *shard = json_object_get(part->file.run, "shard");
  if (!part->file.run)
    complain(merge, path, "no line describes the run: this is not a report of 'ptxlit suite --format json'");
  part->shard = json_is_array(shard) ? json_integer_value(json_array_get(shard, 0)) : 1;
  part->shards = json_is_array(shard) ? json_integer_value(json_array_get(shard, 1)) : 1;
  if (part->shard >= 1 && part->shard <= part->shards && part->shards <= SUITE_MOST_SHARDS) return;
  complain(merge, path, "the number of its shard is out of range");
  part->foreign = true;
}

/* ---- comparing the parts */

/* The first difference between two runs that cannot be shards of one run; NULL: none. */
static const char *difference(const struct shard_report *a, const struct shard_report *b) {
  static const char *const keys[][2] = {
      {"tool", "the version of ptxlit"},
      {"models", "the models"},
      {"model_digests", "the text of a model"},
      {"options", "the options"},
      {"expect", "the expected results"},
      {"files", "the number of files"},
      {"suite", "the tests"},
  };
  for (size_t i = 0; i < ARRAY_LEN(keys); i++)
    if (!json_equal(json_object_get(a->file.run, keys[i][0]), json_object_get(b->file.run, keys[i][0])))
      return keys[i][1];
  return a->shards == b->shards ? NULL : "the number of shards";
}

static const struct shard_report *find_shard(const struct merge *merge, size_t count, long long shard) {
  return ARRAY_FIND(e, merge->parts, count, e->file.run && !e->foreign && e->shard == shard);
}

static bool is_whole(const struct shard_report *part) { return part->shards == 1 && part->shard == 1; }

/* Marks as foreign, with a message, a part that cannot be joined with the first part and the other earlier parts. */
static void check_part(struct merge *merge, const struct shard_report *first, struct shard_report *part,
                       size_t before_it) {
  const char *path = part->file.path, *what = difference(first, part);
  const struct shard_report *before = find_shard(merge, before_it, part->shard);
  if (first != part && (is_whole(first) || is_whole(part))) {
    const struct shard_report *whole = is_whole(first) ? first : part;
    text_say(stderr, "%s: error: this is a whole run, not a shard, so it cannot be merged with %s\n", whole->file.path,
             whole == first ? path : first->file.path);
    part->foreign = true;
  } else if (what) {
    text_say(stderr, "%s: error: this shard and %s are not from the same run: %s differ%s\n", path, first->file.path,
             what, what[strlen(what) - 1] == 's' && !base_begins(what, "the number") ? "" : "s");
    part->foreign = true;
  } else if (before) {
    text_say(stderr, "%s: error: shard %lld/%lld is given twice, first as %s\n", path, part->shard, part->shards,
             before->file.path);
    part->foreign = true;
  }
  merge->wrong = merge->wrong || part->foreign;
}

static void check_parts(struct merge *merge) {
  const struct shard_report *first = NULL;
  for (size_t i = 0; i < merge->count; i++) {
    struct shard_report *part = &merge->parts[i];
    if (!part->file.run || part->foreign) continue;
    if (!first) first = part;
    check_part(merge, first, part, i);
  }
  long long missing = 0;
  for (long long shard = 1; first && shard <= first->shards; shard++)
    if (!find_shard(merge, merge->count, shard) && ++missing <= MISSING_SHOWN)
      text_say(stderr, "ptxlit: error: shard %lld/%lld is missing\n", shard, first->shards);
  if (missing > MISSING_SHOWN)
    text_say(stderr, "ptxlit: error: %lld more shards are missing\n", missing - MISSING_SHOWN);
  merge->wrong = merge->wrong || missing;
}

/* ---- joining the parts */

static struct shard_report *next_part(const struct merge *merge) {
  struct shard_report *least = NULL;
  ARRAY_EACH (part, merge->parts, merge->count) {
    if (!part->record.json || part->foreign) continue;
    if (!least || file_index(&part->record) < file_index(&least->record)) least = part;
  }
  return least;
}

/* Finds a test name that occurs in two shards, which do not know each other's tests. */
static void find_duplicate(struct names *names, struct arena *paths, struct record *record) {
  json_t *suite = json_object_get(record->json, "suite");
  if (!record->test || json_object_get(suite, "duplicate")) return;
  const char *path = arena_strdup(paths, record->file ? record->file : "?");
  const char *before =
      names_add(names, record->test, (uint32_t)file_index(record), path, (uint32_t)record->line, paths);
  if (before && record_is_launch(record)) record_qualify(record, paths);
  else if (before) record_set_duplicate(record, before, paths);
}

static enum ptxlit_status join(struct merge *merge, struct suite_output output, json_t *run) {
  struct report report;
  struct names names = {0};
  struct arena paths;
  enum ptxlit_status status = PTXLIT_BAD_INPUT;
  struct shard_report *part;
  arena_init(&paths, NULL);
  put_null((struct json){&paths, run, NULL}, "shard");
  if (report_open(&report, output, run)) {
    while ((part = next_part(merge)) != NULL) {
      find_duplicate(&names, &paths, &part->record);
      report_add(&report, &part->record);
      step(merge, part);
    }
    struct report_end end = {.seconds = merge->seconds, .not_run = merge->not_run};
    if (end.not_run) end.why = "some shard did not run everything";
    status = report_close(&report, &end);
  }
  names_release(&names);
  arena_release(&paths);
  return status;
}

enum ptxlit_status suite_merge(struct suite_words files, struct suite_output output, double timeout) {
  struct merge merge = {.count = files.count, .parts = must_have(calloc(files.count, sizeof *merge.parts))};
  enum ptxlit_status status = PTXLIT_BAD_INPUT;
  json_t *run = NULL;
  for (size_t i = 0; i < files.count; i++) open_part(&merge, &merge.parts[i], files.items[i], timeout);
  check_parts(&merge);
  for (size_t i = 0; i < files.count && !run; i++)
    if (!merge.parts[i].foreign) run = merge.parts[i].file.run;
  if (run) status = join(&merge, output, run);
  for (size_t i = 0; i < files.count; i++) {
    if (merge.parts[i].record.json) record_release(&merge.parts[i].record);
    run_file_close(&merge.parts[i].file);
  }
  free(merge.parts);
  return merge.wrong ? ptxlit_worse(status, PTXLIT_BAD_INPUT) : status;
}
