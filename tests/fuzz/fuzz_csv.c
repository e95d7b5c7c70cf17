/* Expectations in a CSV: reading them, finding one, and the report on unused ones. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/expected.h"
#include "fuzz.h"
#include "suite/wanted.h"

static void look_up(struct wanted *wanted, const char *model) {
  json_t *json = json_pack("{s:i,s:s,s:s,s:s,s:s}", "format", 1, "test", "SB", "file", "litmus/classic/SB.litmus",
                           "model", model, "verdict", "allowed");
  struct record record;
  if (!json || !record_from_json(json, &record)) BUG("no record");
  const char *word = wanted_find(wanted, &record);
  if (word && !expected_find(word)) BUG("'%s' is expected", word);
  if (word) wanted_met(word, &record);
  record_release(&record);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  static struct ptxlit *session; /* its models are listed, and it is never changed */
  static const char *const models[] = {"ptx", "tso"};
  struct wanted wanted = {.models = models, .model_count = ARRAY_LEN(models)};
  char path[32];
  if (size && *data == '{') return 0; /* fuzz_json.c */
  if (!session) session = fuzz_session("ptx,tso");
  fuzz_begin();
  int file = fuzz_file(data, size, path);
  char *items[] = {path};
  wanted_read(&wanted, (struct suite_words){items, 1}, session, 0, false);
  look_up(&wanted, "ptx");
  look_up(&wanted, "tso");
  wanted_report_unused(&wanted, false);
  wanted_report_unused(&wanted, true);
  wanted_release(&wanted);
  close(file);
  fuzz_end();
  return 0;
}
