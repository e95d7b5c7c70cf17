/* Everything that reads JSON: diff, merge, expectations from an earlier run, and the result of a worker, with what it
 * becomes in a report. The first letter of the input says which; the rest are files, separated by lines of four dashes.
 *
 *   d diff   m merge   e expectations   c result of a worker   o results of runs on GPUs
 * In upper case, the next letter says the format of the report.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "fuzz.h"
#include "suite/judge.h"
#include "suite/record.h"

enum { FILES = 3 };

struct input {
  char paths[FILES][32];
  int files[FILES];
  size_t count;
  const struct report_format *format;
};

static const char separator[] = "\n----\n";

static const struct report_format *format_number(uint8_t number) {
#define FORMAT(name, what) &format_##name,
  static const struct report_format *const formats[] = {SUITE_FORMATS(FORMAT)};
#undef FORMAT
  return formats[number % ARRAY_LEN(formats)];
}

/* Takes the kind and the format off the front. */
static char take_kind(const uint8_t **data, size_t *size, struct input *input) {
  char kind = *size ? (char)**data : '\0';
  bool formatted = isupper((unsigned char)kind) && *size > 1;
  if (formatted) input->format = format_number((*data)[1]);
  size_t taken = *size ? formatted ? 2 : 1 : 0;
  *data += taken;
  *size -= taken;
  return (char)tolower((unsigned char)kind);
}

static void split(const uint8_t *data, size_t size, struct input *input) {
  while (input->count < FILES) {
    size_t length = 0;
    while (length < size &&
           (size - length < sizeof separator - 1 || memcmp(data + length, separator, sizeof separator - 1) != 0))
      length++;
    input->files[input->count] = fuzz_file(data, length, input->paths[input->count]);
    input->count++;
    if (length == size) return;
    data += length + sizeof separator - 1;
    size -= length + sizeof separator - 1;
  }
}

static struct suite_words words_of(struct input *input, char *items[FILES]) {
  for (size_t i = 0; i < input->count; i++) items[i] = input->paths[i];
  return (struct suite_words){items, input->count};
}

/* ---- what a worker's answer with this result becomes */

/* Twice, so that the second is one of a name that is there; takes `json` over. A worker gives results alone. */
static void take(struct judge *judge, json_t *json) {
  const struct outcome_text none = {0};
  struct record record;
  struct arena arena;
  struct text line = {.arena = &arena};
  arena_init(&arena, NULL);
  json_add_line(&arena, json, &line);
  bool result = record_from_json(json, &record);
  if (result) record_release(&record);
  for (int i = 0; result && i < 2; i++) judge_take(judge, 0, text_str(&line), &none);
  arena_release(&arena);
}

static void judge(json_t *json, struct suite_words expect, const struct report_format *format) {
  static char path[] = "litmus/classic/SB.litmus";
  char *file = path;
  struct ptxlit *session = fuzz_session("sc,tso");
  struct suite_options options = {.session = session,
                                  .check = ptxlit_defaults(),
                                  .files = {&file, 1},
                                  .expect = expect,
                                  .output = {.format = format},
                                  .jobs = 1};
  struct judge judge;
  if (!judge_open(&judge, &options)) BUG("the report cannot be opened");
  if (json) take(&judge, json);
  struct report_end end = {.seconds = 1};
  judge_close(&judge, &end);
  ptxlit_free(session);
}

/* ---- results of runs on GPUs */

static void observe(const struct input *input) {
  struct ptxlit *session = fuzz_session("ptx");
  struct ptxlit_options options = fuzz_options(0);
  struct ptxlit_seen facts;
  const char *text;
  options.timeout = 0.2;
  ptxlit_set_options(session, &options);
  for (size_t i = 0; i < input->count; i++) ptxlit_read_results(session, input->paths[i]);
  for (size_t i = 0; i < ptxlit_seen_count(session) && i < 4; i++)
    ptxlit_observe(session, i, 0, i % 2 ? PTXLIT_JSON : PTXLIT_TEXT, &facts, &text);
  ptxlit_free(session);
}

/* ---- all */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  struct input input = {.format = &format_json};
  char *items[FILES];
  char kind = take_kind(&data, &size, &input);
  fuzz_begin();
  split(data, size, &input);
  struct suite_words files = words_of(&input, items);
  switch (kind) {
    case 'd': suite_diff(items[0], items[input.count - 1], 0); break;
    case 'm': suite_merge(files, (struct suite_output){.format = input.format}, 0); break;
    case 'e': judge(NULL, files, input.format); break;
    case 'o': observe(&input); break;
    case 'c': judge(json_loadb((const char *)data, size, 0, NULL), (struct suite_words){NULL, 0}, input.format); break;
    default: break;
  }
  for (size_t i = 0; i < input.count; i++) close(input.files[i]);
  fuzz_end();
  return 0;
}
